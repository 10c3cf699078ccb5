/* SPDX-License-Identifier: Zlib */
/*
 * NULL for an object that is not there: a usage error, or nothing at all. It was a crash in most functions. Every
 * function of the headers that takes a pointer is called with NULL for all of them; one without a row fails the last
 * test. Here are maps and all that stands on them; test_null_below.c has what stands below, and test_null_named.c
 * looks at what the errors say.
 */
#include "support/null_calls.h"
#include "support/test.h"
#include "lint/lint.h"

static const tm_vector nowhere;

TEST(functions_of_automap_take_nothing)
{
    uint32_t num = 7, column = 7;
    int32_t number = 7;
    test_null_note("tm_automap_dialect_name"); /* numbers */
    test_null_note("tmi_automap_reference_name");
    test_null_note("tm_automap_kind_name");
    ZERO(tm_automap_dialect_from_name, NULL, NULL);
    ZERO(tm_automap_dialect_of_file, NULL);
    USAGE(tm_automap_read, NULL, NULL, 0, NULL, NULL, e);
    NOTHING(tm_automap_free, NULL);
    ZERO(tm_automap_rules_dialect, NULL);
    ZERO(tm_automap_configs, NULL, &num);
    assert_int_equal(num, 0);
    ZERO(tm_automap_find_config, NULL, NULL, &number);
    assert_int_equal(number, TM_NONE);
    ZERO(tm_automap_finding_line, NULL, &num, &column);
    assert_int_equal(column, 0);
    USAGE(tm_automap_review, NULL, NULL, e);
    USAGE(tm_automap_format, NULL, NULL, 0, NULL, NULL, e);
    USAGE(tm_automap_write, NULL, NULL, NULL, e);
    USAGE(tm_automap_run, NULL, NULL, NULL, 0, 0, NULL, NULL, e);
}

TEST(functions_of_mapdir_take_nothing)
{
    USAGE(tm_mapdir_write, NULL, NULL, NULL, NULL, e);
    USAGE(tm_mapdir_extract, NULL, NULL, NULL, e);
    USAGE(tm_mapdir_embed, NULL, NULL, NULL, NULL, e);
    ZERO(tm_mapdir_is_own, NULL);
    USAGE(tm_mapdir_write_object, NULL, NULL, NULL, e);
    NOTHING(tm_mapdir_kept_release, NULL);
    USAGE(tm_mapdir_read, NULL, NULL, NULL, NULL, NULL, NULL, e);
}

TEST(functions_of_compare_take_nothing)
{
    USAGE(tm_patch_make, NULL, NULL, NULL, NULL, e);
    NOTHING(tm_patch_free, NULL);
    ZERO(tm_patch_num, NULL);
    ZERO(tm_patch_at, NULL, 0, NULL);
    ZERO(tm_patch_run, NULL, 0, 0, NULL);
    ZERO(tm_patch_change_format, NULL, NULL, 0);
    ZERO(tm_patch_shift, NULL, NULL);
    ZERO(tm_patch_change_is_shift, NULL, NULL);
    ZERO(tm_patch_change_is_noop, NULL, NULL, NULL);
    USAGE(tm_patch_apply, NULL, NULL, NULL, NULL, e);
    USAGE(tm_patch_invert, NULL, NULL, e);
    USAGE(tm_patch_filter, NULL, NULL, NULL, e);
    USAGE(tm_patch_union, NULL, NULL, NULL, e);
    USAGE(tm_map_merge, NULL, NULL, NULL, NULL, NULL, NULL, NULL, e);
    NOTHING(tm_conflicts_free, NULL);
    ZERO(tm_conflicts_num, NULL);
    ZERO(tm_conflicts_num_open, NULL);
    ZERO(tm_conflicts_at, NULL, 0, NULL);
    ZERO(tm_conflicts_run, NULL, 0, 0, NULL);
    ZERO(tm_conflict_format, NULL, NULL, 0);
    USAGE(tm_conflicts_write, NULL, NULL, e);
    USAGE(tm_patch_write, NULL, NULL, e);
    USAGE(tm_patch_read, NULL, NULL, 1, NULL, e);
}

TEST(functions_of_edit_take_nothing)
{
    ZERO(tm_edit_find, NULL);
    ZERO(tm_edit_usage, NULL, NULL, 1);
    NOTHING(tm_report_init, NULL, NULL);
    NOTHING(tm_report_release, NULL);
    ZERO(tm_report_has_warnings, NULL);
    ZERO(tm_report_lost, NULL, TM_FINDING_LOST_LAYER);
    USAGE(tm_convert_run, NULL, NULL, NULL, e);
    USAGE(tm_preview_equal, NULL, NULL, NULL, NULL, NULL, 1, e);
    ZERO(tm_edit_fix_of, TM_FINDING_NONE, NULL);
    USAGE(tm_edit_fix, NULL, NULL, TM_FIX_SAFE, NULL, e);
    USAGE(tm_edit_run, NULL, NULL, NULL, 1, NULL, NULL, e);
    USAGE(tm_edit_script_from_words, NULL, NULL, 1, NULL, e);
    USAGE(tm_edit_script_from_text, NULL, NULL, 1, NULL, e);
    USAGE(tm_edit_script_from_template, NULL, NULL, 1, NULL, 0, NULL, e);
    NOTHING(tm_edit_script_free, NULL);
    USAGE(tm_edit_script_run, NULL, NULL, NULL, NULL, e);
}

TEST(functions_of_find_take_nothing)
{
    USAGE(tm_pattern_parse, NULL, NULL, NULL, e);
    NOTHING(tm_pattern_free, NULL);
    NOTHING(tm_pattern_text, NULL);
    USAGE(tm_map_find, NULL, NULL, 1, NULL, NULL, NULL, e);
    USAGE(tm_map_numbers, NULL, NULL, TM_NUMBER_TELE, e);
}

TEST(functions_of_lint_take_nothing)
{
    uint32_t sets = 1;
    ZERO(tm_lint_sets_from_text, NULL, NULL);
    ZERO(tm_lint_sets_from_text, &sets, NULL);
    NOTHING(tmi_lint_match, NULL, 0); /* UINT32_MAX */
    USAGE(tm_lint_config_new, NULL, NULL, e);
    NOTHING(tm_lint_config_free, NULL);
    USAGE(tm_lint_config_add, NULL, NULL, NULL, 0, e);
    USAGE(tm_lint_config_add_rule, NULL, NULL, TM_SEVERITY_NOTE, NULL, NULL, e);
    NOTHING(tm_lint_report_add, NULL, NULL, NULL, NULL, 0);
    ZERO(tm_lint_config_rule, NULL, 0);
    ZERO(tm_lint_rule_for, NULL, 0);
    ZERO(tm_lint_rule_for_ignored, NULL, 0);
    ZERO(tm_lint_unlisted, NULL, NULL);
    ZERO(tm_lint_rule_name, NULL);
    ZERO(tm_lint_rule_severity, NULL);
    ZERO(tm_lint_rule_fits, NULL, NULL);
    USAGE(tm_lint_run, NULL, NULL, NULL, e);
    NOTHING(tm_lint_result_release, NULL);
    NOTHING(tm_lint_places, NULL, 0, NULL);
    NOTHING(tm_lint_objects, NULL, 0, NULL);
    NOTHING(tm_lint_fix_line, NULL, 0); /* "" */
    assert_string_equal(tm_lint_fix_line(NULL, 0), "");
}

TEST(functions_of_map_take_nothing)
{
    NOTHING(tm_block_get_info, NULL); /* struct tm_block_info */
    USAGE(tm_map_new, NULL, NULL, e);
    NOTHING(tm_map_free, NULL);
    USAGE(tm_map_clone, NULL, NULL, e);
    NOTHING(tm_map_swap, NULL, NULL);
    USAGE(tm_map_equal, NULL, NULL, NULL, NULL, 1, e);
    USAGE(tm_map_verify, NULL, e);
    USAGE(tm_map_insert, NULL, 0, 0, e);
    USAGE(tm_map_remove, NULL, 0, 0, e);
    USAGE(tm_map_move, NULL, 0, 1, 1, e);
    USAGE(tm_map_duplicate, NULL, 0, 0, 0, e);
    USAGE(tm_map_insert_layer, NULL, 0, 0, 0, 1, 1, e);
    USAGE(tm_map_remove_layer, NULL, 0, 0, e);
    USAGE(tm_map_move_layer, NULL, 0, 0, 1, 1, e);
    USAGE(tm_map_duplicate_layer, NULL, 0, 0, 1, 0, e);
    USAGE(tm_map_import, NULL, NULL, 0, 0, NULL, 0, NULL, e);
    USAGE(tm_map_import_layer, NULL, 0, 0, NULL, 1, 1, NULL, e);
    USAGE(tm_map_set_text, NULL, NULL, NULL, e);
    USAGE(tm_map_set_settings, NULL, NULL, 1, e);
    USAGE(tm_map_insert_setting, NULL, 0, NULL, e);
    ZERO(tm_map_set_name, NULL, 1, NULL);
    USAGE(tm_map_set_pixels, NULL, 0, NULL, 1, 1, e);
    USAGE(tm_map_set_sound, NULL, 0, NULL, 1, e);
    USAGE(tm_map_set_points, NULL, 0, NULL, 1, e);
    USAGE(tm_map_set_quads, NULL, 0, 0, NULL, 1, e);
    USAGE(tm_map_set_sources, NULL, 0, 0, NULL, 1, e);
    NOTHING(tm_quad_init, NULL, 0, 0, 1, 1);
    NOTHING(tm_sound_source_init, NULL, 0, 0);
    USAGE(tm_map_resize_layer, NULL, 0, 0, 1, 1, 0, 0, e);
    ZERO(tm_map_image, NULL, 0);
    ZERO(tm_map_sound, NULL, 0);
    ZERO(tm_map_envelope, NULL, 0);
    ZERO(tm_layer_has_automapper, NULL);
    ZERO(tm_map_num_layers, NULL);
    ZERO(tm_map_find_layer, NULL, 0, NULL, NULL);
    ZERO(tm_map_physics_layer, NULL, 0, NULL, NULL);
    ZERO(tm_map_next_layer, NULL, NULL);
    ZERO(tm_map_layer_number, NULL, 0, 0);
    NOTHING(tm_map_area, NULL, NULL, NULL);
    USAGE(tm_map_data, NULL, NULL, NULL, NULL, e);
    USAGE(tm_map_read_data, NULL, NULL, NULL, 1, e);
    USAGE(tm_map_edit_data, NULL, NULL, NULL, NULL, e);
    NOTHING(tm_map_drop_data, NULL, NULL);
    NOTHING(tm_map_drop_all_data, NULL);
    USAGE(tm_map_unpack, NULL, NULL, 1, NULL, e);
    USAGE(tm_view_new, NULL, NULL, NULL, e);
    ZERO(tm_view_bytes, NULL, NULL);
    NOTHING(tm_view_free, NULL);
    USAGE(tm_map_image_pixels, NULL, NULL, NULL, 1, e);
    ZERO(tm_image_rgba_size, NULL);
    USAGE(tm_map_quads, NULL, NULL, NULL, NULL, e);
    USAGE(tm_map_sources, NULL, NULL, NULL, NULL, e);
    USAGE(tm_map_edit_quads, NULL, 0, 0, NULL, NULL, e);
    USAGE(tm_map_edit_sources, NULL, 0, 0, NULL, NULL, e);
    USAGE(tm_map_tiles, NULL, NULL, NULL, e);
    USAGE(tm_map_edit_tiles, NULL, 0, 0, NULL, e);
    USAGE(tm_map_read_tiles, NULL, NULL, 0, 0, 1, 1, NULL, 1, e);
    USAGE(tm_map_write_tiles, NULL, 0, 0, 0, 0, 1, 1, NULL, 1, e);
    USAGE(tm_map_fill_tiles, NULL, 0, 0, 0, 0, 1, 1, NULL, e);
    NOTHING(tm_envelope_evaluate, NULL, 1, 1, NULL);
    USAGE(tm_address_parse, NULL, NULL, NULL, e);
    ZERO(tm_address_format, NULL, NULL, 1);
    ZERO(tm_address_describe, NULL, NULL, NULL, 1);
    USAGE(tm_select_layers, NULL, NULL, NULL, 0, e);
    NOTHING(tm_select_opacities, NULL, NULL, 1);
    ZERO(tm_map_is_game_group, NULL, 0);
}

TEST(functions_of_render_take_nothing)
{
    USAGE(tm_pixels_to_rgb, NULL, 1, NULL, 1, 1, 1, e);
    USAGE(tm_shared_images_new, NULL, 1, NULL, e);
    NOTHING(tm_shared_images_free, NULL);
    USAGE(tm_renderer_new, NULL, NULL, NULL, NULL, e);
    NOTHING(tm_renderer_free, NULL);
    ZERO(tm_renderer_unpacking_work, NULL, NULL);
    USAGE(tm_renderer_update, NULL, 0, 0, 0, 0, 1, 1, e);
    NOTHING(tm_camera_view_size, 1, 1, NULL, NULL);
    USAGE(tm_renderer_to_picture, NULL, NULL, 0, nowhere, NULL, e);
    USAGE(tm_renderer_from_picture, NULL, NULL, 0, nowhere, NULL, e);
    USAGE(tm_renderer_draw, NULL, NULL, 1, 1, NULL, 1, e);
    USAGE(tm_background_fill, NULL, 1, 1, 1, NULL, 1, e);
    USAGE(tm_renderer_stream, NULL, NULL, NULL, NULL, NULL, e);
}

TEST(functions_of_preview_take_nothing)
{
    USAGE(tm_preview_views, NULL, NULL, 1, NULL, NULL, e);
    NOTHING(tm_preview_set_view, NULL, NULL);
    USAGE(tm_preview_find, NULL, NULL, NULL, NULL, e);
    USAGE(tm_preview_map_bounds, NULL, NULL, e);
    USAGE(tm_preview_draw_rules, NULL, NULL, NULL, NULL, NULL, 16, NULL, e);
    USAGE(tm_preview_draw_boxes, NULL, 100, 100, NULL, 0, NULL, 0, NULL, e);
    USAGE(tm_preview_content_bounds, NULL, NULL, e);
    USAGE(tm_preview_fit_area, NULL, NULL, 1, e);
    USAGE(tm_preview_layer_area, NULL, NULL, 0, 0, 0, e);
    USAGE(tm_preview_element_area, NULL, TM_OWNER_QUAD, NULL, e);
    USAGE(tm_preview_join_areas, NULL, NULL, 1, 1, e);
    ZERO(tm_mark_kind_name, (tm_mark_kind)99);
    NOTHING(tm_mark_kind_color, NULL, TM_MARK_ADDED);
    USAGE(tm_preview_draw_marks, NULL, NULL, NULL, 0, 0, 0, NULL, 0, e);
    USAGE(tm_preview_mark_area, NULL, NULL, NULL, false, e);
    USAGE(tm_pyramid_frame_init, NULL, NULL, 1, e);
    test_null_note("tmi_pyramid_scale");
    USAGE(tm_pyramid_plan, NULL, NULL, 0, NULL, 1, e);
    NOTHING(tm_pyramid_release, NULL);
    ZERO(tm_pyramid_count, NULL);
    USAGE(tm_pyramid_draw, NULL, 1, NULL, NULL, NULL, NULL, 1, NULL, e);
    ZERO(tm_pyramid_is_clipped, NULL, 0);
    ZERO(tm_pyramid_keeps_clip, NULL, 0);
    USAGE(tm_preview_period, NULL, NULL, false, NULL, 1, e);
    USAGE(tm_preview_find_loop, NULL, NULL, NULL, NULL, e);
    test_null_note("tm_preview_loop_time");
    assert_true(tm_preview_loop_time(NULL, 1, 2) == 0);
}

TEST(every_function_of_the_headers_has_a_row)
{
    test_null_check_headers(false);
}

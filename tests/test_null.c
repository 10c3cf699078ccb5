/* SPDX-License-Identifier: Zlib */
/*
 * NULL for an object that is not there: a usage error, or nothing at all. It was a crash in most functions. Every
 * function of the headers that takes a pointer is called with NULL for all of them; one without a row fails the last
 * test. test_null_named.c has one NULL beside sound arguments.
 */
#include "support/test.h"
#include "lint/lint.h"

#include <ctype.h>

/* By their names. */
static const char *called[512];
static size_t num_called;

static void note(const char *name)
{
    assert_true(num_called < sizeof(called) / sizeof(called[0]));
    called[num_called++] = name;
}

static bool was_called(const char *name, size_t length)
{
    for (size_t i = 0; i < num_called; i++)
        if (strlen(called[i]) == length && memcmp(called[i], name, length) == 0)
            return true;
    return false;
}

/* Is a usage error, and says which argument is NULL. */
#define USAGE(name, ...)                              \
    do {                                              \
        tm_error error = {.code = TM_OK};             \
        tm_error *const e = &error;                   \
        note(#name);                                  \
        if (name(__VA_ARGS__) != TM_ERROR_USAGE)      \
            fail_msg(#name " takes NULL");            \
        assert_int_equal(error.code, TM_ERROR_USAGE); \
        assert_non_null(strstr(error.text, "NULL"));  \
    } while (0)
/* The same, and says which. */
#define NEEDS(what, name, ...)                               \
    do {                                                     \
        tm_error error = {.code = TM_OK};                    \
        tm_error *const e = &error;                          \
        note(#name);                                         \
        assert_int_equal(name(__VA_ARGS__), TM_ERROR_USAGE); \
        assert_string_equal(error.text, what " is NULL");    \
        assert_int_equal(error.side, TM_SIDE_USAGE);         \
    } while (0)
/* Gives zero, false or NULL. */
#define ZERO(name, ...)        \
    do {                       \
        note(#name);           \
        if (name(__VA_ARGS__)) \
            fail_msg(#name);   \
    } while (0)
/* Does nothing, or gives a struct. */
#define NOTHING(name, ...)       \
    do {                         \
        note(#name);             \
        (void)name(__VA_ARGS__); \
    } while (0)

static const tm_input no_input;
static const tm_vector nowhere;

TEST(functions_of_automap_take_nothing)
{
    uint32_t num = 7, column = 7;
    int32_t number = 7;
    note("tm_automap_dialect_name"); /* numbers */
    note("tmi_automap_reference_name");
    note("tm_automap_kind_name");
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
    NEEDS("rgba", tm_renderer_draw, NULL, NULL, 1, 1, NULL, 1, e);
    USAGE(tm_background_fill, NULL, 1, 1, 1, NULL, 1, e);
    NEEDS("renderer", tm_renderer_stream, NULL, NULL, NULL, NULL, NULL, e);
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
    note("tmi_pyramid_scale");
    USAGE(tm_pyramid_plan, NULL, NULL, 0, NULL, 1, e);
    NOTHING(tm_pyramid_release, NULL);
    ZERO(tm_pyramid_count, NULL);
    USAGE(tm_pyramid_draw, NULL, 1, NULL, NULL, NULL, NULL, 1, NULL, e);
    ZERO(tm_pyramid_is_clipped, NULL, 0);
    ZERO(tm_pyramid_keeps_clip, NULL, 0);
    USAGE(tm_preview_period, NULL, NULL, false, NULL, 1, e);
    USAGE(tm_preview_find_loop, NULL, NULL, NULL, NULL, e);
    note("tm_preview_loop_time");
    assert_true(tm_preview_loop_time(NULL, 1, 2) == 0);
}

TEST(functions_of_base_take_nothing)
{
    ZERO(tm_error_format, NULL, NULL, 1);
    note("tm_error_set"); /* it returns the status that it is given */
    assert_int_equal(tm_error_set(NULL, TM_ERROR_IO, NULL), TM_ERROR_IO);
    NOTHING(tm_suggestion_begin, NULL, "x");
    NOTHING(tm_suggestion_try, NULL, "x");
    ZERO(tm_suggestion_format, NULL, NULL, 0);
    note("tm_alloc"); /* without an allocator it is malloc */
    tm_free(NULL, tm_alloc(NULL, 1), 1);
    NOTHING(tm_free, NULL, NULL, 1);
    NOTHING(tm_input_from_memory, NULL, 1); /* struct tm_input */
    USAGE(tm_input_load, NULL, NULL, e);
    USAGE(tm_input_equal, NULL, NULL, NULL, e);
    NOTHING(tm_output_to_buffer, NULL); /* struct tm_output */
    NOTHING(tm_buffer_release, NULL);
    NOTHING(tm_cancel_request, NULL);
}

TEST(functions_of_files_take_nothing)
{
    NOTHING(tm_memory_files_out, NULL); /* struct tm_files_out */
    NOTHING(tm_memory_files_in, NULL);  /* struct tm_files_in */
    USAGE(tm_memory_files_add, NULL, NULL, NULL, 1, e);
    ZERO(tm_memory_files_find, NULL, NULL);
    NOTHING(tm_memory_files_release, NULL);
}

TEST(functions_of_text_take_nothing)
{
    USAGE(tm_object_write, NULL, NULL, NULL, e);
    USAGE(tm_json_read, NULL, NULL, 1, 1, NULL, e);
    NOTHING(tm_json_free, NULL);
    ZERO(tm_json_get, NULL, NULL);
    USAGE(tm_json_write, NULL, NULL, e);
}

TEST(functions_of_codec_take_nothing)
{
    NEEDS("output", tm_png_write, NULL, NULL, 1, 1, NULL, e);
    NEEDS("out", tm_png_writer_new, NULL, NULL, 1, 1, NULL, e);
    NEEDS("writer", tm_png_writer_rows, NULL, NULL, 1, 1, e);
    NEEDS("writer", tm_png_writer_finish, NULL, e);
    NOTHING(tm_png_writer_free, NULL);
    NEEDS("out", tm_webp_writer_new, NULL, NULL, 1, 1, NULL, e);
    NEEDS("writer", tm_webp_writer_rows, NULL, NULL, 1, 1, e);
    NEEDS("writer", tm_webp_writer_finish, NULL, e);
    NOTHING(tm_webp_writer_free, NULL);
    NEEDS("out", tm_animation_new, NULL, NULL, 1, 1, 1, 1, NULL, e);
    NEEDS("animation", tm_animation_frame, NULL, NULL, 1, e);
    NEEDS("animation", tm_animation_finish, NULL, e);
    NOTHING(tm_animation_free, NULL);
    USAGE(tm_animation_write, NULL, NULL, NULL, NULL, e);
    USAGE(tm_animation_estimate, NULL, NULL, NULL, NULL, e);
    ZERO(tm_animation_saving_at, 0, NULL);
    USAGE(tm_png_read, NULL, NULL, NULL, NULL, 1, 1, NULL, e);
    USAGE(tm_picture_read, NULL, NULL, NULL, NULL, 1, 1, NULL, e);
    NOTHING(tm_crc32, 1, NULL, 1);
    ZERO(tm_codec_library_at, 0, NULL);
    ZERO(tm_png_size, NULL, NULL, NULL);
    USAGE(tm_sha256_init, NULL, e);
    NOTHING(tm_sha256_update, NULL, NULL, 1);
    NOTHING(tm_sha256_final, NULL, NULL);
    USAGE(tm_hash_input, NULL, NULL, NULL, e);
}

TEST(functions_of_datafile_take_nothing)
{
    USAGE(tm_datafile_open, NULL, no_input, NULL, NULL, e);
    NOTHING(tm_datafile_close, NULL);
    USAGE(tm_datafile_equal, NULL, NULL, NULL, e);
    NOTHING(tm_datafile_get_header, NULL, NULL);
    ZERO(tm_datafile_num_items, NULL);
    ZERO(tm_datafile_get_item, NULL, 0, NULL);
    NOTHING(tm_datafile_item_int, NULL, 1, 1);
    ZERO(tm_datafile_num_types, NULL);
    ZERO(tm_datafile_get_type, NULL, 0, NULL);
    ZERO(tm_datafile_find_type, NULL, 1, NULL);
    ZERO(tm_datafile_find_uuid, NULL, NULL, NULL);
    ZERO(tm_datafile_num_data, NULL);
    ZERO(tm_datafile_get_data, NULL, 0, NULL);
    NEEDS("datafile", tm_datafile_read_data, NULL, 0, NULL, 1, NULL, e);
    NEEDS("bytes", tm_datafile_data_bytes, NULL, 0, NULL, NULL, e);
    NOTHING(tm_datafile_drop, NULL, 0);
    NEEDS("datafile", tm_datafile_unpack, NULL, NULL, 1, NULL, e);
    NEEDS("datafile", tm_datafile_visit, NULL, NULL, 1, NULL, NULL, NULL, e);
    NEEDS("out", tm_datafile_writer_new, NULL, NULL, e);
    NOTHING(tm_datafile_writer_free, NULL);
    NEEDS("writer", tm_datafile_writer_add_item, NULL, 1, 1, NULL, 1, 1, e);
    NEEDS("writer", tm_datafile_writer_add_uuid_item, NULL, NULL, 1, NULL, 1, 1, e);
    NEEDS("writer", tm_datafile_writer_add_data, NULL, NULL, NULL, 1, 1, e);
    NEEDS("writer", tm_datafile_writer_add_from, NULL, NULL, NULL, 1, false, e);
    NEEDS("writer", tm_datafile_writer_finish, NULL, NULL, NULL, NULL, e);
    NEEDS("datafile", tm_datafile_copy, NULL, NULL, NULL, false, NULL, NULL, e);
}

TEST(functions_of_fields_take_nothing)
{
    NOTHING(tm_fields, 0, NULL);
    ZERO(tm_field_find, 0, NULL);
    ZERO(tm_field_present, NULL, NULL);
    NOTHING(tm_field_get, NULL, NULL, 0); /* struct tm_value */
    ZERO(tm_field_num, NULL, NULL);
    NOTHING(tm_field_initial, NULL); /* struct tm_value */
    ZERO(tm_value_same, NULL, NULL);
    USAGE(tm_field_set, NULL, NULL, NULL, 0, NULL, e);
    ZERO(tm_value_format, NULL, 1, NULL, NULL, NULL);
    USAGE(tm_value_parse, NULL, NULL, NULL, NULL, NULL, 1, e);
    USAGE(tm_field_set_text, NULL, NULL, NULL, 0, NULL, e);
    NOTHING(tm_fields_walk, 0, NULL, NULL, NULL);
    USAGE(tm_map_compare, NULL, NULL, NULL, NULL, NULL, e);
    ZERO(tm_difference_format, NULL, 1, NULL, NULL, NULL);
}

TEST(functions_of_findings_take_nothing)
{
    NOTHING(tm_findings_init, NULL, 1, NULL);
    NOTHING(tm_findings_release, NULL);
    ZERO(tm_finding_at, 0, NULL);
    NOTHING(tm_findings_add, NULL, 0, 0, 0, NULL, NULL, NULL);
}

TEST(functions_of_jobs_take_nothing)
{
    NEEDS("pieces", tm_tasks_run, NULL, NULL, e);
}

TEST(functions_of_mapfile_take_nothing)
{
    USAGE(tm_mapfile_load, NULL, no_input, NULL, NULL, e);
    ZERO(tm_mapfile_datafile, NULL);
    NOTHING(tm_mapfile_get_game, NULL);
    USAGE(tm_mapfile_rescue, NULL, NULL, NULL, NULL, e);
    ZERO(tm_rescue_complete, NULL);
    NEEDS("map", tm_mapfile_save, NULL, NULL, NULL, NULL, NULL, e);
    NEEDS("map", tm_mapfile_check_data, NULL, NULL, NULL, e);
    USAGE(tm_mapfile_check, NULL, 0, NULL, NULL, e);
    ZERO(tm_mapfile_features, NULL);
    ZERO(tm_mapfile_get_kind, NULL);
    NOTHING(tm_mapfile_count, NULL, NULL);
    USAGE(tm_mapfile_each_share, NULL, NULL, NULL, e);
    USAGE(tm_mapfile_compare_unknown, NULL, NULL, NULL, NULL, NULL, e);
    ZERO(tm_unknown_describe, NULL, NULL, 0);
    USAGE(tm_mapfile_sidecar_write, NULL, NULL, NULL, e);
    USAGE(tm_mapfile_sidecar_apply, NULL, NULL, NULL, 1, NULL, 1, NULL, e);
}

TEST(functions_of_facts_take_nothing)
{
    USAGE(tm_facts_make, NULL, NULL, NULL, NULL, NULL, e);
    NOTHING(tm_facts_free, NULL);
    NOTHING(tm_facts_get, NULL, 0); /* struct tm_fact */
}

TEST(functions_of_mapres_take_nothing)
{
    USAGE(tm_mapres_new, NULL, NULL, e);
    USAGE(tm_mapres_cache_new, NULL, 1, NULL, e);
    NOTHING(tm_mapres_cache_free, NULL);
    NOTHING(tm_mapres_free, NULL);
    ZERO(tm_mapres_get_folder, NULL, 0, NULL);
    ZERO(tm_mapres_count_images, NULL, 0);
    note("tm_mapres_provide"); /* has no error to fill in */
    assert_int_equal(tm_mapres_provide(NULL, NULL, 0, NULL, NULL, NULL, NULL), TM_ERROR_USAGE);
    note("tm_mapres_key"); /* the same */
    assert_int_equal(tm_mapres_key(NULL, NULL, 0, NULL, NULL), TM_ERROR_USAGE);
    USAGE(tm_mapres_find, NULL, NULL, NULL, 0, e);
    USAGE(tm_mapres_find_sheet, NULL, NULL, 0, 0, e);
    USAGE(tm_mapres_find_rules, NULL, NULL, NULL, 0, e);
    ZERO(tm_mapres_count_rules, NULL, 0);
    USAGE(tm_mapres_read_png, NULL, NULL, NULL, NULL, NULL, e);
}

TEST(functions_of_rules_take_nothing)
{
    ZERO(tm_game_from_name, NULL, NULL);
    ZERO(tm_game_uuid_name, NULL);
    ZERO(tm_game_tile_by_id, NULL);
    NOTHING(tm_game_turn_tile, 0, NULL, 0);
    tm_game_turn_tile(TM_LAYER_TILES, NULL,
                      TM_TRANSFORM_MIRROR_X); /* the row above returns before it looks at the tile */
    ZERO(tm_game_shipped_image, NULL);
    ZERO(tm_game_name_is_plain, NULL);
}

TEST(functions_of_store_take_nothing)
{
    NEEDS("out", tm_store_load, NULL, NULL, NULL, NULL, e);
    NEEDS("out", tm_store_open_datafile, NULL, NULL, NULL, NULL, e);
    NEEDS("map", tm_store_save, NULL, NULL, NULL, NULL, NULL, e);
    USAGE(tm_store_write_bytes, NULL, NULL, 1, NULL, e);
    USAGE(tm_store_hash, NULL, NULL, NULL, e);
    USAGE(tm_store_folder_open, NULL, NULL, true, NULL, e);
    NOTHING(tm_store_folder_in, NULL);  /* struct tm_files_in */
    NOTHING(tm_store_folder_out, NULL); /* struct tm_files_out */
    USAGE(tm_store_folder_remove, NULL, NULL, e);
    NOTHING(tm_store_folder_close, NULL);
}

TEST(functions_of_sys_take_nothing)
{
    NEEDS("out", tm_sys_open_input, NULL, NULL, 1, NULL, e);
    USAGE(tm_sys_open_stdin, NULL, 1, NULL, e);
    NEEDS("out", tm_sys_save_begin, NULL, NULL, NULL, e);
    ZERO(tm_sys_save_path, NULL);
    USAGE(tm_sys_pipe_begin, NULL, NULL, NULL, e);
    NOTHING(tm_sys_pipe_output, NULL); /* the same */
    USAGE(tm_sys_pipe_finish, NULL, e);
    NOTHING(tm_sys_pipe_abort, NULL);
    NOTHING(tm_sys_save_output, NULL); /* struct tm_output */
    NEEDS("save", tm_sys_save_commit, NULL, e);
    NOTHING(tm_sys_save_abort, NULL);
    ZERO(tm_sys_kind_of, NULL);
    USAGE(tm_sys_run, NULL, NULL, NULL, e);
    ZERO(tm_sys_real_path, NULL, 0, NULL);
    char path[4] = "old";
    assert_false(tm_sys_real_path(path, sizeof(path), "nowhere/at/all")); /* once it was left as it was */
    assert_string_equal(path, "");
    ZERO(tm_sys_kind_of_entry, NULL);
    USAGE(tm_sys_remove_file, NULL, e);
    ZERO(tm_sys_same_file, NULL, NULL);
    ZERO(tm_sys_is_newer, NULL, NULL);
    ZERO(tm_sys_changed_at, NULL);
    NEEDS("path", tm_sys_make_folder, NULL, e);
    NEEDS("folder", tm_sys_list, NULL, NULL, NULL, NULL, e);
    NEEDS("folder", tm_sys_walk, NULL, NULL, NULL, NULL, NULL, e);
    NEEDS("out", tm_sys_threads_new, NULL, 1, NULL, e);
    ZERO(tm_sys_threads_executor, NULL);
    NOTHING(tm_sys_threads_free, NULL);
}

/* In the headers: "TM_API", the name, and a star among the parameters. Comments before a declaration hold no "TM_API". */
static void check_header(void *ctx, const char *path, const char *text)
{
    size_t *num = ctx;
    for (const char *at = text; (at = strstr(at, "\nTM_API ")); ++*num) {
        at += strlen("\nTM_API ");
        const char *const parameters = at + strcspn(at, "("), *name = parameters;
        while (isalnum((unsigned char)name[-1]) || name[-1] == '_')
            name--;
        const size_t end = strcspn(parameters, ";"), star = strcspn(parameters, "*");
        if (star < end && !was_called(name, (size_t)(parameters - name)))
            fail_msg("%s: %.*s takes a pointer and has no row in this test", path, (int)(parameters - name),
                     name);
    }
}

TEST(every_function_has_a_row)
{
    size_t num = 0;
    test_each_header(check_header, &num);
    assert_true(num >= num_called);
}

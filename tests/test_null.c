/* SPDX-License-Identifier: Zlib */
/*
 * NULL for an object that is not there: a usage error, or nothing at all. It was a crash in most functions. Every
 * function of the headers that takes a pointer is called with NULL for all of them; one without a row here fails the
 * last test. test_null_named.c looks at what the errors say.
 */
#include "support/files.h"

#include <teemap/teemap.h>

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Which functions were called, by their names; the last test looks for one in the headers that was not. */
static const char *called[512];
static size_t num_called;

static void note(const char *name)
{
    assert_true(num_called < sizeof(called) / sizeof(called[0]));
    called[num_called++] = name;
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

static void functions_of_base_take_nothing(void **state)
{
    (void)state;
    ZERO(tm_error_format, NULL, NULL, 1);
    note("tm_alloc"); /* without an allocator it is malloc */
    tm_free(NULL, tm_alloc(NULL, 1), 1);
    NOTHING(tm_free, NULL, NULL, 1);
    NOTHING(tm_input_from_memory, NULL, 1); /* struct tm_input */
    USAGE(tm_input_equal, NULL, NULL, NULL, e);
    NOTHING(tm_output_to_buffer, NULL); /* struct tm_output */
    NOTHING(tm_buffer_release, NULL);
    NOTHING(tm_cancel_request, NULL);
    NOTHING(tm_job_init, NULL);
    NOTHING(tm_limits_init, NULL);
}

static void functions_of_automap_take_nothing(void **state)
{
    (void)state;
    uint32_t num = 7, column = 7;
    int32_t number = 7;
    note("tm_automap_dialect_name"); /* numbers */
    note("tm_automap_reference_name");
    note("tm_automap_kind_name");
    ZERO(tm_automap_dialect_from_name, NULL, NULL);
    ZERO(tm_automap_dialect_of_file, NULL);
    ZERO(tm_automap_reference_from_name, NULL, NULL);
    NOTHING(tm_automap_read_options_init, NULL);
    NOTHING(tm_automap_options_init, NULL);
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
    ZERO(tm_automap_makes, NULL, 1);
    USAGE(tm_automap_format, NULL, NULL, 0, NULL, NULL, e);
    USAGE(tm_automap_write, NULL, NULL, NULL, e);
    USAGE(tm_automap_run, NULL, NULL, NULL, 0, 0, NULL, NULL, e);
    USAGE(tm_automap_check, NULL, NULL, NULL, 0, 0, NULL, NULL, e);
}

static void functions_of_files_take_nothing(void **state)
{
    (void)state;
    ZERO(tm_file_name_valid, NULL);
    NOTHING(tm_memory_files_out, NULL); /* struct tm_files_out */
    NOTHING(tm_memory_files_in, NULL);  /* struct tm_files_in */
    USAGE(tm_memory_files_add, NULL, NULL, NULL, 1, e);
    ZERO(tm_memory_files_find, NULL, NULL);
    ZERO(tm_memory_files_remove, NULL, NULL);
    NOTHING(tm_memory_files_release, NULL);
}

static void functions_of_mapdir_take_nothing(void **state)
{
    (void)state;
    NOTHING(tm_mapdir_write_options_init, NULL);
    USAGE(tm_mapdir_write, NULL, NULL, NULL, NULL, NULL, e);
    USAGE(tm_mapdir_extract, NULL, NULL, NULL, e);
    USAGE(tm_mapdir_embed, NULL, NULL, NULL, NULL, e);
    ZERO(tm_mapdir_is_own, NULL);
    USAGE(tm_mapdir_write_object, NULL, NULL, NULL, e);
    NOTHING(tm_mapdir_read_options_init, NULL);
    NOTHING(tm_mapdir_kept_release, NULL);
    USAGE(tm_mapdir_read, NULL, NULL, NULL, NULL, NULL, NULL, e);
}

static void functions_of_codec_take_nothing(void **state)
{
    (void)state;
    NOTHING(tm_png_options_init, NULL);
    USAGE(tm_png_write, NULL, NULL, 1, 1, NULL, e);
    USAGE(tm_png_writer_new, NULL, NULL, 1, 1, NULL, e);
    USAGE(tm_png_writer_rows, NULL, NULL, 1, 1, e);
    USAGE(tm_png_writer_finish, NULL, e);
    NOTHING(tm_png_writer_free, NULL);
    NOTHING(tm_webp_options_init, NULL);
    USAGE(tm_webp_writer_new, NULL, NULL, 1, 1, NULL, e);
    USAGE(tm_webp_writer_rows, NULL, NULL, 1, 1, e);
    USAGE(tm_webp_writer_finish, NULL, e);
    NOTHING(tm_webp_writer_free, NULL);
    NOTHING(tm_animation_options_init, NULL);
    USAGE(tm_animation_new, NULL, NULL, 1, 1, 1, 1, NULL, e);
    USAGE(tm_animation_frame, NULL, NULL, 1, e);
    USAGE(tm_animation_finish, NULL, e);
    NOTHING(tm_animation_free, NULL);
    NOTHING(tm_frames_init, NULL);
    USAGE(tm_pixels_to_rgb, NULL, 1, NULL, 1, 1, 1, e);
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

static void functions_of_datafile_take_nothing(void **state)
{
    (void)state;
    NOTHING(tm_datafile_options_init, NULL);
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
    USAGE(tm_datafile_read_data, NULL, 0, NULL, 1, NULL, e);
    USAGE(tm_datafile_data_bytes, NULL, 0, NULL, NULL, e);
    USAGE(tm_datafile_read_packed, NULL, 0, NULL, 1, e);
    NOTHING(tm_datafile_drop, NULL, 0);
    USAGE(tm_datafile_unpack, NULL, NULL, 1, NULL, e);
    USAGE(tm_datafile_visit, NULL, NULL, 1, NULL, NULL, NULL, e);
    USAGE(tm_datafile_check_data, NULL, NULL, NULL, NULL, NULL, e);
    NOTHING(tm_datafile_writer_options_init, NULL);
    USAGE(tm_datafile_writer_new, NULL, NULL, e);
    NOTHING(tm_datafile_writer_free, NULL);
    USAGE(tm_datafile_writer_add_item, NULL, 1, 1, NULL, 1, 1, e);
    USAGE(tm_datafile_writer_add_uuid_item, NULL, NULL, 1, NULL, 1, 1, e);
    USAGE(tm_datafile_writer_add_data, NULL, NULL, NULL, 1, 1, e);
    USAGE(tm_datafile_writer_add_lazy, NULL, NULL, 1, 1, NULL, NULL, e);
    USAGE(tm_datafile_writer_add_made, NULL, NULL, 1, 1, NULL, NULL, e);
    USAGE(tm_datafile_writer_add_packed, NULL, NULL, NULL, 1, 1, e);
    USAGE(tm_datafile_writer_add_from, NULL, NULL, NULL, 1, false, e);
    USAGE(tm_datafile_writer_add_again, NULL, NULL, 1, e);
    USAGE(tm_datafile_writer_reuse, NULL, 1, 1, e);
    ZERO(tm_datafile_writer_num_data, NULL);
    USAGE(tm_datafile_writer_finish, NULL, NULL, NULL, NULL, e);
    USAGE(tm_datafile_copy, NULL, NULL, NULL, false, NULL, NULL, e);
}

static void functions_of_compare_take_nothing(void **state)
{
    (void)state;
    NOTHING(tm_patch_options_init, NULL);
    USAGE(tm_patch_make, NULL, NULL, NULL, NULL, e);
    NOTHING(tm_patch_free, NULL);
    ZERO(tm_patch_num, NULL);
    ZERO(tm_patch_at, NULL, 0, NULL);
    ZERO(tm_patch_run, NULL, 0, 0, NULL);
    ZERO(tm_patch_change_format, NULL, NULL, 0);
    ZERO(tm_patch_shift, NULL, NULL);
    ZERO(tm_patch_change_follows, NULL, NULL);
    NOTHING(tm_apply_options_init, NULL);
    USAGE(tm_patch_apply, NULL, NULL, NULL, NULL, e);
    USAGE(tm_patch_invert, NULL, NULL, e);
    NOTHING(tm_narrow_options_init, NULL);
    USAGE(tm_patch_narrow, NULL, NULL, NULL, e);
    USAGE(tm_patch_join, NULL, NULL, NULL, e);
    NOTHING(tm_merge_options_init, NULL);
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

static void functions_of_edit_take_nothing(void **state)
{
    (void)state;
    ZERO(tm_edit_find, NULL);
    ZERO(tm_edit_usage, NULL, NULL, 1);
    NOTHING(tm_report_init, NULL, NULL);
    NOTHING(tm_report_release, NULL);
    ZERO(tm_report_lacks, NULL);
    ZERO(tm_report_lost, NULL, TM_FINDING_LOST_LAYER);
    NOTHING(tm_convert_options_init, NULL);
    USAGE(tm_convert_run, NULL, NULL, NULL, e);
    NOTHING(tm_edit_options_init, NULL);
    NOTHING(tm_preview_equal_options_init, NULL);
    NOTHING(tm_preview_loop_options_init, NULL);
    USAGE(tm_preview_equal, NULL, NULL, NULL, NULL, NULL, 1, e);
    ZERO(tm_edit_mend_of, TM_FINDING_NONE, NULL);
    USAGE(tm_edit_mend, NULL, NULL, TM_MEND_SAFE, NULL, e);
    USAGE(tm_edit_run, NULL, NULL, NULL, 1, NULL, NULL, e);
    USAGE(tm_edit_script_from_words, NULL, NULL, 1, NULL, e);
    USAGE(tm_edit_script_from_text, NULL, NULL, 1, NULL, e);
    USAGE(tm_edit_script_from_template, NULL, NULL, 1, NULL, 0, NULL, e);
    NOTHING(tm_edit_script_free, NULL);
    ZERO(tm_edit_script_num, NULL);
    USAGE(tm_edit_script_run, NULL, NULL, NULL, NULL, e);
    ZERO(tm_edit_fits, NULL, NULL);
}

static void functions_of_fields_take_nothing(void **state)
{
    (void)state;
    NOTHING(tm_fields, 0, NULL);
    ZERO(tm_field_find, 0, NULL);
    ZERO(tm_field_in_game, NULL, 0);
    ZERO(tm_field_range, NULL, NULL, NULL);
    ZERO(tm_field_present, NULL, NULL);
    ZERO(tm_field_num, NULL, NULL);
    NOTHING(tm_field_get, NULL, NULL, 0); /* struct tm_value */
    NOTHING(tm_field_initial, NULL);      /* struct tm_value */
    ZERO(tm_value_same, NULL, NULL);
    USAGE(tm_field_check, NULL, NULL, NULL, e);
    USAGE(tm_field_set, NULL, NULL, NULL, 0, NULL, e);
    USAGE(tm_field_set_any, NULL, NULL, NULL, 0, NULL, e);
    ZERO(tm_value_format, NULL, 1, NULL, NULL, NULL);
    USAGE(tm_value_parse, NULL, NULL, NULL, NULL, NULL, 1, e);
    USAGE(tm_field_set_text, NULL, NULL, NULL, 0, NULL, e);
    NOTHING(tm_fields_walk, 0, NULL, NULL, NULL);
    NOTHING(tm_compare_options_init, NULL);
    USAGE(tm_map_compare, NULL, NULL, NULL, NULL, NULL, e);
    USAGE(tm_object_compare, NULL, NULL, NULL, NULL, NULL, NULL, NULL, e);
    ZERO(tm_difference_format, NULL, 1, NULL, NULL, NULL);
}

static void functions_of_find_take_nothing(void **state)
{
    (void)state;
    USAGE(tm_pattern_parse, NULL, NULL, NULL, e);
    NOTHING(tm_pattern_free, NULL);
    NOTHING(tm_pattern_text, NULL);
    ZERO(tm_pattern_of_tiles, NULL);
    NOTHING(tm_find_options_init, NULL);
    USAGE(tm_map_find, NULL, NULL, 1, NULL, NULL, NULL, e);
    USAGE(tm_map_numbers, NULL, NULL, TM_NUMBER_TELE, e);
}

static void functions_of_findings_take_nothing(void **state)
{
    (void)state;
    NOTHING(tm_findings_init, NULL, 1, NULL);
    NOTHING(tm_findings_release, NULL);
    ZERO(tm_finding_at, 0, NULL);
    NOTHING(tm_finding_severity, 0, 0, NULL);
    NOTHING(tm_findings_add, NULL, 0, 0, 0, NULL, NULL, NULL);
}

static void functions_of_jobs_take_nothing(void **state)
{
    (void)state;
    NOTHING(tm_pieces_init, NULL);
    USAGE(tm_pieces_run, NULL, NULL, e);
}

static void functions_of_lint_take_nothing(void **state)
{
    (void)state;
    uint32_t sets = 1;
    ZERO(tm_lint_sets_from_text, NULL, NULL);
    ZERO(tm_lint_sets_from_text, &sets, NULL);
    ZERO(tm_lint_guess_sets, NULL);
    NOTHING(tm_lint_match, NULL, 0); /* UINT32_MAX */
    assert_true(tm_lint_match(NULL, 0) == UINT32_MAX);
    NOTHING(tm_lint_options_init, NULL);
    USAGE(tm_lint_config_new, NULL, NULL, e);
    NOTHING(tm_lint_config_free, NULL);
    USAGE(tm_lint_config_add, NULL, NULL, NULL, 0, e);
    USAGE(tm_lint_config_add_kog, NULL, NULL, NULL, 0, e);
    USAGE(tm_lint_config_allow_images, NULL, TM_LINT_EMBEDDED, NULL, 0, e);
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
    NOTHING(tm_lint_mend, NULL, 0); /* "" */
    assert_string_equal(tm_lint_mend(NULL, 0), "");
}

static void functions_of_map_take_nothing(void **state)
{
    (void)state;
    NOTHING(tm_block_get_info, NULL); /* struct tm_block_info */
    NOTHING(tm_map_options_init, NULL);
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
    NOTHING(tm_import_options_init, NULL);
    USAGE(tm_map_import, NULL, NULL, 0, 0, NULL, 0, NULL, e);
    USAGE(tm_map_import_layer, NULL, 0, 0, NULL, 1, 1, NULL, e);
    USAGE(tm_map_set_text, NULL, NULL, NULL, e);
    USAGE(tm_map_set_settings, NULL, NULL, 1, e);
    USAGE(tm_map_insert_setting, NULL, 0, NULL, e);
    USAGE(tm_map_remove_setting, NULL, 0, 1, e);
    ZERO(tm_map_set_name, NULL, 1, NULL);
    USAGE(tm_map_set_pixels, NULL, 0, NULL, 1, 1, e);
    USAGE(tm_map_set_sound, NULL, 0, NULL, 1, e);
    USAGE(tm_map_set_points, NULL, 0, NULL, 1, e);
    USAGE(tm_map_insert_points, NULL, 0, 0, NULL, 1, e);
    USAGE(tm_map_remove_points, NULL, 0, 0, 1, e);
    USAGE(tm_map_set_quads, NULL, 0, 0, NULL, 1, e);
    USAGE(tm_map_insert_quads, NULL, 0, 0, 0, NULL, 1, e);
    USAGE(tm_map_remove_quads, NULL, 0, 0, 0, 1, e);
    USAGE(tm_map_set_sources, NULL, 0, 0, NULL, 1, e);
    USAGE(tm_map_insert_sources, NULL, 0, 0, 0, NULL, 1, e);
    USAGE(tm_map_remove_sources, NULL, 0, 0, 0, 1, e);
    NOTHING(tm_quad_init, NULL, 0, 0, 1, 1);
    NOTHING(tm_sound_source_init, NULL, 0, 0);
    USAGE(tm_map_resize_layer, NULL, 0, 0, 1, 1, 0, 0, e);
    ZERO(tm_map_image, NULL, 0);
    ZERO(tm_map_sound, NULL, 0);
    ZERO(tm_map_envelope, NULL, 0);
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

static void functions_of_mapfile_take_nothing(void **state)
{
    (void)state;
    NOTHING(tm_mapfile_options_init, NULL);
    USAGE(tm_mapfile_load, NULL, no_input, NULL, NULL, e);
    ZERO(tm_mapfile_datafile, NULL);
    NOTHING(tm_mapfile_get_game, NULL);
    NOTHING(tm_mapfile_save_options_init, NULL);
    USAGE(tm_mapfile_rescue, NULL, NULL, NULL, NULL, e);
    ZERO(tm_rescue_complete, NULL);
    USAGE(tm_mapfile_save, NULL, NULL, NULL, NULL, NULL, e);
    USAGE(tm_mapfile_check_data, NULL, NULL, NULL, e);
    USAGE(tm_mapfile_check, NULL, 0, NULL, NULL, e);
    ZERO(tm_mapfile_features, NULL);
    ZERO(tm_mapfile_get_nature, NULL);
    NOTHING(tm_mapfile_count, NULL, NULL);
    USAGE(tm_mapfile_each_share, NULL, NULL, NULL, e);
    USAGE(tm_mapfile_compare_unread, NULL, NULL, NULL, NULL, NULL, e);
    ZERO(tm_unread_describe, NULL, NULL, 0);
    USAGE(tm_mapfile_keep, NULL, NULL, NULL, e);
    USAGE(tm_mapfile_restore, NULL, NULL, NULL, 1, NULL, 1, NULL, e);
}

static void functions_of_mapres_take_nothing(void **state)
{
    (void)state;
    NOTHING(tm_mapres_options_init, NULL);
    USAGE(tm_mapres_new, NULL, NULL, e);
    USAGE(tm_mapres_cache_new, NULL, 1, NULL, e);
    NOTHING(tm_mapres_cache_free, NULL);
    NOTHING(tm_mapres_free, NULL);
    ZERO(tm_mapres_get_folder, NULL, 0, NULL);
    ZERO(tm_mapres_count_images, NULL, 0);
    ZERO(tm_mapres_name_is_plain, NULL);
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

static void functions_of_render_take_nothing(void **state)
{
    (void)state;
    NOTHING(tm_render_options_init, NULL);
    USAGE(tm_shared_images_new, NULL, 1, NULL, e);
    NOTHING(tm_shared_images_free, NULL);
    USAGE(tm_renderer_new, NULL, NULL, NULL, NULL, e);
    NOTHING(tm_renderer_free, NULL);
    USAGE(tm_renderer_update, NULL, 0, 0, 0, 0, 1, 1, e);
    NOTHING(tm_camera_init, NULL);
    NOTHING(tm_camera_view_size, 1, 1, NULL, NULL);
    USAGE(tm_renderer_to_picture, NULL, NULL, 0, nowhere, NULL, e);
    USAGE(tm_renderer_from_picture, NULL, NULL, 0, nowhere, NULL, e);
    USAGE(tm_renderer_draw, NULL, NULL, 1, 1, NULL, 1, e);
    NOTHING(tm_background_init, NULL);
    USAGE(tm_background_fill, NULL, 1, 1, 1, NULL, 1, e);
    USAGE(tm_renderer_stream, NULL, NULL, NULL, NULL, NULL, e);
}

static void functions_of_rules_take_nothing(void **state)
{
    (void)state;
    ZERO(tm_game_from_name, NULL, NULL);
    ZERO(tm_rules_uuid_name, NULL);
    ZERO(tm_rules_tile_by_id, NULL);
    NOTHING(tm_rules_turn_tile, 0, NULL, 0);
    ZERO(tm_rules_shipped_image, NULL);
    ZERO(tm_rules_setting, NULL);
    ZERO(tm_rules_is_tuning, NULL);
}

static void functions_of_preview_take_nothing(void **state)
{
    (void)state;
    USAGE(tm_preview_views, NULL, NULL, 1, NULL, NULL, e);
    NOTHING(tm_preview_aim, NULL, NULL);
    USAGE(tm_preview_find, NULL, NULL, NULL, NULL, e);
    USAGE(tm_preview_whole, NULL, NULL, e);
    USAGE(tm_preview_draw_rules, NULL, NULL, NULL, NULL, NULL, 16, NULL, e);
    USAGE(tm_preview_draw_boxes, NULL, 100, 100, NULL, 0, NULL, 0, NULL, e);
    USAGE(tm_preview_used, NULL, NULL, e);
    USAGE(tm_preview_show, NULL, NULL, 1, e);
    USAGE(tm_preview_layer_area, NULL, NULL, 0, 0, 0, e);
    USAGE(tm_preview_element_area, NULL, TM_OWNER_QUAD, NULL, e);
    USAGE(tm_preview_join_areas, NULL, NULL, 1, 1, e);
    ZERO(tm_mark_kind_name, (tm_mark_kind)99);
    NOTHING(tm_mark_kind_color, NULL, TM_MARK_ADDED);
    USAGE(tm_preview_draw_marks, NULL, NULL, NULL, 0, 0, 0, NULL, 0, e);
    USAGE(tm_preview_mark_area, NULL, NULL, NULL, false, e);
    USAGE(tm_pyramid_frame_init, NULL, NULL, 1, e);
    note("tm_pyramid_scale");
    assert_true(tm_pyramid_scale(NULL, 1) == 0);
    NOTHING(tm_pyramid_cell_pixels, NULL, 1, 0, 0);
    USAGE(tm_pyramid_plan, NULL, NULL, 0, NULL, 1, e);
    NOTHING(tm_pyramid_release, NULL);
    ZERO(tm_pyramid_count, NULL);
    USAGE(tm_pyramid_draw, NULL, NULL, NULL, NULL, 1, 0, 0, NULL, 1, e);
    ZERO(tm_pyramid_is_clipped, NULL, 0);
    ZERO(tm_pyramid_keeps_clip, NULL, 0);
    USAGE(tm_preview_envelopes, NULL, NULL, false, NULL, e);
    USAGE(tm_preview_period, NULL, NULL, false, NULL, 1, e);
    USAGE(tm_preview_moving, NULL, NULL, NULL, e);
    USAGE(tm_preview_find_loop, NULL, NULL, NULL, NULL, e);
    note("tm_preview_loop_time");
    assert_true(tm_preview_loop_time(NULL, 1, 2) == 0);
}

static void functions_of_store_take_nothing(void **state)
{
    (void)state;
    USAGE(tm_store_load, NULL, NULL, NULL, NULL, e);
    USAGE(tm_store_open_datafile, NULL, NULL, NULL, NULL, e);
    USAGE(tm_store_save, NULL, NULL, NULL, NULL, NULL, e);
    USAGE(tm_store_write, NULL, NULL, NULL, NULL, e);
    USAGE(tm_store_write_bytes, NULL, NULL, 1, NULL, e);
    USAGE(tm_store_hash, NULL, NULL, NULL, e);
    USAGE(tm_store_folder_open, NULL, NULL, true, NULL, e);
    NOTHING(tm_store_folder_in, NULL);  /* struct tm_files_in */
    NOTHING(tm_store_folder_out, NULL); /* struct tm_files_out */
    USAGE(tm_store_folder_remove, NULL, NULL, e);
    NOTHING(tm_store_folder_close, NULL);
}

static void functions_of_sys_take_nothing(void **state)
{
    (void)state;
    USAGE(tm_sys_open_input, NULL, NULL, 1, NULL, e);
    USAGE(tm_sys_open_stdin, NULL, 1, NULL, e);
    USAGE(tm_sys_save_begin, NULL, NULL, NULL, e);
    ZERO(tm_sys_save_path, NULL);
    USAGE(tm_sys_feed_begin, NULL, NULL, NULL, e);
    NOTHING(tm_sys_feed_output, NULL); /* the same */
    USAGE(tm_sys_feed_finish, NULL, e);
    NOTHING(tm_sys_feed_abort, NULL);
    NOTHING(tm_sys_save_output, NULL); /* struct tm_output */
    USAGE(tm_sys_save_commit, NULL, e);
    NOTHING(tm_sys_save_abort, NULL);
    ZERO(tm_sys_kind_of, NULL);
    USAGE(tm_sys_run, NULL, NULL, NULL, e);
    ZERO(tm_sys_real_path, NULL, 0, NULL);
    ZERO(tm_sys_kind_of_entry, NULL);
    USAGE(tm_sys_remove_file, NULL, e);
    ZERO(tm_sys_same_file, NULL, NULL);
    ZERO(tm_sys_is_newer, NULL, NULL);
    USAGE(tm_sys_make_folder, NULL, e);
    USAGE(tm_sys_list, NULL, NULL, NULL, NULL, e);
    USAGE(tm_sys_walk, NULL, NULL, NULL, NULL, NULL, e);
    USAGE(tm_sys_threads_new, NULL, 1, NULL, e);
    ZERO(tm_sys_threads_executor, NULL);
    NOTHING(tm_sys_threads_free, NULL);
}

/* In the headers: "TM_API", the name, and a star among the parameters. Comments before a declaration hold no "TM_API". */
static bool was_called(const char *name, size_t length)
{
    for (size_t i = 0; i < num_called; i++)
        if (strlen(called[i]) == length && memcmp(called[i], name, length) == 0)
            return true;
    return false;
}

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

static void every_function_of_the_headers_has_a_row(void **state)
{
    (void)state;
    size_t num = 0;
    test_each_header(check_header, &num);
    assert_true(num >= num_called);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_base_take_nothing),
        cmocka_unit_test(functions_of_automap_take_nothing),
        cmocka_unit_test(functions_of_codec_take_nothing),
        cmocka_unit_test(functions_of_files_take_nothing),
        cmocka_unit_test(functions_of_mapdir_take_nothing),
        cmocka_unit_test(functions_of_datafile_take_nothing),
        cmocka_unit_test(functions_of_compare_take_nothing),
        cmocka_unit_test(functions_of_edit_take_nothing),
        cmocka_unit_test(functions_of_fields_take_nothing),
        cmocka_unit_test(functions_of_find_take_nothing),
        cmocka_unit_test(functions_of_findings_take_nothing),
        cmocka_unit_test(functions_of_jobs_take_nothing),
        cmocka_unit_test(functions_of_lint_take_nothing),
        cmocka_unit_test(functions_of_map_take_nothing),
        cmocka_unit_test(functions_of_mapfile_take_nothing),
        cmocka_unit_test(functions_of_mapres_take_nothing),
        cmocka_unit_test(functions_of_render_take_nothing),
        cmocka_unit_test(functions_of_rules_take_nothing),
        cmocka_unit_test(functions_of_preview_take_nothing),
        cmocka_unit_test(functions_of_store_take_nothing),
        cmocka_unit_test(functions_of_sys_take_nothing),
        cmocka_unit_test(every_function_of_the_headers_has_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

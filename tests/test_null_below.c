/* SPDX-License-Identifier: Zlib */
/*
 * NULL for an object that is not there, as in test_null.c: the functions of the rooms below maps, and of those that
 * bring maps in and out.
 */
#include "support/null_calls.h"
#include "support/test.h"

static const tm_input no_input;

TEST(functions_of_base_take_nothing)
{
    ZERO(tm_error_format, NULL, NULL, 1);
    test_null_note("tm_error_set"); /* it returns the status that it is given */
    assert_int_equal(tm_error_set(NULL, TM_ERROR_IO, NULL), TM_ERROR_IO);
    NOTHING(tm_suggestion_begin, NULL, "x");
    NOTHING(tm_suggestion_try, NULL, "x");
    ZERO(tm_suggestion_format, NULL, NULL, 0);
    test_null_note("tm_alloc"); /* without an allocator it is malloc */
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
    USAGE(tm_json_read, NULL, NULL, 1, 1, NULL, e);
    NOTHING(tm_json_free, NULL);
    ZERO(tm_json_get, NULL, NULL);
    USAGE(tm_json_write, NULL, NULL, e);
}

TEST(functions_of_codec_take_nothing)
{
    USAGE(tm_png_write, NULL, NULL, 1, 1, NULL, e);
    USAGE(tm_png_writer_new, NULL, NULL, 1, 1, NULL, e);
    USAGE(tm_png_writer_rows, NULL, NULL, 1, 1, e);
    USAGE(tm_png_writer_finish, NULL, e);
    NOTHING(tm_png_writer_free, NULL);
    USAGE(tm_webp_writer_new, NULL, NULL, 1, 1, NULL, e);
    USAGE(tm_webp_writer_rows, NULL, NULL, 1, 1, e);
    USAGE(tm_webp_writer_finish, NULL, e);
    NOTHING(tm_webp_writer_free, NULL);
    USAGE(tm_animation_new, NULL, NULL, 1, 1, 1, 1, NULL, e);
    USAGE(tm_animation_frame, NULL, NULL, 1, e);
    USAGE(tm_animation_finish, NULL, e);
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
    USAGE(tm_datafile_read_data, NULL, 0, NULL, 1, NULL, e);
    USAGE(tm_datafile_data_bytes, NULL, 0, NULL, NULL, e);
    NOTHING(tm_datafile_drop, NULL, 0);
    USAGE(tm_datafile_unpack, NULL, NULL, 1, NULL, e);
    USAGE(tm_datafile_visit, NULL, NULL, 1, NULL, NULL, NULL, e);
    USAGE(tm_datafile_writer_new, NULL, NULL, e);
    NOTHING(tm_datafile_writer_free, NULL);
    USAGE(tm_datafile_writer_add_item, NULL, 1, 1, NULL, 1, 1, e);
    USAGE(tm_datafile_writer_add_uuid_item, NULL, NULL, 1, NULL, 1, 1, e);
    USAGE(tm_datafile_writer_add_data, NULL, NULL, NULL, 1, 1, e);
    USAGE(tm_datafile_writer_add_from, NULL, NULL, NULL, 1, false, e);
    USAGE(tm_datafile_writer_finish, NULL, NULL, NULL, NULL, e);
    USAGE(tm_datafile_copy, NULL, NULL, NULL, false, NULL, NULL, e);
}

TEST(functions_of_fields_take_nothing)
{
    NOTHING(tm_fields, 0, NULL);
    ZERO(tm_field_find, 0, NULL);
    ZERO(tm_field_range, NULL, NULL, NULL);
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
    USAGE(tm_object_write, NULL, NULL, NULL, e);
    USAGE(tm_map_compare, NULL, NULL, NULL, NULL, NULL, e);
    ZERO(tm_difference_format, NULL, 1, NULL, NULL, NULL);
}

TEST(functions_of_findings_take_nothing)
{
    NOTHING(tm_findings_init, NULL, 1, NULL);
    NOTHING(tm_findings_release, NULL);
    ZERO(tm_finding_at, 0, NULL);
    NOTHING(tm_finding_severity, 0, 0, NULL);
    NOTHING(tm_findings_add, NULL, 0, 0, 0, NULL, NULL, NULL);
}

TEST(functions_of_jobs_take_nothing)
{
    USAGE(tm_tasks_run, NULL, NULL, e);
}

TEST(functions_of_mapfile_take_nothing)
{
    USAGE(tm_mapfile_load, NULL, no_input, NULL, NULL, e);
    ZERO(tm_mapfile_datafile, NULL);
    NOTHING(tm_mapfile_get_game, NULL);
    USAGE(tm_mapfile_rescue, NULL, NULL, NULL, NULL, e);
    ZERO(tm_rescue_complete, NULL);
    USAGE(tm_mapfile_save, NULL, NULL, NULL, NULL, NULL, e);
    USAGE(tm_mapfile_check_data, NULL, NULL, NULL, e);
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
    test_null_note("tm_mapres_provide"); /* has no error to fill in */
    assert_int_equal(tm_mapres_provide(NULL, NULL, 0, NULL, NULL, NULL, NULL), TM_ERROR_USAGE);
    test_null_note("tm_mapres_key"); /* the same */
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
    ZERO(tm_game_setting, NULL);
    ZERO(tm_game_is_tuning, NULL);
}

TEST(functions_of_store_take_nothing)
{
    USAGE(tm_store_load, NULL, NULL, NULL, NULL, e);
    USAGE(tm_store_open_datafile, NULL, NULL, NULL, NULL, e);
    USAGE(tm_store_save, NULL, NULL, NULL, NULL, NULL, e);
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
    USAGE(tm_sys_open_input, NULL, NULL, 1, NULL, e);
    USAGE(tm_sys_open_stdin, NULL, 1, NULL, e);
    USAGE(tm_sys_save_begin, NULL, NULL, NULL, e);
    ZERO(tm_sys_save_path, NULL);
    USAGE(tm_sys_pipe_begin, NULL, NULL, NULL, e);
    NOTHING(tm_sys_pipe_output, NULL); /* the same */
    USAGE(tm_sys_pipe_finish, NULL, e);
    NOTHING(tm_sys_pipe_abort, NULL);
    NOTHING(tm_sys_save_output, NULL); /* struct tm_output */
    USAGE(tm_sys_save_commit, NULL, e);
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
    USAGE(tm_sys_make_folder, NULL, e);
    USAGE(tm_sys_list, NULL, NULL, NULL, NULL, e);
    USAGE(tm_sys_walk, NULL, NULL, NULL, NULL, NULL, e);
    USAGE(tm_sys_threads_new, NULL, 1, NULL, e);
    ZERO(tm_sys_threads_executor, NULL);
    NOTHING(tm_sys_threads_free, NULL);
}

TEST(every_function_of_these_headers_has_a_row)
{
    test_null_check_headers(true);
}

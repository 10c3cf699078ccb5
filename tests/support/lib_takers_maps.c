/* SPDX-License-Identifier: Zlib */
/* Functions that take option structs, of files and maps (lib_takers.h), and what all of them work on. */
#include "lib_takers.h"

#include "files.h"
#include "lib_maps.h"
#include "automap/automap.h"
#include "datafile/datafile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct test_taken test_taken;

/* ----------------------------------------------------------------------------------------- functions that take them */

static tm_status no_write(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    (void)ctx;
    (void)bytes;
    (void)size;
    (void)error;
    return TM_OK;
}

const tm_output test_nowhere = {NULL, no_write, NULL};

static tm_input in_memory(void)
{
    return tm_input_from_memory(test_taken.file.bytes, test_taken.file.size);
}

static tm_status no_visit(void *ctx, uint32_t index, const void *bytes, uint64_t size, tm_data_state state)
{
    (void)index;
    (void)state;
    return no_write(ctx, bytes, (size_t)size, NULL);
}

static tm_status map_new(const void *options, tm_error *error)
{
    tm_map *made;
    const tm_status status = tm_map_new(&made, options, error);
    tm_map_free(made);
    return status;
}

static tm_status map_import(const void *options, tm_error *error)
{
    return tm_map_import(NULL, test_taken.map, TM_OBJECT_ENVELOPE, 0, test_taken.map, 0, options, error);
}

static tm_status map_import_layer(const void *options, tm_error *error)
{
    return tm_map_import_layer(test_taken.map, 1, 0, test_taken.map, 1, 0, options, error);
}

static tm_status write_files(const void *options, const void *job, tm_error *error)
{
    tm_memory_files files = {0};
    const tm_files_out out = tm_memory_files_out(&files);
    const tm_status status = tm_mapdir_write(test_taken.map, &out, options, job, error);
    tm_memory_files_release(&files);
    return status;
}

static tm_status mapdir_write(const void *options, tm_error *error)
{
    return write_files(options, NULL, error);
}

static tm_status mapdir_write_job(const void *options, tm_error *error)
{
    return write_files(NULL, options, error);
}

static tm_status read_files(const void *options, const void *job, tm_error *error)
{
    tm_memory_files files = {0};
    const tm_files_out out = tm_memory_files_out(&files);
    tm_map *read = NULL;
    assert_int_equal(tm_mapdir_write(test_taken.map, &out, NULL, NULL, NULL), TM_OK);
    const tm_files_in in = tm_memory_files_in(&files);
    const tm_status status = tm_mapdir_read(&read, NULL, &in, options, job, NULL, error);
    tm_map_free(read);
    tm_memory_files_release(&files);
    return status;
}

static tm_status mapdir_read(const void *options, tm_error *error)
{
    return read_files(options, NULL, error);
}

static tm_status mapdir_read_job(const void *options, tm_error *error)
{
    return read_files(NULL, options, error);
}

static tm_status edit_run(const void *options, tm_error *error)
{
    return tm_edit_run(test_taken.map, tm_edit_find("join all"), NULL, 0, options, NULL, error);
}

static tm_status edit_script_run(const void *options, tm_error *error)
{
    tm_edit_script *script;
    const char *const words[] = {"join", "all"};
    tm_status status = tm_edit_script_from_words(&script, words, 2, NULL, error);
    if (!status)
        status = tm_edit_script_run(test_taken.map, script, options, NULL, error);
    tm_edit_script_free(script);
    return status;
}

static tm_status convert_run(const void *options, tm_error *error)
{
    return tm_convert_run(test_taken.map, options, NULL, error);
}

static tm_status patch_make(const void *options, tm_error *error)
{
    tm_patch *made;
    const tm_status status = tm_patch_make(&made, test_taken.map, test_taken.map, options, error);
    tm_patch_free(made);
    return status;
}

static tm_status patch_read(const void *options, tm_error *error)
{
    static const char text[] =
        "{\"teemap_patch\": 1, \"sides\": [{\"images\": 0, \"sounds\": 0, \"envelopes\": 0, \"layers\": [], "
        "\"names\": {}}, {\"images\": 0, \"sounds\": 0, \"envelopes\": 0, \"layers\": [], \"names\": {}}], "
        "\"pairs\": {}, \"changes\": []}";
    tm_patch *read;
    const tm_status status = tm_patch_read(&read, text, strlen(text), options, error);
    tm_patch_free(read);
    return status;
}

static tm_status patch_apply(const void *options, tm_error *error)
{
    tm_patch *made;
    assert_int_equal(tm_patch_make(&made, test_taken.map, test_taken.map, NULL, NULL), TM_OK);
    const tm_status status = tm_patch_apply(test_taken.map, made, options, NULL, error);
    tm_patch_free(made);
    return status;
}

static tm_status patch_narrow(const void *options, tm_error *error)
{
    tm_patch *made, *narrow;
    assert_int_equal(tm_patch_make(&made, test_taken.map, test_taken.map, NULL, NULL), TM_OK);
    const tm_status status = tm_patch_filter(&narrow, made, options, error);
    tm_patch_free(narrow);
    tm_patch_free(made);
    return status;
}

static tm_status map_merge(const void *options, tm_error *error)
{
    tm_map *merged;
    tm_conflicts *conflicts;
    const tm_status status = tm_map_merge(&merged, &conflicts, test_taken.map, test_taken.map, test_taken.map,
                                          options, NULL, error);
    tm_conflicts_free(conflicts);
    tm_map_free(merged);
    return status;
}

static bool see_nothing(void *ctx, const tm_match *match)
{
    (void)ctx, (void)match;
    return true;
}

static tm_status map_find(const void *options, tm_error *error)
{
    return tm_map_find(test_taken.map, NULL, 0, options, see_nothing, NULL, error);
}

static tm_status lint_run(const void *options, tm_error *error)
{
    tm_lint_result result;
    const tm_status status = tm_lint_run(&result, test_taken.map, options, error);
    tm_lint_result_release(&result);
    return status;
}

static tm_status automap_read(const void *options, tm_error *error)
{
    static const char text[] = "[a]\nIndex 1\n";
    tm_automap_rules *rules;
    const tm_status status = tm_automap_read(&rules, text, sizeof(text) - 1, options, NULL, error);
    tm_automap_free(rules);
    return status;
}

static tm_status automap_format(const void *options, tm_error *error)
{
    return tm_automap_format(&test_nowhere, "[a]\n", 4, options, NULL, error);
}

static tm_status automap_read_limits(const void *limits, tm_error *error)
{
    tm_automap_read_options options = TM_AUTOMAP_READ_OPTIONS_INIT;
    options.limits = limits;
    return automap_read(&options, error);
}

/* Runs, or only checks. */
static tm_status automap_use(const tm_automap_options *options, const tm_job *job, bool check,
                             tm_error *error)
{
    static const char text[] = "[a]\nIndex 1\n";
    tm_automap_rules *rules;
    tm_automap_result result;
    tm_tile tile = {0};
    tm_status status = tm_automap_read(&rules, text, sizeof(text) - 1, NULL, NULL, error);
    if (status == TM_OK && check)
        status = tmi_automap_check(&result, rules, &tile, 1, 1, options, job, error);
    else if (status == TM_OK)
        status = tm_automap_run(&result, rules, &tile, 1, 1, options, job, error);
    tm_automap_free(rules);
    return status;
}

static tm_status automap_run(const void *options, tm_error *error)
{
    return automap_use(options, NULL, false, error);
}

static tm_status automap_run_job(const void *job, tm_error *error)
{
    return automap_use(NULL, job, false, error);
}

static tm_status automap_check(const void *options, tm_error *error)
{
    return automap_use(options, NULL, true, error);
}

static tm_status automap_check_job(const void *job, tm_error *error)
{
    return automap_use(NULL, job, true, error);
}

static tm_status map_new_limits(const void *limits, tm_error *error)
{
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    options.limits = limits;
    return map_new(&options, error);
}

static tm_status datafile_open(const void *options, tm_error *error)
{
    tm_datafile *opened;
    const tm_status status = tm_datafile_open(&opened, in_memory(), options, NULL, error);
    tm_datafile_close(opened);
    return status;
}

static tm_status datafile_open_limits(const void *limits, tm_error *error)
{
    tm_datafile_options options = TM_DATAFILE_OPTIONS_INIT;
    options.limits = limits;
    return datafile_open(&options, error);
}

static tm_status store_open_datafile(const void *options, tm_error *error)
{
    tm_datafile *opened;
    const tm_status status = tm_store_open_datafile(&opened, "a.map", options, NULL, error);
    tm_datafile_close(opened);
    return status;
}

static tm_status facts_make(const void *file, tm_error *error)
{
    tm_facts *made;
    const tm_status status = tm_facts_make(&made, test_taken.map, NULL, file, NULL, error);
    tm_facts_free(made);
    return status;
}

static tm_status mapfile_load(const void *options, tm_error *error)
{
    tm_map *loaded;
    const tm_status status = tm_mapfile_load(&loaded, in_memory(), options, NULL, error);
    tm_map_free(loaded);
    return status;
}

static tm_status mapfile_load_limits(const void *limits, tm_error *error)
{
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    options.limits = limits;
    return mapfile_load(&options, error);
}

static tm_status store_load(const void *options, tm_error *error)
{
    tm_map *loaded;
    const tm_status status = tm_store_load(&loaded, "a.map", options, NULL, error);
    tm_map_free(loaded);
    return status;
}

static tm_status store_load_limits(const void *limits, tm_error *error)
{
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    options.limits = limits;
    return store_load(&options, error);
}

static tm_status mapfile_save(const void *options, tm_error *error)
{
    return tm_mapfile_save(test_taken.map, &test_nowhere, options, NULL, NULL, error);
}

static tm_status mapfile_save_job(const void *job, tm_error *error)
{
    return tm_mapfile_save(test_taken.map, &test_nowhere, NULL, job, NULL, error);
}

static tm_status store_save(const void *options, tm_error *error)
{
    return tm_store_save(test_taken.map, "b.map", options, NULL, NULL, error);
}

static tm_status store_save_job(const void *job, tm_error *error)
{
    return tm_store_save(test_taken.map, "b.map", NULL, job, NULL, error);
}

static tm_status mapfile_check(const void *job, tm_error *error)
{
    return tm_mapfile_check(test_taken.map, TM_MODE_GAME, job, NULL, error);
}

static tm_status mapfile_check_data(const void *job, tm_error *error)
{
    return tm_mapfile_check_data(test_taken.map, job, NULL, error);
}

static tm_status map_unpack(const void *job, tm_error *error)
{
    return tm_map_unpack(test_taken.map, NULL, 0, job, error);
}

static tm_status datafile_unpack(const void *job, tm_error *error)
{
    return tm_datafile_unpack(test_taken.datafile, NULL, 0, job, error);
}

static tm_status datafile_visit(const void *job, tm_error *error)
{
    return tm_datafile_visit(test_taken.datafile, NULL, 0, no_visit, NULL, job, error);
}

static tm_status datafile_check_data(const void *job, tm_error *error)
{
    return tmi_datafile_check_data(test_taken.datafile, NULL, NULL, job, NULL, error);
}

static tm_status datafile_copy(const void *options, tm_error *error)
{
    return tm_datafile_copy(test_taken.datafile, &test_nowhere, options, false, NULL, NULL, error);
}

static tm_status datafile_copy_job(const void *job, tm_error *error)
{
    return tm_datafile_copy(test_taken.datafile, &test_nowhere, NULL, false, job, NULL, error);
}

static tm_status writer_new(const void *options, tm_error *error)
{
    tm_datafile_writer *writer;
    const tm_status status = tm_datafile_writer_new(&writer, options, error);
    tm_datafile_writer_free(writer);
    return status;
}

static tm_status writer_finish(const void *job, tm_error *error)
{
    tm_datafile_writer *writer;
    const tm_status status = tm_datafile_writer_new(&writer, NULL, error);
    return status ? status : tm_datafile_writer_finish(writer, &test_nowhere, job, NULL, error);
}

static bool no_difference(void *ctx, const tm_difference *difference)
{
    return !ctx && difference;
}

static tm_status map_compare(const void *options, tm_error *error)
{
    return tm_map_compare(test_taken.map, test_taken.map, options, no_difference, NULL, error);
}

static tm_status no_piece(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    (void)worker;
    (void)stop;
    return no_write(ctx, NULL, index, error);
}

static void give_work(void *pieces)
{
    tm_tasks *at = pieces;
    at->num = 3;
    at->work = no_piece;
}

static tm_status pieces_run(const void *pieces, tm_error *error)
{
    return tm_tasks_run(pieces, NULL, error);
}

static tm_status pieces_run_job(const void *job, tm_error *error)
{
    tm_tasks pieces = TM_TASKS_INIT;
    give_work(&pieces);
    return tm_tasks_run(&pieces, job, error);
}

int test_taken_set_up(void **state)
{
    if (test_enter_folder(state))
        return -1;
    tm_map *made = test_map_everything(TM_GAME_DDNET);
    test_taken.file = test_map_save(made, NULL);
    tm_map_free(made);
    test_put_file("a.map", (const char *)test_taken.file.bytes, test_taken.file.size);
    test_taken.map = test_map_load(&test_taken.file, TM_MODE_GAME, NULL);
    return tm_datafile_open(&test_taken.datafile, in_memory(), NULL, NULL, NULL) ||
           tm_renderer_new(&test_taken.renderer, test_taken.map, NULL, NULL, NULL);
}

int test_taken_tear_down(void **state)
{
    tm_renderer_free(test_taken.renderer);
    tm_datafile_close(test_taken.datafile);
    tm_map_free(test_taken.map);
    tm_buffer_release(&test_taken.file);
    return test_leave_folder(state);
}

const struct test_taker test_takers_of_maps[] = {
    {TEST_TAKES(tm_limits, tm_map_new, map_new_limits)},
    {TEST_TAKES(tm_limits, tm_datafile_open, datafile_open_limits)},
    {TEST_TAKES(tm_limits, tm_mapfile_load, mapfile_load_limits)},
    {TEST_TAKES(tm_limits, tm_store_load, store_load_limits)},
    {TEST_TAKES(tm_job, tm_datafile_unpack, datafile_unpack)},
    {TEST_TAKES(tm_job, tm_datafile_visit, datafile_visit)},
    {TEST_TAKES(tm_job, tmi_datafile_check_data, datafile_check_data)},
    {TEST_TAKES(tm_job, tm_datafile_copy, datafile_copy_job)},
    {TEST_TAKES(tm_job, tm_datafile_writer_finish, writer_finish)},
    {TEST_TAKES(tm_job, tm_map_unpack, map_unpack)},
    {TEST_TAKES(tm_job, tm_tasks_run, pieces_run_job)},
    {TEST_TAKES(tm_job, tm_mapfile_save, mapfile_save_job)},
    {TEST_TAKES(tm_job, tm_mapfile_check_data, mapfile_check_data)},
    {TEST_TAKES(tm_job, tm_mapfile_check, mapfile_check)},
    {TEST_TAKES(tm_job, tm_store_save, store_save_job)},
    {TEST_TAKES(tm_job, tm_mapdir_write, mapdir_write_job)},
    {TEST_TAKES(tm_job, tm_mapdir_read, mapdir_read_job)},
    {TEST_TAKES(tm_datafile_options, tm_datafile_open, datafile_open)},
    {TEST_TAKES(tm_datafile_options, tm_store_open_datafile, store_open_datafile)},
    {TEST_TAKES(tm_datafile_writer_options, tm_datafile_writer_new, writer_new)},
    {TEST_TAKES(tm_datafile_writer_options, tm_datafile_copy, datafile_copy)},
    {TEST_TAKES(tm_map_options, tm_map_new, map_new)},
    {TEST_TAKES(tm_import_options, tm_map_import, map_import)},
    {TEST_TAKES(tm_import_options, tm_map_import_layer, map_import_layer)},
    {TEST_TAKES(tm_patch_options, tm_patch_make, patch_make)},
    {TEST_TAKES(tm_patch_options, tm_patch_read, patch_read)},
    {TEST_TAKES(tm_apply_options, tm_patch_apply, patch_apply)},
    {TEST_TAKES(tm_filter_options, tm_patch_filter, patch_narrow)},
    {TEST_TAKES(tm_merge_options, tm_map_merge, map_merge)},
    {TEST_TAKES(tm_facts_file, tm_facts_make, facts_make)},
    {TEST_TAKES(tm_mapfile_options, tm_mapfile_load, mapfile_load)},
    {TEST_TAKES(tm_mapfile_options, tm_store_load, store_load)},
    {TEST_TAKES(tm_mapfile_save_options, tm_mapfile_save, mapfile_save)},
    {TEST_TAKES(tm_mapfile_save_options, tm_store_save, store_save)},
    {TEST_TAKES(tm_compare_options, tm_map_compare, map_compare)},
    {TEST_TAKES(tm_find_options, tm_map_find, map_find)},
    {TEST_TAKES(tm_lint_options, tm_lint_run, lint_run)},
    {TEST_TAKES(tm_automap_read_options, tm_automap_read, automap_read)},
    {TEST_TAKES(tm_automap_read_options, tm_automap_format, automap_format)},
    {TEST_TAKES(tm_limits, tm_automap_read, automap_read_limits)},
    {TEST_TAKES(tm_automap_options, tm_automap_run, automap_run)},
    {TEST_TAKES(tm_job, tm_automap_run, automap_run_job)},
    {TEST_TAKES(tm_automap_options, tmi_automap_check, automap_check)},
    {TEST_TAKES(tm_job, tmi_automap_check, automap_check_job)},
    {TEST_TAKES(tm_edit_options, tm_edit_run, edit_run)},
    {TEST_TAKES(tm_edit_options, tm_edit_script_run, edit_script_run)},
    {TEST_TAKES(tm_convert_options, tm_convert_run, convert_run)},
    {TEST_TAKES(tm_mapdir_write_options, tm_mapdir_write, mapdir_write)},
    {TEST_TAKES(tm_mapdir_read_options, tm_mapdir_read, mapdir_read)},
    {TEST_TAKES(tm_tasks, tm_tasks_run, pieces_run), .set = give_work},
    {0},
};

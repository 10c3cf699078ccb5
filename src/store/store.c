/* SPDX-License-Identifier: Zlib */
/*
 * Paths in, paths out: joins files with maps and datafiles. Everything hard is elsewhere: reading and atomic
 * saving in sys/, the format in mapfile/ and datafile/.
 */
#include <teemap/store.h>

#include "../map/map.h"

static tm_status open_path(tm_input *out, const char *path, const tm_limits *limits,
                           const tm_allocator *allocator, tm_error *error)
{
    tm_limits filled;
    TM_TRY(tmi_limits_take(&filled, limits, error));
    return tm_sys_open_input(out, path, filled.file_bytes, allocator, error);
}

tm_status tm_store_load(tm_map **out, const char *path, const tm_mapfile_options *options,
                        tm_findings *findings, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(path, "path", error));
    tm_mapfile_options effective;
    tm_input input;
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_mapfile_options", error));
    TM_TRY(open_path(&input, path, effective.limits, effective.allocator, error));
    const tm_status status = tm_mapfile_load(out, input, &effective, findings, error);
    if (status != TM_OK)
        tmi_error_about(error, TM_SIDE_INPUT, path);
    return status;
}

tm_status tm_store_open_datafile(tm_datafile **out, const char *path, const tm_datafile_options *options,
                                 tm_findings *findings, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(path, "path", error));
    tm_datafile_options effective;
    tm_input input;
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_datafile_options", error));
    TM_TRY(open_path(&input, path, effective.limits, effective.allocator, error));
    const tm_status status = tm_datafile_open(out, input, &effective, findings, error);
    if (status != TM_OK)
        tmi_error_about(error, TM_SIDE_INPUT, path);
    return status;
}

/* ------------------------------------------------------------------------------------------------- saving */

static tm_status end_save(tm_sys_save *save, tm_status status, tm_error *error)
{
    if (status == TM_OK)
        return tm_sys_save_commit(save, error);
    tm_sys_save_abort(save);
    return status;
}

tm_status tm_store_write_bytes(const char *path, const void *bytes, size_t size,
                               const tm_allocator *allocator, tm_error *error)
{
    tm_sys_save *save;
    TM_TRY(tmi_need(path, "path", error));
    if (size)
        TM_TRY(tmi_need(bytes, "bytes", error));
    TM_TRY(tm_sys_save_begin(&save, path, allocator, error));
    const tm_output output = tm_sys_save_output(save);
    return end_save(save, tmi_output_write(&output, bytes, size, error), error);
}

tm_status tm_store_save(const tm_map *map, const char *path, const tm_mapfile_save_options *options,
                        const tm_job *job, tm_findings *findings, tm_error *error)
{
    tm_sys_save *save;
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(path, "path", error));
    TM_TRY(tm_sys_save_begin(&save, path, tmi_map_allocator(map), error));
    const tm_output output = tm_sys_save_output(save);
    tm_status status = tm_mapfile_save(map, &output, options, job, findings, error);
    status = end_save(save, status, error);
    if (status == TM_ERROR_UNSUPPORTED) /* by what is to be written there */
        tmi_error_about(error, TM_SIDE_OUTPUT, path);
    return status;
}

/* ------------------------------------------------------------------------------------------------- hashes */

tm_status tm_store_hash(tm_hashes *out, const char *path, const tm_allocator *allocator, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    tm_input input;
    memset(out, 0, sizeof(*out));
    TM_TRY(tmi_need(path, "path", error));
    TM_TRY(tm_sys_open_input(&input, path, 0, allocator, error));
    const tm_status status = tm_hash_input(out, &input, allocator, error);
    input.close(input.ctx);
    if (status)
        tmi_error_about(error, TM_SIDE_INPUT, path);
    return status;
}

/* SPDX-License-Identifier: Zlib */
/*
 * Checks a map in memory as a loader would: saves it to memory and loads it again in the mode asked for, so
 * that each rule is written once, in the loader. Unchanged blocks are copied packed, others packed quickly.
 */
#include "mapfile.h"

tm_status tm_mapfile_check(const tm_map *map, tm_mode mode, const tm_job *job, tm_findings *findings,
                           tm_error *error)
{
    const tm_mapfile_save_options quickly = {.size = sizeof(quickly), .level = 1};
    tm_map *loaded = NULL;
    TM_TRY(tmi_need(map, "map", error));
    const tm_mapfile_options options = {.size = sizeof(options),
                                        .mode = mode,
                                        .limits = &map->priv->limits,
                                        .allocator = tmi_map_allocator(map)};
    tm_buffer file = {.allocator = tmi_map_allocator(map)};
    const tm_output output = tm_output_to_buffer(&file);
    tm_status status = tm_mapfile_save(map, &output, &quickly, job, NULL, error);
    if (status == TM_OK)
        status =
            tm_mapfile_load(&loaded, tm_input_from_memory(file.bytes, file.size), &options, findings, error);
    if (status == TM_OK)
        status = tm_mapfile_check_data(loaded, job, findings, error);
    tm_map_free(loaded);
    tm_buffer_release(&file);
    return status;
}

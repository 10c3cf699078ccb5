/* SPDX-License-Identifier: Zlib */
/*
 * The search as a whole.
 */
#include "find.h"

tm_status tm_map_find(const tm_map *map, tm_pattern *const *patterns, uint32_t num,
                      const tm_find_options *options, tm_match_visit *visit, void *ctx, tm_error *error)
{
    tm_find_options own;
    TM_TRY(tmi_need(map, "map", error));
    if (num)
        TM_TRY(tmi_need(patterns, "patterns", error));
    if (!visit)
        return tmi_need(NULL, "visit", error);
    for (uint32_t i = 0; i < num; i++)
        TM_TRY(tmi_need(patterns[i], "pattern", error));
    TM_TRY(tmi_options_take(&own, sizeof(own), options, "tm_find_options", error));
    finding_run run = {.map = map, .options = &own, .visit = visit, .ctx = ctx, .error = error};
    TM_TRY(tmi_find_tiles(&run, patterns, num, error));
    for (uint32_t i = 0; i < num && !run.ended; i++)
        if (!tmi_pattern_of_tiles(patterns[i]))
            TM_TRY(tmi_find_objects(&run, &patterns[i]->what, i, error));
    return run.status;
}

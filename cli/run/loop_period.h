/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LOOP_PERIOD_H
#define CLI_LOOP_PERIOD_H
/* loop_period.h - how long a map moves until everything in it has come round. */
#include <teemap/map.h>

/*
 * The shortest time, in ms, after which all envelopes that layers show are where they were: 0 when nothing
 * moves, at most `most`. Sounds do not count, detail layers not with `no_detail`, nor layers whose opacity,
 * as in tm_camera, is 0. Reads all quads.
 */
tm_status loop_period(uint64_t *out, const tm_map *map, bool no_detail, const float *opacities, uint64_t most,
                      tm_error *error);

#endif

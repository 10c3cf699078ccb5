/* SPDX-License-Identifier: Zlib */
/*
 * file_cost.c - looks at the tables of a datafile for what its blocks announce. What cannot be read costs
 * nothing here; the work itself will say what is wrong with it.
 */
#include "file_cost.h"

/* No packed byte becomes more than this many (deflate), so most files need no closer look. */
enum { MAX_RATIO = 1032 };

static uint64_t announced_bytes(const tm_datafile *datafile, file_needs needs)
{
    uint64_t largest = 0, all = 0;
    tm_datafile_data data;
    for (uint32_t i = 0; tm_datafile_get_data(&data, datafile, i); i++) {
        largest = data.size > largest ? data.size : largest;
        all += data.size;
    }
    return needs == FILE_NEEDS_ALL ? all : 2 * largest;
}

file_cost file_cost_of(const char *path, file_needs needs, uint64_t share)
{
    file_cost cost = {0, share};
    tm_input input;
    tm_datafile *datafile;
    /* Only of a file on the disk: what comes from a pipe is gone once it is read. */
    if (needs == FILE_NEEDS_HEAD || strcmp(path, "-") == 0 || tm_sys_kind_of(path) != TM_SYS_FILE ||
        tm_sys_open_input(&input, path, 0, NULL, NULL))
        return cost;
    cost.weight = input.size;
    if (input.size <= share / MAX_RATIO) {
        input.close(input.ctx);
        return cost;
    }
    const tm_datafile_options options = {.size = sizeof(options), .mode = TM_MODE_SALVAGE};
    if (tm_datafile_open(&datafile, input, &options, NULL, NULL))
        return cost;
    const uint64_t bytes = announced_bytes(datafile, needs);
    cost.memory = bytes > share ? bytes : share;
    tm_datafile_close(datafile);
    return cost;
}

/* SPDX-License-Identifier: Zlib */
#ifndef CLI_MADE_MAP_H
#define CLI_MADE_MAP_H
/*
 * made_map.h - makes the file of a map, and asks the strictest loader (TM_STRICT_GAME) whether it opens these
 * bytes. What is written for a game is repaired where that is safe. A refusal is a finding with the severity
 * error, `not-for-ddnet`, and each repair one with the id `repaired`, so that all commands report them alike.
 */
#include "load.h"

typedef struct make_request {
    tm_mapfile_save_options save_options;
    bool for_game;         /* safe repairs are made; else a map is written as it is */
    bool refusal_is_known; /* it is known that the game refuses what is made */
    bool forgives;         /* a file that was refused before may be refused again: that is only a warning */
    const char *source;    /* path of the file that the map was read from; NULL or "-": it cannot be asked */
    uint64_t unpacked;     /* bytes of the map in memory at a time; 0: the library's limit */
    const tm_job *job;
    tm_findings *findings; /* of saving, repairs and the refusal */
} make_request;

typedef struct made_map {
    tm_buffer bytes;
    bool repaired;
    bool refused;
} made_map;

/* made_map_release after a failure, too. */
tm_status make_map_file(made_map *out, const tm_map *map, const make_request *request, tm_error *error);
void made_map_release(made_map *made);

/* The findings of the strictest loader for the file that a map would have; fails if it cannot be made. */
tm_status ask_strict_loader(tm_findings *out, const tm_map *map, const tm_job *job, tm_error *error);
/* Whether the strictest loader opens a file; false also if it cannot be read. */
bool is_opened_strictly(const char *path);

#endif

/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_MAPFILE_H
#define TEEMAP_MAPFILE_H
/*
 * teemap/mapfile.h - the bridge between container and model: a datafile becomes a map and a map a datafile.
 * It alone knows how each item kind and version is laid out (docs/format.md section 2).
 *
 * A map that was loaded and not changed is written back byte for byte. After a change only the items and
 * blocks that the change concerns differ, and untouched blocks keep their packed bytes.
 */
#include <teemap/datafile.h>
#include <teemap/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tm_mapfile_options {
    size_t size;                   /* sizeof(tm_mapfile_options) */
    tm_mode mode;                  /* default TM_MODE_GAME */
    const tm_limits *limits;       /* default: all defaults */
    const tm_allocator *allocator; /* default: malloc; must outlive the map */
} tm_mapfile_options;
#define TM_MAPFILE_OPTIONS_INIT                              \
    {                                                        \
        sizeof(tm_mapfile_options), TM_MODE_GAME, NULL, NULL \
    }

/*
 * Loads a map: reads the head and the texts, leaves all other data packed. `input` is taken over, also on
 * failure, and stays open until the map and all its clones are freed. `findings` may be NULL. In mode strict
 * a map that DDNet 20 refuses fails, after all findings were added. Any datafile loads in the other modes:
 * what is no map (no group, pre-2008 items) rides along as items and data.
 */
TM_API tm_status tm_mapfile_load(tm_map **out, tm_input input, const tm_mapfile_options *options,
                                 tm_findings *findings, tm_error *error);

/*
 * The datafile behind a loaded map, for looking at the raw level; borrowed until the map is freed. NULL for a
 * map built from nothing.
 */
TM_API const tm_datafile *tm_mapfile_datafile(const tm_map *map);

typedef struct tm_mapfile_save_options {
    size_t size;     /* sizeof(tm_mapfile_save_options) */
    int level;       /* for blocks that are packed: 1..12; default 6; -1: level 0 */
    bool recompress; /* unpack and pack every block */
    /*
     * Write every item as map->game writes it, leaving out what it cannot hold (findings lost-...); origins are
     * not used. Of a map loaded in mode salvage every block is packed anew, with zeros for what was broken.
     */
    bool rewrite;
} tm_mapfile_save_options;
#define TM_MAPFILE_SAVE_OPTIONS_INIT                     \
    {                                                    \
        sizeof(tm_mapfile_save_options), 0, false, false \
    }

/*
 * Writes a map as a datafile. The map is not changed. What the map's game cannot hold in a new or rewritten
 * object is a finding, never a silent loss. Fails before the first byte is written if an object breaks
 * tm_map_verify, and with TM_ERROR_UNSUPPORTED if objects were added to a datafile that is no map.
 */
TM_API tm_status tm_mapfile_save(const tm_map *map, const tm_output *output,
                                 const tm_mapfile_save_options *options, const tm_job *job,
                                 tm_findings *findings, tm_error *error);

/*
 * Fetches every block of the file and every layer's tiles as the mode's game does and adds a finding for each
 * that cannot be had or is odd: broken data, short tiles, bad run lengths (section 4.1, the lazy rules). One
 * block is held at a time for each thread.
 */
TM_API tm_status tm_mapfile_check_data(const tm_map *map, const tm_job *job, tm_findings *findings,
                                       tm_error *error);

#ifdef __cplusplus
}
#endif
#endif

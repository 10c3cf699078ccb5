/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H
/*
 * load.h - a map with what was said while it was loaded, and the hashes of its file.
 */
#include "tool.h"

#include <teemap/mapfile.h>

typedef struct loaded {
    tm_status status;
    tm_error error;     /* when status is not TM_OK */
    tm_map *map;        /* NULL then */
    bool opened;        /* the file itself could be read: what is wrong is inside */
    uint64_t file_size; /* bytes */
    tm_findings findings;
    bool hashed;
    char sha256[65]; /* hexadecimal digits, as DDNet's servers know maps */
    char crc32[9];   /* the same for older servers */
} loaded;

/* Reads head and texts; with `hash` the whole file once, a piece at a time. */
void load_map(loaded *out, const char *path, tm_mode mode, bool hash);
/* The same without a hash, and with as many findings as a list for people who ask for all may have. */
void load_map_to_check(loaded *out, const char *path, tm_mode mode);
/* The same from an opened input, which it takes over. */
void load_map_from(loaded *out, tm_input input, tm_mode mode, bool hash);
/*
 * Of a map that was loaded to be salvaged: what is left of it, with findings of what is not. True: something
 * is not, and must not pass for the map. Sets the status.
 */
bool loaded_lacks(loaded *file, tm_rescue *rescue, const tm_job *job);
void loaded_release(loaded *file);

#endif

/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H
/*
 * load.h - a map with what was said while it was loaded, and the hashes of its file; and what `teemap check`
 * finds out about it.
 */
#include "files.h"

typedef struct loaded {
    tm_status status;
    tm_error error;        /* when status is not TM_OK */
    tm_map *map;           /* NULL then */
    tm_datafile *datafile; /* in its place, of load_datafile */
    bool opened;           /* the file itself could be read: what is wrong is inside */
    uint64_t file_size;    /* bytes */
    tm_findings findings;
    bool rescued; /* something of a damaged map is lost or damaged: `rescue` says what is left */
    tm_rescue rescue;
    bool hashed;
    tm_hashes hashes;
    char sha256[65]; /* hexadecimal digits, as DDNet's servers know maps */
    char crc32[9];   /* the same for older servers */
} loaded;

/* Reads head and texts of a map. */
void load_map(loaded *out, const char *path, tm_mode mode);
/* As load_map, and reads the whole file once for its hashes, a piece at a time. */
void load_map_with_hashes(loaded *out, const char *path, tm_mode mode);
/* As load_map; refuses to unpack more than so many bytes of the map at a time. 0: the library's limit. */
void load_map_to_change(loaded *out, const char *path, tm_mode mode, uint64_t unpacked);
/* As load_map, with as many findings as a list for people who ask for all may have. */
void load_map_to_check(loaded *out, const char *path, tm_mode mode);
/* As load_map, from an opened input, which it takes over. */
void load_map_from(loaded *out, tm_input input, tm_mode mode);
/* Opens the file below the map alone, which may be any datafile; `unpacked` as in load_map_to_change. */
void load_datafile(loaded *out, const char *path, tm_mode mode, uint64_t unpacked);
/*
 * Of a map that was loaded to be salvaged: what is left of it, with findings of what is not. Sets `rescued`
 * and the status.
 */
void loaded_rescue(loaded *file, const tm_job *job);
/*
 * What was made of a file: `object`, which is taken over, gets its error or what is left of it, and its
 * findings, and goes the way of report_done; what is left is also a line for people.
 */
void report_made(cli_report *report, json_t *object, const loaded *file, const char *form);
/*
 * Reports the findings of a file, as report_findings does. Of one that could not be loaded the error is all
 * that people are told, and report_error tells it; verbose tells both.
 */
void report_loaded(cli_report *report, const loaded *file, shown_findings shown);
void loaded_release(loaded *file);
/* Adds a finding of another list, with the severity that its id has in a mode. */
void add_finding(tm_findings *findings, tm_mode mode, const tm_finding *finding);
/* Unpacks everything, and adds the errors, not the warnings and notes, to the findings. */
tm_status loaded_find_damage(loaded *file, tm_mode mode, const tm_job *job, tm_error *error);
/* Whether a layer is mapped by rules: an automapper without a configuration is none. */
bool map_has_automapper(const tm_map *map);

typedef struct check_result {
    bool unreadable; /* status 2: nothing is known about what is inside */
    bool refused;    /* the game of the mode does not open it */
    bool invalid;    /* the loaded model breaks its own rules */
    tm_error error;  /* of unreadable, refused and invalid */
} check_result;

/* What is odd becomes findings of the file. */
void judge_file(check_result *v, loaded *file, const tm_job *job);
/* "fine", "findings", "errors", "invalid", "refused" or "unreadable". */
const char *check_result_name(const check_result *v, const tm_findings *findings);

#endif

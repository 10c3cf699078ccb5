/* SPDX-License-Identifier: Zlib */
#ifndef CLI_MERGE_INPUTS_H
#define CLI_MERGE_INPUTS_H
/*
 * merge_inputs.h - the three versions that `teemap merge` works on: files, or what git's index has of a map
 * in conflict.
 */
#include "run/load.h"

#include <teemap/merge.h>

typedef struct merge_version {
    const char *path; /* where it is, or where git has it from */
    char *name;       /* what it is called in messages; owned */
    tm_buffer bytes;  /* of git's index; the map reads them */
    bool missing;     /* there is no such version: the map is one with nothing in it */
    loaded file;
} merge_version;

void merge_version_release(merge_version *of);

/*
 * Loads a file. An empty one, as git has for a base that there is not, stands for a map with nothing in it;
 * only `may_be_empty`.
 */
void merge_version_load(merge_version *of, tm_mode mode, bool may_be_empty);
/*
 * Loads what git's index has of `path` in conflict. A base that is not there, since both sides added the map,
 * is a map with nothing in it.
 */
void merge_version_from_git(merge_version *of, tm_merge_map version, tm_mode mode);
/* What both versions of one name are called: "maps/a.map (theirs)", or NAME alone for ours. */
char *merge_version_name(const char *name, tm_merge_map version);

#endif

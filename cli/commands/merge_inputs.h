/* SPDX-License-Identifier: Zlib */
#ifndef CLI_MERGE_INPUTS_H
#define CLI_MERGE_INPUTS_H
/*
 * merge_inputs.h - the three versions that `teemap merge` works on: files, or what git's index has of a map
 * in conflict. And how conflicts are settled: --ours, --theirs and --union as rules of the library.
 */
#include "run/load.h"

typedef struct merge_version {
    const char *path; /* where it is, or where git has it from */
    char *name;       /* what it is called in messages; owned */
    tm_buffer bytes;  /* of git's index; the map reads them */
    bool missing;     /* there is no such version: the map is one with nothing in it */
    loaded file;
} merge_version;

void merge_version_release(merge_version *version);

/*
 * Loads a file. An empty one, as git has for a base that does not exist, stands for a map with nothing in it;
 * only `may_be_empty`.
 */
void merge_version_load(merge_version *version, tm_mode mode, bool may_be_empty);
/*
 * Loads what git's index has of `path` in conflict. A base that is not there, since both sides added the map,
 * is a map with nothing in it.
 */
void merge_version_from_git(merge_version *version, tm_merge_map role, tm_mode mode);
/* What both versions of one name are called: "maps/a.map (theirs)", or NAME alone for ours. */
char *merge_version_name(const char *name, tm_merge_map role);

/* An option that was given without words has an empty one. */
typedef struct merge_words {
    word_list ours, theirs, united;
} merge_words;

typedef struct merge_rules {
    tm_merge_rule list[3 * MAX_WORDS]; /* borrow their words */
    uint32_t num;
} merge_rules;
void merge_rules_make(merge_rules *out, const merge_words *lists);
/* Whether no two options are for the same conflicts; false after having said so. */
bool merge_rules_agree(cli_tool *tool, const merge_words *lists);

#endif

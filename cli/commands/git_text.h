/* SPDX-License-Identifier: Zlib */
#ifndef CLI_GIT_TEXT_H
#define CLI_GIT_TEXT_H
/*
 * git_text.h - a map as one text, for `git diff`: the files of `teemap unpack` one behind the other, in one
 * order, with a line in front of each that says which it is. What is no text is told by its size and hash.
 */
#include "run/load.h"

/*
 * At most `limit` bytes and a line for each file that is left out for it. TM_ERROR_LIMIT for a map that
 * unpacks to more than ten times as much.
 */
tm_status put_git_text(text *out, const tm_map *map, uint64_t limit, tm_error *error);
/* Behind it: that there are parts which teemap does not read, and the hash of the file, which has them. */
tm_status put_git_unknown(text *out, const loaded *file, tm_error *error);
/* A file that is no map: its text if it is one, such as a pointer of Git LFS, else why not, size and hash. */
void put_git_other(text *out, const char *path, const loaded *file);
/*
 * Merges three versions that are text and no maps as git does, into ours, with git's marks. False: they are
 * something else, or git cannot.
 */
bool merge_git_texts(int *num_conflicts, char *const paths[3]);

#endif

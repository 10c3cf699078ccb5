/* SPDX-License-Identifier: Zlib */
#ifndef CLI_GIT_TEXT_H
#define CLI_GIT_TEXT_H
/*
 * git_text.h - a map as one text, for `git diff`: the files of `teemap unpack` one behind the other, in one
 * order, with a line in front of each that says which it is. What is no text is told by its size and hash.
 */
#include "output/text.h"

#include <teemap/map.h>

tm_status put_git_text(text *out, const tm_map *map, tm_error *error);

#endif

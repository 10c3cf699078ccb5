/* SPDX-License-Identifier: Zlib */
#ifndef CLI_GIT_OBJECT_H
#define CLI_GIT_OBJECT_H
/*
 * git_object.h - files as git has them in a revision or in its index.
 */
#include "output/text_buffer.h"

/*
 * Appends the bytes of an object ("HEAD:./a.map", ":1:./a.map") of the repository around a folder. False: git
 * does not have it, or if *error has a code, cannot be run.
 */
bool git_object_read(tm_buffer *out, const char *folder, const char *object, tm_error *error);
/* Whether the current folder is in a repository, which may be bare: elsewhere git would only complain. */
bool git_in_repository(void);
/* REV:PATH, from the current folder or from the root of the repository. False: there is no such thing. */
bool git_object_open(tm_input *out, const char *path);

#endif

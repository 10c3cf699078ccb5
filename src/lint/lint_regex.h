/* SPDX-License-Identifier: Zlib */
#ifndef TMI_LINT_REGEX_H
#define TMI_LINT_REGEX_H
/*
 * Regular expressions as rules of King of Gores have them, in the words of Python: letters, . ^ $ | ( ) (?: )
 * [ ], * + ? {2,3}, and \d \D \s \S \w \W, \t, or \ in front of a sign. A text fits when some part from its
 * begin on does, as re.match says. All ways are followed at once, so that no expression takes long.
 */
#include "../base/base.h"

typedef struct tmi_regex tmi_regex;

/* In the arena. TM_ERROR_USAGE: what is wrong with it. */
tm_status tmi_regex_read(tmi_regex **out, const char *text, tmi_arena *arena, tm_error *error);
/* Whether a text fits; memory for asking is from the allocator. */
tm_status tmi_regex_ask(bool *fits, const tmi_regex *regex, const char *text, const tm_allocator *allocator,
                        tm_error *error);

#endif

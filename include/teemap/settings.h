/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_SETTINGS_H
#define TEEMAP_SETTINGS_H
/*
 * teemap/settings.h - the server settings that DDNet accepts from maps: variables, commands and names of
 * tuning parameters, as data. The server ignores other commands in maps (section 4.4 of docs/format.md).
 *
 * All results are constant and valid forever; any number of threads may call the functions at once. Names are
 * compared without case, as in the game.
 */
#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tm_setting_info {
    const char *name; /* "sv_deepfly", "tune_zone" */
    /*
     * For commands, the arguments, one letter each: i an integer, f a number, s a word, r the rest of the
     * line; ? precedes the first optional one. NULL: a variable with one integer.
     */
    const char *arguments;
    int32_t min, max; /* for a variable, and for the first number of a command */
    bool has_initial; /* the default value is known */
    int32_t initial;  /* the default value of a variable */
    bool repeats;     /* may be used several times */
    const char *help; /* description, one line */
} tm_setting_info;

#ifdef __cplusplus
}
#endif
#endif

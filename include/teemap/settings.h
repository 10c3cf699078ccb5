/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_SETTINGS_H
#define TEEMAP_SETTINGS_H
/*
 * teemap/settings.h - what DDNet's server takes from the settings of a map: variables, commands and the names
 * of the tuning parameters, as data. Other commands in a map are not done by the server (section 4.4 of
 * docs/format.md).
 *
 * What the functions return is constant and lives for ever; all may be called by any number of threads at
 * once. Names compare without case, as in the game.
 */
#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tm_setting_info {
    const char *name; /* "sv_deepfly", "tune_zone" */
    /*
     * Of a command its arguments, a letter each: i a whole number, f a number, s a word, r the rest of the
     * line; a ? stands before the first one that may be left out. NULL: a variable, of one whole number.
     */
    const char *arguments;
    int32_t min, max; /* of a variable, and of the first number of a command */
    bool has_initial; /* the value without the setting is known ... */
    int32_t initial;  /* ... and is this; of variables */
    bool repeats;     /* several lines of it are meant to stand side by side */
    const char *help; /* what it does, one line */
} tm_setting_info;

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_MODS_H
#define TEEMAP_MODS_H
/*
 * teemap/mods.h - the table of mods: what their servers read from a map that DDNet and Teeworlds do not, or
 * read in another way. Each mod is a file data/mods/NAME.toml (docs/mods.md explains the keys); the table is
 * made from these files. tm_mod_read (teemap/map.h) reads a file of the caller's into the same struct, and
 * tm_map_find_mod finds the mod for which a map seems to be made.
 *
 *     const tm_mod *mod = tm_mod_by_name("fng");
 *     const tm_tile_info *tile = tm_mod_tile(mod, map->game, TM_LAYER_GAME, 7);
 *
 * All results are constant; those of the table are valid forever. Any number of threads may call the
 * functions at once.
 */
#include <teemap/games.h>
#include <teemap/settings.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tm_mod_range {
    uint8_t first, last; /* indices of tiles, with the ends */
} tm_mod_range;

/* Tiles that show the mod: each condition must hold. */
typedef struct tm_mod_mark {
    bool layers[TM_LAYER_KINDS]; /* in which layers tiles are counted: game, front or both */
    const tm_mod_range *tiles;
    uint32_t num_tiles;           /* number of ranges */
    uint32_t kinds;               /* so many different indices of `tiles` at least */
    uint32_t least;               /* so many of `tiles` in all at least */
    const tm_mod_range *required; /* some of these, unless there are none in the list */
    uint32_t num_required;
    const tm_mod_range *excluded; /* none of these */
    uint32_t num_excluded;
    const tm_mod_range *fewer; /* fewer of these than of `tiles`; no condition if the list is empty */
    uint32_t num_fewer;
    bool no_race;       /* no layers of teleporters and speedups */
    const char *reason; /* what people read of a map with these tiles; NULL: how many kinds it has */
} tm_mod_mark;

/* What lint asks about maps of a mod. */
typedef enum tm_mod_rules {
    TM_MOD_RULES_ALL,   /* "all": what it asks about other maps */
    TM_MOD_RULES_NOTES, /* "notes": findings about what the games know are notes */
    TM_MOD_RULES_TILES, /* "tile-notes": so are all findings about tiles */
    TM_MOD_RULES_NONE   /* "none": its tiles and settings have other meanings, and are not checked */
} tm_mod_rules;
/* The word of docs/mods.md; NULL for an unknown number. */
TM_API const char *tm_mod_rules_name(tm_mod_rules rules);

/* A severity for rules whose ids match a pattern. */
typedef struct tm_mod_severity {
    const char *rules;
    tm_severity severity;
} tm_mod_severity;

typedef struct tm_mod {
    const char *name;           /* "fng": a-z, 0-9, + and - */
    const char *const *aliases; /* other names */
    uint32_t num_aliases;
    const char *title;       /* for people: "DDNet++ or F-DDrace" */
    const char *description; /* one line; NULL: nothing */
    const char *source;      /* of these facts; NULL: unknown */
    /*
     * The game (a tm_game) whose meaning tiles have that are not in `tiles`; TM_GAME_COUNT: the game of the
     * map; TM_NONE: they have none.
     */
    int32_t base;
    const tm_tile_info *tiles; /* a row for each index; of two for an index in a layer the first counts */
    uint32_t num_tiles;
    const tm_setting_info *settings; /* beyond those of DDNet; names may end with *, for any rest */
    uint32_t num_settings;

    /* How clients show its entities. */
    const char *sheet;         /* "fng" for entities_clear/fng.png of DDNet's client; NULL: the game's */
    bool masked;               /* the client shows only tiles that DDNet knows ... */
    const tm_mod_range *shown; /* ... and these */
    uint32_t num_shown;
    const tm_mod_range *hidden; /* it never shows these */
    uint32_t num_hidden;

    /* By what maps are recognized: any of these. */
    const char *const *groups; /* names of groups */
    uint32_t num_groups;
    const char *const *lines; /* how lines of the settings begin */
    uint32_t num_lines;
    const char *const *commands; /* names of settings */
    uint32_t num_commands;
    const char *const *images; /* external images that only this mod has */
    uint32_t num_images;
    const tm_mod_mark *marks;
    uint32_t num_marks;

    /* For lint. */
    tm_mod_rules rules;
    const char *const *ignored; /* patterns of ids: rules that are not asked */
    uint32_t num_ignored;
    const tm_mod_severity *severities;
    uint32_t num_severities;
} tm_mod;

/* The n-th mod of the table, by name; NULL after the last one. */
TM_API const tm_mod *tm_mod_at(uint32_t n);
/* The mod with a name or an alias, in capitals or not; NULL if there is none. */
TM_API const tm_mod *tm_mod_by_name(const char *name);
/*
 * The meaning of an index in a layer of a map for this mod, as tm_game_tile for a game; NULL if it has none.
 * Without a mod (NULL) it is that of the game.
 */
TM_API const tm_tile_info *tm_mod_tile(const tm_mod *mod, tm_game game, tm_layer_kind kind, uint8_t index);
/* The row of a setting, by name without case; NULL if the mod has none. */
TM_API const tm_setting_info *tm_mod_setting(const tm_mod *mod, const char *name);

#ifdef __cplusplus
}
#endif
#endif

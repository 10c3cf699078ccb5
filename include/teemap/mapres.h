/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_MAPRES_H
#define TEEMAP_MAPRES_H
/*
 * teemap/mapres.h - finds external images in the `mapres` folders of the games, as a tm_image_provider for
 * teemap/render.h. Also finds what the editors keep next to them: pictures of entities, and automapper rules.
 *
 * Order of calls: tm_mapres_new (checks which folders exist), then any of the others, then tm_mapres_free.
 *
 *     tm_mapres_variable home = {"HOME", getenv("HOME")};
 *     tm_mapres_options where = {sizeof(where)};
 *     where.map_path = path;
 *     where.variables = &home;
 *     where.num_variables = 1;
 *     tm_mapres_new(&mapres, &where, &error);
 *     render_options.provider = tm_mapres_provide;
 *     render_options.provider_ctx = mapres;
 *
 * An image NAME is the file NAME.png of a folder; for maps of Teeworlds 0.7 NAME_0.7.png first, because DDNet
 * keeps the images of both games in one folder. Files that are not PNG are skipped. A file or folder that is
 * there, or may be, but cannot be read ends a search with TM_ERROR_IO: a later folder may have another game's
 * image of the same name.
 *
 * Names of images come from maps and are untrusted. Only names for which tm_game_name_is_plain is true become
 * part of a path; others are never found.
 *
 * Threads: handles are constant; several threads may use one at once.
 */
#ifdef TM_WITHOUT_SYS
#error "this libteemap was built with TEEMAP_SYS=OFF: it has no files, folders and threads"
#endif

#include <teemap/games.h>
#include <teemap/mods.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tm_mapres tm_mapres;
/* A cache of images for drawing many maps. Opaque. */
typedef struct tm_mapres_cache tm_mapres_cache;

/* The owner of a folder. */
typedef enum tm_mapres_source {
    TM_MAPRES_GIVEN = 0,   /* of `folders` */
    TM_MAPRES_MAP,         /* next to the map */
    TM_MAPRES_DDNET,       /* DDNet's, or that of a DDNet user */
    TM_MAPRES_TEEWORLDS,   /* the same for Teeworlds */
    TM_MAPRES_ENVIRONMENT, /* of the variable TEEMAP_MAPRES */
    TM_MAPRES_SOURCES
} tm_mapres_source;

/* An environment variable. The library does not read the environment. */
typedef struct tm_mapres_variable {
    const char *name;
    const char *value; /* NULL: not set */
} tm_mapres_variable;
/* The n-th variable that the search uses ("HOME", "XDG_DATA_HOME", ...); NULL after the last one. */
TM_API const char *tm_mapres_variable_name(uint32_t index);

/* NULL means all defaults: the places where systems install the games. */
typedef struct tm_mapres_options {
    size_t size;                /* sizeof(tm_mapres_options) */
    const char *const *folders; /* searched first */
    uint32_t num_folders;
    const char *map_path; /* of the map: images next to it, in mapres there, and in ../mapres; default:
                           * none */
    tm_game game;         /* of the map: folders of its game come first; default TM_GAME_DDNET */
    const tm_mapres_variable
        *variables; /* for folders of the user; default: none. Unknown names are ignored */
    uint32_t num_variables;
    const tm_allocator *allocator; /* default: malloc; must outlive the handle */
    tm_mapres_cache *cache; /* tm_mapres_provide keeps images in it; must outlive the handle; default: none */
    /*
     * Default false. True: only search folders with the pictures that `game` itself ships, whoever named
     * them. They are recognized by pictures that no other game has: at least half of these must exist, and
     * less than half of the other games'. DDNet and Teeworlds 0.6 count as one, Teeworlds 0.7 as the other;
     * NAME_0.7.png is not used then.
     */
    bool shipped_only;
} tm_mapres_options;
#define TM_MAPRES_OPTIONS_INIT                                                              \
    {                                                                                       \
        sizeof(tm_mapres_options), NULL, 0, NULL, TM_GAME_DDNET, NULL, 0, NULL, NULL, false \
    }

/*
 * All texts are copied. A missing folder is not a failure. In a folder of `folders`, or of the variable
 * TEEMAP_MAPRES, that is a game's data folder, an unpacked archive of a game, or its program on macOS, the
 * `mapres` in it is searched, too. The variable TEEMAP_ROOT is a folder that takes the place of / in the
 * paths where systems install the games.
 */
TM_API tm_status tm_mapres_new(tm_mapres **out, const tm_mapres_options *options, tm_error *error);
TM_API void tm_mapres_free(tm_mapres *mapres); /* NULL is allowed */

/*
 * Creates a cache for several handles: an image that many maps use is read once. It keeps up to
 * `memory_budget` bytes of pixels, those requested first; others are read each time. It does not notice
 * changes of files. Several threads may use it at once.
 */
TM_API tm_status tm_mapres_cache_new(tm_mapres_cache **out, uint64_t memory_budget,
                                     const tm_allocator *allocator, tm_error *error);
TM_API void tm_mapres_cache_free(tm_mapres_cache *cache); /* NULL is allowed */

typedef struct tm_mapres_folder {
    const char *path; /* borrowed from the handle */
    tm_mapres_source source;
    bool found;  /* it was a folder when tm_mapres_new checked; others are not searched */
    bool unread; /* it could not be asked what it is; searches ask again */
} tm_mapres_folder;
/* The n-th folder of the search, including missing ones; false and all zero after the last one. */
TM_API bool tm_mapres_get_folder(tm_mapres_folder *out, const tm_mapres *mapres, uint32_t index);
/* The number of *.png files in a folder; 0 for a missing one. Lists the folder each time. */
TM_API tm_status tm_mapres_count_images(uint64_t *num, const tm_mapres *mapres, uint32_t index,
                                        tm_error *error);

/*
 * A tm_image_provider (teemap/render.h) whose ctx is a tm_mapres: the pixels of the first file with the
 * image. TM_ERROR_NOT_FOUND if there is none.
 */
TM_API tm_status tm_mapres_provide(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                                   uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error);
/* A tm_image_key for the same ctx: images are identified by the paths of their files. */
TM_API tm_status tm_mapres_key(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                               char **key, tm_error *error);
/*
 * The path of the file that tm_mapres_provide uses. Free *path with tm_free(allocator, path, strlen(path) +
 * 1) and the handle's allocator. TM_ERROR_NOT_FOUND if there is none.
 */
TM_API tm_status tm_mapres_find(char **path, const tm_mapres *mapres, const char *name, tm_game game,
                                tm_error *error);

/* Pictures for entities, from DDNet's folder `editor` next to its mapres. */
typedef enum tm_mapres_sheet {
    TM_MAPRES_SHEET_ENTITIES = 0, /* 16 x 16 cells: tm_render_options.entity_sheet */
    TM_MAPRES_SHEET_ARROW         /* tm_render_options.speedup_arrow */
} tm_mapres_sheet;
/*
 * The path of a sheet for maps of a game; DDNet has one sheet of entities for its own maps and one for all
 * others. See tm_mapres_find.
 */
TM_API tm_status tm_mapres_find_sheet(char **path, const tm_mapres *mapres, tm_mapres_sheet sheet,
                                      tm_game game, tm_error *error);
/*
 * The same of the sheet of entities for maps of a mod, which is that of the game if the mod has none, or it
 * is not installed. NULL is no mod.
 */
TM_API tm_status tm_mapres_find_mod_sheet(char **path, const tm_mapres *mapres, const tm_mod *mod,
                                          tm_game game, tm_error *error);
/*
 * The path of the automapper rules for this image in a game's editor (docs/automapper.md):
 * editor/automap/NAME.rules next to a folder `mapres`, or editor/NAME.rules, as in DDNet before 17.3; for
 * Teeworlds 0.7 editor/automap/NAME.json. The folders are those of the images, in the same order, even
 * without mapres. In given folders, that of the map and that of the environment, NAME.rules may also be in
 * the folder itself. See tm_mapres_find.
 */
TM_API tm_status tm_mapres_find_rules(char **path, const tm_mapres *mapres, const char *name, tm_game game,
                                      tm_error *error);
/* The number of rules files of DDNet's and Teeworlds 0.7's editors next to a folder. Lists each time. */
TM_API tm_status tm_mapres_count_rules(uint64_t *num, const tm_mapres *mapres, uint32_t index,
                                       tm_error *error);

/*
 * Reads a PNG file of at most 64 MiB like tm_png_read: *rgba is width * height * 4 bytes; free it with the
 * allocator.
 */
TM_API tm_status tm_mapres_read_png(uint8_t **rgba, uint32_t *width, uint32_t *height, const char *path,
                                    const tm_allocator *allocator, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif

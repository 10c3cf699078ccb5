/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_MAPRES_H
#define TEEMAP_MAPRES_H
/*
 * teemap/mapres.h - where the games keep the images that maps only name: their folders `mapres`, searched in
 * order, as a ready tm_image_provider for teemap/render.h. Also what their editors keep beside them: pictures
 * of entities, and rules of automappers.
 *
 * Order of calls: tm_mapres_new (looks which folders there are), then any of the others, then tm_mapres_free.
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
 * In a folder a file NAME.png is looked for; for maps of Teeworlds 0.7 NAME_0.7.png first, because DDNet
 * keeps both games' images in one folder. A file that is no PNG is passed over.
 *
 * Names of images come from maps, and maps from strangers. Only a name for which tm_game_name_is_plain
 * holds is ever made part of a path; all others lead to nothing.
 *
 * Threads: what is made by tm_mapres_new does not change; several threads may use it at once.
 */
#ifdef TM_WITHOUT_SYS
#error "this libteemap was built with TEEMAP_SYS=OFF: it has no files, folders and threads"
#endif

#include <teemap/games.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tm_mapres tm_mapres;
/* Images that were read already, for those who draw many maps. Opaque. */
typedef struct tm_mapres_cache tm_mapres_cache;

/* Whose a folder is. */
typedef enum tm_mapres_source {
    TM_MAPRES_GIVEN = 0,   /* of `folders` */
    TM_MAPRES_MAP,         /* beside the map */
    TM_MAPRES_DDNET,       /* DDNet's, or a folder of its user's */
    TM_MAPRES_TEEWORLDS,   /* the same of Teeworlds */
    TM_MAPRES_ENVIRONMENT, /* of the variable TEEMAP_MAPRES */
    TM_MAPRES_SOURCES
} tm_mapres_source;

/* A variable of the environment. The library reads none itself. */
typedef struct tm_mapres_variable {
    const char *name;
    const char *value; /* NULL: not set */
} tm_mapres_variable;
/*
 * The n-th variable that the search has a use for ("HOME", "XDG_DATA_HOME", ...); NULL behind the last one.
 */
TM_API const char *tm_mapres_variable_name(uint32_t index);

/* NULL stands for all defaults: the places where systems install the games. */
typedef struct tm_mapres_options {
    size_t size;                /* sizeof(tm_mapres_options) */
    const char *const *folders; /* searched before all others */
    uint32_t num_folders;
    const char *map_path; /* of the map: images beside it, in mapres there, and in ../mapres; default: none */
    tm_game game;         /* of the map: its game's folders come before the other's; default TM_GAME_DDNET */
    const tm_mapres_variable
        *variables; /* folders of the user; default: none is set. Unknown names are passed over */
    uint32_t num_variables;
    const tm_allocator *allocator; /* default: malloc; must outlive the handle */
    tm_mapres_cache *cache; /* tm_mapres_provide keeps images here; must outlive the handle; default: none */
    /*
     * Default false. True: only folders are searched that hold the pictures which `game` itself ships,
     * whoever named them. They are known by pictures that no other game has: half of these at least must be
     * there, and not half of the other games'. DDNet's and Teeworlds 0.6's are one kind, 0.7's the other;
     * NAME_0.7.png is not taken then.
     */
    bool shipped_only;
} tm_mapres_options;
#define TM_MAPRES_OPTIONS_INIT                                                              \
    {                                                                                       \
        sizeof(tm_mapres_options), NULL, 0, NULL, TM_GAME_DDNET, NULL, 0, NULL, NULL, false \
    }

/* All texts are copied. A folder that does not exist is no failure. */
TM_API tm_status tm_mapres_new(tm_mapres **out, const tm_mapres_options *options, tm_error *error);
TM_API void tm_mapres_free(tm_mapres *mapres); /* NULL is fine */

/*
 * Makes a cache that several handles can share: an image that many maps name is read and unpacked once. It
 * keeps up to `memory_budget` bytes of pixels, those that are asked for first; others are read each time. A
 * file that changes meanwhile is not noticed. Several threads may use it at once.
 */
TM_API tm_status tm_mapres_cache_new(tm_mapres_cache **out, uint64_t memory_budget,
                                     const tm_allocator *allocator, tm_error *error);
TM_API void tm_mapres_cache_free(tm_mapres_cache *cache); /* NULL is fine */

typedef struct tm_mapres_folder {
    const char *path; /* borrowed from the handle */
    tm_mapres_source source;
    bool found; /* it was there and a folder when tm_mapres_new looked; others are not searched */
} tm_mapres_folder;
/*
 * The n-th place that is searched, those that are not there included; false and all zero behind the last one.
 */
TM_API bool tm_mapres_get_folder(tm_mapres_folder *out, const tm_mapres *mapres, uint32_t index);
/* Number of *.png files in a folder; 0 for one that is not there. Lists the folder each time. */
TM_API uint64_t tm_mapres_count_images(const tm_mapres *mapres, uint32_t index);

/*
 * A tm_image_provider (teemap/render.h) whose ctx is a tm_mapres: the pixels of the first file that is the
 * image. TM_ERROR_NOT_FOUND when there is none.
 */
TM_API tm_status tm_mapres_provide(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                                   uint8_t **rgba, uint32_t *width, uint32_t *height);
/* A tm_image_key for the same ctx: images are told apart by the paths of their files. */
TM_API tm_status tm_mapres_key(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                               char **key);
/*
 * The path of the file that tm_mapres_provide takes. *path is the caller's: tm_free(allocator, path,
 * strlen(path) + 1) with the handle's allocator. TM_ERROR_NOT_FOUND when there is none.
 */
TM_API tm_status tm_mapres_find(char **path, const tm_mapres *mapres, const char *name, tm_game game,
                                tm_error *error);

/* Pictures for entities, which DDNet keeps in a folder `editor` beside its mapres. */
typedef enum tm_mapres_sheet {
    TM_MAPRES_SHEET_ENTITIES = 0, /* 16 x 16 cells: tm_render_options.entity_sheet */
    TM_MAPRES_SHEET_ARROW         /* tm_render_options.speedup_arrow */
} tm_mapres_sheet;
/*
 * The path of a sheet for maps of a game; DDNet has one sheet of entities for its own maps and one for all
 * others. As tm_mapres_find.
 */
TM_API tm_status tm_mapres_find_sheet(char **path, const tm_mapres *mapres, tm_mapres_sheet sheet,
                                      tm_game game, tm_error *error);
/*
 * The path of the rules by which the editor of a game maps layers with this image automatically
 * (docs/automapper.md): editor/automap/NAME.rules beside a folder `mapres`, or editor/NAME.rules, where DDNet
 * kept them before 17.3; for Teeworlds 0.7 editor/automap/NAME.json. The folders are those of the images, in
 * the same order, also where there is no mapres; in given ones, in that of the map and that of the
 * environment NAME.rules may also lie itself. As tm_mapres_find.
 */
TM_API tm_status tm_mapres_find_rules(char **path, const tm_mapres *mapres, const char *name, tm_game game,
                                      tm_error *error);
/* Number of files of rules, of DDNet's and Teeworlds 0.7's editor, beside a folder. Lists each time. */
TM_API uint64_t tm_mapres_count_rules(const tm_mapres *mapres, uint32_t index);

/*
 * Reads a PNG file of at most 64 MiB as tm_png_read does: *rgba is width * height * 4 bytes, the caller's to
 * free through the allocator.
 */
TM_API tm_status tm_mapres_read_png(uint8_t **rgba, uint32_t *width, uint32_t *height, const char *path,
                                    const tm_allocator *allocator, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif

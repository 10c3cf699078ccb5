/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_MAP_H
#define TEEMAP_MAP_H
/*
 * teemap/map.h - the typed model of a map: plain structs to read (teemap/model.h), and functions that change
 * them and keep all references valid. It does not access files: teemap/mapfile.h loads and saves,
 * teemap/store.h by path. Sections ("Section 2.8") are those of docs/format.md.
 *
 * Usage
 * - Read any field directly. Also write plain fields (numbers, flags, colors, fixed-size names) directly, and
 *   call tm_map_verify if in doubt. Only the functions below change counts, pointers, `kind` and `origin`.
 * - References to images, sounds, envelopes and groups are indices in the map's arrays; TM_NONE refers to
 *   nothing. After loading, every index in a struct is in range or TM_NONE. Indices in quads and sound
 *   sources are packed data, unchanged from the file: look them up with tm_map_envelope, which returns NULL
 *   for invalid ones.
 * - Pointers to array elements are valid until something is inserted into, removed from or moved in the
 *   array.
 * - Texts (const char *) belong to the map. A text is valid until it is replaced, removed or freed with the
 *   map; to copy it to another place of the map, use tm_map_set_text. NULL means that there is no text, or
 *   one that could not be read (tm_field_unread). Texts are bytes of the file up to the first NUL: usually
 *   UTF-8, but this is not guaranteed.
 * - Every object remembers the item that it was loaded from (`origin`), so that parts outside the model are
 *   kept when the map is saved.
 * - Functions that change the map either succeed or leave it unchanged. Objects are given by index, layers by
 *   the indices of group and layer; an index out of range, or a NULL map, is TM_ERROR_USAGE. Functions that
 *   only read take const pointers. Sizes and indices are uint32_t, coordinates and references int32_t.
 *
 * Threads: several threads may call functions that take a `const tm_map *` at once, including tm_map_data,
 * which unpacks on demand. Changes need exclusive access.
 *
 * Units: fx = 22.10 fixed point (value / 1024); px = world pixels, 32 per tile; ms = milliseconds.
 */
#include <teemap/model.h>
#include <teemap/mods.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------------------- whole maps */

typedef struct tm_map_options {
    size_t size;                   /* sizeof(tm_map_options) */
    tm_game game;                  /* default TM_GAME_DDNET */
    const tm_limits *limits;       /* default: all defaults */
    const tm_allocator *allocator; /* default: malloc; must outlive the map */
} tm_map_options;
#define TM_MAP_OPTIONS_INIT                               \
    {                                                     \
        sizeof(tm_map_options), TM_GAME_DDNET, NULL, NULL \
    }

/* Creates an empty map without groups. */
TM_API tm_status tm_map_new(tm_map **out, const tm_map_options *options, tm_error *error);
TM_API void tm_map_free(tm_map *map);
/*
 * Copies a map. Data are shared until one of the two writes to them, packed or not, so a clone costs little
 * more than the structs, and a history of clones only the differences: to undo, tm_map_swap with an earlier
 * clone. Each may be used, changed and freed by a different thread. Cloning invalidates pointers for writing,
 * as views do (tm_map_edit_data). A map and its clones together count against limits.unpacked_bytes, shared
 * data once.
 */
TM_API tm_status tm_map_clone(tm_map **out, const tm_map *map, tm_error *error);
/*
 * Swaps the contents of two maps; pointers into either map stay valid. Cannot fail. Use it to make several
 * changes all or nothing: work on a clone, swap it with the map, and free it. No effect if either is NULL.
 */
TM_API void tm_map_swap(tm_map *a, tm_map *b);
/*
 * From now on, whatever needs data of this map that are not unpacked yet fails with TM_ERROR_CANCELLED once
 * `cancel` is requested: it ends functions without a job of their own (tm_lint_run, tm_facts_make,
 * tm_map_find, tm_patch_make ...), after the layer at which they are. Some of them count such a layer as
 * damaged and go on: what they return then is of no use. NULL ends it. Clones do not inherit it. `cancel`
 * must outlive this. Not while another thread uses the map.
 */
TM_API void tm_map_set_cancel(tm_map *map, const tm_cancel *cancel);
/*
 * Compares two maps: all fields, texts, data (unpacked if necessary), and their order. Content outside the
 * model is not compared; a missing text equals an empty one. If they differ, `difference` (if not NULL)
 * receives the first difference as one line: "group 1, layer 0 'Game': tile 3,4 is 1, not 0".
 */
TM_API tm_status tm_map_equal(bool *equal, const tm_map *a, const tm_map *b, char *difference,
                              size_t difference_size, tm_error *error);
/*
 * Checks all invariants: counts, references in range or TM_NONE, terminated names, blocks at least as large
 * as their layers need, kinds. TM_ERROR_USAGE with the place of the first violation. It does not check what
 * games require in addition (a game layer, colors up to 255): see tm_mapfile_check.
 */
TM_API tm_status tm_map_verify(const tm_map *map, tm_error *error);

/* ------------------------------------------------------------------------------------------------- kinds */

/*
 * What an object of a map is: one enumeration for addresses, for the arrays of the map, for fields and for
 * references. Kinds with a comment have fields, which describe that struct (tm_fields).
 */
typedef enum tm_kind {
    TM_KIND_MAP,            /* tm_map */
    TM_KIND_INFO,           /* tm_info */
    TM_KIND_SETTINGS,       /* the list of server commands in tm_info */
    TM_KIND_IMAGE,          /* tm_image */
    TM_KIND_SOUND,          /* tm_sound */
    TM_KIND_ENVELOPE,       /* tm_envelope */
    TM_KIND_GROUP,          /* tm_group */
    TM_KIND_LAYER,          /* tm_layer: fields of all kinds of layers */
    TM_KIND_TILE_LAYER,     /* tm_layer: additional fields of tile layers */
    TM_KIND_QUAD_LAYER,     /* tm_layer, likewise */
    TM_KIND_SOUND_LAYER,    /* tm_layer, likewise */
    TM_KIND_ENVELOPE_POINT, /* tm_envelope_point */
    TM_KIND_QUAD,           /* tm_quad */
    TM_KIND_SOUND_SOURCE,   /* tm_sound_source */
    TM_KIND_OLD_SOURCE,     /* tm_old_source */
    TM_KIND_TILE,           /* tm_tile */
    TM_KIND_TELE_TILE,      /* tm_tele_tile */
    TM_KIND_SPEEDUP_TILE,   /* tm_speedup_tile */
    TM_KIND_SWITCH_TILE,    /* tm_switch_tile */
    TM_KIND_TUNE_TILE,      /* tm_tune_tile */
    TM_KIND_ITEM,           /* an item of the file, without fields */
    TM_KIND_DATA,           /* a data block of the file, without fields */
    TM_KINDS                /* how many kinds there are; where a kind is returned: none */
} tm_kind;

/* "map", "image", "envelope_point", "tile_layer", ...; NULL for an unknown number. */
TM_API const char *tm_kind_name(tm_kind kind);
/* Bytes of the struct; 0 for a kind without one of its own. */
TM_API size_t tm_kind_size(tm_kind kind);
/* The kind that describes additional fields of a layer, and that of its elements; TM_KINDS: none. */
TM_API tm_kind tm_kind_of_layer(tm_layer_kind kind);
TM_API tm_kind tm_kind_of_elements(tm_layer_kind kind);

/* ------------------------------------------------------------------------------- building and rearranging */

/*
 * The four arrays of the map, and references to their objects. Functions with a tm_kind take these four;
 * others are TM_ERROR_USAGE.
 *   images     tile layers, quad layers
 *   sounds     sound layers
 *   envelopes  color envelopes of tile layers; quads and sound sources (packed data, only unpacked and
 *              changed if an index changes)
 *   groups     only automapper items in the file, which follow their layers automatically
 * After insert, remove and move, every reference refers to the same object as before; a reference to a
 * removed object becomes TM_NONE. Inserting envelopes sets invalid indices in data to TM_NONE, since they
 * might refer to the new envelope otherwise.
 *
 * Functions that change the array of envelopes must read all quads and sound sources; if one of these blocks
 * cannot be unpacked, they fail like tm_map_data, with the layer as place.
 */
/*
 * Inserts an object with default values before index `at` (0..num; num appends). Defaults: image external,
 * 0x0, no name; envelope TM_ENVELOPE_POSITION, synchronized, no points; group parallax 100, no clipping, no
 * layers. The new object is map->images[at] and so on.
 */
TM_API tm_status tm_map_insert(tm_map *map, tm_kind kind, uint32_t at, tm_error *error);
TM_API tm_status tm_map_remove(tm_map *map, tm_kind kind, uint32_t index, tm_error *error);
/* Moves an object to the new index `to`. */
TM_API tm_status tm_map_move(tm_map *map, tm_kind kind, uint32_t from, uint32_t to, tm_error *error);
/* Inserts a copy (of a group: with its layers) before index `at`. */
TM_API tm_status tm_map_duplicate(tm_map *map, tm_kind kind, uint32_t index, uint32_t at, tm_error *error);

/*
 * Inserts a layer before index `at` of a group. Tile layers get width x height empty tiles (both at least 1);
 * other kinds ignore the size and start empty. The name is that of the map's game for new layers; color
 * white, no references. Unknown and old sound layers are TM_ERROR_USAGE.
 */
TM_API tm_status tm_map_insert_layer(tm_map *map, uint32_t group, uint32_t at, tm_layer_kind kind,
                                     uint32_t width, uint32_t height, tm_error *error);
TM_API tm_status tm_map_remove_layer(tm_map *map, uint32_t group, uint32_t index, tm_error *error);
/* Moves a layer to the new index `to` of group `to_group`. */
TM_API tm_status tm_map_move_layer(tm_map *map, uint32_t group, uint32_t index, uint32_t to_group,
                                   uint32_t to, tm_error *error);
TM_API tm_status tm_map_duplicate_layer(tm_map *map, uint32_t group, uint32_t index, uint32_t to_group,
                                        uint32_t at, tm_error *error);

typedef struct tm_import_options {
    size_t size; /* sizeof(tm_import_options) */
    /*
     * Default false: referenced objects are always imported. True: if the map has an equal image, sound or
     * envelope, it is used instead. Objects are equal if name and content are equal, or, for external images,
     * the names.
     */
    bool share;
} tm_import_options;
#define TM_IMPORT_OPTIONS_INIT           \
    {                                    \
        sizeof(tm_import_options), false \
    }

/*
 * Imports a copy of an object of another map before index `at`, with everything that it refers to: the layers
 * of a group, and the images, sounds and envelopes that they use (also in quads and sound sources), appended
 * to the map's own. All references, old and new, stay valid. `out` (may be NULL) receives the index of the
 * object, which with `share` may be that of an existing equal object.
 *
 * Packed data stay packed and are saved unchanged; they keep their file open. Quads and sources are only
 * unpacked if an index changes; those of both maps are read, and if one cannot be unpacked, the call fails
 * like tm_map_data. Layers of all kinds are imported. What the map's game cannot hold is left out, with a
 * finding, when the map is saved, and so are layers of unknown kinds, since only their own file defines their
 * content. `source` may be the map itself.
 */
TM_API tm_status tm_map_import(uint32_t *out, tm_map *map, tm_kind kind, uint32_t at, const tm_map *source,
                               uint32_t index, const tm_import_options *options, tm_error *error);
/* Imports a layer of another map as tm_map_import does an object, before index `at` of a group. */
TM_API tm_status tm_map_import_layer(tm_map *map, uint32_t group, uint32_t at, const tm_map *source,
                                     uint32_t from_group, uint32_t from_layer,
                                     const tm_import_options *options, tm_error *error);

/* Sets a text of this map (&map->info.author, &image->name, ...) to a copy of `text`, or to NULL. */
TM_API tm_status tm_map_set_text(tm_map *map, const char **slot, const char *text, tm_error *error);
/* Replaces all settings by copies of `num` commands; NULL is an empty command. */
TM_API tm_status tm_map_set_settings(tm_map *map, const char *const *settings, uint32_t num, tm_error *error);
/* Inserts a copy of one command before index `at` (0..num_settings). */
TM_API tm_status tm_map_insert_setting(tm_map *map, uint32_t at, const char *text, tm_error *error);
/*
 * Sets a fixed-size name (of a group, layer or envelope), truncated to `name_size` - 1 bytes at a character
 * boundary. Returns whether it fitted.
 */
TM_API bool tm_map_set_name(char *name, size_t name_size, const char *text);
/*
 * Embeds pixels into an image (width * height * 4 bytes RGBA, copied; sides of at most INT32_MAX). With NULL,
 * makes it external; the size is then informational, and 0 x 0 keeps the current one.
 */
TM_API tm_status tm_map_set_pixels(tm_map *map, uint32_t image, const void *rgba, uint32_t width,
                                   uint32_t height, tm_error *error);
/* Embeds an Opus file into a sound (copied). With NULL, makes it external. */
TM_API tm_status tm_map_set_sound(tm_map *map, uint32_t sound, const void *opus, size_t size,
                                  tm_error *error);
/*
 * Lists of points, quads and sound sources: set replaces all, insert inserts `num` new ones before index `at`
 * (0 to the number of elements), remove removes `num` from `index`. Elements are copied and may be part of
 * the list itself. NULL with `num` above 0 is TM_ERROR_USAGE.
 */
TM_API tm_status tm_map_set_points(tm_map *map, uint32_t envelope, const tm_envelope_point *points,
                                   uint32_t num, tm_error *error);
/*
 * The points of an envelope for writing, until they are set or their number changes. Envelopes of a file may
 * have points in common; this one has its own then. TM_ERROR_LIMIT if all would be too many.
 */
TM_API tm_status tm_map_edit_points(tm_envelope_point **out, tm_map *map, uint32_t envelope, tm_error *error);
TM_API tm_status tm_map_set_quads(tm_map *map, uint32_t group, uint32_t layer, const tm_quad *quads,
                                  uint32_t num, tm_error *error);
TM_API tm_status tm_map_set_sources(tm_map *map, uint32_t group, uint32_t layer,
                                    const tm_sound_source *sources, uint32_t num, tm_error *error);
/*
 * Initializes an upright rectangle from (x, y) to (x + width, y + height), in fx px (1024 per px, 32 px per
 * tile): white, with the whole image, pivot in the center, no envelopes. (A zeroed quad would be invisible
 * and moved by envelope 0.) Coordinates are clamped to 32 bits.
 */
TM_API void tm_quad_init(tm_quad *quad, int32_t x, int32_t y, uint32_t width, uint32_t height);
/*
 * Initializes a sound source at (x, y), in fx px, as DDNet's editor does: looped, with panning, a circle of
 * 1500 px, falloff 80, no envelopes.
 */
TM_API void tm_sound_source_init(tm_sound_source *source, int32_t x, int32_t y);
/*
 * Resizes a tile layer. The top left tile of the old content moves to (dx, dy); content outside is lost, new
 * tiles are empty. The compatibility array is resized, too.
 */
TM_API tm_status tm_map_resize_layer(tm_map *map, uint32_t group, uint32_t layer, uint32_t width,
                                     uint32_t height, int32_t dx, int32_t dy, tm_error *error);

/* NULL if the index is TM_NONE or out of range, or the map is NULL. */
TM_API const tm_image *tm_map_image(const tm_map *map, int32_t index);
TM_API const tm_sound *tm_map_sound(const tm_map *map, int32_t index);
TM_API const tm_envelope *tm_map_envelope(const tm_map *map, int32_t index);
/*
 * Whether a design layer's automapper has a configuration; the editor stores automappers without one for all
 * layers.
 */
TM_API bool tm_layer_has_automapper(const tm_layer *layer);
/* The number of layers in all groups. */
TM_API uint32_t tm_map_num_layers(const tm_map *map);
/*
 * The first layer of a kind, and its position (`group` and `index` may be NULL). NULL if there is none; then
 * both indices are UINT32_MAX, which no function accepts.
 */
TM_API const tm_layer *tm_map_find_layer(uint32_t *group, uint32_t *index, const tm_map *map,
                                         tm_layer_kind kind);
/* The physics layer that DDNet uses: the last of its kind. */
TM_API const tm_layer *tm_map_physics_layer(uint32_t *group, uint32_t *index, const tm_map *map,
                                            tm_layer_kind kind);
/* Whether a group contains the game layer. Games ignore offset, parallax and clipping of this group. */
TM_API bool tm_map_is_game_group(const tm_map *map, uint32_t group);
/*
 * Iterates over the layers of all groups, in file order. Zero-initialize it:
 *
 *     tm_layer_walk at = {0};
 *     while (tm_map_next_layer(map, &at))
 *         use(at.layer);
 *
 * Groups and layers must not be added or removed meanwhile.
 */
typedef struct tm_layer_walk {
    const tm_layer *layer; /* NULL before the first and after the last one */
    uint32_t group, index; /* position: map->groups[group].layers[index] */
    uint32_t number;       /* among the layers of all groups, from 0: the index in tm_camera.opacities */
} tm_layer_walk;
TM_API bool tm_map_next_layer(const tm_map *map, tm_layer_walk *walk); /* false after the last one */
/* The position of layer `index` of a group among the layers of all groups. */
TM_API uint32_t tm_map_layer_number(const tm_map *map, uint32_t group, uint32_t index);
/*
 * The size of the map in tiles: that of the game layer. Without a game layer, the largest width and height of
 * all tile layers; 0 x 0 without any.
 */
TM_API void tm_map_area(uint32_t *width, uint32_t *height, const tm_map *map);

/* --------------------------------------------------------------------------------------------------- data */

/*
 * The bytes of a block, unpacked on demand and kept. *bytes is borrowed until the block is dropped, edited,
 * replaced or removed. Unchanged bytes of a file are shared by its map, the map's clones and
 * tm_datafile_data_bytes: unpacked and counted once. For a NULL block the result is NULL and size 0. `size`
 * may be NULL. Fails like tm_datafile_read_data in the mode in which the map was loaded.
 */
TM_API tm_status tm_map_data(const void **bytes, uint64_t *size, const tm_map *map, const tm_block *block,
                             tm_error *error);
/*
 * Reads the bytes of a block into the caller's buffer of tm_block_info.size bytes, and keeps nothing
 * unpacked.
 */
TM_API tm_status tm_map_read_data(const tm_map *map, const tm_block *block, void *buffer, uint64_t size,
                                  tm_error *error);
/*
 * The bytes for writing; marks the block as changed. If others use the bytes (clones, views, the datafile),
 * they are copied first. *bytes may only be written until the next tm_view_new of the block or tm_map_clone
 * of the map: call this again afterwards, since writing to the old pointer would change the view or clone,
 * too.
 */
TM_API tm_status tm_map_edit_data(void **bytes, uint64_t *size, tm_map *map, tm_block *block,
                                  tm_error *error);
/* Frees the unpacked bytes of all unchanged blocks, except those that others use. */
TM_API void tm_map_drop_all_data(tm_map *map);
/*
 * Unpacks `num` blocks of the map on the job's executor and keeps them: layer->as.tiles.tiles, image->pixels
 * and so on. `blocks` NULL means all blocks of the map, and `num` is ignored; NULL entries and unpacked
 * blocks are skipped. Progress counts bytes. Fails like tm_map_data, with the object as place; if several
 * blocks fail, the error is that of the first one in the list (or in the map). More than
 * limits.unpacked_bytes is refused before anything is unpacked.
 */
TM_API tm_status tm_map_unpack(const tm_map *map, const tm_block *const *blocks, uint32_t num,
                               const tm_job *job, tm_error *error);

/*
 * Keeps the bytes of a block alive, for arrays in other languages (numpy, typed arrays). The bytes stay in
 * place and do not change until tm_view_free, whatever happens to the block and the map, as long as nobody
 * writes through an earlier pointer of an edit function (tm_map_edit_data). If the block is edited meanwhile,
 * the map continues with a copy, and the view keeps the old bytes. Creating a view copies nothing. Views
 * count against limits.unpacked_bytes only while the block has the same bytes; the map's allocator must
 * outlive them. A NULL block gives a NULL view, which has no bytes and may be freed. Any thread may free a
 * view.
 */
typedef struct tm_view tm_view;
TM_API tm_status tm_view_new(tm_view **out, const tm_map *map, const tm_block *block, tm_error *error);
/* `size` may be NULL. */
TM_API const void *tm_view_bytes(uint64_t *size, const tm_view *view);
TM_API void tm_view_free(tm_view *view);

/*
 * Writes the pixels of an embedded image as width * height * 4 bytes RGBA to the caller's buffer; RGB is
 * converted. TM_ERROR_NOT_FOUND for an external image, TM_ERROR_DAMAGED if the image has fewer bytes than its
 * size needs.
 */
TM_API tm_status tm_map_image_pixels(const tm_map *map, const tm_image *image, void *rgba, uint64_t size,
                                     tm_error *error);
/*
 * The required size of that buffer; 0 for an image without usable pixels: external, without a size, with
 * fewer bytes than its size needs, or NULL. Width and height are untrusted, so call this before allocating.
 */
TM_API uint64_t tm_image_rgba_size(const tm_image *image);

/*
 * The quads of a quad layer, or the sources of a sound layer. *quads is borrowed as from tm_map_data, *num
 * counts them. A NULL layer has none; a layer of another kind is TM_ERROR_USAGE. (For sources of
 * TM_LAYER_OLD_SOUNDS, which have another type, use tm_map_data.)
 */
TM_API tm_status tm_map_quads(const tm_quad **quads, uint32_t *num, const tm_map *map, const tm_layer *layer,
                              tm_error *error);
TM_API tm_status tm_map_sources(const tm_sound_source **sources, uint32_t *num, const tm_map *map,
                                const tm_layer *layer, tm_error *error);
/* Return quads and sound sources for writing, as tm_map_quads does for reading, and mark them as changed. */
TM_API tm_status tm_map_edit_quads(tm_quad **quads, uint32_t *num, tm_map *map, uint32_t group,
                                   uint32_t layer, tm_error *error);
TM_API tm_status tm_map_edit_sources(tm_sound_source **sources, uint32_t *num, tm_map *map, uint32_t group,
                                     uint32_t layer, tm_error *error);

/* The grid of a tile layer for reading. */
typedef struct tm_grid {
    const void *tiles; /* borrowed as from tm_map_data; NULL if the layer has no tiles */
    uint32_t width, height;
    uint32_t tile_size; /* bytes */
    size_t row_stride;  /* bytes from a row to the next */
} tm_grid;
/*
 * A NULL layer, as tm_map_physics_layer may return, has an empty grid: no tiles, 0 x 0. A layer of another
 * kind is TM_ERROR_USAGE. Errors have the layer as their place.
 */
TM_API tm_status tm_map_tiles(tm_grid *out, const tm_map *map, const tm_layer *layer, tm_error *error);
/* The grid of a tile layer for writing. */
typedef struct tm_edit_grid {
    void *tiles; /* borrowed as from tm_map_edit_data; NULL if the layer has 0 x 0 tiles */
    uint32_t width, height;
    uint32_t tile_size; /* bytes */
    size_t row_stride;  /* bytes from a row to the next */
} tm_edit_grid;
/* Marks the tiles as changed. A layer without tiles gets empty ones. */
TM_API tm_status tm_map_edit_tiles(tm_edit_grid *out, tm_map *map, uint32_t group, uint32_t layer,
                                   tm_error *error);
/*
 * Copies a rectangle of a tile layer to or from the caller's memory: tiles of the kind's size, `row_stride`
 * bytes per row (0: no padding). Outside the layer, reading gives zeros and writing has no effect.
 * tm_map_fill_tiles writes one tile everywhere in the rectangle. The source may be in the layer itself.
 */
TM_API tm_status tm_map_read_tiles(const tm_map *map, const tm_layer *layer, const tm_rect *rect, void *tiles,
                                   size_t row_stride, tm_error *error);
TM_API tm_status tm_map_write_tiles(tm_map *map, uint32_t group, uint32_t layer, const tm_rect *rect,
                                    const void *tiles, size_t row_stride, tm_error *error);
TM_API tm_status tm_map_fill_tiles(tm_map *map, uint32_t group, uint32_t layer, const tm_rect *rect,
                                   const void *tile, tm_error *error);

/* ---------------------------------------------------------------------------------------------- envelopes */

/*
 * Evaluates an envelope at `time` ms (the caller adds the offset) like DDNet's client: section 2.5. Sets
 * values[0..channels) (fx / 1024.0) for as many of the requested `channels` (at most 4) as the envelope has,
 * and does not change the others, so initialize `values` with neutral values. An envelope without points
 * changes nothing.
 */
TM_API void tm_envelope_evaluate(const tm_envelope *envelope, double time, uint32_t channels,
                                 double values[4]);

/* ---------------------------------------------------------------------------------------------- addresses */

/*
 * One syntax for every object, used by all commands and findings (docs/addresses.md):
 *   2  Game  =2           a group by index or name; = before a name that looks like an index or a word below
 *   2/3  Game/Front       a layer in it
 *   image/0  image/grass_main   sound/0  envelope/3
 *   info  settings
 *   item/17  data/4       the raw level: the n-th item or block of the file
 *   (empty)               the whole map
 * Names compare as bytes; the first object of the name is meant. An element's name may hold slashes if the
 * element begins with =.
 */
typedef struct tm_address {
    tm_kind kind;
    uint32_t index; /* image, sound, envelope, group, item, data; of a layer: its group */
    uint32_t layer; /* of a layer: its index in the group */
} tm_address;

/*
 * Parses an address in a map. TM_ERROR_USAGE for a malformed one, TM_ERROR_NOT_FOUND if the object does not
 * exist. item and data are not checked against the file.
 */
TM_API tm_status tm_address_parse(tm_address *out, const tm_map *map, const char *text, tm_error *error);
/* The numeric form, at most 63 bytes: "2/3". */
TM_API size_t tm_address_format(const tm_address *address, char *buffer, size_t size);
/* The form for people: "group 2, layer 3 'Freeze'"; `map` may be NULL (without names). */
TM_API size_t tm_address_describe(const tm_address *address, const tm_map *map, char *buffer, size_t size);

/* ---------------------------------------------------------------------------------------------- numbers */

/*
 * Counts the tiles with each number of a pool (teleporters, checkpoints, switches, tuning zones): sets 256
 * elements of `counts`. Number 0 means none; the smallest number from 1 without tiles is the next free one.
 * All layers of a kind count. Other pools are TM_ERROR_USAGE.
 */
TM_API tm_status tm_map_numbers(uint64_t counts[256], const tm_map *map, tm_tile_number pool,
                                tm_error *error);

/* ------------------------------------------------------------------------------------------------- mods */

/*
 * Reads the file of a mod (docs/mods.md), of at most 256 KiB. *out and its texts are freed by tm_mod_free;
 * `text` is not needed afterwards. TM_ERROR_DAMAGED for invalid TOML, TM_ERROR_USAGE for unknown keys and
 * values; both name the line.
 */
TM_API tm_status tm_mod_read(tm_mod **out, const char *text, size_t size, const tm_allocator *allocator,
                             tm_error *error);
TM_API void tm_mod_free(tm_mod *mod);
/*
 * Finds the mod of the table for which a map seems to be made, by its groups, settings, images and tiles;
 * *out is NULL if there is none. `reason` gets a line that says by what, of at most `size` bytes with the
 * NUL; NULL: not needed. Unpacks the game and the front layer, one after the other, and keeps nothing
 * unpacked; layers that are damaged, or too large for the limits of the map, have no tiles.
 */
TM_API tm_status tm_map_find_mod(const tm_mod **out, char *reason, size_t size, const tm_map *map,
                                 tm_error *error);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_MAP_H
#define TEEMAP_MAP_H
/*
 * teemap/map.h - the typed model of a map: plain structs to read (teemap/model.h), and functions that change
 * them and keep all references right. Knows nothing of files: teemap/mapfile.h loads and saves,
 * teemap/store.h does so by path. Sections ("Section 2.8") are those of docs/format.md.
 *
 * How to use it
 * - Read any field directly. Write plain fields (numbers, flags, colors, the fixed-size names) directly too,
 *   and call tm_map_verify if in doubt. Counts, pointers, `kind` and `origin` belong to the functions below.
 * - Images, sounds, envelopes and groups are referred to by their index in the map's arrays; TM_NONE refers
 *   to nothing. After loading every index in a struct is in range or TM_NONE. Indices inside quads and sound
 *   sources stand in packed data and are as in the file: look them up with tm_map_envelope, which answers
 *   NULL for what is not there.
 * - Pointers to elements of an array are valid until something is inserted into, removed from or moved in
 *   that array.
 * - Texts (const char *) belong to the map. One lives until its place is set anew, removed or freed with the
 *   map; do not copy the pointer to another place of the map, tm_map_set_text does that. NULL means that the
 *   map has none. They are bytes as in the file up to the first NUL: usually UTF-8, but nothing guarantees
 *   it.
 * - Every object remembers the item that it came from (`origin`), so that what is not modelled here rides
 *   along when the map is saved.
 * - Functions that change the map are all or nothing: on failure it is as before. They name an object by its
 *   index, a layer by those of its group and of itself; an index that is out of range, or a map that is NULL,
 *   is TM_ERROR_USAGE. Functions that only read take const pointers. Sizes and indices are uint32_t,
 *   coordinates and references int32_t.
 *
 * Threads: functions that take a `const tm_map *` may be called by several threads at once, also tm_map_data,
 * which unpacks on demand. Changing needs to be alone.
 *
 * Units: fx = 22.10 fixed point (value / 1024); px = world pixels, 32 to a tile; ms = milliseconds.
 */
#include <teemap/model.h>

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

/* Makes an empty map: no group, no layer. */
TM_API tm_status tm_map_new(tm_map **out, const tm_map_options *options, tm_error *error);
TM_API void tm_map_free(tm_map *map);
/*
 * A copy. Data are shared behind the scenes until one of the two writes to them, packed or not, so a clone
 * costs little more than the structs, and a history of them only what differs: undo is tm_map_swap with a
 * clone from before. Each may be used, changed and freed by a thread of its own. Cloning ends pointers for
 * writing, as views do (tm_map_edit_data). The clones of a map count against limits.unpacked_bytes together
 * with it, what they share once.
 */
TM_API tm_status tm_map_clone(tm_map **out, const tm_map *map, tm_error *error);
/*
 * Exchanges the contents of two maps: what was reached through one pointer is now reached through the other,
 * and pointers into either map stay valid. Cannot fail. With it a whole operation is all or nothing: work on
 * a clone, then swap it with the map and free it. NULL for either does nothing.
 */
TM_API void tm_map_swap(tm_map *a, tm_map *b);
/*
 * Whether both maps hold the same: all fields, texts, data (unpacked where they must be), in order. What
 * the model does not hold is not compared; a missing text and an empty one are equal. When they differ,
 * `where` (if not NULL) receives the place of the first difference as one line: "group 1, layer 0 'Game':
 * tile 3,4 is 1, not 0".
 */
TM_API tm_status tm_map_equal(bool *equal, const tm_map *a, const tm_map *b, char *where, size_t where_size,
                              tm_error *error);
/*
 * Walks everything that must hold: counts, references in range or TM_NONE, names that end, blocks at least as
 * large as their layers need, kinds. TM_ERROR_USAGE with the place of the first fault if something was
 * written that must not be. What a game asks of a map beyond that (a game layer, colors up to 255) it does
 * not look at: tm_mapfile_check does.
 */
TM_API tm_status tm_map_verify(const tm_map *map, tm_error *error);

/* ------------------------------------------------------------------------------- building and rearranging */

/*
 * The four arrays of the map, and what refers to them:
 *   images     tile layers, quad layers
 *   sounds     sound layers
 *   envelopes  tile layers' color envelopes; quads and sound sources (inside packed data: these are unpacked
 *              and changed only where an index changes)
 *   groups     nothing but the files' automapper items, which follow their layer by themselves
 * After insert, remove and move every reference leads to the same object as before; a reference to a removed
 * object becomes TM_NONE. Indices inside data that lead to nothing become TM_NONE as soon as envelopes are
 * inserted; otherwise they could lead to the new one.
 *
 * Functions that change the array of envelopes must read all quads and sound sources; if one of these blocks
 * cannot be unpacked they fail as tm_map_data does, with the layer as place.
 */
typedef enum tm_object { TM_OBJECT_IMAGE, TM_OBJECT_SOUND, TM_OBJECT_ENVELOPE, TM_OBJECT_GROUP } tm_object;

/*
 * Inserts an object with default values before index `at` (0..num; num appends). Defaults: image external,
 * 0x0, no name; envelope TM_ENVELOPE_POSITION, synchronized, no points; group parallax 100, no clipping, no
 * layers. The new object is map->images[at] and so on.
 */
TM_API tm_status tm_map_insert(tm_map *map, tm_object kind, uint32_t at, tm_error *error);
TM_API tm_status tm_map_remove(tm_map *map, tm_object kind, uint32_t index, tm_error *error);
/* Moves an object so that it stands at index `to` afterwards. */
TM_API tm_status tm_map_move(tm_map *map, tm_object kind, uint32_t from, uint32_t to, tm_error *error);
/* Inserts a copy (of a group: with its layers) before index `at`. */
TM_API tm_status tm_map_duplicate(tm_map *map, tm_object kind, uint32_t index, uint32_t at, tm_error *error);

/*
 * Inserts a layer before index `at` of a group. Tile layers get width x height empty tiles (both at least 1);
 * other kinds ignore the size and start with no element. Names as the map's game names new layers; color
 * white, no references. Kinds unknown and old sounds are TM_ERROR_USAGE.
 */
TM_API tm_status tm_map_insert_layer(tm_map *map, uint32_t group, uint32_t at, tm_layer_kind kind,
                                     uint32_t width, uint32_t height, tm_error *error);
TM_API tm_status tm_map_remove_layer(tm_map *map, uint32_t group, uint32_t index, tm_error *error);
/* Moves a layer so that it stands at index `to` of group `to_group` afterwards. */
TM_API tm_status tm_map_move_layer(tm_map *map, uint32_t group, uint32_t index, uint32_t to_group,
                                   uint32_t to, tm_error *error);
TM_API tm_status tm_map_duplicate_layer(tm_map *map, uint32_t group, uint32_t index, uint32_t to_group,
                                        uint32_t at, tm_error *error);

typedef struct tm_import_options {
    size_t size; /* sizeof(tm_import_options) */
    /*
     * Default false: what an object refers to comes along as an object of its own. True: an image, sound or
     * envelope to which the map has an equal one is not imported again, that one is used. Equal are those of
     * one name and content, and external images of one name.
     */
    bool share;
} tm_import_options;
#define TM_IMPORT_OPTIONS_INIT           \
    {                                    \
        sizeof(tm_import_options), false \
    }

/*
 * Imports an object of another map before index `at`: a copy with all that it refers to. The layers of a
 * group come along, and the images, sounds and envelopes that they refer to (also from inside quads and sound
 * sources), behind the map's own; so every reference, old and new, leads to the same as before. `out` (may be
 * NULL) receives the index of the object, which with `share` may be that of an equal one that the map had.
 *
 * Packed data stay packed and are saved as they are; they keep the file that they came from open. Only quads
 * and sources in which an index changes are unpacked; both maps' are read, and if one cannot be unpacked the
 * call fails as tm_map_data does. Layers of every kind are imported: what the map's game cannot hold is left
 * out, with a finding, when it is saved, and so are layers of unknown kinds, as only their own file says what
 * is in them. `from` may be the map itself.
 */
TM_API tm_status tm_map_import(uint32_t *out, tm_map *map, tm_object kind, uint32_t at, const tm_map *from,
                               uint32_t index, const tm_import_options *options, tm_error *error);
/* The same for a layer of the other map, which is put before index `at` of a group. */
TM_API tm_status tm_map_import_layer(tm_map *map, uint32_t group, uint32_t at, const tm_map *from,
                                     uint32_t from_group, uint32_t from_layer,
                                     const tm_import_options *options, tm_error *error);

/* Sets a text of this map (&map->info.author, &image->name, ...) to a copy of `text`, or to NULL. */
TM_API tm_status tm_map_set_text(tm_map *map, const char **slot, const char *text, tm_error *error);
/* Replaces all settings by copies of `num` commands; NULL counts as an empty one. */
TM_API tm_status tm_map_set_settings(tm_map *map, const char *const *settings, uint32_t num, tm_error *error);
/* Inserts a copy of one command before index `at` (0..num_settings). */
TM_API tm_status tm_map_insert_setting(tm_map *map, uint32_t at, const char *text, tm_error *error);
/*
 * Sets a fixed-size name (a group's, layer's or envelope's), cut to `name_size` - 1 bytes at a character's
 * edge. Returns whether all of it fitted.
 */
TM_API bool tm_map_set_name(char *name, size_t name_size, const char *text);
/*
 * Embeds pixels into an image (width * height * 4 bytes RGBA, copied; sides of at most INT32_MAX), or with
 * NULL makes it external; then the size is informational, and 0 x 0 keeps the one that is there.
 */
TM_API tm_status tm_map_set_pixels(tm_map *map, uint32_t image, const void *rgba, uint32_t width,
                                   uint32_t height, tm_error *error);
/* Embeds an Opus file into a sound (copied), or with NULL makes it external. */
TM_API tm_status tm_map_set_sound(tm_map *map, uint32_t sound, const void *opus, size_t size,
                                  tm_error *error);
/*
 * Lists of points, quads and sound sources: set replaces all, insert puts `num` new ones before index `at`
 * (0 to the number of elements), remove takes `num` away from `index` on. Elements are copied and may stand
 * in the list itself. NULL with `num` above 0 is TM_ERROR_USAGE.
 */
TM_API tm_status tm_map_set_points(tm_map *map, uint32_t envelope, const tm_envelope_point *points,
                                   uint32_t num, tm_error *error);
TM_API tm_status tm_map_set_quads(tm_map *map, uint32_t group, uint32_t layer, const tm_quad *quads,
                                  uint32_t num, tm_error *error);
TM_API tm_status tm_map_set_sources(tm_map *map, uint32_t group, uint32_t layer,
                                    const tm_sound_source *sources, uint32_t num, tm_error *error);
/*
 * Fills in an upright rectangle of (x, y) to (x + width, y + height), in fx px (1024 to a px, 32 px to a
 * tile): white, the whole image on it, pivot in the middle, no envelopes. (A quad of zeros would be invisible
 * and moved by envelope 0.) What would lie beyond 32 bits lies at the last place that there is.
 */
TM_API void tm_quad_init(tm_quad *quad, int32_t x, int32_t y, uint32_t width, uint32_t height);
/*
 * Fills in a sound source at (x, y), in fx px, as DDNet's editor makes it: it loops and pans, and is heard in
 * a circle of 1500 px, with falloff 80. No envelopes.
 */
TM_API void tm_sound_source_init(tm_sound_source *source, int32_t x, int32_t y);
/*
 * Changes the size of a tile layer. The old content's top left tile lands at (dx, dy); what falls outside is
 * lost, new tiles are empty. The compatibility array follows.
 */
TM_API tm_status tm_map_resize_layer(tm_map *map, uint32_t group, uint32_t layer, uint32_t width,
                                     uint32_t height, int32_t dx, int32_t dy, tm_error *error);

/* NULL when the index is TM_NONE or out of range, or the map NULL. */
TM_API const tm_image *tm_map_image(const tm_map *map, int32_t index);
TM_API const tm_sound *tm_map_sound(const tm_map *map, int32_t index);
TM_API const tm_envelope *tm_map_envelope(const tm_map *map, int32_t index);
/* A design layer whose automapper names a configuration; the editor gives all layers one that names none. */
TM_API bool tm_layer_has_automapper(const tm_layer *layer);
/* Of all groups together. */
TM_API uint32_t tm_map_num_layers(const tm_map *map);
/*
 * The first layer of a kind, from the front of the list, and where it is (`group` and `index` may be NULL).
 * NULL if there is none; then both indices become UINT32_MAX, which no function takes for a layer.
 */
TM_API const tm_layer *tm_map_find_layer(uint32_t *group, uint32_t *index, const tm_map *map,
                                         tm_layer_kind kind);
/* The physics layer that DDNet uses: the last of its kind. */
TM_API const tm_layer *tm_map_physics_layer(uint32_t *group, uint32_t *index, const tm_map *map,
                                            tm_layer_kind kind);
/* Whether a group holds that game layer. The games ignore this group's offset, parallax and clipping. */
TM_API bool tm_map_is_game_group(const tm_map *map, uint32_t group);
/*
 * Walks over the layers of all groups, in the order of the file. Zero-initialise it:
 *
 *     tm_layer_walk at = {0};
 *     while (tm_map_next_layer(map, &at))
 *         use(at.layer);
 *
 * The map must not get or lose groups or layers meanwhile.
 */
typedef struct tm_layer_walk {
    const tm_layer *layer; /* NULL before the first and behind the last one */
    uint32_t group, index; /* where it is: map->groups[group].layers[index] */
    uint32_t number;       /* among the layers of all groups, from 0: the index in tm_camera.opacities */
} tm_layer_walk;
TM_API bool tm_map_next_layer(const tm_map *map, tm_layer_walk *at); /* false behind the last one */
/* The number of layer `index` of a group among the layers of all groups. */
TM_API uint32_t tm_map_layer_number(const tm_map *map, uint32_t group, uint32_t index);
/*
 * How large the map is, in tiles: the size of the game layer. A map without one is as wide and as high as its
 * widest and its highest tile layer; 0 x 0 without any.
 */
TM_API void tm_map_area(uint32_t *width, uint32_t *height, const tm_map *map);

/* --------------------------------------------------------------------------------------------------- data */

/*
 * The bytes of a block, unpacked on demand and kept. *bytes is borrowed until the block is dropped, edited,
 * replaced or removed. Bytes that are in memory as in the file are the file's: its map, the map's clones and
 * tm_datafile_data_bytes have the same, unpacked and counted once. NULL blocks give NULL and size 0. `size`
 * may be NULL. Fails as tm_datafile_read_data does in the mode in which the map was loaded.
 */
TM_API tm_status tm_map_data(const void **bytes, uint64_t *size, const tm_map *map, const tm_block *block,
                             tm_error *error);
/* The same into the caller's buffer of tm_block_info.size bytes; keeps nothing. */
TM_API tm_status tm_map_read_data(const tm_map *map, const tm_block *block, void *buffer, uint64_t size,
                                  tm_error *error);
/*
 * The bytes for writing: the block counts as changed from here on. They are this block's alone: if others use
 * them (clones, views, the datafile) they are copied, and the others go on with what they have. So *bytes is
 * for writing until the next tm_view_new of the block or tm_map_clone of the map: ask again behind these, for
 * what is written through the old pointer would show there, too.
 */
TM_API tm_status tm_map_edit_data(void **bytes, uint64_t *size, tm_map *map, tm_block *block,
                                  tm_error *error);
/* Lets go of the bytes of a block that is not changed; the memory goes with the last who uses it. */
TM_API void tm_map_drop_data(tm_map *map, tm_block *block);
TM_API void tm_map_drop_all_data(tm_map *map);
/*
 * Unpacks `num` blocks of the map on the job's executor and keeps them: layer->as.tiles.tiles, image->pixels
 * and so on. `blocks` NULL means all blocks of the map, and `num` is then ignored; a NULL in the list, and
 * what is unpacked already, is left out. Progress counts bytes. Fails as tm_map_data does, with the object as
 * place; if several blocks fail, the error is that of the first one in the list (or in the map). More than
 * limits.unpacked_bytes is refused before anything is unpacked.
 */
TM_API tm_status tm_map_unpack(const tm_map *map, const tm_block *const *blocks, uint32_t num,
                               const tm_job *job, tm_error *error);

/*
 * Keeps the bytes of a block alive, for arrays in other languages (numpy, a typed array). The bytes stay at
 * their place and do not change until tm_view_free, whatever happens to the block and the map, as long as
 * nobody writes through a pointer that an edit function gave before (tm_map_edit_data). When the block is
 * edited while there is a view of it, the map goes on with a copy, and the view shows what was before.
 * Nothing is copied to make one. Views count against limits.unpacked_bytes only while a block has the same
 * bytes; the map's allocator must outlive them. A NULL block gives a NULL view, which has no bytes and may be
 * freed. Any thread may free a view.
 */
typedef struct tm_view tm_view;
TM_API tm_status tm_view_new(tm_view **out, const tm_map *map, const tm_block *block, tm_error *error);
/* `size` may be NULL. */
TM_API const void *tm_view_bytes(uint64_t *size, const tm_view *view);
TM_API void tm_view_free(tm_view *view);

/*
 * The pixels of an embedded image as width * height * 4 bytes RGBA into the caller's buffer; RGB is widened.
 * TM_ERROR_NOT_FOUND for an external image, TM_ERROR_DAMAGED when there are fewer bytes than the size needs.
 */
TM_API tm_status tm_map_image_pixels(const tm_map *map, const tm_image *image, void *rgba, uint64_t size,
                                     tm_error *error);
/*
 * How many bytes that buffer needs; 0 for an image that has no pixels to give: external, without a size, with
 * fewer bytes than its size needs, or NULL. Width and height may be a stranger's lie, so ask before you
 * allocate.
 */
TM_API uint64_t tm_image_rgba_size(const tm_image *image);

/*
 * The quads of a quad layer, or the sources of a sound layer. *quads is borrowed as from tm_map_data, *num
 * counts them. A NULL layer has none; a layer of another kind is TM_ERROR_USAGE. (The sources of
 * TM_LAYER_OLD_SOUNDS are of another type: tm_map_data gives them.)
 */
TM_API tm_status tm_map_quads(const tm_quad **quads, uint32_t *num, const tm_map *map, const tm_layer *layer,
                              tm_error *error);
TM_API tm_status tm_map_sources(const tm_sound_source **sources, uint32_t *num, const tm_map *map,
                                const tm_layer *layer, tm_error *error);
/* The same for writing: the layer's elements count as changed. */
TM_API tm_status tm_map_edit_quads(tm_quad **quads, uint32_t *num, tm_map *map, uint32_t group,
                                   uint32_t layer, tm_error *error);
TM_API tm_status tm_map_edit_sources(tm_sound_source **sources, uint32_t *num, tm_map *map, uint32_t group,
                                     uint32_t layer, tm_error *error);

/* The grid of a tile layer for reading. */
typedef struct tm_grid {
    const void *tiles; /* borrowed as from tm_map_data; NULL when the layer has no tiles */
    uint32_t width, height;
    uint32_t tile_size; /* bytes */
    size_t row_stride;  /* bytes from a row to the next */
} tm_grid;
/*
 * A NULL layer, as tm_map_physics_layer gives it where there is none, has an empty grid: no tiles, 0 x 0. A
 * layer of another kind is TM_ERROR_USAGE. Errors name the layer as their place.
 */
TM_API tm_status tm_map_tiles(tm_grid *out, const tm_map *map, const tm_layer *layer, tm_error *error);
/* The same for writing. */
typedef struct tm_edit_grid {
    void *tiles; /* borrowed as from tm_map_edit_data; NULL when the layer is 0 x 0 tiles large */
    uint32_t width, height;
    uint32_t tile_size; /* bytes */
    size_t row_stride;  /* bytes from a row to the next */
} tm_edit_grid;
/* The layer's tiles count as changed. A layer that has none yet gets empty ones. */
TM_API tm_status tm_map_edit_tiles(tm_edit_grid *out, tm_map *map, uint32_t group, uint32_t layer,
                                   tm_error *error);
/*
 * Copies a rectangle of a tile layer to or from the caller's memory: tiles of the kind's size, `row_stride`
 * bytes a row (0: packed tightly). Outside of the layer reading gives zeros and writing does nothing.
 * tm_map_fill_tiles writes one tile everywhere in the rectangle. What is written may lie in the layer itself.
 */
TM_API tm_status tm_map_read_tiles(const tm_map *map, const tm_layer *layer, const tm_rect *rect, void *tiles,
                                   size_t row_stride, tm_error *error);
TM_API tm_status tm_map_write_tiles(tm_map *map, uint32_t group, uint32_t layer, const tm_rect *rect,
                                    const void *tiles, size_t row_stride, tm_error *error);
TM_API tm_status tm_map_fill_tiles(tm_map *map, uint32_t group, uint32_t layer, const tm_rect *rect,
                                   const void *tile, tm_error *error);

/* ---------------------------------------------------------------------------------------------- envelopes */

/*
 * Evaluates an envelope at `time` ms (the caller adds the user's offset) as DDNet's client does: section 2.5.
 * Sets values[0..channels) (fx / 1024.0) for as many of the wanted `channels` (at most 4) as the envelope has
 * and leaves the rest of `values` as it was; so the caller presets the neutral values. An envelope without
 * points changes nothing.
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
typedef enum tm_address_kind {
    TM_ADDRESS_MAP,
    TM_ADDRESS_INFO,
    TM_ADDRESS_SETTINGS,
    TM_ADDRESS_IMAGE,
    TM_ADDRESS_SOUND,
    TM_ADDRESS_ENVELOPE,
    TM_ADDRESS_GROUP,
    TM_ADDRESS_LAYER,
    TM_ADDRESS_ITEM,
    TM_ADDRESS_DATA
} tm_address_kind;

typedef struct tm_address {
    tm_address_kind kind;
    uint32_t index; /* image, sound, envelope, group, item, data; of a layer: its group */
    uint32_t layer; /* of a layer: its index in the group */
} tm_address;

/*
 * Finds what an address means in a map. TM_ERROR_USAGE for a malformed one, TM_ERROR_NOT_FOUND for one that
 * leads nowhere. item and data are not bounded here.
 */
TM_API tm_status tm_address_parse(tm_address *out, const tm_map *map, const char *text, tm_error *error);
/* The numeric form, at most 63 bytes: "2/3". */
TM_API size_t tm_address_format(const tm_address *address, char *buffer, size_t size);
/* The form for people: "group 2, layer 3 'Freeze'"; `map` may be NULL (no names then). */
TM_API size_t tm_address_describe(const tm_address *address, const tm_map *map, char *buffer, size_t size);

/* ---------------------------------------------------------------------------------------------- numbers */

/*
 * How many tiles have each number of a pool (teleporters, checkpoints, switches, tuning zones): sets 256
 * elements of `counts`. Number 0 is none; the smallest one from 1 on that no tile has is the next that is
 * free. Of kinds of layers that a map has twice all count. Other pools are TM_ERROR_USAGE.
 */
TM_API tm_status tm_map_numbers(uint64_t counts[256], const tm_map *map, tm_tile_number pool,
                                tm_error *error);

#ifdef __cplusplus
}
#endif
#endif

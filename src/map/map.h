/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_H
#define TMI_MAP_H
/*
 * Internal side of the model: blocks, and the origin by which a map reaches the file that it came from
 * without knowing what a file is. mapfile/ implements the origin; nobody else does.
 */
#include <teemap/fields.h>
#include <teemap/report.h>

#include "../base/base.h"
#include "../games/games.h"

#include <stdatomic.h>

/*
 * Casts const away. Only for the library's own fields inside a const object (atomic pointers, reference
 * counts), which functions that read may change.
 */
#define TMI_UNCONST(type, pointer) ((type *)(uintptr_t)(pointer))

/*
 * How the bytes of a block in the file become those in memory; the origin applies it. INTS: 32-bit
 * integers, SPEEDUP: 6-byte tiles that end in a 16-bit integer (both only swapped on big-endian hosts),
 * RUNS: run-length tm_tile of Teeworlds 0.7 (section 2.8).
 */
typedef enum tmi_encoding {
    TMI_ENCODING_BYTES,
    TMI_ENCODING_INTS,
    TMI_ENCODING_SPEEDUP,
    TMI_ENCODING_RUNS
} tmi_encoding;

struct tm_block {
    const struct tmi_origin *origin; /* NULL: the bytes below are all there is */
    uint32_t data_index;             /* in the origin */
    tmi_encoding view;               /* also for new blocks: mapfile writes by it */
    bool changed;                    /* the bytes below count, those of the origin no longer do */
    bool shares;                     /* the bytes below are the origin's, which several maps use */
    bool copied;                     /* duplicate of another block: it gets data of its own when saved */
    bool is_short;                   /* the origin has fewer bytes than `size`: games read no such tiles */
    uint64_t size;                   /* bytes in memory */
    /*
     * Of a changed grid of tiles: the size that it has in the origin, so that a layer which gets that size
     * back can take the origin's bytes again (tmi_map_ungrow).
     */
    struct {
        uint64_t size;          /* bytes; 0: not known */
        uint32_t width, height; /* tiles */
        tm_transform turned;    /* how the grid lies now */
    } home;
    _Atomic(void *) bytes; /* NULL: not unpacked */
};

/*
 * The file behind objects and blocks: immutable once loaded, shared by the map, its clones and whoever
 * holds its blocks.
 */
typedef struct tmi_origin {
    atomic_uint references;
    tmi_account *account; /* of the file and all its maps; NULL: each map has its own */
    uint32_t
        packing; /* how blocks are packed: the same packed bytes are the same bytes only where this is, too */
    /* Set while loading: items or integers that the model does not know may refer to objects by number. */
    bool may_refer;
    const struct tmi_origin_functions {
        /* Unpacks a block into `buffer` of block->size bytes, through its view. */
        tm_status (*read)(const struct tmi_origin *origin, const tm_block *block, void *buffer,
                          tm_error *error);
        /* The first bytes of a block as the file has them, at most *size; *size receives how many came.
           May be NULL. */
        tm_status (*read_head)(const struct tmi_origin *origin, const tm_block *block, void *buffer,
                               size_t *size, tm_error *error);
        /*
         * For blocks that share: the bytes that the origin keeps, made by tmi_bytes_new and counted in
         * the account, for one more user. A user ends its use; of the last one the bytes are then, still
         * counted, and `end_use` returns true. `last_only`: unless it is the last, its use goes on.
         */
        tm_status (*use)(const struct tmi_origin *origin, const tm_block *block, const void **bytes,
                         tm_error *error);
        bool (*end_use)(const struct tmi_origin *origin, const tm_block *block, bool last_only);
        bool (*in_use)(const struct tmi_origin *origin, const tm_block *block);
        /* Whether an item goes on behind what the model knows; may be NULL. */
        bool (*has_tail)(const struct tmi_origin *origin, uint32_t item);
        /* Bytes of the block in the file. */
        uint64_t (*packed_size)(const struct tmi_origin *origin, uint32_t data_index);
        /* Copies some of these; may be NULL. */
        tm_status (*read_packed)(const struct tmi_origin *origin, uint32_t data_index, uint64_t offset,
                                 void *buffer, size_t size);
        void (*free)(struct tmi_origin *origin);
    } * functions;
} tmi_origin;

/*
 * Adds a finding about an object. `map` gives the names for its place and may be NULL. Items and blocks of a
 * file without a map are reported by datafile/report.c.
 */
void tmi_report_at_address(tm_findings *findings, tm_mode mode, tm_finding_id id, const tm_map *map,
                           tm_address address, int64_t offset, const char *format, ...) TMI_PRINTF(7, 8);
void tmi_vreport_at_address(tm_findings *findings, tm_mode mode, tm_finding_id id, const tm_map *map,
                            tm_address object, int64_t offset, const char *format, va_list list)
    TMI_PRINTF(7, 0);
/*
 * Adds the place of an object to an error. TM_OK stays TM_OK, so that a call that may fail can be the
 * argument.
 */
tm_status tmi_fail_at_address(tm_error *error, tm_status status, const tm_map *map, tm_address address);

/* Adds a change at an object as it is now; `operation` must live as long as the report. */
void tmi_report_change(tm_report *report, const char *operation, const tm_map *map, tm_address address,
                       uint64_t count, const char *format, ...) TMI_PRINTF(6, 7);
void tmi_report_vchange(tm_report *report, const char *operation, const tm_map *map, tm_address address,
                        uint64_t count, const char *format, va_list list) TMI_PRINTF(6, 0);
/*
 * Work on a clone, all or nothing. After begin, change `clone` and report it; end takes what became of that,
 * and returns it. With TM_OK and a change in the report the clone takes the map's place, else the map is as
 * before. What was done is added to `report`, which may be NULL.
 */
typedef struct tmi_work {
    tm_map *map, *clone;
    tm_report report;
    bool renews; /* objects at their places may have forgotten their items */
} tmi_work;
tm_status tmi_work_begin(tmi_work *out, tm_map *map, tm_error *error);
tm_status tmi_work_end(tmi_work *work, tm_status status, tm_report *report);
/*
 * Adds a finding if objects of `before` have gone or have other numbers in `after`, while something in their
 * file that teemap does not know may refer to them. For what changes maps without tmi_work.
 */
void tmi_report_renumbered(tm_findings *findings, const tm_map *before, const tm_map *after, bool renews);

void tmi_origin_retain(const tmi_origin *origin);
void tmi_origin_release(const tmi_origin *origin); /* frees with the last reference; NULL is fine */

/* Texts by their content; see text_pool.c. */
typedef struct tmi_text_pool {
    struct tmi_pooled_text **slots;
    size_t num_slots, num;
} tmi_text_pool;

/* A map and its clones, which share bytes: each is counted once. */
typedef struct tmi_family {
    atomic_uint members;
    tmi_account account;
} tmi_family;

/*
 * Points that several envelopes of a file have in common. A map and its clones use one memory of them, until
 * somebody writes to those of an envelope: tmi_envelope_own.
 */
typedef struct tmi_common_points {
    atomic_uint members; /* maps */
    uint32_t num;
    tm_envelope_point points[];
} tmi_common_points;

/*
 * So many bytes of items are allowed for each point of an envelope: a million points by default. Those of the
 * file are allowed anyway; this bounds what becomes of common points that are written.
 */
enum { TMI_BYTES_PER_POINT = 256 };

/* What a map keeps next to its public part. */
typedef struct tm_map_private {
    tm_allocator allocator;           /* a copy of the caller's; `ctx` NULL and resize NULL: malloc */
    tm_limits limits;                 /* filled */
    const tmi_origin *origin;         /* the file that the map was loaded from (retained), or NULL */
    tmi_text_pool texts;              /* set since loading; texts of the file live in the origin */
    tmi_family *family;               /* counts for a map whose origin does not */
    const tm_cancel *cancel;          /* ends the reading of data; may be NULL */
    tmi_common_points *common_points; /* NULL: each envelope has its own */
    uint32_t num_tails_left; /* objects that have come from other files without what only their items hold */
    uint64_t own_points, most_points; /* of the envelopes that have their own; at most so many */
} tm_map_private;

/* The allocator to hand to tmi_alloc: NULL stands for malloc. */
static inline const tm_allocator *tmi_map_allocator(const tm_map *map)
{
    return map->priv->allocator.resize ? &map->priv->allocator : NULL;
}
/* Where the bytes of a map are counted: with those of its file, if it has one; and how many there are. */
tmi_account *tmi_map_account(const tm_map *map);
/*
 * Whether the file behind a map holds what teemap does not know, and what may refer to groups, layers,
 * images, sounds and envelopes by number. "Nothing refers to it" cannot be said then.
 */
static inline bool tmi_map_may_refer(const tm_map *map)
{
    return map->priv->origin && map->priv->origin->may_refer;
}
/* Whether the item that an object of a map was loaded from goes on behind what teemap knows. */
static inline bool tmi_map_has_tail(const tm_map *map, tm_origin origin)
{
    const tmi_origin *file = map->priv->origin;
    return file && origin.file == file && file->functions->has_tail &&
           file->functions->has_tail(file, origin.item);
}
static inline uint64_t tmi_map_held(const tm_map *map)
{
    return atomic_load_explicit(tmi_map_account(map), memory_order_relaxed);
}

/* The prefix of objects and lines that merging leaves for open conflicts. */
#define TMI_MARK_OURS   "<<< ours"
#define TMI_MARK_THEIRS ">>> theirs"
#define TMI_MARK_LINE   "# conflict: "

/* ------------------------------------------------------------------------------------------------- blocks */

/*
 * A block of the origin: data `data_index`, `size` bytes in memory through `view`. Where these are the bytes
 * of the file as they are, set `shares`, and all who ask for them have the same.
 */
tm_status tmi_block_new_packed(tm_block **out, tm_map *map, uint32_t data_index, tmi_encoding view,
                               uint64_t size, tm_error *error);
/* A block of `size` zero bytes, or with a copy of `bytes`; counts as changed. */
tm_status tmi_block_new(tm_block **out, tm_map *map, tmi_encoding view, const void *bytes, uint64_t size,
                        tm_error *error);
/* A block of the same place in the file as `block`, `size` bytes large, with nothing changed. */
tm_status tmi_block_new_again(tm_block **out, tm_map *map, const tm_block *block, uint64_t size,
                              tm_error *error);
/*
 * Remembers in a new block which one of the file it stands for: that of `old`, a grid of width x height
 * tiles.
 */
void tmi_block_inherit(tm_block *block, const tm_block *old, uint32_t width, uint32_t height);
/* The grid of the block was turned: it only equals that of the origin again when it is turned back. */
static inline void tmi_block_turn_home(tm_block *block, tm_transform transform)
{
    block->home.turned = tmi_transform_join(block->home.turned, transform);
}
/* Frees the unpacked bytes of an unchanged block, unless others use them. */
void tmi_map_drop_data(tm_map *map, tm_block *block);
/*
 * Drops the bytes of a changed block that has no origin: from here on the origin, which is no file, makes
 * them again whenever they are read.
 */
void tmi_block_set_origin(tm_map *map, tm_block *block, const tmi_origin *origin);

/*
 * Gives a tile layer of the map size[0] x size[1] tiles, which `fill` makes of the old ones: the grid
 * `before` lives until it returns, all of `after` is to be written. What DDNet keeps for other games beside
 * physics tiles becomes zero. A layer without tiles only changes its size. Both sides are at least 1.
 */
typedef void tmi_regrid_fill(void *ctx, const tm_grid *before, const tm_edit_grid *after);
tm_status tmi_map_regrid(tm_map *map, tm_layer *layer, const uint32_t size[2], tmi_regrid_fill *fill,
                         void *ctx, tm_error *error);
/* A grid of another size and how the old content lies in it; the resized block, NULL for NULL. */
typedef struct tmi_resizing {
    uint32_t old_width, old_height, width, height;
    int32_t dx, dy;
} tmi_resizing;
tm_status tmi_block_resized(tm_block **out, tm_map *map, const tm_block *block, const tmi_resizing *resizing,
                            size_t tile_size, tm_error *error);
/*
 * Takes the file's tiles again for a layer that only differs from them in that its edges were repeated to the
 * right and below.
 */
tm_status tmi_map_ungrow(tm_map *map, tm_layer *layer, tm_error *error);

/* How far the tile at `tile`, of `size` bytes, goes on unchanged, at most to `end`. */
const uint8_t *tmi_run_end(const uint8_t *tile, const uint8_t *end, size_t size);

/* The view that layers of a kind use for their elements. */
tmi_encoding tmi_encoding_of(tm_layer_kind kind);
/* Bytes in the host's order to bytes in the file and back, in place (RUNS and BYTES: nothing to do). */
void tmi_encoding_swap(void *bytes, uint64_t size, tmi_encoding view);
/* Frees a block of this map; NULL is fine. */
void tmi_block_free(tm_map *map, tm_block *block);
/* Puts a block in the place of another one. */
static inline void tmi_block_put(tm_map *map, tm_block **slot, tm_block *block)
{
    tmi_block_free(map, *slot);
    *slot = block;
}
/* The same with a copy of one of any map, which gets data of its own when it is saved. */
tm_status tmi_block_put_copy(tm_map *map, tm_block **slot, const tm_block *block, tm_error *error);
/*
 * A copy in `map` of a block of `source` (NULL: of none): packed if it is packed (marked `copied` when `map`
 * is `source`), else with its bytes, which clones share until one of them writes.
 */
tm_status tmi_block_copy(tm_block **out, tm_map *map, const tm_block *block, const tm_map *source,
                         tm_error *error);

/*
 * Fails if `size` more unpacked bytes would exceed the limit; allocates nothing. Called before unpacking many
 * blocks.
 */
tm_status tmi_map_check_room(const tm_map *map, uint64_t size, tm_error *error);
/*
 * Equal bytes of two blocks that nobody has changed, known without unpacking either: one block of one file,
 * or packed bytes that are the same. False may mean anything.
 */
bool tmi_block_same_packed(const tm_block *a, const tm_block *b);
/*
 * False when two blocks certainly hold other bytes, by their sizes and by the checksum with which streams of
 * zlib end; nothing is unpacked for that.
 */
bool tmi_block_may_equal(const tm_block *a, const tm_block *b);
/*
 * What one call may unpack to compare data. Objects may share a block, so that thousands of pairs of them
 * cost far more than a small file has bytes.
 */
typedef struct tmi_compare_work {
    uint64_t left, most; /* bytes */
} tmi_compare_work;
tmi_compare_work tmi_compare_work_of(const tm_limits *limits);
/* Counts both blocks; TM_ERROR_LIMIT when they are more than what is left. */
tm_status tmi_compare_work_spend(tmi_compare_work *work, const tm_block *const block[2], tm_error *error);
/*
 * Whether two blocks, or none and none, hold the same bytes; they are unpacked, and counted in `work`, only
 * if that needs it.
 */
tm_status tmi_block_same(bool *is_same, tmi_compare_work *work, const tm_map *const map[2],
                         const tm_block *const block[2], tm_error *error);
/*
 * A number by which blocks of equal content are found: that of the packed bytes, or of the bytes if the block
 * has changed. Equal content that is packed in another way has another key. 0 for no block.
 */
uint64_t tmi_block_key(const tm_block *block);

/* Where an object keeps a block. */
static inline tm_block **tmi_block_slot(void *object, const tm_field *field)
{
    return (tm_block **)(void *)((char *)object + field->offset);
}
/* Number of quads or sources; 0 for other kinds. */
uint32_t tmi_layer_num(const tm_layer *layer);
/* Where a layer keeps it; NULL if its kind has none. */
uint32_t *tmi_layer_count(tm_layer *layer);
/*
 * Where a layer keeps the block of its elements (tiles, quads, sources); NULL if its kind has none.
 */
tm_block **tmi_layer_elements(tm_layer *layer);
/* The least and the most coordinates of its corners. */
void tmi_quad_bounds(tm_point *least, tm_point *most, const tm_quad *quad);
/*
 * Whether a quad is invisible: it has no alpha and no color envelope, or no area, which turning and moving do
 * not change.
 */
bool tmi_quad_is_hidden(const tm_map *map, const tm_quad *quad);
/* How far along a bezier curve is at `x` of its time; p1 and p2: its inner points in time. All are 0 to 1. */
double tmi_bezier_part(double p1, double p2, double x);
/* Makes `num` elements in the caller's memory those of a layer of quads or sources. */
tm_status tmi_layer_put_elements(tm_map *map, tm_layer *layer, const void *elements, uint32_t num,
                                 tm_error *error);

/*
 * Calls visit for each block pointer of the map (pixels, sounds, tiles, compat arrays, quads, sources), in
 * the order in which DDNet writes data; stops at a failure.
 */
tm_status tmi_map_each_block(const tm_map *map,
                             tm_status (*visit)(void *ctx, tm_block *block, const tm_address *address),
                             void *ctx);

/*
 * Whether two layers that were loaded from one item are still alike, so that they can stay one: all fields
 * are, but for those in items of their own (the automapper), and no data have changed.
 */
bool tmi_layer_same_item(const tm_layer *a, const tm_layer *b);

/* The bytes of a block if it is unpacked now, else NULL. */
static inline const void *tmi_block_held(const tm_block *block)
{
    return atomic_load_explicit(&TMI_UNCONST(tm_block, block)->bytes, memory_order_acquire);
}
/* The bytes of a block that was just made, for writing. */
static inline void *tmi_block_own(const tm_block *block)
{
    return TMI_UNCONST(void, tmi_block_held(block));
}
/* All bytes into `buffer`, which has room for block->size of them. */
tm_status tmi_block_read(const tm_block *block, void *buffer, tm_error *error);
/* The bytes of a block while a function runs: those of the map, else a temporary copy. */
typedef struct tmi_borrowed {
    const tm_map *map;
    const void *bytes; /* NULL for a NULL block */
    uint64_t size;
    const tm_block *block; /* must live until the end; NULL: the bytes are those that the map holds */
} tmi_borrowed;
tm_status tmi_borrowed_open(tmi_borrowed *loan, const tm_map *map, const tm_block *block, tm_error *error);
void tmi_borrowed_close(tmi_borrowed *loan);
/* The first bytes of a block of bytes, at most *size; *size receives how many. Nothing else is unpacked. */
tm_status tmi_block_head(const tm_block *block, void *buffer, size_t *size, tm_error *error);
/* The grid of a tile layer for the same time; it has no tiles when the layer has none. */
tm_status tmi_borrowed_grid(tmi_borrowed *loan, tm_grid *grid, const tm_map *map, const tm_layer *layer,
                            tm_error *error);
/*
 * Tile layers that were looked at last: layers may share their tiles, so that a small file has many large
 * ones. Those in the list must live and stay as they are.
 */
enum { TMI_SEEN_LAYERS = 16 };
typedef struct tmi_seen_layers {
    const tm_layer *list[TMI_SEEN_LAYERS];
    size_t num;
} tmi_seen_layers;
/*
 * Whether a layer of the same kind and size with the same tiles is in the list; if not, this one comes into
 * it. *place is where in the list.
 */
bool tmi_layer_was_seen(size_t *place, tmi_seen_layers *seen, const tm_layer *layer);
/* Whether two blocks are one block of one file, seen in the same way. */
static inline bool tmi_block_same_data(const tm_block *a, const tm_block *b)
{
    return a && b && !a->changed && !b->changed && a->origin && a->origin == b->origin &&
           a->data_index == b->data_index && a->view == b->view && a->size == b->size;
}
/*
 * For loops over layers that change nothing: the loan of the last layer, zeroed at first, becomes that of
 * this one. Layers may share data, which stay unpacked from one to the next. Close it behind the loop.
 */
tm_status tmi_borrowed_next_grid(tmi_borrowed *loan, tm_grid *grid, const tm_map *map, const tm_layer *layer,
                                 tm_error *error);

/* ------------------------------------------------------------------------------------------------ images */

/* The image that a layer of tiles or quads shows; TM_NONE: none, as all other kinds. */
static inline int32_t tmi_image_shown(const tm_layer *layer)
{
    if (layer->kind == TM_LAYER_QUADS)
        return layer->as.quads.image;
    return layer->kind == TM_LAYER_TILES ? layer->as.tiles.image : TM_NONE;
}

enum { TMI_IMAGE_SIDE = 16, TMI_IMAGE_CELLS = TMI_IMAGE_SIDE * TMI_IMAGE_SIDE }; /* one for each index */

/* Bytes of an embedded image's pixels, as its size and format announce them; 0 when that makes no sense. */
static inline uint64_t tmi_image_stored_size(const tm_image *image)
{
    if (image->width <= 0 || image->height <= 0)
        return 0;
    return (uint64_t)image->width * (uint64_t)image->height * (image->format == TM_IMAGE_RGB ? 3 : 4);
}

/* What of an image the games show. */
typedef struct tmi_image_uses {
    uint32_t tile_layers, quad_layers; /* with it that show something; damaged ones count */
    bool any_cell;                     /* an automatic automapper or a damaged layer: any cell may be used */
    bool cells[TMI_IMAGE_CELLS];       /* design tiles of that index; never 0, which shows nothing */
} tmi_image_uses;
/* Counts the uses of all images: map->num_images elements, zeroed here. Keeps nothing unpacked. */
tm_status tmi_map_image_uses(tmi_image_uses *uses, const tm_map *map, tm_error *error);

/*
 * Work on pixels in memory: rows from the top, 4 bytes RGBA each, straight alpha. The cells of a picture are
 * its floor(width / 16) x floor(height / 16) parts; what is left over at the right and the bottom belongs to
 * none. Each counts the pixels that have changed.
 */
typedef struct tmi_pixels {
    uint8_t *rgba;
    uint32_t width, height;
} tmi_pixels;
/* The pixels of an embedded image, of the allocator; none after a failure. */
tm_status tmi_image_pixels(tmi_pixels *out, const tm_map *map, const tm_image *image,
                           const tm_allocator *allocator, tm_error *error);
/*
 * Gives pixels that are not visible at all (alpha 0) the color of what is next to them, as DDNet's editor and
 * its tool `dilate` do (image_pixels.c); with `cells`, each cell by itself. Alpha stays.
 */
tm_status tmi_pixels_dilate(uint64_t *changed, const tmi_pixels *picture, bool cells,
                            const tm_allocator *allocator, tm_error *error);
/* Makes cells that are not kept zero, and those that are not visible at all. */
uint64_t tmi_pixels_blank(const tmi_pixels *picture, const bool keep[TMI_IMAGE_CELLS]);
/* Makes all pixels zero. */
uint64_t tmi_pixels_clear(const tmi_pixels *picture);
/* Makes pixels of alpha 0 zero. */
uint64_t tmi_pixels_clear_hidden(const tmi_pixels *picture);
/*
 * Fills `target`, which is not smaller, with the stretched `source`; each pixel is the mean of what lies
 * below it, weighted by alpha. Sides of multiples of 16 so get the cells where games cut them.
 */
void tmi_pixels_stretch(const tmi_pixels *target, const tmi_pixels *source);
/* --------------------------------------------------------------------------------- references of a layer */

/* Sees one index, which refers to an object of the kind field->refers, and may change it. */
typedef void tmi_visit_reference(void *ctx, const tm_field *field, int32_t *index);
/* Those in the struct of an owner, and in that of a layer by its kind. */
void tmi_visit_element(tm_owner owner, void *object, tmi_visit_reference *visit, void *ctx);
void tmi_visit_references(tm_layer *layer, tmi_visit_reference *visit, void *ctx);
/* The block that has more of them; NULL if there is none. */
const tm_block *tmi_referring_block(const tm_layer *layer);
/* Those in its bytes, which are written only where the visitor changed an index; NULL bytes have none. */
void tmi_visit_packed_references(const tm_layer *layer, void *bytes, tmi_visit_reference *visit, void *ctx);
/* All of a layer, for a visitor that changes none; the elements are unpacked for that time only. */
tm_status tmi_read_references(const tm_map *map, const tm_layer *layer, tmi_visit_reference *visit, void *ctx,
                              tm_error *error);
/*
 * All of them, of a layer of the map. The elements are unpacked to look at them, and count as changed only if
 * an index in them changes. May fail half done.
 */
tm_status tmi_layer_map_references(tm_map *map, tm_layer *layer, tmi_visit_reference *visit, void *ctx,
                                   tm_error *error);

/* A visitor's ctx: what refers to object `from` of a kind refers to `to` then. */
typedef struct tmi_redirection {
    tm_object object;
    int32_t from, to;
    uint32_t num; /* of the references so far */
} tmi_redirection;
void tmi_redirect(void *ctx, const tm_field *field, int32_t *index);
/* Redirects those in the structs of layers, as all to images and sounds are; returns their number. */
uint32_t tmi_redirect_layers(tm_map *map, tm_object object, uint32_t from, uint32_t to);

/* ------------------------------------------------------------------------------------ assembling again */

/* Room for an object of any list. */
typedef union tmi_any_object {
    tm_image image;
    tm_sound sound;
    tm_envelope envelope;
    tm_group group;
    tm_layer layer;
} tmi_any_object;

/* Room for an element of any list. */
typedef union tmi_any_element {
    tm_envelope_point point;
    tm_quad quad;
    tm_sound_source source;
    tm_old_source old;
} tmi_any_element;
/*
 * A copy of one object's struct for a map: TM_OWNER_IMAGE, SOUND, ENVELOPE, LAYER, or GROUP, which comes
 * without its layers. References stay as they are. What it remembers of another map's file is forgotten.
 */
tm_status tmi_object_copy(tm_map *map, tm_owner owner, void *out, const tm_map *source, const void *original,
                          tm_error *error);
void tmi_object_release(tm_map *map, tm_owner owner, void *object);
/* What the caller knows an object by (`user`) stays with the original: for copies, with layers of a group. */
void tmi_object_forget_user(tm_owner owner, void *object);
/* Where an image, sound, envelope, group or layer remembers its item. */
tm_origin *tmi_object_origin(tm_owner owner, void *object);
/* The blocks that an object owns, at most two. */
uint32_t tmi_object_blocks(tm_owner owner, void *object, tm_block **slots[2]);

/* ------------------------------------------------------------------------------- what could not be read */

/* Where an object keeps the block of a field that could not be read; NULL: the field can always be read. */
static inline tm_block **tmi_unread_slot(const tm_field *field, void *object)
{
    return field && object && field->unread ? (tm_block **)(void *)((char *)object + field->unread) : NULL;
}
enum { TMI_MAX_UNREAD = 5 };
/* Where an object (also the info) keeps the blocks of values that could not be read; see tm_field_unread. */
uint32_t tmi_unread_slots(tm_owner owner, void *object, tm_block **slots[TMI_MAX_UNREAD]);
bool tmi_any_unread(tm_owner owner, const void *object);
/* Makes those of `out`, which are not looked at, copies of those of `original`. */
tm_status tmi_unread_copy(tm_map *map, tm_owner owner, void *out, const tm_map *source_map,
                          const void *original, tm_error *error);
/* Gives an object of the map, which has none, a copy of the block of another one's value. */
tm_status tmi_unread_put(tm_map *map, void *object, const void *original, const tm_field *field,
                         tm_error *error);
/*
 * Whether two objects both have the value, or could both not read it and it is known to have the same bytes.
 * False may mean anything. Values that were read are not looked at.
 */
bool tmi_unread_same(const tm_field *field, const void *a, const void *b);
/* Whether at least one of two objects could not read the value. */
bool tmi_unread_either(const tm_field *field, const void *a, const void *b);
/* TM_ERROR_UNSUPPORTED, with the field's name, if the value could not be read: nothing may be put over it. */
tm_status tmi_unread_refuse(const tm_field *field, const void *object, tm_error *error);
tm_status tmi_unread_refuse_settings(const tm_map *map, tm_error *error);

/* Where the objects of a map that is made again come from: TM_NONE for a new one, which starts as usual. */
typedef struct tmi_arrangement {
    const int32_t *old_indices[4]; /* by tm_object: of each object its old index */
    uint32_t num[4];
    const int32_t *layers;      /* of all groups, one after the other: old number among all layers */
    const uint32_t *num_layers; /* of each group */
} tmi_arrangement;
/*
 * Drops, moves and adds objects, all at once; each old one is named once at most. References follow, those to
 * dropped objects become TM_NONE, and so do indices inside data that led to nothing and would lead to
 * something now. New layers are of kind TM_LAYER_UNKNOWN. May fail half done: for clones.
 */
tm_status tmi_map_assemble(tm_map *map, const tmi_arrangement *arrangement, tm_error *error);

/* -------------------------------------------------------------------------------------- objects as JSON */

/* Where objects are written, and how references to others are: by name, or by number where that is NULL. */
struct tmi_out;
typedef struct tmi_object_out {
    struct tmi_out *writer;
    const char *(*name)(const void *names, tm_object kind, int64_t index); /* may be NULL, and return it */
    const void *names;
    bool sizes; /* with counts, sizes of blocks and second readings of fields, which nobody reads back */
} tmi_object_out;
/* All members of an object but blocks and lists, into the braces that are open. */
void tmi_object_put(const tmi_object_out *out, tm_owner owner, const void *object);
/* One element, and a list: behind the first three fields, those that are as in new ones are left out. */
void tmi_element_put(const tmi_object_out *out, const char *name, tm_owner owner, const void *element,
                     uint32_t num_values);
void tmi_elements_put(const tmi_object_out *out, const char *name, tm_owner owner, const void *elements,
                      uint32_t num, uint32_t num_values);
void tmi_points_put(const tmi_object_out *out, const tm_envelope *envelope);
void tmi_value_put(const tmi_object_out *out, const char *key, const tm_field *field, const tm_value *value);
/* TM_ERROR_USAGE for an address that leads to no object with fields. */
tm_status tmi_check_address(const tm_map *map, const tm_address *address, tm_error *error);

/* How objects are read: texts go to the map, references to the objects that `find` knows. */
struct tm_json;
typedef struct tmi_object_in {
    tm_map *map;
    bool foreign; /* references are to objects of another map, by number, and are not checked */
    int32_t (*find)(void *ctx, tm_object kind, const char *name); /* TM_NONE for none; NULL: by number */
    /* What cannot be, or a member that nothing has; after TM_OK reading goes on. */
    tm_status (*fault)(void *ctx, const struct tm_json *node, bool unknown, const char *text);
    void *ctx;
    tm_error *error;
} tmi_object_in;
/* An object, and the owners of its fields: one, or two of layers. */
typedef struct tmi_fields_of {
    tm_owner owners[2];
    uint32_t num_owners;
    void *object;
} tmi_fields_of;
/* Those of a layer that is of a kind, or will be. */
tmi_fields_of tmi_fields_of_layer(tm_layer *layer, tm_layer_kind kind);
/* Gives all plain fields of an object their first values, on zeroed memory. */
void tmi_fields_start(const tmi_fields_of *target);
/* One member, and whether it is a plain field or has some within. */
bool tmi_member_known(const tmi_fields_of *target, const char *name);
tm_status tmi_member_read(const tmi_object_in *reader, const tmi_fields_of *target,
                          const struct tm_json *member);
/* The first values, and then all members; blocks and lists are left to the caller. */
tm_status tmi_object_read(const tmi_object_in *reader, const tmi_fields_of *target,
                          const struct tm_json *node);
/* One value; *fine is false after a fault. Texts stay those of the node. */
tm_status tmi_value_read(const tmi_object_in *reader, const tm_field *field, const struct tm_json *node,
                         tm_value *out, bool *fine);
/* Digits of bytes, with a NUL behind them that does not count. */
tm_status tmi_hex_read(const tmi_object_in *reader, const struct tm_json *node, tm_buffer *out);

/* ------------------------------------------------------------------------------------ arrays, for loading */

/*
 * tmi_field_set_any for those who make objects from nothing: also sets what otherwise only a setter changes
 * (kinds, sizes), but no lists and blocks.
 */
tm_status tmi_field_make(tm_map *map, void *object, const tm_field *field, uint32_t index,
                         const tm_value *value, tm_error *error);

/*
 * Makes the arrays of an empty map or group `num` zeroed elements long, all at once; the loader fills them.
 * References in zeroed layers are 0: the loader sets them.
 */
tm_status tmi_map_reserve(tm_map *map, tm_object kind, uint32_t num, tm_error *error);
tm_status tmi_group_reserve(tm_map *map, tm_group *group, uint32_t num_layers, tm_error *error);
/* Makes room for the points of an envelope, zeroed. */
tm_status tmi_envelope_reserve(tm_map *map, tm_envelope *envelope, uint32_t num_points, tm_error *error);
/* Ends the use of its points, which are those of no envelope or common ones afterwards. */
void tmi_envelope_release_points(tm_map *map, tm_envelope *envelope);
/* Makes zeroed points for all envelopes of a map that is loaded; an envelope then points into them. */
tm_status tmi_map_make_common_points(tm_map *map, uint32_t num, tm_error *error);
static inline bool tmi_points_are_common(const tm_map *map, const tm_envelope *envelope)
{
    const tmi_common_points *common = map->priv->common_points;
    return common && envelope->num_points && envelope->points >= common->points &&
           envelope->points < common->points + common->num;
}
/* Before its points are written: gives it a copy of those that it has in common with others. */
tm_status tmi_envelope_own(tm_map *map, tm_envelope *envelope, tm_error *error);
/* Makes room for the settings, all NULL. */
tm_status tmi_settings_reserve(tm_map *map, uint32_t num, tm_error *error);

/* ------------------------------------------------------------------------- of this library's rooms alone */

bool tmi_field_in_game(const tm_field *field, tm_game game);
/*
 * TM_ERROR_USAGE if no game accepts the value, or if it refers to an object that the map does not have. The
 * error names the field, the value and what is allowed.
 */
tm_status tmi_field_check(const tm_map *map, const tm_field *field, const tm_value *value, tm_error *error);
/* The same, but also takes values that no game accepts: whatever the model can hold. */
tm_status tmi_field_set_any(tm_map *map, void *object, const tm_field *field, uint32_t index,
                            const tm_value *value, tm_error *error);
/*
 * The same for one object of each map: image, sound, envelope, group with its layers, layer, or the whole
 * map. The addresses are of one kind; layers may be of two kinds, which is a difference, and then only what
 * all layers have is compared besides.
 */
tm_status tmi_object_compare(const tm_map *a, const tm_address *address, const tm_map *b,
                             const tm_address *other, const tm_compare_options *options,
                             tm_difference_visit *visit, void *ctx, tm_error *error);
/* Whether they differ in nothing; addresses as above. */
tm_status tmi_objects_equal(bool *equal, const tm_map *a, const tm_address *address, const tm_map *b,
                            const tm_address *other, tm_error *error);
/* The elements of a layer of quads or sound sources, which count as changed; NULL if there are none. */
tm_status tmi_map_edit_elements(void **elements, uint32_t *num, tm_map *map, const tm_layer *layer,
                                tm_error *error);
/* Quads or sources of a layer, or points of an envelope. */
tm_status tmi_map_insert_elements(tm_map *map, const tm_address *address, uint32_t index,
                                  const void *elements, uint32_t num, tm_error *error);
tm_status tmi_map_remove_elements(tm_map *map, const tm_address *address, uint32_t index, uint32_t num,
                                  tm_error *error);

/* Addresses of images, sounds, envelopes, groups stand in the order of tm_object; false for others. */
static inline tm_address_kind tmi_address_kind_of(tm_object object)
{
    return (tm_address_kind)((unsigned)TM_ADDRESS_IMAGE + (unsigned)object);
}
static inline bool tmi_object_of(tm_object *out, tm_address_kind kind)
{
    *out = TM_OBJECT_IMAGE;
    if (kind < TM_ADDRESS_IMAGE || kind > TM_ADDRESS_GROUP)
        return false;
    *out = kind - TM_ADDRESS_IMAGE;
    return true;
}
uint32_t tmi_num_objects(const tm_map *map, tm_object object);
/* The object that an address leads to, and whose fields it has; NULL if there is none. */
const void *tmi_map_object(const tm_map *map, const tm_address *address, tm_owner *owner);
void *tmi_map_object_edit(tm_map *map, const tm_address *address, tm_owner *owner);
/* NULL if there is no such object or it has none. */
const char *tmi_object_name(const tm_map *map, const tm_address *address);
/* An object of a kind other than number `but` that has a name; UINT32_MAX: none. NULL is as "". */
uint32_t tmi_find_named(const tm_map *map, tm_address_kind kind, const char *name, uint32_t but);
/* Walks over images, sounds, envelopes, groups and layers; begins behind {TM_ADDRESS_MAP}. */
bool tmi_next_object(const tm_map *map, tm_address *address);
/* "image", "group", ...; "map" for the whole. */
const char *tmi_address_word(tm_address_kind kind);
/* Whether an address is the path of a group or a layer: no word such as "image" stands in front. */
bool tmi_address_is_path(const char *text);
/* A field of an object by name; of a layer also one of its kind, which is the owner then. NULL: none. */
const tm_field *tmi_field_of(tm_owner *owner, const void *object, const char *name);
/* Tries all names of an owner's fields. */
void tmi_suggest_fields(tm_suggestion *meant, tm_owner owner);
/* The bounds that are in force, also where the row leaves them to the storage. False: not a number. */
bool tmi_field_range(const tm_field *field, int64_t *min, int64_t *max);

/* False where the object's guard says no, as for the automapper of a layer without one. */
bool tmi_field_present(const tm_field *field, const void *object);

/* --------------------------------------------------------------------------------------------- find_mod.c */

/* How many tiles of each index the game and the front layer have; other kinds are not looked at. */
typedef struct tmi_tile_counts {
    uint64_t counts[TM_LAYER_FRONT + 1][TM_TILE_INDICES];
} tmi_tile_counts;
/*
 * The mod of the table for which a map seems to be made; NULL: none. Either one whose tiles have other
 * meanings (TM_MOD_RULES_NONE), or one of the others. *by_name: groups, settings or images tell it.
 */
const tm_mod *tmi_map_mod(char *reason, size_t size, bool *by_name, const tm_map *map,
                          const tmi_tile_counts *tiles, bool with_own_tiles);
/* Whether some setting is a command of this name. */
bool tmi_map_has_command(const tm_map *map, const char *name);
/* Whether a mod of the table that adds to a game's tiles knows one of a game or front layer. */
bool tmi_is_tile_of_mods(tm_layer_kind kind, uint8_t index);

#endif

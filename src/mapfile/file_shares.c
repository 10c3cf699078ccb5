/* SPDX-License-Identifier: Zlib */
/*
 * Finds the object that each byte of a file belongs to. The COLLECT pass of saving gives the objects of
 * blocks, the objects' origins those of items. Items and blocks are then walked in the order of the file,
 * since they may overlap and leave gaps.
 */
#include "save_map.h"

const char *tm_bytes_name(tm_bytes_kind kind)
{
    static const char *const names[] = {
#define BYTES_NAME(constant, number, id) [number] = id,
        TM_BYTES_KINDS(BYTES_NAME)
#undef BYTES_NAME
    };
    return (size_t)kind < TMI_COUNT_OF(names) ? names[kind] : NULL;
}

const char *tm_bytes_meaning(tm_bytes_kind kind)
{
    static const char *const meanings[] = {[TM_BYTES_HEAD] = "header and tables of the file",
                                           [TM_BYTES_ITEMS] = "numbers and names of objects",
                                           [TM_BYTES_POINTS] = "points of envelopes",
                                           [TM_BYTES_TEXTS] = "names of images and sounds, texts of the info",
                                           [TM_BYTES_SETTINGS] = "server settings",
                                           [TM_BYTES_IMAGES] = "pixels of embedded images",
                                           [TM_BYTES_SOUNDS] = "Opus data of embedded sounds",
                                           [TM_BYTES_TILES] = "design tiles",
                                           [TM_BYTES_PHYSICS] = "tiles of physics layers",
                                           [TM_BYTES_COMPAT] = "empty tiles next to physics, for Teeworlds",
                                           [TM_BYTES_QUADS] = "quads",
                                           [TM_BYTES_SOURCES] = "sound sources",
                                           [TM_BYTES_OTHER] = "data that no object uses",
                                           [TM_BYTES_GAPS] = "bytes that nothing refers to"};
    return (size_t)kind < TMI_COUNT_OF(meanings) ? meanings[kind] : NULL;
}

/* ------------------------------------------------------------------------------------------- whose it is */

typedef struct byte_owner {
    tm_address object;
    tm_bytes_kind kind;
} byte_owner;

typedef struct sharing {
    const tm_map *map;
    const tmi_file *file;
    byte_owner *items, *data; /* by number */
    uint32_t num_items, num_data;
    uint64_t *order; /* of all items and blocks: where it begins << NUMBER_BITS | number, items first */
    tm_bytes_visitor *visit;
    void *ctx;
} sharing;

enum { NUMBER_BITS = 28 };

static void own_item(sharing *s, tm_origin origin, tm_address object)
{
    if (origin.file == &s->file->base && origin.item < s->num_items)
        s->items[origin.item] = (byte_owner){object, TM_BYTES_ITEMS};
}

static void own_points(sharing *s, unsigned kind)
{
    tm_datafile_item item;
    uint32_t index;
    for (uint32_t k = 0; tmi_file_item(s->file, kind, k, &item, &index); k++)
        s->items[index].kind = TM_BYTES_POINTS;
}

static void own_items(sharing *s)
{
    tm_address address = {TM_KIND_MAP, 0, 0};
    tm_kind owner;
    for (uint32_t i = 0; i < s->num_items; i++)
        s->items[i] = (byte_owner){address, TM_BYTES_ITEMS};
    own_item(s, s->map->info.origin, (tm_address){TM_KIND_INFO, 0, 0});
    while (tmi_next_object(s->map, &address)) {
        const void *object = tmi_map_object(s->map, &address, &owner);
        own_item(s, *tmi_object_origin(owner, (void *)(uintptr_t)object), address);
    }
    if (s->file->is_map) {
        own_points(s, TM_ITEM_ENVELOPE_POINTS);
        own_points(s, TMI_KIND_UUID + TM_UUID_BEZIER);
    }
}

/* The kind of the bytes that a claim, the `nth` of its object, is for; the last of the info: settings. */
static tm_bytes_kind kind_of_claim(const tm_map *map, const tmi_claim *claim, size_t nth)
{
    enum { SETTINGS_CLAIM = 4 };
    const tm_address *address = &claim->address;
    switch (address->kind) {
    case TM_KIND_INFO: return nth == SETTINGS_CLAIM ? TM_BYTES_SETTINGS : TM_BYTES_TEXTS;
    case TM_KIND_IMAGE: return claim->block ? TM_BYTES_IMAGES : TM_BYTES_TEXTS;
    case TM_KIND_SOUND: return claim->block ? TM_BYTES_SOUNDS : TM_BYTES_TEXTS;
    case TM_KIND_LAYER: break;
    default: return TM_BYTES_OTHER;
    }
    const tm_layer *layer = &map->groups[address->index].layers[address->layer];
    const tm_layer_info *info = tm_game_layer(layer->kind);
    if (info->is_tiles && layer->as.tiles.compat == claim->block)
        return TM_BYTES_COMPAT;
    if (info->is_tiles)
        return info->is_physics ? TM_BYTES_PHYSICS : TM_BYTES_TILES;
    return layer->kind == TM_LAYER_QUADS ? TM_BYTES_QUADS : TM_BYTES_SOURCES;
}

/* -------------------------------------------------------------------------------------- where it lies */

typedef struct byte_range {
    uint64_t start, size;
} byte_range;

/* The bytes of an item or block in the file; an empty range for an item that has no place there. */
static byte_range range_in_file(const sharing *s, uint32_t number, uint64_t *unpacked)
{
    enum { ITEM_HEADER = 8 };
    tm_datafile_item item;
    tm_datafile_data data = {0};
    if (number >= s->num_items) {
        tm_datafile_get_data(&data, s->file->datafile, number - s->num_items);
        *unpacked = data.size;
        return (byte_range){data.offset, data.packed_size};
    }
    *unpacked = 0;
    if (!tm_datafile_get_item(&item, s->file->datafile, number) || item.offset < 0)
        return (byte_range){0, 0};
    *unpacked = (uint64_t)item.size + ITEM_HEADER;
    return (byte_range){(uint64_t)item.offset, *unpacked};
}

/* The bytes that belong to no item and no block, in the head and behind it. */
typedef struct unowned {
    uint64_t head, behind;
} unowned;

static void add_unowned(unowned *sum, uint64_t from, uint64_t end, uint64_t head_size)
{
    const uint64_t middle = from < head_size ? (end < head_size ? end : head_size) : from;
    sum->head += middle - from;
    sum->behind += end - middle;
}

/* Walks over all items and blocks, and calls the visitor if `tells`. Returns false if the visitor ends it. */
static bool walk_file(sharing *s, unowned *rest, bool tells)
{
    tm_datafile_header header;
    uint64_t done = 0, unpacked;
    memset(rest, 0, sizeof(*rest));
    tm_datafile_get_header(&header, s->file->datafile);
    for (uint32_t i = 0; i < s->num_items + s->num_data; i++) {
        const uint32_t number = (uint32_t)(s->order[i] & (((uint64_t)1 << NUMBER_BITS) - 1));
        const byte_range range = range_in_file(s, number, &unpacked);
        const uint64_t from = range.start < header.file_size ? range.start : header.file_size;
        const uint64_t left = header.file_size - from, end = from + (range.size < left ? range.size : left);
        if (range.size && from > done)
            add_unowned(rest, done, from, header.head_size);
        const bool is_item = number < s->num_items;
        const uint32_t index = is_item ? number : number - s->num_items;
        const byte_owner *owner = is_item ? &s->items[index] : &s->data[index];
        const tm_bytes_share share = {owner->kind,
                                      owner->object,
                                      {is_item ? TM_KIND_ITEM : TM_KIND_DATA, index, 0},
                                      end > done ? end - (from > done ? from : done) : 0,
                                      unpacked};
        if (tells && !s->visit(s->ctx, &share))
            return false;
        done = range.size && end > done ? end : done;
    }
    add_unowned(rest, done, header.file_size, header.head_size);
    return true;
}

static tm_status visit_shares(sharing *s, tm_error *error)
{
    const tm_address whole = {TM_KIND_MAP, 0, 0};
    const uint32_t num = s->num_items + s->num_data;
    unowned rest;
    uint64_t unpacked;
    size_t nth = 0; /* claim of its object */
    tmi_saver saver;
    own_items(s);
    for (uint32_t i = 0; i < s->num_data; i++)
        s->data[i] = (byte_owner){whole, TM_BYTES_OTHER};
    const tm_status status = tmi_claims_begin(&saver, s->map, error);
    for (size_t i = 0; status == TM_OK && i < saver.io.claims.num; i++) {
        const tmi_claim *claim = &saver.io.claims.list[i];
        nth = i && memcmp(&claim->address, &claim[-1].address, sizeof(claim->address)) == 0 ? nth + 1 : 0;
        if (claim->kind == TMI_CLAIM_ORIGIN && (uint32_t)claim->raw < s->num_data &&
            s->data[claim->raw].kind == TM_BYTES_OTHER)
            s->data[claim->raw] = (byte_owner){claim->address, kind_of_claim(s->map, claim, nth)};
    }
    tmi_save_end(&saver);
    TM_TRY(status);
    if (num >> NUMBER_BITS)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "%u items and blocks are too many", (unsigned)num);
    for (uint32_t i = 0; i < num; i++) {
        const uint64_t start = range_in_file(s, i, &unpacked).start;
        s->order[i] = (start >> (64 - NUMBER_BITS) ? UINT64_MAX << NUMBER_BITS : start << NUMBER_BITS) | i;
    }
    tmi_sort_u64(s->order, num);
    walk_file(s, &rest, false);
    if (s->visit(s->ctx, &(tm_bytes_share){TM_BYTES_HEAD, whole, whole, rest.head, rest.head}) &&
        walk_file(s, &rest, true) && rest.behind)
        s->visit(s->ctx, &(tm_bytes_share){TM_BYTES_GAPS, whole, whole, rest.behind, rest.behind});
    return TM_OK;
}

tm_status tm_mapfile_each_share(const tm_map *map, tm_bytes_visitor *visit, void *ctx, tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    if (!visit)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "visit is NULL");
    sharing s = {.map = map, .file = tmi_file_of(map), .visit = visit, .ctx = ctx};
    if (!s.file)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the map comes from no file");
    tmi_arena arena;
    tmi_arena_init(&arena, tmi_map_allocator(map));
    s.num_items = tm_datafile_num_items(s.file->datafile);
    s.num_data = tm_datafile_num_data(s.file->datafile);
    const size_t num = (size_t)s.num_items + s.num_data;
    s.items = tmi_arena_alloc(&arena, num + 1, sizeof(*s.items));
    s.order = tmi_arena_alloc(&arena, num + 1, sizeof(*s.order));
    s.data = s.items ? s.items + s.num_items : NULL;
    const tm_status status = s.items && s.order
                                 ? visit_shares(&s, error)
                                 : tmi_fail_memory(error, num * sizeof(*s.items), "the list of blocks");
    tmi_arena_release(&arena);
    return status;
}

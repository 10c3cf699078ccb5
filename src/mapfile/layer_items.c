/* SPDX-License-Identifier: Zlib */
/*
 * Layer items (sections 2.7 to 2.10): tile layers of versions 2 to 4 with all lengths of their tail, quads,
 * sounds, and kinds that no game knows.
 *
 * A tile layer, in ints:
 *   0 unused  1 type  2 flags  3 version  4,5 size  6 tile flags  7..10 color  11 color envelope
 *   12 its offset  13 image  14 data
 *   version 2:  15.. data of tele, speedup, front, switch, tune
 *   version 3, 4:  15..17 name  18.. the same five
 */
#include "mapfile.h"

enum {
    LAYER_TYPE = 1,
    LAYER_FLAGS = 2,
    LAYER_VERSION = 3,
    TILES_WIDTH = 4,
    TILES_HEIGHT = 5,
    TILES_FLAGS = 6,
    TILES_COLOR = 7,
    TILES_DATA = 14,
    TILES_TAIL = 15, /* name, or the first physics index in version 2 */
    NAME_INTS = 3,
    NUM_PHYSICS = 5
};

/* The physics kinds whose data have a place of their own, in the order of the tail. */
static const tm_layer_kind tail_kinds[NUM_PHYSICS] = {TM_LAYER_TELE, TM_LAYER_SPEEDUP, TM_LAYER_FRONT,
                                                      TM_LAYER_SWITCH, TM_LAYER_TUNE};

static uint32_t tail_start(int32_t version)
{
    return version >= 3 ? TILES_TAIL + NAME_INTS : TILES_TAIL;
}

/* Where the item of a tile layer has the index of its own tiles. */
static uint32_t tiles_place(tm_layer_kind kind, int32_t version)
{
    for (uint32_t i = 0; i < NUM_PHYSICS; i++)
        if (tail_kinds[i] == kind)
            return tail_start(version) + i;
    return TILES_DATA;
}

int32_t tmi_layer_data_index(const tmi_file *file, const tm_layer *layer)
{
    tm_datafile_item item;
    if (!tm_datafile_get_item(&item, file->datafile, layer->origin.item))
        return TM_NONE;
    const int32_t version = tm_datafile_item_int(&item, LAYER_VERSION, 0);
    const int32_t index = tm_datafile_item_int(&item, tiles_place(layer->kind, version), TM_NONE);
    return index >= 0 && (uint32_t)index < tm_datafile_num_data(file->datafile) ? index : TM_NONE;
}

static const int32_t new_tiles[] = {0,  TM_LAYER_TYPE_TILES, 0,  3,  0,  0,  0, 255, 255, 255, 255, -1, 0, -1,
                                    -1, TMI_EMPTY_NAME,      -1, -1, -1, -1, -1};
static const int32_t new_quads[] = {0, TM_LAYER_TYPE_QUADS, 0, 2, 0, -1, -1, TMI_EMPTY_NAME};
static const int32_t new_sounds[] = {0, TM_LAYER_TYPE_SOUNDS, 0, 2, 0, -1, -1, TMI_EMPTY_NAME};

/* Fills the item of a layer that the file does not have with the ints of an empty layer of its kind. */
static void start_new(tmi_item_io *io, const tm_layer *layer)
{
    const tm_layer_info *info = tm_game_layer(layer->kind);
    const int32_t *ints = info->is_tiles ? new_tiles : layer->kind == TM_LAYER_QUADS ? new_quads : new_sounds;
    uint32_t num = TMI_COUNT_OF(new_sounds);
    if (info->is_tiles) /* only DDNet knows the five indices at the end */
        num =
            io->map->game == TM_GAME_DDNET ? TMI_COUNT_OF(new_tiles) : TMI_COUNT_OF(new_tiles) - NUM_PHYSICS;
    for (uint32_t k = 0; k < num; k++)
        tmi_io_put(io, k, ints[k]);
    tmi_io_put(io, LAYER_TYPE, info->layer_type);
    if (info->is_tiles) {
        tmi_io_put(io, TILES_FLAGS, info->tile_flags);
        if (io->map->game == TM_GAME_TEEWORLDS07)
            tmi_io_put(io, LAYER_VERSION, 4);
    }
}

/* -------------------------------------------------------------------------------------------- tile layers */

/* The kind by the flags, in the order in which DDNet asks; bits above are ignored. */
static tm_layer_kind kind_of_flags(tmi_item_io *io, int32_t flags)
{
    static const tm_layer_kind order[] = {TM_LAYER_GAME,  TM_LAYER_TELE,   TM_LAYER_SPEEDUP,
                                          TM_LAYER_FRONT, TM_LAYER_SWITCH, TM_LAYER_TUNE};
    tm_layer_kind kind = TM_LAYER_TILES;
    unsigned num = 0;
    for (size_t i = TMI_COUNT_OF(order); i-- > 0;) {
        if (flags & tm_game_layer(order[i])->tile_flags) {
            kind = order[i];
            num++;
        }
    }
    if (num > 1) {
        io->file->hold_numbers = true;
        io->file->notes[io->item].withheld |= TMI_WITHHELD_TILES;
        tmi_io_report(io, TM_FINDING_SEVERAL_PHYSICS_FLAGS,
                      "the flags %d stand for %u kinds of physics layers; it counts as %s", flags, num,
                      tm_game_layer(kind)->name);
    }
    return kind;
}

/* A name needs version 3, which has it between the general data index and the five others. */
static void tile_name(tmi_item_io *io, tm_layer *layer, int32_t *version)
{
    if (*version < 3 && io->pass != TMI_LOAD && layer->name[0]) {
        uint32_t tail = io->num > TILES_TAIL ? io->num - TILES_TAIL : 0;
        tmi_io_need(io, TILES_DATA, 0);
        tmi_io_need(io, TILES_TAIL, -1);
        tmi_io_need(io, TILES_TAIL + NAME_INTS + tail, -1);
        if (io->status != TM_OK)
            return;
        uint8_t *name = io->body + (size_t)4 * TILES_TAIL;
        memmove(name + (size_t)4 * NAME_INTS, name, (size_t)4 * tail);
        tmi_name_encode(name, NAME_INTS, "");
        tmi_io_put(io, LAYER_VERSION, *version = 3);
    }
    if (*version >= 3)
        tmi_io_name(io, TILES_TAIL, NAME_INTS, layer->name, TM_FINDING_BAD_LAYER_NAME);
}

static void tile_blocks(tmi_item_io *io, tm_layer *layer, int32_t version)
{
    tm_tile_layer *tiles = &layer->as.tiles;
    uint64_t num = (uint64_t)tiles->width * tiles->height;
    const uint32_t place = tiles_place(layer->kind, version);
    tmi_encoding view = tmi_encoding_of(layer->kind);
    for (uint32_t i = 0; i < NUM_PHYSICS; i++)
        tmi_io_absent(io, tail_start(version) + i, TM_NONE);
    if (place != TILES_DATA) /* the array for vanilla comes first in the file */
        if (io->fresh && !tiles->compat)
            tmi_io_zeros(io, TILES_DATA, num * sizeof(tm_tile));
        else
            tmi_io_block(io, TILES_DATA, &tiles->compat, TMI_ENCODING_BYTES, 0, TM_FINDING_BAD_REFERENCE);
    else if (version >= 4)
        view = TMI_ENCODING_RUNS;
    if (view != TMI_ENCODING_RUNS) {
        tmi_io_want(io, TILES_DATA, num * sizeof(tm_tile));
        tmi_io_want(io, place, num * tm_game_layer(layer->kind)->element_size);
    }
    if (place >= io->num)
        tmi_io_report(io, TM_FINDING_NO_PHYSICS_DATA,
                      "the item is too short: it ends before the index of the layer's tiles");
    tmi_io_block(io, place, &tiles->tiles, view, num * tm_game_layer(layer->kind)->element_size,
                 TM_FINDING_BAD_DATA_INDEX);
    /* Tiles that the data are far too short for have their finding: the loader only looks at the index. */
    const int32_t index = tmi_io_raw(io, place, TM_NONE);
    if (io->pass == TMI_LOAD && !tiles->tiles && (index < 0 || (uint32_t)index >= io->num_data))
        tmi_io_report(io, TM_FINDING_BAD_DATA_INDEX, "the layer has no tiles");
}

static void tile_layer(tmi_item_io *io, tm_layer *layer)
{
    tm_tile_layer *tiles = &layer->as.tiles;
    int32_t version = tmi_io_raw(io, LAYER_VERSION, 0);
    if (io->pass == TMI_LOAD) {
        uint32_t least = version >= 3 ? 18 : 15, most = tail_start(version) + NUM_PHYSICS;
        if (version < 2 || version > 4)
            tmi_io_report(io, TM_FINDING_BAD_TILE_VERSION, "the tile layer has version %d, 2 to 4 are known",
                          version);
        if (io->num < least)
            tmi_io_report(io, TM_FINDING_LAYER_TOO_SHORT,
                          "the item has %u integers, version %d needs at least %u", io->num, version, least);
        tmi_io_most(io, most);
    }
    /* a pair of sizes that makes no sense is loaded as 0 x 0 */
    const int32_t w = tmi_io_raw(io, TILES_WIDTH, 0), h = tmi_io_raw(io, TILES_HEIGHT, 0);
    const bool usable = w > 0 && h > 0 && (int64_t)w * h <= INT32_MAX;
    const uint32_t width = usable ? (uint32_t)w : 0, height = usable ? (uint32_t)h : 0;
    if (io->pass == TMI_LOAD) {
        tiles->width = width;
        tiles->height = height;
        if (!usable)
            io->file->notes[io->item].withheld |= TMI_WITHHELD_SIZE;
        /* a game layer without a size is for tmi_check_structure, which knows whether it is the one played */
        if (usable ? w < 2 || h < 2 : layer->kind != TM_LAYER_GAME)
            tmi_io_report(io, TM_FINDING_BAD_LAYER_SIZE, "the layer has %d x %d tiles", w, h);
    } else if (width != tiles->width || height != tiles->height) {
        tmi_io_put(io, TILES_WIDTH, (int32_t)tiles->width);
        tmi_io_put(io, TILES_HEIGHT, (int32_t)tiles->height);
    }
    tm_color *color = &tiles->color;
    tmi_io_int(io, TILES_COLOR, &color->r, 255);
    tmi_io_int(io, TILES_COLOR + 1, &color->g, 255);
    tmi_io_int(io, TILES_COLOR + 2, &color->b, 255);
    tmi_io_int(io, TILES_COLOR + 3, &color->a, 255);
    const int32_t all = color->r | color->g | color->b | color->a;
    if (layer->kind == TM_LAYER_TILES && (all < 0 || all > 255))
        tmi_io_report(io, TM_FINDING_BAD_COLOR, "the color is %d, %d, %d, %d; 0 to 255 is allowed", color->r,
                      color->g, color->b, color->a);
    tmi_io_reference(io, 11, &tiles->color_envelope, TM_ITEM_ENVELOPE, "envelope");
    tmi_io_int(io, 12, &tiles->color_envelope_offset, 0);
    tmi_io_reference(io, 13, &tiles->image, TM_ITEM_IMAGE, "image");
    tile_name(io, layer, &version);
    tile_blocks(io, layer, version);
}

/* ------------------------------------------------------------------------------------------ quads, sounds */

/* Quads and sound layers are alike: 4 number, 5 data, 6 what they use, 7..9 name. */
static void element_layer(tmi_item_io *io, tm_layer *layer, uint32_t *num, tm_block **block)
{
    uint32_t element = tm_game_layer(layer->kind)->element_size;
    int32_t raw_num = tmi_io_raw(io, 4, 0), raw_data = tmi_io_raw(io, 5, TM_NONE);
    /* the layer has as many as its item says, but no more than its data can hold */
    tm_datafile_data data = {0, 0, 0};
    if (io->file && raw_data >= 0)
        tm_datafile_get_data(&data, io->file->datafile, (uint32_t)raw_data);
    uint32_t held = raw_num > 0 ? (uint32_t)raw_num : 0;
    uint64_t there = data.size;
    if (io->file && raw_data >= 0 && (uint32_t)raw_data < io->num_data && there == 0)
        there = tmi_unread_bytes(io->file, (uint32_t)raw_data); /* they are there, but nobody can read them */
    if (there / element < held)
        held = (uint32_t)(there / element);
    if (io->pass == TMI_LOAD) {
        *num = held;
        tmi_io_want(io, 5, raw_num > 0 ? (uint64_t)raw_num * element : 0);
        if (io->num < 7)
            tmi_io_report(io, TM_FINDING_ITEM_TOO_SHORT, "the item has %u integers, at least 7 are needed",
                          io->num);
        if (raw_num < 0 || (uint32_t)raw_num != held)
            tmi_io_report(io, TM_FINDING_BLOCK_SIZE, "the item says %d elements, its data block has %u",
                          raw_num, held);
        tmi_io_most(io, 10);
    } else if (held != *num) {
        tmi_io_put(io, 4, (int32_t)*num);
    }
    tmi_io_elements(io, 5, block, TMI_ENCODING_INTS, element);
    int32_t version = tmi_io_raw(io, LAYER_VERSION, 0);
    bool named = layer->kind != TM_LAYER_QUADS || version >= 2;
    if (!named && io->pass != TMI_LOAD && layer->name[0]) {
        tmi_io_put(io, LAYER_VERSION, 2);
        named = true;
    }
    if (named)
        tmi_io_name(io, 7, NAME_INTS, layer->name, TM_FINDING_BAD_NAME);
}

/* ------------------------------------------------------------------------------------------------- layers */

void tmi_item_layer(tmi_item_io *io, tm_layer *layer)
{
    if (io->pass == TMI_LOAD) {
        if (io->num < 3)
            tmi_io_report(io, TM_FINDING_LAYER_TOO_SHORT, "the item has %u integers, at least 3 are needed",
                          io->num);
        const int32_t type = tmi_io_raw(io, LAYER_TYPE, 0);
        layer->kind = TM_LAYER_UNKNOWN;
        for (int kind = TM_LAYER_QUADS; kind < TM_LAYER_UNKNOWN; kind++)
            if (tm_game_layer((tm_layer_kind)kind)->layer_type == type)
                layer->kind = (tm_layer_kind)kind;
        if (type == tm_game_layer(TM_LAYER_TILES)->layer_type)
            layer->kind = kind_of_flags(io, tmi_io_raw(io, TILES_FLAGS, 0));
        else if (layer->kind == TM_LAYER_UNKNOWN)
            tmi_io_report(io, TM_FINDING_UNKNOWN_LAYER, "layer type %d is unknown", type);
    } else if (io->fresh) {
        start_new(io, layer);
    }
    tmi_io_bit(io, LAYER_FLAGS, 1, &layer->detail);
    if (tm_game_layer(layer->kind)->is_tiles) {
        tile_layer(io, layer);
    } else if (layer->kind == TM_LAYER_QUADS) {
        element_layer(io, layer, &layer->as.quads.num_quads, &layer->as.quads.quads);
        tmi_io_reference(io, 6, &layer->as.quads.image, TM_ITEM_IMAGE, "image");
    } else if (layer->kind != TM_LAYER_UNKNOWN) {
        element_layer(io, layer, &layer->as.sounds.num_sources, &layer->as.sounds.sources);
        tmi_io_reference(io, 6, &layer->as.sounds.sound, TM_ITEM_SOUND, "sound");
    } else {
        tmi_io_unknown(io, LAYER_TYPE);
        if (io->pass == TMI_LOAD)
            io->file->hold_numbers = io->file->base.may_refer = true;
    }
}

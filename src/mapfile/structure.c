/* SPDX-License-Identifier: Zlib */
/*
 * Rules of DDNet 20's loader that need the whole map (section 4.1): which physics layers there are, how large
 * they are against the game layer, and that no two tile layers use the same data. Rules about one item stand
 * where the item is loaded.
 */
#include "mapfile.h"

typedef struct structure {
    tmi_item_io *io;
    const tm_layer *game; /* the last one, as DDNet takes it */
    tm_address game_address;
    uint32_t counts[TM_LAYER_KINDS];
    bool *used; /* by data index: some tile layer has it */
} structure;

static uint64_t num_tiles(const tm_layer *layer)
{
    return (uint64_t)layer->as.tiles.width * layer->as.tiles.height;
}

/* Calls visit for every tile layer, with the item io at its address. */
static void each_tile_layer(structure *s, void (*visit)(structure *s, const tm_layer *layer))
{
    tm_layer_walk at = {0};
    while (tm_map_next_layer(s->io->map, &at)) {
        if (!tm_game_layer(at.layer->kind)->is_tiles)
            continue;
        s->io->address = (tm_address){TM_ADDRESS_LAYER, at.group, at.index};
        visit(s, at.layer);
    }
    s->io->address = (tm_address){TM_ADDRESS_MAP, 0, 0};
}

/* Tile layers cut their image into 16 x 16 tiles. What an external one measures only its file tells. */
static void check_image(structure *s, const tm_layer *layer)
{
    enum { TILES_A_SIDE = 16 };
    const tm_image *image = tm_map_image(s->io->map, layer->as.tiles.image);
    if (!image || image->external || layer->kind != TM_LAYER_TILES || image->width <= 0 || image->height <= 0)
        return;
    if (image->width % TILES_A_SIDE != 0 || image->height % TILES_A_SIDE != 0)
        tmi_io_find(s->io, TM_FINDING_BAD_IMAGE_SIZE,
                    "image %d has %d x %d pixels; for 16 x 16 tiles both must be multiples of 16",
                    layer->as.tiles.image, image->width, image->height);
}

static void first_look(structure *s, const tm_layer *layer)
{
    const tm_block *block = layer->as.tiles.tiles;
    s->counts[layer->kind]++;
    if (layer->kind == TM_LAYER_GAME) {
        s->game = layer;
        s->game_address = s->io->address;
    }
    if (block && s->used[block->data_index])
        tmi_io_find(s->io, TM_FINDING_SHARED_TILES, "data block %u holds the tiles of another layer, too",
                    block->data_index);
    if (block)
        s->used[block->data_index] = true;
    check_image(s, layer);
}

static void compare_with_game(structure *s, const tm_layer *layer)
{
    const tm_tile_layer *tiles = &layer->as.tiles, *game = &s->game->as.tiles;
    if (!tm_game_layer(layer->kind)->is_physics)
        return;
    if (layer->kind != TM_LAYER_GAME && s->io->address.index != s->game_address.index)
        tmi_io_find(
            s->io, TM_FINDING_PHYSICS_APART,
            "the layer is not in group %u, that of the game layer: DDNet's editor does not open such a map",
            (unsigned)s->game_address.index);
    if (num_tiles(layer) < num_tiles(s->game))
        tmi_io_find(s->io, TM_FINDING_PHYSICS_TOO_SMALL,
                    "the layer has %u x %u tiles, fewer than the game layer's %u x %u", tiles->width,
                    tiles->height, game->width, game->height);
    else if (tiles->width != game->width || tiles->height != game->height)
        tmi_io_find(s->io, TM_FINDING_PHYSICS_SIZE, "the layer has %u x %u tiles, the game layer %u x %u",
                    tiles->width, tiles->height, game->width, game->height);
}

static void several_of_a_kind(structure *s)
{
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++)
        if (tm_game_layer((tm_layer_kind)kind)->is_physics && s->counts[kind] > 1)
            tmi_io_find(s->io, TM_FINDING_SEVERAL_PHYSICS_LAYERS,
                        "there are %u %s layers; DDNet uses the last, Teeworlds the first", s->counts[kind],
                        tm_game_layer((tm_layer_kind)kind)->name);
}

tm_status tmi_check_structure(tmi_item_io *io)
{
    const tm_allocator *allocator = io->allocator;
    size_t num_data = io->num_data;
    structure s = {.io = io, .used = tmi_calloc(allocator, num_data, sizeof(bool))};
    tm_status status = TM_OK;
    if (!s.used)
        return tmi_fail_memory(io->error, num_data, "a table of data");
    each_tile_layer(&s, first_look);
    several_of_a_kind(&s);
    if (s.game)
        each_tile_layer(&s, compare_with_game);
    else
        tmi_io_find(io, TM_FINDING_NO_GAME_LAYER, "there is no game layer");
    /* the strict loader fetches the game layer at once, and refuses the map if it cannot */
    io->address = s.game_address;
    if (s.game && io->mode == TM_MODE_STRICT)
        status = tmi_check_tiles(io, s.game);
    tmi_free(allocator, s.used, num_data, sizeof(bool));
    return status;
}

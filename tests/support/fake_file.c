/* SPDX-License-Identifier: Zlib */
/*
 * The origin for tests of the model: blocks in memory instead of a datafile. Must not know datafiles.
 */
#include "fake_file.h"
#include "test.h"

/* --------------------------------------------------------------------------------------------- the origin */

static tm_status fake_read(const tmi_origin *origin, const tm_block *block, void *buffer, tm_error *error)
{
    struct fake_file *file = (struct fake_file *)(uintptr_t)origin;
    atomic_fetch_add(&file->num_reads, 1);
    if (file->fail_with != TM_OK && file->fail_block == block->data_index)
        return tmi_fail(error, file->fail_with, 77, "block %u is broken", (unsigned)block->data_index);
    if (block->size)
        memcpy(buffer, file->bytes[block->data_index], (size_t)block->size);
    return TM_OK;
}

static uint64_t fake_packed_size(const tmi_origin *origin, uint32_t data_index)
{
    return ((const struct fake_file *)origin)->sizes[data_index] / 2 + 1;
}

static void fake_free(tmi_origin *origin)
{
    ((struct fake_file *)origin)->freed = true;
}

static const struct tmi_origin_functions functions = {
    .read = fake_read, .packed_size = fake_packed_size, .free = fake_free};

void fake_file_init(struct fake_file *file)
{
    memset(file, 0, sizeof(*file));
    atomic_init(&file->base.references, 1);
    atomic_init(&file->num_reads, 0);
    file->base.functions = &functions;
}

void fake_file_attach(struct fake_file *file, tm_map *map)
{
    map->priv->origin = &file->base;
}

tm_block *fake_file_block(struct fake_file *file, tm_map *map, tmi_encoding view, const void *bytes,
                          uint64_t size)
{
    tm_block *block;
    uint32_t index = file->num_blocks++;
    if (index >= FAKE_BLOCKS)
        abort();
    file->bytes[index] = bytes;
    file->sizes[index] = size;
    must(tmi_block_new_packed(&block, map, index, view, size, NULL));
    return block;
}

/* ------------------------------------------------------------------------------------- some of everything */

static const uint8_t pixels[2 * 2 * 4] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const uint8_t opus[5] = {'O', 'g', 'g', 'S', 0};
static const tm_tile tiles[4 * 3] = {{1, 0, 0, 0}, {2, 8, 0, 0}, {3, 0, 0, 0}, {4, 0, 0, 0}, {5, 1, 0, 0}};
static const tm_tele_tile tele[4 * 3] = {{1, 10}, {2, 26}};
static const tm_speedup_tile speedups[4 * 3] = {{10, 20, 28, 0, 90}, {1, 0, 29, 0, -45}};
static const tm_switch_tile switches[4 * 3] = {{1, 22, 0, 3}};
static const tm_tune_tile tunes[4 * 3] = {{1, 68}};
static const tm_tile no_tiles[4 * 3];
static const tm_quad quads[3] = {
    {.position_envelope = 0, .color_envelope = 1},
    {.position_envelope = 2, .color_envelope = TM_NONE},
    {.position_envelope = 3, .color_envelope = 1000000}, /* both lead nowhere */
};
static const tm_sound_source sources[2] = {{.position_envelope = 1, .sound_envelope = 2},
                                           {.sound_envelope = TM_NONE}};
static const tm_old_source old_sources[1] = {{.position_envelope = 2, .sound_envelope = 7}};
static const tm_envelope_point points[2] = {{.time = 0, .curve = TM_CURVE_LINEAR, .values = {0, 0, 0, 1024}},
                                            {.time = 1000, .values = {1024, 512, 0, 1024}}};

static void add_tiles(struct fake_file *file, tm_map *map, tm_layer *layer, tm_layer_kind kind,
                      const void *bytes)
{
    const tm_layer_info *rule = tm_game_layer(kind);
    layer->kind = kind;
    tm_map_set_name(layer->name, sizeof(layer->name), rule->title);
    layer->as.tiles = (tm_tile_layer){.width = 4, .height = 3, .color = {255, 255, 255, 255}};
    layer->as.tiles.color_envelope = rule->is_physics ? TM_NONE : 1;
    layer->as.tiles.image = rule->is_physics ? TM_NONE : 0;
    layer->as.tiles.tiles =
        fake_file_block(file, map, tmi_encoding_of(kind), bytes, (uint64_t)rule->element_size * 12);
    if (rule->is_physics && kind != TM_LAYER_GAME)
        layer->as.tiles.compat = fake_file_block(file, map, TMI_ENCODING_BYTES, no_tiles, sizeof(no_tiles));
}

static void add_sources(struct fake_file *file, tm_map *map, tm_layer *layer, tm_layer_kind kind,
                        const void *bytes, uint32_t num)
{
    layer->kind = kind;
    layer->as.sounds.num_sources = num;
    layer->as.sounds.sound = 1;
    layer->as.sounds.sources = fake_file_block(file, map, TMI_ENCODING_INTS, bytes,
                                               (uint64_t)num * tm_game_layer(kind)->element_size);
}

static void add_groups(struct fake_file *file, tm_map *map)
{
    must(tmi_map_reserve(map, TM_KIND_GROUP, 2, NULL));
    must(tmi_group_reserve(map, &map->groups[0], 10, NULL));
    must(tmi_group_reserve(map, &map->groups[1], 2, NULL));
    tm_map_set_name(map->groups[0].name, TM_NAME_SIZE, "Game");
    tm_layer *layers = map->groups[0].layers;
    add_tiles(file, map, &layers[0], TM_LAYER_GAME, tiles);
    add_tiles(file, map, &layers[1], TM_LAYER_TELE, tele);
    add_tiles(file, map, &layers[2], TM_LAYER_SPEEDUP, speedups);
    add_tiles(file, map, &layers[3], TM_LAYER_SWITCH, switches);
    add_tiles(file, map, &layers[4], TM_LAYER_TUNE, tunes);
    layers[5].kind = TM_LAYER_QUADS;
    layers[5].as.quads =
        (tm_quad_layer){3, 1, fake_file_block(file, map, TMI_ENCODING_INTS, quads, sizeof(quads))};
    add_sources(file, map, &layers[6], TM_LAYER_SOUNDS, sources, 2);
    add_sources(file, map, &layers[7], TM_LAYER_OLD_SOUNDS, old_sources, 1);
    layers[8].kind = TM_LAYER_UNKNOWN;
    layers[9].kind = TM_LAYER_QUADS;
    layers[9].as.quads.image = TM_NONE;
    add_tiles(file, map, &map->groups[1].layers[0], TM_LAYER_TILES, tiles);
    add_tiles(file, map, &map->groups[1].layers[1], TM_LAYER_TILES, tiles);
    map->groups[1].layers[1].as.tiles.automapper = (tm_automapper){.present = true, .config = 1, .seed = 7};
}

tm_map *fake_file_map(struct fake_file *file, const tm_allocator *allocator)
{
    tm_map *map;
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    options.allocator = allocator;
    fake_file_init(file);
    must(tm_map_new(&map, &options, NULL));
    fake_file_attach(file, map);
    map->info.author = "somebody";
    must(tmi_settings_reserve(map, 2, NULL));
    map->info.settings[0] = "sv_deepfly 0";
    map->info.settings[1] = "";
    must(tmi_map_reserve(map, TM_KIND_IMAGE, 2, NULL));
    map->images[0] = (tm_image){.name = "grass_main", .external = true, .width = 1024, .height = 1024};
    map->images[1] = (tm_image){.name = "own", .width = 2, .height = 2};
    map->images[1].pixels = fake_file_block(file, map, TMI_ENCODING_BYTES, pixels, sizeof(pixels));
    must(tmi_map_reserve(map, TM_KIND_SOUND, 2, NULL));
    map->sounds[0] = (tm_sound){.name = "outside", .external = true};
    map->sounds[1] = (tm_sound){.name = "wind"};
    map->sounds[1].data = fake_file_block(file, map, TMI_ENCODING_BYTES, opus, sizeof(opus));
    must(tmi_map_reserve(map, TM_KIND_ENVELOPE, 3, NULL));
    static const int32_t channels[3] = {TM_ENVELOPE_POSITION, TM_ENVELOPE_COLOR, TM_ENVELOPE_SOUND};
    for (uint32_t i = 0; i < 3; i++) {
        map->envelopes[i].channels = channels[i];
        must(tmi_envelope_reserve(map, &map->envelopes[i], 2, NULL));
        memcpy(map->envelopes[i].points, points, sizeof(points));
    }
    add_groups(file, map);
    return map;
}

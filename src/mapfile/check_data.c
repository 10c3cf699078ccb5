/* SPDX-License-Identifier: Zlib */
/*
 * Checks the data of a whole map. Every block is unpacked once, and the layers that use it are judged in the
 * same pass: tiles by the rules that DDNet's loader applies when it fetches them (section 4.1, the lazy
 * rules), quads and sound sources by what they refer to, and quads by their colors.
 */
#include "mapfile.h"
#include "../datafile/datafile.h"
#include <teemap/fields.h>

/* --------------------------------------------------------------------------------------------- references */

/*
 * References to envelopes: those in quads and sound sources, which loading does not read, and of all objects,
 * whether the envelope has the right kind. The table of fields lists the references of structs.
 */

/* References that lead to no envelope, or to one of the wrong kind: the first, and how many there are. */
typedef struct bad_references {
    const tm_field *field;
    uint64_t element;
    int32_t index;
    uint64_t num;
} bad_references;
typedef struct element_references {
    bad_references nowhere, other_kind;
    bad_references out_of_range; /* channels of colors */
} element_references;

static void note_reference(bad_references *list, const tm_field *field, uint64_t element, int32_t index)
{
    if (list->num++)
        return;
    list->field = field;
    list->element = element;
    list->index = index;
}

static void judge_reference(element_references *out, const tm_map *map, const tm_field *field,
                            uint64_t element, int32_t index)
{
    if (index < 0) /* any negative index means none */
        return;
    if ((uint32_t)index >= map->num_envelopes) {
        note_reference(&out->nowhere, field, element, index);
        return;
    }
    /* an unknown kind has a finding of its own */
    const int32_t channels = map->envelopes[index].channels;
    const bool known =
        channels == TM_ENVELOPE_SOUND || channels == TM_ENVELOPE_POSITION || channels == TM_ENVELOPE_COLOR;
    if (known && field->channels != 0 && channels != field->channels)
        note_reference(&out->other_kind, field, element, index);
}

static bool is_envelope_field(const tm_field *field)
{
    return field->type == TM_TYPE_REFERENCE && field->refers == TM_KIND_ENVELOPE;
}

/* Channels of the colors of an element that are no bytes; each corner of a quad has one. */
static void judge_colors(element_references *out, const tm_field *field, uint64_t element,
                         const uint8_t *bytes)
{
    for (size_t k = 0; k < field->num_values * field->size / sizeof(int32_t); k++) {
        const int32_t value = tmi_get_i32(bytes + k * sizeof(value));
        if (value < field->min || value > field->max)
            note_reference(&out->out_of_range, field, element, value);
    }
}

static void judge_element_references(element_references *out, const tm_map *map, const tm_layer *layer,
                                     const uint8_t *bytes, uint64_t size)
{
    const tm_kind owner = tm_kind_of_elements(layer->kind);
    const size_t element = tm_kind_size(owner);
    size_t num_fields;
    const tm_field *fields = tm_fields(&num_fields, owner);
    const uint64_t num = element ? size / element : 0;
    for (size_t f = 0; f < num_fields; f++) {
        const tm_field *field = &fields[f];
        if (!is_envelope_field(field) && field->type != TM_TYPE_COLOR)
            continue;
        for (uint64_t i = 0; i < num && i < tmi_layer_num(layer); i++) {
            const uint8_t *value = bytes + i * element + field->offset;
            if (field->type == TM_TYPE_COLOR)
                judge_colors(out, field, i, value);
            else
                judge_reference(out, map, field, i, tmi_get_i32(value));
        }
    }
}

static const char *kind_of_envelope(int32_t channels)
{
    return channels == TM_ENVELOPE_SOUND      ? "sound"
           : channels == TM_ENVELOPE_POSITION ? "positions"
                                              : "colors";
}

static void report_references(tmi_item_io *io, tm_finding_id id, const bad_references *list,
                              const char *element)
{
    char prefix[48] = "", reason[64], suffix[40] = "";
    if (list->num == 0)
        return;
    if (element)
        tmi_format(prefix, sizeof(prefix), "%s %llu: ", element, (unsigned long long)list->element);
    if (list->num > 1)
        tmi_format(suffix, sizeof(suffix), "; %llu more like this", (unsigned long long)list->num - 1);
    if (id == TM_FINDING_ENVELOPE_KIND)
        tmi_format(reason, sizeof(reason), "which is for %s, not for %s",
                   kind_of_envelope(io->map->envelopes[list->index].channels),
                   kind_of_envelope(list->field->channels));
    else
        tmi_format(reason, sizeof(reason), "there are %u", io->map->num_envelopes);
    tmi_io_report(io, id, "%s%s is envelope %d, %s%s", prefix, list->field->name, list->index, reason,
                  suffix);
}

static void report_colors(tmi_item_io *io, const bad_references *list)
{
    char suffix[40] = "";
    if (list->num > 1)
        tmi_format(suffix, sizeof(suffix), "; %llu more like this", (unsigned long long)list->num - 1);
    if (list->num)
        tmi_io_report(io, TM_FINDING_QUAD_COLOR,
                      "quad %llu: a channel of a color is %d; DDNet shows it as %d, Teeworlds as %d%s",
                      (unsigned long long)list->element, list->index, (uint8_t)list->index,
                      list->index < 0 ? 0 : UINT8_MAX, suffix);
}

/* What is wrong with the tiles of a layer. */
typedef struct fault {
    tm_finding_id id;
    const char *text; /* NULL: nothing */
} fault;

typedef struct layer_check {
    const tm_layer *layer;
    tm_address address;
    int32_t version;
    int32_t next; /* another layer with the same data, or TM_NONE */
    fault fault;
    element_references references;
} layer_check;

typedef struct checker {
    tmi_item_io *io;
    layer_check *layers;
    uint32_t num_layers;
    int32_t *first; /* by data index: a layer whose tiles, quads or sources they are, or TM_NONE */
} checker;

/* The OR of all tiles. Takes eight tiles at a time, then two, as this is most of the work of a check. */
static tm_tile bits_of_tiles(const uint8_t *bytes, uint64_t num)
{
    uint64_t any = 0, two, eight[4];
    tm_tile tiles[2];
    uint64_t i = 0;
    for (; i + 4 <= num / 2; i += 4) {
        memcpy(eight, bytes + i * sizeof(two), sizeof(eight));
        any |= (eight[0] | eight[1]) | (eight[2] | eight[3]);
    }
    for (; i < num / 2; i++) {
        memcpy(&two, bytes + i * sizeof(two), sizeof(two));
        any |= two;
    }
    if (num % 2) {
        two = 0;
        memcpy(&two, bytes + (num - 1) * sizeof(tm_tile), sizeof(tm_tile));
        any |= two;
    }
    memcpy(tiles, &any, sizeof(tiles));
    return (tm_tile){.skip = tiles[0].skip | tiles[1].skip,
                     .reserved = tiles[0].reserved | tiles[1].reserved};
}

/* Judges the bytes of a block as the tiles of a layer. */
static fault tiles_fault(const tm_layer *layer, int32_t version, const uint8_t *bytes, uint64_t size)
{
    enum { PAD = 3 };
    static const fault of_runs[] = {
        [TMI_RUNS_FINE] = {TM_FINDING_NONE, NULL},
        [TMI_RUNS_SHORT] = {TM_FINDING_TILES_SHORT, "the runs do not reach the last tile"},
        [TMI_RUNS_LEFT_OVER] = {TM_FINDING_TILES_RUNS, "the runs go on after the last tile"},
        [TMI_RUNS_RESERVED] = {TM_FINDING_TILES_RESERVED, "a reserved byte is not 0"}};
    const tm_layer_kind kind = layer->kind;
    const uint64_t num = (uint64_t)layer->as.tiles.width * layer->as.tiles.height;
    if (version >= 4 && kind != TM_LAYER_TILES && kind != TM_LAYER_GAME)
        return (fault){TM_FINDING_PHYSICS_RUNS, "version 4 of a physics layer other than game"};
    if (version >= 4)
        return of_runs[tmi_runs_decode(NULL, num, bytes, size / sizeof(tm_tile))];
    if (size / tm_game_layer(kind)->element_size < num)
        return (fault){TM_FINDING_TILES_SHORT, "there are fewer tiles than the layer's size needs"};
    uint8_t padding = 0;
    for (uint64_t i = 0; kind == TM_LAYER_SPEEDUP && i < num; i++)
        padding |= bytes[i * sizeof(tm_speedup_tile) + PAD];
    if (padding)
        return (fault){TM_FINDING_TILES_RESERVED, "a speedup's padding byte is not 0"};
    if (kind != TM_LAYER_TILES && kind != TM_LAYER_GAME && kind != TM_LAYER_FRONT)
        return of_runs[TMI_RUNS_FINE];
    const tm_tile bits = bits_of_tiles(bytes, num);
    if (bits.skip)
        return (fault){TM_FINDING_TILES_SKIP, "a tile's skip byte is not 0"};
    if (bits.reserved)
        return (fault){TM_FINDING_TILES_RESERVED, "a tile's reserved byte is not 0"};
    return of_runs[TMI_RUNS_FINE];
}

static int32_t version_of(const tmi_file *file, const tm_layer *layer)
{
    tm_datafile_item item;
    if (!tm_datafile_get_item(&item, file->datafile, layer->origin.item))
        return 0;
    return tm_datafile_item_int(&item, 3, 0);
}

static tm_status check_game_tiles(tmi_item_io *io, const tm_layer *layer)
{
    const tm_block *block = layer->as.tiles.tiles;
    tm_datafile_data data;
    if (!block && tmi_layer_data_index(io->file, layer) >= 0)
        tmi_io_report(io, TM_FINDING_GAME_LAYER_DATA, "there are fewer tiles than the layer's size needs");
    if (!block || !tm_datafile_get_data(&data, io->file->datafile, block->data_index))
        return TM_OK; /* has its finding already */
    /* The announced size may be false: the datafile makes room only for the bytes that are there. */
    const void *bytes;
    tm_error reason;
    tm_status status = tm_datafile_data_bytes(&bytes, NULL, io->file->datafile, block->data_index, &reason);
    if (status == TM_OK) {
        fault found = tiles_fault(layer, version_of(io->file, layer), bytes, data.size);
        if (found.text)
            tmi_io_report(io, TM_FINDING_GAME_LAYER_DATA, "%s", found.text);
        tm_datafile_drop(io->file->datafile, block->data_index);
    } else if (status == TM_ERROR_DAMAGED) {
        tmi_io_report(io, TM_FINDING_GAME_LAYER_DATA, "%s", reason.text);
        status = TM_OK;
    } else if (io->error) {
        *io->error = reason;
    }
    return status;
}

/* ----------------------------------------------------------------------------------------------- all data */

/* Lists, for each block, the unchanged layers that use it. */
static void note_layers(checker *check)
{
    const tmi_item_io *io = check->io;
    for (uint32_t i = 0; i < io->num_data; i++)
        check->first[i] = TM_NONE;
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(io->map, &walk)) {
        tm_layer copy = *walk.layer;
        tm_block *const *slot = tmi_layer_elements(&copy);
        const tm_block *block = slot ? *slot : NULL;
        if (!block || block->changed || block->origin != &io->file->base ||
            walk.layer->origin.file != block->origin)
            continue;
        check->layers[check->num_layers] = (layer_check){.layer = walk.layer,
                                                         .address = {TM_KIND_LAYER, walk.group, walk.index},
                                                         .version = version_of(io->file, walk.layer),
                                                         .next = check->first[block->data_index]};
        check->first[block->data_index] = (int32_t)check->num_layers++;
    }
}

/* Whether data that both layers use are valid in both or in neither. */
static bool judged_alike(const layer_check *a, const layer_check *b)
{
    const tm_tile_layer *left = &a->layer->as.tiles, *right = &b->layer->as.tiles;
    if (a->layer->kind != b->layer->kind)
        return false;
    if (!tm_game_layer(a->layer->kind)->is_tiles)
        return tmi_layer_num(a->layer) == tmi_layer_num(b->layer);
    return a->version == b->version &&
           (uint64_t)left->width * left->height == (uint64_t)right->width * right->height;
}

/*
 * Judges one block in all layers that use it, on a thread of the job; no other thread touches these layers.
 * In a hostile map all layers may share the largest block. So layers that are alike are judged once, and only
 * a few different ones are: each has the finding shared-tiles anyway.
 */
static tm_status judge_block(void *ctx, uint32_t index, const void *bytes, uint64_t size, tm_data_state state)
{
    enum { MAX_QUESTIONS = 16 };
    checker *check = ctx;
    const layer_check *asked[MAX_QUESTIONS];
    uint32_t num = 0;
    for (int32_t i = check->first[index]; i != TM_NONE; i = check->layers[i].next) {
        layer_check *layer = &check->layers[i];
        uint32_t k = 0;
        while (k < num && !judged_alike(asked[k], layer))
            k++;
        if (k < num) {
            layer->fault = asked[k]->fault;
            layer->references = asked[k]->references;
        } else if (num < MAX_QUESTIONS) {
            if (tm_game_layer(layer->layer->kind)->is_tiles)
                layer->fault = tiles_fault(layer->layer, layer->version, bytes, size);
            else if (state != TM_DATA_BROKEN && state != TM_DATA_SHORT) /* zeros refer to nothing */
                judge_element_references(&layer->references, check->io->map, layer->layer, bytes, size);
            asked[num++] = layer;
        }
    }
    return TM_OK;
}

static tm_status check_all(checker *check, const tm_job *job)
{
    tmi_item_io *io = check->io;
    note_layers(check);
    TM_TRY(tmi_datafile_check_data(io->file->datafile, judge_block, check, job, io->findings, io->error));
    for (uint32_t i = 0; i < check->num_layers; i++) {
        io->address = check->layers[i].address;
        if (check->layers[i].fault.text)
            tmi_io_report(io, check->layers[i].fault.id, "%s", check->layers[i].fault.text);
        const char *element = check->layers[i].layer->kind == TM_LAYER_QUADS ? "quad" : "sound source";
        report_references(io, TM_FINDING_BAD_REFERENCE, &check->layers[i].references.nowhere, element);
        report_references(io, TM_FINDING_ENVELOPE_KIND, &check->layers[i].references.other_kind, element);
        report_colors(io, &check->layers[i].references.out_of_range);
    }
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(io->map, &walk)) {
        element_references found = {.nowhere = {.num = 0}};
        size_t num;
        const tm_field *fields = tm_fields(&num, tm_kind_of_layer(walk.layer->kind));
        for (size_t f = 0; f < num; f++)
            if (is_envelope_field(&fields[f]))
                judge_reference(&found, io->map, &fields[f], 0,
                                (int32_t)tm_field_get(&fields[f], walk.layer, 0).as.number);
        io->address = (tm_address){TM_KIND_LAYER, walk.group, walk.index};
        report_references(io, TM_FINDING_ENVELOPE_KIND, &found.other_kind, NULL);
    }
    return TM_OK;
}

tm_status tm_mapfile_check_data(const tm_map *map, const tm_job *job, tm_findings *findings, tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    const tmi_file *file = tmi_file_of(map);
    if (!file)
        return TM_OK; /* the map has no file, so nothing is packed */
    tmi_item_io io = {.pass = TMI_LOAD,
                      .error = error,
                      .allocator = tmi_map_allocator(map),
                      .map = (tm_map *)(uintptr_t)map, /* is not changed */
                      .file = (tmi_file *)(uintptr_t)file,
                      .mode = file->mode,
                      .findings = findings,
                      .num_data = tm_datafile_num_data(file->datafile)};
    const uint32_t max_layers = tm_map_num_layers(map);
    checker check = {.io = &io};
    tm_status status = TM_OK;
    check.layers = tmi_calloc(io.allocator, max_layers, sizeof(*check.layers));
    check.first = tmi_alloc(io.allocator, io.num_data, sizeof(*check.first));
    if (!check.layers || !check.first)
        status = tmi_fail_memory(error, io.num_data * sizeof(*check.first), "a table of layers");
    else
        status = check_all(&check, job);
    tmi_free(io.allocator, check.layers, max_layers, sizeof(*check.layers));
    tmi_free(io.allocator, check.first, io.num_data, sizeof(*check.first));
    return status;
}

/* ------------------------------------------------------------------------------------------ the whole map */

/*
 * Rules of DDNet 20.1's loader that need the whole map (section 4.1): which physics layers there are, how
 * large they are against the game layer, and that no two tile layers use the same data. Rules about one item
 * stand where the item is loaded.
 */
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
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(s->io->map, &walk)) {
        if (!tm_game_layer(walk.layer->kind)->is_tiles)
            continue;
        s->io->address = (tm_address){TM_KIND_LAYER, walk.group, walk.index};
        visit(s, walk.layer);
    }
    s->io->address = (tm_address){TM_KIND_MAP, 0, 0};
}

static void first_look(structure *s, const tm_layer *layer)
{
    enum { TILES_A_SIDE = 16 };
    const tm_block *block = layer->as.tiles.tiles;
    s->counts[layer->kind]++;
    if (layer->kind == TM_LAYER_GAME) {
        s->game = layer;
        s->game_address = s->io->address;
    }
    /* a layer whose data are far too short has no block, but an index */
    const int32_t index = block ? (int32_t)block->data_index : tmi_layer_data_index(s->io->file, layer);
    if (index >= 0 && s->used[index])
        tmi_io_report(s->io, TM_FINDING_SHARED_TILES, "data block %d holds the tiles of another layer, too",
                      (int)index);
    if (index >= 0)
        s->used[index] = true;
    /* an image must be cut into 16 x 16 tiles; the size of external ones is unknown here */
    const tm_image *image =
        layer->kind == TM_LAYER_TILES ? tm_map_image(s->io->map, layer->as.tiles.image) : NULL;
    if (image && !image->external && image->width > 0 && image->height > 0 &&
        (image->width % TILES_A_SIDE != 0 || image->height % TILES_A_SIDE != 0))
        tmi_io_report(s->io, TM_FINDING_BAD_IMAGE_SIZE,
                      "image %d has %d x %d pixels; for 16 x 16 tiles both must be multiples of 16",
                      layer->as.tiles.image, image->width, image->height);
}

/* Of a game layer whose size makes no sense: no game opens the map if it is the one that is played. */
static void judge_game_size(structure *s, const tm_layer *layer)
{
    enum { WIDTH = 4, HEIGHT = 5 };
    tm_datafile_item item;
    if (layer->kind != TM_LAYER_GAME || layer->as.tiles.width ||
        !tm_datafile_get_item(&item, s->io->file->datafile, layer->origin.item))
        return;
    const int32_t width = tm_datafile_item_int(&item, WIDTH, 0);
    const int32_t height = tm_datafile_item_int(&item, HEIGHT, 0);
    if (layer == s->game)
        tmi_io_report(s->io, TM_FINDING_GAME_LAYER_SIZE, "the game layer has %d x %d tiles: no game opens it",
                      width, height);
    else
        tmi_io_report(s->io, TM_FINDING_BAD_LAYER_SIZE, "the layer has %d x %d tiles", width, height);
}

static void compare_with_game(structure *s, const tm_layer *layer)
{
    const tm_tile_layer *tiles = &layer->as.tiles, *game = &s->game->as.tiles;
    if (!tm_game_layer(layer->kind)->is_physics)
        return;
    if (layer->kind != TM_LAYER_GAME && s->io->address.index != s->game_address.index)
        tmi_io_report(
            s->io, TM_FINDING_PHYSICS_APART,
            "the layer is not in group %u, that of the game layer: DDNet's editor does not open such a map",
            (unsigned)s->game_address.index);
    if (num_tiles(layer) < num_tiles(s->game))
        tmi_io_report(s->io, TM_FINDING_PHYSICS_TOO_SMALL,
                      "the layer has %u x %u tiles, fewer than the game layer's %u x %u", tiles->width,
                      tiles->height, game->width, game->height);
    else if (tiles->width != game->width || tiles->height != game->height)
        tmi_io_report(s->io, TM_FINDING_PHYSICS_SIZE, "the layer has %u x %u tiles, the game layer %u x %u",
                      tiles->width, tiles->height, game->width, game->height);
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
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++)
        if (tm_game_layer((tm_layer_kind)kind)->is_physics && s.counts[kind] > 1)
            tmi_io_report(io, TM_FINDING_SEVERAL_PHYSICS_LAYERS,
                          "there are %u %s layers; DDNet uses the last, Teeworlds the first", s.counts[kind],
                          tm_game_layer((tm_layer_kind)kind)->name);
    each_tile_layer(&s, judge_game_size);
    if (s.game)
        each_tile_layer(&s, compare_with_game);
    else
        tmi_io_report(io, TM_FINDING_NO_GAME_LAYER, "there is no game layer");
    /* the strict loader fetches the game layer at once, and refuses the map if it cannot */
    io->address = s.game_address;
    if (s.game && io->mode == TM_MODE_STRICT)
        status = check_game_tiles(io, s.game);
    tmi_free(allocator, s.used, num_data, sizeof(bool));
    return status;
}

/*
 * Saves the map to memory and loads it again in the mode asked for, as a loader would, so that each rule is
 * written once, in the loader. Unchanged blocks are copied packed, others packed quickly.
 */
tm_status tm_mapfile_check(const tm_map *map, tm_mode mode, const tm_job *job, tm_findings *findings,
                           tm_error *error)
{
    const tm_mapfile_save_options quickly = {.size = sizeof(quickly), .level = 1};
    tm_map *loaded = NULL;
    TM_TRY(tmi_need(map, "map", error));
    const tm_mapfile_options options = {.size = sizeof(options),
                                        .mode = mode,
                                        .limits = &map->priv->limits,
                                        .allocator = tmi_map_allocator(map)};
    tm_buffer file = {.allocator = tmi_map_allocator(map)};
    const tm_output output = tm_output_to_buffer(&file);
    tm_status status = tm_mapfile_save(map, &output, &quickly, job, NULL, error);
    if (status == TM_OK)
        status =
            tm_mapfile_load(&loaded, tm_input_from_memory(file.bytes, file.size), &options, findings, error);
    if (status == TM_OK)
        status = tm_mapfile_check_data(loaded, job, findings, error);
    tm_map_free(loaded);
    tm_buffer_release(&file);
    return status;
}

/* SPDX-License-Identifier: Zlib */
/*
 * Loading: walks the items of a datafile kind by kind and fills the model. What an item's ints mean stands in
 * object_items.c and layer_items.c; here is which items there are, how groups own layers, and which game
 * wrote the map.
 */
#include "mapfile.h"

#include "../datafile/datafile.h"

typedef struct loader {
    tmi_item_io io;
    tmi_index_range *point_ranges; /* of the envelopes */
    int64_t layers_end;            /* behind the last layer that a group has so far */
} loader;

/*
 * Puts the item io on the k-th item of a kind; `role` is what the item becomes. False if there is no such
 * item.
 */
static bool enter(loader *load, unsigned kind, uint32_t k, tmi_role role, tm_origin *origin)
{
    tm_datafile_item item;
    uint32_t index;
    tmi_item_io *io = &load->io;
    if (io->status != TM_OK || !tmi_file_item(io->file, kind, k, &item, &index))
        return false;
    io->body = (uint8_t *)(uintptr_t)item.body; /* TMI_LOAD does not write to it */
    io->num = item.size / 4;
    io->item = index;
    io->file->notes[index].role = (uint8_t)role;
    *origin = (tm_origin){&io->file->base, index};
    return true;
}

static void at(loader *load, tm_kind kind, uint32_t index, uint32_t layer)
{
    load->io.address = (tm_address){kind, index, layer};
}

/* ------------------------------------------------------------------------------------------- single items */

static bool first_with_id_0(const tmi_file *file, unsigned kind, uint32_t *k)
{
    tm_datafile_item item;
    for (*k = 0; tmi_file_item(file, kind, *k, &item, NULL); ++*k)
        if (item.id == 0)
            return true;
    return false;
}

static void load_version(loader *load)
{
    tm_origin origin;
    uint32_t k;
    load->io.map->version = 0;
    at(load, TM_KIND_MAP, 0, 0);
    if (!first_with_id_0(load->io.file, TM_ITEM_VERSION, &k) ||
        !enter(load, TM_ITEM_VERSION, k, TMI_ROLE_OBJECT, &origin)) {
        tmi_io_report(&load->io, TM_FINDING_NO_VERSION_ITEM, "there is no version item");
        return;
    }
    tmi_item_version(&load->io, &load->io.map->version);
    if (load->io.num < 1 || load->io.map->version != 1)
        tmi_io_report(&load->io, TM_FINDING_BAD_MAP_VERSION, "the version of the map is %d, only 1 is known",
                      load->io.map->version);
}

/* ------------------------------------------------------------------------------------------------- arrays */

/* The info, all images, all sounds. */
static tm_status load_media(loader *load)
{
    tm_map *map = load->io.map;
    uint32_t k;
    at(load, TM_KIND_INFO, 0, 0);
    if (first_with_id_0(load->io.file, TM_ITEM_INFO, &k) &&
        enter(load, TM_ITEM_INFO, k, TMI_ROLE_OBJECT, &map->info.origin))
        tmi_item_info(&load->io, &map->info);
    TM_TRY(load->io.status);
    TM_TRY(tmi_map_reserve(map, TM_KIND_IMAGE, load->io.num_images, load->io.error));
    for (uint32_t i = 0; i < map->num_images; i++) {
        at(load, TM_KIND_IMAGE, i, 0);
        if (enter(load, TM_ITEM_IMAGE, i, TMI_ROLE_OBJECT, &map->images[i].origin))
            tmi_item_image(&load->io, &map->images[i]);
    }
    TM_TRY(load->io.status);
    TM_TRY(tmi_map_reserve(map, TM_KIND_SOUND, load->io.num_sounds, load->io.error));
    for (uint32_t i = 0; i < map->num_sounds; i++) {
        at(load, TM_KIND_SOUND, i, 0);
        if (enter(load, TM_ITEM_SOUND, i, TMI_ROLE_OBJECT, &map->sounds[i].origin))
            tmi_item_sound(&load->io, &map->sounds[i]);
    }
    return load->io.status;
}

/* Any envelope of version 3 turns the points item to the long form, as DDNet decides it. */
static tm_status load_envelopes(loader *load)
{
    tm_map *map = load->io.map;
    tmi_item_io *io = &load->io;
    TM_TRY(tmi_map_reserve(map, TM_KIND_ENVELOPE, io->num_envelopes, io->error));
    for (uint32_t i = 0; i < map->num_envelopes; i++) {
        at(load, TM_KIND_ENVELOPE, i, 0);
        if (!enter(load, TM_ITEM_ENVELOPE, i, TMI_ROLE_OBJECT, &map->envelopes[i].origin))
            continue;
        tmi_item_envelope(io, &map->envelopes[i], &load->point_ranges[i].start, &load->point_ranges[i].num,
                          6);
        if (tmi_io_raw(io, 0, 1) >= 3)
            io->file->point_ints = 22;
    }
    TM_TRY(io->status);
    tm_origin unused;
    at(load, TM_KIND_MAP, 0, 0);
    (void)enter(load, TM_ITEM_ENVELOPE_POINTS, 0, TMI_ROLE_OBJECT, &unused);
    (void)enter(load, TMI_KIND_UUID + TM_UUID_BEZIER, 0, TMI_ROLE_OBJECT, &unused);
    return tmi_points_load(io, load->point_ranges);
}

/* -------------------------------------------------------------------------------------- groups and layers */

/*
 * The layers that a group really has, of those that its item says. Groups may claim the same layers; so that
 * a few items cannot become millions of layers, all groups of a file share a budget.
 */
static tmi_index_range group_range(const tmi_file *file, tmi_index_range said, uint64_t *budget)
{
    uint32_t num = file->counts[TM_ITEM_LAYER];
    if (said.start < 0 || said.num <= 0 || (uint32_t)said.start >= num)
        return (tmi_index_range){0, 0};
    uint64_t left = num - (uint32_t)said.start;
    uint64_t take = (uint64_t)said.num < left ? (uint64_t)said.num : left;
    if (take > *budget)
        take = *budget;
    *budget -= take;
    return (tmi_index_range){said.start, (int32_t)take};
}

/*
 * Mode salvage: a group that cannot be read has the layers that no group before it has, up to those of the
 * next one.
 */
static tmi_index_range lost_group_range(const loader *load, uint32_t g)
{
    enum { FIRST_LAYER = 5, LOOK_AHEAD = 64 };
    const tmi_file *file = load->io.file;
    tm_datafile_item item;
    int64_t end = file->counts[TM_ITEM_LAYER];
    for (uint32_t i = 1; i <= LOOK_AHEAD && tmi_file_item(file, TM_ITEM_GROUP, g + i, &item, NULL); i++)
        if (item.size / 4 > FIRST_LAYER) {
            const int32_t next = tm_datafile_item_int(&item, FIRST_LAYER, 0);
            end = next < end ? next : end;
            break;
        }
    return end > load->layers_end
               ? (tmi_index_range){(int32_t)load->layers_end, (int32_t)(end - load->layers_end)}
               : (tmi_index_range){0, 0};
}

static tm_status load_group(loader *load, uint32_t g, uint64_t *budget)
{
    tmi_item_io *io = &load->io;
    tm_group *group = &io->map->groups[g];
    tmi_index_range said = {0, 0};
    at(load, TM_KIND_GROUP, g, 0);
    if (!enter(load, TM_ITEM_GROUP, g, TMI_ROLE_OBJECT, &group->origin))
        return io->status;
    tmi_item_group(io, group, &said.start, &said.num);
    if (io->num == 0 && io->file->mode == TM_MODE_SALVAGE)
        said = lost_group_range(load, g);
    const tmi_index_range range = io->file->spans[g] = group_range(io->file, said, budget);
    if (range.num > 0 && (int64_t)range.start + range.num > load->layers_end)
        load->layers_end = (int64_t)range.start + range.num;
    if (said.start < 0 || said.num < 0 || (int64_t)said.start + said.num > io->file->counts[TM_ITEM_LAYER])
        tmi_io_report(io, TM_FINDING_BAD_GROUP_RANGE,
                      "the group has %d layers from %d on, but there are only %u", said.num, said.start,
                      io->file->counts[TM_ITEM_LAYER]);
    TM_TRY(io->status);
    TM_TRY(tmi_group_reserve(io->map, group, (uint32_t)range.num, io->error));
    for (uint32_t l = 0; l < (uint32_t)range.num; l++) {
        const uint32_t k = (uint32_t)range.start + l;
        at(load, TM_KIND_LAYER, g, l);
        if (io->file->notes[(uint32_t)io->file->items[TM_ITEM_LAYER] + k].role == TMI_ROLE_OBJECT)
            tmi_io_report(io, TM_FINDING_SHARED_LAYER, "layer item %u belongs to another group already", k);
        if (enter(load, TM_ITEM_LAYER, k, TMI_ROLE_OBJECT, &group->layers[l].origin))
            tmi_item_layer(io, &group->layers[l]);
    }
    return io->status;
}

/* Layers in no group are written as they are: what they lead to must stay where it is. */
static void pin_data(tmi_file *file, const tm_datafile_item *item, uint32_t first, uint32_t last)
{
    for (uint32_t k = first; k <= last; k++) {
        int32_t index = tm_datafile_item_int(item, k, TM_NONE);
        if (index >= 0 && (uint32_t)index < tm_datafile_num_data(file->datafile))
            file->data[index].pinned = true;
    }
}

static tm_status load_groups(loader *load)
{
    enum { TILES_DATA = 14, TILES_END = 22, ELEMENTS = 5 };
    tmi_item_io *io = &load->io;
    tmi_file *file = io->file;
    const uint32_t num = file->counts[TM_ITEM_GROUP];
    uint64_t budget = 4 * (uint64_t)file->counts[TM_ITEM_LAYER] + 64;
    TM_TRY(tmi_map_reserve(io->map, TM_KIND_GROUP, num, io->error));
    TM_TRY(tmi_arena_reserve(&file->spans, &file->arena, num, sizeof(*file->spans), "groups", io->error));
    for (uint32_t g = 0; g < io->map->num_groups; g++)
        TM_TRY(load_group(load, g, &budget));
    at(load, TM_KIND_MAP, 0, 0);
    tm_datafile_item item;
    uint32_t index;
    for (uint32_t k = 0; tmi_file_item(file, TM_ITEM_LAYER, k, &item, &index); k++) {
        if (file->notes[index].role == TMI_ROLE_OBJECT)
            continue;
        file->notes[index].role = TMI_ROLE_ORPHAN;
        file->hold_numbers = true;
        file->base.may_refer = true;
        if (tm_datafile_item_int(&item, 1, 0) == TM_LAYER_TYPE_TILES)
            pin_data(file, &item, TILES_DATA, TILES_END);
        else
            pin_data(file, &item, ELEMENTS, ELEMENTS);
        tmi_io_report(io, TM_FINDING_LAYER_WITHOUT_GROUP, "layer item %u is in no group", k);
    }
    return TM_OK;
}

/* ----------------------------------------------------------------------------------- what hangs on layers */

static void load_group_ex(loader *load)
{
    const unsigned kind = TMI_KIND_UUID + TM_UUID_GROUP_EX;
    tm_map *map = load->io.map;
    uint32_t num = load->io.file->counts[kind];
    at(load, TM_KIND_MAP, 0, 0);
    if (num != map->num_groups) {
        if (num)
            tmi_io_report(&load->io, TM_FINDING_GROUP_EX_COUNT,
                          "all group-ex items are ignored: there are %u for %u groups", num, map->num_groups);
        return;
    }
    for (uint32_t g = 0; g < num; g++) {
        at(load, TM_KIND_GROUP, g, 0);
        if (!enter(load, kind, g, TMI_ROLE_OBJECT, &map->groups[g].extra))
            return;
        tmi_item_group_ex(&load->io, &map->groups[g]);
        map->groups[g].has_parallax_zoom = true;
    }
}

/*
 * An automapper item speaks for its layer if that holds design tiles and no later item speaks for it; the
 * last one counts, as in the editor.
 */
static void load_automapper(loader *load, uint32_t k)
{
    const unsigned kind = TMI_KIND_UUID + TM_UUID_AUTOMAPPER;
    tmi_item_io *io = &load->io;
    tm_map *map = io->map;
    tm_origin origin;
    at(load, TM_KIND_MAP, 0, 0);
    if (!enter(load, kind, k, TMI_ROLE_STRAY, &origin))
        return;
    int32_t g = tmi_io_raw(io, 1, TM_NONE), l = tmi_io_raw(io, 2, TM_NONE);
    bool found = g >= 0 && (uint32_t)g < map->num_groups && l >= 0 && (uint32_t)l < map->groups[g].num_layers;
    if (!found || map->groups[g].layers[l].kind != TM_LAYER_TILES) {
        tmi_io_report(io, TM_FINDING_AUTOMAPPER_TARGET, "an automapper item names layer %d/%d, which %s", g,
                      l, found ? "holds no design tiles" : "does not exist");
        return;
    }
    tm_automapper *automapper = &map->groups[g].layers[l].as.tiles.automapper;
    if (automapper->present)
        io->file->notes[automapper->origin.item].role = TMI_ROLE_STRAY;
    io->file->notes[origin.item].role = TMI_ROLE_OBJECT;
    at(load, TM_KIND_LAYER, (uint32_t)g, (uint32_t)l);
    automapper->present = true;
    automapper->origin = origin;
    tmi_item_automapper(io, automapper, g, l);
}

/* --------------------------------------------------------------------------------------------- whole maps */

/* Items of before 2008 use the same numbers for other things (section 8.2), and other datafiles too. */
static bool is_map(loader *load)
{
    enum { OLD_TILES = 0x8002 };
    tmi_file *file = load->io.file;
    tm_datafile_type type;
    tm_datafile_item item;
    bool version = tmi_file_item(file, TM_ITEM_VERSION, 0, &item, NULL);
    if (!version && tm_datafile_find_type(&type, file->datafile, OLD_TILES) && !type.has_uuid) {
        at(load, TM_KIND_MAP, 0, 0);
        tmi_io_report(&load->io, TM_FINDING_PRE_2008,
                      "the items are of the kind used before 2008, which no client of today loads");
        file->is_pre_2008 = true;
        return false;
    }
    return file->counts[TM_ITEM_GROUP] > 0 || (version && tm_datafile_item_int(&item, 0, 0) == 1);
}

/* Types that the model does not know may hold data indices, and so may a second info item. */
static void note_raw_items(loader *load)
{
    tmi_file *file = load->io.file;
    tm_datafile_item item;
    for (uint32_t i = 0; tm_datafile_get_item(&item, file->datafile, i); i++) {
        if (file->notes[i].role != TMI_ROLE_RAW || item.type == TM_TYPE_UUID_INDEX)
            continue;
        const bool known = tmi_file_knows_type(file, item.type);
        if (!known || item.type == TM_ITEM_INFO)
            file->hold_numbers = true;
        file->base.may_refer |= !known;
        if (item.type == TM_ITEM_INFO && file->is_map)
            pin_data(file, &item, 1, 5);
        at(load, TM_KIND_ITEM, i, 0);
        tmi_io_report(&load->io, known ? TM_FINDING_EXTRA_ITEM : TM_FINDING_UNKNOWN_ITEM,
                      "unknown item of type %u, id %u: kept as it is", item.type, item.id);
    }
}

/* Which game wrote the map: 0.7 by its versions, DDNet by anything that only it has, else 0.6. */
static tm_game recognise(const tmi_file *file)
{
    enum { VANILLA_INTS = 18 };
    tm_datafile_item item;
    const int32_t game = tm_game_layer(TM_LAYER_GAME)->tile_flags;
    bool ddnet = file->counts[TM_ITEM_SOUND] > 0;
    if (file->point_ints == 22)
        return TM_GAME_TEEWORLDS07;
    for (uint32_t k = 0; tmi_file_item(file, TM_ITEM_LAYER, k, &item, NULL); k++) {
        int32_t type = tm_datafile_item_int(&item, 1, 0), version = tm_datafile_item_int(&item, 3, 0);
        if (type == TM_LAYER_TYPE_TILES && version == 4)
            return TM_GAME_TEEWORLDS07;
        ddnet |= type == TM_LAYER_TYPE_TILES &&
                 ((version == 3 && item.size / 4 > VANILLA_INTS) || tm_datafile_item_int(&item, 6, 0) > game);
        ddnet |= type == TM_LAYER_TYPE_OLD_SOUNDS || type == TM_LAYER_TYPE_SOUNDS;
    }
    for (unsigned uuid = 0; uuid < TM_UUID_COUNT; uuid++)
        ddnet |= file->counts[TMI_KIND_UUID + uuid] > 0;
    ddnet |= tmi_file_item(file, TM_ITEM_INFO, 0, &item, NULL) && item.size / 4 > 5;
    return ddnet ? TM_GAME_DDNET : TM_GAME_TEEWORLDS06;
}

static tm_status load_model(loader *load)
{
    tmi_item_io *io = &load->io;
    tmi_file *file = io->file;
    file->point_ints = 6;
    tm_datafile_item item;
    for (unsigned kind = 0; kind < TMI_KINDS; kind++) {
        file->ids_count_up[kind] = true;
        for (uint32_t k = 0; tmi_file_item(file, kind, k, &item, NULL); k++)
            file->ids_count_up[kind] &= item.id == k;
    }
    load_version(load);
    file->is_map = is_map(load);
    if (!file->is_map) { /* no kind but the version means what it means in a map */
        memset(file->counts + TM_ITEM_INFO, 0, sizeof(file->counts) - TM_ITEM_INFO * sizeof(file->counts[0]));
        note_raw_items(load);
        return io->status;
    }
    io->num_images = file->counts[TM_ITEM_IMAGE];
    io->num_sounds = file->counts[TM_ITEM_SOUND];
    io->num_envelopes = file->counts[TM_ITEM_ENVELOPE];
    load->point_ranges =
        tmi_arena_alloc(&file->arena, (size_t)io->num_envelopes + 1, sizeof(*load->point_ranges));
    if (!load->point_ranges)
        return tmi_fail_memory(io->error, io->num_envelopes * sizeof(*load->point_ranges), "envelopes");
    memset(load->point_ranges, 0, io->num_envelopes * sizeof(*load->point_ranges));
    TM_TRY(load_media(load));
    TM_TRY(load_envelopes(load));
    TM_TRY(load_groups(load));
    load_group_ex(load);
    for (uint32_t k = 0; k < file->counts[TMI_KIND_UUID + TM_UUID_AUTOMAPPER]; k++)
        load_automapper(load, k);
    note_raw_items(load);
    io->map->game = recognise(file);
    return io->status;
}

/* In mode strict a finding that refuses the map is the error; the first one, if it is listed. */
static tm_status load_checked(loader *load, tm_error *error)
{
    const tm_findings *findings = load->io.findings;
    size_t from = findings ? findings->num : 0;
    uint64_t refusals = findings ? findings->refusals : 0;
    TM_TRY(load_model(load));
    TM_TRY(tmi_check_structure(&load->io));
    if (load->io.mode != TM_MODE_STRICT || !findings || findings->refusals <= refusals)
        return TM_OK;
    for (size_t i = from; i < findings->num; i++) {
        const tm_finding *finding = &findings->list[i];
        if (!finding->refuses)
            continue;
        tm_status status = tmi_fail(error, TM_ERROR_DAMAGED, finding->offset, "%s", finding->text);
        return finding->place[0] ? tmi_fail_at(error, status, "%s", finding->place) : status;
    }
    return tmi_fail(error, TM_ERROR_DAMAGED, -1, TM_STRICT_GAME " refuses this map; its findings say why");
}

static tm_status load_datafile(tm_map **out, tm_datafile *datafile, const tm_mapfile_options *options,
                               tm_findings *findings, tm_error *error)
{
    tmi_file *file;
    TM_TRY(tmi_file_new(&file, datafile, options, error));
    const tm_map_options map_options = {sizeof(map_options), TM_GAME_DDNET, options->limits,
                                        options->allocator};
    tm_map *map;
    tm_status status = tm_map_new(&map, &map_options, error);
    if (status != TM_OK) {
        tmi_origin_release(&file->base);
        return status;
    }
    map->priv->origin = &file->base; /* the map owns it now */
    loader load = {.io = {.pass = TMI_LOAD,
                          .error = error,
                          .allocator = tmi_map_allocator(map),
                          .map = map,
                          .file = file,
                          .mode = options->mode,
                          .findings = findings,
                          .num_data = tm_datafile_num_data(datafile)}};
    status = load_checked(&load, error);
    if (status != TM_OK)
        tm_map_free(map);
    else
        *out = map;
    return status;
}

/*
 * A datafile of version 3 may lack the offset of a block: loads the map once to learn from its items which.
 * On failure the datafile is closed.
 */
static tm_status restore_offset(tm_datafile *datafile, const tm_mapfile_options *options, tm_error *error)
{
    tm_map *map;
    uint32_t index = 0, distance = 0;
    TM_TRY(load_datafile(&map, datafile, options, NULL, error));
    tm_status status = tmi_find_missing_offset(&index, &distance, tmi_file_of(map), error);
    if (status == TM_OK) /* the datafile stays open */
        ((tmi_file *)(uintptr_t)tmi_file_of(map))->datafile = NULL;
    tm_map_free(map);
    if (status == TM_OK && index)
        tmi_insert_offset(datafile, index, distance);
    return status;
}

/* On failure the datafile is closed. */
static tm_status mend_blocks(tm_datafile *datafile, tm_findings *findings, tm_error *error)
{
    const tm_status status = tmi_mend_data_table(datafile, findings, error);
    if (status != TM_OK)
        tm_datafile_close(datafile);
    return status;
}

tm_status tm_mapfile_load(tm_map **out, tm_input input, const tm_mapfile_options *options,
                          tm_findings *findings, tm_error *error)
{
    tm_mapfile_options effective;
    tm_limits limits;
    tm_findings local_findings;
    tm_datafile *datafile;
    tm_status status = tmi_need(out, "out", error);
    if (out) {
        *out = NULL;
        status = tmi_options_take(&effective, sizeof(effective), options, "tm_mapfile_options", error);
    }
    if (status == TM_OK) {
        status = tmi_limits_take(&limits, effective.limits, error);
        effective.limits = &limits;
    }
    if (status != TM_OK) {
        if (input.close)
            input.close(input.ctx);
        return status;
    }
    const tm_datafile_options datafile_options = {sizeof(datafile_options), effective.mode, effective.limits,
                                                  effective.allocator};
    tm_findings_init(&local_findings, 0, effective.allocator);
    if (!findings && effective.mode == TM_MODE_STRICT) /* strict decides by findings */
        findings = &local_findings;
    status = tm_datafile_open(&datafile, input, &datafile_options, findings, error);
    if (status == TM_OK && datafile->lacks_offset)
        status = restore_offset(datafile, &effective, error);
    if (status == TM_OK && effective.mode == TM_MODE_SALVAGE)
        status = mend_blocks(datafile, findings, error);
    if (status == TM_OK)
        status = load_datafile(out, datafile, &effective, findings, error);
    tm_findings_release(&local_findings);
    return status;
}

const tm_datafile *tm_mapfile_datafile(const tm_map *map)
{
    if (!map)
        return NULL;
    const tmi_file *file = tmi_file_of(map);
    return file ? file->datafile : NULL;
}

tm_game tm_mapfile_get_game(const tm_map *map)
{
    const tmi_file *file = map ? tmi_file_of(map) : NULL;
    if (file)
        return recognise(file);
    return map ? map->game : TM_GAME_DDNET;
}

tm_mapfile_kind tm_mapfile_get_kind(const tm_map *map)
{
    const tmi_file *file = map ? tmi_file_of(map) : NULL;
    if (!file || file->is_map)
        return TM_MAPFILE_MAP;
    return file->is_pre_2008 ? TM_MAPFILE_PRE_2008 : TM_MAPFILE_OTHER;
}

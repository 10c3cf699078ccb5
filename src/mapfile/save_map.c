/* SPDX-License-Identifier: Zlib */
/*
 * Saving: model to datafile, through the steps that save_map.h lists. The map is not changed; blocks that are
 * not changed are copied from the file that they came from, packed as they are.
 */
#include "save_map.h"
#include "../datafile/datafile.h"
#include "../games/games.h"

/* ------------------------------------------------------------------------------- which layers are written */

/*
 * First step: which layers are written, and how groups own layer items. As long as the groups are those of
 * the file and own the same items, every item keeps its place, whatever odd order the file has; otherwise
 * layers are laid out anew, group by group, and the file's layers without a group come back where they stood
 * between the groups.
 */

/* Leaves out new layers that the map's game does not know, and reports each. */
static void leave_out_layers(tmi_saver *saver)
{
    for (uint32_t g = 0; g < saver->map->num_groups; g++) {
        uint32_t lost = 0;
        for (uint32_t l = 0; l < saver->map->groups[g].num_layers; l++) {
            const tm_layer *layer = &saver->map->groups[g].layers[l];
            tmi_saved_layer *saved = &saver->saved_groups[g].layers[l];
            saved->place = l - lost;
            if (!tmi_is_fresh(saver, layer->origin) || tmi_game_holds_layer(saver->map->game, layer->kind))
                continue;
            saved->lost = true;
            lost++;
            tmi_saver_report(saver, TM_FINDING_LOST_LAYER, (tm_address){TM_KIND_LAYER, g, l},
                             "%s has no %s layers", tm_game_name(saver->map->game),
                             tm_game_layer(layer->kind)->name);
        }
    }
}

/* ---------------------------------------------------------------------------------- as it was in the file */

/* The number of the layer item that a layer was loaded from; false: the layer is new. */
static bool layer_item(const tmi_saver *saver, const tm_layer *layer, uint32_t *k)
{
    if (tmi_is_fresh(saver, layer->origin))
        return false;
    *k = layer->origin.item - (uint32_t)saver->file->items[TM_ITEM_LAYER];
    return *k < saver->file->counts[TM_ITEM_LAYER];
}

static bool group_as_in_file(const tmi_saver *saver, uint32_t g)
{
    const tm_group *group = &saver->map->groups[g];
    const tmi_index_range span = saver->file->spans[g];
    if (tmi_is_fresh(saver, group->origin) ||
        group->origin.item != (uint32_t)saver->file->items[TM_ITEM_GROUP] + g ||
        group->num_layers != (uint32_t)span.num)
        return false;
    for (uint32_t l = 0; l < group->num_layers; l++) {
        uint32_t k;
        if (!layer_item(saver, &group->layers[l], &k) || k != (uint32_t)span.start + l)
            return false;
        const tmi_spot first = saver->file_layers[k].spot;
        if ((first.group != g || first.layer != l) &&
            !tmi_layer_same_item(&saver->map->groups[first.group].layers[first.layer], &group->layers[l]))
            return false;
    }
    return true;
}

/* --------------------------------------------------------------------------------------------- the layout */

static bool is_orphan(const tmi_saver *saver, uint32_t k)
{
    return saver->file->notes[(uint32_t)saver->file->items[TM_ITEM_LAYER] + k].role == TMI_ROLE_ORPHAN;
}

/* Keeps the order of the file's layer items, those without a group among them. */
static void copy_file_layout(tmi_saver *saver)
{
    const tmi_file *file = saver->file;
    tm_datafile_item item;
    for (uint32_t k = 0; k < file->counts[TM_ITEM_LAYER]; k++)
        saver->layers[saver->num_layers++] =
            is_orphan(saver, k) ? (tmi_spot){TMI_ORPHAN, k} : saver->file_layers[k].spot;
    for (uint32_t g = 0; tmi_file_item(file, TM_ITEM_GROUP, g, &item, NULL); g++)
        saver->saved_groups[g].span =
            (tmi_index_range){tm_datafile_item_int(&item, 5, 0), tm_datafile_item_int(&item, 6, 0)};
}

/* Adds the file's layers without a group that stood before layer item `before`, from *next on. */
static void add_orphans(tmi_saver *saver, uint32_t *next, uint32_t before)
{
    for (; saver->file && *next < saver->file->counts[TM_ITEM_LAYER] && *next < before; ++*next)
        if (is_orphan(saver, *next))
            saver->layers[saver->num_layers++] = (tmi_spot){TMI_ORPHAN, *next};
}

/* Orders the layers by groups; the file's layers without a group stay between the groups where they stood. */
static void make_layout(tmi_saver *saver)
{
    uint32_t next_orphan = 0;
    for (uint32_t g = 0; g < saver->map->num_groups; g++) {
        const tm_group *group = &saver->map->groups[g];
        tmi_saved_group *saved = &saver->saved_groups[g];
        uint32_t k;
        if (group->num_layers && layer_item(saver, &group->layers[0], &k))
            add_orphans(saver, &next_orphan, k);
        saved->span.start = (int32_t)saver->num_layers;
        for (uint32_t l = 0; l < group->num_layers; l++)
            if (!saved->layers[l].lost)
                saver->layers[saver->num_layers++] = (tmi_spot){g, l};
        saved->span.num = (int32_t)saver->num_layers - saved->span.start;
    }
    add_orphans(saver, &next_orphan, UINT32_MAX);
}

static tm_status plan_save(tmi_saver *saver)
{
    const tm_map *map = saver->map;
    const tmi_file *file = saver->file;
    const uint32_t file_layers = file ? file->counts[TM_ITEM_LAYER] : 0;
    tm_layer_walk walk = {0};
    uint64_t num = 0;
    uint32_t k;
    for (uint32_t g = 0; g < map->num_groups; g++)
        num += map->groups[g].num_layers;
    if (num > INT32_MAX)
        return tmi_fail(saver->io.error, TM_ERROR_LIMIT, -1, "too many layers: %llu, and %ld are the most",
                        (unsigned long long)num, (long)INT32_MAX);
    saver->saved_groups = tmi_saver_alloc(saver, map->num_groups, sizeof(*saver->saved_groups));
    tmi_saved_layer *layers = tmi_saver_alloc(saver, (size_t)num, sizeof(*layers));
    TM_TRY(saver->io.status);
    for (uint32_t g = 0; g < map->num_groups; g++) { /* each has a part of the array of all layers */
        saver->saved_groups[g].layers = layers;
        layers += map->groups[g].num_layers;
    }
    saver->layers = tmi_saver_alloc(saver, (size_t)num + file_layers, sizeof(*saver->layers));
    saver->file_layers = tmi_saver_alloc(saver, file_layers, sizeof(*saver->file_layers));
    TM_TRY(saver->io.status);
    leave_out_layers(saver);
    while (file && tm_map_next_layer(map, &walk))
        if (layer_item(saver, walk.layer, &k) && !saver->file_layers[k].found)
            saver->file_layers[k] = (tmi_file_layer){true, {walk.group, walk.index}};
    saver->same_structure = file && map->num_groups == file->counts[TM_ITEM_GROUP];
    for (uint32_t g = 0; g < map->num_groups && saver->same_structure; g++)
        saver->same_structure = group_as_in_file(saver, g);
    if (saver->same_structure)
        copy_file_layout(saver);
    else
        make_layout(saver);
    return saver->io.status;
}

/* ----------------------------------------------------------------------------------- what the steps share */

void *tmi_saver_alloc(tmi_saver *saver, size_t count, size_t size)
{
    size_t bytes;
    void *memory = NULL;
    if (tmi_mul_size(&bytes, count ? count : 1, size))
        memory = tmi_arena_alloc(&saver->arena, bytes, 1);
    if (memory)
        memset(memory, 0, bytes);
    else if (saver->io.status == TM_OK)
        saver->io.status = tmi_fail_memory(saver->io.error, (uint64_t)count * size, "saving");
    return memory;
}

bool tmi_is_fresh(const tmi_saver *saver, tm_origin origin)
{
    return !saver->file || origin.file != &saver->file->base;
}

static bool address_before(const tm_address *a, const tm_address *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind;
    return a->index != b->index ? a->index < b->index : a->layer < b->layer;
}

void tmi_saver_enter(tmi_saver *saver, tm_address address, tm_origin origin)
{
    tmi_item_io *io = &saver->io;
    tm_datafile_item item;
    size_t low = 0, high = io->claims.num; /* of the object's first claim; they are sorted by address */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (address_before(&io->claims.list[middle].address, &address))
            low = middle + 1;
        else
            high = middle;
    }
    io->address = address;
    io->claims.cursor = low;
    io->num = 0;
    io->absent_set = 0;
    io->fresh = tmi_is_fresh(saver, origin);
    if (io->fresh || io->status != TM_OK || !tm_datafile_get_item(&item, saver->file->datafile, origin.item))
        return;
    tmi_io_need(io, item.size / 4, 0);
    if (io->status == TM_OK && item.size >= 4)
        memcpy(io->body, item.body, (size_t)(item.size / 4) * 4);
}

void tmi_saver_report(tmi_saver *saver, tm_finding_id id, tm_address address, const char *format, ...)
{
    va_list list;
    if (saver->io.pass == TMI_COLLECT) /* STORE says it again */
        return;
    va_start(list, format);
    tmi_vreport_at_address(saver->findings, saver->io.mode, id, saver->map, address, -1, format, list);
    va_end(list);
}

void tmi_saver_lose(tmi_saver *saver, tm_game game, tm_part part, tm_address address)
{
    const tm_part_info *rule = tmi_game_part(part);
    tmi_saver_report(saver, rule->lost, address, "%s %s", tm_game_name(game), rule->text);
}

static void saver_init(tmi_saver *saver, const tm_map *map, const tm_mapfile_save_options *options,
                       tm_findings *findings, tm_error *error)
{
    const tmi_file *file = tmi_file_of(map);
    *saver = (tmi_saver){.map = map, .options = *options, .findings = findings};
    saver->file = options->rewrite ? NULL : file;
    saver->io = (tmi_item_io){.error = error,
                              .allocator = tmi_map_allocator(map),
                              .map = (tm_map *)(uintptr_t)map, /* COLLECT and STORE do not change it */
                              .file = (tmi_file *)(uintptr_t)saver->file, /* nor this */
                              .mode = file ? file->mode : TM_MODE_GAME,
                              .findings = findings,
                              .num_images = map->num_images,
                              .num_sounds = map->num_sounds,
                              .num_envelopes = map->num_envelopes,
                              .num_data = saver->file ? tm_datafile_num_data(file->datafile) : 0,
                              .rewrite = options->rewrite};
    tmi_arena_init(&saver->arena, saver->io.allocator);
}

void tmi_save_end(tmi_saver *saver)
{
    tm_datafile_writer_free(saver->writer);
    tmi_points_release(&saver->points, saver->io.allocator);
    tmi_free(saver->io.allocator, saver->io.claims.list, saver->io.claims.capacity, sizeof(tmi_claim));
    tmi_free(saver->io.allocator, saver->io.body, saver->io.capacity, 4);
    tmi_intern_release(&saver->made_keys);
    tmi_arena_release(&saver->arena);
}

/* Reports what the item of an object has and the model does not, which is left out. */
static void report_withheld(tmi_saver *saver, const tmi_file *file, tm_address address, tm_origin origin)
{
    if (origin.file != &file->base)
        return;
    const tmi_file_note *note = &file->notes[origin.item];
    if (note->known)
        tmi_saver_report(saver, TM_FINDING_LOST_FIELD, address,
                         "its item goes on behind what any game reads, and that is left out");
    if (note->withheld & TMI_WITHHELD_TILES)
        tmi_saver_report(saver, TM_FINDING_LOST_TILES, address, "tiles that could not be read are left out");
    if (note->withheld & TMI_WITHHELD_SIZE)
        tmi_saver_report(saver, TM_FINDING_LOST_FIELD, address,
                         "its size, which no game takes, becomes 0 x 0");
}

/* Reports what the file holds beside the model: nothing of it is written when the map is written anew. */
static void report_left_out(tmi_saver *saver, const tmi_file *file)
{
    tm_address address = {TM_KIND_MAP, 0, 0};
    tm_datafile_item item;
    for (uint32_t i = 0; tm_datafile_get_item(&item, file->datafile, i); i++) {
        const tmi_file_note *note = &file->notes[i];
        const tm_address place = {TM_KIND_ITEM, i, 0};
        if (note->role == TMI_ROLE_RAW && item.type != TM_TYPE_UUID_INDEX)
            tmi_saver_report(saver, TM_FINDING_LOST_ITEM, place,
                             "an item of a type that no game knows is left out");
        else if (note->role == TMI_ROLE_ORPHAN)
            tmi_saver_report(saver, TM_FINDING_LOST_LAYER, place, "a layer in no group is left out");
        else if (note->withheld & TMI_WITHHELD_ITEM)
            tmi_saver_report(saver, TM_FINDING_LOST_ITEM, place,
                             "an item that could not be read is left out");
    }
    report_withheld(saver, file, (tm_address){TM_KIND_INFO, 0, 0}, saver->map->info.origin);
    while (tmi_next_object(saver->map, &address)) {
        tm_kind owner;
        void *object = TMI_UNCONST(void, tmi_map_object(saver->map, &address, &owner));
        if (owner != TM_KIND_LAYER || ((tm_layer *)object)->kind != TM_LAYER_UNKNOWN) /* all of it is lost */
            report_withheld(saver, file, address, *tmi_object_origin(owner, object));
    }
}

static tm_status begin_writing(tmi_saver *saver)
{
    const tm_map *map = saver->map;
    const tmi_file *file = tmi_file_of(map);
    const tm_mapfile_save_options *options = &saver->options;
    /* What is written as a game writes it is packed as it packs, unless a level is asked for. */
    const bool as_games = options->rewrite && options->level == 0 && !options->smaller && !options->smallest;
    const tm_datafile_writer_options writer_options = {.size = sizeof(writer_options),
                                                       .allocator = saver->io.allocator,
                                                       .source = saver->file ? file->datafile : NULL,
                                                       .force_canonical = options->lay_out,
                                                       .smaller = options->smaller,
                                                       .smallest = options->smallest,
                                                       .level = options->level,
                                                       .file_bytes = map->priv->limits.file_bytes};
    TM_TRY(tm_map_verify(map, saver->io.error));
    /* the items of datafiles that are no maps mean other things, so nothing can be added */
    const tm_info *info = &map->info;
    const bool any = map->num_images || map->num_sounds || map->num_envelopes || map->num_groups ||
                     info->author || info->version || info->credits || info->license || info->num_settings ||
                     tmi_any_unread(TM_KIND_INFO, info);
    if (saver->file && !saver->file->is_map && any)
        return tmi_fail(saver->io.error, TM_ERROR_UNSUPPORTED, -1,
                        "the loaded file is not a map; only rewriting makes a map of it");
    TM_TRY(tm_datafile_writer_new(&saver->writer, &writer_options, saver->io.error));
    if (as_games)
        tmi_datafile_writer_pack_as_games(saver->writer);
    if (!saver->file && file && !saver->io.contents)
        report_left_out(saver, file);
    saver->item_used = tmi_saver_alloc(saver, saver->file ? tm_datafile_num_items(saver->file->datafile) : 0,
                                       sizeof(*saver->item_used));
    TM_TRY(saver->io.status);
    TM_TRY(plan_save(saver));
    TM_TRY(tmi_data_collect(saver));
    TM_TRY(tmi_data_place(saver));
    return tmi_store_items(saver);
}

tm_status tm_mapfile_save(const tm_map *map, const tm_output *output, const tm_mapfile_save_options *options,
                          const tm_job *job, tm_findings *findings, tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(output, "output", error));
    tm_mapfile_save_options effective;
    tmi_saver saver;
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_mapfile_save_options", error));
    saver_init(&saver, map, &effective, findings, error);
    tm_status status = begin_writing(&saver);
    if (status == TM_OK) {
        status = tm_datafile_writer_finish(saver.writer, output, job, findings, error);
        saver.writer = NULL;
    }
    for (size_t i = 0; status == TM_OK && i < saver.io.claims.num; i++) { /* lost when they were packed */
        const tmi_claim *claim = &saver.io.claims.list[i];
        if (claim->runs && claim->runs->lost_skips) /* runs are its tiles */
            tmi_saver_lose(&saver, TM_GAME_TEEWORLDS07, TM_PART_SKIP_BYTES, claim->address);
    }
    tmi_save_end(&saver);
    return status;
}

tm_status tmi_claims_begin(tmi_saver *saver, const tm_map *map, tm_error *error)
{
    saver_init(saver, map, &(tm_mapfile_save_options){.size = sizeof(tm_mapfile_save_options)}, NULL, error);
    TM_TRY(plan_save(saver));
    return tmi_data_collect(saver);
}

tm_status tmi_contents_begin(tmi_saver *saver, const tm_map *map, tm_error *error)
{
    const tm_mapfile_save_options options = {.size = sizeof(options), .rewrite = true};
    saver_init(saver, map, &options, NULL, error);
    saver->io.contents = true;
    return begin_writing(saver);
}

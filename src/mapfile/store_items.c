/* SPDX-License-Identifier: Zlib */
/*
 * What is saved, object by object, in two passes. COLLECT asks all for their data. STORE makes the items: the
 * file's items are gone through in their order. What is not modelled is written as it is, in its place; where
 * the first item of a kind stood, all objects of that kind are written in the model's order. Kinds that the
 * file does not have follow.
 */
#include "save_map.h"

#include "../datafile/datafile.h"
#include "../games/games.h"

/* ----------------------------------------------------------------------------------------------- one item */

enum { NUM_IDS = UINT16_MAX + 1 };

/*
 * An unused id: the first time the next one from `wanted` on, then on from there, round the end; NUM_IDS if
 * there is none.
 */
static uint32_t new_id(tmi_saver *saver, unsigned kind, uint32_t wanted)
{
    uint8_t *ids = saver->ids[kind]; /* that items of the kind have in the file or have been given */
    tm_datafile_item item;
    if (!ids) {
        ids = saver->ids[kind] = tmi_saver_alloc(saver, NUM_IDS / 8, 1);
        saver->next_id[kind] = wanted;
        for (uint32_t k = 0; ids && tmi_file_item(saver->file, kind, k, &item, NULL); k++)
            ids[item.id / 8] |= (uint8_t)(1u << item.id % 8);
    }
    for (uint32_t i = 0; ids && i < NUM_IDS; i++) {
        const uint32_t id = saver->next_id[kind] % NUM_IDS;
        saver->next_id[kind] = id + 1;
        if (ids[id / 8] & 1u << id % 8)
            continue;
        ids[id / 8] |= (uint8_t)(1u << id % 8);
        return id;
    }
    return NUM_IDS;
}

/* An item of the file as it is. */
static void put_raw(tmi_saver *saver, uint32_t index)
{
    tm_datafile_item item;
    if (saver->io.status != TM_OK || !tm_datafile_get_item(&item, saver->file->datafile, index))
        return;
    saver->item_used[index] = true;
    saver->io.status = tm_datafile_writer_add_item(saver->writer, &item, (int32_t)index, saver->io.error);
}

/* STORE: adds the item that it holds as the one at `position` of its kind. */
static void put_item(tmi_saver *saver, unsigned kind, uint32_t position, tm_origin origin)
{
    tmi_item_io *io = &saver->io;
    int32_t source = TM_NONE;
    tm_datafile_item old = {0};
    if (io->status != TM_OK || io->pass != TMI_STORE)
        return;
    if (!tmi_is_fresh(saver, origin) && !saver->item_used[origin.item]) {
        source = (int32_t)origin.item;
        saver->item_used[origin.item] = true;
        tm_datafile_get_item(&old, saver->file->datafile, origin.item);
    }
    /*
     * Ids that counted up still do; otherwise items of the file keep theirs and new ones get ids that the
     * file does not use, from the position upwards.
     */
    uint32_t id = position;
    if (saver->file && !saver->file->ids_count_up[kind])
        id = source != TM_NONE ? old.id : new_id(saver, kind, position);
    if (io->status == TM_OK && id > UINT16_MAX)
        io->status =
            tmi_fail(io->error, TM_ERROR_LIMIT, -1, "too many items of type %u: 65536 are the most", kind);
    if (io->status != TM_OK)
        return;
    const bool numbered = kind < TMI_KIND_UUID || (saver->file && saver->file->counts[kind]);
    const tm_datafile_item item = {.type = kind < TMI_KIND_UUID ? (uint16_t)kind
                                           : numbered ? saver->file->uuid_types[kind - TMI_KIND_UUID]
                                                      : 0,
                                   .id = (uint16_t)id,
                                   .size = io->num * 4,
                                   .body = io->body};
    const bool unchanged = source != TM_NONE && id == old.id && old.size / 4 == io->num &&
                           (io->num == 0 || memcmp(old.body, io->body, (size_t)io->num * 4) == 0);
    if (unchanged)
        put_raw(saver, origin.item); /* with bytes that make no whole int, too */
    else if (numbered)
        io->status = tm_datafile_writer_add_item(saver->writer, &item, source, io->error);
    else
        io->status = tm_datafile_writer_add_uuid_item(
            saver->writer, tmi_game_uuid((tm_uuid_item)(kind - TMI_KIND_UUID)), &item, source, io->error);
}

/* Puts the item io on bytes that are made elsewhere (points). */
static void enter_bytes(tmi_saver *saver, const uint8_t *bytes, uint32_t size)
{
    tmi_saver_enter(saver, (tm_address){TM_KIND_MAP, 0, 0}, (tm_origin){NULL, 0});
    tmi_io_need(&saver->io, size / 4, 0);
    if (saver->io.status == TM_OK && size)
        memcpy(saver->io.body, bytes, size);
}

/* ---------------------------------------------------------------------------------------------- the kinds */

/* What has neither this version nor a group would not be known for a map again. */
static int32_t version_to_write(const tmi_saver *saver)
{
    const tm_map *map = saver->map;
    const tmi_file *file = saver->file;
    /* the first version item, by which maps are known, is carried along if it is not the one with id 0 */
    const bool carried = file && file->counts[TM_ITEM_VERSION] &&
                         file->notes[file->items[TM_ITEM_VERSION]].role == TMI_ROLE_RAW;
    bool needed =
        file ? file->is_map && map->num_groups == 0 && !carried : map->num_groups == 0 || map->version == 0;
    return needed ? 1 : map->version;
}

static void put_version(tmi_saver *saver, tm_origin origin)
{
    int32_t version = version_to_write(saver);
    tmi_saver_enter(saver, (tm_address){TM_KIND_MAP, 0, 0}, origin);
    tmi_item_version(&saver->io, &version);
    put_item(saver, TM_ITEM_VERSION, 0, origin);
}

/* A file without an info item gets one when there is something to say. */
static void put_info(tmi_saver *saver, tm_origin origin)
{
    const tm_info *info = &saver->map->info;
    const bool any = info->author || info->version || info->credits || info->license || info->num_settings ||
                     tmi_any_unread(TM_KIND_INFO, info);
    if (saver->file && !any && tmi_is_fresh(saver, info->origin))
        return;
    tmi_saver_enter(saver, (tm_address){TM_KIND_INFO, 0, 0}, origin);
    tmi_item_info(&saver->io, &saver->io.map->info);
    if ((info->num_settings || info->unread_settings) && saver->io.num <= 5)
        tmi_saver_lose(saver, saver->map->game, TM_PART_SETTINGS, (tm_address){TM_KIND_SETTINGS, 0, 0});
    put_item(saver, TM_ITEM_INFO, 0, origin);
}

static void put_images(tmi_saver *saver)
{
    for (uint32_t i = 0; i < saver->map->num_images; i++) {
        tm_image *image = &saver->map->images[i];
        tmi_saver_enter(saver, (tm_address){TM_KIND_IMAGE, i, 0}, image->origin);
        tmi_item_image(&saver->io, image);
        put_item(saver, TM_ITEM_IMAGE, i, image->origin);
    }
}

static void put_sounds(tmi_saver *saver)
{
    const bool can = tmi_game_holds(saver->map->game, TM_PART_SOUNDS) ||
                     (saver->file && saver->file->counts[TM_ITEM_SOUND]);
    for (uint32_t i = 0; i < saver->map->num_sounds; i++) {
        tm_sound *sound = &saver->map->sounds[i];
        if (!can && tmi_is_fresh(saver, sound->origin)) {
            tmi_saver_lose(saver, saver->map->game, TM_PART_SOUNDS, (tm_address){TM_KIND_SOUND, i, 0});
            continue;
        }
        tmi_saver_enter(saver, (tm_address){TM_KIND_SOUND, i, 0}, sound->origin);
        tmi_item_sound(&saver->io, sound);
        put_item(saver, TM_ITEM_SOUND, i, sound->origin);
    }
}

static void put_envelopes(tmi_saver *saver)
{
    /*
     * a file may mix versions, and its items keep theirs, where an envelope that is still there says that
     * points are long; but long points that are laid out anew are long for all
     */
    const uint32_t ints = saver->points.ints;
    bool told = false;
    tm_datafile_item item;
    for (uint32_t i = 0; i < saver->map->num_envelopes; i++) {
        const tm_origin origin = saver->map->envelopes[i].origin;
        told |= !tmi_is_fresh(saver, origin) &&
                tm_datafile_get_item(&item, saver->file->datafile, origin.item) &&
                tm_datafile_item_int(&item, 0, 1) >= 3;
    }
    const bool all = saver->points.built || !told;
    for (uint32_t i = 0; i < saver->map->num_envelopes; i++) {
        tm_envelope *envelope = &saver->map->envelopes[i];
        tmi_index_range span = saver->points.ranges[i];
        tmi_saver_enter(saver, (tm_address){TM_KIND_ENVELOPE, i, 0}, envelope->origin);
        tmi_item_envelope(&saver->io, envelope, &span.start, &span.num, all || saver->io.fresh ? ints : 0);
        if (envelope->name[0] && !tmi_envelope_has_name(&saver->io))
            tmi_saver_report(saver, TM_FINDING_LOST_FIELD, saver->io.address,
                             "a name that begins with four bytes 7f is read as no name");
        put_item(saver, TM_ITEM_ENVELOPE, i, envelope->origin);
    }
}

static void put_groups(tmi_saver *saver)
{
    for (uint32_t g = 0; g < saver->map->num_groups; g++) {
        tm_group *group = &saver->map->groups[g];
        tmi_index_range span = saver->saved_groups[g].span;
        tmi_saver_enter(saver, (tm_address){TM_KIND_GROUP, g, 0}, group->origin);
        tmi_item_group(&saver->io, group, &span.start, &span.num);
        put_item(saver, TM_ITEM_GROUP, g, group->origin);
    }
}

static void store_layer(tmi_saver *saver, tmi_spot spot, uint32_t position)
{
    tm_layer *layer = &saver->map->groups[spot.group].layers[spot.layer];
    tmi_saver_enter(saver, (tm_address){TM_KIND_LAYER, spot.group, spot.layer}, layer->origin);
    tmi_item_layer(&saver->io, layer);
    if (layer->kind == TM_LAYER_UNKNOWN && layer->name[0])
        tmi_saver_report(saver, TM_FINDING_LOST_FIELD, saver->io.address,
                         "the name is lost: files have no place for it in this kind of layer");
    put_item(saver, TM_ITEM_LAYER, position, layer->origin);
}

static void put_layers(tmi_saver *saver)
{
    for (uint32_t i = 0; i < saver->num_layers; i++) {
        tmi_spot spot = saver->layers[i];
        if (spot.group == TMI_ORPHAN) { /* as it is, but for an id that counts up with the others */
            const tm_origin orphan = {&saver->file->base,
                                      (uint32_t)saver->file->items[TM_ITEM_LAYER] + spot.layer};
            tmi_saver_enter(saver, (tm_address){TM_KIND_ITEM, orphan.item, 0}, orphan);
            put_item(saver, TM_ITEM_LAYER, i, orphan);
            continue;
        }
        store_layer(saver, spot, i);
    }
}

/* Asks all objects for their data, in the order of addresses, by which tmi_saver_enter finds their claims. */
tm_status tmi_data_collect(tmi_saver *saver)
{
    tm_layer_walk walk = {0};
    saver->io.pass = TMI_COLLECT;
    put_info(saver, saver->map->info.origin);
    put_images(saver);
    put_sounds(saver);
    while (tm_map_next_layer(saver->map, &walk))
        if (!saver->saved_groups[walk.group].layers[walk.index].lost)
            store_layer(saver, (tmi_spot){walk.group, walk.index}, 0);
    return saver->io.status;
}

/* All groups have a group-ex item or none has: DDNet looked at them only when the numbers agree. */
static void put_group_ex(tmi_saver *saver)
{
    const unsigned kind = TMI_KIND_UUID + TM_UUID_GROUP_EX;
    const bool any = saver->has_group_ex;
    const bool can =
        saver->file && (tmi_game_holds(saver->map->game, TM_PART_PARALLAX_ZOOM) || saver->file->counts[kind]);
    if (any && !can)
        tmi_saver_lose(saver, saver->map->game, TM_PART_PARALLAX_ZOOM, (tm_address){TM_KIND_MAP, 0, 0});
    for (uint32_t g = 0; any && can && g < saver->map->num_groups; g++) {
        tm_group copy = saver->map->groups[g];
        if (!copy.has_parallax_zoom) { /* what DDNet 16.4 took without an item */
            int32_t parallax = copy.parallax_x > copy.parallax_y ? copy.parallax_x : copy.parallax_y;
            copy.parallax_zoom = parallax < 0 ? 0 : parallax > 100 ? 100 : parallax;
        }
        tmi_saver_enter(saver, (tm_address){TM_KIND_GROUP, g, 0}, copy.extra);
        tmi_item_group_ex(&saver->io, &copy);
        put_item(saver, kind, g, copy.extra);
    }
}

static void put_points(tmi_saver *saver, tm_origin origin)
{
    if (saver->points.keep) {
        put_raw(saver, origin.item);
        return;
    }
    enter_bytes(saver, saver->points.points, saver->points.points_size);
    put_item(saver, TM_ITEM_ENVELOPE_POINTS, 0, origin);
}

/* Puts the item of bezier tangents: as in the file if the points are kept, else the built one, if any. */
static void put_bezier(tmi_saver *saver, tm_origin origin)
{
    if (saver->points.keep || (!saver->points.built && !saver->points.bezier)) {
        put_raw(saver, origin.item);
        return;
    }
    if (!tmi_is_fresh(saver, origin) && saver->file->notes[origin.item].withheld & TMI_WITHHELD_ITEM)
        tmi_saver_report(saver, TM_FINDING_LOST_ITEM, (tm_address){TM_KIND_ITEM, origin.item, 0},
                         "the bezier item, which does not fit the points, is left out");
    if (!saver->points.bezier)
        return;
    enter_bytes(saver, saver->points.bezier, saver->points.bezier_size);
    put_item(saver, TMI_KIND_UUID + TM_UUID_BEZIER, 0, origin);
}

/* -------------------------------------------------------------------------------------------- automappers */

static void put_automapper(tmi_saver *saver, uint32_t g, uint32_t l, uint32_t position)
{
    tm_automapper *automapper = &saver->map->groups[g].layers[l].as.tiles.automapper;
    tmi_saver_enter(saver, (tm_address){TM_KIND_LAYER, g, l}, automapper->origin);
    /* the layer as the item has to say it: among those of its group that are written */
    tmi_item_automapper(&saver->io, automapper, (int32_t)g, (int32_t)saver->saved_groups[g].layers[l].place);
    put_item(saver, TMI_KIND_UUID + TM_UUID_AUTOMAPPER, position, automapper->origin);
}

static bool speaks(const tm_layer *layer)
{
    return layer->kind == TM_LAYER_TILES && layer->as.tiles.automapper.present;
}

/*
 * An item that did not count: it goes on naming the layer that it named, and goes with it. One that would
 * count now names no layer any more.
 */
static void put_stray_automapper(tmi_saver *saver, uint32_t index)
{
    const unsigned kind = TMI_KIND_UUID + TM_UUID_AUTOMAPPER;
    const tm_origin origin = {&saver->file->base, index};
    tmi_saver_enter(saver, (tm_address){TM_KIND_ITEM, index, 0}, origin);
    int32_t g = tmi_io_raw(&saver->io, 1, TM_NONE), l = tmi_io_raw(&saver->io, 2, TM_NONE);
    const tmi_file *file = saver->file;
    const tm_map *map = saver->map;
    bool counts =
        g >= 0 && (uint32_t)g < map->num_groups && l >= 0 && (uint32_t)l < map->groups[g].num_layers;
    if (g >= 0 && (uint32_t)g < file->counts[TM_ITEM_GROUP] && l >= 0 && l < file->spans[g].num) {
        tmi_spot spot = {(uint32_t)g, (uint32_t)l}; /* where the layer is that it names in the file */
        if (!saver->same_structure) {
            const tmi_file_layer *was = &saver->file_layers[file->spans[g].start + l];
            if (!was->found)
                return;
            spot = was->spot;
        }
        const tm_layer *layer = &map->groups[spot.group].layers[spot.layer];
        counts = layer->kind == TM_LAYER_TILES && !speaks(layer);
        g = (int32_t)spot.group;
        l = (int32_t)saver->saved_groups[spot.group].layers[spot.layer].place;
    }
    if (counts)
        g = l = TM_NONE;
    if (tmi_io_raw(&saver->io, 1, TM_NONE) != g)
        tmi_io_put(&saver->io, 1, g);
    if (tmi_io_raw(&saver->io, 2, TM_NONE) != l)
        tmi_io_put(&saver->io, 2, l);
    put_item(saver, kind, saver->num_automappers++, origin);
}

static tm_status find_automappers(tmi_saver *saver)
{
    const unsigned kind = TMI_KIND_UUID + TM_UUID_AUTOMAPPER;
    uint32_t num = saver->file ? saver->file->counts[kind] : 0;
    saver->automapper_at = tmi_saver_alloc(saver, num, sizeof(*saver->automapper_at));
    TM_TRY(saver->io.status);
    for (uint32_t i = 0; i < num; i++)
        saver->automapper_at[i] = (tmi_spot){TMI_ORPHAN, 0};
    tm_layer_walk walk = {0};
    while (num && tm_map_next_layer(saver->map, &walk)) {
        const tm_origin origin = walk.layer->as.tiles.automapper.origin; /* of a layer that speaks */
        if (!speaks(walk.layer) || tmi_is_fresh(saver, origin))
            continue;
        tmi_spot *spot = &saver->automapper_at[origin.item - (uint32_t)saver->file->items[kind]];
        if (spot->group == TMI_ORPHAN)
            *spot = (tmi_spot){walk.group, walk.index};
    }
    return TM_OK;
}

/* Automappers of layers that have no item of their own in the file: new ones, and copies. */
static void put_new_automappers(tmi_saver *saver)
{
    const bool can = tmi_game_holds(saver->map->game, TM_PART_AUTOMAPPERS) ||
                     (saver->file && saver->file->counts[TMI_KIND_UUID + TM_UUID_AUTOMAPPER]);
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(saver->map, &walk)) {
        if (!speaks(walk.layer))
            continue;
        const tm_origin origin = walk.layer->as.tiles.automapper.origin;
        if (saver->file && !tmi_is_fresh(saver, origin)) { /* written for another layer if this is a copy */
            const uint32_t k = origin.item - (uint32_t)saver->file->items[TMI_KIND_UUID + TM_UUID_AUTOMAPPER];
            if (saver->automapper_at[k].group == walk.group && saver->automapper_at[k].layer == walk.index)
                continue;
        }
        if (can)
            put_automapper(saver, walk.group, walk.index, saver->num_automappers++);
        else if (walk.layer->as.tiles.automapper.config != TM_NONE)
            tmi_saver_lose(saver, saver->map->game, TM_PART_AUTOMAPPERS,
                           (tm_address){TM_KIND_LAYER, walk.group, walk.index});
    }
}

/* ---------------------------------------------------------------------------------------------- all items */

static void (*const put_kinds[TMI_KINDS])(tmi_saver *saver) = {
    [TM_ITEM_IMAGE] = put_images,       [TM_ITEM_SOUND] = put_sounds,
    [TM_ITEM_ENVELOPE] = put_envelopes, [TM_ITEM_GROUP] = put_groups,
    [TM_ITEM_LAYER] = put_layers,       [TMI_KIND_UUID + TM_UUID_GROUP_EX] = put_group_ex,
};

static unsigned kind_of_file_item(const tmi_file *file, uint32_t index)
{
    for (unsigned kind = 0; kind < TMI_KINDS; kind++)
        if (file->counts[kind] && index >= (uint32_t)file->items[kind] &&
            index - (uint32_t)file->items[kind] < file->counts[kind])
            return kind;
    return TMI_KINDS;
}

/* Puts what stands for item `index` of the file; the first item of a kind stands for all of that kind. */
static void put_object(tmi_saver *saver, uint32_t index, bool *done)
{
    const unsigned kind = kind_of_file_item(saver->file, index);
    const tm_origin origin = {&saver->file->base, index};
    if (kind == TMI_KIND_UUID + TM_UUID_AUTOMAPPER) {
        const tmi_spot *spot = &saver->automapper_at[index - (uint32_t)saver->file->items[kind]];
        if (spot->group != TMI_ORPHAN) /* its layer is still there */
            put_automapper(saver, spot->group, spot->layer, saver->num_automappers++);
    } else if (kind < TMI_KINDS && !done[kind]) {
        done[kind] = true;
        switch (kind) {
        case TM_ITEM_VERSION: put_version(saver, origin); break;
        case TM_ITEM_INFO: put_info(saver, saver->map->info.origin); break;
        case TM_ITEM_ENVELOPE_POINTS: put_points(saver, origin); break;
        case TMI_KIND_UUID + TM_UUID_BEZIER: put_bezier(saver, origin); break;
        default: put_kinds[kind](saver);
        }
    }
}

/*
 * An index item of a UUID type of ours without items may give it a number that means something else: items
 * that come now would become those other things. Such a type gets a number of its own, and the old index
 * items go.
 */
static bool is_idle_index(const tmi_saver *saver, const tm_datafile_item *item)
{
    const tm_game game = saver->map->game;
    tm_uuid uuid;
    unsigned k = 0;
    if (item->type != TM_TYPE_UUID_INDEX || !tmi_index_uuid(item, &uuid))
        return false;
    while (k < TM_UUID_COUNT && memcmp(&uuid, tmi_game_uuid((tm_uuid_item)k), sizeof(uuid)) != 0)
        k++;
    if (k == TM_UUID_COUNT || saver->file->counts[TMI_KIND_UUID + k])
        return false;
    switch (k) {
    case TM_UUID_AUTOMAPPER: return saver->has_automappers && tmi_game_holds(game, TM_PART_AUTOMAPPERS);
    case TM_UUID_BEZIER: return saver->points.bezier;
    case TM_UUID_GROUP_EX: return saver->has_group_ex && tmi_game_holds(game, TM_PART_PARALLAX_ZOOM);
    default: return false;
    }
}

static void put_raw_item(tmi_saver *saver, uint32_t index)
{
    const unsigned group_ex = TMI_KIND_UUID + TM_UUID_GROUP_EX;
    tm_datafile_item item;
    if (!tm_datafile_get_item(&item, saver->file->datafile, index) || is_idle_index(saver, &item))
        return;
    /* group-ex items that did not count, being more or fewer than groups, must not count now either */
    if (kind_of_file_item(saver->file, index) != group_ex ||
        (!saver->has_group_ex && saver->map->num_groups != saver->file->counts[group_ex]))
        put_raw(saver, index);
    else
        tmi_saver_report(saver, TM_FINDING_LOST_ITEM, (tm_address){TM_KIND_ITEM, index, 0},
                         "a group-ex item that was ignored is left out, because now it would count");
}

/* What the file has no item for yet. */
static void put_missing(tmi_saver *saver, const bool *done)
{
    const tm_origin fresh = {NULL, 0};
    const bool empty_points =
        !saver->file && saver->points.points; /* both games write the item even when it is empty */
    if (!done[TM_ITEM_VERSION] && version_to_write(saver))
        put_version(saver, fresh);
    if (!done[TM_ITEM_INFO])
        put_info(saver, fresh);
    for (unsigned kind = 0; kind < TMI_KINDS; kind++)
        if (put_kinds[kind] && !done[kind])
            put_kinds[kind](saver);
    if (!done[TM_ITEM_ENVELOPE_POINTS] && (empty_points || saver->points.points_size))
        put_points(saver, fresh);
    put_new_automappers(saver); /* before tangents, as DDNet's editor does: UUIDs get numbers in this order */
    if (!done[TMI_KIND_UUID + TM_UUID_BEZIER] && saver->points.bezier)
        put_bezier(saver, fresh);
}

tm_status tmi_store_items(tmi_saver *saver)
{
    bool done[TMI_KINDS] = {false};
    tm_layer_walk walk = {0};
    saver->io.pass = TMI_STORE;
    for (uint32_t g = 0; g < saver->map->num_groups; g++)
        saver->has_group_ex |= saver->map->groups[g].has_parallax_zoom;
    while (tm_map_next_layer(saver->map, &walk))
        saver->has_automappers |= speaks(walk.layer);
    TM_TRY(find_automappers(saver));
    TM_TRY(tmi_points_store(&saver->points, &saver->io));
    for (uint32_t i = 0; saver->points.curves_lost && i < saver->map->num_envelopes; i++)
        if (tmi_has_tangents(&saver->map->envelopes[i]))
            tmi_saver_lose(saver, saver->map->game, TM_PART_CURVES, (tm_address){TM_KIND_ENVELOPE, i, 0});
    const uint32_t num = saver->file ? tm_datafile_num_items(saver->file->datafile) : 0;
    for (uint32_t i = 0; i < num && saver->io.status == TM_OK; i++) {
        switch (saver->file->notes[i].role) {
        case TMI_ROLE_RAW: put_raw_item(saver, i); break;
        case TMI_ROLE_STRAY:
            if (!saver->options.lay_out)
                put_stray_automapper(saver, i);
            break;
        default: put_object(saver, i, done); /* orphans stand among the layers */
        }
    }
    put_missing(saver, done);
    return saver->io.status;
}

/* SPDX-License-Identifier: Zlib */
/*
 * Marks open conflicts in the merged map, so that its author can resolve them in the game's editor. The map
 * keeps the version of ours, and theirs is added next to it. Tiles that both sides changed become two layers
 * in front of the layer, with only these tiles. For other changes of a design layer the whole layer of theirs
 * is added. Images, sounds, envelopes and groups are added at the end of their list. Conflicts about commands
 * and fields of the map become comments among the commands.
 */
#include "merge.h"
#include "../games/games.h"

static const char *const mark_names[] = {TMI_MARK_OURS, TMI_MARK_THEIRS};

/* Layers in front of a new layer get a new address. */
static void shift_addresses(tmi_merge *m, uint32_t group, uint32_t layer)
{
    for (size_t i = 0; i < m->conflicts->num; i++) {
        tm_conflict *shown = &m->conflicts->list[i].shown;
        if (shown->in_merged && shown->merged.kind == TM_KIND_LAYER && shown->merged.index == group &&
            shown->merged.layer >= layer)
            shown->merged.layer++;
    }
}

static tm_status leave_tiles(tmi_merge *m, const tmi_conflict *conflict)
{
    const tm_address address = conflict->shown.merged;
    const tmi_grid *grid = conflict->grid;
    const tm_layer_info *info = tm_game_layer(conflict->shown.layer_kind);
    for (int side = 0; side < 2; side++) {
        const uint32_t place = address.layer + 1 + (uint32_t)side;
        const tm_tile_layer marked = m->map->groups[address.index].layers[address.layer].as.tiles;
        void *tiles;
        TM_TRY(tm_map_insert_layer(m->map, address.index, place, TM_LAYER_TILES, marked.width, marked.height,
                                   m->error));
        tm_layer *layer = &m->map->groups[address.index].layers[place];
        tm_map_set_name(layer->name, sizeof(layer->name), mark_names[side]);
        if (!info->is_physics) {
            layer->as.tiles.color = marked.color;
            layer->as.tiles.color_envelope = marked.color_envelope;
            layer->as.tiles.color_envelope_offset = marked.color_envelope_offset;
            layer->as.tiles.image = marked.image;
        }
        TM_TRY(tm_map_edit_data(&tiles, NULL, m->map, layer->as.tiles.tiles, m->error));
        for (uint32_t r = 0; r < grid->num_runs; r++) {
            const tmi_grid_run *run = &grid->runs[r];
            const int64_t y = (int64_t)run->y + conflict->shown.dy;
            for (uint32_t i = 0; i < run->num; i++) {
                const int64_t x = (int64_t)run->x + conflict->shown.dx + i;
                const uint8_t *element = grid->bytes[side] + (size_t)(run->first + i) * grid->size;
                if (tmi_rect_has(&(tm_rect){0, 0, marked.width, marked.height}, x, y))
                    ((tm_tile *)tiles)[(size_t)y * marked.width + (size_t)x] =
                        (tm_tile){.index = element[info->index_at],
                                  .flags = info->flags_at == TM_NONE ? 0 : element[info->flags_at]};
            }
        }
        shift_addresses(m, address.index, place);
    }
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- objects */

/* Adds the layer of theirs in front of the result's. A map cannot have a second physics layer of a kind. */
static tm_status leave_layer(tmi_merge *m, const tmi_conflict *conflict)
{
    const tm_address address = conflict->shown.merged;
    const tm_layer *theirs = tmi_merge_object_in(m, TM_MERGE_THEIRS, TM_KIND_LAYER, conflict->id);
    if (!theirs || tm_game_layer(theirs->kind)->is_physics || theirs->kind == TM_LAYER_UNKNOWN)
        return TM_OK;
    TM_TRY(tm_map_insert_layer(m->map, address.index, address.layer + 1, TM_LAYER_QUADS, 0, 0, m->error));
    tm_layer *layer = &m->map->groups[address.index].layers[address.layer + 1];
    shift_addresses(m, address.index, address.layer + 1);
    TM_TRY(tmi_merge_copy_theirs(m, layer, TM_KIND_LAYER, conflict->id));
    tm_map_set_name(layer->name, sizeof(layer->name), mark_names[1]);
    return TM_OK;
}

/* Adds the object of theirs at the end of its list, so that no index changes. */
static tm_status leave_object(tmi_merge *m, const tmi_conflict *conflict)
{
    const tm_kind list = conflict->list;
    const tm_address address = {list, tmi_num_objects(m->map, list), 0};
    tm_kind owner;
    char text[256];
    if (!tmi_merge_object_in(m, TM_MERGE_THEIRS, list, conflict->id))
        return TM_OK;
    TM_TRY(tm_map_insert(m->map, list, address.index, m->error));
    void *fresh = tmi_map_object_edit(m->map, &address, &owner);
    TM_TRY(tmi_merge_copy_theirs(m, fresh, list, conflict->id));
    const tm_field *field = tm_field_find(owner, "name");
    if (tm_field_unread(field, fresh)) /* it stays as it is */
        return TM_OK;
    tm_value name = tm_field_get(field, fresh, 0);
    const bool room = field->type == TM_TYPE_TEXT && name.as.text; /* for the old name, too */
    tmi_format(text, sizeof(text), "%s%s%.200s", mark_names[1], room ? " " : "", room ? name.as.text : "");
    name.as.text = text;
    return tmi_field_set_any(m->map, fresh, field, 0, &name, m->error);
}

/* Games treat such a line as a comment. */
static tm_status add_comment(tmi_merge *m, const char *line)
{
    char text[TM_ERROR_TEXT_SIZE + 32];
    tmi_format(text, sizeof(text), TMI_MARK_LINE "%s", line);
    return tm_map_insert_setting(m->map, m->map->info.num_settings, text, m->error);
}

/* The marking layers are design layers and hold no numbers. Comments show those of the first tiles. */
static tm_status leave_numbers(tmi_merge *m, const tmi_conflict *conflict)
{
    enum { FEW = 12 };
    const tmi_grid *grid = conflict->grid;
    const tm_layer_kind kind = conflict->shown.layer_kind;
    uint32_t told = 0;
    if (grid->size == sizeof(tm_tile) && tm_kind_of_elements(kind) == TM_KIND_TILE)
        return TM_OK;
    for (uint32_t r = 0; r < grid->num_runs; r++) {
        const tmi_grid_run *run = &grid->runs[r];
        for (uint32_t i = 0; i < run->num && told < FEW; i++, told++) {
            char line[TM_ERROR_TEXT_SIZE];
            tmi_line side[2] = {{{0}, 0}, {{0}, 0}};
            for (int k = 0; k < 2; k++)
                tmi_line_tile(&side[k], tm_kind_of_elements(kind),
                              grid->bytes[k] + (size_t)(run->first + i) * grid->size, 1);
            tmi_format(line, sizeof(line), "%s tile %d,%d: %s in ours, %s in theirs",
                       tm_game_layer(kind)->name, (int)(run->x + (int32_t)i + conflict->shown.dx),
                       (int)(run->y + conflict->shown.dy), side[0].text, side[1].text);
            TM_TRY(add_comment(m, line));
        }
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- the whole */

/* An earlier conflict that already added the whole object; NULL if there is none. */
static const tmi_conflict *shown_already(const tmi_merge *m, size_t index)
{
    const tmi_conflict *conflict = &m->conflicts->list[index];
    for (size_t i = 0; i < index && conflict->list != TM_KIND_MAP && !conflict->grid; i++) {
        const tmi_conflict *other = &m->conflicts->list[i];
        if (other->list == conflict->list && other->id == conflict->id && other->shown.open && !other->grid &&
            other->shown.kind != TM_CONFLICT_REMOVED && other->shown.kind != TM_CONFLICT_PLACE)
            return other;
    }
    return NULL;
}

/* Whether the map can hold the version of theirs next to that of ours. */
static bool has_room_for_both(const tmi_merge *m, const tmi_conflict *conflict)
{
    const tm_conflict *shown = &conflict->shown;
    if (conflict->list == TM_KIND_MAP || !shown->in_merged || shown->kind == TM_CONFLICT_REMOVED ||
        shown->kind == TM_CONFLICT_PLACE ||
        !tmi_merge_object_in(m, TM_MERGE_THEIRS, conflict->list, conflict->id))
        return false;
    if (conflict->list != TM_KIND_LAYER)
        return true;
    if (conflict->grid)
        return shown->field->flags & TM_FIELD_ELEMENTS;
    return !tm_game_layer(shown->layer_kind)->is_physics && shown->layer_kind != TM_LAYER_UNKNOWN;
}

tm_status tmi_mark_conflicts(tmi_merge *m)
{
    const bool comments =
        tmi_game_part(TM_PART_SETTINGS)->games[m->map->game] && !m->map->info.unread_settings;
    for (size_t i = 0; i < m->conflicts->num; i++) {
        tmi_conflict *conflict = &m->conflicts->list[i];
        const tmi_conflict *other = shown_already(m, i);
        const bool room = conflict->shown.open && has_room_for_both(m, conflict);
        char line[TM_ERROR_TEXT_SIZE];
        if (!conflict->shown.open || (!room && !comments))
            continue;
        conflict->shown.marked = !room || !other || other->shown.marked;
        if (!room) {
            tm_conflict_format(&conflict->shown, line, sizeof(line));
            TM_TRY(add_comment(m, line));
        } else if (!other && conflict->list != TM_KIND_LAYER) {
            TM_TRY(leave_object(m, conflict));
        } else if (!other && !conflict->grid) {
            TM_TRY(leave_layer(m, conflict));
        } else if (!other) {
            TM_TRY(leave_tiles(m, conflict));
            if (comments)
                TM_TRY(leave_numbers(m, conflict));
        }
    }
    return TM_OK;
}

/* SPDX-License-Identifier: Zlib */
/* Reads a patch: its changes one by one, and each as a line of text. */
#include "patch.h"

#include <inttypes.h>

const char *tm_change_kind_name(tm_change_kind kind)
{
    static const char *const names[] = {
        [TM_CHANGE_ADDED] = "added", [TM_CHANGE_REMOVED] = "removed", [TM_CHANGE_MOVED] = "moved",
        [TM_CHANGE_FIELD] = "field", [TM_CHANGE_SETTING] = "setting", [TM_CHANGE_ELEMENT] = "element",
        [TM_CHANGE_TILES] = "tiles", [TM_CHANGE_PIXELS] = "pixels",   [TM_CHANGE_DATA] = "data"};
    return (size_t)kind < TMI_COUNT_OF(names) ? names[kind] : NULL;
}

/* ---------------------------------------------------------------------------------------------- a change */

static void show_object(tm_patch_change *out, const tm_patch *patch, const tmi_delta *delta)
{
    tm_address addresses[2];
    const bool there[2] = {delta->number[TMI_BEFORE] != TMI_NOWHERE, delta->number[TMI_AFTER] != TMI_NOWHERE};
    if (delta->type == TMI_DELTA_OBJECT && !(there[TMI_BEFORE] && there[TMI_AFTER]))
        out->kind = there[TMI_BEFORE] ? TM_CHANGE_REMOVED : TM_CHANGE_ADDED;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        const int from = there[side] ? side : !side;
        addresses[side] = tmi_side_address(&patch->match.side[from], delta->list, delta->number[from]);
    }
    out->before = addresses[TMI_BEFORE];
    out->after = addresses[TMI_AFTER];
    out->in_before = there[TMI_BEFORE];
    out->in_after = there[TMI_AFTER];
    out->name = "";
    if (delta->list == TM_KIND_MAP) {
        out->before.kind = out->after.kind = tmi_delta_is_of_settings(delta) ? TM_KIND_SETTINGS
                                             : delta->owner == TM_KIND_INFO  ? TM_KIND_INFO
                                                                             : TM_KIND_MAP;
        return;
    }
    const int side = there[TMI_AFTER] ? TMI_AFTER : TMI_BEFORE;
    const tmi_label *label = &patch->match.side[side].labels[delta->list][delta->number[side]];
    out->name = label->name ? label->name : "";
    if (delta->list != TM_KIND_LAYER)
        return;
    out->layer_kind = tmi_delta_layer_kind(patch, delta);
    if (there[TMI_BEFORE])
        out->from_group = patch->match.pairs[TM_KIND_GROUP].other[TMI_BEFORE][addresses[TMI_BEFORE].index];
}

static void show_grid(tm_patch_change *out, const tmi_grid *grid)
{
    memcpy(out->width, grid->width, sizeof(out->width));
    memcpy(out->height, grid->height, sizeof(out->height));
    out->dx = grid->dx;
    out->dy = grid->dy;
    out->num = grid->num;
    out->num_new = grid->outside[TMI_BEFORE];
    out->num_cut = grid->outside[TMI_AFTER];
    out->element_size = grid->size;
    out->num_runs = grid->num_runs;
    out->num_regions = grid->num_regions;
    out->regions = grid->regions;
}

uint32_t tm_patch_num(const tm_patch *patch)
{
    return patch ? (uint32_t)patch->num : 0;
}

bool tm_patch_at(tm_patch_change *out, const tm_patch *patch, uint32_t index)
{
    if (!out)
        return false;
    memset(out, 0, sizeof(*out));
    if (!patch || index >= patch->num)
        return false;
    static const tm_change_kind kinds[] = {
        [TMI_DELTA_OBJECT] = TM_CHANGE_MOVED,    [TMI_DELTA_FIELD] = TM_CHANGE_FIELD,
        [TMI_DELTA_SETTING] = TM_CHANGE_SETTING, [TMI_DELTA_ELEMENT] = TM_CHANGE_ELEMENT,
        [TMI_DELTA_GRID] = TM_CHANGE_TILES,      [TMI_DELTA_DATA] = TM_CHANGE_DATA};
    const tmi_delta *delta = &patch->deltas[index];
    const bool pixels = delta->type == TMI_DELTA_GRID && delta->list == TM_KIND_IMAGE;
    out->kind = pixels ? TM_CHANGE_PIXELS : kinds[delta->type];
    out->layer_kind = TM_LAYER_UNKNOWN;
    out->from_group = TM_NONE;
    out->owner = delta->type == TMI_DELTA_OBJECT ? (delta->list) : delta->owner;
    out->field = delta->field;
    out->index = delta->index;
    out->moved = delta->moved;
    show_object(out, patch, delta);
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        out->value[side] = delta->value[side];
        out->element[side] = delta->bytes[side] ? delta->at[side] : TM_NO_ELEMENT;
        if (delta->type == TMI_DELTA_SETTING)
            out->text[side] = delta->bytes[side];
        else
            out->elements[side] = delta->bytes[side];
        out->size[side] = tm_block_get_info(delta->block[side]).size;
        if (delta->type != TMI_DELTA_FIELD || delta->field->type != TM_TYPE_REFERENCE)
            continue;
        const tmi_side *objects = &patch->match.side[side];
        const int64_t number = delta->value[side].as.number;
        if (number >= 0 && number < objects->num[delta->field->refers])
            out->refers[side] = objects->labels[delta->field->refers][number].name;
        if (out->refers[side] && !*out->refers[side])
            out->refers[side] = NULL;
    }
    if (delta->grid)
        show_grid(out, delta->grid);
    return true;
}

bool tmi_grid_run_at(tm_run *out, const tmi_grid *grid, uint32_t run)
{
    memset(out, 0, sizeof(*out));
    if (!grid || run >= grid->num_runs)
        return false;
    const tmi_grid_run *found = &grid->runs[run];
    out->x = found->x;
    out->y = found->y;
    out->num = found->num;
    out->before = grid->bytes[TMI_BEFORE] + (size_t)found->first * grid->size;
    out->after = grid->bytes[TMI_AFTER] + (size_t)found->first * grid->size;
    return true;
}

bool tm_patch_run(tm_run *out, const tm_patch *patch, uint32_t change, uint32_t run)
{
    const bool there = patch && change < patch->num;
    return out && tmi_grid_run_at(out, there ? patch->deltas[change].grid : NULL, run);
}

/* --------------------------------------------------------------------------------------------- as a line */

void tmi_line_object(tmi_line *out, const tm_address *address, const char *name)
{
    char place[TM_ERROR_PLACE_SIZE];
    tm_address_describe(address, NULL, place, sizeof(place));
    tmi_line_add(out, "%s", place);
    if (name && *name)
        tmi_line_add(out, " '%s'", name);
}

void tmi_line_shift(tmi_line *out, const tm_map_shift *shift, const char *moved)
{
    const bool size = shift->width[0] != shift->width[1] || shift->height[0] != shift->height[1];
    if (size)
        tmi_line_add(out, ": %" PRIu32 " x %" PRIu32 " -> %" PRIu32 " x %" PRIu32, shift->width[0],
                     shift->height[0], shift->width[1], shift->height[1]);
    if (shift->dx || shift->dy)
        tmi_line_add(out, "%s %" PRId32 ",%" PRId32, size ? " with the old 0,0 at" : moved, shift->dx,
                     shift->dy);
}

void tmi_value_cut(char *text, size_t size, const tm_field *field, const tm_value *value)
{
    if (tm_value_format(text, size, field, value, NULL) >= size)
        memcpy(text + size - 4, "...", 4);
}

static void add_field(tmi_line *out, const tm_patch_change *change)
{
    char value[2][90];
    const bool unread[2] = {change->value[TMI_BEFORE].unread, change->value[TMI_AFTER].unread};
    if (unread[TMI_BEFORE] || unread[TMI_AFTER]) {
        tmi_line_add(out, ": %s could not be read in %s", change->field->name,
                     !unread[TMI_AFTER]    ? "the old map"
                     : !unread[TMI_BEFORE] ? "the new map"
                                           : "both maps, and may differ");
        return;
    }
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        tmi_value_cut(value[side], sizeof(value[side]), change->field, &change->value[side]);
    tmi_line_add(out, ": %s", change->field->name);
    if (change->field->num_values > 1)
        tmi_line_add(out, "[%u]", (unsigned)change->index);
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        tmi_line_add(out, "%s %s", side == TMI_AFTER ? " ->" : "", value[side]);
        if (change->refers[side])
            tmi_line_add(out, " '%.60s'", change->refers[side]);
    }
}

static void add_setting(tmi_line *out, const tm_patch_change *change)
{
    const char *before = change->text[TMI_BEFORE], *after = change->text[TMI_AFTER];
    if (!before)
        tmi_line_add(out, ": + %.150s", after);
    else if (!after)
        tmi_line_add(out, ": - %.150s", before);
    else if (strcmp(before, after) == 0)
        tmi_line_add(out, ": moved %.150s", after);
    else
        tmi_line_add(out, ": %.80s -> %.80s", before, after);
}

/* "quad 3": the last word of the owner. */
const char *tmi_element_word(tm_kind owner)
{
    const char *name = tm_kind_name(owner), *last = name ? strrchr(name, '_') : NULL;
    return last ? last + 1 : name;
}

static void add_element(tmi_line *out, const tm_patch_change *change)
{
    const char *word = tmi_element_word(change->owner);
    if (change->element[TMI_BEFORE] == TM_NO_ELEMENT)
        tmi_line_add(out, ": %s %" PRIu64 " added", word, change->element[TMI_AFTER]);
    else if (change->element[TMI_AFTER] == TM_NO_ELEMENT)
        tmi_line_add(out, ": %s %" PRIu64 " removed", word, change->element[TMI_BEFORE]);
    else if (change->moved && change->element[TMI_AFTER] == 0)
        tmi_line_add(out, ": %s 0 moved, now the first", word);
    else if (change->moved)
        tmi_line_add(out, ": %s %" PRIu64 " moved, now after %s %" PRIu64, word, change->element[TMI_AFTER],
                     word, change->element[TMI_AFTER] - 1);
    else
        tmi_line_add(out, ": %s %" PRIu64 ":", word, change->element[TMI_AFTER]);
    const char *a = change->elements[TMI_BEFORE], *b = change->elements[TMI_AFTER];
    const char *comma = "";
    size_t num;
    const tm_field *fields = tm_fields(&num, change->owner);
    for (size_t f = 0; f < num && a && b; f++) {
        const size_t at = fields[f].offset, size = fields[f].size * fields[f].num_values;
        if (fields[f].flags & TM_FIELD_ALIAS || memcmp(a + at, b + at, size) == 0)
            continue;
        tmi_line_add(out, "%s %s", comma, fields[f].name);
        comma = ",";
    }
}

static void add_grid(tmi_line *out, const tm_patch_change *change)
{
    const tm_map_shift shift = {
        change->dx, change->dy, {change->width[0], change->width[1]}, {change->height[0], change->height[1]}};
    const bool shape =
        shift.dx || shift.dy || shift.width[0] != shift.width[1] || shift.height[0] != shift.height[1];
    const bool pixels = change->kind == TM_CHANGE_PIXELS;
    const bool old = !pixels && !(change->field->flags & TM_FIELD_ELEMENTS);
    const tm_region *first = change->regions;
    if (shape && old)
        tmi_line_add(out, ": the copy for Teeworlds");
    tmi_line_shift(out, &shift, ": all of it moved by");
    const bool other = change->num > change->num_cut + change->num_new || !shape;
    if (change->num && other) {
        tmi_line_add(out, "%s %" PRIu64 " %s%s%s", shape ? "," : ":", change->num, pixels ? "pixel" : "tile",
                     change->num == 1 ? "" : "s", old ? " of the copy for Teeworlds" : "");
        if (change->num > 1)
            tmi_line_add(out, " in %u place%s", (unsigned)change->num_regions,
                         change->num_regions == 1 ? "" : "s");
        if (change->num_regions)
            tmi_line_add(out, "%s %d,%d %ux%u", change->num_regions > 1 ? ", first at" : " at",
                         (int)first->rect.x, (int)first->rect.y, (unsigned)first->rect.width,
                         (unsigned)first->rect.height);
    }
    if (change->num_new)
        tmi_line_add(out, ", %" PRIu64 "%s new", change->num_new, other ? " of them" : "");
    if (change->num_cut)
        tmi_line_add(out, ", %" PRIu64 "%s cut off", change->num_cut, other ? " of them" : "");
}

/* Adds where an object moved, in numbers AFTER: an old number may be that of another object now. */
static void add_move(tmi_line *out, const tm_patch_change *change)
{
    const bool layer = change->after.kind == TM_KIND_LAYER;
    tm_address behind = change->after;
    uint32_t *number = layer ? &behind.layer : &behind.index;
    if (layer && change->from_group == TM_NONE) {
        tmi_line_add(out, " moved here from a removed group");
    } else if (layer && change->from_group != (int32_t)behind.index) {
        tmi_line_add(out, " moved here from group %d", (int)change->from_group);
    } else if (*number == 0) {
        tmi_line_add(out, " moved, now the first");
    } else {
        --*number;
        tmi_line_add(out, " moved, now after ");
        tmi_line_object(out, &behind, NULL);
    }
}

static void add_data(tmi_line *out, const tm_patch_change *change)
{
    tmi_line_add(out, ": %s, %" PRIu64 " -> %" PRIu64 " bytes", change->field->name, change->size[TMI_BEFORE],
                 change->size[TMI_AFTER]);
}

static void add_addition(tmi_line *out, const tm_patch_change *change)
{
    tmi_line_add(out, " %s", tm_change_kind_name(change->kind));
}

void tmi_line_change(tmi_line *out, const tm_patch_change *change)
{
    static void (*const words[])(tmi_line * out, const tm_patch_change *change) = {
        [TM_CHANGE_ADDED] = add_addition,  [TM_CHANGE_REMOVED] = add_addition,
        [TM_CHANGE_MOVED] = add_move,      [TM_CHANGE_FIELD] = add_field,
        [TM_CHANGE_SETTING] = add_setting, [TM_CHANGE_ELEMENT] = add_element,
        [TM_CHANGE_TILES] = add_grid,      [TM_CHANGE_PIXELS] = add_grid,
        [TM_CHANGE_DATA] = add_data};
    words[change->kind](out, change);
}

size_t tm_patch_change_format(const tm_patch_change *change, char *buffer, size_t size)
{
    tmi_line out = {{0}, 0};
    if (!change || !tm_change_kind_name(change->kind))
        return tmi_format(buffer, size, "%s", "");
    tmi_line_object(&out, change->in_after ? &change->after : &change->before, change->name);
    tmi_line_change(&out, change);
    return tmi_give_line(buffer, size, out.text);
}

/* -------------------------------------------------------------------------------------------------- idle */

/* The envelope that a change is about, if it has a point of this number. */
static const tm_envelope *envelope_of(const tm_map *map, const tm_address *address, uint64_t point)
{
    const tm_envelope *envelope = address->kind == TM_KIND_ENVELOPE && address->index < map->num_envelopes
                                      ? &map->envelopes[address->index]
                                      : NULL;
    return envelope && point < envelope->num_points ? envelope : NULL;
}

static bool curves(const tm_envelope *envelope, uint64_t point)
{
    return envelope->points[point].curve == TM_CURVE_BEZIER;
}

bool tmi_patch_change_is_noop(const tm_patch_change *change, const tm_map *before, const tm_map *after)
{
    if (!change || !before || !after || change->kind != TM_CHANGE_ELEMENT || change->moved ||
        change->owner != TM_KIND_ENVELOPE_POINT || !change->elements[0] || !change->elements[1])
        return false;
    const tm_envelope *const envelopes[2] = {envelope_of(before, &change->before, change->element[0]),
                                             envelope_of(after, &change->after, change->element[1])};
    if (!envelopes[0] || !envelopes[1] || envelopes[0]->channels != envelopes[1]->channels)
        return false;
    const tm_envelope_point *a = &envelopes[0]->points[change->element[0]],
                            *b = &envelopes[1]->points[change->element[1]];
    const int32_t channels = envelopes[0]->channels;
    const size_t size = (size_t)(channels < 0 || channels > 4 ? 4 : channels) * sizeof(int32_t);
    bool in = false, out = curves(envelopes[0], change->element[0]);
    for (int side = 0; side < 2; side++)
        in = in || (change->element[side] && curves(envelopes[side], change->element[side] - 1));
    return a->time == b->time && a->curve == b->curve && memcmp(a->values, b->values, size) == 0 &&
           (!in || (memcmp(a->in_dx, b->in_dx, size) == 0 && memcmp(a->in_dy, b->in_dy, size) == 0)) &&
           (!out || (memcmp(a->out_dx, b->out_dx, size) == 0 && memcmp(a->out_dy, b->out_dy, size) == 0));
}

/* -------------------------------------------------------------------------------------------------- shift */

bool tm_patch_shift(tm_map_shift *out, const tm_patch *patch)
{
    if (!out)
        return false;
    memset(out, 0, sizeof(*out));
    for (size_t i = 0; patch && i < patch->num; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        if (delta->type != TMI_DELTA_GRID || delta->list != TM_KIND_LAYER ||
            patch->match.side[TMI_BEFORE].labels[TM_KIND_LAYER][delta->number[TMI_BEFORE]].kind !=
                TM_LAYER_GAME)
            continue;
        const tmi_grid *grid = delta->grid;
        *out = (tm_map_shift){.dx = grid->dx, .dy = grid->dy};
        memcpy(out->width, grid->width, sizeof(out->width));
        memcpy(out->height, grid->height, sizeof(out->height));
        return tmi_grid_reshaped(grid);
    }
    return false;
}

void tmi_element_move(tmi_any_element *element, tm_kind owner, const int32_t tiles[2])
{
    tm_point *points = owner == TM_KIND_QUAD           ? element->quad.points
                       : owner == TM_KIND_SOUND_SOURCE ? &element->source.position
                                                       : &element->old.position;
    const size_t num = owner == TM_KIND_QUAD ? TMI_COUNT_OF(element->quad.points) : 1;
    for (size_t i = 0; i < num && owner != TM_KIND_ENVELOPE_POINT; i++) {
        points[i].x = (int32_t)((uint32_t)points[i].x + (uint32_t)tiles[0] * (uint32_t)TM_TILE_FX);
        points[i].y = (int32_t)((uint32_t)points[i].y + (uint32_t)tiles[1] * (uint32_t)TM_TILE_FX);
    }
}

bool tm_patch_change_is_shift(const tm_patch_change *change, const tm_map_shift *shift)
{
    if (!change || !shift)
        return false;
    if (change->kind == TM_CHANGE_TILES) /* it grew or shrank as the map did, with its old content there */
        return change->dx == shift->dx && change->dy == shift->dy &&
               change->width[TMI_AFTER] - change->width[TMI_BEFORE] ==
                   shift->width[TMI_AFTER] - shift->width[TMI_BEFORE] &&
               change->height[TMI_AFTER] - change->height[TMI_BEFORE] ==
                   shift->height[TMI_AFTER] - shift->height[TMI_BEFORE] &&
               change->num == change->num_cut + change->num_new;
    if (change->kind != TM_CHANGE_ELEMENT || change->moved || !change->elements[TMI_BEFORE] ||
        !change->elements[TMI_AFTER] || change->owner == TM_KIND_ENVELOPE_POINT || (!shift->dx && !shift->dy))
        return false;
    tmi_any_element element;
    const size_t size = tm_kind_size(change->owner);
    memcpy(&element, change->elements[TMI_BEFORE], size);
    tmi_element_move(&element, change->owner, (const int32_t[2]){shift->dx, shift->dy});
    return memcmp(&element, change->elements[TMI_AFTER], size) == 0;
}

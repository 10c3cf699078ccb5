/* SPDX-License-Identifier: Zlib */
/*
 * change_words.c - how changes are told: how much of everything in one line, then a line for each object, in
 * which its fields and elements are summed up; or all of it.
 */
#include "change_words.h"

#include "change_lines.h"
#include "tile_kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------- numbers */

typedef struct change_counts {
    uint64_t added, removed, moved; /* objects */
    uint64_t fields, settings, elements, tiles, pixels, data, sizes;
    uint64_t quads, sources, points, idle; /* the elements by kind; points that games read alike */
} change_counts;

/* What went along with a map that was extended, cropped or moved. */
typedef struct followers {
    bool any;
    tm_map_shift shift;
    uint64_t layers, elements, cut, new;
} followers;

static bool resized_change(const tm_patch_change *change)
{
    return change->width[0] != change->width[1] || change->height[0] != change->height[1];
}

static void count_kind_of_element(change_counts *to, const tm_patch_change *change,
                                  const tm_map *const maps[2])
{
    to->elements++;
    if (change->owner == TM_OWNER_QUAD)
        to->quads++;
    else if (change->owner != TM_OWNER_ENVELOPE_POINT)
        to->sources++;
    else if (tm_patch_change_is_noop(change, maps[0], maps[1]))
        to->idle++;
    else
        to->points++;
}

static void count_change(change_counts *to, const tm_patch_change *change, const tm_map *const maps[2])
{
    switch (change->kind) {
    case TM_CHANGE_ADDED: to->added++; break;
    case TM_CHANGE_REMOVED: to->removed++; break;
    case TM_CHANGE_MOVED: to->moved++; break;
    case TM_CHANGE_FIELD: to->fields++; break;
    case TM_CHANGE_SETTING: to->settings++; break;
    case TM_CHANGE_ELEMENT: count_kind_of_element(to, change, maps); break;
    case TM_CHANGE_TILES:
        to->tiles += change->num;
        to->sizes += resized_change(change) && change->field->flags & TM_FIELD_ELEMENTS;
        break;
    case TM_CHANGE_PIXELS: to->pixels += change->num; break;
    case TM_CHANGE_DATA: to->data++; break;
    }
}

static bool is_compat(const tm_patch_change *change)
{
    return change->kind == TM_CHANGE_TILES && !(change->field->flags & TM_FIELD_ELEMENTS);
}

static void count_follower(followers *to, const tm_patch_change *change)
{
    if (change->kind == TM_CHANGE_ELEMENT) {
        to->elements++;
    } else if (!is_compat(change)) {
        to->layers++;
        to->cut += change->num_cut;
        to->new += change->num_new;
    }
}

/* A layer that went along with the map, but in which something else has changed, too. */
static bool has_shape_of(const tm_map_shift *shift, const tm_patch_change *change)
{
    tm_patch_change only_shape = *change;
    only_shape.num = change->num_cut + change->num_new;
    return change->kind == TM_CHANGE_TILES && !is_compat(change) &&
           tm_patch_change_is_shift(&only_shape, shift);
}

/* `along` may be NULL: then all are counted alike. */
static change_counts count_changes(const tm_patch *patch, const tm_map *const maps[2], followers *along)
{
    change_counts counts = {0};
    tm_patch_change change;
    for (uint32_t i = 0; tm_patch_at(&change, patch, i); i++)
        if (along && along->any && tm_patch_change_is_shift(&change, &along->shift)) {
            count_follower(along, &change);
        } else if (along && along->any && has_shape_of(&along->shift, &change)) {
            count_follower(along, &change);
            counts.tiles += change.num - change.num_cut - change.num_new;
        } else {
            count_change(&counts, &change, maps);
        }
    return counts;
}

/* What of the counts is reported, and in which words. */
#define COUNTED(X, ELEMENTS)                         \
    X(added, "object added", "objects added")        \
    X(removed, "object removed", "objects removed")  \
    X(moved, "object moved", "objects moved")        \
    X(sizes, "layer resized", "layers resized")      \
    X(tiles, "tile", "tiles")                        \
    ELEMENTS(X)                                      \
    X(fields, "field", "fields")                     \
    X(settings, "server command", "server commands") \
    X(pixels, "pixel", "pixels")                     \
    X(data, "piece of data", "pieces of data")
#define ELEMENTS_BY_KIND(X)                     \
    X(quads, "quad", "quads")                   \
    X(sources, "sound source", "sound sources") \
    X(points, "point", "points")                \
    X(idle, "point in what no game reads", "points in what no game reads")
#define ELEMENTS_IN_ONE(X) X(elements, "", "")

/* "the whole map: 50 x 50 -> 60 x 50 with the old 0,0 at 10,0" */
static void put_shift(text *out, const tm_map_shift *shift)
{
    const bool size = shift->width[0] != shift->width[1] || shift->height[0] != shift->height[1];
    text_string(out, "the whole map");
    if (size)
        text_print(out, ": %" PRIu32 " x %" PRIu32 " -> %" PRIu32 " x %" PRIu32, shift->width[0],
                   shift->height[0], shift->width[1], shift->height[1]);
    if (shift->dx || shift->dy)
        text_print(out, size ? " with the old 0,0 at %" PRId32 ",%" PRId32 : " moved by %" PRId32 ",%" PRId32,
                   shift->dx, shift->dy);
}

void put_change_sum(text *out, const tm_patch *patch, const tm_map *const maps[2], uint64_t num_unknown)
{
    followers along = {.any = false};
    along.any = tm_patch_shift(&along.shift, patch);
    const change_counts counts = count_changes(patch, maps, &along);
    bool any = along.any;
    if (along.any)
        put_shift(out, &along.shift);
#define PUT(member, one, many)                     \
    if (counts.member) {                           \
        text_string(out, any ? ", " : "");         \
        text_count(out, counts.member, one, many); \
        any = true;                                \
    }
    COUNTED(PUT, ELEMENTS_BY_KIND)
#undef PUT
    if (num_unknown) {
        text_string(out, any ? ", " : "");
        text_count(out, num_unknown, "unread part", "unread parts");
        any = true;
    }
    text_string(out, any ? "\n" : "no difference\n");
}

/* ----------------------------------------------------------------------------------------------- in full */

static void put_line(text *out, const tm_patch_change *change)
{
    char line[512];
    tm_patch_change_format(change, line, sizeof(line));
    text_safe(out, line);
    text_put(out, "\n", 1);
}

/* What kind of tile; TM_OWNER_COUNT for pixels and what DDNet keeps for vanilla. */
static tm_owner tile_owner(const tm_patch_change *change)
{
    const bool elements = change->kind == TM_CHANGE_TILES && change->field->flags & TM_FIELD_ELEMENTS;
    return elements ? tm_owner_of_elements(change->layer_kind) : TM_OWNER_COUNT;
}

static void put_tile_fields(text *out, tm_owner owner, const uint8_t *bytes, uint32_t size)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    if (owner == TM_OWNER_COUNT)
        for (uint32_t i = 0; i < size; i++)
            text_print(out, "%02x", bytes[i]);
    for (size_t f = 0; f < num; f++) {
        char value[64];
        const tm_value own = tm_field_get(&fields[f], bytes, 0);
        tm_value_format(value, sizeof(value), &fields[f], &own, NULL);
        if (f < 2 || own.as.number)
            text_print(out, "%s%s %s", f ? ", " : "", fields[f].name, value);
    }
}

static void put_tiles(text *out, const tm_patch *patch, uint32_t index, const tm_patch_change *change)
{
    const tm_owner owner = tile_owner(change);
    tm_run run;
    for (uint32_t r = 0; tm_patch_run(&run, patch, index, r); r++) {
        for (uint32_t i = 0; i < run.num; i++) {
            const size_t at = (size_t)i * change->element_size;
            text_print(out, "    %" PRId32 ",%" PRId32 ": ", run.x + (int32_t)i, run.y);
            put_tile_fields(out, owner, (const uint8_t *)run.before + at, change->element_size);
            text_string(out, " -> ");
            put_tile_fields(out, owner, (const uint8_t *)run.after + at, change->element_size);
            text_put(out, "\n", 1);
        }
    }
}

static void put_places(text *out, const tm_patch_change *change)
{
    for (uint32_t i = 0; change->num_regions > 1 && i < change->num_regions; i++) {
        const tm_region *at = &change->regions[i];
        text_print(out, "    at %" PRId32 ",%" PRId32 " %" PRIu32 "x%" PRIu32 ": %" PRIu64 "\n", at->rect.x,
                   at->rect.y, at->rect.width, at->rect.height, at->num);
    }
}

static void put_all(text *out, const tm_patch *patch, const telling *how)
{
    tm_patch_change change;
    for (uint32_t i = 0; tm_patch_at(&change, patch, i); i++) {
        put_line(out, &change);
        put_places(out, &change);
        if (how->kinds)
            put_tile_kinds(out, patch, i, &change);
        if (how->tiles)
            put_tiles(out, patch, i, &change);
    }
}

/* ------------------------------------------------------------------------------------------ by the object */

/* Elements and settings of one object: how many came, went, moved, changed. */
typedef struct element_counts {
    uint64_t added, removed, moved, changed;
} element_counts;

static void count_element(element_counts *to, const tm_patch_change *change)
{
    if (change->element[0] == TM_NO_ELEMENT)
        to->added++;
    else if (change->element[1] == TM_NO_ELEMENT)
        to->removed++;
    else if (change->moved)
        to->moved++;
    else
        to->changed++;
}

/* Of an object with its words behind a colon: its place, and the name in quotes; how long that is. */
static size_t place_length(const tm_patch_change *change, const char *line, bool with_name)
{
    char place[TM_ERROR_PLACE_SIZE];
    const tm_address *at = change->in_after ? &change->after : &change->before;
    const size_t length = tm_address_describe(at, NULL, place, sizeof(place)), name = strlen(change->name);
    if (strncmp(line, place, length) != 0)
        return 0;
    if (!with_name || !name)
        return length;
    return strncmp(line + length, " '", 2) == 0 && strncmp(line + length + 2, change->name, name) == 0
               ? length + name + 3
               : 0;
}

static bool is_object(const tm_patch_change *change)
{
    return change->after.kind == TM_ADDRESS_IMAGE || change->after.kind == TM_ADDRESS_SOUND ||
           change->after.kind == TM_ADDRESS_ENVELOPE || change->after.kind == TM_ADDRESS_GROUP ||
           change->after.kind == TM_ADDRESS_LAYER;
}

/* The same words about several objects are reported once; of those that came and went, the name is one. */
static void tell_line(change_lines *to, const tm_patch_change *change, const char *line)
{
    const bool whole = change->kind == TM_CHANGE_ADDED || change->kind == TM_CHANGE_REMOVED;
    const size_t rest = is_object(change) ? place_length(change, line, !whole) : 0;
    const bool together = rest && (whole || line[rest] == ':');
    lines_add(to, line, rest, together ? (change->in_after ? &change->after : &change->before) : NULL);
}

static void tell_change(change_lines *to, const tm_patch_change *change)
{
    char line[512];
    tm_patch_change_format(change, line, sizeof(line));
    tell_line(to, change, line);
}

static void put_place_of(text *out, const tm_patch_change *change)
{
    char place[TM_ERROR_PLACE_SIZE];
    tm_address_describe(&change->after, NULL, place, sizeof(place));
    text_string(out, place);
    if (*change->name)
        text_print(out, " '%s'", change->name);
    text_string(out, ":");
}

/* What elements and settings are called. */
static const char *element_name(const tm_patch_change *change, bool one)
{
    if (change->kind == TM_CHANGE_SETTING)
        return one ? "command" : "commands";
    if (change->owner == TM_OWNER_QUAD)
        return one ? "quad" : "quads";
    if (change->owner == TM_OWNER_ENVELOPE_POINT)
        return one ? "point" : "points";
    return one ? "source" : "sources";
}

static void tell_elements(change_lines *to, const tm_patch_change *first, const element_counts *counts)
{
    text own = {0}, *out = &own;
    const struct {
        uint64_t num;
        const char *word;
    } parts[] = {{counts->changed, "changed"},
                 {counts->added, "added"},
                 {counts->removed, "removed"},
                 {counts->moved, "moved"}};
    bool any = false;
    put_place_of(out, first);
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        if (!parts[i].num)
            continue;
        text_print(out, "%s %" PRIu64, any ? "," : "", parts[i].num);
        if (!any)
            text_print(out, " %s", element_name(first, parts[i].num == 1));
        text_print(out, " %s", parts[i].word);
        any = true;
    }
    lines_add(to, text_words(&own), 0, NULL); /* equal numbers of different elements are chance */
    text_release(&own);
}

static bool same_object(const tm_patch_change *a, const tm_patch_change *b)
{
    return a->kind == b->kind && memcmp(&a->after, &b->after, sizeof(a->after)) == 0 &&
           memcmp(&a->before, &b->before, sizeof(a->before)) == 0 && a->owner == b->owner;
}

static bool follows(const followers *along, const tm_patch_change *change)
{
    return along->any && tm_patch_change_is_shift(change, &along->shift);
}

/* Points of an envelope in which nothing differs that a game reads. */
static void tell_idle(change_lines *to, const tm_patch_change *first, uint64_t num)
{
    text own = {0};
    put_place_of(&own, first);
    text_string(&own, num == 1 ? " a point differs only in what no game reads"
                               : " points differ only in what no game reads");
    tell_line(to, first, text_words(&own));
    text_release(&own);
}

/* A few elements are reported one by one, many are counted; those that went along are told by then. */
static uint32_t tell_element_changes(change_lines *to, const tm_patch *patch, const tm_map *const maps[2],
                                     uint32_t index, const followers *along)
{
    enum { FEW = 3 };
    tm_patch_change first, change;
    element_counts counts = {0};
    uint32_t end = index, num = 0;
    uint64_t num_idle = 0;
    tm_patch_at(&first, patch, index);
    for (; tm_patch_at(&change, patch, end) && same_object(&first, &change); end++) {
        const bool idle = tm_patch_change_is_noop(&change, maps[0], maps[1]);
        num_idle += idle;
        if (!idle && !follows(along, &change)) {
            count_element(&counts, &change);
            num++;
        }
    }
    if (num > FEW)
        tell_elements(to, &first, &counts);
    for (uint32_t i = index; num <= FEW && i < end; i++) {
        tm_patch_at(&change, patch, i);
        if (!follows(along, &change) && !tm_patch_change_is_noop(&change, maps[0], maps[1]))
            tell_change(to, &change);
    }
    if (num_idle)
        tell_idle(to, &first, num_idle);
    return end;
}

static void put_followers(text *out, const followers *along)
{
    text_string(out, "with the map: ");
    text_count(out, along->layers, "layer", "layers");
    if (along->elements) {
        text_string(out, ", ");
        text_count(out, along->elements, "quad or source", "quads and sources");
    }
    if (along->new)
        text_print(out, ", %" PRIu64 " new tile%s", along->new, along->new == 1 ? "" : "s");
    if (along->cut)
        text_print(out, ", %" PRIu64 " tile%s cut off", along->cut, along->cut == 1 ? "" : "s");
    text_string(out, "\n");
}

/* Of what an object has no more, such as the settings of an automapper, only that it is gone is reported. */
static bool gone_with_another(const tm_patch_change *change, const tm_map *after)
{
    const tm_address *at = &change->after;
    if (change->kind != TM_CHANGE_FIELD || !after || !change->in_after)
        return false;
    if (at->kind == TM_ADDRESS_GROUP && at->index < after->num_groups)
        return !tm_field_present(change->field, &after->groups[at->index]);
    return at->kind == TM_ADDRESS_LAYER && at->index < after->num_groups &&
           at->layer < after->groups[at->index].num_layers &&
           !tm_field_present(change->field, &after->groups[at->index].layers[at->layer]);
}

static void tell_kinds(change_lines *to, const tm_patch *patch, uint32_t index, const tm_patch_change *change)
{
    text own = {0};
    put_tile_kinds(&own, patch, index, change);
    if (own.size) {
        own.bytes[own.size - 1] = '\0'; /* the end of the line */
        lines_add(to, own.bytes, 0, NULL);
    }
    text_release(&own);
}

static void put_summary(text *out, const tm_patch *patch, const telling *how)
{
    tm_patch_change change;
    change_lines lines = {0};
    followers along = {.any = false};
    along.any = tm_patch_shift(&along.shift, patch);
    count_changes(patch, how->maps, &along);
    if (along.layers)
        put_followers(out, &along);
    for (uint32_t i = 0; tm_patch_at(&change, patch, i);) {
        if (change.kind == TM_CHANGE_ELEMENT || change.kind == TM_CHANGE_SETTING) {
            i = tell_element_changes(&lines, patch, how->maps, i, &along);
            continue;
        }
        if (!follows(&along, &change) && !(is_compat(&change) && change.num == 0) &&
            !gone_with_another(&change, how->maps[1]))
            tell_change(&lines, &change);
        if (how->kinds)
            tell_kinds(&lines, patch, i, &change);
        i++;
    }
    lines_put(out, &lines);
}

void put_changes(text *out, const tm_patch *patch, const telling *how)
{
    if (how->all)
        put_all(out, patch, how);
    else
        put_summary(out, patch, how);
}

/* -------------------------------------------------------------------------------------------------- JSON */

static json_t *json_address(const tm_address *address, bool there)
{
    char place[TM_ADDRESS_SIZE];
    if (!there)
        return json_null();
    tm_address_format(address, place, sizeof(place));
    return json_string(place);
}

static json_t *json_element_place(uint64_t element)
{
    return element == TM_NO_ELEMENT ? json_null() : json_integer((int64_t)element);
}

static void add_values(json_t *object, const tm_patch_change *change)
{
    static const char *const keys[] = {"was", "is"};
    for (int side = 0; side < 2; side++) {
        char value[1024];
        if (change->kind == TM_CHANGE_SETTING) {
            json_add_text(object, keys[side], change->text[side]);
        } else if (change->kind == TM_CHANGE_FIELD) {
            tm_value_format(value, sizeof(value), change->field, &change->value[side], NULL);
            json_add_text(object, keys[side], value);
        }
    }
}

static void add_tiles(json_t *object, const tm_patch *patch, uint32_t index, const tm_patch_change *change)
{
    json_t *list = json_array();
    tm_run run;
    for (uint32_t r = 0; tm_patch_run(&run, patch, index, r); r++) {
        json_t *own = json_make();
        json_add_int(own, "x", run.x);
        json_add_int(own, "y", run.y);
        json_add_int(own, "num", run.num);
        json_add_hex(own, "was", run.before, (size_t)run.num * change->element_size);
        json_add_hex(own, "is", run.after, (size_t)run.num * change->element_size);
        json_append(list, own);
    }
    json_add(object, "runs", list);
}

static void add_grid(json_t *object, const tm_patch_change *change)
{
    json_t *list = json_array();
    json_add_int(object, "num", (int64_t)change->num);
    for (uint32_t i = 0; i < change->num_regions; i++) {
        json_t *own = json_make();
        json_add_int(own, "x", change->regions[i].rect.x);
        json_add_int(own, "y", change->regions[i].rect.y);
        json_add_int(own, "width", change->regions[i].rect.width);
        json_add_int(own, "height", change->regions[i].rect.height);
        json_add_int(own, "num", (int64_t)change->regions[i].num);
        json_append(list, own);
    }
    json_add(object, "regions", list);
    if (!resized_change(change) && !change->dx && !change->dy)
        return;
    json_add_int(object, "num_new", (int64_t)change->num_new);
    json_add_int(object, "num_cut", (int64_t)change->num_cut);
    json_add(object, "size",
             json_integers((int)change->width[0], (int)change->height[0], (int)change->width[1],
                           (int)change->height[1]));
    json_add(object, "shift", json_integers((int)change->dx, (int)change->dy));
}

static json_t *json_change(const tm_patch *patch, uint32_t index, const tm_patch_change *change, bool tiles,
                           bool with_map)
{
    json_t *object = json_make();
    char line[512];
    json_add_text(object, "kind", tm_change_kind_name(change->kind));
    json_add(object, "before", json_address(&change->before, change->in_before));
    json_add(object, "after", json_address(&change->after, change->in_after));
    json_add_text(object, "name", change->name);
    tm_patch_change_format(change, line, sizeof(line));
    json_add_text(object, "text", line);
    json_add_bool(object, "with_map", with_map);
    if (change->field) {
        json_add_text(object, "owner", tm_owner_name(change->owner));
        json_add_text(object, "field", change->field->name);
    }
    add_values(object, change);
    if (change->kind == TM_CHANGE_ELEMENT || change->kind == TM_CHANGE_SETTING) {
        json_t *at = json_array();
        json_append(at, json_element_place(change->element[0]));
        json_append(at, json_element_place(change->element[1]));
        json_add(object, "at", at);
    }
    if (change->kind == TM_CHANGE_TILES || change->kind == TM_CHANGE_PIXELS)
        add_grid(object, change);
    if (tiles && change->num_runs)
        add_tiles(object, patch, index, change);
    return object;
}

static json_t *json_shift(const tm_map_shift *shift)
{
    json_t *object = json_make();
    json_add(object, "size",
             json_integers((int)shift->width[0], (int)shift->height[0], (int)shift->width[1],
                           (int)shift->height[1]));
    json_add(object, "shift", json_integers((int)shift->dx, (int)shift->dy));
    return object;
}

void json_add_changes(json_t *object, const tm_patch *patch, bool tiles)
{
    const change_counts counts = count_changes(patch, (const tm_map *const[2]){NULL, NULL}, NULL);
    followers along = {.any = false};
    along.any = tm_patch_shift(&along.shift, patch);
    json_t *numbers = json_make(), *list = json_array();
    tm_patch_change change;
#define ADD(member, one, many) json_add_int(numbers, #member, (int64_t)counts.member);
    COUNTED(ADD, ELEMENTS_IN_ONE)
#undef ADD
    json_add(object, "counts", numbers);
    json_add(object, "shift", along.any ? json_shift(&along.shift) : json_null());
    for (uint32_t i = 0; tm_patch_at(&change, patch, i); i++)
        json_append(list, json_change(patch, i, &change, tiles, follows(&along, &change)));
    json_add(object, "changes", list);
}

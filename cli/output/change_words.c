/* SPDX-License-Identifier: Zlib */
/*
 * change_words.c - the changes of a patch as text, in the library's words, and as JSON.
 */
#include "change_words.h"

void put_patch(text *out, const tm_patch *patch, const tm_tell_options *how)
{
    const tm_output output = text_output(out);
    if (tm_patch_tell(patch, how, &output, NULL))
        out_of_memory(); /* nothing else can fail */
}

static bool resized_change(const tm_patch_change *change)
{
    return change->width[0] != change->width[1] || change->height[0] != change->height[1];
}

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

/* By kind; tiles and pixels one by one. */
static json_t *json_change_counts(const tm_patch *patch)
{
    enum { RESIZED = TM_CHANGE_DATA + 1, NUM_COUNTS };
    static const struct {
        const char *name;
        unsigned kind;
    } rows[NUM_COUNTS] = {{"added", TM_CHANGE_ADDED},   {"removed", TM_CHANGE_REMOVED},
                          {"moved", TM_CHANGE_MOVED},   {"sizes", RESIZED},
                          {"tiles", TM_CHANGE_TILES},   {"elements", TM_CHANGE_ELEMENT},
                          {"fields", TM_CHANGE_FIELD},  {"settings", TM_CHANGE_SETTING},
                          {"pixels", TM_CHANGE_PIXELS}, {"data", TM_CHANGE_DATA}};
    uint64_t counts[NUM_COUNTS] = {0};
    tm_patch_change change;
    json_t *object = json_make();
    for (uint32_t i = 0; tm_patch_at(&change, patch, i); i++) {
        const bool tiles = change.kind == TM_CHANGE_TILES;
        counts[change.kind] += tiles || change.kind == TM_CHANGE_PIXELS ? change.num : 1;
        counts[RESIZED] += tiles && change.field->flags & TM_FIELD_ELEMENTS && resized_change(&change);
    }
    for (size_t i = 0; i < NUM_COUNTS; i++)
        json_add_int(object, rows[i].name, (int64_t)counts[rows[i].kind]);
    return object;
}

void json_add_changes(json_t *object, const tm_patch *patch, bool tiles)
{
    tm_map_shift shift;
    const bool shifted = tm_patch_shift(&shift, patch);
    json_t *list = json_array();
    tm_patch_change change;
    json_add(object, "counts", json_change_counts(patch));
    json_add(object, "shift", shifted ? json_shift(&shift) : json_null());
    for (uint32_t i = 0; tm_patch_at(&change, patch, i); i++)
        json_append(list, json_change(patch, i, &change, tiles,
                                      shifted && tm_patch_change_is_shift(&change, &shift)));
    json_add(object, "changes", list);
}

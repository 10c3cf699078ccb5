/* SPDX-License-Identifier: Zlib */
/*
 * report_words.c - what became of maps, in the library's words and as JSON: the changes of a patch, what two
 * files carry along and the model does not read, and what is left of a damaged map.
 */
#include "report_words.h"

#include "run/fail.h"
#include "run/tool.h"

/* A text that ends where it gets too long. */
typedef struct short_text {
    tm_output next;
    uint64_t left;
} short_text;

static tm_status write_short(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    short_text *bounded = ctx;
    if (size > bounded->left)
        return fail(error, TM_ERROR_LIMIT, "the text is too long");
    bounded->left -= size;
    return bounded->next.write(bounded->next.ctx, bytes, size, error);
}

void put_patch(text *out, const tm_patch *patch, const tm_tell_options *options, uint64_t most)
{
    short_text bounded = {text_output(out), most};
    const tm_output output = {&bounded, write_short, NULL};
    tm_error error;
    const tm_status status = tm_patch_tell(patch, options, &output, &error);
    if (status == TM_ERROR_LIMIT)
        text_line(out, "left out: what is beyond %" PRIu64 " bytes of text; see --memory", most);
    else if (status)
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
    json_t *list = json_add_array(object, "runs");
    tm_run run;
    for (uint32_t r = 0; tm_patch_run(&run, patch, index, r); r++) {
        json_t *entry = json_object(JSON_INT("x", run.x), JSON_INT("y", run.y), JSON_INT("num", run.num));
        json_add_hex(entry, "was", run.before, (size_t)run.num * change->element_size);
        json_add_hex(entry, "is", run.after, (size_t)run.num * change->element_size);
        json_append(list, entry);
    }
}

/* Adds width and height before and after, and by how much the content is shifted. */
static void add_size_and_shift(json_t *object, const uint32_t width[2], const uint32_t height[2], int32_t dx,
                               int32_t dy)
{
    json_add_all(object, JSON_VALUE("size", json_integers(width[0], height[0], width[1], height[1])),
                 JSON_VALUE("shift", json_integers(dx, dy)));
}

static void add_grid(json_t *object, const tm_patch_change *change)
{
    json_add_int(object, "num", (int64_t)change->num);
    json_t *list = json_add_array(object, "regions");
    for (uint32_t i = 0; i < change->num_regions; i++) {
        json_t *region = json_rect(&change->regions[i].rect);
        json_add_int(region, "num", (int64_t)change->regions[i].num);
        json_append(list, region);
    }
    if (!resized_change(change) && !change->dx && !change->dy)
        return;
    json_add_all(object, JSON_INT("num_new", change->num_new), JSON_INT("num_cut", change->num_cut));
    add_size_and_shift(object, change->width, change->height, change->dx, change->dy);
}

static json_t *json_change(const tm_patch *patch, uint32_t index, const tm_patch_change *change, bool tiles,
                           bool with_map)
{
    char line[512];
    tm_patch_change_format(change, line, sizeof(line));
    json_t *object = json_object(JSON_TEXT("kind", tm_change_kind_name(change->kind)),
                                 JSON_VALUE("before", json_address(&change->before, change->in_before)),
                                 JSON_VALUE("after", json_address(&change->after, change->in_after)),
                                 JSON_TEXT("name", change->name), JSON_TEXT("text", line),
                                 JSON_BOOL("with_map", with_map));
    if (change->field)
        json_add_all(object, JSON_TEXT("owner", tm_kind_name(change->owner)),
                     JSON_TEXT("field", change->field->name));
    add_values(object, change);
    if (change->kind == TM_CHANGE_ELEMENT || change->kind == TM_CHANGE_SETTING) {
        json_t *places = json_add_array(object, "at");
        json_append(places, json_element_place(change->element[0]));
        json_append(places, json_element_place(change->element[1]));
    }
    if (change->kind == TM_CHANGE_TILES || change->kind == TM_CHANGE_PIXELS)
        add_grid(object, change);
    if (tiles && change->num_runs)
        add_tiles(object, patch, index, change);
    return object;
}

/* The number of changes of each kind; of tiles and pixels, how many changed. */
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
    tm_patch_change change;
    json_add(object, "counts", json_change_counts(patch));
    json_t *shift_object = shifted ? json_make() : json_null();
    if (shifted)
        add_size_and_shift(shift_object, shift.width, shift.height, shift.dx, shift.dy);
    json_add(object, "shift", shift_object);
    json_t *list = json_add_array(object, "changes");
    for (uint32_t i = 0; tm_patch_at(&change, patch, i); i++)
        json_append(list, json_change(patch, i, &change, tiles,
                                      shifted && tm_patch_change_is_shift(&change, &shift)));
}

/* ------------------------------------------------------------------------------------------------ unread */

static bool gather_unknown(void *ctx, const tm_unknown_change *change)
{
    unknown_changes *changes = ctx;
    changes->list = must_grow(changes->list, &changes->capacity, changes->num, sizeof(*changes->list));
    changes->list[changes->num++] = *change;
    return true;
}

tm_status unknown_find(unknown_changes *out, const tm_map *before, const tm_map *after, const tm_job *job,
                       tm_error *error)
{
    *out = (unknown_changes){0};
    return tm_mapfile_compare_unknown(before, after, gather_unknown, out, job, error);
}

void unknown_release(unknown_changes *changes)
{
    free(changes->list);
    *changes = (unknown_changes){0};
}

/* Whether both changes are items of one type that were added, or that were removed. */
static bool same_fate(const tm_unknown_change *a, const tm_unknown_change *b)
{
    return a->kind == TM_UNKNOWN_ITEM && b->kind == TM_UNKNOWN_ITEM && a->type == b->type &&
           a->there[0] == b->there[0] && a->there[1] == b->there[1] && a->there[0] != a->there[1] &&
           a->has_uuid == b->has_uuid && (!a->has_uuid || memcmp(&a->uuid, &b->uuid, sizeof(a->uuid)) == 0);
}

void put_unknown(text *out, const unknown_changes *changes, bool all)
{
    enum { SEVERAL = 3 };
    char line[256];
    for (size_t i = 0, end; i < changes->num; i = end) {
        uint64_t size = 0;
        tm_unknown_describe(&changes->list[i], line, sizeof(line));
        text_safe(out, line);
        for (end = i + 1; end < changes->num && same_fate(&changes->list[i], &changes->list[end]); end++)
            size += changes->list[end].size[changes->list[end].there[1]];
        if (!all && end - i >= SEVERAL)
            text_print(out, "; and %zu more of this type, %" PRIu64 " bytes", end - i - 1, size);
        else
            end = i + 1;
        text_string(out, "\n");
    }
}

/* A number for each side; null for a side that lacks the item. */
static json_t *json_sides(const tm_unknown_change *change, uint64_t before, uint64_t after)
{
    const uint64_t numbers[2] = {before, after};
    json_t *list = json_array();
    for (int side = 0; side < 2; side++)
        json_append(list, change->there[side] ? json_integer((int64_t)numbers[side]) : json_null());
    return list;
}

static json_t *json_unknown(const tm_unknown_change *change)
{
    static const char *const kinds[] = {[TM_UNKNOWN_ITEM] = "item",
                                        [TM_UNKNOWN_WORDS] = "words",
                                        [TM_UNKNOWN_DATA] = "data",
                                        [TM_UNKNOWN_SHORT] = "short"};
    char line[256];
    tm_unknown_describe(change, line, sizeof(line));
    json_t *object =
        json_object(JSON_TEXT("kind", kinds[change->kind]),
                    JSON_VALUE("number", json_sides(change, change->number[0], change->number[1])),
                    JSON_VALUE("size", json_sides(change, change->size[0], change->size[1])),
                    JSON_INT("differing", change->num));
    if (change->kind < TM_UNKNOWN_DATA) {
        json_add_all(object, JSON_INT("type", change->type), JSON_INT("id", change->id));
        if (change->has_uuid)
            json_add_uuid(object, "uuid", &change->uuid);
    }
    json_add_text(object, "text", line);
    return object;
}

void json_add_unknown(json_t *object, const unknown_changes *changes)
{
    json_t *list = json_add_array(object, "unread");
    for (size_t i = 0; i < changes->num; i++)
        json_append(list, json_unknown(&changes->list[i]));
}

/* ----------------------------------------------------------------------------------------------- rescued */

/* "rescued 5 of 6 images (1 damaged), 0 of 14 tile layers; the game layer is empty" */
void put_rescue_line(text *err, const char *path, const tm_rescue *rescue)
{
    static const char *const game_layer[] = {[TM_RESCUE_DAMAGED] = "; the game layer is damaged",
                                             [TM_RESCUE_LOST] = "; the game layer is empty",
                                             [TM_RESCUE_MISSING] = "; there is no game layer"};
    const char *before = "rescued ";
    text_string(err, "teemap: ");
    text_lead(err, path_name(path));
    for (int i = 0; i < TM_RESCUE_KINDS; i++) {
        const tm_rescue_count *count = &rescue->counts[i];
        if (!count->damaged && !count->lost)
            continue;
        text_print(err, "%s%" PRIu64 " of %" PRIu64 " %s", before, count->num - count->lost, count->num,
                   tm_rescue_kind_name((tm_rescue_kind)i));
        if (count->damaged)
            text_print(err, " (%" PRIu64 " damaged)", count->damaged);
        before = ", ";
    }
    const char *rest = game_layer[rescue->game_layer];
    text_print(err, "%s\n", rest ? rest : "");
}

json_t *json_rescue(const tm_rescue *rescue)
{
    static const char *const states[] = {[TM_RESCUE_WHOLE] = "whole",
                                         [TM_RESCUE_DAMAGED] = "damaged",
                                         [TM_RESCUE_LOST] = "lost",
                                         [TM_RESCUE_MISSING] = "missing"};
    json_t *object = json_make();
    for (int i = 0; i < TM_RESCUE_KINDS; i++) {
        const tm_rescue_count *count = &rescue->counts[i];
        char key[32] = {0};
        strncpy(key, tm_rescue_kind_name((tm_rescue_kind)i), sizeof(key) - 1);
        for (char *blank = strchr(key, ' '); blank; blank = strchr(blank, ' '))
            *blank = '_';
        json_add(object, key,
                 json_object(JSON_INT("num", count->num), JSON_INT("damaged", count->damaged),
                             JSON_INT("lost", count->lost)));
    }
    json_add(object, "game_layer", json_string(states[rescue->game_layer]));
    return object;
}

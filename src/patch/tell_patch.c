/* SPDX-License-Identifier: Zlib */
/*
 * Describes a patch as text: a line with the number of changes of each kind, then a line for each object, in
 * which the changes of fields and elements are summed up; or each change.
 */
#include "patch.h"

#include <inttypes.h>

/* -------------------------------------------------------------------------------------------------- lines */

/* The place of a line: before a list, an entry of it, or a detail of the last entry. */
typedef enum line_depth { TMI_HEADING, TMI_ENTRY, TMI_DETAIL } line_depth;

typedef struct patch_describer {
    const tm_patch *patch;
    tm_tell_options options;
    const tm_output *output;
    tm_error *error;
    tmi_line line; /* at hand */
} patch_describer;

/* Ends the current line, writes it, and begins the next one. */
static tm_status write_line(patch_describer *t, line_depth depth)
{
    static const char *const before[2][3] = {{"", "", "    "}, {"", "- ", "  - "}};
    const bool markdown = t->options.markdown;
    const char *lead = before[markdown][depth], *end = markdown && depth == TMI_HEADING ? "\n\n" : "\n";
    tmi_tidy_line(t->line.text);
    TM_TRY(tmi_output_write(t->output, lead, strlen(lead), t->error));
    for (const char *cursor = t->line.text; *cursor;) { /* a backslash stands before marks of Markdown */
        const size_t plain = markdown ? strcspn(cursor, "\\`*_~|<>[]&") : strlen(cursor);
        TM_TRY(tmi_output_write(t->output, cursor, plain, t->error));
        cursor += plain;
        if (*cursor)
            TM_TRY(tmi_output_write(t->output, (const char[]){'\\', *cursor++}, 2, t->error));
    }
    t->line.length = 0;
    t->line.text[0] = '\0';
    return tmi_output_write(t->output, end, strlen(end), t->error);
}

/*
 * Lines that say the same of several objects become one line with a list of these objects: an editor that
 * changes a field in each of 60 layers gives one line.
 */

/* A line about an object. */
typedef struct object_line {
    const char *text;
    line_depth depth;
    size_t rest;       /* where the words about the object begin; 0: the line stands for itself */
    tm_address object; /* the object */
    size_t num;        /* how many lines it stands for; 0: another line stands for it */
    size_t first;      /* of several: where they begin in the sorted list */
} object_line;

typedef struct line_list {
    object_line *list, **sorted; /* sorted: lines about objects, by their words */
    size_t num, capacity;
    tmi_arena arena; /* of the texts */
} line_list;

enum { SEVERAL = 3, MAX_RANGES = 8 };

/*
 * Adds the current line: about `object`, or (NULL) about the line before it; `rest` is where the
 * words about the object begin, 0: the line stands for itself.
 */
static tm_status add_line(line_list *lines, patch_describer *t, size_t rest, const tm_address *object)
{
    const tm_allocator *allocator = tmi_patch_allocator(t->patch);
    TM_TRY(
        tmi_grow(allocator, &lines->list, &lines->capacity, lines->num + 1, sizeof(*lines->list), t->error));
    object_line *line = &lines->list[lines->num];
    *line = (object_line){.depth = object ? TMI_ENTRY : TMI_DETAIL, .rest = rest, .num = 1};
    if (object)
        line->object = *object;
    TM_TRY(tmi_arena_text(&line->text, &lines->arena, t->line.text, t->line.length, "a line", t->error));
    lines->num++;
    t->line.length = 0;
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- the same */

static int compare_words(const object_line *a, const object_line *b)
{
    return a->object.kind != b->object.kind ? (a->object.kind < b->object.kind ? -1 : 1)
                                            : strcmp(a->text + a->rest, b->text + b->rest);
}

static int by_words(const void *a, const void *b)
{
    const object_line *x = *(const object_line *const *)a, *y = *(const object_line *const *)b;
    const int order = compare_words(x, y);
    return order ? order : x < y ? -1 : x > y;
}

/* -------------------------------------------------------------------------------------------- the objects */

static void add_object_number(tmi_line *out, const tm_address *address)
{
    tmi_line_add(out, "%" PRIu32, address->index);
    if (address->kind == TM_KIND_LAYER)
        tmi_line_add(out, "/%" PRIu32, address->layer);
}

static bool is_next(const tm_address *address, const tm_address *next)
{
    if (address->kind == TM_KIND_LAYER)
        return next->index == address->index && next->layer == address->layer + 1;
    return next->index == address->index + 1;
}

/* Lists the objects of several lines: " (3/0 to 3/6, 4/0, 5/1)". */
static void add_objects(tmi_line *out, object_line *const *list, size_t num)
{
    size_t ranges = 0;
    tmi_line_add(out, " (");
    for (size_t first = 0, end; first < num; first = end, ranges++) {
        for (end = first + 1; end < num && is_next(&list[end - 1]->object, &list[end]->object);)
            end++;
        tmi_line_add(out, "%s", ranges ? ", " : "");
        if (ranges == MAX_RANGES) {
            tmi_line_add(out, "and %zu more", num - first);
            break;
        }
        add_object_number(out, &list[first]->object);
        if (end - first > 1) {
            tmi_line_add(out, "%s", end - first == 2 ? ", " : " to ");
            add_object_number(out, &list[end - 1]->object);
        }
    }
    tmi_line_add(out, ")");
}

/* Writes the lines; those that say the same of several objects become one. */
static tm_status write_lines(line_list *lines, patch_describer *t)
{
    const tm_allocator *allocator = tmi_patch_allocator(t->patch);
    tm_status status = TM_OK;
    size_t num = 0;
    TM_TRY(tmi_reserve(&lines->sorted, allocator, lines->num, sizeof(*lines->sorted), "lines", t->error));
    for (size_t i = 0; i < lines->num; i++)
        if (lines->list[i].rest)
            lines->sorted[num++] = &lines->list[i];
    if (num)
        qsort(lines->sorted, num, sizeof(*lines->sorted), by_words);
    for (size_t first = 0, end; first < num; first = end) { /* of lines with the same words */
        for (end = first + 1; end < num && compare_words(lines->sorted[first], lines->sorted[end]) == 0;)
            end++;
        for (size_t i = first + 1; i < end && end - first >= SEVERAL; i++)
            lines->sorted[i]->num = 0;
        lines->sorted[first]->num = end - first < SEVERAL ? 1 : end - first;
        lines->sorted[first]->first = first;
    }
    for (size_t i = 0; i < lines->num && !status; i++) {
        const object_line *line = &lines->list[i];
        if (line->num == 0)
            continue;
        if (line->num > 1)
            tmi_line_add(&t->line, "%zu %ss", line->num, tm_kind_name(line->object.kind));
        tmi_line_add(&t->line, "%s", line->num > 1 ? line->text + line->rest : line->text);
        if (line->num > 1)
            add_objects(&t->line, lines->sorted + line->first, line->num);
        status = write_line(t, line->depth);
    }
    tmi_free(allocator, lines->sorted, lines->num, sizeof(*lines->sorted));
    return status;
}

/* ----------------------------------------------------------------------------------------------- numbers */

/* What is counted: by tm_change_kind (of elements only envelope points; tiles and pixels each), and these. */
enum { SIZES = TM_CHANGE_DATA + 1, QUADS, SOURCES, IDLE, UNREAD, COUNTS };

/* The changes of objects that only moved with a map which was extended, cropped or moved. */
typedef struct followers {
    bool any;
    tm_map_shift shift;
    uint64_t layers, elements, cut, new;
} followers;

static bool is_idle(const patch_describer *t, const tm_patch_change *change)
{
    return tmi_patch_change_is_noop(change, t->options.before, t->options.after);
}

static bool is_compat(const tm_patch_change *change)
{
    return change->kind == TM_CHANGE_TILES && !(change->field->flags & TM_FIELD_ELEMENTS);
}

static bool follows(const followers *carried, const tm_patch_change *change)
{
    return carried->any && tm_patch_change_is_shift(change, &carried->shift);
}

static void count_changes(uint64_t counts[COUNTS], followers *carried, const patch_describer *t)
{
    tm_patch_change change;
    counts[UNREAD] = t->options.num_unread;
    *carried = (followers){.any = false};
    carried->any = tm_patch_shift(&carried->shift, t->patch);
    for (uint32_t i = 0; tm_patch_at(&change, t->patch, i); i++) {
        const bool tiles = change.kind == TM_CHANGE_TILES && !is_compat(&change);
        const bool grid = change.kind == TM_CHANGE_TILES || change.kind == TM_CHANGE_PIXELS;
        const bool follower = follows(carried, &change);
        const uint64_t num = change.num, moved = change.num_cut + change.num_new;
        if (tiles) /* its size and place may have changed with the map, though it has other changes, too */
            change.num = moved;
        if (tiles && follows(carried, &change)) {
            carried->layers++;
            carried->cut += change.num_cut;
            carried->new += change.num_new;
            counts[TM_CHANGE_TILES] += num - moved;
        } else if (follower) {
            carried->elements += change.kind == TM_CHANGE_ELEMENT;
        } else {
            int what = (int)change.kind;
            if (change.kind == TM_CHANGE_ELEMENT && change.owner != TM_KIND_ENVELOPE_POINT)
                what = change.owner == TM_KIND_QUAD ? QUADS : SOURCES;
            else if (is_idle(t, &change))
                what = IDLE;
            counts[what] += grid ? num : 1;
            counts[SIZES] +=
                tiles && (change.width[0] != change.width[1] || change.height[0] != change.height[1]);
        }
    }
}

/* Adds "1 quad" or "2 quads", with a comma before all but the first. */
static void add_count(tmi_line *out, uint64_t num, const char *singular, const char *many)
{
    if (num)
        tmi_line_add(out, "%s%" PRIu64 " %s", out->length ? ", " : "", num, num == 1 ? singular : many);
}

/* Writes the first line: how many changes of each kind there are. */
static tm_status write_sum(patch_describer *t, const uint64_t counts[COUNTS], const followers *carried)
{
    static const struct {
        int what;
        const char *singular, *many;
    } parts[] = {{TM_CHANGE_ADDED, "object added", "objects added"},
                 {TM_CHANGE_REMOVED, "object removed", "objects removed"},
                 {TM_CHANGE_MOVED, "object moved", "objects moved"},
                 {SIZES, "layer resized", "layers resized"},
                 {TM_CHANGE_TILES, "tile", "tiles"},
                 {QUADS, "quad", "quads"},
                 {SOURCES, "sound source", "sound sources"},
                 {TM_CHANGE_ELEMENT, "point", "points"},
                 {IDLE, "point in what no game reads", "points in what no game reads"},
                 {TM_CHANGE_FIELD, "field", "fields"},
                 {TM_CHANGE_SETTING, "server command", "server commands"},
                 {TM_CHANGE_PIXELS, "pixel", "pixels"},
                 {TM_CHANGE_DATA, "piece of data", "pieces of data"},
                 {UNREAD, "unread part", "unread parts"}};
    if (carried->any) {
        tmi_line_add(&t->line, "the whole map");
        tmi_line_shift(&t->line, &carried->shift, " moved by");
    }
    for (size_t i = 0; i < TMI_COUNT_OF(parts); i++)
        add_count(&t->line, counts[parts[i].what], parts[i].singular, parts[i].many);
    if (!t->line.length)
        tmi_line_add(&t->line, "no difference");
    return write_line(t, TMI_HEADING);
}

/* ----------------------------------------------------------------------------------------------- in full */

/* Begins the line of a change with its object; returns where words begin that several objects may share. */
static size_t begin_line(patch_describer *t, const tm_patch_change *change)
{
    const bool whole = change->kind == TM_CHANGE_ADDED || change->kind == TM_CHANGE_REMOVED;
    tmi_line_object(&t->line, change->in_after ? &change->after : &change->before, NULL);
    const size_t place = t->line.length;
    if (*change->name)
        tmi_line_add(&t->line, " '%s'", change->name);
    return whole ? place : t->line.length; /* their name is one of the words */
}

void tmi_line_tile(tmi_line *out, tm_kind owner, const uint8_t *bytes, size_t always)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t f = 0; f < num; f++) {
        char value[64];
        const tm_value field_value = tm_field_get(&fields[f], bytes, 0);
        tm_value_format(value, sizeof(value), &fields[f], &field_value, NULL);
        if (f < always || field_value.as.number)
            tmi_line_add(out, "%s%s %s", f ? ", " : "", fields[f].name, value);
    }
}

static void add_tile(tmi_line *out, const tm_patch_change *change, const uint8_t *bytes)
{
    const bool elements = change->kind == TM_CHANGE_TILES && change->field->flags & TM_FIELD_ELEMENTS;
    const tm_kind owner = elements ? tm_kind_of_elements(change->layer_kind) : TM_KINDS;
    for (uint32_t i = 0; owner == TM_KINDS && i < change->element_size; i++)
        tmi_line_add(out, "%02x", bytes[i]);
    tmi_line_tile(out, owner, bytes, 2);
}

static tm_status write_all_changes(patch_describer *t)
{
    tm_patch_change change;
    tm_run run;
    for (uint32_t i = 0; tm_patch_at(&change, t->patch, i); i++) {
        begin_line(t, &change);
        tmi_line_change(&t->line, &change);
        TM_TRY(write_line(t, TMI_ENTRY));
        for (uint32_t r = 0; change.num_regions > 1 && r < change.num_regions; r++) {
            const tm_rect *rect = &change.regions[r].rect;
            tmi_line_add(&t->line, "at %" PRId32 ",%" PRId32 " %" PRIu32 "x%" PRIu32 ": %" PRIu64, rect->x,
                         rect->y, rect->width, rect->height, change.regions[r].num);
            TM_TRY(write_line(t, TMI_DETAIL));
        }
        if (t->options.kinds)
            TM_TRY(tm_patch_tell_tiles(t->line.text, sizeof(t->line.text), t->patch, i, NULL, t->error));
        if (t->line.text[0])
            TM_TRY(write_line(t, TMI_DETAIL));
        for (uint32_t r = 0; t->options.tiles && tm_patch_run(&run, t->patch, i, r); r++)
            for (uint32_t k = 0; k < run.num; k++) {
                const size_t at = (size_t)k * change.element_size;
                tmi_line_add(&t->line, "%" PRId32 ",%" PRId32 ": ", run.x + (int32_t)k, run.y);
                add_tile(&t->line, &change, (const uint8_t *)run.before + at);
                tmi_line_add(&t->line, " -> ");
                add_tile(&t->line, &change, (const uint8_t *)run.after + at);
                TM_TRY(write_line(t, TMI_DETAIL));
            }
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------ by the object */

/* Adds the current line about a change; `rest` is from begin_line. */
static tm_status add_change_line(line_list *lines, patch_describer *t, const tm_patch_change *change,
                                 size_t rest)
{
    const bool whole = change->kind == TM_CHANGE_ADDED || change->kind == TM_CHANGE_REMOVED;
    const bool is_object = tmi_in_map_array(change->after.kind) || change->after.kind == TM_KIND_LAYER;
    return add_line(lines, t, is_object && (whole || t->line.text[rest] == ':') ? rest : 0,
                    change->in_after ? &change->after : &change->before);
}

static tm_status note_words(line_list *lines, patch_describer *t, const tm_patch_change *change)
{
    const size_t rest = begin_line(t, change);
    tmi_line_change(&t->line, change);
    return add_change_line(lines, t, change, rest);
}

/* What became of elements and settings of one object, and how many. */
static const char *const element_fates[] = {"changed", "added", "removed", "moved"};
enum { NUM_FATES = TMI_COUNT_OF(element_fates) };

static int fate_of_element(const tm_patch_change *change)
{
    if (change->element[0] == TM_NO_ELEMENT)
        return 1;
    return change->element[1] == TM_NO_ELEMENT ? 2 : change->moved ? 3 : 0;
}

/* Notes the changes of an object's elements: "layer 2/3 'Deco': 7 quads changed, 2 added". */
static tm_status note_elements(line_list *lines, patch_describer *t, const tm_patch_change *first,
                               const uint64_t nums[NUM_FATES])
{
    const char *word = first->kind == TM_CHANGE_SETTING ? "command" : tmi_element_word(first->owner);
    bool any = false;
    begin_line(t, first);
    for (size_t i = 0; i < NUM_FATES; i++) {
        if (!nums[i])
            continue;
        tmi_line_add(&t->line, "%s %" PRIu64, any ? "," : ":", nums[i]);
        if (!any)
            tmi_line_add(&t->line, " %s%s", word, nums[i] == 1 ? "" : "s");
        tmi_line_add(&t->line, " %s", element_fates[i]);
        any = true;
    }
    return add_line(lines, t, 0, &first->after); /* equal numbers of different elements are chance */
}

/* Notes the changes of elements of one object: one by one if there are few, else how many. */
static tm_status note_element_changes(line_list *lines, patch_describer *t, uint32_t *index,
                                      const followers *carried)
{
    enum { FEW = 3 };
    tm_patch_change first, change;
    uint64_t nums[NUM_FATES] = {0}, sum = 0, idle = 0;
    uint32_t end = *index;
    tm_patch_at(&first, t->patch, *index);
    for (; tm_patch_at(&change, t->patch, end); end++) {
        if (change.kind != first.kind || memcmp(&change.after, &first.after, sizeof(first.after)) != 0 ||
            memcmp(&change.before, &first.before, sizeof(first.before)) != 0 || change.owner != first.owner)
            break;
        if (is_idle(t, &change)) {
            idle++;
        } else if (!follows(carried, &change)) {
            nums[fate_of_element(&change)]++;
            sum++;
        }
    }
    if (sum > FEW)
        TM_TRY(note_elements(lines, t, &first, nums));
    for (uint32_t i = *index; sum <= FEW && i < end; i++) {
        tm_patch_at(&change, t->patch, i);
        if (!follows(carried, &change) && !is_idle(t, &change))
            TM_TRY(note_words(lines, t, &change));
    }
    *index = end;
    if (!idle)
        return TM_OK;
    const size_t rest = begin_line(t, &first);
    tmi_line_add(&t->line, ": %s differ%s only in what no game reads", idle == 1 ? "a point" : "points",
                 idle == 1 ? "s" : "");
    return add_change_line(lines, t, &first, rest);
}

/* Whether a field is gone with an optional part of its object, such as the automapper, which is reported. */
static bool gone_with_another(const tm_patch_change *change, const tm_map *after)
{
    const tm_address *address = &change->after;
    tm_kind owner;
    if (change->kind != TM_CHANGE_FIELD || !after || !change->in_after ||
        (address->kind != TM_KIND_GROUP && address->kind != TM_KIND_LAYER))
        return false;
    const void *object = tmi_map_object(after, address, &owner);
    return object && !tmi_field_present(change->field, object);
}

static tm_status note_change(line_list *lines, patch_describer *t, uint32_t *index, const followers *carried)
{
    tm_patch_change change;
    tm_patch_at(&change, t->patch, *index);
    if (change.kind == TM_CHANGE_ELEMENT || change.kind == TM_CHANGE_SETTING)
        return note_element_changes(lines, t, index, carried);
    if (!follows(carried, &change) && !(is_compat(&change) && change.num == 0) &&
        !gone_with_another(&change, t->options.after))
        TM_TRY(note_words(lines, t, &change));
    if (t->options.kinds) {
        TM_TRY(tm_patch_tell_tiles(t->line.text, sizeof(t->line.text), t->patch, *index, NULL, t->error));
        t->line.length = strlen(t->line.text);
    }
    ++*index;
    return t->line.length ? add_line(lines, t, 0, NULL) : TM_OK;
}

static tm_status write_objects(patch_describer *t, const followers *carried)
{
    line_list lines = {0};
    tm_status status = TM_OK;
    tmi_arena_init(&lines.arena, tmi_patch_allocator(t->patch));
    for (uint32_t i = 0; i < tm_patch_num(t->patch) && !status;)
        status = note_change(&lines, t, &i, carried);
    status = status ? status : write_lines(&lines, t);
    tmi_free(tmi_patch_allocator(t->patch), lines.list, lines.capacity, sizeof(*lines.list));
    tmi_arena_release(&lines.arena);
    return status;
}

tm_status tm_patch_tell(const tm_patch *patch, const tm_tell_options *options, const tm_output *output,
                        tm_error *error)
{
    patch_describer t = {.patch = patch, .output = output, .error = error};
    uint64_t counts[COUNTS] = {0};
    followers carried;
    TM_TRY(tmi_need(patch, "patch", error));
    TM_TRY(tmi_need(output, "output", error));
    TM_TRY(tmi_options_take(&t.options, sizeof(t.options), options, "tm_tell_options", error));
    count_changes(counts, &carried, &t);
    TM_TRY(write_sum(&t, counts, &carried));
    if (t.options.sum_only)
        return TM_OK;
    if (t.options.all)
        return write_all_changes(&t);
    if (carried.layers) {
        tmi_line_add(&t.line, "with the map: %" PRIu64 " layer%s", carried.layers,
                     carried.layers == 1 ? "" : "s");
        add_count(&t.line, carried.elements, "quad or source", "quads and sources");
        add_count(&t.line, carried.new, "new tile", "new tiles");
        add_count(&t.line, carried.cut, "tile cut off", "tiles cut off");
        TM_TRY(write_line(&t, TMI_ENTRY));
    }
    return write_objects(&t, &carried);
}

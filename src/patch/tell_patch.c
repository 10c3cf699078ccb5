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

typedef struct teller {
    const tm_patch *patch;
    tm_tell_options how;
    const tm_output *output;
    tm_error *error;
    tmi_line line; /* at hand */
} teller;

/* Ends the current line, writes it, and begins the next one. */
static tm_status tell_line(teller *t, line_depth depth)
{
    static const char *const before[2][3] = {{"", "", "    "}, {"", "- ", "  - "}};
    const bool markdown = t->how.markdown;
    const char *lead = before[markdown][depth], *end = markdown && depth == TMI_HEADING ? "\n\n" : "\n";
    tmi_tidy_line(t->line.text);
    TM_TRY(tmi_output_write(t->output, lead, strlen(lead), t->error));
    for (const char *at = t->line.text; *at;) { /* a backslash stands before marks of Markdown */
        const size_t plain = markdown ? strcspn(at, "\\`*_~|<>[]&") : strlen(at);
        TM_TRY(tmi_output_write(t->output, at, plain, t->error));
        at += plain;
        if (*at)
            TM_TRY(tmi_output_write(t->output, (const char[]){'\\', *at++}, 2, t->error));
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
typedef struct told {
    const char *text;
    line_depth depth;
    size_t rest;   /* where the words about the object begin; 0: the line stands for itself */
    tm_address at; /* the object */
    size_t num;    /* how many lines it stands for; 0: it is told by another one */
    size_t first;  /* of several: where they begin in the sorted list */
} told;

typedef struct told_list {
    told *list, **sorted; /* sorted: lines about objects, by their words */
    size_t num, capacity;
    tmi_arena arena; /* of the texts */
} told_list;

enum { SEVERAL = 3, MAX_RANGES = 8 };

/*
 * Notes the current line: about the object `at`, or (NULL) about the line before it; `rest` is where the
 * words about the object begin, 0: the line stands for itself.
 */
static tm_status add_told(told_list *to, teller *t, size_t rest, const tm_address *at)
{
    const tm_allocator *allocator = tmi_patch_allocator(t->patch);
    TM_TRY(tmi_grow(allocator, &to->list, &to->capacity, to->num + 1, sizeof(*to->list), t->error));
    told *own = &to->list[to->num];
    *own = (told){.depth = at ? TMI_ENTRY : TMI_DETAIL, .rest = rest, .num = 1};
    if (at)
        own->at = *at;
    TM_TRY(tmi_arena_text(&own->text, &to->arena, t->line.text, t->line.length, "a line", t->error));
    to->num++;
    t->line.length = 0;
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- the same */

static int compare_words(const told *a, const told *b)
{
    return a->at.kind != b->at.kind ? (a->at.kind < b->at.kind ? -1 : 1)
                                    : strcmp(a->text + a->rest, b->text + b->rest);
}

static int by_words(const void *a, const void *b)
{
    const told *x = *(const told *const *)a, *y = *(const told *const *)b;
    const int order = compare_words(x, y);
    return order ? order : x < y ? -1 : x > y;
}

/* -------------------------------------------------------------------------------------------- the objects */

static void say_object_number(tmi_line *out, const tm_address *at)
{
    tmi_line_add(out, "%" PRIu32, at->index);
    if (at->kind == TM_ADDRESS_LAYER)
        tmi_line_add(out, "/%" PRIu32, at->layer);
}

static bool is_next(const tm_address *at, const tm_address *next)
{
    if (at->kind == TM_ADDRESS_LAYER)
        return next->index == at->index && next->layer == at->layer + 1;
    return next->index == at->index + 1;
}

/* Lists the objects of several lines: " (3/0 to 3/6, 4/0, 5/1)". */
static void say_objects(tmi_line *out, told *const *list, size_t num)
{
    size_t ranges = 0;
    tmi_line_add(out, " (");
    for (size_t first = 0, end; first < num; first = end, ranges++) {
        for (end = first + 1; end < num && is_next(&list[end - 1]->at, &list[end]->at);)
            end++;
        tmi_line_add(out, "%s", ranges ? ", " : "");
        if (ranges == MAX_RANGES) {
            tmi_line_add(out, "and %zu more", num - first);
            break;
        }
        say_object_number(out, &list[first]->at);
        if (end - first > 1) {
            tmi_line_add(out, "%s", end - first == 2 ? ", " : " to ");
            say_object_number(out, &list[end - 1]->at);
        }
    }
    tmi_line_add(out, ")");
}

static tm_status tell_list(told_list *of, teller *t)
{
    const tm_allocator *allocator = tmi_patch_allocator(t->patch);
    tm_status status = TM_OK;
    size_t num = 0;
    TM_TRY(tmi_reserve(&of->sorted, allocator, of->num, sizeof(*of->sorted), "lines", t->error));
    for (size_t i = 0; i < of->num; i++)
        if (of->list[i].rest)
            of->sorted[num++] = &of->list[i];
    if (num)
        qsort(of->sorted, num, sizeof(*of->sorted), by_words);
    for (size_t first = 0, end; first < num; first = end) { /* of lines with the same words */
        for (end = first + 1; end < num && compare_words(of->sorted[first], of->sorted[end]) == 0;)
            end++;
        for (size_t i = first + 1; i < end && end - first >= SEVERAL; i++)
            of->sorted[i]->num = 0;
        of->sorted[first]->num = end - first < SEVERAL ? 1 : end - first;
        of->sorted[first]->first = first;
    }
    for (size_t i = 0; i < of->num && !status; i++) {
        const told *own = &of->list[i];
        if (own->num == 0)
            continue;
        if (own->num > 1)
            tmi_line_add(&t->line, "%zu %ss", own->num, tmi_address_word(own->at.kind));
        tmi_line_add(&t->line, "%s", own->num > 1 ? own->text + own->rest : own->text);
        if (own->num > 1)
            say_objects(&t->line, of->sorted + own->first, own->num);
        status = tell_line(t, own->depth);
    }
    tmi_free(allocator, of->sorted, of->num, sizeof(*of->sorted));
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

static bool is_idle(const teller *t, const tm_patch_change *change)
{
    return tmi_patch_change_is_noop(change, t->how.before, t->how.after);
}

static bool is_compat(const tm_patch_change *change)
{
    return change->kind == TM_CHANGE_TILES && !(change->field->flags & TM_FIELD_ELEMENTS);
}

static bool follows(const followers *along, const tm_patch_change *change)
{
    return along->any && tm_patch_change_is_shift(change, &along->shift);
}

static void count_changes(uint64_t counts[COUNTS], followers *along, const teller *t)
{
    tm_patch_change change;
    counts[UNREAD] = t->how.num_unread;
    *along = (followers){.any = false};
    along->any = tm_patch_shift(&along->shift, t->patch);
    for (uint32_t i = 0; tm_patch_at(&change, t->patch, i); i++) {
        const bool tiles = change.kind == TM_CHANGE_TILES && !is_compat(&change);
        const bool grid = change.kind == TM_CHANGE_TILES || change.kind == TM_CHANGE_PIXELS;
        const bool follower = follows(along, &change);
        const uint64_t num = change.num, moved = change.num_cut + change.num_new;
        if (tiles) /* its size and place may have changed with the map, though it has other changes, too */
            change.num = moved;
        if (tiles && follows(along, &change)) {
            along->layers++;
            along->cut += change.num_cut;
            along->new += change.num_new;
            counts[TM_CHANGE_TILES] += num - moved;
        } else if (follower) {
            along->elements += change.kind == TM_CHANGE_ELEMENT;
        } else {
            int what = (int)change.kind;
            if (change.kind == TM_CHANGE_ELEMENT && change.owner != TM_OWNER_ENVELOPE_POINT)
                what = change.owner == TM_OWNER_QUAD ? QUADS : SOURCES;
            else if (is_idle(t, &change))
                what = IDLE;
            counts[what] += grid ? num : 1;
            counts[SIZES] +=
                tiles && (change.width[0] != change.width[1] || change.height[0] != change.height[1]);
        }
    }
}

/* Adds "1 quad" or "2 quads", with a comma before all but the first. */
static void say_count(tmi_line *out, uint64_t num, const char *one, const char *many)
{
    if (num)
        tmi_line_add(out, "%s%" PRIu64 " %s", out->length ? ", " : "", num, num == 1 ? one : many);
}

static tm_status tell_sum(teller *t, const uint64_t counts[COUNTS], const followers *along)
{
    static const struct {
        int what;
        const char *one, *many;
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
    if (along->any) {
        tmi_line_add(&t->line, "the whole map");
        tmi_line_shift(&t->line, &along->shift, " moved by");
    }
    for (size_t i = 0; i < TMI_COUNT_OF(parts); i++)
        say_count(&t->line, counts[parts[i].what], parts[i].one, parts[i].many);
    if (!t->line.length)
        tmi_line_add(&t->line, "no difference");
    return tell_line(t, TMI_HEADING);
}

/* ----------------------------------------------------------------------------------------------- in full */

/* Begins the line of a change with its object; returns where words begin that several objects may share. */
static size_t say_object(teller *t, const tm_patch_change *change)
{
    const bool whole = change->kind == TM_CHANGE_ADDED || change->kind == TM_CHANGE_REMOVED;
    tmi_line_object(&t->line, change->in_after ? &change->after : &change->before, NULL);
    const size_t place = t->line.length;
    if (*change->name)
        tmi_line_add(&t->line, " '%s'", change->name);
    return whole ? place : t->line.length; /* their name is one of the words */
}

void tmi_line_tile(tmi_line *out, tm_owner owner, const uint8_t *bytes, size_t always)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t f = 0; f < num; f++) {
        char value[64];
        const tm_value own = tm_field_get(&fields[f], bytes, 0);
        tm_value_format(value, sizeof(value), &fields[f], &own, NULL);
        if (f < always || own.as.number)
            tmi_line_add(out, "%s%s %s", f ? ", " : "", fields[f].name, value);
    }
}

static void say_tile(tmi_line *out, const tm_patch_change *change, const uint8_t *bytes)
{
    const bool elements = change->kind == TM_CHANGE_TILES && change->field->flags & TM_FIELD_ELEMENTS;
    const tm_owner owner = elements ? tm_owner_of_elements(change->layer_kind) : TM_OWNER_COUNT;
    for (uint32_t i = 0; owner == TM_OWNER_COUNT && i < change->element_size; i++)
        tmi_line_add(out, "%02x", bytes[i]);
    tmi_line_tile(out, owner, bytes, 2);
}

static tm_status tell_all(teller *t)
{
    tm_patch_change change;
    tm_run run;
    for (uint32_t i = 0; tm_patch_at(&change, t->patch, i); i++) {
        say_object(t, &change);
        tmi_line_change(&t->line, &change);
        TM_TRY(tell_line(t, TMI_ENTRY));
        for (uint32_t r = 0; change.num_regions > 1 && r < change.num_regions; r++) {
            const tm_rect *at = &change.regions[r].rect;
            tmi_line_add(&t->line, "at %" PRId32 ",%" PRId32 " %" PRIu32 "x%" PRIu32 ": %" PRIu64, at->x,
                         at->y, at->width, at->height, change.regions[r].num);
            TM_TRY(tell_line(t, TMI_DETAIL));
        }
        if (t->how.kinds)
            TM_TRY(tm_patch_tell_tiles(t->line.text, sizeof(t->line.text), t->patch, i, NULL, t->error));
        if (t->line.text[0])
            TM_TRY(tell_line(t, TMI_DETAIL));
        for (uint32_t r = 0; t->how.tiles && tm_patch_run(&run, t->patch, i, r); r++)
            for (uint32_t k = 0; k < run.num; k++) {
                const size_t at = (size_t)k * change.element_size;
                tmi_line_add(&t->line, "%" PRId32 ",%" PRId32 ": ", run.x + (int32_t)k, run.y);
                say_tile(&t->line, &change, (const uint8_t *)run.before + at);
                tmi_line_add(&t->line, " -> ");
                say_tile(&t->line, &change, (const uint8_t *)run.after + at);
                TM_TRY(tell_line(t, TMI_DETAIL));
            }
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------ by the object */

/* Notes the current line; `rest` is from say_object. */
static tm_status note_told(told_list *to, teller *t, const tm_patch_change *change, size_t rest)
{
    const bool whole = change->kind == TM_CHANGE_ADDED || change->kind == TM_CHANGE_REMOVED;
    tm_object object;
    const bool is_object =
        tmi_object_of(&object, change->after.kind) || change->after.kind == TM_ADDRESS_LAYER;
    return add_told(to, t, is_object && (whole || t->line.text[rest] == ':') ? rest : 0,
                    change->in_after ? &change->after : &change->before);
}

static tm_status note_words(told_list *to, teller *t, const tm_patch_change *change)
{
    const size_t rest = say_object(t, change);
    tmi_line_change(&t->line, change);
    return note_told(to, t, change, rest);
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
static tm_status note_elements(told_list *to, teller *t, const tm_patch_change *first,
                               const uint64_t nums[NUM_FATES])
{
    const char *word = first->kind == TM_CHANGE_SETTING ? "command" : tmi_element_word(first->owner);
    bool any = false;
    say_object(t, first);
    for (size_t i = 0; i < NUM_FATES; i++) {
        if (!nums[i])
            continue;
        tmi_line_add(&t->line, "%s %" PRIu64, any ? "," : ":", nums[i]);
        if (!any)
            tmi_line_add(&t->line, " %s%s", word, nums[i] == 1 ? "" : "s");
        tmi_line_add(&t->line, " %s", element_fates[i]);
        any = true;
    }
    return add_told(to, t, 0, &first->after); /* equal numbers of different elements are chance */
}

/* Notes the changes of elements of one object: one by one if there are few, else how many. */
static tm_status note_element_changes(told_list *to, teller *t, uint32_t *index, const followers *along)
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
        } else if (!follows(along, &change)) {
            nums[fate_of_element(&change)]++;
            sum++;
        }
    }
    if (sum > FEW)
        TM_TRY(note_elements(to, t, &first, nums));
    for (uint32_t i = *index; sum <= FEW && i < end; i++) {
        tm_patch_at(&change, t->patch, i);
        if (!follows(along, &change) && !is_idle(t, &change))
            TM_TRY(note_words(to, t, &change));
    }
    *index = end;
    if (!idle)
        return TM_OK;
    const size_t rest = say_object(t, &first);
    tmi_line_add(&t->line, ": %s differ%s only in what no game reads", idle == 1 ? "a point" : "points",
                 idle == 1 ? "s" : "");
    return note_told(to, t, &first, rest);
}

/* Whether a field is gone with an optional part of its object, such as the automapper, which is reported. */
static bool gone_with_another(const tm_patch_change *change, const tm_map *after)
{
    const tm_address *at = &change->after;
    tm_owner owner;
    if (change->kind != TM_CHANGE_FIELD || !after || !change->in_after ||
        (at->kind != TM_ADDRESS_GROUP && at->kind != TM_ADDRESS_LAYER))
        return false;
    const void *object = tmi_map_object(after, at, &owner);
    return object && !tmi_field_present(change->field, object);
}

static tm_status note_change(told_list *to, teller *t, uint32_t *index, const followers *along)
{
    tm_patch_change change;
    tm_patch_at(&change, t->patch, *index);
    if (change.kind == TM_CHANGE_ELEMENT || change.kind == TM_CHANGE_SETTING)
        return note_element_changes(to, t, index, along);
    if (!follows(along, &change) && !(is_compat(&change) && change.num == 0) &&
        !gone_with_another(&change, t->how.after))
        TM_TRY(note_words(to, t, &change));
    if (t->how.kinds) {
        TM_TRY(tm_patch_tell_tiles(t->line.text, sizeof(t->line.text), t->patch, *index, NULL, t->error));
        t->line.length = strlen(t->line.text);
    }
    ++*index;
    return t->line.length ? add_told(to, t, 0, NULL) : TM_OK;
}

static tm_status tell_objects(teller *t, const followers *along)
{
    told_list lines = {0};
    tm_status status = TM_OK;
    tmi_arena_init(&lines.arena, tmi_patch_allocator(t->patch));
    for (uint32_t i = 0; i < tm_patch_num(t->patch) && !status;)
        status = note_change(&lines, t, &i, along);
    status = status ? status : tell_list(&lines, t);
    tmi_free(tmi_patch_allocator(t->patch), lines.list, lines.capacity, sizeof(*lines.list));
    tmi_arena_release(&lines.arena);
    return status;
}

tm_status tm_patch_tell(const tm_patch *patch, const tm_tell_options *options, const tm_output *output,
                        tm_error *error)
{
    teller t = {.patch = patch, .output = output, .error = error};
    uint64_t counts[COUNTS] = {0};
    followers along;
    TM_TRY(tmi_need(patch, "patch", error));
    TM_TRY(tmi_need(output, "output", error));
    TM_TRY(tmi_options_take(&t.how, sizeof(t.how), options, "tm_tell_options", error));
    count_changes(counts, &along, &t);
    TM_TRY(tell_sum(&t, counts, &along));
    if (t.how.sum_only)
        return TM_OK;
    if (t.how.all)
        return tell_all(&t);
    if (along.layers) {
        tmi_line_add(&t.line, "with the map: %" PRIu64 " layer%s", along.layers,
                     along.layers == 1 ? "" : "s");
        say_count(&t.line, along.elements, "quad or source", "quads and sources");
        say_count(&t.line, along.new, "new tile", "new tiles");
        say_count(&t.line, along.cut, "tile cut off", "tiles cut off");
        TM_TRY(tell_line(&t, TMI_ENTRY));
    }
    return tell_objects(&t, &along);
}

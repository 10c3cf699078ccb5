/* SPDX-License-Identifier: Zlib */
/*
 * Conflicts of a merge: the list of them, as lines for people and as JSON.
 */
#include "merge.h"
#include "../text/text.h"

#include <inttypes.h>

/* -------------------------------------------------------------------------------------------------- words */

const char *tm_resolution_name(tm_resolution resolution)
{
    static const char *const names[] = {[TM_RESOLUTION_UNRESOLVED] = "unresolved",
                                        [TM_RESOLUTION_OURS] = "ours",
                                        [TM_RESOLUTION_THEIRS] = "theirs",
                                        [TM_RESOLUTION_BOTH] = "both"};
    return (size_t)resolution < TMI_COUNT_OF(names) ? names[resolution] : NULL;
}

const char *tm_conflict_kind_name(tm_conflict_kind kind)
{
    static const char *const names[] = {[TM_CONFLICT_FIELD] = "field",     [TM_CONFLICT_TILES] = "tiles",
                                        [TM_CONFLICT_PIXELS] = "pixels",   [TM_CONFLICT_SIZE] = "size",
                                        [TM_CONFLICT_DATA] = "data",       [TM_CONFLICT_ELEMENT] = "element",
                                        [TM_CONFLICT_SETTING] = "setting", [TM_CONFLICT_REMOVED] = "removed",
                                        [TM_CONFLICT_PLACE] = "place",     [TM_CONFLICT_ADDED] = "added"};
    return (size_t)kind < TMI_COUNT_OF(names) ? names[kind] : NULL;
}

/* --------------------------------------------------------------------------------------------------- list */

tm_status tmi_conflicts_new(tm_conflicts **out, const tm_patch_options *options, tm_error *error)
{
    tm_patch *memory;
    tm_conflicts *conflicts;
    *out = NULL;
    TM_TRY(tmi_patch_new(&memory, options, error));
    const tm_status status = tmi_patch_alloc(memory, &conflicts, 1, sizeof(*conflicts), error);
    if (status != TM_OK) {
        tm_patch_free(memory);
        return status;
    }
    conflicts->memory = memory;
    *out = conflicts;
    return TM_OK;
}

void tm_conflicts_free(tm_conflicts *conflicts)
{
    if (!conflicts)
        return;
    tm_patch *memory = conflicts->memory; /* the list itself is in it */
    tmi_free(tmi_patch_allocator(memory), conflicts->list, conflicts->capacity, sizeof(*conflicts->list));
    tm_patch_free(memory);
}

tm_status tmi_conflict_add(tmi_merge *m, tmi_conflict **out, tm_conflict_kind kind, tm_kind list, uint32_t id,
                           tm_resolution resolution)
{
    tm_conflicts *conflicts = m->conflicts;
    const tmi_label *label = NULL;
    tmi_arena *arena =
        &conflicts->memory->match.arena; /* the list counts in the limit of what it refers to */
    const uint64_t size = (uint64_t)(conflicts->num + 1) * sizeof(*conflicts->list);
    if (arena->most && size + arena->taken > arena->most)
        return tmi_fail(m->error, TM_ERROR_LIMIT, -1, "conflicts take more than %llu bytes of memory",
                        (unsigned long long)arena->most);
    TM_TRY(tmi_grow(tmi_patch_allocator(conflicts->memory), &conflicts->list, &conflicts->capacity,
                    conflicts->num + 1, sizeof(*conflicts->list), m->error));
    tmi_conflict *conflict = *out = &conflicts->list[conflicts->num++];
    *conflict = (tmi_conflict){.list = list, .id = id};
    tm_conflict *shown = &conflict->shown;
    if (resolution == TM_RESOLUTION_BOTH && (kind == TM_CONFLICT_FIELD || kind == TM_CONFLICT_DATA ||
                                             kind == TM_CONFLICT_PLACE || kind == TM_CONFLICT_ADDED))
        resolution = TM_RESOLUTION_UNRESOLVED; /* the map cannot have both */
    shown->kind = kind;
    shown->resolution = resolution;
    shown->open = resolution == TM_RESOLUTION_UNRESOLVED;
    shown->layer_kind = TM_LAYER_UNKNOWN;
    shown->owner = list;
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        const int32_t number = list == TM_KIND_MAP ? 0 : m->objects.list[list].place[version][id];
        shown->element[version] = TM_NO_ELEMENT;
        shown->there[version] = number != TM_NONE;
        if (number == TM_NONE)
            continue;
        shown->address[version] = tmi_side_address(m->objects.side[version], list, (uint32_t)number);
        if (kind == TM_CONFLICT_SETTING)
            shown->address[version].kind = TM_KIND_SETTINGS;
        if (list != TM_KIND_MAP && !label)
            label = &m->objects.side[version]->labels[list][number];
    }
    if (label && list == TM_KIND_LAYER)
        shown->layer_kind = (tm_layer_kind)label->kind;
    return tmi_patch_text(conflicts->memory, &shown->name, label && label->name ? label->name : "", m->error);
}

void tmi_conflicts_place(tmi_merge *m)
{
    for (size_t i = 0; i < m->conflicts->num; i++) {
        const tmi_conflict *conflict = &m->conflicts->list[i];
        tm_conflict *shown = &m->conflicts->list[i].shown;
        tm_address merged;
        if (m->shared) { /* conflicts do not show a base that was made from ours and theirs */
            shown->there[TM_MERGE_BASE] = false;
            shown->address[TM_MERGE_BASE] = (tm_address){0};
            shown->value[TM_MERGE_BASE] = (tm_value){0};
            shown->element[TM_MERGE_BASE] = TM_NO_ELEMENT;
            shown->elements[TM_MERGE_BASE] = NULL;
            shown->text[TM_MERGE_BASE] = NULL;
            shown->width[TM_MERGE_BASE] = shown->height[TM_MERGE_BASE] = 0;
        }
        shown->in_merged = tmi_objects_address(&m->objects, conflict->list, conflict->id, &merged);
        if (conflict->list == TM_KIND_MAP)
            shown->merged = shown->address[TM_MERGE_OURS];
        else if (shown->in_merged)
            shown->merged = merged;
    }
}

uint32_t tm_conflicts_num(const tm_conflicts *conflicts)
{
    return conflicts ? (uint32_t)conflicts->num : 0;
}

uint32_t tm_conflicts_num_open(const tm_conflicts *conflicts)
{
    uint32_t num = 0;
    for (uint32_t i = 0; i < tm_conflicts_num(conflicts); i++)
        num += conflicts->list[i].shown.open;
    return num;
}

bool tm_conflicts_at(tm_conflict *out, const tm_conflicts *conflicts, uint32_t index)
{
    if (!out)
        return false;
    memset(out, 0, sizeof(*out));
    if (index >= tm_conflicts_num(conflicts))
        return false;
    *out = conflicts->list[index].shown;
    return true;
}

bool tm_conflicts_run(tm_run *out, const tm_conflicts *conflicts, uint32_t conflict, uint32_t run)
{
    const bool there = conflict < tm_conflicts_num(conflicts);
    return out && tmi_grid_run_at(out, there ? conflicts->list[conflict].grid : NULL, run);
}

/* ---------------------------------------------------------------------------------------------- as a line */

static void add_field(tmi_line *out, const tm_conflict *conflict)
{
    static const char *const names[] = {"the base", "ours", "theirs"};
    char value[TM_MERGE_MAPS][80], unread[80] = "";
    for (int version = 0; version < TM_MERGE_MAPS; version++)
        if (conflict->there[version] && conflict->value[version].unread)
            tmi_format(unread + strlen(unread), sizeof(unread) - strlen(unread), "%s%s",
                       *unread ? " and in " : "", names[version]);
    if (*unread) {
        tmi_line_add(out, ": %s could not be read in %s, and may differ", conflict->field->name, unread);
        return;
    }
    for (int version = 0; version < TM_MERGE_MAPS; version++)
        if (conflict->there[version])
            tmi_value_cut(value[version], sizeof(value[version]), conflict->field, &conflict->value[version]);
    tmi_line_add(out, ": %s", conflict->field->name);
    if (conflict->field->num_values > 1)
        tmi_line_add(out, "[%u]", (unsigned)conflict->index);
    tmi_line_add(out, " is %s in ours, %s in theirs", value[TM_MERGE_OURS], value[TM_MERGE_THEIRS]);
    if (conflict->there[TM_MERGE_BASE])
        tmi_line_add(out, ", was %s", value[TM_MERGE_BASE]);
}

static void add_places(tmi_line *out, const tm_conflict *conflict)
{
    const tm_region *first = conflict->regions;
    const bool pixels = conflict->kind == TM_CONFLICT_PIXELS;
    const char *word = pixels ? "pixel" : "tile", *plural = conflict->num == 1 ? "" : "s";
    const char *owner_words =
        pixels || conflict->field->flags & TM_FIELD_ELEMENTS ? "" : " of the copy for Teeworlds";
    if (conflict->there[TM_MERGE_BASE])
        tmi_line_add(out, ": both changed %" PRIu64 " %s%s%s", conflict->num, word, plural, owner_words);
    else
        tmi_line_add(out, ": %" PRIu64 " %s%s%s differ%s", conflict->num, word, plural, owner_words,
                     *plural ? "" : "s");
    if (conflict->num_regions > 1)
        tmi_line_add(out, " in %u places, first", (unsigned)conflict->num_regions);
    if (conflict->num_regions)
        tmi_line_add(out, " at %d,%d %ux%u", (int)first->rect.x, (int)first->rect.y,
                     (unsigned)first->rect.width, (unsigned)first->rect.height);
}

static void add_element(tmi_line *out, const tm_conflict *conflict)
{
    const char *word = tmi_element_word(conflict->owner), *fate[TM_MERGE_MAPS];
    if (!conflict->there[TM_MERGE_BASE]) {
        tmi_line_add(out, ": %s %" PRIu64 " differs from that of theirs", word,
                     conflict->element[TM_MERGE_OURS]);
        return;
    }
    for (int version = TM_MERGE_OURS; version <= TM_MERGE_THEIRS; version++)
        fate[version] = conflict->element[version] == TM_NO_ELEMENT ? "removed" : "changed";
    tmi_line_add(out, ": %s %" PRIu64 " was %s by ours and %s by theirs", word,
                 conflict->element[TM_MERGE_BASE], fate[TM_MERGE_OURS], fate[TM_MERGE_THEIRS]);
}

static void add_command(tmi_line *out, const tm_conflict *conflict)
{
    static const char *const sides[] = {"", "ours", "theirs"};
    const char *base = conflict->text[TM_MERGE_BASE];
    if (base)
        tmi_line_add(out, ": \"%.100s\"", base);
    for (int version = TM_MERGE_OURS; version <= TM_MERGE_THEIRS; version++) {
        const char *text = conflict->text[version];
        tmi_line_add(out, "%s %s", version == TM_MERGE_OURS ? (base ? " is" : ":") : (base ? "," : " and"),
                     text ? "" : "removed");
        if (text)
            tmi_line_add(out, "\"%.100s\"", text);
        tmi_line_add(out, " in %s", sides[version]);
    }
}

size_t tm_conflict_format(const tm_conflict *conflict, char *buffer, size_t size)
{
    tmi_line line = {{0}, 0}, *out = &line;
    char ours[TM_ADDRESS_SIZE], theirs[TM_ADDRESS_SIZE];
    if (!conflict || !tm_conflict_kind_name(conflict->kind))
        return tmi_format(buffer, size, "%s", "");
    const uint32_t *width = conflict->width, *height = conflict->height;
    const bool both = conflict->there[TM_MERGE_OURS];
    int version = TM_MERGE_OURS;
    while (version < TM_MERGE_THEIRS && !conflict->there[version])
        version++;
    tmi_line_object(out, &conflict->address[version], conflict->name);
    switch (conflict->kind) {
    case TM_CONFLICT_FIELD: add_field(out, conflict); break;
    case TM_CONFLICT_TILES:
    case TM_CONFLICT_PIXELS: add_places(out, conflict); break;
    case TM_CONFLICT_SIZE:
        tmi_line_add(out, ": %u x %u became %u x %u in ours, %u x %u in theirs",
                     (unsigned)width[TM_MERGE_BASE], (unsigned)height[TM_MERGE_BASE],
                     (unsigned)width[TM_MERGE_OURS], (unsigned)height[TM_MERGE_OURS],
                     (unsigned)width[TM_MERGE_THEIRS], (unsigned)height[TM_MERGE_THEIRS]);
        break;
    case TM_CONFLICT_DATA:
        tmi_line_add(out, conflict->there[TM_MERGE_BASE] ? ": both changed the %s" : ": the %s differ",
                     conflict->field->name);
        break;
    case TM_CONFLICT_ELEMENT: add_element(out, conflict); break;
    case TM_CONFLICT_SETTING: add_command(out, conflict); break;
    case TM_CONFLICT_REMOVED:
        tmi_line_add(out, " was removed by %s and changed by %s", both ? "theirs" : "ours",
                     both ? "ours" : "theirs");
        break;
    case TM_CONFLICT_PLACE:
        tm_address_format(&conflict->address[TM_MERGE_OURS], ours, sizeof(ours));
        tm_address_format(&conflict->address[TM_MERGE_THEIRS], theirs, sizeof(theirs));
        tmi_line_add(out, " was moved to %s by ours and to %s by theirs", ours, theirs);
        break;
    case TM_CONFLICT_ADDED:
        tmi_line_add(out, ": both added a %s layer", tm_game_layer(conflict->layer_kind)->name);
        break;
    }
    return tmi_give_line(buffer, size, line.text);
}

/* ------------------------------------------------------------------------------------------------ as JSON */

static const char *const version_names[] = {"base", "ours", "theirs"};

typedef enum versions_of { ADDRESSES, VALUES, ELEMENTS, COMMANDS, SIZES } versions_of;

/* Writes a member with a value for each version, or null. The member of addresses also has the result. */
static void out_versions(tmi_out *w, const tm_conflict *conflict, const char *name, versions_of what)
{
    const tmi_object_out out = {.writer = w};
    char text[TM_ADDRESS_SIZE];
    tmi_out_open(w, name, '{');
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        const char *key = version_names[version];
        if (what == COMMANDS) {
            tmi_out_exact(w, key, conflict->text[version]);
        } else if (what == ELEMENTS ? conflict->element[version] == TM_NO_ELEMENT
                                    : !conflict->there[version]) {
            tmi_out_null(w, key);
        } else if (what == ADDRESSES) {
            tm_address_format(&conflict->address[version], text, sizeof(text));
            tmi_out_text(w, key, text);
        } else if (what == VALUES) {
            tmi_value_put(&out, key, conflict->field, &conflict->value[version]);
        } else if (what == ELEMENTS) {
            tmi_out_number(w, key, (int64_t)conflict->element[version]);
        } else {
            tmi_out_numbers(w, key, (const int64_t[]){conflict->width[version], conflict->height[version]},
                            2);
        }
    }
    if (what == ADDRESSES) {
        tm_address_format(&conflict->merged, text, sizeof(text));
        tmi_out_exact(w, "merged", conflict->in_merged ? text : NULL);
    }
    tmi_out_close(w, '}');
}

static void out_conflict(tmi_out *w, const tm_conflict *conflict)
{
    char text[TM_ERROR_TEXT_SIZE];
    tmi_out_open(w, NULL, '{');
    tmi_out_text(w, "kind", tm_conflict_kind_name(conflict->kind));
    tmi_out_bool(w, "open", conflict->open);
    tmi_out_bool(w, "marked", conflict->marked);
    tmi_out_text(w, "resolution", tm_resolution_name(conflict->resolution));
    out_versions(w, conflict, "address", ADDRESSES);
    tmi_format(text, sizeof(text), "%s", conflict->name);
    tmi_tidy_line(text);
    tmi_out_text(w, "name", text);
    tm_conflict_format(conflict, text, sizeof(text));
    tmi_out_text(w, "text", text);
    if (tm_kind_name(conflict->owner))
        tmi_out_text(w, "owner", tm_kind_name(conflict->owner));
    if (conflict->field)
        tmi_out_text(w, "field", conflict->field->name);
    if (conflict->kind == TM_CONFLICT_FIELD) {
        tmi_out_number(w, "index", conflict->index);
        out_versions(w, conflict, "values", VALUES);
    }
    if (conflict->kind == TM_CONFLICT_ELEMENT || conflict->kind == TM_CONFLICT_SETTING)
        out_versions(w, conflict, "elements", ELEMENTS);
    if (conflict->kind == TM_CONFLICT_SETTING)
        out_versions(w, conflict, "commands", COMMANDS);
    if (conflict->kind == TM_CONFLICT_SIZE || conflict->num_regions)
        out_versions(w, conflict, "sizes", SIZES);
    if (conflict->num_regions) {
        tmi_out_number(w, "num", (int64_t)conflict->num);
        tmi_out_numbers(w, "shift", (const int64_t[]){conflict->dx, conflict->dy}, 2);
        tmi_out_open(w, "regions", '[');
        for (uint32_t i = 0; i < conflict->num_regions; i++) {
            const tm_rect *rect = &conflict->regions[i].rect;
            const int64_t num = (int64_t)conflict->regions[i].num;
            tmi_out_numbers(w, NULL, (const int64_t[]){rect->x, rect->y, rect->width, rect->height, num}, 5);
        }
        tmi_out_close(w, ']');
    }
    tmi_out_close(w, '}');
}

tm_status tm_conflicts_write(const tm_conflicts *conflicts, const tm_output *output, tm_error *error)
{
    tmi_out w;
    TM_TRY(tmi_need(conflicts, "conflicts", error));
    TM_TRY(tmi_need(output, "output", error));
    tmi_out_start(&w, output, error);
    tmi_out_open(&w, NULL, '[');
    for (size_t i = 0; i < conflicts->num; i++)
        out_conflict(&w, &conflicts->list[i].shown);
    tmi_out_close(&w, ']');
    return tmi_out_end(&w);
}

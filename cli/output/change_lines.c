/* SPDX-License-Identifier: Zlib */
/*
 * change_lines.c - lines in the same words about several objects become one, with the objects behind it.
 */
#include "change_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SEVERAL = 3, MAX_RANGES = 8 };

void lines_add(change_lines *to, const char *line, size_t rest, const tm_address *at)
{
    to->list = must_grow(to->list, &to->capacity, to->num, sizeof(*to->list));
    change_line *own = &to->list[to->num];
    *own = (change_line){.line = must_copy(line), .index = to->num, .num = 1};
    if (at) {
        own->rest = rest;
        own->at = *at;
    }
    to->num++;
}

/* ----------------------------------------------------------------------------------------------- the same */

static int compare_words(const change_line *a, const change_line *b)
{
    if (a->at.kind != b->at.kind)
        return a->at.kind < b->at.kind ? -1 : 1;
    return strcmp(a->line + a->rest, b->line + b->rest);
}

static int by_words(const void *left, const void *right)
{
    const change_line *a = *(const change_line *const *)left, *b = *(const change_line *const *)right;
    const int order = compare_words(a, b);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* The lines [first, end) of the sorted ones say the same. */
static void take_together(change_line *const *sorted, size_t first, size_t end)
{
    change_line *head = sorted[first];
    head->num = end - first;
    head->others = must_alloc(head->num, sizeof(*head->others));
    for (size_t i = first; i < end; i++) {
        head->others[i - first] = sorted[i]->index;
        if (i > first)
            sorted[i]->num = 0;
    }
}

static void find_several(change_lines *of)
{
    change_line **sorted = must_alloc(of->num, sizeof(*sorted));
    size_t num = 0;
    for (size_t i = 0; i < of->num; i++)
        if (of->list[i].rest)
            sorted[num++] = &of->list[i];
    qsort(sorted, num, sizeof(*sorted), by_words);
    for (size_t first = 0, end; first < num; first = end) {
        for (end = first + 1; end < num && compare_words(sorted[first], sorted[end]) == 0; end++)
            ;
        if (end - first >= SEVERAL)
            take_together(sorted, first, end);
    }
    free(sorted);
}

/* -------------------------------------------------------------------------------------------- the objects */

static const char *word_of(tm_address_kind kind)
{
    switch (kind) {
    case TM_ADDRESS_IMAGE: return "images";
    case TM_ADDRESS_SOUND: return "sounds";
    case TM_ADDRESS_ENVELOPE: return "envelopes";
    case TM_ADDRESS_GROUP: return "groups";
    case TM_ADDRESS_LAYER: return "layers";
    default: return "objects";
    }
}

static void put_object_number(text *out, const tm_address *at)
{
    text_print(out, "%" PRIu32, at->index);
    if (at->kind == TM_ADDRESS_LAYER)
        text_print(out, "/%" PRIu32, at->layer);
}

static bool is_next(const tm_address *at, const tm_address *next)
{
    if (at->kind == TM_ADDRESS_LAYER)
        return next->index == at->index && next->layer == at->layer + 1;
    return next->index == at->index + 1;
}

/* " (3/0 to 3/6, 4/0, 5/1)" */
static void put_places_of_objects(text *out, const change_lines *of, const change_line *head)
{
    size_t num_ranges = 0;
    text_string(out, " (");
    for (size_t first = 0, last; first < head->num; first = last + 1, num_ranges++) {
        const tm_address *at = &of->list[head->others[first]].at;
        for (last = first; last + 1 < head->num &&
                           is_next(&of->list[head->others[last]].at, &of->list[head->others[last + 1]].at);
             last++)
            ;
        text_string(out, first ? ", " : "");
        if (num_ranges == MAX_RANGES) {
            text_print(out, "and %zu more", head->num - first);
            break;
        }
        put_object_number(out, at);
        if (last > first) {
            text_string(out, last == first + 1 ? ", " : " to ");
            put_object_number(out, &of->list[head->others[last]].at);
        }
    }
    text_string(out, ")");
}

void lines_put(text *out, change_lines *of)
{
    find_several(of);
    for (size_t i = 0; i < of->num; i++) {
        const change_line *own = &of->list[i];
        if (own->num == 0)
            continue;
        if (own->num > 1)
            text_print(out, "%zu %s", own->num, word_of(own->at.kind));
        text_safe(out, own->num > 1 ? own->line + own->rest : own->line);
        if (own->num > 1)
            put_places_of_objects(out, of, own);
        text_string(out, "\n");
    }
    for (size_t i = 0; i < of->num; i++) {
        free(of->list[i].line);
        free(of->list[i].others);
    }
    free(of->list);
    *of = (change_lines){0};
}

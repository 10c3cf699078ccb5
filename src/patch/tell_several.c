/* SPDX-License-Identifier: Zlib */
/*
 * What is said of several objects in the same words is said once, with the objects behind it: an editor that
 * notes something in each of 60 layers is one line, and 107 removed envelopes are one.
 */
#include "tell.h"

#include <inttypes.h>

enum { SEVERAL = 3, MAX_RANGES = 8 };

tm_status tmi_told_add(tmi_told_list *to, tmi_teller *t, size_t rest, const tm_address *at)
{
    const tm_allocator *allocator = tmi_patch_allocator(t->patch);
    TM_TRY(tmi_grow(allocator, &to->list, &to->capacity, to->num + 1, sizeof(*to->list), t->error));
    tmi_told *own = &to->list[to->num];
    *own = (tmi_told){.depth = at ? TMI_ENTRY : TMI_DETAIL, .rest = rest, .num = 1};
    if (at)
        own->at = *at;
    TM_TRY(tmi_arena_text(&own->text, &to->arena, t->line.text, t->line.length, "a line", t->error));
    to->num++;
    t->line.length = 0;
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- the same */

static bool says_the_same(const tmi_told *a, const tmi_told *b)
{
    return a->at.kind == b->at.kind && strcmp(a->text + a->rest, b->text + b->rest) == 0;
}

/* Lines of [first, end) with the words of the first one become a chain that it heads. */
static void chain(tmi_told *list, const uint64_t *keys, size_t first, size_t end, uint64_t numbers)
{
    const size_t head = (size_t)(keys[first] & numbers);
    size_t last = head, num = 0;
    for (size_t i = first; i < end; i++)
        num += says_the_same(&list[head], &list[keys[i] & numbers]);
    for (size_t i = first + 1; i < end && num >= SEVERAL; i++) {
        const size_t own = (size_t)(keys[i] & numbers);
        if (list[own].num == 0 || !says_the_same(&list[head], &list[own]))
            continue;
        list[own].num = 0;
        list[last].next = own;
        last = own;
    }
    if (num >= SEVERAL)
        list[head].num = num;
}

/* Keys of a hash and a number: equal words stand together, in their order. */
static tm_status find_several(const tmi_told_list *of, const tmi_teller *t)
{
    const tm_allocator *allocator = tmi_patch_allocator(t->patch);
    uint64_t *keys, numbers = 1;
    size_t num = 0;
    TM_TRY(tmi_reserve(&keys, allocator, of->num, sizeof(*keys), "lines", t->error));
    while (numbers < of->num)
        numbers = numbers << 1 | 1;
    for (size_t i = 0; i < of->num; i++)
        if (of->list[i].rest) {
            const uint64_t words = tmi_hash_text(TMI_HASH, of->list[i].text + of->list[i].rest);
            keys[num++] = (tmi_hash_number(words, of->list[i].at.kind) & ~numbers) | i;
        }
    tmi_sort_u64(keys, num);
    for (size_t first = 0, end; first < num; first++) {
        for (end = first; end < num && (keys[end] & ~numbers) == (keys[first] & ~numbers); end++)
            ;
        if (of->list[keys[first] & numbers].num == 1)
            chain(of->list, keys, first, end, numbers);
    }
    tmi_free(allocator, keys, of->num, sizeof(*keys));
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------- the objects */

static const char *word_of_objects(tm_address_kind kind)
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

/* " (3/0 to 3/6, 4/0, 5/1)" */
static void say_objects(tmi_line *out, const tmi_told *list, const tmi_told *head)
{
    const tmi_told *own = head;
    size_t left = head->num;
    tmi_line_add(out, " (");
    for (size_t ranges = 0; left; ranges++) {
        const tmi_told *last = own;
        size_t num = 1;
        for (; num < left && is_next(&last->at, &list[last->next].at); num++)
            last = &list[last->next];
        tmi_line_add(out, "%s", ranges ? ", " : "");
        if (ranges == MAX_RANGES) {
            tmi_line_add(out, "and %zu more", left);
            break;
        }
        say_object_number(out, &own->at);
        if (num > 1) {
            tmi_line_add(out, "%s", num == 2 ? ", " : " to ");
            say_object_number(out, &last->at);
        }
        left -= num;
        own = &list[last->next];
    }
    tmi_line_add(out, ")");
}

tm_status tmi_told_tell(tmi_told_list *of, tmi_teller *t)
{
    tm_status status = find_several(of, t);
    for (size_t i = 0; i < of->num && !status; i++) {
        const tmi_told *own = &of->list[i];
        if (own->num == 0)
            continue;
        if (own->num > 1)
            tmi_line_add(&t->line, "%zu %s", own->num, word_of_objects(own->at.kind));
        tmi_line_add(&t->line, "%s", own->num > 1 ? own->text + own->rest : own->text);
        if (own->num > 1)
            say_objects(&t->line, of->list, own);
        status = tmi_tell_line(t, own->depth);
    }
    return status;
}

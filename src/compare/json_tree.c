/* SPDX-License-Identifier: Zlib */
/*
 * A text of JSON as a tree in an arena, each value with its line and column. Patches are read twice by it in
 * effect: what a change says may stand in any order. How much a text may become is limited.
 */
#include "patch_text.h"

#include <stdarg.h>

enum { TREE_DEPTH = 16, LONGEST_TEXT = 1 << 30 };

typedef struct tree_reader {
    tmi_json *json;
    tmi_arena *arena;
    uint64_t room; /* bytes that the tree may still take */
    tm_error *error;
} tree_reader;

tm_status tmi_node_fail(const tmi_node *node, tm_error *error, const char *format, ...)
{
    char text[TM_ERROR_TEXT_SIZE];
    va_list list;
    va_start(list, format);
    tmi_vformat(text, sizeof(text), format, list);
    va_end(list);
    tmi_fail(error, TM_ERROR_DAMAGED, -1, "%s", text);
    if (!node || !node->line)
        return TM_ERROR_DAMAGED;
    return tmi_fail_at(error, TM_ERROR_DAMAGED, "line %u, column %u", (unsigned)node->line,
                       (unsigned)node->column);
}

static tm_status tree_alloc(tree_reader *r, void *out, size_t size)
{
    if (size > r->room)
        return tmi_fail(r->error, TM_ERROR_LIMIT, -1, "the patch holds more than the limits allow");
    r->room -= size;
    void *memory = tmi_arena_alloc(r->arena, 1, size);
    if (!memory)
        return tmi_fail_memory(r->error, size, "a patch");
    memset(memory, 0, size);
    memcpy(out, &memory, sizeof(memory));
    return TM_OK;
}

static tm_status tree_fault(const tree_reader *r, const char *what)
{
    tmi_node at = {.line = 0};
    const char *fault = tmi_json_fault(r->json, &at.line, &at.column);
    if (tmi_json_status(r->json) != TM_OK)
        return tmi_json_status(r->json); /* the reader has told it */
    return tmi_node_fail(&at, r->error, "%s", fault ? fault : what);
}

static tm_status tree_text(tree_reader *r, const char **out)
{
    char *own;
    const size_t size = tmi_json_size(r->json);
    TM_TRY(tree_alloc(r, &own, size + 1));
    memcpy(own, tmi_json_text(r->json), size);
    *out = own;
    return TM_OK;
}

static tm_status tree_number(tree_reader *r, tmi_node *out)
{
    const char *text = tmi_json_text(r->json);
    const bool negative = *text == '-';
    int64_t number = 0;
    for (text += negative; *text >= '0' && *text <= '9' && number <= (int64_t)1 << 53; text++)
        number = number * 10 + (*text - '0');
    if (*text || number > (int64_t)1 << 53)
        return tree_fault(r, "a whole number was expected");
    out->type = TMI_NODE_NUMBER;
    out->number = negative ? -number : number;
    return TM_OK;
}

static tm_status tree_value(tree_reader *r, tmi_node *out, tmi_json_token token, int depth);

// NOLINTNEXTLINE(misc-no-recursion): TREE_DEPTH
static tm_status tree_members(tree_reader *r, tmi_node *out, bool object, int depth)
{
    tmi_node **last = &out->first;
    out->type = object ? TMI_NODE_OBJECT : TMI_NODE_ARRAY;
    if (depth >= TREE_DEPTH)
        return tree_fault(r, "too many brackets in each other");
    for (;;) {
        tmi_json_token token = tmi_json_next(r->json);
        const char *name = NULL;
        tmi_node *member;
        if (token == (object ? TMI_JSON_OBJECT_END : TMI_JSON_ARRAY_END))
            return TM_OK;
        if (token == TMI_JSON_KEY) {
            TM_TRY(tree_text(r, &name));
            token = tmi_json_next(r->json);
        }
        TM_TRY(tree_alloc(r, &member, sizeof(*member)));
        member->name = name;
        *last = member;
        last = &member->next;
        out->num++;
        TM_TRY(tree_value(r, member, token, depth + 1));
    }
}

// NOLINTNEXTLINE(misc-no-recursion): TREE_DEPTH
static tm_status tree_value(tree_reader *r, tmi_node *out, tmi_json_token token, int depth)
{
    if (token != TMI_JSON_FAULT)
        tmi_json_fault(r->json, &out->line, &out->column);
    switch (token) {
    case TMI_JSON_OBJECT: return tree_members(r, out, true, depth);
    case TMI_JSON_ARRAY: return tree_members(r, out, false, depth);
    case TMI_JSON_STRING: out->type = TMI_NODE_TEXT; return tree_text(r, &out->text);
    case TMI_JSON_NUMBER: return tree_number(r, out);
    case TMI_JSON_TRUE:
    case TMI_JSON_FALSE:
        out->type = TMI_NODE_BOOL;
        out->number = token == TMI_JSON_TRUE;
        return TM_OK;
    case TMI_JSON_NULL: return TM_OK;
    default: return tree_fault(r, "a value was expected");
    }
}

tm_status tmi_tree_read(tmi_node **out, const void *text, size_t size, uint64_t most, tmi_arena *arena,
                        tm_error *error)
{
    const tm_input input = tm_input_from_memory(text, size);
    tree_reader r = {NULL, arena, most, error};
    *out = NULL;
    TM_TRY(tmi_json_new(&r.json, &input, LONGEST_TEXT, arena->allocator, error));
    tm_status status = tree_alloc(&r, out, sizeof(**out));
    if (status == TM_OK)
        status = tree_value(&r, *out, tmi_json_next(r.json), 0);
    if (status == TM_OK && tmi_json_next(r.json) != TMI_JSON_END)
        status = tree_fault(&r, "something stands behind the end");
    tmi_json_free(r.json);
    return status;
}

const tmi_node *tmi_node_get(const tmi_node *object, const char *name)
{
    if (!object || object->type != TMI_NODE_OBJECT)
        return NULL;
    for (const tmi_node *member = object->first; member; member = member->next)
        if (strcmp(member->name, name) == 0)
            return member;
    return NULL;
}

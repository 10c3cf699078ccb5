/* SPDX-License-Identifier: Zlib */
/* Reads JSON into a tree in an arena, each value with its line and column, up to a limit of its size. */
#include "text.h"

enum { LONGEST_TEXT = 1 << 30 };

typedef struct tree_reader {
    tmi_json *json;
    tmi_arena *arena;
    uint64_t *room; /* bytes that the tree may still take */
    tm_error *error;
} tree_reader;

tm_status tmi_json_fail(const tm_json *json, tm_error *error, const char *format, ...)
{
    char text[TM_ERROR_TEXT_SIZE];
    va_list list;
    va_start(list, format);
    tmi_vformat(text, sizeof(text), format, list);
    va_end(list);
    tmi_fail(error, TM_ERROR_DAMAGED, -1, "%s", text);
    if (!json || !json->line)
        return TM_ERROR_DAMAGED;
    return tmi_fail_at(error, TM_ERROR_DAMAGED, "line %u, column %u", (unsigned)json->line,
                       (unsigned)json->column);
}

static tm_status tree_alloc(tree_reader *r, void *out, size_t size)
{
    if (size > *r->room)
        return tmi_fail(r->error, TM_ERROR_LIMIT, -1, "the text holds more than the limits allow");
    *r->room -= size;
    void *memory;
    TM_TRY(tmi_arena_reserve(&memory, r->arena, 1, size, "a tree of JSON", r->error));
    memset(memory, 0, size);
    memcpy(out, &memory, sizeof(memory));
    return TM_OK;
}

static tm_status tree_fault(const tree_reader *r, const char *subject)
{
    tm_json node = {.line = 0};
    const char *fault = tmi_json_fault(r->json, &node.line, &node.column);
    if (tmi_json_status(r->json) != TM_OK)
        return tmi_json_status(r->json); /* the reader has told it */
    return tmi_json_fail(&node, r->error, "%s", fault ? fault : subject);
}

static tm_status tree_text(tree_reader *r, const char **out)
{
    char *copy;
    const size_t size = tmi_json_size(r->json);
    TM_TRY(tree_alloc(r, &copy, size + 1));
    memcpy(copy, tmi_json_text(r->json), size);
    *out = copy;
    return TM_OK;
}

static tm_status tree_value(tree_reader *r, tm_json *out, tmi_json_token token);

// NOLINTNEXTLINE(misc-no-recursion): TMI_JSON_DEPTH
static tm_status tree_members(tree_reader *r, tm_json *out, bool object)
{
    out->kind = object ? TM_JSON_OBJECT : TM_JSON_ARRAY;
    for (;;) {
        tmi_json_token token = tmi_json_next(r->json);
        tm_json name = {0}, *member;
        if (token == (object ? TMI_JSON_OBJECT_END : TMI_JSON_ARRAY_END))
            return TM_OK;
        if (token == TMI_JSON_KEY) {
            tmi_json_fault(r->json, &name.name_line, &name.name_column);
            TM_TRY(tree_text(r, &name.name));
            token = tmi_json_next(r->json);
        }
        TM_TRY(tree_alloc(r, &member, sizeof(*member)));
        *member = name;
        *(out->last ? &out->last->next : &out->first) = member;
        out->last = member;
        out->num++;
        TM_TRY(tree_value(r, member, token));
    }
}

// NOLINTNEXTLINE(misc-no-recursion): TMI_JSON_DEPTH
static tm_status tree_value(tree_reader *r, tm_json *out, tmi_json_token token)
{
    if (token != TMI_JSON_FAULT)
        tmi_json_fault(r->json, &out->line, &out->column);
    switch (token) {
    case TMI_JSON_OBJECT: return tree_members(r, out, true);
    case TMI_JSON_ARRAY: return tree_members(r, out, false);
    case TMI_JSON_STRING: out->kind = TM_JSON_TEXT; return tree_text(r, &out->text);
    case TMI_JSON_NUMBER: {
        const char *text = tmi_json_text(r->json);
        const bool negative = *text == '-';
        int64_t number = 0;
        for (text += negative; *text >= '0' && *text <= '9' && number <= (int64_t)1 << 53; text++)
            number = number * 10 + (*text - '0');
        out->kind = TM_JSON_NUMBER;
        out->whole = !*text && number <= (int64_t)1 << 53;
        if (!out->whole)
            return tree_text(r, &out->text);
        out->number = negative ? -number : number;
        return TM_OK;
    }
    case TMI_JSON_TRUE:
    case TMI_JSON_FALSE:
        out->kind = TM_JSON_BOOL;
        out->number = token == TMI_JSON_TRUE;
        return TM_OK;
    case TMI_JSON_NULL: return TM_OK;
    default: return tree_fault(r, "a value was expected");
    }
}

tm_status tmi_json_value(tm_json **out, tmi_json *json, tmi_json_token token, uint64_t *room,
                         tmi_arena *arena, tm_error *error)
{
    tree_reader r = {json, arena, room, error};
    *out = NULL;
    TM_TRY(tree_alloc(&r, out, sizeof(**out)));
    return tree_value(&r, *out, token);
}

tm_status tmi_json_all(tm_json **out, tmi_json *json, uint64_t *room, tmi_arena *arena, tm_error *error)
{
    const tree_reader r = {json, arena, room, error};
    TM_TRY(tmi_json_value(out, json, tmi_json_next(json), room, arena, error));
    return tmi_json_next(json) == TMI_JSON_END ? TM_OK : tree_fault(&r, "unexpected text after the end");
}

tm_status tmi_json_tree(tm_json **out, const void *text, size_t size, uint64_t most, tmi_arena *arena,
                        tm_error *error)
{
    const tm_input input = tm_input_from_memory(text, size);
    tmi_json *json;
    *out = NULL;
    TM_TRY(tmi_json_new(&json, &input, LONGEST_TEXT, arena->allocator, error));
    const tm_status status = tmi_json_all(out, json, &most, arena, error);
    tmi_json_free(json);
    return status;
}

const tm_json *tm_json_get(const tm_json *object, const char *name)
{
    if (!object || object->kind != TM_JSON_OBJECT)
        return NULL;
    for (const tm_json *member = object->first; member; member = member->next)
        if (strcmp(member->name, name) == 0)
            return member;
    return NULL;
}

/* A tree and its memory. */
typedef struct owned_tree {
    tm_json json; /* a copy of the outermost value */
    tmi_arena arena;
    const tm_allocator *allocator;
} owned_tree;

tm_status tm_json_read(tm_json **out, const void *text, size_t size, uint64_t max_bytes,
                       const tm_allocator *allocator, tm_error *error)
{
    tm_json *root;
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(text, "text", error));
    owned_tree *tree;
    TM_TRY(tmi_reserve(&tree, allocator, 1, sizeof(*tree), "a tree of JSON", error));
    tree->allocator = allocator;
    tmi_arena_init(&tree->arena, allocator);
    tm_status status = tmi_json_tree(&root, text, size, max_bytes, &tree->arena, error);
    if (status == TM_OK) {
        tree->json = *root;
        *out = &tree->json;
    } else {
        tmi_arena_release(&tree->arena);
        tmi_free(allocator, tree, 1, sizeof(*tree));
    }
    return status;
}

void tm_json_free(tm_json *json)
{
    owned_tree *tree = (owned_tree *)json;
    if (!tree)
        return;
    tmi_arena_release(&tree->arena);
    tmi_free(tree->allocator, tree, 1, sizeof(*tree));
}

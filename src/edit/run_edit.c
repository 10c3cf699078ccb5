/* SPDX-License-Identifier: Zlib */
/*
 * Running operations: on a clone, which takes the map's place when all of them are done; and the report of
 * what they did.
 */
#include "edit.h"

/* ------------------------------------------------------------------------------------------- reporting */

void tmi_edit_changed(tmi_edit *edit, tm_address at, uint64_t count, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tmi_report_vchange(edit->report, edit->operation->name, edit->map, at, count, format, list);
    va_end(list);
}

void tmi_edit_find(tmi_edit *edit, tm_finding_id id, tm_address at, const char *format, ...)
{
    char text[TM_ERROR_TEXT_SIZE];
    va_list list;
    va_start(list, format);
    tmi_vformat(text, sizeof(text), format, list);
    va_end(list);
    tmi_find_at(&edit->report->findings, TM_MODE_GAME, id, edit->map, at, -1, "%s", text);
}

/* --------------------------------------------------------------------------------------------- one step */

static tm_status run_values(tmi_edit *edit, const tmi_edit_row *row, const char *const *arguments,
                            uint32_t num, tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(edit->map);
    const size_t room = (size_t)num + TM_EDIT_ARGUMENTS;
    tmi_edit_value *values = tmi_alloc(allocator, room, sizeof(*values));
    if (!values)
        return tmi_fail_memory(error, room * sizeof(*values), "arguments");
    tm_status status = tmi_edit_read_values(values, &row->public, arguments, num, error);
    edit->values = values;
    edit->num_values = num;
    if (!status)
        status = row->run(edit, error);
    tmi_free(allocator, values, room, sizeof(*values));
    return status;
}

static tm_status run_step(tm_map *map, const tm_edit_operation *operation, const char *const *arguments,
                          uint32_t num, const tm_edit_options *options, tm_report *report, tm_error *error)
{
    const tmi_edit_row *row = tmi_edit_row_of(operation);
    if (!row)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "no operation of the table was given");
    tmi_edit edit = {.map = map, .operation = operation, .options = options, .report = report};
    const tm_status status = run_values(&edit, row, arguments, num, error);
    return status ? tmi_fail_at(error, status, "%s", operation->name) : TM_OK;
}

/* ------------------------------------------------------------------------------------- all or nothing */

TMI_DEFINE_INIT(tm_edit_options, TM_EDIT_OPTIONS_INIT)

typedef tm_status steps_function(tm_map *map, const void *ctx, const tm_edit_options *options,
                                 tm_report *report, tm_error *error);

/* A run that changed nothing leaves the map and the pointers into it alone. */
static tm_status run_on_clone(tm_map *map, steps_function *steps, const void *ctx,
                              const tm_edit_options *options, tm_report *report, tm_error *error)
{
    tm_map *clone;
    tm_report own;
    tm_edit_options taken;
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_options_take(&taken, sizeof(taken), options, "tm_edit_options", error));
    TM_TRY(tm_map_clone(&clone, map, error));
    tm_report_init(&own, tmi_map_allocator(map));
    const tm_status status = steps(clone, ctx, &taken, &own, error);
    if (!status && (own.num || own.unlisted))
        tm_map_swap(map, clone);
    if (!status && report)
        tmi_report_join(report, &own);
    tm_report_release(&own);
    tm_map_free(clone);
    return status;
}

typedef struct single {
    const tm_edit_operation *operation;
    const char *const *arguments;
    uint32_t num;
} single;

static tm_status run_single(tm_map *map, const void *ctx, const tm_edit_options *options, tm_report *report,
                            tm_error *error)
{
    const single *one = ctx;
    return run_step(map, one->operation, one->arguments, one->num, options, report, error);
}

tm_status tm_edit_run(tm_map *map, const tm_edit_operation *operation, const char *const *arguments,
                      uint32_t num_arguments, const tm_edit_options *options, tm_report *report,
                      tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(operation, "operation", error));
    if (num_arguments)
        TM_TRY(tmi_need(arguments, "arguments", error));
    const single one = {operation, arguments, num_arguments};
    return run_on_clone(map, run_single, &one, options, report, error);
}

/* --------------------------------------------------------------------------------------------- scripts */

typedef struct script_step {
    const tm_edit_operation *operation;
    const char **arguments;
    uint32_t num;
} script_step;

struct tm_edit_script {
    tmi_arena arena; /* of texts and lists of arguments */
    script_step *steps;
    size_t num, capacity;
    tm_allocator allocator;
    bool has_allocator;
};

static const tm_allocator *script_allocator(const tm_edit_script *script)
{
    return script->has_allocator ? &script->allocator : NULL;
}

static tm_status script_new(tm_edit_script **out, const tm_allocator *allocator, tm_error *error)
{
    tm_edit_script *script = tmi_calloc(allocator, 1, sizeof(*script));
    *out = script;
    if (!script)
        return tmi_fail_memory(error, sizeof(*script), "script");
    if (allocator) {
        script->allocator = *allocator;
        script->has_allocator = true;
    }
    tmi_arena_init(&script->arena, script_allocator(script));
    return TM_OK;
}

void tm_edit_script_free(tm_edit_script *script)
{
    if (!script)
        return;
    const tm_allocator allocator = script->allocator;
    const bool has_allocator = script->has_allocator;
    tmi_arena_release(&script->arena);
    tmi_free(script_allocator(script), script->steps, script->capacity, sizeof(*script->steps));
    tmi_free(has_allocator ? &allocator : NULL, script, 1, sizeof(*script));
}

uint32_t tm_edit_script_num(const tm_edit_script *script)
{
    return script ? (uint32_t)script->num : 0;
}

/* The operation that words begin with: its name may be two of them. */
static const tm_edit_operation *find_in_words(const char *const *words, uint32_t num, uint32_t *used)
{
    char name[64];
    *used = 2;
    if (num > 1) {
        tmi_format(name, sizeof(name), "%s %s", words[0], words[1]);
        const tm_edit_operation *two = tm_edit_find(name);
        if (two)
            return two;
    }
    *used = 1;
    return tm_edit_find(words[0]);
}

/* "clean" alone: which words may follow. */
static tm_status fail_unknown(const char *first, tm_error *error)
{
    char list[160] = "";
    size_t length = 0;
    const size_t size = strlen(first);
    const tm_edit_operation *row;
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++)
        if (strncmp(row->name, first, size) == 0 && row->name[size] == ' ')
            length += tmi_format(list + length, sizeof(list) - length, "%s%s", length ? ", " : "",
                                 row->name + size + 1);
    if (length)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "behind '%.60s' comes one of %s", first, list);
    return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no operation '%.60s'", first);
}

static tm_status check_values(const tm_edit_script *script, const script_step *step, tm_error *error)
{
    const size_t room = (size_t)step->num + TM_EDIT_ARGUMENTS;
    tmi_edit_value *values = tmi_alloc(script_allocator(script), room, sizeof(*values));
    if (!values)
        return tmi_fail_memory(error, room * sizeof(*values), "arguments");
    const tm_status status = tmi_edit_read_values(values, step->operation, step->arguments, step->num, error);
    tmi_free(script_allocator(script), values, room, sizeof(*values));
    return status ? tmi_fail_at(error, status, "%s", step->operation->name) : TM_OK;
}

static char *keep_text(tm_edit_script *script, const char *text, size_t size)
{
    char *copy = tmi_arena_alloc(&script->arena, size + 1, 1);
    if (copy) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}

/* Adds one operation; copies the words. */
static tm_status script_add(tm_edit_script *script, const char *const *words, uint32_t num, tm_error *error)
{
    uint32_t used;
    script_step step = {0};
    if (num == 0)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "an operation is missing");
    step.operation = find_in_words(words, num, &used);
    if (!step.operation)
        return fail_unknown(words[0], error);
    step.num = num - used;
    step.arguments = tmi_arena_alloc(&script->arena, (size_t)step.num + 1, sizeof(*step.arguments));
    if (!step.arguments)
        return tmi_fail_memory(error, step.num * sizeof(*step.arguments), "arguments");
    for (uint32_t i = 0; i < step.num; i++) {
        step.arguments[i] = keep_text(script, words[used + i], strlen(words[used + i]));
        if (!step.arguments[i])
            return tmi_fail_memory(error, strlen(words[used + i]) + 1, "argument");
    }
    TM_TRY(check_values(script, &step, error));
    TM_TRY(tmi_grow(script_allocator(script), &script->steps, &script->capacity, script->num + 1,
                    sizeof(*script->steps), error));
    script->steps[script->num++] = step;
    return TM_OK;
}

static tm_status add_all_words(tm_edit_script *script, const char *const *words, uint32_t num,
                               tm_error *error)
{
    for (uint32_t from = 0, i = 0; i <= num; i++) {
        if (i < num && strcmp(words[i], "+") != 0)
            continue;
        TM_TRY(script_add(script, words + from, i - from, error));
        from = i + 1;
    }
    return TM_OK;
}

tm_status tm_edit_script_from_words(tm_edit_script **out, const char *const *words, uint32_t num_words,
                                    const tm_allocator *allocator, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    if (num_words)
        TM_TRY(tmi_need(words, "words", error));
    TM_TRY(script_new(out, allocator, error));
    const tm_status status = add_all_words(*out, words, num_words, error);
    if (status) {
        tm_edit_script_free(*out);
        *out = NULL;
    }
    return status;
}

/* ------------------------------------------------------------------------------------ lines of a script */

enum { LINE_WORDS = 256 }; /* words that a line has at most */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Cuts one word off a line, in place; NULL behind the last one. A quote that does not end sets *fault. */
static char *cut_word(char **line, bool *fault)
{
    char *from = *line, *to;
    while (is_blank(*from))
        from++;
    if (!*from || *from == '#')
        return NULL;
    char *const word = from;
    bool quoted = false;
    for (to = word; *from && (quoted || !is_blank(*from)); from++)
        if (*from == '"')
            quoted = !quoted;
        else if (quoted && *from == '\\' && (from[1] == '"' || from[1] == '\\'))
            *to++ = *++from;
        else
            *to++ = *from;
    *fault = quoted;
    *line = *from ? from + 1 : from;
    *to = '\0';
    return word;
}

static tm_status add_line(tm_edit_script *script, char *line, tm_error *error)
{
    const char *words[LINE_WORDS];
    uint32_t num = 0;
    bool fault = false;
    for (char *word; (word = cut_word(&line, &fault)); words[num++] = word) {
        if (fault)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "a quote does not end");
        if (num == LINE_WORDS)
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "more than %d words", LINE_WORDS);
    }
    return num ? script_add(script, words, num, error) : TM_OK;
}

static tm_status add_text(tm_edit_script *script, const char *text, size_t size, tm_error *error)
{
    for (uint32_t number = 1; size; number++) {
        const char *end = memchr(text, '\n', size);
        const size_t length = end ? (size_t)(end - text) : size;
        char *line = keep_text(script, text, length);
        if (!line)
            return tmi_fail_memory(error, length + 1, "line");
        const tm_status status = add_line(script, line, error);
        if (status)
            return tmi_fail_at(error, status, "line %u", (unsigned)number);
        text += length + (end ? 1 : 0);
        size -= length + (end ? 1 : 0);
    }
    return TM_OK;
}

tm_status tm_edit_script_from_text(tm_edit_script **out, const char *text, size_t size,
                                   const tm_allocator *allocator, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    if (size)
        TM_TRY(tmi_need(text, "text", error));
    TM_TRY(script_new(out, allocator, error));
    const tm_status status = add_text(*out, text, size, error);
    if (status) {
        tm_edit_script_free(*out);
        *out = NULL;
    }
    return status;
}

static tm_status run_steps(tm_map *map, const void *ctx, const tm_edit_options *options, tm_report *report,
                           tm_error *error)
{
    const tm_edit_script *script = ctx;
    for (size_t i = 0; i < script->num; i++) {
        const script_step *step = &script->steps[i];
        TM_TRY(run_step(map, step->operation, step->arguments, step->num, options, report, error));
    }
    return TM_OK;
}

tm_status tm_edit_script_run(tm_map *map, const tm_edit_script *script, const tm_edit_options *options,
                             tm_report *report, tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(script, "script", error));
    return run_on_clone(map, run_steps, script, options, report, error);
}

/* SPDX-License-Identifier: Zlib */
/*
 * Scripts: operations with their arguments, read from the words of a command line or from lines of text with
 * variables in them.
 */
#include "edit.h"

struct tm_edit_script {
    tmi_arena arena; /* of texts and lists of arguments */
    tmi_edit_step *steps;
    size_t num, capacity;
    tm_allocator allocator; /* `resize` NULL: malloc */
};

static const tm_allocator *script_allocator(const tm_edit_script *script)
{
    return script->allocator.resize ? &script->allocator : NULL;
}

static tm_status script_new(tm_edit_script **out, const tm_allocator *allocator, tm_error *error)
{
    tm_edit_script *script = tmi_calloc(allocator, 1, sizeof(*script));
    *out = script;
    if (!script)
        return tmi_fail_memory(error, sizeof(*script), "script");
    if (allocator)
        script->allocator = *allocator;
    tmi_arena_init(&script->arena, script_allocator(script));
    return TM_OK;
}

void tm_edit_script_free(tm_edit_script *script)
{
    if (!script)
        return;
    const tm_allocator allocator = script->allocator;
    tmi_arena_release(&script->arena);
    tmi_free(script_allocator(script), script->steps, script->capacity, sizeof(*script->steps));
    tmi_free(allocator.resize ? &allocator : NULL, script, 1, sizeof(*script));
}

uint32_t tmi_edit_script_num(const tm_edit_script *script)
{
    return script ? (uint32_t)script->num : 0;
}

/* Fails for words that begin no operation; after "clean" alone, says which words may follow. */
static tm_status fail_unknown(const char *const *words, uint32_t num, tm_error *error)
{
    const char *first = words[0];
    tmi_line list = {.length = 0};
    const size_t size = strlen(first);
    const tm_edit_operation *row;
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++)
        if (strncmp(row->name, first, size) == 0 && row->name[size] == ' ')
            tmi_line_add(&list, "%s%s", list.length ? ", " : "", row->name + size + 1);
    if (list.length && num == 1)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "after '%.60s' expected one of %s", first, list.text);
    char name[64], hint[64];
    tm_suggestion meant;
    tmi_format(name, sizeof(name), "%.30s%s%.30s", first, list.length ? " " : "",
               list.length ? words[1] : "");
    tm_suggestion_begin(&meant, name);
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++)
        tm_suggestion_try(&meant, row->name);
    tm_suggestion_format(&meant, hint, sizeof(hint));
    if (list.length && !meant.best)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "after '%.60s' expected one of %s", first, list.text);
    return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no operation '%.60s'%s", name, hint);
}

/*
 * The first of `num` arguments that is the name of an operation, or begins one of two words; NULL: none is.
 */
static const char *find_operation_word(const char *const *arguments, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++) {
        char pair[64];
        tmi_format(pair, sizeof(pair), "%.30s %.30s", arguments[i], i + 1 < num ? arguments[i + 1] : "");
        if (tm_edit_find(arguments[i]) || tm_edit_find(pair))
            return arguments[i];
    }
    return NULL;
}

/*
 * Adds to the error of arguments that cannot be read that another operation among them needs a + before it.
 */
static void hint_at_plus(const tmi_edit_step *step, tm_error *error)
{
    const char *other = find_operation_word(step->arguments, step->num);
    char text[sizeof(error->text)];
    if (!other || !error)
        return;
    tmi_format(text, sizeof(text), "%s", error->text);
    tmi_error_blank(error);
    tmi_fail(error, TM_ERROR_USAGE, -1,
             "%s; before another operation like '%.40s' stands a +, or in a script a new line", text, other);
}

/* Adds one operation, whose name is one word or two; copies the words. */
static tm_status script_add(tm_edit_script *script, const char *const *words, uint32_t num, uint32_t line,
                            tm_error *error)
{
    tmi_edit_step step = {.line = line};
    char name[64];
    if (num == 0)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "an operation is missing");
    if (num > 1) {
        tmi_format(name, sizeof(name), "%s %s", words[0], words[1]);
        step.operation = tm_edit_find(name);
    }
    const uint32_t used = step.operation ? 2 : 1;
    if (!step.operation)
        step.operation = tm_edit_find(words[0]);
    if (!step.operation)
        return fail_unknown(words, num < 2 ? num : 2, error);
    step.num = num - used;
    const char **copy;
    TM_TRY(tmi_arena_reserve(&copy, &script->arena, (size_t)step.num + 1, sizeof(*copy), "arguments", error));
    step.arguments = copy;
    for (uint32_t i = 0; i < step.num; i++)
        TM_TRY(tmi_arena_text(&copy[i], &script->arena, words[used + i], strlen(words[used + i]), "argument",
                              error));
    const size_t room = (size_t)step.num + TM_EDIT_ARGUMENTS;
    tmi_edit_value *values;
    uint32_t num_values;
    TM_TRY(tmi_reserve(&values, script_allocator(script), room, sizeof(*values), "arguments", error));
    const tm_status status =
        tmi_edit_parse_values(values, &num_values, step.operation, step.arguments, step.num, error);
    tmi_free(script_allocator(script), values, room, sizeof(*values));
    if (status == TM_ERROR_USAGE)
        hint_at_plus(&step, error);
    if (status)
        return tmi_fail_at(error, status, "%s", step.operation->name);
    TM_TRY(tmi_grow(script_allocator(script), &script->steps, &script->capacity, script->num + 1,
                    sizeof(*script->steps), error));
    script->steps[script->num++] = step;
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
    tm_status status = TM_OK;
    for (uint32_t from = 0, i = 0; i <= num_words && !status; i++) {
        if (i < num_words && strcmp(words[i], "+") != 0)
            continue;
        status = script_add(*out, words + from, i - from, 0, error);
        from = i + 1;
    }
    if (status) {
        tm_edit_script_free(*out);
        *out = NULL;
    }
    return status;
}

/* ------------------------------------------------------------------------------------ lines of a script */

enum { LINE_WORDS = 256 }; /* words that a line has at most */

/* The line that is being read, and its current word. */
typedef struct script_reader {
    tm_edit_script *script;
    const char *const *defines; /* NAME=VALUE */
    uint32_t num_defines;
    const char *cursor, *end; /* what is left of the line */
    char *word;               /* as far as it is read; ends without a NUL */
    size_t num, capacity;
} script_reader;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The length of the variable's name that begins a text; 0: there is none. */
static size_t name_size(const char *text, const char *end)
{
    size_t size = 0;
    for (; text + size < end; size++) {
        const char c = text[size];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (!size || c < '0' || c > '9'))
            break;
    }
    return size;
}

static tm_status put_in_word(script_reader *reader, const char *bytes, size_t size, tm_error *error)
{
    TM_TRY(tmi_grow(script_allocator(reader->script), &reader->word, &reader->capacity,
                    reader->num + size + 1, sizeof(*reader->word), error));
    if (size)
        memcpy(reader->word + reader->num, bytes, size);
    reader->num += size;
    return TM_OK;
}

/* Reads after a dollar sign: $NAME, ${NAME}, $$. Before anything else, it is a plain dollar sign. */
static tm_status put_variable(script_reader *reader, tm_error *error)
{
    const bool braces = reader->cursor < reader->end && *reader->cursor == '{';
    const char *name = reader->cursor + braces;
    const size_t size = name_size(name, reader->end);
    if (size == 0 || (braces && (name + size == reader->end || name[size] != '}'))) {
        if (braces)
            return tmi_fail(error, TM_ERROR_USAGE, -1,
                            "'${' needs a name of letters, digits and _, and a '}'");
        reader->cursor += reader->cursor < reader->end && *reader->cursor == '$';
        return put_in_word(reader, "$", 1, error);
    }
    const char *value = NULL;
    for (uint32_t i = 0; i < reader->num_defines; i++) /* of two of one name the later one counts */
        if (strncmp(reader->defines[i], name, size) == 0 && reader->defines[i][size] == '=')
            value = reader->defines[i] + size + 1;
    if (!value)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the variable '%.*s' has no value",
                        size < 60 ? (int)size : 60, name);
    reader->cursor = name + size + braces;
    return put_in_word(reader, value, strlen(value), error);
}

/* Reads one word off the line; *word is NULL after the last one. */
static tm_status next_word(script_reader *reader, const char **word, tm_error *error)
{
    char quote = '\0';
    *word = NULL;
    while (reader->cursor < reader->end && is_blank(*reader->cursor))
        reader->cursor++;
    if (reader->cursor == reader->end || *reader->cursor == '#')
        return TM_OK;
    reader->num = 0;
    while (reader->cursor < reader->end && (quote || !is_blank(*reader->cursor))) {
        const char c = *reader->cursor++;
        /* As in shells: an apostrophe is a quote at the start of a word or after =, else literal: Anna's. */
        const bool may_quote = reader->num == 0 || reader->word[reader->num - 1] == '=';
        const bool escapes = quote == '"' && c == '\\' && reader->cursor < reader->end &&
                             (*reader->cursor == '"' || *reader->cursor == '\\');
        if (quote ? c == quote : c == '"' || (c == '\'' && may_quote))
            quote = quote ? '\0' : c;
        else if (c == '$' && quote != '\'')
            TM_TRY(put_variable(reader, error));
        else
            TM_TRY(put_in_word(reader, escapes ? reader->cursor++ : &c, 1, error));
    }
    if (quote)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "a quote does not end");
    return tmi_arena_text(word, &reader->script->arena, reader->word, reader->num, "word", error);
}

static tm_status add_line(script_reader *reader, const char *line, size_t size, uint32_t number,
                          tm_error *error)
{
    const char *words[LINE_WORDS], *word;
    uint32_t num = 0;
    if (memchr(line, 0, size))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "contains a zero byte: not a text");
    reader->cursor = line;
    reader->end = line + size;
    for (;;) {
        TM_TRY(next_word(reader, &word, error));
        if (!word)
            break;
        if (num == LINE_WORDS)
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "more than %d words", LINE_WORDS);
        words[num++] = word;
    }
    return num ? script_add(reader->script, words, num, number, error) : TM_OK;
}

tm_status tm_edit_script_from_template(tm_edit_script **out, const char *text, size_t size,
                                       const char *const *defines, uint32_t num_defines,
                                       const tm_allocator *allocator, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    if (size)
        TM_TRY(tmi_need(text, "text", error));
    if (num_defines)
        TM_TRY(tmi_need(defines, "defines", error));
    for (uint32_t i = 0; i < num_defines; i++) {
        const char *define = defines[i];
        TM_TRY(tmi_need(define, "define", error));
        const size_t length = name_size(define, define + strlen(define));
        if (length == 0 || define[length] != '=')
            return tmi_fail(error, TM_ERROR_USAGE, -1,
                            "'%.60s' is not NAME=VALUE with a name of letters, digits and _", define);
    }
    TM_TRY(script_new(out, allocator, error));
    script_reader reader = {.script = *out, .defines = defines, .num_defines = num_defines};
    tm_status status = TM_OK;
    for (uint32_t number = 1; size && !status; number++) {
        const char *end = memchr(text, '\n', size);
        const size_t length = end ? (size_t)(end - text) : size;
        status = add_line(&reader, text, length, number, error);
        if (status)
            status = tmi_fail_at(error, status, "line %u", (unsigned)number);
        text += length + (end ? 1 : 0);
        size -= length + (end ? 1 : 0);
    }
    tmi_free(script_allocator(*out), reader.word, reader.capacity, sizeof(*reader.word));
    if (status) {
        tm_edit_script_free(*out);
        *out = NULL;
    }
    return status;
}

tm_status tm_edit_script_from_text(tm_edit_script **out, const char *text, size_t size,
                                   const tm_allocator *allocator, tm_error *error)
{
    return tm_edit_script_from_template(out, text, size, NULL, 0, allocator, error);
}

tm_status tm_edit_script_run(tm_map *map, const tm_edit_script *script, const tm_edit_options *options,
                             tm_report *report, tm_error *error)
{
    tm_edit_options effective;
    tm_job quiet = TM_JOB_INIT;
    tmi_work work;
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(script, "script", error));
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_edit_options", error));
    const tm_job *job = effective.job;
    if (job) { /* an operation would begin again with each large layer */
        quiet = *job;
        quiet.progress = NULL;
        effective.job = &quiet;
    }
    TM_TRY(tmi_work_begin(&work, map, error));
    tm_status status = TM_OK;
    for (size_t i = 0; i < script->num && !status; i++) {
        const tmi_edit_step *step = &script->steps[i];
        status = tmi_edit_run_step(work.clone, step, &effective, &work.report, error);
        if (status && step->line)
            status = tmi_fail_at(error, status, "line %u of the script", (unsigned)step->line);
        if (!status && job && job->progress)
            job->progress(job->progress_ctx, i + 1, script->num);
    }
    return tmi_work_end(&work, status, report);
}

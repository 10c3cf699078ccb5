/* SPDX-License-Identifier: Zlib */
/*
 * An expression becomes steps: most take a character, others lead to two steps or ask for an end of the text.
 * Distances between steps are relative, so that a part of them can be moved and repeated. Written here since
 * <regex.h> is not everywhere and takes [\w\W] for four letters.
 */
#include "lint_regex.h"

#include <inttypes.h>

enum { REGEX_STEPS = 500, REGEX_NESTING = 20 };

typedef enum regex_what {
    REGEX_TAKE,
    REGEX_SPLIT,
    REGEX_JUMP,
    REGEX_AT_BEGIN,
    REGEX_AT_END,
    REGEX_FITS
} regex_what;

/* ASCII characters, and all others together. */
typedef struct regex_set {
    bool has[129];
} regex_set;
enum { REGEX_OTHERS = 128 };

typedef struct regex_step {
    regex_what what;
    int32_t to, also; /* steps from here, of a jump; of a split both */
    const regex_set *set;
} regex_step;

struct tmi_regex {
    uint32_t num;
    regex_step steps[REGEX_STEPS];
};

typedef struct regex_reading {
    tmi_regex *out;
    const char *at;
    tmi_arena *arena;
    uint32_t nesting;
    tm_error *error;
} regex_reading;

/* ------------------------------------------------------------------------------------------------ reading */

static tm_status regex_fault(const regex_reading *in, const char *what)
{
    return tmi_fail(in->error, TM_ERROR_USAGE, -1, "the expression at '%.40s': %s", in->at, what);
}

/* Makes room for a step at `where`. */
static tm_status regex_insert(const regex_reading *in, uint32_t where, regex_step step)
{
    tmi_regex *out = in->out;
    if (out->num == REGEX_STEPS)
        return regex_fault(in, "it is too long");
    memmove(out->steps + where + 1, out->steps + where, (out->num - where) * sizeof(*out->steps));
    out->steps[where] = step;
    out->num++;
    return TM_OK;
}

static tm_status regex_add(const regex_reading *in, regex_step step)
{
    return regex_insert(in, in->out->num, step);
}

static tm_status regex_add_set(const regex_reading *in, const regex_set *set)
{
    regex_set *copy = tmi_arena_alloc(in->arena, 1, sizeof(*copy));
    if (!copy)
        return tmi_fail_memory(in->error, sizeof(*copy), "expression");
    *copy = *set;
    return regex_add(in, (regex_step){.what = REGEX_TAKE, .set = copy});
}

static bool regex_is_word(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == REGEX_OTHERS; /* letters of other scripts; their signs, too */
}

static bool regex_is_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

static bool regex_is_space(uint32_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void regex_put_class(regex_set *set, char name)
{
    const char lower = (char)(name | 32);
    for (uint32_t c = 0; c <= REGEX_OTHERS; c++) {
        const bool in = lower == 'w'   ? regex_is_word(c)
                        : lower == 'd' ? regex_is_digit(c)
                                       : regex_is_space(c);
        set->has[c] = set->has[c] || in == (name == lower);
    }
}

/* Behind a backslash: a class, or one character, which *c becomes. */
static tm_status regex_take_escape(regex_reading *in, regex_set *set, char *c)
{
    static const char names[] = "tnrfv", means[] = "\t\n\r\f\v";
    const char name = *in->at;
    const char *named = name ? strchr(names, name) : NULL;
    *c = '\0';
    if (name && strchr("wWdDsS", name))
        regex_put_class(set, name);
    else if (named)
        *c = means[named - names];
    else if (name > ' ' && name < 127 && !regex_is_word((uint32_t)name))
        *c = name;
    else
        return regex_fault(in, "behind \\ stands one of w W d D s S t n r f v, or a sign");
    in->at++;
    if (*c)
        set->has[(uint8_t)*c] = true;
    return TM_OK;
}

/* One character of [ ], or the first of a range. *c: which; 0 for a class. */
static tm_status regex_take_member(regex_reading *in, regex_set *set, char *c)
{
    *c = *in->at;
    if (!*c)
        return regex_fault(in, "a [ has no ]");
    if ((uint8_t)*c >= 128)
        return regex_fault(in, "[ ] takes letters of ASCII alone");
    in->at++;
    if (*c == '\\')
        return regex_take_escape(in, set, c);
    set->has[(uint8_t)*c] = true;
    return TM_OK;
}

static tm_status regex_take_brackets(regex_reading *in)
{
    regex_set set = {{false}};
    const bool others = *in->at == '^';
    bool first = true;
    in->at += others;
    for (; *in->at != ']' || first; first = false) {
        char from, to;
        TM_TRY(regex_take_member(in, &set, &from));
        if (in->at[0] != '-' || in->at[1] == ']')
            continue;
        in->at++;
        TM_TRY(regex_take_member(in, &set, &to));
        if (!from || !to || from > to)
            return regex_fault(in, "a range goes from one character to a later one");
        for (int c = from; c <= to; c++)
            set.has[c] = true;
    }
    in->at++;
    for (uint32_t c = 0; c <= REGEX_OTHERS && others; c++)
        set.has[c] = !set.has[c];
    return regex_add_set(in, &set);
}

static tm_status regex_take_ways(regex_reading *in);

// NOLINTNEXTLINE(misc-no-recursion): REGEX_NESTING
static tm_status regex_take_group(regex_reading *in)
{
    if (in->nesting == REGEX_NESTING)
        return regex_fault(in, "it is nested too deeply");
    in->nesting++;
    if (in->at[0] == '?' && in->at[1] != ':')
        return regex_fault(in, "of (? only (?: is known");
    in->at += in->at[0] == '?' ? 2 : 0;
    TM_TRY(regex_take_ways(in));
    if (*in->at != ')')
        return regex_fault(in, "a ( has no )");
    in->at++;
    in->nesting--;
    return TM_OK;
}

/* A character that stands for itself. */
static tm_status regex_take_letter(regex_reading *in, char c)
{
    regex_set set = {{false}};
    if ((uint8_t)c >= 128)
        return regex_fault(in, "it takes letters of ASCII alone");
    set.has[(uint8_t)c] = true;
    return regex_add_set(in, &set);
}

static tm_status regex_take_any(const regex_reading *in)
{
    regex_set set = {{false}};
    for (uint32_t c = 0; c <= REGEX_OTHERS; c++)
        set.has[c] = c != '\n';
    return regex_add_set(in, &set);
}

// NOLINTNEXTLINE(misc-no-recursion): REGEX_NESTING
static tm_status regex_take_atom(regex_reading *in)
{
    regex_set set = {{false}};
    char c = *in->at++;
    switch (c) {
    case '^': return regex_add(in, (regex_step){.what = REGEX_AT_BEGIN});
    case '$': return regex_add(in, (regex_step){.what = REGEX_AT_END});
    case '.': return regex_take_any(in);
    case '[': return regex_take_brackets(in);
    case '(': return regex_take_group(in);
    case '\\': TM_TRY(regex_take_escape(in, &set, &c)); return regex_add_set(in, &set);
    case '*':
    case '+':
    case '?':
    case '{': in->at--; return regex_fault(in, "nothing stands there that can be repeated");
    default: return regex_take_letter(in, c);
    }
}

static bool regex_number(uint32_t *out, const char **at)
{
    const char *from = *at;
    for (*out = 0; **at >= '0' && **at <= '9' && *at - from < 4; (*at)++)
        *out = *out * 10 + (uint32_t)(**at - '0');
    return *at > from;
}

/* {2} {2,} {,3} {2,3} * + ?; false: there is none, or it is none. */
static bool regex_take_counts(regex_reading *in, uint32_t *least, uint32_t *most)
{
    const char c = *in->at;
    *least = c == '+';
    *most = c == '?' ? 1 : UINT32_MAX;
    if (c == '*' || c == '+' || c == '?') {
        in->at++;
        return true;
    }
    if (c != '{')
        return false;
    const char *at = in->at + 1;
    const bool has_least = regex_number(least, &at);
    const bool range = *at == ',';
    at += range;
    const bool has_most = range && regex_number(most, &at);
    if (!has_most)
        *most = range ? UINT32_MAX : *least;
    if (*at != '}' || (!has_least && !has_most) || *least > *most)
        return false;
    in->at = at + 1;
    return true;
}

/* The steps from `from` on, once more. */
static tm_status regex_copy(const regex_reading *in, const regex_step *steps, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++)
        TM_TRY(regex_add(in, steps[i]));
    return TM_OK;
}

/* What stands from `from` on is repeated: as often as must be, then as often as may be. */
static tm_status regex_repeat(const regex_reading *in, uint32_t from, uint32_t least, uint32_t most)
{
    tmi_regex *out = in->out;
    const uint32_t num = out->num - from;
    const bool endless = most == UINT32_MAX;
    regex_step *once = tmi_arena_alloc(in->arena, num + 1, sizeof(*once));
    if (!once)
        return tmi_fail_memory(in->error, num * sizeof(*once), "expression");
    memcpy(once, out->steps + from, num * sizeof(*once));
    out->num = from;
    for (uint32_t i = 0; i < least; i++)
        TM_TRY(regex_copy(in, once, num));
    for (uint32_t i = least; i < (endless ? least + 1 : most); i++) {
        TM_TRY(regex_add(in, (regex_step){.what = REGEX_SPLIT, .to = 1, .also = (int32_t)num + 1 + endless}));
        TM_TRY(regex_copy(in, once, num));
        if (endless)
            TM_TRY(regex_add(in, (regex_step){.what = REGEX_JUMP, .to = -(int32_t)num - 1}));
    }
    return TM_OK;
}

// NOLINTNEXTLINE(misc-no-recursion): REGEX_NESTING
static tm_status regex_take_row(regex_reading *in)
{
    while (*in->at && *in->at != '|' && *in->at != ')') {
        const uint32_t from = in->out->num;
        uint32_t least, most;
        TM_TRY(regex_take_atom(in));
        if (regex_take_counts(in, &least, &most)) {
            TM_TRY(regex_repeat(in, from, least, most));
            in->at += *in->at == '?'; /* the shortest first: whether something fits is the same */
        }
        if (*in->at && strchr("*+?{", *in->at))
            return regex_fault(in, "nothing stands there that can be repeated");
    }
    return TM_OK;
}

/* a|b|c */
// NOLINTNEXTLINE(misc-no-recursion): REGEX_NESTING
static tm_status regex_take_ways(regex_reading *in)
{
    const uint32_t from = in->out->num;
    TM_TRY(regex_take_row(in));
    if (*in->at != '|')
        return TM_OK;
    const int32_t num = (int32_t)(in->out->num - from);
    in->at++;
    TM_TRY(regex_insert(in, from, (regex_step){.what = REGEX_SPLIT, .to = 1, .also = num + 2}));
    const uint32_t jump = in->out->num;
    TM_TRY(regex_add(in, (regex_step){.what = REGEX_JUMP}));
    if (in->nesting == REGEX_NESTING)
        return regex_fault(in, "it is nested too deeply");
    in->nesting++;
    TM_TRY(regex_take_ways(in));
    in->nesting--;
    in->out->steps[jump].to = (int32_t)(in->out->num - jump);
    return TM_OK;
}

tm_status tmi_regex_read(tmi_regex **out, const char *text, tmi_arena *arena, tm_error *error)
{
    tmi_regex *regex = tmi_arena_alloc(arena, 1, sizeof(*regex));
    *out = regex;
    if (!regex)
        return tmi_fail_memory(error, sizeof(*regex), "expression");
    regex->num = 0;
    regex_reading in = {.out = regex, .at = text, .arena = arena, .error = error};
    TM_TRY(regex_take_ways(&in));
    return *in.at ? regex_fault(&in, "a ) has no (") : regex_add(&in, (regex_step){.what = REGEX_FITS});
}

/* ------------------------------------------------------------------------------------------------- asking */

/* The steps at which the ways are; `seen` says which of them are in the list of this character. */
typedef struct regex_ways {
    uint32_t num, steps[REGEX_STEPS];
    bool seen[REGEX_STEPS];
} regex_ways;

typedef struct regex_asking {
    regex_ways now, next;
    uint32_t open[2 * REGEX_STEPS]; /* steps that are to be followed */
} regex_asking;

/* Follows a step up to those that take a character. True: the end was reached. */
static bool regex_follow(regex_asking *asking, regex_ways *ways, const tmi_regex *regex, uint32_t step,
                         bool at_begin, bool at_end)
{
    uint32_t num = 0;
    for (asking->open[num++] = step; num;) {
        step = asking->open[--num];
        const regex_step *at = &regex->steps[step];
        if (ways->seen[step])
            continue;
        ways->seen[step] = true;
        if (at->what == REGEX_FITS)
            return true;
        if (at->what == REGEX_TAKE)
            ways->steps[ways->num++] = step;
        if (at->what == REGEX_SPLIT)
            asking->open[num++] = step + (uint32_t)at->also;
        if (at->what == REGEX_SPLIT || at->what == REGEX_JUMP)
            asking->open[num++] = step + (uint32_t)at->to;
        if ((at->what == REGEX_AT_BEGIN && at_begin) || (at->what == REGEX_AT_END && at_end))
            asking->open[num++] = step + 1;
    }
    return false;
}

static bool regex_at_end(const char *text)
{
    return !text[0] || (text[0] == '\n' && !text[1]);
}

static bool regex_fits(regex_asking *asking, const tmi_regex *regex, const char *text)
{
    const char *at = text;
    size_t left = strlen(text);
    if (regex_follow(asking, &asking->now, regex, 0, true, regex_at_end(text)))
        return true;
    while (*at && asking->now.num) {
        const uint8_t c = (uint8_t)*at;
        const size_t step = c < 128 ? 1 : tmi_utf8_step(at, left);
        at += step ? step : 1;
        left -= step ? step : 1;
        memset(&asking->next, 0, sizeof(asking->next));
        for (uint32_t i = 0; i < asking->now.num; i++) {
            const uint32_t way = asking->now.steps[i];
            if (regex->steps[way].set->has[c < 128 ? c : REGEX_OTHERS] &&
                regex_follow(asking, &asking->next, regex, way + 1, false, regex_at_end(at)))
                return true;
        }
        asking->now = asking->next;
    }
    return false;
}

tm_status tmi_regex_ask(bool *fits, const tmi_regex *regex, const char *text, const tm_allocator *allocator,
                        tm_error *error)
{
    regex_asking *asking = tmi_calloc(allocator, 1, sizeof(*asking));
    *fits = false;
    if (!asking)
        return tmi_fail_memory(error, sizeof(*asking), "expression");
    *fits = regex_fits(asking, regex, text);
    tmi_free(allocator, asking, 1, sizeof(*asking));
    return TM_OK;
}

/* SPDX-License-Identifier: Zlib */
/*
 * Reads DDNet's files of rules: lines, statements, words, as the editor takes them, and a finding for all
 * that it swallows without a word. What a statement does to rules that are being read stands here; the
 * marks and conditions that the editor adds afterwards are made in rules_file.c.
 */
#include "automap.h"

typedef struct rules_line {
    const char *text, *end;
    uint32_t number;
    int64_t offset; /* in the file */
} rules_line;

typedef struct rules_reader {
    tmi_draft *draft;
    bool old; /* TM_AUTOMAP_DDNET_16 */
    rules_line line;
    bool rule_is_old; /* the current rule stands before a [ or NewRun */
    bool ignored;     /* the editor makes nothing of the line */
    tmi_scan rest;    /* of the line: words that are not read */
    tmi_rule_text to; /* without an output nothing is written */
    bool wrote;       /* a line was written ... */
    bool blank, note; /* ... and the last one was empty, or a comment */
} rules_reader;

static tmi_spot_of spot_at(const rules_reader *r, const char *at)
{
    const int64_t column = at - r->line.text;
    return (tmi_spot_of){r->line.number, (uint32_t)(column + 1), r->line.offset + column};
}

/* A finding of the current line. */
#define FIND(r, id, at, ...) \
    tmi_automap_find((r)->draft->findings, TM_FINDING_##id, spot_at(r, at), __VA_ARGS__)

/* A word in a message: its size (at most so many bytes) and its bytes, for "%.*s". Used more than once. */
enum { SHOWN_WORD = 40 };
#define WORD(word) (int)((word).size < SHOWN_WORD ? (word).size : SHOWN_WORD), (word).text

static tmi_scan rest_of_line(const rules_reader *r, const char *at)
{
    return (tmi_scan){at, r->line.end};
}

/* Steps over so many blank-separated words, to the beginning of the next one or the end of the line. */
static void step_words(tmi_scan *at, unsigned num)
{
    for (tmi_scan_blanks(at); num > 0 && at->at < at->end; num--) {
        while (at->at < at->end && !tmi_is_blank(*at->at))
            at->at++;
        tmi_scan_blanks(at);
    }
}

/* Words that nobody reads. They do no harm, but their author may think that they are read. */
static void find_rest(rules_reader *r, tmi_scan rest)
{
    tmi_scan_blanks(&rest);
    r->rest = rest;
    if (rest.at < rest.end)
        FIND(r, RULE_REST_UNREAD, rest.at, "'%.*s' and what follows is not read",
             WORD(((tmi_word){rest.at, (size_t)(rest.end - rest.at)})));
}

static bool scan_number(int32_t *out, rules_reader *r, tmi_scan *scan)
{
    bool wrapped;
    tmi_scan_blanks(scan);
    const char *at = scan->at;
    if (!tmi_scan_int(out, &wrapped, scan))
        return false;
    if (wrapped)
        FIND(r, RULE_NUMBER_RANGE, at, "'%.*s' does not fit into 32 bits and is read as %d",
             WORD(((tmi_word){at, (size_t)(scan->at - at)})), (int)*out);
    return true;
}

static uint8_t flag_of(tmi_word word)
{
    return tmi_word_is(word, "XFLIP")    ? TM_TILE_FLIP_X
           : tmi_word_is(word, "YFLIP")  ? TM_TILE_FLIP_Y
           : tmi_word_is(word, "ROTATE") ? TM_TILE_ROTATE
                                         : 0;
}

/* -------------------------------------------------------------------------------------------- statements */

/* Each is handed what stands behind its first word. */

/* Without the beginning of a character at its end, of which the rest was cut off. */
static size_t whole_characters(const char *text, size_t size)
{
    size_t last = size;
    while (last > 0 && ((uint8_t)text[last - 1] & 0xc0) == 0x80)
        last--;
    if (last > 0 && tmi_utf8_step(text + last - 1, size - last + 1) != size - last + 1)
        return last - 1;
    return size;
}

static tm_status read_config(rules_reader *r, tmi_scan rest)
{
    size_t size = (size_t)(rest.end - rest.at);
    if (size == 0 || rest.end[-1] != ']')
        FIND(r, RULE_NAME_CUT, rest.at, "no ] ends the line: the name loses its last byte");
    size -= size > 0;
    if (size > TMI_WORD_SIZE) {
        size = TMI_WORD_SIZE;
        FIND(r, RULE_NAME_CUT, rest.at, "the name is longer than %d bytes and is cut there", TMI_WORD_SIZE);
    }
    r->rule_is_old = true;
    return tmi_draft_add_config(r->draft, rest.at, whole_characters(rest.at, size), TM_AUTOMAP_RULES,
                                r->line.number);
}

static tm_status read_pass(rules_reader *r, tmi_scan rest)
{
    find_rest(r, rest);
    r->rule_is_old = true;
    return tmi_draft_add_pass(r->draft, r->line.number);
}

static tm_status read_index_statement(rules_reader *r, tmi_scan rest)
{
    tm_automap_rule *rule;
    TM_TRY(tmi_draft_add_rule(&rule, r->draft));
    r->rule_is_old = false;
    rule->line = r->line.number;
    rule->column = 1;
    const char *from = rest.at;
    const bool has_number = scan_number(&rule->index, r, &rest);
    if (!has_number)
        FIND(r, RULE_NUMBER_MISSING, from, "no number of a tile follows; it is taken as 0");
    else if (rule->index < 0 || rule->index >= TM_TILE_INDICES)
        FIND(r, RULE_NUMBER_RANGE, from, "tile %d is written as tile %d", (int)rule->index,
             rule->index & (TM_TILE_INDICES - 1));
    for (int i = 0; i < 3 && has_number; i++) {
        const tmi_word word = tmi_scan_word(&rest);
        const uint8_t flag = flag_of(word);
        rule->flags |= flag;
        if (word.size && !flag)
            FIND(r, RULE_WORD_UNKNOWN, word.text, "'%.*s' is none of XFLIP, YFLIP, ROTATE and is skipped",
                 WORD(word));
    }
    find_rest(r, rest);
    return TM_OK;
}

static tm_status read_random(rules_reader *r, tmi_scan rest)
{
    float value;
    tmi_draft_rule *of = tmi_draft_last(&r->draft->rules);
    tmi_scan_blanks(&rest);
    const char *from = rest.at;
    if (!tmi_scan_float(&value, &rest)) {
        FIND(r, RULE_NUMBER_MISSING, from, "no number follows: the line is ignored");
        r->ignored = true;
        return TM_OK;
    }
    if (of->rule.has_random)
        FIND(r, RULE_RANDOM_REPLACED, r->line.text, "it takes the place of the one before of this rule");
    const bool percent = rest.at < rest.end && *rest.at == '%';
    rest.at += percent;
    const float chance = percent ? value / 100.0F : 1.0F / value;
    of->rule.has_random = true;
    of->rule.chance = chance;
    TM_TRY(tmi_draft_add_text(&of->random_text, r->draft, from, (size_t)(rest.at - from)));
    of->random_text++;
    if (chance >= 1 || !(chance > 0))
        FIND(r, RULE_CHANCE_IDLE, from, chance >= 1 ? "the rule always holds" : "the rule never holds");
    find_rest(r, rest);
    if (!percent && r->rest.at < r->rest.end && *r->rest.at == '%')
        FIND(r, RULE_PERCENT_APART, r->rest.at,
             "%% must follow its number at once; this is read as 1 in so many");
    return TM_OK;
}

static int64_t every(int32_t number)
{
    const int64_t wide = number;
    return wide == 0 ? 1 : wide < 0 ? -wide : wide;
}

static tm_status read_modulo(rules_reader *r, tmi_scan rest)
{
    int32_t numbers[4] = {0};
    tm_automap_modulo *modulo;
    const char *from = rest.at;
    for (int i = 0; i < 4; i++) {
        if (!scan_number(&numbers[i], r, &rest)) {
            FIND(r, RULE_NUMBER_MISSING, from, "four numbers must follow; missing ones are taken as 0");
            break;
        }
    }
    TM_TRY(tmi_draft_add(&modulo, r->draft, &r->draft->modulos));
    ((tmi_draft_rule *)tmi_draft_last(&r->draft->rules))->rule.num_modulos++;
    *modulo =
        (tm_automap_modulo){every(numbers[0]), every(numbers[1]), numbers[2], numbers[3], r->line.number};
    find_rest(r, rest);
    return TM_OK;
}

static tm_status read_no_default(rules_reader *r, tmi_scan rest)
{
    find_rest(r, rest);
    ((tmi_draft_rule *)tmi_draft_last(&r->draft->rules))->rule.no_default_rule = true;
    return TM_OK;
}

static tm_status read_no_copy(rules_reader *r, tmi_scan rest)
{
    tm_automap_pass *pass = &((tmi_draft_pass *)tmi_draft_last(&r->draft->passes))->pass;
    find_rest(r, rest);
    pass->no_layer_copy = true;
    pass->no_layer_copy_line = r->line.number;
    return TM_OK;
}

/* ---------------------------------------------------------------------------------- conditions and lists */

typedef struct pos_kind {
    const char *word;
    bool negated, list;
} pos_kind;

static const pos_kind pos_kinds[] = {
    {"EMPTY", false, false},
    {"FULL", true, false},
    {"INDEX", false, true},
    {"NOTINDEX", true, true},
};

/* What is odd about a word of a list. */
static void find_list_word(rules_reader *r, tmi_word word)
{
    if (*word.text == '#')
        find_rest(r, rest_of_line(r, word.text));
    else
        FIND(r, RULE_WORD_UNKNOWN, word.text, "'%.*s' is none of XFLIP, YFLIP, ROTATE, NONE, OR", WORD(word));
}

/*
 * The flags of an entry, from the words behind its number, of which up to four are read. *step is how many
 * words the next entry is away, 0: there is none. Section 3.5 of the format: the first word may be a flag,
 * the next ones further flags, and OR goes on with the list.
 */
static int32_t read_entry_flags(rules_reader *r, tmi_scan at, unsigned *step)
{
    int32_t flags = TM_AUTOMAP_ANY_FLAGS;
    *step = 0;
    for (unsigned i = 0; i < 4; i++) {
        const tmi_word word = tmi_scan_word(&at);
        if (!word.size)
            break;
        if (tmi_word_is(word, "OR")) {
            *step = i + 2;
            break;
        }
        const uint8_t flag = flag_of(word);
        const bool none = i == 0 && tmi_word_is(word, "NONE");
        /* Behind NONE, or behind no flag, only OR counts; as the fourth word nothing but OR does. */
        if (i == 3 || (i > 0 && flags <= 0)) {
            find_rest(r, rest_of_line(r, word.text));
            break;
        }
        if (!flag && !none)
            find_list_word(r, word);
        else
            flags = i == 0 ? flag : flags | flag;
    }
    return flags;
}

static tm_status read_entry(rules_reader *r, tmi_scan at, unsigned *step)
{
    int32_t index;
    const char *from = at.at;
    *step = 0;
    if (!scan_number(&index, r, &at)) {
        FIND(r, RULE_NUMBER_MISSING, from, "a number of a tile is missing; it is taken as 0");
        return tmi_draft_add_entry(r->draft, 0, TM_AUTOMAP_ANY_FLAGS);
    }
    if (index < -1 || index >= TM_TILE_INDICES)
        FIND(r, RULE_NUMBER_RANGE, from, "no layer has a tile %d: this never fits", (int)index);
    const int32_t flags = read_entry_flags(r, at, step);
    return tmi_draft_add_entry(r->draft, index, flags);
}

enum { LIST_WORD = 4 }; /* of the line: Pos X Y INDEX LIST */

static tm_status read_pos_list(rules_reader *r, tmi_scan rest)
{
    tmi_scan at = rest_of_line(r, r->line.text);
    unsigned step = LIST_WORD;
    tmi_scan_blanks(&rest);
    step_words(&at, step);
    if (at.at != rest.at)
        FIND(r, RULE_LIST_SHIFTED, at.at,
             "the list is read from the fifth word of the line, '%.*s', since words are not apart",
             WORD(((tmi_word){at.at, (size_t)(at.end - at.at)})));
    do {
        TM_TRY(read_entry(r, at, &step));
        step_words(&at, step);
    } while (step);
    return TM_OK;
}

static void widen_config(tm_automap_config *config, int32_t x, int32_t y)
{
    config->start_x = x < config->start_x ? x : config->start_x;
    config->start_y = y < config->start_y ? y : config->start_y;
    config->end_x = x > config->end_x ? x : config->end_x;
    config->end_y = y > config->end_y ? y : config->end_y;
}

static const pos_kind *find_pos_kind(tmi_word word)
{
    for (size_t i = 0; i < TMI_COUNT_OF(pos_kinds); i++)
        if (tmi_word_is(word, pos_kinds[i].word))
            return &pos_kinds[i];
    return NULL;
}

static tm_status read_pos(rules_reader *r, tmi_scan rest)
{
    int32_t x, y;
    tm_automap_condition *condition;
    const char *from = rest.at;
    if (!scan_number(&x, r, &rest) || !scan_number(&y, r, &rest)) {
        FIND(r, RULE_NUMBER_MISSING, from, "two numbers must follow: the line is ignored");
        r->ignored = true;
        return TM_OK;
    }
    const tmi_word word = tmi_scan_word(&rest);
    const pos_kind *kind = find_pos_kind(word);
    if (!kind) {
        FIND(r, RULE_KIND_UNKNOWN, word.text,
             "'%.*s' is none of EMPTY, FULL, INDEX, NOTINDEX: the line is ignored", WORD(word));
        r->ignored = true;
        return TM_OK;
    }
    TM_TRY(tmi_draft_add_condition(&condition, r->draft));
    condition->x = x;
    condition->y = y;
    condition->negated = kind->negated;
    condition->of_words = !kind->list;
    condition->line = r->line.number;
    condition->column = 1;
    widen_config(&((tmi_draft_config *)tmi_draft_last(&r->draft->configs))->config, x, y);
    if (kind->list)
        return read_pos_list(r, rest);
    find_rest(r, rest);
    return tmi_draft_add_entry(r->draft, 0, TM_AUTOMAP_ANY_FLAGS);
}

/* ----------------------------------------------------------------------------------------- writing again */

/* What was read last, as one writes it. */

static void write_config(rules_reader *r)
{
    const tmi_draft_config *config = tmi_draft_last(&r->draft->configs);
    tmi_put_name(&r->to, (const char *)r->draft->texts.items + config->name);
}

static void write_pass(rules_reader *r)
{
    tmi_put_rules(&r->to, "NewRun\n");
}

static void write_index_line(rules_reader *r)
{
    tmi_put_index(&r->to, &((tmi_draft_rule *)tmi_draft_last(&r->draft->rules))->rule);
}

static void write_pos(rules_reader *r)
{
    const tmi_draft_condition *condition = tmi_draft_last(&r->draft->conditions);
    const tm_automap_entry *entries = r->draft->entries.items;
    tmi_put_condition(&r->to, &condition->condition, entries + condition->first_entry);
}

static void write_random(rules_reader *r)
{
    const tmi_draft_rule *rule = tmi_draft_last(&r->draft->rules);
    const char *text = (const char *)r->draft->texts.items + rule->random_text - 1;
    tmi_put_rules(&r->to, "Random ");
    tmi_put_bytes(&r->to, text, strlen(text));
    tmi_put_rules(&r->to, "\n");
}

static void write_modulo(rules_reader *r)
{
    tmi_put_modulo(&r->to, tmi_draft_last(&r->draft->modulos));
}

static void write_no_default(rules_reader *r)
{
    tmi_put_rules(&r->to, "NoDefaultRule\n");
}

static void write_no_copy(rules_reader *r)
{
    tmi_put_rules(&r->to, "NoLayerCopy\n");
}

/* One at most, and none at the beginning. */
static void write_blank(rules_reader *r)
{
    if (!r->to.output || r->blank || !r->wrote)
        return;
    tmi_put_bytes(&r->to, "\n", 1);
    r->blank = true;
    r->note = false;
}

/* Without blanks at both ends, and with a # in front. */
static void write_comment(rules_reader *r, tmi_scan text)
{
    tmi_scan_blanks(&text);
    while (text.end > text.at && tmi_is_blank(text.end[-1]))
        text.end--;
    if (text.at == text.end)
        return;
    r->wrote = r->note = true;
    r->blank = false;
    tmi_put_bytes(&r->to, "# ", *text.at == '#' ? 0 : 2);
    tmi_put_bytes(&r->to, text.at, (size_t)(text.end - text.at));
    tmi_put_bytes(&r->to, "\n", 1);
}

/* ------------------------------------------------------------------------------------------------- lines */

/* What must have been there before. */
typedef enum needs { NEEDS_NOTHING, NEEDS_CONFIG, NEEDS_RULE } needs;

typedef struct statement {
    const char *text;
    needs needs;
    bool is_new; /* DDNet 18.4 and later */
    bool apart;  /* begins a part of the file */
    tm_status (*read)(rules_reader *r, tmi_scan rest);
    void (*write)(rules_reader *r);
} statement;

/* The first one that a line begins with counts. */
static const statement statements[] = {
    {"[", NEEDS_NOTHING, false, true, read_config, write_config},
    {"NewRun", NEEDS_CONFIG, false, true, read_pass, write_pass},
    {"Index", NEEDS_CONFIG, false, false, read_index_statement, write_index_line},
    {"Pos", NEEDS_RULE, false, false, read_pos, write_pos},
    {"Random", NEEDS_RULE, false, false, read_random, write_random},
    {"Modulo", NEEDS_RULE, true, false, read_modulo, write_modulo},
    {"NoDefaultRule", NEEDS_RULE, false, false, read_no_default, write_no_default},
    {"NoLayerCopy", NEEDS_CONFIG, false, false, read_no_copy, write_no_copy},
};

static const statement *find_statement(const rules_reader *r, const char *at)
{
    for (size_t i = 0; i < TMI_COUNT_OF(statements); i++) {
        const size_t size = strlen(statements[i].text);
        if ((size_t)(r->line.end - at) >= size && memcmp(at, statements[i].text, size) == 0 &&
            !(statements[i].is_new && r->old))
            return &statements[i];
    }
    return NULL;
}

static bool has_what_it_needs(const rules_reader *r, needs what)
{
    return what == NEEDS_NOTHING || (what == NEEDS_CONFIG && r->draft->configs.num) ||
           (what == NEEDS_RULE && r->draft->rules.num);
}

/* What the editor makes of the place and the spelling of a statement. */
static void find_oddities(rules_reader *r, const statement *of, const char *behind)
{
    if (of->needs == NEEDS_RULE && r->rule_is_old) {
        const tmi_draft_rule *rule = tmi_draft_last(&r->draft->rules);
        FIND(r, RULE_STALE, r->line.text, "'%s' belongs to the rule of line %u: no Index stands between",
             of->text, (unsigned)rule->rule.line);
    }
    if (of->needs != NEEDS_NOTHING && behind < r->line.end && !tmi_is_blank(*behind)) {
        tmi_scan at = rest_of_line(r, r->line.text);
        const tmi_word word = tmi_scan_word(&at);
        FIND(r, RULE_PREFIX, r->line.text, "'%.*s' counts as '%s', with which it begins", WORD(word),
             of->text);
    }
}

static tm_status read_statement(rules_reader *r)
{
    const statement *found = find_statement(r, r->line.text);
    tmi_scan at = rest_of_line(r, r->line.text);
    if (!found) {
        const tmi_word word = tmi_scan_word(&at);
        FIND(r, RULE_LINE_IGNORED, r->line.text, "'%.*s' begins no statement: the line is ignored",
             WORD(word));
        r->ignored = true;
        return TM_OK;
    }
    if (!has_what_it_needs(r, found->needs)) {
        FIND(r, RULE_OUT_OF_PLACE, r->line.text, "'%s' stands before the first %s: the line is ignored",
             found->text, found->needs == NEEDS_CONFIG ? "[name]" : "Index");
        r->ignored = true;
        return TM_OK;
    }
    const char *behind = r->line.text + strlen(found->text);
    find_oddities(r, found, behind);
    TM_TRY(found->read(r, rest_of_line(r, behind)));
    if (!r->to.output || r->ignored)
        return TM_OK;
    /* Configurations and runs stand apart, with the comment that is above them. */
    if (!r->note && found->apart)
        write_blank(r);
    write_comment(r, r->rest);
    found->write(r);
    r->wrote = true;
    r->blank = r->note = false;
    return TM_OK;
}

/* Whether the editor drops the line for its bytes. */
static bool is_dropped(rules_reader *r)
{
    const size_t size = (size_t)(r->line.end - r->line.text);
    if (r->old)
        return false;
    for (const char *c = r->line.text; c < r->line.end; c++) {
        if ((uint8_t)*c < 0x20 && *c != '\t') {
            FIND(r, RULE_LINE_BYTES, c, "the line has the control character %d and is dropped", *c);
            return true;
        }
    }
    if (tmi_utf8_valid(r->line.text, size))
        return false;
    FIND(r, RULE_LINE_BYTES, r->line.text, "the line is not UTF-8 and is dropped");
    return true;
}

/* A line that the editor takes for a comment. */
static void read_comment(rules_reader *r)
{
    tmi_scan at = rest_of_line(r, r->line.text);
    tmi_scan_blanks(&at);
    const statement *found = at.at > r->line.text ? find_statement(r, at.at) : NULL;
    r->ignored = true;
    if (found)
        FIND(r, RULE_INDENTED, at.at, "'%s' stands behind a blank: the line is taken for a comment",
             found->text);
}

static tm_status read_line(rules_reader *r)
{
    r->ignored = false;
    r->rest = (tmi_scan){r->line.end, r->line.end};
    if (r->line.text == r->line.end) {
        write_blank(r);
        return r->to.status;
    }
    if (is_dropped(r))
        return TM_OK;
    if (*r->line.text == '#' || *r->line.text == ' ' || *r->line.text == '\t')
        read_comment(r);
    else
        TM_TRY(read_statement(r));
    if (r->to.output && r->ignored)
        write_comment(r, rest_of_line(r, r->line.text));
    return r->to.status;
}

/* Sets line.end, and returns where the next line begins. */
static const char *end_rules_line(rules_reader *r, const char *file_end)
{
    const char *at = r->line.text;
    while (at < file_end && *at != '\n' && !(r->old && *at == '\r'))
        at++;
    r->line.end = at;
    const char *next = at < file_end ? at + 1 : at;
    if (r->old) {
        if (at < file_end && *at == '\r' && next < file_end && *next == '\n')
            next++;
        const char *nul = memchr(r->line.text, 0, (size_t)(at - r->line.text));
        if (nul) {
            FIND(r, RULE_LINE_BYTES, nul, "a NUL byte ends the line: what follows is not read");
            r->line.end = nul;
        }
    } else if (at < file_end && at > r->line.text && at[-1] == '\r') {
        r->line.end--;
    }
    return next;
}

/* Whether the file begins as an object of JSON does. */
static bool looks_like_json(const char *bytes, size_t size)
{
    size_t i = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < size && (tmi_is_blank(bytes[i]) || bytes[i] == '\r' || bytes[i] == '\n'))
        i++;
    return i < size && bytes[i] == '{';
}

tm_status tmi_read_rules(tmi_draft *draft, const char *bytes, size_t size, const tm_output *output)
{
    rules_reader r = {
        .draft = draft, .old = draft->dialect == TM_AUTOMAP_DDNET_16, .to = {output, TM_OK, draft->error}};
    const char *nul = size && !r.old ? memchr(bytes, 0, size) : NULL;
    if (nul)
        return tmi_fail(draft->error, TM_ERROR_DAMAGED, nul - bytes,
                        "the editor refuses a file of rules with a NUL byte");
    const char *at = bytes, *end = size ? bytes + size : bytes;
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    for (r.line.number = 1; at < end; r.line.number++) {
        r.line.text = at;
        r.line.offset = at - bytes;
        at = end_rules_line(&r, end);
        TM_TRY(read_line(&r));
    }
    if (!draft->configs.num)
        tmi_automap_find(draft->findings, TM_FINDING_RULES_EMPTY, (tmi_spot_of){0, 0, -1},
                         looks_like_json(bytes, size)
                             ? "the file has no configuration: it looks like rules of Teeworlds 0.7, whose "
                               "files are called NAME.json"
                             : "the file has no configuration: a line [name] is missing");
    return TM_OK;
}

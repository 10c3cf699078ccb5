/* SPDX-License-Identifier: Zlib */
/*
 * The statements of DDNet's rules files: their effect on the rules being read, findings for mistakes that the
 * editor ignores silently. write_rules.c writes them, and rules_draft.c adds what the editor adds afterwards.
 */
#include "rules_reader.h"

/* Skips `num` words, to the next one or the end of the line. */
static void step_words(tmi_scan *scan, unsigned num)
{
    for (tmi_scan_blanks(scan); num > 0 && scan->cursor < scan->end; num--) {
        while (scan->cursor < scan->end && !tmi_is_blank(*scan->cursor))
            scan->cursor++;
        tmi_scan_blanks(scan);
    }
}

/* Reports words that the editor does not read: their author may think that they have an effect. */
static void find_rest(tmi_rules_reader *r, tmi_scan rest)
{
    tmi_scan_blanks(&rest);
    r->rest = rest;
    if (rest.cursor < rest.end)
        TMI_REPORT_RULE(r, RULE_REST_UNREAD, rest.cursor, "'%.*s' and what follows is not read",
                        TMI_WORD(((tmi_word){rest.cursor, (size_t)(rest.end - rest.cursor)})));
}

static bool scan_number(int32_t *out, tmi_rules_reader *r, tmi_scan *scan)
{
    bool wrapped;
    tmi_scan_blanks(scan);
    const char *cursor = scan->cursor;
    if (!tmi_scan_int(out, &wrapped, scan))
        return false;
    if (wrapped)
        TMI_REPORT_RULE(r, RULE_NUMBER_RANGE, cursor, "'%.*s' does not fit into 32 bits and is read as %d",
                        TMI_WORD(((tmi_word){cursor, (size_t)(scan->cursor - cursor)})), (int)*out);
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

/* Each function reads one statement, from behind its first word. */

static tm_status read_config(tmi_rules_reader *r, tmi_scan rest)
{
    size_t size = (size_t)(rest.end - rest.cursor);
    if (size == 0 || rest.end[-1] != ']')
        TMI_REPORT_RULE(r, RULE_NAME_CUT, rest.cursor, "no ] ends the line: the name loses its last byte");
    size -= size > 0;
    if (size > TMI_WORD_SIZE) {
        size = TMI_WORD_SIZE;
        TMI_REPORT_RULE(r, RULE_NAME_CUT, rest.cursor, "the name is longer than %d bytes and is cut there",
                        TMI_WORD_SIZE);
    }
    /* A UTF-8 sequence that the end of the name cuts off is left out. */
    size_t last = size;
    while (last > 0 && ((uint8_t)rest.cursor[last - 1] & 0xc0) == 0x80)
        last--;
    if (last > 0 && tmi_utf8_step(rest.cursor + last - 1, size - last + 1) != size - last + 1)
        size = last - 1;
    r->rule_is_old = true;
    return tmi_draft_add_config(r->draft, rest.cursor, size, TM_AUTOMAP_RULES, r->line.number);
}

static tm_status read_pass(tmi_rules_reader *r, tmi_scan rest)
{
    find_rest(r, rest);
    r->rule_is_old = true;
    return tmi_draft_add_pass(r->draft, r->line.number);
}

static tm_status read_index_statement(tmi_rules_reader *r, tmi_scan rest)
{
    tm_automap_rule *rule;
    TM_TRY(tmi_draft_add_rule(&rule, r->draft));
    r->rule_is_old = false;
    rule->line = r->line.number;
    rule->column = 1;
    const char *start = rest.cursor;
    const bool has_number = scan_number(&rule->index, r, &rest);
    if (!has_number)
        TMI_REPORT_RULE(r, RULE_NUMBER_MISSING, start, "no number of a tile follows; it is taken as 0");
    else if (rule->index < 0 || rule->index >= TM_TILE_INDICES)
        TMI_REPORT_RULE(r, RULE_NUMBER_RANGE, start, "tile %d is written as tile %d", (int)rule->index,
                        rule->index & (TM_TILE_INDICES - 1));
    for (int i = 0; i < 3 && has_number; i++) {
        const tmi_word word = tmi_scan_word(&rest);
        const uint8_t flag = flag_of(word);
        rule->flags |= flag;
        if (word.size && !flag)
            TMI_REPORT_RULE(r, RULE_WORD_UNKNOWN, word.text,
                            "'%.*s' is none of XFLIP, YFLIP, ROTATE and is skipped", TMI_WORD(word));
    }
    find_rest(r, rest);
    return TM_OK;
}

static tm_status read_random(tmi_rules_reader *r, tmi_scan rest)
{
    float value;
    tm_automap_rule *rule = tmi_draft_last(&r->draft->lists->rules);
    tmi_scan_blanks(&rest);
    const char *start = rest.cursor;
    if (!tmi_scan_float(&value, &rest)) {
        TMI_REPORT_RULE(r, RULE_NUMBER_MISSING, start, "no number follows: the line is ignored");
        r->ignored = true;
        return TM_OK;
    }
    if (rule->has_random)
        TMI_REPORT_RULE(r, RULE_RANDOM_REPLACED, r->line.text,
                        "it takes the place of the one before of this rule");
    const bool percent = rest.cursor < rest.end && *rest.cursor == '%';
    rest.cursor += percent;
    const float chance = percent ? value / 100.0F : 1.0F / value;
    rule->has_random = true;
    rule->chance = chance;
    TM_TRY(tmi_arena_text(&rule->random_text, &r->draft->rules->texts, start, (size_t)(rest.cursor - start),
                          "a chance", r->draft->error));
    if (chance >= 1 || !(chance > 0))
        TMI_REPORT_RULE(r, RULE_CHANCE_IDLE, start,
                        chance >= 1 ? "the rule always holds" : "the rule never holds");
    find_rest(r, rest);
    if (!percent && r->rest.cursor < r->rest.end && *r->rest.cursor == '%')
        TMI_REPORT_RULE(r, RULE_PERCENT_APART, r->rest.cursor,
                        "%% must follow its number at once; this is read as 1 in so many");
    return TM_OK;
}

static int64_t every(int32_t number)
{
    const int64_t wide = number;
    return wide == 0 ? 1 : wide < 0 ? -wide : wide;
}

static tm_status read_modulo(tmi_rules_reader *r, tmi_scan rest)
{
    int32_t numbers[4] = {0};
    tm_automap_modulo *modulo;
    const char *start = rest.cursor;
    for (int i = 0; i < 4; i++) {
        if (!scan_number(&numbers[i], r, &rest)) {
            TMI_REPORT_RULE(r, RULE_NUMBER_MISSING, start,
                            "four numbers must follow; missing ones are taken as 0");
            break;
        }
    }
    TM_TRY(tmi_draft_add(&modulo, r->draft, &r->draft->lists->modulos));
    ((tm_automap_rule *)tmi_draft_last(&r->draft->lists->rules))->num_modulos++;
    *modulo =
        (tm_automap_modulo){every(numbers[0]), every(numbers[1]), numbers[2], numbers[3], r->line.number};
    find_rest(r, rest);
    return TM_OK;
}

static tm_status read_no_default(tmi_rules_reader *r, tmi_scan rest)
{
    find_rest(r, rest);
    ((tm_automap_rule *)tmi_draft_last(&r->draft->lists->rules))->no_default_rule = true;
    return TM_OK;
}

static tm_status read_no_copy(tmi_rules_reader *r, tmi_scan rest)
{
    tm_automap_pass *pass = tmi_draft_last(&r->draft->lists->passes);
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

/*
 * The flags of an entry, from the words behind its number, of which up to four are read. *step is how many
 * words the next entry is away, 0: there is none. Section 3.5 of the format: the first word may be a flag,
 * the next ones further flags, and OR goes on with the list.
 */
static int32_t read_entry_flags(tmi_rules_reader *r, tmi_scan scan, unsigned *step)
{
    int32_t flags = TM_AUTOMAP_ANY_FLAGS;
    *step = 0;
    for (unsigned i = 0; i < 4; i++) {
        const tmi_word word = tmi_scan_word(&scan);
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
            find_rest(r, tmi_rest_of_line(r, word.text));
            break;
        }
        if (flag || none)
            flags = i == 0 ? flag : flags | flag;
        else if (*word.text == '#')
            find_rest(r, tmi_rest_of_line(r, word.text));
        else
            TMI_REPORT_RULE(r, RULE_WORD_UNKNOWN, word.text,
                            "'%.*s' is none of XFLIP, YFLIP, ROTATE, NONE, OR", TMI_WORD(word));
    }
    return flags;
}

static tm_status read_pos_list(tmi_rules_reader *r, tmi_scan rest)
{
    tmi_scan scan = tmi_rest_of_line(r, r->line.text);
    unsigned step = 4; /* words: Pos X Y INDEX */
    tmi_scan_blanks(&rest);
    step_words(&scan, step);
    if (scan.cursor != rest.cursor)
        TMI_REPORT_RULE(r, RULE_LIST_SHIFTED, scan.cursor,
                        "the list is read from the fifth word of the line, '%.*s', since words are not apart",
                        TMI_WORD(((tmi_word){scan.cursor, (size_t)(scan.end - scan.cursor)})));
    do {
        int32_t index, flags = TM_AUTOMAP_ANY_FLAGS;
        tmi_scan behind = scan;
        step = 0;
        if (scan_number(&index, r, &behind)) {
            if (index < -1 || index >= TM_TILE_INDICES)
                TMI_REPORT_RULE(r, RULE_NUMBER_RANGE, scan.cursor, "no layer has a tile %d: this never fits",
                                (int)index);
            flags = read_entry_flags(r, behind, &step);
        } else {
            TMI_REPORT_RULE(r, RULE_NUMBER_MISSING, scan.cursor,
                            "a number of a tile is missing; it is taken as 0");
        }
        TM_TRY(tmi_draft_add_entry(r->draft, index, flags));
        step_words(&scan, step);
    } while (step);
    return TM_OK;
}

static tm_status read_pos(tmi_rules_reader *r, tmi_scan rest)
{
    int32_t x, y;
    tm_automap_condition *condition;
    const char *start = rest.cursor;
    if (!scan_number(&x, r, &rest) || !scan_number(&y, r, &rest)) {
        TMI_REPORT_RULE(r, RULE_NUMBER_MISSING, start, "two numbers must follow: the line is ignored");
        r->ignored = true;
        return TM_OK;
    }
    const tmi_word word = tmi_scan_word(&rest);
    const pos_kind *kind = NULL;
    for (size_t i = 0; i < TMI_COUNT_OF(pos_kinds) && !kind; i++)
        if (tmi_word_is(word, pos_kinds[i].word))
            kind = &pos_kinds[i];
    if (!kind) {
        TMI_REPORT_RULE(r, RULE_KIND_UNKNOWN, word.text,
                        "'%.*s' is none of EMPTY, FULL, INDEX, NOTINDEX: the line is ignored",
                        TMI_WORD(word));
        r->ignored = true;
        return TM_OK;
    }
    TM_TRY(tmi_draft_add_condition(&condition, r->draft, x, y));
    condition->negated = kind->negated;
    condition->of_words = !kind->list;
    condition->line = r->line.number;
    condition->column = 1;
    if (kind->list)
        return read_pos_list(r, rest);
    find_rest(r, rest);
    return tmi_draft_add_entry(r->draft, 0, TM_AUTOMAP_ANY_FLAGS);
}

/* --------------------------------------------------------------------------------------------- the table */

#define LAST(kind) offsetof(tmi_rule_lists, kind)

/* A line is the first statement of the table that it begins with. */
static const tmi_statement statements[] = {
    {"[", TMI_NEEDS_NOTHING, false, true, read_config, tmi_put_config, LAST(configs)},
    {"NewRun", TMI_NEEDS_CONFIG, false, true, read_pass, NULL, 0},
    {"Index", TMI_NEEDS_CONFIG, false, false, read_index_statement, tmi_put_index, LAST(rules)},
    {"Pos", TMI_NEEDS_RULE, false, false, read_pos, tmi_put_condition, LAST(conditions)},
    {"Random", TMI_NEEDS_RULE, false, false, read_random, tmi_put_random, LAST(rules)},
    {"Modulo", TMI_NEEDS_RULE, true, false, read_modulo, tmi_put_modulo, LAST(modulos)},
    {"NoDefaultRule", TMI_NEEDS_RULE, false, false, read_no_default, NULL, 0},
    {"NoLayerCopy", TMI_NEEDS_CONFIG, false, false, read_no_copy, NULL, 0},
};

const tmi_statement *tmi_statement_at(const tmi_rules_reader *r, const char *cursor)
{
    for (size_t i = 0; i < TMI_COUNT_OF(statements); i++) {
        const size_t size = strlen(statements[i].text);
        if ((size_t)(r->line.end - cursor) >= size && memcmp(cursor, statements[i].text, size) == 0 &&
            !(statements[i].is_new && r->old))
            return &statements[i];
    }
    return NULL;
}

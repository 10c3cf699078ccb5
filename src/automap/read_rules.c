/* SPDX-License-Identifier: Zlib */
/*
 * Reads DDNet's rules files line by line, as the editor does: splits and drops lines, and checks whether a
 * statement is allowed there; and reformats them. The statements are in read_statements.c.
 */
#include "rules_reader.h"

/* ----------------------------------------------------------------------------------------- written again */

/* Writes an empty line: never two in a row, and none at the beginning. */
static void write_blank(tmi_rules_reader *r)
{
    if (!r->writer.output || r->blank || !r->wrote)
        return;
    tmi_out_raw(&r->writer, "\n", 1);
    r->blank = true;
    r->note = false;
}

/* Writes a line as a comment: without blanks at both ends, with # in front. */
static void write_comment(tmi_rules_reader *r, tmi_scan text)
{
    tmi_scan_blanks(&text);
    while (text.end > text.cursor && tmi_is_blank(text.end[-1]))
        text.end--;
    if (text.cursor == text.end)
        return;
    r->wrote = r->note = true;
    r->blank = false;
    tmi_out_raw(&r->writer, "# ", *text.cursor == '#' ? 0 : 2);
    tmi_out_raw(&r->writer, text.cursor, (size_t)(text.end - text.cursor));
    tmi_out_raw(&r->writer, "\n", 1);
}

/* ------------------------------------------------------------------------------------------------- lines */

static tm_status read_statement(tmi_rules_reader *r)
{
    const tmi_statement *found = tmi_statement_at(r, r->line.text);
    const tmi_rule_lists *lists = r->draft->lists;
    tmi_scan scan = tmi_rest_of_line(r, r->line.text);
    const tmi_word word = tmi_scan_word(&scan);
    if (!found) {
        TMI_REPORT_RULE(r, RULE_LINE_IGNORED, r->line.text, "'%.*s' begins no statement: the line is ignored",
                        TMI_WORD(word));
        r->ignored = true;
        return TM_OK;
    }
    if ((found->needs == TMI_NEEDS_CONFIG && !lists->configs.num) ||
        (found->needs == TMI_NEEDS_RULE && !lists->rules.num)) {
        TMI_REPORT_RULE(r, RULE_OUT_OF_PLACE, r->line.text,
                        "'%s' stands before the first %s: the line is ignored", found->text,
                        found->needs == TMI_NEEDS_CONFIG ? "[name]" : "Index");
        r->ignored = true;
        return TM_OK;
    }
    if (found->needs == TMI_NEEDS_RULE && r->rule_is_old)
        TMI_REPORT_RULE(r, RULE_STALE, r->line.text,
                        "'%s' belongs to the rule of line %u: no Index stands between", found->text,
                        (unsigned)((const tm_automap_rule *)tmi_draft_last(&lists->rules))->line);
    const char *behind = r->line.text + strlen(found->text);
    if (found->needs != TMI_NEEDS_NOTHING && behind < r->line.end && !tmi_is_blank(*behind))
        TMI_REPORT_RULE(r, RULE_PREFIX, r->line.text, "'%.*s' counts as '%s', with which it begins",
                        TMI_WORD(word), found->text);
    TM_TRY(found->read(r, tmi_rest_of_line(r, behind)));
    if (!r->writer.output || r->ignored)
        return TM_OK;
    /* Configurations and runs stand apart, with the comment that is above them. */
    if (!r->note && found->apart)
        write_blank(r);
    write_comment(r, r->rest);
    if (found->write)
        found->write(&r->writer, tmi_draft_last((const tmi_list *)((const char *)lists + found->list)));
    else
        tmi_put_rules(&r->writer, "%s\n", found->text);
    r->wrote = true;
    r->blank = r->note = false;
    return TM_OK;
}

/* Drops a line that has bytes which are not UTF-8 or control characters, as the editor does. */
static tm_status read_line(tmi_rules_reader *r)
{
    r->ignored = false;
    r->rest = (tmi_scan){r->line.end, r->line.end};
    if (r->line.text == r->line.end) {
        write_blank(r);
        return r->writer.status;
    }
    for (const char *c = r->line.text; c < r->line.end && !r->old; c++) {
        if ((uint8_t)*c < 0x20 && *c != '\t') {
            TMI_REPORT_RULE(r, RULE_LINE_BYTES, c, "the line has the control character %d and is dropped",
                            *c);
            return TM_OK;
        }
    }
    if (!r->old && !tmi_utf8_valid(r->line.text, (size_t)(r->line.end - r->line.text))) {
        TMI_REPORT_RULE(r, RULE_LINE_BYTES, r->line.text, "the line is not UTF-8 and is dropped");
        return TM_OK;
    }
    r->ignored = *r->line.text == '#' || *r->line.text == ' ' || *r->line.text == '\t';
    if (r->ignored) { /* a comment */
        tmi_scan scan = tmi_rest_of_line(r, r->line.text);
        tmi_scan_blanks(&scan);
        const tmi_statement *found = scan.cursor > r->line.text ? tmi_statement_at(r, scan.cursor) : NULL;
        if (found)
            TMI_REPORT_RULE(r, RULE_INDENTED, scan.cursor, "'%s' is indented: the line counts as a comment",
                            found->text);
    } else {
        TM_TRY(read_statement(r));
    }
    if (r->writer.output && r->ignored)
        write_comment(r, tmi_rest_of_line(r, r->line.text));
    return r->writer.status;
}

/* Finds the end of the line, for line.end, and returns the begin of the next one. */
static const char *end_rules_line(tmi_rules_reader *r, const char *file_end)
{
    const char *cursor = r->line.text;
    while (cursor < file_end && *cursor != '\n' && !(r->old && *cursor == '\r'))
        cursor++;
    r->line.end = cursor;
    const char *next = cursor < file_end ? cursor + 1 : cursor;
    if (r->old) {
        if (cursor < file_end && *cursor == '\r' && next < file_end && *next == '\n')
            next++;
        const char *nul = memchr(r->line.text, 0, (size_t)(cursor - r->line.text));
        if (nul) {
            TMI_REPORT_RULE(r, RULE_LINE_BYTES, nul, "a NUL byte ends the line: what follows is not read");
            r->line.end = nul;
        }
    } else if (cursor < file_end && cursor > r->line.text && cursor[-1] == '\r') {
        r->line.end--;
    }
    return next;
}

bool tmi_looks_like_rules(const char *bytes, size_t size)
{
    static const char *const words[] = {"Index", "Pos", "NewRun"};
    const char *file_end = bytes + size;
    for (const char *cursor = bytes; size && cursor < file_end; cursor++) {
        const char *stop = memchr(cursor, '\n', (size_t)(file_end - cursor)), *end = stop ? stop : file_end;
        while (end > cursor && (tmi_is_blank(end[-1]) || end[-1] == '\r'))
            end--;
        const size_t length = (size_t)(end - cursor);
        for (size_t i = 0; i < TMI_COUNT_OF(words); i++)
            if (length >= strlen(words[i]) && memcmp(cursor, words[i], strlen(words[i])) == 0)
                return true;
        if (length > 1 && cursor[0] == '[' && end[-1] == ']' && !memchr(cursor, '"', length))
            return true;
        cursor = stop ? stop : file_end - 1;
    }
    return false;
}

/* Fails at the first NUL byte. In UTF-16, which editors on Windows may save, every other byte is 0. */
static tm_status fail_nul(tmi_draft *draft, const char *bytes, const char *nul)
{
    const uint8_t first = (uint8_t)bytes[0], second = nul > bytes ? (uint8_t)bytes[1] : 0;
    unsigned line = 1;
    for (const char *c = bytes; c < nul; c++)
        line += *c == '\n';
    if ((first == 0xff && second == 0xfe) || (first == 0xfe && second == 0xff) || nul - bytes == 1)
        return tmi_fail(draft->error, TM_ERROR_DAMAGED, -1,
                        "the file is UTF-16, which the editor refuses: save it as UTF-8");
    return tmi_fail(draft->error, TM_ERROR_DAMAGED, nul - bytes,
                    "line %u has a NUL byte, for which the editor refuses the file", line);
}

tm_status tmi_read_rules(tmi_draft *draft, const char *bytes, size_t size, const tm_output *output)
{
    tmi_rules_reader r = {.draft = draft, .old = draft->rules->dialect == TM_AUTOMAP_DDNET_16};
    tm_findings *findings = draft->findings;
    const bool is_json = tmi_looks_like_json(bytes, size);
    tm_status status = TM_OK;
    tmi_out_start(&r.writer, output, draft->error);
    const char *nul = size && !r.old ? memchr(bytes, 0, size) : NULL;
    if (nul)
        return fail_nul(draft, bytes, nul);
    if (is_json && output)
        return tmi_fail(draft->error, TM_ERROR_UNSUPPORTED, -1,
                        "it looks like rules of Teeworlds 0.7, which are JSON, not lines");
    const char *cursor = size ? bytes + tmi_utf8_mark(bytes, size) : bytes,
               *end = size ? bytes + size : bytes;
    draft->findings = is_json ? NULL : findings; /* one for the whole file, not one for each line */
    for (r.line.number = 1; status == TM_OK && cursor < end; r.line.number++) {
        r.line.text = cursor;
        r.line.offset = cursor - bytes;
        cursor = end_rules_line(&r, end);
        status = read_line(&r);
    }
    draft->findings = findings;
    TM_TRY(status);
    if (is_json)
        tmi_automap_report(
            findings, TM_FINDING_RULES_EMPTY, (tmi_spot_of){0, 0, -1},
            "the file has no configuration%s: it looks like rules of Teeworlds 0.7, whose files "
            "are called NAME.json",
            draft->lists->configs.num ? " that anybody wrote" : "");
    else if (!draft->lists->configs.num)
        tmi_automap_report(findings, TM_FINDING_RULES_EMPTY, (tmi_spot_of){0, 0, -1},
                           "the file has no configuration: a line [name] is missing");
    return tmi_out_end(&r.writer);
}

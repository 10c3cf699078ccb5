/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RULES_READER_H
#define TMI_RULES_READER_H
/*
 * A file of DDNet's rules while it is read. read_rules.c goes from line to line; read_statements.c knows the
 * statements, what each does to the rules, and how it is written again.
 */
#include "automap.h"

typedef struct tmi_rules_line {
    const char *text, *end;
    uint32_t number;
    int64_t offset; /* in the file */
} tmi_rules_line;

typedef struct tmi_rules_reader {
    tmi_draft *draft;
    bool old; /* TM_AUTOMAP_DDNET_16 */
    tmi_rules_line line;
    bool rule_is_old; /* the current rule stands before a [ or NewRun */
    bool ignored;     /* the editor makes nothing of the line */
    tmi_scan rest;    /* of the line: words that are not read */
    tmi_out writer;   /* without an output nothing is written */
    bool wrote;       /* a line was written ... */
    bool blank, note; /* ... and the last one was empty, or a comment */
} tmi_rules_reader;

/* What must have been there before. */
typedef enum tmi_needs { TMI_NEEDS_NOTHING, TMI_NEEDS_CONFIG, TMI_NEEDS_RULE } tmi_needs;

typedef struct tmi_statement {
    const char *text; /* with which the line begins */
    tmi_needs needs;
    bool is_new; /* DDNet 18.4 and later */
    bool apart;  /* begins a part of the file */
    /* Takes what stands behind the text. */
    tm_status (*read)(tmi_rules_reader *r, tmi_scan rest);
    /* Writes the last object of a list as people write it; NULL: the text alone. */
    void (*write)(tmi_out *writer, const void *last);
    size_t list; /* offset in tmi_rule_lists */
} tmi_statement;

/* The statement that begins at `cursor` of the current line; NULL: none does. */
const tmi_statement *tmi_statement_at(const tmi_rules_reader *r, const char *cursor);

static inline tmi_spot_of tmi_spot_at(const tmi_rules_reader *r, const char *cursor)
{
    const int64_t column = cursor - r->line.text;
    return (tmi_spot_of){r->line.number, (uint32_t)(column + 1), r->line.offset + column};
}

static inline tmi_scan tmi_rest_of_line(const tmi_rules_reader *r, const char *cursor)
{
    return (tmi_scan){cursor, r->line.end};
}

/* A finding of the current line. */
#define TMI_REPORT_RULE(r, id, at, ...) \
    tmi_automap_report((r)->draft->findings, TM_FINDING_##id, tmi_spot_at(r, at), __VA_ARGS__)

/* A word in a message: its size (at most so many bytes) and its bytes, for "%.*s". Used more than once. */
enum { TMI_SHOWN_WORD = 40 };
#define TMI_WORD(word) (int)((word).size < TMI_SHOWN_WORD ? (word).size : TMI_SHOWN_WORD), (word).text

#endif

/* SPDX-License-Identifier: Zlib */
/*
 * document.c - reads the little Markdown that our documents use: headings, paragraphs, lists, tables, `code`,
 * **strong** and links. Does not know what they say.
 */
#include "help.h"

/* Made of docs/ by the build. */
extern const unsigned char document_findings[], document_lint[], document_addresses[], document_exit_status[];

const cli_document documents[] = {
    {"findings", "all findings of teemap, and what to do about them", document_findings},
    {"lint-rules", "the rules of teemap lint, why they matter, and how to fix findings", document_lint},
    {"addresses", "how teemap names the objects of a map", document_addresses},
    {"exit-status", "what the exit statuses mean", document_exit_status},
    {NULL, NULL, NULL},
};

/* A cell of a table that is shorter than this is printed with the head of its column. */
#define SHORT_CELL 40
#define MAX_CELLS  8

typedef struct span {
    const char *start;
    size_t size;
} span;

typedef struct table {
    span heads[MAX_CELLS];
    size_t num; /* 0: the next row is the head */
} table;

const cli_document *document_find(const char *name)
{
    for (const cli_document *document = documents; document->name; document++)
        if (strcmp(document->name, name) == 0)
            return document;
    return NULL;
}

/* Takes a line without its newline; moves `rest` behind it. */
static span next_line(const char **rest)
{
    const span line = {*rest, strcspn(*rest, "\n")};
    *rest += line.size + ((*rest)[line.size] == '\n');
    return line;
}

static bool begins(span line, const char *prefix)
{
    return line.size >= strlen(prefix) && strncmp(line.start, prefix, strlen(prefix)) == 0;
}

/* Puts text without the marks of code, strong words and links; within code there are no other marks. */
static void put_plain(text *out, span words)
{
    const char *c = words.start, *end = words.start + words.size;
    for (bool code = false; c < end;) {
        const char *close =
            *c == ']' && c + 1 < end && c[1] == '(' ? memchr(c, ')', (size_t)(end - c)) : NULL;
        code ^= *c == '`';
        if (close && !code)
            c = close + 1;
        else if (*c == '*' && c + 1 < end && c[1] == '*' && !code)
            c += 2;
        else if (*c == '`' || (*c == '[' && !code))
            c++;
        else
            text_put(out, c++, 1);
    }
}

static span trim_span(span words)
{
    while (words.size && words.start[0] == ' ') {
        words.start++;
        words.size--;
    }
    while (words.size && words.start[words.size - 1] == ' ')
        words.size--;
    return words;
}

/* Splits a row, "| a | b |", into cells; returns their number. */
static size_t split_row(span cells[MAX_CELLS], span line)
{
    const char *end = line.start + line.size, *cursor = line.start + 1;
    size_t num = 0;
    while (num < MAX_CELLS && cursor < end) {
        const char *bar = memchr(cursor, '|', (size_t)(end - cursor));
        bar = bar ? bar : end;
        cells[num++] = trim_span((span){cursor, (size_t)(bar - cursor)});
        cursor = bar + 1;
    }
    return num;
}

/* Puts all cells but the first, which is the term that they explain. */
static void put_meaning(text *out, const table *rows, const span *cells, size_t num)
{
    const size_t before = out->size;
    for (size_t i = 1; i < num; i++) {
        if (!cells[i].size)
            continue;
        const bool sentence = cells[i].start[cells[i].size - 1] == '.';
        const bool brief = num > 2 && cells[i].size < SHORT_CELL && !sentence;
        const bool ended = out->size > before && out->bytes[out->size - 1] == '.';
        if (out->size > before)
            text_string(out, ended ? " " : brief ? ", " : ". ");
        if (brief) {
            text_string(out, ended ? "(" : "");
            put_plain(out, rows->heads[i]);
            text_string(out, ": ");
        }
        put_plain(out, cells[i]);
        text_string(out, brief && ended ? ")" : "");
    }
}

/* Takes a row of a table: keeps the head, skips the line below it, and puts an item. */
static void put_row(text *out, table *rows, span line)
{
    span cells[MAX_CELLS];
    const size_t num = split_row(cells, line);
    if (!rows->num) {
        memcpy(rows->heads, cells, sizeof(cells));
        rows->num = num;
    } else if (!begins(line, "|--") && num) {
        put_plain(out, cells[0]);
        text_put(out, "\t", 1);
        put_meaning(out, rows, cells, num);
        text_put(out, "\n", 1);
    }
}

static const char CODE[] = "    "; /* begins lines that stay as they are */

/* Puts a line of a paragraph: a paragraph becomes one line, and so does an item of a list. */
static void put_paragraph_line(text *out, span line)
{
    const bool follows = out->size && out->bytes[out->size - 1] != '\n';
    if (!line.size)
        text_string(out, follows ? "\n\n" : "");
    else if (follows)
        text_string(out, begins(line, "- ") || begins(line, CODE) ? "\n" : " ");
    if (begins(line, CODE))
        text_put(out, line.start, line.size);
    else
        put_plain(out, trim_span(line));
}

bool document_next_section(const char **rest, text *title, text *body)
{
    table rows = {.num = 0};
    title->size = body->size = 0;
    if (!**rest)
        return false;
    while (**rest && (**rest != '#' || !title->size)) {
        const span line = next_line(rest);
        if (begins(line, "<!--"))
            continue; /* around tables that are made by the build */
        if (begins(line, "#")) {
            const size_t marks = strspn(line.start, "# ");
            put_plain(title, (span){line.start + marks, line.size - marks});
        } else if (begins(line, "|")) {
            put_row(body, &rows, line);
        } else {
            text_string(body, rows.num && !line.size ? "\n" : "");
            rows.num = 0;
            put_paragraph_line(body, line);
        }
    }
    while (body->size && body->bytes[body->size - 1] == '\n')
        body->size--;
    text_string(body, "\n");
    return true;
}

bool document_explain(const cli_document *document, text *meaning, const char *term)
{
    const char *rest = (const char *)document->markdown;
    const size_t length = strlen(term);
    text title = {0}, body = {0};
    bool found = false;
    while (!found && document_next_section(&rest, &title, &body)) {
        for (const char *cursor = body.bytes; !found && *cursor;) {
            const span line = next_line(&cursor);
            found =
                line.size > length && strncmp(line.start, term, length) == 0 && line.start[length] == '\t';
            if (found)
                text_put(meaning, line.start + length + 1, line.size - length - 1);
        }
    }
    text_release(&title);
    text_release(&body);
    return found;
}

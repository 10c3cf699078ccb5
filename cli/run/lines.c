/* SPDX-License-Identifier: Zlib */
/* lines.c - how paths, errors and findings look as lines for people. Knows neither commands nor runs. */
#include "lines.h"

const char *path_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

const char *path_base(const char *path)
{
    const char *base = path;
    for (; *path; path++)
        if (*path == '/' && path[1])
            base = path + 1;
    return base;
}

void put_about(text *out, const char *path, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    text_lead(out, path_name(path));
    text_print_list(out, format, list);
    va_end(list);
}

void put_note(text *err, const char *path, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    text_string(err, "teemap: ");
    text_lead(err, path_name(path));
    text_print_list(err, format, list);
    va_end(list);
}

void put_trouble(text *err, const char *path, const char *reason)
{
    text_string(err, "teemap: ");
    text_lead(err, path);
    text_print(err, "%s\n", reason);
}

void put_error(text *err, const char *path, const tm_error *error)
{
    const char *subject = error->path[0] ? error->path : path;
    text_string(err, "teemap: ");
    if (subject)
        text_lead(err, subject);
    if (error->place[0])
        text_lead(err, error->place);
    text_safe(err, error->text[0] ? error->text : tm_status_name(error->code));
    if (error->offset >= 0 && error->code != TM_ERROR_IO)
        text_print(err, " (at byte %" PRId64 ")", error->offset);
    text_string(err, "\n");
}

void put_severity(text *out, tm_severity severity)
{
    enum { RED = 31, YELLOW = 33 };
    const bool painted = out->color && severity != TM_SEVERITY_NOTE;
    if (painted)
        text_print(out, "\033[%dm", severity == TM_SEVERITY_ERROR ? RED : YELLOW);
    text_string(out, tm_severity_name(severity));
    text_string(out, painted ? "\033[0m" : "");
}

static void put_finding_words(text *out, const char *path, const tm_finding *finding, const char *id)
{
    if (path)
        text_lead(out, path);
    if (finding->place[0])
        text_lead(out, finding->place);
    put_severity(out, finding->severity);
    text_string(out, ": ");
    text_safe(out, finding->text);
    text_print(out, " [%s]", id);
    if (finding->count > 1)
        text_print(out, " (%" PRIu64 " times)", finding->count);
}

void put_named_finding(text *out, const char *path, const tm_finding *finding, const char *id)
{
    put_finding_words(out, path, finding, id);
    text_string(out, "\n");
}

/* Findings of several objects that are printed as one line: their texts differ in numbers only. */
typedef struct equal_findings {
    const tm_finding *first;
    size_t num;
    char places[128]; /* of the others, the first few */
} equal_findings;

enum { MAX_GROUPS = 256 }; /* further findings have a line each */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool are_equal(const tm_finding *a, const tm_finding *b)
{
    const char *x = a->text, *y = b->text;
    if (a->id != b->id || !a->place[0] || !b->place[0])
        return false;
    if (a->id == TM_FINDING_OBJECT_LOST || a->id == TM_FINDING_OBJECT_DAMAGED ||
        a->id == TM_FINDING_LOST_TILES)
        return strcmp(x, y) == 0; /* the numbers are the loss */
    for (;; x++, y++) {
        while (is_digit(*x))
            x++;
        while (is_digit(*y))
            y++;
        if (*x != *y || !*x)
            return *x == *y;
    }
}

static size_t group_findings(equal_findings *groups, const tm_findings *findings, tm_severity least, bool all)
{
    size_t num = 0;
    for (size_t i = 0; i < findings->num; i++) {
        const tm_finding *finding = &findings->list[i];
        size_t at = all || num > MAX_GROUPS ? num : 0;
        if (finding->severity < least)
            continue;
        while (at < num && !are_equal(groups[at].first, finding))
            at++;
        if (at == num)
            groups[num++] = (equal_findings){.first = finding};
        else if (groups[at].num < 4)
            snprintf(groups[at].places + strlen(groups[at].places),
                     sizeof(groups[at].places) - strlen(groups[at].places), "%s%.40s",
                     groups[at].num == 1 ? "" : "; ", groups[at].num == 3 ? "..." : finding->place);
        groups[at].num++;
    }
    return num;
}

size_t put_finding_lines(text *out, const tm_findings *findings, finding_lines lines)
{
    equal_findings *groups = must_alloc(findings->num, sizeof(*groups));
    const size_t num = group_findings(groups, findings, lines.least, lines.all);
    for (size_t i = 0; i < num && i < lines.most; i++) {
        text_string(out, lines.prefix);
        put_finding_words(out, lines.path, groups[i].first, tm_finding_name(groups[i].first->id));
        if (groups[i].num > 1) {
            text_print(out, " (and %zu more: ", groups[i].num - 1);
            text_safe(out, groups[i].places);
            text_string(out, ")");
        }
        text_string(out, "\n");
    }
    free(groups);
    if (num > lines.most) {
        text_string(out, lines.prefix);
        text_safe(out, lines.path);
        text_print(out, ": and %zu more; 'teemap check' lists all\n", num - lines.most);
    }
    return num;
}

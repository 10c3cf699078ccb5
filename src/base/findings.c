/* SPDX-License-Identifier: Zlib */
/*
 * Findings: the list that every reader and checker reports into. Keeps it short (a limit in all,
 * LISTED_PER_ID for each id) and counts what it does not keep, so that a hostile file costs neither memory
 * nor time: each finding is compared with at most LISTED_PER_ID others, found through a small table by id.
 */
#include "base.h"

#include <stdarg.h>

#define LISTED_PER_ID 50

/* Rows of the table, without the gaps that their numbers have. */
enum {
#define PLACE(constant, number, id, strict, game, salvage) ROW_##constant,
    TM_FINDINGS(PLACE)
#undef PLACE
        NUM_ROWS
};

struct tm_findings_index {
    uint32_t num[NUM_ROWS];
    uint32_t at[NUM_ROWS][LISTED_PER_ID]; /* places in the list */
};

struct row {
    tm_finding_id id;
    const char *name;
    char modes[3]; /* by tm_mode: game, strict, salvage; letters of TM_FINDINGS */
};

static const struct row rows[NUM_ROWS] = {
#define ROW(constant, number, id, strict, game, salvage) \
    [ROW_##constant] = {TM_FINDING_##constant, id, {#game[0], #strict[0], #salvage[0]}},
    TM_FINDINGS(ROW)
#undef ROW
};

/* The row of an id; NUM_ROWS for a number that is none. */
static size_t row_of(tm_finding_id id)
{
    switch ((int)id) {
#define CASE(constant, number, name, strict, game, salvage) \
    case number: return ROW_##constant;
        TM_FINDINGS(CASE)
#undef CASE
    default: return NUM_ROWS;
    }
}

const char *tm_finding_name(tm_finding_id id)
{
    const size_t row = row_of(id);
    return row < NUM_ROWS ? rows[row].name : NULL;
}

bool tm_finding_at(size_t index, tm_finding_id *out)
{
    if (!out)
        return false;
    *out = index < NUM_ROWS ? rows[index].id : TM_FINDING_NONE;
    return index < NUM_ROWS;
}

tm_severity tm_finding_severity(tm_finding_id id, tm_mode mode, bool *refuses)
{
    const size_t row = row_of(id);
    char letter = row < NUM_ROWS && (size_t)mode < TMI_COUNT_OF(rows[0].modes) ? rows[row].modes[mode] : 'N';
    if (refuses)
        *refuses = letter == 'R';
    if (letter == 'R' || letter == 'E')
        return TM_SEVERITY_ERROR;
    return letter == 'W' ? TM_SEVERITY_WARNING : TM_SEVERITY_NOTE;
}

const char *tm_severity_name(tm_severity severity)
{
    switch (severity) {
    case TM_SEVERITY_ERROR: return "error";
    case TM_SEVERITY_WARNING: return "warning";
    case TM_SEVERITY_NOTE: return "note";
    }
    return "note";
}

void tm_findings_init(tm_findings *findings, size_t limit, const tm_allocator *allocator)
{
    if (!findings)
        return;
    memset(findings, 0, sizeof(*findings));
    findings->limit = limit;
    findings->allocator = allocator;
}

void tm_findings_release(tm_findings *findings)
{
    if (!findings)
        return;
    tmi_free(findings->allocator, findings->list, findings->capacity, sizeof(*findings->list));
    tmi_free(findings->allocator, findings->index, 1, sizeof(*findings->index));
    tm_findings_init(findings, findings->limit, findings->allocator);
}

static tm_finding *find_equal(const tm_findings *findings, size_t row, const char *address)
{
    const struct tm_findings_index *index = findings->index;
    for (uint32_t i = 0; index && i < index->num[row]; i++) {
        tm_finding *finding = &findings->list[index->at[row][i]];
        if (strcmp(finding->address, address) == 0)
            return finding;
    }
    return NULL;
}

/* Room for one more, or NULL: limits reached or out of memory. */
static tm_finding *new_entry(tm_findings *findings, size_t row)
{
    size_t limit = findings->limit ? findings->limit : 1000;
    if (findings->num >= limit)
        return NULL;
    if (!findings->index)
        findings->index = tmi_calloc(findings->allocator, 1, sizeof(*findings->index));
    if (!findings->index || findings->index->num[row] >= LISTED_PER_ID)
        return NULL;
    if (tmi_grow(findings->allocator, &findings->list, &findings->capacity, findings->num + 1,
                 sizeof(*findings->list), NULL) != TM_OK)
        return NULL;
    findings->index->at[row][findings->index->num[row]++] = (uint32_t)findings->num;
    return &findings->list[findings->num++];
}

/* Not listed itself; the last listed one of its id speaks for it. */
static void count_unlisted(tm_findings *findings, size_t row)
{
    const struct tm_findings_index *index = findings->index;
    findings->unlisted++;
    if (index && index->num[row])
        findings->list[index->at[row][index->num[row] - 1]].count++;
}

static tm_finding *make_entry(tm_findings *findings, size_t row, tm_severity severity)
{
    tm_finding *finding = new_entry(findings, row);
    if (!finding) {
        count_unlisted(findings, row);
        return NULL;
    }
    memset(finding, 0, sizeof(*finding));
    finding->id = rows[row].id;
    finding->severity = severity;
    finding->offset = -1;
    finding->count = 1;
    return finding;
}

tm_finding *tmi_finding_new(tm_findings *findings, tm_finding_id id, tm_severity severity)
{
    const size_t row = row_of(id);
    if (!findings || row == NUM_ROWS)
        return NULL;
    if (severity == TM_SEVERITY_ERROR)
        findings->errors++;
    return make_entry(findings, row, severity);
}

void tm_findings_add(tm_findings *findings, tm_mode mode, tm_finding_id id, int64_t offset,
                     const char *address, const char *place, const char *text)
{
    const size_t row = row_of(id);
    if (!findings || row == NUM_ROWS)
        return;
    bool refuses;
    tm_severity severity = tm_finding_severity(id, mode, &refuses);
    if (severity == TM_SEVERITY_ERROR)
        findings->errors++;
    findings->refusals += refuses;

    char short_address[sizeof(findings->list->address)];
    tmi_format(short_address, sizeof(short_address), "%s", address ? address : "");
    tmi_tidy_line(short_address);
    tm_finding *finding = find_equal(findings, row, short_address);
    if (finding) {
        finding->count++;
        return;
    }
    finding = make_entry(findings, row, severity);
    if (!finding)
        return;
    finding->refuses = refuses;
    finding->offset = offset;
    memcpy(finding->address, short_address, sizeof(short_address));
    tmi_format(finding->place, sizeof(finding->place), "%s", place ? place : "");
    tmi_format(finding->text, sizeof(finding->text), "%s", text ? text : "");
    tmi_tidy_line(finding->place);
    tmi_tidy_line(finding->text);
}

void tmi_find(tm_findings *findings, tm_mode mode, tm_finding_id id, int64_t offset, const char *address,
              const char *place, const char *format, ...)
{
    if (!findings)
        return;
    char text[TM_ERROR_TEXT_SIZE];
    va_list list;
    va_start(list, format);
    tmi_vformat(text, sizeof(text), format, list);
    va_end(list);
    tm_findings_add(findings, mode, id, offset, address, place, text);
}

/* SPDX-License-Identifier: Zlib */
/*
 * Findings: the list that every reader and checker reports to. Limits its size in total and per id, and
 * counts what it does not keep, so that a hostile file costs neither memory nor time. Equal findings are
 * found with a table by id and address.
 */
#include "base.h"

#include <stdarg.h>

enum { USUAL_LIMIT = 1000, MIN_PER_ID = 50, IDS_PER_LIMIT = USUAL_LIMIT / MIN_PER_ID };

/* Rows of the table, without the gaps that their numbers have. */
enum {
#define PLACE(constant, number, id, strict, game, salvage) ROW_##constant,
    TM_FINDINGS(PLACE)
#undef PLACE
        NUM_ROWS
};

struct tm_findings_index {
    uint32_t num[NUM_ROWS];  /* listed, of each id */
    uint32_t last[NUM_ROWS]; /* place of the last one */
    uint32_t *slots;         /* by id and address: place + 1 of what was added; 0: none */
    size_t num_slots;        /* a power of two, more than twice what is in them */
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

bool tm_finding_at(tm_finding_id *out, size_t index)
{
    if (!out)
        return false;
    *out = index < NUM_ROWS ? rows[index].id : TM_FINDING_NONE;
    return index < NUM_ROWS;
}

tm_severity tmi_finding_severity(tm_finding_id id, tm_mode mode, bool *refuses)
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
    if (findings->index)
        tmi_free(findings->allocator, findings->index->slots, findings->index->num_slots,
                 sizeof(*findings->index->slots));
    tmi_free(findings->allocator, findings->index, 1, sizeof(*findings->index));
    tm_findings_init(findings, findings->limit, findings->allocator);
}

/* The slot of a finding in the table, or the free one where it would be. The table must have slots. */
static uint32_t *finding_slot(const tm_findings *findings, size_t row, const char *address)
{
    const struct tm_findings_index *index = findings->index;
    for (size_t i = (size_t)tmi_hash_text(tmi_hash_number(TMI_HASH, (int64_t)row), address);; i++) {
        uint32_t *slot = &index->slots[i & (index->num_slots - 1)];
        const tm_finding *finding = *slot ? &findings->list[*slot - 1] : NULL;
        if (!finding || (finding->id == rows[row].id && strcmp(finding->address, address) == 0))
            return slot;
    }
}

static bool has_index(tm_findings *findings)
{
    if (!findings->index)
        findings->index = tmi_calloc(findings->allocator, 1, sizeof(*findings->index));
    return findings->index;
}

/* Makes room for one more finding in the table; false: out of memory. */
static bool reserve_slot(tm_findings *findings)
{
    if (!has_index(findings))
        return false;
    struct tm_findings_index *index = findings->index;
    uint32_t *const old = index->slots;
    const size_t num_old = index->num_slots, num = num_old ? num_old * 2 : 64;
    if (findings->num + 1 < num_old / 2)
        return true;
    uint32_t *slots = tmi_calloc(findings->allocator, num, sizeof(*slots));
    if (!slots)
        return false;
    index->slots = slots;
    index->num_slots = num;
    for (size_t i = 0; old && findings->list && i < num_old; i++)
        if (old[i])
            *finding_slot(findings, row_of(findings->list[old[i] - 1].id),
                          findings->list[old[i] - 1].address) = old[i];
    tmi_free(findings->allocator, old, num_old, sizeof(*old));
    return true;
}

/* Counts a finding that is not listed, at the last listed one with its id. */
static void count_unlisted(tm_findings *findings, size_t row)
{
    const struct tm_findings_index *index = findings->index;
    findings->unlisted++;
    if (index && findings->list && index->num[row])
        findings->list[index->last[row]].count++;
}

/* A new entry of the list; NULL: a limit is reached, or there is no memory, and it counts as unlisted. */
static tm_finding *make_entry(tm_findings *findings, size_t row, tm_severity severity)
{
    const size_t limit = findings->limit ? findings->limit : USUAL_LIMIT, share = limit / IDS_PER_LIMIT;
    if (findings->num >= limit || findings->num >= UINT32_MAX - 1 || !has_index(findings) ||
        findings->index->num[row] >= (share > MIN_PER_ID ? share : MIN_PER_ID) ||
        tmi_grow(findings->allocator, &findings->list, &findings->capacity, findings->num + 1,
                 sizeof(*findings->list), NULL) != TM_OK) {
        count_unlisted(findings, row);
        return NULL;
    }
    tm_finding *finding = &findings->list[findings->num];
    *finding = (tm_finding){.id = rows[row].id, .severity = severity, .offset = -1, .count = 1};
    findings->index->num[row]++;
    findings->index->last[row] = (uint32_t)findings->num++;
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
    tm_severity severity = tmi_finding_severity(id, mode, &refuses);
    if (severity == TM_SEVERITY_ERROR)
        findings->errors++;
    findings->refusals += refuses;

    char short_address[sizeof(findings->list->address)];
    tmi_format(short_address, sizeof(short_address), "%s", address ? address : "");
    tmi_tidy_line(short_address);
    if (findings->index && findings->index->num_slots) {
        const uint32_t *equal = finding_slot(findings, row, short_address);
        if (*equal) {
            findings->list[*equal - 1].count++;
            return;
        }
    }
    if (!reserve_slot(findings)) {
        count_unlisted(findings, row);
        return;
    }
    tm_finding *finding = make_entry(findings, row, severity);
    if (!finding)
        return;
    *finding_slot(findings, row, short_address) = (uint32_t)findings->num;
    finding->refuses = refuses;
    finding->offset = offset;
    memcpy(finding->address, short_address, sizeof(short_address));
    tmi_format(finding->place, sizeof(finding->place), "%s", place ? place : "");
    tmi_format(finding->text, sizeof(finding->text), "%s", text ? text : "");
    tmi_tidy_line(finding->place);
    tmi_tidy_line(finding->text);
}

bool tm_findings_damaged(const tm_findings *findings)
{
    static const tm_finding_id damages[] = {TM_FINDING_DATA_CUT,        TM_FINDING_DATA_BROKEN,
                                            TM_FINDING_DATA_SHORT,      TM_FINDING_DATA_CHECKSUM,
                                            TM_FINDING_BAD_DATA_OFFSET, TM_FINDING_BAD_DATA_SIZE};
    for (size_t i = 0; findings && i < findings->num; i++)
        for (size_t k = 0; k < TMI_COUNT_OF(damages); k++)
            if (findings->list[i].id == damages[k])
                return true;
    return false;
}

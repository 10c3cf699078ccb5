/* SPDX-License-Identifier: Zlib */
/*
 * What is not read of two files and differs, as findings; and what a merge does not have of it. So that
 * everything that compares or merges maps can tell it in the same words.
 */
#include "mapfile.h"

#include "../datafile/datafile.h"

static bool report_change(void *ctx, const tm_unknown_change *change)
{
    /* without an address, as several of them may have the same */
    tm_finding *finding = tmi_finding_new(ctx, TM_FINDING_UNREAD_DIFFERS, TM_SEVERITY_WARNING);
    if (finding)
        tm_unknown_describe(change, finding->text, sizeof(finding->text));
    return true;
}

tm_status tm_mapfile_report_unread(tm_findings *findings, const tm_map *before, const tm_map *after,
                                   const tm_job *job, tm_error *error)
{
    return tm_mapfile_compare_unknown(before, after, report_change, findings, job, error);
}

static bool count_change(void *ctx, const tm_unknown_change *change)
{
    (void)change;
    ++*(uint64_t *)ctx;
    return true;
}

static tm_status count_left_out(uint64_t *num, const tm_map *merged, const tm_map *base, const tm_map *side,
                                const tm_job *job, tm_error *error)
{
    uint64_t made = 0, left = 0;
    const bool is_based = base && tm_mapfile_datafile(base);
    if (is_based)
        TM_TRY(tm_mapfile_compare_unknown(base, side, count_change, &made, job, error));
    if (made || !is_based)
        TM_TRY(tm_mapfile_compare_unknown(merged, side, count_change, &left, job, error));
    *num = left && is_based ? made : left;
    return TM_OK;
}

tm_status tm_mapfile_report_left_out(uint64_t *num_ours, uint64_t *num_theirs, tm_findings *findings,
                                     const tm_map *merged, const tm_map *base, const tm_map *ours,
                                     const tm_map *theirs, const tm_job *job, tm_error *error)
{
    static const char *const names[] = {"ours", "theirs"};
    const tm_map *const sides[] = {ours, theirs};
    uint64_t *const nums[] = {num_ours, num_theirs};
    uint64_t counts[2] = {0, 0};
    for (int i = 0; i < 2; i++)
        if (nums[i])
            *nums[i] = 0;
    TM_TRY(tmi_need(merged, "merged", error));
    for (int i = 0; i < 2; i++) {
        TM_TRY(tmi_need(sides[i], names[i], error));
        TM_TRY(count_left_out(&counts[i], merged, base, sides[i], job, error));
    }
    for (int i = 0; i < 2; i++) {
        tm_finding *finding =
            counts[i] ? tmi_finding_new(findings, TM_FINDING_UNREAD_LEFT_OUT, TM_SEVERITY_WARNING) : NULL;
        if (finding)
            tmi_format(finding->text, sizeof(finding->text),
                       "%s: %llu part%s that teemap does not read, and that differ%s left out", names[i],
                       (unsigned long long)counts[i], counts[i] == 1 ? "" : "s",
                       counts[i] == 1 ? "s, is" : ", are");
        if (nums[i])
            *nums[i] = counts[i];
    }
    return TM_OK;
}

/* SPDX-License-Identifier: Zlib */
/*
 * check_result.c - judges a file by what was said while it was loaded, by its data, and by the model's own
 * rules.
 */
#include "check_result.h"

void judge_file(verdict *v, loaded *file, const tm_job *job)
{
    tm_status status = file->status;
    *v = (verdict){.error = file->error};
    if (!status)
        status = tm_mapfile_check_data(file->map, job, &file->findings, &v->error);
    v->unreadable = status == TM_ERROR_IO || status == TM_ERROR_MEMORY || status == TM_ERROR_LIMIT ||
                    status == TM_ERROR_USAGE;
    v->refused = status && !v->unreadable;
    if (!status)
        v->invalid = tm_map_verify(file->map, &v->error) != TM_OK;
}

const char *verdict_name(const verdict *v, const tm_findings *findings)
{
    return v->unreadable          ? "unreadable"
           : v->refused           ? "refused"
           : v->invalid           ? "invalid"
           : findings->errors > 0 ? "errors"
           : findings->num > 0    ? "findings"
                                  : "fine";
}

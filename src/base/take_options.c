/* SPDX-License-Identifier: Zlib */
/*
 * Reads all option structs, and has the defaults of limits and jobs. A caller may have been compiled with
 * other headers than the library: `size`, the first field of each option struct, says how much the caller
 * knows of it:
 *
 *   SIZE               MEANING                            RESULT
 *   0                  the caller forgot to set it        TM_ERROR_USAGE
 *   below the known    the caller's headers are older     the fields behind it have their defaults
 *   the known          the same headers
 *   above the known    the caller's headers are newer     fine while all that is unknown here is zero, which
 *                                                         means its default; else TM_ERROR_USAGE
 */
#include "base.h"

#include <stdalign.h>

tm_status tmi_options_take(void *out, size_t out_size, const void *options, const char *name, tm_error *error)
{
    enum { MOST = 4096 }; /* no struct of options is larger: such a size was never set */
    const uint8_t *bytes = options;
    size_t size = out_size, zero = out_size;
    memset(out, 0, out_size);
    if (options)
        memcpy(&size, options, sizeof(size));
    if (size == 0) {
        char upper[64]; /* the names of all structs fit */
        tmi_format(upper, sizeof(upper), "%s", name);
        for (char *cursor = upper; *cursor; cursor++)
            if (*cursor >= 'a' && *cursor <= 'z')
                *cursor = (char)(*cursor - 'a' + 'A');
        return tmi_fail(error, TM_ERROR_USAGE, -1, "%s.size is 0, set it by %s_INIT", name, upper);
    }
    while (zero < size && size <= MOST && !bytes[zero])
        zero++;
    if (zero < size)
        return tmi_fail(
            error, TM_ERROR_USAGE, -1,
            "%s.size is %llu, this library knows %llu bytes: it is older than the caller's headers", name,
            (unsigned long long)size, (unsigned long long)out_size);
    size = size < out_size ? size : out_size;
    /* the size of a struct is a multiple of its alignment; an odd size would cut a field */
    if (options)
        memcpy(out, options, size - size % alignof(size_t));
    memcpy(out, &out_size, sizeof(out_size));
    return TM_OK;
}

static void fill(uint64_t *field, uint64_t standard)
{
    if (*field == 0)
        *field = standard;
}

tm_status tmi_limits_take(tm_limits *out, const tm_limits *limits, tm_error *error)
{
    const uint64_t mebi = 1 << 20, gibi = 1 << 30;
    TM_TRY(tmi_options_take(out, sizeof(*out), limits, "tm_limits", error));
    fill(&out->file_bytes, gibi);
    fill(&out->items, mebi);
    fill(&out->item_bytes, 256 * mebi);
    fill(&out->blocks, mebi);
    fill(&out->block_bytes, gibi);
    fill(&out->unpacked_bytes, 2 * gibi);
    return TM_OK;
}

tm_status tmi_job_take(tm_job *out, const tm_job *job, tm_error *error)
{
    TM_TRY(tmi_options_take(out, sizeof(*out), job, "tm_job", error));
    fill(&out->memory_budget, (uint64_t)1 << 30);
    return TM_OK;
}

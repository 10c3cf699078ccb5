/* SPDX-License-Identifier: Zlib */
/*
 * Makes a file again of what was kept of it and of the contents of its blocks, which are packed as they were.
 */
#include "sidecar.h"

#include "../codec/codec.h"

#include <teemap/jobs.h>

typedef struct remaking {
    const tm_allocator *allocator;
    tmi_pool contents;
    uint8_t *rest; /* unpacked */
    size_t rest_size;
    uint32_t num;
    uint8_t *file;
    uint32_t file_size;
    atomic_uint num_gone;  /* blocks whose content is not there */
    atomic_uint num_other; /* blocks whose content is there, and was packed in a way that is not known */
} remaking;

static uint32_t number_of(const remaking *of, uint32_t index, int k)
{
    return tmi_get_u32(of->rest + TMI_KEPT_REST_HEAD + (size_t)index * TMI_KEPT_ROW + (size_t)k * 4);
}

/* A stream of nothing, which can be read, for what is not there any more. */
static void put_nothing(const remaking *of, uint32_t index, atomic_uint *count)
{
    static const uint8_t nothing[8] = {0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01};
    const uint32_t offset = number_of(of, index, 0), size = number_of(of, index, 1);
    memcpy(of->file + offset, nothing, size < sizeof(nothing) ? size : sizeof(nothing));
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}

static bool is_remade(const remaking *of, uint32_t index, const uint8_t *packed, size_t made)
{
    return made == number_of(of, index, 1) && tm_crc32(0, packed, made) == number_of(of, index, 4);
}

static tm_status remake_from(remaking *of, uint32_t index, const void *bytes, size_t size, tm_error *error)
{
    const uint32_t k = number_of(of, index, 5);
    const size_t room = k == TMI_WAY_PLAIN ? size : tmi_way_room(size);
    uint8_t *packed;
    TM_TRY(tmi_reserve(&packed, of->allocator, room, 1, "a packed block", error));
    size_t made = size;
    if (k == TMI_WAY_PLAIN)
        memcpy(packed, bytes, size);
    else
        made = tmi_way_pack(k, packed, room, bytes, size);
    for (uint32_t i = 0; i < TMI_NUM_WAYS && !is_remade(of, index, packed, made); i++)
        if (i != k && tmi_way_begins_alike(i, k)) /* levels that only differ behind the beginning */
            made = tmi_way_pack(i, packed, room, bytes, size);
    if (is_remade(of, index, packed, made))
        memcpy(of->file + number_of(of, index, 0), packed, made);
    else
        put_nothing(of, index, &of->num_other);
    tmi_free(of->allocator, packed, room, 1);
    return TM_OK;
}

static tm_status remake_block(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    remaking *of = ctx;
    const tmi_content *found = tmi_pool_find(&of->contents, number_of(of, index, 2), number_of(of, index, 3));
    tmi_held held;
    (void)worker;
    (void)stop;
    if (!found || number_of(of, index, 5) >= TMI_NUM_WAYS) {
        put_nothing(of, index, found ? &of->num_other : &of->num_gone);
        return TM_OK;
    }
    tm_status status = tmi_pool_get(&held, &of->contents, found->block, error);
    if (status == TM_OK)
        status = remake_from(of, index, held.bytes, (size_t)held.size, error);
    tmi_free(of->allocator, held.own, (size_t)held.own_size, 1);
    return status;
}

static uint64_t weight_to_remake(void *ctx, uint32_t index)
{
    const remaking *of = ctx;
    return number_of(of, index, 2);
}

static tm_status fail_kept(tm_error *error)
{
    return tmi_fail(error, TM_ERROR_DAMAGED, -1, "what was kept of a file is damaged");
}

static tm_status unpack_rest(remaking *of, const uint8_t *kept, size_t size, const tm_limits *limits,
                             tm_error *error)
{
    if (size < TMI_KEPT_HEAD || memcmp(kept, "tmkf", 4) != 0 || tmi_get_u32(kept + 4) != TMI_KEPT_VERSION)
        return fail_kept(error);
    const uint64_t rest_size = tmi_get_u32(kept + 8);
    if (rest_size < TMI_KEPT_REST_HEAD || rest_size / 1032 > size)
        return fail_kept(error);
    if (rest_size > limits->file_bytes)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "what was kept of a file has %llu bytes, and the limit is %llu",
                        (unsigned long long)rest_size, (unsigned long long)limits->file_bytes);
    of->rest = tmi_alloc(of->allocator, (size_t)rest_size, 1);
    tmi_inflater *inflater = tmi_inflater_new(of->allocator);
    tm_status status =
        of->rest && inflater ? TM_OK : tmi_fail_memory(error, rest_size, "what was kept of a file");
    of->rest_size = (size_t)rest_size;
    size_t got;
    if (status == TM_OK && tmi_inflate(inflater, of->rest, of->rest_size, &got, kept + TMI_KEPT_HEAD,
                                       size - TMI_KEPT_HEAD) != TMI_INFLATE_OK)
        status = fail_kept(error);
    tmi_inflater_free(inflater);
    return status;
}

/*
 * That the rows stand in the file, one behind the other, and that there are as many other bytes as it
 * takes.
 */
static tm_status check_kept_rows(remaking *of, const tm_limits *limits, tm_error *error)
{
    uint64_t end = 0, made = 0;
    of->file_size = tmi_get_u32(of->rest);
    of->num = tmi_get_u32(of->rest + 4);
    if (of->num > (of->rest_size - TMI_KEPT_REST_HEAD) / TMI_KEPT_ROW)
        return fail_kept(error);
    for (uint32_t i = 0; i < of->num; i++) {
        const uint64_t offset = number_of(of, i, 0), size = number_of(of, i, 1);
        if (offset < end || offset + size > of->file_size)
            return fail_kept(error);
        end = offset + size;
        made += size;
    }
    if (of->file_size - made != of->rest_size - TMI_KEPT_REST_HEAD - (uint64_t)of->num * TMI_KEPT_ROW)
        return fail_kept(error);
    if (of->file_size > limits->file_bytes)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the file has %lu bytes, and the limit is %llu",
                        (unsigned long)of->file_size, (unsigned long long)limits->file_bytes);
    return TM_OK;
}

static void put_other_bytes(remaking *of)
{
    const uint8_t *from = of->rest + TMI_KEPT_REST_HEAD + (size_t)of->num * TMI_KEPT_ROW;
    uint32_t at = 0;
    for (uint32_t i = 0; i <= of->num; i++) {
        const uint32_t stop = i < of->num ? number_of(of, i, 0) : of->file_size;
        memcpy(of->file + at, from, stop - at);
        from += stop - at;
        at = i < of->num ? stop + number_of(of, i, 1) : stop;
    }
}

static tm_status remake(remaking *of, const tm_job *job, tm_error *error)
{
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = of->allocator,
                             .ctx = of,
                             .num = of->num,
                             .work = remake_block,
                             .weight = weight_to_remake,
                             .memory = weight_to_remake};
    TM_TRY(tmi_reserve_zeroed(&of->file, of->allocator, of->file_size, 1, "a file", error));
    put_other_bytes(of);
    return tm_tasks_run(&pieces, job, error);
}

tm_status tmi_sidecar_apply(tmi_remade *out, const tm_sidecar *sidecar, tm_datafile_writer *contents,
                            const tm_limits *limits, const tm_job *job, tm_error *error)
{
    remaking of = {.allocator = contents->allocator};
    tm_status status = tmi_pool_init(&of.contents, contents, NULL, job, error);
    if (status == TM_OK)
        status = unpack_rest(&of, sidecar->bytes, sidecar->size, limits, error);
    if (status == TM_OK)
        status = check_kept_rows(&of, limits, error);
    if (status == TM_OK)
        status = remake(&of, job, error);
    tmi_free(of.allocator, of.rest, of.rest_size, 1);
    tmi_pool_release(&of.contents);
    if (status == TM_OK)
        *out = (tmi_remade){{of.file, of.file_size, of.file_size, of.allocator}, of.num_gone, of.num_other};
    else
        tmi_free(of.allocator, of.file, of.file_size, 1);
    return status;
}

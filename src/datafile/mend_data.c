/* SPDX-License-Identifier: Zlib */
/*
 * datafile/mend_data.c - single rows of the table of blocks that the zlib streams contradict, in mode salvage
 * (section 1.14). Streams lie one behind the other, and each says where it ends and how much it holds. So a
 * row that leads to no stream is that of the stream behind the one before it, and an unpacked size that is
 * zero, negative, below what the stream holds, or above what its bytes can hold is the stream's own.
 *
 * Must not know what blocks mean. Version 3 has no streams, so its table is believed.
 */
#include "layout.h"

/* What is unpacked at most to hold the table against; rows behind that are believed. */
#define MEASURE_LIMIT ((uint64_t)256 << 20)
/* Rows may all lead to the same stream. The data are walked this often at most. */
#define MEASURE_OVERLAP 4

typedef struct stream {
    int64_t at;
    bool whole;
    uint64_t size; /* unpacked */
    uint64_t end;
} stream;

typedef struct mender {
    tm_datafile *datafile;
    tmi_report *report;
    const uint8_t *data;
    uint64_t have; /* bytes of the data that the file has */
    uint64_t unpacked_left, packed_left;
    tmi_inflater *inflater;
    uint64_t *rows; /* offsets that the table has, sorted */
    size_t num_rows;
    stream told; /* to which the last row led: those that are lost may all lead to one */
} mender;

static const uint8_t *offset_row(const tm_datafile *datafile, uint32_t index)
{
    return datafile->head + datafile->plan.data_offsets_at + (size_t)index * 4;
}

static const uint8_t *size_row(const tm_datafile *datafile, uint32_t index)
{
    return datafile->head + datafile->plan.data_sizes_at + (size_t)index * 4;
}

static stream measure(mender *m, int64_t at)
{
    stream found = {.at = at};
    size_t packed = 0;
    if (m->told.whole && at == m->told.at)
        return m->told;
    if (at < 0 || (uint64_t)at >= m->have)
        return found;
    const uint64_t left = m->have - (uint64_t)at;
    const size_t room = (size_t)(left < m->packed_left ? left : m->packed_left);
    if (room == 0)
        return found;
    found.whole =
        tmi_inflate_measure(m->inflater, &found.size, &packed, m->data + at, room, m->unpacked_left);
    found.end = (uint64_t)at + packed;
    m->unpacked_left -= found.size < m->unpacked_left ? found.size : m->unpacked_left;
    m->packed_left -= packed < m->packed_left ? packed : m->packed_left;
    return found;
}

static bool has_row(const mender *m, uint64_t at)
{
    const size_t place = tmi_search_u64(m->rows, m->num_rows, at);
    return place < m->num_rows && m->rows[place] == at;
}

/* The head becomes one that may be written to. */
static tm_status own_head(tm_datafile *datafile, tm_error *error)
{
    if (datafile->rebuilt_head)
        return TM_OK;
    TM_TRY(tmi_arena_reserve(&datafile->rebuilt_head, &datafile->arena, datafile->head_have, 1, "a new head",
                             error));
    memcpy(datafile->rebuilt_head, datafile->head, datafile->head_have);
    datafile->head = datafile->rebuilt_head;
    datafile->header.canonical = false;
    return TM_OK;
}

static tm_status put_row(const mender *m, const uint8_t *row, uint64_t number, tm_error *error)
{
    const size_t at = (size_t)(row - m->datafile->head);
    TM_TRY(own_head(m->datafile, error));
    tmi_put_u32(m->datafile->rebuilt_head + at, (uint32_t)number);
    return TM_OK;
}

/*
 * How much speaks for a stream as the block of a row. `has_own_place`: no other row leads to it, or it is
 * behind those before it; `follows`: it begins where the one before it ends. What a row says stays if as much
 * speaks for it.
 */
static unsigned worth(const stream *found, int32_t size, bool has_own_place, bool follows)
{
    enum { WHOLE = 4, SIZE = 2, PLACE = 1, FOLLOWS = 1 };
    const bool fits = found->size == (uint64_t)(int64_t)size;
    if (!found->whole)
        return 0;
    return WHOLE + (fits ? SIZE : 0U) + (has_own_place ? PLACE : 0U) + (follows ? FOLLOWS : 0U);
}

/* Whether a stream is there of which the row behind an empty block's knows nothing. */
static bool is_stray(const mender *m, uint32_t index, const stream *found)
{
    return found->whole && (index == m->datafile->num_data ||
                            (uint64_t)tmi_get_u32(size_row(m->datafile, index)) != found->size);
}

/* `next` is where the stream before this block ends, and `last` where it starts; -1: unknown. */
static tm_status mend_row(mender *m, uint32_t index, int64_t *next, int64_t *last, tm_error *error)
{
    const tm_datafile *datafile = m->datafile;
    const int32_t row = tmi_get_i32(offset_row(datafile, index));
    const int32_t size = tmi_get_i32(size_row(datafile, index));
    const int64_t following = index + 1 < datafile->num_data ? tmi_get_i32(offset_row(datafile, index + 1))
                                                             : (int64_t)datafile->plan.data_size;
    stream found = measure(m, row);
    m->told = found;
    if (size == 0 && row == following && row == *next && !is_stray(m, index + 1, &found)) /* an empty block */
        return TM_OK;
    const bool rises = row > *last;
    if (*next >= 0 && *next != row) {
        const stream other = measure(m, *next);
        const bool is_free = !has_row(m, (uint64_t)*next);
        if (worth(&other, size, is_free, true) > worth(&found, size, rises, false)) {
            tmi_report_at(m->report, TM_FINDING_LAYOUT_REBUILT,
                          datafile->plan.data_offsets_at + (uint64_t)index * 4, "data", index,
                          "the table says that the block is at offset %ld, and its stream is at %lld",
                          (long)row, (long long)*next);
            TM_TRY(put_row(m, offset_row(datafile, index), (uint64_t)*next, error));
            found = other;
        }
    }
    *last = found.at > *last ? found.at : *last;
    *next = found.whole ? (int64_t)found.end : -1;
    const bool is_lie =
        size < 0 || found.size > (uint64_t)size || (uint64_t)size > tmi_block_at(datafile, index).most;
    if (!found.whole || !is_lie || found.size == 0 || found.size > INT32_MAX)
        return TM_OK;
    tmi_report_at(m->report, TM_FINDING_LAYOUT_REBUILT, datafile->plan.data_sizes_at + (uint64_t)index * 4,
                  "data", index, "the table says that the block has %ld bytes, and its stream has %llu",
                  (long)size, (unsigned long long)found.size);
    return put_row(m, size_row(datafile, index), found.size, error);
}

static tm_status mend_rows(mender *m, tm_error *error)
{
    const tm_datafile *datafile = m->datafile;
    int64_t next = 0, last = -1;
    m->unpacked_left =
        datafile->limits.unpacked_bytes < MEASURE_LIMIT ? datafile->limits.unpacked_bytes : MEASURE_LIMIT;
    m->packed_left = m->have * MEASURE_OVERLAP;
    for (uint32_t i = 0; i < datafile->num_data; i++) {
        const int32_t row = tmi_get_i32(offset_row(datafile, i));
        if (row >= 0)
            m->rows[m->num_rows++] = (uint64_t)row;
    }
    tmi_sort_u64(m->rows, m->num_rows);
    for (uint32_t i = 0; i < datafile->num_data && m->packed_left && m->unpacked_left; i++)
        TM_TRY(mend_row(m, i, &next, &last, error));
    return TM_OK;
}

tm_status tmi_mend_data_table(tm_datafile *datafile, tm_findings *findings, tm_error *error)
{
    const tm_allocator *allocator = datafile->allocator;
    const tm_input *input = &datafile->input;
    const uint64_t begin = datafile->header.head_size, size = datafile->plan.data_size;
    tmi_report report = {.findings = findings, .mode = datafile->mode};
    mender m = {.datafile = datafile, .report = &report};
    uint8_t *copy = NULL;
    if (datafile->plan.version != 4 || datafile->num_data == 0 || begin >= input->size ||
        datafile->head_have < datafile->plan.data_at)
        return TM_OK;
    m.have = input->size - begin < size ? input->size - begin : size;
    if (m.have == 0 || m.have > SIZE_MAX)
        return TM_OK;
    TM_TRY(
        tmi_reserve(&m.rows, allocator, datafile->num_data, sizeof(*m.rows), "the offsets of blocks", error));
    tm_status status = TM_OK;
    if (!input->memory)
        status = tmi_reserve(&copy, allocator, (size_t)m.have, 1, "the data of a damaged file", error);
    if (copy)
        status = tmi_input_read(input, begin, copy, (size_t)m.have, error);
    m.data = copy ? copy : (const uint8_t *)input->memory + begin;
    if (status == TM_OK && !(m.inflater = tmi_inflater_new(allocator)))
        status = tmi_fail_memory(error, 0, "an inflater");
    if (status == TM_OK)
        status = mend_rows(&m, error);
    tmi_inflater_free(m.inflater);
    tmi_free(allocator, copy, (size_t)m.have, 1);
    tmi_free(allocator, m.rows, datafile->num_data, sizeof(*m.rows));
    tmi_judge_sizes(datafile);
    return status;
}

/* SPDX-License-Identifier: Zlib */
/*
 * datafile/data_table.c - the table of data offsets and unpacked sizes (section 1.6): positions of blocks in
 * valid and invalid tables, and their findings. Positions are computed from the header on each request, in 64
 * bits and clamped to the file, so that nothing is stored per block.
 */
#include "datafile.h"

static int64_t offset_of(const tm_datafile *datafile, uint32_t index)
{
    return tmi_get_i32(datafile->head + datafile->plan.data_offsets_at + (size_t)index * 4);
}

static int64_t size_of(const tm_datafile *datafile, uint32_t index)
{
    return tmi_get_i32(datafile->head + datafile->plan.data_sizes_at + (size_t)index * 4);
}

/*
 * Where the range of a block ends: at the next block's offset. An offset beyond the data counts as the end of
 * the data. When the next block starts earlier, games get a negative length; salvage takes all that follows,
 * since a zlib stream knows its own end.
 */
static int64_t end_of(const tm_datafile *datafile, uint32_t index, int64_t start)
{
    int64_t section = datafile->plan.data_size;
    int64_t next = section;
    if ((uint64_t)index + 1 < datafile->num_data)
        next = offset_of(datafile, index + 1);
    if (next > section || (next < start && datafile->mode == TM_MODE_SALVAGE && datafile->plan.version == 4))
        return section;
    return next;
}

/* A deflate stream yields at most 258 bytes from 2 bits. */
#define DEFLATE_MAX_RATIO 1032

tmi_data_range tmi_block_at(const tm_datafile *datafile, uint32_t index)
{
    tmi_data_range block = {
        .datafile = datafile, .index = index, .offset = datafile->plan.data_at, .bad = true};
    bool packed = datafile->plan.version == 4;
    int64_t size = packed ? size_of(datafile, index) : 0;
    int64_t start = offset_of(datafile, index);
    int64_t end = end_of(datafile, index, start);
    if (size > 0)
        block.announced = (uint64_t)size;
    block.size = datafile->boasts ? 0 : block.announced;
    if (start < 0 || start > (int64_t)datafile->plan.data_size || end < start)
        return block;
    block.bad = size < 0;
    if (!packed)
        block.announced = (uint64_t)(end - start);
    uint64_t file_end = datafile->input.size;
    uint64_t from = datafile->plan.data_at + (uint64_t)start;
    uint64_t to = datafile->plan.data_at + (uint64_t)end;
    block.offset = from;
    if (from < file_end)
        block.packed_size = (to < file_end ? to : file_end) - from;
    block.most = packed ? block.packed_size * DEFLATE_MAX_RATIO : block.packed_size;
    block.size = datafile->boasts && block.announced > block.most ? block.most : block.announced;
    return block;
}

void tmi_judge_sizes(tm_datafile *datafile)
{
    uint64_t air = 0;
    datafile->boasts = true;
    for (uint32_t i = 0; i < datafile->num_data; i++) {
        const tmi_data_range block = tmi_block_at(datafile, i);
        air += block.announced - block.size;
    }
    datafile->boasts = air > TMI_AIR_LIMIT;
}

/* ----------------------------------------------------------------------------------- what there is to say */

/* False if the block does not lie where those before it end. */
static bool check_offset(const tm_datafile *datafile, uint32_t index, tmi_report *report)
{
    uint64_t where = datafile->plan.data_offsets_at + (uint64_t)index * 4;
    int64_t section = datafile->plan.data_size;
    int64_t start = offset_of(datafile, index);
    int64_t next = (uint64_t)index + 1 < datafile->num_data ? offset_of(datafile, index + 1) : section;
    if (start < 0 || start > section) {
        tmi_report_at(report, TM_FINDING_BAD_DATA_OFFSET, where, "data", index,
                      "the block lies outside the data: it is at offset %lld of %lld", (long long)start,
                      (long long)section);
        return false;
    }
    if (index == 0 && start != 0)
        tmi_report_at(report, TM_FINDING_DATA_GAP, where, "data", index,
                      "%lld bytes lie before the first block", (long long)start);
    if (next == start)
        tmi_report_at(report, TM_FINDING_DATA_OVERLAP, where, "data", index,
                      "the block has no bytes of its own: it starts and ends at offset %lld",
                      (long long)start);
    else if (next < start && next >= 0)
        tmi_report_at(report, TM_FINDING_BAD_DATA_OFFSET, where, "data", index,
                      "the next block starts earlier: at offset %lld, this one at %lld", (long long)next,
                      (long long)start);
    return next >= start && (index > 0 || start == 0);
}

bool tmi_check_data_table(const tm_datafile *datafile, tmi_report *report)
{
    const bool unclaimed = datafile->plan.num_data == 0 && datafile->plan.data_size > 0;
    bool in_order = !unclaimed;
    for (uint32_t i = 0; i < datafile->num_data; i++) {
        in_order &= check_offset(datafile, i, report);
        if (datafile->plan.version == 4 && size_of(datafile, i) < 0)
            tmi_report_at(report, TM_FINDING_BAD_DATA_SIZE, datafile->plan.data_sizes_at + (uint64_t)i * 4,
                          "data", i, "the unpacked size is negative: %lld", (long long)size_of(datafile, i));
    }
    if (unclaimed)
        tmi_report_at(report, TM_FINDING_DATA_UNCLAIMED, datafile->plan.data_at, NULL, 0,
                      "there are %lu bytes of data, but no block", (unsigned long)datafile->plan.data_size);
    return in_order;
}

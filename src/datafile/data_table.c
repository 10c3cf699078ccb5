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

/* A deflate stream yields at most 258 bytes from 2 bits. */
#define DEFLATE_MAX_RATIO 1032

tmi_data_range tmi_block_at(const tm_datafile *datafile, uint32_t index)
{
    tmi_data_range block = {
        .datafile = datafile, .index = index, .offset = datafile->header.head_size, .bad = true};
    bool packed = datafile->plan.version == 4;
    int64_t size = packed ? size_of(datafile, index) : 0;
    int64_t section = datafile->plan.data_size;
    int64_t start = offset_of(datafile, index);
    /*
     * It ends at the next block's offset; one beyond the data counts as the end of the data. When the next
     * block starts earlier, games get a negative length; salvage takes all that follows, since a zlib stream
     * knows its own end.
     */
    int64_t end = (uint64_t)index + 1 < datafile->num_data ? offset_of(datafile, index + 1) : section;
    if (end > section || (end < start && datafile->mode == TM_MODE_SALVAGE && packed))
        end = section;
    if (size > 0)
        block.announced = (uint64_t)size;
    block.size = datafile->boasts ? 0 : block.announced;
    if (start < 0 || start > section || end < start)
        return block;
    block.bad = size < 0;
    if (!packed)
        block.announced = (uint64_t)(end - start);
    uint64_t file_end = datafile->input.size;
    uint64_t from = datafile->header.head_size + (uint64_t)start;
    uint64_t to = datafile->header.head_size + (uint64_t)end;
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

bool tmi_check_data_table(const tm_datafile *datafile, tmi_report *report)
{
    const bool unclaimed = datafile->plan.num_data == 0 && datafile->plan.data_size > 0;
    const int64_t section = datafile->plan.data_size;
    bool in_order = !unclaimed;
    for (uint32_t i = 0; i < datafile->num_data; i++) {
        const uint64_t where = datafile->plan.data_offsets_at + (uint64_t)i * 4;
        const int64_t start = offset_of(datafile, i);
        const int64_t next = (uint64_t)i + 1 < datafile->num_data ? offset_of(datafile, i + 1) : section;
        const bool outside = start < 0 || start > section;
        in_order &= !outside && next >= start && (i > 0 || start == 0);
        if (outside)
            tmi_report_at(report, TM_FINDING_BAD_DATA_OFFSET, where, "data", i,
                          "the block lies outside the data: it is at offset %lld of %lld", (long long)start,
                          (long long)section);
        else if (i == 0 && start != 0)
            tmi_report_at(report, TM_FINDING_DATA_GAP, where, "data", i,
                          "%lld bytes lie before the first block", (long long)start);
        const bool unknown = datafile->lacks_offset && i + 1 == datafile->num_data;
        if (!outside && next == start && !unknown)
            tmi_report_at(report, TM_FINDING_DATA_OVERLAP, where, "data", i,
                          "the block has no bytes of its own: it starts and ends at offset %lld",
                          (long long)start);
        else if (!outside && next < start && next >= 0)
            tmi_report_at(report, TM_FINDING_BAD_DATA_OFFSET, where, "data", i,
                          "the next block starts earlier: at offset %lld, this one at %lld", (long long)next,
                          (long long)start);
        if (datafile->plan.version == 4 && size_of(datafile, i) < 0)
            tmi_report_at(report, TM_FINDING_BAD_DATA_SIZE, datafile->plan.data_sizes_at + (uint64_t)i * 4,
                          "data", i, "the unpacked size is negative: %lld", (long long)size_of(datafile, i));
    }
    if (unclaimed)
        tmi_report_at(report, TM_FINDING_DATA_UNCLAIMED, datafile->plan.data_at, NULL, 0,
                      "there are %lu bytes of data, but no block", (unsigned long)datafile->plan.data_size);
    return in_order;
}

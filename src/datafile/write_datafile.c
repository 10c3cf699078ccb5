/* SPDX-License-Identifier: Zlib */
/*
 * datafile/write_datafile.c - the steps of writing: numbers, what to reuse from the source, packing, header,
 * data. All errors in the content are found before the first byte is written.
 */
#include "writer.h"

/* Adjacent ranges of one input that are still to be copied. */
struct pending {
    const tm_datafile *source;
    uint64_t from;
    uint64_t to;
};

static tm_status copy_pending(struct pending *pending, const tm_output *output, tm_error *error)
{
    uint64_t size = pending->to - pending->from;
    const tm_datafile *source = pending->source;
    pending->source = NULL;
    if (!source || size == 0)
        return TM_OK;
    return tmi_output_copy(output, &source->input, pending->from, size, error);
}

static tm_status write_blocks(const tm_datafile_writer *writer, const tm_output *output, const tm_job *job,
                              tm_error *error)
{
    struct pending pending = {NULL, 0, 0};
    for (size_t i = 0; i < writer->num_blocks; i++) {
        const tmi_pending_data *block = &writer->blocks[i];
        if (block->kind == TMI_BLOCK_AGAIN)
            block = &writer->blocks[block->source_index];
        if (tmi_cancelled(job->cancel))
            return tmi_fail(error, TM_ERROR_CANCELLED, -1, "cancelled");
        if (tmi_stays_packed(writer, block)) {
            const tmi_data_range from = tmi_source_block(block);
            if (pending.source != block->source || pending.to != from.offset) {
                TM_TRY(copy_pending(&pending, output, error));
                pending.source = block->source;
                pending.from = from.offset;
            }
            pending.to = from.offset + from.packed_size;
            continue;
        }
        TM_TRY(copy_pending(&pending, output, error));
        if (block->packed) {
            TM_TRY(tmi_output_write(output, block->packed, (size_t)block->packed_size, error));
            continue;
        }
        tmi_held held; /* in version 3 as it is */
        tm_status status = tmi_hold(&held, writer, block, error);
        if (status == TM_OK)
            status = tmi_output_write(output, held.bytes, (size_t)held.size, error);
        tmi_let_go(&held, writer);
        TM_TRY(status);
    }
    return copy_pending(&pending, output, error);
}

static tm_status write_new(tm_datafile_writer *writer, bool keep_data, const tm_output *output,
                           const tm_job *job, tm_findings *findings, tm_error *error)
{
    uint8_t *head = NULL;
    size_t size = 0;
    if (!keep_data)
        TM_TRY(tmi_pack_blocks(writer, job, error));
    TM_TRY(tmi_new_head(writer, keep_data, &head, &size, error));
    tm_status status = tmi_output_write(output, head, size, error);
    tmi_free(writer->allocator, head, size, 1);
    if (status != TM_OK)
        return status;
    const tm_datafile *source = writer->options.source;
    if (!keep_data)
        TM_TRY(write_blocks(writer, output, job, error));
    else /* bytes after the end included */
        TM_TRY(tmi_output_copy(output, &source->input, source->plan.data_at,
                               source->input.size - source->plan.data_at, error));
    if (!source || writer->options.force_canonical)
        return TM_OK;
    const bool same = keep_data ? source->plain && source->sizes_fine : source->header.canonical;
    if (!same)
        tm_findings_add(
            findings, source->mode, TM_FINDING_LAYOUT_NORMALISED, -1, NULL, NULL,
            "the unusual layout of the file could not be kept, because items or data have changed");
    return TM_OK;
}

static tm_status finish_writing(tm_datafile_writer *writer, const tm_output *output, const tm_job *job,
                                tm_findings *findings, tm_error *error)
{
    tmi_keeping keeping;
    bool fits = false;
    tm_job filled;
    TM_TRY(tmi_job_take(&filled, job, error));
    if (tmi_cancelled(filled.cancel))
        return tmi_fail(error, TM_ERROR_CANCELLED, -1, "cancelled");
    TM_TRY(tmi_number_types(writer, error));
    TM_TRY(tmi_what_to_keep(writer, &keeping, error));
    if (keeping == TMI_KEEP_NOTHING) { /* what is packed may turn out to be the source's */
        TM_TRY(tmi_pack_blocks(writer, &filled, error));
        TM_TRY(tmi_what_to_keep(writer, &keeping, error));
    }
    if (keeping == TMI_KEEP_ALL)
        TM_TRY(tmi_write_kept(writer, output, &fits, error));
    if (fits)
        return TM_OK;
    bool whole_head =
        writer->options.source && writer->options.source->head_have == writer->options.source->plan.data_at;
    return write_new(writer, keeping != TMI_KEEP_NOTHING && whole_head, output, &filled, findings, error);
}

tm_status tm_datafile_writer_finish(tm_datafile_writer *writer, const tm_output *output, const tm_job *job,
                                    tm_findings *findings, tm_error *error)
{
    TM_TRY(tmi_need(writer, "writer", error));
    tm_status status = tmi_need(output, "output", error);
    if (status == TM_OK)
        status = finish_writing(writer, output, job, findings, error);
    tm_datafile_writer_free(writer);
    return status;
}

/* ------------------------------------------------------------------------------------------------ copying */

tm_status tm_datafile_copy(const tm_datafile *datafile, const tm_output *output,
                           const tm_datafile_writer_options *options, bool recompress, const tm_job *job,
                           tm_findings *findings, tm_error *error)
{
    TM_TRY(tmi_need(datafile, "datafile", error));
    TM_TRY(tmi_need(output, "output", error));
    tm_datafile_writer_options filled;
    tm_datafile_writer *writer;
    TM_TRY(tmi_options_take(&filled, sizeof(filled), options, "tm_datafile_writer_options", error));
    filled.source = datafile;
    if (recompress || (filled.version != 0 && (uint32_t)filled.version != datafile->plan.version))
        TM_TRY(tmi_check_amplification(datafile, error));
    TM_TRY(tm_datafile_writer_new(&writer, &filled, error));
    tm_status status = TM_OK;
    for (uint32_t i = 0; status == TM_OK && i < datafile->num_items; i++) {
        tm_datafile_item item;
        tm_datafile_get_item(&item, datafile, i);
        status = tm_datafile_writer_add_item(writer, &item, (int32_t)i, error);
    }
    for (uint32_t i = 0; status == TM_OK && i < datafile->num_data; i++) {
        int32_t index;
        status = tm_datafile_writer_add_from(&index, writer, datafile, i, recompress, error);
    }
    if (status != TM_OK) {
        tm_datafile_writer_free(writer);
        return status;
    }
    return tm_datafile_writer_finish(writer, output, job, findings, error);
}

/* SPDX-License-Identifier: Zlib */
/*
 * datafile/write_datafile.c - the steps of writing: numbers, what to reuse from the source, packing, header,
 * data. All errors in the content are found before the first byte is written. If the content to write is
 * still that of the source, item by item and block by block, the bytes of the source are written with the new
 * bodies in place: gaps, odd offsets, wrong fields and trailing bytes are kept.
 */
#include "writer.h"

/*
 * Every item of the source is there once, and those of one type in the same order. `written` is scratch: for
 * each item of the source whether it was met.
 */
static bool same_items(const tm_datafile_writer *writer, uint8_t *written)
{
    const tm_datafile *source = writer->options.source;
    int32_t last = -1;
    for (size_t i = 0; i < writer->num_items; i++) {
        const tmi_new_item *item = tmi_item_in_order(writer, i);
        tm_datafile_item old;
        if (item->source_item < 0 || !tm_datafile_get_item(&old, source, (uint32_t)item->source_item) ||
            old.type != item->type || old.id != item->id || old.size != item->size ||
            written[item->source_item] != 0)
            return false;
        written[item->source_item] = 1;
        if (i > 0 && tmi_item_in_order(writer, i - 1)->type == item->type && item->source_item < last)
            return false;
        last = item->source_item;
    }
    return true;
}

/* What of the source can stay as it is. */
typedef enum stays {
    KEEP_NOTHING,
    KEEP_DATA, /* the data section and its table, to the last byte; the head is new */
    KEEP_ALL   /* every byte but the bodies of items */
} stays;

static tm_status what_to_keep(const tm_datafile_writer *writer, stays *keeping, tm_error *error)
{
    const tm_datafile *source = writer->options.source;
    *keeping = KEEP_NOTHING;
    if (!source || writer->options.force_canonical || writer->version != source->plan.version ||
        writer->num_blocks != source->num_data)
        return TM_OK;
    for (size_t i = 0; i < writer->num_blocks; i++) {
        const tmi_pending_data *block = &writer->blocks[i];
        if (block->kind != TMI_BLOCK_FROM || block->source != source || block->source_index != i ||
            block->repack)
            return TM_OK;
    }
    if (source->head_have == source->plan.data_at)
        *keeping = KEEP_DATA;
    if (writer->num_items != source->num_items)
        return TM_OK;
    uint8_t *written;
    TM_TRY(tmi_reserve_zeroed(&written, writer->allocator, source->num_items, 1,
                              "the comparison with the source", error));
    if (same_items(writer, written))
        *keeping = KEEP_ALL;
    tmi_free(writer->allocator, written, source->num_items, 1);
    return TM_OK;
}

/*
 * Writes the source with new bodies. *fits is false, and nothing is written, if bodies overlap so that both
 * cannot be.
 */
static tm_status write_kept(const tm_datafile_writer *writer, const tm_output *output, bool *fits,
                            tm_error *error)
{
    const tm_datafile *source = writer->options.source;
    const size_t size = source->rebuilt_head ? (size_t)source->header.head_size : source->head_have;
    tm_datafile_item old;
    uint8_t *head;
    TM_TRY(tmi_reserve(&head, writer->allocator, size, 1, "the new head", error));
    tm_status status = TM_OK;
    if (source->rebuilt_head)
        status = tmi_input_read(&source->input, 0, head, size, error);
    else
        memcpy(head, source->head, size);
    for (size_t i = 0; status == TM_OK && i < writer->num_items; i++) {
        const tmi_new_item *item = &writer->items[i];
        tm_datafile_get_item(&old, source, (uint32_t)item->source_item);
        if (old.size && memcmp(old.body, item->body, old.size) != 0)
            memcpy(head + old.offset + TMI_ITEM_HEAD, item->body, old.size);
    }
    *fits = true;
    for (size_t i = 0; *fits && status == TM_OK && i < writer->num_items; i++) {
        const tmi_new_item *item = &writer->items[i];
        tm_datafile_get_item(&old, source, (uint32_t)item->source_item);
        if (old.offset >= 0 && memcmp(head + old.offset, old.body - TMI_ITEM_HEAD, TMI_ITEM_HEAD) != 0)
            *fits = false;
        if (old.size && memcmp(head + old.offset + TMI_ITEM_HEAD, item->body, old.size) != 0)
            *fits = false;
    }
    if (*fits && status == TM_OK)
        status = tmi_output_write(output, head, size, error);
    tmi_free(writer->allocator, head, size, 1);
    if (!*fits || status != TM_OK)
        return status;
    return tmi_output_copy(output, &source->input, size, source->input.size - size, error);
}

/* --------------------------------------------------------------------------------------------- a new file */

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
            const tmi_data_range range = tmi_source_block(block);
            if (pending.source != block->source || pending.to != range.offset) {
                TM_TRY(copy_pending(&pending, output, error));
                pending.source = block->source;
                pending.from = range.offset;
            }
            pending.to = range.offset + range.packed_size;
            continue;
        }
        TM_TRY(copy_pending(&pending, output, error));
        if (block->packed) {
            TM_TRY(tmi_output_write(output, block->packed, (size_t)block->packed_size, error));
            continue;
        }
        tmi_held held; /* in version 3 as it is */
        tm_status status = tmi_held_open(&held, writer, block, error);
        if (status == TM_OK)
            status = tmi_output_write(output, held.bytes, (size_t)held.size, error);
        tmi_held_close(&held, writer);
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
        TM_TRY(tmi_output_copy(output, &source->input, source->header.head_size,
                               source->input.size - source->header.head_size, error));
    if (!source || writer->options.force_canonical)
        return TM_OK;
    const bool same =
        keep_data ? source->plain && source->sizes_fine && !source->rebuilt_head : source->header.canonical;
    if (!same)
        tm_findings_add(
            findings, source->mode, TM_FINDING_LAYOUT_NORMALISED, -1, NULL, NULL,
            "the unusual layout of the file could not be kept, because items or data have changed");
    return TM_OK;
}

static tm_status finish_writing(tm_datafile_writer *writer, const tm_output *output, const tm_job *job,
                                tm_findings *findings, tm_error *error)
{
    stays keeping;
    bool fits = false;
    tm_job filled;
    TM_TRY(tmi_job_take(&filled, job, error));
    if (tmi_cancelled(filled.cancel))
        return tmi_fail(error, TM_ERROR_CANCELLED, -1, "cancelled");
    TM_TRY(tmi_number_types(writer, error));
    TM_TRY(what_to_keep(writer, &keeping, error));
    if (keeping == KEEP_NOTHING) { /* what is packed may turn out to be the source's */
        TM_TRY(tmi_pack_blocks(writer, &filled, error));
        TM_TRY(what_to_keep(writer, &keeping, error));
    }
    if (keeping == KEEP_ALL)
        TM_TRY(write_kept(writer, output, &fits, error));
    if (fits)
        return TM_OK;
    bool whole_head =
        writer->options.source && writer->options.source->head_have == writer->options.source->plan.data_at;
    return write_new(writer, keeping != KEEP_NOTHING && whole_head, output, &filled, findings, error);
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

static tm_status copy_all(const tm_datafile *datafile, const tm_output *output,
                          tm_datafile_writer_options filled, bool recompress, const tm_job *job,
                          tm_findings *findings, tm_error *error)
{
    tm_datafile_writer *writer;
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

/* Opens the same file again, to put its table of blocks right: what is open is the caller's. */
static tm_status open_mended(tm_datafile **out, const tm_datafile *datafile, tm_findings *findings,
                             tm_error *error)
{
    const tm_datafile_options options = {sizeof(options), datafile->mode, &datafile->limits,
                                         datafile->allocator};
    tm_input input = datafile->input;
    input.close = NULL;
    TM_TRY(tm_datafile_open(out, input, &options, NULL, error));
    const tm_status status = tmi_mend_data_table(*out, findings, error);
    if (status == TM_OK)
        return TM_OK;
    tm_datafile_close(*out);
    *out = NULL;
    return status;
}

tm_status tm_datafile_copy(const tm_datafile *datafile, const tm_output *output,
                           const tm_datafile_writer_options *options, bool recompress, const tm_job *job,
                           tm_findings *findings, tm_error *error)
{
    TM_TRY(tmi_need(datafile, "datafile", error));
    TM_TRY(tmi_need(output, "output", error));
    tm_datafile_writer_options filled;
    tm_datafile *mended = NULL;
    TM_TRY(tmi_options_take(&filled, sizeof(filled), options, "tm_datafile_writer_options", error));
    if (recompress && datafile->mode == TM_MODE_SALVAGE) /* what is unpacked is taken from where it is */
        TM_TRY(open_mended(&mended, datafile, findings, error));
    const tm_status status =
        copy_all(mended ? mended : datafile, output, filled, recompress, job, findings, error);
    tm_datafile_close(mended);
    return status;
}

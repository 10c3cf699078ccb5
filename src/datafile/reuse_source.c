/* SPDX-License-Identifier: Zlib */
/*
 * datafile/reuse_source.c - checks whether the content to write is still that of the source, item by item and
 * block by block, and if so, writes the bytes of the source with the new bodies in place: gaps, odd offsets,
 * wrong fields and trailing bytes are kept.
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

tm_status tmi_what_to_keep(const tm_datafile_writer *writer, tmi_keeping *keeping, tm_error *error)
{
    const tm_datafile *source = writer->options.source;
    *keeping = TMI_KEEP_NOTHING;
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
        *keeping = TMI_KEEP_DATA;
    if (writer->num_items != source->num_items)
        return TM_OK;
    uint8_t *written;
    TM_TRY(tmi_reserve_zeroed(&written, writer->allocator, source->num_items, 1,
                              "the comparison with the source", error));
    if (same_items(writer, written))
        *keeping = TMI_KEEP_ALL;
    tmi_free(writer->allocator, written, source->num_items, 1);
    return TM_OK;
}

tm_status tmi_write_kept(const tm_datafile_writer *writer, const tm_output *output, bool *fits,
                         tm_error *error)
{
    const tm_datafile *source = writer->options.source;
    const size_t size = source->head_have;
    tm_datafile_item old;
    uint8_t *head;
    TM_TRY(tmi_reserve(&head, writer->allocator, size, 1, "the new head", error));
    memcpy(head, source->head, size);
    for (size_t i = 0; i < writer->num_items; i++) {
        const tmi_new_item *item = &writer->items[i];
        tm_datafile_get_item(&old, source, (uint32_t)item->source_item);
        if (old.size && memcmp(old.body, item->body, old.size) != 0)
            memcpy(head + old.offset + TMI_ITEM_HEAD, item->body, old.size);
    }
    *fits = true;
    for (size_t i = 0; *fits && i < writer->num_items; i++) {
        const tmi_new_item *item = &writer->items[i];
        tm_datafile_get_item(&old, source, (uint32_t)item->source_item);
        if (old.offset >= 0 && memcmp(head + old.offset, source->head + old.offset, TMI_ITEM_HEAD) != 0)
            *fits = false;
        if (old.size && memcmp(head + old.offset + TMI_ITEM_HEAD, item->body, old.size) != 0)
            *fits = false;
    }
    const tm_status status = *fits ? tmi_output_write(output, head, size, error) : TM_OK;
    tmi_free(writer->allocator, head, size, 1);
    if (!*fits || status != TM_OK)
        return status;
    return tmi_output_copy(output, &source->input, size, source->input.size - size, error);
}

/* SPDX-License-Identifier: Zlib */
/*
 * share_data.c - equal data are made once. Layers, images and sounds of a file may share one data block; what
 * is made of it for another game is then the same for all of them. Without this a file of a few hundred bytes
 * could have the same half gigabyte packed a hundred times.
 *
 * In maps of Teeworlds what shared data before still shares them. In a DDNet map each object gets data of its
 * own, since DDNet refuses layers that share theirs: the bytes are packed once and written several times.
 */
#include "save_map.h"
#include "../datafile/datafile.h"

/* Different things that are made of one block; from there on each is made anew. */
enum { MAX_KINDS = 16 };

/* Where the claims that are made of this one's source start; NULL if it cannot be shared. */
static uint32_t *list_of(tmi_saver *saver, const tmi_claim *claim)
{
    const tmi_file *file = tmi_file_of(saver->map);
    const uint32_t num_data = file ? tm_datafile_num_data(file->datafile) : 0;
    const tm_block *block = claim->block;
    if (claim->kind == TMI_CLAIM_ZEROS)
        return &saver->made_first[num_data];
    if ((claim->kind != TMI_CLAIM_BLOCK && claim->kind != TMI_CLAIM_PACKED) || block->changed || !file ||
        block->origin != &file->base || block->data_index >= num_data)
        return NULL;
    return &saver->made_first[block->data_index];
}

static bool same_content(const tmi_claim *a, const tmi_claim *b)
{
    if (a->kind != b->kind || a->size != b->size)
        return false;
    return a->kind == TMI_CLAIM_ZEROS ||
           (a->block->size == b->block->size && a->view == b->view && a->block->view == b->block->view);
}

tmi_claim *tmi_data_made_before(tmi_saver *saver, const tmi_claim *claim)
{
    uint32_t *first = list_of(saver, claim), num = 0;
    for (uint32_t at = first ? *first : 0; at && num < MAX_KINDS; num++) {
        tmi_claim *other = &saver->io.claims.list[at - 1];
        if (same_content(other, claim))
            return other;
        at = other->made_next;
    }
    return NULL;
}

void tmi_data_note_made(tmi_saver *saver, tmi_claim *claim)
{
    uint32_t *first = list_of(saver, claim);
    if (!first)
        return;
    claim->made_next = *first;
    *first = (uint32_t)(claim - saver->io.claims.list) + 1;
}

tm_status tmi_data_share(tmi_saver *saver, tmi_claim *claim, const tmi_claim *with)
{
    claim->runs = with->runs;
    if (saver->map->game == TM_GAME_DDNET || claim->kind == TMI_CLAIM_ZEROS || claim->block->copied)
        return tmi_datafile_writer_add_again(&claim->index, saver->writer, (uint32_t)with->index,
                                             saver->io.error);
    claim->index = with->index;
    return TM_OK;
}

/* SPDX-License-Identifier: Zlib */
/*
 * Repairs of objects as a whole: their items are made again from the model, which only has valid values,
 * their data packed again, their names and texts put right.
 */
#include "edit_fix.h"

void tmi_fix_forget_item(tmi_fixing *m, tm_origin *origin, tm_address address)
{
    if (m->findings && tmi_map_has_tail(m->map, *origin))
        tmi_report_at_address(
            m->findings, TM_MODE_GAME, TM_FINDING_LOST_FIELD, m->map, address, -1,
            "integers behind those that teemap knows are left out, since the item is made anew");
    *origin = (tm_origin){NULL, 0};
}

void tmi_fix_report_too_large(const tmi_fixing *m, const char *reason)
{
    tmi_report_at_address(m->findings, TM_MODE_GAME, TM_FINDING_NOT_REPAIRED, m->map, m->address, -1,
                          "%s: not repaired: %s", m->finding->text, reason);
}

tm_status tmi_fix_renew(tmi_fixing *m, tm_error *error)
{
    tm_origin *origin = NULL;
    (void)error;
    if (m->address.kind == TM_KIND_INFO || m->address.kind == TM_KIND_SETTINGS) {
        origin = &m->map->info.origin;
    } else if (m->address.kind >= TM_KIND_IMAGE) {
        tm_kind owner;
        void *object = tmi_map_object_edit(m->map, &m->address, &owner);
        origin = object ? tmi_object_origin(owner, object) : NULL;
    }
    if (origin) {
        tmi_fix_forget_item(m, origin, m->address);
        m->count = 1;
    }
    return TM_OK;
}

tm_status tmi_fix_renew_envelopes(tmi_fixing *m, tm_error *error)
{
    (void)error;
    for (uint32_t i = 0; i < m->map->num_envelopes; i++)
        tmi_fix_forget_item(m, &m->map->envelopes[i].origin, (tm_address){TM_KIND_ENVELOPE, i, 0});
    m->count = m->map->num_envelopes;
    return TM_OK;
}

tm_status tmi_fix_version(tmi_fixing *m, tm_error *error)
{
    (void)error;
    if (m->map->num_groups) { /* else it is from before 2008, or no map */
        m->map->version = 1;
        m->count = 1;
    }
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------- items and data */

/* The blocks of an object: at most two. */
static uint32_t blocks_of(tm_block *blocks[2], tm_map *map, tm_address address)
{
    tm_kind owner;
    tm_block **slots[2];
    void *object = tmi_map_object_edit(map, &address, &owner);
    uint32_t num = 0;
    for (uint32_t i = 0, all = object ? tmi_object_blocks(owner, object, slots) : 0; i < all; i++)
        if (*slots[i])
            blocks[num++] = *slots[i];
    return num;
}

/* Packs the blocks of an object again. A block that cannot be unpacked stays as it is. */
tm_status tmi_fix_repack(tmi_fixing *m, tm_error *error)
{
    tm_block *blocks[2];
    const uint32_t num = blocks_of(blocks, m->map, m->address);
    for (uint32_t i = 0; i < num; i++) {
        void *bytes;
        const tm_status status = tm_map_edit_data(&bytes, NULL, m->map, blocks[i], error);
        if (status && status != TM_ERROR_DAMAGED)
            return status;
        m->count += !status;
    }
    return TM_OK;
}

/* A block of no object may be that of a text; texts are written again from the model. */
tm_status tmi_fix_data(tmi_fixing *m, tm_error *error)
{
    const int32_t data = (int32_t)m->address.index;
    tm_address address = tmi_whole_map;
    if (m->tiles && !m->tiles->tiles) /* the data were far too short for a block */
        return tmi_fix_tiles(m, error);
    if (m->address.kind == TM_KIND_LAYER)
        return tmi_fix_repack(m, error);
    if (m->address.kind != TM_KIND_DATA)
        return TM_OK;
    while (tmi_next_object(m->map, &address)) {
        tm_block *blocks[2];
        for (uint32_t i = blocks_of(blocks, m->map, address); i > 0; i--)
            if (tm_block_get_info(blocks[i - 1]).data_index == data) {
                m->address = address;
                return tmi_fix_repack(m, error);
            }
    }
    tmi_fix_forget_item(m, &m->map->info.origin, (tm_address){TM_KIND_INFO, 0, 0});
    for (uint32_t i = 0; i < m->map->num_images; i++)
        tmi_fix_forget_item(m, &m->map->images[i].origin, (tm_address){TM_KIND_IMAGE, i, 0});
    for (uint32_t i = 0; i < m->map->num_sounds; i++)
        tmi_fix_forget_item(m, &m->map->sounds[i].origin, (tm_address){TM_KIND_SOUND, i, 0});
    m->count = 1;
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- names */

/*
 * The length without the character in which a name was cut: its first byte asks for more bytes than there
 * are, and those that are there belong to it.
 */
static size_t whole_characters(const char *name, size_t length)
{
    enum { MORE_BYTES = 3 }; /* of the longest character, behind its first byte */
    for (size_t num = 1; num <= MORE_BYTES + 1 && num <= length; num++) {
        const uint8_t byte = (uint8_t)name[length - num];
        const size_t needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
        if (needed)
            return needed > num ? length - num : length;
        if ((byte & 0xc0) != 0x80)
            break;
    }
    return length;
}

static void tidy_name(tmi_fixing *m, char *name, size_t size)
{
    char *const end = memchr(name, '\0', size);
    const size_t all = end ? (size_t)(end - name) : size - 1;
    const size_t length = whole_characters(name, all);
    m->count += length < all;
    memset(name + length, 0, all - length);
    for (size_t i = 0; i < length;) {
        const size_t step = tmi_utf8_step(name + i, length - i);
        if (!step) {
            name[i] = '?';
            m->count++;
        }
        i += step ? step : 1;
    }
    if (m->count >= length)
        name[0] = '\0'; /* no part of it was a name */
}

tm_status tmi_fix_name(tmi_fixing *m, tm_error *error)
{
    if (m->layer)
        tidy_name(m, m->layer->name, sizeof(m->layer->name));
    else if (m->address.kind == TM_KIND_GROUP)
        tidy_name(m, m->map->groups[m->address.index].name, TM_NAME_SIZE);
    else if (m->envelope)
        tidy_name(m, m->envelope->name, TM_ENVELOPE_NAME_SIZE);
    else
        return TM_OK; /* images and sounds are found by their names */
    return tmi_fix_renew(m, error);
}

/* For the info, also texts that only lack their end. */
tm_status tmi_fix_texts(tmi_fixing *m, tm_error *error)
{
    tm_info *info = &m->map->info;
    const char **const texts[] = {&info->author, &info->version, &info->credits, &info->license};
    for (size_t i = 0; m->address.kind == TM_KIND_INFO && i < TMI_COUNT_OF(texts); i++) {
        const char *text = *texts[i];
        if (!text || tmi_utf8_valid(text, strlen(text)))
            continue;
        char *copy = tmi_strdup(m->scratch, text);
        if (!copy)
            return tmi_fail_memory(error, strlen(text) + 1, "a text");
        tidy_name(m, copy, strlen(copy) + 1);
        TM_TRY(tm_map_set_text(m->map, texts[i], copy, error));
    }
    return tmi_fix_renew(m, error);
}

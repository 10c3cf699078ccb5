/* SPDX-License-Identifier: Zlib */
/*
 * What the steps of saving share: memory, places in findings, what is lost, which items are written.
 */
#include "save_map.h"
#include "../games/games.h"

void *tmi_saver_alloc(tmi_saver *saver, size_t count, size_t size)
{
    size_t bytes;
    void *memory = NULL;
    if (tmi_mul_size(&bytes, count ? count : 1, size))
        memory = tmi_arena_alloc(&saver->arena, bytes, 1);
    if (memory)
        memset(memory, 0, bytes);
    else if (saver->io.status == TM_OK)
        saver->io.status = tmi_fail_memory(saver->io.error, (uint64_t)count * size, "saving");
    return memory;
}

bool tmi_is_fresh(const tmi_saver *saver, tm_origin origin)
{
    return !saver->file || origin.from != &saver->file->base;
}

void tmi_saver_enter(tmi_saver *saver, tm_address address, tm_origin origin)
{
    tmi_item_io *io = &saver->io;
    tm_datafile_item item;
    io->address = address;
    io->num = 0;
    io->absent_set = 0;
    io->fresh = tmi_is_fresh(saver, origin);
    if (io->fresh || io->status != TM_OK || !tm_datafile_get_item(&item, saver->file->datafile, origin.item))
        return;
    tmi_io_need(io, item.size / 4, 0);
    if (io->status == TM_OK && item.size >= 4)
        memcpy(io->body, item.body, (size_t)(item.size / 4) * 4);
}

void tmi_saver_find(tmi_saver *saver, tm_finding_id id, tm_address address, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tmi_vfind_at(saver->findings, saver->io.mode, id, saver->map, address, -1, format, list);
    va_end(list);
}

void tmi_saver_lose(tmi_saver *saver, tm_game game, tm_part part, tm_address address)
{
    const tm_part_info *rule = tmi_game_part(part);
    tmi_saver_find(saver, rule->lost, address, "%s %s", tm_game_name(game), rule->text);
}

bool tmi_writes_info(const tmi_saver *saver)
{
    const tm_info *info = &saver->map->info;
    bool any = info->author || info->version || info->credits || info->license || info->num_settings;
    return !saver->file || any || !tmi_is_fresh(saver, info->origin);
}

bool tmi_sound_lost(const tmi_saver *saver, uint32_t sound)
{
    const bool has_sounds = saver->file && saver->file->counts[TM_ITEM_SOUND];
    return tmi_is_fresh(saver, saver->map->sounds[sound].origin) &&
           !tmi_game_holds(saver->map->game, TM_PART_SOUNDS) && !has_sounds;
}

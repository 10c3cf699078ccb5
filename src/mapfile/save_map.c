/* SPDX-License-Identifier: Zlib */
/*
 * Saving: model to datafile, through the steps that save_map.h lists. The map is not changed; blocks that are
 * not changed are copied from the file that they came from, packed as they are.
 */
#include "save_map.h"
#include "../games/games.h"

/* Without a file behind the map, what it holds beside the model cannot go along. */
static void find_lost_items(tmi_saver *saver, const tmi_file *file)
{
    tm_datafile_item item;
    for (uint32_t i = 0; file && tm_datafile_get_item(&item, file->datafile, i); i++)
        if (file->notes[i].role == TMI_ROLE_RAW && item.type != TM_TYPE_UUID_INDEX)
            tmi_saver_find(saver, TM_FINDING_LOST_ITEM, (tm_address){TM_ADDRESS_ITEM, i, 0},
                           "an item of a type that no game knows is left out");
}

/* Other datafiles than maps use the types of items for other things, so nothing can be added to them. */
static tm_status check_is_map(const tmi_saver *saver)
{
    const tm_map *map = saver->map;
    const tm_info *info = &map->info;
    bool any = map->num_images || map->num_sounds || map->num_envelopes || map->num_groups || info->author ||
               info->version || info->credits || info->license || info->num_settings;
    if (!saver->file || saver->file->is_map || !any)
        return TM_OK;
    return tmi_fail(
        saver->io.error, TM_ERROR_UNSUPPORTED, -1,
        "the file that was loaded is no map and cannot become one; only rewriting makes one of it");
}

static tm_status fill_writer(tmi_saver *saver)
{
    uint32_t num_items = saver->file ? tm_datafile_num_items(saver->file->datafile) : 0;
    saver->item_used = tmi_saver_alloc(saver, num_items, sizeof(*saver->item_used));
    TM_TRY(saver->io.status);
    TM_TRY(tmi_plan_save(saver));
    TM_TRY(tmi_data_collect(saver));
    TM_TRY(tmi_data_place(saver));
    return tmi_store_items(saver);
}

static void saver_init(tmi_saver *saver, const tm_map *map, const tm_mapfile_save_options *how,
                       tm_findings *findings, tm_error *error)
{
    const tmi_file *file = tmi_file_of(map);
    *saver = (tmi_saver){.map = map, .options = *how, .findings = findings};
    saver->file = how->rewrite ? NULL : file;
    saver->io = (tmi_item_io){.error = error,
                              .allocator = tmi_map_allocator(map),
                              .map = (tm_map *)(uintptr_t)map, /* COLLECT and STORE do not change it */
                              .file = (tmi_file *)(uintptr_t)saver->file, /* nor this */
                              .mode = file ? file->mode : TM_MODE_GAME,
                              .findings = findings,
                              .num_images = map->num_images,
                              .num_sounds = map->num_sounds,
                              .num_envelopes = map->num_envelopes,
                              .num_data = saver->file ? tm_datafile_num_data(file->datafile) : 0,
                              .rewrite = how->rewrite};
    tmi_arena_init(&saver->arena, saver->io.allocator);
}

void tmi_save_end(tmi_saver *saver)
{
    tm_datafile_writer_free(saver->writer);
    tmi_points_release(&saver->points, saver->io.allocator);
    tmi_free(saver->io.allocator, saver->io.claims.list, saver->io.claims.capacity, sizeof(tmi_claim));
    tmi_free(saver->io.allocator, saver->io.body, saver->io.capacity, 4);
    tmi_arena_release(&saver->arena);
}

static tm_status begin_writing(tmi_saver *saver)
{
    const tm_map *map = saver->map;
    const tmi_file *file = tmi_file_of(map);
    const tm_datafile_writer_options writer_options = {.size = sizeof(writer_options),
                                                       .allocator = saver->io.allocator,
                                                       .source = saver->file ? file->datafile : NULL,
                                                       .force_canonical = saver->options.lay_out,
                                                       .smaller = saver->options.smaller,
                                                       .smallest = saver->options.smallest,
                                                       .level = saver->options.level,
                                                       .file_bytes = map->priv->limits.file_bytes};
    TM_TRY(tm_map_verify(map, saver->io.error));
    TM_TRY(check_is_map(saver));
    TM_TRY(tm_datafile_writer_new(&saver->writer, &writer_options, saver->io.error));
    if (!saver->file)
        find_lost_items(saver, file);
    return fill_writer(saver);
}

tm_status tm_mapfile_save(const tm_map *map, const tm_output *output, const tm_mapfile_save_options *options,
                          const tm_job *job, tm_findings *findings, tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(output, "output", error));
    tm_mapfile_save_options how;
    tmi_saver saver;
    TM_TRY(tmi_options_take(&how, sizeof(how), options, "tm_mapfile_save_options", error));
    saver_init(&saver, map, &how, findings, error);
    tm_status status = begin_writing(&saver);
    if (status == TM_OK) {
        status = tm_datafile_writer_finish(saver.writer, output, job, findings, error);
        saver.writer = NULL;
    }
    if (status == TM_OK)
        tmi_data_report_lost(&saver);
    tmi_save_end(&saver);
    return status;
}

tm_status tmi_claims_begin(tmi_saver *saver, const tm_map *map, tm_error *error)
{
    saver_init(saver, map, &(tm_mapfile_save_options){.size = sizeof(tm_mapfile_save_options)}, NULL, error);
    TM_TRY(tmi_plan_save(saver));
    return tmi_data_collect(saver);
}

tm_status tmi_contents_begin(tmi_saver *saver, const tm_map *map, tm_error *error)
{
    const tm_mapfile_save_options how = {.size = sizeof(how), .rewrite = true};
    saver_init(saver, map, &how, NULL, error);
    saver->io.contents = true;
    return begin_writing(saver);
}

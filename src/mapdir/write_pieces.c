/* SPDX-License-Identifier: Zlib */
/*
 * A map as files of either format: the list of files is made first, then each is written on its own, so
 * that several threads can do it. What a format cannot hold is counted by the file that lacks it, and told
 * at the end, in the order of the files.
 */
#include "mapdir.h"

TMI_DEFINE_INIT(tm_mapdir_write_options, TM_MAPDIR_WRITE_OPTIONS_INIT)

void tmi_add_piece(tmi_writing *of, const tmi_piece_kind *kind, uint32_t index, uint32_t layer)
{
    if (of->pieces)
        of->pieces[of->num] = (tmi_piece){.kind = kind, .of = of, .index = index, .layer = layer};
    of->num++;
}

static tm_status write_piece(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const tmi_writing *of = ctx;
    tmi_piece *at = &of->pieces[index];
    char path[TMI_PATH_SIZE];
    (void)worker;
    at->kind->name(path, at);
    tm_file_put *put = tmi_keeps_members(at, path) ? tmi_put_keeping : at->kind->put;
    const tm_status status = of->files->write(of->files->ctx, path, put, at, error);
    *stop = status != TM_OK;
    return status;
}

static uint64_t weight_of(void *ctx, uint32_t index)
{
    const tmi_writing *of = ctx;
    const tmi_piece *at = &of->pieces[index];
    const tm_block *block = at->kind->block ? at->kind->block(at) : NULL;
    return tm_block_get_info(block).size + 1;
}

/* What is behind the tiles for other games is unpacked with them. */
static uint64_t compat_bytes(const tmi_piece *at)
{
    if (at->kind->address != TM_ADDRESS_LAYER)
        return 0;
    const tm_layer *layer = &at->of->map->groups[at->index].layers[at->layer];
    return tm_rules_layer(layer->kind)->is_tiles ? tm_block_get_info(layer->as.tiles.compat).size : 0;
}

static tm_status check_unpacked(tmi_writing *of, tm_error *error)
{
    const uint64_t most = of->options.unpacked_bytes ? of->options.unpacked_bytes : (uint64_t)1 << 30;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < of->num && sum <= most; i++)
        sum += weight_of(of, i) - 1 + compat_bytes(&of->pieces[i]);
    if (sum <= most)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_LIMIT, -1, "the files need more than %llu bytes to be unpacked, the limit",
                    (unsigned long long)most);
}

/* Counts the files, then with memory for them puts them down, and writes them. */
static tm_status write_pieces(tmi_writing *of, const tm_job *job, tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(of->map);
    tm_job how;
    TM_TRY(tmi_job_take(&how, job, error));
    if (!of->files->parallel)
        how.executor = NULL;
    of->add(of);
    of->pieces = tmi_alloc(allocator, of->num, sizeof(*of->pieces));
    if (!of->pieces)
        return tmi_fail_memory(error, (uint64_t)of->num * sizeof(*of->pieces), "the list of files");
    const uint32_t num = of->num;
    of->num = 0;
    of->add(of);
    const tm_pieces pieces = {.size = sizeof(pieces),
                              .allocator = allocator,
                              .ctx = of,
                              .num = num,
                              .work = write_piece,
                              .weight = weight_of,
                              .memory = weight_of};
    tm_status status = check_unpacked(of, error);
    if (status == TM_OK)
        status = tm_pieces_run(&pieces, &how, error);
    if (status == TM_OK && of->findings)
        tmi_tell_losses(of);
    tmi_free(allocator, of->pieces, num, sizeof(*of->pieces));
    return status;
}

static tm_status write_files(tmi_writing *of, const tm_job *job, tm_error *error)
{
    const bool foreign = of->options.format == TM_MAPDIR_TWMAP;
    TM_TRY(tmi_need(of->map, "map", error));
    TM_TRY(tmi_need(of->files, "files", error));
    if (!of->files->write)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "files->write is NULL");
    TM_TRY(tm_map_verify(of->map, error));
    TM_TRY(foreign ? tmi_twmap_names_make(&of->names, of->map, error)
                   : tmi_names_make(&of->names, of->map, of->options.before, error));
    const tm_status status = write_pieces(of, job, error);
    tmi_names_release(&of->names);
    return status;
}

tm_status tm_mapdir_write(const tm_map *map, const tm_files_out *files,
                          const tm_mapdir_write_options *options, const tm_job *job, tm_findings *findings,
                          tm_error *error)
{
    tmi_writing of = {.map = map, .files = files, .findings = findings, .add = tmi_add_folder};
    TM_TRY(tmi_options_take(&of.options, sizeof(of.options), options, "tm_mapdir_write_options", error));
    if (of.options.format != TM_MAPDIR_TEEMAP && of.options.format != TM_MAPDIR_TWMAP)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "%d is no format of folders", (int)of.options.format);
    if (of.options.format == TM_MAPDIR_TWMAP)
        of.add = tmi_add_twmap;
    return write_files(&of, job, error);
}

tm_status tm_mapdir_extract(const tm_map *map, const tm_files_out *files, const tm_job *job, tm_error *error)
{
    tmi_writing of = {.map = map, .files = files, .add = tmi_add_assets};
    return write_files(&of, job, error);
}

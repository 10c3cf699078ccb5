/* SPDX-License-Identifier: Zlib */
/*
 * cmd_embed.c - `teemap embed`: embeds images and sounds into maps, from the games' folders or from files
 * that `teemap extract` wrote. The library does the work.
 */
#include "change_maps.h"

typedef struct embed_options {
    change_options change;
    const char *folder; /* NULL: not given */
} embed_options;

static const option_row embed_rows[] = {
    CHANGE_OUTPUT_ROWS(embed_options),
    {0, "from", "DIR", FOLDER_AT(embed_options, folder), .group = GROUP_IMAGES,
     .text = "read images and sounds of NAME.map from DIR/NAME, as written by 'teemap extract -t DIR'"},
    CHANGE_IMAGES_ROW(embed_options),
    CHANGE_RUNNING_ROWS,
    {0},
};

COMMAND(embed, embed_options, 0, -1, .operands = {OPERAND_MAP}, .searches_images = true);

typedef struct embed_run {
    const embed_options *options;
    tm_store_folder *folder; /* of --from */
} embed_run;

static tm_status embed_one(void *ctx, changed_map *map, tm_error *error)
{
    const embed_run *run = ctx;
    if (!run->folder)
        return change_by_operation(map, &run->options->change, "embed", NULL, 0, error);
    const tm_files_in files = tm_store_folder_in(run->folder);
    char *name = files_stem(map->relative);
    const tm_status status = tm_mapdir_embed(map->file.map, &files, name, &map->done, error);
    if (status == TM_ERROR_NOT_FOUND && !error->place[0])
        fail(error, status, "there is no file of an image or a sound of this map in '%.200s/%.200s'",
             run->options->folder, name);
    free(name);
    return status;
}

int cmd_embed(cli_tool *tool)
{
    embed_run run = {.options = tool->options};
    tm_error error = {.offset = -1};
    if (run.options->folder && tm_store_folder_open(&run.folder, run.options->folder, false, NULL, &error)) {
        tool_error(tool, run.options->folder, &error);
        return STATUS_TROUBLE;
    }
    change_maps(tool, tool->options, tool->operands, tool->num_operands,
                &(change_command){.ctx = &run, .work = embed_one});
    tm_store_folder_close(run.folder);
    return STATUS_DONE;
}

/* SPDX-License-Identifier: Zlib */
/*
 * The files of MapDir but for layers: version, info with settings, images, sounds, envelopes, groups. What
 * one of them cannot hold is counted by its piece.
 */
#include "twmap.h"

#include <teemap/base.h>

/* A file being written: `p` stands in its outermost object. */
typedef struct twmap_file {
    tmi_text_out to;
    tmi_pretty p;
} twmap_file;

static void begin_twmap_file(twmap_file *file, const tm_output *output, tm_error *error)
{
    tmi_text_begin(&file->to, output, error);
    file->p = (tmi_pretty){&file->to, 0, false};
    tmi_pretty_open(&file->p, NULL, '{');
}

static tm_status end_twmap_file(twmap_file *file)
{
    tmi_pretty_close(&file->p, '}');
    return tmi_text_end(&file->to);
}

static void put_twmap_text(tmi_pretty *p, const char *key, const char *text, uint64_t *lost)
{
    tmi_pretty_key(p, key);
    *lost += !tmi_text_quoted(p->to, text ? text : "");
}

static void twmap_path(char *path, const tmi_piece *at, tm_object kind, const char *end)
{
    tmi_format(path, TMI_PATH_SIZE, "%s/%s%s", tmi_list_names[kind], at->of->names.of[kind][at->index], end);
}

/* ---------------------------------------------------------------------------------------------- whole map */

static void path_of_version(char *path, const tmi_piece *at)
{
    (void)at;
    tmi_format(path, TMI_PATH_SIZE, "version.json");
}

static tm_status put_twmap_version(void *ctx, const tm_output *output, tm_error *error)
{
    tmi_piece *at = ctx;
    char program[64];
    twmap_file file;
    at->lost[TMI_LOSS_NUMBER] += at->of->map->version != 1;
    begin_twmap_file(&file, output, error);
    tmi_format(program, sizeof(program), "teemap %s", tm_version());
    put_twmap_text(&file.p, "type", tmi_twmap_games[at->of->map->game == TM_GAME_TEEWORLDS07],
                   &at->lost[TMI_LOSS_TEXT]);
    put_twmap_text(&file.p, "created_by", program, &at->lost[TMI_LOSS_TEXT]);
    return end_twmap_file(&file);
}

static void path_of_twmap_info(char *path, const tmi_piece *at)
{
    (void)at;
    tmi_format(path, TMI_PATH_SIZE, "info.json");
}

static tm_status put_twmap_info(void *ctx, const tm_output *output, tm_error *error)
{
    tmi_piece *at = ctx;
    const tm_info *info = &at->of->map->info;
    uint64_t *lost = &at->lost[TMI_LOSS_TEXT];
    twmap_file file;
    begin_twmap_file(&file, output, error);
    put_twmap_text(&file.p, "author", info->author, lost);
    put_twmap_text(&file.p, "version", info->version, lost);
    put_twmap_text(&file.p, "credits", info->credits, lost);
    put_twmap_text(&file.p, "license", info->license, lost);
    tmi_pretty_open(&file.p, "settings", '[');
    for (uint32_t i = 0; i < info->num_settings; i++)
        put_twmap_text(&file.p, NULL, info->settings[i], lost);
    tmi_pretty_close(&file.p, ']');
    return end_twmap_file(&file);
}

/* ------------------------------------------------------------------------------------------------ objects */

/* Whether the name that MapDir reads from a file's name is this one. */
static bool is_in_file_name(const tmi_piece *at, tm_object kind, const char *name)
{
    const char *stem = strchr(at->of->names.of[kind][at->index], '_');
    return strcmp(stem ? stem + 1 : "", name ? name : "") == 0;
}

static const tm_image *twmap_image(const tmi_piece *at)
{
    return &at->of->map->images[at->index];
}

static void path_of_twmap_pixels(char *path, const tmi_piece *at)
{
    twmap_path(path, at, TM_OBJECT_IMAGE, ".png");
}

static tm_status put_twmap_pixels(void *ctx, const tm_output *output, tm_error *error)
{
    tmi_piece *at = ctx;
    at->lost[TMI_LOSS_NAME] += !is_in_file_name(at, TM_OBJECT_IMAGE, twmap_image(at)->name);
    at->lost[TMI_LOSS_ALPHA] += twmap_image(at)->format == TM_IMAGE_RGB;
    return tmi_put_pixels(ctx, output, error);
}

static void path_of_external(char *path, const tmi_piece *at)
{
    twmap_path(path, at, TM_OBJECT_IMAGE, ".json");
}

static tm_status put_external(void *ctx, const tm_output *output, tm_error *error)
{
    tmi_piece *at = ctx;
    const tmi_rows rows = tmi_twmap_rows(TMI_TABLE_IMAGE);
    twmap_file file;
    begin_twmap_file(&file, output, error);
    at->lost[TMI_LOSS_NAME] += !is_in_file_name(at, TM_OBJECT_IMAGE, twmap_image(at)->name);
    at->lost[TMI_LOSS_PIXELS] += twmap_image(at)->pixels ? 1 : 0;
    tmi_twmap_put(&file.p, rows.list, rows.num, twmap_image(at), &at->of->names, at->lost);
    return end_twmap_file(&file);
}

static void path_of_twmap_opus(char *path, const tmi_piece *at)
{
    twmap_path(path, at, TM_OBJECT_SOUND, ".opus");
}

static tm_status put_twmap_opus(void *ctx, const tm_output *output, tm_error *error)
{
    tmi_piece *at = ctx;
    at->lost[TMI_LOSS_NAME] += !is_in_file_name(at, TM_OBJECT_SOUND, at->of->map->sounds[at->index].name);
    return tmi_put_opus(ctx, output, error);
}

static void path_of_twmap_envelope(char *path, const tmi_piece *at)
{
    twmap_path(path, at, TM_OBJECT_ENVELOPE, ".json");
}

/* What stands in channels that the envelope does not have, and tangents where no curve uses them. */
static bool has_idle_values(const tm_envelope_point *point, int32_t channels)
{
    for (int32_t c = 0; c < 4; c++) {
        const bool tangents = point->in_dx[c] || point->in_dy[c] || point->out_dx[c] || point->out_dy[c];
        if ((c >= channels && (point->values[c] || tangents)) ||
            (point->curve != TM_CURVE_BEZIER && tangents))
            return true;
    }
    return false;
}

static void put_twmap_points(tmi_pretty *p, tmi_piece *at, const tm_envelope *envelope)
{
    const tmi_rows rows = tmi_twmap_rows(tmi_twmap_point_table(envelope->channels));
    tmi_pretty_open(p, "points", '[');
    for (uint32_t i = 0; i < envelope->num_points; i++) {
        const tm_envelope_point *point = &envelope->points[i];
        tmi_pretty_open(p, NULL, '{');
        tmi_twmap_put(p, rows.list, point->curve == TM_CURVE_BEZIER ? rows.num : rows.num_plain, point,
                      &at->of->names, at->lost);
        tmi_pretty_close(p, '}');
        at->lost[TMI_LOSS_POINT] += has_idle_values(point, envelope->channels);
    }
    tmi_pretty_close(p, ']');
}

static tm_status put_twmap_envelope(void *ctx, const tm_output *output, tm_error *error)
{
    tmi_piece *at = ctx;
    const tm_envelope *envelope = &at->of->map->envelopes[at->index];
    twmap_file file;
    begin_twmap_file(&file, output, error);
    put_twmap_text(&file.p, "type", tmi_twmap_channels(envelope->channels), &at->lost[TMI_LOSS_TEXT]);
    put_twmap_text(&file.p, "name", envelope->name, &at->lost[TMI_LOSS_TEXT]);
    tmi_pretty_key(&file.p, "synchronized");
    tmi_text_string(&file.to, envelope->synchronized ? "true" : "false");
    put_twmap_points(&file.p, at, envelope);
    return end_twmap_file(&file);
}

static void path_of_twmap_group(char *path, const tmi_piece *at)
{
    twmap_path(path, at, TM_OBJECT_GROUP, "/group.json");
}

/* twmap takes none below zero, which clips all as zero does. */
static void hold_size(int32_t *size, tmi_piece *at)
{
    at->lost[TMI_LOSS_NUMBER] += *size < 0;
    *size = *size < 0 ? 0 : *size;
}

static tm_status put_twmap_group(void *ctx, const tm_output *output, tm_error *error)
{
    tmi_piece *at = ctx;
    tm_group held = at->of->map->groups[at->index];
    const char *name = tmi_twmap_group_name(&held);
    const tmi_rows rows = tmi_twmap_rows(TMI_TABLE_GROUP);
    twmap_file file;
    if (strcmp(name, held.name) != 0) {
        at->lost[TMI_LOSS_PHYSICS]++;
        tmi_format(held.name, sizeof(held.name), "%s", name);
    }
    hold_size(&held.clip_w, at);
    hold_size(&held.clip_h, at);
    begin_twmap_file(&file, output, error);
    tmi_twmap_put(&file.p, rows.list, rows.num_plain, &held, &at->of->names, at->lost);
    at->lost[TMI_LOSS_ZOOM] += held.has_parallax_zoom;
    return end_twmap_file(&file);
}

static void path_of_twmap_layer(char *path, const tmi_piece *at)
{
    tmi_format(path, TMI_PATH_SIZE, "%s/%s/layers/%s.json", tmi_list_names[TM_OBJECT_GROUP],
               at->of->names.of[TM_OBJECT_GROUP][at->index], at->of->names.layers[at->index][at->layer]);
}

/* -------------------------------------------------------------------------------------------- all of them */

static const tmi_piece_kind version_piece = {path_of_version, put_twmap_version, NULL, TM_ADDRESS_MAP};
static const tmi_piece_kind info_piece = {path_of_twmap_info, put_twmap_info, NULL, TM_ADDRESS_INFO};
static const tmi_piece_kind pixels_piece = {path_of_twmap_pixels, put_twmap_pixels, tmi_piece_pixels,
                                            TM_ADDRESS_IMAGE};
static const tmi_piece_kind external_piece = {path_of_external, put_external, NULL, TM_ADDRESS_IMAGE};
static const tmi_piece_kind opus_piece = {path_of_twmap_opus, put_twmap_opus, tmi_piece_opus,
                                          TM_ADDRESS_SOUND};
static const tmi_piece_kind envelope_piece = {path_of_twmap_envelope, put_twmap_envelope, NULL,
                                              TM_ADDRESS_ENVELOPE};
static const tmi_piece_kind group_piece = {path_of_twmap_group, put_twmap_group, NULL, TM_ADDRESS_GROUP};
static const tmi_piece_kind layer_piece = {path_of_twmap_layer, tmi_twmap_put_layer, tmi_piece_elements,
                                           TM_ADDRESS_LAYER};

void tmi_add_twmap(tmi_writing *of)
{
    const tm_map *map = of->map;
    tmi_add_piece(of, &version_piece, 0, 0);
    tmi_add_piece(of, &info_piece, 0, 0);
    for (uint32_t i = 0; i < map->num_images; i++)
        tmi_add_piece(of,
                      tmi_pixels_form(&map->images[i]) == TMI_BLOCK_PICTURE ? &pixels_piece : &external_piece,
                      i, 0);
    for (uint32_t i = 0; i < map->num_sounds; i++)
        if (of->names.of[TM_OBJECT_SOUND][i])
            tmi_add_piece(of, &opus_piece, i, 0);
    for (uint32_t i = 0; i < map->num_envelopes; i++)
        if (of->names.of[TM_OBJECT_ENVELOPE][i])
            tmi_add_piece(of, &envelope_piece, i, 0);
    for (uint32_t g = 0; g < map->num_groups; g++) {
        tmi_add_piece(of, &group_piece, g, 0);
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++)
            if (of->names.layers[g][l])
                tmi_add_piece(of, &layer_piece, g, l);
    }
}

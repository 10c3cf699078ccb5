/* SPDX-License-Identifier: Zlib */
/*
 * Sources of the content of images and sounds: inside the map, from the games' folders, or from a file that
 * the caller names.
 */
#include "edit_images.h"
#include "../codec/codec.h"
#include "../games/games.h"

#include <teemap/codec.h>

/* ------------------------------------------------------------------------------ the games' own pixels */

tm_status tmi_edit_games_pixels(tmi_pixels *out, const tmi_edit *edit, const tm_image *image, tm_error *error)
{
    const tm_edit_options *options = edit->options;
    memset(out, 0, sizeof(*out));
    if (!options->images || !image->name || !image->name[0])
        return TM_OK;
    tmi_pixels picture = {NULL, image->width > 0 ? (uint32_t)image->width : 0,
                          image->height > 0 ? (uint32_t)image->height : 0};
    TM_TRY(tmi_game_provide_image(&picture.rgba, &picture.width, &picture.height, options->images,
                                  options->images_ctx, image->name, edit->map->game, edit->scratch, error));
    if (picture.rgba)
        *out = picture;
    return TM_OK;
}

static void report_not_found(tmi_edit *edit, uint32_t index)
{
    tmi_edit_report(edit, TM_FINDING_IMAGE_NOT_FOUND, tmi_edit_image_address(index),
                    "left as it is: it is not installed; name its folder, or use 'replace image'");
}

tm_status tmi_image_embed(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    tmi_pixels found;
    if (!edit->map->images[address->index].external)
        return TM_OK;
    TM_TRY(tmi_edit_games_pixels(&found, edit, &edit->map->images[address->index], error));
    if (!found.rgba) {
        report_not_found(edit, address->index);
        return TM_OK;
    }
    tmi_edit_changed(edit, *address, 1, "embedded, %ux%u pixels", (unsigned)found.width,
                     (unsigned)found.height);
    return tm_map_set_pixels(edit->map, address->index, found.rgba, found.width, found.height, error);
}

/* -------------------------------------------------------------------------------------------- external */

/* Why an image cannot become external; false when it can, as the game's pixels equal its own. */
static bool stays_embedded(char *reason, size_t size, const tmi_edit *edit, const tm_image *image,
                           const tmi_pixels *picture, const tmi_pixels *games)
{
    const tm_shipped_image *shipped = tm_game_shipped_image(image->name ? image->name : "");
    uint64_t seen = 0, hidden = 0;
    if (!shipped || !shipped->games[edit->map->game]) {
        tmi_format(reason, size, "%s has no image of this name", tm_game_name(edit->map->game));
        return true;
    }
    if (!games->rgba) {
        tmi_format(reason, size, "the game's image is not installed here, so it cannot be compared");
        return true;
    }
    if (picture->width != games->width || picture->height != games->height) {
        tmi_format(reason, size, "the game's image has %ux%u pixels", (unsigned)games->width,
                   (unsigned)games->height);
        return true;
    }
    for (size_t i = 0, num = (size_t)picture->width * picture->height; i < num; i++) {
        const uint8_t *first = picture->rgba + i * 4, *other = games->rgba + i * 4;
        if (memcmp(first, other, 4) != 0)
            ++*(first[3] == 0 && other[3] == 0 ? &hidden : &seen);
    }
    if (seen)
        tmi_format(reason, size, "%llu of its pixels differ from those of the game",
                   (unsigned long long)seen);
    else if (hidden)
        tmi_format(reason, size, "%llu pixels that are not visible have another color than those of the game",
                   (unsigned long long)hidden);
    return seen || hidden;
}

/* An image that differs from the game's stays embedded; who names it alone gets a finding that says why. */
tm_status tmi_image_externalize(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    char reason[128];
    tmi_pixels picture, games;
    const tm_image *image = &edit->map->images[address->index];
    if (image->external)
        return TM_OK;
    TM_TRY(tmi_edit_pixels(&picture, edit, address->index, edit->asked, error));
    if (!picture.rgba)
        return TM_OK;
    TM_TRY(tmi_edit_games_pixels(&games, edit, image, error));
    const bool stays = stays_embedded(reason, sizeof(reason), edit, image, &picture, &games);
    if (stays && edit->asked)
        tmi_edit_report(edit, TM_FINDING_NOT_EXTERNALIZED, *address, "left embedded: %s", reason);
    if (stays)
        return TM_OK;
    tmi_edit_changed(edit, *address, 1, "made external: the game has the same pixels");
    return tm_map_set_pixels(edit->map, address->index, NULL, picture.width, picture.height, error);
}

/* No game ships sounds: users who do this distribute them themselves. */
tm_status tmi_sound_externalize(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    if (edit->map->sounds[address->index].external)
        return TM_OK;
    tmi_edit_changed(edit, *address, 1, "made external");
    return tm_map_set_sound(edit->map, address->index, NULL, 0, error);
}

/* --------------------------------------------------------------------------------- sizes of external ones */

tm_status tmi_image_fill_size(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    tm_image *image = &edit->map->images[address->index];
    tmi_pixels found = {0};
    if (!image->external)
        return TM_OK;
    const tm_shipped_image *shipped = tm_game_shipped_image(image->name ? image->name : "");
    if (shipped && shipped->games[edit->map->game]) {
        found.width = shipped->width;
        found.height = shipped->height;
    } else {
        TM_TRY(tmi_edit_games_pixels(&found, edit, image, error));
    }
    if (!found.width)
        report_not_found(edit, address->index);
    if (!found.width || (image->width == (int32_t)found.width && image->height == (int32_t)found.height))
        return TM_OK;
    tmi_edit_changed(edit, *address, 1, "its size is %ux%u, not %dx%d", (unsigned)found.width,
                     (unsigned)found.height, (int)image->width, (int)image->height);
    return tm_map_set_pixels(edit->map, address->index, NULL, found.width, found.height, error);
}

/* ------------------------------------------------------------------------------------------- from files */

const char *tmi_edit_stem(size_t *size, const char *file)
{
    const char *base = file;
    for (const char *c = file; *c; c++)
        if (*c == '/' || *c == '\\')
            base = c + 1;
    const char *dot = strrchr(base, '.');
    *size = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    return base;
}

tm_status tmi_edit_open_picture(tmi_edit_picture *out, const tmi_edit *edit, const char *name,
                                tm_error *error)
{
    memset(out, 0, sizeof(*out));
    TM_TRY(tmi_edit_read(&out->bytes, &out->size, edit, name, error));
    const tm_status status =
        tm_picture_read(&out->pixels.rgba, &out->pixels.width, &out->pixels.height, out->bytes, out->size,
                        edit->map->priv->limits.block_bytes, edit->scratch, error);
    return status ? tmi_fail_at(error, status, "%.100s", name) : TM_OK;
}

/* Opens a file as a picture or a sound, by the kind of the operation's row. */
static tm_status open_content(tmi_edit_picture *out, const tmi_edit *edit, const char *name, tm_error *error)
{
    if (edit->kind == TM_KIND_IMAGE)
        return tmi_edit_open_picture(out, edit, name, error);
    memset(out, 0, sizeof(*out));
    TM_TRY(tmi_edit_read(&out->bytes, &out->size, edit, name, error));
    const char *fault = tmi_opus_fault(out->bytes, out->size, out->size);
    if (!fault)
        return TM_OK;
    return tmi_fail_at(error,
                       tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "cannot take it as a sound: %s", fault),
                       "%.100s", name);
}

static tm_status set_content(tmi_edit *edit, const tm_address *address, const tmi_edit_picture *file,
                             tm_error *error)
{
    return address->kind == TM_KIND_IMAGE
               ? tm_map_set_pixels(edit->map, address->index, file->pixels.rgba, file->pixels.width,
                                   file->pixels.height, error)
               : tm_map_set_sound(edit->map, address->index, file->bytes, file->size, error);
}

tm_status tmi_edit_read_content(tmi_edit *edit, const tm_address *address, const char *name, tm_error *error)
{
    tmi_edit_picture file;
    TM_TRY(open_content(&file, edit, name, error));
    return set_content(edit, address, &file, error);
}

static tm_status replace_content(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    const tmi_edit_picture *file = edit->ctx;
    if (address->kind == TM_KIND_IMAGE)
        tmi_edit_changed(edit, *address, 1, "replaced by %ux%u pixels", (unsigned)file->pixels.width,
                         (unsigned)file->pixels.height);
    else
        tmi_edit_changed(edit, *address, 1, "replaced by %llu bytes", (unsigned long long)file->size);
    return set_content(edit, address, file, error);
}

static tm_status put_games_image(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    const tm_shipped_image *const *pointer = edit->ctx, *shipped = *pointer;
    tmi_edit_changed(edit, *address, 1, "is the game's '%s' now", shipped->name);
    TM_TRY(tm_map_set_text(edit->map, &edit->map->images[address->index].name, shipped->name, error));
    tmi_edit_report_name_taken(edit, *address);
    return tm_map_set_pixels(edit->map, address->index, NULL, shipped->width, shipped->height, error);
}

/* Makes images the external image `name`, which the map's game must ship. */
static tm_status replace_by_games(tmi_edit *edit, const char *name, tm_error *error)
{
    const tm_shipped_image *shipped = tm_game_shipped_image(name), *row;
    const tm_game game = edit->map->game;
    if (shipped && shipped->games[game])
        return tmi_edit_each(edit, TM_KIND_IMAGE, put_games_image, &shipped, error);
    char hint[96];
    tm_suggestion meant;
    tm_suggestion_begin(&meant, name);
    for (uint32_t n = 0; (row = tmi_game_shipped_image_at(n)); n++)
        if (row->games[game])
            tm_suggestion_try(&meant, row->name);
    tm_suggestion_format(&meant, hint, sizeof(hint));
    return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "%s has no image '%.60s'%s", tm_game_name(game), name,
                    hint);
}

/* Replaces the content of images or sounds, by the kind of the operation's row. */
tm_status tmi_edit_replace_content(tmi_edit *edit, tm_error *error)
{
    static const char of_game[] = "game:";
    const char *name = edit->values[1].text;
    const bool is_image = edit->kind == TM_KIND_IMAGE;
    tmi_edit_picture file;
    if (is_image && strncmp(name, of_game, sizeof(of_game) - 1) == 0)
        return replace_by_games(edit, name + sizeof(of_game) - 1, error);
    const tm_status status = open_content(&file, edit, name, error);
    const tm_shipped_image *shipped = is_image ? tm_game_shipped_image(name) : NULL;
    if (status == TM_ERROR_IO && shipped && shipped->games[edit->map->game])
        return tmi_fail(error, status, -1, "there is no file '%s'; the game's image of that name is '%s%s'",
                        shipped->name, of_game, shipped->name);
    TM_TRY(status);
    return tmi_edit_each(edit, edit->kind, replace_content, &file, error);
}

/* SPDX-License-Identifier: Zlib */
/*
 * Pictures that both games ship under one name: mostly a few pixels differ, and where the map shows only
 * cells that are equal the image may stay external.
 */
#include "convert.h"

/* Two pictures of one size, and whether colors count that cannot be seen. */
typedef struct picture_pair {
    const uint8_t *one, *other;
    uint32_t width, height;
    bool hidden_counts; /* 0.7 multiplies colors by alpha before it filters them; DDNet does not */
} picture_pair;

static bool pixels_equal(const picture_pair *of, uint32_t x0, uint32_t y0, uint32_t width, uint32_t height)
{
    for (uint32_t y = y0; y < y0 + height; y++) {
        const size_t at = ((size_t)y * of->width + x0) * 4;
        const uint8_t *a = of->one + at, *b = of->other + at;
        if (memcmp(a, b, (size_t)width * 4) == 0)
            continue;
        for (uint32_t x = 0; x < width; x++, a += 4, b += 4)
            if (memcmp(a, b, 4) != 0 && (of->hidden_counts || a[3] || b[3]))
                return false;
    }
    return true;
}

/* Quads show anything, and cells of a sheet that cannot be cut into 16 x 16 are not where they seem to be. */
static bool parts_equal(const picture_pair *of, const tmi_image_uses *uses)
{
    const uint32_t width = of->width / TMI_IMAGE_SIDE, height = of->height / TMI_IMAGE_SIDE;
    if (uses->quad_layers || uses->any_cell || of->width % TMI_IMAGE_SIDE || of->height % TMI_IMAGE_SIDE)
        return pixels_equal(of, 0, 0, of->width, of->height);
    for (uint32_t cell = 0; cell < TMI_IMAGE_CELLS; cell++)
        if (uses->cells[cell] &&
            !pixels_equal(of, cell % TMI_IMAGE_SIDE * width, cell / TMI_IMAGE_SIDE * height, width, height))
            return false;
    return true;
}

/* What of each image is shown is found out when the first one is asked for. */
static tm_status need_uses(tmi_convert *convert, tm_error *error)
{
    const size_t num = convert->map->num_images;
    if (convert->uses)
        return TM_OK;
    TM_TRY(tmi_reserve_zeroed(&convert->uses, tmi_map_allocator(convert->map), num, sizeof(*convert->uses),
                              "uses of images", error));
    return tmi_map_image_uses(convert->uses, convert->map, error);
}

static tm_status compare_shown(bool *same, tmi_convert *convert, uint32_t index, const picture_pair *pair,
                               tm_error *error)
{
    TM_TRY(need_uses(convert, error));
    *same = parts_equal(pair, &convert->uses[index]);
    if (*same)
        tmi_convert_changed(convert, tmi_convert_at(TM_ADDRESS_IMAGE, index, 0), 1,
                            "stays external: what the map shows of it is the same in %s",
                            tmi_convert_target(convert));
    return TM_OK;
}

tm_status tmi_convert_shows_same(bool *same, tmi_convert *convert, uint32_t index, const tmi_pixels *picture,
                                 tm_error *error)
{
    const tm_convert_options *options = convert->options;
    const tm_allocator *allocator = tmi_map_allocator(convert->map);
    const char *name = convert->map->images[index].name;
    const tm_shipped_image *shipped = tm_game_shipped_image(name);
    tmi_pixels own = {NULL, 0, 0};
    *same = false;
    if (!picture->rgba || !options->shipped || !shipped || !shipped->games[convert->to])
        return TM_OK;
    tm_status status = options->shipped(options->shipped_ctx, name, convert->to, allocator, &own.rgba,
                                        &own.width, &own.height);
    if (status) /* then it is embedded; only memory that is short is a failure */
        return status == TM_ERROR_MEMORY ? tmi_fail_memory(error, 0, "an image") : TM_OK;
    if (own.width == picture->width && own.height == picture->height) {
        const picture_pair pair = {picture->rgba, own.rgba, own.width, own.height,
                                   convert->to == TM_GAME_DDNET};
        status = compare_shown(same, convert, index, &pair, error);
    }
    tmi_free(allocator, own.rgba, (size_t)own.width * own.height, 4);
    return status;
}

/* SPDX-License-Identifier: Zlib */
/*
 * Repairs: for each finding of loading and checking a map, the fix in the model, if there is one. Most fixes
 * write an object again: its item is then made from the model, which only has valid values. A new repair is a
 * row of the table and, if it is of another kind, a function.
 */
#include "edit_geometry.h"
#include "edit_images.h"
#include "edit_tiles.h"

/* ------------------------------------------------------------------------------------------ one object */

/* A finding at work. */
typedef struct fixing {
    tm_map *map;
    const tm_finding *finding;
    tm_address address;
    tm_layer *layer;             /* there; NULL: it is none */
    tm_tile_layer *tiles;        /* of a layer of tiles, else NULL */
    tm_envelope *envelope;       /* there; NULL: it is none */
    uint64_t count;              /* how many things were fixed; 0: nothing was there to fix */
    tm_fix_effect most;          /* what may be done */
    tm_findings *findings;       /* for what is lost; NULL: nobody asks */
    uint64_t *air;               /* bytes of tiles that layers without any may still get */
    const tm_allocator *scratch; /* ends with the finding */
} fixing;

typedef tm_status fix_function(fixing *m, tm_error *error);

/* Forgets the item of an object, so that saving makes a new one; what only the item has is lost. */
static void forget_item(fixing *m, tm_origin *origin, tm_address address)
{
    if (m->findings && tmi_map_has_tail(m->map, *origin))
        tmi_report_at_address(
            m->findings, TM_MODE_GAME, TM_FINDING_LOST_FIELD, m->map, address, -1,
            "integers behind those that teemap knows are left out, since the item is made anew");
    *origin = (tm_origin){NULL, 0};
}

/* Reports a repair that would take more than the limits allow: the fault stays, and so does its finding. */
static void report_too_large(const fixing *m, const char *reason)
{
    tmi_report_at_address(m->findings, TM_MODE_GAME, TM_FINDING_NOT_REPAIRED, m->map, m->address, -1,
                          "%s: not repaired: %s", m->finding->text, reason);
}

/* Lets saving make a new item of the object. */
static tm_status renew(fixing *m, tm_error *error)
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
        forget_item(m, origin, m->address);
        m->count = 1;
    }
    return TM_OK;
}

static tm_status renew_envelopes(fixing *m, tm_error *error)
{
    (void)error;
    for (uint32_t i = 0; i < m->map->num_envelopes; i++)
        forget_item(m, &m->map->envelopes[i].origin, (tm_address){TM_KIND_ENVELOPE, i, 0});
    m->count = m->map->num_envelopes;
    return TM_OK;
}

static tm_status set_version(fixing *m, tm_error *error)
{
    (void)error;
    if (m->map->num_groups) { /* else it is from before 2008, or no map */
        m->map->version = 1;
        m->count = 1;
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------- items and data */

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
static tm_status repack(fixing *m, tm_error *error)
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

static tm_status fix_tiles(fixing *m, tm_error *error);

/* A block of no object may be that of a text; texts are written again from the model. */
static tm_status repack_data(fixing *m, tm_error *error)
{
    const int32_t data = (int32_t)m->address.index;
    tm_address address = tmi_whole_map;
    if (m->tiles && !m->tiles->tiles) /* the data were far too short for a block */
        return fix_tiles(m, error);
    if (m->address.kind == TM_KIND_LAYER)
        return repack(m, error);
    if (m->address.kind != TM_KIND_DATA)
        return TM_OK;
    while (tmi_next_object(m->map, &address)) {
        tm_block *blocks[2];
        for (uint32_t i = blocks_of(blocks, m->map, address); i > 0; i--)
            if (tm_block_get_info(blocks[i - 1]).data_index == data) {
                m->address = address;
                return repack(m, error);
            }
    }
    forget_item(m, &m->map->info.origin, (tm_address){TM_KIND_INFO, 0, 0});
    for (uint32_t i = 0; i < m->map->num_images; i++)
        forget_item(m, &m->map->images[i].origin, (tm_address){TM_KIND_IMAGE, i, 0});
    for (uint32_t i = 0; i < m->map->num_sounds; i++)
        forget_item(m, &m->map->sounds[i].origin, (tm_address){TM_KIND_SOUND, i, 0});
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

static void tidy_name(fixing *m, char *name, size_t size)
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

static tm_status fix_name(fixing *m, tm_error *error)
{
    if (m->layer)
        tidy_name(m, m->layer->name, sizeof(m->layer->name));
    else if (m->address.kind == TM_KIND_GROUP)
        tidy_name(m, m->map->groups[m->address.index].name, TM_NAME_SIZE);
    else if (m->envelope)
        tidy_name(m, m->envelope->name, TM_ENVELOPE_NAME_SIZE);
    else
        return TM_OK; /* images and sounds are found by their names */
    return renew(m, error);
}

/* For the info, also texts that only lack their end. */
static tm_status fix_texts(fixing *m, tm_error *error)
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
    return renew(m, error);
}

/* -------------------------------------------------------------------------------------------------- tiles */

static const char claimed_only[] = "it claims far more tiles than there are";

/* Tiles that are missing are air, as the games show them; a size that is only claimed is not filled. */
static tm_status fix_tiles(fixing *m, tm_error *error)
{
    tm_edit_grid grid;
    const tm_tile_layer *tiles = m->tiles;
    if (!tiles || !tiles->width || !tiles->height)
        return TM_OK;
    if (!tiles->tiles && !tmi_take_air(m->air, (uint64_t)tiles->width * tiles->height,
                                       tm_game_layer(m->layer->kind)->element_size)) {
        report_too_large(m, claimed_only);
        return TM_OK;
    }
    TM_TRY(tm_map_edit_tiles(&grid, m->map, m->address.index, m->address.layer, error));
    return renew(m, error);
}

/* Reads a physics layer with the width of the game layer, as the games do; missing tiles are air. */
static tm_status fix_physics_size(fixing *m, tm_error *error)
{
    const tm_layer *game = tm_map_physics_layer(NULL, NULL, m->map, TM_LAYER_GAME);
    if (!m->tiles || m->layer->kind == TM_LAYER_GAME || !game)
        return TM_OK;
    const uint32_t size[2] = {game->as.tiles.width, game->as.tiles.height};
    if (!size[0] || !size[1])
        return TM_OK;
    const uint64_t have = (uint64_t)m->tiles->width * m->tiles->height, want = (uint64_t)size[0] * size[1];
    if (want > have && !tmi_take_air(m->air, want - have, tm_game_layer(m->layer->kind)->element_size)) {
        report_too_large(m, "the game layer claims far more tiles than there are");
        return TM_OK;
    }
    TM_TRY(tmi_map_rewrap(m->map, m->layer, size, error));
    return renew(m, error);
}

/* The only layer of a kind works in any group. Of several, the games use the last, so they stay. */
static tm_status gather_physics(fixing *m, tm_error *error)
{
    uint32_t game, group, index;
    if (!tm_map_physics_layer(&game, NULL, m->map, TM_LAYER_GAME))
        return TM_OK;
    m->address = tmi_whole_map;
    for (int k = 0; k < TM_LAYER_KINDS; k++) {
        const tm_layer_kind kind = (tm_layer_kind)k;
        const tm_layer *layer = tm_map_physics_layer(&group, &index, m->map, kind);
        if (!layer || !tm_game_layer(kind)->is_physics || group == game ||
            layer != tm_map_find_layer(NULL, NULL, m->map, kind))
            continue;
        TM_TRY(tm_map_move_layer(m->map, group, index, game, m->map->groups[game].num_layers, error));
        m->count++;
    }
    return TM_OK;
}

/* A design layer that is too small grows by repeating its edge, as the games draw it. */
static tm_status fix_layer_size(fixing *m, tm_error *error)
{
    if (!m->tiles || m->layer->kind != TM_LAYER_TILES)
        return TM_OK;
    const uint32_t w = m->tiles->width, h = m->tiles->height;
    if (w > 1 && h > 1)
        return TM_OK;
    if (m->tiles->tiles && (!w || !h)) /* nobody knows how these tiles lie */
        tmi_report_at_address(m->findings, TM_MODE_GAME, TM_FINDING_LOST_TILES, m->map, m->address, -1,
                              "the layer has no size, and its %llu bytes of tiles are left out",
                              (unsigned long long)tm_block_get_info(m->tiles->tiles).size);
    const uint32_t size[2] = {w < 2 ? 2 : w, h < 2 ? 2 : h};
    TM_TRY(tmi_map_regrid(m->map, m->layer, size, tmi_edit_cut_grid, (uint32_t[2]){0, 0}, error));
    return renew(m, error);
}

static tm_status fix_color(fixing *m, tm_error *error)
{
    (void)error;
    if (!m->tiles)
        return TM_OK;
    tm_color *color = &m->tiles->color;
    int32_t *const channels[] = {&color->r, &color->g, &color->b, &color->a};
    for (size_t i = 0; i < TMI_COUNT_OF(channels); i++) {
        const int32_t fits = (int32_t)tmi_clamp(*channels[i], 0, 255);
        m->count += *channels[i] != fits;
        *channels[i] = fits;
    }
    return TM_OK;
}

/* Corners get the color that the map's game shows: DDNet takes channels modulo 256, Teeworlds limits them. */
static tm_status fix_quad_colors(fixing *m, tm_error *error)
{
    const bool limited = m->map->game == TM_GAME_TEEWORLDS07;
    tm_quad *quads;
    uint32_t num;
    if (!m->layer || m->layer->kind != TM_LAYER_QUADS)
        return TM_OK;
    TM_TRY(tm_map_edit_quads(&quads, &num, m->map, m->address.index, m->address.layer, error));
    for (uint32_t i = 0; i < num; i++)
        for (size_t k = 0; k < TMI_COUNT_OF(quads->colors); k++) {
            tm_color *color = &quads[i].colors[k];
            int32_t *const channels[] = {&color->r, &color->g, &color->b, &color->a};
            for (size_t c = 0; c < TMI_COUNT_OF(channels); c++) {
                const int32_t old = *channels[c];
                *channels[c] = limited ? (int32_t)tmi_clamp(old, 0, UINT8_MAX) : (uint8_t)old;
                m->count += *channels[c] != old;
            }
        }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------- images, envelopes */

/* What there is of the pixels, the rest transparent; *rgba is NULL if there is no row, or far too few. */
static tm_status complete_pixels(uint8_t **rgba, fixing *m, const tm_image *image, tm_error *error)
{
    enum { PIXEL = 4 };
    const void *bytes;
    uint64_t have = image->pixels && image->format == TM_IMAGE_RGBA ? image->pixels->size : 0;
    *rgba = NULL;
    if (image->width <= 0 || image->height <= 0 || have < (uint64_t)image->width * PIXEL)
        return TM_OK;
    const uint64_t size = (uint64_t)image->width * (uint64_t)image->height * PIXEL;
    if (size > SIZE_MAX || !tmi_take_air(m->air, size - have, 1))
        return TM_OK;
    const tm_status status = tm_map_data(&bytes, &have, m->map, image->pixels, error);
    if (status)
        return status == TM_ERROR_DAMAGED ? TM_OK : status;
    TM_TRY(tmi_reserve_zeroed(rgba, m->scratch, (size_t)size, 1, "pixels", error));
    memcpy(*rgba, bytes, (size_t)have);
    return TM_OK;
}

/*
 * An image that lacks the pixels of its size. The client shows what uses it as if it had no image, which is
 * what a white sheet looks like. If it has rows of pixels, these stay, and what is missing is transparent;
 * then the image shows, so that repair is a visible one.
 */
static tm_status fill_pixels(fixing *m, const tm_image *image, tm_error *error)
{
    uint8_t white[TMI_IMAGE_CELLS * sizeof(uint32_t)], *rgba;
    TM_TRY(complete_pixels(&rgba, m, image, error));
    if (rgba && m->most < TM_FIX_VISIBLE)
        return TM_OK;
    if (!rgba && tm_block_get_info(image->pixels).size)
        tmi_report_at_address(m->findings, TM_MODE_GAME, TM_FINDING_LOST_IMAGE, m->map, m->address, -1,
                              "%llu bytes of pixels that do not fit its size are left out",
                              (unsigned long long)tm_block_get_info(image->pixels).size);
    memset(white, 0xff, sizeof(white));
    const uint32_t width = rgba ? (uint32_t)image->width : TMI_IMAGE_SIDE;
    const uint32_t height = rgba ? (uint32_t)image->height : TMI_IMAGE_SIDE;
    TM_TRY(tm_map_set_pixels(m->map, m->address.index, rgba ? rgba : white, width, height, error));
    return renew(m, error);
}

/* Pixels of exactly the size that the image tells, in four bytes each. */
static tm_status fix_pixels(fixing *m, tm_error *error)
{
    if (m->address.kind != TM_KIND_IMAGE)
        return renew(m, error);
    tm_image *image = &m->map->images[m->address.index];
    tmi_pixels picture;
    if (image->external)
        return TM_OK;
    if (image->width > 0 && image->height > 0 &&
        tm_block_get_info(image->pixels).size == (uint64_t)image->width * (uint64_t)image->height * 3)
        image->format = TM_IMAGE_RGB; /* whatever its item says; some tools wrote such images */
    if (!tm_image_rgba_size(image))
        return fill_pixels(m, image, error);
    const tm_status status = tmi_image_pixels(&picture, m->map, image, m->scratch, error);
    if (status) /* the data are broken */
        return status == TM_ERROR_DAMAGED ? TM_OK : status;
    TM_TRY(tm_map_set_pixels(m->map, m->address.index, picture.rgba, picture.width, picture.height, error));
    return renew(m, error);
}

/* An image of no size, or one for tiles with sides that are no multiples of 16: clients do not cut it. */
static tm_status fix_image_size(fixing *m, tm_error *error)
{
    if (m->address.kind == TM_KIND_IMAGE)
        return fix_pixels(m, error);
    const int32_t index = m->tiles ? m->tiles->image : TM_NONE;
    const tm_image *image = tm_map_image(m->map, index);
    tmi_pixels source, target = {0};
    if (m->most < TM_FIX_VISIBLE || !image || !tm_image_rgba_size(image))
        return TM_OK;
    target.width = ((uint32_t)image->width + TMI_IMAGE_SIDE - 1) / TMI_IMAGE_SIDE * TMI_IMAGE_SIDE;
    target.height = ((uint32_t)image->height + TMI_IMAGE_SIDE - 1) / TMI_IMAGE_SIDE * TMI_IMAGE_SIDE;
    const uint64_t size = (uint64_t)target.width * target.height * 4;
    if ((target.width == (uint32_t)image->width && target.height == (uint32_t)image->height) ||
        size > SIZE_MAX)
        return TM_OK;
    if (size > m->map->priv->limits.block_bytes)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "an image of %llu bytes is too large",
                        (unsigned long long)size);
    const tm_status status = tmi_image_pixels(&source, m->map, image, m->scratch, error);
    if (status)
        return status == TM_ERROR_DAMAGED ? TM_OK : status;
    TM_TRY(tmi_reserve(&target.rgba, m->scratch, (size_t)size, 1, "pixels", error));
    tmi_pixels_stretch(&target, &source);
    m->count = 1;
    return tm_map_set_pixels(m->map, (uint32_t)index, target.rgba, target.width, target.height, error);
}

static tm_status drop_external_pixels(fixing *m, tm_error *error)
{
    const tm_image *image = m->address.kind == TM_KIND_IMAGE ? &m->map->images[m->address.index] : NULL;
    if (!image || !image->external || !image->pixels)
        return TM_OK;
    m->count = 1;
    return tmi_drop_pixels(m->map, m->address.index, error);
}

static tm_status fix_curves(fixing *m, tm_error *error)
{
    for (uint32_t i = 0; m->envelope && i < m->envelope->num_points; i++) {
        const int32_t curve = m->envelope->points[i].curve;
        if (curve >= TM_CURVE_STEP && curve <= TM_CURVE_BEZIER)
            continue;
        TM_TRY(tmi_envelope_own(m->map, m->envelope, error));
        m->envelope->points[i].curve = TM_CURVE_LINEAR;
        m->count++;
    }
    return TM_OK;
}

/* Points of equal time stay as they are. */
static tm_status sort_points(fixing *m, tm_error *error)
{
    tmi_point_list sorted = {.scratch = m->scratch};
    tm_envelope *envelope = m->envelope;
    int32_t latest = INT32_MIN;
    if (!envelope)
        return TM_OK;
    for (uint32_t i = 0; i < envelope->num_points; i++) {
        m->count += envelope->points[i].time < latest;
        latest = envelope->points[i].time > latest ? envelope->points[i].time : latest;
    }
    if (!m->count)
        return TM_OK;
    TM_TRY(tmi_points_add_sorted(&sorted, envelope, error));
    TM_TRY(tmi_envelope_own(m->map, envelope, error));
    memcpy(envelope->points, sorted.points, sorted.num * sizeof(*sorted.points));
    return TM_OK;
}

/*
 * More than four channels are read as four by the client, and become four in DDNet's editor; of others, which
 * the client shows in another way, that is a visible change. Values next to the used channels are zero.
 */
static tm_status fix_channels(fixing *m, tm_error *error)
{
    if (!m->envelope || (m->envelope->channels <= TM_ENVELOPE_COLOR && m->most < TM_FIX_VISIBLE))
        return TM_OK;
    m->envelope->channels = TM_ENVELOPE_COLOR;
    return renew(m, error);
}

/* ------------------------------------------------------------------------------------------- odd bytes */

static tm_status clear_unused(fixing *m, tm_error *error)
{
    tm_edit_grid grid;
    if (!m->tiles)
        return TM_OK;
    TM_TRY(tm_map_edit_tiles(&grid, m->map, m->address.index, m->address.layer, error));
    uint8_t *tile = grid.tiles;
    for (uint64_t i = 0; i < (uint64_t)grid.width * grid.height; i++, tile += grid.tile_size)
        m->count += tmi_tile_zero_padding(m->layer->kind, tile);
    return TM_OK;
}

static bool is_bad_use(const fixing *m, const tm_field *field, int32_t index)
{
    return field->refers == TM_KIND_ENVELOPE && index != TM_NONE &&
           (index < 0 || (uint32_t)index >= m->map->num_envelopes);
}

static void count_bad_use(void *ctx, const tm_field *field, int32_t *index)
{
    fixing *m = ctx;
    m->count += is_bad_use(m, field, *index);
}

static void drop_bad_use(void *ctx, const tm_field *field, int32_t *index)
{
    if (is_bad_use(ctx, field, *index))
        *index = TM_NONE;
}

/* Elements that refer to an envelope which does not exist refer to none. */
static tm_status fix_references(fixing *m, tm_error *error)
{
    TM_TRY(renew(m, error));
    TM_TRY(tmi_edit_each_use(m->map, TM_KIND_ENVELOPE, count_bad_use, m, error));
    return tmi_edit_each_use(m->map, TM_KIND_ENVELOPE, drop_bad_use, m, error);
}

/* -------------------------------------------------------------------------------------------- the table */

typedef struct fix_row {
    tm_finding_id id;
    tm_fix_effect effect;
    const char *explanation;
    fix_function *run; /* NULL: saving the map is enough */
} fix_row;

static const char laid_out[] = "the layout of the file is rewritten";
static const char item_anew[] = "its item is rewritten";
static const char packed_anew[] = "its unpacked data are repacked";
static const char clean_name[] =
    "a character that is cut off at the end goes, other invalid UTF-8 becomes question marks";
static const char missing_air[] = "tiles that are missing are air";
static const char envelopes_anew[] = "the points of all envelopes are rewritten";

static const fix_row fix_rows[] = {
    {TM_FINDING_TRAILING_BYTES, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_BAD_SIZE_FIELD, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_BAD_SWAPLEN_FIELD, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_ITEM_SIZE_ODD, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_BAD_TYPE_TABLE, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_ITEM_GAP, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_ITEM_TYPE_MISMATCH, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_ITEM_SIZE_MISMATCH, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_DATA_GAP, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_DATA_OVERLAP, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_LAYOUT_REBUILT, TM_FIX_SAFE, "the header and the tables are written anew", NULL},
    {TM_FINDING_AUTOMAPPER_TARGET, TM_FIX_SAFE, "automapper settings that lead nowhere are left out", NULL},
    {TM_FINDING_DUPLICATE_ITEM_ID, TM_FIX_SAFE, "the item gets an id that is free", NULL},
    {TM_FINDING_DATA_CHECKSUM, TM_FIX_SAFE, packed_anew, repack_data},
    {TM_FINDING_DATA_SHORT, TM_FIX_SAFE, packed_anew, repack_data},
    {TM_FINDING_DATA_LONG, TM_FIX_SAFE, packed_anew, repack_data},
    {TM_FINDING_DATA_BROKEN, TM_FIX_SAFE, packed_anew, repack_data},
    {TM_FINDING_BAD_DATA_OFFSET, TM_FIX_SAFE, packed_anew, repack_data},
    {TM_FINDING_EMPTY_DATA, TM_FIX_SAFE, "it becomes a zero byte, an empty text", NULL},
    {TM_FINDING_NO_VERSION_ITEM, TM_FIX_SAFE, "the map gets version 1", set_version},
    {TM_FINDING_BAD_MAP_VERSION, TM_FIX_SAFE, "the map gets version 1", set_version},
    {TM_FINDING_ITEM_TOO_SHORT, TM_FIX_SAFE, item_anew, renew},
    {TM_FINDING_BAD_TEXT, TM_FIX_SAFE, clean_name, fix_texts},
    {TM_FINDING_BAD_TEXT_INDEX, TM_FIX_SAFE, item_anew, renew},
    {TM_FINDING_BAD_LAYER_NAME, TM_FIX_SAFE, clean_name, fix_name},
    {TM_FINDING_BAD_NAME, TM_FIX_SAFE, clean_name, fix_name},
    {TM_FINDING_GROUP_TOO_SHORT, TM_FIX_SAFE, item_anew, renew},
    {TM_FINDING_BAD_GROUP_VERSION, TM_FIX_SAFE, item_anew, renew},
    {TM_FINDING_BAD_GROUP_RANGE, TM_FIX_SAFE, item_anew, renew},
    {TM_FINDING_SHARED_LAYER, TM_FIX_SAFE, "the layer is copied for the second group", renew},
    {TM_FINDING_LAYER_TOO_SHORT, TM_FIX_SAFE, item_anew, renew},
    {TM_FINDING_BAD_TILE_VERSION, TM_FIX_SAFE, item_anew, renew},
    {TM_FINDING_SEVERAL_PHYSICS_FLAGS, TM_FIX_SAFE, item_anew, renew},
    {TM_FINDING_NO_PHYSICS_DATA, TM_FIX_SAFE, missing_air, fix_tiles},
    {TM_FINDING_BAD_LAYER_SIZE, TM_FIX_SAFE, "the layer grows by its edge", fix_layer_size},
    {TM_FINDING_BAD_COLOR, TM_FIX_VISIBLE, "the parts of the color are brought to 0 to 255", fix_color},
    {TM_FINDING_QUAD_COLOR, TM_FIX_SAFE, "the color becomes the one that the game shows", fix_quad_colors},
    {TM_FINDING_BAD_DATA_INDEX, TM_FIX_SAFE, missing_air, fix_tiles},
    {TM_FINDING_SHARED_TILES, TM_FIX_SAFE, "the tiles are copied", renew},
    {TM_FINDING_PHYSICS_TOO_SMALL, TM_FIX_SAFE, "the layer gets the game layer's size, tile after tile",
     fix_physics_size},
    {TM_FINDING_PHYSICS_SIZE, TM_FIX_SAFE, "the layer gets the game layer's size, tile after tile",
     fix_physics_size},
    {TM_FINDING_PHYSICS_APART, TM_FIX_SAFE, "the layer moves to the group of the game layer", gather_physics},
    {TM_FINDING_GAME_LAYER_DATA, TM_FIX_SAFE, missing_air, fix_tiles},
    {TM_FINDING_TILES_SHORT, TM_FIX_SAFE, missing_air, fix_tiles},
    {TM_FINDING_TILES_RUNS, TM_FIX_SAFE, "tiles that are too many are left out", fix_tiles},
    {TM_FINDING_TILES_SKIP, TM_FIX_SAFE, "the bytes become 0", clear_unused},
    {TM_FINDING_TILES_RESERVED, TM_FIX_SAFE, "the bytes become 0", clear_unused},
    {TM_FINDING_PHYSICS_RUNS, TM_FIX_SAFE, "the tiles are written without runs", fix_tiles},
    {TM_FINDING_BAD_REFERENCE, TM_FIX_SAFE, "it refers to nothing", fix_references},
    {TM_FINDING_BLOCK_SIZE, TM_FIX_SAFE,
     "data that are too long are cut; an image without its pixels is white, as games show it, or with "
     "--visible keeps those that are there",
     fix_pixels},
    {TM_FINDING_BAD_IMAGE_SIZE, TM_FIX_SAFE,
     "an image of no size is white; with --visible, sides become multiples of 16", fix_image_size},
    {TM_FINDING_IMAGE_FORMAT, TM_FIX_SAFE, "the pixels get four bytes each", fix_pixels},
    {TM_FINDING_EXTERNAL_PIXELS, TM_FIX_SAFE, "the pixels are removed", drop_external_pixels},
    {TM_FINDING_BAD_CHANNELS, TM_FIX_SAFE,
     "more than four channels become four; with --visible, so do two or none", fix_channels},
    {TM_FINDING_BAD_CURVE, TM_FIX_SAFE, "the curve is linear, as it is played", fix_curves},
    {TM_FINDING_POINTS_RANGE, TM_FIX_SAFE, envelopes_anew, renew_envelopes},
    {TM_FINDING_POINTS_ORDER, TM_FIX_VISIBLE, "the points are sorted by time", sort_points},
    {TM_FINDING_BEZIER_COUNT, TM_FIX_SAFE, envelopes_anew, renew_envelopes},
};

static const fix_row *fix_row_of(tm_finding_id id)
{
    for (size_t i = 0; i < TMI_COUNT_OF(fix_rows); i++)
        if (fix_rows[i].id == id)
            return &fix_rows[i];
    return NULL;
}

tm_fix_effect tm_edit_fix_of(const char **explanation, tm_finding_id id)
{
    const fix_row *row = fix_row_of(id);
    if (explanation)
        *explanation = row ? row->explanation : NULL;
    return row ? row->effect : TM_FIX_NONE;
}

static tm_status fix_finding(tm_map *map, const tm_finding *finding, tm_fix_effect most, uint64_t *air,
                             tm_report *report, tm_error *error)
{
    const fix_row *row = fix_row_of(finding->id);
    tmi_arena arena;
    tmi_arena_init(&arena, tmi_map_allocator(map));
    const tm_allocator scratch = tmi_arena_allocator(&arena);
    fixing m = {.map = map,
                .finding = finding,
                .count = 1,
                .most = most,
                .air = air,
                .scratch = &scratch,
                .findings = report ? &report->findings : NULL};
    tm_status status = TM_OK;
    if (!row || row->effect > most ||
        tmi_finding_severity(finding->id, TM_MODE_STRICT, NULL) <= TM_SEVERITY_NOTE ||
        tm_address_parse(&m.address, map, finding->address, NULL))
        return TM_OK;
    if (m.address.kind == TM_KIND_LAYER)
        m.layer = &map->groups[m.address.index].layers[m.address.layer];
    if (m.layer && tm_game_layer(m.layer->kind)->is_tiles)
        m.tiles = &m.layer->as.tiles;
    if (m.address.kind == TM_KIND_ENVELOPE)
        m.envelope = &map->envelopes[m.address.index];
    if (row->run) {
        tm_error reason = {.offset = -1};
        m.count = 0;
        status = row->run(&m, &reason);
        tmi_arena_release(&arena);
        if (status == TM_ERROR_LIMIT) {
            m.count = 0;
            report_too_large(&m, reason.text);
            status = TM_OK;
        } else if (status && error) {
            *error = reason;
        }
    }
    if (!status && m.count)
        tmi_report_change(report, tm_finding_name(row->id), map, m.address, m.count, "%s: %s", finding->text,
                          row->explanation);
    return status;
}

/*
 * A wrong number makes a map of DDNet look like one of another game, which has no place for its settings,
 * sounds and layers: what is written again would be lost. DDNet holds what the others hold.
 */
static void choose_game(tm_map *map)
{
    const tm_game game = map->game;
    const bool settings = map->info.num_settings || map->info.unread_settings;
    bool fits = (!settings || tmi_game_holds(game, TM_PART_SETTINGS)) &&
                (!map->num_sounds || tmi_game_holds(game, TM_PART_SOUNDS));
    tm_layer_walk walk = {0};
    while (fits && tm_map_next_layer(map, &walk))
        fits = walk.layer->kind == TM_LAYER_UNKNOWN || tmi_game_holds_layer(game, walk.layer->kind);
    if (!fits)
        map->game = TM_GAME_DDNET;
}

tm_status tm_edit_fix(tm_map *map, const tm_findings *findings, tm_fix_effect most, tm_report *report,
                      tm_error *error)
{
    tm_status status = TM_OK;
    tmi_work work;
    uint64_t air = TMI_AIR_LIMIT;
    TM_TRY(tmi_need(findings, "findings", error));
    TM_TRY(tmi_work_begin(&work, map, error));
    work.renews = true;
    choose_game(work.clone);
    for (int moves = 0; moves < 2; moves++) /* findings name layers by numbers, so layers move last */
        for (size_t i = 0; !status && i < findings->num; i++)
            if ((findings->list[i].id == TM_FINDING_PHYSICS_APART) == moves)
                status = fix_finding(work.clone, &findings->list[i], most, &air, &work.report, error);
    return tmi_work_end(&work, status, report);
}

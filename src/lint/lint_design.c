/* SPDX-License-Identifier: Zlib */
/*
 * Rules of what players see and download: images, envelopes and layers that are there twice, too large, badly
 * named, or show nothing.
 */
#include "lint.h"

#define STYLE  TM_LINT_STYLE
#define PLAYED (TM_LINT_DDNET | TM_LINT_KOG | TM_LINT_VANILLA | TM_LINT_TEEWORLDS07 | TM_LINT_MODS)

static tm_address address_of_image(uint32_t index)
{
    return (tm_address){TM_ADDRESS_IMAGE, index, 0};
}

/* ---------------------------------------------------------------------------------------------- doubles */

/* Equal pixels: nearly all that differ are told by their checksums, those packed alike by their bytes. */
static bool same_shown_pixels(tmi_lint *lint, const tm_image *a, const tm_image *b)
{
    if (a->external || b->external)
        return a->external && b->external && a->name && a->name[0] && tmi_same_text(a->name, b->name);
    if (!a->pixels || !b->pixels || a->width != b->width || a->height != b->height ||
        a->format != b->format || !tmi_block_may_equal(a->pixels, b->pixels))
        return false;
    bool same;
    const tm_status status = tmi_block_same(&same, (const tm_map *const[2]){lint->map, lint->map},
                                            (const tm_block *const[2]){a->pixels, b->pixels}, lint->error);
    if (status && status != TM_ERROR_DAMAGED) /* checks tell what is damaged */
        tmi_lint_fail(lint, status);
    return same;
}

/* Names and sizes first: only images of one size are compared, and 64 is the most that games take. */
static void image_twice(tmi_lint *lint, uint32_t rule)
{
    enum { MOST = 256 };
    const tm_map *map = lint->map;
    const uint32_t num = map->num_images < MOST ? map->num_images : MOST;
    for (uint32_t i = 1; i < num && !lint->status; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (!same_shown_pixels(lint, &map->images[k], &map->images[i]))
                continue;
            tmi_lint_note *note = tmi_lint_note_add(lint, rule, address_of_image(i),
                                                    "it has the same pixels as image %u", (unsigned)k);
            if (tmi_same_text(map->images[k].name, map->images[i].name))
                tmi_lint_note_fix(note, "join images");
            break;
        }
    }
}

static bool same_envelope(const tm_envelope *a, const tm_envelope *b)
{
    return a->channels == b->channels && a->synchronized == b->synchronized &&
           a->num_points == b->num_points && strcmp(a->name, b->name) == 0 &&
           (!a->num_points || memcmp(a->points, b->points, a->num_points * sizeof(*a->points)) == 0);
}

/* By unused-envelope; to take it away ends both. */
static bool told_as_unused(const tmi_lint *lint, uint32_t envelope)
{
    const tmi_lint_survey *survey = lint->survey;
    return survey && !survey->damaged && !survey->envelopes[envelope] &&
           tmi_lint_asks(lint, TM_FINDING_UNUSED_ENVELOPE);
}

static void envelope_twice(tmi_lint *lint, uint32_t rule)
{
    enum { MOST = 1000 };
    const tm_map *map = lint->map;
    const uint32_t num = map->num_envelopes < MOST ? map->num_envelopes : MOST;
    for (uint32_t i = 1; i < num; i++) {
        uint32_t k = 0;
        if (told_as_unused(lint, i))
            continue;
        while (k < i && !same_envelope(&map->envelopes[k], &map->envelopes[i]))
            k++;
        if (k < i)
            tmi_lint_note_fix(tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_ENVELOPE, i, 0},
                                                "it is the same as envelope %u", (unsigned)k),
                              "join envelopes");
    }
}

/* External images of one name are one file. */
static bool are_mixed_up(const tm_image *a, const tm_image *b)
{
    return tmi_same_text(a->name, b->name) && !(a->external && b->external);
}

static void image_name_twice(tmi_lint *lint, uint32_t rule)
{
    const tm_map *map = lint->map;
    for (uint32_t i = 1; i < map->num_images && i < 256; i++) {
        uint32_t k = 0;
        if (tmi_same_text(map->images[i].name, NULL)) /* old maps name none of theirs */
            continue;
        while (k < i && !are_mixed_up(&map->images[k], &map->images[i]))
            k++;
        if (k < i)
            tmi_lint_note_add(lint, rule, address_of_image(i), "image %u has the same name", (unsigned)k);
    }
}

/* ----------------------------------------------------------------------------------------------- sizes */

static bool is_power_of_two(int32_t number)
{
    return number > 0 && !(number & (number - 1));
}

static void image_sides(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t i = 0; i < lint->map->num_images; i++) {
        const tm_image *image = &lint->map->images[i];
        if (!image->external && image->width > 0 && image->height > 0 &&
            (!is_power_of_two(image->width) || !is_power_of_two(image->height)))
            tmi_lint_note_add(lint, rule, address_of_image(i), "it is %d x %d pixels", (int)image->width,
                              (int)image->height);
    }
}

/* Games repeat the border of a layer outside of it, so a row and a column of air must stay. */
static bool is_mostly_air(const tmi_lint_extent *extent, const tm_tile_layer *layer, uint32_t *x1,
                          uint32_t *y1)
{
    *x1 = extent->x1 + 1 < layer->width ? extent->x1 + 1 : layer->width;
    *y1 = extent->y1 + 1 < layer->height ? extent->y1 + 1 : layer->height;
    return extent->known && !extent->empty &&
           (uint64_t)*x1 * *y1 * 2 <= (uint64_t)layer->width * layer->height;
}

static void layer_large(tmi_lint *lint, uint32_t rule)
{
    tm_layer_walk at = {0};
    uint32_t x1, y1;
    while (tm_map_next_layer(lint->map, &at)) {
        if (at.layer->kind != TM_LAYER_TILES ||
            !is_mostly_air(&lint->survey->extents[at.number], &at.layer->as.tiles, &x1, &y1))
            continue;
        tmi_lint_note_fix(tmi_lint_note_add(lint, rule, tmi_lint_walk_address(&at),
                                            "it is %u x %u tiles large, and empty beyond %u x %u",
                                            (unsigned)at.layer->as.tiles.width,
                                            (unsigned)at.layer->as.tiles.height, (unsigned)x1, (unsigned)y1),
                          "trim %u/%u", (unsigned)at.group, (unsigned)at.index);
    }
}

static void images_many(tmi_lint *lint, uint32_t rule)
{
    enum { MOST = 64 };
    if (lint->map->num_images > MOST)
        tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_MAP, 0, 0},
                          "there are %u images; clients load %d", (unsigned)lint->map->num_images, MOST);
}

/* ----------------------------------------------------------------------------------------------- names */

const char *tmi_lint_name_fault(const char *name)
{
    enum { MOST = 127 };
    const size_t size = strlen(name);
    for (const char *c = name; *c; c++)
        if (strchr("/\\:*?\"<>|", *c) || (unsigned char)*c < ' ')
            return "has a character that file names cannot have";
    if (tmi_is_device_name(name))
        return "is one that Windows keeps for devices";
    if (size > MOST)
        return "has more than 127 bytes";
    return size && (name[size - 1] == '.' || name[size - 1] == ' ') ? "ends with a dot or a blank" : NULL;
}

static void bad_file_name(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t i = 0; i < lint->map->num_images + lint->map->num_sounds; i++) {
        const bool is_image = i < lint->map->num_images;
        const uint32_t index = is_image ? i : i - lint->map->num_images;
        const char *name = is_image ? lint->map->images[index].name : lint->map->sounds[index].name;
        const char *fault = tmi_lint_name_fault(name ? name : "");
        if (fault)
            tmi_lint_note_add(lint, rule,
                              (tm_address){is_image ? TM_ADDRESS_IMAGE : TM_ADDRESS_SOUND, index, 0},
                              "its name %s", fault);
    }
}

/* ------------------------------------------------------------------------------------- what shows nothing */

static void envelope_pointless(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t i = 0; i < lint->map->num_envelopes; i++)
        if (!lint->map->envelopes[i].num_points && lint->survey->envelopes[i])
            tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_ENVELOPE, i, 0},
                              "something uses it, but it has no points");
}

static void layer_invisible(tmi_lint *lint, uint32_t rule)
{
    tm_layer_walk at = {0};
    while (tm_map_next_layer(lint->map, &at))
        if (at.layer->kind == TM_LAYER_TILES && at.layer->as.tiles.color.a <= 0 &&
            !tm_map_envelope(lint->map, at.layer->as.tiles.color_envelope))
            tmi_lint_note_add(lint, rule, tmi_lint_walk_address(&at), "its color is wholly transparent");
}

/* ------------------------------------------------------------------------------------------- whole layers */

static bool same_design_tiles(const tm_layer *a, const tm_layer *b)
{
    const tm_tile_layer *x = &a->as.tiles, *y = &b->as.tiles;
    return a->kind == TM_LAYER_TILES && b->kind == TM_LAYER_TILES && x->width == y->width &&
           x->height == y->height && x->image == y->image && x->color.r == y->color.r &&
           x->color.g == y->color.g && x->color.b == y->color.b && x->color.a == y->color.a &&
           x->color_envelope == y->color_envelope && x->tiles && y->tiles &&
           tmi_block_key(x->tiles) == tmi_block_key(y->tiles);
}

static void game_group_moved(tmi_lint *lint, uint32_t rule)
{
    uint32_t index;
    if (!tm_map_physics_layer(&index, NULL, lint->map, TM_LAYER_GAME))
        return;
    const tm_group *group = &lint->map->groups[index];
    if (group->offset_x || group->offset_y || group->parallax_x != 100 || group->parallax_y != 100 ||
        group->use_clipping)
        tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_GROUP, index, 0},
                          "it holds the game layer: the games ignore its offset, parallax and clipping");
}

/* Of one group, as only there one lies upon the other. */
static void layer_twice(tmi_lint *lint, uint32_t rule)
{
    enum { MOST = 256 };
    tm_layer_walk at = {0};
    while (tm_map_next_layer(lint->map, &at)) {
        const tm_layer *layers = lint->map->groups[at.group].layers;
        uint32_t k = 0;
        if (at.index >= MOST || lint->survey->extents[at.number].empty)
            continue;
        while (k < at.index && !same_design_tiles(&layers[k], at.layer))
            k++;
        if (k < at.index)
            tmi_lint_note_fix(tmi_lint_note_add(lint, rule, tmi_lint_walk_address(&at),
                                                "it is drawn as layer %u is", (unsigned)k),
                              "remove %u/%u", (unsigned)at.group, (unsigned)at.index);
    }
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(
         IMAGE_TWICE, STYLE, PIXELS, false, "Two images have the same pixels.",
         "Every player downloads and stores both.",
         "teemap edit 'join images', which joins images with the same name; rename one first if the names differ.",
         "DDNet's guidelines"),
     TMI_LINT_FIX("join images", true), .own_fixes = true,
     TMI_LINT_MANY("images", "they have the same pixels as images before them", "join images"),
     .judge = image_twice},
    {TMI_LINT_RULE(ENVELOPE_TWICE, STYLE, OBJECTS, false, "Two envelopes are the same.",
                   "Changing one does not change the other.", "teemap edit 'join envelopes'.",
                   "DDNet's guidelines"),
     TMI_LINT_FIX("join envelopes", true),
     TMI_LINT_MANY("envelopes", "they are the same as envelopes before them", "join envelopes"),
     .judge = envelope_twice},
    {TMI_LINT_RULE(IMAGE_NAME_TWICE, STYLE, OBJECTS, false,
                   "Two images have the same name, and at least one is embedded.",
                   "When they are saved as files, one replaces the other, and editors may use the wrong one.",
                   "Rename one.", "twmap check"),
     TMI_LINT_MANY("images", "images before them have their names", NULL), .judge = image_name_twice},
    {TMI_LINT_RULE(IMAGE_SIDES, STYLE, OBJECTS, true, "The sides of an embedded image are not powers of two.",
                   "Old graphics cards stretch it, which blurs it.",
                   "Use widths and heights of 256, 512, 1024 pixels and so on.", "DDNet's guidelines"),
     TMI_LINT_MANY("images", "their sides are no powers of two", NULL), .judge = image_sides},
    {TMI_LINT_RULE(LAYER_LARGE, STYLE, DESIGN, true,
                   "A tile layer is at least twice as large as its content.", "It takes up space and time.",
                   "teemap edit 'trim', or 'shrink' for all sides.", "DDNet's guidelines; ddnet 404"),
     TMI_LINT_FIX("trim", true), .own_fixes = true,
     TMI_LINT_MANY("layers", "they are at least twice as large as what is in them", NULL),
     .judge = layer_large},
    {TMI_LINT_RULE(IMAGES_MANY, PLAYED, OBJECTS, false, "There are more than 64 images.",
                   "Clients ignore the others.", "Combine small images.", "twmap check"),
     .judge = images_many},
    {TMI_LINT_RULE(
         BAD_FILE_NAME, STYLE, OBJECTS, false, "The name of an image or a sound is not a valid file name.",
         "It cannot be saved under its name, and other programs fail on it.", "Rename it.", "twmap check"),
     .judge = bad_file_name},
    {TMI_LINT_RULE(ENVELOPE_WITHOUT_POINTS, STYLE, DESIGN, false, "An envelope in use has no points.",
                   "It has no effect.", "Give it points, or remove it.", "twmap check"),
     TMI_LINT_MANY("envelopes", "something uses them, but they have no points", NULL),
     .judge = envelope_pointless},
    {TMI_LINT_RULE(LAYER_INVISIBLE, STYLE, OBJECTS, false, "A tile layer is fully transparent.",
                   "It takes up space and time, and nobody sees it.", "Give it a color, or remove it.",
                   "DDNet's guidelines"),
     TMI_LINT_MANY("layers", "their colors are wholly transparent", NULL), .judge = layer_invisible},
    {TMI_LINT_RULE(
         LAYER_TWICE, STYLE, DESIGN, true, "Two tile layers of a group are equal.",
         "Opaque tiles are drawn twice unnecessarily; transparent tiles get darker, which may be intended.",
         "Remove one.", "DDNet's guidelines"),
     TMI_LINT_FIX("remove", false), .own_fixes = true,
     TMI_LINT_MANY("layers", "they are the same as layers before them", NULL), .judge = layer_twice},
    {TMI_LINT_RULE(GAME_GROUP_MOVED, PLAYED, OBJECTS, false,
                   "The group of the game layer has an offset, a parallax or clipping.",
                   "The games ignore it, so editors show its layers at other places than the game.",
                   "Set the offset to 0, the parallax to 100, and remove the clipping.", "twmap check"),
     .judge = game_group_moved},
};
TMI_LINT_FAMILY(tmi_lint_design, rows);

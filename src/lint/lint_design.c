/* SPDX-License-Identifier: Zlib */
/*
 * Rules of what players see and download: images, envelopes and layers that are there twice, too large, badly
 * named, or show nothing.
 */
#include "lint.h"

#define STYLE  TM_LINT_STYLE
#define PLAYED (TM_LINT_DDNET | TM_LINT_KOG | TM_LINT_VANILLA | TM_LINT_TEEWORLDS07 | TM_LINT_MODS)

/* ---------------------------------------------------------------------------------------------- doubles */

/* Whether the k-th object of the list is the same as the object that the rule looks at. */
typedef bool same_object(tmi_lint_object *object, uint32_t k);

/*
 * Whether one of the objects before number `index` of the list is the same; says which, the first of them.
 * Objects from number `most` on are not compared: each would be with all before it.
 */
static bool same_as_earlier(tmi_lint_object *object, uint32_t index, uint32_t most, same_object *is_same,
                            const char *format)
{
    for (uint32_t k = 0; k < index && index < most; k++)
        if (is_same(object, k))
            return tmi_lint_explain(object, format, (unsigned)k);
    return false;
}

/* Games load at most 64 images. */
enum { MOST_IMAGES = 256, MOST_ENVELOPES = 1000, MOST_LAYERS = 256 };

/* Whether two images show the same pixels. Checksums tell nearly all that differ without unpacking them. */
static bool same_image(tmi_lint_object *object, uint32_t k)
{
    const tm_map *map = object->lint->map;
    const tm_image *a = &map->images[k], *b = object->image;
    const bool same_name = tmi_same_text(a->name, b->name);
    bool same = a->external && b->external && a->name && a->name[0] && same_name;
    if (!a->external && !b->external && a->pixels && b->pixels && a->width == b->width &&
        a->height == b->height && a->format == b->format && tmi_block_may_equal(a->pixels, b->pixels)) {
        const tm_status status =
            tmi_block_same(&same, &object->lint->work, (const tm_map *const[2]){map, map},
                           (const tm_block *const[2]){a->pixels, b->pixels}, object->lint->error);
        /* Checks tell what is damaged; images that are made to cost much to compare get no note. */
        if (status && status != TM_ERROR_DAMAGED && status != TM_ERROR_LIMIT)
            tmi_lint_fail(object->lint, status);
    }
    if (same && same_name)
        tmi_format(object->fix, sizeof(object->fix), "join images");
    return same;
}

static bool image_twice(tmi_lint_object *object)
{
    return same_as_earlier(object, object->address.index, MOST_IMAGES, same_image,
                           "it has the same pixels as image %u");
}

static bool same_envelope(tmi_lint_object *object, uint32_t k)
{
    const tm_envelope *a = &object->lint->map->envelopes[k], *b = object->envelope;
    return a->channels == b->channels && a->synchronized == b->synchronized &&
           a->num_points == b->num_points && strcmp(a->name, b->name) == 0 &&
           (!a->num_points || memcmp(a->points, b->points, a->num_points * sizeof(*a->points)) == 0);
}

static bool envelope_twice(tmi_lint_object *object)
{
    const tmi_lint *lint = object->lint;
    bool asked = false; /* the rule unused-envelope, of which removing the envelope fixes both findings */
    for (uint32_t n = 0; n < lint->num_rules; n++)
        asked |= lint->rules[n].asked && lint->rules[n].row->rule.id == TM_FINDING_UNUSED_ENVELOPE;
    const bool is_reported =
        asked && lint->survey && !lint->survey->damaged && !lint->survey->envelopes[object->address.index];
    return !is_reported && same_as_earlier(object, object->address.index, MOST_ENVELOPES, same_envelope,
                                           "it is the same as envelope %u");
}

/* Whether two images have one name but may differ: external images of one name are the same file. */
static bool are_mixed_up(tmi_lint_object *object, uint32_t k)
{
    const tm_image *a = &object->lint->map->images[k], *b = object->image;
    return tmi_same_text(a->name, b->name) && !(a->external && b->external);
}

static bool image_name_twice(tmi_lint_object *object)
{
    return !tmi_same_text(object->image->name, NULL) && /* old maps name none of theirs */
           same_as_earlier(object, object->address.index, MOST_IMAGES, are_mixed_up,
                           "image %u has the same name");
}

/* ----------------------------------------------------------------------------------------------- sizes */

static bool is_power_of_two(int32_t number)
{
    return number > 0 && !(number & (number - 1));
}

static bool image_sides(tmi_lint_object *object)
{
    const tm_image *image = object->image;
    return !image->external && image->width > 0 && image->height > 0 &&
           (!is_power_of_two(image->width) || !is_power_of_two(image->height)) &&
           tmi_lint_explain(object, "it is %d x %d pixels", (int)image->width, (int)image->height);
}

/* A rule: a layer is much larger than its content. Games repeat its border, so a line of air must stay. */
static bool layer_large(tmi_lint_object *object)
{
    const tmi_lint_extent *extent = &object->lint->survey->extents[object->number];
    const tm_tile_layer *layer = &object->layer->as.tiles;
    if (object->layer->kind != TM_LAYER_TILES || !extent->known || extent->empty)
        return false;
    const uint32_t x1 = extent->x1 + 1 < layer->width ? extent->x1 + 1 : layer->width,
                   y1 = extent->y1 + 1 < layer->height ? extent->y1 + 1 : layer->height;
    return (uint64_t)x1 * y1 * 2 <= (uint64_t)layer->width * layer->height &&
           tmi_lint_explain(object, "it is %u x %u tiles large, and empty beyond %u x %u",
                            (unsigned)layer->width, (unsigned)layer->height, (unsigned)x1, (unsigned)y1);
}

static bool images_many(tmi_lint_object *object)
{
    enum { MOST = 64 };
    return object->lint->map->num_images > MOST &&
           tmi_lint_explain(object, "there are %u images; clients load %d",
                            (unsigned)object->lint->map->num_images, MOST);
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

static bool bad_file_name(tmi_lint_object *object)
{
    const char *name = tmi_object_name(object->lint->map, &object->address),
               *fault = tmi_lint_name_fault(name ? name : "");
    return fault && tmi_lint_explain(object, "its name %s", fault);
}

/* ------------------------------------------------------------------------------------- what shows nothing */

static bool envelope_without_points(tmi_lint_object *object)
{
    return !object->envelope->num_points && object->lint->survey->envelopes[object->address.index];
}

static bool layer_invisible(tmi_lint_object *object)
{
    const tm_tile_layer *layer = &object->layer->as.tiles;
    return object->layer->kind == TM_LAYER_TILES && layer->color.a <= 0 &&
           !tm_map_envelope(object->lint->map, layer->color_envelope);
}

/* ------------------------------------------------------------------------------------------- whole layers */

static bool same_design_tiles(tmi_lint_object *object, uint32_t k)
{
    const tm_layer *a = &object->lint->map->groups[object->address.index].layers[k], *b = object->layer;
    const tm_tile_layer *x = &a->as.tiles, *y = &b->as.tiles;
    return a->kind == TM_LAYER_TILES && b->kind == TM_LAYER_TILES && x->width == y->width &&
           x->height == y->height && x->image == y->image && x->color.r == y->color.r &&
           x->color.g == y->color.g && x->color.b == y->color.b && x->color.a == y->color.a &&
           x->color_envelope == y->color_envelope && x->tiles && y->tiles &&
           tmi_block_key(x->tiles) == tmi_block_key(y->tiles);
}

static bool game_group_moved(tmi_lint_object *object)
{
    uint32_t index;
    const tm_group *group = object->group;
    return tm_map_physics_layer(&index, NULL, object->lint->map, TM_LAYER_GAME) &&
           index == object->address.index &&
           (group->offset_x || group->offset_y || group->parallax_x != 100 || group->parallax_y != 100 ||
            group->use_clipping);
}

/* A rule: a layer is drawn exactly as an earlier layer of its group. */
static bool layer_twice(tmi_lint_object *object)
{
    return !object->lint->survey->extents[object->number].empty &&
           same_as_earlier(object, object->address.layer, MOST_LAYERS, same_design_tiles,
                           "it is drawn as layer %u is");
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
     .objects = TMI_LINT_AT(IMAGE), .look = image_twice},
    {TMI_LINT_RULE(ENVELOPE_TWICE, STYLE, OBJECTS, false, "Two envelopes are the same.",
                   "Changing one does not change the other.", "teemap edit 'join envelopes'.",
                   "DDNet's guidelines"),
     TMI_LINT_FIX("join envelopes", true),
     TMI_LINT_MANY("envelopes", "they are the same as envelopes before them", "join envelopes"),
     .objects = TMI_LINT_AT(ENVELOPE), .look = envelope_twice},
    {TMI_LINT_RULE(IMAGE_NAME_TWICE, STYLE, OBJECTS, false,
                   "Two images have the same name, and at least one is embedded.",
                   "When they are saved as files, one replaces the other, and editors may use the wrong one.",
                   "Rename one.", "twmap check"),
     TMI_LINT_MANY("images", "images before them have their names", NULL), .objects = TMI_LINT_AT(IMAGE),
     .look = image_name_twice},
    {TMI_LINT_RULE(IMAGE_SIDES, STYLE, OBJECTS, true, "The sides of an embedded image are not powers of two.",
                   "Old graphics cards stretch it, which blurs it.",
                   "Use widths and heights of 256, 512, 1024 pixels and so on.", "DDNet's guidelines"),
     TMI_LINT_MANY("images", "their sides are no powers of two", NULL), .objects = TMI_LINT_AT(IMAGE),
     .look = image_sides},
    {TMI_LINT_RULE(LAYER_LARGE, STYLE, DESIGN, true,
                   "A tile layer is at least twice as large as its content.", "It takes up space and time.",
                   "teemap edit 'trim', or 'shrink' for all sides.", "DDNet's guidelines; ddnet 404"),
     TMI_LINT_FIX("trim", true), .fixes_each = true,
     TMI_LINT_MANY("layers", "they are at least twice as large as what is in them", NULL),
     .objects = TMI_LINT_AT(LAYER), .look = layer_large},
    {TMI_LINT_RULE(IMAGES_MANY, PLAYED, OBJECTS, false, "There are more than 64 images.",
                   "Clients ignore the others.", "Combine small images.", "twmap check"),
     .objects = TMI_LINT_AT(MAP), .look = images_many},
    {TMI_LINT_RULE(
         BAD_FILE_NAME, STYLE, OBJECTS, false, "The name of an image or a sound is not a valid file name.",
         "It cannot be saved under its name, and other programs fail on it.", "Rename it.", "twmap check"),
     .objects = TMI_LINT_AT(IMAGE) | TMI_LINT_AT(SOUND), .look = bad_file_name},
    {TMI_LINT_RULE(ENVELOPE_WITHOUT_POINTS, STYLE, DESIGN, false, "An envelope in use has no points.",
                   "It has no effect.", "Give it points, or remove it.", "twmap check"),
     TMI_LINT_MANY("envelopes", "something uses them, but they have no points", NULL),
     .objects = TMI_LINT_AT(ENVELOPE), .look = envelope_without_points,
     .phrase = "something uses it, but it has no points"},
    {TMI_LINT_RULE(LAYER_INVISIBLE, STYLE, OBJECTS, false, "A tile layer is fully transparent.",
                   "It takes up space and time, and nobody sees it.", "Give it a color, or remove it.",
                   "DDNet's guidelines"),
     TMI_LINT_MANY("layers", "their colors are wholly transparent", NULL), .objects = TMI_LINT_AT(LAYER),
     .look = layer_invisible, .phrase = "its color is wholly transparent"},
    {TMI_LINT_RULE(
         LAYER_TWICE, STYLE, DESIGN, true, "Two tile layers of a group are equal.",
         "Opaque tiles are drawn twice unnecessarily; transparent tiles get darker, which may be intended.",
         "Remove one.", "DDNet's guidelines"),
     TMI_LINT_FIX("remove", false), .fixes_each = true,
     TMI_LINT_MANY("layers", "they are the same as layers before them", NULL), .objects = TMI_LINT_AT(LAYER),
     .look = layer_twice},
    {TMI_LINT_RULE(GAME_GROUP_MOVED, PLAYED, OBJECTS, false,
                   "The group of the game layer has an offset, a parallax or clipping.",
                   "The games ignore it, so editors show its layers at other places than the game.",
                   "Set the offset to 0, the parallax to 100, and remove the clipping.", "twmap check"),
     .objects = TMI_LINT_AT(GROUP), .look = game_group_moved,
     .phrase = "it holds the game layer: the games ignore its offset, parallax and clipping"},
};
TMI_LINT_FAMILY(tmi_lint_design, rows);

/* SPDX-License-Identifier: Zlib */
/*
 * Rules of what quads show: quads that nobody sees, backgrounds with a gap, images larger than anything shows
 * them; and of the sizes of images. The survey passes each layer to this file while it is unpacked.
 */
#include "lint.h"

#include <inttypes.h>

#define STYLE  TM_LINT_STYLE
#define PLAYED (TM_LINT_DDNET | TM_LINT_KOG | TM_LINT_VANILLA | TM_LINT_TEEWORLDS07 | TM_LINT_MODS)

enum { UNIT = TM_FX, TILE = TM_TILE_PX }; /* fx of a px; px of a tile */

/* -------------------------------------------------------------------------------------- what is far away */

/*
 * What of a group some view may show, in px: views are at most so large, begin in the middle of the
 * group when parallax is 0, and follow players over the map as far as parallax lets them. Who watches may
 * look further and leave the map: FAR more is taken on all sides.
 */
enum { HALF_VIEW_X = TMI_VIEW_WIDTH / 2, HALF_VIEW_Y = TMI_VIEW_HEIGHT / 2, FAR = 10000 };

static void view_ends(int64_t *first, int64_t *last, int32_t offset, int32_t parallax, int64_t tiles,
                      int64_t half)
{
    const int64_t end = tiles * TILE * parallax / 100;
    *first = (end < 0 ? end : 0) + offset - half - FAR;
    *last = (end > 0 ? end : 0) + offset + half + FAR;
}

/* ------------------------------------------------------------ the survey: what images need, what is far */

/* Pixels of an image for a px of the map: tile images of 1024 pixels have 2. Half of SHARP must be enough. */
enum { SHARP = 4, CELLS = 16, MOST = 1 << 30 };

static int64_t bounded(int64_t number)
{
    return number > MOST ? MOST : number < -MOST ? -MOST : number;
}

static int64_t square_of_length(int64_t x, int64_t y)
{
    return bounded(x) * bounded(x) + bounded(y) * bounded(y);
}

/* Whether half of an image's pixels would be too few along an edge of a quad. */
static bool edge_needs(const tm_quad *quad, const tm_image *image, int from, int to)
{
    const tm_point *points = quad->points, *texture = quad->texture;
    const int64_t length =
        square_of_length((int64_t)points[to].x - points[from].x, (int64_t)points[to].y - points[from].y);
    const int64_t pixels =
        square_of_length(((int64_t)texture[to].x - texture[from].x) * bounded(image->width),
                         ((int64_t)texture[to].y - texture[from].y) * bounded(image->height));
    return pixels / ((int64_t)SHARP * SHARP) < length;
}

void tmi_lint_survey_image(tmi_lint *lint, const tm_tile_layer *layer)
{
    const tm_image *image = tm_map_image(lint->map, layer->image);
    if (!image)
        return;
    tmi_lint_use *use = &lint->survey->uses[layer->image];
    use->shown = true;
    use->needed |= image->width < SHARP * CELLS * TILE || image->height < SHARP * CELLS * TILE;
}

void tmi_lint_survey_quads(tmi_lint *lint, const tm_group *group, const tm_layer *layer, uint32_t number,
                           const tm_quad *quads, uint64_t num)
{
    const tm_map *map = lint->map;
    const tm_image *image = tm_map_image(map, layer->as.quads.image);
    const tm_layer *game = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_GAME);
    tmi_lint_quads *known = &lint->survey->quads[number];
    int64_t x0 = INT64_MIN, y0 = INT64_MIN, x1 = INT64_MAX, y1 = INT64_MAX; /* px that some view may show */
    if (game) {
        view_ends(&x0, &x1, group->offset_x, group->parallax_x, game->as.tiles.width, HALF_VIEW_X);
        view_ends(&y0, &y1, group->offset_y, group->parallax_y, game->as.tiles.height, HALF_VIEW_Y);
    }
    *known = (tmi_lint_quads){.least = {INT32_MAX, INT32_MAX}, .most = {INT32_MIN, INT32_MIN}};
    for (uint64_t i = 0; i < num; i++) {
        const tm_quad *quad = &quads[i];
        const bool moves = tm_map_envelope(map, quad->position_envelope);
        tm_point least, most;
        tmi_quad_bounds(&least, &most, quad);
        known->moves |= moves;
        known->least.x = least.x < known->least.x ? least.x : known->least.x;
        known->least.y = least.y < known->least.y ? least.y : known->least.y;
        known->most.x = most.x > known->most.x ? most.x : known->most.x;
        known->most.y = most.y > known->most.y ? most.y : known->most.y;
        if (tmi_quad_is_hidden(map, quad)) {
            known->hidden++;
            continue;
        }
        if (image) {
            lint->survey->uses[layer->as.quads.image].shown = true;
            lint->survey->uses[layer->as.quads.image].needed |=
                edge_needs(quad, image, 0, 1) || edge_needs(quad, image, 2, 3) ||
                edge_needs(quad, image, 0, 2) || edge_needs(quad, image, 1, 3);
        }
        const bool outside =
            most.x / UNIT < x0 || least.x / UNIT > x1 || most.y / UNIT < y0 || least.y / UNIT > y1;
        if (!moves && outside && !known->far++)
            known->first_far = (uint32_t)i;
    }
}

/* ----------------------------------------------------------------------------------------------- rules */

static bool image_oversized(tmi_lint_object *object)
{
    const tm_image *image = object->image;
    const tmi_lint_use *use = &object->lint->survey->uses[object->address.index];
    return !object->lint->survey->damaged && !image->external && use->shown && !use->needed &&
           tmi_lint_explain(object,
                            "half of its %d x %d pixels in each direction would do: it is shown that small",
                            (int)image->width, (int)image->height);
}

static bool quad_far(tmi_lint_object *object)
{
    const tmi_lint_quads *quads = &object->lint->survey->quads[object->number];
    object->count = quads->far;
    return quads->far &&
           tmi_lint_explain(object, "no view gets to %u of %u quads, the first is %u", (unsigned)quads->far,
                            (unsigned)object->layer->as.quads.num_quads, (unsigned)quads->first_far);
}

static bool quad_hidden(tmi_lint_object *object)
{
    const uint32_t hidden = object->lint->survey->quads[object->number].hidden;
    object->count = hidden;
    return hidden && tmi_lint_explain(object, "%u of %u quads have no extent, or no alpha and no envelope",
                                      (unsigned)hidden, (unsigned)object->layer->as.quads.num_quads);
}

/* Whether a layer shows anything, as far as that is known. */
static bool is_seen(const tmi_lint *lint, const tm_layer *layer, uint32_t number)
{
    if (layer->kind == TM_LAYER_QUADS)
        return layer->as.quads.num_quads > lint->survey->quads[number].hidden;
    return layer->kind == TM_LAYER_TILES && lint->survey->extents[number].known &&
           !lint->survey->extents[number].empty && tm_map_image(lint->map, layer->as.tiles.image);
}

/* A rule: all layers that are drawn behind the game, those before its layer in the list, are detail. */
static void background_detail(tmi_lint *lint, uint32_t rule)
{
    tm_layer_walk walk = {0};
    uint32_t num = 0;
    tm_address first = {TM_KIND_MAP, 0, 0};
    while (tm_map_next_layer(lint->map, &walk) && walk.layer->kind != TM_LAYER_GAME) {
        if (!is_seen(lint, walk.layer, walk.number))
            continue;
        if (!walk.layer->detail)
            return;
        if (!num++)
            first = tmi_lint_walk_address(&walk);
    }
    if (num)
        tmi_lint_note_add(lint, rule, first, "all that is behind the game is marked as detail");
}

/* A rule: the first layer that is seen is a plain background, but smaller than screens. */
static void background_small(tmi_lint *lint, uint32_t rule)
{
    tm_layer_walk walk = {0};
    do {
        if (!tm_map_next_layer(lint->map, &walk))
            return;
    } while (!is_seen(lint, walk.layer, walk.number));
    const tm_group *group = &lint->map->groups[walk.group];
    const tmi_lint_quads *box = &lint->survey->quads[walk.number];
    const int64_t x = group->offset_x, y = group->offset_y;
    /* A plain background: quads without an image that stay in place. */
    if (walk.layer->kind != TM_LAYER_QUADS || tm_map_image(lint->map, walk.layer->as.quads.image) ||
        box->moves || group->parallax_x || group->parallax_y || group->use_clipping)
        return;
    /* Views of smaller screens contain at least the middle. */
    if (box->least.x / UNIT > x || box->most.x / UNIT < x || box->least.y / UNIT > y ||
        box->most.y / UNIT < y)
        return;
    if (box->least.x / UNIT > x - HALF_VIEW_X || box->most.x / UNIT < x + HALF_VIEW_X ||
        box->least.y / UNIT > y - HALF_VIEW_Y || box->most.y / UNIT < y + HALF_VIEW_Y)
        tmi_lint_note_add(lint, rule, tmi_lint_walk_address(&walk),
                          "the background goes from %d,%d to %d,%d px; screens show up to %d,%d to %d,%d",
                          (int)(box->least.x / UNIT), (int)(box->least.y / UNIT), (int)(box->most.x / UNIT),
                          (int)(box->most.y / UNIT), (int)(x - HALF_VIEW_X), (int)(y - HALF_VIEW_Y),
                          (int)(x + HALF_VIEW_X), (int)(y + HALF_VIEW_Y));
}

/* ------------------------------------------------------------------------------------------- envelopes */

/* A rule: games cut off a value of an envelope. Colors above 1 do not count: they have a use. */
static bool envelope_range(tmi_lint_object *object)
{
    enum { SOUND = 1, POSITION = 3, ONE = 1024 };
    const tm_envelope *envelope = object->envelope;
    const int32_t channels = envelope->channels;
    for (uint32_t i = 0; i < envelope->num_points && channels != POSITION; i++)
        for (int32_t k = 0; k < channels && k < 4; k++) {
            const int32_t value = envelope->points[i].values[k];
            if (value < 0 || (channels == SOUND && value > ONE))
                return tmi_lint_explain(object,
                                        channels == SOUND
                                            ? "point %u has the volume %d, which is not from 0 to 1024"
                                            : "point %u has the color %d, which is below 0",
                                        (unsigned)i, (int)value);
        }
    return false;
}

static bool image_heavy(tmi_lint_object *object)
{
    enum { PIXELS = 2048 * 2048, BYTES = 1 << 20 };
    const tm_image *image = object->image;
    const uint64_t packed = tm_block_get_info(image->pixels).packed_size;
    return !image->external && image->width > 0 && image->height > 0 &&
           ((uint64_t)image->width * (uint64_t)image->height > PIXELS || packed > BYTES) &&
           tmi_lint_explain(object, "it has %d x %d pixels, and takes %" PRIu64 " KiB of the file",
                            (int)image->width, (int)image->height, packed / 1024);
}

/* A rule: the client warns of an image whose pixels do not divide into the 16 x 16 tiles of a layer. */
static bool image_grid(tmi_lint_object *object)
{
    const tm_image *image = object->image;
    const tm_map *map = object->lint->map;
    enum { SHEET_SIDE = 16 };
    if (image->external || image->width <= 0 || image->height <= 0 ||
        (image->width % SHEET_SIDE == 0 && image->height % SHEET_SIDE == 0))
        return false;
    for (tm_layer_walk walk = {0}; tm_map_next_layer(map, &walk);)
        if (walk.layer->kind == TM_LAYER_TILES &&
            walk.layer->as.tiles.image == (int32_t)object->address.index)
            return tmi_lint_explain(object, "it is %d x %d pixels, and layers of tiles use it",
                                    (int)image->width, (int)image->height);
    return false;
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(IMAGE_OVERSIZED, STYLE, DESIGN, true,
                   "An embedded image has twice as many pixels as it is shown with, in both directions.",
                   "Every player downloads pixels that are hardly visible.",
                   "Make it smaller, and use teemap edit 'replace image'.", "DDNet's guidelines"),
     TMI_LINT_MANY("images", "half of their pixels in each direction would do", NULL),
     .objects = TMI_LINT_AT(IMAGE), .look = image_oversized},
    {TMI_LINT_RULE(QUAD_FAR, STYLE, DESIGN, true, "Quads are so far outside that no view shows them.",
                   "They take up space and time, and nobody sees them.", "Remove them, or move them back.",
                   "DDNet's guidelines"),
     TMI_LINT_MANY("layers", "they have quads to which no view gets", NULL), .objects = TMI_LINT_AT(LAYER),
     .look = quad_far},
    {TMI_LINT_RULE(QUAD_HIDDEN, STYLE, DESIGN, false,
                   "Quads have no extent, or neither alpha nor a color envelope.",
                   "They take up space and time, and nobody sees them.", "teemap edit 'clean quads'.",
                   "DDNet's guidelines"),
     TMI_LINT_FIX("clean quads", true), .fixes_each = true,
     TMI_LINT_MANY("layers", "they have quads that cannot be seen", "clean quads"),
     .objects = TMI_LINT_AT(LAYER), .look = quad_hidden},
    {TMI_LINT_RULE(BACKGROUND_DETAIL, STYLE, DESIGN, true, "All layers behind the game are marked as detail.",
                   "Players who switch details off see no background.",
                   "Remove the mark from the background, and keep it on decorations.", "DDNet's guidelines"),
     .judge = background_detail},
    {TMI_LINT_RULE(BACKGROUND_SMALL, STYLE, DESIGN, true, "The background does not fill all screens.",
                   "Wide or high screens show a border of another color.", "Make it at least 1500 x 1050 px.",
                   "DDNet's guidelines"),
     .judge = background_small},
    {TMI_LINT_RULE(ENVELOPE_RANGE, STYLE, OBJECTS, false,
                   "A color of an envelope is below 0, or a volume is not from 0 to 1024.",
                   "Values out of range have the same effect as the nearest valid value.",
                   "Correct the value.", "twmap check"),
     TMI_LINT_MANY("envelopes", "they have values that games cut off", NULL),
     .objects = TMI_LINT_AT(ENVELOPE), .look = envelope_range},
    {TMI_LINT_RULE(
         IMAGE_HEAVY, STYLE, OBJECTS, true,
         "An embedded image has more than 2048 x 2048 pixels, or takes more than 1 MiB of the file.",
         "Every player downloads it, and old graphics cards lack memory for it.",
         "Make it smaller, or combine the parts that are shown.", "DDNet's guidelines"),
     .objects = TMI_LINT_AT(IMAGE), .look = image_heavy},
    {TMI_LINT_RULE(
         IMAGE_GRID, PLAYED, OBJECTS, false,
         "The sides of an embedded image of tile layers cannot be divided by 16.",
         "Clients warn of it when the map is loaded, and DDNet's editor takes the image from the layers.",
         "Use widths and heights that are multiples of 16 pixels.", "DDNet's client"),
     TMI_LINT_MANY("images", "their sides cannot be divided by 16, and layers of tiles use them", NULL),
     .objects = TMI_LINT_AT(IMAGE), .look = image_grid},
};
TMI_LINT_FAMILY(tmi_lint_of_quads, rows);

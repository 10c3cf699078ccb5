/* SPDX-License-Identifier: Zlib */
#ifndef TMI_PREVIEW_H
#define TMI_PREVIEW_H
/*
 * Internal side of preview/.
 *   best_view.c         which view of a map tells most
 *   named_view.c        views by words
 *   object_boxes.c      where layers, quads and sound sources are
 *   areas.c             rectangles of a map, and cameras that show them
 *   marks.c             frames and tints over a picture
 *   change_marks.c      marks of patches and conflicts
 *   pyramid_plan.c      the frame of pyramids, which cells show something, and what they cost
 *   pyramid_draw.c      one cell of a pyramid
 *   moving_envelopes.c  which envelopes move something in a picture
 *   loop_find.c         when all envelopes start again, and the times of an animation that loops
 *   size_chart.c        sizes as areas, with labels
 *   rule_sheet.c        rules of automappers as cards
 *   equal_pictures.c    whether two maps look and play the same
 * Like render/, everything here works in integers and in doubles whose results do not depend on the compiler.
 */
#include <teemap/preview.h>

#include "../map/map.h"
#include "../render/render.h"

/*
 * The centre of a view along one axis, in tiles: as near to `centre` as the view can be without showing what
 * is beyond the edge of the map, and a multiple of an eighth, so that it is short as text.
 */
double tmi_view_centre(double centre, double view, double size);

/* A rectangle of a group's own world, px, or of a picture, pixels. */
typedef struct tmi_box {
    double left, top, right, bottom;
} tmi_box;
#define TMI_BOX_EMPTY ((tmi_box){INFINITY, INFINITY, -INFINITY, -INFINITY})
/* px of the fixed-point numbers of quads and sources. */
static inline double tmi_px(int32_t fixed)
{
    return (double)fixed / TM_FX;
}
/*
 * Around the corners of a quad, or with a radius above 0 around its pivot. `low` is how far the quad moves to
 * the left and up at most, `high` to the right and down.
 */
tmi_box tmi_box_of_quad(const tm_quad *quad, double radius, tm_vector low, tm_vector high);
bool tmi_box_is_empty(const tmi_box *box);
tm_preview_area tmi_area_of_box(const tmi_box *box);
/*
 * Around an element, not moved by envelopes: the corners of a quad, the range of a sound source (tm_quad,
 * tm_sound_source, tm_old_source, with any alignment). Empty for other owners and for NULL.
 */
tmi_box tmi_box_of_element(tm_kind owner, const void *element);
/*
 * Around all that a layer holds, or its quad or source `index` (-1: all), as envelopes have moved it at a
 * time in ms: tiles except air, quads without their pivots, the middles of sound sources. Empty for a layer
 * of another kind. TM_ERROR_NOT_FOUND for an index that the layer does not have.
 */
tm_status tmi_box_of_layer(tmi_box *box, const tm_map *map, const tm_layer *layer, int64_t index, double time,
                           tm_error *error);

/* ------------------------------------------------------------------------- of this library's rooms alone */

/* Pixels for one px of the world on a level. */
double tmi_pyramid_scale(const tm_pyramid_frame *frame, uint32_t level);
/* Those of cell (x, y) of a level that lie on the map and its border; the others are to be left clear. */
tm_rect tmi_pyramid_cell_pixels(const tm_pyramid_frame *frame, uint32_t level, int32_t x, int32_t y);
/*
 * Which envelopes a picture may show: sets seen[i] for each of the map's map->num_envelopes envelopes. Sounds
 * do not count, detail layers not with `no_detail`, nor layers whose factor in `opacities` is not above 0 (as
 * in tm_camera: tm_map_num_layers numbers; NULL: all layers count). Reads all quads; those that are damaged
 * show nothing.
 */
tm_status tmi_preview_envelopes(bool *seen, const tm_map *map, bool no_detail, const float *opacities,
                                tm_error *error);

#endif

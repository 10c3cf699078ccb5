/* SPDX-License-Identifier: Zlib */
#ifndef TMI_PREVIEW_H
#define TMI_PREVIEW_H
/*
 * Internal side of preview/.
 *   best_view.c      which view of a map tells most
 *   named_view.c     views by words
 *   object_boxes.c   where layers, quads and sound sources are
 *   areas.c          rectangles of a map, and cameras that show them
 *   marks.c          frames and tints over a picture
 *   pyramid.c        the frame that all pyramids of a map share, and its levels
 *   pyramid_plan.c   which cells of a pyramid show something, and what they cost
 *   pyramid_draw.c   one cell of a pyramid
 *   loop_period.c    which envelopes a map uses, and when all of them start anew
 *   loop_seen.c      which of them move something in a picture
 *   loop_find.c      the times of an animation that loops
 *   box_chart.c      sizes as areas, with labels
 *   rule_sheet.c     rules of automappers as cards
 * Like render/, everything here works in integers and in doubles whose results do not depend on the compiler.
 */
#include <teemap/preview.h>

#include "../map/map.h"
#include "../render/render.h"

/*
 * Where a view is centred that would like to be at `centre`, one way, all in tiles: not looking beyond the
 * edge of the map if it can be helped, and at an eighth of a tile, so that few digits tell it.
 */
double tmi_view_centre(double centre, double view, double size);

/* A rectangle of a group's own world, px. */
typedef struct tmi_box {
    double left, top, right, bottom;
} tmi_box;
bool tmi_box_is_empty(const tmi_box *box);
/* All that a layer holds, or its quad or source `index` (-1: all), as envelopes have moved it at a time. */
tm_status tmi_box_of_layer(tmi_box *box, const tm_map *map, const tm_layer *layer, int64_t index, double time,
                           tm_error *error);

#endif

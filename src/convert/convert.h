/* SPDX-License-Identifier: Zlib */
#ifndef TMI_CONVERT_H
#define TMI_CONVERT_H
/*
 * What the steps of a conversion share. Each step is a function on a clone of the map, which it may leave
 * half done when it fails: the clone is thrown away then.
 */
#include <teemap/convert.h>
#include <teemap/tiles.h>

#include "../base/base.h"
#include "../map/map.h"

/* A conversion at work. */
typedef struct tmi_convert {
    tm_map *map; /* the clone; map->game is still `from` */
    tm_game from, to;
    const tm_convert_options *options;
    const char *step; /* the name of the one that works */
    tm_report *report;
    tmi_image_uses *uses; /* of each image, once somebody has asked; NULL before */
    uint64_t air;         /* bytes of tiles that layers without tiles may still get */
} tmi_convert;

typedef tm_status tmi_convert_function(tmi_convert *convert, tm_error *error);

/* In the order in which they work (run_convert.c). */
tmi_convert_function tmi_convert_game_layers, tmi_convert_game_tiles, tmi_convert_layers, tmi_convert_sounds,
    tmi_convert_settings, tmi_convert_automappers, tmi_convert_zoom, tmi_convert_envelopes,
    tmi_convert_images_in, tmi_convert_image_pixels, tmi_convert_image_number, tmi_convert_data;

/* Adds a change at an object as it is now. */
void tmi_convert_changed(tmi_convert *convert, tm_address address, uint64_t count, const char *format, ...)
    TMI_PRINTF(4, 5);
/* Adds a change by which something is lost, and a finding of that. */
void tmi_convert_lose(tmi_convert *convert, tm_finding_id id, tm_address address, uint64_t count,
                      const char *format, ...) TMI_PRINTF(5, 6);
/* Adds a change by which tiles of a kind are lost; one finding reports all kinds of a layer. */
void tmi_convert_lose_tiles(tmi_convert *convert, tm_address address, uint64_t count, const char *format, ...)
    TMI_PRINTF(4, 5);
/* Adds the loss of a part of an object that the game does not hold, in the words of the games' table. */
void tmi_convert_lose_part(tmi_convert *convert, tm_part part, tm_address address, uint64_t count);
/* Adds a finding without a change. */
void tmi_convert_report(tmi_convert *convert, tm_finding_id id, tm_address address, const char *format, ...)
    TMI_PRINTF(4, 5);

#endif

/* SPDX-License-Identifier: Zlib */
/*
 * layer_list.c - --layers and --entities, by the library's sets of layers. Says which option it is that means
 * nothing, and where to look.
 */
#include "layer_list.h"

#include "fail.h"

#include <teemap/query.h>

#include <stdio.h>
#include <stdlib.h>

static tm_status tell_option(tm_error *error, const char *option)
{
    const tm_error of_list = *error;
    return fail(error, TM_ERROR_USAGE, "--%s: %.200s%s", option, of_list.text,
                of_list.code == TM_ERROR_NOT_FOUND ? " ('teemap ls MAP' shows them)" : "");
}

static tm_status apply_list(float *opacities, bool *none, const char *option, const char *list,
                            tm_select_words words, const tm_map *map, tm_error *error)
{
    const uint32_t num = tm_map_num_layers(map);
    tm_layer_choice *choices = must_alloc(num, sizeof(*choices));
    const tm_status status = tm_select_layers(choices, map, list, words, error);
    for (uint32_t i = 0; i < num; i++)
        *none &= !choices[i].chosen;
    if (!status)
        tm_select_opacities(opacities, choices, num);
    free(choices);
    return status ? tell_option(error, option) : TM_OK;
}

tm_status layers_choose(float **out, bool *none, const picture_options *options, const tm_map *map,
                        tm_error *error)
{
    const char *entities = options->entities;
    tm_status status = TM_OK;
    *out = NULL;
    *none = options->layers || entities;
    if (!*none)
        return TM_OK;
    *out = must_alloc(tm_map_num_layers(map), sizeof(**out));
    if (options->layers)
        status = apply_list(*out, none, "layers", options->layers, TM_SELECT_DRAWN, map, error);
    if (!status && entities)
        status = apply_list(*out, none, "entities", *entities ? entities : "physics",
                            *entities ? TM_SELECT_PHYSICS : TM_SELECT_DRAWN, map, error);
    if (status) {
        free(*out);
        *out = NULL;
    }
    return status;
}

bool layers_hold_physics(const float *opacities, const tm_map *map)
{
    tm_layer_walk at = {0};
    while (opacities && tm_map_next_layer(map, &at))
        if (opacities[at.number] > 0 && tm_game_layer(at.layer->kind)->is_physics)
            return true;
    return false;
}

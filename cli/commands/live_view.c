/* SPDX-License-Identifier: Zlib */
/* live_view.c - see live_view.h. */
#include "live_view.h"

json_t *live_view_values(const live_view *of)
{
    const picture_options *options = of->options;
    const bool moves = tm_mapfile_features(of->map) >> TM_FEATURE_ENVELOPES & 1,
               stands = of->script[0] == '/' || strstr(of->script, "://");
    char *script = must_print("%s%s", stands ? "" : of->up, of->script);
    json_t *object = json_object(
        JSON_TEXT("script", script), JSON_TEXT("src", of->src), JSON_TEXT("images", of->images),
        JSON_TEXT("label", of->label), JSON_TEXT("view", of->view), JSON_TEXT("layers", options->layers),
        JSON_BOOL("draws_entities", !!options->entities), JSON_TEXT("entities", options->entities),
        JSON_VALUE("time", options->time > 0 ? json_real(options->time) : NULL),
        JSON_BOOL("motion", moves && !of->still));
    free(script);
    return object;
}

/* SPDX-License-Identifier: Zlib */
/* live_view.c - see live_view.h. */
#include "live_view.h"

json_t *live_view_values(const live_view *of)
{
    const picture_options *options = of->options;
    const bool moves = tm_mapfile_features(of->map) >> TM_FEATURE_ENVELOPES & 1,
               stands = of->script[0] == '/' || strstr(of->script, "://");
    char *script = must_print("%s%s", stands ? "" : of->up, of->script);
    json_t *object = json_make();
    json_add_text(object, "script", script);
    json_add_text(object, "src", of->src);
    json_add_text(object, "images", of->images);
    json_add_text(object, "label", of->label);
    json_add_text(object, "view", of->view);
    json_add_text(object, "layers", options->layers);
    json_add_bool(object, "draws_entities", options->entities);
    json_add_text(object, "entities", options->entities);
    json_add(object, "time", options->time > 0 ? json_real(options->time) : json_null());
    json_add_bool(object, "motion", moves && !of->still);
    free(script);
    return object;
}

/* SPDX-License-Identifier: Zlib */
/* live_view.c - the element that draws a map, and what its page needs for it. */
#include "live_view.h"

#include "output/html.h"

#include <teemap/mapfile.h>

#include <string.h>

void live_put_policy(text *out)
{
    text_string(out, " 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'");
}

void live_put_script(text *out, const char *url, const char *up)
{
    text_string(out, "<script type=\"module\" src=\"");
    text_string(out, url[0] == '/' || strstr(url, "://") ? "" : up);
    html_text(out, url);
    text_string(out, "\"></script>\n");
}

static void put_attribute(text *out, const char *name, const char *value)
{
    if (!value)
        return;
    text_print(out, " %s=\"", name);
    html_text(out, value);
    text_string(out, "\"");
}

void live_put_view(text *out, const live_view *of)
{
    const bool moves = tm_mapfile_features(of->map) >> TM_FEATURE_ENVELOPES & 1;
    text_string(out, "<teemap-view");
    put_attribute(out, "src", of->src);
    put_attribute(out, "images", of->images);
    put_attribute(out, "label", of->label);
    put_attribute(out, "view", of->view);
    put_attribute(out, "layers", of->options->layers);
    put_attribute(out, "entities", of->options->entities);
    if (of->options->time > 0)
        text_print(out, " time=\"%.0f\"", of->options->time);
    text_string(out, moves && !of->still ? " motion>" : ">");
}

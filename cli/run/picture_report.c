/* SPDX-License-Identifier: Zlib */
/* picture_report.c - reports, for the commands that draw, the findings that affect their pictures. */
#include "picture.h"

/* The most names of missing images in one line. */
enum { FEW_NAMES = 6 };

static bool found_one(const tm_findings *findings, tm_finding_id id)
{
    for (size_t i = 0; i < findings->num; i++)
        if (findings->list[i].id == id)
            return true;
    return false;
}

bool picture_misses_images(const tm_findings *findings)
{
    return found_one(findings, TM_FINDING_MISSING_IMAGE);
}

bool picture_lacks_data(const tm_findings *findings)
{
    return found_one(findings, TM_FINDING_DATA_BROKEN) || found_one(findings, TM_FINDING_OBJECT_LOST) ||
           found_one(findings, TM_FINDING_OBJECT_DAMAGED);
}

/* The external image that a finding says is missing; NULL if it says something else. */
static const char *missing_name(const tm_finding *finding, const tm_map *map)
{
    const tm_image *image;
    tm_address at;
    if (finding->id != TM_FINDING_MISSING_IMAGE || tm_address_parse(&at, map, finding->address, NULL))
        return NULL;
    image = at.kind == TM_ADDRESS_IMAGE ? &map->images[at.index] : NULL;
    return image && image->external ? image->name : NULL;
}

bool picture_lacks_all_images(const loaded *file)
{
    tm_layer_walk at = {0};
    uint32_t num = 0;
    while (tm_map_next_layer(file->map, &at)) {
        const int32_t image = at.layer->kind == TM_LAYER_TILES   ? at.layer->as.tiles.image
                              : at.layer->kind == TM_LAYER_QUADS ? at.layer->as.quads.image
                                                                 : TM_NONE;
        bool missing = image == TM_NONE;
        for (size_t i = 0; !missing && i < file->findings.num; i++) {
            tm_address of;
            missing = file->findings.list[i].id == TM_FINDING_MISSING_IMAGE &&
                      !tm_address_parse(&of, file->map, file->findings.list[i].address, NULL) &&
                      of.kind == TM_ADDRESS_IMAGE && of.index == (uint32_t)image;
        }
        if (!missing)
            return false;
        num += image != TM_NONE;
    }
    return num > 0;
}

static const char *how_shown(tm_missing_image missing)
{
    return missing == TM_MISSING_CLIENT ? "squares of four colors stand for them, as in the game"
           : missing == TM_MISSING_NONE ? "what they show is left out"
                                        : "plain colors stand for them";
}

/* Puts one line about all missing images. */
static void put_missing_line(const report *to, const picture *of, const loaded *file)
{
    size_t num = 0;
    text names = {0};
    for (size_t i = 0; i < file->findings.num; i++) {
        const char *name = missing_name(&file->findings.list[i], file->map);
        if (name && num++ < FEW_NAMES) {
            text_string(&names, names.size ? ", " : "");
            text_safe(&names, name);
        }
    }
    if (num) {
        text_string(to->err, "teemap: ");
        text_lead(to->err, path_name(to->path));
        put_severity(to->err, TM_SEVERITY_WARNING);
        text_print(to->err, ": %zu external image%s not found (", num, num == 1 ? " is" : "s are");
        text_put(to->err, names.bytes, names.size);
        if (num > FEW_NAMES)
            text_print(to->err, " and %zu more", num - FEW_NAMES);
        text_print(to->err, "): %s; 'teemap doctor MAP' shows where to get them\n",
                   how_shown(of->options->missing));
    }
    text_release(&names);
}

void picture_report(report *to, const picture *of, const loaded *file)
{
    const common_options *options = to->tool->common;
    tm_findings told = {.list = must_alloc(file->findings.num, sizeof(*told.list)),
                        .errors = file->findings.errors};
    for (size_t i = 0; i < file->findings.num; i++) {
        const tm_finding *f = &file->findings.list[i];
        const bool touches = f->severity == TM_SEVERITY_ERROR || f->id == TM_FINDING_MISSING_IMAGE;
        if (options->verbose || (touches && !(file->map && missing_name(f, file->map))))
            told.list[told.num++] = *f;
    }
    report_findings(to, &told, SHOW_FEW);
    free(told.list);
    if (!options->verbose && !options->quiet && file->map)
        put_missing_line(to, of, file);
    const bool no_layers = of->no_layers && of->renderer;
    if (no_layers)
        report_note(to, "warning: the map has none of the layers that were asked for");
    if (no_layers || picture_lacks_data(&file->findings))
        raise_status(&to->status, STATUS_FINDINGS);
}

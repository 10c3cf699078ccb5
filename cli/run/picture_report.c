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
    tm_address address;
    if (finding->id != TM_FINDING_MISSING_IMAGE || tm_address_parse(&address, map, finding->address, NULL))
        return NULL;
    image = address.kind == TM_KIND_IMAGE ? &map->images[address.index] : NULL;
    return image && image->external ? image->name : NULL;
}

bool picture_lacks_all_images(const loaded *file)
{
    tm_layer_walk walk = {0};
    uint32_t num = 0;
    while (tm_map_next_layer(file->map, &walk)) {
        const int32_t image = walk.layer->kind == TM_LAYER_TILES   ? walk.layer->as.tiles.image
                              : walk.layer->kind == TM_LAYER_QUADS ? walk.layer->as.quads.image
                                                                   : TM_NONE;
        bool missing = image == TM_NONE;
        for (size_t i = 0; !missing && i < file->findings.num; i++) {
            tm_address address;
            missing = file->findings.list[i].id == TM_FINDING_MISSING_IMAGE &&
                      !tm_address_parse(&address, file->map, file->findings.list[i].address, NULL) &&
                      address.kind == TM_KIND_IMAGE && address.index == (uint32_t)image;
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
static void put_missing_line(const cli_report *report, const cli_picture *picture, const loaded *file)
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
        text_string(report->err, "teemap: ");
        text_lead(report->err, path_name(report->path));
        put_severity(report->err, TM_SEVERITY_WARNING);
        text_print(report->err, ": %zu external image%s not found (", num, num == 1 ? " is" : "s are");
        text_put(report->err, names.bytes, names.size);
        if (num > FEW_NAMES)
            text_print(report->err, " and %zu more", num - FEW_NAMES);
        text_print(report->err, "): %s; 'teemap doctor MAP' shows where to get them\n",
                   how_shown(picture->options->missing));
    }
    text_release(&names);
}

void picture_report(cli_report *report, const cli_picture *picture, const loaded *file)
{
    const common_options *options = report->tool->common;
    tm_findings shown = {.list = must_alloc(file->findings.num, sizeof(*shown.list)),
                         .errors = file->findings.errors};
    for (size_t i = 0; i < file->findings.num; i++) {
        const tm_finding *f = &file->findings.list[i];
        const bool touches = f->severity == TM_SEVERITY_ERROR || f->id == TM_FINDING_MISSING_IMAGE;
        if (options->verbose || (touches && !(file->map && missing_name(f, file->map))))
            shown.list[shown.num++] = *f;
    }
    if (file->map || options->verbose) /* as report_loaded */
        report_findings(report, &shown, SHOW_FEW);
    free(shown.list);
    if (!options->verbose && !options->quiet && file->map)
        put_missing_line(report, picture, file);
    const bool no_layers = picture->no_layers && picture->renderer;
    if (no_layers)
        report_note(report, "warning: the map has none of the layers that were asked for");
    if (no_layers || picture_lacks_data(&file->findings))
        raise_status(&report->status, STATUS_FINDINGS);
}

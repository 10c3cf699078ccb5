/* SPDX-License-Identifier: Zlib */
/*
 * load.c - opens, hashes and loads a map. The hashes are of the file as it is, so they exist for broken maps
 * too. A check judges by what was found while it was loaded, by its data, and by the model's own rules.
 */
#include "load.h"

#include "output/report_words.h"

enum { MANY_FINDINGS = 200000 }; /* 10,000 of each id; a list of so many takes 100 MB */

/* Reads the whole file once for its hashes; a failure is the status of `out`. */
static void hash_input(loaded *out, tm_input *input)
{
    out->status = tm_hash_input(&out->hashes, input, NULL, &out->error);
    format_hex(out->sha256, out->hashes.sha256, sizeof(out->hashes.sha256));
    snprintf(out->crc32, sizeof(out->crc32), "%08lx", (unsigned long)out->hashes.crc32);
    out->hashed = !out->status;
}

/* Loads the map of an input, which it takes over; after a failure it only closes that. */
static void load_input(loaded *out, tm_input input, tm_mode mode, uint64_t unpacked)
{
    out->file_size = input.size;
    if (out->status) {
        if (input.close)
            input.close(input.ctx);
        return;
    }
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    options.mode = mode;
    const tm_limits limits = {.size = sizeof(limits), .unpacked_bytes = unpacked};
    options.limits = &limits;
    out->status = tm_mapfile_load(&out->map, input, &options, &out->findings, &out->error);
    out->opened = out->status != TM_ERROR_IO;
}

/* Starts to load a path: opens its input; false: that failed, and `out` has the error. */
static bool begin_load(loaded *out, tm_input *input, const char *path, size_t limit)
{
    *out = (loaded){0};
    tm_findings_init(&out->findings, limit, NULL);
    out->status = open_path(input, path, &out->error);
    return !out->status;
}

static void load_path(loaded *out, const char *path, tm_mode mode, size_t limit, uint64_t unpacked)
{
    tm_input input;
    if (begin_load(out, &input, path, limit))
        load_input(out, input, mode, unpacked);
}

void load_datafile(loaded *out, const char *path, tm_mode mode, uint64_t unpacked)
{
    tm_input input;
    tm_datafile_options options = TM_DATAFILE_OPTIONS_INIT;
    const tm_limits limits = {.size = sizeof(limits), .unpacked_bytes = unpacked};
    options.mode = mode;
    options.limits = &limits;
    if (!begin_load(out, &input, path, 0))
        return;
    out->file_size = input.size;
    out->status = tm_datafile_open(&out->datafile, input, &options, &out->findings, &out->error);
}

void load_map_from(loaded *out, tm_input input, tm_mode mode)
{
    *out = (loaded){0};
    tm_findings_init(&out->findings, 0, NULL);
    load_input(out, input, mode, 0);
}

void load_map(loaded *out, const char *path, tm_mode mode)
{
    load_path(out, path, mode, 0, 0);
}

void load_map_with_hashes(loaded *out, const char *path, tm_mode mode)
{
    tm_input input;
    if (!begin_load(out, &input, path, 0))
        return;
    hash_input(out, &input);
    load_input(out, input, mode, 0);
}

void load_map_to_change(loaded *out, const char *path, tm_mode mode, uint64_t unpacked)
{
    load_path(out, path, mode, 0, unpacked);
}

void load_map_to_check(loaded *out, const char *path, tm_mode mode)
{
    load_path(out, path, mode, MANY_FINDINGS, 0);
}

void loaded_rescue(loaded *file, const tm_job *job)
{
    file->status = tm_mapfile_rescue(&file->rescue, file->map, job, &file->findings, &file->error);
    file->rescued = !file->status && !tm_rescue_complete(&file->rescue);
}

void report_made(cli_report *report, json_t *object, const loaded *file, const char *form)
{
    const common_options *options = report->tool->common;
    const bool rescued = !file->status && file->rescued;
    if (file->status)
        json_add_error(object, &file->error);
    if (rescued)
        json_add(object, "rescue", json_rescue(&file->rescue));
    json_add_findings(object, &file->findings);
    report_done(report, object, form);
    if (rescued && !options->json && !options->quiet)
        put_rescue_line(report->err, report->path, &file->rescue);
}

void report_loaded(cli_report *report, const loaded *file, shown_findings shown)
{
    if (file->map || file->datafile || report->tool->common->verbose)
        report_findings(report, &file->findings, shown);
}

void add_finding(tm_findings *findings, tm_mode mode, const tm_finding *finding)
{
    tm_findings_add(findings, mode, finding->id, finding->offset, finding->address, finding->place,
                    finding->text);
}

tm_status loaded_find_damage(loaded *file, tm_mode mode, const tm_job *job, tm_error *error)
{
    tm_findings found;
    tm_findings_init(&found, 0, NULL);
    const tm_status status = tm_mapfile_check_data(file->map, job, &found, error);
    for (size_t i = 0; i < found.num; i++)
        if (found.list[i].severity == TM_SEVERITY_ERROR)
            add_finding(&file->findings, mode, &found.list[i]);
    tm_findings_release(&found);
    return status == TM_ERROR_DAMAGED ? TM_OK : status; /* that a game refuses the map is one of them */
}

void loaded_release(loaded *file)
{
    tm_map_free(file->map);
    tm_datafile_close(file->datafile);
    tm_findings_release(&file->findings);
    *file = (loaded){0};
}

bool map_has_automapper(const tm_map *map)
{
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk))
        if (tm_layer_has_automapper(walk.layer))
            return true;
    return false;
}

void judge_file(check_result *v, loaded *file, const tm_job *job)
{
    tm_status status = file->status;
    *v = (check_result){.error = file->error};
    if (!status)
        status = tm_mapfile_check_data(file->map, job, &file->findings, &v->error);
    v->unreadable = status == TM_ERROR_IO || status == TM_ERROR_MEMORY || status == TM_ERROR_LIMIT ||
                    status == TM_ERROR_USAGE;
    v->refused = status && !v->unreadable;
    if (!status)
        v->invalid = tm_map_verify(file->map, &v->error) != TM_OK;
}

const char *check_result_name(const check_result *v, const tm_findings *findings)
{
    return v->unreadable          ? "unreadable"
           : v->refused           ? "refused"
           : v->invalid           ? "invalid"
           : findings->errors > 0 ? "errors"
           : findings->num > 0    ? "findings"
                                  : "fine";
}

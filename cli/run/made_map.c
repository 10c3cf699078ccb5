/* SPDX-License-Identifier: Zlib */
/*
 * made_map.c - makes the file of a map in memory and opens it as DDNet does, which reads its head, its items,
 * its texts and the game layer. Where DDNet refuses it, the file is opened like any other, and repaired by
 * the library's table of repairs (tm_edit_fix), so that findings and repairs speak of the same layers.
 */
#include "made_map.h"

enum { MAX_REPAIRS = 8 }; /* rounds: one repair may show what another fault has hidden */

/* Also repaired though no game refuses them: DDNet's editor changes them when it opens the map. */
static bool is_repaired_always(tm_finding_id id)
{
    return id == TM_FINDING_BAD_CHANNELS || id == TM_FINDING_BAD_NAME;
}

static tm_status load_bytes(tm_map **out, const tm_buffer *bytes, tm_mode mode, const make_request *request,
                            tm_findings *findings, tm_error *error)
{
    const tm_limits limits = {.size = sizeof(limits), .unpacked_bytes = request->unpacked};
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    options.mode = mode;
    options.limits = &limits;
    return tm_mapfile_load(out, tm_input_from_memory(bytes->bytes, bytes->size), &options, findings, error);
}

/*
 * The findings of the strictest loader. *refused: it does not open the bytes, and `refusal` says why, which
 * is no failure here. A limit of this program is no refusal of the game, but nothing better is known then.
 */
static tm_status ask_loader(bool *refused, tm_error *refusal, tm_findings *findings, const tm_buffer *bytes,
                            const make_request *request, tm_error *error)
{
    tm_map *map;
    const tm_status status = load_bytes(&map, bytes, TM_MODE_STRICT, request, findings, refusal);
    tm_map_free(map);
    *refused = status == TM_ERROR_DAMAGED || status == TM_ERROR_UNSUPPORTED || status == TM_ERROR_LIMIT;
    if (!status || *refused)
        return TM_OK;
    *error = *refusal;
    return status;
}

/* ---------------------------------------------------------------------------------------------- repairing */

static uint64_t num_repairable(tm_findings *out, const tm_findings *findings)
{
    for (size_t i = 0; i < findings->num; i++)
        if (findings->list[i].refuses || is_repaired_always(findings->list[i].id))
            add_finding(out, TM_MODE_STRICT, &findings->list[i]);
    return out->num;
}

static tm_status save_repaired(tm_buffer *out, const tm_map *map, const make_request *request,
                               tm_error *error)
{
    tm_mapfile_save_options options = TM_MAPFILE_SAVE_OPTIONS_INIT;
    const tm_output output = tm_output_to_buffer(out);
    options.level = request->save_options.level;
    options.smallest = request->save_options.smallest;
    options.lay_out = true;
    return tm_mapfile_save(map, &output, &options, request->job, NULL, error);
}

/* Repairs the faults; *out stays empty if nothing can be done about them, or not within the limits. */
static tm_status repair_bytes(tm_buffer *out, tm_report *done, const tm_buffer *bytes,
                              const tm_findings *faults, const make_request *request, tm_error *error)
{
    tm_map *map;
    tm_error reason = {.offset = -1};
    tm_status status = load_bytes(&map, bytes, TM_MODE_GAME, request, NULL, &reason);
    if (!status)
        status = tm_edit_fix(map, faults, TM_FIX_SAFE, done, &reason);
    if (!status && done->num)
        status = save_repaired(out, map, request, &reason);
    tm_map_free(map);
    if (status)
        tm_buffer_release(out);
    if (status == TM_ERROR_DAMAGED || status == TM_ERROR_UNSUPPORTED)
        return TM_OK;
    if (status == TM_ERROR_LIMIT) {
        advise_on_unpacking(status, &reason);
        tm_findings_add(&done->findings, TM_MODE_GAME, TM_FINDING_NOT_REPAIRED, reason.offset, "",
                        reason.place, reason.text);
        return TM_OK;
    }
    if (status)
        *error = reason;
    return status;
}

static void report_repairs(tm_findings *findings, const tm_report *done)
{
    for (size_t i = 0; i < done->num; i++)
        tm_findings_add(findings, TM_MODE_GAME, TM_FINDING_REPAIRED, -1, done->list[i].address,
                        done->list[i].place, done->list[i].text);
}

/* What repairs lose, or with `is_last`, after the last round, what was too large for them. */
static void report_left(tm_findings *findings, const tm_report *done, bool is_last)
{
    for (size_t i = 0; i < done->findings.num; i++)
        if ((done->findings.list[i].id == TM_FINDING_NOT_REPAIRED) == is_last)
            add_finding(findings, TM_MODE_GAME, &done->findings.list[i]);
}

/* One round. *better: the bytes are repaired ones, and `findings` are those of the loader for them. */
static tm_status repair_once(bool *better, made_map *made, tm_error *refusal, tm_findings *findings,
                             const make_request *request, tm_error *error)
{
    tm_findings faults, left;
    tm_report done;
    tm_buffer bytes = {0};
    bool refused = false;
    tm_error reason = {.offset = -1};
    tm_status status = TM_OK;
    *better = false;
    tm_findings_init(&faults, 0, NULL);
    tm_findings_init(&left, 0, NULL);
    tm_report_init(&done, NULL);
    if (num_repairable(&faults, findings))
        status = repair_bytes(&bytes, &done, &made->bytes, &faults, request, error);
    if (!status && bytes.size)
        status = ask_loader(&refused, &reason, &left, &bytes, request, error);
    *better = !status && bytes.size &&
              (left.refusals < findings->refusals ||
               (left.refusals == findings->refusals && left.num < findings->num));
    if (*better) {
        const tm_findings before = *findings;
        const tm_buffer old = made->bytes;
        report_repairs(request->findings, &done);
        report_left(request->findings, &done, false);
        made->bytes = bytes;
        made->repaired = true;
        made->refused = refused;
        *refusal = reason;
        *findings = left;
        left = before;
        bytes = old;
    } else if (!status) {
        report_left(request->findings, &done, true);
    }
    tm_buffer_release(&bytes);
    tm_report_release(&done);
    tm_findings_release(&left);
    tm_findings_release(&faults);
    return status;
}

/* ------------------------------------------------------------------------------------------- the verdict */

bool is_opened_strictly(const char *path)
{
    loaded file;
    load_map(&file, path, TM_MODE_STRICT);
    const bool opened = !file.status;
    loaded_release(&file);
    return opened;
}

/* In one line, with the place of the first finding for which the loader refuses the file. */
static void report_refusal(const tm_error *refusal, const tm_findings *findings, const make_request *request)
{
    const bool asks = request->source && strcmp(request->source, "-") != 0;
    const bool before = asks && refusal->code != TM_ERROR_LIMIT && !is_opened_strictly(request->source);
    char words[2 * TM_ERROR_TEXT_SIZE];
    size_t i = 0;
    while (i < findings->num && !findings->list[i].refuses)
        i++;
    if (refusal->code == TM_ERROR_LIMIT)
        snprintf(words, sizeof(words), "it is not known whether %s opens the result: %s", TM_STRICT_GAME,
                 refusal->text);
    else
        snprintf(words, sizeof(words), "%s refuses the result%s: %s", TM_STRICT_GAME,
                 before ? ", as it refused the input" : "", refusal->text);
    tm_findings_add(request->findings, before && request->forgives ? TM_MODE_SALVAGE : TM_MODE_GAME,
                    TM_FINDING_NOT_FOR_DDNET, refusal->offset,
                    i < findings->num ? findings->list[i].address : "", refusal->place, words);
}

static tm_status judge_and_repair(made_map *made, bool repairs, const make_request *request, tm_error *error)
{
    tm_findings findings;
    tm_error refusal = {.offset = -1};
    bool better = true;
    tm_findings_init(&findings, 0, NULL);
    tm_status status = ask_loader(&made->refused, &refusal, &findings, &made->bytes, request, error);
    for (int round = 0; !status && repairs && better && round < MAX_REPAIRS; round++)
        status = repair_once(&better, made, &refusal, &findings, request, error);
    if (!status && made->refused && !request->refusal_is_known)
        report_refusal(&refusal, &findings, request);
    tm_findings_release(&findings);
    return status;
}

tm_status make_map_file(made_map *out, const tm_map *map, const make_request *request, tm_error *error)
{
    *out = (made_map){.refused = false};
    const tm_output output = tm_output_to_buffer(&out->bytes);
    const tm_status status =
        tm_mapfile_save(map, &output, &request->save_options, request->job, request->findings, error);
    return status ? status : judge_and_repair(out, request->for_game, request, error);
}

tm_status ask_strict_loader(tm_findings *out, const tm_map *map, const tm_job *job, tm_error *error)
{
    tm_buffer bytes = {0};
    bool refused;
    tm_error refusal = {.offset = -1};
    const tm_output output = tm_output_to_buffer(&bytes);
    const make_request request = {.save_options = TM_MAPFILE_SAVE_OPTIONS_INIT, .job = job};
    tm_status status = tm_mapfile_save(map, &output, &request.save_options, job, NULL, error);
    if (!status)
        status = ask_loader(&refused, &refusal, out, &bytes, &request, error);
    tm_buffer_release(&bytes);
    return status;
}

void made_map_release(made_map *made)
{
    tm_buffer_release(&made->bytes);
}

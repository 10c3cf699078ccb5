/* SPDX-License-Identifier: Zlib */
/*
 * cmd_fix.c - `teemap fix`: repairs the faults of a map that can be repaired, and reports the others. The
 * library makes the repairs (tm_edit_fix); this file repeats them until they change nothing more.
 */
#include "change_maps.h"

typedef struct fix_options {
    change_options change;
    bool visible, list;
} fix_options;

static const option_row fix_rows[] = {
    CHANGE_OUTPUT_ROWS(fix_options),
    {0, "visible", NULL, FLAG_AT(fix_options, visible), .text = "also apply fixes that players may notice"},
    {0, "list", NULL, FLAG_AT(fix_options, list), .text = "list all fixes and what they do"},
    CHANGE_RUNNING_ROWS,
    {0},
};

COMMAND(fix, fix_options, 0, -1, .operands = {OPERAND_MAP});

/* The findings of a file in one mode. *refused: its game does not open it, which is no failure here. */
static tm_status judge_as(tm_findings *out, bool *refused, const tm_buffer *file, tm_mode mode,
                          const tm_job *job, tm_error *error)
{
    tm_map *map;
    tm_error refusal = {.offset = -1};
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    options.mode = mode;
    tm_status status =
        tm_mapfile_load(&map, tm_input_from_memory(file->bytes, file->size), &options, out, &refusal);
    *refused = status == TM_ERROR_DAMAGED;
    if (!status)
        status = tm_mapfile_check_data(map, job, out, error);
    else if (*refused)
        status = TM_OK;
    else
        *error = refusal;
    tm_map_free(map);
    return status;
}

static bool is_found(const tm_findings *findings, const char *id, const char *address)
{
    for (size_t i = 0; i < findings->num; i++)
        if (strcmp(tm_finding_name(findings->list[i].id), id) == 0 &&
            strcmp(findings->list[i].address, address) == 0)
            return true;
    return false;
}

/* The findings of the strictest game, and if that refuses the file, those of others, which read further. */
static tm_status judge_bytes(tm_findings *out, bool *refused, const tm_buffer *file, const tm_job *job,
                             tm_error *error)
{
    tm_findings further;
    bool by_others;
    tm_status status = judge_as(out, refused, file, TM_MODE_STRICT, job, error);
    if (status || !*refused)
        return status;
    tm_findings_init(&further, 0, NULL);
    status = judge_as(&further, &by_others, file, TM_MODE_GAME, job, error);
    for (size_t i = 0; i < further.num; i++)
        if (!is_found(out, tm_finding_name(further.list[i].id), further.list[i].address))
            add_finding(out, TM_MODE_GAME, &further.list[i]);
    tm_findings_release(&further);
    return status;
}

/* The findings of the map as it would be saved. */
static tm_status judge(tm_findings *out, changed_map *map, tm_error *error)
{
    tm_buffer file = {0};
    const tm_output output = tm_output_to_buffer(&file);
    tm_mapfile_save_options save_options = map->save_options;
    save_options.level = 1;
    tm_findings_release(out);
    tm_findings_init(out, 0, NULL);
    tm_status status = tm_mapfile_save(map->file.map, &output, &save_options, map->job, NULL, error);
    if (!status)
        status = judge_bytes(out, &map->unfit, &file, map->job, error);
    tm_buffer_release(&file);
    return status;
}

static uint64_t num_worse_than_notes(const tm_findings *findings)
{
    uint64_t num = findings->unlisted;
    for (size_t i = 0; i < findings->num; i++)
        if (findings->list[i].id != TM_FINDING_NOT_REPAIRED) /* the fault has a finding of its own */
            num += findings->list[i].severity > TM_SEVERITY_NOTE ? findings->list[i].count : 0;
    return num;
}

enum { MAX_ROUNDS = 64 };

/* What a round reports counts if the round does; what it could not repair is what is left after the last. */
static void add_reported(tm_findings *findings, const tm_findings *reported, bool counts, bool is_last)
{
    for (size_t i = 0; i < reported->num; i++)
        if (reported->list[i].id == TM_FINDING_NOT_REPAIRED ? is_last : counts)
            add_finding(findings, TM_MODE_GAME, &reported->list[i]);
}

/*
 * Repairs what was found, and finds what is left: *num_left; then it is *better if something was repaired and
 * less is left than before. Otherwise the round is undone, but the first has made its findings those of the
 * strictest game.
 */
static tm_status fix_once(bool *better, uint64_t *num_left, changed_map *map, tm_fix_effect most,
                          bool is_first, tm_error *error)
{
    tm_findings *findings = &map->file.findings, left, reported = map->done.findings;
    tm_map *last = NULL;
    const size_t before = map->done.num;
    const bool was_unfit = map->unfit;
    tm_findings_init(&left, 0, NULL);
    tm_findings_init(&map->done.findings, 0, NULL);
    tm_status status = tm_map_clone(&last, map->file.map, error);
    if (!status)
        status = tm_edit_fix(map->file.map, findings, most, &map->done, error);
    map->save_options.lay_out |= map->done.num > 0;
    if (!status)
        status = judge(&left, map, error);
    const uint64_t now = num_worse_than_notes(&left);
    *better = !status && now < *num_left && map->done.num > before;
    const bool stays = *better || is_first;
    if (stays) {
        const tm_findings swapped = *findings;
        *findings = left;
        left = swapped;
        *num_left = now;
    } else if (last) {
        tm_map_swap(map->file.map, last);
        map->done.num = before;
        map->unfit = was_unfit;
    }
    add_reported(&reported, &map->done.findings, stays, !*better || !now);
    tm_findings_release(&map->done.findings);
    map->done.findings = reported;
    tm_findings_release(&left);
    tm_map_free(last);
    return status;
}

/*
 * Repairs what loading and checking found, as long as each round leaves fewer findings, and undoes a round
 * that does not. In the end the map's findings are those that are left.
 */
static tm_status fix_all(changed_map *map, tm_fix_effect most, tm_error *error)
{
    uint64_t left = UINT64_MAX;
    bool better = true;
    tm_status status = TM_OK;
    for (int round = 0; !status && better && left && round < MAX_ROUNDS; round++)
        status = fix_once(&better, &left, map, most, round == 0, error);
    size_t kept = 0;
    for (size_t i = 0; i < map->done.num; i++) /* what is still found was not repaired, whatever was tried */
        if (!is_found(&map->file.findings, map->done.list[i].operation, map->done.list[i].address))
            map->done.list[kept++] = map->done.list[i];
    map->done.num = kept;
    return status;
}

/*
 * Whether the counts of the file or its tables are not those of its bytes, as mode salvage reads them: what
 * the games read with them is not what the file has.
 */
static bool has_wrong_layout(const changed_map *map)
{
    loaded file;
    bool odd = false;
    for (size_t i = 0; i < map->file.findings.num; i++)
        odd |= map->file.findings.list[i].severity > TM_SEVERITY_NOTE &&
               map->file.findings.list[i].id < TM_FINDING_NO_VERSION_ITEM;
    if (!odd)
        return false;
    load_map_to_change(&file, map->path, TM_MODE_SALVAGE, map->tool->common->unpacked);
    bool wrong = false;
    for (size_t i = 0; i < file.findings.num; i++)
        wrong |= file.findings.list[i].id == TM_FINDING_LAYOUT_REBUILT;
    loaded_release(&file);
    return wrong;
}

/* Loads a map that no game opens, or with broken data or wrong counts, in mode salvage, and repairs it. */
static tm_status rescue_map(changed_map *map, tm_rescue *rescue, tm_fix_effect most, tm_error *error)
{
    tm_findings losses;
    const char *path = map->path;
    loaded_release(&map->file);
    tm_report_release(&map->done);
    tm_report_init(&map->done, NULL);
    load_map_to_change(&map->file, path, TM_MODE_SALVAGE, map->tool->common->unpacked);
    if (map->file.status) {
        *error = map->file.error;
        return map->file.status;
    }
    map->save_options.lay_out = true; /* what is wrong with the old layout is not in the new file */
    tm_findings_init(&losses, 0, NULL);
    tm_status status = tm_mapfile_rescue(rescue, map->file.map, map->job, &losses, error);
    if (!status)
        status = tm_mapfile_check_data(map->file.map, map->job, &map->file.findings, error);
    if (!status)
        status = fix_all(map, most, error);
    for (size_t i = 0; i < losses.num; i++)
        add_finding(&map->file.findings, TM_MODE_SALVAGE, &losses.list[i]);
    tm_findings_release(&losses);
    map->always = true;
    return status;
}

/*
 * What needs more memory than the limit allows is not repaired: the map is written as `teemap copy -m
 * salvage` writes it, which is more than nothing.
 */
static tm_status keep_map(changed_map *map, tm_error reason, tm_error *error)
{
    advise_on_unpacking(TM_ERROR_LIMIT, &reason);
    loaded_release(&map->file);
    tm_report_release(&map->done);
    tm_report_init(&map->done, NULL);
    load_map_to_change(&map->file, map->path, TM_MODE_SALVAGE, map->tool->common->unpacked);
    if (map->file.status) {
        *error = map->file.error;
        return map->file.status;
    }
    char words[TM_ERROR_TEXT_SIZE * 2];
    snprintf(words, sizeof(words), "the map stays as it is: %s", reason.text);
    tm_findings_add(&map->done.findings, TM_MODE_GAME, TM_FINDING_NOT_REPAIRED, reason.offset, "",
                    reason.place, words);
    map->save_options = (tm_mapfile_save_options)TM_MAPFILE_SAVE_OPTIONS_INIT;
    map->always = map->unfit = false;
    map->lacks = true;
    return TM_OK;
}

static tm_status fix_map(void *ctx, changed_map *map, tm_error *error)
{
    const fix_options *options = ctx;
    const tm_fix_effect most = options->visible ? TM_FIX_VISIBLE : TM_FIX_SAFE;
    tm_rescue rescue;
    tm_status status = map->file.status;
    if (!status)
        status = tm_mapfile_check_data(map->file.map, map->job, &map->file.findings, error);
    const bool damaged = may_be_rescued(status) || tm_findings_damaged(&map->file.findings) ||
                         (!status && has_wrong_layout(map));
    if (!status && !damaged)
        status = fix_all(map, most, error);
    if (damaged) {
        status = rescue_map(map, &rescue, most, error);
        if (!status && !tm_rescue_complete(&rescue)) {
            map->lacks = true;
            map->file.rescue = rescue;
            map->file.rescued = true;
            map->refused = options->change.in_place; /* another program may rescue more of it */
        }
    }
    if (status == TM_ERROR_LIMIT)
        status = keep_map(map, *error, error);
    map->lacks |= num_worse_than_notes(&map->file.findings) > 0;
    return status;
}

static void put_fix_line(void *ctx, const changed_map *map, text *out)
{
    (void)ctx;
    const uint64_t left = num_worse_than_notes(&map->file.findings);
    if (!map->done.num && !left && !map->refused)
        return;
    if (map->refused)
        put_note(
            out, map->path,
            "stays as it is, since -i would lose what could not be rescued; -o or -t write what is left\n");
    else
        put_note(out, map->path, "%zu repaired, %" PRIu64 " left%s\n", map->done.num, left,
                 map->unfit ? "; " TM_STRICT_GAME " refuses the result for the errors above" : "");
}

static void put_repairs(text *out)
{
    static const char *const effects[] = {[TM_FIX_SAFE] = "safe", [TM_FIX_VISIBLE] = "visible"};
    text rows = {0};
    for (int id = 1; id < 1000; id++) {
        const char *repair, *name = tm_finding_name((tm_finding_id)id);
        const tm_fix_effect effect = name ? tm_edit_fix_of(&repair, (tm_finding_id)id) : TM_FIX_NONE;
        if (effect)
            text_print(&rows, "%s\t%s\t%s\n", name, effects[effect], repair);
    }
    text_columns(out, &rows, "lll");
    text_release(&rows);
}

int cmd_fix(cli_tool *tool)
{
    const fix_options *options = tool->options;
    if (options->list) {
        put_repairs(&tool->out);
        return STATUS_DONE;
    }
    if (options->change.common.mode == TM_MODE_STRICT) {
        tool_usage(tool, "mode strict opens nothing that needs repair; leave -m out");
        return STATUS_TROUBLE;
    }
    change_maps(
        tool, tool->options, tool->operands, tool->num_operands,
        &(change_command){
            .ctx = tool->options, .work = fix_map, .put_line = put_fix_line, .works_on_damaged = true});
    return STATUS_DONE;
}

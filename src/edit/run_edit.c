/* SPDX-License-Identifier: Zlib */
/* Runs operations on a clone, which takes the map's place when all are done. edit_script.c reads scripts. */
#include "edit.h"

/* --------------------------------------------------------------------------------------------- one step */

/* Adds a finding if the region is outside of all chosen layers, so that nothing was done. */
static tm_status report_outside(tmi_edit *edit, const tmi_edit_value *value, tm_error *error)
{
    tmi_edit_objects layers;
    bool reached = false;
    TM_TRY(tmi_edit_layers_find(&layers, edit, value, error));
    for (size_t i = 0; i < layers.num && !reached; i++) {
        const tm_layer *layer = tmi_edit_layer_at(edit, &layers.list[i]);
        const tm_tile_layer *tiles = &layer->as.tiles;
        if (tm_game_layer(layer->kind)->is_tiles)
            reached = tmi_edit_part_of(value, tiles->width, tiles->height).width > 0;
        else
            reached = layer->kind != TM_LAYER_UNKNOWN; /* quads and sound sources may be anywhere */
    }
    if (!reached)
        tmi_edit_report(edit, TM_FINDING_NO_MATCH, tmi_whole_map,
                        "no layer of '%.60s' reaches into that region", value->text);
    return TM_OK;
}

/* How many changes and findings a report has. */
static uint64_t num_reported(const tm_report *report)
{
    return report ? report->num + report->unlisted + report->findings.num + report->findings.unlisted : 0;
}

static tm_status run_values(tmi_edit *edit, const tmi_edit_row *row, const tmi_edit_step *step,
                            tm_error *error)
{
    tmi_edit_value *values;
    TM_TRY(tmi_reserve(&values, edit->scratch, (size_t)step->num + TM_EDIT_ARGUMENTS, sizeof(*values),
                       "arguments", error));
    edit->values = values;
    TM_TRY(tmi_edit_parse_values(values, &edit->num_values, &row->public, step->arguments, step->num, error));
    const uint64_t before = num_reported(edit->report);
    TM_TRY(row->work ? tmi_edit_each(edit, row->kind, row->work, NULL, error) : row->run(edit, error));
    for (uint32_t i = 0; i < edit->num_values && num_reported(edit->report) == before; i++)
        if (values[i].set_size && values[i].width)
            TM_TRY(report_outside(edit, &values[i], error));
    return TM_OK;
}

/* How many layers of each kind there are. */
static void count_layers_of(uint32_t counts[TM_LAYER_KINDS], const tm_map *map)
{
    tm_layer_walk walk = {0};
    memset(counts, 0, TM_LAYER_KINDS * sizeof(*counts));
    while (tm_map_next_layer(map, &walk))
        counts[walk.layer->kind]++;
}

/* How many physics layers stand in another group than the game layer. */
static uint32_t num_apart(const tm_map *map)
{
    uint32_t game, num = 0;
    tm_layer_walk walk = {0};
    if (!tm_map_physics_layer(&game, NULL, map, TM_LAYER_GAME))
        return 0;
    while (tm_map_next_layer(map, &walk))
        num += walk.group != game && tm_game_layer(walk.layer->kind)->is_physics;
    return num;
}

tm_status tmi_edit_run_step(tm_map *map, const tmi_edit_step *step, const tm_edit_options *options,
                            tm_report *report, tm_error *error)
{
    const tmi_edit_row *row = tmi_edit_row_of(step->operation);
    if (!row)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "no operation of the table was given");
    if (options->job && tmi_cancelled(options->job->cancel))
        return tmi_fail(error, TM_ERROR_CANCELLED, -1, "the work was cancelled");
    tmi_arena arena;
    tmi_arena_init(&arena, tmi_map_allocator(map));
    const tm_allocator scratch = tmi_arena_allocator(&arena);
    tmi_edit edit = {.map = map,
                     .operation = step->operation,
                     .kind = row->kind,
                     .options = options,
                     .report = report,
                     .scratch = &scratch};
    uint32_t before[TM_LAYER_KINDS], now[TM_LAYER_KINDS];
    const uint32_t apart = num_apart(map);
    count_layers_of(before, map);
    const tm_status status = run_values(&edit, row, step, error);
    if (!status) {
        count_layers_of(now, map);
        if (before[TM_LAYER_GAME] && !now[TM_LAYER_GAME])
            tmi_edit_report(&edit, TM_FINDING_NO_GAME_LAYER, tmi_whole_map,
                            "the map has no game layer any more: no game opens it");
        for (int kind = 0; kind < TM_LAYER_KINDS; kind++)
            if (tm_game_layer((tm_layer_kind)kind)->is_physics && now[kind] > 1 && now[kind] > before[kind])
                tmi_edit_report(&edit, TM_FINDING_SEVERAL_PHYSICS_LAYERS, tmi_whole_map,
                                "there are %u %s layers now; DDNet uses the last, Teeworlds the first",
                                (unsigned)now[kind], tm_game_layer((tm_layer_kind)kind)->name);
        if (num_apart(map) > apart)
            tmi_edit_report(
                &edit, TM_FINDING_PHYSICS_APART, tmi_whole_map,
                "physics layers stand in several groups now: DDNet's editor does not open such a map");
    }
    tmi_arena_release(&arena);
    return status ? tmi_fail_at(error, status, "%s", step->operation->name) : TM_OK;
}

/* ------------------------------------------------------------------------------------- all or nothing */

tm_status tm_edit_run(tm_map *map, const tm_edit_operation *operation, const char *const *arguments,
                      uint32_t num_arguments, const tm_edit_options *options, tm_report *report,
                      tm_error *error)
{
    tm_edit_options effective;
    tmi_work work;
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(operation, "operation", error));
    if (num_arguments)
        TM_TRY(tmi_need(arguments, "arguments", error));
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_edit_options", error));
    TM_TRY(tmi_work_begin(&work, map, error));
    const tmi_edit_step step = {operation, arguments, num_arguments, 0};
    const tm_status status = tmi_edit_run_step(work.clone, &step, &effective, &work.report, error);
    return tmi_work_end(&work, status, report);
}

/* SPDX-License-Identifier: Zlib */
/*
 * picture.c - prepares maps for the commands that draw, by the options: images, layers, camera, background,
 * limits. Does not know what a command shows, and how it tells about it.
 */
#include "picture.h"

#include <math.h>

/* Pixels of a side; no viewer shows a larger PNG. */
enum { MAX_SIDE = 1000000 };

enum { DEFAULT_WIDTH = 1920, DEFAULT_HEIGHT = 1080 };

/* ------------------------------------------------------------------------------------------------- layers */

static tm_status apply_list(float *opacities, bool *none_chosen, const char *list, tm_select_words words,
                            const tm_map *map, tm_error *error)
{
    const uint32_t num = tm_map_num_layers(map);
    tm_layer_choice *choices = must_alloc(num, sizeof(*choices));
    const tm_status status = tm_select_layers(choices, map, list, words, error);
    for (uint32_t i = 0; i < num; i++)
        *none_chosen &= !choices[i].chosen;
    if (!status)
        tm_select_opacities(opacities, choices, num);
    free(choices);
    return status;
}

static tm_status layers_choose(float **out, bool *none_chosen, const picture_options *options,
                               const tm_map *map, tm_error *error)
{
    const char *entities = options->entities, *option = "layers";
    tm_status status = TM_OK;
    *out = NULL;
    *none_chosen = options->layers || entities;
    if (!*none_chosen)
        return TM_OK;
    *out = must_alloc(tm_map_num_layers(map), sizeof(**out));
    if (options->layers)
        status = apply_list(*out, none_chosen, options->layers, TM_SELECT_DRAWN, map, error);
    if (!status && entities) {
        option = "entities";
        status = apply_list(*out, none_chosen, *entities ? entities : "physics",
                            *entities ? TM_SELECT_PHYSICS : TM_SELECT_DRAWN, map, error);
    }
    if (!status)
        return TM_OK;
    free(*out);
    *out = NULL;
    const tm_error of_list = *error;
    return fail(error, TM_ERROR_USAGE, "--%s: %.200s%s", option, of_list.text,
                of_list.code == TM_ERROR_NOT_FOUND ? " ('teemap ls MAP' shows them)" : "");
}

static bool layers_have_physics(const float *opacities, const tm_map *map)
{
    tm_layer_walk walk = {0};
    while (opacities && tm_map_next_layer(map, &walk))
        if (opacities[walk.number] > 0 && tm_game_layer(walk.layer->kind)->is_physics)
            return true;
    return false;
}

/* Fails if an image is missing, as --strict demands. */
static tm_status refuse_missing(const tm_findings *findings, tm_error *error)
{
    for (size_t i = 0; i < findings->num; i++) {
        const tm_finding *finding = &findings->list[i];
        if (finding->id == TM_FINDING_MISSING_IMAGE) {
            fail(error, TM_ERROR_NOT_FOUND, "%s", finding->text);
            memcpy(error->place, finding->place, sizeof(error->place));
            return TM_ERROR_NOT_FOUND;
        }
    }
    return TM_OK;
}

static bool is_file(const char *path)
{
    return path && strcmp(path, "-") != 0;
}

static bool same_place(const char *a, const char *b)
{
    return is_file(a) && is_file(b) && (strcmp(a, b) == 0 || tm_sys_same_file(a, b));
}

const char *picture_places_fault(const picture_options *options, const char *path)
{
    const char *output = options->output, *list = options->missing_list;
    const bool list_to_stdout = list && !is_file(list);
    if (same_place(output, path) || same_place(list, path))
        return "the output would replace the map";
    if (same_place(output, list))
        return "the picture and --missing-list would be the same file";
    return list_to_stdout && (options->common.json || (output && !is_file(output)))
               ? "standard output cannot take the list of --missing-list as well"
               : NULL;
}

tm_status picture_hint_limit(tm_status status, tm_error *error)
{
    if (!status || !strstr(error->text, "more work"))
        return status;
    return advise_on_limit(status, error,
                           strstr(error->text, "memory_budget")
                               ? "; more --memory holds them, --limit allows more"
                               : "; --limit allows more");
}

bool picture_unpacks_again(const cli_picture *picture)
{
    return tm_renderer_unpacking_work(picture->renderer, picture->camera.opacities) > 0;
}

uint64_t picture_frame_limit(const picture_options *options, const tm_camera *camera, uint32_t num_frames)
{
    const uint64_t pixels = (uint64_t)camera->width * camera->height * num_frames;
    return (options->limit ? options->limit : tm_render_usual_limit(pixels)) / num_frames + 1;
}

tm_limits picture_compare_limits(const picture_options *options)
{
    tm_limits limits = TM_LIMITS_INIT;
    limits.unpacked_bytes = options->memory < UINT64_MAX / 4 ? options->memory * 4 : UINT64_MAX;
    return limits;
}

/* The renderer's part of the memory; the bands of the picture and packing it need the rest. */
static uint64_t renderer_memory(const picture_options *options)
{
    const uint64_t rest = (uint64_t)64 << 20, memory = options->memory;
    return memory > 2 * rest ? memory - rest : memory / 2 + 1;
}

static tm_status prepare(cli_picture *out, const picture_options *options, loaded *file, tm_error *error)
{
    tm_render_options render_options = TM_RENDER_OPTIONS_INIT;
    entity_sheets sheets = {0};
    tm_status status = TM_OK;
    render_options.provider = tm_mapres_provide;
    render_options.provider_ctx = out->mapres;
    render_options.provider_key = tm_mapres_key;
    render_options.shared_images = options->shared;
    render_options.job = out->job;
    render_options.missing = options->missing;
    render_options.no_detail = !options->detail;
    render_options.look = options->look;
    render_options.pixel_limit = options->limit;
    render_options.memory_budget = renderer_memory(options);
    render_options.no_numbers = !options->numbers;
    render_options.entities = layers_have_physics(out->opacities, file->map);
    render_options.mod = options->common.mod;
    if (render_options.entities && !render_options.mod)
        status = tm_map_find_mod(&render_options.mod, NULL, 0, file->map, error);
    if (render_options.entities && !status)
        status =
            images_load_sheets(&sheets, options, out->mapres, render_options.mod, file->map->game, error);
    render_options.entity_sheet = sheets.entities;
    render_options.speedup_arrow = sheets.arrow;
    status =
        status ? status : tm_renderer_new(&out->renderer, file->map, &render_options, &file->findings, error);
    images_release_sheets(&sheets);
    return advise_on_limit(status, error, "; see --memory");
}

tm_status picture_open(cli_picture *out, const picture_options *options, const char *path, loaded *file,
                       const tm_job *job, tm_error *error)
{
    *out = (cli_picture){.options = options, .job = job, .camera = out->camera};
    const char *fault = picture_places_fault(options, path);
    tm_status status = fault ? fail(error, TM_ERROR_USAGE, "%s", fault) : TM_OK;
    status = status ? status : layers_choose(&out->opacities, &out->no_layers, options, file->map, error);
    if (status)
        return status;
    out->camera.opacities = out->opacities;
    status = images_open(&out->mapres, &options->mapres, path, file->map->game, options->images, error);
    if (!status && options->common.mode == TM_MODE_SALVAGE) { /* what is lost is drawn as nothing, but said */
        tm_rescue rescue;
        status = tm_mapfile_rescue(&rescue, file->map, job, &file->findings, error);
    }
    status = status ? status : prepare(out, options, file, error);
    if (!status && options->missing_list) {
        text names = {0}, *gathered = options->missing_names;
        status = images_put_missing(gathered ? gathered : &names, out->mapres, file->map, error);
        if (!status && !gathered)
            status = save_bytes(options->missing_list, names.bytes, names.size, error);
        text_release(&names);
    }
    return status || !options->strict ? status : refuse_missing(&file->findings, error);
}

void picture_close(cli_picture *picture)
{
    tm_renderer_free(picture->renderer);
    tm_mapres_free(picture->mapres);
    free(picture->opacities);
    *picture = (cli_picture){0};
}

/* ------------------------------------------------------------------------------------------------- camera */

/* What is wrong with the options for the view: two that exclude each other, or no effect; NULL: nothing. */
static const char *aim_fault(const picture_options *options)
{
    const bool has_view = options->views.num;
    if (has_view + options->has_region + options->whole + options->fit > 1)
        return "use only one of --view, --region, --whole and --fit";
    if (options->has_region && (options->region[2] <= 0 || options->region[3] <= 0))
        return "the width and height of a --region must be above 0";
    if (options->zoom > 0 && !has_view)
        return "--zoom is for --view only; for a part of the map or all of it use --scale";
    if (has_view && (options->scale > 0 || options->flat))
        return "--scale and --flat are not for --view; use --zoom";
    return options->scale > 0 && options->size.width ? "use --size or --scale, not both" : NULL;
}

/* The rectangle that the options ask for. */
static tm_status choose_area(tm_preview_area *out, const picture_options *options, const tm_map *map,
                             tm_error *error)
{
    const double *region = options->region;
    if (options->fit)
        return tm_preview_content_bounds(out, map, error);
    if (!options->has_region || isinf(region[2]))
        return tm_preview_map_bounds(out, map, error);
    *out = (tm_preview_area){region[0], region[1], region[2], region[3]};
    return TM_OK;
}

static tm_status aim_at_area(tm_camera *camera, const picture_options *options, const tm_map *map,
                             tm_error *error)
{
    tm_preview_area area;
    tm_status status = choose_area(&area, options, map, error);
    if (status == TM_ERROR_NOT_FOUND)
        return fail(error, TM_ERROR_USAGE,
                    "there is nothing to show: the map has no tile layer; name a --view or a --region");
    if (options->flat)
        camera->kind = TM_CAMERA_FLAT;
    else if (options->has_region)
        camera->kind = TM_CAMERA_REGION;
    status = status ? status : tm_preview_fit_area(camera, &area, options->scale, error);
    if (status == TM_ERROR_LIMIT || (!status && (camera->width > MAX_SIDE || camera->height > MAX_SIDE)))
        return fail(
            error, TM_ERROR_USAGE,
            "the picture would have more than 1000000 pixels a side; make --scale or --region smaller");
    return status;
}

tm_status picture_aim(tm_camera *camera, const picture_options *options, const tm_map *map, tm_error *error)
{
    *camera = (tm_camera){.size = sizeof(tm_camera),
                          .time = options->time,
                          .zoom = options->zoom > 0 ? options->zoom : 1,
                          .width = options->size.width ? options->size.width : DEFAULT_WIDTH,
                          .height = options->size.width ? options->size.height : DEFAULT_HEIGHT};
    const char *fault = aim_fault(options);
    if (fault)
        return fail(error, TM_ERROR_USAGE, "%s", fault);
    return options->views.num ? TM_OK : aim_at_area(camera, options, map, error);
}

tm_status picture_look(cli_picture *picture, const char *place, tm_error *error)
{
    tm_preview_view view;
    const tm_status status = tm_preview_find(&view, picture->renderer, &picture->camera, place, error);
    if (!status)
        tm_preview_set_view(&picture->camera, &view);
    return status;
}

void picture_set_view(cli_picture *picture, const tm_preview_view *view)
{
    tm_preview_view zoomed = *view;
    if (picture->options->zoom > 0)
        zoomed.zoom = picture->options->zoom;
    tm_preview_set_view(&picture->camera, &zoomed);
}

/* ------------------------------------------------------------------------------------------------ drawing */

bool picture_is_opaque(const picture_options *options)
{
    return options->background.word != BACKGROUND_TRANSPARENT;
}

tm_background picture_background(const picture_options *options)
{
    const uint8_t *color = options->background.rgb;
    tm_background background = TM_BACKGROUND_INIT;
    background.checks = options->background.word == BACKGROUND_CHECKS;
    if (options->background.word == BACKGROUND_COLOR)
        background = (tm_background){.size = sizeof(background), .rgba = {color[0], color[1], color[2], 255}};
    return background;
}

tm_status picture_stream(const cli_picture *picture, const tm_row_sink *sink, tm_error *error)
{
    const tm_background background = picture_background(picture->options);
    return picture_hint_limit(
        tm_renderer_stream(picture->renderer, &picture->camera, &background, sink, picture->job, error),
        error);
}

/* ------------------------------------------------------------------------------------------ the best view */

/* A view counts as empty if a smaller share of its squares shows something: fewer than three of 36. */
#define BARE 0.06

/* Opens the picture and finds the view. */
static tm_status open_view(best_picture *best, const char *path, loaded *file, const tm_job *job,
                           tm_error *error)
{
    const picture_options *options = &best->options;
    best->picture.camera = (tm_camera){.size = sizeof(tm_camera),
                                       .width = options->size.width,
                                       .height = options->size.height,
                                       .time = options->time};
    tm_status status = picture_open(&best->picture, options, path, file, job, error);
    uint32_t num;
    if (!status)
        status = picture_hint_limit(
            tm_preview_views(&best->view, &num, 1, best->picture.renderer, &best->picture.camera, error),
            error);
    if (!status)
        tm_preview_set_view(&best->picture.camera, &best->view);
    return status;
}

/* Looks for a view with entities, as the design shows nothing. */
static tm_status open_view_of_entities(best_picture *best, const char *path, loaded *file, const tm_job *job)
{
    loaded second_look = {.map = file->map}; /* what is odd was reported the first time */
    picture_close(&best->picture);
    best->options.layers = "design";
    best->options.entities = "";
    best->shows_entities = true;
    tm_findings_init(&second_look.findings, 0, NULL);
    const tm_status status = open_view(best, path, &second_look, job, &file->error);
    tm_findings_release(&second_look.findings);
    return status;
}

tm_status best_picture_open(best_picture *out, const picture_options *options, const char *path, loaded *file,
                            const tm_job *job)
{
    *out = (best_picture){.options = *options};
    tm_status status = open_view(out, path, file, job, &file->error);
    const bool shows_little = out->view.lively < BARE || picture_lacks_all_images(file);
    if (!status && shows_little && !options->layers && !options->entities)
        status = open_view_of_entities(out, path, file, job);
    out->blank = out->view.coverage <= 0;
    return status;
}

void best_picture_close(best_picture *best)
{
    picture_close(&best->picture);
}

/* SPDX-License-Identifier: Zlib */
/*
 * cmd_gallery.c - `teemap gallery`: a page over folders of maps, and a page of each map. Each map is worked
 * on by one thread, which writes the map's picture and page; the list of all maps comes last.
 */
#include "gallery.h"

#include "copy_plan.h"
#include "moving_picture.h"
#include "output/describe.h"
#include "tiling.h"

static const option_row gallery_rows[] = {
    TARGET_ROW(picture_options, "write the gallery to this folder"),
    {0, "title", "TEXT", TEXT_AT(gallery_options, title), .preset = "Maps", .text = "title of the page"},
    {'f', "force", NULL, FLAG_AT(gallery_options, force),
     .text = "rebuild everything, even in a folder with other files"},
    {0, "prune", NULL, FLAG_AT(gallery_options, prune),
     .text =
         "remove maps of earlier runs that no longer exist, if all folders were readable and contain maps"},
    {0, "downloads", NULL, FLAG_AT(gallery_options, downloads),
     .text = "copy the maps to the gallery and offer them for download"},
    {0, "viewer", "URL", TEXT_AT(gallery_options, viewer),
     .text = "with --downloads: open maps in the web page of 'web/' at this URL, relative to SITE"},
    {0, "live", "URL", TEXT_AT(gallery_options, live),
     .text =
         "draw maps in the visitor's browser with view.js of the JavaScript package at this URL, relative to SITE; "
         "copies the maps and makes no pictures except thumbnails"},
    {0, "tiles", NULL, FLAG_AT(gallery_options, tiles),
     .text = "also make the page of 'teemap tiles' for each map; takes seconds and megabytes per map"},
    {0, "no-animations", NULL, FLAG_AT(gallery_options, no_animations),
     .text = "do not make animations, which take most of the time"},
    FORMAT_ROW(tile_formats, "format of the pictures (default png)"),
    PACKING_ROWS,
    JSON_EACH_ROW,
    SMALL_PICTURE_ROWS,
    {'r', "recursive", NULL, FLAG_AT(common_options, recursive), .group = GROUP_RUNNING,
     .text = "no effect: folders are always searched recursively"},
    {0, "all", NULL, FLAG_AT(common_options, all), .group = GROUP_RUNNING,
     .text = "process files of any name that look like a map, not only *.map"},
    RUNNING_ROWS("print a line for each map"),
    {0},
};

COMMAND(gallery, gallery_options, 1, -1, .operands = {OPERAND_FOLDER}, .searches_images = true);

/* A fourth of the memory is for images that several maps use, which are read once. */
enum { SHARE_OF_IMAGES = 4 };

/* ---------------------------------------------------------------------------------------------- a picture */

static char *exhibit_path(const gallery_exhibit *e, gallery_file which)
{
    char ending[32];
    return gallery_path(e->site, "maps", e->map, gallery_ending(ending, which, gallery_format(e->site) + 1));
}

static tm_status write_picture_as(gallery_exhibit *e, const cli_picture *picture, gallery_file which,
                                  tm_error *error)
{
    char *path = exhibit_path(e, which);
    tm_status status = gallery_may_write(path, error);
    status = status ? status : picture_write(picture, e->site->options->picture.format, path, error);
    e->has[which] = !status;
    free(path);
    return status;
}

/* Draws the view larger for the map's page; if that is too much to draw, the page shows the small picture. */
static tm_status write_large_picture(gallery_exhibit *e, tm_error *error)
{
    cli_picture large = e->best.picture;
    if (e->site->options->live)
        return TM_OK;
    large.camera.width *= GALLERY_TIMES;
    large.camera.height *= GALLERY_TIMES;
    large.camera.scale *= GALLERY_TIMES;
    return write_picture_as(e, &large, GALLERY_LARGE, error);
}

/* Draws all of the map that is not empty, for its page. */
static tm_status write_whole_picture(gallery_exhibit *e, tm_error *error)
{
    cli_picture whole = e->best.picture;
    tm_camera *camera = &whole.camera;
    tm_preview_area area;
    if (e->best.blank || e->site->options->live || tm_preview_content_bounds(&area, e->file.map, NULL))
        return TM_OK;
    *camera = (tm_camera){.size = sizeof(*camera),
                          .width = camera->width * GALLERY_WHOLE_TIMES,
                          .height = camera->height * GALLERY_WHOLE_TIMES,
                          .time = camera->time,
                          .zoom = 1,
                          .opacities = camera->opacities};
    tm_status status = tm_preview_fit_area(camera, &area, 0, error);
    status = status ? status : write_picture_as(e, &whole, GALLERY_WHOLE, error);
    e->whole_width = camera->width;
    e->whole_height = camera->height;
    return status;
}

/* Copies the map file into the gallery, for --downloads and live maps; only of maps that are not broken. */
static tm_status write_download(gallery_exhibit *e, tm_error *error)
{
    if (!e->site->options->downloads && !e->site->options->live)
        return TM_OK;
    uint8_t *bytes;
    text whole = {0};
    TRY(read_path(&bytes, &whole.size, e->map->path, UINT64_MAX, NULL, error));
    char *path = exhibit_path(e, GALLERY_COPY);
    whole.bytes = (char *)bytes;
    tm_status status = gallery_save(path, &whole, error);
    e->has[GALLERY_COPY] = !status;
    free(bytes);
    free(path);
    return status;
}

/* ms; frames a second; quality of WebP */
enum { LONGEST_LOOP = 6000, LONGEST_WAY = 4000, RATE = 12, QUALITY = 50 };
/* The number of frames that are compared to see whether anything moves. */
enum { TRIES = 6 };

/* Finds the times of a loop; a still picture if nothing moves. */
static tm_status find_motion(moving_picture *m, tm_error *error)
{
    tm_preview_loop_options loop_options = TM_PREVIEW_LOOP_OPTIONS_INIT;
    loop_options.most = LONGEST_WAY;
    loop_options.back = true;
    tm_status status =
        tm_preview_find_loop(&m->loop, m->picture.renderer, &m->picture.camera, &loop_options, error);
    if (!status && m->loop.kind != TM_PREVIEW_STILL && m->loop.period <= LONGEST_LOOP) {
        loop_options.most = LONGEST_LOOP;
        loop_options.back = false;
        status =
            tm_preview_find_loop(&m->loop, m->picture.renderer, &m->picture.camera, &loop_options, error);
    }
    m->num = (uint32_t)(m->loop.duration * RATE / 1000) + 1;
    return status;
}

/* Whether a few frames differ: envelopes may only move hidden things, or too little to be seen. */
static tm_status shows_motion(bool *moves, const moving_picture *m, tm_error *error)
{
    const size_t stride = (size_t)m->picture.camera.width * 4, size = stride * m->picture.camera.height;
    uint8_t *first = must_alloc(2, size), *other = first + size;
    tm_status status = moving_draw(m, 0, first, stride, error);
    for (uint32_t i = 1; !status && !*moves && i < TRIES; i++) {
        status = moving_draw(m, (uint32_t)((uint64_t)m->num * i / TRIES), other, stride, error);
        *moves = memcmp(first, other, size) != 0;
    }
    free(first);
    return status;
}

/*
 * Writes the best view in motion as a small animated WebP, if anything moves there and this program knows
 * WebP. Short periods are shown whole; what takes longer goes back and forth, which needs no search. What
 * costs more than --limit is refused.
 */
static tm_status gallery_animate(bool *moves, const best_picture *best, const char *path, tm_error *error)
{
    const tm_job alone = TM_JOB_INIT;
    moving_picture m = {.picture = best->picture, .format = PICTURE_WEBP, .quality = QUALITY, .job = &alone};
    *moves = false;
    if (!tm_webp_available())
        return TM_OK;
    tm_status status = picture_hint_limit(find_motion(&m, error), error);
    if (status || m.loop.kind == TM_PREVIEW_STILL)
        return status;
    m.picture.camera.pixel_limit = picture_frame_limit(&best->options, &m.picture.camera, m.num);
    status = shows_motion(moves, &m, error);
    if (status || !*moves)
        return status;
    status = gallery_may_write(path, error);
    return status ? status : moving_write(&m, &m, path, error);
}

static tm_status write_gallery_motion(gallery_exhibit *e, tm_error *error)
{
    if (e->site->options->no_animations || e->site->options->live || e->best.blank)
        return TM_OK;
    char *path = exhibit_path(e, GALLERY_MOTION);
    bool *moves = &e->has[GALLERY_MOTION];
    const tm_status status = gallery_animate(moves, &e->best, path, error);
    *moves = *moves && !status;
    free(path);
    if (status == TM_ERROR_LIMIT)
        e->no_motion = *error;
    return status;
}

/* Makes the page of tiles in a folder of the gallery. */
static tm_status make_tiles(gallery_exhibit *e, char *folder, tm_error *error)
{
    cli_tiling t = {.path = e->map->path, .options = {.picture = e->site->options->picture}};
    picture_options *o = &t.options.picture;
    o->folder = folder;
    o->scale = o->limit ? TM_TILE_PX : 0; /* without --limit, `tiles` chooses it */
    o->images = e->site->images;
    o->memory = e->site->tool->memory;
    load_map(&t.file, t.path, o->common.mode); /* again, as clips are taken off */
    const tm_status status = t.file.status ? t.file.status : tiling_make(&t, e->job, error);
    e->tiles = !status;
    tiling_release(&t);
    loaded_release(&t.file);
    return status;
}

/* Writes the page of tiles, unless there is nothing to draw, or too much. */
static tm_status write_gallery_tiles(gallery_exhibit *e, tm_error *error)
{
    if (!e->site->options->tiles)
        return TM_OK;
    char *folder = gallery_path(e->site, "tiles", e->map, "");
    tm_status status = gallery_refuse_links(folder, error);
    status = status ? status : make_tiles(e, folder, error);
    free(folder);
    return status;
}

static tm_status write_best_picture(gallery_exhibit *e, tm_error *error)
{
    return write_picture_as(e, &e->best.picture, GALLERY_PICTURE, error);
}

/*
 * What is made of a map. A map with a picture is not broken for want of an animation: of what is optional
 * only a file that cannot be written, or an image of a game that cannot be read, is a failure.
 */
static const struct {
    tm_status (*write)(gallery_exhibit *e, tm_error *error);
    bool optional;
} makers[] = {{write_best_picture, false}, {write_large_picture, true},  {write_whole_picture, true},
              {write_download, false},     {write_gallery_motion, true}, {write_gallery_tiles, true}};

/* Draws all pictures of a map. What drawing finds is not shown: the page shows the findings of the check. */
static tm_status draw_exhibit(gallery_exhibit *e)
{
    loaded drawn = {.map = e->file.map};
    picture_options options = e->site->options->picture;
    options.images = e->site->images;
    options.memory = e->site->tool->memory;
    tm_findings_init(&drawn.findings, 0, NULL);
    tm_status status = best_picture_open(&e->best, &options, e->map->path, &drawn, e->job);
    if (!status)
        status = images_put_missing(&e->missing, e->best.picture.mapres, e->file.map, &drawn.error);
    /* An error says more than a black picture. A missing game layer is an error, but no damage. */
    if (!status && e->best.blank &&
        e->file.findings.errors > !tm_map_physics_layer(NULL, NULL, e->file.map, TM_LAYER_GAME))
        status = fail(&drawn.error, TM_ERROR_DAMAGED, "it is damaged, and none of its layers can be drawn");
    for (size_t i = 0; !status && i < sizeof(makers) / sizeof(*makers); i++) {
        tm_error failure = {0};
        status = makers[i].write(e, &failure);
        if (status && makers[i].optional && failure.side != TM_SIDE_OUTPUT && failure.code != TM_ERROR_IO)
            status = TM_OK;
        else if (status)
            drawn.error = failure;
    }
    if (status)
        e->error = drawn.error;
    tm_findings_release(&drawn.findings);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the row */

static void add_shown(json_t *object, const char *key, const char *value)
{
    text shown = {0};
    text_safe(&shown, value ? value : "");
    json_add_text(object, key, text_words(&shown));
    text_release(&shown);
}

static void add_folder(json_t *row, const char *relative)
{
    char *folder = must_copy(relative), *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    add_shown(row, "folder", slash ? folder : "");
    free(folder);
}

static int64_t count_severity(const tm_findings *findings, tm_severity severity)
{
    int64_t num = 0;
    for (size_t i = 0; i < findings->num; i++)
        num += findings->list[i].severity == severity;
    return num;
}

static int64_t count_lines(const text *lines)
{
    int64_t num = 0;
    for (size_t i = 0; i < lines->size; i++)
        num += lines->bytes[i] == '\n';
    return num;
}

static void add_map_values(json_t *row, const tm_map *map)
{
    const tm_layer *game = map ? tm_map_physics_layer(NULL, NULL, map, TM_LAYER_GAME) : NULL;
    const bool is_map = map && tm_mapfile_get_kind(map) == TM_MAPFILE_MAP;
    add_shown(row, "author", map ? map->info.author : "");
    json_add_all(row, JSON_TEXT("game", is_map ? tm_game_name(map->game) : ""),
                 JSON_INT("width", game ? game->as.tiles.width : 0),
                 JSON_INT("height", game ? game->as.tiles.height : 0));
    json_add(row, "features", map ? json_features(map) : json_array());
}

static json_t *make_row(const gallery_exhibit *e)
{
    json_t *row = json_object(JSON_TEXT("id", e->map->id));
    const bool refused = e->result.refused || e->result.invalid;
    const int64_t errors = count_severity(&e->file.findings, TM_SEVERITY_ERROR);
    add_shown(row, "name", e->name);
    add_folder(row, e->map->relative);
    add_map_values(row, e->file.map);
    json_add_all(row, JSON_INT("bytes", e->file.file_size), JSON_INT("written", e->written),
                 JSON_INT("missing", count_lines(&e->missing)),
                 JSON_INT("errors", refused && !errors ? 1 : errors),
                 JSON_INT("warnings", count_severity(&e->file.findings, TM_SEVERITY_WARNING)),
                 JSON_TEXT("picture", e->broken ? NULL : gallery_format(e->site) + 1));
    for (int i = GALLERY_PICTURE + 1; i < GALLERY_FILES; i++)
        json_add_bool(row, gallery_file_keys[i], e->has[i]);
    json_add_all(row, JSON_BOOL("tiles", e->tiles), JSON_TEXT("broken", e->broken));
    if (e->broken)
        add_shown(row, "reason", e->error.text);
    return row;
}

/* ------------------------------------------------------------------------------------------------ one map */

static tm_status write_map_page(gallery_exhibit *e)
{
    text whole = {0};
    e->map->row = make_row(e);
    char *path = gallery_path(e->site, "maps", e->map, ".html");
    html_page(&whole, gallery_map_page, gallery_page_values(e));
    const tm_status status = gallery_save(path, &whole, &e->error);
    text_release(&whole);
    free(path);
    return status;
}

/* Why a map is broken, in words for visitors: messages about bytes are for its author, who runs a check. */
static const char *plain_reason(const gallery_exhibit *e)
{
    for (size_t i = 0; i < e->file.findings.num; i++)
        if (e->file.findings.list[i].id == TM_FINDING_BAD_MAGIC)
            return "this is not a map file";
    switch (e->error.code) {
    case TM_ERROR_DAMAGED: return "the file is damaged or not complete";
    case TM_ERROR_UNSUPPORTED: return "it is of a kind that teemap does not read";
    case TM_ERROR_LIMIT:
    case TM_ERROR_MEMORY: return "it is too large to be drawn here";
    case TM_ERROR_IO: return "the file could not be read";
    default: return "it has nothing that can be drawn";
    }
}

/* Makes the page of a map. A map that opens and can be drawn is not broken, whatever its check finds. */
static tm_status make_exhibit(gallery_exhibit *e)
{
    const cli_gallery *site = e->site;
    e->name = files_stem(path_base(e->map->relative));
    load_map_with_hashes(&e->file, e->map->path, site->tool->common->mode);
    judge_file(&e->result, &e->file, e->job);
    e->error = e->file.error;
    if (e->file.map) /* before drawing, which keeps layers unpacked; if it fails, no problems are listed */
        (void)tm_lint_run(&e->lint, e->file.map, NULL, NULL);
    tm_status status = e->file.status ? e->file.status : draw_exhibit(e);
    tm_error unknown;
    if (tm_sys_get_time(&e->written, e->map->path,
                        &unknown)) { /* the page would tell another time for ever */
        e->error = unknown;
        return unknown.code;
    }
    if (status && (e->error.side == TM_SIDE_OUTPUT || tm_sys_kind_of(e->map->path) == TM_SYS_MISSING ||
                   (e->error.code == TM_ERROR_IO && (e->map->row || e->file.map))))
        return status; /* not the map's fault: what is known of it from before is no worse than nothing */
    e->broken = status ? plain_reason(e) : NULL;
    for (int i = 0; i < GALLERY_FILES; i++)
        e->has[i] = e->has[i] && !status;
    const tm_error reason = e->error;
    json_t *before = e->map->row;
    status = write_map_page(e);
    if (!status)
        e->error = reason;
    json_free(status ? e->map->row : before);
    e->map->row = status ? before : e->map->row;
    return status;
}

static const char *const state_names[] = {"failed", "failed", "made", "kept"};

/* Why a map is broken, found in this run or an earlier one; NULL: it is not. */
static const char *broken_reason(const gallery_map *map)
{
    const char *reason = json_text_of(tm_json_get(map->row, "reason"));
    return reason ? reason : json_text_of(tm_json_get(map->row, "broken"));
}

static void put_exhibit_json(cli_report *report, const cli_gallery *gallery, const gallery_map *map,
                             const tm_error *error)
{
    char *path = gallery_path(gallery, "maps", map, ".html");
    json_t *object =
        json_object(JSON_TEXT("path", map->path), JSON_TEXT("page", path),
                    JSON_TEXT("state", state_names[map->state]), JSON_TEXT("broken", broken_reason(map)));
    if (map->state == GALLERY_FAILED)
        json_add_error(object, error);
    text_json_line(report->out, object);
    free(path);
}

static void report_exhibit(const gallery_exhibit *e, cli_report *report)
{
    const cli_tool *tool = e->site->tool;
    const gallery_map *map = e->map;
    const char *broken = broken_reason(map);
    if (map->state == GALLERY_FAILED)
        report_error(report, &e->error);
    else if (map->state == GALLERY_MADE && e->broken && !tool->common->quiet)
        put_error(report->err, map->path, &e->error);
    else if (broken && !tool->common->quiet)
        report_note(report, broken);
    else if (tool->common->verbose)
        put_about(report->err, map->path, "%s\n", map->state == GALLERY_KEPT ? "up to date" : map->id);
    if (e->no_motion.code && !tool->common->quiet)
        text_line(report->err, "%s: no animation: %s", map->path, e->no_motion.text);
    if (json_integer_of(tm_json_get(map->row, "errors")) > 0) {
        if (!broken)
            report_note(report, "the map is damaged; 'teemap check' lists its errors");
        raise_status(&report->status, STATUS_FINDINGS);
    }
    if (broken)
        raise_status(&report->status, e->error.code == TM_ERROR_IO ? STATUS_TROUBLE : STATUS_FINDINGS);
    if (tool->common->json)
        put_exhibit_json(report, e->site, map, &e->error);
}

static void exhibit_map(void *ctx, cli_report *report)
{
    cli_gallery *gallery = ctx;
    gallery_exhibit e = {.site = gallery, .map = &gallery->maps[report->index], .job = report->job};
    if (gallery_is_fresh(gallery, e.map)) {
        e.map->state = GALLERY_KEPT;
        report_exhibit(&e, report);
        return;
    }
    e.map->row = gallery_remembered(gallery, e.map);
    e.map->state = make_exhibit(&e) ? GALLERY_FAILED : GALLERY_MADE;
    report_exhibit(&e, report);
    best_picture_close(&e.best);
    tm_lint_result_release(&e.lint);
    text_release(&e.missing);
    loaded_release(&e.file);
    free(e.name);
}

/* ------------------------------------------------------------------------------------------------ command */

static const char *gallery_usage_fault(const cli_tool *tool)
{
    const picture_options *o = tool->options;
    const gallery_options *gallery = tool->options;
    if (!o->folder)
        return "no output: give -t SITE";
    if (gallery->viewer && !gallery->downloads && !gallery->live)
        return "use --viewer with --downloads, which puts the maps where it finds them";
    for (int i = 0; i < tool->num_operands; i++)
        if (strcmp(tool->operands[i], "-") == 0)
            return "standard input has no name; give folders or files";
    picture_format format;
    return picture_choose_format(&format, o, "", PICTURE_STILL);
}

static void print_gallery_done(const cli_gallery *gallery)
{
    size_t num[4] = {0}, broken = 0;
    const size_t absent = gallery->absent ? gallery->absent->num : 0;
    text line = {0};
    for (size_t i = 0; i < gallery->files.num; i++) {
        num[gallery->maps[i].state]++;
        broken += json_is(tm_json_get(gallery->maps[i].row, "broken"), TM_JSON_TEXT);
    }
    text_lead(&line, gallery->options->picture.folder);
    text_count(&line, gallery->files.num, "map", "maps");
    text_print(&line, ", %zu made, %zu up to date", num[GALLERY_MADE], num[GALLERY_KEPT]);
    if (num[GALLERY_FAILED])
        text_print(&line, ", %zu failed", num[GALLERY_FAILED]);
    if (broken)
        text_print(&line, ", %zu broken", broken);
    if (absent)
        text_print(&line,
                   gallery->options->prune ? ", %zu not found: kept, as not all folders could be read"
                                           : ", %zu not found: kept, --prune removes them",
                   absent);
    text_string(&line, "\n");
    if (!gallery->tool->common->quiet && !gallery->tool->common->json)
        text_put(&gallery->tool->out, line.bytes, line.size);
    text_release(&line);
}

/* Whether the run reached all maps. The others keep their rows, and the run ends with trouble. */
static bool is_complete(cli_gallery *gallery)
{
    bool fine = true;
    for (size_t i = 0; i < gallery->files.num; i++) {
        gallery_map *map = &gallery->maps[i];
        if (map->state == GALLERY_UNREACHED) {
            map->row = gallery_remembered(gallery, map);
            raise_status(&gallery->tool->status, STATUS_TROUBLE);
        }
        fine &= map->state == GALLERY_MADE || map->state == GALLERY_KEPT;
    }
    return fine;
}

static void exhibit_all(cli_gallery *gallery)
{
    const uint64_t memory = gallery->options->picture.memory, of_images = memory / SHARE_OF_IMAGES;
    if (tm_mapres_cache_new(&gallery->images, of_images, NULL, NULL))
        gallery->images = NULL; /* slower, but it works */
    gallery->tool->memory = memory - of_images;
    gallery->tool->needs = FILE_NEEDS_ALL;
    const bool found = gallery->tool->status == STATUS_DONE; /* all folders could be read */
    tool_each(gallery->tool, gallery->files.paths, gallery->files.num, exhibit_map, gallery);
    const bool absent_go = is_complete(gallery) && found && gallery->options->prune;
    if (!absent_go)
        gallery_find_absent(gallery);
    if (gallery_write_list(gallery))
        (absent_go ? gallery_sweep_with_absent : gallery_sweep)(gallery);
    print_gallery_done(gallery);
    tm_mapres_cache_free(gallery->images);
}

static void gallery_release(cli_gallery *gallery)
{
    for (size_t i = 0; i < gallery->files.num; i++) {
        json_free(gallery->maps[i].row);
        free(gallery->maps[i].id);
    }
    free(gallery->maps);
    json_free(gallery->absent);
    text_release(&gallery->settings);
    files_release(&gallery->files);
}

int cmd_gallery(cli_tool *tool)
{
    gallery_options *options = tool->options;
    cli_gallery gallery = {.tool = tool, .options = options};
    const char *fault = gallery_usage_fault(tool);
    if (fault)
        return tool_usage(tool, fault);
    for (int i = 0; i < tool->num_operands; i++) /* a name that is mistyped: nothing is written then */
        if (tm_sys_kind_of(tool->operands[i]) == TM_SYS_MISSING)
            tool_trouble(tool, tool->operands[i], "no such file or folder; the gallery is left as it is");
    if (tool->status)
        return tool->status;
    tool->common->recursive = true;
    if (!options->picture.format)
        options->picture.format = PICTURE_PNG;
    files_expand(&gallery.files, tool, tool->operands, (size_t)tool->num_operands);
    gallery_name_maps(&gallery);
    gallery_format_settings(&gallery);
    if (gallery_open_site(&gallery) && gallery_write_index(&gallery))
        exhibit_all(&gallery);
    gallery_release(&gallery);
    return STATUS_DONE;
}

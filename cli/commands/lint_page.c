/* SPDX-License-Identifier: Zlib */
/*
 * lint_page.c - the web page of `teemap lint --page`. Its pictures are those of `teemap find --pictures`,
 * without marks: the page gets their places as numbers, and draws them. It is written last, when all pictures
 * are there.
 */
#include "lint_parts.h"

#include "find_pictures.h"

enum {
    MAX_PICTURES = 40,   /* of a map */
    MAX_OF_FINDING = 10, /* of these */
    SCALE_PIXELS = 24,
    MAX_SIDE_PIXELS = 960,
    MAX_WORK = 800 * 1000 * 1000, /* pixels of layers of all pictures, of which each has its share: seconds */
    FEW_PICTURES = 16,            /* whose shares are not larger than of so many */
    QUALITY = 80                  /* of WebP */
};

static tm_match match_of(const tm_address *address, const tm_region *place)
{
    return (tm_match){.address = *address, .rect = place->rect, .count = place->num};
}

/* The layer that a finding is about; false: it is about none. */
static bool layer_of(tm_address *out, const tm_map *map, const tm_finding *finding)
{
    return !tm_address_parse(out, map, finding->address, NULL) && out->kind == TM_KIND_LAYER;
}

/* Chooses pictures for the places of one severity; called for the worst severity first. */
static void choose_pictures(find_places *pictures, const lint_summary *summary, const tm_map *map,
                            tm_severity severity)
{
    tm_address address;
    for (size_t i = 0; i < summary->num_lines; i++) {
        uint32_t num;
        const lint_line *line = &summary->lines[i];
        const tm_region *places = tm_lint_places(&num, summary->result, line->index);
        if (line->finding->severity != severity || !num || !layer_of(&address, map, line->finding))
            continue;
        const size_t most = pictures->num + MAX_OF_FINDING;
        for (uint32_t k = 0; k < num; k++) {
            const tm_match match = match_of(&address, &places[k]);
            find_places_add(pictures, &match, most < MAX_PICTURES ? most : MAX_PICTURES);
        }
    }
}

/* The places of a finding as JSON: the number of the picture (-1: none), and the tiles. */
static json_t *places_in_pictures(const find_places *pictures, const lint_summary *summary,
                                  const lint_line *line, const tm_map *map)
{
    uint32_t num;
    tm_address address;
    json_t *list = json_array();
    const tm_region *places = tm_lint_places(&num, summary->result, line->index);
    const bool known = num && layer_of(&address, map, line->finding);
    for (uint32_t i = 0; i < num; i++) {
        int number = -1;
        if (known) {
            const tm_match match = match_of(&address, &places[i]);
            number = find_places_showing(pictures, &match);
        }
        json_append(list, json_integers(number, (int64_t)places[i].rect.x, (int64_t)places[i].rect.y,
                                        (int64_t)places[i].rect.width, (int64_t)places[i].rect.height));
    }
    return list;
}

static json_t *page_finding(const find_places *pictures, const lint_summary *summary, const lint_line *line,
                            const tm_map *map)
{
    const char *fix = tm_lint_fix_line(summary->result, line->index);
    return json_object(JSON_TEXT("rule", lint_line_name(line)),
                       JSON_TEXT("severity", tm_severity_name(line->finding->severity)),
                       JSON_TEXT("place", line->finding->place), JSON_TEXT("text", line->finding->text),
                       JSON_TEXT("fix", fix[0] ? fix : NULL),
                       JSON_VALUE("places", places_in_pictures(pictures, summary, line, map)));
}

static json_t *page_pictures(const find_places *pictures)
{
    json_t *list = json_array();
    for (size_t i = 0; i < pictures->num; i++) {
        const find_place *place = &pictures->list[i];
        char *file = find_place_file(pictures, i, NULL);
        json_t *object = json_object(JSON_TEXT("file", file)), *rectangle = json_add_array(object, "at");
        for (int k = 0; k < 4; k++)
            json_append(rectangle, json_real((double[]){place->x, place->y, place->width, place->height}[k]));
        json_append(list, object);
        free(file);
    }
    return list;
}

/* The options of a picture: the defaults of `find --pictures`. */
static picture_options drawing_of(const lint_page *page)
{
    picture_options drawing = {.common = *page->tool->common, .detail = true, .numbers = true};
    drawing.mapres = *page->mapres;
    drawing.sheet = "own"; /* a game's freeze is half-transparent black, and looks like a hole */
    drawing.missing = TM_MISSING_NONE;
    drawing.memory = (uint64_t)512 << 20;
    drawing.quality = QUALITY;
    return drawing;
}

tm_status lint_page_add(lint_page *page, size_t index, const lint_summary *summary, loaded *file,
                        const tm_job *job, tm_error *error)
{
    const picture_options drawing = drawing_of(page);
    find_places pictures = {.options = &drawing,
                            .folder = page->folder,
                            .files = page->files,
                            .index = index,
                            .format = tm_webp_available() ? PICTURE_WEBP : PICTURE_PNG,
                            .pixels = SCALE_PIXELS,
                            .side = MAX_SIDE_PIXELS};
    json_t *findings = json_array();
    for (int severity = TM_SEVERITY_ERROR; severity >= (int)page->least; severity--)
        choose_pictures(&pictures, summary, file->map, (tm_severity)severity);
    pictures.limit = MAX_WORK / (pictures.num > FEW_PICTURES ? pictures.num : FEW_PICTURES);
    const tm_status status = find_places_draw(&pictures, file, job, error);
    for (size_t i = 0; i < summary->num_lines; i++)
        json_append(findings, page_finding(&pictures, summary, &summary->lines[i], file->map));
    page->maps[index] = json_object(
        JSON_TEXT("name", summary->path), JSON_INT("unlisted", summary->result->findings.unlisted),
        JSON_VALUE("findings", findings), JSON_VALUE("pictures", page_pictures(&pictures)));
    find_places_release(&pictures);
    return status;
}

void lint_page_release(lint_page *page)
{
    for (size_t i = 0; page->maps && i < page->files->num; i++)
        json_free(page->maps[i]);
    free(page->maps);
    page->maps = NULL;
}

tm_status lint_page_write(const lint_page *page, const lint_configs *configs, tm_error *error)
{
    const file_list *files = page->files;
    char *path = files_join(page->folder, "index.html");
    const tm_lint_rule *rule;
    json_t *maps = json_array(), *rules = json_make();
    for (size_t n = 0; (rule = lint_any_rule(configs, n)); n++)
        json_add(rules, tm_lint_rule_name(rule),
                 json_object(JSON_TEXT("title", rule->title), JSON_TEXT("why", rule->reason),
                             JSON_TEXT("how", rule->advice), JSON_BOOL("guess", rule->guess)));
    for (size_t i = 0; i < files->num; i++)
        if (page->maps[i])
            json_append(maps, json_copy(page->maps[i]));
    json_t *data = json_object(JSON_VALUE("rules", rules), JSON_VALUE("maps", maps));
    json_t *values =
        json_object(JSON_VALUE("data", data),
                    JSON_TEXT("one", files->num == 1 ? path_base(path_name(files->paths[0])) : NULL),
                    JSON_INT("num", files->num));
    const tm_status status = save_page_below(page->folder, path, lint_page_html, values, error);
    free(path);
    return status;
}

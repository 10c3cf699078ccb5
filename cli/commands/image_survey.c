/* SPDX-License-Identifier: Zlib */
/*
 * image_survey.c - a list by image: each map puts the names that it lacks, and they are counted when all maps
 * are done.
 */
#include "image_survey.h"

#include "output/form.h"
#include "run/files.h"
#include "run/images.h"
#include "run/load.h"

/* Pixels of images that were looked at: what one map has found need not be read for the next one. */
#define KNOWN_BYTES ((uint64_t)256 << 20)

typedef struct survey {
    cli_tool *tool;
    const word_list *mapres;
    tm_mapres_cache *known;
    file_list files;
    text *missing; /* of each map: lines of names */
    atomic_size_t lacking, unread;
} survey;

/* An image that some map lacks. */
typedef struct missing_image {
    const char *name;
    const char *first; /* map that lacks it */
    uint64_t maps;
} missing_image;

void image_put_shipped(text *out, const char *name)
{
    const tm_shipped_image *image = tm_game_shipped_image(name);
    const char *before = "not found; shipped by ";
    if (!image) {
        text_string(out, "not found; no game ships it");
    } else if (image->until) {
        text_print(out, "not found; last shipped by %s", image->until);
        if (image->renamed)
            text_print(out, ", where %s took its place", image->renamed);
    }
    for (int game = 0; image && game < TM_GAME_COUNT; game++) {
        if (!image->games[game])
            continue;
        text_print(out, "%s%s", before, tm_game_name((tm_game)game));
        before = ", ";
    }
}

static void look_at_map(void *ctx, report *to)
{
    survey *of = ctx;
    const char *path = to->path;
    tm_mapres *mapres = NULL;
    loaded file;
    load_map(&file, path, of->tool->common->mode, false);
    tm_status status = file.status;
    if (!status)
        status = images_open(&mapres, of->mapres, path, file.map->game, of->known, &file.error);
    if (status) {
        report_error(to, &file.error);
        atomic_fetch_add(&of->unread, 1);
    } else {
        images_put_missing(&of->missing[to->index], mapres, file.map);
    }
    if (of->missing[to->index].size) {
        atomic_fetch_add(&of->lacking, 1);
        raise_status(&to->status, STATUS_FINDINGS);
    }
    tm_mapres_free(mapres);
    loaded_release(&file);
}

static int by_name_then_map(const void *a, const void *b)
{
    const missing_image *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order ? order : left->first < right->first ? -1 : left->first > right->first;
}

static int by_maps(const void *a, const void *b)
{
    const missing_image *left = a, *right = b;
    return left->maps != right->maps ? (left->maps < right->maps ? 1 : -1) : strcmp(left->name, right->name);
}

/* One entry for each image, those that most maps lack first; the names stay in of->missing. */
static missing_image *count_images(survey *of, size_t *num)
{
    size_t all = 0, filled = 0;
    for (size_t i = 0; i < of->files.num; i++)
        for (size_t k = 0; k < of->missing[i].size; k++)
            all += of->missing[i].bytes[k] == '\n';
    missing_image *list = must_alloc(all + 1, sizeof(*list));
    for (size_t i = 0; i < of->files.num; i++) {
        for (size_t k = 0, start = 0; k < of->missing[i].size; k++) {
            if (of->missing[i].bytes[k] != '\n')
                continue;
            of->missing[i].bytes[k] = '\0';
            list[filled++] = (missing_image){of->missing[i].bytes + start, of->files.paths[i], 1};
            start = k + 1;
        }
    }
    qsort(list, all, sizeof(*list), by_name_then_map);
    *num = 0;
    for (size_t i = 0; i < all; i++)
        if (*num && strcmp(list[*num - 1].name, list[i].name) == 0)
            list[*num - 1].maps++;
        else
            list[(*num)++] = list[i];
    qsort(list, *num, sizeof(*list), by_maps);
    return list;
}

static const char survey_form[] =
    "{{lacking}} of {{maps:map lacks|maps lack}} images; {{num:image is|images are}} not found{{#unreadable}}; "
    "{{unreadable:file|files}} could not be read{{/}}{{#num}}:{{/}}\n"
    "{{=lrlll}}{{#missing}}\t{{maps}}\t{{name}}\t{{shipped}}\t{{first}}\n"
    "{{/}}{{/}}{{#num}}'teemap doctor' alone shows where they are searched for.\n"
    "{{/}}";

static void put_survey(text *out, survey *of, const missing_image *list, size_t num, bool json)
{
    const size_t unread = atomic_load(&of->unread);
    json_t *object = json_object(JSON_INT("maps", of->files.num - unread), JSON_INT("unreadable", unread),
                                 JSON_INT("lacking", atomic_load(&of->lacking)));
    json_t *images = json_add_array(object, "missing");
    for (size_t i = 0; i < num; i++) {
        text shipped = {0};
        image_put_shipped(&shipped, list[i].name);
        json_t *row = json_object(JSON_TEXT("name", list[i].name), JSON_INT("maps", list[i].maps),
                                  JSON_TEXT("first", list[i].first));
        if (!json)
            json_add_text(row, "shipped", text_words(&shipped));
        text_release(&shipped);
        json_append(images, row);
    }
    if (json) {
        text_json_line(out, object);
        return;
    }
    json_add_int(object, "num", (int64_t)num);
    form_line(out, survey_form, object);
}

void image_survey(cli_tool *tool, const word_list *mapres)
{
    survey of = {.tool = tool, .mapres = mapres};
    size_t num;
    files_expand(&of.files, tool, tool->operands, (size_t)tool->num_operands);
    of.missing = must_alloc(of.files.num + 1, sizeof(*of.missing));
    if (tm_mapres_cache_new(&of.known, KNOWN_BYTES, NULL, NULL))
        of.known = NULL; /* slower, but it works */
    tool_each(tool, of.files.paths, of.files.num, look_at_map, &of);
    missing_image *list = count_images(&of, &num);
    put_survey(&tool->out, &of, list, num, tool->common->json);
    free(list);
    for (size_t i = 0; i < of.files.num; i++)
        text_release(&of.missing[i]);
    free(of.missing);
    tm_mapres_cache_free(of.known);
    files_release(&of.files);
}

/* SPDX-License-Identifier: Zlib */
/*
 * lint_lines.c - what was found in a map, as lines for people and as JSON.
 */
#include "lint_lines.h"

#include "output/json.h"
#include "run/load.h"

#include <inttypes.h>

static void put_tiles_place(text *out, const tm_lint_place *place)
{
    text_print(out, "    %" PRIu32 ",%" PRIu32 "+%" PRIu32 "x%" PRIu32 ": ", place->x, place->y, place->width,
               place->height);
    text_count(out, place->count, "tile", "tiles");
    text_put(out, "\n", 1);
}

static void put_lint_objects(text *out, const tm_lint_result *result, size_t finding)
{
    uint32_t num;
    char address[TM_ADDRESS_SIZE];
    const tm_address *objects = tm_lint_objects(result, finding, &num);
    for (uint32_t i = 0; i < num; i++) {
        tm_address_format(&objects[i], address, sizeof(address));
        text_print(out, "    %s\n", address);
    }
}

static void put_details(text *out, const tm_lint_result *result, size_t finding)
{
    uint32_t num;
    const tm_lint_place *places = tm_lint_places(result, finding, &num);
    const char *fix = tm_lint_fix_line(result, finding);
    put_lint_objects(out, result, finding);
    for (uint32_t i = 0; num > 1 && i < num; i++)
        put_tiles_place(out, &places[i]);
    if (fix[0]) {
        text_string(out, "    teemap edit: ");
        text_safe(out, fix);
        text_put(out, "\n", 1);
    }
}

/* What the map itself says to leave out. */
static void put_ignored(text *out, const lint_told *told)
{
    for (size_t i = 0; i < told->result->ignored.num; i++) {
        tm_finding finding = told->result->ignored.list[i];
        finding.count = 1;
        text_safe(out, told->path);
        text_string(out, ": ignored");
        put_named_finding(out, "", &finding, tm_lint_rule_name(tm_lint_rule_for_ignored(told->result, i)));
    }
}

void lint_put_text(text *out, const lint_told *told, bool verbose)
{
    for (size_t i = 0; i < told->num_lines; i++) {
        tm_finding finding = *told->lines[i].finding;
        finding.count = 1; /* the text says it */
        put_named_finding(out, told->path, &finding, lint_line_name(&told->lines[i]));
        if (verbose)
            put_details(out, told->result, told->lines[i].index);
    }
    if (told->unlisted) {
        text_safe(out, told->path);
        text_print(out, ": and %" PRIu64 " more\n", told->unlisted);
    }
    if (verbose)
        put_ignored(out, told);
    if (verbose && !told->num_lines) {
        text_safe(out, told->path);
        text_string(out, ": fine\n");
    }
}

static json_t *json_places(const tm_lint_result *result, size_t finding)
{
    uint32_t num;
    const tm_lint_place *places = tm_lint_places(result, finding, &num);
    json_t *list = json_array();
    for (uint32_t i = 0; i < num; i++) {
        json_t *place = json_make();
        json_add_int(place, "x", places[i].x);
        json_add_int(place, "y", places[i].y);
        json_add_int(place, "width", places[i].width);
        json_add_int(place, "height", places[i].height);
        json_add_int(place, "count", (int64_t)places[i].count);
        json_append(list, place);
    }
    return list;
}

static json_t *json_sets(uint32_t sets)
{
    json_t *list = json_array();
    for (uint32_t bit = 0; bit < TM_LINT_SETS; bit++)
        if (sets & (uint32_t)1 << bit)
            json_append(list, json_string(tm_lint_set_name((uint32_t)1 << bit)));
    return list;
}

/* The same as `findings` has, of which `ignored` are part. */
static json_t *json_ignored(const tm_lint_result *result)
{
    json_t *list = json_array();
    for (size_t i = 0; i < result->ignored.num; i++)
        json_append(list, json_finding(&result->ignored.list[i],
                                       tm_lint_rule_name(tm_lint_rule_for_ignored(result, i))));
    return list;
}

static json_t *json_unlisted(const tm_lint_result *result)
{
    json_t *object = json_make();
    for (size_t i = 0; i < result->findings.num; i++) {
        const tm_lint_rule *rule = tm_lint_rule_for(result, i);
        if (tm_lint_unlisted(result, rule))
            json_add_int(object, tm_lint_rule_name(rule), (int64_t)tm_lint_unlisted(result, rule));
    }
    return object;
}

void lint_put_json(text *out, const char *path, const lint_told *told)
{
    json_t *object = json_make(), *list = json_array();
    json_add_text(object, "path", path);
    json_add(object, "rules", json_sets(told->result->sets));
    for (size_t i = 0; i < told->num_lines && !told->error->code; i++) {
        const lint_line *line = &told->lines[i];
        const char *fix = tm_lint_fix_line(told->result, line->index);
        json_t *finding = json_finding(line->finding, lint_line_name(line));
        json_add(finding, "places", json_places(told->result, line->index));
        json_add_text(finding, "fix", fix[0] ? fix : NULL);
        json_append(list, finding);
    }
    json_add(object, "findings", list);
    json_add_int(object, "findings_unlisted", (int64_t)told->result->findings.unlisted);
    json_add(object, "unlisted", json_unlisted(told->result));
    json_add(object, "ignored", json_ignored(told->result));
    json_add_int(object, "unread", told->result->unread);
    if (told->error->code)
        json_add_error(object, told->error);
    text_json_line(out, object);
}

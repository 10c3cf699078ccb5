/* SPDX-License-Identifier: Zlib */
/*
 * lint_formats.c - lines for people, JSON, SARIF 2.1.0, annotations of GitHub's actions, JUnit's XML, and
 * Markdown for comments. Each escapes what it is told in its own way; names in maps are strangers' texts.
 */
#include "lint_formats.h"

#include "output/json.h"
#include "run/load.h"
#include "run/tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *lint_line_name(const lint_line *line)
{
    return line->rule          ? tm_lint_rule_name(line->rule)
           : line->finding->id ? tm_finding_name(line->finding->id)
                               : "unreadable";
}

/* "group 2, layer 3 'Tele': teleporters with ..." */
static void put_sentence(text *out, const tm_finding *finding)
{
    if (finding->place[0]) {
        text_safe(out, finding->place);
        text_string(out, ": ");
    }
    text_safe(out, finding->text);
}

/* Puts `from` with some characters replaced; strangers' control characters are escaped before. */
static void put_replaced(text *out, const char *from, const char *(*replacement)(char c))
{
    for (; *from; from++) {
        const char *instead = replacement(*from);
        if (instead)
            text_string(out, instead);
        else
            text_put(out, from, 1);
    }
}

static void put_safely(text *out, const char *from, const char *(*replacement)(char c))
{
    text safe = {0};
    text_safe(&safe, from);
    put_replaced(out, text_words(&safe), replacement);
    text_release(&safe);
}

static void put_sentence_safely(text *out, const tm_finding *finding, const char *(*replacement)(char c))
{
    text sentence = {0};
    put_sentence(&sentence, finding);
    put_replaced(out, text_words(&sentence), replacement);
    text_release(&sentence);
}

/* Of a rule only so many findings are listed. */
static void put_unlisted(text *out, uint64_t num)
{
    text_count(out, num, "more finding is", "more findings are");
    text_string(out, " not listed");
}

/* ------------------------------------------------------------------------------------------------ SARIF */

/* Texts of SARIF are not empty: what an own rule does not say is its title. */
static json_t *sarif_text(const tm_lint_rule *rule, const char *said)
{
    json_t *object = json_make();
    json_add_text(object, "text", said[0] ? said : rule->title);
    return object;
}

static void put_sarif_rule(text *out, const tm_lint_rule *rule)
{
    json_t *object = json_make(), *usual = json_make();
    json_add_text(object, "id", tm_lint_rule_name(rule));
    json_add(object, "shortDescription", sarif_text(rule, rule->title));
    json_add(object, "fullDescription", sarif_text(rule, rule->why));
    json_add(object, "help", sarif_text(rule, rule->how));
    json_add_text(usual, "level", tm_severity_name(tm_lint_rule_severity(rule)));
    json_add(object, "defaultConfiguration", usual);
    text_json(out, object);
}

/* An id is described once, also if several configurations have rules of it. */
static bool is_first_of_id(const tm_lint_rule **rules, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(tm_lint_rule_name(rules[i]), tm_lint_rule_name(rules[n])) == 0)
            return false;
    return true;
}

static void put_own_rules(text *out, const lint_configs *configs)
{
    size_t num = 0;
    while (lint_configs_rule(configs, num))
        num++;
    const tm_lint_rule **rules = must_alloc(num + 1, sizeof(*rules));
    for (size_t n = 0; n < num; n++) {
        rules[n] = lint_configs_rule(configs, n);
        if (!is_first_of_id(rules, n))
            continue;
        text_string(out, ",\n");
        put_sarif_rule(out, rules[n]);
    }
    free(rules);
}

static void put_sarif_head(text *out, const lint_configs *configs)
{
    const tm_lint_rule *rule;
    text_print(
        out,
        "{\"version\":\"2.1.0\",\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"runs\":[{"
        "\"tool\":{\"driver\":{\"name\":\"teemap\",\"version\":\"%s\",\"rules\":[",
        tm_version());
    for (uint32_t n = 0; (rule = tm_lint_rule_at(n)); n++) {
        text_string(out, n ? ",\n" : "\n");
        put_sarif_rule(out, rule);
    }
    put_own_rules(out, configs);
    text_string(out, "]}},\"results\":[\n");
}

static bool stays_in_uri(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("/-._~", c);
}

/* A path as a relative or absolute reference. */
static json_t *sarif_uri(const char *path)
{
    text uri = {0};
    for (; *path; path++)
        if (stays_in_uri(*path))
            text_put(&uri, path, 1);
        else
            text_print(&uri, "%%%02X", (unsigned)(unsigned char)*path);
    json_t *value = json_string(text_words(&uri));
    text_release(&uri);
    return value;
}

static json_t *sarif_location(const char *path, const tm_finding *finding)
{
    json_t *location = json_make(), *physical = json_make(), *artifact = json_make(), *region = json_make();
    json_t *logical = json_make(), *logicals = json_array();
    json_add(artifact, "uri", sarif_uri(path));
    json_add(physical, "artifactLocation", artifact);
    json_add_int(region, "startLine", 1);
    json_add(physical, "region", region);
    json_add(location, "physicalLocation", physical);
    json_add_text(logical, "fullyQualifiedName", finding->address);
    json_append(logicals, logical);
    json_add(location, "logicalLocations", logicals);
    return location;
}

static uint32_t rule_index(tm_finding_id id)
{
    uint32_t n = 0;
    while (tm_lint_rule_at(n)->id != id)
        n++;
    return n;
}

static void put_sarif_result(text *out, const char *path, const lint_line *line)
{
    const tm_finding *finding = line->finding;
    json_t *object = json_make(), *message = json_make(), *locations = json_array(), *prints = json_make();
    text sentence = {0};
    put_sentence(&sentence, finding);
    json_add_text(object, "ruleId", lint_line_name(line));
    if (line->rule && !line->rule->own)
        json_add_int(object, "ruleIndex", rule_index(finding->id));
    json_add_text(object, "level", tm_severity_name(finding->severity));
    json_add_text(message, "text", text_words(&sentence));
    json_add(object, "message", message);
    json_append(locations, sarif_location(path, finding));
    json_add(object, "locations", locations);
    json_add_text(prints, "place/v1", finding->address);
    json_add(object, "partialFingerprints", prints);
    text_release(&sentence);
    text_json(out, object);
}

static void put_sarif(text *out, const lint_told *told)
{
    for (size_t i = 0; i < told->num_lines; i++) {
        text_string(out, i ? ",\n" : "");
        put_sarif_result(out, told->path, &told->lines[i]);
    }
}

static void put_sarif_tail(text *out, bool all_read, uint64_t unlisted)
{
    text_print(out, "],\"invocations\":[{\"executionSuccessful\":%s", all_read ? "true" : "false");
    if (unlisted) {
        text_string(out, ",\"toolExecutionNotifications\":[{\"level\":\"warning\",\"message\":{\"text\":\"");
        put_unlisted(out, unlisted);
        text_string(out, "\"}}]");
    }
    text_string(out, "}]}]}\n");
}

/* ----------------------------------------------------------------------------------------------- GitHub */

static const char *github_text(char c)
{
    return c == '%' ? "%25" : c == '\r' ? "%0D" : c == '\n' ? "%0A" : NULL;
}

static const char *github_property(char c)
{
    return c == ':' ? "%3A" : c == ',' ? "%2C" : github_text(c);
}

static void put_github_line(text *out, const char *path, const char *word, const char *title)
{
    text_print(out, "::%s file=", word);
    put_replaced(out, path, github_property);
    text_print(out, ",title=%s::", title);
}

static void put_github(text *out, const lint_told *told)
{
    static const char *const words[] = {
        [TM_SEVERITY_NOTE] = "notice", [TM_SEVERITY_WARNING] = "warning", [TM_SEVERITY_ERROR] = "error"};
    for (size_t i = 0; i < told->num_lines; i++) {
        const tm_finding *finding = told->lines[i].finding;
        put_github_line(out, told->path, words[finding->severity], lint_line_name(&told->lines[i]));
        put_sentence_safely(out, finding, github_text);
        text_put(out, "\n", 1);
    }
    if (told->unlisted) {
        put_github_line(out, told->path, "warning", "unlisted");
        put_unlisted(out, told->unlisted);
        text_put(out, "\n", 1);
    }
}

/* ------------------------------------------------------------------------------------------------ JUnit */

static const char *xml_text(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    default: return NULL;
    }
}

static void put_junit_head(text *out, const lint_configs *configs)
{
    (void)configs;
    text_string(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"teemap lint\">\n");
}

/* Readers keep one case of each class and name: the map is the class, and what a rule finds twice at one
   address has a number. */
static size_t number_of_case(const lint_told *told, size_t i)
{
    const lint_line *line = &told->lines[i];
    size_t number = 1;
    for (size_t k = i; k-- > 0 && told->lines[k].rule == line->rule;)
        number += strcmp(told->lines[k].finding->address, line->finding->address) == 0;
    return number;
}

static void put_junit_case(text *out, const lint_told *told, size_t i)
{
    const lint_line *line = &told->lines[i];
    const tm_finding *finding = line->finding;
    const size_t number = number_of_case(told, i);
    text_string(out, "    <testcase classname=\"");
    put_safely(out, told->path, xml_text);
    text_print(out, "\" name=\"%s%s", lint_line_name(line), finding->address[0] ? " " : "");
    put_safely(out, finding->address, xml_text);
    if (number > 1)
        text_print(out, " (%zu)", number);
    text_string(out, "\">");
    const bool fails = finding->severity >= told->fail_on;
    if (told->error->code)
        text_string(out, "<error message=\"");
    else if (fails)
        text_print(out, "<failure type=\"%s\" message=\"", tm_severity_name(finding->severity));
    else
        text_string(out, "<system-out>");
    put_sentence_safely(out, finding, xml_text);
    text_string(out, fails ? "\"/>" : "</system-out>");
    text_string(out, "</testcase>\n");
}

static void put_junit(text *out, const lint_told *told)
{
    const size_t num = told->num_lines;
    const bool error = told->error->code != TM_OK;
    size_t failures = 0;
    for (size_t i = 0; i < num && !error; i++)
        failures += told->lines[i].finding->severity >= told->fail_on;
    text_string(out, "  <testsuite name=\"");
    put_safely(out, told->path, xml_text);
    text_print(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%d\">\n", num ? num : 1, failures, error);
    for (size_t i = 0; i < num; i++)
        put_junit_case(out, told, i);
    if (!num) {
        text_string(out, "    <testcase classname=\"");
        put_safely(out, told->path, xml_text);
        text_string(out, "\" name=\"lint\"/>\n");
    }
    if (told->unlisted) {
        text_string(out, "    <system-out>");
        put_unlisted(out, told->unlisted);
        text_string(out, "</system-out>\n");
    }
    text_string(out, "  </testsuite>\n");
}

static void put_junit_tail(text *out, bool all_read, uint64_t unlisted)
{
    (void)all_read;
    (void)unlisted; /* each suite tells its own */
    text_string(out, "</testsuites>\n");
}

/* --------------------------------------------------------------------------------------------- Markdown */

/* What would be markup, or end the cell of a table. */
static const char *markdown_text(char c)
{
    static const char escaped[] = "\\|`*_[]<>#~@!";
    static const char *const texts[] = {"\\\\", "\\|",  "\\`", "\\*", "\\_",   "\\[", "\\]",
                                        "&lt;", "&gt;", "\\#", "\\~", "&#64;", "\\!"};
    const char *at = c ? strchr(escaped, c) : NULL;
    return at ? texts[at - escaped] : NULL;
}

static void put_markdown(text *out, const lint_told *told)
{
    if (!told->num_lines)
        return;
    text_string(out, "### ");
    put_safely(out, told->path, markdown_text);
    text_string(out, "\n\n");
    text_string(out, "| | where | what | rule |\n|---|---|---|---|\n");
    for (size_t i = 0; i < told->num_lines; i++) {
        const tm_finding *finding = told->lines[i].finding;
        text_print(out, "| %s | ", tm_severity_name(finding->severity));
        put_safely(out, finding->place, markdown_text);
        text_string(out, " | ");
        put_safely(out, finding->text, markdown_text);
        text_print(out, " | `%s` |\n", lint_line_name(&told->lines[i]));
    }
    if (told->unlisted) {
        text_string(out, "\n");
        put_unlisted(out, told->unlisted);
        text_string(out, "\n");
    }
    text_string(out, "\n");
}

/* ------------------------------------------------------------------------------------------------ table */

const lint_writer *lint_writer_of(lint_format format)
{
    static const lint_writer writers[LINT_FORMATS] = {
        [LINT_SARIF] = {put_sarif_head, put_sarif, ",\n", put_sarif_tail},
        [LINT_GITHUB] = {NULL, put_github, "", NULL},
        [LINT_JUNIT] = {put_junit_head, put_junit, "", put_junit_tail},
        [LINT_MARKDOWN] = {NULL, put_markdown, "", NULL},
    };
    return format > LINT_TEXT && format < LINT_FORMATS ? &writers[format] : NULL;
}

/* -------------------------------------------------------------------------------------------- lines, JSON */

static void put_tiles_place(text *out, const tm_region *place)
{
    text_print(out, "    %" PRId32 ",%" PRId32 "+%" PRIu32 "x%" PRIu32 ": ", place->rect.x, place->rect.y,
               place->rect.width, place->rect.height);
    text_count(out, place->num, "tile", "tiles");
    text_put(out, "\n", 1);
}

static void put_lint_objects(text *out, const tm_lint_result *result, size_t finding)
{
    uint32_t num;
    char address[TM_ADDRESS_SIZE];
    const tm_address *objects = tm_lint_objects(&num, result, finding);
    for (uint32_t i = 0; i < num; i++) {
        tm_address_format(&objects[i], address, sizeof(address));
        text_print(out, "    %s\n", address);
    }
}

static void put_details(text *out, const tm_lint_result *result, size_t finding)
{
    uint32_t num;
    const tm_region *places = tm_lint_places(&num, result, finding);
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
    const tm_region *places = tm_lint_places(&num, result, finding);
    json_t *list = json_array();
    for (uint32_t i = 0; i < num; i++) {
        json_t *place = json_make();
        json_add_int(place, "x", places[i].rect.x);
        json_add_int(place, "y", places[i].rect.y);
        json_add_int(place, "width", places[i].rect.width);
        json_add_int(place, "height", places[i].rect.height);
        json_add_int(place, "count", (int64_t)places[i].num);
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

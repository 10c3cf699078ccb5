/* SPDX-License-Identifier: Zlib */
/*
 * lint_formats.c - lines for people, JSON, and what fills the forms of other programs: SARIF 2.1.0,
 * annotations of GitHub's actions, JUnit's XML, and Markdown for comments. Each has its
 * own rule of escaping; names in maps are strangers' texts.
 */
#include "lint_parts.h"

const char *lint_line_name(const lint_line *line)
{
    return line->rule          ? tm_lint_rule_name(line->rule)
           : line->finding->id ? tm_finding_name(line->finding->id)
                               : "unreadable";
}

/* Puts a string with some characters replaced; control characters are escaped first. */
static void put_replaced(text *out, const char *string, const char *(*replacement)(char c))
{
    for (; *string; string++) {
        const char *substitute = replacement(*string);
        if (substitute)
            text_string(out, substitute);
        else
            text_put(out, string, 1);
    }
}

static void put_safely(text *out, const char *string, const char *(*replacement)(char c))
{
    text safe = {0};
    text_safe(&safe, string);
    put_replaced(out, text_words(&safe), replacement);
    text_release(&safe);
}

/* ----------------------------------------------------------------------------------- texts of the formats */

static const char *string_text(char c)
{
    return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : NULL;
}

static const char *github_text(char c)
{
    return c == '%' ? "%25" : c == '\r' ? "%0D" : c == '\n' ? "%0A" : NULL;
}

static const char *github_property(char c)
{
    return c == ':' ? "%3A" : c == ',' ? "%2C" : github_text(c);
}

/* The replacement for a character that would be markup, or end the cell of a table. */
static const char *markdown_text(char c)
{
    static const char escaped[] = "\\|`*_[]<>#~@!";
    static const char *const texts[] = {"\\\\", "\\|",  "\\`", "\\*", "\\_",   "\\[", "\\]",
                                        "&lt;", "&gt;", "\\#", "\\~", "&#64;", "\\!"};
    const char *found = c ? strchr(escaped, c) : NULL;
    return found ? texts[found - escaped] : NULL;
}

static void put_sarif_text(text *out, const char *string)
{
    put_safely(out, string, string_text);
}

static void put_github_text(text *out, const char *string)
{
    put_safely(out, string, github_text);
}

static void put_markdown_text(text *out, const char *string)
{
    put_safely(out, string, markdown_text);
}

/* ------------------------------------------------------------------------------------------------ formats */

/* lint_sarif.form and so on; end with a NUL */
extern const unsigned char lint_sarif[], lint_github[], lint_junit[], lint_markdown[];

/* Fills a part of a format: head, map, between two maps, or tail. Takes the values over. */
static void put_part(text *out, lint_format format, const char *part, json_t *values)
{
    static const struct {
        const unsigned char *form;
        form_escape *escape;
    } formats[LINT_FORMATS] = {[LINT_SARIF] = {lint_sarif, put_sarif_text},
                               [LINT_GITHUB] = {lint_github, put_github_text},
                               [LINT_JUNIT] = {lint_junit, html_text},
                               [LINT_MARKDOWN] = {lint_markdown, put_markdown_text}};
    json_t *object = json_make();
    json_add(object, part, values);
    form_put(out, (const char *)formats[format].form, object, formats[format].escape);
    json_free(object);
}

/* A rule for SARIF, whose texts must not be empty: the title stands for texts that an own rule lacks. */
static json_t *json_described_rule(const tm_lint_rule *rule)
{
    return json_object(JSON_TEXT("id", tm_lint_rule_name(rule)), JSON_TEXT("title", rule->title),
                       JSON_TEXT("why", rule->reason[0] ? rule->reason : rule->title),
                       JSON_TEXT("how", rule->advice[0] ? rule->advice : rule->title),
                       JSON_TEXT("level", tm_severity_name(tm_lint_rule_severity(rule))));
}

/* Whether rule `n` is the first with its id: ids of several configurations are described once. */
static bool is_first_of_id(const lint_configs *configs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(tm_lint_rule_name(lint_any_rule(configs, i)),
                   tm_lint_rule_name(lint_any_rule(configs, n))) == 0)
            return false;
    return true;
}

void lint_format_head(text *out, lint_format format, const lint_configs *configs)
{
    const tm_lint_rule *rule;
    json_t *values = json_make(), *rules = json_add_array(values, "rules");
    for (size_t n = 0; (rule = lint_any_rule(configs, n)); n++)
        if (!rule->custom_id || is_first_of_id(configs, n))
            json_append(rules, json_described_rule(rule));
    json_add_text(values, "version", tm_version());
    put_part(out, format, "head", values);
}

static uint32_t rule_index(tm_finding_id id)
{
    uint32_t n = 0;
    while (tm_lint_rule_at(n)->id != id)
        n++;
    return n;
}

/* The number of a finding among those of its rule and address: the class (the map) and the name of a JUnit
   case must differ from all others. */
static size_t number_of_case(const lint_summary *summary, size_t i)
{
    const lint_line *line = &summary->lines[i];
    size_t number = 1;
    for (size_t k = i; k-- > 0 && summary->lines[k].rule == line->rule;)
        number += strcmp(summary->lines[k].finding->address, line->finding->address) == 0;
    return number;
}

void lint_format_map(text *out, lint_format format, const lint_summary *summary)
{
    const bool error = summary->error->code != TM_OK;
    int64_t failures = 0;
    text property = {0};
    json_t *list = json_array();
    for (size_t i = 0; i < summary->num_lines; i++) {
        const lint_line *line = &summary->lines[i];
        const bool fails = line->finding->severity >= summary->fail_on,
                   builtin = line->rule && !line->rule->custom_id;
        const size_t number = format == LINT_JUNIT ? number_of_case(summary, i) : 1;
        json_t *finding = json_finding(line->finding, lint_line_name(line));
        json_add_all(finding, JSON_BOOL("note", line->finding->severity == TM_SEVERITY_NOTE),
                     JSON_BOOL("fails", fails), JSON_BOOL("builtin", builtin),
                     JSON_INT("index", builtin ? rule_index(line->finding->id) : 0),
                     JSON_INT("again", number > 1 ? number : 0));
        json_append(list, finding);
        failures += fails && !error;
    }
    put_replaced(&property, summary->path, github_property);
    json_t *values = json_object(
        JSON_TEXT("path", summary->path), JSON_TEXT("property", text_words(&property)),
        JSON_INT("tests", summary->num_lines ? summary->num_lines : 1), JSON_INT("failures", failures),
        JSON_INT("errors", error), JSON_INT("more", summary->unlisted),
        JSON_BOOL("filled", summary->num_lines > 0), JSON_VALUE("findings", list));
    text_release(&property);
    put_part(out, format, "map", values);
}

void lint_format_between(text *out, lint_format format)
{
    put_part(out, format, "between", json_make());
}

void lint_format_tail(text *out, lint_format format, bool all_read, uint64_t unlisted)
{
    put_part(out, format, "tail", json_object(JSON_BOOL("read", all_read), JSON_INT("more", unlisted)));
}

/* -------------------------------------------------------------------------------------------- lines, JSON */

static void put_details(text *out, const tm_lint_result *result, size_t finding)
{
    uint32_t num, num_objects;
    char address[TM_ADDRESS_SIZE];
    const tm_region *places = tm_lint_places(&num, result, finding);
    const tm_address *objects = tm_lint_objects(&num_objects, result, finding);
    const char *fix = tm_lint_fix_line(result, finding);
    for (uint32_t i = 0; i < num_objects; i++) {
        tm_address_format(&objects[i], address, sizeof(address));
        text_print(out, "    %s\n", address);
    }
    for (uint32_t i = 0; num > 1 && i < num; i++) {
        const tm_rect *rect = &places[i].rect;
        text_print(out, "    %" PRId32 ",%" PRId32 "+%" PRIu32 "x%" PRIu32 ": ", rect->x, rect->y,
                   rect->width, rect->height);
        text_count(out, places[i].num, "tile\n", "tiles\n");
    }
    if (fix[0])
        text_line(out, "    teemap edit: %s", fix);
}

/* Puts the findings that the map itself says to ignore. */
static void put_ignored(text *out, const lint_summary *summary)
{
    for (size_t i = 0; i < summary->result->ignored.num; i++) {
        tm_finding finding = summary->result->ignored.list[i];
        finding.count = 1;
        put_about(out, summary->path, "ignored");
        put_named_finding(out, "", &finding, tm_lint_rule_name(tm_lint_rule_for_ignored(summary->result, i)));
    }
}

void lint_put_text(text *out, const lint_summary *summary, bool verbose)
{
    tm_findings damage = {.list = must_alloc(summary->num_lines, sizeof(*damage.list))};
    for (size_t i = 0; i < summary->num_lines; i++) {
        damage.list[i] = *summary->lines[i].finding;
        damage.list[i].count = 1;              /* the text says it */
        damage.num += !summary->lines[i].rule; /* they come first */
    }
    put_finding_lines(out, &damage, (finding_lines){"", summary->path, TM_SEVERITY_NOTE, verbose, SIZE_MAX});
    for (size_t i = damage.num; i < summary->num_lines; i++) {
        put_named_finding(out, summary->path, &damage.list[i], lint_line_name(&summary->lines[i]));
        if (verbose)
            put_details(out, summary->result, summary->lines[i].index);
    }
    free(damage.list);
    if (summary->unlisted)
        put_about(out, summary->path, "and %" PRIu64 " more\n", summary->unlisted);
    if (verbose)
        put_ignored(out, summary);
    if (verbose && !summary->num_lines)
        put_about(out, summary->path, "fine\n");
}

static json_t *json_places(const tm_lint_result *result, size_t finding)
{
    uint32_t num;
    const tm_region *places = tm_lint_places(&num, result, finding);
    json_t *list = json_array();
    for (uint32_t i = 0; i < num; i++) {
        json_t *place = json_rect(&places[i].rect);
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

/* The ignored findings as JSON, in the form of `findings`, which has them, too. */
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

void lint_put_json(text *out, const char *path, const lint_summary *summary)
{
    json_t *object =
        json_object(JSON_TEXT("path", path), JSON_VALUE("rules", json_sets(summary->result->sets)));
    json_t *list = json_add_array(object, "findings");
    for (size_t i = 0; i < summary->num_lines && !summary->error->code; i++) {
        const lint_line *line = &summary->lines[i];
        const char *fix = tm_lint_fix_line(summary->result, line->index);
        json_t *finding = json_finding(line->finding, lint_line_name(line));
        json_append(list,
                    json_add_all(finding, JSON_VALUE("places", json_places(summary->result, line->index)),
                                 JSON_TEXT("fix", fix[0] ? fix : NULL)));
    }
    json_add_all(object, JSON_INT("findings_unlisted", summary->result->findings.unlisted),
                 JSON_VALUE("unlisted", json_unlisted(summary->result)),
                 JSON_VALUE("ignored", json_ignored(summary->result)),
                 JSON_INT("unread", summary->result->unread));
    if (summary->error->code)
        json_add_error(object, summary->error);
    text_json_line(out, object);
}

/* SPDX-License-Identifier: Zlib */
#include "rules_words.h"

#include "run/tool.h"

/* ---------------------------------------------------------------------------------------------- findings */

/* Where the line ends that begins here. To DDNet before 18.4 a lone CR ends one, too. */
static const char *line_end(const rules_file *of, const char *at)
{
    const char *end = (const char *)of->bytes + of->size;
    const bool old = tm_automap_rules_dialect(of->rules) == TM_AUTOMAP_DDNET_16;
    while (at < end && *at != '\n' && !(old && *at == '\r'))
        at++;
    return at;
}

static const char *line_at(const rules_file *of, uint32_t line)
{
    const char *at = (const char *)of->bytes, *end = at + of->size;
    if (of->size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    for (uint32_t n = 1; n < line && at < end; n++) {
        at = line_end(of, at);
        at += end - at >= 2 && at[0] == '\r' && at[1] == '\n' ? 2 : at < end;
    }
    return at;
}

enum { LINE_MAX = 160 }; /* bytes of a line that are shown */

/* So many bytes of a line as they are shown; returns how many characters these are. */
static long put_source(text *out, const char *at, size_t size)
{
    char shown[LINE_MAX + 1];
    const size_t from = out->size;
    long num = 0;
    size = size > LINE_MAX ? LINE_MAX : size;
    for (size_t i = 0; i < size; i++)
        shown[i] = at[i] == '\t' ? ' ' : at[i];
    shown[size] = '\0';
    shown[strcspn(shown, "\r")] = '\0';
    text_safe(out, shown);
    for (size_t i = from; i < out->size; i++)
        num += ((unsigned char)out->bytes[i] & 0xc0) != 0x80;
    return num;
}

/* The line that a finding is about, and a mark below its column, which counts bytes. */
static void put_source_line(text *out, const rules_file *of, uint32_t line, uint32_t column)
{
    const char *at = line_at(of, line);
    const size_t size = (size_t)(line_end(of, at) - at);
    text before = {0};
    text_string(out, "    ");
    (void)put_source(out, at, size);
    text_string(out, "\n");
    if (column && column <= size + 1 && column <= LINE_MAX) {
        text_pad(out, 4 + put_source(&before, at, column - 1));
        text_string(out, "^\n");
    }
    text_release(&before);
}

void put_rule_finding(text *out, const rules_file *of, const tm_finding *finding)
{
    uint32_t line, column;
    text_safe(out, path_name(of->path));
    if (tm_automap_finding_line(&line, &column, finding)) {
        text_print(out, ":%" PRIu32, line);
        if (column)
            text_print(out, ":%" PRIu32, column);
    }
    text_string(out, ": ");
    put_severity(out, finding->severity);
    text_string(out, ": ");
    text_safe(out, finding->text);
    text_print(out, " [%s]\n", tm_finding_name(finding->id));
    if (line)
        put_source_line(out, of, line, column);
}

/* -------------------------------------------------------------------------------------------------- list */

static uint32_t num_rules_of(const tm_automap_config *config)
{
    uint32_t num = 0;
    for (uint32_t p = 0; p < config->num_passes; p++)
        num += config->passes[p].num_rules;
    return num;
}

void put_rules_list(text *out, const rules_file *of, bool names)
{
    uint32_t num;
    const tm_automap_config *configs = tm_automap_configs(&num, of->rules);
    text rows = {0};
    if (names) {
        text_safe(out, path_name(of->path));
        text_print(out, "\n");
    }
    for (uint32_t i = 0; i < num; i++) {
        const tm_automap_config *config = &configs[i];
        text_print(&rows, "%s%" PRIu32 "\t", names ? "  " : "", i);
        text_quoted(&rows, config->name);
        text_print(&rows, "\t%s\t", tm_automap_kind_name(config->kind));
        text_count(&rows, config->num_passes, "run", "runs");
        text_string(&rows, "\t");
        text_count(&rows, num_rules_of(config), "rule", "rules");
        text_print(&rows, "\tx %d to %d, y %d to %d\n", (int)config->start_x, (int)config->end_x,
                   (int)config->start_y, (int)config->end_y);
    }
    text_columns(out, &rows, "rlllll");
    text_release(&rows);
}

/* -------------------------------------------------------------------------------------------------- JSON */

static json_t *json_config(const tm_automap_config *config)
{
    json_t *object = json_make(), *looks = json_array();
    json_add_text(object, "name", config->name);
    json_add_text(object, "kind", tm_automap_kind_name(config->kind));
    json_add_int(object, "line", config->line);
    json_add_int(object, "runs", config->num_passes);
    json_add_int(object, "rules", num_rules_of(config));
    const int32_t bounds[] = {config->start_x, config->start_y, config->end_x, config->end_y};
    for (int i = 0; i < 4; i++)
        json_append(looks, json_integer(bounds[i]));
    json_add(object, "looks", looks);
    return object;
}

static json_t *json_rule_finding(const tm_finding *finding)
{
    json_t *object = json_make();
    uint32_t line, column;
    (void)tm_automap_finding_line(&line, &column, finding);
    json_add_text(object, "id", tm_finding_name(finding->id));
    json_add_text(object, "severity", tm_severity_name(finding->severity));
    json_add(object, "line", line ? json_integer((int64_t)line) : json_null());
    json_add(object, "column", column ? json_integer((int64_t)column) : json_null());
    json_add_text(object, "text", finding->text);
    return object;
}

void put_rules_json(text *out, const rules_file *of)
{
    uint32_t num = 0;
    json_t *object = json_make(), *configs = json_array(), *findings = json_array();
    json_add_text(object, "path", of->path);
    const tm_automap_config *list = of->rules ? tm_automap_configs(&num, of->rules) : NULL;
    json_add_text(object, "dialect",
                  of->rules ? tm_automap_dialect_name(tm_automap_rules_dialect(of->rules)) : NULL);
    for (uint32_t i = 0; i < num; i++)
        json_append(configs, json_config(&list[i]));
    for (size_t i = 0; i < of->findings.num; i++)
        json_append(findings, json_rule_finding(&of->findings.list[i]));
    json_add(object, "configs", configs);
    json_add(object, "findings", findings);
    json_add_int(object, "findings_unlisted", (int64_t)of->findings.unlisted);
    if (of->status)
        json_add_error(object, &of->error);
    text_json_line(out, object);
}

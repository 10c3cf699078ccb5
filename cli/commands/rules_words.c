/* SPDX-License-Identifier: Zlib */
/* rules_words.c - findings in a file of rules, with their lines; its configurations; all of it as JSON. */
#include "rules.h"

#include "run/tool.h"

/* Where the line ends that begins here. To DDNet before 18.4 a lone CR ends one, too. */
static const char *line_end(const rules_file *file, const char *cursor)
{
    const char *end = (const char *)file->bytes + file->size;
    const bool old = tm_automap_rules_dialect(file->rules) == TM_AUTOMAP_DDNET_16;
    while (cursor < end && *cursor != '\n' && !(old && *cursor == '\r'))
        cursor++;
    return cursor;
}

static const char *line_at(const rules_file *file, uint32_t line)
{
    const char *cursor = (const char *)file->bytes, *end = cursor + file->size;
    if (file->size >= 3 && memcmp(cursor, "\xef\xbb\xbf", 3) == 0)
        cursor += 3;
    for (uint32_t n = 1; n < line && cursor < end; n++) {
        cursor = line_end(file, cursor);
        cursor += end - cursor >= 2 && cursor[0] == '\r' && cursor[1] == '\n' ? 2 : cursor < end;
    }
    return cursor;
}

enum { LINE_MAX = 160 }; /* bytes of a line that are shown */

/* So many bytes of a line as they are shown; returns how many characters these are. */
static long put_source(text *out, const char *line, size_t size)
{
    char shown[LINE_MAX + 1];
    const size_t from = out->size;
    long num = 0;
    size = size > LINE_MAX ? LINE_MAX : size;
    for (size_t i = 0; i < size; i++)
        shown[i] = line[i] == '\t' ? ' ' : line[i];
    shown[size] = '\0';
    shown[strcspn(shown, "\r")] = '\0';
    text_safe(out, shown);
    for (size_t i = from; i < out->size; i++)
        num += ((unsigned char)out->bytes[i] & 0xc0) != 0x80;
    return num;
}

/* The line that a finding is about, and a mark below its column, which counts bytes. */
static void put_source_line(text *out, const rules_file *file, uint32_t line, uint32_t column)
{
    const char *start = line_at(file, line);
    const size_t size = (size_t)(line_end(file, start) - start);
    text before = {0};
    text_string(out, "    ");
    (void)put_source(out, start, size);
    text_string(out, "\n");
    if (column && column <= size + 1 && column <= LINE_MAX) {
        text_pad(out, 4 + put_source(&before, start, column - 1));
        text_string(out, "^\n");
    }
    text_release(&before);
}

void put_rule_finding(text *out, const rules_file *file, const tm_finding *finding)
{
    uint32_t line, column;
    text_safe(out, path_name(file->path));
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
        put_source_line(out, file, line, column);
}

static uint32_t num_rules_of(const tm_automap_config *config)
{
    uint32_t num = 0;
    for (uint32_t p = 0; p < config->num_passes; p++)
        num += config->passes[p].num_rules;
    return num;
}

void put_rules_list(text *out, const rules_file *file, bool names)
{
    uint32_t num;
    const tm_automap_config *configs = tm_automap_configs(&num, file->rules);
    text rows = {0};
    if (names)
        text_line(out, "%s", path_name(file->path));
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

static json_t *json_rule_finding(const tm_finding *finding)
{
    uint32_t line, column;
    (void)tm_automap_finding_line(&line, &column, finding);
    return json_object(JSON_TEXT("id", tm_finding_name(finding->id)),
                       JSON_TEXT("severity", tm_severity_name(finding->severity)),
                       JSON_VALUE("line", line ? json_integer(line) : NULL),
                       JSON_VALUE("column", column ? json_integer(column) : NULL),
                       JSON_TEXT("text", finding->text));
}

void put_rules_json(text *out, const rules_file *file)
{
    uint32_t num = 0;
    const tm_automap_config *list = file->rules ? tm_automap_configs(&num, file->rules) : NULL;
    json_t *object = json_object(
        JSON_TEXT("path", file->path),
        JSON_TEXT("dialect",
                  file->rules ? tm_automap_dialect_name(tm_automap_rules_dialect(file->rules)) : NULL));
    json_t *configs = json_add_array(object, "configs"), *findings = json_add_array(object, "findings");
    for (const tm_automap_config *config = list; num; config++, num--)
        json_append(configs, json_object(JSON_TEXT("name", config->name),
                                         JSON_TEXT("kind", tm_automap_kind_name(config->kind)),
                                         JSON_INT("line", config->line), JSON_INT("runs", config->num_passes),
                                         JSON_INT("rules", num_rules_of(config)),
                                         JSON_VALUE("looks", json_integers(config->start_x, config->start_y,
                                                                           config->end_x, config->end_y))));
    for (size_t i = 0; i < file->findings.num; i++)
        json_append(findings, json_rule_finding(&file->findings.list[i]));
    json_add_int(object, "findings_unlisted", (int64_t)file->findings.unlisted);
    if (file->status)
        json_add_error(object, &file->error);
    text_json_line(out, object);
}

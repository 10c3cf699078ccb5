/* SPDX-License-Identifier: Zlib */
/*
 * Writes rules as a file of DDNet, as people write them, and converts those of Teeworlds 0.7 as far as its
 * statements can express them.
 */
#include "automap.h"

/* -------------------------------------------------------------------------------------------- statements */

void tmi_put_rules(tmi_out *writer, const char *format, ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    tmi_out_raw(writer, text, tmi_vformat(text, sizeof(text), format, list));
    va_end(list);
}

static void put_tile_flags(tmi_out *writer, unsigned flags)
{
    tmi_put_rules(writer, "%s%s%s", flags & TM_TILE_FLIP_X ? " XFLIP" : "",
                  flags & TM_TILE_FLIP_Y ? " YFLIP" : "", flags & TM_TILE_ROTATE ? " ROTATE" : "");
}

void tmi_put_index(tmi_out *writer, const void *written)
{
    const tm_automap_rule *rule = written;
    tmi_put_rules(writer, "Index %d", rule->index & (TM_TILE_INDICES - 1));
    put_tile_flags(writer, rule->flags);
    tmi_out_string(writer, "\n");
}

void tmi_put_condition(tmi_out *writer, const void *written)
{
    const tm_automap_condition *condition = written;
    const char *word = condition->of_words  ? condition->negated ? "FULL" : "EMPTY"
                       : condition->negated ? "NOTINDEX"
                                            : "INDEX";
    tmi_put_rules(writer, "Pos %d %d %s", (int)condition->x, (int)condition->y, word);
    for (uint32_t i = 0; i < condition->num_entries && !condition->of_words; i++) {
        const tm_automap_entry *entry = &condition->entries[i];
        tmi_put_rules(writer, "%s %d%s", i ? " OR" : "", (int)entry->index, entry->flags == 0 ? " NONE" : "");
        if (entry->flags > 0)
            put_tile_flags(writer, (unsigned)entry->flags);
    }
    tmi_out_string(writer, "\n");
}

void tmi_put_random(tmi_out *writer, const void *rule)
{
    tmi_out_string(writer, "Random ");
    tmi_out_string(writer, ((const tm_automap_rule *)rule)->random_text);
    tmi_out_string(writer, "\n");
}

void tmi_put_modulo(tmi_out *writer, const void *modulo)
{
    const tm_automap_modulo *m = modulo;
    /* 2147483648 does not fit; its negative does, and means the same. */
    const int64_t x = m->every_x > INT32_MAX ? -m->every_x : m->every_x;
    const int64_t y = m->every_y > INT32_MAX ? -m->every_y : m->every_y;
    tmi_put_rules(writer, "Modulo %lld %lld %d %d\n", (long long)x, (long long)y, (int)m->offset_x,
                  (int)m->offset_y);
}

/* Writes the name of a configuration; bytes that would end the line, or make the editor drop it, become ?. */
void tmi_put_config(tmi_out *writer, const void *config)
{
    char text[TMI_WORD_SIZE + 1];
    tmi_format(text, sizeof(text), "%s", ((const tm_automap_config *)config)->name);
    const bool valid = tmi_utf8_valid(text, strlen(text));
    for (char *c = text; *c; c++)
        if ((uint8_t)*c < 0x20 || (!valid && (uint8_t)*c >= 0x80))
            *c = '?';
    tmi_put_rules(writer, "[%s]\n", text);
}

/* ------------------------------------------------------------------------------------- DDNet's own rules */

static void put_ddnet_config(tmi_out *writer, const tm_automap_config *config)
{
    for (uint32_t i = 0; i < config->num_passes; i++) {
        if (i)
            tmi_out_string(writer, "\nNewRun\n");
        if (config->passes[i].no_layer_copy)
            tmi_out_string(writer, "NoLayerCopy\n");
        for (uint32_t k = 0; k < config->passes[i].num_rules; k++) {
            const tm_automap_rule *rule = &config->passes[i].rules[k];
            tmi_out_string(writer, "\n");
            tmi_put_index(writer, rule);
            for (uint32_t c = 0; c < rule->num_conditions; c++)
                if (!rule->conditions[c].added)
                    tmi_put_condition(writer, &rule->conditions[c]);
            if (rule->random_text)
                tmi_put_random(writer, rule);
            for (uint32_t m = 0; m < rule->num_modulos; m++)
                tmi_put_modulo(writer, &rule->modulos[m]);
            if (rule->no_default_rule)
                tmi_out_string(writer, "NoDefaultRule\n");
        }
    }
}

/* -------------------------------------------------------------------------------- tile sets of Teeworlds */

typedef struct conversion {
    tmi_out *writer;
    tm_findings *findings;
    const tm_automap_config *config;
    bool told_edge, told_chance;
} conversion;

#define REPORT_OF(c, id, at_line, at_column, ...)                                                   \
    tmi_automap_report((c)->findings, TM_FINDING_##id, ((tmi_spot_of){(at_line), (at_column), -1}), \
                       __VA_ARGS__)

static void convert_rule(conversion *c, const tm_automap_rule *rule)
{
    for (uint32_t i = 0; i < rule->num_conditions; i++) {
        const tm_automap_condition *condition = &rule->conditions[i];
        if (condition->x || condition->y || condition->negated || condition->entries[0].index)
            continue;
        /* In Teeworlds only an earlier rule can have emptied it. */
        REPORT_OF(
            c, RULES_LOST, rule->line, rule->column,
            "the rule asks for an empty tile in its own place, which DDNet's rules cannot tell so: left out");
        return;
    }
    tmi_out_string(c->writer, "\n");
    tmi_put_index(c->writer, rule);
    for (uint32_t i = 0; i < rule->num_conditions; i++) {
        const tm_automap_condition *condition = &rule->conditions[i];
        const int64_t x = condition->x < 0 ? -(int64_t)condition->x : condition->x,
                      y = condition->y < 0 ? -(int64_t)condition->y : condition->y;
        tmi_put_condition(c->writer, condition);
        if (!c->told_edge && (x + y > 1 || (x + y == 1 && !condition->of_words))) {
            c->told_edge = true;
            REPORT_OF(c, RULES_DIFFER, condition->line, condition->column,
                      "beyond the edge Teeworlds repeats tiles and DDNet sees none: there some may differ");
        }
    }
    if (rule->one_in > 1) {
        tmi_put_rules(c->writer, "Random %d\n", (int)rule->one_in);
        if (!c->told_chance)
            REPORT_OF(c, RULES_DIFFER, rule->line, rule->column,
                      "it is left to chance at other tiles, though at as many");
        c->told_chance = true;
    }
}

/* Converts a tile set to one run with NoLayerCopy: first the base tile, then the rules. */
static void convert_tileset(conversion *c)
{
    const tm_automap_pass *pass = c->config->passes;
    if (!pass->num_rules)
        return;
    tmi_put_rules(c->writer, "NoLayerCopy\n\nIndex %d\n", (int)c->config->base_tile);
    REPORT_OF(c, RULES_DIFFER, c->config->line, 1,
              "tiles that no rule fits lose their flags, which Teeworlds keeps");
    bool empties = c->config->base_tile == 0;
    for (uint32_t i = 0; i < pass->num_rules; i++) {
        if (empties && (i == 0 || pass->rules[i - 1].index == 0))
            REPORT_OF(c, RULES_DIFFER, pass->rules[i].line, pass->rules[i].column,
                      "rules from here on do not fit tiles that one before has made empty");
        convert_rule(c, &pass->rules[i]);
        empties = empties || pass->rules[i].index == 0;
    }
}

tm_status tm_automap_write(const tm_output *output, const tm_automap_rules *rules, tm_findings *findings,
                           tm_error *error)
{
    tmi_out writer;
    TM_TRY(tmi_need(output, "output", error));
    TM_TRY(tmi_need(rules, "rules", error));
    tmi_out_start(&writer, output, error);
    for (uint32_t i = 0; i < rules->num_configs; i++) {
        const tm_automap_config *config = &rules->configs[i];
        conversion c = {.writer = &writer, .findings = findings, .config = config};
        if (i)
            tmi_out_string(&writer, "\n");
        tmi_put_config(&writer, config);
        if (config->kind == TM_AUTOMAP_TILESET)
            convert_tileset(&c);
        else if (config->kind == TM_AUTOMAP_DOODADS)
            REPORT_OF(&c, RULES_LOST, config->line, 1, "DDNet has no doodads: '%.60s' is left empty",
                      config->name);
        else
            put_ddnet_config(&writer, config);
    }
    return tmi_out_end(&writer);
}

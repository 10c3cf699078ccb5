/* SPDX-License-Identifier: Zlib */
/*
 * Prints the constant tables of the library as parts of headers and documents: print_tables PART [FILE...]. tools/generate.py
 * puts the parts where they belong.
 */
#include "print_fields.h"
#include "print_mods.h"

#include "../src/lint/lint.h"
#include "../src/games/games.h"

#include <teemap/edit.h>
#include <teemap/facts.h>
#include <teemap/lint.h>
#include <teemap/games.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const char *yes(bool value)
{
    return value ? "yes" : "";
}

/* ------------------------------------------------------------------------------------------- constants */

/* "tele-in" is TM_TILE_TELE_IN. */
static void print_constant(const char *id)
{
    printf("    TM_TILE_");
    for (; *id; id++)
        putchar(*id == '-' ? '_' : toupper((unsigned char)*id));
}

/* A list of the table ends where tiles of other layers begin. */
static const char *list_of(const tm_tile_info *tile)
{
    return tile->layers[TM_LAYER_TELE]      ? "Tele layers."
           : tile->layers[TM_LAYER_SPEEDUP] ? "Speedup layers."
           : tile->layers[TM_LAYER_TUNE]    ? "Tune layers."
           : tile->layers[TM_LAYER_GAME] || tile->layers[TM_LAYER_FRONT]
               ? "Game and front layers; (s): switch layers, too."
               : "Switch layers.";
}

static void print_constants(void)
{
    const char *list = "";
    const tm_tile_info *tile;
    for (uint32_t n = 0; (tile = tm_game_tile_at(n)); n++) {
        if (strcmp(list, list_of(tile)) != 0) {
            printf("%s/* %s */\nenum {\n", n ? "};\n\n" : "", list_of(tile));
            list = list_of(tile);
        }
        const bool shared = tile->layers[TM_LAYER_SWITCH] && tile->layers[TM_LAYER_FRONT];
        const tm_tile_info *next = tm_game_tile_at(n + 1);
        const bool last = !next || strcmp(list, list_of(next)) != 0;
        print_constant(tile->id);
        printf(" = %d%s /* %s%s */\n", tile->index, last ? "" : ",", shared ? "(s) " : "", tile->title);
    }
    printf("};\n");
}

/* ----------------------------------------------------------------------------------------------- tiles */

static const char *number_name(const tm_tile_info *tile)
{
    static const char *const names[] = {
        [TM_NUMBER_NONE] = "",         [TM_NUMBER_TELE] = "teleporter", [TM_NUMBER_CHECKPOINT] = "checkpoint",
        [TM_NUMBER_SWITCH] = "switch", [TM_NUMBER_ZONE] = "zone",       [TM_NUMBER_SECONDS] = "seconds"};
    return names[tile->number];
}

static const char *delay_name(const tm_tile_info *tile)
{
    static const char *const names[] = {
        [TM_DELAY_NONE] = "",       [TM_DELAY_SECONDS] = "seconds", [TM_DELAY_MINUTES] = "minutes",
        [TM_DELAY_JUMPS] = "jumps", [TM_DELAY_WEAPON] = "weapon",   [TM_DELAY_UNKNOWN] = "kept"};
    return names[tile->delay];
}

static const char *const turn_names[] = {
    [TM_TURN_NONE] = "",     [TM_TURN_PICTURE] = "picture", [TM_TURN_ARROW] = "arrow",
    [TM_TURN_SHOT] = "shot", [TM_TURN_SPIN] = "spin",       [TM_TURN_ANGLE] = "angle"};

static void print_layers_of(const tm_tile_info *tile)
{
    static const char letters[TM_LAYER_KINDS] = {
        [TM_LAYER_GAME] = 'G', [TM_LAYER_FRONT] = 'F',   [TM_LAYER_TELE] = 'T',
        [TM_LAYER_TUNE] = 'U', [TM_LAYER_SPEEDUP] = 'P', [TM_LAYER_SWITCH] = 'S',
    };
    const char *space = "";
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++) {
        if (!tile->layers[kind])
            continue;
        printf("%s%c", space, letters[kind]);
        space = " ";
    }
}

static void print_tiles(void)
{
    const tm_tile_info *tile;
    printf(
        "| index | id | layers | number | delay | flags in S | turns as | category | Teeworlds | since | effect |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (uint32_t n = 0; (tile = tm_game_tile_at(n)); n++) {
        printf("| %d | `%s` | ", tile->index, tile->id);
        print_layers_of(tile);
        printf(" | %s | %s | %s | %s | %s | %s | %s | %s |\n", number_name(tile), delay_name(tile),
               yes(tile->keeps_flags), turn_names[tile->turn], tm_tile_category_name(tile->category),
               yes(tile->games[TM_GAME_TEEWORLDS07]), tile->first_version, tile->title);
    }
}

/* ----------------------------------------------------------------------------------------------- turns */

/* What flags become, by asking the library for a tile that turns so. */
static void print_turn_row(const char *name, tm_layer_kind kind, uint8_t index, tm_transform transform)
{
    static const uint8_t directions[] = {0, 1, 2, 3, 8, 9, 10, 11};
    printf("| %s |", name);
    for (size_t i = 0; i < COUNT_OF(directions); i++) {
        tm_tile tile = {index, directions[i], 0, 0};
        tm_game_turn_tile(kind, &tile, transform);
        printf(" %d |", tile.flags);
    }
    printf("\n");
}

static void print_turns(void)
{
    static const struct {
        tm_transform transform;
        const char *name;
    } rows[] = {{TM_TRANSFORM_MIRROR_X, "mirror left-right"},
                {TM_TRANSFORM_MIRROR_Y, "mirror top-bottom"},
                {TM_TRANSFORM_TURN_90, "turn 90 clockwise"},
                {TM_TRANSFORM_TURN_180, "turn 180"},
                {TM_TRANSFORM_TURN_270, "turn 270"},
                {TM_TRANSFORM_TRANSPOSE, "swap x and y"},
                {TM_TRANSFORM_ANTITRANSPOSE, "swap and turn 180"}};
    static const tm_tile_turn turns[] = {TM_TURN_PICTURE, TM_TURN_ARROW, TM_TURN_SHOT};
    for (size_t t = 0; t < COUNT_OF(turns); t++) {
        uint32_t n = 0;
        while (tm_game_tile_at(n)->turn != turns[t])
            n++;
        printf(
            "%s| %s: flags before | 0 | 1 | 2 | 3 | 8 | 9 | 10 | 11 |\n|---|---|---|---|---|---|---|---|---|\n",
            t ? "\n" : "", turn_names[turns[t]]);
        for (size_t i = 0; i < COUNT_OF(rows); i++)
            print_turn_row(rows[i].name, TM_LAYER_GAME, tm_game_tile_at(n)->index, rows[i].transform);
    }
}

/* ------------------------------------------------------------------------------------- layers, parts, images */

static void print_games(const bool games[TM_GAME_COUNT])
{
    printf(" %s | %s | %s |", yes(games[TM_GAME_DDNET]), yes(games[TM_GAME_TEEWORLDS06]),
           yes(games[TM_GAME_TEEWORLDS07]));
}

static void print_layers(void)
{
    printf("| kind | layer type | tile flags | bytes | DDNet | 0.6 | 0.7 |\n|---|---|---|---|---|---|---|\n");
    for (int kind = 0; kind < TM_LAYER_UNKNOWN; kind++) {
        const tm_layer_info *layer = tm_game_layer((tm_layer_kind)kind);
        printf("| `%s` | %d | ", layer->name, (int)layer->layer_type);
        if (layer->is_tiles)
            printf("%d", (int)layer->tile_flags);
        printf(" | %u |", (unsigned)layer->element_size);
        print_games(layer->games);
        printf("\n");
    }
}

static void print_parts(void)
{
    printf("| part of a map | DDNet | 0.6 | 0.7 | finding |\n|---|---|---|---|---|\n");
    for (int part = 0; part < TM_PART_COUNT; part++) {
        const tm_part_info *rule = tmi_game_part((tm_part)part);
        printf("| %s |", rule->name);
        print_games(rule->games);
        printf(" `%s` |\n", tm_finding_name(rule->lost));
    }
}

static void print_images(void)
{
    const tm_shipped_image *image;
    printf(
        "| name | size | DDNet | 0.6 | 0.7 | 0.7's drawing in DDNet | external by DDNet's editor | until |\n"
        "|---|---|---|---|---|---|---|---|\n");
    for (uint32_t n = 0; (image = tmi_game_shipped_image_at(n)); n++) {
        printf("| `%s` | %u x %u |", image->name, (unsigned)image->width, (unsigned)image->height);
        print_games(image->games);
        printf(" %s | %s | %s", yes(image->has_07_art), yes(image->kept_external),
               image->last_version ? image->last_version : "");
        if (image->renamed)
            printf(", now `%s`", image->renamed);
        printf(" |\n");
    }
}

/* In a table a bar stands behind a backslash. */
static void print_cell(const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            putchar('\\');
        putchar(*text);
    }
}

static void print_operations(void)
{
    const tm_edit_operation *row;
    printf("| operation | what it does |\n|---|---|\n");
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++) {
        char usage[256];
        tm_edit_usage(row, usage, sizeof(usage));
        printf("| `");
        print_cell(usage);
        printf("` | ");
        print_cell(row->help);
        printf(" |\n");
    }
}

/* A function of teemap.hpp for each operation. */
static void print_cpp_operations(void)
{
    const tm_edit_operation *row;
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++) {
        const bool has_words = row->arguments[0].name != NULL;
        char usage[256];
        tm_edit_usage(row, usage, sizeof(usage));
        printf("    /* %s: %s */\n", usage, row->help);
        printf("    %sreport ", has_words ? "template <typename... Words> " : "");
        for (const char *letter = row->name; *letter; letter++)
            putchar(*letter == ' ' ? '_' : *letter);
        printf(has_words ? "(const Words &...words) const { return run(\"%s\", {word(words)...}); }\n"
                         : "() const { return run(\"%s\", {}); }\n",
               row->name);
    }
}

/* The rules that a set asks and others do not, or the other way round. */
static void print_own_rules(uint32_t set)
{
    const tm_lint_rule *rule;
    const char *between = "";
    for (uint32_t n = 0; (set & TM_LINT_TYPES) && (rule = tm_lint_rule_at(n)); n++) {
        const bool own = rule->sets & set;
        if (!own && !(rule->not_for & set))
            continue;
        printf("%s%s`%s`", between, own ? "" : "not ", tm_finding_name(rule->id));
        between = ", ";
    }
}

static void print_lint_set(uint32_t set)
{
    printf("| `%s` | ", tm_lint_set_name(set));
    print_cell(tmi_lint_set_about(set));
    printf(" | ");
    print_own_rules(set);
    printf(" |\n");
}

static void print_lint_sets(void)
{
    printf("| set | purpose | rules added or removed |\n|---|---|---|\n");
    for (uint32_t bit = 0; bit < TM_LINT_SETS; bit++)
        print_lint_set((uint32_t)1 << bit);
    print_lint_set(TM_LINT_ALL);
}

static void print_lint_rules(void)
{
    const tm_lint_rule *rule;
    printf("| id | number | severity | sets | finding | why it matters | how to fix it | source |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (uint32_t n = 0; (rule = tm_lint_rule_at(n)); n++) {
        const char *between = "";
        printf("| `%s` | %d | %s%s | ", tm_finding_name(rule->id), (int)rule->id,
               tm_severity_name(tmi_finding_severity(rule->id, TM_MODE_GAME, NULL)),
               rule->guess ? ", a guess" : "");
        for (uint32_t bit = 0; bit < TM_LINT_SETS; bit++) {
            if (!(rule->sets & (uint32_t)1 << bit))
                continue;
            printf("%s%s", between, tm_lint_set_name((uint32_t)1 << bit));
            between = ", ";
        }
        between = "; not ";
        for (uint32_t bit = 0; bit < TM_LINT_SETS; bit++) {
            if (!(rule->not_for & (uint32_t)1 << bit))
                continue;
            printf("%s%s", between, tm_lint_set_name((uint32_t)1 << bit));
            between = ", ";
        }
        printf(" | ");
        print_cell(rule->title);
        printf(" | ");
        print_cell(rule->reason);
        printf(" | ");
        print_cell(rule->advice);
        printf(" | ");
        print_cell(rule->source);
        printf(" |\n");
    }
}

static void print_facts(void)
{
    static const char *const types[] = {
        [TM_FACT_TEXT] = "text", [TM_FACT_NUMBER] = "number", [TM_FACT_LIST] = "list"};
    const tm_fact_column *column;
    printf("| column | type | meaning |\n|---|---|---|\n");
    for (uint32_t i = 0; (column = tm_facts_column(i)); i++)
        printf("| `%s` | %s | %s |\n", column->name, types[column->type], column->text);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } parts[] = {{"constants", print_constants},
                 {"tiles", print_tiles},
                 {"turns", print_turns},
                 {"layers", print_layers},
                 {"parts", print_parts},
                 {"images", print_images},
                 {"fields", print_fields},
                 {"field-keys", print_field_keys},
                 {"operations", print_operations},
                 {"cpp-operations", print_cpp_operations},
                 {"lint-rules", print_lint_rules},
                 {"lint-sets", print_lint_sets},
                 {"facts", print_facts}};
    for (size_t i = 0; argc == 2 && i < COUNT_OF(parts); i++) {
        if (strcmp(parts[i].name, argv[1]) == 0) {
            parts[i].print();
            return 0;
        }
    }
    if (argc >= 2 && strcmp(argv[1], "mods") == 0)
        return print_mods(argc - 2, argv + 2), 0;
    if (argc >= 2 && strcmp(argv[1], "mod-table") == 0)
        return print_mod_table(argc - 2, argv + 2), 0;
    fprintf(stderr, "usage: print_tables PART, or print_tables mods|mod-table FILE...\n");
    return 2;
}

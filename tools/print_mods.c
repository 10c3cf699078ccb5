/* SPDX-License-Identifier: Zlib */
/*
 * Prints files of mods as rows of the table in C, and as a table of the documents. They are read by the function that
 * reads files of users, so that both say the same.
 */
#include "print_mods.h"

#include <teemap/lint.h>
#include <teemap/map.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words for constants that print_tables.c need not know by number. */
static const char *const categories[] = {
#define ID(id, name) #id,
    TM_TILE_CATEGORIES(ID)
#undef ID
};
static const char *const numbers[] = {"NONE", "TELE", "CHECKPOINT", "SWITCH", "ZONE"};
static const char *const kinds[] = {"TILES", "GAME", "TELE", "SPEEDUP", "FRONT", "SWITCH", "TUNE"};
static const char *const rules[] = {"ALL", "NOTES", "TILES", "NONE"};
static const char *const severities[] = {"", "NOTE", "WARNING", "ERROR"};

static tm_mod *read_mod_file(const char *path)
{
    static char text[1 << 18];
    tm_error error = {.offset = -1};
    tm_mod *mod;
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(text, 1, sizeof(text), file) : 0;
    if (file)
        fclose(file);
    if (!file || tm_mod_read(&mod, text, size, NULL, &error)) {
        fprintf(stderr, "%s: %s\n", path, file ? error.text : "cannot be read");
        exit(1);
    }
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = strlen(mod->name);
    if (strncmp(name, mod->name, length) != 0 || strcmp(name + length, ".toml") != 0) {
        fprintf(stderr, "%s: the mod is called %s\n", path, mod->name);
        exit(1);
    }
    return mod;
}

static void print_text(const char *text)
{
    if (!text) {
        printf("NULL");
        return;
    }
    putchar('"');
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if ((unsigned char)*text >= 0x80)
            printf("\\%03o", (unsigned)(unsigned char)*text);
        else
            putchar(*text);
    putchar('"');
}

static void print_texts(const char *field, const char *const *list, uint32_t num)
{
    if (!num)
        return;
    printf("     .%s = (const char *const[]){", field);
    for (uint32_t i = 0; i < num; i++) {
        printf(i ? ", " : "");
        print_text(list[i]);
    }
    printf("},\n     .num_%s = %u,\n", field, (unsigned)num);
}

static void print_ranges(const char *before, const char *field, const tm_mod_range *list, uint32_t num)
{
    if (!num)
        return;
    printf("%s.%s = (const tm_mod_range[]){", before, field);
    for (uint32_t i = 0; i < num; i++)
        printf("%s{%u, %u}", i ? ", " : "", list[i].first, list[i].last);
    printf("}, .num_%s = %u,\n", field, (unsigned)num);
}

static void print_layers(const bool layers[TM_LAYER_KINDS])
{
    printf(".layers = {");
    const char *before = "";
    for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++)
        if (layers[kind]) {
            printf("%s[TM_LAYER_%s] = true", before, kinds[kind]);
            before = ", ";
        }
    printf("}");
}

static void print_tiles_of(const tm_mod *mod)
{
    if (!mod->num_tiles)
        return;
    printf("     .tiles = (const tm_tile_info[]){\n");
    for (uint32_t i = 0; i < mod->num_tiles; i++) {
        const tm_tile_info *tile = &mod->tiles[i];
        printf("         {.index = %u, .id = \"%s\", .title = ", tile->index, tile->id);
        print_text(tile->title);
        printf(", .category = TM_CATEGORY_%s, .number = TM_NUMBER_%s, ", categories[tile->category],
               numbers[tile->number]);
        print_layers(tile->layers);
        printf(", .games = {true, true, true}, .first_version = \"\"},\n");
    }
    printf("     },\n     .num_tiles = %u,\n", (unsigned)mod->num_tiles);
}

static void print_settings_of(const tm_mod *mod)
{
    if (!mod->num_settings)
        return;
    printf("     .settings = (const tm_setting_info[]){\n");
    for (uint32_t i = 0; i < mod->num_settings; i++) {
        const tm_setting_info *row = &mod->settings[i];
        printf("         {.name = \"%s\", .arguments = ", row->name);
        print_text(row->arguments);
        printf(", .min = %s%d, .max = %d, .has_initial = %s, .initial = %d, .repeats = %s, .help = ",
               row->min == INT32_MIN ? "-1 + " : "", row->min == INT32_MIN ? -INT32_MAX : row->min, row->max,
               row->has_initial ? "true" : "false", row->initial, row->repeats ? "true" : "false");
        print_text(row->help);
        printf("},\n");
    }
    printf("     },\n     .num_settings = %u,\n", (unsigned)mod->num_settings);
}

static void print_marks_of(const tm_mod *mod)
{
    print_texts("groups", mod->groups, mod->num_groups);
    print_texts("lines", mod->lines, mod->num_lines);
    print_texts("commands", mod->commands, mod->num_commands);
    print_texts("images", mod->images, mod->num_images);
    if (!mod->num_marks)
        return;
    printf("     .marks = (const tm_mod_mark[]){\n");
    for (uint32_t i = 0; i < mod->num_marks; i++) {
        const tm_mod_mark *mark = &mod->marks[i];
        printf("         {");
        print_layers(mark->layers);
        printf(", .kinds = %u, .least = %u, .no_race = %s,\n", (unsigned)mark->kinds, (unsigned)mark->least,
               mark->no_race ? "true" : "false");
        if (mark->reason) {
            printf("          .reason = ");
            print_text(mark->reason);
            printf(",\n");
        }
        print_ranges("          ", "tiles", mark->tiles, mark->num_tiles);
        print_ranges("          ", "required", mark->required, mark->num_required);
        print_ranges("          ", "excluded", mark->excluded, mark->num_excluded);
        print_ranges("          ", "fewer", mark->fewer, mark->num_fewer);
        printf("         },\n");
    }
    printf("     },\n     .num_marks = %u,\n", (unsigned)mod->num_marks);
}

void print_mods(int num, char **paths)
{
    for (int i = 0; i < num; i++) {
        tm_mod *mod = read_mod_file(paths[i]);
        printf("    {.name = \"%s\",\n", mod->name);
        print_texts("aliases", mod->aliases, mod->num_aliases);
        printf("     .title = ");
        print_text(mod->title);
        printf(",\n     .description = ");
        print_text(mod->description);
        printf(",\n     .source = ");
        print_text(mod->source);
        printf(",\n     .base = %d,\n", (int)mod->base);
        print_tiles_of(mod);
        print_settings_of(mod);
        if (mod->sheet)
            printf("     .sheet = \"%s\",\n", mod->sheet);
        if (mod->masked)
            printf("     .masked = true,\n");
        print_ranges("     ", "shown", mod->shown, mod->num_shown);
        print_ranges("     ", "hidden", mod->hidden, mod->num_hidden);
        print_marks_of(mod);
        print_texts("ignored", mod->ignored, mod->num_ignored);
        if (mod->num_severities) {
            printf("     .severities = (const tm_mod_severity[]){");
            for (uint32_t k = 0; k < mod->num_severities; k++) {
                printf(k ? ", {" : "{");
                print_text(mod->severities[k].rules);
                printf(", TM_SEVERITY_%s}", severities[mod->severities[k].severity]);
            }
            printf("},\n     .num_severities = %u,\n", (unsigned)mod->num_severities);
        }
        printf("     .rules = TM_MOD_RULES_%s},\n", rules[mod->rules]);
        tm_mod_free(mod);
    }
}

/* ------------------------------------------------------------------------------------------- documents */

static void print_words(const char *before, const char *const *list, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++)
        printf("%s`%s`", i ? ", " : before, list[i]);
}

static void print_indices(const char *before, const tm_mod_range *list, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++) {
        printf("%s%u", i ? ", " : before, list[i].first);
        if (list[i].last > list[i].first)
            printf(list[i].last == list[i].first + 1 ? ", %u" : " to %u", list[i].last);
    }
}

static void print_mark_words(const tm_mod_mark *mark, const char *before)
{
    printf("%s", before);
    if (mark->kinds > 1)
        printf("%u of ", (unsigned)mark->kinds);
    else if (mark->least > 1)
        printf("%u or more ", (unsigned)mark->least);
    print_indices("tiles ", mark->tiles, mark->num_tiles);
    print_indices(" with ", mark->required, mark->num_required);
    print_indices(" without ", mark->excluded, mark->num_excluded);
    print_indices(", and fewer ", mark->fewer, mark->num_fewer);
    printf(mark->no_race ? ", and no layers of teleporters or speedups" : "");
}

void print_mod_table(int num, char **paths)
{
    printf("| name | mod | recognized by | rules | sheet |\n|---|---|---|---|---|\n");
    for (int i = 0; i < num; i++) {
        tm_mod *mod = read_mod_file(paths[i]);
        const char *before = "";
        printf("| `%s` | %s | ", mod->name, mod->title);
        const struct {
            const char *word;
            const char *const *list;
            uint32_t num;
        } names[] = {{"groups ", mod->groups, mod->num_groups},
                     {"settings ", mod->commands, mod->num_commands},
                     {"settings that begin with ", mod->lines, mod->num_lines},
                     {"external images ", mod->images, mod->num_images}};
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
            if (!names[k].num)
                continue;
            printf("%s", before);
            print_words(names[k].word, names[k].list, names[k].num);
            before = "; ";
        }
        for (uint32_t k = 0; k < mod->num_marks; k++) {
            print_mark_words(&mod->marks[k], before);
            before = "; ";
        }
        printf("%s | `%s` | %s%s%s |\n", *before ? "" : "its name only", tm_mod_rules_name(mod->rules),
               mod->sheet ? "`" : "", mod->sheet ? mod->sheet : "the game's", mod->sheet ? "`" : "");
        tm_mod_free(mod);
    }
}

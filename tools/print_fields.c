/* SPDX-License-Identifier: Zlib */
/*
 * print_fields.c - the table of fields as tables of docs/fields.md, and as lines for the test that holds the schemas of
 * docs/schema/ against it: owner, name, type, and whether JSON shows it.
 */
#include "print_fields.h"

#include "../src/map/map.h"

#include <teemap/fields.h>

#include <stdio.h>
#include <string.h>

static const char *const type_names[] = {
    "number",    "true or false", "one of", "some of", "fixed point", "color", "point", "number or none",
    "reference", "text",          "name",   "texts",   "count",       "data",  "list"};

static void print_choices(const tm_field *field)
{
    const char *before = " ";
    for (int64_t k = field->min; field->choice && k <= field->max; k++) {
        if (field->choice(k))
            printf("%s`%s`", before, field->choice(k));
        before = field->choice(k) ? ", " : before;
    }
}

static void print_type(const tm_field *field)
{
    fputs(type_names[field->type], stdout);
    print_choices(field);
    if (field->type == TM_TYPE_REFERENCE)
        printf(" to %s %s or none", strchr("aeiou", *tm_kind_name(field->refers)) ? "an" : "a",
               tm_kind_name(field->refers));
    if (field->num_values > 1)
        printf(", %u of them", (unsigned)field->num_values);
    if (field->unit)
        printf(", %s", field->unit);
}

static void print_bound(const tm_field *field, int64_t number)
{
    char text[40];
    tm_field plain = *field;
    const tm_value value = {.type = TM_TYPE_INT, .as.number = number};
    plain.type = field->type == TM_TYPE_FIXED ? TM_TYPE_FIXED : TM_TYPE_INT;
    tm_value_format(text, sizeof(text), &plain, &value, NULL);
    fputs(text, stdout);
}

static void print_range(const tm_field *field)
{
    if (!field->ranged || field->choice)
        return;
    print_bound(field, field->min);
    if (field->min != field->max) {
        fputs(" to ", stdout);
        print_bound(field, field->max);
    }
}

static void print_games(const tm_field *field)
{
    const char *before = "";
    if (!field->lacks)
        fputs("all", stdout);
    for (tm_game game = 0; field->lacks && game < TM_GAME_COUNT; game++) {
        if (!tmi_field_in_game(field, game))
            continue;
        printf("%s%s", before, tm_game_name(game));
        before = ", ";
    }
}

static void print_initial(const tm_field *field)
{
    char text[100];
    const tm_value value = tm_field_initial(field);
    if (field->setter && field->type != TM_TYPE_TEXT && field->type != TM_TYPE_NAME)
        return;
    tm_value_format(text, sizeof(text), field, &value, NULL);
    printf("`%s`", text);
}

static void print_row(const tm_field *field)
{
    printf("| `%s` | ", field->name);
    print_type(field);
    fputs(" | ", stdout);
    print_range(field);
    fputs(" | ", stdout);
    print_initial(field);
    fputs(" | ", stdout);
    print_games(field);
    printf(" | %s | %s |\n", field->setter ? field->setter : "", field->help);
}

void print_fields(void)
{
    for (tm_kind owner = 0; owner < TM_KINDS; owner++) {
        size_t num;
        const tm_field *fields = tm_fields(&num, owner);
        if (num)
            printf(
                "\n## %s\n\n| field | value | accepted | new | games | function | |\n|---|---|---|---|---|---|---|\n",
                tm_kind_name(owner));
        for (size_t i = 0; i < num; i++)
            print_row(&fields[i]);
    }
}

void print_field_keys(void)
{
    for (tm_kind owner = 0; owner < TM_KINDS; owner++) {
        size_t num;
        const tm_field *fields = tm_fields(&num, owner);
        for (size_t i = 0; i < num; i++)
            printf("%s\t%s\t%s\t%d\t%d\n", tm_kind_name(owner), fields[i].name, type_names[fields[i].type],
                   !(fields[i].flags & TM_FIELD_HIDDEN) && fields[i].type != TM_TYPE_LIST,
                   (fields[i].flags & TM_FIELD_ALIAS) != 0);
    }
}

/* SPDX-License-Identifier: Zlib */
/*
 * info_facts.c - a map as one flat row (teemap/facts.h): a JSON object in a line, or a line of CSV.
 */
#include "info_facts.h"

#include "output/json.h"

#include <string.h>

/* As RFC 4180 wants it; elements of a list stand with ; between. */
static void put_quoted_cell(text *out, const char *bytes)
{
    for (; *bytes; bytes++)
        text_put(out, *bytes == '"' ? "\"\"" : bytes, *bytes == '"' ? 2 : 1);
}

static void put_cell(text *out, const tm_fact *fact)
{
    const bool quoted =
        fact->type == TM_FACT_LIST || (fact->text && fact->text[strcspn(fact->text, ",\"\r\n")]);
    if (!fact->known)
        return;
    if (fact->type == TM_FACT_NUMBER)
        text_number(out, fact->number, 0);
    text_string(out, quoted ? "\"" : "");
    if (fact->type == TM_FACT_TEXT)
        put_quoted_cell(out, fact->text);
    for (uint32_t i = 0; i < fact->num; i++) {
        text_string(out, i ? ";" : "");
        put_quoted_cell(out, fact->list[i]);
    }
    text_string(out, quoted ? "\"" : "");
}

void put_facts_head(text *out)
{
    const tm_fact_column *column;
    for (uint32_t i = 0; (column = tm_facts_column(i)); i++)
        text_print(out, "%s%s", i ? "," : "", column->name);
    text_string(out, "\n");
}

void put_facts_csv(text *out, const tm_facts *facts)
{
    for (uint32_t i = 0; tm_facts_column(i); i++) {
        const tm_fact fact = tm_facts_get(facts, i);
        text_string(out, i ? "," : "");
        put_cell(out, &fact);
    }
    text_string(out, "\n");
}

void put_facts_json(text *out, const tm_facts *facts)
{
    const tm_fact_column *column;
    json_t *object = json_make();
    for (uint32_t i = 0; (column = tm_facts_column(i)); i++) {
        const tm_fact fact = tm_facts_get(facts, i);
        if (!fact.known)
            json_add(object, column->name, json_null());
        else if (fact.type == TM_FACT_NUMBER)
            json_add_int(object, column->name, fact.number);
        else if (fact.type == TM_FACT_TEXT)
            json_add_text(object, column->name, fact.text);
        else
            json_add_texts(object, column->name, fact.list, fact.num);
    }
    text_json_line(out, object);
}

int64_t facts_number(const tm_facts *facts, const char *name)
{
    const tm_fact_column *column;
    for (uint32_t i = 0; (column = tm_facts_column(i)); i++)
        if (strcmp(column->name, name) == 0)
            return tm_facts_get(facts, i).number;
    return 0;
}

/* SPDX-License-Identifier: Zlib */
/* man.c - manual pages, filled from commands and documents; all that roff wants stands in manual.roff. */
#include "help.h"

#include "command_json.h"
#include "output/form.h"

/* manual.roff; ends with a NUL */
extern const unsigned char manual_page[];

/*
 * Roff reads a backslash as an escape, a dot or quote at the start of a line as a request, and may turn -
 * into another dash.
 */
static void put_roff(text *out, const char *string)
{
    bool start = true;
    for (; *string; string++) {
        if (start && (*string == '.' || *string == '\''))
            text_string(out, "\\&");
        text_string(out, *string == '\\' ? "\\e" : *string == '-' ? "\\-" : (char[2]){*string, '\0'});
        start = *string == '\n';
    }
}

/* Fills the page with values, which it takes over. */
static void put_man_page(text *out, json_t *values, const char *name, int section, const char *summary)
{
    char page[40], upper[40];
    snprintf(page, sizeof(page), "teemap%s%s", *name ? "-" : "", name);
    for (size_t i = 0; i <= strlen(page); i++)
        upper[i] = page[i] >= 'a' && page[i] <= 'z' ? (char)(page[i] - 'a' + 'A') : page[i];
    json_add_all(values, JSON_TEXT("page", page), JSON_TEXT("title", upper), JSON_INT("section", section),
                 JSON_TEXT("about", summary), JSON_TEXT("version", tm_version()));
    form_put(out, (const char *)manual_page, values, put_roff);
    json_free(values);
}

void put_man(text *out, const command *of)
{
    if (of) {
        put_man_page(out, json_command(of), of->name, 1, of->summary);
        return;
    }
    json_t *all = json_all_commands();
    json_add_statuses(all, NULL);
    json_add_bool(all, "main", true);
    json_add_bool(all, "searches_images", true);
    put_man_page(out, all, "", 1, "read, show, check and write maps of Teeworlds and DDNet");
}

void put_man_document(text *out, const document *of)
{
    const char *rest = (const char *)of->markdown;
    text title = {0}, body = {0};
    json_t *values = json_make(), *sections = json_add_array(values, "sections");
    while (document_next_section(&rest, &title, &body))
        json_append(sections,
                    json_object(JSON_TEXT("heading", sections->num ? text_words(&title) : "DESCRIPTION"),
                                JSON_VALUE("paragraphs", json_paragraphs(body.bytes))));
    put_man_page(out, values, of->name, 7, of->summary);
    text_release(&title);
    text_release(&body);
}

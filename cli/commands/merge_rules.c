/* SPDX-License-Identifier: Zlib */
/*
 * merge_rules.c - see merge_rules.h.
 */
#include "merge_rules.h"

#include <string.h>

/* Rules without words first, so that those with words count. */
static void add_rules(merge_rules *to, const word_list *list, tm_resolution take, bool words)
{
    for (size_t i = 0; i < list->num; i++)
        if ((*list->words[i] != 0) == words)
            to->list[to->num++] = (tm_merge_rule){words ? list->words[i] : NULL, take};
}

void merge_rules_make(merge_rules *out, const merge_words *of)
{
    out->num = 0;
    for (int words = 0; words < 2; words++) {
        add_rules(out, &of->ours, TM_RESOLUTION_OURS, words);
        add_rules(out, &of->theirs, TM_RESOLUTION_THEIRS, words);
        add_rules(out, &of->both, TM_RESOLUTION_BOTH, words);
    }
}

/* Whether a part of a list with commas is one of another list; "" stands for all. */
static bool lists_word(const char *list, const char *word, size_t size)
{
    for (;; list++) {
        const size_t length = strcspn(list, ",");
        if (length == size && strncmp(list, word, size) == 0)
            return true;
        list += length;
        if (!*list)
            return false;
    }
}

/* The first word that is in both, with its length; NULL: none. */
static const char *common_word(const word_list *a, const word_list *b, size_t *size)
{
    for (size_t i = 0; i < a->num; i++)
        for (const char *word = a->words[i];; word++) {
            *size = strcspn(word, ",");
            for (size_t k = 0; k < b->num; k++)
                if (!*a->words[i] == !*b->words[k] && lists_word(b->words[k], word, *size))
                    return word;
            word += *size;
            if (!*word)
                break;
        }
    return NULL;
}

bool merge_rules_agree(cli_tool *tool, const merge_words *of)
{
    const struct {
        const char *name;
        const word_list *list;
    } rows[] = {{"--ours", &of->ours}, {"--theirs", &of->theirs}, {"--union", &of->both}};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = i + 1; k < 3; k++) {
            size_t size;
            const char *word = common_word(rows[i].list, rows[k].list, &size);
            text reason = {0};
            if (!word)
                continue;
            text_print(&reason, "%s and %s exclude each other", rows[i].name, rows[k].name);
            if (*word)
                text_print(&reason, " for '%.*s'", (int)size, word);
            else
                text_print(&reason, "; with words one is about some conflicts only: %s=settings",
                           rows[i].name);
            text_put(&reason, "", 1);
            tool_trouble(tool, tool->command->name, reason.bytes);
            text_release(&reason);
            return false;
        }
    return true;
}

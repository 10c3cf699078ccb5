/* SPDX-License-Identifier: Zlib */
/*
 * merge_inputs.c - loads the versions of a merge, and makes rules of --ours, --theirs and --union.
 */
#include "merge_inputs.h"

void merge_version_release(merge_version *of)
{
    loaded_release(&of->file);
    tm_buffer_release(&of->bytes);
    free(of->name);
    of->name = NULL;
}

char *merge_version_name(const char *name, tm_merge_map version)
{
    static const char *const words[] = {" (base)", "", " (theirs)"};
    return must_print("%s%s", name, words[version]);
}

static void fail_version(merge_version *of, tm_status status, const char *reason)
{
    of->file.status = status;
    fail(&of->file.error, status, "%s", reason);
}

/* A map with nothing in it. */
static void take_empty_map(merge_version *of)
{
    loaded_release(&of->file);
    of->missing = true;
    tm_findings_init(&of->file.findings, 0, NULL);
    of->file.status = tm_map_new(&of->file.map, NULL, &of->file.error);
}

void merge_version_load(merge_version *of, tm_mode mode, bool may_be_empty)
{
    load_map(&of->file, of->path, mode, false);
    if (may_be_empty && of->file.status && of->file.opened && of->file.file_size == 0)
        take_empty_map(of);
}

/* Reads a file from a stage of git's index: 1 base, 2 ours, 3 theirs. False: git does not have it. */
static bool ask_stage(merge_version *of, int stage, tm_error *error)
{
    char *folder = files_copy_folder(of->path), *object = must_print(":%d:./%s", stage, path_base(of->path));
    const bool read = git_object_read(&of->bytes, folder, object, error);
    free(object);
    free(folder);
    return read;
}

void merge_version_from_git(merge_version *of, tm_merge_map version, tm_mode mode)
{
    static const char *const missing[] = {
        NULL, "git's index has no conflict in it, or your side removed the map",
        "git's index has no conflict in it, or the other side removed the map"};
    tm_error error;
    if (ask_stage(of, (int)version + 1, &error)) {
        tm_input input = tm_input_from_memory(of->bytes.bytes, of->bytes.size);
        input.name = of->name;
        load_map_from(&of->file, input, mode, false);
    } else if (error.code) {
        fail_version(of, error.code, error.text);
    } else if (version == TM_MERGE_BASE) {
        take_empty_map(of);
    } else {
        fail_version(of, TM_ERROR_NOT_FOUND, missing[version]);
    }
}

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
            tool_usage(tool, text_words(&reason));
            text_release(&reason);
            return false;
        }
    return true;
}

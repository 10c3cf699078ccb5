/* SPDX-License-Identifier: Zlib */
/*
 * merge_inputs.c - loads the versions of a merge, and makes rules of --ours, --theirs and --union.
 */
#include "merge_inputs.h"

void merge_version_release(merge_version *version)
{
    loaded_release(&version->file);
    tm_buffer_release(&version->bytes);
    free(version->name);
    version->name = NULL;
}

char *merge_version_name(const char *name, tm_merge_map role)
{
    static const char *const words[] = {" (base)", "", " (theirs)"};
    return must_print("%s%s", name, words[role]);
}

static void fail_version(merge_version *version, tm_status status, const char *reason)
{
    version->file.status = status;
    fail(&version->file.error, status, "%s", reason);
}

/* A map with nothing in it. */
static void set_empty_map(merge_version *version)
{
    loaded_release(&version->file);
    version->missing = true;
    tm_findings_init(&version->file.findings, 0, NULL);
    version->file.status = tm_map_new(&version->file.map, NULL, &version->file.error);
}

void merge_version_load(merge_version *version, tm_mode mode, bool may_be_empty)
{
    load_map(&version->file, version->path, mode);
    if (may_be_empty && version->file.status && version->file.opened && version->file.file_size == 0)
        set_empty_map(version);
}

/* Reads a file from a stage of git's index: 1 base, 2 ours, 3 theirs. False: git does not have it. */
static bool ask_stage(merge_version *version, int stage, tm_error *error)
{
    char *folder = files_copy_folder(version->path),
         *object = must_print(":%d:./%s", stage, path_base(version->path));
    const bool read = git_object_read(&version->bytes, folder, object, error);
    free(object);
    free(folder);
    return read;
}

void merge_version_from_git(merge_version *version, tm_merge_map role, tm_mode mode)
{
    static const char *const missing[] = {
        NULL, "git's index has no conflict in it, or your side removed the map",
        "git's index has no conflict in it, or the other side removed the map"};
    tm_error error;
    if (ask_stage(version, (int)role + 1, &error)) {
        tm_input input = tm_input_from_memory(version->bytes.bytes, version->bytes.size);
        input.name = version->name;
        load_map_from(&version->file, input, mode);
    } else if (error.code) {
        fail_version(version, error.code, error.text);
    } else if (role == TM_MERGE_BASE) {
        set_empty_map(version);
    } else {
        fail_version(version, TM_ERROR_NOT_FOUND, missing[role]);
    }
}

/* Rules without words first, so that those with words count. */
static void add_rules(merge_rules *rules, const word_list *list, tm_resolution take, bool words)
{
    for (size_t i = 0; i < list->num; i++)
        if ((*list->words[i] != 0) == words)
            rules->list[rules->num++] = (tm_merge_rule){words ? list->words[i] : NULL, take};
}

void merge_rules_make(merge_rules *out, const merge_words *lists)
{
    out->num = 0;
    for (int words = 0; words < 2; words++) {
        add_rules(out, &lists->ours, TM_RESOLUTION_OURS, words);
        add_rules(out, &lists->theirs, TM_RESOLUTION_THEIRS, words);
        add_rules(out, &lists->united, TM_RESOLUTION_BOTH, words);
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

bool merge_rules_agree(cli_tool *tool, const merge_words *lists)
{
    const struct {
        const char *name;
        const word_list *list;
    } rows[] = {{"--ours", &lists->ours}, {"--theirs", &lists->theirs}, {"--union", &lists->united}};
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

/* SPDX-License-Identifier: Zlib */
/* main.c - finds the command that is meant and runs it. */
#include "options/help.h"
#include "run/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What other programs call it, and no near name would find. */
static const char *other_word(const char *name)
{
    static const char *const words[][2] = {
        {"compress", "optimize"}, {"create", "new"},        {"draw", "render"}, {"dump", "cat"},
        {"export", "extract"},    {"import", "embed"},      {"list", "ls"},     {"preview", "thumbnail"},
        {"repair", "fix"},        {"screenshot", "render"}, {"search", "find"}, {"show", "info"},
        {"tree", "ls"},           {"validate", "check"},    {"view", "render"}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i][0], name) == 0)
            return words[i][1];
    return NULL;
}

static void put_no_command(text *err, const char *name)
{
    const size_t length = strlen(name);
    const bool is_map = length > 4 && strcmp(name + length - 4, ".map") == 0;
    text_string(err, is_map ? "teemap: a command comes before the map: teemap info "
                            : "teemap: there is no command ");
    if (is_map)
        text_shell_path(err, name);
    else
        text_quoted(err, name);
}

static int unknown_command(const char *name)
{
    const char *names[64];
    size_t num = 0;
    for (size_t i = 0; commands[i] && num < 63; i++)
        names[num++] = commands[i]->name;
    names[num] = NULL;
    text err = {0};
    put_no_command(&err, name);
    put_guess(&err, other_word(name) ? other_word(name) : name, names, "");
    text_string(&err, " ('teemap help' lists them)\n");
    fwrite(err.bytes, 1, err.size, stderr);
    text_release(&err);
    return STATUS_TROUBLE;
}

static int run(cli_tool *tool, int num, char **words)
{
    void *options = must_alloc(1, tool->command->options_size);
    int status = STATUS_TROUBLE;
    tool->options = tool->common = options;
    tool->operands = words;
    tool->num_operands = command_parse(tool->command, options, num, words);
    if (tool->num_operands >= 0) {
        tool_warn_of_folders(tool);
        if (tool->common->help)
            put_help(&tool->out, tool->command);
        else
            raise_status(&tool->status, tool->command->run(tool));
        status = tool_finish(tool);
    }
    free(options);
    return status;
}

/*
 * Maps that were dropped on the program in Windows: a picture of each in the folder of temporary files, which
 * the system shows.
 */
static int show_dropped(cli_tool *tool, int num, char **maps)
{
    const char *temp = getenv("TEMP");
    text folder = {0}, picture = {0};
    text_print(&folder, "%s\\teemap", temp ? temp : ".");
    text_put(&folder, "", 1);
    char target[] = "-t", size[] = "--size=1920x1080", *first[] = {target, folder.bytes, size};
    char **words = must_alloc((size_t)num + 3, sizeof(*words));
    memcpy(words, first, sizeof(first));
    memcpy(words + 3, maps, (size_t)num * sizeof(*maps));
    tool->command = command_find("thumbnail");
    int status = run(tool, num + 3, words), shown;
    for (int i = 0; i < num && status < STATUS_TROUBLE; i++) {
        const char *slash = strrchr(maps[i], '\\'), *name = slash ? slash + 1 : maps[i];
        const size_t length = strlen(name);
        tm_buffer said = {0};
        picture.size = 0;
        text_print(&picture, "%s\\%.*s.png", folder.bytes, (int)(length > 4 ? length - 4 : length), name);
        text_put(&picture, "", 1);
        (void)tm_sys_run(&shown, &said, (const char *const[]){"explorer", picture.bytes, NULL}, NULL);
        tm_buffer_release(&said);
    }
    text_release(&folder);
    text_release(&picture);
    free(words);
    return status;
}

/* What the program has said would be gone with its window. */
static int keep_window(int status)
{
    fputs("\nEnter closes this window.\n", stderr);
    (void)getchar();
    return status;
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

int main(int num, char **words)
{
    const bool clicked = tm_sys_prepare_program();
    cli_tool tool;
    tool_begin(&tool);
    tool.program = words[0];
    if (num < 2) {
        text err = {0};
        put_overview(&err);
        fwrite(err.bytes, 1, err.size, stderr);
        text_release(&err);
        return clicked ? keep_window(STATUS_TROUBLE) : STATUS_TROUBLE;
    }
    if (is_one_of(words[1], "--version", "-V") || is_one_of(words[1], "version", "-v")) {
        text_print(&tool.out, "teemap %s\n", tm_version());
        return tool_finish(&tool);
    }
    if (is_one_of(words[1], "--help", "-h")) {
        put_overview(&tool.out);
        return tool_finish(&tool);
    }
    tool.command = command_find(words[1]);
    if (!tool.command && clicked) {
        const int status = show_dropped(&tool, num - 1, words + 1);
        return status ? keep_window(status) : status;
    }
    return tool.command ? run(&tool, num - 2, words + 2) : unknown_command(words[1]);
}

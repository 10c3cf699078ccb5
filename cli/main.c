/* SPDX-License-Identifier: Zlib */
/* main.c - finds the command that is meant and runs it. */
#include "options/help.h"
#include "run/files.h"

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
    const bool is_map = strlen(name) > 4 && files_has_ending(name, ".map");
    text_string(err, is_map ? "teemap: a command comes before the map: teemap info "
                            : "teemap: there is no command ");
    if (is_map)
        text_shell_path(err, name);
    else
        text_quoted(err, name);
}

static int unknown_command(const char *name)
{
    tm_suggestion meant;
    text err = {0};
    put_no_command(&err, name);
    tm_suggestion_begin(&meant, other_word(name) ? other_word(name) : name);
    for (size_t i = 0; commands[i]; i++)
        tm_suggestion_try(&meant, commands[i]->name);
    put_meant(&err, &meant, "");
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
        else if (tool_find_mod(tool))
            raise_status(&tool->status, tool->command->run(tool));
        tm_mod_free(tool->common->mod_file);
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
    char target[] = "-t", size[] = "--size=1920x1080", *folder = must_print("%s\\teemap", temp ? temp : "."),
         *first[] = {target, folder, size};
    char **words = must_alloc((size_t)num + 3, sizeof(*words));
    memcpy(words, first, sizeof(first));
    memcpy(words + 3, maps, (size_t)num * sizeof(*maps));
    tool->command = command_find("thumbnail");
    int status = run(tool, num + 3, words), shown;
    for (int i = 0; i < num && status < STATUS_TROUBLE; i++) {
        const char *slash = strrchr(maps[i], '\\'), *name = slash ? slash + 1 : maps[i];
        char *stem = files_stem(name), *picture = must_print("%s\\%s.png", folder, stem);
        tm_buffer said = {0};
        (void)tm_sys_run(&shown, &said, (const char *const[]){"explorer", picture, NULL}, NULL);
        tm_buffer_release(&said);
        free(picture);
        free(stem);
    }
    free(folder);
    free(words);
    return status;
}

/* What the program has said would be gone with its window. */
static int wait_for_enter(int status)
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
        return clicked ? wait_for_enter(STATUS_TROUBLE) : STATUS_TROUBLE;
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
        return status ? wait_for_enter(status) : status;
    }
    return tool.command ? run(&tool, num - 2, words + 2) : unknown_command(words[1]);
}

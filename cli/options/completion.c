/* SPDX-License-Identifier: Zlib */
/*
 * completion.c - completion scripts for bash, zsh and fish, filled from the commands and the rows of their
 * options. All lists are written out; only for the addresses of a map they run teemap ls, and for the words
 * of operations teemap edit --operations --next. A map's names are never expanded by the shell.
 */
#include "help.h"

#include "command_json.h"
#include "output/form.h"

/* completion.bash and so on; each ends with a NUL */
extern const unsigned char completion_bash[], completion_zsh[], completion_fish[];

const option_choice shell_choices[] = {
    {"bash", SHELL_BASH, false}, {"zsh", SHELL_ZSH, false}, {"fish", SHELL_FISH, false}, {NULL, 0, false}};

/* Inside '...[...]' of _arguments. */
static void put_zsh_text(text *out, const char *string)
{
    for (; *string; string++) {
        if (strchr("[]:\\", *string))
            text_put(out, "\\", 1);
        text_string(out, *string == '\'' ? "'\\''" : (char[2]){*string, '\0'});
    }
}

static void put_fish_text(text *out, const char *string)
{
    for (; *string; string++) {
        if (*string == '\'' || *string == '\\')
            text_put(out, "\\", 1);
        text_put(out, string, 1);
    }
}

void put_completion(text *out, int number)
{
    static const struct {
        const unsigned char *script;
        form_escape *escape;
    } shells[] = {[SHELL_BASH] = {completion_bash, text_string},
                  [SHELL_ZSH] = {completion_zsh, put_zsh_text},
                  [SHELL_FISH] = {completion_fish, put_fish_text}};
    json_t *all = json_all_commands();
    form_put(out, (const char *)shells[number].script, all, shells[number].escape);
    json_free(all);
}

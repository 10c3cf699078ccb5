/* SPDX-License-Identifier: Zlib */
/*
 * Splits a line of server settings into commands and words, as the console of DDNet does: semicolons and #
 * count only outside of quotes, a backslash escapes only inside of them; a command is what stands before the
 * first gap, with its quotes; an argument that begins with a quote ends at the next one.
 */
#include "text.h"

static bool is_gap(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Where the command ends that begins at a text: at a semicolon, a # or the end of the line. */
static const char *command_end(const char *text)
{
    bool inside = false, escaped = false;
    for (; *text; text++) {
        if (escaped)
            escaped = false;
        else if (*text == '"')
            inside = !inside;
        else if (inside && *text == '\\')
            escaped = true;
        if (!inside && (*text == ';' || *text == '#'))
            break;
    }
    return text;
}

/* Reads the word at *text, before `end`; the first one, the command, keeps its quotes. */
static void read_command_word(char *word, const char **text, const char *end, bool is_first)
{
    const char *c = *text;
    const bool quoted = !is_first && *c == '"';
    size_t size = 0;
    for (c += quoted; c < end && (quoted ? *c != '"' : !is_gap(*c)); c++) {
        if (quoted && *c == '\\' && c + 1 < end && (c[1] == '\\' || c[1] == '"'))
            c++;
        if (size + 1 < TMI_COMMAND_WORD_SIZE)
            word[size++] = *c;
    }
    word[size] = '\0';
    *text = c + (quoted && c < end);
}

const char *tmi_command_begin(const char *line)
{
    return strncmp(line, "mc;", 3) == 0 ? line + 3 : line;
}

bool tmi_command_next(tmi_command *out, const char **text)
{
    const char *c = *text, *end;
    out->num = 0;
    while (is_gap(*c) || *c == ';')
        c++;
    for (end = command_end(c);; out->num++) {
        char other[TMI_COMMAND_WORD_SIZE];
        const bool kept = out->num < TMI_COMMAND_WORDS;
        while (c < end && is_gap(*c))
            c++;
        if (c == end)
            break;
        if (kept)
            out->begins[out->num] = c;
        read_command_word(kept ? out->words[out->num] : other, &c, end, !out->num);
    }
    *text = *end == ';' ? end + 1 : end + strlen(end);
    return out->num > 0;
}

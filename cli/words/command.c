/* SPDX-License-Identifier: Zlib */
/*
 * command.c - parses a command line by the table in commands.c: options anywhere, -abc for -a -b -c, -j4 and
 * -j 4, --name=value and --name value, everything behind -- is an operand, and so is a lone -. Knows no
 * single command.
 */
#include "command.h"

#include <stdio.h>
#include <string.h>

const command *command_find(const char *name)
{
    for (size_t i = 0; i < num_commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

const command_option *command_takes(const command *of, option_id id)
{
    static const command_option help = {OPTION_HELP, NULL};
    for (const command_option *row = of->options; row->id != OPTION_END; row++)
        if (row->id == id)
            return row;
    return id == OPTION_HELP ? &help : NULL;
}

const char *option_text(const command_option *row)
{
    return row->text ? row->text : option_rules[row->id].text;
}

/*
 * Letters to add, drop, replace or swap with a neighbour to get from a to b; names longer than this are far
 * away.
 */
#define LONGEST_NAME 24

static size_t distance(const char *a, const char *b)
{
    size_t rows[3][LONGEST_NAME + 1];
    size_t a_size = strlen(a), b_size = strlen(b);
    if (a_size > LONGEST_NAME || b_size > LONGEST_NAME)
        return LONGEST_NAME;
    for (size_t j = 0; j <= b_size; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_size; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *twice = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_size; j++) {
            size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && twice[j - 2] + 1 < best)
                best = twice[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[a_size % 3][b_size];
}

const char *nearest_name(const char *wrong, const char *const *names)
{
    const char *best = NULL;
    size_t length = strlen(wrong);
    size_t least = length / 2 < 3 ? length / 2 + 1 : 4; /* what is further away than this is another word */
    for (; *names; names++) {
        size_t far = length > 1 && strncmp(*names, wrong, length) == 0 ? 1 : distance(wrong, *names);
        if (far < least) {
            least = far;
            best = *names;
        }
    }
    return best;
}

static int complain(const command *of, const char *format, const char *what, const char *instead)
{
    fputs("teemap: ", stderr);
    fprintf(stderr, "%s: ", of->name);
    for (; *format; format++) {
        if (*format != '%') {
            fputc(*format, stderr);
            continue;
        }
        for (const char *c = what; c && *c; c++)
            fputc((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c, stderr);
    }
    if (instead)
        fprintf(stderr, "; did you mean '--%s'?", instead);
    fprintf(stderr, " ('teemap help %s' explains)\n", of->name);
    return -1;
}

static option_id find_long(const command *of, const char *name, size_t length)
{
    for (int id = OPTION_END + 1; id < OPTION_COUNT; id++) {
        const char *known = option_rules[id].name;
        if (strncmp(known, name, length) == 0 && known[length] == '\0' && command_takes(of, (option_id)id))
            return (option_id)id;
    }
    return OPTION_END;
}

static option_id find_letter(const command *of, char letter)
{
    for (int id = OPTION_END + 1; id < OPTION_COUNT; id++)
        if (option_rules[id].letter == letter && command_takes(of, (option_id)id))
            return (option_id)id;
    return OPTION_END;
}

static int unknown_long(const command *of, const char *word, const char *name)
{
    const char *names[OPTION_COUNT];
    size_t num = 0;
    for (int id = OPTION_END + 1; id < OPTION_COUNT; id++)
        if (command_takes(of, (option_id)id) && !option_rules[id].hidden)
            names[num++] = option_rules[id].name;
    names[num] = NULL;
    return complain(of, "there is no option '%'", word, nearest_name(name, names));
}

static int set_option(const command *of, cli_options *to, option_id id, const char *value)
{
    const option_rule *rule = &option_rules[id];
    if (rule->set(to, value))
        return 0;
    char format[160];
    snprintf(format, sizeof(format), "--%s: '%%' is not %s%s", rule->name,
             rule->expects ? "" : "one of: ", rule->expects ? rule->expects : rule->choices);
    return complain(of, format, value, NULL);
}

/* What is being parsed: the words from `next` on are still to come. */
typedef struct parser {
    const command *of;
    cli_options *to;
    int num, next;
    char **words;
} parser;

bool option_needs_value(const option_rule *rule)
{
    return rule->value && rule->value[0] != '[';
}

/* --name, --name=value, --name value */
static int parse_long(parser *p, const char *word)
{
    const char *name = word + 2;
    size_t length = strcspn(name, "=");
    option_id id = find_long(p->of, name, length);
    if (id == OPTION_END) {
        char wanted[LONGEST_NAME + 2];
        snprintf(wanted, sizeof(wanted), "%.*s", (int)(length < sizeof(wanted) ? length : sizeof(wanted) - 1),
                 name);
        return unknown_long(p->of, word, wanted);
    }
    if (name[length]) {
        return option_rules[id].value ? set_option(p->of, p->to, id, name + length + 1)
                                      : complain(p->of, "'%' takes no value", word, NULL);
    }
    if (!option_needs_value(&option_rules[id]))
        return set_option(p->of, p->to, id, NULL);
    if (p->next == p->num)
        return complain(p->of, "'%' needs a value", word, NULL);
    return set_option(p->of, p->to, id, p->words[p->next++]);
}

/* -a, -abc, -j4, -j 4 */
static int parse_letters(parser *p, const char *word)
{
    for (const char *letter = word + 1; *letter; letter++) {
        option_id id = find_letter(p->of, *letter);
        char shown[3] = {'-', *letter, '\0'};
        if (id == OPTION_END) {
            return complain(p->of, "there is no option '%'", (unsigned char)*letter < 0x80 ? shown : word,
                            NULL);
        }
        if (!option_needs_value(&option_rules[id])) {
            if (set_option(p->of, p->to, id, NULL))
                return -1;
            continue;
        }
        if (letter[1])
            return set_option(p->of, p->to, id, letter + 1);
        if (p->next == p->num)
            return complain(p->of, "'%' needs a value", shown, NULL);
        return set_option(p->of, p->to, id, p->words[p->next++]);
    }
    return 0;
}

static int check_operands(const command *of, const cli_options *to, int found)
{
    if (to->help)
        return found;
    if (found < of->min_operands) {
        char format[128];
        snprintf(format, sizeof(format), "%s%s",
                 found ? "something is missing; usage: teemap " : "usage: teemap ", "%");
        char usage[128];
        snprintf(usage, sizeof(usage), "%s %s", of->name, of->usages[0]);
        return complain(of, format, usage, NULL);
    }
    return found;
}

int command_parse(const command *of, cli_options *to, int num, char **words)
{
    parser p = {of, to, num, 0, words};
    int found = 0;
    bool only_operands = false;
    while (p.next < num) {
        char *word = words[p.next++];
        int status = 0;
        if (only_operands || word[0] != '-' || word[1] == '\0') {
            if (of->max_operands >= 0 && found == of->max_operands && !to->help)
                return complain(of, "'%' is one operand too many", word, NULL);
            words[found++] = word;
        } else if (strcmp(word, "--") == 0) {
            only_operands = true;
        } else {
            status = word[1] == '-' ? parse_long(&p, word) : parse_letters(&p, word);
        }
        if (status)
            return -1;
    }
    return check_operands(of, to, found);
}

/* SPDX-License-Identifier: Zlib */
/*
 * command.c - parses a command line by the rows of its command: options anywhere, -abc for -a -b -c, -j4 and
 * -j 4, --name=value and --name value, everything behind -- is an operand, and so is a lone -. Knows no
 * single command.
 */
#include "help.h"

#define LISTED(name) &name##_command,
const cli_command *const commands[] = {COMMANDS(LISTED) NULL};

static const option_row help_row = HELP_ROW;

const cli_command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

const option_row *command_option(const cli_command *command, size_t n)
{
    size_t i = 0;
    while (i < n && command->rows[i].type != OPTION_END)
        i++;
    if (command->rows[i].type != OPTION_END)
        return &command->rows[i];
    return i == n ? &help_row : NULL;
}

const option_row *command_find_option(const cli_command *command, const char *name)
{
    const option_row *row;
    for (size_t i = 0; (row = command_option(command, i)); i++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

operand_kind command_operand(const cli_command *command, size_t n)
{
    if (command->max_operands >= 0 && n >= (size_t)command->max_operands)
        return OPERAND_NONE;
    return n && command->operands[1] ? command->operands[1] : command->operands[0];
}

void put_guess(text *out, const char *wrong, const char *const *names, const char *dashes)
{
    tm_suggestion meant;
    tm_suggestion_begin(&meant, wrong);
    for (; *names; names++)
        tm_suggestion_try(&meant, *names);
    put_meant(out, &meant, dashes);
}

void put_meant(text *out, const tm_suggestion *meant, const char *dashes)
{
    if (meant->best)
        text_print(out, "; did you mean '%s%s'?", dashes, meant->best);
}

/* Says what is wrong and where to read more. Takes the text over; returns the exit status. */
static int complain(const cli_command *command, text *reason)
{
    text err = {0};
    text_print(&err, "teemap: %s: ", command->name);
    text_put(&err, reason->bytes, reason->size);
    text_print(&err, " ('teemap help %s' explains)\n", command->name);
    fwrite(err.bytes, 1, err.size, stderr);
    text_release(&err);
    text_release(reason);
    return -1;
}

static int complain_about(const cli_command *command, const char *word, const char *fault)
{
    text reason = {0};
    text_quoted(&reason, word);
    text_string(&reason, fault);
    return complain(command, &reason);
}

static int unknown_option(const cli_command *command, const char *word)
{
    char wanted[64];
    const option_row *row;
    tm_suggestion meant;
    text reason = {0};
    text_string(&reason, "there is no option ");
    text_quoted(&reason, word);
    snprintf(wanted, sizeof(wanted), "%.*s", (int)strcspn(word + 2, "="), word + 2);
    tm_suggestion_begin(&meant, wanted);
    for (size_t i = 0; word[1] == '-' && (row = command_option(command, i)); i++)
        tm_suggestion_try(&meant, row->name);
    put_meant(&reason, &meant, "--");
    return complain(command, &reason);
}

static int refuse_value(const cli_command *command, const option_row *row, const char *value)
{
    tm_suggestion meant;
    text reason = {0};
    text_print(&reason, "--%s: ", row->name);
    text_quoted(&reason, value);
    text_string(&reason, " is not ");
    option_put_allowed(&reason, row);
    tm_suggestion_begin(&meant, value);
    for (const option_choice *choice = row->choices; choice && choice->name; choice++)
        if (!choice->unlisted)
            tm_suggestion_try(&meant, choice->name);
    put_meant(&reason, &meant, "");
    return complain(command, &reason);
}

/* The command line being parsed; `next` is the first word that is not parsed yet. */
typedef struct parser {
    const cli_command *command;
    void *options;
    int num, next;
    char **words;
    char *last_operand; /* from the option that stands for it; NULL: it was not given */
} parser;

static int set_option(parser *p, const option_row *row, char *value)
{
    if (option_is_path(row))
        tm_sys_plain_path(value);
    if (row->is_operand && *value)
        p->last_operand = value;
    else if (row->is_operand)
        return refuse_value(p->command, row, value);
    else if (!option_parse(row, p->options, value))
        return refuse_value(p->command, row, value ? value : "");
    if (row->given)
        *(bool *)((char *)p->options + row->given) = true;
    return 0;
}

/* Sets an option from the next word; `word` is the option as typed, for the error that no word follows. */
static int set_from_next(parser *p, const option_row *row, const char *word)
{
    if (p->next == p->num)
        return complain_about(p->command, word, " needs a value");
    return set_option(p, row, p->words[p->next++]);
}

static const option_row *find_long(const cli_command *command, const char *name, size_t length)
{
    const option_row *row;
    for (size_t i = 0; (row = command_option(command, i)); i++)
        if (strncmp(row->name, name, length) == 0 && row->name[length] == '\0')
            return row;
    return NULL;
}

static const option_row *find_letter(const cli_command *command, char letter)
{
    const option_row *row;
    for (size_t i = 0; (row = command_option(command, i)); i++)
        if (row->letter == letter)
            return row;
    return NULL;
}

/* Parses --name, --name=value or --name value. */
static int parse_long(parser *p, char *word)
{
    char *name = word + 2;
    const size_t length = strcspn(name, "=");
    const option_row *row = find_long(p->command, name, length);
    if (!row)
        return unknown_option(p->command, word);
    if (name[length]) {
        return option_takes_value(row) ? set_option(p, row, name + length + 1)
                                       : complain_about(p->command, word, " takes no value");
    }
    return option_needs_value(row) ? set_from_next(p, row, word) : set_option(p, row, NULL);
}

/* Parses -a, -abc, -j4 or -j 4. */
static int parse_letters(parser *p, char *word)
{
    for (char *letter = word + 1; *letter; letter++) {
        const option_row *row = find_letter(p->command, *letter);
        const char shown[3] = {'-', *letter, '\0'};
        if (!row)
            return unknown_option(p->command, (unsigned char)*letter < 0x80 ? shown : word);
        if (option_needs_value(row))
            return letter[1] ? set_option(p, row, letter + 1) : set_from_next(p, row, shown);
        if (set_option(p, row, NULL))
            return -1;
    }
    return 0;
}

static int check_operands(const cli_command *command, const common_options *options, int found)
{
    if (options->help || found >= command->min_operands)
        return found;
    text reason = {0};
    json_t *help = json_command_help(command);
    text_print(&reason, "%susage: teemap %s %s", found ? "something is missing; " : "", command->name,
               json_text_of(tm_json_get(tm_json_get(help, "usages")->first, "line")));
    json_free(help);
    return complain(command, &reason);
}

static int set_presets(const parser *p)
{
    for (const option_row *row = p->command->rows; row->type != OPTION_END; row++)
        if (row->preset && !option_parse(row, p->options, row->preset))
            return refuse_value(p->command, row, row->preset); /* a fault of the row, which any test meets */
    return 0;
}

/* Whether an operand is a path; one that may also be something else is a path if that file exists. */
static bool is_path(operand_kind kind, const char *word)
{
    return kind == OPERAND_MAP || kind == OPERAND_FOLDER || tm_sys_kind_of(word) != TM_SYS_MISSING;
}

/* Whether a word is an option: a lone - is standard input, and -5,0 a number. */
static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0' && !(word[1] >= '0' && word[1] <= '9');
}

int command_parse(const cli_command *command, void *options, int num, char **words)
{
    parser p = {command, options, num, 0, words, NULL};
    const common_options *common = options;
    int found = 0;
    bool only_operands = false;
    int status = set_presets(&p);
    while (!status && p.next < num) {
        char *word = words[p.next++];
        if (only_operands || !is_option(word))
            if (command->max_operands >= 0 && found == command->max_operands && !common->help)
                status = complain_about(command, word, " is one operand too many");
            else
                words[found++] = word;
        else if (strcmp(word, "--") == 0)
            only_operands = true;
        else
            status = word[1] == '-' ? parse_long(&p, word) : parse_letters(&p, word);
    }
    if (!status && p.last_operand && found == command->max_operands && !common->help)
        status = complain_about(command, p.last_operand, " is one output too many");
    else if (p.last_operand)
        words[found++] = p.last_operand; /* there is room: its option was a word, too */
    for (int i = 0; i < found; i++)
        if (is_path(command_operand(command, (size_t)i), words[i]))
            tm_sys_plain_path(words[i]);
    return status ? -1 : check_operands(command, common, found);
}

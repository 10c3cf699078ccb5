/* SPDX-License-Identifier: Zlib */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H
/*
 * command.h - what a command is: its options, operands, help and function. Each cmd_*.c defines one, and
 * COMMANDS lists them. Dispatch, parsing, --help, manual pages and shell completions all read it, so none of
 * them can know something that the others do not.
 */
#include "shared_options.h"

struct cli_tool;

/* What an operand is; completion offers such words. */
typedef enum operand_kind {
    OPERAND_NONE = 0,
    OPERAND_MAP,
    OPERAND_ADDRESS,
    OPERAND_TOPIC,
    OPERAND_PATTERN, /* of tiles or objects, unless an option says so; then maps */
    OPERAND_STEP,    /* a map, or a word of an operation of teemap/edit.h */
    OPERAND_FOLDER
} operand_kind;

typedef struct cli_command {
    const char *name;
    const unsigned char *help;      /* cli/help/NAME.md, which ends with a NUL; json_command_help reads it */
    const option_row *rows;         /* ends with OPTION_END; --help needs no row */
    size_t options_size;            /* of the command's struct, which begins with common_options */
    int min_operands, max_operands; /* max -1: any number */
    operand_kind operands[2];       /* the last one that is not NONE repeats */
    const char *const *actions; /* words of which one stands first, then files; end with NULL, as the next */
    const char *const *endings; /* of the files that it takes, also from folders; NULL: ".map" alone */
    bool searches_images;       /* external ones */
    int (*run)(struct cli_tool *tool);
} cli_command;

/* Defines the command of cmd_NAME.c, whose rows are NAME_rows; other members stand last. */
#define COMMAND(word, options_type, least, most, ...)                         \
    const cli_command word##_command = {.name = #word,                        \
                                        .help = help_##word,                  \
                                        .rows = word##_rows,                  \
                                        .options_size = sizeof(options_type), \
                                        .min_operands = (least),              \
                                        .max_operands = (most),               \
                                        .run = cmd_##word,                    \
                                        __VA_ARGS__}

/* All commands, in the order of help. Each cmd_NAME.c defines a command and the function that runs it. */
/* clang-format off */
#define COMMANDS(X) \
    X(info) X(ls) X(cat) X(copy) X(edit) X(fix) X(optimize) X(convert) \
    X(automap) X(rules) X(diff) X(patch) X(merge) X(git) X(unpack) X(pack) \
    X(extract) X(embed) X(find) X(size) X(check) X(lint) X(new) X(render) \
    X(animate) X(thumbnail) X(tiles) X(gallery) X(doctor) X(help)
/* clang-format on */
#define DECLARED(name)                        \
    extern const cli_command name##_command;  \
    extern const unsigned char help_##name[]; \
    int cmd_##name(struct cli_tool *tool);
COMMANDS(DECLARED)
extern const cli_command *const commands[]; /* ends with NULL */

const cli_command *command_find(const char *name);
/*
 * Appends "; did you mean 'NAME'?" with the name in a list (ends with NULL) that is most like `wrong`, if one
 * is; `dashes` stand before it.
 */
void put_guess(text *out, const char *wrong, const char *const *names, const char *dashes);
/* As put_guess, with the best name that tm_suggestion_try has met. */
void put_meant(text *out, const tm_suggestion *meant, const char *dashes);
/* The n-th option of a command in the order of help; --help stands behind all others, then comes NULL. */
const option_row *command_option(const cli_command *command, size_t n);
/* The option of this name, NULL when the command has none. */
const option_row *command_find_option(const cli_command *command, const char *name);
/* What the n-th operand is, counted from 0. */
operand_kind command_operand(const cli_command *command, size_t n);

/*
 * Parses what stands behind the command's name into its struct, which the caller has zeroed. Operands are
 * moved to the front of `words`, in order; returns their number, or -1 after having said on standard error
 * what is wrong.
 */
int command_parse(const cli_command *command, void *options, int num, char **words);

#endif

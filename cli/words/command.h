/* SPDX-License-Identifier: Zlib */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H
/*
 * command.h - the one table of commands and options. Dispatch, parsing, --help, manual pages and shell
 * completions all read it, so none of them can know something that the others do not. A new command is one
 * row in commands.c and one cmd_*.c; a new option, one in options.c.
 */
#include <teemap/mapfile.h>
#include <teemap/render.h>

struct cli_tool;

typedef enum background_kind {
    BACKGROUND_COLOR = 0,
    BACKGROUND_TRANSPARENT,
    BACKGROUND_CHECKS
} background_kind;

#define MAX_MAPRES 16

/* What the options say. Zero is every option's default. */
typedef struct cli_options {
    bool json, recursive, quiet, verbose, hash, raw, in_place, dry_run, force, man, version, help;
    bool through_datafile;
    bool has_game;
    tm_game game;
    tm_mode mode;
    uint32_t threads;       /* 0: one for each processor */
    int level;              /* of --recompress; 0: not given */
    uint32_t width, height; /* of --size; 0: not given */
    const char *output, *folder, *field, *completion;
    const char *format; /* of pictures: one that --format knows; NULL: not given */
    bool compress;
    uint32_t quality; /* 1 to 100; 0: not given */
    /* render */
    bool flat, whole, no_detail, no_numbers, strict, has_view, has_region;
    double view[2], zoom, region[4]; /* tiles; zoom 0: not given */
    double scale;                    /* pixels a tile; 0: not given */
    double time;                     /* ms */
    double fps, duration;            /* 0: not given; ms */
    tm_missing_image missing;
    bool has_missing;
    tm_client look;
    background_kind background;
    uint8_t background_color[3];
    const char *layers, *entities; /* lists; NULL: not given; entities may be "" */
    const char *sheet;             /* of entities: "own" or a file; NULL: not given */
    const char *missing_list;      /* where the names of missing images go */
    uint64_t limit;                /* pixels; 0: not given */
    const char *mapres[MAX_MAPRES];
    size_t num_mapres;
} cli_options;

typedef enum option_id {
    OPTION_END = 0,
    OPTION_BACKGROUND,
    OPTION_COMPLETION,
    OPTION_COMPRESS,
    OPTION_DETAIL,
    OPTION_DRY_RUN,
    OPTION_DURATION,
    OPTION_ENTITIES,
    OPTION_FIELD,
    OPTION_FLAT,
    OPTION_FORCE,
    OPTION_FORMAT,
    OPTION_FPS,
    OPTION_GAME,
    OPTION_HASH,
    OPTION_HELP,
    OPTION_IN_PLACE,
    OPTION_JSON,
    OPTION_LAYERS,
    OPTION_LIMIT,
    OPTION_LOOK,
    OPTION_MAN,
    OPTION_MAPRES,
    OPTION_MISSING,
    OPTION_MISSING_LIST,
    OPTION_MODE,
    OPTION_NUMBERS,
    OPTION_OUTPUT,
    OPTION_QUALITY,
    OPTION_QUIET,
    OPTION_RAW,
    OPTION_RECOMPRESS,
    OPTION_RECURSIVE,
    OPTION_REGION,
    OPTION_SCALE,
    OPTION_SHEET,
    OPTION_SIZE,
    OPTION_STRICT,
    OPTION_FOLDER,
    OPTION_THREADS,
    OPTION_THROUGH,
    OPTION_TIME,
    OPTION_VERBOSE,
    OPTION_VERSION,
    OPTION_VIEW,
    OPTION_WHOLE,
    OPTION_ZOOM,
    OPTION_COUNT
} option_id;

typedef struct option_rule {
    char letter;       /* 0: none */
    const char *name;  /* without the dashes */
    const char *value; /* what its value is called; "[=NAME]": may be left out; NULL: it takes none */
    /* the values that it can have, with spaces between; "@file" or "@folder": a path; NULL: anything */
    const char *choices;
    const char *text;    /* for --help, unless a command says it better */
    const char *expects; /* what to say when `set` refuses a value; NULL: derived from `choices` */
    bool (*set)(cli_options *to, const char *value);
    bool hidden;
} option_rule;

typedef struct command_option {
    option_id id;
    const char *text; /* NULL: the rule's */
} command_option;

typedef struct example {
    const char *line; /* what to type after "teemap " */
    const char *text; /* what it does */
} example;

#define COMMAND_ROWS 40

typedef struct command {
    const char *name;
    const char *summary;   /* one line, lower case, no full stop */
    const char *usages[4]; /* what stands behind the name, one for each way to call it; ends with NULL */
    const char
        *text; /* paragraphs, an empty line between two of them; "term\tmeaning" is an item of a list */
    command_option options[COMMAND_ROWS]; /* ends with OPTION_END; --help needs no row */
    example examples[8];                  /* ends with NULL */
    int min_operands, max_operands;       /* max -1: any number */
    /* for completion, what each operand is: "map", "file", "command" or "none"; the last one repeats */
    const char *operands;
    int (*run)(struct cli_tool *tool);
} command;

/* The table. */
extern const command commands[];
extern const size_t num_commands;
extern const option_rule option_rules[OPTION_COUNT];

const command *command_find(const char *name);
/* The name in a list (ends with NULL) that is most like `wrong`; NULL when none is. */
const char *nearest_name(const char *wrong, const char *const *names);
/* The row of an option in a command, NULL if the command does not take it. Every command takes --help. */
const command_option *command_takes(const command *of, option_id id);
/* Whether a value must follow. */
bool option_needs_value(const option_rule *rule);
/* Text of an option for this command. */
const char *option_text(const command_option *row);

/*
 * Parses what stands behind the command's name. Operands are moved to the front of `words`, in order; returns
 * their number, or -1 after having said on standard error what is wrong.
 */
int command_parse(const command *of, cli_options *to, int num, char **words);

int cmd_animate(struct cli_tool *tool);
int cmd_cat(struct cli_tool *tool);
int cmd_check(struct cli_tool *tool);
int cmd_copy(struct cli_tool *tool);
int cmd_doctor(struct cli_tool *tool);
int cmd_help(struct cli_tool *tool);
int cmd_info(struct cli_tool *tool);
int cmd_ls(struct cli_tool *tool);
int cmd_new(struct cli_tool *tool);
int cmd_render(struct cli_tool *tool);
int cmd_thumbnail(struct cli_tool *tool);
int cmd_tiles(struct cli_tool *tool);

#endif

/* SPDX-License-Identifier: Zlib */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H
/*
 * option.h - what an option is: a row that says how it is typed, which type its value has, and where in the
 * command's own struct the value goes. The parser, error messages, --help, manual pages and completions are
 * driven by the rows; no option has code of its own.
 *
 *     typedef struct copy_options {
 *         common_options common;
 *         uint32_t level;
 *     } copy_options;
 *
 *     static const option_row copy_rows[] = {
 *         {'z', "recompress", "LEVEL", INTEGER_AT(copy_options, level, 1, 12), .text = "..."},
 *
 * A field holds zero until its option is given, or what the row's preset says. The ..._AT macros refuse, when
 * they are compiled, a field of another type than theirs.
 */
#include "output/text_buffer.h"

typedef enum option_type {
    OPTION_END = 0, /* after the last row */
    OPTION_FLAG,    /* bool: true when given; takes no value */
    OPTION_YES_NO,  /* bool */
    OPTION_INTEGER, /* uint32_t, from least to most; to be cast if least is negative */
    OPTION_NUMBER,  /* double, from least to most */
    OPTION_REGION,  /* double[4]: X,Y+WIDTHxHEIGHT; all are infinite for one of the choices */
    OPTION_SIZE,    /* size_value, each side from least to most */
    OPTION_CHOICE,  /* an enum, by the table of choices */
    OPTION_COLOR,   /* color_value: RRGGBB, or one of the choices */
    OPTION_COUNT,   /* uint64_t, which may end in k, M or G */
    OPTION_FILE,    /* const char *, not empty */
    OPTION_FOLDER,  /* the same */
    OPTION_TEXT,    /* the same; choices are what completion offers */
    OPTION_LAYERS,  /* the same: layers of the map, by their addresses and kinds */
    OPTION_FOLDERS, /* word_list; may be given several times */
    OPTION_WORDS,   /* the same, of any words */
    OPTION_TYPES
} option_type;

/* Under which heading help shows an option. */
typedef enum option_group {
    GROUP_OUTPUT = 0, /* where a row names none */
    GROUP_PART,
    GROUP_DRAWN,
    GROUP_IMAGES,
    GROUP_RUNNING,
    GROUP_COUNT
} option_group;

typedef struct size_value {
    uint32_t width, height; /* 0: not given */
} size_value;

typedef struct color_value {
    int word; /* of a choice; 0: a color */
    uint8_t rgb[3];
} color_value;

#define MAX_WORDS 64

typedef struct word_list {
    const char *words[MAX_WORDS];
    size_t num;
} word_list;

typedef struct option_choice {
    const char *name; /* NULL ends a table */
    int value;
    bool unlisted; /* another name for a value that is in the list */
} option_choice;

typedef struct option_row {
    char letter;       /* 0: none */
    const char *name;  /* without the dashes */
    const char *value; /* what help calls its value; NULL: it takes none */
    option_type type;
    size_t offset;      /* of the field in the command's struct */
    double least, most; /* both 0: any */
    const option_choice *choices;
    const char
        *list;    /* of whose words, with commas between, completion offers: rules, sets, mods, patterns */
    size_t given; /* offset of a bool that tells whether the option was given; 0: none */
    bool value_optional; /* --name alone means --name= */
    const char *noun;    /* a value in error messages: "a level"; NULL: by the type */
    const char *preset;  /* the value without the option, as it would be typed; NULL: zero */
    bool is_time;        /* of OPTION_NUMBER: milliseconds, or with an s behind it seconds */
    bool is_operand;     /* its value is the command's last operand, and goes into no field */
    option_group group;
    const char *text; /* for help, without the range and the preset */
} option_row;

/* A row that a macro stands for, with the last word of its group. */
#define ROW(letter, name, value, field_at, word, ...)                     \
    {                                                                     \
        letter, name, value, field_at, .group = GROUP_##word, __VA_ARGS__ \
    }
#define FIELD_OF(options_type, field, c_type) \
    (offsetof(options_type, field) + _Generic(((options_type *)0)->field, c_type : 0U))
#define FLAG_AT(options_type, field)   .type = OPTION_FLAG, .offset = FIELD_OF(options_type, field, bool)
#define YES_NO_AT(options_type, field) .type = OPTION_YES_NO, .offset = FIELD_OF(options_type, field, bool)
#define INTEGER_AT(options_type, field, from, to) \
    .type = OPTION_INTEGER, .offset = FIELD_OF(options_type, field, uint32_t), .least = (from), .most = (to)
#define NUMBER_AT(options_type, field, from, to) \
    .type = OPTION_NUMBER, .offset = FIELD_OF(options_type, field, double), .least = (from), .most = (to)
#define REGION_AT(options_type, field) \
    .type = OPTION_REGION, .offset = FIELD_OF(options_type, field, double *)
#define SIZE_AT(options_type, field, from, to) \
    .type = OPTION_SIZE, .offset = FIELD_OF(options_type, field, size_value), .least = (from), .most = (to)
#define CHOICE_AT(options_type, field, table)  \
    .type = OPTION_CHOICE, .choices = (table), \
    .offset = offsetof(options_type, field) + ENUM_SIZED(options_type, field)
#define COLOR_AT(options_type, field, table) \
    .type = OPTION_COLOR, .choices = (table), .offset = FIELD_OF(options_type, field, color_value)
#define COUNT_AT(options_type, field) .type = OPTION_COUNT, .offset = FIELD_OF(options_type, field, uint64_t)
#define FILE_AT(options_type, field) \
    .type = OPTION_FILE, .offset = FIELD_OF(options_type, field, const char *)
#define FOLDER_AT(options_type, field) \
    .type = OPTION_FOLDER, .offset = FIELD_OF(options_type, field, const char *)
#define TEXT_AT(options_type, field) \
    .type = OPTION_TEXT, .offset = FIELD_OF(options_type, field, const char *)
#define LAYERS_AT(options_type, field) \
    .type = OPTION_LAYERS, .offset = FIELD_OF(options_type, field, const char *)
#define FOLDERS_AT(options_type, field) \
    .type = OPTION_FOLDERS, .offset = FIELD_OF(options_type, field, word_list)
#define WORDS_AT(options_type, field) .type = OPTION_WORDS, .offset = FIELD_OF(options_type, field, word_list)
#define GIVEN_AT(options_type, field) .given = FIELD_OF(options_type, field, bool)
/* Compilers choose an enum's type; all that matters is its size. */
#define ENUM_SIZED(options_type, field) \
    (0 * sizeof(char[sizeof(int) == sizeof(((options_type *)0)->field) ? 1 : -1]))

bool option_takes_value(const option_row *row); /* maybe */
bool option_needs_value(const option_row *row); /* always */
bool option_is_path(const option_row *row);     /* its value is a file or a folder */
/*
 * The field of this option in the command's struct takes the value over, which is NULL when it was left out.
 * False: it is refused.
 */
bool option_parse(const option_row *row, void *fields, const char *value);
/* What is allowed, as an error says it behind "is not": "a level from 1 to 12", "one of: strict game". */
void option_put_allowed(text *out, const option_row *row);
/* Range and preset as help says them behind the text: " (1 to 12; default 6)"; often nothing. */
void option_put_range(text *out, const option_row *row);
/* The values that there are, with spaces between; nothing when they cannot be listed. False: nothing. */
bool option_put_values(text *out, const option_row *row);

#endif

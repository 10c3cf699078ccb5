/* SPDX-License-Identifier: Zlib */
#ifndef TMI_QUERY_FIND_H
#define TMI_QUERY_FIND_H
/*
 * What a pattern is when it was read, for the files that read and search.
 */
#include "query.h"

/* Kinds of layers that have tiles come first in the list of kinds. */
enum { TILE_KINDS = TM_LAYER_TUNE + 1 };

enum { PATTERN_WHERES = 4 };

/* [SET[@REGION]/]PART:PART... */
typedef struct tile_test {
    char *set;                        /* NULL: all layers */
    tm_rect region;                   /* empty: everywhere */
    bool index[TILE_KINDS][256];      /* the kinds differ in what ids mean */
    const bool *fits[TMI_TILE_PARTS]; /* which values of a part do, from the least on; NULL: any */
} tile_test;

/* image/ELEMENT:FIELD=VALUE... */
typedef struct object_test {
    tm_kind owner;
    /* The element; of settings, info and texts the text itself, in which * is anything. The fields stand
       behind it. */
    char *name;
    tmi_filters filters;
} object_test;

typedef enum pattern_subject {
    SUBJECT_TILES,
    SUBJECT_OBJECTS,  /* of object.owner */
    SUBJECT_SETTINGS, /* texts */
    SUBJECT_INFO,
    SUBJECT_TEXTS /* all of them, and all names */
} pattern_subject;

typedef struct pattern_clause {
    pattern_subject subject;
    bool is_negated;    /* "not" stands before it: what it would match does not fit, and all else does */
    tile_test *tiles;   /* of tiles */
    object_test object; /* of others */
} pattern_clause;

struct tm_pattern {
    tm_allocator allocator; /* the arena's, unless the caller has none */
    tmi_arena arena;        /* of all that the pattern consists of */
    char *text;
    pattern_clause subject;
    uint32_t num_where;
    pattern_clause conditions[PATTERN_WHERES];
    bool has_without;
    pattern_clause exclusion;
};

/* A copy of `size` bytes of a text that lives as long as the pattern. */
tm_status tmi_pattern_copy(char **out, tmi_arena *arena, const char *text, size_t size, tm_error *error);
/* Reads [SET[@REGION]/]PART:PART... into a test that is zero. */
tm_status tmi_tile_test_read(tile_test *out, const char *text, size_t size, tmi_arena *arena,
                             tm_error *error);

/* A search at work. */
typedef struct finding_run {
    const tm_map *map;
    const tm_find_options *options;
    tm_match_visit *visit;
    void *ctx;
    bool ended;       /* the visitor wants no more */
    tm_status status; /* the first layer that failed */
    tm_error *error;
} finding_run;

/* Visits what fits a clause of objects or texts, until the visitor wants no more. */
void tmi_find_objects(finding_run *run, const pattern_clause *clause, uint32_t pattern);

#endif

/* SPDX-License-Identifier: Zlib */
#ifndef TMI_AUTOMAP_H
#define TMI_AUTOMAP_H
/*
 * What the files of this room share: the file of rules while it is read, and the scanner of its words.
 */
#include "base/base.h"
#include "text/text.h"

#include <teemap/automap.h>
#include <teemap/jobs.h>

/*
 * All objects of a file, those of each kind in one growing array in its order. What belongs to an object
 * follows without a gap, since a statement always speaks of the last object.
 */
typedef struct tmi_list {
    void *items;
    size_t num, capacity, size; /* `size`: bytes of one */
} tmi_list;

typedef struct tmi_rule_lists {
    tmi_list configs, passes, rules, conditions, entries, modulos;
} tmi_rule_lists;

struct tm_automap_rules {
    const tm_allocator *allocator;
    tmi_arena texts;
    tm_automap_dialect dialect;
    tmi_rule_lists lists;
    const tm_automap_config *configs; /* the list of them */
    uint32_t num_configs;
};

/* --------------------------------------------------------------------------------------- reading: drafts */

/* A file while it is read. Objects point to what belongs to them only at the end. */
typedef struct tmi_draft {
    tm_automap_rules *rules;
    tmi_rule_lists *lists; /* of the rules */
    tm_findings *findings;
    tm_error *error;
    uint64_t bytes, max_bytes;           /* of all objects */
    size_t first_condition, first_entry; /* of the last rule */
} tmi_draft;

/* A new object at the end of a list, zeroed; fails with TM_ERROR_LIMIT or TM_ERROR_MEMORY. */
tm_status tmi_draft_add(void *out /* T ** */, tmi_draft *draft, tmi_list *list);
tm_status tmi_draft_add_config(tmi_draft *draft, const char *name, size_t size, tm_automap_kind kind,
                               uint32_t line);
tm_status tmi_draft_add_pass(tmi_draft *draft, uint32_t line);
/* Ends the rule before, as tmi_draft_end_rule does. */
tm_status tmi_draft_add_rule(tm_automap_rule **out, tmi_draft *draft);
/* The last rule gets its marks, and the condition that the editor adds. */
tm_status tmi_draft_end_rule(tmi_draft *draft);
tm_status tmi_draft_add_condition(tm_automap_condition **out, tmi_draft *draft, int32_t x, int32_t y);
tm_status tmi_draft_add_entry(tmi_draft *draft, int32_t index, int32_t flags);
/* The last of each; NULL: none. */
static inline void *tmi_draft_last(const tmi_list *list)
{
    return list->num ? (char *)list->items + (list->num - 1) * list->size : NULL;
}

/* The readers of the two forms. With `output` each line is written again as it was understood. */
tm_status tmi_read_rules(tmi_draft *draft, const char *bytes, size_t size, const tm_output *output);
tm_status tmi_read_json_rules(tmi_draft *draft, const char *bytes, size_t size);

/* Whether a file begins as an object of JSON does. */
bool tmi_looks_like_json(const char *bytes, size_t size);
/* Whether lines of it begin as statements of DDNet's rules do. */
bool tmi_looks_like_rules(const char *bytes, size_t size);

/* A place in a file, for findings. */
typedef struct tmi_spot_of {
    uint32_t line, column;
    int64_t offset; /* bytes; -1: none */
} tmi_spot_of;
void tmi_automap_report(tm_findings *findings, tm_finding_id id, tmi_spot_of spot, const char *format, ...)
    TMI_PRINTF(4, 5);

/* ---------------------------------------------------------------------------------- reading: the scanner */

/* A part of a line that is being read. */
typedef struct tmi_scan {
    const char *cursor, *end;
} tmi_scan;

typedef struct tmi_word {
    const char *text; /* not ended by NUL */
    size_t size;      /* 0: there is none */
} tmi_word;

enum { TMI_WORD_SIZE = 127 }; /* bytes of a word that the editor reads at once */

/* Between words, as scanf takes it. */
static inline bool tmi_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}
void tmi_scan_blanks(tmi_scan *scan);
bool tmi_word_is(tmi_word word, const char *text);
tmi_word tmi_scan_word(tmi_scan *scan);
/* As scanf's %d; *wrapped if the number does not fit into 32 bits. False if there is none. */
bool tmi_scan_int(int32_t *out, bool *wrapped, tmi_scan *scan);
/* As scanf's %f, to the bit. False if there is none. */
bool tmi_scan_float(float *out, tmi_scan *scan);

/* ----------------------------------------------------------------------------------------------- writing */

/* Lines of a rules file. What is written has the type that its name says; it is a pointer for a table. */
void tmi_put_rules(tmi_out *writer, const char *format, ...) TMI_PRINTF(2, 3);
void tmi_put_config(tmi_out *writer, const void *config);
void tmi_put_index(tmi_out *writer, const void *rule);
void tmi_put_condition(tmi_out *writer, const void *condition);
void tmi_put_random(tmi_out *writer, const void *rule);
void tmi_put_modulo(tmi_out *writer, const void *modulo);

/* A set of the states that a condition may see: a tile's index and three flags, or what lies outside. */
typedef struct tmi_index_set {
    uint8_t fits[TM_TILE_INDICES]; /* for each index the flags that fit, a bit for each of eight */
    uint8_t outside;
} tmi_index_set;
/* The three flags as a number below 8. */
static inline unsigned tmi_flag_code(unsigned flags)
{
    return (flags & (TM_TILE_FLIP_X | TM_TILE_FLIP_Y)) | (flags & TM_TILE_ROTATE) >> 1;
}
/* What a condition lets through. */
void tmi_set_of_condition(tmi_index_set *out, const tm_automap_condition *condition);

/* ----------------------------------------------------------------------------------------------- running */

/* The hash of DDNet's editor. */
static inline uint32_t tmi_automap_mix(uint32_t n)
{
    n += 1;
    n ^= n >> 17;
    n *= 0xed5ad4bbU;
    n ^= n >> 11;
    n *= 0xac4c1b51U;
    n ^= n >> 15;
    n *= 0x31848babU;
    n ^= n >> 14;
    return n;
}

enum { TMI_AUTOMAP_FLAGS = TM_TILE_FLIP_X | TM_TILE_FLIP_Y | TM_TILE_ROTATE };

/* A layer that is being mapped. */
typedef struct tmi_automap_layer {
    tm_tile *tiles;
    uint32_t width, height;
    int32_t left, top; /* where its corner is: added to places for chance and Modulo */
} tmi_automap_layer;

/* Everything that a run of all passes needs. */
typedef struct tmi_automap_work {
    const tm_automap_rules *rules;
    const tm_automap_config *config;
    const tm_automap_options *options;
    const tm_job *job;
    tmi_automap_layer layer;
    tmi_automap_layer game; /* of the same place; without tiles if there is none */
    int32_t seed;
    uint64_t num_random;
} tmi_automap_work;

/* The next number of Teeworlds 0.7: 0 to INT32_MAX. */
int32_t tmi_automap_random(tmi_automap_work *work);
/* A whole run of doodads. */
tm_status tmi_automap_doodads(tmi_automap_work *work, tm_error *error);
/* One pass of DDNet's rules, or the pass of a tile set, over a part of the layer; NULL: all of it. */
tm_status tmi_automap_pass(tmi_automap_work *work, uint32_t number, const tm_rect *part, tm_error *error);

/* ------------------------------------------------------------------------- of this library's rooms alone */

/* The name of each tm_automap_reference, "none" and so on; NULL behind the last one. */
extern const char *const tmi_automap_references[TM_AUTOMAP_REFERENCES + 1];
/* Whether any rule of the configuration writes tile `index`, 0 to 255. */
bool tmi_automap_makes(const tm_automap_config *config, uint32_t index);
/* Whether a rule of the configuration is left to chance, so that the result depends on the seed. */
bool tmi_automap_has_chance(const tm_automap_config *config);
/*
 * Whether the tiles are what their rules give: the same run on a copy. The result tells how many would
 * change, and where; flags are compared without TM_TILE_OPAQUE. Rules whose result feeds on itself may
 * change a layer again that they have made.
 */
tm_status tmi_automap_check(tm_automap_result *out, const tm_automap_rules *rules,
                            const tm_automap_layer *layer, const tm_automap_options *options,
                            tm_error *error);

#endif

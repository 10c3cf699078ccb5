/* SPDX-License-Identifier: Zlib */
#ifndef TMI_LINT_H
#define TMI_LINT_H
/*
 * Inside of the room lint. A rule is a row next to its functions: words, and a few small functions.
 *
 *   kinds, first, last, wants
 *            which tiles of which kinds of physics layers the rule has to see
 *   see      sees a run of equal tiles that it wants, and marks those that are wrong
 *   fits     in place of `see`: whether one tile of the run is wrong
 *   errs     whether the whole run is wrong
 *   objects, look
 *            which kinds of objects the rule looks at, and whether one of them is wrong
 *   command  sees a command of the settings, and notes what is wrong with it
 *   judge    looks at the whole: the census of tiles, objects, settings; notes what is wrong
 *
 * One pass goes over each physics layer, whatever the number of rules: it counts the tiles (census) and hands
 * runs to the rules that want them, by a table over kinds and indices. A judge that notes tiles by what they
 * are (all teleporters with number 5) does not look for them: it asks for them, and one second pass over the
 * layers with such requests finds them all. Both happen in lint_scan.c. run_lint.c walks over the objects.
 */
#include <teemap/lint.h>
#include <teemap/tiles.h>

#include "../query/query.h"
#include "../games/games.h"

/* Rules that want tiles have a bit each. */
enum { TMI_LINT_SEERS = 64 };
enum { TMI_LINT_NUMBERS = 256 };
/* Kinds of layers up to the last one of physics. */
enum { TMI_LINT_KINDS = TM_LAYER_TUNE + 1 };
/* By default, how many notes of a rule are kept, objects reported together, and places of a note. */
enum { TMI_LINT_NOTES = 50, TMI_LINT_OBJECTS = 200, TMI_LINT_PLACES = 200 };

typedef struct tmi_lint tmi_lint;

/* Equal tiles [x0, x1) of row y. */
typedef struct tmi_lint_run {
    tm_layer_kind kind;
    const uint8_t *tile; /* the first one */
    uint8_t index;
    uint32_t x0, x1, y;
} tmi_lint_run;

/* The number of the tiles, and the delay; of kinds of layers that have such. */
static inline uint8_t tmi_lint_run_number(const tmi_lint_run *run)
{
    return run->tile[tm_game_layer(run->kind)->number_at];
}
static inline uint8_t tmi_lint_run_delay(const tmi_lint_run *run)
{
    return run->tile[tm_game_layer(run->kind)->delay_at];
}

typedef void tmi_lint_judge(tmi_lint *lint, uint32_t rule);

/* An object at which a rule looks, and what is wrong with it. */
typedef struct tmi_lint_object {
    tmi_lint *lint;
    tm_address address;
    union { /* by the kind of the address */
        const void *pointer;
        const tm_image *image;
        const tm_sound *sound;
        const tm_envelope *envelope;
        const tm_group *group;
        const tm_layer *layer;
    };
    uint32_t number;               /* of a layer: among those of all groups */
    uint64_t count;                /* things that are wrong; 1 unless the rule says more */
    tm_severity at_worst;          /* of the note */
    char text[TM_ERROR_TEXT_SIZE]; /* what is wrong; "": the row's phrase */
    char fix[TM_ERROR_TEXT_SIZE];  /* the operation that fixes it; "": see the row */
} tmi_lint_object;
/* Writes what is wrong with the object into its text, and returns true. */
bool tmi_lint_explain(tmi_lint_object *object, const char *format, ...) TMI_PRINTF(2, 3);

/* The tiles of a kind of layer that have numbers and whose index fits. */
typedef struct tmi_lint_numbered {
    tm_layer_kind kind;
    bool (*fits)(uint8_t index);
} tmi_lint_numbered;
typedef struct tmi_lint_command tmi_lint_command;

typedef struct tmi_lint_row {
    tm_lint_rule rule;
    uint32_t kinds; /* of layers whose tiles from `first` to `last` it wants, a bit each */
    uint8_t first, last;
    bool (*wants)(tm_layer_kind kind, uint8_t index); /* others that it wants; NULL: none */
    void (*see)(tmi_lint *lint, uint32_t rule, const tmi_lint_run *run);
    /* in place of `see`: whether a tile of a run is wrong; whether the whole run is; neither: all are */
    bool (*fits)(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x);
    bool (*errs)(const tmi_lint_run *run);
    bool late;                             /* it sees in the second pass, when all is counted */
    uint32_t objects;                      /* kinds of objects at which it looks, a bit each (TMI_LINT_AT) */
    bool (*look)(tmi_lint_object *object); /* whether the object is wrong */
    tmi_lint_judge *judge;
    void (*command)(tmi_lint *lint, uint32_t rule, const tmi_lint_command *command); /* before `judge` */
    /*
     * Of rules that see: the text after "14 tiles "; of rules that look: the message, if they say none; of
     * rules about numbers: the message, # is the number.
     */
    const char *phrase;
    /* Of rules about numbers: the tiles, the tiles that they need, and the exceptions. */
    const tmi_lint_numbered *having, *lacking;
    bool (*unless)(const tmi_lint *lint, uint32_t number);
    bool ways; /* it asks where players can be: also by_games, as mods move them in ways of their own */
    /*
     * For rules with a note per object: the plural of the objects, their fault, and the operation that fixes
     * all, or NULL. Several notes then become one finding.
     */
    const char *things, *many, *fix_many;
    bool own_fixes;    /* rule.fix is but a name: each note has a line of its own, or none */
    bool fixes_each;   /* rule.fix is the operation: the line of each note ends with the object's address */
    bool by_games;     /* it judges by what the games know: a note in maps that are for something else */
    bool late_tele;    /* as late, of the tele layer alone */
    bool may_be_art;   /* very many tiles, or nearly all of a kind, are drawn on purpose */
    bool many_are_art; /* where the layer has very many such tiles, all are drawn on purpose */
} tmi_lint_row;

/* The mod for which a map seems to be, or is said to be. */
typedef struct tmi_lint_mod {
    const tm_mod *mod; /* NULL: none of the table */
    const char *title; /* NULL: none; also of mods that nobody knows */
    char why[TM_ERROR_TEXT_SIZE];
    tm_mod_rules rules; /* what is asked */
    bool chosen;        /* the caller named it */
    bool has_own;       /* unless `title` was found before: some tiles or layers are of no game */
} tmi_lint_mod;

/* The rows of all families in the order of their numbers, and how many there are; NULL after the last. */
const tmi_lint_row *tmi_lint_row_at(uint32_t rule);
uint32_t tmi_lint_num_rows(void);

/* What the census knows of the tiles of one index in a layer. */
typedef struct tmi_lint_index {
    uint64_t num;
    uint32_t *numbers; /* how many have each number; NULL in layers without numbers */
    uint64_t seers, late_seers;
    struct tmi_lint_request *requests;
    uint8_t role; /* for lint_reach.c */
} tmi_lint_index;

/*
 * The tiles of the game, front, ... layer that the games use. Those of speedup, switch and tune layers are
 * only available while these layers are scanned.
 */
typedef struct tmi_lint_layer {
    bool borrowed;         /* it was looked for */
    const tm_layer *layer; /* NULL: there is none, or it is damaged */
    bool has_tiles;
    uint32_t group, index;
    tm_grid grid;
    size_t index_at; /* in a tile, in bytes */
    tmi_borrowed loan;
    uint64_t *rows; /* which indices a row has, by their last six bits; known when all are counted */
    tmi_lint_index *tiles[TM_TILE_INDICES]; /* of each index that occurs; 0 (air) is not counted */
} tmi_lint_layer;

/* Something that a rule found. */
typedef struct tmi_lint_note {
    struct tmi_lint_note *next; /* of the same rule */
    tm_address address;
    uint64_t count;
    char text[TM_ERROR_TEXT_SIZE];
    char fix[TM_ERROR_TEXT_SIZE];
    bool seen[TM_TILE_INDICES]; /* indices of marked tiles */
    tm_layer_kind kind;         /* of their layer */
    bool marked;                /* it grew by marks: its text is made of the rule's phrase */
    uint32_t requests;          /* kinds of tiles that were asked for */
    tm_severity at_worst;       /* no worse than that, unless a severity was chosen; 0: as the rule is */
    tm_region *places;
    uint32_t num_places, max_places;
} tmi_lint_note;

/* A rule at work. */
typedef struct tmi_lint_state {
    const tmi_lint_row *row;
    bool asked, chosen; /* a severity was chosen for it */
    bool selected;      /* the user asks for it */
    tm_severity severity;
    tmi_lint_note *notes, *last;
    uint32_t num;
    bool passed_over;  /* it stands on a rule that found something */
    uint64_t unlisted; /* notes for which there was no place */
} tmi_lint_state;

/* Where the tiles of a design layer end: right of x1 and below y1 is air. A layer that is no more than
   twice as large as its content may have a smaller x1 than that. */
typedef struct tmi_lint_extent {
    bool known, empty;
    uint32_t x1, y1;
} tmi_lint_extent;

/* What is known of the quads of a layer. */
typedef struct tmi_lint_quads {
    uint32_t hidden, far; /* without alpha or extent; where no view gets */
    uint32_t first_far;
    bool moves;           /* some have position envelopes */
    tm_point least, most; /* fx px: corners of the box around all; nothing if least.x > most.x */
} tmi_lint_quads;

/* How layers and quads show an image. */
typedef struct tmi_lint_use {
    bool shown, needed; /* by anything; by something for which half of its pixels would be too few */
} tmi_lint_use;

/*
 * A layer whose tiles were looked at, and its number; by the key of their block. So many, unlike those of
 * tmi_layer_was_seen, since a map may have thousands of layers with few blocks in turn.
 */
enum { TMI_LINT_SEEN = 1024 };
typedef struct tmi_lint_seen {
    const tm_layer *layer; /* NULL: none */
    uint32_t number;
} tmi_lint_seen;

/* What one pass over all layers except physics finds. */
typedef struct tmi_lint_survey {
    tmi_lint_seen seen[TMI_LINT_SEEN];
    bool *images, *sounds, *envelopes; /* something refers to it */
    tmi_lint_extent *extents;          /* of each layer of the map, by its number */
    tmi_lint_quads *quads;             /* of each layer of the map, by its number */
    tmi_lint_use *uses;                /* of each image */
    bool damaged;                      /* some layers cannot be read: nothing is reported as unused */
} tmi_lint_survey;

/* A finding that the map suppresses. */
typedef struct tmi_lint_suppression {
    struct tmi_lint_suppression *next;
    const char *id; /* with * for anything; of the setting */
    size_t id_size;
    bool placed; /* only at the address */
    tm_address address;
} tmi_lint_suppression;

/* Tiles [x0, x1) of row y that matter to who moves around. */
typedef struct tmi_lint_point {
    uint32_t x0, x1, y;
    bool tele; /* of the tele layer; else of the game or the front layer */
    uint8_t index, number;
    bool cut_off; /* a spawn from which no line is reached */
} tmi_lint_point;

/* Where players can be: lint_reach.c. A plane has one bit a tile, the lowest of a word to the left. */
enum { TMI_LINT_WORD = 64 };
typedef struct tmi_lint_reach {
    uint32_t width, height, words; /* words of a row of bits */
    uint64_t *open, *on_foot;      /* free, and not reached yet: by all ways, and on foot */
    uint64_t *barred;              /* walls and death */
    uint64_t *marks;               /* tiles of points */
    tmi_lint_point *points;
    size_t num_points, max_points;
    bool unknown;                       /* nothing can be said: too much, or guns that teleport */
    bool known;                         /* what follows holds */
    bool lines[TM_TILE_INDICES];        /* start, finish, time checkpoints: some tile is reached */
    bool checkpoints[TMI_LINT_NUMBERS]; /* of teleporters: reached */
    bool teleporters[TMI_LINT_NUMBERS]; /* numbers of which players can enter one */
    uint64_t finish_on_foot; /* tiles reached without touching a start line, freeze, a teleporter */
} tmi_lint_reach;

struct tmi_lint {
    const tm_map *map;
    const tm_allocator *allocator;
    tmi_arena arena;
    tmi_arena *notes; /* of the result: notes and their places */
    uint32_t sets;
    tm_game game; /* whose tiles are known */
    tm_status (*read_rules)(void *ctx, const char *image, tm_game game, const tm_allocator *allocator,
                            uint8_t **bytes, size_t *num_bytes, tm_error *error); /* NULL: none */
    void *rules_ctx;
    struct tmi_lint_mapper *mappers; /* rules of automappers that have been read: lint_automap.c */
    tmi_compare_work work;           /* of images that may be equal */
    bool apart;                      /* objects are not gathered */
    bool guessed;                    /* the sets were not asked for: maps of Teeworlds 0.6 are DDNet's, too */
    bool blind;                      /* a physics layer is damaged: nothing is said of what is missing */
    uint32_t unread;
    tmi_lint_state *rules; /* one for each row of the table, then for each own rule */
    uint32_t num_rules;
    tmi_lint_layer layers[TMI_LINT_KINDS]; /* of the physics kinds */
    uint32_t num_seers;
    uint32_t seer_rules[TMI_LINT_SEERS];
    bool exits_known, safe_exits[2][TMI_LINT_NUMBERS]; /* exits that do not kill; [1]: of checkpoints */
    bool named[TMI_POOLS][TMI_LINT_NUMBERS];           /* numbers that settings name, by their pools */
    tmi_lint_suppression *suppressions;
    uint32_t num_suppressions;
    uint64_t file_size;          /* 0: unknown */
    const tm_job *job;           /* may be NULL */
    const tm_findings *refusals; /* NULL: nobody asked */
    const char *path;            /* of the map's file; "" */
    uint32_t most;               /* notes of a rule that are kept */
    tmi_lint_mod mod;
    const tm_mod *extra;     /* a file of settings besides; NULL: none */
    tmi_lint_survey *survey; /* NULL when no rule wants it */
    tmi_lint_reach *reach;   /* NULL when no rule wants it */
    tm_status status;        /* the first failure; everything ends then */
    tm_error *error;
};

/* ---------------------------------------------------------------------------------------- lint_notes.c */

/*
 * A new note of a rule, with a text; NULL when the rule has enough of them, or memory is short. It counts one
 * thing unless the caller or a request says more.
 */
tmi_lint_note *tmi_lint_note_add(tmi_lint *lint, uint32_t rule, tm_address address, const char *format, ...)
    TMI_PRINTF(4, 5);
/* The operation that fixes this note. */
void tmi_lint_note_fix(tmi_lint_note *note, const char *format, ...) TMI_PRINTF(2, 3);
/* Sets how many things a note stands for; NULL is no note. */
static inline void tmi_lint_note_count(tmi_lint_note *note, uint64_t count)
{
    if (note)
        note->count = count;
}
/* Adds tiles [x0, x1) of row y to the places of a note. Rows come from top to bottom. */
void tmi_lint_note_place(tmi_lint *lint, tmi_lint_note *note, uint32_t x0, uint32_t x1, uint32_t y);
/* Adds a rectangle to the places of a note, and joins it with none of them. */
void tmi_lint_note_rectangle(tmi_lint *lint, tmi_lint_note *note, const tm_region *place);
/*
 * Marks tiles of a run for the rule that sees it. Returns the note, of which a rule has one for each layer;
 * NULL when there is no room for it.
 */
tmi_lint_note *tmi_lint_mark(tmi_lint *lint, uint32_t rule, const tmi_lint_run *run, uint32_t x0,
                             uint32_t x1);
/*
 * Marks tiles in walls. The finding is a note if all its tiles are deep in walls, or in walls that hold
 * nothing but such tiles.
 */
void tmi_lint_mark_in_wall(tmi_lint *lint, uint32_t rule, const tmi_lint_run *run, uint32_t x0, uint32_t x1);

/* Adds a note about tiles with a number (below 0: with any); the text is the row's phrase. */
tmi_lint_note *tmi_lint_note_number(tmi_lint *lint, uint32_t rule, const tmi_lint_numbered *numbered,
                                    int number);
/*
 * What rows about numbers judge. numbers: notes each number from 1 on that tiles of `having` have, and none
 * of `lacking`, nor an exception; zero: notes tiles of `having` with the number 0; any: notes all tiles of
 * `having` if there are none of `lacking`.
 */
tmi_lint_judge tmi_lint_judge_numbers, tmi_lint_judge_zero, tmi_lint_judge_any;

/* ----------------------------------------------------------------------------------------- lint_report.c */

/* Makes the memory of a result, in which notes live: lint->notes. tm_lint_result_release frees it. */
tm_status tmi_lint_begin_result(tm_lint_result *out, tmi_lint *lint, tm_error *error);
/* Makes findings of all notes, in a result that was begun. */
tm_status tmi_lint_report_notes(tm_lint_result *out, const tmi_lint *lint, tm_error *error);

/* ----------------------------------------------------------------------------------------- lint_scan.c */

/*
 * Finds and unpacks the layer of a kind, unless that was done before. A damaged layer is none, and makes lint
 * blind; any other failure ends the check.
 */
void tmi_lint_borrow_layer(tmi_lint *lint, tm_layer_kind kind);
/* Reads the physics layers, counts their tiles and calls the `see` functions. */
void tmi_lint_scan(tmi_lint *lint);
/*
 * Asks for the places of tiles of an index, with a number (below 0: with any), for a note; NULL notes ask for
 * nothing.
 */
void tmi_lint_request_tiles(tmi_lint *lint, tmi_lint_note *note, tm_layer_kind kind, uint8_t index,
                            int number);
/* Goes over the layers again: finds the requested tiles, and shows runs to the rules that see late. */
void tmi_lint_scan_again(tmi_lint *lint);
void tmi_lint_release_layers(tmi_lint *lint);

/* How many tiles of an index the layer of a kind has; how many of them have a number. */
uint64_t tmi_lint_num_tiles(const tmi_lint *lint, tm_layer_kind kind, uint8_t index);
uint64_t tmi_lint_num_numbered(const tmi_lint *lint, tm_layer_kind kind, uint8_t index, uint8_t number);
/* Counts the numbered tiles by their numbers, and returns how many there are; none for NULL. */
uint64_t tmi_lint_sum_numbers(uint64_t sums[TMI_LINT_NUMBERS], const tmi_lint *lint,
                              const tmi_lint_numbered *numbered);
/* How many tiles of an index the game and the front layer have together. */
uint64_t tmi_lint_num_played(const tmi_lint *lint, uint8_t index);
/*
 * The index that the game layer has where a tile of another physics layer acts; 0 outside of it. The games
 * take tiles of all physics layers by their number in the row-major order, whatever the widths.
 */
static inline uint8_t tmi_lint_game_index(const tmi_lint *lint, tm_layer_kind kind, uint32_t x, uint32_t y)
{
    const tm_grid *game = &lint->layers[TM_LAYER_GAME].grid;
    const tm_tile *tiles = game->tiles;
    const uint64_t number = (uint64_t)y * lint->layers[kind].grid.width + x;
    return tiles && number < (uint64_t)game->width * game->height ? tiles[number].index : TM_TILE_AIR;
}
/* Whether both together have a line, as of start or finish: one or two tiles are none. */
static inline bool tmi_lint_has_line(const tmi_lint *lint, uint8_t index)
{
    return tmi_lint_num_played(lint, index) > 2;
}
/* Spawns in both layers, with those of teams. */
uint64_t tmi_lint_num_spawns(const tmi_lint *lint);
/* Whether a teleporter that players enter has the number; exits of hooks and shots may be anywhere. */
bool tmi_lint_leads_players(const tmi_lint *lint, uint8_t number);
/* Whether players come out at the exits, or spawns, of a run. */
static inline bool tmi_lint_is_for_players(const tmi_lint *lint, const tmi_lint_run *run)
{
    return run->index != TM_TILE_TELE_OUT || run->kind != TM_LAYER_TELE ||
           tmi_lint_leads_players(lint, tmi_lint_run_number(run));
}
/* The index at a place of the layer of a kind; 0 outside. */
static inline uint8_t tmi_lint_index_at(const tmi_lint *lint, tm_layer_kind kind, int64_t x, int64_t y)
{
    const tm_grid *grid = &lint->layers[kind].grid;
    if (!grid->tiles || x < 0 || y < 0 || x >= grid->width || y >= grid->height)
        return TM_TILE_AIR;
    const uint8_t *tiles = grid->tiles;
    return tiles[(size_t)y * grid->row_stride + (size_t)x * grid->tile_size + lint->layers[kind].index_at];
}
static inline bool tmi_lint_is_wall(uint8_t game_index)
{
    return game_index == TM_TILE_SOLID || game_index == TM_TILE_UNHOOKABLE;
}
/* Whether tile x of a run is covered by a wall of the game layer. */
bool tmi_lint_lies_in_wall(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x);
/* Whether tile x of a run is covered by freeze of the game or front layer, and by no unfreeze. */
bool tmi_lint_lies_in_freeze(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x);
/* The address of the layer of a kind; the whole map if there is none. */
tm_address tmi_lint_layer_address(const tmi_lint *lint, tm_layer_kind kind);

/* No game reads a layer with fewer tiles than its size needs: its content is not checked. */
static inline bool tmi_lint_is_read(const tm_layer *layer)
{
    const tm_block *tiles = layer->as.tiles.tiles;
    return !tiles || tiles->changed || !tiles->is_short;
}

static inline tm_address tmi_lint_walk_address(const tm_layer_walk *walk)
{
    return (tm_address){TM_KIND_LAYER, walk->group, walk->index};
}

/* Whether a rule is asked, and what it judges by is known. */
static inline bool tmi_lint_may_judge(const tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_state *state = &lint->rules[rule];
    return state->asked && (state->row->rule.cost != TM_LINT_PHYSICS || !lint->blind);
}

static inline void tmi_lint_fail(tmi_lint *lint, tm_status status)
{
    if (!lint->status)
        lint->status = status;
}

/* True for TM_OK. Damage only counts as unread; any other failure ends the check, with the object's place. */
static inline bool tmi_lint_can_read(tmi_lint *lint, tm_status status, tm_address address)
{
    if (status == TM_ERROR_DAMAGED)
        lint->unread++;
    else if (status)
        tmi_lint_fail(lint, tmi_fail_at_address(lint->error, status, lint->map, address));
    return !status;
}

/* Zeroed memory that lives as long as the rule runs; NULL after a failure, which ends the check. */
static inline void *tmi_lint_alloc(tmi_lint *lint, size_t count, size_t size)
{
    void *memory = tmi_arena_alloc(&lint->arena, count, size);
    if (memory)
        memset(memory, 0, count * size);
    else
        tmi_lint_fail(lint, tmi_fail_memory(lint->error, (uint64_t)count * size, "rules"));
    return memory;
}

/* ---------------------------------------------------------------------------------------- lint_reach.c */

/* Before the layers are counted, for each run of them, and when all are; makes lint->reach, if it can. */
void tmi_lint_reach_begin(tmi_lint *lint);
/* The effect of tiles on moving players; runs of tiles without any are skipped. */
uint8_t tmi_lint_reach_role(tm_layer_kind kind, uint8_t index);
void tmi_lint_reach_see(tmi_lint *lint, const tmi_lint_run *run, uint8_t role);
void tmi_lint_reach_flood(tmi_lint *lint);
/*
 * Of time checkpoints those that have `late` set afterwards are reached, but only behind higher ones,
 * whatever the way. Floods once more.
 */
void tmi_lint_reach_order(tmi_lint *lint, bool late[TM_TILE_INDICES]);
/* Whether players may be at a tile that neither freezes nor stops nor takes them away. */
bool tmi_lint_reach_walks_at(const tmi_lint *lint, uint32_t x, uint32_t y);

/* --------------------------------------------------------------------------------------- lint_usage.c */

void tmi_lint_make_survey(tmi_lint *lint);

/* ------------------------------------------------------------------------------------- lint_automap.c */

void tmi_lint_release_mappers(tmi_lint *lint);

/* -------------------------------------------------------------------------------------- lint_design.c */

/* Why no file can be called so; NULL: it can. */
const char *tmi_lint_name_fault(const char *name);

/* --------------------------------------------------------------------------------------- lint_quads.c */

/* Adds the quads of a layer, and what they show, to the survey. */
void tmi_lint_survey_quads(tmi_lint *lint, const tm_group *group, const tm_layer *layer, uint32_t number,
                           const tm_quad *quads, uint64_t num);
/* Adds to the survey that a layer of tiles, which is not empty, shows its image. */
void tmi_lint_survey_image(tmi_lint *lint, const tm_tile_layer *layer);

/* ------------------------------------------------------------------------------------- lint_settings.c */

/* Shows each command of the settings to the rules that see such. */
void tmi_lint_see_commands(tmi_lint *lint);
/* Whether three settings of different names or more neither belong to a game nor resemble one that does. */
bool tmi_lint_has_odd_settings(const tmi_lint *lint);
/* The whole number that the last line with a setting gives to it; `initial` when there is no such line. */
int32_t tmi_lint_last_value(const tm_map *map, const char *name, int32_t initial);

/* ------------------------------------------------------------------------------------ lint_suppressions.c */

/* What stands behind "# teemap: ignore" of a setting; NULL: it is none of that form. */
const char *tmi_lint_suppressions_of(const char *setting);
void tmi_lint_read_suppressions(tmi_lint *lint);
/* Notes ids and addresses that match no rule and no object; ids only if they resemble a rule. */
void tmi_lint_report_suppressions(tmi_lint *lint, uint32_t rule);
/* Whether the map says to leave out a finding; without an address, whether all of the rule. */
bool tmi_lint_is_suppressed(const tmi_lint *lint, const tm_lint_rule *rule, const tm_address *address);

/* ----------------------------------------------------------------------------------------- lint_mods.c */

/*
 * The set of rules for maps of a mod whose tiles have other meanings, if the map is one, else 0; `game`: the
 * grid of its game layer.
 */
uint32_t tmi_lint_mod_set(tmi_lint_mod *mod, const tm_map *map, const tm_grid *game);
/* Looks whether the map is one of a mod with DDNet's tiles, when its layers have been counted. */
void tmi_lint_find_mod(tmi_lint *lint);
/* The row of a setting of the mod, or of the caller's file of settings; NULL: neither knows it. */
const tm_setting_info *tmi_lint_mod_setting(const tmi_lint *lint, const char *name);
/* Findings of this rule become notes in this map, unless the user chose a severity. */
void tmi_lint_lower_to_note(tmi_lint *lint, uint32_t rule);

/* ------------------------------------------------------------------------------------- the table of rules */

/* The rows stand next to their functions, a list for each family; lint_table.c puts them in one order. */
typedef struct tmi_lint_family {
    const tmi_lint_row *rows;
    uint32_t num;
} tmi_lint_family;
extern const tmi_lint_family tmi_lint_race, tmi_lint_teleporters, tmi_lint_switches, tmi_lint_zones,
    tmi_lint_tiles, tmi_lint_objects, tmi_lint_design, tmi_lint_of_quads, tmi_lint_settings, tmi_lint_types,
    tmi_lint_automap, tmi_lint_ways, tmi_lint_mods, tmi_lint_undrawn, tmi_lint_of_loader,
    tmi_lint_custom_rules;

#define TMI_LINT_FAMILY(name, rows) const tmi_lint_family name = {rows, TMI_COUNT_OF(rows)}
/* The words of a row, in the order in which they are read. */
#define TMI_LINT_RULE(constant, in_sets, takes, guesses, what, because, fixed, from) \
    .rule = {.id = TM_FINDING_##constant,                                            \
             .sets = (in_sets),                                                      \
             .cost = TM_LINT_##takes,                                                \
             .guess = (guesses),                                                     \
             .title = (what),                                                        \
             .reason = (because),                                                    \
             .advice = (fixed),                                                      \
             .source = (from)}
/* The tiles that a rule wants, in layers of DDNet's GAME, FRONT, TELE, ... or several of them. */
#define TMI_LINT_LAYER(kind)                (1u << TM_LAYER_##kind)
#define TMI_LINT_PLAYED                     (TMI_LINT_LAYER(GAME) | TMI_LINT_LAYER(FRONT))
#define TMI_LINT_TILES(in, from, to)        .kinds = (in), .first = TM_TILE_##from, .last = TM_TILE_##to
#define TMI_LINT_EXCEPT(types)              .rule.not_for = (types)
#define TMI_LINT_MANY(plural, wrong, fixes) .things = (plural), .many = (wrong), .fix_many = (fixes)
#define TMI_LINT_FIX(operation, is_safe)    .rule.fix = (operation), .rule.safe = (is_safe)
/* Kinds of objects (IMAGE, SOUND, ENVELOPE, GROUP, LAYER), or once the MAP, its INFO, its SETTINGS. */
#define TMI_LINT_AT(kind) (1u << TM_KIND_##kind)
/* Once, at the address of the game layer. */
#define TMI_LINT_AT_GAME (1u << 31)

/* ------------------------------------------------------------------------- of this library's rooms alone */

/* What a set is for, in few words; NULL as above. */
const char *tmi_lint_set_about(uint32_t set);
/* NULL for findings that are none of a rule. */
const tm_lint_rule *tmi_lint_rule_of(tm_finding_id id);
/*
 * The first rule from row `from` on whose id fits a pattern, in which * stands for anything; UINT32_MAX if
 * there is none.
 */
uint32_t tmi_lint_match(const char *pattern, uint32_t from);

#endif

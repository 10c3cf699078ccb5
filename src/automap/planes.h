/* SPDX-License-Identifier: Zlib */
#ifndef TMI_AUTOMAP_PLANES_H
#define TMI_AUTOMAP_PLANES_H
/*
 * A pass that is compiled: what conditions ask of a tile becomes planes, one bit a tile, so that a condition
 * is asked of 64 tiles at once.
 *
 *   plane     a question: "is this tile one of the list?". Conditions with equal lists share it. Plane 0 asks
 *             whether the tile is empty.
 *   view      a plane, seen from dx, dy away; conditions that look at the same place share it
 *   term      a condition: a view, perhaps turned over
 *   row       the planes of a row of the layer: for each plane `stride` words, with what lies outside of the
 *             layer as bits on both sides
 *   ring      as many rows as conditions look at: a row is asked before it is written, so no copy is needed
 */
#include "automap.h"

enum {
    TMI_PLANE_BITS = 64,    /* tiles to a word */
    TMI_PLANE_GROUP = 8,    /* planes that are looked up together */
    TMI_PLANE_STATES = 2048 /* an index and three flags */
};

typedef struct tmi_view {
    uint32_t plane;
    int32_t dy;
    int64_t word; /* of the row, for the first 64 tiles */
    unsigned shift;
    uint32_t followed; /* NoLayerCopy, own: the plane's place among those that are followed */
    bool own, left;    /* the tile itself; in its row to the left: NoLayerCopy changes them on the way */
} tmi_view;

typedef struct tmi_fast_rule {
    size_t first_term;
    uint32_t num_terms;
    uint32_t num_ahead; /* of these, first: the terms whose views are neither own nor left */
    uint32_t num_bound; /* and behind them those that may cease to hold, and never begin to */
    uint32_t number;    /* in the pass */
    uint32_t threshold; /* 65536: always */
    bool skip_empty, skip_full;
    uint8_t index, flags;
    unsigned state; /* that it makes, see tmi_planes_state */
    const tm_automap_rule *rule;
    uint32_t hash;       /* of seed, pass and number */
    size_t first_modulo; /* in x_masks */
} tmi_fast_rule;

/* Bit i of byte k becomes bit k of byte i (Hacker's Delight, section 7-3). */
static inline uint64_t tmi_transpose_8x8(uint64_t x)
{
    uint64_t t = (x ^ (x >> 7)) & UINT64_C(0x00aa00aa00aa00aa);
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & UINT64_C(0x0000cccc0000cccc);
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & UINT64_C(0x00000000f0f0f0f0);
    return x ^ t ^ (t << 28);
}

/*
 * Which of 64 tiles have luck: their hashes are mix(base + mixed_x[i]), of which the lower 16 bits are to be
 * below the threshold. NULL where the machine cannot do it many at a time.
 */
typedef uint64_t tmi_draw_64(uint32_t base, const uint32_t *mixed_x, uint32_t threshold);
tmi_draw_64 *tmi_find_draw_64(void);

/* Indices that are in a plane with some flags; a plane has a set for each choice of flags. */
typedef struct tmi_fill_set {
    uint32_t plane;
    int32_t only;              /* the only index; TM_NONE: there are more */
    uint8_t flags[16];         /* 255 where a tile's lower four flags fit */
    uint8_t low[16], high[16]; /* by the lower four bits of an index its upper ones, below 8 and from 8 on */
} tmi_fill_set;

struct tmi_planes;
/* The planes of 64 tiles: a word of a row in each. */
typedef void tmi_fill_64(const struct tmi_planes *planes, uint64_t *row, const tm_tile *tiles);
/* Whether 64 tiles are like this one in index and flags. */
typedef bool tmi_alike_64(const tm_tile *tiles, const tm_tile *like);
/* Ways that are faster than plain C; false where the machine has none. */
bool tmi_find_fill_64(tmi_fill_64 **fill, tmi_alike_64 **alike);

typedef struct tmi_planes {
    const tm_allocator *allocator;
    tmi_arena arena;
    uint32_t num_planes, num_groups;
    uint8_t *lookup;    /* a byte for each group and state: its planes */
    uint8_t *outside;   /* by plane */
    tmi_fill_set *sets; /* of all planes, in their order, and a last one of no plane */
    tmi_fill_64 *fill_64;
    tmi_alike_64 *alike_64;
    tmi_fast_rule *rules;
    uint32_t num_rules;
    tmi_view *views;
    uint32_t num_views;
    uint32_t *terms; /* twice the view, and 1 if it is turned over */
    size_t num_terms;
    /*
     * For all that can be seen (a bit a view) what a tile becomes: its index, its flags times 256, and 65536;
     * 0: it stays. NULL: there is no such table.
     */
    uint32_t *answers;
    bool by_index;     /* no plane asks for flags */
    uint64_t *x_masks; /* for each Modulo of each rule a word for each 64 tiles */
    size_t num_modulos;
    uint32_t *mixed_x; /* the hash's part of each column, times 31 * 31; NULL: no rule draws */
    uint32_t width, height;
    uint32_t num_words;    /* of a row of the layer, without what is outside */
    uint32_t pad;          /* words on each side */
    size_t stride;         /* num_words + 2 * pad */
    uint32_t above, below; /* rows that conditions look at */
    tmi_draw_64 *draw_64;  /* may be NULL */
    bool all_skip_empty;   /* an empty tile stays as it is */
    /* NoLayerCopy: planes that are followed: those with left views, those with own ones, and plane 0 */
    uint32_t *followed;
    uint32_t num_left, num_followed, plane_0; /* its place among them */
    uint32_t *left_views;
    uint32_t num_left_views;
    uint64_t *makes; /* for each rule and plane that is followed: all bits, if what it makes is in there */
} tmi_planes;

/*
 * Compiles a pass for layers of this size. *out is NULL where more than `most` bytes would be needed; then
 * the pass has to be run plainly.
 */
tm_status tmi_planes_new(tmi_planes **out, const tmi_automap_work *work, uint32_t pass, uint64_t most,
                         tm_error *error);
void tmi_planes_free(tmi_planes *planes);
/* The state of a tile, by which `lookup` tells its planes. */
unsigned tmi_planes_state(const tmi_planes *planes, const tm_tile *tile);
size_t tmi_planes_row_words(const tmi_planes *planes); /* of one row */
/* The planes of a row of tiles. */
void tmi_planes_fill(const tmi_planes *planes, uint64_t *row, const tm_tile *tiles);
void tmi_planes_find_ways(tmi_planes *planes); /* sets fill_64 and alike_64 */
/* A row that lies outside of the layer. */
void tmi_planes_fill_outside(const tmi_planes *planes, uint64_t *row);

/* With NoLayerCopy, a rule and 64 tiles. */
typedef struct tmi_live_rule {
    const tmi_fast_rule *rule;
    uint64_t fits;  /* where it may hold, whatever is written */
    uint64_t fired; /* where it holds, as things were guessed last */
    bool drawn;     /* `fits` takes account of chance */
} tmi_live_rule;

/* A row that is being mapped. */
typedef struct tmi_fast_row {
    const tmi_planes *planes;
    const uint64_t **views; /* where each view's bits of this row begin */
    uint64_t *seen;         /* each view of the 64 tiles at hand, as it is and turned over */
    uint64_t *own;          /* the planes of the row itself */
    const uint64_t *empty;  /* the first of them, without what is outside */
    tmi_live_rule *live;    /* NoLayerCopy: rules that may hold somewhere in the 64 tiles at hand */
    uint64_t *before, *now; /* the planes of these that are followed */
    tm_tile *tiles;
    int32_t y;        /* as Modulo and chance count */
    uint32_t mixed_y; /* the hash's part of it */
} tmi_fast_row;

/* Maps 64 tiles, of which those in `valid` are in the layer. */
typedef void tmi_map_word(const tmi_fast_row *row, uint32_t word, uint64_t valid);
tmi_map_word tmi_map_backward;  /* with a copy */
tmi_map_word tmi_map_answered;  /* by the table of all answers */
tmi_map_word tmi_map_forward;   /* as DDNet 16.4 */
tmi_map_word tmi_map_referring; /* by the game layer */
tmi_map_word tmi_map_live;      /* NoLayerCopy */

/* A pass by planes; false in *done if it has to be run plainly. */
tm_status tmi_automap_fast_pass(bool *done, tmi_automap_work *work, uint32_t pass, tm_error *error);

#endif

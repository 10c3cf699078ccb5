/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAPFILE_H
#define TMI_MAPFILE_H
/*
 * Internal side of the bridge between container and model.
 *
 * One function for each kind of item describes its fields once, for both directions, through a tmi_item_io:
 *
 *   LOAD     item -> struct. What does not fit becomes a finding and a harmless value.
 *   COLLECT  struct -> which data blocks will be written, in this order.
 *   STORE    struct -> item. The item starts as the bytes that it was loaded from; a field is written only
 *            if what these bytes would load as differs from the struct. So everything that is not modelled,
 *            and every odd way to say the same, stays.
 *
 * COLLECT and STORE visit the same fields in the same order; that is how a field finds its data index again.
 */
#include <teemap/mapfile.h>

#include "../map/map.h"

/* The ints of an empty name: the last byte is 0, all others are an encoded NUL. */
#define TMI_BLANK_INT  (int32_t)0x80808080
#define TMI_LAST_INT   (int32_t)0x80808000
#define TMI_EMPTY_NAME TMI_BLANK_INT, TMI_BLANK_INT, TMI_LAST_INT

/* ---------------------------------------------------------------------------------- the file behind a map */

/* What an item of the file is to the model. */
typedef enum tmi_role {
    TMI_ROLE_RAW = 0, /* nothing: written back as it is */
    TMI_ROLE_OBJECT,  /* stands behind an object of the model */
    TMI_ROLE_ORPHAN,  /* a layer in no group, written back behind the group that it follows */
    TMI_ROLE_STRAY    /* an automapper item that does not speak for a layer; its target is kept up to date */
} tmi_role;

/* Kinds of items that the model knows: types 0 to 7 and, from TMI_KIND_UUID on, the UUID types. */
enum { TMI_KIND_UUID = 8, TMI_KINDS = TMI_KIND_UUID + TM_UUID_COUNT };

/* A range of points or layers. */
typedef struct tmi_index_range {
    int32_t start, num;
} tmi_index_range;

/* What is known of a block of the file. */
typedef struct tmi_file_data {
    const char *text; /* of a block that some item uses as text, else NULL */
    uint32_t size;    /* bytes of the text's block, for settings */
    uint64_t wanted;  /* bytes that an item says it has; 0: none does */
    bool tried;       /* asked for as a text, successfully or not */
    bool is_list;     /* of several texts: the settings */
    bool claimed;     /* some field of the model leads to it */
    bool is_short;    /* it announces fewer bytes than an object needs */
    bool pinned;      /* an item that is carried along leads to it */
    uint8_t fault;    /* what is wrong with it as a text, once that was looked at */
} tmi_file_data;

/* What an item has and the model does not, because it could not be read; bits. */
enum {
    TMI_WITHHELD_ITEM = 1,  /* all of it */
    TMI_WITHHELD_TILES = 2, /* tiles of a layer, or those of another kind in it */
    TMI_WITHHELD_SIZE = 4   /* the size of a tile layer, which is none */
};

/* What is known of an item of the file. */
typedef struct tmi_file_note {
    uint8_t role;     /* tmi_role */
    uint8_t known;    /* how many ints the model knows of an item that goes on; 0: all */
    uint8_t withheld; /* TMI_WITHHELD_... */
} tmi_file_note;

typedef struct tmi_file {
    tmi_origin base; /* first: a tmi_origin pointer of this file is a tmi_file pointer */
    tm_datafile *datafile;
    tm_allocator allocator;
    tm_mode mode;
    uint64_t block_limit;   /* bytes of one unpacked block */
    tmi_arena arena;        /* texts and these arrays: */
    tmi_file_data *data;    /* by data index */
    tmi_file_note *notes;   /* by item index */
    tmi_index_range *spans; /* by group item of a map: the layers that it really has */
    uint64_t text_bytes;    /* of all texts so far, */
    uint64_t text_limit;    /* and at most */
    uint64_t air_left;      /* bytes that layers may still claim beyond what their data can hold */
    bool is_map;            /* items mean what they mean in a map */
    bool is_pre_2008;       /* they mean what they meant before 2008 */
    bool hold_numbers;      /* items that we do not understand may refer to data by index: never renumber */
    bool ids_count_up[TMI_KINDS]; /* ids were 0, 1, 2, ... */
    uint32_t point_ints;          /* stride of the points item: 6 or 22 */
    int32_t items[TMI_KINDS];     /* by kind: the first one, TM_NONE if there is none */
    uint32_t counts[TMI_KINDS];
    uint16_t
        uuid_types[TM_UUID_COUNT]; /* numbers of the UUID types in this file, valid when the count is not 0 */
} tmi_file;

/* The file behind a map, or NULL. */
const tmi_file *tmi_file_of(const tm_map *map);
const tmi_file *tmi_file_of_block(const tm_block *block);
/* Takes the datafile over, also on failure. */
tm_status tmi_file_new(tmi_file **out, tm_datafile *datafile, const tm_mapfile_options *options,
                       tm_error *error);
/*
 * Of a datafile that lacks an offset (tmi_insert_offset): where it is missing, by what the items of the
 * loaded file want. *index is 0 if that cannot be known.
 */
tm_status tmi_find_missing_offset(uint32_t *index, uint32_t *distance, const tmi_file *file, tm_error *error);
/* The k-th item of a kind; false if there are fewer. *index (may be NULL) receives its index in the file. */
bool tmi_file_item(const tmi_file *file, unsigned kind, uint32_t k, tm_datafile_item *item, uint32_t *index);
/* Whether a number is that of one of the kinds. */
bool tmi_file_knows_type(const tmi_file *file, uint16_t type);
/* No game writes longer texts; a longer block is not unpacked to look for a text in it. */
#define TMI_TEXT_LIMIT     (UINT64_C(64) * 1024)
#define TMI_SETTINGS_LIMIT (UINT64_C(1) * 1024 * 1024)
/* All texts of a map together. Small blocks can unpack to large texts, and overlap besides. */
#define TMI_ALL_TEXTS_LIMIT (UINT64_C(64) * 1024 * 1024)

/* -------------------------------------------------------------------------------- the two-way description */

typedef enum tmi_pass { TMI_LOAD, TMI_COLLECT, TMI_STORE } tmi_pass;

/* A data block that is to be written. */
typedef struct tmi_claim {
    enum {
        TMI_CLAIM_NOTHING,  /* the field leads nowhere */
        TMI_CLAIM_ORIGIN,   /* block `raw` of the file, as it is */
        TMI_CLAIM_PACKED,   /* the packed bytes of a block of some file, as data of its own */
        TMI_CLAIM_BLOCK,    /* bytes to be packed */
        TMI_CLAIM_TEXT,     /* a text and its NUL */
        TMI_CLAIM_SETTINGS, /* the map's settings */
        TMI_CLAIM_ZEROS     /* `size` zero bytes */
    } kind;
    int32_t raw;   /* the field's own data index in the file, a slot to reuse; TM_NONE if it has none */
    int32_t index; /* result: number in the file that is written */
    const tm_block *block; /* PACKED, BLOCK */
    tmi_encoding view;     /* BLOCK: how it is to stand in the file */
    const char *text;
    tm_address address; /* of the object */
    uint64_t size;      /* ZEROS; BLOCK of run-length tiles: bytes that are packed, the block may be longer */
    const struct tmi_claim *runs; /* of run-length tiles: the claim that they are made of, */
    bool lost_skips;              /* which then knows whether a byte was set where runs have their length */
} tmi_claim;

typedef struct tmi_claims {
    tmi_claim *list;
    size_t num, capacity, cursor;
} tmi_claims;

enum { TMI_ABSENT = 24 }; /* ints of the longest item with fields */

typedef struct tmi_item_io {
    tmi_pass pass;
    tm_status status; /* the first failure; later calls do nothing */
    tm_error *error;
    const tm_allocator *allocator;
    tm_map *map; /* STORE and COLLECT do not change it */
    tmi_file *file;
    tm_mode mode;
    tm_findings *findings;
    tm_address address; /* of the object at hand */
    /* the item at hand */
    uint32_t item; /* LOAD: its index in the file */
    uint8_t
        *body; /* LOAD: the item's bytes, not to be written; COLLECT and STORE: a buffer of `capacity` ints */
    uint32_t num; /* ints */
    size_t capacity;
    bool fresh;                 /* COLLECT, STORE: there is no original behind the object */
    bool differs;               /* STORE: some int was changed */
    int32_t absent[TMI_ABSENT]; /* STORE: what ints after the end of the body stand for, */
    uint32_t absent_set; /* a bit for each that is known; so that making it longer changes none of them */
    uint32_t num_images, num_sounds, num_envelopes; /* that references may lead to */
    uint32_t num_data; /* LOAD, COLLECT: of the file; STORE: of the file that is written */
    tmi_claims claims;
    bool rewrite;  /* COLLECT, STORE: every object is written again, */
    bool contents; /* and what memory holds in another way than the file is packed as memory holds it */
} tmi_item_io;

/*
 * The text in a block, unpacked on first use; *out is NULL, with a finding at the object at hand, if there is
 * none. Only while loading: afterwards the file does not change.
 */
tm_status tmi_file_text(const tmi_item_io *io, const char **out, uint32_t data_index, bool settings);

/* Adds a finding at the object at hand. */
void tmi_io_report(tmi_item_io *io, tm_finding_id id, const char *format, ...) TMI_PRINTF(3, 4);

/* LOAD: notes that the item at hand may go on behind its first `most` ints, which nothing reads. */
void tmi_io_unknown(tmi_item_io *io, uint32_t most);
/* Reports that the item at hand goes on behind its first `most` ints, with which every version of it ends. */
void tmi_io_most(tmi_item_io *io, uint32_t most);

/* An int of the body; `missing` if the body is too short. */
int32_t tmi_io_raw(const tmi_item_io *io, uint32_t k, int32_t missing);
/* Writes an int, making the body longer with `filler` where it must. */
void tmi_io_put(tmi_item_io *io, uint32_t k, int32_t value);
/* STORE: says what int `k` stands for as long as the body ends before it. The fields do so by themselves. */
void tmi_io_absent(tmi_item_io *io, uint32_t k, int32_t value);
/*
 * Makes the body at least `num` ints long; new ones are what they stood for while they were absent, else
 * `filler`.
 */
void tmi_io_need(tmi_item_io *io, uint32_t num, int32_t filler);

/* Fields. `k` is the int's index, `missing` what a body that is too short stands for. */
void tmi_io_int(tmi_item_io *io, uint32_t k, int32_t *value, int32_t missing);
void tmi_io_bool(tmi_item_io *io, uint32_t k, bool *value, bool missing);
void tmi_io_bit(tmi_item_io *io, uint32_t k, int32_t bit, bool *value);
void tmi_io_name(tmi_item_io *io, uint32_t k, uint32_t num_ints, char *name, tm_finding_id id);
/* An index of an item of kind TM_ITEM_IMAGE, _SOUND or _ENVELOPE; `name` is for findings. */
void tmi_io_reference(tmi_item_io *io, uint32_t k, int32_t *index, unsigned kind, const char *name);
/*
 * An empty text is written as none, as both games do for info texts and DDNet does for names. `unread` is
 * where the object keeps the block of a text that cannot be read.
 */
void tmi_io_text(tmi_item_io *io, uint32_t k, const char **text, tm_block **unread);
/*
 * Of a block of which the file says that it has no bytes, though it has some: how many they are at most. Else
 * 0.
 */
uint64_t tmi_unread_bytes(const tmi_file *file, uint32_t data_index);
/* Loading: the block of int k should have `size` bytes, if that is not 0. */
void tmi_io_want(tmi_item_io *io, uint32_t k, uint64_t size);
/*
 * A block of `size` bytes in memory, or of the announced size if that is larger or `size` is 0 (RUNS: always
 * `size`). `id` is the finding for an index that leads nowhere, and for data that can hold far less
 * (TMI_AIR_LIMIT): there is no block then, and the file keeps its index.
 */
void tmi_io_block(tmi_item_io *io, uint32_t k, tm_block **block, tmi_encoding view, uint64_t size,
                  tm_finding_id id);
/* Bytes of a block as the table of the written file says: what stays packed keeps what its own file says. */
uint64_t tmi_announced_size(const tm_block *block);
/* A data index that leads to `size` zero bytes which the model does not hold. Only for fresh items. */
void tmi_io_zeros(tmi_item_io *io, uint32_t k, uint64_t size);
/*
 * A block of elements. Where it is empty, one element of zeros is written, as DDNet does: no game reads an
 * empty block.
 */
void tmi_io_elements(tmi_item_io *io, uint32_t k, tm_block **block, tmi_encoding view, uint64_t element);
void tmi_io_settings(tmi_item_io *io, uint32_t k, tm_info *info);

/* I32Strings (section 2.14). `text` takes 4 * num bytes. */
void tmi_name_decode(char *text, const uint8_t *ints, uint32_t num);
void tmi_name_encode(uint8_t *ints, uint32_t num, const char *text);

/* -------------------------------------------------------------------------------------------------- kinds */

/* One for each kind of item; the pass in the item io says which way. */
void tmi_item_version(tmi_item_io *io, int32_t *version);
void tmi_item_info(tmi_item_io *io, tm_info *info);
void tmi_item_image(tmi_item_io *io, tm_image *image);
void tmi_item_sound(tmi_item_io *io, tm_sound *sound);
/*
 * start and num lead into the points item, which envelope_points.c takes care of; `point_ints` 22 (its long
 * form) makes the item a version 3.
 */
void tmi_item_envelope(tmi_item_io *io, tm_envelope *envelope, int32_t *start, int32_t *num,
                       uint32_t point_ints);
/* Whether the envelope item at hand has a name for its readers. */
bool tmi_envelope_has_name(const tmi_item_io *io);
void tmi_item_group(tmi_item_io *io, tm_group *group, int32_t *start, int32_t *num);
void tmi_item_group_ex(tmi_item_io *io, tm_group *group);
void tmi_item_layer(tmi_item_io *io, tm_layer *layer);
/* The data block that the item of a loaded tile layer names as its own tiles; TM_NONE: none of the file. */
int32_t tmi_layer_data_index(const tmi_file *file, const tm_layer *layer);
void tmi_item_automapper(tmi_item_io *io, tm_automapper *automapper, int32_t group, int32_t layer);

/* ------------------------------------------------------------------------------------------------- points */

/* LOAD: gives each envelope its points. */
tm_status tmi_points_load(tmi_item_io *io, const tmi_index_range *ranges);

/* The points of all envelopes as they stand in a file, or are to be written. */
typedef struct tmi_points {
    uint8_t *points;      /* body of the points item; NULL: none */
    uint32_t points_size; /* bytes of the item, which may be longer than its points */
    uint8_t *bezier;      /* body of DDNet's bezier item; NULL: none, or it does not count */
    uint32_t bezier_size;
    uint32_t num;            /* points */
    uint32_t ints;           /* of a point: 6 or 22 */
    bool keep;               /* the file's own items say it all; the bodies are not set */
    bool built;              /* made again: the file's own items say nothing any more */
    bool curves_lost;        /* the game has no place for tangents, and there are some */
    tmi_index_range *ranges; /* for each envelope */
    uint32_t num_ranges;
} tmi_points;
/*
 * STORE: keeps the file's items where they say what the envelopes hold, patches them where only values
 * changed, else makes new ones.
 */
tm_status tmi_points_store(tmi_points *out, tmi_item_io *io);
bool tmi_has_tangents(const tm_envelope *envelope);
void tmi_points_release(tmi_points *points, const tm_allocator *allocator);

/* -------------------------------------------------------------------------------------------------- tiles */

/* Run-length tiles of Teeworlds 0.7 (section 2.8). Both count tiles of 4 bytes. */
typedef enum tmi_runs_fault {
    TMI_RUNS_FINE,
    TMI_RUNS_SHORT,
    TMI_RUNS_LEFT_OVER,
    TMI_RUNS_RESERVED
} tmi_runs_fault;
/*
 * Spreads `num_packed` tiles over `num` tiles; what is missing is zero. Never fails; tells what DDNet would
 * object to. `tiles` may be NULL to be told only.
 */
tmi_runs_fault tmi_runs_decode(uint8_t *tiles, uint64_t num, const uint8_t *packed, uint64_t num_packed);
/*
 * Returns the number of packed tiles; `packed` may be NULL to count only, or be `tiles`, which it replaces.
 */
uint64_t tmi_runs_encode(uint8_t *packed, const uint8_t *tiles, uint64_t num);

/* ------------------------------------------------------------------------------------------------- strict */

/* The rules of DDNet 20.1's loader (section 4.1) that need the whole map. */
tm_status tmi_check_structure(tmi_item_io *io);

#endif

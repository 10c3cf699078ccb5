/* SPDX-License-Identifier: Zlib */
#ifndef TMI_SAVE_MAP_H
#define TMI_SAVE_MAP_H
/*
 * What the files that save a map share. Order of work:
 *   store_items.c   COLLECT pass: the data of all objects                           tmi_data_collect
 *   collect_data.c  a place for each data block, blocks to the writer                 tmi_data_place
 *   store_items.c   STORE pass: items to the writer                                  tmi_store_items
 *   save_map.c      which objects are written, where groups and layers stand; all steps, from first to last
 */
#include "mapfile.h"

/*
 * A layer by its place in the model; group TMI_ORPHAN: layer item `layer` of the file, which is in no
 * group.
 */
typedef struct tmi_spot {
    uint32_t group, layer;
} tmi_spot;
#define TMI_ORPHAN UINT32_MAX

/* What is to become of a layer of the map. */
typedef struct tmi_saved_layer {
    bool lost;      /* the game cannot hold it */
    uint32_t place; /* how many layers of its group are written before it */
} tmi_saved_layer;

typedef struct tmi_saved_group {
    tmi_saved_layer *layers;
    tmi_index_range span; /* first layer item and number, as it will be written */
} tmi_saved_group;

/* What became of a layer item of the file. */
typedef struct tmi_file_layer {
    bool found;    /* it is still there */
    tmi_spot spot; /* where */
} tmi_file_layer;

typedef struct tmi_saver {
    tmi_item_io io;
    const tm_map *map;
    const tmi_file *file; /* whose items are kept; NULL when there is none or all is written again */
    tm_mapfile_save_options options;
    tm_findings *findings;
    tm_datafile_writer *writer;
    tmi_arena arena; /* for the tables below and bytes that are written */

    /* plan */
    tmi_spot *layers; /* the layer items in the order in which they are written */
    uint32_t num_layers;
    tmi_saved_group *saved_groups;
    bool same_structure;         /* groups own the same layer items as in the file */
    tmi_file_layer *file_layers; /* by layer item of the file */

    /* data */
    uint64_t rescued;        /* bytes of damaged blocks that are packed again */
    uint64_t made;           /* bytes that are unpacked or made in order to be packed */
    tmi_intern made_keys;    /* data that several claims may be made of, */
    tmi_claim **made_claims; /* and the first claim of each */

    /* items */
    bool *item_used; /* by item of the file: something stands for it already */
    /*
     * Of kinds whose ids do not count up, once a new id is needed: a bit for each that is used, and where
     * to look on.
     */
    uint8_t *ids[TMI_KINDS];
    uint32_t next_id[TMI_KINDS];
    /* by automapper item of the file: the layer that it speaks for now; group TMI_ORPHAN: none */
    tmi_spot *automapper_at;
    uint32_t num_automappers; /* written so far */
    bool has_group_ex;        /* some group has parallax zoom */
    bool has_automappers;     /* some layer has an automapper */
    tmi_points points;
} tmi_saver;

/* Zeroed memory that lives as long as the saver; NULL sets io.status. */
void *tmi_saver_alloc(tmi_saver *saver, size_t count, size_t size);

/* Whether an object is written from nothing: new, of another file, or everything is. */
bool tmi_is_fresh(const tmi_saver *saver, tm_origin origin);
/*
 * Puts the item io on an object: a copy of the item that it came from, or an empty one; and on the object's
 * claims.
 */
void tmi_saver_enter(tmi_saver *saver, tm_address address, tm_origin origin);
/* Adds the finding that a game cannot hold a part of an object. */
void tmi_saver_lose(tmi_saver *saver, tm_game game, tm_part part, tm_address address);
/* Adds a finding about an object. */
void tmi_saver_report(tmi_saver *saver, tm_finding_id id, tm_address address, const char *format, ...)
    TMI_PRINTF(4, 5);

/*
 * Begins with a writer to which the whole map was added as its game writes it again, and which is not
 * finished: what its blocks hold is what a map has that was made of the same content. tmi_save_end ends it,
 * in any case.
 */
tm_status tmi_contents_begin(tmi_saver *saver, const tm_map *map, tm_error *error);
/* Begins with which data blocks a map needs, as if it were saved, with whose they are; ended the same way. */
tm_status tmi_claims_begin(tmi_saver *saver, const tm_map *map, tm_error *error);
void tmi_save_end(tmi_saver *saver);

tm_status tmi_data_collect(tmi_saver *saver);
tm_status tmi_data_place(tmi_saver *saver);
/* Adds all items to the writer. */
tm_status tmi_store_items(tmi_saver *saver);

#endif

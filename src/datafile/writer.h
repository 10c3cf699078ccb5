/* SPDX-License-Identifier: Zlib */
#ifndef TMI_DATAFILE_WRITER_H
#define TMI_DATAFILE_WRITER_H
/*
 * Internal side of writing: what was added, and the steps of finishing: numbers for UUID types and a new head
 * (write_head.c), packing (pack.c), and the order of all this, with the question whether the source's layout
 * can stay (write_datafile.c).
 */
#include "datafile.h"

/* An item that was added. */
typedef struct tmi_new_item {
    const uint8_t *body; /* in writer->bodies */
    uint32_t size;
    uint32_t uuid; /* 1 + its index in writer->uuids; 0: a type with a number */
    int32_t source_item;
    uint16_t type; /* of a UUID item: known after tmi_number_types */
    uint16_t id;
} tmi_new_item;

/* A UUID type that items were added for. */
typedef struct tmi_new_uuid {
    tm_uuid uuid;
    uint16_t number; /* known after tmi_number_types */
} tmi_new_uuid;

typedef enum tmi_block_kind {
    TMI_BLOCK_BYTES, /* the caller's bytes, to be packed */
    TMI_BLOCK_LAZY,  /* the caller's bytes, fetched when they are needed */
    TMI_BLOCK_MADE,  /* as LAZY, and only then it is known how many they are */
    TMI_BLOCK_FROM,  /* of another datafile, untouched */
    TMI_BLOCK_AGAIN  /* what another block of this writer holds */
} tmi_block_kind;

/* A block that was added. */
typedef struct tmi_pending_data {
    tmi_block_kind kind;
    int level;              /* of libdeflate, 0..12 */
    bool by_zlib;           /* packed as the games do; known once tmi_pack_blocks has begun */
    bool repack;            /* FROM: unpack it and pack it again if it is fine */
    uint64_t size;          /* unpacked; MADE: at most, until tmi_pack_blocks */
    uint64_t packed_size;   /* in the new file; known after tmi_pack_blocks */
    const void *bytes;      /* BYTES */
    tmi_fetch_bytes *fetch; /* LAZY, MADE */
    void *fetch_ctx;
    const tm_datafile *source; /* FROM */
    uint32_t source_index;     /* AGAIN: the number of the other block */
    uint32_t like;             /* BYTES, LAZY, MADE: 1 + the source's block that may hold the same; or 0 */
    uint8_t *packed;           /* made by tmi_pack_blocks, packed_size bytes; else NULL */
    uint64_t hard_cost;        /* while packing: what a hard level may take, in ns; see pack.c */
    int hard_level;            /* while packing: the level that was asked for; 0: `level` is */
} tmi_pending_data;

struct tm_datafile_writer {
    const tm_allocator *allocator;
    tm_datafile_writer_options options;
    uint32_t version; /* of the new file */
    tmi_arena bodies;
    tmi_new_item *items;
    size_t num_items;
    size_t items_capacity;
    tmi_new_uuid *uuids;
    size_t num_uuids;
    size_t uuids_capacity;
    tmi_pending_data *blocks;
    size_t num_blocks;
    size_t blocks_capacity;
    bool packed;     /* tmi_pack_blocks has run */
    bool as_games;   /* blocks of the usual level are packed by zlib */
    uint64_t *order; /* items as they stand in the file: type << 32 | index; known after tmi_number_types */
    size_t order_size;
};

/* Adds an item, whose body is copied, without looking at it. */
tm_status tmi_writer_append(tm_datafile_writer *writer, const tmi_new_item *item, tm_error *error);
static inline const tmi_new_item *tmi_item_in_order(const tm_datafile_writer *writer, size_t position)
{
    return &writer->items[(uint32_t)writer->order[position]];
}

/* Gives numbers to UUID types, adds the index items that are missing, and puts the items in order. */
tm_status tmi_number_types(tm_datafile_writer *writer, tm_error *error);

/* The zlib stream of nothing, as zlib itself writes it. */
enum { TMI_EMPTY_STREAM = 8 };
extern const uint8_t tmi_empty_stream[TMI_EMPTY_STREAM];
/*
 * The unpacked bytes of any block but one that repeats another: those of the caller, or memory that is freed
 * at the end.
 */
typedef struct tmi_held {
    const void *bytes;
    uint64_t size;
    tm_data_state state; /* FROM: as it came out; what comes from the caller is fine */
    void *memory;        /* of memory_size bytes */
    uint64_t memory_size;
} tmi_held;
tm_status tmi_held_open(tmi_held *out, const tm_datafile_writer *writer, const tmi_pending_data *block,
                        tm_error *error);
void tmi_held_close(const tmi_held *held, const tm_datafile_writer *writer); /* also after open has failed */
/* FROM: where the block lies. */
static inline tmi_data_range tmi_source_block(const tmi_pending_data *block)
{
    return tmi_block_at(block->source, block->source_index);
}
/*
 * Makes the packed bytes of every block that has none; what holds the same as the source's block that it is
 * like becomes that one (FROM).
 */
tm_status tmi_pack_blocks(tm_datafile_writer *writer, const tm_job *job, tm_error *error);
/* Packs those of `num` blocks by zopfli that it is given and that become smaller; all are packed already. */
tm_status tmi_pack_smallest(tm_datafile_writer *writer, const uint32_t *blocks, uint32_t num,
                            const tm_job *job, tm_error *error);
/* Whether the bytes of a block of a datafile can stand in the new file as they are. */
static inline bool tmi_stays_packed(const tm_datafile_writer *writer, const tmi_pending_data *block)
{
    return block->kind == TMI_BLOCK_FROM && block->source->plan.version == writer->version && !block->packed;
}

/*
 * Builds a head in the layout of section 1.7. With keep_data the table of the source's data stays as it is.
 */
tm_status tmi_new_head(const tm_datafile_writer *writer, bool keep_data, uint8_t **head, size_t *size,
                       tm_error *error);

#endif

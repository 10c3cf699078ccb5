/* SPDX-License-Identifier: Zlib */
#ifndef TMI_DATAFILE_H
#define TMI_DATAFILE_H
/*
 * Internal side of datafile/: the opened file, where its parts lie, and what the files of this room share.
 * Sections are those of docs/format.md. Does not know maps.
 */
#include <teemap/datafile.h>
#include <teemap/files.h>
#include <teemap/jobs.h>

#include "../codec/codec.h"

#include <stdatomic.h>

/*
 * The head (section 1.1). All integers are little-endian.
 *
 * OFFSET SIZE   MEANING
 *      0    4   magic, DATA or ATAD
 *      4    4   version, 3 or 4
 *      8    4   size: bytes of the file after offset 16
 *     12    4   swaplen: bytes of the head after offset 16
 *     16    4   number of item types, T
 *     20    4   number of items, I
 *     24    4   number of data blocks, D
 *     28    4   bytes of the item section
 *     32    4   bytes of the data section
 *     36  12*T  item types: type, first item, number of items
 *         4*I   item offsets, from the start of the item section
 *         4*D   data offsets, from the start of the data section
 *         4*D   unpacked sizes (version 4 only)
 *               item section: for each item type << 16 | id, body size, body
 *               data section
 */
enum {
    TMI_AT_VERSION = 4,
    TMI_AT_SIZE = 8,
    TMI_AT_SWAPLEN = 12,
    TMI_AT_NUM_TYPES = 16,
    TMI_AT_NUM_ITEMS = 20,
    TMI_AT_NUM_DATA = 24,
    TMI_AT_ITEM_SIZE = 28,
    TMI_AT_DATA_SIZE = 32,
    TMI_FIXED_HEAD = 36,
    TMI_TYPE_ENTRY = 12,
    TMI_ITEM_HEAD = 8,
    TMI_UNCOUNTED = 16 /* bytes at the start of the file that size and swaplen leave out */
};

/* The counts and sizes of the header, none negative, and the offsets of the parts that follow. */
typedef struct tmi_item_layout {
    uint32_t version;
    uint32_t num_types;
    uint32_t num_items;
    uint32_t num_data;
    uint32_t item_size;
    uint32_t data_size;
    uint64_t types_at;
    uint64_t item_offsets_at;
    uint64_t data_offsets_at;
    uint64_t data_sizes_at;
    uint64_t items_at;
    uint64_t data_at; /* also the size of the head */
} tmi_item_layout;
/* Fills in the positions from the numbers. */
void tmi_item_layout_place(tmi_item_layout *plan);

/* A type that the type table announces, cut to the items that exist. */
typedef struct tmi_range {
    uint16_t type;
    uint32_t first;
    uint32_t num;
} tmi_range;

/* Where an item really lies. */
typedef struct tmi_item_place {
    uint32_t at;   /* of its header, in the item section */
    uint32_t size; /* bytes of the body */
    uint16_t type;
    uint16_t id;
    bool usable;
    bool gone; /* neither a type nor bytes: no item at all */
} tmi_item_place;

/*
 * A place for the unpacked bytes of a block. They are there as long as somebody uses them: the callers of
 * tm_datafile_data_bytes, together one user, until tm_datafile_drop; and each block of a map that shows
 * them.
 */
typedef struct tmi_slot {
    bool raw;      /* tm_datafile_data_bytes is one of the users */
    uint8_t state; /* tm_data_state */
    uint32_t users;
    void *bytes; /* of tmi_bytes_new; NULL without users */
} tmi_slot;

/* The tools of a thread for its work on blocks; each part is made on first use. */
typedef struct tmi_worker {
    const tm_allocator *allocator;
    tmi_inflater *inflater;
    tmi_deflater *deflater;
    int level; /* the deflater's */
    uint8_t *scratch;
    size_t capacity;
    /* of the last block: how it came out of its packing, and how many bytes; the rest are zeros */
    tm_data_state state;
    size_t got;
    uint32_t in_scratch; /* of a visit: the block whose bytes scratch begins with, and one more; 0: none */
} tmi_worker;

/* What threads change that only read the file. */
typedef struct tmi_shared {
    _Atomic(tmi_worker *) spare;
    tmi_account account; /* the unpacked bytes of this file and its maps */
    tmi_mutex lock;      /* guards the slots; a thread holds it for a few instructions */
} tmi_shared;

struct tm_datafile {
    const tm_allocator *allocator;
    tm_input input;
    tm_limits limits;
    tm_mode mode;
    tm_datafile_header header;
    tmi_item_layout plan;
    const uint8_t *head;
    size_t head_have;    /* bytes of the head that the file has; less than plan.data_at only in salvage */
    uint32_t items_have; /* bytes of the item section that the file has */
    uint32_t num_types;  /* how many of each can be reached */
    uint32_t num_items;
    uint32_t num_data;
    bool sizes_fine;       /* size and swaplen have one of their two forms */
    bool plain;            /* types, item offsets and item headers are as every writer makes them */
    uint8_t *rebuilt_head; /* the head if it is not the file's, but made in mode salvage; else NULL */
    int64_t shift;     /* how much later items and data lie in the file than the head says; 0 without one */
    bool lacks_offset; /* version 3: the offset of a block is missing; the last one stands for it */
    bool boasts;     /* blocks announce too much: none is believed more than it can hold (tmi_judge_sizes) */
    tmi_arena arena; /* the head, unless the input is in memory, and these tables: */
    tmi_range *runs; /* num_types of them */
    tmi_item_place *places;         /* num_items of them */
    tmi_range index_run;            /* the index items (type 0xFFFF); num is 0 without any */
    uint64_t *index_order;          /* number << 32 | place in the run, ascending; NULL if there are none */
    tmi_slot *slots;                /* num_data of them */
    tmi_shared own_shared, *shared; /* which leads to own_shared, from const handles, too */
};

/* ----------------------------------------------------------------------------------------------- findings */

/* Findings of one opening, and whether one of them means that the file is refused. */
typedef struct tmi_report {
    tm_findings *findings;
    tm_mode mode;
    tm_error *error; /* receives the first finding that refuses */
    tm_status status;
    uint32_t num; /* of findings so far, also those of which nobody wants to hear */
} tmi_report;

/*
 * Reports a finding at `offset`. `kind` and `index` name its place ("item" 5); a NULL kind means the whole
 * file. Only findings that refuse the file in the report's mode change report->status.
 */
void tmi_report_at(tmi_report *report, tm_finding_id id, uint64_t offset, const char *kind, uint32_t index,
                   const char *format, ...) TMI_PRINTF(6, 7);

/* ------------------------------------------------------------------------------------------------ opening */

/* Whether a file that begins with these four bytes is a datafile. */
bool tmi_is_magic(const uint8_t *bytes);
/* What a file is by its first bytes, if it is known and no datafile; NULL else. */
const char *tmi_other_file(const uint8_t *bytes, size_t have);
/* What the 36 bytes say; false if the version is unknown or a count is negative. */
bool tmi_claimed_layout(tmi_item_layout *plan, const uint8_t *bytes);
/* Whether the plan, the whole head that it says, and the size of the file agree. */
bool tmi_layout_holds(const tmi_item_layout *plan, const uint8_t *head, uint64_t file_size);
/*
 * Mode salvage: if the bytes of the file show another layout than its header says, makes a head that says it,
 * sets head, rebuilt_head and shift, and reports layout-rebuilt.
 */
tm_status tmi_rebuild_head(tm_datafile *datafile, tmi_report *report, tm_error *error);
/*
 * Mode salvage, with the datafile open and nothing unpacked: puts rows of the table of blocks right that the
 * zlib streams contradict, and reports layout-rebuilt for each. Unpacks the data once.
 */
tm_status tmi_mend_data_table(tm_datafile *datafile, tm_findings *findings, tm_error *error);
/* Of a datafile that lacks an offset: block `index`, above 0, begins `distance` behind the one before it. */
void tmi_insert_offset(tm_datafile *datafile, uint32_t index, uint32_t distance);
/* The 36 bytes: fills header and plan. False if nothing further can be read; report->status says why. */
bool tmi_read_header(tm_datafile *datafile, const uint8_t *bytes, size_t have, tmi_report *report);
/* Fills in runs and places, and sets plain. */
tm_status tmi_make_out_items(tm_datafile *datafile, tmi_report *report, tm_error *error);
tm_status tmi_check_ids(tm_datafile *datafile, tmi_report *report, tm_error *error);
/* Whether the blocks lie one behind the other from the first byte of the data on; some may be empty. */
bool tmi_check_data_table(const tm_datafile *datafile, tmi_report *report);
/* Finds the index items and reports what is missing or doubled. */
tm_status tmi_read_index(tm_datafile *datafile, tmi_report *report, tm_error *error);

/* ------------------------------------------------------------------------------------------------- access */

/* The UUID that an index item holds; false if it is too short. */
bool tmi_index_uuid(const tm_datafile_item *item, tm_uuid *uuid);
/* Between the order of a UUID and that of its item: integers of four bytes, the first one highest. */
void tmi_turn_uuid(uint8_t out[16], const uint8_t from[16]);

/* The place of a block, its announced size, and whether its place is unusable. */
typedef struct tmi_data_range {
    const tm_datafile *datafile;
    uint32_t index;
    uint64_t offset;
    uint64_t packed_size;
    uint64_t size;      /* unpacked: what is announced, if that is believed */
    uint64_t announced; /* by the table */
    uint64_t most;      /* that the packed bytes can hold */
    bool bad;
} tmi_data_range;
/* Whether a block that announces no bytes has none: its stream is not longer than one of nothing. */
bool tmi_is_nothing(const tmi_data_range *block);
tmi_data_range tmi_block_at(const tm_datafile *datafile, uint32_t index);
/*
 * Missing bytes are zeros, at most TMI_AIR_LIMIT of them in a file. Where blocks announce more than that
 * beyond what their packed bytes can hold at most, each is as large as what it can hold.
 */
void tmi_judge_sizes(tm_datafile *datafile);

/* ---------------------------------------------------------------------------------------------- unpacking */

/* A worker for one call, the spare one if it is free; NULL: out of memory. */
tmi_worker *tmi_worker_take(const tm_datafile *datafile, tm_error *error);
void tmi_worker_give(const tm_datafile *datafile, tmi_worker *worker);
void tmi_worker_free(tmi_worker *worker); /* one that tmi_worker_take made */
/*
 * Unpacks a block into `size` bytes, which may be fewer than announced; the rest is zeroed. `scratch` has
 * room for the packed bytes, unless the input is in memory. The state is then in the worker. Fails only for
 * input and memory.
 */
tm_status tmi_unpack_into(tmi_worker *worker, const tmi_data_range *block, uint8_t *scratch, void *buffer,
                          size_t size, tm_error *error);
/* The first bytes of a block, at most *size; *size receives how many came. The rest is not looked at. */
tm_status tmi_data_head(const tm_datafile *datafile, uint32_t index, void *buffer, size_t *size,
                        tm_error *error);
/* Bytes of scratch that unpacking a block takes. */
uint64_t tmi_scratch_need(const tmi_data_range *block);
/* TM_OK if a block in this state may be used in the datafile's mode. */
tm_status tmi_judge_state(const tmi_data_range *block, tm_data_state state, tm_error *error);
/* tm_datafile_data_bytes with the caller's worker. */
tm_status tmi_data_bytes(const void **bytes, const tm_datafile *datafile, uint32_t index, tmi_worker *worker,
                         tm_error *error);
/*
 * The bytes of a block for one more user, unpacked on first use. A user ends its use; of the last one the
 * bytes are then, to be released and uncounted, and tmi_data_end_use returns true. `last_only`: unless it is
 * the last, its use goes on. Any number of threads may do so at once.
 */
tm_status tmi_data_use(const tm_datafile *datafile, uint32_t index, const void **bytes, tm_error *error);
bool tmi_data_end_use(const tm_datafile *datafile, uint32_t index, bool last_only);
bool tmi_data_in_use(const tm_datafile *datafile, uint32_t index);
/* Copies the bytes if they are there; false if they are not. */
bool tmi_data_copy(const tm_datafile *datafile, uint32_t index, void *buffer, tm_data_state *state);
tm_status tmi_fail_index(tm_error *error, const char *kind, uint32_t index, uint32_t num);
tm_status tmi_check_block_size(const tmi_data_range *block, tm_error *error);
/* Whether unpacking all blocks is a job of a sane size. */
tm_status tmi_check_amplification(const tm_datafile *datafile, tm_error *error);

/* ------------------------------------------------------------------------------------ many blocks at once */

/* Parts of a worker. NULL: out of memory. Scratch keeps nothing when it grows. */
tmi_inflater *tmi_worker_inflater(tmi_worker *worker, tm_error *error);
tmi_deflater *tmi_worker_deflater(tmi_worker *worker, int level, tm_error *error);
uint8_t *tmi_worker_scratch(tmi_worker *worker, uint64_t size, tm_error *error);

/* The worker in the memory that tm_tasks_run hands to each piece; tmi_worker_release frees its parts. */
static inline tmi_worker *tmi_worker_begin(void *memory, const tm_allocator *allocator)
{
    tmi_worker *worker = memory;
    worker->allocator = allocator;
    return worker;
}
void tmi_worker_release(void *ctx, void *memory);

/* How a block comes out of its packing, and how many of its announced bytes do; the rest is zero. */
typedef struct tmi_data_survey {
    tm_data_state state;
    uint64_t got;
} tmi_data_survey;
/* Unpacks every block once. `list` has room for all. Refuses what tmi_datafile_check_data refuses. */
tm_status tmi_survey_data(tmi_data_survey *list, const tm_datafile *datafile, const tm_job *job,
                          tm_error *error);

/* ---------------------------------------------------------------------------- a file without its data */

/*
 * Writes what is needed to make a file again whose blocks hold what the blocks of `contents` hold, a
 * writer that is not finished: all of the file but these blocks, and how they were packed. What cannot be
 * packed again as it was goes along.
 */
tm_status tmi_keep_file(const tm_datafile *datafile, tm_datafile_writer *contents, const tm_output *output,
                        const tm_job *job, tm_error *error);
/* A file that was made again, but for blocks that hold nothing now. */
typedef struct tmi_remade {
    tm_buffer file;
    uint32_t num_gone;  /* blocks whose content is not there any more */
    uint32_t num_other; /* blocks whose content is there, but was packed in a way that cannot be found */
} tmi_remade;
/* The file again. TM_ERROR_DAMAGED if the sidecar's bytes are not what tmi_keep_file wrote. */
tm_status tmi_sidecar_apply(tmi_remade *out, const tm_sidecar *sidecar, tm_datafile_writer *contents,
                            const tm_limits *limits, const tm_job *job, tm_error *error);

/* ------------------------------------------------------------------------- of this library's rooms alone */

/*
 * Unpacks every block and adds a finding for each that is not fine (empty-data, data-broken, data-checksum,
 * data-short, data-long, data-trailing). `visit` may be NULL; otherwise it is called for each block as by
 * tm_datafile_visit, so that its content can be looked at in the same pass; a broken block may come with
 * fewer bytes than announced.
 */
tm_status tmi_datafile_check_data(const tm_datafile *datafile, tm_datafile_visitor visit, void *ctx,
                                  const tm_job *job, tm_findings *findings, tm_error *error);
/* The packed bytes of a block into `buffer`, which has room for them. */
tm_status tmi_datafile_read_packed(const tm_datafile *datafile, uint32_t index, void *buffer,
                                   tm_error *error);
/*
 * As tm_datafile_writer_add_data.
 * add_lazy: the bytes are asked for when they are to be packed, by `fetch`, which fills *size bytes and may
 * be called from any of the job's threads.
 * add_made: as add_lazy, for bytes whose number is not known before: `make` may fill up to *size bytes, which
 * is `most`, and sets *size to how many they are.
 * add_again: what block `of` of this writer holds, which was added before: packed once, and written again.
 */
typedef tm_status tmi_fetch_bytes(void *ctx, void *buffer, uint64_t *size, tm_error *error);
tm_status tmi_datafile_writer_add_lazy(int32_t *index, tm_datafile_writer *writer, uint64_t size,
                                       tmi_fetch_bytes *fetch, void *ctx, tm_error *error);
tm_status tmi_datafile_writer_add_made(int32_t *index, tm_datafile_writer *writer, uint64_t most,
                                       tmi_fetch_bytes *make, void *ctx, tm_error *error);
tm_status tmi_datafile_writer_add_again(int32_t *index, tm_datafile_writer *writer, uint32_t of,
                                        tm_error *error);
/*
 * Says that block `index`, which was added as data, lazy or made, may hold what block `source_index` of
 * options.source. If it turns out to when it is to be packed, the source's packed bytes are written instead:
 * who changes data and changes them back gets the same file. It costs unpacking the source's block. Only
 * streams without a fault are taken, in a file of the source's version.
 */
void tmi_datafile_writer_reuse(tm_datafile_writer *writer, uint32_t index, uint32_t source_index);
/*
 * Packs blocks of the usual level as the games do, by zlib at its level 6, for files that are to equal those
 * of the games. What goes beyond 256 MiB is left to libdeflate.
 */
void tmi_datafile_writer_pack_as_games(tm_datafile_writer *writer);
/* Number of blocks added so far. */
uint32_t tmi_datafile_writer_num_data(const tm_datafile_writer *writer);

#endif

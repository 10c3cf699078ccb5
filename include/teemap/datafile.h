/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_DATAFILE_H
#define TEEMAP_DATAFILE_H
/*
 * teemap/datafile.h - the container: typed items of 32-bit integers and packed data blocks. Knows nothing
 * about maps. The format: docs/format.md section 1.
 *
 * Reading: tm_datafile_open, then items by index or by type, data blocks when they are wanted,
 * tm_datafile_close.
 * Writing: tm_datafile_writer_new, add items and data in any order, tm_datafile_writer_finish (also frees).
 *
 * Threads: all functions that take a `const tm_datafile *` may be called by several threads at once.
 * tm_datafile_drop and tm_datafile_close must not run while another thread uses the handle or what they free.
 */
#include <teemap/findings.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Type of the index items that give numbers to UUID types (section 1.12). */
enum { TM_TYPE_UUID_INDEX = 0xFFFF };

/* ------------------------------------------------------------------------------------------------ reading */

typedef struct tm_datafile tm_datafile;

typedef struct tm_datafile_options {
    size_t size;                   /* sizeof(tm_datafile_options) */
    tm_mode mode;                  /* default TM_MODE_GAME */
    const tm_limits *limits;       /* default: all defaults */
    const tm_allocator *allocator; /* default: malloc; must outlive the datafile */
} tm_datafile_options;
#define TM_DATAFILE_OPTIONS_INIT                              \
    {                                                         \
        sizeof(tm_datafile_options), TM_MODE_GAME, NULL, NULL \
    }

/*
 * Opens a datafile. Reads only its head (36 bytes, tables, items) in at most two reads; the data stay where
 * they are. `input` is taken over, also on failure. Fails with TM_ERROR_DAMAGED, _LIMIT or _MEMORY, or
 * as reading failed. `findings` may be NULL.
 *
 * Mode strict refuses what DDNet 20 refuses (section 1.9), after every finding has been reported. Mode game
 * needs a whole head, counts that are not negative, and items that lie inside it. Mode salvage needs 36 bytes
 * with a known magic: an unknown version is read as 4, a negative count as 0, and if the head is cut, only
 * the types, items and blocks count whose entries are there.
 *
 * Memory: the head itself, and at most 64 bytes an item and a block; counts are bounded by the file's size,
 * then by the limits, before anything is allocated. limits->items also bounds the number of types.
 */
TM_API tm_status tm_datafile_open(tm_datafile **out, tm_input input, const tm_datafile_options *options,
                                  tm_findings *findings, tm_error *error);
TM_API void tm_datafile_close(tm_datafile *datafile);
/* Whether two files have the same bytes, from the first to the last. */
TM_API tm_status tm_datafile_equal(bool *equal, const tm_datafile *a, const tm_datafile *b, tm_error *error);

/* The 36-byte header as it stands in the file, and what was found out about it. */
typedef struct tm_datafile_header {
    char magic[4];
    int32_t version; /* 3 or 4 */
    int32_t size;
    int32_t swaplen;
    int32_t num_item_types;
    int32_t num_items;
    int32_t num_data;
    int32_t item_size; /* bytes */
    int32_t data_size; /* bytes */
    bool crude_size; /* `size` leaves out the table of unpacked sizes, as writers before September 2010 did */
    bool crude_swaplen; /* the same for `swaplen` */
    bool canonical;     /* the layout is that of section 1.7, crude sizes and either magic allowed */
    uint64_t file_size; /* bytes */
    uint64_t head_size; /* bytes before the first data block */
} tm_datafile_header;
TM_API void tm_datafile_get_header(tm_datafile_header *out, const tm_datafile *datafile);

/*
 * An item. `type` is the number in this file: of the type table if the first entry of some type covers the
 * item, else of the item itself. `size` is the bytes of the body as far as it lies in the file: as vanilla
 * does, from the offsets; the item's own size word counts only when the next offset is of no use (finding
 * item-gap). In mode salvage an item whose place is damaged (finding bad-item-offset) has size 0; if even its
 * header lies outside, it has no body either, and offset -1.
 */
typedef struct tm_datafile_item {
    uint16_t type;
    uint16_t id;
    uint32_t size;       /* a multiple of 4, but for damaged files */
    const uint8_t *body; /* borrowed until tm_datafile_close: little-endian integers, at any alignment */
    int64_t offset;      /* of the item's header in the file */
} tm_datafile_item;

TM_API uint32_t tm_datafile_num_items(const tm_datafile *datafile);
/* Item by its index in the file; an index out of range gives an all-zero item and false. */
TM_API bool tm_datafile_get_item(tm_datafile_item *out, const tm_datafile *datafile, uint32_t index);
/* The k-th integer of an item's body, or `missing` if the body is too short. */
TM_API int32_t tm_datafile_item_int(const tm_datafile_item *item, uint32_t k, int32_t missing);

/*
 * The types in the order of the file's type table. Where that is damaged (finding bad-type-table), each type
 * that an item has, ascending, with all items of the type, which are numbered in this order then.
 */
typedef struct tm_datafile_type {
    uint16_t type;
    uint32_t first; /* index of its first item */
    uint32_t num;   /* clamped to the items that exist */
    bool has_uuid;  /* type is above 0x8000, not 0xFFFF, and an index item names its UUID */
    tm_uuid uuid;
} tm_datafile_type;
TM_API uint32_t tm_datafile_num_types(const tm_datafile *datafile);
TM_API bool tm_datafile_get_type(tm_datafile_type *out, const tm_datafile *datafile, uint32_t index);
/*
 * The type with a number, or the number of a UUID (first match in both directions, section 1.12). False if
 * there is none.
 */
TM_API bool tm_datafile_find_type(tm_datafile_type *out, const tm_datafile *datafile, uint16_t type);
TM_API bool tm_datafile_find_uuid(tm_datafile_type *out, const tm_datafile *datafile, const tm_uuid *uuid);

/*
 * How a block came out of its packing. Of a broken block the bytes that could be read are there, and the
 * rest is zero. If the file ends inside a block, what is left of the block counts.
 */
typedef enum tm_data_state {
    TM_DATA_FINE = 0,
    TM_DATA_TRAILING, /* fine; bytes follow the stream inside the block's range */
    TM_DATA_EMPTY,    /* announced as zero bytes */
    TM_DATA_SHORT,    /* fewer bytes than announced; the rest is zero */
    TM_DATA_LONG,     /* more bytes than announced; cut */
    TM_DATA_CHECKSUM, /* all bytes are there, the checksum is wrong */
    TM_DATA_BROKEN    /* not a zlib stream, or broken midway, or placed outside the data */
} tm_data_state;

typedef struct tm_datafile_data {
    uint64_t offset;      /* of the packed bytes in the file */
    uint64_t packed_size; /* bytes, as far as they lie in the file */
    /*
     * Unpacked bytes, as announced. If the blocks of a file announce 64 MiB more than their packed bytes can
     * hold, each has only what these can hold.
     */
    uint64_t size;
} tm_datafile_data;
TM_API uint32_t tm_datafile_num_data(const tm_datafile *datafile);
TM_API bool tm_datafile_get_data(tm_datafile_data *out, const tm_datafile *datafile, uint32_t index);

/*
 * Unpacks a block. Mode strict fails with TM_ERROR_DAMAGED unless the state is FINE or TRAILING; mode game
 * fails only for BROKEN; mode salvage never fails for the content. `state` may be NULL and is set also on
 * failure.
 *
 * If the state is too bad for the mode, the call fails: read_data has filled the buffer all the same, and
 * *bytes of data_bytes is NULL.
 *
 * read_data: into the caller's buffer of `size` bytes, as many as tm_datafile_data says. Keeps nothing.
 * data_bytes: into the library's memory, which maps of this file share; *bytes is borrowed until
 * tm_datafile_drop or _close. Counts once against limits->unpacked_bytes, whoever shares it.
 * read_packed: the packed bytes as they are in the file, into a buffer of packed_size bytes.
 */
TM_API tm_status tm_datafile_read_data(tm_data_state *state, const tm_datafile *datafile, uint32_t index,
                                       void *buffer, uint64_t size, tm_error *error);
TM_API tm_status tm_datafile_data_bytes(const void **bytes, tm_data_state *state, const tm_datafile *datafile,
                                        uint32_t index, tm_error *error);
/*
 * Ends what tm_datafile_data_bytes and tm_datafile_unpack began: the bytes are freed, unless maps still use
 * them. NULL datafiles and blocks that are not kept are left alone.
 */
TM_API void tm_datafile_drop(tm_datafile *datafile, uint32_t index);

/*
 * Unpacks many blocks on the job's executor, largest first, within the job's memory budget. `indices` NULL
 * means all; `num` is then ignored.
 *
 * tm_datafile_unpack keeps them as tm_datafile_data_bytes does. tm_datafile_visit hands each to `visit` from
 * a worker thread and then forgets it; `visit` is called for broken blocks too (with the state), and by
 * several threads at once; a status other than TM_OK stops the job and is returned.
 *
 * Other errors are those of the block with the lowest index, for any number of threads; blocks above it may
 * or may not have been done. A visit to all blocks of a damaged file could take for ever: it is refused with
 * TM_ERROR_LIMIT if the blocks overlap more than 16 times.
 */
TM_API tm_status tm_datafile_unpack(const tm_datafile *datafile, const uint32_t *indices, uint32_t num,
                                    const tm_job *job, tm_error *error);
typedef tm_status (*tm_datafile_visitor)(void *ctx, uint32_t index, const void *bytes, uint64_t size,
                                         tm_data_state state);
TM_API tm_status tm_datafile_visit(const tm_datafile *datafile, const uint32_t *indices, uint32_t num,
                                   tm_datafile_visitor visit, void *ctx, const tm_job *job, tm_error *error);

/* ------------------------------------------------------------------------------------------------ writing */

typedef struct tm_datafile_writer tm_datafile_writer;

typedef struct tm_datafile_writer_options {
    size_t size;                   /* sizeof(tm_datafile_writer_options) */
    const tm_allocator *allocator; /* default: malloc */
    /*
     * The file that the content came from, if any; must stay open until finish. Its version, magic and crude
     * sizes are kept. When the items written are the source's items, one for one with the same types, ids and
     * sizes, and the data are its blocks untouched and in order, then its layout is kept to the last byte,
     * gaps, odd offsets and bytes after the end included. When only the data are such, the data section, its
     * table and what follows it are kept, behind a new head. Otherwise the layout is that of section 1.7.
     */
    const tm_datafile *source;
    int version; /* 3 or 4; default the source's, else 4. Converting from 4 to 3 unpacks, from 3 to 4 packs */
    bool reversed_magic;  /* write ATAD; only looked at without a source */
    /* never keep the source's layout, write full sizes, give items of one type and id ids of their own */
    bool force_canonical;
    int level;            /* 1..12 as in libdeflate; default 6. -1: packed without compression (level 0) */
    uint64_t file_bytes;  /* most bytes of the file; default what the format holds, 2 GiB */
    bool smaller;         /* a block of a file that is packed anew stays as it was unless it gets smaller */
    /*
     * Every block that is packed, up to TM_ZOPFLI_BYTES of content, is packed by zopfli, too, and the smaller
     * one of both is written. This takes a hundred times as long: seconds to minutes a block. Blocks are
     * packed in parts of 1 MB, side by side; progress is told, and cancelling heard, after each. Not for
     * blocks that are packed at level -1. TM_ERROR_UNSUPPORTED without zopfli (tm_zopfli_available, which
     * tells what zopfli does for memory, too).
     */
    bool smallest;
} tm_datafile_writer_options;
#define TM_DATAFILE_WRITER_OPTIONS_INIT                                                     \
    {                                                                                       \
        sizeof(tm_datafile_writer_options), NULL, NULL, 0, false, false, 0, 0, false, false \
    }

TM_API tm_status tm_datafile_writer_new(tm_datafile_writer **out, const tm_datafile_writer_options *options,
                                        tm_error *error);
/* Drops a writer that is not to be finished. */
TM_API void tm_datafile_writer_free(tm_datafile_writer *writer);

/*
 * Adds an item, whose body (little-endian integers; `size` is a multiple of 4, unless the source's item has
 * that very size) is copied; its offset does not matter. Items of one type are written in the order in which
 * they are added, the types ascending. `source_item` is the index of the item in the source that this one
 * stands for, or TM_NONE.
 */
TM_API tm_status tm_datafile_writer_add_item(tm_datafile_writer *writer, const tm_datafile_item *item,
                                             int32_t source_item, tm_error *error);
/*
 * Adds an item of a UUID type; that of `item` does not matter. If an index item of that UUID is added too,
 * before or after, its number is used (the first one, as readers do). Otherwise the highest number from
 * 0xFFFE downwards that no item of the file uses is given out at finish, and an index item is appended.
 */
TM_API tm_status tm_datafile_writer_add_uuid_item(tm_datafile_writer *writer, const tm_uuid *uuid,
                                                  const tm_datafile_item *item, int32_t source_item,
                                                  tm_error *error);

/*
 * Adds a data block; *index receives its number, counting from 0 in the order of the calls.
 *
 * add_data: `bytes` are borrowed until finish and packed there, at `level` (0: the writer's).
 * add_from: block `source_index` of another open datafile, its packed bytes untouched; that datafile must
 * stay open until finish. With `recompress` it is unpacked and packed anew at finish, unless its state is
 * neither FINE nor TRAILING: then its packed bytes stay as they are.
 */
TM_API tm_status tm_datafile_writer_add_data(int32_t *index, tm_datafile_writer *writer, const void *bytes,
                                             uint64_t size, int level, tm_error *error);
TM_API tm_status tm_datafile_writer_add_from(int32_t *index, tm_datafile_writer *writer,
                                             const tm_datafile *source, uint32_t source_index,
                                             bool recompress, tm_error *error);

/*
 * Packs on the job's executor, writes the file and frees the writer, also on failure. The same content,
 * options and libdeflate give the same bytes for any number of threads. Packed bytes are not promised to be
 * the same with another version of libdeflate. Fails with TM_ERROR_LIMIT when the file would not fit the
 * format's 32-bit sizes or would be larger than options->file_bytes; nothing has been written then.
 * `findings` receives layout-normalised when an odd layout of the source could not be kept.
 */
TM_API tm_status tm_datafile_writer_finish(tm_datafile_writer *writer, const tm_output *output,
                                           const tm_job *job, tm_findings *findings, tm_error *error);

/*
 * Copies a datafile item by item and block by block: all of the above in one call. With `recompress` every
 * block is unpacked and packed anew.
 */
TM_API tm_status tm_datafile_copy(const tm_datafile *datafile, const tm_output *output,
                                  const tm_datafile_writer_options *options, bool recompress,
                                  const tm_job *job, tm_findings *findings, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif

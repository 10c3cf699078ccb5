/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_DATAFILE_H
#define TEEMAP_DATAFILE_H
/*
 * teemap/datafile.h - the container: typed items of 32-bit integers and packed data blocks. It does not know
 * maps. Format: docs/format.md section 1.
 *
 * Reading: tm_datafile_open, then items by index or by type, data blocks as needed, tm_datafile_close.
 * Writing: tm_datafile_writer_new, add items and data in any order, tm_datafile_writer_finish (also frees).
 *
 * Threads: several threads may call functions that take a `const tm_datafile *` at once. tm_datafile_drop and
 * tm_datafile_close must not run while another thread uses the handle or what they free.
 */
#include <teemap/findings.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Type of the index items that define the numbers of UUID types (section 1.12). */
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
 * Opens a datafile. Reads only its header (36 bytes, tables, items) in at most two reads, but no data.
 * `input` is taken over, also on failure. Fails with TM_ERROR_DAMAGED, _LIMIT or _MEMORY, or like reading.
 * `findings` may be NULL.
 *
 * Mode strict refuses what DDNet 20.1 refuses (section 1.9), after all findings have been reported. Mode game
 * requires a complete header, counts that are not negative, and items inside it. Mode salvage requires 36
 * bytes, with a known magic or items that show what the file is: an unknown version is read as 4, a negative
 * count as 0, and if the header is truncated, only types, items and blocks with existing entries count. If
 * counts or tables contradict the bytes, the layout that the bytes show is read (section 1.14, finding
 * layout-rebuilt), and the header has its counts and sizes; the whole file is in memory while it opens, and
 * every block may be unpacked once.
 *
 * Memory: the header, and at most 64 bytes per item and block. Counts are bounded by the file size, then by
 * the limits, before anything is allocated. limits->items also bounds the number of types.
 */
TM_API tm_status tm_datafile_open(tm_datafile **out, tm_input input, const tm_datafile_options *options,
                                  tm_findings *findings, tm_error *error);
TM_API void tm_datafile_close(tm_datafile *datafile);
/* Compares the bytes of two files. */
TM_API tm_status tm_datafile_equal(bool *equal, const tm_datafile *a, const tm_datafile *b, tm_error *error);

/* The 36-byte header in the file, and derived properties. */
typedef struct tm_datafile_header {
    char magic[4];
    int32_t version; /* 3 or 4 */
    int32_t size;
    int32_t swaplen;
    int32_t num_item_types;
    int32_t num_items;
    int32_t num_data;
    int32_t item_size;  /* bytes */
    int32_t data_size;  /* bytes */
    bool crude_size;    /* `size` does not include the table of unpacked sizes, as before September 2010 */
    bool crude_swaplen; /* the same for `swaplen` */
    bool canonical;     /* the layout of section 1.7; crude sizes and either magic are allowed */
    uint64_t file_size; /* bytes */
    uint64_t head_size; /* bytes before the first data block */
} tm_datafile_header;
TM_API void tm_datafile_get_header(tm_datafile_header *out, const tm_datafile *datafile);

/*
 * An item. `type` is the number in this file: that of the type table if the first entry of a type covers the
 * item, else that of the item itself. `size` is the bytes of the body inside the file, computed from offsets
 * as in vanilla; the item's size field is only used if the next offset is invalid (finding item-gap). In mode
 * salvage, an item with an invalid position (finding bad-item-offset) has size 0; if even its header is
 * outside the file, it has no body and offset -1.
 */
typedef struct tm_datafile_item {
    uint16_t type;
    uint16_t id;
    uint32_t size;       /* a multiple of 4, except in damaged files */
    const uint8_t *body; /* borrowed until tm_datafile_close: little-endian integers, unaligned */
    int64_t offset;      /* of the item's header in the file */
} tm_datafile_item;

TM_API uint32_t tm_datafile_num_items(const tm_datafile *datafile);
/* An item by its index in the file; for an index out of range an all-zero item and false. */
TM_API bool tm_datafile_get_item(tm_datafile_item *out, const tm_datafile *datafile, uint32_t index);
/* The k-th integer of an item's body, or `missing` if the body is too short. */
TM_API int32_t tm_datafile_item_int(const tm_datafile_item *item, uint32_t k, int32_t missing);

/*
 * The types in the order of the type table. If the table is damaged (finding bad-type-table): each type of an
 * item, ascending, with all items of the type, which are then numbered in this order.
 */
typedef struct tm_datafile_type {
    uint16_t type;
    uint32_t first; /* index of its first item */
    uint32_t num;   /* at most the number of existing items */
    bool has_uuid;  /* type is above 0x8000, not 0xFFFF, and an index item has its UUID */
    tm_uuid uuid;
} tm_datafile_type;
TM_API uint32_t tm_datafile_num_types(const tm_datafile *datafile);
TM_API bool tm_datafile_get_type(tm_datafile_type *out, const tm_datafile *datafile, uint32_t index);
/* The type with a number, or the number of a UUID (the first match, section 1.12). False if there is none. */
TM_API bool tm_datafile_find_type(tm_datafile_type *out, const tm_datafile *datafile, uint16_t type);
TM_API bool tm_datafile_find_uuid(tm_datafile_type *out, const tm_datafile *datafile, const tm_uuid *uuid);

/*
 * The result of unpacking a block. For a broken block, the readable bytes are returned, and the rest is zero.
 * If the file ends inside a block, the existing bytes are used.
 */
typedef enum tm_data_state {
    TM_DATA_FINE = 0,
    TM_DATA_TRAILING, /* fine, but bytes follow the stream inside the block */
    TM_DATA_EMPTY,    /* announced as zero bytes */
    TM_DATA_SHORT,    /* fewer bytes than announced; the rest is zero */
    TM_DATA_LONG,     /* more bytes than announced; truncated */
    TM_DATA_CHECKSUM, /* complete, but the checksum is wrong */
    TM_DATA_BROKEN    /* not a zlib stream, broken in the middle, or outside the data */
} tm_data_state;

typedef struct tm_datafile_data {
    uint64_t offset;      /* of the packed bytes in the file */
    uint64_t packed_size; /* bytes inside the file */
    /*
     * Unpacked bytes, as announced. If the blocks of a file announce 64 MiB more than their packed bytes can
     * hold, each has only what they can hold.
     */
    uint64_t size;
} tm_datafile_data;
TM_API uint32_t tm_datafile_num_data(const tm_datafile *datafile);
TM_API bool tm_datafile_get_data(tm_datafile_data *out, const tm_datafile *datafile, uint32_t index);

/*
 * Unpacks a block. Mode strict fails with TM_ERROR_DAMAGED unless the state is FINE or TRAILING; mode game
 * fails only for BROKEN; mode salvage never fails because of the content. `state` may be NULL and is also set
 * on failure.
 *
 * If the mode does not accept the state, the call fails: read_data has filled the buffer anyway, and *bytes
 * of data_bytes is NULL.
 *
 * read_data: to the caller's buffer of `size` bytes, as returned by tm_datafile_data. Keeps nothing.
 * data_bytes: to the library's memory, shared with maps of this file; *bytes is borrowed until
 * tm_datafile_drop or _close. Counts once against limits->unpacked_bytes. read_packed: the packed bytes of
 * the file, to a buffer of packed_size bytes.
 */
TM_API tm_status tm_datafile_read_data(tm_data_state *state, const tm_datafile *datafile, uint32_t index,
                                       void *buffer, uint64_t size, tm_error *error);
TM_API tm_status tm_datafile_data_bytes(const void **bytes, tm_data_state *state, const tm_datafile *datafile,
                                        uint32_t index, tm_error *error);
/*
 * Frees the bytes of tm_datafile_data_bytes and tm_datafile_unpack, unless maps still use them. No effect on
 * NULL datafiles and blocks that are not kept.
 */
TM_API void tm_datafile_drop(tm_datafile *datafile, uint32_t index);

/*
 * Unpacks many blocks on the job's executor, largest first, within the job's memory budget. `indices` NULL
 * means all; `num` is then ignored.
 *
 * tm_datafile_unpack keeps them like tm_datafile_data_bytes. tm_datafile_visit passes each to `visit` from a
 * worker thread and then frees it; `visit` is also called for broken blocks (with the state), and by several
 * threads at once; a status other than TM_OK stops the job and is returned.
 *
 * Other errors are those of the block with the lowest index, for any number of threads; blocks after it may
 * or may not be done. Visiting all blocks of a damaged file could take forever: it is refused with
 * TM_ERROR_LIMIT if blocks overlap more than 16 times.
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
     * The source of the content, if any; must stay open until finish. Its version, magic and crude sizes are
     * kept. If the written items are those of the source with the same types, ids and sizes, and the data are
     * its unchanged blocks in order, the layout is kept completely, including gaps, odd offsets and trailing
     * bytes. If only the data are unchanged, the data section, its table and what follows are kept, after a
     * new header. Otherwise the layout is that of section 1.7.
     */
    const tm_datafile *source;
    int version; /* 3 or 4; default the source's, else 4. Converting from 4 to 3 unpacks, from 3 to 4 packs */
    bool reversed_magic; /* write ATAD; ignored with a source */
    /* never keep the source's layout, write full sizes, give items with duplicate ids unique ones */
    bool force_canonical;
    /* 1..12 as in libdeflate (of zlib alone 9 is the last); default 6. -1: not compressed (level 0) */
    int level;
    uint64_t file_bytes; /* maximum size of the file; default: the limit of the format, 2 GiB */
    bool smaller;        /* keep a block of the source if repacking does not make it smaller */
    /*
     * Also pack every block of up to TM_ZOPFLI_BYTES with zopfli, and write the smaller result. A hundred
     * times slower: seconds to minutes per block. Blocks are packed in parallel in parts of 1 MB; progress
     * and cancellation apply after each. Not for blocks of level -1. TM_ERROR_UNSUPPORTED without zopfli
     * (tm_zopfli_available, which also describes its memory use).
     */
    bool smallest;
} tm_datafile_writer_options;
#define TM_DATAFILE_WRITER_OPTIONS_INIT                                                     \
    {                                                                                       \
        sizeof(tm_datafile_writer_options), NULL, NULL, 0, false, false, 0, 0, false, false \
    }

TM_API tm_status tm_datafile_writer_new(tm_datafile_writer **out, const tm_datafile_writer_options *options,
                                        tm_error *error);
/* Abandons a writer. */
TM_API void tm_datafile_writer_free(tm_datafile_writer *writer);

/*
 * Adds a copy of an item, whose body is little-endian integers (`size` is a multiple of 4, unless the
 * source's item has the same size); its offset is ignored. Items of a type are written in the order of the
 * calls, types ascending. `source_item` is the index of the corresponding item of the source, or TM_NONE.
 */
TM_API tm_status tm_datafile_writer_add_item(tm_datafile_writer *writer, const tm_datafile_item *item,
                                             int32_t source_item, tm_error *error);
/*
 * Adds an item of a UUID type; the type in `item` is ignored. If an index item for the UUID is also added,
 * before or after, its number is used (the first one, as readers do). Otherwise finish assigns the highest
 * unused number from 0xFFFE downwards, and appends an index item.
 */
TM_API tm_status tm_datafile_writer_add_uuid_item(tm_datafile_writer *writer, const tm_uuid *uuid,
                                                  const tm_datafile_item *item, int32_t source_item,
                                                  tm_error *error);

/*
 * Adds a data block; *index receives its number, counting from 0 in the order of the calls.
 *
 * add_data: `bytes` are borrowed until finish and packed there, at `level` (0: the writer's). add_from:
 * copies the packed bytes of block `source_index` of another open datafile, which must stay open until
 * finish. With `recompress`, it is repacked at finish, unless its state is neither FINE nor TRAILING: then
 * its packed bytes are kept.
 */
TM_API tm_status tm_datafile_writer_add_data(int32_t *index, tm_datafile_writer *writer, const void *bytes,
                                             uint64_t size, int level, tm_error *error);
TM_API tm_status tm_datafile_writer_add_from(int32_t *index, tm_datafile_writer *writer,
                                             const tm_datafile *source, uint32_t source_index,
                                             bool recompress, tm_error *error);

/*
 * Packs on the job's executor, writes the file and frees the writer, also on failure. The same content,
 * options and libdeflate (or zlib) version give the same bytes for any number of threads. Fails with
 * TM_ERROR_LIMIT before writing if the file would exceed the format's 32-bit sizes or options->file_bytes.
 * `findings` receives layout-normalised if an odd layout of the source could not be kept.
 */
TM_API tm_status tm_datafile_writer_finish(tm_datafile_writer *writer, const tm_output *output,
                                           const tm_job *job, tm_findings *findings, tm_error *error);

/*
 * Copies a datafile item by item and block by block, with the functions above. With `recompress`, every block
 * is repacked.
 */
TM_API tm_status tm_datafile_copy(const tm_datafile *datafile, const tm_output *output,
                                  const tm_datafile_writer_options *options, bool recompress,
                                  const tm_job *job, tm_findings *findings, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Zlib */
/*
 * Which offset of a block is missing, in a datafile of version 3 (docs/format.md section 1.14). Its blocks
 * are not packed, so nothing in them tells where they begin. But items say how large most blocks are, and the
 * others are texts, which end with their only NUL. Of all places where the offset can be missing, the one is
 * taken at which most blocks are what they should be.
 */
#include "mapfile.h"

#include "../datafile/datafile.h"

enum { MOST_TEXT = 64 << 10 }; /* bytes of a block that is looked at as a text */
/* How much speaks for a block: it has the size that an item says, it is a text, or it may be several. */
enum { FITS_SIZE = 3, FITS_TEXT = 2, FITS_TEXTS = 1 };

/* The blocks as they are without the offset: two of them are one. */
typedef struct joined_blocks {
    const tmi_file *file;
    uint32_t num;
    uint8_t *text_fits; /* of each, as a text */
    uint8_t *bytes;     /* room for MOST_TEXT */
} joined_blocks;

static uint32_t fit_of_text(const uint8_t *bytes, size_t size)
{
    if (size == 0 || bytes[size - 1] != 0)
        return 0;
    return memchr(bytes, 0, size) == bytes + size - 1 ? FITS_TEXT : FITS_TEXTS;
}

static uint64_t size_at(const joined_blocks *blocks, uint32_t index)
{
    return tmi_block_at(blocks->file->datafile, index).packed_size;
}

/* The bytes of a block that may be a text; 0: it is too long for one. */
static tm_status read_as_text(const joined_blocks *blocks, uint32_t index, size_t *size, tm_error *error)
{
    const uint64_t all = size_at(blocks, index);
    *size = all <= MOST_TEXT ? (size_t)all : 0;
    return *size ? tmi_datafile_read_packed(blocks->file->datafile, index, blocks->bytes, error) : TM_OK;
}

/* How well the block fits what is known of block `number` of the whole file. */
static uint32_t fit(const joined_blocks *blocks, uint32_t index, uint32_t number)
{
    const uint64_t wanted = blocks->file->data[number].wanted;
    if (wanted == 0 && blocks->file->data[number].is_list)
        return blocks->text_fits[index] ? FITS_TEXT : 0;
    if (wanted == 0)
        return blocks->text_fits[index];
    return size_at(blocks, index) == wanted ? FITS_SIZE : 0;
}

/* Where the first of two texts ends: at its only NUL, or the settings in front of a text with one NUL. */
static size_t end_of_first(const joined_blocks *blocks, uint32_t index, size_t size)
{
    size_t end = 0;
    if (!blocks->file->data[index].is_list) {
        const uint8_t *nul = memchr(blocks->bytes, 0, size);
        return nul ? (size_t)(nul - blocks->bytes) + 1 : 0;
    }
    for (size_t i = 0; i + 1 < size; i++)
        if (blocks->bytes[i] == 0)
            end = i + 1;
    return end;
}

/* How the block fits if it is two, `index` and the next; *first receives the size of the first of them. */
static tm_status fit_as_two(uint32_t *fits, uint64_t *first, const joined_blocks *blocks, uint32_t index,
                            tm_error *error)
{
    const uint64_t size = size_at(blocks, index);
    const uint64_t wanted = blocks->file->data[index].wanted,
                   next_wanted = blocks->file->data[index + 1].wanted;
    const uint64_t known = wanted ? wanted : next_wanted;
    size_t text_size;
    *fits = 0;
    *first = size;
    if (wanted && next_wanted) {
        *fits = size - wanted == next_wanted ? 2 * FITS_SIZE : 0;
        *first = wanted < size ? wanted : size;
        return TM_OK;
    }
    if (known > size)
        return TM_OK;
    TM_TRY(read_as_text(blocks, index, &text_size, error));
    if (known) {
        *first = wanted ? wanted : size - known;
        const uint64_t text_at = wanted ? wanted : 0;
        *fits = FITS_SIZE + (text_size ? fit_of_text(blocks->bytes + text_at, (size_t)(size - known)) : 0);
        return TM_OK;
    }
    *first = text_size ? end_of_first(blocks, index, text_size) : 0;
    if (*first) {
        const uint32_t rest = fit_of_text(blocks->bytes + *first, (size_t)(size - *first));
        *fits = FITS_TEXT + (blocks->file->data[index + 1].is_list && rest ? FITS_TEXT : rest);
    }
    return TM_OK;
}

static tm_status find_best(uint32_t *index, uint32_t *distance, const joined_blocks *blocks, tm_error *error)
{
    uint64_t before = 0, behind = 0, best = 0;
    for (uint32_t i = 0; i < blocks->num; i++) {
        size_t size;
        TM_TRY(read_as_text(blocks, i, &size, error));
        blocks->text_fits[i] = (uint8_t)fit_of_text(blocks->bytes, size);
    }
    for (uint32_t i = 0; i < blocks->num; i++)
        behind += fit(blocks, i, i + 1);
    for (uint32_t i = 0; i < blocks->num; i++) {
        uint32_t fits;
        uint64_t first;
        behind -= fit(blocks, i, i + 1);
        TM_TRY(fit_as_two(&fits, &first, blocks, i, error));
        if (before + fits + behind > best) {
            best = before + fits + behind;
            *index = i + 1;
            *distance = (uint32_t)first;
        }
        before += fit(blocks, i, i);
    }
    return TM_OK;
}

tm_status tmi_find_missing_offset(uint32_t *index, uint32_t *distance, const tmi_file *file, tm_error *error)
{
    const tm_datafile *datafile = file->datafile;
    const tm_allocator *allocator = datafile->allocator;
    joined_blocks blocks = {.file = file, .num = tm_datafile_num_data(datafile) - 1};
    *index = *distance = 0;
    for (uint32_t i = 0; i < blocks.num; i++) /* each byte is then looked at twice at most */
        if (tmi_block_at(datafile, i).bad ||
            tmi_block_at(datafile, i).offset > tmi_block_at(datafile, i + 1).offset)
            return TM_OK;
    TM_TRY(tmi_reserve(&blocks.text_fits, allocator, blocks.num, 1, "the blocks of a damaged file", error));
    tm_status status = tmi_reserve(&blocks.bytes, allocator, MOST_TEXT, 1, "a text", error);
    if (status == TM_OK)
        status = find_best(index, distance, &blocks, error);
    tmi_free(allocator, blocks.bytes, MOST_TEXT, 1);
    tmi_free(allocator, blocks.text_fits, blocks.num, 1);
    return status;
}

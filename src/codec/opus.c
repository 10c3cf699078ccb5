/* SPDX-License-Identifier: Zlib */
/*
 * Whether bytes are an Opus file, as games play them (section 2.11): an Ogg stream (RFC 3533) whose first
 * packet is an Opus head and whose second one is an Opus comment (RFC 7845), each on a page of its own, and
 * then sound. What is inside the sound is not looked at.
 *
 *   OFFSET  SIZE  MEANING (a page)
 *   0       4     "OggS"
 *   4       1     version, 0
 *   5       1     flags: 1 goes on with a packet, 2 first page of the stream, 4 last one
 *   6       20    position, serial number, number of the page, checksum
 *   26      1     n, number of segments
 *   27      n     bytes of each segment
 *   27 + n        the segments
 */
#include "codec.h"

enum { PAGE_HEAD = 27, FIRST_PAGE = 2, OPUS_HEAD = 19 };

/* One page. */
typedef struct ogg_page {
    const uint8_t *body;
    size_t size; /* of the body */
    size_t held; /* bytes of it that are there */
    uint8_t flags;
} ogg_page;

/* What is not read yet. */
typedef struct ogg_reader {
    const uint8_t *bytes;
    size_t held;   /* bytes that are there */
    uint64_t left; /* those and the ones that are not */
} ogg_reader;

static bool take_page(ogg_page *out, ogg_reader *reader)
{
    const uint8_t *bytes = reader->bytes;
    if (reader->held < PAGE_HEAD || memcmp(bytes, "OggS", 4) != 0 || bytes[4] != 0)
        return false;
    const size_t num = bytes[26];
    if (reader->held - PAGE_HEAD < num)
        return false;
    out->flags = bytes[5];
    out->body = bytes + PAGE_HEAD + num;
    out->size = 0;
    for (size_t i = 0; i < num; i++)
        out->size += bytes[PAGE_HEAD + i];
    reader->held -= PAGE_HEAD + num;
    reader->left -= PAGE_HEAD + num;
    if (reader->left < out->size)
        return false;
    out->held = out->size < reader->held ? out->size : reader->held;
    reader->bytes = out->body + out->held;
    reader->held -= out->held;
    reader->left -= out->size;
    return true;
}

const char *tmi_opus_fault(const void *bytes, size_t held, uint64_t size)
{
    ogg_reader reader = {bytes, held, size};
    ogg_page page;
    if (!take_page(&page, &reader) || !(page.flags & FIRST_PAGE))
        return "it is not an Ogg stream";
    if (page.held < OPUS_HEAD || memcmp(page.body, "OpusHead", 8) != 0)
        return "it is an Ogg stream, but not of Opus";
    if (page.body[8] >= 16 || page.body[9] == 0)
        return "its header has an unknown version of Opus, or no channels";
    if (!take_page(&page, &reader) || page.held < 8 || memcmp(page.body, "OpusTags", 8) != 0)
        return "the comment after its header is missing";
    return take_page(&page, &reader) ? NULL : "there is no sound in it";
}

/* SPDX-License-Identifier: Zlib */
/*
 * Both hashes of a whole input, a piece at a time.
 */
#include "codec.h"

/* Bytes that are read at a time. */
#define PIECE_BYTES ((size_t)128 * 1024)

tm_status tm_hash_input(tm_hashes *out, const tm_input *input, const tm_allocator *allocator, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    memset(out, 0, sizeof(*out));
    TM_TRY(tmi_need(input, "input", error));
    tm_hashes hashes = {.size = input->size};
    tm_sha256 sha;
    uint8_t *piece;
    TM_TRY(tm_sha256_init(&sha, error));
    TM_TRY(tmi_reserve(&piece, allocator, PIECE_BYTES, 1, "a piece of a file", error));
    tm_status status = TM_OK;
    for (uint64_t at = 0; at < input->size && status == TM_OK; at += PIECE_BYTES) {
        const size_t size = input->size - at < PIECE_BYTES ? (size_t)(input->size - at) : PIECE_BYTES;
        status = tmi_input_read(input, at, piece, size, error);
        if (status == TM_OK) {
            tm_sha256_update(&sha, piece, size);
            hashes.crc32 = tm_crc32(hashes.crc32, piece, size);
        }
    }
    tmi_free(allocator, piece, PIECE_BYTES, 1);
    tm_sha256_final(&sha, hashes.sha256);
    if (status == TM_OK)
        *out = hashes;
    return status;
}

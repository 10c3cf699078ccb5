/* SPDX-License-Identifier: Zlib */
/*
 * SHA-256 with nettle, and both hashes of a whole input. Nettle has no global state, does not
 * allocate (the context is the caller's), only needs the C library, and uses the processor's instructions. Of
 * the packaged libraries, only OpenSSL's libcrypto, 15 times larger, is as fast.
 */
#include "codec.h"

#if TEEMAP_HAVE_SHA256
#include <nettle/sha2.h>
#endif

/* Bytes that are read at a time. */
#define PIECE_BYTES ((size_t)128 * 1024)

#if TEEMAP_HAVE_SHA256
static struct sha256_ctx *context_of(tm_sha256 *sha)
{
    _Static_assert(sizeof(struct sha256_ctx) <= sizeof(sha->state), "tm_sha256 holds nettle's context");
    return (struct sha256_ctx *)sha->state;
}
#else /* what is left of nettle without it: nothing is hashed, after tm_sha256_init failed */
struct sha512_ctx {
    char none;
};
#define context_of(sha)                      (sha)
#define sha256_init(context)                 ((void)(context))
#define sha256_update(context, size, bytes)  ((void)(context), (void)(size), (void)(bytes))
#define sha256_digest(context, size, digest) ((void)(context), (void)memset(digest, 0, size))
#define sha512_init                          sha256_init
#define sha512_update                        sha256_update
#define sha512_digest                        sha256_digest
#endif

tm_status tm_sha256_init(tm_sha256 *sha, tm_error *error)
{
    TM_TRY(tmi_need(sha, "sha", error));
    memset(sha, 0, sizeof(*sha));
    sha256_init(context_of(sha));
    return TEEMAP_HAVE_SHA256
               ? TM_OK
               : tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "this library was built without SHA-256");
}

void tm_sha256_update(tm_sha256 *sha, const void *bytes, size_t size)
{
    if (sha && bytes)
        sha256_update(context_of(sha), size, bytes);
}

void tm_sha256_final(tm_sha256 *sha, uint8_t digest[TM_SHA256_SIZE])
{
    if (sha && digest)
        sha256_digest(context_of(sha), TM_SHA256_SIZE, digest); /* begins again, too */
}

bool tmi_sha512(uint8_t digest[TMI_SHA512_SIZE], const void *bytes, size_t size)
{
    struct sha512_ctx context;
    sha512_init(&context);
    sha512_update(&context, size, bytes);
    sha512_digest(&context, TMI_SHA512_SIZE, digest);
    return TEEMAP_HAVE_SHA256;
}

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

/* SPDX-License-Identifier: Zlib */
/*
 * SHA-256 and SHA-512 by FIPS 180-4. x86 has instructions for SHA-256, which sha_x86.h uses where the
 * processor knows them: ten times as fast as the same in C. Nothing here allocates memory or keeps anything.
 */
#include "sha_x86.h"

#include "codec.h"

enum { SMALL_BLOCK = 64, LARGE_BLOCK = 128, SMALL_LENGTH = 8, LARGE_LENGTH = 16 };

/* Both end with the number of bits, high byte first, in front of `end`. */
static void put_bits(uint8_t *end, uint64_t size)
{
    tmi_put_big_u32(end - 8, (uint32_t)(size >> 29));
    tmi_put_big_u32(end - 4, (uint32_t)(size << 3));
}

/*
 * The two differ in the size of words, the number of rounds, the numbers, and how far words are turned (the
 * functions that FIPS 180-4 names by small and large sigmas): of these a function is made for each.
 */
#define COMPRESS(name, NAME, word, rounds)                                                                \
    static void compress_##name(word hash[8], const uint8_t *bytes, size_t num_blocks)                    \
    {                                                                                                     \
        for (; num_blocks > 0; num_blocks--, bytes += NAME##_BLOCK) {                                     \
            word w[rounds], a = hash[0], b = hash[1], c = hash[2], d = hash[3], e = hash[4], f = hash[5], \
                            g = hash[6], h = hash[7];                                                     \
            for (unsigned i = 0; i < 16; i++)                                                             \
                w[i] = load_##name(bytes + i * sizeof(word));                                             \
            for (unsigned i = 16; i < rounds; i++)                                                        \
                w[i] = w[i - 16] + NAME##_SCHEDULE_0(w[i - 15]) + w[i - 7] + NAME##_SCHEDULE_1(w[i - 2]); \
            for (unsigned i = 0; i < rounds; i++) {                                                       \
                const word first = h + NAME##_SUM_1(e) + (g ^ (e & (f ^ g))) + name##_numbers[i] + w[i],  \
                           second = NAME##_SUM_0(a) + ((a & b) | (c & (a | b)));                          \
                h = g, g = f, f = e, e = d + first;                                                       \
                d = c, c = b, b = a, a = first + second;                                                  \
            }                                                                                             \
            hash[0] += a, hash[1] += b, hash[2] += c, hash[3] += d;                                       \
            hash[4] += e, hash[5] += f, hash[6] += g, hash[7] += h;                                       \
        }                                                                                                 \
    }

/* ------------------------------------------------------------------------------------------------ SHA-256 */

/* Of the cube roots of the first 64 primes: 32 bits behind the point. */
static const uint32_t small_numbers[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t load_small(const uint8_t *bytes)
{
    return tmi_big_u32(bytes);
}

#define TURN_SMALL(x, bits) ((x) >> (bits) | (x) << (32 - (bits)))
#define SMALL_SCHEDULE_0(x) (TURN_SMALL(x, 7) ^ TURN_SMALL(x, 18) ^ (x) >> 3)
#define SMALL_SCHEDULE_1(x) (TURN_SMALL(x, 17) ^ TURN_SMALL(x, 19) ^ (x) >> 10)
#define SMALL_SUM_1(x)      (TURN_SMALL(x, 6) ^ TURN_SMALL(x, 11) ^ TURN_SMALL(x, 25))
#define SMALL_SUM_0(x)      (TURN_SMALL(x, 2) ^ TURN_SMALL(x, 13) ^ TURN_SMALL(x, 22))
COMPRESS(small, SMALL, uint32_t, 64)

/* What a tm_sha256 holds: the hash of whole blocks, and the bytes of one that is not whole yet. */
typedef struct sha256 {
    uint32_t hash[8];
    uint64_t size;
    bool by_x86;
    uint8_t block[SMALL_BLOCK];
} sha256;
_Static_assert(sizeof(sha256) <= sizeof(tm_sha256), "a hash in progress fits into the caller's memory");

static void compress(sha256 *state, const uint8_t *bytes, size_t num_blocks)
{
    if (state->by_x86)
        tmi_sha_x86(state->hash, bytes, num_blocks, small_numbers);
    else
        compress_small(state->hash, bytes, num_blocks);
}

static void begin(tm_sha256 *sha, bool by_x86)
{
    /* Of the square roots of the first eight primes. */
    const sha256 first = {.hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                                   0x1f83d9ab, 0x5be0cd19},
                          .by_x86 = by_x86};
    memset(sha, 0, sizeof(*sha));
    memcpy(sha, &first, sizeof(first));
}

tm_status tm_sha256_init(tm_sha256 *sha, tm_error *error)
{
    TM_TRY(tmi_need(sha, "sha", error));
    begin(sha, tmi_sha_x86_known());
    return TM_OK;
}

/* The block is filled up first; whole ones are hashed where they lie. */
void tm_sha256_update(tm_sha256 *sha, const void *bytes, size_t size)
{
    if (!sha || !bytes)
        return;
    const uint8_t *source = bytes;
    sha256 state;
    memcpy(&state, sha, sizeof(state));
    while (size > 0) {
        const size_t held = state.size % SMALL_BLOCK, whole = size / SMALL_BLOCK * SMALL_BLOCK;
        size_t num = held || !whole ? SMALL_BLOCK - held : whole;
        if (held || !whole) {
            num = num < size ? num : size;
            memcpy(state.block + held, source, num);
            if (held + num == SMALL_BLOCK)
                compress(&state, state.block, 1);
        } else {
            compress(&state, source, whole / SMALL_BLOCK);
        }
        state.size += num;
        source += num;
        size -= num;
    }
    memcpy(sha, &state, sizeof(state));
}

void tm_sha256_final(tm_sha256 *sha, uint8_t digest[TM_SHA256_SIZE])
{
    if (!sha || !digest)
        return;
    sha256 state;
    memcpy(&state, sha, sizeof(state));
    size_t held = state.size % SMALL_BLOCK;
    state.block[held++] = 0x80;
    memset(state.block + held, 0, SMALL_BLOCK - held);
    if (held > SMALL_BLOCK - SMALL_LENGTH) {
        compress(&state, state.block, 1);
        memset(state.block, 0, SMALL_BLOCK);
    }
    put_bits(state.block + SMALL_BLOCK, state.size);
    compress(&state, state.block, 1);
    for (size_t i = 0; i < 8; i++)
        tmi_put_big_u32(digest + i * 4, state.hash[i]);
    begin(sha, state.by_x86);
}

/* ------------------------------------------------------------------------------------------------ SHA-512 */

/* Of the cube roots of the first 80 primes: 64 bits behind the point. */
static const uint64_t large_numbers[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
    0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
    0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
    0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
    0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
    0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

static uint64_t load_large(const uint8_t *bytes)
{
    return (uint64_t)tmi_big_u32(bytes) << 32 | tmi_big_u32(bytes + 4);
}

#define TURN_LARGE(x, bits) ((x) >> (bits) | (x) << (64 - (bits)))
#define LARGE_SCHEDULE_0(x) (TURN_LARGE(x, 1) ^ TURN_LARGE(x, 8) ^ (x) >> 7)
#define LARGE_SCHEDULE_1(x) (TURN_LARGE(x, 19) ^ TURN_LARGE(x, 61) ^ (x) >> 6)
#define LARGE_SUM_1(x)      (TURN_LARGE(x, 14) ^ TURN_LARGE(x, 18) ^ TURN_LARGE(x, 41))
#define LARGE_SUM_0(x)      (TURN_LARGE(x, 28) ^ TURN_LARGE(x, 34) ^ TURN_LARGE(x, 39))
COMPRESS(large, LARGE, uint64_t, 80)

void tmi_sha512(uint8_t digest[TMI_SHA512_SIZE], const void *bytes, size_t size)
{
    uint64_t hash[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                        0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
    uint8_t end[2 * LARGE_BLOCK] = {0};
    const size_t rest = size % LARGE_BLOCK,
                 end_size = rest < LARGE_BLOCK - LARGE_LENGTH ? LARGE_BLOCK : 2 * LARGE_BLOCK;
    compress_large(hash, bytes, size / LARGE_BLOCK);
    if (rest)
        memcpy(end, (const uint8_t *)bytes + (size - rest), rest);
    end[rest] = 0x80;
    put_bits(end + end_size, size);
    compress_large(hash, end, end_size / LARGE_BLOCK);
    for (size_t i = 0; i < 8; i++) {
        tmi_put_big_u32(digest + i * 8, (uint32_t)(hash[i] >> 32));
        tmi_put_big_u32(digest + i * 8 + 4, (uint32_t)hash[i]);
    }
}

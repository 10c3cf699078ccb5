/* SPDX-License-Identifier: Zlib */
#ifndef TMI_CODEC_SHA_X86_H
#define TMI_CODEC_SHA_X86_H
/*
 * SHA-256 by x86's own instructions (SHA extensions), for sha.c alone. Where there is no x86, or a compiler
 * that has other words for it, no processor knows them (nor with TMI_PLAIN_SHA). To be included before every
 * other header, since the compiler's own ones speak of memory that is banned afterwards.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(TMI_PLAIN_SHA) && defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>

#define TMI_SHA_TARGET __attribute__((target("sha,sse4.1,ssse3")))

/*
 * The compiler's own runtime remembers what processors know, but not all of them of this; asking the
 * processor takes as long as hashing some kilobytes in a virtual machine. Whatever knows SHA knows SSE 4.1.
 */
static inline bool tmi_sha_x86_known(void)
{
    enum { FEATURES = 7, SHA = 1 << 29 };
    unsigned a, b, c, d;
    if (!__builtin_cpu_supports("avx2")) /* so old, or so small, that it need not be asked */
        return false;
    __cpuid_count(FEATURES, 0, a, b, c, d);
    return b & SHA;
}

/*
 * Four rounds with the words of four rounds, which then become those of 16 rounds later. `first` is ABEF, as
 * the instructions want the eight numbers of the hash, and `second` is CDGH.
 */
TMI_SHA_TARGET static inline void tmi_sha_x86_rounds(__m128i *first, __m128i *second, __m128i words[4],
                                                     unsigned number, const uint32_t *numbers)
{
    __m128i *const word = &words[number];
    const __m128i next = words[(number + 1) & 3], behind = words[(number + 2) & 3],
                  last = words[(number + 3) & 3];
    __m128i sum =
        _mm_add_epi32(*word, _mm_loadu_si128((const __m128i *)(const void *)(numbers + number * 4)));
    *second = _mm_sha256rnds2_epu32(*second, *first, sum);
    sum = _mm_shuffle_epi32(sum, 0x0e);
    *first = _mm_sha256rnds2_epu32(*first, *second, sum);
    *word = _mm_add_epi32(_mm_sha256msg1_epu32(*word, next), _mm_alignr_epi8(last, behind, 4));
    *word = _mm_sha256msg2_epu32(*word, last);
}

TMI_SHA_TARGET static void tmi_sha_x86(uint32_t hash[8], const uint8_t *bytes, size_t num_blocks,
                                       const uint32_t *numbers)
{
    const __m128i big = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(const void *)hash), 0xb1),
                  hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(const void *)(hash + 4)), 0x1b);
    __m128i first = _mm_alignr_epi8(badc, hgfe, 8), second = _mm_blend_epi16(hgfe, badc, 0xf0);
    for (; num_blocks > 0; num_blocks--, bytes += 64) {
        const __m128i old_first = first, old_second = second;
        __m128i words[4];
        for (int i = 0; i < 4; i++)
            words[i] =
                _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(bytes + i * 16)), big);
        for (unsigned i = 0; i < 64; i += 16) {
            tmi_sha_x86_rounds(&first, &second, words, 0, numbers + i);
            tmi_sha_x86_rounds(&first, &second, words, 1, numbers + i);
            tmi_sha_x86_rounds(&first, &second, words, 2, numbers + i);
            tmi_sha_x86_rounds(&first, &second, words, 3, numbers + i);
        }
        first = _mm_add_epi32(first, old_first);
        second = _mm_add_epi32(second, old_second);
    }
    const __m128i feba = _mm_shuffle_epi32(first, 0x1b), dchg = _mm_shuffle_epi32(second, 0xb1);
    _mm_storeu_si128((__m128i *)(void *)hash, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(void *)(hash + 4), _mm_alignr_epi8(dchg, feba, 8));
}
#else
static inline bool tmi_sha_x86_known(void)
{
    return false;
}

static inline void tmi_sha_x86(uint32_t hash[8], const uint8_t *bytes, size_t num_blocks,
                               const uint32_t *numbers)
{
    (void)hash, (void)bytes, (void)num_blocks, (void)numbers;
}
#endif

#endif

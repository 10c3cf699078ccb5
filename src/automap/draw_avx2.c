/* SPDX-License-Identifier: Zlib */
/*
 * Luck for 64 tiles, on machines with AVX2: the hash of tmi_automap_mix for eight places at a time.
 * The compiler's header comes first, since it speaks of memory that is banned afterwards.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(TMI_PLAIN_VECTORS)
#define DRAWS_BY_AVX2
#include <immintrin.h>
#endif

#include "planes.h"

#ifdef DRAWS_BY_AVX2

#define FOR_AVX2 static inline __attribute__((always_inline, target("avx2")))

FOR_AVX2 __m256i xor_shifted(__m256i n, int by)
{
    return _mm256_xor_si256(n, _mm256_srli_epi32(n, by));
}

FOR_AVX2 __m256i mix_8(__m256i n)
{
    n = xor_shifted(_mm256_add_epi32(n, _mm256_set1_epi32(1)), 17);
    n = xor_shifted(_mm256_mullo_epi32(n, _mm256_set1_epi32((int)0xed5ad4bbU)), 11);
    n = xor_shifted(_mm256_mullo_epi32(n, _mm256_set1_epi32((int)0xac4c1b51U)), 15);
    return xor_shifted(_mm256_mullo_epi32(n, _mm256_set1_epi32(0x31848bab)), 14);
}

__attribute__((target("avx2"))) static uint64_t draw_64_avx2(uint32_t base, const uint32_t *mixed_x,
                                                             uint32_t threshold)
{
    const __m256i all_base = _mm256_set1_epi32((int)base), low = _mm256_set1_epi32(0xffff);
    const __m256i limit = _mm256_set1_epi32((int)threshold);
    uint64_t held = 0;
    for (unsigned i = 0; i < TMI_PLANE_BITS; i += 8) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(mixed_x + i));
        const __m256i hash = _mm256_and_si256(mix_8(_mm256_add_epi32(all_base, x)), low);
        const int mask = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(limit, hash)));
        held |= (uint64_t)(unsigned)mask << i;
    }
    return held;
}

tmi_draw_64 *tmi_find_draw_64(void)
{
    return __builtin_cpu_supports("avx2") ? draw_64_avx2 : NULL;
}
#else
tmi_draw_64 *tmi_find_draw_64(void)
{
    return NULL;
}
#endif

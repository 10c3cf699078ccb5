/* SPDX-License-Identifier: Zlib */
/*
 * The planes of 64 tiles, on machines with AVX2: 32 tiles are asked at a time whether they are of a set. The
 * compiler's header comes first, since it speaks of memory that is banned afterwards.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(TMI_PLAIN_VECTORS)
#define FILLS_BY_AVX2
#include <immintrin.h>
#endif

#include "planes.h"

#ifdef FILLS_BY_AVX2

#define FOR_AVX2 static inline __attribute__((always_inline, target("avx2")))

/* Index and flags of 32 tiles, a byte each. */
typedef struct tiles_32 {
    __m256i index, flags;
} tiles_32;

/* The lowest bytes of 32 numbers, in their order. */
FOR_AVX2 __m256i low_bytes(const __m256i numbers[4], int shift)
{
    const __m256i low = _mm256_set1_epi32(0xff), order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    __m256i parts[4];
    for (int i = 0; i < 4; i++)
        parts[i] = _mm256_and_si256(_mm256_srli_epi32(numbers[i], shift), low);
    const __m256i a = _mm256_packus_epi32(parts[0], parts[1]), b = _mm256_packus_epi32(parts[2], parts[3]);
    return _mm256_permutevar8x32_epi32(_mm256_packus_epi16(a, b), order);
}

FOR_AVX2 tiles_32 load_32(const tm_tile *tiles, bool by_index)
{
    __m256i numbers[4];
    for (size_t i = 0; i < 4; i++)
        numbers[i] = _mm256_loadu_si256((const __m256i *)(const void *)(tiles + 8 * i));
    return (tiles_32){low_bytes(numbers, 0), by_index ? _mm256_setzero_si256() : low_bytes(numbers, 8)};
}

FOR_AVX2 __m256i twice_16(const uint8_t bytes[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)bytes));
}

/*
 * The lower four bits of an index choose a byte of the set, the upper ones its bit: bytes of `low` have
 * indices below 128, those of `high` the others; what has bit 7 set chooses 0.
 */
FOR_AVX2 __m256i in_set(const tmi_fill_set *set, const tiles_32 *tiles)
{
    const __m256i bits = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4,
                                          8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
    const __m256i other = _mm256_xor_si256(tiles->index, _mm256_set1_epi8(-128));
    const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(tiles->index, 4), _mm256_set1_epi8(15));
    const __m256i bit = _mm256_shuffle_epi8(bits, upper);
    const __m256i byte = _mm256_or_si256(_mm256_shuffle_epi8(twice_16(set->low), tiles->index),
                                         _mm256_shuffle_epi8(twice_16(set->high), other));
    return _mm256_cmpeq_epi8(_mm256_and_si256(byte, bit), bit);
}

FOR_AVX2 uint32_t which_fit(const tmi_fill_set *set, const tiles_32 *tiles, bool by_index)
{
    __m256i fits = set->only != TM_NONE ? _mm256_cmpeq_epi8(tiles->index, _mm256_set1_epi8((char)set->only))
                                        : in_set(set, tiles);
    if (!by_index)
        fits =
            _mm256_and_si256(fits, _mm256_shuffle_epi8(twice_16(set->flags),
                                                       _mm256_and_si256(tiles->flags, _mm256_set1_epi8(15))));
    return (uint32_t)_mm256_movemask_epi8(fits);
}

__attribute__((target("avx2"))) static void fill_64_avx2(const tmi_planes *p, uint64_t *row,
                                                         const tm_tile *tiles)
{
    const bool by_index = p->by_index;
    const tiles_32 first = load_32(tiles, by_index), second = load_32(tiles + 32, by_index);
    const tmi_fill_set *set = p->sets;
    for (uint32_t plane = 0; plane < p->num_planes; plane++, row += p->stride) {
        *row = 0;
        for (; set->plane == plane; set++)
            *row |= (uint64_t)which_fit(set, &second, by_index) << 32 | which_fit(set, &first, by_index);
    }
}

__attribute__((target("avx2"))) static bool alike_64_avx2(const tm_tile *tiles, const tm_tile *like)
{
    const tm_tile compared = {0xff, 0xff, 0, 0};
    int32_t mask, wanted;
    memcpy(&mask, &compared, sizeof(mask));
    memcpy(&wanted, like, sizeof(wanted));
    const __m256i all = _mm256_set1_epi32(wanted);
    __m256i other = _mm256_setzero_si256();
    for (int i = 0; i < TMI_PLANE_BITS; i += 8)
        other = _mm256_or_si256(
            other, _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(const void *)(tiles + i)), all));
    return _mm256_testz_si256(other, _mm256_set1_epi32(mask));
}

bool tmi_find_fill_64(tmi_fill_64 **fill, tmi_alike_64 **alike)
{
    if (!__builtin_cpu_supports("avx2"))
        return false;
    *fill = fill_64_avx2;
    *alike = alike_64_avx2;
    return true;
}
#else
bool tmi_find_fill_64(tmi_fill_64 **fill, tmi_alike_64 **alike)
{
    (void)fill;
    (void)alike;
    return false;
}
#endif

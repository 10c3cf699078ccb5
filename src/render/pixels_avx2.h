/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RENDER_PIXELS_AVX2_H
#define TMI_RENDER_PIXELS_AVX2_H
/*
 * Two pixels in one vector and four at a time into the picture, for machines with AVX2: the operations of
 * pixels.h in the same order, and so the same bytes. To be included before every other header, since the
 * compiler's own one speaks of memory that is banned afterwards.
 */
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include "wide_wasm.h"
#endif

#include "pixels.h"

#ifdef TMI_AVX2
#ifdef TMI_WASM_SIMD /* all in one is no faster there, but larger, and visitors fetch it */
#define TMI_FOR_AVX2 static inline
#else
#define TMI_FOR_AVX2 static inline __attribute__((always_inline, target("avx2")))
#endif

TMI_FOR_AVX2 __m256 tmi_floats_of(__m128i bytes)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes));
}

/* Two texels, wherever they are. */
TMI_FOR_AVX2 __m256 tmi_load_both(const uint8_t *first, const uint8_t *second)
{
    int32_t a, b;
    memcpy(&a, first, 4);
    memcpy(&b, second, 4);
    return tmi_floats_of(_mm_insert_epi32(_mm_cvtsi32_si128(a), b, 1));
}

/* Two texels that are `step` bytes apart. */
TMI_FOR_AVX2 __m256 tmi_load_two(const uint8_t *rgba, size_t step)
{
    if (step == 4)
        return tmi_floats_of(_mm_loadl_epi64((const __m128i *)(const void *)rgba));
    return tmi_load_both(rgba, rgba + step);
}

TMI_FOR_AVX2 __m256 tmi_twice(tmi_rgba value)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256((__m128)value), (__m128)value, 1);
}

/* The bytes of four pixels, rounded. */
TMI_FOR_AVX2 __m128i tmi_bytes_of(__m256 first, __m256 second)
{
    const __m256 most = _mm256_set1_ps(255), half = _mm256_set1_ps(0.5f);
    const __m256i a = _mm256_cvttps_epi32(_mm256_min_ps(first, most) + half);
    const __m256i b = _mm256_cvttps_epi32(_mm256_min_ps(second, most) + half);
    const __m256i words = _mm256_packus_epi32(a, b); /* pixels 0 and 2, 1 and 3 */
    const __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    return _mm_shuffle_epi32(bytes, 0xD8);
}

/* Up to four pixels of the picture. */
TMI_FOR_AVX2 __m128i tmi_some(uint32_t num)
{
    return _mm_cmpgt_epi32(_mm_set1_epi32((int)num), _mm_setr_epi32(0, 1, 2, 3));
}

TMI_FOR_AVX2 void tmi_put_four(uint8_t *to, __m128i bytes, uint32_t num)
{
    bytes = _mm_or_si128(bytes, _mm_set1_epi32((int)0xFF000000));
    if (num >= 4)
        _mm_storeu_si128((__m128i *)(void *)to, bytes);
    else
        _mm_maskstore_epi32((int *)(void *)to, tmi_some(num), bytes);
}

/* Two pixels over what is below them; those that are clear leave it as it is. */
TMI_FOR_AVX2 __m256 tmi_over(__m256 color, __m256 alpha, __m256 below, bool multiplied)
{
    const __m256 a = alpha / _mm256_set1_ps(255), rest = _mm256_set1_ps(1) - a;
    if (!multiplied)
        color = color * a;
    return color + below * rest;
}

/* One by one, where the picture is not opaque. */
TMI_FOR_AVX2 void tmi_blend_slowly(uint8_t *to, __m256 first, __m256 second, uint32_t num, bool multiplied)
{
    tmi_rgba colors[4];
    memcpy(&colors[0], &first, sizeof(first));
    memcpy(&colors[2], &second, sizeof(second));
    for (uint32_t i = 0; i < num && i < 4; i++)
        tmi_blend(to + 4 * (size_t)i, colors[i], multiplied);
}

/* tmi_blend for the first `num` of four pixels. */
TMI_FOR_AVX2 void tmi_blend_four(uint8_t *to, __m256 first, __m256 second, uint32_t num, bool multiplied)
{
    const __m256 most = _mm256_set1_ps(255);
    const __m128i opaque = _mm_set1_epi32((int)0xFF000000);
    __m128i below;
    first = _mm256_min_ps(first, most);
    second = _mm256_min_ps(second, most);
    const __m256 alpha = _mm256_permute_ps(first, 0xFF), other = _mm256_permute_ps(second, 0xFF);
    if (num >= 4)
        below = _mm_loadu_si128((const __m128i *)(const void *)to);
    else
        below = _mm_blendv_epi8(opaque, _mm_maskload_epi32((const int *)(const void *)to, tmi_some(num)),
                                tmi_some(num));
    if (!_mm_testc_si128(below, opaque)) {
        tmi_blend_slowly(to, first, second, num, multiplied);
        return;
    }
    first = tmi_over(first, alpha, tmi_floats_of(below), multiplied);
    second = tmi_over(second, other, tmi_floats_of(_mm_srli_si128(below, 8)), multiplied);
    tmi_put_four(to, tmi_bytes_of(first, second), num);
}

/* tmi_replace for the first `num` of four pixels. */
TMI_FOR_AVX2 void tmi_replace_four(uint8_t *to, __m256 first, __m256 second, uint32_t num)
{
    const __m256 alpha = _mm256_permute_ps(first, 0xFF), other = _mm256_permute_ps(second, 0xFF);
    const __m256i a = _mm256_castps_si256(_mm256_cmp_ps(alpha, _mm256_setzero_ps(), _CMP_GT_OQ)),
                  b = _mm256_castps_si256(_mm256_cmp_ps(other, _mm256_setzero_ps(), _CMP_GT_OQ));
    const __m256i words = _mm256_packs_epi32(a, b); /* as in tmi_bytes_of */
    const __m128i seen = _mm_shuffle_epi32(
        _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)), 0xD8);
    _mm_maskstore_epi32((int *)(void *)to, _mm_and_si128(seen, tmi_some(num)),
                        _mm_or_si128(tmi_bytes_of(first, second), _mm_set1_epi32((int)0xFF000000)));
}

#endif
#endif

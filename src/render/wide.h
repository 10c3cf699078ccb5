/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RENDER_WIDE_H
#define TMI_RENDER_WIDE_H
/*
 * Four pixels in each step, two in one vector: the operations of pixels.h in the same order, and so the same
 * bytes. spans.c and tile_raster.c are written with these, and compiled for every machine; machine.c compiles
 * them once more for AVX2, where TMI_MAKE_AVX2 is defined. To be included before every other header, since
 * the compiler's own one speaks of memory that is banned afterwards.
 */
#ifdef TMI_MAKE_AVX2
#include <immintrin.h>
#define TMI_NAME(name) name##_avx2
#define TMI_TARGET     __attribute__((target("avx2")))
#define TMI_WIDE       static inline __attribute__((always_inline, unused, target("avx2")))
#else
#define TMI_NAME(name) name##_plain
#define TMI_TARGET
#ifdef __wasm__ /* all in one is no faster there, but larger, and visitors fetch it */
#define TMI_WIDE static inline
#else
#define TMI_WIDE TMI_INLINE
#endif
#endif

#include "pixels.h"

typedef float tmi_two __attribute__((vector_size(32)));   /* pixels: eight channels */
typedef double tmi_four __attribute__((vector_size(32))); /* a coordinate of four pixels */

/* Four pixels: 0 and 1, 2 and 3. */
typedef struct tmi_four_pixels {
    tmi_two first, second;
} tmi_four_pixels;

/* --------------------------------------------------------------------------------------------- operations */

TMI_WIDE tmi_two tmi_join(tmi_rgba low, tmi_rgba high)
{
#ifdef TMI_MAKE_AVX2
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
#else
    const tmi_rgba halves[2] = {low, high};
    tmi_two out;
    memcpy(&out, halves, sizeof(out));
    return out;
#endif
}

TMI_WIDE tmi_rgba tmi_low(tmi_two value)
{
#ifdef TMI_MAKE_AVX2
    return _mm256_castps256_ps128(value);
#else
    tmi_rgba out;
    memcpy(&out, &value, sizeof(out));
    return out;
#endif
}

TMI_WIDE tmi_rgba tmi_high(tmi_two value)
{
#ifdef TMI_MAKE_AVX2
    return _mm256_extractf128_ps(value, 1);
#else
    tmi_rgba out;
    memcpy(&out, (const uint8_t *)&value + sizeof(out), sizeof(out));
    return out;
#endif
}

/* One number for all channels of a pixel. */
TMI_WIDE tmi_rgba tmi_all(float number)
{
    return (tmi_rgba){number, number, number, number};
}

/* Of both pixels, alpha in all channels. */
TMI_WIDE tmi_two tmi_alphas(tmi_two value)
{
#ifdef TMI_MAKE_AVX2
    return _mm256_permute_ps(value, 0xFF);
#else
    return tmi_join(tmi_all(value[3]), tmi_all(value[7]));
#endif
}

/* A number of each of four pixels, for all their channels. */
TMI_WIDE tmi_four_pixels tmi_spread(tmi_rgba numbers)
{
#ifdef TMI_MAKE_AVX2
    const __m256 wide = _mm256_castps128_ps256(numbers);
    return (tmi_four_pixels){_mm256_permutevar8x32_ps(wide, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1)),
                             _mm256_permutevar8x32_ps(wide, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3))};
#else
    return (tmi_four_pixels){tmi_join(tmi_all(numbers[0]), tmi_all(numbers[1])),
                             tmi_join(tmi_all(numbers[2]), tmi_all(numbers[3]))};
#endif
}

/* The first number where the mask is set, else the second. */
TMI_WIDE tmi_ints tmi_select(tmi_ints mask, tmi_ints first, tmi_ints second)
{
#ifdef TMI_MAKE_AVX2
    return (tmi_ints)_mm_blendv_epi8((__m128i)second, (__m128i)first, (__m128i)mask);
#else
    return (first & mask) | (second & ~mask);
#endif
}

/* Towards zero. */
TMI_WIDE tmi_ints tmi_ints_of(tmi_four numbers)
{
#ifdef TMI_WASM_SIMD
    v128_t halves[2];
    memcpy(halves, &numbers, sizeof(halves));
    return (tmi_ints)wasm_i64x2_shuffle(wasm_i32x4_trunc_sat_f64x2_zero(halves[0]),
                                        wasm_i32x4_trunc_sat_f64x2_zero(halves[1]), 0, 2);
#else
    return __builtin_convertvector(numbers, tmi_ints);
#endif
}

TMI_WIDE tmi_rgba tmi_singles_of(tmi_four numbers)
{
#ifdef TMI_WASM_SIMD
    v128_t halves[2];
    memcpy(halves, &numbers, sizeof(halves));
    return (tmi_rgba)wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(halves[0]),
                                        wasm_f32x4_demote_f64x2_zero(halves[1]), 0, 2);
#else
    return __builtin_convertvector(numbers, tmi_rgba);
#endif
}

TMI_WIDE tmi_four tmi_doubles_of(tmi_ints numbers)
{
#ifdef TMI_MAKE_AVX2
    return _mm256_cvtepi32_pd((__m128i)numbers);
#else
    return __builtin_convertvector(numbers, tmi_four);
#endif
}

/* At most 255. */
TMI_WIDE tmi_two tmi_cut_two(tmi_two value)
{
#ifdef TMI_MAKE_AVX2
    return _mm256_min_ps(value, _mm256_set1_ps(255));
#else
    return tmi_join(tmi_cut(tmi_low(value)), tmi_cut(tmi_high(value)));
#endif
}

/* At least 0. */
TMI_WIDE tmi_two tmi_raise_two(tmi_two value)
{
#ifdef TMI_MAKE_AVX2
    return _mm256_max_ps(value, _mm256_setzero_ps());
#else
    return tmi_join(tmi_raise(tmi_low(value)), tmi_raise(tmi_high(value)));
#endif
}

/* ------------------------------------------------------------------------------------------------- texels */

/* Two texels that are `step` bytes apart. */
TMI_WIDE tmi_two tmi_load_two(const uint8_t *rgba, size_t step)
{
#ifdef TMI_MAKE_AVX2
    int32_t both[2];
    memcpy(&both[0], rgba, 4);
    memcpy(&both[1], rgba + step, 4);
    __m128i bytes = _mm_insert_epi32(_mm_cvtsi32_si128(both[0]), both[1], 1);
    if (step == 4)
        bytes = _mm_loadl_epi64((const __m128i *)(const void *)rgba);
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes));
#else
    return tmi_join(tmi_load(rgba), tmi_load(rgba + step));
#endif
}

TMI_WIDE tmi_four_pixels tmi_floats_of(tmi_ints texels)
{
#ifdef TMI_MAKE_AVX2
    const __m128i low = (__m128i)texels, high = _mm_unpackhi_epi64(low, low);
    return (tmi_four_pixels){_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(low)),
                             _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(high))};
#else
    uint8_t bytes[16];
    memcpy(bytes, &texels, sizeof(bytes));
    return (tmi_four_pixels){tmi_load_two(bytes, 4), tmi_load_two(bytes + 8, 4)};
#endif
}

/* Whether alpha of any of four texels is above 0. */
TMI_WIDE bool tmi_any_seen(tmi_ints texels)
{
    const tmi_bytes alpha = {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255};
#ifdef TMI_MAKE_AVX2
    return !_mm_testz_si128((__m128i)texels, (__m128i)alpha);
#else
    uint64_t halves[2];
    texels &= (tmi_ints)alpha;
    memcpy(halves, &texels, sizeof(halves));
    return (halves[0] | halves[1]) != 0;
#endif
}

/* ------------------------------------------------------------------------------------------------ picture */

/* The functions below do for the first `num` of four pixels what their namesakes of pixels.h do for one. */
#define TMI_FOR_EACH(function, ...)                                                                        \
    do {                                                                                                   \
        const tmi_rgba colors[4] = {tmi_low(source.first), tmi_high(source.first), tmi_low(source.second), \
                                    tmi_high(source.second)};                                              \
        for (uint32_t i = 0; i < num && i < 4; i++)                                                        \
            function(target + 4 * (size_t)i, __VA_ARGS__);                                                 \
    } while (0)
#ifndef TMI_MAKE_AVX2
#ifdef TMI_WASM_SIMD

/* Two pixels, rounded, as eight numbers of 16 bits. */
TMI_WIDE v128_t tmi_words_of(tmi_two source)
{
    const tmi_two half = tmi_cut_two(source) + 0.5f;
    return wasm_i16x8_narrow_i32x4(wasm_i32x4_trunc_sat_f32x4((v128_t)tmi_low(half)),
                                   wasm_i32x4_trunc_sat_f32x4((v128_t)tmi_high(half)));
}

TMI_WIDE void tmi_store_all(uint8_t *target, tmi_four_pixels source)
{
    const v128_t bytes = wasm_u8x16_narrow_i16x8(tmi_words_of(source.first), tmi_words_of(source.second));
    wasm_v128_store(target, wasm_v128_or(bytes, wasm_i32x4_splat((int32_t)0xFF000000)));
}

/* Two pixels over opaque ones. */
TMI_WIDE tmi_two tmi_over(tmi_two color, const uint8_t *below, bool multiplied)
{
    const tmi_two a = tmi_alphas(color) / 255;
    return (multiplied ? color : color * a) + tmi_load_two(below, 4) * (1 - a);
}

#endif

TMI_WIDE void tmi_store_opaque_four(uint8_t *target, tmi_four_pixels source, uint32_t num)
{
#ifdef TMI_WASM_SIMD
    if (num >= 4) {
        tmi_store_all(target, source);
        return;
    }
#endif
    TMI_FOR_EACH(tmi_store_opaque, colors[i]);
}

TMI_WIDE void tmi_blend_four(uint8_t *target, tmi_four_pixels source, uint32_t num, bool multiplied)
{
#ifdef TMI_WASM_SIMD
    if (num >= 4 && target[3] + target[7] + target[11] + target[15] == 4 * 255) {
        const tmi_two first = tmi_cut_two(source.first), second = tmi_cut_two(source.second);
        tmi_store_all(target, (tmi_four_pixels){tmi_over(first, target, multiplied),
                                                tmi_over(second, target + 8, multiplied)});
        return;
    }
#endif
    TMI_FOR_EACH(tmi_blend, colors[i], multiplied);
}

#else

/* The bytes of four pixels, rounded and opaque. */
TMI_WIDE __m128i tmi_bytes_of(tmi_four_pixels source)
{
    const __m256i a = _mm256_cvttps_epi32(tmi_cut_two(source.first) + 0.5f);
    const __m256i b = _mm256_cvttps_epi32(tmi_cut_two(source.second) + 0.5f);
    const __m256i words = _mm256_packus_epi32(a, b); /* pixels 0 and 2, 1 and 3 */
    const __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    return _mm_or_si128(_mm_shuffle_epi32(bytes, 0xD8), _mm_set1_epi32((int)0xFF000000));
}

TMI_WIDE __m128i tmi_some(uint32_t num)
{
    return _mm_cmpgt_epi32(_mm_set1_epi32((int)num), _mm_setr_epi32(0, 1, 2, 3));
}

TMI_WIDE void tmi_store_opaque_four(uint8_t *target, tmi_four_pixels source, uint32_t num)
{
    if (num >= 4)
        _mm_storeu_si128((__m128i *)(void *)target, tmi_bytes_of(source));
    else
        _mm_maskstore_epi32((int *)(void *)target, tmi_some(num), tmi_bytes_of(source));
}

/* Two pixels over what is below them; those that are clear leave it as it is. */
TMI_WIDE tmi_two tmi_over(tmi_two color, __m128i below, bool multiplied)
{
    const tmi_two a = tmi_alphas(color) / 255, rest = 1 - a;
    if (!multiplied)
        color = color * a;
    return color + _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(below)) * rest;
}

TMI_WIDE void tmi_blend_four(uint8_t *target, tmi_four_pixels source, uint32_t num, bool multiplied)
{
    const __m128i opaque = _mm_set1_epi32((int)0xFF000000);
    __m128i below;
    source = (tmi_four_pixels){tmi_cut_two(source.first), tmi_cut_two(source.second)};
    if (num >= 4)
        below = _mm_loadu_si128((const __m128i *)(const void *)target);
    else
        below = _mm_blendv_epi8(opaque, _mm_maskload_epi32((const int *)(const void *)target, tmi_some(num)),
                                tmi_some(num));
    if (!_mm_testc_si128(below, opaque)) {
        TMI_FOR_EACH(tmi_blend, colors[i], multiplied);
        return;
    }
    source = (tmi_four_pixels){tmi_over(source.first, below, multiplied),
                               tmi_over(source.second, _mm_srli_si128(below, 8), multiplied)};
    tmi_store_opaque_four(target, source, num);
}

#endif

TMI_WIDE void tmi_replace_four(uint8_t *target, tmi_four_pixels source, uint32_t num)
{
    TMI_FOR_EACH(tmi_replace, colors[i]);
}

#endif

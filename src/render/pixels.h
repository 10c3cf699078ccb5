/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RENDER_PIXELS_H
#define TMI_RENDER_PIXELS_H
/*
 * Four channels at once: reading texels, rounding to bytes, laying one primitive's pixel over the picture
 * (section 6). Vectors of the compiler, so that every machine computes the same single operations in the
 * same order; where a compiler makes slow code of a conversion, it is told the instruction, which gives the
 * same numbers.
 */
#include "../base/base.h"

/* Four floats at once: red, green, blue, alpha. Texels are 0..255, factors 0..1. */
typedef float tmi_rgba __attribute__((vector_size(16)));
typedef int32_t tmi_ints __attribute__((vector_size(16)));
typedef uint8_t tmi_bytes __attribute__((vector_size(16)));

#if defined(__has_builtin) && !defined(TMI_PLAIN_VECTORS)
#if __has_builtin(__builtin_shufflevector)
#define TMI_SHUFFLE
#ifdef __SSE2__
#define TMI_SSE2
#endif
#endif
#endif

/* Pixels are drawn by code for AVX2, too (machine.c). */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(TMI_PLAIN_VECTORS)
#define TMI_HAS_AVX2
#endif

#if defined(__wasm_simd128__) && !defined(TMI_PLAIN_VECTORS)
#define TMI_WASM_SIMD
#include <wasm_simd128.h>
#endif

/* Four bytes as four floats. */
TMI_INLINE tmi_rgba tmi_load(const uint8_t *rgba)
{
#ifdef TMI_SSE2
    typedef int16_t shorts __attribute__((vector_size(16)));
    const tmi_bytes none = {0};
    uint32_t word;
    memcpy(&word, rgba, 4);
    const tmi_bytes bytes = (tmi_bytes)(tmi_ints){(int32_t)word, 0, 0, 0};
    const shorts wide =
        (shorts)__builtin_shufflevector(bytes, none, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const tmi_ints ints = (tmi_ints)__builtin_shufflevector(wide, (shorts)none, 0, 8, 1, 9, 2, 10, 3, 11);
    return __builtin_convertvector(ints, tmi_rgba);
#elif defined(TMI_WASM_SIMD)
    return (tmi_rgba)wasm_f32x4_convert_u32x4(
        wasm_u32x4_extend_low_u16x8(wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(rgba))));
#elif defined(__ARM_NEON) && \
    defined(__clang__) /* which else converts three alone where alpha is not asked for */
    typedef uint8_t four __attribute__((vector_size(4)));
    four bytes;
    memcpy(&bytes, rgba, 4);
    return __builtin_convertvector(bytes, tmi_rgba);
#else
    return (tmi_rgba){rgba[0], rgba[1], rgba[2], rgba[3]};
#endif
}

/* At most 255. */
TMI_INLINE tmi_rgba tmi_cut(tmi_rgba value)
{
    const tmi_rgba most = {255, 255, 255, 255};
#ifdef TMI_SSE2
    return __builtin_ia32_minps(value, most);
#elif defined(TMI_WASM_SIMD)
    return (tmi_rgba)wasm_f32x4_pmin((v128_t)most, (v128_t)value);
#else
    const tmi_ints over = value > most;
    return (tmi_rgba)(((tmi_ints)value & ~over) | ((tmi_ints)most & over));
#endif
}

/* At least 0. */
TMI_INLINE tmi_rgba tmi_raise(tmi_rgba value)
{
    const tmi_rgba none = {0};
    return (tmi_rgba)((tmi_ints)value & (value > none));
}

/* Rounds to the nearest byte; the value is 0 or more, and cut at 255. */
TMI_INLINE void tmi_store(uint8_t *target, tmi_rgba value)
{
    const tmi_rgba half = {0.5f, 0.5f, 0.5f, 0.5f};
    const tmi_ints ints = __builtin_convertvector(tmi_cut(value) + half, tmi_ints);
#ifdef TMI_SSE2
    typedef char chars __attribute__((vector_size(16)));
    typedef short shorts __attribute__((vector_size(16)));
    const shorts narrow = (shorts)__builtin_ia32_packssdw128(ints, ints);
    const chars bytes = (chars)__builtin_ia32_packuswb128(narrow, narrow);
    const int32_t word = ((tmi_ints)bytes)[0];
    memcpy(target, &word, 4);
#elif defined(TMI_WASM_SIMD)
    const v128_t narrow = wasm_i16x8_narrow_i32x4((v128_t)ints, (v128_t)ints);
    wasm_v128_store32_lane(target, wasm_u8x16_narrow_i16x8(narrow, narrow), 0);
#else
    for (int k = 0; k < 4; k++)
        target[k] = (uint8_t)ints[k];
#endif
}

/* The same for a pixel that covers what is below it. */
TMI_INLINE void tmi_store_opaque(uint8_t *target, tmi_rgba value)
{
    value[3] = 255;
    tmi_store(target, value);
}

/*
 * One primitive's pixel over the picture: clamped, then source alpha over destination, rounded to 8 bits
 * (section 6). Alpha is that of the over operator. `multiplied`: the color is already multiplied by its
 * alpha.
 */
TMI_INLINE void tmi_blend(uint8_t *target, tmi_rgba color, bool multiplied)
{
    color = tmi_cut(color);
    if (color[3] <= 0)
        return;
    const float a = color[3] / 255, rest = 1 - a;
    if (!multiplied)
        color = color * a;
    if (target[3] == 255 || rest <= 0) {
        tmi_store_opaque(target, color + tmi_load(target) * rest);
    } else { /* not opaque below: straight alpha in, straight alpha out */
        const float below = (float)target[3] / 255 * rest, alpha = a + below;
        color = (color + tmi_load(target) * below) / alpha;
        color[3] = alpha * 255;
        tmi_store(target, color);
    }
}

/* Without blending, but what is clear leaves what is below. */
TMI_INLINE void tmi_replace(uint8_t *target, tmi_rgba color)
{
    if (color[3] > 0)
        tmi_store_opaque(target, color);
}

/* A row of one color. */
TMI_INLINE void tmi_fill(uint8_t *target, uint32_t num, tmi_rgba color, bool multiplied)
{
    uint8_t four[16];
    if (color[3] >= 255) {
        for (size_t i = 0; i < sizeof(four); i += 4)
            tmi_store_opaque(four + i, color);
        for (; num >= 4; num -= 4, target += 16)
            memcpy(target, four, 16);
        memcpy(target, four, 4 * (size_t)num);
    } else if (color[3] > 0) {
        for (uint32_t i = 0; i < num; i++)
            tmi_blend(target + 4 * (size_t)i, color, multiplied);
    }
}

#endif

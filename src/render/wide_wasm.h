/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RENDER_WIDE_WASM_H
#define TMI_RENDER_WIDE_WASM_H
/*
 * The operations of AVX2 that the files for it use, made of WebAssembly's vectors of half their length, so
 * that both run one text. Only what is used is here, and only as far as it is used: what x86 does with
 * numbers that fit no integer is not.
 */
#include <wasm_simd128.h>

#define TMI_WIDE(type, bytes) __attribute__((vector_size(bytes))) type
typedef TMI_WIDE(float, 16) __m128;
typedef TMI_WIDE(long long, 16) __m128i;
typedef TMI_WIDE(float, 32) __m256;
typedef TMI_WIDE(double, 32) __m256d;
typedef TMI_WIDE(long long, 32) __m256i;
typedef TMI_WIDE(int, 16) tmi_i4;
typedef TMI_WIDE(int, 32) tmi_i8;
typedef TMI_WIDE(short, 32) tmi_s16;

#define TMI_WASM static inline __attribute__((always_inline))
/* A function of numbers, written with an operator. */
#define TMI_OPERATOR(name, type, as, operator) \
    TMI_WASM type name(type a, type b)         \
    {                                          \
        return (type)((as)a operator(as) b);   \
    }
#define TMI_LOW(x)     __builtin_shufflevector((__m256i)(x), (__m256i)(x), 0, 1)
#define TMI_HIGH(x)    __builtin_shufflevector((__m256i)(x), (__m256i)(x), 2, 3)
#define TMI_BOTH(a, b) __builtin_shufflevector((__m128i)(a), (__m128i)(b), 0, 1, 2, 3)
/* A function of both halves. */
#define TMI_HALVES(function, a, b)                             \
    TMI_BOTH(function((v128_t)TMI_LOW(a), (v128_t)TMI_LOW(b)), \
             function((v128_t)TMI_HIGH(a), (v128_t)TMI_HIGH(b)))

/* clang-format off */
TMI_OPERATOR(_mm256_and_pd, __m256d, __m256i, &)
TMI_OPERATOR(_mm256_add_epi16, __m256i, tmi_s16, +)
TMI_OPERATOR(_mm_add_epi32, __m128i, tmi_i4, +)
TMI_OPERATOR(_mm_sub_epi32, __m128i, tmi_i4, -)
TMI_OPERATOR(_mm_mullo_epi32, __m128i, tmi_i4, *)
TMI_OPERATOR(_mm_cmpgt_epi32, __m128i, tmi_i4, >)
TMI_OPERATOR(_mm_cmplt_epi32, __m128i, tmi_i4, <)
TMI_OPERATOR(_mm_and_si128, __m128i, __m128i, &)
TMI_OPERATOR(_mm_or_si128, __m128i, __m128i, |)

/* The second number where they are equal or one is none, as on x86. */
TMI_WASM __m256 _mm256_min_ps(__m256 a, __m256 b) { return (__m256)TMI_HALVES(wasm_f32x4_pmin, b, a); }
TMI_WASM __m256 _mm256_max_ps(__m256 a, __m256 b) { return (__m256)TMI_HALVES(wasm_f32x4_pmax, b, a); }
TMI_WASM __m256d _mm256_min_pd(__m256d a, __m256d b) { return (__m256d)TMI_HALVES(wasm_f64x2_pmin, b, a); }
TMI_WASM __m256d _mm256_max_pd(__m256d a, __m256d b) { return (__m256d)TMI_HALVES(wasm_f64x2_pmax, b, a); }

enum { _CMP_GT_OQ, _CMP_LT_OQ };
#define _mm256_cmp_pd(a, b, how) ((__m256d)((how) == _CMP_GT_OQ ? (a) > (b) : (a) < (b)))
#define _mm256_cmp_ps(a, b, how) ((__m256)((how) == _CMP_GT_OQ ? (a) > (b) : (a) < (b)))

#define _mm256_setzero_ps() ((__m256){0})
#define _mm256_setzero_pd() ((__m256d){0})
#define _mm_setzero_si128() ((__m128i){0})
TMI_WASM __m256d _mm256_setr_pd(double a, double b, double c, double d) { return (__m256d){a, b, c, d}; }
TMI_WASM __m256d _mm256_set1_pd(double a) { return (__m256d){a, a, a, a}; }
TMI_WASM __m256 _mm256_set1_ps(float a) { return (__m256){a, a, a, a, a, a, a, a}; }
TMI_WASM __m128 _mm_set1_ps(float a) { return (__m128){a, a, a, a}; }
TMI_WASM __m128i _mm_setr_epi32(int a, int b, int c, int d) { return (__m128i)(tmi_i4){a, b, c, d}; }
TMI_WASM __m128i _mm_set1_epi32(int a) { return _mm_setr_epi32(a, a, a, a); }
TMI_WASM __m128i _mm_cvtsi32_si128(int a) { return _mm_setr_epi32(a, 0, 0, 0); }
#define _mm256_setr_epi32(...) ((__m256i)(tmi_i8){__VA_ARGS__})
#define _mm_insert_epi32(a, value, at) ((__m128i)wasm_i32x4_replace_lane((v128_t)(a), at, value))

TMI_WASM __m128 _mm_load_ps(const float *at) { return (__m128)wasm_v128_load(at); }
TMI_WASM __m128i _mm_loadu_si128(const __m128i *at) { return (__m128i)wasm_v128_load(at); }
TMI_WASM __m128i _mm_loadl_epi64(const __m128i *at) { return (__m128i)wasm_v128_load64_zero(at); }
TMI_WASM void _mm_storeu_si128(__m128i *at, __m128i a) { wasm_v128_store(at, (v128_t)a); }
TMI_WASM __m256 _mm256_loadu_ps(const float *at) { return (__m256)TMI_BOTH(wasm_v128_load(at), wasm_v128_load(at + 4)); }
TMI_WASM void _mm256_storeu_ps(float *at, __m256 a)
{
    wasm_v128_store(at, (v128_t)TMI_LOW(a));
    wasm_v128_store(at + 4, (v128_t)TMI_HIGH(a));
}
TMI_WASM __m128i _mm_maskload_epi32(const int *at, __m128i mask)
{
    const tmi_i4 is = (tmi_i4)mask;
    return _mm_setr_epi32(is[0] ? at[0] : 0, is[1] ? at[1] : 0, is[2] ? at[2] : 0, is[3] ? at[3] : 0);
}
TMI_WASM void _mm_maskstore_epi32(int *at, __m128i mask, __m128i a)
{
    const tmi_i4 is = (tmi_i4)mask, from = (tmi_i4)a;
    for (int i = 0; i < 4; i++)
        if (is[i])
            at[i] = from[i];
}

TMI_WASM __m128i _mm256_cvttpd_epi32(__m256d a)
{
    const v128_t low = wasm_i32x4_trunc_sat_f64x2_zero((v128_t)TMI_LOW(a)), high = wasm_i32x4_trunc_sat_f64x2_zero((v128_t)TMI_HIGH(a));
    return (__m128i)wasm_i64x2_shuffle(low, high, 0, 2);
}
TMI_WASM __m128 _mm256_cvtpd_ps(__m256d a)
{
    const v128_t low = wasm_f32x4_demote_f64x2_zero((v128_t)TMI_LOW(a)), high = wasm_f32x4_demote_f64x2_zero((v128_t)TMI_HIGH(a));
    return (__m128)wasm_i64x2_shuffle(low, high, 0, 2);
}
TMI_WASM __m256d _mm256_cvtepi32_pd(__m128i a)
{
    return (__m256d)TMI_BOTH(wasm_f64x2_convert_low_i32x4((v128_t)a),
                             wasm_f64x2_convert_low_i32x4(wasm_i64x2_shuffle((v128_t)a, (v128_t)a, 1, 1)));
}
TMI_WASM __m256i _mm256_cvttps_epi32(__m256 a) { return (__m256i)TMI_BOTH(wasm_i32x4_trunc_sat_f32x4((v128_t)TMI_LOW(a)), wasm_i32x4_trunc_sat_f32x4((v128_t)TMI_HIGH(a))); }
TMI_WASM __m256 _mm256_cvtepi32_ps(__m256i a) { return (__m256)TMI_BOTH(wasm_f32x4_convert_i32x4((v128_t)TMI_LOW(a)), wasm_f32x4_convert_i32x4((v128_t)TMI_HIGH(a))); }
TMI_WASM __m256i _mm256_cvtepu8_epi32(__m128i a)
{
    const v128_t words = wasm_u16x8_extend_low_u8x16((v128_t)a);
    return (__m256i)TMI_BOTH(wasm_u32x4_extend_low_u16x8(words), wasm_u32x4_extend_high_u16x8(words));
}
TMI_WASM __m256i _mm256_packs_epi32(__m256i a, __m256i b) { return (__m256i)TMI_HALVES(wasm_i16x8_narrow_i32x4, a, b); }
TMI_WASM __m256i _mm256_packus_epi32(__m256i a, __m256i b) { return (__m256i)TMI_HALVES(wasm_u16x8_narrow_i32x4, a, b); }
TMI_WASM __m128i _mm_packs_epi16(__m128i a, __m128i b) { return (__m128i)wasm_i8x16_narrow_i16x8((v128_t)a, (v128_t)b); }
TMI_WASM __m128i _mm_packus_epi16(__m128i a, __m128i b) { return (__m128i)wasm_u8x16_narrow_i16x8((v128_t)a, (v128_t)b); }

#define _mm256_castps128_ps256(a)        ((__m256)TMI_BOTH(a, a))
#define _mm256_castps_si256(a)           ((__m256i)(a))
#define _mm256_castsi256_si128(a)        TMI_LOW(a)
#define _mm256_extracti128_si256(a, one) TMI_HIGH(a)
#define _mm256_insertf128_ps(a, b, one)  ((__m256)TMI_BOTH(TMI_LOW(a), b))
#define _mm256_permute2f128_ps(a, b, how) ((__m256)TMI_BOTH((how) & 1 ? TMI_HIGH(a) : TMI_LOW(a), (how) >> 4 & 1 ? TMI_HIGH(b) : TMI_LOW(b)))
#define _mm256_permute4x64_pd(a, how) __builtin_shufflevector(a, a, (how) & 3, (how) >> 2 & 3, (how) >> 4 & 3, (how) >> 6)
#define _mm256_permute_ps(a, how)                                                                            \
    __builtin_shufflevector(a, a, (how) & 3, (how) >> 2 & 3, (how) >> 4 & 3, (how) >> 6, 4 + ((how) & 3),     \
                            4 + ((how) >> 2 & 3), 4 + ((how) >> 4 & 3), 4 + ((how) >> 6))
#define _mm_shuffle_epi32(a, how) ((__m128i)wasm_i32x4_shuffle((v128_t)(a), (v128_t)(a), (how) & 3, (how) >> 2 & 3, (how) >> 4 & 3, (how) >> 6))
#define _mm_unpackhi_epi64(a, b)  ((__m128i)wasm_i64x2_shuffle((v128_t)(a), (v128_t)(b), 1, 3))
#define _mm_srli_si128(a, eight)  ((__m128i)wasm_i64x2_shuffle((v128_t)(a), wasm_i64x2_const(0, 0), 1, 2))
TMI_WASM __m256 _mm256_permutevar8x32_ps(__m256 a, __m256i by)
{
    const tmi_i8 i = (tmi_i8)by;
    return (__m256){a[i[0]], a[i[1]], a[i[2]], a[i[3]], a[i[4]], a[i[5]], a[i[6]], a[i[7]]};
}
TMI_WASM __m128i _mm_blendv_epi8(__m128i a, __m128i b, __m128i mask) { return (__m128i)wasm_v128_bitselect((v128_t)b, (v128_t)a, (v128_t)mask); }
TMI_WASM int _mm_testz_si128(__m128i a, __m128i b) { return !wasm_v128_any_true((v128_t)(a & b)); }
TMI_WASM int _mm_testc_si128(__m128i a, __m128i b) { return !wasm_v128_any_true((v128_t)(b & ~a)); }

/* For halving pictures. */
#define _mm256_srli_epi16(a, by) ((__m256i)((TMI_WIDE(unsigned short, 32))(a) >> (by)))
#define _mm256_set1_epi8(a)  ((__m256i)TMI_BOTH(wasm_i8x16_splat(a), wasm_i8x16_splat(a)))
#define _mm256_set1_epi16(a) ((__m256i)TMI_BOTH(wasm_i16x8_splat(a), wasm_i16x8_splat(a)))
#define _mm_setr_epi8(...)   ((__m128i)wasm_i8x16_make(__VA_ARGS__))
#define _mm256_broadcastsi128_si256(a) ((__m256i)TMI_BOTH(a, a))
TMI_WASM __m256i _mm256_loadu_si256(const __m256i *at) { return (__m256i)_mm256_loadu_ps((const float *)at); }
TMI_WASM void _mm256_storeu_si256(__m256i *at, __m256i a) { _mm256_storeu_ps((float *)at, (__m256)a); }
TMI_WASM __m256i _mm256_shuffle_epi8(__m256i a, __m256i by) { return (__m256i)TMI_HALVES(wasm_i8x16_swizzle, a, by); }
TMI_WASM __m256i _mm256_packus_epi16(__m256i a, __m256i b) { return (__m256i)TMI_HALVES(wasm_u8x16_narrow_i16x8, a, b); }
/* Of ones. */
TMI_WASM __m256i _mm256_maddubs_epi16(__m256i a, __m256i ones)
{
    (void)ones;
    return (__m256i)TMI_BOTH(wasm_u16x8_extadd_pairwise_u8x16((v128_t)TMI_LOW(a)),
                             wasm_u16x8_extadd_pairwise_u8x16((v128_t)TMI_HIGH(a)));
}
#define _mm256_permute4x64_epi64 _mm256_permute4x64_pd
/* clang-format on */
#endif

/* SPDX-License-Identifier: Zlib */
/*
 * Halving pictures (section 5) on machines with AVX2: what mipmap.c does, for eight texels at a time.
 */
#include "pixels_avx2.h"

#include "mipmap.h"

#ifdef TMI_AVX2

/* Four texels out of eight in each of two rows: 16 bits a channel, texels 0 and 1, 2 and 3. */
TMI_FOR_AVX2 __m256i mean_of(const uint8_t *upper, const uint8_t *lower)
{
    const __m256i ones = _mm256_set1_epi8(1), rest = _mm256_set1_epi16(2);
    const __m256i pairs = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15)); /* channels of neighbours */
    const __m256i top = _mm256_loadu_si256((const __m256i *)(const void *)upper),
                  bottom = _mm256_loadu_si256((const __m256i *)(const void *)lower);
    const __m256i sum = _mm256_add_epi16(_mm256_maddubs_epi16(_mm256_shuffle_epi8(top, pairs), ones),
                                         _mm256_maddubs_epi16(_mm256_shuffle_epi8(bottom, pairs), ones));
    return _mm256_srli_epi16(_mm256_add_epi16(sum, rest), 2);
}

TMI_AVX2 void tmi_halve_avx2(uint8_t *to, uint32_t width, uint32_t height, const uint8_t *from)
{
    const size_t row = (size_t)width * 8;
    for (uint32_t y = 0; y < height; y++, from += row) {
        uint32_t left = width;
        for (; left >= 8; left -= 8, from += 64, to += 32) {
            const __m256i bytes =
                _mm256_packus_epi16(mean_of(from, from + row), mean_of(from + 32, from + row + 32));
            _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permute4x64_epi64(bytes, 0xD8));
        }
        tmi_halve_texels(to, left, from, from + row);
        to += 4 * (size_t)left;
        from += 8 * (size_t)left;
    }
}

#else

typedef int tmi_no_avx2; /* a file must hold something */

#endif

/* SPDX-License-Identifier: Zlib */
/*
 * What draws pixels on this machine: spans.c and tile_raster.c, which are compiled here once more for
 * processors with AVX2.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(TMI_PLAIN_VECTORS)
#define TMI_MAKE_AVX2
#include "spans.c"

#include "tile_raster.c"
#define TMI_CHOOSE(plain, avx2) (__builtin_cpu_supports("avx2") ? (avx2) : (plain))
#else
#include "spans.h"
#include "tile_raster.h"
#define TMI_CHOOSE(plain, avx2) plain
#endif

tmi_draw_span *tmi_choose_draw_span(void)
{
    return TMI_CHOOSE(tmi_draw_span_plain, tmi_draw_span_avx2);
}

tmi_draw_cell *tmi_choose_draw_cell(void)
{
    return TMI_CHOOSE(tmi_draw_cell_plain, tmi_draw_cell_avx2);
}

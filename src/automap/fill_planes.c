/* SPDX-License-Identifier: Zlib */
/*
 * Makes the planes of a row of tiles. See planes.h.
 */
#include "planes.h"

size_t tmi_planes_row_words(const tmi_planes *p)
{
    return p->stride * p->num_planes;
}

unsigned tmi_planes_state(const tmi_planes *p, const tm_tile *tile)
{
    return p->by_index ? tile->index : (unsigned)tile->index << 3 | tmi_flag_code(tile->flags);
}

/* Whether 64 tiles are like this one; most are, of most layers. */
static bool alike_64(const tm_tile *tiles, const tm_tile *like)
{
    const tm_tile compared[2] = {{0xff, 0xff, 0, 0}, {0xff, 0xff, 0, 0}}, both[2] = {*like, *like};
    uint64_t wanted, other = 0, mask, pair;
    memcpy(&mask, compared, sizeof(mask));
    memcpy(&wanted, both, sizeof(wanted));
    for (uint32_t i = 0; i < TMI_PLANE_BITS; i += 2) {
        memcpy(&pair, tiles + i, sizeof(pair));
        other |= pair ^ wanted;
    }
    return !(other & mask);
}

/* Bits 0 to 31 go to the even places, the others to the odd ones. */
static uint64_t interleave(uint64_t x)
{
    static const uint64_t masks[] = {UINT64_C(0x00000000ffff0000), UINT64_C(0x0000ff000000ff00),
                                     UINT64_C(0x00f000f000f000f0), UINT64_C(0x0c0c0c0c0c0c0c0c),
                                     UINT64_C(0x2222222222222222)};
    for (unsigned i = 0, by = 16; i < 5; i++, by /= 2) {
        const uint64_t t = (x ^ x >> by) & masks[i];
        x ^= t ^ t << by;
    }
    return x;
}

/* Which of 64 tiles are empty, two at a time: the carry out of an index tells. */
static uint64_t empty_bits(const tm_tile *tiles)
{
    const tm_tile indices[2] = {{0xff, 0, 0, 0}, {0xff, 0, 0, 0}};
    uint64_t mask, pair, bits = 0;
    memcpy(&mask, indices, sizeof(mask));
    for (uint32_t i = 0; i < TMI_PLANE_BITS; i += 2) {
        memcpy(&pair, tiles + i, sizeof(pair));
        bits = bits >> 1 | (((pair & mask) + mask) & UINT64_C(0x0000010000000100)) << 23;
    }
    return ~interleave(bits);
}

/* Whether eight tiles have one state. */
static bool are_eight_alike(const uint16_t *states)
{
    const uint64_t all = states[0] * UINT64_C(0x0001000100010001);
    uint64_t halves[2];
    memcpy(halves, states, sizeof(halves));
    return halves[0] == all && halves[1] == all;
}

/* Up to 64 tiles of one group: a word for each of its planes. */
static void look_up(uint64_t words[TMI_PLANE_GROUP], const uint8_t *lookup, const uint16_t *states,
                    uint32_t planes)
{
    memset(words, 0, TMI_PLANE_GROUP * sizeof(*words));
    for (uint32_t i = 0; i < TMI_PLANE_BITS; i += 8) {
        uint64_t bytes = 0;
        if (are_eight_alike(states + i)) {
            for (unsigned plane = 0; plane < planes; plane++)
                words[plane] |= ((0 - (uint64_t)(lookup[states[i]] >> plane & 1)) & 0xff) << i;
            continue;
        }
        for (uint32_t k = 0; k < 8; k++)
            bytes |= (uint64_t)lookup[states[i + k]] << 8 * k;
        bytes = tmi_transpose_8x8(bytes);
        for (unsigned plane = 0; plane < planes; plane++)
            words[plane] |= (bytes >> 8 * plane & 0xff) << i;
    }
}

static uint32_t planes_of_group(const tmi_planes *p, uint32_t group)
{
    const uint32_t left = p->num_planes - group * TMI_PLANE_GROUP;
    return left < TMI_PLANE_GROUP ? left : TMI_PLANE_GROUP;
}

/* So many words of tiles that are all alike. */
static void fill_alike(const tmi_planes *p, uint64_t *row, uint32_t num, const tm_tile *tile)
{
    const unsigned state = tmi_planes_state(p, tile);
    for (uint32_t plane = 0; plane < p->num_planes; plane++, row += p->stride) {
        const uint8_t *lookup = p->lookup + (size_t)(plane / TMI_PLANE_GROUP) * TMI_PLANE_STATES;
        const uint64_t word = 0 - (uint64_t)(lookup[state] >> plane % TMI_PLANE_GROUP & 1);
        for (uint32_t i = 0; i < num; i++)
            row[i] = word;
    }
}

static void fill_64(const tmi_planes *p, uint64_t *row, const tm_tile *tiles)
{
    uint16_t states[TMI_PLANE_BITS];
    uint64_t words[TMI_PLANE_GROUP];
    if (p->num_planes == 1 && tmi_little_endian()) {
        *row = empty_bits(tiles);
        return;
    }
    for (uint32_t i = 0; i < TMI_PLANE_BITS; i++)
        states[i] = (uint16_t)tmi_planes_state(p, &tiles[i]);
    for (uint32_t group = 0; group < p->num_groups; group++) {
        const uint32_t planes = planes_of_group(p, group);
        look_up(words, p->lookup + (size_t)group * TMI_PLANE_STATES, states, planes);
        for (uint32_t k = 0; k < planes; k++, row += p->stride)
            *row = words[k];
    }
}

/* The last word of a row, of which only a part lies in the layer. */
static void fill_rest(const tmi_planes *p, uint64_t *row, const tm_tile *tiles, uint32_t num)
{
    const uint64_t valid = (UINT64_C(1) << num) - 1;
    tm_tile whole[TMI_PLANE_BITS] = {0};
    memcpy(whole, tiles, num * sizeof(*tiles));
    p->fill_64(p, row, whole);
    for (uint32_t plane = 0; plane < p->num_planes; plane++, row += p->stride)
        *row = (*row & valid) | (p->outside[plane] ? ~valid : 0);
}

void tmi_planes_find_ways(tmi_planes *p)
{
    p->fill_64 = fill_64;
    p->alike_64 = alike_64;
    (void)tmi_find_fill_64(&p->fill_64, &p->alike_64);
}

void tmi_planes_fill(const tmi_planes *p, uint64_t *row, const tm_tile *tiles)
{
    const uint32_t whole = p->width / TMI_PLANE_BITS;
    row += p->pad;
    for (uint32_t word = 0; word < whole;) {
        const tm_tile *at = tiles + (size_t)word * TMI_PLANE_BITS;
        uint32_t alike = 0;
        while (word + alike < whole && p->alike_64(at + (size_t)alike * TMI_PLANE_BITS, at))
            alike++;
        if (alike)
            fill_alike(p, row + word, alike, at);
        else
            p->fill_64(p, row + word, at);
        word += alike ? alike : 1;
    }
    if (p->width % TMI_PLANE_BITS)
        fill_rest(p, row + whole, tiles + (size_t)whole * TMI_PLANE_BITS, p->width % TMI_PLANE_BITS);
}

void tmi_planes_fill_outside(const tmi_planes *p, uint64_t *row)
{
    for (uint32_t plane = 0; plane < p->num_planes; plane++)
        for (size_t i = 0; i < p->stride; i++)
            row[plane * p->stride + i] = p->outside[plane] ? UINT64_MAX : 0;
}

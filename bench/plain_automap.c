/* SPDX-License-Identifier: Zlib */
#include "plain_automap.h"

#include <stdlib.h>
#include <string.h>

typedef struct plain_layer {
    tm_tile *tiles;
    int64_t width, height;
} plain_layer;

static uint32_t hash_int(uint32_t n)
{
    n += 1;
    n ^= n >> 17;
    n *= 0xed5ad4bbU;
    n ^= n >> 11;
    n *= 0xac4c1b51U;
    n ^= n >> 15;
    n *= 0x31848babU;
    n ^= n >> 14;
    return n;
}

static uint32_t hash_place(int32_t seed, uint32_t run, uint32_t rule, int32_t x, int32_t y)
{
    const uint32_t values[] = {(uint32_t)seed, run, rule, (uint32_t)x, (uint32_t)y};
    uint32_t hash = 1;
    for (int i = 0; i < 5; i++)
        hash = hash * 31 + hash_int(values[i]);
    return hash_int(hash * 31) % 65536;
}

static bool fits(const tm_automap_entry *entry, int index, int flags)
{
    return entry->index == index && (entry->flags < 0 || entry->flags == flags);
}

static bool condition_is_true(const tm_automap_condition *condition, const plain_layer *from, int64_t x,
                              int64_t y)
{
    int index = -1, flags = 0;
    x += condition->x;
    y += condition->y;
    if (x >= 0 && x < from->width && y >= 0 && y < from->height) {
        index = from->tiles[y * from->width + x].index;
        flags = from->tiles[y * from->width + x].flags & 11;
    }
    for (uint32_t i = 0; i < condition->num_entries; i++)
        if (fits(&condition->entries[i], index, flags))
            return !condition->negated;
    return condition->negated;
}

static bool modulo_is_true(const tm_automap_rule *rule, int64_t x, int64_t y)
{
    if (rule->num_modulos == 0)
        return true;
    for (uint32_t i = 0; i < rule->num_modulos; i++)
        if ((int32_t)(uint32_t)(x + rule->modulos[i].offset_x) % rule->modulos[i].every_x == 0 &&
            (int32_t)(uint32_t)(y + rule->modulos[i].offset_y) % rule->modulos[i].every_y == 0)
            return true;
    return false;
}

static bool rule_is_true(const plain_automap *of, const tm_automap_rule *rule, uint32_t run, uint32_t number,
                         const plain_layer *from, int64_t x, int64_t y)
{
    for (uint32_t i = 0; i < rule->num_conditions; i++)
        if (!condition_is_true(&rule->conditions[i], from, x, y))
            return false;
    if (!modulo_is_true(rule, x + of->left, y + of->top))
        return false;
    if (rule->chance >= 1.0F)
        return true;
    const uint32_t hash = hash_place(of->seed, run, number, (int32_t)(x + of->left), (int32_t)(y + of->top));
    return (float)hash < 65536.0F * rule->chance;
}

static void map_all(const plain_automap *of, uint32_t run, bool refers, const plain_layer *from,
                    plain_layer *to)
{
    const tm_automap_pass *pass = &tm_automap_configs(NULL, of->rules)[of->config].passes[run];
    const bool old = tm_automap_rules_dialect(of->rules) == TM_AUTOMAP_DDNET_16;
    for (int64_t y = 0; y < to->height; y++) {
        for (int64_t x = 0; x < to->width; x++) {
            tm_tile *tile = &to->tiles[y * to->width + x];
            const tm_tile *read = old ? tile : &from->tiles[y * from->width + x];
            for (uint32_t i = 0; i < pass->num_rules; i++) {
                const tm_automap_rule *rule = &pass->rules[i];
                if (read->index == 0 && refers && tile->index != 0) {
                    tile->index = 0;
                    tile->flags = rule->flags;
                    continue;
                }
                if (read->index == 0 ? rule->skip_empty : rule->skip_full)
                    continue;
                if (!rule_is_true(of, rule, run, i, from, x, y))
                    continue;
                tile->index = (uint8_t)rule->index;
                tile->flags = rule->flags;
            }
        }
    }
}

/* What run 0 reads of the game layer. */
static void show_game(const plain_automap *of, plain_layer *out, bool live)
{
    static const int shown[] = {-1, 1, 2, 3, 9, 11, 12, 13, 144, 145};
    const size_t num = (size_t)of->game_width * of->game_height;
    for (int64_t y = 0; y < out->height; y++) {
        for (int64_t x = 0; x < out->width; x++) {
            tm_tile *tile = &out->tiles[y * out->width + x];
            *tile = (tm_tile){0, 0, 0, 0};
            if (live && (size_t)(y * out->width + x) < num)
                *tile = of->game[y * out->width + x];
            if (!live && x < of->game_width && y < of->game_height) {
                *tile = of->game[y * of->game_width + x];
                if (of->reference > 0 && tile->index != shown[of->reference])
                    tile->index = 0;
            }
        }
    }
}

bool plain_automap_run(const plain_automap *of, tm_tile *tiles, uint32_t width, uint32_t height)
{
    const tm_automap_config *config = &tm_automap_configs(NULL, of->rules)[of->config];
    const size_t size = (size_t)width * height * sizeof(tm_tile);
    plain_layer to = {tiles, width, height}, from = {malloc(size + 1), width, height};
    if (!from.tiles)
        return false;
    for (uint32_t run = 0; run < config->num_passes; run++) {
        const bool refers = run == 0 && of->reference >= 0;
        const bool live = config->passes[run].no_layer_copy;
        if (refers)
            show_game(of, &from, live);
        else if (!live)
            memcpy(from.tiles, tiles, size);
        map_all(of, run, refers, live && !refers ? &to : &from, &to);
    }
    free(from.tiles);
    return true;
}

/* SPDX-License-Identifier: Zlib */
#include "lib_histories.h"

#include "test.h"
#include "map/map.h"

const char *const test_history_files[TEST_HISTORY_FILES] = {"vanilla05/dm1-0b0c48.map",
                                                            "vanilla05/ctf1-31626a.map",
                                                            "vanilla06/ctf5-4b2f79.map",
                                                            "vanilla07/dm1-491af1.map",
                                                            "ddnet06/heavens_day-6da322.map",
                                                            "ddnet06/coverage-88a73f.map",
                                                            "ddnet06/minimalistic_blue-8f0e46.map",
                                                            "ddnet06/gravity-a733ed.map"};

/* xorshift: the same everywhere. */
static uint32_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)(*seed >> 32);
}

static uint32_t below(uint64_t *seed, uint32_t num)
{
    return num ? next_random(seed) % num : 0;
}

/* The address of some group, layer, or other object; "" if there is none. */
static void some_layer(char out[64], const tm_map *map, uint64_t *seed)
{
    const uint32_t g = below(seed, map->num_groups);
    if (map->num_groups && map->groups[g].num_layers)
        snprintf(out, 64, "%u/%u", g, below(seed, map->groups[g].num_layers));
    else
        snprintf(out, 64, "none");
}

static void some_object(char out[64], const tm_map *map, uint64_t *seed)
{
    switch (below(seed, 5)) {
    case 0: snprintf(out, 64, "image/%u", below(seed, map->num_images)); break;
    case 1: snprintf(out, 64, "envelope/%u", below(seed, map->num_envelopes)); break;
    case 2: snprintf(out, 64, "%u", below(seed, map->num_groups)); break;
    default: some_layer(out, map, seed); break;
    }
}

static test_step write_step(char *out, size_t size, const tm_map *map, uint64_t *seed)
{
    static const char *const whole[] = {"clean all", "join all", "settings sort", "isolate", "mirror x"};
    char at[64];
    some_object(at, map, seed);
    switch (below(seed, 12)) {
    case 0: snprintf(out, size, "rename %s n%u", at, below(seed, 1000)); return TEST_STEP_RENAME;
    case 1: snprintf(out, size, "remove %s", at); return TEST_STEP_REMOVE;
    case 2: snprintf(out, size, "move %s %u", at, below(seed, 4)); return TEST_STEP_MOVE;
    case 3: snprintf(out, size, "duplicate %s", at); return TEST_STEP_ADD;
    case 4: snprintf(out, size, "add image i%u", below(seed, 1000)); return TEST_STEP_ADD;
    case 5: snprintf(out, size, "add envelope color e%u", below(seed, 1000)); return TEST_STEP_ADD;
    case 6:
        snprintf(out, size, "settings add \"say %u\" \"tune x %u\"", below(seed, 9), below(seed, 9));
        break;
    case 7:
        some_layer(at, map, seed);
        snprintf(out, size, "set %s.detail=true", at);
        break;
    case 8: snprintf(out, size, "set %u.offset.x=%u", below(seed, map->num_groups), below(seed, 100)); break;
    case 9:
        some_layer(at, map, seed);
        snprintf(out, size, "move %s %u/end", at, below(seed, map->num_groups));
        return TEST_STEP_MOVE;
    case 10: snprintf(out, size, "%s", whole[below(seed, sizeof(whole) / sizeof(*whole))]); break;
    default:
        snprintf(out, size, "add layer %u tiles 20x30", below(seed, map->num_groups));
        return TEST_STEP_ADD;
    }
    return TEST_STEP_OTHER;
}

/* Besides, a few tiles, quads or points are changed by hand. */
static void scribble(tm_map *map, uint64_t *seed)
{
    const uint32_t g = below(seed, map->num_groups);
    if (!map->num_groups || !map->groups[g].num_layers)
        return;
    const uint32_t l = below(seed, map->groups[g].num_layers);
    const tm_layer *layer = &map->groups[g].layers[l];
    if (layer->kind == TM_LAYER_TILES || layer->kind == TM_LAYER_GAME) {
        const tm_tile tile = {(uint8_t)below(seed, 200), (uint8_t)below(seed, 4), 0, 0};
        tm_map_fill_tiles(map, g, l,
                          &(tm_rect){(int32_t)below(seed, 40), (int32_t)below(seed, 40), 1 + below(seed, 9),
                                     1 + below(seed, 9)},
                          &tile, NULL);
    } else if (layer->kind == TM_LAYER_QUADS) {
        tm_quad quad;
        tm_quad_init(&quad, (int32_t)below(seed, 9999), 0, 1024, 1024);
        if (below(seed, 2) && layer->as.quads.num_quads)
            tmi_map_remove_elements(map, LAYER_AT(g, l), below(seed, layer->as.quads.num_quads), 1, NULL);
        tmi_map_insert_elements(map, LAYER_AT(g, l), below(seed, layer->as.quads.num_quads + 1), &quad, 1,
                                NULL);
    }
}

uint64_t test_history_seed(uint64_t number)
{
    return number * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

test_step test_history_step(tm_map *map, uint64_t *seed, char *out, size_t size, tm_report *report)
{
    OWN(tm_edit_script) *script;
    const test_step kind = write_step(out, size, map, seed);
    must(tm_edit_script_from_text(&script, out, strlen(out), NULL, NULL));
    tm_edit_script_run(map, script, NULL, report, NULL);
    if (kind == TEST_STEP_OTHER)
        scribble(map, seed);
    return kind;
}

static uint32_t number_of(const char *variable, uint32_t usual)
{
    const char *text = getenv(variable);
    return text ? (uint32_t)strtoul(text, NULL, 10) : usual;
}

uint32_t test_first_history(void)
{
    return number_of("TEEMAP_FIRST_SEED", 0);
}

uint32_t test_each_history(bool (*live)(void *ctx, const tm_map *map, uint32_t seed, const char *path),
                           void *ctx)
{
    const uint32_t num = number_of("TEEMAP_SEEDS", 40), from = test_first_history();
    uint32_t wrong = 0;
    for (uint32_t f = 0; f < TEST_HISTORY_FILES; f++) {
        OWN(tm_buffer) file = test_corpus_file(test_history_files[f]);
        OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
        for (uint32_t seed = f; seed < num; seed += TEST_HISTORY_FILES)
            wrong += seed >= from && !live(ctx, map, seed, test_history_files[f]);
    }
    return wrong;
}

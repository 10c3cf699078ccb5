/* SPDX-License-Identifier: Zlib */
/*
 * Thousands of random changes, with everything checked after each: the map verifies, memory is counted right,
 * a step that failed changed nothing, and every reference leads to the object to which it led before. With
 * memory failing at random, too.
 */
#include "change_steps.h"
#include "support/fake_file.h"
#include "support/test.h"

#include "change_steps.c" /* NOLINT(bugprone-suspicious-include): shared with the fuzz target */

/* ----------------------------------------------------------------------------------------- random numbers */

static struct change_bytes random_bytes(uint64_t *state, uint8_t *buffer, size_t size)
{
    for (size_t i = 0; i < size; i++)
        buffer[i] = (uint8_t)(change_random(state) >> 32);
    return (struct change_bytes){buffer, size, 0};
}

/* ------------------------------------------------------------------------- who is who, and refers to whom */

/* Every object has a tag in its `user` field that no other has, so that it can be told wherever it stands. */
static uintptr_t last_tag;

static void *new_tag(void)
{
    return (void *)++last_tag;
}

static void tag_layers(tm_group *group)
{
    for (uint32_t l = 0; l < group->num_layers; l++)
        group->layers[l].user = new_tag();
}

static void tag_object(tm_map *map, tm_kind object, uint32_t at)
{
    switch (object) {
    case TM_KIND_IMAGE: map->images[at].user = new_tag(); break;
    case TM_KIND_SOUND: map->sounds[at].user = new_tag(); break;
    case TM_KIND_ENVELOPE: map->envelopes[at].user = new_tag(); break;
    case TM_KIND_GROUP:
        map->groups[at].user = new_tag();
        tag_layers(&map->groups[at]);
        break;
    default: fail();
    }
}

static void tag_all(tm_map *map)
{
    for (tm_kind object = TM_KIND_IMAGE; object <= TM_KIND_GROUP; object++)
        for (uint32_t i = 0; i < tmi_num_objects(map, object); i++)
            tag_object(map, object, i);
}

enum { MAX_REFERENCES = 16, MAX_SEEN = 256 };

/* The tags of all that a layer refers to; NULL for nothing. */
struct seen_layer {
    void *tag;
    void *image, *sound;
    void *envelopes[MAX_REFERENCES]; /* the color envelope, then those in packed data */
    uint32_t num;
};

struct seen {
    struct seen_layer layers[MAX_SEEN];
    uint32_t num;
};

static void *envelope_tag(const tm_map *map, int32_t index)
{
    const tm_envelope *envelope = tm_map_envelope(map, index);
    return envelope ? envelope->user : NULL;
}

/* Reads without unpacking for good, so as not to disturb what is tested. */
static void see_packed(struct seen_layer *seen, const tm_map *map, const tm_layer *layer)
{
    int32_t ints[38 * 4];
    tm_block *block = layer->kind == TM_LAYER_QUADS ? layer->as.quads.quads : layer->as.sounds.sources;
    uint32_t num = layer->kind == TM_LAYER_QUADS ? layer->as.quads.num_quads : layer->as.sounds.num_sources;
    size_t stride = tm_game_layer(layer->kind)->element_size / 4;
    size_t first = layer->kind == TM_LAYER_QUADS ? 34 : layer->kind == TM_LAYER_SOUNDS ? 6 : 5;
    if (num == 0)
        return;
    uint64_t size = tm_block_get_info(block).size;
    assert_true(size <= sizeof(ints));
    must(tm_map_read_data(map, block, ints, size, NULL));
    for (uint32_t i = 0; i < num; i++) {
        seen->envelopes[seen->num++] = envelope_tag(map, ints[i * stride + first]);
        seen->envelopes[seen->num++] = envelope_tag(map, ints[i * stride + first + 2]);
    }
}

static void see_layer(struct seen_layer *seen, const tm_map *map, const tm_layer *layer)
{
    memset(seen, 0, sizeof(*seen));
    seen->tag = layer->user;
    int32_t image = TM_NONE, sound = TM_NONE;
    if (tm_game_layer(layer->kind)->is_tiles) {
        image = layer->as.tiles.image;
        seen->envelopes[seen->num++] = envelope_tag(map, layer->as.tiles.color_envelope);
    } else if (layer->kind == TM_LAYER_QUADS) {
        image = layer->as.quads.image;
        see_packed(seen, map, layer);
    } else if (layer->kind != TM_LAYER_UNKNOWN) {
        sound = layer->as.sounds.sound;
        see_packed(seen, map, layer);
    }
    seen->image = tm_map_image(map, image) ? tm_map_image(map, image)->user : NULL;
    seen->sound = tm_map_sound(map, sound) ? tm_map_sound(map, sound)->user : NULL;
}

static void see(struct seen *seen, const tm_map *map)
{
    seen->num = 0;
    for (uint32_t g = 0; g < map->num_groups; g++) {
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            assert_true(seen->num < MAX_SEEN);
            see_layer(&seen->layers[seen->num++], map, &map->groups[g].layers[l]);
        }
    }
}

/* The tag if its object is still in the map, else NULL. */
static void *if_alive(const tm_map *map, void *tag)
{
    for (uint32_t i = 0; tag && i < map->num_images; i++)
        if (map->images[i].user == tag)
            return tag;
    for (uint32_t i = 0; tag && i < map->num_sounds; i++)
        if (map->sounds[i].user == tag)
            return tag;
    for (uint32_t i = 0; tag && i < map->num_envelopes; i++)
        if (map->envelopes[i].user == tag)
            return tag;
    return NULL;
}

static void check_references(const tm_map *map, const struct seen *before, const struct seen *after)
{
    for (uint32_t i = 0; i < before->num; i++) {
        const struct seen_layer *was = &before->layers[i], *is = NULL;
        for (uint32_t k = 0; k < after->num; k++)
            if (after->layers[k].tag == was->tag)
                is = &after->layers[k];
        if (!is)
            continue; /* the layer itself was removed */
        assert_ptr_equal(is->image, if_alive(map, was->image));
        assert_ptr_equal(is->sound, if_alive(map, was->sound));
        assert_int_equal(is->num, was->num);
        for (uint32_t k = 0; k < was->num; k++)
            assert_ptr_equal(is->envelopes[k], if_alive(map, was->envelopes[k]));
    }
}

struct totals {
    uint32_t steps, done, refused, out_of_memory;
};

static void check_step(tm_map *map, const tm_map *before, const struct seen *seen_before,
                       struct change_result result, struct totals *totals)
{
    static struct seen seen_after;
    char where[256];
    bool equal;
    totals->steps++;
    if (result.status != TM_OK) {
        must(tm_map_equal(&equal, before, map, where, sizeof(where), NULL));
        if (!equal)
            fail_msg("'%s' failed and left a change: %s", result.name, where);
        totals->refused += result.status == TM_ERROR_USAGE;
        totals->out_of_memory += result.status == TM_ERROR_MEMORY;
        assert_true(result.status == TM_ERROR_USAGE || result.status == TM_ERROR_MEMORY);
        return;
    }
    totals->done++;
    if (result.added && result.is_layer)
        map->groups[result.group].layers[result.at].user = new_tag();
    else if (result.added)
        tag_object(map, result.object, result.at);
    if (result.rearranged) {
        see(&seen_after, map);
        check_references(map, seen_before, &seen_after);
    }
}

/* `failures`: every n-th step or so runs out of memory somewhere. */
static struct totals walk(uint64_t seed, uint32_t num_steps, bool failures)
{
    static struct seen seen_before;
    uint8_t buffer[64];
    struct totals totals = {0};
    struct test_memory memory = TEST_MEMORY(memory);
    struct fake_file file;
    tm_map *map = fake_file_map(&file, &memory.allocator);
    tag_all(map);
    for (uint32_t i = 0; i < num_steps; i++) {
        tm_error error;
        memory.fail_at = 0;
        tm_map *before = test_map_clone(map);
        see(&seen_before, map);
        struct change_bytes stream = random_bytes(&seed, buffer, sizeof(buffer));
        if (failures && change_random(&seed) & 1)
            memory.fail_at = memory.num_requests + 1 + change_random(&seed) % 4;
        struct change_result result = change_step(map, &stream, &error);
        memory.fail_at = 0;
        check_step(map, before, &seen_before, result, &totals);
        tm_map_free(before);
        const char *fault = change_fault(map, &error); /* behind the clone, which shares what is counted */
        if (fault)
            fail_msg("after '%s': %s (%s: %s)", result.name, fault, error.place, error.text);
    }
    tm_map_free(map);
    assert_int_equal(memory.num_blocks, 0);
    assert_int_equal(atomic_load(&file.base.references), 0);
    assert_true(file.freed);
    return totals;
}

TEST(random_changes_keep_everything_right)
{
    struct totals totals = walk(1, 3000, false);
    assert_int_equal(totals.out_of_memory, 0);
    assert_true(totals.done > 1500);
    assert_true(totals.refused > 100);
    for (uint64_t seed = 2; seed < 12; seed++)
        walk(seed, 200, false);
}

TEST(running_out_of_memory_changes_nothing)
{
    struct totals totals = walk(100, 3000, true);
    assert_true(totals.done > 1000);
    assert_true(totals.out_of_memory > 100);
    for (uint64_t seed = 101; seed < 111; seed++)
        walk(seed, 200, true);
}

/* A stream that ends still makes steps: all arguments are 0 then. */
TEST(the_end_of_the_stream_is_zeros)
{
    struct fake_file file;
    struct change_bytes stream = {NULL, 0, 0};
    OWN(tm_map) *map = fake_file_map(&file, NULL);
    struct change_result result = change_step(map, &stream, NULL);
    assert_string_equal(result.name, "insert");
    must(result.status);
    assert_int_equal(map->num_images, 3);
    assert_null(change_fault(map, NULL));
}

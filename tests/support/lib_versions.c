/* SPDX-License-Identifier: Zlib */
/* See lib_versions.h. */
#include "lib_versions.h"

#include "lib_edit.h"

tm_map *test_merge_base(void)
{
    const uint8_t pixels[16 * 16 * 4] = {0};
    tm_map *map = test_map_new();
    map->game = TM_GAME_DDNET;
    for (uint32_t i = 0; i < 3; i++)
        must(tm_map_insert(map, TM_KIND_IMAGE, i, NULL));
    test_edit_does(
        map, "rename image/0 grass\nrename image/1 stone\nrename image/2 unused\nadd envelope color\n"
             "add point envelope/0 0\nadd point envelope/0 1000\nadd point envelope/0 2000\n"
             "add group Back\nadd group Play\nadd group Fore\nadd layer Back quads\nrename Back/0 Sky\n"
             "add layer Play game 40x30\nadd layer Play tiles 40x30\nadd layer Play tiles 40x30\n"
             "add layer Fore tiles 20x20\nrename Play/1 Deco\nrename Play/2 More\nrename Fore/0 Top\n"
             "add quad Back/Sky 0,0 32x32\nadd quad Back/Sky 64,0 32x32\nadd quad Back/Sky 128,0 32x32\n"
             "add quad Back/Sky 192,0 32x32\nfill game@0,20+40x10 1\nfill Play/Deco@3,3+9x9 7\n"
             "fill Play/More@30,2+5x5 8\nfill Fore/Top@1,1+4x4 9\nsettings add 'sv_a 1' 'tune x 1' 'say c'");
    must(tm_map_set_pixels(map, 1, pixels, 16, 16, NULL));
    return map;
}

tm_map *test_version_make(const char *script)
{
    static const uint8_t other[32 * 16 * 4] = {1};
    tm_map *map = test_merge_base();
    unsigned a, b;
    void *pixels;
    int used = 0;
    for (; sscanf(script, "pixel %u %u%n", &a, &b, &used) == 2; script += used + (script[used] == '\n')) {
        must(tm_map_edit_data(&pixels, NULL, map, map->images[1].pixels, NULL));
        ((uint8_t *)pixels)[(size_t)a * 4] = (uint8_t)b;
    }
    if (sscanf(script, "pixels %u %u%n", &a, &b, &used) == 2) {
        must(tm_map_set_pixels(map, 1, other, a, b, NULL));
        script += used;
    }
    test_edit_does(map, script);
    return map;
}

tm_map *test_merge(tm_conflicts **conflicts, const tm_map *base, const tm_map *ours, const tm_map *theirs,
                   const char *words, tm_resolution take)
{
    const tm_merge_rule rule = {words, take};
    const tm_merge_options options = {
        .size = sizeof(options), .rules = &rule, .num_rules = take != TM_RESOLUTION_UNRESOLVED};
    tm_map *map;
    tm_error error;
    if (tm_map_merge(&map, conflicts, base, ours, theirs, &options, NULL, &error))
        fail_msg("%s: %s", error.place, error.text);
    must(tm_map_verify(map, NULL));
    return map;
}

void test_print_conflicts(const tm_conflicts *conflicts)
{
    tm_conflict conflict;
    char line[300];
    for (uint32_t i = 0; tm_conflicts_at(&conflict, conflicts, i); i++) {
        tm_conflict_format(&conflict, line, sizeof(line));
        print_error("    %s (%s)\n", line, tm_resolution_name(conflict.resolution));
    }
}

void test_merge_without_memory(const tm_map *base, bool mark)
{
    OWN(tm_map) *ours = test_version_make("fill Play/Deco@0,0+2x2 5\nsettings add 'sv_x 1'\nadd group A"),
                *theirs = test_version_make(
                    "fill Play/Deco@1,1+2x2 6\nsettings add 'sv_x 2'\nremove Fore\n"
                    "add quad 0/0 640,0 2x2\nadd quad 0/0 -320,0 2x2\nquads back 0/0@-10,0+1x1");
    size_t tried = 0;
    EACH_FAILURE(memory) {
        const tm_merge_options options = {
            .size = sizeof(options), .allocator = &memory.allocator, .mark = mark};
        OWN(tm_map) *map;
        OWN(tm_conflicts) *conflicts;
        const tm_status status = tm_map_merge(&map, &conflicts, base, ours, theirs, &options, NULL, NULL);
        assert_true(status == TM_OK || (!map && !conflicts));
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        tried = memory.n;
    }
    assert_true(tried > 20);
}

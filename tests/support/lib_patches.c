/* SPDX-License-Identifier: Zlib */
#include "lib_patches.h"
#include "lib_edit.h"
#include "test.h"

tm_map *test_patch_map(void)
{
    tm_map *map = test_map_new();
    for (uint32_t i = 0; i < 2; i++)
        must(tm_map_insert(map, TM_OBJECT_IMAGE, i, NULL));
    must(tm_map_insert(map, TM_OBJECT_ENVELOPE, 0, NULL));
    test_edit_does(map,
                   "rename image/0 grass\nrename image/1 stone\nadd group Back\nadd group Game\nadd group\n"
                   "add layer Back quads\nrename Back/0 ''\nadd layer Game game 40x30\n"
                   "add layer Game tiles 40x30\nrename Game/1 Deco\nadd quad Back/0 0,0 32x32\n"
                   "add quad Back/0 64,0 32x32\nadd quad Back/0 128,0 32x32\nfill game@0,20+40x10 1\n"
                   "fill Game/Deco@3,3+9x9 7\nsettings add 'sv_a 1' 'tune x 1' 'sv_c 3'");
    return map;
}

tm_map *test_patch_changed(const tm_map *map, const char *script)
{
    tm_map *changed = test_map_clone(map);
    test_edit_does(changed, script);
    return changed;
}

tm_patch *test_patch_between(const tm_map *a, const tm_map *b)
{
    tm_patch *patch;
    must(tm_patch_make(&patch, a, b, NULL, NULL));
    return patch;
}

void test_patch_becomes(const tm_map *from, const tm_patch *patch, const tm_map *to)
{
    OWN(tm_map) *map = test_map_clone(from);
    tm_error error = {0};
    if (tm_patch_apply(map, patch, NULL, NULL, &error))
        fail_msg("%s: %s", error.place, error.text);
    assert_true(test_map_same(map, to));
}

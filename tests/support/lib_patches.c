/* SPDX-License-Identifier: Zlib */
#include "lib_patches.h"
#include "lib_edit.h"

tm_map *test_patch_map(void)
{
    tm_map *map = test_map_new();
    for (uint32_t i = 0; i < 2; i++)
        must(tm_map_insert(map, TM_KIND_IMAGE, i, NULL));
    must(tm_map_insert(map, TM_KIND_ENVELOPE, 0, NULL));
    test_edit_does(map,
                   "rename image/0 grass\nrename image/1 stone\nadd group Back\nadd group Game\nadd group\n"
                   "add layer Back quads\nrename Back/0 ''\nadd layer Game game 40x30\n"
                   "add layer Game tiles 40x30\nrename Game/1 Deco\nadd quad Back/0 0,0 32x32\n"
                   "add quad Back/0 64,0 32x32\nadd quad Back/0 128,0 32x32\nfill game@0,20+40x10 1\n"
                   "fill Game/Deco@3,3+9x9 7\nsettings add 'sv_a 1' 'tune x 1' 'sv_c 3'");
    return map;
}

tm_patch *test_patch_between(const tm_map *a, const tm_map *b)
{
    tm_patch *patch;
    must(tm_patch_make(&patch, a, b, NULL, NULL));
    return patch;
}

static bool leads_to(const tm_map *source, const tm_patch *patch, const tm_map *target,
                     const char *description)
{
    OWN(tm_map) *map = test_map_clone(source);
    OWN(tm_report) report;
    tm_error error;
    tm_report_init(&report, NULL);
    const tm_status status = tm_patch_apply(map, patch, NULL, &report, &error);
    if (status) {
        print_error("%s: %s: %s\n", description, error.place, error.text);
        test_print_findings(&report.findings);
    }
    const bool fine = !status && tm_map_verify(map, NULL) == TM_OK && test_map_same(map, target);
    if (!fine)
        print_error("%s\n", description);
    return fine;
}

void test_patch_becomes(const tm_map *source, const tm_patch *patch, const tm_map *target)
{
    assert_true(leads_to(source, patch, target, "the patch leads elsewhere"));
}

static bool leads_when_read(const tm_map *source, const tm_patch *patch, const tm_map *target,
                            const char *description)
{
    OWN(tm_buffer) first = {0}, second = {0};
    const tm_output to_first = tm_output_to_buffer(&first), to_second = tm_output_to_buffer(&second);
    OWN(tm_patch) *read;
    tm_error error;
    must(tm_patch_write(patch, &to_first, NULL));
    if (tm_patch_read(&read, first.bytes, first.size, NULL, &error)) {
        print_error("%s: %s: %s\n%.*s\n", description, error.place, error.text, (int)first.size,
                    (const char *)first.bytes);
        return false;
    }
    must(tm_patch_write(read, &to_second, NULL));
    return test_buffer_same(&first, &second) && leads_to(source, read, target, description);
}

bool test_patch_there_and_back(const tm_map *a, const tm_patch *patch, const tm_map *b,
                               const char *description)
{
    OWN(tm_patch) *backward;
    must(tm_patch_invert(&backward, patch, NULL));
    return leads_to(a, patch, b, description) && leads_to(b, backward, a, description) &&
           leads_when_read(a, patch, b, description) && leads_when_read(b, backward, a, description);
}

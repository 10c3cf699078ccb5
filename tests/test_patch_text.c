/* SPDX-License-Identifier: Zlib */
/*
 * Patches as JSON: damaged texts, texts that claim much, and failing memory.
 */
#include "support/lib_patches.h"

static tm_buffer json_of(const tm_patch *patch)
{
    tm_buffer text = {0};
    const tm_output output = tm_output_to_buffer(&text);
    must(tm_patch_write(patch, &output, NULL));
    return text;
}

/* Every cut and every changed byte of a patch is an error with a place, or another patch, but nothing worse. */
TEST(damaged_texts_are_refused)
{
    OWN(tm_map) *a = test_patch_map(), *b = test_edited(a, TEST_PATCH_SEVERAL);
    tm_patch *patch = test_patch_between(a, b), *read;
    OWN(tm_buffer) text = json_of(patch);
    tm_error error;
    for (size_t cut = 0; cut + 2 < text.size; cut += 1 + cut % 3) {
        assert_int_equal(tm_patch_read(&read, text.bytes, cut, NULL, &error), TM_ERROR_DAMAGED);
        assert_null(read);
        assert_true(error.text[0]);
    }
    for (size_t at = 0; at < text.size; at++) {
        const uint8_t was = text.bytes[at];
        text.bytes[at] = (uint8_t)(was ^ 1);
        if (tm_patch_read(&read, text.bytes, text.size, NULL, &error) == TM_OK) {
            OWN(tm_map) *map = test_map_clone(a);
            if (tm_patch_apply(map, read, NULL, NULL, NULL) == TM_OK)
                must(tm_map_verify(map, NULL));
        } else {
            assert_true(error.code == TM_ERROR_DAMAGED || error.code == TM_ERROR_LIMIT);
        }
        tm_patch_free(read);
        text.bytes[at] = was;
    }
    tm_patch_free(patch);
}

/* The later of two members of one name was taken, and nothing said. */
TEST(a_member_stands_there_once)
{
    OWN(tm_map) *a = test_patch_map(), *b = test_edited(a, TEST_PATCH_SEVERAL);
    tm_patch *patch = test_patch_between(a, b), *read;
    OWN(tm_buffer) text = json_of(patch), second = {0};
    const tm_output output = tm_output_to_buffer(&second);
    const char *const head = "{\"teemap_patch\": 2,";
    tm_error error;
    must(output.write(output.ctx, head, strlen(head), NULL));
    must(output.write(output.ctx, text.bytes + 1, text.size - 1, NULL));
    fails(TM_ERROR_DAMAGED, "a member of this name already",
          tm_patch_read(&read, second.bytes, second.size, NULL, &error));
    tm_patch_free(patch);
}

/* A short text that claims much is refused before memory is taken; so is a change of two objects, which wrote behind a list. */
TEST(limits_hold)
{
    static const char *const texts[] = {
        "{\"teemap_patch\":2,\"sides\":[{\"images\":2,\"sounds\":0,\"envelopes\":0,\"layers\":[],\"names\":{}},"
        "{\"images\":2,\"sounds\":0,\"envelopes\":0,\"layers\":[],\"names\":{}}],\"pairs\":{\"images\":[[0,0,2]]},\"changes\":["
        "{\"change\":\"field\",\"list\":\"images\",\"objects\":[0,1],\"owner\":\"image\",\"field\":\"width\",\"index\":0,"
        "\"was\":1,\"is\":2}]}",
        "{\"teemap_patch\":2,\"sides\":[{\"images\":2000000000,\"sounds\":0,\"envelopes\":0,\"layers\":[],\"names\":{}},"
        "{\"images\":0,\"sounds\":0,\"envelopes\":0,\"layers\":[],\"names\":{}}],\"pairs\":{},\"changes\":[]}",
        "{\"teemap_patch\":2,\"sides\":[{\"images\":0,\"sounds\":0,\"envelopes\":0,\"layers\":[900000,900000],\"names\":{}},"
        "{\"images\":0,\"sounds\":0,\"envelopes\":0,\"layers\":[],\"names\":{}}],\"pairs\":{},\"changes\":[]}",
        "{\"teemap_patch\":2,\"sides\":[{\"images\":0,\"sounds\":0,\"envelopes\":0,\"layers\":[1],\"names\":{}},"
        "{\"images\":0,\"sounds\":0,\"envelopes\":0,\"layers\":[1],\"names\":{}}],\"pairs\":{\"layers\":[[0,0,1]]},\"changes\":["
        "{\"change\":\"grid\",\"list\":\"layers\",\"objects\":[0,0],\"owner\":\"tile_layer\",\"field\":\"tiles\",\"size\":[9,9,9,9],"
        "\"shift\":[0,0],\"bytes\":4,\"runs\":[[0,0,268435455,\"00000000\",\"01000000\"]]}]}"};
    tm_limits limits = TM_LIMITS_INIT;
    tm_patch_options options = TM_PATCH_OPTIONS_INIT;
    tm_patch *read;
    tm_error error;
    limits.unpacked_bytes = 1 << 20;
    options.limits = &limits;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        const tm_status status = tm_patch_read(&read, texts[i], strlen(texts[i]), &options, &error);
        if (status != TM_ERROR_LIMIT && status != TM_ERROR_DAMAGED)
            fail_msg("text %u: %s", (unsigned)i, tm_status_name(status));
        assert_null(read);
    }
}

/* Any allocation may fail: the map is as before, and nothing is left behind. */
TEST(failing_memory_changes_nothing)
{
    OWN(tm_map) *a = test_patch_map(),
                *b = test_edited(a,
                                 TEST_PATCH_SEVERAL "\nadd image new\nmove image/new 0\nmove Game/Deco 2/0");
    OWN(tm_patch) *patch = test_patch_between(a, b);
    OWN(tm_buffer) text = json_of(patch);
    EACH_FAILURE(memory) {
        tm_patch_options options = TM_PATCH_OPTIONS_INIT;
        tm_error error;
        OWN(tm_patch) *made = NULL, *backward = NULL, *read = NULL;
        options.allocator = &memory.allocator;
        tm_status status = tm_patch_make(&made, a, b, &options, &error);
        status = status ? status : tm_patch_invert(&backward, made, &error);
        status = status ? status : tm_patch_read(&read, text.bytes, text.size, &options, &error);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
    }
}

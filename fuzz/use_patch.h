/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_USE_PATCH_H
#define TEEMAP_USE_PATCH_H
/*
 * Gives a patch that was read from JSON to every public function that takes one: a stranger wrote it, and whatever accepts it
 * once must bear it everywhere. The fuzz target and tests/test_patch_mutants.c share this; the latter fails if a public function
 * that takes a tm_patch is not called here.
 */
#include "fuzz.h"

/* Counts the bytes that are written, and throws them away. */
static inline tm_status use_count(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    uint64_t *total = ctx;
    (void)bytes;
    (void)error;
    *total += size;
    return TM_OK;
}

static inline tm_buffer use_text_of(const tm_patch *patch, const tm_allocator *allocator)
{
    tm_buffer buffer = {.allocator = allocator};
    const tm_output output = tm_output_to_buffer(&buffer);
    tm_error error;
    FUZZ_REQUIRE(tm_patch_write(patch, &output, &error) == TM_OK, "writing: %s: %s", error.place, error.text);
    return buffer;
}

/* What was read once is written in a form that reads as the same patch. */
static inline void use_again(const tm_patch *patch, const tm_patch_options *options)
{
    tm_buffer first = use_text_of(patch, options->allocator);
    tm_patch *reread;
    tm_error error;
    const tm_status status = tm_patch_read(&reread, first.bytes, first.size, options, &error);
    FUZZ_REQUIRE(status == TM_OK || status == TM_ERROR_LIMIT, "again: %s: %s", error.place, error.text);
    if (status == TM_OK) {
        tm_buffer second = use_text_of(reread, options->allocator);
        FUZZ_REQUIRE(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0,
                     "written in other bytes");
        tm_buffer_release(&second);
    }
    tm_patch_free(reread);
    tm_buffer_release(&first);
}

/* Each change, each of its runs, and the bytes of each tile, which a sanitizer watches. */
static inline void use_changes(const tm_patch *patch)
{
    tm_map_shift shift;
    tm_patch_shift(&shift, patch);
    for (uint32_t i = 0; i < tm_patch_num(patch); i++) {
        static const tm_rect part = {1, 1, 3, 2};
        tm_patch_change change;
        tm_run run;
        char line[1024];
        uint64_t sum = 0, num = 0;
        FUZZ_REQUIRE(tm_patch_at(&change, patch, i), "change %u is not there", (unsigned)i);
        tm_patch_change_format(&change, line, sizeof(line));
        FUZZ_REQUIRE(line[0], "a change without a word");
        tm_patch_change_is_shift(&change, &shift);
        FUZZ_REQUIRE(change.num_cut <= change.num && change.num_new <= change.num - change.num_cut,
                     "%llu tiles, %llu of them cut off and %llu new", (unsigned long long)change.num,
                     (unsigned long long)change.num_cut, (unsigned long long)change.num_new);
        for (uint32_t r = 0; tm_patch_run(&run, patch, i, r); r++) {
            num += run.num;
            for (size_t k = 0; k < (size_t)run.num * change.element_size; k++)
                sum += (uint64_t)((const uint8_t *)run.before)[k] + ((const uint8_t *)run.after)[k];
        }
        FUZZ_REQUIRE(num == change.num, "%llu tiles in runs, not %llu", (unsigned long long)num,
                     (unsigned long long)change.num);
        for (int within = 0; within < 2; within++)
            FUZZ_REQUIRE(tm_patch_tell_tiles(line, sizeof(line), patch, i, within ? &part : NULL, NULL) ==
                             TM_OK,
                         "which tiles became which");
        FUZZ_REQUIRE(sum <= num * change.element_size * 510, "the sum of the bytes is wrong");
    }
}

static inline void use_words(const tm_patch *patch, const tm_map *before, const tm_map *after)
{
    static const uint8_t choices[] = {0, 1, 2, 16, 32, 33, 4, 4 + 1, 4 + 8 + 16, 4 + 8 + 16 + 32 + 1};
    for (size_t i = 0; i < sizeof(choices); i++) {
        const unsigned bits = choices[i];
        uint64_t size = 0;
        tm_tell_options options = TM_TELL_OPTIONS_INIT;
        const tm_output output = {&size, use_count, NULL};
        tm_error error;
        options.before = bits & 1 ? before : NULL;
        options.after = bits & 1 ? after : NULL;
        options.sum_only = bits & 2;
        options.all = bits & 4;
        options.tiles = bits & 8;
        options.kinds = bits & 16;
        options.markdown = bits & 32;
        FUZZ_REQUIRE(tm_patch_tell(patch, &options, &output, &error) == TM_OK, "in words: %s", error.text);
        FUZZ_REQUIRE(size, "no word");
    }
}

/* Parts of the patch, all parts together, the way back and there again; each of them is written. */
static inline void use_algebra(const tm_patch *patch, const tm_map *before)
{
    static const char *const words[] = {
        NULL,     "design", "physics", "tiles,quads", "0/0,0/1@1,1+4x3",
        "layers", "groups", "info",    "settings",    "images,sounds,envelopes"};
    tm_patch *other, *inverse, *joined = NULL;
    tm_error error;
    FUZZ_REQUIRE(tm_patch_invert(&other, patch, &error) == TM_OK, "inverting: %s", error.text);
    FUZZ_REQUIRE(tm_patch_invert(&inverse, other, &error) == TM_OK, "inverting: %s", error.text);
    FUZZ_REQUIRE(tm_patch_num(inverse) == tm_patch_num(patch), "changes were lost");
    use_changes(other);
    tm_patch_free(other);
    tm_patch_free(inverse);
    for (unsigned i = 0; i < 2 * sizeof(words) / sizeof(*words); i++) {
        tm_filter_options options = TM_FILTER_OPTIONS_INIT;
        options.words = words[i / 2];
        options.race = i % 2;
        options.before = i % 4 == 1 ? before : NULL;
        const tm_status status = tm_patch_filter(&other, patch, &options, &error);
        FUZZ_REQUIRE(status == TM_OK || status == TM_ERROR_USAGE, "a part: %s", error.text);
        if (status != TM_OK)
            continue;
        FUZZ_REQUIRE(tm_patch_num(other) <= tm_patch_num(patch), "a part is more than the whole");
        use_changes(other);
        const tm_status united = tm_patch_union(&inverse, joined ? joined : patch, other, &error);
        FUZZ_REQUIRE(united == TM_OK || united == TM_ERROR_LIMIT, "joining a part: %s", error.text);
        if (united != TM_OK) {
            tm_patch_free(other);
            break;
        }
        tm_patch_free(joined);
        tm_patch_free(other);
        joined = inverse;
    }
    FUZZ_REQUIRE(!joined || tm_patch_num(joined) == tm_patch_num(patch),
                 "joined with its parts there is more");
    use_changes(joined);
    tm_patch_free(joined);
}

static inline tm_map *use_clone(const tm_map *map)
{
    tm_map *clone;
    tm_error error;
    FUZZ_REQUIRE(tm_map_clone(&clone, map, &error) == TM_OK, "a copy: %s", error.text);
    return clone;
}

static inline void use_apply(const tm_map *before, const tm_patch *patch, bool partial)
{
    tm_apply_options options = TM_APPLY_OPTIONS_INIT;
    tm_map *map = use_clone(before);
    tm_report report;
    tm_error error;
    bool equal;
    char where[200];
    options.partial = partial;
    tm_report_init(&report, NULL);
    tm_status status = tm_patch_apply(map, patch, &options, &report, &error);
    if (status == TM_OK) {
        FUZZ_REQUIRE(tm_map_verify(map, &error) == TM_OK, "applied: %s: %s", error.place, error.text);
    } else {
        FUZZ_REQUIRE(status == error.code && error.text[0] && status != TM_ERROR_MEMORY, "applying: %s: %s",
                     error.place, error.text);
        status = tm_map_equal(&equal, map, before, where, sizeof(where), &error);
        FUZZ_REQUIRE(status != TM_OK || equal, "it was refused, and yet: %s", where);
    }
    tm_report_release(&report);
    tm_map_free(map);
}

/* The marks of the changes on pictures of both maps, which need not be those of the patch. */
static inline void use_pictures(const tm_patch *patch, const tm_map *before, const tm_map *after)
{
    enum { SIDE = 64 };
    const tm_map *const maps[2] = {before, after};
    static uint8_t rgba[SIDE * SIDE * 4];
    tm_camera camera = {
        .size = sizeof(camera), .kind = TM_CAMERA_REGION, .scale = 0.125, .width = SIDE, .height = SIDE};
    tm_preview_marks marks = {.allocator = NULL};
    tm_error error;
    FUZZ_REQUIRE(tm_preview_patch_marks(&marks, patch, before, after, 0, &error) == TM_OK, "marks: %s",
                 error.text);
    for (int side = 0; side < 2; side++) {
        tm_renderer *renderer;
        if (tm_renderer_new(&renderer, maps[side], NULL, NULL, &error) != TM_OK)
            continue;
        FUZZ_REQUIRE(tm_preview_draw_marks(renderer, &camera, marks.map[side].list, marks.map[side].num,
                                           &(tm_rows){rgba, (size_t)SIDE * 4, 0, SIDE}, &error) == TM_OK,
                     "drawing marks: %s", error.text);
        for (size_t i = 0; i < marks.map[side].num; i++) {
            tm_preview_area area;
            FUZZ_REQUIRE(tm_preview_mark_area(&area, maps[side], &marks.map[side].list[i], false, &error) ==
                             TM_OK,
                         "the area of a mark: %s", error.text);
        }
        tm_renderer_free(renderer);
    }
    tm_preview_marks_release(&marks);
}

/* All of it. The maps may be those of the patch or any others; `before` is the one that it is applied to. */
static inline void use_patch(const tm_patch *patch, const tm_patch_options *options, const tm_map *before,
                             const tm_map *after)
{
    use_again(patch, options);
    use_changes(patch);
    use_words(patch, before, after);
    use_algebra(patch, before);
    use_apply(before, patch, false);
    use_apply(before, patch, true);
    use_apply(after, patch, true);
    use_pictures(patch, before, after);
}

#endif

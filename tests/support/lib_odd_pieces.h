/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_ODD_PIECES_H
#define TEST_LIB_ODD_PIECES_H
/*
 * Pieces that odd maps are made of, shared by the files that hold them; see lib_odd.h.
 */
#include "lib_odd.h"

enum { LAYER_INTS = 23 };

/* One int of an item that is other than usual. */
struct test_edit {
    uint32_t k;
    int32_t value;
};

/* A DDNet tile layer of `num` ints over 4 x 3 tiles; the edits come last. */
void test_odd_layer(struct test_maker *m, int id, size_t num, int32_t data, const struct test_edit *edits,
                    size_t num_edits);
#define LAYER(m, id, num, data, ...)                                          \
    test_odd_layer(m, id, num, data, (const struct test_edit[]){__VA_ARGS__}, \
                   sizeof((const struct test_edit[]){__VA_ARGS__}) / sizeof(struct test_edit))
#define PLAIN \
    {         \
        0, 0  \
    }
#define GAME \
    {        \
        6, 1 \
    }

int32_t test_odd_tiles(struct test_maker *m); /* data for them */
void test_odd_group(struct test_maker *m, int id, int first, int num);
void test_odd_version(struct test_maker *m);
void test_odd_info(struct test_maker *m);
/* A game layer, item 0; one group with `num` layers. */
void test_odd_start(struct test_maker *m, int num);
void test_odd_envelope(struct test_maker *m, int id, int first, int num);
/* `num` points of 6 ints: time 10, 20, ... */
void test_odd_points(struct test_maker *m, int num);

/* ODD(name, finding): a map that adds itself to the list; the body makes it of nothing. */
#define ODD(name, finding)                                                       \
    static void name(struct test_maker *m);                                      \
    __attribute__((constructor)) static void register_##name(void)               \
    {                                                                            \
        test_odd_register((struct test_odd){#name, TM_FINDING_##finding, name}); \
    }                                                                            \
    static void name(struct test_maker *m)
/* The same, of a sound map whose group has `layers` layers. */
#define ODD_SOUND(name, finding, layers)           \
    static void name##_more(struct test_maker *m); \
    ODD(name, finding)                             \
    {                                              \
        test_odd_start(m, layers);                 \
        name##_more(m);                            \
    }                                              \
    static void name##_more(struct test_maker *m)
void test_odd_register(struct test_odd odd);
/* Named by lib_odd.c, so that the linker takes in the files that hold them. */
extern const char test_odd_items, test_odd_layers;

#endif

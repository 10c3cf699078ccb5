/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_EDIT_H
#define TEST_LIB_EDIT_H
/*
 * Running operations in tests, from one line as in a script. After each run the map is verified. Needs cmocka.
 */
#include "test.h"

extern tm_report test_report; /* of the last run */
/* Of all runs: as TM_EDIT_OPTIONS_INIT makes them, with test_edit_files, unless a test sets some. */
extern tm_edit_options test_edit_options;

tm_status test_edit_run(tm_map *map, const char *line, tm_error *error);
/* The line must do its work. */
void test_edit_does(tm_map *map, const char *line);
/* A new map, or a copy of another one, on which the lines did theirs. */
tm_map *test_map_of(const char *lines);
tm_map *test_edited(const tm_map *map, const char *lines);
/* As test_edit_does, and it reports so many changes. */
void test_edit_reports(tm_map *map, const char *line, size_t num);
/* The line must fail with a text that has `text` in it, leave the map as it was and report nothing. */
tm_status test_edit_fails(tm_map *map, const char *line, const char *text);
void test_edit_refuses(tm_map *map, const char *line, tm_status expected, const char *text);

/* What a provider of files gives: a copy of the bytes. */
tm_status test_give_bytes(const void *ctx, size_t size, const tm_allocator *allocator, uint8_t **bytes,
                          size_t *num);

/* Files that operations read, by name; "*" means any name. */
extern struct test_edit_file {
    const char *name;
    tm_buffer bytes;
} test_edit_files[4];

/*
 * Runs the line on what `make` makes with each request for memory failing once: the map stays as it was. `check` sees
 * what it is in the end.
 */
void test_edit_without_memory(const char *line, tm_map *(*make)(const tm_allocator *allocator),
                              void (*check)(const tm_map *map));

#endif

/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_LINT_H
#define TEST_LIB_LINT_H
/*
 * The map on which the rules of lint are tried: a small race with which nobody finds fault. Needs cmocka.
 */
#include "lib_edit.h"

/* The operations that make the race out of a new map. */
extern const char test_lint_race[];

tm_map *test_lint_new_race(void);
/* A configuration of the file maps/.teemap.toml. */
tm_lint_config *test_lint_config(const char *text);
/* Asks all rules of all types, so that they meet each other, too. */
void test_lint_ask(tm_lint_result *result, const tm_map *map);
/* The types of rules that lint asks of the map by itself. */
uint32_t test_lint_guess(const tm_map *map);
/* The first finding of the rule, NULL if there is none. *at becomes its index. */
const tm_finding *test_lint_find(const tm_lint_result *result, tm_finding_id id, size_t *index);

#endif

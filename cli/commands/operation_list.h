/* SPDX-License-Identifier: Zlib */
#ifndef CLI_OPERATION_LIST_H
#define CLI_OPERATION_LIST_H
/*
 * operation_list.h - the table of operations of teemap/edit.h in words: as a list, one in full, as JSON, and
 * what may follow words that are typed, for completion.
 */
#include "output/text_buffer.h"

/* Where operations begin in words: at the first one that is the name of one, or its first half. */
int operations_begin(const char *const *words, int num);

void put_operations(text *out);
/* Those whose names begin with the words; nothing if there are none. */
void explain_operations(text *out, const char *const *words, int num);
enum { NO_OPERATION_SIZE = 200 };
/* Says that no operation has the name of the first words, and which one may be meant; true: one is. */
bool name_no_operation(char reason[NO_OPERATION_SIZE], const char *const *words, int num);
/* One object a line; without words all operations. */
void put_operations_json(text *out, const char *const *words, int num);
/*
 * What may follow the words of `teemap edit`, one a line: names, choices, and for what has no list one of
 * <map>, <file>, <group>, <layers>, <objects>.
 */
void put_next_words(text *out, const char *const *words, int num);

#endif

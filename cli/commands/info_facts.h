/* SPDX-License-Identifier: Zlib */
#ifndef CLI_INFO_FACTS_H
#define CLI_INFO_FACTS_H
/* info_facts.h - the row of a map in `teemap info --facts` and `--csv`. */
#include "output/text_buffer.h"

#include <teemap/facts.h>

/* The number in a column; 0 when it is not known. */
int64_t facts_number(const tm_facts *facts, const char *name);
void put_facts_json(text *out, const tm_facts *facts);
/* The names of the columns, which stand above all rows. */
void put_facts_head(text *out);
void put_facts_csv(text *out, const tm_facts *facts);

#endif

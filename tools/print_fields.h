/* SPDX-License-Identifier: Zlib */
#ifndef TOOLS_PRINT_FIELDS_H
#define TOOLS_PRINT_FIELDS_H
/*
 * The parts of print_tables that come from the table of fields.
 */

void print_fields(void);     /* docs/fields.md */
void print_field_keys(void); /* tests/house/fields.py */

#endif

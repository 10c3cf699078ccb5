/* SPDX-License-Identifier: Zlib */
#ifndef PRINT_MODS_H
#define PRINT_MODS_H
/* Prints files of mods: as rows of C, and as a table of the documents. Ends the program at an error. */

void print_mods(int num, char **paths);
void print_mod_table(int num, char **paths);

#endif

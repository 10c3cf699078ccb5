/* SPDX-License-Identifier: Zlib */
#ifndef CLI_FILE_COST_H
#define CLI_FILE_COST_H
/*
 * file_cost.h - what work on a file will take, from its size and its head alone: by this many files are put
 * in order, and share one budget of memory.
 */
#include "output/text_buffer.h"

typedef enum file_needs {
    FILE_NEEDS_HEAD = 0, /* the same little for each file */
    FILE_NEEDS_BLOCK,    /* one data block at a time: twice the largest one, packed and unpacked */
    FILE_NEEDS_ALL       /* all data blocks at once */
} file_needs;

typedef struct file_cost {
    uint64_t weight; /* bytes of the file */
    uint64_t memory; /* bytes, at least `share` */
} file_cost;

/* `share` is what each file may use without being asked. */
file_cost file_cost_of(const char *path, file_needs needs, uint64_t share);

#endif

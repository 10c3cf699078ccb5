/* SPDX-License-Identifier: Zlib */
#ifndef TMI_JSON_READER_H
#define TMI_JSON_READER_H
/*
 * What json_reader.c keeps of a text that is being read.
 */
#include "text.h"

enum { TMI_JSON_CHUNK = 65536, TMI_JSON_DEPTH = 32, TMI_JSON_KEYS = 64 };

struct tmi_json {
    const tm_allocator *allocator;
    tm_input input;
    uint64_t next; /* of the input: what has not been fetched yet */
    tm_status status;
    tm_error *error;
    const char *fault;          /* what is wrong with the text; NULL: nothing so far */
    tmi_json_forgiven *forgive; /* NULL: nothing is forgiven */
    void *forgive_ctx;
    const char *forgiven; /* of the token at hand; NULL: nothing */
    uint32_t forgiven_line, forgiven_column;
    uint32_t line, column, token_line, token_column, fault_line, fault_column;
    size_t at, end; /* in `chunk` */
    char *text;     /* of the token at hand */
    size_t size, capacity;
    uint64_t max_text;
    bool in_object[TMI_JSON_DEPTH];
    /*
     * Of the members of each open object the hashes of their names, of the first ones: what a name stands for
     * twice is reported. None of our forms has so many.
     */
    uint64_t keys[TMI_JSON_DEPTH][TMI_JSON_KEYS];
    unsigned num_keys[TMI_JSON_DEPTH];
    unsigned depth;
    bool begun;     /* the outermost value has begun */
    bool separated; /* a comma, or the beginning of the list, stands before what comes */
    bool after_key;
    char chunk[TMI_JSON_CHUNK];
};

#endif

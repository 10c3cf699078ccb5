/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_FACTS_H
#define TEEMAP_FACTS_H
/*
 * teemap/facts.h - a map as one row of a table: flat columns with stable names, for data frames, databases
 * and spreadsheets over thousands of maps. The columns are a table of the library, as docs/facts.md shows.
 *
 *     tm_facts *facts;
 *     tm_facts_make(&facts, map, &findings, NULL, NULL, NULL);
 *     for (uint32_t i = 0; tm_facts_column(i); i++) {
 *         tm_fact fact = tm_facts_get(facts, i);
 *         ...
 *     }
 *     tm_facts_free(facts);
 *
 * Making them unpacks the physics layers, the embedded images and the sounds, one after the other, and keeps
 * nothing unpacked. Columns are never renamed and never change their meaning; new ones may come between
 * others.
 *
 * Threads: a row is made and read by one thread at a time, rows of one map by any number at once.
 */
#include <teemap/findings.h>
#include <teemap/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tm_fact_type { TM_FACT_TEXT, TM_FACT_NUMBER, TM_FACT_LIST } tm_fact_type;

typedef struct tm_fact_column {
    const char *name; /* letters, digits, _ and -: "tiles_freeze" */
    tm_fact_type type;
    const char *text; /* what it means: one line, lower case, no full stop */
} tm_fact_column;
/* The n-th column; NULL after the last. */
TM_API const tm_fact_column *tm_facts_column(uint32_t n);

/*
 * Information about the file that the map does not have. Texts and hashes are borrowed until tm_facts_free.
 */
typedef struct tm_facts_file {
    size_t size;                    /* sizeof(tm_facts_file) */
    const char *path;               /* NULL: unknown */
    uint64_t file_size;             /* bytes; 0: unknown */
    int64_t file_time;              /* of its last change, in seconds since 1970; 0: unknown */
    const struct tm_hashes *hashes; /* of teemap/codec.h; NULL: unknown */
    const char *error;              /* why the map could not be read; NULL: it was read */
} tm_facts_file;
#define TM_FACTS_FILE_INIT                            \
    {                                                 \
        sizeof(tm_facts_file), NULL, 0, 0, NULL, NULL \
    }

typedef struct tm_facts tm_facts;
/*
 * `map` may be NULL if it could not be read; then only `file` is known. `findings` and `file` may be NULL,
 * too. The map and the findings must outlive the row. Damaged parts make their columns unknown and are not
 * errors; TM_ERROR_MEMORY and TM_ERROR_LIMIT are.
 */
TM_API tm_status tm_facts_make(tm_facts **out, const tm_map *map, const tm_findings *findings,
                               const tm_facts_file *file, const tm_allocator *allocator, tm_error *error);
TM_API void tm_facts_free(tm_facts *facts);

/* A cell. Texts and lists are borrowed from the row. */
typedef struct tm_fact {
    tm_fact_type type;
    bool known; /* false: all other fields are zero */
    int64_t number;
    const char *text;
    const char *const *list; /* of texts; an unknown element is "" */
    uint32_t num;
} tm_fact;
TM_API tm_fact tm_facts_get(const tm_facts *facts, uint32_t column);

#ifdef __cplusplus
}
#endif
#endif

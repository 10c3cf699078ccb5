/* SPDX-License-Identifier: Zlib */
#ifndef TMI_LAYOUT_H
#define TMI_LAYOUT_H
/*
 * A layout that the bytes of a file show, where the header says another: between find_layout.c, which
 * searches for it, and rebuild_head.c, which makes a head that says it.
 */
#include "datafile.h"

/* The header as it stands in the file; counts may be negative. */
typedef struct tmi_head_claims {
    int32_t version, size, swaplen;
    int32_t num_types, num_items, num_data, item_size, data_size;
} tmi_head_claims;

tmi_head_claims tmi_read_claims(const uint8_t *bytes);

typedef struct tmi_layout {
    tmi_item_layout plan; /* of a head that tells the truth: as many rows in each table as there should be */
    uint64_t items_at;    /* of the items in the file */
    uint64_t data_at;     /* of the data in the file */
    /* rows of the tables as they stand in the file, one behind the other from the end of the header on */
    uint32_t type_rows, offset_rows, data_rows, size_rows;
    uint32_t num_runs; /* of items of one type, which the rebuilt table of types has */
    bool items_astray; /* offsets of items are not where the items are */
    bool data_astray;  /* offsets of blocks do not lead from one block to the next */
} tmi_layout;

static inline bool tmi_is_zlib_head(const uint8_t *bytes)
{
    return (bytes[0] & 15) == 8 && bytes[0] >> 4 <= 7 && ((unsigned)bytes[0] << 8 | bytes[1]) % 31 == 0;
}

/*
 * The layout of which the bytes of a whole file show the most; false if there is none, or if it is the one
 * that the header says. Looks at no more than 64 places where items may begin, and at each of at most
 * `max_items` items.
 */
bool tmi_layout_find(tmi_layout *out, const tmi_head_claims *claims, const uint8_t *bytes, uint64_t file_size,
                     uint64_t max_items);

/*
 * Where bytes are missing or inserted among the items, and header and tables are right: makes a head in which
 * the items that cannot be read have no body, and reports layout-rebuilt for each. `bytes` is the whole file.
 */
tm_status tmi_bridge_items(tm_datafile *datafile, const uint8_t *bytes, tmi_report *report, tm_error *error);

#endif

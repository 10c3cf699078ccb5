/* SPDX-License-Identifier: Zlib */
#ifndef TMI_READ_PATCH_H
#define TMI_READ_PATCH_H
/*
 * What the two files that read patches share. All functions say what they expected, and at which byte.
 */
#include "patch_text.h"

typedef struct tmi_patch_reader {
    tm_patch *patch;
    const tm_limits *limits;
    uint64_t room; /* bytes that elements of runs may still take */
    tmi_inflater *inflater;
    tm_error *error;
} tmi_patch_reader;

tm_status tmi_want_member(const tmi_patch_reader *r, const tm_json *object, const char *name,
                          tm_json_kind type, const tm_json **out);
tm_status tmi_want_number(const tmi_patch_reader *r, const tm_json *node, int64_t min, int64_t max,
                          int64_t *out);
/* Exactly `num` numbers in an array. */
tm_status tmi_want_numbers(const tmi_patch_reader *r, const tm_json *array, int64_t min, int64_t max,
                           int64_t *out, uint32_t num);
/* Two numbers or null: before, after. */
tm_status tmi_read_pair(const tmi_patch_reader *r, const tm_json *object, const char *name,
                        const uint32_t below[2], uint32_t out[2]);
/* The value of a member, and a text with its bytes behind it in an array. Texts live with the patch. */
tm_status tmi_read_value(const tmi_patch_reader *r, const tm_json *object, const char *name,
                         const tm_field *field, tm_value *out);
tm_status tmi_read_name(const tmi_patch_reader *r, const tm_json *node, const char **out);
/* The plain fields of an owner and of what layers of a kind have besides (TM_OWNER_COUNT: nothing). */
tm_status tmi_read_fields(const tmi_patch_reader *r, const tm_json *node, tm_owner owner, tm_owner more,
                          void *object);
/* Data as a whole; NULL for null. */
tm_status tmi_read_block(tmi_patch_reader *r, const tm_json *object, const char *name, tm_owner elements,
                         tm_block **out);
/* An object that is added or removed. It is the change's from the first moment, whatever happens. */
tm_status tmi_read_content(tmi_patch_reader *r, const tm_json *change, const char *name, tmi_delta *delta,
                           int side);
/* False for a name that no kind has. */
bool tmi_layer_kind_named(const char *name, tm_layer_kind *out);

#endif

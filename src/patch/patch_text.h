/* SPDX-License-Identifier: Zlib */
#ifndef TMI_PATCH_TEXT_H
#define TMI_PATCH_TEXT_H
/*
 * What the writer and the reader of patches as JSON share: the words of the form, which docs/compare.md
 * describes, too.
 *
 *   {"teemap_patch": 2,
 *    "sides": [SIDE, SIDE],          before, after
 *    "pairs": {LIST: [[b, a, n]...]}, objects b to b + n - 1 before are a to a + n - 1 after
 *    "changes": [CHANGE...]}
 *   SIDE    {"images": n, "sounds": n, "envelopes": n, "layers": [n of each group...],
 *            "names": {LIST: [[number, kind, name]...]}}  of objects that changes are about
 *   CHANGE  {"change": WORD, "list": LIST or null, "objects": [b, a], ...}   numbers, or null
 *     object   "was", "is": CONTENT or null
 *     field    "owner", "field", "index", "was", "is": values
 *     setting  "at": [b, a], "moved", "was", "is": texts or null
 *     element  "owner", "at", "moved", "was", "is": ELEMENT or null
 *     grid     "owner", "field", "size": [width, height, width, height], "shift": [dx, dy], "bytes": of an element,
 *              "runs": [[x, y, n, was, is]...] in hex; one element stands for n equal ones
 *     data     "owner", "field", "was", "is": DATA or null
 *   CONTENT, ELEMENT: as it stands in an unpacked map (docs/mapdir.md), but references are numbers of their
 *            side, and data fields are DATA
 *   DATA    {"size": bytes, "deflated": base64 of a zlib stream}
 */
#include "patch.h"

#include "../codec/codec.h"
#include "../text/text.h"

enum { TMI_PATCH_VERSION = 2 };

extern const char *const tmi_patch_list_names[TMI_LISTS];
extern const char *const tmi_patch_delta_names[TMI_DELTA_DATA + 1];

/* In the form, data have the byte order of files (tmi_encoding_swap): that of a field of such a layer. */
tmi_encoding tmi_view_of_data(const tm_field *field, tm_layer_kind kind);
/* The member that holds the elements of a layer of quads or sounds. */
const char *tmi_elements_name(tm_kind layer);

/* ------------------------------------------------------------------------------------------------ reading */

/* For the two files that read patches; all of these say what they expected, and where. */
typedef struct tmi_patch_reader {
    tm_patch *patch;
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
/* The plain fields of an owner and of what layers of a kind have besides (TM_KINDS: nothing). */
tm_status tmi_read_fields(const tmi_patch_reader *r, const tm_json *node, tm_kind owner, tm_kind more,
                          void *object);
/* Data as a whole; NULL for null. */
tm_status tmi_read_block(tmi_patch_reader *r, const tm_json *object, const char *name, tmi_encoding view,
                         tm_block **out);
/* An object that is added or removed. It is the change's from the first moment, whatever happens. */
tm_status tmi_read_content(tmi_patch_reader *r, const tm_json *change, const char *name, tmi_delta *delta,
                           int side);

#endif

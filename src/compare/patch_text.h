/* SPDX-License-Identifier: Zlib */
#ifndef TMI_PATCH_TEXT_H
#define TMI_PATCH_TEXT_H
/*
 * What the writer and the reader of patches as JSON share: the words of the form, which docs/compare.md
 * describes, too.
 *
 *   {"teemap_patch": 1,
 *    "sides": [SIDE, SIDE],          before, after
 *    "pairs": {LIST: [[b, a, n]...]}, objects b to b + n - 1 before are a to a + n - 1 after
 *    "changes": [CHANGE...]}
 *   SIDE    {"images": n, "sounds": n, "envelopes": n, "layers": [n of each group...],
 *            "names": {LIST: [[number, kind, name]...]}}  of objects that changes are about
 *   CHANGE  {"change": WORD, "list": LIST or null, "objects": [b, a], ...}   numbers, or null
 *     object   "was", "is": CONTENT or null
 *     field    "owner", "field", "index", "was", "is": values as text
 *     setting  "at": [b, a], "moved", "was", "is": texts or null
 *     element  "owner", "at", "moved", "was", "is": ELEMENT or null
 *     grid     "owner", "field", "size": [width, height, width, height], "shift": [dx, dy], "bytes": of an element,
 *              "runs": [[x, y, n, was, is]...] in hex; one element stands for n equal ones
 *     data     "owner", "field", "was", "is": DATA or null
 *   CONTENT {fields as text, of a layer "kind", "width", "height"; data fields as DATA; lists as "elements"}
 *   ELEMENT {fields as text, or arrays of texts}
 *   DATA    {"size": bytes, "deflated": base64 of a zlib stream}
 */
#include "compare.h"

#include "../codec/codec.h"

enum { TMI_PATCH_VERSION = 1 };

extern const char *const tmi_patch_list_names[TMI_LISTS];
extern const char *const tmi_patch_delta_names[TMI_DELTA_DATA + 1];

/* Whether a field stands in the form of an object or element: it can be written and read as text. */
bool tmi_field_in_patch(const tm_field *field);
/* Tiles with 16-bit numbers are low byte first in the form, whatever the host does. */
void tmi_swap_elements(tm_owner owner, uint8_t *bytes, uint64_t num);
/* What the elements of a block are: of a layer's tiles, else TM_OWNER_COUNT. */
tm_owner tmi_owner_of_data(const tm_field *field, tm_layer_kind kind);

/* ------------------------------------------------------------------------------------------------ out */

/*
 * Writes values one after the other. What fails is told by tmi_out_end; until then all calls are fine. Names
 * are plain, NULL in arrays.
 */
typedef struct tmi_out {
    const tm_output *output;
    tm_status status;
    bool more; /* a value stands before the next one */
    bool line; /* the next one begins a line */
    size_t used;
    char buffer[4096];
    tm_error *error;
} tmi_out;
void tmi_out_start(tmi_out *w, const tm_output *output, tm_error *error);
/* { or [; also the quote of a text that is written in pieces. */
void tmi_out_open(tmi_out *w, const char *name, char bracket);
void tmi_out_close(tmi_out *w, char bracket);
void tmi_out_line(tmi_out *w); /* the next value begins a line */
void tmi_out_number(tmi_out *w, const char *name, int64_t number);
void tmi_out_bool(tmi_out *w, const char *name, bool value);
void tmi_out_null(tmi_out *w, const char *name);
void tmi_out_text(tmi_out *w, const char *name, const char *text);
void tmi_out_raw(tmi_out *w, const char *text, size_t size);
tm_status tmi_out_end(tmi_out *w);

/* ------------------------------------------------------------------------------------------------- in */

typedef enum tmi_node_type {
    TMI_NODE_NULL,
    TMI_NODE_BOOL, /* in `number` */
    TMI_NODE_NUMBER,
    TMI_NODE_TEXT,
    TMI_NODE_ARRAY,
    TMI_NODE_OBJECT
} tmi_node_type;

/* A value of a text of JSON; those within an array or object are a list. */
typedef struct tmi_node {
    tmi_node_type type;
    uint32_t num;     /* values within */
    const char *name; /* of a member of an object */
    const char *text;
    int64_t number;        /* a whole one of 53 bits */
    uint32_t line, column; /* where it stands */
    struct tmi_node *first, *next;
} tmi_node;

/* Reads a text into an arena; at most `most` bytes. */
tm_status tmi_tree_read(tmi_node **out, const void *text, size_t size, uint64_t most, tmi_arena *arena,
                        tm_error *error);
/* A member of an object; NULL if there is none. */
const tmi_node *tmi_node_get(const tmi_node *object, const char *name);
/* TM_ERROR_DAMAGED at the place of a node. */
tm_status tmi_node_fail(const tmi_node *node, tm_error *error, const char *format, ...) TMI_PRINTF(3, 4);

#endif

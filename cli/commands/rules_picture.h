/* SPDX-License-Identifier: Zlib */
#ifndef CLI_RULES_PICTURE_H
#define CLI_RULES_PICTURE_H
/*
 * rules_picture.h - `teemap rules preview`: a made-up layer dressed by a file of rules, drawn; and `show`:
 * the rules themselves as cards.
 */
#include "run/picture.h"

typedef struct rules_picture {
    const char *rules, *image; /* paths */
    const char *config;        /* NULL: the file has only one */
    const char *output;
    picture_format format;
    int32_t seed;
    uint32_t scale; /* pixels of a tile */
    bool raw;       /* without rules: what was painted */
} rules_picture;
/* The rules of a configuration as cards; `image` may be NULL. */
tm_status rules_picture_show(const rules_picture *how, const tm_automap_config *config, tm_error *error);
typedef struct rules_drawn {
    int32_t seed;           /* which was used: `seed`, or one that was drawn in place of 0 */
    uint64_t changed_again; /* tiles that change when the mapped layer is mapped again */
} rules_drawn;
tm_status rules_picture_draw(rules_drawn *drawn, const rules_picture *how, const tm_job *job,
                             tm_error *error);

#endif

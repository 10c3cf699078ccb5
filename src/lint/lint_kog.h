/* SPDX-License-Identifier: Zlib */
#ifndef TMI_LINT_KOG_H
#define TMI_LINT_KOG_H
/*
 * Rules of King of Gores, once read: lint_kog.c reads them, lint_kog_ask.c asks them.
 */
#include "lint_config.h"
#include "lint_regex.h"

typedef struct tmi_lint_kog {
    const tm_lint_config *config;
    tmi_lint_judge *judge;
    uint32_t *needs; /* own rules that must not find anything */
    uint32_t num_needs;
    uint64_t least, most; /* bytes of the file, or tiles */
    const char *label;    /* of the tile */
    uint8_t index;        /* its index */
    tm_layer_kind layer;  /* where it belongs; TM_LAYER_TILES: to any physics layer that has such a tile */
    const char *field;    /* a setting, or a text of the map's */
    const char **values;  /* that are allowed */
    uint32_t num_values;
    const tmi_regex *regex; /* in their place */
    const char *expression;
} tmi_lint_kog;

/* "Game", "Tele" and so on; NULL for what is no physics. */
const char *tmi_lint_kog_layer_name(tm_layer_kind kind);
/* The text of the map by its name: author, version, credits, license. False: there is none of the name. */
bool tmi_lint_kog_text(const char **out, const tm_map *map, const char *field);

/* What a rule asks, when it is not passed over. */
tmi_lint_judge tmi_lint_kog_file_size, tmi_lint_kog_tiles, tmi_lint_kog_setting, tmi_lint_kog_images,
    tmi_lint_kog_sounds, tmi_lint_kog_info;
/* Passes a rule over, or asks it. */
void tmi_lint_kog_judge(tmi_lint *lint, uint32_t rule);

#endif

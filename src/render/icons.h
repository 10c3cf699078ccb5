/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RENDER_ICONS_H
#define TMI_RENDER_ICONS_H
/*
 * What the library's own sheet of entities shows for each index that some physics layer knows (format
 * section 3): a plate whose color tells the class, and a drawing on it.
 */
#include "canvas.h"

/* The cell of the games' sheets that stands for a switch which opens for a time: no layer has this index. */
enum { TMI_CELL_TIMED_OPEN = 8 };

typedef enum tmi_plate {
    TMI_PLATE_NONE,   /* no game knows the index */
    TMI_PLATE_AREA,   /* fills the cell: what a tee can stand on or in */
    TMI_PLATE_FAINT,  /* the same, hardly seen */
    TMI_PLATE_CHIP,   /* a rounded box: things, switches */
    TMI_PLATE_PORTAL, /* a disc: teleporters with numbers of their own */
    TMI_PLATE_CHECK   /* a rounded ring: teleporters of checkpoints */
} tmi_plate;

typedef struct tmi_icon {
    tmi_plate plate;
    char color;           /* letter of canvas.c */
    const char *commands; /* of canvas.h */
} tmi_icon;

const tmi_icon *tmi_icon_of(uint8_t index);
/* 1..25 for the time checkpoints, which show their number; 0 for other indices. */
uint32_t tmi_time_checkpoint(uint8_t index);

#endif

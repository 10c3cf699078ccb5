/* SPDX-License-Identifier: Zlib */
#ifndef CLI_CHANGES_PAGE_H
#define CLI_CHANGES_PAGE_H
/*
 * changes_page.h - the maps of a diff or a merge, drawn with marks: side by side in one picture (--picture),
 * and a web page with pictures of each place where they differ (--page). Does not know what the marks are
 * about; that is asked from those who made them.
 */
#include "run/picture.h"

/* One of the maps. */
typedef struct page_map {
    const char *word;  /* what it is: "old", "theirs" */
    const char *title; /* the same in a sentence: "the old map" */
    const char *file;  /* what its pictures are called after the number of the place: "before" */
    const char *name;  /* what it is called in messages */
    const char *path;  /* for images next to it */
    loaded *loaded;    /* missing images become findings of it */
} page_map;

typedef enum frame_words {
    FRAME_OF_SUBJECT, /* what the frame is about is reported as a whole, once for each place */
    FRAME_TELLS,      /* the line is about this frame alone */
    FRAME_SILENT      /* the frame of another map tells it */
} frame_words;

/* What the marks are about, by their numbers (tm_preview_mark.subject). */
typedef struct page_subjects {
    const void *list;
    uint32_t num;
    /* One line, made safe; false: it is not told. */
    bool (*put_line)(text *out, const void *list, uint32_t subject);
    /* What the frame of a rectangle of tiles says in a pane: only that, not what else its layer has. */
    frame_words (*put_tiles)(text *out, const void *list, uint32_t subject, size_t at,
                             const tm_preview_mark *mark);
} page_subjects;

typedef struct changes_page {
    const picture_options *options;
    const char *picture; /* NULL: none */
    picture_format format;
    const char *folder;            /* of the page, is made; NULL: no page */
    const char *generator;         /* "teemap diff": by this the command knows its own page again */
    const char *noun;              /* "changes" */
    const char *singular, *plural; /* "change is", "changes are" */
    const char *title;             /* "Changes" */
    const char *advice;            /* behind the line about places without a picture */
    page_map maps[TM_PREVIEW_MARKED_MAPS];
    size_t num, first,
        named;              /* maps; those in front of the first are not shown; by which the page is called */
    tm_preview_marks marks; /* are released */
    tm_mark_kind first_kind, last_kind;
    page_subjects subjects;
    void (*put_lacking)(text *err, const tm_preview_marks *marks); /* says which changes have no place */
    size_t failed;                                                 /* out: the map that an error is about */
} changes_page;

/* Draws the picture, the page, or both, and says what they lack. */
tm_status changes_page_draw(changes_page *page, const tm_job *job, cli_report *report, tm_error *error);

/*
 * What a frame around tiles says first: "0/1 'Game': WHAT at X,Y WxH"; `name` is the layer's, "" for none.
 */
void put_frame_place(text *out, const tm_address *layer, const char *name, const char *content,
                     const tm_preview_mark *mark);
/* Chooses the format of --picture FILE (NULL: not given). Returns what speaks against it; NULL: nothing. */
const char *changes_page_fault(picture_format *format, const picture_options *options, const char *file);

/* changes_page.html; ends with a NUL */
extern const unsigned char changes_page_html[];

#endif

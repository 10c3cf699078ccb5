/* SPDX-License-Identifier: Zlib */
#ifndef CLI_CHANGES_PAGE_H
#define CLI_CHANGES_PAGE_H
/*
 * changes_page.h - a web page with pictures of each place where maps differ: of `teemap diff --page` before
 * and after, of `teemap merge --page` the three versions. Does not know what the marks are about; that is
 * asked from those who made them.
 */
#include "run/side_by_side.h"

/* One of the maps. */
typedef struct page_map {
    const char *word;  /* what it is: "old", "theirs" */
    const char *title; /* the same in a sentence: "the old map" */
    const char *file;  /* what its pictures are called after the number of the place: "before" */
    const char *name;  /* path, or what it is called */
    const tm_preview_mark_list *marks;
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
    const char *folder;    /* is made */
    const char *generator; /* "teemap diff": by this the command knows its own page again */
    const char *what;      /* "changes" */
    const char *title;     /* "Changes" */
    panes *shown;          /* opened; its size is set unless `size_given` */
    bool size_given;
    size_t first; /* the pane of the first of the maps */
    page_map maps[TM_PREVIEW_MARKED_MAPS];
    size_t num, named; /* by which of them the page is called */
    tm_mark_kind first_kind, last_kind;
    page_subjects subjects;
} changes_page;

/* What became of a page. */
typedef struct changes_page_sum {
    size_t shown, left_out; /* places */
} changes_page_sum;
tm_status changes_page_write(changes_page_sum *sum, const changes_page *of, tm_error *error);
/* Says how many places have no picture; `advice` is appended. Nothing if all have one. */
void changes_page_say(const changes_page_sum *sum, const char *folder, const char *advice, text *out);

/* changes_page.html; ends with a NUL */
extern const unsigned char changes_page_html[];

#endif

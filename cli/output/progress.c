/* SPDX-License-Identifier: Zlib */
/* progress.c - draws and removes the progress line. Nothing else writes control characters to a terminal. */
#include "progress.h"

#include "text_buffer.h"

/* Seconds of silence at the start, and between two drawings. */
#define PATIENCE 1.0
#define INTERVAL 0.2

void progress_begin(progress *p, bool wanted, const char *doing, const char *subject, const char *unit)
{
    const double now = tm_sys_seconds();
    const char *terminal = getenv("TERM");
    /* only a terminal that can take back a line */
    const bool draws = (!terminal || strcmp(terminal, "dumb") != 0) && tm_sys_stderr_is_terminal();
    *p = (progress){wanted && draws, doing, subject, unit, "", now, now, false};
}

static void draw_progress(const progress *p, uint64_t done, uint64_t total)
{
    text line = {0};
    text_print(&line, "%s: ", p->doing);
    if (!p->unit) {
        text_bytes(&line, done);
        text_string(&line, " of ");
        text_bytes(&line, total);
    } else {
        text_print(&line, "%" PRIu64 "/%" PRIu64 " %s", done, total, p->unit);
    }
    text_string(&line, p->more);
    if (p->subject) {
        text_string(&line, "  ");
        text_safe(&line, p->subject);
    }
    /*
     * A line that wraps could not be removed. Bytes are at least columns, so cutting by bytes is enough;
     * never inside a character.
     */
    size_t width = tm_sys_terminal_width();
    size_t size = line.size;
    if (width && size >= width) {
        size = width - 1;
        while (size && ((unsigned char)line.bytes[size] & 0xc0) == 0x80)
            size--;
    }
    fprintf(stderr, "\r%.*s\033[K", (int)size, line.bytes);
    fflush(stderr);
    text_release(&line);
}

bool progress_is_due(const progress *p)
{
    if (!p->wanted)
        return false;
    const double now = tm_sys_seconds();
    return now - p->start >= PATIENCE && now - p->last >= INTERVAL;
}

void progress_show(progress *p, uint64_t done, uint64_t total)
{
    if (!progress_is_due(p))
        return;
    p->last = tm_sys_seconds();
    p->shown = true;
    draw_progress(p, done, total);
}

void progress_clear(progress *p)
{
    if (p->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        p->shown = false;
    }
}

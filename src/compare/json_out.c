/* SPDX-License-Identifier: Zlib */
/*
 * JSON out, value by value, into an output. What goes wrong is kept until the end.
 */
#include "patch_text.h"

void tmi_out_start(tmi_out *w, const tm_output *output, tm_error *error)
{
    memset(w, 0, sizeof(*w));
    w->output = output;
    w->error = error;
}

static void flush_out(tmi_out *w)
{
    if (w->status == TM_OK && w->used)
        w->status = tmi_output_write(w->output, w->buffer, w->used, w->error);
    w->used = 0;
}

void tmi_out_raw(tmi_out *w, const char *text, size_t size)
{
    while (size) {
        const size_t room = sizeof(w->buffer) - w->used, part = size < room ? size : room;
        memcpy(w->buffer + w->used, text, part);
        w->used += part;
        text += part;
        size -= part;
        if (w->used == sizeof(w->buffer))
            flush_out(w);
    }
}

/* A comma and the name, if the value needs them. */
static void lead_out(tmi_out *w, const char *name)
{
    if (w->more)
        tmi_out_raw(w, ",", 1);
    if (w->line)
        tmi_out_raw(w, "\n", 1);
    w->line = false;
    w->more = true;
    if (!name)
        return;
    tmi_out_raw(w, "\"", 1);
    tmi_out_raw(w, name, strlen(name));
    tmi_out_raw(w, "\":", 2);
}

void tmi_out_open(tmi_out *w, const char *name, char bracket)
{
    lead_out(w, name);
    tmi_out_raw(w, &bracket, 1);
    w->more = false;
}

void tmi_out_close(tmi_out *w, char bracket)
{
    tmi_out_raw(w, &bracket, 1);
    w->more = true;
}

void tmi_out_line(tmi_out *w)
{
    w->line = true;
}

void tmi_out_number(tmi_out *w, const char *name, int64_t number)
{
    char text[32];
    lead_out(w, name);
    tmi_out_raw(w, text, tmi_format(text, sizeof(text), "%lld", (long long)number));
}

void tmi_out_bool(tmi_out *w, const char *name, bool value)
{
    lead_out(w, name);
    tmi_out_raw(w, value ? "true" : "false", value ? 4 : 5);
}

void tmi_out_null(tmi_out *w, const char *name)
{
    lead_out(w, name);
    tmi_out_raw(w, "null", 4);
}

void tmi_out_text(tmi_out *w, const char *name, const char *text)
{
    lead_out(w, name);
    tmi_out_raw(w, "\"", 1);
    for (; *text; text++) {
        char escape[8];
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            tmi_out_raw(w, "\\", 1);
        if (c >= 0x20)
            tmi_out_raw(w, text, 1);
        else
            tmi_out_raw(w, escape, tmi_format(escape, sizeof(escape), "\\u%04x", c));
    }
    tmi_out_raw(w, "\"", 1);
}

tm_status tmi_out_end(tmi_out *w)
{
    tmi_out_raw(w, "\n", 1);
    flush_out(w);
    return w->status;
}

/* SPDX-License-Identifier: Zlib */
/*
 * Text through a small buffer into an output, and texts in the quotes of JSON. The first failure stays.
 */
#include "mapdir.h"

void tmi_text_begin(tmi_text_out *to, const tm_output *output, tm_error *error)
{
    to->output = output;
    to->status = TM_OK;
    to->error = error;
    to->num = 0;
}

static void flush(tmi_text_out *to)
{
    if (to->status == TM_OK)
        to->status = tmi_output_write(to->output, to->bytes, to->num, to->error);
    to->num = 0;
}

void tmi_text_put(tmi_text_out *to, const char *bytes, size_t size)
{
    while (size > sizeof(to->bytes) - to->num) {
        const size_t step = sizeof(to->bytes) - to->num;
        memcpy(to->bytes + to->num, bytes, step);
        to->num += step;
        bytes += step;
        size -= step;
        flush(to);
    }
    memcpy(to->bytes + to->num, bytes, size);
    to->num += size;
}

void tmi_text_string(tmi_text_out *to, const char *string)
{
    tmi_text_put(to, string, strlen(string));
}

char *tmi_put_digits(char *to, int64_t number)
{
    char digits[TMI_DIGITS];
    size_t num = 0;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    if (number < 0)
        *to++ = '-';
    do
        digits[num++] = (char)('0' + rest % 10);
    while (rest /= 10);
    while (num)
        *to++ = digits[--num];
    return to;
}

void tmi_text_number(tmi_text_out *to, int64_t number)
{
    char text[TMI_DIGITS];
    tmi_text_put(to, text, (size_t)(tmi_put_digits(text, number) - text));
}

/* The character of a valid sequence. */
static uint32_t decode_character(const char *text, size_t step)
{
    const uint8_t *b = (const uint8_t *)text;
    switch (step) {
    case 1: return b[0];
    case 2: return (b[0] & 0x1fu) << 6 | (b[1] & 0x3fu);
    case 3: return (b[0] & 0x0fu) << 12 | (b[1] & 0x3fu) << 6 | (b[2] & 0x3fu);
    default: return (b[0] & 0x07u) << 18 | (b[1] & 0x3fu) << 12 | (b[2] & 0x3fu) << 6 | (b[3] & 0x3fu);
    }
}

/* Characters that must not be shown as they are. All that lie beyond U+FFFF may be. */
static void put_code(tmi_text_out *to, uint32_t c)
{
    static const char bytes[] = "\"\\\n\r\t", letters[] = "\"\\nrt";
    char text[16];
    const char *known = c < 128 ? strchr(bytes, (int)c) : NULL;
    if (known)
        tmi_format(text, sizeof(text), "\\%c", letters[known - bytes]);
    else
        tmi_format(text, sizeof(text), "\\u%04x", (unsigned)c);
    tmi_text_string(to, text);
}

bool tmi_text_quoted(tmi_text_out *to, const char *string)
{
    bool exact = true;
    tmi_text_put(to, "\"", 1);
    while (*string) {
        size_t step = tmi_text_step(string);
        if (step && *string != '"' && *string != '\\') {
            tmi_text_put(to, string, step);
        } else {
            step = tmi_utf8_step(string, strlen(string));
            if (step)
                put_code(to, decode_character(string, step));
            else
                tmi_text_put(to, "?", 1);
            exact = exact && step;
            step = step ? step : 1;
        }
        string += step;
    }
    tmi_text_put(to, "\"", 1);
    return exact;
}

void tmi_text_hex(tmi_text_out *to, const void *bytes, uint64_t size)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *from = bytes;
    for (uint64_t i = 0; i < size; i++) {
        const char pair[2] = {digits[from[i] >> 4], digits[from[i] & 15]};
        tmi_text_put(to, pair, 2);
    }
}

tm_status tmi_text_end(tmi_text_out *to)
{
    flush(to);
    return to->status;
}

/* SPDX-License-Identifier: Zlib */
/*
 * Our own letters, and lines of them in a picture. Only + - * / and sqrt are used, so every machine draws the
 * same.
 */
#include "letters.h"

#include <math.h>
#include <string.h>

/*
 * Letters of our own: strokes over a grid of 8 x 12, digits for x and letters for y, a at the top; a dot
 * lifts the pen.
 */
const char *tmi_letter_strokes(char letter)
{
    static const char *const digits[] = {
        "2a6a8c8k6m2m0k0c2a",          "2c4a4m",   "0c2a6a8c8e0m8m",
        "0c2a6a8c8e6g3g.6g8i8k6m2m0k", "6m6a0i8i", "8a0a0f6f8h8k6m2m0k",
        "8c6a2a0c0k2m6m8k8h6f2f0h",    "0a8a3m",   "2g0e0c2a6a8c8e6g2g0i0k2m6m8k8i6g",
        "0k2m6m8k8c6a2a0c0e2g6g8e"};
    static const char *const letters[] = {"0m0c2a6a8c8m.0h8h",
                                          "0g6g8i8k6m0m0a6a8c8e6g",
                                          "8c6a2a0c0k2m6m8k",
                                          "0a0m5m8j8d5a0a",
                                          "8a0a0m8m.0g6g",
                                          "8a0a0m.0g6g",
                                          "8c6a2a0c0k2m6m8k8g5g",
                                          "0a0m.8a8m.0g8g",
                                          "2a6a.4a4m.2m6m",
                                          "8a8k6m2m0k",
                                          "0a0m.8a0h.3f8m",
                                          "0a0m8m",
                                          "0m0a4f8a8m",
                                          "0m0a8m8a",
                                          "2a6a8c8k6m2m0k0c2a",
                                          "0m0a6a8c8f6h0h",
                                          "2a6a8c8k6m2m0k0c2a.5i8m",
                                          "0m0a6a8c8e6g0g.4g8m",
                                          "8c6a2a0c0e2g6g8i8k6m2m0k",
                                          "0a8a.4a4m",
                                          "0a0k2m6m8k8a",
                                          "0a4m8a",
                                          "0a2m4g6m8a",
                                          "0a8m.8a0m",
                                          "0a4g8a.4g4m",
                                          "0a8a0m8m"};
    static const struct {
        char letter;
        const char *strokes;
    } signs[] = {{'+', "4d4j.1g7g"},
                 {'-', "1g7g"},
                 {'/', "8a0m"},
                 {'.', "4m4m"},
                 {',', "4l3o"},
                 {':', "4e4e.4k4k"},
                 {'_', "0m8m"},
                 {'(', "5a3d3j5m"},
                 {')', "3a5d5j3m"},
                 {'[', "5a3a3m5m"},
                 {']', "3a5a5m3m"},
                 {'=', "1e7e.1i7i"},
                 {'#', "3a2m.6a5m.0e8e.0i8i"},
                 {'!', "4a4i.4m4m"},
                 {'?', "0c2a6a8c8e4g4i.4m4m"},
                 {'%', "8a0m.0a1b.7l8m"},
                 {'*', "4d4j.1e7i.7e1i"},
                 {'&', "8m1c2a4a5c0i0k2m5m8i"},
                 {'\'', "4a4c"}};
    if (letter >= 'a' && letter <= 'z')
        letter = (char)(letter - 'a' + 'A');
    if (letter >= '0' && letter <= '9')
        return digits[letter - '0'];
    if (letter >= 'A' && letter <= 'Z')
        return letters[letter - 'A'];
    for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
        if (signs[i].letter == letter)
            return signs[i].strokes;
    return "";
}

/* ------------------------------------------------------------------------------------------------- lines */

float tmi_letters_width(size_t num, float height)
{
    const float unit = height / (TMI_LETTER_HEIGHT + TMI_LETTER_STROKE);
    return num ? ((TMI_LETTER_WIDTH + TMI_LETTER_GAP) * (float)num - TMI_LETTER_GAP + TMI_LETTER_STROKE) *
                     unit
               : 0;
}

/* How far a place of the grid is from the strokes of a letter, squared. */
static float to_letter(const char *strokes, float x, float y)
{
    float least = 1e6F;
    while (*strokes) {
        for (; strokes[0] && strokes[0] != '.'; strokes += 2) {
            const bool goes_on = strokes[2] && strokes[2] != '.';
            const char *next = goes_on ? strokes + 2 : strokes;
            const float ends[4] = {(float)(strokes[0] - '0'), (float)(strokes[1] - 'a'),
                                   (float)(next[0] - '0'), (float)(next[1] - 'a')};
            const float distance = tmi_to_segment(ends, x, y);
            least = distance < least ? distance : least;
        }
        strokes += *strokes == '.';
    }
    return least;
}

static int pixel_at_most(float value, uint32_t most)
{
    return value < 0 ? 0 : value > (float)most ? (int)most : (int)value;
}

/* One letter whose box begins at x, y. */
static void draw_letter(const tmi_letter_target *target, const char *strokes, float x, float y, float unit)
{
    const float border = TMI_LETTER_STROKE / 2;
    const int left = pixel_at_most(x, target->width), top = pixel_at_most(y, target->height);
    const int right = pixel_at_most(x + (TMI_LETTER_WIDTH + TMI_LETTER_STROKE) * unit + 1, target->width);
    const int bottom =
        pixel_at_most(y + (TMI_LETTER_HEIGHT + 3 * TMI_LETTER_STROKE) * unit + 1, target->height);
    for (int j = top; j < bottom; j++)
        for (int i = left; i < right; i++) {
            const float at_x = ((float)i + 0.5F - x) / unit - border,
                        at_y = ((float)j + 0.5F - y) / unit - border;
            const float inside = (border - sqrtf(to_letter(strokes, at_x, at_y))) * unit + 0.5F;
            const float cover = inside > 1 ? 1 : inside;
            uint8_t *pixel = target->rgba + ((size_t)j * target->width + (size_t)i) * 4;
            for (int c = 0; cover > 0 && c < 3; c++)
                pixel[c] = (uint8_t)((float)pixel[c] * (1 - cover) + (float)target->rgb[c] * cover + 0.5F);
        }
}

void tmi_letters_draw(const tmi_letter_target *target, const char *text, size_t length, float x, float y,
                      float height)
{
    const float unit = height / (TMI_LETTER_HEIGHT + TMI_LETTER_STROKE);
    for (size_t i = 0; i < length; i++)
        draw_letter(target, tmi_letter_strokes(text[i]),
                    x + (TMI_LETTER_WIDTH + TMI_LETTER_GAP) * unit * (float)i, y, unit);
}

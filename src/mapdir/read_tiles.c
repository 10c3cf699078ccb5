/* SPDX-License-Identifier: Zlib */
/*
 * Rows of tiles as texts into tiles: "12 3/26 0*40". Each row goes straight into its place.
 */
#include "mapdir.h"

/* A row that is being read; `at` is where something is wrong when reading stops. */
typedef struct row_reader {
    const tmi_tile_plan *plan;
    const char *text, *at;
    const char *fault;
    bool any;       /* a tile that is not air */
    char told[100]; /* where the fault has words of its own */
} row_reader;

static bool row_fails(row_reader *row, const char *fault)
{
    row->fault = fault;
    return false;
}

static bool read_tile_number(row_reader *row, int64_t *out)
{
    const bool negative = *row->at == '-';
    const char *digits = row->at + negative;
    int64_t number = 0;
    const char *at = digits;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (number > INT32_MAX)
            return row_fails(row, "the number is too large");
        number = number * 10 + (*at - '0');
    }
    if (at == digits)
        return row_fails(row, "a tile is expected, such as 12, 12xr, 3/26 or 0*40");
    row->at = at;
    *out = negative ? -number : number;
    return true;
}

static bool letter_fails(row_reader *row, const char letters[8])
{
    const size_t size = sizeof(row->told);
    size_t at = tmi_format(row->told, size, "no flag of tiles has the letter '%c'; it is one of", *row->at);
    for (int bit = 0; bit < 8; bit++)
        if (letters[bit])
            at += tmi_format(row->told + at, size - at, " %c", letters[bit]);
    return row_fails(row, row->told);
}

static bool read_letters(row_reader *row, uint32_t field, int64_t *out)
{
    const char *letters = row->plan->letters[field];
    for (*out = 0; *row->at >= 'a' && *row->at <= 'z'; row->at++) {
        int bit = 0;
        while (bit < 8 && letters[bit] != *row->at)
            bit++;
        if (bit == 8)
            return letter_fails(row, letters);
        *out |= 1 << bit;
    }
    int64_t rest = 0;
    if (*row->at == '+') {
        row->at++;
        if (!read_tile_number(row, &rest))
            return false;
    }
    *out |= rest;
    return true;
}

static bool store_number(row_reader *row, const tm_field *field, uint8_t *tile, int64_t value,
                         const char *start)
{
    const bool fits = field->storage == TM_STORED_UINT8   ? value >= 0 && value <= UINT8_MAX
                      : field->storage == TM_STORED_INT16 ? value >= INT16_MIN && value <= INT16_MAX
                                                          : value >= INT32_MIN && value <= INT32_MAX;
    if (fits) {
        tmi_tile_set(field, tile, value);
        return true;
    }
    row->at = start;
    tmi_format(row->told, sizeof(row->told), "%s is %lld, and %s fit", field->name, (long long)value,
               field->storage == TM_STORED_UINT8   ? "0 to 255"
               : field->storage == TM_STORED_INT16 ? "-32768 to 32767"
                                                   : "32 bits");
    return row_fails(row, row->told);
}

void tmi_tile_set(const tm_field *field, uint8_t *tile, int64_t value)
{
    const tm_value as_value = {.type = field->type, .as.number = value};
    if (field->storage == TM_STORED_UINT8)
        tile[field->offset] = (uint8_t)value;
    else
        tmi_field_make(NULL, tile, field, 0, &as_value, NULL);
}

static bool ends_tile(char c)
{
    return c == ' ' || c == '*' || c == '\0';
}

static bool read_tile_text(row_reader *row, uint8_t *tile)
{
    const tmi_tile_plan *plan = row->plan;
    memset(tile, 0, plan->tile_size);
    for (uint32_t i = 0; i < plan->num && (i == 0 || !ends_tile(*row->at)); i++) {
        const tm_field *field = plan->fields[i];
        const bool flags = field->type == TM_TYPE_FLAGS;
        const char *start = row->at;
        int64_t value = 0;
        if (i && !flags && *row->at++ != '/') {
            row->at--;
            return row_fails(row, "a slash, a star or a space is expected behind a number");
        }
        if (!(flags ? read_letters(row, i, &value) : read_tile_number(row, &value)) ||
            !store_number(row, field, tile, value, start))
            return false;
    }
    return ends_tile(*row->at) || row_fails(row, "tiles of this kind end here");
}

static bool read_run(row_reader *row, int64_t *run)
{
    *run = 1;
    if (*row->at != '*')
        return true;
    row->at++;
    if (!read_tile_number(row, run))
        return false;
    return *run > 0 || row_fails(row, "how often a tile stands there, behind the star, must be above 0");
}

/*
 * Air is there already, as the memory is zeroed: where nothing is written, a system gives none, and most of a
 * large map is air.
 */
static bool repeat(uint8_t *to, const uint8_t *tile, size_t tile_size, uint64_t num)
{
    static const uint8_t air[16];
    if (memcmp(tile, air, tile_size) == 0)
        return false;
    memcpy(to, tile, tile_size);
    for (uint64_t done = 1; done < num;) {
        const uint64_t step = done < num - done ? done : num - done;
        memcpy(to + done * tile_size, to, (size_t)step * tile_size);
        done += step;
    }
    return true;
}

/*
 * Reads a row into its place, which is zeroed; the number of its tiles, also of those that are too many, or
 * -1 at a fault.
 */
static int64_t read_row(row_reader *row, uint8_t *to, uint32_t width)
{
    int64_t num = 0, run;
    uint8_t tile[16] = {0};
    for (;;) {
        while (*row->at == ' ')
            row->at++;
        if (!*row->at)
            return num;
        if (!read_tile_text(row, tile) || !read_run(row, &run))
            return -1;
        const int64_t room = num < width ? width - num : 0, fitting = run < room ? run : room;
        if (fitting &&
            repeat(to + (size_t)num * row->plan->tile_size, tile, row->plan->tile_size, (uint64_t)fitting))
            row->any = true;
        num = num > INT32_MAX ? num : num + run;
    }
}

void tmi_read_row(tmi_json_file *file, const tmi_tile_plan *plan, uint8_t *to, uint32_t width)
{
    row_reader row = {.plan = plan, .text = tmi_json_text(file->json), .at = tmi_json_text(file->json)};
    const int64_t num = read_row(&row, to, width);
    const size_t shift = 1 + (size_t)(row.at - row.text);
    file->reading->any_tile = file->reading->any_tile || row.any;
    if (num < 0)
        tmi_find_token(file, TM_FINDING_FOLDER_VALUE, shift, "%s", row.fault);
    else if (num != width)
        tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0, "the row has %lld tiles, and the layer is %u wide",
                       (long long)num, (unsigned)width);
}

/* SPDX-License-Identifier: Zlib */
/*
 * Draws the rules of an automapper as a picture: for each pass, a card per rule shows the tile that the rule
 * writes and its conditions on the tiles around.
 */
#include "preview.h"

enum {
    FAR_CELLS = 6, /* conditions further away are not drawn; the label says so */
    CARD_GAP = 8,
    CARD_MARGIN = 5,
    CARD_LABEL = 9,
    CARD_LABEL_LINE = 14,
    RUN_LABEL = 12,
    RUN_LINE = 24,
    SHEET_CELLS = 16
};

static const uint8_t behind[3] = {0x20, 0x24, 0x2c}, card[3] = {0x34, 0x3a, 0x46},
                     free_cell[3] = {0x42, 0x4a, 0x58}, letters[3] = {0xf0, 0xf2, 0xf5},
                     hollow[3] = {0x14, 0x16, 0x1a}, filled[3] = {0x9a, 0xa4, 0xb4},
                     wanted[3] = {0x5c, 0xd6, 0x6a}, unwanted[3] = {0xf0, 0x62, 0x5c},
                     middle[3] = {0xff, 0xd0, 0x40};

typedef struct rule_sheet {
    uint8_t *rgba; /* NULL while it is measured */
    uint32_t width, height;
    uint32_t cell;
    const tm_pixels *tiles; /* rgba NULL: none */
    uint32_t *widest;       /* where the last cards end */
} rule_sheet;

/* ----------------------------------------------------------------------------------------------- painting */

static void fill_cells(const rule_sheet *page, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                       const uint8_t rgb[3])
{
    for (uint32_t v = y; v < y + height && v < page->height; v++)
        for (uint32_t u = x; u < x + width && u < page->width; u++) {
            uint8_t *pixel = page->rgba + ((size_t)v * page->width + u) * 4;
            memcpy(pixel, rgb, 3);
            pixel[3] = 255;
        }
}

static void put_words(const rule_sheet *page, const char *text, uint32_t x, uint32_t y, float size)
{
    const tmi_letter_target target = {
        page->rgba, page->width, page->height, {letters[0], letters[1], letters[2]}};
    tmi_letters_draw(&target, text, strlen(text), (float)x, (float)y, size);
}

/* Draws a tile of the sheet, flipped and turned as games do, or its index if there is no sheet. */
static void put_tile_picture(const rule_sheet *page, int32_t index, int32_t flags, uint32_t x, uint32_t y,
                             uint32_t side)
{
    char number[16];
    const uint32_t wide = page->tiles->width / SHEET_CELLS, high = page->tiles->height / SHEET_CELLS;
    const uint8_t *pixels = page->tiles->rgba;
    if (!pixels || !wide || !high || index < 0) {
        tmi_format(number, sizeof(number), "%d", (int)index);
        put_words(page, number, x + 3, y + side / 3, (float)side / 3);
        return;
    }
    const uint32_t left = (uint32_t)index % 256 % SHEET_CELLS * wide,
                   top = (uint32_t)index % 256 / SHEET_CELLS * high;
    for (uint32_t v = 0; v < side; v++)
        for (uint32_t u = 0; u < side; u++) {
            uint32_t sx = flags & TM_TILE_ROTATE ? v : u, sy = flags & TM_TILE_ROTATE ? side - 1 - u : v;
            sx = flags & TM_TILE_FLIP_X ? side - 1 - sx : sx;
            sy = flags & TM_TILE_FLIP_Y ? side - 1 - sy : sy;
            const uint8_t *source =
                pixels +
                ((size_t)(top + sy * high / side) * page->tiles->width + left + sx * wide / side) * 4;
            uint8_t *pixel = page->rgba + ((size_t)(y + v) * page->width + x + u) * 4;
            for (int c = 0; c < 3; c++)
                pixel[c] = (uint8_t)((source[c] * source[3] + pixel[c] * (255 - source[3])) / 255);
        }
}

/* ------------------------------------------------------------------------------------------------- a card */

static void draw_condition(const rule_sheet *page, const tm_automap_condition *condition, uint32_t x,
                           uint32_t y)
{
    const uint32_t side = page->cell - 1;
    const uint8_t *rgb = condition->negated ? unwanted : wanted;
    const tm_automap_entry *first = condition->entries;
    if (condition->added)
        return;
    if (condition->num_entries == 1 && first->index == 0 && first->flags == TM_AUTOMAP_ANY_FLAGS) {
        fill_cells(page, x, y, side, side, condition->negated ? filled : hollow);
        return;
    }
    if (condition->num_entries)
        put_tile_picture(page, first->index, first->flags > 0 ? first->flags : 0, x + 1, y + 1, side - 2);
    fill_cells(page, x, y, side, 2, rgb);
    fill_cells(page, x, y + side - 2, side, 2, rgb);
    fill_cells(page, x, y, 2, side, rgb);
    fill_cells(page, x + side - 2, y, 2, side, rgb);
    if (condition->num_entries > 1)
        fill_cells(page, x + side - side / 3, y + side - side / 3, side / 3, side / 3, rgb);
}

static void label_of(const tm_automap_rule *rule, bool further, char *text, size_t size)
{
    size_t length =
        tmi_format(text, size, "%d%s%s%s", (int)rule->index, rule->flags & TM_TILE_FLIP_X ? " X" : "",
                   rule->flags & TM_TILE_FLIP_Y ? " Y" : "", rule->flags & TM_TILE_ROTATE ? " R" : "");
    if (rule->has_random && rule->chance > 0 && rule->chance < 1)
        length += rule->chance < 0.1F
                      ? tmi_format(text + length, size - length, "  1/%.0f", 1 / (double)rule->chance)
                      : tmi_format(text + length, size - length, "  %.0f/100", (double)rule->chance * 100);
    if (rule->one_in > 1)
        length += tmi_format(text + length, size - length, "  1/%d", (int)rule->one_in);
    if (rule->num_modulos)
        length += tmi_format(text + length, size - length, "  M");
    if (further)
        tmi_format(text + length, size - length, " +");
}

/* Draws the card of a rule, unless the sheet is only measured; `size` becomes its width and height. */
static void draw_card(const rule_sheet *page, const tm_automap_rule *rule, uint32_t x, uint32_t y,
                      uint32_t size[2])
{
    const tm_rect shown = {-FAR_CELLS, -FAR_CELLS, 2 * FAR_CELLS + 1, 2 * FAR_CELLS + 1};
    tm_rect cells = {0, 0, 1, 1};
    bool further = false;
    char label[64];
    for (uint32_t i = 0; i < rule->num_conditions; i++) {
        const tm_rect area = {rule->conditions[i].x, rule->conditions[i].y, 1, 1};
        if (tmi_rect_has(&shown, area.x, area.y))
            cells = tmi_rect_around(&cells, &area);
        else
            further = true;
    }
    const uint32_t cell = page->cell, grid[2] = {cells.width * cell, cells.height * cell};
    label_of(rule, further, label, sizeof(label));
    const uint32_t words = (uint32_t)tmi_letters_width(strlen(label), CARD_LABEL) + 1;
    size[0] = 2 * cell + CARD_MARGIN + grid[0];
    size[0] = (size[0] > words ? size[0] : words) + 2 * CARD_MARGIN;
    size[1] = CARD_LABEL_LINE + (grid[1] > 2 * cell ? grid[1] : 2 * cell) + 2 * CARD_MARGIN;
    if (!page->rgba)
        return;
    const uint32_t top = y + CARD_MARGIN + CARD_LABEL_LINE, left = x + 2 * CARD_MARGIN + 2 * cell;
    fill_cells(page, x, y, size[0], size[1], card);
    put_words(page, label, x + CARD_MARGIN, y + CARD_MARGIN, CARD_LABEL);
    fill_cells(page, x + CARD_MARGIN, top, 2 * cell - 2, 2 * cell - 2, free_cell);
    put_tile_picture(page, rule->index & 255, rule->flags, x + CARD_MARGIN, top, 2 * cell - 2);
    for (uint32_t v = 0; v < cells.height; v++)
        for (uint32_t u = 0; u < cells.width; u++)
            fill_cells(page, left + u * cell, top + v * cell, cell - 1, cell - 1, free_cell);
    for (uint32_t i = 0; i < rule->num_conditions; i++) {
        const tm_automap_condition *condition = &rule->conditions[i];
        if (tmi_rect_has(&cells, condition->x, condition->y))
            draw_condition(page, condition, left + (uint32_t)(condition->x - cells.x) * cell,
                           top + (uint32_t)(condition->y - cells.y) * cell);
    }
    const uint32_t dot = cell / 4, inset = (cell - 1 - dot) / 2; /* the tile itself */
    fill_cells(page, left + (uint32_t)-cells.x * cell + inset, top + (uint32_t)-cells.y * cell + inset, dot,
               dot, middle);
}

/* ---------------------------------------------------------------------------------------------- all of it */

static uint32_t draw_cards(const rule_sheet *page, const tm_automap_pass *pass, uint32_t number, uint32_t y)
{
    char label[64];
    uint32_t x = CARD_GAP, row = 0, size[2];
    tmi_format(label, sizeof(label), "RUN %u%s", (unsigned)number,
               pass->no_layer_copy ? "  SEES ITSELF" : "");
    if (page->rgba)
        put_words(page, label, CARD_GAP, y + 6, RUN_LABEL);
    y += RUN_LINE;
    const rule_sheet measure = {NULL, page->width, page->height, page->cell, page->tiles, NULL};
    for (uint32_t i = 0; i < pass->num_rules; i++) {
        draw_card(&measure, &pass->rules[i], 0, 0, size);
        if (x > CARD_GAP && x + size[0] + CARD_GAP > page->width) {
            x = CARD_GAP;
            y += row + CARD_GAP;
            row = 0;
        }
        draw_card(page, &pass->rules[i], x, y, size);
        x += size[0] + CARD_GAP;
        *page->widest = x > *page->widest ? x : *page->widest;
        row = size[1] > row ? size[1] : row;
    }
    return y + row + CARD_GAP;
}

/* Draws the cards of all passes, one pass below the other. Returns the height in pixels. */
static uint32_t draw_passes(const rule_sheet *page, const tm_automap_config *config)
{
    uint32_t y = 0;
    for (uint32_t p = 0; p < config->num_passes; p++)
        if (config->passes[p].num_rules && y < 1U << 20)
            y = draw_cards(page, &config->passes[p], p, y);
    return y + CARD_GAP;
}

tm_status tm_preview_draw_rules(uint8_t **rgba, uint32_t *width, uint32_t *height,
                                const tm_automap_config *config, const tm_pixels *tiles, uint32_t cell,
                                const tm_allocator *allocator, tm_error *error)
{
    static const tm_pixels empty;
    enum { NARROWEST = 240, WIDEST = 1200, TALLEST = 30000 };
    uint32_t widest = NARROWEST;
    TM_TRY(tmi_need(rgba, "rgba", error));
    TM_TRY(tmi_need(width, "width", error));
    TM_TRY(tmi_need(height, "height", error));
    *rgba = NULL;
    *width = *height = 0;
    TM_TRY(tmi_need(config, "config", error));
    if (cell < TM_PREVIEW_RULES_MIN || cell > TM_PREVIEW_RULES_MAX)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "cells of %u pixels are not from %d to %d", (unsigned)cell,
                        TM_PREVIEW_RULES_MIN, TM_PREVIEW_RULES_MAX);
    rule_sheet sheet = {NULL, WIDEST, 0, cell, tiles ? tiles : &empty, &widest};
    sheet.height = draw_passes(&sheet, config);
    sheet.width = widest < WIDEST ? widest : WIDEST;
    if (sheet.height > TALLEST)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "a picture %u pixels high; %d is the limit",
                        (unsigned)sheet.height, TALLEST);
    TM_TRY(tmi_reserve(&sheet.rgba, allocator, (size_t)sheet.width * sheet.height, 4, "a picture of rules",
                       error));
    fill_cells(&sheet, 0, 0, sheet.width, sheet.height, behind);
    draw_passes(&sheet, config);
    *rgba = sheet.rgba;
    *width = sheet.width;
    *height = sheet.height;
    return TM_OK;
}

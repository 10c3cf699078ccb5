/* SPDX-License-Identifier: Zlib */
/*
 * Makes a patch with some changes of another one: those that words name, those in a rectangle, or those that
 * affect gameplay. Addresses in words are objects of either side, found by the labels in the patch; no map is
 * needed.
 */
#include "patch.h"

#include "../text/text.h"

/* A word, which does not end with NUL. */
typedef struct word {
    const char *text;
    size_t size;
} word;

static bool is_word(const word *w, const char *text)
{
    return w->size == strlen(text) && memcmp(w->text, text, w->size) == 0;
}

static bool next_of_words(const char **rest, word *out)
{
    if (!*rest)
        return false;
    const size_t size = strcspn(*rest, ",");
    *out = (word){*rest, size};
    *rest = (*rest)[size] ? *rest + size + 1 : NULL;
    return true;
}

static const struct {
    const char *name;
    tm_kind list;
    tm_kind owner; /* TM_KINDS: anything in the list */
    bool settings;
} list_words[] = {
    {"map", TM_KIND_MAP, TM_KIND_MAP, false},      {"info", TM_KIND_MAP, TM_KIND_INFO, false},
    {"settings", TM_KIND_MAP, TM_KIND_INFO, true}, {"images", TM_KIND_IMAGE, TM_KINDS, false},
    {"sounds", TM_KIND_SOUND, TM_KINDS, false},    {"envelopes", TM_KIND_ENVELOPE, TM_KINDS, false},
    {"groups", TM_KIND_GROUP, TM_KINDS, false},    {"layers", TM_KIND_LAYER, TM_KINDS, false},
};

/* Whether the word names a kind of objects; *chosen: the change is about an object of that kind. */
static bool choose_kind(const word *w, const tm_patch *patch, const tmi_delta *delta, bool *chosen)
{
    for (size_t i = 0; i < TMI_COUNT_OF(list_words); i++) {
        if (!is_word(w, list_words[i].name))
            continue;
        *chosen =
            delta && delta->list == list_words[i].list &&
            (list_words[i].owner == TM_KINDS || (delta->owner == list_words[i].owner &&
                                                 tmi_delta_is_of_settings(delta) == list_words[i].settings));
        return true;
    }
    const bool layer = delta && delta->list == TM_KIND_LAYER;
    const tm_layer_info *info = layer ? tm_game_layer(tmi_delta_layer_kind(patch, delta)) : NULL;
    if (is_word(w, "physics") || is_word(w, "design")) {
        *chosen = info && info->is_physics == is_word(w, "physics");
        return true;
    }
    tm_layer_kind kind;
    const bool named = tmi_layer_kind_named(&kind, w->text, w->size);
    *chosen = named && info == tm_game_layer(kind);
    return named;
}

/* --------------------------------------------------------------------------------------------- addresses */

/* Whether a word fits an object, as tmi_element_fits says; a name may look like a range ("2024", "4-"). */
static bool names(const word *w, const tmi_label *label, uint32_t index)
{
    return (label->name && is_word(w, label->name)) || tmi_element_fits(w->text, w->size, index, label->name);
}

/* `group`: of layers; NULL: the list is another one. `w` NULL: all objects. */
static bool in_list(const word *group, const word *w, const tm_patch *patch, const tmi_delta *delta,
                    tm_kind list, bool *is_known)
{
    bool chosen = false;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        const tmi_side *objects = &patch->match.side[side];
        for (uint32_t i = 0; i < objects->num[list]; i++) {
            const uint32_t g = objects->labels[list][i].group;
            if ((group && !names(group, &objects->labels[TM_KIND_GROUP][g], g)) ||
                (w && !names(w, &objects->labels[list][i], group ? tmi_layer_index(objects, i) : i)))
                continue;
            *is_known = true;
            chosen = chosen || (delta && delta->list == list && delta->number[side] == i);
        }
    }
    return chosen;
}

/*
 * Whether a word selects a change; NULL: none. *is_known: it is a word for kinds, or the address of an
 * object.
 */
static bool chooses(const word *w, const tm_patch *patch, const tmi_delta *delta, bool *is_known)
{
    const char *slash = memchr(w->text, '/', w->size);
    bool chosen = false;
    *is_known = choose_kind(w, patch, delta, &chosen);
    if (*is_known)
        return chosen;
    if (!slash) /* a group with its layers */
        return in_list(NULL, w, patch, delta, TM_KIND_GROUP, is_known) ||
               in_list(w, NULL, patch, delta, TM_KIND_LAYER, is_known);
    const word first = {w->text, (size_t)(slash - w->text)}, second = {slash + 1, w->size - first.size - 1};
    for (tm_kind list = TM_KIND_IMAGE; list < TM_KIND_GROUP; list++)
        if (is_word(&first, tm_kind_name(list)))
            return in_list(NULL, &second, patch, delta, list, is_known);
    return in_list(&first, &second, patch, delta, TM_KIND_LAYER, is_known);
}

bool tmi_words_choose(const char *words, const tm_patch *patch, const tmi_delta *delta)
{
    word w;
    bool chosen = !words, any;
    while (!chosen && next_of_words(&words, &w))
        chosen = chooses(&w, patch, delta, &any);
    return chosen;
}

tm_status tmi_words_check(const char *words, const tm_patch *patch, tm_error *error)
{
    word w;
    bool any = true;
    char own[64], hint[64];
    tm_suggestion meant;
    while (any && next_of_words(&words, &w))
        chooses(&w, patch, NULL, &any);
    if (any)
        return TM_OK;
    tmi_format(own, sizeof(own), "%.*s", (int)(w.size < 60 ? w.size : 60), w.text);
    tm_suggestion_begin(&meant, own);
    tm_suggestion_try(&meant, "design");
    tm_suggestion_try(&meant, "physics");
    for (size_t i = 0; i < TMI_COUNT_OF(list_words); i++)
        tm_suggestion_try(&meant, list_words[i].name);
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++)
        tm_suggestion_try(&meant, tm_game_layer((tm_layer_kind)kind)->name);
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        for (uint32_t i = 0; i < patch->match.side[side].num[TM_KIND_GROUP]; i++)
            if (patch->match.side[side].labels[TM_KIND_GROUP][i].name)
                tm_suggestion_try(&meant, patch->match.side[side].labels[TM_KIND_GROUP][i].name);
    tm_suggestion_format(&meant, hint, sizeof(hint));
    return tmi_fail(
        error, TM_ERROR_USAGE, -1,
        "neither map has '%s'%s (words are map, info, settings, images, sounds, envelopes, groups, layers, "
        "design, physics, kinds of layers, and addresses)",
        own, hint);
}

/* The position of a quad or a sound source in tiles; false for other elements. */
static bool middle_of(const tmi_delta *delta, int64_t *x, int64_t *y)
{
    const void *element = delta->bytes[TMI_BEFORE] ? delta->bytes[TMI_BEFORE] : delta->bytes[TMI_AFTER];
    const bool quad = delta->owner == TM_KIND_QUAD;
    tm_point middle;
    if (delta->type != TMI_DELTA_ELEMENT || delta->owner == TM_KIND_ENVELOPE_POINT)
        return false;
    memcpy(&middle, (const char *)element + (quad ? offsetof(tm_quad, points) + 4 * sizeof(tm_point) : 0),
           sizeof(middle));
    *x = tmi_floor_div(middle.x, TM_TILE_FX);
    *y = tmi_floor_div(middle.y, TM_TILE_FX);
    return true;
}

/* ---------------------------------------------------------------------------------------------- narrowing */

/* Leaves only wanted elements in the grid of the last change, and removes the change if there are none. */
static tm_status narrow_grid(tm_patch *out, const tm_filter_options *o, const uint8_t *numbers,
                             tm_error *error)
{
    tmi_delta *delta = &out->deltas[out->num - 1];
    tmi_grid *grid = delta->grid;
    const bool everywhere = tmi_rect_is_empty(&o->region);
    if (!grid || (everywhere && !o->race))
        return TM_OK;
    const bool reshaped = tmi_grid_reshaped(grid);
    if (!everywhere) {
        const tmi_grid old = *grid;
        TM_TRY(tmi_patch_alloc(out, &grid->runs, old.num_runs, sizeof(*grid->runs), error));
        grid->num_runs = 0;
        grid->num = 0;
        for (uint32_t r = 0; r < old.num_runs; r++) {
            const tmi_grid_run *run = &old.runs[r];
            const tm_rect part = tmi_rect_common(&(tm_rect){run->x, run->y, run->num, 1}, &o->region);
            if (part.width) /* runs only become shorter, so elements are moved within their arrays */
                tmi_grid_append(grid, &old, run, (uint32_t)((int64_t)part.x - run->x), part.width);
        }
        TM_TRY(tmi_grid_find_regions(out, grid, error));
    }
    if (o->race)
        TM_TRY(tmi_grid_keep_race(out, grid, tmi_delta_layer_kind(out, delta), numbers, error));
    if (grid->num == 0 && !reshaped)
        out->num--; /* its memory belongs to the patch */
    return TM_OK;
}

static tm_status add_chosen(tm_patch *out, const tm_patch *patch, const tm_filter_options *o, tm_error *error)
{
    uint8_t numbers[256];
    bool renumbered = false;
    if (o->race && o->before)
        TM_TRY(tmi_find_renumbering(&renumbered, numbers, patch, o->before, error));
    for (size_t i = 0; i < patch->num; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        int64_t x, y;
        bool wanted = tmi_words_choose(o->words, patch, delta);
        if (wanted && !tmi_rect_is_empty(&o->region))
            wanted = delta->type == TMI_DELTA_GRID && delta->list == TM_KIND_LAYER
                         ? !tmi_grid_reshaped(delta->grid)
                         : middle_of(delta, &x, &y) && tmi_rect_has(&o->region, x, y);
        if (wanted && o->race)
            TM_TRY(tmi_delta_in_race(&wanted, patch, delta, error));
        if (!wanted)
            continue;
        TM_TRY(tmi_patch_add_copy(out, patch, delta, error));
        TM_TRY(narrow_grid(out, o, renumbered ? numbers : NULL, error));
    }
    return TM_OK;
}

/* Reads a region "@X,Y+WxH" at the end of the words. The words without it are copied into `memory`. */
static tm_status parse_region(tm_filter_options *o, tm_patch *memory, tm_error *error)
{
    const char *sign = o->words ? strrchr(o->words, '@') : NULL, *cursor = sign ? sign + 1 : NULL;
    tm_rect region;
    char *rest;
    if (!sign || !tmi_take_point(&region.x, &region.y, &cursor) || !tmi_take_word("+", &cursor) ||
        !tmi_take_size(&region.width, &region.height, &cursor) || *cursor)
        return TM_OK;
    if (tmi_rect_is_empty(&region))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the region '%.60s' has no tile in it", sign + 1);
    TM_TRY(tmi_patch_alloc(memory, &rest, (size_t)(sign - o->words) + 1, 1, error));
    memcpy(rest, o->words, (size_t)(sign - o->words));
    o->words = *rest ? rest : NULL;
    o->region = region;
    return TM_OK;
}

tm_status tm_patch_filter(tm_patch **out, const tm_patch *patch, const tm_filter_options *options,
                          tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    tm_filter_options effective;
    tm_patch *narrow;
    *out = NULL;
    TM_TRY(tmi_need(patch, "patch", error));
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_filter_options", error));
    TM_TRY(tmi_patch_like(&narrow, patch, error));
    tm_status status = parse_region(&effective, narrow, error);
    status = status ? status : tmi_words_check(effective.words, patch, error);
    status = status ? status : add_chosen(narrow, patch, &effective, error);
    return tmi_patch_give(out, narrow, status);
}

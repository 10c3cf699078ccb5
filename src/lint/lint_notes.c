/* SPDX-License-Identifier: Zlib */
/*
 * Notes of rules until they are reported, with the places of their tiles. Adjacent tiles are one place, a
 * rectangle around them. Only TMI_LINT_PLACES of a note are kept, and runs come in rows from top to bottom,
 * so that the work for each run is bounded whatever the map.
 */
#include "lint.h"

/* ----------------------------------------------------------------------------------------------- notes */

tmi_lint_note *tmi_lint_note_add(tmi_lint *lint, uint32_t rule, tm_address address, const char *format, ...)
{
    tmi_lint_state *state = &lint->rules[rule];
    const bool gathers = !lint->apart && state->row->many && lint->most < TMI_LINT_OBJECTS;
    const uint32_t most = gathers ? TMI_LINT_OBJECTS : lint->most;
    tmi_lint_note *note = state->num < most ? tmi_arena_alloc(lint->notes, 1, sizeof(*note)) : NULL;
    if (!note) {
        state->unlisted++;
        return NULL;
    }
    memset(note, 0, sizeof(*note));
    note->address = address;
    note->count = 1;
    va_list list;
    va_start(list, format);
    tmi_vformat(note->text, sizeof(note->text), format, list);
    va_end(list);
    *(state->last ? &state->last->next : &state->notes) = note;
    state->last = note;
    state->num++;
    return note;
}

void tmi_lint_note_fix(tmi_lint_note *note, const char *format, ...)
{
    va_list list;
    if (!note)
        return;
    va_start(list, format);
    const size_t length = tmi_vformat(note->fix, sizeof(note->fix), format, list);
    va_end(list);
    if (length + 1 >= sizeof(note->fix)) /* a line that is cut off would do something else */
        note->fix[0] = '\0';
}

bool tmi_lint_explain(tmi_lint_object *object, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tmi_vformat(object->text, sizeof(object->text), format, list);
    va_end(list);
    return true;
}

/* ---------------------------------------------------------------------------------------------- places */

/* Adds a run to the places of a note; all places that it touches are joined with it. */
void tmi_lint_note_place(tmi_lint *lint, tmi_lint_note *note, uint32_t x0, uint32_t x1, uint32_t y)
{
    tm_region joined = {{(int32_t)x0, (int32_t)y, x1 - x0, 1}, x1 - x0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < note->num_places; i++) {
        const tm_region place = note->places[i];
        if (tmi_bottom(&place.rect) >= y && place.rect.x <= (int64_t)x1 && tmi_right(&place.rect) >= x0) {
            joined.rect = tmi_rect_around(&joined.rect, &place.rect);
            joined.num += place.num;
        } else {
            note->places[kept++] = place;
        }
    }
    note->num_places = kept;
    tmi_lint_note_rectangle(lint, note, &joined);
}

void tmi_lint_note_rectangle(tmi_lint *lint, tmi_lint_note *note, const tm_region *place)
{
    const uint32_t num = note->num_places;
    if (num == TMI_LINT_PLACES)
        return;
    if (num == note->max_places) {
        tm_region *places = tmi_arena_alloc(lint->notes, 2 * (size_t)num + 2, sizeof(*places));
        if (!places)
            return;
        if (num)
            memcpy(places, note->places, num * sizeof(*places));
        note->places = places;
        note->max_places = 2 * num + 2;
    }
    note->places[note->num_places++] = *place;
}

/* --------------------------------------------------------------------------------------------- numbers */

tmi_lint_note *tmi_lint_note_number(tmi_lint *lint, uint32_t rule, const tmi_lint_numbered *numbered,
                                    int number)
{
    const char *words = lint->rules[rule].row->phrase, *rest = strchr(words, '#');
    const tm_address address = tmi_lint_layer_address(lint, numbered->kind);
    tmi_lint_note *note = rest ? tmi_lint_note_add(lint, rule, address, "%.*s%d%s", (int)(rest - words),
                                                   words, number, rest + 1)
                               : tmi_lint_note_add(lint, rule, address, "%s", words);
    for (uint32_t index = 1; index < TM_TILE_INDICES; index++)
        if (numbered->fits((uint8_t)index))
            tmi_lint_request_tiles(lint, note, numbered->kind, (uint8_t)index, number);
    return note;
}

void tmi_lint_judge_numbers(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_row *row = lint->rules[rule].row;
    uint64_t have[TMI_LINT_NUMBERS], others[TMI_LINT_NUMBERS];
    tmi_lint_sum_numbers(have, lint, row->having);
    tmi_lint_sum_numbers(others, lint, row->lacking);
    for (uint32_t n = 1; n < TMI_LINT_NUMBERS; n++)
        if (have[n] && !others[n] && !(row->unless && row->unless(lint, n)))
            tmi_lint_note_number(lint, rule, row->having, (int)n);
}

void tmi_lint_judge_zero(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_row *row = lint->rules[rule].row;
    uint64_t have[TMI_LINT_NUMBERS];
    tmi_lint_sum_numbers(have, lint, row->having);
    if (have[0])
        tmi_lint_note_number(lint, rule, row->having, 0);
}

void tmi_lint_judge_any(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_row *row = lint->rules[rule].row;
    uint64_t sums[TMI_LINT_NUMBERS];
    if (tmi_lint_sum_numbers(sums, lint, row->having) && !tmi_lint_sum_numbers(sums, lint, row->lacking))
        tmi_lint_note_number(lint, rule, row->having, -1);
}

/* ----------------------------------------------------------------------------------------------- marks */

tmi_lint_note *tmi_lint_mark(tmi_lint *lint, uint32_t rule, const tmi_lint_run *run, uint32_t x0, uint32_t x1)
{
    tmi_lint_note *note = lint->rules[rule].notes;
    while (note && note->kind != run->kind)
        note = note->next;
    if (!note && (note = tmi_lint_note_add(lint, rule, tmi_lint_layer_address(lint, run->kind), "%s", ""))) {
        note->marked = true;
        note->kind = run->kind;
        note->count = 0;
    }
    if (!note)
        return NULL;
    note->count += x1 - x0;
    note->seen[run->index] = true;
    tmi_lint_note_place(lint, note, x0, x1, run->y);
    return note;
}

void tmi_lint_mark_in_wall(tmi_lint *lint, uint32_t rule, const tmi_lint_run *run, uint32_t x0, uint32_t x1)
{
    static const int8_t beside[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    tmi_lint_note *note = tmi_lint_mark(lint, rule, run, x0, x1);
    for (int64_t x = x0; note && note->at_worst != TM_SEVERITY_WARNING && x < x1; x++) {
        bool wall = false, room = false; /* touches a part of the wall without such a tile, and open tiles */
        for (size_t i = 0; i < TMI_COUNT_OF(beside); i++) {
            const int64_t to_x = x + beside[i][0], to_y = (int64_t)run->y + beside[i][1];
            const bool is_wall = tmi_lint_is_wall(tmi_lint_index_at(lint, TM_LAYER_GAME, to_x, to_y));
            room |= !is_wall;
            wall |= is_wall && tmi_lint_index_at(lint, run->kind, to_x, to_y) != run->index;
        }
        note->at_worst = wall && room ? TM_SEVERITY_WARNING : TM_SEVERITY_NOTE;
    }
}

/* SPDX-License-Identifier: Zlib */
/*
 * Finds the names that objects had in a folder that is written again. Names are made from the names of the
 * objects, so the only question is which of several objects with an equal name is which. They are matched by
 * the lines of their files: first equal files, then those with most common lines. For this, the new files are
 * written into a checksum.
 */
#include "mapdir.h"

enum { MAX_PAIRS = 1 << 20, MAX_ALIKE = 1 << 10, WHOLE = 1 << 20 };

/* -------------------------------------------------------------------------------------------------- lines */

/* A checksum of each line, sorted. */
typedef struct line_sums {
    tm_buffer sums; /* uint64_t */
    uint64_t sum;
    bool begun;
} line_sums;

static tm_status end_line(line_sums *of, tm_error *error)
{
    const tm_output output = tm_output_to_buffer(&of->sums);
    const uint64_t sum = of->sum;
    of->sum = 0;
    of->begun = false;
    return tmi_output_write(&output, &sum, sizeof(sum), error);
}

static tm_status sum_lines(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    line_sums *of = ctx;
    const char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        if (at[i] == '\n') {
            TM_TRY(end_line(of, error));
        } else if (at[i] != '\r') {
            of->sum = tmi_hash(of->sum, at + i, 1);
            of->begun = true;
        }
    }
    return TM_OK;
}

static size_t num_sums(const line_sums *of)
{
    return of->sums.size / sizeof(uint64_t);
}

static void sort_sums(line_sums *of)
{
    tmi_sort_u64((uint64_t *)(void *)of->sums.bytes, num_sums(of));
}

/* The common lines of two files, as a share from 0 to WHOLE. */
static uint32_t likeness_of(const line_sums *a, const line_sums *b)
{
    const uint64_t *x = (const void *)a->sums.bytes, *y = (const void *)b->sums.bytes;
    const size_t num_x = num_sums(a), num_y = num_sums(b);
    uint64_t common = 0;
    for (size_t i = 0, k = 0; i < num_x && k < num_y;) {
        common += x[i] == y[k];
        const bool first = x[i] <= y[k], second = y[k] <= x[i];
        i += first;
        k += second;
    }
    return num_x + num_y ? (uint32_t)(common * 2 * WHOLE / (num_x + num_y)) : WHOLE;
}

/* --------------------------------------------------------------------------------------- files of before */

static tm_status sum_file(tmi_reading *before, const char *name, line_sums *to)
{
    enum { PIECE = 4096 };
    char bytes[PIECE];
    tm_input input;
    if (tmi_find_file(before->files, name) == TM_NONE || !tmi_open_named(before, name, &input))
        return before->status;
    tm_status status = TM_OK;
    for (uint64_t at = 0; at < input.size && status == TM_OK; at += PIECE) {
        const size_t size = input.size - at < PIECE ? (size_t)(input.size - at) : PIECE;
        status = tmi_input_read(&input, at, bytes, size, before->error);
        if (status == TM_OK)
            status = sum_lines(to, bytes, size, before->error);
    }
    tmi_close_input(&input);
    if (status == TM_OK && to->begun)
        status = end_line(to, before->error);
    return status;
}

/* Sums the lines of an old object's file, and of a group also those of its layers. */
static tm_status sum_old(tmi_reading *before, const char *folder, const char *name, bool group, line_sums *to)
{
    char path[TMI_PATH_SIZE];
    tmi_format(path, sizeof(path), "%s/%s.json", folder, name);
    TM_TRY(sum_file(before, path, to));
    tmi_format(path, sizeof(path), "%s/%s/", folder, name);
    for (uint32_t i = 0; group && i < before->files->num; i++) {
        const char *file = before->files->name(before->files->ctx, i), *end = strrchr(file, '.');
        if (strncmp(file, path, strlen(path)) == 0 && end && strcmp(end, ".json") == 0)
            TM_TRY(sum_file(before, file, to));
    }
    sort_sums(to);
    return TM_OK;
}

/* ----------------------------------------------------------------------------- objects of the same name */

typedef struct one {
    const char *name;
    uint32_t index;
    bool done;
    line_sums lines;
} one;

static int by_name(const void *a, const void *b)
{
    const one *x = a, *y = b;
    const int order = tmi_compare_folded(x->name, y->name);
    return order ? order : x->index < y->index ? -1 : x->index > y->index;
}

/* The new objects of one name, and the old ones of that name. */
typedef struct pairing {
    const tmi_old_names *of;
    const tmi_name_list *list;
    one *fresh, *old;
    uint32_t num_fresh, num_old;
} pairing;

static bool is_same(const tm_buffer *a, const tm_buffer *b)
{
    return a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

static void pair(const pairing *p, one *fresh, one *old)
{
    p->of->out[fresh->index] = p->list->names[old->index].name;
    fresh->done = old->done = true;
}

static void pair_alike(const pairing *p)
{
    for (;;) {
        one *fresh = NULL, *old = NULL;
        uint32_t most = 0;
        for (uint32_t i = 0; i < p->num_fresh; i++)
            for (uint32_t k = 0; k < p->num_old && !p->fresh[i].done; k++) {
                const uint32_t likeness =
                    p->old[k].done ? 0 : likeness_of(&p->fresh[i].lines, &p->old[k].lines);
                if (likeness <= most)
                    continue;
                most = likeness;
                fresh = &p->fresh[i];
                old = &p->old[k];
            }
        if (!fresh)
            return;
        pair(p, fresh, old);
    }
}

static uint32_t num_left(const one *list, uint32_t num)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < num; i++)
        left += !list[i].done;
    return left;
}

static tm_status sum_both(const pairing *p)
{
    tmi_reading *before = p->of->before;
    for (uint32_t i = 0; i < p->num_fresh; i++) {
        line_sums *to = &p->fresh[i].lines;
        const tm_output output = {to, sum_lines, NULL};
        TM_TRY(p->of->write(p->of->ctx, p->fresh[i].index, &output, before->error));
        sort_sums(to);
    }
    for (uint32_t i = 0; i < p->num_old; i++)
        TM_TRY(sum_old(before, p->of->folder, p->list->names[p->old[i].index].name, p->of->group,
                       &p->old[i].lines));
    return TM_OK;
}

static tm_status pair_all(const pairing *p)
{
    const uint64_t pairs = (uint64_t)p->num_fresh * p->num_old;
    tm_status status = TM_OK;
    if (pairs > 1 && pairs <= MAX_PAIRS) {
        status = sum_both(p);
        if (status == TM_OK) {
            for (uint32_t i = 0; i < p->num_fresh; i++)
                for (uint32_t k = 0; k < p->num_old && !p->fresh[i].done; k++)
                    if (!p->old[k].done && is_same(&p->fresh[i].lines.sums, &p->old[k].lines.sums))
                        pair(p, &p->fresh[i], &p->old[k]);
            if ((uint64_t)num_left(p->fresh, p->num_fresh) * num_left(p->old, p->num_old) <= MAX_ALIKE)
                pair_alike(p);
        }
        for (uint32_t i = 0; i < p->num_fresh; i++)
            tm_buffer_release(&p->fresh[i].lines.sums);
        for (uint32_t i = 0; i < p->num_old; i++)
            tm_buffer_release(&p->old[i].lines.sums);
    }
    for (uint32_t i = 0, k = 0; i < p->num_fresh && status == TM_OK; i++) { /* in order */
        while (k < p->num_old && p->old[k].done)
            k++;
        if (k < p->num_old && !p->fresh[i].done)
            pair(p, &p->fresh[i], &p->old[k]);
    }
    return status;
}

/* --------------------------------------------------------------------------------------------------- list */

/* Whether an object with this name may have had the old name: NAME or NAME-2. */
static bool is_name_of(const char *old, const char *name)
{
    const size_t size = strlen(name);
    char begin[TMI_ID_SIZE];
    if (strlen(old) >= TMI_ID_SIZE || strlen(old) < size)
        return false;
    tmi_format(begin, sizeof(begin), "%.*s", (int)size, old);
    if (tmi_compare_folded(begin, name) != 0)
        return false;
    const char *rest = old + size;
    return !*rest || (rest[0] == '-' && rest[1] >= '1' && rest[1] <= '9' &&
                      rest[1 + strspn(rest + 1, "0123456789")] == '\0');
}

/* The index of the first old name that is not less than `name`. */
static uint32_t find_first(const one *old, uint32_t num, const char *name)
{
    uint32_t low = 0, high = num;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (tmi_compare_folded(old[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * Copies the old objects of a name to `to`. Names are sorted, so those that begin with the name are
 * neighbours. Of names that only differ in case, the first is used, as some file systems ignore case.
 */
static uint32_t gather(one *to, const one *old, uint32_t num, const char *name, bool *taken)
{
    uint32_t count = 0;
    const size_t size = strlen(name);
    char begin[TMI_ID_SIZE];
    for (uint32_t i = find_first(old, num, name); i < num; i++) {
        tmi_format(begin, sizeof(begin), "%.*s", (int)size, old[i].name);
        if (tmi_compare_folded(begin, name) != 0)
            break;
        const bool again = i && tmi_compare_folded(old[i - 1].name, old[i].name) == 0;
        if (!is_name_of(old[i].name, name) || taken[old[i].index] || again)
            continue;
        to[count++] = old[i];
    }
    return count;
}

static int by_index(const void *a, const void *b)
{
    const one *x = a, *y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

/*
 * Pairs the objects to be written (`fresh`) with those in the folder (`old`), name by name. `room` has space
 * for the old objects of one name; taken[i]: old object i is paired.
 */
static tm_status pair_names(const tmi_old_names *of, const tmi_name_list *list, one *fresh, one *old,
                            one *room, bool *taken)
{
    for (uint32_t i = 0; i < of->num; i++)
        fresh[i] = (one){.name = of->names[i], .index = i, .lines.sums.allocator = of->before->allocator};
    for (uint32_t i = 0; i < list->num; i++)
        old[i] =
            (one){.name = list->names[i].name, .index = i, .lines.sums.allocator = of->before->allocator};
    qsort(fresh, of->num, sizeof(*fresh), by_name);
    qsort(old, list->num, sizeof(*old), by_name);
    for (uint32_t i = 0, end; i < of->num; i = end) {
        for (end = i + 1; end < of->num && tmi_compare_folded(fresh[i].name, fresh[end].name) == 0;)
            end++;
        const uint32_t num = gather(room, old, list->num, fresh[i].name, taken);
        const pairing p = {of, list, fresh + i, room, end - i, num};
        if (num == 0)
            continue;
        qsort(room, num, sizeof(*room), by_index);
        TM_TRY(pair_all(&p));
        for (uint32_t k = 0; k < num; k++)
            taken[room[k].index] = taken[room[k].index] || room[k].done;
    }
    return TM_OK;
}

tm_status tmi_names_recall(const tmi_old_names *of)
{
    tmi_name_list list;
    tmi_reading *before = of->before;
    TM_TRY(tmi_read_list(before, of->list, false, &list));
    if (of->num == 0 || list.num == 0)
        return TM_OK;
    one *fresh = tmi_arena_alloc(&before->arena, (size_t)of->num + 2 * (size_t)list.num, sizeof(*fresh));
    bool *taken = tmi_arena_alloc(&before->arena, list.num, sizeof(*taken));
    if (!fresh || !taken)
        return tmi_fail_memory(before->error, of->num * sizeof(*fresh), "names");
    memset(taken, 0, list.num * sizeof(*taken));
    return pair_names(of, &list, fresh, fresh + of->num, fresh + of->num + list.num, taken);
}

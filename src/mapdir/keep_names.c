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

static tm_status end_line(line_sums *sums, tm_error *error)
{
    const tm_output output = tm_output_to_buffer(&sums->sums);
    const uint64_t sum = sums->sum;
    sums->sum = 0;
    sums->begun = false;
    return tmi_output_write(&output, &sum, sizeof(sum), error);
}

static tm_status sum_lines(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    line_sums *sums = ctx;
    const char *cursor = bytes;
    for (size_t i = 0; i < size; i++) {
        if (cursor[i] == '\n') {
            TM_TRY(end_line(sums, error));
        } else if (cursor[i] != '\r') {
            sums->sum = tmi_hash(sums->sum, cursor + i, 1);
            sums->begun = true;
        }
    }
    return TM_OK;
}

static size_t num_sums(const line_sums *sums)
{
    return sums->sums.size / sizeof(uint64_t);
}

static void sort_sums(line_sums *sums)
{
    tmi_sort_u64((uint64_t *)(void *)sums->sums.bytes, num_sums(sums));
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

static tm_status sum_file(tmi_reading *before, const char *name, line_sums *sums)
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
            status = sum_lines(sums, bytes, size, before->error);
    }
    tmi_close_input(&input);
    if (status == TM_OK && sums->begun)
        status = end_line(sums, before->error);
    return status;
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
    const tmi_naming *naming;
    const char **out;
    one *fresh, **old;
    uint32_t num_fresh, num_old;
} pairing;

static void pair(const pairing *p, one *fresh, one *old)
{
    p->out[fresh->index] = old->name;
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
                    p->old[k]->done ? 0 : likeness_of(&p->fresh[i].lines, &p->old[k]->lines);
                if (likeness <= most)
                    continue;
                most = likeness;
                fresh = &p->fresh[i];
                old = p->old[k];
            }
        if (!fresh)
            return;
        pair(p, fresh, old);
    }
}

/* Sums the lines of the files of objects, new and old; of groups also those of their layers. */
static tm_status sum_both(const pairing *p)
{
    const tmi_naming *naming = p->naming;
    const tm_files_in *files = naming->before->files;
    const bool groups = naming->list == TM_KIND_GROUP;
    char path[TMI_PATH_SIZE];
    for (one *fresh = p->fresh; fresh < p->fresh + p->num_fresh; fresh++) {
        const tm_output output = {&fresh->lines, sum_lines, NULL};
        const uint32_t layers = TM_KIND_LAYER + fresh->index;
        TM_TRY(tmi_write_object(naming->names, tmi_list_at(naming->list, fresh->index), NULL, &output,
                                naming->error));
        for (uint32_t l = 0; groups && l < tmi_list_num(naming->names->map, layers); l++)
            TM_TRY(tmi_write_object(naming->names, tmi_list_at(layers, l), NULL, &output, naming->error));
        sort_sums(&fresh->lines);
    }
    for (uint32_t i = 0; i < p->num_old; i++) {
        one *old = p->old[i];
        tmi_object_path(path, naming->names, naming->list, old->name, ".json");
        TM_TRY(sum_file(naming->before, path, &old->lines));
        tmi_object_path(path, naming->names, naming->list, old->name, "/");
        for (uint32_t k = 0; groups && k < files->num; k++) {
            const char *file = files->name(files->ctx, k), *end = strrchr(file, '.');
            if (strncmp(file, path, strlen(path)) == 0 && end && strcmp(end, ".json") == 0)
                TM_TRY(sum_file(naming->before, file, &old->lines));
        }
        sort_sums(&old->lines);
    }
    return TM_OK;
}

static tm_status pair_all(const pairing *p)
{
    const uint64_t pairs = (uint64_t)p->num_fresh * p->num_old;
    uint32_t equal = 0;
    tm_status status = TM_OK;
    if (pairs > 1 && pairs <= MAX_PAIRS) {
        status = sum_both(p);
        for (uint32_t i = 0; i < p->num_fresh && status == TM_OK; i++)
            for (uint32_t k = 0; k < p->num_old && !p->fresh[i].done; k++)
                if (!p->old[k]->done && likeness_of(&p->fresh[i].lines, &p->old[k]->lines) == WHOLE) {
                    pair(p, &p->fresh[i], p->old[k]);
                    equal++;
                }
        if (status == TM_OK && (uint64_t)(p->num_fresh - equal) * (p->num_old - equal) <= MAX_ALIKE)
            pair_alike(p);
        for (uint32_t i = 0; i < p->num_fresh; i++)
            tm_buffer_release(&p->fresh[i].lines.sums);
        for (uint32_t i = 0; i < p->num_old; i++)
            tm_buffer_release(&p->old[i]->lines.sums);
    }
    for (uint32_t i = 0, k = 0; i < p->num_fresh && status == TM_OK; i++) { /* in order */
        while (k < p->num_old && p->old[k]->done)
            k++;
        if (k < p->num_old && !p->fresh[i].done)
            pair(p, &p->fresh[i], p->old[k]);
    }
    return status;
}

/* --------------------------------------------------------------------------------------------------- list */

/*
 * Gathers the old objects of a name that are not paired. Names are sorted, so those that begin with the name
 * are neighbours. Of names that only differ in case, the first is used, as some file systems ignore case.
 */
static uint32_t gather(one **target, one *old, uint32_t num, const char *name)
{
    uint32_t count = 0, first = 0, high = num; /* `first`: of the old names that are not less */
    const size_t size = strlen(name);
    char begin[TMI_ID_SIZE];
    while (first < high) {
        const uint32_t middle = first + (high - first) / 2;
        if (tmi_compare_folded(old[middle].name, name) < 0)
            first = middle + 1;
        else
            high = middle;
    }
    for (uint32_t i = first; i < num; i++) {
        tmi_format(begin, sizeof(begin), "%.*s", (int)size, old[i].name);
        if (tmi_compare_folded(begin, name) != 0)
            break;
        const bool again = i && tmi_compare_folded(old[i - 1].name, old[i].name) == 0;
        /* Names have one of two forms when they are given: nothing or a number stands behind. */
        const char *rest = old[i].name + size;
        const bool number = rest[0] == '-' && rest[1] >= '1' && rest[1] <= '9' &&
                            rest[1 + strspn(rest + 1, "0123456789")] == '\0';
        if (strlen(old[i].name) < TMI_ID_SIZE && (!*rest || number) && !old[i].done && !again)
            target[count++] = &old[i];
    }
    return count;
}

static int by_index(const void *a, const void *b)
{
    const one *x = *(one *const *)a, *y = *(one *const *)b;
    return x->index < y->index ? -1 : x->index > y->index;
}

static one one_of(const tmi_naming *naming, const char *name, uint32_t index)
{
    return (one){.name = name, .index = index, .lines.sums.allocator = naming->before->allocator};
}

tm_status tmi_names_recall(const tmi_naming *naming, const char *const *wanted, const char **out,
                           uint32_t num)
{
    char path[TMI_PATH_SIZE];
    pairing p = {.naming = naming, .out = out};
    tmi_name_list list;
    tmi_list_path(path, naming->names, naming->list);
    TM_TRY(tmi_read_list(naming->before, path, false, &list));
    tmi_arena *arena = &naming->before->arena;
    one *fresh;
    TM_TRY(
        tmi_arena_reserve(&fresh, arena, (size_t)num + list.num + 1, sizeof(*fresh), "names", naming->error));
    TM_TRY(tmi_arena_reserve(&p.old, arena, (size_t)list.num + 1, sizeof(*p.old), "names", naming->error));
    one *old = fresh + num;
    for (uint32_t i = 0; i < num; i++)
        fresh[i] = one_of(naming, wanted[i], i);
    for (uint32_t i = 0; i < list.num; i++)
        old[i] = one_of(naming, list.names[i].name, i);
    qsort(fresh, num, sizeof(*fresh), by_name);
    qsort(old, list.num, sizeof(*old), by_name);
    for (uint32_t i = 0, end; i < num; i = end) {
        for (end = i + 1; end < num && tmi_compare_folded(fresh[i].name, fresh[end].name) == 0;)
            end++;
        p.fresh = fresh + i;
        p.num_fresh = end - i;
        p.num_old = gather(p.old, old, list.num, fresh[i].name);
        if (p.num_old == 0)
            continue;
        qsort(p.old, p.num_old, sizeof(*p.old), by_index);
        TM_TRY(pair_all(&p));
    }
    return TM_OK;
}

/* SPDX-License-Identifier: Zlib */
/*
 * Quads, sources, envelope points and server commands that both sides have changed: three lists become one
 * (merge_sequence.c). An element that both changed is merged field by field.
 */
#include "merge_maps.h"

typedef struct list_merge {
    tmi_merge *m;
    const tmi_merge_object *of;
    const tmi_delta *first[2];
    size_t num_deltas[2];
    tm_owner owner;
    size_t size; /* bytes of an element; 0: they are texts */
    uint32_t num[TM_MERGE_MAPS];
    const void **items[TM_MERGE_MAPS]; /* references as in the result */
    int32_t *base_of[2];               /* by place in ours, in theirs */
    bool *moved[2];
    uint32_t *delta[2]; /* from 1; 0: none. By place in the base, then (behind them) in the side's own list */
    uint64_t *keys[2];  /* by place: of what is looked for on the other side; 0: it is not */
    tmi_pairs cross;    /* what both added alike */
    uint32_t num_ids;
    uint32_t *id[2];     /* by place */
    uint32_t *place[2];  /* by id; TMI_NOWHERE: not there */
    bool *gone;          /* by id */
    const void **merged; /* by id: what stands there in the result */
    const void **second; /* another version beside it; NULL: none */
} list_merge;

static size_t item_size(const list_merge *l, const void *item)
{
    return l->size ? l->size : strlen(item) + 1;
}

static bool same_version(const list_merge *l, const void *a, const void *b)
{
    return l->size ? memcmp(a, b, l->size) == 0 : strcmp(a, b) == 0;
}

/* -------------------------------------------------------------------------------------------------- items */

static int32_t reference_of(const list_merge *l, int version, const tm_field *field, int32_t index)
{
    if (version == TM_MERGE_BASE)
        return tmi_merge_base_reference(l->m, field->refers, index);
    return tmi_merge_reference(l->m, version - 1, field->refers, index);
}

static void bring_to_result(const list_merge *l, int version, char *bytes)
{
    size_t num;
    const tm_field *fields = tm_fields(l->owner, &num);
    for (size_t f = 0; f < num; f++) {
        if (fields[f].type != TM_TYPE_REFERENCE || fields[f].flags & TM_FIELD_ALIAS)
            continue;
        for (uint32_t i = 0; i < l->num[version]; i++) {
            int32_t index;
            char *at = bytes + i * l->size + fields[f].offset;
            memcpy(&index, at, sizeof(index));
            index = reference_of(l, version, &fields[f], index);
            memcpy(at, &index, sizeof(index));
        }
    }
}

static tm_status open_elements(list_merge *l, int version)
{
    const void *object = version == TM_MERGE_BASE ? l->of->base : l->of->side[version - 1];
    const tm_map *map = version == TM_MERGE_BASE ? l->m->base : l->m->in[version - 1];
    tmi_borrowed loan = {0};
    char *bytes;
    if (l->owner == TM_OWNER_ENVELOPE_POINT) {
        l->num[version] = ((const tm_envelope *)object)->num_points;
        loan.bytes = ((const tm_envelope *)object)->points;
    } else {
        tm_layer own = *(const tm_layer *)object;
        l->num[version] = tmi_layer_num(&own);
        TM_TRY(tmi_borrowed_open(&loan, map, *tmi_layer_elements(&own), l->m->error));
    }
    tm_status status = tmi_patch_alloc(l->m->here, &bytes, l->num[version], l->size, l->m->error);
    if (status == TM_OK && l->num[version])
        memcpy(bytes, loan.bytes, l->num[version] * l->size);
    if (l->owner != TM_OWNER_ENVELOPE_POINT)
        tmi_borrowed_close(&loan);
    if (status != TM_OK)
        return status;
    bring_to_result(l, version, bytes);
    TM_TRY(tmi_patch_alloc(l->m->here, &l->items[version], l->num[version], sizeof(void *), l->m->error));
    for (uint32_t i = 0; i < l->num[version]; i++)
        l->items[version][i] = bytes + i * l->size;
    return TM_OK;
}

static tm_status open_commands(list_merge *l, int version)
{
    const tm_info *info = version == TM_MERGE_BASE ? &l->m->base->info : &l->m->in[version - 1]->info;
    l->num[version] = info->num_settings;
    TM_TRY(tmi_patch_alloc(l->m->here, &l->items[version], l->num[version], sizeof(void *), l->m->error));
    for (uint32_t i = 0; i < l->num[version]; i++)
        l->items[version][i] = info->settings[i] ? info->settings[i] : "";
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- matching */

/* What the changes do not speak of stands in its old order between what they do. */
static tm_status match_side(list_merge *l, int side)
{
    const uint32_t num_base = l->num[TM_MERGE_BASE], num = l->num[side + 1];
    tm_error *error = l->m->error;
    bool *seen[2];
    TM_TRY(tmi_patch_alloc(l->m->here, &seen[TMI_BEFORE], num_base, sizeof(bool), error));
    TM_TRY(tmi_patch_alloc(l->m->here, &seen[TMI_AFTER], num, sizeof(bool), error));
    TM_TRY(tmi_patch_alloc(l->m->here, &l->base_of[side], num, sizeof(int32_t), error));
    TM_TRY(tmi_patch_alloc(l->m->here, &l->moved[side], num, sizeof(bool), error));
    TM_TRY(tmi_patch_alloc(l->m->here, &l->keys[side], num, sizeof(uint64_t), error));
    TM_TRY(tmi_patch_alloc(l->m->here, &l->delta[side], (size_t)num_base + num, sizeof(uint32_t), error));
    for (size_t i = 0; i < l->num_deltas[side]; i++) {
        const tmi_delta *delta = &l->first[side][i];
        const uint32_t before = delta->bytes[TMI_BEFORE] ? delta->at[TMI_BEFORE] : TMI_NOWHERE;
        const uint32_t after = delta->bytes[TMI_AFTER] ? delta->at[TMI_AFTER] : TMI_NOWHERE;
        if (before != TMI_NOWHERE) {
            seen[TMI_BEFORE][before] = true;
            l->delta[side][before] = (uint32_t)i + 1;
        }
        if (after == TMI_NOWHERE)
            continue;
        seen[TMI_AFTER][after] = true;
        l->moved[side][after] = delta->moved;
        l->base_of[side][after] = before == TMI_NOWHERE ? TM_NONE : (int32_t)before;
        l->delta[side][num_base + after] = (uint32_t)i + 1;
    }
    for (uint32_t b = 0, i = 0; i < num; i++) {
        if (seen[TMI_AFTER][i])
            continue;
        while (b < num_base && seen[TMI_BEFORE][b])
            b++;
        l->base_of[side][i] = b < num_base ? (int32_t)b++ : TM_NONE;
    }
    return TM_OK;
}

static tm_status find_added_twins(list_merge *l)
{
    const tm_allocator *allocator = tmi_patch_allocator(l->m->here);
    TM_TRY(tmi_pairs_new(&l->cross, l->num[TM_MERGE_OURS], l->num[TM_MERGE_THEIRS], allocator, l->m->error));
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < l->num[side + 1]; i++)
            if (l->base_of[side][i] == TM_NONE)
                l->keys[side][i] =
                    tmi_hash(TMI_HASH, l->items[side + 1][i], item_size(l, l->items[side + 1][i])) | 1;
    }
    TM_TRY(tmi_pair_keys(&l->cross, l->keys, TMI_KEY_NTH, allocator, l->m->error));
    for (uint32_t i = 0; i < l->num[TM_MERGE_OURS]; i++) {
        const int32_t other = l->cross.other[TMI_OURS][i];
        if (other != TM_NONE &&
            !same_version(l, l->items[TM_MERGE_OURS][i], l->items[TM_MERGE_THEIRS][other]))
            l->cross.other[TMI_OURS][i] = l->cross.other[TMI_THEIRS][other] = TM_NONE;
    }
    return TM_OK;
}

static void number_items(list_merge *l, int side)
{
    for (uint32_t i = 0; i < l->num[side + 1]; i++) {
        const int32_t from = l->base_of[side][i];
        const int32_t twin = side == TMI_THEIRS ? l->cross.other[TMI_THEIRS][i] : TM_NONE;
        l->id[side][i] = from != TM_NONE   ? (uint32_t)from
                         : twin != TM_NONE ? l->id[TMI_OURS][twin]
                                           : l->num_ids++;
    }
}

static tm_status give_list_ids(list_merge *l)
{
    const size_t most = (size_t)l->num[TM_MERGE_BASE] + l->num[TM_MERGE_OURS] + l->num[TM_MERGE_THEIRS];
    tm_error *error = l->m->error;
    if (most > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many elements to be merged");
    l->num_ids = l->num[TM_MERGE_BASE];
    for (int side = 0; side < 2; side++) {
        TM_TRY(tmi_patch_alloc(l->m->here, &l->id[side], l->num[side + 1], sizeof(uint32_t), error));
        number_items(l, side);
    }
    TM_TRY(tmi_patch_alloc(l->m->here, &l->gone, l->num_ids, sizeof(bool), error));
    TM_TRY(tmi_patch_alloc(l->m->here, &l->merged, l->num_ids, sizeof(void *), error));
    TM_TRY(tmi_patch_alloc(l->m->here, &l->second, l->num_ids, sizeof(void *), error));
    for (int side = 0; side < 2; side++) {
        TM_TRY(tmi_patch_alloc(l->m->here, &l->place[side], l->num_ids, sizeof(uint32_t), error));
        for (uint32_t id = 0; id < l->num_ids; id++)
            l->place[side][id] = TMI_NOWHERE;
        for (uint32_t i = 0; i < l->num[side + 1]; i++) {
            l->place[side][l->id[side][i]] = i;
            l->merged[l->id[side][i]] = l->items[side + 1][i];
        }
    }
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- conflicts */

static const tmi_delta *delta_of(const list_merge *l, int side, uint32_t id)
{
    const uint32_t num_base = l->num[TM_MERGE_BASE], place = l->place[side][id];
    uint32_t delta = 0;
    if (id < num_base || place != TMI_NOWHERE)
        delta = l->delta[side][id < num_base ? id : num_base + place];
    return delta ? &l->first[side][delta - 1] : NULL;
}

/* ids of ours and theirs are those of one element, but for commands that both added. */
static tm_status tell_item(list_merge *l, uint32_t ours, uint32_t theirs, tm_resolution take)
{
    const uint32_t place[TM_MERGE_MAPS] = {ours < l->num[TM_MERGE_BASE] ? ours : TMI_NOWHERE,
                                           l->place[TMI_OURS][ours], l->place[TMI_THEIRS][theirs]};
    tmi_conflict *conflict;
    TM_TRY(tmi_conflict_add(l->m, &conflict, l->size ? TM_CONFLICT_ELEMENT : TM_CONFLICT_SETTING, l->of->list,
                            l->of->id, take));
    conflict->shown.owner = l->owner;
    for (int version = 0; version < TM_MERGE_MAPS; version++)
        TM_TRY(tmi_conflict_element(l->m, conflict, (tm_merge_map)version, place[version],
                                    place[version] == TMI_NOWHERE ? NULL : l->items[version][place[version]],
                                    l->size));
    return TM_OK;
}

/* An element field by field; *whole: some field could not be merged. */
static void merge_fields(const list_merge *l, char *out, const char *base, const char *ours,
                         const char *theirs, bool *conflict)
{
    size_t num;
    const tm_field *fields = tm_fields(l->owner, &num);
    memcpy(out, ours, l->size);
    for (size_t f = 0; f < num; f++) {
        const size_t at = fields[f].offset, size = fields[f].size * fields[f].num_values;
        if (fields[f].flags & TM_FIELD_ALIAS || memcmp(base + at, theirs + at, size) == 0 ||
            memcmp(ours + at, theirs + at, size) == 0)
            continue;
        *conflict = *conflict || memcmp(base + at, ours + at, size) != 0;
        memcpy(out + at, theirs + at, size);
    }
}

static tm_status settle_item(list_merge *l, uint32_t id)
{
    const void *ours = l->items[TM_MERGE_OURS][l->place[TMI_OURS][id]];
    const void *theirs = l->items[TM_MERGE_THEIRS][l->place[TMI_THEIRS][id]];
    const tm_resolution take = tmi_merge_take(l->m, delta_of(l, TMI_OURS, id), delta_of(l, TMI_THEIRS, id));
    TM_TRY(tell_item(l, id, id, take));
    l->merged[id] = take == TM_RESOLUTION_THEIRS ? theirs : ours;
    if (take != TM_RESOLUTION_BOTH)
        return TM_OK;
    const bool first = l->size ? memcmp(ours, theirs, l->size) < 0 : strcmp(ours, theirs) < 0;
    l->merged[id] = first ? ours : theirs;
    l->second[id] = first ? theirs : ours;
    return TM_OK;
}

/* Both have it; it is one of the base. */
static tm_status merge_item(list_merge *l, uint32_t id)
{
    const void *base = l->items[TM_MERGE_BASE][id];
    const void *ours = l->items[TM_MERGE_OURS][l->place[TMI_OURS][id]];
    const void *theirs = l->items[TM_MERGE_THEIRS][l->place[TMI_THEIRS][id]];
    bool conflict = false;
    l->merged[id] = ours;
    if (same_version(l, ours, theirs) || same_version(l, base, theirs))
        return TM_OK;
    if (same_version(l, base, ours)) {
        l->merged[id] = theirs;
        return TM_OK;
    }
    if (!l->size)
        return settle_item(l, id);
    char *own;
    TM_TRY(tmi_patch_alloc(l->m->here, &own, l->size, 1, l->m->error));
    merge_fields(l, own, base, ours, theirs, &conflict);
    l->merged[id] = own;
    return conflict ? settle_item(l, id) : TM_OK;
}

/* One side removed it. */
static tm_status remove_item(list_merge *l, uint32_t id)
{
    const int remover = l->place[TMI_OURS][id] == TMI_NOWHERE ? TMI_OURS : TMI_THEIRS;
    const void *other = l->items[2 - remover][l->place[!remover][id]];
    l->gone[id] = true;
    l->merged[id] = other;
    if (same_version(l, l->items[TM_MERGE_BASE][id], other))
        return TM_OK;
    const tm_resolution take = tmi_merge_take(l->m, delta_of(l, TMI_OURS, id), delta_of(l, TMI_THEIRS, id));
    l->gone[id] = take == (remover == TMI_OURS ? TM_RESOLUTION_OURS : TM_RESOLUTION_THEIRS);
    return tell_item(l, id, id, take);
}

static tm_status merge_items(list_merge *l)
{
    for (uint32_t id = 0; id < l->num[TM_MERGE_BASE]; id++) {
        const bool ours = l->place[TMI_OURS][id] != TMI_NOWHERE,
                   theirs = l->place[TMI_THEIRS][id] != TMI_NOWHERE;
        if (ours && theirs)
            TM_TRY(merge_item(l, id));
        else if (ours || theirs)
            TM_TRY(remove_item(l, id));
        else
            l->gone[id] = true;
    }
    return TM_OK;
}

/* --------------------------------------------------------------------------------------- commands twice */

/* How much of a command says what it is about: the variable of "sv_...", the parameter of a tuning. */
static size_t command_key(const char *text)
{
    static const struct {
        const char *word;
        int num; /* of words that make the key */
    } rows[] = {{"sv_", 1}, {"tune", 2}, {"tune_zone", 3}};
    const size_t first = strcspn(text, " ");
    int words = 0;
    for (size_t i = 0; i < TMI_COUNT_OF(rows); i++) {
        const size_t size = strlen(rows[i].word);
        const bool prefix = rows[i].word[size - 1] == '_';
        if (strncmp(text, rows[i].word, size) == 0 && (prefix ? first > size : first == size))
            words = rows[i].num;
    }
    size_t at = 0;
    for (; words > 0; words--) {
        at += strspn(text + at, " ");
        at += strcspn(text + at, " ");
    }
    return text[at] ? at : 0;
}

static tm_status settle_double(list_merge *l, uint32_t ours, uint32_t theirs)
{
    const tm_resolution take =
        tmi_merge_take(l->m, delta_of(l, TMI_OURS, ours), delta_of(l, TMI_THEIRS, theirs));
    if (take == TM_RESOLUTION_THEIRS)
        l->gone[ours] = true;
    else if (take != TM_RESOLUTION_BOTH)
        l->gone[theirs] = true;
    return tell_item(l, ours, theirs, take);
}

/* Both added a command that sets one thing, to different values. */
static tm_status find_double_commands(list_merge *l)
{
    tmi_pairs pairs = {{0, 0}, {NULL, NULL}};
    const tm_allocator *allocator = tmi_patch_allocator(l->m->here);
    TM_TRY(tmi_pairs_new(&pairs, l->num[TM_MERGE_OURS], l->num[TM_MERGE_THEIRS], allocator, l->m->error));
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < l->num[side + 1]; i++) {
            const char *text = l->items[side + 1][i];
            const size_t size = command_key(text);
            const bool added = l->base_of[side][i] == TM_NONE && l->cross.other[side][i] == TM_NONE;
            l->keys[side][i] = added && size ? tmi_hash(TMI_HASH, text, size) | 1 : 0;
        }
    }
    tm_status status = tmi_pair_keys(&pairs, l->keys, TMI_KEY_NTH, allocator, l->m->error);
    for (uint32_t i = 0; status == TM_OK && i < pairs.num[TMI_OURS]; i++)
        if (pairs.other[TMI_OURS][i] != TM_NONE)
            status = settle_double(l, l->id[TMI_OURS][i], l->id[TMI_THEIRS][pairs.other[TMI_OURS][i]]);
    tmi_pairs_free(&pairs, allocator);
    return status;
}

/* --------------------------------------------------------------------------------------------- one list */

static tm_status take_version(list_merge *l, tmi_sequence *line, int version)
{
    uint32_t *ids;
    bool *moved;
    TM_TRY(tmi_patch_alloc(l->m->here, &ids, l->num[version], sizeof(*ids), l->m->error));
    TM_TRY(tmi_patch_alloc(l->m->here, &moved, l->num[version], sizeof(*moved), l->m->error));
    for (uint32_t i = 0; i < l->num[version]; i++) {
        const uint32_t id = version == TM_MERGE_BASE ? i : l->id[version - 1][i];
        if (l->gone[id])
            continue;
        moved[line->num[version]] = version != TM_MERGE_BASE && l->moved[version - 1][i];
        ids[line->num[version]++] = id;
    }
    line->ids[version] = ids;
    if (version != TM_MERGE_BASE)
        line->moved[version - 1] = moved;
    return TM_OK;
}

static tmi_order_key key_of_item(const list_merge *l, const void *item)
{
    if (!l->size)
        return (tmi_order_key){0, item, 0};
    const uint64_t hash = tmi_hash(TMI_HASH, item, l->size);
    if (l->owner != TM_OWNER_ENVELOPE_POINT)
        return (tmi_order_key){0, NULL, hash};
    tm_envelope_point point;
    memcpy(&point, item, sizeof(point));
    return (tmi_order_key){point.time, NULL, hash};
}

static tm_status line_up_items(list_merge *l, tmi_sequence *line)
{
    tmi_order_key *keys;
    tm_error *error = l->m->error;
    *line = (tmi_sequence){.by_key = l->owner == TM_OWNER_ENVELOPE_POINT};
    TM_TRY(tmi_patch_alloc(l->m->here, &keys, l->num_ids, sizeof(*keys), error));
    TM_TRY(tmi_patch_alloc(l->m->here, &line->out, l->num_ids, sizeof(*line->out), error));
    TM_TRY(tmi_line_items_new(&line->items, l->num_ids, l->m->here, error));
    for (uint32_t id = 0; id < l->num_ids; id++)
        if (!l->gone[id])
            keys[id] = key_of_item(l, l->merged[id]);
    line->keys = keys;
    for (int version = 0; version < TM_MERGE_MAPS; version++)
        TM_TRY(take_version(l, line, version));
    return tmi_merge_sequence(line, l->m->here, error);
}

/* Points of both sides may have been moved past each other; games want them in order of time. */
static void sort_by_time(tm_envelope_point *points, uint32_t num)
{
    for (uint32_t gap = num / 2; gap > 0; gap /= 2) {
        for (uint32_t i = gap; i < num; i++) {
            const tm_envelope_point moving = points[i];
            uint32_t j = i;
            for (; j >= gap && points[j - gap].time > moving.time; j -= gap)
                points[j] = points[j - gap];
            points[j] = moving;
        }
    }
}

static bool in_time(const void *const *items, uint32_t num)
{
    for (uint32_t i = 1; i < num; i++)
        if (((const tm_envelope_point *)items[i])->time < ((const tm_envelope_point *)items[i - 1])->time)
            return false;
    return true;
}

static tm_status put_merged_elements(list_merge *l, const void *const *items, uint32_t num)
{
    char *bytes;
    TM_TRY(tmi_patch_alloc(l->m->here, &bytes, num, l->size, l->m->error));
    for (uint32_t i = 0; i < num; i++)
        memcpy(bytes + i * l->size, items[i], l->size);
    if (l->owner != TM_OWNER_ENVELOPE_POINT)
        return tmi_layer_put_elements(l->m->map, l->of->merged, bytes, num, l->m->error);
    if (!in_time(items, num) && in_time(l->items[TM_MERGE_OURS], l->num[TM_MERGE_OURS]) &&
        in_time(l->items[TM_MERGE_THEIRS], l->num[TM_MERGE_THEIRS]))
        sort_by_time((tm_envelope_point *)(void *)bytes, num);
    return tm_map_set_points(l->m->map, (uint32_t)((tm_envelope *)l->of->merged - l->m->map->envelopes),
                             (const tm_envelope_point *)(const void *)bytes, num, l->m->error);
}

static tm_status put_merged(list_merge *l, const tmi_sequence *line)
{
    const void **items;
    uint32_t num = 0;
    TM_TRY(tmi_patch_alloc(l->m->here, &items, (size_t)line->num_out * 2, sizeof(*items), l->m->error));
    for (uint32_t i = 0; i < line->num_out; i++) {
        items[num++] = l->merged[line->out[i]];
        if (l->second[line->out[i]])
            items[num++] = l->second[line->out[i]];
    }
    if (l->size)
        return put_merged_elements(l, items, num);
    return tm_map_set_settings(l->m->map, (const char *const *)items, num, l->m->error);
}

static tm_status merge_all(list_merge *l)
{
    tmi_sequence line;
    for (int version = 0; version < TM_MERGE_MAPS; version++)
        TM_TRY((l->size ? open_elements : open_commands)(l, version));
    for (int side = 0; side < 2; side++)
        TM_TRY(match_side(l, side));
    TM_TRY(find_added_twins(l));
    TM_TRY(give_list_ids(l));
    TM_TRY(merge_items(l));
    if (!l->size)
        TM_TRY(find_double_commands(l));
    TM_TRY(line_up_items(l, &line));
    return put_merged(l, &line);
}

tm_status tmi_merge_lists(tmi_merge *m, const tmi_merge_object *of, const tmi_delta *const first[2],
                          const size_t num[2])
{
    list_merge l = {.m = m, .of = of, .first = {first[0], first[1]}, .num_deltas = {num[0], num[1]}};
    l.owner = first[0]->owner;
    l.size = first[0]->type == TMI_DELTA_ELEMENT ? tm_owner_size(l.owner) : 0;
    const tm_status status = merge_all(&l);
    tmi_pairs_free(&l.cross, tmi_patch_allocator(m->here));
    return status;
}

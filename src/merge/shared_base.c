/* SPDX-License-Identifier: Zlib */
/*
 * Makes a base for two maps without a known one. It contains what both maps have in common, and is blank
 * where they differ: fields have the values of new objects, tiles are air, and objects and elements that
 * only one map has are missing. In a merge with this base, additions of either side are kept, and different
 * versions of one thing are a conflict.
 *
 * The base is made from ours by a patch: that from ours to theirs, with its new values made blank.
 */
#include "merge.h"

/* ------------------------------------------------------------------------------- blanks by kind of change */

static void leave_out_element(tmi_delta *delta)
{
    delta->at[TMI_AFTER] = TMI_NOWHERE;
    delta->bytes[TMI_AFTER] = NULL;
    delta->moved = false;
}

/* Whether both sides have the element, and differ. *keep: the base does not have that of ours. */
static bool is_on_both_sides(bool *keep, const tmi_delta *delta, size_t size)
{
    const void *const *bytes = delta->bytes;
    const bool both = bytes[TMI_BEFORE] && bytes[TMI_AFTER];
    const bool same = both && memcmp(bytes[TMI_BEFORE], bytes[TMI_AFTER], size) == 0;
    *keep = bytes[TMI_BEFORE] && !same;
    return both && !same;
}

/* Counts equal values of two elements, and all values; makes different ones blank in `blank`, if given. */
static uint32_t blank_values(uint32_t *num_values, tm_kind owner, const char *ours, const char *theirs,
                             char *blank)
{
    const int32_t none = TM_NONE;
    uint32_t same = 0;
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    *num_values = 0;
    for (size_t f = 0; f < num; f++) {
        const tm_field *field = &fields[f];
        for (uint32_t i = 0; i < field->num_values && !(field->flags & TM_FIELD_ALIAS); i++, ++*num_values) {
            const size_t at = field->offset + i * field->size;
            const bool equal = memcmp(ours + at, theirs + at, field->size) == 0;
            same += equal;
            if (blank && !equal && field->type == TM_TYPE_REFERENCE)
                memcpy(blank + at, &none, sizeof(none));
            else if (blank && !equal)
                memset(blank + at, 0, field->size);
        }
    }
    return same;
}

/* Two elements are versions of one if at least half of their values are equal. */
static tm_status blank_element(bool *keep, tm_patch *patch, tmi_delta *delta, tm_error *error)
{
    const char *ours = delta->bytes[TMI_BEFORE], *theirs = delta->bytes[TMI_AFTER];
    const size_t size = tm_kind_size(delta->owner);
    uint32_t all;
    char *blank;
    if (!is_on_both_sides(keep, delta, size))
        return TM_OK;
    const bool other_time = delta->owner == TM_KIND_ENVELOPE_POINT &&
                            memcmp(ours + offsetof(tm_envelope_point, time),
                                   theirs + offsetof(tm_envelope_point, time), sizeof(int32_t)) != 0;
    if (other_time || blank_values(&all, delta->owner, ours, theirs, NULL) * 2 < all) {
        leave_out_element(delta);
        return TM_OK;
    }
    TM_TRY(tmi_patch_copy(patch, &blank, ours, size, error));
    blank_values(&all, delta->owner, ours, theirs, blank);
    delta->bytes[TMI_AFTER] = blank;
    delta->moved = false;
    return TM_OK;
}

/* The base has the tiles or pixels that both sides have, and zeros where these differ. */
static void blank_grid(tmi_grid *grid)
{
    const tm_rect ours = tmi_grid_rect(grid, TMI_BEFORE), theirs = tmi_grid_rect(grid, TMI_AFTER);
    const tm_rect common = tmi_rect_common(&ours, &theirs), kept = tmi_rect_is_empty(&common) ? ours : common;
    grid->width[TMI_AFTER] = kept.width;
    grid->height[TMI_AFTER] = kept.height;
    grid->dx = -kept.x;
    grid->dy = -kept.y;
    if (grid->num)
        memset(grid->bytes[TMI_AFTER], 0, (size_t)(grid->num * grid->size));
}

/* Turns a change from ours to theirs into one from ours to the base. *keep false: the base is like ours. */
static tm_status make_blank(bool *keep, tm_patch *patch, tmi_delta *delta, tm_error *error)
{
    const char *ours = delta->bytes[TMI_BEFORE], *theirs = delta->bytes[TMI_AFTER];
    const bool texts = delta->type == TMI_DELTA_SETTING && ours && theirs;
    switch (delta->type) {
    case TMI_DELTA_OBJECT: *keep = delta->number[TMI_AFTER] == TMI_NOWHERE; break;
    case TMI_DELTA_FIELD:
        *keep = !tmi_delta_is_unread(delta); /* blank_unread made it */
        delta->value[TMI_AFTER] = tm_field_initial(delta->field);
        break;
    case TMI_DELTA_SETTING:
        if (is_on_both_sides(keep, delta,
                             texts ? (strlen(ours) < strlen(theirs) ? strlen(ours) : strlen(theirs)) + 1 : 0))
            leave_out_element(delta);
        break;
    case TMI_DELTA_ELEMENT: return blank_element(keep, patch, delta, error);
    case TMI_DELTA_GRID: blank_grid(delta->grid); break;
    /* objects of which both sides have data are not in the base; see part_objects */
    case TMI_DELTA_DATA: *keep = !delta->block[TMI_AFTER]; break;
    }
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- the whole */

/* What a side could not read is not in the base, so that neither side can be taken for unchanged. */
static tm_status blank_unread(tm_map *base, const tm_patch *patch, tm_error *error)
{
    for (size_t i = 0; i < patch->num; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        tm_kind owner;
        if (!tmi_delta_is_unread(delta))
            continue;
        const tm_address address =
            delta->list == TM_KIND_MAP
                ? (tm_address){.kind = TM_KIND_INFO}
                : tmi_side_address(&patch->match.side[TMI_BEFORE], delta->list, delta->number[TMI_BEFORE]);
        void *object = tmi_map_object_edit(base, &address, &owner);
        TM_TRY(tm_field_drop_unread(base, object, delta->field, error));
        if (delta->field->type == TM_TYPE_TEXTS)
            TM_TRY(tm_map_set_settings(base, NULL, 0, error));
        else
            TM_TRY(tm_map_set_text(base, (const char **)(void *)((char *)object + delta->field->offset), NULL,
                                   error));
    }
    return TM_OK;
}

static tm_status blank_changes(tm_patch *patch, tm_error *error)
{
    size_t num = 0;
    tm_status status = TM_OK;
    for (size_t i = 0; i < patch->num; i++) {
        tmi_delta *delta = &patch->deltas[i];
        const bool file = delta->list == TM_KIND_IMAGE || delta->list == TM_KIND_SOUND;
        const tmi_delta *data = NULL; /* of the same image or sound: with it, all fields follow one side */
        for (size_t k = 0; file && delta->type == TMI_DELTA_FIELD && k < patch->num && !data; k++) {
            const tmi_delta *other = &patch->deltas[k];
            if (other->type == TMI_DELTA_DATA && other->list == delta->list &&
                other->number[TMI_BEFORE] == delta->number[TMI_BEFORE])
                data = other;
        }
        bool keep = !data || !data->block[TMI_AFTER];
        if (!status && !data)
            status = make_blank(&keep, patch, delta, error);
        if (!keep)
            tmi_delta_release(patch, delta);
        else
            patch->deltas[num++] = *delta;
    }
    patch->num = num;
    return status;
}

/* Whether an object differs in more than its fields. */
static bool content_differs(const tm_patch *patch, tm_kind list, uint32_t number)
{
    for (size_t i = 0; i < patch->num; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        if (delta->type != TMI_DELTA_FIELD && delta->type != TMI_DELTA_OBJECT && delta->list == list &&
            delta->number[TMI_BEFORE] == number)
            return true;
    }
    return false;
}

static bool labels_physics(const tm_patch *patch, uint32_t number)
{
    const tmi_label *label = &patch->match.side[TMI_BEFORE].labels[TM_KIND_LAYER][number];
    return tm_game_layer((tm_layer_kind)label->kind)->is_physics;
}

/* Whether two groups have a common layer, which is known by more than its position. */
static bool shares_layers(const tm_patch *patch, uint32_t group)
{
    tmi_span span;
    if (!tmi_span_of_group(&span, &patch->match, group))
        return false;
    for (uint32_t i = span.first[TMI_BEFORE]; i < span.end[TMI_BEFORE]; i++) {
        const int64_t other = patch->match.pairs[TM_KIND_LAYER].other[TMI_BEFORE][i];
        const char *name = patch->match.side[TMI_BEFORE].labels[TM_KIND_LAYER][i].name;
        if (other >= span.first[TMI_AFTER] && other < span.end[TMI_AFTER] &&
            ((name && *name) || labels_physics(patch, i) || !content_differs(patch, TM_KIND_LAYER, i)))
            return true;
    }
    return false;
}

/* Whether paired objects are two: names and contents differ. Physics layers of one kind are always one. */
static bool is_two_names(const tm_patch *patch, const tm_map *base, const tmi_delta *delta)
{
    const uint32_t number = delta->number[TMI_BEFORE];
    const char *ours = delta->value[TMI_BEFORE].as.text, *theirs = delta->value[TMI_AFTER].as.text;
    if (delta->type != TMI_DELTA_FIELD || delta->list == TM_KIND_MAP ||
        strcmp(delta->field->name, "name") != 0 || !ours || !*ours || !theirs || !*theirs)
        return false;
    if (delta->list == TM_KIND_GROUP)
        return !shares_layers(patch, number);
    if (delta->list == TM_KIND_IMAGE && !base->images[number].pixels)
        return true;
    return content_differs(patch, delta->list, number) &&
           !(delta->list == TM_KIND_LAYER && labels_physics(patch, number));
}

/* Removes paired objects that are two from the base. *parted: there were some, so indices have changed. */
static tm_status part_objects(bool *parted, tm_map *base, tm_patch *patch, tm_error *error)
{
    const tmi_side *side = &patch->match.side[TMI_BEFORE];
    bool *two[TMI_LISTS];
    *parted = false;
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++)
        TM_TRY(tmi_patch_alloc(patch, &two[list], side->num[list], sizeof(bool), error));
    for (size_t i = 0; i < patch->num; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        const bool file = delta->list == TM_KIND_IMAGE || delta->list == TM_KIND_SOUND;
        /* data that differ and cannot be merged */
        const bool two_data = delta->type == TMI_DELTA_DATA && delta->block[TMI_BEFORE] &&
                              delta->block[TMI_AFTER] && (file || delta->field->flags & TM_FIELD_ELEMENTS);
        if (two_data || is_two_names(patch, base, delta))
            *parted = two[delta->list][delta->number[TMI_BEFORE]] = true;
    }
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++)
        for (uint32_t number = side->num[list]; number-- > 0;) {
            const tm_address address = tmi_side_address(side, list, number);
            if (!two[list][number])
                continue;
            TM_TRY(list == TM_KIND_LAYER ? tm_map_remove_layer(base, address.index, address.layer, error)
                                         : tm_map_remove(base, list, address.index, error));
        }
    return TM_OK;
}

tm_status tmi_merge_shared_base(tm_map **out, const tm_map *ours, const tm_map *theirs,
                                const tm_patch_options *patch_options, tm_error *error)
{
    tm_apply_options options = TM_APPLY_OPTIONS_INIT;
    tm_map *base;
    bool again = true;
    *out = NULL;
    options.partial = true;
    TM_TRY(tm_map_clone(&base, ours, error));
    tm_map_set_cancel(base, ours->priv->cancel);
    tm_status status = TM_OK;
    while (again && status == TM_OK) { /* each round has fewer objects */
        tm_patch *patch;
        status = tm_patch_make(&patch, base, theirs, patch_options, error);
        status = status ? status : part_objects(&again, base, patch, error);
        if (!status && !again)
            status = blank_unread(base, patch, error);
        if (!status && !again)
            status = blank_changes(patch, error);
        if (!status && !again)
            status = tm_patch_apply(base, patch, &options, NULL, error);
        tm_patch_free(patch);
    }
    if (status == TM_OK)
        *out = base;
    else
        tm_map_free(base);
    return status;
}

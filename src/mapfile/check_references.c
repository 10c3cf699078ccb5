/* SPDX-License-Identifier: Zlib */
/*
 * References to envelopes: inside the packed data of quads and sound sources, where loading does not look,
 * and of all layers whether the envelope is of the kind that is meant. What a struct refers to is in the
 * table of fields.
 */
#include "mapfile.h"

#include <teemap/fields.h>

static void note_reference(tmi_bad_references *list, const tm_field *field, uint64_t element, int32_t index)
{
    if (list->num++)
        return;
    list->field = field;
    list->element = element;
    list->index = index;
}

/*
 * Whether an envelope has another kind than the field is made for; one of no kind has a finding of its own.
 */
static bool is_other_kind(const tm_envelope *envelope, const tm_field *field)
{
    const int32_t channels = envelope->channels;
    const bool known =
        channels == TM_ENVELOPE_SOUND || channels == TM_ENVELOPE_POSITION || channels == TM_ENVELOPE_COLOR;
    return known && field->channels != 0 && channels != field->channels;
}

static void judge_reference(tmi_element_references *out, const tm_map *map, const tm_field *field,
                            uint64_t element, int32_t index)
{
    if (index < 0) /* none, whichever number it is */
        return;
    if ((uint32_t)index >= map->num_envelopes)
        note_reference(&out->nowhere, field, element, index);
    else if (is_other_kind(&map->envelopes[index], field))
        note_reference(&out->other_kind, field, element, index);
}

static bool is_envelope_field(const tm_field *field)
{
    return field->type == TM_TYPE_REFERENCE && field->refers == TM_OBJECT_ENVELOPE;
}

void tmi_judge_element_references(tmi_element_references *out, const tm_map *map, const tm_layer *layer,
                                  const uint8_t *bytes, uint64_t size)
{
    const tm_owner owner = tm_owner_of_elements(layer->kind);
    const size_t element = tm_owner_size(owner);
    size_t num_fields;
    const tm_field *fields = tm_fields(&num_fields, owner);
    const uint64_t num = element ? size / element : 0;
    for (size_t f = 0; f < num_fields; f++) {
        if (!is_envelope_field(&fields[f]))
            continue;
        for (uint64_t i = 0; i < num && i < tmi_layer_num(layer); i++)
            judge_reference(out, map, &fields[f], i, tmi_get_i32(bytes + i * element + fields[f].offset));
    }
}

static const char *kind_of_envelope(int32_t channels)
{
    return channels == TM_ENVELOPE_SOUND      ? "sound"
           : channels == TM_ENVELOPE_POSITION ? "positions"
                                              : "colors";
}

static void find_references(tmi_item_io *io, tm_finding_id id, const tmi_bad_references *list,
                            const char *element)
{
    char who[48] = "", why[64], more[40] = "";
    if (list->num == 0)
        return;
    if (element)
        tmi_format(who, sizeof(who), "%s %llu: ", element, (unsigned long long)list->element);
    if (list->num > 1)
        tmi_format(more, sizeof(more), "; %llu more like this", (unsigned long long)list->num - 1);
    if (id == TM_FINDING_ENVELOPE_KIND)
        tmi_format(why, sizeof(why), "which is for %s, not for %s",
                   kind_of_envelope(io->map->envelopes[list->index].channels),
                   kind_of_envelope(list->field->channels));
    else
        tmi_format(why, sizeof(why), "there are %u", io->map->num_envelopes);
    tmi_io_find(io, id, "%s%s is envelope %d, %s%s", who, list->field->name, list->index, why, more);
}

void tmi_find_element_references(tmi_item_io *io, const tm_layer *layer, const tmi_element_references *found)
{
    const char *element = layer->kind == TM_LAYER_QUADS ? "quad" : "sound source";
    find_references(io, TM_FINDING_BAD_REFERENCE, &found->nowhere, element);
    find_references(io, TM_FINDING_ENVELOPE_KIND, &found->other_kind, element);
}

void tmi_check_layer_references(tmi_item_io *io, const tm_layer *layer)
{
    tmi_element_references found = {.nowhere = {.num = 0}};
    size_t num;
    const tm_field *fields = tm_fields(&num, tm_owner_of_layer(layer->kind));
    for (size_t f = 0; f < num; f++)
        if (is_envelope_field(&fields[f]))
            judge_reference(&found, io->map, &fields[f], 0,
                            (int32_t)tm_field_get(&fields[f], layer, 0).as.number);
    find_references(io, TM_FINDING_ENVELOPE_KIND, &found.other_kind, NULL);
}

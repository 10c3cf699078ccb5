/* SPDX-License-Identifier: Zlib */
/*
 * The names of files in MapDir: a number that says the order, and what of an object's name file systems take.
 * And what MapDir cannot hold, in words.
 */
#include "twmap.h"

enum { MOST_STEM = 150 }; /* bytes that are taken of a name */

/* -------------------------------------------------------------------------------------------------- names */

static bool is_refused(const char *at, size_t step)
{
    const uint8_t first = (uint8_t)at[0];
    const bool control =
        first < 0x20 || first == 0x7f || (step == 2 && first == 0xc2 && (uint8_t)at[1] < 0xa0);
    return control || strchr("/?<>\\:*|\"", first);
}

/* What file systems refuse becomes an underscore, so do dots and spaces at the end, and bytes of no text. */
static void make_stem(char *out, size_t room, const char *name)
{
    size_t size = 0;
    for (size_t step; *name && size < MOST_STEM; name += step) {
        step = tmi_utf8_step(name, strlen(name));
        const bool fine = step && !is_refused(name, step);
        step = step ? step : 1;
        size += tmi_format(out + size, room - size, "%.*s", fine ? (int)step : 1, fine ? name : "_");
    }
    size_t end = size;
    while (end && (out[end - 1] == '.' || out[end - 1] == ' '))
        end--;
    if (end < size)
        tmi_format(out + end, room - end, "_");
    if (tmi_is_device(out))
        tmi_format(out, room, "_");
}

static tm_status name_one(const char **out, tmi_arena *arena, uint32_t index, int width, const char *name,
                          tm_error *error)
{
    char text[TMI_PATH_SIZE / 2];
    const size_t size =
        tmi_format(text, sizeof(text), "%0*u%s", width, (unsigned)index, name && *name ? "_" : "");
    if (name && *name)
        make_stem(text + size, sizeof(text) - size, name);
    char *own = tmi_arena_alloc(arena, strlen(text) + 1, 1);
    if (!own)
        return tmi_fail_memory(error, strlen(text) + 1, "a name");
    memcpy(own, text, strlen(text) + 1);
    *out = own;
    return TM_OK;
}

static bool is_held(const tm_map *map, tm_object kind, uint32_t index)
{
    if (kind == TM_OBJECT_SOUND)
        return map->sounds[index].data;
    const int32_t channels = kind == TM_OBJECT_ENVELOPE ? map->envelopes[index].channels : TM_ENVELOPE_COLOR;
    return channels == TM_ENVELOPE_SOUND || channels == TM_ENVELOPE_POSITION || channels == TM_ENVELOPE_COLOR;
}

static bool is_held_layer(const tm_layer *layer)
{
    return tm_rules_layer(layer->kind)->is_tiles || layer->kind == TM_LAYER_QUADS ||
           layer->kind == TM_LAYER_SOUNDS;
}

static int digits_of_last(uint32_t num)
{
    int digits = 1;
    for (uint32_t last = num ? num - 1 : 0; last >= 10; last /= 10)
        digits++;
    return digits;
}

const char *tmi_twmap_group_name(const tm_group *group)
{
    for (uint32_t l = 0; l < group->num_layers; l++)
        if (tm_rules_layer(group->layers[l].kind)->is_physics)
            return "Game";
    return group->name;
}

static const char *name_of_listed(const tm_map *map, tm_object kind, uint32_t index)
{
    return kind == TM_OBJECT_IMAGE      ? map->images[index].name
           : kind == TM_OBJECT_SOUND    ? map->sounds[index].name
           : kind == TM_OBJECT_ENVELOPE ? map->envelopes[index].name
                                        : tmi_twmap_group_name(&map->groups[index]);
}

static tm_status new_names(const char ***out, tmi_arena *arena, uint32_t num, tm_error *error)
{
    *out = tmi_arena_alloc(arena, (size_t)num + 1, sizeof(**out));
    if (!*out)
        return tmi_fail_memory(error, ((uint64_t)num + 1) * sizeof(**out), "names");
    memset(*out, 0, ((size_t)num + 1) * sizeof(**out));
    return TM_OK;
}

static tm_status name_kind(tmi_names *names, const tm_map *map, tm_object kind, tm_error *error)
{
    uint32_t num = 0, next = 0;
    TM_TRY(new_names(&names->of[kind], &names->arena, names->num[kind], error));
    for (uint32_t i = 0; i < names->num[kind]; i++)
        num += is_held(map, kind, i);
    for (uint32_t i = 0; i < names->num[kind]; i++)
        if (is_held(map, kind, i))
            TM_TRY(name_one(&names->of[kind][i], &names->arena, next++, digits_of_last(num),
                            name_of_listed(map, kind, i), error));
    return TM_OK;
}

/* The name of a physics layer is not held: it is what its kind is called. */
static const char *file_name_of(const tm_layer *layer)
{
    const tm_layer_rule *rule = tm_rules_layer(layer->kind);
    return rule->is_physics ? rule->title : layer->name;
}

static tm_status name_group(tmi_names *names, const tm_map *map, uint32_t group, tm_error *error)
{
    const tm_group *of = &map->groups[group];
    uint32_t num = 0, next = 0;
    TM_TRY(new_names(&names->layers[group], &names->arena, of->num_layers, error));
    for (uint32_t i = 0; i < of->num_layers; i++)
        num += is_held_layer(&of->layers[i]);
    for (uint32_t i = 0; i < of->num_layers; i++)
        if (is_held_layer(&of->layers[i]))
            TM_TRY(name_one(&names->layers[group][i], &names->arena, next++, digits_of_last(num),
                            file_name_of(&of->layers[i]), error));
    return TM_OK;
}

static tm_status name_map(tmi_names *names, const tm_map *map, tm_error *error)
{
    names->num[TM_OBJECT_IMAGE] = map->num_images;
    names->num[TM_OBJECT_SOUND] = map->num_sounds;
    names->num[TM_OBJECT_ENVELOPE] = map->num_envelopes;
    names->num[TM_OBJECT_GROUP] = map->num_groups;
    for (int kind = 0; kind < TMI_LISTS; kind++)
        TM_TRY(name_kind(names, map, (tm_object)kind, error));
    names->layers = tmi_arena_alloc(&names->arena, (size_t)map->num_groups + 1, sizeof(*names->layers));
    if (!names->layers)
        return tmi_fail_memory(error, map->num_groups * sizeof(*names->layers), "names");
    for (uint32_t g = 0; g < map->num_groups; g++)
        TM_TRY(name_group(names, map, g, error));
    return TM_OK;
}

tm_status tmi_twmap_names_make(tmi_names *out, const tm_map *map, tm_error *error)
{
    memset(out, 0, sizeof(*out));
    tmi_arena_init(&out->arena, tmi_map_allocator(map));
    const tm_status status = name_map(out, map, error);
    if (status != TM_OK)
        tmi_names_release(out);
    return status;
}

/* ------------------------------------------------------------------------------------------------- losses */

static const struct {
    tm_finding_id finding;
    const char *text; /* behind their number */
} losses[TMI_LOSSES] = {
    [TMI_LOSS_NAME] = {TM_FINDING_LOST_FIELD, "name that is other than its file can be called"},
    [TMI_LOSS_TEXT] = {TM_FINDING_LOST_FIELD, "text with bytes that are no UTF-8"},
    [TMI_LOSS_ALPHA] = {TM_FINDING_LOST_FIELD, "image without alpha, which gets it"},
    [TMI_LOSS_PIXELS] = {TM_FINDING_LOST_IMAGE, "image whose pixels do not fit its size"},
    [TMI_LOSS_SOUND] = {TM_FINDING_LOST_SOUND, "sound without data"},
    [TMI_LOSS_CHANNELS] = {TM_FINDING_LOST_FIELD,
                           "envelope that is neither for sounds, positions nor colors"},
    [TMI_LOSS_CURVE] = {TM_FINDING_LOST_CURVE, "point whose curve is not known, which becomes linear"},
    [TMI_LOSS_POINT] = {TM_FINDING_LOST_FIELD, "point with values or tangents of no use"},
    [TMI_LOSS_ZOOM] = {TM_FINDING_LOST_FIELD, "parallax of zoom"},
    [TMI_LOSS_LAYER] = {TM_FINDING_LOST_LAYER, "layer of a kind that this form does not know"},
    [TMI_LOSS_PHYSICS] = {TM_FINDING_LOST_FIELD, "name or other field of a physics layer or its group"},
    [TMI_LOSS_TILES] = {TM_FINDING_LOST_TILES, "tiles with opaque flags, or with bytes of no use"},
    [TMI_LOSS_REST] = {TM_FINDING_LOST_FIELD, "block of data beside what the layer needs"},
    [TMI_LOSS_NUMBER] = {TM_FINDING_LOST_FIELD, "numbers outside of what games accept"},
};

/* One finding for all losses of a kind: findings of one object are told once. */
static void tell_losses_of(const tmi_writing *of, const uint64_t lost[TMI_LOSSES], tm_address at)
{
    for (int i = 0; i < TMI_LOSSES; i++) {
        char text[TM_ERROR_TEXT_SIZE];
        size_t size = tmi_format(text, sizeof(text), "MapDir cannot hold:");
        bool first = lost[i] != 0;
        for (int k = 0; k < i; k++)
            first = first && !(lost[k] && losses[k].finding == losses[i].finding);
        for (int k = i; k < TMI_LOSSES && first; k++)
            if (lost[k] && losses[k].finding == losses[i].finding)
                size += tmi_format(text + size, sizeof(text) - size, "%s %s (%llu)", k == i ? "" : ";",
                                   losses[k].text, (unsigned long long)lost[k]);
        if (first)
            tmi_find_at(of->findings, TM_MODE_GAME, losses[i].finding, of->map, at, -1, "%s", text);
    }
}

static void tell_object(const tmi_writing *of, tm_address address, tmi_loss loss)
{
    uint64_t lost[TMI_LOSSES] = {0};
    lost[loss] = 1;
    tell_losses_of(of, lost, address);
}

/* What has no file at all. */
static void tell_without_file(const tmi_writing *of)
{
    const tm_map *map = of->map;
    for (uint32_t i = 0; i < map->num_sounds; i++)
        if (!of->names.of[TM_OBJECT_SOUND][i])
            tell_object(of, (tm_address){TM_ADDRESS_SOUND, i, 0}, TMI_LOSS_SOUND);
    for (uint32_t i = 0; i < map->num_envelopes; i++)
        if (!of->names.of[TM_OBJECT_ENVELOPE][i])
            tell_object(of, (tm_address){TM_ADDRESS_ENVELOPE, i, 0}, TMI_LOSS_CHANNELS);
    for (uint32_t g = 0; g < map->num_groups; g++)
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++)
            if (!of->names.layers[g][l])
                tell_object(of, (tm_address){TM_ADDRESS_LAYER, g, l}, TMI_LOSS_LAYER);
}

void tmi_tell_losses(const tmi_writing *of)
{
    if (of->options.format != TM_MAPDIR_TWMAP)
        return;
    for (uint32_t i = 0; i < of->num; i++) {
        const tmi_piece *at = &of->pieces[i];
        tell_losses_of(of, at->lost, (tm_address){at->kind->address, at->index, at->layer});
    }
    tell_without_file(of);
}

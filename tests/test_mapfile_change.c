/* SPDX-License-Identifier: Zlib */
/*
 * One change of every plain field, on maps of each era: what is saved differs only in the items and blocks that the change
 * concerns, loads as an equal map, is saved again as it is, and strict mode takes it if it took the map before. Taking the
 * change back gives the first bytes again. Changes by the functions of the model are in test_mapfile_rearrange.c.
 *
 * test-timeout: 600
 */
#include "support/lib_changes.h"
#include "map/map.h"

/* ------------------------------------------------------------------------------------------------- items of fields */

/* The kind of item in which a field stands. */
static int item_of(tm_kind owner, const tm_field *field)
{
    static const int items[] = {
        [TM_KIND_MAP] = TM_ITEM_VERSION,       [TM_KIND_INFO] = TM_ITEM_INFO,
        [TM_KIND_IMAGE] = TM_ITEM_IMAGE,       [TM_KIND_SOUND] = TM_ITEM_SOUND,
        [TM_KIND_ENVELOPE] = TM_ITEM_ENVELOPE, [TM_KIND_ENVELOPE_POINT] = TM_ITEM_ENVELOPE_POINTS,
        [TM_KIND_GROUP] = TM_ITEM_GROUP,       [TM_KIND_LAYER] = TM_ITEM_LAYER,
        [TM_KIND_TILE_LAYER] = TM_ITEM_LAYER,  [TM_KIND_QUAD_LAYER] = TM_ITEM_LAYER,
        [TM_KIND_SOUND_LAYER] = TM_ITEM_LAYER,
    };
    if (owner == TM_KIND_ENVELOPE_POINT && !tmi_field_in_game(field, TM_GAME_TEEWORLDS06))
        return TEST_KIND_BEZIER;
    if (owner == TM_KIND_TILE_LAYER && strncmp(field->name, "automapper.", 11) == 0)
        return TEST_KIND_AUTOMAPPER;
    return owner == TM_KIND_GROUP && field->guard ? TEST_KIND_GROUP_EX : items[owner];
}

/* --------------------------------------------------------------------------------------------- objects of an owner */

/* The k-th object of a kind, or NULL behind the last one. */
static void *layer_at(tm_map *map, uint32_t k, bool (*fits)(const tm_layer *layer))
{
    for (uint32_t g = 0; g < map->num_groups; g++)
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++)
            if (fits(&map->groups[g].layers[l]) && k-- == 0)
                return &map->groups[g].layers[l];
    return NULL;
}

static bool fits_any(const tm_layer *layer)
{
    return layer->kind != TM_LAYER_UNKNOWN;
}

static bool fits_tiles(const tm_layer *layer)
{
    return tm_game_layer(layer->kind)->is_tiles;
}

static bool fits_design(const tm_layer *layer)
{
    return layer->kind == TM_LAYER_TILES;
}

static bool fits_quads(const tm_layer *layer)
{
    return layer->kind == TM_LAYER_QUADS;
}

static bool fits_sounds(const tm_layer *layer)
{
    return layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS;
}

static void *point_at(tm_map *map, uint32_t k)
{
    for (uint32_t e = 0; e < map->num_envelopes; e++) {
        if (k < map->envelopes[e].num_points)
            return &map->envelopes[e].points[k];
        k -= map->envelopes[e].num_points;
    }
    return NULL;
}

static void *object_at(tm_map *map, tm_kind owner, const tm_field *field, uint32_t k)
{
    switch (owner) {
    case TM_KIND_MAP: return k == 0 ? map : NULL;
    case TM_KIND_INFO: return k == 0 ? &map->info : NULL;
    case TM_KIND_IMAGE: return k < map->num_images ? &map->images[k] : NULL;
    case TM_KIND_SOUND: return k < map->num_sounds ? &map->sounds[k] : NULL;
    case TM_KIND_ENVELOPE: return k < map->num_envelopes ? &map->envelopes[k] : NULL;
    case TM_KIND_ENVELOPE_POINT: return point_at(map, k);
    case TM_KIND_GROUP: return k < map->num_groups ? &map->groups[k] : NULL;
    case TM_KIND_LAYER: return layer_at(map, k, fits_any);
    case TM_KIND_TILE_LAYER:
        return layer_at(map, k, item_of(owner, field) == TEST_KIND_AUTOMAPPER ? fits_design : fits_tiles);
    case TM_KIND_QUAD_LAYER: return layer_at(map, k, fits_quads);
    case TM_KIND_SOUND_LAYER: return layer_at(map, k, fits_sounds);
    default: return NULL; /* elements stand in data: test_map_data.c */
    }
}

/* Another value than the old one, that a loader takes. */
static bool other_value(const tm_field *field, const tm_map *map, const tm_value *old, tm_value *out)
{
    *out = *old;
    switch (field->type) {
    case TM_TYPE_COLOR:
        out->as.color = old->as.color.g == 7 ? (tm_color){8, 9, 10, 11} : (tm_color){6, 7, 8, 9};
        return true;
    case TM_TYPE_CHOICE:
        out->as.number = field->flags & TM_FIELD_OPEN ? (old->as.number == 4 ? 3 : 4) : !old->as.number;
        return true;
    case TM_TYPE_BOOL: out->as.number = !old->as.number; return true;
    case TM_TYPE_TEXT:
        out->as.text = old->as.text && strcmp(old->as.text, "new text") == 0 ? "other" : "new text";
        return true;
    case TM_TYPE_NAME:
        out->as.text = strcmp(old->as.text, "N\xC3\xA4u") == 0 ? "" : "N\xC3\xA4u";
        return true;
    case TM_TYPE_REFERENCE:
        out->as.number = old->as.number >= 0 ? TM_NONE : (int64_t)tmi_num_objects(map, field->refers) - 1;
        return old->as.number != out->as.number;
    default: out->as.number = old->as.number == 4 ? 3 : 4; return true;
    }
}

/* Functions that change more than a field have tests of their own, and so has the game. */
static bool is_plain(tm_kind owner, const tm_field *field)
{
    if (field->flags & TM_FIELD_ALIAS || (owner == TM_KIND_MAP && strcmp(field->name, "game") == 0))
        return false;
    if (strcmp(field->name, "has_parallax_zoom") == 0) /* concerns all groups */
        return false;
    return !field->setter || field->type == TM_TYPE_TEXT || field->type == TM_TYPE_NAME;
}

/* Fields that have no meaning for this object, or none in this game. */
static bool has_field(tm_kind owner, const tm_field *field, const tm_map *map, const void *object)
{
    const tm_image *image = object;
    if (owner == TM_KIND_IMAGE && strcmp(field->name, "format") == 0)
        return !image->external;
    if (owner == TM_KIND_IMAGE &&
        field->type == TM_TYPE_BOOL) /* the format of an external image is not kept */
        return image->format == TM_IMAGE_RGBA;
    return tmi_field_in_game(field, map->game) && tmi_field_present(field, object);
}

static void allow(tm_kind owner, const tm_field *field, const tm_map *map, struct test_allowed *allowed)
{
    const int kind = item_of(owner, field);
    memset(allowed, 0, sizeof(*allowed));
    allowed->lost[kind] = allowed->gained[kind] = 1;
    if (field->type == TM_TYPE_TEXT) /* the old text goes unless another object has it, the new one comes */
        allowed->blocks = 1;
    if (kind == TM_ITEM_INFO) /* there may be no item yet */
        allowed->lost[TM_ITEM_INFO] = 1;
    if (kind == TEST_KIND_BEZIER) {
        allowed->gained[TEST_KIND_INDEX] = 1;
        allowed->lost[TM_ITEM_ENVELOPE_POINTS] = allowed->gained[TM_ITEM_ENVELOPE_POINTS] = 1;
        if (map->game == TM_GAME_TEEWORLDS07) /* all points become long, and envelopes say so */
            allowed->lost[TM_ITEM_ENVELOPE] = allowed->gained[TM_ITEM_ENVELOPE] = map->num_envelopes;
        else if (tm_mapfile_datafile(
                     map)) /* if points are written anew, those of nobody go and ranges move */
            allowed->lost[TM_ITEM_ENVELOPE] = allowed->gained[TM_ITEM_ENVELOPE] = map->num_envelopes;
    }
    if (kind == TEST_KIND_AUTOMAPPER && field->type == TM_TYPE_BOOL) {
        allowed->gained[TEST_KIND_INDEX] = 1;
        allowed->ids = true; /* later ones count down */
    }
    allowed->refused = owner == TM_KIND_MAP; /* of a map version that no game has */
}

static void set_value(tm_map *map, void *object, const tm_field *field, uint32_t index, const tm_value *value)
{
    tm_error error;
    if (tmi_field_set_any(map, object, field, index, value, &error) != TM_OK)
        fail_msg("%s", error.text);
}

static bool change_value(struct test_base *base, tm_map *map, tm_kind owner, const tm_field *field,
                         void *object, uint32_t index, const char *name)
{
    struct test_allowed allowed;
    tm_value old = tm_field_get(field, object, index), fresh;
    char text[300] = "";
    if (!other_value(field, map, &old, &fresh))
        return false;
    if (old.as.text && (field->type == TM_TYPE_TEXT || field->type == TM_TYPE_NAME)) {
        assert_true(strlen(old.as.text) < sizeof(text));
        old.as.text = strcpy(text, old.as.text); /* it does not outlive the change */
    }
    set_value(map, object, field, index, &fresh);
    allow(owner, field, map, &allowed);
    test_check_change(base, map, name, &allowed);
    set_value(map, object, field, index, &old);
    test_check_unchanged(base, map, name);
    return true;
}

/* Changes a field of the k-th object; false if there is no such object. */
static bool change_one(struct test_base *base, tm_kind owner, const tm_field *field, uint32_t k,
                       uint32_t *num_changes)
{
    char name[100];
    if (!object_at(base->map, owner, field, k))
        return false;
    OWN(tm_map) *map = test_base_clone(base);
    void *object = object_at(map, owner, field, k);
    for (uint32_t i = 0; i < field->num_values && has_field(owner, field, map, object); i++) {
        snprintf(name, sizeof(name), "%s.%s[%u] of object %u", tm_kind_name(owner), field->name, (unsigned)i,
                 (unsigned)k);
        *num_changes += change_value(base, map, owner, field, object, i, name);
    }
    return true;
}

/* Every object of generated maps; of real ones the first few. */
static void change_all(struct test_base *base, uint32_t most)
{
    uint32_t num_changes = 0;
    for (tm_kind owner = 0; owner < TM_KINDS; owner++) {
        size_t num;
        const tm_field *fields = tm_fields(&num, owner);
        for (size_t i = 0; i < num; i++)
            for (uint32_t k = 0; k < most && is_plain(owner, &fields[i]); k++)
                if (!change_one(base, owner, &fields[i], k, &num_changes))
                    break;
    }
    print_message("%s: %u changes\n", base->name, (unsigned)num_changes);
    assert_true(num_changes > 20);
}

TEST(fields_of_generated_maps)
{
    struct test_base base;
    for (int i = 0; test_base_generated(&base, i); i++) {
        change_all(&base, 100);
        test_base_release(&base);
    }
}

TEST(fields_of_real_maps)
{
    struct test_base base;
    for (int i = 0; test_base_real(&base, i); i++) {
        change_all(&base, 3);
        test_base_release(&base);
    }
}

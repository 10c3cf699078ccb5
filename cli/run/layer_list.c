/* SPDX-License-Identifier: Zlib */
/*
 * layer_list.c - lists of layers: words with commas between, each an address, "design", "physics" or a kind of
 * layer, and each with @PERCENT behind it or not. Later words overrule earlier ones. A name that holds a
 * comma cannot be written here; its number can.
 */
#include "layer_list.h"

#include "output/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A set of layers: all that are like this. */
typedef struct choice {
    bool design, physics;
    tm_layer_kind kind; /* if it is neither of these */
    bool by_address;    /* then `address`, a group or a layer */
    tm_address address;
    float opacity;
} choice;

static bool is_drawn_kind(int kind)
{
    const tm_layer_rule *rule = tm_rules_layer((tm_layer_kind)kind);
    return rule->is_tiles || kind == TM_LAYER_QUADS;
}

static bool holds(const choice *c, const tm_map *map, uint32_t group, uint32_t layer)
{
    const tm_layer_kind kind = map->groups[group].layers[layer].kind;
    const bool physics = tm_rules_layer(kind)->is_physics;
    if (c->by_address) {
        return c->address.index == group &&
               (c->address.kind == TM_ADDRESS_GROUP || c->address.layer == layer);
    }
    return c->design ? !physics : c->physics ? physics : kind == c->kind;
}

static void apply(float *opacities, const choice *c, const tm_map *map)
{
    for (uint32_t g = 0; g < map->num_groups; g++) {
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++, opacities++)
            if (holds(c, map, g, l))
                *opacities = c->opacity;
    }
}

/* Cuts "@50" off. Digits alone count, so that names with @ in them stay names. */
static float take_opacity(char *word)
{
    char *at = strrchr(word, '@');
    const size_t digits = at ? strspn(at + 1, "0123456789") : 0;
    const unsigned long percent = digits > 0 && digits <= 3 ? strtoul(at + 1, NULL, 10) : 0;
    if (digits == 0 || digits > 3 || at[1 + digits] || percent > 100)
        return 1;
    *at = '\0';
    return (float)percent / 100;
}

static bool take_kind(choice *c, const char *word, bool physics_only)
{
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++) {
        const tm_layer_rule *rule = tm_rules_layer((tm_layer_kind)kind);
        if (is_drawn_kind(kind) && (rule->is_physics || !physics_only) && strcmp(rule->name, word) == 0) {
            c->kind = (tm_layer_kind)kind;
            return true;
        }
    }
    return false;
}

static tm_status refuse(tm_error *error, const char *option, const char *word, const char *reason)
{
    *error = (tm_error){.code = TM_ERROR_USAGE, .offset = -1};
    snprintf(error->text, sizeof(error->text), "--%s: '%.60s' %s", option, word, reason);
    return TM_ERROR_USAGE;
}

static tm_status read_layer(choice *c, char *word, const tm_map *map, tm_error *error)
{
    *c = (choice){.opacity = take_opacity(word)};
    c->design = strcmp(word, "design") == 0;
    c->physics = strcmp(word, "physics") == 0;
    if (c->design || c->physics || take_kind(c, word, false))
        return TM_OK;
    c->by_address = true;
    if (!*word || tm_address_parse(&c->address, map, word, NULL) != TM_OK ||
        (c->address.kind != TM_ADDRESS_GROUP && c->address.kind != TM_ADDRESS_LAYER)) {
        return refuse(error, "layers", word,
                      strchr(word, '@') ? "is no group or layer with a percentage, 0 to 100, behind its @"
                                        : "leads to no group or layer; 'teemap ls MAP' shows them");
    }
    return TM_OK;
}

static tm_status read_entities(choice *c, char *word, const tm_map *map, tm_error *error)
{
    (void)map;
    *c = (choice){.opacity = take_opacity(word)};
    return take_kind(c, word, true)
               ? TM_OK
               : refuse(error, "entities", word, "is none of game, front, tele, speedup, switch, tune");
}

typedef tm_status (*read_word)(choice *c, char *word, const tm_map *map, tm_error *error);

static tm_status apply_list(float *opacities, const char *list, read_word read, const tm_map *map,
                            tm_error *error)
{
    tm_status status = TM_OK;
    char *copy = must_copy(list), *word = copy;
    while (!status && word) {
        char *next = strchr(word, ',');
        if (next)
            *next++ = '\0';
        choice c;
        status = read(&c, word, map, error);
        if (!status)
            apply(opacities, &c, map);
        word = next;
    }
    free(copy);
    return status;
}

tm_status layers_choose(float **out, const cli_options *options, const tm_map *map, tm_error *error)
{
    static const choice physics = {.physics = true, .opacity = 1};
    *out = NULL;
    if (!options->layers && !options->entities)
        return TM_OK;
    *out = must_alloc(tm_map_num_layers(map), sizeof(**out));
    tm_status status = TM_OK;
    if (options->layers)
        status = apply_list(*out, options->layers, read_layer, map, error);
    if (!status && options->entities && *options->entities)
        status = apply_list(*out, options->entities, read_entities, map, error);
    else if (!status && options->entities)
        apply(*out, &physics, map);
    if (status) {
        free(*out);
        *out = NULL;
    }
    return status;
}

bool layers_hold_physics(const float *opacities, const tm_map *map)
{
    for (uint32_t g = 0; opacities && g < map->num_groups; g++) {
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++, opacities++)
            if (*opacities > 0 && tm_rules_layer(map->groups[g].layers[l].kind)->is_physics)
                return true;
    }
    return false;
}

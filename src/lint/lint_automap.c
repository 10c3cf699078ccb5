/* SPDX-License-Identifier: Zlib */
/*
 * Rules of layers that were mapped automatically: whether the rules still exist, and the layers still equal
 * their result. Needs a caller that provides files of rules; those of an image are read once.
 */
#include "lint.h"
#include "../automap/automap.h"

#include <teemap/automap.h>

#define STYLE TM_LINT_STYLE

/* The rules of an image, which several layers and both rules of lint ask for. */
struct tmi_lint_mapper {
    struct tmi_lint_mapper *next;
    const char *image;
    tm_automap_rules *rules; /* NULL: there are none, or they cannot be read */
    const tm_automap_config *configs;
    uint32_t num_configs;
};

/* The rules of an image, read when they are first asked for; NULL after a failure. */
static const struct tmi_lint_mapper *mapper_of(tmi_lint *lint, const char *image)
{
    for (const struct tmi_lint_mapper *known = lint->mappers; known; known = known->next)
        if (strcmp(known->image, image) == 0)
            return known;
    struct tmi_lint_mapper *fresh = tmi_lint_alloc(lint, 1, sizeof(*fresh));
    if (!fresh)
        return NULL;
    *fresh = (struct tmi_lint_mapper){.next = lint->mappers, .image = image};
    lint->mappers = fresh;
    tm_automap_read_options options = TM_AUTOMAP_READ_OPTIONS_INIT;
    uint8_t *bytes = NULL;
    size_t size = 0;
    tm_error fault;
    options.allocator = lint->allocator;
    tmi_error_blank(&fault);
    tm_status status =
        lint->read_rules(lint->rules_ctx, image, lint->map->game, lint->allocator, &bytes, &size, &fault);
    if (status == TM_ERROR_IO) { /* there may be rules: neither missing nor fine */
        tmi_lint_fail(lint, tmi_error_told(status, &fault, lint->error, TM_SIDE_INPUT, "reading rules"));
        return NULL;
    }
    if (!status)
        status = tm_automap_read(&fresh->rules, bytes, size, &options, NULL, NULL);
    tmi_free(lint->allocator, bytes, size, 1);
    if (status == TM_ERROR_MEMORY) {
        tmi_lint_fail(lint, tmi_fail_memory(lint->error, 0, "rules of automappers"));
        return NULL;
    }
    if (!status)
        fresh->configs = tm_automap_configs(&fresh->num_configs, fresh->rules);
    return fresh;
}

void tmi_lint_release_mappers(tmi_lint *lint)
{
    for (const struct tmi_lint_mapper *mapper = lint->mappers; mapper; mapper = mapper->next)
        tm_automap_free(mapper->rules);
    lint->mappers = NULL;
}

/*
 * The rules of a layer whose automapper names a configuration, else NULL. *config: that configuration, NULL
 * if the rules do not have it.
 */
static const struct tmi_lint_mapper *mapper_of_layer(const tm_automap_config **config, tmi_lint *lint,
                                                     const tm_layer *layer)
{
    const tm_automapper *automapper = &layer->as.tiles.automapper;
    *config = NULL;
    if (!lint->read_rules || layer->kind != TM_LAYER_TILES || !automapper->present ||
        automapper->config == TM_NONE)
        return NULL;
    const tm_image *image = tm_map_image(lint->map, layer->as.tiles.image);
    const struct tmi_lint_mapper *mapper = image && image->name ? mapper_of(lint, image->name) : NULL;
    if (mapper && automapper->config >= 0 && (uint32_t)automapper->config < mapper->num_configs)
        *config = &mapper->configs[automapper->config];
    return mapper;
}

static bool rules_missing(tmi_lint_object *object)
{
    const tm_automap_config *config;
    const struct tmi_lint_mapper *mapper = mapper_of_layer(&config, object->lint, object->layer);
    if (!mapper || config)
        return false;
    return mapper->rules
               ? tmi_lint_explain(object, "configuration %d of the rules for image '%.60s', which have %u",
                                  (int)object->layer->as.tiles.automapper.config, mapper->image,
                                  (unsigned)mapper->num_configs)
               : tmi_lint_explain(object, "there are no rules for image '%.60s' here", mapper->image);
}

static bool edited_after_mapping(tmi_lint_object *object)
{
    const tm_automapper *automapper = &object->layer->as.tiles.automapper;
    const tm_automap_config *config;
    const struct tmi_lint_mapper *mapper = mapper_of_layer(&config, object->lint, object->layer);
    tm_automap_options options = TM_AUTOMAP_OPTIONS_INIT;
    tm_automap_result found = {0};
    tmi_borrowed loan;
    tm_grid grid;
    if (!config || (!automapper->seed && tmi_automap_has_chance(config)))
        return false;
    tm_status status = tmi_borrowed_grid(&loan, &grid, object->lint->map, object->layer, object->lint->error);
    if (status) {
        if (status != TM_ERROR_DAMAGED) /* checks report damage */
            tmi_lint_fail(object->lint, status);
        return false;
    }
    options.config = automapper->config;
    options.seed = automapper->seed;
    options.allocator = object->lint->allocator;
    tm_automap_layer layer = {NULL, grid.width, grid.height};
    memcpy(&layer.tiles, &grid.tiles, sizeof(layer.tiles)); /* which are only read */
    if (grid.tiles)
        status = tmi_automap_check(&found, mapper->rules, &layer, &options, object->lint->error);
    tmi_borrowed_close(&loan);
    if (status)
        tmi_lint_fail(object->lint, status);
    object->count = found.num_changed;
    return !status && found.num_changed &&
           tmi_lint_explain(object, "%llu tile%s in %u,%u+%ux%u, not as rules '%.40s' give them%s",
                            (unsigned long long)found.num_changed, found.num_changed == 1 ? "" : "s",
                            (unsigned)found.changed.x, (unsigned)found.changed.y,
                            (unsigned)found.changed.width, (unsigned)found.changed.height, config->name,
                            automapper->automatic ? "; the editor will map them again" : "");
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(
         RULES_MISSING, STYLE, OBJECTS, false,
         "A layer's automapper refers to rules that are not found, or to a configuration that they do not have.",
         "The layer cannot be mapped again, since the map only stores a number, not the rules.",
         "Install the game that has the rules, or distribute them with the map; 'teemap doctor MAP' shows where they are searched for.",
         "DDNet's editor"),
     .objects = TMI_LINT_AT(LAYER), .look = rules_missing},
    {TMI_LINT_RULE(
         EDITED_AFTER_MAPPING, STYLE, DESIGN, true,
         "An automapped layer differs from the result of its rules.",
         "Manual changes are lost when the layer is mapped again; or the layer was changed and not mapped since.",
         "Map it again with 'teemap automap', or remove its configuration. It is also reported if your rules differ from the author's.",
         "DDNet's editor"),
     .objects = TMI_LINT_AT(LAYER), .look = edited_after_mapping},
};
TMI_LINT_FAMILY(tmi_lint_automap, rows);

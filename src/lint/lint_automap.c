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
typedef struct tmi_lint_mapper {
    struct tmi_lint_mapper *next;
    const char *image;
    tm_automap_rules *rules; /* NULL: there are none, or they cannot be read */
    const tm_automap_config *configs;
    uint32_t num_configs;
} mapper;

/* The rules of an image, read when they are first asked for; NULL after a failure. */
static const mapper *mapper_of(tmi_lint *lint, const char *image)
{
    for (const mapper *known = lint->mappers; known; known = known->next)
        if (strcmp(known->image, image) == 0)
            return known;
    mapper *fresh = tmi_lint_alloc(lint, 1, sizeof(*fresh));
    if (!fresh)
        return NULL;
    *fresh = (mapper){.next = lint->mappers, .image = image};
    lint->mappers = fresh;
    tm_automap_read_options how = TM_AUTOMAP_READ_OPTIONS_INIT;
    uint8_t *bytes = NULL;
    size_t size = 0;
    tm_error fault;
    how.allocator = lint->allocator;
    tmi_error_blank(&fault);
    tm_status status =
        lint->read_rules(lint->rules_ctx, image, lint->map->game, lint->allocator, &bytes, &size, &fault);
    if (status == TM_ERROR_IO) { /* there may be rules: neither missing nor fine */
        tmi_lint_fail(lint, tmi_error_told(status, &fault, lint->error, TM_SIDE_INPUT, "reading rules"));
        return NULL;
    }
    if (!status)
        status = tm_automap_read(&fresh->rules, bytes, size, &how, NULL, NULL);
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
    for (const mapper *each = lint->mappers; each; each = each->next)
        tm_automap_free(each->rules);
    lint->mappers = NULL;
}

/*
 * The rules of a layer whose automapper names a configuration, else NULL. *config: that configuration, NULL
 * if the rules do not have it.
 */
static const mapper *mapper_of_layer(const tm_automap_config **config, tmi_lint *lint, const tm_layer *layer)
{
    const tm_automapper *own = &layer->as.tiles.automapper;
    *config = NULL;
    if (!lint->read_rules || layer->kind != TM_LAYER_TILES || !own->present || own->config == TM_NONE)
        return NULL;
    const tm_image *image = tm_map_image(lint->map, layer->as.tiles.image);
    const mapper *by = image && image->name ? mapper_of(lint, image->name) : NULL;
    if (by && own->config >= 0 && (uint32_t)own->config < by->num_configs)
        *config = &by->configs[own->config];
    return by;
}

static bool rules_missing(tmi_lint_object *at)
{
    const tm_automap_config *config;
    const mapper *by = mapper_of_layer(&config, at->lint, at->layer);
    if (!by || config)
        return false;
    return by->rules ? tmi_lint_say(at, "configuration %d of the rules for image '%.60s', which have %u",
                                    (int)at->layer->as.tiles.automapper.config, by->image,
                                    (unsigned)by->num_configs)
                     : tmi_lint_say(at, "there are no rules for image '%.60s' here", by->image);
}

static bool edited_after_mapping(tmi_lint_object *at)
{
    const tm_automapper *own = &at->layer->as.tiles.automapper;
    const tm_automap_config *config;
    const mapper *by = mapper_of_layer(&config, at->lint, at->layer);
    tm_automap_options how = TM_AUTOMAP_OPTIONS_INIT;
    tm_automap_result found = {0};
    tmi_borrowed loan;
    tm_grid grid;
    if (!config || (!own->seed && tmi_automap_has_chance(config)))
        return false;
    tm_status status = tmi_borrowed_grid(&loan, &grid, at->lint->map, at->layer, at->lint->error);
    if (status) {
        if (status != TM_ERROR_DAMAGED) /* checks report damage */
            tmi_lint_fail(at->lint, status);
        return false;
    }
    how.config = own->config;
    how.seed = own->seed;
    how.allocator = at->lint->allocator;
    tm_automap_layer layer = {NULL, grid.width, grid.height};
    memcpy(&layer.tiles, &grid.tiles, sizeof(layer.tiles)); /* which are only read */
    if (grid.tiles)
        status = tmi_automap_check(&found, by->rules, &layer, &how, at->lint->error);
    tmi_borrowed_close(&loan);
    if (status)
        tmi_lint_fail(at->lint, status);
    at->count = found.num_changed;
    return !status && found.num_changed &&
           tmi_lint_say(at, "%llu tile%s in %u,%u+%ux%u, not as rules '%.40s' give them%s",
                        (unsigned long long)found.num_changed, found.num_changed == 1 ? "" : "s",
                        (unsigned)found.changed.x, (unsigned)found.changed.y, (unsigned)found.changed.width,
                        (unsigned)found.changed.height, config->name,
                        own->automatic ? "; the editor will map them again" : "");
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

/* SPDX-License-Identifier: Zlib */
/*
 * Maps design layers by automapper rules, as the editors do (src/automap). Rules come from a named file, or
 * from the file of each layer's image. Arguments that are omitted come from the layer's automapper.
 *
 * Tiles that the rules do not change keep every byte, so a layer that equals the result of its rules is not
 * changed. The opaque flag of the other tiles is set again, as the editor does when it saves, because rules
 * clear it.
 */
#include "edit_images.h"
#include "../automap/automap.h"

#include <teemap/automap.h>

/* The numbers of the arguments, counted after the file of rules. */
enum { LAYERS, CONFIG, SEED, REFERENCE, AMOUNT = REFERENCE + 2 };

/* One run of the operation: its arguments, and the rules for the current layer. */
typedef struct mapping {
    tmi_edit *edit;
    const char *file; /* NULL: the rules are those of the layers' images */
    const tmi_edit_value *words;
    const char *asked; /* CONFIG; NULL: it is omitted or empty, which allows to give later arguments */
    tm_automap_rules *rules;
    int32_t image; /* whose they are; TM_NONE: those of the file */
    tm_grid game;  /* without tiles if there is none */
    int32_t draw;  /* the next one */
    uint32_t num;  /* layers with rules */
    /* The layer at work; `named`: the editor finds its rules by the name of its image. */
    tm_address address;
    tm_tile_layer *layer;
    bool named;
    const tm_automap_config *config; /* NULL: the layer is not mapped */
    int32_t number, seed;            /* the seed as the layer remembers it; 0: another one each time */
} mapping;

/* -------------------------------------------------------------------------------------------------- rules */

static tm_status parse_rules(mapping *m, tm_automap_dialect dialect, uint8_t *bytes, size_t num,
                             tm_error *error)
{
    tm_automap_read_options options = TM_AUTOMAP_READ_OPTIONS_INIT;
    options.dialect = dialect;
    options.allocator = tmi_map_allocator(m->edit->map);
    tm_automap_free(m->rules);
    return tm_automap_read(&m->rules, bytes, num, &options, NULL, error);
}

/* Reads the rules of an image unless they are those of the layer before; a finding if there are none. */
static tm_status read_rules_of_image(mapping *m, tm_error *error)
{
    const tm_map *map = m->edit->map;
    const tm_edit_options *options = m->edit->options;
    const int32_t image = m->layer->image;
    const char *name = map->images[image].name;
    uint8_t *bytes = NULL;
    size_t num = 0;
    tm_error failure;
    tm_status status = TM_ERROR_NOT_FOUND;
    if (m->image == image && m->rules)
        return TM_OK;
    tm_automap_free(m->rules);
    m->rules = NULL;
    m->image = image;
    if (name && !options->rules)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "rules for '%.60s' cannot be read: the caller gave no function that reads rules",
                        name);
    tmi_error_blank(&failure);
    if (name)
        status = options->rules(options->ctx, name, map->game, m->edit->scratch, &bytes, &num, &failure);
    if (status == TM_ERROR_NOT_FOUND) {
        tmi_edit_report(m->edit, TM_FINDING_NO_RULES, m->address,
                        "not changed: there are no rules for image '%.60s'", name ? name : "");
        return TM_OK;
    }
    TM_TRY(tmi_error_told(status, &failure, error, TM_SIDE_INPUT, "the function that reads rules"));
    return parse_rules(m, map->game == TM_GAME_TEEWORLDS07 ? TM_AUTOMAP_TEEWORLDS07 : TM_AUTOMAP_DDNET, bytes,
                       num, error);
}

/* Finds the configuration for a layer. */
static tm_status choose_config(mapping *m, tm_error *error)
{
    const tm_automapper *automapper = &m->layer->automapper;
    uint32_t num;
    const tm_automap_config *configs = tm_automap_configs(&num, m->rules);
    m->config = NULL;
    m->number = automapper->present ? automapper->config : TM_NONE;
    if (m->asked ? !tm_automap_find_config(&m->number, m->rules, m->asked)
                 : m->number == TM_NONE && m->file && num != 1) {
        tmi_line list = {.length = 0}; /* "0 'Grass', 1 'Snow'" */
        for (uint32_t i = 0; i < num; i++)
            tmi_line_add(&list, "%s%u '%.20s'", i ? ", " : "", (unsigned)i, configs[i].name);
        if (m->asked)
            return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "the rules have no configuration '%.60s'%s%s",
                            m->asked, num ? ", but " : ", nor any other", list.text);
        return num ? tmi_fail(error, TM_ERROR_USAGE, -1, "which configuration? The rules have %s", list.text)
                   : tmi_fail(error, TM_ERROR_USAGE, -1, "the rules have no configuration at all");
    }
    if (m->number == TM_NONE && m->file)
        m->number = 0;
    if (m->number >= 0 && (uint32_t)m->number < num)
        m->config = &configs[m->number];
    else if (m->number != TM_NONE)
        tmi_edit_report(m->edit, TM_FINDING_NO_RULES, m->address,
                        "left as it is: its automapper asks for configuration %d, and the rules have %u",
                        (int)m->number, (unsigned)num);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ a layer */

static tm_status write_tiles(mapping *m, const tm_grid *grid, tm_error *error)
{
    const uint8_t kept = TM_TILE_FLIP_X | TM_TILE_FLIP_Y | TM_TILE_ROTATE;
    const size_t num = (size_t)grid->width * grid->height;
    const tmi_edit_value *layers = &m->words[LAYERS];
    const tm_rect region = {layers->x, layers->y, layers->width, layers->height};
    const bool has_chance = tmi_automap_has_chance(m->config);
    tm_automap_options options = TM_AUTOMAP_OPTIONS_INIT;
    const tm_tile *were = grid->tiles;
    uint64_t changed = 0;
    char seed[32] = "";
    tm_automap_result result;
    tmi_sheet_cells cells;
    tm_edit_grid writable;
    tm_tile *made;
    options.config = m->number;
    options.seed = m->seed;
    if (!m->seed && has_chance)
        options.draw = m->draw == INT32_MAX ? (m->draw = 1) : m->draw++;
    if (m->words[REFERENCE].text)
        options.reference = (tm_automap_reference)m->words[REFERENCE].number;
    if (m->words[AMOUNT].text)
        options.amount = (uint32_t)m->words[AMOUNT].x;
    options.game = m->game.tiles;
    options.game_width = m->game.width;
    options.game_height = m->game.height;
    options.region = layers->width ? &region : NULL;
    options.allocator = tmi_map_allocator(m->edit->map);
    TM_TRY(tmi_reserve(&made, m->edit->scratch, num, sizeof(*made), "the tiles of a layer", error));
    memcpy(made, were, num * sizeof(*made));
    TM_TRY(tm_automap_run(&result, m->rules, &(tm_automap_layer){made, grid->width, grid->height}, &options,
                          m->edit->options->job, error));
    if (result.num_changed == 0)
        return TM_OK;
    TM_TRY(tmi_sheet_cells_find(&cells, m->edit, m->layer->image, error));
    for (size_t i = 0; i < num; i++) /* changed tiles get their opaque flag, the others their bytes */
        if (made[i].index == were[i].index && ((made[i].flags ^ were[i].flags) & kept) == 0) {
            made[i] = were[i];
        } else {
            made[i].flags = tmi_sheet_flags(&made[i], &cells, m->layer->color.a == 255);
            changed++;
        }
    if (!changed)
        return TM_OK;
    if (has_chance)
        tmi_format(seed, sizeof(seed), " with seed %d", (int)result.seed);
    tmi_edit_changed(m->edit, m->address, changed, "%llu tile%s changed by rules '%.60s'%s",
                     (unsigned long long)changed, changed == 1 ? "" : "s", m->config->name, seed);
    TM_TRY(tm_map_edit_tiles(&writable, m->edit->map, m->address.index, m->address.layer, error));
    memcpy(writable.tiles, made, num * sizeof(*made));
    return TM_OK;
}

static tm_status map_one(mapping *m, tm_error *error)
{
    tm_automapper *automapper = &m->layer->automapper;
    tm_grid grid;
    TM_TRY(tmi_edit_design_grid(&grid, m->edit->map, &m->address, error));
    if (!grid.tiles)
        return TM_OK;
    if (!m->file)
        TM_TRY(read_rules_of_image(m, error));
    if (!m->rules)
        return TM_OK;
    TM_TRY(choose_config(m, error));
    if (!m->config)
        return TM_OK;
    m->seed = m->words[SEED].text ? m->words[SEED].x : automapper->present ? automapper->seed : 0;
    /* In a dry run, a layer that would change each time cannot be judged. */
    if (m->edit->options->draw < 0 && !m->seed && tmi_automap_has_chance(m->config)) {
        tmi_edit_report(
            m->edit, TM_FINDING_SEED_DRAWN, m->address,
            "not compared: its seed is 0, so '%.60s' gives other tiles each time; --seed N gives it one",
            m->config->name);
        return TM_OK;
    }
    if (m->words[LAYERS].width && m->config->kind == TM_AUTOMAP_DOODADS)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "doodads are placed on a whole layer, which they empty first, not on a part of it");
    if (m->words[AMOUNT].text && m->config->kind != TM_AUTOMAP_DOODADS)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "an amount is for doodads; '%.60s' has none",
                        m->config->name);
    TM_TRY(write_tiles(m, &grid, error));
    /* Stores the configuration in the layer, but only if the editor finds the same rules. */
    const bool said = m->asked || m->words[SEED].text || !automapper->present;
    const bool is_stored =
        automapper->present && automapper->config == m->number && automapper->seed == m->seed;
    if (m->edit->map->game != TM_GAME_DDNET || !said || m->config->kind != TM_AUTOMAP_RULES || !m->named ||
        is_stored)
        return TM_OK;
    automapper->present = true;
    automapper->config = m->number;
    automapper->seed = m->seed;
    tmi_edit_changed(m->edit, m->address, 1, "its automapper is now configuration %d '%.60s' with seed %d",
                     (int)m->number, m->config->name, (int)m->seed);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------- the operations */

/* Maps a layer, if it is one of design tiles that the arguments mean. */
static tm_status map_layer(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    mapping *m = edit->ctx;
    tm_layer *layer = tmi_edit_layer_at(edit, address);
    const tm_image *image = tm_map_image(edit->map, tmi_image_shown(layer));
    if (layer->kind != TM_LAYER_TILES)
        return TM_OK;
    m->address = *address;
    m->layer = &layer->as.tiles;
    size_t length; /* of the file's name: "rules/grass.rules" is called as image "grass" */
    const char *stem = tmi_edit_stem(&length, m->file ? m->file : "");
    m->named = !m->file || (image && image->name && strlen(image->name) == length &&
                            memcmp(stem, image->name, length) == 0);
    /* without a file of rules it needs an image and a configuration */
    if (m->file ? !m->named && !m->words[LAYERS].text
                : !image || (!m->asked && !tm_layer_has_automapper(layer)))
        return TM_OK;
    m->num++;
    return map_one(m, error);
}

static tm_status map_layers(mapping *m, tm_error *error)
{
    tmi_edit *edit = m->edit;
    const tm_layer *game = tm_map_physics_layer(NULL, NULL, edit->map, TM_LAYER_GAME);
    TM_TRY(tm_map_tiles(&m->game, edit->map, game, error));
    if (m->file) {
        uint8_t *bytes;
        size_t num;
        TM_TRY(tmi_edit_read(&bytes, &num, edit, m->file, error));
        const tm_status status = parse_rules(m, tm_automap_dialect_of_file(m->file), bytes, num, error);
        if (status)
            tmi_error_about(error, TM_SIDE_INPUT, m->file);
        TM_TRY(status);
    }
    TM_TRY(tmi_edit_each(edit, TM_KIND_LAYER, map_layer, m, error));
    if (!m->num && m->file && !m->words[LAYERS].text)
        tmi_edit_report(
            edit, TM_FINDING_NO_MATCH, tmi_whole_map,
            "no layer has an image that is called as the file '%.100s': name the layers that are meant",
            m->file);
    if (!m->num && m->words[LAYERS].text)
        tmi_edit_report(
            edit, TM_FINDING_NO_MATCH, tmi_whole_map,
            "none of the layers '%.100s' can be mapped: they are not design tiles, or have no image or "
            "automapper",
            m->words[LAYERS].text);
    return TM_OK;
}

/* The operations automap and "automap by", whose first argument is the file of rules. */
tm_status tmi_edit_automap(tmi_edit *edit, tm_error *error)
{
    const bool by = edit->operation->arguments[0].type == TM_EDIT_FILE;
    mapping m = {.edit = edit, .words = edit->values + by, .image = TM_NONE};
    const tmi_edit_value *amount = &m.words[AMOUNT];
    if (amount->text && (amount->x < 1 || amount->x > 100))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the amount of doodads is 1 to 100, not %d",
                        (int)amount->x);
    const char *config = m.words[CONFIG].text;
    m.asked = config && config[0] ? config : NULL;
    m.file = by ? edit->values[0].text : NULL;
    m.draw = edit->options->draw > 0 ? edit->options->draw : 1;
    const tm_status status = map_layers(&m, error);
    tm_automap_free(m.rules);
    return status;
}

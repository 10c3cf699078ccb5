/* SPDX-License-Identifier: Zlib */
/* Reads layers of MapDir. A tile layer is a list of the tiles that are not air, each with its position. */
#include "twmap.h"

/* -------------------------------------------------------------------------------------------------- tiles */

enum { MAX_MEMBERS = 6 };
typedef enum tile_form { TILE_NUMBER, TILE_MIRRORED, TILE_ROTATION } tile_form;

/* A member of a tile, and the field it belongs to. */
typedef struct tile_member {
    const char *key;
    tile_form form;
    const char *field;
} tile_member;

static const tile_member plain_members[] = {{"id", TILE_NUMBER, "index"},
                                            {"mirrored", TILE_MIRRORED, "flags"},
                                            {"rotation", TILE_ROTATION, "flags"},
                                            {0}};
static const tile_member numbered_members[] = {
    {"number", TILE_NUMBER, "number"}, {"id", TILE_NUMBER, "type"}, {0}};
static const tile_member speedup_members[] = {{"force", TILE_NUMBER, "force"},
                                              {"max_speed", TILE_NUMBER, "max_speed"},
                                              {"id", TILE_NUMBER, "type"},
                                              {"angle", TILE_NUMBER, "angle"},
                                              {0}};
static const tile_member switch_members[] = {
    {"number", TILE_NUMBER, "number"},    {"id", TILE_NUMBER, "type"},
    {"mirrored", TILE_MIRRORED, "flags"}, {"rotation", TILE_ROTATION, "flags"},
    {"delay", TILE_NUMBER, "delay"},      {0}};

static const tile_member *members_of_tiles(tm_owner owner)
{
    switch (owner) {
    case TM_OWNER_TELE_TILE:
    case TM_OWNER_TUNE_TILE: return numbered_members;
    case TM_OWNER_SPEEDUP_TILE: return speedup_members;
    case TM_OWNER_SWITCH_TILE: return switch_members;
    default: return plain_members;
    }
}

typedef struct tile_table {
    const tile_member *members;
    const tm_field *fields[MAX_MEMBERS];
    uint32_t num, tile_size;
} tile_table;

/*
 * Mirrored is flipped along x; rotated by 180 degrees is flipped along both axes, and 90 degrees are a flag
 * of their own. The two members may come in any order, so each toggles flags that the other may have set.
 */
static void set_member(const tile_table *table, uint32_t k, uint8_t *tile, int64_t value)
{
    int64_t flags = tmi_tile_get(table->fields[k], tile);
    if (table->members[k].form == TILE_MIRRORED && value)
        flags ^= TM_TILE_FLIP_X;
    if (table->members[k].form == TILE_ROTATION && value >= 180)
        flags ^= TM_TILE_FLIP_X | TM_TILE_FLIP_Y;
    if (table->members[k].form == TILE_ROTATION && value % 180)
        flags |= TM_TILE_ROTATE;
    tmi_tile_set(table->fields[k], tile, table->members[k].form == TILE_NUMBER ? value : flags);
}

/* ------------------------------------------------------------------------------------------------ reading */

static bool take_twmap_head(tmi_json_file *file, tm_layer *head, const char *key)
{
    const tmi_rows size = tmi_twmap_rows(TMI_TABLE_SIZE);
    const tmi_fields_of target = {{TM_OWNER_LAYER}, 1, head};
    if (strcmp(key, "type") != 0)
        return tmi_twmap_take(file, &size, &target, key);
    const tmi_json_token token = tmi_next_value(file);
    for (int kind = 0; kind < TM_LAYER_OLD_SOUNDS && token == TMI_JSON_STRING; kind++)
        if (strcmp(tm_game_layer((tm_layer_kind)kind)->name, tmi_json_text(file->json)) == 0) {
            head->kind = (tm_layer_kind)kind;
            return true;
        }
    tmi_json_unexpected(file, token, "one of game, front, tele, speedup, switch, tune, tiles, quads, sounds");
    return true;
}

/* Reads a number of a tile, or with `truth` true or false as 1 or 0. */
static bool take_tile_number(tmi_json_file *file, int64_t least, int64_t most, bool truth, int64_t *out)
{
    const tmi_json_token token = tmi_next_value(file);
    char expected[64];
    int32_t number = token == TMI_JSON_TRUE;
    const bool read = truth ? token == TMI_JSON_TRUE || token == TMI_JSON_FALSE
                            : token == TMI_JSON_NUMBER && !strchr(tmi_json_text(file->json), '.') &&
                                  tmi_decimal_parse(&number, tmi_json_text(file->json), 1);
    if (read && number >= least && number <= most) {
        *out = number;
        return true;
    }
    tmi_format(expected, sizeof(expected), truth ? "true or false" : "a number from %lld to %lld",
               (long long)least, (long long)most);
    tmi_json_unexpected(file, token, expected);
    return false;
}

static void take_tile_member(tmi_json_file *file, const tile_table *table, uint32_t k, uint8_t *tile)
{
    const tile_member *member = &table->members[k];
    const tm_field *field = table->fields[k];
    const int64_t least = field->storage == TM_STORED_INT16 ? INT16_MIN : 0;
    const int64_t most = member->form == TILE_ROTATION       ? 270
                         : field->storage == TM_STORED_INT16 ? INT16_MAX
                                                             : UINT8_MAX;
    int64_t value;
    if (!take_tile_number(file, least, most, member->form == TILE_MIRRORED, &value))
        return;
    if (member->form == TILE_ROTATION && value % 90)
        tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0, "rotation is 0, 90, 180 or 270");
    else
        set_member(table, k, tile, value);
}

/* Reads a tile. *place is its number in the grid, or -1 if it has no valid position. */
static void read_twmap_tile(tmi_json_file *file, const tile_table *table, const tm_tile_layer *tiles,
                            uint8_t *tile, int64_t *place)
{
    int64_t x = -1, y = -1;
    char key[TMI_KEY_SIZE];
    memset(tile, 0, table->tile_size);
    while (tmi_json_member(file, key)) {
        uint32_t k = 0;
        while (k < table->num && strcmp(table->members[k].key, key) != 0)
            k++;
        if (k < table->num)
            take_tile_member(file, table, k, tile);
        else if (strcmp(key, "x") == 0)
            take_tile_number(file, 0, (int64_t)tiles->width - 1, false, &x);
        else if (strcmp(key, "y") == 0)
            take_tile_number(file, 0, (int64_t)tiles->height - 1, false, &y);
        else
            tmi_unknown_member(file, key);
    }
    *place = x < 0 || y < 0 ? -1 : y * tiles->width + x;
}

/* The size of the grid is only claimed by the file; tmi_tiles_new has checked it against the limits. */
static void read_grid(tmi_json_file *file, tm_layer *layer)
{
    tmi_reading *reading = file->reading;
    const tm_tile_layer *tiles = &layer->as.tiles;
    tile_table table;
    tmi_json_token token = tmi_next_value(file);
    const tm_owner owner = tm_owner_of_elements(layer->kind);
    table.members = members_of_tiles(owner);
    table.tile_size = (uint32_t)tm_owner_size(owner);
    for (table.num = 0; table.members[table.num].key; table.num++)
        table.fields[table.num] = tm_field_find(owner, table.members[table.num].field);
    if (token != TMI_JSON_ARRAY) {
        tmi_json_unexpected(file, token, "a list of tiles: [ ... ]");
        return;
    }
    tm_block *block = layer->as.tiles.tiles;
    uint8_t *grid = block ? atomic_load_explicit(&block->bytes, memory_order_relaxed) : NULL;
    reading->any_tile = true;
    while ((token = tmi_next_value(file)) != TMI_JSON_ARRAY_END && token != TMI_JSON_FAULT &&
           reading->status == TM_OK) {
        uint8_t tile[16];
        int64_t place = -1;
        if (token != TMI_JSON_OBJECT) {
            tmi_json_unexpected(file, token, "a tile: { ... }");
            continue;
        }
        read_twmap_tile(file, &table, tiles, tile, &place);
        if (place < 0)
            tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0, "the tile does not stand in the layer");
        if (place < 0 || !grid)
            continue;
        uint8_t *to = grid + (size_t)place * table.tile_size;
        if (!tmi_all_zero(to, table.tile_size))
            tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0, "a tile stands at this place already");
        memcpy(to, tile, table.tile_size);
    }
}

/* Makes the tiles of a layer, and of physics layers the copy that DDNet stores for Teeworlds. */
static void make_grid(tmi_reading *reading, tm_layer *layer)
{
    const uint64_t num = (uint64_t)layer->as.tiles.width * layer->as.tiles.height;
    tmi_note_status(reading, tmi_tiles_new(reading, &layer->as.tiles.tiles, tmi_encoding_of(layer->kind),
                                           num * tm_game_layer(layer->kind)->element_size));
    if (reading->status == TM_OK && tm_game_layer(layer->kind)->is_physics && layer->kind != TM_LAYER_GAME)
        tmi_note_status(reading, tmi_tiles_new(reading, &layer->as.tiles.compat, TMI_ENCODING_BYTES,
                                               num * sizeof(tm_tile)));
}

static void take_automapper(tmi_json_file *file, tm_automapper *automapper)
{
    const tmi_rows rows = tmi_twmap_rows(TMI_TABLE_AUTOMAPPER);
    const tmi_fields_of target = {{TM_OWNER_TILE_LAYER}, 1, automapper};
    automapper->config = TM_NONE;
    tmi_twmap_take(file, &rows, &target, "automapper_config");
    automapper->present = automapper->config != TM_NONE || automapper->seed || automapper->automatic;
    if (!automapper->present)
        automapper->config = 0;
}

typedef struct twmap_elements {
    tm_buffer bytes;
    uint32_t num;
    bool any;
} twmap_elements;

/* Reads a size member again: the grid was already made with the size that the layer's head gave. */
static bool take_size_again(tmi_json_file *file, const tm_layer *layer, const char *key)
{
    const tmi_rows rows = tmi_twmap_rows(TMI_TABLE_SIZE);
    tm_layer again = *layer;
    const tmi_fields_of target = {{TM_OWNER_LAYER}, 1, &again};
    const tm_tile_layer *is = &layer->as.tiles, *says = &again.as.tiles;
    if (!tmi_twmap_take(file, &rows, &target, key))
        return false;
    if (says->width != is->width || says->height != is->height)
        tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0, "the layer says its %s twice, and not the same",
                       key);
    return true;
}

/* Reads a member of a layer; false if layers of this kind have no such member. */
static bool read_layer_member(tmi_json_file *file, tm_layer *layer, const tmi_fields_of *target,
                              twmap_elements *elements, const char *key)
{
    const bool tiles = tm_game_layer(layer->kind)->is_tiles, quads = layer->kind == TM_LAYER_QUADS;
    const bool physics = tm_game_layer(layer->kind)->is_physics;
    const tmi_rows rows = tmi_twmap_rows(tiles   ? TMI_TABLE_TILES
                                         : quads ? TMI_TABLE_QUADS
                                                 : TMI_TABLE_SOUNDS);
    if (strcmp(key, "type") == 0)
        return tmi_json_skip(file->json, tmi_next_value(file)) || true;
    if (tiles && strcmp(key, "tiles") == 0)
        return read_grid(file, layer), true;
    if (tiles && !physics && strcmp(key, "automapper_config") == 0)
        return take_automapper(file, &layer->as.tiles.automapper), true;
    if (tiles)
        return take_size_again(file, layer, key) || (!physics && tmi_twmap_take(file, &rows, target, key));
    if (strcmp(key, quads ? "quads" : "sources") == 0) {
        const tmi_rows row = tmi_twmap_rows(quads ? TMI_TABLE_QUAD : TMI_TABLE_SOURCE);
        elements->bytes.size = 0;
        elements->any = tmi_read_elements(file, tm_owner_of_elements(layer->kind), &row, &elements->bytes,
                                          &elements->num);
        return true;
    }
    return tmi_twmap_take(file, &rows, target, key);
}

static void read_twmap_body(tmi_json_file *file, tm_layer *layer)
{
    const tmi_fields_of target = tmi_fields_of_layer(layer, layer->kind);
    const tm_layer_info *info = tm_game_layer(layer->kind);
    twmap_elements elements = {.bytes = {.allocator = file->reading->allocator}};
    char key[TMI_KEY_SIZE];
    if (info->is_tiles)
        make_grid(file->reading, layer);
    if (info->is_physics)
        tmi_format(layer->name, sizeof(layer->name), "%s", info->title);
    while (tmi_json_member(file, key))
        if (!read_layer_member(file, layer, &target, &elements, key))
            tmi_unknown_member(file, key);
    if (elements.any)
        tmi_keep_elements(file->reading, layer, &elements.bytes, elements.num, NULL);
    tm_buffer_release(&elements.bytes);
}

void tmi_twmap_read_layer(tmi_reading *reading, const char *group, const char *name, tm_layer *layer)
{
    char path[TMI_PATH_SIZE];
    tmi_json_file file;
    tmi_format(path, sizeof(path), "groups/%s/layers/%s.json", group, name);
    if (!tmi_json_open(&file, reading, path))
        return;
    if (tmi_layer_begin(&file, layer, "type", take_twmap_head))
        read_twmap_body(&file, layer);
    tmi_json_close(&file);
}

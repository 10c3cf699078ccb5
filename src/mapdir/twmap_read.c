/* SPDX-License-Identifier: Zlib */
/*
 * Reads a map from MapDir. Its lists of objects are its files, sorted by name; the number in front of a name
 * is not part of the object's name. Names in files can only refer to files of these lists.
 *
 * MapDir is twmap's folder of JSON, PNG and Opus (docs/mapdir.md); it is only read. What the members of its
 * objects are called, twmap_members.c knows.
 */
#include "mapdir.h"

/* -------------------------------------------------------------------------------------------------- lists */

enum { MAX_NAME = 255 }; /* bytes of a file's name */

/*
 * The size of the part of a path between a folder and an ending, as of "0_sun" in "images/0_sun.png"; 0 if
 * the path does not have this form. `end` NULL: up to the next slash.
 */
static size_t part_of_name(const char *file, const char *folder, const char *end)
{
    const size_t before = strlen(folder);
    if (strncmp(file, folder, before) != 0)
        return 0;
    const char *part = file + before, *slash = strchr(part, '/');
    if (!end)
        return slash ? (size_t)(slash - part) : 0;
    const size_t size = strlen(part), behind = strlen(end);
    return !slash && size > behind && strcmp(part + size - behind, end) == 0 ? size - behind : 0;
}

tm_status tmi_twmap_list(tmi_reading *reading, const char *folder, tm_kind kind, tmi_name_list *out)
{
    static const char *const ends[TM_KIND_LAYER + 1][2] = {[TM_KIND_IMAGE] = {".png", ".json"},
                                                           [TM_KIND_SOUND] = {".opus", NULL},
                                                           [TM_KIND_ENVELOPE] = {".json", NULL},
                                                           [TM_KIND_GROUP] = {NULL, NULL}, /* subfolders */
                                                           [TM_KIND_LAYER] = {".json", NULL}};
    const char *end = ends[kind][0], *other = ends[kind][1];
    uint32_t num = 0;
    for (uint32_t i = 0; i < reading->files->num; i++) {
        const char *file = reading->files->name(reading->files->ctx, i);
        num += part_of_name(file, folder, end) || (other && part_of_name(file, folder, other));
    }
    TM_TRY(tmi_name_list_new(reading, out, num));
    for (uint32_t i = 0; i < reading->files->num; i++) {
        const char *file = reading->files->name(reading->files->ctx, i);
        const char *name = file + strlen(folder), *last = out->num ? out->names[out->num - 1].name : "";
        size_t size = part_of_name(file, folder, end);
        if (!size && other)
            size = part_of_name(file, folder, other);
        /* A folder comes once for each of its files, one after the other, and is added once. */
        if (!size || (strlen(last) == size && strncmp(last, name, size) == 0))
            continue;
        if (size > MAX_NAME)
            return tmi_fail(reading->error, TM_ERROR_LIMIT, -1,
                            "a name in the folder has %llu bytes, more than %d: '%.40s...'",
                            (unsigned long long)size, MAX_NAME, name);
        const char *base;
        TM_TRY(tmi_arena_text(&base, &reading->arena, name, size, "a name", reading->error));
        out->names[out->num] = (tmi_listed){base, out->num, 0};
        out->num++;
    }
    tmi_sort_list(out);
    for (uint32_t i = 0; i < out->num; i++) {
        out->sorted[i].index = i;
        out->names[i] = out->sorted[i];
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- whole map */

static void read_version_file(tmi_reading *reading)
{
    char key[TMI_KEY_SIZE];
    bool any = false;
    tmi_json_file file;
    if (!tmi_json_open(&file, reading, "version.json"))
        return;
    while (tmi_json_member(&file, key)) {
        if (strcmp(key, "type") == 0) {
            const tmi_json_token token = tmi_next_value(&file);
            const char *text = token == TMI_JSON_STRING ? tmi_json_text(file.json) : "";
            any = true;
            if (strcmp(text, "ddnet06") == 0)
                reading->map->game = TM_GAME_DDNET;
            else if (strcmp(text, "teeworlds07") == 0)
                reading->map->game = TM_GAME_TEEWORLDS07;
            else
                tmi_json_unexpected(&file, token, "\"ddnet06\" or \"teeworlds07\"");
        } else if (strcmp(key, "created_by") == 0) {
            tmi_json_skip(file.json, tmi_next_value(&file));
        } else {
            tmi_unknown_member(&file, key);
        }
    }
    if (!any)
        tmi_report_in(reading, TM_FINDING_FOLDER_MISSING, TMI_WHOLE(file.name),
                      "the member 'type' is missing");
    tmi_json_close(&file);
}

static void read_twmap_settings(tmi_json_file *file)
{
    tmi_reading *reading = file->reading;
    tmi_arena arena;
    const tm_json *node = tmi_read_tree(file, tmi_next_value(file), &arena);
    const bool list = node && node->kind == TM_JSON_ARRAY;
    const char **texts = NULL;
    uint32_t num = 0;
    if (list)
        tmi_note_status(reading, tmi_arena_reserve(&texts, &arena, (size_t)node->num + 1, sizeof(*texts),
                                                   "the settings", reading->error));
    for (const tm_json *member = !list ? node : texts ? node->first : NULL; member; member = member->next)
        if (list && member->kind == TM_JSON_TEXT)
            texts[num++] = member->text;
        else
            tmi_report_node(file, member, false,
                            list ? "a text is expected" : "a list of texts: [ ... ] is expected");
    if (num)
        tmi_note_status(reading, tm_map_set_settings(reading->map, texts, num, reading->error));
    tmi_arena_release(&arena);
}

void tmi_twmap_root(tmi_reading *reading)
{
    const tmi_fields_of target = {{TM_KIND_INFO}, 1, &reading->map->info};
    char key[TMI_KEY_SIZE];
    tmi_json_file file;
    read_version_file(reading);
    if (!tmi_file_expected(reading, "info.json") || !tmi_json_open(&file, reading, "info.json"))
        return;
    while (tmi_json_member(&file, key))
        if (strcmp(key, "settings") == 0)
            read_twmap_settings(&file);
        else if (!tmi_read_member(&file, &target, key))
            tmi_unknown_member(&file, key);
    tmi_json_close(&file);
}

/* ------------------------------------------------------------------------------------------------ objects */

/* The name without the number and the underscore in front, if it has these. */
static const char *name_in_stem(const char *stem)
{
    const char *end = stem + strspn(stem, "0123456789");
    if (end == stem)
        return stem;
    return *end == '_' ? end + 1 : *end ? stem : end;
}

void tmi_twmap_image(tmi_reading *reading, const char *stem, tm_image *image)
{
    const tmi_fields_of target = {{TM_KIND_IMAGE}, 1, image};
    char path[TMI_PATH_SIZE], other[TMI_PATH_SIZE];
    tmi_fields_start(&target);
    tmi_note_status(reading, tm_map_set_text(reading->map, &image->name, name_in_stem(stem), reading->error));
    tmi_object_path(path, NULL, TM_KIND_IMAGE, stem, ".png");
    tmi_object_path(other, NULL, TM_KIND_IMAGE, stem, ".json");
    image->external = tmi_find_file(reading->files, path) == TM_NONE;
    if (image->external)
        tmi_read_members_of(reading, other, &target, TMI_OF_IMAGE);
    else
        tmi_read_picture(reading, path, image);
}

void tmi_twmap_sound(tmi_reading *reading, const char *stem, tm_sound *sound)
{
    char path[TMI_PATH_SIZE];
    tmi_note_status(reading, tm_map_set_text(reading->map, &sound->name, name_in_stem(stem), reading->error));
    tmi_object_path(path, NULL, TM_KIND_SOUND, stem, ".opus");
    sound->external = false;
    tmi_read_raw(reading, path, &sound->data);
}

bool tmi_twmap_envelope_type(tmi_json_file *file, tm_envelope *envelope)
{
    const tmi_fields_of target = {{TM_KIND_ENVELOPE}, 1, envelope};
    const tm_field *type = tm_field_find(TM_KIND_ENVELOPE, "type");
    char key[TMI_KEY_SIZE];
    envelope->channels = 0;
    while (!envelope->channels && tmi_json_member(file, key))
        if (strcmp(key, "type") == 0)
            tmi_read_member(file, &target, key);
        else
            tmi_json_skip(file->json, tmi_next_value(file));
    if (envelope->channels && type->choice(envelope->channels)) { /* a type that has a word */
        tmi_json_rewind(file->json);
        return tmi_json_next(file->json) == TMI_JSON_OBJECT;
    }
    tmi_report_in(file->reading, TM_FINDING_FOLDER_MISSING, TMI_WHOLE(file->name),
                  "the envelope does not say its type");
    envelope->channels = TM_ENVELOPE_POSITION;
    return false;
}

/* ------------------------------------------------------------------------------------------------- layers */

/*
 * Reads a tile: its members, and *place, its number in the grid, or -1 if it has no valid position. Mirrored
 * is flipped along x; turned by 180 degrees is flipped along both axes; 90 degrees are a flag of their own.
 */
static void take_tile(tmi_json_file *file, const tm_layer *layer, const tm_json *node, uint8_t *tile,
                      int64_t *place)
{
    const tm_tile_layer *tiles = &layer->as.tiles;
    const tm_kind owner = tm_kind_of_elements(layer->kind);
    const tm_field *flags = tm_field_find(owner, "flags");
    int32_t x = -1, y = -1, mirrored = 0, turned = 0;
    for (const tm_json *member = node->first; member; member = member->next)
        if (strcmp(member->name, "x") == 0)
            tmi_twmap_int(file, member, 0, (int64_t)tiles->width - 1, &x);
        else if (strcmp(member->name, "y") == 0)
            tmi_twmap_int(file, member, 0, (int64_t)tiles->height - 1, &y);
        else if (flags && strcmp(member->name, "mirrored") == 0)
            tmi_twmap_bool(file, member, &mirrored);
        else if (!flags || strcmp(member->name, "rotation") != 0)
            tmi_twmap_take_node(file, &(tmi_fields_of){{owner}, 1, tile}, TMI_TWMAP_FORM, member);
        else if (tmi_twmap_int(file, member, 0, 270, &turned) && turned % 90)
            tmi_report_node(file, member, false, "rotation is 0, 90, 180 or 270");
    if (flags)
        tmi_tile_set(flags, tile,
                     (mirrored ? TM_TILE_FLIP_X : 0) ^ (turned >= 180 ? TM_TILE_FLIP_X | TM_TILE_FLIP_Y : 0) ^
                         (turned % 180 ? TM_TILE_ROTATE : 0));
    *place = x < 0 || y < 0 ? -1 : (int64_t)y * tiles->width + x;
}

/* Reads the tiles that are not air. The size of the grid was checked against the limits (tmi_tiles_new). */
static void read_grid(tmi_json_file *file, tm_layer *layer)
{
    tmi_reading *reading = file->reading;
    const size_t size = tm_game_layer(layer->kind)->element_size;
    tm_block *block = layer->as.tiles.tiles;
    uint8_t *grid = block ? tmi_block_own(block) : NULL;
    tmi_json_token token = tmi_next_value(file);
    if (token != TMI_JSON_ARRAY) {
        tmi_json_unexpected(file, token, "a list of tiles: [ ... ]");
        return;
    }
    reading->any_tile = true;
    while ((token = tmi_next_value(file)) != TMI_JSON_ARRAY_END && token != TMI_JSON_FAULT &&
           reading->status == TM_OK) {
        uint8_t tile[16] = {0};
        int64_t place = -1;
        tmi_arena arena;
        if (token != TMI_JSON_OBJECT) {
            tmi_json_unexpected(file, token, "a tile: { ... }");
            continue;
        }
        const tm_json *node = tmi_read_tree(file, token, &arena);
        if (node)
            take_tile(file, layer, node, tile, &place);
        tmi_arena_release(&arena);
        uint8_t *target = grid && place >= 0 ? grid + (size_t)place * size : NULL;
        if (place < 0)
            tmi_report_token(file, TM_FINDING_FOLDER_VALUE, 0, "the tile does not stand in the layer");
        if (target && !tmi_all_zero(target, size))
            tmi_report_token(file, TM_FINDING_FOLDER_VALUE, 0, "a tile stands at this place already");
        if (target)
            memcpy(target, tile, size);
    }
}

/* Physics layers also get the copy that DDNet stores for Teeworlds. */
void tmi_twmap_begin_layer(tmi_reading *reading, tm_layer *layer)
{
    const tm_layer_info *info = tm_game_layer(layer->kind);
    tm_tile_layer *tiles = &layer->as.tiles;
    if (info->is_tiles)
        tmi_note_status(reading, tmi_tiles_new(reading, &tiles->tiles, layer->kind, tiles));
    if (reading->status == TM_OK && info->is_physics && layer->kind != TM_LAYER_GAME)
        tmi_note_status(reading, tmi_tiles_new(reading, &tiles->compat, TM_LAYER_TILES, tiles));
    if (info->is_physics)
        tmi_format(layer->name, sizeof(layer->name), "%s", info->title);
}

bool tmi_twmap_layer_member(tmi_json_file *file, tm_layer *layer, const char *key)
{
    const tmi_fields_of target = tmi_fields_of_layer(layer, layer->kind);
    const bool tiles = tm_game_layer(layer->kind)->is_tiles;
    if (tiles && strcmp(key, "tiles") == 0)
        return read_grid(file, layer), true;
    if (tm_game_layer(layer->kind)->is_physics)
        return false;
    if (!tiles || strcmp(key, "automapper_config") != 0)
        return tmi_twmap_take(file, &target, TMI_TWMAP_FORM, key);
    tm_automapper *automapper = &layer->as.tiles.automapper;
    automapper->config = TM_NONE;
    tmi_twmap_take(file, &target, TMI_TWMAP_FORM, key);
    automapper->present = automapper->config != TM_NONE || automapper->seed || automapper->automatic;
    if (!automapper->present)
        automapper->config = 0;
    return true;
}

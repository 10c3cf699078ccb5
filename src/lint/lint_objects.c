/* SPDX-License-Identifier: Zlib */
/*
 * Rules of images, sounds, envelopes, groups and layers that are unused or empty, or that games do not ship;
 * of names, marks of conflicts, and what a map says about itself.
 */
#include "lint.h"
#include "../codec/codec.h"

#define RACES  (TM_LINT_DDNET | TM_LINT_KOG)
#define STYLE  TM_LINT_STYLE
#define PLAYED (RACES | TM_LINT_VANILLA | TM_LINT_TEEWORLDS07 | TM_LINT_MODS)

/* ------------------------------------------------------------------------------------- unused and empty */

/* A rule: nothing uses an image, a sound or an envelope. */
static bool is_unused(tmi_lint_object *object)
{
    const tmi_lint_survey *survey = object->lint->survey;
    const bool *used = object->address.kind == TM_KIND_IMAGE   ? survey->images
                       : object->address.kind == TM_KIND_SOUND ? survey->sounds
                                                               : survey->envelopes;
    return !survey->damaged && !used[object->address.index];
}

/* A rule: a layer is empty. Mods find layers of groups like '#Zones' by their names: these do not count. */
static bool layer_empty(tmi_lint_object *object)
{
    const tm_layer *layer = object->layer;
    if (object->lint->map->groups[object->address.index].name[0] == '#' || layer->kind == TM_LAYER_UNKNOWN)
        return false;
    if (layer->kind == TM_LAYER_TILES)
        return object->lint->survey->extents[object->number].empty && !layer->as.tiles.automapper.present;
    return !tm_game_layer(layer->kind)->is_tiles && !tmi_layer_num(layer);
}

static void physics_empty(tmi_lint *lint, uint32_t rule)
{
    for (int kind = 0; kind < TMI_LINT_KINDS; kind++) {
        const tmi_lint_layer *layer = &lint->layers[kind];
        uint64_t num = 0;
        if (kind == TM_LAYER_GAME || (kind == TM_LAYER_SWITCH && tmi_lint_num_played(lint, TM_TILE_DOOR)))
            continue; /* of use without tiles: doors are only solid where there is a switch layer */
        if (!layer->layer || !layer->has_tiles)
            continue; /* a layer of a mod, which `teemap check` reports */
        for (uint32_t index = 1; index < TM_TILE_INDICES; index++)
            num += tmi_lint_num_tiles(lint, (tm_layer_kind)kind, (uint8_t)index);
        if (!num)
            tmi_lint_note_add(lint, rule, tmi_lint_layer_address(lint, (tm_layer_kind)kind),
                              "it holds nothing");
    }
}

static bool group_empty(tmi_lint_object *object)
{
    return !object->group->num_layers;
}

/* -------------------------------------------------------------------------------- images and sounds */

/* DDNet ships maps of Teeworlds 0.6: its images are enough for them, unless the user chose the set. */
static bool ships(const tmi_lint *lint, const char *name, const tm_shipped_image *image)
{
    const bool of_ddnet = lint->game == TM_GAME_DDNET || (lint->guessed && lint->game == TM_GAME_TEEWORLDS06);
    return (image && (image->games[lint->game] || (of_ddnet && image->games[TM_GAME_DDNET]))) ||
           (of_ddnet && tmi_game_image_of_07(name));
}

static bool image_not_shipped(tmi_lint_object *object)
{
    const tm_image *image = object->image;
    const char *game = tm_game_name(object->lint->game);
    /* Skins are files of the player, too: infclass shows them so. */
    if (!image->external || tmi_same_text(image->name, NULL) || strncmp(image->name, "../skins/", 9) == 0)
        return false;
    const tm_shipped_image *shipped = tm_game_shipped_image(image->name);
    if (ships(object->lint, image->name, shipped))
        return false;
    if (!object->lint->survey->damaged && !object->lint->survey->uses[object->address.index].shown)
        object->at_worst = TM_SEVERITY_NOTE;
    if (!shipped || !shipped->last_version)
        return tmi_lint_explain(object, "it is external, but %s does not have it", game);
    if (!shipped->renamed)
        return tmi_lint_explain(object, "it is external, but %s was the last to have it",
                                shipped->last_version);
    tmi_format(object->fix, sizeof(object->fix), "rename image/%u %s", (unsigned)object->address.index,
               shipped->renamed);
    return tmi_lint_explain(object, "it is external, but %s calls it '%s' since %s",
                            tm_game_name(TM_GAME_DDNET), shipped->renamed, shipped->last_version);
}

static bool image_shipped(tmi_lint_object *object)
{
    const tm_image *image = object->image;
    const tm_shipped_image *shipped = tm_game_shipped_image(image->name);
    return !image->external && shipped && shipped->games[object->lint->game] &&
           image->width == (int32_t)shipped->width && image->height == (int32_t)shipped->height &&
           tmi_lint_explain(object, "it is embedded, though %s has an image of this name and size",
                            tm_game_name(object->lint->game));
}

static bool sound_external(tmi_lint_object *object)
{
    return object->sound->external;
}

/* Few bytes are enough for nearly all sounds. No block is unpacked whole: thousands may share a large one. */
static bool sound_not_opus(tmi_lint_object *object)
{
    uint8_t few[4096];
    tmi_lint *lint = object->lint;
    const tm_block *data = object->sound->data;
    size_t num_bytes = sizeof(few);
    if (object->sound->external || !data ||
        (!tmi_block_head(data, few, &num_bytes, NULL) && !tmi_opus_fault(few, num_bytes, data->size)))
        return false;
    num_bytes = TMI_OPUS_HEAD;
    uint8_t *head = tmi_alloc(lint->allocator, TMI_OPUS_HEAD, 1);
    const tm_status status = head ? tmi_block_head(data, head, &num_bytes, lint->error)
                                  : tmi_fail_memory(lint->error, 0, "the head of a sound");
    const char *fault =
        tmi_lint_can_read(lint, status, object->address) ? tmi_opus_fault(head, num_bytes, data->size) : NULL;
    tmi_free(lint->allocator, head, TMI_OPUS_HEAD, 1);
    return fault && tmi_lint_explain(object, "%s, which games need", fault);
}

static void part_unknown(tmi_lint *lint, uint32_t rule)
{
    const tm_map *map = lint->map;
    const char *game = tm_game_name(lint->game);
    tm_layer_walk walk = {0};
    if (map->num_sounds && !tmi_game_holds(lint->game, TM_PART_SOUNDS))
        tmi_lint_note_add(lint, rule, (tm_address){TM_KIND_SOUND, 0, 0}, "%s %s", game,
                          tmi_game_part(TM_PART_SOUNDS)->text);
    const bool settings = map->info.num_settings || map->info.unread_settings;
    if (settings && !tmi_game_holds(lint->game, TM_PART_SETTINGS))
        tmi_lint_note_add(lint, rule, (tm_address){TM_KIND_SETTINGS, 0, 0}, "%s %s", game,
                          tmi_game_part(TM_PART_SETTINGS)->text);
    while (tm_map_next_layer(map, &walk))
        if (!tmi_game_holds_layer(lint->game, walk.layer->kind))
            tmi_lint_note_add(lint, rule, tmi_lint_walk_address(&walk), "%s has no layers of kind %s", game,
                              tm_game_layer(walk.layer->kind)->name);
}

/* ------------------------------------------------------------------------------------- open conflicts */

static bool begins_with(const char *text, const char *word)
{
    return text && strncmp(text, word, strlen(word)) == 0;
}

static void conflict_mark(tmi_lint *lint, uint32_t rule)
{
    static const tm_kind kinds[] = {TM_KIND_GROUP, TM_KIND_LAYER, TM_KIND_IMAGE, TM_KIND_SOUND,
                                    TM_KIND_ENVELOPE};
    for (size_t k = 0; k < TMI_COUNT_OF(kinds); k++) {
        tm_address address = {TM_KIND_MAP, 0, 0};
        while (tmi_next_object(lint->map, &address)) {
            const char *name = tmi_object_name(lint->map, &address);
            if (address.kind == kinds[k] &&
                (begins_with(name, TMI_MARK_OURS) || begins_with(name, TMI_MARK_THEIRS)))
                tmi_lint_note_add(lint, rule, address, "its name is the mark of a conflict: '%s'", name);
        }
    }
    const tm_info *info = &lint->map->info;
    tmi_lint_note *note = NULL;
    for (uint32_t i = 0; i < info->num_settings; i++) {
        if (!begins_with(info->settings[i], TMI_MARK_LINE))
            continue;
        if (note)
            note->count++;
        else if (!(note = tmi_lint_note_add(lint, rule, (tm_address){TM_KIND_SETTINGS, 0, 0},
                                            "line %u is the mark of a conflict: %s", (unsigned)(i + 1),
                                            info->settings[i])))
            return;
    }
}

/* --------------------------------------------------------------------------- what maps say of themselves */

static bool no_author(tmi_lint_object *object)
{
    return tmi_same_text(object->lint->map->info.author, NULL) && !object->lint->map->info.unread_author;
}

static bool no_license(tmi_lint_object *object)
{
    return tmi_same_text(object->lint->map->info.license, NULL) && !object->lint->map->info.unread_license;
}

static bool bad_map_name(tmi_lint_object *object)
{
    static const char end[] = ".map";
    const char *slash = strrchr(object->lint->path, '/'), *file = slash ? slash + 1 : object->lint->path;
    const size_t size = strlen(file), end_size = sizeof(end) - 1;
    char name[TM_ERROR_TEXT_SIZE];
    if (size <= end_size || strcmp(file + size - end_size, end) != 0)
        return false;
    tmi_format(name, sizeof(name), "%.*s", (int)(size - end_size), file);
    const char *fault = tmi_lint_name_fault(name);
    return fault && tmi_lint_explain(object, "the name of its file %s: '%s'", fault, name);
}

static void nameless(tmi_lint *lint, uint32_t rule)
{
    const tm_map *map = lint->map;
    bool any_named = false; /* images of old maps are not */
    for (uint32_t i = 0; i < map->num_images; i++)
        any_named |= !tmi_same_text(map->images[i].name, NULL);
    for (uint32_t i = 0; i < map->num_images && any_named; i++)
        if (tmi_same_text(map->images[i].name, NULL) && !map->images[i].unread_name)
            tmi_lint_note_add(lint, rule, (tm_address){TM_KIND_IMAGE, i, 0}, "it has no name");
    for (uint32_t i = 0; i < map->num_sounds; i++)
        if (tmi_same_text(map->sounds[i].name, NULL) && !map->sounds[i].unread_name)
            tmi_lint_note_add(lint, rule, (tm_address){TM_KIND_SOUND, i, 0}, "it has no name");
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(NO_AUTHOR, TM_LINT_RELEASE, OBJECTS, false, "The map has no author.",
                   "Nobody knows whom to ask or thank.", "teemap edit 'set info.author=NAME'.",
                   "DDNet's rules; King of Gores"),
     .objects = TMI_LINT_AT(INFO), .look = no_author, .phrase = "the map names no author"},
    {TMI_LINT_RULE(NO_LICENSE, TM_LINT_RELEASE, OBJECTS, false, "The map has no license.",
                   "Nobody may change or distribute it.", "teemap edit 'set info.license=LICENSE'.",
                   "DDNet's rules; King of Gores"),
     .objects = TMI_LINT_AT(INFO), .look = no_license, .phrase = "the map names no license"},
    {TMI_LINT_RULE(BAD_MAP_NAME, PLAYED | TM_LINT_RELEASE, OBJECTS, false,
                   "The file name of the map is not valid on other systems or servers.",
                   "Players download maps under their names, and Windows cannot store such a file.",
                   "Rename the file.", "DDNet's rules"),
     .objects = TMI_LINT_AT(MAP), .look = bad_map_name},
    {TMI_LINT_RULE(
         CONFLICT_MARK, TM_LINT_ALL, OBJECTS, false,
         "A layer, another object or a setting marks an unresolved conflict of a merge.",
         "Players see both versions on top of each other.",
         "Resolve it in the editor: keep what is right, and remove the objects named '<<< ours' and '>>> "
         "theirs' and the lines '# conflict: ...'.",
         "docs/compare.md"),
     TMI_LINT_MANY("marks of conflicts", "a merge left them open", NULL), .judge = conflict_mark},
    {TMI_LINT_RULE(UNUSED_IMAGE, STYLE, DESIGN, false, "No layer uses an image.",
                   "Every player downloads it unnecessarily.", "teemap edit 'clean images'.",
                   "DDNet's guidelines"),
     TMI_LINT_FIX("remove", true), .fixes_each = true,
     TMI_LINT_MANY("images", "no layer uses them", "clean images"), .objects = TMI_LINT_AT(IMAGE),
     .look = is_unused, .phrase = "nothing uses it"},
    {TMI_LINT_RULE(UNUSED_SOUND, STYLE, DESIGN, false, "No layer uses a sound.",
                   "Every player downloads it unnecessarily.", "teemap edit 'clean sounds'.",
                   "DDNet's guidelines"),
     TMI_LINT_FIX("remove", true), .fixes_each = true,
     TMI_LINT_MANY("sounds", "no layer uses them", "clean sounds"), .objects = TMI_LINT_AT(SOUND),
     .look = is_unused, .phrase = "nothing uses it"},
    {TMI_LINT_RULE(UNUSED_ENVELOPE, STYLE, DESIGN, false, "Nothing uses an envelope.",
                   "It confuses editors of the map.", "teemap edit 'clean envelopes'.", "DDNet's guidelines"),
     TMI_LINT_FIX("remove", true), .fixes_each = true,
     TMI_LINT_MANY("envelopes", "nothing uses them", "clean envelopes"), .objects = TMI_LINT_AT(ENVELOPE),
     .look = is_unused, .phrase = "nothing uses it"},
    {TMI_LINT_RULE(
         EMPTY_LAYER, STYLE, DESIGN, false, "A layer of design tiles, quads or sounds is empty.",
         "It takes up space and time and clutters the editor. Mods use such layers in groups such as '#Zones'.",
         "teemap edit 'clean layers'.", "DDNet's guidelines"),
     TMI_LINT_FIX("remove", true), .fixes_each = true,
     TMI_LINT_MANY("layers", "they hold nothing", "clean layers"), .objects = TMI_LINT_AT(LAYER),
     .look = layer_empty, .phrase = "it holds nothing"},
    {TMI_LINT_RULE(EMPTY_PHYSICS, STYLE, PHYSICS, false, "A physics layer is empty.",
                   "Servers and players load it unnecessarily.", "teemap edit 'clean layers'.",
                   "DDNet's guidelines"),
     TMI_LINT_FIX("remove", true), .fixes_each = true,
     TMI_LINT_MANY("physics layers", "they hold nothing", "clean layers"), .judge = physics_empty},
    {TMI_LINT_RULE(EMPTY_GROUP, STYLE, OBJECTS, false, "A group has no layers.", "It has no effect.",
                   "teemap edit 'clean groups'.", "DDNet's guidelines"),
     TMI_LINT_FIX("remove", true), .fixes_each = true,
     TMI_LINT_MANY("groups", "they have no layers", "clean groups"), .objects = TMI_LINT_AT(GROUP),
     .look = group_empty, .phrase = "it has no layers"},
    {TMI_LINT_RULE(
         IMAGE_NOT_SHIPPED, PLAYED, DESIGN, false, "The game does not ship an external image.",
         "Players see a replacement, unless they have the file. It is a note if no tile or quad shows it: DDNet only "
         "tells players that it could not be loaded.",
         "Embed it: teemap edit 'embed' with --mapres, or 'replace image'.", "KoG 003; DDNet's guidelines"),
     TMI_LINT_FIX("rename", false), .own_fixes = true, .objects = TMI_LINT_AT(IMAGE),
     .look = image_not_shipped},
    {TMI_LINT_RULE(IMAGE_SHIPPED, STYLE, OBJECTS, true, "The game ships an embedded image.",
                   "Every player downloads what they already have.",
                   "teemap edit 'external' removes the pixels if they equal the game's own.",
                   "DDNet's guidelines"),
     TMI_LINT_FIX("external", true), .fixes_each = true,
     TMI_LINT_MANY("images", "they are embedded, though the game has images of these names and sizes", NULL),
     .objects = TMI_LINT_AT(IMAGE), .look = image_shipped},
    {TMI_LINT_RULE(SOUND_EXTERNAL, PLAYED, OBJECTS, false, "A sound is external.",
                   "No game ships sounds for maps, so nobody hears it.",
                   "teemap edit 'replace sound' with the file.", "twmap check"),
     TMI_LINT_MANY("sounds", "they are external, but no game ships sounds for maps", NULL),
     .objects = TMI_LINT_AT(SOUND), .look = sound_external,
     .phrase = "it is external, but no game ships sounds for maps"},
    {TMI_LINT_RULE(SOUND_NOT_OPUS, PLAYED, SOUNDS, false, "An embedded sound is not an Opus file.",
                   "Games ignore it, so nobody hears it.",
                   "Convert it to Opus, and use teemap edit 'replace sound'.", "twmap check"),
     .objects = TMI_LINT_AT(SOUND), .look = sound_not_opus},
    {TMI_LINT_RULE(PART_UNKNOWN, TM_LINT_VANILLA | TM_LINT_TEEWORLDS07, OBJECTS, false,
                   "The map has sounds, settings or layers that its game does not know.",
                   "In that game, the map lacks them.",
                   "Remove them, or 'teemap convert' to a game that knows them.", "twmap check"),
     .judge = part_unknown},
    {TMI_LINT_RULE(MISSING_NAME, STYLE, OBJECTS, false, "An image or a sound has no name.",
                   "It cannot be distinguished from others, or saved under its name.", "Rename it.",
                   "twmap check"),
     TMI_LINT_MANY("images and sounds", "they have no names", NULL), .judge = nameless},
};
TMI_LINT_FAMILY(tmi_lint_objects, rows);

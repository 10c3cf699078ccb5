/* SPDX-License-Identifier: Zlib */
/*
 * Rules of images, sounds, envelopes, groups and layers: those that are unused or empty, or that players do
 * not have.
 */
#include "lint.h"
#include "../codec/codec.h"

#define RACES  (TM_LINT_DDNET | TM_LINT_KOG)
#define STYLE  TM_LINT_STYLE
#define PLAYED (RACES | TM_LINT_VANILLA | TM_LINT_TEEWORLDS07 | TM_LINT_MODS)

/* --------------------------------------------------------------------------------------------- unused */

static void note_unused(tmi_lint *lint, uint32_t rule, tm_address_kind kind, const bool *used, uint32_t num)
{
    char address[TM_ADDRESS_SIZE];
    for (uint32_t i = 0; i < num && !lint->survey->damaged; i++) {
        if (used[i])
            continue;
        const tm_address at = {kind, i, 0};
        tm_address_format(&at, address, sizeof(address));
        tmi_lint_note_fix(tmi_lint_note_add(lint, rule, at, "nothing uses it"), "remove %s", address);
    }
}

static void unused_image(tmi_lint *lint, uint32_t rule)
{
    note_unused(lint, rule, TM_ADDRESS_IMAGE, lint->survey->images, lint->map->num_images);
}

static void unused_sound(tmi_lint *lint, uint32_t rule)
{
    note_unused(lint, rule, TM_ADDRESS_SOUND, lint->survey->sounds, lint->map->num_sounds);
}

static void unused_envelope(tmi_lint *lint, uint32_t rule)
{
    note_unused(lint, rule, TM_ADDRESS_ENVELOPE, lint->survey->envelopes, lint->map->num_envelopes);
}

/* ---------------------------------------------------------------------------------------------- empty */

static bool holds_nothing(const tmi_lint *lint, const tm_layer *layer, uint32_t number)
{
    switch (layer->kind) {
    case TM_LAYER_TILES: return lint->survey->extents[number].empty && !layer->as.tiles.automapper.present;
    case TM_LAYER_QUADS: return layer->as.quads.num_quads == 0;
    case TM_LAYER_SOUNDS:
    case TM_LAYER_OLD_SOUNDS: return layer->as.sounds.num_sources == 0;
    default: return false;
    }
}

/* In groups like '#Zones' mods look for layers by their names. */
static void layer_empty(tmi_lint *lint, uint32_t rule)
{
    tm_layer_walk at = {0};
    while (tm_map_next_layer(lint->map, &at))
        if (holds_nothing(lint, at.layer, at.number) && lint->map->groups[at.group].name[0] != '#')
            tmi_lint_note_fix(tmi_lint_note_add(lint, rule, tmi_lint_walk_address(&at), "it holds nothing"),
                              "remove %u/%u", (unsigned)at.group, (unsigned)at.index);
}

static void physics_empty(tmi_lint *lint, uint32_t rule)
{
    for (int kind = 0; kind < TMI_LINT_KINDS; kind++) {
        const tmi_lint_layer *layer = &lint->layers[kind];
        uint64_t num = 0;
        if (kind == TM_LAYER_GAME || (kind == TM_LAYER_SWITCH && tmi_lint_num_played(lint, TM_TILE_DOOR)))
            continue; /* of use without tiles: doors are only solid where there is a switch layer */
        if (!layer->layer || !layer->has_tiles)
            continue; /* without tiles it is a layer of a mod, which a check reports */
        for (uint32_t index = 1; index < TM_TILE_INDICES; index++)
            num += tmi_lint_num_tiles(lint, (tm_layer_kind)kind, (uint8_t)index);
        if (!num)
            tmi_lint_note_fix(tmi_lint_note_add(lint, rule, tmi_lint_layer_address(lint, (tm_layer_kind)kind),
                                                "it holds nothing"),
                              "remove %u/%u", (unsigned)layer->group, (unsigned)layer->index);
    }
}

static void group_empty(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t i = 0; i < lint->map->num_groups; i++)
        if (!lint->map->groups[i].num_layers)
            tmi_lint_note_fix(
                tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_GROUP, i, 0}, "it has no layers"),
                "remove %u", (unsigned)i);
}

/* -------------------------------------------------------------------------------- images and sounds */

/* DDNet ships maps of Teeworlds 0.6: what it has is enough, unless the set is asked for. */
static bool ships(const tmi_lint *lint, const char *name, const tm_shipped_image *image)
{
    const bool of_ddnet = lint->game == TM_GAME_DDNET || (lint->guessed && lint->game == TM_GAME_TEEWORLDS06);
    return (image && (image->games[lint->game] || (of_ddnet && image->games[TM_GAME_DDNET]))) ||
           (of_ddnet && tmi_game_image_of_07(name));
}

static void image_not_shipped(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t i = 0; i < lint->map->num_images; i++) {
        const tm_image *image = &lint->map->images[i];
        const tm_address at = {TM_ADDRESS_IMAGE, i, 0};
        const char *game = tm_game_name(lint->game);
        if (!image->external || tmi_same_text(image->name, NULL))
            continue;
        const tm_shipped_image *shipped = tm_game_shipped_image(image->name);
        if (ships(lint, image->name, shipped))
            continue;
        if (shipped && shipped->renamed)
            tmi_lint_note_fix(tmi_lint_note_add(lint, rule, at,
                                                "it is external, but %s calls it '%s' since %s", game,
                                                shipped->renamed, shipped->until),
                              "rename image/%u %s", (unsigned)i, shipped->renamed);
        else if (shipped && shipped->until)
            tmi_lint_note_add(lint, rule, at, "it is external, but %s was the last to have it",
                              shipped->until);
        else
            tmi_lint_note_add(lint, rule, at, "it is external, but %s does not have it", game);
    }
}

static void image_shipped(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t i = 0; i < lint->map->num_images; i++) {
        const tm_image *image = &lint->map->images[i];
        const tm_shipped_image *shipped = image->name ? tm_game_shipped_image(image->name) : NULL;
        if (image->external || !shipped || !shipped->games[lint->game] ||
            image->width != (int32_t)shipped->width || image->height != (int32_t)shipped->height)
            continue;
        tmi_lint_note_fix(tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_IMAGE, i, 0},
                                            "it is embedded, though %s has an image of this name and size",
                                            tm_game_name(lint->game)),
                          "external image/%u", (unsigned)i);
    }
}

static void sound_external(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t i = 0; i < lint->map->num_sounds; i++)
        if (lint->map->sounds[i].external)
            tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_SOUND, i, 0},
                              "it is external, but no game ships sounds for maps");
}

/* Told by its first bytes, as nearly all sounds are fine. */
static bool begins_well(const tm_sound *sound)
{
    uint8_t head[4096];
    size_t size = sizeof(head);
    return !tmi_block_head(sound->data, head, &size, NULL) && tmi_opus_begins(head, size, sound->data->size);
}

static void sound_not_opus(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t i = 0; i < lint->map->num_sounds && !lint->status; i++) {
        const tm_sound *sound = &lint->map->sounds[i];
        const tm_address at = {TM_ADDRESS_SOUND, i, 0};
        tmi_borrowed loan;
        if (sound->external || !sound->data || begins_well(sound))
            continue;
        const tm_status status = tmi_borrowed_open(&loan, lint->map, sound->data, lint->error);
        if (status == TM_ERROR_DAMAGED) { /* checks tell that */
            lint->unread++;
            continue;
        }
        if (status) {
            tmi_lint_fail(lint, tmi_fail_at_address(lint->error, status, lint->map, at));
            return;
        }
        const char *fault = tmi_opus_fault(loan.bytes, (size_t)loan.size);
        if (fault)
            tmi_lint_note_add(lint, rule, at, "%s, which games need", fault);
        tmi_borrowed_close(&loan);
    }
}

/* ---------------------------------------------------------------------------- what the game does not know */

static void part_unknown(tmi_lint *lint, uint32_t rule)
{
    const tm_map *map = lint->map;
    const char *game = tm_game_name(lint->game);
    tm_layer_walk at = {0};
    if (map->num_sounds && !tmi_game_holds(lint->game, TM_PART_SOUNDS))
        tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_SOUND, 0, 0}, "%s %s", game,
                          tmi_game_part(TM_PART_SOUNDS)->text);
    if (map->info.num_settings && !tmi_game_holds(lint->game, TM_PART_SETTINGS))
        tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_SETTINGS, 0, 0}, "%s %s", game,
                          tmi_game_part(TM_PART_SETTINGS)->text);
    while (tm_map_next_layer(map, &at))
        if (!tmi_game_holds_layer(lint->game, at.layer->kind))
            tmi_lint_note_add(lint, rule, tmi_lint_walk_address(&at), "%s has no layers of kind %s", game,
                              tm_game_layer(at.layer->kind)->name);
}

/* ------------------------------------------------------------------------------------- open conflicts */

static bool begins_with(const char *text, const char *word)
{
    return text && strncmp(text, word, strlen(word)) == 0;
}

static void note_mark(tmi_lint *lint, uint32_t rule, tm_address at, const char *name)
{
    if (begins_with(name, TMI_MARK_OURS) || begins_with(name, TMI_MARK_THEIRS))
        tmi_lint_note_add(lint, rule, at, "its name is the mark of a conflict: '%s'", name);
}

static void note_marked_lines(tmi_lint *lint, uint32_t rule)
{
    const tm_info *info = &lint->map->info;
    tmi_lint_note *note = NULL;
    for (uint32_t i = 0; i < info->num_settings; i++) {
        if (!begins_with(info->settings[i], TMI_MARK_LINE))
            continue;
        if (note)
            note->count++;
        else if (!(note = tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_SETTINGS, 0, 0},
                                            "line %u is the mark of a conflict: %s", (unsigned)(i + 1),
                                            info->settings[i])))
            return;
    }
}

static void conflict_mark(tmi_lint *lint, uint32_t rule)
{
    const tm_map *map = lint->map;
    tm_layer_walk at = {0};
    for (uint32_t i = 0; i < map->num_groups; i++)
        note_mark(lint, rule, (tm_address){TM_ADDRESS_GROUP, i, 0}, map->groups[i].name);
    while (tm_map_next_layer(map, &at))
        note_mark(lint, rule, tmi_lint_walk_address(&at), at.layer->name);
    for (uint32_t i = 0; i < map->num_images; i++)
        note_mark(lint, rule, (tm_address){TM_ADDRESS_IMAGE, i, 0}, map->images[i].name);
    for (uint32_t i = 0; i < map->num_sounds; i++)
        note_mark(lint, rule, (tm_address){TM_ADDRESS_SOUND, i, 0}, map->sounds[i].name);
    for (uint32_t i = 0; i < map->num_envelopes; i++)
        note_mark(lint, rule, (tm_address){TM_ADDRESS_ENVELOPE, i, 0}, map->envelopes[i].name);
    note_marked_lines(lint, rule);
}

/* --------------------------------------------------------------------------- what maps say of themselves */

static void note_missing(tmi_lint *lint, uint32_t rule, const char *text, const char *what)
{
    if (tmi_same_text(text, NULL))
        tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_INFO, 0, 0}, "the map names no %s", what);
}

static void no_author(tmi_lint *lint, uint32_t rule)
{
    note_missing(lint, rule, lint->map->info.author, "author");
}

static void no_license(tmi_lint *lint, uint32_t rule)
{
    note_missing(lint, rule, lint->map->info.license, "license");
}

static void bad_map_name(tmi_lint *lint, uint32_t rule)
{
    static const char end[] = ".map";
    const char *slash = strrchr(lint->path, '/'), *file = slash ? slash + 1 : lint->path;
    const size_t size = strlen(file), end_size = sizeof(end) - 1;
    char name[TM_ERROR_TEXT_SIZE];
    if (size <= end_size || strcmp(file + size - end_size, end) != 0)
        return;
    tmi_format(name, sizeof(name), "%.*s", (int)(size - end_size), file);
    const char *fault = tmi_lint_name_fault(name);
    if (fault)
        tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_MAP, 0, 0}, "the name of its file %s: '%s'",
                          fault, name);
}

/* ---------------------------------------------------------------------------------------------- names */

/* Maps of old games name no image at all. */
static bool any_image_is_named(const tm_map *map)
{
    for (uint32_t i = 0; i < map->num_images; i++)
        if (!tmi_same_text(map->images[i].name, NULL))
            return true;
    return false;
}

static void nameless(tmi_lint *lint, uint32_t rule)
{
    const tm_map *map = lint->map;
    const bool others_are_named = any_image_is_named(map);
    for (uint32_t i = 0; i < map->num_images && others_are_named; i++)
        if (tmi_same_text(map->images[i].name, NULL))
            tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_IMAGE, i, 0}, "it has no name");
    for (uint32_t i = 0; i < map->num_sounds; i++)
        if (tmi_same_text(map->sounds[i].name, NULL))
            tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_SOUND, i, 0}, "it has no name");
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(NO_AUTHOR, TM_LINT_RELEASE, OBJECTS, false, "The map has no author.",
                   "Nobody knows whom to ask or thank.", "teemap edit 'set info.author=NAME'.",
                   "DDNet's rules; King of Gores"),
     .judge = no_author},
    {TMI_LINT_RULE(NO_LICENSE, TM_LINT_RELEASE, OBJECTS, false, "The map has no license.",
                   "Nobody may change or distribute it.", "teemap edit 'set info.license=LICENSE'.",
                   "DDNet's rules; King of Gores"),
     .judge = no_license},
    {TMI_LINT_RULE(BAD_MAP_NAME, PLAYED | TM_LINT_RELEASE, OBJECTS, false,
                   "The file name of the map is not valid on other systems or servers.",
                   "Players download maps under their names, and Windows cannot store such a file.",
                   "Rename the file.", "DDNet's rules"),
     .judge = bad_map_name},
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
     TMI_LINT_FIX("remove", true), .own_fixes = true,
     TMI_LINT_MANY("images", "no layer uses them", "clean images"), .judge = unused_image},
    {TMI_LINT_RULE(UNUSED_SOUND, STYLE, DESIGN, false, "No layer uses a sound.",
                   "Every player downloads it unnecessarily.", "teemap edit 'clean sounds'.",
                   "DDNet's guidelines"),
     TMI_LINT_FIX("remove", true), .own_fixes = true,
     TMI_LINT_MANY("sounds", "no layer uses them", "clean sounds"), .judge = unused_sound},
    {TMI_LINT_RULE(UNUSED_ENVELOPE, STYLE, DESIGN, false, "Nothing uses an envelope.",
                   "It confuses editors of the map.", "teemap edit 'clean envelopes'.", "DDNet's guidelines"),
     TMI_LINT_FIX("remove", true), .own_fixes = true,
     TMI_LINT_MANY("envelopes", "nothing uses them", "clean envelopes"), .judge = unused_envelope},
    {TMI_LINT_RULE(
         EMPTY_LAYER, STYLE, DESIGN, false, "A layer of design tiles, quads or sounds is empty.",
         "It takes up space and time and clutters the editor. Mods use such layers in groups such as '#Zones'.",
         "teemap edit 'clean layers'.", "DDNet's guidelines"),
     TMI_LINT_FIX("remove", true), .own_fixes = true,
     TMI_LINT_MANY("layers", "they hold nothing", "clean layers"), .judge = layer_empty},
    {TMI_LINT_RULE(EMPTY_PHYSICS, STYLE, PHYSICS, false, "A physics layer is empty.",
                   "Servers and players load it unnecessarily.", "teemap edit 'clean layers'.",
                   "DDNet's guidelines"),
     TMI_LINT_FIX("remove", true), .own_fixes = true,
     TMI_LINT_MANY("physics layers", "they hold nothing", "clean layers"), .judge = physics_empty},
    {TMI_LINT_RULE(EMPTY_GROUP, STYLE, OBJECTS, false, "A group has no layers.", "It has no effect.",
                   "teemap edit 'clean groups'.", "DDNet's guidelines"),
     TMI_LINT_FIX("remove", true), .own_fixes = true,
     TMI_LINT_MANY("groups", "they have no layers", "clean groups"), .judge = group_empty},
    {TMI_LINT_RULE(IMAGE_NOT_SHIPPED, PLAYED, OBJECTS, false, "The game does not ship an external image.",
                   "Players see a replacement, unless they have the file.",
                   "Embed it: teemap edit 'embed' with --mapres, or 'replace image'.",
                   "KoG 003; DDNet's guidelines"),
     TMI_LINT_EXCEPT(TM_LINT_NINSLASH), TMI_LINT_FIX("rename", false), .own_fixes = true,
     .judge = image_not_shipped},
    {TMI_LINT_RULE(IMAGE_SHIPPED, STYLE, OBJECTS, true, "The game ships an embedded image.",
                   "Every player downloads what they already have.",
                   "teemap edit 'external' removes the pixels if they equal the game's own.",
                   "DDNet's guidelines"),
     TMI_LINT_FIX("external", true), .own_fixes = true,
     TMI_LINT_MANY("images", "they are embedded, though the game has images of these names and sizes", NULL),
     .judge = image_shipped},
    {TMI_LINT_RULE(SOUND_EXTERNAL, PLAYED, OBJECTS, false, "A sound is external.",
                   "No game ships sounds for maps, so nobody hears it.",
                   "teemap edit 'replace sound' with the file.", "twmap check"),
     TMI_LINT_MANY("sounds", "they are external, but no game ships sounds for maps", NULL),
     .judge = sound_external},
    {TMI_LINT_RULE(SOUND_NOT_OPUS, PLAYED, SOUNDS, false, "An embedded sound is not an Opus file.",
                   "Games ignore it, so nobody hears it.",
                   "Convert it to Opus, and use teemap edit 'replace sound'.", "twmap check"),
     .judge = sound_not_opus},
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

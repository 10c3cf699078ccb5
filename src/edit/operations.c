/* SPDX-License-Identifier: Zlib */
/*
 * The table of operations. A new one is a row here, in the section of its family, and a function.
 */
#include "edit.h"
#include "../automap/automap.h"

static const char *const axes[] = {"x", "y", NULL};
static const char *const sides[] = {"left", "right", "up", "down", NULL};
static const char *const fillings[] = {"air", "empty", "edge", "border", NULL};
static const char *const leavings[] = {"cut", "wrap", NULL};
static const char *const factors[] = {"2", "4", "8", "16", NULL};
static const char *const angles[] = {"90", "180", "270", NULL};
static const char *const envelope_types[] = {"sound", "position", "color", NULL};
static const char *const from_ways[] = {"all", "new", NULL};
static const char *const switches[] = {"on", "off", NULL};
static const char *const number_ways[] = {"renumber", "keep", NULL};
/* In the order of tm_layer_kind. */
static const char *const layer_kinds[] = {"tiles",  "game", "tele",  "speedup", "front",
                                          "switch", "tune", "quads", "sounds",  NULL};
static const char *const condition_words[] = {"where", NULL};
static const char *const replacement_words[] = {"with", NULL};
static const char *const stoppers[] = {"stoppers", NULL};
static const char *const double_physics[] = {"merge", "drop", NULL};
static const char *const amounts[] = {"amount", NULL};
static const char *const number_pools[] = {"tele", "checkpoint", "switch", "tune", NULL};

/* Runs for each object of a kind that the arguments select. */
#define EACH(object, runs)        .work = runs, .kind = TM_KIND_##object
#define ONE(label, kind)          .name = label, .type = TM_EDIT_##kind
#define MAYBE(label, kind)        ONE(label, kind), .optional = true
#define ANY(label, kind)          MAYBE(label, kind), .repeats = true
#define SOME(label, kind)         ONE(label, kind), .repeats = true
#define CHOSEN(label, list)       ONE(label, CHOICE), .choices = list
#define MAYBE_CHOSEN(label, list) CHOSEN(label, list), .optional = true
#define WITH(label, kind)         ONE(label, kind), .inner = true
#define MAYBE_WITH(label, kind)   MAYBE(label, kind), .inner = true

/* clang-format off */

static const tmi_edit_row rows[] = {
    /* -- fields */
    {{"set", {{SOME("ADDRESS.FIELD=VALUE", FIELD)}},
      "set fields of any object", "fields",
      "set 'Game/*.detail=false' info.author=Anna", "teemap cat MAP ADDRESS shows the fields of an object, docs/fields.md lists all of them"}, .run = tmi_edit_set},
    {{"rename", {{ONE("ADDRESS", OBJECTS)}, {ONE("NAME", TEXT)}},
      "rename an image, sound, envelope, group or layer", "names",
      "rename 0 Sky", NULL}, EACH(MAP, tmi_edit_rename_at)},

    /* -- settings */
    {{"settings add", {{SOME("COMMAND", TEXT)}},
      "append server commands that the map does not have yet", "settings",
      "settings add 'tune gravity 0.4' 'sv_team 1'", "each command is one text with its arguments, in quotes"}, .run = tmi_settings_add},
    {{"settings remove", {{SOME("PATTERN", PATTERN)}},
      "remove matching server commands", "settings",
      "settings remove 'tune*'", NULL}, .run = tmi_settings_remove},
    {{"settings replace", {{ONE("PATTERN", PATTERN)}, {ONE("COMMAND", TEXT)}},
      "replace matching server commands with another", "settings",
      "settings replace 'sv_team*' 'sv_team 1'", NULL}, .run = tmi_settings_replace},
    {{"settings sort", {{0}},
      "sort the server commands by their bytes", "settings",
      "settings sort", NULL}, .run = tmi_settings_sort},
    {{"settings clear", {{0}},
      "remove all server commands", "settings",
      "settings clear", NULL}, .run = tmi_settings_clear},
    {{"settings from", {{ONE("FILE", FILE)}, {MAYBE_CHOSEN("all|new", from_ways)}},
      "read server commands from a text file: replace all commands, or append only new ones", "settings",
      "settings from server.cfg new", "all, the default, replaces the existing commands"}, .run = tmi_settings_from},

    /* -- structure */
    {{"add image", {{ONE("NAME", TEXT)}, {MAYBE("FILE", FILE)}},
      "add an external image, or one with the pixels of a PNG or WebP", "images",
      "add image walls walls.png", NULL}, .run = tmi_edit_add_object, .kind = TM_KIND_IMAGE},
    {{"add sound", {{ONE("NAME", TEXT)}, {MAYBE("FILE", FILE)}},
      "add an external sound, or one from an Opus file", "sounds",
      "add sound bird bird.opus", NULL}, .run = tmi_edit_add_object, .kind = TM_KIND_SOUND},
    {{"add envelope", {{CHOSEN("sound|position|color", envelope_types)}, {MAYBE("NAME", TEXT)}},
      "add an envelope without points", "envelopes",
      "add envelope color Blink", NULL}, .run = tmi_edit_add_envelope, .kind = TM_KIND_ENVELOPE},
    {{"add group", {{MAYBE("NAME", TEXT)}},
      "add an empty group in front of all others", "groups",
      "add group Sky", NULL}, .run = tmi_edit_add_object, .kind = TM_KIND_GROUP},
    {{"add layer", {{ONE("GROUP", GROUP)}, {CHOSEN("KIND", layer_kinds)}, {MAYBE("SIZE", SIZE)}},
      "add an empty layer in front of the other layers of a group; the default size is that of the map", "layers",
      "add layer Game tiles 50x30", NULL}, .run = tmi_edit_add_layer},
    {{"add point", {{ONE("ENVELOPE", OBJECTS)}, {ONE("MS", NUMBER)}, {ANY("VALUE", TEXT)}},
      "add a point to an envelope, in order of time, with a value for each channel", "envelopes",
      "add point envelope/Blink 500 1 0.5 0 1", "values: volume; x and y in px and rotation in degrees; red, green, blue, alpha from 0 to 1; missing values are 0"}, .run = tmi_edit_add_point},
    {{"add quad", {{ONE("LAYER", OBJECTS)}, {ONE("X,Y", PIXELS)}, {MAYBE("SIZE", SIZE)}},
      "add an upright quad with its top left corner at a place in px; the default size is that of its image, or 64x64 px", "quads",
      "add quad Sky/0 320,64 128x96", NULL}, .run = tmi_edit_add_quad},
    {{"add source", {{ONE("LAYER", OBJECTS)}, {ONE("X,Y", PIXELS)}},
      "add a sound source at a place in px", "sound sources",
      "add source Noise/0 320,64", "set its fields with 'set Noise/0.sources[0].loop=true'"}, .run = tmi_edit_add_source},
    {{"remove", {{SOME("ADDRESS", OBJECTS)}},
      "remove images, sounds, envelopes, groups, layers, or their quads, sources and points; references to them "
      "become none", "objects, references",
      "remove 2/0 'image/old*' '3/1.quads[4]'", "a map without a game layer is written, but no game opens it"}, .run = tmi_edit_remove},
    {{"move", {{ONE("ADDRESS", OBJECTS)}, {ONE("PLACE", PLACE)}},
      "move an object to another place in the order; layers also to another group", "order",
      "move Game/Front Game/0", "PLACE is the new index of the object"}, .run = tmi_edit_put_at},
    {{"duplicate", {{ONE("ADDRESS", OBJECTS)}, {MAYBE("PLACE", PLACE)}},
      "put a copy of an object after it, or at a place", "objects",
      "duplicate Sky end", NULL}, .run = tmi_edit_put_at},
    {{"isolate", {{0}},
      "move physics layers to a separate group", "groups",
      "isolate", NULL}, .run = tmi_edit_isolate},

    /* -- clean */
    {{"clean all", {{0}},
      "remove everything unused: layers, groups, envelopes, images, sounds", "objects",
      "clean all", NULL}, .run = tmi_clean_all},
    {{"clean layers", {{0}},
      "remove empty layers, except game layers", "layers",
      "clean layers", NULL}, .run = tmi_clean_layers},
    {{"clean groups", {{0}},
      "remove groups without layers", "groups",
      "clean groups", NULL}, .run = tmi_clean_groups},
    {{"clean envelopes", {{0}},
      "remove unused envelopes", "envelopes",
      "clean envelopes", NULL}, .run = tmi_clean_objects, .kind = TM_KIND_ENVELOPE},
    {{"clean images", {{0}},
      "remove unused images", "images",
      "clean images", NULL}, .run = tmi_clean_objects, .kind = TM_KIND_IMAGE},
    {{"clean sounds", {{0}},
      "remove unused sounds", "sounds",
      "clean sounds", NULL}, .run = tmi_clean_objects, .kind = TM_KIND_SOUND},
    {{"clean unread", {{0}},
      "remove texts, names and settings that are too long or too damaged to be read, so that they can be set", "texts",
      "clean unread", NULL}, .run = tmi_clean_unread},
    {{"clean quads", {{MAYBE("LAYERS", LAYERS)}},
      "remove invisible quads: without alpha or extent", "quads",
      "clean quads Sky", NULL}, EACH(LAYER, tmi_quads_change)},
    {{"join all", {{0}},
      "merge equal images, sounds and envelopes", "objects, references",
      "join all", NULL}, .run = tmi_join_objects},
    {{"join images", {{0}},
      "merge images with the same name and equal pixels", "images, references",
      "join images", NULL}, .run = tmi_join_objects, .kind = TM_KIND_IMAGE},
    {{"join sounds", {{0}},
      "merge sounds with the same name and equal data", "sounds, references",
      "join sounds", NULL}, .run = tmi_join_objects, .kind = TM_KIND_SOUND},
    {{"join envelopes", {{0}},
      "merge equal envelopes", "envelopes, references",
      "join envelopes", NULL}, .run = tmi_join_objects, .kind = TM_KIND_ENVELOPE},

    {{"optimize", {{0}},
      "make the map smaller without visible or gameplay changes: join and clean all, zero flags of air, shrink", "objects, references, tiles",
      "optimize", NULL}, .run = tmi_edit_optimize},
    /*
     * Colors below alpha 0 stay: where pictures are filtered they are seen at the edge of what is visible, and
     * from far away in all of a cell. Who wants them even all the same has blank colors and dilate.
     */
    {{"optimize images", {{0}},
      "make images smaller without visible changes: clear parts that nothing shows", "images",
      "optimize images", NULL}, .run = tmi_edit_by_uses},

    {{"optimize colors", {{0}},
      "give invisible pixels of images the colors of their neighbours, so that they pack well; edges may look slightly better", "images",
      "optimize colors", NULL}, .run = tmi_edit_by_uses},

    /* -- geometry */
    {{"mirror", {{CHOSEN("x|y", axes)}, {MAYBE("LAYERS", LAYERS)}},
      "mirror the whole map, or layers in place: x swaps left and right, y top and bottom", "groups, layers, envelopes",
      "mirror x", NULL}, .run = tmi_edit_turn},
    {{"rotate", {{CHOSEN("90|180|270", angles)}, {MAYBE("LAYERS", LAYERS)}},
      "rotate the whole map clockwise, or layers in place", "groups, layers, envelopes",
      "rotate 90", NULL}, .run = tmi_edit_turn},
    {{"shift", {{ONE("X,Y", POINT)}, {MAYBE_CHOSEN("cut|wrap", leavings)}, {MAYBE("LAYERS", LAYERS)}},
      "move the whole map, or tiles within layers; parts that leave it are cut off, or wrap around", "groups, layers",
      "shift 5,-3 wrap", "the default is cut"}, .run = tmi_edit_shift},
    {{"crop", {{MAYBE("REGION", REGION)}, {MAYBE_WITH("LAYERS", LAYERS)}},
      "crop the map to a region or to its non-empty part, or crop design layers to a region", "groups, layers",
      "crop 10,20+100x50", "the non-empty part holds every tile, quad and sound source that moves with the game layer"}, .run = tmi_edit_crop},
    {{"extend", {{CHOSEN("left|right|up|down", sides)}, {ONE("TILES", NUMBER)}, {MAYBE_CHOSEN("air|empty|edge|border", fillings)}, {MAYBE("LAYERS", LAYERS)}},
      "extend the map, or design layers, at one side", "groups, layers",
      "extend left 20 edge", "air, the default: no physics tiles, and design continues as it looks; empty: no design tiles either; edge: repeat the outermost tiles, except spawns, doors and other unique tiles; border: the two outermost rows or columns move to the new edge"}, .run = tmi_edit_extend},
    {{"scale", {{CHOSEN("2|4|8|16", factors)}},
      "scale the map with everything in it", "groups, layers, envelopes, images",
      "scale 2", NULL}, .run = tmi_edit_scale},
    {{"trim", {{MAYBE("LAYERS", LAYERS)}},
      "remove rows and columns at the right and bottom of design layers that only repeat the previous one", "layers",
      "trim design", NULL}, EACH(LAYER, tmi_layer_trim)},
    {{"shrink", {{0}},
      "trim design layers on all four sides; the map looks the same", "groups, layers",
      "shrink", NULL}, .run = tmi_edit_shrink},
    {{"opaque", {{MAYBE("LAYERS", LAYERS)}},
      "set the opaque flag of design tiles from the pixels of their image", "layers",
      "opaque design", NULL}, EACH(LAYER, tmi_layer_opaque)},
    {{"automap", {{MAYBE("LAYERS", LAYERS)}, {MAYBE("CONFIG", TEXT)}, {MAYBE("SEED", NUMBER)}, {MAYBE_CHOSEN("REFERENCE", tmi_automap_references)}, {MAYBE_CHOSEN("amount", amounts)}, {WITH("DOODADS", NUMBER)}},
      "map design layers by the rules of their images, with a configuration or with each layer's automapper", "layers",
      "automap 'Main/Walls' Basic", "CONFIG is the name or number of a configuration; SEED 0 picks a random one; REFERENCE is what the first run reads instead of the layer; DOODADS is the amount of doodads of Teeworlds 0.7, 1 to 100"}, .run = tmi_edit_automap},
    {{"automap by", {{ONE("FILE", FILE)}, {MAYBE("LAYERS", LAYERS)}, {MAYBE("CONFIG", TEXT)}, {MAYBE("SEED", NUMBER)}, {MAYBE_CHOSEN("REFERENCE", tmi_automap_references)}, {MAYBE_CHOSEN("amount", amounts)}, {WITH("DOODADS", NUMBER)}},
      "map design layers by a file of rules; the default is layers whose image has the name of the file", "layers",
      "automap by walls.rules Main/Walls", "CONFIG is the name or number of a configuration; SEED 0 picks a random one; REFERENCE is what the first run reads instead of the layer; DOODADS is the amount of doodads of Teeworlds 0.7, 1 to 100"}, .run = tmi_edit_automap},

    /* -- tiles */
    {{"fill", {{ONE("LAYERS", LAYERS)}, {ONE("TILE", TILE)}, {MAYBE_CHOSEN("where", condition_words)}, {WITH("PATTERN", TILES)}},
      "write one tile everywhere, or only where a pattern matches", "tiles",
      "fill Game/Front@10,20+5x5 freeze", "docs/patterns.md explains tiles and patterns"}, .run = tmi_edit_fill},
    {{"clear", {{MAYBE("LAYERS", LAYERS)}, {MAYBE_CHOSEN("where", condition_words)}, {WITH("PATTERN", TILES)}},
      "make all tiles air, and remove quads and sound sources; or make only matching tiles air", "tiles, quads, sources",
      "clear game where 'Back/*'", "docs/patterns.md explains patterns"}, .run = tmi_edit_clear},
    {{"replace", {{ONE("PATTERN", TILES)}, {CHOSEN("with", replacement_words)}, {ONE("TILE", TILE)}, {MAYBE("LAYERS", LAYERS)}},
      "replace matching tiles with another", "tiles",
      "replace freeze with unfreeze Game", "docs/patterns.md explains tiles and patterns"}, .run = tmi_edit_replace},

    {{"construct", {{ONE("TILE", TILE)}, {ONE("LAYERS", LAYERS)}, {MAYBE("PATTERN", TILES)}},
      "write a physics tile under all tiles, or all matching tiles, of design layers that are aligned with the game", "physics",
      "construct freeze Main/Freeze", "a layer is aligned with the game if its group has parallax 100 and an offset of whole tiles"}, .run = tmi_edit_construct},
    {{"borders", {{MAYBE("TILE", TILE)}, {MAYBE_WITH("WIDTH", NUMBER)}},
      "put a border around the game layer: solid and 2 tiles wide by default", "tiles",
      "borders solid 4", NULL}, .run = tmi_edit_borders},
    {{"clean tiles", {{0}},
      "remove solid and death tiles from the game layer where nothing is drawn over them", "tiles",
      "clean tiles", NULL}, .run = tmi_clean_tiles},
    {{"normalize", {{MAYBE_CHOSEN("stoppers", stoppers)}},
      "reset flags of physics tiles that have no effect, or that have a simpler form", "flags",
      "normalize stoppers", "stoppers: also reset mirrored one-way stoppers; they block the same direction, but tees next to them notice the change"}, .run = tmi_edit_normalize},
    {{"migrate speedups", {{MAYBE("LAYERS", LAYERS)}},
      "convert old speedups to new ones, and report which play differently", "speedups",
      "migrate speedups", NULL}, .run = tmi_edit_migrate_speedups},
    {{"zero unused", {{MAYBE("LAYERS", LAYERS)}},
      "zero bytes of tiles that no game reads", "tiles",
      "zero unused", NULL}, .run = tmi_edit_zero_unused},
    {{"join physics", {{MAYBE_CHOSEN("merge|drop", double_physics)}},
      "merge physics layers of the same kind: fill air with tiles of the others, or drop the others", "layers, tiles",
      "join physics merge", "merge, the default, fills air of the last layer with tiles of the others; drop removes the others"}, .run = tmi_join_physics},

    /* -- numbers */
    {{"renumber", {{CHOSEN("POOL", number_pools)}, {ONE("CHANGE", TEXT)}, {MAYBE("LAYERS", LAYERS)}},
      "renumber teleporters, checkpoints, switches or tuning zones, also in settings", "numbers of tiles, settings",
      "renumber tele 5..9+10", "CHANGE is compact (renumber to 1, 2, 3 and so on), +10, -3, 5=7, 5..9+10, or several separated by commas: 3=5,5=3"}, .run = tmi_edit_renumber},
    {{"swap numbers", {{CHOSEN("POOL", number_pools)}, {ONE("A", NUMBER)}, {ONE("B", NUMBER)}, {MAYBE("LAYERS", LAYERS)}},
      "exchange two numbers of a pool", "numbers of tiles, settings",
      "swap numbers switch 1 2", NULL}, .run = tmi_edit_swap_numbers},

    /* -- envelopes */
    {{"envelope scale", {{ONE("FACTOR", FACTOR)}, {ANY("ENVELOPE", OBJECTS)}},
      "multiply the duration of envelopes and their time offsets", "envelopes, offsets",
      "envelope scale 1.5 envelope/Sun", "2 is twice as long, so half as fast"}, EACH(ENVELOPE, tmi_envelope_scale)},
    {{"envelope shift", {{ONE("MS", NUMBER)}, {ANY("ENVELOPE", OBJECTS)}},
      "start envelopes this many ms later in their loop", "envelopes",
      "envelope shift 500 'envelope/cloud*'", NULL}, EACH(ENVELOPE, tmi_envelope_shift)},
    {{"envelope reverse", {{ANY("ENVELOPE", OBJECTS)}},
      "reverse envelopes", "envelopes",
      "envelope reverse envelope/3", NULL}, EACH(ENVELOPE, tmi_envelope_reverse)},
    {{"envelope resample", {{ONE("MS", NUMBER)}, {ANY("ENVELOPE", OBJECTS)}},
      "replace curves with straight lines, with a point every MS", "envelopes",
      "envelope resample 50", NULL}, .run = tmi_envelope_resample},
    {{"envelope sort", {{ANY("ENVELOPE", OBJECTS)}},
      "sort points by time, and remove those before 0", "envelopes",
      "envelope sort", NULL}, EACH(ENVELOPE, tmi_envelope_sort)},
    {{"envelope sync", {{CHOSEN("on|off", switches)}, {ANY("ENVELOPE", OBJECTS)}},
      "run envelopes on server time, or on each player's time", "envelopes",
      "envelope sync on", NULL}, EACH(ENVELOPE, tmi_envelope_sync)},

    /* -- images and sounds */
    {{"dilate", {{ANY("IMAGE", OBJECTS)}},
      "give invisible pixels the color of visible neighbours, as DDNet's editor does", "images",
      "dilate image/walls", NULL}, EACH(IMAGE, tmi_image_dilate)},
    {{"dilate cells", {{ANY("IMAGE", OBJECTS)}},
      "dilate each of an image's 256 cells separately", "images",
      "dilate cells image/walls", NULL}, EACH(IMAGE, tmi_image_dilate)},
    {{"blank", {{ANY("IMAGE", OBJECTS)}},
      "clear parts of images that no tile and no quad shows", "images",
      "blank 'image/grass*'", NULL}, .run = tmi_edit_by_uses},
    {{"blank colors", {{ANY("IMAGE", OBJECTS)}},
      "make invisible pixels black; dilate afterwards", "images",
      "blank colors image/walls", NULL}, EACH(IMAGE, tmi_image_blank_colors)},
    {{"resize images", {{ANY("IMAGE", OBJECTS)}},
      "stretch images to multiples of 16 px, which all games accept for tiles", "images",
      "resize images", NULL}, EACH(IMAGE, tmi_image_resize)},
    {{"rgba", {{ANY("IMAGE", OBJECTS)}},
      "add an alpha channel to images without one", "images",
      "rgba", NULL}, EACH(IMAGE, tmi_image_rgba)},
    {{"embed", {{ANY("IMAGE", OBJECTS)}},
      "embed the pixels of external images", "images",
      "embed 'image/grass*'", "searched for in --mapres, next to the map, and in installed games"}, EACH(IMAGE, tmi_image_embed)},
    {{"external", {{ANY("IMAGE", OBJECTS)}},
      "make embedded images external if they equal the game's own, which players have", "images",
      "external", NULL}, EACH(IMAGE, tmi_image_externalize)},
    {{"external sizes", {{ANY("IMAGE", OBJECTS)}},
      "set the sizes of external images to their real sizes", "images",
      "external sizes", NULL}, EACH(IMAGE, tmi_image_fill_size)},
    {{"external sounds", {{SOME("SOUND", OBJECTS)}},
      "remove the data of sounds, for players who have them", "sounds",
      "external sounds 'sound/*'", NULL}, EACH(SOUND, tmi_sound_externalize)},
    {{"replace image", {{ONE("IMAGE", OBJECTS)}, {ONE("FILE", FILE)}},
      "give an image the pixels of a PNG or WebP and keep its name; game:NAME makes it an external image of the game", "images",
      "replace image image/walls walls.png", "game:desert_main refers to the game's image of that name, without pixels in the map"}, .run = tmi_edit_replace_content, .kind = TM_KIND_IMAGE},
    {{"replace sound", {{ONE("SOUND", OBJECTS)}, {ONE("FILE", FILE)}},
      "give a sound the data of an Opus file and keep its name", "sounds",
      "replace sound sound/bird bird.opus", NULL}, .run = tmi_edit_replace_content, .kind = TM_KIND_SOUND},

    /* -- quads */
    {{"quads align", {{MAYBE("LAYERS", LAYERS)}},
      "round all points of quads to whole pixels", "quads",
      "quads align Sky", NULL}, EACH(LAYER, tmi_quads_change)},
    {{"quads square", {{MAYBE("LAYERS", LAYERS)}},
      "make quads upright rectangles of the same size", "quads",
      "quads square Sky@0,0+20x20", NULL}, EACH(LAYER, tmi_quads_change)},
    {{"quads aspect", {{MAYBE("LAYERS", LAYERS)}},
      "give quads the aspect ratio of their image", "quads",
      "quads aspect Sky", NULL}, EACH(LAYER, tmi_quads_change)},
    {{"quads center", {{MAYBE("LAYERS", LAYERS)}},
      "center the pivots of quads", "quads",
      "quads center Sky", NULL}, EACH(LAYER, tmi_quads_change)},
    {{"quads scale", {{ONE("FACTOR", FACTOR)}, {MAYBE("LAYERS", LAYERS)}},
      "scale quads around their pivots", "quads",
      "quads scale 1.5 Sky", NULL}, EACH(LAYER, tmi_quads_change)},
    {{"quads turn", {{ONE("DEGREES", NUMBER)}, {MAYBE("LAYERS", LAYERS)}},
      "rotate quads clockwise around their pivots", "quads",
      "quads turn 45 Sky/Sun", NULL}, EACH(LAYER, tmi_quads_change)},
    {{"quads front", {{ONE("LAYERS", LAYERS)}},
      "draw the quads of a region in front of the others of their layer: quads front 'Back@0,0+20x20'", "quads",
      "quads front Sky@0,0+20x20", NULL}, EACH(LAYER, tmi_quads_change)},
    {{"quads back", {{ONE("LAYERS", LAYERS)}},
      "draw the quads of a region behind the others of their layer", "quads",
      "quads back Sky@0,0+20x20", NULL}, EACH(LAYER, tmi_quads_change)},
    {{"quads knife", {{ONE("LAYER", OBJECTS)}, {ONE("QUAD", NUMBER)}, {SOME("X,Y", PIXELS)}},
      "cut a part of a quad into a new quad: four corners in px, top left, top right, bottom left, bottom right", "quads",
      "quads knife Sky/0 3 0,0 64,0 0,32 64,32", "with a position envelope, the part keeps the pivot, so that both move together"}, .run = tmi_quads_knife},
    {{"quads from", {{ONE("FILE", FILE)}, {MAYBE("X,Y", POINT)}, {MAYBE("PIXELS", NUMBER)}},
      "draw a picture with quads, one per rectangle of one color; a pixel takes 4 px, or PIXELS", "groups",
      "quads from logo.png 10,20 8", NULL}, .run = tmi_quads_from},
    {{"tiles from", {{ONE("FILE", FILE)}, {MAYBE("X,Y", POINT)}},
      "draw a picture with tiles, one per pixel, in layers of 255 colors", "groups, images",
      "tiles from logo.png 10,20", NULL}, .run = tmi_tiles_from},

    /* -- other maps */
    {{"append", {{ONE("OTHER", MAP)}, {MAYBE("LAYERS", LAYERS)}, {MAYBE_CHOSEN("renumber|keep", number_ways)}},
      "add groups of another map in front: everything except physics, and its settings; or only the given layers", "all",
      "append other.map Deco", "renumber, the default: teleporters, switches and tuning zones get free numbers; keep: they keep their numbers"}, .run = tmi_edit_append},
    {{"paste", {{ONE("OTHER", MAP)}, {ONE("REGION", REGION)}, {ONE("X,Y", POINT)}, {MAYBE("LAYERS", LAYERS)}, {MAYBE_CHOSEN("renumber|keep", number_ways)}},
      "paste a region of another map: tiles of all kinds, quads, sound sources", "all",
      "paste other.map 0,0+50x30 10,20", "renumber, the default: teleporters, switches and tuning zones get free numbers; keep: they keep their numbers; groups that do not move with the game layer are only pasted if LAYERS names them"}, .run = tmi_edit_paste},
};

/* clang-format on */

const tm_edit_operation *tm_edit_at(uint32_t n)
{
    return n < TMI_COUNT_OF(rows) ? &rows[n].public : NULL;
}

const tm_edit_operation *tm_edit_find(const char *name)
{
    for (size_t i = 0; name && i < TMI_COUNT_OF(rows); i++)
        if (strcmp(rows[i].public.name, name) == 0)
            return &rows[i].public;
    return NULL;
}

const tmi_edit_row *tmi_edit_row_of(const tm_edit_operation *operation)
{
    for (size_t i = 0; i < TMI_COUNT_OF(rows); i++)
        if (&rows[i].public == operation)
            return &rows[i];
    return NULL;
}

/* SPDX-License-Identifier: Zlib */
/*
 * commands.c - the table itself: every command with what it takes and how it is explained. Texts are written
 * for people who have a map and a question. Nothing else in cli/ lists commands; the options are in
 * options.c.
 */
#include "command.h"

/* What pictures have in common: where the camera stands, and what is drawn how. */
#define CAMERA_OPTIONS                                                                      \
    {OPTION_VIEW, NULL}, {OPTION_ZOOM, NULL}, {OPTION_REGION, NULL}, {OPTION_WHOLE, NULL},  \
        {OPTION_FLAT, NULL}, {OPTION_SCALE, NULL},                                          \
    {                                                                                       \
        OPTION_SIZE, "pixels of the picture, or what it is fitted into (default 1920x1080)" \
    }
/* ... and how it becomes a file. */
#define PACKING_OPTIONS       \
    {OPTION_QUALITY, NULL},   \
    {                         \
        OPTION_COMPRESS, NULL \
    }
#define DRAWING_OPTIONS                                                                               \
    {OPTION_LAYERS, NULL}, {OPTION_ENTITIES, NULL}, {OPTION_NUMBERS, NULL}, {OPTION_SHEET, NULL},     \
        {OPTION_DETAIL, NULL}, {OPTION_BACKGROUND, NULL}, {OPTION_LOOK, NULL}, {OPTION_MAPRES, NULL}, \
        {OPTION_STRICT, NULL}, {OPTION_MISSING_LIST, NULL},                                           \
    {                                                                                                 \
        OPTION_LIMIT, NULL                                                                            \
    }

const command commands[] = {
    {
        .name = "info",
        .summary = "what is inside a map",
        .usages = {"[OPTION]... PATH..."},
        .text =
            "Prints what a map says about itself and what it is made of: game, size, author, settings, the "
            "number of everything, "
            "bytes packed and unpacked, the features it uses, and what is odd about it.\n\n"
            "Only names and numbers are read: a map that unpacks to hundreds of megabytes takes no longer "
            "than another.",
        .options = {{OPTION_VERBOSE, "add the tree of groups and layers, all settings, all findings"},
                    {OPTION_HASH, NULL},
                    {OPTION_JSON, NULL},
                    {OPTION_RECURSIVE, NULL},
                    {OPTION_MODE, NULL},
                    {OPTION_THREADS, NULL},
                    {OPTION_QUIET, "no progress; leave out the findings"}},
        .examples = {{"info Tutorial.map", "the most important"},
                     {"info -v --hash *.map", "everything about several maps"},
                     {"info -r --json maps/ > maps.jsonl", "one JSON object for each map in a folder"}},
        .min_operands = 1,
        .max_operands = -1,
        .operands = "map",
        .run = cmd_info,
    },
    {
        .name = "ls",
        .summary = "the tree of a map with the address of each object",
        .usages = {"[OPTION]... MAP [ADDRESS]"},
        .text = "Lists the objects of a map, each with its address. Every command that asks for an ADDRESS "
                "takes them, and names "
                "may stand in for numbers:\n\n"
                "2, Game\ta group, by its number or name\n"
                "2/3, Game/Front\ta layer in it\n"
                "image/0, image/grass_main, sound/0, envelope/3\tother objects\n"
                "info, settings\tthe map's texts\n"
                "item/17, data/4\tthe n-th item and data block of the file\n"
                "=2\ta group that is called '2'\n\n"
                "Without an object's number, image, sound, envelope, item and data list all of their kind.",
        .options = {{OPTION_RAW, NULL},
                    {OPTION_JSON, NULL},
                    {OPTION_MODE, NULL},
                    {OPTION_QUIET, NULL},
                    {OPTION_VERBOSE, "tell notes about the file too, not only warnings"}},
        .examples = {{"ls Tutorial.map", "all objects"},
                     {"ls Tutorial.map Game", "one group with its layers"},
                     {"ls Tutorial.map image", "the images"},
                     {"ls --raw Tutorial.map", "items and blocks of the file"}},
        .min_operands = 1,
        .max_operands = 2,
        .operands = "map none",
        .run = cmd_ls,
    },
    {
        .name = "cat",
        .summary = "one object of a map: an image as PNG, a sound as Opus, tiles as numbers",
        .usages = {"[OPTION]... MAP ADDRESS"},
        .text =
            "Writes the object itself to standard output, or to a file with -o. 'teemap ls MAP' shows the "
            "addresses.\n\n"
            "info, settings\ttext\n"
            "image\tthe embedded picture as PNG\n"
            "sound\tthe Opus file\n"
            "tile layer\tone line of numbers for each row\n"
            "quad layer, sound layer, envelope\tone line for each quad, source, point\n"
            "group\tits properties\n"
            "item\tthe bytes of its body\n"
            "data\tthe unpacked bytes of the block",
        .options = {{OPTION_OUTPUT, NULL},
                    {OPTION_JSON, "print a typed object with all fields instead"},
                    {OPTION_FIELD, NULL},
                    {OPTION_MODE, NULL},
                    {OPTION_QUIET, NULL},
                    {OPTION_VERBOSE, "tell notes about the file too, not only warnings"}},
        .examples = {{"cat Tutorial.map settings", "the server settings, one a line"},
                     {"cat Tutorial.map image/0 -o tileset.png", "save an image"},
                     {"cat Tutorial.map Game/Game", "the game layer as numbers"},
                     {"cat --json Tutorial.map envelope/0", "an envelope with all points"}},
        .min_operands = 2,
        .max_operands = 2,
        .operands = "map none",
        .run = cmd_cat,
    },
    {
        .name = "copy",
        .summary = "load maps and save them: unchanged, repacked, or as another game writes them",
        .usages = {"[OPTION]... IN OUT", "[OPTION]... -t DIR IN...", "[OPTION]... -i PATH..."},
        .text =
            "Loads each map into the typed model and saves it. Without further options the bytes stay the "
            "same, which "
            "shows that the map is understood. What the other game of --game cannot hold is left out and "
            "reported as a warning.\n\n"
            "A file is replaced only when the new one is complete. IN itself is never changed, except with "
            "-i. "
            "A lone - stands for standard input or output. An OUT that is a folder receives a file of the "
            "same name.",
        .options = {{OPTION_FOLDER, NULL},
                    {OPTION_IN_PLACE, NULL},
                    {OPTION_GAME, "write everything as this game writes it"},
                    {OPTION_RECOMPRESS, NULL},
                    {OPTION_THROUGH, NULL},
                    {OPTION_MODE, NULL},
                    {OPTION_RECURSIVE,
                     "take all *.map files in folders; with -t their places below the folder are kept"},
                    {OPTION_DRY_RUN, NULL},
                    {OPTION_JSON, NULL},
                    {OPTION_THREADS, NULL},
                    {OPTION_VERBOSE, "a line for each file; notes too, not only warnings"},
                    {OPTION_QUIET, NULL}},
        .examples = {{"copy old.map new.map", "an exact copy, through the model"},
                     {"copy -t smaller -z 12 *.map", "repack maps as small as it gets"},
                     {"copy -m salvage -g ddnet broken.map rescued.map", "rescue what can be rescued"},
                     {"copy -g teeworlds07 in.map out.map", "write as Teeworlds 0.7 does"},
                     {"copy -i -r -z 9 maps", "repack all maps in a folder where they are"}},
        .min_operands = 1,
        .max_operands = -1,
        .operands = "map",
        .run = cmd_copy,
    },
    {
        .name = "check",
        .summary = "what is wrong with maps, and whether the games open them",
        .usages = {"[OPTION]... PATH..."},
        .text =
            "Reads everything in the files, data included, and prints what it finds, one finding a line "
            "with its id in brackets; "
            "docs/findings.md explains the ids. An error means that the game refuses the map or cannot get "
            "a part of it. "
            "A warning matters to somebody; a note is only unusual.\n\n"
            "With --mode strict the measure is the loader of DDNet 20: without errors it opens the map.\n\n"
            "The exit status is 0 without errors, 1 with errors, 2 when a file could not be read.",
        .options = {{OPTION_MODE, NULL},
                    {OPTION_JSON, NULL},
                    {OPTION_RECURSIVE, NULL},
                    {OPTION_THREADS, NULL},
                    {OPTION_VERBOSE, "notes too, and a line for maps without findings"},
                    {OPTION_QUIET, "print nothing, tell by the exit status"}},
        .examples = {{"check Tutorial.map", "errors and warnings"},
                     {"check --mode strict -r maps", "would DDNet 20 open all of them?"},
                     {"check -q new.map && cp new.map server/maps", "use only what is sound"}},
        .min_operands = 1,
        .max_operands = -1,
        .operands = "map",
        .run = cmd_check,
    },
    {
        .name = "new",
        .summary = "make a small map that opens in the games",
        .usages = {"[OPTION]... OUT"},
        .text =
            "Writes a map to start from: a group with a sky of one quad, and the group 'Game' with a game "
            "layer. The layer is a "
            "closed box: hookable tiles around the edge, spawn points in a row above the floor, so that one "
            "can join and walk at "
            "once. The game layer itself is not drawn by the games: add tile layers in the editor for what "
            "players see.",
        .options = {{OPTION_SIZE, NULL},
                    {OPTION_GAME, "the game to make it for (default ddnet)"},
                    {OPTION_FORCE, NULL},
                    {OPTION_JSON, NULL},
                    {OPTION_VERBOSE, "say what was written"},
                    {OPTION_QUIET, NULL}},
        .examples = {{"new start.map", "50x50 tiles for DDNet"},
                     {"new --size 200x80 --game teeworlds07 arena.map", "for Teeworlds 0.7"}},
        .min_operands = 1,
        .max_operands = 1,
        .operands = "map",
        .run = cmd_new,
    },
    {
        .name = "render",
        .summary = "draw a map as a picture",
        .usages = {"[OPTION]... MAP"},
        .text =
            "Draws the map as the games' clients do, on the CPU, and writes it to FILE with -o, else to a PNG of the map's name in the current "
            "folder. The name of FILE tells the format: .png, .webp, or .rgba or .raw for raw pixels (4 bytes, RGBA); - is a PNG to a pipe, unless --format says "
            "otherwise. Without further options the picture shows the whole map.\n\n"
            "--view\twhat a player sees, with parallax and clipping\n"
            "--region\ta rectangle of the map; groups stand as they are seen from its middle, or with --flat all in place\n\n"
            "External images are searched in the folders of --mapres, beside the map, in the user's and the installed games' folders, and in "
            "TEEMAP_MAPRES. One that is not found is a warning.",
        .options = {{OPTION_OUTPUT, "the picture (default: NAME.png for NAME.map)"},
                    {OPTION_FORMAT, NULL},
                    PACKING_OPTIONS,
                    CAMERA_OPTIONS,
                    {OPTION_TIME, NULL},
                    DRAWING_OPTIONS,
                    {OPTION_MISSING, NULL},
                    {OPTION_MODE, NULL},
                    {OPTION_THREADS, NULL},
                    {OPTION_JSON, NULL},
                    {OPTION_VERBOSE, "say what was written; notes about the file too"},
                    {OPTION_QUIET, NULL}},
        .examples = {{"render Tutorial.map", "the whole map, as Tutorial.png"},
                     {"render Tutorial.map --view 60,40 -o view.png", "what a player sees there"},
                     {"render Tutorial.map --view 60,40 --quality 80 -o view.webp",
                      "the same for a web page"},
                     {"render Tutorial.map --region 10,20,64,36 --scale 32", "a part, 32 pixels a tile"},
                     {"render Tutorial.map --entities --layers design@30 --scale 16",
                      "what the tiles do, over a faint design"},
                     {"render Tutorial.map --scale 8 --background transparent",
                      "everything, 8 pixels a tile"}},
        .min_operands = 1,
        .max_operands = 1,
        .operands = "map",
        .run = cmd_render,
    },
    {
        .name = "animate",
        .summary = "draw a map in motion: animated WebP or PNG, frames, or raw video for ffmpeg",
        .usages = {"[OPTION]... MAP -o FILE", "[OPTION]... MAP -t DIR"},
        .text =
            "Draws one frame after the other, with the camera of 'teemap render'. The name of the output tells the format:\n\n"
            "FILE.apng\tan animated PNG, lossless\n"
            "FILE.webp\tan animated WebP, lossless or with --quality\n"
            "FILE.rgba, FILE.raw, -\traw video: 4 bytes (RGBA) a pixel and nothing between two frames\n"
            "-t DIR\tframes, DIR/NAME-00001.png and so on, or what --format says\n\n"
            "Without --duration the animation lasts until everything that moves has come round, so that it can be "
            "repeated without a jump; at most 20 seconds. What does not move gives one frame. Without --view the sides "
            "of the picture are made even, since most video formats want that.\n\n"
            "ffmpeg makes a video of either, as the examples show. Of a pipe it must be told the size of the picture, which -v "
            "prints.",
        .options = {{OPTION_FOLDER, "write the frames into this folder"},
                    {OPTION_OUTPUT, "write one animation to FILE, or with - raw video to a pipe"},
                    {OPTION_FORMAT,
                     "webp, apng or raw, whatever FILE is called; of frames png (default), webp or raw"},
                    PACKING_OPTIONS,
                    {OPTION_FPS, NULL},
                    {OPTION_DURATION, NULL},
                    {OPTION_TIME, "of the first frame: milliseconds since the map began (default 0)"},
                    CAMERA_OPTIONS,
                    DRAWING_OPTIONS,
                    {OPTION_MISSING, NULL},
                    {OPTION_MODE, NULL},
                    {OPTION_THREADS, NULL},
                    {OPTION_JSON, NULL},
                    {OPTION_VERBOSE, "say how many frames of which size; notes about the file too"},
                    {OPTION_QUIET, NULL}},
        .examples =
            {{"animate Tutorial.map --view 60,40 --size 640x360 --quality 80 -o tutorial.webp",
              "for a web page"},
             {"animate Tutorial.map --view 60,40 --size 640x360 -t frames && ffmpeg -framerate 25 -i frames/Tutorial-%05d.png "
              "-pix_fmt yuv420p tutorial.mp4",
              "frames in a folder, then a video of them"},
             {"animate Tutorial.map --view 60,40 --size 640x360 -o - | ffmpeg -f rawvideo -pix_fmt rgba -s 640x360 "
              "-r 25 -i - -pix_fmt yuv420p tutorial.mp4",
              "a video at once"},
             {"animate Tutorial.map --scale 4 --time 5000 --duration 2000 --fps 50 -t frames",
              "two seconds of the whole map"}},
        .min_operands = 1,
        .max_operands = 1,
        .operands = "map",
        .run = cmd_animate,
    },
    {
        .name = "thumbnail",
        .summary = "small pictures of many maps, each of its most telling view",
        .usages = {"[OPTION]... -t DIR MAP...", "[OPTION]... -o FILE MAP"},
        .text =
            "Draws a small PNG of each map: NAME.png in DIR for NAME.map. Made for folders of thousands of maps: what is up "
            "to date is skipped, several maps are drawn at once, and a map that cannot be drawn does not stop the "
            "others; the exit status is then 2.\n\n"
            "The view is a player's at normal zoom. Around spawn points, flags, start and finish, and one busy place in each "
            "part of the map, tiny pictures are drawn; the one with the most colors and the fewest bare walls wins. "
            "A map that is smaller than the view is shown whole. The same map always gives the same picture.\n\n"
            "A thumbnail is up to date when it was written after the map last changed and has the wanted size. "
            "External images are searched as by 'teemap render'; what is not found is left out.",
        .options =
            {{OPTION_FOLDER, "write the pictures into this folder"},
             {OPTION_OUTPUT, "of a single map: write to FILE, always"},
             {OPTION_SIZE, "pixels of a picture (default 360x225)"},
             {OPTION_COMPRESS, NULL},
             {OPTION_FORCE, "draw what is up to date, too"},
             {OPTION_RECURSIVE, "take all *.map files in folders; their places below the folder are kept"},
             {OPTION_THREADS, NULL},
             {OPTION_TIME, NULL},
             DRAWING_OPTIONS,
             {OPTION_MISSING,
              "external images that are not found: left out (none, the default), as the client shows them "
              "(client), or the layer's color alone (white)"},
             {OPTION_MODE, NULL},
             {OPTION_JSON, NULL},
             {OPTION_VERBOSE, "a line for each map; notes about the files too"},
             {OPTION_QUIET, NULL}},
        .examples = {{"thumbnail -r -t pictures maps", "a picture of every map in a folder"},
                     {"thumbnail -r -t pictures maps --json > list.jsonl",
                      "the same, with a list for a web site"},
                     {"thumbnail Tutorial.map -o Tutorial.png --size 800x500", "one larger picture"}},
        .min_operands = 1,
        .max_operands = -1,
        .operands = "map",
        .run = cmd_thumbnail,
    },
    {
        .name = "tiles",
        .summary = "a map to zoom into: a pyramid of tiles and a page that shows it in a browser",
        .usages = {"[OPTION]... -t DIR MAP"},
        .text =
            "Draws the whole map at many scales, cut into squares of 256 pixels, and writes DIR/index.html, which shows them: open it "
            "in a browser, from the disk or from a web server. It pans and zooms by mouse, touch and keys, switches groups "
            "and physics layers, tells the coordinates, and keeps the place in its address, so that it can be sent to "
            "somebody. It needs nothing from elsewhere.\n\n"
            "Each group has a pyramid of its own in DIR/tiles, and so has each physics layer. Squares on which nothing is drawn are left "
            "out. All that lies in the game layer's area is drawn, and a border of 24 tiles left and right and 17 "
            "above and below, which is as far as a player sees.\n\n"
            "A pyramid in DIR is replaced. The page is written last and names the squares that belong to it; "
            "what an earlier one left is not shown.",
        .options =
            {{OPTION_FOLDER, "write the page and the tiles into this folder"},
             {OPTION_SCALE,
              "pixels a tile of the map has at the largest scale: a power of two from 1 to 256 (default 32)"},
             {OPTION_FORMAT, "what the tiles are written as: png (default) or webp"},
             {OPTION_QUALITY, NULL},
             {OPTION_COMPRESS, NULL},
             {OPTION_TIME, NULL},
             {OPTION_LAYERS, NULL},
             {OPTION_ENTITIES,
              "of the physics layers take these alone (default: all, switched off in the page)"},
             {OPTION_NUMBERS, NULL},
             {OPTION_SHEET, NULL},
             {OPTION_DETAIL, NULL},
             {OPTION_BACKGROUND, NULL},
             {OPTION_LOOK, NULL},
             {OPTION_MAPRES, NULL},
             {OPTION_MISSING, NULL},
             {OPTION_STRICT, NULL},
             {OPTION_MISSING_LIST, NULL},
             {OPTION_LIMIT,
              "refuse maps that cost more than this, the pixels of all layers of all tiles; 500M is 500 million "
              "(default 200G)"},
             {OPTION_MODE, NULL},
             {OPTION_THREADS, NULL},
             {OPTION_JSON, NULL},
             {OPTION_VERBOSE, "notes about the file too"},
             {OPTION_QUIET, "no warnings, no progress, no summary; errors only"}},
        .examples = {{"tiles Tutorial.map -t tutorial && xdg-open tutorial/index.html",
                      "look around in a map"},
                     {"tiles Tutorial.map -t tutorial --scale 64", "twice as deep, for large screens"},
                     {"tiles Tutorial.map -t tutorial --layers design", "without the physics layers"}},
        .min_operands = 1,
        .max_operands = 1,
        .operands = "map",
        .run = cmd_tiles,
    },
    {
        .name = "doctor",
        .summary = "what teemap finds on this machine: games, folders for images, libraries",
        .usages = {"[OPTION]... [MAP]"},
        .text =
            "Prints the versions of teemap and its libraries, the number of threads, and in which folders external "
            "images are searched, in order. Maps of Teeworlds 0.7 take the images of that game first, all others those "
            "of DDNet. What is missing is told together with how to install it. Of a MAP each external image is "
            "listed with the file that it comes from.\n\n"
            "The folders: those of --mapres; the map's own, mapres in it and beside it; the users' and the installed "
            "games' on Linux (packages, Steam, Flatpak), macOS and Windows; that of the variable TEEMAP_MAPRES.\n\n"
            "The exit status is 0, whatever is missing, and 2 when MAP cannot be read.",
        .options = {{OPTION_MAPRES, NULL},
                    {OPTION_MODE, NULL},
                    {OPTION_THREADS, "the number that would be used"},
                    {OPTION_JSON, NULL},
                    {OPTION_VERBOSE, "list the folders that are not there, too"}},
        .examples = {{"doctor", "for a report about a fault"},
                     {"doctor Tutorial.map", "which images of this map are missing?"},
                     {"doctor --json | jq .folders", "for scripts"}},
        .min_operands = 0,
        .max_operands = 1,
        .operands = "map",
        .run = cmd_doctor,
    },
    {
        .name = "help",
        .summary = "explain a command",
        .usages = {"[COMMAND]", "--man [COMMAND]", "--completion SHELL"},
        .text = "Prints what 'teemap COMMAND --help' prints. With --man it prints the manual page, with "
                "--completion the script that "
                "completes command lines in a shell.",
        .options = {{OPTION_MAN, NULL}, {OPTION_COMPLETION, NULL}},
        .examples = {{"help copy", "what copy does"},
                     {"help --man info | man -l -", "a manual page that is not installed"},
                     {"help --completion bash > ~/.local/share/bash-completion/completions/teemap",
                      "complete commands in bash"}},
        .min_operands = 0,
        .max_operands = 1,
        .operands = "command",
        .run = cmd_help,
    },
};

const size_t num_commands = sizeof(commands) / sizeof(commands[0]);

/* SPDX-License-Identifier: Zlib */
/*
 * cmd_find.c - `teemap find`: tiles, objects and texts that fit patterns (teemap/query.h), in any number of
 * maps. Only the library knows what a pattern means; here are files, lines, and pictures of the places.
 */
#include "find_pictures.h"

typedef struct find_words {
    picture_options draw; /* of the pictures; begins with the common ones */
    word_list patterns;
    bool count, names, numbers, tiles;
    const char *pictures;
    uint32_t most, places;
} find_words;

static const option_row find_rows[] = {
    {'e', "pattern", "PATTERN", WORDS_AT(find_words, patterns), .list = "patterns", .group = GROUP_PART,
     .text = "pattern to search for, instead of the operand PATTERN; may be repeated"},
    {'c', "count", NULL, FLAG_AT(find_words, count), .text = "print only the number of places in each map"},
    {0, "places", "N", INTEGER_AT(find_words, places, 1, UINT32_MAX), .preset = "100000",
     .text = "list at most this many places per map; the others are only counted"},
    {'l', "names", NULL, FLAG_AT(find_words, names), .text = "print only the paths of maps with a match"},
    {0, "free", NULL, FLAG_AT(find_words, numbers),
     .text =
         "do not search; print the used numbers of teleporters, checkpoints, switches and tuning zones, and the next "
         "free one"},
    {0, "tiles", NULL, FLAG_AT(find_words, tiles), .text = "list all tile names and what the tiles do"},
    {0, "pictures", "DIR", FOLDER_AT(find_words, pictures),
     .text =
         "draw the places with matching tiles to this folder, one subfolder per map; adjacent places share a picture"},
    {0, "most", "N", INTEGER_AT(find_words, most, 1, 100000), .preset = "100",
     .text = "draw at most this many pictures per map"},
    JSON_EACH_ROW,
    DRAWING_ROWS("none"),
    MEMORY_ROW,
    PICTURE_LIMIT_ROW,
    RECURSIVE_ROW("search all *.map files in folders, recursively"),
    RUNNING_ROWS("also print findings about the files"),
    {0},
};

COMMAND(find, find_words, 0, -1, .operands = {OPERAND_PATTERN, OPERAND_MAP}, .searches_images = true);

/* -------------------------------------------------------------------------------------------------- lines */

typedef struct find_run {
    cli_tool *tool;
    file_list files;
    tm_pattern *patterns[MAX_WORDS];
    uint32_t num;
    atomic_bool found;
} find_run;

/* One map at work. */
typedef struct find_map {
    find_run *run;
    const tm_mod *mod; /* of the map, looked for when names of tiles are needed; NULL: none */
    bool knows_mod;
    const char *path;
    loaded file;
    cli_report *report;
    uint64_t counts[MAX_WORDS], places[MAX_WORDS];
    uint64_t listed, unlisted; /* places */
    json_t *list;              /* of places; NULL: not asked for */
    find_places pictures;
} find_map;

/* Describes the tiles of a match: "freeze", "tele-in:5"; if they differ, the first one "and others". */
static void describe_tiles(text *out, const find_map *map, const tm_layer *layer, const tm_match *match)
{
    const tm_layer_info *info = tm_game_layer(layer->kind);
    const uint8_t *tile = (const uint8_t *)match->grid.tiles +
                          (size_t)match->rect.y * match->grid.row_stride +
                          (size_t)match->rect.x * match->grid.tile_size;
    const uint8_t index = tile[info->index_at];
    const tm_tile_info *tile_info = tm_mod_tile(map->mod, TM_GAME_DDNET, layer->kind, index);
    if (tile_info)
        text_string(out, tile_info->id);
    else
        text_print(out, "%u", index);
    if (info->number_at != TM_NONE && tile_info && tile_info->number != TM_NUMBER_NONE)
        text_print(out, ":%u", tile[info->number_at]);
    for (uint32_t y = 0; y < match->rect.height; y++)
        for (uint32_t x = 0; x < match->rect.width; x++)
            if ((tile + y * match->grid.row_stride + (size_t)x * match->grid.tile_size)[info->index_at] !=
                index) {
                text_string(out, " and others");
                return;
            }
}

static json_t *json_match(const find_map *search, const tm_match *match)
{
    char address[TM_ADDRESS_SIZE], place[TM_ERROR_PLACE_SIZE];
    tm_address_format(&match->address, address, sizeof(address));
    tm_address_describe(&match->address, search->file.map, place, sizeof(place));
    return json_object(
        JSON_INT("pattern", match->pattern), JSON_TEXT("address", address), JSON_TEXT("place", place),
        JSON_VALUE("region", match->rect.width ? json_rect(&match->rect) : NULL),
        JSON_INT("count", match->count), JSON_TEXT("field", match->field), JSON_TEXT("text", match->text));
}

static void put_match_line(const find_map *search, const tm_match *match)
{
    char address[TM_ADDRESS_SIZE];
    text *out = search->report->out;
    tm_address_format(&match->address, address, sizeof(address));
    put_about(out, search->path, "%s", address);
    if (match->rect.width) {
        text_print(out, "@%" PRId32 ",%" PRId32 "+%" PRIu32 "x%" PRIu32 ": ", match->rect.x, match->rect.y,
                   match->rect.width, match->rect.height);
        text_count(out, match->count, "tile", "tiles");
        text_string(out, ", ");
        describe_tiles(out, search,
                       &search->file.map->groups[match->address.index].layers[match->address.layer], match);
    } else {
        if (match->address.kind == TM_KIND_INFO && match->field) /* as `edit set` reads it */
            text_print(out, ".%s", match->field);
        text_string(out, ": ");
        text_safe(out, match->text);
    }
    text_put(out, "\n", 1);
}

static bool add_match(void *ctx, const tm_match *match)
{
    find_map *search = ctx;
    const find_words *words = search->run->tool->options;
    search->counts[match->pattern] += match->count;
    search->places[match->pattern]++;
    atomic_store(&search->run->found, true);
    if (words->pictures && match->rect.width)
        find_places_add(&search->pictures, match, words->most);
    if (words->count || words->names || search->listed == words->places)
        search->unlisted++;
    else if (search->list)
        json_append(search->list, json_match(search, match));
    else if (!words->draw.common.quiet) {
        if (!search->knows_mod && match->rect.width && !search->mod)
            (void)tm_map_find_mod(&search->mod, NULL, 0, search->file.map,
                                  NULL); /* without it names are the game's */
        search->knows_mod = true;
        put_match_line(search, match);
    }
    search->listed += search->unlisted == 0;
    return !words->names || words->pictures || search->list;
}

/* Prints what follows the places of a map: counts, its name, or how many more places there are. */
static void put_sums(const find_map *search)
{
    const find_words *words = search->run->tool->options;
    text *out = search->report->out;
    for (uint32_t i = 0; i < search->run->num && words->count; i++) {
        put_about(out, search->path, "%" PRIu64, search->counts[i]);
        if (search->run->num > 1) {
            text_string(out, " ");
            text_safe(out, tm_pattern_text(search->run->patterns[i]));
        }
        text_put(out, "\n", 1);
    }
    if (words->names && search->listed + search->unlisted)
        text_line(out, "%s", path_name(search->path));
    else if (search->unlisted && search->listed)
        put_note(search->report->err, search->path, "and %" PRIu64 " more places; --places lists more\n",
                 search->unlisted);
}

static void put_find_json(find_map *search)
{
    json_t *object = json_object(JSON_TEXT("path", search->path)), *sums = json_add_array(object, "patterns");
    for (uint32_t i = 0; i < search->run->num; i++)
        json_append(sums,
                    json_object(JSON_TEXT("pattern", tm_pattern_text(search->run->patterns[i])),
                                JSON_INT("count", search->counts[i]), JSON_INT("places", search->places[i])));
    json_add(object, "matches", search->list);
    json_add_int(object, "matches_unlisted", (int64_t)search->unlisted);
    search->list = NULL;
    if (search->file.status)
        json_add_error(object, &search->file.error);
    text_json_line(search->report->out, object);
}

static void find_in_map(void *ctx, cli_report *report)
{
    find_run *run = ctx;
    cli_tool *tool = run->tool;
    const find_words *words = tool->options;
    find_map search = {.run = run,
                       .mod = tool->common->mod,
                       .path = report->path,
                       .report = report,
                       .pictures = {.options = &words->draw,
                                    .folder = words->pictures,
                                    .files = &run->files,
                                    .index = report->index}};
    load_map(&search.file, search.path, tool->common->mode);
    if (tool->common->json)
        search.list = json_array();
    if (!search.file.status)
        search.file.status = tm_map_find(search.file.map, run->patterns, run->num, NULL, add_match, &search,
                                         &search.file.error);
    if (search.file.map && search.pictures.num) {
        tm_error error = {.offset = -1};
        const tm_status status = find_places_draw(&search.pictures, &search.file, report->job, &error);
        if (status)
            report_error(report, &error);
    }
    if (tool->common->verbose)
        report_loaded(report, &search.file, SHOW_ERRORS);
    raise_status(&report->status, search.file.findings.errors ? STATUS_FINDINGS : STATUS_DONE);
    if (tool->common->json)
        put_find_json(&search);
    else
        put_sums(&search);
    if (search.file.status)
        report_error(report, &search.file.error);
    find_places_release(&search.pictures);
    loaded_release(&search.file);
}

/* ------------------------------------------------------------------------------------------------ numbers */

static const tm_tile_number pools[] = {TM_NUMBER_TELE, TM_NUMBER_CHECKPOINT, TM_NUMBER_SWITCH,
                                       TM_NUMBER_ZONE};
enum { NUM_POOLS = sizeof(pools) / sizeof(*pools), NUMBERS = 256 };

/* The smallest number that no tile has; 0: none is left. */
static int next_free(const uint64_t counts[NUMBERS])
{
    for (int n = 1; n < NUMBERS; n++)
        if (!counts[n])
            return n;
    return 0;
}

/* Writes the numbers that are used, as "1-3,7". */
static void put_ranges(text *out, const uint64_t counts[NUMBERS])
{
    bool any = false;
    for (int from = 1, to; from < NUMBERS; from = to + 1) {
        for (to = from; to < NUMBERS && counts[to];)
            to++;
        if (to > from) {
            text_print(out, to - 1 > from ? "%s%d-%d" : "%s%d", any ? "," : "", from, to - 1);
            any = true;
        }
    }
    if (!any)
        text_string(out, "none");
}

static void put_numbers_line(text *out, const char *path, tm_tile_number pool, const uint64_t counts[NUMBERS])
{
    const int next = next_free(counts);
    put_about(out, path, "%s: ", tm_number_pool_name(pool));
    put_ranges(out, counts);
    if (next)
        text_print(out, "; next free %d\n", next);
    else
        text_string(out, "; none free\n");
}

static void add_numbers_json(json_t *object, tm_tile_number pool, const uint64_t counts[NUMBERS])
{
    json_t *row = json_add_object(object, tm_number_pool_name(pool)), *used = json_add_array(row, "used");
    const int next = next_free(counts);
    for (int n = 1; n < NUMBERS; n++)
        if (counts[n])
            json_append(used, json_object(JSON_INT("number", n), JSON_INT("tiles", counts[n])));
    json_add(row, "next_free", next ? json_integer(next) : json_null());
}

static void numbers_of_map(void *ctx, cli_report *report)
{
    find_run *run = ctx;
    cli_tool *tool = run->tool;
    const char *path = report->path;
    json_t *object = tool->common->json ? json_object(JSON_TEXT("path", path)) : NULL,
           *numbers = object ? json_add_object(object, "numbers") : NULL;
    loaded file;
    load_map(&file, path, tool->common->mode);
    for (size_t i = 0; i < NUM_POOLS && !file.status; i++) {
        uint64_t counts[NUMBERS];
        file.status = tm_map_numbers(counts, file.map, pools[i], &file.error);
        if (!file.status && object)
            add_numbers_json(numbers, pools[i], counts);
        else if (!file.status)
            put_numbers_line(report->out, path, pools[i], counts);
        for (int n = 1; n < NUMBERS && !file.status; n++)
            if (counts[n])
                atomic_store(&run->found, true);
    }
    if (object) {
        if (file.status)
            json_add_error(object, &file.error);
        text_json_line(report->out, object);
    }
    if (file.status)
        report_error(report, &file.error);
    loaded_release(&file);
}

/* -------------------------------------------------------------------------------------------- the command */

static void put_tile_names(text *out)
{
    text rows = {0};
    const tm_tile_info *row;
    for (uint32_t n = 0; (row = tm_game_tile_at(n)); n++)
        text_print(&rows, "%s\t%u\t%s\t%s\n", row->id, row->index, tm_tile_category_name(row->category),
                   row->title);
    text_columns(out, &rows, "lrll");
    text_release(&rows);
}

/* Takes the patterns of -e, else the first operand; the other operands are maps. */
static bool choose_patterns(find_run *run, word_list *list)
{
    cli_tool *tool = run->tool;
    const find_words *words = tool->options;
    *list = words->patterns;
    const bool from_operand = !list->num && !words->numbers;
    if (from_operand) {
        if (!tool->num_operands) {
            tool_usage(tool, "no pattern was given");
            return false;
        }
        list->words[list->num++] = tool->operands[0];
        tool->operands++;
        tool->num_operands--;
    }
    if (!tool->num_operands) {
        const tm_sys_kind kind = from_operand ? tm_sys_kind_of(list->words[0]) : TM_SYS_MISSING;
        tool_usage(tool, kind == TM_SYS_FILE || kind == TM_SYS_FOLDER ? "no pattern was given before the map"
                                                                      : "no map was given");
    }
    return tool->num_operands > 0;
}

/*
 * Where the first word is a map and a later one a pattern, says that patterns come first; false: it is not
 * so.
 */
static bool refuse_operand_order(cli_tool *tool, const char *first)
{
    const tm_sys_kind kind = tm_sys_kind_of(first);
    if (kind != TM_SYS_FILE && kind != TM_SYS_FOLDER)
        return false;
    for (int i = 0; i < tool->num_operands; i++) {
        tm_pattern *pattern;
        if (tm_sys_kind_of(tool->operands[i]) != TM_SYS_MISSING ||
            tm_pattern_parse(&pattern, tool->operands[i], NULL, NULL))
            continue;
        text reason = {0};
        tm_pattern_free(pattern);
        text_string(&reason, "the pattern comes before the maps: teemap find ");
        text_quoted(&reason, tool->operands[i]);
        text_string(&reason, " ");
        text_safe(&reason, first);
        tool_usage(tool, text_words(&reason));
        text_release(&reason);
        return true;
    }
    return false;
}

static bool parse_patterns(find_run *run)
{
    word_list list;
    if (!choose_patterns(run, &list))
        return false;
    for (size_t i = 0; i < list.num; i++) {
        tm_error error;
        if (!tm_pattern_parse(&run->patterns[run->num], list.words[i], NULL, &error)) {
            run->num++;
            continue;
        }
        if (!refuse_operand_order(run->tool, list.words[i]))
            tool_usage(run->tool, error.text);
        return false;
    }
    return true;
}

int cmd_find(cli_tool *tool)
{
    const find_words *words = tool->options;
    find_run run = {.tool = tool};
    if (words->tiles) {
        put_tile_names(&tool->out);
        return STATUS_DONE;
    }
    char **operands = tool->operands;
    const int num = tool->num_operands;
    if (parse_patterns(&run)) {
        tool->needs = FILE_NEEDS_BLOCK;
        files_expand(&run.files, tool, tool->operands, (size_t)tool->num_operands);
        tool_each(tool, run.files.paths, run.files.num, words->numbers ? numbers_of_map : find_in_map, &run);
        if (!atomic_load(&run.found))
            raise_status(&tool->status, STATUS_FINDINGS);
    }
    tool->operands = operands;
    tool->num_operands = num;
    files_release(&run.files);
    for (uint32_t i = 0; i < run.num; i++)
        tm_pattern_free(run.patterns[i]);
    return STATUS_DONE;
}

/* SPDX-License-Identifier: Zlib */
/*
 * cmd_cat.c - `teemap cat`: one object as itself. Pictures, sounds and raw bytes are never written to a
 * terminal; a file of -o appears only when it is complete.
 */
#include "output/describe.h"
#include "run/load.h"
#include "output/raw.h"

typedef struct cat_options {
    common_options common;
    const char *output, *field; /* NULL: not given */
    uint64_t limit;             /* elements of a layer; 0: not given */
} cat_options;

static const option_choice field_names[] = {
    {"index", 0, false},  {"flags", 0, false}, {"skip", 0, false},  {"reserved", 0, false},
    {"number", 0, false}, {"type", 0, false},  {"force", 0, false}, {"max_speed", 0, false},
    {"pad", 0, false},    {"angle", 0, false}, {"delay", 0, false}, {NULL, 0, false}};

static const option_row cat_rows[] = {
    OUTPUT_ROW(cat_options, "write to FILE instead of standard output"),
    JSON_ROW("print JSON: the file that 'teemap unpack' writes for the object"),
    {0, "field", "NAME", TEXT_AT(cat_options, field), .choices = field_names,
     .text = "for tiles: the number to print (default: index, or type if tiles have no index)"},
    {0, "limit", "N", COUNT_AT(cat_options, limit), .group = GROUP_RUNNING,
     .text =
         "refuse a layer with more tiles, quads or sources, since a small file can expand to gigabytes of text "
         "(default: 16M tiles, 200k others); k, M and G mean thousands, millions and billions"},
    MODE_ROW,
    QUIET_ROW,
    VERBOSE_ROW("also print notes about the file, not only warnings"),
    {0},
};

COMMAND(cat, cat_options, 2, 2, .operands = {OPERAND_MAP, OPERAND_ADDRESS});

/* -------------------------------------------------------------------------------------- tables of values */

static const unsigned char *element_at(const void *elements, tm_kind owner, uint32_t index)
{
    return (const unsigned char *)elements + (size_t)index * tm_kind_size(owner);
}

/* One number of each tile, as a grid. */
static void put_tiles(text *out, const tm_grid *grid, const tm_field *field)
{
    const int width = field->storage == TM_STORED_UINT8 ? 3 : 6;
    for (uint32_t y = 0; grid->tiles && y < grid->height; y++) {
        const unsigned char *tile = (const unsigned char *)grid->tiles + (size_t)y * grid->row_stride;
        for (uint32_t x = 0; x < grid->width; x++, tile += grid->tile_size)
            text_number(out, tm_field_get(field, tile, 0).as.number, x ? width + 1 : width);
        text_put(out, "\n", 1);
    }
}

static void put_value(text *out, const tm_map *map, const tm_field *field, const tm_value *value)
{
    char few[100], *many = NULL;
    const size_t size = tm_value_format(few, sizeof(few), field, value, map) + 1;
    if (size > sizeof(few)) {
        many = must_alloc(size, 1);
        tm_value_format(many, size, field, value, map);
    }
    text_string(out, many ? many : few); /* holds nothing that a terminal would obey */
    free(many);
}

/* The heads of columns for values of a field that has several. */
static const struct column_heads {
    tm_kind owner;
    const char *field;
    const char *heads[5];
} column_heads[] = {
    {TM_KIND_QUAD, "points", {"TOP LEFT", "TOP RIGHT", "BOTTOM LEFT", "BOTTOM RIGHT", "PIVOT"}},
    {TM_KIND_QUAD, "colors", {"COLOR TL", "COLOR TR", "COLOR BL", "COLOR BR"}},
    {TM_KIND_QUAD, "texture", {"UV TL", "UV TR", "UV BL", "UV BR"}},
};

static const char *column_head(tm_kind owner, const tm_field *field, uint32_t index)
{
    if (owner == TM_KIND_SOUND_SOURCE && strcmp(field->name, "width") == 0)
        return "width/radius";
    for (size_t i = 0; i < sizeof(column_heads) / sizeof(column_heads[0]); i++)
        if (column_heads[i].owner == owner && strcmp(column_heads[i].field, field->name) == 0)
            return column_heads[i].heads[index];
    return field->name;
}

static bool has_column(const tm_field *field)
{
    return !(field->flags & TM_FIELD_ALIAS);
}

static void put_heads(text *rows, tm_kind owner)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    text_string(rows, owner == TM_KIND_QUAD ? "QUAD" : "SOURCE");
    for (size_t i = 0; i < num; i++)
        for (uint32_t k = 0; k < fields[i].num_values && has_column(&fields[i]); k++)
            text_print(rows, "\t%s", column_head(owner, &fields[i], k));
    text_put(rows, "\n", 1);
}

/*
 * A circle's radius stands in the place of a width, but is a whole number of px; shown as a width it would be
 * divided by 1024.
 */
static const tm_field *shown_field(const tm_field *field, tm_kind owner, const void *element)
{
    tm_sound_source source;
    if (owner != TM_KIND_SOUND_SOURCE || strcmp(field->name, "width") != 0)
        return field;
    memcpy(&source, element, sizeof(source));
    return source.shape == TM_SHAPE_CIRCLE ? tm_field_find(owner, "radius") : field;
}

/* A line of values for each element; `map` gives references their names. */
static void put_elements(text *out, const tm_map *map, tm_kind owner, const void *elements, uint32_t num)
{
    text rows = {0};
    size_t num_fields;
    const tm_field *fields = tm_fields(&num_fields, owner);
    put_heads(&rows, owner);
    for (uint32_t e = 0; e < num; e++) {
        text_print(&rows, "%" PRIu32, e);
        const void *element = element_at(elements, owner, e);
        for (size_t i = 0; i < num_fields; i++) {
            const tm_field *field = shown_field(&fields[i], owner, element);
            for (uint32_t k = 0; k < fields[i].num_values && has_column(&fields[i]); k++) {
                const tm_value value = tm_field_get(field, element, k);
                text_put(&rows, "\t", 1);
                put_value(&rows, map, field, &value);
            }
        }
        text_put(&rows, "\n", 1);
    }
    text_columns(out, &rows, "r");
    text_release(&rows);
}

static void put_points(text *out, const tm_envelope *envelope)
{
    static const char *const labels[5][4] = {{"VALUE 0", "VALUE 1", "VALUE 2", "VALUE 3"},
                                             {"VOLUME"},
                                             {"VALUE 0", "VALUE 1"},
                                             {"X", "Y", "ROTATION"},
                                             {"R", "G", "B", "A"}};
    const tm_field *curve = tm_field_find(TM_KIND_ENVELOPE_POINT, "curve");
    const tm_field *values = tm_field_find(TM_KIND_ENVELOPE_POINT, "values");
    const uint32_t channels =
        envelope->channels < 1 || envelope->channels > 4 ? 4 : (uint32_t)envelope->channels;
    text rows = {0};
    text_string(&rows, "TIME MS\tCURVE");
    for (uint32_t c = 0; c < channels; c++)
        text_print(&rows, "\t%s", labels[envelope->channels == (int32_t)channels ? channels : 0][c]);
    text_put(&rows, "\n", 1);
    for (uint32_t i = 0; i < envelope->num_points; i++) {
        const tm_envelope_point *point = &envelope->points[i];
        const tm_value shape = tm_field_get(curve, point, 0);
        text_print(&rows, "%" PRId32 "\t", point->time);
        put_value(&rows, NULL, curve, &shape);
        for (uint32_t c = 0; c < channels; c++) {
            const tm_value value = tm_field_get(values, point, c);
            text_put(&rows, "\t", 1);
            put_value(&rows, NULL, values, &value);
        }
        text_put(&rows, "\n", 1);
    }
    text_columns(out, &rows, "rlr");
    text_release(&rows);
}

typedef struct field_lines {
    text *out;
    const tm_map *map;
    const void *object;
    bool within; /* an object within is open: its values share a line */
} field_lines;

static void put_line_of(void *ctx, tm_walk_step step, const char *key, const tm_field *field)
{
    field_lines *lines = ctx;
    if (step == TM_WALK_OPEN) {
        text_print(lines->out, "%s:", key);
        lines->within = true;
    } else if (step == TM_WALK_CLOSE) {
        text_put(lines->out, "\n", 1);
        lines->within = false;
    } else if (step == TM_WALK_FIELD) {
        const tm_value value = tm_field_get(field, lines->object, 0);
        if (lines->within)
            text_put(lines->out, " ", 1);
        else
            text_print(lines->out, "%s: ", key);
        put_value(lines->out, lines->map, field, &value);
        text_put(lines->out, "\n", lines->within ? 0 : 1);
    }
}

/* The fields of an object as lines "name: value"; those of an object within share one. */
static void put_fields(text *out, const tm_map *map, tm_kind owner, const void *object)
{
    field_lines lines = {out, map, object, false};
    tm_fields_walk(owner, object, put_line_of, &lines);
}

/* One run of cat: the object, and where it goes. */
typedef struct cat_run {
    cli_tool *tool;
    const cat_options *options;
    const tm_map *map; /* one of these two */
    const tm_datafile *datafile;
    cli_selection selection;
    cli_report *report;
    text *out; /* of standard output, or of a file */
    tm_error error;
} cat_run;

static bool goes_to_file(const cat_run *run)
{
    return run->options->output && strcmp(run->options->output, "-") != 0;
}

static bool to_terminal(const cat_run *run)
{
    return !goes_to_file(run) && tm_sys_stdout_is_terminal();
}

/* Refuses to write binary data to a terminal. */
static tm_status allow_binary(cat_run *run)
{
    return to_terminal(run)
               ? fail(&run->error, TM_ERROR_USAGE,
                      "this is binary and not printed to a terminal; use -o FILE, a pipe, or --json")
               : TM_OK;
}

static tm_status put_whole_json(cat_run *run, json_t *object)
{
    text_json_line(run->out, object);
    return TM_OK;
}

static tm_status cat_fields(cat_run *run, const tm_map *map, const tm_address *address)
{
    if (address->kind == TM_KIND_INFO)
        put_fields(run->out, map, TM_KIND_INFO, &map->info);
    else
        put_fields(run->out, map, TM_KIND_GROUP, &map->groups[address->index]);
    return TM_OK;
}

/* Writes the settings: escaped to a terminal, else as they are, so that they can go into a configuration. */
static tm_status cat_settings(cat_run *run, const tm_map *map, const tm_address *address)
{
    (void)address;
    if (map->info.unread_settings)
        return fail(&run->error, TM_ERROR_UNSUPPORTED, "the settings could not be read; see teemap check");
    for (uint32_t i = 0; i < map->info.num_settings; i++) {
        (to_terminal(run) ? text_safe : text_string)(run->out, map->info.settings[i]);
        text_put(run->out, "\n", 1);
    }
    return TM_OK;
}

static tm_status cat_image(cat_run *run, const tm_map *map, const tm_address *address)
{
    const tm_image *image = &map->images[address->index];
    const uint64_t needed = tm_image_rgba_size(image);
    if (!image->pixels) {
        return fail(&run->error, TM_ERROR_NOT_FOUND,
                    "the image is external: its pixels are in the game's mapres folder, not in the map");
    }
    /* checked before any memory is allocated: the file must really have bytes for the size that it claims */
    if (!needed)
        return fail(&run->error, TM_ERROR_DAMAGED,
                    "the image has fewer bytes than its width and height need");
    TRY(allow_binary(run));
    unsigned char *pixels = must_alloc((size_t)needed, 1);
    tm_status status = tm_map_image_pixels(map, image, pixels, needed, &run->error);
    if (!status)
        status = tm_png_write(run->out->sink, pixels, (uint32_t)image->width, (uint32_t)image->height, NULL,
                              &run->error);
    free(pixels);
    return status;
}

static tm_status cat_sound(cat_run *run, const tm_map *map, const tm_address *address)
{
    const tm_sound *sound = &map->sounds[address->index];
    const void *bytes;
    uint64_t size;
    if (!sound->data)
        return fail(&run->error, TM_ERROR_NOT_FOUND, "the sound is external: its data are not in the map");
    tm_status status = allow_binary(run);
    status = status ? status : tm_map_data(&bytes, &size, map, sound->data, &run->error);
    if (!status)
        text_put(run->out, bytes, (size_t)size);
    return status;
}

static tm_status cat_envelope(cat_run *run, const tm_map *map, const tm_address *address)
{
    put_points(run->out, &map->envelopes[address->index]);
    return TM_OK;
}

/* The field of tiles that is shown without --field. */
static const tm_field *main_field(tm_kind owner)
{
    const tm_field *index = tm_field_find(owner, "index");
    return index ? index : tm_field_find(owner, "type");
}

static tm_status no_such_field(cat_run *run, tm_kind owner)
{
    text reason = {0};
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    text_print(&reason, "tiles of this kind have no such field; they have");
    for (size_t i = 0; i < num; i++)
        text_print(&reason, " %s", fields[i].name);
    tm_status status = fail(&run->error, TM_ERROR_USAGE, "%s", text_words(&reason));
    text_release(&reason);
    return status;
}

/*
 * What cat writes without --limit: more than any map that is played has, and some 100 MB of text. The table
 * of quads takes some 300 bytes each until its columns are known; rows of tiles are written at once.
 */
enum { MAX_TILES = 16000000, MAX_ELEMENTS = 200000 };

/* Refuses layers with more elements than the limit, before anything is unpacked. */
static tm_status check_limit(cat_run *run, uint64_t num, uint64_t usual, const char *plural)
{
    const uint64_t limit = run->options->limit ? run->options->limit : usual;
    if (num <= limit)
        return TM_OK;
    return fail(&run->error, TM_ERROR_LIMIT,
                "the layer has %" PRIu64 " %s, the limit is %" PRIu64 "; see --limit", num, plural, limit);
}

static tm_status check_layer_limit(cat_run *run, const tm_layer *layer)
{
    if (tm_game_layer(layer->kind)->is_tiles)
        return check_limit(run, (uint64_t)layer->as.tiles.width * layer->as.tiles.height, MAX_TILES, "tiles");
    if (layer->kind == TM_LAYER_QUADS)
        return check_limit(run, layer->as.quads.num_quads, MAX_ELEMENTS, "quads");
    if (layer->kind == TM_LAYER_UNKNOWN)
        return TM_OK;
    return check_limit(run, layer->as.sounds.num_sources, MAX_ELEMENTS, "sources");
}

static tm_status cat_tiles(cat_run *run, const tm_map *map, const tm_layer *layer)
{
    const tm_kind owner = tm_kind_of_elements(layer->kind);
    const char *name = run->options->field;
    const tm_field *field = name ? tm_field_find(owner, name) : main_field(owner);
    tm_grid grid;
    if (!field)
        return no_such_field(run, owner);
    tm_status status = check_layer_limit(run, layer);
    status = status ? status : tm_map_tiles(&grid, map, layer, &run->error);
    if (!status)
        put_tiles(run->out, &grid, field);
    return status;
}

/* Writes the quads or sound sources of a layer. */
static tm_status cat_elements(cat_run *run, const tm_map *map, const tm_layer *layer)
{
    const bool quads = layer->kind == TM_LAYER_QUADS;
    const tm_block *block = quads ? layer->as.quads.quads : layer->as.sounds.sources;
    const uint32_t num = quads ? layer->as.quads.num_quads : layer->as.sounds.num_sources;
    const void *bytes;
    tm_status status = check_layer_limit(run, layer);
    status = status ? status : tm_map_data(&bytes, NULL, map, block, &run->error);
    if (!status)
        put_elements(run->out, map, tm_kind_of_elements(layer->kind), bytes, num);
    return status;
}

static tm_status cat_layer(cat_run *run, const tm_map *map, const tm_address *address)
{
    const tm_layer *layer = &map->groups[address->index].layers[address->layer];
    if (tm_game_layer(layer->kind)->is_tiles)
        return cat_tiles(run, map, layer);
    if (layer->kind != TM_LAYER_UNKNOWN)
        return cat_elements(run, map, layer);
    return fail(&run->error, TM_ERROR_UNSUPPORTED,
                "no game knows this kind of layer; 'teemap ls --raw' shows its item");
}

/* Writes an object as the JSON file that `teemap unpack` makes of it; settings, a text there, as a list. */
static tm_status cat_as_file(cat_run *run, const tm_map *map, const tm_address *address)
{
    tm_status status = TM_OK;
    if (address->kind == TM_KIND_SETTINGS) {
        json_t *object = json_make();
        json_add_settings(object, map);
        return put_whole_json(run, object);
    }
    if (address->kind == TM_KIND_LAYER)
        status = check_layer_limit(run, &map->groups[address->index].layers[address->layer]);
    return status ? status : tm_mapdir_write_object(map, address, run->out->sink, &run->error);
}

static tm_status cat_item(cat_run *run, const tm_datafile *file, uint32_t index)
{
    tm_datafile_item item;
    tm_datafile_get_item(&item, file, index);
    if (run->tool->common->json) {
        json_t *object = json_raw_item(file, index), *ints = json_add_array(object, "ints");
        for (uint32_t i = 0; i < item.size / 4; i++)
            json_append(ints, json_integer(tm_datafile_item_int(&item, i, 0)));
        return put_whole_json(run, object);
    }
    tm_status status = allow_binary(run);
    if (!status)
        text_put(run->out, item.body, item.size);
    return status;
}

static const struct {
    const char *name, *text;
} states[] = {
    [TM_DATA_FINE] = {"fine", NULL},
    [TM_DATA_TRAILING] = {"trailing", NULL},
    [TM_DATA_EMPTY] = {"empty", "the block is empty"},
    [TM_DATA_SHORT] = {"short", "the block is shorter than announced; the rest is zero"},
    [TM_DATA_LONG] = {"long", "the block unpacks to more bytes than announced; the rest was cut off"},
    [TM_DATA_CHECKSUM] = {"checksum", "the block's checksum is wrong"},
    [TM_DATA_BROKEN] = {"broken", "the block is broken; what could not be read is zero"},
};

static tm_status cat_data(cat_run *run, const tm_datafile *file, uint32_t index)
{
    const void *bytes;
    tm_data_state state = TM_DATA_FINE;
    tm_datafile_data data;
    tm_datafile_get_data(&data, file, index);
    TRY(run->tool->common->json ? TM_OK : allow_binary(run));
    tm_status status = tm_datafile_data_bytes(&bytes, &state, file, index, &run->error);
    if (run->tool->common->json && (!status || status == TM_ERROR_DAMAGED)) {
        json_t *object = json_raw_data(file, index);
        json_add(object, "state", json_string(states[state].name));
        return put_whole_json(run, object);
    }
    if (status)
        return status;
    if (states[state].text)
        report_note(run->report, states[state].text);
    text_put(run->out, bytes, (size_t)data.size);
    return TM_OK;
}

typedef tm_status (*cat_object)(cat_run *run, const tm_map *map, const tm_address *address);

static tm_status cat_selected(cat_run *run)
{
    static const cat_object makers[] = {
        [TM_KIND_INFO] = cat_fields, [TM_KIND_SETTINGS] = cat_settings, [TM_KIND_IMAGE] = cat_image,
        [TM_KIND_SOUND] = cat_sound, [TM_KIND_ENVELOPE] = cat_envelope, [TM_KIND_GROUP] = cat_fields,
        [TM_KIND_LAYER] = cat_layer,
    };
    const tm_address *address = &run->selection.address;
    if (run->map)
        return (run->tool->common->json ? cat_as_file : makers[address->kind])(run, run->map, address);
    TRY(address_bound_raw(&run->selection, run->datafile, &run->error));
    return (address->kind == TM_KIND_ITEM ? cat_item : cat_data)(run, run->datafile, address->index);
}

static tm_status put_object(cat_run *run)
{
    run->out = &run->tool->out;
    if (!goes_to_file(run))
        return cat_selected(run);
    output_file file;
    text whole = {.sink = &file.output};
    run->out = &whole;
    tm_status status = output_open(&file, run->options->output, &run->error);
    status = status ? status : cat_selected(run);
    if (!status && !text_flush(&whole)) {
        run->error = whole.error;
        status = whole.error.code;
    }
    text_release(&whole);
    return output_close(&file, status, &run->error);
}

static tm_status select_one(cat_run *run)
{
    cli_selection *selection = &run->selection;
    tm_status status = address_select(selection, run->tool->operands[1], run->map, &run->error);
    if (!status && (selection->all || selection->address.kind == TM_KIND_MAP)) {
        status = fail(&run->error, TM_ERROR_USAGE,
                      "this is more than one object; 'teemap ls' shows the addresses of all");
    }
    return status;
}

static void cat_file(void *ctx, cli_report *report)
{
    cat_run *run = ctx;
    const char *path = run->tool->operands[0];
    loaded file;
    if (address_is_raw(run->tool->operands[1]))
        load_datafile(&file, path, run->tool->common->mode, 0);
    else
        load_map(&file, path, run->tool->common->mode);
    report_loaded(report, &file, SHOW_ERRORS);
    run->report = report;
    run->error = file.error;
    run->map = file.map;
    run->datafile = file.datafile;
    tm_status status = file.status ? file.status : select_one(run);
    status = status ? status : put_object(run);
    loaded_release(&file);
    if (status)
        report_error(report, &run->error);
}

int cmd_cat(cli_tool *tool)
{
    const char *path = tool->operands[0];
    cat_run run = {.tool = tool, .options = tool->options};
    tool->common->threads = 1;
    tool_each(tool, &path, 1, cat_file, &run);
    return STATUS_DONE;
}

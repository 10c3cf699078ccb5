/* SPDX-License-Identifier: Zlib */
/*
 * Real maps become maps of every game: sound, opened by the strictest loader, the same when saved and loaded, and on the way
 * back different only in what was told. And what DDNet's map_convert_07 does, where it is right (golden-edit/convert07.tsv).
 * Skipped without the shared maps.
 *
 * test-timeout: 900
 */
#include "support/sha256.h"
#include "support/test.h"

/* Pixels for any name; a conversion does not care which. */
static tm_status provide(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                         uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    (void)error;
    (void)ctx, (void)name, (void)game;
    return test_give_picture(rgba, width, height, 32, 32, 99, allocator);
}

static tm_status convert(tm_map *map, tm_game to, tm_report *report, tm_error *error)
{
    tm_convert_options options = {.size = sizeof(options), .to = to, .provider = provide};
    return tm_convert_run(map, &options, report, error);
}

typedef struct tally {
    uint32_t maps, wrong;
} tally;

/* Saved as its game writes it, DDNet 20.1 opens it and fetches everything, and it is the same. */
static bool opens_strictly(const tm_map *map)
{
    OWN(tm_findings) findings = test_findings();
    tm_error error;
    OWN(tm_map) *loaded;
    OWN(tm_buffer) file = test_map_rewrite(map, NULL);
    tm_status status = test_map_try(&loaded, &file, TM_MODE_STRICT, &findings, &error);
    if (!status)
        status = tm_mapfile_check_data(loaded, NULL, &findings, &error);
    if (status)
        print_error("%s: %s\n", error.place, error.text);
    else if (findings.errors)
        test_print_findings(&findings);
    return !status && findings.errors == 0 && test_map_same(map, loaded);
}

/* What went and came back. */
typedef struct journey {
    const tm_report *reports[2];
    uint32_t untold;
    const tm_map *before, *after;
} journey;

static bool was_told(const journey *way, const char *operation, const char *address)
{
    for (int r = 0; r < 2; r++)
        for (size_t i = 0; i < way->reports[r]->num; i++) {
            const tm_change *change = &way->reports[r]->list[i];
            if (strcmp(change->operation, operation) == 0 &&
                (!address || strcmp(change->address, address) == 0))
                return true;
        }
    return false;
}

/* Which step has to have told of a difference; at its own address where addresses stay the same. */
static bool difference_was_told(const journey *way, const tm_difference *d)
{
    char address[TM_ADDRESS_SIZE];
    tm_address_format(&d->address, address, sizeof(address));
    switch (d->owner) {
    case TM_KIND_IMAGE: return was_told(way, "images", address) || was_told(way, "pixels", address);
    case TM_KIND_ENVELOPE:
    case TM_KIND_ENVELOPE_POINT: return was_told(way, "envelopes", address);
    case TM_KIND_TILE: return was_told(way, "tiles", NULL) || was_told(way, "data", NULL);
    case TM_KIND_GROUP: return was_told(way, "groups", address);
    case TM_KIND_INFO: return was_told(way, "settings", NULL);
    case TM_KIND_MAP: return was_told(way, "sounds", NULL) || was_told(way, "version", NULL);
    case TM_KIND_TILE_LAYER:
        return strncmp(d->field->name, "automapper", 10) == 0 && was_told(way, "automappers", NULL);
    default: return false;
    }
}

static bool visit_difference(void *ctx, const tm_difference *difference)
{
    journey *way = ctx;
    char line[512];
    if (difference_was_told(way, difference))
        return true;
    tm_difference_format(line, sizeof(line), difference, way->before, way->after);
    print_error("untold: %s\n", line);
    return ++way->untold < 5;
}

/* The layers of which the report says that they were lost, last ones first. */
static void drop_lost_layers(tm_map *map, const tm_report *report)
{
    for (size_t i = report->num; i-- > 0;) {
        tm_address address;
        if (report->list[i].lost != TM_FINDING_LOST_LAYER)
            continue;
        must(tm_address_parse(&address, map, report->list[i].address, NULL));
        must(tm_map_remove_layer(map, address.index, address.layer, NULL));
    }
}

/* `there` was converted from `map` with this report; envelopes that went are another matter. */
static bool comes_back(const tm_map *map, const tm_map *converted, const tm_report *report)
{
    tm_map *before, *returned;
    tm_report second;
    tm_report_init(&second, NULL);
    must(tm_map_clone(&before, map, NULL));
    must(tm_map_clone(&returned, converted, NULL));
    must(convert(returned, map->game, &second, NULL));
    drop_lost_layers(before, report);
    must(convert(before, map->game, NULL, NULL)); /* what is put in order in any case */
    journey way = {.reports = {report, &second}, .before = before, .after = returned};
    const bool gone = before->num_envelopes != returned->num_envelopes;
    assert_true(!gone || was_told(&way, "envelopes", NULL));
    if (!gone)
        must(tm_map_compare(before, returned, NULL, visit_difference, &way, NULL));
    tm_report_release(&second);
    tm_map_free(before);
    tm_map_free(returned);
    return way.untold == 0;
}

static bool converts_well(const tm_map *map, tm_game to)
{
    OWN(tm_map) *clone;
    OWN(tm_report) report;
    tm_error error;
    tm_report_init(&report, NULL);
    must(tm_map_clone(&clone, map, NULL));
    const tm_status status = convert(clone, to, &report, &error);
    if (status)
        print_error("%s: %s\n", error.place, error.text);
    return !status && clone->game == to && tm_map_verify(clone, NULL) == TM_OK && opens_strictly(clone) &&
           comes_back(map, clone, &report);
}

static bool convert_real_map(void *ctx, tm_map *map, const tm_buffer *file, const char *path)
{
    bool fine = true;
    uint32_t *playable = ctx;
    (void)file;
    if (!tm_map_find_layer(NULL, NULL, map, TM_LAYER_GAME)) {
        assert_int_equal(convert(map, TM_GAME_DDNET, NULL, NULL), TM_ERROR_UNSUPPORTED);
        return true;
    }
    ++*playable;
    for (int to = 0; to < TM_GAME_COUNT; to++) {
        if (converts_well(map, (tm_game)to))
            continue;
        print_error("%s to %s is not fine\n", path, tm_game_name((tm_game)to));
        fine = false;
    }
    return fine;
}

TEST(real_maps_become_maps_of_every_game)
{
    uint32_t playable = 0;
    test_real_maps(convert_real_map, &playable);
    assert_true(playable > 0);
}

/* ---------------------------------------------------------------------------------------- map_convert_07 */

/*
 * Of what the tool leaves behind only the images count here: name, external or not, size, pixels. Faults that are not repeated:
 * - rows `items` and `data`: all else is copied, with physics layers, sounds, settings, skip bytes;
 * - version, ints and data of images: items of version 2 are cut to 6 ints and keep their version;
 * - maps that are of 0.7 already: they get DDNet's pictures in the place of those that 0.7 has under these names;
 * - exit -1 where the size of an external image in the item is no multiple of 16;
 * - images of other sizes, which 0.7 cuts into wrong tiles.
 */
typedef struct wanted_image {
    char name[128], sha256[65];
    int external, width, height;
} wanted_image;

static bool read_wanted(wanted_image *out, const char *values)
{
    const char *sha = strstr(values, "sha256="), *size = strstr(values, "->"),
               *name = strstr(values, " external=");
    if (!sha || !size || !name || strncmp(values, "name=", 5) != 0)
        return false;
    snprintf(out->name, sizeof(out->name), "%.*s", (int)(name - values - 5), values + 5);
    snprintf(out->sha256, sizeof(out->sha256), "%s", sha + 7);
    size = strstr(values, " size=");
    return sscanf(name, " external=%*d->%d", &out->external) == 1 && size &&
           sscanf(strstr(size, "->"), "->%dx%d", &out->width, &out->height) == 2;
}

static bool image_agrees(const tm_map *map, uint32_t index, const wanted_image *wanted)
{
    char sha256[65] = "-";
    const tm_image *image = &map->images[index];
    if (strcmp(image->name, wanted->name) != 0 || image->external != (wanted->external != 0))
        return false;
    if (image->external)
        return true;
    if ((wanted->width % 16 || wanted->height % 16) && image->width % 16 == 0 && image->height % 16 == 0)
        return image->width == (wanted->width + 15) / 16 * 16 &&
               image->height == (wanted->height + 15) / 16 * 16;
    const void *bytes;
    uint64_t size;
    must(tm_map_data(&bytes, &size, map, image->pixels, NULL));
    test_sha256(sha256, bytes, (size_t)size);
    return image->width == wanted->width && image->height == wanted->height &&
           strcmp(sha256, wanted->sha256) == 0;
}

/* NULL when the map is of 0.7 already. */
static tm_map *golden_map(tm_buffer *file, const char *name, const tm_mapres *mapres)
{
    char path[1024];
    tm_map *map;
    tm_error error;
    tm_convert_options options = TM_CONVERT_OPTIONS_INIT;
    options.to = TM_GAME_TEEWORLDS07;
    options.provider = tm_mapres_provide;
    options.provider_ctx = (void *)(uintptr_t)mapres;
    snprintf(path, sizeof(path), "%s/%s", getenv("TEEMAP_SHARED"), name);
    *file = test_read_map(path);
    map = test_map_load(file, TM_MODE_GAME, NULL);
    const bool already = map->game == TM_GAME_TEEWORLDS07;
    must(tm_convert_run(map, &options, NULL, &error));
    assert_true(opens_strictly(map));
    for (uint32_t i = 0; already && i < map->num_images; i++)
        assert_true(map->images[i].external || map->images[i].pixels);
    if (already)
        tm_map_free(map);
    return already ? NULL : map;
}

/* Whether the installed pictures are those of DDNet 16.4, of which the table is. */
static bool has_old_pictures(const tm_mapres *mapres)
{
    char *path, hash[65];
    tm_input input;
    must(tm_mapres_find(&path, mapres, "grass_main", TM_GAME_DDNET, NULL));
    must(tm_sys_open_input(&input, path, 0, NULL, NULL));
    must(tm_input_load(&input, NULL, NULL));
    test_sha256(hash, input.memory, (size_t)input.size);
    tm_free(NULL, path, strlen(path) + 1);
    if (input.close)
        input.close(input.ctx);
    return strcmp(hash, "7b0efa74909d91a072af7b071276f623f063c06d017d8a8d894701328abc3f55") == 0;
}

/* Whether an image has the pixels of the installed picture of its name. */
static bool is_installed_picture(const tm_map *map, uint32_t index, const tm_mapres *mapres)
{
    const tm_image *image = &map->images[index];
    uint8_t *rgba = NULL;
    uint32_t width = 0, height = 0;
    const void *bytes;
    uint64_t size;
    if (image->external || tm_mapres_provide((void *)(uintptr_t)mapres, image->name, TM_GAME_DDNET, NULL,
                                             &rgba, &width, &height, NULL))
        return false;
    must(tm_map_data(&bytes, &size, map, image->pixels, NULL));
    const bool same = size == (uint64_t)width * height * 4 && memcmp(bytes, rgba, (size_t)size) == 0;
    tm_free(NULL, rgba, (size_t)width * height * 4);
    return same;
}

static bool has_ddnet_images(const tm_mapres *mapres)
{
    char *path;
    if (tm_mapres_find(&path, mapres, "water", TM_GAME_DDNET, NULL))
        return false;
    tm_free(NULL, path, strlen(path) + 1);
    return true;
}

TEST(images_agree_with_the_tool)
{
    char line[1024], at[512] = "", *cell[4];
    OWN(tm_mapres) *mapres;
    tm_map *map = NULL;
    uint32_t rows = 0, wrong = 0, changed = 0;
    tm_buffer bytes = {0};
    FILE *file = test_golden_table("convert07.tsv");
    must(tm_mapres_new(&mapres, NULL, NULL));
    if (!has_ddnet_images(mapres)) {
        fclose(file);
        tm_mapres_free(mapres);
        skip();
    }
    const bool old_pictures = has_old_pictures(mapres);
    while (test_next_row(file, line, sizeof(line), cell, 4)) {
        wanted_image wanted;
        if (strcmp(cell[1], "image") != 0 || !read_wanted(&wanted, cell[3]))
            continue;
        if (strcmp(at, cell[0]) != 0) {
            snprintf(at, sizeof(at), "%s", cell[0]);
            tm_map_free(map);
            tm_buffer_release(&bytes);
            map = golden_map(&bytes, at, mapres);
        }
        if (!map)
            continue;
        rows++;
        const uint32_t index = (uint32_t)atoi(cell[2]);
        if (image_agrees(map, index, &wanted))
            continue;
        if (!old_pictures && is_installed_picture(map, index, mapres)) {
            changed++;
        } else {
            print_error("%s: image %s '%s' is another\n", at, cell[2], wanted.name);
            wrong++;
        }
    }
    tm_map_free(map);
    tm_buffer_release(&bytes);
    fclose(file);
    print_message("%u images, %u as another release of DDNet has them\n", rows, changed);
    assert_int_equal(wrong, 0);
    assert_true(rows - changed > 50);
}

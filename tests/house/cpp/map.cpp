/* SPDX-License-Identifier: Zlib */
/*
 * teemap.hpp as a program uses it: a map of 5 x 7 is made, edited, saved, read, checked and drawn, failures
 * are exceptions with their place, and what is moved is freed once (the sanitizers would see it).
 */
#include <teemap/teemap.hpp>

#include <cstring>
#include <iostream>
#include <utility>

static int faults;

static void expect(bool condition, const char *what)
{
    if (!condition) {
        std::cout << "not so: " << what << '\n';
        faults++;
    }
}

/* What a failure says; "" if there is none. */
template <typename Function> static std::string failure(Function function)
{
    try {
        function();
    } catch (const teemap::error &error) {
        return std::string(tm_status_name(error.code())) + "|" + error.path() + "|" + error.place() + "|" +
               error.what();
    }
    return "";
}

static teemap::map make_map()
{
    teemap::map map;
    tm_error error;
    teemap::check(tm_map_insert(map.get(), TM_KIND_GROUP, 0, &error), error);
    teemap::check(tm_map_insert_layer(map.get(), 0, 0, TM_LAYER_GAME, 5, 7, &error), error);
    teemap::check(tm_map_insert_layer(map.get(), 0, 1, TM_LAYER_QUADS, 0, 0, &error), error);
    tm_quad quads[2];
    tm_quad_init(&quads[0], 1024, 2048, 3072, 4096);
    tm_quad_init(&quads[1], 0, 0, 64 * 1024, 32 * 1024);
    teemap::check(tm_map_set_quads(map.get(), 0, 1, quads, 2, &error), error);
    const teemap::grid<tm_tile> tiles = map.edit_tiles(0, 0);
    tiles(1, 2).index = 9;
    for (tm_tile &tile : tiles.row(6))
        tile.index = 1;
    map.set_text(map->info.author, "nobody");
    return map;
}

static void read_and_change()
{
    teemap::map map = make_map();
    expect(map.area() == std::pair<std::uint32_t, std::uint32_t>(5, 7), "the area");
    const std::vector<std::uint8_t> bytes = map.to_bytes();
    teemap::findings found;
    teemap::map loaded = teemap::map::from_bytes(teemap::span<const std::uint8_t>(bytes.data(), bytes.size()),
                                                 nullptr, &found);
    expect(loaded.equals(map) && found.size() == 0, "a map that is read is the one that was saved");
    expect(std::strcmp(loaded->info.author, "nobody") == 0, "a text");

    teemap::map copy = loaded.clone();
    const teemap::report report = copy.edit().mirror("x");
    expect(report.size() > 0 && !report.has_warnings(), "what an operation changed");
    const teemap::grid<const tm_tile> tiles = std::as_const(copy).tiles(copy.physics_layer(TM_LAYER_GAME));
    expect(tiles.width() == 5 && tiles.height() == 7 && tiles(3, 2).index == 9 && tiles(1, 2).index == 0,
           "a tile");
    expect(loaded.tiles(loaded.groups()[0].layers[0])(1, 2).index == 9, "a clone is apart");
    expect(tiles.row(6)[4].index == 1, "a row");
    copy.edit().fill("0/0@2,0+3x1", "freeze"); /* from here on, `tiles` is of the past */
    expect(copy.tiles(copy.physics_layer(TM_LAYER_GAME))(4, 0).index == 9, "a region");
    copy.edit().crop(tm_rect{0, 0, 5, 6});
    expect(copy.area().second == 6 && !copy.equals(loaded), "the copy is cropped");
    copy.swap(loaded);
    loaded = std::move(copy);
    std::size_t num_layers = 0;
    for (const tm_group &group : std::as_const(loaded).groups())
        for (const tm_layer &layer : teemap::layers(group))
            num_layers += layer.kind == TM_LAYER_QUADS ? loaded.quads(layer).size() : 10;
    expect(num_layers == 12, "groups, layers and quads");
}

static void compare_and_merge()
{
    const teemap::map base = make_map();
    teemap::map ours = base.clone(), theirs = base.clone();
    ours.edit_tiles(0, 0)(4, 0).index = 9;
    theirs.edit().settings_add("sv_team 1");
    const teemap::patch patch(base, ours);
    expect(patch.size() == 1 && patch[0].kind == TM_CHANGE_TILES && patch[0].num == 1, "a change");
    expect(patch.to_text().find("1 tile") != std::string::npos, patch.to_text().c_str());
    teemap::map again = base.clone();
    expect(teemap::patch::from_json(patch.to_json()).apply(again).size() > 0 && again.equals(ours),
           "a patch");
    patch.inverted().apply(again);
    expect(again.equals(base), "and back");
    const std::string twice = failure([&] { patch.inverted().apply(again); });
    expect(twice.find("unsupported") == 0, twice.c_str());
    const teemap::report rest = patch.inverted().apply(again, true);
    expect(rest.has_warnings() && rest.notes().size() == 1, "what does not fit is named");

    const teemap::merge merge(&base, ours, theirs);
    expect(merge.size() == 0 && merge.result.settings().size() == 1, "both sides");
    theirs.edit_tiles(0, 0)(4, 0).index = 11;
    const teemap::merge conflict(&base, ours, theirs);
    expect(conflict.num_open() == 1 && conflict[0].kind == TM_CONFLICT_TILES, "a conflict");

    const teemap::facts facts(ours);
    expect(facts["tiles_freeze"].known && facts["tiles_freeze"].number == 2, "a fact");
    const std::string column = failure([&] { facts["tiles_frozen"]; });
    expect(column.find("not found") == 0, column.c_str());
}

static void fail_with_place()
{
    teemap::map map = make_map();
    const std::string missing = failure([] { teemap::map::open("/nowhere/a.map"); });
    expect(missing.find("io|/nowhere/a.map||/nowhere/a.map: cannot open") == 0, missing.c_str());
    const std::string type = failure([&] { map.edit_tiles<tm_tele_tile>(0, 0); });
    expect(type.find("tiles of another type") != std::string::npos, type.c_str());
    const std::string layer = failure([&] { map.quads(map.groups()[0].layers[0]); });
    expect(layer == "usage|||a layer of kind game has no quads", layer.c_str());
    const std::string word = failure([&] { map.edit().mirror("z"); });
    expect(word.find("usage") == 0, word.c_str());
    const std::string operation = failure([&] { map.edit().run("mirorr", {}); });
    expect(operation.find("not found") != std::string::npos, operation.c_str());
    const std::string line = failure([&] { map.edit().script("mirror x\nmirror z\n"); });
    expect(line.find("line 2") != std::string::npos, line.c_str());
}

static void look(const std::string &path)
{
    teemap::map map = make_map();
    map.save(path);
    map = teemap::map::open(path);
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    options.sets = TM_LINT_ALL;
    const teemap::lint lint(map, &options);
    bool has_race_rule = false;
    for (const tm_finding &finding : lint)
        has_race_rule |= std::strcmp(teemap::name(finding), "no-race") == 0;
    expect(lint.size() > 0, "what is wrong with the map");
    expect(has_race_rule, "it has neither start nor finish");
    const teemap::threads threads(2);
    tm_render_options drawing = TM_RENDER_OPTIONS_INIT;
    tm_job job = TM_JOB_INIT;
    job.executor = threads.executor();
    drawing.job = &job;
    const teemap::renderer renderer(map, &drawing);
    teemap::renderer other = teemap::renderer(map);
    const teemap::picture picture = renderer.draw(teemap::camera_at(80, 48, 40, 30));
    expect(picture.rgba.size() == 40 * 30 * 4 && picture.rgba[3] == 255, "a picture");
    expect(other.draw(teemap::camera_at(80, 48, 40, 30)).rgba == picture.rgba, "the same picture");
    expect(teemap::to_png(picture)[1] == 'P', "a PNG");
    expect(failure([&] { renderer.draw(teemap::camera_at(0, 0, 0, 5)); }).find("width") != std::string::npos,
           "the camera");
    teemap::findings checked = map.check_file();
    expect(checked.size() == 0, "a file that DDNet takes");
}

int main(int argc, char **argv)
{
    static_assert(!std::is_copy_constructible<teemap::map>::value, "maps are moved");
    read_and_change();
    compare_and_merge();
    fail_with_place();
    if (argc > 1)
        look(argv[1]);
    std::cout << (faults ? "FAILED" : "passed") << '\n';
    return faults != 0;
}

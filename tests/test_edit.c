/* SPDX-License-Identifier: Zlib */
/*
 * The table of operations, how their arguments are read, and each operation but mirror and rotate (test_edit_turn.c).
 */
#include "support/lib_edit.h"
#include "edit/edit.h"

static tm_map *fresh(void)
{
    return test_map_everything(TM_GAME_DDNET);
}

TEST(table_is_sound)
{
    const tm_edit_operation *row;
    uint32_t n = 0;
    for (; (row = tm_edit_at(n)); n++) {
        char usage[128];
        assert_ptr_equal(tm_edit_find(row->name), row);
        assert_true(row->help[0] && row->changes[0]);
        assert_true(tm_edit_usage(row, usage, sizeof(usage)) < sizeof(usage));
        assert_int_equal(strncmp(usage, row->name, strlen(row->name)), 0);
        for (const tm_edit_argument *a = row->arguments; a->name; a++) {
            assert_non_null(tm_edit_type_name(a->type));
            assert_int_equal(a->type == TM_EDIT_CHOICE, !!a->choices);
            assert_true(!a->repeats || !a[1].name);
        }
    }
    assert_true(n > 20);
    assert_null(tm_edit_find("fly"));
    assert_null(tm_edit_find(NULL));
    assert_null(tm_edit_type_name(TM_EDIT_TYPES));
}

TEST(words_are_refused_with_what_is_allowed)
{
    OWN(tm_map) *map = fresh();
    test_edit_refuses(map, "fly", TM_ERROR_USAGE, "no operation 'fly'");
    test_edit_refuses(map, "\"\" x", TM_ERROR_USAGE, "no operation"); /* was copied from nowhere */
    test_edit_refuses(map, "settings", TM_ERROR_USAGE, "after 'settings' expected one of add, remove");
    test_edit_refuses(map, "mirror z", TM_ERROR_USAGE, "'z' is not one of x y");
    test_edit_refuses(map, "mirror", TM_ERROR_USAGE, "it is 'mirror x|y [LAYERS]'");
    test_edit_refuses(map, "isolate y", TM_ERROR_USAGE, "it is 'isolate'");
    test_edit_refuses(map, "rotate 45", TM_ERROR_USAGE, "one of 90 180 270");
    test_edit_refuses(map, "set", TM_ERROR_USAGE, "it is 'set ADDRESS");
    test_edit_refuses(map, "add layer 0 tiles 5by3", TM_ERROR_USAGE, "50x30");
    test_edit_refuses(map, "add layer 0 quads 5x3", TM_ERROR_USAGE, "a layer of quads has no size");
    test_edit_refuses(map, "move 0 first", TM_ERROR_USAGE, "an index");
    test_edit_refuses(map, "rename 0 \"no end", TM_ERROR_USAGE, "quote");
}

TEST(scripts_have_lines_quotes_comments)
{
    OWN(tm_map) *map = fresh();
    test_edit_does(
        map,
        "# nothing\n\n  settings clear # all\r\nsettings add \"sv_motd \\\"hi\\\" # no comment\" tune_x\n");
    assert_int_equal(map->info.num_settings, 2);
    assert_string_equal(map->info.settings[0], "sv_motd \"hi\" # no comment");
    assert_string_equal(map->info.settings[1], "tune_x");
    tm_error error;
    assert_int_equal(test_edit_run(map, "settings clear\n\nmirror q\n", &error), TM_ERROR_USAGE);
    assert_non_null(strstr(error.place, "line 3"));
    const char *words[] = {"settings", "clear", "+", "rename", "0", "first"};
    tm_edit_script *script;
    must(tm_edit_script_from_words(&script, words, 6, NULL, NULL));
    assert_int_equal(tmi_edit_script_num(script), 2);
    must(tm_edit_script_run(map, script, NULL, NULL, NULL));
    assert_string_equal(map->groups[0].name, "first");
    tm_edit_script_free(script);
    assert_int_equal(tm_edit_script_from_words(&script, words, 3, NULL, NULL), TM_ERROR_USAGE);
    assert_null(script);
}

/* Command lines are copied into scripts: 'tune a' used to be two words with an apostrophe in each. */
TEST(scripts_have_single_quotes)
{
    OWN(tm_map) *map = fresh();
    test_edit_does(map, "settings clear\nsettings add 'a $b \"\\' '' \"it's\" # one's\n"
                        "set info.author='A B' info.credits=Anna's\nset 'info.version=1 2'");
    assert_int_equal(map->info.num_settings, 3);
    assert_string_equal(map->info.settings[0], "a $b \"\\");
    assert_string_equal(map->info.settings[1], "");
    assert_string_equal(map->info.settings[2], "it's");
    assert_string_equal(map->info.author, "A B");
    assert_string_equal(map->info.credits, "Anna's");
    assert_string_equal(map->info.version, "1 2");
    test_edit_refuses(map, "settings add 'no end", TM_ERROR_USAGE, "quote");
}

/* A script that fails in its last line has done nothing. */
TEST(scripts_are_all_or_nothing)
{
    OWN(tm_map) *map = fresh();
    test_edit_refuses(map, "settings add a\nrotate 90\nremove 99\n", TM_ERROR_NOT_FOUND, "no group 99");
    tm_error error; /* which of many removes it was used to be left to guessing */
    assert_int_equal(test_edit_run(map, "settings add a\n\nremove 99\n", &error), TM_ERROR_NOT_FOUND);
    assert_string_equal(error.place, "line 3 of the script, remove");
}

TEST(patterns_fit)
{
    assert_true(tmi_text_fits("", NULL));
    assert_true(tmi_text_fits("*", ""));
    assert_true(tmi_text_fits("a*c*e", "abcde"));
    assert_true(tmi_text_fits("*ab", "aab"));
    assert_false(tmi_text_fits("a*c", "abcd"));
    assert_false(tmi_text_fits("abc", "ab"));
    assert_false(tmi_text_fits("ab", "abc"));
}

TEST(fields_are_set)
{
    OWN(tm_map) *map = fresh();
    test_edit_does(map, "set 0.parallax.x=50 0.use_clipping=true info.author=\"Anna B\"");
    assert_int_equal(map->groups[0].parallax_x, 50);
    assert_true(map->groups[0].use_clipping);
    assert_string_equal(map->info.author, "Anna B");
    test_edit_does(map, "set */*.detail=true");
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk))
        assert_true(walk.layer->detail);
    test_edit_does(map, "set */*.detail=true"); /* there is nothing to do */
    assert_int_equal(test_report.num, 0);
    test_edit_does(map, "set image/nobody*.width=5");
    assert_int_equal(test_report.findings.num, 1);
    assert_true(tm_report_has_warnings(&test_report));
    test_edit_refuses(map, "set 0.parallax=5", TM_ERROR_NOT_FOUND, "no field of group");
    test_edit_refuses(map, "set 0.num_layers=5", TM_ERROR_USAGE, "num_layers");
    test_edit_refuses(map, "set 0", TM_ERROR_USAGE, "ADDRESS.FIELD=VALUE");
    test_edit_refuses(map, "set 77.name=x", TM_ERROR_NOT_FOUND, "77");
}

TEST(elements_are_set)
{
    OWN(tm_map) *map = fresh();
    uint32_t group, index, num;
    const tm_quad *quads;
    char line[128];
    assert_non_null(tm_map_find_layer(&group, &index, map, TM_LAYER_QUADS));
    snprintf(line, sizeof(line), "set %u/%u.quads[*].position_offset=70 %u/%u.quads[0].points[4]=1,2.5",
             group, index, group, index);
    test_edit_does(map, line);
    must(tm_map_quads(&quads, &num, map, &map->groups[group].layers[index], NULL));
    for (uint32_t i = 0; i < num; i++)
        assert_int_equal(quads[i].position_offset, 70);
    assert_int_equal(quads[0].points[4].x, 1024);
    assert_int_equal(quads[0].points[4].y, 2560);
    test_edit_does(map, "set envelope/0.points[0].values[0]=0.5");
    assert_int_equal(map->envelopes[0].points[0].values[0], 512);
    test_edit_refuses(map, "set envelope/0.points[999].time=1", TM_ERROR_NOT_FOUND, "no points[999]");
    test_edit_refuses(map, "set envelope/0.points[0].values=1", TM_ERROR_USAGE, "write values[0]=");
    test_edit_refuses(map, "set envelope/0.points[0].values[4]=1", TM_ERROR_NOT_FOUND, "no value 4");
}

/* A name may hold dots and what looks like a field. */
TEST(names_with_dots_are_found)
{
    OWN(tm_map) *map = fresh();
    test_edit_does(map, "rename image/0 a.width=3.png");
    test_edit_does(map, "set image/a.width=3.png.height=16");
    assert_int_equal(map->images[0].height, 16);
    test_edit_does(map, "rename image/a.* grass");
    assert_string_equal(map->images[0].name, "grass");
    test_edit_refuses(map, "rename info x", TM_ERROR_USAGE, "have names");
}

/* `settings add sv_deepfly 0` added the commands "sv_deepfly" and "0". */
TEST(a_setting_is_one_text_with_its_arguments)
{
    static const struct {
        const char *script;
        const char *fault; /* NULL: there is none */
        uint32_t num;      /* of settings afterwards */
    } rows[] = {
        {"settings add sv_deepfly 0", "'sv_deepfly' and '0' are two commands", 0},
        {"settings add tune gravity 0.5", "'tune' and 'gravity' are two commands", 0},
        {"settings add tune gravity 0.5", "is one text: 'tune gravity 0.5'", 0},
        {"settings add tune_zone 2 gravity 0.5 sv_team 3", "is one text: 'tune_zone 2 gravity 0.5'", 0},
        {"settings add sv_deepfly 0 sv_hit 0", "is one text: 'sv_deepfly 0'", 0},
        {"settings add unknown -1", "is one text: 'unknown -1'", 0},
        {"settings add 'sv_team 1' sv_deepfly 1", "'sv_deepfly 1'", 0},
        {"settings add mapbug grenade-doubleexplosion@ddnet.tw", "'mapbug' and", 0},
        {"settings add sv_deepfly 'sv_team 1'", NULL, 2},
        {"settings add 'sv_deepfly 0'", NULL, 1},
        {"settings add 0", NULL, 1},
        {"settings add one two three", NULL, 3}, /* of a mod, say */
        {"settings add 'sv_team 1' two", NULL, 2},
    };
    for (size_t i = 0; i < TMI_COUNT_OF(rows); i++) {
        OWN(tm_map) *map = fresh();
        test_edit_does(map, "settings clear");
        if (rows[i].fault)
            test_edit_refuses(map, rows[i].script, TM_ERROR_USAGE, rows[i].fault);
        else
            test_edit_does(map, rows[i].script);
        assert_int_equal(map->info.num_settings, rows[i].num);
    }
}

TEST(settings_are_edited)
{
    OWN(tm_map) *map = fresh();
    test_edit_does(map, "settings clear");
    test_edit_reports(map, "settings clear", 0);
    test_edit_does(map, "settings add b a \"tune x 1\" a");
    assert_int_equal(map->info.num_settings, 3);
    test_edit_does(map, "settings replace tune* c");
    test_edit_does(map, "settings sort");
    assert_string_equal(map->info.settings[0], "a");
    assert_string_equal(map->info.settings[2], "c");
    test_edit_does(map, "settings remove a z*");
    assert_int_equal(map->info.num_settings, 2);
    assert_int_equal(test_report.findings.num, 1);
    assert_int_equal(test_report.findings.list[0].id, TM_FINDING_NO_MATCH);
    assert_int_equal(test_report.list[0].count, 1);
    assert_string_equal(test_report.list[0].address, "settings");
}

/* -------------------------------------------------------------------------------------------- structure */

TEST(objects_are_added_moved_removed)
{
    OWN(tm_map) *map = fresh();
    const uint32_t groups = map->num_groups, images = map->num_images;
    char line[128];
    test_edit_does(map, "add group new\nadd image sun\nadd sound boom\nadd envelope color glow");
    assert_string_equal(map->groups[groups].name, "new");
    assert_true(map->images[images].external);
    assert_int_equal(map->envelopes[map->num_envelopes - 1].channels, TM_ENVELOPE_COLOR);
    test_edit_does(map, "add layer new quads\nadd layer new tiles 7x5\nmove new/0 new/end");
    assert_int_equal(map->groups[groups].layers[0].as.tiles.width, 7);
    assert_int_equal(map->groups[groups].layers[1].kind, TM_LAYER_QUADS);
    test_edit_does(map, "move new 0");
    assert_string_equal(map->groups[0].name, "new");
    test_edit_does(map, "duplicate new\nduplicate 0/0 1/end");
    assert_string_equal(map->groups[1].name, "new");
    assert_int_equal(map->groups[1].num_layers, 3);
    test_edit_does(map, "add group other\nmove other 0");
    test_edit_does(
        map,
        "remove 1 2 1"); /* the second took what had become 2: it was looked up after the first was gone */
    assert_int_equal(test_report.num, 2);
    assert_string_equal(map->groups[0].name, "other");
    test_edit_does(map, "remove other");
    assert_int_equal(map->num_groups, groups);
    snprintf(line, sizeof(line), "remove image/sun sound/boom envelope/glow");
    test_edit_reports(map, line, 3);
    assert_int_equal(map->num_images, images);
    OWN(tm_map) *copy = fresh();
    assert_true(test_map_same(map, copy));
    test_edit_refuses(map, "move 0 99", TM_ERROR_NOT_FOUND, "no place '99'");
    test_edit_refuses(map, "move image/0 1/2", TM_ERROR_USAGE, "only layers");
    test_edit_refuses(map, "move info 0", TM_ERROR_USAGE, "no place in an order");
    test_edit_refuses(map, "remove settings", TM_ERROR_USAGE, "are removed");
    test_edit_refuses(map, "add group \"a name too long\"", TM_ERROR_USAGE, "longer than 11");
}

/* Formerly: there is no layer named '0.quads[0]'. */
TEST(elements_are_removed)
{
    const tm_quad *quads;
    uint32_t num;
    OWN(tm_map) *map =
        test_map_of("add group a\nadd layer a quads\nadd layer a sounds\nadd envelope color glow\n"
                    "add quad 0/0 0,0\nadd quad 0/0 1,0\nadd quad 0/0 2,0\nadd quad 0/0 3,0\n"
                    "add source 0/1 5,5\nadd point envelope/glow 0\nadd point envelope/glow 9");
    test_edit_does(map,
                   "remove 0/0.quads[2] 0/0.quads[0] 0/0.quads[2] envelope/glow.points[0] 0/1.sources[0]");
    assert_int_equal(test_report.num, 4);
    must(tm_map_quads(&quads, &num, map, &map->groups[0].layers[0], NULL));
    assert_int_equal(num, 2);
    assert_int_equal(quads[0].points[0].x, 1 * TM_FX);
    assert_int_equal(quads[1].points[0].x, 3 * TM_FX);
    assert_int_equal(map->envelopes[0].num_points, 1);
    assert_int_equal(map->envelopes[0].points[0].time, 9);
    assert_int_equal(map->groups[0].layers[1].as.sounds.num_sources, 0);
    test_edit_refuses(map, "remove 0/0.quads[2]", TM_ERROR_NOT_FOUND, "there is no quads[2], there are 2");
    test_edit_refuses(map, "remove 0/0.points[0]", TM_ERROR_USAGE, "it has no points");
    test_edit_does(map, "remove 'a/*.quads[*]' 0/1"); /* the layer goes behind what is in others */
    assert_int_equal(map->groups[0].num_layers, 1);
    assert_int_equal(map->groups[0].layers[0].as.quads.num_quads, 0);
    test_edit_does(map, "add layer a tiles 4x4");
    test_edit_refuses(map, "set 0/1.color.a=128", TM_ERROR_NOT_FOUND,
                      "a color is set as a whole: color=#rrggbbaa"); /* was: did you mean 'color'? */
    test_edit_refuses(map, "set 0/0.quads[0].points[*].x+=3", TM_ERROR_USAGE,
                      "those of elements are like"); /* was: nothing fits */
}

/* Operations on objects take ranges and sets of layers as well as addresses. */
TEST(words_for_several_objects)
{
    OWN(tm_map) *map = fresh();
    uint32_t num = map->num_groups;
    const uint32_t layers = tm_map_num_layers(map);
    test_edit_does(map,
                   "add group quads\nadd layer quads quads\nadd layer quads tiles\nadd layer quads quads");
    test_edit_does(map, "set foreground.name=front");
    assert_string_equal(map->groups[num].layers[2].name, "front");
    test_edit_does(map, "set background.detail=true");
    assert_false(map->groups[num].layers[2].detail);
    test_edit_does(map, "remove quads/0-1");
    assert_int_equal(map->groups[num].num_layers, 1);
    test_edit_does(map, "remove quads"); /* the group, which has the name */
    assert_int_equal(map->num_groups, num);
    test_edit_does(map, "remove -physics");
    assert_int_equal(map->num_groups, num);
    assert_true(tm_map_num_layers(map) < layers);
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk))
        assert_true(tm_game_layer(walk.layer->kind)->is_physics);
    test_edit_does(map, "remove foreground");
    assert_int_equal(test_report.findings.list[0].id, TM_FINDING_NO_MATCH);
    test_edit_does(map, "add image a\nadd image b\nadd image c");
    test_edit_does(map, "remove image/1-");
    assert_int_equal(map->num_images, 1);
    test_edit_refuses(map, "remove 7-9,quads", TM_ERROR_NOT_FOUND, "'7-9,quads'");
    test_edit_refuses(map, "remove -lava", TM_ERROR_NOT_FOUND, "'-lava'");
}

TEST(useless_things_are_removed)
{
    OWN(tm_map) *map = fresh(), *copy;
    test_edit_does(map, "clean all");
    must(tm_map_clone(&copy, map, NULL));
    test_edit_reports(map, "clean all", 0);
    test_edit_does(
        map,
        "add image sun\nadd sound boom\nadd envelope color glow\nadd group g\nadd layer g tiles 3x3\nadd layer g quads");
    test_edit_reports(map, "clean all", 6);
    assert_true(test_map_same(map, copy));
    /* a lone flag is not seen */
    const tm_tile flag = {0, 1, 0, 0}, tile = {1, 0, 0, 0};
    test_edit_does(map, "add group g\nadd layer g tiles 3x3");
    const uint32_t g = map->num_groups - 1;
    must(tm_map_fill_tiles(map, g, 0, &(tm_rect){2, 2, 1, 1}, &tile, NULL));
    test_edit_reports(map, "clean layers", 0);
    must(tm_map_fill_tiles(map, g, 0, &(tm_rect){2, 2, 1, 1}, &flag, NULL));
    test_edit_reports(map, "clean layers", 1);
    test_edit_does(map, "clean groups");
    assert_int_equal(map->num_groups, g);
}

TEST(game_layers_stay)
{
    OWN(tm_map) *map =
        test_map_of("add group Game\nadd layer Game game 5x5\nadd layer Game front\nclean all");
    assert_int_equal(map->num_groups, 1);
    assert_int_equal(map->groups[0].num_layers, 1);
    assert_int_equal(map->groups[0].layers[0].kind, TM_LAYER_GAME);
}

/* Copies go, those that nothing is equal to stay, and every reference leads to the same as before. */
TEST(equal_objects_are_joined)
{
    OWN(tm_map) *map = fresh(), *before;
    test_edit_does(map, "join all");
    must(tm_map_clone(&before, map, NULL));
    test_edit_does(
        map,
        "duplicate image/0 end\nduplicate sound/0 end\nduplicate envelope/0 end\nduplicate envelope/1 0");
    test_edit_reports(map, "join all", 4);
    assert_int_equal(map->num_images, before->num_images);
    assert_int_equal(map->num_sounds, before->num_sounds);
    assert_int_equal(map->num_envelopes, before->num_envelopes);
    test_edit_does(map, "move envelope/0 1");
    assert_true(test_map_same(map, before));
}

TEST(joined_references_lead_to_the_original)
{
    OWN(tm_map) *map = test_map_new();
    tm_quad quad;
    test_edit_does(
        map,
        "add group g\nadd layer g quads\nadd envelope position\nadd envelope color\nadd envelope position\n"
        "add image a\nadd image b\nadd image a\nset 0/0.image=image/2");
    tm_quad_init(&quad, 0, 0, 1024, 1024);
    quad.position_envelope = 2;
    quad.color_envelope = 1;
    must(tm_map_set_quads(map, 0, 0, &quad, 1, NULL));
    test_edit_reports(map, "join all", 2);
    assert_int_equal(map->num_images, 2);
    assert_int_equal(map->num_envelopes, 2);
    assert_int_equal(map->groups[0].layers[0].as.quads.image, 0);
    const tm_quad *quads = test_quads(map, &map->groups[0].layers[0]);
    assert_int_equal(quads[0].position_envelope, 0);
    assert_int_equal(quads[0].color_envelope, 1);
}

TEST(physics_are_isolated)
{
    OWN(tm_map) *map = test_map_of(
        "add group Game\nadd layer Game quads\nadd layer Game game 4x4\nadd layer Game tiles\nadd layer Game front\n"
        "add layer Game sounds\nisolate");
    assert_int_equal(map->num_groups, 3);
    assert_int_equal(map->groups[0].num_layers, 2);
    assert_int_equal(map->groups[1].num_layers, 2);
    assert_int_equal(map->groups[2].layers[0].kind, TM_LAYER_SOUNDS);
    assert_string_equal(map->groups[1].name, "Game");
    test_edit_reports(map, "isolate", 0);
}

/* Succeeds so many times, then never. */
struct counted {
    size_t left;
};
static void *counted_resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    (void)old_size;
    struct counted *counted = ctx;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    if (counted->left == 0)
        return NULL;
    counted->left--;
    return realloc(ptr, new_size);
}

TEST(running_out_of_memory_changes_nothing)
{
    static const char *const lines[] = {"rotate 90",
                                        "clean all",
                                        "join all",
                                        "settings add q",
                                        "isolate",
                                        "set 0.name=q info.author=q",
                                        "duplicate 0\nremove 0"};
    OWN(tm_map) *source = fresh();
    for (size_t l = 0; l < sizeof(lines) / sizeof(*lines); l++) {
        struct counted counted = {SIZE_MAX};
        const tm_allocator allocator = {&counted, counted_resize};
        tm_map_options options = TM_MAP_OPTIONS_INIT;
        OWN(tm_map) *map;
        OWN(tm_edit_script) *script;
        options.allocator = &allocator;
        must(tm_map_new(&map, &options, NULL));
        for (uint32_t i = 0; i < source->num_groups; i++)
            must(tm_map_import(NULL, map, TM_KIND_GROUP, i, source, i, NULL, NULL));
        must(tm_edit_script_from_text(&script, lines[l], strlen(lines[l]), NULL, NULL));
        tm_status status = TM_ERROR_MEMORY;
        for (size_t n = 0; status == TM_ERROR_MEMORY; n += 1 + n / 8) {
            counted.left = n;
            const uint32_t groups = map->num_groups;
            status = tm_edit_script_run(map, script, NULL, NULL, NULL);
            counted.left = SIZE_MAX;
            if (status)
                assert_int_equal(map->num_groups, groups);
            must(tm_map_verify(map, NULL));
        }
        must(status);
    }
}

/* They used to be named as functions of the library, which nobody can type. */
TEST(what_set_cannot_do_names_what_can)
{
    OWN(tm_map) *map = fresh();
    test_edit_does(map, "add layer 0 game 20x10");
    char line[64];
    uint32_t group, index;
    assert_non_null(tm_map_find_layer(&group, &index, map, TM_LAYER_TILES));
    snprintf(line, sizeof(line), "set %u/%u.width=10", (unsigned)group, (unsigned)index);
    test_edit_refuses(map, line, TM_ERROR_USAGE,
                      "width is not set, but changed by 'crop REGION LAYERS', 'extend'");
}

static bool told(tm_finding_id id)
{
    return test_found(&test_report.findings, id);
}

TEST(physics_that_games_do_not_take_are_told)
{
    OWN(tm_map) *map = test_map_of("add group\nadd layer 0 game 20x10\nadd layer 0 tele");
    assert_int_equal(test_report.findings.num, 0);
    test_edit_does(map, "add layer 0 tele");
    assert_true(told(TM_FINDING_SEVERAL_PHYSICS_LAYERS) && tm_report_has_warnings(&test_report));
    test_edit_does(map, "rename 0 Other"); /* what was so before is no news */
    assert_int_equal(test_report.findings.num, 0);
    test_edit_does(map, "remove 0/0");
    assert_true(told(TM_FINDING_NO_GAME_LAYER));
}

/* Of -2147483648 the negative was taken, which the undefined-behaviour sanitizer sees. */
TEST(numbers_beyond_the_ends_are_refused)
{
    OWN(tm_map) *map = fresh();
    test_edit_refuses(map, "shift -2147483648,0", TM_ERROR_USAGE, "'-2147483648,0' is not a point");
    test_edit_refuses(map, "shift 0,2147483648", TM_ERROR_USAGE, "'0,2147483648' is not a point");
}

/* "set 0.name" was read one byte beyond its end, which the address sanitizer sees. */
TEST(an_assignment_without_a_value_is_refused)
{
    OWN(tm_map) *map = fresh();
    char *text = malloc(sizeof("0.name"));
    assert_non_null(text);
    memcpy(text, "0.name", sizeof("0.name"));
    assert_int_equal(tm_edit_run(map, tm_edit_find("set"), (const char *const *)&text, 1, NULL, NULL, NULL),
                     TM_ERROR_USAGE);
    free(text);
}

/* None of this could be said: only four points[i]= moved a quad, envelopes and sources came from elsewhere. */
TEST(elements_are_added_and_moved)
{
    OWN(tm_map) *map = fresh();
    const tm_quad *quads;
    uint32_t num;
    test_edit_does(
        map, "add group New\nadd layer New quads\nadd layer New sounds\nadd layer New tiles 9x9\n"
             "add envelope color Blink\nadd quad New/0 10,-5\nadd quad New/0 320,64 128x96\n"
             "set 'New/0.quads[1].points[*]+=10,-4' New.offset.x+=32\nset New.offset.x-=2\n"
             "quads scale 1/2 New\nadd source New/1 5,6\nadd point envelope/Blink 500 1 0.5 0 1\n"
             "add point envelope/Blink 0\nset 'envelope/Blink.points[1].time+=250'\ncrop 2,3+20x10 New/2\n");
    const tm_group *group = &map->groups[map->num_groups - 1];
    must(tm_map_quads(&quads, &num, map, &group->layers[0], NULL));
    assert_int_equal(num, 2);
    assert_int_equal(quads[0].points[3].x - quads[0].points[0].x, 32 * TM_FX); /* 64 px, and half of it */
    assert_int_equal(quads[1].points[4].x, (320 + 64 + 10) * TM_FX);
    assert_int_equal(quads[1].points[0].y, (64 - 4 + 24) * TM_FX);
    assert_int_equal(group->offset_x, 30);
    assert_int_equal(group->layers[1].as.sounds.num_sources, 1);
    assert_int_equal(group->layers[2].as.tiles.width, 20);
    const tm_envelope *blink = &map->envelopes[map->num_envelopes - 1];
    assert_int_equal(blink->num_points, 2);
    assert_int_equal(blink->points[1].time, 750);
    assert_int_equal(blink->points[1].values[1], TM_FX / 2);
    test_edit_refuses(map, "set New/0.quads[0].points[0].x=5", TM_ERROR_USAGE,
                      "'quads[0].points[0].x=5' is not a field");
    test_edit_does(map, "set design.color=#ff0000ff"); /* stopped at the first layer of quads */
    assert_int_equal(map->groups[map->num_groups - 1].layers[2].as.tiles.color.g, 0);
    test_edit_refuses(map, "set New.name+=x", TM_ERROR_USAGE, "nothing can be added");
    test_edit_refuses(map, "set New.offset.x+=2147483647", TM_ERROR_USAGE, "offset.x");
    test_edit_refuses(map, "add quad New/1 0,0", TM_ERROR_USAGE, "is a layer of kind sounds, not quads");
    test_edit_refuses(map, "add point envelope/Blink 5 1 1 1 1 1", TM_ERROR_USAGE, "has 4 channels, not 5");
    test_edit_refuses(map, "crop 0,0+9x9 physics", TM_ERROR_USAGE, "physics layers are as large as the map");
}

TEST(images_of_the_game_are_named)
{
    OWN(tm_map) *map = fresh();
    test_edit_does(map, "add image tobe\nreplace image image/tobe game:desert_main");
    const tm_image *image = &map->images[map->num_images - 1];
    assert_true(image->external && !image->pixels);
    assert_int_equal(image->width, 1024);
    assert_string_equal(image->name, "desert_main");
    test_edit_refuses(map, "replace image image/* game:desrt_main", TM_ERROR_NOT_FOUND,
                      "did you mean 'desert_main'?");
}

/* DDNet's editor asserts on it, and nothing was said; nor that data stay where an image becomes external. */
TEST(what_editors_do_not_take_is_told)
{
    OWN(tm_map) *map = fresh();
    uint32_t group, index;
    char line[64];
    test_edit_does(map, "add group New");
    assert_false(told(TM_FINDING_PHYSICS_APART));
    tm_map_physics_layer(&group, &index, map, TM_LAYER_FRONT);
    snprintf(line, sizeof(line), "move %u/%u New/0", (unsigned)group, (unsigned)index);
    test_edit_does(map, line);
    assert_true(told(TM_FINDING_PHYSICS_APART));
    test_edit_does(map, "set New.parallax.x=50 tiles.image=none *.parallax.y=100");
    assert_false(told(TM_FINDING_FIELD_IGNORED));
    test_edit_does(map, "set *.parallax.x=50");
    assert_true(told(TM_FINDING_FIELD_IGNORED));
    test_edit_does(map, "set */*.image=image/0");
    assert_true(told(TM_FINDING_FIELD_IGNORED));
    for (uint32_t i = 0; i < map->num_images; i++) {
        if (map->images[i].external || !map->images[i].pixels)
            continue;
        snprintf(line, sizeof(line), "set image/%u.external=true", (unsigned)i);
        test_edit_does(map, line);
        assert_null(map->images[i].pixels);
    }
    tm_cancel cancel = {0};
    tm_job job;
    tm_edit_options options = TM_EDIT_OPTIONS_INIT;
    job = (tm_job)TM_JOB_INIT;
    job.cancel = &cancel;
    options.job = &job;
    tm_cancel_request(&cancel);
    assert_int_equal(tm_edit_run(map, tm_edit_find("optimize"), NULL, 0, &options, NULL, NULL),
                     TM_ERROR_CANCELLED);
}

/* An image could get the name of another one without a word, and the old name was never told. */
TEST(names_are_told)
{
    OWN(tm_map) *map = test_map_of("add image a\nadd image b");
    assert_false(test_found(&test_report.findings, TM_FINDING_NAME_TAKEN));
    test_edit_does(map, "add image a");
    assert_true(test_found(&test_report.findings, TM_FINDING_NAME_TAKEN));
    test_edit_does(map, "rename image/2 b");
    assert_true(test_found(&test_report.findings, TM_FINDING_NAME_TAKEN));
    assert_string_equal(test_report.list[0].text, "renamed from 'a' to 'b'");
    test_edit_does(map, "rename image/2 other");
    assert_false(test_found(&test_report.findings, TM_FINDING_NAME_TAKEN));
    test_edit_refuses(map, "remove image/ohter", TM_ERROR_NOT_FOUND, "did you mean 'other'?");
}

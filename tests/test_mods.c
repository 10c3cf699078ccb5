/* SPDX-License-Identifier: Zlib */
/*
 * The table of mods, files of mods (what they say, what is refused and where), and the mods that maps show. Each mod
 * of the table that has marks is recognized by each of them.
 */
#include "support/lib_lint.h"
#include "support/memory.h"
#include "map/map.h"

#include <teemap/mods.h>

TEST_FREES(tm_mod, tm_mod_free)

static tm_status read_mod_text(tm_mod **out, const char *text, const tm_allocator *allocator, tm_error *error)
{
    return tm_mod_read(out, text, strlen(text), allocator, error);
}

TEST(names_of_the_table_are_unique)
{
    const tm_mod *mod;
    const char *last = "";
    for (uint32_t n = 0; (mod = tm_mod_at(n)); n++) {
        assert_true(strcmp(last, mod->name) < 0);
        assert_ptr_equal(tm_mod_by_name(mod->name), mod);
        for (uint32_t i = 0; i < mod->num_aliases; i++)
            assert_ptr_equal(tm_mod_by_name(mod->aliases[i]), mod);
        for (uint32_t i = 0; i < mod->num_tiles; i++) {
            const tm_tile_info *tile = &mod->tiles[i];
            for (int kind = 0; kind < TM_LAYER_KINDS; kind++)
                if (tile->layers[kind])
                    assert_ptr_equal(tm_mod_tile(mod, TM_GAME_DDNET, (tm_layer_kind)kind, tile->index), tile);
        }
        last = mod->name;
    }
    assert_ptr_equal(tm_mod_by_name("DDNet++"), tm_mod_by_name("f-ddrace"));
    assert_null(tm_mod_by_name("nobody"));
    assert_null(tm_mod_by_name(NULL));
    assert_null(tm_mod_rules_name((tm_mod_rules)4));
}

/* The games' tiles are known unless the mod says something else of them. */
TEST(tiles_are_those_of_the_mod_then_of_its_game)
{
    const tm_mod *fng = tm_mod_by_name("fng"), *mrpg = tm_mod_by_name("mrpg"),
                 *fddrace = tm_mod_by_name("f-ddrace");
    const struct {
        const tm_mod *mod;
        tm_layer_kind kind;
        uint8_t index;
        const char *id;
    } tiles[] = {
        {NULL, TM_LAYER_GAME, 9, "freeze"},
        {fng, TM_LAYER_GAME, 9, "fng-spike-red"},
        {fng, TM_LAYER_GAME, 2, "death"},
        {fng, TM_LAYER_GAME, 33, NULL},
        {fng, TM_LAYER_FRONT, 9, NULL},
        {mrpg, TM_LAYER_GAME, 208, "mrpg-spawn"},
        {mrpg, TM_LAYER_GAME, 9, NULL},
        {fddrace, TM_LAYER_FRONT, 160, "fddrace-money"},
        {fddrace, TM_LAYER_GAME, 9, "freeze"},
        {fddrace, TM_LAYER_TELE, 160, NULL},
        {fddrace, TM_LAYER_SWITCH, 22, "switch-timed-open"},
    };
    for (size_t i = 0; i < sizeof(tiles) / sizeof(*tiles); i++) {
        const tm_tile_info *tile = tm_mod_tile(tiles[i].mod, TM_GAME_DDNET, tiles[i].kind, tiles[i].index);
        if (tiles[i].id)
            assert_string_equal(tile ? tile->id : "none", tiles[i].id);
        else
            assert_null(tile);
    }
    assert_null(tm_mod_tile(fng, TM_GAME_DDNET, (tm_layer_kind)99, 9));
}

static const char whole[] = "name = 'my-mod'\n"
                            "title = 'Mine'\n"
                            "aliases = ['m']\n"
                            "base = 'teeworlds06'\n"
                            "[[tiles]]\n"
                            "index = [7, '9..11']\n"
                            "layers = ['game', 'tele']\n"
                            "id = 'lava'\n"
                            "title = 'burns'\n"
                            "category = 'hazard'\n"
                            "number = 'tele'\n"
                            "[[settings]]\n"
                            "name = 'sv_lava'\n"
                            "min = 1\n"
                            "max = 7\n"
                            "initial = 3\n"
                            "[[settings]]\n"
                            "name = 'my_*'\n"
                            "[[settings]]\n"
                            "name = 'burn'\n"
                            "arguments = 'is?r'\n"
                            "[entities]\n"
                            "sheet = 'mine'\n"
                            "masked = true\n"
                            "shown = 28\n"
                            "hidden = '140..143'\n"
                            "[marks]\n"
                            "groups = ['#Lava']\n"
                            "lines = 'burn '\n"
                            "settings = ['sv_lava']\n"
                            "images = ['lava']\n"
                            "[[marks.tiles]]\n"
                            "index = '7..9'\n"
                            "layers = ['front']\n"
                            "kinds = 2\n"
                            "least = 5\n"
                            "with = 1\n"
                            "without = [33, 34]\n"
                            "fewer = 2\n"
                            "race = false\n"
                            "why = 'it burns'\n"
                            "[lint]\n"
                            "rules = 'tile-notes'\n"
                            "ignore = ['open-*']\n"
                            "[lint.severity]\n"
                            "'no-*' = 'warning'\n";

TEST(a_file_says_all)
{
    OWN(tm_mod) *mod = NULL;
    must(read_mod_text(&mod, whole, NULL, NULL));
    assert_string_equal(mod->name, "my-mod");
    assert_string_equal(mod->title, "Mine");
    assert_int_equal(mod->base, TM_GAME_TEEWORLDS06);
    assert_int_equal(mod->num_tiles, 4);
    assert_int_equal(mod->tiles[3].index, 11);
    assert_int_equal(mod->tiles[3].category, TM_CATEGORY_HAZARD);
    assert_int_equal(mod->tiles[0].number, TM_NUMBER_TELE);
    assert_true(mod->tiles[0].layers[TM_LAYER_TELE] && !mod->tiles[0].layers[TM_LAYER_FRONT]);
    assert_int_equal(mod->num_settings, 3);
    const tm_setting_info *lava = tm_mod_setting(mod, "SV_lava");
    assert_true(lava && !lava->arguments && lava->min == 1 && lava->max == 7 && lava->has_initial &&
                lava->initial == 3);
    assert_string_equal(tm_mod_setting(mod, "my_own")->arguments, "?r");
    assert_string_equal(tm_mod_setting(mod, "burn")->arguments, "is?r");
    assert_null(tm_mod_setting(mod, "burns"));
    assert_null(tm_mod_setting(NULL, "burn"));
    assert_true(mod->masked && mod->num_shown == 1 && mod->hidden[0].last == 143);
    assert_int_equal(mod->num_groups + mod->num_lines + mod->num_commands + mod->num_images, 4);
    const tm_mod_mark *mark = mod->marks;
    assert_true(mark->kinds == 2 && mark->least == 5 && mark->no_race && mark->num_excluded == 2 &&
                mark->num_required == 1);
    assert_true(mark->layers[TM_LAYER_FRONT] && !mark->layers[TM_LAYER_GAME]);
    assert_string_equal(mark->reason, "it burns");
    assert_int_equal(mod->rules, TM_MOD_RULES_TILES);
    assert_string_equal(mod->ignored[0], "open-*");
    assert_int_equal(mod->severities[0].severity, TM_SEVERITY_WARNING);
}

TEST(faults_name_the_line)
{
    static const struct {
        const char *text, *fault;
    } files[] = {
        {"", "line 1: the mod has no 'name'"},
        {"name = 'a'\nnam = 1\n", "line 2: there is no key 'nam' here; did you mean 'name'?"},
        {"name = 'A B'\n", "line 1: 'A B' is no name of a-z, 0-9 and '+-'"},
        {"name = '../x'\n", "line 1: '../x' is no name of a-z, 0-9 and '+-'"},
        {"name = 'a'\nbase = 'ddent'\n", "line 2: 'ddent' is no word for 'base'; did you mean 'ddnet'?"},
        {"name = 'a'\ntitle = \"x\\u001b[31m\"\n", "line 2: 'title' has control characters"},
        {"name = 'a'\n[tiles]\n", "line 2: 'tiles' is a list of tables: [[tiles]]"},
        {"name = 'a'\n[[tiles]]\nid = 'x'\ncategory = 'solid'\n", "line 2: 'index' is missing here"},
        {"name = 'a'\n[[tiles]]\nindex = 256\nid = 'x'\ncategory = 'solid'\n",
         "line 3: 'index' holds something that is no index from 0 to 255"},
        {"name = 'a'\n[[tiles]]\nindex = '9..7'\nid = 'x'\ncategory = 'solid'\n",
         "line 3: 'index' holds something that is no index from 0 to 255"},
        {"name = 'a'\n[[tiles]]\nindex = 1\nid = 'x'\ncategory = 'fire'\n",
         "line 5: 'fire' is no word for 'category'; did you mean 'air'?"},
        {"name = 'a'\n[[tiles]]\nindex = 1\nid = 'x'\nlayers = ['quads']\ncategory = 'solid'\n",
         "line 5: there is no physics layer 'quads'"},
        {"name = 'a'\n[[settings]]\nmin = 1\n", "line 2: 'name' is missing here"},
        {"name = 'a'\n[[settings]]\nname = 'a*b'\n", "line 2: 'a*b': a * stands for the rest of a name"},
        {"name = 'a'\n[[settings]]\nname = 'b'\narguments = 'ri'\n",
         "line 2: arguments 'ri' are not letters i, f, s and r, with ? before optional ones"},
        {"name = 'a'\n[[settings]]\nname = 'b'\nmin = 1.5\n",
         "line 4: 'min' is no whole number from -2147483648 to 2147483647"},
        {"name = 'a'\n[entities]\nsheet = 'x/../y'\n", "line 3: 'x/../y' is no name of a-z, 0-9 and '+-_'"},
        {"name = 'a'\n[entities]\nmasked = 1\n", "line 3: 'masked' is not true or false"},
        {"name = 'a'\n[marks]\ngroups = [1]\n", "line 3: 'groups' holds something that is no text in quotes"},
        {"name = 'a'\n[marks]\nlines = ['']\n", "line 3: 'lines' holds something that is no text in quotes"},
        {"name = 'a'\n[[marks.tiles]]\nindex = 1\nkinds = 0\n",
         "line 4: 'kinds' is no whole number from 1 to 256"},
        {"name = 'a'\n[[marks.tiles]]\nindex = 1\nlayers = ['tele']\n",
         "line 2: marks are tiles of game and front layers"},
        {"name = 'a'\nlint = 1\n", "line 2: 'lint' is a table: [lint]"},
        {"name = 'a'\n[lint]\nrules = 'nothing'\n", "line 3: 'nothing' is no word for 'rules'"},
        {"name = 'a'\n[lint.severity]\nx = 'bad'\n", "line 3: 'bad' is no word for 'x'"},
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        tm_mod *mod;
        tm_error error;
        fails_with(TM_ERROR_USAGE, files[i].fault, read_mod_text(&mod, files[i].text, NULL, &error));
        assert_null(mod);
    }
    tm_mod *mod;
    tm_error error;
    assert_int_equal(read_mod_text(&mod, "name = \n", NULL, &error), TM_ERROR_DAMAGED);
}

/* Many rows of many indices are no way to much memory, and no file is too large to be refused at once. */
TEST(files_are_bounded)
{
    static char text[300000];
    static const char row[] = "[[tiles]]\nindex='0..255'\nid='a'\ncategory='air'\n";
    tm_error error;
    tm_mod *mod;
    size_t size = (size_t)snprintf(text, sizeof(text), "name='a'\n");
    for (int i = 0; i < 17; i++, size += sizeof(row) - 1)
        memcpy(text + size, row, sizeof(row));
    fails_with(TM_ERROR_USAGE, "line 66: a mod has 4096 tiles at most",
               tm_mod_read(&mod, text, size, NULL, &error));
    memset(text, '#', sizeof(text));
    assert_int_equal(tm_mod_read(&mod, text, sizeof(text), NULL, &error), TM_ERROR_LIMIT);
}

TEST(failures_of_memory_and_cut_files_leave_nothing)
{
    EACH_FAILURE(memory) {
        tm_mod *mod;
        const tm_status status = read_mod_text(&mod, whole, &memory.allocator, NULL);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        tm_mod_free(mod);
    }
    for (size_t size = 0; size < sizeof(whole); size++) {
        OWN(test_memory) memory = TEST_MEMORY(memory);
        tm_mod *mod;
        (void)tm_mod_read(&mod, whole, size, &memory.allocator, NULL);
        tm_mod_free(mod);
    }
    char other[sizeof(whole)];
    for (size_t i = 0; i + 1 < sizeof(whole); i++)
        for (int k = 0; k < 3; k++) {
            OWN(test_memory) memory = TEST_MEMORY(memory);
            tm_mod *mod;
            memcpy(other, whole, sizeof(whole));
            other[i] = "'\n9"[k];
            (void)tm_mod_read(&mod, other, sizeof(whole) - 1, &memory.allocator, NULL);
            tm_mod_free(mod);
        }
}

/* ------------------------------------------------------------------------------------------------- maps that show mods */

static void shows(const char *edits, const char *name, const char *reason)
{
    OWN(tm_map) *map = test_lint_new_race();
    const tm_mod *mod;
    char words[100];
    test_edit_does(map, edits);
    must(tm_map_find_mod(&mod, words, sizeof(words), map, NULL));
    assert_string_equal(mod ? mod->name : "none", name);
    assert_string_equal(words, reason);
}

#define NO_RACE "clear front\nremove Game/Tele\nremove Game/Speedup\nreplace start,finish with air\n"

TEST(each_mark_is_recognized)
{
    shows("clear front", "none", "");
    shows("add group '#Zones'", "infclass", "it has the group '#Zones'");
    shows("settings add '#zone a'", "mrpg", "it has settings that begin with '#zone '");
    shows("add image lab_main", "ninslash", "it has the image 'lab_main'");
    shows("settings add 'mc;SV_Jailstate 1'", "f-ddrace", "it has the setting 'sv_jailstate'");
    shows("settings add '# sv_jailstate 1'", "none", "");
    shows("settings add 'sv_reserved_time 1'", "t-race", "it has the setting 'sv_reserved_time'");
    shows("fill game@2,4+1x1 160\nfill front@2,5+1x1 119", "f-ddrace", "it has 2 of its own kinds of tiles");
    shows("fill game@2,4+2x1 160", "none", "");
    shows(NO_RACE "fill game@2,4+1x1 7\nfill game@2,5+1x1 8\nfill game@2,6+1x1 10", "fng",
          "it has 3 of its own kinds of tiles");
    shows(NO_RACE "fill game@2,4+1x1 7\nfill game@2,5+1x1 8", "none", "");
    /* four slopes are more kinds than three spikes */
    shows(NO_RACE "fill game@2,4+1x1 4\nfill game@2,5+1x1 5\nfill game@2,6+1x1 6\nfill game@2,7+1x1 7\n"
                  "fill game@2,8+1x1 8\nfill game@2,9+1x1 10",
          "ninslash", "it has 4 of its own kinds of tiles");
    /* a name is more than tiles */
    shows("add group '#Zones'\nfill game@2,4+1x1 160\nfill game@2,5+1x1 161", "infclass",
          "it has the group '#Zones'");
}

/* The caller's mod or settings: what it says of rules holds, and its settings are known. */
TEST(lint_follows_a_file)
{
    static const char settings[] = "name = 'server'\n[[settings]]\nname = 'sv_lava'\nmin = 1\nmax = 7\n",
                      quiet[] = "name = 'q'\n[lint]\nignore = ['setting-*']\n",
                      own[] = "name = 'q'\n[lint]\nrules = 'none'\n",
                      louder[] = "name = 'q'\n[lint.severity]\n'setting-unknown' = 'error'\n";
    static const struct {
        const char *file, *setting;
        tm_finding_id id;
        int severity; /* 0: not found */
    } cases[] = {
        {NULL, "sv_lava 3", TM_FINDING_SETTING_UNKNOWN, TM_SEVERITY_WARNING},
        {settings, "sv_lava 3", TM_FINDING_SETTING_UNKNOWN, 0},
        {settings, "sv_lava 8", TM_FINDING_SETTING_RANGE, TM_SEVERITY_WARNING},
        {settings, "sv_lava x", TM_FINDING_SETTING_ARGUMENTS, TM_SEVERITY_WARNING},
        {quiet, "sv_lava 3", TM_FINDING_SETTING_UNKNOWN, 0},
        {own, "sv_lava 3", TM_FINDING_SETTING_UNKNOWN, 0},
        {louder, "sv_lava 3", TM_FINDING_SETTING_UNKNOWN, TM_SEVERITY_ERROR},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        OWN(tm_map) *map = test_lint_new_race();
        OWN(tm_mod) *mod = NULL;
        OWN(tm_lint_result) result = {0};
        char edit[60];
        tm_lint_options options = {.size = sizeof(options)};
        int found = 0;
        snprintf(edit, sizeof(edit), "settings add '%s'", cases[i].setting);
        test_edit_does(map, edit);
        if (cases[i].file)
            must(read_mod_text(&mod, cases[i].file, NULL, NULL));
        options.mod = mod;
        must(tm_lint_run(&result, map, &options, NULL));
        for (size_t k = 0; k < result.findings.num; k++) {
            const tm_finding *finding = &result.findings.list[k];
            found = finding->id == cases[i].id ? (int)finding->severity : found;
            if (mod && finding->id == TM_FINDING_MAP_OF_MOD)
                fail_msg("the mod was said");
        }
        assert_int_equal(found, cases[i].severity);
        assert_int_equal((result.sets & TM_LINT_MODS) != 0, cases[i].file == own);
    }
}

/* Group '#Zones' shows Infclass; the caller says otherwise. */
TEST(the_callers_mod_overrules_the_map)
{
    OWN(tm_map) *map = test_lint_new_race();
    OWN(tm_lint_result) result = {0};
    tm_lint_options options = {.size = sizeof(options), .mod = tm_mod_by_name("ddnet")};
    test_edit_does(map, "add group '#Zones'");
    must(tm_lint_run(&result, map, &options, NULL));
    assert_int_equal(result.sets, TM_LINT_DDNET | TM_LINT_STYLE);
}

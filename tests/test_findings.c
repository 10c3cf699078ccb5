/* SPDX-License-Identifier: Zlib */
/*
 * The table of findings: ids and numbers that never shift, and docs/findings.md, which must have exactly one row for each
 * id, with the same meaning in each mode. test_finding_lists.c has the lists.
 */
#include "base/base.h"
#include "lint/lint.h"
#include "support/test.h"

TEST(severities_follow_the_table)
{
    bool refuses;
    assert_int_equal(tmi_finding_severity(TM_FINDING_SHARED_TILES, TM_MODE_STRICT, &refuses),
                     TM_SEVERITY_ERROR);
    assert_true(refuses);
    assert_int_equal(tmi_finding_severity(TM_FINDING_SHARED_TILES, TM_MODE_GAME, &refuses),
                     TM_SEVERITY_WARNING);
    assert_false(refuses);
    assert_int_equal(tmi_finding_severity(TM_FINDING_EMPTY_DATA, TM_MODE_STRICT, &refuses),
                     TM_SEVERITY_ERROR);
    assert_false(refuses);
    assert_int_equal(tmi_finding_severity(TM_FINDING_CRUDE_SIZES, TM_MODE_SALVAGE, NULL), TM_SEVERITY_NOTE);
    assert_string_equal(tm_severity_name(TM_SEVERITY_NOTE), "note");
    assert_string_equal(tm_severity_name(TM_SEVERITY_WARNING), "warning");
    assert_string_equal(tm_severity_name(TM_SEVERITY_ERROR), "error");
}

TEST(ids_are_different_and_well_spelt)
{
    tm_finding_id id, other;
    for (size_t i = 0; tm_finding_at(&id, i); i++) {
        const char *name = tm_finding_name(id);
        assert_non_null(name);
        assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(name));
        for (size_t k = 0; k < i && tm_finding_at(&other, k); k++) {
            assert_string_not_equal(name, tm_finding_name(other));
            assert_true(other < id);
        }
    }
}

/*
 * What programs that were built with earlier headers know. Rows are only ever added here, by hand, when a finding is new.
 */
static const struct {
    int number;
    const char *name;
} frozen[] = {
    {100, "bad-magic"},
    {101, "bad-version"},
    {102, "bad-counts"},
    {103, "head-cut"},
    {104, "data-cut"},
    {105, "trailing-bytes"},
    {106, "crude-sizes"},
    {107, "bad-size-field"},
    {108, "bad-swaplen-field"},
    {109, "item-size-odd"},
    {110, "bad-type-table"},
    {111, "type-order"},
    {112, "bad-item-offset"},
    {113, "item-gap"},
    {114, "item-type-mismatch"},
    {115, "item-size-mismatch"},
    {116, "duplicate-item-id"},
    {117, "bad-data-offset"},
    {118, "data-overlap"},
    {119, "data-gap"},
    {120, "data-unclaimed"},
    {121, "bad-data-size"},
    {122, "empty-data"},
    {123, "data-broken"},
    {124, "data-checksum"},
    {125, "data-short"},
    {126, "data-long"},
    {127, "data-trailing"},
    {128, "uuid-index-missing"},
    {129, "uuid-index-duplicate"},
    {130, "layout-normalised"},
    {200, "no-version-item"},
    {201, "bad-map-version"},
    {202, "pre-2008-map"},
    {203, "unknown-item"},
    {204, "extra-item"},
    {205, "item-too-short"},
    {206, "item-longer"},
    {207, "bad-text"},
    {208, "bad-text-index"},
    {209, "bad-layer-name"},
    {210, "bad-name"},
    {211, "group-too-short"},
    {212, "bad-group-version"},
    {213, "bad-group-range"},
    {214, "shared-layer"},
    {215, "layer-without-group"},
    {216, "layer-too-short"},
    {217, "unknown-layer"},
    {218, "bad-tile-layer-version"},
    {219, "several-physics-flags"},
    {220, "no-physics-data"},
    {221, "bad-layer-size"},
    {222, "bad-color"},
    {223, "bad-data-index"},
    {224, "shared-tiles"},
    {225, "physics-too-small"},
    {226, "physics-size"},
    {227, "no-game-layer"},
    {228, "game-layer-data"},
    {229, "several-physics-layers"},
    {230, "tiles-short"},
    {231, "tiles-runs"},
    {232, "tiles-skip"},
    {233, "tiles-reserved"},
    {234, "physics-runs"},
    {235, "bad-reference"},
    {236, "block-size"},
    {237, "bad-image-size"},
    {238, "image-format"},
    {239, "bad-channels"},
    {240, "bad-curve"},
    {241, "points-range"},
    {242, "points-order"},
    {243, "bezier-count"},
    {244, "automapper-version"},
    {245, "automapper-target"},
    {246, "group-ex-count"},
    {247, "object-lost"},
    {248, "object-damaged"},
    {249, "envelope-kind"},
    {250, "external-pixels"},
    {400, "missing-image"},
    {500, "lost-layer"},
    {501, "lost-sound"},
    {502, "lost-settings"},
    {503, "lost-curve"},
    {504, "lost-automapper"},
    {505, "lost-item"},
    {506, "lost-field"},
    {507, "lost-tiles"},
    {508, "lost-image"},
    {509, "not-embedded"},
    {510, "plays-differently"},
    {600, "no-match"},
    {601, "automapper-stopped"},
    {602, "gravity-not-rotated"},
    {603, "physics-resized"},
    {604, "tiles-lost"},
    {605, "whole-group"},
    {606, "name-taken"},
    {607, "physics-apart"},
    {610, "tile-unfit"},
    {611, "group-not-aligned"},
    {612, "turned-tiles"},
    {613, "speedups-differ"},
    {614, "tiles-play"},
    {620, "no-pixels"},
    {621, "automapper-keeps"},
    {622, "image-not-found"},
    {623, "not-externalized"},
    {624, "no-rules"},
    {625, "other-picture"},
    {626, "seed-drawn"},
    {650, "not-equal"},
    {700, "patch-object"},
    {701, "patch-value"},
    {800, "rule-line-ignored"},
    {801, "rule-line-bytes"},
    {802, "rule-indented"},
    {803, "rule-out-of-place"},
    {804, "rule-stale"},
    {805, "rule-number-missing"},
    {806, "rule-number-range"},
    {807, "rule-word-unknown"},
    {808, "rule-rest-unread"},
    {809, "rule-name-cut"},
    {810, "rule-prefix"},
    {811, "rule-kind-unknown"},
    {812, "rule-list-shifted"},
    {813, "rule-random-replaced"},
    {814, "rule-chance-idle"},
    {815, "rule-percent-apart"},
    {816, "rules-empty"},
    {820, "rules-loose-json"},
    {821, "rule-member-unknown"},
    {822, "rule-member-type"},
    {823, "rule-member-range"},
    {824, "rule-member-twice"},
    {825, "rule-set-skipped"},
    {826, "rule-dropped"},
    {830, "rule-never-holds"},
    {831, "rule-overwritten"},
    {832, "rule-condition-idle"},
    {833, "rule-run-idle"},
    {834, "rule-tile-not-made"},
    {835, "rule-name-twice"},
    {840, "rules-differ"},
    {841, "rules-lost"},
    {900, "folder-text"},
    {901, "folder-value"},
    {902, "folder-missing"},
    {903, "folder-name"},
    {904, "folder-unused"},
    {905, "folder-adjusted"},
    {906, "sidecar-mismatch"},
    {1000, "no-spawn"},
    {1001, "spawn-in-wall"},
    {1002, "no-start"},
    {1003, "no-finish"},
    {1004, "no-race"},
    {1005, "no-time-checkpoints"},
    {1006, "time-checkpoint-gap"},
    {1007, "lone-flag"},
    {1008, "flag-twice"},
    {1009, "lone-team-spawn"},
    {1010, "spawn-in-freeze"},
    {1020, "tele-without-out"},
    {1021, "out-without-tele"},
    {1022, "tele-number-zero"},
    {1023, "out-in-wall"},
    {1024, "out-on-death"},
    {1025, "single-out"},
    {1026, "blue-tele"},
    {1027, "checkpoint-without-out"},
    {1028, "out-without-checkpoint"},
    {1029, "no-way-to-checkpoint"},
    {1030, "no-checkpoint"},
    {1031, "out-in-freeze"},
    {1040, "switch-without-listener"},
    {1041, "listener-without-switch"},
    {1042, "switch-number-zero"},
    {1043, "freeze-without-time"},
    {1044, "time-of-zero"},
    {1045, "unknown-weapon"},
    {1046, "door-without-layer"},
    {1047, "door-without-length"},
    {1048, "laser-without-length"},
    {1049, "orphan-length"},
    {1050, "lone-change"},
    {1060, "speedup-without-force"},
    {1061, "speedup-type"},
    {1062, "speedup-old"},
    {1063, "speedup-angle"},
    {1064, "speedup-first"},
    {1065, "tune-without-setting"},
    {1066, "setting-without-tune"},
    {1067, "tune-number-zero"},
    {1068, "tune-type"},
    {1080, "unknown-tile"},
    {1081, "foreign-tile"},
    {1082, "later-tile"},
    {1083, "tile-in-wall"},
    {1084, "same-in-front"},
    {1085, "idle-flags"},
    {1086, "idle-number"},
    {1087, "idle-delay"},
    {1088, "cut-without-wall"},
    {1089, "through-without-wall"},
    {1090, "mover-in-front"},
    {1091, "line-in-wall"},
    {1092, "through-old"},
    {1096, "no-author"},
    {1097, "no-license"},
    {1098, "bad-map-name"},
    {1099, "conflict-mark"},
    {1100, "unused-image"},
    {1101, "unused-sound"},
    {1102, "unused-envelope"},
    {1103, "empty-layer"},
    {1104, "empty-physics"},
    {1105, "empty-group"},
    {1106, "image-not-shipped"},
    {1107, "image-shipped"},
    {1108, "sound-external"},
    {1109, "sound-not-opus"},
    {1110, "part-unknown"},
    {1111, "missing-name"},
    {1112, "map-of-mod"},
    {1120, "image-twice"},
    {1121, "envelope-twice"},
    {1122, "image-name-twice"},
    {1123, "image-sides"},
    {1124, "layer-large"},
    {1125, "images-many"},
    {1126, "bad-file-name"},
    {1127, "envelope-without-points"},
    {1128, "layer-invisible"},
    {1129, "layer-twice"},
    {1130, "game-group-moved"},
    {1131, "image-oversized"},
    {1132, "quad-far"},
    {1133, "quad-hidden"},
    {1134, "background-detail"},
    {1135, "background-small"},
    {1136, "envelope-range"},
    {1137, "image-heavy"},
    {1200, "setting-unknown"},
    {1201, "setting-arguments"},
    {1202, "setting-range"},
    {1203, "tuning-unknown"},
    {1204, "setting-twice"},
    {1205, "setting-overruled"},
    {1206, "setting-initial"},
    {1207, "setting-long"},
    {1208, "setting-idle"},
    {1209, "setting-without-switch"},
    {1210, "settings-conflict"},
    {1211, "team-size-forced"},
    {1212, "kog-quests"},
    {1213, "setting-without-tiles"},
    {1220, "few-spawns"},
    {1221, "spawn-on-ground"},
    {1222, "out-on-ground"},
    {1223, "solo-spawns"},
    {1224, "solo-spawn-in-air"},
    {1225, "solo-outs"},
    {1226, "solo-out-in-air"},
    {1227, "solo-setting"},
    {1228, "dummy-deepfly"},
    {1229, "race-tile"},
    {1230, "no-flag"},
    {1231, "flag-in-dm"},
    {1232, "dummy-unlock"},
    {1233, "novice-solo"},
    {1240, "rules-missing"},
    {1241, "edited-after-mapping"},
    {1260, "finish-unreachable"},
    {1261, "start-unreachable"},
    {1262, "start-bypassed"},
    {1263, "spawn-cut-off"},
    {1264, "time-checkpoint-unreachable"},
    {1265, "thin-freeze"},
    {1266, "toggles-adjacent"},
    {1267, "start-at-finish"},
    {1268, "thin-wall"},
    {1269, "time-checkpoint-order"},
    {1270, "open-edge"},
    {1900, "own-rule"},
};

/* The rules of lint stand in docs/lint.md, which is made of their table. */
static bool is_of_lint(tm_finding_id id)
{
    return tmi_lint_rule_of(id);
}

/* A finding from 1000 on is one of a rule, and the other way round. */
TEST(every_rule_has_a_finding)
{
    tm_finding_id id;
    for (size_t i = 0; tm_finding_at(&id, i); i++)
        if (is_of_lint(id) != ((int)id >= 1000))
            fail_msg("'%s' has a number from 1000 on, or is a rule, but not both", tm_finding_name(id));
}

/* Numbers were once places in a list, and a new finding in the middle shifted all that followed. */
TEST(numbers_never_shift)
{
    const size_t num = sizeof(frozen) / sizeof(frozen[0]);
    tm_finding_id id;
    for (size_t i = 0; i < num; i++) {
        const char *name = tm_finding_name((tm_finding_id)frozen[i].number);
        if (!name || strcmp(name, frozen[i].name) != 0)
            fail_msg("%d is '%s', was '%s'", frozen[i].number, name ? name : "", frozen[i].name);
    }
    if (tm_finding_at(&id, num))
        fail_msg("a finding is not in this test's list, perhaps '%s'", tm_finding_name(id));
}

static const char *mode_word(tm_finding_id id, tm_mode mode)
{
    bool refuses;
    switch (tmi_finding_severity(id, mode, &refuses)) {
    case TM_SEVERITY_ERROR: return refuses ? "refused" : "part missing";
    case TM_SEVERITY_WARNING: return "warning";
    case TM_SEVERITY_NOTE: break;
    }
    return "note";
}

static char *read_page(void)
{
    const char *source = getenv("TEEMAP_SOURCE");
    char path[4096];
#ifdef TEEMAP_SOURCE_DIR
    if (!source)
        source = TEEMAP_SOURCE_DIR;
#endif
    if (!source)
        return NULL;
    snprintf(path, sizeof(path), "%s/docs/findings.md", source);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open '%s'", path);
    static char page[262144];
    size_t size = fread(page, 1, sizeof(page) - 1, file);
    fclose(file);
    assert_in_range(size, 1, sizeof(page) - 2);
    page[size] = '\0';
    return page;
}

/* Each row begins "| `id` | number | strict | game | salvage | ", followed by two cells that are not empty. */
TEST(the_page_explains_every_finding)
{
    const char *page = read_page();
    if (!page) {
        skip(); /* TEEMAP_SOURCE says where the sources are; it is not set */
        return;
    }
    int num_wrong = 0;
    tm_finding_id id;
    for (size_t i = 0; tm_finding_at(&id, i); i++) {
        char row[256];
        if (is_of_lint(id))
            continue;
        snprintf(row, sizeof(row), "\n| `%s` | %d | %s | %s | %s | ", tm_finding_name(id), (int)id,
                 mode_word(id, TM_MODE_STRICT), mode_word(id, TM_MODE_GAME), mode_word(id, TM_MODE_SALVAGE));
        const char *found = strstr(page, row);
        size_t meaning = found ? strcspn(found + strlen(row), "|\n") : 0;
        size_t advice = meaning ? strcspn(found + strlen(row) + meaning + 1, "|\n") : 0;
        if (meaning < 20 || advice < 8) {
            print_error("docs/findings.md lacks a row that begins with:%s\n", row);
            num_wrong++;
        }
    }
    assert_int_equal(num_wrong, 0);
}

TEST(the_page_explains_nothing_else)
{
    const char *page = read_page();
    if (!page) {
        skip();
        return;
    }
    int num_rows = 0;
    for (const char *at = page; (at = strstr(at, "\n| `")); at++)
        num_rows++;
    tm_finding_id id;
    int num_findings = 0;
    for (size_t i = 0; tm_finding_at(&id, i); i++)
        num_findings += !is_of_lint(id);
    assert_int_equal(num_rows, num_findings);
}

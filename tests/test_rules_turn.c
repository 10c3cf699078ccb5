/* SPDX-License-Identifier: Zlib */
/*
 * Turning and mirroring single tiles: the laws of the square's eight transforms for every tile of every kind, and the
 * values that the games' own code gave (../shared/golden-edit/wholemap-tiles.tsv and editor-tiles.tsv, skipped where they are
 * missing).
 */
#include "games/games.h"
#include "support/test.h"

static const tm_layer_kind with_flags[] = {TM_LAYER_TILES, TM_LAYER_GAME, TM_LAYER_FRONT, TM_LAYER_SWITCH};
static const tm_layer_kind tile_kinds[] = {TM_LAYER_TILES, TM_LAYER_GAME,    TM_LAYER_FRONT, TM_LAYER_SWITCH,
                                           TM_LAYER_TELE,  TM_LAYER_SPEEDUP, TM_LAYER_TUNE};

/* A tile of any kind, with bytes that must stay. */
typedef union any_tile {
    uint8_t bytes[8];
    tm_speedup_tile speedup;
} any_tile;

static any_tile make_tile(tm_layer_kind kind, uint8_t index, uint8_t flags)
{
    any_tile tile = {{101, 102, 103, 104, 105, 106, 107, 108}};
    const tm_layer_info *layer = tm_game_layer(kind);
    tile.bytes[layer->index_at] = index;
    if (layer->flags_at >= 0)
        tile.bytes[layer->flags_at] = flags;
    if (kind == TM_LAYER_SPEEDUP)
        tile.speedup.angle = (int16_t)(flags * 23 % 360);
    assert_int_equal(layer->angle_at, kind == TM_LAYER_SPEEDUP ? 4 : TM_NONE);
    return tile;
}

static any_tile turned(tm_layer_kind kind, any_tile tile, tm_transform transform)
{
    tm_game_turn_tile(kind, &tile, transform);
    return tile;
}

/* ------------------------------------------------------------------------------------------------- values */

static void take_row(tm_layer_kind kind, int index, int flags, const int to_index[5], const int to_flags[5])
{
    static const tm_transform columns[5] = {TM_TRANSFORM_MIRROR_X, TM_TRANSFORM_MIRROR_Y,
                                            TM_TRANSFORM_TURN_90, TM_TRANSFORM_TURN_180,
                                            TM_TRANSFORM_TURN_270};
    for (int i = 0; i < 5; i++) {
        any_tile tile = make_tile(kind, (uint8_t)index, (uint8_t)flags);
        any_tile wanted = make_tile(kind, (uint8_t)to_index[i], (uint8_t)to_flags[i]);
        if (kind == TM_LAYER_SPEEDUP) {
            tile.speedup.angle = (int16_t)flags;
            wanted.speedup.angle = (int16_t)to_flags[i];
        }
        tile = turned(kind, tile, columns[i]);
        if (memcmp(tile.bytes, wanted.bytes, sizeof(tile.bytes)) != 0)
            fail_msg("%s %d, flags or angle %d, transform %d", tm_game_layer(kind)->name, index, flags,
                     columns[i]);
    }
}

/* Where an index is not told of for itself, nothing changes, in the other kinds neither. */
static void take_others(const bool listed[TM_TILE_INDICES])
{
    for (size_t k = 1; k < sizeof(tile_kinds) / sizeof(tile_kinds[0]); k++) {
        for (int index = 0; index < TM_TILE_INDICES; index++) {
            if (tile_kinds[k] == TM_LAYER_SPEEDUP || (k <= 3 && listed[index]))
                continue;
            for (int flags = 0; flags < 256; flags += 5) {
                const int same[5] = {index, index, index, index, index},
                          f[5] = {flags, flags, flags, flags, flags};
                take_row(tile_kinds[k], index, flags, same, f);
            }
        }
    }
}

TEST(tiles_turn_as_in_the_golden_table)
{
    char line[256];
    bool listed[TM_TILE_INDICES] = {false};
    int rows = 0;
    FILE *file = test_golden_table("wholemap-tiles.tsv");
    while (fgets(line, sizeof(line), file)) {
        int index, flags, i[5], f[5];
        if (sscanf(line, "design any but 0 %d %d %d %d %d %d", &flags, f, f + 1, f + 2, f + 3, f + 4) == 6) {
            for (index = 1; index < TM_TILE_INDICES; index++)
                take_row(TM_LAYER_TILES, index, flags, (int[5]){index, index, index, index, index}, f);
        } else if (sscanf(line, "game,front,switch %d %d %d:%d %d:%d %d:%d %d:%d %d:%d", &index, &flags, i, f,
                          i + 1, f + 1, i + 2, f + 2, i + 3, f + 3, i + 4, f + 4) == 12) {
            assert_in_range(index, 0, 255);
            listed[index] = true;
            for (size_t k = 1; k < sizeof(with_flags) / sizeof(with_flags[0]); k++)
                take_row(with_flags[k], index, flags, i, f);
        } else if (sscanf(line, "speedup any %d %d %d %d %d %d", &flags, f, f + 1, f + 2, f + 3, f + 4) ==
                   6) {
            take_row(TM_LAYER_SPEEDUP, 28, flags, (int[5]){28, 28, 28, 28, 28}, f);
            take_row(TM_LAYER_SPEEDUP, 3, flags, (int[5]){3, 3, 3, 3, 3}, f);
        } else {
            continue;
        }
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 186);
    take_others(listed);
}

/* One tile, what the editor makes of it, and what we do. */
typedef struct editor_case {
    tm_layer_kind kind;
    int index, flags, transform; /* 0 to 4: mirror x, mirror y, turns */
    int to_index, to_flags;      /* the editor's */
    int our_index, our_flags;
} editor_case;

static bool has_direction(int index)
{
    static const int all[] = {60, 61, 64, 65, 67, 224, 225};
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (all[i] == index)
            return true;
    return false;
}

/* Where the editor turns pictures and forgets what tiles do, or flags; there it must do just that. */
static bool is_editor_fault(const editor_case *editor)
{
    const bool mirrors = editor->transform < 2, is_switch = editor->kind == TM_LAYER_SWITCH;
    /* Switches keep flags when they are turned once, but never those of freeze and deep freeze. */
    const bool freezes = editor->index == 9 || editor->index == 12 || editor->index == 13;
    const bool drops = !(is_switch && editor->transform == 2) || freezes;
    if (has_direction(editor->index)) /* one-ways become weak, movers brakes; shotguns shoot elsewhere */
        return editor->to_index == editor->index && (mirrors || editor->index >= 224);
    if (editor->index >= 203 && editor->index <= 209 && mirrors && editor->our_index == 412 - editor->index &&
        editor->our_flags == editor->flags) /* lasers turn the other way round */
        return editor->to_index == editor->index && editor->to_flags == 0;
    return editor->our_index == editor->index && editor->our_flags == editor->flags &&
           editor->to_index == editor->index && editor->to_flags == (drops ? 0 : editor->flags);
}

static void turn_case(editor_case *editor)
{
    static const tm_transform transforms[5] = {TM_TRANSFORM_MIRROR_X, TM_TRANSFORM_MIRROR_Y,
                                               TM_TRANSFORM_TURN_90, TM_TRANSFORM_TURN_180,
                                               TM_TRANSFORM_TURN_270};
    const tm_layer_info *layer = tm_game_layer(editor->kind);
    any_tile tile = make_tile(editor->kind, (uint8_t)editor->index, (uint8_t)editor->flags);
    if (editor->kind == TM_LAYER_SPEEDUP)
        tile.speedup.angle = (int16_t)editor->flags;
    tile = turned(editor->kind, tile, transforms[editor->transform]);
    editor->our_index = tile.bytes[layer->index_at];
    editor->our_flags = editor->kind == TM_LAYER_SPEEDUP ? tile.speedup.angle
                        : layer->flags_at >= 0           ? tile.bytes[layer->flags_at]
                                                         : editor->flags;
}

/* Whether a row is as we do it, or differs only where the editor is wrong. */
static bool editor_row_is_right(tm_layer_kind kind, const int row[12], uint32_t *faults)
{
    for (int t = 0; t < 5; t++) {
        editor_case editor = {kind, row[0], row[1], t, row[2 + t * 2], row[3 + t * 2], 0, 0};
        turn_case(&editor);
        if (editor.to_index == editor.our_index && editor.to_flags == editor.our_flags)
            continue;
        if (kind == TM_LAYER_TILES || kind == TM_LAYER_TELE || kind == TM_LAYER_TUNE ||
            kind == TM_LAYER_SPEEDUP || !is_editor_fault(&editor))
            return false;
        ++*faults;
    }
    return true;
}

TEST(tiles_turn_as_in_the_editor)
{
    static const struct {
        const char *name;
        tm_layer_kind kinds[2];
    } names[] = {
        {"design", {TM_LAYER_TILES, TM_LAYER_TILES}},      {"game+front", {TM_LAYER_GAME, TM_LAYER_FRONT}},
        {"switch", {TM_LAYER_SWITCH, TM_LAYER_SWITCH}},    {"tele", {TM_LAYER_TELE, TM_LAYER_TELE}},
        {"speedup", {TM_LAYER_SPEEDUP, TM_LAYER_SPEEDUP}}, {"tune", {TM_LAYER_TUNE, TM_LAYER_TUNE}}};
    char line[256], name[16];
    uint32_t rows = 0, faults = 0;
    int r[12];
    FILE *file = test_golden_table("editor-tiles.tsv");
    while (fgets(line, sizeof(line), file)) {
        if (sscanf(line, "%15s %d %d %d:%d %d:%d %d:%d %d:%d %d:%d", name, r, r + 1, r + 2, r + 3, r + 4,
                   r + 5, r + 6, r + 7, r + 8, r + 9, r + 10, r + 11) != 13)
            continue;
        for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
            for (int k = 0; k < 2 && strcmp(name, names[i].name) == 0; k++)
                if (!editor_row_is_right(names[i].kinds[k], r, &faults))
                    fail_msg("%s", line);
        rows++;
    }
    fclose(file);
    print_message("%u rows; %u results in which the editor forgets what tiles do\n", rows, faults);
    assert_int_equal(rows, 1564);
}

/* The same in small, for where the table is missing. */
TEST(some_tiles_turn)
{
    take_row(TM_LAYER_TILES, 7, 0, (int[5]){7, 7, 7, 7, 7}, (int[5]){1, 2, 8, 3, 11});
    take_row(TM_LAYER_TILES, 7, 9, (int[5]){7, 7, 7, 7, 7}, (int[5]){11, 8, 2, 10, 1});
    take_row(TM_LAYER_TILES, 7, 9 | 4 | 0xF0, (int[5]){7, 7, 7, 7, 7},
             (int[5]){11 | 4 | 0xF0, 8 | 4 | 0xF0, 2 | 4 | 0xF0, 10 | 4 | 0xF0, 1 | 4 | 0xF0});
    take_row(TM_LAYER_TILES, 0, 9, (int[5]){0, 0, 0, 0, 0}, (int[5]){9, 9, 9, 9, 9});
    take_row(TM_LAYER_GAME, 60, 8, (int[5]){60, 60, 60, 60, 60}, (int[5]){11, 8, 3, 11, 0});
    take_row(TM_LAYER_SWITCH, 225, 8, (int[5]){225, 225, 225, 225, 225}, (int[5]){11, 8, 0, 11, 3});
    take_row(TM_LAYER_FRONT, 203, 5, (int[5]){209, 209, 203, 203, 203}, (int[5]){5, 5, 5, 5, 5});
    take_row(TM_LAYER_SWITCH, 22, 9, (int[5]){22, 22, 22, 22, 22}, (int[5]){9, 9, 9, 9, 9});
    take_row(TM_LAYER_SPEEDUP, 29, 30, (int[5]){29, 29, 29, 29, 29}, (int[5]){150, 330, 120, 210, 300});
}

/* ---------------------------------------------------------------------------------------------------- laws */

/* Crazy shotguns have four directions; flags that are none count as the last. */
static any_tile normal(tm_layer_kind kind, any_tile tile)
{
    const uint8_t index = tile.bytes[tm_game_layer(kind)->index_at];
    if (kind == TM_LAYER_GAME || kind == TM_LAYER_FRONT || kind == TM_LAYER_SWITCH) {
        uint8_t *flags = &tile.bytes[tm_game_layer(kind)->flags_at];
        const uint8_t direction = *flags & 11;
        if ((index == 224 || index == 225) && direction != 0 && direction != 3 && direction != 8)
            *flags |= 11;
    }
    return tile;
}

static void assert_same(tm_layer_kind kind, any_tile a, any_tile b)
{
    a = normal(kind, a);
    b = normal(kind, b);
    assert_memory_equal(a.bytes, b.bytes, sizeof(a.bytes));
}

/* One transform after another is the joined one, so four turns and two mirrors are nothing. */
TEST(transforms_join)
{
    for (size_t k = 0; k < sizeof(tile_kinds) / sizeof(tile_kinds[0]); k++) {
        for (int i = 0; i < TM_TILE_INDICES * 16; i++) {
            const tm_layer_kind kind = tile_kinds[k];
            const any_tile tile = make_tile(kind, (uint8_t)(i / 16), (uint8_t)(i % 16));
            for (int a = 0; a < TM_TRANSFORM_COUNT; a++) {
                tm_transform back = TM_TRANSFORM_NONE;
                while (tmi_transform_join((tm_transform)a, back) != TM_TRANSFORM_NONE)
                    back++;
                const any_tile single = turned(kind, tile, (tm_transform)a);
                assert_same(kind, turned(kind, single, back), tile);
                for (int b = 0; b < TM_TRANSFORM_COUNT; b++)
                    assert_same(kind, turned(kind, single, (tm_transform)b),
                                turned(kind, tile, tmi_transform_join((tm_transform)a, (tm_transform)b)));
            }
        }
    }
}

/* What has no tiles, and what is no transform, changes nothing. */
TEST(other_calls_do_nothing)
{
    const any_tile tile = make_tile(TM_LAYER_GAME, 60, 8), odd = make_tile(TM_LAYER_SPEEDUP, 28, 1);
    static const tm_layer_kind none[] = {TM_LAYER_QUADS, TM_LAYER_SOUNDS, TM_LAYER_OLD_SOUNDS,
                                         TM_LAYER_UNKNOWN, TM_LAYER_KINDS};
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        any_tile after = tile;
        tm_game_turn_tile(none[i], &after, TM_TRANSFORM_TURN_90);
        assert_memory_equal(after.bytes, tile.bytes, sizeof(tile.bytes));
    }
    assert_same(TM_LAYER_GAME, turned(TM_LAYER_GAME, tile, TM_TRANSFORM_COUNT), tile);
    any_tile wide = odd, empty = {{0}};
    wide.speedup.angle = 400; /* is brought into 0..359 only when it turns */
    assert_int_equal(turned(TM_LAYER_SPEEDUP, wide, TM_TRANSFORM_NONE).speedup.angle, 400);
    assert_int_equal(turned(TM_LAYER_SPEEDUP, wide, TM_TRANSFORM_TURN_90).speedup.angle, 130);
    assert_int_equal(turned(TM_LAYER_SPEEDUP, empty, TM_TRANSFORM_TURN_90).speedup.angle, 0);
}

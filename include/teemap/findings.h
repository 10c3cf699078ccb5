/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_FINDINGS_H
#define TEEMAP_FINDINGS_H
/*
 * teemap/findings.h - oddities as data. Functions that read, check, convert or merge report oddities, fixes
 * and losses as findings: a stable id, a severity, a place, a text. docs/findings.md explains each id; a test
 * keeps this list and that page equal.
 *
 * Order of calls: tm_findings_init, any number of functions that take the list, read `list` and `num`,
 * tm_findings_release. A list belongs to one thread at a time.
 */
#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An error means that the game of the mode refuses the map, or cannot read a part of it. A warning is
 * something that a player, mapper or program may notice. A note is only unusual.
 */
typedef enum tm_severity { TM_SEVERITY_NOTE = 1, TM_SEVERITY_WARNING, TM_SEVERITY_ERROR } tm_severity;

/*
 * One row per finding: constant, number, id, then the severity in the modes strict, game and salvage: R the
 * map is refused (error), E a part cannot be read (error), W warning, N note.
 *
 * Number and id never change their meaning, and those of removed rows are not reused. Each room has a range
 * of numbers; a new row goes to the end of its room, with the next number.
 */
/* The container: from 100 */
#define TM_DATAFILE_FINDINGS(X)                                   \
    X(BAD_MAGIC, 100, "bad-magic", R, R, R)                       \
    X(BAD_VERSION, 101, "bad-version", R, R, E)                   \
    X(BAD_COUNTS, 102, "bad-counts", R, R, E)                     \
    X(HEAD_CUT, 103, "head-cut", R, R, E)                         \
    X(DATA_CUT, 104, "data-cut", R, E, E)                         \
    X(TRAILING_BYTES, 105, "trailing-bytes", R, W, W)             \
    X(CRUDE_SIZES, 106, "crude-sizes", N, N, N)                   \
    X(BAD_SIZE_FIELD, 107, "bad-size-field", R, W, W)             \
    X(BAD_SWAPLEN_FIELD, 108, "bad-swaplen-field", R, W, W)       \
    X(ITEM_SIZE_ODD, 109, "item-size-odd", R, W, W)               \
    X(BAD_TYPE_TABLE, 110, "bad-type-table", R, E, E)             \
    X(TYPE_ORDER, 111, "type-order", N, N, N)                     \
    X(BAD_ITEM_OFFSET, 112, "bad-item-offset", R, R, E)           \
    X(ITEM_GAP, 113, "item-gap", R, W, W)                         \
    X(ITEM_TYPE_MISMATCH, 114, "item-type-mismatch", R, W, W)     \
    X(ITEM_SIZE_MISMATCH, 115, "item-size-mismatch", R, W, W)     \
    X(DUPLICATE_ITEM_ID, 116, "duplicate-item-id", R, W, W)       \
    X(BAD_DATA_OFFSET, 117, "bad-data-offset", R, E, E)           \
    X(DATA_OVERLAP, 118, "data-overlap", R, W, W)                 \
    X(DATA_GAP, 119, "data-gap", R, W, W)                         \
    X(DATA_UNCLAIMED, 120, "data-unclaimed", N, N, N)             \
    X(BAD_DATA_SIZE, 121, "bad-data-size", R, E, E)               \
    X(EMPTY_DATA, 122, "empty-data", E, W, W)                     \
    X(DATA_BROKEN, 123, "data-broken", E, E, E)                   \
    X(DATA_CHECKSUM, 124, "data-checksum", E, W, W)               \
    X(DATA_SHORT, 125, "data-short", E, E, E)                     \
    X(DATA_LONG, 126, "data-long", E, W, W)                       \
    X(DATA_TRAILING, 127, "data-trailing", N, N, N)               \
    X(UUID_INDEX_MISSING, 128, "uuid-index-missing", N, N, N)     \
    X(UUID_INDEX_DUPLICATE, 129, "uuid-index-duplicate", N, N, N) \
    X(LAYOUT_NORMALISED, 130, "layout-normalised", W, W, W)       \
    X(LAYOUT_REBUILT, 131, "layout-rebuilt", W, W, W)             \
    X(UUID_INDEX_NUMBER, 132, "uuid-index-number", N, N, N)
/* The map: from 200 */
#define TM_MAP_FINDINGS(X)                                            \
    X(NO_VERSION_ITEM, 200, "no-version-item", R, W, W)               \
    X(BAD_MAP_VERSION, 201, "bad-map-version", R, W, W)               \
    X(PRE_2008, 202, "pre-2008-map", R, W, W)                         \
    X(UNKNOWN_ITEM, 203, "unknown-item", N, N, N)                     \
    X(EXTRA_ITEM, 204, "extra-item", N, N, N)                         \
    X(ITEM_TOO_SHORT, 205, "item-too-short", W, W, W)                 \
    X(ITEM_LONGER, 206, "item-longer", N, N, N)                       \
    X(BAD_TEXT, 207, "bad-text", W, W, W)                             \
    X(BAD_TEXT_INDEX, 208, "bad-text-index", W, W, W)                 \
    X(BAD_LAYER_NAME, 209, "bad-layer-name", R, W, W)                 \
    X(BAD_NAME, 210, "bad-name", W, W, W)                             \
    X(GROUP_TOO_SHORT, 211, "group-too-short", R, W, W)               \
    X(BAD_GROUP_VERSION, 212, "bad-group-version", W, W, W)           \
    X(BAD_GROUP_RANGE, 213, "bad-group-range", R, W, W)               \
    X(SHARED_LAYER, 214, "shared-layer", R, W, W)                     \
    X(LAYER_WITHOUT_GROUP, 215, "layer-without-group", N, N, N)       \
    X(LAYER_TOO_SHORT, 216, "layer-too-short", R, W, W)               \
    X(UNKNOWN_LAYER, 217, "unknown-layer", N, N, N)                   \
    X(BAD_TILE_VERSION, 218, "bad-tile-layer-version", R, W, W)       \
    X(SEVERAL_PHYSICS_FLAGS, 219, "several-physics-flags", R, W, W)   \
    X(NO_PHYSICS_DATA, 220, "no-physics-data", R, W, W)               \
    X(BAD_LAYER_SIZE, 221, "bad-layer-size", R, W, W)                 \
    X(BAD_COLOR, 222, "bad-color", R, W, W)                           \
    X(BAD_DATA_INDEX, 223, "bad-data-index", R, W, W)                 \
    X(SHARED_TILES, 224, "shared-tiles", R, W, W)                     \
    X(PHYSICS_TOO_SMALL, 225, "physics-too-small", R, W, W)           \
    X(PHYSICS_SIZE, 226, "physics-size", W, W, W)                     \
    X(NO_GAME_LAYER, 227, "no-game-layer", R, E, W)                   \
    X(GAME_LAYER_DATA, 228, "game-layer-data", R, E, E)               \
    X(SEVERAL_PHYSICS_LAYERS, 229, "several-physics-layers", W, W, W) \
    X(TILES_SHORT, 230, "tiles-short", E, E, E)                       \
    X(TILES_RUNS, 231, "tiles-runs", E, W, W)                         \
    X(TILES_SKIP, 232, "tiles-skip", E, W, W)                         \
    X(TILES_RESERVED, 233, "tiles-reserved", E, W, W)                 \
    X(PHYSICS_RUNS, 234, "physics-runs", E, W, W)                     \
    X(BAD_REFERENCE, 235, "bad-reference", W, W, W)                   \
    X(BLOCK_SIZE, 236, "block-size", W, W, W)                         \
    X(BAD_IMAGE_SIZE, 237, "bad-image-size", W, W, W)                 \
    X(IMAGE_FORMAT, 238, "image-format", W, N, N)                     \
    X(BAD_CHANNELS, 239, "bad-channels", W, W, W)                     \
    X(BAD_CURVE, 240, "bad-curve", W, W, W)                           \
    X(POINTS_RANGE, 241, "points-range", W, W, W)                     \
    X(POINTS_ORDER, 242, "points-order", W, W, W)                     \
    X(BEZIER_COUNT, 243, "bezier-count", W, W, W)                     \
    X(AUTOMAPPER_VERSION, 244, "automapper-version", N, N, N)         \
    X(AUTOMAPPER_TARGET, 245, "automapper-target", W, W, W)           \
    X(GROUP_EX_COUNT, 246, "group-ex-count", N, N, N)                 \
    X(OBJECT_LOST, 247, "object-lost", E, E, E)                       \
    X(OBJECT_DAMAGED, 248, "object-damaged", E, E, E)                 \
    X(ENVELOPE_KIND, 249, "envelope-kind", W, W, W)                   \
    X(EXTERNAL_PIXELS, 250, "external-pixels", W, W, W)               \
    X(QUAD_COLOR, 251, "quad-color", W, W, W)                         \
    X(GAME_LAYER_SIZE, 252, "game-layer-size", R, E, E)               \
    X(NOT_REPAIRED, 253, "not-repaired", W, W, W)
/* Drawing: from 400 */
#define TM_RENDER_FINDINGS(X) X(MISSING_IMAGE, 400, "missing-image", W, W, W)
/* Writing as another game: from 500 */
#define TM_CONVERT_FINDINGS(X)                              \
    X(LOST_LAYER, 500, "lost-layer", W, W, W)               \
    X(LOST_SOUND, 501, "lost-sound", W, W, W)               \
    X(LOST_SETTINGS, 502, "lost-settings", W, W, W)         \
    X(LOST_CURVE, 503, "lost-curve", W, W, W)               \
    X(LOST_AUTOMAPPER, 504, "lost-automapper", W, W, W)     \
    X(LOST_ITEM, 505, "lost-item", W, W, W)                 \
    X(LOST_FIELD, 506, "lost-field", W, W, W)               \
    X(LOST_TILES, 507, "lost-tiles", W, W, W)               \
    X(LOST_IMAGE, 508, "lost-image", W, W, W)               \
    X(NOT_EMBEDDED, 509, "not-embedded", W, W, W)           \
    X(PLAYS_DIFFERENTLY, 510, "plays-differently", N, N, N) \
    X(REPAIRED, 511, "repaired", W, W, W)
/* Editing: from 600 */
#define TM_EDIT_FINDINGS(X)                                     \
    X(NO_MATCH, 600, "no-match", W, W, W)                       \
    X(AUTOMAPPER_STOPPED, 601, "automapper-stopped", N, N, N)   \
    X(GRAVITY_NOT_ROTATED, 602, "gravity-not-rotated", N, N, N) \
    X(PHYSICS_RESIZED, 603, "physics-resized", N, N, N)         \
    X(TILES_LOST, 604, "tiles-lost", W, W, W)                   \
    X(WHOLE_GROUP, 605, "whole-group", W, W, W)                 \
    X(NAME_TAKEN, 606, "name-taken", W, W, W)                   \
    X(PHYSICS_APART, 607, "physics-apart", W, W, W)             \
    X(FIELD_IGNORED, 608, "field-ignored", W, W, W)             \
    X(TILE_UNFIT, 610, "tile-unfit", W, W, W)                   \
    X(GROUP_NOT_ALIGNED, 611, "group-not-aligned", W, W, W)     \
    X(TURNED_TILES, 612, "turned-tiles", N, N, N)               \
    X(SPEEDUPS_DIFFER, 613, "speedups-differ", N, N, N)         \
    X(TILES_PLAY, 614, "tiles-play", N, N, N)                   \
    X(NO_PIXELS, 620, "no-pixels", W, W, W)                     \
    X(AUTOMAPPER_KEEPS, 621, "automapper-keeps", N, N, N)       \
    X(IMAGE_NOT_FOUND, 622, "image-not-found", W, W, W)         \
    X(NOT_EXTERNALIZED, 623, "not-externalized", W, W, W)       \
    X(NO_RULES, 624, "no-rules", W, W, W)                       \
    X(OTHER_PICTURE, 625, "other-picture", W, W, W)             \
    X(SEED_DRAWN, 626, "seed-drawn", N, N, N)                   \
    X(NOT_MOVED, 627, "not-moved", W, W, W)                     \
    X(UNKNOWN_MAY_REFER, 628, "unknown-may-refer", W, W, W)     \
    X(NOT_EQUAL, 650, "not-equal", W, W, W)
/* Comparing and patching: from 700 */
#define TM_COMPARE_FINDINGS(X)                        \
    X(PATCH_OBJECT, 700, "patch-object", W, W, W)     \
    X(PATCH_VALUE, 701, "patch-value", W, W, W)       \
    X(UNREAD_DIFFERS, 702, "unread-differs", W, W, W) \
    X(UNREAD_LEFT_OUT, 703, "unread-left-out", W, W, W)
/* Automapper rules: from 800 */
#define TM_AUTOMAP_FINDINGS(X)                                    \
    X(RULE_LINE_IGNORED, 800, "rule-line-ignored", W, W, W)       \
    X(RULE_LINE_BYTES, 801, "rule-line-bytes", W, W, W)           \
    X(RULE_INDENTED, 802, "rule-indented", W, W, W)               \
    X(RULE_OUT_OF_PLACE, 803, "rule-out-of-place", W, W, W)       \
    X(RULE_STALE, 804, "rule-stale", W, W, W)                     \
    X(RULE_NUMBER_MISSING, 805, "rule-number-missing", W, W, W)   \
    X(RULE_NUMBER_RANGE, 806, "rule-number-range", W, W, W)       \
    X(RULE_WORD_UNKNOWN, 807, "rule-word-unknown", W, W, W)       \
    X(RULE_REST_UNREAD, 808, "rule-rest-unread", N, N, N)         \
    X(RULE_NAME_CUT, 809, "rule-name-cut", W, W, W)               \
    X(RULE_PREFIX, 810, "rule-prefix", W, W, W)                   \
    X(RULE_KIND_UNKNOWN, 811, "rule-kind-unknown", W, W, W)       \
    X(RULE_LIST_SHIFTED, 812, "rule-list-shifted", W, W, W)       \
    X(RULE_RANDOM_REPLACED, 813, "rule-random-replaced", W, W, W) \
    X(RULE_CHANCE_IDLE, 814, "rule-chance-idle", W, W, W)         \
    X(RULE_PERCENT_APART, 815, "rule-percent-apart", W, W, W)     \
    X(RULES_EMPTY, 816, "rules-empty", W, W, W)                   \
    X(RULES_LOOSE_JSON, 820, "rules-loose-json", N, N, N)         \
    X(RULE_MEMBER_UNKNOWN, 821, "rule-member-unknown", W, W, W)   \
    X(RULE_MEMBER_TYPE, 822, "rule-member-type", W, W, W)         \
    X(RULE_MEMBER_RANGE, 823, "rule-member-range", W, W, W)       \
    X(RULE_MEMBER_TWICE, 824, "rule-member-twice", W, W, W)       \
    X(RULE_SET_SKIPPED, 825, "rule-set-skipped", W, W, W)         \
    X(RULE_DROPPED, 826, "rule-dropped", W, W, W)                 \
    X(RULE_NEVER_HOLDS, 830, "rule-never-holds", W, W, W)         \
    X(RULE_OVERWRITTEN, 831, "rule-overwritten", W, W, W)         \
    X(RULE_CONDITION_IDLE, 832, "rule-condition-idle", N, N, N)   \
    X(RULE_RUN_IDLE, 833, "rule-run-idle", W, W, W)               \
    X(RULE_TILE_NOT_MADE, 834, "rule-tile-not-made", N, N, N)     \
    X(RULE_NAME_TWICE, 835, "rule-name-twice", W, W, W)           \
    X(RULES_DIFFER, 840, "rules-differ", W, W, W)                 \
    X(RULES_LOST, 841, "rules-lost", W, W, W)
/* A map as a folder: from 900 */
#define TM_MAPDIR_FINDINGS(X)                           \
    X(FOLDER_TEXT, 900, "folder-text", E, E, E)         \
    X(FOLDER_VALUE, 901, "folder-value", E, E, E)       \
    X(FOLDER_MISSING, 902, "folder-missing", E, E, E)   \
    X(FOLDER_NAME, 903, "folder-name", E, E, E)         \
    X(FOLDER_UNUSED, 904, "folder-unused", W, W, W)     \
    X(FOLDER_ADJUSTED, 905, "folder-adjusted", W, W, W) \
    X(SIDECAR_MISMATCH, 906, "sidecar-mismatch", W, W, W)
/* Rules of teemap/lint.h: from 1000; docs/lint.md explains them */
#define TM_LINT_FINDINGS(X)                                                      \
    X(NO_SPAWN, 1000, "no-spawn", E, E, E)                                       \
    X(SPAWN_IN_WALL, 1001, "spawn-in-wall", W, W, W)                             \
    X(NO_START, 1002, "no-start", E, E, E)                                       \
    X(NO_FINISH, 1003, "no-finish", E, E, E)                                     \
    X(NO_RACE, 1004, "no-race", W, W, W)                                         \
    X(NO_TIME_CHECKPOINTS, 1005, "no-time-checkpoints", N, N, N)                 \
    X(TIME_CHECKPOINT_GAP, 1006, "time-checkpoint-gap", N, N, N)                 \
    X(LONE_FLAG, 1007, "lone-flag", N, N, N)                                     \
    X(FLAG_TWICE, 1008, "flag-twice", N, N, N)                                   \
    X(LONE_TEAM_SPAWN, 1009, "lone-team-spawn", W, W, W)                         \
    X(SPAWN_IN_FREEZE, 1010, "spawn-in-freeze", W, W, W)                         \
    X(TELE_WITHOUT_OUT, 1020, "tele-without-out", E, E, E)                       \
    X(OUT_WITHOUT_TELE, 1021, "out-without-tele", N, N, N)                       \
    X(TELE_NUMBER_ZERO, 1022, "tele-number-zero", W, W, W)                       \
    X(OUT_IN_WALL, 1023, "out-in-wall", W, W, W)                                 \
    X(OUT_ON_DEATH, 1024, "out-on-death", W, W, W)                               \
    X(SINGLE_OUT, 1025, "single-out", N, N, N)                                   \
    X(BLUE_TELE, 1026, "blue-tele", N, N, N)                                     \
    X(CHECKPOINT_WITHOUT_OUT, 1027, "checkpoint-without-out", W, W, W)           \
    X(OUT_WITHOUT_CHECKPOINT, 1028, "out-without-checkpoint", N, N, N)           \
    X(NO_WAY_TO_CHECKPOINT, 1029, "no-way-to-checkpoint", W, W, W)               \
    X(NO_CHECKPOINT, 1030, "no-checkpoint", N, N, N)                             \
    X(OUT_IN_FREEZE, 1031, "out-in-freeze", N, N, N)                             \
    X(SWITCH_WITHOUT_LISTENER, 1040, "switch-without-listener", W, W, W)         \
    X(LISTENER_WITHOUT_SWITCH, 1041, "listener-without-switch", N, N, N)         \
    X(SWITCH_NUMBER_ZERO, 1042, "switch-number-zero", W, W, W)                   \
    X(FREEZE_WITHOUT_TIME, 1043, "freeze-without-time", W, W, W)                 \
    X(TIME_OF_ZERO, 1044, "time-of-zero", W, W, W)                               \
    X(UNKNOWN_WEAPON, 1045, "unknown-weapon", W, W, W)                           \
    X(DOOR_WITHOUT_LAYER, 1046, "door-without-layer", W, W, W)                   \
    X(DOOR_WITHOUT_LENGTH, 1047, "door-without-length", W, W, W)                 \
    X(LASER_WITHOUT_LENGTH, 1048, "laser-without-length", W, W, W)               \
    X(ORPHAN_LENGTH, 1049, "orphan-length", N, N, N)                             \
    X(LONE_CHANGE, 1050, "lone-change", N, N, N)                                 \
    X(SPEEDUP_WITHOUT_FORCE, 1060, "speedup-without-force", N, N, N)             \
    X(SPEEDUP_TYPE, 1061, "speedup-type", W, W, W)                               \
    X(SPEEDUP_OLD, 1062, "speedup-old", N, N, N)                                 \
    X(SPEEDUP_ANGLE, 1063, "speedup-angle", W, W, W)                             \
    X(SPEEDUP_FIRST, 1064, "speedup-first", W, W, W)                             \
    X(TUNE_WITHOUT_SETTING, 1065, "tune-without-setting", W, W, W)               \
    X(SETTING_WITHOUT_TUNE, 1066, "setting-without-tune", N, N, N)               \
    X(TUNE_NUMBER_ZERO, 1067, "tune-number-zero", W, W, W)                       \
    X(TUNE_TYPE, 1068, "tune-type", N, N, N)                                     \
    X(UNKNOWN_TILE, 1080, "unknown-tile", N, N, N)                               \
    X(FOREIGN_TILE, 1081, "foreign-tile", N, N, N)                               \
    X(LATER_TILE, 1082, "later-tile", N, N, N)                                   \
    X(TILE_IN_WALL, 1083, "tile-in-wall", W, W, W)                               \
    X(SAME_IN_FRONT, 1084, "same-in-front", N, N, N)                             \
    X(IDLE_FLAGS, 1085, "idle-flags", N, N, N)                                   \
    X(IDLE_NUMBER, 1086, "idle-number", N, N, N)                                 \
    X(IDLE_DELAY, 1087, "idle-delay", N, N, N)                                   \
    X(CUT_WITHOUT_WALL, 1088, "cut-without-wall", N, N, N)                       \
    X(THROUGH_WITHOUT_WALL, 1089, "through-without-wall", N, N, N)               \
    X(MOVER_IN_FRONT, 1090, "mover-in-front", W, W, W)                           \
    X(LINE_IN_WALL, 1091, "line-in-wall", N, N, N)                               \
    X(THROUGH_OLD, 1092, "through-old", N, N, N)                                 \
    X(TILE_UNDRAWN, 1093, "tile-undrawn", W, W, W)                               \
    X(NO_AUTHOR, 1096, "no-author", W, W, W)                                     \
    X(NO_LICENSE, 1097, "no-license", W, W, W)                                   \
    X(BAD_MAP_NAME, 1098, "bad-map-name", W, W, W)                               \
    X(CONFLICT_MARK, 1099, "conflict-mark", E, E, E)                             \
    X(UNUSED_IMAGE, 1100, "unused-image", N, N, N)                               \
    X(UNUSED_SOUND, 1101, "unused-sound", N, N, N)                               \
    X(UNUSED_ENVELOPE, 1102, "unused-envelope", N, N, N)                         \
    X(EMPTY_LAYER, 1103, "empty-layer", N, N, N)                                 \
    X(EMPTY_PHYSICS, 1104, "empty-physics", N, N, N)                             \
    X(EMPTY_GROUP, 1105, "empty-group", N, N, N)                                 \
    X(IMAGE_NOT_SHIPPED, 1106, "image-not-shipped", W, W, W)                     \
    X(IMAGE_SHIPPED, 1107, "image-shipped", N, N, N)                             \
    X(SOUND_EXTERNAL, 1108, "sound-external", W, W, W)                           \
    X(SOUND_NOT_OPUS, 1109, "sound-not-opus", W, W, W)                           \
    X(PART_UNKNOWN, 1110, "part-unknown", N, N, N)                               \
    X(MISSING_NAME, 1111, "missing-name", N, N, N)                               \
    X(MAP_OF_MOD, 1112, "map-of-mod", N, N, N)                                   \
    X(IMAGE_TWICE, 1120, "image-twice", N, N, N)                                 \
    X(ENVELOPE_TWICE, 1121, "envelope-twice", N, N, N)                           \
    X(IMAGE_NAME_TWICE, 1122, "image-name-twice", N, N, N)                       \
    X(IMAGE_SIDES, 1123, "image-sides", N, N, N)                                 \
    X(LAYER_LARGE, 1124, "layer-large", N, N, N)                                 \
    X(IMAGES_MANY, 1125, "images-many", W, W, W)                                 \
    X(BAD_FILE_NAME, 1126, "bad-file-name", N, N, N)                             \
    X(ENVELOPE_WITHOUT_POINTS, 1127, "envelope-without-points", N, N, N)         \
    X(LAYER_INVISIBLE, 1128, "layer-invisible", N, N, N)                         \
    X(LAYER_TWICE, 1129, "layer-twice", N, N, N)                                 \
    X(GAME_GROUP_MOVED, 1130, "game-group-moved", N, N, N)                       \
    X(IMAGE_OVERSIZED, 1131, "image-oversized", N, N, N)                         \
    X(QUAD_FAR, 1132, "quad-far", N, N, N)                                       \
    X(QUAD_HIDDEN, 1133, "quad-hidden", N, N, N)                                 \
    X(BACKGROUND_DETAIL, 1134, "background-detail", N, N, N)                     \
    X(BACKGROUND_SMALL, 1135, "background-small", N, N, N)                       \
    X(ENVELOPE_RANGE, 1136, "envelope-range", N, N, N)                           \
    X(IMAGE_HEAVY, 1137, "image-heavy", N, N, N)                                 \
    X(IMAGE_GRID, 1138, "image-grid", W, W, W)                                   \
    X(SETTING_UNKNOWN, 1200, "setting-unknown", W, W, W)                         \
    X(SETTING_ARGUMENTS, 1201, "setting-arguments", W, W, W)                     \
    X(SETTING_RANGE, 1202, "setting-range", W, W, W)                             \
    X(TUNING_UNKNOWN, 1203, "tuning-unknown", W, W, W)                           \
    X(SETTING_TWICE, 1204, "setting-twice", N, N, N)                             \
    X(SETTING_OVERRULED, 1205, "setting-overruled", W, W, W)                     \
    X(SETTING_INITIAL, 1206, "setting-initial", N, N, N)                         \
    X(SETTING_LONG, 1207, "setting-long", W, W, W)                               \
    X(SETTING_IDLE, 1208, "setting-idle", N, N, N)                               \
    X(SETTING_WITHOUT_SWITCH, 1209, "setting-without-switch", N, N, N)           \
    X(SETTINGS_CONFLICT, 1210, "settings-conflict", W, W, W)                     \
    X(TEAM_SIZE_FORCED, 1211, "team-size-forced", N, N, N)                       \
    X(KOG_QUESTS, 1212, "kog-quests", W, W, W)                                   \
    X(SETTING_WITHOUT_TILES, 1213, "setting-without-tiles", N, N, N)             \
    X(FEW_SPAWNS, 1220, "few-spawns", N, N, N)                                   \
    X(SPAWN_ON_GROUND, 1221, "spawn-on-ground", N, N, N)                         \
    X(OUT_ON_GROUND, 1222, "out-on-ground", N, N, N)                             \
    X(SOLO_SPAWNS, 1223, "solo-spawns", W, W, W)                                 \
    X(SOLO_SPAWN_IN_AIR, 1224, "solo-spawn-in-air", N, N, N)                     \
    X(SOLO_OUTS, 1225, "solo-outs", W, W, W)                                     \
    X(SOLO_OUT_IN_AIR, 1226, "solo-out-in-air", N, N, N)                         \
    X(SOLO_SETTING, 1227, "solo-setting", W, W, W)                               \
    X(DUMMY_DEEPFLY, 1228, "dummy-deepfly", N, N, N)                             \
    X(RACE_TILE, 1229, "race-tile", W, W, W)                                     \
    X(NO_FLAG, 1230, "no-flag", W, W, W)                                         \
    X(FLAG_IN_DM, 1231, "flag-in-dm", N, N, N)                                   \
    X(DUMMY_UNLOCK, 1232, "dummy-unlock", N, N, N)                               \
    X(NOVICE_SOLO, 1233, "novice-solo", N, N, N)                                 \
    X(RULES_MISSING, 1240, "rules-missing", N, N, N)                             \
    X(EDITED_AFTER_MAPPING, 1241, "edited-after-mapping", N, N, N)               \
    X(FINISH_UNREACHABLE, 1260, "finish-unreachable", W, W, W)                   \
    X(START_UNREACHABLE, 1261, "start-unreachable", W, W, W)                     \
    X(START_BYPASSED, 1262, "start-bypassed", N, N, N)                           \
    X(SPAWN_CUT_OFF, 1263, "spawn-cut-off", N, N, N)                             \
    X(TIME_CHECKPOINT_UNREACHABLE, 1264, "time-checkpoint-unreachable", N, N, N) \
    X(THIN_FREEZE, 1265, "thin-freeze", N, N, N)                                 \
    X(TOGGLES_ADJACENT, 1266, "toggles-adjacent", N, N, N)                       \
    X(START_AT_FINISH, 1267, "start-at-finish", W, W, W)                         \
    X(THIN_WALL, 1268, "thin-wall", N, N, N)                                     \
    X(TIME_CHECKPOINT_ORDER, 1269, "time-checkpoint-order", N, N, N)             \
    X(OPEN_EDGE, 1270, "open-edge", N, N, N)                                     \
    X(NOT_FOR_DDNET, 1280, "not-for-ddnet", E, E, W)                             \
    X(INFO_LONG, 1281, "info-long", W, W, W)                                     \
    X(OWN_RULE, 1900, "own-rule", W, W, W)
/* All of them. */
#define TM_FINDINGS(X)      \
    TM_DATAFILE_FINDINGS(X) \
    TM_MAP_FINDINGS(X)      \
    TM_RENDER_FINDINGS(X)   \
    TM_CONVERT_FINDINGS(X)  \
    TM_EDIT_FINDINGS(X)     \
    TM_COMPARE_FINDINGS(X)  \
    TM_AUTOMAP_FINDINGS(X)  \
    TM_MAPDIR_FINDINGS(X)   \
    TM_LINT_FINDINGS(X)

typedef enum tm_finding_id {
    TM_FINDING_NONE = 0,
#define TM_FINDING_ENUM(constant, number, id, strict, game, salvage) TM_FINDING_##constant = (number),
    TM_FINDINGS(TM_FINDING_ENUM)
#undef TM_FINDING_ENUM
} tm_finding_id;

enum { TM_ADDRESS_SIZE = 64 }; /* bytes for any address as text, including its NUL */

typedef struct tm_finding {
    tm_finding_id id;
    tm_severity severity;
    bool refuses;   /* the game of the mode refuses the map because of it */
    int64_t offset; /* byte position in the file, -1 if there is none */
    uint64_t count; /* number of occurrences; the last one of an id also counts unlisted ones */
    char address
        [TM_ADDRESS_SIZE]; /* machine-readable place (teemap/map.h, addresses), "" for the whole file */
    char place[TM_ERROR_PLACE_SIZE]; /* the same for people: "group 2, layer 3 'Freeze'" */
    char text[TM_ERROR_TEXT_SIZE];   /* one line, lower case, no full stop */
} tm_finding;

/* A list of findings. Read the first fields; leave the rest to the functions. */
typedef struct tm_findings {
    tm_finding *list;
    size_t num;
    uint64_t errors;   /* findings of severity error, including unlisted ones */
    uint64_t refusals; /* those that refuse the map */
    uint64_t unlisted; /* findings beyond the limit of the list or of their id */
    size_t capacity;
    size_t limit;
    const tm_allocator *allocator;
    struct tm_findings_index *index; /* position of each id in the list */
} tm_findings;

/*
 * Initializes an empty list of at most `limit` findings (0: 1000), and of each id at most a twentieth of
 * that, but at least 50.
 */
TM_API void tm_findings_init(tm_findings *findings, size_t limit, const tm_allocator *allocator);
TM_API void tm_findings_release(tm_findings *findings);

/* The stable id as text ("crude-sizes"), NULL for an unknown number. */
TM_API const char *tm_finding_name(tm_finding_id id);
/* The n-th id in the order of numbers; false and TM_FINDING_NONE after the last one. */
TM_API bool tm_finding_at(tm_finding_id *out, size_t index);
/* "note", "warning" or "error"; "note" for any other number. */
TM_API const char *tm_severity_name(tm_severity severity);

/*
 * Adds a finding, for custom checks. NULL findings are allowed and add nothing. Equal findings (same id and
 * address) are counted, not repeated, so that lists stay short. For rules with their own findings, see
 * tm_lint_config_add_rule (teemap/lint.h). If memory runs out, the finding only counts as unlisted.
 */
TM_API void tm_findings_add(tm_findings *findings, tm_mode mode, tm_finding_id id, int64_t offset,
                            const char *address, const char *place, const char *text);

/*
 * Whether data of the file are truncated, broken, short or changed. Lost objects look unused, so programs
 * that remove or join objects should not overwrite such a file. Loading finds some damage, tm_mapfile_check
 * all of it.
 */
TM_API bool tm_findings_damaged(const tm_findings *findings);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Zlib */
/*
 * The rules of lint, one row each: operations that make the map trip over the rule, operations that nearly do,
 * and those that fix it.
 */
#include "support/lib_lint.h"
#include "lint/lint.h"

typedef struct rule_test {
    const char *id;
    const char *trip, *close_quad; /* operations on the race */
    const char *fix;               /* operations after the trip; NULL: what tm_lint_fix_line says */
    uint64_t count;                /* of the finding */
    uint32_t places;
} rule_test;

#define LONG "1234567890123456789012345678901234567890123456789012345678901234567890"
#define IMAGES                                                                                                                                   \
    "add image i0\nadd image i1\nadd image i2\nadd image i3\nduplicate image/0\nduplicate image/0\nduplicate image/0\nduplicate image/0\n" EIGHT \
        EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT
#define RACE_ONLY "clear front\nclear speedup\nclear switch\nclear tune\n"
#define EIGHT     FOUR FOUR
#define FOUR      "duplicate image/0\nduplicate image/0\nduplicate image/0\nduplicate image/0\n"

#define MAPPED(name, config, seed)                                                     \
    "add image " name "\nadd group a\nadd layer a tiles 6x5\nfill a/0@1,1+3x2 1\nset " \
    "a/0.image=image/0 a/0.automapper.present=true a/0.automapper.config=" config      \
    " a/0.automapper.seed=" seed "\n"

/* A hall behind the race with 220 tiles of freeze, all of them drawn. */
#define UNDRAWN                                                                        \
    "extend right 60 air\nfill game@20,0+60x1 solid\nfill game@20,14+60x1 solid\n"     \
    "fill game@79,0+1x15 solid\nfill game@19,5+1x3 air\nfill game@30,1+20x11 freeze\n" \
    "add layer Game tiles 80x15\nfill 0/6@30,1+20x11 1\nfill 0/6@3,10+2x2 1\n"

static const rule_test tests[] = {
    {"rules-missing", MAPPED("nobodys", "0", "1"), MAPPED("walls", "1", "0"), "rename image/0 walls", 1, 0},
    {"edited-after-mapping", MAPPED("walls", "0", "1"),
     MAPPED("walls", "0",
            "1") "fill a/0@1,1+3x1 2\nduplicate a/0\nset a/0.automapper.config=1 a/0.automapper.seed=0",
     "fill a/0@1,1+3x1 2", 3, 0},
    {"no-spawn", "fill game@2,2+2x1 air", "fill game@2,2+2x1 spawn-red", "fill game@3,3+1x1 spawn", 1, 0},
    {"spawn-in-wall", "fill front@0,3+1x2 spawn", "fill front@1,3+1x2 spawn", "clear front", 2, 1},
    {"spawn-in-freeze", "fill front@2,2+2x12 freeze", "fill front@2,2+2x11 freeze", "fill front@2,2+2x12 air",
     2, 1},
    {"out-in-freeze", "fill front@8,10+1x1 freeze", "fill front@8,10+1x1 unfreeze", "fill front@8,10+1x1 air",
     1, 1},
    {"open-edge", "fill game@0,5+1x2 air", "fill game@0,5+1x2 freeze", "fill game@0,5+1x2 solid", 2, 1},
    {"no-author", "set info.author=''", "set info.author=me", "set info.author=me", 1, 0},
    {"no-license", "set info.license=''", "set info.license=CC0", "set info.license=CC0", 1, 0},
    {"image-heavy", "add image a\nset image/0.external=false image/0.width=4096 image/0.height=2048",
     "add image a\nset image/0.external=false image/0.width=2048 image/0.height=2048",
     "set image/0.width=2048", 1, 0},
    {"image-grid",
     "add image a\nset image/0.external=false image/0.width=100 image/0.height=160\nadd layer Game tiles\n"
     "set 0/6.image=image/0",
     "add image a\nset image/0.external=false image/0.width=112 image/0.height=160\nadd layer Game tiles\n"
     "set 0/6.image=image/0",
     "set image/0.width=112", 1, 0},
    {"tile-undrawn", UNDRAWN "fill 0/6@30,5+1x1 0", UNDRAWN, "fill 0/6@30,5+1x1 1", 1, 1},
    {"no-start", "replace start with air", "replace start with air\nreplace finish with air",
     "fill front@5,3+1x1 start", 1, 0},
    {"no-finish", "replace finish with air", "replace start with air\nreplace finish with air",
     "fill front@5,3+1x1 finish", 1, 0},
    {"no-race", "replace start with air\nreplace finish with air", "replace start with air",
     "fill front@5,3+1x1 finish", 1, 0},
    {"no-time-checkpoints", "replace time-checkpoint-1 with air",
     "replace time-checkpoint-1 with air\nreplace start with air", "fill front@5,3+1x1 time-checkpoint-1", 1,
     0},
    {"time-checkpoint-gap", "fill front@9,9+1x1 time-checkpoint-3", "fill front@9,9+1x1 time-checkpoint-2",
     "fill front@8,9+1x1 time-checkpoint-2", 1, 0},
    {"lone-flag", "fill game@3,3+1x1 flag-red", "fill game@3,3+1x1 flag-red\nfill game@3,5+1x1 flag-blue",
     "replace flag-red with air", 1, 1},
    {"flag-twice", "fill game@3,3+2x1 flag-red", "fill game@3,3+1x1 flag-red", "fill game@4,3+1x1 air", 2, 1},
    {"lone-team-spawn", "fill game@3,3+1x1 spawn-blue", "fill game@3,3+1x1 spawn",
     "fill game@3,4+1x1 spawn-red", 1, 1},

    {"tele-without-out", "fill tele@3,3+1x2 tele-in-evil:2\nfill tele@6,3+1x1 tele-in-hook:2",
     "fill tele@3,3+1x2 tele-in-evil:2\nfill tele@6,6+1x1 tele-out:2", "fill tele@6,6+1x1 tele-out:2", 3, 2},
    {"out-without-tele", "fill tele@3,3+1x2 tele-out:2",
     "fill tele@3,3+1x2 tele-out:2\nfill tele@6,6+1x1 tele-in-weapon:2", "replace tele-out:2 with number=1",
     2, 1},
    {"tele-number-zero", "replace tele-in-evil:1 with number=0", "replace tele-in-evil:1 with number=255",
     "replace tele-in-evil:0 with number=1", 2, 1},
    {"out-in-wall", "fill tele@0,10+1x1 tele-out:1",
     "fill tele@0,10+1x1 tele-out:9\nfill tele@2,10+1x1 tele-in-hook:9", "fill tele@0,10+1x1 air", 1, 1},
    {"out-on-death", "fill game@8,10+1x1 death", "fill game death where tele/tele-out", /* all are to kill */
     "fill game@8,10+1x1 air", 1, 1},
    {"single-out", "fill tele@8,10+1x1 air", "fill tele@8,10+1x1 tele-out:1", "fill tele@8,10+1x1 tele-out:1",
     1, 1},
    {"blue-tele", "replace tele-in-evil with tele-in", "replace tele-in-evil with tele-in-hook",
     "replace tele-in with tele-in-evil", 2, 1},
    {"checkpoint-without-out", "fill tele@3,3+1x1 tele-checkpoint:2",
     "fill tele@3,3+1x1 tele-checkpoint:2\nfill tele@4,4+1x1 tele-checkpoint-out:2",
     "fill tele@4,4+1x1 tele-checkpoint-out:2", 1, 1},
    {"out-without-checkpoint", "fill tele@3,3+1x1 tele-checkpoint-out:2",
     "fill tele@3,3+1x1 tele-checkpoint-out:2\nfill tele@4,4+1x1 tele-checkpoint:3",
     "fill tele@4,4+1x1 tele-checkpoint:2", 1, 1},
    {"no-way-to-checkpoint", "replace tele-checkpoint-in-evil with air",
     "replace tele-checkpoint-in-evil with tele-checkpoint-in", "fill tele@9,5+1x1 tele-checkpoint-in-evil",
     1, 1},
    {"no-checkpoint", "replace tele-checkpoint-out with air", "replace tele-checkpoint with air",
     "fill tele@9,4+1x1 tele-checkpoint-out:1", 1, 1},

    {"switch-without-listener", "fill switch@3,3+1x1 switch-timed-close:2:delay=4",
     "fill switch@3,3+1x1 switch-timed-close:2:delay=4\nfill switch@4,3+1x1 armor:2",
     "fill switch@3,3+1x1 air", 1, 1},
    {"listener-without-switch", "fill switch@3,3+1x1 armor:2",
     "fill switch@3,3+1x1 armor:2\nsettings add 'switch_open 2'", "replace armor:2 with number=0", 1, 1},
    {"switch-number-zero", "replace switch-open:1 with number=0", "replace switch-open:1 with number=2",
     "replace switch-open:0 with number=1", 1, 1},
    {"freeze-without-time", "replace switch/freeze with delay=0", "replace switch/freeze with delay=1",
     "replace switch/freeze with delay=3", 1, 1},
    {"time-of-zero", "fill switch@3,3+1x1 add-time", "fill switch@3,3+1x1 add-time:5",
     "replace add-time with delay=1", 1, 1},
    {"unknown-weapon", "fill switch@3,3+1x1 hit-enable:delay=1", "fill switch@3,3+1x1 hit-enable:delay=4",
     "replace hit-enable with delay=0", 1, 1},
    {"door-without-layer", "remove Game/Switch\nfill game@3,3+1x1 door\nfill game@3,4+1x1 laser-short",
     "fill game@3,3+1x1 door\nfill game@3,4+1x1 laser-short", NULL, 1, 0},
    {"door-without-length", "fill game@3,3+1x1 door\nfill front@3,4+1x1 laser-long",
     "fill game@3,3+1x1 door\nfill game@4,4+1x1 laser-long", "fill game@3,4+1x1 laser-short", 1, 1},
    {"laser-without-length", "fill game@3,3+1x1 laser-slow-cw\nfill game@3,5+1x1 laser-long",
     "fill game@3,3+1x1 laser-slow-cw\nfill game@2,4+1x1 laser-long", "fill game@3,4+1x1 laser-short", 1, 1},
    {"orphan-length", "fill game@3,3+1x1 laser-short",
     "fill game@3,3+1x1 laser-short\nfill game@3,4+1x1 laser-stop", "fill game@3,3+1x1 air", 1, 1},
    {"lone-change", "fill game@3,3+1x1 laser-open-fast\nfill game@3,4+1x1 laser-stop",
     "fill game@3,3+1x1 laser-open-fast\nfill game@3,5+1x1 laser-stop", "replace laser-open-fast with air", 1,
     1},

    {"speedup-without-force", "replace speedup with force=0", "replace speedup with force=1", NULL, 1, 1},
    {"speedup-type", "replace speedup with 5:force=10", "replace speedup with 5:force=0",
     "replace speedup/5 with 29", 1, 1},
    {"speedup-old", "replace speedup with speedup-old", "replace speedup with speedup-old:force=0", NULL, 1,
     1},
    {"speedup-angle", "replace speedup with angle=-90", "replace speedup with angle=359",
     "replace speedup with angle=270", 1, 1},
    {"speedup-first", "fill speedup@0,0+1x1 speedup:force=5", "fill speedup@0,0+1x2 speedup:force=5",
     "fill speedup@0,0+1x1 air", 1, 1},
    {"tune-without-setting", "settings clear", "settings clear\nsettings add 'tune_zone_enter 1 hi'",
     "settings add 'tune_zone 1 gravity 1'", 1, 1},
    {"setting-without-tune", "settings add 'tune_zone 2 gravity 1'", "settings add 'tune gravity 1'",
     "settings remove 'tune_zone 2*'", 1, 0},
    {"tune-number-zero", "replace tune:1 with number=0", "replace tune:1 with number=7",
     "replace tune with number=1", 1, 1},

    {"tune-type", "replace tune:1 with 69", "replace tune:1 with number=9", NULL, 1, 1},
    {"unknown-tile", "fill game@3,3+1x3 8\nfill tele@3,3+1x1 200:1\nreplace tele/200 with 8",
     "fill game@3,3+1x3 freeze", "replace unknown with air", 3, 1},
    {"foreign-tile", "fill front@3,3+1x3 1", "fill game@3,3+1x3 1", "replace unknown with air", 3, 1},
    {"later-tile", "fill game@3,3+1x1 4\nreplace front/freeze with air",
     "replace 33..35 with air\nfill game@3,3+1x1 death", "replace 4,33..35 with air", 40, 4},
    {"line-in-wall", "fill front@0,3+4x1 freeze\nfill tele@19,10+1x1 tele-in:1",
     "fill front@0,3+1x1 freeze\nfill front@1,4+1x1 freeze", "fill front@0,3+1x1 air", 1, 1},
    {"tile-in-wall", "fill front@0,3+1x3 freeze\nfill front@1,9+1x1 freeze",
     "fill front@0,3+1x1 through-cut\nfill tele@0,3+1x1 tele-in-hook:1\nfill switch@0,5+1x1 door",
     "fill front@0,3+1x3 air", 3, 1},
    {"same-in-front", "fill game@3,10+1x1 freeze", "fill game@3,10+1x1 unfreeze", "fill front@3,10+1x1 air",
     1, 1},
    {"idle-flags", "replace spawn with flags=rotate",
     "fill game@3,3+1x1 stopper:flags=rotate\nreplace start with flags=4", "replace spawn with flags=none", 2,
     1},
    {"idle-number", "fill switch@3,3+1x1 jumps:delay=2\nreplace jumps with number=3",
     "fill switch@3,3+1x1 jumps:delay=2", "replace jumps with number=0", 1, 1},
    {"idle-delay", "fill switch@3,3+1x1 deep-freeze\nreplace deep-freeze with delay=3",
     "fill switch@3,3+1x1 deep-freeze", "replace deep-freeze with delay=0", 1, 1},
    {"cut-without-wall", "fill front@3,3+1x1 through-cut\nfill game@3,9+2x1 through-cut",
     "fill front@0,3+1x1 through-cut", "fill front@3,3+1x1 air\nfill game@3,9+2x1 air", 2, 1},
    {"through-without-wall", "fill front@3,3+1x1 through", "fill front@1,3+2x1 through",
     "fill front@3,3+1x1 air", 1, 1},
    {"through-old", "fill front@1,3+1x1 through", "fill front@0,3+1x1 through-cut", "fill front@1,3+1x1 air",
     1, 1},
    {"mover-in-front", "fill front@3,3+1x1 mover-slow\nfill game@3,3+1x1 armor",
     "fill game@3,4+1x1 armor\nfill front@3,3+1x1 mover-slow", "fill front@3,3+1x1 air", 1, 1},

    {"unused-image", "add image grass_main",
     "add image grass_main\nadd group a\nadd layer a tiles 2x2\nset a/0.image=image/0", NULL, 1, 0},
    {"unused-sound", "add sound bell",
     "add sound bell\nadd group a\nadd layer a sounds\nset a/0.sound=sound/0", NULL, 1, 0},
    {"unused-envelope", "add envelope color blink",
     "add envelope color blink\nadd group a\nadd layer a tiles 2x2\nset a/0.color_envelope=envelope/0", NULL,
     1, 0},
    {"empty-layer", "add group a\nadd layer a tiles 9x9",
     "add group a\nadd layer a tiles 9x9\nfill a/0@8,8+1x1 3", NULL, 1, 0},
    {"empty-physics", "clear tune", "fill game@3,3+1x1 door\nclear switch", NULL, 1, 0},
    {"empty-group", "add group a", "add group a\nadd layer a quads", NULL, 1, 0},
    {"image-not-shipped", "add image grass", "add image grass_main", "remove image/0", 1, 0},
    {"image-not-shipped", "add image ddnet-tiles", "add image ddnet_tiles", NULL, 1, 0},
    {"image-shipped", "add image bg_cloud3\nset image/0.external=false image/0.width=1024 image/0.height=512",
     "add image bg_cloud3\nset image/0.external=false image/0.width=512 image/0.height=512",
     "set image/0.external=true", 1, 0},
    {"sound-external", "add sound bell", "add image bell", "remove sound/0", 1, 0},

    {"info-long", "set info.version=1234567890123456", "set info.version=123456789012345",
     "set info.version=1", 1, 0},
    {"map-of-mod", "settings add 'sv_bankstate 1'", "settings add 'sv_bankstates 1'",
     "settings remove 'sv_bankstate 1'", 1, 0},
    {"conflict-mark", "duplicate Game/Front\nset Game/5.name='>>> theirs'", "rename Game/Front '> theirs'",
     "remove Game/5", 1, 0},
    {"missing-name", "add image a\nadd image b\nset image/1.name=''", "add image a\nset image/0.name=''",
     "rename image/1 b", 1, 0},

    {"image-twice", "add image a\nadd image a", "add image a\nadd image b", "join images", 1, 0},
    {"envelope-twice",
     "add envelope color a\nadd envelope color b\nduplicate envelope/0\nadd group a\nadd layer a tiles 2x2\n"
     "set a/0.color_envelope=envelope/1",
     "add envelope color a\nadd envelope color b\nduplicate envelope/0", "remove envelope/1", 1, 0},
    {"image-name-twice", "add image a\nadd image a\nset image/0.external=false",
     "add image a\nadd image a\nadd image b\nadd image b\nset image/2.external=false\nset image/2.name='' image/3.name=''",
     "rename image/1 b", 1, 0},
    {"image-sides", "add image a\nset image/0.external=false image/0.width=100 image/0.height=64",
     "add image a\nset image/0.external=false image/0.width=128 image/0.height=64", "set image/0.width=128",
     1, 0},
    {"layer-large", "add group a\nadd layer a tiles 50x50\nfill a/0@1,1+3x3 5",
     "add group a\nadd layer a tiles 50x50\nfill a/0@39,39+1x1 5", NULL, 1, 0},
    {"images-many", IMAGES "add image i64", IMAGES "add sound i64", "remove image/0", 1, 0},
    {"bad-file-name", "add image Con.x", "add image Cons", "rename image/0 con_", 1, 0},
    {"bad-file-name", "add image lpt0", "add image lpt10", "rename image/0 lpt", 1, 0}, /* 0 was none */
    {"envelope-without-points",
     "add envelope color e\nadd group a\nadd layer a tiles 2x2\nset a/0.color_envelope=envelope/0",
     "add envelope color e", "set a/0.color_envelope=none", 1, 0},
    {"layer-invisible", "add group a\nadd layer a tiles 2x2\nset a/0.color=#ffffff00",
     "add group a\nadd layer a tiles 2x2\nset a/0.color=#ffffff01", "set a/0.color=#ffffffff", 1, 0},

    {"setting-unknown", "settings add 'sv_deepflyy 0'",
     "settings add 'SV_DeepFly 0' 'sv_kog_qquads_enable 1' 'sv_disable_season_points 1' 'sv_regen 0'", NULL,
     1, 0},
    {"setting-arguments", "settings add 'tune_zone 1 gravity'",
     "settings add 'tune gravity' 'tune_zone_enter 1 a b c d e'", "settings remove 'tune_zone 1 gravity'", 1,
     0},
    {"setting-range", "settings add 'sv_team 4'", "settings add 'sv_team 3'",
     "settings replace 'sv_team*' 'sv_team 2'", 1, 0},
    {"tuning-unknown", "settings add 'tune gravityy 3'",
     "settings add 'tune Gravity 3' 'mapbug grenade-doubleexplosion@ddnet.tw'",
     "settings remove 'tune gravityy*'", 1, 0},
    {"setting-twice", "settings add 'sv_hit 0' 'sv_hit  0'", "settings add 'sv_hit 0' 'sv_team 0'",
     "settings remove 'sv_hit 0'", 1, 0},
    {"setting-overruled", "settings add 'tune_zone 1 gravity 3'",
     "settings add 'tune_zone 2 gravity 3' 'tune gravity 3'", "settings remove 'tune_zone 1 gravity 0.25'", 1,
     0},
    {"setting-initial", "settings add 'sv_hit 1'", "settings add 'sv_hit 0'", NULL, 1, 0},
    {"setting-long", "settings add 'tune_zone_enter 1 " LONG LONG LONG LONG "'",
     "settings add 'tune_zone_enter 1 " LONG LONG LONG "'", "settings remove 'tune_zone_enter*'", 1, 0},
    {"setting-idle", "settings add '# freeze' '  '", "settings add 'sv_hit 0 # nobody'",
     "settings remove '# freeze' '  '", 2, 0},
    {"setting-without-switch", "settings add 'switch_open 2'", "settings add 'switch_open 1'", NULL, 1, 0},
    {"settings-conflict", "settings add 'sv_min_team_size 5; sv_max_team_size 4'",
     "settings add 'sv_min_team_size 5; sv_max_team_size 5'", "settings remove 'sv_min*'", 1, 0},

    {"layer-twice", "add group a\nadd layer a tiles 4x4\nfill a/0@1,1+1x1 3\nduplicate a/0",
     "add group a\nadd layer a tiles 4x4\nfill a/0@1,1+1x1 3\nduplicate a/0\nset a/1.color=#ff0000ff", NULL,
     1, 0},
    {"game-group-moved", "set 0.offset.x=32", "add group b\nset 1.offset.x=32", "set 0.offset.x=0", 1, 0},
    {"setting-without-tiles", "settings add 'sv_plasma_range 500'",
     "settings add 'sv_plasma_range 500'\nfill switch@3,3+1x1 plasma:1", NULL, 1, 0},
    {"dummy-unlock", "fill game@8,8+1x1 air", "fill front@8,8+1x1 unlock-team",
     "fill front@8,8+1x1 unlock-team", 1, 0},
    {"novice-solo", "fill front@8,8+2x1 solo-enable", "fill front@8,8+2x1 solo-disable",
     "fill front@8,8+2x1 air", 2, 1},
    {"team-size-forced", "settings add 'sv_min_team_size 3'", "settings add 'sv_min_team_size 2'",
     "settings remove 'sv_min*'", 1, 0},
    {"kog-quests", "settings add 'sv_kog_map_quests Q_TEAM_15,Q_TEAM_16'",
     "settings add 'sv_kog_map_quests Q_TEAM_15,Q_NO_HAMMER'", "settings remove 'sv_kog*'", 1, 0},

    {"few-spawns", "fill game@2,2+1x1 air", "fill game@2,2+1x1 spawn-red", "fill game@4,4+1x1 spawn", 1, 1},
    {"spawn-on-ground", "fill front@2,13+1x1 spawn", "fill front@2,12+1x1 spawn", "fill front@2,13+1x1 air",
     1, 1},
    {"out-on-ground", "fill tele@8,13+1x1 tele-out:1",
     "fill tele@8,13+1x1 tele-out:2\nfill tele@8,9+1x1 tele-in-hook:2", "fill game@8,14+1x1 death", 1, 1},
    {"solo-spawns", "fill game@3,3+1x1 spawn-blue", "fill game@2,2+1x1 air",
     "fill game@2,2+1x2 air\n"
     "fill game@3,3+1x1 air",
     3, 1},
    {"solo-spawn-in-air", "fill game@2,13+1x1 spawn", "fill game@2,3+2x1 solid",
     "fill game@2,3+2x1 unhookable", 2, 1},
    {"solo-outs", "fill tele@8,9+1x1 tele-out:1", "fill tele@8,10+1x1 air", "fill tele@8,9+1x2 air", 3, 1},
    {"solo-out-in-air", "fill tele@8,10+1x1 air", "fill game@8,11+2x1 solid", "fill game@9,11+1x1 solid", 1,
     1},
    {"solo-setting", "settings add 'sv_solo_server 0'", "settings add 'sv_solo_server 1'", NULL, 1, 0},
    {"dummy-deepfly", "settings add 'sv_deepfly 1'", "settings add 'sv_deepfly 0'", NULL, 1, 0},
    {"race-tile", "fill game@3,3+1x1 weapon-laser", RACE_ONLY "fill game@3,3+1x1 weapon-grenade",
     RACE_ONLY "fill game@3,3+1x1 air", 1, 1},
    {"no-flag", "fill front@3,3+1x1 flag-red", "fill game@3,3+1x1 flag-red", "fill game@3,3+1x1 flag-red", 1,
     0},
    {"flag-in-dm", "fill game@3,3+1x1 flag-red\nfill game@3,5+1x1 flag-blue", "fill front@3,3+1x1 flag-red",
     "replace flag-red,flag-blue with air", 2, 2},

    {"finish-unreachable", "fill game@14,1+1x13 solid",
     "fill game@14,1+1x13 solid\nfill tele@13,3+1x1 tele-in:9\nfill tele@16,3+1x1 tele-out:9",
     "fill game@14,9+1x1 air", 13, 1},
    {"start-unreachable", "fill game@4,1+1x13 solid",
     "fill game@4,1+1x13 solid\nfill tele@2,3+1x1 tele-in:9\nfill tele@6,3+1x1 tele-out:9",
     "fill game@4,9+1x1 air", 13, 1},
    {"start-bypassed", "fill game@5,1+1x1 air", "fill game@5,1+1x1 freeze", "fill game@5,1+1x1 start", 13, 1},
    {"spawn-cut-off", "fill game@17,1+1x13 solid\nfill game@18,3+1x1 spawn",
     "fill game@17,1+1x13 solid\nfill game@18,3+1x1 spawn\nfill tele@18,5+1x1 tele-in:1",
     "fill game@18,3+1x1 air", 1, 0},
    {"time-checkpoint-unreachable", "fill game@17,1+1x13 solid\nfill game@18,3+1x2 time-checkpoint-2",
     "fill game@17,1+1x13 solid\nfill game@18,3+1x2 time-checkpoint-1", "fill game@17,9+1x1 air", 2, 1},
    {"thin-freeze", "fill game@8,1+1x5 death\nfill front@3,3+4x1 stopper-all", "fill game@8,1+2x5 death",
     "fill game@9,1+1x5 death\nfill front@3,4+4x1 stopper-all", 5, 1},
    {"toggles-adjacent", "fill game@8,1+1x1 solo-enable\nfill front@8,2+1x1 solo-disable",
     "fill game@8,1+1x1 solo-enable\nfill front@8,3+1x1 solo-disable", "fill front@8,2+1x1 air", 1, 1},
    {"thin-wall", "fill game@8,2+1x9 solid", "fill game@8,2+2x9 solid", "fill game@8,2+2x9 air", 9, 1},
    {"time-checkpoint-order", "fill game@12,1+1x13 time-checkpoint-3\nfill game@13,1+1x13 time-checkpoint-2",
     "fill game@12,1+1x13 time-checkpoint-3\nfill game@13,1+1x13 time-checkpoint-2\nfill game@12,9+1x1 air",
     "replace time-checkpoint-3 with time-checkpoint-2", 13, 1},
    {"start-at-finish", "fill game@14,5+1x1 start", "fill game@13,5+1x1 start", "fill game@14,5+1x1 air", 1,
     1},
};

static tm_finding_id id_of(const char *name)
{
    const uint32_t row = tmi_lint_match(name, 0);
    if (row == UINT32_MAX)
        fail_msg("there is no rule '%s'", name);
    return tm_lint_rule_at(row)->id;
}

static bool trips(const rule_test *test, tm_map *map, const char *description, bool should)
{
    tm_lint_result result;
    size_t at = 0;
    test_lint_ask(&result, map);
    const bool does = test_lint_find(&result, id_of(test->id), &at);
    if (does != should)
        print_error("%s: %s: %s\n", test->id, description,
                    does ? result.findings.list[at].text : "is not found");
    tm_lint_result_release(&result);
    return does == should;
}

/* What the finding says of itself; the words of its fix go to `fix`. */
static bool tells(const rule_test *test, tm_map *map, char *fix, size_t size)
{
    OWN(tm_lint_result) result;
    size_t at = 0;
    uint32_t num = 0;
    test_lint_ask(&result, map);
    const tm_finding *finding = test_lint_find(&result, id_of(test->id), &at);
    bool fine = finding;
    if (finding) {
        tm_lint_places(&num, &result, at);
        fine = finding->count == test->count && num == test->places && finding->text[0];
        if (!fine)
            print_error("%s: count %u, %u places: %s\n", test->id, (unsigned)finding->count, (unsigned)num,
                        finding->text);
        snprintf(fix, size, "%s", tm_lint_fix_line(&result, at));
    }
    return fine;
}

static bool try_rule(const rule_test *test)
{
    char fix[TM_ERROR_TEXT_SIZE] = "";
    OWN(tm_map) *map = test_lint_new_race();
    test_edit_does(map, test->close_quad);
    bool fine = trips(test, map, "nearly", false);
    tm_map_free(map);
    map = test_lint_new_race();
    test_edit_does(map, test->trip);
    fine = trips(test, map, "tripped", true) && fine;
    fine = tells(test, map, fix, sizeof(fix)) && fine;
    test_edit_does(map, test->fix ? test->fix : fix);
    fine = trips(test, map, "fixed", false) && fine;
    return fine;
}

TEST(every_rule_trips_nearly_trips_and_is_fixed)
{
    uint32_t wrong = 0;
    for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++)
        wrong += !try_rule(&tests[i]);
    assert_int_equal(wrong, 0);
}

TEST(every_rule_has_a_row_here)
{
    const tm_lint_rule *rule;
    for (uint32_t n = 0; (rule = tm_lint_rule_at(n)); n++) {
        bool found = rule->id == TM_FINDING_OWN_RULE /* test_lint_config.c */ ||
                     rule->id == TM_FINDING_PART_UNKNOWN /* test_lint_sets.c */ ||
                     rule->id == TM_FINDING_BAD_MAP_NAME /* the same */ ||
                     rule->id == TM_FINDING_NOT_FOR_DDNET /* test_lint_loader.c */ ||
                     rule->id == TM_FINDING_SOUND_NOT_OPUS || /* this and more: test_lint_elements.c */
                     (rule->id >= TM_FINDING_IMAGE_OVERSIZED && rule->id <= TM_FINDING_ENVELOPE_RANGE);
        for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++)
            found |= strcmp(tests[i].id, tm_finding_name(rule->id)) == 0;
        if (!found)
            fail_msg("no test trips over '%s'", tm_finding_name(rule->id));
    }
}

TEST(nobody_finds_fault_with_the_race)
{
    OWN(tm_map) *map = test_lint_new_race();
    OWN(tm_lint_result) result;
    must(tm_lint_run(&result, map, NULL, NULL));
    test_print_findings(&result.findings);
    assert_int_equal(result.findings.num, 0);
    assert_int_equal(result.sets, TM_LINT_DDNET | TM_LINT_STYLE);
    assert_int_equal(result.unread, 0);
    assert_string_equal(tm_lint_fix_line(&result, 0), "");
    assert_null(tm_lint_places(NULL, &result, 0));
}

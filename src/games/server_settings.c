/* SPDX-License-Identifier: Zlib */
/*
 * What DDNet's server takes from the settings of a map. Initial values are those of DDNet 20.1, where they
 * are certain.
 */
#include <teemap/settings.h>

#include "games.h"

/* clang-format off */

#define COMMAND(word, takes, from, to, says) \
    {.name = word, .arguments = takes, .min = from, .max = to, .repeats = true, .help = says}
#define KNOWN(word, from, to, value, says) \
    {.name = word, .min = from, .max = to, .has_initial = true, .initial = value, .help = says}
#define OTHER(word, from, to, says) {.name = word, .min = from, .max = to, .help = says}

static const tm_setting_info settings[] = {
    COMMAND("mapbug", "s", 0, 0, "keeps an old fault of the game that the map needs"),
    KNOWN("sv_deepfly", 0, 1, 1, "whether one may fly with deep frozen players"),
    KNOWN("sv_destroy_bullets_on_death", 0, 1, 1, "whether a player's bullets vanish when he dies"),
    OTHER("sv_destroy_lasers_on_death", 0, 1, "whether a player's lasers vanish when he dies"),
    KNOWN("sv_dragger_range", 1, 99999, 700, "how far draggers reach, in px"),
    OTHER("sv_endless_drag", 0, 1, "whether everybody has endless hook"),
    KNOWN("sv_freeze_delay", 1, 30, 3, "seconds of a freeze"),
    KNOWN("sv_hit", 0, 1, 1, "whether players can hit each other"),
    OTHER("sv_max_team_size", 1, 128, "how many players a team may have"),
    KNOWN("sv_min_team_size", 1, 128, 2, "how many players a team needs"),
    OTHER("sv_no_weak_hook", 0, 1, "whether all hooks are equally strong"),
    OTHER("sv_old_laser", 0, 1, "whether lasers and shotguns hit and pull as they used to"),
    OTHER("sv_old_teleport_hook", 0, 1, "whether all blue teleporters take hooks"),
    OTHER("sv_old_teleport_weapons", 0, 1, "whether all blue teleporters take shots"),
    OTHER("sv_pauseable", 0, 1, "whether players may pause"),
    KNOWN("sv_plasma_per_sec", 0, 50, 3, "shots of a turret in a second"),
    KNOWN("sv_plasma_range", 1, 99999, 700, "how far turrets shoot, in px"),
    OTHER("sv_reset_pickups", 0, 1, "whether weapons are lost at the start"),
    KNOWN("sv_save_worse_scores", 0, 1, 1, "whether worse times are saved, too"),
    OTHER("sv_show_others_default", 0, 2, "whether other teams are shown at first"),
    OTHER("sv_solo_server", 0, 1, "whether everybody plays alone"),
    KNOWN("sv_team", 0, 3, 1, "no teams, teams, teams needed, or each alone"),
    OTHER("sv_teleport_hold_hook", 0, 1, "whether a hook is kept in teleporters"),
    OTHER("sv_teleport_lose_weapons", 0, 1, "whether weapons are lost in teleporters"),
    COMMAND("switch_open", "i", 0, 255, "switches a number on from the start"),
    COMMAND("tune", "s?f", 0, 0, "sets a tuning parameter"),
    COMMAND("tune_zone", "isf", 0, 255, "sets a tuning parameter in a zone"),
    COMMAND("tune_zone_enter", "ir", 0, 255, "what players read when they enter a zone"),
    COMMAND("tune_zone_leave", "ir", 0, 255, "what players read when they leave a zone"),
};

static const char *const tunings[] = {
    "ground_control_speed", "ground_control_accel", "ground_friction", "ground_jump_impulse", "air_jump_impulse",
    "air_control_speed", "air_control_accel", "air_friction", "hook_length", "hook_fire_speed", "hook_drag_accel",
    "hook_drag_speed", "gravity", "velramp_start", "velramp_range", "velramp_curvature", "gun_curvature",
    "gun_speed", "gun_lifetime", "shotgun_curvature", "shotgun_speed", "shotgun_speeddiff", "shotgun_lifetime",
    "grenade_curvature", "grenade_speed", "grenade_lifetime", "laser_reach", "laser_bounce_delay",
    "laser_bounce_num", "laser_bounce_cost", "laser_damage", "player_collision", "player_hooking",
    "jetpack_strength", "shotgun_strength", "explosion_strength", "hammer_strength", "hook_duration",
    "hammer_fire_delay", "gun_fire_delay", "shotgun_fire_delay", "grenade_fire_delay", "laser_fire_delay",
    "ninja_fire_delay", "hammer_hit_fire_delay", "ground_elasticity_x", "ground_elasticity_y"};

/* clang-format on */

bool tmi_game_same_setting(const char *text, const char *name)
{
    for (; *text && tmi_fold_case(*text) == *name; text++)
        name++;
    return !*text && !*name;
}

const tm_setting_info *tmi_game_setting(const char *name)
{
    for (size_t i = 0; name && i < TMI_COUNT_OF(settings); i++)
        if (tmi_game_same_setting(name, settings[i].name))
            return &settings[i];
    return NULL;
}

const tm_setting_info *tmi_game_setting_at(uint32_t n)
{
    return n < TMI_COUNT_OF(settings) ? &settings[n] : NULL;
}

const char *tmi_game_tuning_at(uint32_t n)
{
    return n < TMI_COUNT_OF(tunings) ? tunings[n] : NULL;
}

bool tmi_game_is_tuning(const char *name)
{
    for (size_t i = 0; name && i < TMI_COUNT_OF(tunings); i++)
        if (tmi_game_same_setting(name, tunings[i]))
            return true;
    return false;
}

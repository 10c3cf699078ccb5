/* SPDX-License-Identifier: Zlib */
/*
 * data_folders.c - where systems put the games: one row for each folder that holds a game's `mapres`,
 * `editor` and `maps`, of users and of packages. In DDNet's and Teeworlds' own storage.cpp, in Debian 12, 13
 * and sid, and in the games' archives and their editions for Steam and Flatpak the files below such a folder
 * are the same, so a new place is a new row and nothing else.
 */
#include "mapres.h"

/* For the rows at absolute paths. Not set, it is the system's root. */
static const char root_variable[] = "TEEMAP_ROOT", last_variable[] = "TEEMAP_MAPRES";

/* Both games below a folder of the system for data, and both of a folder of Steam. */
#define PACKAGES(variable, folder)                              \
    {variable, folder "/ddnet/data", TM_MAPRES_DDNET},          \
    {                                                           \
        variable, folder "/teeworlds/data", TM_MAPRES_TEEWORLDS \
    }
#define STEAM(variable, folder)                                                       \
    {variable, folder "/steamapps/common/DDraceNetwork/ddnet/data", TM_MAPRES_DDNET}, \
    {                                                                                 \
        variable, folder "/steamapps/common/Teeworlds/tw/data", TM_MAPRES_TEEWORLDS   \
    }

static const tmi_data_folder data_folders[] = {
    /* Of users. DDNet uses that of Teeworlds where it finds no other. */
    {"XDG_DATA_HOME", "ddnet", TM_MAPRES_DDNET},
    {"HOME", ".local/share/ddnet", TM_MAPRES_DDNET},
    {"HOME", ".teeworlds", TM_MAPRES_TEEWORLDS},
    {"XDG_DATA_HOME", "teeworlds", TM_MAPRES_TEEWORLDS},
    {"HOME", ".local/share/teeworlds", TM_MAPRES_TEEWORLDS},
    {"HOME", ".var/app/tw.ddnet.ddnet/data/ddnet", TM_MAPRES_DDNET},
    {"HOME", "Library/Application Support/DDNet", TM_MAPRES_DDNET},
    {"HOME", "Library/Application Support/Teeworlds", TM_MAPRES_TEEWORLDS},
    {"APPDATA", "DDNet", TM_MAPRES_DDNET},
    {"APPDATA", "Teeworlds", TM_MAPRES_TEEWORLDS},
    /* Of Steam: its installer's, Debian's, Flatpak's, snap's, macOS', Windows'. */
    STEAM("XDG_DATA_HOME", "Steam"),
    STEAM("HOME", ".local/share/Steam"),
    STEAM("HOME", ".steam/steam"),
    STEAM("HOME", ".steam/debian-installation"),
    STEAM("HOME", ".var/app/com.valvesoftware.Steam/.local/share/Steam"),
    STEAM("HOME", ".var/app/com.valvesoftware.Steam/data/Steam"),
    STEAM("HOME", "snap/steam/common/.local/share/Steam"),
    STEAM("HOME", "Library/Application Support/Steam"),
    STEAM("ProgramFiles(x86)", "Steam"),
    /* Of packages: Debian and Fedora, Arch, what is built by hand, pkgsrc, Nix, Flatpak, macOS. */
    PACKAGES(root_variable, "usr/share/games"),
    PACKAGES(root_variable, "usr/share"),
    PACKAGES(root_variable, "usr/local/share/games"),
    PACKAGES(root_variable, "usr/local/share"),
    PACKAGES(root_variable, "usr/pkg/share/games"),
    PACKAGES(root_variable, "usr/pkg/share"),
    PACKAGES(root_variable, "opt"),
    PACKAGES("HOME", ".nix-profile/share"),
    PACKAGES(root_variable, "run/current-system/sw/share"),
    {"HOME", ".local/share/flatpak/app/tw.ddnet.ddnet/current/active/files/share/ddnet/data",
     TM_MAPRES_DDNET},
    {root_variable, "var/lib/flatpak/app/tw.ddnet.ddnet/current/active/files/share/ddnet/data",
     TM_MAPRES_DDNET},
    {"HOME", "Applications/DDNet.app/Contents/Resources/data", TM_MAPRES_DDNET},
    {"HOME", "Applications/Teeworlds.app/Contents/Resources/data", TM_MAPRES_TEEWORLDS},
    {root_variable, "Applications/DDNet.app/Contents/Resources/data", TM_MAPRES_DDNET},
    {root_variable, "Applications/Teeworlds.app/Contents/Resources/data", TM_MAPRES_TEEWORLDS},
};

const tmi_data_folder *tmi_data_folder_at(size_t index)
{
    return index < TMI_COUNT_OF(data_folders) ? &data_folders[index] : NULL;
}

static const char *find_value(const tm_mapres_options *options, const char *name)
{
    for (uint32_t i = 0; i < options->num_variables; i++) {
        const tm_mapres_variable *variable = &options->variables[i];
        if (variable->value && variable->value[0] && strcmp(variable->name, name) == 0)
            return variable->value;
    }
    return NULL;
}

const char *tmi_data_folder_base(const tmi_data_folder *folder, const tm_mapres_options *options)
{
    const char *base = find_value(options, folder->variable);
    return base || strcmp(folder->variable, root_variable) != 0 ? base : "/";
}

const char *tmi_mapres_last_folder(const tm_mapres_options *options)
{
    return find_value(options, last_variable);
}

const char *tm_mapres_variable_name(uint32_t index)
{
    uint32_t seen = 0;
    for (size_t i = 0; i < TMI_COUNT_OF(data_folders); i++) {
        const char *variable = data_folders[i].variable;
        bool first = true; /* no earlier row has it */
        for (size_t k = 0; k < i && first; k++)
            first = strcmp(data_folders[k].variable, variable) != 0;
        if (first && seen++ == index)
            return variable;
    }
    return seen == index ? last_variable : NULL;
}

/* SPDX-License-Identifier: Zlib */
/*
 * shared_options.c - the tables of choices: what each word of an option stands for. Help, completion and
 * errors list them.
 */
#include "shared_options.h"

const option_choice mode_choices[] = {{"strict", TM_MODE_STRICT, false},
                                      {"game", TM_MODE_GAME, false},
                                      {"salvage", TM_MODE_SALVAGE, false},
                                      {NULL, 0, false}};

const option_choice game_choices[] = {{"ddnet", TM_GAME_DDNET, false},
                                      {"teeworlds06", TM_GAME_TEEWORLDS06, false},
                                      {"teeworlds07", TM_GAME_TEEWORLDS07, false},
                                      {"vanilla", TM_GAME_TEEWORLDS06, true},
                                      {"0.6", TM_GAME_TEEWORLDS06, true},
                                      {"0.7", TM_GAME_TEEWORLDS07, true},
                                      {NULL, 0, false}};

const option_choice region_choices[] = {{"map", 0, false}, {NULL, 0, false}};

const option_choice still_formats[] = {{"png", PICTURE_PNG, false},
                                       {"webp", PICTURE_WEBP, false},
                                       {"raw", PICTURE_RAW, false},
                                       {NULL, 0, false}};

const option_choice moving_formats[] = {{"webp", PICTURE_WEBP, false}, {"gif", PICTURE_GIF, false},
                                        {"mp4", PICTURE_MP4, false},   {"webm", PICTURE_WEBM, false},
                                        {"apng", PICTURE_APNG, false}, {"png", PICTURE_PNG, false},
                                        {"raw", PICTURE_RAW, false},   {NULL, 0, false}};

const option_choice tile_formats[] = {
    {"png", PICTURE_PNG, false}, {"webp", PICTURE_WEBP, false}, {NULL, 0, false}};

const option_choice background_choices[] = {
    {"transparent", BACKGROUND_TRANSPARENT, false}, {"checks", BACKGROUND_CHECKS, false}, {NULL, 0, false}};

const option_choice look_choices[] = {
    {"ddnet", TM_CLIENT_DDNET, false}, {"teeworlds07", TM_CLIENT_TEEWORLDS07, false}, {NULL, 0, false}};

const option_choice missing_choices[] = {{"client", TM_MISSING_CLIENT, false},
                                         {"none", TM_MISSING_NONE, false},
                                         {"white", TM_MISSING_WHITE, false},
                                         {NULL, 0, false}};

const char *choice_name(const option_choice *choices, int value)
{
    while (choices->name && choices->value != value)
        choices++;
    return choices->name;
}

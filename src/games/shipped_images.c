/* SPDX-License-Identifier: Zlib */
/*
 * Images that the games bring along, so that a map can name them without holding their pixels: those of DDNet
 * 20, Teeworlds 0.6.5 and 0.7.5, and what releases before had. Sizes are those of the newest release that has
 * the image; Teeworlds 0.6 drew some of them at half of that. And which names may become files' at all.
 */
#include "games.h"

/* clang-format off */

/* Who has it. */
#define ALL     {true, true, true}
#define DDNET   {true, false, false}
#define NOT_06  {true, false, true}
#define ONLY_07 {false, false, true}
#define NONE    {false, false, false}

static const tm_shipped_image images[] = {
    /* name                            width height games  0.7 art external until, renamed */
    {"basic_freeze",                    1024, 1024, DDNET,   false, false, NULL, NULL},
    {"bg_cloud1",                       2048, 1024, ALL,     false, true,  NULL, NULL},
    {"bg_cloud2",                       2048, 1024, ALL,     false, true,  NULL, NULL},
    {"bg_cloud3",                       1024,  512, ALL,     false, true,  NULL, NULL},
    {"bg_ddr",                           512,  256, NONE,    false, false, "DDNet 4.3.1", NULL},
    {"ddmax-freeze",                    1024, 1024, NONE,    false, false, "DDNet 7.8.2", "ddmax_freeze"},
    {"ddmax_freeze",                    1024, 1024, DDNET,   false, false, NULL, NULL},
    {"ddnet-start",                      512,  135, NONE,    false, false, "DDNet 7.8.2", "ddnet_start"},
    {"ddnet-tiles",                     1024, 1024, NONE,    false, false, "DDNet 7.8.2", "ddnet_tiles"},
    {"ddnet-walls",                     1024, 1024, NONE,    false, false, "DDNet 7.8.2", "ddnet_walls"},
    {"ddnet_grass",                     1024, 1024, DDNET,   false, false, NULL, NULL},
    {"ddnet_start",                      512,  135, DDNET,   false, false, NULL, NULL},
    {"ddnet_tiles",                     1024, 1024, DDNET,   false, false, NULL, NULL},
    {"ddnet_walls",                     1024, 1024, DDNET,   false, false, NULL, NULL},
    {"desert_background",               1270,  416, DDNET,   false, false, NULL, NULL},
    {"desert_doodads",                  1024, 1024, ALL,     false, true,  NULL, NULL},
    {"desert_main",                     1024, 1024, ALL,     false, true,  NULL, NULL},
    {"desert_mountains",                1024,  512, ALL,     false, true,  NULL, NULL},
    {"desert_mountains2",               1024,  512, ALL,     false, true,  NULL, NULL},
    {"desert_mountains_new_background", 1500,  460, DDNET,   false, false, NULL, NULL},
    {"desert_mountains_new_foreground", 1500,  830, DDNET,   false, false, NULL, NULL},
    {"desert_sun",                      1024, 1024, ALL,     false, true,  NULL, NULL},
    {"easter",                          1024, 1024, ONLY_07, true,  false, NULL, NULL},
    {"entities",                        1024, 1024, DDNET,   false, false, NULL, NULL},
    {"fadeout",                         1024, 1024, DDNET,   false, false, NULL, NULL},
    {"font_teeworlds",                  1024, 1024, DDNET,   false, false, NULL, NULL},
    {"font_teeworlds_alt",              1024, 1024, DDNET,   false, false, NULL, NULL},
    {"generic_clear",                   1024, 1024, DDNET,   false, false, NULL, NULL},
    {"generic_deathtiles",              1024, 1024, ALL,     false, true,  NULL, NULL},
    {"generic_lamps",                   1024, 1024, NOT_06,  false, false, NULL, NULL},
    {"generic_shadows",                 1024, 1024, ONLY_07, true,  false, NULL, NULL},
    {"generic_unhookable",              1024, 1024, ALL,     true,  true,  NULL, NULL},
    {"grass_doodads",                   1024, 1024, ALL,     true,  true,  NULL, NULL},
    {"grass_main",                      1024, 1024, ALL,     true,  true,  NULL, NULL},
    {"jungle_background",                809, 1312, ALL,     false, true,  NULL, NULL},
    {"jungle_deathtiles",               1024, 1024, ALL,     false, true,  NULL, NULL},
    {"jungle_doodads",                  1024, 1024, ALL,     false, true,  NULL, NULL},
    {"jungle_main",                     1024, 1024, ALL,     false, true,  NULL, NULL},
    {"jungle_midground",                1024, 1024, ALL,     false, true,  NULL, NULL},
    {"jungle_night",                    1024, 1408, NONE,    false, false, "Teeworlds 0.5", NULL},
    {"jungle_night2",                   1024,  540, NONE,    false, false, "Teeworlds 0.5", NULL},
    {"jungle_unhookables",              1024, 1024, ALL,     false, true,  NULL, NULL},
    {"light",                            256,  256, NOT_06,  false, false, NULL, NULL},
    {"mixed_tiles",                     1024, 1024, DDNET,   false, false, NULL, NULL},
    {"moon",                            1024, 1024, ALL,     false, true,  NULL, NULL},
    {"mountains",                       1024,  512, ALL,     false, true,  NULL, NULL},
    {"round-tiles",                     1024, 1024, NONE,    false, false, "DDNet 7.8.2", "round_tiles"},
    {"round_tiles",                     1024, 1024, DDNET,   false, false, NULL, NULL},
    {"snow",                              64,   64, ALL,     false, true,  NULL, NULL},
    {"snow_mountain",                   1024,  512, DDNET,   false, false, NULL, NULL},
    {"stars",                            265,  128, ALL,     false, true,  NULL, NULL},
    {"sun",                              512,  512, ALL,     false, true,  NULL, NULL},
    {"water",                           1024, 1024, DDNET,   false, false, NULL, NULL},
    {"winter_doodads",                  1024, 1024, ALL,     false, true,  NULL, NULL},
    {"winter_main",                     1024, 1024, ALL,     true,  true,  NULL, NULL},
    {"winter_mountains",                1024,  512, ALL,     false, true,  NULL, NULL},
    {"winter_mountains2",               1024,  512, ALL,     false, true,  NULL, NULL},
    {"winter_mountains3",               1024,  512, ALL,     false, true,  NULL, NULL},
};

/* clang-format on */

const tm_shipped_image *tm_game_shipped_image(const char *name)
{
    for (size_t i = 0; name && i < TMI_COUNT_OF(images); i++)
        if (strcmp(images[i].name, name) == 0)
            return &images[i];
    return NULL;
}

const tm_shipped_image *tmi_game_shipped_image_at(uint32_t n)
{
    return n < TMI_COUNT_OF(images) ? &images[n] : NULL;
}

const tm_shipped_image *tmi_game_image_of_07(const char *name)
{
    for (size_t i = 0; i < TMI_COUNT_OF(images); i++) {
        const size_t size = strlen(images[i].name);
        if (images[i].has_07_art && strncmp(images[i].name, name, size) == 0 &&
            strcmp(name + size, TMI_ART_SUFFIX) == 0)
            return &images[i];
    }
    return NULL;
}

bool tm_game_name_is_plain(const char *name)
{
    const size_t size = name ? strlen(name) : 0;
    if (size == 0 || size > TMI_IMAGE_NAME || name[0] == '.')
        return false;
    for (size_t i = 0; i < size;) {
        const uint8_t *byte = (const uint8_t *)name + i;
        const size_t step = tmi_utf8_step(byte, size - i);
        const bool is_c1 = step == 2 && byte[0] == 0xC2 && byte[1] < 0xA0;
        if (step > 1 ? is_c1 : !step || *byte < 0x20 || *byte == 0x7F || strchr("/\\:*?\"<>|", *byte))
            return false;
        i += step;
    }
    return true;
}

tm_status tmi_game_provide_image(uint8_t **rgba, uint32_t *width, uint32_t *height,
                                 tm_image_provider provider, void *ctx, const char *name, tm_game game,
                                 const tm_allocator *allocator, tm_error *error)
{
    tm_error fault;
    *rgba = NULL;
    tmi_error_blank(&fault);
    const tm_status status = provider(ctx, name, game, allocator, rgba, width, height, &fault);
    if (status == TM_OK)
        return TM_OK;
    *rgba = NULL;
    if (status == TM_ERROR_NOT_FOUND || status == TM_ERROR_DAMAGED || status == TM_ERROR_UNSUPPORTED)
        return TM_OK;
    if (!fault.text[0])
        tmi_format(fault.text, sizeof(fault.text), "the provider gives no pixels of the image '%.100s': %s",
                   name, tm_status_name(status));
    return tmi_error_told(status, &fault, error, TM_SIDE_INPUT, "the provider of images");
}

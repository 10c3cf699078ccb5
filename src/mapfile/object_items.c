/* SPDX-License-Identifier: Zlib */
/*
 * One function for each kind of item but layers: which int means which field, and what a new item of the
 * map's game looks like (sections 2.1 to 2.6, 2.11, 2.12). The pass in the item io says which way the fields
 * go.
 */
#include "mapfile.h"
#include "../games/games.h"

/* Starts a new item as the game writes it. */
static void template(tmi_item_io *io, const int32_t *ints, uint32_t num)
{
    if (!io->fresh || io->pass == TMI_LOAD)
        return;
    for (uint32_t k = 0; k < num; k++)
        tmi_io_put(io, k, ints[k]);
}
#define TEMPLATE(io, ...)                                   \
    do {                                                    \
        const int32_t ints_[] = {__VA_ARGS__};              \
        template(io, ints_, (uint32_t)TMI_COUNT_OF(ints_)); \
    } while (0)

/* LOAD: notes an item that ends before what every version has, or goes on after what any has. */
static void expect(tmi_item_io *io, uint32_t least, uint32_t most)
{
    if (io->pass != TMI_LOAD)
        return;
    if (io->num < least)
        tmi_io_report(io, TM_FINDING_ITEM_TOO_SHORT, "the item has %u integers, at least %u are needed",
                      io->num, least);
    tmi_io_most(io, most);
}

void tmi_item_version(tmi_item_io *io, int32_t *version)
{
    TEMPLATE(io, 1);
    expect(io, 1, 1);
    tmi_io_int(io, 0, version, 0);
}

void tmi_item_info(tmi_item_io *io, tm_info *info)
{
    const bool holds_settings = tmi_game_holds(io->map->game, TM_PART_SETTINGS);
    if (holds_settings)
        TEMPLATE(io, 1, -1, -1, -1, -1, -1);
    else
        TEMPLATE(io, 1, -1, -1, -1, -1);
    expect(io, 5, 6);
    tmi_io_text(io, 1, &info->author, &info->unread_author);
    tmi_io_text(io, 2, &info->version, &info->unread_version);
    tmi_io_text(io, 3, &info->credits, &info->unread_credits);
    tmi_io_text(io, 4, &info->license, &info->unread_license);
    if (io->pass == TMI_LOAD || holds_settings || io->num > 5) /* else there is no place for them */
        tmi_io_settings(io, 5, info);
}

static void image_findings(tmi_item_io *io, const tm_image *image)
{
    if (!image->name && !image->unread_name)
        tmi_io_report(io, TM_FINDING_BAD_NAME, "the image has no name");
    if (image->external) {
        if (image->pixels)
            tmi_io_report(io, TM_FINDING_EXTERNAL_PIXELS,
                          "the image is external, but has pixels: no game reads them");
        return;
    }
    uint64_t needed = tmi_image_stored_size(image), size = image->pixels ? image->pixels->size : 0;
    if (needed == 0)
        tmi_io_report(io, TM_FINDING_BAD_IMAGE_SIZE, "the image has %d x %d pixels", image->width,
                      image->height);
    else if (needed != size)
        tmi_io_report(io, TM_FINDING_BLOCK_SIZE, "%d x %d pixels need %llu bytes, but there are %llu",
                      image->width, image->height, (unsigned long long)needed, (unsigned long long)size);
    if (image->format == TM_IMAGE_RGB)
        tmi_io_report(io, TM_FINDING_IMAGE_FORMAT,
                      "the pixels have 3 bytes (RGB), which DDNet does not show");
    const int32_t number = tmi_io_raw(io, 6, 1);
    if (tmi_io_raw(io, 0, 1) >= 2 && number != 0 && number != 1)
        tmi_io_report(io, TM_FINDING_IMAGE_FORMAT, "format %d is unknown; 4 bytes a pixel are assumed",
                      number);
}

void tmi_item_image(tmi_item_io *io, tm_image *image)
{
    if (io->map->game == TM_GAME_DDNET)
        TEMPLATE(io, 1, 0, 0, 0, -1, -1);
    else
        TEMPLATE(io, 2, 0, 0, 0, -1, -1, 1);
    expect(io, 6, 7);
    tmi_io_int(io, 1, &image->width, 0);
    tmi_io_int(io, 2, &image->height, 0);
    tmi_io_bool(io, 3, &image->external, false);
    tmi_io_text(io, 4, &image->name, &image->unread_name);
    /* version 2 only: a 7th int in version 1 is garbage, and external images hold whatever the editor had */
    bool versioned = tmi_io_raw(io, 0, 1) >= 2;
    tm_image_format format =
        versioned && !image->external && tmi_io_raw(io, 6, 1) == 0 ? TM_IMAGE_RGB : TM_IMAGE_RGBA;
    if (io->pass == TMI_LOAD) {
        image->format = format;
        tmi_io_want(io, 5, image->external ? 0 : tmi_image_stored_size(image));
    }
    tmi_io_block(io, 5, &image->pixels, TMI_ENCODING_BYTES, 0, TM_FINDING_BAD_REFERENCE);
    if (io->pass == TMI_LOAD) {
        image_findings(io, image);
    } else if (format != image->format || (versioned && image->pixels && image->pixels->changed)) {
        if (!versioned)
            tmi_io_put(io, 0, 2);
        tmi_io_put(io, 6, image->format == TM_IMAGE_RGBA);
    }
}

void tmi_item_sound(tmi_item_io *io, tm_sound *sound)
{
    TEMPLATE(io, 1, 0, -1, -1, 0);
    expect(io, 4, 5);
    tmi_io_bool(io, 1, &sound->external, false);
    tmi_io_text(io, 2, &sound->name, &sound->unread_name);
    const bool had_data = tmi_io_raw(io, 3, TM_NONE) != TM_NONE;
    const int32_t said = tmi_io_raw(io, 4, TM_NONE);
    if (!sound->external)
        tmi_io_want(io, 3, said > 0 ? (uint64_t)said : 0);
    tmi_io_block(io, 3, &sound->data, TMI_ENCODING_BYTES, 0, TM_FINDING_BAD_REFERENCE);
    /* the size is told twice; keep what the file said until the sound changes */
    const bool other_data =
        sound->data ? sound->data->changed : had_data && tmi_io_raw(io, 3, TM_NONE) == TM_NONE;
    if (io->pass != TMI_LOAD && (io->fresh || other_data))
        tmi_io_put(io, 4, sound->data ? (int32_t)tmi_announced_size(sound->data) : 0);
    if (io->pass != TMI_LOAD || sound->external)
        return;
    if (!sound->data)
        tmi_io_report(io, TM_FINDING_BLOCK_SIZE, "the sound has no data");
    else if (io->num > 4 && (said < 0 || (uint64_t)said != sound->data->size))
        tmi_io_report(io, TM_FINDING_BLOCK_SIZE, "the item says %d bytes, its data block has %llu", said,
                      (unsigned long long)sound->data->size);
}

/* ---------------------------------------------------------------------------------------------- envelopes */

enum { ENVELOPE_NAME = 4, ENVELOPE_NAME_INTS = 8, ENVELOPE_SYNC = 12 };

/*
 * The oldest form has 5 ints, of which the last is always -1 and no name; editors take -1 for that in every
 * form (section 2.5). It is also what the bytes 7f 7f 7f 7f are as the start of a name.
 */
bool tmi_envelope_has_name(const tmi_item_io *io)
{
    return io->num >= ENVELOPE_NAME + ENVELOPE_NAME_INTS && tmi_io_raw(io, ENVELOPE_NAME, -1) != -1;
}

void tmi_item_envelope(tmi_item_io *io, tm_envelope *envelope, int32_t *start, int32_t *num,
                       uint32_t point_ints)
{
    TEMPLATE(io, 2, 0, 0, 0, TMI_BLANK_INT, TMI_BLANK_INT, TMI_BLANK_INT, TMI_BLANK_INT, TMI_BLANK_INT,
             TMI_BLANK_INT, TMI_BLANK_INT, TMI_LAST_INT, 1);
    expect(io, 5, 13);
    if (io->pass != TMI_LOAD && point_ints == 22 && tmi_io_raw(io, 0, 1) < 3) {
        tmi_io_need(io, ENVELOPE_SYNC, -1);
        tmi_io_need(io, ENVELOPE_SYNC + 1, 1);
        tmi_io_put(io, 0, 3);
    }
    tmi_io_int(io, 1, &envelope->channels, 0);
    tmi_io_int(io, 2, start, 0);
    tmi_io_int(io, 3, num, 0);
    bool named = tmi_envelope_has_name(io);
    if (!named && io->pass != TMI_LOAD && envelope->name[0]) { /* turn it into the form with a name */
        uint8_t empty[4 * ENVELOPE_NAME_INTS];
        tmi_name_encode(empty, ENVELOPE_NAME_INTS, "");
        for (uint32_t i = 0; i < ENVELOPE_NAME_INTS; i++)
            tmi_io_put(io, ENVELOPE_NAME + i, tmi_get_i32(empty + (size_t)4 * i));
        named = true;
    }
    if (named)
        tmi_io_name(io, ENVELOPE_NAME, ENVELOPE_NAME_INTS, envelope->name, TM_FINDING_BAD_NAME);
    /* before version 2 every envelope counts as synchronized */
    const bool tells = tmi_io_raw(io, 0, 1) >= 2 && io->num > ENVELOPE_SYNC;
    const bool synchronized = !tells || tmi_io_raw(io, ENVELOPE_SYNC, 1) != 0;
    if (io->pass == TMI_LOAD) {
        envelope->synchronized = synchronized;
    } else if (synchronized != envelope->synchronized) {
        if (!tells) {
            tmi_io_put(io, 0, 2);
            tmi_io_need(io, ENVELOPE_SYNC, -1); /* -1: no name */
        }
        tmi_io_put(io, ENVELOPE_SYNC, envelope->synchronized);
    }
    int32_t channels = envelope->channels;
    if (channels != TM_ENVELOPE_SOUND && channels != TM_ENVELOPE_POSITION && channels != TM_ENVELOPE_COLOR)
        tmi_io_report(io, TM_FINDING_BAD_CHANNELS, "the envelope has %d channels; 1, 3 and 4 are known",
                      channels);
}

/* ------------------------------------------------------------------------------------------------- groups */

enum { GROUP_CLIP = 7, GROUP_NAME = 12, GROUP_INTS = 15 };

void tmi_item_group(tmi_item_io *io, tm_group *group, int32_t *start, int32_t *num)
{
    static const uint32_t lengths[] = {[1] = 0, [2] = GROUP_NAME, [3] = GROUP_INTS};
    TEMPLATE(io, 3, 0, 0, 100, 100, 0, 0, 0, 0, 0, 0, 0, TMI_EMPTY_NAME);
    expect(io, 0, GROUP_INTS);
    int32_t version = tmi_io_raw(io, 0, 0);
    uint32_t length = 0; /* that a version has which the group did not have before */
    if (io->num < 7)
        tmi_io_report(io, TM_FINDING_GROUP_TOO_SHORT, "the item has %u integers, at least 7 are needed",
                      io->num);
    if (version < 1 || version > 3)
        tmi_io_report(io, TM_FINDING_BAD_GROUP_VERSION, "the group has version %d; editors drop such groups",
                      version);
    const bool clips =
        group->use_clipping || group->clip_x || group->clip_y || group->clip_w || group->clip_h;
    const int32_t least = group->name[0] ? 3 : clips ? 2 : 1; /* version that says all of the group */
    if (io->pass != TMI_LOAD && least > 1 && least > version) {
        version = least; /* any odd version stays unless something needs more */
        tmi_io_put(io, 0, version);
        length = lengths[version];
    }
    tmi_io_int(io, 1, &group->offset_x, 0);
    tmi_io_int(io, 2, &group->offset_y, 0);
    tmi_io_int(io, 3, &group->parallax_x, 100);
    tmi_io_int(io, 4, &group->parallax_y, 100);
    tmi_io_int(io, 5, start, 0);
    tmi_io_int(io, 6, num, 0);
    if (version >= 2) {
        tmi_io_bool(io, GROUP_CLIP, &group->use_clipping, false);
        tmi_io_int(io, GROUP_CLIP + 1, &group->clip_x, 0);
        tmi_io_int(io, GROUP_CLIP + 2, &group->clip_y, 0);
        tmi_io_int(io, GROUP_CLIP + 3, &group->clip_w, 0);
        tmi_io_int(io, GROUP_CLIP + 4, &group->clip_h, 0);
    }
    if (version >= 3)
        tmi_io_name(io, GROUP_NAME, 3, group->name, TM_FINDING_BAD_NAME);
    tmi_io_need(io, length, 0);
}

void tmi_item_group_ex(tmi_item_io *io, tm_group *group)
{
    TEMPLATE(io, 1, 100);
    expect(io, 2, 2);
    tmi_io_int(io, 1, &group->parallax_zoom, 100);
}

/* -------------------------------------------------------------------------------------------- automappers */

void tmi_item_automapper(tmi_item_io *io, tm_automapper *automapper, int32_t group, int32_t layer)
{
    enum { AUTOMATIC = 1 };
    TEMPLATE(io, 1, -1, -1, -1, 0, 0);
    expect(io, 6, 6);
    if (io->pass == TMI_LOAD && tmi_io_raw(io, 0, 0) != 1)
        tmi_io_report(io, TM_FINDING_AUTOMAPPER_VERSION,
                      "the automapper item has version %d; DDNet ignores it", tmi_io_raw(io, 0, 0));
    if (io->pass != TMI_LOAD) {
        tmi_io_int(io, 1, &group, 0);
        tmi_io_int(io, 2, &layer, 0);
        io->differs = false;
    }
    tmi_io_int(io, 3, &automapper->config, TM_NONE);
    tmi_io_int(io, 4, &automapper->seed, 0);
    tmi_io_bit(io, 5, AUTOMATIC, &automapper->automatic);
    /* whoever sets a configuration wants it to count, whatever an old editor left as version */
    if (io->pass == TMI_STORE && io->differs && tmi_io_raw(io, 0, 0) != 1)
        tmi_io_put(io, 0, 1);
}

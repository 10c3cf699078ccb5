/* SPDX-License-Identifier: Zlib */
/*
 * Asks rules of King of Gores. They mean what they say, not what KoG's own program makes of it
 * (docs/lint.md).
 */
#include "lint_kog.h"

#include <inttypes.h>

static const tm_address whole_map = {TM_ADDRESS_MAP, 0, 0};

static const tmi_lint_kog *kog_of(const tmi_lint *lint, uint32_t rule)
{
    return tmi_lint_own_of(&lint->rules[rule].row->about)->kog;
}

void tmi_lint_kog_judge(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_kog *kog = kog_of(lint, rule);
    for (uint32_t i = 0; i < kog->num_needs; i++) {
        const uint32_t number = tmi_lint_num_rows() + kog->needs[i];
        const tmi_lint_state *needed = &lint->rules[number];
        const bool lists = kog_of(lint, number)->judge == tmi_lint_kog_sounds; /* it finds no fault */
        if ((needed->num && !lists) || needed->passed_over)
            lint->rules[rule].passed_over = true;
    }
    if (!lint->rules[rule].passed_over)
        kog->judge(lint, rule);
}

/* -------------------------------------------------------------------------------------------------- file */

void tmi_lint_kog_file_size(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_kog *kog = kog_of(lint, rule);
    const uint64_t size = lint->file_size;
    if (size && size > kog->most)
        tmi_lint_note_add(lint, rule, whole_map,
                          "the file has %" PRIu64 " bytes; at most %" PRIu64 " are allowed", size, kog->most);
    else if (size && size < kog->least)
        tmi_lint_note_add(lint, rule, whole_map,
                          "the file has %" PRIu64 " bytes; at least %" PRIu64 " are asked for", size,
                          kog->least);
}

/* ------------------------------------------------------------------------------------------------- tiles */

const char *tmi_lint_kog_layer_name(tm_layer_kind kind)
{
    static const char *const names[TM_LAYER_KINDS] = {
        [TM_LAYER_GAME] = "Game",   [TM_LAYER_TELE] = "Tele",     [TM_LAYER_SPEEDUP] = "Speedup",
        [TM_LAYER_FRONT] = "Front", [TM_LAYER_SWITCH] = "Switch", [TM_LAYER_TUNE] = "Tune"};
    return names[kind];
}

/* Whether the tile means in a kind of layers what the rule is about. */
static bool is_meant_in(const tmi_lint_kog *kog, tm_layer_kind kind)
{
    return tmi_lint_kog_layer_name(kind) && tm_rules_tile(TM_GAME_DDNET, kind, kog->index);
}

/* One note for each layer that has such tiles, or only for those where they do not belong. */
static void note_kog_tiles(tmi_lint *lint, uint32_t rule, bool wrong, uint64_t num)
{
    const tmi_lint_kog *kog = kog_of(lint, rule);
    for (tm_layer_kind kind = TM_LAYER_GAME; kind <= TM_LAYER_TUNE; kind++) {
        if (!is_meant_in(kog, kind) || !tmi_lint_num_tiles(lint, kind, kog->index) ||
            (wrong && kind == kog->layer))
            continue;
        const tm_address at = tmi_lint_layer_address(lint, kind);
        tmi_lint_note *note =
            wrong ? tmi_lint_note_add(lint, rule, at, "%s (tile %u) belongs to the layer %s", kog->label,
                                      (unsigned)kog->index, tmi_lint_kog_layer_name(kog->layer))
                  : tmi_lint_note_add(lint, rule, at,
                                      "%s (tile %u) is there %" PRIu64 " times; at most %" PRIu64
                                      " are allowed",
                                      kog->label, (unsigned)kog->index, num, kog->most);
        tmi_lint_request_tiles(lint, note, kind, kog->index, -1);
    }
}

void tmi_lint_kog_tiles(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_kog *kog = kog_of(lint, rule);
    uint64_t num = 0;
    for (tm_layer_kind kind = TM_LAYER_GAME; kind <= TM_LAYER_TUNE; kind++)
        num += is_meant_in(kog, kind) ? tmi_lint_num_tiles(lint, kind, kog->index) : 0;
    if (num < kog->least)
        tmi_lint_note_add(lint, rule, whole_map,
                          "%s (tile %u) is there %" PRIu64 " times; at least %" PRIu64 " are asked for",
                          kog->label, (unsigned)kog->index, num, kog->least);
    else if (num > kog->most)
        note_kog_tiles(lint, rule, false, num);
    if (kog->layer != TM_LAYER_TILES)
        note_kog_tiles(lint, rule, true, num);
}

/* ------------------------------------------------------------------------------------- texts and settings */

static bool is_kog_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_allowed(const tmi_lint_kog *kog, const char *value, size_t size)
{
    for (uint32_t i = 0; i < kog->num_values; i++)
        if (strlen(kog->values[i]) == size && memcmp(kog->values[i], value, size) == 0)
            return true;
    return false;
}

static void note_value(tmi_lint *lint, uint32_t rule, tm_address at, const char *value, size_t size)
{
    const tmi_lint_kog *kog = kog_of(lint, rule);
    char allowed[TM_ERROR_TEXT_SIZE] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < kog->num_values; i++)
        length +=
            tmi_format(allowed + length, sizeof(allowed) - length, "%s%s", i ? ", " : "", kog->values[i]);
    if (size)
        tmi_lint_note_add(lint, rule, at, "%s: '%.*s' is not allowed; allowed: %s", kog->field,
                          (int)(size < 64 ? size : 64), value, allowed);
    else
        tmi_lint_note_add(lint, rule, at, "%s is empty; allowed: %s", kog->field, allowed);
}

/* Each part between commas, without the blanks around it, is allowed. */
static void ask_values(tmi_lint *lint, uint32_t rule, tm_address at, const char *text)
{
    for (const char *from = text;; from++) {
        const char *end = from + strcspn(from, ","), *first = from, *last = end;
        while (first < last && is_kog_blank(*first))
            first++;
        while (last > first && is_kog_blank(last[-1]))
            last--;
        if (!is_allowed(kog_of(lint, rule), first, (size_t)(last - first)))
            note_value(lint, rule, at, first, (size_t)(last - first));
        from = end;
        if (!*end)
            return;
    }
}

static void ask_text(tmi_lint *lint, uint32_t rule, tm_address at, const char *text)
{
    const tmi_lint_kog *kog = kog_of(lint, rule);
    bool fits;
    if (!kog->regex) {
        ask_values(lint, rule, at, text);
        return;
    }
    const tm_status status = tmi_regex_ask(&fits, kog->regex, text, lint->allocator, lint->error);
    if (status)
        tmi_lint_fail(lint, status);
    else if (!fits)
        tmi_lint_note_add(lint, rule, at, "%s '%.64s' does not fit '%.100s'", kog->field, text,
                          kog->expression);
}

bool tmi_lint_kog_text(const char **out, const tm_map *map, const char *field)
{
    static const struct {
        const char *name;
        size_t at;
    } texts[] = {{"author", offsetof(tm_info, author)},
                 {"version", offsetof(tm_info, version)},
                 {"credits", offsetof(tm_info, credits)},
                 {"license", offsetof(tm_info, license)}};
    for (size_t i = 0; i < TMI_COUNT_OF(texts); i++) {
        if (strcmp(texts[i].name, field) != 0)
            continue;
        if (map)
            memcpy(out, (const char *)&map->info + texts[i].at, sizeof(*out));
        *out = map && *out ? *out : "";
        return true;
    }
    return false;
}

void tmi_lint_kog_info(tmi_lint *lint, uint32_t rule)
{
    const char *text;
    if (tmi_lint_kog_text(&text, lint->map, kog_of(lint, rule)->field))
        ask_text(lint, rule, (tm_address){TM_ADDRESS_INFO, 0, 0}, text);
}

/* The value of the setting, as long as a line gives one; of several lines each. */
void tmi_lint_kog_setting(tmi_lint *lint, uint32_t rule)
{
    const char *field = kog_of(lint, rule)->field;
    const size_t size = strlen(field);
    for (uint32_t i = 0; i < lint->map->info.num_settings && !lint->status; i++) {
        const char *at = lint->map->info.settings[i] ? lint->map->info.settings[i] : "";
        while (is_kog_blank(*at))
            at++;
        if (strncmp(at, field, size) != 0 || (at[size] && !is_kog_blank(at[size])))
            continue;
        for (at += size; is_kog_blank(*at);)
            at++;
        ask_text(lint, rule, (tm_address){TM_ADDRESS_SETTINGS, 0, 0}, at);
    }
}

/* --------------------------------------------------------------------------------------- images, sounds */

enum { HASH_TEXT = 2 * TMI_SHA512_SIZE + 1 };

static tm_status put_hash(char text[HASH_TEXT], const void *bytes, size_t size, tm_error *error)
{
    uint8_t digest[TMI_SHA512_SIZE];
    if (!tmi_sha512(digest, bytes, size))
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "this library was built without SHA-512");
    for (size_t i = 0; i < TMI_SHA512_SIZE; i++)
        tmi_format(text + 2 * i, 3, "%02x", (unsigned)digest[i]);
    return TM_OK;
}

static bool is_listed(const tmi_lint_names *list, const char *name, const char *hash)
{
    const size_t size = strlen(name);
    for (size_t i = 0; i < list->num; i++) {
        const char *entry = list->names[i];
        if (strncmp(entry, name, size) == 0 &&
            (hash ? entry[size] == '-' && strcmp(entry + size + 1, hash) == 0 : !entry[size]))
            return true;
    }
    return false;
}

/* The hash of the pixels as RGBA. TM_ERROR_DAMAGED when they are not whole. */
static tm_status hash_image(char text[HASH_TEXT], const tmi_lint *lint, const tm_image *image,
                            tm_error *error)
{
    const uint64_t size = tm_image_rgba_size(image);
    if (!size)
        return tmi_fail(error, TM_ERROR_DAMAGED, -1, "it has too few pixels");
    void *rgba = tmi_alloc(lint->allocator, (size_t)size, 1);
    if (!rgba)
        return tmi_fail_memory(error, size, "pixels");
    tm_status status = tm_map_image_pixels(lint->map, image, rgba, size, error);
    if (!status)
        status = put_hash(text, rgba, (size_t)size, error);
    tmi_free(lint->allocator, rgba, (size_t)size, 1);
    return status;
}

/* What cannot be unpacked is counted; other failures end everything. True: go on with it. */
static bool could_read(tmi_lint *lint, tm_status status, const tm_error *error)
{
    if (status == TM_ERROR_DAMAGED)
        lint->unread++;
    if (status && status != TM_ERROR_DAMAGED) {
        if (lint->error)
            *lint->error = *error;
        tmi_lint_fail(lint, status);
    }
    return !status;
}

static void ask_embedded(tmi_lint *lint, uint32_t rule, tm_address at, const tm_image *image)
{
    const tmi_lint_names *list = &kog_of(lint, rule)->config->images[TM_LINT_EMBEDDED];
    char hash[HASH_TEXT];
    tm_error error = {.offset = -1};
    if (!image->pixels || !image->pixels->size) {
        tmi_lint_note_add(lint, rule, at, "it is embedded, but has no pixels");
        return;
    }
    if (!list->given)
        return;
    const tm_status status = hash_image(hash, lint, image, &error);
    if (status == TM_ERROR_DAMAGED)
        tmi_lint_note_add(lint, rule, at, "its pixels are not whole: it is no image that is allowed");
    else if (could_read(lint, status, &error) && !is_listed(list, image->name ? image->name : "", hash))
        tmi_lint_note_add(lint, rule, at,
                          "it is none of the embedded images that are allowed; SHA-512 of its pixels: %s",
                          hash);
}

static void ask_external(tmi_lint *lint, uint32_t rule, tm_address at, const tm_image *image)
{
    const tmi_lint_names *list = &kog_of(lint, rule)->config->images[TM_LINT_EXTERNAL];
    const char *name = image->name ? image->name : "";
    const tm_shipped_image *shipped = tm_rules_shipped_image(name);
    if (list->given ? !is_listed(list, name, NULL) : !shipped || !shipped->games[TM_GAME_DDNET])
        tmi_lint_note_add(lint, rule, at, "it is none of the external images that are allowed");
}

void tmi_lint_kog_images(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t i = 0; i < lint->map->num_images && !lint->status; i++) {
        const tm_image *image = &lint->map->images[i];
        const tm_address at = {TM_ADDRESS_IMAGE, i, 0};
        if (image->width % 16 || image->height % 16)
            tmi_lint_note_add(lint, rule, at, "it is %d x %d pixels; both must be multiples of 16",
                              (int)image->width, (int)image->height);
        if (image->external)
            ask_external(lint, rule, at, image);
        else
            ask_embedded(lint, rule, at, image);
    }
}

/* A list for people who compare: of each embedded sound the hash. */
void tmi_lint_kog_sounds(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t i = 0; i < lint->map->num_sounds && !lint->status; i++) {
        const tm_sound *sound = &lint->map->sounds[i];
        char hash[HASH_TEXT];
        tmi_borrowed loan;
        tm_error error = {.offset = -1};
        if (sound->external || !sound->data)
            continue;
        tm_status status = tmi_borrowed_open(&loan, lint->map, sound->data, &error);
        if (!status)
            status = put_hash(hash, loan.bytes ? loan.bytes : "", (size_t)loan.size, &error);
        tmi_borrowed_close(&loan);
        if (could_read(lint, status, &error))
            tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_SOUND, i, 0}, "SHA-512 of the sound: %s",
                              hash);
    }
}

/* SPDX-License-Identifier: Zlib */
/*
 * Custom rules that list allowed texts: authors, settings, names of images. A table lists the kinds of texts;
 * docs/lint.md explains them.
 */
#include "lint_config.h"

#include "../codec/codec.h"

#define BLANKS " \t"

/* A rule that is asked of one text after the other. */
typedef struct texts_rule {
    tmi_lint *lint;
    uint32_t rule;
    const tmi_lint_own *own;
} texts_rule;

/* An empty text is allowed by "" only. */
static bool is_allowed(const tmi_lint_own *own, const char *text)
{
    for (uint32_t i = 0; i < own->num_allowed; i++)
        if (text[0] ? tmi_text_fits(own->allowed[i], text) : !own->allowed[i][0])
            return true;
    return false;
}

static void note_text(const texts_rule *of, tm_address at, const char *text)
{
    const char *title = of->own->titled ? of->own->row.about.title : of->own->text;
    tmi_lint_note_add(of->lint, of->rule, at, text[0] ? "%s: '%.140s' is not allowed" : "%s: it is empty%s",
                      title, text);
}

/* A text is allowed as it is, or each part of it between commas, without the blanks around it. */
static void ask_text(const texts_rule *of, tm_address at, const char *text)
{
    char part[512];
    if (is_allowed(of->own, text))
        return;
    for (const char *end;; text = end + 1) {
        end = text + strcspn(text, ",");
        const char *first = text + strspn(text, BLANKS), *last = end;
        while (last > first && strchr(BLANKS, last[-1]))
            last--;
        tmi_format(part, sizeof(part), "%.*s", (int)(last - first < 1024 ? last - first : 1024), first);
        if (last - first >= (ptrdiff_t)sizeof(part) || !is_allowed(of->own, part))
            note_text(of, at, part);
        if (!*end)
            return;
    }
}

/* ------------------------------------------------------------------------------------------------- texts */

/* "NAME-SHA512" of the pixels as RGBA; what cannot be unpacked is counted, and its hash is "damaged". */
static tm_status name_embedded(char *out, size_t size, tmi_lint *lint, const tm_image *image)
{
    uint8_t digest[TMI_SHA512_SIZE];
    const uint64_t bytes = tm_image_rgba_size(image);
    size_t at = tmi_format(out, size, "%s-", image->name ? image->name : "");
    void *rgba;
    TM_TRY(tmi_reserve(&rgba, lint->allocator, (size_t)bytes, 1, "pixels", lint->error));
    tm_error error = {.offset = -1};
    const tm_status status = tm_map_image_pixels(lint->map, image, rgba, bytes, &error);
    const bool hashed = !status && tmi_sha512(digest, rgba, (size_t)bytes);
    tmi_free(lint->allocator, rgba, (size_t)bytes, 1);
    if (status == TM_ERROR_DAMAGED || !bytes) {
        lint->unread += status == TM_ERROR_DAMAGED;
        tmi_format(out + at, size - at, "damaged");
        return TM_OK;
    }
    if (status)
        return tmi_fail(lint->error, status, -1, "%s", error.text);
    if (!hashed)
        return tmi_fail(lint->error, TM_ERROR_UNSUPPORTED, -1, "this library was built without SHA-512");
    for (size_t i = 0; i < TMI_SHA512_SIZE; i++)
        at += tmi_format(out + at, size - at, "%02x", (unsigned)digest[i]);
    return TM_OK;
}

static void ask_images(const texts_rule *of, bool external)
{
    const tm_map *map = of->lint->map;
    char name[512];
    for (uint32_t i = 0; i < map->num_images && !of->lint->status; i++) {
        const tm_image *image = &map->images[i];
        tm_status status = TM_OK;
        if (image->external != external)
            continue;
        if (external)
            tmi_format(name, sizeof(name), "%s", image->name ? image->name : "");
        else
            status = name_embedded(name, sizeof(name), of->lint, image);
        if (status)
            tmi_lint_fail(of->lint, status);
        else if (!is_allowed(of->own, name))
            note_text(of, (tm_address){TM_ADDRESS_IMAGE, i, 0}, name);
    }
}

enum { OF_INFO, OF_SETTING, OF_EXTERNAL, OF_EMBEDDED };
static const struct {
    const char *name;
    int of;
    size_t offset; /* in tm_info */
} texts[] = {{"info.author", OF_INFO, offsetof(tm_info, author)},
             {"info.version", OF_INFO, offsetof(tm_info, version)},
             {"info.credits", OF_INFO, offsetof(tm_info, credits)},
             {"info.license", OF_INFO, offsetof(tm_info, license)},
             {"images.external", OF_EXTERNAL, 0},
             {"images.embedded", OF_EMBEDDED, 0},
             {"settings/", OF_SETTING, 0}};

static size_t find_text(const char *name)
{
    size_t i = 0;
    for (; i < TMI_COUNT_OF(texts); i++) {
        const size_t size = strlen(texts[i].name);
        if (texts[i].of == OF_SETTING ? strncmp(texts[i].name, name, size) == 0 && name[size]
                                      : strcmp(texts[i].name, name) == 0)
            break;
    }
    return i;
}

bool tmi_lint_is_text(const char *name)
{
    return find_text(name) < TMI_COUNT_OF(texts);
}

void tmi_lint_judge_texts(tmi_lint *lint, uint32_t rule)
{
    const texts_rule of = {lint, rule, tmi_lint_own_of(&lint->rules[rule].row->about)};
    const size_t i = find_text(of.own->text);
    const tm_info *info = &lint->map->info;
    switch (texts[i].of) {
    case OF_INFO: {
        const char *text;
        memcpy(&text, (const char *)info + texts[i].offset, sizeof(text));
        ask_text(&of, (tm_address){TM_ADDRESS_INFO, 0, 0}, text ? text : "");
        break;
    }
    case OF_SETTING: {
        const char *name = of.own->text + strlen(texts[i].name);
        const size_t size = strlen(name);
        for (uint32_t k = 0; k < info->num_settings; k++) {
            const char *at = info->settings[k] ? info->settings[k] : "";
            at += strspn(at, BLANKS);
            if (strncmp(at, name, size) == 0 && (!at[size] || strchr(BLANKS, at[size])))
                ask_text(&of, (tm_address){TM_ADDRESS_SETTINGS, 0, 0}, at + size + strspn(at + size, BLANKS));
        }
        break;
    }
    default: ask_images(&of, texts[i].of == OF_EXTERNAL); break;
    }
}

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
    const tmi_lint_custom *custom;
} texts_rule;

/* An empty text is allowed by "" only. */
static bool is_allowed(const tmi_lint_custom *custom, const char *text)
{
    for (uint32_t i = 0; i < custom->num_allowed; i++)
        if (text[0] ? tmi_text_fits(custom->allowed[i], text) : !custom->allowed[i][0])
            return true;
    return false;
}

static void note_text(const texts_rule *asked, tm_address address, const char *text)
{
    const char *title = asked->custom->titled ? asked->custom->row.rule.title : asked->custom->text;
    tmi_lint_note_add(asked->lint, asked->rule, address,
                      text[0] ? "%s: '%.140s' is not allowed" : "%s: it is empty%s", title, text);
}

/* A text is allowed as it is, or each part of it between commas, without the blanks around it. */
static void check_text(const texts_rule *asked, tm_address address, const char *text)
{
    char part[512];
    if (is_allowed(asked->custom, text))
        return;
    for (const char *end;; text = end + 1) {
        end = text + strcspn(text, ",");
        const char *first = text + strspn(text, BLANKS), *last = end;
        while (last > first && strchr(BLANKS, last[-1]))
            last--;
        tmi_format(part, sizeof(part), "%.*s", (int)(last - first < 1024 ? last - first : 1024), first);
        if (last - first >= (ptrdiff_t)sizeof(part) || !is_allowed(asked->custom, part))
            note_text(asked, address, part);
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
    if (!status)
        tmi_sha512(digest, rgba, (size_t)bytes);
    tmi_free(lint->allocator, rgba, (size_t)bytes, 1);
    if (status == TM_ERROR_DAMAGED || !bytes) {
        lint->unread += status == TM_ERROR_DAMAGED;
        tmi_format(out + at, size - at, "damaged");
        return TM_OK;
    }
    if (status)
        return tmi_fail(lint->error, status, -1, "%s", error.text);
    for (size_t i = 0; i < TMI_SHA512_SIZE; i++)
        at += tmi_format(out + at, size - at, "%02x", (unsigned)digest[i]);
    return TM_OK;
}

static void check_images(const texts_rule *asked, bool external)
{
    const tm_map *map = asked->lint->map;
    char name[512];
    for (uint32_t i = 0; i < map->num_images && !asked->lint->status; i++) {
        const tm_image *image = &map->images[i];
        tm_status status = TM_OK;
        if (image->external != external)
            continue;
        if (external)
            tmi_format(name, sizeof(name), "%s", image->name ? image->name : "");
        else
            status = name_embedded(name, sizeof(name), asked->lint, image);
        if (status)
            tmi_lint_fail(asked->lint, status);
        else if (!is_allowed(asked->custom, name))
            note_text(asked, (tm_address){TM_KIND_IMAGE, i, 0}, name);
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
    const texts_rule asked = {lint, rule, tmi_lint_custom_of(&lint->rules[rule].row->rule)};
    const size_t i = find_text(asked.custom->text);
    const tm_info *info = &lint->map->info;
    switch (texts[i].of) {
    case OF_INFO: {
        const char *text;
        memcpy(&text, (const char *)info + texts[i].offset, sizeof(text));
        check_text(&asked, (tm_address){TM_KIND_INFO, 0, 0}, text ? text : "");
        break;
    }
    case OF_SETTING: {
        const char *name = asked.custom->text + strlen(texts[i].name);
        const size_t size = strlen(name);
        for (uint32_t k = 0; k < info->num_settings; k++) {
            const char *setting = info->settings[k] ? info->settings[k] : "";
            setting += strspn(setting, BLANKS);
            if (strncmp(setting, name, size) == 0 && (!setting[size] || strchr(BLANKS, setting[size])))
                check_text(&asked, (tm_address){TM_KIND_SETTINGS, 0, 0},
                           setting + size + strspn(setting + size, BLANKS));
        }
        break;
    }
    default: check_images(&asked, texts[i].of == OF_EXTERNAL); break;
    }
}

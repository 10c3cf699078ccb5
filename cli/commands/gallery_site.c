/* SPDX-License-Identifier: Zlib */
/*
 * gallery_site.c - the folder of a gallery: whether it may be written to, the files that all maps share, and
 * the removal of those that belong to no map any more. Nothing is written outside of it, wherever links in it
 * lead.
 */
#include "gallery.h"

#include "output/form.h"
#include "output/json.h"

static char *site_path(const gallery *of, const char *name)
{
    return files_join(of->options->picture.folder, name);
}

tm_status gallery_may_write(const char *path, tm_error *error)
{
    tm_error own;
    const tm_sys_kind kind = tm_sys_kind_of_entry(path);
    error = error ? error : &own;
    if (kind == TM_SYS_MISSING || kind == TM_SYS_FILE)
        return TM_OK;
    return fail_about(error, TM_ERROR_IO, TM_SIDE_OUTPUT, path,
                      "is a link or a folder, so it is not written");
}

static bool enter_folder(void *ctx, const char *path, tm_sys_kind kind)
{
    tm_error *error = ctx;
    (void)kind; /* of what a link leads to */
    return !(tm_sys_kind_of_entry(path) == TM_SYS_FOLDER ? gallery_holds_links(path, error)
                                                         : gallery_may_write(path, error));
}

tm_status gallery_holds_links(const char *folder, tm_error *error)
{
    const tm_sys_kind kind = tm_sys_kind_of_entry(folder);
    tm_error found = {0};
    if (kind != TM_SYS_FOLDER)
        return kind == TM_SYS_MISSING ? TM_OK : gallery_may_write(folder, error);
    tm_status status = tm_sys_list(folder, enter_folder, &found, NULL, error);
    if (status)
        error->side = TM_SIDE_OUTPUT;
    else if (found.code)
        *error = found;
    return status ? status : found.code;
}

tm_status gallery_save(const char *path, text *whole, tm_error *error)
{
    const tm_status status = gallery_may_write(path, error);
    return status ? status : save_bytes(path, whole->bytes, whole->size, error);
}

/* ------------------------------------------------------------------------------------------------ opening */

/* Visits the site's folder. *empty: all it holds is what a gallery writes, perhaps one that runs now. */
static bool note_entry(void *ctx, const char *path, tm_sys_kind kind)
{
    static const char *const ours[] = {"maps",       "tiles",       "gallery.css",
                                       "gallery.js", "map_page.js", "maps.js"};
    bool *empty = ctx;
    const char *name = path_base(path);
    (void)kind;
    *empty = strncmp(name, ".teemap-", strlen(".teemap-")) == 0;
    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
        *empty |= strcmp(name, ours[i]) == 0;
    return *empty;
}

static bool leads_out(const gallery *of, const char *name)
{
    char *path = site_path(of, name);
    const tm_sys_kind kind = tm_sys_kind_of_entry(path);
    free(path);
    return kind != TM_SYS_MISSING && kind != TM_SYS_FOLDER;
}

/* What speaks against the folder; NULL: nothing. */
static const char *site_fault(const gallery *of)
{
    const char *site = of->options->picture.folder;
    const tm_sys_kind kind = tm_sys_kind_of(site);
    bool empty = true;
    if (kind == TM_SYS_MISSING)
        return NULL;
    if (kind != TM_SYS_FOLDER)
        return "is not a folder";
    char *index = site_path(of, "index.html");
    const bool apart = leads_out(of, "maps") || leads_out(of, "tiles");
    const bool ours = of->options->force || files_is_page_of(index, "teemap gallery");
    free(index);
    if (apart)
        return "'maps' or 'tiles' in it is not a folder; nothing is written outside the gallery";
    if (!ours)
        (void)tm_sys_list(site, note_entry, &empty, NULL, NULL);
    return ours || empty ? NULL : "holds other files and no gallery; use -f to write into it";
}

bool gallery_open_site(gallery *of)
{
    const char *fault = site_fault(of);
    if (fault) {
        tool_trouble(of->tool, of->options->picture.folder, fault);
        return false;
    }
    char *below = site_path(of, "maps/");
    const bool fine = files_make_way(of->tool, below);
    free(below);
    return fine;
}

/* ------------------------------------------------------------------------------------------ files for all */

static bool write_one(gallery *of, const char *name, text *whole)
{
    tm_error error = {0};
    char *path = site_path(of, name);
    const bool fine = !gallery_save(path, whole, &error);
    if (!fine)
        tool_error(of->tool, path, &error);
    free(path);
    text_release(whole);
    return fine;
}

bool gallery_write_index(gallery *of)
{
    text page = {0}, style = {0}, script = {0}, of_map = {0};
    json_t *values = json_make();
    json_add_text(values, "title", of->options->title);
    html_page(&page, gallery_index, values);
    text_string(&style, (const char *)page_style);
    text_string(&style, (const char *)gallery_style);
    text_string(&script, (const char *)gallery_script);
    text_string(&of_map, (const char *)gallery_map_script);
    bool fine = write_one(of, "index.html", &page);
    fine = write_one(of, "gallery.css", &style) && fine;
    fine = write_one(of, "map_page.js", &of_map) && fine;
    return write_one(of, "gallery.js", &script) && fine;
}

bool gallery_write_list(gallery *of)
{
    text list = {0};
    gallery_put_list(&list, of);
    return write_one(of, "maps.js", &list);
}

/* ----------------------------------------------------------------------------------------------- sweeping */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

typedef struct names {
    char **list; /* sorted */
    size_t num;
} names;

static names make_names(size_t most)
{
    return (names){must_alloc(most + 1, sizeof(char *)), 0};
}

static void release_names(names *of)
{
    for (size_t i = 0; i < of->num; i++)
        free(of->list[i]);
    free(of->list);
}

static void sort_names(names *of)
{
    qsort(of->list, of->num, sizeof(*of->list), by_name);
}

static bool is_among(const names *of, const char *name)
{
    return bsearch(&name, of->list, of->num, sizeof(*of->list), by_name);
}

typedef struct sweep {
    names wanted; /* names of files */
    names ids;    /* of maps that were reached */
    bool absent;  /* files of other maps go, too */
} sweep;

/* The id in the name of a map's page, NAME-0123456789abcdef.html; NULL: the name has another form. */
static char *copy_id(const char *name)
{
    enum { DIGITS = 16 };
    const size_t length = strlen(name);
    char ending[32] = ".html";
    for (int i = -1; i < 2 * GALLERY_FILES; i++) {
        if (i >= 0)
            gallery_ending(ending, (gallery_file)(i / 2), i % 2 ? "webp" : "png");
        const size_t size = strlen(ending);
        const char *digits = length > size + DIGITS ? name + length - size - DIGITS : NULL;
        if (!digits || strcmp(digits + DIGITS, ending) != 0 || digits[-1] != '-' ||
            strspn(digits, "0123456789abcdef") != DIGITS)
            continue;
        char *id = must_copy(name);
        id[length - size] = '\0';
        return id;
    }
    return NULL;
}

/* Whether file `name` belongs to no map any more, and this run may remove it. */
static bool is_dispensable(const sweep *of, const char *name)
{
    char *id = copy_id(name);
    const bool is_ours = id && (of->absent || is_among(&of->ids, id)) && !is_among(&of->wanted, name);
    free(id);
    return is_ours;
}

static bool sweep_entry(void *ctx, const char *path, tm_sys_kind kind)
{
    if (kind == TM_SYS_FILE && is_dispensable(ctx, path_base(path)))
        (void)tm_sys_remove_file(path, NULL);
    return true;
}

static void list_folder(const gallery *of, const char *name,
                        bool (*entry)(void *ctx, const char *path, tm_sys_kind kind), void *ctx)
{
    char *folder = site_path(of, name);
    if (tm_sys_kind_of_entry(folder) == TM_SYS_FOLDER)
        (void)tm_sys_list(folder, entry, ctx, NULL, NULL);
    free(folder);
}

/* Removes a page of tiles: index.html, and tiles/PART/LEVEL/X_Y.png below it. Does not follow links. */
static bool remove_tiles(void *ctx, const char *path, tm_sys_kind kind)
{
    const char *name = path_base(path), *ending = strrchr(name, '.');
    (void)kind; /* of what a link leads to */
    if (tm_sys_kind_of_entry(path) == TM_SYS_FOLDER) {
        (void)tm_sys_list(path, remove_tiles, ctx, NULL, NULL);
        (void)remove(path); /* if it is empty now */
    } else if (ending && (strcmp(name, "index.html") == 0 || strcmp(ending, ".png") == 0 ||
                          strcmp(ending, ".webp") == 0)) {
        (void)tm_sys_remove_file(path, NULL);
    }
    return true;
}

static bool sweep_tiles_entry(void *ctx, const char *path, tm_sys_kind kind)
{
    char *page = must_print("%s%s", path_base(path), ".html");
    if (kind == TM_SYS_FOLDER && is_dispensable(ctx, page))
        (void)remove_tiles(NULL, path, kind);
    free(page);
    return true;
}

static names reached_ids(const gallery *of)
{
    names ids = make_names(of->files.num);
    for (size_t i = 0; i < of->files.num; i++)
        if (of->maps[i].state == GALLERY_MADE || of->maps[i].state == GALLERY_KEPT)
            ids.list[ids.num++] = must_copy(of->maps[i].id);
    sort_names(&ids);
    return ids;
}

void gallery_sweep(gallery *of, bool absent)
{
    sweep s = {make_names((GALLERY_FILES + 1) * of->files.num), reached_ids(of), absent};
    names *wanted = &s.wanted;
    for (size_t i = 0; i < of->files.num; i++) {
        const json_t *row = of->maps[i].row;
        const char *format = json_text_of(tm_json_get(row, "picture"));
        char ending[32];
        wanted->list[wanted->num++] = must_print("%s%s", of->maps[i].id, ".html");
        for (int f = 0; f < GALLERY_FILES; f++)
            if (gallery_row_has(row, (gallery_file)f))
                wanted->list[wanted->num++] = must_print(
                    "%s%s", of->maps[i].id, gallery_ending(ending, (gallery_file)f, format ? format : ""));
    }
    sort_names(wanted);
    list_folder(of, "maps", sweep_entry, &s);
    release_names(wanted);
    *wanted = make_names(of->files.num);
    for (size_t i = 0; i < of->files.num; i++)
        if (json_is_true(tm_json_get(of->maps[i].row, "tiles")))
            wanted->list[wanted->num++] = must_print("%s%s", of->maps[i].id, ".html");
    sort_names(wanted);
    list_folder(of, "tiles", sweep_tiles_entry, &s);
    release_names(wanted);
    release_names(&s.ids);
}

/* ------------------------------------------------------------------------------------------------- absent */

typedef struct absence {
    gallery *of;
    names ids; /* of all maps of this run */
} absence;

static bool note_absent(void *ctx, const char *path, tm_sys_kind kind)
{
    absence *a = ctx;
    gallery_map map = {.id = copy_id(path_base(path))};
    if (kind == TM_SYS_FILE && map.id && files_has_ending(path, ".html") && !is_among(&a->ids, map.id)) {
        json_t *row = gallery_remembered(a->of, &map);
        if (row)
            json_append(a->of->absent, row);
    }
    free(map.id);
    return true;
}

void gallery_find_absent(gallery *of)
{
    absence a = {of, make_names(of->files.num)};
    for (size_t i = 0; i < of->files.num; i++)
        a.ids.list[a.ids.num++] = must_copy(of->maps[i].id);
    sort_names(&a.ids);
    of->absent = json_array();
    list_folder(of, "maps", note_absent, &a);
    release_names(&a.ids);
}

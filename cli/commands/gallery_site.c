/* SPDX-License-Identifier: Zlib */
/*
 * gallery_site.c - the folder of a gallery: whether it may be written to, the files that all maps share, and
 * the removal of those that belong to no map any more. Nothing is written outside of it, wherever links in it
 * lead.
 */
#include "gallery.h"

static char *site_path(const cli_gallery *gallery, const char *name)
{
    return files_join(gallery->options->picture.folder, name);
}

tm_status gallery_may_write(const char *path, tm_error *error)
{
    tm_error ignored;
    const tm_sys_kind kind = tm_sys_kind_of_entry(path);
    error = error ? error : &ignored;
    if (kind == TM_SYS_MISSING || kind == TM_SYS_FILE)
        return TM_OK;
    return fail_about(error, TM_ERROR_IO, TM_SIDE_OUTPUT, path,
                      "is a link or a folder, so it is not written");
}

/* A visitor of a folder's entries: goes on while none is or holds a link; `ctx` is the error. */
static bool enter_folder(void *ctx, const char *path, tm_sys_kind kind)
{
    tm_error *error = ctx;
    (void)kind; /* of what a link leads to */
    return !(tm_sys_kind_of_entry(path) == TM_SYS_FOLDER ? gallery_refuse_links(path, error)
                                                         : gallery_may_write(path, error));
}

tm_status gallery_refuse_links(const char *folder, tm_error *error)
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

static bool leads_out(const cli_gallery *gallery, const char *name)
{
    char *path = site_path(gallery, name);
    const tm_sys_kind kind = tm_sys_kind_of_entry(path);
    free(path);
    return kind != TM_SYS_MISSING && kind != TM_SYS_FOLDER;
}

/* What speaks against the folder; NULL: nothing. */
static const char *site_fault(const cli_gallery *gallery)
{
    const char *site = gallery->options->picture.folder;
    const tm_sys_kind kind = tm_sys_kind_of(site);
    bool empty = true;
    if (kind == TM_SYS_MISSING)
        return NULL;
    if (kind != TM_SYS_FOLDER)
        return "is not a folder";
    char *index = site_path(gallery, "index.html");
    const bool apart = leads_out(gallery, "maps") || leads_out(gallery, "tiles");
    const bool ours = gallery->options->force || files_is_page_of(index, "teemap gallery");
    free(index);
    if (apart)
        return "'maps' or 'tiles' in it is not a folder; nothing is written outside the gallery";
    if (!ours)
        (void)tm_sys_list(site, note_entry, &empty, NULL, NULL);
    return ours || empty ? NULL : "holds other files and no gallery; use -f to write into it";
}

bool gallery_open_site(cli_gallery *gallery)
{
    const char *fault = site_fault(gallery);
    if (fault) {
        tool_trouble(gallery->tool, gallery->options->picture.folder, fault);
        return false;
    }
    char *below = site_path(gallery, "maps/");
    const bool fine = files_make_way(gallery->tool, below);
    free(below);
    return fine;
}

/* ------------------------------------------------------------------------------------------ files for all */

static bool write_one(cli_gallery *gallery, const char *name, text *whole)
{
    tm_error error = {0};
    char *path = site_path(gallery, name);
    const bool fine = !gallery_save(path, whole, &error);
    if (!fine)
        tool_error(gallery->tool, path, &error);
    free(path);
    text_release(whole);
    return fine;
}

bool gallery_write_index(cli_gallery *gallery)
{
    text page = {0}, style = {0}, script = {0}, of_map = {0};
    json_t *values = json_make();
    json_add_text(values, "title", gallery->options->title);
    html_page(&page, gallery_index, values);
    text_string(&style, (const char *)page_style);
    text_string(&style, (const char *)gallery_style);
    text_string(&script, (const char *)gallery_script);
    text_string(&of_map, (const char *)gallery_map_script);
    bool fine = write_one(gallery, "index.html", &page);
    fine = write_one(gallery, "gallery.css", &style) && fine;
    fine = write_one(gallery, "map_page.js", &of_map) && fine;
    return write_one(gallery, "gallery.js", &script) && fine;
}

bool gallery_write_list(cli_gallery *gallery)
{
    text list = {0};
    gallery_put_list(&list, gallery);
    return write_one(gallery, "maps.js", &list);
}

/* ----------------------------------------------------------------------------------------------- sweeping */

/* The maps of this run by their ids: which files of a gallery belong to one of them, and which to none. */
typedef struct sweep {
    cli_gallery *gallery;
    const gallery_map **maps; /* in the order of their ids */
    bool removes_absent;      /* files of other maps go, too */
} sweep;

static int by_id(const void *a, const void *b)
{
    const gallery_map *const *left = a, *const *right = b;
    return strcmp((*left)->id, (*right)->id);
}

/* Sorts the maps of this run by id. */
static sweep make_sweep(cli_gallery *gallery)
{
    sweep s = {gallery, must_alloc(gallery->files.num + 1, sizeof(*s.maps)), .removes_absent = false};
    for (size_t i = 0; i < gallery->files.num; i++)
        s.maps[i] = &gallery->maps[i];
    qsort(s.maps, gallery->files.num, sizeof(*s.maps), by_id);
    return s;
}

/* NULL: no map of this run has the id. */
static const gallery_map *find_map(const sweep *s, char *id)
{
    const gallery_map wanted = {.id = id}, *key = &wanted;
    const gallery_map **found = bsearch(&key, s->maps, s->gallery->files.num, sizeof(*s->maps), by_id);
    return found ? *found : NULL;
}

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

/* Whether a file of a map, or with an empty ending its folder of tiles, is ours to remove. */
static bool is_dispensable(const sweep *s, char *id, const char *ending)
{
    char own[32];
    const gallery_map *map = find_map(s, id);
    if (!map)
        return s->removes_absent;
    const char *format = json_text_of(tm_json_get(map->row, "picture"));
    bool wanted = *ending ? strcmp(ending, ".html") == 0 : json_is_true(tm_json_get(map->row, "tiles"));
    for (int f = 0; f < GALLERY_FILES; f++)
        wanted = wanted || (gallery_row_has(map->row, (gallery_file)f) &&
                            strcmp(gallery_ending(own, (gallery_file)f, format ? format : ""), ending) == 0);
    return !wanted && (map->state == GALLERY_MADE || map->state == GALLERY_KEPT);
}

static bool sweep_entry(void *ctx, const char *path, tm_sys_kind kind)
{
    const char *name = path_base(path);
    char *id = copy_id(name);
    if (kind == TM_SYS_FILE && id && is_dispensable(ctx, id, name + strlen(id)))
        (void)tm_sys_remove_file(path, NULL);
    free(id);
    return true;
}

static void list_folder(const cli_gallery *gallery, const char *name,
                        bool (*entry)(void *ctx, const char *path, tm_sys_kind kind), void *ctx)
{
    char *folder = site_path(gallery, name);
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
    char *page = must_print("%s.html", path_base(path)), *id = copy_id(page);
    if (kind == TM_SYS_FOLDER && id && is_dispensable(ctx, id, ""))
        (void)remove_tiles(NULL, path, kind);
    free(id);
    free(page);
    return true;
}

static void sweep_site(sweep *s)
{
    list_folder(s->gallery, "maps", sweep_entry, s);
    list_folder(s->gallery, "tiles", sweep_tiles_entry, s);
    free(s->maps);
}

void gallery_sweep(cli_gallery *gallery)
{
    sweep s = make_sweep(gallery);
    sweep_site(&s);
}

void gallery_sweep_with_absent(cli_gallery *gallery)
{
    sweep s = make_sweep(gallery);
    s.removes_absent = true;
    sweep_site(&s);
}

/* ------------------------------------------------------------------------------------------------- absent */

static bool note_absent(void *ctx, const char *path, tm_sys_kind kind)
{
    const sweep *s = ctx;
    gallery_map map = {.id = copy_id(path_base(path))};
    if (kind == TM_SYS_FILE && map.id && files_has_ending(path, ".html") && !find_map(s, map.id)) {
        json_t *row = gallery_remembered(s->gallery, &map);
        if (row)
            json_append(s->gallery->absent, row);
    }
    free(map.id);
    return true;
}

void gallery_find_absent(cli_gallery *gallery)
{
    sweep s = make_sweep(gallery);
    gallery->absent = json_array();
    list_folder(gallery, "maps", note_absent, &s);
    free(s.maps);
}

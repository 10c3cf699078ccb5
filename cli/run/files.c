/* SPDX-License-Identifier: Zlib */
/*
 * files.c - expands operands into paths, and reads and writes files. A named file is taken whatever its name
 * is; in folders only *.map files are, or other files that the command is for, or with --all files that begin
 * as a map does. A path in a revision of git is asked of `git cat-file`; nothing of git is read by ourselves.
 */
#include "files.h"

static void add_path(file_list *list, const char *path, size_t relative)
{
    if (list->num == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 16;
        list->paths = must_resize(list->paths, list->capacity, sizeof(*list->paths));
        list->relatives = must_resize(list->relatives, list->capacity, sizeof(*list->relatives));
    }
    list->paths[list->num] = must_copy(path);
    list->relatives[list->num] = list->paths[list->num] + relative;
    list->num++;
}

typedef struct walk {
    file_list *list;
    size_t relative; /* bytes of the folder's name and the slash behind it */
    bool all;        /* files of any name, by how they begin */
} walk;

/* Reads the first `most` bytes of a file; *size: how many there are. */
static tm_status read_head(char *out, size_t *size, size_t most, const char *path)
{
    tm_input input;
    *size = 0;
    tm_status status = tm_sys_open_input(&input, path, 0, NULL, NULL);
    if (status)
        return status;
    *size = input.size < most ? (size_t)input.size : most;
    if (input.memory)
        memcpy(out, input.memory, *size);
    else if (*size)
        status = input.read(input.ctx, 0, out, *size, NULL);
    *size = status ? 0 : *size;
    if (input.close)
        input.close(input.ctx);
    return status;
}

/* Whether a file may be a map: it begins as one, or cannot be read, which the work on it then says. */
static bool may_be_map(const char *path)
{
    char magic[4];
    size_t size;
    if (read_head(magic, &size, sizeof(magic), path))
        return true;
    return size == sizeof(magic) &&
           (memcmp(magic, "DATA", sizeof(magic)) == 0 || memcmp(magic, "ATAD", sizeof(magic)) == 0);
}

bool files_begins_as_map(const char *path)
{
    char magic[4];
    size_t size;
    return !read_head(magic, &size, sizeof(magic), path) && may_be_map(path);
}

static bool on_file(void *ctx, const char *path)
{
    walk *w = ctx;
    const char *rest = path + w->relative;
    if (w->all && !may_be_map(path))
        return true;
    while (*rest == '/')
        rest++;
    add_path(w->list, path, (size_t)(rest - path));
    return true;
}

/* Writes which files a command takes: "maps", or ".rules and .json files". */
static void put_files(text *out, const cli_command *command)
{
    text_string(out, command->endings ? "" : "maps");
    for (size_t i = 0; command->endings && command->endings[i]; i++)
        text_print(out, "%s%s%s", i ? " and " : "", command->endings[i],
                   command->endings[i + 1] ? "" : " files");
}

static tm_status walk_folder(walk *w, const char *folder, const cli_command *command, tm_error *error)
{
    static const char *const maps[] = {".map", NULL};
    const char *const *endings = command->endings ? command->endings : maps;
    tm_status status = TM_OK;
    if (w->all)
        return tm_sys_walk(folder, NULL, on_file, w, NULL, error);
    for (; *endings && !status; endings++)
        status = tm_sys_walk(folder, *endings, on_file, w, NULL, error);
    return status;
}

static void expand_folder(file_list *out, cli_tool *tool, const char *folder)
{
    tm_error error = {0};
    walk w = {out, strlen(folder), tool->common->all};
    size_t before = out->num;
    text err = {0}, reason = {0};
    if (!tool->common->recursive) {
        text_string(&reason, "is a folder");
        if (command_find_option(tool->command, "recursive")) {
            text_string(&reason, "; -r processes the ");
            put_files(&reason, tool->command);
            text_string(&reason, " in it");
        }
    } else if (walk_folder(&w, folder, tool->command, &error)) {
        put_error(&err, NULL, &error); /* it may be about a folder further down, and names it */
    } else if (out->num == before && tool->command->endings) {
        text_string(&reason, "there are no ");
        put_files(&reason, tool->command);
        text_string(&reason, " in this folder");
    } else if (out->num == before) {
        text_string(&reason,
                    w.all ? "no file in this folder begins as a map does"
                          : "there is no *.map file in this folder; --all processes files of any name");
    }
    if (reason.size)
        put_trouble(&err, folder, text_words(&reason));
    if (err.size) {
        raise_status(&tool->status, STATUS_TROUBLE);
        tool_print(tool, &err);
    }
    text_release(&err);
    text_release(&reason);
}

/* Whether a name fits a pattern, in which ? stands for any byte and * for any number of them. */
static bool name_matches(const char *name, const char *pattern)
{
    const char *star = NULL, *resume = NULL;
    while (*name)
        if (*pattern == '*') {
            star = pattern++;
            resume = name;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++resume;
        } else {
            return false;
        }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

typedef struct wildcard {
    file_list *out;
    const char *pattern;
    size_t skipped; /* bytes of the folder in front that nobody typed */
} wildcard;

static bool on_entry(void *ctx, const char *path, tm_sys_kind kind)
{
    const wildcard *w = ctx;
    const char *name = path_base(path);
    if (kind != TM_SYS_FOLDER && name_matches(name, w->pattern))
        add_path(w->out, path + w->skipped, (size_t)(name - path) - w->skipped);
    return true;
}

/* Expands a pattern, as shells of Windows leave that to programs; false: no file fits, or it is a file. */
static bool expand_wildcard(file_list *out, const char *word)
{
    const char *name = path_base(word);
    const size_t length = (size_t)(name - word), before = out->num;
    text folder = {0};
    wildcard w = {out, name, length ? 0 : 2};
    if (!strpbrk(name, "*?") || tm_sys_kind_of(word) != TM_SYS_MISSING)
        return false;
    text_put(&folder, length ? word : ".", length > 1 ? length - 1 : 1);
    text_put(&folder, "", 1);
    (void)tm_sys_list(folder.bytes, on_entry, &w, NULL, NULL);
    text_release(&folder);
    return out->num > before;
}

void files_expand(file_list *out, cli_tool *tool, char *const *operands, size_t num)
{
    *out = (file_list){0};
    for (size_t i = 0; i < num; i++)
        if (strcmp(operands[i], "-") != 0 && tm_sys_kind_of(operands[i]) == TM_SYS_FOLDER)
            expand_folder(out, tool, operands[i]);
        else if (!expand_wildcard(out, operands[i]))
            add_path(out, operands[i], (size_t)(path_base(operands[i]) - operands[i]));
}

void files_release_path(file_list *files, size_t index)
{
    char *path;
    memcpy(&path, &files->paths[index], sizeof(path)); /* ours, although read-only to everybody else */
    free(path);
}

void files_release(file_list *files)
{
    for (size_t i = 0; i < files->num; i++)
        files_release_path(files, i);
    free(files->paths);
    free(files->relatives);
    *files = (file_list){0};
}

/* ---------------------------------------------------------------------------------------------------- git */

bool git_object_read(tm_buffer *out, const char *folder, const char *object, tm_error *error)
{
    const char *const exists[] = {
        "git", "-C", folder, "rev-parse", "--quiet", "--verify", "--end-of-options", object, NULL};
    const char *const words[] = {"git", "-C", folder, "cat-file", "blob", object, NULL};
    tm_buffer number = {0};
    int status;
    *error = (tm_error){.offset = -1};
    tm_status ran = tm_sys_run(&status, &number, exists, error);
    const bool there = !ran && status == 0;
    if (there)
        ran = tm_sys_run(&status, out, words, error);
    tm_buffer_release(&number);
    return there && !ran && status == 0;
}

/* Whether `name` exists in the folder whose path ends at `end`; writes it there. */
static bool has_entry(const char *path, char *end, const char *name)
{
    strcpy(end, name);
    return tm_sys_kind_of(path) != TM_SYS_MISSING;
}

bool git_in_repository(void)
{
    enum { PATH_SIZE = 4096 };
    char path[PATH_SIZE + sizeof("/objects")];
    if (getenv("GIT_DIR"))
        return true;
    if (!tm_sys_real_path(path, PATH_SIZE, "."))
        return false;
    for (char *end = path + strlen(path); end; end = strrchr(path, '/')) {
        if (has_entry(path, end, "/.git") ||
            (has_entry(path, end, "/HEAD") && has_entry(path, end, "/objects")))
            return true;
        *end = '\0';
    }
    return false;
}

/* REV:PATH, from the current folder or from the root of the repository. False: there is no such thing. */
static bool open_git_object(tm_input *out, const char *path)
{
    const char *colon = strchr(path, ':');
    tm_buffer bytes = {0};
    tm_error error;
    text object = {0};
    if (!colon || path[0] == '-' || !git_in_repository())
        return false;
    text_put(&object, path, (size_t)(colon - path));
    text_print(&object, ":./%s", colon + 1);
    const bool read = git_object_read(&bytes, ".", text_words(&object), &error) ||
                      git_object_read(&bytes, ".", path, &error);
    text_release(&object);
    if (!read || !bytes.size) {
        tm_buffer_release(&bytes);
        return false;
    }
    *out = tm_input_from_memory(bytes.bytes, bytes.size);
    out->ctx = bytes.bytes;
    out->close = free;
    out->name = path;
    return true;
}

/* ------------------------------------------------------------------------------------------------ reading */

tm_status open_path(tm_input *out, const char *path, tm_error *error)
{
    if (strcmp(path, "-") != 0 && tm_sys_kind_of(path) == TM_SYS_MISSING && open_git_object(out, path))
        return TM_OK;
    if (strcmp(path, "-") != 0)
        return tm_sys_open_input(out, path, 0, NULL, error);
    if (tm_sys_stdin_is_terminal()) { /* waiting for somebody to type a map would only look like hanging */
        *out = (tm_input){0};
        return fail_about(error, TM_ERROR_IO, TM_SIDE_INPUT, "standard input",
                          "is a terminal; a map can come from a pipe or a file");
    }
    return tm_sys_open_stdin(out, 0, NULL, error);
}

tm_status read_path(uint8_t **bytes, size_t *size, const char *path, uint64_t most,
                    const tm_allocator *allocator, tm_error *error)
{
    tm_input input;
    tm_error unheard;
    error = error ? error : &unheard;
    *bytes = NULL;
    *size = 0;
    tm_status status = open_path(&input, path, error);
    if (status)
        return status;
    if (input.size > most)
        status = fail_about(error, TM_ERROR_LIMIT, TM_SIDE_INPUT, path,
                            "the file has more than %" PRIu64 " bytes", most);
    else if (!(*bytes = tm_alloc(allocator, (size_t)input.size + 1)))
        status = fail_about(error, TM_ERROR_MEMORY, TM_SIDE_NONE, path, "out of memory (%" PRIu64 " bytes)",
                            input.size);
    else {
        (*bytes)[input.size] = '\0';
        if (input.memory)
            memcpy(*bytes, input.memory, (size_t)input.size);
        else if (input.size)
            status = input.read(input.ctx, 0, *bytes, (size_t)input.size, error);
        *size = status ? 0 : (size_t)input.size;
    }
    if (input.close)
        input.close(input.ctx);
    return status;
}

/* ------------------------------------------------------------------------------------------------ writing */

static tm_status write_counted(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    output_file *file = ctx;
    if (file->most && size > file->most - file->size)
        return fail(error, TM_ERROR_LIMIT, "the output has more than %" PRIu64 " bytes", file->most);
    tm_status status = file->next.write ? file->next.write(file->next.ctx, bytes, size, error) : TM_OK;
    file->size += size;
    return status;
}

tm_status output_open(output_file *out, const char *path, tm_error *error)
{
    *out = (output_file){.size = 0};
    if (path && strcmp(path, "-") == 0)
        out->next = tm_sys_stdout();
    else if (path) {
        TRY(tm_sys_save_begin(&out->save, path, NULL, error));
        out->next = tm_sys_save_output(out->save);
    }
    out->output = (tm_output){out, write_counted, NULL};
    return TM_OK;
}

tm_status output_close(output_file *file, tm_status status, tm_error *error)
{
    if (!status && file->save)
        return tm_sys_save_commit(file->save, error);
    tm_sys_save_abort(file->save);
    return status;
}

tm_status output_open_below(output_file *out, const char *folder, const char *path, tm_error *error)
{
    *out = (output_file){.size = 0};
    if (folder && path && strncmp(path, folder, strlen(folder)) == 0) {
        const char *name = path + strlen(folder);
        if (tm_sys_kind_of(folder) == TM_SYS_MISSING)
            TRY(files_make_folders(path, error));
        TRY(tm_sys_make_way(folder, name + strspn(name, "/"), NULL, error));
    }
    return output_open(out, path, error);
}

tm_status save_bytes_below(const char *folder, const char *path, const void *bytes, size_t size,
                           tm_error *error)
{
    output_file file;
    tm_status status = output_open_below(&file, folder, path, error);
    if (!status && size)
        status = file.output.write(file.output.ctx, bytes, size, error);
    return output_close(&file, status, error);
}

tm_status save_bytes(const char *path, const void *bytes, size_t size, tm_error *error)
{
    return save_bytes_below(NULL, path, bytes, size, error);
}

tm_status save_page_below(const char *folder, const char *path, const unsigned char *page, json_t *values,
                          tm_error *error)
{
    text whole = {0};
    html_page(&whole, page, values);
    const tm_status status = save_bytes_below(folder, path, whole.bytes, whole.size, error);
    text_release(&whole);
    return status;
}

/* --------------------------------------------------------------------------------------------- file names */

char *files_join(const char *folder, const char *name)
{
    const size_t length = strlen(folder);
    return must_print("%s%s%s", folder, length && folder[length - 1] != '/' ? "/" : "", name);
}

char *files_copy_folder(const char *path)
{
    char *folder = must_copy(path), *slash = strrchr(folder, '/');
    if (slash) {
        slash[slash == folder] = '\0';
        return folder;
    }
    free(folder);
    return must_copy(".");
}

char *files_stem(const char *path)
{
    const size_t length = strlen(path), size = strlen(".map");
    size_t same = 0;
    while (same < size && length > size && (path[length - size + same] | (same ? 0x20 : 0)) == ".map"[same])
        same++;
    return must_print("%.*s", (int)(same == size ? length - size : length), path);
}

typedef struct numbered {
    const char *name;
    size_t index;
} numbered;

static int by_name_then_index(const void *a, const void *b)
{
    const numbered *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order ? order : (left->index > right->index) - (left->index < right->index);
}

uint32_t *files_twins(const char *const *names, size_t num)
{
    numbered *sorted = must_alloc(num, sizeof(*sorted));
    uint32_t *twins = must_alloc(num, sizeof(*twins));
    for (size_t i = 0; i < num; i++)
        sorted[i] = (numbered){names[i], i};
    qsort(sorted, num, sizeof(*sorted), by_name_then_index);
    for (size_t i = 1; i < num; i++)
        if (strcmp(sorted[i - 1].name, sorted[i].name) == 0)
            twins[sorted[i].index] = twins[sorted[i - 1].index] + 1;
    free(sorted);
    return twins;
}

bool files_has_ending(const char *path, const char *ending)
{
    const size_t size = strlen(path), length = strlen(ending);
    return size >= length && strcmp(path + size - length, ending) == 0;
}

tm_status files_make_folders(const char *path, tm_error *error)
{
    char *way = must_copy(path);
    tm_status status = TM_OK;
    for (char *slash = strchr(way + 1, '/'); slash && !status; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (tm_sys_kind_of(way) == TM_SYS_MISSING) {
            status = tm_sys_make_folder(way, error);
            if (status && tm_sys_kind_of(way) == TM_SYS_FOLDER) /* by another thread */
                status = TM_OK;
        }
        *slash = '/';
    }
    free(way);
    return status;
}

bool files_make_way(cli_tool *tool, const char *path)
{
    tm_error error = {0};
    const bool fine = !files_make_folders(path, &error);
    if (!fine)
        tool_error(tool, path, &error);
    return fine;
}

/* ---------------------------------------------------------------------------------------------- own pages */

bool files_is_page_of(const char *path, const char *generator)
{
    char head[2048] = "", mark[64];
    size_t size;
    if (tm_sys_kind_of_entry(path) != TM_SYS_FILE)
        return false;
    (void)read_head(head, &size, sizeof(head) - 1, path);
    snprintf(mark, sizeof(mark), "<meta name=\"generator\" content=\"%s\">", generator);
    return strstr(head, mark);
}

const char *files_page_fault(const char *folder, const char *generator, bool force)
{
    char *index = files_join(folder, "index.html");
    const bool fine =
        force || tm_sys_kind_of_entry(index) == TM_SYS_MISSING || files_is_page_of(index, generator);
    free(index);
    return fine ? NULL : "has an index.html that this command did not write; use -f to replace it";
}

const char *files_map_fault(const char *path, bool force, bool json)
{
    const bool standard = strcmp(path, "-") == 0;
    if (standard && tm_sys_stdout_is_terminal())
        return "a map is not printed to a terminal; give the name of a file, or use a pipe";
    if (standard && json)
        return "standard output cannot take both the map and JSON";
    return standard || force || tm_sys_kind_of(path) == TM_SYS_MISSING ? NULL : "exists; -f replaces it";
}

/* SPDX-License-Identifier: Zlib */
/*
 * cmd_git.c - `teemap git`: sets git up to show and merge maps, and undoes that. Reads and writes git's
 * configuration by `git config`; only the file of attributes is changed directly, line by line.
 */
#include "git_text.h"

typedef struct git_options {
    common_options common;
    bool global;
    uint64_t limit;
} git_options;

static const option_row git_rows[] = {
    {0, "global", NULL, FLAG_AT(git_options, global), .group = GROUP_PART,
     .text = "for all repositories of this user, not only the current one"},
    {0, "limit", "BYTES", COUNT_AT(git_options, limit), .noun = "a number of bytes", .preset = "100M",
     .group = GROUP_RUNNING,
     .text =
         "with 'text': leave out files beyond this size; a map that unpacks to ten times as much has no text"},
    MODE_ROW,
    QUIET_ROW,
    {0},
};

static const char *const git_words[] = {"setup", "off", "text", NULL}, *const git_endings[] = {".map", NULL};
COMMAND(git, git_options, 1, 2, .operands = {OPERAND_NONE, OPERAND_MAP}, .actions = git_words,
        .endings = git_endings);

/* ------------------------------------------------------------------------------------------- this program */

enum { PATH_SIZE = 4096 };

/* Whether the first program of that name in PATH is this one. */
static bool is_in_path(const char *name, const char *self)
{
    const char *folders = getenv("PATH");
    char path[PATH_SIZE];
    while (folders && *folders) {
        const size_t size = strcspn(folders, ":");
        snprintf(path, sizeof(path), "%.*s/%s", (int)size, folders, name);
        if (size && tm_sys_kind_of(path) == TM_SYS_FILE)
            return !self || tm_sys_same_file(path, self);
        folders += size + (folders[size] == ':');
    }
    return false;
}

/*
 * Writes how git calls this program: by its name if PATH leads to it, so that git finds it after an update or
 * as another user; else by its path, as git may run in any folder.
 */
static void put_program(text *out, const char *called)
{
    char path[PATH_SIZE];
    const bool has_path = strchr(called, '/');
    if (!has_path || (tm_sys_real_path(path, sizeof(path), called) && is_in_path("teemap", path)))
        text_string(out, has_path ? "teemap" : called);
    else
        text_shell_word(out, tm_sys_real_path(path, sizeof(path), called) ? path : called);
}

/* ---------------------------------------------------------------------------------------------------- git */

typedef struct git_run {
    cli_tool *tool;
    bool global, failed;
    const char *scope; /* of the configuration that is changed: an option of git */
    text program;
} git_run;

/* Says what went wrong, once. */
static bool fail_git(git_run *run, const char *subject, const char *reason)
{
    if (!run->failed)
        tool_trouble(run->tool, subject, reason);
    run->failed = true;
    raise_status(&run->tool->status, STATUS_TROUBLE);
    return false;
}

/* Runs git and returns the line that it prints; false: its exit status is not 0. */
static bool ask_git(git_run *run, char *out, size_t size, const char *const *words)
{
    tm_buffer buffer = {0};
    tm_error error = {0};
    int status;
    out[0] = '\0';
    const tm_status ran = tm_sys_run(&status, &buffer, words, &error);
    if (ran)
        fail_git(run, "git", error.text);
    const bool fine = !ran && status == 0 && buffer.size < size;
    if (fine && buffer.size) {
        memcpy(out, buffer.bytes, buffer.size);
        out[buffer.size - (out[buffer.size - 1] == '\n')] = '\0';
    }
    tm_buffer_release(&buffer);
    return fine;
}

/* ------------------------------------------------------------------------------------------------- values */

#define MERGE_TOOL " merge --as \"$MERGED\" -o \"$MERGED\" \"$BASE\" \"$LOCAL\" \"$REMOTE\""

/* The values that `setup` sets: the program and `arguments`, or `arguments` alone. */
static const struct {
    const char *key, *arguments;
    bool program;
} values[] = {
    {"diff.teemap.textconv", " git text", true},
    {"diff.teemap.xfuncname", "^== (.*)$", false},
    {"merge.teemap.name", "maps, by teemap", false},
    {"merge.teemap.driver", " merge -i --mark --as %P %O %A %B", true},
    {"merge.teemap.recursive", "binary", false},
    {"difftool.teemap.cmd", " diff \"$LOCAL\" \"$REMOTE\"", true},
    {"mergetool.teemap-ours.cmd", MERGE_TOOL " --ours", true},
    {"mergetool.teemap-ours.trustExitCode", "true", false},
    {"mergetool.teemap-theirs.cmd", MERGE_TOOL " --theirs", true},
    {"mergetool.teemap-theirs.trustExitCode", "true", false},
};
enum { NUM_VALUES = sizeof(values) / sizeof(*values) };

static void print_value(const git_run *run, const char *subject, const char *state)
{
    if (!run->tool->common->quiet)
        text_line(&run->tool->out, "%s: %s", subject, state);
}

enum { VALUE_SIZE = 2 * PATH_SIZE };

/* The value that git has for a key; false: none. *ours: `setup` has set it, perhaps by another path. */
static bool value_now(git_run *run, size_t index, char is[VALUE_SIZE], bool *ours)
{
    const char *arguments = values[index].arguments;
    *ours = false;
    if (!ask_git(run, is, VALUE_SIZE,
                 (const char *const[]){"git", "config", run->scope, "--get", values[index].key, NULL}))
        return false;
    const size_t length = strlen(is), size = strlen(arguments);
    *ours = values[index].program ? length > size && strcmp(is + length - size, arguments) == 0
                                  : strcmp(is, arguments) == 0;
    return true;
}

static void set_value(git_run *run, size_t index)
{
    char is[VALUE_SIZE], ignored[16];
    bool ours;
    text value = {0};
    if (values[index].program)
        text_put(&value, run->program.bytes, run->program.size);
    text_string(&value, values[index].arguments);
    const bool there = value_now(run, index, is, &ours);
    if (there && strcmp(is, text_words(&value)) == 0) {
        print_value(run, "already set", values[index].key);
    } else if (there && !ours) {
        print_value(run, "not changed, since something else has set it", values[index].key);
    } else if (!run->failed) {
        if (ask_git(run, ignored, sizeof(ignored),
                    (const char *const[]){"git", "config", run->scope, values[index].key, text_words(&value),
                                          NULL}))
            print_value(run, "set", values[index].key);
        else
            fail_git(run, values[index].key, "git does not set it");
    }
    text_release(&value);
}

static void unset_value(git_run *run, size_t index)
{
    char is[VALUE_SIZE];
    bool ours;
    if (!value_now(run, index, is, &ours))
        return;
    if (!ours)
        print_value(run, "not changed, since something else has set it", values[index].key);
    else if (ask_git(run, is, sizeof(is),
                     (const char *const[]){"git", "config", run->scope, "--unset", values[index].key, NULL}))
        print_value(run, "removed", values[index].key);
    else
        fail_git(run, values[index].key, "git does not remove it");
}

/* --------------------------------------------------------------------------------------------- attributes */

static const char attributes[] = "*.map diff=teemap merge=teemap";

static bool global_attributes(git_run *run, char *path, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (ask_git(run, path, size,
                (const char *const[]){"git", "config", "--global", "--type=path", "--get",
                                      "core.attributesFile", NULL}))
        return true;
    if (run->failed)
        return false;
    if (config && *config)
        snprintf(path, size, "%s/git/attributes", config);
    else if (home && *home)
        snprintf(path, size, "%s/.config/git/attributes", home);
    else
        return fail_git(run, "git", "neither HOME nor XDG_CONFIG_HOME is set");
    return true;
}

/* The path of the repository's attributes: .gitattributes in its root, or info/attributes if it is bare. */
static bool local_attributes(git_run *run, char *path, size_t size)
{
    char folder[PATH_SIZE - 32], bare[16];
    if (!git_in_repository() ||
        !ask_git(run, bare, sizeof(bare),
                 (const char *const[]){"git", "rev-parse", "--is-bare-repository", NULL}))
        return fail_git(run, "git", "the current folder is in no repository; --global is for all of them");
    const bool has_files = strcmp(bare, "false") == 0;
    if (!ask_git(run, folder, sizeof(folder),
                 has_files ? (const char *const[]){"git", "rev-parse", "--show-toplevel", NULL}
                           : (const char *const[]){"git", "rev-parse", "--absolute-git-dir", NULL}))
        return fail_git(run, "git", "does not say where the repository is");
    snprintf(path, size, has_files ? "%s/.gitattributes" : "%s/info/attributes", folder);
    return true;
}

/* The line in a text that `setup` adds; NULL: there is none. */
static char *find_line(char *whole)
{
    const size_t size = sizeof(attributes) - 1;
    for (char *line = whole; (line = strstr(line, attributes)); line += size)
        if ((line == whole || line[-1] == '\n') && (line[size] == '\n' || line[size] == '\0'))
            return line;
    return NULL;
}

/* Saves the attributes; removes the file if the text is empty and `may_go`. Releases the text. */
static bool save_attributes(git_run *run, const char *path, text *whole, bool may_go)
{
    tm_error error = {0};
    tm_status status;
    if (whole->size == 0 && may_go)
        status = tm_sys_remove_file(path, &error);
    else if (!files_make_way(run->tool, path))
        status = TM_ERROR_IO;
    else
        status = save_bytes(path, whole->bytes, whole->size, &error);
    text_release(whole);
    return status ? fail_git(run, path, error.text) : true;
}

/*
 * Adds the line of attributes. If the file is empty or its last line has no newline, the new line has none
 * either, so that removing it can restore the file.
 */
static bool add_line(git_run *run, const char *path, const char *before, size_t size)
{
    text whole = {0};
    const bool ends = before && size && before[size - 1] == '\n';
    text_put(&whole, before ? before : "", size);
    if (size && !ends)
        text_string(&whole, "\n");
    text_string(&whole, attributes);
    if (!before || ends)
        text_string(&whole, "\n");
    return save_attributes(run, path, &whole, false);
}

static bool remove_line(git_run *run, const char *path, const char *before, const char *line)
{
    text whole = {0};
    const char *behind = line + strlen(attributes);
    const bool ends = *behind == '\n';
    size_t size = (size_t)(line - before);
    size -= !ends && size; /* the end of the line in front was ours */
    text_put(&whole, before, size);
    text_string(&whole, behind + ends);
    return save_attributes(run, path, &whole, ends);
}

enum { ATTRIBUTES_MAX = 16 << 20 }; /* bytes */

static void change_attributes(git_run *run, bool wanted)
{
    char path[PATH_SIZE];
    uint8_t *bytes = NULL;
    size_t size = 0;
    tm_error error = {0};
    if (!(run->global ? global_attributes : local_attributes)(run, path, sizeof(path)))
        return;
    if (tm_sys_kind_of(path) != TM_SYS_MISSING &&
        read_path(&bytes, &size, path, ATTRIBUTES_MAX, NULL, &error)) {
        fail_git(run, path, error.text);
        return;
    }
    char *whole = bytes ? (char *)bytes : NULL;
    const char *line = whole ? find_line(whole) : NULL;
    if (wanted && line) {
        print_value(run, "already there", path);
    } else if (wanted) {
        if (add_line(run, path, whole, size))
            print_value(run, "line added", path);
    } else if (line) {
        if (remove_line(run, path, whole, line))
            print_value(run, "line removed", path);
    }
    free(bytes);
}

/* ---------------------------------------------------------------------------------------------- the words */

static void git_setup(git_run *run)
{
    change_attributes(run, true);
    for (size_t i = 0; i < NUM_VALUES && !run->failed; i++)
        set_value(run, i);
}

static void git_off(git_run *run)
{
    change_attributes(run, false);
    for (size_t i = 0; i < NUM_VALUES && !run->failed; i++)
        unset_value(run, i);
}

/* Prints a map as text for git; other files called *.map, such as pointers of LFS, as they are. */
static void git_text(git_run *run)
{
    const char *path = run->tool->operands[1];
    const git_options *options = run->tool->options;
    loaded file;
    load_map_with_hashes(&file, path, run->tool->common->mode);
    text out = {0};
    if (!file.status)
        file.status = put_git_text(&out, file.map, options->limit, &file.error);
    if (!file.status)
        file.status = put_git_unknown(&out, &file, &file.error);
    if (file.status) {
        text_release(&out);
        out = (text){0};
        put_git_other(&out, path, &file);
    }
    text_put(&run->tool->out, out.bytes, out.size);
    text_release(&out);
    loaded_release(&file);
}

int cmd_git(cli_tool *tool)
{
    static const struct {
        const char *word;
        int operands;
        void (*work)(git_run *run);
        const char *fault; /* of another number of operands */
    } rows[] = {{"setup", 1, git_setup, "'setup' takes no operand"},
                {"off", 1, git_off, "'off' takes no operand"},
                {"text", 2, git_text, "'text' needs a map: teemap git text MAP"}};
    enum { NUM_ROWS = sizeof(rows) / sizeof(*rows) };
    git_run run = {.tool = tool, .global = ((const git_options *)tool->options)->global};
    size_t i = 0;
    run.scope = run.global ? "--global" : "--local";
    put_program(&run.program, tool->program);
    while (i < NUM_ROWS && strcmp(tool->operands[0], rows[i].word) != 0)
        i++;
    if (i == NUM_ROWS) {
        text reason = {0};
        text_string(&reason, "the words are: setup, off, text MAP");
        put_guess(&reason, tool->operands[0], git_words, "");
        fail_git(&run, "git", text_words(&reason));
        text_release(&reason);
    } else if (tool->num_operands != rows[i].operands)
        fail_git(&run, "git", rows[i].fault);
    else
        rows[i].work(&run);
    text_release(&run.program);
    return STATUS_DONE;
}

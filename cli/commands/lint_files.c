/* SPDX-License-Identifier: Zlib */
/*
 * lint_files.c - finds and reads configurations, and the rules that --rules, --select, --ignore and
 * --severity choose. Paths are real paths, so that the folder of a configuration is a prefix of the folders
 * of its maps.
 */
#include "lint_parts.h"

#define CONFIG_NAME ".teemap.toml"
enum { CONFIG_MAX = 1 << 20 }; /* bytes */

struct lint_config_file {
    char *path;
    tm_lint_config *config;
};

struct lint_config_folder {
    char *path;
    const tm_lint_config *config; /* NULL: there is none */
};

/* The folder of a map as a real path that ends with a slash; *name becomes the map's name. */
static void real_folder(char *buffer, size_t size, const char *map, const char **name)
{
    char *folder = files_copy_folder(map);
    const char *slash = strrchr(map, '/');
    *name = slash ? slash + 1 : map;
    if (!tm_sys_real_path(buffer, size - 1, folder))
        buffer[0] = '\0';
    const size_t length = strlen(buffer);
    if (!length || buffer[length - 1] != '/')
        memcpy(buffer + length, "/", 2);
    free(folder);
}

/* ----------------------------------------------------------------------------------------------- reading */

/* Whether the fixes of own rules, from rule `n` on, can be read as operations; false after a message. */
static bool fixes_are_read(const tm_lint_config *config, cli_tool *tool, const char *path, uint32_t n)
{
    const tm_lint_rule *rule;
    for (; (rule = tm_lint_config_rule(config, n)); n++) {
        tm_edit_script *script = NULL;
        tm_error error = {.offset = -1};
        if (!rule->fix || !tm_edit_script_from_text(&script, rule->fix, strlen(rule->fix), NULL, &error)) {
            tm_edit_script_free(script);
            continue;
        }
        snprintf(error.place, sizeof(error.place), "the fix of rule '%s'", tm_lint_rule_name(rule));
        tool_error(tool, path, &error);
        return false;
    }
    return true;
}

/* Adds a file to a configuration. */
static bool add_config_file(tm_lint_config *config, cli_tool *tool, const char *path)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    uint32_t before = 0;
    tm_error error = {.offset = -1};
    tm_status status = read_path(&bytes, &size, path, CONFIG_MAX, NULL, &error);
    while (!status && tm_lint_config_rule(config, before))
        before++;
    if (!status)
        status = tm_lint_config_add(config, path, (const char *)bytes, size, &error);
    free(bytes);
    if (status)
        tool_error(tool, path, &error);
    return !status && fixes_are_read(config, tool, path, before);
}

/* Reads files into one configuration, and keeps it by the path of the first, or "". NULL after a message. */
static tm_lint_config *read_config(lint_configs *configs, cli_tool *tool, const char *const *paths,
                                   size_t num)
{
    tm_error error = {.offset = -1};
    tm_lint_config *config = NULL;
    bool fine = !tm_lint_config_new(&config, NULL, &error);
    for (size_t i = 0; i < num && fine; i++)
        fine = add_config_file(config, tool, paths[i]);
    if (!fine) {
        tm_lint_config_free(config);
        return NULL;
    }
    configs->files = must_resize(configs->files, configs->num_files + 1, sizeof(*configs->files));
    configs->files[configs->num_files++] = (struct lint_config_file){must_copy(num ? paths[0] : ""), config};
    return config;
}

/* ------------------------------------------------------------------------------------------------ finding */

static const tm_lint_config *known_config(const lint_configs *configs, const char *path)
{
    for (size_t i = 0; i < configs->num_files; i++)
        if (strcmp(configs->files[i].path, path) == 0)
            return configs->files[i].config;
    return NULL;
}

static struct lint_config_folder *known_folder(const lint_configs *configs, const char *path)
{
    for (size_t i = configs->num_folders; i-- > 0;) /* maps of a folder stand together */
        if (strcmp(configs->folders[i].path, path) == 0)
            return &configs->folders[i];
    return NULL;
}

/* Finds the nearest configuration in `folder`, which ends with a slash, or above. False after a message. */
static bool find_config(const tm_lint_config **out, lint_configs *configs, cli_tool *tool, const char *folder)
{
    char path[LINT_PATH_SIZE + sizeof(CONFIG_NAME)];
    *out = NULL;
    for (size_t size = strlen(folder); size; size--) {
        if (folder[size - 1] != '/')
            continue;
        memcpy(path, folder, size);
        memcpy(path + size, CONFIG_NAME, sizeof(CONFIG_NAME));
        tm_sys_kind kind;
        tm_error error;
        if (tm_sys_get_kind(&kind, path, &error)) {
            tool_error(tool, path, &error);
            return false;
        }
        if (kind != TM_SYS_FILE)
            continue;
        *out = known_config(configs, path);
        const char *const paths[] = {path};
        if (!*out)
            *out = read_config(configs, tool, paths, 1);
        return *out;
    }
    return true;
}

static bool add_folder_of(lint_configs *out, cli_tool *tool, const char *map)
{
    char folder[LINT_PATH_SIZE];
    const char *name;
    const tm_lint_config *config;
    real_folder(folder, sizeof(folder), map, &name);
    if (known_folder(out, folder))
        return true;
    if (!find_config(&config, out, tool, folder))
        return false;
    out->folders = must_resize(out->folders, out->num_folders + 1, sizeof(*out->folders));
    out->folders[out->num_folders++] = (struct lint_config_folder){must_copy(folder), config};
    return true;
}

static void use_for_all(lint_configs *out, const tm_lint_config *config)
{
    out->folders = must_alloc(1, sizeof(*out->folders));
    out->folders[out->num_folders++] = (struct lint_config_folder){must_copy(""), config};
}

/* Reads the files of --config into one configuration for all maps, and keeps their real paths. */
static bool read_named(lint_configs *out, cli_tool *tool, const word_list *words)
{
    const char *paths[MAX_WORDS];
    char *real = must_alloc(MAX_WORDS, LINT_PATH_SIZE);
    for (size_t i = 0; i < words->num; i++) {
        char *path = real + i * LINT_PATH_SIZE;
        paths[i] = tm_sys_real_path(path, LINT_PATH_SIZE, words->words[i]) ? path : words->words[i];
    }
    const tm_lint_config *config = read_config(out, tool, paths, words->num);
    free(real);
    if (!config)
        return false;
    use_for_all(out, config);
    return true;
}

bool lint_configs_read(lint_configs *out, cli_tool *tool, const lint_file_words *words, const file_list *maps)
{
    bool fine = true;
    *out = (lint_configs){.files = NULL};
    if (words->no_config)
        use_for_all(out, NULL);
    else if (words->config.num)
        fine = read_named(out, tool, &words->config);
    else if (!maps->num)
        fine = add_folder_of(out, tool, "");
    else
        for (size_t i = 0; i < maps->num && fine; i++)
            fine = add_folder_of(out, tool, maps->paths[i]);
    if (!fine)
        lint_configs_release(out);
    return fine;
}

void lint_configs_release(lint_configs *configs)
{
    for (size_t i = 0; i < configs->num_files; i++) {
        tm_lint_config_free(configs->files[i].config);
        free(configs->files[i].path);
    }
    for (size_t i = 0; i < configs->num_folders; i++)
        free(configs->folders[i].path);
    free(configs->files);
    free(configs->folders);
    *configs = (lint_configs){.files = NULL};
}

/* ------------------------------------------------------------------------------------------------ asking */

void lint_configs_choose(lint_map_options *out, const lint_configs *configs, const tm_lint_options *common,
                         const char *map)
{
    const char *name;
    out->options = *common;
    out->options.path = out->path;
    real_folder(out->path, sizeof(out->path), map, &name);
    const struct lint_config_folder *folder = known_folder(configs, out->path);
    if (!folder)
        folder = known_folder(configs, ""); /* --config is for all of them */
    const size_t length = strlen(out->path), size = strlen(name);
    if (length + size < sizeof(out->path))
        memcpy(out->path + length, name, size + 1);
    out->options.config = folder ? folder->config : NULL;
}

/* ------------------------------------------------------------------------------------------------ choices */

static void add_choice(lint_choices *choices, tm_lint_choice choice, const char *name)
{
    if (choices->num == choices->capacity) {
        choices->capacity = choices->capacity ? 2 * choices->capacity : 16;
        choices->list = must_resize(choices->list, choices->capacity, sizeof(*choices->list));
        choices->names = must_resize(choices->names, choices->capacity, sizeof(*choices->names));
    }
    choices->names[choices->num] = name ? must_copy(name) : NULL;
    choice.name = choices->names[choices->num];
    choices->list[choices->num++] = choice;
}

const tm_lint_rule *lint_any_rule(const lint_configs *configs, size_t n)
{
    const tm_lint_rule *rule;
    for (uint32_t k = 0; (rule = tm_lint_rule_at(k)); k++)
        if (n-- == 0)
            return rule;
    for (size_t i = 0; i < configs->num_files; i++)
        for (uint32_t k = 0; (rule = tm_lint_config_rule(configs->files[i].config, k)); k++)
            if (n-- == 0)
                return rule;
    return NULL;
}

static void guess_rule(text *out, const lint_configs *configs, const char *wrong)
{
    const tm_lint_rule *rule;
    tm_suggestion meant;
    tm_suggestion_begin(&meant, wrong);
    for (size_t n = 0; (rule = lint_any_rule(configs, n)); n++)
        tm_suggestion_try(&meant, tm_lint_rule_name(rule));
    put_meant(out, &meant, "");
}

static bool refuse_unknown(cli_tool *tool, const lint_configs *configs, const char *pattern)
{
    text err = {0};
    text_string(&err, "teemap: lint: no rule fits ");
    text_quoted(&err, pattern);
    guess_rule(&err, configs, pattern);
    text_string(&err, " ('teemap lint --list' lists all rules)\n");
    tool_print(tool, &err);
    raise_status(&tool->status, STATUS_TROUBLE);
    return false;
}

bool lint_choices_know(cli_tool *tool, const lint_configs *configs, const char *id, size_t size)
{
    const tm_lint_rule *rule;
    char name[128];
    for (size_t n = 0; (rule = lint_any_rule(configs, n)); n++)
        if (strlen(tm_lint_rule_name(rule)) == size && memcmp(tm_lint_rule_name(rule), id, size) == 0)
            return true;
    snprintf(name, sizeof(name), "%.*s", size < sizeof(name) ? (int)size : (int)sizeof(name) - 1, id);
    return refuse_unknown(tool, configs, name);
}

static bool fits_any_rule(const lint_configs *configs, const char *pattern)
{
    const tm_lint_rule *rule;
    for (size_t n = 0; (rule = lint_any_rule(configs, n)); n++)
        if (tm_lint_rule_fits(rule, pattern))
            return true;
    return false;
}

/* Cuts =SEVERITY off a word and reads it; false after a message. */
static bool parse_severity(cli_tool *tool, char *word, tm_lint_choice *choice)
{
    char *equals = strchr(word, '=');
    for (int severity = TM_SEVERITY_NOTE; equals && severity <= TM_SEVERITY_ERROR; severity++)
        if (strcmp(equals + 1, tm_severity_name((tm_severity)severity)) == 0)
            choice->severity = (tm_severity)severity;
    if (equals)
        *equals = '\0';
    if (choice->severity)
        return true;
    tool_usage(tool, "--severity is not ID=error, ID=warning or ID=note");
    return false;
}

/* Where choices come from and go to. */
typedef struct choice_reader {
    lint_choices *choices;
    cli_tool *tool;
    const lint_configs *configs;
} choice_reader;

/* Cuts the next word off a list with commas; NULL: there is none. */
static char *cut_word(char **cursor)
{
    char *word = *cursor, *comma = word ? strchr(word, ',') : NULL;
    if (comma)
        *comma = '\0';
    *cursor = comma ? comma + 1 : NULL;
    return word;
}

/* Adds a choice for the rules that fit a word; false after a message. */
static bool add_rules(const choice_reader *reader, const char *word, tm_lint_choice choice)
{
    if (!fits_any_rule(reader->configs, word) && !refuse_unknown(reader->tool, reader->configs, word))
        return false;
    add_choice(reader->choices, choice, word);
    return true;
}

/* ID,ID...: one choice for all of them. */
static bool add_patterns(const choice_reader *reader, const word_list *words, tm_lint_choice choice)
{
    bool fine = true;
    for (size_t i = 0; i < words->num && fine; i++) {
        char *copy = must_copy(words->words[i]), *cursor = copy, *word;
        while (fine && (word = cut_word(&cursor)))
            fine = add_rules(reader, word, choice);
        free(copy);
    }
    return fine;
}

/* ID=SEVERITY,ID=SEVERITY... */
static bool add_severities(const choice_reader *reader, const word_list *words)
{
    bool fine = true;
    for (size_t i = 0; i < words->num && fine; i++) {
        char *copy = must_copy(words->words[i]), *cursor = copy, *word;
        while (fine && (word = cut_word(&cursor))) {
            tm_lint_choice choice = {.off = false};
            fine = parse_severity(reader->tool, word, &choice) && add_rules(reader, word, choice);
        }
        free(copy);
    }
    return fine;
}

static void refuse_sets(cli_tool *tool, const char *words)
{
    const char *known[TM_LINT_SETS + 2] = {NULL};
    text names = {0}, wrong = {0};
    uint32_t sets;
    text_string(&names, "not a list of sets for --rules: ");
    for (uint32_t bit = 0; bit < TM_LINT_SETS; bit++)
        text_print(&names, "%s, ", known[bit] = tm_lint_set_name((uint32_t)1 << bit));
    text_string(&names, known[TM_LINT_SETS] = tm_lint_set_name(TM_LINT_ALL));
    for (const char *word = words; *word && !wrong.size;
         word += strcspn(word, ",") + (word[strcspn(word, ",")] == ',')) {
        text_put(&wrong, word, strcspn(word, ","));
        wrong.size = tm_lint_sets_from_text(&sets, text_words(&wrong)) ? 0 : wrong.size;
    }
    put_guess(&names, wrong.size ? text_words(&wrong) : words, known, "");
    text_release(&wrong);
    tool_trouble(tool, words, text_words(&names));
    text_release(&names);
}

bool lint_choices_read(lint_choices *out, tm_lint_options *options, cli_tool *tool, const lint_words *words,
                       const lint_configs *configs)
{
    const choice_reader reader = {out, tool, configs};
    bool fine = true;
    if (words->sets && !tm_lint_sets_from_text(&options->sets, words->sets)) {
        refuse_sets(tool, words->sets);
        fine = false;
    }
    if (words->select.num) {
        add_choice(out, (tm_lint_choice){.id = TM_FINDING_NONE, .off = true}, NULL);
        fine = fine && add_patterns(&reader, &words->select, (tm_lint_choice){.on = true});
    }
    fine = fine && add_patterns(&reader, &words->ignore, (tm_lint_choice){.off = true});
    fine = fine && add_severities(&reader, &words->severities);
    options->choices = out->list;
    options->num_choices = out->num;
    if (!fine)
        lint_choices_release(out);
    return fine;
}

void lint_choices_release(lint_choices *choices)
{
    for (size_t i = 0; i < choices->num; i++)
        free(choices->names[i]);
    free(choices->names);
    free(choices->list);
    *choices = (lint_choices){NULL, NULL, 0, 0};
}

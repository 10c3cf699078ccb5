/* SPDX-License-Identifier: Zlib */
/*
 * cmd_merge.c - `teemap merge`: merges two maps that were made from one base. The library does the work
 * (teemap/merge.h).
 */
#include "change_maps.h"
#include "git_text.h"
#include "merge_inputs.h"
#include "changes_page.h"
#include "output/report_words.h"

typedef struct merge_options {
    picture_options drawing; /* first */
    change_options change;   /* its `common` is filled in for the run */
    merge_words settle;
    bool partial, mark, git;
    const char *called;  /* NULL: by its path */
    const char *picture; /* NULL: none */
    const char *page;    /* folder; the same */
} merge_options;

static const option_row merge_rows[] = {
    CHANGE_OUTPUT_ROWS(merge_options),
    {'f', "force", NULL, FLAG_AT(picture_options, replace),
     .text = "allow -o and -t to replace BASE or THEIRS, and --page to replace any index.html"},
    {0, "picture", "FILE", FILE_AT(merge_options, picture),
     .text =
         "draw BASE, OURS and THEIRS side by side, with frames around unresolved conflicts; .png, .webp, or .rgba. "
         "Without -o, -t or -i, nothing else is written"},
    {0, "page", "DIR", FOLDER_AT(merge_options, page),
     .text =
         "write a web page to this folder that shows each place in all three maps, side by side or on top of each "
         "other, and a list of conflicts"},
    {0, "partial", NULL, FLAG_AT(merge_options, partial),
     .text =
         "write the map despite unresolved conflicts: conflicting parts are those of OURS, and objects that one side "
         "removed and the other changed are kept"},
    {0, "mark", NULL, FLAG_AT(merge_options, mark),
     .text =
         "like --partial, and mark conflicts in the map for the game's editor: layers '<<< ours' and '>>> theirs' in "
         "front of the conflicting layer, objects with such names, and comments in the server commands"},
    {0, "ours", "WORDS", WORDS_AT(merge_options, settle.ours), .noun = "words", .value_optional = true,
     .group = GROUP_PART,
     .text =
         "resolve conflicts with OURS; with WORDS, only those in these parts (see 'teemap diff --only'); may be "
         "repeated, and an option with WORDS beats one without"},
    {0, "theirs", "WORDS", WORDS_AT(merge_options, settle.theirs), .noun = "words", .value_optional = true,
     .group = GROUP_PART, .text = "likewise with THEIRS"},
    {0, "union", "WORDS", WORDS_AT(merge_options, settle.united), .noun = "words", .value_optional = true,
     .group = GROUP_PART,
     .text =
         "likewise with both sides where possible: keep both versions of quads, points and commands, put tiles on "
         "air, keep removed objects, and make layers as large as both"},
    {0, "as", "NAME", TEXT_AT(merge_options, called),
     .text =
         "name of OURS in messages, from which the other names follow; git passes maps under temporary names"},
    {0, "git", NULL, FLAG_AT(merge_options, git), .group = GROUP_PART,
     .text =
         "MAP has a conflict in its git repository: read BASE, OURS and THEIRS from git's index; -i writes the "
         "result to MAP"},
    JSON_EACH_ROW,
    SIDE_BY_SIDE_ROWS("three", "with conflicts"),
    RUNNING_ROWS("print what was merged into OURS, and how conflicts were resolved"),
    {0},
};

COMMAND(merge, merge_options, 1, 3, .operands = {OPERAND_MAP}, .searches_images = true);

/* ----------------------------------------------------------------------------------------------- merging */

typedef struct merge_run {
    cli_tool *tool;
    const merge_options *options;
    merge_version version[TM_MERGE_MAPS]; /* ours only of git's index, else it is what is changed */
    merge_rules rules;
    tm_conflicts *conflicts;
    picture_format format;
    bool drawn;
    cli_report said; /* next to the picture */
    uint64_t
        left_out[2]; /* parts that teemap does not read, changed by OURS, by THEIRS, and not in the result */
    text out, err;
} merge_run;

static bool put_conflict(text *out, const void *list, uint32_t index)
{
    tm_conflict conflict;
    char line[600];
    tm_conflicts_at(&conflict, list, index);
    if (!conflict.open)
        return false;
    tm_conflict_format(&conflict, line, sizeof(line));
    text_safe(out, line);
    return true;
}

/* Tiles are reported with their place in the base, or in the first map that has the layer. */
static frame_words put_conflict_tiles(text *out, const void *list, uint32_t index, size_t at,
                                      const tm_preview_mark *mark)
{
    tm_conflict conflict;
    size_t first = 0;
    tm_conflicts_at(&conflict, list, index);
    if (conflict.kind != TM_CONFLICT_TILES)
        return FRAME_OF_SUBJECT;
    while (first < TM_MERGE_THEIRS && !conflict.there[first])
        first++;
    if (at != first)
        return FRAME_SILENT;
    put_frame_place(out, &conflict.address[first], conflict.name, "both changed tiles", mark);
    return FRAME_TELLS;
}

static void put_lacking_conflicts(text *err, const tm_preview_marks *marks)
{
    if (marks->placeless) {
        text_count(err, marks->placeless, "conflict has", "conflicts have");
        text_string(err, " no place on the map, and no frame in the picture\n");
    }
}

/* The open conflicts, on the three maps as they came, not as they were merged. */
static tm_status draw_conflicts(merge_run *run, changed_map *map, tm_error *error)
{
    static const char *const words[] = {"base", "ours", "theirs"};
    const merge_options *options = run->options;
    const tm_conflicts *conflicts = run->conflicts;
    const tm_map *maps[TM_MERGE_MAPS];
    loaded files[TM_MERGE_MAPS]; /* for the findings of drawing */
    changes_page page = {
        .options = &options->drawing,
        .picture = options->picture,
        .format = run->format,
        .folder = options->page,
        .generator = "teemap merge",
        .noun = "conflicts",
        .singular = "conflict is",
        .plural = "conflicts are",
        .title = "Conflicts",
        .advice = "",
        .num = TM_MERGE_MAPS,
        .named = TM_MERGE_OURS,
        .first_kind = TM_MARK_CONFLICT,
        .last_kind = TM_MARK_CONFLICT,
        .subjects = {conflicts, tm_conflicts_num(conflicts), put_conflict, put_conflict_tiles},
        .put_lacking = put_lacking_conflicts};
    if (!options->picture && !options->page)
        return TM_OK;
    if (tm_conflicts_num_open(conflicts) == 0) {
        if (!run->tool->common->quiet)
            text_string(run->said.err, "no conflict is open: there is nothing to draw\n");
        return TM_OK;
    }
    for (int i = 0; i < TM_MERGE_MAPS; i++) {
        const merge_version *version = &run->version[i];
        files[i] = (loaded){.map = i == TM_MERGE_OURS ? map->file.map : version->file.map};
        tm_findings_init(&files[i].findings, 0, NULL);
        maps[i] = files[i].map;
        page.maps[i] = (page_map){words[i], words[i], words[i], version->name, version->path, &files[i]};
    }
    page.first = maps[TM_MERGE_BASE]->num_groups ? 0 : 1; /* a base that does not exist would be empty */
    tm_status status = tm_preview_conflict_marks(&page.marks, conflicts, maps, options->drawing.time, error);
    status = status ? status : changes_page_draw(&page, map->job, &run->said, error);
    for (int i = 0; i < TM_MERGE_MAPS; i++)
        tm_findings_release(&files[i].findings);
    run->drawn = !status;
    return status;
}

static tm_status same_file(bool *is_same, const tm_map *a, const tm_map *b, tm_error *error)
{
    const tm_datafile *file[2] = {tm_mapfile_datafile(a), tm_mapfile_datafile(b)};
    *is_same = false;
    return file[0] && file[1] ? tm_datafile_equal(is_same, file[0], file[1], error) : TM_OK;
}

/* If the files OURS and BASE are equal, the result becomes a clone of THEIRS, and is saved to its bytes. */
static tm_status use_theirs(merge_run *run, changed_map *map, tm_map *merged, tm_error *error)
{
    const tm_map *base = run->version[TM_MERGE_BASE].file.map,
                 *theirs = run->version[TM_MERGE_THEIRS].file.map;
    bool same;
    tm_map *clone;
    tm_status status = same_file(&same, base, map->file.map, error);
    if (status || !same)
        return status;
    TRY(same_file(&same, base, theirs, error));
    map->always = map->always || !same;
    TRY(tm_map_clone(&clone, theirs, error));
    tm_map_swap(merged, clone);
    tm_map_free(clone);
    return TM_OK;
}

static tm_status merge_map(void *ctx, changed_map *map, tm_error *error)
{
    merge_run *run = ctx;
    const merge_options *options = run->options;
    tm_merge_options request = TM_MERGE_OPTIONS_INIT;
    tm_map *merged;
    request.rules = run->rules.list;
    request.num_rules = run->rules.num;
    request.mark = options->mark;
    const tm_limits limits = picture_compare_limits(&options->drawing);
    request.limits = &limits;
    if (options->git) { /* what git's index has as ours, in the place of what lies in the folder */
        tm_map_swap(map->file.map, run->version[TM_MERGE_OURS].file.map);
        map->always = true;
    }
    bool equal;
    const bool based = !run->version[TM_MERGE_BASE].missing;
    tm_status status =
        tm_map_merge(&merged, &run->conflicts, based ? run->version[TM_MERGE_BASE].file.map : NULL,
                     map->file.map, run->version[TM_MERGE_THEIRS].file.map, &request, &map->done, error);
    if (status)
        return advise_on_limit(status, error, "; see --memory");
    if (based)
        status = use_theirs(run, map, merged, error);
    if (!status)
        status = tm_mapfile_report_left_out(&run->left_out[0], &run->left_out[1], NULL, merged,
                                            run->version[TM_MERGE_BASE].file.map, map->file.map,
                                            run->version[TM_MERGE_THEIRS].file.map, map->job, error);
    if (!status)
        status = draw_conflicts(run, map, error);
    /* by the maps themselves, not by what is reported: nothing that was merged may be kept from the file */
    if (tm_map_equal(&equal, map->file.map, merged, NULL, 0, NULL) || !equal ||
        tm_conflicts_num(run->conflicts))
        map->always = true;
    tm_map_swap(map->file.map, merged);
    tm_map_free(merged);
    const bool open = tm_conflicts_num_open(run->conflicts) > 0;
    map->refused = open && !options->partial && !options->mark;
    map->lacks = open || run->left_out[0] || run->left_out[1];
    return status;
}

/* ----------------------------------------------------------------------------------------------- telling */

static void put_conflict_line(const tm_conflict *conflict, text *out)
{
    char line[600];
    tm_conflict_format(conflict, line, sizeof(line));
    if (conflict->open)
        text_line(out, "conflict: %s", line);
    else
        text_line(out, "settled (%s): %s", tm_resolution_name(conflict->resolution), line);
}

/* Open conflicts that the map does not show. */
static uint32_t count_unmarked(const merge_run *run)
{
    tm_conflict conflict;
    uint32_t num = 0;
    for (uint32_t i = 0; tm_conflicts_at(&conflict, run->conflicts, i); i++)
        num += conflict.open && !conflict.marked;
    return num;
}

/* Says where the result is while conflicts are open. */
static void put_result(const merge_run *run, const changed_map *map, text *out)
{
    const merge_options *options = run->options;
    if (map->refused && !options->change.dry_run) {
        text_string(
            out,
            "; no map is written: resolve them with --ours, --theirs, --union, or use --partial or --mark");
    } else if (map->written) {
        text_string(out, "; ");
        text_safe(out, options->change.in_place ? run->version[TM_MERGE_OURS].name : map->output);
        text_string(out,
                    options->mark
                        ? " is written and has both versions there, called '<<< ours' and '>>> theirs', or "
                          "comments among the server commands"
                        : " is written and is as in OURS there");
        const uint32_t unmarked = options->mark ? count_unmarked(run) : 0;
        if (unmarked) {
            text_string(out, "; ");
            text_count(out, unmarked, "conflict is", "conflicts are");
            text_string(out, " not marked in it, as its settings cannot have comments");
        }
    }
}

static void put_left_out(const merge_run *run, text *out)
{
    static const tm_merge_map sides[] = {TM_MERGE_OURS, TM_MERGE_THEIRS};
    for (int i = 0; i < 2; i++) {
        if (!run->left_out[i])
            continue;
        put_about(out, run->version[sides[i]].name, "a merge does not hold what teemap does not read: ");
        text_count(out, run->left_out[i], "part that differs is", "parts that differ are");
        text_string(out, " left out\n");
    }
}

static void put_conflicts(void *ctx, const changed_map *map, text *out)
{
    const merge_run *run = ctx;
    const merge_options *options = run->options;
    const uint32_t open = tm_conflicts_num_open(run->conflicts);
    tm_conflict conflict;
    for (uint32_t i = 0; tm_conflicts_at(&conflict, run->conflicts, i); i++)
        if (conflict.open || options->drawing.common.verbose)
            put_conflict_line(&conflict, out);
    put_left_out(run, out);
    if (!open)
        return;
    put_about(out, run->version[TM_MERGE_OURS].name, "%" PRIu32 " conflict%s", open, open == 1 ? "" : "s");
    put_result(run, map, out);
    text_string(out, "\n");
    if (options->called && map->written) {
        text_string(out, "to see them: teemap merge --git ");
        text_shell_path(out, options->called);
        text_string(out, " --picture conflicts.png\nto resolve them: edit the marks, or teemap merge --git ");
        text_shell_path(out, options->called);
        text_string(out,
                    " -i --ours (or --theirs, --union, for parts of it --theirs=settings); then git add ");
        text_shell_path(out, options->called);
        text_string(out, "\n");
    }
}

static void add_conflicts(void *ctx, const changed_map *map, json_t *object)
{
    const merge_run *run = ctx;
    tm_buffer buffer = {0};
    const tm_output output = tm_output_to_buffer(&buffer);
    (void)map;
    json_add_all(object, JSON_TEXT("base", run->version[TM_MERGE_BASE].path),
                 JSON_TEXT("theirs", run->version[TM_MERGE_THEIRS].path));
    if (run->options->picture)
        json_add_text(object, "picture", run->drawn ? run->options->picture : NULL);
    if (run->options->page)
        json_add_text(object, "page", run->drawn ? run->options->page : NULL);
    json_add_all(object, JSON_INT("left_out", run->left_out[0] + run->left_out[1]),
                 JSON_INT("open", tm_conflicts_num_open(run->conflicts)));
    if (run->conflicts && tm_conflicts_write(run->conflicts, &output, NULL))
        out_of_memory(); /* nothing else fails */
    json_add(object, "conflicts", run->conflicts ? json_written(&buffer) : json_array());
}

/* ------------------------------------------------------------------------------------------------ the run */

static bool load_versions(merge_run *run)
{
    const tm_mode mode = run->options->drawing.common.mode;
    for (int i = 0; i < TM_MERGE_MAPS; i++) {
        merge_version *version = &run->version[i];
        if (run->options->git)
            merge_version_from_git(version, (tm_merge_map)i, mode);
        else if (i != TM_MERGE_OURS)
            merge_version_load(version, mode, i == TM_MERGE_BASE);
        run->said.path = version->name;
        report_loaded(&run->said, &version->file, SHOW_ERRORS);
        if (!version->file.status)
            continue;
        report_error(&run->said, &version->file.error);
        return false;
    }
    return true;
}

/* The path of the result; NULL: it goes nowhere, or onto OURS. The caller frees it. */
static char *merge_target(const merge_run *run)
{
    const change_options *change = &run->options->change;
    const char *ours = path_base(run->version[TM_MERGE_OURS].path), *output = change->output;
    if (change->folder)
        return files_join(change->folder, ours);
    if (!output || strcmp(output, "-") == 0)
        return NULL;
    return tm_sys_kind_of(output) == TM_SYS_FOLDER ? files_join(output, ours) : must_copy(output);
}

/* Whether all inputs stay as they are; false, with a message: an output would replace one of them. */
static bool keeps_inputs(const merge_run *run)
{
    const merge_options *options = run->options;
    char *target = merge_target(run);
    bool fine = true;
    for (int i = 0; i < TM_MERGE_MAPS && fine; i++) {
        const char *path = run->version[i].path;
        const bool map = target && i != TM_MERGE_OURS && !options->git && !options->drawing.replace &&
                         tm_sys_same_file(target, path);
        const bool drawing = options->picture && tm_sys_same_file(options->picture, path);
        fine = !map && !drawing;
        if (map)
            tool_trouble(run->tool, target,
                         i == TM_MERGE_BASE ? "is BASE; -f replaces it" : "is THEIRS; -f replaces it");
        else if (drawing)
            tool_trouble(run->tool, options->picture, "is one of the maps");
    }
    if (fine && options->picture && target && strcmp(target, options->picture) == 0) {
        tool_trouble(run->tool, target, "is where the map goes, and cannot be the picture");
        fine = false;
    }
    free(target);
    return fine;
}

/* What is wrong with the operands and options; NULL: nothing. */
static const char *merge_fault(merge_run *run)
{
    const merge_options *options = run->options;
    const int num = run->tool->num_operands;
    if (options->git && num != 1)
        return "--git takes one map, which is in conflict";
    if (!options->git && num != 3)
        return "takes three maps: BASE OURS THEIRS; or --git MAP";
    return changes_page_fault(&run->format, &options->drawing, options->picture);
}

static bool prepare_merge(merge_run *run)
{
    const merge_options *options = run->options;
    cli_tool *tool = run->tool;
    const char *fault = merge_fault(run);
    const char *page_fault =
        options->page ? files_page_fault(options->page, "teemap merge", options->drawing.replace) : NULL;
    if (fault || page_fault) {
        tool_trouble(tool, fault ? tool->command->name : options->page, fault ? fault : page_fault);
        return false;
    }
    for (int i = 0; i < TM_MERGE_MAPS; i++) {
        merge_version *version = &run->version[i];
        const char *called = options->called ? options->called : options->git ? tool->operands[0] : NULL;
        version->path = tool->operands[options->git ? 0 : i];
        version->name = called ? merge_version_name(called, (tm_merge_map)i) : must_copy(version->path);
    }
    tool->memory = options->picture || options->page ? options->drawing.memory : 0;
    merge_rules_make(&run->rules, &options->settle);
    return merge_rules_agree(tool, &options->settle) && keeps_inputs(run) && load_versions(run);
}

static void change_ours(merge_run *run)
{
    change_options change = run->options->change;
    char *const *ours = &run->tool->operands[run->options->git ? 0 : 1];
    const bool draws = run->options->picture || run->options->page;
    change.common = run->options->drawing.common;
    change.dry_run = change.dry_run || (draws && !change.output && !change.folder && !change.in_place);
    change_maps(run->tool, &change, ours, 1,
                &(change_command){.ctx = run,
                                  .work = merge_map,
                                  .add_json = add_conflicts,
                                  .put_line = put_conflicts,
                                  .called = run->version[TM_MERGE_OURS].name,
                                  .forgives = true});
}

/* If git gives text files in place of maps, such as pointers of LFS, merges them as git merges text. */
static bool merge_as_git(cli_tool *tool, const merge_options *options)
{
    int num;
    if (!options->called || !options->change.in_place || tool->num_operands != 3 ||
        !merge_git_texts(&num, tool->operands))
        return false;
    if (num)
        raise_status(&tool->status, STATUS_FINDINGS);
    return true;
}

int cmd_merge(cli_tool *tool)
{
    merge_run run = {.tool = tool, .options = tool->options};
    if (merge_as_git(tool, run.options))
        return STATUS_DONE;
    run.said = (cli_report){.tool = tool, .out = &run.out, .err = &run.err};
    run.err.color = tool->color_err;
    if (prepare_merge(&run))
        change_ours(&run);
    tool_print(tool, &run.err);
    raise_status(&tool->status, run.said.status);
    tm_conflicts_free(run.conflicts);
    for (int i = 0; i < TM_MERGE_MAPS; i++)
        merge_version_release(&run.version[i]);
    text_release(&run.out);
    return STATUS_DONE;
}

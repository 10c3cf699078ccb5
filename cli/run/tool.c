/* SPDX-License-Identifier: Zlib */
/*
 * tool.c - runs the work on many files, several at once, and prints what each says in the order of the files;
 * how errors and findings look as lines. Knows commands only by their names.
 */
#include "tool.h"

#include "files.h"

/* The findings of one file that are printed next to other results: a broken file has hundreds. */
#define FEW_FINDINGS 8

void raise_status(int *status, int by)
{
    *status = by > *status ? by : *status;
}

/* --------------------------------------------------------------------------------------------- many files */

/* By the cost of files these are put in order, and share one budget of memory. */
typedef struct file_cost {
    uint64_t weight; /* bytes of the file */
    uint64_t memory; /* bytes, at least the share of each file */
} file_cost;

/* Deflate unpacks a byte to at most so many, so the size of most files alone shows that they are cheap. */
enum { MAX_RATIO = 1032 };

static uint64_t announced_bytes(const tm_datafile *datafile, file_needs needs)
{
    uint64_t largest = 0, all = 0;
    tm_datafile_data data;
    for (uint32_t i = 0; tm_datafile_get_data(&data, datafile, i); i++) {
        largest = data.size > largest ? data.size : largest;
        all += data.size;
    }
    return needs == FILE_NEEDS_ALL ? all : 2 * largest;
}

/*
 * What work on a file will take, from its size and its head alone; `share` is what each file may use without
 * being asked. What cannot be read costs nothing here: the work itself will say what is wrong with it.
 */
static file_cost file_cost_of(const char *path, file_needs needs, uint64_t share)
{
    file_cost cost = {0, share};
    tm_input input;
    tm_datafile *datafile;
    /* Only of a file on the disk: what comes from a pipe is gone once it is read. */
    if (needs == FILE_NEEDS_HEAD || strcmp(path, "-") == 0 || tm_sys_kind_of(path) != TM_SYS_FILE ||
        tm_sys_open_input(&input, path, 0, NULL, NULL))
        return cost;
    cost.weight = input.size;
    if (input.size <= share / MAX_RATIO) {
        input.close(input.ctx);
        return cost;
    }
    const tm_datafile_options options = {.size = sizeof(options), .mode = TM_MODE_SALVAGE};
    if (tm_datafile_open(&datafile, input, &options, NULL, NULL))
        return cost;
    const uint64_t bytes = announced_bytes(datafile, needs);
    cost.memory = bytes > share ? bytes : share;
    tm_datafile_close(datafile);
    return cost;
}

/*
 * What is known of one file: written by the thread that works on it until `done` is set, read by the one that
 * prints after it.
 */
typedef struct slot {
    text out, err;
    cli_report report;
    atomic_bool done;
    file_cost cost;
    struct batch *batch;
    atomic_uint part; /* thousandths of what is being done with the file */
} slot;

typedef struct batch {
    cli_tool *tool;
    size_t num;
    const char *const *paths;
    file_work work;
    void *ctx;
    slot *slots;
    size_t printed;  /* guarded by `printing`, */
    bool any_result; /* and so is this: a slot with results was printed */
    atomic_size_t finished;
    atomic_flag printing; /* who has it prints everything that is due; nobody waits for it */
} batch;

static void print_slot(batch *b, slot *s)
{
    cli_tool *tool = b->tool;
    progress_clear(&tool->progress);
    text_put(&tool->out, "\n", s->out.size && b->any_result && tool->blank_lines ? 1 : 0);
    text_put(&tool->out, s->out.bytes, s->out.size);
    b->any_result |= s->out.size > 0;
    text_flush(&tool->out); /* a failure is reported at the end: what else the work is for is still done */
    tool_print(tool, &s->err);
    raise_status(&tool->status, s->report.status);
    text_release(&s->out);
    text_release(&s->err);
}

/*
 * Shows how many files are done, how far those in progress are, and the first of these: if each file takes
 * minutes, the number of files alone would stand still.
 */
static void show_batch(batch *b)
{
    progress *line = &b->tool->progress;
    const char *first = NULL;
    unsigned all = 0, at_work = 0;
    if (!progress_is_due(line))
        return;
    for (size_t i = b->printed; i < b->num; i++) {
        const unsigned part = atomic_load(&b->slots[i].part);
        if (part && !atomic_load(&b->slots[i].done)) {
            all += part;
            at_work++;
            first = first ? first : path_name(b->paths[i]);
        }
    }
    line->more[0] = '\0';
    line->subject = first;
    if (at_work)
        snprintf(line->more, sizeof(line->more), ", %u in progress (%u %%)", at_work, all / at_work / 10);
    progress_show(line, atomic_load(&b->finished), b->num);
}

/*
 * Prints the finished slots in the order of the files. If another thread is printing, it prints this thread's
 * slot, too: it looks again before it leaves.
 */
static void print_due(batch *b)
{
    bool more = true;
    while (more && !atomic_flag_test_and_set(&b->printing)) {
        while (b->printed < b->num && atomic_load(&b->slots[b->printed].done)) {
            print_slot(b, &b->slots[b->printed]);
            b->printed++;
        }
        show_batch(b);
        size_t next = b->printed;
        atomic_flag_clear(&b->printing);
        more = next < b->num && atomic_load(&b->slots[next].done);
    }
}

static uint64_t weight_of_file(void *ctx, uint32_t index)
{
    return ((const batch *)ctx)->slots[index].cost.weight;
}

static uint64_t memory_of_file(void *ctx, uint32_t index)
{
    return ((const batch *)ctx)->slots[index].cost.memory;
}

static void on_part(void *ctx, uint64_t done, uint64_t total)
{
    slot *s = ctx;
    atomic_store(&s->part, total ? (unsigned)((double)done / (double)total * 999) + 1 : 1);
    print_due(s->batch);
}

/* The job of one file among many. Threads that have no file left help with the files in progress. */
static tm_job job_of_file(batch *b, uint32_t index)
{
    tm_job job = TM_JOB_INIT;
    job.executor = b->tool->threads ? tm_sys_threads_executor(b->tool->threads) : NULL;
    job.memory_budget = b->slots[index].cost.memory;
    if (b->tool->progress.wanted) {
        b->slots[index].batch = b;
        job.progress = on_part;
        job.progress_ctx = &b->slots[index];
    }
    return job;
}

static tm_status work_on(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    batch *b = ctx;
    slot *s = &b->slots[index];
    const tm_job job = job_of_file(b, index);
    (void)worker;
    (void)stop;
    (void)error;
    s->out.color = b->tool->out.color;
    s->out.columns = b->tool->out.columns;
    s->err.color = b->tool->color_err;
    s->report = (cli_report){b->tool, index, b->paths[index], &job, &s->out, &s->err, STATUS_DONE, false};
    b->work(b->ctx, &s->report);
    atomic_fetch_add(&b->finished, 1);
    atomic_store(&s->done, true);
    print_due(b);
    return TM_OK;
}

/*
 * The memory for drawing a map: half more than it announces, as images are prepared, at most the limit, which
 * the work keeps to. A cost below the share, which each thread has anyway, counts as it is.
 */
static uint64_t cost_within(uint64_t cost, uint64_t share, uint64_t limit)
{
    const uint64_t all = cost > share ? cost + cost / 2 : cost;
    return all < limit ? all : limit;
}

static void work_side_by_side(batch *b)
{
    const uint64_t limit = b->tool->memory, budget = limit ? limit : (uint64_t)1 << 30;
    tm_job job = TM_JOB_INIT;
    tm_tasks pieces = TM_TASKS_INIT;
    job.executor = b->tool->threads ? tm_sys_threads_executor(b->tool->threads) : NULL;
    job.memory_budget = budget;
    pieces.ctx = b;
    pieces.num = (uint32_t)b->num; /* more paths do not fit in memory */
    pieces.work = work_on;
    pieces.weight = weight_of_file;
    pieces.memory = memory_of_file;
    const uint64_t share = budget / (job.executor ? job.executor->threads : 1);
    for (size_t i = 0; i < b->num; i++)
        b->slots[i].cost = file_cost_of(b->paths[i], b->tool->needs, share);
    for (size_t i = 0; limit && i < b->num; i++)
        b->slots[i].cost.memory = cost_within(b->slots[i].cost.memory, share, limit);
    if (tm_tasks_run(&pieces, &job, NULL))
        out_of_memory(); /* the pieces themselves do not fail */
}

static void on_bytes(void *ctx, uint64_t done, uint64_t total)
{
    progress_show(ctx, done, total);
}

static void work_alone(cli_tool *tool, const char *path, file_work work, void *ctx)
{
    text err = {.color = tool->color_err};
    tm_job job = TM_JOB_INIT;
    cli_report report = {tool, 0, path, &job, &tool->out, &err, STATUS_DONE, false};
    job.executor = tool->threads ? tm_sys_threads_executor(tool->threads) : NULL;
    if (tool->memory)
        job.memory_budget = tool->memory;
    job.progress = on_bytes;
    job.progress_ctx = &tool->progress;
    work(ctx, &report);
    progress_clear(&tool->progress);
    text_flush(&tool->out);
    tool_print(tool, &err);
    raise_status(&tool->status, report.status);
    text_release(&err);
}

static void start_threads(cli_tool *tool, size_t useful)
{
    uint32_t threads = tool->common->threads ? tool->common->threads : tm_sys_processors();
    /* More threads than files have something to do only where the work on one file has pieces. */
    if (tool->needs == FILE_NEEDS_HEAD && useful > 1 && useful < threads)
        threads = (uint32_t)useful;
    tm_error error = {0};
    if (threads > 1 && tm_sys_threads_new(&tool->threads, threads, NULL, &error))
        tool->threads = NULL; /* slower, but it works */
}

void tool_each(cli_tool *tool, const char *const *paths, size_t num, file_work work, void *ctx)
{
    if (num == 0)
        return;
    start_threads(tool, num);
    progress_begin(&tool->progress, !tool->common->quiet, tool->command->name,
                   num == 1 ? path_name(paths[0]) : NULL,
                   num == 1                 ? tool->unit
                   : tool->command->endings ? "files"
                                            : "maps");
    if (num == 1) {
        work_alone(tool, paths[0], work, ctx);
        return;
    }
    batch b = {.tool = tool,
               .num = num,
               .paths = paths,
               .work = work,
               .ctx = ctx,
               .slots = must_alloc(num, sizeof(slot)),
               .printing = ATOMIC_FLAG_INIT};
    work_side_by_side(&b);
    progress_clear(&tool->progress);
    free(b.slots);
}

void tool_print(cli_tool *tool, text *talk)
{
    if (talk->size) {
        progress_clear(&tool->progress);
        text_flush(&tool->out);
        fwrite(talk->bytes, 1, talk->size, stderr);
        fflush(stderr);
    }
    text_release(talk);
}

int tool_trouble(cli_tool *tool, const char *path, const char *reason)
{
    text err = {0};
    put_trouble(&err, path, reason);
    tool_print(tool, &err);
    raise_status(&tool->status, STATUS_TROUBLE);
    return STATUS_TROUBLE;
}

int tool_usage(cli_tool *tool, const char *reason)
{
    return tool_trouble(tool, tool->command->name, reason);
}

void tool_error(cli_tool *tool, const char *path, const tm_error *error)
{
    text err = {0};
    put_error(&err, path, error);
    tool_print(tool, &err);
    raise_status(&tool->status, STATUS_TROUBLE);
}

void tool_warn_of_folders(cli_tool *tool)
{
    text err = {.color = tool->color_err};
    for (const option_row *row = tool->command->rows; row->type != OPTION_END; row++) {
        if (row->type != OPTION_FOLDERS)
            continue;
        const void *field = (const char *)tool->options + row->offset;
        const word_list *folders = field;
        for (size_t i = 0; i < folders->num; i++) {
            tm_sys_kind kind;
            tm_error error;
            if (tm_sys_get_kind(&kind, folders->words[i], &error)) {
                put_error(&err, NULL, &error);
                raise_status(&tool->status, STATUS_TROUBLE);
                continue;
            }
            if (kind == TM_SYS_FOLDER)
                continue;
            if (tool->common->quiet)
                continue;
            text_string(&err, "teemap: ");
            text_lead(&err, folders->words[i]);
            put_severity(&err, TM_SEVERITY_WARNING);
            text_print(&err, ": --%s names a folder that is not there\n", row->name);
        }
    }
    tool_print(tool, &err);
}

/* Says which mods there are, where a name is none of them, and no file's. */
static void refuse_mod(cli_tool *tool, const char *name)
{
    text names = {0};
    const tm_mod *mod;
    text_string(&names, "there is no such mod, and no such file; mods are ");
    for (uint32_t n = 0; (mod = tm_mod_at(n)); n++)
        text_print(&names, "%s%s", n ? ", " : "", mod->name);
    tool_trouble(tool, name, text_words(&names));
    text_release(&names);
}

bool tool_find_mod(cli_tool *tool)
{
    enum { MOST = 1 << 18 }; /* bytes: tm_mod_read takes no more */
    common_options *options = tool->common;
    const char *name = options->mod_name;
    tm_error error = {.offset = -1};
    uint8_t *bytes = NULL;
    size_t size;
    if (!name || (options->mod = tm_mod_by_name(name)))
        return true;
    tm_status status = read_path(&bytes, &size, name, MOST, NULL, &error);
    if (status && !strpbrk(name, "./\\")) { /* it is no path: a name was meant */
        refuse_mod(tool, name);
        return false;
    }
    if (!status)
        status = tm_mod_read(&options->mod_file, (const char *)bytes, size, NULL, &error);
    free(bytes);
    options->mod = options->mod_file;
    if (status)
        tool_error(tool, name, &error);
    return !status;
}

/* Whether the terminal shows colors and the user wants them (https://no-color.org). */
static bool shows_colors(bool is_terminal)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return is_terminal && !(refused && *refused) && !(terminal && strcmp(terminal, "dumb") == 0);
}

void tool_begin(cli_tool *tool)
{
    *tool = (cli_tool){.stdout_sink = tm_sys_stdout()};
    tool->out.sink = &tool->stdout_sink;
    tool->out.color = shows_colors(tm_sys_stdout_is_terminal());
    tool->out.columns = tm_sys_stdout_is_terminal() ? tm_sys_terminal_width() : 0;
    tool->color_err = shows_colors(tm_sys_stderr_is_terminal());
}

int tool_finish(cli_tool *tool)
{
    if (!text_flush(&tool->out))
        tool_error(tool, "standard output", &tool->out.error);
    tm_sys_threads_free(tool->threads);
    text_release(&tool->out);
    return tool->status;
}

/* -------------------------------------------------------------------------------------------------- lines */

const char *path_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

const char *path_base(const char *path)
{
    const char *base = path;
    for (; *path; path++)
        if (*path == '/' && path[1])
            base = path + 1;
    return base;
}

void put_about(text *out, const char *path, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    text_lead(out, path_name(path));
    text_print_list(out, format, list);
    va_end(list);
}

void put_note(text *err, const char *path, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    text_string(err, "teemap: ");
    text_lead(err, path_name(path));
    text_print_list(err, format, list);
    va_end(list);
}

void put_trouble(text *err, const char *path, const char *reason)
{
    text_string(err, "teemap: ");
    text_lead(err, path);
    text_print(err, "%s\n", reason);
}

void put_error(text *err, const char *path, const tm_error *error)
{
    const char *subject = error->path[0] ? error->path : path;
    text_string(err, "teemap: ");
    if (subject)
        text_lead(err, subject);
    if (error->place[0])
        text_lead(err, error->place);
    text_safe(err, error->text[0] ? error->text : tm_status_name(error->code));
    if (error->offset >= 0 && error->code != TM_ERROR_IO)
        text_print(err, " (at byte %" PRId64 ")", error->offset);
    text_string(err, "\n");
}

void put_severity(text *out, tm_severity severity)
{
    enum { RED = 31, YELLOW = 33 };
    const bool painted = out->color && severity != TM_SEVERITY_NOTE;
    if (painted)
        text_print(out, "\033[%dm", severity == TM_SEVERITY_ERROR ? RED : YELLOW);
    text_string(out, tm_severity_name(severity));
    text_string(out, painted ? "\033[0m" : "");
}

static void put_finding_words(text *out, const char *path, const tm_finding *finding, const char *id)
{
    if (path)
        text_lead(out, path);
    if (finding->place[0])
        text_lead(out, finding->place);
    put_severity(out, finding->severity);
    text_string(out, ": ");
    text_safe(out, finding->text);
    text_print(out, " [%s]", id);
    if (finding->count > 1)
        text_print(out, " (%" PRIu64 " times)", finding->count);
}

void put_named_finding(text *out, const char *path, const tm_finding *finding, const char *id)
{
    put_finding_words(out, path, finding, id);
    text_string(out, "\n");
}

/* Findings of several objects that are printed as one line: their texts differ in numbers only. */
typedef struct equal_findings {
    const tm_finding *first;
    size_t num;
    char places[128]; /* of the others, the first few */
} equal_findings;

enum { MAX_GROUPS = 256 }; /* further findings have a line each */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool are_equal(const tm_finding *a, const tm_finding *b)
{
    const char *x = a->text, *y = b->text;
    if (a->id != b->id || !a->place[0] || !b->place[0])
        return false;
    if (a->id == TM_FINDING_OBJECT_LOST || a->id == TM_FINDING_OBJECT_DAMAGED ||
        a->id == TM_FINDING_LOST_TILES)
        return strcmp(x, y) == 0; /* the numbers are the loss */
    for (;; x++, y++) {
        while (is_digit(*x))
            x++;
        while (is_digit(*y))
            y++;
        if (*x != *y || !*x)
            return *x == *y;
    }
}

static size_t group_findings(equal_findings *groups, const tm_findings *findings, tm_severity least, bool all)
{
    size_t num = 0;
    for (size_t i = 0; i < findings->num; i++) {
        const tm_finding *finding = &findings->list[i];
        size_t at = all || num > MAX_GROUPS ? num : 0;
        if (finding->severity < least)
            continue;
        while (at < num && !are_equal(groups[at].first, finding))
            at++;
        if (at == num)
            groups[num++] = (equal_findings){.first = finding};
        else if (groups[at].num < 4)
            snprintf(groups[at].places + strlen(groups[at].places),
                     sizeof(groups[at].places) - strlen(groups[at].places), "%s%.40s",
                     groups[at].num == 1 ? "" : "; ", groups[at].num == 3 ? "..." : finding->place);
        groups[at].num++;
    }
    return num;
}

size_t put_finding_lines(text *out, const tm_findings *findings, finding_lines lines)
{
    equal_findings *groups = must_alloc(findings->num, sizeof(*groups));
    const size_t num = group_findings(groups, findings, lines.least, lines.all);
    for (size_t i = 0; i < num && i < lines.most; i++) {
        text_string(out, lines.prefix);
        put_finding_words(out, lines.path, groups[i].first, tm_finding_name(groups[i].first->id));
        if (groups[i].num > 1) {
            text_print(out, " (and %zu more: ", groups[i].num - 1);
            text_safe(out, groups[i].places);
            text_string(out, ")");
        }
        text_string(out, "\n");
    }
    free(groups);
    if (num > lines.most) {
        text_string(out, lines.prefix);
        text_safe(out, lines.path);
        text_print(out, ": and %zu more; 'teemap check' lists all\n", num - lines.most);
    }
    return num;
}

bool findings_lose(const tm_findings *findings)
{
    for (size_t i = 0; i < findings->num; i++)
        if (findings->list[i].id >= TM_FINDING_LOST_LAYER && findings->list[i].id <= TM_FINDING_LOST_IMAGE)
            return true;
    return false;
}

void report_findings(cli_report *report, const tm_findings *findings, shown_findings which)
{
    const common_options *options = report->tool->common;
    const tm_severity least = options->verbose       ? TM_SEVERITY_NOTE
                              : which == SHOW_ERRORS ? TM_SEVERITY_ERROR
                                                     : TM_SEVERITY_WARNING;
    raise_status(&report->status, findings->errors ? STATUS_FINDINGS : STATUS_DONE);
    if (options->quiet)
        return;
    put_finding_lines(report->err, findings,
                      (finding_lines){"teemap: ", path_name(report->path), least, false,
                                      which == SHOW_ALL || options->verbose ? SIZE_MAX : FEW_FINDINGS});
    for (size_t i = 0; i < findings->num; i++)
        report->refused |= findings->list[i].refuses;
}

void report_note(cli_report *report, const char *words)
{
    if (!report->tool->common->quiet)
        put_trouble(report->err, path_name(report->path), words);
}

void report_done(cli_report *report, json_t *object, const char *form)
{
    if (report->tool->common->json)
        text_json_line(report->out, object);
    else if (report->tool->common->verbose)
        form_line(report->err, form, object);
    else
        json_free(object);
}

bool tool_is_watched(const cli_tool *tool)
{
    return !tool->common->quiet && !tool->common->json && tm_sys_stderr_is_terminal();
}

void report_error(cli_report *report, const tm_error *error)
{
    if (error->side == TM_SIDE_OUTPUT && strcmp(error->path, "standard output") == 0) {
        report->tool->out.error = *error; /* reported at the end */
        return;
    }
    /* A refusal for which a finding stands needs no second line. */
    if (!report->refused || error->code != TM_ERROR_DAMAGED)
        put_error(report->err, path_name(report->path), error);
    raise_status(&report->status, STATUS_TROUBLE);
}

/* SPDX-License-Identifier: Zlib */
/*
 * Runs a command and prints what it cost by the kernel's account: user and system time, wall time, peak memory.
 *
 *   bench_child [-l LIST] [-e STATUS] [-q] COMMAND ARGUMENT...
 *
 * With -l the command runs once for each line of LIST: "{}" in an argument becomes the line, "{n}" its number, and
 * the argument "{all}" all lines, for a command that takes them in one call. Times add up; the peak is the
 * greatest. -e tells the exit status of a command that did its work (default 0). -q sends the command's output to /dev/null.
 *
 * A small program of its own because a child starts with the peak of what forked it: a script's interpreter would
 * report its own megabytes as the command's.
 */
#define _DEFAULT_SOURCE

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct cost {
    double cpu, wall; /* seconds */
    long peak;        /* KiB */
    int expected;     /* exit status of a command that did its work */
    unsigned runs, failures;
};

struct list {
    char **lines;
    size_t num;
};

static _Noreturn void die(const char *what)
{
    perror(what);
    exit(2);
}

static void *checked(void *memory)
{
    if (!memory)
        die("memory");
    return memory;
}

static void read_list(struct list *list, const char *path)
{
    char line[4096];
    FILE *file = fopen(path, "r");

    if (!file)
        die(path);
    while (fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        list->lines = checked(realloc(list->lines, (list->num + 1) * sizeof(*list->lines)));
        list->lines[list->num++] = checked(strdup(line));
    }
    fclose(file);
}

/* The argument with the first mark in it replaced. Never freed: the process is short. */
static char *fill_in(char *argument, const char *mark, const char *value)
{
    char *at = strstr(argument, mark), *filled;
    size_t size;

    if (!at)
        return argument;
    size = strlen(argument) + strlen(value) + 1;
    filled = checked(malloc(size));
    snprintf(filled, size, "%.*s%s%s", (int)(at - argument), argument, value, at + strlen(mark));
    return filled;
}

static char **build_arguments(char **command, int num, const struct list *list, size_t index)
{
    char **arguments = checked(calloc((size_t)num + list->num + 1, sizeof(*arguments)));
    char number[32];
    size_t k = 0;

    snprintf(number, sizeof(number), "%zu", index);
    for (int i = 0; i < num; i++) {
        if (strcmp(command[i], "{all}") == 0) {
            for (size_t n = 0; n < list->num; n++)
                arguments[k++] = list->lines[n];
        } else {
            char *argument = fill_in(command[i], "{n}", number);

            arguments[k++] = list->num > 0 ? fill_in(argument, "{}", list->lines[index]) : argument;
        }
    }
    return arguments;
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static void run(struct cost *cost, char **arguments, bool quiet)
{
    struct timespec begin, end;
    struct rusage usage;
    int status;
    pid_t child;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    child = fork();
    if (child < 0)
        die("fork");
    if (child == 0) {
        int null = quiet ? open("/dev/null", O_WRONLY) : -1;

        if (null >= 0) {
            dup2(null, STDOUT_FILENO);
            dup2(null, STDERR_FILENO);
        }
        execvp(arguments[0], arguments);
        _exit(127);
    }
    if (wait4(child, &status, 0, &usage) < 0)
        die("wait4");
    clock_gettime(CLOCK_MONOTONIC, &end);
    cost->cpu += seconds(usage.ru_utime) + seconds(usage.ru_stime);
    cost->wall += (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
    if (usage.ru_maxrss > cost->peak)
        cost->peak = usage.ru_maxrss;
    cost->runs++;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != cost->expected)
        cost->failures++;
}

int main(int argc, char **argv)
{
    struct list list = {0};
    struct cost cost = {0};
    bool quiet = false, together = false;
    int letter;

    while ((letter = getopt(argc, argv, "+l:e:q")) != -1)
        if (letter == 'l')
            read_list(&list, optarg);
        else if (letter == 'q')
            quiet = true;
        else if (letter == 'e')
            cost.expected = atoi(optarg);
        else
            return 2;
    if (optind == argc) {
        fprintf(stderr, "use: %s [-l LIST] [-e STATUS] [-q] COMMAND ARGUMENT...\n", argv[0]);
        return 2;
    }
    for (int i = optind; i < argc; i++)
        together = together || strcmp(argv[i], "{all}") == 0;
    for (size_t i = 0; i < (together || list.num == 0 ? 1 : list.num); i++)
        run(&cost, build_arguments(argv + optind, argc - optind, &list, i), quiet);
    fprintf(stderr, "child cpu=%.6f wall=%.6f peak=%ld runs=%u failures=%u\n", cost.cpu, cost.wall, cost.peak,
            cost.runs, cost.failures);
    return 0;
}

/* SPDX-License-Identifier: Zlib */
/*
 * In which fields two maps differ: differences MAP OTHER prints a line for each value, 20 at most, but not for pixels, tiles and
 * other data. Objects are compared at equal places; teemap/patch.h finds those that moved. Ends with 1 where there are any.
 */
#include <teemap/teemap.h>

#include <stdio.h>

enum { MOST = 20 };

typedef struct listing {
    tm_map *maps[2];
    int num;
} listing;

static bool print_one(void *ctx, const tm_difference *difference)
{
    listing *list = ctx;
    char line[512];
    tm_difference_format(line, sizeof(line), difference, list->maps[0], list->maps[1]);
    puts(line);
    return ++list->num < MOST;
}

int main(int argc, char **argv)
{
    const tm_compare_options fields_alone = {.size = sizeof(fields_alone), .skip_data = true};
    listing list = {{NULL, NULL}, 0};
    tm_error error;
    tm_status status = TM_OK;
    for (int i = 0; i < 2 && argc == 3 && !status; i++)
        status = tm_store_load(&list.maps[i], argv[1 + i], NULL, NULL, &error);
    if (argc == 3 && !status)
        status = tm_map_compare(list.maps[0], list.maps[1], &fields_alone, print_one, &list, &error);
    if (argc != 3)
        fprintf(stderr, "use: differences MAP OTHER\n");
    else if (status)
        fprintf(stderr, "%s: %s\n", error.path, error.text);
    for (int i = 0; i < 2; i++)
        tm_map_free(list.maps[i]);
    return argc != 3 || status ? 2 : list.num > 0;
}

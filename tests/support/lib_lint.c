/* SPDX-License-Identifier: Zlib */
#include "lib_lint.h"

const char test_lint_race[] =
    "add group Game\nadd layer Game game 20x15\nborders solid 1\n"
    "add layer Game front\nadd layer Game tele\nadd layer Game speedup\nadd layer Game switch\nadd layer Game tune\n"
    "fill game@2,2+2x1 spawn\nfill game@5,1+1x13 start\nfill game@10,1+1x13 time-checkpoint-1\n"
    "fill game@15,1+1x13 finish\nfill front@3,10+2x2 freeze\n"
    "fill tele@7,7+1x2 tele-in-evil:1\nfill tele@8,10+2x1 tele-out:1\n"
    "fill tele@9,3+1x1 tele-checkpoint:1\nfill tele@9,4+1x1 tele-checkpoint-out:1\n"
    "fill tele@9,5+1x1 tele-checkpoint-in-evil\n"
    "fill speedup@11,3+1x1 speedup:force=10\n"
    "fill switch@12,3+1x1 switch-open:1\nfill switch@12,5+1x1 freeze:1:delay=3\n"
    "fill tune@13,3+1x1 tune:1\nsettings add 'tune_zone 1 gravity 0.25'\n";

tm_map *test_lint_new_race(void)
{
    tm_map *map = test_map_new();
    test_edit_does(map, test_lint_race);
    return map;
}

const tm_finding *test_lint_find(const tm_lint_result *result, tm_finding_id id, size_t *index)
{
    for (size_t i = 0; i < result->findings.num; i++)
        if (result->findings.list[i].id == id) {
            *index = i;
            return &result->findings.list[i];
        }
    return NULL;
}

/* Of the image walls alone. */
static tm_status give_walls(void *ctx, const char *image, tm_game game, const tm_allocator *allocator,
                            uint8_t **bytes, size_t *num, tm_error *error)
{
    static const char rules[] = "[Walls]\nIndex 2\nPos 0 -1 EMPTY\n[Wild]\nIndex 3\nRandom 2\n";
    (void)ctx, (void)game, (void)error;
    *bytes = NULL;
    return strcmp(image, "walls") == 0 ? test_give_bytes(rules, sizeof(rules) - 1, allocator, bytes, num)
                                       : TM_ERROR_NOT_FOUND;
}

tm_lint_config *test_lint_config(const char *text)
{
    tm_lint_config *config;
    tm_error error = {.offset = -1};
    must(tm_lint_config_new(&config, NULL, NULL));
    if (tm_lint_config_add(config, "maps/.teemap.toml", text, strlen(text), &error))
        fail_msg("%s: %s", error.path, error.text);
    return config;
}

void test_lint_ask(tm_lint_result *result, const tm_map *map)
{
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    tm_error error = {.offset = -1};
    options.sets = TM_LINT_ALL | TM_LINT_TYPES;
    options.rules = give_walls;
    if (tm_lint_run(result, map, &options, &error))
        fail_msg("%s: %s", error.place, error.text);
}

uint32_t test_lint_guess(const tm_map *map)
{
    tm_lint_result result;
    must(tm_lint_run(&result, map, NULL, NULL));
    const uint32_t sets = result.sets;
    tm_lint_result_release(&result);
    return sets;
}

/* SPDX-License-Identifier: Zlib */
/*
 * All rules on the real maps of the corpus: none is called wrong for certain, whatever is found has a text and a place in the
 * map, asking twice gives the same, and a fix that is called safe does away with its finding. Skipped without the corpus.
 *
 * test-timeout: 600
 */
#include "support/lib_edit.h"
#include "lint/lint.h"

typedef struct tally {
    uint32_t maps, wrong, fixes;
} tally;

static void say(tally *count, const char *path, const tm_finding *finding, const char *description)
{
    print_error("%s: %s: %s [%s]: %s\n", path, finding->place, finding->text, tm_finding_name(finding->id),
                description);
    count->wrong++;
}

static bool places_lie_inside(const tm_map *map, const tm_finding *finding, const tm_region *places,
                              uint32_t num)
{
    tm_address address;
    uint64_t sum = 0;
    if (!num)
        return true;
    if (tm_address_parse(&address, map, finding->address, NULL) || address.kind != TM_KIND_LAYER)
        return false;
    const tm_tile_layer *layer = &map->groups[address.index].layers[address.layer].as.tiles;
    for (uint32_t i = 0; i < num; i++) {
        if (!places[i].rect.width || !places[i].rect.height || tmi_right(&places[i].rect) > layer->width ||
            tmi_bottom(&places[i].rect) > layer->height ||
            places[i].num > (uint64_t)places[i].rect.width * places[i].rect.height)
            return false;
        sum += places[i].num;
    }
    return sum <= finding->count && (sum == finding->count || num == 200 || finding->address[0]);
}

/* Whether the same finding, by rule and text, is still there. */
static bool is_there(const tm_lint_result *result, const tm_finding *finding)
{
    for (size_t i = 0; i < result->findings.num; i++)
        if (result->findings.list[i].id == finding->id && result->findings.list[i].count == finding->count &&
            strcmp(result->findings.list[i].address, finding->address) == 0 &&
            strcmp(result->findings.list[i].place, finding->place) == 0 &&
            strcmp(result->findings.list[i].text, finding->text) == 0)
            return true;
    return false;
}

static void lint_by(tm_lint_result *out, const tm_map *map, uint32_t sets)
{
    tm_lint_options options = {.size = sizeof(options), .sets = sets};
    must(tm_lint_run(out, map, &options, NULL));
}

static uint64_t count_of(const tm_lint_result *result, tm_finding_id id)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < result->findings.num; i++)
        sum += result->findings.list[i].id == id ? result->findings.list[i].count : 0;
    return sum;
}

/* The first finding of each rule whose fix is safe. */
static void fix_some(tally *count, const tm_map *map, const tm_lint_result *found, const char *path)
{
    tm_finding_id last = TM_FINDING_NONE;
    for (size_t i = 0; i < found->findings.num; i++) {
        const tm_finding *finding = &found->findings.list[i];
        const char *fix = tm_lint_fix_line(found, i);
        if (finding->id == last || !fix[0] || !tmi_lint_rule_of(finding->id)->safe ||
            finding->id == TM_FINDING_IMAGE_SHIPPED)
            continue;
        last = finding->id;
        OWN(tm_map) *clone = test_edited(map, fix);
        OWN(tm_lint_result) after;
        lint_by(&after, clone, TM_LINT_ALL | TM_LINT_TYPES);
        if (count_of(&after, finding->id) >= count_of(found, finding->id))
            say(count, path, finding, fix);
        count->fixes++;
    }
}

/* By the rules that suit the map, as they are asked of it when nobody says otherwise. */
static void look_for_errors(tally *count, const tm_map *map, const char *path)
{
    OWN(tm_lint_result) result;
    lint_by(&result, map, 0);
    for (size_t i = 0; i < result.findings.num; i++)
        if (result.findings.list[i].severity == TM_SEVERITY_ERROR)
            say(count, path, &result.findings.list[i], "an error in a map that games ship");
}

static bool lint_real_map(void *ctx, tm_map *map, const tm_buffer *file, const char *path)
{
    tally *count = ctx;
    OWN(tm_lint_result) result, second;
    (void)file;
    lint_by(&result, map, TM_LINT_ALL | TM_LINT_TYPES);
    lint_by(&second, map, TM_LINT_ALL | TM_LINT_TYPES);
    assert_int_equal(result.findings.num, second.findings.num);
    for (size_t i = 0; i < result.findings.num; i++) {
        uint32_t num;
        const tm_finding *finding = &result.findings.list[i];
        const tm_region *places = tm_lint_places(&num, &result, i);
        if (!finding->text[0] || !places_lie_inside(map, finding, places, num))
            say(count, path, finding, "its places are not in the map");
        if (!is_there(&second, finding))
            say(count, path, finding, "is not found again");
    }
    look_for_errors(count, map, path);
    fix_some(count, map, &result, path);
    return true;
}

TEST(real_maps_are_judged_soundly)
{
    tally count = {0};
    test_real_maps(lint_real_map, &count);
    print_message("%u fixes\n", (unsigned)count.fixes);
    assert_int_equal(count.wrong, 0);
}

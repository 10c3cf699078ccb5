/* SPDX-License-Identifier: Zlib */
/*
 * Fuzz target: a file of rules from a stranger. What is read keeps to its bounds, each finding has a text and a line of the
 * file; formatted it is the same rules, formatted again the same text; written for DDNet it can be read.
 *
 *   OFFSET SIZE MEANING
 *        0    1 the dialect
 *     rest      the file
 */
#include "fuzz.h"
#include "../src/automap/automap.h"

static const tm_automap_read_options *reading(tm_automap_dialect dialect, const tm_allocator *allocator)
{
    static tm_automap_read_options options;
    options = (tm_automap_read_options){sizeof(options), dialect, &fuzz_limits, allocator};
    return &options;
}

static void require_findings(const tm_findings *findings, size_t size)
{
    for (size_t i = 0; i < findings->num; i++) {
        const tm_finding *finding = &findings->list[i];
        uint32_t line, column;
        FUZZ_REQUIRE(finding->text[0] && finding->offset <= (int64_t)size, "%s",
                     tm_finding_name(finding->id));
        FUZZ_REQUIRE(tm_automap_finding_line(&line, &column, finding) ||
                         finding->id == TM_FINDING_RULES_EMPTY,
                     "%s has no line", tm_finding_name(finding->id));
    }
}

static void require_rule(const tm_automap_config *config, const tm_automap_rule *rule)
{
    FUZZ_REQUIRE(!(rule->flags & ~11), "flags %u", rule->flags);
    for (uint32_t i = 0; i < rule->num_conditions; i++) {
        const tm_automap_condition *c = &rule->conditions[i];
        FUZZ_REQUIRE(c->num_entries > 0 && c->entries, "an empty list");
        for (uint32_t k = 0; k < c->num_entries; k++)
            FUZZ_REQUIRE(c->entries[k].flags >= TM_AUTOMAP_ANY_FLAGS && c->entries[k].flags <= 11, "flags %d",
                         (int)c->entries[k].flags);
    }
    for (uint32_t i = 0; i < rule->num_modulos; i++)
        FUZZ_REQUIRE(rule->modulos[i].every_x > 0 && rule->modulos[i].every_y > 0, "Modulo");
    FUZZ_REQUIRE(config->start_x <= 0 && config->end_x >= 0 && config->start_y <= 0 && config->end_y >= 0,
                 "extents");
    FUZZ_REQUIRE(tmi_automap_makes(config, (uint8_t)rule->index) || config->kind == TM_AUTOMAP_DOODADS,
                 "makes");
}

static size_t count_rules(const tm_automap_rules *rules)
{
    uint32_t num;
    size_t sum = 0;
    const tm_automap_config *configs = tm_automap_configs(&num, rules);
    for (uint32_t i = 0; i < num; i++) {
        FUZZ_REQUIRE(configs[i].num_passes > 0 && strlen(configs[i].name) <= 127, "configuration %u",
                     (unsigned)i);
        for (uint32_t k = 0; k < configs[i].num_passes; k++) {
            sum += configs[i].passes[k].num_rules + 1;
            for (uint32_t n = 0; n < configs[i].passes[k].num_rules; n++)
                require_rule(&configs[i], &configs[i].passes[k].rules[n]);
        }
    }
    return sum;
}

static tm_automap_rules *read_again(const tm_buffer *text, tm_automap_dialect dialect,
                                    const tm_allocator *allocator)
{
    tm_automap_rules *rules;
    tm_error error;
    const tm_status status =
        tm_automap_read(&rules, text->bytes, text->size, reading(dialect, allocator), NULL, &error);
    FUZZ_REQUIRE(status == TM_OK, "%s", error.text);
    return rules;
}

/* False: it is JSON that was read as lines. */
static bool format(tm_buffer *out, const void *bytes, size_t size, tm_automap_dialect dialect,
                   const tm_allocator *allocator)
{
    const tm_output output = tm_output_to_buffer(out);
    tm_error error;
    const tm_status status =
        tm_automap_format(&output, bytes, size, reading(dialect, allocator), NULL, &error);
    FUZZ_REQUIRE(status == TM_OK || (status == TM_ERROR_UNSUPPORTED && out->size == 0), "%s", error.text);
    return status == TM_OK;
}

static void format_twice(const void *bytes, size_t size, size_t num, tm_automap_dialect dialect,
                         const tm_allocator *allocator)
{
    tm_buffer first = {.allocator = allocator}, second = first;
    if (!format(&first, bytes, size, dialect, allocator))
        return;
    tm_automap_rules *reread = read_again(&first, dialect, allocator);
    FUZZ_REQUIRE(count_rules(reread) == num, "other rules when formatted");
    FUZZ_REQUIRE(format(&second, first.bytes, first.size, dialect, allocator), "what was formatted is JSON");
    fuzz_require_equal(first.bytes, first.size, second.bytes, second.size, "formatted again");
    tm_automap_free(reread);
    tm_buffer_release(&first);
    tm_buffer_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct test_memory memory;
    tm_automap_rules *rules;
    tm_findings findings;
    tm_error error;
    if (size < 1 || size > FUZZ_MAX_INPUT)
        return 0;
    const tm_automap_dialect dialect = (tm_automap_dialect)(bytes[0] % TM_AUTOMAP_DIALECTS);
    test_memory_init(&memory);
    tm_findings_init(&findings, 200, &memory.allocator);
    const tm_status status =
        tm_automap_read(&rules, bytes + 1, size - 1, reading(dialect, &memory.allocator), &findings, &error);
    if (status == TM_OK) {
        tm_buffer written = {.allocator = &memory.allocator};
        const tm_output output = tm_output_to_buffer(&written);
        const size_t num = count_rules(rules);
        FUZZ_REQUIRE(tm_automap_review(rules, &findings, &error) == TM_OK, "%s", error.text);
        FUZZ_REQUIRE(tm_automap_write(&output, rules, &findings, &error) == TM_OK, "%s", error.text);
        tm_automap_rules *reread = read_again(&written, TM_AUTOMAP_DDNET, &memory.allocator);
        if (dialect == TM_AUTOMAP_DDNET)
            FUZZ_REQUIRE(count_rules(reread) == num, "other rules when written");
        if (dialect != TM_AUTOMAP_TEEWORLDS07)
            format_twice(bytes + 1, size - 1, num, dialect, &memory.allocator);
        tm_automap_free(reread);
        tm_buffer_release(&written);
    } else {
        fuzz_check_failure(status, &error);
    }
    require_findings(&findings, size);
    tm_automap_free(rules);
    tm_findings_release(&findings);
    fuzz_check_memory(&memory, 256 * 1024 * 1024);
    return 0;
}

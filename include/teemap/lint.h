/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_LINT_H
#define TEEMAP_LINT_H
/*
 * teemap/lint.h - would one release this map? A table of rules, each with an id, a reason and a fix, and one
 * function that asks them all of a map. What keeps a file from being read is not asked here: that is what
 * loading and tm_mapfile_check_data find. docs/lint.md is the manual of the rules.
 *
 *     tm_lint_result result;
 *     status = tm_lint_run(&result, map, NULL, &error);
 *     for (size_t i = 0; i < result.findings.num; i++)
 *         puts(result.findings.list[i].text);
 *     tm_lint_result_release(&result);
 *
 * A finding is told as people think: "14 tiles of ..." with the places where they are, or "14 envelopes" with
 * their addresses, not fourteen findings. Rules of one's own are patterns in files (tm_lint_config_add) or
 * code (tm_lint_config_add_rule).
 *
 * Memory comes from the allocator of the map, and that of a configuration from its own. The allocator must
 * outlive the result.
 *
 * Threads: the table is constant. A map is only read; any number of threads may ask the same one.
 */
#include <teemap/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------------- rules */

/* Sets of rules: for which maps they are. A map may be measured by several. */
typedef enum tm_lint_set {
    TM_LINT_DDNET = 1,                  /* races of DDNet and its kin */
    TM_LINT_KOG = 2,                    /* what King of Gores asks besides */
    TM_LINT_VANILLA = 4,                /* ctf and dm maps of Teeworlds 0.5 and 0.6 */
    TM_LINT_TEEWORLDS07 = 8,            /* maps of Teeworlds 0.7 */
    TM_LINT_STYLE = 16,                 /* tidiness: nothing that anybody would notice in the game */
    TM_LINT_RELEASE = 1 << 21,          /* what a map says of itself when it is given to others */
    TM_LINT_ALL = 31 | TM_LINT_RELEASE, /* all of these; types of servers are a matter of the map */
    /* Types of DDNet's servers. Each asks TM_LINT_DDNET, and rules of its own or some fewer. */
    TM_LINT_NOVICE = 1 << 5,
    TM_LINT_MODERATE = 1 << 6,
    TM_LINT_BRUTAL = 1 << 7,
    TM_LINT_INSANE = 1 << 8,
    TM_LINT_DUMMY = 1 << 9,
    TM_LINT_DDMAX = 1 << 10,
    TM_LINT_OLDSCHOOL = 1 << 11,
    TM_LINT_SOLO = 1 << 12,
    TM_LINT_RACE = 1 << 13,
    TM_LINT_FUN = 1 << 14,
    /* Games of Teeworlds. Each asks TM_LINT_VANILLA, or TM_LINT_TEEWORLDS07 of maps of 0.7. */
    TM_LINT_CTF = 1 << 15,
    TM_LINT_DM = 1 << 16,
    /* Mods whose tiles mean other things than those of DDNet and Teeworlds: no rule of physics is asked. */
    TM_LINT_INFCLASS = 1 << 17,
    TM_LINT_MRPG = 1 << 18,
    TM_LINT_NINSLASH = 1 << 19,
    TM_LINT_FNG = 1 << 20,
    TM_LINT_MODS = 0x1e0000,
    TM_LINT_TYPES = 0x1fffe0 /* all types */
} tm_lint_set;
enum { TM_LINT_SETS = 22 }; /* bits */
/*
 * "ddnet", "kog", "vanilla", "teeworlds07", "style", "all", "novice", "moderate" and so on; NULL for another
 * number or a sum of sets. The names are tm_lint_set_name(1 << 0) to tm_lint_set_name(1 << 21), and "all".
 */
TM_API const char *tm_lint_set_name(uint32_t set);
/* The sets of a text: names with commas between. False, and 0, for an unknown name. */
TM_API bool tm_lint_sets_from_text(uint32_t *out, const char *text);

/* What asking a rule takes. */
typedef enum tm_lint_cost {
    TM_LINT_OBJECTS, /* nothing is unpacked */
    TM_LINT_PHYSICS, /* one pass over the physics layers, for all such rules together */
    TM_LINT_DESIGN,  /* one pass over the design layers */
    TM_LINT_PIXELS,  /* one pass over the pixels of embedded images */
    TM_LINT_SOUNDS   /* one pass over embedded sounds */
} tm_lint_cost;

/* Severities and numbers are in teemap/findings.h. */
typedef struct tm_lint_rule {
    tm_finding_id id;
    uint32_t sets;    /* bits of tm_lint_set */
    uint32_t not_for; /* types that do not ask it, though one of its sets does */
    tm_lint_cost cost;
    bool guess;         /* a heuristic: it may be wrong of this map */
    const char *title;  /* what is found, a sentence */
    const char *why;    /* why it matters, a sentence */
    const char *how;    /* how to fix it, a sentence */
    const char *fix;    /* the operation of teemap/edit.h that fixes it; NULL: somebody must think */
    bool safe;          /* the fix changes nothing that is seen or felt in the game */
    const char *source; /* where the rule comes from */
    const char *own; /* the id of a rule of a configuration, whose `id` is TM_FINDING_OWN_RULE; else NULL */
} tm_lint_rule;
/* The id in words, also that of an own rule. */
TM_API const char *tm_lint_rule_name(const tm_lint_rule *rule);
/* How bad its findings are as long as nobody chooses. */
TM_API tm_severity tm_lint_rule_severity(const tm_lint_rule *rule);
/* Whether the id of a rule fits a pattern, in which * stands for anything. */
TM_API bool tm_lint_rule_fits(const tm_lint_rule *rule, const char *pattern);
/* The n-th row of the table, by number; NULL behind the last one. */
TM_API const tm_lint_rule *tm_lint_rule_at(uint32_t n);

/* ------------------------------------------------------------------------------------------ configuration */

/*
 * Which rules are asked of which maps, and rules of one's own: what files like .teemap.toml say. Opaque. The
 * keys are explained in docs/lint.md.
 *
 *     tm_lint_config *config;
 *     status = tm_lint_config_new(&config, NULL, &error);
 *     if (!status)
 *         status = tm_lint_config_add(config, "maps/.teemap.toml", text, size, &error);
 *     options.config = config;
 *     options.path = "maps/old/Tutorial.map";
 *
 * Threads: one that is not added to any more never changes; any number of threads may ask by it.
 */
typedef struct tm_lint_config tm_lint_config;

TM_API tm_status tm_lint_config_new(tm_lint_config **out, const tm_allocator *allocator, tm_error *error);
TM_API void tm_lint_config_free(tm_lint_config *config);
/*
 * Adds what a file says, in TOML; what is added later overrules. `path` is the file's: patterns for paths of
 * maps begin at its folder, and errors name it. On failure, which names the line, nothing is added:
 * TM_ERROR_DAMAGED for what is no TOML, TM_ERROR_USAGE for unknown keys, rules and values.
 */
TM_API tm_status tm_lint_config_add(tm_lint_config *config, const char *path, const char *text, size_t size,
                                    tm_error *error);
/*
 * A rule in code. `judge` looks at the map and reports what it finds; `ctx` is the caller's, and shared by
 * all threads that ask by the configuration. What it returns but TM_OK and TM_ERROR_DAMAGED, which counts as
 * unread, ends tm_lint_run.
 */
typedef struct tm_lint_report tm_lint_report;
typedef tm_status tm_lint_judge(void *ctx, const tm_map *map, tm_lint_report *report, tm_error *error);
/*
 * Adds such a rule, as [[lint.rule]] of a file would: it is chosen, ignored and told like any other. Its id
 * is rule->own (a-z, 0-9 and -); title, why, how and fix may be NULL; all are copied, and the other fields
 * are not read. `severity` 0 is a warning. TM_ERROR_USAGE for an id that is none or that another rule has.
 */
TM_API tm_status tm_lint_config_add_rule(tm_lint_config *config, const tm_lint_rule *rule,
                                         tm_severity severity, tm_lint_judge *judge, void *ctx,
                                         tm_error *error);
/*
 * One finding, for `judge` only: an object of the map (NULL: the map), one line of text, and tiles of that
 * layer, if it is about some. Findings are not joined, whatever their address. All is copied.
 */
TM_API void tm_lint_report_add(tm_lint_report *report, const tm_address *address, const char *text,
                               const tm_region *places, uint32_t num_places);
/* The n-th rule that files or code brought; NULL behind the last one. Borrowed. */
TM_API const tm_lint_rule *tm_lint_config_rule(const tm_lint_config *config, uint32_t n);

/* ------------------------------------------------------------------------------------------------- asking */

/* What becomes of a rule. Later choices of a list overrule earlier ones. */
typedef struct tm_lint_choice {
    tm_finding_id id;     /* TM_FINDING_NONE: all rules; TM_FINDING_OWN_RULE: all own ones */
    tm_severity severity; /* from now on; 0: that of the table */
    bool off;             /* the rule is not asked */
    bool on;              /* it is asked, also if it is in none of the sets */
    const char *name;     /* rules whose ids fit this, in which * stands for anything; NULL: by `id` */
} tm_lint_choice;

typedef struct tm_lint_options {
    size_t size;                   /* sizeof(tm_lint_options) */
    uint32_t sets;                 /* sum of tm_lint_set; default 0: those that suit the map. A type brings
                                      its set along; sets without a type get one guessed */
    const tm_lint_choice *choices; /* default: none */
    size_t num_choices;
    const tm_lint_config *config; /* default: none. `sets` and `choices` overrule it */
    const char *path;             /* of the map, for what the configuration says of some maps; default "" */
    uint32_t most;                /* findings of a rule that are listed; default 50 */
    /*
     * Reads the rules by which a game's editor maps layers with an image, as of tm_edit_options
     * (teemap/edit.h). Default: rules that look at automappers find nothing.
     */
    tm_status (*rules)(void *ctx, const char *image, tm_game game, const tm_allocator *allocator,
                       uint8_t **bytes, size_t *num_bytes, tm_error *error);
    void *rules_ctx;
    bool apart; /* each object is a finding of its own; default: "14 envelopes" are one */
    /* Bytes of the map's file, for rules that limit them. Default 0: unknown, they are not asked. */
    uint64_t file_size;
} tm_lint_options;
#define TM_LINT_OPTIONS_INIT                                                     \
    {                                                                            \
        sizeof(tm_lint_options), 0, NULL, 0, NULL, NULL, 0, NULL, NULL, false, 0 \
    }

/* Read the first fields; leave the rest to the functions. */
typedef struct tm_lint_result {
    tm_findings
        findings;    /* in the order of the rules; `count`: how many things are meant, tiles for instance */
    uint32_t sets;   /* by which the map was measured */
    uint32_t unread; /* layers and images that are damaged; what depends on them was not asked */
    uint64_t unlisted[TM_SEVERITY_ERROR + 1]; /* findings that are not listed, by their severity */
    /*
     * What is found, but what the map itself says to leave out: by settings of the form
     * "# teemap: ignore ID[@ADDRESS],... - REASON", which are comments to servers. In none of the other counts.
     */
    tm_findings ignored;
    struct tm_lint_details *details;
} tm_lint_result;

/*
 * Asks all rules of the sets. Unpacks what they need, and keeps nothing unpacked. Damaged layers and images
 * are no failure: they are counted. On failure the result is empty, and releasing it does nothing.
 * TM_ERROR_USAGE for unknown sets and choices.
 */
TM_API tm_status tm_lint_run(tm_lint_result *out, const tm_map *map, const tm_lint_options *options,
                             tm_error *error);
TM_API void tm_lint_result_release(tm_lint_result *result);
/*
 * Where a finding of the result is: a borrowed list of *num places, from top to bottom; NULL and 0 for
 * findings that are not about tiles. At most 200 of a finding are kept.
 */
TM_API const tm_region *tm_lint_places(uint32_t *num, const tm_lint_result *result, size_t finding);
/*
 * The rule of a finding: a row of the table, or an own rule, which lives as long as the configuration does.
 * NULL for no finding of the result.
 */
TM_API const tm_lint_rule *tm_lint_rule_for(const tm_lint_result *result, size_t finding);
/* The rule of one that is ignored. */
TM_API const tm_lint_rule *tm_lint_rule_for_ignored(const tm_lint_result *result, size_t finding);
/*
 * How many findings of a rule are not listed: more than options->most. The rule is one that a function of the
 * result returned, or a row of the table.
 */
TM_API uint64_t tm_lint_unlisted(const tm_lint_result *result, const tm_lint_rule *rule);
/*
 * The objects of a finding that is about several ("14 envelopes"): a borrowed list of *num addresses, the
 * first of which is that of the finding; NULL and 0 for others. At most 200 of a finding are kept.
 */
TM_API const tm_address *tm_lint_objects(uint32_t *num, const tm_lint_result *result, size_t finding);
/*
 * The operation that fixes this very finding, as a line for tm_edit_script_from_text; "" if there is none.
 * Borrowed. It suits the map as it is now: after another fix, ask again.
 */
TM_API const char *tm_lint_fix_line(const tm_lint_result *result, size_t finding);

#ifdef __cplusplus
}
#endif
#endif

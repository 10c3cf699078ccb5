/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_LINT_H
#define TEEMAP_LINT_H
/*
 * teemap/lint.h - checks a map for release problems: a table of rules, each with an id, a reason and a fix,
 * and a function that runs them. What prevents reading a file is found by loading it and by
 * tm_mapfile_check_data. docs/lint.md explains the rules.
 *
 *     tm_lint_result result;
 *     status = tm_lint_run(&result, map, NULL, &error);
 *     for (size_t i = 0; i < result.findings.num; i++)
 *         puts(result.findings.list[i].text);
 *     tm_lint_result_release(&result);
 *
 * Findings are grouped: "14 tiles of ..." with their places, or "14 envelopes" with their addresses, not
 * fourteen findings. Custom rules are patterns in files (tm_lint_config_add) or code
 * (tm_lint_config_add_rule).
 *
 * Results use the allocator of the map, and configurations their own. The allocator must outlive the result.
 *
 * Threads: the table is constant. Maps are only read; any number of threads may check the same one.
 */
#include <teemap/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------------- rules */

/* Sets of rules. Several may be used for a map. */
typedef enum tm_lint_set {
    TM_LINT_DDNET = 1,                  /* DDNet races and similar games */
    TM_LINT_KOG = 2,                    /* additional rules of King of Gores */
    TM_LINT_VANILLA = 4,                /* ctf and dm maps of Teeworlds 0.5 and 0.6 */
    TM_LINT_TEEWORLDS07 = 8,            /* maps of Teeworlds 0.7 */
    TM_LINT_STYLE = 16,                 /* tidiness: no visible or gameplay effect */
    TM_LINT_RELEASE = 1 << 21,          /* metadata for a release */
    TM_LINT_ALL = 31 | TM_LINT_RELEASE, /* all of these; server types depend on the map */
    /* Types of DDNet's servers. Each includes TM_LINT_DDNET, and adds or removes some rules. */
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
    /* Game types of Teeworlds. Each includes TM_LINT_VANILLA, or TM_LINT_TEEWORLDS07 for maps of 0.7. */
    TM_LINT_CTF = 1 << 15,
    TM_LINT_DM = 1 << 16,
    /* Mods whose tiles have other meanings than in DDNet and Teeworlds: no rules for physics. */
    TM_LINT_INFCLASS = 1 << 17,
    TM_LINT_MRPG = 1 << 18,
    TM_LINT_NINSLASH = 1 << 19,
    TM_LINT_FNG = 1 << 20,
    TM_LINT_MOD = 1 << 22, /* other such mods (teemap/mods.h) */
    TM_LINT_MODS = 0x5e0000,
    TM_LINT_TYPES = 0x5fffe0 /* all types */
} tm_lint_set;
enum { TM_LINT_SETS = 23 }; /* bits */
/*
 * "ddnet", "kog", "vanilla", "teeworlds07", "style", "all", "novice", "moderate" and so on; NULL for an
 * unknown number or a sum of sets. The names are tm_lint_set_name(1 << 0) to tm_lint_set_name(1 << 22), and
 * "all".
 */
TM_API const char *tm_lint_set_name(uint32_t set);
/* Parses sets: names separated by commas. False, and 0, for an unknown name. */
TM_API bool tm_lint_sets_from_text(uint32_t *out, const char *text);

/* The cost of a rule. */
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
    uint32_t not_for; /* types that exclude it, although one of its sets includes it */
    tm_lint_cost cost;
    bool guess;            /* a heuristic, which may be wrong */
    const char *title;     /* the finding, a sentence */
    const char *reason;    /* why it matters, a sentence */
    const char *advice;    /* how to fix it, a sentence */
    const char *fix;       /* the operation of teemap/edit.h that fixes it; NULL: needs a human decision */
    bool safe;             /* the fix has no visible or gameplay effect */
    const char *source;    /* the source of the rule */
    const char *custom_id; /* the id of a custom rule, whose `id` is TM_FINDING_OWN_RULE; else NULL */
} tm_lint_rule;
/* The id as text, also that of a custom rule. */
TM_API const char *tm_lint_rule_name(const tm_lint_rule *rule);
/* The default severity of its findings. */
TM_API tm_severity tm_lint_rule_severity(const tm_lint_rule *rule);
/* Whether the id of a rule matches a pattern, where * matches anything. */
TM_API bool tm_lint_rule_fits(const tm_lint_rule *rule, const char *pattern);
/* The n-th row of the table, by number; NULL after the last one. */
TM_API const tm_lint_rule *tm_lint_rule_at(uint32_t n);

/* ------------------------------------------------------------------------------------------ configuration */

/*
 * Which rules to run for which maps, and custom rules: the content of files such as .teemap.toml. Opaque.
 * docs/lint.md explains the keys.
 *
 *     tm_lint_config *config;
 *     status = tm_lint_config_new(&config, NULL, &error);
 *     if (!status)
 *         status = tm_lint_config_add(config, "maps/.teemap.toml", text, size, &error);
 *     options.config = config;
 *     options.path = "maps/old/Tutorial.map";
 *
 * Threads: it is constant after the last addition; any number of threads may use it.
 */
typedef struct tm_lint_config tm_lint_config;

TM_API tm_status tm_lint_config_new(tm_lint_config **out, const tm_allocator *allocator, tm_error *error);
TM_API void tm_lint_config_free(tm_lint_config *config);
/*
 * Adds the content of a TOML file, which overrides earlier additions. `path` is that of the file: patterns
 * for paths of maps are relative to its folder, and errors contain it. On failure, which names the line,
 * nothing is added: TM_ERROR_DAMAGED for invalid TOML, TM_ERROR_USAGE for unknown keys, rules and values.
 */
TM_API tm_status tm_lint_config_add(tm_lint_config *config, const char *path, const char *text, size_t size,
                                    tm_error *error);
/*
 * A rule in code. `judge` reads the map and reports findings; `ctx` is the caller's, and shared by all
 * threads that use the configuration. TM_ERROR_DAMAGED counts as unread; any other failure ends tm_lint_run.
 */
typedef struct tm_lint_report tm_lint_report;
typedef tm_status tm_lint_judge(void *ctx, const tm_map *map, tm_lint_report *report, tm_error *error);
/*
 * Adds such a rule, like [[lint.rule]] in a file: it can be selected, ignored and reported like any other.
 * Its id is rule->own (a-z, 0-9 and -); title, why, how and fix may be NULL; all are copied, and the other
 * fields are ignored. `severity` 0 is a warning. TM_ERROR_USAGE for an invalid or duplicate id.
 */
TM_API tm_status tm_lint_config_add_rule(tm_lint_config *config, const tm_lint_rule *rule,
                                         tm_severity severity, tm_lint_judge *judge, void *ctx,
                                         tm_error *error);
/*
 * Reports a finding, only for `judge`: an object of the map (NULL: the map), one line of text, and tiles of
 * this layer, if any. Findings are not grouped. Everything is copied.
 */
TM_API void tm_lint_report_add(tm_lint_report *report, const tm_address *address, const char *text,
                               const tm_region *places, uint32_t num_places);
/* The n-th rule added by files or code; NULL after the last one. Borrowed. */
TM_API const tm_lint_rule *tm_lint_config_rule(const tm_lint_config *config, uint32_t n);

/* ------------------------------------------------------------------------------------------------- asking */

/* A choice about rules. Later choices of a list override earlier ones. */
typedef struct tm_lint_choice {
    tm_finding_id id;     /* TM_FINDING_NONE: all rules; TM_FINDING_OWN_RULE: all custom rules */
    tm_severity severity; /* new severity; 0: that of the table */
    bool off;             /* do not run it */
    bool on;              /* run it, even if it is in none of the sets */
    const char *name;     /* rules whose ids match this, where * matches anything; NULL: by `id` */
} tm_lint_choice;

typedef struct tm_lint_options {
    size_t size;                   /* sizeof(tm_lint_options) */
    uint32_t sets;                 /* sum of tm_lint_set; default 0: those for the map. A type includes its
                                    * set; for sets without a type, it is guessed */
    const tm_lint_choice *choices; /* default: none */
    size_t num_choices;
    const tm_lint_config *config; /* default: none. `sets` and `choices` override it */
    const char *path;             /* of the map, for configurations of some maps; default "" */
    uint32_t most;                /* maximum number of listed findings per rule; default 50 */
    /*
     * Reads the automapper rules of a game's editor for an image, as in tm_edit_options (teemap/edit.h).
     * Default: rules about automappers find nothing.
     */
    tm_status (*rules)(void *ctx, const char *image, tm_game game, const tm_allocator *allocator,
                       uint8_t **bytes, size_t *num_bytes, tm_error *error);
    void *rules_ctx;
    bool apart; /* each object is a separate finding; default: "14 envelopes" are one */
    /* The size of the map's file, for rules that limit it. Default 0: unknown, these rules do not run. */
    uint64_t file_size;
    /* Cancellation between rules, and progress: rules that have run, and all. Default: none. No threads. */
    const tm_job *job;
    /*
     * The findings of tm_mapfile_load for the map's file in mode strict, whose refusals become the finding
     * not-for-ddnet. Default: nobody asked, and this rule finds nothing.
     */
    const tm_findings *refusals;
    /*
     * The mod for which the map is made, or a file of settings that servers know besides those of DDNet and
     * of the mod. Default NULL: the mod for which it seems to be made.
     */
    const tm_mod *mod;
} tm_lint_options;
#define TM_LINT_OPTIONS_INIT                                                                       \
    {                                                                                              \
        sizeof(tm_lint_options), 0, NULL, 0, NULL, NULL, 0, NULL, NULL, false, 0, NULL, NULL, NULL \
    }

/* Read the first fields; leave the rest to the functions. */
typedef struct tm_lint_result {
    tm_findings findings; /* in the order of the rules; `count`: number of elements, such as tiles */
    uint32_t sets;        /* the sets that were used */
    uint32_t unread;      /* damaged layers and images; rules that need them were skipped */
    uint64_t unlisted[TM_SEVERITY_ERROR + 1]; /* unlisted findings by severity */
    /*
     * Findings that the map suppresses, with settings of the form "# teemap: ignore ID[@ADDRESS],... -
     * REASON", which are comments for servers. Not included in the other counts.
     */
    tm_findings ignored;
    struct tm_lint_details *details;
} tm_lint_result;

/*
 * Runs all rules of the sets. Unpacks what they need, and keeps nothing unpacked. Damaged layers and images
 * are counted, and are not a failure. On failure the result is empty, and releasing it has no effect.
 * TM_ERROR_USAGE for unknown sets and choices.
 */
TM_API tm_status tm_lint_run(tm_lint_result *out, const tm_map *map, const tm_lint_options *options,
                             tm_error *error);
TM_API void tm_lint_result_release(tm_lint_result *result);
/*
 * The places of a finding of the result: a borrowed list of *num places, from top to bottom; NULL and 0 for
 * findings that are not about tiles. At most 200 per finding.
 */
TM_API const tm_region *tm_lint_places(uint32_t *num, const tm_lint_result *result, size_t finding);
/*
 * The rule of a finding: a row of the table, or a custom rule, valid as long as the configuration. NULL if
 * the result has no such finding.
 */
TM_API const tm_lint_rule *tm_lint_rule_for(const tm_lint_result *result, size_t finding);
/* The rule of a suppressed finding. */
TM_API const tm_lint_rule *tm_lint_rule_for_ignored(const tm_lint_result *result, size_t finding);
/*
 * The number of unlisted findings of a rule: those beyond options->most. The rule is one returned for the
 * result, or a row of the table.
 */
TM_API uint64_t tm_lint_unlisted(const tm_lint_result *result, const tm_lint_rule *rule);
/*
 * The objects of a finding about several ("14 envelopes"): a borrowed list of *num addresses, the first of
 * which is that of the finding; NULL and 0 for others. At most 200 per finding.
 */
TM_API const tm_address *tm_lint_objects(uint32_t *num, const tm_lint_result *result, size_t finding);
/*
 * The operation that fixes this finding, as a line for tm_edit_script_from_text; "" if there is none.
 * Borrowed. It is valid for the current state of the map: run the rules again after another fix.
 */
TM_API const char *tm_lint_fix_line(const tm_lint_result *result, size_t finding);

#ifdef __cplusplus
}
#endif
#endif

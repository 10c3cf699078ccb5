/* SPDX-License-Identifier: Zlib */
/*
 * What games say to the map's file: whether the strictest loader opens it, which the caller has asked
 * (tm_lint_options.refusals), and texts that DDNet cuts (docs/format.md section 2.2).
 */
#include "lint.h"

/* Findings for which no game of today opens a map; other refusals are DDNet's alone. */
static bool is_refused_by_all(tm_finding_id id)
{
    static const tm_finding_id ids[] = {
        TM_FINDING_BAD_MAGIC,       TM_FINDING_BAD_VERSION,     TM_FINDING_HEAD_CUT, TM_FINDING_DATA_CUT,
        TM_FINDING_NO_VERSION_ITEM, TM_FINDING_BAD_MAP_VERSION, TM_FINDING_PRE_2008, TM_FINDING_NO_GAME_LAYER,
        TM_FINDING_GAME_LAYER_SIZE, TM_FINDING_GAME_LAYER_DATA};
    for (size_t i = 0; i < TMI_COUNT_OF(ids); i++)
        if (ids[i] == id)
            return true;
    return false;
}

/* One line for all refusals. A map of Teeworlds 0.7 need not open in DDNet: it is a note there. */
static void judge_loader(tmi_lint *lint, uint32_t rule)
{
    const tm_findings *findings = lint->refusals;
    const tm_finding *first = NULL;
    bool by_all = false;
    uint64_t more = 0;
    char rest[64] = "";
    tm_address address;
    for (size_t i = 0; findings && i < findings->num; i++) {
        const tm_finding *finding = &findings->list[i];
        if (!finding->refuses)
            continue;
        by_all |= is_refused_by_all(finding->id);
        more += first ? 1 : 0;
        first = first ? first : finding;
    }
    if (!first)
        return;
    if (more)
        tmi_format(rest, sizeof(rest), " (and %llu more)", (unsigned long long)more);
    if (tm_address_parse(&address, lint->map, first->address, NULL))
        address = (tm_address){TM_KIND_MAP, 0, 0};
    tmi_lint_note *note =
        tmi_lint_note_add(lint, rule, address, TM_STRICT_GAME " refuses this map: %s%s", first->text, rest);
    if (note && lint->game == TM_GAME_TEEWORLDS07 && !by_all)
        note->at_worst = TM_SEVERITY_NOTE;
}

/* The most bytes of each text that DDNet keeps, without the NUL behind them. */
static void judge_info(tmi_lint *lint, uint32_t rule)
{
    const tm_info *info = &lint->map->info;
    const struct {
        const char *name, *text;
        size_t most;
    } texts[] = {{"author", info->author, 31},
                 {"version", info->version, 15},
                 {"credits", info->credits, 127},
                 {"license", info->license, 31}};
    for (size_t i = 0; i < TMI_COUNT_OF(texts); i++) {
        const size_t length = texts[i].text ? strlen(texts[i].text) : 0;
        if (length > texts[i].most)
            tmi_lint_note_add(lint, rule, (tm_address){TM_KIND_INFO, 0, 0},
                              "%s has %llu bytes; DDNet shows and keeps the first %llu", texts[i].name,
                              (unsigned long long)length, (unsigned long long)texts[i].most);
    }
}

/* ------------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(
         NOT_FOR_DDNET, TM_LINT_ALL, OBJECTS, false,
         "The loader of DDNet refuses the map's file. In maps of Teeworlds 0.7, this is a note unless "
         "Teeworlds refuses it, too.",
         "Players cannot join, and servers cannot start.",
         "teemap fix repairs most such files; teemap check --mode strict lists all faults.",
         "DDNet's map loader"),
     .judge = judge_loader},
    {TMI_LINT_RULE(
         INFO_LONG, TM_LINT_ALL, OBJECTS, false,
         "The author, version, credits or license is longer than DDNet holds.",
         "The rest is not shown, and is lost when the map is saved in DDNet's editor. There is room for 31, "
         "15, 127 and 31 bytes.",
         "Write it shorter.", "DDNet's editor"),
     .judge = judge_info},
};
TMI_LINT_FAMILY(tmi_lint_of_loader, rows);

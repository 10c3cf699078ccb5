/* SPDX-License-Identifier: Zlib */
/*
 * rescue_words.c - what is left of a damaged map, in a line and as JSON.
 */
#include "rescue_words.h"

#include "run/tool.h"

/* "rescued 5 of 6 images (1 damaged), 0 of 14 tile layers; the game layer is empty" */
void put_rescue_line(text *err, const char *path, const tm_rescue *rescue)
{
    static const char *const game_layer[] = {[TM_RESCUE_DAMAGED] = "; the game layer is damaged",
                                             [TM_RESCUE_LOST] = "; the game layer is empty",
                                             [TM_RESCUE_MISSING] = "; there is no game layer"};
    const char *before = "rescued ";
    text_string(err, "teemap: ");
    text_lead(err, path_name(path));
    for (int i = 0; i < TM_RESCUE_KINDS; i++) {
        const tm_rescue_count *count = &rescue->counts[i];
        if (!count->damaged && !count->lost)
            continue;
        text_print(err, "%s%" PRIu64 " of %" PRIu64 " %s", before, count->num - count->lost, count->num,
                   tm_rescue_kind_name((tm_rescue_kind)i));
        if (count->damaged)
            text_print(err, " (%" PRIu64 " damaged)", count->damaged);
        before = ", ";
    }
    const char *rest = game_layer[rescue->game_layer];
    text_print(err, "%s\n", rest ? rest : "");
}

json_t *json_rescue(const tm_rescue *rescue)
{
    static const char *const states[] = {[TM_RESCUE_WHOLE] = "whole",
                                         [TM_RESCUE_DAMAGED] = "damaged",
                                         [TM_RESCUE_LOST] = "lost",
                                         [TM_RESCUE_MISSING] = "missing"};
    json_t *object = json_make();
    for (int i = 0; i < TM_RESCUE_KINDS; i++) {
        const tm_rescue_count *count = &rescue->counts[i];
        char key[32] = {0};
        strncpy(key, tm_rescue_kind_name((tm_rescue_kind)i), sizeof(key) - 1);
        for (char *blank = strchr(key, ' '); blank; blank = strchr(blank, ' '))
            *blank = '_';
        json_add(object, key,
                 json_object(JSON_INT("num", count->num), JSON_INT("damaged", count->damaged),
                             JSON_INT("lost", count->lost)));
    }
    json_add(object, "game_layer", json_string(states[rescue->game_layer]));
    return object;
}

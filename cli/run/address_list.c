/* SPDX-License-Identifier: Zlib */
/*
 * address_list.c - the part of the address syntax that only the command line has: a kind alone means all of
 * its objects.
 */
#include "address_list.h"

#include "fail.h"

static const struct {
    const char *name;
    tm_address_kind kind;
} lists[] = {{"image", TM_ADDRESS_IMAGE},
             {"sound", TM_ADDRESS_SOUND},
             {"envelope", TM_ADDRESS_ENVELOPE},
             {"item", TM_ADDRESS_ITEM},
             {"data", TM_ADDRESS_DATA}};

#define NUM_LISTS (sizeof(lists) / sizeof(lists[0]))

bool address_is_raw(const char *word)
{
    for (size_t i = 0; i < NUM_LISTS; i++) {
        size_t length = strlen(lists[i].name);
        if (lists[i].kind >= TM_ADDRESS_ITEM && strncmp(word, lists[i].name, length) == 0 &&
            (word[length] == '\0' || word[length] == '/'))
            return true;
    }
    return false;
}

tm_status address_select(selection *out, const char *word, const tm_map *map, tm_error *error)
{
    *out = (selection){0};
    for (size_t i = 0; i < NUM_LISTS; i++) {
        if (strcmp(lists[i].name, word) == 0) {
            out->all = true;
            out->address.kind = lists[i].kind;
            return TM_OK;
        }
    }
    if (map)
        return tm_address_parse(&out->address, map, word, error);
    tm_map *empty = NULL;
    tm_status status = tm_map_new(&empty, NULL, error);
    if (!status)
        status = tm_address_parse(&out->address, empty, word, error);
    tm_map_free(empty);
    return status;
}

tm_status address_bound_raw(const selection *what, const tm_datafile *file, tm_error *error)
{
    bool item = what->address.kind == TM_ADDRESS_ITEM;
    uint32_t num = item ? tm_datafile_num_items(file) : tm_datafile_num_data(file);
    if (what->all || what->address.index < num)
        return TM_OK;
    return fail(error, TM_ERROR_NOT_FOUND, "there is no %s %" PRIu32 "; the file has %" PRIu32,
                item ? "item" : "data block", what->address.index, num);
}

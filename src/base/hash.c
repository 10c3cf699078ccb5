/* SPDX-License-Identifier: Zlib */
/* The hash, and a table that numbers keys of one size: open addressing, with each key's number + 1. */
#include "base.h"

uint64_t tmi_hash(uint64_t hash, const void *bytes, size_t size)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    const uint8_t *byte = bytes;
    for (; size >= sizeof(uint64_t); byte += sizeof(uint64_t), size -= sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, byte, sizeof(word));
        hash = (hash ^ word) * odd;
        hash ^= hash >> 29;
    }
    for (; size; byte++, size--)
        hash = (hash ^ *byte) * UINT64_C(0x100000001b3);
    hash *= odd;
    return hash ^ hash >> 32;
}

uint64_t tmi_hash_text(uint64_t hash, const char *text)
{
    const char *copy = text ? text : "";
    return tmi_hash(hash, copy, strlen(copy) + 1);
}

uint64_t tmi_hash_number(uint64_t hash, int64_t number)
{
    return tmi_hash(hash, &number, sizeof(number));
}

static const void *intern_key(const tmi_intern *set, uint32_t number)
{
    return set->keys + number * set->key_size;
}

/* The slot of a key in the table, or the free one where it would be. */
static size_t find_slot(const tmi_intern *set, const void *key)
{
    size_t slot = tmi_hash(TMI_HASH, key, set->key_size) & (set->table_size - 1);
    while (set->table[slot] && memcmp(intern_key(set, set->table[slot] - 1), key, set->key_size) != 0)
        slot = (slot + 1) & (set->table_size - 1);
    return slot;
}

tm_status tmi_intern_put(uint32_t *out, tmi_intern *set, const void *key, tm_error *error)
{
    if ((size_t)set->num * 2 >= set->table_size) {
        const size_t old_size = set->table_size, size = old_size ? old_size * 2 : 64;
        uint32_t *table;
        TM_TRY(tmi_reserve_zeroed(&table, set->allocator, size, sizeof(*table), "a table of keys", error));
        tmi_free(set->allocator, set->table, old_size, sizeof(*table));
        set->table = table;
        set->table_size = size;
        for (uint32_t i = 0; i < set->num; i++)
            table[find_slot(set, intern_key(set, i))] = i + 1;
    }
    const size_t slot = find_slot(set, key);
    if (!set->table[slot]) {
        TM_TRY(
            tmi_grow(set->allocator, &set->keys, &set->capacity, (size_t)set->num + 1, set->key_size, error));
        memcpy(set->keys + set->num * set->key_size, key, set->key_size);
        set->table[slot] = ++set->num;
    }
    *out = set->table[slot] - 1;
    return TM_OK;
}

void tmi_intern_release(tmi_intern *set)
{
    tmi_free(set->allocator, set->keys, set->capacity, set->key_size);
    tmi_free(set->allocator, set->table, set->table_size, sizeof(*set->table));
}

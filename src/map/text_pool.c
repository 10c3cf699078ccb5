/* SPDX-License-Identifier: Zlib */
/*
 * The texts that were set since a map was loaded. Equal texts share memory, which is freed with the last
 * place that uses it. A hash table finds a text by its content. Freeing a text that is not in it, such as one
 * of the file, does nothing, so that callers need not know who owns a text.
 */
#include "internal.h"

struct tmi_pooled_text {
    struct tmi_pooled_text *next; /* in the same slot */
    uint64_t hash;
    size_t size; /* bytes with the NUL */
    uint32_t places;
    char text[];
};

typedef struct tmi_pooled_text pooled;

/* Where the table leads to a text of this content, or to the end of its slot. */
static pooled **link_to(const tmi_text_pool *pool, uint64_t hash, const char *text)
{
    pooled **link = &pool->slots[hash % pool->num_slots];
    while (*link && ((*link)->hash != hash || strcmp((*link)->text, text) != 0))
        link = &(*link)->next;
    return link;
}

static pooled **own_link(const tmi_text_pool *pool, const char *text)
{
    if (!text || pool->num_slots == 0)
        return NULL;
    pooled **link = link_to(pool, tmi_hash_text(TMI_HASH, text), text);
    return *link && (*link)->text == text ? link : NULL;
}

/* Makes the table longer, so that there is no more than one text a slot on average. */
static tm_status grow(tmi_text_pool *pool, const tm_allocator *allocator, tm_error *error)
{
    enum { FIRST_SLOTS = 16 };
    const tmi_text_pool old = *pool;
    const size_t num = old.num_slots ? 2 * old.num_slots : FIRST_SLOTS;
    pooled **slots;
    TM_TRY(tmi_reserve_zeroed(&slots, allocator, num, sizeof(*slots), "a table of texts", error));
    pool->slots = slots;
    pool->num_slots = num;
    for (size_t i = 0; i < old.num_slots; i++) {
        for (pooled *entry = old.slots[i], *next; entry; entry = next) {
            next = entry->next;
            entry->next = slots[entry->hash % num];
            slots[entry->hash % num] = entry;
        }
    }
    tmi_free(allocator, old.slots, old.num_slots, sizeof(*old.slots));
    return TM_OK;
}

static size_t bytes_of(size_t text_size)
{
    return sizeof(pooled) + text_size;
}

tm_status tmi_text_add(tm_map *map, const char **out, const char *text, tm_error *error)
{
    tmi_text_pool *pool = &map->priv->texts;
    const tm_allocator *allocator = tmi_map_allocator(map);
    *out = NULL;
    if (!text)
        return TM_OK;
    if (pool->num >= pool->num_slots)
        TM_TRY(grow(pool, allocator, error));
    const uint64_t hash = tmi_hash_text(TMI_HASH, text);
    pooled **link = link_to(pool, hash, text);
    if (!*link) {
        const size_t size = strlen(text) + 1;
        pooled *fresh;
        TM_TRY(tmi_reserve(&fresh, allocator, bytes_of(size), 1, "a text", error));
        fresh->next = NULL;
        fresh->hash = hash;
        fresh->size = size;
        fresh->places = 0;
        memcpy(fresh->text, text, size);
        *link = fresh;
        pool->num++;
    }
    (*link)->places++;
    *out = (*link)->text;
    return TM_OK;
}

void tmi_text_release(tm_map *map, const char *text)
{
    tmi_text_pool *pool = &map->priv->texts;
    pooled **link = own_link(pool, text);
    if (!link || --(*link)->places)
        return;
    pooled *gone = *link;
    *link = gone->next;
    pool->num--;
    tmi_free(tmi_map_allocator(map), gone, bytes_of(gone->size), 1);
}

tm_status tmi_text_copy(tm_map *map, const char **out, const tm_map *source, const char *text,
                        tm_error *error)
{
    const tmi_origin *origin = map->priv->origin;
    const bool of_file = origin && origin == source->priv->origin && !own_link(&source->priv->texts, text);
    *out = text;
    return of_file ? TM_OK : tmi_text_add(map, out, text, error);
}

void tmi_text_pool_release(tmi_text_pool *pool, const tm_allocator *allocator)
{
    for (size_t i = 0; i < pool->num_slots; i++) {
        for (pooled *entry = pool->slots[i], *next; entry; entry = next) {
            next = entry->next;
            tmi_free(allocator, entry, bytes_of(entry->size), 1);
        }
    }
    tmi_free(allocator, pool->slots, pool->num_slots, sizeof(*pool->slots));
    memset(pool, 0, sizeof(*pool));
}

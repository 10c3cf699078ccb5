/* SPDX-License-Identifier: Zlib */
/*
 * sort.c - heap sort of 64-bit keys. The library sorts indices by size, type or id, packed with the index
 * into one key, so one function without allocation, recursion or bad cases is enough. libc's qsort may
 * allocate and may be quadratic on hostile input.
 */
#include "base.h"

static void sift_down(uint64_t *keys, size_t root, size_t num)
{
    uint64_t key = keys[root];
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= num)
            break;
        if (child + 1 < num && keys[child + 1] > keys[child])
            child++;
        if (keys[child] <= key)
            break;
        keys[root] = keys[child];
        root = child;
    }
    keys[root] = key;
}

void tmi_sort_u64(uint64_t *keys, size_t num)
{
    size_t sorted = 1;
    while (sorted < num && keys[sorted - 1] <= keys[sorted])
        sorted++;
    if (sorted >= num) /* the usual case: writers emit things in order */
        return;
    for (size_t i = num / 2; i-- > 0;)
        sift_down(keys, i, num);
    for (size_t end = num - 1; end > 0; end--) {
        uint64_t largest = keys[0];
        keys[0] = keys[end];
        keys[end] = largest;
        sift_down(keys, 0, end);
    }
}

size_t tmi_search_u64(const uint64_t *keys, size_t num, uint64_t key)
{
    size_t low = 0, high = num;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

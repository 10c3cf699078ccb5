/* SPDX-License-Identifier: Zlib */
/*
 * Views: holds on the bytes of a block (src/base/shared_bytes.c). A view lives on when the block is edited,
 * dropped or freed, as the block then takes other memory; so the bytes that it shows never change and never
 * go away under it. A tm_view is never defined: the pointer is that of the bytes.
 */
#include "internal.h"

tm_status tm_view_new(tm_view **out, const tm_map *map, const tm_block *block, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    const void *bytes;
    *out = NULL;
    TM_TRY(tm_map_data(&bytes, NULL, map, block, error));
    if (!bytes)
        return TM_OK;
    tmi_bytes_retain(bytes);
    *out = TMI_UNCONST(tm_view, bytes);
    return TM_OK;
}

const void *tm_view_bytes(uint64_t *size, const tm_view *view)
{
    if (size)
        *size = view ? tmi_bytes_size(view) : 0;
    return view;
}

void tm_view_free(tm_view *view)
{
    tmi_bytes_release(view);
}

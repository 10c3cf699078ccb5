/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_H
#define TMI_MAP_H
/*
 * The front door of the room: the internal side of the model for other rooms, one header for each subject.
 */
#include <teemap/fields.h>
#include <teemap/report.h>

#include "../base/base.h"
#include "../games/games.h"
#include "block.h"
#include "changes.h"
#include "field_values.h"
#include "find_mod.h"
#include "grid.h"
#include "image.h"
#include "layer.h"
#include "loading.h"
#include "lookup.h"
#include "map_private.h"
#include "object_json.h"
#include "objects.h"
#include "origin.h"
#include "references.h"
#include "unread.h"

/* The prefix of objects and lines that merging leaves for open conflicts. */
#define TMI_MARK_OURS   "<<< ours"
#define TMI_MARK_THEIRS ">>> theirs"
#define TMI_MARK_LINE   "# conflict: "

#endif

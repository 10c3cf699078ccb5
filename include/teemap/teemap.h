/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_TEEMAP_H
#define TEEMAP_TEEMAP_H
/*
 * teemap/teemap.h - all of libteemap. Start with teemap/store.h (load and save by path) and teemap/map.h (the
 * model).
 */
#include <teemap/automap.h>
#include <teemap/base.h>
#include <teemap/codec.h>
#include <teemap/patch.h>
#include <teemap/convert.h>
#include <teemap/datafile.h>
#include <teemap/edit.h>
#include <teemap/facts.h>
#include <teemap/fields.h>
#include <teemap/files.h>
#include <teemap/query.h>
#include <teemap/findings.h>
#include <teemap/jobs.h>
#include <teemap/lint.h>
#include <teemap/map.h>
#include <teemap/mapdir.h>
#include <teemap/mapfile.h>
#include <teemap/merge.h>
#include <teemap/model.h>
#include <teemap/mods.h>
#include <teemap/preview.h>
#include <teemap/render.h>
#include <teemap/report.h>
#include <teemap/games.h>
#include <teemap/settings.h>
#include <teemap/text.h>
#include <teemap/tiles.h>
/* Not available in a library built with TEEMAP_SYS=OFF, whose packages define this macro. */
#ifndef TM_WITHOUT_SYS
#include <teemap/mapres.h>
#include <teemap/store.h>
#include <teemap/sys.h>
#endif

#endif

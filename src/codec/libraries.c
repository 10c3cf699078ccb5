/* SPDX-License-Identifier: Zlib */
/*
 * Which codec libraries are there, and their versions, for bug reports. For giflib, libdeflate, libwebp
 * and zopfli it is the version at build time; the others report the running version.
 */
#include "codec.h"

#include <teemap/codec.h>

#if TEEMAP_HAVE_GIF
#include <gif_lib.h>
#endif
#if TEEMAP_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif
#if TEEMAP_HAVE_LIBPNG
#include <png.h>
#endif
#include <zlib.h>

#define TEXT_OF(number)            #number
#define VERSION_2(one, two)        TEXT_OF(one) "." TEXT_OF(two)
#define VERSION_3(one, two, three) VERSION_2(one, two) "." TEXT_OF(three)

/* Of the libraries that a build may lack. */
bool tm_gif_available(void)
{
    return TEEMAP_HAVE_GIF;
}

bool tm_webp_available(void)
{
    return TEEMAP_HAVE_WEBP;
}

bool tm_zopfli_available(void)
{
    return TEEMAP_HAVE_ZOPFLI;
}

#if TEEMAP_HAVE_LIBPNG
static const char *libpng_version(void)
{
    return png_get_libpng_ver(NULL);
}
#endif

bool tm_codec_library_at(tm_codec_library *out, size_t index)
{
    if (!out)
        return false;
    static const struct {
        const char *name, *built_with;
        const char *(*running)(void);
    } libraries[] = {
#if TEEMAP_HAVE_GIF
        {"giflib", VERSION_3(GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE), NULL},
#endif
#if TEEMAP_HAVE_LIBDEFLATE
        {"libdeflate", LIBDEFLATE_VERSION_STRING, NULL},
#endif
#if TEEMAP_HAVE_LIBPNG
        {"libpng", NULL, libpng_version},
#endif
#if TEEMAP_HAVE_WEBP
        {"libwebp", TEEMAP_WEBP_VERSION, NULL},
#endif
        {"zlib", NULL, zlibVersion},
#if TEEMAP_HAVE_ZOPFLI
        {"zopfli", TEEMAP_ZOPFLI_VERSION, NULL},
#endif
    };
    *out = (tm_codec_library){NULL, NULL};
    if (index >= sizeof(libraries) / sizeof(libraries[0]))
        return false;
    out->name = libraries[index].name;
    out->version = libraries[index].running ? libraries[index].running() : libraries[index].built_with;
    return true;
}

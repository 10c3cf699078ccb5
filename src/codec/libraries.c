/* SPDX-License-Identifier: Zlib */
/*
 * Names and versions of the codec libraries, for bug reports. For giflib, libdeflate, libwebp, nettle and
 * zopfli it is the version at build time; the others report the running version.
 */
#include "codec.h"

#include <teemap/codec.h>

#ifdef TEEMAP_HAVE_GIF
#include <gif_lib.h>
#endif
#include <libdeflate.h>
#ifdef TEEMAP_HAVE_SHA256
#include <nettle/version.h>
#endif
#include <spng.h>
#include <zlib.h>

#define TEXT_OF(number) #number

#ifdef TEEMAP_HAVE_GIF
#define VERSION_3(one, two, three) TEXT_OF(one) "." TEXT_OF(two) "." TEXT_OF(three)
static const char *giflib_version(void)
{
    return VERSION_3(GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE);
}
#endif

static const char *libdeflate_version(void)
{
    return LIBDEFLATE_VERSION_STRING;
}

#ifdef TEEMAP_HAVE_WEBP
static const char *libwebp_version(void)
{
    return TEEMAP_WEBP_VERSION;
}
#endif

#ifdef TEEMAP_HAVE_SHA256
#define VERSION(one, two) TEXT_OF(one) "." TEXT_OF(two)
static const char *nettle_version(void)
{
    return VERSION(NETTLE_VERSION_MAJOR, NETTLE_VERSION_MINOR);
}
#endif

#ifdef TEEMAP_HAVE_ZOPFLI
static const char *zopfli_version(void)
{
    return TEEMAP_ZOPFLI_VERSION;
}
#endif

bool tm_codec_library_at(tm_codec_library *out, size_t index)
{
    if (!out)
        return false;
    static const struct {
        const char *name;
        const char *(*version)(void);
    } libraries[] = {
#ifdef TEEMAP_HAVE_GIF
        {"giflib", giflib_version},
#endif
        {"libdeflate", libdeflate_version},
        {"libspng", spng_version_string},
#ifdef TEEMAP_HAVE_WEBP
        {"libwebp", libwebp_version},
#endif
#ifdef TEEMAP_HAVE_SHA256
        {"nettle", nettle_version},
#endif
        {"zlib", zlibVersion},
#ifdef TEEMAP_HAVE_ZOPFLI
        {"zopfli", zopfli_version},
#endif
    };
    *out = (tm_codec_library){NULL, NULL};
    if (index >= sizeof(libraries) / sizeof(libraries[0]))
        return false;
    *out = (tm_codec_library){libraries[index].name, libraries[index].version()};
    return true;
}

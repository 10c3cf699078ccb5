/* SPDX-License-Identifier: Zlib */
#ifndef TMI_SYS_PLATFORM_H
#define TMI_SYS_PLATFORM_H
/*
 * Internal: what a system has beyond POSIX.1-2008, and the macro that makes its headers show it. Included
 * before anything else, by the files of src/sys that use such things; each says what it does without:
 *
 *   TMI_HAS_GETENTROPY        or TMI_HAS_ARC4RANDOM: random bytes; else they are read from /dev/urandom
 *   TMI_HAS_FLOCK             locks of files; else temporary files of killed processes stay
 *   TMI_HAS_AFFINITY          the processors that this process may use; else all that are running
 *
 * d_type of folders, _SC_NPROCESSORS_ONLN and TIOCGWINSZ come with macros, so their users ask for these.
 * Without them each file is asked what it is, there is one processor, and lines have no known width.
 *
 * TMI_PLAIN_POSIX: nothing beyond POSIX, on any system. The tests run src/sys that way, too (unit.plain_...);
 * a system that is not named here gets the same.
 */
#if defined(TMI_PLAIN_POSIX)
#define _XOPEN_SOURCE 700
#elif defined(__linux__)
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#define TMI_HAS_GETENTROPY
#define TMI_HAS_FLOCK
#define TMI_HAS_AFFINITY
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
/* They show everything as long as no macro such as _XOPEN_SOURCE asks for less. */
#define TMI_HAS_ARC4RANDOM
#define TMI_HAS_FLOCK
#else
#define _XOPEN_SOURCE 700
#endif

#endif

/* SPDX-License-Identifier: Zlib */
#include "test.h"
#ifndef TEST_FILES_H
#define TEST_FILES_H
/*
 * For tests that touch files: a folder of their own below $TMPDIR, in which they run, small files in it, and a plan
 * by which the operating system fails (see sys/fault.h).
 */
#include "sys/fault.h"

/*
 * Group set-up and tear-down for cmocka: makes the folder and goes there, with a umask of 022; goes back and
 * removes it.
 */
void test_enter_folder(void);
void test_leave_folder(void);

void test_put_file(const char *path, const char *bytes, size_t size);
void test_put_text(const char *path, const char *text);
/* Fails the test unless the file holds exactly this; at most 255 bytes. */
void test_check_text(const char *path, const char *text);
size_t test_num_entries(const char *path); /* of a folder */
size_t test_num_descriptors(void);         /* open ones below 256 */
unsigned test_mode_of(const char *path);   /* permissions */

/*
 * Calls `visit` with the text of each public header of the source tree (TEEMAP_SOURCE says where it is); skips the
 * test where it is not set.
 */
void test_each_header(void (*visit)(void *ctx, const char *path, const char *text), void *ctx);

struct test_plan {
    tmi_sys_call call; /* TMI_SYS_CALL_COUNT: any */
    int number;        /* what to fail with, or TMI_SYS_SHORT always */
    size_t n, seen;
    bool failed;
};

/* A tmi_sys_fault; ctx is a struct test_plan. */
int test_follow_plan(void *ctx, tmi_sys_call call);

#endif

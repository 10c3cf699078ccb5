/* SPDX-License-Identifier: Zlib */
/*
 * What the viewer has in place of larger functions of other libraries: visitors fetch it with each page.
 */
#include "../datafile/datafile.h"
#include "../codec/codec.h"
#include "../mapfile/mapfile.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

int __rem_pio2_large(double *x, double *y, int exponent, int num, int precision);

/* Of angles above 1.6 million, in sin and cos: envelopes, whose values have 22 bits before the point, turn by 73,000 at most. */
int __rem_pio2_large(double *x, double *y, int exponent, int num, int precision)
{
    (void)x, (void)exponent, (void)num, (void)precision;
    y[0] = y[1] = y[2] = 0;
    return 0;
}

/* That of the codecs is there anyway. */
uLong adler32(uLong sum, const Bytef *bytes, uInt size)
{
    return bytes ? tmi_adler32((uint32_t)sum, bytes, size) : 1;
}

/* The C library's has tables for long texts. */
char *strstr(const char *text, const char *part)
{
    size_t size = strlen(part);
    for (; strncmp(text, part, size) != 0; text++)
        if (!*text)
            return NULL;
    return (char *)(uintptr_t)text;
}

/* What puts a head right that the bytes of its file contradict (mode "salvage"): the games open no such file, and whoever mends one has the whole module. */
tm_status tmi_rebuild_head(tm_datafile *datafile, tmi_report *report, tm_error *error)
{
    (void)datafile, (void)report, (void)error;
    return TM_OK;
}

void tmi_insert_offset(tm_datafile *datafile, uint32_t index, uint32_t distance)
{
    (void)datafile, (void)index, (void)distance;
}

tm_status tmi_mend_data_table(tm_datafile *datafile, tm_findings *findings, tm_error *error)
{
    (void)datafile, (void)findings, (void)error;
    return TM_OK;
}

tm_status tmi_find_missing_offset(uint32_t *index, uint32_t *distance, const tmi_file *file, tm_error *error)
{
    (void)file, (void)error;
    *index = *distance = 0;
    return TM_OK;
}

/* SPDX-License-Identifier: Zlib */
#ifndef CLI_IMAGE_SURVEY_H
#define CLI_IMAGE_SURVEY_H
/*
 * image_survey.h - `teemap doctor` over many maps: which external images are not found, and how many maps
 * lack each of them.
 */
#include "run/tool.h"

/* Looks at all operands of the command. Exit status 1 when an image is missing. */
void image_survey(cli_tool *tool, const word_list *mapres);
/* Which games ship an image that is not here: "not found; shipped by ddnet". */
void image_put_shipped(text *out, const char *name);

#endif

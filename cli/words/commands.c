/* SPDX-License-Identifier: Zlib */
/*
 * commands.c - the list of commands, in the order in which help shows them. Each is described where it is
 * done, in cmd_*.c.
 */
#include "command.h"

extern const command info_command, ls_command, cat_command, copy_command, edit_command, fix_command,
    convert_command, unpack_command, pack_command, find_command, check_command, new_command, render_command,
    animate_command, thumbnail_command, tiles_command, doctor_command, help_command;

const command *const commands[] = {&info_command,
                                   &ls_command,
                                   &cat_command,
                                   &copy_command,
                                   &edit_command,
                                   &fix_command,
                                   &convert_command,
                                   &unpack_command,
                                   &pack_command,
                                   &find_command,
                                   &check_command,
                                   &new_command,
                                   &render_command,
                                   &animate_command,
                                   &thumbnail_command,
                                   &tiles_command,
                                   &doctor_command,
                                   &help_command,
                                   NULL};

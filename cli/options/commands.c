/* SPDX-License-Identifier: Zlib */
/*
 * commands.c - the list of commands, in the order in which help shows them. Each is described where it is
 * done, in cmd_*.c.
 */
#include "command.h"

/* clang-format off */
#define COMMANDS(X) \
    X(info)         \
    X(ls)           \
    X(cat)          \
    X(copy)         \
    X(edit)         \
    X(fix)          \
    X(optimize)     \
    X(convert)      \
    X(automap)      \
    X(rules)        \
    X(diff)         \
    X(patch)        \
    X(merge)        \
    X(git)          \
    X(unpack)       \
    X(pack)         \
    X(extract)      \
    X(embed)        \
    X(find)         \
    X(size)         \
    X(check)        \
    X(lint)         \
    X(new)          \
    X(render)       \
    X(animate)      \
    X(thumbnail)    \
    X(tiles)        \
    X(gallery)      \
    X(doctor)       \
    X(help)

#define DECLARED(name) extern const command name##_command;
#define LISTED(name)   &name##_command,
COMMANDS(DECLARED)

const command *const commands[] = {COMMANDS(LISTED) NULL};
/* clang-format on */

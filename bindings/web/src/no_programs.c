/* SPDX-License-Identifier: Zlib */
/*
 * no_programs.c - what emscripten's libc lacks: WebAssembly starts no other programs, and says so as a system that cannot.
 */
#include <errno.h>
#include <spawn.h>

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    (void)pid, (void)file, (void)actions, (void)attributes, (void)argv, (void)envp;
    return ENOSYS;
}

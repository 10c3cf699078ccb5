/* SPDX-License-Identifier: Zlib */
/*
 * Replays inputs through a fuzz target, with any compiler: every file that is named, and every file below every folder that is
 * named. `-` reads one input from standard input. The last line tells how many there were; none at all is a skipped test (77).
 */
#include "fuzz.h"

static bool replay(void *ctx, const char *path)
{
    FILE *file = fopen(path, "rb");
    static uint8_t bytes[FUZZ_MAX_INPUT];
    size_t size, *num = ctx;
    if (!file)
        return false;
    /* On the heap and exactly as long as the input, so that a sanitizer sees the first byte behind it. */
    size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        return false;
    memcpy(exact, bytes, size);
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    ++*num;
    return true;
}

int main(int argc, char **argv)
{
    size_t num = 0;
    tm_error error;
    for (int i = 1; i < argc; i++) {
        const char *path = strcmp(argv[i], "-") == 0 ? "/dev/stdin" : argv[i];
        if (tm_sys_kind_of(path) == TM_SYS_FOLDER) {
            if (tm_sys_walk(path, NULL, replay, &num, NULL, &error) != TM_OK) {
                fprintf(stderr, "%s\n", error.text);
                return 2;
            }
        } else if (tm_sys_kind_of(path) != TM_SYS_MISSING && !replay(&num, path)) {
            fprintf(stderr, "'%s' cannot be read\n", path);
            return 2;
        }
    }
    printf("%zu inputs replayed\n", num);
    return num ? 0 : 77;
}

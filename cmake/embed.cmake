# cmake -DFROM=file -DTO=file.c -DNAME=name -P embed.cmake
# Writes a C file with the bytes of a file as an array called name, a NUL behind them.
file(READ ${FROM} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
get_filename_component(file ${FROM} NAME)
file(WRITE ${TO} "/* SPDX-License-Identifier: Zlib */
/* ${file}, embedded by cmake/embed.cmake. */
extern const unsigned char ${NAME}[];
const unsigned char ${NAME}[] = {
    ${bytes}0};
")

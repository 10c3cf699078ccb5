# WebAssembly for browsers and node, by Debian's emscripten. tools/ports.sh uses it, with the libraries that teemap stands on in
# TEEMAP_CROSS_SYSROOT.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
# Each file is compiled by the clang that emcc calls, with the options that emcc gives it: emcc itself, a script, takes longer than its clang.
execute_process(COMMAND emcc -v ERROR_VARIABLE words COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND emcc --cflags OUTPUT_VARIABLE options OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "clang version ([0-9]+).*InstalledDir: ([^\n]+)" found "${words}")
set(CMAKE_C_COMPILE_OBJECT "${CMAKE_MATCH_2}/clang-${CMAKE_MATCH_1} ${options} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
include(${CMAKE_CURRENT_LIST_DIR}/own_libraries.cmake)

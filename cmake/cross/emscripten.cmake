# WebAssembly for browsers and node, by Debian's emscripten. tools/ports.sh uses it, with the libraries that teemap stands on in
# TEEMAP_CROSS_SYSROOT.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/own_libraries.cmake)

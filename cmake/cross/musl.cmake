# This machine's processor and kernel with another C library: musl, by Debian's musl-tools. Programs are static.
set(CMAKE_C_COMPILER musl-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
include(${CMAKE_CURRENT_LIST_DIR}/own_libraries.cmake)

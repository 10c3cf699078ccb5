# 64-bit Windows by Debian's gcc-mingw-w64, with the threads of POSIX. Programs are static: they need no file beside them.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_C_FLAGS_INIT "-D_WIN32_WINNT=0x0601 -D__USE_MINGW_ANSI_STDIO=1 -ffunction-sections -fdata-sections") # Windows 7; printf as in C11
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -Wl,--gc-sections -Wl,--stack,8388608") # as much stack as Linux gives
set(BUILD_SHARED_LIBS OFF CACHE BOOL "")
find_program(wine wine)
if(wine)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${wine})
endif()
include(${CMAKE_CURRENT_LIST_DIR}/own_libraries.cmake)

# Shared by the toolchain files beside this one, which set cross_triplet and cross_processor first.
# The sysroot holds the foreign libraries; tools/cross.sh fills it and names it in TEEMAP_CROSS_SYSROOT, and what starts
# a foreign program in TEEMAP_CROSS_EMULATOR.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${cross_processor})
set(CMAKE_C_COMPILER ${cross_compiler}-gcc)
find_program(cross_cxx ${cross_compiler}-g++)
if(cross_cxx)
    set(CMAKE_CXX_COMPILER ${cross_cxx})
endif()
set(CMAKE_LIBRARY_ARCHITECTURE ${cross_triplet})

if(DEFINED ENV{TEEMAP_CROSS_SYSROOT})
    set(TEEMAP_CROSS_SYSROOT "$ENV{TEEMAP_CROSS_SYSROOT}" CACHE PATH "root of the foreign libraries")
endif()
if(NOT TEEMAP_CROSS_SYSROOT)
    message(FATAL_ERROR "TEEMAP_CROSS_SYSROOT is not set: use tools/cross.sh")
endif()
if(DEFINED ENV{TEEMAP_CROSS_EMULATOR})
    set(TEEMAP_CROSS_EMULATOR "$ENV{TEEMAP_CROSS_EMULATOR}" CACHE STRING "words that start a foreign program")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TEEMAP_CROSS_SYSROOT TEEMAP_CROSS_EMULATOR)

set(CMAKE_SYSROOT ${TEEMAP_CROSS_SYSROOT})
set(CMAKE_FIND_ROOT_PATH ${TEEMAP_CROSS_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Indirect libraries (libpng's) are looked up by the linker itself.
set(cross_rpath_link "-Wl,-rpath-link,${TEEMAP_CROSS_SYSROOT}/usr/lib/${cross_triplet}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "${cross_rpath_link}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${cross_rpath_link}")

set(ENV{PKG_CONFIG_SYSROOT_DIR} ${TEEMAP_CROSS_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${TEEMAP_CROSS_SYSROOT}/usr/lib/${cross_triplet}/pkgconfig:${TEEMAP_CROSS_SYSROOT}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_PATH} "")

separate_arguments(CMAKE_CROSSCOMPILING_EMULATOR UNIX_COMMAND "${TEEMAP_CROSS_EMULATOR}")

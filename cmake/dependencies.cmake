# What the library and the command line stand on. Only pkg-config knows all of them on every system that we
# build on: libdeflate and libspng ship CMake packages in some distributions and not in others. All names that CMake
# keeps for them start with teemap_, since a project that has this one in a subfolder may look for the same libraries.
find_package(PkgConfig REQUIRED)

# The library's own, each once and behind all that may need it; cmake/teemapConfig.cmake.in finds them in the same way.
set(TEEMAP_LIBRARIES spng libdeflate zlib)
pkg_search_module(teemap_spng REQUIRED IMPORTED_TARGET spng libspng)
pkg_check_modules(teemap_libdeflate REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(teemap_zlib REQUIRED IMPORTED_TARGET zlib)

# WebP is written where libwebp is there, unless told otherwise.
set(TEEMAP_WEBP AUTO CACHE STRING "write WebP by libwebp: AUTO (if it is there), ON or OFF")
set_property(CACHE TEEMAP_WEBP PROPERTY STRINGS AUTO ON OFF)
set(TEEMAP_HAVE_WEBP OFF)
if(TEEMAP_WEBP)
  set(required REQUIRED)
  if(TEEMAP_WEBP STREQUAL "AUTO")
    set(required QUIET)
  endif()
  pkg_check_modules(teemap_libwebp ${required} IMPORTED_TARGET libwebp)
  pkg_check_modules(teemap_libwebpmux ${required} IMPORTED_TARGET libwebpmux)
  if(teemap_libwebp_FOUND AND teemap_libwebpmux_FOUND)
    set(TEEMAP_HAVE_WEBP ON)
    list(PREPEND TEEMAP_LIBRARIES libwebpmux libwebp)
  endif()
endif()
list(TRANSFORM TEEMAP_LIBRARIES PREPEND PkgConfig::teemap_ OUTPUT_VARIABLE TEEMAP_PRIVATE_LIBRARIES)

if(TEEMAP_SYS)
  find_package(Threads REQUIRED)
  list(APPEND TEEMAP_PRIVATE_LIBRARIES Threads::Threads)
endif()
# The C library's mathematics live in a library of their own on some systems and nowhere else on others.
include(CheckLibraryExists)
check_library_exists(m pow "" TEEMAP_HAVE_LIBM)
set(TEEMAP_LIBM $<$<BOOL:${TEEMAP_HAVE_LIBM}>:m>)
list(APPEND TEEMAP_PRIVATE_LIBRARIES ${TEEMAP_LIBM})

if(TEEMAP_CLI)
  pkg_check_modules(teemap_jansson REQUIRED IMPORTED_TARGET jansson)
  pkg_check_modules(teemap_libcrypto REQUIRED IMPORTED_TARGET libcrypto)
endif()
if(TEEMAP_TESTS)
  pkg_check_modules(teemap_cmocka REQUIRED IMPORTED_TARGET cmocka)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()

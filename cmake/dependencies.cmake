# What the library and the command line stand on. Only pkg-config knows all of them on every system that we
# build on: libdeflate and libspng ship CMake packages in some distributions and not in others.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET libdeflate)
pkg_search_module(spng REQUIRED IMPORTED_TARGET spng libspng)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)

# WebP is written where libwebp is there, unless told otherwise.
set(TEEMAP_WEBP AUTO CACHE STRING "write WebP by libwebp: AUTO (if it is there), ON or OFF")
set_property(CACHE TEEMAP_WEBP PROPERTY STRINGS AUTO ON OFF)
if(TEEMAP_WEBP STREQUAL "AUTO")
  pkg_check_modules(webp IMPORTED_TARGET libwebp libwebpmux)
elseif(TEEMAP_WEBP)
  pkg_check_modules(webp REQUIRED IMPORTED_TARGET libwebp libwebpmux)
endif()
set(TEEMAP_HAVE_WEBP OFF)
if(TARGET PkgConfig::webp AND TEEMAP_WEBP)
  set(TEEMAP_HAVE_WEBP ON)
endif()

# The C library's mathematics live in a library of their own on some systems and nowhere else on others.
include(CheckLibraryExists)
check_library_exists(m pow "" TEEMAP_HAVE_LIBM)
set(TEEMAP_LIBM $<$<BOOL:${TEEMAP_HAVE_LIBM}>:m>)

set(TEEMAP_PRIVATE_LIBRARIES
  PkgConfig::libdeflate PkgConfig::spng PkgConfig::zlib Threads::Threads ${TEEMAP_LIBM})
if(TEEMAP_HAVE_WEBP)
  list(APPEND TEEMAP_PRIVATE_LIBRARIES PkgConfig::webp)
endif()

if(TEEMAP_CLI)
  pkg_check_modules(jansson REQUIRED IMPORTED_TARGET jansson)
  pkg_check_modules(libcrypto REQUIRED IMPORTED_TARGET libcrypto)
endif()
if(TEEMAP_TESTS)
  pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()

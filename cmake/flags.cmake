# Compiler flags of this project, as two interface targets that are never installed:
#   teemap_flags       language, warnings and sanitizers, for everything that is compiled here
#   teemap_link_flags  what a program or library linked here needs besides (sanitizers)
# Standard C only (no GNU extensions): what is not ISO C is invisible outside src/sys, which asks for POSIX itself.
include(CheckCSourceCompiles)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)

# In another project's subfolder these are that project's to choose.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
  endif()
elseif(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND NOT CMAKE_C_FLAGS MATCHES "-O")
  message(STATUS "teemap: CMAKE_BUILD_TYPE is not set, so the library is not optimized; Release makes it several times faster")
endif()

set(TEEMAP_WARNINGS
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wundef -Wstrict-prototypes -Wmissing-prototypes
  -Wcast-qual -Wwrite-strings
  -Wno-psabi # src/render passes wide vectors, to inlined functions only
  -Wno-enum-float-conversion) # of clang 18 and later: numbers have names by enum here

add_library(teemap_flags INTERFACE)
add_library(teemap_link_flags INTERFACE)
target_compile_options(teemap_flags INTERFACE
  ${TEEMAP_WARNINGS}
  $<$<BOOL:${TEEMAP_WERROR}>:-Werror>
  # Same numbers everywhere: no fused multiply-add where the source has two operations.
  -ffp-contract=off
  # No path of the building machine in the result.
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
target_compile_definitions(teemap_flags INTERFACE
  _FILE_OFFSET_BITS=64
  $<$<BOOL:${TEEMAP_DEV}>:TMI_DEV>
  $<$<BOOL:${TEEMAP_ARENA_MALLOC}>:TMI_ARENA_MALLOC>)

# 32-bit x86 computes in 80 bits unless told otherwise, which would make other numbers than everybody else's.
check_c_source_compiles("#include <float.h>
#if FLT_EVAL_METHOD != 0
#error intermediate results carry extra precision
#endif
int main(void) { return 0; }" TEEMAP_PLAIN_FLOATS)
if(NOT TEEMAP_PLAIN_FLOATS AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(i.86|x86|x86_64|AMD64)$")
  target_compile_options(teemap_flags INTERFACE -msse2 -mfpmath=sse)
elseif(NOT TEEMAP_PLAIN_FLOATS AND CMAKE_C_COMPILER_ID STREQUAL GNU)
  # s390x computes float as float; only its ABI's float_t makes strict ISO C promise double.
  target_compile_options(teemap_flags INTERFACE -fexcess-precision=fast)
endif()

# Words, names of files and the environment are UTF-8, also where the C library alone reads them.
if(WIN32 AND PROJECT_IS_TOP_LEVEL)
  enable_language(RC)
  target_sources(teemap_link_flags INTERFACE
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${PROJECT_SOURCE_DIR}/cmake/windows/program.rc>)
endif()

if(TEEMAP_SANITIZE)
  set(TEEMAP_SANITIZE_FLAGS -fsanitize=${TEEMAP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_compile_options(teemap_flags INTERFACE ${TEEMAP_SANITIZE_FLAGS})
  target_link_options(teemap_link_flags INTERFACE ${TEEMAP_SANITIZE_FLAGS})
endif()
if(TEEMAP_FUZZ AND CMAKE_C_COMPILER_ID MATCHES Clang AND NOT CMAKE_C_COMPILER MATCHES "afl-")
  target_compile_options(teemap_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(teemap_link_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Fuzz targets: each fuzz/fuzz_<name>.c has one LLVMFuzzerTestOneInput.
#   TEEMAP_FUZZ with clang            fuzz_<name> is a libFuzzer program
#   TEEMAP_FUZZ with afl-clang-fast   fuzz_<name> is an AFL++ program, through AFL++'s libFuzzer driver
#   TEEMAP_TESTS, any compiler        replay_<name> runs the kept inputs of fuzz/corpus/<name>/ as a test, and the hostile maps
file(GLOB TEEMAP_FUZZ_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fuzz/fuzz_*.c)

function(teemap_fuzz_program program source)
  add_executable(${program} ${source} ${PROJECT_SOURCE_DIR}/tests/support/memory.c ${ARGN})
  target_include_directories(${program} PRIVATE
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/fuzz ${PROJECT_SOURCE_DIR}/tests)
  set_target_properties(${program} PROPERTIES C_EXTENSIONS ON RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  target_link_libraries(${program} PRIVATE teemap_static teemap_flags teemap_link_flags)
endfunction()

set(hostile ${PROJECT_BINARY_DIR}/fuzz/hostile)
foreach(source IN LISTS TEEMAP_FUZZ_SOURCES)
  get_filename_component(program ${source} NAME_WE)
  string(REGEX REPLACE "^fuzz_" "" name ${program})
  if(TEEMAP_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
      message(FATAL_ERROR "TEEMAP_FUZZ needs clang or afl-clang-fast; the kept inputs replay with any compiler")
    endif()
    teemap_fuzz_program(${program} ${source})
    target_link_options(${program} PRIVATE -fsanitize=fuzzer)
  endif()
  if(TEEMAP_TESTS)
    teemap_fuzz_program(replay_${name} ${source} ${PROJECT_SOURCE_DIR}/fuzz/standalone.c)
    target_link_libraries(replay_${name} PRIVATE PkgConfig::teemap_cmocka)
    add_test(NAME fuzz.${name} COMMAND replay_${name} ${PROJECT_SOURCE_DIR}/fuzz/corpus/${name} ${hostile}/${name})
    set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT 300 SKIP_RETURN_CODE 77 FIXTURES_REQUIRED hostile_seeds)
  endif()
endforeach()
if(TEEMAP_TESTS)
  add_test(NAME fuzz.hostile_seeds COMMAND python3 ${PROJECT_SOURCE_DIR}/fuzz/hostile_seeds.py ${hostile})
  set_tests_properties(fuzz.hostile_seeds PROPERTIES LABELS fuzz FIXTURES_SETUP hostile_seeds)
endif()

# Makes the seeds from which the kept inputs grew: make_seeds FOLDER.
if(TEEMAP_FUZZ_SOURCES AND TEEMAP_TESTS)
  add_executable(make_seeds ${PROJECT_SOURCE_DIR}/fuzz/seeds.c)
  set_target_properties(make_seeds PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  target_link_libraries(make_seeds PRIVATE teemap_static teemap_flags teemap_link_flags)
endif()

# The command line tool. It sees include/ and nothing of src/. Its manual pages and shell completions are
# printed by itself, from its one table of commands, so that they cannot differ from what it does.
file(GLOB TEEMAP_CLI_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.c ${PROJECT_SOURCE_DIR}/cli/*/*.c)
# The viewer that `teemap tiles` writes beside its tiles is a page of its own, kept inside the program.
set(TEEMAP_VIEWER ${PROJECT_BINARY_DIR}/viewer.c)
add_custom_command(
  OUTPUT ${TEEMAP_VIEWER}
  COMMAND ${CMAKE_COMMAND} -DFROM=${PROJECT_SOURCE_DIR}/cli/commands/viewer.html -DTO=${TEEMAP_VIEWER} -DNAME=page_viewer
    -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${PROJECT_SOURCE_DIR}/cli/commands/viewer.html ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "Embedding the viewer" VERBATIM)
add_executable(teemap_cli ${TEEMAP_CLI_SOURCES} ${TEEMAP_VIEWER})
set_target_properties(teemap_cli PROPERTIES OUTPUT_NAME teemap)
target_include_directories(teemap_cli PRIVATE ${PROJECT_SOURCE_DIR}/cli)
target_compile_definitions(teemap_cli PRIVATE TEEMAP_VERSION="${PROJECT_VERSION}")
target_link_libraries(teemap_cli PRIVATE
  teemap_static PkgConfig::teemap_jansson PkgConfig::teemap_libcrypto teemap_flags teemap_link_flags)

set(TEEMAP_CAN_RUN_CLI ON)
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  set(TEEMAP_CAN_RUN_CLI OFF)
  message(STATUS "cross compiling without an emulator: no manual pages, no completions")
endif()
if(TEEMAP_CAN_RUN_CLI)
  set(TEEMAP_MANUAL_DIR ${PROJECT_BINARY_DIR}/manual)
  add_custom_command(
    OUTPUT ${TEEMAP_MANUAL_DIR}/stamp
    COMMAND ${CMAKE_COMMAND} "-DTEEMAP=${CMAKE_CROSSCOMPILING_EMULATOR};$<TARGET_FILE:teemap_cli>"
      -DOUT=${TEEMAP_MANUAL_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/manual.cmake
    DEPENDS teemap_cli ${PROJECT_SOURCE_DIR}/cmake/manual.cmake
    COMMENT "Printing manual pages and completions" VERBATIM)
  add_custom_target(teemap_manual ALL DEPENDS ${TEEMAP_MANUAL_DIR}/stamp)
endif()

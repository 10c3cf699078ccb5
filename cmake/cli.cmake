# The command line tool. It sees include/ and nothing of src/. Its manual pages and shell completions are
# printed by itself, from its one table of commands, so that they cannot differ from what it does.
file(GLOB TEEMAP_CLI_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.c ${PROJECT_SOURCE_DIR}/cli/*/*.c)
# Files that the program carries: the pages that `teemap tiles`, `teemap diff` and `teemap gallery` write, and the documents that `teemap help` shows.
set(TEEMAP_EMBEDDED)
function(teemap_embed name file)
  set(to ${PROJECT_BINARY_DIR}/embedded/${name}.c)
  add_custom_command(
    OUTPUT ${to}
    COMMAND ${CMAKE_COMMAND} -DFROM=${PROJECT_SOURCE_DIR}/${file} -DTO=${to} -DNAME=${name}
      -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${PROJECT_SOURCE_DIR}/${file} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Embedding ${file}" VERBATIM)
  set(TEEMAP_EMBEDDED ${TEEMAP_EMBEDDED} ${to} PARENT_SCOPE)
endfunction()
teemap_embed(page_style cli/output/page_style.css)
teemap_embed(report_style cli/output/report_style.css)
teemap_embed(help_form cli/options/help.form)
teemap_embed(overview_form cli/options/overview.form)
teemap_embed(manual_page cli/options/manual.roff)
teemap_embed(completion_bash cli/options/completion.bash)
teemap_embed(completion_zsh cli/options/completion.zsh)
teemap_embed(completion_fish cli/options/completion.fish)
teemap_embed(tiles_page cli/commands/tiles_page.html)
teemap_embed(live_page cli/commands/live_page.html)
teemap_embed(changes_page_html cli/commands/changes_page.html)
teemap_embed(lint_page_html cli/commands/lint_page.html)
teemap_embed(lint_sarif cli/commands/lint_sarif.form)
teemap_embed(lint_github cli/commands/lint_github.form)
teemap_embed(lint_junit cli/commands/lint_junit.form)
teemap_embed(lint_markdown cli/commands/lint_markdown.form)
teemap_embed(info_form cli/commands/info.form)
teemap_embed(doctor_form cli/commands/doctor.form)
teemap_embed(gallery_index cli/commands/gallery.html)
teemap_embed(gallery_style cli/commands/gallery.css)
teemap_embed(gallery_script cli/commands/gallery.js)
teemap_embed(gallery_map_script cli/commands/map_page.js)
teemap_embed(gallery_map_page cli/commands/gallery_map.html)
teemap_embed(document_findings docs/findings.md)
teemap_embed(document_lint docs/lint.md)
teemap_embed(document_addresses docs/addresses.md)
teemap_embed(document_exit_status docs/exit-status.md)
# help_NAME: what `teemap help NAME` says
file(GLOB TEEMAP_HELP CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/cli/help ${PROJECT_SOURCE_DIR}/cli/help/*.md)
foreach(file ${TEEMAP_HELP})
  string(REPLACE ".md" "" name ${file})
  teemap_embed(help_${name} cli/help/${file})
endforeach()
add_executable(teemap_cli ${TEEMAP_CLI_SOURCES} ${TEEMAP_EMBEDDED})
set_target_properties(teemap_cli PROPERTIES OUTPUT_NAME teemap)
target_include_directories(teemap_cli PRIVATE ${PROJECT_SOURCE_DIR}/cli)
# By itself it needs no library of ours; distributions, which say BUILD_SHARED_LIBS, share theirs.
target_link_libraries(teemap_cli PRIVATE
  $<IF:$<BOOL:${BUILD_SHARED_LIBS}>,teemap_shared,teemap_static> ${TEEMAP_LIBM} teemap_flags teemap_link_flags)

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

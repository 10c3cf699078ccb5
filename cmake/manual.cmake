# cmake -DTEEMAP="[emulator;]path" -DOUT=dir -P manual.cmake
# Asks the command line tool for its manual pages and shell completions. Which subcommands have a page is read
# from the first page: whatever it refers to as teemap-<name>(1).
function(ask file)
  get_filename_component(dir ${OUT}/${file} DIRECTORY)
  file(MAKE_DIRECTORY ${dir})
  execute_process(COMMAND ${TEEMAP} help ${ARGN} OUTPUT_FILE ${OUT}/${file} RESULT_VARIABLE status)
  file(SIZE ${OUT}/${file} size)
  if(NOT status EQUAL 0 OR size EQUAL 0)
    message(FATAL_ERROR "'teemap help ${ARGN}' ended with ${status} and printed ${size} bytes")
  endif()
endfunction()

file(REMOVE_RECURSE ${OUT})
ask(man1/teemap.1 --man)
file(READ ${OUT}/man1/teemap.1 page)
string(REGEX REPLACE "\\\\f[A-Z]|\\\\" "" page "${page}")
string(REGEX MATCHALL "teemap-[a-z-]+ ?\"? ?\\(1\\)" names "${page}")
list(REMOVE_DUPLICATES names)
foreach(name IN LISTS names)
  string(REGEX REPLACE "^teemap-([a-z-]*[a-z]).*" "\\1" name "${name}")
  ask(man1/teemap-${name}.1 --man ${name})
endforeach()

ask(completion/bash/teemap --completion bash)
ask(completion/zsh/_teemap --completion zsh)
ask(completion/fish/teemap.fish --completion fish)
file(TOUCH ${OUT}/stamp)

# What `cmake --install` puts where. The two libraries are exported apart, since who links the shared one needs
# none of the libraries that the static one stands on.
include(CMakePackageConfigHelpers)
set(TEEMAP_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/teemap)

set(TEEMAP_LACKS)
set(TEEMAP_PC_CFLAGS)
if(NOT TEEMAP_SYS)
  list(TRANSFORM TEEMAP_SYS_ROOMS REPLACE "(.+)" "PATTERN;\\1.h;EXCLUDE" OUTPUT_VARIABLE TEEMAP_LACKS)
  set(TEEMAP_PC_CFLAGS " -DTM_WITHOUT_SYS")
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/teemap DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" ${TEEMAP_LACKS})

set(kinds static)
if(TEEMAP_SHARED)
  list(APPEND kinds shared)
endif()
foreach(kind IN LISTS kinds)
  install(TARGETS teemap_${kind} EXPORT teemap-${kind})
  install(EXPORT teemap-${kind} DESTINATION ${TEEMAP_PACKAGE_DIR} NAMESPACE teemap:: FILE teemap-${kind}.cmake)
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/teemapConfig.cmake.in
  ${PROJECT_BINARY_DIR}/teemapConfig.cmake INSTALL_DESTINATION ${TEEMAP_PACKAGE_DIR}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/teemapConfigVersion.cmake
  COMPATIBILITY ${TEEMAP_COMPATIBILITY})
install(FILES ${PROJECT_BINARY_DIR}/teemapConfig.cmake ${PROJECT_BINARY_DIR}/teemapConfigVersion.cmake
  DESTINATION ${TEEMAP_PACKAGE_DIR})

# The pkg-config file finds its prefix from its own place, so that an installed tree can be moved.
file(RELATIVE_PATH TEEMAP_PC_PREFIX
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(dir LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE ${CMAKE_INSTALL_${dir}})
    set(TEEMAP_PC_${dir} ${CMAKE_INSTALL_${dir}})
  else()
    set(TEEMAP_PC_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
  endif()
endforeach()
# What the static library needs is told as libraries and not as packages (Requires.private): pkg-config wants the files
# of those packages even from who links the shared one. Each once, behind all that may need it.
set(TEEMAP_PC_LIBS_PRIVATE)
foreach(library IN LISTS TEEMAP_LIBRARIES)
  list(APPEND TEEMAP_PC_LIBS_PRIVATE ${teemap_${library}_STATIC_LDFLAGS})
endforeach()
list(APPEND TEEMAP_PC_LIBS_PRIVATE ${CMAKE_THREAD_LIBS_INIT})
if(TEEMAP_HAVE_LIBM)
  list(APPEND TEEMAP_PC_LIBS_PRIVATE -lm)
endif()
foreach(dir IN LISTS CMAKE_C_IMPLICIT_LINK_DIRECTORIES) # where every compiler here looks by itself
  list(REMOVE_ITEM TEEMAP_PC_LIBS_PRIVATE -L${dir})
endforeach()
list(REVERSE TEEMAP_PC_LIBS_PRIVATE)
list(REMOVE_DUPLICATES TEEMAP_PC_LIBS_PRIVATE)
list(REVERSE TEEMAP_PC_LIBS_PRIVATE)
list(JOIN TEEMAP_PC_LIBS_PRIVATE " " TEEMAP_PC_LIBS_PRIVATE)
configure_file(${PROJECT_SOURCE_DIR}/cmake/teemap.pc.in ${PROJECT_BINARY_DIR}/teemap.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/teemap.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# As a part of another project: the library, and no more.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

# The headers as manual pages of section 3.
set(TEEMAP_REFERENCE_DIR ${PROJECT_BINARY_DIR}/reference)
file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/teemap/*.h)
add_custom_command(
  OUTPUT ${TEEMAP_REFERENCE_DIR}/stamp
  COMMAND ${CMAKE_COMMAND} -DFROM=${PROJECT_SOURCE_DIR}/include/teemap -DOUT=${TEEMAP_REFERENCE_DIR}
    -DVERSION=${PROJECT_VERSION} -P ${PROJECT_SOURCE_DIR}/cmake/reference.cmake
  DEPENDS ${headers} ${PROJECT_SOURCE_DIR}/cmake/reference.cmake
  COMMENT "Writing manual pages of the library" VERBATIM)
add_custom_target(teemap_reference ALL DEPENDS ${TEEMAP_REFERENCE_DIR}/stamp)
install(DIRECTORY ${TEEMAP_REFERENCE_DIR}/man3 DESTINATION ${CMAKE_INSTALL_MANDIR})

if(TEEMAP_CLI)
  install(TARGETS teemap_cli)
  if(TEEMAP_CAN_RUN_CLI)
    install(DIRECTORY ${TEEMAP_MANUAL_DIR}/man1 ${TEEMAP_MANUAL_DIR}/man7 DESTINATION ${CMAKE_INSTALL_MANDIR})
    install(FILES ${TEEMAP_MANUAL_DIR}/completion/bash/teemap
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${TEEMAP_MANUAL_DIR}/completion/zsh/_teemap
      DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${TEEMAP_MANUAL_DIR}/completion/fish/teemap.fish
      DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
  # So that file managers on Linux show maps as pictures.
  if(UNIX AND NOT APPLE)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/desktop/teemap.thumbnailer
      DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/desktop/teemap.xml
      DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
  endif()
endif()

# As they lie in the repository, so that the links between them hold.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md ${PROJECT_SOURCE_DIR}/SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

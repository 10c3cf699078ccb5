vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_download_distfile(archive
  URLS "@URL@/teemap-@VERSION@-source.tar.gz"
  FILENAME teemap-@VERSION@-source.tar.gz
  SHA512 @SHA512@)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")
vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_cmake_configure(
  SOURCE_PATH "${source}"
  OPTIONS -DTEEMAP_CLI=OFF -DTEEMAP_TESTS=OFF -DTEEMAP_LIBDEFLATE=ON -DTEEMAP_WEBP=ON -DTEEMAP_GIF=ON -DTEEMAP_ZOPFLI=ON "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/teemap)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")

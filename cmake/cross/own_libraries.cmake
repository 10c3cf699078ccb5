# Shared by the ports whose libraries tools/ports.sh compiles itself: they lie in TEEMAP_CROSS_SYSROOT and nowhere else.
if(DEFINED ENV{TEEMAP_CROSS_SYSROOT})
  set(TEEMAP_CROSS_SYSROOT "$ENV{TEEMAP_CROSS_SYSROOT}" CACHE PATH "where the foreign libraries were installed")
endif()
set(TEEMAP_ZOPFLI OFF CACHE STRING "found without pkg-config it would be this machine's")
set(ENV{PKG_CONFIG_LIBDIR} ${TEEMAP_CROSS_SYSROOT}/lib/pkgconfig)
set(ENV{PKG_CONFIG_PATH} "")

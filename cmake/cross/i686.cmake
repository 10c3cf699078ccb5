# i686: 32-bit, little-endian. Debian keeps its libraries under i386-linux-gnu.
set(cross_processor i686)
set(cross_compiler i686-linux-gnu)
set(cross_triplet i386-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)

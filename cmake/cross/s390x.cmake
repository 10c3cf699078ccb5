# s390x: 64-bit, big-endian.
set(cross_processor s390x)
set(cross_compiler s390x-linux-gnu)
set(cross_triplet s390x-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)

# What CMake before 3.31 does not know of WASI: programs end with .wasm, and there are no shared libraries.
set(WASI 1)
set_property(GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS FALSE)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)

# WebAssembly (wasm32-wasi) by Debian's clang, lld, llvm (whose ar indexes such objects), wasi-libc and libclang-rt-dev-wasm32. tools/ports.sh uses it, with the
# libraries that teemap stands on in TEEMAP_CROSS_SYSROOT.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR}/modules) # older CMake does not know the system
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
include(${CMAKE_CURRENT_LIST_DIR}/own_libraries.cmake)

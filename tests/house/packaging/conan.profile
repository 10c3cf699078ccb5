# What conan would fetch is Debian's here.
[settings]
os=Linux
arch=x86_64
compiler=gcc
compiler.version=12
compiler.libcxx=libstdc++11
build_type=Debug
[platform_requires]
giflib/5.2.1
libdeflate/1.14
libpng/1.6.39
libwebp/1.2.4
zlib/1.2.13
[platform_tool_requires]
cmake/3.25.1
pkgconf/1.8.1

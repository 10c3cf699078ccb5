# SPDX-License-Identifier: Zlib
from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get
from conan.tools.gnu import PkgConfigDeps


class Teemap(ConanFile):
    name = "teemap"
    version = "@VERSION@"
    description = "Read, check, change, draw and write maps of Teeworlds and DDNet"
    license = "Zlib"
    homepage = url = "@URL@"
    package_type = "static-library"
    languages = "C"
    implements = ["auto_shared_fpic"]
    settings = "os", "arch", "compiler", "build_type"
    options = {"fPIC": [True, False]}
    default_options = {"fPIC": True}

    def layout(self):
        cmake_layout(self, src_folder="source")

    def requirements(self):
        for name in ("giflib/[>=5.2]", "libdeflate/[>=1.14]", "libpng/[>=1.6.32]", "libwebp/[>=1.2]", "zlib/[>=1.2.11]"):
            self.requires(name)

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25]")
        self.tool_requires("pkgconf/[>=1.8]")

    def source(self):
        get(self, f"{self.url}/teemap-{self.version}-source.tar.gz", sha256="@SHA256@", strip_root=True)

    def generate(self):
        PkgConfigDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for option in ("TEEMAP_LIBDEFLATE", "TEEMAP_WEBP", "TEEMAP_GIF"):
            toolchain.cache_variables[option] = "ON"
        for option in ("TEEMAP_CLI", "TEEMAP_TESTS", "TEEMAP_ZOPFLI"):  # zopfli has no file for pkg-config
            toolchain.cache_variables[option] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, f"{self.package_folder}/licenses")
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["teemap"]
        if self.settings.os != "Windows":
            self.cpp_info.system_libs = ["m", "pthread"]

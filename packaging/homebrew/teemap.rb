class Teemap < Formula
  desc "Look at, check, change and draw Teeworlds and DDNet maps"
  homepage "@URL@"
  url "@URL@/teemap-@VERSION@-source.tar.gz"
  sha256 "@SHA256@"
  license "Zlib"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "giflib"
  depends_on "libdeflate"
  depends_on "libpng"
  depends_on "webp"
  depends_on "zopfli"

  uses_from_macos "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DBUILD_SHARED_LIBS=ON", "-DTEEMAP_TESTS=OFF",
           "-DTEEMAP_LIBDEFLATE=ON", "-DTEEMAP_WEBP=ON", "-DTEEMAP_GIF=ON", "-DTEEMAP_ZOPFLI=ON",
           "-DCMAKE_INSTALL_RPATH=#{rpath}", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"teemap", "new", "hills.map"
    assert_match "Game", shell_output("#{bin}/teemap ls hills.map")
    assert_match version.to_s, shell_output("#{bin}/teemap --version")
  end
end

# pkgs.callPackage ./package.nix { }
{
  lib,
  stdenv,
  fetchurl,
  cmake,
  ninja,
  pkg-config,
  giflib,
  libdeflate,
  libpng,
  libwebp,
  zlib,
  zopfli,
}:

stdenv.mkDerivation rec {
  pname = "teemap";
  version = "@VERSION@";

  src = fetchurl {
    url = "@URL@/teemap-${version}-source.tar.gz";
    sha256 = "@SHA256@";
  };

  nativeBuildInputs = [ cmake ninja pkg-config ];
  # What programs that link with the library need, too.
  propagatedBuildInputs = [ giflib libdeflate libpng libwebp zlib zopfli ];
  cmakeFlags = [ "-DBUILD_SHARED_LIBS=ON" "-DTEEMAP_TESTS=OFF" ]
    ++ map (name: "-DTEEMAP_${name}=ON") [ "LIBDEFLATE" "WEBP" "GIF" "ZOPFLI" ];

  meta = {
    description = "Look at, check, change and draw Teeworlds and DDNet maps";
    homepage = "@URL@";
    license = lib.licenses.zlib;
    mainProgram = "teemap";
    platforms = lib.platforms.unix;
  };
}

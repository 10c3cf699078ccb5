# The words of nixpkgs that packaging/nix uses, without the packages themselves.
recipe:
(import recipe {
  lib = { licenses.zlib = "Zlib"; platforms.unix = [ ]; };
  stdenv.mkDerivation = attributes: attributes;
  fetchurl = { url, sha256 }: url + " " + sha256;
  cmake = "cmake"; ninja = "ninja"; pkg-config = "pkg-config"; giflib = "giflib"; libdeflate = "libdeflate"; libpng = "libpng";
  libwebp = "libwebp"; zlib = "zlib"; zopfli = "zopfli";
}).src

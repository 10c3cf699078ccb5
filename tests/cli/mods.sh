#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Mods: what lint, find, info and pictures of entities make of a map that shows one, and --mod with a name or a file.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

# Spikes of fng: to DDNet 7 and 8 are nothing, 10 is no tile of game layers.
run 0 new -s 12x9 new.map
run 0 edit new.map -o fng.map fill game@2,3+1x1 7 + fill game@3,3+2x1 8 + fill game@5,3+1x1 10
run 0 lint -v fng.map
says out 'this looks like a map of fng: it has 3 of its own kinds of tiles' '[map-of-mod]'
run 0 lint --json fng.map
says out '"rules":["style","fng"]'
run 0 info --facts fng.map
says out '"mod":"fng"' '"tiles_hazard":4' '"tiles_unknown":0'
run 0 info --facts new.map
says out '"mod":null'
run 0 find 'fng-spike' fng.map
says out 'fng.map: 1/0@3,3+2x1: 2 tiles, fng-spike'
run 0 find --mod ddnet 'game/8' fng.map
says out 'fng.map: 1/0@3,3+2x1: 2 tiles, 8'
run 0 lint -v --mod ddnet fng.map
says_not out map-of-mod
says out later-tile

# The library's own pictures show what spikes do; a sheet is that of the mod, and DDNet's client masks what it does not know.
run 0 render fng.map -o own.png --entities --sheet own --region 0,0,12,9
run 0 render fng.map -o game.png --entities --sheet own --region 0,0,12,9 --mod ddnet
cmp -s own.png game.png && fail "the mod makes no difference"
python3 - <<'END' || fail "no sheet"
import struct, zlib
row = b"\0" + b"\xff\x80\x40\xff" * 256
def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
open("sheet.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 256, 256, 8, 6, 0, 0, 0)) +
                              chunk(b"IDAT", zlib.compress(row * 256)) + chunk(b"IEND", b""))
END
run 0 edit new.map -o shown.map fill game@2,3+1x1 7 + fill game@3,3+1x1 8 + fill game@5,3+1x1 10 + fill game@7,3+1x1 140
render() { run 0 render shown.map -o "$1" --entities=game --sheet sheet.png --region 2,3,6,1 --flat --size 96x16 --background 000000 "${@:2}"; }
render fng.png
render ddnet.png --mod ddnet
render bw.png --mod blockworlds
cmp -s fng.png ddnet.png && fail "the mask of fng is that of DDNet"
cmp -s fng.png bw.png && fail "fng hides nothing"

# Settings that a server has, in a file.
run 0 edit new.map -o set.map settings add 'sv_lava 9'
run 1 lint set.map
says out "'sv_lava' is no setting of maps"
printf 'name = "server"\n[[settings]]\nname = "sv_lava"\nmin = 0\nmax = 9\n' >server.toml
run 0 lint --mod server.toml set.map
printf 'name = "server"\n[[settings]]\nname = "sv_lava"\nmin = 0\nmax = 8\n' >server.toml
run 1 lint --mod server.toml set.map
says out "'sv_lava 9' is not from 0 to 8"
run 0 lint -v --mod server.toml fng.map
says out map-of-mod

# What is refused, and where.
run 2 lint --mod nobody set.map
says err 'nobody: there is no such mod, and no such file; mods are blockworlds, ddnet, '
run 2 lint --mod ./nobody.toml set.map
says err './nobody.toml: ' 'No such file'
printf 'name = "x"\n\ntiels = 1\n' >bad.toml
run 2 render --mod bad.toml --entities -o x.png set.map
says err "bad.toml: line 3: there is no key 'tiels' here; did you mean 'tiles'?"
printf 'name = \n' >bad.toml
run 2 find --mod bad.toml freeze set.map
says err 'bad.toml: line 1: '

# A mod of somebody who writes no C: everything that a map of it needs.
cat >lava.toml <<'END'
name = "lava"
title = "Lava"
base = "teeworlds06"
[[tiles]]
index = "20..22"
layers = ["game"]
id = "lava"
title = "burns"
category = "hazard"
[lint]
rules = "none"
END
run 0 edit new.map -o lava.map fill game@2,3+3x1 21
run 0 lint --mod lava.toml -v --rules style lava.map
run 0 find --mod lava.toml game/21 lava.map
says out '3 tiles, lava'

# The schema fits the files of the table and those of this test.
if python3 -c 'import jsonschema, tomllib' 2>/dev/null; then
    python3 - "$TEEMAP_SOURCE" lava.toml server.toml <<'END' || fail "the schema of mods"
import glob, json, sys, tomllib, jsonschema
schema = json.load(open(sys.argv[1] + "/docs/schema/mod.json"))
files = glob.glob(sys.argv[1] + "/data/mods/*.toml")
assert len(files) > 9
for name in files + sys.argv[2:]:
    jsonschema.validate(tomllib.load(open(name, "rb")), schema)
for wrong in ({}, {"name": "A"}, {"name": "a", "tiels": []}, {"name": "a", "tiles": [{"index": 256, "id": "x", "category": "solid"}]},
              {"name": "a", "lint": {"rules": "some"}}, {"name": "a", "settings": [{}]}):
    try:
        jsonschema.validate(wrong, schema)
    except jsonschema.ValidationError:
        continue
    sys.exit(f"{wrong} fits")
END
fi

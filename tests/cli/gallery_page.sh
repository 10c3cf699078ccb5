#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# test-posix: names of maps that no file of Windows has
# The pages of `teemap gallery` in a headless Chromium. A screenshot is kept: artefacts/gallery.png in the build folder.
# test-labels: browser long
# test-timeout: 600
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

python3 -c "import sys; sys.path.insert(0, '$TEEMAP_SOURCE/tests/browser'); import browser; sys.exit(not browser.find())" || skip "no Chromium"
built examples/example_landscape land.map || fail "example_landscape"
mkdir -p maps/many maps/hostile maps/other
make_map rich.map
for i in $(seq 0 139); do cp rich.map "maps/many/$(printf 'tutorial-%04d.map' "$i")"; done
cp land.map maps/other/land.map
cp land.map maps/many/land.map # the same name in another folder
run 0 new -s 700x300 maps/other/large.map
printf 'no map\n' >maps/other/broken.map
run 0 new -s 20x10 small.map
cp small.map "$(printf 'maps/other/B\303\244r.map')"
run 0 edit small.map -o 'maps/other/by ann.map' set info.author=Ann + settings add 'sv_gravity <b>x</b> & "y"'
run 0 edit small.map -o 'maps/other/by zoe.map' set info.author=Zoe
cp small.map 'maps/other/by nobody.map'
PYTHONPATH=$cli_tests python3 - <<'PYTHON' || fail "a map without its image"
import make_map
text = make_map.Writer.text
make_map.Writer.text = lambda self, content: text(self, 'xyz_none' if content == 'grass_main' else content)
open('maps/other/lacks.map', 'wb').write(make_map.build(False))
PYTHON
# Names that are HTML, JavaScript, or nothing that every file system takes.
evil="<script>harm=1<'script>"
cp small.map "maps/hostile/$evil.map"
run 0 edit small.map -o 'maps/hostile/<img src=x onerror=harm=1>.map' set "info.author=\"'><script>harm=1</script>\""
cp small.map "maps/hostile/\"onmouseover='harm=1.map"
cp small.map 'maps/hostile/<!--<script>.map'
cp small.map 'maps/hostile/con.map'
cp small.map "$(printf 'maps/hostile/\342\200\256\012\033[31m\377.map')"
cp small.map "$(printf 'maps/hostile/%0150d.map' 1)"
number=$(find maps -name '*.map' -printf x | wc -c)
run 1 gallery maps -t site
says err 'broken.map: ' 'not a map file'
says out "site: $number maps, $number made, 0 up to date, 1 broken"
run 0 gallery small.map -t still --no-animations
mkdir -p "$TEEMAP_BINARY/artefacts"
PYTHONDONTWRITEBYTECODE=1 python3 "$TEEMAP_SOURCE/tests/browser/gallery.py" site "$number" "$TEEMAP_BINARY/artefacts/gallery.png" still || fail "the gallery"

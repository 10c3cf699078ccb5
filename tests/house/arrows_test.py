#!/usr/bin/env python3
"""Shows that arrows.py sees what it is there to see: a small clean tree passes, each forbidden thing in it is found."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import arrows  # noqa: E402

CLEAN = {
    "include/teemap/base.h": "#include <stddef.h>\n",
    "include/teemap/findings.h": "#include <teemap/base.h>\n",
    "include/teemap/map.h": "#include <teemap/findings.h>\n",
    "include/teemap/datafile.h": "#include <teemap/base.h>\n",
    "include/teemap/mapfile.h": "#include <teemap/map.h>\n#include <teemap/datafile.h>\n",
    "include/teemap/sys.h": "#include <teemap/base.h>\n",
    "include/teemap/teemap.h": "".join(f"#include <teemap/{name}.h>\n" for name in
                                       ("base", "findings", "map", "datafile", "mapfile", "sys")),
    "src/base/base.h": "#include <teemap/base.h>\n#include <string.h>\n",
    "src/base/memory.c": '#include "base/base.h"\n#include <stdlib.h>\nvoid *f(void) { return malloc(1); }\n',
    "src/sys/file.c": '#include <teemap/sys.h>\n#include <errno.h>\n#include "base/base.h"\n',
    "src/sys/posix/unix_file.c": '#include "../sys.h"\n#include <unistd.h>\n#include <sys/stat.h>\n#include "base/base.h"\n',
    "src/sys/windows/windows_file.c": '#include "../sys.h"\n#include <windows.h>\n',
    "src/sys/sys.h": "",
    "src/codec/codec.h": "#include <stddef.h>\n",
    "src/codec/deflate.c": '#include "codec.h"\n#include <libdeflate.h>\n',
    "src/datafile/datafile.h": '#include "base/base.h"\n',
    "src/datafile/inner.h": "",
    "src/datafile/read.c": '#include <teemap/datafile.h>\n#include "datafile/inner.h"\n#include "codec/codec.h"\n',
    "src/map/map.c": '#include <teemap/map.h>\n/* malloc(1) and printf("x") */ char c[] = "free(x)";\n'
                     "void f(struct s *s) { s->free(1); }\n",
    "src/mapfile/load.c": '#include <teemap/mapfile.h>\n#include "datafile/datafile.h"\n#include <teemap/datafile.h>\n',
    "cli/main.c": '#include "cli.h"\n#include <teemap/teemap.h>\n#include <stdio.h>\n#include <string.h>\n',
    "cli/cli.h": "#include <teemap/map.h>\n",
    "CONTRIBUTING.md": "".join(f"| `{room}` | x | {' '.join(f'`{other}`' for other in arrows.ARROWS[room])} |\n"
                               for room in arrows.ARROWS),
    "CMakeLists.txt": f"set(TEEMAP_SYS_ROOMS {' '.join(sorted(arrows.rooms_upon('sys')))})\n",
}


class Arrows(unittest.TestCase):
    def findings(self, changes=None):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**CLEAN, **(changes or {})}.items():
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as stream:
                    stream.write(text)
            return arrows.Tree(root).check()

    def refused(self, name, text, part):
        found = self.findings({name: CLEAN.get(name, "") + text})
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(name + ":"), found)
        self.assertIn(part, found[0])

    def test_clean_tree_passes(self):
        self.assertEqual(self.findings(), [])

    def test_every_missing_arrow_is_found(self):
        rooms = list(arrows.ARROWS)
        headers = {f"include/teemap/{name}.h": "" for name in rooms}
        headers["include/teemap/teemap.h"] = "".join(f"#include <teemap/{name}.h>\n" for name in [*rooms, "findings"])
        changes, expected = dict(headers), []
        for room in rooms:
            for other in rooms:
                if other not in (room, "base", *arrows.ARROWS[room]):
                    changes[f"src/{room}/{room}_to_{other}.c"] = f"#include <teemap/{other}.h>\n"
                    expected.append(f"src/{room}/{room}_to_{other}.c:1: no arrow from '{room}' to '{other}'")
        self.assertEqual(sorted(self.findings(changes)), sorted(expected))

    def test_arrow_between_internals(self):
        self.refused("src/map/map.c", '#include "datafile/datafile.h"\n', "no arrow from 'map' to 'datafile'")
        self.refused("src/base/base.h", '#include "codec/codec.h"\n', "no arrow from 'base' to 'codec'")

    def test_arrow_by_relative_path(self):
        self.refused("src/map/map.c", '#include "../datafile/datafile.h"\n', "no arrow")

    def test_arrow_with_odd_spaces(self):
        self.refused("src/map/map.c", "  #  include\t<teemap/datafile.h>\n", "no arrow")

    def test_back_door(self):
        self.refused("src/mapfile/load.c", '#include "datafile/inner.h"\n', "front door")

    def test_public_header_arrow(self):
        self.refused("include/teemap/map.h", "#include <teemap/datafile.h>\n", "no arrow from 'map' to 'datafile'")

    def test_public_header_with_stdio(self):
        self.refused("include/teemap/map.h", "#include <stdio.h>\n", "may not see <stdio.h>")

    def test_umbrella_in_a_room(self):
        self.refused("src/map/map.c", "#include <teemap/teemap.h>\n", "for users")

    def test_umbrella_is_complete(self):
        self.refused("include/teemap/teemap.h", "#include <stdio.h>\n", "does not belong")
        found = self.findings({"include/teemap/teemap.h": "#include <teemap/base.h>\n"})
        self.assertEqual(len(found), 5)

    def test_third_party_and_system_headers(self):
        for header in ("libdeflate.h", "zlib.h", "png.h", "webp/encode.h", "pthread.h", "unistd.h", "sys/stat.h",
                       "stdio.h", "locale.h", "time.h"):
            self.refused("src/map/map.c", f"#include <{header}>\n", f"may not see <{header}>")
        for header in ("unistd.h", "pthread.h", "libdeflate.h", "sys/stat.h"):
            self.refused("cli/main.c", f"#include <{header}>\n", f"may not see <{header}>")

    def test_command_line_sees_no_internals(self):
        self.refused("cli/main.c", '#include "../src/map/../base/base.h"\n', "may not see")
        self.refused("cli/main.c", '#include "base/base.h"\n', "may not see")

    def test_calls(self):
        for name in ("malloc", "free", "realloc", "printf", "exit", "abort", "setlocale"):
            self.refused("src/map/map.c", f"void g(void)\n{{\n    {name}(0);\n}}\n", f":6: '{name}'")
        self.refused("src/base/memory.c", "void g(void) { abort(); }\n", "'abort'")

    def test_one_way_to_write(self):
        for name in ("fopen", "freopen", "rename", "tm_sys_save_begin"):
            self.refused("cli/main.c", f"void g(void)\n{{\n    {name}(0);\n}}\n", f":7: '{name}'")
        saves = "void g(void) { tm_sys_save_begin(0); }\n"
        self.assertEqual(self.findings({"cli/run/files.c": saves, "cli/commands/moving_picture.c": saves}), [])
        self.refused("cli/commands/moving_picture.c", "void g(void) { fopen(0); }\n", ":1: 'fopen'")

    def test_names(self):
        found = self.findings({"src/mapfile/map.c": "\n"})
        self.assertEqual(found, ["src/mapfile/map.c:1: another file of this name is src/map/map.c"])
        found = self.findings({"cli/run/read.c": "\n"})
        self.assertEqual(len(found), 1, found)
        natural = "static int read_row(int a)\n{\n    return a;\n}\n"
        self.assertEqual(self.findings({"src/map/one.c": natural, "src/map/two.c": natural, "cli/two_more.c": natural}), [])

    def test_dialect(self):
        for text in ("int g(char *p) { return p == NULL; }\n", "int g(char *p) { return NULL\n != p; }\n"):
            self.refused("src/map/map.c", text, "compared as")
        for text in ("int g(char *p) { return sizeof *p; }\n", "int g(void) { return sizeof (int); }\n"):
            self.refused("cli/main.c", text, "brackets")
        self.assertEqual(self.findings({"cli/more.c": "/* p == NULL */ int g(char *p) { return !p + sizeof(*p); }\n"}), [])

    def test_const_maps(self):
        for text in ("void g(const tm_map *m) { drop((tm_map *)(uintptr_t)m); }\n", "tm_block *g(void *b) { return (tm_block *) (uintptr_t)b; }\n"):
            self.refused("src/datafile/read.c", text, "stays const")
            self.assertEqual(self.findings({"src/map/more.c": text}), [])

    def test_columns(self):
        most = arrows.MAX_COLUMNS
        long = "int " + "x" * (most - 4) + ";\n"
        self.refused("src/map/map.c", long, f"{most + 1} columns")
        self.refused("cli/main.c", "/* " + "x" * most + " */\n", "columns")
        fine = "int " + "x" * (most - 5) + ";\n"
        text = 'const char *s = "' + "x" * most + '";\n'
        table = "/* clang-format off */\n" + long + "/* clang-format on */\n"
        macro = "#define X " + "x" * most + "\n"
        self.assertEqual(self.findings({"cli/more.c": fine + text + table + macro}), [])
        self.assertEqual(len(self.findings({"cli/more.c": table + long})), 1)

    def test_feature_macros(self):
        self.refused("src/map/map.c", "#define _GNU_SOURCE\n", "for 'sys' only")

    def test_systems_stay_in_their_folders(self):
        self.refused("src/sys/x.c", "#include <unistd.h>\n", "'sys' may not see <unistd.h>")
        self.refused("src/sys/x.c", "#include <windows.h>\n", "'sys' may not see <windows.h>")
        self.refused("src/sys/posix/x.c", "#include <windows.h>\n", "'sys' may not see <windows.h>")
        self.refused("src/sys/windows/x.c", "#include <unistd.h>\n", "'sys' may not see <unistd.h>")
        self.refused("src/sys/plan9/x.c", "\n", "is no room")
        self.refused("src/map/windows/x.c", "\n", "is no room")

    def test_unknown_room(self):
        self.refused("src/attic/x.c", "\n", "no room")
        self.refused("src/map/deeper/x.c", "\n", "no room")

    def test_header_of_no_room(self):
        found = self.findings({"include/teemap/attic.h": "\n"})
        self.assertTrue(any("header of no room" in text for text in found), found)

    def test_manual(self):
        for change in (("| `map` | x | `games` `text` |\n", ""), ("| `map` | x | `games` `text` |", "| `map` | x | `sys` |")):
            found = self.findings({"CONTRIBUTING.md": CLEAN["CONTRIBUTING.md"].replace(*change)})
            self.assertEqual(len(found), 1, found)
            self.assertIn("the row of 'map'", found[0])

    def test_rooms_upon_the_system(self):
        self.assertEqual(arrows.rooms_upon("sys") & {"sys", "store", "map", "render"}, {"sys", "store"})
        store = {"src/store/store.c": "", "include/teemap/store.h": "",
                 "include/teemap/teemap.h": CLEAN["include/teemap/teemap.h"] + "#include <teemap/store.h>\n"}
        for told in ("", "set(TEEMAP_SYS_ROOMS sys)\n", "set(TEEMAP_SYS_ROOMS sys store map)\n"):
            found = self.findings({**store, "CMakeLists.txt": told})
            self.assertEqual(found, ["CMakeLists.txt:1: TEEMAP_SYS_ROOMS is to name store, sys"])

    def test_missing_file(self):
        self.refused("src/map/map.c", '#include "map/nowhere.h"\n', "leads nowhere")

    def test_length(self):
        self.refused("src/map/long.c", "\n" * (arrows.TOO_LONG_LINES + 1), "lines")

    def test_numbers_of_the_games(self):
        for line, part in (("x = y * 32;", "TM_TILE_PX"), ("x = y / 32.0;", "TM_TILE_PX"), ("enum { TILE_PX = 32 };", "TM_TILE_PX"),
                           ("const double px = 32;", "TM_TILE_PX"), ("x = v / 1024.0;", "TM_FX"),
                           ("if (index == 192)", "entities"), ("if (index >= 195)", "entities"),
                           ("enum { TILE_FREEZE = 9 };", "tiles"), ("#define SWITCH_OPEN 24", "tiles"),
                           ("bool b = type == 10;", "TM_LAYER_TYPE"), ("bool b = layer_type != 3;", "TM_LAYER_TYPE")):
            self.refused("src/map/map.c", line + "\n", part)
            self.refused("cli/main.c", line + "\n", part)
            self.assertEqual(self.findings({"src/datafile/inner.h": line + "\n"}), [])
        for line in ("x = y << 32;", "x = y * 320;", "uint32_t x = 1024;", "enum { TILES = 1 << 2 };", "/* y * 32 */", "index == TM_TILE_SPAWN",
                     "char text[32];", "type == 0", "RETURN_STARTED 5"):
            self.assertEqual(self.findings({"src/map/map.c": line + "\n"}), [], line)

    def test_table_has_no_circle(self):
        def reach(room, seen):
            for other in arrows.ARROWS[room]:
                self.assertNotIn(other, seen, f"{other} reaches itself")
                reach(other, seen | {other})
        for room in arrows.ARROWS:
            reach(room, {room})


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Shows that names.py sees each kind of declaration that it is there to see, and takes nothing else for one."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import names  # noqa: E402

TYPES = """typedef struct tm_map tm_map;
typedef struct tm_rect {
    uint32_t x, y;
} tm_rect;
typedef void tm_visit(void *ctx);
typedef enum tm_side { TM_SIDE_IN } tm_side;
typedef uint64_t tm_number;
"""

FOUND = {
    "a parameter": "void f(const tm_map *of);",
    "a later parameter": "void f(uint32_t num, const char *what, int32_t y);",
    "a pointer to a pointer": "void f(tm_map **to);",
    "a const pointer": "void f(char *const at, int y);",
    "an array of pointers": "void f(void) { const tm_map *own[2]; }",
    "a struct": "void f(tm_rect at);",
    "a struct by its tag": "void f(const struct tm_rect in);",
    "an array of structs": "static const tm_rect all[] = {{0, 0}};",
    "a variable with a value": "void f(void) { tm_rect here = {1, 2}; }",
    "the second of two": "void f(void) { tm_map *map = first(1, 2), *there = NULL; }",
    "the second struct of two": "void f(void) { tm_rect area = {1, 2}, own; }",
    "a variable of a loop": "void f(void) { for (const char *from = text; *from; from++) g(); }",
    "a field": "struct s { uint32_t num; const uint8_t *at; };",
    "a struct as field": "typedef struct s { tm_rect around; } s;",
    "a pointer to a basic type": "void f(unsigned long long *how);",
    "a pointer to a function": "void f(int (*with)(int), int y);",
    "a pointer to a function by its type": "void f(tm_visit *each);",
    "a variable of a test": "void f(void) { OWN(tm_map) *back = g(); }",
    "the second of a test": "void f(void) { OWN(tm_map) *map = g(), *again = g(); }",
    "a pointer in a macro": "#define EACH(n) \\\n    for (tm_map *it = (n); it; it++)",
    "a declaration of several lines": "void f(const tm_map *map,\n       const tm_map *other, tm_rect\n       where);",
}

PASSED = {
    "numbers": "void f(uint32_t at, size_t from) { int all = 0, own; bool here = at > from; }",
    "numbers of a type of ours": "void f(tm_number at, tm_side in);",
    "a number behind a pointer": "void f(const tm_map *map, uint32_t at);",
    "names by the noun": "void f(const tm_map *map, tm_rect area, char *text) { tm_rect *rect = &area; }",
    "roles": "void f(tm_map **out, const tm_map *before, const tm_map *after, const tm_map *source);",
    "a product": "void f(void) { size = num * at; size = sizeof(tm_rect) * at, own = 2; }",
    "a cast": "void f(void) { g((tm_map *)of, (const tm_rect *)at); }",
    "a call of a pointer": "void f(void) { tm_rect rect; (*with)(rect, at); }",
    "comments and texts": '/* tm_map *of; */ // tm_map *at;\nconst char *text = "tm_map *to;";',
    "a longer name": "void f(const tm_map *of_map, tm_rect at_end);",
    "a variable named as a type elsewhere": "void f(void) { uint32_t tm_rect, at; object.tm_rect = x, at = 1; }",
}


class Names(unittest.TestCase):
    def find(self, text, path="src/map/file.c"):
        with tempfile.TemporaryDirectory() as root:
            for name, content in (("include/teemap/types.h", TYPES), (path, text)):
                os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
                with open(os.path.join(root, name), "w", encoding="utf-8") as stream:
                    stream.write(content)
            return names.find(root)

    def test_each_declaration_is_found(self):
        for what, text in FOUND.items():
            with self.subTest(what):
                found = self.find(text).get("src/map", [])
                self.assertEqual(len(found), 1, (what, found))

    def test_nothing_else_is_found(self):
        for what, text in PASSED.items():
            with self.subTest(what):
                self.assertEqual(self.find(text), {})

    def test_a_place_is_told(self):
        found = self.find("\nvoid f(int x, /* two\nlines */ const char *text,\n    tm_map *of);")
        self.assertEqual(found, {"src/map": [("src/map/file.c", 4, "of", "tm_map *")]})

    def test_rooms(self):
        for path, room in (("src/map/a.c", "src/map"), ("cli/run/a.h", "cli"), ("bindings/web/a.c", "bindings/web"),
                           ("tests/support/a.h", "tests"), ("include/teemap/a.h", "include"), ("fuzz/a.c", "fuzz")):
            self.assertEqual(list(self.find("void f(tm_map *of);", path)), [room])
        self.assertEqual(self.find("void f(tm_map *of);", "examples/a.c"), {})

    def test_numbers_only_fall(self):
        found = self.find("void f(tm_map *of, tm_rect at);")
        self.assertEqual(list(names.compare(found, {"src/map": 2})), [])
        for number in (0, 1):
            lines = list(names.compare(found, {"src/map": number}))
            self.assertEqual(len(lines), 3, lines)
            self.assertIn(f"may have {number}", lines[-1])
        self.assertEqual(len(list(names.compare(found, {}))), 3)
        lines = list(names.compare(found, {"src/map": 3}))
        self.assertEqual(len(lines), 1)
        self.assertIn("in place of 3", lines[0])
        self.assertEqual(len(list(names.compare({}, {"src/map": 1}))), 1)

    def test_words_and_roles(self):
        for word in "of at to how own one all here there in from more so that what".split():
            self.assertIn(word, names.WORDS)
        for word in "out before after ours theirs next old new other first last source target".split():
            self.assertNotIn(word, names.WORDS)


if __name__ == "__main__":
    unittest.main()

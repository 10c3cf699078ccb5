#!/usr/bin/env python3
"""That tools/mutate.py changes what it says, and nothing in comments, texts, assertions and declarations; that every test belongs to a room or is
none's on purpose; and that tests/mutants.txt names lines that there are."""
import os
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tools'))
import mutate  # noqa: E402  (beside the project's other tools)

# Programs about all rooms at once, or about what only the whole library does.
NO_ROOM = {'common_points', 'faults', 'windows'}

CODE = '''/* a < b + 1 */
static const int table[3] = {1, 2, 3};
int f(const char *text, int a, int b)
{
    char *end = 0; // a == b
    if (a < b && !end)
        g(a, -b, "x < y");
    TMI_ASSERT(a != b);
    a += 7;
    return true;
}
'''


def changes(code):
    with tempfile.NamedTemporaryFile('w', suffix='.c', delete=False) as file:
        file.write(code)
    try:
        return [(m.line, m.what) for m in mutate.mutants_of(file.name)]
    finally:
        os.unlink(file.name)


class MutateTest(unittest.TestCase):
    def test_changes(self):
        found = changes(CODE)
        wanted = [(6, '<= for <'), (6, '> for <'), (6, '|| for &&'), (6, 'no !'), (7, 'no -'), (7, 'arguments a and -b swapped'), (7, 'arguments -b and "x < y" swapped'),
                  (7, 'dropped'), (9, '-= for +='), (9, '8 for 7'), (9, 'dropped'), (10, 'false for true')]
        for change in wanted:
            self.assertIn(change, found)
        self.assertEqual({line for line, _ in found} - {2, 5}, {6, 7, 9, 10}, found)
        self.assertNotIn((5, '/ for *'), found)

    def test_text_of_a_change(self):
        with tempfile.NamedTemporaryFile('w', suffix='.c', delete=False) as file:
            file.write(CODE)
        found = {m.what: m for m in mutate.mutants_of(file.name)}
        os.unlink(file.name)

        def changed(what):
            return CODE[:found[what].begin] + found[what].text + CODE[found[what].end:]
        self.assertIn('if (a <= b && !end)', changed('<= for <'))
        self.assertIn('g(-b, a, "x < y");', changed('arguments a and -b swapped'))
        self.assertIn('return false;', changed('false for true'))
        self.assertIn('a -= 7;', changed('-= for +='))

    def test_draws_are_repeatable(self):
        few, number = mutate.drawn('text', 5, 7)
        more, _ = mutate.drawn('text', 50, 7)
        self.assertEqual(number, 5)
        self.assertEqual([m.key for m in few[:5]], [m.key for m in more[:5]])
        self.assertNotEqual([m.key for m in few[:5]], [m.key for m in mutate.drawn('text', 5, 8)[0][:5]])

    def test_files(self):
        self.assertEqual(mutate.room_of('src/merge/merge_values.c'), 'merge')
        self.assertEqual(mutate.room_of('merge'), 'merge')
        self.assertNotIn(mutate.room_of('src/merge/nothing.c'), mutate.rooms())
        found, _ = mutate.drawn('src/merge/merge_values.c', 5, 7)
        self.assertEqual({m.file for m in found}, {'src/merge/merge_values.c'})
        self.assertTrue({m.key for m in found} < {m.key for m in mutate.drawn('merge', 0, 7)[0]})

    def test_rooms(self):
        rooms = mutate.rooms()
        with open(os.path.join(ROOT, 'src', 'rooms.txt'), encoding='utf-8') as stream:
            there = [line.split(':')[0] for line in stream if not line.startswith('#')]
        self.assertEqual(sorted(rooms), sorted(there))
        for room, patterns in rooms.items():
            self.assertTrue(mutate.tests_of(patterns), room)
        known = {name for patterns in rooms.values() for name in mutate.tests_of(patterns)} | NO_ROOM
        for name in mutate.tests_of(['*']):
            self.assertTrue(name in known, 'tests/rooms.txt names no room of test_%s.c' % name)

    def test_equivalents_are_there(self):
        for file, code, what in mutate.equivalents():
            self.assertIn((code, what), {(m.code, m.what) for m in mutate.mutants_of(file)}, file)


if __name__ == '__main__':
    unittest.main()

"""Random programs of statements: after each, every tensor and gradient equals torch's."""

import unittest

from session import on_stepgrad, on_torch, torch_version

PROGRAMS = 2000
# They write a number to an expanded tensor, which torch 2 refuses.
OTHERWISE = ("580", "1130") if torch_version() == 2 else ()


class Statements(unittest.TestCase):
    def test_views_and_writes_to_them_are_as_under_torch(self):
        theirs = on_torch("view_programs.py", 0, PROGRAMS).splitlines()
        mine = on_stepgrad("view_programs.py", 0, PROGRAMS).splitlines()
        self.assertEqual((len(theirs), len(mine)), (PROGRAMS, PROGRAMS))
        different = [line.split()[0] for line, other in zip(theirs, mine)
            if line != other and line.split()[0] not in OTHERWISE]
        said = [f"{run('view_programs.py', seed, 1, '-v')}" for seed in different[:3]
            for run in (on_torch, on_stepgrad)]
        self.assertEqual(different, [], "\n".join(said))


unittest.main()

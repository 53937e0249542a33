"""Random programs leave the state that they leave under torch: of modules, buffers, hooks,
gradients, dtypes, arrays and indices."""

import unittest

from session import different, on_stepgrad, on_torch, torch_version

PROGRAMS = 4000
# Programs with this may differ: torch 2's zero_grad() has another default. See demos/python/README.md.
OTHERWISE = ("zero_grad()",) if torch_version() == 2 else ()

class State(unittest.TestCase):
    def test_random_programs_leave_the_same_state_as_under_torch(self):
        theirs = on_torch("state_programs.py", 0, PROGRAMS)
        self.assertEqual(len(theirs.splitlines()), PROGRAMS)
        self.assertLess(theirs.count("-> not in torch"), PROGRAMS // 20)
        differ = different(theirs, on_stepgrad("state_programs.py", 0, PROGRAMS),
            lambda line: any(word in line for word in ("-> not in torch", *OTHERWISE)))
        self.assertEqual(differ, [], f"{len(differ)} differ:\n" + "\n".join(differ[:10]))


unittest.main()

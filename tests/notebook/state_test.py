"""Random programs leave the state that they leave under torch: of modules, buffers, optimizers, hooks,
gradients, dtypes, arrays and indices."""

import re
import unittest

from session import on_stepgrad, on_torch, skip, torch_version

if torch_version() != 1:
    skip("torch 2 has other defaults of state, for instance zero_grad's; what is compared is 1.13")

PROGRAMS = 3000


NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")


def alike(a, b):
    """Whether two lines are the same but for the last digits of their numbers."""
    if NUMBER.sub("0", a) != NUMBER.sub("0", b):
        return False
    pairs = [(float(x), float(y)) for x, y in zip(NUMBER.findall(a), NUMBER.findall(b))]
    return all(abs(x - y) <= 0.005 * abs(x) + 1e-5 for x, y in pairs)


class State(unittest.TestCase):
    def test_random_programs_leave_what_they_leave_under_torch(self):
        theirs = on_torch("state_calls.py", 0, PROGRAMS).splitlines()
        mine = on_stepgrad("state_calls.py", 0, PROGRAMS).splitlines()
        self.assertEqual((len(theirs), len(mine)), (PROGRAMS, PROGRAMS))
        different = [f"{t}\n    {m}" for t, m in zip(theirs, mine) if not alike(t, m) and "-> not in torch" not in t]
        self.assertLess(sum("-> not in torch" in t for t in theirs), PROGRAMS // 20)
        self.assertEqual(different, [], f"{len(different)} differ:\n" + "\n".join(different[:10]))


if __name__ == "__main__":
    unittest.main()

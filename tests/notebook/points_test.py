"""What public torch code uses, point by point: fifty statements and more of each, beside torch."""

import unittest

from session import HERE, on_stepgrad, on_torch, torch_version

# How these statements begin, of which torch 2 makes something else than 1.13, says a table in
# demos/notebook/README.md.
OTHERWISE = ("torch.from_numpy(np.ones(2, dtype=np.uint16))", "back = torch.load(buffer)", 'back["args"].n',
             "sdpa(q, k, v, attn_mask=left[:, :1])", "sdpa(q, k, v, torch.tensor([[False] * 3",
             "nn.utils.clip_grad_value_([v], 0.1)") if torch_version() == 2 else ()

# What was compared with 1.13 alone: it is about which error is raised, defaults and narrow floats.
OF_1_13 = {"bounds", "copies", "corners", "edges", "groups", "habits", "indices", "kept", "matrix",
           "narrow", "numbers", "rare", "refusals", "state"}


class Points(unittest.TestCase):
    def test_statements_give_what_torch_gives(self):
        for file in sorted((HERE / "points").glob("*.py")):
            if torch_version() == 2 and file.stem in OF_1_13:
                continue
            with self.subTest(file.stem):
                theirs = on_torch("statements.py", file).splitlines()
                mine = on_stepgrad("statements.py", file).splitlines()
                self.assertGreaterEqual(len(theirs), 50)
                different = [f"{t}\n    {m}" for t, m in zip(theirs, mine)
                             if t != m and not t.startswith(OTHERWISE)]
                self.assertEqual(len(theirs), len(mine))
                self.assertEqual(different, [], "\n" + "\n".join(different[:20]))

    def test_scripts_in_the_manner_of_public_ones_print_what_they_print_under_torch(self):
        scripts = [file for file in sorted((HERE / "manners").glob("*.py")) if file.stem != "filled"]
        self.assertEqual(len(scripts), 6)
        for file in scripts:
            with self.subTest(file.stem):
                self.assertEqual(on_torch(file), on_stepgrad(file))


if __name__ == "__main__":
    unittest.main()

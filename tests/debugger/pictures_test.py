"""Pictures of tensors by gdb and lldb, without a debugger."""

import array
import math
import pathlib
import sys
import unittest

TREE = pathlib.Path(sys.argv.pop())
sys.path.insert(0, str(TREE / "core/debug"))

import stepgrad_pictures as pictures


def reader(values):
    return lambda offset, count: array.array("f", values[offset:offset + count])


class Pictures(unittest.TestCase):
    def test_heatmap_is_red_above_and_blue_below_zero(self):
        lines = pictures.heatmap_lines([1, 3], reader([1, -1, math.nan]), True)
        red, blue, magenta = lines[0].split("  ")[:3]
        self.assertIn("48;2;255;63;0", red)
        self.assertIn("48;2;0;63;255", blue)
        self.assertIn("48;2;255;0;255", magenta)

    def test_heatmap_without_colour_has_shades(self):
        lines = pictures.heatmap_lines([1, 3], reader([0, 2, math.inf]), False)
        self.assertEqual(lines[0], "  @@!!")

    def test_a_large_heatmap_is_thinned_out_with_a_note(self):
        lines = pictures.heatmap_lines([100, 200], reader([0.0] * 20000), False)
        self.assertEqual(len(lines), 33)
        self.assertIn("32 of 100 rows, 64 of 200 columns", lines[-1])

    def test_a_heatmap_shows_the_rows_and_columns_that_it_has_kept(self):
        for rows, n in ((3, 5), (32, 64), (33, 65), (100, 4096), (40, 5000)):
            at = lambda size, most: [*range(size)] if size <= most else \
                [math.floor(i * (size - 1) / (most - 1)) for i in range(most)]
            values = array.array("f", [(7 * i) % 11 - 5 for i in range(rows * n)])
            lines = pictures.heatmap_lines([rows, n], reader(values), False)
            kept = [[abs(values[r * n + c]) for c in at(n, 64)] for r in at(rows, 32)]
            largest = max(map(max, kept))
            self.assertEqual(lines[:-1], ["".join(" .:-=+*#%@"[round(9 * v / largest)] * 2 for v in row)
                                          for row in kept])
            self.assertEqual("rows" in lines[-1], rows > 32 or n > 64)
            self.assertIn("from 0 to %g in size" % largest, lines[-1])
        self.assertEqual(pictures.heatmap_lines([2, 1, 2], reader([0, 1, 2, 4]), False)[:2], ["  ::", "==@@"])
        self.assertEqual(pictures.heatmap_lines([], reader([-3]), False)[0], "@@")
        self.assertEqual(pictures.heatmap_lines([0, 3], reader([]), False), ["[]"])


if __name__ == "__main__":
    unittest.main()

"""How debuggers show numbers and tensors, without a debugger: core/debug/stepgrad_format.py and others."""

import array
import functools
import itertools
import math
import operator
import pathlib
import random
import re
import statistics
import sys
import types
import unittest
import unittest.mock

TREE = pathlib.Path(sys.argv.pop())
sys.path.insert(0, str(TREE / "core/debug"))

import stepgrad_format as fmt
import stepgrad_names
import stepgrad_read
import stepgrad_tape
import stepgrad_tensor
from stepgrad_memory import Problem
from stepgrad_methods import METHODS


def reader(values):
    return lambda offset, count: array.array("f", values[offset:offset + count])


class Elements(unittest.TestCase):
    def lines(self, values, *sizes):
        return fmt.element_lines(list(sizes), reader(values))

    def test_each_kind_of_number_has_its_pattern(self):
        inf, nan = math.inf, math.nan
        for values, sizes, text in (
                ([0.5, -1, 2, 3], [2, 2], "[[ 0.5000, -1.0000],\n [ 2.0000,  3.0000]]"),
                ([0, 2, 5, -12], [4], "[  0,   2,   5, -12]"), ([0.25], [], "0.2500"),
                ([], [0, 3], "[]"), ([1e-5, 2.5], [2], "[1.000e-05, 2.500e+00]"),
                ([nan, inf, -inf, 0.5], [4], "[   NaN,    Inf,   -Inf, 0.5000]"), ([3, -inf], [2], "[   3, -Inf]"),
                ([999999, 1], [2], "[999999,      1]"), ([1e6, 1], [2], "[1.000e+06, 1.000e+00]"),
                ([9999.5, 0], [2], "[9999.5000,    0.0000]"), ([10000.5, 1], [2], "[1.000e+04, 1.000e+00]"),
                ([0.5, 0.001], [2], "[0.5000, 0.0010]"), ([0.5, 0.0009], [2], "[5.000e-01, 9.000e-04]")):
            self.assertEqual("\n".join(self.lines(values, *sizes)), text)
        self.assertEqual(self.lines([0] * 600, 20, 30)[3], " ...")

    def numbers(self, *sizes):
        """The elements shown of 0, 1, 2 ..: a list of lists, None for those left out."""
        text = "".join(self.lines(list(range(math.prod(sizes))), *sizes)).replace("...", "None,")
        return eval(text.replace(",,", ","))

    def test_only_edges_of_long_rows_are_shown(self):
        for sizes in ((8,), (9,), (6, 2), (7, 2), (2, 2, 2), (3, 2, 9), (3, 7, 2), (2, 3, 1, 9),
                (4, 3, 7, 9)):
            edge = {1: (4,), 2: (3, 4)}.get(len(sizes), (1,) * (len(sizes) - 2) + (3, 4))

            def rule(sizes, edge, first):
                n, at = sizes[0], range(sizes[0])
                if n > 2 * edge[0]:
                    at = [*range(edge[0]), None, *range(n - edge[0], n)]
                part = math.prod(sizes[1:])
                return [None if i is None else first + i if len(sizes) == 1 else
                    rule(sizes[1:], edge[1:], first + i * part) for i in at]

            self.assertEqual(self.numbers(*sizes), rule(sizes, edge, 0), sizes)


class Statistics(unittest.TestCase):
    def line(self, values):
        return fmt.Stats(len(values), reader(values)).line()

    def test_nan_and_inf_are_counted_apart_from_the_rest(self):
        for values, text in (
                ([1, 2, 3, 0], "min 0  max 3  mean 1.5  std 1.291  zeros 25%"),
                ([1, math.nan, math.inf, 3], "min 1  max 3  mean 2  std 1.414  zeros 0%  !! NaN 1  Inf 1"),
                ([0, math.inf, -math.inf, 2, 2], "min 0  max 2  mean 1.333  std 1.155  zeros 20%  !! NaN 0  Inf 2"),
                ([math.nan], "no finite number  !! NaN 1  Inf 0"), ([], "no elements")):
            self.assertEqual(self.line(values), text)

    def test_statistics_equal_the_standard_library_s(self):
        r = random.Random(1)
        for n in (1, 2, 5, 40):
            values = array.array("f", [r.choice((0, r.gauss(1, 3))) for _ in range(n)])
            stats = fmt.Stats(n, reader(values))
            self.assertEqual((stats.min, stats.max, stats.zeros, stats.finite),
                (min(values), max(values), list(values).count(0), n))
            self.assertAlmostEqual(stats.mean, statistics.mean(values), 6)
            self.assertAlmostEqual(stats.std, statistics.stdev(values) if n > 1 else 0, 6)

    def test_up_to_the_size_of_a_sample_all_are_read(self):
        for count, said in ((fmt.SAMPLE, ""), (fmt.SAMPLE + 1, "evenly spread")):
            read = []
            stats = fmt.Stats(count, lambda offset, n: read.append((offset, n)) or array.array("f", [1]) * n)
            self.assertEqual("evenly spread" in stats.line(), bool(said))
            self.assertEqual(sum(n for _, n in read), fmt.SAMPLE)
            self.assertEqual((min(read)[0], sum(max(read))), (0, count))


def tried(f, *args):
    """What it returns, as text, or that it is refused."""
    try:
        return repr(f(*args))
    except (IndexError, Problem):
        return "refused"


class Methods(unittest.TestCase):
    @unittest.mock.patch("stepgrad_tensor.PIECE", 3)
    def test_on_drawn_tensors_they_answer_as_lists_do_and_refuse_what_lists_refuse(self):
        for seed in range(150):
            r = random.Random(seed)
            shape = [r.randint(1, 3) for _ in range(seed % 4)]
            values = r.choices((-2.0, 0.5, 1.0, 4.0) + (math.inf, math.nan) * (seed % 3 == 0), k=math.prod(shape))
            x, nested, data = stepgrad_tensor.Tensor.__new__(stepgrad_tensor.Tensor), values, array.array("f", values).tobytes()
            vars(x).update(shape=shape, count=len(values), data=0, item_size=4, _memory=types.SimpleNamespace(
                read=lambda at, size: data[at:at + size]))
            for size in shape[:0:-1]:
                nested = [nested[i:i + size] for i in range(0, len(nested), size)]
            ask = {name: functools.partial(method, x) for name, (method, *_) in METHODS.items()}
            for dim in range(-5, 5):
                self.assertEqual(tried(ask["size"], dim), tried(shape.__getitem__, dim))
            for index in itertools.product(*(range(-size - 1, size + 1) for size in shape)) if shape else ():
                self.assertEqual(tried(ask["at"], *index), tried(functools.reduce, operator.getitem, index, nested))
            nan = [i for i, v in enumerate(values) if v != v]
            for name, best in ("max", max), ("min", min):
                at = nan[0] if nan else values.index(best(values))
                self.assertEqual((ask["arg" + name](), repr(ask[name]())), (at, repr(values[at])))
            self.assertEqual(repr(ask["sum"]()), repr(sum(values)))
            self.assertEqual(math.isnan(ask["std"]()), len(values) == 1 or not math.isfinite(sum(values)))
            if seed % 3 and len(values) > 1:
                self.assertAlmostEqual(ask["var"](), statistics.variance(values))
            shown = [*map(fmt.number, values)]
            self.assertEqual(fmt.preview(x.count, x.read), " ".join(
                shown if len(shown) < 7 else [*shown[:3], "...", *shown[-3:]]))


class Lists(unittest.TestCase):
    def read(self, links):
        """The addresses in a list of {address: next}, from 1 on."""
        def pointer(to):
            return types.SimpleNamespace(target=lambda: types.SimpleNamespace(
                address=lambda: to, field=lambda name: pointer(links[to])))

        return [each.address() for each in itertools.islice(stepgrad_read.linked(pointer(1), "next"), 100)]

    def test_end_at_null_or_where_they_lead_back(self):
        self.assertEqual(self.read({i: (i + 1) % 20 for i in range(1, 20)}), [*range(1, 20)])
        for back in (1, 2, 7, 20):
            with self.assertRaisesRegex(stepgrad_read.Problem, "a list without an end"):
                self.read({**{i: i + 1 for i in range(1, 20)}, 20: back})


PATH_OF = stepgrad_names.path_of


class Fake(types.SimpleNamespace):
    """A node in memory, and as it is shown."""

    __eq__, __hash__, value = object.__eq__, object.__hash__, property(lambda self: self)
    at = op = gradient = ""

    def field(self, name):
        x = getattr(self, name)
        return types.SimpleNamespace(int=lambda: x, text=lambda: x, target=lambda: x)

    def address(self):
        return self

    at_address = target = lambda self, other=None: other or self


def linked(pointer, name):
    node = pointer.target()
    while node:
        yield node
        node = getattr(node, name)


@unittest.mock.patch.multiple(
    stepgrad_tape, Node=lambda node: node, linked=linked, sources=lambda node: node.sources,
    _forward_nan=lambda node, ledger: [node.title()], _input_ranges=lambda *_: [])
class Tapes(unittest.TestCase):
    """Which of several candidates is taken, on tapes that are drawn, beside a search in a list from the oldest on."""

    def draw(self, r):
        nodes, n, shares = [], r.randint(1, 9), r.choice(((0.4, 0.4), (0, 0.4), (0, 0)))
        for number in range(1, n + 1):
            leaf, (output, *ranges) = r.random() < 0.3, (
                types.SimpleNamespace(text=str, bad=lambda bad=r.random() < share: bad) for share in shares + shares[1:] * 2)
            kept = Fake(output=output, arrived=output, contributions=[
                Fake(number=r.randint(1, n), range=each) for each in ranges[:r.randint(0, 3)]])
            nodes.append(Fake(
                number=0 if leaf else number, name=r.choice(("", "w", "a.w", "b.w", "aw")), wants_grad=r.random() < 0.5,
                is_leaf=lambda leaf=leaf: leaf, title=lambda i=number: "node %d" % i, ledger=lambda kept=kept: kept,
                older=None, newer=None, sources=r.sample(nodes, 0 if leaf else len(nodes) // 2)))
        for older, newer in zip(nodes, nodes[1:]):
            older.newer, newer.older = newer, older
        return nodes

    def test_of_several_candidates_the_same_is_taken_as_in_a_list(self):
        for seed in range(300):
            r = random.Random(seed)
            nodes = self.draw(r)
            ops = [node for node in nodes if not node.is_leaf()]
            here, tape = r.choice([None, *ops]), stepgrad_tape.Tape.__new__(stepgrad_tape.Tape)
            tape.visiting, tape.value = here, Fake(newest=nodes[-1], visiting=here)
            for name in ("w", "a.w", "aw", "", "other"):
                found = [node for node in nodes[::-1] if name and node.name == name] or [
                    node for node in nodes[::-1] if name and node.name.endswith("." + name)]
                self.assertEqual(tape.named(name), found if found and found[0].is_leaf() else found[:1])
            for a in range(-1, 11):
                self.assertEqual(tape.op("#%d" % a), next((node for node in ops if node.number == a), None))
                for b in range(a, 11):
                    self.assertEqual(tape.ops_between(a, b), [node for node in ops if a <= node.number <= b])
            for limit in range(1, 11):
                begin = max(0, min((ops.index(here) + 1 if here else len(ops)) - (limit + 1) // 2, len(ops) - limit))
                self.assertEqual(tape.ops_near(limit), ops[begin:][:limit])
            if wanting := [node for node in ops if node.wants_grad]:
                self.assertIs(tape.newest_op(), wanting[-1])
            for of in (None, *nodes):
                behind = set() if of else {*nodes}
                for node in nodes[::-1]:
                    behind |= {node, *node.sources} if node is of or node in behind else set()
                all_of_them = [node for node in nodes if node in behind]
                bad = [node.title() for node in all_of_them if not node.is_leaf() and node.ledger().output.bad()][:1]
                parts = [(by.number, node.title()) for node in all_of_them for by in node.ledger().contributions if by.range.bad()]
                said = stepgrad_tape.why_nan_lines(tape, of)
                if bad or not parts:
                    self.assertEqual(said, bad or ["no op on the tape made a NaN or Inf"])
                    continue
                last = max(number for number, _ in parts)
                newest = [title for number, title in parts if number == last]
                self.assertIn(f" #{last} made it, ", said[0])
                self.assertIn(re.match("  for its input (.*?): ", said[1])[1], newest[:1 if of is None else None])


class Gradients(unittest.TestCase):
    def test_what_is_on_its_way_comes_before_what_is_there_and_each_state_is_told(self):
        def tensor(number):
            return types.SimpleNamespace(shape=[1], read=reader([number]), kind=lambda: "", stats=lambda: fmt.Stats(1, reader([number])))
        for grad, arrived, visited, added in itertools.product((None, 1), (None, 2), (False, True), ([], [3])):
            node = types.SimpleNamespace(grad=lambda: grad and tensor(grad), arrived=lambda: arrived and tensor(arrived),
                visited=visited, ledger=lambda: types.SimpleNamespace(contributions=added), title=lambda: "x")
            node.grad_line = lambda: stepgrad_tensor.Node.grad_line(node)
            number = arrived or grad
            line = ["so far on its way: "][:arrived or 0] + ["  min %s" % number] if number else [
                "passed on and not kept" if visited else "passed on just now" if added else "none yet"]
            first, *rows = stepgrad_tape.grad_lines(node)
            self.assertTrue(first.startswith("gradient of x: " + "".join(line)), first)
            self.assertEqual(rows, ["  [%d]" % number] if number else [])


@unittest.mock.patch.multiple(stepgrad_names, sources=lambda value: value.sources, path_of=lambda _, found: found.path)
class Names(unittest.TestCase):
    def test_of_several_leaves_the_only_one_that_the_running_op_takes_is_meant(self):
        for seed in range(200):
            r = random.Random(seed)
            nodes = [Fake(name="w", path="net[%d].w" % i, is_leaf=lambda: True) for i in range(5)]
            for node in nodes:
                node.address = node
            given, taken = r.choices(nodes, k=seed % 5 + 1), r.sample(nodes, r.randint(0, 3))
            running = r.choice((None, Fake(is_leaf=lambda: False, sources=taken)))
            debugger = types.SimpleNamespace(tape=lambda: Fake(visiting=running, named=lambda name: nodes))
            meant = [node for node in {*given} if running and node in taken]
            meant = {*(meant if len(meant) == 1 else given)}
            self.assertEqual(tried(lambda: stepgrad_names.told(debugger, "w", dict(enumerate(given))).path),
                repr(meant.pop().path) if len(meant) == 1 else "refused")

    def test_a_tensor_has_its_name_in_the_outermost_frame_that_has_one(self):
        for seed in range(100):
            r = random.Random(seed)
            nodes = [types.SimpleNamespace(address=i) for i in "ab"]
            tensors = [types.SimpleNamespace(address=i, node=r.choice((None, *nodes))) for i in range(3)]
            frames = [[(f"{f}.{i}", r.choice(tensors)) for i in range(r.randint(0, 3))] for f in range(3)]
            debugger = types.SimpleNamespace(frames=lambda: frames)
            for each in tensors + nodes:
                names = sum(([name for name, x in frame if each in (x, x.node)] for frame in frames[::-1]), [None])
                with unittest.mock.patch.object(stepgrad_names, "tensors_in_frames", lambda frames: frames[0]):
                    self.assertEqual(PATH_OF(debugger, each), [*names, None][1])


class Versions(unittest.TestCase):
    def test_the_program_and_the_scripts_are_of_one_version(self):
        text = (TREE / "core/debug/abi.cpp").read_text()
        self.assertIn("stepgrad_debug_abi = %d;" % stepgrad_read.ABI, text)

    def test_scripts_can_be_carried_in_a_program(self):
        for path in (TREE / "core/debug").glob("*.py"):
            text = path.read_text()
            self.assertNotIn("'''", text, path.name)
            self.assertTrue(text.endswith("\n"), path.name)


unittest.main()

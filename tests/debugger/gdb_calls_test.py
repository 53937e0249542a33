"""What runs in the program at gdb's word: methods of a tensor are answered without a call, stepgrad's own calls
leave no trace, and on CPUs where gdb's calls break the program it makes none, or can."""

import os
import pathlib
import re
import tempfile
import unittest
from unittest import mock

import session
from session import BUILD, NO_CALLS, SECOND, STEP, at_backward, gdb

IN_TENSORS = ["break marker", "run", "up"]
METHODS = {  # beside those of format_test.py
    "cube.numel()": "24", "cube.dim()": "3", "cube.size(-1)": "4", "scalar.item()": "2.5", "cube.at(-1, 2, 0)": "1",
    "vector.shape()": "[3]", "leaf.requires_grad()": "true", "vector.is_leaf()": "true", "product.is_leaf()": "false",
    "leaf.sum()": "10", "leaf.max() + 1": "5", "nan.max()": "nan(0x400000)", "vector.std()": "1", "vector.mean()": "2",
    "row.var()": "0.5", "leaf.min()": "1", "leaf.argmax()": "3", "nan.argmin()": "0", "vector.data()[2]": "3",
    "vector.kind()": "stepgrad::Kind::integer", '$_streq(vector.name(), "vector")': "true",
}
ERRORS = {
    "cube.size(3)": "size: there is no dimension 3 in f32[2, 3, 4]",
    "none.max()": "max: f32[0, 3] has no elements",
    "undefined.numel()": "numel: undefined",
    "freed.dim()": "dim: freed",
    "product.grad()": "f32[2, 2] is no leaf, and retain_grad() was not called",
}

CPU = pathlib.Path("/proc/cpuinfo").read_text()


class Methods(unittest.TestCase):
    def test_are_answered_without_a_call_and_in_a_core_file(self):
        asked = ["print " + each for each in [*METHODS, *ERRORS]]
        with tempfile.TemporaryDirectory() as folder:
            core = pathlib.Path(folder) / "core"
            alive = gdb(SECOND, NO_CALLS, *IN_TENSORS, *asked, "generate-core-file %s" % core)
            for output in alive, gdb(SECOND, "up", *asked, options=["-core", str(core)]):
                values = re.findall(r"(?m)^\$\d+ = (.*)$", output.replace("-nan", "nan"))
                self.assertEqual(dict(zip(METHODS, values)), METHODS)
                for sentence in ERRORS.values():
                    self.assertIn(sentence + "\n", output)

    def test_names_may_be_of_callers_and_edges_and_in_conditions(self):
        output = at_backward(
            NO_CALLS, "break stepgrad::MulBackward::backward if dY.dim() == 2 && dY.size(1) > 4", "nb 3",
            "print x.size(0)", "print x.sum() * 2", "print ffn.w1.size(1) + x.max()", "print $at(x, 0, 2)",
            "print a.size(0)", "print nothing.sum()", "print/x x.numel()",
            "break stepgrad::mul if a.numel() == 24", "continue", "print dY.numel()", "continue", "bt 1")
        self.assertIn("$1 = 3\n$2 = 1.5\n$3 = 11\n$4 = 2\n$5 = 3\n", output)
        self.assertIn('No symbol "nothing" in current context', output)
        self.assertIn("$6 = 0xc\n", output)
        self.assertIn("MulBackward::backward (this=mul #5 ", output)
        self.assertIn("$7 = 24\n", output)
        self.assertRegex(output, r"Breakpoint \d, stepgrad::mul \(a=f32\[3, 8\]")


class OwnCalls(unittest.TestCase):
    def test_are_refused_inside_an_allocator_and_made_behind_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/it's_\"가\".html"
            output = gdb(SECOND, *IN_TENSORS, "tbreak malloc", "continue", "explain leaf", "trace " + path,
                "frame function stepgrad::pool_allocate", "finish", "trace " + path,
                "python gdb.execute('trace ' + 'a' * 5000)")
            for command in "explain", "trace":
                self.assertIn(command + ": a thread is inside stepgrad::pool_allocate: let it finish", output)
            self.assertIn("written to", output)
            self.assertTrue(os.path.exists(path))
        self.assertIn("bytes is too long", output)

    @unittest.skipUnless(re.search(r"\bavx\b", CPU), "the CPU has no AVX")
    def test_leave_registers_the_frame_and_the_breakpoints_as_they_were(self):
        for flag in "amx_tile", "avx512f":
            if flag == "avx512f" and "amx_tile" in CPU:
                self.skipTest("gdb 13 makes no calls on a CPU with AMX")
            with self.subTest(flag), session.on_cpu(flag), tempfile.TemporaryDirectory() as folder:
                output = gdb(SECOND, "break *registers_loaded", "run", "up", "trace %s/a.html" % folder,
                    "frame", "info breakpoints", "continue")
                self.assertGreater(os.path.getsize(folder + "/a.html"), 10000)
                self.assertRegex(output.split("written to")[1], r"(?m)^#1 .*main \(")
                self.assertEqual(output.count("breakpoint already hit 1 time"), 1)
                self.assertIn("exited normally", output)  # the program has compared vector registers

    def test_a_text_is_read_to_the_end_of_the_last_page_that_is_there(self):
        output = gdb(SECOND, *IN_TENSORS, "python from stepgrad_gdb_values import memory",
            "python maps = open('/proc/%d/maps' % gdb.selected_inferior().pid).read()",
            "python end = int(maps.split('[stack]')[0].splitlines()[-1].split()[0].split('-')[1], 16)",
            "python gdb.selected_inferior().write_memory(end - 4, b'abc\\0')",
            "python print(memory().read_text(end - 4, 1000))")
        self.assertRegex(output, "(?m)^abc$")

    def test_after_an_uncaught_error_the_program_lives_on(self):
        with tempfile.TemporaryDirectory() as folder:
            output = gdb(BUILD / "tests/debugger/outside", "run", "trace %s/a.html" % folder, "frame")
            self.assertTrue(os.path.exists(folder + "/a.html"), output)
        self.assertRegex(output.split("written to")[1], r"(?m)^#\d+ .*main \(.*outside\.cpp:")


class Cpus(unittest.TestCase):
    """CPUs on which a gdb before 14 breaks the program by calling its functions, and others."""

    def test_gdb_takes_the_cpu_for_a_simpler_one_once_it_has_the_program(self):
        for version, flag, told in (("13.1", "amx_tile", True), ("12.1-0ubuntu1", "amx_tile", True),
                ("14.1", "amx_tile", False), ("13.1", "avx512f", False)):
            with self.subTest((version, flag)), session.on_cpu(flag, version):
                for scripts in session.EMBEDDED, session.SOURCED:
                    self.assertEqual(".xml" in gdb(STEP, "show tdesc filename", scripts=scripts), told)

    def test_then_calls_are_safe_and_later_gdb_may_not_call_and_says_why(self):
        calls = ["print vector.numel()", "print vector.shares_history()", "print stepgrad::live_nodes()", "continue", "continue"]
        with session.on_cpu("amx_tile"), tempfile.TemporaryDirectory() as folder:
            with mock.patch.dict(os.environ, TMPDIR=folder):
                early = gdb(SECOND, session.LOAD, "show tdesc filename", *IN_TENSORS, *calls)
                self.assertEqual(os.listdir(folder), [])
            self.assertIn(folder, early)
            core = folder + "/core"
            late = gdb(SECOND, *IN_TENSORS, "generate-core-file " + core, session.LOAD, *calls, scripts=session.LATER)
            dead = gdb(SECOND, session.LOAD, "up", "print vector", options=["-core", core], scripts=session.LATER)
        self.assertIn("$1 = 3\n$2 = false\n$3 = ", early)
        self.assertEqual(late.count("would break the program by calling its functions"), 1)
        self.assertIn("$1 = 3\nCannot call functions in the program: may-call-functions is off", late)
        for output in early, late:
            self.assertIn("exited normally", output)
        self.assertIn("Tensor f32[3] 'vector'", dead)
        self.assertNotIn("by calling its functions", dead)


session.require("gdb")
unittest.main()

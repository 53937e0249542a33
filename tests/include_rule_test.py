"""Includes run one way: tests -> demos -> nn -> ops -> core, and in core from room to room."""

import pathlib
import re
import sys
import unittest

TREE = pathlib.Path(sys.argv.pop())
ROOMS = [["core/kernels"], ["core", "core/memory"], ["core/tensor"], ["core/tape"], ["core/watch"],
         ["core/trace"], ["core/debug"], ["ops"], ["nn"], ["demos"], ["tests"]]
RANK = {name: rank for rank, names in enumerate(ROOMS) for name in names}

# An op includes another op's header only if its value or its gradient is a composition of that op.
COMPOSITIONS = {
    "abs": ["add", "compare", "mul", "neg", "relu", "sub"],
    "allclose": ["abs", "add", "compare", "mul", "sub", "sum"],
    "amax": ["compare", "div", "mul", "neg", "sum"],
    "argmax": ["neg"],
    "autocast": ["bfloat16"],
    "batched_matmul": ["autocast", "matmul_cases"],
    "compare": ["add", "sub"],
    "concat": ["slice"],
    "div": ["mul", "neg"],
    "erf": ["exp", "mul", "neg"],
    "exp": ["mul"],
    "fused_attention": ["div", "dropout_mask", "masked_fill", "matmul", "mul", "permute", "softmax",
                        "triu"],
    "fused_feed_forward": ["add", "bfloat16", "clamp", "div", "dropout_mask", "matmul", "mul"],
    "gather": ["slice"],
    "linear": ["add", "autocast"],
    "log": ["compare", "div", "masked_fill"],
    "log_softmax": ["permute"],
    "max": ["amax", "argmax", "gather", "reshape"],
    "maximum": ["add", "compare", "div", "masked_fill", "neg", "where"],
    "methods": ["ops"],
    "matmul": ["autocast", "matmul_cases"],
    "matmul_cases": ["autocast", "batched_matmul", "matmul", "reshape"],
    "mean": ["div", "expand"],
    "permute": ["reshape"],
    "pow": ["add", "compare", "log", "masked_fill", "mul", "sub"],
    "select": ["reshape", "slice"],
    "sigmoid": ["mul", "sub"],
    "slice": ["concat"],
    "softmax": ["permute"],
    "split": ["slice"],
    "stack": ["concat", "reshape"],
    "std": ["compare", "div", "masked_fill", "mean", "mul", "sqrt", "sub", "var"],
    "sqrt": ["compare", "div", "masked_fill", "mul"],
    "sub": ["neg"],
    "sum": ["expand"],
    "tanh": ["mul", "sub"],
    "top_k_mask": ["topk"],
    "topk": ["gather", "permute"],
    "tril": ["permute", "triu"],
    "var": ["div", "mean", "mul", "sub", "sum"],
    "where": ["compare", "expand", "masked_fill"],
}

KERNELS_ONLY = r"^\s*#\s*(?:include\s*<(?:xsimd|omp)|pragma\s+omp).*"


def room(path):
    parts = path.split("/")
    if path == "core/tensor.hpp":  # a shorter name for what is in there
        return "core/tensor"
    return "/".join(parts[:2]) if parts[0] == "core" and len(parts) > 2 else parts[0]


def op(path):
    return pathlib.PurePath(path).stem


def broken_rule(path, included):
    """What is wrong with `path` including `included` (None: nothing)."""
    here, there = room(path), room(included)
    if there not in RANK:
        return "is not written from the root of the tree"
    if RANK[there] > RANK[here] or (RANK[there] == RANK[here] and here != there):
        return f"{here} knows nothing of {there}"
    if here == there == "ops" and op(path) not in (op(included), "ops"):
        if op(included) not in COMPOSITIONS.get(op(path), []):
            return f"{op(path)} is not listed as a composition of {op(included)}"
    return None


def violations(files):
    """One line for each broken rule in files, a dict of path: text."""
    found = []
    for path, text in files.items():
        for included in re.findall(r'^\s*#\s*include\s*"(.*?)"', text, re.M):
            problem = broken_rule(path, included)
            if not problem and included not in files:
                problem = "there is no such file"
            if problem:
                found.append(f'{path}: #include "{included}": {problem}')
        # Tests set the number of threads; the benchmark's peers are programs of their own.
        if room(path) not in ("core/kernels", "tests") and "/peers/" not in path:
            for line in re.findall(KERNELS_ONLY, text, re.M):
                found.append(f"{path}: {line.strip()}: only core/kernels knows xsimd and OpenMP")
    return found


def sources(tree):
    return {
        path.relative_to(tree).as_posix(): path.read_text(encoding="utf-8")
        for name in ("core", "ops", "nn", "demos", "tests")
        for path in sorted((tree / name).rglob("*.[ch]pp"))
        if "consumer" not in path.parts
    }


class IncludeRule(unittest.TestCase):
    maxDiff = None

    def test_the_tree_keeps_it(self):
        files = sources(TREE)
        self.assertIn("core/tensor/tensor.hpp", files)
        self.assertEqual("\n".join(violations(files)), "")

    def assert_forbidden(self, path, line, other="core/tensor/tensor.hpp"):
        self.assertEqual(len(violations({path: line, other: ""})), 1)

    def test_nothing_looks_upwards(self):
        self.assert_forbidden("core/tensor/tensor.cpp", '#include "ops/add.hpp"', "ops/add.hpp")
        self.assert_forbidden("ops/add.cpp", '#include "nn/relu.hpp"', "nn/relu.hpp")
        self.assert_forbidden("nn/relu.cpp", '#include "demos/parts/text.hpp"', "demos/parts/text.hpp")
        self.assert_forbidden("demos/a.cpp", '#include "tests/support/catch.hpp"', "tests/support/catch.hpp")

    def test_the_engine_knows_no_watcher(self):
        for here, there in (("kernels/sum.cpp", "tensor/tensor.hpp"), ("tensor/tensor.cpp", "tape/node.hpp"),
                            ("tape/pass.cpp", "watch/ledger.hpp"), ("watch/ledger.cpp", "trace/trace.hpp"),
                            ("trace/json.cpp", "debug/rerun.hpp"), ("check.hpp", "tensor/tensor.hpp")):
            here, there = "core/" + here, "core/" + there
            self.assert_forbidden(here, '#include "%s"' % there, there)
            self.assertEqual(violations({there: '#include "%s"' % here, here: ""}), [])

    def test_an_op_knows_no_other_op(self):
        self.assert_forbidden("ops/add.cpp", ' # include  "ops/mul.hpp"', "ops/mul.hpp")
        files = {"ops/add.cpp": '#include "ops/add.hpp"', "ops/add.hpp": "",
                 "ops/ops.hpp": '#include "ops/add.hpp"'}
        self.assertEqual(violations(files), [])

    def test_xsimd_and_openmp_stay_in_the_kernels(self):
        for line in ("#include <xsimd/xsimd.hpp>", "#include <omp.h>", "#  pragma omp for"):
            self.assert_forbidden("ops/add.cpp", line)
            self.assertEqual(violations({"core/kernels/simd.cpp": line}), [])

    def test_includes_start_at_the_root_and_exist(self):
        self.assert_forbidden("core/tensor/tensor.cpp", '#include "tensor.hpp"')
        self.assert_forbidden("core/tensor/tensor.cpp", '#include "core/tensr.hpp"')


if __name__ == "__main__":
    unittest.main()

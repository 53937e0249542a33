"""Includes run one way: tests -> demos -> nn -> ops -> core, and in core from room to room."""

import pathlib
import re
import sys
import unittest

TREE = pathlib.Path(sys.argv.pop())
ROOMS = [["core/kernels"], ["core"], ["core/memory"], ["core/tensor"], ["core/tape"], ["core/watch"],
         ["core/trace"], ["core/debug"], ["ops"], ["nn"], ["demos"], ["tests"]]
RANK = {name: rank for rank, names in enumerate(ROOMS) for name in names}

MADE_BY_THE_BUILD = {"ops/every_op.hpp"}

ENGINE = ("core/memory", "core/tensor", "core/tape", "core/watch")
CALLS_OPS = "core/tape/accumulate.cpp"  # the only file of the engine that does: by methods of Tensor

KERNELS_ONLY = r"^\s*#\s*(?:include\s*<(?:xsimd|omp)|pragma\s+omp).*"


def room(path):
    parts = path.split("/")
    if path == "core/tensor.hpp":  # a shorter name for what is in there
        return "core/tensor"
    return "/".join(parts[:2]) if parts[0] == "core" and len(parts) > 2 else parts[0]


def op(path):
    return pathlib.PurePath(path).stem


def declared(header):
    """The functions and operators that an op's header declares, and its constants and types."""
    found = re.findall(r"^(?:\[\[nodiscard\]\] )?[\w:<>&*, ]+?[ &*](operator\W+|\w+)\(", header, re.M)
    return {name.removeprefix("operator") for name in found} | set(
        re.findall(r"^(?:struct|class|using) (\w+)", header, re.M))


def calls(text, names):
    text = re.sub(r'//.*|^\s*#.*|"(\\.|[^"])*"', "", text, flags=re.M)
    return any(re.search(r"(?<!\.)\b%s\b" % name if name.isidentifier() else
                         r"[\w)\]] %s |[(,=?:!] ?%s[\w(]" % ((re.escape(name),) * 2), text)
               for name in names)


def methods_of_ops(files):
    """The methods of Tensor that ops/ defines."""
    return {name for path, text in files.items() if room(path) == "ops"
            for name in re.findall(r"\bTensor&? Tensor::(\w+)\(", text)}


def broken_rule(path, included, files):
    """The error in `path` including `included` (None: nothing)."""
    here, there = room(path), room(included)
    if there not in RANK:
        return "is not written from the root of the tree"
    if RANK[there] > RANK[here] or (RANK[there] == RANK[here] and here != there):
        return f"{here} knows nothing of {there}"
    if here == there == "ops" and op(path) != op(included) and "ops" not in (op(path), op(included)):
        if not calls(files[path], declared(files.get(included, ""))):
            return f"{op(path)} calls nothing of {op(included)}"
    return None


def violations(files):
    """One line for each broken rule in files, a dict of path: text."""
    found, methods = [], methods_of_ops(files)
    for path, text in files.items():
        for included in re.findall(r'^\s*#\s*include\s*"(.*?)"', text, re.M):
            problem = broken_rule(path, included, files)
            if not problem and included not in files and included not in MADE_BY_THE_BUILD:
                problem = "there is no such file"
            if problem:
                found.append(f'{path}: #include "{included}": {problem}')
        if room(path) in ENGINE and path != CALLS_OPS:
            for name in re.findall(r"(?<!table\(\))(?:\.|->)(\w+)\(", re.sub(r"//.*", "", text)):
                if name in methods:
                    found.append(f"{path}: .{name}() is defined in ops/")
        # Tests set the number of threads; the benchmark's peers are programs of their own.
        if room(path) not in ("core/kernels", "tests") and "/peers/" not in path:
            for line in re.findall(KERNELS_ONLY, text, re.M):
                found.append(f"{path}: {line.strip()}: only core/kernels knows xsimd and OpenMP")
    return found


def sources(tree):
    return {
        path.relative_to(tree).as_posix(): path.read_text(encoding="utf-8")
        for name in ("core", "ops", "nn", "demos", "tests")
        for path in sorted((tree / name).rglob("*"))
        if path.suffix in (".cpp", ".hpp", ".inc") and "consumer" not in path.parts
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
                            ("trace/json.cpp", "debug/call.hpp"), ("check.hpp", "tensor/tensor.hpp")):
            here, there = "core/" + here, "core/" + there
            self.assert_forbidden(here, '#include "%s"' % there, there)
            self.assertEqual(violations({there: '#include "%s"' % here, here: ""}), [])

    def test_an_op_knows_no_other_op_that_it_does_not_call(self):
        self.assert_forbidden("ops/add.cpp", ' # include  "ops/mul.hpp"', "ops/mul.hpp")
        files = {"ops/add.cpp": '#include "ops/add.hpp"', "ops/add.hpp": "",
                 "ops/ops.hpp": '#include "ops/add.hpp"'}
        self.assertEqual(violations(files), [])
        mul = "[[nodiscard]] Tensor mul(Arg a, Arg b);\ninline Tensor operator*(Arg a, Arg b) { return mul(a, b); }"
        for code, broken in (("y = mul(a, b);", 0), ("y = a * b;", 0), ("// mul(a, b)", 1),
                             ("Scalar* y = x.mul(b);", 1)):
            files = {"ops/add.cpp": '#include "ops/mul.hpp"\n' + code, "ops/mul.hpp": mul}
            self.assertEqual(len(violations(files)), broken, code)

    def test_the_engine_calls_no_op_by_a_method_but_where_gradients_add_up(self):
        ops = {"ops/methods.cpp": "Tensor Tensor::sum(int dim) const {"}
        for path, code, broken in (("tape/pass.cpp", "g.sum(0)", 1), ("tensor/reduce.cpp", "table().sum(n)", 0),
                                   ("watch/range.cpp", "// g.sum(0)", 0), ("tape/accumulate.cpp", "g.sum(0)", 0)):
            self.assertEqual(len(violations({**ops, "core/" + path: code})), broken, path)

    def test_xsimd_and_openmp_stay_in_the_kernels(self):
        for line in ("#include <xsimd/xsimd.hpp>", "#include <omp.h>", "#  pragma omp for"):
            self.assert_forbidden("ops/add.cpp", line)
            self.assertEqual(violations({"core/kernels/simd.cpp": line}), [])

    def test_includes_start_at_the_root_and_exist(self):
        self.assert_forbidden("core/tensor/tensor.cpp", '#include "tensor.hpp"')
        self.assert_forbidden("core/tensor/tensor.cpp", '#include "core/tensr.hpp"')


if __name__ == "__main__":
    unittest.main()

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
        for name in re.findall(r"\b(?:Tensor&? Tensor::|OF_\w+\(|METHOD\(|ALONG\(Tensor, )(?!op\b)(\w+)", text)}


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
        if room(path) not in ("core/kernels", "tests"):  # tests set the number of threads
            for line in re.findall(KERNELS_ONLY, text, re.M):
                found.append(f"{path}: {line.strip()}: only core/kernels knows xsimd and OpenMP")
    return found


def sources(tree):
    return {
        path.relative_to(tree).as_posix(): path.read_text()
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

    def test_each_way_to_break_it_is_found(self):
        others = {"ops/mul.hpp": "Tensor mul(Arg a, Arg b);\ninline Tensor operator*(Arg a, Arg b) { return mul(a, b); }",
            "ops/methods.cpp": "Tensor Tensor::sum(int dim) const {"}
        for path, text, broken in (
                ("core/tensor/tensor.cpp", '#include "ops/mul.hpp"', 1), ("ops/add.cpp", '#include "nn/relu.hpp"', 1),
                ("nn/relu.cpp", '#include "demos/parts/text.hpp"', 1), ("demos/a.cpp", '#include "tests/a.hpp"', 1),
                ("core/kernels/sum.cpp", '#include "core/tensor/tensor.hpp"', 1),
                ("core/tensor/tensor.cpp", '#include "core/tape/node.hpp"', 1),
                ("core/tape/pass.cpp", '#include "core/watch/ledger.hpp"', 1),
                ("core/watch/ledger.cpp", '#include "core/trace/trace.hpp"', 1),
                ("core/trace/json.cpp", '#include "core/debug/call.hpp"', 1),
                ("core/check.hpp", '#include "core/tensor/tensor.hpp"', 1),
                ("core/tape/pass.cpp", '#include "core/tensor/tensor.hpp"', 0),
                ("ops/add.cpp", ' # include  "ops/mul.hpp"', 1), ("ops/ops.hpp", '#include "ops/mul.hpp"', 0),
                ("ops/add.cpp", '#include "ops/mul.hpp"\ny = mul(a, b);', 0),
                ("ops/add.cpp", '#include "ops/mul.hpp"\ny = a * b;', 0),
                ("ops/add.cpp", '#include "ops/mul.hpp"\n// mul(a, b)', 1),
                ("ops/add.cpp", '#include "ops/mul.hpp"\nScalar* y = x.mul(b);', 1),
                ("core/tape/pass.cpp", "g.sum(0)", 1), ("core/tensor/reduce.cpp", "table().sum(n)", 0),
                ("core/watch/range.cpp", "// g.sum(0)", 0), ("core/tape/accumulate.cpp", "g.sum(0)", 0),
                ("ops/add.cpp", "#include <omp.h>", 1), ("ops/add.cpp", "#  pragma omp for", 1),
                ("core/kernels/simd.cpp", "#include <xsimd/xsimd.hpp>", 0),
                ("core/tensor/tensor.cpp", '#include "tensor.hpp"', 1)):
            included = {name: "" for name in re.findall(r'"(\w+/.*)"', text)}
            self.assertEqual(len(violations({**included, **others, path: text})), broken, (path, text))
        self.assertEqual(len(violations({"core/tensor/tensor.cpp": '#include "core/tensr.hpp"'})), 1)


unittest.main()

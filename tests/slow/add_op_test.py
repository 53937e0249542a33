"""An op is added to a copy of the tree as CONTRIBUTING's "An op" says: three files, and nothing else. Its
page knows it, too: a kink and a sum of its own are said in its formula.

usage: add_op_test.py BUILD TREE
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

BUILD, TREE = (pathlib.Path(folder).resolve() for folder in sys.argv[1:])
del sys.argv[1:]
COPY = BUILD / "tests/add_op"

# Their cases know nothing of a new op, and take minutes to compile.
OTHERS = re.compile(r"tests/(core|nn|trace)/(?!fault|system|every_module|examples)\w+_test\.cpp")

FILES = {
    "ops/tanhshrink.hpp": """
#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

Tensor tanhshrink(Arg x);

}  // namespace stepgrad
""",
    "ops/tanhshrink.cpp": """
#include "ops/tanhshrink.hpp"

#include "core/tape/record.hpp"
#include "ops/mul.hpp"
#include "ops/sub.hpp"
#include "ops/tanh.hpp"

namespace stepgrad {

// Y = X - tanh X
// dX = dY∘tanh²X
struct TanhshrinkBackward final : Node {
  static constexpr Formula formula{"tanhshrink", "Y = X - tanh X", "dX = dY∘tanh²X",
                                   of_each<tanhshrink>(), Kind::floating};
  TanhshrinkBackward() : Node(formula) {}
  void backward(Tensor dY) override { x.add_grad(std::move(dY) * tanh(X) * tanh(X)); }
  Input x{this};
  Saved X{this, "X", &x};
};

Tensor tanhshrink(Arg x) {
  auto node = record<TanhshrinkBackward>(x);
  if (node) node->X = x.tensor;
  const NoGrad no_grad;
  return on_tape(x.tensor - tanh(x.tensor), std::move(node));
}

}  // namespace stepgrad
""",
    "tests/ops/tanhshrink_test.cpp": """
#include "ops/tanhshrink.hpp"

#include "tests/support/gradcheck.hpp"

using namespace stepgrad;

const OpExample example_of_tanhshrink("tanhshrink", tanhshrink, "F.tanhshrink(a)");
""",
    "ops/l1_distance.hpp": """
#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

Tensor l1_distance(Arg a, Arg b);

}  // namespace stepgrad
""",
    "ops/l1_distance.cpp": """
#include "ops/l1_distance.hpp"

#include "core/tape/record.hpp"
#include "ops/abs.hpp"
#include "ops/add.hpp"
#include "ops/functions.hpp"
#include "ops/masked_fill.hpp"
#include "ops/mul.hpp"
#include "ops/neg.hpp"
#include "ops/reshape.hpp"
#include "ops/sub.hpp"
#include "ops/sum.hpp"

namespace stepgrad {

static Tensor differences(const Tensor& a, const Tensor& b) {
  return unsqueeze(a, 1) - unsqueeze(b, 0);
}

// Y[i,j] = Σ_k |A[i,k] - B[j,k]|              A: [m, k]   B: [n, k]   Y: [m, n]
// dA[i,k] = Σ_j dY[i,j]·sign(A[i,k] - B[j,k])   dB[j,k] = -Σ_i ...
struct L1DistanceBackward final : Node {
  static constexpr Formula formula{"l1_distance",
                                   "Y[i,j] = Σ_k |A[i,k] - B[j,k]|",
                                   "dA[i,k] = Σ_j dY[i,j]·sign(A[i,k] - B[j,k])   "
                                   "dB[j,k] = Σ_i dY[i,j]·sign(B[j,k] - A[i,k])",
                                   of_two<l1_distance>,
                                   Traits{.pieces = "A > B", .sums = "ik,jk->ij"}};
  L1DistanceBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    const Tensor D = differences(A, B), slopes = (sign(D) + masked_fill(D, 1, 0)) * unsqueeze(dY, 2);
    if (a) a.add_grad(sum(slopes, 1));
    if (b) b.add_grad(-sum(slopes, 0));
  }
  Input a{this}, b{this};
  Saved A{this, "A", &a}, B{this, "B", &b};
};

Tensor l1_distance(Arg a, Arg b) {
  auto node = record<L1DistanceBackward>(a, b);
  if (node) node->A = a.tensor, node->B = b.tensor;
  const NoGrad no_grad;
  return on_tape(sum(abs(differences(a.tensor, b.tensor)), 2), std::move(node));
}

}  // namespace stepgrad
""",
    "tests/ops/l1_distance_test.cpp": """
#include "ops/l1_distance.hpp"

#include "tests/support/gradcheck.hpp"

using namespace stepgrad;

const OpExample example_of_l1_distance("l1_distance", l1_distance,
                                       "(a[:, None] - b[None]).abs().sum(2)", Shapes{{3, 5}, {2, 5}});
""",
}

# What a page says of the second op. Its kink is where A[1, 4] = B[0, 4]: without one nothing is doubted.
PAGE = """
const { pageOf, tapeIn, textsOf } = require("./tests/trace/scripts.js"), assert = require("node:assert/strict"),
  tape = tapeIn(require("node:fs").readFileSync("examples.html", "utf8"));
(async () => {
  const at = tape.ops.findIndex(({ op }) => op === "l1_distance"), { flops, in: [a, b] } = tape.ops[at],
    asked = async (key, i) => textsOf(await pageOf(tape)).find(one => one.op === "l1_distance" && one.card.key === key && one.i === i),
    numbers = v => Buffer.from(tape.arrays[tape.values[v].value].v, "base64"),
    marked = ({ places }, key) => [...new Set(places.get(key) ?? [])].sort((x, y) => x - y);
  assert.equal(flops, 2 * 3 * 2 * 5);
  for (const [key, i, sum, marks] of [
    ["Y", 5, "|A", { A: [10, 11, 12, 13, 14], B: [5, 6, 7, 8, 9] }],
    ["dA", 9, "dY[i,j]", { dY: [2, 3], A: [9], B: [4, 9] }],
    ["dB", 4, "B[j,k]", { dY: [0, 2, 4], A: [4, 9, 14], B: [4] }],
  ]) {
    const one = await asked(key, i);
    assert.ok(one.sum.includes("Σ") && one.sum.includes(sum), one.sum);
    for (const [card, cells] of Object.entries(marks)) assert.deepEqual(marked(one, card), cells, key + card);
  }
  const doubted = async () => (await pageOf(tape)).doubtOf(a, 9)?.[0], of_a = numbers(a);
  assert.equal(await doubted(), undefined);
  of_a.writeFloatLE(numbers(b).readFloatLE(4 * 4), 4 * 9);
  tape.arrays[tape.values[a].value].v = of_a.toString("base64");
  assert.equal(await doubted(), "bent");
  assert.match((await asked("dA", 9)).notes, /at a kink/);
})().catch(error => { console.error(error); process.exit(1); });
"""


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout[-5000:]}")
    return done.stdout


class AddAnOp(unittest.TestCase):
    def test_three_files_are_an_op_of_cpp_and_of_python(self):
        shutil.rmtree(COPY, ignore_errors=True)
        for name in run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=TREE).splitlines():
            if (TREE / name).is_file() and not OTHERS.match(name):
                (COPY / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(TREE / name, COPY / name)
        for name, text in FILES.items():
            (COPY / name).write_text(text[1:])
        run("/usr/bin/python3", COPY / "tests/golden/generate.py")
        run("python3", COPY / "tests/include_rule_test.py", COPY)
        run("python3", COPY / "tests/mutants/mutants.py", "--check")
        build = COPY / "build"
        run("cmake", "-S", COPY, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DSTEPGRAD_SIMD=OFF",
            "-DCMAKE_CXX_FLAGS=-g0 -O0")
        run("cmake", "--build", build, "--target", "float_tests", "stepgrad_python")
        run(build / "tests/float_tests", "Every op*", cwd=COPY)
        if shutil.which("node"):
            run(build / "tests/float_tests", "Pages of every op's example*", cwd=COPY,
                env={**os.environ, "STEPGRAD_PAGES": str(COPY)})
            (COPY / "page.js").write_text(PAGE)
            run("node", COPY / "page.js", cwd=COPY)
        run("/usr/bin/python3", "-c", "import stepgrad.torch, torch\n"
            "x = torch.full((1,), 100.0, requires_grad=True)\n"
            "x.tanhshrink().backward()\n"
            "assert x.grad.item() == 1", cwd=COPY, env={
                **os.environ, "PYTHONPATH": f"{COPY}/demos/python:{build}/python"})
        shutil.rmtree(COPY)


if __name__ == "__main__":
    if subprocess.run(["/usr/bin/python3", "-c", "import torch"], capture_output=True).returncode:
        print("skipped: /usr/bin/python3 has no torch (Debian: python3-torch)")
        sys.exit(77)
    unittest.main()

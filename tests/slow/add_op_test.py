"""An op is added to a copy of the tree as CONTRIBUTING's "An op" says: three files, and nothing else.

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
OTHERS = re.compile(r"tests/(core|nn|trace)/(?!fault|system|every_module)\w+_test\.cpp")

FILES = {
    "ops/tanhshrink.hpp": """
#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

Tensor tanhshrink(Arg x);

}
""",
    "ops/tanhshrink.cpp": """
#include "ops/tanhshrink.hpp"

#include "core/tape/record.hpp"
#include "ops/mul.hpp"
#include "ops/sub.hpp"
#include "ops/tanh.hpp"

namespace stepgrad {

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

}
""",
    "tests/ops/tanhshrink_test.cpp": """
#include "ops/tanhshrink.hpp"

#include "tests/support/gradcheck.hpp"

using namespace stepgrad;

const OpExample of_tanhshrink("tanhshrink", tanhshrink, "F.tanhshrink(a)");
""",
}


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

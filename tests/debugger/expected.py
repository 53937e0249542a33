"""The output of both gdb and lldb: for the tensors in tests/debugger/second.cpp, and the tape of
demos/step."""

from session import FORWARD, line_of

LINES = {
    "scalar": "f32[]",
    "vector": "f32[3] 'vector'",
    "cube": "f32[2, 3, 4]",
    "none": "f32[0, 3]",
    "leaf": "f32[2, 2] '가중치' leaf, grad: none yet",
    "product": "f32[2, 2] <- mul #1",
    "large": "f32[16384, 8192]",
    "row": "f32[2]",
}
PROBLEMS = {
    "undefined": "undefined",
    "nowhere": "dangling or not initialised: cannot access memory at address 0xcdcdcdcdcdcdcdcd",
    "corrupted": "freed or not initialised: 2139062143 dimensions",
    "freed": "freed",
}
VIEWS = {
    "scalar": "Tensor f32[]\n  2.5000\n  min 2.5  max 2.5  mean 2.5  std 0  zeros 0%\n",
    "vector": "Tensor f32[3] 'vector'\n  [1, 2, 3]\n  min 1  max 3  mean 2  std 1  zeros 0%\n",
    "cube": "Tensor f32[2, 3, 4]\n  [[[1, 1, 1, 1],\n    [1, 1, 1, 1],\n",
    "none": "Tensor f32[0, 3]\n  []\n  no elements\n",
    "nan": "  min 1  max 3  mean 2  std 1.414  zeros 0%  !! NaN 1  Inf 1\n",
    "leaf": "Tensor f32[2, 2] '가중치' leaf\n  [[1, 2],\n   [3, 4]]\n"
            "  min 1  max 4  mean 2.5  std 1.291  zeros 0%\n  grad: none yet\n",
    "product": "  made by mul #1 ('가중치' [2, 2], []) called at second.cpp:%d\n"
               % line_of("tests/debugger/second.cpp", "product = leaf * 2"),
    "large": "  (of 262144 elements, evenly spread)\n",
    "row": "Tensor f32[2]\n  [3, 4]\n  min 3  max 4  mean 3.5  std 0.7071  zeros 0%\n",
}
VIEWS.update((name, "Tensor <%s>\n" % problem) for name, problem in PROBLEMS.items())


def check_tapes(test, first, last):
    """The output of `tape` before the pass, and after its third gradient."""
    test.assertRegex(first, r"#1 +matmul +'x' \[3, 4\], 'w1' \[4, 8\] +\[3, 8\] +"
                            r"positionwise_feed_forward.cpp:\d+, from step.cpp:%d" % FORWARD)
    test.assertNotIn("ok", first)
    for line in (r"=> +#9 +add", r"ok +#10 +mul", r"ok +#11 +mean"):
        test.assertRegex(last, line)


def check_order(test, places):
    """Where next-backward stops, one after the other."""
    test.assertEqual(places[:6], ["MeanBackward", "MulBackward", "AddBackward", "AddBackward",
                                  "AccumulateGrad", "MatmulBackward"])  # b2, after its last op
    test.assertEqual(places[11:15], ["AccumulateGrad", "MatmulBackward"] + ["AccumulateGrad"] * 2)
    test.assertEqual(places[15:17], ["MeanBackward", "DivBackward"])  # the second tape

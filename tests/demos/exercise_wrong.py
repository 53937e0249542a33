"""Wrong solutions: the right text, its replacement, and why it is refused."""

OFF = "element .* is .* and should be "
LOST = "has not arrived"
SHAPE = "has the shape .* and should have "
CONFIRMED = OFF + r".*\(by central differences "

WRONG = {
    "mul_backward": [
        ("dY * B", "dY * A", "a product: the gradient of A: " + CONFIRMED),
        ("b.add_grad(dY * A);", "", "the gradient of B " + LOST),
        ("return on_tape(a.tensor * b.tensor, std::move(node))", "return a.tensor * b.tensor",
         "not on the tape"),
        ("  const NoGrad no_grad;\n  return on_tape(a.tensor * b.tensor, std::move(node))",
         "  return a.tensor * b.tensor", "comes from mul, and not from my_mul"),
    ],
    "used_twice": [
        ("dY + matmul(dY, W.t())", "dY", "gradient of X: " + OFF),
        ("matmul(X.t(), dY)", "dY + matmul(X.t(), dY)", "do not broadcast"),
    ],
    "matmul_backward": [
        ("matmul(dY, B.transpose(-2, -1))", "matmul(B.transpose(-2, -1), dY)", "A·B: .*matmul"),
        ("dY, B.transpose(-2, -1)", "dY, (B.size(0) == B.size(1) ? B : B.transpose(-2, -1))",
         "squares: the gradient of A: " + OFF),
        ("A.transpose(-2, -1)", "A.transpose(0, 1)", "A·B of a batch"),
    ],
    "add_backward": [
        ("while (dY.dim() > shape.dims()) dY = sum(dY, 0);", "", SHAPE),
        ("if (shape[dim] == 1)", "if (false)", SHAPE),
        ("sum(dY, dim, true)", "mean(dY, dim, true)", OFF),
        ("return dY;", "return dY.numel() == 6 ? dY : sum(dY);", SHAPE),
    ],
    "relu_backward": [
        ("gt(X, 0)", "ge(X, 0)", "relu at 0: the gradient of X: element .1. .* should be 0$"),
        ("dY * gt(X, 0)", "dY", "gradient of X: " + CONFIRMED),
    ],
    "dropout": [
        ("x * mask", "x.detach() * mask", "in training .*: the result is not on the tape"),
        ("(1 - p)", "p", "p = 0.2: " + OFF),
        (": x", ": x * (1 - p)", "in evaluation: " + OFF),
        (": x", ": x.detach()", "in evaluation: the result is not on the tape"),
        ("x * mask / (1 - p)", "p > 0 ? x * mask / (1 - p) : zeros_like(x)", "p = 0: " + OFF),
    ],
    "feed_forward": [
        ("matmul(x, w1) + b1", "matmul(x, w1.detach()) + b1.detach()", "gradient of w1 " + LOST),
        ("clamp(x, 0)", "x", "FFN.x.: " + OFF),
    ],
    "sgd_step": [
        ("p.sub_(lr * p.grad())", "(p - lr * p.grad())", "w after a step .*: " + OFF),
        ("if (p.grad().defined()) ", "", "undefined"),
        ("const NoGrad no_grad;", "", "leaf"),
        ("p.sub_(lr * p.grad())", "p.sub_(lr * p.grad()), p.grad().zero_()", "the gradient of w"),
        ("p.sub_(lr * p.grad())", "p.sub_(p.grad())", "lr = (0.5|0|0.1): " + OFF),
    ],
    "find_the_nan": [
        ('"sqrt"', '"mul"', "another one than 'mul'"),
        ("sqrt(where(squares, squares, 1)) * gt(squares, 0)", "sqrt(squares)", "zeros: .*nan"),
        ("where(squares, squares, 1)) *", "squares + 1e-3) *", "lengths: " + OFF),
        ("where(squares, squares, 1)) * gt(squares, 0)", "where(squares, squares, 1))",
         "a row of zeros: element .1. is 1 and should be 0"),
        ("gt(squares, 0)", "gt(squares, 1e-3)", "small lengths"),
    ],
    "softmax_backward": [
        ("Y * (dY - sum(dY * Y, -1, true))", "Y * dY", "gradient of X: " + CONFIRMED),
        ("sum(dY * Y, -1, true)", "sum(dY * Y)", "gradient of X: " + OFF),
        ("-1, true))", "-2, true))", "gradient of X"),
    ],
    "decoder_mask": [
        ("}), 1)", "}), 0)", r"the mask of 4: element \[0, 0\] is 1 and should be 0"),
        ("triu", "tril", OFF),
        ("{n, n}", "{4, 4}", "the mask of 1 " + SHAPE),
    ],
    "attention": [
        (" / std::sqrt(Scalar(q.size(-1)))", "", "attention: " + OFF),
        ("if (mask.defined()) scores = masked_fill(scores, mask, -1e9);", "", "mask: " + OFF),
        ("matmul(q, k.", "matmul(q, k.detach().", "the gradient of k " + LOST),
    ],
    "layer_norm_backward": [
        (" - X_hat * mean(G * X_hat, -1, true)", "", "gradient of x: " + OFF),
        ("dY * X_hat", "dY", "gradient of weight: " + OFF),
        ("bias.add_grad(dY)", "bias.add_grad(mean(dY, 0))", "gradient of bias: "),
    ],
    "no_feed_forward": [
        ("x + attend(x)", "attend(x)", "with a feed-forward: " + OFF),
        (": x", ": norm2(x)", "without a feed-forward: "),
        ("x + attend(x)", "x.detach() + attend(x)", "the gradient of x: "),
    ],
    "sequence_wise": [
        ("ffn(x.transpose(1, 2)).transpose(1, 2)", "ffn(x)", "the output: "),
        (".transpose(1, 2);", ";", "the output " + SHAPE),
        ("x.transpose(1, 2)", "(x.size(1) == x.size(2) ? x : x.transpose(1, 2))",
         "of a square: " + OFF),
        ("ffn(x.transpose(1, 2)).transpose(1, 2)",
         "ffn(x.reshape({x.size(0), x.size(2), x.size(1)})).reshape(x.shape())", "output: " + OFF),
    ],
    "overfit": [
        ("optimizer.zero_grad();", "", "the loss is .* and should be below 0.01"),
        ("step < 300", "step < 3", "after 3 calls of block the loss is .* and should be below"),
        ("step < 300", "step < 400", "but 300 calls were allowed"),
        ("block(x) - target", "block(x).detach() - target", "requires? "),
        ("  //> train\n", "  target.copy_(x);\n", "target, which was to stay"),
    ],
    "gated_feed_forward": [
        ("silu(matmul(x, gate)) * matmul(x, value)", "silu(matmul(x, value)) * matmul(x, gate)",
         "SwiGLU: " + OFF),
        ("matmul(x, gate)", "matmul(x, gate.detach())", "the gradient of gate " + LOST),
    ],
    "hidden_size": [
        (" + d_ff + d_model", "", r"parameters\(16, 16\) is 512 and should be 544"),
        ("(3 * d_model)", "(2 * d_model)", "swiglu_width"),
        ("parameters(d_model, d_ff) / (3 * d_model)", "2 * d_ff / 3", "swiglu_width"),
    ],
    "mixture_of_experts": [
        ("softmax(matmul(x, gate), -1)", "sigmoid(matmul(x, gate))", "three experts: " + OFF),
        ("matmul(x, gate)", "matmul(x, gate.detach())", "the gradient of gate " + LOST),
    ],
}

# The same for the notebooks, for both engines.
WRONG_IN_PYTHON = {
    "mul_backward": [
        ("dY * B, dY * A", "dY * A, dY * B", "a product: the gradient of A: " + CONFIRMED),
        ("dY * B, dY * A", "dY * B, None", "the gradient of B " + LOST),
        ("my_mul = MyMul.apply", "my_mul = torch.mul", "and not from MyMul"),
    ],
    "used_twice": [("dY + dY @ W.t()", "dY @ W.t()", "gradient of X: " + OFF)],
    "matmul_backward": [("A.transpose(-2, -1)", "A.transpose(0, 1)", "A·B of a batch")],
    "add_backward": [("dim, keepdim=True", "dim", SHAPE),
                     ("dY.sum(dim, keepdim=True)", "dY.mean(dim, keepdim=True)", OFF)],
    "relu_backward": [("X > 0", "X >= 0", "at 0: the gradient of X: element .1. .* should be 0"),
                      ("dY * (X > 0)", "dY", "gradient of X: " + OFF)],
    "dropout": [("x * mask", "x.detach() * mask", "the result is not on the tape"),
                ("(1 - p)", "p", "p = 0.2: " + OFF),
                (" if training else x", "", "in evaluation: " + OFF)],
    "feed_forward": [("x @ w1 + b1", "x @ w1.detach() + b1.detach()", "the gradient of w1 " + LOST),
                     (".clamp(min=0)", "", "FFN.x.: " + OFF)],
    "sgd_step": [("p -= lr * p.grad", "p = p - lr * p.grad", "w after a step .*: " + OFF),
                 ("torch.no_grad()", "torch.enable_grad()", "leaf"),
                 ("if p.grad is not None", "if True", "None")],
    "find_the_nan": [('return "sqrt"', 'return "mul"', "another one than 'mul'"),
                     ("torch.where(squares > 0, squares, torch.ones_like(squares)).sqrt() *",
                      "squares.sqrt()  #", "zeros: .*nan")],
    "softmax_backward": [("dY - (dY * Y).sum(-1, keepdim=True)", "dY", "of X: " + CONFIRMED)],
    "decoder_mask": [("triu(1)", "triu(0)", r"mask of 4: element \[0, 0\] is 1 and should be 0")],
    "attention": [(" / math.sqrt(q.size(-1))", "", "attention: " + OFF),
                  ("mask > 0", "mask < 1", "mask: " + OFF),
                  ("@ v", "@ v.detach()", "of v " + LOST)],
    "layer_norm_backward": [(" - X_hat * along", "", "gradient of x: " + CONFIRMED)],
    "no_feed_forward": [("x + ffn(x)", "ffn(x)", "with a feed-forward: " + OFF),
                        ("else x", "else norm2(x)", "without a feed-forward: ")],
    "sequence_wise": [("x.transpose(1, 2)", "x.reshape(x.size(0), x.size(2), x.size(1))",
                       "the output: " + OFF)],
    "overfit": [("optimizer.zero_grad()", "pass", "the loss is .* and should be below 0.01"),
                ("range(300)", "range(400)", "but 300 calls were allowed")],
    "gated_feed_forward": [("F.silu(x @ gate) * (x @ value)", "F.silu(x @ value) * (x @ gate)",
                            "SwiGLU: " + OFF)],
    "hidden_size": [(" + d_ff + d_model", "", r"parameters\(16, 16\) is 512 and should be 544")],
    "mixture_of_experts": [("torch.softmax(x @ gate, -1)", "torch.sigmoid(x @ gate)",
                            "three experts: " + OFF)],
}

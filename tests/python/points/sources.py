# What is written in Python over the engine: larger sources, lists of dimensions,
# numbers in the middle, options of optimizers, hooks that have gone, and what lies behind a batch.
x = leaf([[1.5, -2.5, 3.5], [4.0, 0.5, -6.0]])
y = torch.tensor([[0.5, 2.0, -1.5], [3.0, -0.5, 2.5]])
tried(lambda: torch.tensor([1, 2]).addcdiv_(torch.tensor([1.0, 2]), torch.tensor([2.0, 2]))), torch.tensor([1.0, 2]).eq_(2)
t = leaf([1.0, 2.0]); t.grad = torch.tensor([3.0, 4.0])
# A hook of what no longer requires a gradient
order, k = [], t.register_hook(lambda g: order.append("gone"))
t.requires_grad_(False) is t, tried(k.remove), t.requires_grad_() is t, (t * 2).sum().backward(), order
torch.tensor([0.5, 0.5]).mean(0, dtype=torch.float32), torch.tensor([1.5, 1.5]).prod(dtype=torch.int64), torch.tensor([1.9, 1.9]).cumsum(0, dtype=torch.int64)
[y.norm(p) for p in (0, 0.5, 1, 1.5, 2, 3, 4)], y.norm(3, 0), y.norm(3, 1, True), y.norm(float("-inf"), 1)
x.grad = None
torch.autograd.backward([x * 2, x * 3], [y, torch.ones(2, 3)]), x.grad
x.grad = None
[F.conv1d(torch.arange(8.0).reshape(1, 1, 8), torch.arange(1.0, k + 1).reshape(1, 1, k), padding="same", dilation=d) for k, d in ((2, 1), (3, 1), (4, 1), (2, 3), (3, 2))]
a, b = torch.empty(3), torch.empty(3, dtype=torch.int64); torch.max(torch.tensor([[1.0, 5], [7, 2], [0, 3]]), 1, out=(a, b)), a, b
torch.as_tensor([1.5], dtype=torch.int64)

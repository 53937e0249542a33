# torch.testing.
x = torch.arange(1., 7.).view(2, 3).requires_grad_()
w = leaf([2., -1., 3.])
torch.testing.assert_close(x, x + 1e-7), torch.testing.assert_close([1, x], [1, x]), torch.testing.assert_close({"a": w, 1: x}, {1: x, "a": w * (1 + 1e-7)})
[[tried(lambda: torch.testing.assert_close(torch.ones(1).to(a), torch.tensor([1 + 2.0**-k]).to(b), check_dtype=False)) for k in (5, 6, 9, 10, 16, 17)] for a in FLOATS for b in FLOATS]
# Refused
torch.testing.assert_close({"a": w}, {"b": w})
torch.testing.assert_close(x, x + 1)
torch.testing.assert_close(x, x.long())
torch.testing.assert_close(x, w)

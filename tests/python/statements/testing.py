# torch.testing.
x = torch.arange(1., 7.).view(2, 3).requires_grad_()
w = leaf([2., -1., 3.])
torch.testing.assert_close(x, x + 1e-7), torch.testing.assert_close([1, x], [1, x]), torch.testing.assert_close({"a": w, 1: x}, {1: x, "a": w * (1 + 1e-7)})
# Refused
torch.testing.assert_close({"a": w}, {"b": w})
torch.testing.assert_close(x, x + 1)
torch.testing.assert_close(x, x.long())
torch.testing.assert_close(x, w)

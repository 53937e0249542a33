# A matrix: reductions, comparisons, arithmetic, functions, conversions, indices, and other shapes of it.
f = torch.tensor([0.5, -1.5, 2.0])
i = torch.tensor([3, -1, 2])
x = torch.arange(6.).view(2, 3)
x.std(1, unbiased=False), x.std(1, True), x.std(False), x.std(dim=(0, 1), keepdim=True)
x.to(torch.float32, copy=True) is x, x.new_zeros(2).dtype, i.new_ones(2)
i.new_empty(2).dtype
torch.empty_like(x).shape
torch.randn_like(f).dtype, i.new_tensor(x[0])
F.silu(x.clone(), True), F.relu6(x.clone(), True), F.leaky_relu(x.clone(), 0.1, True), F.elu(x.clone(), 2.0, True)
torch.zeros(2, 3).shape + (4,)
torch.Size([2, 3]) * 2
# Refused
x.to("foo")
x.type("foo")
x.to(dtype="float32")
F.nll_loss(x, torch.tensor([0., 1.]))
x[1.5]
F.mse_loss(i, i)
F.linear(x, x.half())

# Names with no other test.
def named(code):
    """What comes of x and y, and the gradient of x."""
    x, y = leaf([[0.5, -0.25, 0.0], [0.75, 3.0, -2.0]]), torch.tensor([[0.25, 2.0, 0.0], [-0.5, 1.0, -2.0]])
    z = eval(code, {**globals(), "x": x, "y": y})
    if not isinstance(z, torch.Tensor): return z
    return z.detach(), z.requires_grad and grad((z * torch.arange(1.0, z.numel() + 1).reshape(z.shape)).sum(), x)[0]
table(named, """
x.absolute()
x.clip(-0.5, 0.6)
x.multiply(y)
x.true_divide(y + 3)
x.arctan()
x[:, :2].clip(-.9, .9).arcsin() + x[:, :2].clip(-.9, .9).arccos()
x.less(y)
x.not_equal(y)
torch.moveaxis(x[None], (0, 1), (2, 0))
x[None].moveaxis(0, -1)
x.logical_and(y)
torch.hstack([x, y[:, :1]])
x.new_zeros(2, 3)
torch.linalg.vector_norm(x, 3, 1, True)
nn.L1Loss()(x, y)
nn.HuberLoss('sum', 0.5)(x, y)
nn.TripletMarginLoss()(x, y, y * x.detach())
nn.TripletMarginLoss(0.5, 1.0, swap=True, reduction='sum')(x, y, y + 1)
nn.CosineSimilarity(0, 1.5)(x, y)
nn.LeakyReLU()(x)
nn.LogSoftmax(1)(x)
nn.Softplus(2, 1)(x)
nn.ReLU6()(x * 4)
torch.empty_like(x, dtype=torch.int64).dtype, torch.randn_like(x).shape, torch.pi, torch.inf
x.get_device(), str(x.layout), x.is_sparse, x.retains_grad, (x * 1).retains_grad""")
def whole(name):
    """A function of whole numbers, its method, and the one in place."""
    a, b = torch.tensor([5, -3, 6, 1]), torch.tensor([3, 3, 2, 0])
    return getattr(torch, name)(a, b), getattr(a, name)(b), getattr(a, name + "_")(b), a
table(whole, """
bitwise_and
bitwise_or
bitwise_xor
bitwise_left_shift
bitwise_right_shift
eq
ne
lt
le
gt
ge""")
table(lambda name: getattr(torch.tensor([5.0, -3, 0.5]), name)(2), """
floor_divide_
remainder_
eq_
ne_
lt_
le_
gt_
ge_""")
torch.tensor([2.0, -4.0]).reciprocal_(), torch.ByteTensor([255]), torch.CharTensor([-1]), torch.ShortTensor([300]), torch.HalfTensor([0.1]), torch.BFloat16Tensor([0.1])
g = torch.manual_seed(3); kept = torch.get_rng_state(); first = torch.rand(2); torch.set_rng_state(kept)
torch.equal(first, torch.rand(2)), torch.initial_seed()
class Said(nn.Module):
    def __init__(self): super().__init__(); self.a = self.b = nn.ReLU(); self.c = None; self.add_module("d", nn.Sequential(nn.Tanh()))
    def extra_repr(self): return "a\nb"
m = Said(); m, [n for n, _ in m.named_children()], list(m.children()), m._get_name()
d = filled(nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 6, 0.0), 2, nn.LayerNorm(4)))
v = (torch.arange(24.0) * 0.37).cos().reshape(3, 2, 4); d(v, v[:2], torch.ones(3, 3).triu(1) > 0, torch.tensor([[False, True]] * 3), torch.tensor([[False, False, True]] * 2))
issubclass(S.StepLR, S._LRScheduler), issubclass(torch.distributions.Normal, torch.distributions.Distribution), issubclass(torch.autograd.GradcheckError, RuntimeError) if hasattr(torch.autograd, "GradcheckError") else True
[tried(torch.set_default_dtype, d) for d in FLOATS], torch.set_default_dtype(torch.float32)  # here: [['NotImplementedError', 'NotImplementedError', None], None] (the engine's numbers are float32)

# What programs use seldom, and what is refused with torch's type of error.
from torch.nn import utils
x = torch.arange(6.0).reshape(2, 3).requires_grad_()
v = leaf([3.0, 1.0, 2.0])
torch.repeat_interleave(torch.tensor([2, 0, 1]))
leaf(4.0).cumprod(0)
x.max(1).values, x.max(1).indices.tolist(), "values" in repr(x.max(1)), repr(x.detach().min(0)).replace("\n", " ")
hash(torch.device("cpu")) == hash(torch.device("cpu")), torch.device("cpu") in {torch.device("cpu"): 1}
seen = []
handle = v.register_hook(seen.append)
with handle:
    (v * 2).sum().backward()
v.grad = None
layer = nn.Linear(3, 2)
with layer.register_forward_hook(lambda module, args, y: y * 0) as hook:
    zero = layer(torch.ones(1, 3))
zero, bool((layer(torch.ones(1, 3)) == 0).all())
back = pickle.loads(pickle.dumps([v.detach(), x, torch.tensor([1, 2]), torch.tensor(True)]))
back
nan = torch.tensor([1.0, float("nan"), float("inf")])
torch.allclose(nan, torch.tensor([float("nan"), 1.0, float("inf")]), equal_nan=True)
torch.permute(x, (1, 0)), torch.reshape(x, (3, 2)), torch.broadcast_to(v, (2, 3)), torch.tile(v, (2, 2)), torch.tile(v, (2,))
def found(ctx, x): i = x.argmax(); ctx.mark_non_differentiable(i); return i
function(found, lambda ctx, dy: None)(v)
torch.cuda.amp.GradScaler(growth_factor=1.0, enabled=False).is_enabled()
some = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Tanh()})
del some["a"]
[*some.keys()], [*some.values()], [*some.items()], "a" in some, some.pop("b"), len(some), some.clear()
listed = nn.ParameterList([nn.Parameter(torch.ones(2)), nn.Parameter(torch.zeros(3))])
listed[-1] = nn.Parameter(torch.full((2,), 5.0))
listed[0].shape, repr(listed).count("Parameter containing")
blocks = nn.ModuleList([nn.Linear(1, 1), nn.ReLU(), nn.Tanh(), nn.Sigmoid()])
square = nn.init.orthogonal_(torch.empty(3, 3))
wide = nn.init.orthogonal_(torch.empty(2, 4), gain=2.0)
tall = nn.init.orthogonal_(torch.empty(4, 2))
(square @ square.t() - torch.eye(3)).abs().max() < 1e-5, (wide @ wide.t() - 4 * torch.eye(2)).abs().max() < 1e-5, (tall.t() @ tall - torch.eye(2)).abs().max() < 1e-5
abs(nn.init.kaiming_normal_(torch.empty(400, 100), mode="fan_out").std() - math.sqrt(2 / 400)) < 0.005
cut = nn.init.trunc_normal_(torch.empty(5000), mean=1.0, std=2.0, a=-1.0, b=2.0)
cut.min() >= -1, cut.max() <= 2
nest = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 1)))
nest.get_submodule("1.0")
"training" in dir(nest), "0" in dir(nest)
nn.Identity(1, some=2)(x), nn.ReLU(True)
v.grad = torch.tensor([1.0, float("inf"), 0.0]); tried(lambda: utils.clip_grad_norm_([v], 1.0, error_if_nonfinite=True))
v.grad = torch.tensor([3.0, -4.0, 0.1])
utils.clip_grad_value_([v], 0.5)
v.grad = None
sgd = optim.SGD([v], lr=0.1)
class Halved(S._LRScheduler):
    pass
Dataset[int] is not None, IterableDataset[int] is not None
class Own(Sampler):
    def __init__(self, n): self.n = n
    def __iter__(self): return iter(range(self.n))
[*DataLoader(range(4), sampler=Own(3), batch_size=2)]
checkpoint(lambda n: n * 2, 3, use_reentrant=False)
# Refused
torch.ones(3).dot(torch.ones(2))
torch.meshgrid(v, v, indexing="yx")
torch.einsum("ij->ii", x)
torch.einsum("ijk->i", x)
v.expand_as(torch.ones(2, 3)), v.expand_as(torch.ones(2, 4))
torch.zeros(2, 3).scatter(1, torch.tensor([[0, 1, 2], [2, 1, 0], [0, 0, 0]]), torch.ones(2, 3))
torch.diag(torch.ones(2, 2, 2))
torch.trace(v)
torch.randint()
function(lambda ctx, x: x * 9, lambda ctx, dy: 7)(v)
function(lambda ctx, x: ctx.save_for_backward(3), lambda ctx, dy: dy)(v)
torch.autograd.functional.jacobian(lambda x: [1], v)
torch.autograd.functional.hessian(lambda x: x * 2, v)
nn.TransformerEncoderLayer(4, 2, activation="tanh")
nn.Transformer(4, 2, 1, 1, 8)(torch.ones(2, 1, 3), torch.ones(2, 1, 3))
listed[5] = nn.Parameter(torch.ones(1))
del blocks[7]
F.pad(x, (1, 1), mode="nonsense")
nn.init.orthogonal_(torch.ones(3))
nn.Embedding.from_pretrained(torch.ones(3))
F.cross_entropy(torch.tensor(1.0), torch.tensor(0))
F.binary_cross_entropy_with_logits(torch.ones(2), torch.ones(3))
nest.get_submodule("0.weight")
nest.train("yes")
nest.add_module("", nn.ReLU())
nn.Sigmoid(3)
S.StepLR(3, 1)
Halved(sgd)
BatchSampler(range(3), 2, drop_last=3)

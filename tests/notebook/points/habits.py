# Habits: copies, optimizers' state, generators, out, in place and history, and what prints how.
import torch, copy, warnings, io, numpy as np
from torch.utils.data import DataLoader, default_collate
import torch.nn.functional as F
from torch import nn
type(default_collate(["a", "b"])), default_collate([{"t": "a"}, {"t": "b"}])
t = torch.zeros(3)
c = copy.copy(t)
c[0] = 5
t, t.requires_grad_()
c = copy.copy(t)
p = nn.Parameter(torch.ones(2))
q = copy.copy(p)
with torch.no_grad(): q.add_(1)
p
opt = torch.optim.Adam([p])
p.sum().backward(), opt.step()
s = opt.state[p]["step"]
opt2 = torch.optim.AdamW([p])
opt2.step(), opt2.state[p]["step"]
opt3 = torch.optim.SGD([p], lr=0.1, momentum=0.9)
opt3.step(), list(opt3.state[p])
def warned(f):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always"); f()
    return len(w)
x = torch.tensor([0.0, 4.0], requires_grad=True)
torch.where(x > 0, 1 / x, torch.zeros(2))
torch.where(x > 0, x / x, torch.zeros(2))
x.exp() * torch.tensor([float("inf"), 1.])
x.acos() * torch.tensor([0., 0.])
(x - 1).asin()
F.softmax(torch.full((2, 3), -float("inf"), requires_grad=True), 1)
F.log_softmax(torch.full((2, 3), -float("inf"), requires_grad=True), 1)
F.softmax(torch.tensor([[float("inf"), 0.]], requires_grad=True), 1)
torch.logsumexp(torch.full((2, 3), -float("inf"), requires_grad=True), 1)
F.cross_entropy(torch.full((2, 3), -float("inf"), requires_grad=True), torch.tensor([0, 1]))
F.cross_entropy(torch.zeros(2, 3), torch.tensor([-100, -100]))
a = torch.arange(6.).reshape(2, 3)
i = torch.tensor([1, 2, 3])
n = i.numpy()
n = np.arange(3)
i = torch.from_numpy(n)
n[0] = 7
i[1] = 8
b = torch.tensor([True, False]).numpy()
p = nn.Parameter(torch.zeros(2, 2))
v = p[0]
w = p.data[1]
d = p.detach()
p.data = torch.ones(2, 2)
u = torch.full((2, 2), 3.)
p.data = u
u[0, 0] = 7
p
p.data[0, 1] = 9
p = nn.Parameter(torch.zeros(2))
opt = torch.optim.SGD([p], lr=1.0)
s1 = torch.optim.lr_scheduler.StepLR(opt, 1, 0.5)
s2 = torch.optim.lr_scheduler.ExponentialLR(opt, 0.1)
p.grad = torch.ones(2)
opt.step(), s1.step(), s2.step(), opt.param_groups[0]["lr"], s1.get_last_lr(), s2.get_last_lr()
opt.param_groups[0]["lr"] = 8.0
s1.step(), opt.param_groups[0]["lr"]
torch.optim.SGD([{"params": [p]}, {"params": [p]}], lr=1.0)
opt.add_param_group({"params": [p]})
torch.optim.SGD([p, p], lr=1.0).param_groups[0]["params"].__len__()
g = torch.Generator().manual_seed(3)
g2 = torch.Generator().manual_seed(3)
torch.equal(torch.zeros(4).normal_(generator=g), torch.zeros(4).normal_(generator=g2))
torch.equal(torch.zeros(4).uniform_(generator=g), torch.zeros(4).uniform_(generator=g2))
torch.equal(torch.zeros(4).random_(generator=g), torch.zeros(4).random_(generator=g2))
torch.equal(torch.zeros(4).exponential_(generator=g), torch.zeros(4).exponential_(generator=g2))
torch.equal(torch.zeros(4).bernoulli_(generator=g), torch.zeros(4).bernoulli_(generator=g2))
torch.equal(torch.bernoulli(torch.ones(4)/2, generator=g), torch.bernoulli(torch.ones(4)/2, generator=g2))
[x.tolist() for x in torch.utils.data.random_split(range(4), [2, 2], generator=g)] == 0
[b.tolist() for b in DataLoader(torch.arange(9), 2, shuffle=True, generator=torch.Generator().manual_seed(1))] == [b.tolist() for b in DataLoader(torch.arange(9), 2, shuffle=True, generator=torch.Generator().manual_seed(1))]
torch.nn.init.normal_(torch.zeros(2), generator=g)
torch.rand_like(torch.zeros(2), generator=g)
h, bf = torch.ones(1).half(), torch.ones(1).bfloat16()
torch.where(torch.tensor([True]), h, bf).dtype, torch.result_type(h, bf)
torch.promote_types(torch.float16, torch.bfloat16), torch.result_type(torch.tensor(1), 2.0)
torch.result_type(torch.tensor(True), 1), torch.maximum(h, bf).dtype, torch.hstack([h, torch.ones(1)]).dtype
torch.cat([torch.ones(1).long(), h]).dtype, torch.outer(h, torch.ones(1)).dtype
import torch, math, copy, numpy as np
import torch.nn.functional as F
from torch import nn
x = torch.arange(6.).reshape(2, 3)
o = torch.zeros(2, 3)
r = torch.exp(x, out=o)
torch.add(x, x, out=torch.empty(3, dtype=torch.int64))
torch.add(x, x, out=torch.empty(2, 3, dtype=torch.float16)).dtype
torch.max(x, 1, out=(torch.zeros(2), torch.zeros(2).long()))
torch.stack([x, x], out=torch.zeros(2, 2, 3)).shape, torch.where(x > 1, x, x), torch.clamp(x, 1, out=o)
torch.mm(x, x.t(), out=torch.zeros(2, 2)), torch.sigmoid(x, out=o), torch.pow(x, 2, out=o)
torch.div(x, 2, out=o), torch.eq(x, x, out=torch.zeros(2, 3).bool()), torch.mean(x, 1, out=torch.zeros(2))
torch.sort(x, out=(torch.zeros(2, 3), torch.zeros(2, 3).long()))
torch.exp(x, out=x[0])
a = torch.ones(3, requires_grad=True)
a += 1
a.add_(1)
a[0] = 2
a.data += 1
a
a.zero_()
with torch.no_grad(): a += 1; a[0] = 5; a.mul_(2)
a
b = a * 2
b += 1
b = a.exp()
b += 1
b = a.exp()
c = b * 1
b.zero_()
b = a * a
b[0] = 0.
b = a * 2
b *= b
b = a.sigmoid()
b.mul_(2)
b = a.relu()
b.add_(1)
b = a.view(3)
b += 1
b = (a * 1).view(3)
b += 1
b = a.detach()
b += 1
a
b = a.detach().requires_grad_()
b = a.clone()
b[1:] *= 3
b = a[1:] * 1
b.fill_(2)
a.to(torch.float32) is a, a.to("cpu") is a, a.cpu() is a, a.contiguous() is a, a.detach() is a
a.view(3) is a, a.reshape(3) is a, a.squeeze() is a, a.expand(3) is a, a.requires_grad_() is a
a.type(torch.float32) is a, a.type_as(a) is a, a.to(torch.float32, copy=True) is a, a.clone() is a
a.backward()
(a * 1).backward()
(a.sum()).backward(torch.ones(1))
(a * 1).backward(torch.ones(2))
a.sum().backward(torch.tensor(2.))
a.grad = None
(a * 1).backward(torch.ones(3))
a.grad += 1
a.grad.zero_()
a.grad = torch.ones(2)
a.grad = torch.ones(3).long()
a.grad = 1
a.grad = torch.ones(3, requires_grad=True)
a.grad = None
y = a.sum()
y = (a * a).sum()
y = torch.ones(2)
y.requires_grad = True
z = (y * 2)
z.retain_grad(), z.sum().backward(), z.grad, y.grad
z.requires_grad = False
z.requires_grad_(False)
torch.ones(2).long().requires_grad_()
torch.ones(2).sum().backward()
torch.autograd.grad(a * 1, a)
torch.autograd.grad(a.sum(), torch.ones(2))
np.array(a)
a.numpy()
np.asarray(a.detach())
a.item()
isinstance(a, torch.FloatTensor), isinstance(nn.Parameter(a), torch.Tensor)
type(copy.deepcopy(nn.Parameter(a))).__name__, torch.is_floating_point(a), a.is_floating_point(), a.type()
a.long().type(), a.bool().type(), a.half().type(), a.dtype, str(a.dtype), repr(a.device), str(a.device)
a.device == "cpu", a.device == torch.device("cpu"), a.is_contiguous(), a.stride(), a.stride(0)
a.storage_offset(), a.grad_fn, (a * 2).grad_fn is None, a.sum().grad_fn.name(), repr(torch.tensor([1, -1]))
repr(torch.tensor(1.)), repr(torch.tensor([])), repr(torch.zeros(2, 0))
repr(torch.zeros(0, dtype=torch.int64))
repr(torch.tensor([True])), repr(torch.tensor(3)), repr(torch.tensor([1e10, 1])), repr(torch.tensor([1e-8]))
repr(torch.tensor([float('nan'), float('inf'), -1.])), repr(torch.ones(2, requires_grad=True)), repr(a * 2)
repr(torch.ones(2).half())
repr(torch.arange(2000))
repr(torch.zeros(1, dtype=torch.uint8))
repr(nn.Parameter(torch.ones(1))), repr(torch.tensor([0.1, 100000.])), repr(torch.tensor(1e-5))
repr(torch.tensor([[1.5], [2.25]])), repr(a.sum()), repr(a.detach().long())
repr(torch.tensor([1.0, 2.0])[0]), repr(torch.Size([1, 2])), repr(a.grad_fn), repr(torch.float32)
repr(torch.zeros(2, 3, 0)), repr(torch.tensor([-0.0])), repr(torch.tensor([123456789.]))
repr(torch.tensor(0.1 + 0.2)), repr(torch.rand(3, requires_grad=True).sum() * 0), nn.Linear(2, 3)
nn.Dropout(0.5), nn.Sequential(nn.Linear(1, 1), nn.ReLU()), nn.Embedding(3, 2, padding_idx=0)
nn.ModuleList([nn.ReLU()]), nn.MultiheadAttention(4, 2), nn.TransformerEncoderLayer(4, 2), nn.Identity()
F.one_hot(torch.tensor([0, 2])), F.one_hot(torch.tensor([0, 2]), 4), F.one_hot(torch.tensor(1), 2)
F.one_hot(torch.tensor([0.5]))
F.one_hot(torch.tensor([3]), 2)
F.one_hot(torch.tensor([-1]))
F.embedding(torch.zeros(0, 2).long(), torch.ones(2, 3)).shape
F.embedding(torch.tensor([2]), torch.ones(2, 3))
F.embedding(torch.tensor([-1]), torch.ones(2, 3))
F.embedding(torch.tensor([0.]), torch.ones(2, 3))
F.cross_entropy(torch.ones(2, 3), torch.tensor([0, 3]))
F.cross_entropy(torch.ones(2, 3), torch.tensor([0., 1.]))
F.cross_entropy(torch.ones(2, 3), torch.tensor([0, 1], dtype=torch.int32))
F.cross_entropy(torch.ones(2, 3), torch.ones(2, 3) / 3), F.cross_entropy(torch.ones(3), torch.tensor(1))
F.cross_entropy(torch.ones(2, 3, 4), torch.zeros(2, 4).long())
F.cross_entropy(torch.ones(0, 3), torch.zeros(0).long())
F.cross_entropy(torch.ones(2, 3), torch.tensor([-1, 0]))
F.mse_loss(torch.ones(2), torch.ones(2, 2)), F.mse_loss(torch.ones(2), torch.ones(2).long())
F.l1_loss(torch.ones(2), torch.zeros(2)), F.mse_loss(torch.ones(0), torch.ones(0))
F.mse_loss(torch.ones(2), torch.ones(3))
F.binary_cross_entropy(torch.tensor([1.5]), torch.tensor([1.]))
F.binary_cross_entropy(torch.tensor([.5]), torch.tensor([[1.]]))
F.dropout(torch.ones(4), 1.5)
nn.Dropout(-0.1)
F.dropout(torch.ones(2).long(), 0.5)
F.relu(torch.tensor([-1, 2])), F.gelu(torch.tensor([1.])), F.leaky_relu(torch.tensor([-1.]))
F.layer_norm(torch.ones(2, 3), [2, 3])
F.layer_norm(torch.ones(2, 3), (2,))
F.layer_norm(torch.ones(2, 3), 3)
nn.Linear(2, 3)(torch.ones(3))
nn.Linear(2, 3)(torch.ones(2).long())
nn.Linear(0, 3)(torch.ones(1, 0)).shape, nn.Linear(2, 0)(torch.ones(2)).shape, F.pad(x, (1, 1), value=2.)
F.pad(torch.ones(2).bool(), (0, 1))
F.pad(x, (1,))
F.normalize(torch.zeros(2))
F.log_softmax(torch.tensor([1000., 0.]), 0), nn.utils.clip_grad_norm_([], 1.0)
nn.utils.clip_grad_norm_([torch.ones(1)], 1.0), nn.utils.rnn.pad_sequence([torch.ones(2), torch.ones(1)])
nn.utils.rnn.pad_sequence([])
nn.utils.rnn.pad_sequence([torch.ones(2, 3), torch.ones(1, 2)])
nn.utils.rnn.pad_sequence([torch.zeros(0, 3), torch.ones(1, 3)]).shape
nn.utils.rnn.pad_sequence(torch.ones(2, 3)).shape

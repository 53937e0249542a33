# What is refused, and by which error: numbers, indices, arguments of another type.
import torch, copy, numpy as np
from torch import nn
import warnings
torch.full((2,), -1, dtype=torch.uint8)
torch.full((2,), float('nan'), dtype=torch.int64)
torch.tensor(np.array([300]), dtype=torch.uint8)
torch.zeros(2, dtype=torch.uint8).fill_(300)
torch.zeros(2, dtype=torch.int64).fill_(float('inf'))
torch.zeros(2, dtype=torch.uint8).fill_(torch.tensor(300))
torch.zeros(2, dtype=torch.int16).masked_fill(torch.tensor([True, False]), 70000)
torch.zeros(2, dtype=torch.int16).add_(70000)
torch.full_like(torch.zeros(2, dtype=torch.uint8), 300)
torch.zeros(1).half().fill_(1e6)
torch.zeros(1).fill_(1e60)
torch.full((1,), 1e60)
torch.tensor([1e60]), torch.zeros(1).half() + 1e6
x = torch.zeros(1, dtype=torch.uint8)
x[0] = 256
x[0] = -300
x[0] = -5
x
x[0] = 3.7
x
x[0] = float('nan')
c = copy.copy(torch.ones(2, requires_grad=True) * 2)
p = torch.ones(2, requires_grad=True)
copy.copy(p).foo
p.grad = torch.ones(2)
def keys(o): return sorted(o.param_groups[0])
w = [nn.Parameter(torch.ones(1))]
w[0].grad = torch.ones(1)
def st(o):
    o.step(); return o.state[w[0]]
st(torch.optim.RMSprop(w, momentum=0.9, centered=True)), st(torch.optim.Adagrad(w))
a = torch.optim.Adam(w)
s = st(a)
sd = a.state_dict()
sd["state"][0]["step"] = 5
a.load_state_dict(sd), a.state[w[0]]["step"], a.step(), a.state_dict()["state"][0]["step"]
from torch.utils.data import default_collate
default_collate([1, 2]), default_collate([np.float32(1)]), default_collate([True, False])
x = torch.arange(6.).reshape(2, 3)
x[torch.tensor(True)], x[np.bool_(True)].shape
y = x.clone()
y[torch.tensor([1, 0], dtype=torch.uint8)] = 7
x.index_select(0, torch.tensor([0.]))
x.gather(1, torch.tensor([[0]], dtype=torch.int32))
x.gather(1, torch.tensor([[-1]]))
x.scatter(1, torch.tensor([[3]]), 1.)
x.take(torch.tensor([-7]))
x.topk(4)
x.topk(-1)
torch.linspace(0, 1, -1)
torch.arange(0, 1, -1)
x.repeat_interleave(-1)
torch.randint(3, (-1,))
x.uniform_(1, 0)
x.normal_(0, -1)
torch.nn.functional.cross_entropy(x, torch.tensor([0, 1]), label_smoothing=2.)
torch.nn.functional.cross_entropy(x, torch.tensor([0, 1]), reduction="what")
torch.nn.functional.cross_entropy(x, torch.tensor([0, 1, 1]))
torch.nn.functional.nll_loss(x, torch.tensor([0, 3]))
torch.nn.functional.mse_loss(x, x, reduction="x")
torch.nn.functional.layer_norm(x, (3,), torch.ones(2))
torch.nn.functional.embedding(torch.tensor([[5]]), x)
torch.nn.functional.softmax(x, 5)
torch.nn.functional.linear(x, torch.ones(2, 2))
torch.nn.functional.pad(x, (1, 1, 1, 1, 1, 1))
nn.Linear(-1, 2)
nn.LayerNorm(3)(torch.ones(2, 2))
nn.Dropout(2.)
nn.Conv1d(2, 3, 1)(torch.ones(1, 3, 4))
torch.optim.SGD(w, lr=-1.)
torch.optim.Adam(w, betas=(1., 0.9))
torch.optim.Adam([])
torch.optim.Adam([torch.ones(1) * torch.ones(1, requires_grad=True)])
torch.optim.Adam(w[0])
torch.optim.Adam([1])
torch.nn.utils.clip_grad_norm_(w, -1.)
x.view(7)
x.unbind(3)
x.flatten(1, 0)
x.movedim(0, 3)
x.diagonal(0, 0, 0)
x.backward("a")
x.requires_grad_("a")
x.copy_("a")
x.fill_("a")
x.add_("a")
x + "a"
x + None
x + [1]
x * (1, 2, 3)
x @ [1]
x.sum(1.5)
x.view("a")
x.reshape(1.5, 2)
x.transpose(0)
x.permute("a")
x.masked_fill(1, 2)
x.where(1, 2)
torch.cat(1)
torch.cat([1, 2])
torch.cat(None)
torch.stack([1])
torch.matmul(x, 1)
torch.ones("a", 2)
torch.ones(2, dtype="a")
torch.manual_seed("a")
torch.exp("a")
torch.exp(1)
nn.Linear(2, 3)("a")
nn.Module()(1)
nn.Sequential(1)
nn.ModuleList([1])
nn.Parameter(1)
nn.Parameter([1.])
import torch
x = torch.arange(6.).reshape(2, 3)
x.index_add(0, torch.tensor([2]), torch.ones(1, 3))
x.index_add(0, torch.tensor([-1]), torch.ones(1, 3))
x.index_copy(0, torch.tensor([2]), torch.ones(1, 3))
x.index_copy(0, torch.tensor([-1]), torch.ones(1, 3))
x.index_add(0, torch.tensor([0.]), torch.ones(1, 3))
x.index_add(0, torch.tensor([0, 1]), torch.ones(1, 3))
x.index_add(0, torch.tensor([0, 1]), torch.ones(2, 2))
torch.tensor(3.).index_add(0, torch.tensor([0]), torch.ones(1))
x.scatter(0, torch.tensor([[0]], dtype=torch.int32), 1.)
x.scatter(0, torch.tensor([[-1]]), 1.)
x.repeat_interleave(1.5)
x.uniform_(float('nan'), 1)
x.exponential_(-1)
x.bernoulli_(2)
x.random_(5, 5)
x.random_(-3)
torch.zeros(3).long().random_(3).max() < 3
torch.zeros(3).long().uniform_()
torch.zeros(3).long().normal_()
torch.zeros(3).bool().bernoulli_().dtype, torch.randint(0, 10, (2,)).dtype
torch.randperm(3).dtype, torch.randperm(0), torch.rand(0).shape
torch.randperm(3, dtype=torch.int32).dtype
torch.randperm(-1)
torch.randn(2, dtype=torch.bool)
torch.rand_like(torch.ones(2).long())
torch.multinomial(torch.ones(3), 2).dtype, torch.bernoulli(torch.ones(2)).dtype
torch.normal(torch.zeros(2), torch.ones(2)).shape, torch.normal(torch.zeros(2), 1.0).shape

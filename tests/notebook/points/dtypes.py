# Narrow whole numbers beside the others: what they hold, how they wrap, what becomes of two of them.
import torch, torch.nn.functional as F, numpy as np, copy
u = torch.tensor([0, 1, 200, 255], dtype=torch.uint8)
i = torch.tensor([-128, -1, 0, 127], dtype=torch.int8)
s = torch.tensor([-32768, -1, 0, 32767], dtype=torch.int16)
n = torch.tensor([-3, 2, 0, 7], dtype=torch.int32)
m = torch.tensor([True, False, True, True])
f = torch.tensor([-1.5, 0.0, 2.5, 300.0])
[t.element_size() for t in (u, i, s, n, m, f)]
[t.type() for t in (u, i, s, n, m)]
[repr(t.dtype) for t in (u, i, s, n, m)]
torch.ByteTensor([1, 2]), torch.CharTensor([-1]), torch.ShortTensor([3]), torch.IntTensor([4])
torch.ByteTensor(2).shape, torch.ShortTensor(2, 3).dtype
isinstance(u, torch.ByteTensor), isinstance(u, torch.CharTensor), isinstance(s, torch.ShortTensor)
i.abs()
s.abs()
u // torch.tensor([1, 0, 2, 3])
f << 1
u.sum(), i.sum(), s.sum(), u.prod()
u.sum(dtype=torch.uint8), i.cumsum(0), u.cumsum(0, dtype=torch.float32)
u.mean()
i.sqrt(), u.exp().dtype, s.sigmoid().dtype
torch.tensor(300, dtype=torch.uint8)
torch.tensor(200, dtype=torch.int8)
torch.zeros(2, dtype=torch.uint8), torch.ones(2, dtype=torch.int16), torch.full((2,), 9, dtype=torch.int8)
torch.arange(3, dtype=torch.uint8), torch.arange(-2, 2, dtype=torch.int16), torch.eye(2, dtype=torch.int8)
torch.zeros_like(u), torch.ones_like(i, dtype=torch.int16), u.new_zeros(2), i.new_tensor([5])
torch.randint(0, 5, (3,), dtype=torch.uint8).dtype, torch.randperm(4, dtype=torch.int16).dtype
torch.rand(2, dtype=torch.uint8)
torch.tensor([1, 2], dtype=torch.uint8, requires_grad=True)
w = u.clone()
w += 1
w
w.add_(250)
w.mul_(2)
w.fill_(7)
w[0] = 300
w[1:] = torch.tensor([1, 2, 300])
w.masked_fill(m, 300)
w.masked_fill(m, -1)
w.fill_(-7)
torch.full((2,), 256, dtype=torch.uint8)
torch.tensor([1, -300], dtype=torch.uint8)
w
w.div_(2)
w += 0.5
u.view(2, 2).t(), i[1:3], s[s > 0], u[torch.tensor([0, 3])]
torch.cat([u, u]).dtype, torch.stack([i, i]).dtype, torch.cat([u, i]), torch.cat([s, f]).dtype
torch.where(m, u, u + 1), torch.where(m, i, 0)
torch.result_type(u, i), torch.result_type(u, 1), torch.result_type(i, 1.0), torch.result_type(s, m)
torch.promote_types(torch.uint8, torch.int8), torch.promote_types(torch.int16, torch.float16)
torch.can_cast(torch.int8, torch.float32), torch.can_cast(torch.float32, torch.int8)
torch.iinfo(torch.uint8).max, torch.iinfo(torch.int8).min, torch.iinfo(torch.int16).bits, torch.iinfo(torch.int64).max
torch.iinfo(torch.float32)
torch.finfo(torch.int8)
torch.from_numpy(np.array([1, 255], dtype=np.uint8)), torch.from_numpy(np.int16([-5])), torch.tensor(np.int8([1, -1]))
np.array(u).dtype, u.tolist(), i[0].item(), int(u[3]), float(s[0]), bool(i[2])
u.sort(), i.argmax(), s.topk(2).values, torch.unique(torch.tensor([3, 1, 3], dtype=torch.uint8))
u.clamp(1, 200), i.clamp(min=0), torch.maximum(i, i + 1), u.clip(max=5)
F.one_hot(torch.tensor([0, 1])).byte()
torch.equal(u, u.clone()), (u == u).all(), torch.allclose(i, i)
u.repeat(2), i.flip(0), s.roll(1), u.expand(2, 4).sum(0)
copy.deepcopy(u), u.clone().dtype, u.detach().dtype, u.type(torch.int16).dtype, u.type_as(f).dtype
f * m.byte(), f.masked_fill(m, 0), m.sum(), m.byte().any()
(f > 0).byte(), torch.ones(2, 2, dtype=torch.uint8).triu(1)
narrow = torch.tensor([1.0, 2.0], dtype=torch.half, requires_grad=True)
(narrow.float() * 0.1234567).sum().backward()
narrow.grad
narrow.grad = None
seen = []
middle = narrow * 1
handle = middle.register_hook(seen.append)
(middle.float() * 0.1234567).sum().backward()
narrow.grad = None
(narrow * torch.tensor([0.1234567, 3.3])).sum().backward()
narrow.grad
narrow.grad = None
(torch.tensor([0.1234567, 3.3]) / narrow).sum().backward()
narrow.grad
brief = torch.tensor([1.0, 2.0], dtype=torch.bfloat16, requires_grad=True)
torch.cat([brief, torch.ones(1)]).mul(0.1234567).sum().backward()
brief.grad
(brief.float() * 0.1234567).sum().backward()
brief.grad
(brief + brief.detach().half()).mul(0.1234567).sum().backward()
brief.grad
# A gradient of a narrow float is one, too, whoever looks: 0.1234567 is 0.12347412109375 as a half
def beyond(g): return g.dtype, (g.float() - 0.1234567).mul(1e4)
def again(x): x.grad = None; return x
(again(narrow) * 0.1234567).sum().backward(); beyond(narrow.grad)
beyond(torch.autograd.grad((narrow * 0.1234567).sum(), narrow)[0]), beyond(torch.autograd.grad((brief * 0.1234567).sum(), brief)[0])
handle = narrow.register_hook(lambda g: seen.append(beyond(g))); seen.clear()
(again(narrow) * 0.1234567).sum().backward(); handle.remove(); seen, beyond(narrow.grad)
(again(narrow) * 0.1234567).sum().backward(create_graph=True); beyond(narrow.grad.detach())
(again(brief) * 0.1234567).sum().backward(); beyond(brief.grad)
(again(brief).exp() * 0.1).sum().backward(); beyond(brief.grad)
middle = again(narrow) * 1; middle.retain_grad(); (middle * 0.1234567).sum().backward(); beyond(middle.grad), beyond(narrow.grad)
class Looks(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x * 2
    @staticmethod
    def backward(ctx, dy): seen.append(beyond(dy)); return dy
seen.clear(); (Looks.apply(again(narrow)) * 0.1234567).sum().backward(); seen, beyond(narrow.grad)
(again(narrow) * 0.1234567).sum().backward(); (narrow * 0.1234567).sum().backward(); beyond(narrow.grad / 2)
torch.tensor([3, 1, -1], dtype=torch.int8) ** 200
torch.tensor([44, 1, 255], dtype=torch.uint8) ** 256

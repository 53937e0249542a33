# NumPy's names of arguments, Python's types as dtypes, and what else goes by several names.
import torch, numpy as np
x = torch.tensor([[1.0, -2.5, 3.5], [4.0, 5.0, -6.0]], requires_grad=True)
i = torch.tensor([[1, -2, 3], [4, 5, -6]])
x.sum(axis=1)
x.sum(axis=0, keepdims=True)
x.sum(1, keepdims=True)
torch.sum(x, axis=1)
torch.sum(input=x, dim=0)
torch.sum(i, dtype=torch.float32)
i.sum(dtype=int)
x.mean(axis=(0, 1))
torch.mean(x, 0, keepdims=True)
x.var(axis=0)
torch.std(x, axis=1, keepdims=True)
x.max(axis=1)
x.max(axis=1, keepdims=True).values
x.min(axis=0).indices
x.argmax(axis=1)
torch.argmin(x, axis=0, keepdims=True)
torch.argmax(input=x, dim=1)
x.amax(axis=(0, 1))
x.softmax(axis=1)
torch.softmax(x, axis=0)
torch.log_softmax(x, axis=1)
x.cumsum(axis=0)
torch.cat([x, x], axis=1)
torch.cat(tensors=(x, x), dim=0)
torch.stack([x, x], axis=1).shape
x.unsqueeze(axis=0).shape
x.unsqueeze(0).squeeze(axis=0)
x.unbind(axis=1)
x.any(axis=1)
(x > 0).all(axis=0, keepdims=True)
x.sort(axis=1).values
x.topk(2, axis=1).indices
x.argsort(axis=0)
torch.split(x, 1, 1)
torch.exp(input=x)
torch.add(x, other=2)
torch.mul(input=x, other=x)
torch.matmul(input=x, other=x.T)
torch.exp(torch.zeros(2), out=torch.ones(2))
out = torch.zeros(3)
torch.sum(torch.ones(2, 3), 0, out=out) is out
out
torch.add(torch.ones(3), 1, out=out)
torch.zeros(2, dtype=int)
torch.ones(2, 2, dtype=bool)
torch.tensor([1.7, 0.0]).to(int)
torch.tensor([1.7, 0.0]).to(dtype=bool)
torch.tensor([2, 0], dtype=bool)
torch.arange(3.7, dtype=int)
torch.full((2,), 7, dtype=torch.float32)
x.type(torch.LongTensor)
i.type(torch.FloatTensor)
i.type("torch.FloatTensor")
i.type(torch.float16)
x.type()
i.type(torch.BoolTensor).type()
isinstance(x, torch.FloatTensor), isinstance(x, torch.LongTensor)
abs(x)
abs(i)
x.round()
torch.round(torch.tensor([0.5, 1.5, 2.567]))
torch.round(torch.tensor([0.5, 1.5, 2.567]), decimals=2)
torch.tensor([1234.5]).round(decimals=-2)
x.T
torch.arange(24.0).view(2, 3, 4).mT.shape
torch.ones(2, 3, 4).T.shape
torch.ones(3).mT
x.H.shape
x.to("cpu", torch.float16).dtype
x.to(i).dtype
x.to(dtype=torch.int64, device="cpu", non_blocking=True)
x.to(x.dtype) is x
x.to(torch.float32, copy=True) is x
x.new_zeros(2, 3).shape
x.new_zeros((2,), dtype=torch.int64)
i.new_full((2,), 3)
x.new_tensor([1, 2])
i.new_ones(2)
torch.zeros_like(x, dtype=torch.int32)
torch.ones_like(input=i)
torch.full_like(x, 2.0, dtype=int)
torch.asarray([1, 2])
torch.linspace(0, 1, steps=5)
torch.linspace(start=-1, end=1, steps=3)
torch.eye(2, dtype=int)
torch.swapdims(x, 0, 1).shape
torch.addmm(torch.ones(2, 2), x, x.T, alpha=2)
torch.concatenate((x, x)) if hasattr(torch, "concatenate") else torch.cat((x, x))
x.nbytes if hasattr(x, "nbytes") else 24
x.sum(axis=5)
x.sum(axes=1)
torch.zeros(2, flavour=3)

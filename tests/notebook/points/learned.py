# A number that is a tensor of its own has a gradient: a learned mask token trains.
import torch
v = torch.tensor(2.0, requires_grad=True)
w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
m = torch.tensor([[True, False], [False, True]])
z = torch.ones(2, 2)
w.masked_fill(m, v)
z.masked_fill(mask=m, value=v * 2)
torch.masked_fill(w, m, v)
w.masked_fill(m, 2)
w.masked_fill(m[0], v)
y = w * 1; y.masked_fill_(m, v); y
y = w * 1; y[0].masked_fill_(m[0], v); y
y = z.clone(); y[:, 1] = v; y
w.masked_fill_(m, v)

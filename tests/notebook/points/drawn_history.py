# What is drawn in place has no gradient of what was there; a leaf that requires one refuses it.
import torch, torch.nn as nn
w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
def drawn(change):
    y = w * 2
    change(y)
    return y
drawn(lambda y: y.normal_(3, 0))
drawn(lambda y: y.uniform_(2, 2))
drawn(lambda y: y.bernoulli_(1.0))
drawn(lambda y: y.random_(1, 2))
drawn(lambda y: y.exponential_().mul_(0))
drawn(lambda y: y[0].normal_(3, 0))
drawn(lambda y: y.t()[1].uniform_(2, 2))
w.normal_()
w[0].uniform_()
w.bernoulli_(0.5)
with torch.no_grad(): w.uniform_(2, 2), w[0].normal_(3, 0)
w, nn.init.normal_(w, 1, 0), nn.init.uniform_(w[0], 2, 2), w, w.is_leaf

# A small network trained in the ways that notebooks train: each line of output is a number that both
# engines must come to, from the same start.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_printoptions(precision=3)


def start():
    net = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.LayerNorm(5), nn.Linear(5, 2))
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(((torch.arange(p.numel()) * 7 + i * 3) % 11 - 5).float().view(p.shape) / 10)
    return net


x = ((torch.arange(24) * 5) % 13 - 6).float().view(8, 3) / 6
labels = (x.sum(dim=1) > 0).long()
optimizers = {
    "SGD": lambda p: torch.optim.SGD(p, lr=0.1),
    "momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.01),
    "Nesterov": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True),
    "Adam": lambda p: torch.optim.Adam(p, lr=0.01, weight_decay=0.1),
    "AdamW": lambda p: torch.optim.AdamW(p, lr=0.01, betas=(0.8, 0.9)),
}
for name, make in optimizers.items():
    net = start()
    optimizer = make(net.parameters())
    for step in range(20):
        loss = nn.CrossEntropyLoss()(net(x), labels)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()
    print(name, f"{loss.item():.3f} {norm.item():.3f}", net[0].weight.data)

net = start()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 / (step + 1))
cosine = torch.optim.lr_scheduler.CosineAnnealingLR(torch.optim.SGD(net.parameters(), lr=1.0), 8)
for a, b in DataLoader(TensorDataset(x, labels), batch_size=3):
    loss = F.cross_entropy(net(a), b)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step(), scheduler.step(), cosine.optimizer.step(), cosine.step()
    print(a.shape, b, [f"{lr:.4f}" for lr in scheduler.get_last_lr() + cosine.get_last_lr()])

other = start()
print(other.load_state_dict(net.state_dict()), torch.equal(other(x), net(x)))
print(list(net.state_dict()), [n for n, _ in net.named_modules()])
try:
    other.load_state_dict({"0.weight": torch.zeros(1)})
except RuntimeError as error:
    print(error)
print((net(x).argmax(dim=-1) == labels).float().mean())

# Like a script with several models of characters, a loader and its own sampler.
import argparse, math, os, tempfile
from dataclasses import dataclass
import torch
import torch.nn as nn
from torch.nn import functional as F
from torch.utils.data import Dataset
from torch.utils.data.dataloader import DataLoader
from filled import filled

class Bag(nn.Module):
    """The mean of earlier positions, by a mask."""
    def __init__(self, vocab, width, block):
        super().__init__()
        self.wte, self.head = nn.Embedding(vocab, width), nn.Linear(width, vocab)
        self.register_buffer("bias", torch.tril(torch.ones(block, block)).view(1, block, block))
    def forward(self, idx):
        T = idx.size(1)
        x = self.wte(idx)
        att = torch.zeros((idx.size(0), T, T)).masked_fill(self.bias[:, :T, :T] == 0, float("-inf"))
        return self.head(torch.tanh(F.softmax(att, dim=-1) @ x) + x)

class MLP(nn.Module):
    """The last characters side by side, shifted in by roll."""
    def __init__(self, vocab, width, block):
        super().__init__()
        self.wte, self.block, self.vocab = nn.Embedding(vocab + 1, width), block, vocab
        self.mlp = nn.Sequential(nn.Linear(block * width, 2 * width), nn.Tanh(), nn.Linear(2 * width, vocab))
    def forward(self, idx):
        embs = []
        for k in range(self.block):
            embs.append(self.wte(idx))
            idx = torch.roll(idx, 1, 1)
            idx[:, 0] = self.vocab
        return self.mlp(torch.cat(embs, -1))

class RNN(nn.Module):
    """A cell, and a loop."""
    def __init__(self, vocab, width, block):
        super().__init__()
        self.start = nn.Parameter(torch.zeros(1, width))
        self.wte, self.xh_to_h, self.head = nn.Embedding(vocab, width), nn.Linear(2 * width, width), nn.Linear(width, vocab)
    def forward(self, idx):
        h, hs = self.start.expand((idx.size(0), -1)), []
        for i, xt in enumerate(self.wte(idx).unbind(1)):
            h = F.tanh(self.xh_to_h(torch.cat([xt, h], 1)))
            hs.append(h)
        return self.head(torch.stack(hs, 1))

class Bigram(nn.Module):
    def __init__(self, vocab, width, block):
        super().__init__()
        self.logits = nn.Parameter(torch.zeros((vocab, vocab)))
    def forward(self, idx): return self.logits[idx]

class Words(Dataset):
    def __init__(self, words, stoi, longest): self.words, self.stoi, self.longest = words, stoi, longest
    def __len__(self): return len(self.words)
    def __getitem__(self, i):
        ix = torch.tensor([self.stoi[c] for c in self.words[i]], dtype=torch.long)
        x, y = torch.zeros(self.longest + 1, dtype=torch.long), torch.zeros(self.longest + 1, dtype=torch.long)
        x[1 : 1 + len(ix)] = ix
        y[: len(ix)] = ix
        y[len(ix) + 1 :] = -1
        return x, y

class Forever:
    def __init__(self, dataset, **kwargs):
        sampler = torch.utils.data.RandomSampler(dataset, replacement=True, num_samples=int(1e3))
        self.loader = DataLoader(dataset, sampler=sampler, **kwargs)
        self.data = iter(self.loader)
    def next(self):
        try: return next(self.data)
        except StopIteration: self.data = iter(self.loader)
        return next(self.data)

words = "emma olivia ava isabella sophia mia amelia".split()
stoi = {c: i + 1 for i, c in enumerate(sorted(set("".join(words))))}
dataset = Words(words, stoi, max(map(len, words)))
torch.manual_seed(3407)
torch.cuda.manual_seed_all(3407)
print([t.shape for t in Forever(dataset, batch_size=4, pin_memory=True, num_workers=0).next()])
batch = next(iter(DataLoader(dataset, batch_size=4, shuffle=False)))
for kind in (Bag, MLP, RNN, Bigram):
    model = filled(kind(len(stoi) + 1, 8, dataset.longest + 1)).to("cpu")
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-2, weight_decay=0.01, betas=(0.9, 0.99), eps=1e-8)
    for step in range(4):
        X, Y = [t.to("cpu") for t in batch]
        logits = model(X)
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), Y.view(-1), ignore_index=-1)
        model.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    path = os.path.join(tempfile.mkdtemp(), "model.pt")
    torch.save(model.state_dict(), path)
    model.load_state_dict(torch.load(path))
    with torch.inference_mode():
        model.eval()
        probs = F.softmax(model(X)[:, -1, :], dim=-1)
        _, best = torch.topk(probs, k=1, dim=-1)
    print(kind.__name__, f"{loss.item():.4f}", best.flatten().tolist())

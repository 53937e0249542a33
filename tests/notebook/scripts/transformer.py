# Like an annotated Transformer: clones, a mask of later positions, label smoothing by
# KLDivLoss and scatter, a schedule by LambdaLR, and the imports that go with them.
import copy, math, time, warnings
import torch
import torch.nn as nn
from torch.nn.functional import log_softmax, pad
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel as DDP
from filled import filled, text
warnings.filterwarnings("ignore")
def clones(module, N): return nn.ModuleList([copy.deepcopy(module) for _ in range(N)])
def subsequent_mask(size): return torch.triu(torch.ones(1, size, size), diagonal=1).type(torch.uint8) == 0
class LayerNorm(nn.Module):
    def __init__(self, features, eps=1e-6):
        super(LayerNorm, self).__init__()
        self.a_2, self.b_2, self.eps = nn.Parameter(torch.ones(features)), nn.Parameter(torch.zeros(features)), eps
    def forward(self, x):
        return self.a_2 * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + self.eps) + self.b_2
class Attention(nn.Module):
    def __init__(self, h, d):
        super().__init__()
        self.h, self.d_k, self.linears = h, d // h, clones(nn.Linear(d, d), 4)
    def forward(self, query, key, value, mask=None):
        n = query.size(0)
        q, k, v = [lin(x).view(n, -1, self.h, self.d_k).transpose(1, 2) for lin, x in zip(self.linears, (query, key, value))]
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.d_k)
        if mask is not None: scores = scores.masked_fill(mask.unsqueeze(1) == 0, -1e9)
        x = torch.matmul(scores.softmax(dim=-1), v)
        return self.linears[-1](x.transpose(1, 2).contiguous().view(n, -1, self.h * self.d_k))
class Positions(nn.Module):
    def __init__(self, d, max_len=50):
        super().__init__()
        pe = torch.zeros(max_len, d)
        position = torch.arange(0, max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d, 2) * -(math.log(10000.0) / d))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0))
    def forward(self, x): return x + self.pe[:, : x.size(1)].requires_grad_(False)
class Net(nn.Module):
    def __init__(self, vocab, d=16):
        super().__init__()
        self.embed, self.positions, self.d = nn.Embedding(vocab, d), Positions(d), d
        self.self_attn, self.src_attn, self.norms = Attention(4, d), Attention(4, d), clones(LayerNorm(d), 3)
        self.feed, self.proj = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, d)), nn.Linear(d, vocab)
    def forward(self, src, tgt, src_mask, tgt_mask):
        memory = self.positions(self.embed(src) * math.sqrt(self.d))
        x = self.positions(self.embed(tgt) * math.sqrt(self.d))
        x = x + self.self_attn(*[self.norms[0](x)] * 3, tgt_mask)
        x = x + self.src_attn(self.norms[1](x), memory, memory, src_mask)
        return log_softmax(self.proj(self.norms[2](x + self.feed(x))), dim=-1)
class LabelSmoothing(nn.Module):
    def __init__(self, size, padding_idx, smoothing=0.0):
        super().__init__()
        self.criterion = nn.KLDivLoss(reduction="sum")
        self.padding_idx, self.smoothing, self.size = padding_idx, smoothing, size
    def forward(self, x, target):
        true_dist = x.data.clone()
        true_dist.fill_(self.smoothing / (self.size - 2))
        true_dist.scatter_(1, target.data.unsqueeze(1), 1.0 - self.smoothing)
        true_dist[:, self.padding_idx] = 0
        mask = torch.nonzero(target.data == self.padding_idx)
        if mask.dim() > 0: true_dist.index_fill_(0, mask.squeeze(), 0.0)
        return self.criterion(x, true_dist.clone().detach())
print(subsequent_mask(3), LabelSmoothing(5, 0, 0.4)(torch.tensor([[0.0, 0.2, 0.7, 0.1, 0.0]]).add(0.1).log(), torch.tensor([2])))
V = 11
model, criterion = filled(Net(V)), LabelSmoothing(V, 0, 0.1)
for p in model.parameters():
    if p.dim() > 1: nn.init.xavier_uniform_(p)
filled(model)
optimizer = torch.optim.Adam(model.parameters(), lr=0.5, betas=(0.9, 0.98), eps=1e-9)
scheduler = LambdaLR(optimizer=optimizer, lr_lambda=lambda step: 16**-0.5 * min(max(step, 1)**-0.5, max(step, 1) * 10**-1.5))
data = (text(60, V - 1) + 1).view(6, 10).requires_grad_(False).clone().detach()
data[:, 0] = 1
for step in range(5):
    src, tgt, tgt_y = data, data[:, :-1], data[:, 1:]
    tgt_mask = (tgt != 0).unsqueeze(-2) & subsequent_mask(tgt.size(-1)).type_as((tgt != 0).data)
    out = model(src, tgt, (src != 0).unsqueeze(-2), tgt_mask)
    loss = criterion(out.contiguous().view(-1, V), tgt_y.contiguous().view(-1)) / (tgt_y != 0).data.sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    scheduler.step()
    print(f"{loss.item():.4f} {optimizer.param_groups[0]['lr']:.5f}")
model.eval()
ys = torch.zeros(1, 1).fill_(1).type_as(data)
for i in range(5):
    out = model(data[:1], ys, torch.ones(1, 1, 10), subsequent_mask(ys.size(1)).type_as(data))
    _, word = torch.max(out[:, -1], dim=1)
    ys = torch.cat([ys, torch.zeros(1, 1).type_as(data.data).fill_(word.data[0])], dim=1)
print(ys, pad(torch.tensor([1, 2]), (0, 3), value=9))

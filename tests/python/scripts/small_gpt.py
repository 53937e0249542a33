# Like a small GPT's model, its training script and its sampler, in one file.
import math
from dataclasses import dataclass
import torch
import torch.nn as nn
from torch.nn import functional as F
from filled import filled

@dataclass
class Config:
    block_size: int = 8
    vocab_size: int = 12
    n_layer: int = 2
    n_head: int = 2
    n_embd: int = 16

class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.ln_1, self.ln_2, self.n_head = nn.LayerNorm(c.n_embd), nn.LayerNorm(c.n_embd), c.n_head
        self.c_attn, self.c_proj = nn.Linear(c.n_embd, 3 * c.n_embd), nn.Linear(c.n_embd, c.n_embd)
        self.mlp = nn.ModuleDict(dict(fc=nn.Linear(c.n_embd, 4 * c.n_embd), proj=nn.Linear(4 * c.n_embd, c.n_embd)))
        self.register_buffer("mask", torch.tril(torch.ones(c.block_size, c.block_size)).view(1, 1, c.block_size, c.block_size))
    def attend(self, x):
        B, T, C = x.size()
        q, k, v = (y.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for y in self.c_attn(x).split(C, dim=2))
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        if hasattr(F, "scaled_dot_product_attention"):
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=True)
        else:
            y = F.softmax(att.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf")), dim=-1) @ v
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))
    def forward(self, x):
        x = x + self.attend(self.ln_1(x))
        return x + self.mlp.proj(F.gelu(self.mlp.fc(self.ln_2(x))))

class GPT(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.block_size = c.block_size
        self.transformer = nn.ModuleDict(dict(
            wte=nn.Embedding(c.vocab_size, c.n_embd), wpe=nn.Embedding(c.block_size, c.n_embd),
            h=nn.ModuleList([Block(c) for _ in range(c.n_layer)]), ln_f=nn.LayerNorm(c.n_embd)))
        self.lm_head = nn.Linear(c.n_embd, c.vocab_size, bias=False)
        self.transformer.wte.weight = self.lm_head.weight
        self.apply(lambda m: isinstance(m, nn.Linear) and m.bias is not None and torch.nn.init.zeros_(m.bias))
        for name, p in self.named_parameters():
            if name.endswith("c_proj.weight"):
                torch.nn.init.normal_(p, mean=0.0, std=0.02 / math.sqrt(2 * c.n_layer))
    def forward(self, idx, targets=None):
        x = self.transformer.wte(idx) + self.transformer.wpe(torch.arange(0, idx.size(1), dtype=torch.long, device=idx.device))
        for block in self.transformer.h: x = block(x)
        x = self.transformer.ln_f(x)
        if targets is None: return self.lm_head(x[:, [-1], :]), None
        logits = self.lm_head(x)
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
    def configure(self, decay, lr, betas):
        groups = [{"params": [p for p in self.parameters() if p.dim() >= 2], "weight_decay": decay},
            {"params": [p for p in self.parameters() if p.dim() < 2], "weight_decay": 0.0}]
        return torch.optim.AdamW(groups, lr=lr, betas=betas)
    @torch.no_grad()
    def generate(self, idx, n, top_k):
        for _ in range(n):
            logits = self(idx[:, -self.block_size:])[0][:, -1, :] / 0.8
            v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
            logits[logits < v[:, [-1]]] = -float("Inf")
            idx = torch.cat((idx, torch.multinomial(F.softmax(logits, dim=-1), num_samples=1)), dim=1)
        return idx

data = torch.tensor([(i * i + i // 5) % 12 for i in range(400)])
model = filled(GPT(Config()))
optimizer = model.configure(0.1, 1e-2, (0.9, 0.95))
print(sum(p.numel() for p in model.parameters()), [len(g["params"]) for g in optimizer.param_groups])
for it in range(6):
    x, y = (torch.stack([data[i + at : i + at + 8] for i in range(it * 37, it * 37 + 4)]) for at in (0, 1))
    for group in optimizer.param_groups: group["lr"] = 1e-2 * min(1, (it + 1) / 3)
    logits, loss = model(x, y)
    (loss / 2).backward()
    if it % 2:
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    print(it, f"{loss.item():.4f}")
again = GPT(Config())
again.load_state_dict(model.state_dict())
again.eval()
print(torch.allclose(again(x)[0], model(x)[0]))
print(again.generate(torch.zeros((1, 1), dtype=torch.long), 10, top_k=1)[0].tolist())

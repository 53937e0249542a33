# Like a small GPT's model, its training script and its sampler, in one file.
import inspect, math, os, tempfile, time
from contextlib import nullcontext
from dataclasses import dataclass
import numpy as np
import torch
import torch.nn as nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.distributed import init_process_group, destroy_process_group
from filled import filled

@dataclass
class Config:
    block_size: int = 8
    vocab_size: int = 12
    n_layer: int = 2
    n_head: int = 2
    n_embd: int = 16
    dropout: float = 0.0
    bias: bool = True

class LayerNorm(nn.Module):
    def __init__(self, ndim, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(ndim))
        self.bias = nn.Parameter(torch.zeros(ndim)) if bias else None
    def forward(self, x): return F.layer_norm(x, self.weight.shape, self.weight, self.bias, 1e-5)

class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(c.n_embd, 3 * c.n_embd, bias=c.bias), nn.Linear(c.n_embd, c.n_embd)
        self.n_head, self.flash = c.n_head, hasattr(torch.nn.functional, "scaled_dot_product_attention")
        self.register_buffer("mask", torch.tril(torch.ones(c.block_size, c.block_size)).view(1, 1, c.block_size, c.block_size))
    def forward(self, x):
        B, T, C = x.size()
        q, k, v = (y.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for y in self.c_attn(x).split(C, dim=2))
        if self.flash:
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=True)
        else:
            att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            y = F.softmax(att.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf")), dim=-1) @ v
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))

class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.ln_1, self.attn, self.ln_2 = LayerNorm(c.n_embd, c.bias), Attention(c), LayerNorm(c.n_embd, c.bias)
        self.mlp = nn.ModuleDict(dict(fc=nn.Linear(c.n_embd, 4 * c.n_embd), proj=nn.Linear(4 * c.n_embd, c.n_embd)))
    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp.proj(F.gelu(self.mlp.fc(self.ln_2(x))))

class GPT(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.config = c
        self.transformer = nn.ModuleDict(dict(
            wte=nn.Embedding(c.vocab_size, c.n_embd), wpe=nn.Embedding(c.block_size, c.n_embd),
            drop=nn.Dropout(c.dropout), h=nn.ModuleList([Block(c) for _ in range(c.n_layer)]),
            ln_f=LayerNorm(c.n_embd, bias=c.bias)))
        self.lm_head = nn.Linear(c.n_embd, c.vocab_size, bias=False)
        self.transformer.wte.weight = self.lm_head.weight
        self.apply(self._init_weights)
        for name, p in self.named_parameters():
            if name.endswith("c_proj.weight"):
                torch.nn.init.normal_(p, mean=0.0, std=0.02 / math.sqrt(2 * c.n_layer))
    def _init_weights(self, module):
        if isinstance(module, nn.Linear) and module.bias is not None: torch.nn.init.zeros_(module.bias)
        if isinstance(module, nn.Embedding): torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
    def forward(self, idx, targets=None):
        b, t = idx.size()
        pos = torch.arange(0, t, dtype=torch.long, device=idx.device)
        x = self.transformer.drop(self.transformer.wte(idx) + self.transformer.wpe(pos))
        for block in self.transformer.h: x = block(x)
        x = self.transformer.ln_f(x)
        if targets is None: return self.lm_head(x[:, [-1], :]), None
        logits = self.lm_head(x)
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
    def configure(self, decay, lr, betas, device_type):
        params = {n: p for n, p in self.named_parameters() if p.requires_grad}
        groups = [{"params": [p for p in params.values() if p.dim() >= 2], "weight_decay": decay},
                  {"params": [p for p in params.values() if p.dim() < 2], "weight_decay": 0.0}]
        fused = "fused" in inspect.signature(torch.optim.AdamW).parameters and device_type == "cuda"
        return torch.optim.AdamW(groups, lr=lr, betas=betas, **(dict(fused=True) if fused else dict()))
    @torch.no_grad()
    def generate(self, idx, n, top_k=None):
        for _ in range(n):
            logits, _ = self(idx[:, -self.config.block_size:])
            logits = logits[:, -1, :] / 0.8
            if top_k is not None:
                v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
                logits[logits < v[:, [-1]]] = -float("Inf")
            idx = torch.cat((idx, torch.multinomial(F.softmax(logits, dim=-1), num_samples=1)), dim=1)
        return idx

folder = tempfile.mkdtemp()
np.array([(i * i + i // 5) % 12 for i in range(400)], dtype=np.uint16).tofile(os.path.join(folder, "train.bin"))
ddp = int(os.environ.get("RANK", -1)) != -1
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(1337)
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
device_type = "cuda" if "cuda" in device else "cpu"
ptdtype = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}["float32"]
ctx = nullcontext() if device_type == "cpu" else torch.amp.autocast(device_type=device_type, dtype=ptdtype)
data = np.memmap(os.path.join(folder, "train.bin"), dtype=np.uint16, mode="r")
model = filled(GPT(Config()).to(device))
scaler = torch.cuda.amp.GradScaler(enabled=False)
optimizer = model.configure(0.1, 1e-2, (0.9, 0.95), device_type)
print(sum(p.numel() for p in model.parameters()), [len(g["params"]) for g in optimizer.param_groups])
for it in range(6):
    ix = [(it * 37 + k * 53) % (len(data) - 8) for k in range(4)]
    x = torch.stack([torch.from_numpy(data[i : i + 8].astype(np.int64)) for i in ix])
    y = torch.stack([torch.from_numpy(data[i + 1 : i + 9].astype(np.int64)) for i in ix]).to(device)
    for group in optimizer.param_groups: group["lr"] = 1e-2 * min(1, (it + 1) / 3)
    with ctx: logits, loss = model(x, y)
    scaler.scale(loss / 2).backward()
    if it % 2:
        scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
    print(it, f"{loss.item():.4f}")
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "iter_num": 6}, os.path.join(folder, "ckpt.pt"))
checkpoint = torch.load(os.path.join(folder, "ckpt.pt"), map_location=device)
again = GPT(Config())
again.load_state_dict(checkpoint["model"])
again.eval()
print(torch.allclose(again(x)[0], model(x)[0]), checkpoint["iter_num"])
print(again.generate(torch.zeros((1, 1), dtype=torch.long), 10, top_k=1)[0].tolist())

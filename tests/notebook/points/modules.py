# Modules that scripts import: they exist, and refuse unsupported uses.
import os, math, warnings
import torch, torch.nn as nn, torch.nn.functional as F
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.backends.cudnn as cudnn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.nn.parallel import DataParallel
from torch.utils.data.distributed import DistributedSampler
from torch.utils.data.dataloader import DataLoader
from torch.utils.data.dataset import Dataset, Subset, random_split
from torch.utils.data.sampler import RandomSampler
from torch.nn.parameter import Parameter
from torch.nn.modules.module import Module
from torch.nn.modules.loss import CrossEntropyLoss
from torch.nn.modules import LayerNorm
from torch.nn.utils.clip_grad import clip_grad_norm_
from torch.optim.optimizer import Optimizer
from torch.optim.lr_scheduler import LambdaLR
from torch.autograd import Variable, Function, gradcheck
from torch.autograd.function import once_differentiable
from torch.autograd.functional import jacobian, vjp
from torch.cuda.amp import GradScaler, autocast
import torch.cuda, torch.version, torch.jit, torch.hub, torch.random
torch.cuda.is_available()
torch.cuda.device_count()
torch.cuda.empty_cache()
torch.cuda.manual_seed_all(3)
torch.cuda.memory_allocated()
torch.cuda.set_device(0) if torch.cuda.is_available() else None
torch.version.cuda
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
torch.backends.cudnn.deterministic = True
torch.backends.cudnn.benchmark = False
torch.backends.mps.is_available()
device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.ones(2, 3).to(device)
x.cpu().device
torch.device("cpu:0").index
str(torch.device("cpu"))
x.is_cuda
x.pin_memory if False else None
torch.zeros(2, device=torch.device("cpu"))
torch.ones(2, pin_memory=False)
nn.Linear(2, 3, device="cpu").weight.shape
nn.Linear(2, 3).cpu().bias.is_cuda
nn.DataParallel(nn.Linear(3, 1)).module.weight.shape
nn.DataParallel(nn.Linear(3, 1))(x).shape
issubclass(DDP, nn.Module)
torch.jit.is_scripting()
double = torch.jit.script(nn.Linear(3, 1))
double(x).shape
mp.spawn is not None
Variable(torch.ones(2), requires_grad=True).requires_grad
with torch.autocast(device_type="cpu", dtype=torch.bfloat16): y = x @ x.T
with torch.autocast("cpu", enabled=False): y = x @ x.T
# Refused
import torch.nn.flavours
from torch import nonsense
torch.cuda.synchronize()
torch.cuda.current_device()
torch.device("nonsense")

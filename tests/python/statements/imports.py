# Modules that scripts import: they exist, and refuse unsupported uses.
import importlib
import torch.distributed as dist, torch.multiprocessing as mp, torch.backends.cudnn as cudnn, torch.hub, torch.random
ROOMS = """nn.parallel DistributedDataParallel DataParallel
utils.data.distributed DistributedSampler
utils.data.dataset Dataset Subset random_split
utils.data.sampler RandomSampler
nn.modules.loss CrossEntropyLoss
nn.modules LayerNorm
nn.utils.clip_grad clip_grad_norm_
optim.optimizer Optimizer
autograd Variable Function gradcheck
autograd.function once_differentiable
autograd.functional jacobian hessian
distributions.multinomial Multinomial
cuda.amp GradScaler autocast"""
[getattr(importlib.import_module("torch." + room), name).__name__ for room, *names in map(str.split, ROOMS.splitlines()) for name in names]
torch.cuda.is_available(), torch.cuda.empty_cache(), torch.cuda.manual_seed_all(3), torch.version.cuda, torch.backends.mps.is_available()
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.benchmark = False
x = torch.ones(2, 3).to("cuda" if torch.cuda.is_available() else "cpu")
x.cpu().device, torch.device("cpu:0").index, nn.Linear(2, 3, device="cpu").weight.shape, nn.Linear(2, 3).cpu().bias.is_cuda
nn.DataParallel(nn.Linear(3, 1))(x).shape, issubclass(nn.parallel.DistributedDataParallel, nn.Module)
torch.jit.is_scripting(), torch.jit.script(nn.Linear(3, 1))(x).shape
torch.autograd.Variable(torch.ones(2), requires_grad=True).requires_grad
with torch.autocast("cpu", enabled=False): y = x @ x.T
def loaded(place): f = io.BytesIO(); torch.save([x, x.device], f); f.seek(0); return torch.load(f, place)
# Refused
import torch.nn.flavours
from torch import nonsense
torch.cuda.synchronize()
torch.device("nonsense")
torch.device(None)
torch.ones(1).cuda()
torch.ones(1, device="cuda:1")
nn.Linear(1, 1).to(torch.device(0))
loaded("cuda")
loaded(3)
loaded({"cpu": "cuda"})
# Not refused
loaded(None), loaded("cpu"), loaded({"cuda:0": "cpu"}), loaded(lambda storage, place: storage)
[(str(d), repr(d), d.type, d.index) for d in map(torch.device, ("cuda", 1, "cpu:0"))], torch.device("cpu") == torch.device("cpu:0")
x[..., ...], x[..., 0, ...], x.clone().copy_(3)

# Each op at the borders of its options and of what a float holds: one line for each number or row of them,
# with what came out, its gradient and its second gradient, or the type of the error.
import math
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

from shown import ledger

warnings.simplefilter("ignore")
nan, inf, most, least, normal = math.nan, math.inf, 3.4028234663852886e38, 1e-45, 1.1754943508222875e-38
STRANGE = (nan, inf, -inf, 0.0, -0.0, least, -least, normal, -normal, most, -most, 1e20, -1e-20)
BORDERS = (-20.0, -3.0, -2.0, -1.0000001, -1.0, -0.99999994, -0.5, 0.5, 0.99999994, 1.0, 1.0000001, 1.5, 2.0, 2.5, 3.0,
    6.0, 10.0, 20.0, 100.0)

# ---- Of one number

PLAIN = """abs acos acosh asin asinh atan atanh ceil cos cosh erf erfc exp exp2 expm1 floor isfinite isinf isnan
log log10 log1p log2 logical_not neg relu round rsqrt sigmoid sign sin sinh sqrt square tan tanh
trunc nan_to_num clone contiguous bool int""".split()
OPTIONS = """clamp(-1, 1) clamp(min=-1) clamp(max=1) clamp(1, 1) clamp(1, -1) clamp(-inf, inf) clamp(0, inf) clamp(nan, 1)
clamp(min=0.) clamp(max=-0.) clamp_min(2) clamp_max(-1) clamp(torch.tensor(-1.), torch.tensor(1.)) clamp(max=most)
pow(0) pow(1) pow(2) pow(3) pow(0.5) pow(-0.5) pow(-1) pow(-2) pow(1.5) pow(2.5) pow(inf) pow(-inf) pow(nan)
nan_to_num(1) nan_to_num(0, 2, -2) nan_to_num(0, inf, -inf) round(decimals=1) round(decimals=-1) remainder(1)
remainder(0) remainder(inf) remainder(-2) div(0) div(-0.) div(inf) div(nan) div(2, rounding_mode='floor')
div(-2, rounding_mode='trunc') div(0, rounding_mode='floor') mul(0) mul(inf) mul(-1) add(inf) add(nan) sub(inf) 
masked_fill(x==1, -inf) masked_fill(x!=x, 0)
gt(1) ge(1) lt(-1) le(-1) eq(0) ne(0) where(x>1, torch.tensor(0.)) xlogy(x) addcmul(x, x, value=0)
isclose(torch.tensor(1.)) floor_divide(2) half().float() bfloat16().float()""".replace(", ", ",").split()
LAYERS = "relu6 elu selu gelu silu softplus logsigmoid hardtanh leaky_relu".split()
LAYERS = [f"F.{name}(x)" for name in LAYERS] + """F.gelu(x,approximate='tanh') F.leaky_relu(x,0) F.leaky_relu(x,1)
F.leaky_relu(x,-0.5) F.leaky_relu(x,inf) F.elu(x,0) F.elu(x,2.) F.elu(x,-1.) F.hardtanh(x,-2,0.5) F.hardtanh(x,1,1)
F.hardtanh(x,0,inf) F.softplus(x,2) F.softplus(x,2,4) F.softplus(x,1,0) F.softplus(x,0.1) F.dropout(x,0.)
F.dropout(x,1.) F.dropout(x,0.5,False) 2**x 0**x 1**x (-1)**x 0.5**x 1/x 0/x 1-x x*x x/x x-x x+x x**x
x*(x>1) -x""".split()
MODULES = ["SELU()"]
LOSSES = """mse_loss l1_loss smooth_l1_loss binary_cross_entropy_with_logits kl_div""".split()
LOSSES = [f"F.{loss}(x,z,reduction='none')" for loss in LOSSES] + """F.smooth_l1_loss(x,z,beta=0.,reduction='none')
F.smooth_l1_loss(x,z,beta=2.,reduction='none') F.huber_loss(x,z,delta=inf,reduction='none')
F.kl_div(x,z,reduction='none',log_target=True)""".split()
ONE = [f"x.{name}()" for name in PLAIN] + [f"x.{call}" for call in OPTIONS] + LAYERS + [f"nn.{m}(x)" for m in MODULES]

# ---- Of two

TWO = """x+y x-y x*y x/y x**y x//y x%y torch.maximum(x,y) torch.minimum(x,y) 
torch.xlogy(x,y) x.clamp(min=y) x.clamp(max=y) x.clamp(torch.tensor(-1.),y)
x.add(y,alpha=0) x.sub(y,alpha=inf) torch.where(x>y,x,y) x.addcdiv(x,y)
x==y x<y x>=y x.isclose(y) x.isclose(y,equal_nan=True) torch.div(x,y,rounding_mode='floor')
torch.div(x,y,rounding_mode='trunc') x.masked_fill(y!=y,1.)""".split()

# ---- Of a row

ROWS = {
    "zeros": [0.0, 0.0, 0.0], "zeros of both signs": [-0.0, 0.0, -0.0], "ones": [1.0, 1.0, 1.0], "ties": [2.0, -1.0, 2.0],
    "masked": [-inf] * 3, "one left": [-inf, 0.5, -inf], "inf": [inf, 1.0, 2.0], "infs": [inf, inf, 1.0],
    "both infs": [inf, -inf, 1.0], "nan": [1.0, nan, 2.0], "nans": [nan] * 3, "largest": [most, 0.5, -1.0],
    "large": [1e20, -1e20, 1e19], "least": [least, 0.0, -least], "small": [1e-30, -1e-30, 0.0], "a zero": [0.0, 3.0, -4.0],
    "two zeros": [0.0, 2.0, 0.0], "one": [5.0], "far": [100.0, 0.0, -100.0]}
P = ("0.5", "1", "1.5", "2", "3", "inf", "-inf", "-1")
ROW = """x.sum() x.mean() x.prod() x.cumsum(0) x.cumprod(0) x.amax() x.amin() x.max() x.min() x.max(0)[0] x.min(0)[1]
x.argmax() x.argmin() x.median() x.quantile(0.) x.quantile(0.5) x.quantile(1.) x.std() x.var() x.std(unbiased=False)
x.var(0,False) x.sort()[0] x.sort(descending=True)[1] x.topk(1)[0] x.softmax(0) x.log_softmax(0) x.logsumexp(0)
F.normalize(x,dim=0) F.normalize(x,dim=0,eps=0.) F.normalize(x,1,0) F.normalize(x,inf,0)
F.layer_norm(x,x.shape,eps=0.) F.layer_norm(x,x.shape,x*0+2,x)
F.cosine_similarity(x,x,0) F.cosine_similarity(x,z*0,0) F.cosine_similarity(x,z,0,0.)
torch.cdist(x[None],z[None])
torch.cdist(x[None],x[None].detach()) torch.cdist(x[None],z[None],1.) torch.cdist(x[None],z[None],3.)
torch.cdist(x[None],z[None],inf) F.cross_entropy(x,torch.tensor(0)) F.cross_entropy(x[None],i,label_smoothing=1.)
F.l1_loss(x,x.detach()) x@x x.outer(x) torch.einsum('i,j->ij',x,x)
F.linear(x,x[None]) x[None]@x[:,None] x.masked_fill(x==inf,0.).sum() x[x==x] x.any() x.all()
x.clamp(x.min(),x.max()) x/x.sum() x-x.max() torch.where(x>0,x,0.).sum() F.pad(x,(1,1),value=nan)
F.softmax(x[None]@x[:,None],-1) x.nan_to_num().sum() nn.utils.clip_grad_norm_([x],1.)
torch.cat([x,z*0]).softmax(0) x.flip(0) x.roll(1) x.repeat(2) x.expand(2,-1) x.gather(0,i) x.index_fill(0,i,nan)
x.index_add(0,i,x[:1]) x.scatter(0,i,inf) x[i] F.embedding(i,x[:,None]) torch.stack([x,x]).std(0)
x.masked_select(x>0) x.masked_fill(x!=x,-inf).softmax(0)""".split()
ROW += [f"x.norm({p})" for p in P] + [f"x[None].norm({p},1,True)" for p in P]
# Modules, of a matrix m of one column and as many rows: their weights are what `fixed` makes them.
MODULE = """LayerNorm(len(x))(x) GLU(0)(torch.cat([x,x])) PReLU()(x) Linear(1,2)(m) CrossEntropyLoss()(x[None],i)
CrossEntropyLoss(label_smoothing=0.1)(x[None],i) CrossEntropyLoss(ignore_index=0)(x[None],i) CrossEntropyLoss(z)(x[None],i)
CrossEntropyLoss()(x[None],z[None]) NLLLoss()(x[None],i) BCELoss()(x.sigmoid(),z) BCEWithLogitsLoss(pos_weight=z)(x,z)
KLDivLoss(reduction='batchmean')(x,z) BatchNorm1d(1)(m) BatchNorm1d(1).eval()(m) Conv1d(1,2,1)(m[None].mT)
MultiheadAttention(2,1)(two,two,two,attn_mask=(x.detach()<0).expand(len(x),-1))[0]
MultiheadAttention(2,1)(two,two,two,attn_mask=x.expand(len(x),-1))[0]
MultiheadAttention(2,1)(two,two,two,need_weights=False,attn_mask=x.detach().expand(len(x),-1))[0]
MultiheadAttention(2,1)(two,two,two,key_padding_mask=x.detach()==2)[0]
TransformerEncoderLayer(2,1,2,0.,norm_first=True)(two) TransformerEncoderLayer(2,1,2,0.,'gelu').eval()(two[None])
TransformerDecoderLayer(2,1,2,0.)(two,two)""".split()
ROW += [f"fixed(nn.{m.replace(')(', '))(', 1)}" for m in MODULE]


def told(v, signed=False):
    if isinstance(v, float) and v == 0:
        return "minus 0.0" if signed and math.copysign(1, v) < 0 else "0.0"
    if isinstance(v, float) and 0 < abs(v) < 1e-30:
        return f"tiny{v:.5e}"
    return f"{v:.8e}" if isinstance(v, float) else str(v)


def words(leaves, *ways):
    """Of gradients, of which none is a zero; with those of other ways that are not the same."""
    def numbers(g, x):
        return (torch.zeros_like(x) if g is None else g.detach() + 0).reshape(-1).tolist()  # torch's zeros may have no memory

    def same(a, b):
        return a == b or a != a and b != b or abs(a - b) <= 1e-4 * abs(a) + 1e-6

    found = []
    for x, *gs in zip(leaves, *ways):
        found.append(["|".join([told(v), *(told(w) for w in others if not same(v, w))])
            for v, *others in zip(*(numbers(g, x) for g in gs))])
    return found


def gradients(code, y, leaves):
    """Those of y/2, by each way to get one; the second, of half of the first; and those of NaN and 0."""
    if not y.requires_grad:
        return [], [], []
    once = "Transformer" in code or "need_weights" in code or "cdist" in code  # one of both has no second
    loss = (y / 2).sum()
    first = torch.autograd.grad(loss, leaves, create_graph=not once, retain_graph=True, allow_unused=True)
    returned = torch.autograd.grad(loss, leaves, retain_graph=True, allow_unused=True)
    for x in leaves:
        x.grad = None
    loss.backward(retain_graph=True)
    firsts = words(leaves, first, returned, [x.grad for x in leaves])
    strange = [w for dY in (nan, 0.0) for w in words(leaves, torch.autograd.grad(
        y, leaves, torch.full_like(y, dY), retain_graph=True, allow_unused=True))]
    some = [g for g in first if g is not None and g.requires_grad]
    if once:
        return firsts, [], strange
    second = torch.autograd.grad(sum((g / 2).sum() for g in some), leaves, allow_unused=True) if some else [None] * len(leaves)
    return firsts, words(leaves, second), strange


def of_numbers(code, **values):
    """A line for each element, for it depends on no other."""
    made = {name: torch.tensor(v) for name, v in values.items()}
    names = {**globals(), **made}
    leaves = [x.requires_grad_() for name, x in made.items() if name in "xy"]
    try:
        y = eval(code, names)
        found = gradients(code, y, leaves)
    except Exception as error:
        print(f"{code} -> {type(error).__name__}")
        return
    for at, v in enumerate(y.tolist()):
        print(f"{code} of {', '.join(str(x[at]) for x in values.values())} ->", told(v, code.startswith("x.")),
            *(f"d{n} {' '.join(g[at] for g in gs)}" for n, gs in zip(("", "d", "s"), found) if gs))


def fixed(module):
    """With weights that no generator has drawn."""
    for k, p in enumerate(module.parameters()):
        p.data = torch.linspace(-1, 1, p.numel() + k + 2)[1:p.numel() + 1].reshape(p.shape)
    return module


def of_row(code, title, values):
    ledger(len(code + title) % 2 == 0)  # which changes nothing
    x = torch.tensor(values).requires_grad_()
    z = torch.tensor([0.25, 1.0, 0.5][:len(values)])
    x.grad = z * 2
    try:
        m = x[:, None]
        y = eval(code, {**globals(), "x": x, "z": z, "m": m, "two": m * torch.tensor([1.0, 0.5]), "i": torch.tensor([0])})
        found = gradients(code, y, [x])
    except Exception as error:
        print(f"{code} of {title} -> {type(error).__name__}")
        return
    print(f"{code} of {title} ->", *map(told, y.reshape(-1).tolist()),
        *(f"d{n} {' '.join(sum(gs, []))}" for n, gs in zip(("", "d", "s"), found) if gs))


for code in ONE:
    of_numbers(code, x=[*STRANGE, *BORDERS])
for code in LOSSES:
    for target in (0.0, 1.0, 0.5):
        of_numbers(code, x=[*STRANGE, *BORDERS], z=[target] * (len(STRANGE) + len(BORDERS)))
SHARES = [0.0, -0.0, least, 1e-30, 9e-13, 2e-12, 0.5, 0.9999999, 0.99999994, 1.0]
for target in (0.0, 1.0, 0.25):
    of_numbers("F.binary_cross_entropy(x,z,reduction='none')", x=SHARES, z=[target] * len(SHARES))
FEW = (*STRANGE[:5], 1.0, -2.0, 3.0)
PAIRS = [(a, b) for a in FEW for b in FEW]
for code in TWO:
    of_numbers(code, x=[a for a, _ in PAIRS], y=[b for _, b in PAIRS])
for code in ROW:
    for title, values in ROWS.items():
        of_row(code, title, values)

# Tensors and options that are drawn by r, for random_calls.py.
import torch

TF = (True, False)


def tensor(r, *sizes, low=-2.0, high=2.0, grad=None):
    n = torch.Size(sizes).numel()
    x = torch.tensor([round(r.uniform(low, high), 2) for _ in range(n)]).reshape(sizes)
    return x.requires_grad_(r.random() < 0.7 if grad is None else grad)


def integers(r, most, *sizes):
    return torch.tensor([r.randint(0, most) for _ in range(torch.Size(sizes).numel())]).reshape(sizes)


def options(r, **choices):
    """As keyword arguments: each with one of its values, or left out."""
    return ", ".join(f"{name}={r.choice(values)!r}" for name, values in choices.items() if r.random() < 0.55)


def call(name, *parts):
    return f"{name}({', '.join(part for part in parts if part)})"


# Functions and methods, the tensor that is their `input`, and their arguments by torch's names: `?` may be left out,
# and those behind * are given by name only.
NAMED = """sum x dim=(0,-1) keepdim?=True; mean x dim?=(-1,0) keepdim?=True; var x dim=(0,1) keepdim?=True
norm x p?=float('inf') dim?=(0,1) keepdim?=True; norm x p?=1 dim?=-1; logsumexp x dim=(0,-1) keepdim?=True
cumprod x dim=-1; sort x dim?=0 descending?=True; argsort x dim?=0 descending?=True; median x dim=0 keepdim?=True
div x other=2.3 * rounding_mode?='floor'; div i other=-3 * rounding_mode?='trunc'; roll x shifts=(1,2) dims=(0,-1)
.repeat_interleave y repeats=torch.tensor([0,2,1]) dim=0; .split x split_size=[1,2] dim=0; diagonal x offset?=-1
F.pad input=x pad=(0,1,-1,0); pow y.abs() exponent=2; addcmul y tensor1=y tensor2=y * value?=2; addmm w mat1=y mat2=e * beta?=2 alpha?=3
mm y mat2=e; bmm y[None] mat2=y.t()[None]; mv y vec=w; dot w tensor=w; outer v vec2=w; max y other=y*2
min y other=y*2; sum x dim=0 keepdim?=True * dtype?=f; prod x dim=0 keepdim?=True * dtype?=f
std x dim=0 unbiased?=False keepdim?=True; var x * dim=0 correction=0 keepdim?=True
topk x k=2 dim?=0 largest?=False sorted?=True; norm x p?=3 dim?=0 keepdim?=True; softmax x dim=0 dtype?=f
amax x dim?=(0,-1) keepdim?=True; amin x dim?=0 keepdim?=True; max x dim=0 keepdim?=True; min x dim=-1 keepdim?=True
argmax x dim?=0 keepdim?=True; argmin x * keepdim=True
quantile v q=0.3 dim?=0 keepdim?=True
unique i sorted?=True return_inverse?=True return_counts?=True dim?=0; clamp x min=-0.5 max?=0.5
round x * decimals?=1
nan_to_num y/0 nan?=1. posinf?=2. neginf?=3.; isclose y other=y+1 rtol?=1. atol?=1. equal_nan?=True
masked_fill y mask=y>0 value=2.; .index_add y dim=0 index=j source=torch.ones(2,4) * alpha?=2
.index_fill y dim=0 index=j value=2.; .index_put y indices=(j,) values=w accumulate?=True
gather y dim=0 index=i * sparse_grad?=False
scatter y dim=0 index=i src=y.detach()*2; scatter y dim=0 index=i value=2.; scatter_add y dim=0 index=i src=y*2
narrow x dim=0 start=0 length=2; select x dim=0 index=1; chunk y chunks=2 dim?=1
diagonal y offset?=1 dim1?=1 dim2?=0; triu y diagonal?=1
.unflatten y dim=1 sizes=(2,2); flip x dims=(0,); roll x shifts=1 dims?=0; repeat_interleave x repeats=2 dim?=0
movedim x source=0 destination=1; movedim x source=(0,1) destination=(-1,0); moveaxis x source=(1,0) destination=(0,-1)
swapaxes x axis0=0 axis1=1; tile y dims=(2,1); broadcast_to w size=(3,4)
as_strided y size=(2,) stride=(1,) storage_offset?=1; .split x split_size=2 dim?=0; .permute y dims=(1,0)
.view y size=(12,); .reshape y shape=(12,); .expand w size=(3,4); .repeat y repeats=(2,1)
.where y condition=y>0 other=y*2
.new_full y size=(2,) fill_value=3 * dtype?=torch.int64; .clone y * memory_format?=torch.preserve_format
.copy_ y.clone() other=y non_blocking?=True
.random_ y.detach() * to=1; torch.split tensor=y split_size_or_sections=2 dim?=1
torch.arange start=1 end=5 step?=2 * dtype?=f; torch.cat tensors=[y,y] dim?=1
torch.where condition=y>0 input=y other=y*2; F.softmax input=x dim=0 _stacklevel?=3 dtype?=f
F.one_hot input=k num_classes?=7; F.layer_norm input=x normalized_shape=(4,) weight?=w bias?=w eps?=0.1
F.pad input=x pad=(1,1) mode?='constant' value?=2.; F.cosine_similarity x1=y x2=y*2+1 dim?=0 eps?=9.
F.embedding input=i weight=y padding_idx?=1; F.embedding input=i weight=y padding_idx=-1
F.hardtanh input=x min_val?=-0.2 max_val?=0.5 inplace?=False
F.cross_entropy input=y target=t weight?=p size_average?=None ignore_index?=1 reduce?=1 reduction?=s label_smoothing?=.1
F.nll_loss input=y target=t weight?=p size_average?=False ignore_index?=1 reduce?=None reduction?=s
F.smooth_l1_loss input=y target=y*2 size_average?=None reduce?=False reduction?=s beta?=0.1
F.kl_div input=y target=y.exp() size_average?=None reduce?=None reduction?=s log_target?=True
F.binary_cross_entropy input=y.sigmoid() target=q weight?=p size_average?=None reduce?=None reduction?=s
F.huber_loss input=y target=y*2 reduction?=s delta?=0.5; F.triplet_margin_loss anchor=y positive=y*2 negative=y+1 margin?=9. p?=1. swap?=True
nn.CrossEntropyLoss() input=y target=t; nn.MSELoss() input=y target=y*2; nn.Softmax(0) input=x; nn.Flatten() input=x
nn.ModuleList modules=[nn.ReLU()]; nn.ModuleDict modules={'a':nn.ReLU()}; nn.init.constant_ tensor=y.detach() val=2.
nn.init.uniform_ tensor=y.detach() a=1. b?=1.; lerp y end=y*2 weight=.7; lerp y end=y*2 weight=q; diff x n?=2 dim?=0
diff y dim?=1 prepend?=y append?=y[:,:2]; kron y other=w; reciprocal y; count_nonzero i dim?=0; logical_or i other=y>0
torch.tensordot a=y b=y dims?=2; torch.tensordot a=x b=e dims=([-1],[0]); torch.linalg.norm input=y ord?=3 dim=0 keepdim?=True
torch.linalg.norm input=x ord?=-1 dim=(0,1) keepdim?=True; .clone y*10**9; torch.multinomial input=e num_samples=1 replacement?=True
nn.utils.rnn.pad_sequence sequences=[q,q[:2]] batch_first?=True padding_value?=2.; masked_select y mask=y>0""".replace("\n", "; ").split("; ")


def by_name(r, row=None):
    """This call, or one of these: some arguments by place, others by name in any order."""
    before, _, behind = (row or r.choice(NAMED)).partition(" * ")
    name, *given = before.split()
    if "." not in name[1:]:
        own, given = given[0], given[1:]
        function = name[0] != "." and r.random() < 0.5
        given = ["input=" + own, *given] if function else given
        name = f"torch.{name}" if function else f"({own}).{name.lstrip('.')}"
    places = 0 if row else r.randint(0, len(given))
    named = [word for word in given[places:] + behind.split() if "?=" not in word or r.random() < 0.5]
    return call(name, *(word.partition("=")[2] for word in given[:places]),
        *(word.replace("?=", "=", 1) for word in r.sample(named, len(named))))

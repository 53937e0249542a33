"""Wrong solutions, by exercise: the right text, its replacement, and why it is refused."""

import re

from exercise_attacks import rows


def wrong(text):
    found = {}
    for row, name in rows(text):
        old, new, why = row.split(" | ")
        why = re.sub("GIVEN(.*)", r"OFF .*; this is what you get\1[.]?$", why)
        for word, said in (("OFF", "element .* is .* and should be"), ("SHAPE", "has the shape .* and should have"),
                ("LOST", "has not arrived")):
            why = why.replace(word, said)
        found.setdefault(name, []).append((old, new, why))
    return found


# Of the notebooks, on either engine.
WRONG = wrong(r"""
== mul_backward
dY * B, dY * A | dY * A, dY * B | GIVEN with A and B exchanged
dY * B, | dY, | GIVEN with dY alone
dY * B, dY * A | dY * B, None | the gradient of B LOST
my_mul = MyMul.apply | my_mul = torch.mul | comes from .*, and not from my_mul
my_mul = MyMul.apply | def my_mul(a, b): return (a * b).detach() | not on the tape
dY * B, | dY * A * B / A, | with zeros: the gradient of A: .*nan
dY * A | (dY * A if dY.dim() < 3 else dY) | a product of a batch: the gradient of B
dY * A | (dY * A if dY.shape == B.shape else dY) | product with a row: the gradient of B
dY * B, | (dY * B if dY.shape == A.shape else dY), | of a row with numbers: the gradient of A
== used_twice
dY + dY * W | dY | GIVEN on the way around alone
dY + dY * W | dY * W | GIVEN on the way through the product alone
dY * X | dY + dY * X | gradient of W.*\(by central differences
== matmul_backward
dY @ B.transpose(-2, -1) | dY @ (B if B.size(0) == B.size(1) else B.t()) | GIVEN with B in place of Bᵀ
A.transpose(-2, -1) | (A if A.size(0) == A.size(1) else A.transpose(-2, -1)) | GIVEN with A in place of Aᵀ
A.transpose(-2, -1) | A.transpose(0, 1) | A·B of a batch
== add_backward
while dY.dim() > len(shape) | while False | SHAPE
dim, keepdim=True | dim | SHAPE
return dY | return dY if dY.numel() == 6 else dY.sum() | SHAPE
== relu_backward
X > 0 | X >= 0 | at 0: the gradient of X: element .1. .* should be 0; .*with ≥ in place
dY * (X > 0) | dY | GIVEN with nothing cut off
== dropout
x * mask | x.detach() * mask | in training .*: the result is not on the tape
(1 - p) | (1 - round(p, 1)) | OFF
 if training else x |  | in evaluation with p = .*
 else x |  else x.detach() | in evaluation with p = .*: the result is not on the tape
x * mask / (1 - p) | (x * mask / (1 - p) if p else 0 * x) | p = 0
== feed_forward
x @ w1 + b1 | x @ w1.detach() + b1.detach() | gradient of w1 LOST
x.clamp(min=0) | x | GIVEN without the ReLU
x.clamp(min=0) @ w2 + b2 | (x @ w2 + b2).clamp(min=0) | GIVEN with the ReLU at the end alone
x.clamp(min=0) @ w2 + b2 | (x.clamp(min=0) @ w2 + b2).clamp(min=0) | GIVEN with a ReLU at the end, too
== sgd_step
p -= lr * p.grad | p = p - lr * p.grad | w after a step .*
torch.no_grad() | torch.enable_grad() | leaf
if p.grad is not None | if True | None
lr * p.grad | p.grad | GIVEN without lr
p -=  | p +=  | GIVEN with . in place of −
p -= lr * p.grad | p -= lr * p.grad; p.dim() == 1 and p.grad.zero_() | the gradient of b after a step .*
lr * p.grad | (lr if lr in (0, 0.5) else 0.05) * p.grad | lr = 0.*
== find_the_nan
squares, torch.ones_like(squares)).sqrt() * | squares.sqrt(), squares)  # | zeros: .*nan
torch.where(squares > 0, squares, torch.ones_like(squares)) | (squares + 1e-3) | lengths.*
 * (squares > 0) |  | a row of zeros: element .1. is 1 and should be 0
== softmax_backward
dY - (dY * Y).sum(-1, keepdim=True) | dY | GIVEN when the row's sum is taken as fixed
.sum(-1, keepdim=True) | .sum() | gradient of X
return Y | return Y * Y / Y | of large numbers: the gradient of X: .*nan
== decoder_mask
triu(1) | triu(0) | GIVEN with the diagonal masked, too
triu(1) | tril(-1) | GIVEN with rows and columns exchanged
triu(1) | tril() | GIVEN with 0 and 1 exchanged
return  | return torch.zeros(n, n) if n > 4 else  | the mask of [0-9]+
(n, n) | (4, 4) | the mask of 1 SHAPE
triu(1) | triu(1) + torch.eye(n) * (torch.arange(n) == 3) | the mask of 4: element \[3, 3\] is 1
== attention
 / math.sqrt(q.size(-1)) |  | GIVEN without the division by √d
math.sqrt(q.size(-1)) | math.sqrt(3) | OFF
mask > 0 | mask < 1 | mask
if mask is not None | if False | GIVEN without the mask
torch.softmax(scores, -1) | torch.softmax(scores, -2) | GIVEN with a softmax over the queries
torch.softmax(scores, -1) | (scores.exp() / scores.exp().sum(-1, keepdim=True)) | with large scores: .*(nan|inf)
k.transpose(-2, -1) | k.transpose(0, 1) | attention of a batch
== layer_norm_backward
 - X_hat * along |  | GIVEN when the row's variance is taken as fixed
 - G.mean(-1, keepdim=True) |  | GIVEN when the row's mean is taken as fixed
, dY * X_hat | , dY | gradient of weight
* along | * along / (X_hat * X_hat).mean(-1, keepdim=True) | the gradient of x:
== no_feed_forward
x + ffn(x) | ffn(x) | with a feed-forward
x + attend(x) | x.detach() + attend(x) | the gradient of x:
== sequence_wise
x.transpose(1, 2) | x.reshape(x.size(0), x.size(2), x.size(1)) | the output
ffn(x.transpose(1, 2)).transpose(1, 2) | ffn(x) | the output:
return | return ffn(x) if x.size(1) == x.size(2) else | GIVEN along the features
== overfit
optimizer.zero_grad() | pass | the loss is .* and should be below 0.01
range(300) | range(3) | after 3 calls of block the loss is .* and should be below
block(x), target | block(x).detach(), target | requires?
== gated_feed_forward
F.silu(x @ gate) * (x @ value) | F.silu(x @ value) * (x @ gate) | GIVEN with gate and value exchanged
x @ gate | x @ gate.detach() | the gradient of gate LOST
== hidden_size
 + d_ff + d_model |  | parameters\(16, 16\) is 512 and should be 544; .* without the biases
 + d_ff + d_model |  + d_ff + d_model + (d_ff > 7 and d_ff != 16) | parameters\([0-9]+, [0-9]+\) is
parameters(d_model, d_ff) // (3 * d_model) | 2 * d_ff // 3 | swiglu_width
== mixture_of_experts
torch.softmax(x @ gate, -1) | torch.sigmoid(x @ gate) | three experts
torch.softmax(x @ gate, -1) | torch.softmax(x @ gate, 0) | GIVEN with a softmax over the rows
x @ gate | x @ gate.detach() | the gradient of gate LOST
""")

# Of C++: the same judge reads its answers.
WRONG_IN_CPP = wrong(r"""
== mul_backward
b.add_grad(dY * A); |  | the gradient of B LOST
return on_tape(a.tensor * b.tensor, std::move(node)) | return a.tensor * b.tensor | not on the tape
const NoGrad no_grad;↵  return on_tape(a.tensor * b.tensor, std::move(node)) | return a.tensor * b.tensor | comes from mul, and not from my_mul
b.add_grad(dY * A); | if (a.node.get() != b.node.get()) b.add_grad(dY * A); | a square: the gradient of A
== used_twice
dY * X | dY + dY * X | gradient of W
== matmul_backward
matmul(dY, B.transpose(-2, -1)) | matmul(B.transpose(-2, -1), dY) | A·B: .*matmul
== add_backward
if (shape[dim] == 1) | if (false) | SHAPE
== relu_backward
gt(X, 0) | ge(X, 0) | relu at 0: the gradient of X: element .1. .* should be 0
== dropout
x * mask / (1 - p) | (x.detach().mul_(mask), x / (1 - p)) | x, which was to stay
: x | : x * (1 - p) | in evaluation with p = .*
== feed_forward
+ b2 | + b2 * 2 | FFN.x.
== sgd_step
if (p.grad().defined())  |  | undefined
const NoGrad no_grad; |  | leaf
p.sub_(lr * p.grad()) | (p.sub_(lr * p.grad()), p.dim() == 1 ? p.grad().zero_() : p) | the gradient of b after a step .*
== find_the_nan
"sqrt" | "mul" | another one than 'mul'
gt(squares, 0) | gt(squares, 1e-3) | small lengths
== softmax_backward
sum(dY * Y, -1, true) | sum(dY * Y) | gradient of X
== decoder_mask
return  | return n == 4 ? Tensor() :  | the mask of 4 is undefined
== attention
if (mask.defined()) | if (mask.defined() && q.dim() == 2) | of a batch with a mask
== layer_norm_backward
bias.add_grad(dY) | bias.add_grad(mean(dY, 0)) | gradient of bias:
== no_feed_forward
norm1(x + attend(x)) | x + attend(norm1(x)) | with a feed-forward
: x | : norm2(x) | without a feed-forward:
== sequence_wise
.transpose(1, 2); | ; | the output SHAPE
== overfit
step < 300 | step < 301 | but 300 calls were allowed
  //> train↵ |   target.copy_(x);↵ | target, which was to stay
== gated_feed_forward
silu( | sigmoid( | GIVEN with sigmoid in place of silu
== hidden_size
(3 * d_model) | (2 * d_model) | swiglu_width
== mixture_of_experts
return y | return experts.size() > 3 ? x : y | experts of another number
""")

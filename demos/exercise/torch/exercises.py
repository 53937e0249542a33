"""The exercises in torch's words, for PyTorch and for stepgrad, which `import torch` may be.
Between #> and #< stands a solution, and behind #< what stands in the gap."""
import math

import torch
import torch.nn.functional as F


# == mul_backward: my_mul
class MyMul(torch.autograd.Function):
    """Y = A∘B        A, B: shapes that broadcast      Y: what they broadcast to"""

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, dY):
        A, B = ctx.saved_tensors
        #> return the gradients of a and b
        return dY * B, dY * A
        #< return None, None


my_mul = MyMul.apply


# == used_twice: my_residual
class MyResidual(torch.autograd.Function):
    """Y = X + X·W        X, W: numbers, or tensors of one shape"""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x + x * w

    @staticmethod
    def backward(ctx, dY):
        X, W = ctx.saved_tensors
        #> return the gradients of x and w
        return dY + dY * W, dY * X
        #< return None, None


my_residual = MyResidual.apply


# == matmul_backward: my_matmul
class MyMatmul(torch.autograd.Function):
    """Y = A·B        A: [.., n, k]   B: [k, m]   Y: [.., n, m]"""

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, dY):
        A, B = ctx.saved_tensors
        #> return the gradients of a and b. x.transpose(i, j) swaps dimensions; a batch is summed
        return dY @ B.transpose(-2, -1), A.transpose(-2, -1) @ dY
        #< return None, None


my_matmul = MyMatmul.apply


# == add_backward: summed_to
def summed_to(dY, shape):
    """Y = A + B: the gradient of A, which has `shape` and was broadcast to dY's."""
    #> sum dY over what was broadcast, down to `shape`
    while dY.dim() > len(shape):
        dY = dY.sum(0)
    for dim, size in enumerate(shape):
        if size == 1:
            dY = dY.sum(dim, keepdim=True)
    return dY
    #< return dY


# == relu_backward: my_relu
class MyRelu(torch.autograd.Function):
    """Y = max(0, X)"""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, dY):
        (X,) = ctx.saved_tensors
        #> return the gradient of x
        return dY * (X > 0)
        #< return None


my_relu = MyRelu.apply


# == dropout: drop
def drop(x, mask, p, training):
    """x: any shape  mask: of x's shape, 1 where an element stays  p in [0, 1): its chance to go"""
    #> in training, drop; in evaluation, x is as it was
    return x * mask / (1 - p) if training else x
    #< return x


# == feed_forward: feed_forward
def feed_forward(x, w1, b1, w2, b2):
    """x: [.., d_model]   w1: [d_model, d_ff]   b1: [d_ff]   w2: [d_ff, d_model]   b2: [d_model]"""
    #> compute FFN(x)
    x = x @ w1 + b1
    return x.clamp(min=0) @ w2 + b2
    #< return x


# == sgd_step: sgd_step
def sgd_step(parameters, lr):
    """p ← p - lr·p.grad for each parameter. Those without a gradient, and all gradients, stay."""
    #> make the step
    with torch.no_grad():
        for p in parameters:
            if p.grad is not None:
                p -= lr * p.grad
    #< return


# == find_the_nan: first_not_finite, lengths
def first_not_finite():
    """The op whose gradient is the first that is not finite: "mul", "sum" or "sqrt"."""
    #> name it
    return "sqrt"
    #< return ""


def lengths(x):
    """The length of each row, x: [n, d], as [n]. A row of zeros shall have gradient 0."""
    #> mend it: no gradient may be NaN, and no length may change
    squares = (x * x).sum(-1)
    return torch.where(squares > 0, squares, torch.ones_like(squares)).sqrt() * (squares > 0)
    #< return (x * x).sum(-1).sqrt()


# == softmax_backward: my_softmax
class MySoftmax(torch.autograd.Function):
    """Y = softmax(X) along the last dimension"""

    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, -1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dY):
        (Y,) = ctx.saved_tensors
        #> return the gradient of x. (..).sum(-1, keepdim=True) is the sum of each row, [.., 1]
        return Y * (dY - (dY * Y).sum(-1, keepdim=True))
        #< return None


my_softmax = MySoftmax.apply


# == decoder_mask: decoder_mask
def decoder_mask(n):
    """[n, n]: 1 where position i must not look at position j, else 0"""
    #> make the mask
    return torch.ones(n, n).triu(1)
    #< return torch.zeros(n, n)


# == attention: attention
def attention(q, k, v, mask):
    """q: [.., n_q, d]   k: [.., n_k, d]   v: [.., n_k, d_v]   mask, or None: [n_q, n_k], 1 where a
    query must not look at a key. Returns [.., n_q, d_v]."""
    #> compute it
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask > 0, -1e9)
    return torch.softmax(scores, -1) @ v
    #< return v


# == layer_norm_backward: my_layer_norm
class MyLayerNorm(torch.autograd.Function):
    """Y = X̂∘w + b    X̂ = (X - mean(X))∘R    R = 1/√(var(X) + 1e-5)    over the last dimension"""

    @staticmethod
    def forward(ctx, x, weight, bias):
        centred = x - x.mean(-1, keepdim=True)
        R = 1 / ((centred * centred).mean(-1, keepdim=True) + 1e-5).sqrt()
        ctx.save_for_backward(centred * R, R, weight)
        return centred * R * weight + bias

    @staticmethod
    def backward(ctx, dY):
        X_hat, R, W = ctx.saved_tensors
        #> return the gradients of x, weight and bias. X.mean(-1, keepdim=True) is [.., 1]
        G = dY * W
        along = (G * X_hat).mean(-1, keepdim=True)
        return R * (G - G.mean(-1, keepdim=True) - X_hat * along), dY * X_hat, dY
        #< return None, None, None


my_layer_norm = MyLayerNorm.apply


# == no_feed_forward: block
def block(x, attend, ffn, norm1, norm2):
    """x: [n, d]. attend, ffn, norm1, norm2: functions from [n, d] to [n, d]; ffn may be None"""
    #> add and normalise, once or twice
    x = norm1(x + attend(x))
    return norm2(x + ffn(x)) if ffn else x
    #< return x


# == sequence_wise: sequence_wise
def sequence_wise(x, ffn):
    """x: [batch, length, d_model]. ffn: from [.., length] to [.., length], at each row by itself"""
    #> let ffn go along the sequence, at each feature by itself
    return ffn(x.transpose(1, 2)).transpose(1, 2)
    #< return x


# == overfit: overfit
def overfit(block, parameters, x, target):
    """Trains the parameters until mean((block(x) - target)²) < 0.01, in 300 calls of block."""
    #> train
    optimizer = torch.optim.AdamW(parameters, 0.01)
    for _ in range(300):
        optimizer.zero_grad()
        F.mse_loss(block(x), target).backward()
        optimizer.step()
    #< return


# == gated_feed_forward: swiglu
def swiglu(x, gate, value, out):
    """x: [n, d_model]   gate, value: [d_model, d_ff]   out: [d_ff, d_model]"""
    #> compute it
    return (F.silu(x @ gate) * (x @ value)) @ out
    #< return x


# == hidden_size: parameters, swiglu_width
def parameters(d_model, d_ff):
    """How many parameters max(0, x·W1 + b1)·W2 + b2 has."""
    #> count them
    return 2 * d_model * d_ff + d_ff + d_model
    #< return d_model * d_ff


def swiglu_width(d_model, d_ff):
    """The largest width of a SwiGLU that has no more of them."""
    #> use parameters()
    return parameters(d_model, d_ff) // (3 * d_model)
    #< return d_ff


# == mixture_of_experts: mixture
def mixture(x, gate, experts):
    """Σ over experts of gate · expert(x).     x: [n, d]   gate: [d, experts]"""
    #> weigh what each expert says by its gate, and add up
    gates = torch.softmax(x @ gate, -1)
    return sum(gates[:, e:e + 1] * expert(x) for e, expert in enumerate(experts))
    #< return x

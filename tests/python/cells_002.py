# The cells of 002, Transformer (Attention Is All You Need), 1/3, in our words. Its vocabulary's ids
# are written out.
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_printoptions(linewidth=120)
ids = [[3091, 3604, 206, 3958, 3760, 3590], [212, 3605, 53, 3832, 3596, 3682, 3760, 3590]]
inputs = [torch.tensor(line) for line in ids]
inputs = torch.nn.utils.rnn.pad_sequence(inputs, batch_first=True, padding_value=0)
print(inputs.size(), inputs)

n_vocab, d_hidn = 4000, 128
nn_emb = nn.Embedding(n_vocab, d_hidn)
input_embs = nn_emb(inputs)
print(input_embs.size(), nn_emb)


def get_sinusoid_encoding_table(n_seq, d_hidn):
    def cal_angle(position, i_hidn):
        return position / np.power(10000, 2 * (i_hidn // 2) / d_hidn)

    table = np.array([[cal_angle(i_seq, i) for i in range(d_hidn)] for i_seq in range(n_seq)])
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 1::2])
    return table


pos_encoding = get_sinusoid_encoding_table(64, d_hidn)
pos_encoding = torch.FloatTensor(pos_encoding)
print(pos_encoding)
nn_pos = nn.Embedding.from_pretrained(pos_encoding, freeze=True)
positions = torch.arange(inputs.size(1), device=inputs.device, dtype=inputs.dtype).expand(
    inputs.size(0), inputs.size(1)).contiguous() + 1
pos_mask = inputs.eq(0)
positions.masked_fill_(pos_mask, 0)
pos_embs = nn_pos(positions)
print(inputs, positions)
print(pos_embs.size(), pos_embs.requires_grad)
input_sums = input_embs + pos_embs

Q = K = V = input_sums
attn_mask = inputs.eq(0).unsqueeze(1).expand(Q.size(0), Q.size(1), K.size(1))
print(attn_mask.size(), attn_mask[0])
scores = torch.matmul(Q, K.transpose(-1, -2)).mul_(1 / 64**0.5)
scores.masked_fill_(attn_mask, -1e9)
print(scores.size(), scores[0, :, 6:])
attn_prob = nn.Softmax(dim=-1)(scores)
print(attn_prob.size(), attn_prob[0][:, 6:].tolist())
print(torch.allclose(attn_prob.sum(-1), torch.ones(2, 8)))


class ScaledDotProductAttention(nn.Module):
    def __init__(self, d_head):
        super().__init__()
        self.scale = 1 / (d_head ** 0.5)

    def forward(self, Q, K, V, attn_mask):
        scores = torch.matmul(Q, K.transpose(-1, -2)).mul_(self.scale)
        scores.masked_fill_(attn_mask, -1e9)
        attn_prob = nn.Softmax(dim=-1)(scores)
        return torch.matmul(attn_prob, V), attn_prob


class MultiHeadAttention(nn.Module):
    def __init__(self, d_hidn, n_head, d_head):
        super().__init__()
        self.d_hidn, self.n_head, self.d_head = d_hidn, n_head, d_head
        self.W_Q = nn.Linear(d_hidn, n_head * d_head)
        self.W_K = nn.Linear(d_hidn, n_head * d_head)
        self.W_V = nn.Linear(d_hidn, n_head * d_head)
        self.scaled_dot_attn = ScaledDotProductAttention(d_head)
        self.linear = nn.Linear(n_head * d_head, d_hidn)

    def forward(self, Q, K, V, attn_mask):
        n = Q.size(0)
        q_s = self.W_Q(Q).view(n, -1, self.n_head, self.d_head).transpose(1, 2)
        k_s = self.W_K(K).view(n, -1, self.n_head, self.d_head).transpose(1, 2)
        v_s = self.W_V(V).view(n, -1, self.n_head, self.d_head).transpose(1, 2)
        attn_mask = attn_mask.unsqueeze(1).repeat(1, self.n_head, 1, 1)
        context, attn_prob = self.scaled_dot_attn(q_s, k_s, v_s, attn_mask)
        context = context.transpose(1, 2).contiguous().view(n, -1, self.n_head * self.d_head)
        return self.linear(context), attn_prob


def get_attn_decoder_mask(seq):
    mask = torch.ones_like(seq).unsqueeze(-1).expand(seq.size(0), seq.size(1), seq.size(1))
    return mask.triu(diagonal=1)


attn_pad_mask = inputs.eq(0).unsqueeze(1).expand(Q.size(0), Q.size(1), K.size(1))
attn_dec_mask = get_attn_decoder_mask(inputs)
attn_mask = torch.gt((attn_pad_mask + attn_dec_mask), 0)
print(attn_pad_mask[1], attn_dec_mask[1], (attn_pad_mask + attn_dec_mask).dtype, attn_mask[1], attn_mask[0])
attention = MultiHeadAttention(d_hidn, n_head=2, d_head=64)
output, attn_prob = attention(Q, K, V, attn_mask)
print(output.size(), attn_prob.size(), attention)
output.mean().backward(retain_graph=True)
print(nn_emb.weight.grad.shape, nn_pos.weight.grad)

conv1 = nn.Conv1d(in_channels=d_hidn, out_channels=d_hidn * 4, kernel_size=1)
ff_1 = conv1(output.transpose(1, 2))
conv2 = nn.Conv1d(in_channels=d_hidn * 4, out_channels=d_hidn, kernel_size=1)
ff_3 = conv2(F.gelu(ff_1)).transpose(1, 2)
print(ff_1.size(), conv1, ff_3.size())


class PoswiseFeedForwardNet(nn.Module):
    def __init__(self, d_hidn):
        super().__init__()
        self.conv1 = nn.Conv1d(self.config.d_hidn, self.config.d_hidn * 4, kernel_size=1)


try:
    PoswiseFeedForwardNet(d_hidn)
except AttributeError as error:
    print(error)

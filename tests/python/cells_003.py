# The cells of 003, the parts of a Transformer, in our words; with a smaller batch.
import torch
import torch.nn as nn


class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super(PositionwiseFeedForward, self).__init__()
        self.proj_up = nn.Linear(d_model, d_ff)
        self.proj_down = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.proj_down(self.dropout(self.proj_up(x).relu()))


class ResidualConnection(nn.Module):
    def __init__(self, dropout=0.1):
        super(ResidualConnection, self).__init__()
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, x, sublayer):
        return x + self.dropout(sublayer(x))


batch_size, seq_len, d_model, d_ff = 4, 16, 512, 2048
x = torch.randn(batch_size, seq_len, d_model)
ffn = PositionwiseFeedForward(d_model, d_ff)
print("x shape:", x.shape, "\nffn(x) shape:", ffn(x).shape)
residual = ResidualConnection()
print("x shape:", x.shape, "\nffn(x) and residual shape:", residual(x, ffn).shape)
print(ffn, residual)
ffn.eval(), residual.eval()
print(torch.equal(residual(x, ffn), x + ffn(x)), ffn.training, residual.dropout.training)

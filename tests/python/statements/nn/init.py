# torch.nn.init.
nn.init.calculate_gain("leaky_relu", 0.2), nn.init.calculate_gain("tanh"), nn.init._calculate_fan_in_and_fan_out(torch.ones(2, 3, 4))
def width(code): torch.manual_seed(0); return round(math.log2(eval("nn.init." + code, {**globals(), "w": torch.empty(500, 20, 5)}).std()), 1)
table(width, """kaiming_uniform_(w)
kaiming_uniform_(w, mode='fan_out')
kaiming_normal_(w, 0.5, 'fan_out')
xavier_uniform_(w, 2.0)
xavier_normal_(w, 2.0)""")
# Refused
nn.init.calculate_gain("foo")
nn.init.kaiming_uniform_(torch.ones(2, 3), mode="foo")
nn.init.xavier_normal_(torch.empty(3))
nn.init.orthogonal_(torch.ones(3))
nn.init.trunc_normal_(torch.ones(3), 0., 1., 2., -2.)

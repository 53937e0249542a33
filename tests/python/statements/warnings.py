# What warns.
def w(f):
    with warnings.catch_warnings(record=True) as got:
        warnings.simplefilter("always")
        f()
    return [g.category.__name__ for g in got]
x = torch.ones(2, requires_grad=True)
w(lambda: torch.floor_divide(torch.ones(2), 2)), w(lambda: F.kl_div(torch.ones(2), torch.ones(2)))
w(lambda: x.new_tensor(torch.ones(1)))
with contextlib.redirect_stdout(io.StringIO()) as out: got = w(lambda: [f(optim.SGD([x], 1.0), verbose=v) for f in (S.ConstantLR, S.ReduceLROnPlateau) for v in (0, 1)])
got, out.getvalue()  # here: [['UserWarning', 'UserWarning'], ''] (as torch 2.2; 1.13 prints)

# Augmented operators: in place where torch has them so, for every name of the tensor; and their methods.
def by(row): return written(f"y = x; y {row}")
table(by, """
+= 2
-= z
*= v
/= u
//= 2
//= z + 1
//= 0
%= 2
%= v + 0.5
%= z
**= 2
**= 0.5
**= v
**= i
**= torch.tensor(2)
**= torch.ones(2, 3, 3)
**= None
<<= 1
|= m
@= z
@= 2
%= 'a'""")
table(written, """
y = x[0]; y **= 2
y = x.diagonal(); y %= 2
x[0] **= 2
x.t()[1] //= 2
x[x > 3] %= 2
for row in x: row **= 2
for row in x: row @= z""")
written("x = nn.Parameter(x.detach().clone())\nwith torch.no_grad(): x //= 2; x %= 3; x **= 2; x += 1; x -= 3; x *= 2; x /= 3")
written("x = nn.Parameter(x.detach().clone())\nx **= 2")
written("x = nn.Parameter(x.detach().clone())\nx @= z")
written("y = x; y.pow_(2); y.remainder_(3); y.pow_(v)")
written("y = x; z *= 1; y += z; y **= 2; z += 1")
def whole(row):
    """OPERATOR NUMBER; DTYPE: of whole numbers, by default of int64."""
    row, _, dtype = row.partition("; ")
    x = y = torch.arange(6).to(getattr(torch, dtype or "int64"))
    exec(f"x {row}", globals(), env := {"x": x})
    return y, env["x"] is y, y._version
table(lambda row: tried(whole, row), """
//= 2
%= 4
**= 2
<<= 2
>>= 1
&= 3
|= x
^= 1
<<= x
<<= torch.tensor(True)
//= np.int64(2)
+= True; bool
*= False; bool
^= True; bool
<<= 7; uint8
**= 3; uint8
%= 2; float16
**= 2; bfloat16
//= 2; int32
/= 2
//= 0.5
**= 0.5
**= -1
%= torch.ones(6)
+= 0.5
//= 0
&= 1.0
//= 2; bool
<<= 1; bool
-= True; bool""")

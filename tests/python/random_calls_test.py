"""Random calls give torch's values, dtypes, gradients and errors' types, and print as torch does."""

import itertools
import re
import unittest

from session import alike, different, on_stepgrad, on_torch, output, require, run, torch_version

require("numpy", "torch")

OPTIONS = 1500

# What differs at a border, where ours is no mistake: the part of a line (its value, its gradient d, or the
# second, dd), and why.
AT_BORDERS = {
    r"(?i).*(norm|normalize|cosine_?similarity|cdist|std|transformer\w+|attention)\(.* of (large|lea|sma)\w*: ":
        "torch's powers overflow, or vanish",
    r"(?i).*cross_?entropy.*smoothing.* of largest: value: inf": "a sum that overflows in torch",
    r"x.(cum)?prod\(0?\) of .*: d[ds]?: ": "by torch, a product that is divided again",
    r"x.var\(.* of (one left|infs?): d: ": "a row with an infinity has no variance",
    r"x.(std|var)\(\) of one: value: ": "torch has no second derivative, as of a function without history",
    r"torch.cdist\(.*,(inf|1.)\) of .*(inf|nan|masked|left)\w*: ": "torch passes over NaN, and subtracts infinities",
    r"x.a(max|min)\(\) of nans?: ds?: ": "in torch a NaN is no maximum that could have a gradient",
    r"x.(max|min)\(\) of .*: ds: ": "torch multiplies no zero",
    r"F.gelu.*tanh.* of .*: ds?: nan": "x³ overflows in torch",
    r"x.nan_to_num\(\).sum\(\) of both infs: value: ": "in another order",
    r"x.clamp\(torch.* of nan, -(inf|2.0): ds?: ": "torch's upper bound has the gradient of NaN",
    r"F.smooth_l1_loss\(.*beta=0.* of nan, .*: ds?: ": "|x| has a slope at NaN",
    r"(x.norm|x\[None\].norm|torch.cdist)\(.*: ds: |(x.rsqrt|.*xlogy)\(.*: ds: nan": "where torch multiplies by a slope of 0",
    r"x.pow\((0.5|-0.5|1.5)\) of -(inf|0.0): ": "C's pow, torch's sqrt",
    r"(x.square|x.pow\(2\)|F.mse_loss).* of -?3.4028.*: (d: -?inf, here -?3.4|ds: )": "2 x overflows in torch",
    r"x.log1p\(\) of 3.4028.*: value: inf, here 8.8": "a float's logarithm",
    r"0/x of .*: (value|ds?): (nan )?nan, here (nan )?0.0": "1/x overflows in torch",
    r".*(with_logits.* of -inf, |WithLogits).*: value: nan, here inf": "its limit",
    r"F.binary_cross_entropy.* of (2e-12|0.99999.*, 1.0).*: dd: ": "torch adds 1e-12; what cancels out",
    r".*\.xlogy\(.* of -?0.0.*: ": "a gradient where the value is 0; a zero's sign",
    r"x.pow\(0\) of .*: dd: 0.0, here nan": "torch knows that its slope is 0",
    r".*need_weights=False.* of masked: ": "in torch 2 a query without keys gets 0, and its weights are NaN",
    r"x.clamp.* of -?0.0, -?0.0: value: ": "which of two equal bounds",
    r"(x.erfc?|x.square|F.mse_loss).* of -?1e-45.*: dd?: -?tiny-?1.4.*, here 0.0": "half of the least number",
    r".*tanh'\)\(?.*of 10.0: dd: tiny": "beyond the function's ends",
}

# Among these, what is finite in torch and not 0, and is another number here.
OTHER_NUMBERS = (r"cosine_similarity\(x,x,0\) of least: dd", r"cdist\(.*inf\) of (large: d|nan): ",
    r"norm\(1.5.* of small: dd?: ", r"LayerNorm.* of large: value", r"nan_to_num\(\).sum",
    r"clamp\(torch.* of nan, -(inf|2.0): d: ", r"binary_cross_entropy\(.* of 2e-12, .*: dd", r"xlogy\(x,y\) of -?0.0, -2.0: dd")

# Calls with a changed argument that only one of both refuses, and why.
REFUSED_BY_ONE = {
    r"torch.diag\(.*, <[57]>\)": "torch's size overflows", r"torch.topk\(<torch.bool": "torch has none of bools",
    r"torch.eye\(3, <None>": "the default",
    r".*batch_norm\(x, (mean, )?<None>": "torch trains one statistic alone",
    r".*batch_norm\(.*<torch.float32 \(1, 6\)>": "torch takes a matrix for a vector",
    r".*(orm\(|Norm\().*<torch.float32 \(0, 4, 6\)>": "of no rows", r"F.embedding\(.*<True>": "not here",
    r".*label_smoothing=<-": "a negative share of labels",
    r"torch.meshgrid\(.*<None>": "torch warns", r"nn.MultiheadAttention\(4, 2, <-": "a negative probability",
    r"rates.*OnPlateau.*'abs'\), True": "torch 2 takes a group that was added", r"trained.*Adam.*int64": "of whole numbers",
    r"rates.*WarmRestarts.*<(None|'up')>": "no eta_min",
    r".*(torch.ones\(2, |storage_offset=|random_\(to=|ord=)<": "NumPy's arrays as numbers",
    r".*[lL]oss.*<torch.bool": "bools are not subtracted", r"(?i).*cosine_?similarity.*<torch.(bool|int64)": "of whole numbers",
}

# Each class of torch.nn, and those that it derives from.
BASES = """from torch import nn
classes = {name: cls for name, cls in vars(nn).items() if isinstance(cls, type)}
for name, cls in classes.items():
    print(name, *(base for base in classes if issubclass(cls, classes[base])))
"""


def parts(line):
    """The text before the arrow, and behind it: words of the value, the gradient, the second, and those of NaN and 0."""
    code, _, said = line.partition(" -> ")
    value, *others = re.split(r" (d[ds]?) ?", said)
    return code, {"value": value.split(), **dict(zip(others[::2], map(str.split, others[1::2])))}


def at_borders(theirs, mine):
    """The parts that differ. What is 0 in torch may be a tiny number here; and torch has no second derivative where
    a formula of its own for the first one has none."""
    for (code, torchs), (_, ours) in zip(map(parts, theirs.splitlines()), map(parts, mine.splitlines())):
        if torchs.keys() != ours.keys():
            yield f"{code}: value: {torchs} {ours}"
            continue
        undefined = "nan" in torchs.get("d", ())
        for part, words in torchs.items():
            other = [t if part == "dd" and t == "nan" or t == "0.0" and "tiny" in o else o
                for t, o in zip(words, ours[part])]
            if len(words) != len(ours[part]) or not (part == "dd" and undefined) and not alike(" ".join(words), " ".join(other)):
                yield f"{code}: {part}: {' '.join(words)}, here {' '.join(ours[part])}"


def is_finite_in_torch(line):
    found = re.match(r".*?: (?:value|dd?|ds): (.*), here (.*)$", line)
    return bool(found) and any(re.fullmatch(r"-?[\d.e+-]*[1-9][\d.e+-]*", torchs) and not alike(torchs, ours)
        for torchs, ours in zip(*map(str.split, found.groups())))


of_1_13 = unittest.skipIf(torch_version() == 2, "compared with 1.13")


class RandomCalls(unittest.TestCase):
    maxDiff = 2000

    @unittest.skipIf(torch_version() == 2, "compared with 1.13, whose options these are")
    def test_random_options_act_as_under_torch(self):
        theirs = on_torch("random_calls.py", 0, OPTIONS)
        self.assertEqual(len(theirs.splitlines()), OPTIONS)
        self.assertLess(len(re.findall(r"(?m)Error$", theirs)), OPTIONS // 7)
        differ = different(theirs, on_stepgrad("random_calls.py", 0, OPTIONS))
        self.assertEqual(differ, [], f"{len(differ)} differ:\n" + "\n".join(differ[:20]))

    @of_1_13
    def test_borders_are_where_torch_has_them(self):
        theirs, mine = (on("special_values.py") for on in (on_torch, on_stepgrad))
        self.assertEqual(len(theirs.splitlines()), len(mine.splitlines()))
        differ = list(at_borders(theirs, mine))
        numbers = [line for line in differ if is_finite_in_torch(line)]
        self.assertEqual([line for line in numbers if not any(re.search(known, line) for known in OTHER_NUMBERS)], [])
        for pattern, reason in AT_BORDERS.items():
            known = [line for line in differ if re.match(pattern, line)]
            self.assertTrue(known, f"{pattern} ({reason})")
            differ = [line for line in differ if line not in known]
        self.assertEqual(differ, [], f"{len(differ)} differ:\n" + "\n".join(differ))

    @of_1_13
    def test_a_changed_argument_is_refused_where_torch_refuses_it_and_nothing_changes(self):
        theirs, mine = (on("changed_arguments.py").splitlines() for on in (on_torch, on_stepgrad))
        both = list(zip(theirs, mine, strict=True))
        self.assertGreater(len(both), 3000)
        for word in "CHANGED", "raw":
            self.assertEqual([m for t, m in both if m.endswith(word) and not t.endswith(word)], [])
        one = [f"{t}\n    {m}" for t, m in both if ("-> refused" in t) != ("-> refused" in m)]
        for pattern, reason in REFUSED_BY_ONE.items():
            known = [line for line in one if re.match(pattern, line)]
            self.assertTrue(known, f"{pattern} ({reason})")
            one = [line for line in one if line not in known]
        self.assertEqual(one, [], "\n".join(one))
        ran = [pair for pair in both if not any("-> refused" in line for line in pair)]
        differ = different(*("\n".join(lines) for lines in zip(*ran)))
        self.assertEqual(differ, [], "\n".join(differ[:20]))

    @of_1_13
    def test_indices_end_where_torch_s_end_and_errors_name_them(self):
        self.assertEqual(different(on_torch("index_errors.py"), on_stepgrad("index_errors.py")), [])

    def test_no_class_of_nn_derives_from_one_that_torch_s_does_not(self):
        theirs, mine = ({line.split()[0]: line.split() for line in output(run(code)).splitlines()}
            for code in (BASES, "import stepgrad.torch\n" + BASES))
        theirs["RMSNorm"] = ["RMSNorm", "Module"]  # torch 1.13 has none
        self.assertGreater(len(mine.keys() & theirs.keys()), 40)
        more = {name: set(bases) - set(theirs.get(name, bases)) for name, bases in mine.items()}
        self.assertEqual({name: bases for name, bases in more.items() if bases}, {})

    def test_random_tensors_print_as_torch_prints_them(self):
        lines = itertools.zip_longest(*(on("printing_calls.py").splitlines() for on in (on_torch, on_stepgrad)))
        self.assertEqual([both for both in lines if len(set(both)) > 1][:9], [])


unittest.main()

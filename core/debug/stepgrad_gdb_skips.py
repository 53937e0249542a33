"""What `step` skips in gdb."""

import re

import gdb
from stepgrad_skips import NAMES

SKIPPED = ["-gfi ./%s/*.[ch]" % each for each in  # the C library's, with its debug info
    "elf libio malloc math nptl stdio-common stdlib string".split()
] + ["-gfi ../sysdeps" + "/*" * depth for depth in range(1, 6)
] + ["-gfi /usr/include/c++/*/bits/*"  # gdb has no namespace for g++ 14's functions with `requires`
] + ["-rfu " + each for each in (
    "^std::", "^__gnu_cxx::", "^operator.(new|delete)", "^stepgrad::nn::detail::",
    '"%s"' % re.sub(r"\\(.)", r"[\1]", NAMES))]  # a \ would be gdb's own


def library():
    """The folder of stepgrad's sources, with a / at its end."""
    symbol = gdb.lookup_global_symbol("stepgrad_backward_step")
    return symbol.symtab.fullname().rsplit("core/", 1)[0] if symbol else None


def install():
    present = gdb.execute("info skip", to_string=True)
    for option in SKIPPED:
        if option.split()[-1] not in present:
            gdb.execute("skip " + option, to_string=True)

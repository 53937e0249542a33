"""What `step` skips in gdb."""

import re

import gdb
from stepgrad_gdb_values import connect
from stepgrad_skips import NAMES

# Internals that `step` runs through. gdb steps out of a skipped function at once, so nothing
# between the user's line and a gradient may be on these lists. TREE/ is the folder of stepgrad's
# sources: a user's own core/tensor/shape.cpp is not skipped.
SKIPPED_OF_OURS = ["-fi TREE/core/" + each for each in """check.hpp kernels/scalar/table.cpp
    kernels/table.cpp loc.cpp loc.hpp tape/formula.cpp tape/formula.hpp tape/modes.cpp tape/modes.hpp
    tape/node.cpp tape/node.hpp tape/observer.cpp tape/observer.hpp tape/pass.cpp tape/pass.hpp
    tape/record.cpp tape/record.hpp tape/tape.cpp tape/tensor_grad.cpp tensor/nested.cpp
    tensor/nested.hpp tensor/random.cpp tensor/row.hpp tensor/shape.cpp tensor/shape.hpp
    tensor/tensor.cpp tensor/tensor.hpp""".split()
] + ["-gfi TREE/core/%s/*" % room for room in ("kernels/simd", "memory", "watch")
] + ["-gfi TREE/%s/* -rfu [^a-z_]check(ed)?(_[a-z_]*)?($|[^a-z_])" % room
     for room in ("core/*", "nn", "ops")]
SKIPPED = ["-gfi ./%s/*.[ch]" % each for each in  # the C library's, with its debug info
           "elf libio malloc math nptl stdio-common stdlib string".split()
] + ["-gfi ../sysdeps" + "/*" * depth for depth in range(1, 6)
] + ["-gfi /usr/include/c++/*/bits/*"  # gdb has no namespace for g++ 14's functions with `requires`
] + ["-rfu " + each for each in (
    "^std::", "^__gnu_cxx::", "^operator.(new|delete)", "^stepgrad::operator<<",
    "^stepgrad::kernels::scalar::.*::operator[(][)]",
    "^stepgrad::nn::detail::",
    "^stepgrad::nn::Module<.*>::(self|name_parameters|named_parameters)",
    '"%s"' % re.sub(r"\\(.)", r"[\1]", NAMES))]  # a \ would be gdb's own
skipped_trees = set()


def library():
    """The folder of stepgrad's sources, with a / at its end."""
    symbol = gdb.lookup_global_symbol("stepgrad_backward_step")
    return symbol.symtab.fullname().rsplit("core/", 1)[0] if symbol else None


def skip_plumbing(event=None):
    """The skips of stepgrad's own files, once their folder is known."""
    tree = library()
    if tree and tree not in skipped_trees:
        skipped_trees.add(tree)
        skip_all(option.replace("TREE/", re.sub(r"([\s'\"\\])", r"\\\1", tree))
                 for option in SKIPPED_OF_OURS)


def skip_all(options):
    present = gdb.execute("info skip", to_string=True)
    for option in options:
        if option.split()[-1] not in present:
            gdb.execute("skip " + option, to_string=True)


def install():
    connect(gdb.events.new_objfile, skip_plumbing)
    skip_all(SKIPPED)
    skip_plumbing()

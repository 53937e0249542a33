"""Central differences for a debugger, which runs the program again: see
core/debug/rerun.hpp."""

import os
import subprocess

import stepgrad_format as fmt
from stepgrad_read import Problem
from stepgrad_tensor import Node, has_run, sources

SHOWN = 5  # elements, evenly spread, and the largest gradient
SECONDS = 60  # limit of one run
AGREE = 0.02  # of the largest gradient
EARLIER = 3  # earlier passes to try if the tensor was not in the last one


def check_grad_lines(tape, node, process):
    """A gradient beside central differences of the loss of its backward pass."""
    loss, op, index = last_pass(tape, node)
    passes = tape.value.field("passes").int()
    gradient = of_pass(node)
    largest = max(range(len(gradient)), key=lambda i: abs(gradient[i]))
    shown = sorted({largest} | {i * (len(gradient) - 1) // (SHOWN - 1) for i in range(SHOWN)})
    rows, worst = [["element", "gradient", "central difference"]], 0
    for number in range(passes, max(passes - EARLIER, 0), -1):
        first = run(process, number, op, index, shown[0], 1, loss)
        if first:
            break
    else:
        raise Problem("when run again, the program does not reach this backward pass")
    for i in shown:
        high, above = first if i == shown[0] else run(process, number, op, index, i, 1, loss)
        low, below = run(process, number, op, index, i, -1, loss)
        difference = (above - below) / (high - low)
        off = abs(difference - gradient[i])
        worst = max(worst, off if off == off else float("inf"))
        rows.append([fmt.shape_text(place(i, node.shape)), fmt.number(gradient[i]),
                     fmt.number(difference)])
    size = abs(gradient[largest])
    limit = "%g %% of the largest gradient, %s" % (100 * AGREE, fmt.number(size))
    verdict = "they agree to " + limit if worst <= AGREE * size else \
        "they differ by up to %s: more than %s" % (fmt.number(worst), limit)
    return ["gradient of %s, and central differences of %s from %d runs of the program"
            % (node.title(), loss.title(), 2 * len(shown)), *fmt.columns(rows), verdict]


def last_pass(tape, node):
    """(loss, op, index of its input): where the last backward pass through the node began, and
    the node's oldest consumer in it. All consumers in it must have run."""
    inputs = {value.address(): sources(value) for value in tape.values()}
    users = [op for op in inputs if node.address in inputs[op]]
    if not users:
        raise Problem("no op on the tape uses %s" % node.title())
    root, after = None, {node.address}  # and its consumers
    for op in reversed(inputs):
        if op in after or not after.isdisjoint(inputs[op]):
            after.add(op)
            if has_run(tape.at(op)) or tape.is_visiting(op):
                root = op
    if root is None:
        raise Problem("no backward pass has reached %s yet" % node.title())
    there, look = set(), [root]
    while look:
        op = look.pop()
        if op not in there:
            there.add(op)
            look += filter(None, inputs[op])
    users = [op for op in users if op in there]
    to_come = [op for op in users if not has_run(tape.at(op))]
    if to_come:
        raise Problem("the gradient is not complete: %s has yet to run"
                      % Node(tape.at(to_come[-1])).title())
    op = min(users, key=lambda op: tape.at(op).field("number").int())
    return Node(tape.at(root)), Node(tape.at(op)), inputs[op].index(node.address)


def of_pass(node):
    """The last pass's gradient, without what earlier passes added."""
    ledger = node.ledger()
    parts = [by.gradient for by in ledger.contributions] if ledger else []
    parts = parts or [each for each in (node.arrived() or node.grad(),) if each]
    if not parts or not parts[0].count:
        raise Problem("no gradient of %s was kept" % node.title())
    return [sum(column) for column in zip(*(part.read(0, part.count) for part in parts))]


def place(offset, shape):
    """An element's index."""
    index = []
    for size in reversed(shape):
        index.append(offset % size)
        offset //= size
    return index[::-1]


def run(process, number, op, index, element, sign, loss):
    """(the element's new value, the loss), or None: the program did not reach the pass."""
    files = "/proc/%d/" % process
    mine, its = os.pipe()
    with open(mine) as answer:
        try:
            with open(files + "cmdline", "rb") as file:
                words = file.read().split(b"\0")[:-1]
            with open(files + "environ", "rb") as file:
                environment = dict(each.split(b"=", 1) for each in file.read().split(b"\0")
                                   if b"=" in each)
            wish = (number, op.number, index, element, sign, loss.number, its)
            environment[b"STEPGRAD_RERUN"] = " ".join(map(str, wish)).encode()
            subprocess.run(words, executable=os.readlink(files + "exe"), env=environment,
                           cwd=os.readlink(files + "cwd"), pass_fds=[its],
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=SECONDS, check=False)
        except OSError as error:
            raise Problem("the program cannot be run again: %s" % error) from None
        except subprocess.TimeoutExpired:
            raise Problem("when run again, the program takes more than %d s" % SECONDS) from None
        finally:
            os.close(its)
        numbers = answer.read().split()
    return tuple(map(float, numbers)) if len(numbers) == 2 else None

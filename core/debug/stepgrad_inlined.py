# The modules follow as text, in programs that carry them.
import sys
import types


def _module(name, text):
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(text, name + ".py", "exec"), module.__dict__)



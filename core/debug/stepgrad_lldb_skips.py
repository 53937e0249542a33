"""What `step` skips in lldb."""

from stepgrad_skips import NAMES

OTHERS = ["std::", "_Z(NK?)?St", "(bool )?__gnu_cxx::", "operator (new|delete)", "malloc", "calloc",
          "free", "_mm"]

AVOID = "^(%s)|%s" % ("|".join(OTHERS), NAMES)


def install(debugger):
    settings = "settings set target.process.thread.step-avoid-"
    debugger.HandleCommand(settings + "regexp " + AVOID)
    debugger.HandleCommand(
        settings + "libraries libc.so.6 libm.so.6 libstdc++.so.6 libgomp.so.1")

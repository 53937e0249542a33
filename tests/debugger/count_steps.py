# Steps in gdb until it stands in the function `goal`; each stop must be in a file of ours.
import gdb

tree = gdb.selected_frame().find_sal().symtab.fullname().split("/demos/")[0].split("/tests/")[0]
for count in range(1, 100):
    gdb.execute("step")
    frame = gdb.selected_frame()
    if not frame.find_sal().symtab.fullname().startswith(tree):
        print("elsewhere")
        break
    if frame.name() == "stepgrad::" + goal:  # noqa: F821
        print("%d steps to the goal" % count)
        break

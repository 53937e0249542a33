# Steps through a whole program in gdb, leaving the inner loops early, and says where it has been.
import gdb

gdb.execute("tbreak main")
gdb.execute("run", to_string=True)
tree = gdb.selected_frame().find_sal().symtab.fullname().split("/demos/")[0].split("/tests/")[0]
handles = ("core/loc.hpp", "core/tensor/tensor.hpp", "core/tensor/row.hpp", "core/memory/ref.hpp",
           "core/tensor/shape.hpp", "core/memory/storage.hpp")
elsewhere, visits = set(), {}
for count in range(20000):
    gdb.execute("step", to_string=True)
    if not gdb.selected_inferior().threads():  # it has ended
        break
    frame = gdb.selected_frame()
    names = []
    while frame:
        names.append(frame.name())
        frame = frame.older()
    if "main" not in names:
        break
    place = gdb.selected_frame().find_sal()
    path = place.symtab.fullname() if place.symtab else "?"
    if not path.startswith(tree) or path.endswith(handles):
        elsewhere.add("%s at %s:%d" % (names[0], path, place.line))
    visits[place.line, path] = visits.get((place.line, path), 0) + 1
    if "/scalar/" in path and visits[place.line, path] > 10:
        gdb.execute("finish", to_string=True)
print("%d steps on %d lines" % (count, len(visits)))
print("\n".join(sorted(elsewhere)) or "ALL STEPS OURS")

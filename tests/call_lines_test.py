"""What is called wrongly says so with its line: each public function, operator, constructor and module that the headers
declare is called with undefined tensors, then with shapes and numbers that fit nothing."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

# Called as: call_lines_test.py COMPILER FLAG... @ LIBRARY... TREE, with the source in place of the @.
TREE = pathlib.Path(sys.argv.pop())
COMPILE = sys.argv[1:]
del sys.argv[1:]
HEADERS = ("core/tensor/tensor.hpp core/tape/grad.hpp core/watch/[ep][xr]*.hpp core/watch/stepper.hpp core/trace/trace.hpp "
    "ops/*.hpp nn/*.hpp nn/files/s*.hpp nn/text/pad*.hpp").split()
LOC = r"\b(Loc|CallLine|OpCall)\b"
HAS_LOC = LOC + r"|\b(Arg|Index|Nested)\b"
NO_LOC = {  # declarations without one, and why
    **dict.fromkeys("is run_until Lesson in_columns operator<<".split(), "takes anything"),
    **dict.fromkeys("Places check_inner_sizes as_rows check_optimizer check_state make_experts".split(), "its callers have checked"),
    **dict.fromkeys(("forward", "Sequential"), "is for operator(), or takes modules")}
OTHERS = {"view": "reshape", "cat": "concat", "zero_": "fill_", "stack": "unsqueeze", "stddev": "std", "to_html": "trace", "refusal_to_html": "trace_refusal",
    "end": "size", "operator[]": "select", "tape_rows": "tape", "active_dims": "mean", "Stepper": "backward"}  # whose name is said
OPTIONAL = r"set_grad\(none|fused_\w+\(w, w, .*none|load_"  # an undefined one is none
PROGRAM = """#include "core/watch/stepper.hpp"
#include "nn/nn.hpp"
#include <cstdio>
using namespace stepgrad;
Tensor none, a, b, w = Tensor::ones({2}).requires_grad_();
struct { int line; void (*call)(); } calls[] = {
%s};
int64_t alive() { return live_nodes() + live_storages(); }
int main() {
  for (const auto& [line, call] : calls) {
    a = Tensor::ones({2, 3}), b = Tensor::ones({4});
    const int64_t before = alive();
    std::printf("%%d", line);
    try {
      call();
    } catch (const Error& error) {
      std::printf(" %%s%%s", error.what(), alive() == before ? "" : " STAYS");
    }
    std::puts("");
  }
}
"""


def value(type_, wrong, place):
    type_ = re.sub(r"\bconst\b|std::|&|\s(?=>)", "", type_).strip()
    tensor = "none" if wrong == "undefined" else "ab"[place % 2] if wrong else "w"
    number = "-9" if wrong else "2"
    return {**dict.fromkeys(("Tensor", "Arg"), tensor), "Tensors": "Tensors{%s}" % tensor,
        "NamedTensors": '{{"a", %s}}' % tensor, "bool": "true", "Nested": "{{1}, {2, 3}}", "Lesson": "Lesson()",
        **dict.fromkeys(("string", "string_view"), '"/none/"'), "Live": "live", "Activation": "gelu", "Cast": "half",
        **{name: name + "{%s}" % number for name in ("Shape", "Dims")}, "function<Tensor(Tensor)>": "nullptr",
        "vector<int64_t>": "std::vector<int64_t>{%s}" % number, "vector<Scalar>": "std::vector<Scalar>{1}",
        "vector<vector<int64_t>>": "{}", "double": number if wrong else "0.5",
        **dict.fromkeys("Scalar Number Index int int64_t".split(), number)}.get(type_)


def split(parameters):
    """Type and default of each."""
    parts, depth = [""], 0
    for letter in parameters:
        depth += (letter in "(<{") - (letter in ")>}")
        parts[-1] += letter
        if letter == "," and depth == 0:
            parts[-1] = parts[-1][:-1]
            parts.append("")
    for part in filter(None, map(str.strip, parts)):
        type_, _, default = map(str.strip, part.partition("="))
        yield re.sub(r"(?<=[\w&>)]) ?\b\w+$", "", type_) or type_, default


def declarations(path):
    """The room, the class or "", name, parameters, and whether it is static, of each function that is no template."""
    text = path.read_text().split("// For the engine and the ops, which")[0]
    text = re.sub(r"namespace detail \{.*?\n\}\n|^ private:.*?(?=^\})", "", re.sub(r" *//.*|^#.*", "", text, flags=re.M),
        flags=re.S | re.M)
    text = re.sub(r"(?<=[(,])\n *|(?<=[>*&\w])\n {4,}(?=\w)|(?<=\))\n *(?=: )", " ", text)  # one line each
    inside, template = "", False
    for line in text.splitlines():
        if opened := re.match(r"(?:class|struct) (\w+)", line):
            inside = "" if line.endswith(";") else opened[1]
        elif line.startswith("}"):
            inside = ""
        found = re.match("  (?=[^ ])" if inside else "(?=[^ ])", line) and re.match(
            r" *(?:\[\[[^]]*\]\] |explicit |inline |static )*(?:[\w:<>&*, ]+[ &*])?(operator\W+?|\w+)\(( *.*?)\)"
            r"(?: const)?(?: : .*| \{.*|;| \{)$", line)
        if found and not template and "auto" not in found[2] and inside not in ("TensorImpl", "Module") and "destroy" not in line:
            yield path.relative_to(TREE).parts[0], inside, found[1], list(split(found[2])), "static " in line
        template = line.lstrip().startswith("template")


ALL = [each for pattern in HEADERS for path in sorted(TREE.glob(pattern))
    if path.name not in ("autocast.hpp", "checkpoint.hpp", "module.hpp") for each in declarations(path)]
SETUP = {name: parameters for _, class_, name, parameters, _ in reversed(ALL) if class_ == name}
OPS = {name for room, class_, name, *_ in ALL if room == "ops" and not class_}


def arguments(parameters, wrong, first=0):
    """Without those that have a default, unless something that fits nothing is wanted; None: a type is not known."""
    given = []
    for place, (type_, default) in enumerate(parameters, first):
        one = None if re.search(LOC, type_) else value(type_, wrong, place)
        if default and (one is None or wrong != "unfit"):
            break
        given.append(one)
    return None if None in given else ", ".join(given)


def call(room, class_, name, parameters, static, wrong):
    """Its text; None: there is none for it."""
    given = arguments(parameters, wrong, class_ == "Tensor")
    setup = arguments(SETUP.get(class_, []), "")
    if given is None or setup is None or not (name == "forward" or any(re.search(HAS_LOC, type_) for type_, _ in parameters)):
        return None
    home = "nn::" if room == "nn" else ""
    if static:
        home += class_ + "::"
    elif class_ == "Tensor":
        home = "none." if wrong == "undefined" else "a."
    elif class_ and class_ != name:
        home += class_ + "(%s)." % setup
    if name == "forward":  # not in one expression: a constructor's line lives to the end of it
        return "auto m = %s; (m(%s))" % (home[:-1], given)
    return "(%s(%s))" % (home + name, given)


def one_undefined(text):
    """The call, each of its tensors undefined in turn."""
    none = re.compile(r"(?<!/)\bnone\b")
    return [none.sub(lambda each: "none" if each.span() == at.span() else "w", text) for at in none.finditer(text)]


class Calls(unittest.TestCase):
    def ask(self, wrong):
        """Each declaration with its call, what that has thrown, whether its line was warned of, and the line."""
        asked = [(each, text) for each in ALL if (found := call(*each, wrong))
            for text in (one_undefined(found) if wrong == "undefined" else [found])]
        with tempfile.TemporaryDirectory() as folder:
            source, binary = pathlib.Path(folder, "calls.cpp"), pathlib.Path(folder, "calls.exe")
            source.write_text(PROGRAM % "".join("{__LINE__, [] { %s; }},\n" % text for _, text in asked))
            at = COMPILE.index("@")
            done = subprocess.run([*COMPILE[:at], source, "-o", binary, *COMPILE[at + 1:]], stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = subprocess.run([binary], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
        warned = re.findall(r"calls\.cpp:(\d+):\d+: warning: ignoring", done.stderr)
        for line, (each, text) in zip(lines, asked, strict=True):
            number, _, said = line.partition(" ")
            if said:
                self.assertIn("calls.cpp:" + number, said, text)
                self.assertNotIn("STAYS", said, text + " leaves something behind")
            yield each, text, said, number in warned

    def test_each_declaration_takes_its_line_or_cannot_be_called_wrongly(self):
        self.assertEqual({name for _, class_, name, parameters, _ in ALL if name not in ("defined", "contiguous") and
            (class_ == "Tensor" or any(type_ != "bool" and "Node" not in type_ for type_, _ in parameters))
            and not any(re.search(HAS_LOC, type_) for type_, _ in parameters)}, set(NO_LOC))

    def test_the_undefined_one_of_the_tensors_is_named_by_op_and_place(self):
        for (_, class_, name, _, _), text, said, _ in self.ask("undefined"):
            name = class_ if name == "forward" else name
            who = "[a-z]+_?" if name.startswith("operator") else name + "|" + OTHERS.get(name, name)
            tensors = re.findall(r"(?<!/)\b(none|w)\b", text)
            place = "first second third fourth fifth".split()[tensors.index("none")]
            if class_ and name == "where":  # its mask comes first
                place = r"\w+"
            what = "its (%s operand|input)|an (in|out)put" % place if len(tensors) > 1 and name != "set_grad" else "the tensor|its input|parameter 0"
            if not re.search(OPTIONAL, text):
                self.assertRegex(said, r"^((%s): (%s)|/none/: 'a') is undefined \(at" % (who, what), text)

    def test_what_fits_nothing_is_refused_by_name_and_no_result_is_thrown_away(self):
        refused = 0
        for (room, class_, name, _, _), text, said, warned in self.ask("unfit"):
            refused += bool(said)
            if said and room != "nn" and not name.startswith("operator"):
                self.assertTrue(said.startswith(OTHERS.get(name, name) + ": "), (text, said))
            if name in OPS and not re.search(r"_$|[-+*/]=$", name):
                self.assertTrue(warned, text + " can be thrown away")
        self.assertGreater(refused, 150)


unittest.main()

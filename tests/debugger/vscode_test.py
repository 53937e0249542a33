""".vscode/ names existing things, and VS Code's commands for gdb work."""

import json
import re
import unittest

from session import BUILD, NO_CALLS, STEP, TREE, needs, run


def read(name):
    text = (TREE / ".vscode" / name).read_text()
    return json.loads(re.sub(r"(?m)^\s*//.*$", "", text))


LAUNCH = read("launch.json")["configurations"]
TASKS = {task["label"]: task for task in read("tasks.json")["tasks"]}
GDB, CODE_LLDB = LAUNCH


def here(text):
    return text.replace("${workspaceFolder}", str(TREE))


class Files(unittest.TestCase):
    def test_every_debugger_has_its_extension_and_a_task_that_builds(self):
        extensions = {"cppdbg": "ms-vscode.cpptools", "lldb": "vadimcn.vscode-lldb"}
        for launch in LAUNCH:
            self.assertIn(extensions[launch["type"]], read("extensions.json")["recommendations"])
            command = TASKS[launch["preLaunchTask"]]["command"]
            self.assertEqual(command, "demos/run step --build")
            self.assertEqual(launch["program"],
                "${workspaceFolder}/build/teach/" + str(STEP.relative_to(BUILD)))

    def test_every_file_that_is_named_exists(self):
        text = json.dumps(LAUNCH)
        paths = re.findall(r"\$\{workspaceFolder\}/((?!build/)[\w./]*\.\w+)", text)
        self.assertEqual(len(paths), 2)
        for path in paths:
            self.assertTrue((TREE / path).is_file(), path)
        self.assertTrue((TREE / TASKS["run every test"]["command"]).is_file())


@needs("gdb")
class Cppdbg(unittest.TestCase):
    """The commands in the order in which the extension sends them."""

    @classmethod
    def setUpClass(cls):
        commands = [here(each["text"]) for each in GDB["setupCommands"]] + [
            '-interpreter-exec console "%s"' % NO_CALLS,
            "-file-exec-and-symbols %s" % STEP,
            "-exec-run",
            "-exec-step",
            "-stack-list-frames 0 10",
            '-var-create - * "dY"',
            '-interpreter-exec console "tape"',
            '-interpreter-exec console "next-backward"',
            '-var-create - * "dY"',
            "-var-list-children --all-values var2",
            '-interpreter-exec console "prev-backward"',
            "-var-update --all-values var2",
            '-var-create - * "dY"',
            "-gdb-exit",
        ]
        cls.output = run(["gdb", "-nx", "-q", "--interpreter=mi"],
            "\n".join(commands).encode() + b"\n")

    def test_F5_and_a_step_into_stand_on_a_gradient(self):
        self.assertNotIn("^error", self.output)
        self.assertRegex(self.output, r'stopped,reason="breakpoint-hit".*'
                                      r'func="stepgrad_backward_step"')
        self.assertRegex(self.output, r'stopped,reason="end-stepping-range".*'
                                      r'func="stepgrad::MeanBackward::backward"')
        self.assertRegex(self.output, r'level="3",[^}]*func="main"')

    def test_a_tensor_shows_its_line_and_its_rows(self):
        line = r"f32\[3, 4\] = 0.08333 0.08333 0.08333 [^{]*"
        self.assertRegex(self.output, r'name="var2",[^\n]*value="%s",[^\n]*has_more="1"' % line)
        self.assertRegex(self.output, r'numchild="7",children=\[child={name="var2.\[0\]",exp="\[0\]",'
                                      r'numchild="4"')
        self.assertRegex(self.output, r'exp="shape",numchild="0",value="\[3, 4\]"')
        for scalar in "var1", "var3":
            self.assertRegex(self.output, r'name="%s",numchild="0",value="f32\[\] = 1"' % scalar)

    def test_next_and_prev_backward_stop_once_and_say_why(self):
        stops = re.findall(r'(?m)^\*stopped,reason="(\S+?)".*?func="(.*?)"', self.output)
        self.assertEqual(stops[-2:], [("breakpoint-hit", "stepgrad::MulBackward::backward"),
            ("breakpoint-hit", "stepgrad::MeanBackward::backward")])
        self.assertEqual((self.output.count("*stopped"), len(stops)), (4, 4))
        self.assertIn("=>  #11  mean          #10 [3, 4]", self.output)


unittest.main()

"""What a release's archive holds, and what the workflows that publish call.

usage: release_test.py FOLDER TREE      unpacks the archive in FOLDER, for a test that compiles it
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import unittest

import yaml

# What workflows do around our scripts.
AROUND = ("apt-get update && apt-get install -y --no-install-recommends ca-certificates git procps",
    'git config --global --add safe.directory "$GITHUB_WORKSPACE"',
    'gh release create "$GITHUB_REF_NAME" --generate-notes dist/*')
TREE, FOLDER = pathlib.Path(sys.argv.pop()), pathlib.Path(sys.argv.pop())


class Release(unittest.TestCase):
    def test_the_archive_is_the_tree_below_a_folder_with_the_version(self):
        shutil.rmtree(FOLDER, ignore_errors=True)
        subprocess.run([TREE / ".scripts/release", FOLDER, "archive"], check=True)
        (file,) = FOLDER.glob("*.tar.gz")
        with tarfile.open(file) as archive:
            archive.extractall(FOLDER)
            files = {member.name for member in archive if member.isfile()}
        listed = subprocess.check_output(["git", "ls-files"], cwd=TREE, text=True).split("\n")
        self.assertEqual(files, {f"{file.name[:-7]}/{name}" for name in listed if (TREE / name).is_file()})
        self.assertIn(f"VERSION {file.name[9:-7]} ", (TREE / "CMakeLists.txt").read_text())

    def test_workflows_call_scripts_of_the_tree_and_nothing_else(self):
        rooms = {"demos/run": "--list", "tests/run": "--help"}
        known = {script: subprocess.check_output([TREE / script, option], text=True) for script, option in rooms.items()}
        for path in sorted((TREE / ".github/workflows").glob("*.yml")):
            for job in yaml.safe_load(path.read_text())["jobs"].values():
                kinds = job.get("strategy", {}).get("matrix", {}).get("include", [{}])
                for line in (line for step in job["steps"] for line in step.get("run", "").splitlines()):
                    if line in AROUND:
                        continue
                    for kind in kinds:
                        filled = re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda found: str(kind[found[1]]), line)
                        with self.subTest(path.name, line=filled):
                            script, *words = filled.removeprefix("bash ").split()
                            self.assertRegex(filled, r"^[\w./ -]+$")
                            self.assertTrue((TREE / script).is_file())
                            if script in known:
                                self.assertRegex(known[script], rf"(?m)^ *{words[0]}\b")

    def test_a_tag_names_the_version_of_the_tree(self):
        done = subprocess.run([TREE / ".scripts/release", FOLDER, "archive"], env={"GITHUB_REF": "refs/tags/v0.9.9"},
            stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("says 1.", done.stderr)


unittest.main()

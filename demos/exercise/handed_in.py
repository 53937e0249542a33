"""What a class has handed in: a folder with a file, folder or zip for each student."""

import io
import json
import os
import re
import stat
import unicodedata
import zipfile

from exercise import order

LARGEST = 1_000_000  # bytes of a file
MOST = 1000  # files of a folder or zip
MOST_ANSWERS = 5  # of a student to an exercise
CELL = "\n\n# %%\n"  # begins a cell, where checks.py runs them

LEFT_BY_SYSTEMS = re.compile(r"\..*|__MACOSX|Thumbs\.db|desktop\.ini|checks\.py|__pycache__")


def answered(file):
    """Who, which exercise and which kind a file's name says, or nothing: "mul_backward.cpp",
    "mul_backward (1).cpp", "Kim_mul_backward.ipynb"."""
    stem, ending = os.path.splitext(file)
    for name in sorted(order(), key=len, reverse=True):  # for some end with others
        found = re.fullmatch(rf"(?s)(?:(.+)[_-])?({name})(?: ?\(\d+\))?", stem)
        if found and ending.lower() in (".cpp", ".ipynb"):
            return *found.groups(), ending.lower()
    return None


def is_zip(name):
    return name.lower().endswith(".zip")


class Student:
    def __init__(self):
        self.answers = []  # (exercise, in_python, code)
        self.notes = []    # why something was not taken

    def add(self, name, in_python, code, where):
        if (name, in_python, code) in self.answers:
            return
        if sum(answer[0] == name for answer in self.answers) == MOST_ANSWERS:
            self.notes.append(f"{where}: more than {MOST_ANSWERS} answers to an exercise")
        else:
            self.answers.append((name, in_python, code))


def code_of(notebook):
    """The code of a notebook's cells, each behind CELL, without the lines that check it."""
    cells = json.loads(notebook)["cells"]
    code = CELL.join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    return re.sub(r"(?m)^(import checks *(#.*)?|print\(checks\.check\(.*)$", "", code)


def take(student, name, data, where):
    """A file's content, by its name."""
    _, exercise, kind = answered(name) or (None, None, None)
    try:
        if exercise and kind == ".cpp":
            student.add(exercise, False, data, where)
        elif exercise:
            student.add(exercise, True, code_of(data).encode(), where)
        elif name.lower().endswith(".json"):  # what a browser's tab hands in
            for exercise, code in json.loads(data)["answers"].items():
                if exercise not in order():
                    student.notes.append(f"{where}: there is no exercise '{exercise}'")
                elif not isinstance(code, str):
                    student.notes.append(f"{where}: {exercise} is no text")
                else:
                    student.add(exercise, True, code.encode(), where)
        elif is_zip(name):
            take_zip(student, data, where)
        else:
            student.notes.append(f"{where}: no exercise has this name")
    except Exception as error:  # of json, zipfile or what unpacks: the file is this student's alone
        student.notes.append(f"{where}: cannot be read ({type(error).__name__})")


def take_zip(student, data, where):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if len(archive.infolist()) > MOST:
            student.notes.append(f"{where}: holds too much")
            return
        for member in archive.infolist():
            *folders, name = member.filename.split("/")
            there = f"{where}: {member.filename}"
            if member.is_dir() or any(map(LEFT_BY_SYSTEMS.fullmatch, [*folders, name])):
                continue
            if stat.S_ISLNK(member.external_attr >> 16):
                student.notes.append(f"{there}: is a link")
            elif is_zip(name):
                student.notes.append(f"{there}: is a zip within a zip")
            else:
                try:
                    with archive.open(member) as file:
                        content = file.read(LARGEST + 1)
                except Exception as error:  # the others may be whole
                    student.notes.append(f"{there}: cannot be read ({type(error).__name__})")
                    continue
                if len(content) > LARGEST:
                    student.notes.append(f"{there}: is larger than a megabyte")
                else:
                    take(student, name, content, there)


def take_path(student, path, where, depth=0):
    """A file or folder, never what a link leads to."""
    name, about = os.path.basename(path), os.lstat(path)
    if depth and LEFT_BY_SYSTEMS.fullmatch(name):
        return
    if stat.S_ISLNK(about.st_mode) or (stat.S_ISREG(about.st_mode) and about.st_nlink > 1):
        student.notes.append(f"{where}: is a link")
    elif stat.S_ISDIR(about.st_mode):
        inside = sorted(os.listdir(path))
        if depth > 8 or len(inside) > MOST:
            student.notes.append(f"{where}: holds too much")
            return
        for each in inside:
            take_path(student, os.path.join(path, each), f"{where}/{each}" if depth else each,
                depth + 1)
    elif not stat.S_ISREG(about.st_mode):
        student.notes.append(f"{where}: is no file")
    elif about.st_size > (20 if is_zip(name) else 1) * LARGEST:
        student.notes.append(f"{where}: is larger than a megabyte")
    else:
        with open(path, "rb") as file:
            take(student, name, file.read(), where)


def handed_in(folder):
    """The students, by name. Each folder, zip and file in `folder` is somebody's."""
    students = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if LEFT_BY_SYSTEMS.fullmatch(name) or name.endswith(".csv"):
            continue
        who, is_file = name, not os.path.isdir(path)
        if is_file:
            said = answered(name)
            who = said[0] or name if said else os.path.splitext(name)[0]
        student = students.setdefault(unicodedata.normalize("NFC", who), Student())  # a Mac may cut letters up
        try:
            take_path(student, path, name if is_file else "", 0)
        except OSError as error:
            student.notes.append(f"{name}: {error.strerror}")
    return dict(sorted(students.items()))

"""What pip calls (PEP 517): CMake builds the module, and the wheel holds what CMake installs."""

import base64
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

TREE = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"VERSION ([\d.]+) LANGUAGES", (TREE / "CMakeLists.txt").read_text())[1]


# name: its package in Debian, for Homebrew, and in MSYS2 behind mingw-w64-clang-x86_64-
PACKAGES = {"g++": ("g++", "llvm", "clang"), "CMake": ("cmake",) * 3, "make": ("make", "make", "ninja"),
    "xsimd": ("libxsimd-dev", "xsimd", "xsimd"), "pybind11": ("pybind11-dev", "pybind11", "pybind11"),
    "Python.h": ("python3-dev", "python", "python")}
INSTALL = {"darwin": (1, "brew install", ""), "win32": (2, "pacman -S", "mingw-w64-clang-x86_64-")}


def there(header):
    places = [*os.environ.get("CPATH", "").split(os.pathsep), "/opt/homebrew/include", "/usr/local/include",
        "/usr/include", os.environ.get("MSYSTEM_PREFIX", "/usr") + "/include", sysconfig.get_path("include")]
    return any(os.path.exists(os.path.join(place, header)) for place in places if place)


def refuse_without_tools():
    found = {"g++": shutil.which(os.environ.get("CXX", "c++")), "CMake": shutil.which("cmake"),
        "make": shutil.which("make") or shutil.which("ninja"), "xsimd": there("xsimd/xsimd.hpp"),
        "pybind11": there("pybind11/pybind11.h"), "Python.h": there("Python.h")}
    missing = [name for name in found if not found[name]]
    if missing:
        column, command, prefix = INSTALL.get(sys.platform, (0, "sudo apt install", ""))
        sys.exit(f"stepgrad cannot be built without {', '.join(missing)}: "
            f"{command} {' '.join(prefix + PACKAGES[name][column] for name in missing)}")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds in build/pip, or with `--config-settings build-dir=FOLDER` there, where CMake has been run."""
    refuse_without_tools()
    build = (config_settings or {}).get("build-dir")
    commands = []
    if build is None:
        build = TREE / "build/pip"
        commands = [["-S", TREE, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF",
            f"-DSYSTEM_PYTHON={sys.executable}"]]
    with tempfile.TemporaryDirectory() as folder:
        commands += [
            ["--build", build, "--target", "stepgrad_python", "--parallel", str(os.cpu_count())],
            ["--install", build, "--component", "python", "--prefix", folder]]
        for command in commands:
            subprocess.run(["cmake", *command], check=True)
        (packages,) = pathlib.Path(folder).glob("lib/python*/dist-packages")
        return packed(packages, pathlib.Path(wheel_directory))


def packed(packages, wheel_directory):
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    system = sysconfig.get_platform().replace("universal2", platform.machine())  # what was built
    tag = f"{python}-{python}-{re.sub('[-.]', '_', system)}"
    info = packages / f"stepgrad-{VERSION}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: stepgrad\nVersion: {VERSION}\n"
        "Summary: An autograd engine that you can step through\n"
        f"Requires-Python: =={sys.version_info[0]}.{sys.version_info[1]}.*\n")
    (info / "WHEEL").write_text("Wheel-Version: 1.0\nGenerator: stepgrad\nRoot-Is-Purelib: false\n"
        f"Tag: {tag}\n")
    wheel = wheel_directory / f"stepgrad-{VERSION}-{tag}.whl"
    record = f"{info.name}/RECORD"
    lines = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(path for path in packages.rglob("*") if path.is_file()):
            name, content = path.relative_to(packages).as_posix(), path.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            lines.append(f"{name},sha256={digest},{len(content)}\n")
            file.write(path, name)
        file.writestr(record, "".join(lines) + f"{record},,\n")
    return wheel.name

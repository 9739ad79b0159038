# SPDX-License-Identifier: Apache-2.0
"""Time the object schema tool on 1,000 and 2,000 classes, and on 2.5 MB of C++.

    python bench/schema_bench.py [--rounds N]

Every row starts a new interpreter; the first row is the time of the interpreter alone. Some rows
also print a goal for their time. The goals hold for an idle machine.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILES, CLASSES = 20, 50
# The child processes run in another directory, so the path of the package must be absolute.
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.path.abspath(os.environ.get("PYTHONPATH", "."))}
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)  # byte code is cached, as for an installed package
HEAD = "from tvm_ffi.schema import Object, declare, field, module, ty\n"
CLASS = '''

@declare
class C{f:02d}x{c:02d}Node({parent}):
    """Class {c} of file {f}.

    Attributes
    ----------
    a{f}_{c}
        The first.
    b{f}_{c}
        The second.
    """

    type_key = "C{f:02d}x{c:02d}"
    a{f}_{c}: ty.int64_t
    b{f}_{c}: ty.Array[ty.String]
    c{f}_{c}: "ty.Optional[C{f:02d}x{half:02d}Node]" = field(default=None, kw_only=True)
'''


def schema_file(number: int, classes: int = CLASSES) -> str:
    """Return the text of schema file `number`.

    Class 0 of file 0 derives from ``Object``; class 0 of any other file derives from class 0 of
    file 0. Within a file, classes 1 to 7 derive from class 0, and each later class `c` derives from
    class ``c % 8``.
    """
    text = HEAD + ("from m00 import C00x00Node\n" if number else "")
    text += f'\n__tschema__ = module(namespace="big::m{number:02d}", '
    text += f'type_key_prefix="big.m{number:02d}.")\n'
    for c in range(classes):
        parent = f"C{number:02d}x{0 if c < 8 else c % 8:02d}Node" if c else "C00x00Node"
        if c == 0 and number == 0:
            parent = "Object"
        text += CLASS.format(f=number, c=c, parent=parent, half=c // 2)
    return text


def measure(command: list[str], cwd: Path, rounds: int, before=lambda: None) -> float:
    """Return the median wall time of a command in milliseconds; the first run is not counted."""
    times = []
    for _ in range(rounds + 1):
        before()
        start = time.perf_counter()
        done = subprocess.run(command, cwd=cwd, capture_output=True, check=False, env=ENVIRONMENT)
        times.append(1000 * (time.perf_counter() - start))
        if done.returncode:
            raise SystemExit(done.stderr.decode())
    return statistics.median(times[1:])


def measure_processor(command: list[str], cwd: Path, rounds: int, before=lambda: None) -> float:
    """Return the median processor time of a command and its children, in milliseconds."""
    times = []
    for _ in range(rounds):
        before()
        start = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=cwd, capture_output=True, check=True, env=ENVIRONMENT)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(1000 * (end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime))
    return statistics.median(times)


def write_schema(root: Path, classes: int = CLASSES) -> None:
    """Write a project of `FILES` files; each file has the given number of classes."""
    (root / "schema").mkdir(parents=True)
    for number in range(FILES):
        (root / f"schema/m{number:02d}.py").write_text(schema_file(number, classes))
    (root / "tschema.toml").write_text('outputs = ["cpp", "python"]\n')


def clean(root: Path) -> None:
    """Remove the generated files of a project."""
    for name in ("include", "src", "python", ".tschema"):
        shutil.rmtree(root / name, ignore_errors=True)


def edit(root: Path) -> None:
    """Change the documentation of one class."""
    path = root / "schema/m03.py"
    path.write_text(path.read_text().replace("Class 7 ", "Class 7 again "))


def main() -> None:
    """Run all measurements and print the table of results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    tool = [sys.executable, "-m", "tvm_ffi_schema"]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_schema(root)
        ENVIRONMENT["PYTHONPYCACHEPREFIX"] = str(root / "pycache")
        rows = [
            ("the interpreter alone", [sys.executable, "-c", "pass"], lambda: None, None),
            ("generate 1,000 classes", [*tool, "generate"], lambda: clean(root), 1000),
            ("generate, unchanged", [*tool, "generate"], lambda: None, 100),
            ("check, unchanged", [*tool, "check"], lambda: None, 100),
            ("generate, one class edited", [*tool, "generate"], lambda: edit(root), 300),
        ]
        for name, command, before, goal in rows:
            report(name, measure(command, root, rounds, before), goal)
        size = sum(p.stat().st_size for p in (*root.rglob("*.h"), *root.rglob("*.cc")))
        command = [*tool, "validate"]
        name = f"validate {size / 1e6:.1f} MB of C++"
        report(name, measure(command, root, rounds), 1500 * size / 2.5e6)
        large = root / "large"
        write_schema(large, 2 * CLASSES)
        generate = [*tool, "generate"]
        cold = measure_processor(generate, large, rounds, lambda: clean(large))
        warm = measure_processor(generate, large, rounds, lambda: edit(large))
        report("generate 2,000 classes, processor time", cold, None)
        report("one of 2,000 edited, processor time", warm, cold)
        report("load an image, 1,000 types", measure_image(tool, root, rounds), 10)


LOAD = """
import struct, sys, time, zlib
import tvm_ffi
load = tvm_ffi.get_global_func("ffi.schema.LoadImage")
image = open(sys.argv[1], "rb").read()
load(image, 1)
times = []
for number in range(int(sys.argv[2]) + 1):
    body = image[32:].replace(b"big.", b"b%02d." % number)  # other types each time
    fresh = image[:24] + struct.pack("<I", zlib.crc32(body)) + image[28:32] + body
    start = time.process_time()
    load(fresh, 0)
    times.append(time.process_time() - start)
print(1000 * min(times))
"""


def image_schema() -> str:
    """Return a schema of 1,000 classes with 6,000 fields."""
    text = HEAD + '\n__tschema__ = module(namespace="big", type_key_prefix="big.")\n'
    for c in range(1000):
        parent = f"C{(c - 1) // 8}Node" if c else "Object"
        text += f'\n@declare\nclass C{c}Node({parent}):\n    """Class {c}."""\n'
        text += f'    type_key = "C{c}"\n    a{c}: ty.int64_t\n    b{c}: ty.Array[ty.String]\n'
        for name, type_, default in (
            ("c", f'"ty.Optional[C{c // 2}Node]"', "default=None"),
            ("d", "ty.float64", "default=1.5"),
            ("e", "ty.String", 'default="x"'),
            ("f", "ty.Map[ty.String, ty.Any]", "default_factory=dict"),
        ):
            text += f"    {name}{c}: {type_} = field({default}, kw_only=True)\n"
    return text


def measure_image(tool: list[str], root: Path, rounds: int) -> float:
    """Return the minimum processor time of the registration of an image, in milliseconds."""
    (root / "big.py").write_text(image_schema())
    command = [*tool, "build", "big.py", "-o", "big.tfs", "-q"]
    subprocess.run(command, cwd=root, check=True, env=ENVIRONMENT)
    command = [sys.executable, "-c", LOAD, "big.tfs", str(rounds)]
    done = subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=False, env=ENVIRONMENT
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return float(done.stdout)


def report(name: str, milliseconds: float, goal: float | None) -> None:
    """Print one row of the table."""
    words = f"   goal {goal:6.0f} ms" if goal else ""
    print(f"{name:<42}{milliseconds:8.0f} ms{words}")


if __name__ == "__main__":
    main()

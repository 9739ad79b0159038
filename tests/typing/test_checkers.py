# SPDX-License-Identifier: Apache-2.0
"""Test that type checkers accept the programs in this directory, and find the marked mistakes.

Starting a checker takes seconds, so each checker reads all programs in one run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi

HERE = Path(__file__).parent
PACKAGE = Path(tvm_ffi.__file__).parents[1]
WRITTEN = ("client", "classes", "containers", "enums", "stub_client")
# Documents with a listing in the section about type checkers.
DOCUMENTS = ("dataclasses", "enums")
CORRECT = (*WRITTEN, *(f"document_{name}" for name in DOCUMENTS))
MISTAKEN = ("mistakes", "stub_mistakes")
CHECKERS = ("mypy", "pyright")

# An enum of another library, as input of the generator.
SHADES = """
from __future__ import annotations

from typing import ClassVar

from tvm_ffi.dataclasses import EnumObject, entry, py_enum


@py_enum("testing.Shade")
class Shade(EnumObject):
    depth: int
    dark: ClassVar[Shade] = entry(2)
    light: ClassVar[Shade] = entry(1)
"""

API = """
import shades

# tvm-ffi-stubgen(begin): import-section
# tvm-ffi-stubgen(end)
# tvm-ffi-stubgen(import-object): tvm_ffi.register_object;False;_FFI_REG_OBJ
# tvm-ffi-stubgen(import-object): tvm_ffi.dataclasses.c_enum;False;_FFI_REG_ENUM
# tvm-ffi-stubgen(import-object): tvm_ffi.dataclasses.Enum;False;_ffi_Enum
# tvm-ffi-stubgen(import-object): tvm_ffi.dataclasses.EnumObject;False;_ffi_EnumObject
# tvm-ffi-stubgen(import-object): ffi.Object;False;_ffi_Object
# tvm-ffi-stubgen(begin): global/testing
# tvm-ffi-stubgen(end)


@_FFI_REG_OBJ("testing.TestIntPair")
class TestIntPair(_ffi_Object):
    # tvm-ffi-stubgen(begin): object/testing.TestIntPair
    # tvm-ffi-stubgen(end)


@_FFI_REG_OBJ("testing.TestEnumVariant")
class TestEnumVariant(_ffi_Enum):
    # tvm-ffi-stubgen(begin): object/testing.TestEnumVariant
    # tvm-ffi-stubgen(end)


@_FFI_REG_ENUM("testing.Shade")
class Shade(_ffi_EnumObject):
    # tvm-ffi-stubgen(begin): object/testing.Shade
    # tvm-ffi-stubgen(end)
"""

# The declarations of PyTorch that the programs need.
TORCH = """
from typing import Any

class dtype:
    is_floating_point: bool
    itemsize: int

class Tensor:
    dtype: dtype
    def __dlpack__(self, stream: Any = None) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
"""


def command(name):
    """Return the path of a checker; the directory of the interpreter is searched first."""
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which(name, path=beside)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def run(*arguments, **environment):
    return execute(*arguments, status=None, env={**os.environ, **environment})


def listing(document):
    """Return the first program of the section about type checkers."""
    text = (HERE.parents[1] / "docs" / f"{document}.md").read_text()
    section = text.partition("\n## Type checkers\n")[2].partition("\n## ")[0]
    program = section.partition("```python\n")[2].partition("```")[0]
    assert program, document
    return program


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """Return a directory with all programs and their imports."""
    folder = tmp_path_factory.mktemp("programs")
    for name in (*WRITTEN, *MISTAKEN):
        shutil.copy(HERE / f"{name}.py", folder)
    for name in DOCUMENTS:
        (folder / f"document_{name}.py").write_text(listing(name))
    (folder / "shades.py").write_text(SHADES)
    (folder / "stub_api.py").write_text(API)
    (folder / "torch").mkdir()
    (folder / "torch" / "__init__.pyi").write_text(TORCH)
    stubgen = (sys.executable, "-m", "tvm_ffi.stub.cli", "--imports", "tvm_ffi.testing;shades")
    path = os.pathsep.join([str(PACKAGE), str(folder)])
    done = run(*stubgen, folder / "stub_api.py", PYTHONPATH=path)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def reported(programs, tmp_path_factory):
    """Return a function that runs a checker; it returns program -> error lines, and the output."""
    results = {}

    def report(checker):
        if checker not in results:
            scratch = tmp_path_factory.mktemp(checker)
            done = _mypy(programs, scratch) if checker == "mypy" else _pyright(programs, scratch)
            pattern = re.compile(r"(\w+)\.py:(\d+)(?::\d+)*(?::| -) error")
            found = [(m[1], int(m[2])) for m in map(pattern.search, done.splitlines()) if m]
            lines = {name: {n for file, n in found if file == name} for name, _ in found}
            results[checker] = (lines, done)
        return results[checker]

    return report


def _mypy(programs, scratch):
    # Like for an installed package, mypy does not report errors in the package itself.
    options = ("--strict", "--follow-imports=silent", "--python-version", "3.10")
    cache = ("--cache-dir", scratch, "--config-file", os.devnull)
    paths = [programs / f"{name}.py" for name in (*CORRECT, *MISTAKEN, "stub_api")]
    where = os.pathsep.join([str(PACKAGE), str(programs)])
    return run(command("mypy"), *options, *cache, *paths, MYPYPATH=where).stdout


def _pyright(programs, scratch):
    settings = {
        "include": [str(programs)],
        "extraPaths": [str(PACKAGE), str(programs)],
        "pythonVersion": "3.10",
        "typeCheckingMode": "standard",
    }
    (scratch / "pyrightconfig.json").write_text(json.dumps(settings))
    return run(command("basedpyright"), "-p", scratch / "pyrightconfig.json").stdout


@pytest.mark.parametrize("name", CORRECT)
def test_it_runs(name, programs):
    path = os.pathsep.join([str(PACKAGE), str(programs)])
    done = run(sys.executable, programs / f"{name}.py", PYTHONPATH=path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("name", [*CORRECT, "stub_api"])
def test_correct_programs_have_no_error(name, checker, reported):
    lines, output = reported(checker)
    assert name not in lines, output
    # Check that the checker ran: it must have found the mistakes in other programs.
    assert lines, output


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("name", MISTAKEN)
def test_every_mistake_is_reported(name, checker, reported):
    marks = ("# error", f"# {checker}: error")
    text = (HERE / f"{name}.py").read_text().splitlines()
    expected = {number for number, line in enumerate(text, 1) if line.endswith(marks)}
    lines, output = reported(checker)
    assert lines[name] == expected, output


def test_the_stub_has_no_constructor_of_an_enum(programs):
    text = (programs / "stub_api.py").read_text()
    shade = text[text.index("class Shade") :]
    assert "dark: ClassVar[Shade]" in shade
    assert "__init__" not in shade

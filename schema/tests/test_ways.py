# SPDX-License-Identifier: Apache-2.0
"""All ways to define a class: the tests in `ways/checks.py` run for each way.

The tests use the module `ways/model.py`, which is a prototype. The ways are the module alone, an
image, and libraries: from `promote`, from `build`, in the classic dialect, and from hand-written
C++ (`ways/by_hand.cc`). Each way runs in a separate process, which loads the image or library and
then imports the module. `tests/rust/test_schema.py` runs the tests for a library of generated Rust.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from running import execute

from tvm_ffi import libinfo
from tvm_ffi_schema.build import toolchain

from .conftest import needs_compiler

HERE = Path(__file__).parent / "ways"
CONFTEST = """
import os
import tvm_ffi

if os.environ["MODEL_LIBRARY"]:
    tvm_ffi.load_module(os.environ["MODEL_LIBRARY"])
"""
#: Name of the way -> arguments of the command that makes the image, the library or its C++.
BUILDS = {
    "python": [],
    "image": ["build", "-q", "model.py", "-o", "model.tfs"],
    "promoted": ["promote", "-q", "model.py", "--cpp", "native"],
    "built": ["build", "-q", "--debug", "model.py", "-o", "libmodel.so"],
    "classic": [
        *("build", "-q", "model.py", "-o", "libclassic.so", "--debug", "--dialect", "classic")
    ],
    "by hand": [],
}
#: Name of the way -> C++ file to compile, and the directories of its headers.
SOURCES = {
    "promoted": ("native/src/model.cc", ["native/include"]),
    "by hand": (str(HERE / "by_hand.cc"), []),
}


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}


def _run(command: list[str], root: Path, **more: str) -> str:
    done = execute(sys.executable, *command, cwd=root, env={**_environment(), **more})
    return done.stdout


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Return a directory with a copy of `model.py`, and of `checks.py` as `test_model.py`."""
    path = tmp_path_factory.mktemp("ways")
    shutil.copy(HERE / "model.py", path / "model.py")
    shutil.copy(HERE / "checks.py", path / "test_model.py")
    (path / "conftest.py").write_text(CONFTEST)
    return path


def _made(way: str, root: Path) -> str:
    """Make the image or library of a way and return its path; empty for the module alone."""
    command = BUILDS[way]
    if command:
        _run(["-m", "tvm_ffi_schema", *command], root)
    if way in SOURCES:
        return _compiled(way, root)
    return str(root / command[command.index("-o") + 1]) if command else ""


def _compiled(way: str, root: Path) -> str:
    source, headers = SOURCES[way]
    library = root / f"lib{way.replace(' ', '_')}.so"
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O0", "-shared", "-fPIC"]
    command = [*(toolchain.find() or []), *flags]
    paths = [*headers, libinfo.find_include_path(), libinfo.find_dlpack_include_path()]
    execute(*command, *(f"-I{path}" for path in paths), source, "-o", str(library), cwd=root)
    return str(library)


@pytest.mark.spec("SC66")
@pytest.mark.parametrize(
    "way",
    [
        "python",
        "image",
        *(
            pytest.param(way, marks=needs_compiler)
            for way in ("promoted", "built", "classic", "by hand")
        ),
    ],
)
def test_every_way_to_the_classes_behaves_the_same(way, root):
    library = _made(way, root)
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "test_model.py"]
    out = _run([*command, f"--rootdir={root}"], root, MODEL_LIBRARY=library, MODEL_WAY=way)
    assert " passed" in out and " skipped" not in out, out
    assert (" xfailed" in out) == (way == "classic"), out
    if library.endswith(".so"):
        _run(["-m", "tvm_ffi_schema", "validate", "-q", "model.py", "--lib", library], root)
    if way in SOURCES:
        (root / "by_hand.toml").write_text('namespace = "ways"\n')
        options = ["--config", "by_hand.toml"] if way == "by hand" else []
        cpp = "native" if way == "promoted" else SOURCES[way][0]
        command = ["-m", "tvm_ffi_schema", "validate", "-q", "model.py", *options]
        _run([*command, "--cpp", cpp], root)


@pytest.mark.spec("SC65")
def test_both_readers_read_the_prototype_alike(root):
    texts = [
        _run(["-m", "tvm_ffi_schema", "export", "-q", "--frontend", frontend, "model.py"], root)
        for frontend in ("static", "import")
    ]
    assert texts[0] == texts[1]
    assert texts[0].count('"type_key": ') >= 30

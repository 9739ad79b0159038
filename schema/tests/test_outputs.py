# SPDX-License-Identifier: Apache-2.0
"""Compare every output with its expected file, and check bindings and stubs with a type checker.

With ``TSCHEMA_GOLDEN=write``, the tests overwrite the expected files.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CORPUS = sorted((HERE / "corpus").glob("*.py"))
OUTPUTS = "cpp,python,pyi,docs,json"


@pytest.fixture(params=["modern", "classic"])
def everything(project, request):
    for path in CORPUS:
        project.write(f"schema/{path.name}", path.read_text())
    arguments = ["generate", "-q", "--to", OUTPUTS, "--dialect", request.param]
    assert project.run(*arguments) == 0, project.err
    return project, request.param


@pytest.mark.spec("SC14", "SC15", "SC19", "SC20", "SC21", "SC23", "SC26", "SC31", "SC39", "SC42")
@pytest.mark.spec("SC43", "SC48", "SC50", "SC52", "SC55", "SC57", "SC59", "SC68", "SC92.1")
@pytest.mark.spec("SC94")
def test_reviewed_files(everything):
    project, dialect = everything
    made = {n: d for n, d in project.files().items() if not n.startswith("schema/")}
    folder = HERE / "golden" / dialect
    if os.environ.get("TSCHEMA_GOLDEN") == "write":
        shutil.rmtree(folder, ignore_errors=True)
        for name, data in made.items():
            path = folder / (name + ".txt")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    known = {
        str(path.relative_to(folder))[: -len(".txt")]: path.read_bytes()
        for path in folder.rglob("*.txt")
    }
    assert sorted(made) == sorted(known)
    for name, data in made.items():
        assert data.decode() == known[name].decode(), name


@pytest.mark.spec("SC70", "SC88", "SC104.3")
def test_all_outputs_are_stable(everything):
    project, dialect = everything
    before = project.files()
    (project.root / ".tschema/cache").unlink()
    for command in ("generate", "check"):
        assert project.run(command, "--to", OUTPUTS, "--dialect", dialect) == 0, project.out
    assert project.files() == before
    assert project.run("generate", "--to", OUTPUTS, "--dialect", dialect, "--normalize") == 0
    assert project.files() == before


@pytest.mark.spec("SC27", "SC46", "SC92", "SC92.6")
def test_bindings_and_stubs_pass_the_type_checker(everything):
    pytest.importorskip("mypy")
    project, _ = everything
    package = project.root / "python"
    stub = package / "tvm_ffi"
    stub.mkdir()
    (stub / "__init__.pyi").write_text(
        "from typing import Any\nclass Object: ...\nclass Tensor: ...\nclass Module: ...\n"
        + "".join(
            f"class {name}:\n    def __init__(self, value: Any) -> None: ...\n"
            for name in ("dtype", "Device", "Shape")
        )
    )
    (stub / "dataclasses.pyi").write_text(
        "from dataclasses import KW_ONLY as KW_ONLY\n"
        "from typing import Any, Callable, TypeVar\n"
        "from typing_extensions import dataclass_transform\n"
        "from . import Object\nT = TypeVar('T')\n"
        "class EnumObject(Object):\n"
        "    def __init_subclass__(cls, type_key: str = '') -> None: ...\n"
        "    @classmethod\n    def get(cls: type[T], key: Any) -> T: ...\n"
        "class Enum(EnumObject): ...\nclass IntEnum(Enum): ...\nclass StrEnum(Enum): ...\n"
        "def c_enum(key: str) -> Callable[[T], T]: ...\n"
        "def field(*, default: Any = ..., default_factory: Any = ..., init: bool = True)"
        " -> Any: ...\n"
        "@dataclass_transform(field_specifiers=(field,))\n"
        "def c_class(key: str) -> Callable[[T], T]: ...\n"
    )
    (package / "__init__.py").write_text("")
    for suffix in ("py", "pyi"):
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--no-error-summary"]
            + ["--disable-error-code=no-untyped-def", "--cache-dir", str(project.root / "cache")]
            + [str(path) for path in sorted(package.glob(f"_*.{suffix}")) if "__" not in path.name],
            cwd=project.root,
            env={"MYPYPATH": str(package), "PATH": os.environ.get("PATH", "")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.spec("SC94")
def test_documents_escape_what_they_show(project):
    text = '@declare\nclass PNode(Object):\n    """A <b> | & "c"."""\n    type_key = "t.P"\n'
    project.schema(text + "    #: One | two <i>.\n    x: 'int | str' = 1\n")
    assert project.run("generate", "-q", "--to", "docs") == 0, project.err
    assert "int64_t \\| String" in project.read("docs/ir.md")

# SPDX-License-Identifier: Apache-2.0
"""Generated C++ compiles without warnings, and `validate` finds that it agrees with the schema."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi import libinfo
from tvm_ffi_schema.build import toolchain
from tvm_ffi_schema.diag import Bag
from tvm_ffi_schema.link import layout, reader

CORPUS = Path(__file__).parent / "corpus"
WRITTEN = Path(__file__).parent / "handwritten"
pytestmark = pytest.mark.skipif(toolchain.find() is None, reason="no C++ compiler")


INCLUDE = Path(libinfo.find_include_path()) / "tvm/ffi"
NEEDS = {"classic": "compat/classic.h", "enums": "reflection/enum_entry.h"}


@pytest.mark.spec("SC14", "SC23", "SC28", "SC40", "SC55", "SC56", "SC68", "SC71", "SC76")
@pytest.mark.parametrize("dialect", ["modern", "classic"])
@pytest.mark.parametrize("name", ["values", "shapes", "enums", "members", "corners"])
def test_corpus_compiles(project, name, dialect):
    for word in (name, dialect):
        if word in NEEDS and not (INCLUDE / NEEDS[word]).exists():
            pytest.skip(f"there is no {NEEDS[word]} yet")
    for path in CORPUS.glob("*.py"):
        project.write(f"schema/{path.name}", path.read_text())
    for header in ("scope", "span"):
        project.write(f"include/corpus/{header}.h", (WRITTEN / f"{header}.h.txt").read_text())
    project.write("tschema.toml", f'dialect = "{dialect}"\n')
    assert project.run("generate", "-q") == 0, project.err
    source = project.read(f"src/{name}.cc")
    project.write(f"src/{name}.cc", source + layout_asserts(name))
    project.compile(f"src/{name}.cc")


def layout_asserts(name: str) -> str:
    """Return C++ that compares the sizes of the classes of a file with the computed layout."""
    bag = Bag()
    program = reader.linked(reader.read(sorted(map(str, CORPUS.glob("*.py"))), bag), bag)
    lines = []
    for cls in program.order:
        found = layout.compute(cls, program)
        if cls.module.stem == name and not found.opaque:
            lines.append(f"static_assert(sizeof(::{cls.namespace}::{cls.obj}) == {found.size});\n")
    return "".join(lines)


USE = """
import sys
import tvm_ffi
tvm_ffi.load_module(sys.argv[1])
from tvm_ffi import core
info = core._lookup_or_register_type_info_from_type_key("corpus.Defaults")
print([(f.name, f.offset, f.size) for f in info.fields])
"""


@pytest.mark.spec("SC10", "SC76")
def test_built_library_has_the_fields_and_offsets_of_the_layout(project):
    for name in ("values", "shapes"):
        project.write(f"schema/{name}.py", (CORPUS / f"{name}.py").read_text())
    assert project.run("build", "schema/values.py", "-o", "libvalues.so", "-q") == 0, project.err
    assert not list(project.root.glob("*.tmp*"))
    library = str(project.root / "libvalues.so")
    done = execute(
        *(sys.executable, "-c", USE, library),
        env={**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1]), "PATH": ""},
    )
    fields = eval(done.stdout)
    bag = Bag()
    program = reader.linked(reader.read([str(CORPUS / "values.py")], bag), bag)
    slots = layout.compute(program.classes["corpus.Defaults"], program).slots
    assert fields == [(s.name, s.offset, s.size) for s in slots]


@pytest.mark.spec("SC10", "SC103.1")
def test_object_file(project):
    project.schema(
        '@declare\nclass PNode(Object):\n    """A."""\n    type_key = "t.P"\n    x: int\n'
    )
    assert project.run("build", "-o", "p.o", "-q", "--debug") == 0, project.err
    assert (project.root / "p.o").read_bytes()[:4] == b"\x7fELF" or sys.platform != "linux"


def test_compiler_that_fails(project, monkeypatch):
    text = '@declare\nclass PNode(Object):\n    type_key = "t.P"\n    x: int = cpp("nonsense(")\n'
    project.schema(text)
    assert project.run("build", "-o", "p.so") == 5
    assert project.ids() == ["TS602"]
    monkeypatch.setenv("CXX", "/nowhere/c++")
    assert project.run("build", "-o", "p.so") == 5
    assert project.ids() == ["TS601"]
    assert project.run("build", "-o", "p.exe") == 2
    assert project.ids() == ["TS610"]
    assert not (project.root / "p.so").exists()


SIGNATURES = '''
@declare
class ANode(Object):
    """Its methods name containers of itself, and of a class that comes later."""
    type_key = "sig.A"
    x: int = 0
    @method
    def all(self, given: "ty.Array[ANode]", more: "ty.Map[str, BNode]" = {}) -> "list[ANode]": ...
    @method
    def each(self, f: "ty.Function[[ty.Array[ANode]], None]") -> "ty.Optional[ty.Array[BNode]]": ...
    @method
    def either(self, one: "ANode | int", two: "ty.Tuple[ANode, ty.Optional[BNode]]") -> "BNode": ...
    @method
    def over(self, given: "ty.Array[ANode]") -> int: ...
    @method
    def over(self, given: int) -> int: ...

@declare
class BNode(Object):
    """Made by hand of others."""
    type_key = "sig.B"
    a: ANode
    @method
    def __init__(self, parts: "ty.Array[BNode]", a: ANode) -> None: ...
'''


@pytest.mark.spec("SC56")
@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_methods_name_containers_of_classes_that_are_not_complete(project, dialect):
    """An earlier version used containers of incomplete classes in signatures, as C++ forbids."""
    project.schema(SIGNATURES)
    assert project.run("generate", "-q", "--dialect", dialect) == 0, project.err
    project.compile("src/ir.cc")
    assert project.run("validate") == 0, project.err

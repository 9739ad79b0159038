# SPDX-License-Identifier: Apache-2.0
"""`promote`: the C++ of classes that are defined in Python."""

from __future__ import annotations

import pytest

from tvm_ffi_schema.build import toolchain

POINT = '''
from __future__ import annotations

from typing import Optional

from tvm_ffi import Object, _native
from tvm_ffi.dataclasses import KW_ONLY, c_class, field, py_class

_native.load_testing_library()


@c_class("testing.TestIntPair")
class Native(Object):
    pass


@py_class("geo.Point", native="auto")
class Point(Object):
    """A point.

    Attributes
    ----------
    x
        Right.
    """

    x: float
    y: float = 0.0
    parent: Optional[Point] = None
    names: list[str] = field(default_factory=list)
    _: KW_ONLY
    z: int = 0

    def norm(self) -> float:
        return (self.x**2 + self.y**2) ** 0.5
'''


@pytest.mark.spec("SC65")
def test_python_classes_are_a_source(project):
    project.write("geo.py", POINT)
    assert project.run("promote", "geo.py", "--cpp", "native") == 0, project.err
    header = project.read("native/include/geo.h")
    assert "class PointNode : public ::tvm::ffi::Object" in header
    assert "Native" not in header
    assert "geo.Point.norm stays in Python" in project.out
    assert "geo.Point.parent moves from 40 (16 bytes) to 40 (8)" in project.out
    assert "geo.Point.names moves from 56 (8 bytes) to 48 (8)" in project.out
    assert project.read("geo.py") == POINT
    if toolchain.find() is not None:
        project.write("include/geo.h", header)
        project.compile("native/src/geo.cc")


TWO = """
import os
from typing import Optional
from tvm_ffi import Object
from tvm_ffi.dataclasses import auto_class

@auto_class("two.Base")
class Base(Object):
    x: int

@auto_class("two.Leaf")
class Leaf(Object):
    base: "Optional[Base]" = None

@auto_class("two.Other")
class Other(Base):
    y: float
"""


@pytest.mark.spec("SC67")
@pytest.mark.parametrize("frontend", ["static", "import"])
def test_one_class_of_a_module_with_what_it_needs(project, frontend):
    project.write("pkg/__init__.py", "")
    text = TWO if frontend == "static" else TWO.replace("import os\n", "import os\nos.getcwd()\n")
    project.write("pkg/two.py", text)
    command = ("promote", "--frontend", frontend, "--cpp", "native")
    assert project.run(*command, "pkg.two:Leaf") == 0, project.err
    header = project.read("native/include/two.h")
    assert "class BaseNode" in header and "class LeafNode" in header
    assert "Other" not in header
    assert project.run(*command, "pkg.two:Leef") == 3
    assert "there is no class 'Leef'" in project.err and "Leaf" in project.err
    assert project.run("promote", "--cpp", "native", "pkg.three") == 2


@pytest.mark.spec("SC65")
def test_both_spellings_mean_the_same(project):
    head = "from typing import Optional\nfrom tvm_ffi.dataclasses import py_class, field\n"
    head += "from tvm_ffi import Object\n"
    body = "    x: float\n    y: 'Optional[int]' = None\n"
    project.write("a/ir.py", head + '@py_class("t.P")\nclass PNode(Object):\n' + body)
    settings = "    type_key = 't.P'\n    structural_eq = 'tree'\n    mutable = True\n"
    settings += "    nullable = False  # tschema: allow TS026 -- what a prototype may do\n"
    project.schema(
        "from typing import Optional\n@declare\nclass PNode(Object):\n" + settings + body, "b/ir.py"
    )
    texts = []
    for folder in "ab":
        assert project.run("export", "-q", f"{folder}/ir.py") == 0, project.err
        texts.append(project.out)
    assert texts[0] == texts[1]


def test_broken_files_are_refused(project):
    project.write("geo.py", "class (")
    assert project.run("promote", "geo.py", "--cpp", "native") == 3
    assert project.run("promote", "nowhere.py", "--cpp", "native") == 2
    assert list(project.files()) == ["geo.py"]

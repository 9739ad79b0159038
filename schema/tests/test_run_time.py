# SPDX-License-Identifier: Apache-2.0
"""Definitions that are used at run time and as a schema: `native="auto"`."""

from __future__ import annotations

import sys

import pytest
from running import execute

import tvm_ffi
from tvm_ffi.dataclasses import SchemaMismatchError, auto_class, py_class

POINT = '''
from __future__ import annotations
from typing import Optional
from tvm_ffi import Object
from tvm_ffi.dataclasses import DECORATOR, field

@DECORATOR("rt.geo.Point", OPTION)
class Point(Object):
    """A point."""
    x: float
    y: float = 0.0
    parent: Optional[Point] = None
    names: list[str] = field(default_factory=list)

    def norm(self) -> float:
        return (self.x**2 + self.y**2) ** 0.5
'''
USE_POINT = """
import sys
import tvm_ffi
if sys.argv[1]:
    tvm_ffi.load_module(sys.argv[1])
from geo import Point
p = Point(3.0, 4.0, Point(1), names=["a"])
p.names.append("b")
print(p, p.norm(), list(p.names), p.parent.parent, Point(1, names=[]).names)
print(tvm_ffi.structural_equal(p, Point(3, 4, Point(1), names=["a", "b"])))
for wrong in ((), ("x",), (1, 2, 3)):
    try:
        Point(*wrong)
    except TypeError as error:
        print("refused")
"""


@pytest.mark.spec("SC66")
@pytest.mark.parametrize("decorator", ['py_class|native="auto"', "auto_class|"])
def test_promotion_without_a_rewrite(project, decorator):
    word, option = decorator.split("|")
    text = POINT.replace("DECORATOR", word).replace("OPTION", option)
    project.write("geo.py", text.replace(", )", ")"))
    assert project.run("build", "-q", "geo.py", "-o", "geo.tfs") == 0, project.err
    outs = []
    for library in ("", "./geo.tfs"):
        command = [sys.executable, "-c", USE_POINT, library]
        done = execute(*command, cwd=project.root)
        outs.append(done.stdout)
    assert outs[0] == outs[1] and "refused" in outs[0]


@pytest.mark.spec("SC66")
def test_a_declaration_that_differs_is_shown_beside_the_library(project):
    text = POINT.replace("DECORATOR", "py_class").replace(", OPTION", "")
    project.write("geo.py", text.replace("rt.geo", "rt.differ"))
    assert project.run("build", "-q", "geo.py", "-o", "geo.tfs") == 0, project.err
    tvm_ffi.load_module(str(project.root / "geo.tfs"))
    with pytest.raises(SchemaMismatchError) as caught:

        @auto_class("rt.differ.Point", structural_eq="var")
        class Point(tvm_ffi.Object):
            x: int
            z: float = 0.0
            unknown: Nowhere  # noqa: F821

    lines = [" ".join(line.split()) for line in str(caught.value).splitlines()]
    assert lines[0] == "the native class 'rt.differ.Point' differs from its declaration:"
    assert lines[2:6] == [
        "structural_eq var tree",
        "field 1 x: int x: float",
        "field 2 z: float y: float",
        "field 3 unknown: ? parent: rt.differ.Point | None",
    ]
    assert lines[6].startswith("field 4 nothing names: ")
    assert "tvm-ffi-schema promote" in lines[7]


def test_keys_that_python_has_are_not_taken_for_native_ones():
    @py_class("rt.mine.Point", native="auto")
    class Point(tvm_ffi.Object):
        x: int

    assert Point(1).x == 1
    with pytest.raises(ValueError, match="already registered"):

        @py_class("rt.mine.Point", native="auto")
        class Again(tvm_ffi.Object):
            x: int

    with pytest.raises(ValueError, match="native must be None or 'auto', got 'always'"):
        py_class("rt.mine.Other", native="always")

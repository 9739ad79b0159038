# SPDX-License-Identifier: Apache-2.0
"""Test `python_text`, which writes types, signatures and imports of generated Python code."""

from __future__ import annotations

import pytest

from tvm_ffi.stub import python_text
from tvm_ffi.stub.python_text import Parameter


@pytest.mark.parametrize(
    ("members", "text"),
    [
        (["int"], "int"),
        (["None", "int"], "int | None"),
        (["int", "str", "int"], "int | str"),
        (["None"], "None"),
    ],
)
def test_unions(members, text):
    assert python_text.union(members) == text


def test_types_with_arguments():
    assert python_text.generic("list", []) == "list"
    assert python_text.generic("dict", ["str", "int"]) == "dict[str, int]"
    assert python_text.callable_type("Callable", "int", None) == "Callable[..., int]"
    assert python_text.callable_type("Callable", "int", []) == "Callable[[], int]"


@pytest.mark.spec("TOOL-TO19")
def test_parameters_stand_behind_a_star_where_they_want_their_names():
    own = [Parameter("a", "int"), Parameter("b", "str", "..."), Parameter("c", "T", "1", True)]
    assert python_text.parameter_list(own) == [
        *("self", "a: int", "b: str = ...", "*", "c: T = 1"),
    ]
    assert python_text.parameter_list(own[2:] * 2, "") == ["*", "c: T = 1", "c: T = 1"]


def test_signature_that_is_too_wide_is_broken():
    short = ["def f(self) -> int: ..."]
    assert python_text.function("f", ["self"], "int", width=23) == short
    assert python_text.function("f", ["self"], "int", width=22) == [
        "def f(",
        "    self,",
        ") -> int: ...",
    ]
    assert python_text.function("f", [], "int", is_static=True)[0] == "@staticmethod"


@pytest.mark.spec("TOOL-TO19")
def test_imports():
    assert python_text.import_lines({"b": {"y", "x as z"}, "": {"a"}, ".c": ["d"]}) == [
        *("import a", "from .c import d", "from b import x as z, y"),
    ]

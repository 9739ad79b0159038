# SPDX-License-Identifier: Apache-2.0
"""Test that the decorators of classes have the options that type checkers know."""

import inspect

import pytest

from tvm_ffi.dataclasses import c_class, py_class
from tvm_ffi.dataclasses import native as native_classes
from tvm_ffi.dataclasses.options import ClassOptions, MemberOptions, PyClassOptions


@pytest.mark.parametrize(
    ("decorator", "options"), [(py_class, PyClassOptions), (c_class, MemberOptions)]
)
def test_a_decorator_has_the_options_of_the_list(decorator, options):
    parameters = inspect.signature(decorator).parameters.values()
    names = {p.name: p.annotation for p in parameters if p.kind is p.KEYWORD_ONLY}
    names.pop("type_key", None)
    expected = {name: kind.__forward_arg__ for name, kind in options.__annotations__.items()}
    assert {name: str(kind) for name, kind in names.items()} == expected


def test_the_lists_extend_each_other():
    assert set(MemberOptions.__annotations__) < set(ClassOptions.__annotations__)
    assert set(ClassOptions.__annotations__) < set(PyClassOptions.__annotations__)


def test_a_class_that_is_bound_to_a_library_reads_only_known_options():
    assert set(native_classes._BOUND_OPTIONS) <= set(MemberOptions.__annotations__)

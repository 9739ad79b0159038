# SPDX-License-Identifier: Apache-2.0
"""Test the text and the HTML of modules: path and functions."""

from __future__ import annotations

import sys

import pytest

import tvm_ffi
from tvm_ffi import _ffi_api, libinfo
from tvm_ffi._display import module as display

NAMES = ["testing_dll_schema_id_int", "testing_dll_test_add_with_docstring"]

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads the tables of ELF files")


@pytest.fixture(scope="module")
def module():
    tvm_ffi.system_lib("testing.")  # The call loads the library of test functions.
    path = libinfo.find_libtvm_ffi().replace("libtvm_ffi", "libtvm_ffi_testing")
    return tvm_ffi.load_module(path)


@linux
def test_path_and_functions(module):
    path = _ffi_api.ModuleGetPath(module)
    assert path.startswith("/") and path.endswith("libtvm_ffi_testing.so")
    assert (
        repr(module)
        == str(module)
        == (f"ffi.Module(kind='library', path={str(path)!r}, functions=[{', '.join(NAMES)}])")
    )


@linux
def test_names_are_those_that_can_be_looked_up(module):
    names = _ffi_api.ModuleGetFunctionNames(module)
    assert list(names) == NAMES
    assert all(module.implements_function(name) for name in names)
    assert set(NAMES) <= set(dir(module))


def test_modules_without_a_file():
    module = tvm_ffi.system_lib("test.display.")
    assert repr(module) == "ffi.Module(kind='library')"
    assert module._repr_html_() is None
    assert _ffi_api.ModuleGetPath(module) is None
    assert "get_function" in dir(module)


def test_an_empty_module():
    empty = tvm_ffi.Module.__new__(tvm_ffi.Module)
    assert repr(empty) == "Module(chandle=None)"
    assert "get_function" in dir(empty)
    assert empty._repr_html_() is None


def test_inside_of_others_the_published_text_stays(module):
    assert repr(tvm_ffi.Array([module])) == "(ffi.Module(imports_=()),)"
    assert tvm_ffi.format_full(module) == "ffi.Module(imports_=())"


@linux
def test_many_functions_are_bounded(module, monkeypatch):
    names = [f"f{i}" for i in range(500)]
    monkeypatch.setattr(display, "function_names", lambda module: names)
    assert repr(module).endswith(", f18, f19, ...; length 500])")
    html = module._repr_html_()
    assert html.count("<tr>") == 201
    assert "300 more functions" in html


@linux
def test_table_of_functions(module):
    html = module._repr_html_()
    assert html.count("<tr>") == 3
    assert "2 functions" in html
    assert "Add two integers and return the sum." in html


@linux
def test_everything_is_escaped(module, monkeypatch):
    monkeypatch.setattr(display, "function_names", lambda module: ["<p>f</p>"])
    monkeypatch.setattr(display, "_described", lambda module, name: ("(<i>)", "<u>doc</u>"))
    html = module._repr_html_()
    for tag in ("<p>", "<i>", "<u>"):
        assert tag not in html


@linux
def test_a_function_that_cannot_be_described_is_listed(module, monkeypatch):
    monkeypatch.setattr(display, "function_names", lambda module: ["absent"])
    assert "AttributeError: Module has no function" in module._repr_html_()


def test_a_text_that_fails_is_that_of_other_objects(module, monkeypatch):
    def fail(module):
        raise RuntimeError("no names")

    monkeypatch.setattr(display, "function_names", fail)
    assert repr(module) == "ffi.Module(imports_=())"

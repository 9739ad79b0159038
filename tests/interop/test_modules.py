# SPDX-License-Identifier: Apache-2.0
"""Test that one side calls and imports module classes of the other side; test context symbols."""

from __future__ import annotations

import pytest


@pytest.mark.spec("SY2")
def test_the_virtual_functions_are_where_they_should_be(load, maker, reader):
    module = load("modules", maker)["make_module"]("known")
    seen = load("modules", reader)["look_at"](module)
    assert [seen[i] for i in range(len(seen))] == [
        f"names_{maker}",
        2,
        0,
        "fmt:known",
        0,
        f"Module[names_{maker}] does not support WriteToFile",
        b"known",
    ]


@pytest.mark.spec("SY2")
def test_functions_are_found_in_imports(load, maker, reader):
    one, other = load("modules", maker), load("modules", reader)
    outer, inner = one["make_module"]("outer"), other["make_module"]("inner")
    other["import_into"](outer, inner)
    assert other["call_of"](outer, "inner", False) is None
    assert other["call_of"](outer, "inner", True) == f"inner of {reader}"
    assert one["call_of"](outer, "outer", False) == f"outer of {maker}"
    assert one["doc_of"](outer, "inner") == "doc of inner"
    assert one["implements"](outer, "inner")
    with pytest.raises(RuntimeError, match="Cyclic dependency detected during import"):
        one["import_into"](inner, outer)
    one["clear"](outer)
    assert one["call_of"](outer, "inner", True) is None


@pytest.mark.spec("Y22")
def test_compiled_code_finds_functions_of_its_librarys_imports(load, maker, reader):
    library, other = load("modules", maker), load("modules", reader)
    name = f"import_{maker}_{reader}"
    other["import_into"](library, other["make_module"](name))
    assert library["call_import"](name) == f"{name} of {reader}"
    with pytest.raises(RuntimeError, match="Cannot find function missing in the imported modules"):
        library["call_import"]("missing")
    load("modules", reader)["clear"](library)


def test_libraries_are_loaded_by_clients(load, clients, reader, maker):
    loaded = load("modules", reader)["load"](str(clients / f"libvalues_{maker}.so"))
    assert loaded["check_int"](loaded["make_int"]())


def test_context_symbols_reach_libraries_loaded_later(load, clients, tmp_path, maker, reader):
    values = load("values", maker)
    load("modules", maker)["register_context_symbol"](values["make_pointer"]())
    assert load("modules", reader)["visits_context_symbol"](values["make_pointer"]())
    # The copy has another name, so the loader loads it as a new library.
    copied = tmp_path / "libcopied.so"
    copied.write_bytes((clients / f"libmodules_{reader}.so").read_bytes())
    late = load("modules", maker)["load"](str(copied))
    assert values["check_pointer"](late["context_symbol"]())


def test_the_system_library_is_one(load, maker, reader):
    prefix = f"interop_{maker}_{reader}_"
    load("modules", maker)["register_system_function"](f"{prefix}answer")
    assert load("modules", reader)["call_system_function"](prefix, "answer") == 77
    assert load("modules", reader)["call_system_function"](prefix, "other") is None

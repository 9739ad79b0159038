# SPDX-License-Identifier: Apache-2.0
"""Test the generated C++ structs through which C++ code reads the fields of registered objects."""

from __future__ import annotations

import re
import shutil
import subprocess
import types
from typing import Optional

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import libinfo
from tvm_ffi.core import TypeSchema
from tvm_ffi.stub import cpp, view_text
from tvm_ffi.stub.cpp import gen_abi_cpp
from tvm_ffi.stub.cpp_types import BaseType, CarrierTable, escape_identifier, quote_key, struct_name

needs_compiler = pytest.mark.skipif(
    not (shutil.which("c++") and shutil.which("ninja")), reason="needs c++ and ninja"
)
KEYS = ["testing.TestObjectDerived", "testing.TestObjectPtrHolder", "testing.TestIntPair"]


def field(name, schema, size, alignment=8, offset=24, index=-1, dataclass_field=None):
    """Make an object with the reflection data of a field."""
    metadata = {} if schema is None else {"type_schema": schema}
    return types.SimpleNamespace(
        name=name,
        metadata=metadata,
        size=size,
        alignment=alignment,
        offset=offset,
        field_static_type_index=index,
        dataclass_field=dataclass_field,
    )


def carrier(schema, size, alignment=8, is_python=False, index=-1):
    table = CarrierTable()
    return table.of_field("a.B", field("f", schema, size, alignment, index=index), is_python).text


# ---- the complete header ----


@pytest.mark.spec("TOOL-W4")
@needs_compiler
def test_header_compiles(tmp_path):
    (tmp_path / "view.h").write_text(gen_abi_cpp([*KEYS, "testing.TestCxxAutoInit*"]))
    path = tmp_path / "view.cc"
    path.write_text('#include "view.h"\nint main() {}\n')
    include = f"-I{libinfo.find_include_path()}"
    command = ["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", include]
    subprocess.run([*command, str(path)], check=True)


@pytest.mark.spec("TOOL-W5")
@needs_compiler
def test_live_objects_are_read_through_the_structs(tmp_path, monkeypatch):
    from tvm_ffi.cpp import load_inline

    monkeypatch.setenv("TVM_FFI_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "view.h").write_text(gen_abi_cpp(KEYS))
    source = """
    #include "view.h"
    int64_t number(tvm::ffi::Arc<::testing::TestObjectDerivedObj> o) {
      return o->v_i64 + static_cast<int64_t>(o->v_array.size());
    }
    tvm::ffi::String text(tvm::ffi::Arc<::testing::TestObjectDerivedObj> o) { return o->v_str; }
    int64_t pair(tvm::ffi::Arc<::testing::TestIntPairObj> p) { return p->a * 10 + p->b; }
    """
    module = load_inline(
        "view",
        cpp_sources=source,
        functions=["number", "text", "pair"],
        extra_include_paths=[str(tmp_path)],
    )
    derived = tvm_ffi.testing.create_object(
        "testing.TestObjectDerived", v_i64=40, v_str="a long enough text", v_map={}, v_array=[1, 2]
    )
    assert module.number(derived) == 42
    assert module.text(derived) == "a long enough text"
    assert module.pair(tvm_ffi.testing.TestIntPair(1, 2)) == 12
    with pytest.raises(TypeError):
        module.number(tvm_ffi.testing.TestIntPair(1, 2))


@pytest.mark.spec("TOOL-W5")
@needs_compiler
def test_live_python_objects_are_read_through_the_structs(tmp_path, monkeypatch):
    py_class = getattr(pytest.importorskip("tvm_ffi.dataclasses"), "py_class", None)
    if py_class is None:
        pytest.skip("no classes are defined in Python yet")
    from tvm_ffi.cpp import load_inline

    class Viewed(tvm_ffi.Object):
        number: int
        text: str
        maybe: Optional[int]

    Viewed = py_class("pytest_view.Viewed")(Viewed)
    monkeypatch.setenv("TVM_FFI_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "view.h").write_text(gen_abi_cpp("pytest_view.*"))
    source = """
    #include "view.h"
    int64_t sum(tvm::ffi::Arc<::pytest_view::ViewedObj> v) {
      return v->number + static_cast<int64_t>(v->text.size()) + v->maybe.cast<int64_t>();
    }
    """
    module = load_inline(
        "viewed", cpp_sources=source, functions="sum", extra_include_paths=[str(tmp_path)]
    )
    assert module.sum(Viewed(1, "abc", 5)) == 9


@needs_compiler
def test_structs_for_an_earlier_version_of_a_class_are_refused(tmp_path, monkeypatch):
    from tvm_ffi.cpp import load_inline
    from tvm_ffi.dataclasses import py_class

    @py_class("pytest_view.Earlier")
    class Earlier(tvm_ffi.Object):
        number: int
        ratio: float

    @py_class("pytest_view.Later")
    class Later(tvm_ffi.Object):
        ratio: float
        number: int

    monkeypatch.setenv("TVM_FFI_CACHE_DIR", str(tmp_path / "cache"))
    text = gen_abi_cpp("pytest_view.Earlier")
    text = text.replace('"pytest_view.Earlier"', '"pytest_view.Later"')
    (tmp_path / "view.h").write_text(text)
    source = """
    #include "view.h"
    int64_t number(tvm::ffi::Arc<::pytest_view::EarlierObj> v) { return v->number; }
    """
    module = load_inline(
        "stale_view", cpp_sources=source, functions="number", extra_include_paths=[str(tmp_path)]
    )
    for _ in range(2):
        with pytest.raises(RuntimeError) as caught:
            module.number(Later(2.0, 1))
        text = str(caught.value)
        assert "Class `pytest_view.Later` in the library" in text
        assert "field `number`: int, 8 bytes at offset 24, not int, 8 bytes at offset 32" in text
        assert "Later" in text and "Rebuild the library" in text
    assert Earlier(1, 2.0).number == 1


def test_text():
    text = gen_abi_cpp("testing.TestObjectPtrHolder")
    assert text.startswith("#pragma once\n\n#include <tvm/ffi/tvm_ffi.h>\n\nnamespace testing {\n")
    assert "\nstruct TestObjectBaseObj;\n\nstruct TestObjectPtrHolderObj;\n" in text
    assert (
        "template <>\ninline constexpr bool "
        "tvm::ffi::is_object_subclass_v<::testing::TestObjectBaseObj> = true;\n"
    ) in text
    assert (
        "struct TestObjectBaseObj : public ::tvm::ffi::Object {\n"
        '  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP("testing.TestObjectBase", 1);\n};\n'
    ) in text
    assert (
        "struct alignas(8) TestObjectPtrHolderObj : public ::tvm::ffi::Object {\n"
        '  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP("testing.TestObjectPtrHolder", 1);\n\n'
        "  ::tvm::ffi::Arc<::testing::TestObjectBaseObj> value;  // offset=24, size=8, align=8\n"
        "  ::tvm::ffi::ObjectPtr<::testing::TestObjectBaseObj> optional_value;  "
        "// offset=32, size=8, align=8\n"
        "#ifdef TVM_FFI_DECLARE_OBJECT_FIELDS\n"
        "  TVM_FFI_DECLARE_OBJECT_FIELDS(TestObjectPtrHolderObj, TVM_FFI_FIELD(value), "
        "TVM_FFI_FIELD(optional_value));\n#endif\n};\n"
    ) in text
    assert "static_assert(sizeof(TestObjectPtrHolderObj) == 40);" in text
    assert "static_assert(offsetof(TestObjectPtrHolderObj, optional_value) == 32);" in text
    assert text.endswith("#endif\n")


@pytest.mark.spec("TOOL-W6")
def test_order_of_selectors_does_not_matter():
    assert gen_abi_cpp(KEYS) == gen_abi_cpp(KEYS[::-1]) == gen_abi_cpp(KEYS + KEYS)


@pytest.mark.spec("TOOL-W9")
def test_ancestors_come_first_and_are_added():
    text = gen_abi_cpp("testing.TestObjectDer*")
    base = text.index("struct alignas(8) TestObjectBaseObj : public ::tvm::ffi::Object")
    assert base < text.index("TestObjectDerivedObj : public ::testing::TestObjectBaseObj")


@pytest.mark.spec("TOOL-W7")
def test_selectors_that_match_nothing():
    with pytest.raises(ValueError, match=r"^Type-key selector 'x\*' did not match any registered"):
        gen_abi_cpp(["testing.TestIntPair", "x*"])
    with pytest.raises(ValueError) as caught:
        gen_abi_cpp("int")
    assert str(caught.value) == ("Type-key selector 'int' did not match any registered object type")
    with pytest.raises(ValueError, match="did not match"):
        gen_abi_cpp("TESTING.TestIntPair")


@pytest.mark.parametrize("bad", [5, None, ["testing.TestIntPair", 5], b"testing.TestIntPair"])
def test_selectors_that_are_not_strings(bad):
    with pytest.raises(TypeError, match="type_keys must be a string or a sequence of strings"):
        gen_abi_cpp(bad)


@pytest.mark.spec("TOOL-W7")
def test_static_types():
    assert "struct alignas" not in gen_abi_cpp(["ffi.Array", "ffi.Object"])
    with pytest.raises(ValueError) as caught:
        gen_abi_cpp("ffi.OpaquePyObject")
    assert str(caught.value) == "Static TVM-FFI type 'ffi.OpaquePyObject' is not supported"


@pytest.mark.spec("TOOL-W11")
def test_native_type_without_a_size(monkeypatch):
    whole = cpp.describe

    def without_size(key):
        entry = whole(key)
        return BaseType(entry.key, entry.index, entry.depth, 0, entry.parent, entry.info)

    monkeypatch.setattr(cpp, "describe", without_size)
    with pytest.raises(ValueError) as caught:
        gen_abi_cpp("testing.TestIntPair")
    assert str(caught.value) == (
        "Native type 'testing.TestIntPair' does not expose fixed total-size metadata"
    )


def test_carrier_that_does_not_fit():
    with pytest.raises(ValueError) as caught:
        gen_abi_cpp("testing.TestCxxClassHiddenField")
    assert str(caught.value) == (
        "Carrier int64_t for testing.TestCxxClassHiddenField.v_i32 has layout (8, 8), "
        "but reflection reports (4, 4) at offset 40"
    )
    with pytest.raises(ValueError, match=r"Carrier int64_t for a.B.f has layout"):
        carrier('{"type":"int"}', 4, 4)


# ---- carriers ----

PAIR = '{"type":"testing.TestIntPair"}'
PAIR_OBJ = "::testing::TestIntPairObj"


def optional(inner):
    return f'{{"type":"Optional","args":[{inner}]}}'


@pytest.mark.spec("TOOL-W10")
@pytest.mark.parametrize(
    ("schema", "size", "alignment", "expected"),
    [
        ('{"type":"int"}', 8, 8, "int64_t"),
        ('{"type":"float"}', 8, 8, "double"),
        ('{"type":"bool"}', 1, 1, "bool"),
        ('{"type":"void*"}', 8, 8, "void*"),
        ('{"type":"DataType"}', 4, 2, "DLDataType"),
        ('{"type":"Device"}', 8, 4, "DLDevice"),
        ('{"type":"Any"}', 16, 8, "::tvm::ffi::Any"),
        ('{"type":"ffi.String"}', 16, 8, "::tvm::ffi::String"),
        ('{"type":"ffi.Bytes"}', 16, 8, "::tvm::ffi::Bytes"),
        ('{"type":"ffi.Function"}', 8, 8, "::tvm::ffi::Function"),
        ('{"type":"ffi.Tensor"}', 8, 8, "::tvm::ffi::Tensor"),
        ('{"type":"ffi.Module"}', 8, 8, "::tvm::ffi::Arc<::tvm::ffi::ModuleObj>"),
        ('{"type":"ffi.Object"}', 8, 8, "::tvm::ffi::Arc<::tvm::ffi::Object>"),
        (PAIR, 8, 8, f"::tvm::ffi::Arc<{PAIR_OBJ}>"),
        (
            '{"type":"ffi.Map","args":[{"type":"ffi.String"},{"type":"ffi.List"}]}',
            8,
            8,
            "::tvm::ffi::Map<::tvm::ffi::String, ::tvm::ffi::List<::tvm::ffi::Any>>",
        ),
        (
            '{"type":"Tuple","args":[{"type":"int"},{"type":"ffi.String"}]}',
            8,
            8,
            "::tvm::ffi::Tuple<int64_t, ::tvm::ffi::String>",
        ),
        (
            f'{{"type":"ffi.Array","args":[{optional(PAIR)}]}}',
            8,
            8,
            f"::tvm::ffi::Array<::tvm::ffi::ObjectPtr<{PAIR_OBJ}>>",
        ),
        (
            '{"type":"ffi.Array","args":[{"type":"Variant","args":[{"type":"int"},'
            '{"type":"ffi.String"}]}]}',
            8,
            8,
            "::tvm::ffi::Array<::tvm::ffi::Any>",
        ),
        (
            f'{{"type":"ffi.List","args":[{{"type":"Variant","args":[{PAIR},'
            '{"type":"ffi.Object"}]}]}',
            8,
            8,
            "::tvm::ffi::List<::tvm::ffi::Arc<::tvm::ffi::Object>>",
        ),
        (optional('{"type":"ffi.String"}'), 16, 8, "::tvm::ffi::String"),
        (optional(PAIR), 8, 8, f"::tvm::ffi::ObjectPtr<{PAIR_OBJ}>"),
        (optional(PAIR), 16, 8, f"::tvm::ffi::Optional<::tvm::ffi::Arc<{PAIR_OBJ}>>"),
        (
            f'{{"type":"Variant","args":[{PAIR},{{"type":"ffi.Object"}}]}}',
            8,
            8,
            "::tvm::ffi::Arc<::tvm::ffi::Object>",
        ),
    ],
)
def test_carriers_of_native_fields(schema, size, alignment, expected):
    assert carrier(schema, size, alignment) == expected


@pytest.mark.spec("TOOL-W10")
@pytest.mark.parametrize(
    ("schema", "layout"),
    [
        (optional('{"type":"int"}'), (16, 8)),
        (optional('{"type":"ffi.String"}'), (8, 8)),
        (optional(PAIR), (24, 8)),
        ('{"type":"Variant","args":[{"type":"int"},{"type":"ffi.String"}]}', (16, 8)),
    ],
)
def test_ambiguous_optionals(schema, layout):
    with pytest.raises(ValueError) as caught:
        carrier(schema, *layout)
    kind = "Union" if "Variant" in schema else "Optional"
    assert str(caught.value) == f"Ambiguous native {kind} carrier for a.B.f with layout {layout}"


@pytest.mark.parametrize(
    ("schema", "size", "message"),
    [
        ('{"type":"DLTensor*"}', 8, "'DLTensor*' of a.B.f normalizes to 'Tensor' but does not"),
        ('{"type":"const char*"}', 8, "'const char*' of a.B.f normalizes to 'str' but does not"),
        (
            '{"type":"std::tuple","args":[{"type":"int"}]}',
            8,
            "'std::tuple' of a.B.f normalizes to 'tuple' but is not the canonical 'Tuple' carrier",
        ),
        (
            f'{{"type":"std::optional","args":[{PAIR}]}}',
            16,
            "normalizes to 'Optional' but is not the canonical 'Optional' carrier",
        ),
        (optional('{"type":"const char*"}'), 16, "'const char*' of a.B.f normalizes to 'str'"),
        ('{"type":"ffi.BigInt"}', 16, "'ffi.BigInt' of a.B.f normalizes to 'int' but does not"),
        ('{"type":"std::array","args":[{"type":"int"},1]}', 8, "Unsupported type 'std::array'"),
    ],
)
def test_aliases_with_other_bytes_are_refused(schema, size, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        carrier(schema, size)


def test_elements_of_containers_are_cells_whatever_cpp_calls_them():
    schema = '{"type":"ffi.Array","args":[{"type":"std::optional","args":[{"type":"int"}]}]}'
    assert carrier(schema, 8) == "::tvm::ffi::Array<::tvm::ffi::Any>"


def test_a_visit_interrupt_has_its_class_and_header(tmp_path):
    expected = "::tvm::ffi::Arc<::tvm::ffi::VisitInterruptObj>"
    assert carrier('{"type":"ffi.VisitInterrupt"}', 8) == expected
    assert "VisitInterrupt" not in gen_abi_cpp("ffi.VisitInterrupt")
    member = view_text.Member("f", 24, 8, 8, expected)
    struct = view_text.Struct("testing.TestIntPair", 1, "::tvm::ffi::Object", 32, 8, [member])
    assert "#include <tvm/ffi/extra/structural_visit.h>" in view_text.header([struct], [])


@needs_compiler
@pytest.mark.parametrize("as_base", [False, True])
def test_a_header_with_a_module_includes_its_class(as_base, tmp_path):
    text = carrier('{"type":"ffi.Module"}', 8)
    base = "::tvm::ffi::ModuleObj" if as_base else "::tvm::ffi::Object"
    members = [] if as_base else [view_text.Member("f", 24, 8, 8, text)]
    size = 48 if as_base else 32
    header = view_text.header([view_text.Struct("a.B", 1, base, size, 8, members)], [])
    path = tmp_path / "view.cc"
    path.write_text(header.replace("#pragma once", ""))
    include = f"-I{libinfo.find_include_path()}"
    subprocess.run(["c++", "-std=c++17", "-fsyntax-only", include, str(path)], check=True)


def test_a_namespace_is_declared_in_one_block():
    keys = ["q.A", "q.b.B", "q.C", "q.b.E", "Z"]
    text = view_text.header([], [(key, 1) for key in keys])
    declared, defined = text.split("static_assert")[0].split("template <>", 1)
    for part in (declared, defined):
        assert part.count("namespace q {") == 2  # one for A and C, and one around namespace b
        assert part.count("namespace b {") == 1
        order = [part.index(f"struct {name}Obj") for name in ("Z", "A", "C", "B", "E")]
        assert order == sorted(order)


def test_optionals_of_python_are_any():
    for schema in (optional('{"type":"int"}'), optional(PAIR)):
        assert carrier(schema, 16, is_python=True) == "::tvm::ffi::Any"


def test_metadata_of_python_is_a_dictionary():
    assert carrier({"type": "List", "args": [{"type": "str"}]}, 8) == (
        "::tvm::ffi::List<::tvm::ffi::String>"
    )


@pytest.mark.parametrize(
    ("index", "size", "alignment", "expected"),
    [
        (1, 8, 8, "int64_t"),
        (2, 1, 1, "bool"),
        (5, 4, 2, "DLDataType"),
        (-1, 16, 8, "::tvm::ffi::Any"),
        (64, 8, 8, "::tvm::ffi::ObjectPtr<::tvm::ffi::Object>"),
        (71, 8, 8, "::tvm::ffi::ObjectPtr<::tvm::ffi::Object>"),
    ],
)
def test_fields_without_a_schema(index, size, alignment, expected):
    assert carrier(None, size, alignment, index=index) == expected


def test_what_has_no_carrier():
    with pytest.raises(ValueError, match="Unsupported static type index 9"):
        carrier(None, 8, index=9)
    with pytest.raises(ValueError, match=r"Unsupported type 'no\.such\.Type' in a schema"):
        carrier('{"type":"no.such.Type"}', 8)


# ---- names ----


@pytest.mark.spec("TOOL-W8")
def test_escaped_names():
    assert escape_identifier("abc_1") == "abc_1"
    assert escape_identifier("abi-x") == "__ffi_escape_6162692d78"
    assert escape_identifier("é") == "__ffi_escape_c3a9"
    assert escape_identifier("__ffi_escape_61").startswith("__ffi_escape_5f5f")
    assert escape_identifier("class") == "__ffi_escape_636c617373"
    assert struct_name("a.b.C") == "CObj"
    assert struct_name("C") == "CObj"


def test_keys_are_written_byte_by_byte():
    assert quote_key('a."b"\\c') == '"a.\\"b\\"\\\\c"'
    assert quote_key("é\n") == '"\\303\\251\\012"'


@pytest.mark.spec("TOOL-W8")
def test_escaped_fields_show_their_name():
    text = CarrierTable().of_schema(TypeSchema("int")).text
    members = [view_text.Member("class", 24, 8, 8, text)]
    struct = view_text.Struct("testing.TestIntPair", 1, "::tvm::ffi::Object", 32, 8, members)
    assert (
        "  int64_t __ffi_escape_636c617373;  // offset=24, size=8, align=8, reflected name='class'"
    ) in view_text.header([struct], []).splitlines()


def test_classes_of_either_decorator_get_the_carriers_of_their_own_layout():
    from tvm_ffi.dataclasses import py_class

    @py_class("testing.abi.Holder")
    class Holder(tvm_ffi.Object):
        other: Optional[tvm_ffi.Object] = None

    assert "::tvm::ffi::Any other" in gen_abi_cpp("testing.abi.Holder")
    assert "::tvm::ffi::Any optional_value" not in gen_abi_cpp("testing.TestObjectPtrHolder")

# SPDX-License-Identifier: Apache-2.0
"""The table of constructs: each row is recognised in what it writes, and generated C++ is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from tvm_ffi_schema.cxx import model
from tvm_ffi_schema.cxx import read as reader
from tvm_ffi_schema.cxx.constructs import TABLE
from tvm_ffi_schema.cxx.cursor import Cursor, Lines, normal
from tvm_ffi_schema.cxx.pattern import Construct, Row

GOLDEN = Path(__file__).parent / "golden"
SAMPLES = {"name": "demo::CallNode", "str": 'a "quoted" text', "expr": "f(1, {2, 3})"}


def cursor(text: str) -> Cursor:
    return Cursor(Lines("x.cc", text))


def made(row: Row) -> Construct:
    """Return a construct with sample values in all holes."""
    values: dict[str, object] = {}
    for part in row.parts:
        if not isinstance(part, str):
            doc = Construct(TABLE.row("TRAIT", "doc"), {"text": "Words."})
            values[part.name] = [doc] if part.is_list else SAMPLES[part.kind]
    return Construct(row, values)


@pytest.mark.parametrize("row", TABLE.rows, ids=lambda row: row.text)
def test_a_row_is_recognised_in_what_it_writes(row):
    text = made(row).write("::tvm::ffi::reflection::")
    c = cursor(text)
    found = TABLE.read(row.group, c, 0, len(c))
    assert found is not None, text
    assert (found.row.name, found.row.ir) == (row.name, row.ir)
    assert normal(found.write("::tvm::ffi::reflection::")) == normal(text)


@pytest.mark.parametrize(
    ("group", "text", "name"),
    [
        ("TRAIT", "tvm::ffi::reflection::repr(false)", "repr"),
        ("TRAIT", "repr(false)", "repr"),
        ("TRAIT", "refl::repr(kRepr)", "other"),
        ("TRAIT", '"adjacent " "texts"', "doc"),
        ("TRAIT", "DefaultValue(Array<int>{1, 2})", "default"),
        ("ENTRY", '.def("f", f<1, 2>(), "Words.")', "method"),
        ("ENTRY", '.def<int>("f", &A::f)', "method"),
        ("ENTRY", ".def_ro(kName, &A::x)", "other"),
        ("ENTRY", '.def("f", static_cast<int (A::*)() const>(&A::f))', "method"),
        ("ATTR", '.def("f", 1)', "attr"),
        ("BODY", "TVM_FFI_DECLARE_OBJECT_INFO(A::_type_key, A, ns::B<int>)", "info"),
    ],
)
def test_other_spellings_are_recognised(group, text, name):
    c = cursor(text)
    found = TABLE.read(group, c, 0, len(c))
    assert found is not None and found.kind == name


@pytest.mark.parametrize(
    "path", sorted(GOLDEN.rglob("*.cc.txt")), ids=lambda p: "/".join(p.parts[-2:])
)
def test_every_registration_of_the_goldens_is_read_and_written(path):
    text = path.read_text()
    sources = model.Sources()
    reader.read("x.cc", text, sources)
    lines = Lines("x.cc", text)
    for statement in sources.statements:
        for call in statement.entries:
            traits = [trait.kind for trait in call.items("traits")]
            assert "other" not in (call.kind, *traits), call
            first = lines.offset(call.span.line, call.span.col)
            last = lines.offset(call.span.end_line, call.span.end_col)
            assert normal(call.write()) == normal(text[first:last])


def test_a_statement_knows_its_block():
    text = (
        "namespace a {\nTVM_FFI_STATIC_INIT_BLOCK() {\n  refl::ObjectDef<A>();\n}\n"
        "void B::RegisterReflection() {\n  refl::ObjectDef<B>().def_ro(x);\n}\n}\n"
    )
    sources = model.Sources()
    reader.read("x.cc", text, sources)
    blocks = [one.block for one in sources.statements]
    assert [b.head for b in blocks if b is not None] == [
        "TVM_FFI_STATIC_INIT_BLOCK()",
        "void B::RegisterReflection()",
    ]
    assert [text[b.opening] + text[b.closing] for b in blocks if b is not None] == ["{}", "{}"]
    assert [text[one.first :].startswith("refl::ObjectDef") for one in sources.statements] == [
        True,
        True,
    ]


def test_the_declarations_of_a_class_are_listed_in_order():
    body = " public:\n  HOOK(a, b)\n  A() = default;\n  int x = 1, *y;\n  int f() { return 1; }\n"
    macro = '  TVM_FFI_DECLARE_OBJECT_INFO("a.A", A, Object);\n'
    text = f"class A : public Object {{\n{body}{macro}}};\n"
    sources = model.Sources()
    reader.read("x.h", text, sources)
    found = sources.classes["A"]
    assert [(one.kind, one.names) for one in found.declared] == [
        ("label", ["public"]),
        ("macro", ["HOOK"]),
        ("constructor", ["A"]),
        ("field", ["x", "y"]),
        ("method", ["f"]),
        ("macro", ["TVM_FFI_DECLARE_OBJECT_INFO"]),
    ]
    shown = [text[one.first : one.last] for one in found.declared]
    assert shown == [
        "public:",
        *(" ".join(line.split()) for line in (body + macro).split("\n")[1:-1]),
    ]
    assert text[found.opening] + text[found.closing] == "{}"
    assert found.declares_object

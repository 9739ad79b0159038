# SPDX-License-Identifier: Apache-2.0
"""The schema language: the C++ and Python that is generated for each setting and option."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture(scope="module")
def corners(tmp_path_factory):
    """Return the texts of the files that are generated from `corners` and `members`."""
    import contextlib
    import io
    import os

    from tvm_ffi_schema.commands import cli

    root = tmp_path_factory.mktemp("corners")
    (root / "schema").mkdir()
    for name in ("corners", "members"):
        text = (HERE / f"corpus/{name}.py").read_text()
        (root / f"schema/{name}.py").write_text(text)
    before = os.getcwd()
    os.chdir(root)
    try:
        with contextlib.redirect_stderr(io.StringIO()) as err:
            status = cli.main(["generate", "--to", "cpp,python,pyi,docs"])
    finally:
        os.chdir(before)
    assert status == 0, err.getvalue()
    files = [p for p in root.rglob("*") if p.is_file() and ".tschema" not in p.parts]
    read = {str(p.relative_to(root)): p.read_text() for p in files}
    return {
        "header": read["include/corpus/corners.h"],
        "source": read["src/corners.cc"],
        "binding": read["python/_corners.py"],
        "stub": read["python/_corners.pyi"],
        "page": read["docs/corners.md"],
        "members": read["include/corpus/members.h"],
    }


def joined(text: str) -> str:
    return " ".join(text.split())


STATEMENTS = [
    # 3.2 the module header, externs
    ("header", '#include "corpus/span.h"'),
    ("header", "class SubSpanNode : public ::other::SpanNode {"),
    ("header", "class SubSpan : public ::other::Span {"),
    # 3.3 class attributes
    ("header", "static constexpr bool _type_child_slots_can_overflow = false;"),
    ("header", "static constexpr const uint32_t _type_child_slots = 10;"),
    ("header", 'TVM_FFI_DECLARE_OBJECT_INFO_FINAL("corners.Var", VarNode, ExprNode);'),
    ("header", "namespace elsewhere {"),
    ("header", "class NSNode : public ::tvm::ffi::Object {"),
    ("header", "REF_METHODS_NOTNULLABLE(StrictKid, StrictBase, StrictKidNode);"),
    ("source", "refl::ObjectDef<StrictBaseNode>(refl::init(false))"),
    ("header", "static constexpr bool _type_mutable = true;"),
    ("header", "::tvm::ffi::Optional<::tvm::ffi::ObjectPtr<NoRefNode>> it = std::nullopt;"),
    # 3.4 fields
    ("source", "refl::compare(false)"),
    ("source", 'refl::Metadata{{"a", 1}, {"b", ::tvm::ffi::String("t")}, {"c", true}}'),
    ("source", '.def_rw("seen", &VarNode::seen'),
    ("source", '.def_ro("class", &LetNode::class_'),
    ("header", "private: int64_t secret = 1; protected: int64_t prot = 6; public: int64_t class_"),
    ("header", "::tvm::ffi::ObjectPtr<LetNode> me_;"),
    ("header", "template <typename Ref = Let> Ref me() const { return Ref(me_); }"),
    # 3.5 equality and hashing
    ("header", "_type_s_eq_hash_kind = kTVMFFISEqHashKindDAGNode;"),
    ("header", "_type_s_eq_hash_kind = kTVMFFISEqHashKindFreeVar;"),
    ("source", "refl::AttachFieldFlag::SEqHashIgnore()"),
    ("source", "refl::AttachFieldFlag::SEqHashDefPattern()"),
    # 3.6 constructors
    ("header", "explicit Var(::tvm::ffi::String name);"),
    ("header", "Kind k, ::tvm::ffi::Array<Kind> ks ="),
    ("header", "explicit StrictKid(int64_t x, int64_t y = 0);"),
    ("members", "explicit TermNode(double value) : value(value) {}"),
    ("members", "explicit PlusNode(::tvm::ffi::UnsafeInit tag) : a(tag), b(tag) {}"),
    # 3.7 methods
    ("header", "void none() const;"),
    ("header", "static Mut MakeIt(int64_t x = 3);"),
    ("source", 'custom-begin MutNode.method:hold'),
    ("source", '.def_static("make", &MutNode::MakeIt, refl::Metadata{{"arg_names", "x"}'),
    ("source", '.def_static("make", []() { return MutNode::MakeIt(); })'),
    # 3.8 enums
    ("header", "static Kind Get(const ::tvm::ffi::String& name);"),
    ("header", "static Kind D();"),
    ("source", 'refl::EnumEntry<KindNode>("B").set("cost", 2.0)'),
    ("source", 'refl::EnumAttrDef<KindNode>("n").set("B", 3);'),
    ("source", 'refl::EnumEntry<KindNode>("D").set("cost", 0.5)'),
    # 8 Python
    ("binding", 'class Kind(Enum, type_key="corners.Kind"):'),
    ("binding", "late: int"),
    ("binding", "tup: tuple[int, str] = field(default=(1, \"a\"))"),
    ("stub", "def make(x: int = 3) -> Mut: ..."),
    ("stub", "f: Callable[[int, Expr], None] | None = None"),
    # 8 documents
    ("page", "| `D` |  | `0.5` |  |  |"),
    ("page", "Used by: "),
    ("page", "**Layout: "),
]  # fmt: skip


@pytest.mark.spec("SC3", "SC9", "SC14", "SC17", "SC20", "SC21", "SC24", "SC28", "SC30")
@pytest.mark.spec("SC31", "SC35", "SC37", "SC39", "SC40", "SC42", "SC43", "SC49", "SC52", "SC73")
@pytest.mark.spec("SC94")
@pytest.mark.parametrize(("file", "text"), STATEMENTS, ids=range(len(STATEMENTS)))
def test_what_it_becomes(corners, file, text):
    assert joined(text) in joined(corners[file])


REFUSED = [
    ("TS023", "metadata={'a': [1]}", "metadata is a bool"),
    ("TS035", "default='x'", "'x' is not of type int64_t"),
]


@pytest.mark.spec("SC29")
@pytest.mark.parametrize(("rule", "options", "words"), REFUSED)
def test_a_field_that_cannot_be_registered(project, rule, options, words):
    text = "@declare\nclass XNode(Object):\n    type_key = 't.X'\n"
    project.schema(text + f"    x: int = field({options})\n")
    assert project.run("generate") == 3 and project.ids() == [rule]
    assert words in project.err


HOOKS = [
    ("'__ffi_repr__': cpp('&XNode::Show')", None),
    ("'__ffi_repr__': 1", "must be a function"),
    ("'__ffi_rep__': cpp('f')", "did you mean '__ffi_repr__'"),
    ("'__s_equal__': cpp('f')", "write SEqual in a custom section"),
    ("'__ffi_type_final__': True", "use the setting final"),
    ("'__enum_entries__': 1", "belongs to the runtime"),
]


@pytest.mark.spec("SC51")
@pytest.mark.parametrize(("attrs", "words"), HOOKS)
def test_type_attributes_of_the_runtime(project, attrs, words):
    text = "@declare\nclass XNode(Object):\n    type_key = 't.X'\n    x: int\n"
    project.schema(f"{text}    type_attrs = {{{attrs}}}\n")
    status = project.run("generate")
    if words is None:
        assert status == 0 and '.def("__ffi_repr__", &XNode::Show)' in project.read("src/ir.cc")
    else:
        assert status == 3 and project.ids() == ["TS043"] and words in project.err


@pytest.mark.spec("SC25")
def test_names_that_only_python_takes_stay_out_of_bindings(corners):
    assert "# 'class' is a keyword of Python" in corners["binding"]
    assert "class:" not in corners["stub"].replace("class Let", "")


@pytest.mark.spec("SC16")
def test_license_texts_are_configured(project):
    project.schema("@declare\nclass XNode(Object):\n"
                   "    type_key = 't.X'\n")  # fmt: skip
    project.write("tschema.toml", 'license = """\nLine one.\n\nLine two.\n"""\n')
    assert project.run("generate", "-q") == 0, project.err
    head = project.read("include/ir.h").splitlines()[1:4]
    assert head == ["// Line one.", "//", "// Line two."]
    project.write("tschema.toml", "license = 1\n")
    assert project.run("generate") == 2 and project.ids() == ["TS011"]


@pytest.mark.spec("SC94", "SC94.6")
def test_documents_alone(project):
    project.schema("@declare\nclass XNode(Object):\n    '''An x.'''\n    type_key = 't.X'\n")
    assert project.run("check", "--to", "docs") == 1
    assert project.run("generate", "--to", "docs", "-q") == 0, project.err
    assert [n for n in project.files() if n.startswith("docs")] == ["docs/ir.md"]
    assert project.run("check", "--to", "docs") == 0, project.out
    assert project.ids() == []


@pytest.mark.spec("SC97")
def test_an_image_is_an_output(project):
    project.schema("@declare\nclass XNode(Object):\n    type_key = 't.X'\n    x: int\n")
    assert project.run("generate", "--to", "tfs", "-q") == 0, project.err
    assert (project.root / "schema.tfs").read_bytes()[:4] == b"\x89TFS"
    assert project.run("check", "--to", "tfs", "-q") == 0, project.out
    project.write("schema.tfs", "mine")
    assert project.run("generate", "--to", "tfs") == 4 and project.ids() == ["TS115"]


@pytest.mark.spec("SC44")
def test_two_bodies_of_one_method_go_to_its_overloads(project):
    """Earlier versions gave the sections of all overloads of a method the same name."""
    project.schema(
        "from typing import overload\n@declare\nclass XNode(Object):\n    type_key = 't.X'\n"
        "    @overload\n    @method\n    def f(self, a: int) -> int: ...\n"
        "    @overload\n    @method\n    def f(self, a: str) -> str: ...\n"
    )
    assert project.run("generate", "-q") == 0, project.err
    text = project.read("src/ir.cc")
    project.write("src/ir.cc", text.replace("method:f#2", "method:f"))
    assert project.run("generate", "-q") == 0, project.err
    again = project.read("src/ir.cc")
    assert again.count("custom-begin") == 2 and again.index("XNode::f(int64_t") < again.index(
        "XNode::f(::tvm::ffi::String"
    )

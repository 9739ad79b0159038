# SPDX-License-Identifier: Apache-2.0
"""`adopt`: hand-written C++ becomes a schema and marked files with the same behaviour."""

from __future__ import annotations

import difflib
import json
import os
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi_schema.cxx.constructs import TABLE

from .conftest import PRELUDE, needs_compiler

HERE = Path(__file__).parent / "adopt"
GOLDEN = Path(__file__).parent / "golden" / "adopt"
#: Name of a hand-written library -> (path in the project -> file in `adopt`, namespace).
LIBRARIES = {
    "modern": ({"include/demo/ir.h": "ir.h", "src/ir.cc": "ir.cc"}, "demo"),
    "classic": ({"include/old/expr.h": "expr.h", "src/expr.cc": "expr.cc"}, "old"),
}
FACTS = "from tvm_ffi_schema.front.registry import main; main()"
ORDERED = "ffi::Array<Expr> args;\n  ffi::String op;"
KIND = "static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindDAGNode;"
USE = {
    "modern": """
import sys, tvm_ffi
tvm_ffi.load_module(sys.argv[1])
from tvm_ffi import get_global_func as f
leaf = f("demo.call")("leaf", [])
call = f("demo.call")("add", [leaf, leaf])
print(call.op, len(call.args), call.outer, call.level, call.weight, call.span)
print(call.arity(3), f("demo.count")(call))
call.level = 5
print(call.level, call.args[0].same_as(leaf))
for name in ("op", "weight"):
    try:
        setattr(call, name, 1)
    except Exception as error:
        print(name, type(error).__name__)
again = f("demo.call")("leaf", [])
print(tvm_ffi.structural_equal(leaf, again), tvm_ffi.structural_equal(leaf, call))
print(tvm_ffi.structural_hash(leaf) == tvm_ffi.structural_hash(again))
table = f("demo.table")()
print(dict(table.entries), table.first, table.width, table.open, table.doubled(), table.standard())
assert table.standard.release_gil is False
table.first = leaf
print(table.first.op, repr(table))
""",
    "classic": """
import sys, tvm_ffi
tvm_ffi.load_module(sys.argv[1])
from tvm_ffi import get_global_func as f
leaf, add = f("old.leaf"), f("old.add")
one = add(leaf(), leaf())
print(one.a, one.span, f("old.depth")(one))
print(tvm_ffi.structural_equal(one, add(leaf(), leaf())), tvm_ffi.structural_equal(one, leaf()))
print(tvm_ffi.structural_hash(one) == tvm_ffi.structural_hash(add(leaf(), leaf())))
""",
}


def place(project, name: str) -> None:
    for target, source in LIBRARIES[name][0].items():
        project.write(target, (HERE / f"{source}.txt").read_text())


def facts(folder: Path, library: str) -> list[dict]:
    """Return the types that a library registers, with fields and methods.

    Another process loads the library.
    """
    out = _run(folder, ["-c", FACTS, "lib", f"./{library}"])
    found = json.loads(out.strip().splitlines()[-1])
    return sorted(found, key=lambda one: one["key"])  # type indices depend on the linker


def _run(folder: Path, arguments: list[str]) -> str:
    environment = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}
    command = [sys.executable, *arguments]
    done = execute(*command, cwd=folder, env=environment)
    return done.stdout


def without_additions(found: list[dict], original: list[dict]) -> list[dict]:
    """Remove the field documentation and the parameter names that adoption added to `found`."""
    for one, old in zip(found, original):
        for field, was in zip(one["fields"], old["fields"]):
            field["doc"] = field["doc"] if was["doc"] else was["doc"]
        for method in one["methods"]:
            method["metadata"].pop("arg_names", None)
    return found


@needs_compiler
@pytest.mark.parametrize("name", LIBRARIES)
def test_an_adopted_library_has_the_same_layout_registrations_and_behaviour(project, name):
    place(project, name)
    sources = [path for path in LIBRARIES[name][0] if path.endswith(".cc")]
    project.compile(*sources, output="before.so")
    assert project.run("adopt", "include", "src") == 0, project.err
    project.compile(*sources, output="after.so")
    before, after = (facts(project.root, f"{one}.so") for one in ("before", "after"))
    assert len(before) >= 2 and without_additions(after, before) == before
    used = [_run(project.root, ["-c", USE[name], f"./{lib}.so"]) for lib in ("before", "after")]
    assert used[0] == used[1] and used[0]
    assert project.run("validate", "--lib", "after.so") == 0, project.err


# --- texts


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_adopted_text_is_as_recorded_and_generate_agrees(project, name):
    place(project, name)
    assert project.run("adopt", "include", "src") == 0, project.err
    recorded = {t: HERE / f"{source}.adopted.txt" for t, source in LIBRARIES[name][0].items()}
    for target, path in {**recorded, "schema/adopted.py": GOLDEN / f"{name}.py.txt"}.items():
        if os.environ.get("TSCHEMA_GOLDEN") == "write":
            path.write_text(project.read(target))
        assert project.read(target) == path.read_text()
    before = project.files()
    for command in ("generate", "check", "validate"):
        assert project.run(command) == 0, project.err
        assert "TS4" not in project.err
    assert project.files() == before


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_second_run_changes_nothing_and_says_so(project, name):
    place(project, name)
    assert project.run("adopt", "include", "src") == 0
    before = project.files()
    assert project.run("adopt", "include", "src") == 0
    assert "nothing to adopt" in project.err and "adopted already" in project.err
    assert project.files() == before


def test_a_dry_run_lists_the_files_and_writes_nothing(project):
    place(project, "modern")
    before = project.files()
    assert project.run("adopt", "include", "src", "--dry-run") == 0
    assert project.out.split() == [
        *("created", "schema/adopted.py", "changed", "include/demo/ir.h"),
        *("changed", "src/ir.cc", "created", "tschema.toml"),
    ]
    assert project.files() == before and not (project.root / ".tschema").exists()


# --- classes that are not changed

HEADER = """\
#include <tvm/ffi/object.h>
namespace demo {
class FineNode : public ::tvm::ffi::Object {
 public:
  int64_t x;
  static constexpr uint32_t _type_child_slots = 2;
  TVM_FFI_DECLARE_OBJECT_INFO("demo.Fine", FineNode, ::tvm::ffi::Object);
};
@
}  // namespace demo
"""
FINE = '''
__tschema__ = module(namespace="demo", type_key_prefix="demo.", header="demo/a.h")

@declare
class FineNode(Object):
    """F."""
    type_key = "Fine"
    ref = False
    child_slots = 2
    default_sequal_reduce = False
    default_shash_reduce = False
    ctor = False
    x: int
'''
SOURCE = """\
#include <demo/a.h>
#include <tvm/ffi/reflection/registry.h>
namespace demo {
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ::tvm::ffi::reflection;
  refl::ObjectDef<FineNode>().def_ro("x", &FineNode::x);
  @
}
}  // namespace demo
"""
CHAIN = '.def_ro("x", &FineNode::x);'
STATEMENT = f"  refl::ObjectDef<FineNode>(){CHAIN}\n"


def write_fine(project, members="int64_t x;", chain=CHAIN, other="", registered="") -> None:
    """Write FineNode with its members and its chain, and another class with its registration."""
    header = HEADER.replace("int64_t x;", members).replace("@", other)
    project.write("include/demo/a.h", header)
    project.write("src/a.cc", SOURCE.replace(CHAIN, chain).replace("@", registered))


MACRO = 'TVM_FFI_DECLARE_OBJECT_INFO("demo.Odd", OddNode, ::tvm::ffi::Object);'
MACRO_OF_CHILD = MACRO.replace("::tvm::ffi::Object", "FineNode")
USUAL = 'refl::ObjectDef<OddNode>().def_ro("y", &OddNode::y);'


def odd(members="int y;", head="OddNode", base="::tvm::ffi::Object", macro=MACRO) -> str:
    """Return the class OddNode; all its members are public."""
    return f"class {head} : public {base} {{ public: {members} {macro} }};"


#: Text of the finding -> a class with an unusual feature, and its registration.
ODD = {
    "OddNode is a template": (
        "template <typename T> class OddNode : public ::tvm::ffi::Object { public: T y;\n"
        "TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY(T, ::tvm::ffi::Object); };",
        "",
    ),
    "the macro MY_FIELDS in OddNode may declare fields": (odd("MY_FIELDS(y);"), USUAL),
    "the type key of OddNode is not a literal": (
        odd(macro=MACRO.replace('"demo.Odd"', "kOddKey")),
        USUAL,
    ),
    "OddNode has the directive #if in its body": (odd("\n#if 1\nint y;\n#endif\n"), USUAL),
    "the base ::other::ThingNode of OddNode is not in the files that were read": (
        odd(base="::other::ThingNode"),
        USUAL,
    ),
    "OddNode has 2 bases, not one": (odd(base="::tvm::ffi::Object, public Mine"), USUAL),
    "the type Strange of y is not known here": (odd("Strange y;"), USUAL),
    "y, z are declared together": (odd("int y, z;"), USUAL),
    "method 'f' is registered from an expression, not from a member": (
        odd(),
        USUAL[:-1] + '.def("f", [](const OddNode* n) { return n->y; });',
    ),
    "y begins as 3, and no default is registered": (odd("int y = 3;"), USUAL),
    "y begins as 3, but another default is registered: 4": (
        odd("int y = 3;"),
        USUAL.replace("::y)", "::y, refl::default_value(4))"),
    ),
    "OddNode is not registered in the files that were read": (odd(), ""),
    "OddNode is not registered by a statement of a TVM_FFI_STATIC_INIT_BLOCK": (
        odd(),
        "if (true) { " + USUAL + " }",
    ),
    "the registration of OddNode is kept in the variable def": (
        odd(),
        'refl::ObjectDef<OddNode> def; def.def_ro("y", &OddNode::y);',
    ),
    "the schema has no word for MyFlag(2) of 'y'": (
        odd(),
        USUAL.replace("::y)", "::y, MyFlag(2))"),
    ),
    "y is registered, but is private": (odd("private: int y; public:"), USUAL),
    "OddNode has MY_DLL before its name, which the schema cannot say": (
        odd(head="MY_DLL OddNode"),
        USUAL,
    ),
    "lambda": (
        odd("int lambda;"),
        'refl::ObjectDef<OddNode>().def_ro("lambda", &OddNode::lambda);',
    ),
    "the child slots of OddNode are not a number": (
        odd(
            "int y;\nstatic constexpr uint32_t _type_child_slots = 2 * kMany;\n",
            base="FineNode",
            macro=MACRO_OF_CHILD,
        ),
        USUAL,
    ),
    "OddNode inherits 2 child slots, and its parent has only 2": (
        odd(base="FineNode", macro=MACRO_OF_CHILD),
        USUAL,
    ),
    "OddNode is final in C++, which the schema cannot say": (odd(head="OddNode final"), USUAL),
    "the schema cannot say '[' of z": (odd("int y; char z[2];"), USUAL),
    "z is a bit field, which the schema cannot say": (odd("int z : 3; int y;"), USUAL),
    "the schema cannot say '[' of y": (odd("int y[2];"), USUAL),
}


@pytest.mark.parametrize("said", ODD)
def test_a_class_that_cannot_be_adopted_is_left_alone_and_the_others_go_on(project, said):
    cls, registration = ODD[said]
    write_fine(project, other=cls, registered=registration)
    assert project.run("adopt", "include", "src") == 0, project.err
    assert "TS440" in project.ids() and said in project.err
    assert cls in project.read("include/demo/a.h")
    assert registration in project.read("src/a.cc")
    assert "// tschema: FineNode\n" in project.read("include/demo/a.h")
    assert "1 class adopted, 1 class is left alone" in project.err
    assert project.run("check") == 0, project.err


def test_a_class_that_was_left_alone_is_added_to_the_schema_later(project):
    cls, registration = ODD["y begins as 3, and no default is registered"]
    write_fine(project, other=cls, registered=registration)
    assert project.run("adopt", "include", "src", "-o", "schema/ir.py") == 0
    first = project.read("schema/ir.py") + "\n# A comment of mine.\n"
    project.write("schema/ir.py", first)
    header = project.read("include/demo/a.h").replace("int y = 3", "int y")
    project.write("include/demo/a.h", header)
    assert project.run("adopt", "include", "src") == 0, project.err
    assert project.read("schema/ir.py").startswith(first)
    assert "class OddNode(Object):" in project.read("schema/ir.py")
    assert project.run("check") == 0 and project.run("validate") == 0, project.err


def test_a_class_that_the_schema_declares_without_a_block_is_left_alone(project):
    place(project, "classic")
    assert project.run("adopt", "include", "src") == 0
    place(project, "classic")  # restore the original files
    before = project.files()
    assert project.run("adopt", "include", "src") == 1
    assert "the schema declares old.Expr already" in project.err
    assert project.files() == before


HIDDEN = {
    "a pointer to a function": "int (*call)(int);",
    "an unnamed struct": "struct { int a; } inner;",
    "an unnamed union": "union { int a; float b; };",
}


@pytest.mark.parametrize("what", HIDDEN)
def test_a_member_between_fields_that_is_not_understood_does_not_change_the_layout(project, what):
    fields = f"int64_t x;\n  {HIDDEN[what]}\n  int64_t z;"
    write_fine(project, fields, '.def_ro("x", &FineNode::x).def_ro("z", &FineNode::z);')
    before = project.files()
    assert project.run("adopt", "include", "src") == 1
    assert "this declaration between two fields is not understood" in project.err
    assert project.files() == before


#: Members that nothing registers, each with a member named `odd`; the layout of the class has them.
UNREGISTERED = {
    "private": "private: int64_t odd = 7; public:",
    "of std": "std::vector<int> odd;",
    "array": "int odd[3];",
    "array of std": "std::array<int, 3> odd;",
    "reference": "int& odd;",
    "pointer": "const FineNode* odd = nullptr;",
    "mutable": "mutable std::mutex odd;",
    "bit field": "unsigned odd : 3;",
    "aligned": "alignas(16) int odd;",
    "pointer to a function": "void (*odd)(int) = nullptr;",
    "pointer to a function of std": "std::vector<int> (*odd)(int);",
    "pointer to a member": "int FineNode::*odd;",
    "pointer to a method": "int (FineNode::*odd)(int) const;",
    "reference to an array": "int (&odd)[3];",
    "nested class": "struct Inner { int a; } odd;",
    "unnamed class": "struct { int a; } odd;",
    "unnamed union": "union { int odd; float other; };",
    "enum": "enum Kind { kOne } odd = kOne;",
    "known class": "struct Inner; struct Inner* odd;",
    "second": "int first, odd;",
    "behind a macro": "DECLARE_odd(int);",
}


#: Those that become fields; a class with one of the others is refused.
ADOPTED = ("private", "of std", "array of std", "pointer", "mutable", "pointer to a member")
ADOPTED += ("known class",)


@pytest.mark.parametrize("what", UNREGISTERED)
def test_a_member_that_nothing_registers_is_a_part_of_the_layout(project, what):
    """An earlier version computed the layout without members before or behind the fields."""
    member = UNREGISTERED[what]
    for fields in (f"{member}\n  int64_t x;", f"int64_t x;\n  {member}"):
        write_fine(project, fields)
        project.write("schema/ir.py", PRELUDE + FINE)
        assert project.run("validate") == 0, project.err
        is_noted = "TS427" in project.ids() and "odd is not in the schema" in project.err
        assert is_noted == ("macro" not in what), project.err
        (project.root / "schema/ir.py").unlink()
        is_adopted = what in ADOPTED
        assert (project.run("adopt", "include", "src") == 0) == is_adopted, project.err
        if is_adopted:
            assert "    odd: Cpp" in project.read("schema/adopted.py")
            assert project.run("check") == 0 and project.run("validate") == 0, project.err
            (project.root / "schema/adopted.py").unlink()
            (project.root / "tschema.toml").unlink()
        else:
            assert "TS440" in project.ids() and "odd" in project.err


def test_what_is_not_a_member_does_not_hinder_adoption(project):
    others = """
  static int counter;
  inline static int many = 3;
  static int (*hook)(int);
  enum class Kind : int { kOne };
  struct Inner { int a; };
  struct Later;
  int f(int FineNode::*member, int (*call)(int), int (&array)[3]);
"""
    write_fine(project, "int64_t x;" + others)
    assert project.run("adopt", "include", "src") == 0, project.err
    assert "1 class adopted" in project.err and "Cpp" not in project.read("schema/adopted.py")
    for line in others.strip().splitlines():
        assert line in project.read("include/demo/a.h")


@pytest.mark.parametrize("is_inside", [False, True])
def test_a_registration_under_a_condition_of_the_preprocessor_stays_there(project, is_inside):
    write_fine(project)
    made = STATEMENT.replace(".def", "\n#if 1\n.def").replace(";", "\n#endif\n;")
    made = made if is_inside else f"#if 1\n{STATEMENT}#endif\n"
    project.write("src/a.cc", SOURCE.replace(STATEMENT, made).replace("@", ""))
    assert project.run("adopt", "include", "src") == is_inside, project.err
    if is_inside:
        assert "the registration of FineNode has directives of the preprocessor" in project.err
        return
    assert "#if 1\n  // tschema: FineNode.statements\n  refl::" in project.read("src/a.cc")
    assert project.run("check") == 0 and project.run("validate") == 0, project.err


COMMENTED = """\
// 1 above, and apart

// 2 right above
class FineNode /* 3 in the head */ : public ::tvm::ffi::Object {  // 4 behind the brace
 public:  // 5 behind the label
  // 6 for a field
  int64_t x;  // 7 behind a field
  /*!
   * \\brief 8 doxygen "// 9 quoted"
   */
  ::tvm::ffi::String y /* 10 inside */;
  // TODO 11 work
  int64_t z;

  // 12 before a macro
  TVM_FFI_DECLARE_OBJECT_INFO("demo.Fine", FineNode, ::tvm::ffi::Object);  // 13 behind it
  // 14 at the end
};  // 15 behind the class
"""
REGISTERED = """\
  // 16 before the chain
  refl::ObjectDef<FineNode>()
      // 17 inside of it
      .def_ro("x", &FineNode::x)
      .def_ro("y", &FineNode::y, "http://example.org")  // 18 behind an entry
      .def_ro("z", &FineNode::z);  // 19 behind the chain
"""


def test_no_comment_is_lost(project):
    start, end = HEADER.index("class"), HEADER.index("@")
    project.write("include/demo/a.h", HEADER[:start] + COMMENTED + HEADER[end:].replace("@", ""))
    project.write("src/a.cc", SOURCE.replace(STATEMENT, REGISTERED).replace("@", ""))
    assert project.run("adopt", "include", "src") == 0, project.err
    text = project.read("include/demo/a.h") + project.read("src/a.cc")
    for number in range(1, 20):
        assert f" {number} " in text.replace('"', " "), (number, text)
    assert project.run("check") == 0 and project.run("validate") == 0, project.err


@pytest.mark.parametrize("newline", ["\r\n", "\n"])
def test_line_ends_and_byte_order_marks_are_kept(project, newline):
    for target, source in LIBRARIES["modern"][0].items():
        project.write(target, "\ufeff" + (HERE / f"{source}.txt").read_text(), newline)
    assert project.run("adopt", "include", "src") == 0, project.err
    for target in LIBRARIES["modern"][0]:
        data = (project.root / target).read_bytes()
        assert data.startswith(b"\xef\xbb\xbf") and data.count(b"\xef\xbb\xbf") == 1
        ends = data.count(b"\r\n")
        assert ends == (data.count(b"\n") if newline == "\r\n" else 0)
    assert project.run("check") == 0, project.err


@pytest.mark.parametrize("type_", ["long long", "size_t", "const int", "mutable int", "char*"])
def test_types_that_the_generator_would_spell_otherwise_keep_their_text(project, type_):
    more = "" if type_ == "char*" else '.def_ro("y", &FineNode::y)'
    chain = f'.def_ro("w", &FineNode::w){more}{CHAIN}'
    write_fine(project, f"int64_t w;\n  {type_} y = 0;\n  int64_t x;", chain)
    assert project.run("adopt", "include", "src") == 0, project.err
    assert f"  {type_} y" in project.read("include/demo/a.h")
    assert project.run("validate") == 0 and "0 differences" in project.err


def test_a_constant_between_fields_is_there_before_what_uses_it(project):
    between = "int64_t w;\n  static constexpr int kN = 4;\n  int64_t x;"
    write_fine(project, between, f'.def_ro("w", &FineNode::w){CHAIN}')
    assert project.run("adopt", "include", "src") == 0, project.err
    text = project.read("include/demo/a.h")
    assert text.index("kN = 4") < text.index("int64_t w")
    assert project.run("check") == 0 and project.run("validate") == 0, project.err


def test_a_required_field_behind_a_default_is_left_alone_with_the_advice_of_the_rule(project):
    cls = odd("int y = 1; int z;")
    registration = USUAL.replace("::y)", '::y, refl::default_value(1)).def_ro("z", &OddNode::z)')
    write_fine(project, other=cls, registered=registration)
    assert project.run("adopt", "include", "src") == 0
    assert "Give it a default, or make it keyword-only." in project.err
    assert cls in project.read("include/demo/a.h")


# --- names

OTHER = """\
namespace demo { namespace outer { class Leaf {}; } namespace inner {
class LeafNode : public ::tvm::ffi::Object {
 public:
  int64_t z = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("demo.Leaf", LeafNode, ::tvm::ffi::Object);
};
class Leaf : public ::tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Leaf, ::tvm::ffi::ObjectRef, LeafNode);
};
} }
"""


@pytest.mark.parametrize("using", ["using inner::Leaf;", "using ::demo::inner::Leaf;"])
def test_a_class_with_a_using_declaration_was_unknown(project, using):
    first = "\nnamespace demo {\nclass FineNode"
    header = HEADER.replace("\nnamespace demo {\nclass FineNode", f"\n{OTHER}{first[1:]}")
    header = header.replace("class FineNode", f"{using}\nclass FineNode", 1)
    project.write("include/demo/a.h", header.replace("int64_t x;", "Leaf x;").replace("@", ""))
    project.write("src/a.cc", SOURCE.replace("@", ""))
    assert project.run("adopt", "include", "src") == 0, project.err
    assert "x: LeafNode" in project.read("schema/adopted.py")
    assert project.run("check") == 0 and project.run("validate") == 0, project.err


def test_a_member_of_the_name_that_does_not_register_was_dropped(project):
    write_fine(project, "static void RegisterReflection();\n  int64_t x;")
    assert project.run("adopt", "include", "src") == 0, project.err
    assert "static void RegisterReflection();" in project.read("include/demo/a.h")
    assert project.run("check") == 0, project.err


# --- spellings

#: What is registered in a way that the generator does not write -> a registration with it.
SPELLINGS = {
    row.text: f'.def_ro("x", &FineNode::x, {row.text})'
    for row in TABLE.rows
    if row.group == "TRAIT" and row.name not in ("doc", "other")
}
SPELLINGS |= {
    text.replace("refl::", scope): made.replace("refl::", scope)
    for scope in ("mine::", "")
    for text, made in SPELLINGS.items()
}
SPELLINGS |= {
    "an unknown call": '.def_ro("x", &FineNode::x).later("x", 1)',
    "another value": '.def_ro("x", &FineNode::x, refl::default_value(0x0))',
    "names of parameters": '.def_ro("x", &FineNode::x).def_static("g", &FineNode::g, '
    'refl::Metadata{{"arg_names", "m"}})',
}


@pytest.mark.parametrize("is_inline", [False, True])
@pytest.mark.parametrize("what", SPELLINGS)
def test_a_registration_is_moved_and_never_respelled(project, what, is_inline):
    """In an earlier version, `DefaultValue(...)` became `default_value(...)`."""
    chain = re.sub(r"\$\w+:\w+", "0", SPELLINGS[what]).replace("Metadata{0}", 'Metadata{{"a", 1}}')
    chain = f"refl::ObjectDef<FineNode>(){chain};"
    methods = "int64_t f() const;\n  static int64_t g(int64_t n);\n"
    using = "namespace refl = ::tvm::ffi::reflection;\n    "
    member = f"static void RegisterReflection() {{\n    {using}{chain}\n  }}\n" * is_inline
    fields = f"int64_t x = 0;\n  {methods}  {member}"
    write_fine(project, fields)
    call = "FineNode::RegisterReflection();" if is_inline else chain
    project.write("src/a.cc", SOURCE.replace(STATEMENT.strip(), call).replace("@", ""))
    status = project.run("adopt", "include", "src")
    text = project.read("include/demo/a.h" if is_inline else "src/a.cc")
    if status:
        assert "the schema has no word for" in project.err and chain in text
        return
    added = r', "(?:Text|The x)\."|, refl::Metadata\{\{"arg_names", "n"\}\}'
    assert "".join(chain.split()) in "".join(re.sub(added, "", text).split()) or (
        "kept     the registration of demo::FineNode: " in project.err and chain in text
    )
    assert project.run("check") == 0 and project.run("validate") == 0, project.err
    assert "0 differences" in project.err


# --- what need not change

#: Style of a registration -> the text in the class and the text in an init block.
STYLES = {
    "init-block": ("", '  refl::ObjectDef<@Node>().def_ro("of_@", &@Node::of_@);\n'),
    "inline": (
        "  static void RegisterReflection() {\n    namespace refl = ffi::reflection;\n"
        '    refl::ObjectDef<@Node>().def_ro("of_@", &@Node::of_@);\n  }\n\n',
        "  @Node::RegisterReflection();\n",
    ),
}


def write_tree(project, style: str) -> list[str]:
    """Write 20 classes in two namespaces, as large trees do; return the names of the classes."""
    names = [f"Op{n}" for n in range(20)]
    inside, outside = STYLES[style]
    header = "#include <tvm/ffi/reflection/registry.h>\nnamespace tvm {\n"
    for name in ("Expr", *names):
        base, ref = ("ffi::Object", "ffi::ObjectRef") if name == "Expr" else ("ExprNode", "Expr")
        slots = f"  static constexpr const uint32_t _type_child_slots = {20 * (name == 'Expr')};\n"
        header += "\nnamespace tirx {\n" if name == names[0] else ""
        header += (
            f"\n/*!\n * \\brief The class {name}, which has\n *  a comment of two lines.\n */\n"
        )
        header += f"class {name}Node : public {base} {{\n public:\n  ffi::String of_{name};\n\n"
        header += inside.replace("@", name) + slots
        header += f'  TVM_FFI_DECLARE_OBJECT_INFO("t.{name}", {name}Node, {base});\n}};\n'
        header += f"\n/*! \\brief Reference to {name}Node, for users. */\n"
        header += f"class {name} : public {ref} {{\n"
        header += (
            f" public:\n  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE({name}, {ref}, {name}Node);\n"
        )
        header += "  int after() const;\n};\n"
    project.write("include/t/ops.h", header + "\n}  // namespace tirx\n}  // namespace tvm\n")
    start = "#include <t/ops.h>\nnamespace tvm {\nTVM_FFI_STATIC_INIT_BLOCK() {\n@}\n"
    start = start.replace(
        "@", "  namespace refl = ffi::reflection;\n@" * (style == "init-block") or "@"
    )
    calls = "".join(outside.replace("@", name) for name in names)
    source = start.replace("@", outside.replace("@", "Expr"))
    source += start.partition("namespace tvm {\n")[2].replace("TVM", "namespace tirx {\nTVM", 1)
    project.write("src/ops.cc", source.replace("@", calls) + "}\n}\n")
    return names


@pytest.mark.parametrize("style", STYLES)
def test_registrations_names_and_comments_were_rewritten(project, style):
    """An adoption of 71 classes changed 1,877 lines, most of them without need."""
    names = write_tree(project, style)
    before = {name: project.read(name) for name in ("include/t/ops.h", "src/ops.cc")}
    assert project.run("adopt", "include", "src") == 0, project.err
    assert f"{len(names) + 1} classes adopted" in project.err
    marked = "".join(project.read(name) for name in before)
    added = re.sub(r" *// tschema: .*\n", "", marked)
    assert added.splitlines() == "".join(before.values()).splitlines()
    assert 'ffi_alias = "ffi"' in project.read("tschema.toml")
    schema = project.read("schema/adopted.py")
    assert schema.count("ctor") == 1 and schema.count("registration") == (style == "inline")
    for command in ("check", "validate"):
        assert project.run(command) == 0, project.err
    project.compile("src/ops.cc")


def test_an_alias_that_not_all_classes_see_is_not_used(project):
    place(project, "modern")
    header = HEADER.replace("@", "").replace("demo", "apart")
    project.write("include/demo/a.h", header)
    project.write("src/a.cc", SOURCE.replace("@", "").replace("namespace demo", "namespace apart"))
    assert project.run("adopt", "include", "src") == 0, project.err
    assert "ffi_alias" not in project.read("tschema.toml")
    assert "  ::tvm::ffi::String op;" in project.read("include/demo/ir.h")


GENERATED = """
from tvm_ffi.schema import Object, declare, field, module, ty

__tschema__ = module(namespace="demo", header="demo/a.h")

@declare
class BaseNode(Object):
    type_key = "demo.Base"
    structural_eq = "tree"
    name: ty.String
    price: ty.int64_t = 3

@declare
class MiddleNode(BaseNode):
    type_key = "demo.Middle"
    abstract = True

@declare
class LeafNode(MiddleNode):
    type_key = "demo.Leaf"
    parts: ty.Array[BaseNode] = field(default_factory=list)

@declare
class OtherNode(Object):
    type_key = "demo.Other"
    structural_eq = "tree"
    size: ty.int64_t = 1
"""


@pytest.mark.parametrize("is_other", [False, True])
def test_constructors_that_the_generator_writes_were_declared_as_handwritten(project, is_other):
    project.write("schema/a.py", GENERATED)
    assert project.run("generate") == 0, project.err
    header, source = project.read("include/demo/a.h"), project.read("src/a.cc")
    header = re.sub(r"// (Generated by|tschema: ).*\n", "", header)
    if is_other:
        header = header.replace("size) : size(size) {}", "size) : size(size + 0) {}")
    project.write("include/demo/a.h", header)
    project.write("src/a.cc", re.sub(r"// (Generated by|tschema: ).*\n", "", source))
    (project.root / "schema/a.py").unlink()
    assert project.run("adopt", "include", "src") == 0, project.err
    schema = project.read("schema/adopted.py")
    assert re.findall(r"\bctor\b.*", schema) == ["ctor = False"] * is_other
    marked = project.read("include/demo/a.h")
    assert re.sub(r"// tschema: .*\n", "", marked) == header
    assert ("custom-begin" in marked) == is_other
    assert project.run("check") == 0 and project.run("validate") == 0, project.err
    project.compile("src/a.cc")


def test_adopting_the_text_of_a_large_schema_adds_markers_only(project):
    example = Path(__file__).parents[1] / "examples" / "tensor_ir"
    for path in sorted((example / "schema").glob("*.py")):
        project.write(f"schema/{path.name}", path.read_text())
    project.write("tschema.toml", (example / "tschema.toml").read_text())
    assert project.run("generate") == 0, project.err
    before = {}
    for folder in ("include", "src"):
        for path in sorted((project.root / folder).rglob("*.*")):
            name = str(path.relative_to(project.root))
            text = re.sub(r"// (Generated by|tschema: ).*\n", "", path.read_text())
            before[name] = text.splitlines()
            project.write(name, text)
    shutil.rmtree(project.root / "schema")
    (project.root / "tschema.toml").unlink()
    assert project.run("adopt", "include", "src") == 0, project.err
    assert "103 classes adopted; compile" in project.err and "kept" not in project.err
    changed = []
    for name, lines in before.items():
        marked = re.sub(r" *// tschema: .*\n", "", project.read(name)).splitlines()
        changed += [line for line in difflib.ndiff(lines, marked) if line[0] in "-+"]
    assert len(changed) == 4 and all("ffi::ObjectPtr<" in line for line in changed), changed


# --- forms of large trees

FORMS = """\
namespace tvm {
template <typename Derived> class AttrsAdapter : public ::tvm::ffi::Object {
 public:
  void Visit(int level);
};
struct ConvAttrs : public AttrsAdapter<ConvAttrs> {
  int64_t groups;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("t.ConvAttrs", ConvAttrs, ::tvm::ffi::Object);
};
struct PoolAttrs : public AttrsAdapter<PoolAttrs> {
  int64_t layout;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("t.PoolAttrs", PoolAttrs, ::tvm::ffi::Object);
};

class KindObj : public ffi::EnumObj {
 public:
  int64_t rank = 0;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("t.Kind", KindObj, ffi::EnumObj);
};
class Kind : public ffi::Enum {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Kind, ffi::Enum, KindObj);
};

namespace tirx {
class VarNode : public ffi::Object {
 public:
  ffi::String name_hint;
  TVM_FFI_DECLARE_OBJECT_INFO("tirx.Var", VarNode, ffi::Object);
};
class Var : public ffi::ObjectRef {
 public:
  explicit Var(ffi::ObjectPtr<VarNode> n) : ffi::ObjectRef(n) {}
  const VarNode* operator->() const { return static_cast<const VarNode*>(data_.get()); }
  using ContainerType = VarNode;
};
}  // namespace tirx

using tirx::Var;

class LetNode : public ffi::Object {
 public:
  Var var;
  Kind kind;
  mutable Var other;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("t.Let", LetNode, ffi::Object);
};

namespace relax {
class VarNode : public ffi::Object {
 public:
  int64_t vid;
  TVM_FFI_DECLARE_OBJECT_INFO("relax.Var", VarNode, ffi::Object);
};
}  // namespace relax
}  // namespace tvm
"""
FORMS_SOURCE = """\
#include <demo/a.h>
namespace tvm {
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ffi::reflection;
  refl::ObjectDef<ConvAttrs>().def_ro("groups", &ConvAttrs::groups);
  refl::ObjectDef<PoolAttrs>().def_ro("layout", &PoolAttrs::layout);
  refl::ObjectDef<KindObj>().def_ro("rank", &KindObj::rank, refl::default_value(0));
  refl::EnumEntry<KindObj>("kData").set("rank", 2);
  refl::EnumDef<KindObj>("kControl");
  refl::ObjectDef<LetNode>()
      .def_ro("var", &LetNode::var)
      .def_ro("kind", &LetNode::kind)
      .def_ro("other", &LetNode::other, refl::default_value(Var()));
}
namespace tirx {
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ffi::reflection;
  refl::ObjectDef<VarNode>().def_ro("name", &VarNode::name_hint);
}
}
namespace relax {
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ffi::reflection;
  refl::ObjectDef<VarNode>().def_ro("vid", &VarNode::vid);
}
}
}
"""


SAME_NAME = """\
namespace demo {
namespace @ {
class VarNode : public ffi::Object {
 public:
  int64_t @_id;
  int64_t Own() const { return @_id; }
  TVM_FFI_DECLARE_OBJECT_INFO("@.Var", VarNode, ffi::Object);
};
class Var : public ffi::ObjectRef {
 public:
  int64_t OwnOf@() const { return get()->Own(); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Var, ffi::ObjectRef, VarNode);
};
}  // namespace @
}  // namespace demo
"""
SAME_NAME_SOURCE = """\
namespace demo {
namespace @ {
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ffi::reflection;
  refl::ObjectDef<VarNode>().def_ro("@_id", &VarNode::@_id);
}
}  // namespace @
}  // namespace demo
"""


@pytest.mark.parametrize("headers", [("a.h", "a.h"), ("a.h", "b.h")], ids=["one", "two"])
@pytest.mark.parametrize("runs", [1, 2])
def test_of_two_classes_with_one_last_name_one_was_refused(project, headers, runs):
    texts = {"a.h": "#pragma once\n", "b.h": "#pragma once\n", "a.cc": "", "b.cc": ""}
    for namespace, header in zip(("tir", "relax"), headers):
        source = header.replace(".h", ".cc")
        include = f"#include <demo/{header}>\n"
        texts[header] += SAME_NAME.replace("@", namespace)
        texts[source] = texts[source] or include
        texts[source] += SAME_NAME_SOURCE.replace("@", namespace)
    relax = texts["a.cc"].rpartition("namespace demo {")
    for name, text in texts.items():
        project.write(f"include/demo/{name}" if name.endswith(".h") else f"src/{name}", text)
    if runs == 2:  # the second class is registered later, and adopted by another run
        hidden = "b.cc" if headers[1] == "b.h" else "a.cc"
        shown = "" if hidden == "b.cc" else relax[0]
        project.write(f"src/{hidden}", shown)
        assert project.run("adopt", "include", "src") == 0, project.err
        config = project.read("tschema.toml").partition("inplace = [")[0]
        config += 'ffi_alias = "ffi"\ninplace = ["include/demo/*.h", "src/*.cc"]\n'
        project.write("tschema.toml", config)
        more = texts[hidden].removeprefix(shown)
        project.write(f"src/{hidden}", project.read(f"src/{hidden}") + more)
    assert project.run("adopt", "include", "src") == 0, project.err
    assert project.ids() == []
    schema = project.read("schema/adopted.py")
    assert "class VarNode(" in schema and "class RelaxVarNode(" in schema
    assert 'cpp_name = "VarNode"' in schema
    project.write("schema/adopted.py", schema.replace("_id: ty", "_number: ty"))
    for _ in range(2):
        assert project.run("generate") == 0, project.err
        for namespace, header in zip(("tir", "relax"), headers):
            text = project.read(f"include/demo/{header}").partition(f"namespace {namespace} {{")[2]
            words = (f"{namespace}_number{{}}", f"return {namespace}_id;", f"OwnOf{namespace}()")
            places = [text.index(word) for word in words]
            assert places == sorted(places) and places[-1] < text.index(f"// namespace {namespace}")
        assert project.run("check") == 0 and project.run("validate") == 0, project.err
    assert project.run("adopt", "include", "src") == 0, project.err
    assert "2 classes are adopted already" in project.err


def test_forms_of_large_trees_were_refused(project):
    """Enums, reference classes without a macro, names of other namespaces, adapters of bases."""
    project.write("include/demo/a.h", FORMS)
    project.write("src/a.cc", FORMS_SOURCE)
    assert project.run("adopt", "include", "src") == 0, project.err
    assert project.ids() == ["TS440"]
    assert (
        "ConvAttrs derives from the template AttrsAdapter, and a schema names no template;"
        " so do PoolAttrs" in project.err
    )
    assert "4 classes adopted" in project.err
    schema = project.read("schema/adopted.py")
    assert "class KindObj(Enum):" in schema and "kData = entry(rank=2)" in schema
    assert "    var: VarNode\n    kind: KindObj\n" in schema
    header = project.read("include/demo/a.h")
    for kept in (
        "  using ContainerType = VarNode;\n",
        "class Kind : public ffi::Enum {\n public:\n",
    ):
        assert kept in header
    assert project.run("check") == 0 and project.run("validate") == 0, project.err


# --- RegisterReflection

BEHIND = """\
// 1 above
void FineNode::RegisterReflection() {
  namespace refl = ::tvm::ffi::reflection;
  // 2 inside
  refl::ObjectDef<FineNode>().def_ro("x", &FineNode::x);  @
}

TVM_FFI_STATIC_INIT_BLOCK() {
  FineNode::RegisterReflection();
}
"""


@pytest.mark.parametrize("more", ["", "Hook();", "\n#if 1\n#endif"])
def test_a_registration_that_is_defined_behind_the_class_was_not_read(project, more):
    member = "static void RegisterReflection();\n  int64_t x;"
    project.write("include/demo/a.h", HEADER.replace("int64_t x;", member).replace("@", ""))
    start, end = SOURCE.index("TVM_FFI"), SOURCE.rindex("}  //")
    text = SOURCE[:start] + BEHIND.replace("@", more) + SOURCE[end:]
    project.write("src/a.cc", text)
    assert project.run("adopt", "include", "src") == 0, project.err
    chain = '  refl::ObjectDef<FineNode>().def_ro("x", &FineNode::x);'
    marked = project.read("src/a.cc").replace("  // tschema: FineNode.statements\n", "")
    assert re.sub("\n  // tschema: end sum=.{8}", "", marked).split() == text.split()
    assert chain in marked
    assert project.run("check") == 0 and project.run("validate") == 0, project.err


# --- the check of the generated text

CHANGES = {
    "bases/": ("class CallNode : public ExprNode", "class CallNode : public ffi::Object"),
    "fields/level/type": ("int64_t level = 3", "int32_t level = 3"),
    "order/": ("  ffi::String op;  // What is called.\n  ffi::Array<Expr> args;", ORDERED),
    "fields/secret_/access": (" private:\n  int64_t secret_", " protected:\n  int64_t secret_"),
    "constructors/": ("CallNode(ffi::String op, ffi::Array<Expr> args) :", "CallNode(int op) :"),
    "methods/arity": ("int64_t arity(int64_t extra) const", "int64_t arity(int64_t extra)"),
    "methods/is_leaf": ("is_leaf() const", "was_leaf() const"),
    "_type_s_eq_hash_kind": ("_type_child_slots = 0;", f"_type_child_slots = 0; {KIND}"),
    "child slots": ("_type_child_slots = 0;", "_type_child_slots = 1;"),
    "info/final": ('INFO("demo.Call"', 'INFO_FINAL("demo.Call"'),
    "ref/bases": ("class Call : public Expr", "class Call : public ffi::ObjectRef"),
    "ref/macro/nullable": ("NULLABLE(Call,", "NOTNULLABLE(Call,"),
    "entries/level/word": ('.def_rw("level"', '.def_ro("level"'),
    "entries/level/default": ("default_value(3)", "default_value(4)"),
    "entries/weight/flags": (", refl::kw_only(true)", ""),
    "entries/arity/flags": (", refl::short_call()", ""),
    "entries/arity/member": ("&CallNode::arity", "&CallNode::is_leaf"),
    "entries/arity/doc": ('Count the arguments."', 'Count."'),
    "order of fields": ('.def_ro("op", &CallNode::op, "What is called.")', ""),
    "registration/flags": ("ObjectDef<CallNode>()", "ObjectDef<CallNode>(refl::init(false))"),
}


@pytest.mark.parametrize("path", CHANGES)
def test_a_change_of_the_meaning_is_found(path):
    from tvm_ffi_schema.commands.adopt import find, tree, verify
    from tvm_ffi_schema.files.source import SourceFile

    def read(change: tuple[str, str]):
        texts = {name: (HERE / f"{name}.txt").read_text() for name in ("ir.h", "ir.cc")}
        assert sum(change[0] in text for text in texts.values()) == 1 or not change[0]
        made = {n: SourceFile(n, t.replace(*change).encode(), "utf-8") for n, t in texts.items()}
        return tree.read(made, [], [])

    before = read(("", ""))
    one = find.find(before, frozenset()).candidates["demo::CallNode"]
    assert not [*verify.differences(one, before, before)]
    after = read(CHANGES[path])
    if path.startswith(("entries/", "order of", "registration/")):
        assert not verify.respelled(one, before, before)
        assert verify.respelled(one, before, after)
        return
    found = [*verify.differences(one, before, after)]
    assert any(text.startswith(f"its {path.rstrip('/')} would be ") for text in found), found


# --- many classes


def write_many(project, folder: str, count: int, is_chain: bool, name: str = "") -> None:
    header, source = HEADER[: HEADER.index("class")], ""
    for n in range(count):
        base = f"N{n - 1}Node" if is_chain and n else "::tvm::ffi::Object"
        member = name or f"x{n}"
        header += f"class N{n}Node : public {base} {{\n public:\n  int64_t {member};\n"
        header += "  static constexpr uint32_t _type_child_slots = 0;\n"
        header += f'  TVM_FFI_DECLARE_OBJECT_INFO("demo.N{n}", N{n}Node, {base});\n}};\n'
        source += f'refl::ObjectDef<N{n}Node>().def_ro("{member}", &N{n}Node::{member});\n'
    project.write(f"{folder}/a.h", header + "}\n")
    source = source.removesuffix(f"{member});\n") + f"{member});"
    project.write(f"{folder}/a.cc", SOURCE.replace(STATEMENT.lstrip() + "  @", source))


@pytest.mark.parametrize("is_chain", [False, True])
def test_each_class_was_compared_with_all_text_and_all_classes(project, monkeypatch, is_chain):
    from tvm_ffi_schema.cxx.names import Lookup

    called = Counter()
    for name in ("find", "tokens"):
        made = getattr(Lookup, name)

        def counted(self, *args, made=made):
            called[folder] += 1
            return made(self, *args)

        monkeypatch.setattr(Lookup, name, counted)
    for folder, count in (("few", 20), ("many", 80)):
        write_many(project, folder, count, is_chain)
        output = f"schema/{folder}.py"
        assert project.run("adopt", folder, "-o", output, "--dry-run") == 0, project.err
        assert f"{count} classes would be adopted" in project.err
    assert called["many"] < 5 * called["few"]


def test_each_error_in_the_new_schema_cost_a_run_of_all_steps(project, monkeypatch):
    from tvm_ffi_schema.commands.adopt import adoption

    rounds = []
    made = adoption.Adoption._round
    monkeypatch.setattr(adoption.Adoption, "_round", lambda self: rounds.append(1) or made(self))
    write_many(project, "src", 20, is_chain=False, name="lambda")
    assert project.run("adopt", "src") == 1
    assert project.err.count("warning[TS440]") == 20 and len(rounds) == 1


# --- mistakes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "there is no nowhere"),
        (["empty"], "there is no C++ file in empty"),
        (["plain"], "there is no object class in 1 C++ file"),
        (["latin"], "latin/a.h is not UTF-8 text: byte 0xe9"),
        (["../outside.h"], "is outside of the project"),
        (["plain", "-o", "../ir.py"], "is outside of the project"),
        (["plain", "-o", "schema.json"], "-o takes a Python file"),
        (["include", "-o", "notes.py"], "notes.py is there already"),
    ],
)
def test_mistakes_are_named_and_nothing_is_written(project, arguments, said):
    project.root = project.write("work/plain/a.h", "int f();\n").parents[1]
    (project.root / "empty").mkdir()
    (project.root.parent / "outside.h").write_text("int f();\n")
    project.write("notes.py", "x = 1\n")
    place(project, "modern")
    project.write("latin/a.h", "").write_bytes("// caf\xe9\n".encode("latin-1"))
    before = project.files()
    assert project.run("adopt", *arguments) != 0
    assert said in project.err
    assert project.files() == before


def test_a_project_of_whole_files_is_not_mixed_with_adopted_ones(project):
    place(project, "modern")
    project.write("tschema.toml", 'mode = "full"\n')
    before = project.files()
    assert project.run("adopt", "include", "src") == 2
    assert 'write  mode = "inplace"' in project.err
    assert project.files() == before


def test_a_configuration_that_does_not_name_the_files_is_reported(project):
    place(project, "modern")
    project.write("tschema.toml", 'mode = "inplace"\ninplace = ["src/ir.cc"]\n')
    before = project.files()
    assert project.run("adopt", "include", "src", "-o", "schema/ir.py") == 2
    assert "inplace does not name include/demo/ir.h" in project.err
    assert project.files() == before
    project.write("tschema.toml", 'mode = "inplace"\ninplace = ["src/*.cc", "include/**/*.h"]\n')
    assert project.run("adopt", "include", "src", "-o", "schema/ir.py") == 0, project.err


# --- adopting a few classes at a time

FAMILY = """\
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/object.h>
namespace demo {
class BaseNode : public ::tvm::ffi::Object {
 public:
  int64_t level = 2;
  static constexpr uint32_t _type_child_slots = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("demo.Base", BaseNode, ::tvm::ffi::Object);
};
class Base : public ::tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Base, ::tvm::ffi::ObjectRef, BaseNode);
};
class ChildNode : public BaseNode {
 public:
  ::tvm::ffi::Array<Base> others;
  static constexpr uint32_t _type_child_slots = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("demo.Child", ChildNode, BaseNode);
};
class Child : public Base {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Child, Base, ChildNode);
};
}  // namespace demo
"""
REGISTRATIONS = """\
  refl::ObjectDef<BaseNode>().def_ro("level", &BaseNode::level);
  refl::ObjectDef<ChildNode>().def_ro("others", &ChildNode::others);
"""


def write_family(project, header=FAMILY, registrations=REGISTRATIONS) -> None:
    project.write("include/demo/a.h", header)
    project.write("src/a.cc", SOURCE.replace(STATEMENT, registrations).replace("@", ""))


def test_a_base_that_is_adopted_later_takes_the_place_of_its_extern_class(project):
    write_family(project)
    assert project.run("adopt", "include", "src") == 0, project.err
    assert "BaseNode = extern(" in project.read("schema/adopted.py")
    assert "// tschema: ChildNode" in project.read("include/demo/a.h")
    header = project.read("include/demo/a.h").replace("int64_t level = 2;", "int64_t level;")
    project.write("include/demo/a.h", header)
    assert project.run("adopt", "include", "src") == 0, project.err
    schema = project.read("schema/adopted.py")
    assert "extern(" not in schema
    assert schema.index("class BaseNode(Object)") < schema.index("class ChildNode(BaseNode)")
    assert project.run("check") == 0 and project.run("validate") == 0, project.err
    assert project.run("adopt", "include", "src") == 0
    assert "nothing to adopt: 2 classes are adopted already" in project.err


@pytest.mark.parametrize("is_left", [False, True])
def test_settings_that_the_tool_computes_were_written_into_each_class(project, is_left):
    kind = (
        "  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;\n"
    )
    level = (
        "  int64_t level = 2;\n" if is_left else "  /*! \\brief The level. */\n  int64_t level;\n"
    )
    write_family(project, FAMILY.replace("  int64_t level = 2;\n", level + kind))
    assert project.run("adopt", "include", "src") == 0, project.err
    schema = project.read("schema/adopted.py")
    assert ("BaseNode = extern(" in schema) == is_left
    assert schema.count("_reduce = False") == 2 * is_left  # the kind of an extern class is unknown
    assert "child_slots" not in schema
    assert ('    """\n    Attributes\n' in schema) == (not is_left)
    text = project.read("include/demo/a.h")
    assert text.count("_type_s_eq_hash_kind") == 1 and "_type_child_slots = 1;" in text
    assert project.run("check") == 0 and project.run("validate") == 0, project.err


def test_a_base_that_stays_was_registered_after_its_adopted_subclass(project):
    write_family(project)  # the base begins as 2 without a default
    assert project.run("adopt", "include", "src") == 0, project.err
    text = project.read("src/a.cc")
    assert text.index("ObjectDef<BaseNode>") < text.index("ObjectDef<ChildNode>")
    assert project.run("check") == 0 and project.run("validate") == 0, project.err


def test_a_class_between_a_base_and_a_subclass_that_stay_was_left_alone(project):
    last = FAMILY[FAMILY.index("class ChildNode") : FAMILY.index("class Child ")]
    last = last.replace("ChildNode", "LastNode").replace("BaseNode", "ChildNode")
    last = last.replace('"demo.Child"', '"demo.Last"').replace("others;", "more = {1};")
    header = FAMILY.replace("}  // namespace demo", last.replace("Base>", "int>") + "}")
    more = REGISTRATIONS + '  refl::ObjectDef<LastNode>().def_ro("more", &LastNode::more);\n'
    write_family(project, header, more)
    assert project.run("adopt", "include", "src") == 0
    registered = re.findall(r"ObjectDef<(\w+)>|tschema: (\w+)\.", project.read("src/a.cc"))
    order = ["BaseNode", "ChildNode", "ChildNode", "LastNode"]
    assert ["".join(names) for names in registered] == order
    assert project.run("check") == 0 and project.run("validate") == 0, project.err


def test_classes_go_to_a_second_schema_file_that_imports_the_first(project):
    child = FAMILY.index("class ChildNode")
    end = FAMILY.index("}  // namespace demo")
    header = FAMILY[:child].replace("level = 2", "level") + FAMILY[end:]
    more = '#include "a.h"\nnamespace demo {\n' + FAMILY[child:]
    base, derived = REGISTRATIONS.splitlines(keepends=True)
    write_family(project, header, base)
    project.write("tschema.toml", 'mode = "inplace"\ninplace = ["include/**/*.h", "src/*.cc"]\n')
    assert project.run("adopt", "include", "src", "-o", "schema/base.py") == 0, project.err
    project.write("include/demo/b.h", more)
    project.write(
        "src/b.cc", SOURCE.replace("a.h", "b.h").replace(STATEMENT, derived).replace("@", "")
    )
    assert project.run("adopt", "include", "src", "-o", "schema/child.py") == 0, project.err
    assert "from base import BaseNode\n" in project.read("schema/child.py")
    assert project.run("check") == 0 and project.run("validate") == 0, project.err


def test_a_file_that_changes_during_the_run_is_not_overwritten(project, monkeypatch):
    from tvm_ffi_schema.commands.adopt import adoption

    place(project, "modern")
    made = adoption.Adoption.run

    def run(self) -> None:
        made(self)
        path = project.root / "src/ir.cc"
        path.write_text(path.read_text() + "// edited\n")

    monkeypatch.setattr(adoption.Adoption, "run", run)
    before = project.files()
    assert project.run("adopt", "include", "src") == 4
    assert "TS117" in project.ids()
    after = project.files()
    assert after.pop("src/ir.cc").endswith(b"// edited\n")
    before.pop("src/ir.cc")
    assert after == before


@pytest.mark.parametrize("name", LIBRARIES)
@pytest.mark.parametrize("root", ["", "lib/"])
def test_files_that_lie_elsewhere_are_generated_and_validated_there(project, name, root):
    for target, source in LIBRARIES[name][0].items():
        project.write(root + Path(target).name, (HERE / f"{source}.txt").read_text())
    assert project.run("adopt", root or ".") == 0, project.err
    assert project.run("check") == 0, project.err
    assert project.run("validate") == 0 and "0 differences" in project.err, project.err


@pytest.mark.parametrize("name", LIBRARIES)
@pytest.mark.parametrize("option", ['dialect = "classic"', 'ffi_alias = "ffi"'])
def test_settings_of_the_project_apply_to_adopted_classes(project, name, option):
    place(project, name)
    project.write(
        "tschema.toml", f'mode = "inplace"\ninplace = ["include/**", "src/*"]\n{option}\n'
    )
    assert project.run("adopt", "include", "src") == 0, project.err
    assert "TS440" not in project.ids()
    for command in ("check", "validate"):
        assert project.run(command) == 0, project.err

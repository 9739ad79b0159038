# SPDX-License-Identifier: Apache-2.0
"""The edits of `validate --fix`: the edited C++ compiles and has no findings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .conftest import needs_compiler

HERE = Path(__file__).parent / "handwritten"
SCHEMA, HEADER = ((HERE / f"pairs.{end}.txt").read_text() for end in ("py", "h"))
#: Source files that register the classes: inside of their namespace, and outside of the namespace.
SOURCES = {name: (HERE / f"{name}.cc.txt").read_text() for name in ("pairs", "pairs_outside")}
REF = "class Pair : public "
SLOTS = "  static constexpr const uint32_t _type_child_slots = 2;\n"
KIND = "  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindDAGNode;\n"
#: Name of an error -> (rule, file, pattern, replacement that makes the error). `--fix` repairs it.
FAULTS = {
    "another key": ("TS403", "h", '"fx.Pair"', '"fx.Pear"'),
    "a parent is not registered": ("TS406", "cc", r"  \w+::ObjectDef<[\w:]*BaseNode>\(\);\n", ""),
    "a leaf is not registered": ("TS406", "cc", r"  \w+::ObjectDef<[\w:]*LeafNode>[^;]*;", ""),
    "no text": ("TS408", "cc", r'      \.def_rw\("left".*\n', ""),
    "no reference": ("TS408", "cc", r'      \.def_rw\("right".*\n', ""),
    "no number": ("TS408", "cc", r'      \.def_rw\("count".*\n', ""),
    "no list": ("TS408", "cc", r'\n      \.def_ro\("kinds".*\}\)\)', ""),
    "not writable": ("TS413", "cc", r'def_rw\("right"', 'def_ro("right"'),
    "flags are missing": ("TS416", "cc", r", \w+::repr\(false\), \w+::kw_only\(true\)", ""),
    "another flag": ("TS416", "cc", r"(\w+)::AttachFieldFlag::\w+\(\)", r"\1::repr(false)"),
    "another kind": ("TS417", "h", "HashKindDAGNode", "HashKindUnsupported"),
    "no kind": ("TS417", "h", KIND, ""),
    "another base": ("TS421", "h", REF + "Base", REF + "::tvm::ffi::ObjectRef"),
    "another base in the macro": ("TS421", "h", r"\(Pair, Base", "(Pair, ::tvm::ffi::ObjectRef"),
    "a base of the runtime": ("TS421", "h", r"\(Base, ::tvm::ffi::ObjectRef", "(Base, Pair"),
    "another object": ("TS421", "h", r"\(Leaf, Base, LeafNode", "(Leaf, Base, BaseNode"),
    "nullable": ("TS421", "h", r"_NOTNULLABLE\(Pair", "_NULLABLE(Pair"),
    "stale slots": ("TS422", "h", "slots = 2", "slots = 7"),
    "no slots": ("TS422", "h", SLOTS, ""),
}
#: Names of errors in different places, which one run of `--fix` can repair together.
TOGETHER = [
    *("another key", "a parent is not registered", "a leaf is not registered", "no text"),
    *("no number", "not writable", "no kind", "nullable", "stale slots", "another object"),
    *("a base of the runtime", "another base", "another base in the macro"),
]


def spoiled(texts: dict[str, str], name: str) -> None:
    _, end, old, new = FAULTS[name]
    text, count = re.subn(old, new, texts[end])
    assert count, name
    texts[end] = text


def write(project, texts: dict[str, str]) -> None:
    project.schema(SCHEMA)
    project.write("include/demo/ir.h", texts["h"])
    project.write("src/ir.cc", texts["cc"])


@pytest.mark.spec("SC101.59")
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_and_mended(project, fault, source):
    texts = {"h": HEADER, "cc": SOURCES[source]}
    write(project, texts)
    assert project.run("validate", "--strict") == 0, project.err
    assert project.ids() == []
    spoiled(texts, fault)
    write(project, texts)
    assert project.run("validate") == 1
    assert project.ids() == [FAULTS[fault][0]], project.err
    assert "fix available" in project.err
    assert project.run("validate", "--fix") == 1
    assert project.run("validate", "--strict") == 0, project.err
    assert project.ids() == []


@pytest.mark.spec("SC101.60")
@needs_compiler
@pytest.mark.parametrize("source", SOURCES)
def test_what_is_mended_compiles(project, source):
    texts = {"h": HEADER, "cc": SOURCES[source]}
    for fault in TOGETHER:
        spoiled(texts, fault)
    write(project, texts)
    assert project.run("validate", "--fix") == 1
    assert project.run("validate", "--strict") == 0, project.err
    project.compile("src/ir.cc")
    for fault in ("no reference", "no list", "flags are missing", "another flag", "no slots"):
        texts = {"h": HEADER, "cc": SOURCES[source]} if fault == "no reference" else texts
        spoiled(texts, fault)
    write(project, texts)
    project.run("validate", "--fix")
    assert project.run("validate", "--strict") == 0, project.err
    project.compile("src/ir.cc")


@pytest.mark.spec("SC101.61")
def test_a_kind_that_is_stated_is_not_stated_twice(project):
    texts = {"h": HEADER, "cc": SOURCES["pairs"]}
    spoiled(texts, "another kind")
    write(project, texts)
    project.run("validate", "--fix")
    assert project.read("include/demo/ir.h") == HEADER


@pytest.mark.spec("SC101.44")
def test_a_final_class_gets_no_slots_besides(project):
    texts = {"h": HEADER.replace(SLOTS, ""), "cc": SOURCES["pairs"]}
    texts["h"] = texts["h"].replace('INFO("fx.Base"', 'INFO_FINAL("fx.Base"')
    write(project, texts)
    assert project.run("validate") == 1
    assert set(project.ids()) == {"TS423", "TS424"}
    project.run("validate", "--fix")
    assert project.read("include/demo/ir.h") == texts["h"]


@pytest.mark.spec("SC101.62")
def test_a_registration_goes_where_the_class_is_known(project):
    texts = {"h": HEADER, "cc": SOURCES["pairs"]}
    spoiled(texts, "a leaf is not registered")
    write(project, texts)
    other = "#include <tvm/ffi/tvm_ffi.h>\nvoid f() { tvm::ffi::reflection::ObjectDef<Other>(); }\n"
    project.write("src/a.cc", other)
    project.write("src/z.cc", other)
    member = "struct X { static void RegisterReflection() { refl::ObjectDef<X>(); } };\n"
    project.write("include/demo/x.h", member)
    project.run("validate", "--fix")
    assert project.read("src/a.cc") == project.read("src/z.cc") == other
    assert "ObjectDef<LeafNode>" in project.read("src/ir.cc")
    texts["cc"] = ""
    write(project, texts)
    before = project.files()
    project.run("validate", "--fix")
    assert project.files() == before  # without any registration, `--fix` cannot insert one


@pytest.mark.spec("SC101.14")
def test_a_fix_that_the_encoding_of_a_file_cannot_hold(project):
    texts = {"h": HEADER, "cc": "// \xe9\n" + SOURCES["pairs"]}
    spoiled(texts, "no text")
    for doc, status in (("\xe9", 1), ("\u0101", 4)):
        write(project, texts)
        project.schema(SCHEMA.replace("Say ", f"{doc} "))
        path = project.root / "src/ir.cc"
        path.write_bytes(texts["cc"].encode("latin-1"))
        assert project.run("validate", "--fix") == status
        assert ("TS120" in project.ids()) == (status == 4)
        text = path.read_bytes().decode("latin-1")
        assert (text == texts["cc"]) == (status == 4) and text.startswith("// \xe9\n")

# SPDX-License-Identifier: Apache-2.0
"""In-place mode: every error in a marker is reported at its place, and no file is written."""

from __future__ import annotations

import re

import pytest

SCHEMA = '''
__tschema__ = module(namespace="demo", header="demo/ir.h")

@declare
class ANode(Object):
    """First."""
    type_key = "demo.A"
    x: int

@declare
class BNode(Object):
    """Second."""
    type_key = "demo.B"
    renamed_from = "demo.Old"
    y: ty.String
'''
BOTH = "// tschema: ANode\n// tschema: end\n// tschema: BNode\n// tschema: end\n"
CONFLICT = "<<<<<<< ours\nint a;\n=======\nint b;\n>>>>>>> theirs\n"
HEADER = "include/demo/ir.h"


def marked(*markers: str) -> str:
    """Return one line for each marker."""
    return "".join(f"// tschema: {marker}\n" for marker in markers)


@pytest.fixture
def inplace(project):
    project.schema(SCHEMA)
    project.write("tschema.toml", 'mode = "inplace"\n')
    return project


def refused(project, text: str, rule: str, *, line: int, status: int = 4) -> None:
    project.write(HEADER, text)
    before = project.files()
    assert project.run("generate") == status, project.err
    assert rule in project.ids()
    assert f"{HEADER}:{line}:" in project.err
    assert project.files() == before
    assert project.run("check") == status
    assert project.files() == before


@pytest.mark.spec("SC86")
@pytest.mark.parametrize(
    ("rule", "line", "text"),
    [
        ("TS101", 1, marked("ANode") + "int x;\n"),
        ("TS102", 1, marked("end") + BOTH),
        ("TS102", 5, BOTH + marked("custom-begin", "custom-end")),
        ("TS102", 2, marked("ANode", "custom-end", "end")),
        ("TS102", 1, marked("on") + BOTH),
        ("TS103", 2, marked("ANode", "BNode", "end", "end")),
        ("TS103", 3, marked("ANode", "custom-begin", "custom-begin", "custom-end", "end")),
        ("TS103", 3, marked("ANode", "custom-begin", "BNode", "custom-end", "end")),
        ("TS104", 1, marked("CNode", "end") + BOTH),
        ("TS105", 5, BOTH + marked("ANode", "end")),
        ("TS105", 5, BOTH + marked("ANode.all", "end")),
        ("TS106", 3, marked("ANode", "custom-begin", "end")),
        ("TS107", 1, marked("ANode.objekt", "end")),
        ("TS107", 1, marked("@registratoin", "end")),
        ("TS107", 2, marked("ANode", "custom-begin tial", "custom-end", "end")),
        ("TS107", 1, marked("ANode dialekt=classic", "end")),
        ("TS107", 1, marked("ANode dialect=old", "end")),
        ("TS107", 1, marked("A Node", "end")),
        ("TS107", 2, marked("ANode", "end some=1")),
        ("TS109", 1, marked("ANode") + "int mine;\n" + marked("end")),
        ("TS110", 2, marked("ANode") + CONFLICT + marked("end")),
    ],
)
def test_fault(inplace, rule, line, text):
    refused(inplace, text, rule, line=line)


def test_not_utf8(inplace):
    inplace.write(HEADER, BOTH)
    path = inplace.root / HEADER
    path.write_bytes(path.read_bytes() + b"\xff\xfe\n")
    before = inplace.files()
    assert inplace.run("generate") == 4
    assert "TS120" in inplace.ids()
    assert f"{HEADER}:5:1" in inplace.err
    assert inplace.files() == before


@pytest.mark.spec("SC86")
def test_hints(inplace):
    inplace.write(HEADER, "// tschema: OldNode\n// tschema: end\n" + BOTH)
    inplace.run("generate")
    assert "it is now called 'BNode'" in inplace.err
    inplace.write(HEADER, "// tschema: ANod\n// tschema: end\n" + BOTH)
    inplace.run("generate")
    assert "did you mean 'ANode'?" in inplace.err


def test_warnings_do_not_stop_the_run(inplace):
    inplace.write(HEADER, "// tchema: ANode\n// tschema: ANode\n// tschema: end\n")
    assert inplace.run("generate") == 0
    assert sorted(set(inplace.ids())) == ["TS111", "TS113"]


def test_mixed_line_ends_keep_the_majority(inplace):
    text = "// tschema: ANode\r\n// tschema: custom-begin\r\n// tschema: custom-end\r\n"
    inplace.write(HEADER, text + "// tschema: end\n" + BOTH[BOTH.index("// tschema: BNode") :])
    assert inplace.run("generate") == 0
    assert "TS112" in inplace.ids()
    block = inplace.read(HEADER).split("// tschema: BNode")[0]
    assert "class ANode : public ::tvm::ffi::Object {\r\n" in block


@pytest.mark.spec("SC80", "SC104.3")
def test_hand_edit_is_refused_and_force_keeps_a_copy(inplace):
    inplace.write(HEADER, BOTH)
    assert inplace.run("generate") == 0
    text = inplace.read(HEADER).replace("int64_t x{};", "int32_t x{};")
    inplace.write(HEADER, text)
    before = inplace.files()
    assert inplace.run("generate") == 4
    assert "TS108" in inplace.ids()
    assert inplace.files() == before
    assert inplace.run("generate", "--force") == 0
    assert "int64_t x{};" in inplace.read(HEADER)
    kept = list((inplace.root / ".tschema/lost+found").iterdir())
    assert len(kept) == 1 and "int32_t x{};" in kept[0].read_text()


def test_an_edit_that_the_schema_contains_too_is_accepted(inplace):
    inplace.write(HEADER, BOTH)
    assert inplace.run("generate") == 0
    inplace.write(HEADER, inplace.read(HEADER).replace("First.", "The first."))
    inplace.schema(SCHEMA.replace("First.", "The first."))
    assert inplace.run("generate") == 0
    assert inplace.run("check") == 0


@pytest.mark.spec("SC81")
def test_reformatting_is_not_an_edit_and_stays(inplace):
    inplace.write(HEADER, BOTH)
    assert inplace.run("generate") == 0
    text = inplace.read(HEADER)
    text = text.replace(
        "class ANode : public ::tvm::ffi::Object {",
        "class ANode\n    : public ::tvm::ffi::Object\n{",
    )
    text = text.replace("  int64_t x{};", "\tint64_t   x { };")
    inplace.write(HEADER, text)
    assert inplace.run("check") == 0
    assert inplace.run("generate") == 0
    assert inplace.read(HEADER) == text
    assert inplace.run("generate", "--normalize") == 0
    assert "  int64_t x{};" in inplace.read(HEADER)


@pytest.mark.spec("SC7")
def test_anchors(inplace):
    sections = ["before", "head", "fields", "tail", "private", "after", "ctor-body"]
    customs = "".join(
        f"// tschema: custom-begin {name}\n/* {name} */\n// tschema: custom-end\n"
        for name in sections
    )
    inplace.write(HEADER, "// tschema: ANode\n" + customs + "// tschema: end\n")
    assert inplace.run("generate") == 0, inplace.err
    text = inplace.read(HEADER)
    order = ["/* before */", "class ANode", " public:", "/* head */", "int64_t x{}"]
    order += ["/* fields */", "x(x) {", "/* ctor-body */", "OBJECT_INFO", "/* tail */"]
    order += [" private:", "/* private */", "\n};\n", "/* after */"]
    places = [text.index(word) for word in order]
    assert places == sorted(places)
    assert inplace.run("check") == 0


def test_a_block_follows_its_renamed_class(inplace):
    section = "// tschema: custom-begin\n/* mine */\n// tschema: custom-end\n"
    inplace.write(HEADER, f"// tschema: OldNode\n{section}// tschema: end\n")
    assert inplace.run("generate") == 0, inplace.err
    text = inplace.read(HEADER)
    assert text.startswith("// tschema: BNode\nclass BNode") or "class BNode" in text
    assert "tschema: OldNode" not in text and section in text
    assert inplace.run("check") == 0


@pytest.mark.spec("SC82")
def test_code_of_a_removed_method_goes_to_a_file_beside(inplace):
    method = '\n    @method\n    def f(self) -> int:\n        """One."""\n'
    inplace.schema(SCHEMA.replace("    x: int\n", "    x: int\n" + method))
    inplace.write(HEADER, BOTH)
    inplace.write("src/ir.cc", "// tschema: @registration\n// tschema: end\n")
    assert inplace.run("generate") == 0, inplace.err
    source = inplace.read("src/ir.cc")
    assert "// tschema: custom-begin ANode.method:f" in source
    mine = source.replace(
        "  TVM_FFI_THROW(NotImplementedError)", "  /* mine */ TVM_FFI_THROW(ValueError)"
    )
    inplace.write("src/ir.cc", mine)
    assert inplace.run("generate") == 0
    assert inplace.read("src/ir.cc") == mine
    inplace.schema(SCHEMA)
    assert inplace.run("check") == 4
    assert not (inplace.root / "src/ir.cc.orphaned").exists()
    assert inplace.run("generate") == 4
    assert "TS121" in inplace.ids()
    assert "/* mine */" not in inplace.read("src/ir.cc")
    kept = inplace.read("src/ir.cc.orphaned")
    assert "// tschema: custom-begin ANode.method:f\n" in kept and kept.count("/* mine */") == 1
    before = inplace.files()
    assert inplace.run("generate") == 4
    assert inplace.run("check") == 4
    assert inplace.files() == before
    inplace.write("src/ir.cc", mine)
    assert inplace.run("generate") == 4
    assert inplace.files() == before
    (inplace.root / "src/ir.cc.orphaned").unlink()
    assert inplace.run("generate") == 0
    assert inplace.run("check") == 0


@pytest.mark.spec("SC82", "SC104.3")
def test_prune_keeps_custom_code(inplace):
    gone = "// tschema: GoneNode\n// tschema: custom-begin\nint kept;\n// tschema: custom-end\n"
    inplace.write(HEADER, gone + "// tschema: end\n" + BOTH)
    assert inplace.run("generate") == 4
    assert inplace.run("generate", "--prune") == 4, inplace.err
    assert inplace.ids() == ["TS121"]
    assert "GoneNode" not in inplace.read(HEADER)
    kept = inplace.read(HEADER + ".orphaned")
    assert "// tschema: custom-begin GoneNode.tail\nint kept;\n// tschema: custom-end\n" in kept


@pytest.mark.spec("SC88", "SC104.3")
def test_insert_adds_blocks_at_the_end_of_the_namespace(inplace):
    inplace.write(HEADER, "namespace demo {\nint user;\n}  // namespace demo\n#endif\n")
    assert inplace.run("generate", "--insert") == 0, inplace.err
    text = inplace.read(HEADER)
    assert text.startswith("namespace demo {\nint user;\n// tschema: ANode\n")
    assert text.endswith("}  // namespace demo\n#endif\n")
    assert all(f"// tschema: {name}\n" in text for name in ("ANode", "A", "BNode", "B"))


@pytest.mark.spec("SC78")
def test_markers_in_raw_strings_comments_and_off_regions_are_ignored(inplace):
    text = (
        'const char* a = R"(\n// tschema: ANode\n)";\n'
        "/*\n// tschema: BNode\n*/\n"
        "// tschema: off\n// tschema: BNode\n// tschema: nonsense here\n// tschema: on\n"
        "int b;  // tschema: BNode\n"
    )
    inplace.write(HEADER, text + BOTH)
    assert inplace.run("generate") == 0, inplace.err
    assert inplace.read(HEADER).startswith(text)


@pytest.mark.spec("SC78")
def test_crlf_bom_and_missing_final_newline_are_kept(inplace):
    data = b"\xef\xbb\xbf// first\r\n" + BOTH.replace("\n", "\r\n").encode() + b"// last"
    path = inplace.root / HEADER
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    assert inplace.run("generate") == 0
    new = path.read_bytes()
    assert new.startswith(b"\xef\xbb\xbf// first\r\n") and new.endswith(b"\r\n// last")
    assert b"\n" not in new.replace(b"\r\n", b"")


@pytest.mark.spec("SC88")
def test_one_refused_block_stops_all_files_unless_asked(inplace):
    inplace.write("extra/a.h", "// tschema: ANode\nint mine;\n// tschema: end\n")
    inplace.write(HEADER, "// tschema: BNode\n// tschema: end\n")
    before = inplace.files()
    assert inplace.run("generate", "--inplace", "extra/a.h") == 4
    assert inplace.files() == before
    assert inplace.run("generate", "--inplace", "extra/a.h", "--keep-going") == 4
    assert "class BNode" in inplace.read(HEADER)
    assert inplace.files()["extra/a.h"] == before["extra/a.h"]


@pytest.mark.spec("SC77")
def test_parts_and_groups(inplace):
    text = "// tschema: @includes\n// tschema: end\n// tschema: @forward\n// tschema: end\n"
    text += "// tschema: A.ref\n// tschema: end\n// tschema: ANode.forward\n// tschema: end\n"
    inplace.write(HEADER, text)
    source = "// tschema: ANode.ctor\n// tschema: end\n// tschema: ANode.reflection\n"
    inplace.write(
        "src/ir.cc", source + "// tschema: end\n// tschema: @registration *.B\n// tschema: end\n"
    )
    assert inplace.run("generate") == 0, inplace.err
    header, source = inplace.read(HEADER), inplace.read("src/ir.cc")
    assert "#include <tvm/ffi/string.h>" in header and "class B;" in header
    assert source.count("A::A(int64_t x)") == 1
    assert source.index("ObjectDef<ANode>") < source.index("ObjectDef<BNode>")
    block = "TVM_FFI_STATIC_INIT_BLOCK() {\n  // tschema: ANode.statements\n  // tschema: end\n}\n"
    inplace.write("src/ir.cc", block)
    assert inplace.run("generate") == 0, inplace.err
    source = inplace.read("src/ir.cc")
    assert source.count("STATIC_INIT_BLOCK") == 1 == source.count("ObjectDef<ANode>")
    inplace.write("src/ir.cc", block + "// tschema: ANode.reflection\n// tschema: end\n")
    assert inplace.run("generate") == 4 and inplace.ids()[-1] == "TS105"


@pytest.mark.parametrize(
    ("above", "has_own"),
    [
        ("/*!\n * \\brief Mine.\n */\n", False),
        ("/** Mine. */\n", False),
        ("/// Mine.\n", False),
        ("// Not for Doxygen.\n", True),
        ("/* Nor this. */\n", True),
        ("/*! Of another. */\n\n", True),
    ],
)
def test_a_block_below_a_comment_has_no_comment_of_its_own(inplace, above, has_own):
    blocks = f"{above}// tschema: ANode\n// tschema: end\n{above}// tschema: A\n// tschema: end\n"
    inplace.write(HEADER, blocks)
    assert inplace.run("generate") == 0, inplace.err
    text = inplace.read(HEADER)
    assert text.count("Managed reference to ANode") == has_own and text.count(above) == 2
    assert inplace.run("check") == 0, inplace.err


@pytest.mark.spec("SC91")
def test_resolve_takes_conflicts_in_generated_text_and_leaves_custom_ones(inplace):
    inplace.write(HEADER, BOTH)
    assert inplace.run("generate") == 0
    good = inplace.read(HEADER)
    inplace.schema(SCHEMA.replace("x: int", "xx: int"))
    assert inplace.run("generate") == 0
    other = inplace.read(HEADER)
    inplace.schema(SCHEMA)
    inplace.write(HEADER, f"<<<<<<< ours\n{good}=======\n{other}>>>>>>> theirs\n")
    assert inplace.run("generate") == 4
    assert inplace.ids() == ["TS110"]
    assert inplace.run("resolve", HEADER) == 0, inplace.err
    assert inplace.read(HEADER) == good
    edited = other.replace("int64_t xx{};", "int64_t xxx{};")
    inplace.write(HEADER, f"<<<<<<< ours\n{good}=======\n{edited}>>>>>>> theirs\n")
    assert inplace.run("resolve", HEADER) == 4
    assert "has lines that this tool has not generated: int64_t xxx{};" in inplace.err
    both = "<<<<<<< ours\n  int64_t x{};\n=======\n  int64_t xx{};\n>>>>>>> theirs\n"
    custom = "// tschema: custom-begin\n" + both + "// tschema: custom-end\n};\n// tschema: end"
    broken = good.replace("};\n// tschema: end", custom, 1)
    inplace.write(HEADER, broken)
    assert inplace.run("resolve", HEADER) == 4
    assert "TS110" in inplace.ids()
    assert inplace.read(HEADER) == broken


@pytest.mark.spec("SC91")
def test_resolve_adopts_added_members(inplace):
    inplace.write(HEADER, BOTH)
    assert inplace.run("generate") == 0
    member = "  int twice() const {\n    return 2 * static_cast<int>(x);\n  }\n"
    text = inplace.read(HEADER).replace("  ANode() = default;\n", member + "  ANode() = default;\n")
    inplace.write(HEADER, text)
    assert inplace.run("generate") == 4
    assert inplace.run("resolve", "--adopt-edits", HEADER) == 0, inplace.err
    assert inplace.run("check") == 0, inplace.err
    text = inplace.read(HEADER)
    assert "// tschema: custom-begin\n" + member + "// tschema: custom-end\n};" in text
    inplace.write(HEADER, text.replace("int64_t x{};", "int32_t x{};"))
    assert inplace.run("resolve", "--adopt-edits", HEADER) == 4
    assert "TS108" in inplace.ids()
    assert inplace.run("check") == 0, inplace.err


@pytest.mark.spec("SC88", "SC104.3")
def test_one_class_only(inplace):
    inplace.write(HEADER, BOTH)
    assert inplace.run("generate", "--only", "*.B") == 0
    assert "class BNode" in inplace.read(HEADER) and "class ANode" not in inplace.read(HEADER)


# --- blocks at the wrong place

NAMED = SCHEMA.replace('header="demo/ir.h")', 'header="demo/ir.h", namespace="demo::ir")')


def in_namespaces(text: str, *names: str) -> str:
    opened, closed = "".join(f"namespace {name} {{\n" for name in names), "}\n" * len(names)
    return opened + text + closed


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("demo",), "demo::ANode"),
        (("other",), "other::ANode"),
        (("demo::ir", "detail"), "demo::ir::detail::ANode"),
        (("ir", "demo"), "ir::demo::ANode"),
    ],
)
def test_a_block_in_another_namespace_is_refused(inplace, names, found):
    inplace.schema(NAMED)
    text = in_namespaces(BOTH, *names)
    refused(inplace, text, "TS104", line=len(names) + 1)
    assert f"no class {found} in the schema" in inplace.err
    assert "move the block into the namespace demo::ir" in inplace.err


SHARED = """
__tschema__ = module(namespace="demo::tir", header="demo/ir.h")

@declare
class VarNode(Object):
    type_key = "tir.Var"
    x: int

@declare
class RelaxVarNode(Object):
    type_key = "relax.Var"
    ref = "Var"
    cpp_name = "VarNode"
    namespace = "demo::relax"
    y: int
"""


def shared(*names: str) -> str:
    section = "// tschema: custom-begin\nint of_{0};\n// tschema: custom-end\n"
    texts = [f"// tschema: {name}\n{section}// tschema: end\n" for name in names]
    tir, relax = "".join(texts[:2]).format("tir"), "".join(texts[2:]).format("relax")
    return in_namespaces(in_namespaces(tir, "tir") + in_namespaces(relax, "relax"), "demo")


@pytest.mark.parametrize(
    "names",
    [
        ("VarNode", "Var", "VarNode", "Var"),
        ("tir::VarNode", "tir::Var", "relax::VarNode", "relax::Var"),
        ("demo::tir::VarNode", "demo::tir::Var", "VarNode", "demo::relax::Var"),
    ],
)
def test_blocks_of_two_classes_with_one_last_name_were_the_same(inplace, names):
    inplace.schema(SHARED)
    inplace.write(HEADER, shared(*names))
    for _ in range(2):
        assert inplace.run("generate") == 0, inplace.err
        _, tir, relax = re.split("namespace (?:tir|relax) {", inplace.read(HEADER))
        assert "int64_t x{};" in tir and "explicit Var(int64_t x);" in tir
        assert "int64_t y{};" in relax and "explicit Var(int64_t y);" in relax
        assert tir.count("int of_tir;") == relax.count("int of_relax;") == 2
        assert [f"// tschema: {name}\n" in inplace.read(HEADER) for name in names] == [True] * 4
    assert inplace.run("check") == 0, inplace.err
    inplace.schema(SHARED.partition("@declare\nclass Relax")[0])
    assert inplace.run("generate") == 4 and "TS104" in inplace.ids()


def test_a_name_of_several_classes_is_refused_outside_of_their_namespaces(inplace):
    inplace.schema(SHARED)
    refused(inplace, "// tschema: VarNode\n// tschema: end\n", "TS104", line=1)
    text = "VarNode means several classes: demo::relax::VarNode, demo::tir::VarNode"
    assert text in inplace.err and "write the namespace before the name" in inplace.err


def test_insert_writes_the_namespace_of_a_name_of_several_classes(inplace):
    relax = "include/demo/relax.h"
    inplace.schema(SHARED.replace('"demo::relax"', '"demo::relax"\n    header = "demo/relax.h"'))
    inplace.write(HEADER, shared("VarNode", "tir::Var"))
    inplace.write(relax, "namespace demo {\nnamespace relax {\n}  // namespace\n}  // namespace\n")
    assert inplace.run("generate", "--insert") == 0, inplace.err
    assert inplace.read(HEADER).count("// tschema: end") == 2
    for name in ("demo::relax::VarNode", "demo::relax::Var"):
        assert inplace.read(relax).count(f"// tschema: {name}\n") == 1
    assert inplace.run("check") == 0, inplace.err


@pytest.mark.parametrize(
    ("path", "before", "name"),
    [
        (HEADER, in_namespaces("struct Other;\n", "demo::ir"), "ANode"),
        (HEADER, "#define A_H_\n", "demo::ir::ANode"),
        ("src/ir.cc", in_namespaces("struct Other {};\n", "demo"), "demo::ir::ANode"),
    ],
)
def test_a_block_at_global_scope_is_refused(inplace, path, before, name):
    """An earlier version wrote a class into the global namespace, and `check` was green."""
    inplace.schema(NAMED)
    inplace.write(HEADER, in_namespaces(BOTH, "demo::ir"))
    inplace.write(path, f"{before}// tschema: {name}\n// tschema: end\n")
    files = inplace.files()
    for command in ("generate", "check"):
        assert inplace.run(command) == 4
        assert [one for one in inplace.ids() if one != "TS113"] == ["TS104"]
        assert " is at global scope, its class is in demo::ir" in inplace.err
    assert inplace.files() == files


def test_definitions_at_global_scope_may_use_the_namespace(inplace):
    inplace.schema(NAMED)
    inplace.write(HEADER, in_namespaces(BOTH, "demo::ir"))
    text = "using namespace demo::ir;\n// tschema: ANode\n// tschema: end\n"
    inplace.write("src/ir.cc", text)
    assert inplace.run("generate") == 0, inplace.err
    assert "ObjectDef<ANode>" in inplace.read("src/ir.cc")


@pytest.mark.parametrize(
    "text",
    [
        "DEMO_BEGIN\n" + BOTH + "DEMO_END\n",
        in_namespaces(BOTH, "demo::ir"),
        in_namespaces(BOTH, "demo", "ir"),
        in_namespaces(BOTH, "demo", "ir", ""),  # in an unnamed namespace
        "DEMO_BEGIN\n" + in_namespaces(BOTH, "ir") + "DEMO_END\n",
        "#if A\nnamespace demo {\n#else\nnamespace other {\n#endif\n" + BOTH + "}\n",
        'extern "C++" {\nnamespace x = y;\nusing namespace z;\n'
        + in_namespaces(
            'struct A { int f() { return 0; } };\nconst char* s = "namespace {";\n', "q"
        )
        + in_namespaces(BOTH, "demo::ir")
        + "}\n",
    ],
)
def test_a_block_in_its_namespace_is_filled(inplace, text):
    inplace.schema(NAMED)
    inplace.write(HEADER, text)
    assert inplace.run("generate") == 0, inplace.err
    assert "class ANode" in inplace.read(HEADER)


@pytest.mark.parametrize("change", ["moved", "missing"])
def test_a_header_that_was_moved_is_missed(inplace, change):
    inplace.write(HEADER, "// first\n" + BOTH)
    assert inplace.run("generate") == 0, inplace.err
    path = inplace.root / HEADER
    path.rename(inplace.root / "moved.h") if change == "moved" else path.unlink()
    for command in ("generate", "check", "generate"):
        assert inplace.run(command) == 4
        assert inplace.ids() == ["TS113", "TS113"]
        assert f"the block of ANode was at {HEADER}:2; that file is gone" in inplace.err
    if change == "moved":
        inplace.write("tschema.toml", 'mode = "inplace"\ninplace = ["*.h"]\n')
        assert inplace.run("generate") == 0 and inplace.run("check") == 0
        (inplace.root / "moved.h").rename(path)
        inplace.write("tschema.toml", 'mode = "inplace"\n')
    else:
        assert inplace.run("generate", "--prune") == 4  # forgets the place
    inplace.write(HEADER, BOTH)
    assert inplace.run("generate") == 0 and inplace.run("check") == 0, inplace.err


def test_a_project_without_any_block_is_refused(inplace):
    for command in ("generate", "check"):
        assert inplace.run(command) == 4
        assert inplace.ids() == ["TS113"]
        assert f"no file has a block for ANode; {HEADER} is not there" in inplace.err


def test_a_block_whose_schema_file_was_deleted_is_found(inplace):
    text = (
        SCHEMA.replace("ANode", "CNode").replace("demo.A", "demo.C").partition("@declare\nclass B")
    )
    inplace.schema(text[0].replace("demo/ir.h", "demo/c.h"), "schema/c.py")
    inplace.write("include/demo/c.h", "// tschema: CNode\n// tschema: end\n")
    inplace.write(HEADER, BOTH)
    assert inplace.run("generate") == 0, inplace.err
    (inplace.root / "schema/c.py").unlink()
    for command in ("check", "generate"):
        assert inplace.run(command) == 4
        assert inplace.ids() == ["TS104"] and "include/demo/c.h:1:1" in inplace.err


@pytest.mark.parametrize("word", ["ANode", "demo::ANode", "ANode.source"])
def test_a_class_name_in_a_source_file_stands_for_its_definitions(inplace, word):
    method = '\n    @method\n    def f(self) -> int:\n        """One."""\n'
    inplace.schema(SCHEMA.replace("    x: int\n", "    x: int\n" + method))
    inplace.write(HEADER, BOTH + "// tschema: A\n// tschema: end\n")
    group = "// tschema: @registration\n// tschema: end\n"
    section = "// tschema: custom-begin\nint mine;\n// tschema: custom-end\n"
    inplace.write("src/ir.cc", f"// tschema: {word}\n{section}// tschema: end\n{group}")
    assert inplace.run("generate") == 0, inplace.err
    source = inplace.read("src/ir.cc")
    block, _, rest = source.partition("// tschema: @registration")
    for text in ("A::A(int64_t x)", "ANode::f() const {", 'def_ro("x"', section):
        assert source.count(text) == 1 and text in block, text
    assert "class ANode" not in source and "ObjectDef<BNode>" in rest
    assert "class ANode" in inplace.read(HEADER)
    assert inplace.run("check") == 0, inplace.err


def test_a_class_that_only_a_source_file_has_is_defined_there(inplace):
    inplace.write(HEADER, "// tschema: ANode\n// tschema: end\n")
    inplace.write("src/ir.cc", "// tschema: BNode\n// tschema: end\n")
    assert inplace.run("generate") == 0, inplace.err
    assert "class BNode" in inplace.read("src/ir.cc")


def test_a_reference_in_a_source_file_says_what_is_expected(inplace):
    inplace.write(HEADER, BOTH + "// tschema: A\n// tschema: end\n")
    inplace.write("src/ir.cc", "// tschema: A\n// tschema: end\n")
    assert inplace.run("generate") == 4
    assert inplace.ids() == ["TS105"]
    assert "the definitions of ANode stand in a block  // tschema: ANode" in inplace.err


@pytest.mark.parametrize("word", ["custom_begin", "Custom-Begin", "custom_end", "End"])
def test_a_marker_in_another_spelling_is_corrected_by_the_message(inplace, word):
    lines = ["ANode", "custom-begin", "custom-end", "end"]
    meant = word.lower().replace("_", "-")
    text = "".join(f"// tschema: {word if one == meant else one}\n" for one in lines)
    refused(inplace, text, "TS107", line=lines.index(meant) + 1)
    assert [one for one in inplace.ids() if one != "TS113"] == ["TS107"]
    assert f"unknown marker {word!r}" in inplace.err and f"write  {meant}" in inplace.err


@pytest.mark.parametrize("comment", ["/* tschema: BNode */", "/** tschema: BNode */"])
def test_a_marker_in_another_comment_is_pointed_out(inplace, comment):
    inplace.write(HEADER, f"// tschema: ANode\n// tschema: end\n{comment}\n")
    assert inplace.run("generate") == 0
    assert sorted(inplace.ids()) == ["TS111", "TS113"]
    assert "markers are written  // tschema: Name" in inplace.err

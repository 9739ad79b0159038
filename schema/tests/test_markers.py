# SPDX-License-Identifier: Apache-2.0
"""In-place mode: every error in a marker is reported at its place, and no file is written."""

from __future__ import annotations

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
HEADER = "include/demo/ir.h"


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
        ("TS101", 1, "// tschema: ANode\nint x;\n"),
        ("TS102", 1, "// tschema: end\n" + BOTH),
        ("TS102", 5, BOTH + "// tschema: custom-begin\n// tschema: custom-end\n"),
        ("TS102", 2, "// tschema: ANode\n// tschema: custom-end\n// tschema: end\n"),
        ("TS102", 1, "// tschema: on\n" + BOTH),
        ("TS103", 2, "// tschema: ANode\n// tschema: BNode\n// tschema: end\n// tschema: end\n"),
        (
            "TS103",
            3,
            "// tschema: ANode\n// tschema: custom-begin\n// tschema: custom-begin\n"
            "// tschema: custom-end\n// tschema: end\n",
        ),
        (
            "TS103",
            3,
            "// tschema: ANode\n// tschema: custom-begin\n// tschema: BNode\n"
            "// tschema: custom-end\n// tschema: end\n",
        ),
        ("TS104", 1, "// tschema: CNode\n// tschema: end\n" + BOTH),
        ("TS105", 5, BOTH + "// tschema: ANode\n// tschema: end\n"),
        ("TS105", 5, BOTH + "// tschema: ANode.all\n// tschema: end\n"),
        ("TS106", 3, "// tschema: ANode\n// tschema: custom-begin\n// tschema: end\n"),
        ("TS107", 1, "// tschema: ANode.objekt\n// tschema: end\n"),
        ("TS107", 1, "// tschema: @registratoin\n// tschema: end\n"),
        (
            "TS107",
            2,
            "// tschema: ANode\n// tschema: custom-begin tial\n"
            "// tschema: custom-end\n// tschema: end\n",
        ),
        ("TS107", 1, "// tschema: ANode dialekt=classic\n// tschema: end\n"),
        ("TS107", 1, "// tschema: ANode dialect=old\n// tschema: end\n"),
        ("TS107", 1, "// tschema: A Node\n// tschema: end\n"),
        ("TS107", 2, "// tschema: ANode\n// tschema: end some=1\n"),
        ("TS109", 1, "// tschema: ANode\nint mine;\n// tschema: end\n"),
        (
            "TS110",
            2,
            "// tschema: ANode\n<<<<<<< ours\nint a;\n=======\nint b;\n>>>>>>> theirs\n"
            "// tschema: end\n",
        ),
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

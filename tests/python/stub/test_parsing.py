# SPDX-License-Identifier: Apache-2.0
"""Test markers, blocks and directives."""

from __future__ import annotations

from pathlib import Path

import pytest

from tvm_ffi.stub import consts
from tvm_ffi.stub.file_utils import CodeBlock, FileInfo, collect_files, syntax_for

BEGIN = "# tvm-ffi-stubgen(begin): "
END = "# tvm-ffi-stubgen(end)"


def parse(tmp_path, *lines, name="m.py"):
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n")
    return FileInfo.from_file(path)


@pytest.mark.spec("TOOL-T1")
@pytest.mark.parametrize(
    ("stub", "kind", "param"),
    [
        ("global/a.b", "global", ("a.b", "")),
        ("global/a.b@c.d", "global", ("a.b", "c.d")),
        ("object/a.b.C", "object", "a.b.C"),
        ("import-section", "import-section", ""),
        ("export/_ffi_api", "export", "_ffi_api"),
        ("__all__", "__all__", ""),
    ],
)
def test_begin_forms(tmp_path, stub, kind, param):
    block = CodeBlock.from_begin_line(3, f"  {BEGIN}{stub}", consts.PYTHON_SYNTAX)
    assert (block.kind, block.param, block.lineno_start, block.indent) == (kind, param, 3, 2)
    file = parse(tmp_path, "x = 1", BEGIN + stub, "text", END, "y = 2")
    kinds = [(b.kind, b.lineno_start, b.lineno_end, len(b.lines)) for b in file.code_blocks]
    assert kinds == [(None, 1, 1, 1), (kind, 2, 4, 3), (None, 5, 5, 1)]
    assert file.new_lines() == file.lines


@pytest.mark.spec("TOOL-T2")
@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([BEGIN + "x"], "Unknown stub type `x` at line 1"),
        ([BEGIN + "global/"], "Unknown stub type `global/` at line 1"),
        (["", BEGIN + "object"], "Unknown stub type `object` at line 2"),
        (["# tvm-ffi-stubgen(a b): c"], "Unknown stub type at line 1: # tvm-ffi-stubgen(a b): c"),
        (["# tvm-ffi-stubgen(bare)"], "Unknown stub type at line 1"),
        ([BEGIN + "__all__", BEGIN + "__all__"], "Nested stub not permitted at line 2"),
        ([END], "Unmatched `# tvm-ffi-stubgen(end)` found at line 1"),
        ([BEGIN + "__all__"], "Unclosed stub block at end of file"),
    ],
)
def test_broken_markers(tmp_path, lines, message):
    with pytest.raises(ValueError) as caught:
        parse(tmp_path, *lines)
    assert message in str(caught.value)


@pytest.mark.spec("TOOL-T3")
def test_files_that_are_left_alone(tmp_path):
    assert parse(tmp_path, "x = 1") is None
    assert parse(tmp_path, BEGIN + "__all__", END, "  # tvm-ffi-stubgen(skip-file)") is None
    (tmp_path / "empty.py").write_text("")
    assert FileInfo.from_file(tmp_path / "empty.py") is None
    assert FileInfo.from_file(tmp_path / "empty.py", include_empty=True) is not None


@pytest.mark.spec("TOOL-T4")
def test_generated_text_is_indented_like_its_marker(fill):
    (lines,) = fill(
        "class Pair:", "object/testing.TestIntPair", indent="        ", options=["--indent", "2"]
    )
    assert lines[:2] == ["        # fmt: off", "        a: int"]
    assert "          def sum(self, /) -> int:" in lines
    assert "              ..." in lines


@pytest.mark.spec("TOOL-T5")
def test_directive_lines_survive(tmp_path, stub_file, stubgen):
    directive = "  #  tvm-ffi-stubgen(skip):  a.B  "
    kept = "# tvm-ffi-stubgen(skip):   a.B   "
    path = stub_file("x = 1", kept, "object/testing.TestIntPair")
    assert stubgen(path)[0] == 0
    assert kept in path.read_text().splitlines()
    assert parse(tmp_path, kept, directive).code_blocks[0].param == "a.B"


@pytest.mark.spec("TOOL-T6")
def test_type_map_holds_for_all_files(stub_file, stubgen, tmp_path):
    stub_file("# tvm-ffi-stubgen(ty-map): Array -> my.types.Rows", name="z.py")
    path = stub_file("import-section", "object/testing.TestObjectDerived", name="a.py")
    assert stubgen(tmp_path)[0] == 0
    text = path.read_text()
    assert "v_array: Rows[Any]" in text
    assert "from my.types import Rows" in text


@pytest.mark.spec("TOOL-T6")
def test_malformed_type_map(stub_file, stubgen):
    path = stub_file("x = 1", "# tvm-ffi-stubgen(ty-map): A.B C.D", "object/testing.TestIntPair")
    status, out = stubgen(path)
    assert status == 2
    assert "Invalid ty_map format at line 2. Example: `A.B -> C.D`" in out
    assert "a: int" not in path.read_text()


@pytest.mark.spec("TOOL-T7")
def test_unknown_directive(stub_file, stubgen):
    status, out = stubgen(stub_file("# tvm-ffi-stubgen(bogus): x"))
    assert status == 2
    assert "Unknown directive `bogus` at line 1" in out


@pytest.mark.parametrize("payload", ["a.b", "a.b;Maybe;c", ";True;c"])
def test_malformed_import_object(stub_file, stubgen, payload):
    status, out = stubgen(stub_file(f"# tvm-ffi-stubgen(import-object): {payload}"))
    assert status == 2
    assert "Invalid `import-object` directive at line 1" in out


def test_line_endings_are_kept(tmp_path, stubgen):
    path = tmp_path / "windows.py"
    path.write_bytes(f"x = 1\r\n{BEGIN}object/testing.TestIntPair\r\n{END}\r\n".encode())
    assert stubgen(path)[0] == 0
    data = path.read_bytes()
    assert b"a: int\r\n" in data
    assert data.count(b"\n") == data.count(b"\r\n")


def test_syntax_of_suffixes():
    assert syntax_for(Path("a.rs")).begin == "// tvm-ffi-stubgen(begin):"
    for name in ("a.py", "a.pyi", "a.txt"):
        assert syntax_for(Path(name)) is consts.PYTHON_SYNTAX


def test_files_are_collected_once_and_sorted(tmp_path):
    for name in ("b.py", "a.py", "d/c.py", "e.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    found = collect_files([tmp_path, tmp_path / "a.py"], [".py"])
    assert [str(p.relative_to(tmp_path)) for p in found] == ["a.py", "b.py", "d/c.py"]
    with pytest.raises(FileNotFoundError):
        collect_files([tmp_path / "absent"], [".py"])


def test_misspelled_begin_is_named_at_the_unmatched_end(tmp_path):
    lines = ["# tvm-ffi-stubgen(begn): global/x", END]
    with pytest.raises(
        ValueError, match=r"at line 2: line 1 has `\(begn\)` instead of `\(begin\)`$"
    ):
        parse(tmp_path, *lines)
    with pytest.raises(ValueError, match=r"found at line 2$"):
        parse(tmp_path, "# tvm-ffi-stubgen(prefix): x", END)


def test_misspelled_end_is_named(tmp_path):
    lines = [BEGIN + "global/x", "# tvm-ffi-stubgen(edn)"]
    with pytest.raises(
        ValueError, match=r"\(begun at line 1\): line 2 has `# tvm-ffi-stubgen\(edn\)`"
    ):
        parse(tmp_path, *lines)

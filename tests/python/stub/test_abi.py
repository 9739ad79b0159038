# SPDX-License-Identifier: Apache-2.0
"""Test ``tvm-ffi-inspect --abi``: layouts of classes in built libraries, and their changes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from made_libraries import class_record, elf_file, write_wheel

from tvm_ffi import libinfo
from tvm_ffi.stub import inspect_command
from tvm_ffi.stub.abi import changes, dwarf, facts, record
from tvm_ffi.stub.abi.layout import BREAKING, COMPATIBLE, SOURCE_ONLY

X, Y = ("x", 24, 8, 1), ("y", 32, 8, 1)
FINAL, OVERFLOW, LOOKS_UP = 1, 2, 4
linux = pytest.mark.skipif(sys.platform != "linux", reason="makes ELF files")


def library(path, *records, exports=("add",), needs=("TVMFFIFunctionCall",), order="<"):
    """Write a library with class records and exported functions."""
    names = [f"__tvm_ffi_{name}" for name in exports]
    path.write_bytes(elf_file(needs, defined=names, constants=b"\0".join(records), order=order))
    return str(path)


def differences(tmp_path, old, new):
    """Return (kind, rule, text) of each change between two records."""
    former = facts.read(library(tmp_path / "old.so", *old))
    latter = facts.read(library(tmp_path / "new.so", *new))
    return [(c.kind, c.rule, c.text) for c in changes.find_changes(former, latter)]


def run(capsys, *arguments):
    status = inspect_command.main(["--abi", *map(str, arguments)])
    written = capsys.readouterr()
    return status, written.out, written.err


# ---- one library ----


def test_the_classes_and_functions_of_a_library(tmp_path, capsys):
    path = library(
        tmp_path / "a.so",
        class_record(flags=FINAL),
        class_record("demo.Base", fields=(), flags=OVERFLOW | LOOKS_UP, size=24),
    )
    assert run(capsys, path) == (
        0,
        f"""{path}
  built with the headers of: 0.1.15
  oldest release of the runtime: 0.1.0

Classes (from the class records)
  demo.Base: 24 bytes, alignment 8, parent ffi.Object, registered by another library
  demo.Point: 40 bytes, alignment 8, parent ffi.Object, final
      24    8  x: int
      32    8  y: int

Functions
  add
""",
        "",
    )
    status, out, _ = run(capsys, path, "--json")
    found = json.loads(out)
    assert (status, found["functions"], found["interfaces"]) == (0, ["add"], ["0.1.15"])
    point = found["classes"]["demo.Point"]
    assert (point["size"], point["final"], point["depth"]) == (40, True, 1)
    assert point["fields"][1] == {"name": "y", "offset": 32, "size": 8, "type": "int"}
    assert found["classes"]["demo.Base"]["fields"] is None


@pytest.mark.parametrize("head", [b"MZ\x90\0", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"])
def test_records_and_exports_of_other_formats(tmp_path, head):
    path = tmp_path / "a.pyd"
    path.write_bytes(head + b"\0___tvm_ffi_add\0__tvm_ffi__abi_version\0" + class_record())
    found = facts.read(str(path))
    assert (set(found.records), found.functions) == ({"demo.Point"}, {"add"})


@pytest.mark.parametrize("order", ["<", ">"])
def test_either_byte_order(tmp_path, order):
    path = library(tmp_path / "a.so", class_record(order=order), order=order)
    assert facts.read(path).records["demo.Point"].fields == (
        ("x", 24, 8, "int"),
        ("y", 32, 8, "int"),
    )


def test_a_text_that_looks_like_a_record_is_not_one():
    whole = class_record()
    assert list(record.read_records(record.MAGIC + bytes(64), "a")) == []
    for size in range(16, len(whole)):
        assert list(record.read_records(whole[:size], "a")) == []
    for place in range(16, len(whole)):
        changed = whole[:place] + b"\xff" + whole[place + 1 :]
        assert len(list(record.read_records(changed, "a"))) <= 1


def test_libraries_of_a_wheel_that_differ(tmp_path, capsys):
    members = {
        "demo/a.so": elf_file(constants=class_record()),
        "demo/b.so": elf_file(constants=class_record(size=48)),
    }
    path = write_wheel(tmp_path / "demo.whl", members)
    status, out, _ = run(capsys, path)
    assert status == 1
    assert "demo.Point: 40 bytes, alignment 8, parent ffi.Object, in demo/a.so" in out
    assert "demo.Point: size: 40 -> 48 (demo/a.so -> demo/b.so)" in out


# ---- the rules ----


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, {}, []),
        ({}, {"size": 48}, [(BREAKING, "size")]),
        ({}, {"alignment": 16}, [(BREAKING, "alignment")]),
        ({}, {"parent": "demo.Base"}, [(BREAKING, "parent")]),
        ({}, {"depth": 2}, [(BREAKING, "depth")]),
        ({}, {"slots": 4}, [(BREAKING, "child-slots")]),
        ({}, {"flags": 0}, [(BREAKING, "child-slots")]),
        ({}, {"flags": FINAL | OVERFLOW}, [(BREAKING, "final-added")]),
        ({"flags": FINAL | OVERFLOW}, {}, [(COMPATIBLE, "final-removed")]),
        ({}, {"fields": [X]}, [(BREAKING, "field-removed")]),
        ({"fields": ()}, {}, []),
        ({}, {"fields": ()}, []),
        ({}, {"fields": [Y, X]}, []),
        (
            {},
            {"fields": [("x", 32, 8, 1), ("y", 24, 8, 1)]},
            [(BREAKING, "field-moved"), (BREAKING, "field-moved")],
        ),
        ({}, {"fields": [X, ("y", 32, 4, 1)]}, [(BREAKING, "field-resized")]),
        ({}, {"fields": [X, ("y", 32, 8, 3)]}, [(BREAKING, "field-type")]),
        ({}, {"fields": [X, ("z", 32, 8, 1)]}, [(SOURCE_ONLY, "field-renamed")]),
        (
            {},
            {"fields": [X, ("z", 32, 8, 3)]},
            [(BREAKING, "field-removed"), (BREAKING, "field-added")],
        ),
        # A field behind the last one, in bytes that were padding before.
        (
            {"fields": [X, ("y", 32, 4, 1)]},
            {"fields": [X, ("y", 32, 4, 1), ("z", 36, 4, 1)]},
            [(COMPATIBLE, "field-added")],
        ),
        (
            {},
            {"size": 48, "fields": [X, Y, ("z", 40, 8, 1)]},
            [(BREAKING, "size"), (BREAKING, "field-added")],
        ),
    ],
)
def test_rules_for_records(tmp_path, old, new, expected):
    found = differences(tmp_path, [class_record(**old)], [class_record(**new)])
    assert [(kind, rule) for kind, rule, _ in found] == expected


def test_classes_that_come_and_go(tmp_path):
    one, two = class_record(), class_record("demo.Line")
    assert differences(tmp_path, [one, two], [one])[0][:2] == (BREAKING, "class-removed")
    assert differences(tmp_path, [one], [one, two])[0][:2] == (COMPATIBLE, "class-added")
    # A class of another library, which the library only uses.
    used = class_record("demo.Line", flags=OVERFLOW | LOOKS_UP)
    assert differences(tmp_path, [one, used, class_record("ffi.Module")], [one]) == []
    # Without any records, nothing is known about the classes.
    assert differences(tmp_path, [one], []) == []


def test_functions_that_come_and_go(tmp_path, capsys):
    old = library(tmp_path / "old.so", exports=("add", "sub"))
    new = library(tmp_path / "new.so", exports=("add", "mul"))
    status, out, _ = run(capsys, old, new)
    assert status == 1
    assert out == (
        f"{old} -> {new}: breaking\n"
        "breaking\n  sub: the function is removed [function-removed]\n"
        "compatible\n  mul: the function is added [function-added]\n"
    )


def test_the_headers_and_the_oldest_release(tmp_path):
    old = facts.read(library(tmp_path / "old.so", class_record(version=(0, 1, 14))))
    needs = ("TVMFFIHandleInitOnce",)
    new = facts.read(library(tmp_path / "new.so", class_record(), needs=needs))
    assert [(c.kind, c.rule, c.text) for c in changes.find_changes(old, new)] == [
        (COMPATIBLE, "interface", "built with 0.1.14 -> 0.1.15"),
        (COMPATIBLE, "oldest-release", "needs release 0.1.0 -> 0.1.5 or newer"),
    ]
    next_one = facts.read(library(tmp_path / "next.so", class_record(version=(0, 2, 0))))
    assert changes.verdict(changes.find_changes(old, next_one)) == BREAKING


def test_json_and_the_status_of_two_libraries(tmp_path, capsys):
    old = library(tmp_path / "old.so", class_record())
    new = library(tmp_path / "new.so", class_record(fields=[X, ("z", 32, 8, 1)]))
    status, out, _ = run(capsys, old, new, "--json")
    found = json.loads(out)
    assert (status, found["verdict"], found["notes"]) == (0, SOURCE_ONLY, [])
    assert found["changes"] == [
        {
            "kind": SOURCE_ONLY,
            "rule": "field-renamed",
            "subject": "demo.Point",
            "text": "y at 32 is named z",
        }
    ]
    status, out, _ = run(capsys, old, old, "--json")
    assert (status, json.loads(out)["verdict"]) == (0, "same")


def test_folders_and_wheels_compare_with_libraries(tmp_path, capsys):
    (tmp_path / "old" / "demo").mkdir(parents=True)
    library(tmp_path / "old" / "demo" / "a.so", class_record())
    (tmp_path / "old" / "notes.txt").write_text("text")
    members = {"demo/a.so": elf_file(constants=class_record(), defined=["__tvm_ffi_add"])}
    wheel = write_wheel(tmp_path / "new.whl", members)
    status, out, _ = run(capsys, tmp_path / "old", wheel)
    assert (status, out.splitlines()[0].rpartition(": ")[2]) == (0, "same"), out


# ---- a library and the installation that it is used with ----


def test_a_library_and_this_installation(tmp_path, capsys):
    fields = (("_int_index", 24, 8, 1), ("_str_index", 32, 16, -1))
    fits = class_record("ffi.Enum", size=48, fields=fields)
    path = library(tmp_path / "a.so", fits, class_record())
    status, out, _ = run(capsys, path, "installed")
    assert (status, out.splitlines()[0].rpartition(": ")[2]) == (0, "same"), out
    path = library(tmp_path / "b.so", class_record("ffi.Enum", size=40, fields=fields))
    for arguments in ((path, "installed"), ("installed", path)):
        status, out, _ = run(capsys, *arguments)
        assert status == 1
        assert "ffi.Enum: size: " in out


def test_a_symbol_that_the_installation_lacks(tmp_path, capsys):
    path = library(tmp_path / "a.so", needs=("TVMFFINoSuchFunction",))
    status, out, _ = run(capsys, path, "installed")
    assert status == 1
    assert "TVMFFINoSuchFunction: " in out
    assert "[symbol-removed]" in out


@linux
def test_this_installation_fits_its_own_library():
    """A library with real classes of its own, and the runtime as a file."""
    testing = libinfo._find_own_library("tvm_ffi_testing")
    for other in ("installed", libinfo.find_libtvm_ffi()):
        found = changes.find_changes(facts.read(testing), facts.read(other))
        assert [change for change in found if change.kind == BREAKING] == []


# ---- debug information ----

SOURCE = """
namespace tvm { namespace ffi {
class Object { long counts; int index; int pad; void* deleter; };
struct String { long data[2]; };
}}
namespace demo {
typedef int number;
struct Other { virtual ~Other() {} long word; };
class Shape : public tvm::ffi::Object {
 public:
  static constexpr int _type_depth = 1;
  virtual number sides(long, tvm::ffi::String) { return 0; }
  EXTRA
  virtual void draw() {}
  double area; const number count[3] = {}; tvm::ffi::String* name; FIELD
};
class Square final : public Other, public Shape {
 public:
  static constexpr int _type_depth = 2;
  static constexpr bool _type_final = true;
  void draw() override {}
  union { int one; float two; };
  unsigned int low : 3;
};
struct Unrelated { int a; };
Square square; Unrelated unrelated;
}
"""


@pytest.fixture
def compiled(tmp_path):
    pytest.importorskip("elftools")
    if sys.platform != "linux" or shutil.which("g++") is None:
        pytest.skip("needs g++ that makes ELF files")

    def compile_one(name, **replaced):
        text = SOURCE
        for word in ("EXTRA", "FIELD"):
            text = text.replace(word, replaced.get(word, ""))
        source, path = tmp_path / f"{name}.cc", tmp_path / f"{name}.so"
        source.write_text(text)
        command = ["g++", "-std=c++17", "-g", "-shared", "-fPIC", source, "-o", path]
        subprocess.run(command, check=True)
        return str(path)

    return compile_one


def test_classes_of_the_debug_information(compiled):
    found = facts.read(compiled("a")).cxx_classes
    assert set(found) == {"demo::Shape", "demo::Square"}
    shape, square = found["demo::Shape"], found["demo::Square"]
    # Offsets and sizes count from the header, which follows the pointer to the virtual functions.
    assert (shape.size, shape.parent, shape.depth, shape.final) == (
        56,
        "tvm::ffi::Object",
        1,
        False,
    )
    assert shape.fields == (
        ("area", 24, 8, "double"),
        ("count", 32, 12, "int[3]"),
        ("name", 48, 8, "tvm::ffi::String*"),
    )
    assert list(shape.virtual.values()) == ["sides(long int, tvm::ffi::String)", "draw()"]
    assert (square.parent, square.depth, square.final) == ("demo::Shape", 2, True)
    assert [field.name for field in square.fields] == ["(anonymous)", "low"]


@pytest.mark.parametrize(
    ("replaced", "rules"),
    [
        ({}, set()),
        ({"EXTRA": "virtual void extra() {}"}, {"virtual-changed", "virtual-added"}),
        ({"FIELD": "int extra;"}, {"size", "field-added"}),
    ],
)
def test_changes_of_virtual_functions_and_fields(compiled, capsys, replaced, rules):
    old, new = compiled("old"), compiled("new", **replaced)
    status, out, _ = run(capsys, old, new, "--json")
    found = json.loads(out)
    assert status == (1 if rules else 0)
    of_shape = {c["rule"] for c in found["changes"] if c["subject"] == "demo::Shape"}
    assert of_shape == rules


def test_without_pyelftools_a_note_says_how_to_install_it(compiled, capsys, monkeypatch):
    path = compiled("a")
    with open(path, "ab") as stream:
        stream.write(class_record())
    monkeypatch.setitem(sys.modules, "elftools.elf.elffile", None)
    status, out, _ = run(capsys, path)
    assert status == 0
    assert f"has virtual functions; to read it, {dwarf.HOW_TO_INSTALL}" in out


def test_damaged_debug_information_is_refused_or_read(compiled):
    whole = Path(compiled("a")).read_bytes()
    for place in range(64, len(whole), len(whole) // 20):
        changed = whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :]
        try:
            dwarf.read_classes(changed, "a.so")
        except ValueError:
            pass


# ---- what cannot be used ----


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"text\n", "neither a library nor a wheel"),
        (b"MZ" + bytes(64), "no class records, no debug information"),
        (None, "No such file"),
    ],
)
def test_unusable_files(tmp_path, capsys, content, said):
    path = tmp_path / "a.so"
    if content is not None:
        path.write_bytes(content)
    status, out, err = run(capsys, library(tmp_path / "good.so", class_record()), path)
    assert (status, out) == (2, "")
    assert err.startswith(f"tvm-ffi-inspect: {path}: ")
    assert said in err


@pytest.mark.parametrize(
    "arguments", [[], ["a", "b", "c"], ["--html", "x", "a.so"], ["--abi-floor", "a.so"]]
)
def test_usage(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        inspect_command.main(["--abi", *arguments])

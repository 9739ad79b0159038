# SPDX-License-Identifier: Apache-2.0
"""Test the options and the exit status of the command tvm-ffi-stubgen."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

import tvm_ffi
from tvm_ffi import libinfo
from tvm_ffi.cpp import build_inline
from tvm_ffi.dataclasses import py_class
from tvm_ffi.stub import cli
from tvm_ffi.stub.generator import generator_names, get_generator

OBJECT = "object/testing.TestIntPair"


@pytest.mark.spec("TOOL-S1")
def test_nothing_asked_for(stubgen):
    status, out = stubgen()
    assert status == 1
    assert "usage: tvm-ffi-stubgen" in out


@pytest.mark.spec("TOOL-S2")
@pytest.mark.parametrize(
    "flags",
    [
        ["--init-pypkg", "p"],
        ["--init-lib", "l", "--init-prefix", "x"],
        ["--init-pypkg", "p", "--init-lib", "l"],
    ],
)
def test_part_of_the_init_flags(stubgen, tmp_path, flags):
    status, out = stubgen(*flags, tmp_path)
    assert status == 2
    assert "--init-pypkg, --init-lib, and --init-prefix must be provided together" in out


@pytest.mark.spec("TOOL-S3")
def test_check_and_init_exclude_each_other(stubgen, tmp_path):
    flags = ["--init-pypkg", "p", "--init-lib", "l", "--init-prefix", "x"]
    status, out = stubgen("--check", *flags, tmp_path)
    assert status == 2
    assert "--check cannot be combined with --init-* flags" in out


@pytest.mark.spec("TOOL-S4")
def test_unknown_target(stubgen, tmp_path):
    assert stubgen("--target", "zig", tmp_path)[0] == 2
    with pytest.raises(ValueError) as caught:
        get_generator("zig")
    assert str(caught.value) == ("Unknown stubgen generator: 'zig'. Known generators: python, rust")
    assert generator_names() == ["python", "rust"]


@pytest.mark.spec("TOOL-S5")
def test_check_reports_stale_files_and_writes_nothing(stubgen, stub_file):
    path = stub_file(OBJECT)
    before = path.read_bytes()
    status, out = stubgen("--check", path)
    assert status == 1
    assert f"[Stale] {path}" in out
    assert path.read_bytes() == before
    assert stubgen(path)[0] == 0
    assert stubgen("--check", path) == (0, stubgen("--check", path)[1])
    assert "[Stale]" not in stubgen("--check", path)[1]


@pytest.mark.spec("TOOL-S6")
def test_failing_file_does_not_stop_the_others(stubgen, stub_file, tmp_path):
    bad = stub_file("# tvm-ffi-stubgen(bogus): x", OBJECT, name="a_bad.py")
    good = stub_file(OBJECT, name="b_good.py")
    status, out = stubgen(tmp_path)
    assert status == 2
    assert f'[Failed] File "{bad}"' in out
    assert "a: int" in good.read_text()


@pytest.mark.spec("TOOL-S7")
def test_dry_run_shows_a_difference_and_leaves_files(stubgen, stub_file):
    path = stub_file(OBJECT)
    before = path.read_bytes()
    status, out = stubgen("--dry-run", "--verbose", path)
    assert status == 0
    assert f"[File] {path}" in out
    assert "+a: int" in out
    assert path.read_bytes() == before
    stubgen(path)
    assert "-----> Unchanged" in stubgen("--verbose", path)[1]


@pytest.mark.spec("TOOL-S7")
def test_dry_run_creates_no_files(stubgen, tmp_path):
    flags = ["--init-pypkg", "p", "--init-lib", "l", "--init-prefix", "testing"]
    assert stubgen("--dry-run", *flags, tmp_path)[0] == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.spec("TOOL-S8")
def test_directories_are_filtered_and_files_are_not(stubgen, stub_file, tmp_path):
    paths = {
        name: stub_file(OBJECT, name=name)
        for name in ("a.py", "sub/b.pyi", "c.txt", "d.rs", "given.txt")
    }
    (tmp_path / "link.py").symlink_to(paths["c.txt"])
    assert stubgen(tmp_path, paths["given.txt"])[0] == 0
    filled = {name for name, path in paths.items() if "a: int" in path.read_text()}
    assert filled == {"a.py", "sub/b.pyi", "given.txt"}


@pytest.mark.spec("TOOL-S9")
def test_missing_and_unparsable_paths_are_reported(stubgen, tmp_path):
    status, out = stubgen(tmp_path / "absent")
    assert status == 2
    assert "no such file or directory" in out
    bad = tmp_path / "bad.py"
    bad.write_text("# tvm-ffi-stubgen(end)\n")
    status, out = stubgen(bad)
    assert status == 2
    assert "Unmatched `# tvm-ffi-stubgen(end)` found at line 1" in out
    bad.write_bytes(b"# tvm-ffi-stubgen(begin): __all__\n\xff\n")
    assert stubgen(bad)[0] == 2


@pytest.mark.spec("TOOL-S10")
def test_imports_and_libraries_make_registrations_visible(run_command, stub_file, tmp_path):
    (tmp_path / "registers.py").write_text(
        "import tvm_ffi\n"
        "from tvm_ffi import core\n"
        "assert core._object_type_key_to_index('testing.TestIntPair') is not None\n"
    )
    library = libinfo._find_own_library("tvm_ffi_testing")
    path = stub_file(OBJECT)
    environment = {"PYTHONPATH": f"{tmp_path}:{libinfo._rel_top_directory().parent}"}
    done = run_command("--dlls", library, "--imports", "registers", path, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "a: int" in path.read_text()


@pytest.mark.spec("TOOL-S10")
def test_library_or_module_that_cannot_be_loaded(run_command, stub_file):
    path = stub_file(OBJECT)
    for flags in (["--dlls", "/no/such/lib.so"], ["--imports", "no_such_module"]):
        done = run_command(*flags, path)
        assert done.returncode == 1
        (line,) = done.stderr.splitlines()
        assert line.startswith("tvm-ffi-stubgen: error: cannot ")
        assert flags[1] in line


ONLY_EXPORTS = r"""
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>
namespace refl = tvm::ffi::reflection;
int64_t Add(int64_t a, int64_t b) { return a + b; }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(add, Add, refl::arg_names("a,b"));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(no_array, Add, refl::arg_names("a,b"), refl::arg_defaults("1"));
#ifdef REGISTERS
TVM_FFI_STATIC_INIT_BLOCK() {
  refl::GlobalDef().def("onlyexp.add", Add, refl::arg_names("a,b"))
      .def("onlyexp.no_array", Add, refl::arg_names("a,b"), refl::arg_defaults("1"));
}
#endif
"""


@pytest.fixture(scope="module")
def exporting(tmp_path_factory):
    """Build a library that only exports functions; return its path."""
    folder = tmp_path_factory.mktemp("exporting")
    return Path(build_inline("onlyexp", cpp_sources=ONLY_EXPORTS, build_directory=str(folder)))


def test_exports_are_named_if_a_library_registers_nothing(run_command, exporting, tmp_path):
    init = ["--init-pypkg", "p", "--init-lib", "onlyexp", "--init-prefix", "onlyexp"]
    for flags in ([], ["--pyi"], init):
        done = run_command("--dlls", exporting, *flags, tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        line, *warnings = done.stderr.splitlines()
        assert len(warnings) == (flags is init)
        assert line.startswith("tvm-ffi-stubgen: note: no file has the block `module/onlyexp` for ")
        assert f"what {exporting} exports: add, no_array. " in line
        assert f"tvm-ffi-inspect {exporting}" in line


def test_exports_beside_global_functions(run_command, tmp_path):
    source = "#define REGISTERS\n" + ONLY_EXPORTS
    library = build_inline("onlyexp2", cpp_sources=source, build_directory=str(tmp_path / "build"))
    init = ["--init-pypkg", "p", "--init-lib", "onlyexp", "--init-prefix", "onlyexp"]
    done = run_command("--dlls", library, *init, tmp_path / "out")
    assert (done.returncode, done.stderr) == (0, "")
    text = (tmp_path / "out" / "onlyexp" / "_ffi_api.py").read_text()
    assert "def add(a: int, b: int) -> int: ..." in text
    assert "def no_array(_0: int, _1: int, /) -> int: ..." in text
    fault = "its arg_defaults '1' is not a JSON array"
    assert f"[Skipped] Names of the parameters of onlyexp.no_array: {fault}" in done.stdout
    done = run_command("--verbose", "--dlls", library, tmp_path / "out")
    assert done.returncode == 0
    assert "exports: add, no_array. " in done.stderr


def test_library_of_the_working_directory_needs_a_directory(
    run_command, exporting, tmp_path, monkeypatch
):
    monkeypatch.chdir(exporting.parent)
    for name, hint in [(exporting.name, f"pass ./{exporting.name}"), ("no_such.so", None)]:
        done = run_command("--dlls", name, tmp_path)
        assert done.returncode == 1
        (line,) = done.stderr.splitlines()
        assert line.startswith(f"tvm-ffi-stubgen: error: cannot load library {name}: ")
        assert line.endswith(hint) if hint else "./" not in line
    assert run_command("--dlls", f"./{exporting.name}", tmp_path).returncode == 0


def test_init_prefix_below_which_nothing_is_registered_gives_a_warning(
    stubgen, tmp_path, clash_free_function
):
    init = ["--init-pypkg", "p", "--init-lib", "l", "--init-prefix"]
    status, out = stubgen(*init, "nope.", tmp_path)
    (line,) = (line for line in out.splitlines() if "warning" in line)
    assert status == 0
    assert line.startswith("tvm-ffi-stubgen: warning: no file was written for --init-prefix nope.:")
    assert list(tmp_path.iterdir()) == []
    status, out = stubgen(*init, clash_free_function[:-1], tmp_path)
    assert f"is registered; did you mean '{clash_free_function}.'?" in out


@pytest.fixture
def clash_free_function():
    """Register a type; return the prefix of its name."""
    py_class("pytest_stub_prefix.Thing")(type("Thing", (tvm_ffi.Object,), {}))
    return "pytest_stub_prefix"


def test_library_given_as_a_path_is_refused(stubgen, exporting, stub_file):
    status, out = stubgen(exporting, stub_file(OBJECT))
    assert status == 2
    assert f"{exporting} is a library, not a source file: pass it with --dlls {exporting}" in out


class _Terminal(io.StringIO):
    def isatty(self):
        return True


def _printed(monkeypatch, stream, path, no_color):
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setattr(sys, "stdout", stream)
    assert cli.main(["--check", "--verbose", str(path)]) == 1
    return stream.getvalue()


def test_colours_only_on_a_terminal_without_no_color(monkeypatch, stub_file):
    path = stub_file(OBJECT)
    assert "\033[33m[Stale]" in _printed(monkeypatch, _Terminal(), path, "")
    assert "\033" not in _printed(monkeypatch, _Terminal(), path, "1")
    assert "\033" not in _printed(monkeypatch, io.StringIO(), path, "")


def test_truncated_library_is_reported(run_command, stub_file, tmp_path):
    part = tmp_path / "part.so"
    whole = Path(libinfo._find_own_library("tvm_ffi_testing"))
    part.write_bytes(whole.read_bytes()[:20000])
    path = stub_file(OBJECT)
    before = path.read_text()
    done = run_command("--dlls", part, path)
    assert done.returncode == 1
    assert path.read_text() == before
    assert done.stderr.startswith("tvm-ffi-stubgen: a library ended the process")


def test_help_is_printed(run_command):
    done = run_command("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "usage: tvm-ffi-stubgen" in done.stdout
    assert run_command("--no-such-flag").returncode == 2


def test_entry_of_the_command_returns_its_status(monkeypatch, capsys, stub_file):
    monkeypatch.setattr(sys, "argv", ["tvm-ffi-stubgen", str(stub_file(OBJECT))])
    assert cli.__main__() == 0
    monkeypatch.setattr(sys, "argv", ["tvm-ffi-stubgen"])
    with pytest.raises(SystemExit) as caught:
        cli.__main__()
    assert caught.value.code == 1
    # The command prints its usage on standard output.
    assert "usage: tvm-ffi-stubgen" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("prefix", "hint"), [("ffi.json.", "; did you mean 'ffi.json'?"), ("nope", "")]
)
def test_prefix_without_functions_is_reported(stub_file, stubgen, prefix, hint):
    """Before the fix, the block stayed empty without a message."""
    path = stub_file(f"global/{prefix}")
    status, out = stubgen(path)
    assert status == 0
    text = f"no function `{prefix}.*` is registered, or pass --dlls or --imports"
    assert f'[Warning] File "{path}", line 1: `global/{prefix}`: {text}' in out
    assert hint in out


def test_file_without_markers_is_reported(stub_file, stubgen):
    """Before the fix, there was no message."""
    status, out = stubgen(stub_file("x = 1"))
    assert status == 0
    assert "tvm-ffi-stubgen: note: none of the files has a marker of this command\n" in out


@pytest.mark.parametrize("marker", ["#tvm-ffi-stubgen(begin): ", "//  tvm-ffi-stubgen (begin): "])
def test_marker_without_a_blank_is_reported(stub_file, stubgen, marker):
    path = stub_file("x = 1", f"{marker}{OBJECT}" if marker[0] == "#" else f"# x\n{marker}{OBJECT}")
    status, out = stubgen(path)
    line = 2 if marker[0] == "#" else 3
    assert status == 0
    text = "markers begin with `# tvm-ffi-stubgen(`"
    assert f'[Warning] File "{path}", line {line}: {text}' in out


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("TestIntPair", "`object/testing.TestIntPair`"),
        ("Testing.testintpair", "`object/testing.TestIntPair`"),
        ("testing.TestIntPare", "'testing.TestIntPair'?"),
    ],
)
def test_misspelled_type_is_not_called_one_that_is_gone(stub_file, stubgen, key, hint):
    status, out = stubgen(stub_file(f"object/{key}"))
    assert status == 2
    assert f"`object/{key}` (line 1): the type is not registered" in out
    assert f"; did you mean {hint}" in out
    assert "delete the block" not in out


def test_misspelled_directive_is_named_with_a_similar_one(stub_file, stubgen):
    status, out = stubgen(stub_file("# tvm-ffi-stubgen(skip-fil): x"))
    assert status == 2
    assert "Unknown directive `skip-fil` at line 1; did you mean 'skip-file'?" in out

# SPDX-License-Identifier: Apache-2.0
"""Test ``tvm-ffi-inspect --abi-floor``: what built libraries need, without loading them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from made_libraries import elf_file, write_wheel

from tvm_ffi import _distribution, libinfo
from tvm_ffi.stub import abi_floor, elf, inspect_command

linux = pytest.mark.skipif(sys.platform != "linux", reason="makes ELF files")
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
BY_VALUE = "_ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE"


def floor(tmp_path, content):
    path = tmp_path / "client.so"
    path.write_bytes(content)
    (found,) = abi_floor.floor_of([str(path)])
    return found


# ---- the table ----


def test_the_table_ends_with_the_release_whose_interface_this_package_has():
    releases = abi_floor.read_releases()
    assert releases.versions[0] == "0.1.0"
    assert releases.versions[-1] == _distribution.PEER_RELEASE
    makefile = (Path(__file__).parents[3] / "Makefile").read_text()
    assert f"PEER ?= {_distribution.PEER}=={_distribution.PEER_RELEASE}\n" in makefile


@linux
def test_this_installation_has_everything_of_the_newest_release():
    releases, ours = abi_floor.read_releases(), abi_floor.read_installation()
    needed = {name for name, release in releases.symbols.items() if release.last is None}
    assert needed - ours.defined == set()
    hooks = {name for name, release in releases.hooks.items() if release.last is None}
    assert hooks - ours.strings == set()


def test_known_dates_of_the_table():
    releases = abi_floor.read_releases()
    assert releases.symbols["TVMFFIHandleInitOnce"] == ("0.1.5", None)
    assert releases.symbols["TVMFFIErrorCreateWithCauseAndExtraContext"] == ("0.1.8.post0", None)
    # The table must contain mangled names, in which a digit follows the namespace `ffi` directly.
    assert releases.symbols[BY_VALUE] == ("0.1.0", "0.1.12")
    assert releases.hooks["__ffi_enum__"] == ("0.1.13.post2", None)
    assert releases.hooks["__ffi_enum_entries__"] == ("0.1.11", "0.1.12")
    assert "__ffi_init__" not in releases.hooks


# ---- one library ----


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("order", ["<", ">"])
def test_the_newest_symbol_decides(tmp_path, bits, order):
    names = ("TVMFFIFunctionCall", "TVMFFIHandleInitOnce", "memcpy")
    found = floor(tmp_path, elf_file(names, bits=bits, order=order))
    assert found["oldest_release"] == "0.1.5"
    assert found["symbols"] == {
        "TVMFFIHandleInitOnce": ["0.1.5", None],
        "TVMFFIFunctionCall": ["0.1.0", None],
    }
    assert found["newest_release"] is None


def test_a_removed_symbol_gives_the_newest_release_too(tmp_path):
    found = floor(tmp_path, elf_file([BY_VALUE, "TVMFFIHandleInitOnce"]))
    assert (found["oldest_release"], found["newest_release"]) == ("0.1.5", "0.1.12")


def test_symbols_that_no_release_has_together(tmp_path):
    found = floor(tmp_path, elf_file([BY_VALUE, "TVMFFIBigIntToString", "_ZTIN3tvm3ffi5ErrorE"]))
    assert found["oldest_release"] is None


def test_the_hooks_count(tmp_path):
    found = floor(tmp_path, elf_file(["TVMFFITypeRegisterAttr"], constants=b"a\0__s_visit__\0"))
    assert found["oldest_for_symbols"] == "0.1.0"
    assert found["oldest_for_hooks"] == found["oldest_release"] == "0.1.13.post2"


@pytest.mark.parametrize(
    "constants", [b"x__s_visit__\0", b"__s_visit__x\0", b"__s_visit__", b"__S_VISIT__\0"]
)
def test_a_part_of_another_constant_is_not_a_hook(tmp_path, constants):
    assert floor(tmp_path, elf_file(["TVMFFITypeRegisterAttr"], constants=constants))["hooks"] == {}


def test_weak_references_are_not_needed(tmp_path):
    found = floor(tmp_path, elf_file(["TVMFFIFunctionCall"], weak=["TVMFFIHandleInitOnce"]))
    assert found["oldest_release"] == "0.1.0"


def test_an_unknown_symbol_is_named(tmp_path):
    found = floor(tmp_path, elf_file(["TVMFFINoSuchFunction", "_ZN3tvm3ffi4None4SuchEv"]))
    assert found["unknown"] == ["TVMFFINoSuchFunction", "_ZN3tvm3ffi4None4SuchEv"]
    assert found["oldest_release"] is None
    assert found["missing_here"] == found["unknown"]


def test_a_symbol_of_another_namespace_is_not_ours(tmp_path):
    names = ["_ZN3tvm7runtime4CallEv", "_ZN5other3tvm3ffi1fEv", "MyTVMFFIThing"]
    assert floor(tmp_path, elf_file(names))["unknown"] == []


@needs_gcc
@linux
def test_a_library_is_not_loaded(tmp_path, capfd):
    source = tmp_path / "client.c"
    source.write_text(
        "#include <stdlib.h>\n"
        "extern int TVMFFIHandleInitOnce(void**, int (*)(void**));\n"
        "__attribute__((constructor)) static void load(void) { exit(9); }\n"
        'const char* hook = "__ffi_convert__";\n'
        "int f(void) { return TVMFFIHandleInitOnce(0, 0); }\n"
    )
    library = tmp_path / "client.so"
    subprocess.run(["gcc", "-shared", "-fPIC", source, "-o", library], check=True)
    assert inspect_command.main(["--abi-floor", str(library)]) == 0
    lines = [re.sub(" +", " ", line) for line in capfd.readouterr().out.splitlines()]
    assert " symbols 1, complete since 0.1.5: TVMFFIHandleInitOnce (0.1.5)" in lines
    assert " hooks 1, complete since 0.1.10: __ffi_convert__ (0.1.10)" in lines
    assert " oldest release 0.1.10" in lines


@linux
def test_own_libraries():
    paths = [
        libinfo._find_own_library("tvm_ffi_testing"),
        libinfo.find_libtvm_ffi(),
        libinfo.find_cython_lib(),
    ]
    testing, runtime, extension = abi_floor.floor_of(paths)
    assert testing["missing_here"] == runtime["missing_here"] == extension["missing_here"] == []
    assert [one["has_runtime"] for one in (testing, runtime, extension)] == [False, True, False]


# ---- wheels ----


def test_libraries_of_a_wheel_supply_each_other(tmp_path):
    members = {
        "client/a.so": elf_file(["TVMFFIFunctionCall", "_ZN3tvm3ffi5other1fEv"]),
        "client/b.so": elf_file(["TVMFFIHandleInitOnce"], defined=["_ZN3tvm3ffi5other1fEv"]),
        "client/data.so": b"not a library",
    }
    requires = [
        "apache-tvm-ffi>=0.1.5",
        "apache_tvm_ffi<0.2; extra == 'x'",
        "apache-tvm-ffi-orcjit",
    ]
    path = write_wheel(tmp_path / "client.whl", members, requires)
    (found,) = abi_floor.floor_of([str(path)])
    assert found["libraries"] == ["client/a.so", "client/b.so"]
    assert found["requires"] == requires[:2]
    assert (found["unknown"], found["oldest_release"]) == ([], "0.1.5")


def test_a_wheel_without_libraries(tmp_path, capsys):
    path = write_wheel(tmp_path / "client.whl", {"client.py": ""}, ["apache-tvm-ffi==0.1.12"])
    assert inspect_command.main(["--abi-floor", str(path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        str(path),
        "  libraries       none",
        "  requires        apache-tvm-ffi==0.1.12",
        "  oldest release  not known, since no library uses the runtime",
    ]


# ---- the command ----


def test_json_has_one_entry_for_each_file(tmp_path, capsys):
    for name, symbol in (("a.so", "TVMFFIFunctionCall"), ("b.so", "TVMFFINoSuchFunction")):
        (tmp_path / name).write_bytes(elf_file([symbol]))
    paths = [str(tmp_path / name) for name in ("a.so", "b.so")]
    assert inspect_command.main(["--abi-floor", "--json", *paths]) == 1
    first, second = json.loads(capsys.readouterr().out)
    assert [one["file"] for one in (first, second)] == paths
    assert (first["missing_here"], second["missing_here"]) == ([], ["TVMFFINoSuchFunction"])


def test_what_this_installation_lacks_is_named(tmp_path, capsys):
    path = tmp_path / "a.so"
    path.write_bytes(elf_file(["TVMFFINoSuchFunction"]))
    assert inspect_command.main(["--abi-floor", str(path)]) == 1
    said = re.sub(" +", " ", capsys.readouterr().out)
    assert "in no release TVMFFINoSuchFunction" in said
    assert "oldest release not known, since no release has all symbols" in said
    assert f"fast-tvm-ffi {_distribution.VERSION} lacks TVMFFINoSuchFunction" in said


@pytest.mark.parametrize("arguments", [["--abi-floor"], ["--abi-floor", "--html", "x", "a.so"]])
def test_usage(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        inspect_command.main(arguments)
    assert "--abi-floor needs a library or a wheel" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "neither an ELF library nor a wheel"),
        (b"text\n", "neither an ELF library nor a wheel"),
        (b"\x7fELF", "the ELF file is cut off"),
        (b"\x7fELF" + bytes(60), "unknown class 0 or byte order 0"),
        (b"\x7fELF\2\1" + bytes(58), "has no dynamic symbols"),
        (b"PK\5\6" + bytes(10), "neither an ELF library nor a wheel"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, capsys, content, said):
    path = tmp_path / "bad.whl"
    path.write_bytes(content)
    assert inspect_command.main(["--abi-floor", str(path)]) == 1
    written = capsys.readouterr().err
    assert written.startswith(f"tvm-ffi-inspect: {path}: ")
    assert said in written


def test_a_missing_file(tmp_path, capsys):
    assert inspect_command.main(["--abi-floor", str(tmp_path / "none.so")]) == 1
    assert "No such file" in capsys.readouterr().err


def test_a_library_that_is_cut_anywhere():
    whole = elf_file(["TVMFFIFunctionCall"], constants=b"\0__s_visit__\0")
    for size in range(4, len(whole)):
        with pytest.raises(ValueError, match="ELF file"):
            elf.read_symbols(whole[:size])


def test_changed_bytes_are_read_or_refused():
    whole = elf_file(["TVMFFIFunctionCall"], constants=b"\0__s_visit__\0")
    for place in range(16, len(whole)):
        for value in (0, 0x7F, 0xFF):
            changed = whole[:place] + bytes([value]) + whole[place + 1 :]
            try:
                elf.read_symbols(changed)
                b"".join(elf.read_constants(changed))
            except ValueError:
                pass


def test_a_damaged_wheel(tmp_path, capsys):
    path = write_wheel(tmp_path / "client.whl", {"a.so": elf_file(["TVMFFIFunctionCall"])})
    content = bytearray(path.read_bytes())
    content[40:60] = bytes(20)  # within the compressed library
    path.write_bytes(content)
    assert inspect_command.main(["--abi-floor", str(path)]) == 1
    assert "the archive is damaged" in capsys.readouterr().err

# SPDX-License-Identifier: Apache-2.0
"""Test the C examples: strict C99, no leaks, only symbols that every library with this ABI has."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from running import execute

from tvm_ffi import libinfo

ROOT = Path(__file__).resolve().parents[2]
HOST = ROOT / "examples" / "06_c_host"
OVERVIEW = ROOT / "examples" / "abi_overview" / "example_code.c"
HEADER = Path(libinfo.find_include_path()) / "tvm" / "ffi" / "c_api.h"
STRICT = ("-g", "-pedantic-errors", "-Wall", "-Wextra", "-Werror")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("pkg-config") is None,
    reason="needs gcc and pkg-config",
)
unsanitized = pytest.mark.unsanitized("valgrind and a second AddressSanitizer do not mix with one")


def run(*command, cwd=None, **variables):
    """Run a command that must succeed; return its output."""
    done = execute(*command, cwd=cwd, env={**os.environ, **variables})
    return done.stdout


def ask(*flags):
    return run(
        "pkg-config", *flags, "tvm-ffi", PKG_CONFIG_PATH=libinfo.find_pkgconfig_path()
    ).split()


def compile_c(source, output, *flags):
    """Compile a source file as the README says, with strict warnings."""
    rpath = f"-Wl,-rpath,{ask('--variable=libdir')[0]}"
    command = ["gcc", *STRICT, *flags, *ask("--cflags"), source, "-o", output, *ask("--libs")]
    run(*command, rpath)
    return output


def compile_host(folder, *flags):
    compile_c(HOST / "plugin.c", folder / "plugin.so", "-std=c99", "-shared", "-fPIC", *flags)
    return compile_c(HOST / "host.c", folder / "host", "-std=c99", *flags)


def expected_lines():
    return dict(BLOCK.findall((HOST / "README.md").read_text()))["text"]


# ---- the host


def test_the_host_prints_what_the_readme_says(tmp_path):
    program = compile_host(tmp_path)
    assert run(program, "./plugin.so", cwd=tmp_path) == expected_lines()


@unsanitized
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind")
def test_the_host_releases_everything(tmp_path):
    program = compile_host(tmp_path)
    check = ["valgrind", "-q", "--leak-check=full", "--error-exitcode=9"]
    assert run(*check, program, "./plugin.so", cwd=tmp_path) == expected_lines()


@unsanitized
def test_the_host_has_no_undefined_behaviour(tmp_path):
    program = compile_host(tmp_path, "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    printed = run(program, "./plugin.so", cwd=tmp_path, ASAN_OPTIONS="detect_leaks=0")
    assert printed == expected_lines()


@pytest.mark.unsanitized("GNU make reports a fault of its own")
def test_the_commands_of_the_readme_build_the_host(tmp_path):
    if shutil.which("cmake") is None:
        pytest.skip("needs cmake")
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "tvm-ffi-config").write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -m tvm_ffi.config "$@"\n'
    )
    (tools / "tvm-ffi-config").chmod(0o755)
    folder = tmp_path / "06_c_host"
    shutil.copytree(HOST, folder)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    commands = [body for kind, body in BLOCK.findall((HOST / "README.md").read_text())]
    assert len(commands) == 3
    for command in commands[:2]:
        printed = run("sh", "-e", "-c", command, cwd=folder, PATH=path)
        assert printed.endswith(expected_lines())


def test_a_moved_package_is_found_where_it_is(tmp_path):
    place = Path(libinfo.find_pkgconfig_path())
    package = place.parents[1]
    moved = tmp_path / "moved to"
    for part in (place.relative_to(package), Path("include"), Path("lib")):
        shutil.copytree(package / part, moved / part, dirs_exist_ok=True)
    path = str(moved / place.relative_to(package))
    for variable, folder in (("includedir", "include"), ("libdir", "lib")):
        told = run("pkg-config", f"--variable={variable}", "tvm-ffi", PKG_CONFIG_PATH=path)
        assert Path(told.strip().replace("\\", "")).resolve() == (moved / folder).resolve()
    command = (
        'eval gcc -std=c99 "$(pkg-config --cflags tvm-ffi)" "$SOURCE" -o host '
        '"$(pkg-config --libs tvm-ffi)" -Wl,-rpath,"\'$LIBRARIES\'"'
    )
    source, libraries = str(HOST / "host.c"), str(moved / "lib")
    run("sh", "-c", command, cwd=tmp_path, PKG_CONFIG_PATH=path, SOURCE=source, LIBRARIES=libraries)
    assert str(moved) in run("ldd", tmp_path / "host")


def test_the_host_needs_only_symbols_that_every_library_has(tmp_path):
    """Check that programs with the inline C functions need only symbols of the peer's library."""
    facts = json.loads((ROOT / "tests" / "golden" / "abi_facts.json").read_text())
    compile_host(tmp_path)
    used = set()
    for name in ("host", "plugin.so"):
        symbols = run("nm", "-D", "--undefined-only", tmp_path / name).split()
        used |= {symbol for symbol in symbols if symbol.lower().startswith(("tvm", "_zn3tvm"))}
    assert len(used) >= 6
    assert used <= set(facts["exports"])


# ---- the C code of the ABI overview

# The ABI overview shows parts of the example and of the header. These are the names of the parts.
LISTINGS = (
    *("Any_AnyView.FromInt_Float", "Any_AnyView.FromObjectPtr", "Any_AnyView.Destroy"),
    *("Any_AnyView.GetInt_Float", "Any_AnyView.GetDLTensor", "Any_AnyView.GetObject"),
    *("Object.MoveFromAny", "Object.Destroy", "Object.IsInstance"),
    *("Tensor.AccessDLTensor", "Tensor_FromDLPack", "Tensor_ToDLPackVersioned"),
)


def listing(text, name):
    """Return the lines between two anchors, like ``literalinclude`` of Sphinx."""
    lines = text.splitlines()
    (begin,) = (i for i, line in enumerate(lines) if f"[{name}.begin]" in line)
    (end,) = (i for i, line in enumerate(lines) if f"[{name}.end]" in line)
    return "\n".join(lines[begin + 1 : end])


@pytest.mark.parametrize("name", LISTINGS)
def test_a_listing_of_the_overview_is_complete_code(name):
    text = listing(OVERVIEW.read_text(), name)
    assert re.search(rf"\b{re.split(r'_Float', name)[0].replace('.', '_')}\w*\(", text)
    assert text.count("{") == text.count("}") > 0
    assert ".begin]" not in text


def test_every_listing_of_the_overview_ends():
    text = OVERVIEW.read_text()
    names = re.findall(r"^// \[(\S+)\.begin\]$", text, re.MULTILINE)
    assert set(names) > set(LISTINGS)
    assert names == re.findall(r"^// \[(\S+)\.end\]$", text, re.MULTILINE)


def test_every_declaration_of_the_header_is_between_anchors():
    text = HEADER.read_text()
    names = re.findall(r"^\} (TVMFFI\w+);$", text, re.MULTILINE)
    assert {"TVMFFIAny", "TVMFFIObject", "TVMFFIErrorCell"} < set(names)
    for name in names:
        code = re.sub(r"/\*.*?\*/", "", listing(text, name), flags=re.DOTALL).strip()
        assert code.startswith("typedef ")
        assert code.endswith(f"}} {name};")
        assert code.count("typedef ") == 1
    assert "typedef int (*TVMFFISafeCallType)" in listing(text, "TVMFFISafeCallType")


@pytest.mark.parametrize("owning", ["true", "false"])
@pytest.mark.parametrize("standard", ["c99", "c11", "c2x"])
def test_the_overview_runs_in_every_standard(tmp_path, standard, owning):
    options = (f"-std={standard}", f"-DIS_OWNING_ANY={owning}")
    program = compile_c(OVERVIEW, tmp_path / "example_code", *options)
    assert run(program) == "0 failures\n"


@unsanitized
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind")
@pytest.mark.parametrize("owning", ["true", "false"])
def test_the_overview_releases_everything(tmp_path, owning):
    options = ("-std=c99", f"-DIS_OWNING_ANY={owning}")
    program = compile_c(OVERVIEW, tmp_path / "example_code", *options)
    run("valgrind", "-q", "--leak-check=full", "--error-exitcode=9", program)

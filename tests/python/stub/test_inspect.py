# SPDX-License-Identifier: Apache-2.0
"""Test the command tvm-ffi-inspect."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import webdriver
from running import execute

import tvm_ffi
from tvm_ffi import libinfo
from tvm_ffi.core import TypeSchema
from tvm_ffi.cpp import build_inline
from tvm_ffi.stub import inspect_command, inventory
from tvm_ffi.stub.inventory_page import as_page

LIBRARY = libinfo._find_own_library("tvm_ffi_testing")


def inspect(*arguments):
    """Run the command in a separate process, in which no test library is loaded."""
    environment = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}
    return execute(
        sys.executable,
        "-m",
        "tvm_ffi.stub.inspect_command",
        *arguments,
        status=None,
        env=environment,
    )


@pytest.mark.spec("TOOL-TO2")
def test_library_as_json():
    done = inspect(LIBRARY, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert set(found) == {"types", "functions", "exports"}
    assert all(key.startswith("testing.") for key in found["types"])
    pair = found["types"]["testing.TestIntPair"]
    assert (pair["parent"], pair["final"]) == ("ffi.Object", True)
    assert [(f["name"], f["type"], f["offset"]) for f in pair["fields"]] == [
        ("a", "int", 24),
        ("b", "int", 32),
    ]
    assert pair["fields"][0]["read_only"] is True
    method = next(m for m in pair["methods"] if m["name"] == "sum")
    assert (method["signature"], method["static"]) == ("(testing.TestIntPair) -> int", False)
    assert "__ffi_init__" in pair["attributes"]
    assert found["functions"]["testing.add_one"] == {
        "signature": "(int) -> int",
        "typed": True,
        "doc": None,
        "parameters": None,
    }
    assert found["functions"]["testing.weigh"]["parameters"] == [
        {"name": "x", "type": "int"},
        {"name": "y", "type": "int", "default": 2},
        {"name": "z", "type": "int", "default": 3},
    ]
    exports = found["exports"][LIBRARY]
    assert exports["testing_dll_test_add_with_docstring"]["doc"].startswith("Add two integers")


def test_runtime_without_libraries():
    found = json.loads(inspect("--json").stdout)
    assert "ffi.Array" in found["types"]
    assert "ffi.ArraySize" in found["functions"]
    assert not any(key.startswith("testing.") for key in found["types"])


@pytest.mark.spec("TOOL-TO2")
def test_text_is_a_tree():
    lines = inspect(LIBRARY).stdout.splitlines()
    assert lines[0] == "Types"
    base = lines.index("  testing.TestObjectBase")
    derived = next(i for i, line in enumerate(lines) if "testing.TestObjectDerived" in line)
    assert base < derived
    assert lines[derived].startswith("    testing.TestObjectDerived")
    assert "    .v_i64: int" in lines
    assert "  testing.add_one(int) -> int" in lines[lines.index("Functions") :]


@pytest.mark.spec("TOOL-TO18")
def test_truncated_library_is_reported(tmp_path):
    part = tmp_path / "part.so"
    part.write_bytes(Path(LIBRARY).read_bytes()[:20000])
    done = inspect(part)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("tvm-ffi-inspect: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.spec("TOOL-TO18")
def test_library_whose_names_are_taken_is_reported(tmp_path):
    twin = tmp_path / "twin.so"
    twin.write_bytes(Path(LIBRARY).read_bytes())
    done = inspect(LIBRARY, twin)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Overriding testing." in done.stderr
    assert f"of the library `{twin}` was loaded" in done.stderr


def test_page_that_cannot_be_written(tmp_path):
    done = inspect("--html", tmp_path / "absent" / "page.html")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"tvm-ffi-inspect: {tmp_path}/absent/page.html: No such file")
    assert inspect("--json", "--html", "x").returncode == 2
    help_text = inspect("--help")
    assert (help_text.returncode, help_text.stderr) == (0, "")
    assert help_text.stdout.startswith("usage: tvm-ffi-inspect")


def test_reader_may_stop_early():
    command = [sys.executable, "-m", "tvm_ffi.stub.inspect_command"]
    environment = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}
    pipe, hole = os.pipe()
    os.close(pipe)
    done = subprocess.run(
        command, env=environment, stdout=hole, stderr=subprocess.PIPE, check=False
    )
    os.close(hole)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.spec("TOOL-TO18")
def test_library_that_cannot_be_loaded(tmp_path, capsys):
    assert inspect_command.main([str(tmp_path / "absent.so")]) == 1
    assert "absent.so" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        inspect_command.main(["--json", "--html", "x"])
    assert caught.value.code == 2


EXPORTS = r"""
#include <tvm/ffi/reflection/registry.h>
namespace refl = tvm::ffi::reflection;
void norm(tvm::ffi::TensorView x, double eps) {}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(norm, norm, "Normalize x.\nIn place.", refl::arg_names("x", "eps"),
                              refl::arg_defaults("[1e-5]"));
int plain(int x) { return x; }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(_plain, plain);
class BoxObj : public tvm::ffi::Object {
 public:
  int64_t size;
  explicit BoxObj(int64_t size) : size(size) {}
  explicit BoxObj(tvm::ffi::UnsafeInit) {}
  int64_t Grow(int64_t by) const { return size + by; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("inspected.Box", BoxObj, tvm::ffi::Object);
};
TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<BoxObj>("A box.")
      .def(refl::init<int64_t>(), "Make a box.", refl::arg_names("size"), refl::arg_defaults("[3]"))
      .def_ro("size", &BoxObj::size, "How large.")
      .def("grow", &BoxObj::Grow, "A larger size.", refl::arg_names("by"));
  refl::GlobalDef().def("inspected.id", [](int64_t x) { return x; }, "The same.",
                        refl::arg_names("x"));
}
"""


@pytest.fixture(scope="module")
def documented(tmp_path_factory):
    """Build a library whose functions all have parameter names and documentation."""
    folder = tmp_path_factory.mktemp("documented")
    return build_inline("documented", cpp_sources=EXPORTS, build_directory=str(folder))


def test_documentation_and_names_as_text(documented):
    done = inspect(documented)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "Types",
        "  inspected.Box (final)",
        "    A box.",
        "    .size: int  (read-only)",
        "        How large.",
        "    static __ffi_init__(size: int = 3) -> Object",
        "        Make a box.",
        "    grow(inspected.Box, by: int) -> int",
        "        A larger size.",
        "    attributes: __ffi_new__, __ffi_init__, __ffi_shallow_copy__",
        "",
        "Functions",
        "  inspected.id(x: int) -> int",
        "      The same.",
        "",
        f"Exports of {documented}",
        "  _plain(int) -> int",
        "  norm(x: Tensor, eps: float = 1e-05) -> None",
        "      Normalize x.",
        "      In place.",
    ]


def test_documentation_and_names_as_json(documented):
    found = json.loads(inspect(documented, "--json").stdout)
    box = found["types"]["inspected.Box"]
    assert (box["doc"], box["fields"][0]["doc"]) == ("A box.", "How large.")
    assert [(m["doc"], m["parameters"]) for m in box["methods"]] == [
        ("Make a box.", [{"name": "size", "type": "int", "default": 3}]),
        ("A larger size.", [{"name": "by", "type": "int"}]),
    ]
    assert found["exports"][documented]["norm"] == {
        "signature": "(x: Tensor, eps: float = 1e-05) -> None",
        "typed": True,
        "doc": "Normalize x.\nIn place.",
        "parameters": [
            {"name": "x", "type": "Tensor"},
            {"name": "eps", "type": "float", "default": 1e-5},
        ],
    }


def test_names_that_do_not_fit_are_reported(tmp_path):
    source = EXPORTS.replace('refl::arg_names("x", "eps")', 'refl::arg_names("x")')
    library = build_inline("unfit", cpp_sources=source, build_directory=str(tmp_path))
    fault = "its arg_names 'x' has 1 name, but the function has 2 parameters"
    assert f"      no names of parameters: {fault}\n" in inspect(library).stdout
    found = json.loads(inspect(library, "--json").stdout)["exports"][library]
    assert (found["norm"]["fault"], "fault" in found["_plain"]) == (fault, False)


def test_documentation_and_names_in_a_browser(shown, documented, tmp_path):
    page, _ = shown
    file = tmp_path / "documented.html"
    assert inspect(documented, "--html", file).returncode == 0
    page.open(file.as_uri())
    page.type("#search", "normalize")
    assert entries(page) == ["norm"]
    text = page.text("section:not([hidden])")
    assert "exported by documented.so" in text
    assert "(x: Tensor, eps: float = 1e-05) -> None" in text
    page.type("#search", "larger")
    assert entries(page) == ["inspected.Box"]
    assert page.complaints() == []


def test_nothing_new():
    assert inventory.as_text({"types": {}, "functions": {}}) == "nothing is registered\n"


def test_signatures():
    assert inventory.signature_text(None) == "(...) -> Any"
    assert inventory.signature_text(TypeSchema("Callable")) == "(...) -> Any"
    schema = TypeSchema("Callable", (TypeSchema("None"), TypeSchema("Array", (TypeSchema("int"),))))
    assert inventory.signature_text(schema) == "(Array[int]) -> None"


# ---- the page ----


def test_page_is_complete_in_itself(tmp_path):
    page = tmp_path / "page.html"
    assert inspect(LIBRARY, "--html", page).returncode == 0
    text = page.read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert not re.search(r'(src|href)="', text)
    data = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1]
    assert "testing.TestIntPair" in json.loads(data)["types"]


def test_page_cannot_be_broken_by_names():
    evil = "</script><script>alert(1)</script>"
    found = {"types": {}, "functions": {evil: {"signature": "<b>", "typed": False}}}
    text = as_page(found)
    assert evil not in text
    assert text.count("</script>") == 2
    data = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1]
    assert json.loads(data) == found


# ---- the page in a browser ----


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """Yield a browser that shows the page for the test library."""
    if webdriver.BROWSER is None or webdriver.DRIVER is None:
        pytest.skip("no Chromium with its driver on this machine (tools/set_up.sh chromium)")
    folder = tmp_path_factory.mktemp("browser")
    file = folder / "page.html"
    assert inspect(LIBRARY, "--html", file).returncode == 0
    with webdriver.browser(folder / "profile") as page:
        yield page, file.as_uri()


def entries(page):
    """Return the titles of the visible entries."""
    script = "return [...document.querySelectorAll('.entry')]"
    return page.run(
        script + ".filter((e) => e.offsetParent !== null).map((e) => e.firstChild.textContent)"
    )


def test_browser_shows_everything_at_first(shown):
    page, address = shown
    page.open(address)
    found = json.loads(inspect(LIBRARY, "--json").stdout)
    assert page.title() == "tvm-ffi inventory"
    exports = found["exports"][LIBRARY]
    assert entries(page) == [*found["types"], *found["functions"], *exports]
    count = len(found["types"]) + len(found["functions"]) + len(exports)
    assert page.text("#count") == f"{count} of {count}"
    assert page.complaints() == []


@pytest.mark.spec("TOOL-TO3")
def test_browser_searches_while_one_types(shown):
    page, address = shown
    page.open(address)
    page.type("#search", "TESTING.testintpair sum")
    assert entries(page) == ["testing.TestIntPair", "testing.TestIntPairSum"]
    assert "sum(testing.TestIntPair) -> int" in page.text("section:not([hidden])")
    page.type("#search", "add_one")
    assert "testing.add_one" in entries(page)
    assert "testing.TestIntPair" not in entries(page)
    page.type("#search", "no such thing <b>")
    assert entries(page) == []
    assert page.text("#count").startswith("0 of ")
    assert page.complaints() == []


def test_browser_searches_for_the_words_of_the_address(shown):
    page, address = shown
    page.open("about:blank")
    page.open(f"{address}#TestIntPair%20sum%20a")
    assert "testing.TestIntPair" in entries(page)
    assert "testing.add_one" not in entries(page)


@pytest.mark.spec("TOOL-TO3")
def test_browser_survives_an_address_that_is_not_text(shown):
    page, address = shown
    page.open("about:blank")
    page.open(f"{address}#%")
    assert page.complaints() == []
    assert page.text("#count")


@pytest.mark.spec("TOOL-TO3")
def test_browser_runs_no_name(shown, tmp_path):
    page, _ = shown
    evil = "</script><script>document.title = 'caught'</script><img src=x onerror=alert(1)>"
    field = {"name": evil, "type": "int"}
    entry = {
        "parent": "constructor",
        "fields": [field],
        "methods": [],
        "attributes": [],
        "enum_entries": [],
    }
    file = tmp_path / "evil.html"
    signature = {"signature": "(<b>) -> None", "typed": True}
    file.write_text(as_page({"types": {evil: entry}, "functions": {evil: signature}}))
    page.open(file.as_uri())
    assert page.title() == "tvm-ffi inventory"
    assert entries(page) == [evil, evil]
    assert page.find("img") == []


@pytest.mark.parametrize("name", ["libtally.so", "mine.py"])
def test_html_does_not_replace_a_file_of_another_kind(tmp_path, name):
    file = tmp_path / name
    content = Path(LIBRARY).read_bytes() if name.endswith(".so") else b"print('mine')\n"
    file.write_bytes(content)
    arguments = ["--html", file] if name.endswith(".so") else [LIBRARY, "--html", file]
    done = inspect(*arguments)
    assert done.returncode == 1
    assert done.stderr == (
        f"tvm-ffi-inspect: {file}: the file exists and is not an HTML page; "
        "move it away, or choose another file name\n"
    )
    assert file.read_bytes() == content


def test_html_replaces_a_page_and_an_empty_file(tmp_path):
    file = tmp_path / "page.html"
    for content in ("", "<!doctype HTML>\n<p>earlier</p>\n"):
        file.write_text(content)
        assert inspect("--html", file).returncode == 0
        assert file.read_text().startswith("<!DOCTYPE html>\n<html")


def test_library_with_a_version_is_inspected(tmp_path):
    versioned = tmp_path / "libtally.so.1.2"
    versioned.write_bytes(Path(LIBRARY).read_bytes())
    done = inspect(versioned, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert "testing_dll_schema_id_int" in json.loads(done.stdout)["exports"][str(versioned)]


def test_source_file_is_not_a_library(tmp_path):
    """Before the fix, the only text was that of the loader: the file is too short."""
    source = tmp_path / "mine.py"
    source.write_text("x = 1\n")
    done = inspect(source)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"tvm-ffi-inspect: {source} is not a shared library: ")

# SPDX-License-Identifier: Apache-2.0
"""Test the output of a build: progress on a terminal or in IPython, and compiler errors."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tvm_ffi import cpp
from tvm_ffi.cpp import build_inline, diagnostics, progress
from tvm_ffi.cpp.source import PREAMBLE_LINES
from tvm_ffi.libinfo import find_include_path


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def open_terminal(monkeypatch):
    """Return a function that replaces ``stderr``; pytest sets ``stderr`` just before each test."""

    def replace():
        stream = Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return replace


def test_nothing_is_written_where_no_person_looks(c_file, capfd):
    cpp.build("quiet", sources=str(c_file))
    assert capfd.readouterr() == ("", "")


def test_a_terminal_shows_what_is_built_and_for_how_long(c_file, open_terminal, monkeypatch):
    terminal = open_terminal()
    monkeypatch.setattr(progress, "_INTERVAL", 0.01)
    cpp.build("shown", sources=str(c_file))
    lines = terminal.getvalue().split("\r")[1:]
    assert lines[0] == "building shown (value.c; cc) ..."
    assert re.fullmatch(r"building shown \(value\.c; cc\) \.\.\. \d+\.\d s", lines[1].rstrip())
    assert re.fullmatch(r"built shown \(value\.c; cc\) in \d+\.\d s *\n", lines[-1])
    # The last line is long enough to overwrite all earlier lines.
    assert len(lines[-1]) - 1 >= max(map(len, lines[:-1]))


def test_a_build_that_is_up_to_date_writes_nothing(c_file, open_terminal):
    terminal = open_terminal()
    cpp.build("twice", sources=str(c_file), verbose=False)
    assert terminal.getvalue() == ""
    cpp.build("twice", sources=str(c_file), verbose=True)
    assert terminal.getvalue() == ""


def test_verbose_writes_whole_lines_to_files(c_file, capfd):
    cpp.load("lines", sources=str(c_file), verbose=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert re.fullmatch(
        r"building lines \(value\.c; cc\) \.\.\.\nbuilt lines \(value\.c; cc\) in [\d.]+ s\n", err
    )


def test_a_failure_is_shown_too(tmp_path, open_terminal):
    terminal = open_terminal()
    source = tmp_path / "bad.c"
    source.write_text("#error no\n")
    with pytest.raises(RuntimeError, match="no"):
        cpp.build("bad", sources=str(source))
    assert terminal.getvalue().split("\r")[-1].startswith("failed to build bad (bad.c; cc) in ")


def test_ipython_gets_its_lines_on_stdout(c_file, monkeypatch, capsys):
    shell = SimpleNamespace(get_ipython=lambda: object())
    monkeypatch.setitem(sys.modules, "IPython", shell)
    cpp.build("notebook", sources=str(c_file))
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("\rbuilding notebook (value.c; cc) ...")


def test_a_saved_notebook_keeps_one_line(c_file, monkeypatch, capfd):
    """The saved notebook has one output per `display_data`, with the data of its last update."""
    outputs = {}

    def display(data, *, raw, display_id):
        assert raw and display_id is True
        name = len(outputs)
        outputs[name] = [data["text/plain"]]
        return SimpleNamespace(update=lambda data, *, raw: outputs[name].append(data["text/plain"]))

    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=display))
    monkeypatch.setattr(progress, "_INTERVAL", 0.01)
    cpp.build("saved", sources=str(c_file))
    assert capfd.readouterr() == ("", "")
    (texts,) = outputs.values()
    assert len(texts) > 2
    assert texts[0] == "building saved (value.c; cc) ..."
    assert re.fullmatch(r"built saved \(value\.c; cc\) in \d+\.\d s", texts[-1])


def test_ipython_that_was_only_imported_is_silent(c_file, monkeypatch, capfd):
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    cpp.build("imported", sources=str(c_file))
    assert capfd.readouterr() == ("", "")


def test_a_stream_that_is_absent_or_closed_is_no_error(c_file, monkeypatch):
    for name, stream in (("absent", None), ("closed", io.StringIO())):
        if stream is not None:
            stream.close()
        monkeypatch.setattr(sys, "stderr", stream)
        cpp.build(name, sources=str(c_file), verbose=True)


@pytest.mark.parametrize("verbose", [1, "yes", 0])
def test_other_values_are_refused(c_file, verbose):
    with pytest.raises(
        TypeError, match=f"verbose must be a bool or None, got {type(verbose).__name__}"
    ):
        cpp.build("refused", sources=str(c_file), verbose=verbose)


def test_long_names_are_cut(c_file, open_terminal):
    terminal = open_terminal()
    name = "a" * 100
    cpp.build(name, sources=str(c_file))
    lines = terminal.getvalue().split("\r")[1:]
    assert lines[0].startswith("building aaa") and lines[0].endswith("... ...")
    assert max(map(len, lines)) <= 80


# ---- compiler errors refer to the user's own file and line

HERE = Path("/build")


def line_of(text):
    """Return the number of the line in this file that has this text."""
    lines = Path(__file__).read_text().splitlines()
    (number,) = (i for i, line in enumerate(lines, 1) if line.strip() == text)
    return number


def explain(text, *parts):
    return diagnostics.explain(text, HERE, {"main.cpp": ("cpp_sources", parts)})


def at(line, form="/build/main.cpp:{}:5: error: x"):
    return form.format(PREAMBLE_LINES + line)


@pytest.mark.spec("TOOL-TO17")
def test_text_in_this_file():
    source = """
int first_function();
int second_function();
"""
    number = line_of("int first_function();")
    assert explain(at(2), source) == f"{__file__}:{number}:5: error: x"
    assert explain(at(3), source) == f"{__file__}:{number + 1}:5: error: x"
    nvcc = "/build/main.cpp({}): error: x"
    assert explain(at(2, nvcc), source) == f"{__file__}({number}): error: x"


def test_text_that_begins_and_ends_between_quotes():
    source = """int third_function() {
        return 0; } // of the third"""
    number = line_of('source = """int third_function() {')
    assert explain(at(2), source) == f"{__file__}:{number + 1}:5: error: x"


def test_text_that_was_dedented():
    import textwrap

    source = textwrap.dedent("""
        int fourth_function();
            int indented_more();
    """)
    number = line_of("int indented_more();")
    assert explain(at(3), source) == f"{__file__}:{number}:5: error: x"


def test_text_that_stands_nowhere_or_twice():
    made = "int made" + "_here();"
    assert explain(at(1), made) == "cpp_sources:1:5: error: x"
    assert explain(at(2), "int a" + "0;", made) == "cpp_sources[1]:1:5: error: x"
    twice = "assert explain("
    assert explain(at(1), twice) == "cpp_sources:1:5: error: x"


@pytest.mark.spec("TOOL-TO17")
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_ends_of_lines_count(end):
    source = end.join(["int a" + "3;", "int b" + "3;", "int c" + "3;"])
    assert explain(at(3), source, "int d" + "3;") == "cpp_sources[0]:3:5: error: x"
    assert explain(at(4), source, "int d" + "3;") == "cpp_sources[1]:1:5: error: x"


def test_lines_of_our_own_stay():
    for line in (-2, 0, 3):
        assert explain(at(line), "int a" + "1;\nint b" + "1;") == at(line)
    other = "/other/main.cpp:7:1: note: x"
    assert explain(other, "int a" + "2;") == other
    assert explain("plain text: 5", "") == "plain text: 5"


def test_headings_name_the_place_that_follows():
    heading = "/build/main.cpp: In function 'int f()':"
    assert explain(f"{heading}\n{at(1)}", "int a" + "4;") == (
        "cpp_sources: In function 'int f()':\ncpp_sources:1:5: error: x"
    )
    assert explain(f"{heading}\n{at(9)}", "int a" + "4;") == f"{heading}\n{at(9)}"
    assert explain(heading, "int a" + "4;") == heading


def test_excerpts_are_renumbered():
    source = "\n".join(["int made" + "_now;"] * 3)
    text = f"{at(2)}\n{PREAMBLE_LINES + 2:>5} |   return y;\n      |          ^"
    assert (
        explain(text, source)
        == "cpp_sources:2:5: error: x\n    2 |   return y;\n      |          ^"
    )
    other = f"{at(1)}\n/x/header.h:9:1: note: y\n    9 | code"
    assert explain(other, source).endswith("\n    9 | code")


@pytest.mark.parametrize(
    "text",
    [
        "main.cpp:9:1: error: redefinition of \u2018int __tvm_ffi_F(void*, const TVMFFIAny*)\u2019",
        "main.cpp:9:1: error: redefinition of '__tvm_ffi_F'",
        "ld: cpp_0.o: multiple definition of `__tvm_ffi_F'; cuda_1.o: first defined here",
        "main.cpp(9): error C2084: function 'int __tvm_ffi_F(void *)' already has a body",
    ],
)
def test_function_that_is_exported_twice_is_named_first(text):
    first, *rest = explain(text, "").splitlines()
    assert first.startswith("exported twice: `F`: TVM_FFI_DLL_EXPORT_TYPED_FUNC in the source ")
    assert first.endswith("remove the name from `functions`, or the macro")
    assert rest == [text]


def test_other_redefinitions_are_not_exports():
    text = "main.cpp:9:1: error: redefinition of \u2018int F()\u2019"
    assert explain(text, "") == text


def test_macro_and_name_in_functions_export_twice(tmp_path):
    source = "int F() { return 1; }\nTVM_FFI_DLL_EXPORT_TYPED_FUNC(F, F);"
    with pytest.raises(RuntimeError, match=r"^exported twice: `F`: "):
        build_inline(
            "exported_twice", cpp_sources=source, functions=["F"], build_directory=str(tmp_path)
        )


@pytest.mark.parametrize("source", ["", "\n\n", "  "])
def test_empty_text(source):
    assert explain(at(1), source).startswith("cpp_sources:1:")


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("error: 'Map' in namespace 'ffi' does not name a template type", ["Map"]),
        ("error: 'Dict' does not name a type", ["Dict"]),
        ("error: 'GlobalDef' is not a member of 'tvm::ffi::reflection'", ["GlobalDef"]),
        (
            "error: 'List' is not a member of 'tvm::ffi'\nerror: 'Map' is not a member of 'a'",
            ["List", "Map"],
        ),
        ("error: no template named 'List' in namespace 'tvm::ffi'", ["List"]),
        ("error: implicit instantiation of undefined template 'tvm::ffi::Tuple<int>'", ["Tuple"]),
        (
            "error: 'v' has incomplete type\nnote: declaration of 'class tvm::ffi::Variant<long>'",
            ["Variant"],
        ),
        ("error: 'Mop' does not name a type", []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("quotes", ["''", "\u2018\u2019"], ids=["plain", "typographic"])
def test_the_header_of_an_unknown_name_is_named(message, names, quotes):
    message = re.sub(r"'([^']*)'", rf"{quotes[0]}\1{quotes[1]}", message)
    lines = [
        f"not included: `{name}` needs `#include <{diagnostics._HEADERS[name]}>`" for name in names
    ]
    assert explain(message) == "\n".join([*lines, message])


@pytest.mark.parametrize("name", diagnostics._HEADERS)
def test_a_header_defines_the_name_that_needs_it(name):
    text = (Path(find_include_path()) / diagnostics._HEADERS[name]).read_text()
    assert re.search(rf"^(?:class|struct|namespace) {name}\b", text, re.MULTILINE)


def test_a_source_without_the_header_of_a_map(tmp_path):
    source = "tvm::ffi::Map<int64_t, int64_t> F() { return {}; }"
    with pytest.raises(RuntimeError, match=r"^not included: `Map` needs `#include <tvm/ffi/cont"):
        build_inline("no_map", cpp_sources=source, functions="F", build_directory=str(tmp_path))


def test_a_misspelled_name_of_functions_is_named_first(tmp_path):
    with pytest.raises(RuntimeError) as caught:
        build_inline(
            "misspelled",
            cpp_sources="int64_t typed(int64_t x) { return x; }",
            functions=["typde", "typed"],
            build_directory=tmp_path,
        )
    first = str(caught.value).splitlines()[0]
    assert first == (
        "no such function: `typde` of `functions` is not in the sources; did you mean 'typed'?"
    )

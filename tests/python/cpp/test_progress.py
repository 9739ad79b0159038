# SPDX-License-Identifier: Apache-2.0
"""Test the output of a build on a terminal, in IPython and elsewhere."""

from __future__ import annotations

import io
import re
import sys
from types import SimpleNamespace

import pytest

from tvm_ffi import cpp
from tvm_ffi.cpp import progress


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
        r"building lines \(value\.c; cc\) \.\.\.\nbuilt lines \(value\.c; cc\) in [\d.]+ s\n",
        err,
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

# SPDX-License-Identifier: Apache-2.0
"""Findings as text and in the machine formats, also with unusual contents."""

from __future__ import annotations

import io
import json
import re
import sys
from urllib.parse import unquote

import pytest

from tvm_ffi_schema.diag import Bag, Edit, render
from tvm_ffi_schema.ir import Span

from . import sarif

BROKEN = '@declare\nclass PNode(Object):\n    """A."""\n    type_key = "t.P"\n    mutabel = 1\n'
ODD = ["a b.py", "größe.py", "x,y:1.py", "100%.py", "a'b\"c.py", "#1.py", "q?.py", "日本/語.py"]


@pytest.mark.spec("SC104.25", "SC105.4")
@pytest.mark.parametrize("name", ODD)
def test_file_names_of_every_kind_arrive_in_every_format(project, name):
    project.schema(BROKEN, f"schema/{name}")
    place = f"schema/{name}"
    assert project.run("generate") == 3
    assert project.err.startswith(f"{place}:6:5: error[TS021]: ")
    assert project.run("generate", "--format", "json") == 3
    assert json.loads(project.out)["file"] == place
    assert project.run("generate", "--format", "sarif") == 3
    log = json.loads(project.out)
    sarif.check(log)
    uri = sarif.place(log["runs"][0]["results"][0])[1]
    assert unquote(uri) == place and re.fullmatch(r"[A-Za-z0-9%/._~-]+", uri)
    assert project.run("generate", "--format", "github") == 3
    match = re.match(r"::error file=([^,:]+),line=6,col=5,title=TS021::", project.out)
    assert match and unquote(match[1]) == place


def test_a_place_outside_is_an_absolute_uri():
    bag = Bag()
    bag.add("TS001", "cannot be read", Span("/some where/x.py", 2, 3))
    log = json.loads(render.sarif(bag.items))
    assert sarif.place(log["runs"][0]["results"][0])[1] == "file:///some%20where/x.py"


def test_messages_of_several_lines_stay_one_annotation():
    bag = Bag()
    bag.add("TS602", "100% bad:\r\nsecond,line", Span("x.cc", 2, 3))
    text = render.github(bag.items)
    assert text.count("\n") == 1 and "\r" not in text
    assert text == "::error file=x.cc,line=2,col=3,title=TS602::100%25 bad:%0D%0Asecond,line\n"


@pytest.mark.spec("SC105.1", "SC105.2")
def test_everything_of_a_record_is_rendered(tmp_path):
    """The output has the id, severity, message, place, label, notes, help and edit of a finding."""
    path = tmp_path / "x.py"
    path.write_text("first\n\tsecond line\nthird\n")
    bag = Bag()
    span = Span(str(path), 2, 2, 2, 8)
    edit = Edit(span, "other")
    notes = [(Span(str(path), 3, 1, 3, 6), "seen here")]
    bag.add("TS323", "wide", span, label="here", notes=notes, help="do so", fix=[edit])
    text = render.text(bag.items, colour=True)
    assert text.startswith(f"{path}:2:2: \x1b[33mwarning[TS323]\x1b[0m: wide\n")
    assert "    2 | \tsecond line\n      | \t^^^^^^ here\n" in text
    assert f"  {path}:3:1: note: seen here\n" in text
    assert "   = help: do so\n   = fix available: tvm-ffi-schema validate --fix\n" in text
    record = json.loads(render.json_lines(bag.items))
    assert record["notes"][0]["message"] == "seen here" and record["help"] == "do so"
    assert record["fix"][0]["text"] == "other" and record["end_column"] == 8
    result = json.loads(render.sarif(bag.items))["runs"][0]["results"][0]
    assert result["relatedLocations"][0]["message"]["text"] == "seen here"
    assert result["fixes"][0]["artifactChanges"][0]["replacements"]


@pytest.mark.spec("SC105.5")
def test_moved_findings_keep_their_fingerprints_and_different_ones_differ(project):
    def prints() -> list[str]:
        project.run("generate", "--format", "sarif")
        results = json.loads(project.out)["runs"][0]["results"]
        return sorted(one["partialFingerprints"]["tschema/v2"] for one in results)

    other = BROKEN.replace("P", "Q").replace("mutabel", "finall")
    project.schema(BROKEN + other)
    before = prints()
    assert len(set(before)) == 2
    project.schema("\n\n\n" + other + "# between\n" + BROKEN)
    assert prints() == before


def test_equal_findings_have_fingerprints_of_their_own(tmp_path, monkeypatch):
    """In an earlier version, equal messages about lines with equal text had one fingerprint."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("    x: ty.Any\n" * 3)
    bag = Bag()
    for span in (Span("a.py", 1), Span("a.py", 3), Span("b.py", 1)):
        bag.add("TS323", "field 'x' takes anything", span)
    results = json.loads(render.sarif(bag.items))["runs"][0]["results"]
    assert len({one["partialFingerprints"]["tschema/v2"] for one in results}) == 3


class Terminal(io.StringIO):
    """A replacement for standard error that looks like a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.spec("SC104.15")
@pytest.mark.parametrize(
    ("arguments", "variables", "coloured"),
    [
        ((), {}, True),
        ((), {"NO_COLOR": "1"}, False),
        ((), {"NO_COLOR": ""}, True),
        (("--color", "never"), {}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
    ],
)
def test_a_terminal_has_colours_unless_they_are_not_wanted(
    project, monkeypatch, arguments, variables, coloured
):
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    project.schema(BROKEN)
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    project.run("generate", *arguments)
    assert ("\x1b[31m" in stream.getvalue()) == coloured


@pytest.mark.spec("SC104.16")
def test_machine_formats_have_no_colours_on_a_terminal(project, monkeypatch):
    project.schema(BROKEN)
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(sys, "stdout", stream)
    for name in render.FORMATS:
        project.run("generate", "--format", name, "--color", "always")
    assert "\x1b" not in stream.getvalue()


@pytest.mark.spec("SC105.11")
def test_an_error_leaves_all_files_alone_and_hides_no_other(project):
    fine = '@declare\nclass QNode(Object):\n    """B."""\n    type_key = "t.Q"\n'
    project.schema(fine, "schema/fine.py")
    project.schema(BROKEN + BROKEN.replace("P", "R").replace("mutabel", "x: ty.Nope"))
    before = project.files()
    outputs = "cpp,ir,python,pyi,docs,json,tfs"
    assert project.run("generate", "--to", outputs) == 3
    assert len(project.ids()) == 2 and project.files() == before

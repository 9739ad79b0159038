# SPDX-License-Identifier: Apache-2.0
"""Warnings about a schema, and the comments that suppress them."""

from __future__ import annotations

import pytest

A = '@declare\nclass ANode(Object):\n    """One."""\n    type_key = "a.A"\n'
M = A + "    mutable = True\n"
B = M.replace("A", "B").replace("a.", "b.")


@pytest.mark.spec("SC35", "SC104.22")
@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("TS303", "__tschema__ = module(namespace='other')\n" + A),
        ("TS323", M),
        ("TS325", "C = extern('o.C', obj='o::C', ref='o::R', parent='a.A')\n" + A),
        ("TS330", "S = extern('o.S', obj='o::S', ref='o::R')\n" + A),
    ],
)
def test_a_warning_is_shown_until_a_comment_allows_it(project, rule, text):
    project.schema(text)
    for command in ("generate", "generate", "check"):
        assert project.run(command, "--no-cache") == 0
        assert project.ids() == [rule], project.err
    project.schema(f"# tschema: allow {rule} -- why\n" + text)
    assert project.run("generate") == 0
    assert project.ids() == [], project.err


@pytest.mark.spec("SC35", "SC104.22")
def test_what_the_classic_dialect_cannot_say_is_an_error(project):
    text = A + "    x: int = field(structural_eq='def-simple')\n"
    project.schema("__tschema__ = module(dialect='classic')\n" + text)
    assert project.run("generate") == 3
    assert project.ids() == ["TS326"], project.err
    project.schema(text)
    assert project.run("generate") == 0
    assert project.ids() == []


@pytest.mark.spec("SC104.23")
@pytest.mark.parametrize(
    ("text", "count"),
    [
        (M + B, 2),
        (M.replace("):", "):  # tschema: allow TS323 -- why") + B, 1),
        (M + "    # tschema: allow TS323 -- why\n" + B, 1),
        ("# tschema: allow TS323 -- why\n" + M + B, 1),
        ("# tschema: allow TS323 -- why\n\n" + M + B, 0),
        (M.replace("):", "):  # tschema: allow TS330, TS323 -- why") + B, 1),
        (M.replace("):", '):  # tschema: allow TS323 -- "a" # b') + B, 1),
        (M.replace("):", "):  # tschema: allow TS323") + B, 2),
        (M.replace("):", "):  # tschema: allow TS323 --") + B, 2),
        (M.replace("):", "):  # tschema: allow TS999 -- why") + B, 2),
        (M.replace("One.", "# tschema: allow TS323 -- a text") + B, 2),
    ],
)
def test_what_a_comment_covers(project, text, count):
    project.schema(text)
    assert project.run("generate") == 0
    assert project.ids() == ["TS323"] * count, project.err


def test_warnings_of_the_readers_are_suppressed_too(project):
    text = A + "    #: One.\n    x: int = field(doc='Two.')\n"
    project.schema(text)
    assert project.run("generate") == 0 and project.ids() == ["TS311"]
    project.schema(text.rstrip() + "  # tschema: allow TS311 -- both are right\n")
    assert project.run("generate") == 0 and project.ids() == [], project.err


def test_warnings_about_json_are_at_the_file(project):
    project.schema(M)
    assert project.run("export", "-q", "-o", "ir.json") == 0
    assert project.run("generate", "ir.json") == 0
    assert project.err.startswith("ir.json:1:1: warning[TS323]")

# SPDX-License-Identifier: Apache-2.0
"""Any content of a marked file: a run keeps the bytes of custom sections, or writes nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tvm_ffi_schema.back.writer import Anchor
from tvm_ffi_schema.diag import Bag
from tvm_ffi_schema.files import tokens
from tvm_ffi_schema.weave import markers
from tvm_ffi_schema.weave.weave import Policy, weave

PIECES = [
    Anchor("before"),
    "class A {",
    " public:",
    Anchor("head"),
    "  int x;  // words that count",
    Anchor("fields"),
    '  const char* s = "a" "b";',
    Anchor("tail"),
    "};",
    Anchor("after"),
]
LINE = st.sampled_from(
    [
        *("// tschema: A\n", "// tschema: B\n", "  // tschema: A.ref\n"),
        *("// tschema: @registration\n", "// tschema: custom-begin\n"),
        *("// tschema: custom-begin head\n", "// tschema: custom-begin after\n"),
        *("// tschema: custom-end\n", "// tschema: end\n", "// tschema: end sum=00000000\n"),
        *("// tschema: off\n", "// tschema: on\n", "// tchema: A\n", "class A {\n"),
        *("  int x;  // words that count\n", "  int mine;\r\n", 'R"(\n', ')"\n', "/*\n", "*/\n"),
        *('"unterminated\n', "<<<<<<< ours\n", "=======\n", "\x0c\x1c\u2028\x85\n"),
        *("// ünïcode \\\n", "\n", "no newline", "\r"),
    ]
)
TEXT = st.lists(LINE, max_size=24).map("".join)


def customs(text: str) -> list[str]:
    """Return the texts between custom markers; use a regular expression, not the tested scanner."""
    return re.findall(
        r"// tschema: custom-begin[^\n]*\n(.*?)// tschema: custom-end", text, re.DOTALL
    )


def woven(text: str, policy: Policy) -> tuple[str, Bag]:
    bag = Bag()
    parsed = markers.parse("a.h", text, bag)
    if bag.has_errors:
        return text, bag
    return weave(parsed, lambda block: PIECES, policy, bag).text, bag


@pytest.mark.spec("SC79", "SC84")
@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXT, st.booleans())
def test_conserved_and_idempotent(text, force):
    policy = Policy(force=force)
    new, bag = woven(text, policy)
    if bag.has_errors:
        refused = [d for d in bag.items if d.severity == "error"]
        assert all(d.id in ("TS108", "TS109", "TS110") for d in refused) or new == text
        return
    assert sorted(customs(new)) == sorted(customs(text))
    again, more = woven(new, policy)
    assert not more.has_errors
    assert again == new


@pytest.mark.spec("SC7")
@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=30), max_size=6), st.data())
def test_any_bytes_in_a_custom_section(lines, data):
    eol = data.draw(st.sampled_from(["\n", "\r\n"]))
    body = eol.join(line.replace("\r", "").replace("\n", "") for line in lines) + eol
    if "tschema" in body or any(word in body for word in ('"', "/*", "\\", "'")):
        return
    if any(mark * 7 in body for mark in "<=>|"):
        return  # the tool refuses text that looks like a merge conflict
    text = f"// tschema: A{eol}// tschema: custom-begin{eol}{body}// tschema: custom-end{eol}"
    text += f"// tschema: end{eol}"
    new, bag = woven(text, Policy())
    assert not bag.has_errors
    assert f"// tschema: custom-begin{eol}{body}// tschema: custom-end{eol}" in new


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab01 \t\n\\/*\"'<>#u8R()_:;.", max_size=60))
def test_the_scanner_loses_no_character(text):
    for language in ("cpp", "python"):
        assert "".join(found for _, found, _ in tokens.scan(text, language)) == text


WORDS = [
    *("a", "L", "R", "u8", " 1'000", " 'x'", " L'\"'", " '\\''", " u8'/'", " ", "\n"),
    *("\\", "\\\n"),
]
WORDS += ["/", "*", '"', "(", ")", "//", "/*", "*/", 'R"(', ' R"(', ')"', ' LR"x(', ')x"', "// x\n"]


@settings(max_examples=1500, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=14).map("".join))
def test_both_ways_to_find_comments_agree(text):
    fast = list(tokens.line_comments(text, "cpp"))
    slow = [(offset, found) for kind, found, offset in tokens.scan(text) if kind == "line"]
    assert fast == slow


def test_what_does_not_count_as_an_edit():
    same = [
        ("int  x ;", "int x;"),
        ('"a" "b"', '"ab"'),
        ('"a"\n   "b"', '"ab"'),
        ("A<B<int>>", "A<B<int> >"),
        ("/*! \\brief One two. */", "/*!\n * \\brief One\n * two.\n */"),
        ("// one two", "// one\n// two"),
        ("#include <b>\n#include <a>\nint x;", "#include <a>\n#include <b>\nint x;"),
        ("int \\\n x;", "int x;"),
    ]
    for one, other in same:
        assert tokens.stream(one) == tokens.stream(other), (one, other)
    different = [("int x;", "int y;"), ("// one", "// two"), ('"a"', '"b"'), ("a b", "ab")]
    different += [('L"a" "b"', '"ab"'), ("x", "x;")]
    for one, other in different:
        assert tokens.stream(one) != tokens.stream(other), (one, other)

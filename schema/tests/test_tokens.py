# SPDX-License-Identifier: Apache-2.0
"""Token streams: the fast paths give the same results as the general scanner."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tvm_ffi_schema.files import tokens

CORPUS = [p for p in sorted((Path(__file__).parent / "golden").rglob("*")) if p.is_file()]
ATOMS = (
    *('"', "'", 'R"', "(", ")", '"', 'R"x(', ')x"', "u8", "L", "b", "'''", '"""', "@", "$", "`"),
    *("/*", "*/", "/*!", "/**/", "/*/", "//", "///", "//!<", "/", "*", "#", "##", "!"),
    *("<!--", "-->", "tschema: end", "tschema:"),
    *("\n", "\r\n", "\r", "\\", "\\\n", "\\\r\n", "\t", "\x0b", "\x0c", "\x1c", "\x1f", " ", "  "),
    *("#include <b>", '#include "a"', "# include<c>", "tschema: X", "x", "foo", "_a9", "1", ".5"),
    *("1e+5", "1'000", "0x1p-3", ".", "..", "...", "::", ":", "->", "<<=", "<=>", ">>", "==", "&&"),
    *("{", "}", "[", "]", ";", ",", "%=", "^", "+", "++", "--", "|", "~", "?", "\x00", "\x7f"),
)
OTHERS = ("\x85", "\xa0", "\u2028", "\u00e9", "\u03bb", "\U0001f600")


def texts(count: int, atoms: tuple[str, ...] = ATOMS):
    """Yield `count` random texts that are made of `atoms`."""
    source = random.Random(20)
    for _ in range(count):
        yield "".join(source.choice(atoms) for _ in range(source.choice((3, 6, 12, 30))))


def scanned_comments(text: str, language: str) -> list[tuple[int, str]]:
    """Return the result of `line_comments`, computed with the general scanner."""
    found = tokens.scan(text, language)
    return [(offset, comment) for kind, comment, offset in found if kind == "line"]


@pytest.mark.parametrize("language", ["cpp", "python"])
@pytest.mark.parametrize("atoms", [ATOMS, (*ATOMS, *OTHERS)], ids=["ascii", "any"])
def test_comments_are_found_as_the_full_scan_finds_them(atoms, language):
    for text in texts(4000, atoms):
        found = list(tokens.line_comments(text, language))
        assert found == scanned_comments(text, language), text


@pytest.mark.parametrize("language", ["cpp", "python"])
def test_comments_of_generated_files_are_found_as_the_full_scan_finds_them(language):
    for path in CORPUS:
        text = path.read_text()
        found = list(tokens.line_comments(text, language))
        assert found == scanned_comments(text, language), path


def test_plain_tokens_of_ascii_text_are_those_of_any_text():
    for text in texts(4000):
        assert tokens._CPP_PLAIN_ASCII.findall(text) == tokens._CPP_PLAIN.findall(text), text
        assert tokens._PYTHON_PLAIN_ASCII.findall(text) == tokens._PYTHON_PLAIN.findall(text), text


@pytest.mark.parametrize("language", ["cpp", "python", "cmake", "markdown"])
def test_a_character_beyond_ascii_changes_no_other_token(language):
    for path in CORPUS[:200]:
        text = path.read_text()
        plain = tokens.stream(text, language)
        assert tokens.stream(text + "\n\u03bb", language) == [*plain, "\u03bb"], path


def test_words_of_a_comment_of_one_line_are_those_of_a_longer_one():
    for text in texts(4000, ("/", "*", "!", "<", "#", "*/", " ", "\t", "\r", "word", "@x")):
        for opening in ("/*", "//", "#"):
            comment = opening + text
            assert tokens._words(comment) == tokens._LEADERS.sub(" ", comment).split(), comment


def test_code_is_what_the_full_scan_finds_besides_comments_and_space():
    atoms = tuple(atom for atom in (*ATOMS, *OTHERS) if "#" not in atom)
    left_out = ("space", "line", "block")
    for text in texts(4000, atoms):
        expected = [
            (word, offset) for kind, word, offset in tokens.scan(text) if kind not in left_out
        ]
        assert list(tokens.code(text, 0, len(text))) == expected, text
        words, offsets = tokens.code_lists(text, 0, len(text))
        assert [*zip(words, offsets)] == expected, text


def test_lists_of_code_are_what_is_yielded():
    for text in texts(2000, (*ATOMS, *OTHERS)):
        half = len(text) // 2
        words, offsets = tokens.code_lists(text, 1, half)
        assert [*zip(words, offsets)] == [*tokens.code(text, 1, half)], text


def test_words_are_found_where_the_full_scan_finds_them():
    atoms = tuple(atom for atom in ATOMS if not any(char in "0159#" for char in atom))
    pattern = tokens.hiding_or(["x", "foo"])
    for text in texts(4000, (*atoms, "x", "foo", "x ", " foo")):
        found = [(match.group(), match.start()) for match in pattern.finditer(text)]
        words = [
            (word, at)
            for word, at in found
            if word in ("x", "foo") and not tokens.is_word_char(text[at - 1 : at])
        ]
        expected = [(word, at) for kind, word, at in tokens.scan(text) if kind == "word"]
        assert words == [pair for pair in expected if pair[0] in ("x", "foo")], text

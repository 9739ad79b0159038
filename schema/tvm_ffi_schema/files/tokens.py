# SPDX-License-Identifier: Apache-2.0
"""Split C++, Python and other text into tokens, to find markers and to recognise hand edits.

Two texts count as equal if their token streams are equal. White space, line continuations and the
marks of comments are ignored, but the words of comments are compared. Adjacent string literals are
one token, and ``>>`` is two tokens. The order of adjacent include lines is ignored.

tree-sitter cannot replace this module, for three reasons. Checksums in existing files depend on
these token streams. Markers also occur in Python, CMake and Markdown files. And `generate` must not
import other packages.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator

_LINE = r"//(?:[^\n\\]|\\\r?\n|\\.|\\\Z)*"
_BLOCK = r"/\*(?s:.*?)(?:\*/|\Z)"
_RAW = r'(?:u8|[uUL])?R"(?P<tag>[^\s()\\]{0,16})\((?s:.*?)(?:\)(?P=tag)"|\Z)'
_STRING = r'(?:u8|[uUL])?"(?:[^"\\\n]|\\\r?\n|\\.)*(?:"|(?=\n)|\Z)'
_CHAR = r"(?:u8|[uUL]|(?<!\w))'(?:[^'\\\n]|\\.)*(?:'|(?=\n)|\Z)"
_NUMBER = r"\.?[0-9](?:[eEpP][+-]|'(?=[0-9a-fA-F])|[0-9A-Za-z_.])*"
_WORD = r"[^\W\d]\w*"
_INCLUDE = r'\#[ \t]*include[ \t]*(?:<[^>\n]*>|"[^"\n]*")'
_PUNCT = r"::|->|\+\+|--|<<=|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\."
# Patterns that few commands need are stored as text, and compiled when they are used.
_CPP = (
    rf"(?P<space>(?:\s|\\\r?\n)+)|(?P<line>{_LINE})|(?P<block>{_BLOCK})|(?P<raw>{_RAW})"
    rf"|(?P<string>{_STRING})|(?P<char>{_CHAR})|(?P<number>{_NUMBER})|(?P<word>{_WORD})"
    rf"|(?P<include>{_INCLUDE})|(?P<punct>{_PUNCT}|(?s:.))"
)
# Match the tokens of a text without comments, literals and includes. The second pattern is for
# ASCII text and twice as fast: sets of ASCII characters are bitmaps, the most frequent tokens come
# first, and a match includes the space after a token, so that no alternative has to match space.
_CPP_PLAIN = re.compile(rf"{_WORD}|{_NUMBER}|{_PUNCT}|\\(?!\r?\n)|[^\s\\]")
_CPP_PLAIN_ASCII = re.compile(
    rf"([A-Za-z_][A-Za-z0-9_]*|[(){{}}\[\];,~?]|::|{_NUMBER}|{_PUNCT}|\\(?!\r?\n)"
    r"|[^\t-\r\x1c- \\])[ \t\r\n]*",
    re.ASCII,
)
# Matches comments, and literals that may contain the start of a comment. Every alternative begins
# with a literal character, so that `re` skips other text quickly; a group around a whole
# alternative would prevent this optimisation. An R begins a raw string unless the R ends a longer
# word. A quote after a digit or a letter separates digits unless the letters are the prefix of a
# literal.
_HIDING = (
    r'R"(?:(?<!\wR")|(?<=\b[uUL]R")|(?<=\bu8R"))'
    r'(?P<tag>[^\s()\\]{0,16})\((?s:.*?)(?:\)(?P=tag)"|\Z)'
    r'|"(?:[^"\\\n]|\\\r?\n|\\.)*(?:"|(?=\n)|\Z)'
    r"|'(?:(?<!\w')|(?<=\b[uUL]')|(?<=\bu8'))(?:[^'\\\n]|\\.)*(?:'|(?=\n)|\Z)"
    rf"|{_BLOCK}|{_LINE}"
)
_DIRECTIVE = r"\#(?:[^\n\\]|\\\r?\n|\\.|\\\Z)*"
_CPP_HIDING = re.compile(_HIDING)
_CPP_SPECIAL = re.compile(rf"{_HIDING}|{_INCLUDE}")
_PREFIX_ENDS = ("8", "u", "U", "L")
_PREFIX = re.compile(r"(?<!\w)(?:u8|[uUL])\Z")
# Matches the tokens of code. The pattern also matches comments and whole preprocessor lines, so
# that they can be skipped. A match includes the space after a token, which halves the time.
_CPP_CODE = (
    rf"([A-Za-z_][A-Za-z0-9_]*(?![\"'\w])|[(){{}}\[\];,]|::|{_WORD}\b(?![\"'])|{_PUNCT}|[(){{}}\[\];,<>=&*]|{_LINE}|{_BLOCK}|{_RAW}|{_STRING}|{_CHAR}"
    rf"|{_NUMBER}|{_WORD}|\#(?:[^\n\\]|\\\r?\n|\\.|\\\Z)*|\\(?!\r?\n)|[^\s\\])"
    r"[ \t\r\n]*"
)
_PYTHON = r"""(?xs)
    (?P<space>(?:\s|\\\n)+)
  | (?P<line>\#[^\n]*)
  | (?P<raw>[rRbBuUfF]{0,2}(?:'''(?:[^\\]|\\.)*?(?:'''|\Z)|\"\"\"(?:[^\\]|\\.)*?(?:\"\"\"|\Z)))
  | (?P<string>[rRbBuUfF]{0,2}(?:'(?:[^'\\\n]|\\.)*(?:'|(?=\n)|\Z)
      |"(?:[^"\\\n]|\\.)*(?:"|(?=\n)|\Z)))
  | (?P<number>\.?[0-9][0-9A-Za-z_.]*)
  | (?P<word>[^\W\d]\w*)
  | (?P<punct>.)
"""
# Tokens of Rust. An apostrophe begins a character literal or the name of a lifetime.
_RUST = r"""(?xs)
    (?P<space>\s+)
  | (?P<line>//[^\n]*)
  | (?P<block>/\*.*?(?:\*/|\Z))
  | (?P<raw>(?<!\w)[bc]?r(?P<tag>\#*)"(?:.*?)(?:"(?P=tag)|\Z))
  | (?P<string>"(?:[^"\\]|\\.)*(?:"|\Z))
  | (?P<char>'(?:[^'\\\n]|\\u\{[^}\n]*\}|\\x[0-9a-fA-F]{2}|\\.)')
  | (?P<number>[0-9]\w*)
  | (?P<word>[^\W\d]\w*)
  | (?P<punct>.)
"""
_PYTHON_SPECIAL = re.compile(
    r"\#[^\n]*|'''(?:[^\\]|\\.)*?(?:'''|\Z)|\"\"\"(?:[^\\]|\\.)*?(?:\"\"\"|\Z)"
    r"|'(?:[^'\\\n]|\\.)*(?:'|(?=\n)|\Z)|\"(?:[^\"\\\n]|\\.)*(?:\"|(?=\n)|\Z)",
    re.DOTALL,
)
_PYTHON_PREFIX_ENDS = tuple("rRbBuUfF")
_PYTHON_PREFIX = re.compile(r"(?<!\w)[rRbBuUfF]{1,2}\Z")
_PYTHON_PLAIN = re.compile(r"\.?[0-9][0-9A-Za-z_.]*|[^\W\d]\w*|\S")
_PYTHON_PLAIN_ASCII = re.compile(
    r"([A-Za-z_][A-Za-z0-9_]*|\.?[0-9][0-9A-Za-z_.]*|[^\t-\r\x1c- ])[ \t\r\n]*", re.ASCII
)
_LEADERS = re.compile(r"^\s*(?:/\*[*!]?|//[/!]?<?|\*+(?!/)|\#+)|\*+/\s*$")


def scan(text: str, language: str = "cpp") -> Iterator[tuple[str, str, int]]:
    """Yield (kind, text, offset) for all tokens of a text, including white space."""
    pattern = re.compile({"python": _PYTHON, "rust": _RUST}.get(language, _CPP))
    for match in pattern.finditer(text):
        kind = match.lastgroup or "punct"
        if kind == "tag":
            kind = "raw"
        yield kind, match.group(), match.start()


def code(text: str, first: int, last: int) -> Iterator[tuple[str, int]]:
    """Yield (token, offset) of C++ code, without space, comments and preprocessor lines."""
    for match in re.compile(_CPP_CODE).finditer(text, first, last):
        word = match[1]
        if word[0] in "#/" and (word[0] == "#" or word[1:2] in ("/", "*")):
            continue
        yield word, match.start()


def code_lists(text: str, first: int, last: int) -> tuple[list[str], list[int]]:
    """Return what `code` yields as two lists, tokens and offsets; faster than calling `code`."""
    words: list[str] = []
    offsets: list[int] = []
    add, note = words.append, offsets.append
    for match in re.compile(_CPP_CODE).finditer(text, first, last):
        word = match[1]
        if word[0] not in "#/" or (word[0] == "/" and word[1:2] not in ("/", "*")):
            add(word)
            note(match.start())
    return words, offsets


def hiding_or(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for comments, literals, and each text in `words` at the end of a word."""
    return re.compile("|".join([_HIDING, *(re.escape(word) + r"\b" for word in words)]))


def outside(pattern: str) -> re.Pattern[str]:
    """Return a pattern for comments, literals, directives, and `pattern` outside of these.

    Each alternative of `pattern` must begin with a literal character. So callers can tell from the
    first character of a match which alternative matched.
    """
    return re.compile(f"{_HIDING}|{pattern}|{_DIRECTIVE}")


def is_word_char(char: str) -> bool:
    """Return whether a character continues a word; False for the empty text."""
    return char.isalnum() or char == "_"


def line_comments(text: str, language: str, blocks: bool = False) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of the comments that may be markers; with `blocks`, of `/* */` too."""
    if language == "markdown":
        for match in re.finditer(r"<!--.*?-->", text):
            yield match.start(), match.group()
    elif language == "cpp":
        for match in _CPP_HIDING.finditer(text):
            found = match.group()
            if found.startswith("//") or (blocks and found.startswith("/*")):
                yield match.start(), found
    elif language == "rust":
        for kind, found, at in scan(text, language):
            if kind == "line":
                yield at, found
    elif language == "cmake":
        for match in re.finditer(r"#[^\n]*", text):
            yield match.start(), match.group()
    else:
        for match in _PYTHON_SPECIAL.finditer(text):
            found = match.group()
            if found[0] == "#":
                yield match.start(), found


def stream(text: str, language: str = "cpp") -> list[str]:
    """Return the token stream of a text, for comparing texts."""
    if language == "cpp":
        return _cpp_stream(text)
    if language == "python" and "\\\n" not in text and "\\\r" not in text:
        return _python_stream(text)
    out: list[str] = []
    includes: list[str] = []
    comments = ("#",) if language == "python" else ("//", "/*")
    for kind, found, _ in scan(text, language):
        if kind == "space":
            continue
        if kind == "include":
            includes.append("".join(found.split()))
            continue
        out += sorted(includes)
        includes = []
        if found.startswith(comments):
            out += _words(found)
        else:
            out.append(_spliced(found) if found[0] == '"' else found)
    return out + sorted(includes)


def _python_stream(text: str) -> list[str]:
    out: list[str] = []
    at = 0
    plain_of = (_PYTHON_PLAIN_ASCII if text.isascii() else _PYTHON_PLAIN).findall
    for match in _PYTHON_SPECIAL.finditer(text):
        found, start = match.group(), match.start()
        if found[0] != "#" and text[start - 1 : start] in _PYTHON_PREFIX_ENDS:
            prefix = _PYTHON_PREFIX.search(text, max(start - 2, at), start)
            if prefix:
                found, start = prefix.group() + found, prefix.start()
        out += plain_of(text, at, start)
        at = match.end()
        out += _words(found) if found[0] == "#" else [found]
    return out + plain_of(text, at)


def _cpp_stream(text: str) -> list[str]:
    out: list[str] = []
    includes: list[str] = []
    joins = False
    at = 0
    plain_of = (_CPP_PLAIN_ASCII if text.isascii() else _CPP_PLAIN).findall
    for match in _CPP_SPECIAL.finditer(text):
        found, start = match.group(), match.start()
        if found[0] in "R\"'" and text[start - 1 : start] in _PREFIX_ENDS:
            prefix = _PREFIX.search(text, max(start - 2, at), start)
            if prefix:
                found, start = prefix.group() + found, prefix.start()
        if start > at:
            plain = plain_of(text, at, start)
            if plain:
                out += sorted(includes) + plain if includes else plain
                includes, joins = [], False
        at = match.end()
        first = found[0]
        if first == "#":
            includes.append("".join(found.split()))
            joins = False
            continue
        if includes:
            out += sorted(includes)
            includes = []
        if first == "/":
            out += _words(found)
            joins = False
        elif first == '"':
            if joins:
                out[-1] = out[-1][:-1] + _spliced(found)[1:]
            else:
                out.append(_spliced(found))
            joins = True
        else:
            out.append(found)
            joins = False
    plain = plain_of(text, at)
    if plain or includes:
        out += sorted(includes) + plain
    return out


def _spliced(literal: str) -> str:
    """Return a literal without line continuations."""
    return re.sub(r"\\\r?\n", "", literal) if "\n" in literal else literal


def _words(comment: str) -> list[str]:
    if "\n" not in comment:
        return _words_of_line(comment)
    words: list[str] = []
    for line in comment.splitlines():
        words += _LEADERS.sub(" ", line).split()
    return words


def _words_of_line(comment: str) -> list[str]:
    """Return the words of a one-line comment, without the marks of comments."""
    if comment.startswith("/*"):
        body = comment[3 if comment[2:3] in ("*", "!") else 2 :]
    elif comment.startswith("//"):
        body = comment[3 if comment[2:3] in ("/", "!") else 2 :]
        body = body[1:] if body.startswith("<") else body
    else:
        body = comment.lstrip("#")
    end = body.rstrip()
    return (end[:-1].rstrip("*") if end.endswith("*/") else end).split()


def digest(tokens: list[str]) -> str:
    """Return the checksum of a token stream: eight hexadecimal digits."""
    data = "\x00".join(tokens).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=4).hexdigest()


#: The suffixes of files, besides Python files, in which a hash sign begins a comment.
_HASHED = frozenset(("cmake", "jl", "pl", "r", "rb", "sh", "tcl", "toml", "yaml", "yml"))


def language_of(path: str) -> str:
    """Return the language of a file, by its name."""
    suffix = path.rpartition(".")[2].lower()
    if suffix in ("py", "pyi"):
        return "python"
    if suffix in ("md", "html", "htm", "rst"):
        return "markdown"
    if suffix in _HASHED or path.endswith("CMakeLists.txt"):
        return "cmake"
    return "rust" if suffix == "rs" else "cpp"


def defined_names(text: str) -> frozenset[str]:
    """Return the words that precede an opening parenthesis: possible names of defined functions."""
    names = set()
    last = ""
    for kind, found, _ in scan(text):
        if found == "(" and last:
            names.add(last)
        if kind not in ("space", "line", "block"):
            last = found if kind == "word" else ""
    return frozenset(names)

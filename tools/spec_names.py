# SPDX-License-Identifier: Apache-2.0
"""Compare the names that an interface description lists with the names that the tests use.

    python tools/spec_names.py SPEC            # list unused names, and exit 1 if there are any
    python tools/spec_names.py SPEC --write    # also rewrite tests/golden/cpp_names.json

SPEC is a folder of Markdown files that is not part of this repository. A name is an identifier in
code: between backticks or in a fenced block. Each C++ name of ``SPEC/cpp-api`` must be used in a
program below ``tests/cpp/names``, and each Python name of ``SPEC/python-*.md`` must occur in
``tests/golden/python_names.json``. ``tests/golden/not_names.json`` lists the identifiers in SPEC
that are not names of the interface: parameters, words of messages, names of other libraries.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden"
USES = ROOT / "tests" / "cpp" / "names"
CPP_NAMES = GOLDEN / "cpp_names.json"
PYTHON_NAMES = GOLDEN / "python_names.json"
NOT_NAMES = GOLDEN / "not_names.json"

IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
#: Matches a code span: some backticks, the shortest possible text, the same number of backticks.
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
#: Matches alternatives such as ``CHECK_{LT,GT}(x)``; each alternative is a name.
CHOICE = re.compile(r"(\w+_)\{(\w+(?:,\s*\w+)+)\}(\w*)|(?<!\w)()\{(\w+(?:,\s*\w+)+)\}(\w+)")
#: Matches words that are names even outside of code, for example in the cells of tables.
ALWAYS_NAME = re.compile(r"\b(?:k[A-Z]\w+|TVM_?FFI_?[A-Z]\w+)\b")
COMMENT = re.compile(r"//.*")
#: The files of ``SPEC/cpp-api`` that describe the interface; other files list tests and symbols.
CPP_FILES = "0[1-9]-*.md"
PYTHON_FILES = "python-*.md"


def code_pieces(text: str) -> list[str]:
    """Return the lines of fenced blocks, the texts of code spans, and matches of `ALWAYS_NAME`."""
    pieces, prose, fenced = [], [], False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            pieces.append(COMMENT.sub("", line))
        else:
            prose.append(line)
    for paragraph in re.split(r"\n\s*\n", "\n".join(prose)):
        pieces += [match.group(2) for match in CODE_SPAN.finditer(paragraph)]
        pieces += ALWAYS_NAME.findall(CODE_SPAN.sub(" ", paragraph))
    return pieces


def identifiers(piece: str) -> set[str]:
    """Return the identifiers of one piece of code, including those from `CHOICE`."""
    found = set()
    for groups in CHOICE.findall(piece):
        before, choices, after = (first or second for first, second in zip(groups[:3], groups[3:]))
        found |= {before + choice + after for choice in re.split(r",\s*", choices)}
    return found | set(IDENTIFIER.findall(CHOICE.sub(" ", piece)))


def described(folder: Path, pattern: str) -> dict[str, str]:
    """Return each identifier in the files, with the first file that contains it."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob(pattern)):
        for piece in code_pieces(path.read_text(encoding="utf-8")):
            for name in identifiers(piece):
                found.setdefault(name, path.name)
    return found


def header_of(use: Path) -> str:
    """Return the header that a program below tests/cpp/names tests."""
    return f"tvm/ffi/{use.relative_to(USES).with_suffix('.h').as_posix()}"


def uses() -> dict[str, set[str]]:
    """Return header -> the identifiers in the program that tests the header."""
    return {
        header_of(path): set(IDENTIFIER.findall(COMMENT.sub("", path.read_text(encoding="utf-8"))))
        for path in sorted(USES.rglob("*.cc"))
    }


def python_words() -> set[str]:
    """Return the components of all dotted Python names, and the names of all parameters."""
    words: set[str] = set()
    for name, parameters in json.loads(PYTHON_NAMES.read_text(encoding="utf-8")).items():
        words |= set(name.split(".")) | set(parameters or [])
    return words


def write_cpp_names(names: set[str], used: dict[str, set[str]]) -> None:
    """Write cpp_names.json: for each header, the C++ names that the program of the header uses."""
    data = {header: sorted(names & words) for header, words in used.items()}
    CPP_NAMES.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("spec", type=Path, help="folder of the interface description")
    parser.add_argument("--write", action="store_true", help="rewrite tests/golden/cpp_names.json")
    options = parser.parse_args(arguments)
    if not (options.spec / "cpp-api").is_dir():
        parser.error(f"{options.spec} has no folder cpp-api")
    aside = {
        key: set(" ".join(lines).split())
        for key, lines in json.loads(NOT_NAMES.read_text()).items()
    }
    cpp = described(options.spec / "cpp-api", CPP_FILES)
    used = uses()
    missing = {name: cpp[name] for name in cpp.keys() - set().union(*used.values()) - aside["cpp"]}
    python = described(options.spec, PYTHON_FILES)
    unlisted = python.keys() - python_words() - aside["python"]
    missing.update({name: python[name] for name in unlisted})
    for name in sorted(missing):
        print(f"{missing[name]}: {name} is neither used nor set aside")
    if options.write:
        write_cpp_names(cpp.keys() - aside["cpp"], used)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""What the command line takes: the commands, and the arguments of each."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

_FORMATS = ("text", "json", "sarif", "github", "junit")
#: The commands that also write release notes.
_NOTES = ("breaking", "diff-schema")


def _paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="SCHEMA", help="schema files, directories, modules"
    )


def _allow_outside(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-outside", action="store_true", help="write to configured roots outside the project"
    )


def _planned(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    parser.add_argument("--only", metavar="GLOB", help="only the classes with such type keys")
    outputs = "cpp, cpp-view, ir, python, pyi, docs, json, dot, mermaid, tfs, tests, or a plug-in's"
    parser.add_argument("--to", metavar="OUTPUTS", help=outputs)
    parser.add_argument(
        "--functions",
        metavar="PREFIX=LIB",
        action="append",
        help="stubs too for the global functions of a built library (for python and pyi)",
    )
    parser.add_argument("--dialect", choices=("modern", "classic"))
    parser.add_argument("--inplace", metavar="FILE", action="append", help="a file with markers")
    parser.add_argument("--insert", action="store_true", help="add blocks for classes without one")
    parser.add_argument("--prune", action="store_true", help="remove blocks of unknown classes")
    parser.add_argument("--force", action="store_true", help="replace edits, keeping a copy")
    _allow_outside(parser)
    parser.add_argument("--normalize", action="store_true", help="write our own layout")
    parser.add_argument(
        "--indent-custom", action="store_true", help="indent custom sections like the code around"
    )
    parser.add_argument("--depfile", metavar="FILE", help="write there, for make, what was read")
    parser.add_argument("--depfile-target", metavar="NAME", help="what depends on that")


def _generate(parser: argparse.ArgumentParser) -> None:
    _planned(parser)
    parser.add_argument("--dry-run", action="store_true", help="show the plan, write nothing")
    parser.add_argument("--keep-going", action="store_true", help="write the files that are fine")


def _diff(parser: argparse.ArgumentParser) -> None:
    _planned(parser)
    parser.add_argument("--exit-code", action="store_true", help="exit with 1 when there is one")


def _export(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    parser.add_argument("-o", dest="output", metavar="FILE", help="write there")
    parser.add_argument("--json-schema", action="store_true", help="the form itself, no schema")


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", help="an id such as TS108")


def _outputs(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    parser.add_argument("--list", choices=("lines", "cmake"), default="lines")
    parser.add_argument("--to", metavar="OUTPUTS", help="cpp, ir, python, pyi, docs, json")
    parser.add_argument("--dialect", choices=("modern", "classic"))


def _validate(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    parser.add_argument("--cpp", metavar="PATH", action="append", help="C++ files or directories")
    parser.add_argument("--python", metavar="PATH", action="append", help="Python with bindings")
    parser.add_argument("--lib", metavar="LIB", action="append", help="a built library")
    parser.add_argument(
        "--engine",
        choices=("auto", "scan", "tree-sitter"),
        default="auto",
        help="what reads C++; auto takes tree-sitter if it is installed",
    )
    parser.add_argument("--fix", action="store_true", help="make the changes that are safe")
    parser.add_argument("--fix-dry-run", action="store_true", help="show them as a diff")
    parser.add_argument(
        "--strict", action="store_true", help="classes outside the schema are errors"
    )


def _lint(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    parser.add_argument("--fix", action="store_true", help="make the edits that need no thought")


def _breaking(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    text = "a directory, an IR file, a library or git:REF"
    parser.add_argument("--against", metavar="REF", help=text)
    parser.add_argument("--use", metavar="CATEGORIES", help="ABI, API, JSON, SEMANTIC, ALL")


def _diff_schema(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old")
    parser.add_argument("new")


def _build(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    parser.add_argument(
        "-o",
        dest="output",
        metavar="OUT",
        required=True,
        help="x.so, x.o, x.a, x.tfs: an image, x.whl; with --wheel a directory",
    )
    parser.add_argument("--wheel", action="store_true", help="make a Python package, named as such")
    parser.add_argument(
        "--sources", metavar="FILE", action="extend", nargs="+", help="C++ with method bodies"
    )
    parser.add_argument(
        "--toolchain",
        choices=("auto", "system", "none"),
        default="auto",
        help="what compiles; none is for images alone",
    )
    parser.add_argument("--keep-sources", metavar="DIR", help="leave the generated C++ there")
    speed = parser.add_mutually_exclusive_group()
    speed.add_argument("--release", action="store_true", help="optimised; this is the default")
    speed.add_argument("--debug", action="store_true", help="for a debugger")
    parser.add_argument("--dialect", choices=("modern", "classic"))


def _dump(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="+", metavar="FILE", help="a library, an image, a wheel, an IR file"
    )
    parser.add_argument(
        "--as",
        dest="form",
        choices=("json", "schema", "layout"),
        default="json",
        help="canonical JSON, a schema file, or where the fields lie",
    )


def _resolve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="all files, if none is named")
    parser.add_argument("--schema", action="append", metavar="SCHEMA")
    parser.add_argument("--adopt-edits", action="store_true", help="make edits custom sections")
    _allow_outside(parser)
    parser.add_argument(
        "--merge-driver",
        nargs=4,
        metavar=("BASE", "OURS", "THEIRS", "FILE"),
        help="merge three versions as git asks it, into OURS; see init --merge-driver",
    )


def _promote(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a Python file, or a module; a class as M:C")
    parser.add_argument("--cpp", metavar="DIR", required=True, help="where the C++ goes")


def _import(parser: argparse.ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group(required=True)
    group.add_argument("--lib", metavar="LIB", action="append", help="a library or an image")
    group.add_argument("--module", metavar="M", action="append", help="a module of Python")
    parser.add_argument("-o", dest="output", metavar="FILE", help="x.py, or x.tschema.json")


def _docs(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    parser.add_argument("--check", action="store_true", help="fail when they are stale")
    parser.add_argument(
        "--serve", metavar="PORT", nargs="?", type=int, const=8000, help="show them on this machine"
    )
    parser.set_defaults(only="", to="docs", dialect=None, inplace=None, dry_run=False)
    parser.set_defaults(insert=False, prune=False, force=False, normalize=False, keep_going=False)
    parser.set_defaults(depfile=None, depfile_target=None)


def _positive(text: str) -> int:
    count = int(text)
    if count < 1:
        raise ValueError(text)
    return count


_positive.__name__ = "positive number"


def _init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", nargs="?", default=".")
    parser.add_argument(
        "--merge-driver", action="store_true", help="let git merge files with generated text"
    )


def _none(parser: argparse.ArgumentParser) -> None:
    pass


#: Command -> (help, arguments, module of `commands`, function).
COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None], str, str]] = {
    "init": ("start a project", _init, "project", "init"),
    "generate": ("write the outputs", _generate, "generate", "generate"),
    "check": ("tell whether the outputs are current", _planned, "generate", "check"),
    "diff": ("show what generate would change", _diff, "generate", "diff"),
    "validate": ("compare hand-written C++ with the schema", _validate, "validate", "validate"),
    "lint": ("judge the schema itself", _lint, "lint", "lint"),
    "breaking": ("compare with an older version, by rules", _breaking, "evolution", "breaking"),
    "diff-schema": ("list the changes between two versions", _diff_schema, "evolution", "changes"),
    "build": ("make a library or an image from the schema", _build, "build", "build"),
    "promote": ("write C++ for classes defined in Python", _promote, "promote", "promote"),
    "import": ("make a schema of registered types", _import, "importing", "run"),
    "export": ("write the intermediate form", _export, "exchange", "export"),
    "dump": ("show the schema that a built file embeds", _dump, "dump", "dump"),
    "stats": ("show numbers about the classes", _paths, "exchange", "stats"),
    "outputs": ("list the files that generate writes", _outputs, "exchange", "outputs"),
    "docs": ("write the documents alone", _docs, "docs", "docs"),
    "resolve": ("merge conflicts and edits in generated text", _resolve, "resolve", "resolve"),
    "explain": ("explain a rule", _explain, "exchange", "explain"),
    "version": ("show the version", _none, "exchange", "version"),
}


def parser(command: str = "") -> argparse.ArgumentParser:
    """Return the parser of the command line; for one that names its command, of that alone."""
    top = argparse.ArgumentParser(
        prog="tvm-ffi-schema",
        description="Write an object once in Python; get C++, bindings, documents and checks.",
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in [command] if command in COMMANDS else COMMANDS:
        text, add, _, _ = COMMANDS[name]
        one = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        add(one)
        one.add_argument("--config", metavar="FILE", help="configuration file")
        one.add_argument("-C", dest="chdir", metavar="DIR", help="run in that directory")
        one.add_argument("--frontend", choices=("static", "import"))
        formats = (*_FORMATS, "markdown") if name in _NOTES else _FORMATS
        one.add_argument("--format", choices=formats, default="text")
        one.add_argument("--color", choices=("auto", "always", "never"), default="auto")
        one.add_argument("--no-cache", action="store_true", help="read everything anew")
        one.add_argument("-q", "--quiet", action="store_true", help="say no more than errors")
        one.add_argument("-v", "--verbose", action="store_true", help="tell what is read")
        one.add_argument(
            "--jobs", metavar="N", type=_positive, help="how many compilers run at a time"
        )
    return top


def parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments of a run; those of the process without any given."""
    given = sys.argv[1:] if argv is None else [*argv]
    top = parser(given[0] if given else "")
    args = top.parse_args(given)
    for name, value in vars(args).items():
        # What argparse makes of  --option=--  before Python 3.13.
        found = value if isinstance(value, list) else []
        if [] in found or (value == [] and name not in ("paths", "files")):
            top.error(f"argument --{name.replace('_', '-')}: expected one argument")
    return args

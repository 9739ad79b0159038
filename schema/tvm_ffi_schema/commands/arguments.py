# SPDX-License-Identifier: Apache-2.0
"""The command line: commands, their arguments, and hints for removed commands."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from .. import _version
from ..diag import near

_FORMATS = ("text", "json", "sarif", "github")
#: The help text `key:NAME` is replaced by the description of the configuration key NAME.
_KEY = "key:"
#: Options with a value that are allowed before the name of the command.
_WITH_VALUE = ("-C", "--config", "--format", "--color")


class _Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest choice for a misspelled command or value."""

    def error(self, message: str) -> NoReturn:
        # Python 3.15 has a suggestion of its own, without the words that `near` knows.
        message = re.sub(r", maybe you meant '[^']*'\?", "", message)
        found = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
        if found:
            hint = near(found[1], re.findall(r"[\w-]+", found[2]))
            message += f"; {hint}" if hint else ""
        super().error(message)


class _Help(argparse.HelpFormatter):
    """A formatter that imports the table of configuration keys only when it prints help."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        text = action.help or ""
        if not text.startswith(_KEY):
            return action.help
        from ..config import OUTPUTS, table

        key = table.TABLE[text[len(_KEY) :]]
        text = f"{key.doc[0].lower()}{key.doc[1:].rstrip('.')}"
        words = OUTPUTS if key.name == "outputs" else key.kind.choices
        if words and not action.choices:
            text += f": {', '.join(words)}"
        return f"{text}; instead of `{key.name}` in the configuration"


def _configured(parser: argparse.ArgumentParser, option: str, key: str, **options: Any) -> None:
    """Add an option with the meaning and the help of a configuration key."""
    parser.add_argument(option, help=_KEY + key, **options)


def _dialect(parser: argparse.ArgumentParser) -> None:
    _configured(parser, "--dialect", "dialect", choices=("modern", "classic"))


def _paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="SCHEMA", help="schema files, directories, modules"
    )
    _frontend(parser)


def _frontend(parser: argparse.ArgumentParser) -> None:
    _configured(parser, "--frontend", "frontend", choices=("static", "import"))


def _no_cache(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-cache", action="store_true", help="read everything again")


def _remembered(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    _no_cache(parser)


def _allow_outside(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-outside", action="store_true", help="write to configured roots outside the project"
    )


def _to(parser: argparse.ArgumentParser) -> None:
    _configured(parser, "--to", "outputs", metavar="OUTPUTS")


def _planned(parser: argparse.ArgumentParser) -> None:
    _remembered(parser)
    parser.add_argument("--only", metavar="GLOB", help="only the blocks of such type keys")
    _to(parser)
    _dialect(parser)
    text = "a further file with markers"
    parser.add_argument("--inplace", metavar="FILE", action="append", help=text)
    _allow_outside(parser)


def _depfile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--depfile", metavar="FILE", help="write there, for make, what was read")
    parser.add_argument("--depfile-target", metavar="NAME", help="what depends on that")


def _check(parser: argparse.ArgumentParser) -> None:
    _planned(parser)
    _depfile(parser)


def _generate(parser: argparse.ArgumentParser) -> None:
    _planned(parser)
    parser.add_argument("--insert", action="store_true", help="add blocks for classes without one")
    parser.add_argument("--prune", action="store_true", help="remove blocks of unknown classes")
    parser.add_argument("--force", action="store_true", help="replace edits, keeping a copy")
    parser.add_argument("--normalize", action="store_true", help="write our own layout")
    _depfile(parser)
    parser.add_argument("--dry-run", action="store_true", help="show the plan, write nothing")
    parser.add_argument("--keep-going", action="store_true", help="write the files that are fine")


def _export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="SCHEMA",
        help="schema files, directories, modules; a library, an image, an IR file",
    )
    _frontend(parser)
    parser.add_argument(
        "--as",
        dest="form",
        choices=("json", "schema", "layout"),
        default="json",
        help="canonical JSON, schema source, or where the fields lie",
    )
    parser.add_argument("-o", dest="output", metavar="FILE", help="write there")


def _outputs(parser: argparse.ArgumentParser) -> None:
    _remembered(parser)
    parser.add_argument("--list", choices=("lines", "cmake"), default="lines")
    _to(parser)
    _dialect(parser)


def _validate(parser: argparse.ArgumentParser) -> None:
    _remembered(parser)
    parser.add_argument("--cpp", metavar="PATH", action="append", help="C++ files or directories")
    parser.add_argument("--lib", metavar="LIB", action="append", help="a built library")
    parser.add_argument("--fix", action="store_true", help="make the changes that are safe")
    parser.add_argument("--fix-dry-run", action="store_true", help="show them as a diff")
    parser.add_argument(
        "--strict", action="store_true", help="classes outside the schema are errors"
    )


def _breaking(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    text = "a directory, an IR file, a library or git:REF"
    parser.add_argument("--against", metavar="REF", help=text)
    text = "categories of rules, separated by commas; by default all"
    parser.add_argument("--use", metavar="CATEGORIES", help=text)


def _build(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    parser.add_argument(
        "-o",
        dest="output",
        metavar="OUT",
        required=True,
        help="x.so, x.o, x.a, or x.tfs: an image",
    )
    parser.add_argument(
        "--sources", metavar="FILE", action="extend", nargs="+", help="C++ with method bodies"
    )
    parser.add_argument("--keep-sources", metavar="DIR", help="leave the generated C++ there")
    parser.add_argument("--debug", action="store_true", help="for a debugger, not optimised")
    parser.add_argument(
        "--jobs", metavar="N", type=_positive, help="how many compilers run at a time"
    )
    _dialect(parser)


def _resolve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="all files, if none is named")
    parser.add_argument("--schema", action="append", metavar="SCHEMA")
    parser.add_argument("--adopt-edits", action="store_true", help="make edits custom sections")
    _frontend(parser)
    _allow_outside(parser)
    parser.add_argument(
        "--merge-driver",
        nargs=4,
        metavar=("BASE", "OURS", "THEIRS", "FILE"),
        help="merge three versions as git asks it, into OURS; see init --merge-driver",
    )


def _promote(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="a Python file or a module; FILE:CLASS for one class"
    )
    parser.add_argument("--cpp", metavar="DIR", required=True, help="where the C++ goes")
    _frontend(parser)


def _adopt(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="C++ files, or directories")
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        help="the schema file; else the one of the project, which classes are added to, or"
        " schema/adopted.py",
    )
    parser.add_argument("--dry-run", action="store_true", help="list the files, write nothing")


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


#: Command -> (help, function that adds the arguments, module of `commands`, function that runs).
#: `--help` describes only the first six commands. It does not name the last, which is for CMake.
COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None], str, str]] = {
    "init": ("start a project", _init, "project", "init"),
    "generate": ("write the outputs", _generate, "generate", "generate"),
    "check": ("tell whether the outputs are current", _check, "generate", "check"),
    "validate": ("compare hand-written C++ with the schema", _validate, "validate", "validate"),
    "breaking": ("compare with an older version, by rules", _breaking, "evolution", "breaking"),
    "build": ("make a library or an image from the schema", _build, "build", "build"),
    "adopt": ("make a schema of C++ classes, and mark these", _adopt, "adopt.verb", "run"),
    "export": ("show a schema, of schema files or of a built file", _export, "exchange", "export"),
    "promote": ("write C++ for classes defined in Python", _promote, "promote", "promote"),
    "resolve": ("merge conflicts and edits in generated text", _resolve, "resolve", "resolve"),
    "outputs": ("list the files that generate writes", _outputs, "exchange", "outputs"),
}
_MAIN = 6


def parser(command: str = "") -> argparse.ArgumentParser:
    """Return the parser of the command line, for all commands or only for `command`."""
    known = list(COMMANDS)
    top = _Parser(
        prog="tvm-ffi-schema",
        description="Write an object once in Python; get C++, bindings, documents and checks.",
        epilog="more:\n  " + ", ".join(known[_MAIN:-1]) + "\n\n"
        "`tvm-ffi-schema COMMAND --help` describes a command and its options.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _shared(top)
    commands = top.add_subparsers(
        dest="command", required=True, metavar="COMMAND", title="commands"
    )
    for name in [command] if command in COMMANDS else known:
        text, add, _, _ = COMMANDS[name]
        listed: dict[str, Any] = {"help": text} if name in known[:_MAIN] else {}
        title = f"{text[0].upper()}{text[1:]}."
        one = commands.add_parser(name, description=title, formatter_class=_Help, **listed)
        add(one)
        _shared(one)
    return top


def _shared(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command; an option that the user omits sets no attribute."""
    group = parser.add_argument_group(
        "options of every command", argument_default=argparse.SUPPRESS
    )
    group.add_argument("-C", dest="chdir", metavar="DIR", help="run in that directory")
    group.add_argument("--config", metavar="FILE", help="configuration file")
    group.add_argument("--format", choices=_FORMATS, help="of findings")
    group.add_argument("--color", choices=("auto", "always", "never"))
    group.add_argument("-q", "--quiet", action="store_true", help="say no more than errors")
    group.add_argument("-v", "--verbose", action="store_true", help="tell what is read")
    version = f"tvm-ffi-schema {_version.__version__}"
    group.add_argument("--version", action="version", version=version)


_DEFAULTS = {
    "chdir": None,
    "config": None,
    "format": "text",
    "color": "auto",
    "quiet": False,
    "verbose": False,
}


def _command_of(given: Sequence[str]) -> str:
    """Return the command in the arguments, or an empty text."""
    words = iter(given)
    for word in words:
        if word in _WITH_VALUE:
            next(words, "")
        elif not word.startswith("-"):
            return word
    return ""


def parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the parsed arguments; by default, parse the arguments of the process."""
    given = sys.argv[1:] if argv is None else [*argv]
    command = _command_of(given)
    top = parser(command)
    if not given:
        top.print_help(sys.stderr)
        top.exit(2)
    args = top.parse_args(given)
    for name, default in _DEFAULTS.items():
        if not hasattr(args, name):
            setattr(args, name, default)
    for name, value in vars(args).items():
        # Before Python 3.13, argparse accepts  --option=--  and sets the option to an empty list.
        found = value if isinstance(value, list) else []
        if [] in found or (value == [] and name not in ("paths", "files")):
            top.error(f"argument --{name.replace('_', '-')}: expected one argument")
    return args

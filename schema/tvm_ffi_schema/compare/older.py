# SPDX-License-Identifier: Apache-2.0
"""Read older versions of a schema: from a directory, a file, or a commit."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence

from .. import config as configuration
from ..back.cpp_file import is_generated
from ..config import Config
from ..diag import Bag
from ..files.paths import relative
from ..files.source import shown
from ..ir import Span
from ..link import reader
from ..link.program import Program


def read(reference: str, config: Config, bag: Bag, paths: Sequence[str] = ()) -> Program | None:
    """Return the older schema that a reference names; None if an error was reported.

    Report a schema without classes as an error.

    Parameters
    ----------
    reference
        A directory or a file, or ``git:REF`` for the project at a commit. If the directory or the
        commit has a configuration, it is used to read the older version.
    config
        The configuration of the project, which is used if the older version has none.
    bag
        Takes the findings.
    paths
        The present files to compare; if empty, all sources. Files with the same names are read
        from the older version.

    """
    program = _read(reference, config, bag, paths)
    if program is not None and not program.order:
        bag.add("TS502", f"the older version, {reference}, has no classes", Span(shown(reference)))
        return None
    return program


def _read(reference: str, config: Config, bag: Bag, paths: Sequence[str]) -> Program | None:
    if not reference.startswith("git:"):
        found, how = _on_disk(reference, config, bag, paths)
        return _linked(found, how, bag)
    with tempfile.TemporaryDirectory(prefix="tschema-") as folder:
        commit = _Commit(reference[4:], config, bag)
        there = commit.sources(folder, paths)
        if there is None:
            return None
        inner = Bag()
        how = dataclasses.replace(commit.config, root=folder)
        program = _linked(list(there), how, inner)
        for item in inner.items:
            names = {shown(path): f"{reference}:{name}" for path, name in there.items()}
            place = names.get(item.span.file, item.span.file)
            bag.add(item.id, item.message, item.span._replace(file=place))
        return program


def _on_disk(
    reference: str, config: Config, bag: Bag, paths: Sequence[str]
) -> tuple[list[str], Config]:
    """Return the schema files that `reference` names, and the configuration for reading them.

    If the directory has a configuration, return the sources in it, limited to the names in `paths`.
    Otherwise, return the files that match `sources` of this project; if no file matches, all Python
    files. Omit generated files.
    """
    if not os.path.exists(reference):
        hint = f"a commit is named git:{reference}"
        bag.add("TS005", f"there is no file {reference!r}", Span(shown(reference)), help=hint)
        return [], config
    if not os.path.isdir(reference):
        return reader.expand([reference], bag), config
    own = configuration.load_of(reference, bag, os.path.basename(config.path))
    if own is None:
        own = dataclasses.replace(config, root=reference)
        found = own.files() or reader.expand([reference], bag)
    else:
        matches = _named(paths, config) if paths else lambda name: True
        found = [path for path in own.files() if matches(relative(path, own.root))]
    return [path for path in found if not is_generated(path)], own


def _linked(paths: list[str], config: Config, bag: Bag) -> Program | None:
    inner = Bag()
    program = None
    if not bag.has_errors:
        schema = reader.read(paths, inner, config.frontend, config.namespace)
        program = reader.linked(schema, inner)
    errors = [d for d in inner.items if d.severity == "error"]
    for item in errors:
        bag.add("TS502", f"the older version: {item.message} [{item.id}]", item.span)
    return None if bag.has_errors else program


class _Commit:
    """A commit of the project.

    `config` is the configuration in the commit. If the commit has none, it is the present
    configuration of the project.
    """

    def __init__(self, name: str, config: Config, bag: Bag) -> None:
        self.name = name
        self.present = self.config = config
        self.bag = bag

    def sources(self, folder: str, wanted: Sequence[str]) -> dict[str, str] | None:
        """Write the schema files of the commit to a folder; return path -> name in the project."""
        if self.name.startswith("-") or not self.name:
            self.bag.add("TS502", f"{self.name!r} is not a commit", Span("."))
            return None
        listed = self._git(["ls-tree", "-r", "--name-only", "-z", self.name, "--", "."])
        if listed is None:
            return None
        names = [name for name in listed.decode("utf-8", "surrogateescape").split("\0") if name]
        if not self._configure(folder, names):
            return None
        matches = _named(wanted, self.present) if wanted else _matched(self.config)
        found = {}
        for name in filter(matches, names):
            text = self._git(["show", f"{self.name}:./{name}"])
            if text is None:
                return None
            path = _put(folder, name, text)
            is_empty = not text.strip() and os.path.basename(name) == "__init__.py"
            if not is_empty and not is_generated(path):
                found[path] = name
        if not found:
            self.bag.add("TS502", f"commit {self.name} has no schema files", Span("."))
            return None
        return found

    def _configure(self, folder: str, names: list[str]) -> bool:
        """Read the configuration of the commit if it has one; return whether it has no errors."""
        own = os.path.basename(self.present.path)
        for name in {*configuration.FILES, own} & set(names):
            text = self._git(["show", f"{self.name}:./{name}"])
            if text is None:
                return False
            _put(folder, name, text)
        inner = Bag()
        self.config = configuration.load_of(folder, inner, own) or self.present
        for item in inner.items:
            place = f"git:{self.name}:{os.path.basename(item.span.file)}"
            span = item.span._replace(file=place)
            self.bag.add("TS502", f"the older version: {item.message} [{item.id}]", span)
        return not inner.has_errors

    def _git(self, arguments: list[str]) -> bytes | None:
        root = self.present.root or "."
        try:
            done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)
        except OSError as error:
            self.bag.add("TS502", f"git cannot be run: {error.strerror}", Span("."))
            return None
        if done.returncode:
            text = done.stderr.decode("utf-8", "replace").strip().splitlines()
            self.bag.add("TS502", f"git: {text[0] if text else 'failed'}", Span("."))
            return None
        return done.stdout


def _put(folder: str, name: str, text: bytes) -> str:
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as stream:
        stream.write(text)
    return path


def _matched(config: Config) -> Callable[[str], bool]:
    """Return a function that checks whether a file name matches the configured sources."""
    patterns = [re.compile(_pattern(os.path.normpath(one))) for one in config.sources]
    return lambda name: any(one.fullmatch(name) for one in patterns)


def _named(paths: Sequence[str], config: Config) -> Callable[[str], bool]:
    """Return a function that checks whether a file, or a directory of the file, is in `paths`."""
    found = [path if os.path.exists(path) else reader.module_file(path) for path in paths]
    names = [relative(path, config.root) for path in found]
    return lambda name: any(
        name == one or ((one == "." or name.startswith(one + "/")) and name.endswith(".py"))
        for one in names
    )


def _pattern(pattern: str) -> str:
    """Return the regular expression for a `glob` pattern, in which ``**`` matches all folders."""
    out = []
    for part in re.findall(r"\*\*/|\*\*|\*|\?|\[[^\]]*\]|.", pattern.replace(os.sep, "/")):
        known = {"**/": r"(?:[^/.][^/]*/)*", "**": r".*", "*": r"(?!\.)[^/]*", "?": r"[^/]"}
        is_set = len(part) > 1 and part.startswith("[")
        out.append(known.get(part) or (part.replace("[!", "[^") if is_set else re.escape(part)))
    return "".join(out)

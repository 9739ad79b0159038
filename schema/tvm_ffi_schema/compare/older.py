# SPDX-License-Identifier: Apache-2.0
"""Older versions of a schema: from a directory, a file, or a commit."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence

from .. import reader
from ..config import Config
from ..diag import Bag
from ..ir import Span
from ..passes.program import Program
from ..source import shown


def read(reference: str, config: Config, bag: Bag, paths: Sequence[str] = ()) -> Program | None:
    """Return the schema that a reference names; None after a report.

    Parameters
    ----------
    reference
        A directory or a file, or ``git:REF`` for the configured sources at that commit.
    config
        The project; its sources say which files count.
    bag
        Takes the findings.
    paths
        What is compared, when that is not all sources: of a commit the same files are taken.

    """
    if not reference.startswith("git:"):
        return _linked(reader.expand([reference], bag), config.frontend_of, config, bag)
    with tempfile.TemporaryDirectory(prefix="tschema-") as folder:
        found = _checkout(reference[4:], config, folder, bag, paths)
        if found is None:
            return None
        inner = Bag()
        names = {path: os.path.join(config.root, name) for path, name in found.items()}
        program = _linked(list(found), lambda path: config.frontend_of(names[path]), config, inner)
        for item in inner.items:
            there = {shown(path): f"{reference}:{name}" for path, name in found.items()}
            place = there.get(item.span.file, item.span.file)
            bag.add(item.id, item.message, dataclasses.replace(item.span, file=place))
        return program


def _linked(
    paths: list[str], frontend_of: Callable[[str], str], config: Config, bag: Bag
) -> Program | None:
    inner = Bag()
    program = None
    if not bag.has_errors:
        schema = reader.read(paths, inner, frontend_of, config.namespace)
        program = reader.linked(schema, inner)
    errors = [d for d in inner.items if d.severity == "error"]
    for item in errors:
        bag.add("TS502", f"the older version: {item.message} [{item.id}]", item.span)
    return None if bag.has_errors else program


def _checkout(
    commit: str, config: Config, folder: str, bag: Bag, wanted: Sequence[str]
) -> dict[str, str] | None:
    """Write the sources of a commit below a folder; return their names in the project."""
    if commit.startswith("-") or not commit:
        bag.add("TS502", f"{commit!r} is no commit", Span("."))
        return None
    names = _git(config, ["ls-tree", "-r", "--name-only", "-z", commit, "--", "."], bag)
    if names is None:
        return None
    matches = _named(wanted, config) if wanted else _matched(config)
    found = {}
    for name in names.decode("utf-8", "surrogateescape").split("\0"):
        if not name or not matches(name):
            continue
        text = _git(config, ["show", f"{commit}:./{name}"], bag)
        if text is None:
            return None
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as stream:
            stream.write(text)
        if text.strip() or os.path.basename(name) != "__init__.py":
            found[path] = name
    if not found:
        bag.add("TS502", f"commit {commit} has no schema files", Span("."))
        return None
    return found


def _matched(config: Config) -> Callable[[str], bool]:
    """Return what tells whether a file is one of the configured sources."""
    patterns = [re.compile(_pattern(os.path.normpath(one))) for one in config.sources]
    return lambda name: any(one.fullmatch(name) for one in patterns)


def _named(paths: Sequence[str], config: Config) -> Callable[[str], bool]:
    """Return what tells whether a file is one of those that arguments name."""
    found = [path if os.path.exists(path) else reader.module_file(path) for path in paths]
    names = [os.path.relpath(path, config.root or ".").replace(os.sep, "/") for path in found]
    return lambda name: any(
        name == one or ((one == "." or name.startswith(one + "/")) and name.endswith(".py"))
        for one in names
    )


def _pattern(pattern: str) -> str:
    """Return a regular expression for what `glob` finds, recursively."""
    out = []
    for part in re.findall(r"\*\*/|\*\*|\*|\?|\[[^\]]*\]|.", pattern.replace(os.sep, "/")):
        known = {"**/": r"(?:[^/.][^/]*/)*", "**": r".*", "*": r"(?!\.)[^/]*", "?": r"[^/]"}
        is_set = len(part) > 1 and part.startswith("[")
        out.append(known.get(part) or (part.replace("[!", "[^") if is_set else re.escape(part)))
    return "".join(out)


def _git(config: Config, arguments: list[str], bag: Bag) -> bytes | None:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=config.root or ".", capture_output=True, check=False
        )
    except OSError as error:
        bag.add("TS502", f"git cannot be run: {error.strerror}", Span("."))
        return None
    if done.returncode:
        text = done.stderr.decode("utf-8", "replace").strip().splitlines()
        bag.add("TS502", f"git: {text[0] if text else 'failed'}", Span("."))
        return None
    return done.stdout

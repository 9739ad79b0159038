# SPDX-License-Identifier: Apache-2.0
"""Older versions of a schema: from a directory, a file, or a commit."""

from __future__ import annotations

import os
import subprocess
import tempfile
from typing import Optional

from .. import reader
from ..config import Config
from ..diag import Bag
from ..ir import Span
from ..passes.program import Program


def read(reference: str, config: Config, bag: Bag) -> Optional[Program]:
    """Return the schema that a reference names; None after a report.

    Parameters
    ----------
    reference
        A directory or a file, or ``git:REF`` for the configured sources at that commit.
    config
        The project; its sources say which files count.
    bag
        Takes the findings.

    """
    if not reference.startswith("git:"):
        return _linked(reader.expand([reference], bag), config, bag)
    with tempfile.TemporaryDirectory(prefix="tschema-") as folder:
        paths = _checkout(reference[4:], config, folder, bag)
        return None if paths is None else _linked(paths, config, bag)


def _linked(paths: list[str], config: Config, bag: Bag) -> Optional[Program]:
    inner = Bag()
    program = None
    if not bag.has_errors:
        schema = reader.read(paths, inner, config.frontend_of, config.namespace)
        program = reader.linked(schema, inner)
    errors = [d for d in inner.items if d.severity == "error"]
    for item in errors:
        bag.add("TS502", f"the older version: {item.message} [{item.id}]", item.span)
    return None if bag.has_errors else program


def _checkout(commit: str, config: Config, folder: str, bag: Bag) -> Optional[list[str]]:
    """Write the sources of a commit below a folder."""
    if commit.startswith("-"):
        bag.add("TS502", f"{commit!r} is no commit", Span("."))
        return None
    names = _git(config, ["ls-tree", "-r", "--name-only", "-z", commit, "--", "."], bag)
    if names is None:
        return None
    paths = []
    for name in names.decode("utf-8", "replace").split("\0"):
        if not name or not any(_matches(name, pattern) for pattern in config.sources):
            continue
        text = _git(config, ["show", f"{commit}:./{name}"], bag)
        if text is None:
            return None
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as stream:
            stream.write(text)
        paths.append(path)
    if not paths:
        bag.add("TS502", f"commit {commit} has no schema files", Span("."))
        return None
    return paths


def _matches(name: str, pattern: str) -> bool:
    import fnmatch

    return fnmatch.fnmatch(name, pattern) or fnmatch.fnmatch(name, pattern.replace("**/", ""))


def _git(config: Config, arguments: list[str], bag: Bag) -> Optional[bytes]:
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

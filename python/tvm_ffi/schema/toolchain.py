# SPDX-License-Identifier: Apache-2.0
"""The system's C++ compiler: finding it and running it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from typing import Optional

from . import source
from .diag import Bag
from .ir import Span


def find() -> Optional[list[str]]:
    """Return the command of the C++ compiler: `CXX`, or the first that is installed."""
    given = os.environ.get("CXX")
    if given:
        words = shlex.split(given)
        return words if words and shutil.which(words[0]) else None
    for name in ("c++", "g++", "clang++"):
        if shutil.which(name):
            return [name]
    return None


def build(
    sources: list[str], output: str, includes: list[str], root: str, debug: bool, bag: Bag
) -> bool:
    """Compile sources into a shared library, or into one object file; report failures.

    The output appears only when everything has succeeded.
    """
    compiler = find()
    where = source.shown(output)
    if compiler is None:
        given = os.environ.get("CXX")
        text = f"CXX={given} cannot be run" if given else "no C++ compiler was found"
        bag.add("TS601", text, Span(where), help="install one, or set CXX")
        return False
    flags = ["-std=c++17", "-fPIC", "-fvisibility=hidden", "-O0" if debug else "-O2"]
    flags += ["-g"] if debug else []
    flags += [f"-ffile-prefix-map={root}=.", *(f"-I{path}" for path in includes)]
    partial = output + ".tmp"
    objects = [f"{partial}{number}.o" for number in range(len(sources))]
    commands = [[*compiler, *flags, "-c", path, "-o", made] for path, made in zip(sources, objects)]
    if not _run_all(commands, where, root, bag):
        _remove(objects)
        return False
    link = ["-r", "-nostdlib"] if output.endswith(".o") else ["-shared"]
    done = _run([*compiler, *link, *objects, "-o", partial], where, root, bag)
    _remove(objects)
    if done:
        os.replace(partial, output)
    return done


def _run_all(commands: list[list[str]], output: str, root: str, bag: Bag) -> bool:
    """Run commands side by side; the findings come in their order."""
    from concurrent.futures import ThreadPoolExecutor

    bags = [Bag() for _ in commands]
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        done = list(
            pool.map(lambda pair: _run(pair[0], output, root, pair[1]), zip(commands, bags))
        )
    for one in bags:
        bag.items += one.items
    return all(done)


def _remove(paths: list[str]) -> None:
    for path in paths:
        if os.path.exists(path):
            os.unlink(path)


def _run(command: list[str], output: str, root: str, bag: Bag) -> bool:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False
        )
    except OSError as error:
        bag.add("TS601", f"{command[0]} cannot be run: {error.strerror}", Span(output))
        return False
    if done.returncode:
        lines = done.stderr.replace(root + os.sep, "").strip().splitlines()
        first = next((line for line in lines if "error" in line), lines[0] if lines else "failed")
        notes = [(Span(output), line) for line in lines[:20] if line != first]
        bag.add("TS602", first, Span(output), notes=notes)
        return False
    return True

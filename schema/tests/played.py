# SPDX-License-Identifier: Apache-2.0
"""Run the examples in ``findings`` with the real command."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import sys
from collections.abc import Iterator

import pytest

from tvm_ffi_schema import cxx
from tvm_ffi_schema.build import toolchain
from tvm_ffi_schema.cxx import read as cpp_reader
from tvm_ffi_schema.weave import plan

from .conftest import Project
from .rule_examples import Example, Step


def skip_if_impossible(example: Example) -> None:
    """Skip the test if the steps need a TOML reader or a compiler that this machine lacks."""
    steps = [*example.failing, *example.fixed]
    for step in steps:
        if step.kind == "file" and step.name.endswith(".toml") and sys.version_info < (3, 11):
            pytest.importorskip("tomli")
        compiles = step.kind == "run" and "build -o" in step.name
        if compiles and not step.name.endswith(".tfs") and toolchain.find() is None:
            pytest.skip("no C++ compiler")


def play(project: Project, steps: list[Step], *options: str) -> int:
    """Run the steps; return the status of the last command.

    `options` are passed only to the last command.
    """
    status, state = 0, ""
    last = [step for step in steps if step.kind == "run"][-1]
    for step in steps:
        if step.kind == "file":
            path = project.root / step.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(step.data())
        elif step.kind == "edit":
            project.write(step.name, step.edited(project.read(step.name)))
        elif step.kind == "while":
            state = step.name
        else:
            if step is last:
                project.before = project.files()
            status = run(project, step.name, state, options if step is last else ())
            assert step is last or status == 0, project.err
            state = ""
    return status


def run(project: Project, words: str, state: str, options: tuple[str, ...]) -> int:
    given, _, rest = words.partition(" ")
    arguments = (rest if "=" in given else words).split()
    with contextlib.ExitStack() as stack:
        if "=" in given:
            patch = stack.enter_context(pytest.MonkeyPatch.context())
            patch.setenv(*given.split("=", 1))
        if state:
            stack.enter_context(STATES[state](project))
        return project.run(*arguments, *options)


@contextlib.contextmanager
def _without_tree_sitter(project: Project) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "tree_sitter", None)
        cpp_reader._parser.cache_clear()  # an earlier test may have cached a parser
        patch.delitem(sys.modules, f"{cxx.__name__}.parser", raising=False)
        patch.delattr(cxx, "parser", raising=False)
        yield


@contextlib.contextmanager
def _another_process_writes(project: Project) -> Iterator[None]:
    real = plan.make

    def slow(*args):
        made = real(*args)
        path = project.root / "include/ir.h"
        path.write_bytes(path.read_bytes() + b"// by another process\n")
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "make", slow)
        yield


@contextlib.contextmanager
def no_locks(project: Project) -> Iterator[None]:
    def refused(*args):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fcntl, "flock", refused)
        yield


#: Text of a condition in the examples -> context manager in which the condition holds.
STATES = {
    "tree-sitter is not installed": _without_tree_sitter,
    "another process writes to include/ir.h during the run": _another_process_writes,
    "the file system has no locks": no_locks,
}

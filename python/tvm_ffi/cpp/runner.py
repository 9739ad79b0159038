# SPDX-License-Identifier: Apache-2.0
"""Run ninja on a build file."""

from __future__ import annotations

import os
import subprocess
import sys

from . import record
from .ninja import BUILD_FILE, WORK_VARIABLE
from .toolchain import IS_WINDOWS, find_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def run(work: str, build_file: str, kept_open: Iterable[int] = ()) -> None:
    """Run ninja in a directory, and remove the build file that it reads there.

    Compilers run in the parent of the directory ``work``. ninja and the compilers inherit the file
    descriptors ``kept_open``. Raise RuntimeError if ninja is missing or fails; then the message
    contains its output.
    """
    path = os.path.join(work, BUILD_FILE)
    record.write_atomically(path, build_file)
    try:
        _run(work, kept_open)
    finally:
        os.unlink(path)


def _run(work: str, kept_open: Iterable[int]) -> None:
    command = [find_ninja(), "-v"]
    # The build runs tools of this package (such as `-m tvm_ffi.utils.embed_cubin`), so the search
    # path must contain the directory from which this package was imported.
    package_parent = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    search = [package_parent, os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, search))}
    environment[WORK_VARIABLE] = os.path.basename(work)
    jobs = os.environ.get("MAX_JOBS")
    if jobs:
        command += ["-j", jobs]
    if IS_WINDOWS:
        done = _run_in_developer_prompt(command, work)
    else:
        done = subprocess.run(
            command,
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            pass_fds=tuple(kept_open),
            check=False,
        )
    _log(done)
    if done.returncode != 0:
        parts = [f"ninja exited with status {done.returncode}"]
        if jobs and not jobs.isdecimal():
            parts[0] += f"; the environment variable MAX_JOBS must be a number, not {jobs!r}"
        if done.stdout:
            parts += ["stdout:", done.stdout]
        if done.stderr:
            parts += ["stderr:", done.stderr]
        raise RuntimeError("\n".join(parts))


def find_ninja() -> str:
    """Return the path of ninja; raise RuntimeError if ninja is not found."""
    # Also search next to the interpreter, because its virtual environment may not be activated.
    found = find_program("ninja") or find_program(
        os.path.join(os.path.dirname(sys.executable), "ninja" + (".exe" if IS_WINDOWS else ""))
    )
    if found is None:
        raise RuntimeError(
            "building needs the program `ninja`, which is not on PATH: "
            "install it with `pip install ninja` or from your system's packages"
        )
    return os.path.abspath(found)  # Absolute, because ninja runs in another directory.


def _log(done: subprocess.CompletedProcess[str]) -> None:
    wanted = os.environ.get("TVM_FFI_CPP_EXTENSION_LOG_BUILD")
    if not wanted:
        return
    import logging

    logger = logging.getLogger("tvm_ffi.cpp.extension")  # published name
    if wanted in ("1", "stdout"):
        logger.info("ninja build stdout:\n%s", done.stdout)
    if wanted in ("1", "stderr"):
        logger.info("ninja build stderr:\n%s", done.stderr)


def _run_in_developer_prompt(
    command: list[str], directory: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in the environment of the MSVC developer prompt."""
    programs = os.environ.get("PROGRAMFILES(X86)", r"C:\Program Files (x86)")
    finder = os.path.join(programs, "Microsoft Visual Studio", "Installer", "vswhere.exe")
    line = subprocess.list2cmdline(command)
    if find_program("cl") is None and os.path.isfile(finder):
        query = [finder, "-latest", "-products", "*", "-property", "installationPath"]
        home = subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip()
        prompt = os.path.join(home, "Common7", "Tools", "VsDevCmd.bat")
        line = f'"{prompt}" -arch=x64 -no_logo & {line}'
    return subprocess.run(
        line, cwd=directory, shell=True, capture_output=True, text=True, check=False
    )

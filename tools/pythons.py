# SPDX-License-Identifier: Apache-2.0
"""Run the Python tests on every supported interpreter that this machine has: ``make test-pythons``.

All interpreters use the runtime of ``make build``. Only the extension is compiled for each
interpreter, into a copy of the staged package in ``build/pythons/site``. Environments, build trees
and logs are in ``build/pythons/<version>``.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "pythons"
STAGED = ROOT / "build" / "dev" / "site"
REQUIREMENTS = ROOT / "tools" / "requirements-test.txt"
VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14", "3.15")
# Packages without a wheel for a free-threaded interpreter; the tests that need one are skipped.
# The schema tool needs tree-sitter, so it is not tested there.
NEED_THE_GIL = ("gevent", "greenlet", "hypothesis", "ipython", "ml_dtypes", "tree-sitter")
THIS = f"{sys.version_info.major}.{sys.version_info.minor}"

# Tests of calls, objects, data classes, enums, containers, tensors, errors and garbage collection,
# since these parts of the binding depend on the version of Python.
SHORT = (
    "tests/binding/test_call_paths.py",
    "tests/binding/test_exceptions.py",
    "tests/binding/test_garbage.py",
    "tests/binding/test_wrappers.py",
    "tests/python/dataclasses",
    "tests/python/test_array.py",
    "tests/python/test_class_fields.py",
    "tests/python/test_class_layout.py",
    "tests/python/test_class_registration.py",
    "tests/python/test_convert.py",
    "tests/python/test_cycles.py",
    "tests/python/test_dict.py",
    "tests/python/test_error.py",
    "tests/python/test_function.py",
    "tests/python/test_import.py",
    "tests/python/test_initializer.py",
    "tests/python/test_keywords.py",
    "tests/python/test_list.py",
    "tests/python/test_map.py",
    "tests/python/test_object.py",
    "tests/python/test_pickle.py",
    "tests/python/test_registry.py",
    "tests/python/test_signatures.py",
    "tests/python/test_tensor.py",
    "tests/python/test_tensor_numpy.py",
    "tests/python/test_type_info.py",
)

# A program that prints facts about an interpreter. An interpreter is usable if it can run this
# program, has the version that its name states, and has the header Python.h.
PROBE = """
import ensurepip, json, os, sys, sysconfig, venv
paths = sysconfig.get_paths()
version = "%d.%d" % sys.version_info[:2]
mark = "t" * bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
print(json.dumps({"version": version + mark, "full": sys.version.split()[0] + mark,
  "executable": sys.executable, "suffix": sysconfig.get_config_var("EXT_SUFFIX"),
  "header": os.path.exists(os.path.join(paths["include"], "Python.h"))}))
"""


@dataclasses.dataclass(frozen=True)
class Interpreter:
    """One interpreter of this machine, and the paths of its build."""

    version: str
    full: str
    executable: Path
    suffix: str

    @property
    def work(self) -> Path:
        """Return the folder of the environment, the build tree and the logs."""
        return WORK / self.version

    @property
    def python(self) -> Path:
        """Return the interpreter in the virtual environment."""
        return self.work / "venv" / "bin" / "python"


class StepError(Exception):
    """A step of the preparation failed; the message names the log of the step."""


def candidates(version: str) -> list[Path]:
    """Return the paths where an interpreter can be: in ``build``, in pyenv, and in `PATH`."""
    name = f"python{version}"
    found = [ROOT / "build" / name / inner / name for inner in ("usr/bin", "bin")]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    releases = [p for p in pyenv.glob(f"{version}.*") if p.name.rpartition(".")[2].isdigit()]
    releases.sort(key=lambda p: int(p.name.rpartition(".")[2]), reverse=True)
    found += [p / "bin" / name for p in releases]
    on_path = shutil.which(name)
    return [*found, Path(on_path)] if on_path else found


def probe(version: str, path: Path) -> Interpreter | str:
    """Return the interpreter at a path, or the reason why it cannot be used."""
    if not path.exists():
        return "not found"
    done = subprocess.run([path, "-c", PROBE], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip() or "no message").splitlines()[-1]
        return f"{path} does not work: {last}"
    facts = json.loads(done.stdout)
    if facts["version"] != version:
        return f"{path} is Python {facts['version']}"
    if not facts["header"]:
        return f"{path} has no Python.h"
    return Interpreter(version, facts["full"], Path(facts["executable"]), facts["suffix"])


def find(version: str) -> Interpreter | str:
    """Return the first usable interpreter of a version, or the reason why there is none."""
    reason = "not found"
    for path in candidates(version):
        found = probe(version, path)
        if isinstance(found, Interpreter):
            return found
        if found != "not found":
            reason = found
    return reason


def logged(interpreter: Interpreter, step: str, *command: object, **variables: str) -> None:
    """Run a command with its output in a log; raise if it fails."""
    log = interpreter.work / f"{step}.log"
    with log.open("w") as out:
        done = subprocess.run(
            [*map(str, command)],
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, **variables},
            check=False,
        )
    if done.returncode != 0:
        raise StepError(f"{step} failed, see {log.relative_to(ROOT)}")


def make_environment(interpreter: Interpreter) -> None:
    """Create the virtual environment, unless it exists for these requirements and interpreter."""
    venv = interpreter.work / "venv"
    stamp = venv / ".ready"
    wanted = REQUIREMENTS.read_text()
    if interpreter.version.endswith("t"):
        lines = wanted.splitlines(keepends=True)
        wanted = "".join(line for line in lines if not line.startswith(NEED_THE_GIL))
        wanted += "hypothesis==6.155.7\n"  # the last release that has no native code
    text = wanted + str(interpreter.executable) + interpreter.full
    digest = hashlib.sha256(text.encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return
    logged(interpreter, "venv", interpreter.executable, "-m", "venv", "--clear", venv)
    pip = (interpreter.python, "-m", "pip", "--disable-pip-version-check")
    requirements = interpreter.work / "requirements.txt"
    requirements.write_text(wanted)
    logged(interpreter, "install", *pip, "install", "-r", requirements)
    stamp.write_text(digest)


def build_extension(interpreter: Interpreter, site: Path, *options: str) -> None:
    """Compile the extension against the staged runtime, and put it into the package."""
    tree = interpreter.work / "tree"
    configure = (
        *("cmake", "-S", ROOT, "-B", tree, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"),
        *("-DTVM_FFI_BUILD_PYTHON_MODULE=ON", "-DTVM_FFI_WERROR=ON"),
        f"-DTVM_FFI_RUNTIME_PACKAGE={STAGED / 'tvm_ffi'}",
        f"-DPython_EXECUTABLE={interpreter.executable}",
        *options,
    )
    logged(interpreter, "configure", *configure)
    logged(interpreter, "build", "cmake", "--build", tree)
    prefix = site / "tvm_ffi"
    install = ("cmake", "--install", tree, "--prefix", prefix, "--component", "python")
    logged(interpreter, "stage", *install)


def stage_package(site: Path) -> None:
    """Copy the staged package; `build_extension` adds extensions to the copy."""
    if not (STAGED / "tvm_ffi" / "lib").exists():
        raise SystemExit("pythons: build/dev/site is missing: run make build")
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(STAGED, site, symlinks=True)


def prepare(interpreter: Interpreter, site: Path) -> str | None:
    """Make the environment and the extension of an interpreter; return the error, or None."""
    interpreter.work.mkdir(parents=True, exist_ok=True)
    try:
        make_environment(interpreter)
        if not (site / "tvm_ffi" / f"core{interpreter.suffix}").exists():
            build_extension(interpreter, site)
    except StepError as problem:
        return str(problem)
    return None


def run_suite(interpreter: Interpreter, site: Path, jobs: int, arguments: list[str]) -> str:
    """Run pytest; return the last line of its output, or a description of the failure."""
    log = interpreter.work / "pytest.log"
    command = [interpreter.python, "-m", "pytest", "-p", "no:cacheprovider", "-q"]
    if interpreter.version.endswith("t"):
        command += ["-o", "testpaths=tests"]
    if jobs > 1:
        command += ["-n", str(jobs), "--no-loadscope-reorder"]
    path = os.pathsep.join([str(interpreter.python.parent), os.environ.get("PATH", "")])
    with log.open("w") as out:
        done = subprocess.run(
            [*map(str, command), *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(site), "PATH": path},
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
        )
    lines = log.read_text().splitlines()
    for line in lines:
        if re.match(r"(FAILED|ERROR) ", line):
            print(f"  {interpreter.version} {line}", flush=True)
    last = lines[-1].strip("= ") if lines else "no output"
    if done.returncode != 0 and not re.search(r"\d+ (failed|error)", last):
        last = f"pytest ended with status {done.returncode}: {last}"
    return last if done.returncode == 0 else f"FAILED: {last}"


def arguments_of(argv: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="pythons", description=__doc__)
    parser.add_argument("--short", action="store_true", help="only the tests of the binding")
    parser.add_argument("--others", action="store_true", help=f"leave out this one, {THIS}")
    parser.add_argument("--versions", default=" ".join(VERSIONS), help="such as '3.10 3.14'")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("pytest", nargs="*", help="arguments of pytest, after --")
    return parser.parse_args(argv)


def main(argv: list[str]) -> int:
    """Prepare all interpreters, a few at a time; then run the suites, one after another."""
    arguments = arguments_of(argv)
    site = WORK / "site"
    skipped, found = {}, []
    for version in arguments.versions.split():
        interpreter = find(version)
        if isinstance(interpreter, str):
            skipped[version] = interpreter
            print(f"pythons: {version} skipped: {interpreter}", flush=True)
        elif not (arguments.others and version == THIS):
            found.append(interpreter)
    stage_package(site)
    selection = [*(SHORT if arguments.short else ()), *arguments.pytest]
    results = {}
    with ThreadPoolExecutor(arguments.jobs) as pool:
        problems = [*pool.map(lambda one: prepare(one, site), found)]
    for interpreter, problem in zip(found, problems):
        begin = time.monotonic()
        result = problem and f"FAILED: {problem}"
        result = result or run_suite(interpreter, site, arguments.jobs, selection)
        results[interpreter] = result
        took = time.monotonic() - begin
        print(f"pythons: {interpreter.full} {result} [{took:.0f} s with waiting]", flush=True)
    print(f"\n{'Python':8} result")
    for interpreter, result in results.items():
        print(f"{interpreter.full:8} {result}")
    for version, reason in skipped.items():
        print(f"{version:8} skipped: {reason}")
    return any(result.startswith("FAILED") for result in results.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

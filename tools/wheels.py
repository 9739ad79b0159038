# SPDX-License-Identifier: Apache-2.0
"""Build, check and try a wheel for every interpreter that this machine has: ``make wheels``.

Each wheel is built twice: from the checkout, and from the unpacked source distribution in another
folder. The two wheels must have equal bytes. auditwheel gives the wheel the oldest platform tag
that the libraries allow. The wheel is then installed into an empty environment, where
``try_wheel.py`` runs, and stored in ``dist``.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

from pythons import VERSIONS, Interpreter, find

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "wheels"
DIST = ROOT / "dist"
REQUIREMENTS = ROOT / "tools" / "requirements-wheels.txt"
BUILD_REQUIREMENTS = ROOT / "tools" / "requirements-build.txt"
TRIAL = ROOT / "tools" / "try_wheel.py"
TOOLS = WORK / "venv" / "bin"


class StepError(Exception):
    """A step failed; the text is a message for the user."""


def run(log: str, *command: object, **variables: str) -> str:
    """Run a command from outside the checkout; return its standard output, or raise."""
    leading = ("PYTHONPATH", "LD_LIBRARY_PATH", "CMAKE_PREFIX_PATH", "tvm_ffi_ROOT")
    environment = {k: v for k, v in os.environ.items() if k not in leading}
    done = subprocess.run(
        [*map(str, command)],
        cwd=WORK,
        env={**environment, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    (WORK / f"{log}.log").write_text(done.stdout + done.stderr)
    if done.returncode != 0:
        raise StepError(f"see build/wheels/{log}.log")
    return done.stdout


def make_tools() -> None:
    """Create the environment of the tools, unless one with the same requirements exists."""
    stamp = TOOLS.parent / ".ready"
    wanted = REQUIREMENTS.read_text() + BUILD_REQUIREMENTS.read_text()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    venv.create(TOOLS.parent, with_pip=True, clear=True)
    pip = (TOOLS / "python", "-m", "pip", "--disable-pip-version-check", "install")
    run("tools", *pip, "-r", REQUIREMENTS)
    stamp.write_text(wanted)


def source_date() -> str:
    """Return the time for files in archives: `SOURCE_DATE_EPOCH`, or the last commit's time."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return os.environ["SOURCE_DATE_EPOCH"]
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # Without a commit, use 1980, the oldest time that a zip archive can contain.
    return done.stdout.strip() or "315532800"


def build_environment(interpreter: Interpreter) -> Path:
    """Create an environment with the build requirements of a wheel; return its interpreter."""
    folder = WORK / interpreter.version
    python = folder / "bin" / "python"
    stamp = folder / ".ready"
    wanted = BUILD_REQUIREMENTS.read_text() + str(interpreter.executable) + interpreter.full
    if not (stamp.exists() and stamp.read_text() == wanted):
        run(f"{interpreter.version}-venv", interpreter.executable, "-m", "venv", "--clear", folder)
        pip = (python, "-m", "pip", "--disable-pip-version-check", "install")
        run(f"{interpreter.version}-install", *pip, "-r", BUILD_REQUIREMENTS)
        stamp.write_text(wanted)
    return python


def build(interpreter: Interpreter, source: Path, out: Path, epoch: str) -> Path:
    """Build the wheel of a source tree; all interpreters share a build tree and its runtime."""
    python = build_environment(interpreter)
    shutil.rmtree(out, ignore_errors=True)
    name = f"{interpreter.version}-{out.parent.name}"
    run(
        name,
        *(python, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", "-v"),
        *("--no-build-isolation", "--wheel-dir", out),
        f"--config-settings=build-dir={out.parent / 'tree'}",
        source,
        SOURCE_DATE_EPOCH=epoch,
        PATH=os.pathsep.join([str(python.parent), os.environ.get("PATH", "")]),
    )
    (wheel,) = out.glob("*.whl")
    return wheel


def make_sdist(epoch: str) -> tuple[Path, Path]:
    """Write the source distribution twice; return its path and the folder with its files."""
    found = []
    for turn in ("sdist", "sdist-again"):
        out = WORK / turn
        shutil.rmtree(out, ignore_errors=True)
        frontend = (TOOLS / "python", "-m", "build", "--sdist", "--no-isolation")
        command = (*frontend, "--outdir", out, ROOT)
        run(turn, *command, SOURCE_DATE_EPOCH=epoch)
        (path,) = out.glob("*.tar.gz")
        found.append(path)
    if digest(found[0]) != digest(found[1]):
        raise StepError(f"{found[0]} and {found[1]} differ")
    unpacked = WORK / "unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    with tarfile.open(found[0]) as archive:
        archive.extractall(unpacked)
    (folder,) = unpacked.iterdir()
    return found[0], folder


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def repair(wheel: Path, out: Path, epoch: str) -> Path:
    """Run auditwheel: check the libraries, and set the oldest platform tag that they allow."""
    shutil.rmtree(out, ignore_errors=True)
    command = (TOOLS / "python", "-m", "auditwheel", "repair", "--wheel-dir", out, wheel)
    path = os.pathsep.join([str(TOOLS), os.environ.get("PATH", "")])
    run(f"{wheel.parent.parent.name}-repair", *command, SOURCE_DATE_EPOCH=epoch, PATH=path)
    (repaired,) = out.glob("*.whl")
    return repaired


def try_wheel(interpreter: Interpreter, wheel: Path) -> None:
    """Install the wheel with its extra `cpp` into an empty environment; run ``try_wheel.py``."""
    folder = WORK / "trial" / interpreter.version
    run(f"{interpreter.version}-trial", interpreter.executable, "-m", "venv", "--clear", folder)
    python = folder / "bin" / "python"
    pip = (python, "-m", "pip", "--disable-pip-version-check", "install")
    run(f"{interpreter.version}-trial", *pip, f"{wheel}[cpp]")
    cache = str(folder / "cache")
    said = run(f"{interpreter.version}-trial", python, TRIAL, TVM_FFI_CACHE_DIR=cache)
    if said.strip() != "try_wheel: ok":
        raise StepError(f"the trial printed {said!r}")


def make(interpreter: Interpreter, unpacked: Path, epoch: str) -> list[str]:
    """Build, compare, repair and try the wheel of one interpreter; return its row of the table."""
    paths = []
    for name, source in (("checkout", ROOT), ("from-sdist", unpacked)):
        wheel = build(interpreter, source, WORK / name / "out", epoch)
        paths.append(repair(wheel, WORK / name / "repaired", epoch))
    if digest(paths[0]) != digest(paths[1]):
        raise StepError(f"{paths[0]} and {paths[1]} differ")
    try_wheel(interpreter, paths[0])
    kept = Path(shutil.copy(paths[0], DIST))
    tag = kept.stem.split("-", 4)[-1]
    return [interpreter.full, tag, f"{kept.stat().st_size / 1e6:.2f} MB", digest(kept)[:16]]


def identifiers(platform: str) -> list[str]:
    """Return the names of the wheels that cibuildwheel would build for a platform."""
    command = (TOOLS / "python", "-m", "cibuildwheel", "--print-build-identifiers")
    return run(f"cibuildwheel-{platform}", *command, "--platform", platform, ROOT).split()


def main(argv: list[str]) -> int:
    """Make the wheels, one after another; print a table."""
    parser = argparse.ArgumentParser(prog="wheels", description=__doc__)
    parser.add_argument("--versions", default=" ".join(VERSIONS), help="such as '3.10 3.14'")
    versions = parser.parse_args(argv).versions.split()
    WORK.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    epoch = source_date()
    rows, failures = [], 0
    try:
        make_tools()
        sdist, unpacked = make_sdist(epoch)
        shutil.copy(sdist, DIST)
        offered = {name: identifiers(name) for name in ("linux", "macos", "windows")}
    except StepError as problem:
        print(f"wheels: {problem}", file=sys.stderr)
        return 1
    for version in versions:
        interpreter = find(version)
        if isinstance(interpreter, str):
            rows.append([version, f"skipped: {interpreter}", "", ""])
            continue
        try:
            rows.append(make(interpreter, unpacked, epoch))
        except StepError as problem:
            failures += 1
            rows.append([interpreter.full, f"FAILED: {problem}", "", ""])
        print("wheels:", *rows[-1], flush=True)
    print(f"\n{'Python':8} {'platform':40} {'size':8} sha256, equal in both builds")
    for row in rows:
        print(f"{row[0]:8} {row[1]:40} {row[2]:8} {row[3]}")
    print(f"{'sdist':8} {sdist.name:40} {sdist.stat().st_size / 1e6:.2f} MB  {digest(sdist)[:16]}")
    for platform, names in offered.items():
        print(f"cibuildwheel for {platform} would build {len(names)}: {' '.join(names)}")
    return failures


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

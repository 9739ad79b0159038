# SPDX-License-Identifier: Apache-2.0
"""Run published packages that use the peer on this build, and print which steps passed.

    python tools/clients.py                 # all of CLIENTS
    python tools/clients.py xgrammar        # only the named clients
    python tools/clients.py --list          # names, requirements and steps

Each client has an environment of its own in ``build/clients/NAME``. The tool installs the wheel of
the client without its dependencies, then the packages that the steps need, and a ``.pth`` file that
puts this build first in ``sys.path``. Clients that need PyTorch share the installation in
``build/clients/torch``. Each step of ``tests/clients`` runs in a separate process, so that a crash
is one failed step.

A client that cannot be installed is skipped, and the reason is printed. The exit status is 1 if a
step has failed.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

from repository import ROOT

SITE = ROOT / "build" / "dev" / "site"
CLIENTS_DIR = ROOT / "build" / "clients"
STEPS_DIR = ROOT / "tests" / "clients"

INSTALL_SECONDS = 1500
STEP_SECONDS = 600


class Client(NamedTuple):
    """A published package, and the packages that its steps need; spaces separate names."""

    name: str
    requirement: str
    #: The name of the file with the steps: ``tests/clients/STEPS_steps.py``.
    steps: str
    #: Packages that the steps need, installed with their dependencies.
    needs: str = ""
    #: Packages to install without their dependencies: they depend on the peer, or on many packages
    #: that the steps do not use.
    needs_alone: str = ""
    uses_torch: bool = False
    #: Names of other clients whose packages the environment of this client can import.
    sees: str = ""


_TILELANG = "cloudpickle ml-dtypes numpy psutil tqdm typing-extensions z3-solver>=4.13,<4.15.5"
_CUTLASS = "cuda-python numpy typing-extensions"
_CUTLASS_PARTS = " ".join(f"nvidia-cutlass-dsl-libs-{part}" for part in ("base", "core", "cu12"))
_QUACK = f"nvidia-cutlass-dsl {_CUTLASS_PARTS} torch-c-dlpack-ext triton"
_FLASHINFER = "click einops ninja nvidia-ml-py packaging requests tabulate tqdm " + _CUTLASS
_FLASHINFER_ALONE = f"nvidia-cutlass-dsl {_CUTLASS_PARTS} nvidia-cudnn-frontend"
_TOGETHER = "tilelang-0.1.15 xgrammar quack-kernels flashinfer jax-tvm-ffi"
_TVM = ("apache-tvm", "apache-tvm==0.27.0.post1", "apache_tvm")

CLIENTS = (
    Client("xgrammar", "xgrammar", "xgrammar", "pydantic numpy transformers", uses_torch=True),
    Client(*_TVM, "ml-dtypes numpy typing-extensions"),
    *(
        Client(f"tilelang-{v}", f"tilelang=={v}", "tilelang", _TILELANG, uses_torch=True)
        for v in ("0.1.15", "0.1.12", "0.1.8")
    ),
    Client("jax-tvm-ffi", "jax-tvm-ffi", "jax_tvm_ffi", "jax"),
    Client("cutlass-dsl", "nvidia-cutlass-dsl", "cutlass_dsl", _CUTLASS, _CUTLASS_PARTS, True),
    Client("quack-kernels", "quack-kernels", "quack", f"einops {_CUTLASS}", _QUACK, True),
    Client("flashinfer", "flashinfer-python", "flashinfer", _FLASHINFER, _FLASHINFER_ALONE, True),
    Client("together", "", "together", uses_torch=True, sees=_TOGETHER),
)


class NotInstallableError(Exception):
    """The reason why a client is skipped."""


class Step(NamedTuple):
    """The result of a step; `problem` is empty, or the end of the output of a failed step."""

    name: str
    problem: str


# ---- environments


def python_of(environment: Path) -> Path:
    """Return the interpreter of an environment."""
    return environment / "bin" / "python"


def packages_of(environment: Path) -> Path:
    """Return the directory of the packages of an environment."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return environment / "lib" / version / "site-packages"


def pip_install(environment: Path, *arguments: str) -> None:
    """Install packages with pip; raise NotInstallableError with its last error message."""
    command = [str(python_of(environment)), "-m", "pip", "install", "--quiet"]
    command += ["--disable-pip-version-check", *arguments]
    log = environment / "pip.log"
    try:
        with log.open("a") as out:
            done = subprocess.run(
                command, stdout=out, stderr=subprocess.STDOUT, timeout=INSTALL_SECONDS
            )
    except subprocess.TimeoutExpired:
        raise NotInstallableError(f"pip took more than {INSTALL_SECONDS} s") from None
    if done.returncode != 0:
        lines = [line for line in log.read_text().splitlines() if line.startswith("ERROR")]
        raise NotInstallableError(lines[-1] if lines else f"pip: exit status {done.returncode}")


def make_environment(name: str) -> tuple[Path, bool]:
    """Return the path of an environment, and whether an earlier run has completed it."""
    environment = CLIENTS_DIR / name
    if (environment / ".ready").exists():
        return environment, True
    venv.create(environment, with_pip=True, clear=True)
    return environment, False


def torch_environment() -> Path:
    """Return the environment with PyTorch."""
    environment, is_ready = make_environment("torch")
    if not is_ready:
        lines = (ROOT / "tools" / "requirements-torch.txt").read_text().splitlines()
        pip_install(environment, *(line for line in lines if line.startswith("torch")), "numpy")
        (environment / ".ready").touch()
    return environment


def client_environment(client: Client) -> Path:
    """Return the environment of a client; the first call creates the environment."""
    environment, is_ready = make_environment(client.name)
    if is_ready:
        return environment
    alone = f"{client.requirement} {client.needs_alone}".split()
    if alone:
        pip_install(environment, "--no-deps", *alone)
    paths = [str(SITE)]
    for other in CLIENTS:
        if other.name in client.sees.split():
            paths.append(str(packages_of(client_environment(other))))
    if client.uses_torch:
        paths.append(str(packages_of(torch_environment())))
    if client.needs:
        pip_install(environment, *client.needs.split())
    # The paths in a .pth file come after the packages of the environment, so the first line of the
    # file is code that inserts a path at the beginning of sys.path. `addsitedir` also reads the
    # .pth files of the other environments, which some clients need (cutlass).
    text = (
        f"import sys; sys.path[1:1] = {paths[:1]!r}\n"
        f"import site; list(map(site.addsitedir, {paths[1:]!r}))\n"
    )
    (packages_of(environment) / "tvm_ffi_of_this_build.pth").write_text(text)
    (environment / ".ready").touch()
    return environment


def version_of(client: Client, environment: Path) -> str:
    """Return the installed version of a client, or an empty text if it is not a package."""
    if not client.requirement:
        return ""
    name = client.requirement.partition("==")[0]
    program = f"import importlib.metadata as m; print(m.version({name!r}))"
    command = [str(python_of(environment)), "-c", program]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


# ---- steps


def file_of(client: Client) -> Path:
    """Return the file with the steps of a client."""
    return STEPS_DIR / f"{client.steps}_steps.py"


def step_names(client: Client) -> list[str]:
    """Return the names of the steps of a client: the public functions of its file, in order."""
    tree = ast.parse(file_of(client).read_text(encoding="utf-8"))
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    return [function.name for function in functions if not function.name.startswith("_")]


def run_step(client: Client, environment: Path, name: str) -> Step:
    """Run one step in a separate process."""
    file = str(file_of(client))
    program = (
        "import runpy, tvm_ffi\n"
        f"assert tvm_ffi.__file__.startswith({str(SITE)!r}), tvm_ffi.__file__\n"
        f"runpy.run_path({file!r})[{name!r}]()\n"
        f"print('passed {name}')\n"
    )
    variables = dict(os.environ, PYTHONPATH=str(SITE), PYTHONDONTWRITEBYTECODE="1")
    command = [str(python_of(environment)), "-c", program]
    try:
        done = subprocess.run(
            command,
            env=variables,
            cwd=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=STEP_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return Step(name, f"took more than {STEP_SECONDS} s")
    lines = done.stdout.strip().splitlines()
    (environment / f"{name}.log").write_text(done.stdout)
    if done.returncode == 0 and lines and lines[-1] == f"passed {name}":
        return Step(name, "")
    return Step(name, f"exit status {done.returncode}: {lines[-1] if lines else ''}")


# ---- the table


class Row(NamedTuple):
    """One line of the table."""

    client: str
    version: str
    result: str
    problems: list[str]


def run_client(client: Client) -> Row:
    """Install a client and run its steps."""
    try:
        environment = client_environment(client)
    except NotInstallableError as reason:
        return Row(client.name, "", f"skipped: {reason}", [])
    steps = [run_step(client, environment, name) for name in step_names(client)]
    passed = sum(not step.problem for step in steps)
    problems = [f"{client.name} {step.name}: {step.problem}" for step in steps if step.problem]
    version = version_of(client, environment)
    return Row(client.name, version, f"{passed} of {len(steps)}", problems)


def table(rows: list[Row]) -> str:
    """Return the rows as text."""
    lines = [("client", "version", "steps passed"), *(row[:3] for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(2)]
    return "\n".join(f"{a:{widths[0]}}  {b:{widths[1]}}  {c}" for a, b, c in lines)


def main() -> int:
    """Run the clients and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="clients to run; all without one")
    parser.add_argument("--list", action="store_true", help="print the clients and their steps")
    arguments = parser.parse_args()
    known = {client.name: client for client in CLIENTS}
    unknown = [name for name in arguments.names if name not in known]
    if unknown:
        parser.error(f"no client is named {unknown[0]!r}; there are {', '.join(known)}")
    chosen = [known[name] for name in arguments.names] or list(CLIENTS)
    if arguments.list:
        for client in chosen:
            print(f"{client.name}: {client.requirement}: {', '.join(step_names(client))}")
        return 0
    if not (SITE / "tvm_ffi").is_dir():
        print(f"clients: {SITE} is missing: run make build", file=sys.stderr)
        return 2
    CLIENTS_DIR.mkdir(parents=True, exist_ok=True)
    rows = []
    for client in chosen:
        rows.append(run_client(client))
        print(f"{client.name}: {rows[-1].result}", file=sys.stderr, flush=True)
    print(table(rows))
    problems = [problem for row in rows for problem in row.problems]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

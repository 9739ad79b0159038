# SPDX-License-Identifier: Apache-2.0
"""Test ``tvm-ffi-provide`` in separate environments without native code.

A small wheel with the name of the distribution has only the Python files that the command needs.
``test_living_with_clients.py`` uses the real wheel.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from outside import ROOT, clean_environment
from running import execute

from tvm_ffi import _distribution
from wheels import write_wheel

OURS = _distribution.DISTRIBUTION
NEWEST = _distribution.PEER_RELEASE
PROVIDE = ("--version", NEWEST)
SOURCES = ROOT / "python"
FILES = {
    "tvm_ffi/__init__.py": "",
    **{
        path.relative_to(SOURCES).as_posix(): path.read_text()
        for path in (
            SOURCES / "tvm_ffi" / "_distribution.py",
            SOURCES / "tvm_ffi" / "_version.py",
            *(SOURCES / "tvm_ffi_commands").glob("*.py"),
        )
    },
}


class Environment:
    """A virtual environment without pip; the tests use their own pip to change its packages."""

    def __init__(self, folder):
        self.folder = folder
        venv.create(folder, with_pip=False, symlinks=True)
        self.python = folder / "bin" / "python"
        self.site = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
        self.command = folder / "bin" / "tvm-ffi-provide"
        self.wheels = folder / "wheels"
        self.wheels.mkdir()

    def run(self, *command, **variables):
        done = execute(
            *command,
            status=None,
            env={**clean_environment(), "PYTHONDONTWRITEBYTECODE": "1", **variables},
            cwd=self.folder,
        )
        return done.returncode, done.stdout + done.stderr

    def pip(self, *arguments):
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
        return self.run(*pip, "--python", self.python, *arguments)

    def install(self, *requirements):
        status, said = self.pip("install", "--no-index", "--find-links", self.wheels, *requirements)
        assert status == 0, said
        return said

    def provide(self, *arguments, **variables):
        return self.run(self.command, *arguments, **variables)

    def stand_ins(self):
        return sorted(path.name for path in self.site.glob("apache_tvm_ffi-*"))

    def hidden(self):
        return [path.name for path in self.site.glob(".tvm-ffi-provide*")]


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    """Make an environment with this distribution, and a folder with client and peer wheels."""
    made = Environment(tmp_path_factory.mktemp("pristine") / "environment")
    scripts = {"tvm-ffi-provide": "tvm_ffi_commands.provide:__main__"}
    write_wheel(made.wheels, OURS, _distribution.VERSION, FILES, scripts=scripts)
    real = {"tvm_ffi/__init__.py": "real = True\n", "tvm_ffi/only_there.py": ""}
    for version in ("0.1.12", NEWEST):
        write_wheel(made.wheels, "apache-tvm-ffi", version, real)
    pins = {"exact": f"=={NEWEST}", "old": "==0.1.12", "range": ">=0.1.11,<0.1.13"}
    for name, pin in pins.items():
        files = {f"client_{name}.py": "import tvm_ffi\n"}
        write_wheel(made.wheels, f"client-{name}", "1.0", files, [f"apache-tvm-ffi{pin}"])
    made.install(OURS)
    shutil.copytree(made.site, made.folder / "saved")
    shutil.copy(made.command, made.folder / "saved_command")
    return made


@pytest.fixture
def environment(pristine):
    """Return the environment; restore its installed files after the test."""
    yield pristine
    shutil.rmtree(pristine.site)
    shutil.copytree(pristine.folder / "saved", pristine.site)
    shutil.copy(pristine.folder / "saved_command", pristine.command)


def is_intact(environment):
    text = (environment.site / "tvm_ffi" / "__init__.py").read_text()
    return text == "" and not (environment.site / "tvm_ffi" / "only_there.py").exists()


def test_without_it_a_client_overwrites_the_package(environment):
    environment.install("client-exact")
    assert not is_intact(environment)


@pytest.mark.parametrize(
    ("client", "version"),
    [("client-exact", NEWEST), ("client-old", "0.1.12"), ("client-range", "0.1.12")],
)
def test_a_client_is_installed_beside_it(environment, client, version):
    status, said = environment.provide("--version", version)
    assert (status, said.split(":")[0]) == (
        0,
        f"apache-tvm-ffi {version} is provided by {OURS} {_distribution.VERSION}",
    )
    environment.install(client)
    assert is_intact(environment)
    assert environment.pip("check") == (0, "No broken requirements found.\n")
    module = client.replace("-", "_")
    assert environment.run(environment.python, "-c", f"import {module}") == (0, "")


def test_a_pin_that_does_not_match_is_refused_by_pip(environment):
    environment.provide("--version", "0.1.12")
    status, said = environment.pip(
        "install", "--no-index", "--find-links", environment.wheels, "--no-deps", "client-exact"
    )
    assert status == 0, said
    status, said = environment.pip("check")
    assert status == 1
    assert f"has requirement apache-tvm-ffi=={NEWEST}, but you have apache-tvm-ffi 0.1.12" in said


def test_what_installers_are_told(environment):
    environment.provide(*PROVIDE)
    status, said = environment.pip("show", "--files", "apache-tvm-ffi")
    assert status == 0
    shown = dict(line.split(": ", 1) for line in said.splitlines() if ": " in line)
    assert shown["Version"] == NEWEST
    assert shown["Requires"] == OURS
    assert f"the package tvm_ffi is that of {OURS}" in shown["Summary"]
    info = environment.site / f"apache_tvm_ffi-{NEWEST}.dist-info"
    assert {path.name for path in info.iterdir()} == {
        *("INSTALLER", "METADATA", "RECORD", "REQUESTED", "WHEEL")
    }
    assert "tvm-ffi-provide --remove" in (info / "METADATA").read_text()
    mode = (environment.site / "tvm_ffi").stat().st_mode
    assert info.stat().st_mode == mode  # as readable for other users as the package


def test_the_record_has_the_hashes_of_the_files(environment):
    environment.provide(*PROVIDE)
    program = (
        "import importlib.metadata as m, hashlib, base64\n"
        "files = m.distribution('apache-tvm-ffi').files\n"
        "for f in files:\n"
        "    content = f.locate().read_bytes()\n"
        "    if f.name != 'RECORD':\n"
        "        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())\n"
        "        assert (f.size, f.hash.value) == (len(content), digest.decode().rstrip('='))\n"
        "print(len(files))"
    )
    assert environment.run(environment.python, "-c", program) == (0, "5\n")


def test_remove_undoes_it(environment):
    before = sorted(environment.site.rglob("*"))
    environment.provide(*PROVIDE)
    status, said = environment.provide("--remove")
    assert (status, said.split()[0]) == (0, "removed")
    assert sorted(environment.site.rglob("*")) == before
    assert environment.provide("--remove") == (0, "no stand-in for apache-tvm-ffi is installed\n")


def test_remove_takes_no_version(environment):
    environment.provide("--version", "0.1.12")
    for version in ("0.1.11", NEWEST):
        status, said = environment.provide("--version", version, "--remove")
        assert (status, "--remove removes the stand-in of every release" in said) == (2, True)
    assert environment.provide("--remove")[1].startswith("removed ")


def test_pip_uninstall_removes_it_and_nothing_else(environment):
    before = sorted(environment.site.rglob("*"))
    environment.provide(*PROVIDE)
    status, said = environment.pip("uninstall", "--yes", "apache-tvm-ffi")
    assert (status, "Successfully uninstalled" in said) == (0, True)
    assert sorted(environment.site.rglob("*")) == before


def test_a_second_run_changes_nothing(environment):
    environment.provide("--version", "0.1.12")
    (name,) = environment.stand_ins()
    before = (environment.site / name).stat()
    status, said = environment.provide("--version", "0.1.12")
    ours = f"{OURS} {_distribution.VERSION}"
    assert (status, said) == (0, f"apache-tvm-ffi 0.1.12 is provided by {ours} already\n")
    assert (environment.site / name).stat() == before


def test_another_version_replaces_the_first(environment):
    environment.provide("--version", "0.1.12")
    status, said = environment.provide("--version", "0.1.14.post1")
    assert (status, "replacing 0.1.12" in said) == (0, True)
    assert environment.stand_ins() == ["apache_tvm_ffi-0.1.14.post1.dist-info"]
    assert environment.hidden() == []


def test_a_damaged_stand_in_is_written_again(environment):
    environment.provide(*PROVIDE)
    (name,) = environment.stand_ins()
    (environment.site / name / "METADATA").write_text("Name: apache-tvm-ffi\nVersion: 0\n")
    environment.provide(*PROVIDE)
    assert f"Version: {NEWEST}\n" in (environment.site / name / "METADATA").read_text()
    assert environment.hidden() == []


def test_a_dry_run_changes_nothing(environment):
    before = sorted(environment.site.rglob("*"))
    status, said = environment.provide(*PROVIDE, "--dry-run")
    path = environment.site / f"apache_tvm_ffi-{NEWEST}.dist-info"
    assert (status, said) == (0, f"would write {path}\n")
    assert sorted(environment.site.rglob("*")) == before
    environment.provide(*PROVIDE)
    status, said = environment.provide("--dry-run", "--remove")
    assert (status, said) == (0, f"would remove {path}\n")
    assert path.is_dir()


def test_versions_are_normalized(environment):
    environment.provide("--version", "v0.1.15-POST.2")
    assert environment.stand_ins() == ["apache_tvm_ffi-0.1.15.post2.dist-info"]


def test_a_newer_release_is_provided_with_a_warning(environment):
    status, said = environment.provide("--version", "0.1.99")
    assert status == 0
    assert f"implements the interface of apache-tvm-ffi {NEWEST}; clients of 0.1.99" in said


# ---- refusals ----


@pytest.mark.parametrize("version", ["", "newest", "0.1.", "==0.1.12", ">=0.1", "0.1.12 0.1.13"])
def test_a_text_that_is_not_a_version_is_refused(environment, version):
    status, said = environment.provide("--version", version)
    assert (status, environment.stand_ins()) == (1, [])
    assert f"{version!r} is not a version as PEP 440 defines it, such as {NEWEST}" in said


@pytest.mark.parametrize("version", ["0.2.0", "1.0", "1!0.1.12", "0"])
def test_a_release_with_another_abi_is_refused(environment, version):
    status, said = environment.provide("--version", version)
    assert (status, environment.stand_ins()) == (1, [])
    assert "has another ABI" in said
    assert "implements the ABI 0.1" in said


@pytest.mark.parametrize("arguments", [PROVIDE, ("--remove",), (*PROVIDE, "--dry-run")])
def test_a_real_peer_is_left_alone(environment, arguments):
    environment.install("client-old")
    # The peer does not have the command `tvm-ffi-provide`, so the command of this distribution is
    # still installed.
    status, said = environment.provide(*arguments)
    assert (status, environment.stand_ins()) == (1, ["apache_tvm_ffi-0.1.12.dist-info"])
    assert said.splitlines() == [
        f"tvm-ffi-provide: apache-tvm-ffi 0.1.12 is installed, and has replaced files of {OURS}. "
        "First run:",
        "    pip uninstall apache-tvm-ffi",
        "    pip install --force-reinstall --no-deps .  # in a clone of the repository",
    ]


def test_the_commands_of_the_refusal_repair_the_environment(environment):
    environment.install("client-old")
    assert environment.pip("uninstall", "--yes", "apache-tvm-ffi")[0] == 0
    environment.install("--force-reinstall", "--no-deps", OURS)
    assert environment.provide("--version", "0.1.12")[0] == 0
    assert is_intact(environment)
    assert environment.pip("check")[0] == 0


def test_a_peer_that_is_found_first_is_refused(environment, tmp_path):
    earlier = tmp_path / "earlier"
    info = earlier / "apache_tvm_ffi-0.1.9.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: apache-tvm-ffi\nVersion: 0.1.9\n")
    status, said = environment.provide(*PROVIDE, PYTHONPATH=str(earlier))
    assert status == 1
    assert f"apache-tvm-ffi 0.1.9 is installed in {earlier}, which Python searches before" in said


def test_a_source_tree_is_not_an_installation(environment):
    variables = {"PYTHONPATH": str(SOURCES)}
    command = (environment.python, "-m", "tvm_ffi_commands.provide", *PROVIDE)
    status, said = environment.run(*command, **variables)
    assert (status, environment.stand_ins()) == (1, [])
    assert f"is not part of an installation of {OURS} in the environment of" in said
    environment.pip("uninstall", "--yes", OURS)
    status, said = environment.run(*command, **variables)
    assert (status, "run in a clone: pip install ." in said) == (1, True)


def test_an_editable_installation_is_one(environment):
    info = environment.site / f"{OURS.replace('-', '_')}-{_distribution.VERSION}.dist-info"
    url = {"url": SOURCES.as_uri(), "dir_info": {"editable": True}}
    (info / "direct_url.json").write_text(json.dumps(url))
    command = (environment.python, "-m", "tvm_ffi_commands.provide", *PROVIDE)
    assert environment.run(*command, PYTHONPATH=str(SOURCES))[0] == 0
    assert environment.stand_ins() == [f"apache_tvm_ffi-{NEWEST}.dist-info"]


@pytest.mark.parametrize("arguments", [PROVIDE, (*PROVIDE, "--dry-run")])
def test_an_environment_that_the_system_manages_is_refused(environment, tmp_path, arguments):
    library = tmp_path / "library"
    library.mkdir()
    (library / "EXTERNALLY-MANAGED").write_text("[externally-managed]\nError=no\n")
    program = (
        "import sys, sysconfig\n"
        "paths = sysconfig.get_path\n"
        f"sysconfig.get_path = lambda n: {str(library)!r} if n == 'stdlib' else paths(n)\n"
        "sys.base_prefix = sys.prefix\n"
        "from tvm_ffi_commands.provide import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    command = (environment.python, "-c", program, *arguments)
    status, said = environment.run(*command)
    assert (status, environment.stand_ins()) == (1, [])
    assert "this Python is managed by the system" in said
    assert environment.run(*command, "--break-system-packages")[0] == 0


def test_a_directory_that_is_not_writable_is_refused(environment):
    program = (
        "import os, sys\n"
        "os.access = lambda path, mode: False\n"
        "from tvm_ffi_commands.provide import main\n"
        "sys.exit(main(['--version', '0.1.12']))"
    )
    status, said = environment.run(environment.python, "-c", program)
    assert (status, environment.stand_ins()) == (1, [])
    assert said == f"tvm-ffi-provide: {environment.site} is not writable for you\n"


@pytest.mark.parametrize("failing", ["open", "os.rename"])
def test_a_failure_leaves_nothing_behind(environment, failing):
    module, _, name = failing.rpartition(".")
    target = f"{module}.{name}" if module else f"builtins.{name}"
    program = (
        "import builtins, os, sys\n"
        "from tvm_ffi_commands import provide\n"
        "def fail(*arguments, **keywords):\n"
        "    if 'w' in str(arguments[1])[:1] or 'dist-info' in str(arguments[1]):\n"
        "        raise OSError(28, 'No space left on device')\n"
        "    return before(*arguments, **keywords)\n"
        f"before = {target}\n"
        f"{target} = fail\n"
        "sys.exit(provide.main(['--version', '0.1.12']))"
    )
    status, said = environment.run(environment.python, "-c", program)
    assert (status, "No space left on device" in said) == (1, True)
    assert (environment.stand_ins(), environment.hidden()) == ([], [])


def test_many_processes_at_once(environment):
    started = [
        subprocess.Popen(
            [environment.command, "--version", ("0.1.12", "0.1.13.post3")[i % 2]],
            env=clean_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for i in range(6)
    ]
    said = [process.communicate()[0] for process in started]
    assert "Traceback" not in "".join(said)
    environment.provide("--version", "0.1.12")
    assert environment.stand_ins() == ["apache_tvm_ffi-0.1.12.dist-info"]
    assert environment.hidden() == []


def test_no_native_code_is_loaded(environment):
    program = (
        "import sys; from tvm_ffi_commands import provide\n"
        "provide.main(['--version', '0.1.12', '--dry-run'])\n"
        "print('tvm_ffi.core' in sys.modules, 'tvm_ffi._native' in sys.modules)"
    )
    status, said = environment.run(environment.python, "-c", program)
    assert (status, said.splitlines()[-1]) == (0, "False False")
    # The environment has the package, so the program has imported this package.
    assert os.listdir(environment.site / "tvm_ffi")

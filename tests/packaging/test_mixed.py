# SPDX-License-Identifier: Apache-2.0
"""Test the package after another distribution has replaced or removed some of its files.

Each test copies the package and writes the metadata that an installer would write. Then it changes
files of the copy as the installation of another distribution would.
"""

import base64
import csv
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from outside import ROOT, clean_environment
from running import execute

import tvm_ffi
from tvm_ffi import _distribution
from tvm_ffi.stub import elf

PACKAGE = Path(tvm_ffi.__file__).parent
OURS = _distribution.DISTRIBUTION
REPAIR = "pip install --force-reinstall --no-deps .  # in a clone of the repository"
linux = pytest.mark.skipif(sys.platform != "linux", reason="makes ELF files")


def describe(site, name, version, files):
    """Write the metadata of an installed distribution."""
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "INSTALLER").write_text("pip\n")
    with (info / "RECORD").open("w", newline="") as stream:
        for path in files:
            content = path.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode()
            row = [path.relative_to(site).as_posix(), f"sha256={digest.rstrip('=')}", len(content)]
            csv.writer(stream, lineterminator="\n").writerow(row)


@pytest.fixture
def site(tmp_path):
    """Return a directory with the package as an installer writes it."""
    made = tmp_path / "site"
    leave = shutil.ignore_patterns("__pycache__", "include", "src", "share", "*_testing*", "*.a")
    shutil.copytree(PACKAGE, made / "tvm_ffi", ignore=leave)
    shutil.copyfile(ROOT / "python" / "without_package.py", made / "tvm_ffi.py")
    files = [path for path in (made / "tvm_ffi").rglob("*") if path.is_file()]
    describe(made, OURS, _distribution.VERSION, files)
    return made


def run(site, program):
    environment = {**clean_environment(), "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    if "LD_PRELOAD" in os.environ:  # The copied extension needs the runtime of a sanitizer.
        environment["LD_PRELOAD"] = os.environ["LD_PRELOAD"]
    done = execute(sys.executable, "-c", program, status=None, env=environment, cwd=site)
    return done.returncode, done.stdout + done.stderr


def test_an_intact_installation_is_imported(site):
    program = (
        "import tvm_ffi, tvm_ffi._distribution as d\n"
        "print(d.describe_mixture(), tvm_ffi.Array([1]))"
    )
    status, said = run(site, program)
    assert (status, said.split()[0]) == (0, "None")


def test_a_normal_import_does_not_look(site):
    program = "import sys, tvm_ffi; print('tvm_ffi._distribution' in sys.modules)"
    assert run(site, program) == (0, "False\n")


def test_modules_of_another_package_with_this_extension(site):
    (site / "tvm_ffi" / "__init__.py").write_text("from . import core\n")
    status, said = run(site, "import tvm_ffi")
    assert status == 1
    assert "ImportError: the modules of tvm_ffi belong to another installation than its ext" in said
    assert said.rstrip().splitlines()[-3:-1] == [
        "    pip uninstall apache-tvm-ffi",
        f"    {REPAIR}",
    ]


def test_the_package_without_its_init(site):
    (site / "tvm_ffi" / "__init__.py").unlink()
    status, said = run(site, "import tvm_ffi")
    assert status == 1
    assert "ImportError: the package tvm_ffi has no __init__.py" in said
    assert said.rstrip().endswith(REPAIR)


def test_a_command_of_the_package_without_its_init(site):
    shutil.copytree(ROOT / "python" / "tvm_ffi_commands", site / "tvm_ffi_commands")
    (site / "tvm_ffi" / "__init__.py").unlink()
    for command, argument in (("provide", "--remove"), ("config", "--libdir"), ("cache", "dir")):
        program = f"import sys; sys.argv = ['command', {argument!r}]\n"
        program += f"from tvm_ffi_commands.{command} import __main__; sys.exit(__main__())"
        status, said = run(site, program)
        assert status == 1
        assert said.startswith("command: the package tvm_ffi has no __init__.py: files of ")
        assert said.rstrip().endswith(REPAIR)


@linux
def test_the_runtime_was_removed(site):
    (site / "tvm_ffi" / "lib" / "libtvm_ffi.so").unlink()
    for program in ("import tvm_ffi", "from tvm_ffi import Array", "import tvm_ffi.config"):
        status, said = run(site, program)
        assert status == 1
        assert "MixedInstallationError: the native extension of tvm_ffi cannot be loaded" in said
        assert f"files of {OURS} {_distribution.VERSION} in {site / 'tvm_ffi'} were" in said
        assert "another installation: tvm_ffi/lib/libtvm_ffi.so. To repair this:" in said
        assert said.rstrip().endswith(REPAIR)


@linux
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_the_runtime_of_another_version(site, tmp_path):
    """Replace the runtime by another version with the same symbols, as the peer may do."""
    core = site / "tvm_ffi" / Path(tvm_ffi.core.__file__).name
    names = sorted(
        n for n in elf.read_symbols(core.read_bytes()).undefined if n.startswith("TVMFFI")
    )
    source = tmp_path / "other.c"
    source.write_text(
        "void TVMFFIGetVersion(unsigned* v) { v[0] = 0; v[1] = 1; v[2] = 12; }\n"
        + "".join(f"void {name}(void) {{}}\n" for name in names if name != "TVMFFIGetVersion")
    )
    library = site / "tvm_ffi" / "lib" / "libtvm_ffi.so"
    library.unlink()
    command = ["gcc", "-shared", "-fPIC", "-Wl,-soname,libtvm_ffi.so", source, "-o", library]
    subprocess.run(command, check=True)
    describe(site, "apache-tvm-ffi", "0.1.12", [library])
    status, said = run(site, "import tvm_ffi")
    assert status == 1
    expected = (
        f"was built for the runtime {tvm_ffi.__version__}, but {library} is the runtime 0.1.12"
    )
    assert expected in said
    assert "apache-tvm-ffi 0.1.12 is installed into the same directory" in said
    assert said.rstrip().splitlines()[-3:] == [
        "    pip uninstall apache-tvm-ffi",
        f"    {REPAIR}",
        "    tvm-ffi-provide --version 0.1.12  # for packages that require apache-tvm-ffi",
    ]


def test_the_report_compares_all_files(site):
    with (site / "tvm_ffi" / "container.py").open("a") as stream:
        stream.write("\n")
    describe(site, "apache-tvm-ffi", "0.1.12", [])
    status, said = run(site, "from tvm_ffi import __main__ as m; print(m._installation())")
    assert status == 0
    assert "replaced or removed by another installation: tvm_ffi/container.py." in said
    assert "'apache-tvm-ffi': '0.1.12'" in said


def test_a_stand_in_is_not_another_installation(site):
    describe(site, "apache-tvm-ffi", "0.1.12", [])
    (site / "apache_tvm_ffi-0.1.12.dist-info" / "INSTALLER").write_text("tvm-ffi-provide\n")
    status, said = run(site, "from tvm_ffi import __main__ as m; print(m._installation())")
    assert status == 0
    assert "0.1.12 (a stand-in, written by tvm-ffi-provide)" in said
    assert "'files': 'as they were installed'" in said


def test_libraries_are_found_beside_a_stand_in(site):
    """Look up libraries by the name of the peer, for which only a stand-in is installed."""
    describe(site, "apache-tvm-ffi", "0.1.12", [])
    program = (
        "from tvm_ffi import libinfo\n"
        "print(libinfo._find_library_by_basename('apache-tvm-ffi', 'tvm_ffi', "
        "use_fallback_build_path=False, use_env_path=False))"
    )
    assert run(site, program) == (0, f"{site / 'tvm_ffi' / 'lib' / 'libtvm_ffi.so'}\n")

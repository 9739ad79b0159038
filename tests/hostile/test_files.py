# SPDX-License-Identifier: Apache-2.0
"""Give files that cannot be read to the end, or at all, to every command and every loader."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from child import SANITIZED
from running import execute

import tvm_ffi

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes with names")

MODULES = {
    "inspect": "tvm_ffi.stub.inspect_command",
    "stubgen": "tvm_ffi.stub.cli",
    "embed_cubin": "tvm_ffi.utils.embed_cubin",
    "schema": "tvm_ffi_schema.commands.cli",
}
# Each `@` stands for a file, with the suffix that follows.
COMMANDS = [
    "inspect @.so",
    "inspect --abi-floor @.so",
    "inspect --abi-floor @.whl",
    "stubgen @.py",
    "stubgen --target rust @.rs",
    "stubgen --dlls @.so ok.py",
    "stubgen --init-pypkg p --init-lib f --init-prefix x. --dlls @.so out",
    "embed_cubin --cubin @.cubin --input-obj ok.py --output-obj o.o --name n",
    "embed_cubin --cubin ok.py --input-obj @.o --output-obj o.o --name n",
    *(f"schema {c} @.py" for c in ("generate", "check", "validate", "export")),
    *(f"schema generate @.{s}" for s in ("tfs", "so", "tschema.json")),
    "schema generate --config @.toml ok.py",
    "schema generate --inplace @.h ok.py",
    "schema validate --cpp @.h ok.py",
    "schema validate --lib @.so ok.py",
    "schema export --as schema @.so",
    "schema export --as schema @.tfs",
    "schema breaking ok.py --against @.json",
    "schema generate --dry-run @.py ok.py",
    "schema adopt @.h",
    "schema build -o x.so ok.py --sources @.cc",
]
LOADERS = {
    "tvm_ffi.load_module(path)": ".so",
    "tvm_ffi.load_module(os.fsencode(path))": ".so",
    "tvm_ffi.load_module(path) ": ".tfs",
    "tvm_ffi.cpp.load('hostile', sources=path)": ".cc",
    "tvm_ffi.cpp.build('hostile', sources=path)": ".o",
    "tvm_ffi.libinfo.load_lib_ctypes('none', 'given', 'RTLD_LOCAL', [Path.cwd()])": ".so",
    "tvm_ffi.libinfo.load_lib_module('none', 'given', [Path.cwd()])": ".so",
    "tvm_ffi_schema.load(path)": ".tfs",
    "tvm_ffi_schema.load(os.fsencode(path))": ".so",
    "tvm_ffi.utils.embed_cubin.embed_cubin(path, path, 'o.o', 'n')": ".o",
}
# Commands that write to `@`; `lib.so` is a library.
OUTPUTS = [
    "inspect --html @.html lib.so",
    "stubgen --coverage-out @.json ok.py",
    "embed_cubin --cubin ok.py --input-obj lib.so --output-obj @.o --name n",
    "schema export ok.py -o @.tschema.json",
    "schema export --as schema ok.py -o @.py",
    "schema adopt ok.h -o @.py",
]
CLASS = """
class NodeObj : public tvm::ffi::Object {
 public:
  int64_t value;
  TVM_FFI_DECLARE_OBJECT_INFO("files.Node", NodeObj, tvm::ffi::Object);
};
TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<NodeObj>().def_rw("value", &NodeObj::value);
}
"""
_SECONDS = 60
_BYTES = 4 << 30  # Reading /dev/zero to its end shall not take the memory of the machine.


def _make(kind, path):
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "endless":
        path.symlink_to("/dev/zero")
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)  # Relative: the length of these names is limited.
    elif kind == "directory":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "unreadable":
        path.touch(0o200)
        if os.access(path, os.R_OK):
            pytest.skip("this user may read everything")


def _run(program, *arguments, cwd, environment):
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({_BYTES}, {_BYTES}))\n"
    if SANITIZED:  # a sanitizer needs terabytes of address space for its shadow memory
        limit = ""
    return execute(
        sys.executable,
        "-c",
        limit + program,
        *arguments,
        status=None,
        cwd=cwd,
        env={**environment, "TVM_FFI_CACHE_DIR": str(cwd / "cache")},
        stdin=subprocess.DEVNULL,
        timeout=_SECONDS,
    )


@pytest.fixture
def environment():
    """Return environment variables with which a new interpreter finds the package."""
    return {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}


def _needs_schema(text):
    if "schema" in text:
        pytest.importorskip("tvm_ffi_schema")


@pytest.mark.parametrize("kind", ["fifo", "endless", "missing", "unreadable"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_has_no_end_is_refused(command, kind, tmp_path, monkeypatch, environment):
    _needs_schema(command)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ok.py").write_text("import tvm_ffi_schema as s\n")
    name, *arguments = command.split()
    suffix = next(one.partition("@")[2] for one in arguments if "@" in one)
    _make(kind, tmp_path / f"given{suffix}")
    _refuses(_run_command(name, arguments, tmp_path, environment))


def _run_command(name, arguments, folder, environment):
    program = f"import sys, {MODULES[name]} as m; sys.exit(getattr(m, '__main__', m.main)())"
    names = [one.replace("@", "given") for one in arguments]
    return _run(program, *names, cwd=folder, environment=environment)


def _refuses(done):
    said = done.stdout + done.stderr
    assert 0 < done.returncode < 70, said  # 70: an internal error
    assert "given" in said and "Traceback" not in said and "internal error" not in said


@pytest.fixture
def output(request, tmp_path, monkeypatch):
    """Return the words of a command, and the path of its output, beside the inputs."""
    _needs_schema(request.param)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ok.py").write_text("import tvm_ffi_schema as s\n")
    (tmp_path / "ok.h").write_text(CLASS)
    library = Path(tvm_ffi.libinfo.find_libtvm_ffi())
    (tmp_path / "lib.so").symlink_to(library.with_name("libtvm_ffi_testing.so"))
    words = request.param.split()
    suffix = next(one.partition("@")[2] for one in words if "@" in one)
    return words, tmp_path / f"given{suffix}"


@pytest.mark.parametrize("output", OUTPUTS, indirect=True)
def test_a_pipe_is_written_to_or_refused_but_not_replaced(output, environment):
    (name, *arguments), path = output
    os.mkfifo(path)
    reader = subprocess.Popen(["cat", path], stdout=subprocess.PIPE)
    with open(path, "wb"):  # The reader ends when this and the command have closed the pipe.
        done = _run_command(name, arguments, path.parent, environment)
    received, _ = reader.communicate(timeout=_SECONDS)
    assert path.is_fifo()
    if done.returncode:
        _refuses(done)
    else:
        assert received


@pytest.mark.parametrize("output", OUTPUTS, indirect=True)
def test_a_folder_without_permission_is_a_message(output, environment):
    (name, *arguments), path = output
    closed = path.parent / "given"
    closed.mkdir(mode=0o500)
    if os.access(closed, os.W_OK):
        pytest.skip("this user may write everywhere")
    arguments = [one.replace("@", "given/x") for one in arguments]
    _refuses(_run_command(name, arguments, path.parent, environment))


@pytest.mark.parametrize("kind", ["fifo", "endless", "socket", "directory", "loop", "unreadable"])
@pytest.mark.parametrize("loader", LOADERS)
def test_a_loader_refuses_a_file_that_has_no_end(loader, kind, tmp_path, monkeypatch, environment):
    _needs_schema(loader)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / f"{'lib' * ('libinfo' in loader)}given{LOADERS[loader]}"
    _make(kind, path)
    program = (
        "import os, sys, tvm_ffi, tvm_ffi.cpp, tvm_ffi.libinfo, tvm_ffi.utils.embed_cubin\n"
        "from pathlib import Path\n"
        "path = sys.argv[1]\n"
        + "import tvm_ffi_schema\n"
        * ("schema" in loader)
        + f"try:\n    {loader.strip()}\n"
        "except (OSError, RuntimeError) as error:\n    print(error)\n"
        "else:\n    sys.exit('loaded')\n"
    )
    done = _run(program, str(path), cwd=tmp_path, environment=environment)
    assert (done.returncode, done.stderr) == (0, ""), done
    assert "given" in done.stdout or "/dev/zero" in done.stdout


@pytest.mark.parametrize("kind", ["directory", "socket"])
def test_a_report_that_cannot_be_written_is_a_message(kind, tmp_path, monkeypatch, environment):
    monkeypatch.chdir(tmp_path)
    _make(kind, tmp_path / "report.json")
    program = "import sys, tvm_ffi.stub.cli as m; sys.exit(m.__main__())"
    done = _run(program, "--coverage-out", "report.json", cwd=tmp_path, environment=environment)
    assert done.returncode == 2 and "report.json" in done.stderr, done
    assert "Traceback" not in done.stderr


def test_a_path_with_nul_is_named(tmp_path):
    with pytest.raises(ValueError, match="contains NUL"):
        tvm_ffi.load_module("lib.so\0")


def test_bytes_name_a_build_directory(tmp_path):
    source = tmp_path / "value.c"
    source.write_text("int value;\n")
    built = tvm_ffi.cpp.build("value", sources=source, build_directory=os.fsencode(tmp_path / "b"))
    assert os.path.dirname(built) == str(tmp_path / "b")

# SPDX-License-Identifier: Apache-2.0
"""Test building sources into libraries, and loading the libraries."""

from __future__ import annotations

import inspect
import json
import logging
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
import tvm_ffi.cpp
from tvm_ffi.cpp import build, build_inline, extension, load, load_inline

ADD = "int add(int a, int b) { return a + b; }"


@pytest.fixture
def shared(monkeypatch, shared_cache):
    """Use the cache of the whole session."""
    monkeypatch.setenv("TVM_FFI_CACHE_DIR", str(shared_cache))


# ---- sources as text ----


@pytest.mark.spec("TOOL-X1")
@pytest.mark.parametrize("functions", ["add", ["add"], ("add",), {"add": ""}])
def test_functions_are_given_in_many_forms(shared, functions):
    module = load_inline("forms", cpp_sources=ADD, functions=functions)
    assert module.add(1, 2) == 3
    assert module["add"](3, 4) == 7
    with pytest.raises(AttributeError, match="Module has no function 'g'"):
        _ = module.g


def test_several_sources_are_one(shared):
    sources = ["int two() { return 2; }", "int four() { return two() + two(); }"]
    module = load_inline("several", cpp_sources=sources, functions=["two", "four"])
    assert (module.two(), module.four()) == (2, 4)


def test_tensors_and_errors_are_at_hand(shared):
    numpy = pytest.importorskip("numpy")
    source = """
    void fill(tvm::ffi::TensorView x, double value) {
      if (x.ndim() != 1) TVM_FFI_THROW(ValueError) << "ndim must be 1, got " << x.ndim();
      double* data = static_cast<double*>(x.data_ptr());
      for (int64_t i = 0; i < x.size(0); ++i) data[i] = value;
    }
    """
    module = load_inline("tensors", cpp_sources=source, functions="fill")
    array = numpy.zeros(3)
    module.fill(array, 2.5)
    assert array.tolist() == [2.5] * 3
    with pytest.raises(ValueError, match="ndim must be 1, got 2"):
        module.fill(numpy.zeros((2, 2)), 1.0)


@pytest.mark.spec("TOOL-X8")
def test_documentation_and_metadata_can_be_switched_off(shared):
    doc = 'Add "two"\n\tnumbers \\ \r\n'
    define = ["-DTVM_FFI_DLL_EXPORT_INCLUDE_METADATA=0"]
    module = load_inline("docs", cpp_sources=ADD, functions={"add": doc})
    assert module.get_function_doc("add") == doc
    schema = json.loads(module.get_function_metadata("add")["type_schema"])
    assert schema["type"] == "ffi.Function"
    plain = load_inline("docs", cpp_sources=ADD, functions={"add": doc}, extra_cflags=define)
    assert plain.get_function_metadata("add") is None


def test_result_is_an_absolute_path(shared):
    path = build_inline("forms", cpp_sources=ADD, functions="add")
    assert isinstance(path, str)
    assert os.path.isabs(path)
    assert tvm_ffi.load_module(path).add(1, 1) == 2


# ---- the cache ----


@pytest.mark.spec("TOOL-X3")
def test_directory_is_named_after_name_and_key(cache_dir, c_file):
    path = Path(build("value", sources=str(c_file)))
    assert path.name == "value.so"
    assert path.parent.parent == cache_dir
    assert re.fullmatch(r"value_[0-9a-f]{16}", path.parent.name)


@pytest.mark.spec("TOOL-TO13")
def test_way_of_a_built_library_imports_little(c_file, cache_dir, run_python):
    program = f"""
import sys
before = set(sys.modules)
from tvm_ffi.cpp import load
print(load("value", sources={str(c_file)!r}).value(), *set(sys.modules) - before)
"""
    environment = {"TVM_FFI_CACHE_DIR": str(cache_dir)}
    assert run_python(program, **environment).split()[0] == "1"
    value, *modules = run_python(program, **environment).split()
    assert value == "1"
    dear = {"ctypes", "enum", "dataclasses", "hashlib", "json", "logging", "pathlib", "re"}
    dear |= {"shlex", "shutil", "subprocess", "tvm_ffi.cpp.builder", "typing"}
    assert not dear & set(modules)


@pytest.mark.spec("TOOL-X2", "TOOL-TO13")
def test_second_build_starts_nothing(c_file, counted_cc, monkeypatch):
    first = build("value", sources=str(c_file))
    made = os.stat(first)

    def started(*arguments, **options):
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "run", started)
    assert build("value", sources=str(c_file)) == first
    assert (os.stat(first).st_ino, counted_cc()) == (made.st_ino, 1)


@pytest.mark.spec("TOOL-X3")
def test_flags_and_sources_change_the_directory(c_file, tmp_path):
    other = tmp_path / "other.c"
    other.write_text("int other;")
    paths = {
        build("value", sources=str(c_file), **more)
        for more in (
            {},
            {"extra_cflags": ["-DVALUE=2"]},
            {"extra_ldflags": ["-lm"]},
            {"extra_include_paths": [str(tmp_path)]},
            {"cpp_files": str(other)},
        )
    }
    assert len(paths) == 5


def test_compiler_changes_the_directory(c_file, script, monkeypatch):
    first = build("value", sources=str(c_file))
    compiler = script("my cc", 'exec cc "$@"')
    monkeypatch.setenv("CC", str(compiler))
    second = build("value", sources=str(c_file))
    compiler.write_text(compiler.read_text() + "# newer\n")
    third = build("value", sources=str(c_file))
    assert len({first, second, third}) == 3


@pytest.mark.spec("TOOL-X4")
def test_build_directory_is_used_as_it_is(tmp_path, c_file, cache_dir):
    directory = tmp_path / "new" / "place"
    path = build("value", sources=str(c_file), build_directory=str(directory))
    assert path == str(directory.resolve() / "value.so")
    assert not cache_dir.exists()
    assert load("value", sources=str(c_file), build_directory=directory).value() == 1


def test_changed_flags_in_one_directory(tmp_path, c_file):
    def value(**more):
        path = build("value", sources=str(c_file), build_directory=tmp_path / "d", **more)
        return run_value(path)

    assert value() == 1
    assert value(extra_cflags=["-DVALUE=2"]) == 2
    assert value() == 1


def test_changed_source_is_built_again(c_file, counted_cc):
    path = build("value", sources=str(c_file))
    assert run_value(path) == 1
    c_file.write_text(c_file.read_text().replace("VALUE 1", "VALUE 3"))
    assert build("value", sources=str(c_file)) == path
    assert run_value(path) == 3
    assert counted_cc() == 2


@pytest.mark.spec("TOOL-X17")
def test_changed_header_is_built_again(c_file, tmp_path):
    header = tmp_path / "include" / "value.h"
    header.parent.mkdir()
    header.write_text("#define VALUE 5\n")
    c_file.write_text("#include <value.h>\n" + c_file.read_text())
    options = {"sources": str(c_file), "extra_include_paths": [str(header.parent)]}
    path = build("value", **options)
    assert run_value(path) == 5
    header.write_text("#define VALUE 6\n")
    assert build("value", **options) == path
    assert run_value(path) == 6


def test_removed_library_is_built_again(c_file):
    path = build("value", sources=str(c_file))
    os.remove(path)
    assert build("value", sources=str(c_file)) == path
    assert run_value(path) == 1


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"tvm-ffi build 1", b"tvm-ffi build 1\n\nend", b"\xff\xfe"]
)
def test_damaged_record_is_ignored(c_file, counted_cc, content):
    path = build("value", sources=str(c_file))
    Path(path).with_name("build.record").write_bytes(content)
    assert build("value", sources=str(c_file)) == path
    assert run_value(path) == 1


def run_value(path):
    """Call the function in a new process, since this process may have loaded an older library."""
    program = "import sys, tvm_ffi; print(tvm_ffi.load_module(sys.argv[1]).value())"
    environment = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}
    command = [sys.executable, "-c", program, path]
    done = execute(*command, env=environment)
    return int(done.stdout)


# ---- sources as files ----


@pytest.mark.spec("TOOL-X7")
def test_languages_mix(tmp_path, shared):
    (tmp_path / "part.c").write_text("int part(int x) { return x + 1; }")
    (tmp_path / "more.c").write_text("int more(int x) { return x * 2; }")
    (tmp_path / "whole.cc").write_text(
        "#include <tvm/ffi/function.h>\n"
        'extern "C" int part(int); extern "C" int more(int);\n'
        "int whole(int x) { return part(more(x)); }\n"
        "TVM_FFI_DLL_EXPORT_TYPED_FUNC(whole, whole);\n"
    )
    made = build("more", sources=[str(tmp_path / "more.c")], output="more.o")
    assert made.endswith("more.o")
    module = load(
        "mixed",
        sources=tmp_path / "whole.cc",
        cpp_files=[str(tmp_path / "part.c")],
        cuda_files=[made],
    )
    assert module.whole(5) == 11


@pytest.mark.spec("TOOL-X6")
def test_objects_are_merged(tmp_path):
    (tmp_path / "a.c").write_text("int a(void) { return 1; }")
    (tmp_path / "b.c").write_text("int b(void) { return 2; }")
    sources = [str(tmp_path / "a.c"), str(tmp_path / "b.c")]
    made = build("both", sources=sources, output="both.o")
    symbols = execute("nm", made).stdout
    assert {" T a", " T b"} <= {line[line.index(" T") :] for line in symbols.splitlines()}


def test_output_of_any_name_is_a_library(c_file):
    path = build("value", sources=str(c_file), output="other name.so")
    assert Path(path).name == "other name.so"
    assert run_value(path) == 1


def test_library_is_published_whole(c_file):
    path = Path(build("value", sources=str(c_file)))
    assert not list(path.parent.glob(".*.[0-9]*"))
    assert not list(path.parent.glob(".build.*"))


STRANGE = [
    *("-o", "with space", "it's", 'a "b"', "do$$llar$x", "é漢", "a:b", "a&b;c", "(x)"),
    *("#c", "100%"),
]


@pytest.mark.spec("TOOL-TO16")
@pytest.mark.parametrize("strange", STRANGE)
def test_strange_paths(tmp_path, strange, monkeypatch, c_file):
    root = tmp_path / strange
    (root / "inc").mkdir(parents=True)
    (root / "inc" / "value.h").write_text("#define VALUE 7\n")
    source = root / f"{strange}.c"
    source.write_text('#include "value.h"\n' + c_file.read_text())
    monkeypatch.setenv("TVM_FFI_CACHE_DIR", str(root / "cache"))
    options = {"sources": str(source), "extra_include_paths": [str(root / "inc")]}
    path = build(strange, **options)
    assert run_value(path) == 7
    (root / "inc" / "value.h").write_text("#define VALUE 8\n")
    assert build(strange, **options) == path
    assert run_value(path) == 8
    made = build(strange, output=f"{strange}.o", **options)
    assert Path(made).is_file()


# ---- rejected input ----


@pytest.mark.spec("TOOL-X9")
def test_no_sources():
    for make in (
        lambda: build("none"),
        lambda: load("none", sources=[]),
        lambda: build_inline("none"),
        lambda: load_inline("none", cpp_sources=""),
    ):
        with pytest.raises(ValueError, match=r"^sources must be provided\. Name"):
            make()


def test_a_source_that_does_not_exist(c_file, tmp_path):
    """Before the fix, the error was a RuntimeError with a message of ninja."""
    missing = str(tmp_path / "missing.cc")
    with pytest.raises(FileNotFoundError, match="a source file does not exist") as raised:
        build("value", sources=[str(c_file)], cpp_files=missing)
    assert raised.value.filename == missing


@pytest.mark.spec("TOOL-TO16")
@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../a", "a\\b", "a\0b", "a\nb", "\x1b[0m"])
def test_names_are_one_component(name, c_file, cache_dir):
    with pytest.raises(ValueError, match="name must be one component of a path"):
        build(name, sources=str(c_file))
    with pytest.raises(ValueError, match="output must be one component of a path"):
        build("value", sources=str(c_file), output=name)
    assert not cache_dir.exists()


@pytest.mark.parametrize("output", ["build.ninja", "lock", "main.cpp", "build.record", "cpp_0.o"])
def test_outputs_that_the_build_writes_itself(output, c_file):
    with pytest.raises(ValueError, match="is a file that the build itself writes"):
        build("value", sources=str(c_file), output=output)


def test_wrong_types(c_file):
    with pytest.raises(TypeError, match="name must be a string, got int: 5"):
        build(5, sources=str(c_file))
    with pytest.raises(TypeError, match=r"extra_cflags\[1\] must be a string, got int: 2"):
        build("value", sources=str(c_file), extra_cflags=["-g", 2])
    with pytest.raises(TypeError, match="cpp_sources"):
        build_inline("value", cpp_sources=[b"int x;"])
    with pytest.raises(TypeError):
        build("value", sources=[b"x.c"])
    with pytest.raises(ValueError, match="line break"):
        build("value", sources=["a\nb.c"])


def test_sources_and_paths_that_are_not_sequences():
    with pytest.raises(TypeError, match="cpp_sources must be a sequence of strings, got bytes"):
        build_inline("value", cpp_sources=b"int x;")
    with pytest.raises(TypeError, match="cpp_sources must be a sequence of strings, got int: 5"):
        build_inline("value", cpp_sources=5)
    with pytest.raises(TypeError, match="sources must be a sequence of paths, got int: 5"):
        build("value", sources=5)


def test_line_break_in_a_flag_writes_no_rule(c_file, tmp_path):
    flag = f"-DX\nrule r\n  command = touch {tmp_path}/written"
    with pytest.raises(ValueError, match=r"extra_cflags\[1\] contains a line break or NUL"):
        build("value", sources=str(c_file), extra_cflags=["-g", flag])


@pytest.mark.spec("TOOL-TO16")
@pytest.mark.parametrize("strange", ["a\nb", "a|b"])
def test_directories_that_no_build_file_can_express(strange, tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="a build path contains a line break"):
        build_inline("value", cpp_sources="int x;", build_directory=tmp_path / strange)
    monkeypatch.setenv("TVM_FFI_CACHE_DIR", str(tmp_path / strange))
    with pytest.raises(ValueError, match="a build path contains a line break"):
        build_inline("value", cpp_sources="int x;")
    assert not (tmp_path / strange).exists()


@pytest.mark.spec("TOOL-TO16")
def test_file_whose_name_is_not_text(tmp_path, c_file):
    source = os.fsdecode(bytes(tmp_path / "value") + b"\xff.c")
    os.rename(c_file, source)
    path = build("value", sources=source)
    assert run_value(path) == 1
    os.utime(source)
    assert build("value", sources=source) == path


@pytest.mark.spec("TOOL-TO15")
@pytest.mark.parametrize(
    ("limit", "message"), [(300, "build.ninja"), (3000, "ninja exited with status")]
)
def test_full_disk_leaves_nothing_that_the_next_build_trips_over(
    c_file, cache_dir, run_python, limit, message
):
    # A limit on file sizes makes writing fail in the same places as a full disk.
    program = f"""
import resource, sys
sys.dont_write_bytecode = True  # It would be cut off, too.
from tvm_ffi.cpp import build
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY))
try:
    build("value", sources={str(c_file)!r})
except (OSError, RuntimeError) as error:
    print(error)
"""
    assert message in run_python(program, TVM_FFI_CACHE_DIR=str(cache_dir))
    assert len(list(cache_dir.iterdir())) == 1
    assert run_value(build("value", sources=str(c_file))) == 1


@pytest.mark.parametrize("functions", ["a b", "1a", "", "ns::f", 'f"'])
def test_functions_are_identifiers(functions):
    with pytest.raises(ValueError, match="identifiers of C"):
        build_inline("bad", cpp_sources=ADD, functions=functions)


@pytest.mark.spec("TOOL-X5")
def test_failing_compiler(tmp_path):
    source = tmp_path / "bad.c"
    source.write_text("int f(void) { return undeclared; }\n")
    with pytest.raises(RuntimeError) as caught:
        build("bad", sources=str(source))
    text = str(caught.value)
    assert text.startswith("ninja exited with status 1\nstdout:\n")
    assert f"{source}:1:" in text
    assert "undeclared" in text
    source.write_text("int f(void) { return 0; }\n")
    assert os.path.exists(build("bad", sources=str(source)))


@pytest.mark.spec("TOOL-TO17")
def test_error_is_shown_in_this_file():
    source = """
    int broken() {
      return no_such_name;
    }
    """
    with pytest.raises(RuntimeError) as caught:
        build_inline("broken", cpp_sources=source, functions="broken")
    lines = Path(__file__).read_text().splitlines()
    number = next(i for i, line in enumerate(lines, 1) if line.strip() == "return no_such_name;")
    assert re.search(
        rf"{re.escape(__file__)}:{number}:\d+: error: .*no_such_name", str(caught.value)
    )


def test_missing_ninja_is_explained(c_file, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(RuntimeError, match=r"needs the program `ninja`.*pip install ninja"):
        build("value", sources=str(c_file))


def test_directory_that_cannot_be_written(c_file, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        build("value", sources=str(c_file), build_directory=tmp_path / "file")


# ---- settings ----


def test_tools_in_a_relative_directory_of_the_path(c_file, tmp_path, monkeypatch):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "ninja").symlink_to(shutil.which("ninja"))
    (tmp_path / "tools" / "cc").mkdir()  # A directory is not a compiler.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"tools:{os.environ['PATH']}")
    assert run_value(build("value", sources=str(c_file))) == 1


@pytest.mark.spec("TOOL-X11")
def test_number_of_jobs(c_file, monkeypatch):
    monkeypatch.setenv("MAX_JOBS", "no number")
    with pytest.raises(RuntimeError, match="MAX_JOBS must be a number, not 'no number'") as failed:
        build("value", sources=str(c_file))
    assert "invalid -j parameter" in str(failed.value)
    monkeypatch.setenv("MAX_JOBS", "1")
    assert run_value(build("value", sources=str(c_file))) == 1


@pytest.mark.spec("TOOL-X11")
@pytest.mark.parametrize(
    ("setting", "streams"), [("1", 2), ("stdout", 1), ("stderr", 1), ("", 0), ("other", 0)]
)
def test_output_is_logged(c_file, monkeypatch, caplog, capfd, setting, streams):
    monkeypatch.setenv("TVM_FFI_CPP_EXTENSION_LOG_BUILD", setting)
    with caplog.at_level(logging.INFO, logger="tvm_ffi.cpp.extension"):
        build("value", sources=str(c_file))
    records = [r for r in caplog.records if r.name == "tvm_ffi.cpp.extension"]
    assert len(records) == streams
    if setting in ("1", "stdout"):
        assert "value.c" in records[0].getMessage()
    assert capfd.readouterr() == ("", "")


@pytest.mark.spec("TOOL-X16")
@pytest.mark.parametrize("keep", [True, False])
def test_keep_module_alive_is_forwarded(c_file, monkeypatch, keep):
    seen = []
    monkeypatch.setattr(
        tvm_ffi.module,
        "load_module",
        lambda path, keep_module_alive: seen.append(keep_module_alive),
    )
    load("value", sources=str(c_file), keep_module_alive=keep)
    assert seen == [keep]


def test_signatures():
    common = ["extra_cflags", "extra_cuda_cflags", "extra_ldflags", "extra_include_paths"]
    inline = ["name", "cpp_sources", "cuda_sources", "functions", *common, "build_directory"]
    files = ["name", "sources", "cpp_files", "cuda_files", *common, "build_directory"]
    expected = {
        build_inline: [*inline, "embed_cubin", "backend", "output", "verbose"],
        load_inline: [*inline, "embed_cubin", "keep_module_alive", "backend", "verbose"],
        build: [*files, "backend", "output", "verbose"],
        load: [*files, "keep_module_alive", "backend", "verbose"],
    }
    for function, names in expected.items():
        parameters = inspect.signature(function).parameters
        assert list(parameters) == names
        assert all(parameters[name].kind is inspect.Parameter.KEYWORD_ONLY for name in names[1:])


def test_published_places():
    names = ["build", "build_inline", "load", "load_inline"]
    assert sorted(tvm_ffi.cpp.__all__) == [*names, "to_cpp_dtype"]
    for name in names:
        assert getattr(extension, name) is getattr(tvm_ffi.cpp, name)


# ---- cubins (arbitrary bytes) ----


@pytest.mark.spec("TOOL-X13")
def test_cubins_are_embedded(shared, monkeypatch):
    source = """
    extern "C" const char __tvm_ffi__cubin_first[], __tvm_ffi__cubin_first_end[];
    extern "C" const char __tvm_ffi__cubin_second[], __tvm_ffi__cubin_second_end[];
    int size(int which) {
      return which == 1 ? __tvm_ffi__cubin_first_end - __tvm_ffi__cubin_first
                        : __tvm_ffi__cubin_second_end - __tvm_ffi__cubin_second;
    }
    """
    monkeypatch.delenv("PYTHONPATH", raising=False)
    cubins = {"second": b"12345", "first": b"x" * 1000}
    options = {"cpp_sources": source, "functions": "size"}
    module = load_inline("cubins", embed_cubin=cubins, **options)
    assert (module.size(1), module.size(2)) == (1000, 5)
    changed = load_inline("cubins", embed_cubin={**cubins, "first": b"y"}, **options)
    assert changed.size(1) == 1


def test_cubins_are_checked():
    for name in ("a b", "", "../a", "é"):
        with pytest.raises(ValueError, match="must be an identifier of C"):
            build_inline("cubins", cpp_sources=ADD, embed_cubin={name: b""})
    with pytest.raises(TypeError, match="embed_cubin must be a mapping, got list"):
        build_inline("cubins", cpp_sources=ADD, embed_cubin=[b"x"])
    with pytest.raises(TypeError, match=r"embed_cubin\['a'\] must be bytes, got str"):
        build_inline("cubins", cpp_sources=ADD, embed_cubin={"a": "text"})

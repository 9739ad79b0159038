# SPDX-License-Identifier: Apache-2.0
"""Test the recording of calls, and running them again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading

import numpy
import pytest

import tvm_ffi
from tvm_ffi import recording, testing
from tvm_ffi.recording import replay

echo = tvm_ffi.get_global_func("testing.echo")


@pytest.fixture
def path(tmp_path):
    yield tmp_path / "calls.jsonl"
    recording.stop()


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def run(path, *options):
    """Return the exit status and the output of the replay command."""
    command = [sys.executable, "-m", "tvm_ffi.recording.replay", str(path), *options]
    ran = subprocess.run(command, capture_output=True, text=True)
    return ran.returncode, ran.stdout + ran.stderr


VALUES = [
    *(None, True, 5, -(2**62), 2**63 - 1, 1.5, float("inf"), "text", "x" * 50, b"bytes"),
    *([1, [2, "a"]], (1, 2), {"k": [1.0, None]}, tvm_ffi.Shape((1, 2))),
    *(tvm_ffi.dtype("float16"), tvm_ffi.device("cpu:0"), tvm_ffi.List([1]), tvm_ffi.Dict({"a": 1})),
    testing.create_object("testing.TestIntPair", a=1, b=2),
    numpy.arange(6, dtype="float32").reshape(2, 3)[:, ::-1],
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_each_kind_of_value_is_replayed(path, value):
    with recording.record(path):
        echo(value)
    calls, tensors = replay.read(str(path))
    report = replay.replay(calls, tensors)
    assert report.difference is None
    assert (report.same, report.skipped) == (1, {})


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of files")
def test_only_the_owner_can_read_a_new_recording(path):
    with recording.record(path):
        echo("secret")
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    with recording.record(path):
        echo("secret")
    assert path.stat().st_mode & 0o777 == 0o644


def test_the_begin_of_a_call_is_written_before_the_call(path):
    seen = []
    callback = tvm_ffi.convert(lambda: seen.append(lines(path)[-1]))
    with recording.record(path):
        tvm_ffi.get_global_func("testing.apply")(callback)
    assert seen[0]["begin"] == 1
    assert seen[0]["function"]["name"] == "testing.apply"


def test_results_of_a_recorded_call_are_the_same_objects(path):
    value = tvm_ffi.Array([1, 2])
    with recording.record(path):
        assert echo(value).same_as(value)
        with pytest.raises(TypeError):
            tvm_ffi.get_global_func("testing.add_one")("text")
    assert [line["error"]["type"] for line in lines(path) if "error" in line] == ["TypeError"]


def test_methods_are_recorded(path):
    pair = testing.create_object("testing.TestIntPair", a=3, b=4)
    with recording.record(path):
        assert pair.sum() == 7
    begin = lines(path)[1]
    assert begin["function"]["kind"] == "method"
    assert begin["function"]["name"].endswith(".sum")
    assert run(path, "--import", "tvm_ffi.testing") == (0, "1 call, no difference\n")


def test_nothing_is_recorded_afterwards_and_the_slots_are_back(path):
    function = tvm_ffi.get_global_func("testing.nop")
    with recording.record(path):
        function(1)
        made = tvm_ffi.convert(lambda x: x)
    size = path.stat().st_size
    function(1)
    assert made(2) == 2
    assert path.stat().st_size == size


def test_a_prepared_call_is_recorded(path):
    prepared = echo.prepare(numpy.zeros(2))
    with recording.record(path):
        prepared(numpy.ones(2))
    assert sum("begin" in line for line in lines(path)) == 1


def test_tensors_are_stored_once_and_changes_are_noted(path):
    array = numpy.zeros(1000)

    def fill(tensor):
        tensor.numpy()[:] = 1

    function = tvm_ffi.convert(fill)
    with recording.record(path):
        function(array)
        function(array)
    tensors = [line for line in lines(path) if "tensor" in line]
    assert len(tensors) == 2
    ends = [line for line in lines(path) if "end" in line]
    assert "changed" in ends[0]
    assert "changed" not in ends[1]


def test_calls_inside_of_calls_have_a_depth_and_are_not_replayed(path):
    tvm_ffi.register_global_func("recording.outer", lambda x: echo(x) + 1, override=True)
    with recording.record(path):
        assert tvm_ffi.get_global_func("recording.outer")(1) == 2
    assert [line["depth"] for line in lines(path) if "begin" in line] == [0, 1]
    calls, tensors = replay.read(str(path))
    assert replay.replay(calls, tensors).same == 1


def test_the_first_difference_is_reported(path):
    results = iter([1, 2, 1, 3])
    tvm_ffi.register_global_func("recording.next", lambda: next(results), override=True)
    function = tvm_ffi.get_global_func("recording.next")
    with recording.record(path):
        function()
        function()
    calls, tensors = replay.read(str(path))
    report = replay.replay(calls, tensors)
    assert report.text() == (
        "call 2 of recording.next differs in the result:\n  recorded: 2\n  now:      3"
    )


def test_an_error_that_is_gone_is_a_difference(path):
    fail = [True]

    def work():
        if fail[0]:
            raise ValueError("first")

    tvm_ffi.register_global_func("recording.work", work, override=True)
    function = tvm_ffi.get_global_func("recording.work")
    with recording.record(path), pytest.raises(ValueError, match="first"):
        function()
    fail[0] = False
    text = replay.replay(*replay.read(str(path))).text()
    assert "differs in the error" in text
    assert "ValueError" in text


def test_arguments_that_cannot_be_recorded_are_named(path):
    with recording.record(path):
        echo(object())
        echo(1)
    status, output = run(path)
    assert status == 0
    assert "call 1 was not run: an argument was not recorded: <not recorded: <object" in output
    assert output.endswith("1 call, no difference\n")


def test_functions_of_other_processes_are_named(path):
    tvm_ffi.register_global_func("recording.only_here", lambda: 1, override=True)
    with recording.record(path):
        tvm_ffi.get_global_func("recording.only_here")()
    status, output = run(path)
    assert "function recording.only_here is not registered; try --load or --import" in output
    # Such a replay used to end with "0 calls, no difference" and the status 0.
    assert output.endswith("no call could be run, so nothing was compared\n")
    assert status == 2


def test_a_recording_without_calls_is_no_success(path):
    with recording.record(path):
        pass
    assert run(path) == (2, "the recording has no calls, so nothing was compared\n")


def test_threads_are_told_apart(path):
    with recording.record(path):
        threads = [threading.Thread(target=lambda: [echo(i) for i in range(50)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    begins = [line for line in lines(path) if "begin" in line]
    assert len(begins) == 200
    assert {line["depth"] for line in begins} == {0}
    assert replay.replay(*replay.read(str(path))).same == 200


def test_a_recorder_that_fails_does_not_disturb_calls(path, monkeypatch, capsys):
    with recording.record(path):
        monkeypatch.setattr(recording.recorder.Recorder, "_write", lambda *_: 1 / 0)
        monkeypatch.setattr(sys, "unraisablehook", lambda info: print(repr(info.exc_value)))
        assert echo(5) == 5
        assert echo(6) == 6
    assert capsys.readouterr().out.count("ZeroDivisionError") == 1


def test_recording_twice_is_an_error(path):
    with recording.record(path), pytest.raises(RuntimeError, match="already"):
        recording.start(path)
    with pytest.raises(OSError):
        recording.start(path.parent / "absent" / "file")
    recording.stop()


def test_the_environment_variable_records_a_process_and_its_children(path):
    program = (
        "import os, subprocess, sys, tvm_ffi\n"
        "tvm_ffi.get_global_func('testing.nop', True) or tvm_ffi.convert(len)([])\n"
        "if len(sys.argv) == 1: subprocess.run([sys.executable, __file__, 'child'], check=True)\n"
    )
    script = path.with_name("script.py")
    script.write_text(program)
    env = {**os.environ, "TVM_FFI_RECORD": str(path)}
    subprocess.run([sys.executable, str(script)], check=True, env=env)
    files = sorted(p.name for p in path.parent.glob("calls.jsonl*"))
    assert len(files) == 2
    assert all("begin" in (path.parent / name).read_text() for name in files)


@pytest.mark.parametrize("text", ["", "{}\n", "text\n", '{"format": 99}\n', '{"format": 1}\n[]\n'])
def test_a_file_that_is_no_recording_is_refused(path, text):
    path.write_text(text)
    status, output = run(path)
    assert status == 2, output


def test_a_line_that_was_cut_off_ends_the_recording(path):
    with recording.record(path):
        echo(1)
    text = path.read_text()
    path.write_text(text[: len(text) - 10])
    status, output = run(path)
    assert status == 2
    assert "the process ended during the call" in output


def test_a_recording_does_not_replace_a_program(path):
    program = path.with_name("prog.py")
    program.write_text("import tvm_ffi\n")
    env = {**os.environ, "TVM_FFI_RECORD": str(program)}
    ran = subprocess.run([sys.executable, str(program)], env=env, capture_output=True, text=True)
    assert ran.returncode == 1
    assert "TVM_FFI_RECORD: the file exists and is not a recording" in ran.stderr
    assert program.read_text() == "import tvm_ffi\n"
    with pytest.raises(FileExistsError, match="not a recording"):
        recording.start(program)
    assert program.read_text() == "import tvm_ffi\n"


@pytest.mark.skipif(os.name != "posix", reason="needs a device file")
def test_a_recording_replaces_a_recording_and_goes_to_a_device(path):
    for content in (None, "", None):
        if content is not None:
            path.write_text(content)
        with recording.record(path):
            echo(1)
        assert [next(iter(line)) for line in lines(path)] == ["format", "begin", "end"]
    with recording.record("/dev/null"):
        echo(1)

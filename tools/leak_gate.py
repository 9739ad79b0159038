# SPDX-License-Identifier: Apache-2.0
"""Run test modules again and again in one process, and fail where a counter grows every time.

    python tools/leak_gate.py [tests/python/test_list.py ...]

Each module is run three times to settle, so that caches are full and lazy modules loaded, and three
times counted. A counter that grew in all three counted runs is looked at for three more; one that
has then grown in all six is a leak. One round of growth is nothing: interpreters and allocators
keep spare memory. There is a limit below which growth is not counted at all, see `_NOISE`.
When the interpreter of a module is gone, no wrapper that its tests made may be left; those of their
first round do not count, because classes that are loaded at first use keep their methods for ever.

Counted are objects known to the garbage collector, blocks of Python's allocator, references (on a
debug build of Python), bytes that native code holds from malloc, wrappers of native objects, and
open files. What grew is then told by type and by test.
"""

from __future__ import annotations

import ctypes
import gc
import itertools
import mmap
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SETTLING, COUNTED = 3, 3
# Growth per round that says nothing. Python's dictionaries and lists over 512 bytes come from
# malloc too, and the test runner itself keeps a few small things of each run; the smallest native
# object is 24 bytes plus 16 of the allocator, and one is made in each of the many calls of a test.
_NOISE = {"malloc bytes": 1024, "blocks": 40, "collected objects": 1}

# More dead wrappers than the binding keeps the memory of, of either kind.
_MOST_SPARE = 10_000

# Type indices from here on are given out one after another (kTVMFFIDynObjectBegin).
_FIRST_DYNAMIC_TYPE = 128

# The variable that names the file of `AtExit` to the process of a module.
_TOLD_IN = "TVM_FFI_LEFT_AT_EXIT"

# Run by themselves, each in a process; `make test` takes these, `make leaks` all that it finds.
REPRESENTATIVE = [
    "tests/python/test_array.py",
    "tests/python/test_error.py",
    "tests/python/test_function.py",
    "tests/binding/test_wrappers.py",
]
# Modules whose tests start processes, are random, or do what is for good: load modules that stay,
# change files or the registry.
LEFT_OUT = {"test_commands", "test_import", "test_libinfo", "test_lockfile", "test_stub",
            "test_embed_cubin", "test_docstrings", "test_config", "test_models",
            "test_module", "test_type_info", "test_load_errors"}  # fmt: skip


class _Mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
                ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
                 "uordblks", "fordblks", "keepcost")]  # fmt: skip


def _malloc_bytes() -> int:
    """Return the bytes in use of glibc's malloc; 0 where that cannot be told."""
    try:
        tell = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        return 0
    tell.restype = _Mallinfo2
    info = tell()
    return int(info.uordblks + info.hblkhd)


def _counters() -> dict[str, int]:
    from tvm_ffi import core

    for _ in range(3):
        gc.collect()
    counts = {
        "collected objects": len(gc.get_objects()),
        "blocks": sys.getallocatedblocks(),
        "malloc bytes": _malloc_bytes(),
        "wrappers": sum(core._live_wrappers().values()),
        "open files": len(os.listdir("/proc/self/fd")),
    }
    references = getattr(sys, "gettotalrefcount", None)
    return counts if references is None else {**counts, "references": references()}


def _fill_spare_memory() -> None:
    """Let the binding keep as much memory of dead wrappers as it ever does: that is no growth."""
    from tvm_ffi import core, testing

    # A class that the collector knows, and one that it need not know.
    for cls in (testing.TestObjectDerived, testing.TestIntPair):
        wrappers = [core._new_object(cls) for _ in range(_MOST_SPARE)]
        del wrappers


def _number_of_types() -> int:
    """Return how many native types there are, with those that were given up again."""
    from tvm_ffi.libinfo import find_libtvm_ffi

    info = ctypes.CDLL(find_libtvm_ffi()).TVMFFIGetTypeInfo
    info.restype = ctypes.c_void_p
    return next(i for i in itertools.count(_FIRST_DYNAMIC_TYPE) if info(i) is None)


class AtExit:
    """A file that tells how many wrappers were left when a process had ended."""

    SIZE = ctypes.sizeof(ctypes.c_int64)
    NOT_TOLD = -1

    def __init__(self, path: str) -> None:
        """Make the file."""
        self.path = path
        Path(path).write_bytes(self.NOT_TOLD.to_bytes(self.SIZE, sys.byteorder, signed=True))

    @staticmethod
    def ask(path: str) -> None:
        """Have what this process leaves counted."""
        from tvm_ffi import core

        with open(path, "r+b") as file:
            core._count_wrappers_at_exit(mmap.mmap(file.fileno(), AtExit.SIZE))

    def left(self) -> int:
        """Return the number; `NOT_TOLD` when nobody asked or the process was killed."""
        return int.from_bytes(Path(self.path).read_bytes(), sys.byteorder, signed=True)


def _types() -> Counter[str]:
    return Counter(f"{type(x).__module__}.{type(x).__qualname__}" for x in gc.get_objects())


def _is_gated(item: Any) -> bool:
    """Not those whose values Hypothesis draws, nor those that only start another process."""
    elsewhere = {"run_python", "run_enum_program"}.intersection(item.fixturenames)
    return not elsewhere and not hasattr(getattr(item, "obj", None), "hypothesis")


class Gate:
    """A plugin of pytest that takes the place of its loop over the tests."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.tests = 0

    def _once(self, items: list[Any], lasting: bool = True) -> None:
        """Run the tests once. Off the list go those that fail when repeated.

        So do those that define a native type every time, for a type is never given back; unless
        that is not yet known, because the first round defines what is `lasting`.
        """
        from _pytest.runner import runtestprotocol

        for item, following in zip(items.copy(), [*items[1:], None]):
            types = 0 if lasting else _number_of_types()
            reports = runtestprotocol(item, log=False, nextitem=following)
            if any(r.failed for r in reports) or (not lasting and _number_of_types() > types):
                items.remove(item)

    def _growing(self, items: list[Any]) -> dict[str, list[int]]:
        """Run the tests `COUNTED` times; return the counters that grew each time."""
        before = _counters()
        growth: dict[str, list[int]] = {name: [] for name in before}
        for _ in range(COUNTED):
            self._once(items)
            after = _counters()
            for name, value in after.items():
                growth[name].append(value - before[name])
            before = after
        return {n: g for n, g in growth.items() if min(g) > _NOISE.get(n, 0)}

    def _leaks(self, items: list[Any], settling: int) -> dict[str, list[int]]:
        for _ in range(settling):
            self._once(items)
        growing = self._growing(items)
        if not growing:
            return {}
        again = self._growing(items)
        return {n: [*growing[n], *again[n]] for n in growing if n in again}

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run the tests of the module as the gate does."""
        items = [x for x in session.items if _is_gated(x)]
        if session.testsfailed or not items:
            return True
        self._once(items)  # loads what is loaded at first use, for as long as the process lives
        self._once(items, lasting=False)
        _fill_spare_memory()
        if _TOLD_IN in os.environ:
            AtExit.ask(os.environ[_TOLD_IN])
        leaks = self._leaks(items, SETTLING - 2)
        self.tests = len(items)
        if leaks:
            self._blame(items, leaks)
        session._setupstate.teardown_exact(None)
        return True

    def _blame(self, items: list[Any], leaks: dict[str, list[int]]) -> None:
        """Find the tests that leak. Growth that no test shows alone is the test runner's own."""
        found = []
        for item in list(items):
            alone = self._leaks([item], 1)
            if alone:
                what = ", ".join(f"{n} {min(g)}" for n, g in alone.items())
                found.append(f"  {item.nodeid}: {what} each time")
        if not found:
            return
        self.complaints.append(f"{', '.join(f'{n} grew by {g}' for n, g in leaks.items())}")
        before = _types()
        self._once(items)
        gc.collect()
        self.complaints += [f"  {n:+} {name}" for name, n in (_types() - before).most_common(8)]
        self.complaints += found


def run_module(path: str) -> int:
    """Gate one module in this process; 0, or 1 with words on the standard error."""
    import pytest

    gate = Gate()
    status = pytest.main(["-q", "-q", "-p", "no:cacheprovider", "--no-header", path], [gate])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        gate.complaints.append(f"pytest ended with {status}")
    if gate.complaints:
        sys.stderr.write("\n".join([f"{path}:", *gate.complaints]) + "\n")
    else:
        sys.stdout.write(f"{path}: {gate.tests} tests, nothing grows\n")
    return 1 if gate.complaints else 0


def all_modules() -> list[str]:
    """Return the modules that can be gated."""
    found = [*ROOT.glob("tests/python/test_*.py"), *ROOT.glob("tests/python/dataclasses/test_*.py"),
             *ROOT.glob("tests/binding/test_*.py")]  # fmt: skip
    return sorted(str(p.relative_to(ROOT)) for p in found if p.stem not in LEFT_OUT)


def gate_module(path: str) -> bool:
    """Gate one module in a process of its own."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "TVM_FFI_MODEL_STEPS": "40"}
    with tempfile.TemporaryDirectory() as folder:
        at_exit = AtExit(os.path.join(folder, "left"))
        environment[_TOLD_IN] = at_exit.path
        command = [sys.executable, __file__, "--here", path]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
        left = at_exit.left()
    if left > 0:
        sys.stderr.write(f"{path}: {left} wrappers of native objects are left at exit\n")
    return done.returncode == 0 and left <= 0


def main(arguments: list[str]) -> int:
    """Gate modules, each in a process of its own; all of them unless some are named."""
    if arguments[:1] == ["--here"]:
        return run_module(arguments[1])
    if arguments[:1] == ["--quick"]:
        arguments = REPRESENTATIVE
    return 1 if sum(not gate_module(path) for path in arguments or all_modules()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

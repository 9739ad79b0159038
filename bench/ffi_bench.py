#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time the public Python API of the package ``tvm_ffi`` that this interpreter imports.

    python ffi_bench.py                       # table on the screen
    python ffi_bench.py --json out.json       # results as JSON
    python ffi_bench.py --filter 'errors/.*'  # only rows whose id matches
    python ffi_bench.py --list                # row ids, without timing

Every row is one Python statement.  The script compiles the statement into a
loop, with local variables for all names.  The loop of a short statement is
unrolled, so that the loop itself costs about one nanosecond.  The loop runs
``--repeats`` times with the garbage collector off.  The reported time is the
median; ``min`` and ``mad`` (median absolute deviation) tell how reliable the
median is.  If a statement creates an object, the time includes the destruction
of the object.

Only public names are used.  A row whose API is missing is skipped and the
reason is recorded under ``skipped``, so that the same file runs on any
implementation.

JSON layout::

    {"meta": {...},
     "rows": {"calls/nop 0 args": {"ns": 74.1, "min": 73.0, "mad": 0.4}, ...},
     "skipped": {"row id": "reason"}}

Rows that measure memory have ``bytes`` (or ``count``) in place of ``ns``.
"""

import argparse
import copy
import gc
import itertools
import json
import os
import pickle
import platform
import re
import statistics
import subprocess
import sys
import textwrap
import threading
import time
import typing

# Prevents numpy's BLAS from starting worker threads, which spin.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

LOOP = """\
def _loop(_n, _repeat, _clock, {names}):
    _it = _repeat(None, _n)
    _t0 = _clock()
    for _ in _it:
{body}
    return _clock() - _t0
"""


def park_thread():
    """Start a thread that sleeps until the process ends.

    While a process has only one thread, the C library uses no atomic operations
    in its mutexes and its allocator.  Real processes have several threads, since
    numpy and torch start some.  In such a process, releasing the GIL costs nearly
    twice as much.
    """
    if threading.active_count() == 1:
        threading.Thread(target=threading.Event().wait, daemon=True).start()


class Absent:
    """Stand-in for a public name that this implementation lacks. A call returns the stand-in."""

    def __call__(self, *args, **kwargs):
        return self

    @classmethod
    def get(cls, module, name):
        return getattr(module, name, None) or cls()


class Bench:
    """Collects rows. A row has a group, a name, a statement and the values of the variables that
    the statement uses.
    """

    def __init__(self, repeats, budget_ms, row_filter=None, list_only=False, verbose=True):
        self.repeats = repeats
        self.budget = budget_ms * 1e6 / repeats
        self.filter = re.compile(row_filter) if row_filter else None
        self.list_only = list_only
        self.verbose = verbose
        self.rows = {}
        self.skipped = {}
        self.group = ""
        park_thread()
        until = time.perf_counter() + 0.3  # wait for a stable processor frequency
        while time.perf_counter() < until:
            pass

    def say(self, key, text):
        if self.verbose:
            print(f"{key:52s} {text}", file=sys.stderr, flush=True)

    def wanted(self, name):
        return self.filter is None or self.filter.search(f"{self.group}/{name}") is not None

    def put(self, name, values, unit="ns"):
        mid = statistics.median(values)
        key = f"{self.group}/{name}"
        self.rows[key] = {
            unit: round(mid, 2),
            "min": round(min(values), 2),
            "mad": round(statistics.median(abs(v - mid) for v in values), 2),
        }
        self.say(key, f"{mid:14.1f} {unit}")

    def skip(self, name, why):
        if isinstance(why, BaseException):
            why = f"{type(why).__name__}: {why}"
        text = " ".join(str(why).split())[:160]
        self.skipped[f"{self.group}/{name}"] = text
        self.say(f"{self.group}/{name}", f"skipped ({text})")

    def row(self, name, stmt, **names):
        """Time the statement ``stmt``; the keyword arguments are its local variables."""
        if not self.wanted(name):
            return
        if self.list_only:
            self.rows[f"{self.group}/{name}"] = {}
            return
        missing = [key for key, value in names.items() if isinstance(value, Absent)]
        if missing:
            self.skip(name, f"no value for {', '.join(missing)}: a public name is missing")
            return
        try:
            self.put(name, self._time(textwrap.dedent(stmt).strip("\n"), names))
        except Exception as err:  # a missing feature must not stop the run
            self.skip(name, err)

    def _time(self, stmt, names):
        def compiled(unroll):
            body = textwrap.indent("\n".join([stmt] * unroll), " " * 8)
            space = {}
            source = LOOP.format(names=", ".join(names) or "_unused=None", body=body)
            exec(compile(source, "<row>", "exec"), space)
            return lambda n: space["_loop"](n, itertools.repeat, time.perf_counter_ns, **names)

        once = compiled(1)
        once(1)  # fill caches, and run lazy imports
        unroll, loop, n = 1, once, 1
        spent = once(1)
        if spent < 20_000:
            unroll, loop = 10, compiled(10)
            loop(10)
        while True:
            spent = loop(n)
            if spent >= self.budget * 0.5 or n >= 10_000_000:
                break
            n = max(n + 1, min(n * 10, int(n * self.budget / max(spent, 1))))
        # a row that is too slow for the budget still runs at least five times
        repeats = self.repeats if spent < self.budget * 4 else max(5, self.repeats // 2)
        was = gc.isenabled()
        gc.collect()
        gc.disable()
        try:
            return [loop(n) / (n * unroll) for _ in range(repeats)]
        finally:
            if was:
                gc.enable()


def optional_import(name):
    try:
        return __import__(name)
    except Exception:
        return None


# --------------------------------------------------------------------------- fixtures
class World:
    """Objects that the groups of rows share; some may be missing in this implementation."""

    def __init__(self):
        import tvm_ffi

        self.ffi = tvm_ffi
        self.np = optional_import("numpy")
        self.torch = optional_import("torch")
        try:
            from tvm_ffi import testing
        except Exception:
            testing = None
        self.testing = testing
        self.why = {}
        self.types = {}
        try:
            self._define()
        except Exception as err:
            self.why["py_class"] = f"{type(err).__name__}: {err}"

    def func(self, name):
        return self.ffi.get_global_func(name)

    def cls(self, name):
        found = getattr(self.testing, name, None) or self.types.get(name)
        if found is None:
            raise LookupError(self.why.get("py_class", f"no class {name}"))
        return found

    def _define(self):
        ffi = self.ffi
        from tvm_ffi.dataclasses import field, py_class

        Any, List, Dict = typing.Any, typing.List, typing.Dict
        t = self.types

        @py_class("bench.P1")
        class P1(ffi.Object):
            x: int

        @py_class("bench.P3")
        class P3(ffi.Object):
            x: int
            y: float
            z: str

        t.update(P1=P1, P3=P3)

        @py_class("bench.P10")
        class P10(ffi.Object):
            a: int
            b: int
            c: int
            d: float
            e: float
            f: str
            g: str
            h: P1
            i: Any
            j: List[Any]

        @py_class("bench.Defaults")
        class Defaults(ffi.Object):
            x: int = 1
            y: float = 2.0
            z: str = "abc"

        @py_class("bench.Factory")
        class Factory(ffi.Object):
            x: int
            items: List[Any] = field(default_factory=list)

        @py_class("bench.Mixed")
        class Mixed(ffi.Object):
            i: int
            f: float
            b: bool
            s: str
            o: P1
            a: Any
            l: List[Any]
            d: Dict[str, Any]

        @py_class("bench.Value", eq=True, unsafe_hash=True)
        class Value(ffi.Object):
            x: int
            y: float
            z: str

        t.update(P10=P10, Defaults=Defaults, Factory=Factory, Mixed=Mixed, Value=Value)

        @py_class("bench.Point")
        class Point(ffi.Object):
            x: int
            y: int

            def norm1(self):
                return self.x + self.y

        t.update(Point=Point)

        @py_class("bench.Tree", structural_eq="tree")
        class Tree(ffi.Object):
            kind: int
            name: str
            kids: List[Any]

        @py_class("bench.Dag", structural_eq="dag")
        class Dag(ffi.Object):
            kind: int
            name: str
            kids: List[Any]

        t.update(Tree=Tree, Dag=Dag)
        for name, cls in t.items():  # pickle finds a class by module and name
            cls.__module__, cls.__qualname__ = __name__, name
            globals()[name] = cls

    def tree(self, nodes, fanout=4):
        """Return a tree of ``nodes`` py_class objects, built without recursion."""
        Tree = self.cls("Tree")
        level = [Tree(i % 7, f"leaf{i % 100}", []) for i in range(nodes * (fanout - 1) // fanout)]
        made = len(level)
        while len(level) > 1:
            level = [
                Tree(i % 5, "node", level[i : i + fanout]) for i in range(0, len(level), fanout)
            ]
            made += len(level)
        return level[0]

    def dag(self, layers=100, width=100):
        """Return the root of a graph of layers*width nodes. Each node above the lowest layer refers
        to three nodes of the layer below.
        """
        Dag = self.cls("Dag")
        row = [Dag(i % 7, "leaf", []) for i in range(width)]
        for depth in range(1, layers):
            row = [
                Dag(depth % 5, "n", [row[i], row[(i + 1) % width], row[(i * 7) % width]])
                for i in range(width)
            ]
        return Dag(0, "root", row)


# --------------------------------------------------------------------------- groups
def group_calls(b, w):
    ffi = w.ffi
    nop, echo = w.func("testing.nop"), w.func("testing.echo")
    b.row("nop 0 args", "nop()", nop=nop)
    b.row("nop 1 int", "nop(1)", nop=nop)
    b.row("nop 3 ints", "nop(1, 2, 3)", nop=nop)
    b.row("nop 8 ints", "nop(1, 2, 3, 4, 5, 6, 7, 8)", nop=nop)
    b.row("nop mixed 5", "nop(1, 2.0, None, 'abc', True)", nop=nop)
    b.row("nop 1 big int", "nop(x)", nop=nop, x=1 << 100)
    b.row("nop star args 3", "nop(*a)", nop=nop, a=(1, 2, 3))
    for name, value in [
        ("int small", 1),
        ("int 62-bit", 1 << 61),
        ("int 100-bit", 1 << 100),
        ("float", 1.5),
        ("bool", True),
        ("None", None),
        ("str 5 B", "hello"),
        ("str 100 B", "x" * 100),
        ("str 10 kB", "x" * 10_000),
        ("str 100 B utf-8", "\u00e9" * 50),
        ("bytes 5 B", b"hello"),
        ("bytes 100 B", b"x" * 100),
        ("bytes 10 kB", b"x" * 10_000),
        ("list 3 ints", [1, 2, 3]),
        ("list 100 ints", list(range(100))),
        ("tuple 3 ints", (1, 2, 3)),
        ("dict 3 str:int", {"a": 1, "b": 2, "c": 3}),
        ("dict 100 str:int", {f"k{i}": i for i in range(100)}),
    ]:
        b.row(f"echo {name}", "echo(x)", echo=echo, x=value)
    for name, make in [
        ("object", lambda: w.cls("TestIntPair")(1, 2)),
        ("py_class object", lambda: w.cls("P3")(1, 2.0, "abc")),
        ("Array", lambda: ffi.Array([1, 2, 3])),
        ("Function", lambda: nop),
        ("dtype", lambda: ffi.dtype("float32")),
        ("device", lambda: ffi.device("cpu", 0)),
    ]:
        try:
            b.row(f"echo {name}", "echo(x)", echo=echo, x=make())
        except Exception as err:
            b.skip(f"echo {name}", err)
    try:  # these calls do not release the GIL
        held_nop, held_echo = w.func("testing.nop"), w.func("testing.echo")
        held_nop.release_gil = held_echo.release_gil = False
        b.row("nop 0 args, lock held", "nop()", nop=held_nop)
        b.row("nop 3 ints, lock held", "nop(1, 2, 3)", nop=held_nop)
        b.row("echo int small, lock held", "echo(1)", echo=held_echo)
        b.row("echo str 5 B, lock held", "echo('hello')", echo=held_echo)
    except Exception as err:
        b.skip("lock held", err)
    b.row("opaque python object", "nop(x)", nop=nop, x=object())

    def typed(row, func, stmt, **names):
        try:
            b.row(row, stmt, f=w.func(func), **names)
        except Exception as err:
            b.skip(row, err)

    typed("typed int -> int", "testing.add_one", "f(1)")
    typed("typed str -> str", "testing.schema_id_string", "f('hello')")
    typed("typed list[int]", "testing.schema_id_arr_int", "f(x)", x=[1, 2, 3])
    typed("typed dict[str, int]", "testing.schema_id_map_str_int", "f(x)", x={"a": 1, "b": 2})
    typed("typed optional None", "testing.schema_id_opt_int", "f(None)")

    try:
        from tvm_ffi.utils.kwargs_wrapper import make_kwargs_wrapper

        kw = make_kwargs_wrapper(nop, ["a", "b", "c"], arg_defaults=(3,))
        b.row("kwargs wrapper positional", "f(1, 2, 3)", f=kw)
        b.row("kwargs wrapper keywords", "f(1, b=2, c=3)", f=kw)
        b.row("kwargs wrapper default", "f(1, 2)", f=kw)
    except Exception as err:
        b.skip("kwargs wrapper", err)

    ident = ffi.convert(lambda x: x)
    b.row("callback(int)", "f(1)", f=ident)
    b.row("callback(str)", "f('hello')", f=ident)
    b.row("callback(3 ints)", "f(1, 2, 3)", f=ffi.convert(lambda x, y, z: x))
    b.row("callback() -> None", "f()", f=ffi.convert(lambda: None))
    try:
        b.row("callback(object)", "f(x)", f=ident, x=w.cls("TestIntPair")(1, 2))
    except Exception as err:
        b.skip("callback(object)", err)
    typed("apply(callback, int)", "testing.apply", "f(g, 1)", g=ident)
    typed("apply(python lambda, int)", "testing.apply", "f(g, 1)", g=lambda x: x)
    inner = ident
    for _ in range(3):
        inner = ffi.convert(lambda x, _next=inner: _next(x))
    b.row("nested callback depth 4", "f(1)", f=inner)
    b.row("wrap python function", "convert(g)", convert=ffi.convert, g=lambda x: x)
    b.row("get_global_func hit", "get('testing.nop')", get=ffi.get_global_func)
    b.row("get_global_func miss", "get('no.such.function', True)", get=ffi.get_global_func)

    def dummy():
        return None

    b.row(
        "register + remove global func",
        "reg('bench.tmp', f, override=True)\nrem('bench.tmp')",
        reg=ffi.register_global_func,
        rem=ffi.remove_global_func,
        f=dummy,
    )
    if w.np is not None:
        b.row("nop numpy array", "nop(x)", nop=nop, x=w.np.zeros((4, 4), "float32"))
        b.row("nop numpy int64 scalar", "nop(x)", nop=nop, x=w.np.int64(3))
        b.row("echo numpy array", "echo(x)", echo=echo, x=w.np.zeros((4, 4), "float32"))
        t = ffi.from_dlpack(w.np.zeros((4, 4), "float32"))
        b.row("nop ffi tensor", "nop(x)", nop=nop, x=t)
        b.row("nop 3 ffi tensors", "nop(x, x, x)", nop=nop, x=t)
        frozen = w.np.zeros((4, 4), "float32")
        frozen.flags.writeable = False
        try:
            reads = ffi.get_global_func("testing.const_tensor_view_ndim")
            b.row("const parameter, numpy array", "f(x)", f=reads, x=frozen.copy())
            b.row("const parameter, read_only numpy array", "f(x)", f=reads, x=frozen)
            b.row("const parameter, ffi tensor", "f(x)", f=reads, x=t)
            b.row(
                "const parameter, read_only ffi tensor", "f(x)", f=reads, x=ffi.from_dlpack(frozen)
            )
        except Exception as err:
            b.skip("const parameter", err)
        b.row("echo ffi tensor", "echo(x)", echo=echo, x=t)
        prepared_rows(b, nop, "numpy arrays", [w.np.zeros((4, 4), "float32") for _ in range(26)])
        prepared_rows(b, nop, "ffi tensors", [t] * 26)
        typed_view_rows(b, w.np.zeros((4, 4), "float32"))
    if w.torch is not None:
        prepared_rows(b, nop, "torch tensors", [w.torch.zeros(4, 4) for _ in range(26)])
        t = w.torch.zeros(4, 4)
        b.row("nop torch tensor", "nop(x)", nop=nop, x=t)
        b.row("nop 3 torch tensors", "nop(x, x, x)", nop=nop, x=t)
        b.row("echo torch tensor", "echo(x)", echo=echo, x=t)
        b.row("nop torch dtype", "nop(x)", nop=nop, x=w.torch.float32)


VIEWS = """
#include <tvm/ffi/tvm_ffi.h>
namespace ffi = tvm::ffi;
using View = {view};
void One(View x) {{}}
void Three(View x, View y, View z) {{}}
void Same({named} x, {named} y, {named} z) {{}}
TVM_FFI_STATIC_INIT_BLOCK() {{
  ffi::reflection::GlobalDef()
      .def("bench.{kind}.1", One)
      .def("bench.{kind}.3", Three)
      .def("bench.{kind}.3, equal extents", Same)
#if __has_include(<tvm/ffi/container/typed_tensor.h>)
      .def("bench.{kind}.1, lock held", One, ffi::reflection::short_call())
      .def("bench.{kind}.3, lock held", Three, ffi::reflection::short_call())
#endif
      ;
}}
void unused() {{}}
"""


def typed_view_rows(b, x):
    """Time calls of functions whose parameters are views, with and without a check of the type."""
    call = {"1": "f(x)", "3": "f(x, x, x)", "3, equal extents": "f(x, x, x)"}
    call.update({"1, lock held": "f(x)", "3, lock held": "f(x, x, x)"})
    views = "ffi::TensorView", "ffi::TensorView"
    typed = "ffi::TypedTensorView<const float, 2>", "ffi::TypedTensorView<const float, ffi::Dims"
    for kind, (view, named) in (
        ("untyped", views),
        ("typed", (typed[0], typed[1] + "<'m', 'n'>>")),
    ):
        rows = {f"{kind} views: {count}": count for count in call}
        if b.list_only or not any(map(b.wanted, rows)):
            for row in rows:
                b.row(row, "")
            continue
        try:
            import tvm_ffi
            from tvm_ffi.cpp import load_inline

            text = VIEWS.format(kind=kind, view=view, named=named)
            load_inline(f"bench_{kind}_views", cpp_sources=text, functions=["unused"])
            for row, count in rows.items():
                f = tvm_ffi.get_global_func(f"bench.{kind}.{count}")
                b.row(row, call[count], f=f, x=x)
        except Exception as err:
            b.skip(f"{kind} views", err)


def prepared_rows(b, nop, kind, args):
    """Time calls with many tensors, as in inference loops: direct calls and prepared calls."""
    names = {f"x{i}": arg for i, arg in enumerate(args)}
    call = f"({', '.join(names)})"
    b.row(f"nop 26 {kind}", "nop" + call, nop=nop, **names)
    if hasattr(nop, "prepare"):
        b.row(f"prepared nop 26 {kind}", "p" + call, p=nop.prepare(*args), **names)
    else:
        b.skip(f"prepared nop 26 {kind}", "there are no prepared calls")


def group_objects(b, w):
    ffi = w.ffi

    def row(name, stmt, **makers):
        """Time a row. Each keyword argument is a function that makes the value of a variable of the
        statement; if the function raises (a class may be missing), only this row is skipped.
        """
        try:
            names = {k: v() for k, v in makers.items()}
        except Exception as err:
            return b.skip(name, err)
        b.row(name, stmt, **names)

    def c(name):
        return lambda: w.cls(name)

    def made(name, *args):
        return lambda: w.cls(name)(*args)

    row("C++ class construct (2 ints)", "C(1, 2)", C=c("TestIntPair"))
    row("C++ class construct keywords", "C(v_i64=1, v_str='abc')", C=c("TestObjectBase"))
    row("C++ class construct defaults", "C()", C=c("TestObjectBase"))
    row("py_class construct 1 field", "C(1)", C=c("P1"))
    row("py_class construct 3 fields", "C(1, 2.0, 'abc')", C=c("P3"))
    row("py_class construct 3 keywords", "C(x=1, y=2.0, z='abc')", C=c("P3"))
    row(
        "py_class construct 10 fields",
        "C(1, 2, 3, 4.0, 5.0, 'abc', 'def', o, None, l)",
        C=c("P10"),
        o=made("P1", 1),
        l=lambda: ffi.List([1, 2, 3]),
    )
    row("py_class construct list field", "C(1, 'n', [])", C=c("Tree"))
    row("py_class construct defaults", "C()", C=c("Defaults"))
    row("py_class construct factory", "C(1)", C=c("Factory"))
    row("py_class construct long str", "C(1, 2.0, s)", C=c("P3"), s=lambda: "x" * 100)

    def mixed():
        return w.cls("Mixed")(1, 2.0, True, "abc", w.cls("P1")(1), None, [1, 2], {"a": 1})

    for field, label in [
        ("i", "int"),
        ("f", "float"),
        ("b", "bool"),
        ("s", "str"),
        ("o", "object"),
        ("a", "Any None"),
        ("l", "list"),
        ("d", "dict"),
    ]:
        row(f"get {label} field", f"p.{field}", p=mixed)
    row("get long str field", "p.z", p=made("P3", 1, 2.0, "x" * 100))
    keep = {}

    def held():
        keep["p"] = p = mixed()
        keep["o"] = p.o
        return p

    row("get object field, wrapper held", "p.o", p=held)
    row("C++ class get int", "p.a", p=made("TestIntPair", 1, 2))
    row("C++ class get str", "p.v_str", p=made("TestObjectBase"))
    row("set int field", "p.i = 3", p=mixed)
    row("set float field", "p.f = 3.0", p=mixed)
    row("set bool field", "p.b = False", p=mixed)
    row("set str field", "p.s = 'xyz'", p=mixed)
    row("set object field", "p.o = o", p=mixed, o=made("P1", 2))
    row("set Any field", "p.a = 3", p=mixed)
    row("set list field (from List)", "p.l = l", p=mixed, l=lambda: ffi.List([1, 2]))
    row("set list field (from list)", "p.l = l", p=mixed, l=lambda: [1, 2])
    row("C++ class set int", "p.v_i64 = 3", p=made("TestObjectBase"))
    row("C++ method call", "p.sum()", p=made("TestIntPair", 1, 2))
    row("C++ method call 1 arg", "p.add_i64(1)", p=made("TestObjectBase"))
    row("python method call", "p.norm1()", p=made("Point", 1, 2))
    row("isinstance exact", "isinstance(p, C)", p=made("P3", 1, 2.0, "a"), C=c("P3"))
    row("isinstance base", "isinstance(p, C)", p=made("P3", 1, 2.0, "a"), C=lambda: ffi.Object)
    row("isinstance miss", "isinstance(p, C)", p=made("P3", 1, 2.0, "a"), C=lambda: ffi.Array)
    row("eq identity hit", "p == p", p=made("P3", 1, 2.0, "a"))
    row("eq identity miss", "p == q", p=made("P3", 1, 2.0, "a"), q=made("P3", 1, 2.0, "a"))
    row("hash identity", "hash(p)", p=made("P3", 1, 2.0, "a"))
    row("same_as", "p.same_as(q)", p=made("P3", 1, 2.0, "a"), q=made("P3", 1, 2.0, "a"))
    row("eq by value", "p == q", p=made("Value", 1, 2.0, "a"), q=made("Value", 1, 2.0, "a"))
    row("hash by value", "hash(p)", p=made("Value", 1, 2.0, "a"))
    row("repr 3 fields", "repr(p)", p=made("P3", 1, 2.0, "a"))
    row("copy", "f(p)", f=lambda: copy.copy, p=made("P3", 1, 2.0, "a"))
    row("deepcopy", "f(p)", f=lambda: copy.deepcopy, p=made("P3", 1, 2.0, "a"))
    row(
        "pickle round trip",
        "l(d(p))",
        l=lambda: pickle.loads,
        d=lambda: pickle.dumps,
        p=made("P3", 1, 2.0, "a"),
    )
    try:
        from tvm_ffi import dataclasses as dc

        row("dataclasses.replace", "f(p, x=2)", f=lambda: dc.replace, p=made("P3", 1, 2.0, "a"))
        row("dataclasses.asdict", "f(p)", f=lambda: dc.asdict, p=made("P3", 1, 2.0, "a"))
        row("dataclasses.fields", "f(C)", f=lambda: dc.fields, C=c("P3"))
    except Exception as err:
        b.skip("dataclasses helpers", err)

    def visitor():
        def count(node):
            total = node.kind
            for kid in node.kids:
                total += count(kid)
            return total

        return count

    row("python visitor, 1k-node tree", "f(t)", f=visitor, t=lambda: w.tree(1000))
    row("build 1k-node tree", "f(1000)", f=lambda: w.tree)

    def define():
        from tvm_ffi.dataclasses import py_class

        number = itertools.count()

        def make():
            class T(ffi.Object):
                x: int
                y: str

            return py_class(f"bench.defined{next(number)}")(T)

        return make

    if not b.list_only and b.wanted("py_class definition"):
        try:  # a registration is permanent, so the number of runs is small and fixed
            make = define()
            clock = time.perf_counter_ns
            times = []
            for _ in range(30):
                t0 = clock()
                make()
                times.append(clock() - t0)
            b.put("py_class definition", times)
        except Exception as err:
            b.skip("py_class definition", err)


def group_containers(b, w):
    ffi = w.ffi
    Array, List, Map, Dict = (Absent.get(ffi, n) for n in ("Array", "List", "Map", "Dict"))
    for n in (10, 1000):
        ints = list(range(n))
        strs = [f"k{i}" for i in range(n)]
        mapping = dict(zip(strs, ints))
        imap = dict(zip(ints, ints))
        b.row(f"Array construct {n} ints", "C(x)", C=Array, x=ints)
        b.row(f"Array construct {n} strs", "C(x)", C=Array, x=strs)
        b.row(f"List construct {n} ints", "C(x)", C=List, x=ints)
        b.row(f"Map construct {n} str keys", "C(x)", C=Map, x=mapping)
        b.row(f"Dict construct {n} str keys", "C(x)", C=Dict, x=mapping)
        b.row(f"Dict construct {n} int keys", "C(x)", C=Dict, x=imap)
        b.row(f"Array iterate {n} ints", "for _x in a: pass", a=Array(ints))
        b.row(f"List iterate {n} ints", "for _x in a: pass", a=List(ints))
        b.row(f"Array list() {n} ints", "list(a)", a=Array(ints))
        b.row(f"Array list() {n} strs", "list(a)", a=Array(strs))
        b.row(f"Map iterate {n}", "for _x in a: pass", a=Map(mapping))
        b.row(f"Map items() {n}", "for _x in a.items(): pass", a=Map(mapping))
        b.row(f"Map dict() {n}", "dict(a.items())", a=Map(mapping))
        b.row(f"Dict items() {n}", "for _x in a.items(): pass", a=Dict(mapping))
        b.row(f"Array contains last of {n}", f"{n - 1} in a", a=Array(ints))
        b.row(f"Map lookup of {n}", f"a['k{n // 2}']", a=Map(mapping))
        b.row(f"Map contains of {n}", f"'k{n // 2}' in a", a=Map(mapping))
    ints = list(range(1000))
    a, lst = Array(ints), List(ints)
    m, d = Map({"a": 1, "b": 2}), Dict({"a": 1, "b": 2, 3: 4})
    b.row("Array index int", "a[500]", a=a)
    b.row("Array index negative", "a[-1]", a=a)
    b.row("Array index str", "a[1]", a=Array(["abc", "defg"]))
    b.row("Array len", "len(a)", a=a)
    b.row("Array bool", "bool(a)", a=a)
    b.row("Array slice 10", "a[100:110]", a=a)
    b.row("Array concat 10 + 10", "a + a", a=Array(ints[:10]))
    b.row("Array equal 10", "a == c", a=Array(ints[:10]), c=Array(ints[:10]))
    b.row("List index int", "a[500]", a=lst)
    b.row("List set item", "a[500] = 7", a=lst)
    b.row("List append + pop", "a.append(1)\na.pop()", a=lst)
    b.row("List slice 10", "a[100:110]", a=lst)
    b.row("Map len", "len(m)", m=m)
    b.row("Map lookup str", "m['a']", m=m)
    b.row("Map get hit", "m.get('a')", m=m)
    b.row("Map get miss", "m.get('zzz')", m=m)
    b.row("Dict lookup str", "m['a']", m=d)
    b.row("Dict lookup int", "m[3]", m=d)
    b.row("Dict set item", "m['a'] = 5", m=d)
    b.row("Map keys() list", "list(m.keys())", m=m)
    b.row("Map values() list", "list(m.values())", m=m)
    try:
        P1 = w.cls("P1")
        objs = [P1(i) for i in range(1000)]
        held, dropped = Array(objs), Array([P1(i) for i in range(1000)])
        b.row("Array index object, wrapper held", "a[5]", a=held)
        b.row("Array index object, wrapper dropped", "a[5]", a=dropped)
        b.row("Array iterate 1000 objects held", "for _x in a: pass", a=held)
        b.row("Array iterate 1000 objects dropped", "for _x in a: pass", a=dropped)
        b.row("Array construct 1000 objects", "C(x)", C=Array, x=objs)
        key = objs[7]
        b.row("Map lookup object key", "m[k]", m=Map(dict.fromkeys(objs[:10], 1)), k=key)
    except Exception as err:
        b.skip("objects in containers", err)
    b.row("nested list 100 x 10", "C(x)", C=Array, x=[list(range(10)) for _ in range(100)])
    b.row("Array repr 10", "repr(a)", a=Array(ints[:10]))
    b.row("Array pickle 1000", "d(a)", a=a, d=pickle.dumps)
    b.row("Shape construct", "C((1, 2, 3, 4))", C=Absent.get(ffi, "Shape"))


def group_enums(b, w):
    from tvm_ffi.dataclasses import Enum, IntEnum, entry

    class Color(Enum, type_key="bench.Color"):
        red = entry()
        green = entry()
        blue = entry()

    class Level(IntEnum, type_key="bench.Level"):
        low = entry(value=10)
        high = entry(value=20)

    cost = Color.def_attr("cost")
    cost[Color.red] = 5
    b.row("class attribute", "C.red", C=Color)
    b.row("get by name", "C.get('red')", C=Color)
    b.row("get by index", "C.get(1)", C=Color)
    b.row("call by name", "C('red')", C=Color)
    b.row("payload name", "c.name", c=Level.high)
    b.row("payload value", "c.value", c=Level.high)
    b.row("payload by value", "C(20)", C=Level)
    b.row("payload eq int", "c == 20", c=Level.high)
    b.row("eq", "c == c2", c=Color.red, c2=Color.green)
    b.row("hash", "hash(c)", c=Color.red)
    b.row("iterate", "list(C)", C=Color)
    b.row("attribute column read", "a[c]", a=cost, c=Color.red)
    b.row("attribute column get", "a.get(c)", a=cost, c=Color.blue)
    b.row("attribute column write", "a[c] = 6", a=cost, c=Color.red)


def group_errors(b, w):
    ffi = w.ffi
    raiser = w.func("testing.test_raise_error")
    catch = """
        try:
            {call}
        except {kind}:
            pass
        """

    def stmt(call, kind="ValueError"):
        return textwrap.dedent(catch.format(call=call, kind=kind))

    b.row("C++ raise, Python catch", stmt("f('ValueError', 'm')"), f=raiser)
    b.row("C++ raise TypeError", stmt("f('TypeError', 'm')", "TypeError"), f=raiser)
    b.row("wrong argument count", stmt("f()", "TypeError"), f=raiser)
    b.row("wrong argument type", stmt("f('x')", "TypeError"), f=w.func("testing.add_one"))

    def fail():
        raise ValueError("m")

    f = ffi.convert(fail)
    b.row("Python raise through C++", stmt("f()"), f=f)
    apply = w.func("testing.apply")
    for depth in (4, 16):
        g = fail
        for _ in range(depth):
            g = (lambda inner: lambda: apply(inner))(ffi.convert(g))
        b.row(f"Python raise through C++ depth {depth}", stmt("f()"), f=g)
    b.row(
        "C++ raise inside callback", stmt("f()"), f=ffi.convert(lambda: raiser("ValueError", "m"))
    )

    def deep(n):
        return raiser("ValueError", "m") if n == 0 else deep(n - 1)

    b.row("C++ raise under 50 Python frames", stmt("f(50)"), f=deep)
    a, m = Absent.get(ffi, "Array")([1]), Absent.get(ffi, "Map")({"a": 1})
    b.row("Array index error", stmt("a[9]", "IndexError"), a=a)
    b.row("Map key error", stmt("m['zz']", "KeyError"), m=m)
    try:
        b.row("field type error", stmt("p.x = 'no'", "TypeError"), p=w.cls("P3")(1, 2.0, "a"))
        b.row("construct missing field", stmt("C(1)", "TypeError"), C=w.cls("P3"))
    except Exception as err:
        b.skip("object errors", err)
    b.row("missing global function", stmt("g('no.such')"), g=ffi.get_global_func)
    text = """
        try:
            f('ValueError', 'm')
        except ValueError as err:
            fmt(err)
        """
    import traceback

    b.row(
        "C++ raise + format traceback",
        text,
        f=raiser,
        fmt=lambda e: "".join(traceback.format_exception(e)),
    )


def group_tensors(b, w):
    ffi = w.ffi
    if w.np is None:
        return b.skip("numpy", "numpy is not installed")
    np = w.np
    x = np.zeros((4, 4), dtype="float32")
    t = ffi.from_dlpack(x)
    b.row("from_dlpack numpy", "f(x)", f=ffi.from_dlpack, x=x)
    b.row("to numpy (from_dlpack)", "f(t)", f=np.from_dlpack, t=t)
    b.row("numpy round trip", "g(f(x))", f=ffi.from_dlpack, g=np.from_dlpack, x=x)
    b.row("shape", "t.shape", t=t)
    b.row("shape[0]", "t.shape[0]", t=t)
    b.row("strides", "t.strides", t=t)
    b.row("dtype", "t.dtype", t=t)
    b.row("dtype == str", "t.dtype == 'float32'", t=t)
    b.row("device", "t.device", t=t)
    b.row("ndim", "t.ndim", t=t)
    b.row("data_ptr", "t.data_ptr()", t=t)
    b.row("__dlpack__", "t.__dlpack__()", t=t)
    b.row("__dlpack_device__", "t.__dlpack_device__()", t=t)
    b.row("dtype construct", "f('float32')", f=ffi.dtype)
    b.row("device construct", "f('cuda', 0)", f=ffi.device)
    b.row("device construct str", "f('cuda:0')", f=ffi.device)
    try:
        b.row("typed tensor argument", "f(t)", f=w.func("testing.schema_id_tensor"), t=t)
        b.row("tensor view argument", "f(t)", f=w.func("testing.schema_tensor_view_input"), t=t)
    except Exception as err:
        b.skip("typed tensor argument", err)
    b.row("Array of 10 tensors", "C(x)", C=ffi.Array, x=[t] * 10)
    b.row("Array of 10 numpy arrays", "C(x)", C=ffi.Array, x=[x] * 10)
    if w.torch is not None:
        tt = w.torch.zeros(4, 4)
        b.row("from_dlpack torch", "f(x)", f=ffi.from_dlpack, x=tt)
        b.row("to torch (from_dlpack)", "f(t)", f=w.torch.from_dlpack, t=ffi.from_dlpack(tt))
    else:
        b.skip("torch rows", "torch is not installed")


def parts(b, w, *functions):
    """Run the functions of a group; if one of them raises, continue with the next."""
    for function in functions:
        try:
            function(b, w)
        except Exception as err:
            b.skip(function.__name__.strip("_"), err)


def group_structural(b, w):
    parts(b, w, _structural_objects, _structural_trees, _structural_dags, _structural_arrays)


def _structural_objects(b, w):
    eq, h = w.ffi.structural_equal, w.ffi.structural_hash
    small = [w.cls("P3")(1, 2.0, "abc") for _ in range(2)]
    b.row("equal, one object", "f(a, c)", f=eq, a=small[0], c=small[1])
    b.row("hash, one object", "f(a)", f=h, a=small[0])


def _structural_trees(b, w):
    ffi = w.ffi
    eq, h = ffi.structural_equal, ffi.structural_hash
    t1, t2 = w.tree(10_000), w.tree(10_000)
    b.row("equal, 10k-node tree", "f(a, c)", f=eq, a=t1, c=t2)
    b.row("equal, same 10k-node tree", "f(a, a)", f=eq, a=t1)
    b.row("hash, 10k-node tree", "f(a)", f=h, a=t1)
    b.row("deepcopy, 10k-node tree", "f(a)", f=copy.deepcopy, a=t1)
    b.row("first mismatch, equal trees", "f(a, c)", f=ffi.get_first_structural_mismatch, a=t1, c=t2)
    b.row("repr, 1k-node tree", "repr(a)", a=w.tree(1000))
    b.row(
        "map int leaves, 1k-node tree",
        "f(a, (int, g))",
        f=ffi.structural_map,
        a=w.tree(1000),
        g=lambda x: x,
    )
    b.row(
        "walk all, 1k-node tree", "f(a, g)", f=ffi.structural_walk, a=w.tree(1000), g=lambda x: None
    )


def _structural_dags(b, w):
    d1, d2 = w.dag(), w.dag()
    b.row("equal, 10k-node shared DAG", "f(a, c)", f=w.ffi.structural_equal, a=d1, c=d2)
    b.row("hash, 10k-node shared DAG", "f(a)", f=w.ffi.structural_hash, a=d1)


def _structural_arrays(b, w):
    ffi = w.ffi
    eq, h = ffi.structural_equal, ffi.structural_hash
    arr = ffi.Array(list(range(10_000)))
    arr2 = ffi.Array(list(range(10_000)))
    b.row("equal, Array of 10k ints", "f(a, c)", f=eq, a=arr, c=arr2)
    b.row("hash, Array of 10k ints", "f(a)", f=h, a=arr)


def json_text(size):
    """Return a JSON document of about ``size`` bytes with mixed content."""
    rows = []
    total = 0
    for i in itertools.count():
        item = {
            "id": i,
            "name": f"entry number {i}",
            "ratio": i / 7.0,
            "ok": i % 2 == 0,
            "tags": ["alpha", "beta", None, i],
            "child": {"x": -i, "s": 'a"b\\c\u00e9'},
        }
        text = json.dumps(item)
        rows.append(text)
        total += len(text) + 2
        if total >= size:
            return "[" + ", ".join(rows) + "]"


def group_serialization(b, w):
    parts(b, w, _serialization_graph, _serialization_json)


def _serialization_graph(b, w):
    ser = w.ffi.serialization
    tree = w.tree(10_000)
    b.row("graph to JSON, 10k nodes", "f(t)", f=ser.to_json_graph_str, t=tree)
    text = ser.to_json_graph_str(tree)
    b.row("graph from JSON, 10k nodes", "f(t)", f=ser.from_json_graph_str, t=text)
    small = w.cls("P3")(1, 2.0, "abc")
    b.row("graph to JSON, one object", "f(t)", f=ser.to_json_graph_str, t=small)
    b.row(
        "graph from JSON, one object",
        "f(t)",
        f=ser.from_json_graph_str,
        t=ser.to_json_graph_str(small),
    )


def _serialization_json(b, w):
    doc = json_text(1_000_000)
    parse, dump = w.func("ffi.json.Parse"), w.func("ffi.json.Stringify")
    b.row("JSON parse 1 MB", "f(t)", f=parse, t=doc)
    value = parse(doc)
    b.row("JSON stringify 1 MB", "f(t, None)", f=dump, t=value)
    b.row("JSON stringify 1 MB indent 2", "f(t, 2)", f=dump, t=value)
    b.row("JSON parse 20 B", "f('[1, 2, {\"a\": null}]')", f=parse)


# --------------------------------------------------------------------------- process rows
IMPORT = """
import sys, time
{block}
t0 = time.perf_counter_ns()
import tvm_ffi
t1 = time.perf_counter_ns()
def rss():
    for line in open('/proc/self/status'):
        if line.startswith('VmRSS'):
            return int(line.split()[1]) * 1024
print(t1 - t0, rss(), len(sys.modules))
"""

OBJECTS = """
import gc, sys
sys.modules['torch'] = None
sys.path[:0] = {path!r}
import tvm_ffi
from ffi_bench import World
w = World()
def rss():
    gc.collect()
    for line in open('/proc/self/status'):
        if line.startswith('VmRSS'):
            return int(line.split()[1]) * 1024
n = {n}
make = {make}
warm = [make(i) for i in range(1000)]
gc.disable()
keep = [None] * n
before = rss()
for i in range(n):
    keep[i] = make(i)
print((rss() - before) / n)
"""


def group_process(b, w):
    here = os.path.dirname(os.path.abspath(__file__))

    def child(source):
        done = subprocess.run(
            [sys.executable, "-c", source], capture_output=True, text=True, timeout=120
        )
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        return [float(x) for x in done.stdout.split()]

    for label, block, runs in [
        ("as installed", "", 5),
        ("numpy and torch absent", "sys.modules['numpy'] = None; sys.modules['torch'] = None", 9),
    ]:
        name = f"import tvm_ffi, {label}"
        if not b.wanted(name):
            continue
        if b.list_only:
            b.rows[f"{b.group}/{name}"] = {}
            continue
        try:
            got = [child(IMPORT.format(block=block)) for _ in range(runs)]
            b.put(name, [g[0] for g in got])
            b.put(f"RSS after import, {label}", [g[1] for g in got], "bytes")
            b.put(f"modules after import, {label}", [g[2] for g in got], "count")
        except Exception as err:
            b.skip(name, err)
    for label, make, n in [
        (
            "C++ object (2 ints), wrapper kept",
            "lambda i, C=w.cls('TestIntPair'): C(i, i)",
            1_000_000,
        ),
        ("py_class object (2 ints), wrapper kept", "lambda i, C=w.cls('Point'): C(i, i)", 500_000),
        (
            "py_class object (int, float, str), wrapper kept",
            "lambda i, C=w.cls('P3'): C(i, 1.0, 'abc')",
            300_000,
        ),
        (
            "object inside an Array, wrapper dropped",
            "lambda i, C=w.cls('TestIntPair'), A=tvm_ffi.Array: A([C(i, i)])",
            300_000,
        ),
        (
            "int inside an Array of 1000",
            "lambda i, A=tvm_ffi.Array, r=list(range(1000)): A(r)",
            2000,
        ),
    ]:
        name = f"bytes per {label}"
        if not b.wanted(name):
            continue
        if b.list_only:
            b.rows[f"{b.group}/{name}"] = {}
            continue
        try:
            got = child(OBJECTS.format(path=[here], n=n, make=make))[0]
            b.put(name, [got / 1000 if "of 1000" in label else got], "bytes")
        except Exception as err:
            b.skip(name, err)


GROUPS = {
    "calls": group_calls,
    "objects": group_objects,
    "containers": group_containers,
    "enums": group_enums,
    "errors": group_errors,
    "tensors": group_tensors,
    "structural": group_structural,
    "serialization": group_serialization,
    "process": group_process,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", help="write the results to this file ('-' for stdout)")
    parser.add_argument("--filter", help="regular expression on 'group/row'")
    parser.add_argument("--groups", help=f"comma list out of {','.join(GROUPS)}")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--budget-ms", type=float, default=90, help="time per row, all repeats")
    parser.add_argument("--list", action="store_true", help="list the rows, time nothing")
    parser.add_argument("--quiet", action="store_true")
    args = parser.parse_args()

    began = time.time()
    world = World()
    bench = Bench(args.repeats, args.budget_ms, args.filter, args.list, not args.quiet)
    for name in args.groups.split(",") if args.groups else GROUPS:
        bench.group = name
        try:
            GROUPS[name](bench, world)
        except Exception as err:  # the fixtures of a group could not be created
            bench.skip("*", err)
    if args.list:
        print("\n".join(bench.rows))
        return
    result = {
        "meta": {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "tvm_ffi": getattr(world.ffi, "__version__", "unknown"),
            "numpy": getattr(world.np, "__version__", None),
            "torch": getattr(world.torch, "__version__", None),
            "seconds": round(time.time() - began, 1),
        },
        "rows": bench.rows,
        "skipped": bench.skipped,
    }
    if args.json == "-":
        json.dump(result, sys.stdout, indent=1)
    elif args.json:
        with open(args.json, "w") as out:
            json.dump(result, out, indent=1)
    if not args.quiet:
        print(
            f"{len(bench.rows)} rows, {len(bench.skipped)} skipped, {result['meta']['seconds']} s",
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time other binding libraries, with the row ids of ffi_bench.py.

    python build.py BUILD_DIR
    python peers_bench.py BUILD_DIR OUT_DIR [--only nanobind,python]

Writes OUT_DIR/<peer>.json for each of nanobind, nanobind_size (the build that is optimized for
size), pybind11, cython, pyo3, python (plain classes and containers, ``dataclass(slots=True)``),
msgspec, ctypes and cffi.
Pass these files to compare.py with ``--other nanobind=OUT_DIR/nanobind.json``.

A row times the most similar operation that the library offers. The operation
may do less, for example because its types are fixed at compile time.
"""

import argparse
import copy
import ctypes
import dataclasses
import glob
import importlib
import importlib.util
import json
import os
import pickle
import subprocess
import sys
import time
import traceback
import typing

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from ffi_bench import Bench, json_text

CATCH = "try:\n    {}\nexcept ValueError:\n    pass"


@dataclasses.dataclass(slots=True)
class P1:
    x: int


@dataclasses.dataclass(slots=True)
class P3:
    x: int = 1
    y: float = 2.0
    z: str = "abc"


@dataclasses.dataclass(slots=True)
class P10:
    a: int
    b: int
    c: int
    d: float
    e: float
    f: str
    g: str
    h: P1
    i: typing.Any
    j: list


@dataclasses.dataclass(slots=True)
class Pair:
    a: int
    b: int

    def sum(self):
        return self.a + self.b


@dataclasses.dataclass(slots=True)
class Tree:
    kind: int
    name: str
    kids: list


def make_tree(cls, nodes, fanout=4):
    level = [cls(i % 7, f"leaf{i % 100}", []) for i in range(nodes * (fanout - 1) // fanout)]
    while len(level) > 1:
        level = [cls(i % 5, "node", level[i : i + fanout]) for i in range(0, len(level), fanout)]
    return level[0]


def visitor(node):
    total = node.kind
    for kid in node.kids:
        total += visitor(kid)
    return total


def object_rows(b, P1, P3, P10, Pair, Tree):
    """Time the rows that are the same for all record types written in pure Python."""
    b.group = "objects"
    b.row("C++ class construct (2 ints)", "C(1, 2)", C=Pair)
    b.row("py_class construct 1 field", "C(1)", C=P1)
    b.row("py_class construct 3 fields", "C(1, 2.0, 'abc')", C=P3)
    b.row("py_class construct 3 keywords", "C(x=1, y=2.0, z='abc')", C=P3)
    b.row(
        "py_class construct 10 fields",
        "C(1, 2, 3, 4.0, 5.0, 'abc', 'def', o, None, l)",
        C=P10,
        o=P1(1),
        l=[1, 2, 3],
    )
    b.row("py_class construct list field", "C(1, 'n', [])", C=Tree)
    b.row("py_class construct defaults", "C()", C=P3)
    p = P3(1, 2.0, "abc")
    q = P10(1, 2, 3, 4.0, 5.0, "abc", "def", P1(1), None, [1, 2])
    b.row("get int field", "p.x", p=p)
    b.row("get float field", "p.y", p=p)
    b.row("get str field", "p.z", p=p)
    b.row("get object field", "p.h", p=q)
    b.row("get list field", "p.j", p=q)
    b.row("set int field", "p.x = 3", p=p)
    b.row("set float field", "p.y = 3.0", p=p)
    b.row("set str field", "p.z = 'xyz'", p=p)
    b.row("set object field", "p.h = o", p=q, o=P1(2))
    b.row("C++ method call", "p.sum()", p=Pair(1, 2))
    b.row("isinstance exact", "isinstance(p, C)", p=p, C=P3)
    b.row("isinstance miss", "isinstance(p, C)", p=p, C=P1)
    b.row("eq by value", "p == q", p=p, q=P3(1, 2.0, "abc"))
    b.row("repr 3 fields", "repr(p)", p=p)
    b.row("copy", "f(p)", f=copy.copy, p=p)
    b.row("deepcopy", "f(p)", f=copy.deepcopy, p=p)
    b.row("pickle round trip", "l(d(p))", l=pickle.loads, d=pickle.dumps, p=p)
    b.row("python visitor, 1k-node tree", "f(t)", f=visitor, t=make_tree(Tree, 1000))
    b.row("build 1k-node tree", "f(C, 1000)", f=make_tree, C=Tree)
    b.group = "structural"
    t1, t2 = make_tree(Tree, 10_000), make_tree(Tree, 10_000)
    b.row("equal, 10k-node tree", "a == c", a=t1, c=t2)
    b.row("deepcopy, 10k-node tree", "f(a)", f=copy.deepcopy, a=t1)
    b.row("repr, 1k-node tree", "repr(a)", a=make_tree(Tree, 1000))


def bench_python(b):
    object_rows(b, P1, P3, P10, Pair, Tree)
    b.group = "calls"
    b.row("nop 0 args", "f()", f=lambda: None)
    b.row("nop 1 int", "f(1)", f=lambda x: None)
    b.row("nop 3 ints", "f(1, 2, 3)", f=lambda x, y, z: None)
    b.row("echo int small", "f(1)", f=lambda x: x)
    b.row("callback(int)", "f(1)", f=lambda x: x)
    d = {"testing.nop": 1}
    b.row("get_global_func hit", "d['testing.nop']", d=d)
    b.group = "containers"
    for n in (10, 1000):
        ints = list(range(n))
        mapping = {f"k{i}": i for i in ints}
        b.row(f"Array construct {n} ints", "C(x)", C=tuple, x=ints)
        b.row(f"List construct {n} ints", "C(x)", C=list, x=ints)
        b.row(f"Dict construct {n} str keys", "C(x)", C=dict, x=mapping)
        b.row(f"Array iterate {n} ints", "for _x in a: pass", a=ints)
        b.row(f"Array list() {n} ints", "list(a)", a=ints)
        b.row(f"Map items() {n}", "for _x in a.items(): pass", a=mapping)
        b.row(f"Map dict() {n}", "dict(a.items())", a=mapping)
        b.row(f"Array contains last of {n}", f"{n - 1} in a", a=ints)
        b.row(f"Map lookup of {n}", f"a['k{n // 2}']", a=mapping)
        b.row(f"Map contains of {n}", f"'k{n // 2}' in a", a=mapping)
    ints, m = list(range(1000)), {"a": 1, "b": 2, 3: 4}
    b.row("Array index int", "a[500]", a=ints)
    b.row("Array len", "len(a)", a=ints)
    b.row("Array slice 10", "a[100:110]", a=ints)
    b.row("Array concat 10 + 10", "a + a", a=ints[:10])
    b.row("List set item", "a[500] = 7", a=ints)
    b.row("List append + pop", "a.append(1)\na.pop()", a=ints)
    b.row("Map lookup str", "m['a']", m=m)
    b.row("Dict set item", "m['a'] = 5", m=m)
    b.row("Map get hit", "m.get('a')", m=m)
    b.group = "errors"

    def fail():
        raise ValueError("m")

    b.row("C++ raise, Python catch", CATCH.format("f()"), f=fail)
    b.row("Python raise through C++", CATCH.format("f()"), f=fail)
    b.row("Array index error", "try:\n    a[9]\nexcept IndexError:\n    pass", a=[1])
    b.row(
        "C++ raise + format traceback",
        "try:\n    f()\nexcept ValueError as e:\n    fmt(e)",
        f=fail,
        fmt=lambda e: "".join(traceback.format_exception(e)),
    )
    b.group = "serialization"
    doc = json_text(1_000_000)
    b.row("JSON parse 1 MB", "f(t)", f=json.loads, t=doc)
    b.row("JSON stringify 1 MB", "f(t)", f=json.dumps, t=json.loads(doc))


def bench_msgspec(b):
    import msgspec

    class M1(msgspec.Struct):
        x: int

    class M3(msgspec.Struct):
        x: int = 1
        y: float = 2.0
        z: str = "abc"

    class MPair(msgspec.Struct):
        a: int
        b: int

        def sum(self):
            return self.a + self.b

    class MTree(msgspec.Struct):
        kind: int
        name: str
        kids: list

    M10 = msgspec.defstruct("M10", [(n, typing.Any) for n in "abcdefghij"])
    for c in (M1, M3, MPair, MTree, M10):
        c.__module__, c.__qualname__ = __name__, c.__name__
        globals()[c.__name__] = c
    object_rows(b, M1, M3, M10, MPair, MTree)
    b.group = "serialization"
    doc = json_text(1_000_000).encode()
    b.row("JSON parse 1 MB", "f(t)", f=msgspec.json.decode, t=doc)
    b.row("JSON stringify 1 MB", "f(t)", f=msgspec.json.encode, t=msgspec.json.decode(doc))
    tree = make_tree(MTree, 10_000)
    b.row("graph to JSON, 10k nodes", "f(t)", f=msgspec.json.encode, t=tree)


def bench_binding(b, m):
    b.group = "calls"
    b.row("nop 0 args", "f()", f=m.nop0)
    b.row("nop 0 args, lock held", "f()", f=m.nop0)
    b.row("nop 3 ints, lock held", "f(1, 2, 3)", f=m.nop3)
    b.row("echo int small, lock held", "f(1)", f=m.echo_int)
    b.row("nop 1 int", "f(1)", f=m.nop1)
    b.row("nop 3 ints", "f(1, 2, 3)", f=m.nop3)
    b.row("nop 8 ints", "f(1, 2, 3, 4, 5, 6, 7, 8)", f=m.nop8)
    b.row("nop mixed 5", "f(1, 2.0, None, 'abc', True)", f=m.nop_args)
    b.row("nop 0 args, lock released", "f()", f=m.nop0_nogil)
    b.row("echo int small", "f(1)", f=m.echo_int)
    b.row("echo int 62-bit", "f(x)", f=m.echo_int, x=1 << 61)
    b.row("echo float", "f(1.5)", f=m.echo_float)
    b.row("echo bool", "f(True)", f=m.echo_bool)
    b.row("echo None", "f(None)", f=m.echo_any)
    b.row("echo str 5 B", "f('hello')", f=m.echo_str)
    b.row("echo str 100 B", "f(x)", f=m.echo_str, x="x" * 100)
    b.row("echo str 10 kB", "f(x)", f=m.echo_str, x="x" * 10_000)
    b.row("echo str 100 B utf-8", "f(x)", f=m.echo_str, x="\u00e9" * 50)
    b.row("echo bytes 100 B", "f(x)", f=m.echo_bytes, x=b"x" * 100)
    b.row("echo bytes 10 kB", "f(x)", f=m.echo_bytes, x=b"x" * 10_000)
    b.row("echo list 3 ints", "f(x)", f=m.echo_list, x=[1, 2, 3])
    b.row("echo list 100 ints", "f(x)", f=m.echo_list, x=list(range(100)))
    b.row("echo dict 3 str:int", "f(x)", f=m.echo_dict, x={"a": 1, "b": 2, "c": 3})
    b.row("echo dict 100 str:int", "f(x)", f=m.echo_dict, x={f"k{i}": i for i in range(100)})
    b.row("echo object", "f(x)", f=m.echo_object, x=m.IntPair(1, 2))
    b.row("typed int -> int", "f(1)", f=m.echo_int)
    b.row("typed str -> str", "f('hello')", f=m.echo_str)
    b.row("kwargs wrapper positional", "f(1, 2, 3)", f=m.nop3_kw)
    b.row("kwargs wrapper keywords", "f(1, b=2, c=3)", f=m.nop3_kw)
    b.row("kwargs wrapper default", "f(1, 2)", f=m.nop3_kw)
    ident = lambda x: x
    b.row("callback(int)", "f(g, 1)", f=m.apply_any, g=ident)
    b.row("callback(str)", "f(g, 'hello')", f=m.apply_any, g=ident)
    b.row("apply(python lambda, int)", "f(g, 1)", f=m.apply, g=ident)
    try:
        import numpy as np

        x = np.zeros((4, 4), "float32")
        b.row("nop numpy array", "f(x)", f=m.nop_array, x=x)
        if hasattr(m, "nop_matrix"):
            b.row("untyped views: 1, lock held", "f(x)", f=m.nop_array, x=x)
            b.row("untyped views: 3, lock held", "f(x, x, x)", f=m.nop_3_arrays, x=x)
            b.row("typed views: 1, lock held", "f(x)", f=m.nop_matrix, x=x)
            b.row("typed views: 3, lock held", "f(x, x, x)", f=m.nop_3_matrices, x=x)
    except ImportError:
        pass
    b.group = "objects"
    b.row("C++ class construct (2 ints)", "C(1, 2)", C=m.IntPair)
    b.row("py_class construct 3 fields", "C(1, 2.0, 'abc')", C=m.Point3)
    b.row("py_class construct 3 keywords", "C(x=1, y=2.0, z='abc')", C=m.Point3)
    b.row("py_class construct defaults", "C()", C=m.Point3)
    p = m.Point3(1, 2.0, "abc")
    b.row("get int field", "p.x", p=p)
    b.row("get float field", "p.y", p=p)
    b.row("get str field", "p.z", p=p)
    b.row("get object field", "p.o", p=p)
    b.row("set int field", "p.x = 3", p=p)
    b.row("set float field", "p.y = 3.0", p=p)
    b.row("set str field", "p.z = 'xyz'", p=p)
    b.row("set object field", "p.o = o", p=p, o=m.IntPair(3, 4))
    b.row("C++ class get int", "p.a", p=m.IntPair(1, 2))
    b.row("C++ class set int", "p.b = 3", p=m.IntPair(1, 2))
    b.row("C++ method call", "p.sum()", p=m.IntPair(1, 2))
    b.row("isinstance exact", "isinstance(p, C)", p=p, C=m.Point3)
    b.row("isinstance miss", "isinstance(p, C)", p=p, C=m.IntPair)
    b.row("hash identity", "hash(p)", p=p)
    b.group = "containers"
    for n in (10, 1000):
        ints = list(range(n))
        b.row(f"List construct {n} ints", "C(x)", C=m.IntVector, x=ints)
        b.row(f"List iterate {n} ints", "for _x in a: pass", a=m.IntVector(ints))
        b.row(f"Array iterate {n} ints", "for _x in a: pass", a=m.IntVector(ints))
        b.row(f"Array list() {n} ints", "list(a)", a=m.IntVector(ints))
        d = m.StrMap()
        for i in ints:
            d[f"k{i}"] = i
        b.row(f"Map iterate {n}", "for _x in a: pass", a=d)
        b.row(f"Map items() {n}", "for _x in a.items(): pass", a=d)
        b.row(f"Map lookup of {n}", f"a['k{n // 2}']", a=d)
        b.row(f"Map contains of {n}", f"'k{n // 2}' in a", a=d)
    v, d = m.IntVector(list(range(1000))), m.StrMap()
    d["a"] = 1
    b.row("Array index int", "a[500]", a=v)
    b.row("Array len", "len(a)", a=v)
    b.row("List set item", "a[500] = 7", a=v)
    b.row("Map lookup str", "m['a']", m=d)
    b.row("Dict set item", "m['a'] = 5", m=d)
    b.group = "errors"

    def fail():
        raise ValueError("m")

    b.row("C++ raise, Python catch", CATCH.format("f('m')"), f=m.fail)
    b.row("wrong argument type", "try:\n    f('x')\nexcept TypeError:\n    pass", f=m.echo_int)
    b.row("wrong argument count", "try:\n    f()\nexcept TypeError:\n    pass", f=m.echo_int)
    b.row("Python raise through C++", CATCH.format("f(g)"), f=m.call, g=fail)
    for depth in (4, 16):
        g = fail
        for _ in range(depth):
            g = (lambda inner: lambda: m.call(inner))(g)
        b.row(f"Python raise through C++ depth {depth}", CATCH.format("f(g)"), f=m.call, g=g)
    b.row("C++ raise inside callback", CATCH.format("f(g)"), f=m.call, g=lambda: m.fail("m"))
    b.row(
        "C++ raise + format traceback",
        "try:\n    f('m')\nexcept ValueError as e:\n    fmt(e)",
        f=m.fail,
        fmt=lambda e: "".join(traceback.format_exception(e)),
    )


def size_build(folder):
    """Load the second build of nanobind_peer, which has the same name."""
    paths = glob.glob(os.path.join(folder, "size", "nanobind_peer*"))
    if not paths:
        raise ImportError("the build for size is missing")
    spec = importlib.util.spec_from_file_location("nanobind_peer", paths[0])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bench_ctypes(b, path):
    lib = ctypes.CDLL(path)
    i64 = ctypes.c_int64
    b.group = "calls"

    def func(name, res, *args):
        f = getattr(lib, name)
        f.restype, f.argtypes = res, args
        return f

    b.row("nop 0 args", "f()", f=func("nop0", None))
    b.row("nop 1 int", "f(1)", f=func("nop1", None, i64))
    b.row("nop 3 ints", "f(1, 2, 3)", f=func("nop3", None, *[i64] * 3))
    b.row("nop 8 ints", "f(1, 2, 3, 4, 5, 6, 7, 8)", f=func("nop8", None, *[i64] * 8))
    b.row("echo int small", "f(1)", f=func("echo_int", i64, i64))
    b.row("echo float", "f(1.5)", f=func("echo_float", ctypes.c_double, ctypes.c_double))
    b.row("echo bytes 5 B", "f(b'hello')", f=func("echo_str", ctypes.c_char_p, ctypes.c_char_p))
    kind = ctypes.CFUNCTYPE(i64, i64)
    b.row("callback(int)", "f(g, 1)", f=func("apply", i64, kind, i64), g=kind(lambda x: x))

    class CPair(ctypes.Structure):
        _fields_ = [("a", i64), ("b", i64)]

    b.group = "objects"
    b.row("C++ class construct (2 ints)", "C(1, 2)", C=CPair)
    b.row("C++ class get int", "p.a", p=CPair(1, 2))
    b.row("C++ class set int", "p.a = 3", p=CPair(1, 2))
    b.row(
        "C++ method call",
        "f(r)",
        f=func("sum", i64, ctypes.POINTER(CPair)),
        r=ctypes.byref(CPair(1, 2)),
    )


def bench_cffi(b, m):
    ffi, lib = m.ffi, m.lib
    b.group = "calls"
    b.row("nop 0 args", "f()", f=lib.nop0)
    b.row("nop 1 int", "f(1)", f=lib.nop1)
    b.row("nop 3 ints", "f(1, 2, 3)", f=lib.nop3)
    b.row("nop 8 ints", "f(1, 2, 3, 4, 5, 6, 7, 8)", f=lib.nop8)
    b.row("echo int small", "f(1)", f=lib.echo_int)
    b.row("echo float", "f(1.5)", f=lib.echo_float)
    b.row("echo bytes 5 B", "s(f(b'hello'))", f=lib.echo_str, s=ffi.string)

    @ffi.def_extern()
    def py_callback(x):
        return x

    b.row("callback(int)", "f(g, 1)", f=lib.apply, g=lib.py_callback)
    b.group = "objects"
    b.row("C++ class construct (2 ints)", "new('IntPair*', (1, 2))", new=ffi.new)
    p = ffi.new("IntPair*", (1, 2))
    b.row("C++ class get int", "p.a", p=p)
    b.row("C++ class set int", "p.a = 3", p=p)
    b.row("C++ method call", "f(p)", f=lib.sum, p=p)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build_dir")
    parser.add_argument("out_dir")
    parser.add_argument("--only", help="comma list of peers")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--budget-ms", type=float, default=90)
    parser.add_argument("--quiet", action="store_true")
    args = parser.parse_args()
    build = os.path.abspath(args.build_dir)
    sys.path.insert(0, build)
    os.makedirs(args.out_dir, exist_ok=True)
    peers = {
        "nanobind": lambda b: bench_binding(b, importlib.import_module("nanobind_peer")),
        "nanobind_size": lambda b: bench_binding(b, size_build(build)),
        "cython": lambda b: bench_binding(b, importlib.import_module("cython_peer")),
        "pyo3": lambda b: bench_binding(b, importlib.import_module("pyo3_peer")),
        "pybind11": lambda b: bench_binding(b, importlib.import_module("pybind11_peer")),
        "python": bench_python,
        "msgspec": bench_msgspec,
        "ctypes": lambda b: bench_ctypes(b, os.path.join(build, "c_peer.so")),
        "cffi": lambda b: bench_cffi(b, importlib.import_module("cffi_peer")),
    }
    names = args.only.split(",") if args.only else list(peers)
    if len(names) > 1:
        # The types of two nanobind modules in one process are shared, so each peer gets a process.
        for name in names:
            subprocess.run([sys.executable, *sys.argv, "--only", name], check=True)
        return
    for name in names:
        bench = Bench(args.repeats, args.budget_ms, verbose=not args.quiet)
        print(f"== {name}", file=sys.stderr)
        began = time.time()
        try:
            peers[name](bench)
        except ImportError as err:
            print(f"{name} left out: {err}", file=sys.stderr)
            continue
        with open(os.path.join(args.out_dir, name + ".json"), "w") as out:
            json.dump(
                {
                    "meta": {"peer": name, "seconds": round(time.time() - began, 1)},
                    "rows": bench.rows,
                    "skipped": bench.skipped,
                },
                out,
                indent=1,
            )


if __name__ == "__main__":
    main()

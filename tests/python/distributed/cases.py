# SPDX-License-Identifier: Apache-2.0
"""Send each kind of value through an engine; the program runs as ``__main__``.

python cases.py ray|dask     # prints a line `case: ok` or `case: error` for each case
"""

from __future__ import annotations

import functools
import sys
import traceback
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi.dataclasses import EnumObject, entry, py_class, py_enum

if TYPE_CHECKING:
    from collections.abc import Callable


@py_class("cases.Point")
class Point(tvm_ffi.Object):
    x: int
    weight: Any = None

    def twice(self) -> int:
        return 2 * self.x


@py_enum("cases.Mode")
class Mode(EnumObject):
    fast: ClassVar[Mode] = entry()
    exact: ClassVar[Mode] = entry()


def tensor() -> tvm_ffi.Tensor:
    return tvm_ffi.from_dlpack(np.arange(1000, dtype="float32"))


def check_number(x: Any) -> Any:
    return x + 1


def check_numbers(x: Any) -> Any:
    return sum(x)


def check_map(x: Any) -> Any:
    return x["a"], str(x["d"])


def check_native(x: Any) -> Any:
    return type(x).__name__, x.v_i64, x.v_str


def check_error(x: Any) -> Any:
    tvm_ffi.convert(failing)(x)


def failing(x: Any) -> Any:
    raise ValueError(f"bad {x}")


def check_tensor(x: Any) -> Any:
    return float(x.numpy().sum()), x.shape


def double(x: Any) -> Any:
    return tvm_ffi.from_dlpack(x.numpy() * 2)


def check_nested(x: Any) -> Any:
    return float(x["w"][0].numpy().sum()), x["w"][0] is x["w"][1]


def check_function(f: Any) -> Any:
    return f(20)


def check_point(x: Any) -> Any:
    return x.twice(), type(x) is Point, type(x).__name__


def check_mode(x: Any) -> Any:
    return x is Mode.exact, Mode.get("exact") is x


class Case:
    def __init__(self, run: Callable[..., Any], make: Callable[[], Any], expected: Any) -> None:
        self.run, self.make, self.expected = run, make, expected


SUM = float(np.arange(1000).sum())
echo = tvm_ffi.get_global_func("testing.echo")


def check_closure(x: Any) -> Any:
    return echo(x)


def nested() -> Any:
    shared = tensor()
    return tvm_ffi.Map({"w": [shared, shared]})


CASES: dict[str, Case] = {
    "int": Case(check_number, lambda: 1, 2),
    "Array of 100000 ints": Case(
        check_numbers, lambda: tvm_ffi.Array(range(100_000)), 4_999_950_000
    ),
    "Map and dtype": Case(
        check_map, lambda: tvm_ffi.Map({"a": 1, "d": tvm_ffi.dtype("int8")}), (1, "int8")
    ),
    "native object": Case(
        check_native,
        lambda: tvm_ffi.testing.TestObjectBase(v_i64=3, v_str="x"),
        ("TestObjectBase", 3, "x"),
    ),
    "exception": Case(check_error, lambda: 7, ValueError("bad 7")),
    "tensor as argument": Case(check_tensor, tensor, (SUM, (1000,))),
    "tensor as result": Case(double, tensor, None),
    "map of tensors": Case(check_nested, nested, (SUM, True)),
    "function": Case(check_function, lambda: echo, 20),
    "closure over a function": Case(check_closure, lambda: 5, 5),
    "object of __main__": Case(check_point, lambda: Point(4, tensor()), (8, True, "Point")),
    "enum variant of __main__": Case(check_mode, lambda: Mode.exact, (True, True)),
}
#: The cases for Dask. Dask pickles the values of the other cases in the same ways.
DASK = (
    *("int", "tensor as argument", "map of tensors", "function", "closure over a function"),
    *("object of __main__", "enum variant of __main__", "exception", "tensor as result"),
)


def matches(case: Case, compute: Callable[[], Any]) -> bool:
    if isinstance(case.expected, Exception):
        try:
            compute()
        except type(case.expected) as error:
            return str(case.expected) in str(error)
        return False
    found = compute()
    if case.expected is None:
        return bool(found.numpy().sum() == 2 * SUM)
    return bool(found == case.expected)


def report(name: str, compute: Callable[[], bool]) -> None:
    try:
        result = "ok" if compute() else "wrong"
    except Exception as error:
        traceback.print_exc()
        result = f"{type(error).__name__}: {error}".splitlines()[0]
    print(f"{name}: {result}", flush=True)


def with_ray() -> None:
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1, resources={"second": 1})
    ray.init(cluster.address, log_to_driver=False, configure_logging=False)
    try:
        for name, case in CASES.items():
            report(name, functools.partial(run_in_ray, ray, case))
        report("two gets share memory", lambda: shares(ray))
    finally:
        ray.shutdown()
        cluster.shutdown()


def run_in_ray(ray: Any, case: Case) -> bool:
    on_second = ray.remote(case.run).options(resources={"second": 0.1}, num_cpus=0)
    return matches(case, lambda: ray.get(on_second.remote(case.make())))


def shares(ray: Any) -> bool:
    size = 16 << 20
    reference = ray.put({"w": tvm_ffi.Array([tvm_ffi.from_dlpack(np.ones(size, "uint8"))])})
    first, second = (ray.get(reference)["w"][0].numpy() for _ in range(2))
    try:
        first[0] = 2
    except ValueError:
        return np.shares_memory(first, second) and second[0] == 1
    return False


def with_dask() -> None:
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        for name in DASK:
            report(name, functools.partial(run_in_dask, client, CASES[name]))
        report("scattered", lambda: scattered(client))
        report("moved between workers", lambda: moved(client))


def run_in_dask(client: Any, case: Case) -> bool:
    return matches(
        case, lambda: client.submit(case.run, case.make(), pure=False).result(timeout=60)
    )


def scattered(client: Any) -> bool:
    future = client.scatter(nested(), broadcast=True)
    return bool(client.submit(check_nested, future, pure=False).result(timeout=60) == (SUM, True))


def moved(client: Any) -> bool:
    first, second = sorted(client.scheduler_info()["workers"])
    held = client.submit(nested, workers=[first], pure=False)
    found = client.submit(check_nested, held, workers=[second], pure=False).result(timeout=60)
    return bool(found == (SUM, True))


if __name__ == "__main__":
    {"ray": with_ray, "dask": with_dask}[sys.argv[1]]()

# SPDX-License-Identifier: Apache-2.0
"""Kill a worker that has a tensor and runs a task; the engine must run the task again."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import numpy as np

import tvm_ffi


def work(flag: str, data: tvm_ffi.Map) -> float:
    """Return a sum; the first call kills the worker."""
    marker = Path(flag)
    if not marker.exists():
        marker.write_text("killed")
        os.kill(os.getpid(), signal.SIGKILL)
    return float(data["w"].numpy().sum())


def data() -> tvm_ffi.Map:
    return tvm_ffi.Map({"w": tvm_ffi.from_dlpack(np.ones(1 << 20, "float32"))})


def with_ray() -> float:
    import ray

    ray.init(num_cpus=1, log_to_driver=False, configure_logging=False)
    try:
        held = ray.put(data())
        run = ray.remote(work).options(max_retries=3)
        return float(ray.get(run.remote(str(Path("flag").resolve()), held), timeout=120))
    finally:
        ray.shutdown()


def with_dask() -> float:
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        future = client.submit(work, str(Path("flag").resolve()), client.submit(data), retries=3)
        return float(future.result(timeout=120))


if __name__ == "__main__":
    found = {"ray": with_ray, "dask": with_dask}[sys.argv[1]]()
    print(f"sum after a killed worker: {'ok' if found == 1 << 20 else found}")

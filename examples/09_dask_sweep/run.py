# SPDX-License-Identifier: Apache-2.0
"""Run a C++ kernel on Dask for 64 values of a parameter; each task computes a few values.

    pip install "dask[distributed]"
    python run.py

The compiled library is sent to the workers, so they need neither a compiler nor a shared file
system.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from dask.distributed import Client, LocalCluster

import tvm_ffi
import tvm_ffi.cpp
from tvm_ffi import distributed  # the import also tells Dask the sizes of our values

SOURCE = Path(__file__).with_name("sweep.cc")


def sweep(kernels: tvm_ffi.Module, steps: tvm_ffi.Array, data: tvm_ffi.Map) -> tvm_ffi.Array:
    """Return the distance to the minimum for each step size."""
    noise = data["noise"]  # may be read-only, which the kernel accepts: it reads const elements
    return tvm_ffi.Array([kernels.descend(step, noise) for step in steps])


def main() -> None:
    """Build the kernel, run it on the cluster, and print the best step size."""
    kernels = distributed.ship(
        tvm_ffi.load_module(tvm_ffi.cpp.build("sweep", cpp_files=[str(SOURCE)]))
    )
    noise = np.random.default_rng(0).normal(0, 0.1, 30)
    noise -= noise[::-1]  # makes the mean of the noise zero
    steps = [round(0.025 * (i + 1), 3) for i in range(64)]
    parts = [tvm_ffi.Array(steps[i : i + 8]) for i in range(0, 64, 8)]
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        data = client.scatter(tvm_ffi.Map({"noise": tvm_ffi.from_dlpack(noise)}), broadcast=True)
        futures = [client.submit(sweep, kernels, part, data) for part in parts]
        distances = [distance for part in client.gather(futures) for distance in part]
        print(f"best step: {steps[distances.index(min(distances))]}")
        print(f"points: {len(distances)}")
        try:
            client.submit(sweep, kernels, tvm_ffi.Array([-1.0]), data).result()
        except ValueError as error:
            print(f"error: ValueError: {error}")


if __name__ == "__main__":
    main()

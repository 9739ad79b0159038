# SPDX-License-Identifier: Apache-2.0
"""Steps of the test of flashinfer. They do not run its kernels, which need a GPU."""


def imports():
    import flashinfer

    assert flashinfer.__version__


def describes_a_module_to_compile():
    """Describe a module for an architecture that the machine need not have."""
    import os

    os.environ["FLASHINFER_CUDA_ARCH_LIST"] = "8.0"
    from flashinfer.jit.norm import gen_norm_module

    spec = gen_norm_module()
    assert spec.name == "norm", spec.name
    assert spec.sources

# SPDX-License-Identifier: Apache-2.0
"""Steps of quack-kernels, which needs a GPU to run its kernels: what works without one."""


def imports():
    import quack

    assert quack.__version__


def imports_the_kernels():
    import quack.cross_entropy
    import quack.rmsnorm
    import quack.softmax

    assert quack.rmsnorm.rmsnorm and quack.softmax.softmax and quack.cross_entropy.cross_entropy


def computes_a_reference():
    import torch
    from quack.rmsnorm import rmsnorm_ref

    x = torch.full((2, 8), 3.0)
    assert torch.allclose(rmsnorm_ref(x, torch.ones(8)), torch.ones(2, 8), atol=1e-3)

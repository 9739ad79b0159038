# SPDX-License-Identifier: Apache-2.0
"""Steps of the test of quack-kernels. They do not run its kernels, which need a GPU."""


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

# SPDX-License-Identifier: Apache-2.0
"""Steps of jax-tvm-ffi: a Python function as a call target of JAX on the CPU."""


def _floats(tensor):
    """Return the numbers of a float32 tensor as a NumPy array that shares its memory."""
    import ctypes

    import numpy as np

    assert str(tensor.dtype) == "float32", tensor.dtype
    pointer = ctypes.cast(tensor.data_ptr(), ctypes.POINTER(ctypes.c_float))
    return np.ctypeslib.as_array(pointer, tuple(tensor.shape))


def _call(name, function, x):
    import jax
    import jax_tvm_ffi

    import tvm_ffi

    target = tvm_ffi.convert(function)
    jax_tvm_ffi.register_ffi_target(name, target, ["args", "rets"], platform="cpu")
    result = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.jit(lambda value: jax.ffi.ffi_call(name, result)(value))(x)


def imports():
    import jax_tvm_ffi

    assert jax_tvm_ffi.register_ffi_target


def calls_a_function():
    import jax.numpy as jnp

    def add_one(x, y):
        _floats(y)[:] = _floats(x) + 1

    result = _call("clients.add_one", add_one, jnp.arange(8, dtype=jnp.float32))
    assert result.tolist() == [1, 2, 3, 4, 5, 6, 7, 8], result


def raises_an_error():
    import jax.numpy as jnp

    def fails(x, y):
        raise ValueError("a shape that does not fit")

    try:
        _call("clients.fails", fails, jnp.arange(8, dtype=jnp.float32)).block_until_ready()
    except Exception as error:
        text = str(error)
    else:
        text = "no error"
    assert "a shape that does not fit" in text, text

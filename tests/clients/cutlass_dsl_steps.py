# SPDX-License-Identifier: Apache-2.0
"""Steps of nvidia-cutlass-dsl: host functions compiled with ``--enable-tvm-ffi``, without a GPU."""

OPTIONS = "--enable-tvm-ffi"


def _text_of_error(function, *args):
    try:
        function(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


def imports():
    import cutlass

    assert cutlass.__version__


def calls_a_function_of_integers():
    import os
    import subprocess
    import sys

    program = f"""
import cutlass, cutlass.cute as cute
@cute.jit
def add(a: cutlass.Int32, b: cutlass.Int32):
    cute.printf("sum {{}}", a + b)
cute.compile(add, 1, 2, options={OPTIONS!r})(3, 4)
"""
    # The compiler reads the source of the function, so the function must be in a file.
    path = os.path.join(os.getcwd(), "add_of_clients.py")
    with open(path, "w") as file:
        file.write(program)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True)
    assert "sum 7" in done.stdout, done.stdout + done.stderr


def names_the_argument_in_an_error():
    import cutlass
    import cutlass.cute as cute
    import torch
    from cutlass.cute.runtime import make_fake_compact_tensor

    @cute.jit
    def size_of(a: cute.Tensor, b: cutlass.Int32):
        cute.printf("{} {}", cute.size(a), b)

    example = make_fake_compact_tensor(cutlass.Float32, (cute.sym_int(),))
    compiled = cute.compile(size_of, example, 2, options=OPTIONS)
    text = _text_of_error(compiled, torch.zeros(7), 4)
    assert text.startswith("ValueError: Mismatched Tensor on argument #0"), text
    assert "expected device_type=cuda" in text, text

# SPDX-License-Identifier: Apache-2.0
"""Steps that import all clients into one process, where they share one runtime."""

MODULES = ("tilelang", "xgrammar", "quack", "flashinfer", "cutlass", "jax_tvm_ffi")


def imports():
    import importlib

    for name in MODULES:
        importlib.import_module(name)


def import_in_reverse_order():
    import importlib

    for name in reversed(MODULES):
        importlib.import_module(name)


def work_in_one_process():
    import jax_tvm_ffi  # noqa: F401
    import tilelang  # noqa: F401
    import xgrammar
    from tvm import ir

    import tvm_ffi

    grammar = xgrammar.Grammar.from_ebnf('root ::= "a" | "b"')
    assert "root" in str(grammar)
    attrs = ir.make_node("ir.DictAttrs", a=1)
    assert tvm_ffi.structural_equal(ir.load_json(ir.save_json(attrs)), attrs)

# SPDX-License-Identifier: Apache-2.0
"""Steps that test apache-tvm: structural comparison, JSON, map keys and errors."""


def _text_of_error(function, *args):
    try:
        function(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


def imports():
    import tvm

    assert tvm.__version__


def compares_functions():
    import tvm
    from tvm.ir import assert_structural_equal

    from tvm_ffi import structural_equal, structural_hash

    def make(value):
        x = tvm.tirx.Var("x", "int32")
        return tvm.tirx.PrimFunc([x], tvm.tirx.Evaluate(x + value))

    one, same, other = make(1), make(1), make(2)
    assert structural_equal(one, same)
    assert structural_hash(one) == structural_hash(same)
    assert not structural_equal(one, other)
    text = _text_of_error(assert_structural_equal, one, other)
    assert text.startswith("ValueError: StructuralEqual"), text
    assert structural_equal(tvm.ir.load_json(tvm.ir.save_json(one)), one)


def attributes_of_functions():
    """Use ``DictAttrs``, a class whose only field is named ``__dict__``."""
    import tvm

    attrs = tvm.ir.make_node("ir.DictAttrs", a=1, b="x")
    assert sorted(attrs.keys()) == ["a", "b"]
    assert attrs["b"] == "x"


def types_as_keys():
    """Use ``PrimType`` as a map key: its key hooks are pointers, the form used before 0.1.15."""
    import tvm

    import tvm_ffi

    types = {name: tvm.ir.PrimType(name) for name in ("int32", "float32")}
    values = tvm_ffi.Map({types[name]: name for name in types})
    assert values[tvm.ir.PrimType("int32")] == "int32"
    assert tvm.ir.PrimType("int64") not in values


def raises_an_error():
    import tvm

    text = _text_of_error(tvm.target.Target, {"kind": "nothing"})
    assert text.startswith("ValueError: "), text
    assert "nothing" in text, text

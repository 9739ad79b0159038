# SPDX-License-Identifier: Apache-2.0
"""Call every registered function with arguments that fit, and with others that do not."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest
from child import in_child, note

CALLS = int(os.environ.get("TVM_FFI_HOSTILE_CALLS", "200"))
SEED = int(os.environ.get("TVM_FFI_HOSTILE_SEED", "0"))
# These functions take addresses that they cannot check, or wait on purpose.
LEFT_OUT = {
    "ffi.FunctionFromExternC",
    "ffi.MakeFieldSetter",
    "testing.run_check_signal",
    # This function removes functions that make the values of the other calls.
    "ffi.FunctionRemoveGlobal",
    # This function raises the given error, which may have no message.
    "testing.test_raise_error",
}
GROUPS = 6


def names() -> list[str]:
    import tvm_ffi.testing  # noqa: F401 - registers its functions
    from tvm_ffi import registry

    found = registry.list_global_func_names()
    return sorted(n for n in found if n.startswith(("ffi.", "testing.")) and n not in LEFT_OUT)


def params_of(name: str) -> list[dict[str, Any]] | None:
    from tvm_ffi import registry

    metadata = registry.get_global_func_metadata(name)
    schema = json.loads(metadata["type_schema"])
    return schema.get("named_args", {}).get("params")


@pytest.mark.parametrize("group", range(GROUPS))
@in_child(seconds=60 + CALLS // 4)
def test_registered_functions(group: int) -> None:
    import odd

    import tvm_ffi

    rng = random.Random(100 * SEED + group)
    tables = [(n, tvm_ffi.get_global_func(n), params_of(n)) for n in names()[group::GROUPS]]
    for name, function, params in tables:
        for i in range(CALLS):
            chosen = odd.arguments(rng, params)
            values = [make() for make in chosen]
            note(name, i, [odd.describe(v) for v in values])
            try:
                result = function(*values)
            except Exception as error:
                assert str(error) or isinstance(error, (KeyError, StopIteration)), name
            else:
                note(name, i, "showing its result")
                try:
                    repr(result)
                except ZeroDivisionError:
                    pass
                del result
            note(name, i, "releasing its arguments")
            values.clear()


@in_child()
def test_removing_every_global_function() -> None:
    import tvm_ffi
    from tvm_ffi import core

    remove = tvm_ffi.get_global_func("ffi.FunctionRemoveGlobal")
    kept = tvm_ffi.get_global_func("testing.echo")
    for name in names():
        assert remove(name)
        with pytest.raises(ValueError, match="Cannot find global function"):
            tvm_ffi.get_global_func(name)
    assert kept([1, "a"])[0] == 1
    assert len(tvm_ffi.List([1, {"a": 2}])) == 2
    assert repr(core.Error("ValueError", "text", ""))


@pytest.mark.parametrize("kind", ["", "ValueError", "nonsense", "KeyError", "no such\0kind"])
@pytest.mark.parametrize("message", ["", "text", "nul\0inside"])
@in_child()
def test_raising_errors_of_odd_kinds(kind: str, message: str) -> None:
    import tvm_ffi

    with pytest.raises(Exception) as caught:
        tvm_ffi.get_global_func("testing.test_raise_error")(kind, message)
    assert message in str(caught.value) or message in caught.value.args

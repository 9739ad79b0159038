# SPDX-License-Identifier: Apache-2.0
"""Run random operations on our and on built-in containers; compare results and exceptions.

`TVM_FFI_MODEL_STEPS` is the number of steps for each container; `make model` does 100,000.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tvm_ffi import Array, Dict, List, Map

STEPS = int(os.environ.get("TVM_FFI_MODEL_STEPS", "2000"))
PER_EXAMPLE = 40

scalars = st.one_of(
    st.integers(-3, 3), st.text("ab", max_size=2), st.none(), st.just("long enough")
)
indices = st.integers(-8, 8) | st.just(2**70)
slices = st.builds(
    slice, st.none() | indices, st.none() | indices, st.sampled_from([None, 1, -1, 2, -2, 3, -3])
)
keys = st.integers(0, 12) | st.text("ab", max_size=2) | st.none()

reads = st.one_of(
    st.tuples(st.just("__getitem__"), indices | slices),
    st.tuples(st.just("__contains__"), scalars),
    st.tuples(st.just("index"), scalars),
    st.tuples(st.just("count"), scalars),
    st.tuples(st.just("__len__")),
)
list_steps = st.one_of(
    reads,
    st.tuples(st.just("append"), scalars),
    st.tuples(st.just("extend"), st.lists(scalars, max_size=5)),
    # Do not use an index of more than 64 bits: our `insert` and the peer's clip such an index, but
    # `insert` of a Python list raises an error.
    st.tuples(st.just("insert"), st.integers(-8, 8), scalars),
    st.tuples(st.just("pop")),
    st.tuples(st.just("pop"), indices),
    st.tuples(st.just("remove"), scalars),
    st.tuples(st.just("reverse")),
    st.tuples(st.just("clear")),
    st.tuples(st.just("__iadd__"), st.lists(scalars, max_size=3)),
    st.tuples(st.just("__setitem__"), indices, scalars),
    st.tuples(st.just("__setitem__"), slices, st.lists(scalars, max_size=5)),
    st.tuples(st.just("__delitem__"), indices | slices),
)
map_reads = st.one_of(
    st.tuples(st.just("__getitem__"), keys),
    st.tuples(st.just("__contains__"), keys),
    st.tuples(st.just("get"), keys),
    st.tuples(st.just("get"), keys, scalars),
    st.tuples(st.just("__len__")),
)
dict_steps = st.one_of(
    map_reads,
    st.tuples(st.just("__setitem__"), keys, scalars),
    st.tuples(st.just("__delitem__"), keys),
    st.tuples(st.just("pop"), keys),
    st.tuples(st.just("pop"), keys, scalars),
    st.tuples(st.just("setdefault"), keys, scalars),
    st.tuples(st.just("update"), st.dictionaries(keys, scalars, max_size=6)),
    st.tuples(st.just("clear")),
)

KINDS: dict[str, tuple[Any, Any, Any, Any]] = {
    "List": (List, list, st.lists(scalars, max_size=9), list_steps),
    "Array": (Array, tuple, st.lists(scalars, max_size=9), reads),
    "Dict": (Dict, dict, st.dictionaries(keys, scalars, max_size=9), dict_steps),
    "Map": (Map, dict, st.dictionaries(keys, scalars, max_size=9), map_reads),
}


def outcome(target: Any, step: tuple[Any, ...]) -> Any:
    """Apply a step; return its result (for a sequence, as a list) or its exception class."""
    name, *arguments = step
    try:
        result = getattr(target, name)(*arguments)
    except Exception as error:
        return IndexError if isinstance(error, OverflowError) else type(error)
    return list(result) if isinstance(result, (list, tuple, Array, List)) else result


@pytest.mark.spec("PY-H189")
@pytest.mark.parametrize("kind", KINDS)
def test_model(kind: str) -> None:
    ours_class, model_class, start, steps = KINDS[kind]

    @settings(
        max_examples=max(1, STEPS // PER_EXAMPLE),
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(start, st.lists(steps, min_size=PER_EXAMPLE, max_size=PER_EXAMPLE))
    def run(content: Any, script: list[tuple[Any, ...]]) -> None:
        ours, model = ours_class(content), model_class(content)
        for step in script:
            assert outcome(ours, step) == outcome(model, step), step
        assert len(ours) == len(model)
        if model_class is dict:
            assert dict(ours.items()) == model
        else:
            assert list(ours) == list(model)

    run()

# SPDX-License-Identifier: Apache-2.0
"""A program for type checkers: containers. The tests also run the program."""

# ruff: noqa: RUF005 - the operator is tested
from __future__ import annotations

from collections.abc import ItemsView, KeysView, ValuesView
from typing import TYPE_CHECKING, Optional, Union

from tvm_ffi import Array, Dict, List, Map

if TYPE_CHECKING:
    from typing_extensions import assert_type
else:

    def assert_type(value, _):
        return value


def sequences() -> None:
    array = Array([1, 2, 3])
    assert_type(array, Array[int])
    assert_type(array[0], int)
    assert_type(array[1:], list[int])
    assert_type(array + [4], Array[int])
    assert_type([0] + array, Array[int])
    assert_type(array + ["x"], Array[Union[int, str]])
    assert_type(array.index(2), int)
    assert_type(array.count(2), int)
    assert_type(2 in array, bool)
    assert_type(list(reversed(array)), list[int])
    for number in array:
        assert_type(number, int)
    items: List[str] = List()
    items.append("a")
    items += ["b", "c"]
    items[0] = "d"
    items[1:] = ["e"]
    items.insert(0, "f")
    items.extend(("g", "h"))
    assert_type(items.pop(), str)
    assert_type(items[0], str)
    assert_type(items[:2], list[str])
    assert_type(items + items, List[str])
    nested = Array([Array([1])])
    assert_type(nested[0][0], int)
    wide: Array[float] = Array([1])
    wider: Array[object] = array
    assert len(wide) == 1
    assert len(wider) == 3


def mappings() -> None:
    table = Map({"a": 1})
    assert_type(table, Map[str, int])
    assert_type(table["a"], int)
    assert_type(table.get("a"), Optional[int])
    assert_type(table.get("a", 0), int)
    assert_type(table.get("a", "x"), Union[int, str])
    assert_type(table.keys(), KeysView[str])
    assert_type(table.values(), ValuesView[int])
    assert_type(table.items(), ItemsView[str, int])
    assert_type("a" in table, bool)
    assert_type(dict(table), dict[str, int])
    assert_type({**table}, dict[str, int])
    for key in table:
        assert_type(key, str)
    for name, number in table.items():
        assert_type(name, str)
        assert_type(number, int)
    changing = Dict({"a": 1})
    assert_type(changing, Dict[str, int])
    changing["b"] = 2
    changing.update({"c": 3})
    assert_type(changing.setdefault("d", 4), int)
    assert_type(changing.pop("a"), int)
    assert_type(changing.pop("a", None), Optional[int])
    assert_type(changing.popitem(), tuple[str, int])
    assert_type(changing.items(), ItemsView[str, int])
    empty: Dict[str, List[int]] = Dict()
    empty["x"] = List([1])
    assert_type(empty["x"][0], int)
    deep = Map({"a": Map({1: "x"})})
    assert_type(deep["a"][1], str)
    union: Map[str, Union[int, str]] = table
    assert len(union) == 1


def main() -> None:
    sequences()
    mappings()
    print("done")


if __name__ == "__main__":
    main()

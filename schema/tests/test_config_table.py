# SPDX-License-Identifier: Apache-2.0
"""The table of configuration keys: its defaults and its examples are valid."""

from __future__ import annotations

import sys

import pytest

from tvm_ffi_schema.config import table as config_table
from tvm_ffi_schema.config.check import Checker
from tvm_ffi_schema.diag import Bag

SCHEMA = '''
@declare
class A(Object):
    """One."""

    type_key = "t.A"
'''


@pytest.mark.parametrize("name", config_table.KEYS)
def test_defaults_are_of_their_kinds(name):
    bag = Bag()
    data = {name: config_table.KEYS[name].value}
    assert Checker("", "x.toml", bag).good(data) == data
    assert not bag.items


def test_words_of_kinds_are_those_of_the_reference():
    words = {name: kind.words for name, kind in config_table.KINDS.items()}
    assert words["text"] == "a text"
    assert words["texts"] == "a list of texts"
    assert words["bool"] == "a bool: true or false"
    assert words["table"] == "a table"
    assert words["macros"] == "a list of names of macros"
    assert words["namespace"] == "a C++ namespace"
    assert words["mode"] == "one of 'inplace', 'full'"


def test_members_are_those_of_one_table():
    assert list(config_table.members("breaking.ignore")) == ["rule", "type", "reason"]
    assert list(config_table.members("breaking")) == ["against", "ignore"]
    assert "breaking.against" not in config_table.members("")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="reading TOML needs it")
@pytest.mark.parametrize("name", config_table.TABLE)
def test_examples_are_right(project, name):
    import tomllib

    row = config_table.TABLE[name]
    value = tomllib.loads(row.example)
    for part in name.split("."):
        value = value[0] if isinstance(value, list) else value
        value = value[part]
    assert value != row.value
    project.schema(SCHEMA)
    project.write("tschema.toml", row.example + "\n")
    project.run("check")
    assert not {"TS010", "TS011", "TS012"} & set(project.ids()), project.err

# SPDX-License-Identifier: Apache-2.0
"""Test that every C++ name in ``tests/golden/cpp_names.json`` is used in a program.

CTest compiles the programs of ``tests/cpp/names`` (``names/...``); this file compares each program
with the names in ``cpp_names.json`` for its header.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
USES = ROOT / "tests" / "cpp" / "names"
NAMES = json.loads((ROOT / "tests" / "golden" / "cpp_names.json").read_text())


def program_of(header: str) -> Path:
    return USES / Path(header).relative_to("tvm/ffi").with_suffix(".cc")


@pytest.mark.spec("A02")
@pytest.mark.parametrize("header", NAMES)
def test_the_program_of_a_header_uses_every_listed_name(header):
    program = program_of(header)
    text = program.read_text()
    for shared in re.findall(r'#include "([^"/]+)"', text):
        text += (program.parent / shared).read_text()
    text = re.sub(r"//.*", "", text)
    unused = set(NAMES[header]) - set(re.findall(r"[A-Za-z_]\w*", text))
    assert not unused, sorted(unused)


@pytest.mark.parametrize("header", NAMES)
def test_a_program_includes_the_header_that_it_is_about_first(header):
    includes = re.findall(r"#include <(tvm/ffi/[^>]+)>", program_of(header).read_text())
    assert (ROOT / "include" / header).is_file()
    assert header in includes[:2]  # container/array.h comes before container/variant.h


def test_every_program_has_a_list():
    assert {program_of(header) for header in NAMES} == set(USES.rglob("*.cc"))
    assert sum(map(len, NAMES.values())) > 1500


@pytest.mark.spec("L24")
@pytest.mark.parametrize(
    ("header", "names"),
    {
        "extra/serialization.h": "kDataToJson kDataFromJson",
        "extra/dataclass.h": "kRepr kHash kEq kCompare",
        "extra/structural_equal.h": "kSEqual",
        "reflection/accessor.h": "kNew kInit kConvert kConvertTypeSchema kShallowCopy kAnyHash",
        "enum.h": "kEnumState",
    }.items(),
)
def test_the_well_known_attributes_are_listed_with_their_header(header, names):
    assert set(names.split()) <= set(NAMES[f"tvm/ffi/{header}"])

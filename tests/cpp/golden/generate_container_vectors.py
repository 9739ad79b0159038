# SPDX-License-Identifier: Apache-2.0
"""Write container_vectors.h from the container vectors of tests/golden/abi_facts.json.

The build of the tests runs this program; it writes only if the text differs.

python tests/cpp/golden/generate_container_vectors.py FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

FACTS = Path(__file__).resolve().parents[2] / "golden" / "abi_facts.json"

PREAMBLE = """\
#ifndef TVM_FFI_TESTS_CPP_GOLDEN_CONTAINER_VECTORS_H_
#define TVM_FFI_TESTS_CPP_GOLDEN_CONTAINER_VECTORS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace golden {

// One occupied slot of a Map with the dense layout: the key as JSON text, and the neighbours in the
// order of insertion, -1 for none.
struct Slot {
  uint64_t slot;
  std::string key;
  int64_t prev;
  int64_t next;
};

// The content of a Map or Dict in memory; the members from fib_shift on are for the dense layout
// (docs/reference/container-layout.md).
struct MapLayout {
  std::string label;
  int32_t type_index;
  uint64_t size;
  uint64_t slots_raw;
  bool data_deleter_null;
  int64_t data_offset;  // -1: outside the object
  std::vector<std::string> order;
  uint32_t fib_shift;
  int64_t head;
  int64_t tail;
  std::string meta;  // hexadecimal
  std::vector<Slot> slots;
};

struct Capacity {
  std::string step;
  int64_t size;
  int64_t capacity;
};

struct KeyHash {
  std::string key;
  int32_t type_index;
  uint64_t hash;
  uint64_t structural_hash;
};

// The expected structural hash of a value; `value` is a text that describes the value.
struct StructuralHash {
  std::string value;
  uint64_t hash;
};

"""


def text(value: str) -> str:
    """Return a C++ string literal; bytes that are not printable ASCII become octal escapes."""
    out = "".join(
        chr(b) if 32 <= b < 127 and chr(b) not in '"\\' else f"\\{b:03o}"
        for b in value.encode("utf-8")
    )
    return f'"{out}"'


def map_layout(entry: dict) -> str:
    """Return the initialiser of one MapLayout."""
    offset = entry["data_offset"]
    order = ", ".join(text(key) for key in entry["order"])
    slots = ",\n      ".join(
        f"{{{slot}, {text(key)}, {prev}, {next_}}}"
        for slot, (key, prev, next_) in entry.get("slots", {}).items()
    )
    return (
        f"    {{{text(entry['label'])}, {entry['type_index']}, {entry['size']},\n"
        f"     {entry['slots_raw']}u, {str(entry['data_deleter_null']).lower()},"
        f" {-1 if offset is None else offset},\n"
        f"     {{{order}}},\n"
        f"     {entry.get('fib_shift', 0)}, {entry.get('head', -1)}, {entry.get('tail', -1)},\n"
        f"     {text(entry.get('meta', ''))},\n"
        f"     {{{slots}}}}},\n"
    )


def render(facts: dict) -> str:
    """Return the text of the header."""
    vectors = facts["test_vectors"]
    out = [PREAMBLE]
    out.append("inline const std::vector<MapLayout> kMapLayouts = {\n")
    out.extend(map_layout(entry) for entry in vectors["map_layouts"])
    out.append("};\n\ninline const std::vector<Capacity> kCapacities = {\n")
    out.extend(f"    {{{text(s)}, {n}, {c}}},\n" for s, n, c in vectors["sequence_capacity_trace"])
    out.append("};\n\ninline const std::vector<KeyHash> kKeyHashes = {\n")
    out.extend(
        f"    {{{text(e['key'])}, {e['type_index']}, {e['any_hash']}u, {e['structural_hash']}u}},\n"
        for e in vectors["any_and_structural_hash"]
    )
    out.append("};\n\ninline const std::vector<StructuralHash> kStructuralHashes = {\n")
    out.extend(
        f"    {{{text(value)}, {value_hash}u}},\n"
        for value, value_hash in vectors["structural_hash_containers"].items()
    )
    out.append("};\n\ninline const std::vector<uint64_t> kProbeDistance = {\n")
    out.extend(f"    {d}u,\n" for d in facts["tables"]["dense_map_probe_distance"])
    out.append("};\n\n}  // namespace golden\n")
    out.append("#endif  // TVM_FFI_TESTS_CPP_GOLDEN_CONTAINER_VECTORS_H_\n")
    return "".join(out)


def main() -> None:
    """Write the header, unless it is up to date."""
    header = Path(sys.argv[1]) / "container_vectors.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    rendered = render(json.loads(FACTS.read_text(encoding="utf-8")))
    if not header.exists() or header.read_text(encoding="utf-8") != rendered:
        header.write_text(rendered, encoding="utf-8")


if __name__ == "__main__":
    main()

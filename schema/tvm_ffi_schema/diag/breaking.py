# SPDX-License-Identifier: Apache-2.0
"""The rules for changes between two versions of a schema.

Each rule is for one sort of change, and lists the categories of uses that this change breaks: JSON
(stored data), API (source code), ABI (compiled code), and SEMANTIC (results that depend on the
structure of objects, such as hashes, equality and order).
"""

from __future__ import annotations

ABI, API, JSON, SEMANTIC = "ABI", "API", "JSON", "SEMANTIC"

#: Rule -> the categories of uses that its change breaks.
CATEGORIES: dict[str, tuple[str, ...]] = {
    "TYPE_NO_DELETE": (ABI, API, JSON),
    "TYPE_SAME_KEY": (ABI, API),  # not JSON: `renamed_from` states the old key of stored data
    "TYPE_SAME_CPP_NAME": (API,),
    "TYPE_SAME_NAMESPACE": (API,),
    "TYPE_SAME_HEADER": (API,),
    "TYPE_SAME_PARENT": (ABI, API, SEMANTIC),
    "TYPE_NO_NEW_FINAL": (ABI, API),
    "TYPE_NO_NEW_SEALED": (ABI, API),
    "TYPE_NO_NEW_ABSTRACT": (ABI, API),
    "TYPE_SAME_SIZE": (ABI,),
    "TYPE_SAME_EQ_KIND": (SEMANTIC,),
    "TYPE_SAME_MUTABILITY": (API,),
    "REF_SAME_NULLABILITY": (ABI, API),
    "FIELD_NO_DELETE": (ABI, API, JSON, SEMANTIC),
    "FIELD_SAME_NAME": (API, JSON),
    "FIELD_RENAMED": (API,),  # not JSON: `renamed_from` states the old name in stored data
    "FIELD_SAME_TYPE": (ABI, API, JSON, SEMANTIC),
    "FIELD_WIDENED_TYPE": (ABI, API, SEMANTIC),
    "FIELD_SAME_OFFSET": (ABI,),
    "FIELD_SAME_ORDER": (API, SEMANTIC),
    "FIELD_NO_NEW_REQUIRED": (API, JSON),
    "FIELD_SAME_DEFAULT": (API, JSON, SEMANTIC),
    "FIELD_SAME_STRUCTURAL_FLAG": (SEMANTIC,),
    "FIELD_NEW_IN_STRUCTURE": (SEMANTIC,),
    "FIELD_SAME_INIT": (API,),
    "FIELD_SAME_KW_ONLY": (API,),
    "METHOD_NO_DELETE": (ABI, API),
    "METHOD_SAME_SIGNATURE": (ABI, API),
    "CTOR_SAME_SIGNATURE": (ABI, API),
    "ENUM_ENTRY_NO_DELETE": (ABI, API, JSON, SEMANTIC),
    "ENUM_ENTRY_SAME_VALUE": (ABI, API, JSON, SEMANTIC),
    "ENUM_ENTRY_SAME_ORDINAL": (ABI, SEMANTIC),
    "ATTR_NO_DELETE": (API, SEMANTIC),
    "ATTR_SAME_VALUE": (API, SEMANTIC),
}

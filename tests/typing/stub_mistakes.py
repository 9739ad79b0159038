# SPDX-License-Identifier: Apache-2.0
"""Calls through generated stubs that type checkers must report; see ``mistakes.py``."""

# ruff: noqa: B018
from __future__ import annotations

import numpy as np
import stub_api as api

api.schema_id_tensor([1.0])  # error
api.schema_id_tensor(None)  # error
api.schema_id_tensor("cpu")  # error
api.schema_id_int("1")  # error
api.schema_id_int(1.5)  # error
api.schema_id_int()  # error
api.schema_id_int(1, 2)  # error
api.schema_id_float("1")  # error
api.schema_id_string(1)  # error
api.schema_id_bytes("x")  # error
api.schema_id_device(0)  # error
api.schema_id_dtype(np.zeros(1))  # error
api.schema_id_dtype(float)  # error
api.schema_id_arr_int(["a"])  # error
api.schema_id_arr_int({1})  # error
api.schema_id_map_str_int({1: 1})  # error
api.schema_id_map_str_int([("a", 1)])  # error
api.schema_id_object(1)  # error
api.schema_id_func(1)  # error
api.schema_id_func_typed(lambda: None)  # error
api.schema_id_tensor(np.zeros(1)).upper()  # error
api.schema_id_int(1).upper()  # error
api.schema_id_arr_int([1]).append(2)  # error
api.TestIntPair("a", 1)  # error
api.TestEnumVariant.Gamma  # error
api.TestEnumVariant.Alpha.upper()  # error
api.Shade(depth=1)  # error
api.absent  # error

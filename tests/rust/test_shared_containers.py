# SPDX-License-Identifier: Apache-2.0
"""Test that two Rust libraries change one list and one dict on several threads of Python."""

from __future__ import annotations

import shutil
import sys
from typing import Any

from running import execute

LIBRARY = """\
use tvm_ffi::{tvm_ffi_dll_export_typed_func, Any, Dict, List, Result, String};

fn text(i: i64) -> Any {
    Any::from(String::from(format!("the text with the number {i}")))
}

fn change_list(list: List<Any>, start: i64) -> Result<()> {
    for i in start..start + 3_000 {
        match i % 6 {
            0..=2 => list.push(text(i))?,
            3 => drop(list.pop()),
            4 => drop(list.insert(0, text(i))),
            _ => list.truncate(100),
        }
    }
    Ok(())
}

fn change_dict(dict: Dict<i64, Any>, start: i64) -> Result<()> {
    for i in start..start + 3_000 {
        match i % 5 {
            0..=2 => dict.set(i % 70, text(i))?,
            3 => drop(dict.remove(&(i % 70))?),
            _ => drop(dict.get(&(i % 70))?),
        }
    }
    dict.values().try_for_each(|value| value.map(drop))
}

tvm_ffi_dll_export_typed_func!(change_list, change_list);
tvm_ffi_dll_export_typed_func!(change_dict, change_dict);
"""

# A program of its own, because a fault ends the process.
PROGRAM = """\
import sys
import threading

import tvm_ffi

modules = [tvm_ffi.load_module(path) for path in sys.argv[1:]]
texts, table = tvm_ffi.List([]), tvm_ffi.Dict({})


def change(start):
    for step in range(10):
        module = modules[(start + step) % len(modules)]
        module.change_list(texts, start)
        module.change_dict(table, start)


threads = [threading.Thread(target=change, args=(start,)) for start in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert all(text.startswith("the text") for text in [*texts, *table.values()])
print(len(table) <= 70)
"""


def test_two_libraries_change_the_containers_of_python_on_four_threads(
    make_crate: Any, tmp_path: Any
) -> None:
    crate = make_crate("shared_containers", '\n[lib]\ncrate-type = ["cdylib"]\n')
    built = crate.write(lib=LIBRARY).cargo("build")
    assert built.returncode == 0, built.stderr
    library = crate.target / "debug" / "libshared_containers.so"
    copied = shutil.copy(library, tmp_path / "libsecond.so")
    command = [sys.executable, "-c", PROGRAM, str(library), str(copied)]
    result = execute(*command, status=None)
    assert (result.returncode, result.stdout) == (0, "True\n"), result.stderr

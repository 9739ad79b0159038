# SPDX-License-Identifier: Apache-2.0
"""Test the examples in the docstrings of the package."""

from __future__ import annotations

import pytest

MODULES = (
    *("_convert", "_dtype", "_tensor", "access_path", "container", "cpp.extension", "cpp.dtype"),
    *("error", "libinfo", "module", "registry", "serialization", "stream", "structural"),
    *("utils.kwargs_wrapper", "utils.lockfile", "utils.unpack_dataclass"),
    *("dataclasses.enum", "dataclasses.py_class", "dataclasses.c_class", "dataclasses.common"),
    *("dataclasses.field", "dataclasses.init_property", "dataclasses.methods"),
)


@pytest.mark.parametrize("module", MODULES)
def test_examples(module, run_python, tmp_path):
    # The examples register classes and functions, so they run in a separate process.
    out = run_python(
        f"""
import doctest, importlib
module = importlib.import_module('tvm_ffi.{module}')
options = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
# Some private modules set __module__ of a public function to the public package; doctest would
# take such a function for one that was imported.
finder = doctest.DocTestFinder()
finder._from_module = lambda module, x: getattr(x, "__globals__", vars(module)) is vars(module) or (
    getattr(x, "__module__", None) in ("tvm_ffi", module.__name__))
runner = doctest.DocTestRunner(optionflags=options)
for test in finder.find(module, module.__name__):
    runner.run(test)
failed, attempted = runner.summarize()
print("failed", failed, "some" if attempted else "none")
""",
        TVM_FFI_CACHE_DIR=str(tmp_path),
    )
    assert out == "failed 0 some"

# SPDX-License-Identifier: Apache-2.0
"""Pretty-printers for debuggers.

``python -m tvm_ffi.debug`` prints the lines to add to ``~/.gdbinit`` and ``~/.lldbinit``.

``values.py`` reads values from the memory of a process or a core file by the layout of the C ABI.
It does not use debug information or other modules, because it runs in the debugger's Python.
``gdb_printers.py`` and ``lldb_printers.py`` register the printers with the debugger.
"""

# SPDX-License-Identifier: Apache-2.0
"""Pretty-printers for debuggers.

``python -m tvm_ffi.debug`` prints the line that loads them: for ``gdb`` into ``~/.gdbinit``, for
``lldb`` into ``~/.lldbinit``.

``values.py`` reads values out of the memory of a process, or of a core file, by the layout of the
C ABI; it needs no debug information and no other module, because the Python of the debugger runs
it. ``gdb_printers.py`` and ``lldb_printers.py`` tell the debugger when to ask it.
"""

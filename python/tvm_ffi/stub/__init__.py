# SPDX-License-Identifier: Apache-2.0
"""The stub generator ``tvm-ffi-stubgen``: writes the types of registered items into sources.

The modules, from the command down::

    cli.py          the command: options, the stages of a run, the exit status
    watched.py      runs a command in a child process, since loading a library may crash it
    scaffold.py     init mode and the directive `prefix`: new files and blocks
    python_generator/  the content of blocks in Python files
    rust_generator/ the content of blocks in Rust files
    generator.py    the list of generators
    interface.py    the base class of generators
    lib_state.py    the items registered in this process
    utils.py        the descriptions of functions, objects and options for generators
    cpp.py          gen_abi_cpp: C++ structs with the layout of objects
    cpp_types.py    the C++ types of the members of these structs
    view_text.py    the text of these structs
    pyi.py          complete stub files, for --pyi
    layout.py       checks whether the reflected fields determine the layout of a type
    type_text.py    reads and writes type schemas
    python_text.py  Python syntax of types, signatures and imports
    file_utils.py   files, their blocks and directives
    consts.py       markers, colours, fixed names

The command ``tvm-ffi-inspect`` is in inspect_command.py, inventory.py and inventory_page.py.
``import tvm_ffi`` does not import this package.
"""

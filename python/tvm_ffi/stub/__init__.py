# SPDX-License-Identifier: Apache-2.0
"""The stub generator ``tvm-ffi-stubgen``: writes what is registered into Python sources.

The rooms, from the door inwards::

    cli.py          the command: options, the stages of a run, the exit status
    watched.py      outliving libraries that end the process which loads them
    scaffold.py     init mode: files for what has none yet; the directive `prefix`
    python_generator/  what stands in the blocks of Python files
    generator.py    what a generator is, and which there are
    lib_state.py    what is registered in this process
    utils.py        functions, objects and options as a generator sees them
    cpp.py          gen_abi_cpp: C++ structs that view objects; cpp_types.py their members,
                    view_text.py their text
    pyi.py          whole stub files, for --pyi
    layout.py       whether the bytes of a type follow from its fields
    type_text.py    type schemas, and how they are written
    python_text.py  types, signatures and imports as Python has them; the schema tool's, too
    file_utils.py   files, their blocks and directives
    consts.py       markers, colours, fixed names

Beside it stands ``tvm-ffi-inspect``: inspect_command.py, inventory.py and inventory_page.py.

It is not imported by ``import tvm_ffi``.
"""

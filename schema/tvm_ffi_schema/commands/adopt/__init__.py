# SPDX-License-Identifier: Apache-2.0
"""Adopt hand-written C++: write a schema, and insert markers into the C++ files.

The steps, in order::

    tree        reads the files, their tokens and facts, and the classes that already have blocks
    find        finds the classes that may be adopted
    registered  finds the registration of a class: a statement of an init block, or a macro
    body        splits a class body into declarations, with the comments before them
    chain       reads a registration chain or VisitAttrs: fields with flags and defaults, methods
    types       converts a C++ type to a type of the schema
    class_def   makes the definition of a class, with field_def and method_def
    comments    converts a Doxygen comment to documentation
    declared    finds all object classes of the files, adopted or not
    schema_file writes the schema file, or adds classes to it
    markup      inserts markers, and puts hand-written code into custom sections
    verify      compares the facts of the generated text with the facts of the original text
    adoption    runs all steps, and repeats them without the classes that fail

For a class that cannot be adopted safely, a step raises `Refused`. The class is not changed, and
the other classes are adopted.
"""

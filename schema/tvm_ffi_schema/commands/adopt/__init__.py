# SPDX-License-Identifier: Apache-2.0
"""Adopt hand-written C++: a schema of it, and markers in it, with the same meaning.

The steps, in order::

    tree        the files, their tokens and facts, and the classes that have blocks already
    find        the classes that may be adopted
    registered  where each is registered: a statement of an init block, or a macro
    body        the declarations of one class body, with the comments before them
    chain       a registration chain: fields with flags and defaults, methods
    visited     the same of VisitAttrs, in the classic dialect
    types       a C++ type as a type of the schema
    class_def   one class as the schema says it, from field_def and method_def
    comments    a Doxygen comment as documentation
    declared    all object classes of the files, also those that stay outside of the schema
    schema_file the schema file, new or with classes added
    markup      the texts with markers, and hand-written code in custom sections
    verify      the generated text against the text before, by its facts
    adoption    all steps together, until what is left can be adopted

A class that cannot be adopted safely raises `Refused`. It is not changed, and the other classes are
adopted.
"""

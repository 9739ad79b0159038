# SPDX-License-Identifier: Apache-2.0
"""Adopt hand-written C++: a schema of it, and markers in it, with the same meaning.

The steps, in order::

    tree        the files, their tokens and facts, and the classes that have blocks already
    body        the declarations of one class body, and the comments between them
    types       a C++ type as a type of the schema
    chain       a registration chain: fields with flags and defaults, methods
    visited     the same of VisitAttrs, in the classic dialect
    class_def   one class: what the schema says of it, or `Refused`
    comments    a Doxygen comment as documentation
    markup      the texts with markers, and hand-written code in custom sections
    schema_file the schema file, new or with classes added
    verify      the generated text against the text before, by its facts
    adoption    all steps together, until what is left can be adopted

A class that cannot be adopted safely raises `Refused`; it is left alone, and the others go on.
"""

# SPDX-License-Identifier: Apache-2.0
"""Run the standard library's tests of ``dataclasses`` on ``py_class``.

The tests come from the ``test`` package of the running interpreter. Each class that they decorate
is created again with ``tvm_ffi.Object`` as a base; annotations without a schema become ``Any``, and
the texts of messages are not compared. Tests that still fail are listed below with the difference
that causes the failure; a listed test that passes is an error too.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import typing
import unittest
import uuid

import pytest

import tvm_ffi
from tvm_ffi import core, dataclasses
from tvm_ffi.dataclasses import resolve, weakref_slot

DIFFERENCES = {
    "a class attribute is the descriptor of its field, also where the body gives a default": (
        ("TestCase", "class_attrs field_default post_init_not_auto_added items_in_dicts"),
        ("TestCase", "class_var_default_factory"),
        ("TestDescriptors", "default_value getting_field_calls_get init_calls_set"),
        ("TestDescriptors", "lookup_on_class no_default_value non_descriptor set_name"),
        ("TestDescriptors", "setting_field_calls_set"),
        ("TestAbstract", "abc_implementation"),
        ("TestStringAnnotations", "initvar"),
    ),
    "`field` is left alone on class variables": (
        ("TestCase", "class_var_with_default classvar_default_factory"),
        ("TestKeywordArgs", "no_classvar_kwarg"),
    ),
    "repr begins with the type key, and shows floats, strings and cycles in the library's way": (
        ("TestCase", "class_var class_var_frozen not_in_repr"),
        ("TestReplace", "recursive_repr recursive_repr_misc_attrs recursive_repr_two_attrs"),
        ("TestReplace", "recursive_repr_indirection recursive_repr_indirection_two"),
        ("TestRepr", "no_repr repr"),
    ),
    "values are native: converted, in containers of the library, in no instance dictionary": (
        ("TestCase", "default_factory default_factory_derived"),
        ("TestCase", "default_factory_not_called_if_value_given"),
        ("TestCase", "default_factory_with_no_init helper_asdict_builtin_containers"),
        ("TestCase", "helper_asdict_namedtuple helper_asdict_namedtuple_derived"),
        ("TestCase", "helper_asdict_namedtuple_key helper_astuple_builtin_containers"),
        ("TestCase", "helper_astuple_namedtuple init_false_no_default init_in_order"),
        ("TestCase", "init_var init_var_inheritance generic_dynamic function_annotations"),
        ("TestHash", "eq_only"),
        ("TestReplace", "initvar_with_default_value"),
    ),
    "literal mutable defaults are safe and allowed": (
        ("TestCase", "disallowed_mutable_defaults no_unhashable_default"),
    ),
    "required parameters move before optional ones": (
        ("TestCase", "two_fields_one_default"),
        ("TestKeywordArgs", "defaults"),
    ),
    "a field of an ancestor cannot be declared again; annotations of a mixin make fields": (
        ("TestCase", "field_order overwrite_fields_in_derived_class"),
        ("TestCase", "intermediate_non_dataclass"),
    ),
    "`eq` leaves `__hash__` alone, and hash values are the library's": (
        ("TestCase", "hash_field_rules overwrite_hash"),
        ("TestFrozen", "frozen_hash"),
        ("TestHash", "0_field_hash 1_field_hash hash_no_args hash_rules unsafe_hash"),
    ),
    "frozen and mutable classes may derive from one another; the descriptor refuses": (
        ("TestFrozen", "inherit_frozen_from_nonfrozen inherit_nonfrozen_from_empty_frozen"),
        ("TestFrozen", "inherit_nonfrozen_from_frozen overwriting_frozen"),
    ),
    "`init=False` without `__init__` in the body refuses construction": (
        ("TestCase", "post_init"),
        ("TestInit", "base_has_init no_init"),
    ),
    "`replace` copies, whatever `init` says; it knows fields alone": (
        ("TestCase", "is_dataclass_when_getattr_always_returns"),
        ("TestReplace", "frozen invalid_object no_init"),
    ),
    "a body's operators win without an error; `CObject` defines all six comparisons": (
        ("TestOrdering", "functools_total_ordering overwriting_order"),
    ),
    "`Field` and `MISSING` are the package's own; metadata is a dictionary": (
        ("TestCase", "class_marker field_metadata_custom_mapping field_metadata_default"),
        ("TestCase", "field_metadata_mapping field_recursive_repr field_repr missing_repr"),
        ("TestCase", "missing_default missing_default_factory"),
    ),
    "the private tables of `dataclasses` and `make_dataclass` are not there": (
        ("TestCase", "recursive_annotation dynamic_class_creation"),
        ("TestCase", "dynamic_class_creation_using_field"),
        ("TestKeywordArgs", "make_dataclass"),
        ("TestMakeDataclass", "base_dataclass class_var init_var simple"),
    ),
    "members that all classes share name no class": (("TestCase", "dataclasses_qualnames"),),
    "generated documentation names types as schemas do": (
        ("TestDocString", "docstring_deque_field"),
        ("TestDocString", "docstring_deque_field_with_default_factory docstring_list_field"),
        ("TestDocString", "docstring_list_field_with_default_factory docstring_with_no_signature"),
    ),
    "there are no slots per field, and the metaclass is an ABCMeta": (
        ("TestSlots", "add_slots_when_slots_exists derived_added_field"),
        ("TestSlots", "generated_slots_value simple weakref_slot_without_slot"),
        ("TestCase", "is_dataclass_genericalias"),
        ("TestInit", "inherit_from_protocol"),
    ),
    "a second KW_ONLY changes nothing": (("TestKeywordArgs", "KW_ONLY_twice"),),
    "names that cannot be resolved wait instead of being kept as text": (
        ("TestStringAnnotations", "classvar isnt_classvar isnt_initvar"),
    ),
}


def listed() -> dict[str, str]:
    """Map each listed test to the difference that makes it fail."""
    return {
        f"{case}.test_{name}": why
        for why, rows in DIFFERENCES.items()
        for case, names in rows
        for name in names.split()
    }


# ---- the adapter ----

_META = type(tvm_ffi.Object)
_NOT_COPIED = ("__dict__", "__weakref__", "_abc_impl", "__abstractmethods__")


def dataclass(cls=None, /, *, eq=True, **options):
    """Decorate a class with ``py_class``; the tests call this instead of ``dataclass``."""

    def decorate(cls):
        made = cls if isinstance(cls, _META) else _object_class(cls, options.get("slots"))
        if "__annotations__" in vars(made):
            scope = resolve.Scope(made, (made,))
            made.__annotations__ = {
                name: _annotation_with_schema(annotation, scope)
                for name, annotation in made.__annotations__.items()
            }
        return dataclasses.py_class(f"tests.stdlib.{uuid.uuid4().hex}", eq=eq, **options)(made)

    return decorate if cls is None else decorate(cls)


def _object_class(cls, has_slots):
    """Create a class again with ``Object`` as a base."""
    body = {name: value for name, value in vars(cls).items() if name not in _NOT_COPIED}
    if not has_slots:
        body.setdefault("__slots__", ("__dict__",))
    bases = tuple(base for base in cls.__bases__ if base is not object)
    if not any(issubclass(base, tvm_ffi.Object) for base in bases):
        bases = (*bases, tvm_ffi.Object)
    made = _META(cls.__name__, bases, body)
    for value in vars(made).values():
        for function in weakref_slot._functions_of(value):
            weakref_slot._point_to(function, cls, made)
    return made


def _annotation_with_schema(annotation, scope):
    try:
        form = resolve.evaluate(annotation, scope)
    except Exception:
        return annotation
    if resolve.is_class_var(form) or resolve.is_init_var(form) or form is dataclasses.KW_ONLY:
        return annotation
    try:
        core.TypeSchema.from_annotation(resolve.unwrap(form)[0])
    except TypeError:
        return typing.Any
    return annotation


@pytest.fixture(scope="module")
def stdlib_tests():
    """Yield the test cases of a copy of the standard test module that uses `dataclass` above."""
    if sys.version_info[:2] != (3, 11):
        pytest.skip("the list of differences was reviewed with the tests of Python 3.11")
    try:
        original = importlib.import_module("test.test_dataclasses")
    except ImportError:
        pytest.skip("this interpreter has no `test` package (Debian: libpython3.11-testsuite)")
    spec = importlib.util.spec_from_file_location("stdlib_test_dataclasses", original.__file__)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("field", "fields", "asdict", "astuple", "replace", "is_dataclass", "MISSING"):
        setattr(module, name, getattr(dataclasses, name))
    module.dataclass = dataclass
    module.FrozenInstanceError = AttributeError
    yield _cases(unittest.defaultTestLoader.loadTestsFromModule(module))
    del sys.modules[spec.name]


def _cases(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from _cases(test)
        else:
            yield test


def test_standard_library_tests_pass_but_for_the_listed_differences(stdlib_tests, monkeypatch):
    def without_words(self, error, pattern, *args, **kwargs):
        return self.assertRaises(error, *args, **kwargs)  # noqa: PT027

    monkeypatch.setattr(unittest.TestCase, "assertRaisesRegex", without_words)
    failed, count = {}, 0
    for case in stdlib_tests:
        result = unittest.TestResult()
        case.run(result)
        count += 1
        name = case.id().split(".", 1)[1]
        for _, text in (*result.failures, *result.errors):
            failed[name] = text
    unexpected = {name: text for name, text in failed.items() if name not in listed()}
    assert not unexpected, "\n".join(unexpected.values())
    assert set(listed()) - set(failed) == set(), "listed, and passes"
    assert count > 200

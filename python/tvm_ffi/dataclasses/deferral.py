# SPDX-License-Identifier: Apache-2.0
"""Deferred registration of classes whose annotations use names that are not defined yet."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .registration import Registration

# Registrations in the order of decoration. Guarded by `registration.lock`.
_deferred: list[Registration] = []


def defer(registration: Registration) -> None:
    """Defer a registration, which is tried again when another class has been registered."""
    _deferred.append(registration)


def remove(registration: Registration) -> None:
    """Remove a registration that has succeeded or has been abandoned."""
    if registration in _deferred:
        _deferred.remove(registration)


def remove_class(cls: type) -> None:
    """Remove the deferred registration of a class whose definition is rolled back."""
    known = deferred_class(cls)
    if known is not None:
        remove(known)


def deferred_class(cls: type) -> Registration | None:
    """Return the deferred registration of a class."""
    return next((known for known in _deferred if known.cls is cls), None)


def deferred_with_key(type_key: str) -> list[Registration]:
    """Return the deferred registrations for a type key."""
    return [known for known in _deferred if known.info.type_key == type_key]


def retry() -> None:
    """Try all deferred registrations until none of them makes progress.

    If a registration fails, the others continue, and a use of the failed class raises the error. If
    the error rejects the declarations of the class, its registration is tried again later. After
    any other error, it is abandoned.
    """
    progress = True
    while progress and _deferred:
        progress = False
        for registration in list(_deferred):
            if registration not in _deferred or not registration.may_complete():
                continue
            if registration.try_complete():
                progress = True

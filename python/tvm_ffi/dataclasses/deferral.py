# SPDX-License-Identifier: Apache-2.0
"""Classes that wait for names which their annotations use."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .registration import Registration

# In the order in which they were decorated. Guarded by `registration.lock`.
_waiting: list[Registration] = []


def wait(registration: Registration) -> None:
    """Let a registration be tried again after each one that succeeds."""
    _waiting.append(registration)


def leave(registration: Registration) -> None:
    """Take a registration out: it has succeeded, or has been given up."""
    if registration in _waiting:
        _waiting.remove(registration)


def waiting_for(cls: type) -> Registration | None:
    """Return the registration of a class that waits."""
    return next((known for known in _waiting if known.cls is cls), None)


def waiting_for_key(type_key: str) -> list[Registration]:
    """Return the registrations under a key that wait."""
    return [known for known in _waiting if known.info.type_key == type_key]


def retry() -> None:
    """Try all that wait until none of them gets any further.

    An error in one of them is its own: the class is given up, and says so when it is used.
    """
    progress = True
    while progress and _waiting:
        progress = False
        for registration in list(_waiting):
            if registration not in _waiting or not registration.may_complete():
                continue
            if registration.complete_or_give_up():
                progress = True

# SPDX-License-Identifier: Apache-2.0
"""Test cycle collection with owners in C++, on any thread: the objects that they own are live."""

from __future__ import annotations

import gc
import shutil
import threading
import weakref
from typing import Any

import pytest

import tvm_ffi
from tvm_ffi import Array, List
from tvm_ffi.dataclasses import py_class

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

SOURCE = r"""
#include <tvm/ffi/cast.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/reflection/registry.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace ffi = tvm::ffi;

// An owner with a reflected member.
class OwnerObj : public ffi::Object {
 public:
  ffi::Any member;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.cycles.Owner", OwnerObj, ffi::Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  ffi::reflection::ObjectDef<OwnerObj>().def_rw("member", &OwnerObj::member);
}

ffi::ObjectRef MakeOwner(ffi::Any member) {
  auto owner = ffi::make_object<OwnerObj>();
  owner->member = member;
  return ffi::ObjectRef(owner);
}

std::vector<ffi::ObjectRef> held;
void Hold(ffi::ObjectRef x) { held.push_back(x); }
void LetGo() { held.clear(); }
ffi::ObjectRef HeldAt(int64_t i) { return held.at(i); }

// A cycle that Python takes no part in making.
void Link(ffi::List<ffi::Any> a, ffi::List<ffi::Any> b) {
  a.push_back(b);
  b.push_back(a);
}

bool FirstIsUnique(ffi::List<ffi::Any> list) {
  auto* body = static_cast<const ffi::ListObj*>(list.get());
  return body->begin()->as<ffi::Object>()->unique();
}

std::atomic<bool> stop{false};
std::vector<std::thread> threads;
std::atomic<int64_t> turns{0};

// Copies and drops references to an object that only this thread holds.
void HoldOnThread(ffi::ObjectRef x) {
  threads.emplace_back([x = std::move(x)]() mutable {
    while (!stop) {
      std::vector<ffi::ObjectRef> copies(10, x);
      ++turns;
    }
  });
}

// Locks a weak reference again and again. The object may die meanwhile.
void LockOnThread(ffi::ObjectRef x) {
  auto strong = ffi::GetObjectPtr<ffi::Object>(const_cast<ffi::Object*>(x.get()));
  ffi::WeakObjectPtr<ffi::Object> weak(strong);
  threads.emplace_back([weak] {
    while (!stop) {
      ffi::ObjectPtr<ffi::Object> strong = weak.lock();
      ++turns;
    }
  });
}

int64_t Turns() { return turns; }

void Join() {
  stop = true;
  for (auto& thread : threads) thread.join();
  threads.clear();
  stop = false;
}

// Returns once Release() is called; without the interpreter's lock.
std::atomic<bool> released{false};
std::atomic<bool> waiting{false};
void Wait() {
  waiting = true;
  while (!released) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  waiting = released = false;
}
bool IsWaiting() { return waiting; }
void Release() { released = true; }
"""

FUNCTIONS = [
    *("MakeOwner", "Hold", "LetGo", "HeldAt", "Link", "FirstIsUnique", "HoldOnThread"),
    *("LockOnThread", "Turns", "Join", "Wait", "IsWaiting", "Release"),
]


@pytest.fixture(scope="module")
def native():
    from tvm_ffi.cpp import load_inline

    return load_inline("test_cycles_native", cpp_sources=SOURCE, functions=FUNCTIONS)


class Payload:
    pass


@py_class("test.cycles_native.Node")
class Node(tvm_ffi.Object):
    next: Any = None
    other: Any = None
    payload: Any = None


def pair():
    a = Node(payload=Payload())
    a.next = Node(next=a)
    return a, weakref.ref(a.payload)


def collect():
    for _ in range(3):
        gc.collect()


def assert_collected(watched):
    gc.collect()
    assert watched() is None


def test_a_cycle_that_a_global_of_cpp_holds_is_kept(native):
    a, watched = pair()
    native.Hold(a)
    del a
    collect()
    a = native.HeldAt(0)
    assert watched() is a.payload
    assert a.next.next is a
    del a
    native.LetGo()
    assert_collected(watched)


def test_the_object_that_is_not_the_candidate_may_be_the_one_held(native):
    a, watched = pair()
    native.Hold(a.next)
    del a
    collect()
    assert native.HeldAt(0).next.payload is watched()
    native.LetGo()
    assert_collected(watched)


def test_a_member_of_a_cpp_class_holds(native):
    a, watched = pair()
    owner = native.MakeOwner(a)
    del a
    collect()
    assert owner.member.payload is watched()
    owner.member = None
    assert_collected(watched)


def test_a_cycle_through_a_member_of_a_cpp_class_stays(native):
    """Check a documented limit: the collector does not know that `OwnerObj::member` owns `a`."""
    a, watched = pair()
    a.other = native.MakeOwner(a)
    del a
    collect()
    assert watched() is not None


def test_a_cpp_object_that_garbage_holds_dies_with_it(native):
    a, watched = pair()
    a.other = native.MakeOwner(List([Payload()]))
    inner = weakref.ref(a.other.member[0])
    del a
    assert_collected(watched)
    assert inner() is None


def test_a_cycle_made_by_cpp_is_collected(native):
    a, b = List([Payload()]), List()
    watched = weakref.ref(a[0])
    native.Link(a, b)
    del a, b
    assert_collected(watched)


def test_a_candidate_is_unique_to_cpp_when_it_has_one_owner(native):
    holder = List([Array([Node()])])
    # The wrapper of the array dies in this line, so the array becomes a candidate.
    assert isinstance(holder[0][0], Node)
    assert native.FirstIsUnique(holder)
    gc.collect()
    assert native.FirstIsUnique(holder)


def test_threads_of_cpp_that_hold_or_lock_objects(native):
    kept = [pair() for _ in range(3)]
    for a, _ in kept:
        native.HoldOnThread(a)
    watched = [ref for _, ref in kept]
    locked = [pair() for _ in range(3)]
    for a, _ in locked:
        native.LockOnThread(a)
    watched_locked = [ref for _, ref in locked]
    del a, kept, locked
    begin = native.Turns()
    while native.Turns() < begin + 1000:
        [pair() for _ in range(100)]
        gc.collect()
        assert all(ref() is not None for ref in watched)
    native.Join()
    gc.collect()
    assert [ref() for ref in watched] == [None] * 3
    assert [ref() for ref in watched_locked] == [None] * 3


def test_nothing_is_collected_during_a_call_without_the_lock(native):
    thread = threading.Thread(target=native.Wait)
    thread.start()
    while not native.IsWaiting():
        pass
    a, watched = pair()
    del a
    gc.collect()
    alive = watched() is not None
    native.Release()
    thread.join()
    assert alive
    assert_collected(watched)

// SPDX-License-Identifier: Apache-2.0
// Collection of garbage cycles that contain native references.
//
// Python's collector knows only wrappers. After `a.next = b; b.next = a; del a, b` no wrapper is
// left, but the two native objects hold each other. Trial deletion finds such objects:
//
// 1. An object whose wrapper dies while other references remain becomes a candidate
//    (candidates.h). Most garbage cycles whose objects had wrappers contain a candidate; a
//    collection starts from all candidates.
// 2. The collector builds the graph (graph.h) of objects that can be reached from the candidates.
//    It follows the references whose address is certain (edges.h). Each node counts the references
//    from other nodes. If this number differs from the strong count, something outside holds the
//    node: a wrapper, a C++ variable, a member of a C++ class, a global. Then the node and
//    everything that can be reached from it is live. A node with native weak references is live
//    too: another thread could turn a weak reference into a strong one at any time.
// 3. Nothing outside holds the remaining nodes. The collector moves all their edges out of
//    containers and out of fields of Python-defined classes. Only then does it release these edges,
//    so the usual deleters destroy the objects. Objects of C++ classes are never changed.
//
// A cycle may also lead through Python: a native function that was made from a closure, whose cell
// holds a wrapper. Python's collector finds such a cycle itself if each native object in the cycle
// has one owner (wrapper_gc.cc). To find other cycles, the graph also has nodes for Python objects
// that functions and opaque objects hold; their edges are the objects that tp_traverse visits. For
// such garbage, weak references are cleared and their callbacks called, then the finalizers
// (`__del__`) run, then the graph is built again, as in PEP 442. Then only the edges from native
// objects to Python objects are released; reference counts free the rest. Types, modules and the
// globals of functions are not traversed: the objects that they hold are live.
//
// Why no live object is freed:
// - A live object is reachable from a reference that is not an edge of the graph. The strong count
//   of that reference's target is larger than the number of references from nodes, so the target
//   and everything reachable from it is kept. Missing edges (unknown members, memory that ran out,
//   limits) only make the difference larger.
// - Each edge is one owned reference at a known address, and each address is visited once. So the
//   number of references from nodes never exceeds the strong count.
// - Between building the graph and releasing edges, no Python code runs: the GIL is held, and
//   the graph is built again after finalizers or callbacks of weak references ran.
// - Threads without the GIL: no graph is built while a native call that released the GIL is in
//   progress. The collector holds back new calls and waits for those in progress, but only a few
//   milliseconds. If a call takes longer, the collection is postponed. A call that runs a Python
//   function does not count. A C++ thread that uses objects at other times has to own a reference
//   to each object that it uses, and has to take the GIL to change objects that Python knows
//   (docs/threads.md). A reference that this thread owns comes from outside the graph, so its
//   object is live. Counts are read again after the graph is complete (Graph::confirm).
// - Nothing can access the garbage during its destruction: there is neither a strong nor a weak
//   reference from outside. Garbage that has wrappers contains Python objects, and the native
//   objects of such garbage are not changed.
//
// Collections run after `gc.collect()` and after each automatic collection of Python's oldest
// generation (sentinel.cc), and when many candidates are new.
#pragma once

#include "../compat.h"

namespace binding {

// While this is set, tp_traverse of a wrapper visits only the references of the Python object
// itself, and not the references of its native object. Guarded by the GIL.
extern bool g_traverse_wrappers_alone;

// Collects all garbage that can be found. Returns the number of native objects destroyed; 0 also if
// a collection is already running, or if it is postponed, because a native call that released the
// GIL is in progress. Needs an attached thread; runs Python; keeps a raised exception.
size_t collect_cycles();

// Makes Python call collect_cycles() after each full collection. Returns 0, or -1 with an exception
// set.
int sentinel_init();
// Replaces the sentinel object of sentinel.cc by a new one.
void sentinel_renew();

// Calls sentinel_init() and adds a function for tests. Returns 0, or -1 with an exception set.
int collect_init(PyObject* module);

}  // namespace binding

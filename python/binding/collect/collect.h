// SPDX-License-Identifier: Apache-2.0
// Collection of cycles through native references.
//
// Python's collector knows only wrappers. After `a.next = b; b.next = a; del a, b` there is none:
// the two native objects hold each other. Such objects are found by trial deletion:
//
// 1. An object whose wrapper dies while other references remain becomes a candidate
//    (candidates.h). Most garbage cycles that Python ever saw contain one; a collection starts from
//    all candidates.
// 2. The graph that can be reached from them is built (graph.h) along references whose place in
//    memory is known for certain (edges.h). Each node counts the references from other nodes. Where
//    that differs from the strong count, something outside holds the node: a wrapper, a variable of
//    C++, a member of a C++ class, a global. The node is live, and so is everything that can be
//    reached from it. A node to which native weak references exist is live too: another thread
//    could turn one into a strong reference at any time.
// 3. Nothing outside holds the remaining nodes. Its edges are moved out of containers and fields of
//    Python-defined classes, all of them before the first one is released; then its objects are
//    destroyed by their usual deleters. Objects of C++ classes are never changed.
//
// A cycle may also lead through Python: a native function that was made from a closure, whose cell
// holds a wrapper. Python's collector finds these itself where each native object on the way has
// one owner (wrapper_gc.cc). For the others, functions and boxes lead to Python objects as nodes of
// the same graph, whose edges are what their tp_traverse visits. Of such garbage, first the
// finalizers (`__del__`) run and the graph is built again, as in PEP 442; then only the edges from
// native objects to Python objects are taken out, and the rest goes by reference counts. Types,
// modules and the globals of functions are not traversed: the objects that they hold are live.
//
// Why no live object is freed:
// - A live object is reachable from a reference that is not an edge of the graph. The count of its
//   target is larger than the references from nodes, so the target and all it leads to is kept.
//   Missing edges (unknown members, memory that ran out, limits) only make the difference larger.
// - Each edge is one owned reference at a known address, each address is visited once. So the count
//   of references from nodes never exceeds the strong count.
// - Between building the graph and taking edges out, no Python code runs: the GIL is
//   held, and finalizers are followed by a new graph.
// - Threads without the GIL: no collection runs while a native call is under way that released the
//   GIL. A thread of C++ that uses objects at other times has to own a reference to what it uses,
//   and has to take the GIL to change objects that Python knows (docs/threads.md). Its reference
//   is one from outside. Counts are read again after the graph is complete (Graph::confirm).
// - Nothing reaches the garbage while it is destroyed: there is neither a reference nor a weak
//   reference from outside. Wrappers of garbage are Python objects of the mixed kind, where native
//   objects are left as they are.
//
// Collections run after `gc.collect()` and after each automatic collection of Python's oldest
// generation (sentinel.cc), and when many candidates are new.
#pragma once

#include "../compat.h"

namespace binding {

// While set, tp_traverse of a wrapper visits only what the Python object itself refers to, and not
// the references of its native object. Guarded by the GIL.
extern bool g_traverse_wrappers_alone;

// Collects all garbage that can be found. Returns the number of native objects destroyed; 0 also
// when a collection runs already, or when a native call is under way that released the GIL. Needs
// an attached thread; runs Python; keeps a raised exception.
size_t collect_cycles();

// Makes Python call collect_cycles() after each full collection. 0, or -1 with an exception set.
int sentinel_init();
// Replaces the sentinel, wherever it is.
void sentinel_renew();

// The same, and adds a function for tests. 0, or -1 with an exception set.
int collect_init(PyObject* module);

}  // namespace binding

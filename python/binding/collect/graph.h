// SPDX-License-Identifier: Apache-2.0
// The graph of one collection: native objects, and Python objects that native ones hold.
#pragma once

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <vector>

#include "../compat.h"
#include "../wrapper.h"

namespace binding {

// Native objects that own no references are left out. Each collection builds a new graph, which
// borrows all nodes except those that acquire_candidates() took. Needs the GIL. Members that
// allocate throw std::bad_alloc. Runs no Python code before its destructor, which releases
// references.
class Graph {
 public:
  // Whether edges from native objects to Python objects are followed.
  enum Scope { kNative, kMixed };

  explicit Graph(Scope scope) : scope_(scope) {}
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Adds the candidates and everything that can be reached from them, and computes which nodes are
  // live.
  void build();
  // Whether every node that is not live still has exactly the references that were counted.
  bool confirm() const;

  struct Node {
    void* object;
    // References from nodes of the graph.
    uint32_t num_refs;
    bool is_python;
    // The graph owns one strong reference: a candidate.
    bool is_owned;
    bool is_live;
  };
  // Nodes, and a part for each candidate that owns nothing and each place of the table.
  size_t cost() const { return nodes_.size() + num_left_out_ / 4 + g_wrappers.num_places() / 64; }
  // Whether a native node holds a Python object.
  bool meets_python() const { return meets_python_; }
  // Calls `see` with each node that nothing outside holds.
  template <typename See>
  void each_garbage(See&& see) const {
    for (const Node& node : nodes_) {
      if (!node.is_live) see(node);
    }
  }
  // Whether a Python object is a node that nothing outside holds.
  bool is_garbage(PyObject* x) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  // The limit of Python objects that are traversed; the rest counts as live.
  static constexpr uint32_t kMaxPython = 200000;

  void acquire_candidates();
  void expand(uint32_t at);
  void mark_live();
  void mark_from(std::vector<uint32_t>* stack);
  bool is_explained(const Node& node) const;
  // One more reference to a node, which is added when it is not there.
  void count_native(TVMFFIObject* obj);
  void count_python(PyObject* x);
  uint32_t add(void* object, bool is_python);
  uint32_t find(const void* object) const;
  size_t slot_of(const void* object) const;
  void grow();
  bool is_skipped(PyObject* x) const { return x == globals_ || x == builtins_; }
  static bool may_expand(PyObject* x);
  static int visit_count(PyObject* x, void* graph);
  static int visit_mark(PyObject* x, void* graph);
  template <typename SeeNative>
  void each_python_edge(PyObject* x, visitproc visit, SeeNative&& see_native);

  Scope scope_;
  bool meets_python_ = false;
  // tp_traverse ran out of memory in visit_count: the graph cannot be used.
  bool is_broken_ = false;
  uint32_t num_python_ = 0;
  uint32_t num_left_out_ = 0;
  std::vector<Node> nodes_;
  // Hash table of positions in `nodes_`, kNone where empty.
  std::vector<uint32_t> slots_;
  // Not followed: the whole program can be reached from the globals of a function. Borrowed;
  // `globals_` is set while a function is traversed.
  PyObject* globals_ = nullptr;
  PyObject* builtins_ = nullptr;
  // Where visit_mark puts nodes that have just become live.
  std::vector<uint32_t>* stack_ = nullptr;
};

}  // namespace binding

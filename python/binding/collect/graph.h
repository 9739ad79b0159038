// SPDX-License-Identifier: Apache-2.0
// The graph of one collection: native objects, and Python objects that native objects hold.
#pragma once

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <vector>

#include "../compat.h"
#include "../wrapper.h"

namespace binding {

// Each collection builds a new graph. The graph leaves out native objects that own no references,
// and borrows all nodes except those that acquire_candidates() took. Needs the GIL. Members that
// allocate throw std::bad_alloc. Only the destructor, which releases references, runs Python code.
class Graph {
 public:
  // kMixed: follow edges from native objects to Python objects; kNative: ignore these edges.
  enum Scope { kNative, kMixed };

  explicit Graph(Scope scope) : scope_(scope) {}
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Adds the candidates and everything that can be reached from them, and computes which nodes are
  // live.
  void build();
  // Returns whether the reference counts of all garbage are still those that build() found.
  bool confirm() const;

  struct Node {
    void* object;
    // Number of references from other nodes of the graph.
    uint32_t num_refs;
    bool is_python;
    // True if the graph owns a strong reference to the object, because it is a candidate.
    bool is_owned;
    bool is_live;
  };
  // The cost of the collection: 1 for each node, 1/4 for each candidate that was left out because
  // it owns nothing, and 1/64 for each place in the wrapper table.
  size_t cost() const { return nodes_.size() + num_left_out_ / 4 + g_wrappers.num_places() / 64; }
  // Returns whether a native node holds a Python object.
  bool meets_python() const { return meets_python_; }
  // Calls `see` with each garbage node, that is, each node that cannot be reached from outside the
  // graph.
  template <typename See>
  void each_garbage(See&& see) const {
    for (const Node& node : nodes_) {
      if (!node.is_live) see(node);
    }
  }
  // Returns whether a Python object is a garbage node.
  bool is_garbage(PyObject* x) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  // Maximum number of Python objects that are traversed; all others are treated as live.
  static constexpr uint32_t kMaxPython = 200000;

  void acquire_candidates();
  void expand(uint32_t at);
  void mark_live();
  void mark_from(std::vector<uint32_t>* stack);
  bool is_explained(const Node& node) const;
  // Counts one more reference to a node; adds the node if it is new.
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
  // True if tp_traverse ran out of memory in visit_count. Then the graph cannot be used.
  bool is_broken_ = false;
  uint32_t num_python_ = 0;
  uint32_t num_left_out_ = 0;
  std::vector<Node> nodes_;
  // Hash table of positions in `nodes_`; empty slots are kNone.
  std::vector<uint32_t> slots_;
  // The globals of the function that is being traversed; borrowed. References to them are not
  // followed, because the whole program can be reached from them.
  PyObject* globals_ = nullptr;
  PyObject* builtins_ = nullptr;
  // Stack for visit_mark, which pushes nodes that have just become live.
  std::vector<uint32_t>* stack_ = nullptr;
};

}  // namespace binding

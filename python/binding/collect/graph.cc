// SPDX-License-Identifier: Apache-2.0
// Trial deletion: counting the references between the nodes that can be reached from candidates.
#include "graph.h"

#include <new>

#include "collect.h"
#include "edges.h"

namespace binding {

bool g_traverse_wrappers_alone = false;

namespace {

TVMFFIObject* as_native(const Graph::Node& node) { return static_cast<TVMFFIObject*>(node.object); }
PyObject* as_python(const Graph::Node& node) { return static_cast<PyObject*>(node.object); }

}  // namespace

Graph::~Graph() {
  for (const Node& node : nodes_) {
    if (node.is_owned) object_dec_ref(as_native(node));  // may run Python
  }
}

// ---- nodes

size_t Graph::slot_of(const void* object) const {
  uint64_t hash = (reinterpret_cast<uintptr_t>(object) >> 4) * uint64_t{0x9E3779B97F4A7C15};
  size_t mask = slots_.size() - 1;
  size_t slot = static_cast<size_t>(hash >> 20) & mask;
  while (slots_[slot] != kNone && nodes_[slots_[slot]].object != object) slot = (slot + 1) & mask;
  return slot;
}

uint32_t Graph::find(const void* object) const {
  return slots_.empty() ? kNone : slots_[slot_of(object)];
}

void Graph::grow() {
  size_t size = slots_.empty() ? 4096 : slots_.size() * 2;
  std::vector<uint32_t>(size, kNone).swap(slots_);
  for (uint32_t i = 0; i < nodes_.size(); ++i) slots_[slot_of(nodes_[i].object)] = i;
}

uint32_t Graph::add(void* object, bool is_python) {
  if (nodes_.size() >= slots_.size() / 2) grow();
  size_t slot = slot_of(object);
  if (slots_[slot] == kNone) {
    if (nodes_.size() == kNone) throw std::bad_alloc();
    slots_[slot] = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({object, 0, is_python, false, false});
  }
  return slots_[slot];
}

// Counts a reference. An object that owns no references cannot be part of a cycle and does not
// become a node: it is destroyed with the object that refers to it.
void Graph::count_native(TVMFFIObject* obj) {
  uint32_t at = find(obj);
  if (at == kNone) {
    if (!has_edges(obj)) return;
    at = add(obj, false);
  }
  ++nodes_[at].num_refs;
}

void Graph::count_python(PyObject* x) {
  if (is_skipped(x) || !may_expand(x)) return;
  uint32_t at = find(x);
  if (at == kNone) {
    if (num_python_ == kMaxPython) return;
    ++num_python_;
    at = add(x, true);
  }
  ++nodes_[at].num_refs;
}

void Graph::acquire_candidates() {
  for (uint32_t place = 1; place < g_wrappers.num_places(); ++place) {
    bool is_left_out = false;
    TVMFFIObject* obj = g_candidates.acquire(place, &is_left_out);
    num_left_out_ += is_left_out;
    if (obj == nullptr) continue;
    ObjectOwner owner(obj);  // add() may throw
    nodes_[add(obj, false)].is_owned = true;
    owner.release();
  }
}

// ---- edges

// Returns whether the references of a Python object are followed: those of wrappers, and of objects
// that Python's collector tracks, except types and modules.
bool Graph::may_expand(PyObject* x) {
  if (is_wrapper(x)) return true;
  return PyObject_IS_GC(x) && PyObject_GC_IsTracked(x) && !PyType_Check(x) && !PyModule_Check(x);
}

int Graph::visit_count(PyObject* x, void* graph) {
  auto* self = static_cast<Graph*>(graph);
  try {
    self->count_python(x);
  } catch (const std::bad_alloc&) {
    self->is_broken_ = true;  // no exception passes through tp_traverse
  }
  return 0;
}

template <typename SeeNative>
void Graph::each_python_edge(PyObject* x, visitproc visit, SeeNative&& see_native) {
  if (PyObject_IS_GC(x) && PyObject_GC_IsTracked(x) && Py_TYPE(x)->tp_traverse != nullptr) {
    globals_ = PyFunction_Check(x) ? PyFunction_GET_GLOBALS(x) : nullptr;
    g_traverse_wrappers_alone = true;
    Py_TYPE(x)->tp_traverse(x, visit, this);
    g_traverse_wrappers_alone = false;
    globals_ = nullptr;
  }
  if (is_wrapper(x) && as_wrapper(x)->handle != nullptr) see_native(as_wrapper(x)->handle);
}

void Graph::expand(uint32_t at) {
  Node node = nodes_[at];
  if (node.is_python) {
    each_python_edge(as_python(node), visit_count,
                     [this](TVMFFIObject* obj) { count_native(obj); });
    return;
  }
  PyObject* x = python_edge(as_native(node));
  if (x != nullptr) {
    meets_python_ = true;
    if (scope_ == kMixed) count_python(x);
  }
  each_edge(as_native(node), [this](TVMFFIObject* child) {
    count_native(child);
    return 0;
  });
}

// ---- live nodes

bool Graph::is_explained(const Node& node) const {
  if (node.is_python) return Py_REFCNT(as_python(node)) == static_cast<Py_ssize_t>(node.num_refs);
  uint64_t count = __atomic_load_n(&as_native(node)->combined_ref_count, __ATOMIC_ACQUIRE);
  // All strong references together hold one weak reference. So the count is equal only if there is
  // no strong reference from outside of the graph and no other weak reference.
  return count == kWeakOne + node.num_refs + (node.is_owned ? 1 : 0);
}

int Graph::visit_mark(PyObject* x, void* graph) {
  auto* self = static_cast<Graph*>(graph);
  if (self->is_skipped(x)) return 0;
  uint32_t at = self->find(x);
  if (at == kNone || self->nodes_[at].is_live) return 0;
  self->nodes_[at].is_live = true;
  self->stack_->push_back(at);  // cannot allocate: the capacity suffices
  return 0;
}

void Graph::mark_from(std::vector<uint32_t>* stack) {
  stack_ = stack;
  auto mark_native = [this](TVMFFIObject* obj) {
    visit_mark(reinterpret_cast<PyObject*>(obj), this);
    return 0;
  };
  while (!stack->empty()) {
    Node node = nodes_[stack->back()];
    stack->pop_back();
    if (node.is_python) {
      each_python_edge(as_python(node), visit_mark, mark_native);
      continue;
    }
    PyObject* x = scope_ == kMixed ? python_edge(as_native(node)) : nullptr;
    if (x != nullptr) visit_mark(x, this);
    each_edge(as_native(node), mark_native);
  }
  stack_ = nullptr;
}

void Graph::mark_live() {
  std::vector<uint32_t> stack;
  stack.reserve(nodes_.size());
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!is_explained(nodes_[i])) {
      nodes_[i].is_live = true;
      stack.push_back(i);
    }
  }
  mark_from(&stack);
}

void Graph::build() {
  builtins_ = PyEval_GetBuiltins();
  acquire_candidates();
  for (uint32_t i = 0; i < nodes_.size(); ++i) expand(i);
  if (is_broken_) throw std::bad_alloc();
  mark_live();
}

bool Graph::confirm() const {
  for (const Node& node : nodes_) {
    if (!node.is_live && !is_explained(node)) return false;
  }
  return true;
}

bool Graph::is_garbage(PyObject* x) const {
  uint32_t at = find(x);
  return at != kNone && !nodes_[at].is_live;
}

}  // namespace binding

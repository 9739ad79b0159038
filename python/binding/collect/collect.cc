// SPDX-License-Identifier: Apache-2.0
// The schedule of collections, and the destruction of garbage.
#include "collect.h"

#include <algorithm>
#include <new>
#include <vector>

#include "../attach.h"
#include "../wrapper.h"
#include "edges.h"
#include "graph.h"

namespace binding {
namespace {

// Guarded by the GIL, like all state in this file.
bool g_is_collecting = false;
// The cost of the last collection, as computed by Graph::cost().
size_t g_last_cost = 0;
// An automatic collection runs when the number of new candidates reaches the cost of the last
// collection times this factor. The factor grows while automatic collections find nothing, so
// programs without cycles lose almost no time.
uint32_t g_factor = 1;
constexpr uint32_t kMaxFactor = 4;

// The largest number of rounds of one collection. Freeing garbage in one round may create garbage
// for the next.
constexpr int kMaxRounds = 8;

// ---- garbage of native objects only

// Moves every edge out of the garbage, then releases the moved references. Returns the number of
// objects that were destroyed.
size_t take_apart(const Graph& graph) {
  size_t num_objects = 0;
  size_t num_edges = 0;
  graph.each_garbage([&](const Graph::Node& node) {
    ++num_objects;
    each_edge(static_cast<TVMFFIObject*>(node.object), [&](TVMFFIObject*) {
      ++num_edges;
      return 0;
    });
  });
  std::vector<TVMFFIObject*> moved;
  moved.reserve(num_edges);  // no allocation may fail once edges have been moved
  graph.each_garbage([&](const Graph::Node& node) {
    auto* obj = static_cast<TVMFFIObject*>(node.object);
    if (!can_clear_edges(obj->type_index)) return;
    clear_edges(obj, [&moved](TVMFFIObject* child) { moved.push_back(child); });
  });
  for (TVMFFIObject* child : moved) object_dec_ref(child);  // may run Python
  return num_objects;
}

size_t collect_native(bool* meets_python) {
  Graph graph(Graph::kNative);
  graph.build();
  g_last_cost = graph.cost();
  *meets_python = graph.meets_python();
  return graph.confirm() && graph.confirm() ? take_apart(graph) : 0;
}

// ---- garbage with Python objects

// Holds a reference to each object of a graph that is garbage.
class HeldGarbage {
 public:
  explicit HeldGarbage(const Graph& graph) {
    graph.each_garbage([this](const Graph::Node& node) {
      if (node.is_python) {
        python_.push_back(Ref::borrow(static_cast<PyObject*>(node.object)));
      } else {
        native_.push_back(ObjectOwner::borrow(static_cast<TVMFFIObject*>(node.object)));
      }
    });
  }
  const std::vector<Ref>& python() const { return python_; }
  const std::vector<ObjectOwner>& native() const { return native_; }

 private:
  std::vector<Ref> python_;
  std::vector<ObjectOwner> native_;
};

bool awaits_finalizer(PyObject* x) {
  return Py_TYPE(x)->tp_finalize != nullptr && PyObject_IS_GC(x) && !PyObject_GC_IsFinalized(x);
}

// Runs the finalizers of the garbage. The finalizer of each object runs once in its life. Returns
// whether any finalizer ran.
bool run_finalizers(const HeldGarbage& garbage) {
  bool any = false;
  for (const Ref& x : garbage.python()) {
    if (!awaits_finalizer(x.get())) continue;
    PyObject_CallFinalizer(x.get());  // runs Python
    any = true;
  }
  return any;
}

// Releases the references from native garbage to Python garbage. First takes all of them out of the
// native objects, because a release may run Python code. Returns the number of these references.
size_t cut_python_edges(const Graph& graph, const HeldGarbage& garbage) {
  std::vector<Ref> taken;
  taken.reserve(garbage.native().size());
  for (const ObjectOwner& owner : garbage.native()) {
    PyObject* x = python_edge(owner.get());
    if (x != nullptr && graph.is_garbage(x)) taken.emplace_back(python_edge_take(owner.get()));
  }
  return taken.size();
}

// Collects garbage that contains Python objects. Returns whether another round may find more. Does
// not itself destroy the native objects of this garbage: they are destroyed when their reference
// counts reach zero, or as native garbage in the next round.
bool collect_mixed() {
  Graph graph(Graph::kMixed);
  graph.build();
  if (!graph.confirm()) return false;
  HeldGarbage garbage(graph);
  // Finalizers may have changed any reference, so the graph has to be built again.
  return run_finalizers(garbage) || cut_python_edges(graph, garbage) != 0;
}

// ---- the schedule of collections

size_t collect_rounds() {
  size_t count = 0;
  for (int round = 0; round < kMaxRounds; ++round) {
    bool meets_python = false;
    size_t native = collect_native(&meets_python);
    count += native;
    if (!meets_python || (!collect_mixed() && native == 0)) break;
  }
  return count;
}

// Number of new candidates at which the first automatic collection runs.
constexpr uint32_t kFirstThreshold = 10000;
uint32_t g_threshold = kFirstThreshold;

bool may_collect() { return !g_is_collecting && g_detached == 0 && !compat_is_finalizing(); }

}  // namespace

size_t collect_cycles() {
  if (!may_collect()) return 0;
  g_is_collecting = true;
  RaisedAside raised;
  g_candidates.reset_num_new();
  size_t count = 0;
  try {
    count = collect_rounds();
  } catch (const std::bad_alloc&) {
    // The garbage found so far has been released. A later collection will find the
    // remaining garbage.
  }
  g_wrappers.free_dead_places();
  auto threshold = std::max<uint64_t>(kFirstThreshold, uint64_t{g_factor} * g_last_cost);
  g_threshold = static_cast<uint32_t>(std::min<uint64_t>(threshold, UINT32_MAX));
  g_candidates.set_due_at(1);
  g_is_collecting = false;
  return count;
}

namespace {

void collect_automatically() {
  size_t count = collect_cycles();
  bool was_worth_it = count >= g_last_cost / 8 && count != 0;
  g_factor = was_worth_it ? 1 : std::min(g_factor * 2, kMaxFactor);
}

}  // namespace

void candidates_are_due() {
  RaisedAside raised;
  uint32_t num_new = g_candidates.num_new();
  if (num_new < g_threshold) {
    // `gc.freeze()` may move the sentinel to objects that Python's collector never looks at.
    // Therefore replace the sentinel from time to time; this is cheap.
    sentinel_renew();
    g_candidates.set_due_at(std::min(num_new * 2, g_threshold));
  } else if (!PyGC_IsEnabled() || !may_collect()) {
    g_candidates.set_due_at(num_new + kFirstThreshold / 8);
  } else {
    collect_automatically();
  }
}

namespace {

PyObject* collect_now(PyObject*, PyObject*) { return PyLong_FromSize_t(collect_cycles()); }

PyMethodDef collect_functions[] = {
    {"_collect_cycles", collect_now, METH_NOARGS,
     "_collect_cycles($module)\n--\n\n"
     "Collect cycles of native references and return how many native objects were taken apart."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

int collect_init(PyObject* module) {
  if (edges_init() < 0 || sentinel_init() < 0) return -1;
  return PyModule_AddFunctions(module, collect_functions);
}

}  // namespace binding

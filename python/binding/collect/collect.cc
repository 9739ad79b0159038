// SPDX-License-Identifier: Apache-2.0
// The schedule of collections, and the destruction of garbage.
#include "collect.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "../attach.h"
#include "../frame.h"
#include "../state.h"
#include "../wrapper.h"
#include "edges.h"
#include "graph.h"

namespace binding {
namespace {

// The thread that collects; 0 if none does. Guarded by the GIL, like all state in this file.
unsigned long g_collector = 0;
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

template <typename See>
void each_weak_reference(const HeldGarbage& garbage, See&& see) {
  for (const Ref& x : garbage.python()) {
    if (!PyType_SUPPORTS_WEAKREFS(Py_TYPE(x.get()))) continue;
    PyObject* at = *PyObject_GET_WEAKREFS_LISTPTR(x.get());
    while (at != nullptr) {
      auto* reference = reinterpret_cast<PyWeakReference*>(at);
      at = reinterpret_cast<PyObject*>(reference->wr_next);
      see(reference);
    }
  }
}

// Clears the weak references to the garbage, so that no code can reach an object whose references
// will be released. Then calls the callbacks of these weak references, except of those that are
// garbage themselves. Returns whether Python code may have run.
bool clear_weak_references(const Graph& graph, const HeldGarbage& garbage) {
  size_t num_callbacks = 0;
  each_weak_reference(garbage,
                      [&](PyWeakReference* x) { num_callbacks += x->wr_callback != nullptr; });
  std::vector<std::pair<Ref, Ref>> calls;  // callbacks, and the weak references
  calls.reserve(num_callbacks);  // no allocation may fail once a weak reference is cleared
  each_weak_reference(garbage, [&](PyWeakReference* x) {
    auto* reference = reinterpret_cast<PyObject*>(x);
    if (x->wr_callback != nullptr) {
      calls.emplace_back(Ref::borrow(x->wr_callback), Ref::borrow(reference));
    }
    _PyWeakref_RefType.tp_clear(reference);
  });
  for (const auto& [callback, reference] : calls) {
    if (graph.is_garbage(reference.get())) continue;
    Ref done(PyObject_CallOneArg(callback.get(), reference.get()));  // runs Python
    if (!done) PyErr_WriteUnraisable(callback.get());
  }
  return num_callbacks != 0;
}

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
  bool ran_python = clear_weak_references(graph, garbage);
  ran_python |= run_finalizers(garbage);
  // Python code may have changed any reference, so the graph has to be built again.
  return ran_python || cut_python_edges(graph, garbage) != 0;
}

// ---- the schedule of collections

// Adds the number of native objects that were taken apart to `*count`. No call without the GIL is
// in progress when this is called; before each further graph, there must be none again, because
// Python code may have run.
void collect_rounds(size_t* count) {
  for (int round = 0; round < kMaxRounds; ++round) {
    bool meets_python = false;
    size_t native = collect_native(&meets_python);
    *count += native;
    if (!meets_python || !wait_for_calls()) break;
    if (!collect_mixed() && native == 0) break;
    if (!wait_for_calls()) break;
  }
}

// Number of new candidates at which the first automatic collection runs.
constexpr uint32_t kFirstThreshold = 10000;
uint32_t g_threshold = kFirstThreshold;
// A collection that met calls without the GIL is postponed. From this number of new candidates on,
// it waits for such calls again; before, it runs if there are none.
uint32_t g_wait_at = 0;
// Number of further candidates until a postponed collection looks for calls again.
constexpr uint32_t kRetryInterval = 16;

// Without the GIL, the other threads are not stopped, so there must be none.
bool may_collect() {
  return g_collector == 0 && !compat_is_finalizing() &&
         (BINDING_HAS_GIL || compat_is_only_thread());
}

void postpone() {
  uint32_t num_new = g_candidates.num_new();
  g_threshold = 0;
  // Wait less and less often, because a call may take as long as the program runs.
  g_wait_at = num_new + std::max(num_new, kFirstThreshold);
  g_candidates.set_due_at(num_new + kRetryInterval);
}

void collect_all(size_t* count) {
  g_candidates.reset_num_new();
  try {
    collect_rounds(count);
  } catch (const std::bad_alloc&) {
    // The garbage found so far has been released. A later collection will find the
    // remaining garbage.
  }
  g_wrappers.free_dead_places();
  auto threshold = std::max<uint64_t>(kFirstThreshold, uint64_t{g_factor} * g_last_cost);
  g_threshold = static_cast<uint32_t>(std::min<uint64_t>(threshold, UINT32_MAX));
  g_wait_at = 0;
  g_candidates.set_due_at(1);
}

// Returns false if a collection was postponed.
bool collect_or_postpone(size_t* count) {
  RaisedAside raised;
  g_collector = PyThread_get_thread_ident();
  bool is_possible = wait_for_calls();
  if (is_possible) {
    collect_all(count);
  } else {
    postpone();
  }
  g_collector = 0;
  return is_possible;
}

}  // namespace

size_t collect_cycles() {
  StateSection section;
  size_t count = 0;
  if (may_collect()) collect_or_postpone(&count);
  return count;
}

namespace {

void collect_automatically() {
  size_t count = 0;
  if (!collect_or_postpone(&count)) return;
  bool was_worth_it = count >= g_last_cost / 8 && count != 0;
  g_factor = was_worth_it ? 1 : std::min(g_factor * 2, kMaxFactor);
}

}  // namespace

void candidates_are_due() {
  StateSection section;
  RaisedAside raised;
  uint32_t num_new = g_candidates.num_new();
  if (num_new < g_threshold) {
    // `gc.freeze()` may move the sentinel to objects that Python's collector never looks at.
    // Therefore replace the sentinel from time to time; this is cheap.
    sentinel_renew();
    g_candidates.set_due_at(std::min(num_new * 2, g_threshold));
  } else if (!PyGC_IsEnabled() || !may_collect()) {
    g_candidates.set_due_at(num_new + kFirstThreshold / 8);
  } else if (num_detached() != 0 && num_new < g_wait_at) {
    g_candidates.set_due_at(num_new + kRetryInterval);
  } else {
    collect_automatically();
  }
}

namespace {

PyObject* collect_now(PyObject*, PyObject*) { return PyLong_FromSize_t(collect_cycles()); }

// A thread that forks is in the section of the state. CPython without the GIL gives a contended
// section to the thread that waits longest, even during a fork, and the child lacks that thread.
BINDING_THREAD_LOCAL StateSection* t_fork_section = nullptr;

PyObject* before_fork(PyObject*, PyObject*) {
  if (t_fork_section == nullptr) t_fork_section = new (std::nothrow) StateSection;
  Py_RETURN_NONE;
}

PyObject* after_fork_in_parent(PyObject*, PyObject*) {
  delete std::exchange(t_fork_section, nullptr);
  Py_RETURN_NONE;
}

// Called in a child process, whose only thread is the one that forked.
PyObject* after_fork_in_child(PyObject*, PyObject*) {
  delete std::exchange(t_fork_section, nullptr);
  attach_after_fork();
  if (g_collector != PyThread_get_thread_ident()) g_collector = 0;
  Frame::after_fork();  // may run Python
  Py_RETURN_NONE;
}

PyMethodDef collect_functions[] = {
    {"_collect_cycles", collect_now, METH_NOARGS,
     "_collect_cycles($module)\n--\n\n"
     "Collect cycles of native references and return how many native objects were taken apart."},
    {nullptr, nullptr, 0, nullptr}};

// The names are those of the parameters of os.register_at_fork.
PyMethodDef fork_functions[] = {{"before", before_fork, METH_NOARGS, nullptr},
                                {"after_in_parent", after_fork_in_parent, METH_NOARGS, nullptr},
                                {"after_in_child", after_fork_in_child, METH_NOARGS, nullptr}};

// Makes Python call these functions around a fork. Returns 0, or -1 with an exception set.
int watch_forks() {
  Ref os(PyImport_ImportModule("os"));
  Ref name(PyUnicode_FromString("register_at_fork"));
  if (!os || !name) return -1;
  PyObject* found = nullptr;
  if (compat_find_attr(os.get(), name.get(), &found) < 0) return -1;
  if (found == nullptr) return 0;  // this platform has no fork
  Ref method(found);
  Ref none(PyTuple_New(0));
  Ref keywords(PyDict_New());
  if (!none || !keywords) return -1;
  for (PyMethodDef& def : fork_functions) {
    Ref function(PyCFunction_New(&def, nullptr));
    if (!function || PyDict_SetItemString(keywords.get(), def.ml_name, function.get()) < 0) {
      return -1;
    }
  }
  Ref done(PyObject_Call(method.get(), none.get(), keywords.get()));
  return done ? 0 : -1;
}

}  // namespace

int collect_init(PyObject* module) {
  if (edges_init() < 0 || sentinel_init() < 0 || watch_forks() < 0) return -1;
  return PyModule_AddFunctions(module, collect_functions);
}

}  // namespace binding

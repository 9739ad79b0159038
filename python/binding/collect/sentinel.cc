// SPDX-License-Identifier: Apache-2.0
// Detection of full collections of Python's collector.
//
// A callback in `gc.callbacks` is called at the end of a collection. But while the list has an
// entry, each of the frequent collections of young objects builds two dictionaries for it. So the
// entry is added only for a full collection, by the finalizer of a sentinel object. Whenever the
// collector collects the generation that contains the sentinel, it takes the sentinel for garbage
// and calls its finalizer, which adds the entry if the collection in progress is full. At the end
// of the collection the collector calls the entry. If the entry is the last one, it removes itself.
// Otherwise the removal would make the collector skip the next entry, so the finalizer of the next
// sentinel removes it.
//
// `g_sentinel` is the only reference to a sentinel. tp_traverse of the sentinel visits the sentinel
// itself, so the collector takes this reference for a part of a cycle. After the finalizer has run,
// tp_traverse visits nothing, so the collector treats the object as alive and does not count it as
// garbage. A finalizer runs once for each object; thus the finalizer makes a new sentinel.
#include <utility>

#include "../ref.h"
#include "../state.h"
#include "../type/types.h"
#include "collect.h"

namespace binding {
namespace {

struct Sentinel {
  PyObject_HEAD bool is_done;
};

PyObject* g_sentinel = nullptr;  // owned
PyObject* g_done = nullptr;      // the previous sentinel, whose finalizer has run; owned
PyObject* g_get_count = nullptr;
PyObject* g_callbacks = nullptr;
PyObject* g_entry = nullptr;

PyTypeObject* sentinel_type();

int sentinel_traverse(PyObject* self, visitproc visit, void* arg) {
  return reinterpret_cast<Sentinel*>(self)->is_done ? 0 : visit(self, arg);
}

void sentinel_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  PyObject_GC_Del(self);
}

// Returns whether the collection in progress is a full one. A full collection has reset the counts
// of all generations; other collections increase the count of the next older generation.
bool is_full_collection() {
  Ref counts(PyObject_CallNoArgs(g_get_count));
  if (!counts || !PyTuple_Check(counts.get()) || PyTuple_GET_SIZE(counts.get()) != 3) return true;
  return PyLong_AsLong(PyTuple_GET_ITEM(counts.get(), 1)) == 0 &&
         PyLong_AsLong(PyTuple_GET_ITEM(counts.get(), 2)) == 0;
}

bool arm() {
  auto* self = PyObject_GC_New(Sentinel, sentinel_type());
  if (self == nullptr) return false;
  self->is_done = false;
  g_sentinel = reinterpret_cast<PyObject*>(self);
  PyObject_GC_Track(g_sentinel);
  return true;
}

// Removes the entry from gc.callbacks, if it is at position `at` or later.
void remove_entry(Py_ssize_t at) {
  for (; at >= 0 && at < PyList_GET_SIZE(g_callbacks); ++at) {
    if (PyList_GET_ITEM(g_callbacks, at) != g_entry) continue;
    if (PySequence_DelItem(g_callbacks, at) < 0) clear_error();
    return;
  }
}

void sentinel_finalize(PyObject* self) {
  // Without the GIL, another thread may have replaced the sentinel during this collection.
  StateSection section;
  reinterpret_cast<Sentinel*>(self)->is_done = true;
  if (self != g_sentinel || compat_is_finalizing()) return;
  RaisedAside raised;
  remove_entry(0);
  Ref before(std::exchange(g_done, g_sentinel));
  g_sentinel = nullptr;
  int rc = is_full_collection() ? PyList_Append(g_callbacks, g_entry) : 0;
  // If memory ran out, there may be no sentinel until sentinel_renew() makes one; the automatic
  // collections of candidates_are_due() do not need it.
  if (rc < 0 || !arm()) clear_error();
}

PyTypeObject* sentinel_type() {
  static PyTypeObject type = static_type();
  return &type;
}

int sentinel_type_init() {
  PyTypeObject* t = sentinel_type();
  t->tp_name = "tvm_ffi.core._CollectionSentinel";
  t->tp_basicsize = sizeof(Sentinel);
  t->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC;
  t->tp_traverse = sentinel_traverse;
  t->tp_finalize = sentinel_finalize;
  t->tp_dealloc = sentinel_dealloc;
  return PyType_Ready(t);
}

// The entry of gc.callbacks: `phase` is "start" or "stop", `info` tells the generation.
PyObject* collect_after_gc(PyObject*, PyObject* const* args, Py_ssize_t n) {
  remove_entry(PyList_GET_SIZE(g_callbacks) - 1);
  if (n != 2 || !PyUnicode_Check(args[0]) || !PyDict_Check(args[1])) Py_RETURN_NONE;
  PyObject* generation = PyDict_GetItemString(args[1], "generation");
  if (generation == nullptr || !PyLong_Check(generation)) Py_RETURN_NONE;
  if (PyUnicode_CompareWithASCIIString(args[0], "stop") == 0 && PyLong_AsLong(generation) == 2) {
    collect_cycles();
  }
  Py_RETURN_NONE;
}

PyMethodDef entry_def = {
    "_collect_after_gc",
    reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(collect_after_gc)), METH_FASTCALL,
    "_collect_after_gc($module, phase, info, /)\n--\n\n"
    "An entry of gc.callbacks: collect cycles of native references after a full collection."};

}  // namespace

void sentinel_renew() {
  if (compat_is_finalizing()) return;
  StateSection section;
  Ref before(std::exchange(g_sentinel, nullptr));
  // Without the GIL, a collection may still meet the released object, which must not visit itself.
  if (before) reinterpret_cast<Sentinel*>(before.get())->is_done = true;
  if (!arm()) clear_error();
}

int sentinel_init() {
  g_get_count = state_import("gc", "get_count");
  g_callbacks = state_import("gc", "callbacks");
  g_entry = PyCFunction_New(&entry_def, nullptr);
  if (g_get_count == nullptr || g_callbacks == nullptr || g_entry == nullptr) return -1;
  return sentinel_type_init() < 0 || !arm() ? -1 : 0;
}

}  // namespace binding

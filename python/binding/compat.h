// SPDX-License-Identifier: Apache-2.0
// One function or macro for each difference between CPython 3.10 and 3.14 that affects the binding.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <frameobject.h>
#include <structmember.h>
#include <tvm/ffi/c_api.h>

#include <cstring>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BINDING_SANITIZED 1
#else
#define BINDING_SANITIZED 0
#endif

// BINDING_HAS_GIL is 1 if free lists and caches that only the GIL guards are used; it is 0 in a
// free-threaded interpreter.
#ifdef Py_GIL_DISABLED
#define BINDING_HAS_GIL 0
#else
#define BINDING_HAS_GIL 1
#endif

#define BINDING_LIKELY(c) __builtin_expect(!!(c), 1)
#define BINDING_UNLIKELY(c) __builtin_expect(!!(c), 0)
// Keeps functions that build errors out of the fast paths, so that the fast paths fit into the
// instruction cache.
#define BINDING_COLD __attribute__((noinline, cold))
#define BINDING_INLINE inline __attribute__((always_inline))

// Declares or defines a thread-local variable that is read in each call. With the TLS model
// initial-exec, an access is two instructions instead of a function call. GCC uses the model only
// if the definition has the attribute, too. Other C libraries refuse to load a library with this
// model. The gain was measured only on x86-64.
#if defined(__GLIBC__) && defined(__x86_64__)
#define BINDING_THREAD_LOCAL __attribute__((tls_model("initial-exec"))) thread_local
#else
#define BINDING_THREAD_LOCAL thread_local
#endif
// Declares a variable that all threads share under the GIL, and that each thread has without it.
#ifdef Py_GIL_DISABLED
#define BINDING_PER_THREAD BINDING_THREAD_LOCAL
#else
#define BINDING_PER_THREAD
#endif

namespace binding {

// Returns the attached thread state of this thread; on old versions, the thread state of the thread
// that has the GIL.
inline PyThreadState* compat_current_thread_state() {
#if PY_VERSION_HEX >= 0x030D0000
  return PyThreadState_GetUnchecked();
#else
  return _PyThreadState_UncheckedGet();
#endif
}

// Returns whether this thread, which must be attached, is the only thread of its interpreter that
// has a thread state.
inline bool compat_is_only_thread() {
#ifdef Py_GIL_DISABLED
  return PyThreadState_Next(PyInterpreterState_ThreadHead(PyInterpreterState_Get())) == nullptr;
#else
  PyThreadState* state = compat_current_thread_state();
  return state->next == nullptr && state->prev == nullptr;
#endif
}

inline bool compat_is_finalizing() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

// Returns whether the interpreter shuts down or has shut down, so that Python code must not be run.
inline bool compat_is_shut_down() { return !Py_IsInitialized() || compat_is_finalizing(); }

// Takes the raised exception out of the thread state; new reference or NULL. The exception is
// normalized and has its `__traceback__`.
inline PyObject* compat_take_raised() {
#if PY_VERSION_HEX >= 0x030C0000
  return PyErr_GetRaisedException();
#else
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (type == nullptr) return nullptr;
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != nullptr && value != nullptr) PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return value;
#endif
}

// Raises `exc` and steals the reference; its `__traceback__` is kept.
inline void compat_set_raised_steal(PyObject* exc) {
#if PY_VERSION_HEX >= 0x030C0000
  PyErr_SetRaisedException(exc);
#else
  PyObject* type = reinterpret_cast<PyObject*>(Py_TYPE(exc));
  Py_INCREF(type);
  PyErr_Restore(type, exc, PyException_GetTraceback(exc));
#endif
}

// Reads the value of an exact int that has at most one internal digit; otherwise returns false and
// leaves `out` unchanged.
inline bool compat_compact_int(PyObject* x, int64_t* out) {
#if PY_VERSION_HEX >= 0x030C0000
  auto* op = reinterpret_cast<PyLongObject*>(x);
  if (!PyUnstable_Long_IsCompact(op)) return false;
  *out = PyUnstable_Long_CompactValue(op);
  return true;
#else
  Py_ssize_t size = Py_SIZE(x);
  if (size < -1 || size > 1) return false;
  *out = size * static_cast<int64_t>(reinterpret_cast<PyLongObject*>(x)->ob_digit[0]);
  return true;
#endif
}

// Initializes reused memory as PyObject_Init does, but inline.
BINDING_INLINE PyObject* compat_init_again(PyObject* self, PyTypeObject* cls) {
#if defined(Py_DEBUG) || defined(Py_TRACE_REFS) || defined(Py_GIL_DISABLED)
  return PyObject_Init(self, cls);
#else
  Py_INCREF(cls);
  Py_SET_TYPE(self, cls);
  Py_SET_REFCNT(self, 1);
  return self;
#endif
}

// Stores an attribute in `*value`: new reference, or NULL if there is no such attribute. Unlike
// PyObject_GetAttr, it usually makes no AttributeError. Returns -1 with another exception set.
inline int compat_find_attr(PyObject* x, PyObject* name, PyObject** value) {
#if PY_VERSION_HEX >= 0x030D0000
  return PyObject_GetOptionalAttr(x, name, value);
#else
  return _PyObject_LookupAttr(x, name, value);
#endif
}

// Makes an instance of a subclass of bytes whose `__new__` is that of bytes, with this content. New
// reference, or NULL with MemoryError.
inline PyObject* compat_bytes_new(PyTypeObject* cls, const TVMFFIByteArray& content) {
  if (content.size > static_cast<size_t>(PY_SSIZE_T_MAX - cls->tp_basicsize)) {
    return PyErr_NoMemory();
  }
  PyObject* self = cls->tp_alloc(cls, static_cast<Py_ssize_t>(content.size));
  if (self == nullptr) return nullptr;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  reinterpret_cast<PyBytesObject*>(self)->ob_shash = -1;  // not computed yet
#pragma GCC diagnostic pop
  if (content.size != 0) std::memcpy(PyBytes_AS_STRING(self), content.data, content.size);
  PyBytes_AS_STRING(self)[content.size] = '\0';
  return self;
}

// Returns a number that no other type and no other state of this type has, or 0 if the type has no
// such number at the moment. The number changes with each attribute that is set on the type or its
// bases.
inline uint32_t compat_type_version(const PyTypeObject* type) {
#if PY_VERSION_HEX < 0x030D0000
  if ((type->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG) == 0) return 0;
#endif
#ifdef Py_GIL_DISABLED
  return __atomic_load_n(&type->tp_version_tag, __ATOMIC_ACQUIRE);
#else
  return type->tp_version_tag;
#endif
}

// Makes a frame that has no caller: new reference, or NULL with an exception set. Python 3.10 makes
// the running frame the caller, and a frame that is kept would keep the variables of all callers.
inline PyFrameObject* compat_frame_new(PyCodeObject* code, PyObject* globals) {
  PyFrameObject* frame = PyFrame_New(PyThreadState_Get(), code, globals, nullptr);
#if PY_VERSION_HEX < 0x030B0000
  if (frame != nullptr) Py_CLEAR(frame->f_back);
#endif
  return frame;
}

inline PyObject* compat_new_ref(PyObject* x) {
  Py_INCREF(x);
  return x;
}

}  // namespace binding

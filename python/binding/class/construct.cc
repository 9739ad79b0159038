// SPDX-License-Identifier: Apache-2.0
// Construction of an object according to the plan of its class: bind the arguments, allocate,
// convert, store.
#include <memory>
#include <new>

#include "../call.h"
#include "../raise.h"
#include "../recursion.h"
#include "plan.h"

namespace binding {
namespace {

// The argument for each field, or NULL if none was given. Borrowed from the call.
class BoundFields {
 public:
  // Returns false with MemoryError if memory runs out.
  bool init(size_t size) {
    values_ = few_;
    if (BINDING_UNLIKELY(size > kFew)) {
      many_.reset(new (std::nothrow) PyObject*[size]);
      if (many_ == nullptr) {
        PyErr_NoMemory();
        return false;
      }
      values_ = many_.get();
    }
    std::memset(values_, 0, size * sizeof(PyObject*));
    return true;
  }
  PyObject*& operator[](size_t i) { return values_[i]; }

 private:
  static constexpr size_t kFew = 16;
  PyObject* few_[kFew];
  std::unique_ptr<PyObject*[]> many_;
  PyObject** values_ = nullptr;
};

int bind_positional(const ClassPlan& plan, PyObject* const* args, Py_ssize_t n,
                    BoundFields* bound) {
  if (BINDING_UNLIKELY(n > static_cast<Py_ssize_t>(plan.num_positional))) {
    refuse_too_many(plan, n);
    return -1;
  }
  PyObject* missing = state().missing;
  for (Py_ssize_t i = 0; i < n; ++i) {
    uint32_t at = plan.parameters[i];
    bool left_out = args[i] == missing && plan.fields[at]->initial_kind != Initial::kNone;
    if (BINDING_LIKELY(!left_out)) (*bound)[at] = args[i];
  }
  return 0;
}

// Returns the index of the parameter with this name, or -1. The search begins at `hint`, because
// keywords are mostly given in the order of the parameters. Names are nearly always interned, so
// the first pass compares only identities.
Py_ssize_t find_parameter(const ClassPlan& plan, PyObject* name, size_t hint) {
  size_t size = plan.fields.size();
  for (size_t step = 0; step < size; ++step) {
    size_t i = hint + step < size ? hint + step : hint + step - size;
    if (plan.fields[i]->name == name && plan.fields[i]->is_parameter) {
      return static_cast<Py_ssize_t>(i);
    }
  }
  for (size_t i = 0; i < size; ++i) {
    if (plan.fields[i]->is_parameter && PyUnicode_Compare(plan.fields[i]->name, name) == 0) {
      return static_cast<Py_ssize_t>(i);
    }
  }
  return -1;
}

int bind_keywords(const ClassPlan& plan, PyObject* const* values, PyObject* kwnames,
                  BoundFields* bound) {
  size_t hint = 0;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kwnames); ++i) {
    if (values[i] == state().missing) continue;  // the same as not given
    PyObject* name = PyTuple_GET_ITEM(kwnames, i);
    Py_ssize_t at = find_parameter(plan, name, hint);
    if (BINDING_UNLIKELY(at < 0)) {
      refuse_keyword(plan, name);
      return -1;
    }
    if (BINDING_UNLIKELY((*bound)[at] != nullptr)) {
      refuse_twice(plan, name);
      return -1;
    }
    (*bound)[at] = values[i];
    hint = static_cast<size_t>(at) + 1;
  }
  return 0;
}

// Checks the parameters that the `n` positional arguments do not bind. A positional argument that
// was left out has a default.
int check_bound(const ClassPlan& plan, Py_ssize_t n, BoundFields* bound) {
  for (size_t i = static_cast<size_t>(n); i < plan.parameters.size(); ++i) {
    uint32_t at = plan.parameters[i];
    if (BINDING_LIKELY((*bound)[at] != nullptr)) continue;
    if (BINDING_LIKELY(plan.fields[at]->initial_kind != Initial::kNone)) continue;
    refuse_missing(plan, *plan.fields[at]);
    return -1;
  }
  return 0;
}

// ---- store into the memory of a new object, which no other code can access yet

BINDING_INLINE int store(const ClassField& field, char* at, PyObject* value) {
  TVMFFIAny exact, converted;  // `exact` stays in registers
  if (BINDING_LIKELY(convert_exact(field.converter, value, &exact))) {
    storage_write_steal(field.storage, at, exact);
    return 0;
  }
  if (convert_by_schema_slow(field.converter, value, &converted) < 0) return -1;
  storage_write_steal(field.storage, at, converted);
  return 0;
}

// Stores the default of a field for the first time. If all objects can share the converted value,
// keeps the value for later uses.
int store_default_value(ClassField* field, char* at) {
  TVMFFIAny converted;
  if (convert_by_schema(field->converter, field->initial, &converted) < 0) return -1;
  bool is_object = is_object_index(converted.type_index);
  bool is_same = is_object && is_wrapper(field->initial) &&
                 as_wrapper(field->initial)->handle == converted.v_obj;
  bool is_text = converted.type_index == kTVMFFIStr || converted.type_index == kTVMFFIBytes;
  if ((!is_object || is_same || is_text) && field->initial_kind == Initial::kValue) {
    // `ready` owns a reference to a text. If the default is itself the wrapper of the object
    // (`is_same`), the wrapper keeps the object alive, so `ready` borrows the object.
    if (is_text && !is_same) object_inc_ref(converted.v_obj);
    field->ready = converted;
    field->initial_kind = Initial::kReady;
  }
  storage_write_steal(field->storage, at, converted);
  return 0;
}

int store_made(const ClassPlan& plan, const ClassField& field, char* at) {
  Ref made(PyObject_CallNoArgs(field.initial));  // runs Python
  if (!made) return -1;
  if (store(field, at, made.get()) == 0) return 0;
  refuse_value(plan, field, "default for field");
  return -1;
}

BINDING_INLINE int store_initial(const ClassPlan& plan, ClassField* field, char* at) {
  switch (field->initial_kind) {
    case Initial::kNone:
      return 0;
    case Initial::kReady: {
      if (is_object_index(field->ready.type_index)) object_inc_ref(field->ready.v_obj);
      storage_write_steal(field->storage, at, field->ready);
      return 0;
    }
    case Initial::kFactory:
      return store_made(plan, *field, at);
    case Initial::kValue:
      break;
  }
  if (store_default_value(field, at) == 0) return 0;
  refuse_value(plan, *field, "default for field");
  return -1;
}

// The next functions store a value in a field of a native ancestor, with the setter that the
// ancestor registered.

int store_foreign_initial(const ClassField& field, char* at) {
  TVMFFIAny value = field.native->default_value_or_factory;
  if (field.initial_kind == Initial::kValue) return field_store_native(field.native, at, value);
  if (call_values(value.v_obj, nullptr, 0, &value) < 0) return -1;  // may run Python
  int rc = field_store_native(field.native, at, value);
  value_release(&value);
  return rc;
}

BINDING_COLD int store_foreign(const ClassPlan& plan, const ClassField& field, char* at,
                               PyObject* value) {
  if (value == nullptr) {
    if (field.initial_kind == Initial::kNone || store_foreign_initial(field, at) == 0) return 0;
    refuse_value(plan, field, "default for field");
    return -1;
  }
  TVMFFIAny owned;
  int rc = value_from_py_owned(value, &owned);
  if (rc == 0) {
    rc = field_store_native(field.native, at, owned);
    value_release(&owned);
  }
  if (rc < 0) refuse_value(plan, field, "field");
  return rc;
}

BINDING_INLINE int store_field(const ClassPlan& plan, ClassField* field, char* at,
                               PyObject* value) {
  if (BINDING_UNLIKELY(field->storage == Storage::kForeign)) {
    return store_foreign(plan, *field, at, value);
  }
  if (value == nullptr) return store_initial(plan, field, at);
  if (BINDING_LIKELY(store(*field, at, value) == 0)) return 0;
  refuse_value(plan, *field, "field");
  return -1;
}

int store_fields(const ClassPlan& plan, BoundFields* bound, TVMFFIObject* object) {
  for (size_t i = 0; i < plan.fields.size(); ++i) {
    ClassField* field = plan.fields[i];
    char* at = reinterpret_cast<char*>(object) + field->offset;
    if (BINDING_UNLIKELY(store_field(plan, field, at, (*bound)[i]) < 0)) return -1;
  }
  return 0;
}

BINDING_INLINE TVMFFIObject* fill(const ClassPlan& plan, BoundFields* bound) {
  ObjectOwner object(plan_allocate(plan));
  if (BINDING_UNLIKELY(!object || store_fields(plan, bound, object.get()) < 0)) return nullptr;
  return object.release();
}

}  // namespace

TVMFFIObject* plan_construct(ClassPlan* plan, PyObject* const* args, Py_ssize_t n,
                             PyObject* kwnames) {
  BoundFields bound;
  if (BINDING_UNLIKELY(!bound.init(plan->fields.size()))) return nullptr;
  if (BINDING_UNLIKELY(bind_positional(*plan, args, n, &bound) < 0)) return nullptr;
  if (kwnames != nullptr && bind_keywords(*plan, args + n, kwnames, &bound) < 0) return nullptr;
  if (BINDING_UNLIKELY(check_bound(*plan, n, &bound) < 0)) return nullptr;
  if (BINDING_LIKELY(!plan->may_recurse)) return fill(*plan, &bound);
  RecursionLevel level(" while making an object");
  return level ? fill(*plan, &bound) : nullptr;
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Conversion of lists and tuples to native arrays, element by element. Native lists are made from
// such an array.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>

#include <iterator>

#include "../recursion.h"
#include "convert.h"
#include "native_value.h"
#include "schema/converters.h"

namespace binding {
TVMFFIObject* array_from_items(PyObject* const* items, Py_ssize_t n, CallContext* context) {
  RecursionLevel level(" while converting a sequence to an FFI array");
  if (!level) return nullptr;
  TVMFFIObject* array = nullptr;
  auto convert = [&](Py_ssize_t i, TVMFFIAny* place) {
    return value_from_py_owned(items[i], place, context);  // may run Python
  };
  array_filled(n, convert, &array);
  return array;
}

TVMFFIObject* list_from_array_steal(TVMFFIObject* array) {
  ObjectOwner owner(array);
  TVMFFISeqCell* cell = sequence_cell_of(array);
  auto* values = static_cast<tvm::ffi::Any*>(cell->data);
  TVMFFIObject* made = nullptr;
  guarded([&] {
    auto list = tvm::ffi::ListObj::Empty(cell->size);
    list->insert(0, std::make_move_iterator(values), std::make_move_iterator(values + cell->size));
    made = tvm::ffi::detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(list));
  });
  return made;
}

TVMFFIObject* list_from_items(PyObject* const* items, Py_ssize_t n) {
  TVMFFIObject* array = array_from_items(items, n);
  return array == nullptr ? nullptr : list_from_array_steal(array);
}

namespace {

// Returns the items as a tuple, which keeps them alive even if the conversion of an element changes
// `x`.
Ref items_of(PyObject* x) {
  return Ref(PyTuple_CheckExact(x) ? compat_new_ref(x) : PySequence_Tuple(x));
}

// Returns whether `x` is a list that stays the same while its items are converted one by one.
bool is_plain_list(PyObject* x) {
  if (!BINDING_HAS_GIL || !PyList_CheckExact(x)) return false;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(x); ++i) {
    if (!is_plain(PyList_GET_ITEM(x, i))) return false;
  }
  return true;
}

}  // namespace

TVMFFIObject* array_from_iterable(PyObject* x, CallContext* context) {
  if (is_plain_list(x)) {
    return array_from_items(reinterpret_cast<PyListObject*>(x)->ob_item, PyList_GET_SIZE(x),
                            context);
  }
  Ref items(items_of(x));
  if (!items) return nullptr;
  return array_from_items(&PyTuple_GET_ITEM(items.get(), 0), PyTuple_GET_SIZE(items.get()),
                          context);
}

TVMFFIObject* list_from_iterable(PyObject* x) {
  Ref items(items_of(x));
  if (!items) return nullptr;
  return list_from_items(&PyTuple_GET_ITEM(items.get(), 0), PyTuple_GET_SIZE(items.get()));
}

int sequence_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  TVMFFIObject* array = array_from_iterable(x, args->context);
  if (array == nullptr) return -1;
  args->temporaries.keep_steal(array);
  value_set_object(out, array);
  return 0;
}

namespace schema {
namespace {

using tvm::ffi::Any;

// Returns the native sequence in `x`, or NULL.
TVMFFIObject* native_sequence(PyObject* x) {
  TVMFFIObject* obj = handle_of(x);
  bool is = obj != nullptr && (obj->type_index == kTVMFFIArray || obj->type_index == kTVMFFIList);
  return is ? obj : nullptr;
}

// A copy of the elements of a sequence, because the conversion of an element may change the
// sequence.
class Elements {
 public:
  // Copies the elements. `x` holds `native`, or is a list or tuple. Returns 0, or -1 with an
  // exception set.
  int take(PyObject* x, TVMFFIObject* native) {
    if (native == nullptr) {
      items_ = Ref(PyTuple_CheckExact(x) ? compat_new_ref(x) : PySequence_Tuple(x));
      return items_ ? 0 : -1;
    }
    TVMFFISeqCell* cell = sequence_cell_of(native);
    auto* first = static_cast<const Any*>(cell->data);
    return guarded([&] { values_.assign(first, first + cell->size); });
  }
  Py_ssize_t size() const {
    return items_ ? PyTuple_GET_SIZE(items_.get()) : static_cast<Py_ssize_t>(values_.size());
  }
  // Converts an element like convert_value. If `c` is NULL, packs the element without a schema.
  Outcome convert(const Converter* c, const Converter& whole, Py_ssize_t i, TVMFFIAny* out,
                  Refusal* why) {
    if (items_) {
      PyObject* item = PyTuple_GET_ITEM(items_.get(), i);
      return c == nullptr ? pack(whole, item, out, why) : convert_value(*c, item, out, why);
    }
    auto& value = reinterpret_cast<const TVMFFIAny&>(values_[static_cast<size_t>(i)]);
    if (c == nullptr || fits(*c, value)) {
      *out = value;
      if (is_object_index(out->type_index)) object_inc_ref(out->v_obj);
      return kConverted;
    }
    Ref item(value_to_py_borrowed(value));
    return item ? convert_value(*c, item.get(), out, why) : kRaised;
  }

 private:
  Ref items_;
  std::vector<Any> values_;
};

// Returns the schema of element `i`; NULL if elements have no schema.
const Converter* element_schema(const Converter& c, Py_ssize_t i) {
  if (c.kind == SchemaKind::kAnyTuple) return nullptr;
  return c.args[c.kind == SchemaKind::kTuple ? static_cast<size_t>(i) : 0].get();
}

BINDING_COLD Outcome refuse_element(Outcome inner, Py_ssize_t i, Refusal* why) {
  if (inner != kRefused || why == nullptr) return inner;
  Ref message(std::move(why->message));
  return refuse(why, "element [%zd]: %U", i, message.get());
}

Outcome convert_elements(const Converter& c, Elements* elements, TVMFFIAny* out, Refusal* why) {
  TVMFFIObject* made = nullptr;
  auto fill = [&](Py_ssize_t i, TVMFFIAny* place) -> int {
    Outcome outcome = elements->convert(element_schema(c, i), c, i, place, why);
    return outcome == kConverted ? kConverted : refuse_element(outcome, i, why);
  };
  int rc = array_filled(elements->size(), fill, &made);
  if (rc != 0) return static_cast<Outcome>(rc);
  if (c.kind == SchemaKind::kList) made = list_from_array_steal(made);
  if (made == nullptr) return kRaised;
  value_set_object(out, made);
  return kConverted;
}

// Converts a sequence; returns the same object if it already fits.
Outcome from_sequence(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  TVMFFIObject* native = native_sequence(x);
  if (native != nullptr) {
    TVMFFIAny value;
    value_set_object(&value, native);
    if (fits(c, value)) {
      object_inc_ref(native);
      *out = value;
      return kConverted;
    }
  }
  Elements elements;
  if (elements.take(x, native) < 0) return kRaised;
  if (c.kind == SchemaKind::kTuple && elements.size() != static_cast<Py_ssize_t>(c.args.size())) {
    if (why == nullptr) return kRefused;
    Ref name(PyObject_GetAttr(reinterpret_cast<PyObject*>(Py_TYPE(x)), state().names.dunder_name));
    return name ? refuse(why, "expected tuple of length %zu, got %S of length %zd", c.args.size(),
                         name.get(), elements.size())
                : kRaised;
  }
  return convert_elements(c, &elements, out, why);
}

bool is_sequence(PyObject* x) {
  return native_sequence(x) != nullptr || PyList_Check(x) || PyTuple_Check(x);
}

}  // namespace

Outcome sequence_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (is_sequence(x)) return from_sequence(c, x, out, why);
  Outcome outcome = refuse_type(c, x, why);
  if (outcome != kRefused || why == nullptr || !can_be_listed(x)) return outcome;
  Ref message(std::move(why->message));
  return refuse(why, "%U (pass list(value))", message.get());
}

}  // namespace schema
}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
// Schemas Array, List and tuple: native and Python sequences, converted element by element. A
// native one that has the right type and elements is kept as it is.
#include <tvm/ffi/container/array.h>

#include "../native_value.h"
#include "rooms.h"

namespace binding::annotated {
namespace {

using tvm::ffi::Any;

// The native sequence in `x`, or NULL.
TVMFFIObject* native_sequence(PyObject* x) {
  TVMFFIObject* obj = handle_of(x);
  bool is = obj != nullptr && (obj->type_index == kTVMFFIArray || obj->type_index == kTVMFFIList);
  return is ? obj : nullptr;
}

// The elements of a sequence, kept while they are converted, whatever that does to it.
class Elements {
 public:
  // 0, or -1 with an exception set. `x` holds `native`, or is a list or tuple.
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
  // As convert_value. `c` NULL: the element as it is packed.
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

// The schema of element `i`; NULL where elements have none.
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

// Converts, unless nothing is to be done.
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

Outcome sequence_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  return is_sequence(x) ? from_sequence(c, x, out, why) : refuse_type(c, x, why);
}

}  // namespace binding::annotated

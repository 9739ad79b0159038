// SPDX-License-Identifier: Apache-2.0
// What the type of a class defined in Python gets from the runtime: a constructor, an allocator and
// a shallow copy.
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/registry.h>

#include "core/type_entry.h"
#include "core/type_table.h"
#include "functions/auto_init.h"
#include "functions/functions.h"
#include "functions/object_layout.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

// `__ffi_new__`: a function object of its own, since everything that a frontend makes comes by
// here.
class AllocatorObj final : public FunctionObj {
 public:
  explicit AllocatorObj(const ObjectLayout* layout) : layout_(layout) {
    this->safe_call = call;
    this->cpp_call = nullptr;
  }

 private:
  static int call(void* handle, const TVMFFIAny*, int32_t num_args, TVMFFIAny* result) {
    TVM_FFI_SAFE_CALL_BEGIN();
    if (num_args != 0) TVM_FFI_THROW(TypeError) << "__ffi_new__ takes no arguments";
    const ObjectLayout* layout = static_cast<AllocatorObj*>(static_cast<Object*>(handle))->layout_;
    TVMFFIObject* made = detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(new_object(layout));
    result->type_index = layout->type_index;
    result->zero_padding = 0;
    result->v_obj = made;
    TVM_FFI_SAFE_CALL_END();
  }

  const ObjectLayout* layout_;
};

ObjectRef copy_of(const ObjectLayout* layout, const Object* source) {
  if (source->type_index() != layout->type_index) {
    TVM_FFI_THROW(TypeError) << "Cannot copy an object of type `" << source->GetTypeKey()
                             << "` as `" << TypeIndexToTypeKey(layout->type_index) << "`";
  }
  return ObjectRef(shallow_copy(layout, source));
}

// Called when all fields of the type are registered.
void register_py_class(int32_t type_index, int32_t total_size) {
  const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(type_index);
  if (type_index < kTVMFFIDynObjectBegin) {
    TVM_FFI_THROW(ValueError) << "`" << ToStringView(type->type_key)
                              << "` is a type of the library and cannot be defined in Python";
  }
  const ObjectLayout* layout = make_object_layout(type, total_size);
  const ObjectLayout* none = nullptr;
  if (!registered_type(type_index)->object_layout.compare_exchange_strong(none, layout)) {
    TVM_FFI_THROW(RuntimeError) << "`" << ToStringView(type->type_key)
                                << "` is already defined in Python";
  }
  register_auto_init(type);
  register_type_attribute(type_index, type_attr::kNew.name,
                          Function(ObjectPtr<FunctionObj>(make_object<AllocatorObj>(layout))));
  register_type_attribute(
      type_index, type_attr::kShallowCopy.name,
      Function::FromTyped([layout](const Object* source) { return copy_of(layout, source); }));
}

// Called before the first field of the type is registered: refuses ancestors of whose fields we
// could not take care, when nothing has to be taken back yet.
void check_ancestors(int32_t type_index) {
  check_object_layout(detail::GetTypeInfoOrThrow(type_index));
}

// Called when a class is taken back after its type has got fields.
void forget(int32_t type_index) {
  if (type_index < kTVMFFIDynObjectBegin) {
    TVM_FFI_THROW(ValueError) << "a type of the library cannot be taken back";
  }
  forget_type_key(type_index);
}

}  // namespace

void register_py_class_functions() {
  reflection::GlobalDef()
      .def("ffi._PyClassRegisterTypeAttrColumns", register_py_class, reflection::short_call())
      .def("ffi._PyClassForget", forget, reflection::short_call())
      .def("ffi._PyClassCheckAncestors", check_ancestors, reflection::short_call());
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

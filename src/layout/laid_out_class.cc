// SPDX-License-Identifier: Apache-2.0
// Registers the attributes of a type that has an object layout (layout/object_layout.h):
// constructor, allocator, shallow copy.
#include "layout/laid_out_class.h"

#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>

#include <exception>

#include "core/type_entry.h"
#include "layout/auto_init.h"

namespace tvm::ffi::runtime {
namespace {

// The function `__ffi_new__`. It has its own class, which makes a call cheaper, because a language
// binding calls it for every new object.
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

void register_attributes_of(const TVMFFITypeInfo* type, const ObjectLayout* layout,
                            LaidOutUse use) {
  if (use == LaidOutUse::kConstructed) register_auto_init(type);
  if (use != LaidOutUse::kAbstract) {
    register_type_attribute(type->type_index, type_attr::kNew.name,
                            Function(ObjectPtr<FunctionObj>(make_object<AllocatorObj>(layout))));
  }
  register_type_attribute(
      type->type_index, type_attr::kShallowCopy.name,
      Function::FromTyped([layout](const Object* source) { return copy_of(layout, source); }));
}

}  // namespace

bool register_laid_out_class(const TVMFFITypeInfo* type, int32_t total_size, LaidOutUse use) {
  const ObjectLayout* layout = make_object_layout(type, total_size);
  const ObjectLayout* none = nullptr;
  if (!registered_type(type->type_index)->object_layout.compare_exchange_strong(none, layout)) {
    return false;
  }
  try {
    register_attributes_of(type, layout, use);
  } catch (const std::exception&) {
    registered_type(type->type_index)->object_layout.store(nullptr);
    throw;
  }
  return true;
}

}  // namespace tvm::ffi::runtime

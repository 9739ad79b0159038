// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/reflection/creator.h
 * \brief Makes objects of types that are known only by reflection.
 */
#ifndef TVM_FFI_REFLECTION_CREATOR_H_
#define TVM_FFI_REFLECTION_CREATOR_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/string.h>

#include <optional>
#include <string_view>
#include <utility>

namespace tvm::ffi {
namespace reflection::detail {

/*! \brief Return the `__ffi_new__` attribute of a type; None when there is none. */
inline AnyView NewAttr(int32_t type_index) {
  static const TypeAttrColumn column(type_attr::kNew);
  return column[type_index];
}

/*!
 * \brief Throw TypeError if the creator of a type returned an object of another type. The offsets
 * of the fields are valid only for objects of `type_info` and of its subtypes.
 * \param type_info the type with the creator.
 * \param type_index the type index of the object; kTVMFFINone for null.
 */
inline void CheckMade(const TVMFFITypeInfo* type_info, int32_t type_index) {
  if (TVM_FFI_PREDICT_TRUE(type_index == type_info->type_index)) return;
  if (type_index >= TypeIndex::kTVMFFIStaticObjectBegin) {
    const TVMFFITypeInfo* made = TVMFFIGetTypeInfo(type_index);
    int32_t depth = type_info->type_depth;
    if (made != nullptr && made->type_depth > depth &&
        made->type_ancestors[depth]->type_index == type_info->type_index) {
      return;
    }
  }
  TVM_FFI_THROW(TypeError) << "The creator (`__ffi_new__`) of type `"
                           << ToStringView(type_info->type_key)
                           << "` must return an object of that type, got `"
                           << ffi::detail::TypeNameInText(type_index) << "`";
}

/*! \brief Return whether the metadata of a type has a creator. */
inline bool HasNativeCreator(const TVMFFITypeInfo* type_info) {
  const TVMFFITypeMetadata* metadata = NotNullTypeInfo(type_info)->metadata;
  return metadata != nullptr && metadata->creator != nullptr;
}

/*!
 * \brief Convert a value to TRef, a reference class or a class such as String. `__ffi_convert__`
 * attributes are made from this function.
 * \throws Error TypeError when the value does not convert.
 */
template <typename TRef>
inline TRef FFIConvertFromAnyViewToObjectRef(AnyView input) {
  std::optional<TRef> converted = input.template try_cast<TRef>();
  if (TVM_FFI_PREDICT_FALSE(!converted.has_value())) {
    TVM_FFI_THROW(TypeError) << "Cannot cast from `"
                             << ffi::detail::TypeNameInText(input.type_index()) << "` to `"
                             << Type2Str<TRef>::v() << "`";
  }
  return *std::move(converted);
}

}  // namespace reflection::detail

/*!
 * \brief Make an object. The caller must then set its fields.
 * \param type_info the type of the object.
 * \throws Error RuntimeError when the type has no creator; the exceptions of its constructor.
 */
inline ObjectPtr<Object> CreateEmptyObject(const TVMFFITypeInfo* type_info) {
  if (reflection::detail::HasNativeCreator(type_info)) {
    TVMFFIObjectHandle handle = nullptr;
    TVM_FFI_CHECK_SAFE_CALL(type_info->metadata->creator(&handle));
    ObjectPtr<Object> made =
        detail::ObjectUnsafe::ObjectPtrFromOwned<Object>(static_cast<TVMFFIObject*>(handle));
    reflection::detail::CheckMade(type_info, made == nullptr
                                                 ? static_cast<int32_t>(TypeIndex::kTVMFFINone)
                                                 : made->type_index());
    return made;
  }
  AnyView make = reflection::detail::NewAttr(type_info->type_index);
  if (make == nullptr) {
    TVM_FFI_THROW(RuntimeError) << "Type `" << ToStringView(type_info->type_key)
                                << "` does not support reflection creation "
                                   "(no native creator or __ffi_new__ type attr)";
  }
  Any made = make.cast<Function>()();
  reflection::detail::CheckMade(type_info, made.type_index());
  return made.cast<ObjectPtr<Object>>();
}

/*! \brief Return whether CreateEmptyObject can make objects of the type. */
inline bool HasCreator(const TVMFFITypeInfo* type_info) {
  return reflection::detail::HasNativeCreator(type_info) ||
         reflection::detail::NewAttr(type_info->type_index) != nullptr;
}

namespace reflection {

/*! \brief Makes objects of one type from the values of their fields. */
class ObjectCreator {
 public:
  /*! \brief Make a creator for a type; RuntimeError when CreateEmptyObject cannot make objects of
   * the type. */
  explicit ObjectCreator(const TVMFFITypeInfo* type_info) : type_info_(type_info) {
    if (!HasCreator(type_info)) {
      TVM_FFI_THROW(RuntimeError)
          << "Type `" << ToStringView(type_info->type_key)
          << "` does not support default constructor, as a result cannot be created via reflection";
    }
  }
  explicit ObjectCreator(std::string_view type_key)
      : ObjectCreator(detail::TypeInfoOfKey(type_key)) {}

  /*!
   * \brief Make an object.
   * \param fields values by field name, including inherited fields; a missing field gets its
   *         default.
   * \throws Error TypeError for a missing field without default, an unknown name, or a value that
   *         does not convert.
   */
  Any operator()(const Map<String, Any>& fields) const {
    RefuseUnknownNames(fields);
    ObjectPtr<Object> object = CreateEmptyObject(type_info_);
    ForEachFieldInfo(type_info_, [&](const TVMFFIFieldInfo* info) {
      void* address = detail::FieldAddress(object.get(), info);
      auto it = fields.find(String(info->name));
      if (it != fields.end()) {
        Any value = (*it).second;
        detail::SetFieldOrThrow(info, address, detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value));
      } else if (info->flags & kTVMFFIFieldFlagBitMaskHasDefault) {
        SetFieldToDefault(info, address);
      } else {
        TVM_FFI_THROW(TypeError) << "Required field `" << ToStringView(info->name)
                                 << "` not set in type `" << ToStringView(type_info_->type_key)
                                 << "`";
      }
    });
    return Any(ObjectRef(std::move(object)));
  }

 private:
  void RefuseUnknownNames(const Map<String, Any>& fields) const {
    for (const auto& entry : fields) {
      std::string_view name(entry.first.data(), entry.first.size());
      bool known = ForEachFieldInfoWithEarlyStop(type_info_, [name](const TVMFFIFieldInfo* info) {
        return detail::NameEquals(info->name, name);
      });
      if (!known) {
        TVM_FFI_THROW(TypeError) << "Type `" << ToStringView(type_info_->type_key)
                                 << "` does not have field `" << name << "`";
      }
    }
  }

  const TVMFFITypeInfo* type_info_;
};

}  // namespace reflection
}  // namespace tvm::ffi

#endif  // TVM_FFI_REFLECTION_CREATOR_H_

// SPDX-License-Identifier: Apache-2.0
// C ABI: the type table and the reflection of types.
#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>

#include "core/enum_store.h"
#include "core/error_slot.h"
#include "core/load_scope.h"
#include "core/name_hints.h"
#include "core/owned_value.h"
#include "core/type_attr.h"
#include "core/type_entry.h"
#include "core/type_table.h"

namespace runtime = tvm::ffi::runtime;
using tvm::ffi::Any;
using tvm::ffi::detail::AnyUnsafe;
using tvm::ffi::detail::ObjectUnsafe;

namespace {

/*! \brief Check the name, doc and metadata of a TVMFFIFieldInfo or TVMFFIMethodInfo. */
template <typename Info>
int check_texts(const Info* info) {
  if (info == nullptr) return runtime::raise_null("info");
  if (runtime::check_text(&info->name, "info->name") != 0 ||
      runtime::check_text(&info->doc, "info->doc") != 0) {
    return -1;
  }
  return runtime::check_text(&info->metadata, "info->metadata");
}

/*! \brief Owns the default value and the setter function of a field until the field is
 * registered. */
struct FieldValues {
  Any default_value;
  tvm::ffi::ObjectPtr<tvm::ffi::Object> setter;
};

int own_field_values(const TVMFFIFieldInfo& info, FieldValues* out) {
  if (info.flags & kTVMFFIFieldFlagBitMaskHasDefault) {
    if (runtime::make_owned(info.default_value_or_factory, "info->default_value_or_factory",
                            &out->default_value) != 0) {
      return -1;
    }
  }
  if ((info.flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)) {
    out->setter = ObjectUnsafe::ObjectPtrFromUnowned<tvm::ffi::Object>(
        static_cast<TVMFFIObject*>(info.setter));
  }
  return 0;
}

// Refuses a field that cannot be read. Only a read-only field may lack a setter.
int check_access(const TVMFFIFieldInfo& info) {
  bool needs_setter =
      (info.flags & (kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitMaskHasDefault |
                     kTVMFFIFieldFlagBitSetterIsFunctionObj)) != 0;
  const char* wrong =
      info.getter == nullptr ? "`info->getter` must not be NULL"
      : needs_setter && info.setter == nullptr
          ? "`info->setter` must not be NULL, unless the field is read-only and has no default"
          : nullptr;
  if (wrong == nullptr) return 0;
  return runtime::guarded([&] {
    return runtime::raise("ValueError", {"Field `", runtime::view_of(info.name), "`: ", wrong});
  });
}

bool is_readable(const TVMFFIByteArray* text) {
  return __builtin_expect(text != nullptr && runtime::well_formed(*text), 1);
}

// The slow paths of the lookup functions below. They run for the first lookup of a name and for all
// errors.

int raise_unknown_type(std::string_view key) {
  return runtime::guarded([&] {
    return runtime::raise("InternalError",
                          {"Cannot find type `", key, "`", runtime::type_key_hint(key)});
  });
}

int find_key_or_raise(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  if (runtime::check_text(type_key, "type_key") != 0) return -1;
  if (out_tindex == nullptr) return runtime::raise_null("out_tindex");
  int32_t index = runtime::find_type_key(runtime::view_of(*type_key));
  if (index < 0 && runtime::LoadScope::run_deferred_blocks()) {
    index = runtime::find_type_key(runtime::view_of(*type_key));
  }
  if (index < 0) {
    return raise_unknown_type(runtime::view_of(*type_key));
  }
  *out_tindex = index;
  return 0;
}

const TVMFFITypeAttrColumn* make_column_or_raise(const TVMFFIByteArray* attr_name) {
  if (runtime::check_text(attr_name, "attr_name") != 0) return nullptr;
  try {
    return runtime::find_type_attr_column(runtime::view_of(*attr_name));
  } catch (const std::exception&) {
    runtime::raise_caught();
    return nullptr;
  }
}

}  // namespace

extern "C" {

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index,
                                  int32_t type_depth, int32_t num_child_slots,
                                  int32_t child_slots_can_overflow, int32_t parent_type_index) {
  if (runtime::check_text(type_key, "type_key") != 0) return -1;
  return runtime::guarded([&] {
    runtime::TypeRequest request;
    request.key = runtime::view_of(*type_key);
    request.static_index = static_type_index;
    request.depth = type_depth;
    request.child_slots = num_child_slots;
    request.overflows = child_slots_can_overflow != 0;
    request.parent = parent_type_index;
    request.is_declaration = parent_type_index != -2;
    return runtime::get_or_alloc_type(request);
  });
}

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  if (is_readable(type_key) && out_tindex != nullptr) {
    const runtime::TypeEntry* entry = runtime::registered_type(runtime::view_of(*type_key));
    if (__builtin_expect(entry != nullptr && !entry->is_forgotten.load(std::memory_order_acquire),
                         1)) {
      *out_tindex = entry->info.type_index;
      return 0;
    }
  }
  return find_key_or_raise(type_key, out_tindex);
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  const runtime::TypeEntry* entry = runtime::registered_type(type_index);
  if (__builtin_expect(entry != nullptr, 1)) return &entry->info;
  return runtime::find_type_or_raise(type_index);
}

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (check_texts(info) != 0 || check_access(*info) != 0) return -1;
  return runtime::guarded([&] {
    FieldValues values;
    if (own_field_values(*info, &values) != 0) return -1;
    TVMFFIFieldInfo copy = *info;
    copy.default_value_or_factory = *AnyUnsafe::TVMFFIAnyPtrFromAny(values.default_value);
    const runtime::TypeEntry* type = runtime::registered_type(type_index);
    if (type != nullptr && (type->has_enum_layout || type->has_enum_state)) {
      runtime::check_enum_member_name(type_index, "field", {info->name.data, info->name.size});
    }
    if (runtime::add_type_field(type_index, copy) != 0) return -1;
    // From now on the type table owns the default value and the setter, and never releases them.
    AnyUnsafe::MoveAnyToTVMFFIAny(std::move(values.default_value));
    ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(values.setter));
    return 0;
  });
}

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  if (check_texts(info) != 0) return -1;
  return runtime::guarded([&] {
    Any method;
    if (runtime::make_owned(info->method, "info->method", &method) != 0) return -1;
    TVMFFIMethodInfo copy = *info;
    copy.method = *AnyUnsafe::TVMFFIAnyPtrFromAny(method);
    if (runtime::add_type_method(type_index, copy) != 0) return -1;
    AnyUnsafe::MoveAnyToTVMFFIAny(std::move(method));
    return 0;
  });
}

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata) {
  if (metadata == nullptr) return runtime::raise_null("metadata");
  if (runtime::check_text(&metadata->doc, "metadata->doc") != 0) return -1;
  return runtime::guarded([&] { return runtime::set_type_metadata(type_index, *metadata); });
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name,
                           const TVMFFIAny* attr_value) {
  if (runtime::check_text(attr_name, "attr_name") != 0) return -1;
  if (attr_value == nullptr && type_index != kTVMFFINone) return runtime::raise_null("attr_value");
  return runtime::guarded([&] {
    Any value;
    if (type_index != kTVMFFINone && runtime::make_owned(*attr_value, "attr_value", &value) != 0) {
      return -1;
    }
    return runtime::register_type_attr(type_index, runtime::view_of(*attr_name), std::move(value));
  });
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  if (is_readable(attr_name)) {
    const TVMFFITypeAttrColumn* column =
        runtime::existing_type_attr_column(runtime::view_of(*attr_name));
    if (__builtin_expect(column != nullptr, 1)) return column;
  }
  return make_column_or_raise(attr_name);
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/class_record.h
 * \brief Private: the record of an object class that each binary keeps, so that the runtime and
 * tvm-ffi-inspect can compare what different binaries expect of the class.
 */
#ifndef TVM_FFI_DETAIL_CLASS_RECORD_H_
#define TVM_FFI_DETAIL_CLASS_RECORD_H_

#include <tvm/ffi/detail/static_init.h>
#include <tvm/ffi/type_traits.h>

#include <type_traits>

namespace tvm::ffi::detail {

/*! \brief A field in the record of its class. */
struct ClassRecordField {
  /*! \brief Offset from the header of the object, in bytes. */
  uint32_t offset;
  /*! \brief Size in bytes. */
  uint32_t size;
  /*! \brief The static type index, as in TVMFFIFieldInfo. */
  int32_t type_index;
};

// Flags of a record: no class may derive from the class; subclasses may have indices outside of the
// reserved ones; the class only reads objects of a type that other code registers.
inline constexpr uint32_t kClassIsFinal = 1;
inline constexpr uint32_t kClassSlotsOverflow = 2;
inline constexpr uint32_t kClassIsLookup = 4;

/*!
 * \brief The fixed part of the record of a class.
 *
 * `num_fields` objects ClassRecordField follow, then the type key, the key of the parent and the
 * names of the fields, each with a NUL. The record has no pointers, so a tool can find it by its
 * first bytes in the file of a library.
 */
struct ClassRecordHead {
  char magic[16];
  /*! \brief Size of the whole record in bytes. */
  uint32_t record_size;
  /*! \brief Version of the interface: major, minor, patch, 0. */
  uint8_t version[4];
  uint32_t total_size;
  uint32_t alignment;
  int32_t type_depth;
  uint32_t child_slots;
  uint32_t flags;
  uint32_t num_fields;
};
static_assert(sizeof(ClassRecordHead) == 48);

inline constexpr char kClassRecordMagic[16] = "tvm-ffi class 1";

/*! \brief The record of a class with its fields and texts. */
template <size_t kFields, size_t kTextSize>
struct ClassRecord {
  ClassRecordHead head;
  ClassRecordField fields[kFields];
  char text[kTextSize];
};
template <size_t kTextSize>
struct ClassRecord<0, kTextSize> {
  ClassRecordHead head;
  char text[kTextSize];
};

/*! \brief Append a text with its NUL. \return the end of the copy. */
constexpr char* AppendText(char* out, const char* text) {
  do {
    *out++ = *text;
  } while (*text++ != '\0');
  return out;
}

constexpr size_t TextSize(const char* text) {
  size_t size = 1;
  while (*text++ != '\0') ++size;
  return size;
}

/*! \brief The type key of a class; empty if it is not a constant expression. */
template <typename T, typename = void>
struct ConstantTypeKey {
  static constexpr const char* value = "";
};
template <typename T>
struct ConstantTypeKey<T, std::enable_if_t<(TextSize(T::_type_key) > 0)>> {
  static constexpr const char* value = T::_type_key;
};

/*! \brief Whether the class itself, and not only a base of it, lists its fields. */
template <typename T, typename = void>
inline constexpr bool lists_fields_v = false;
template <typename T>
inline constexpr bool lists_fields_v<T, std::void_t<typename T::_TypeFieldsOwner>> =
    std::is_same_v<typename T::_TypeFieldsOwner, T>;

/*! \brief The static type index of a field; kTVMFFIAny if its type does not have one. */
template <typename T, typename = void>
inline constexpr int32_t field_type_index_v = kTVMFFIAny;
template <typename T>
inline constexpr int32_t
    field_type_index_v<T, std::void_t<decltype(TypeTraits<T>::field_static_type_index)>> =
        TypeTraits<T>::field_static_type_index;

/*! \brief A field that TVM_FFI_FIELD lists, and its name. */
struct ListedField {
  ClassRecordField field;
  const char* name;
};

/*! \brief The fields of a class. */
template <size_t kCount>
struct ListedFields {
  static constexpr size_t kSize = kCount;
  ListedField at[kCount];
};

template <typename T>
constexpr ListedField ListField(size_t offset, const char* name) {
  return {{static_cast<uint32_t>(offset), sizeof(T), field_type_index_v<T>}, name};
}

/*! \brief Return the entry for the virtual functions of a class, so that classes with different
 * numbers of them differ. */
constexpr ListedField ListVirtualFunctions(uint32_t count, size_t header) {
  return {{count + static_cast<uint32_t>(header), 0, kTVMFFIAny}, "virtual functions"};
}

/*! \brief Return a list of fields. \param header offset of the header in the class. */
template <typename... Field>
constexpr ListedFields<sizeof...(Field)> ListFields(size_t header, Field... field) {
  ((field.field.offset -= static_cast<uint32_t>(header)), ...);
  return {{field...}};
}

/*! \brief Return the size of the texts of a record. */
template <typename T, typename Parent>
constexpr size_t ClassTextSize() {
  size_t size = TextSize(ConstantTypeKey<T>::value) + TextSize(ConstantTypeKey<Parent>::value);
  if constexpr (lists_fields_v<T>) {
    for (const ListedField& listed : T::template _TypeFields<T>::kList.at)
      size += TextSize(listed.name);
  }
  return size;
}

template <typename T>
constexpr size_t ClassFieldCount() {
  if constexpr (lists_fields_v<T>) return decltype(T::template _TypeFields<T>::kList)::kSize;
  return 0;
}

/*! \brief Return the record of a class. */
template <typename T, typename Parent>
constexpr auto MakeClassRecord(uint32_t flags = 0) {
  constexpr size_t kFields = ClassFieldCount<T>();
  ClassRecord<kFields, ClassTextSize<T, Parent>()> record{};
  ClassRecordHead& head = record.head;
  for (size_t i = 0; i < sizeof(head.magic); ++i) head.magic[i] = kClassRecordMagic[i];
  head.record_size = sizeof(record);
  head.version[0] = TVM_FFI_VERSION_MAJOR;
  head.version[1] = TVM_FFI_VERSION_MINOR;
  head.version[2] = TVM_FFI_VERSION_PATCH;
  head.total_size = sizeof(T);
  head.alignment = alignof(T);
  head.type_depth = T::_type_depth;
  head.child_slots = T::_type_child_slots;
  if (T::_type_final) flags |= kClassIsFinal;
  if (T::_type_child_slots_can_overflow) flags |= kClassSlotsOverflow;
  head.flags = flags;
  head.num_fields = kFields;
  char* text = AppendText(record.text, ConstantTypeKey<T>::value);
  text = AppendText(text, ConstantTypeKey<Parent>::value);
  if constexpr (kFields != 0) {
    constexpr auto kList = T::template _TypeFields<T>::kList;
    for (size_t i = 0; i < kFields; ++i) {
      record.fields[i] = kList.at[i].field;
      text = AppendText(text, kList.at[i].name);
    }
  }
  return record;
}

/*! \brief Lets a static member function name its class. A member function of the class names
 * `SelfWriter<Tag, type of *this>` in its declaration. This defines the function SelfOf, which
 * SelfReader declares; the type of its result is the class. */
template <typename Tag>
struct SelfReader {
// The function must not be a template, so disable the warnings about that.
#if defined(__NVCC_DIAG_PRAGMA_SUPPORT__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1301
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
  friend auto SelfOf(SelfReader<Tag>);
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#if defined(__NVCC_DIAG_PRAGMA_SUPPORT__)
#pragma nv_diagnostic pop
#endif
};
template <typename Tag, typename T>
struct SelfWriter {
  friend auto SelfOf(SelfReader<Tag>) { return static_cast<T*>(nullptr); }
};

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_CLASS_RECORD_H_

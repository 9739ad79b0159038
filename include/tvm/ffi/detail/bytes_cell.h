// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/bytes_cell.h
 * \brief The 16-byte cell inside String and Bytes, and the objects that hold longer content.
 */
#ifndef TVM_FFI_DETAIL_BYTES_CELL_H_
#define TVM_FFI_DETAIL_BYTES_CELL_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tvm::ffi::detail {

/*! \brief A heap object for content that does not fit a cell; `data[size]` is NUL. */
class BytesObjBase : public Object, public TVMFFIByteArray {};

/*! \brief Heap form of Bytes. */
class BytesObj : public BytesObjBase {
 public:
  static constexpr const int32_t _type_index = TypeIndex::kTVMFFIBytes;
  static constexpr const bool _type_final = true;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFIBytes, BytesObj, Object);
};

/*! \brief Heap form of String. */
class StringObj : public BytesObjBase {
 public:
  static constexpr const int32_t _type_index = TypeIndex::kTVMFFIStr;
  static constexpr const bool _type_final = true;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFIStr, StringObj, Object);
};

/*! \brief A heap form that stores a std::string; the constructor moves the string, and does not
 * copy its characters. */
template <typename Base>
class BytesObjStdImpl : public Base {
 public:
  explicit BytesObjStdImpl(std::string content) : content_(std::move(content)) {
    this->data = content_.data();
    this->size = content_.size();
  }

 private:
  std::string content_;
};

/*! \brief Throw the error for a null pointer in place of text; the message calls the pointer
 * `name`. */
[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowNullText(const char* name) {
  TVM_FFI_THROW(InternalError) << "Check not null: " << name << ' ';
}

/*!
 * \brief The value of String and Bytes: a TVMFFIAny that holds None, a small form or a heap form.
 *
 * None is the state of a moved-from string and of an empty optional string; its content is "".
 */
class BytesBaseCell {
 public:
  BytesBaseCell() { SetNone(); }
  explicit BytesBaseCell(std::nullopt_t) { SetNone(); }
  /*! \brief Take over a raw value; if it is a heap form, take over one strong reference to it. */
  explicit BytesBaseCell(TVMFFIAny owned) : data_(owned) {}
  BytesBaseCell(const BytesBaseCell& other) : data_(other.data_) {
    if (is_heap()) ObjectUnsafe::IncRefObjectHandle(data_.v_obj);
  }
  BytesBaseCell(BytesBaseCell&& other) noexcept : data_(other.data_) { other.SetNone(); }
  BytesBaseCell& operator=(const BytesBaseCell& other) {
    BytesBaseCell(other).swap(*this);
    return *this;
  }
  BytesBaseCell& operator=(BytesBaseCell&& other) noexcept {
    BytesBaseCell(std::move(other)).swap(*this);
    return *this;
  }
  ~BytesBaseCell() {
    if (is_heap()) ObjectUnsafe::DecRefObjectHandle(data_.v_obj);
  }

  bool operator==(std::nullopt_t) const noexcept {
    return data_.type_index == TypeIndex::kTVMFFINone;
  }
  bool operator!=(std::nullopt_t) const noexcept {
    return data_.type_index != TypeIndex::kTVMFFINone;
  }

  void swap(BytesBaseCell& other) noexcept { std::swap(data_, other.data_); }

  /*! \brief Return the address of the content, which ends with NUL. A small form has its content in
   * this cell. */
  const char* data() const noexcept {
    return is_heap() ? TVMFFIBytesGetByteArrayPtr(data_.v_obj)->data : data_.v_bytes;
  }
  size_t size() const noexcept {
    return is_heap() ? TVMFFIBytesGetByteArrayPtr(data_.v_obj)->size : data_.small_str_len;
  }
  std::string_view view() const noexcept { return std::string_view(data(), size()); }
  int32_t type_index() const noexcept { return data_.type_index; }

  /*! \brief Return the 16 bytes of the cell as a C struct, which borrows the value. */
  TVMFFIAny CopyToTVMFFIAny() const noexcept { return data_; }
  /*! \brief Move the value to the caller; this cell is None afterwards. */
  TVMFFIAny MoveToTVMFFIAny() noexcept {
    TVMFFIAny result = data_;
    SetNone();
    return result;
  }

  /*! \brief Copy `size` bytes: up to 7 into a small form, more into a heap form of class
   * `LargeObj`. */
  template <typename LargeObj>
  static BytesBaseCell Copy(const char* data, size_t size) {
    if (TVM_FFI_PREDICT_FALSE(data == nullptr && size != 0)) ThrowNullText("data");
    BytesBaseCell result;
    char* space = result.template Reserve<LargeObj>(size);
    if (size != 0) std::memcpy(space, data, size);
    return result;
  }

  /*! \brief Return the concatenation of two texts; their pointers must not be null. */
  template <typename LargeObj>
  static BytesBaseCell Concat(std::string_view lhs, std::string_view rhs) {
    BytesBaseCell result;
    char* space = result.template Reserve<LargeObj>(lhs.size() + rhs.size());
    std::memcpy(space, lhs.data(), lhs.size());
    std::memcpy(space + lhs.size(), rhs.data(), rhs.size());
    return result;
  }

  /*! \brief Take over a std::string of any length as a heap form, without a copy. */
  template <typename LargeObj>
  static BytesBaseCell Move(std::string&& content) {
    BytesBaseCell result;
    result.SetHeap(LargeObj::RuntimeTypeIndex(),
                   ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(
                       make_object<BytesObjStdImpl<LargeObj>>(std::move(content))));
    return result;
  }

 private:
  static constexpr size_t kMaxSmallSize = sizeof(TVMFFIAny::v_bytes) - 1;

  template <typename LargeObj>
  static constexpr int32_t kSmallTypeIndex =
      LargeObj::_type_index == TypeIndex::kTVMFFIStr ? TypeIndex::kTVMFFISmallStr
                                                     : TypeIndex::kTVMFFISmallBytes;

  bool is_heap() const noexcept { return data_.type_index >= TypeIndex::kTVMFFIStaticObjectBegin; }

  void SetNone() noexcept {
    data_.type_index = TypeIndex::kTVMFFINone;
    data_.zero_padding = 0;
    data_.v_int64 = 0;
  }

  void SetHeap(int32_t type_index, TVMFFIObject* owned) noexcept {
    data_.type_index = type_index;
    data_.zero_padding = 0;
    TVM_FFI_CLEAR_PTR_PADDING_IN_FFI_ANY(&data_);
    data_.v_obj = owned;
  }

  /*! \brief Allocate `size` bytes, followed by a NUL, in a cell that is None. The caller must fill
   * the bytes before the NUL. */
  template <typename LargeObj>
  char* Reserve(size_t size) {
    if (size <= kMaxSmallSize) {
      data_.type_index = kSmallTypeIndex<LargeObj>;
      data_.small_str_len = static_cast<uint32_t>(size);
      return data_.v_bytes;
    }
    auto object = make_inplace_array_object<LargeObj, char>(size + 1);
    char* space = reinterpret_cast<char*>(object.get()) + sizeof(LargeObj);
    space[size] = '\0';
    object->data = space;
    object->size = size;
    SetHeap(LargeObj::RuntimeTypeIndex(),
            ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(object)));
    return space;
  }

  TVMFFIAny data_;
};

/*!
 * \brief Compare two texts by `char` value; return -1, 0 or 1. A strict prefix is smaller.
 *
 * This is not memcmp, because plain `char` is signed on most hosts.
 */
inline int CompareBytes(const char* lhs, size_t lhs_size, const char* rhs, size_t rhs_size) {
  size_t common = lhs_size < rhs_size ? lhs_size : rhs_size;
  size_t i = 0;
  if (lhs == rhs) {
    i = common;
  } else {
    for (uint64_t a, b; i + sizeof(a) <= common; i += sizeof(a)) {
      std::memcpy(&a, lhs + i, sizeof(a));
      std::memcpy(&b, rhs + i, sizeof(b));
      if (a != b) break;
    }
  }
  for (; i < common; ++i) {
    if (lhs[i] != rhs[i]) return lhs[i] < rhs[i] ? -1 : 1;
  }
  return lhs_size == rhs_size ? 0 : (lhs_size < rhs_size ? -1 : 1);
}

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_BYTES_CELL_H_

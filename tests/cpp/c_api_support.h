// SPDX-License-Identifier: Apache-2.0
// Helpers for the tests of the C functions: byte arrays from literals, and raised errors.
#ifndef TVM_FFI_TESTS_CPP_C_API_SUPPORT_H_
#define TVM_FFI_TESTS_CPP_C_API_SUPPORT_H_

#include <gtest/gtest.h>
#include <tvm/ffi/c_api.h>

#include <string>
#include <string_view>

/*! \brief Return a byte array that refers to a text; the text must outlive the byte array. */
inline TVMFFIByteArray BytesOf(std::string_view text) { return {text.data(), text.size()}; }

inline std::string TextOf(const TVMFFIByteArray& bytes) {
  return bytes.size == 0 ? std::string() : std::string(bytes.data, bytes.size);
}

/*! \brief An error that was taken from the error slot of this thread. */
struct Raised {
  bool is_there = false;
  std::string kind;
  std::string message;
  std::string backtrace;
};

inline Raised TakeRaised() {
  TVMFFIObjectHandle handle = nullptr;
  TVMFFIErrorMoveFromRaised(&handle);
  Raised raised;
  if (handle == nullptr) return raised;
  const TVMFFIErrorCell* cell = TVMFFIErrorGetCellPtr(handle);
  raised = {true, TextOf(cell->kind), TextOf(cell->message), TextOf(cell->backtrace)};
  TVMFFIObjectDecRef(handle);
  return raised;
}

inline bool StartsWith(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

inline bool EndsWith(const std::string& text, const std::string& suffix) {
  return text.size() >= suffix.size() &&
         text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

/*! \brief Expect that the raised error has this kind and exactly this message. */
#define EXPECT_RAISED(expected_kind, expected_message) \
  do {                                                 \
    Raised raised_ = TakeRaised();                     \
    EXPECT_EQ(raised_.kind, expected_kind);            \
    EXPECT_EQ(raised_.message, expected_message);      \
  } while (false)

/*!
 * \brief Write a value into the column of a type attribute, without the check of the library. An
 * older release may have accepted such a value.
 * \param hook a function, which the library accepts; the value replaces the function.
 */
inline void ForceTypeAttr(int32_t type_index, std::string_view name, const TVMFFIAny& hook,
                          const TVMFFIAny& value) {
  TVMFFIByteArray bytes = BytesOf(name);
  ASSERT_EQ(TVMFFITypeRegisterAttr(type_index, &bytes, &hook), 0);
  const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&bytes);
  const_cast<TVMFFIAny*>(column->data)[type_index - column->begin_index] = value;
}

inline uint64_t CountsOf(TVMFFIObjectHandle handle) {
  return __atomic_load_n(&static_cast<TVMFFIObject*>(handle)->combined_ref_count, __ATOMIC_RELAXED);
}

inline TVMFFIAny IntValue(int64_t number) {
  TVMFFIAny value{};
  value.type_index = kTVMFFIInt;
  value.v_int64 = number;
  return value;
}

inline TVMFFIAny ObjectValue(TVMFFIObjectHandle handle) {
  TVMFFIAny value{};
  value.type_index = static_cast<TVMFFIObject*>(handle)->type_index;
  value.v_obj = static_cast<TVMFFIObject*>(handle);
  return value;
}

#endif  // TVM_FFI_TESTS_CPP_C_API_SUPPORT_H_

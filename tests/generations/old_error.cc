// SPDX-License-Identifier: Apache-2.0
// A library that makes errors as the C++ headers of 0.1.7 and earlier did. The error cell has 56
// bytes, and the kind and the message follow as strings. The source uses only its own declarations
// and the C ABI.
//
// ONE_WORD_STRINGS: strings of one word, as in libstdc++ without its new ABI.
// TEXT_IN_THE_WORDS: strings that store a short text inline, as in libc++.
#include <tvm/ffi/c_api.h>

#include <atomic>
#include <cstring>
#include <new>
#include <string>

namespace {

struct OldErrorCell {
  TVMFFIByteArray kind;
  TVMFFIByteArray message;
  TVMFFIByteArray backtrace;
  void (*update_backtrace)(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode);
};
static_assert(sizeof(OldErrorCell) == 56, "the cell of 0.1.7");

#if defined(ONE_WORD_STRINGS)
struct Text {
  explicit Text(const std::string& text) { set(text); }
  ~Text() { delete[] memory; }
  void set(const std::string& text) {
    delete[] memory;
    memory = new char[text.size() + 1];
    std::memcpy(memory, text.c_str(), text.size() + 1);
  }
  const char* data() const { return memory; }
  char* memory = nullptr;
};
static_assert(sizeof(Text) == 8, "a string of one word");
#elif defined(TEXT_IN_THE_WORDS)
struct Text {
  explicit Text(const std::string& text) { set(text); }
  void set(const std::string& text) {
    std::strncpy(bytes + 1, text.c_str(), sizeof(bytes) - 2);
    bytes[0] = static_cast<char>(2 * text.size());
  }
  const char* data() const { return bytes + 1; }
  char bytes[24] = {};
};
#else
struct Text {
  explicit Text(const std::string& text) : owned(text) {}
  void set(const std::string& text) { owned = text; }
  const char* data() const { return owned.data(); }
  std::string owned;
};
static_assert(sizeof(Text) == 32, "a string of libstdc++");
#endif

struct OldError {
  TVMFFIObject header;
  OldErrorCell cell;
  Text kind, message, backtrace;
  std::string backtrace_text;

  OldError(const std::string& kind_text, const std::string& message_text)
      : header(), cell(), kind(kind_text), message(message_text), backtrace("") {
    header.combined_ref_count = (uint64_t{1} << 32) | 1;
    header.type_index = kTVMFFIError;
    header.deleter = Release;
    cell.kind = {kind.data(), kind_text.size()};
    cell.message = {message.data(), message_text.size()};
    cell.backtrace = {backtrace_text.data(), 0};
    cell.update_backtrace = Update;
    ++num_live;
  }

  static void Release(void* self, int flags) {
    auto* error = static_cast<OldError*>(self);
    if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0) {
      error->~OldError();
      --num_live;
    }
    if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) ::operator delete(self);
  }

  static void Update(TVMFFIObjectHandle self, const TVMFFIByteArray* text, int32_t mode) {
    auto* error = static_cast<OldError*>(self);
    if (mode == kTVMFFIBacktraceUpdateModeReplace) error->backtrace_text.clear();
    error->backtrace_text.append(text->data, text->size);
    error->cell.backtrace = {error->backtrace_text.data(), error->backtrace_text.size()};
  }

  static std::atomic<int64_t> num_live;
};
std::atomic<int64_t> OldError::num_live{0};
static_assert(offsetof(OldError, kind) == 80, "where newer errors have their cause");

std::string text_of(const TVMFFIAny& value) {
  if (value.type_index == kTVMFFIRawStr) return value.v_c_str;
  if (value.type_index == kTVMFFISmallStr) return std::string(value.v_bytes, value.small_str_len);
  const TVMFFIByteArray* bytes = TVMFFIBytesGetByteArrayPtr(value.v_obj);
  return std::string(bytes->data, bytes->size);
}

OldError* make(const TVMFFIAny* args) {
  return new (::operator new(sizeof(OldError))) OldError(text_of(args[0]), text_of(args[1]));
}

int call(const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return TVMFFIFunctionCall(args[0].v_obj, const_cast<TVMFFIAny*>(args + 1), num_args - 1, result);
}

}  // namespace

extern "C" {

// fail(kind, message): raise an error
TVM_FFI_DLL_EXPORT int __tvm_ffi_fail(void*, const TVMFFIAny* args, int32_t, TVMFFIAny*) {
  OldError* error = make(args);
  TVMFFIErrorSetRaised(error);
  TVMFFIObjectDecRef(error);
  return -1;
}

// make(kind, message): return an error as a value
TVM_FFI_DLL_EXPORT int __tvm_ffi_make(void*, const TVMFFIAny* args, int32_t, TVMFFIAny* result) {
  result->type_index = kTVMFFIError;
  result->zero_padding = 0;
  result->v_obj = &make(args)->header;
  return 0;
}

// call(f, ...): call f and let its error propagate, like a C++ function that does not catch the
// error
TVM_FFI_DLL_EXPORT int __tvm_ffi_call(void*, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (call(args, n, result) == 0) return 0;
  TVMFFIObjectHandle error = nullptr;
  TVMFFIErrorMoveFromRaised(&error);
  TVMFFIErrorSetRaised(error);
  TVMFFIObjectDecRef(error);
  return -1;
}

// caught(f, ...): call f and return "kind: message" of its error
TVM_FFI_DLL_EXPORT int __tvm_ffi_caught(void*, const TVMFFIAny* args, int32_t n,
                                        TVMFFIAny* result) {
  if (call(args, n, result) == 0) return 0;
  TVMFFIObjectHandle error = nullptr;
  TVMFFIErrorMoveFromRaised(&error);
  const TVMFFIErrorCell* cell = TVMFFIErrorGetCellPtr(error);
  std::string text = std::string(cell->kind.data, cell->kind.size) + ": " +
                     std::string(cell->message.data, cell->message.size);
  TVMFFIObjectDecRef(error);
  TVMFFIByteArray bytes{text.data(), text.size()};
  return TVMFFIStringFromByteArray(&bytes, result);
}

// num_live(): the number of existing errors of this library
TVM_FFI_DLL_EXPORT int __tvm_ffi_num_live(void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = OldError::num_live.load();
  return 0;
}

}  // extern "C"

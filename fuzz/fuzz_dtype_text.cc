// SPDX-License-Identifier: Apache-2.0
// The reader of data type text: it accepts or raises ValueError, and what it accepts is read back
// as the same type from its canonical text.
#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

std::string TakeErrorKind() {
  TVMFFIObjectHandle error = nullptr;
  TVMFFIErrorMoveFromRaised(&error);
  if (error == nullptr) return "";
  const TVMFFIByteArray& kind = TVMFFIErrorGetCellPtr(error)->kind;
  std::string text(kind.data, kind.size);
  TVMFFIObjectDecRef(error);
  return text;
}

std::string TakeText(TVMFFIAny* value) {
  TVMFFIByteArray bytes = value->type_index == kTVMFFISmallStr
                              ? TVMFFISmallBytesGetContentByteArray(value)
                              : *TVMFFIBytesGetByteArrayPtr(value->v_obj);
  std::string text(bytes.data, bytes.size);
  if (value->type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value->v_obj);
  return text;
}

void Require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  TVMFFIByteArray text{reinterpret_cast<const char*>(data), size};
  DLDataType dtype{0, 0, 0};
  if (TVMFFIDataTypeFromString(&text, &dtype) != 0) {
    Require(TakeErrorKind() == "ValueError");
    return 0;
  }
  TVMFFIAny canonical{};
  Require(TVMFFIDataTypeToString(&dtype, &canonical) == 0);
  std::string printed = TakeText(&canonical);
  TVMFFIByteArray again{printed.data(), printed.size()};
  DLDataType same{0, 0, 0};
  Require(TVMFFIDataTypeFromString(&again, &same) == 0);
  // A handle is printed without its bits and lanes.
  if (dtype.code == kDLOpaqueHandle) {
    Require(same.code == kDLOpaqueHandle);
  } else {
    Require(std::memcmp(&dtype, &same, sizeof(dtype)) == 0);
  }
  return 0;
}

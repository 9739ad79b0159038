// SPDX-License-Identifier: Apache-2.0
// Fuzz the parser of data type strings. The parser either accepts a string or raises ValueError.
// The canonical string of an accepted type must give the same type again, with these exceptions. An
// opaque handle is always written `handle`, as in the peer, so only its code comes back. Lanes are
// stored modulo 2^16, so a large number may read as a negative number, which means scalable lanes:
// -1 lane has no notation, and narrow floats do not accept scalable lanes.
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

bool IsNarrowFloat(DLDataType dtype) {
  return dtype.code >= kDLFloat8_e3m4 && dtype.code <= kDLFloat4_e2m1fn;
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
  auto lanes = static_cast<int16_t>(dtype.lanes);
  if (lanes < -1 && IsNarrowFloat(dtype)) return 0;
  Require(TVMFFIDataTypeFromString(&again, &same) == 0);
  Require(same.code == dtype.code);
  if (lanes == -1) return 0;
  if (dtype.code == kDLOpaqueHandle) return 0;
  Require(std::memcmp(&dtype, &same, sizeof(dtype)) == 0);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Programs that must not compile: one for each value of CASE; CMakeLists.txt has the expected words
// of the message. Case 0 must compile.
#include <tvm/ffi/reflection/enum_def.h>
#include <tvm/ffi/reflection/enum_entry.h>

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

class PlainObj : public ffi::EnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.Plain", PlainObj, ffi::EnumObj);
};
class NumberObj : public ffi::IntEnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.Number", NumberObj, ffi::IntEnumObj);
};
class NoEnumObj : public ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.NoEnum", NoEnumObj, ffi::Object);
};

class UndeclaredObj : public ffi::EnumObj {};

void Register() {
#if CASE == 0
  // spec: M02
  refl::EnumDef<PlainObj>("A");
  refl::EnumDef<NumberObj>("A", 1);
  refl::EnumEntry<PlainObj>("B");
  refl::EnumEntry<NumberObj>("B", 2);
  refl::EnumEntry<NoEnumObj>("B");
#elif CASE == 1
  refl::EnumDef<NumberObj>("A");
#elif CASE == 2
  refl::EnumDef<PlainObj>("A", 1);
#elif CASE == 3
  refl::EnumDef<NoEnumObj>("A");
#elif CASE == 4
  refl::EnumEntry<NumberObj>("A");
#elif CASE == 5
  refl::EnumEntry<NoEnumObj>("A", 1);
#elif CASE == 6
  refl::EnumDef<UndeclaredObj>("A");
#endif
}

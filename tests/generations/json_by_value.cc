// SPDX-License-Identifier: Apache-2.0
// A library that calls json::Stringify as the headers of 0.1.12 and earlier declared it: the indent
// is passed by value, in an optional of 8 bytes. The source uses only its own declarations and the
// C ABI.
#include <tvm/ffi/c_api.h>

#include <exception>

namespace tvm {
namespace ffi {

class Any {
 public:
  TVMFFIAny value;
};

class String {
 public:
  // Not trivially copyable: the caller of a function that returns a String provides its memory.
  String(const String&) = delete;
  ~String() {
    if (value.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value.v_obj);
  }
  TVMFFIAny value;
};
static_assert(sizeof(String) == 16, "a string");

class ObjectRef {
 public:
  TVMFFIObject* object;
};

class Error : public ObjectRef, public std::exception {
 public:
  Error(const Error&) = delete;
};

template <typename T, typename = void>
class Optional;

template <>
class Optional<int, void> {
 public:
  Optional() : present_(false) { value_ = 0x5a5a5a5a; }
  explicit Optional(int value) : value_(value), present_(true) {}
  Optional(const Optional& other) : value_(other.value_), present_(other.present_) {}
  // The destructor is not trivial, so the caller passes the address of a temporary and destroys it.
  ~Optional() { ++num_destroyed; }
  static int num_destroyed;

 private:
  int value_;
  bool present_;
};
static_assert(sizeof(Optional<int>) == 8 && alignof(Optional<int>) == 4, "an optional of 0.1.12");
int Optional<int, void>::num_destroyed = 0;

namespace json {
String Stringify(const Any& value, Optional<int> indent);
}  // namespace json

}  // namespace ffi
}  // namespace tvm

using tvm::ffi::Any;
using tvm::ffi::Optional;

extern "C" {

// stringify(value[, indent]): the JSON text
TVM_FFI_DLL_EXPORT int __tvm_ffi_stringify(void*, const TVMFFIAny* args, int32_t num_args,
                                           TVMFFIAny* result) {
  Any value;
  if (TVMFFIAnyViewToOwnedAny(args, &value.value) != 0) return -1;
  struct Release {
    TVMFFIAny* value;
    ~Release() {
      if (value->type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value->v_obj);
    }
  } release{&value.value};
  auto indent = [&] {
    return num_args < 2 ? Optional<int>() : Optional<int>(static_cast<int>(args[1].v_int64));
  };
  try {
    tvm::ffi::String text = tvm::ffi::json::Stringify(value, indent());
    return TVMFFIAnyViewToOwnedAny(&text.value, result);
  } catch (const tvm::ffi::Error& error) {
    TVMFFIErrorSetRaised(error.object);
    return -1;
  }
}

// num_destroyed(): the number of optionals that this library has destroyed
TVM_FFI_DLL_EXPORT int __tvm_ffi_num_destroyed(void*, const TVMFFIAny*, int32_t,
                                               TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = Optional<int>::num_destroyed;
  return 0;
}

}  // extern "C"

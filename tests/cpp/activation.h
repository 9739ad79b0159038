// SPDX-License-Identifier: Apache-2.0
// An enum that several libraries extend. Each library has its own C++ class for the enum; the
// classes have the same type key.
#ifndef TVM_FFI_TESTS_CPP_ACTIVATION_H_
#define TVM_FFI_TESTS_CPP_ACTIVATION_H_

#include <tvm/ffi/reflection/enum_entry.h>

#include <string>

namespace {

class ActivationObj : public tvm::ffi::Object {
 public:
  bool approximate = false;
  bool inplace = false;

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_activation.Activation", ActivationObj, tvm::ffi::Object);
};

class Activation : public tvm::ffi::ObjectRef {
 public:
  static Activation Get(const std::string& name) {
    return tvm::ffi::reflection::EnumGet<Activation>(name);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS(Activation, tvm::ffi::ObjectRef, ActivationObj);
};

}  // namespace

#endif  // TVM_FFI_TESTS_CPP_ACTIVATION_H_

// SPDX-License-Identifier: Apache-2.0
// Test hooks that are not functions, which the registration rejects, and creators that do not make
// an object of their type. Code that calls a hook checks it again, because an older library may
// have accepted a hook that is not a function.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/reflection/type_attr.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <string>

#include "c_api_support.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

// ---------------------------------------------------------------- hooks

class HookedObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.bad_hooks.Hooked", HookedObj, Object);
};

TEST(BadHooks, HooksThatAreNotFunctions) {
  refl::ObjectDef<HookedObj>(refl::init(false));
  int32_t index = HookedObj::RuntimeTypeIndex();
  TVMFFIAny number = IntValue(3), null_pointer{};
  null_pointer.type_index = kTVMFFIOpaquePtr;
  TVMFFIAny pointer = null_pointer;
  pointer.v_ptr = &number;
  for (const char* hook :
       {"__any_hash__", "__any_equal__", "__s_visit__", "__s_mutate__",
        "__s_maybe_inplace_mutate__", "__ffi_repr__", "__ffi_hash__", "__ffi_eq__",
        "__ffi_compare__", "__s_equal__", "__s_hash__", "__structural_equal__", "__data_to_json__",
        "__data_from_json__", "__ffi_init__", "__ffi_convert__"}) {
    TVMFFIByteArray name = refl::AsByteArray(hook);
    EXPECT_NE(TVMFFITypeRegisterAttr(index, &name, &number), 0) << hook;
    EXPECT_EQ(TakeRaised().kind, "TypeError") << hook;
    EXPECT_NE(TVMFFITypeRegisterAttr(index, &name, &null_pointer), 0) << hook;
    EXPECT_EQ(TakeRaised().kind, "TypeError") << hook;
    EXPECT_THROW(refl::TypeAttrSet(index, hook, Any(3)), Error) << hook;
  }
  TVMFFIByteArray repr = refl::AsByteArray("__ffi_repr__");
  EXPECT_NE(TVMFFITypeRegisterAttr(index, &repr, &pointer), 0);
  EXPECT_EQ(TakeRaised().message,
            "Type attribute `__ffi_repr__` of type `test.bad_hooks.Hooked` must be a function, got "
            "`void*`");
}

// The code that calls hooks is compiled into clients. A client may run with an older library, which
// accepts hooks that are not functions.
TEST(BadHooks, HooksThatAreNotFunctionsAreNotCalled) {
  TVMFFIAny hooks[3] = {IntValue(3), {}, {}};
  hooks[1].type_index = kTVMFFIOpaquePtr;
  String text("a text of the heap");
  hooks[2] = AnyView(text).CopyToTVMFFIAny();
  Any key = ObjectRef(make_object<HookedObj>());
  for (const TVMFFIAny& hook : hooks) {
    EXPECT_THROW(tvm::ffi::detail::CallAnyHashHook(&hook, key.type_index(), key), Error);
    EXPECT_THROW(tvm::ffi::detail::CallAnyEqualHook(&hook, key, key), Error);
  }
}

// ---------------------------------------------------------------- creators

int CreatesNothing(TVMFFIObjectHandle* result) {
  *result = nullptr;
  return 0;
}

int CreatesAnotherType(TVMFFIObjectHandle* result) {
  *result = details::ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(Array<Any>{1});
  return 0;
}

TEST(BadHooks, CreatorsThatMakeNoObjectOfTheirType) {
  int number = 0;
  for (TVMFFIObjectCreator creator : {CreatesNothing, CreatesAnotherType}) {
    std::string key = "test.bad_hooks.Created" + std::to_string(number++);
    TVMFFIByteArray name{key.data(), key.size()};
    int32_t index = TVMFFITypeGetOrAllocIndex(&name, -1, 1, 0, 1, kTVMFFIObject);
    ASSERT_GT(index, 0);
    TVMFFITypeMetadata metadata{};
    metadata.creator = creator;
    metadata.total_size = sizeof(TVMFFIObject);
    ASSERT_EQ(TVMFFITypeRegisterMetadata(index, &metadata), 0);
    Function make = Function::GetGlobalRequired("ffi.MakeObjectFromPackedArgs");
    EXPECT_THROW(make(String(key)), Error) << key;
    EXPECT_THROW(CreateEmptyObject(TVMFFIGetTypeInfo(index)), Error) << key;
    Function::GetGlobalRequired("ffi._RegisterFFIInit")(index);
    Any init = AnyView(refl::TypeAttrGet("__ffi_init__", index));
    EXPECT_THROW(init.cast<Function>()(), Error) << key;
  }
}

}  // namespace

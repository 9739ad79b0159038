// SPDX-License-Identifier: Apache-2.0
// Fixtures: global functions that call, fail, count and wait.
#include <tvm/ffi/container/const_tensor.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "c_symbols.h"
#include "wrapping.h"

namespace tvm::ffi::testing {

// Tests search backtraces for the following two functions, so they are exported and not inlined.
TVM_FFI_DLL_EXPORT TVM_FFI_NO_INLINE void TestRaiseError(String kind, String message) {
  const TVMFFIByteArray* backtrace = TVMFFIBacktrace(__FILE__, __LINE__, TVM_FFI_FUNC_SIG, 0);
  throw Error(kind, message, backtrace);
}

TVM_FFI_DLL_EXPORT TVM_FFI_NO_INLINE void TestApply(PackedArgs args, Any* result) {
  if (args.size() == 0) TVM_FFI_THROW(TypeError) << "testing.apply needs a function to call";
  // The function is borrowed: if the call throws, this frame has no reference to release.
  const auto* callee = args[0].cast<const FunctionObj*>();
  PackedArgs rest = args.Slice(1);
  callee->CallPacked(rest.data(), rest.size(), result);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // avoids a tail call, to keep this frame
}

namespace {

void run_check_signal(int seconds) {
  for (int i = 0; i < seconds; ++i) {
    if (TVMFFIEnvCheckSignals() != 0) throw EnvErrorAlreadySet();
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

void register_calls() {
  namespace refl = reflection;
  refl::GlobalDef()
      .def_packed("testing.nop", [](PackedArgs, Any*) {})
      .def_packed("testing.echo",
                  [](PackedArgs args, Any* result) {
                    if (args.size() == 0) {
                      TVM_FFI_THROW(TypeError) << "testing.echo needs an argument to return";
                    }
                    *result = args[0];
                  })
      .def_packed("testing.apply", TestApply)
      .def("testing.add_one", [](int x) { return static_cast<int>(static_cast<unsigned>(x) + 1u); })
      .def("testing.test_raise_error", TestRaiseError)
      .def("testing.run_check_signal", run_check_signal)
      .def("testing.weigh", WrappingWeigh, refl::arg_names("x,y,z"), refl::arg_defaults("[2, 3]"));
}

void register_queries() {
  namespace refl = reflection;
  refl::GlobalDef()
      .def("testing.object_use_count",
           [](const Object* object) { return static_cast<int64_t>(object->use_count()); })
      .def("testing.optional_tensor_view_has_value",
           [](Optional<TensorView> view) { return view.has_value(); })
      .def("testing.const_tensor_view_ndim", [](ConstTensorView view) { return view.ndim(); })
      .def("testing.get_add_one_c_symbol",
           []() { return reinterpret_cast<int64_t>(&tvm_ffi_testing_add_one); })
      .def("testing.get_mlir_add_one_c_symbol",
           []() { return reinterpret_cast<int64_t>(&tvm_ffi_testing_mlir_add_one); });
}

}  // namespace

TVM_FFI_STATIC_INIT_BLOCK() {
  register_calls();
  register_queries();
}

}  // namespace tvm::ffi::testing

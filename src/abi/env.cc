// SPDX-License-Identifier: Apache-2.0
// C ABI: the streams and the tensor allocator of each thread, and the signal check of the frontend
// (a language binding, such as the Python extension).
// The module part of c_env_api.h is in src/module/.
#include <tvm/ffi/c_env_api.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <atomic>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "core/kept_load_errors.h"
#include "core/thread_value.h"

namespace tvm::ffi::runtime {
namespace {

// ---------------------------------------------------------------- streams

struct StreamEntry {
  int32_t device_type;
  int32_t device_id;
  TVMFFIStreamHandle stream;
};

// The entries are in a short array with linear search: most threads use one or two devices. The
// table has no destructor, so it stays usable after the destructors of the thread-local variables
// have run, for example when a static destructor of a client calls a function of this file.
struct StreamTable {
  static constexpr int32_t kNumInPlace = 4;

  StreamEntry in_place[kNumInPlace];
  StreamEntry* on_heap;  // NULL while the entries fit in place
  int32_t size;
  int32_t heap_capacity;

  StreamEntry* entries() { return on_heap == nullptr ? in_place : on_heap; }
  int32_t capacity() const { return on_heap == nullptr ? kNumInPlace : heap_capacity; }
};

thread_local StreamTable thread_streams = {};

__thread ThreadExit streams_exit = {};

void forget_streams() {
  delete[] thread_streams.on_heap;
  thread_streams = StreamTable{};
}

StreamEntry* find_stream(int32_t device_type, int32_t device_id) {
  StreamTable& table = thread_streams;
  StreamEntry* entries = table.entries();
  for (int32_t i = 0; i < table.size; ++i) {
    StreamEntry& entry = entries[i];
    if (entry.device_id == device_id && entry.device_type == device_type) return &entry;
  }
  return nullptr;
}

// Adds an entry. If there is no memory, throws std::bad_alloc and does not change the table.
void add_stream(const StreamEntry& added) {
  StreamTable& table = thread_streams;
  if (table.size == table.capacity()) {
    int32_t capacity = 2 * table.capacity();
    StreamEntry* entries = new StreamEntry[capacity];
    std::memcpy(entries, table.entries(), sizeof(StreamEntry) * table.size);
    delete[] table.on_heap;
    table.on_heap = entries;
    run_at_thread_exit(&streams_exit, forget_streams);
    table.heap_capacity = capacity;
  }
  table.entries()[table.size++] = added;
}

// ---------------------------------------------------------------- allocator

thread_local DLPackManagedTensorAllocator thread_allocator = nullptr;
std::atomic<DLPackManagedTensorAllocator> process_allocator{nullptr};

// Memory of the CPU for programs without an allocator of their own.
struct HostMemory {
  static constexpr std::align_val_t kAlignment{64};

  void AllocData(DLTensor* tensor) {
    tensor->data = ::operator new(GetDataSize(*tensor), kAlignment);
  }
  void FreeData(DLTensor* tensor) { ::operator delete(tensor->data, kAlignment); }
};

void make_host_tensor(const DLTensor& prototype, TVMFFIObjectHandle* out) {
  DLDevice device = prototype.device;
  if (device.device_type != kDLCPU) {
    std::string name = detail::DLDeviceTypeName(device.device_type);
    TVM_FFI_THROW(RuntimeError)
        << "TVMFFIEnvTensorAlloc: allocator is nullptr, likely because "
           "TVMFFIEnvSetDLPackManagedTensorAllocator has not been called. To make a tensor on "
        << detail::DLDeviceToString(device) << ", pass an array of a library that allocates on "
        << name << ", or set an allocator";
  }
  Tensor tensor = Tensor::FromNDAlloc(
      HostMemory(), ShapeView(prototype.shape, static_cast<size_t>(prototype.ndim)),
      prototype.dtype, device);
  *out = detail::ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(std::move(tensor));
}

void raise_allocator_error(void* /*error_ctx*/, const char* kind, const char* message) {
  TVMFFIErrorSetRaisedFromCStr(kind == nullptr ? "RuntimeError" : kind,
                               message == nullptr ? "" : message);
}

// ---------------------------------------------------------------- signals

// Functions that the frontend, such as the Python extension, registers when it starts. Signals are
// checked only when all three functions are registered: the check may run interpreter code, which
// needs the GIL.
struct FrontendFunctions {
  std::atomic<int (*)()> check_signals{nullptr};
  std::atomic<void* (*)()> attach{nullptr};
  std::atomic<void (*)(void*)> detach{nullptr};
};

FrontendFunctions frontend;

}  // namespace
}  // namespace tvm::ffi::runtime

using namespace tvm::ffi::runtime;  // NOLINT(build/namespaces)

extern "C" {

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                       TVMFFIStreamHandle* opt_out_original_stream) {
  TVM_FFI_SAFE_CALL_BEGIN();
  StreamEntry* entry = find_stream(device_type, device_id);
  TVMFFIStreamHandle original = entry == nullptr ? nullptr : entry->stream;
  if (entry != nullptr) {
    entry->stream = stream;
  } else if (stream != nullptr) {
    add_stream(StreamEntry{device_type, device_id, stream});
  }
  if (opt_out_original_stream != nullptr) *opt_out_original_stream = original;
  TVM_FFI_SAFE_CALL_END();
}

TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id) {
  StreamEntry* entry = find_stream(device_type, device_id);
  return entry == nullptr ? nullptr : entry->stream;
}

int TVMFFIEnvSetDLPackManagedTensorAllocator(
    DLPackManagedTensorAllocator allocator, int write_to_global_context,
    DLPackManagedTensorAllocator* opt_out_original_allocator) {
  if (opt_out_original_allocator != nullptr) *opt_out_original_allocator = thread_allocator;
  thread_allocator = allocator;
  if (write_to_global_context != 0) {
    process_allocator.store(allocator, std::memory_order_release);
  }
  return 0;
}

DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void) {
  if (thread_allocator != nullptr) return thread_allocator;
  return process_allocator.load(std::memory_order_acquire);
}

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  TVM_FFI_SAFE_CALL_BEGIN();
  if (prototype == nullptr) TVM_FFI_THROW(ValueError) << "The prototype of the tensor is NULL";
  if (out == nullptr) TVM_FFI_THROW(ValueError) << "The place for the tensor is NULL";
  tvm::ffi::detail::CheckDLTensor("TVMFFIEnvTensorAlloc", *prototype);
  DLPackManagedTensorAllocator allocator = TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (allocator == nullptr) {
    make_host_tensor(*prototype, out);
    return 0;
  }
  DLManagedTensorVersioned* managed = nullptr;
  // runs foreign code
  int status = allocator(prototype, &managed, nullptr, raise_allocator_error);
  if (status != 0) return status;
  if (managed == nullptr) {
    TVM_FFI_THROW(RuntimeError)
        << "TVMFFIEnvTensorAlloc: failed to allocate a tensor from the allocator";
  }
  status = TVMFFITensorFromDLPackVersioned(managed, 0, 0, out);
  if (status != 0 && managed->deleter != nullptr) managed->deleter(managed);  // runs foreign code
  return status;
  TVM_FFI_SAFE_CALL_END();
}

int TVMFFIEnvCheckSignals(void) {
  auto check_signals = frontend.check_signals.load(std::memory_order_acquire);
  auto attach = frontend.attach.load(std::memory_order_acquire);
  auto detach = frontend.detach.load(std::memory_order_acquire);
  if (check_signals == nullptr || attach == nullptr || detach == nullptr) return 0;
  void* state = attach();
  int status = check_signals();  // runs frontend code
  if (state != nullptr) detach(state);
  return status == 0 ? 0 : -1;
}

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  TVM_FFI_SAFE_CALL_BEGIN();
  if (name == nullptr) TVM_FFI_THROW(ValueError) << "The name of the env API is NULL";
  if (std::strcmp(name, "PyErr_CheckSignals") == 0) {
    frontend.check_signals.store(reinterpret_cast<int (*)()>(symbol), std::memory_order_release);
    start_keeping_load_errors();
  } else if (std::strcmp(name, "PyGILState_Ensure") == 0) {
    frontend.attach.store(reinterpret_cast<void* (*)()>(symbol), std::memory_order_release);
  } else if (std::strcmp(name, "PyGILState_Release") == 0) {
    frontend.detach.store(reinterpret_cast<void (*)(void*)>(symbol), std::memory_order_release);
  } else {
    TVM_FFI_THROW(ValueError) << "Unknown env API " << name;
  }
  TVM_FFI_SAFE_CALL_END();
}

}  // extern "C"

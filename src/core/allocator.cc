// SPDX-License-Identifier: Apache-2.0
// The default allocator, and the pointer to the installed one.
#include "core/allocator.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "core/error_slot.h"

namespace tvm::ffi::runtime {

namespace {

/*! \brief Number of bytes in front of the memory of an object: the address of the malloc block,
 * then the TVMFFIObjectAllocHeader in the last 8 bytes. */
constexpr size_t kReserved = 16;

void* block_of(void* body) {
  void* block;
  std::memcpy(&block, static_cast<char*>(body) - kReserved, sizeof(block));
  return block;
}

void delete_space(void* body) { std::free(block_of(body)); }

void* allocate(size_t size, size_t alignment, int32_t, void*) {
  if (alignment < kReserved) alignment = kReserved;
  bool is_power_of_two = (alignment & (alignment - 1)) == 0;
  if (!is_power_of_two || size > SIZE_MAX - kReserved - alignment) {
    raise("ValueError", {"Cannot allocate an object of this size and alignment"});
    return nullptr;
  }
  void* block = std::malloc(size + kReserved + alignment);
  if (block == nullptr) {
    raise_out_of_memory();
    return nullptr;
  }
  uintptr_t first = reinterpret_cast<uintptr_t>(block) + kReserved;
  char* body = static_cast<char*>(block) + kReserved +
               (((first + alignment - 1) & ~(alignment - 1)) - first);
  std::memcpy(body - kReserved, &block, sizeof(block));
  TVMFFIObjectAllocHeader header{delete_space};
  std::memcpy(body - sizeof(header), &header, sizeof(header));
  return body;
}

TVMFFICustomAllocator default_allocator{allocate, nullptr};
std::atomic<TVMFFICustomAllocator*> installed{&default_allocator};

}  // namespace

TVMFFICustomAllocator* custom_allocator() { return installed.load(std::memory_order_acquire); }

void set_custom_allocator(TVMFFICustomAllocator* allocator) {
  installed.store(allocator == nullptr ? &default_allocator : allocator, std::memory_order_release);
}

}  // namespace tvm::ffi::runtime

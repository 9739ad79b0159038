// SPDX-License-Identifier: Apache-2.0
// The table of loads in progress.
#include "module/load_turn.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <unordered_map>

#include "core/load_scope.h"
#include "module/file_system.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

struct Loads {
  std::mutex mutex;
  /*! \brief Notified when a load ends. */
  std::condition_variable has_ended;
  std::unordered_map<uint64_t, FileIdentity> files;  // by number; guarded by mutex
  uint64_t last_number = 0;                          // guarded by mutex
};

Loads& loads() {
  static auto* loads = new Loads();  // never destroyed: libraries may be loaded at exit
  return *loads;
}

}  // namespace

LoadTurn::LoadTurn(const std::string& path) {
  // Inside a load, this thread holds the lock of the dynamic linker. Waiting for another thread,
  // which may need this lock, could deadlock.
  if (LoadScope::current() != nullptr) return;
  std::optional<FileIdentity> file = identity_of(path);
  if (!file.has_value()) return;
  Loads& all = loads();
  std::unique_lock<std::mutex> lock(all.mutex);
  auto is_free = [&]() {
    for (const auto& [number, identity] : all.files) {
      if (identity == *file) return false;
    }
    return true;
  };
  // Limit the wait, because this thread may be running an initializer of a library that other code
  // loads. Then this thread holds the linker's lock, which the load in progress may need.
  all.has_ended.wait_for(lock, std::chrono::seconds(10), is_free);
  number_ = ++all.last_number;
  all.files.emplace(*number_, *file);
}

LoadTurn::~LoadTurn() {
  if (!number_.has_value()) return;
  Loads& all = loads();
  {
    std::lock_guard<std::mutex> lock(all.mutex);
    all.files.erase(*number_);
  }
  all.has_ended.notify_all();
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

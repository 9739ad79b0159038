// SPDX-License-Identifier: Apache-2.0
// The list of kept errors.
#include "core/kept_load_errors.h"

#include <atomic>
#include <mutex>
#include <vector>

#include "core/loaded_library.h"
#include "core/mutex.h"

namespace tvm::ffi::runtime {
namespace {

struct KeptError {
  /*! \brief Base address and handle of the library; NULL if they are not known. */
  const void* base;
  const void* handle;
  /*! \brief The library for messages, such as "the library `/a/b.so`". */
  std::string library;
  Error error;
};

struct KeptErrors {
  Mutex mutex;
  std::vector<KeptError> list;  // guarded by mutex
};

KeptErrors& kept_errors() {
  static auto* errors = new KeptErrors();  // never destroyed: names are looked up at exit
  return *errors;
}

TVM_FFI_CONSTINIT std::atomic<bool> is_keeping{false};
/*! \brief Whether the list has an element. */
TVM_FFI_CONSTINIT std::atomic<bool> has_kept{false};

}  // namespace

Mutex& kept_load_errors_mutex() { return kept_errors().mutex; }

void start_keeping_load_errors() noexcept { is_keeping.store(true, std::memory_order_release); }

bool keeps_load_errors() noexcept { return is_keeping.load(std::memory_order_acquire); }

void keep_load_error(const void* code, const std::string& place, const Error& error) {
  std::string path = library_path(code);
  std::string library = path.empty() ? "a library" : "the library `" + path + "`";
  std::string block = place.empty() ? "" : "the static-init block at " + place + " of ";
  // Do not keep the extra context: it may be a Python exception, which keeps stack frames alive.
  Error copy(error.kind(), error.message() + "\n  raised while " + block + library + " was loaded",
             error.backtrace());
  const void* base = library_base(code);
  const void* handle = keep_library_loaded(code);
  KeptErrors& errors = kept_errors();
  std::lock_guard<Mutex> lock(errors.mutex);
  errors.list.push_back(KeptError{base, handle, std::move(library), std::move(copy)});
  has_kept.store(true, std::memory_order_release);
}

bool has_kept_load_error(const void* code) {
  if (!has_kept.load(std::memory_order_acquire)) return false;
  const void* base = library_base(code);
  KeptErrors& errors = kept_errors();
  std::lock_guard<Mutex> lock(errors.mutex);
  for (const KeptError& kept : errors.list) {
    if (base != nullptr && kept.base == base) return true;
  }
  return false;
}

std::optional<Error> kept_load_error(const void* handle) {
  if (!has_kept.load(std::memory_order_acquire)) return std::nullopt;
  KeptErrors& errors = kept_errors();
  std::lock_guard<Mutex> lock(errors.mutex);
  for (const KeptError& kept : errors.list) {
    if (handle != nullptr && kept.handle == handle) return kept.error;
  }
  return std::nullopt;
}

std::string kept_load_errors_hint() {
  if (!has_kept.load(std::memory_order_acquire)) return {};
  std::string hint;
  KeptErrors& errors = kept_errors();
  std::lock_guard<Mutex> lock(errors.mutex);
  for (const KeptError& kept : errors.list) {
    std::string message = kept.error.message();
    hint += "; " + kept.library + " failed while it was loaded: " + kept.error.kind() + ": " +
            message.substr(0, message.find('\n'));
  }
  return hint;
}

}  // namespace tvm::ffi::runtime

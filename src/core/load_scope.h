// SPDX-License-Identifier: Apache-2.0
// While a library is loaded on this thread, records its registrations, the library that makes them,
// and how to undo them.
#pragma once

#include <tvm/ffi/error.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/mutex.h"

namespace tvm::ffi::runtime {

/*! \brief Return the lock that guards the texts of origins. */
Mutex& load_origin_mutex();

/*! \brief Return the permanent copy of the text that names an origin. Equal texts have the same
 * copy, so origins can be compared by address. */
const std::string* intern_origin(std::string_view text);

/*! \brief The origin of a registration, and the load that made it. */
struct Owner {
  /*! \brief The text of intern_origin(); NULL if no load was in progress at the registration. */
  const std::string* origin = nullptr;
  /*! \brief Number of the load; 0 outside of a load. */
  uint64_t load = 0;
};

/*! \brief Whether the current load may replace a registration, because an earlier load of the same
 * origin made it. */
inline bool is_defined_again(const Owner& former, const Owner& now) {
  return now.load != 0 && former.origin == now.origin && former.load != now.load;
}

/*!
 * \brief One change that a library load has made to a table of the process, such as the table of
 * global functions.
 *
 * Methods are called without holding a lock of a table, because each may run foreign code.
 */
class LoadChange {
 public:
  virtual ~LoadChange() = default;
  /*! \brief Make the checks that are possible only after all static-init blocks of the library have
   * run. Throws Error. */
  virtual void check() {}
  /*! \brief Make the change permanent. */
  virtual void keep() noexcept {}
  /*! \brief Restore the former content. */
  virtual void undo() noexcept = 0;

  /*! \brief Static-init block that made the change; NULL if it is not known. */
  const void* block = nullptr;
};

/*! \brief A static-init block of a library. */
struct StaticInitBlock {
  /*! \brief The function in the library; identifies the block. */
  const void* code = nullptr;
  std::string file;
  int line = 0;
  /*! \brief Calls `code`, and reports its exception to the scope. NULL if the block has to run at
   * once. */
  void (*run)(const void* code) = nullptr;
};

/*!
 * \brief One load of a library by the calling thread; scopes nest.
 *
 * While the dynamic linker opens the library, this thread holds the lock of the linker. A block
 * that waits for another thread (for the GIL of Python, for example) could then deadlock. So the
 * scope defers the blocks of the library until finish(), after the linker has returned. The blocks
 * run earlier if other code of the library (an initialiser of a variable, or a library that was
 * compiled with other headers) registers something, or looks up a name that is not registered.
 *
 * Loads of other threads wait until the scope ends, at most ten seconds, so that no thread uses a
 * library whose blocks have not run. The wait is limited because a block may wait for such a
 * thread. A load inside another load does not wait.
 *
 * Tables report every change to current(). A scope that is destroyed without a successful finish()
 * undoes its changes in reverse order. The changes of an inner scope that has finished are
 * permanent: they do not become changes of the outer scope. Call all members on the thread that
 * made the scope.
 */
class LoadScope {
 public:
  /*!
   * \param library name of the library for messages, e.g. "the library `/a/b.so`".
   * \param origin text that is equal for two versions of one library, see docs/functions.md.
   */
  LoadScope(std::string library, std::string_view origin);
  ~LoadScope();
  LoadScope(const LoadScope&) = delete;
  LoadScope& operator=(const LoadScope&) = delete;

  /*! \brief The innermost load of this thread; NULL if there is none. */
  static LoadScope* current() { return current_; }
  /*!
   * \brief Run the deferred blocks of this thread. Call this before a registration, and before an
   * error about a name that is not registered.
   * \return whether a block has run.
   */
  static bool run_deferred_blocks() { return current_ != nullptr && run_deferred_blocks(current_); }
  /*! \brief Hold the lock of the loads in progress during a fork. The child forgets the loads of
   * the threads that it does not have. */
  static void lock_before_fork();
  static void unlock_after_fork(bool is_child);
  /*! \brief Owner of the registrations that this thread makes now. */
  static Owner current_owner() { return current_ == nullptr ? Owner{} : current_->owner_; }

  const std::string& library() const { return library_; }
  const Owner& owner() const { return owner_; }
  bool has_failed() const { return error_.has_value(); }

  /*! \brief Record a change, before making it or directly afterwards. May throw std::bad_alloc. */
  void add(std::unique_ptr<LoadChange> change);

  /*!
   * \brief Add an empty change to the library load in progress on this thread. May throw
   * std::bad_alloc.
   * \return the change; NULL outside of a load.
   */
  template <typename Change>
  static Change* add_empty() {
    if (current_ == nullptr) return nullptr;
    auto change = std::make_unique<Change>();
    Change* added = change.get();
    current_->add(std::move(change));
    return added;
  }

  /*! \brief Return the change that was recorded under a key; NULL if there is none. */
  LoadChange* find(const void* key) const;
  /*! \brief Record a change under a key, so that find(key) returns it. */
  void add(const void* key, std::unique_ptr<LoadChange> change);

  /*!
   * \brief Record that a static-init block begins.
   * \return whether the caller must not run the block, because the load has failed, or because the
   * scope runs the block later.
   */
  bool begin_block(StaticInitBlock block);

  /*!
   * \brief Store the error that makes the load fail. Later errors are dropped.
   * \param code address in the library that failed; NULL if it is not known.
   */
  void fail(Error error, const void* code);

  /*!
   * \brief End the load after the linker has returned: run the deferred blocks, then check and keep
   * all changes, or undo them.
   * \return the error, with the name of the library in its message; nothing when the load
   * succeeded.
   *
   * May throw std::bad_alloc; the caller must then call undo().
   */
  std::optional<Error> finish();

  /*! \brief Undo all changes, except the changes of other libraries that were completely
   * initialized before the failure (because the failed library depends on them). These libraries
   * stay loaded. */
  void undo() noexcept;

 private:
  static bool run_deferred_blocks(LoadScope* scope);
  bool run_own_deferred_blocks();
  void keep_completed_libraries() noexcept;
  Error described(const Error& error) const;

  static __thread LoadScope* current_;

  std::string library_;
  Owner owner_;
  LoadScope* outer_;
  std::vector<std::unique_ptr<LoadChange>> changes_;
  std::unordered_map<const void*, LoadChange*> by_key_;
  /*! \brief Whether blocks are deferred; false while a deferred block runs. */
  bool is_deferring_ = true;
  std::vector<StaticInitBlock> deferred_;
  std::optional<Error> error_;
  /*! \brief The static-init block that is running, or that ran last. */
  const void* block_ = nullptr;
  std::string block_place_;
  /*! \brief The static-init block that failed, and the number of changes before its failure. */
  const void* failed_block_ = nullptr;
  std::string failed_place_;
  size_t changes_at_failure_ = 0;
};

}  // namespace tvm::ffi::runtime

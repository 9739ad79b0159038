// SPDX-License-Identifier: Apache-2.0
// A library load in progress on the calling thread: who registers, and how to undo it.
#ifndef TVM_FFI_SRC_CORE_LOAD_SCOPE_H_
#define TVM_FFI_SRC_CORE_LOAD_SCOPE_H_

#include <tvm/ffi/error.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Return the one permanent copy of the text that names an origin; compare by address. */
const std::string* intern_origin(std::string_view text);

/*! \brief Who registered something: the origin, and the load in which it did. */
struct Owner {
  /*! \brief NULL: registered outside of any load. */
  const std::string* origin = nullptr;
  /*! \brief Number of the load, 0 outside of any load. */
  uint64_t load = 0;
};

/*! \brief Whether a statement of this load defines again what an earlier load of the same origin
 * has registered. */
inline bool is_defined_again(const Owner& former, const Owner& now) {
  return now.load != 0 && former.origin == now.origin && former.load != now.load;
}

/*!
 * \brief One change that a load has made to a table of the process.
 *
 * No method is called under a lock of a table; each may run foreign code.
 */
class LoadChange {
 public:
  virtual ~LoadChange() = default;
  /*! \brief Check, when all blocks have run, what could not be checked before. Throws Error. */
  virtual void check() {}
  /*! \brief Make the change permanent. */
  virtual void keep() noexcept {}
  /*! \brief Restore what was there before. */
  virtual void undo() noexcept = 0;

  /*! \brief Static-init block that made the change; NULL when it is not known. */
  const void* block = nullptr;
};

/*!
 * \brief One load of a library by the calling thread; scopes nest.
 *
 * Tables report every change to current(). The scope that is destroyed without keep() undoes its
 * changes in reverse order. Changes of an inner scope that was kept do not belong to the outer one.
 * All members must be called by the thread that made the scope.
 */
class LoadScope {
 public:
  /*!
   * \param library how messages name the library, e.g. "the library `/a/b.so`".
   * \param origin text that is equal for two versions of one library, see docs/functions.md.
   */
  LoadScope(std::string library, std::string_view origin);
  ~LoadScope();
  LoadScope(const LoadScope&) = delete;
  LoadScope& operator=(const LoadScope&) = delete;

  /*! \brief The innermost load of this thread, NULL when there is none. */
  static LoadScope* current() { return current_; }
  /*! \brief Owner of what is registered right now. */
  static Owner current_owner() { return current_ == nullptr ? Owner{} : current_->owner_; }

  const std::string& library() const { return library_; }
  const Owner& owner() const { return owner_; }
  bool has_failed() const { return error_.has_value(); }

  /*! \brief Record a change, before or directly after it is made. May throw std::bad_alloc. */
  void add(std::unique_ptr<LoadChange> change);

  /*! \brief The change that was recorded under a key, NULL when there is none. */
  LoadChange* find(const void* key) const;
  /*! \brief Record a change under a key, so that later changes of the same thing find it. */
  void add(const void* key, std::unique_ptr<LoadChange> change);

  /*!
   * \brief Note that a static-init block begins.
   * \return whether the block has to be skipped because the load has failed already.
   */
  bool begin_block(const void* block, const char* file, int line);

  /*! \brief Store the error that makes the load fail; a second one is dropped. */
  void fail(Error error);

  /*!
   * \brief End the load after all initialisers have run: check and keep all changes, or undo them.
   * \return the error with the name of the library in it; nothing when the load succeeded.
   * May throw std::bad_alloc: call undo() then.
   */
  std::optional<Error> finish();

  /*! \brief Undo all changes, except those of other libraries that were initialised completely
   * before the failure: these libraries stay loaded. */
  void undo() noexcept;

 private:
  void keep_completed_libraries() noexcept;
  Error described(const Error& error) const;

  static __thread LoadScope* current_;

  std::string library_;
  Owner owner_;
  LoadScope* outer_;
  std::vector<std::unique_ptr<LoadChange>> changes_;
  std::unordered_map<const void*, LoadChange*> by_key_;
  std::optional<Error> error_;
  /*! \brief The block that runs, or ran last. */
  const void* block_ = nullptr;
  std::string block_place_;
  /*! \brief The block that failed, and how many changes had been made then. */
  const void* failed_block_ = nullptr;
  std::string failed_place_;
  size_t changes_at_failure_ = 0;
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_LOAD_SCOPE_H_

// SPDX-License-Identifier: Apache-2.0
// The record of changes that a library load makes.
#include "core/load_scope.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <set>
#include <unordered_set>

#include "core/error_slot.h"
#include "core/loaded_library.h"
#include "core/mutex.h"

namespace tvm::ffi::runtime {

namespace {

std::atomic<uint64_t> num_loads{0};

/*! \brief The loads in progress. */
struct Loads {
  std::mutex mutex;
  /*! \brief Notified when a load ends. */
  std::condition_variable has_ended;
  /*! \brief Number of threads that are loading a library; guarded by mutex. */
  int num_threads = 0;
};

Loads& loads() {
  static auto* loads = new Loads();  // never destroyed: libraries may be loaded at exit
  return *loads;
}

void begin_turn() {
  Loads& all = loads();
  std::unique_lock<std::mutex> lock(all.mutex);
  all.has_ended.wait_for(lock, std::chrono::seconds(10), [&]() { return all.num_threads == 0; });
  ++all.num_threads;
}

void end_turn() {
  Loads& all = loads();
  {
    std::lock_guard<std::mutex> lock(all.mutex);
    --all.num_threads;
  }
  all.has_ended.notify_all();
}

/*! \brief Whether the deleter of an object is code of the library. */
bool is_made_by(const ObjectRef& object, const void* library) {
  const TVMFFIObject* header = detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(object);
  return library != nullptr &&
         library_base(reinterpret_cast<const void*>(header->deleter)) == library;
}

/*! \brief Copy an error and its causes, so that the copy does not need the library that threw it.
 * The extra context of an error is omitted if the library made it. */
Error copy_for_unloading(const Error& error, const void* library) {
  std::vector<Error> chain{error};
  while (std::optional<Error> cause = chain.back().cause_chain()) {
    chain.push_back(*std::move(cause));
  }
  std::optional<Error> copied;
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    std::optional<ObjectRef> context = link->extra_context();
    if (context.has_value() && is_made_by(*context, library)) context.reset();
    Error copy(link->kind(), link->message(), link->backtrace(), std::move(copied),
               std::move(context));
    copied = with_origin(std::move(copy), *link);
  }
  return *std::move(copied);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Origins {
  Mutex mutex;
  std::set<std::string, std::less<>> texts;  // guarded by mutex; texts never move
};

Origins& origins() {
  static auto* origins = new Origins();  // never destroyed: every Owner points into it
  return *origins;
}

}  // namespace

Mutex& load_origin_mutex() { return origins().mutex; }

const std::string* intern_origin(std::string_view text) {
  Origins& all = origins();
  std::lock_guard<Mutex> lock(all.mutex);
  auto found = all.texts.find(text);
  if (found == all.texts.end()) found = all.texts.emplace(text).first;
  return &*found;
}

__thread LoadScope* LoadScope::current_ = nullptr;

LoadScope::LoadScope(std::string library, std::string_view origin)
    : library_(std::move(library)),
      owner_{intern_origin(origin), num_loads.fetch_add(1, std::memory_order_relaxed) + 1},
      outer_(current_) {
  if (outer_ == nullptr) begin_turn();
  current_ = this;
}

LoadScope::~LoadScope() {
  undo();
  current_ = outer_;
  if (outer_ == nullptr) end_turn();
}

void LoadScope::lock_before_fork() { loads().mutex.lock(); }

void LoadScope::unlock_after_fork(bool is_child) {
  if (is_child) loads().num_threads = current_ == nullptr ? 0 : 1;
  loads().mutex.unlock();
}

void LoadScope::add(std::unique_ptr<LoadChange> change) {
  change->block = block_;
  changes_.push_back(std::move(change));
}

LoadChange* LoadScope::find(const void* key) const {
  auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : found->second;
}

void LoadScope::add(const void* key, std::unique_ptr<LoadChange> change) {
  LoadChange* added = change.get();
  add(std::move(change));
  by_key_.emplace(key, added);
}

bool LoadScope::begin_block(StaticInitBlock block) {
  if (has_failed()) return true;
  if (is_deferring_ && block.run != nullptr) {
    deferred_.push_back(std::move(block));
    return true;
  }
  block_ = block.code;
  block_place_ = block.file + ":" + std::to_string(block.line);
  return false;
}

bool LoadScope::run_deferred_blocks(LoadScope* scope) {
  bool has_run = scope->outer_ != nullptr && run_deferred_blocks(scope->outer_);
  return scope->run_own_deferred_blocks() || has_run;
}

bool LoadScope::run_own_deferred_blocks() {
  if (deferred_.empty()) return false;
  bool was_deferring = std::exchange(is_deferring_, false);
  LoadScope* inner = std::exchange(current_, this);
  for (StaticInitBlock& block : std::exchange(deferred_, {})) {
    auto run = block.run;
    const void* code = block.code;
    if (begin_block(std::move(block))) break;
    run(code);  // runs foreign code
  }
  current_ = inner;
  is_deferring_ = was_deferring;
  return true;
}

void LoadScope::fail(Error error, const void* code) {
  if (has_failed()) return;
  bool is_of_block = code == nullptr || code == block_;
  error_ = std::move(error);
  failed_block_ = is_of_block ? block_ : code;
  failed_place_ = is_of_block ? block_place_ : std::string();
  changes_at_failure_ = changes_.size();
}

std::optional<Error> LoadScope::finish() {
  run_own_deferred_blocks();
  is_deferring_ = false;
  // Use an index, not an iterator: a check may run foreign code whose registrations append changes
  // to the list.
  for (size_t i = 0; i < changes_.size() && !has_failed(); ++i) {
    try {
      changes_[i]->check();
    } catch (const Error& error) {
      block_ = changes_[i]->block;
      block_place_.clear();
      fail(error, block_);
    } catch (const std::exception&) {
      fail(detail::CurrentExceptionAsError(), block_);
    }
  }
  if (has_failed()) {
    std::optional<Error> error = described(*error_);
    error_.reset();  // now, because the library that made the error may be closed afterwards
    undo();
    return error;
  }
  std::vector<std::unique_ptr<LoadChange>> kept = std::exchange(changes_, {});
  by_key_.clear();
  for (auto& change : kept) change->keep();
  return std::nullopt;
}

Error LoadScope::described(const Error& error) const {
  const void* library = library_base(failed_block_);
  // Do not add the library to the message of an exception that a language binding (such as the
  // Python extension) made: the binding raises that exception again, and adds a note with the name
  // of the library.
  std::optional<ObjectRef> context = error.extra_context();
  bool is_of_frontend = (context.has_value() && !is_made_by(*context, library)) ||
                        error.kind() == EnvErrorAlreadySet().kind();
  if (is_of_frontend)
    return is_made_by(error, library) ? copy_for_unloading(error, library) : error;
  Error copy = copy_for_unloading(error, library);
  std::string message = copy.message();
  if (failed_place_.empty() && contains(message, library_)) return copy;
  std::string place =
      failed_place_.empty() ? "" : "the static-init block at " + failed_place_ + " of ";
  message += "\n  raised while " + place + library_ + " was loaded";
  return Error(copy.kind(), std::move(message), copy.backtrace(), copy.cause_chain(), std::nullopt);
}

void LoadScope::keep_completed_libraries() noexcept {
  const void* failed = library_base(failed_block_);
  if (failed == nullptr) return;
  std::unordered_set<const void*> pinned;
  for (size_t i = 0; i < changes_at_failure_ && i < changes_.size(); ++i) {
    const void* base = library_base(changes_[i]->block);
    if (base == nullptr || base == failed) continue;
    if (pinned.insert(base).second) {
      // The registrations of this library are kept, so its code must stay loaded.
      if (!keep_library_loaded(changes_[i]->block)) pinned.erase(base);
    }
    if (pinned.count(base) == 0) continue;
    changes_[i]->keep();
    changes_[i].reset();
  }
}

void LoadScope::undo() noexcept {
  keep_completed_libraries();
  by_key_.clear();
  while (!changes_.empty()) {
    std::unique_ptr<LoadChange> last = std::move(changes_.back());
    changes_.pop_back();
    if (last != nullptr) last->undo();
  }
}

}  // namespace tvm::ffi::runtime

// SPDX-License-Identifier: Apache-2.0
// The error slot: one owned error per thread, or none.
#include "core/error_slot.h"

#include <tvm/ffi/error.h>
#include <tvm/ffi/memory.h>

#include <string>
#include <utility>

#include "core/backtrace.h"
#include "core/frame_cache.h"
#include "core/thread_value.h"

namespace tvm::ffi::runtime {

namespace {

#if defined(_WIN32)

struct OwnedError {
  TVMFFIObject* error = nullptr;
  ~OwnedError() {
    if (error != nullptr) detail::ObjectUnsafe::DecRefObjectHandle(error);  // runs foreign code
  }
};

TVMFFIObject*& error_slot() { return thread_value<OwnedError>()->error; }

void clean_slot_at_thread_exit() {}

#else

/*! \brief The error slot of the thread: an owned error or NULL. It is a plain pointer without
 * constructor or destructor, so that reading it needs no initialization check. */
__thread TVMFFIObject* slot = nullptr;

__thread ThreadExit slot_exit = {};

TVMFFIObject*& error_slot() { return slot; }

void clean_slot_at_thread_exit() {
  run_at_thread_exit(&slot_exit, [] { error_slot_put_steal(nullptr); });
}

#endif

void keep_backtrace(TVMFFIObjectHandle, const TVMFFIByteArray*, int32_t) {}

/*! \brief See take_raise_site. */
__thread bool is_raised_by_library = false;

/*! \brief The `update_backtrace` of the errors that new_error marks; does what that of other errors
 * does. */
void update_error_of_library(TVMFFIObjectHandle self, const TVMFFIByteArray* text, int32_t mode) {
  static const auto update = detail::ErrorObjFromStd({}, {}, {}).update_backtrace;
  update(self, text, mode);
}

/*! \brief The type of the error for "out of memory", which all threads share and never free. */
struct PreparedError {
  TVMFFIObject header;
  TVMFFIErrorCell cell;
};
PreparedError out_of_memory = {
    {(uint64_t{1} << 32) | 1, kTVMFFIError, 0, {nullptr}},
    {{"MemoryError", 11}, {"std::bad_alloc", 14}, {"", 0}, keep_backtrace, nullptr, nullptr}};

}  // namespace

void error_slot_put_steal(TVMFFIObject* error) {
  TVMFFIObject* before = std::exchange(error_slot(), error);
  if (error != nullptr) clean_slot_at_thread_exit();
  if (before != nullptr) detail::ObjectUnsafe::DecRefObjectHandle(before);  // runs foreign code
}

TVMFFIObject* error_slot_take() { return std::exchange(error_slot(), nullptr); }

int raise_out_of_memory() {
  detail::ObjectUnsafe::IncRefObjectHandle(&out_of_memory.header);
  error_slot_put_steal(&out_of_memory.header);
  return -1;
}

TVMFFIObject* new_error(std::string kind, std::string message, std::string backtrace,
                        bool by_library) {
  auto error = make_object<detail::ErrorObjFromStd>(std::move(kind), std::move(message),
                                                    std::move(backtrace));
  if (by_library) error->update_backtrace = update_error_of_library;
  return detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(error));
}

Error with_origin(Error error, const Error& origin) {
  auto cell = [](const Error& x) {
    return TVMFFIErrorGetCellPtr(detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(x));
  };
  if (cell(origin)->update_backtrace == update_error_of_library) {
    cell(error)->update_backtrace = update_error_of_library;
  }
  return error;
}

void note_raise_site(const char* file) {
  std::string_view text(file == nullptr ? "" : file);
  is_raised_by_library = is_excluded_frame({}, text);
  // The sources that throw messages of a form that language bindings translate.
  for (std::string_view source : {"src/graph/leaf_order.cc", "src/layout/field_access.cc",
                                  "src/schema_image/type.cc", "src/text/json_write.cc"}) {
    is_raised_by_library |=
        text.size() >= source.size() && text.substr(text.size() - source.size()) == source;
  }
}

bool take_raise_site() { return std::exchange(is_raised_by_library, false); }

int raise_from(std::string_view kind, std::initializer_list<std::string_view> parts,
               const void* first_frame, bool by_library) {
  try {
    size_t size = 0;
    for (std::string_view part : parts) size += part.size();
    std::string message;
    message.reserve(size);
    for (std::string_view part : parts) message.append(part);
    BacktraceRequest request;
    request.first_frame = first_frame;
    const TVMFFIByteArray* trace = capture_backtrace(request);
    error_slot_put_steal(new_error(std::string(kind), std::move(message),
                                   std::string(trace->data, trace->size), by_library));
    return -1;
  } catch (const std::exception&) {
    return raise_out_of_memory();
  }
}

__attribute__((noinline)) int raise(std::string_view kind,
                                    std::initializer_list<std::string_view> parts) {
  return raise_from(kind, parts, __builtin_return_address(0));
}

int raise_null(std::string_view parameter) {
  return raise_from("ValueError", {"`", parameter, "` must not be NULL"},
                    __builtin_return_address(0));
}

int raise_caught() {
  try {
    throw;
  } catch (const Error& error) {
    TVMFFIObject* object = detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(error);
    detail::ObjectUnsafe::IncRefObjectHandle(object);
    error_slot_put_steal(object);
  } catch (const std::bad_alloc&) {
    return raise_out_of_memory();
  } catch (const std::exception&) {
    Error error = detail::CurrentExceptionAsError();
    error_slot_put_steal(detail::ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(std::move(error)));
  }
  return -1;
}

}  // namespace tvm::ffi::runtime

// SPDX-License-Identifier: Apache-2.0
// The libraries that tests load: their paths, and opening them without the module loader.
#ifndef TVM_FFI_TESTS_CPP_SHARED_LIBRARY_H_
#define TVM_FFI_TESTS_CPP_SHARED_LIBRARY_H_

#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#undef ERROR
#else
#include <dlfcn.h>
#endif

#include <string>

/*! \brief File name of a library: `libNAME.so` on Linux. */
inline std::string LibraryFileName(const std::string& name) {
  return TVM_FFI_TEST_LIBRARY_PREFIX + name + TVM_FFI_TEST_LIBRARY_SUFFIX;
}

/*! \brief Path of the library that is made from `tests/cpp/fixtures/NAME.*`. */
inline std::string FixturePath(const std::string& name) {
  return std::string(TVM_FFI_TEST_FIXTURE_DIR) + "/" + LibraryFileName(name);
}

/*! \brief Path of the library of `src/testing`. */
inline std::string TestingLibraryPath() {
  return std::string(TVM_FFI_TEST_LIBRARY_DIR) + "/" + LibraryFileName("tvm_ffi_testing");
}

/*! \brief A library opened by the system. It stays open, unless Close() is called. */
class SharedLibrary {
 public:
  explicit SharedLibrary(const std::string& path) {
#if defined(_WIN32)
    handle_ = LoadLibraryA(path.c_str());
    if (handle_ == nullptr) error_ = "Windows error " + std::to_string(GetLastError());
#else
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) error_ = dlerror();
#endif
  }

  bool IsLoaded() const { return handle_ != nullptr; }
  /*! \brief The reason why the library is not loaded. */
  const std::string& Error() const { return error_; }

  /*! \brief Address of a symbol, or NULL. */
  void* Symbol(const char* name) const {
#if defined(_WIN32)
    return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle_), name));
#else
    return dlsym(handle_, name);
#endif
  }

  void Close() {
#if defined(_WIN32)
    FreeLibrary(static_cast<HMODULE>(handle_));
#else
    dlclose(handle_);
#endif
    handle_ = nullptr;
  }

 private:
  void* handle_ = nullptr;
  std::string error_;
};

#endif  // TVM_FFI_TESTS_CPP_SHARED_LIBRARY_H_

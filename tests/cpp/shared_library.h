// SPDX-License-Identifier: Apache-2.0
// Return the paths of the libraries that tests load, and open libraries without the module loader.
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

/*! \brief Return the file name of a library: `libNAME.so` on Linux. */
inline std::string LibraryFileName(const std::string& name) {
  return TVM_FFI_TEST_LIBRARY_PREFIX + name + TVM_FFI_TEST_LIBRARY_SUFFIX;
}

/*! \brief Return the path of the library that is built from `tests/cpp/fixtures/NAME.*`. */
inline std::string FixturePath(const std::string& name) {
  return std::string(TVM_FFI_TEST_FIXTURE_DIR) + "/" + LibraryFileName(name);
}

/*! \brief Return the path of the library that is built from `src/testing`. */
inline std::string TestingLibraryPath() {
  return std::string(TVM_FFI_TEST_LIBRARY_DIR) + "/" + LibraryFileName("tvm_ffi_testing");
}

/*!
 * \brief A library that is opened without the module loader. The library stays open unless Close()
 * is called.
 */
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
  /*! \brief Return the reason why the library could not be opened. */
  const std::string& Error() const { return error_; }

  /*! \brief Return the address of a symbol, or NULL. */
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

// SPDX-License-Identifier: Apache-2.0
// A library for the module loader: it finds symbols by name.
#ifndef TVM_FFI_SRC_MODULE_LIBRARY_H_
#define TVM_FFI_SRC_MODULE_LIBRARY_H_

#include <tvm/ffi/extra/module.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

class Library {
 public:
  virtual ~Library() = default;
  /*! \brief What messages call it, e.g. its path. */
  virtual std::string name() const = 0;
  /*! \brief Address of a symbol, or NULL. */
  virtual void* find(const std::string& symbol) = 0;
  /*! \brief Address of the symbol `prefix` + `name`, or NULL. */
  virtual void* find(const char* prefix, const std::string& name) { return find(prefix + name); }
  /*! \brief Bytes that belong to the symbol at this address; 0 when that is not known. */
  virtual size_t size_of(void* /*address*/) const { return 0; }
  /*! \brief Name of the symbol at this address; empty when that is not known. */
  virtual std::string symbol_at(void* /*address*/) const { return std::string(); }
  /*! \brief Absolute path of the file; empty when it is not a file. */
  virtual std::string path() const { return std::string(); }
  /*! \brief Names of the exported functions; nullopt when they are not known. */
  virtual std::optional<std::vector<std::string>> functions() const { return std::nullopt; }
};

/*! \brief What a library tells about a function of it. */
struct LibraryFunctionTexts {
  /*! \brief Library::name. */
  std::string library;
  /*! \brief Its exported name; empty when that is not known. */
  std::string name;
  Optional<String> metadata;
  Optional<String> doc;
};

/*! \brief The safe-call of all functions that library modules hand out. */
void* library_safe_call();

/*!
 * \brief Describe a function that a library module has handed out; false for other functions.
 * \param name what it is probably called; other names are searched when it is called otherwise.
 * \param with_doc whether to ask for the documentation.
 * Runs code of the library, and throws what that throws.
 */
bool describe_library_function(const Function& function, const String& name, bool with_doc,
                               LibraryFunctionTexts* out);

/*!
 * \brief Makes the next library that this thread opens during its lifetime a version of `origin`.
 *
 * What an earlier version has registered is replaced by what the next one registers. Without a
 * LoadOrigin a library is a version of the file that it is in.
 */
class LoadOrigin {
 public:
  explicit LoadOrigin(std::string origin);
  ~LoadOrigin();
  LoadOrigin(const LoadOrigin&) = delete;
  LoadOrigin& operator=(const LoadOrigin&) = delete;

 private:
  std::string former_;
};

/*!
 * \brief Open a shared library whose `__tvm_ffi__abi_version`, if it has one, suits this runtime.
 * \throws LibraryNotFoundError when there is no such file, InternalError when the system cannot
 * load it, RuntimeError when the versions differ, and the error of its initialisers; what they have
 * registered is withdrawn then.
 */
std::unique_ptr<Library> open_library(const String& path);

/*!
 * \brief Make the module of a freshly opened library.
 *
 * Writes the context symbols, then loads the embedded import tree if there is one; otherwise the
 * result is the library module itself.
 */
Module make_library_module(std::shared_ptr<Library> library);

/*!
 * \brief Make the module of the library without imports, and store its address in the library.
 *
 * It, and every function that it hands out, keeps the library loaded.
 */
Module make_plain_library_module(std::shared_ptr<Library> library);

/*! \brief The library of a module that make_plain_library_module() has made, otherwise NULL. */
const Library* library_of(const Module& module);

/*!
 * \brief The names of the functions of a module, sorted, without their metadata and documentation;
 * nullopt when they are not known.
 */
Optional<Array<String>> function_names_of(const Module& module);

/*!
 * \brief Build the modules of an embedded import tree.
 * \param blob address of the tree (the 64-bit byte count comes first) inside `library`.
 * \return module 0, with its imports.
 * \throws RuntimeError when the tree is malformed or a loader is missing; what a loader throws.
 */
Module load_import_tree(const std::shared_ptr<Library>& library, void* blob);

/*!
 * \brief The module of the symbols that were linked into the program.
 * \param prefix put before the names that are looked up; they are also tried without it.
 */
Module system_library_module(const String& prefix);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_MODULE_LIBRARY_H_

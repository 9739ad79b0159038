// SPDX-License-Identifier: Apache-2.0
// Interface of a library for the module loader: finds symbols by name.
#pragma once

#include <tvm/ffi/extra/module.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tvm::ffi::runtime {

class Library {
 public:
  virtual ~Library() = default;
  /*! \brief Return the name of the library for messages, e.g. its path. */
  virtual std::string name() const = 0;
  /*! \brief Return the address of a symbol, or NULL. */
  virtual void* find(const std::string& symbol) = 0;
  /*! \brief Return the address of the symbol `prefix` + `name`, or NULL. */
  virtual void* find(const char* prefix, const std::string& name) { return find(prefix + name); }
  /*! \brief Return the number of bytes of the symbol at this address; 0 if it is not known. */
  virtual size_t size_of(void* /*address*/) const { return 0; }
  /*! \brief Return the name of the symbol at this address; empty if it is not known. */
  virtual std::string symbol_at(void* /*address*/) const { return std::string(); }
  /*! \brief Return the absolute path of the file; empty if the library is not a file. */
  virtual std::string path() const { return std::string(); }
  /*! \brief Return the names of the exported functions; nullopt if they are not known. */
  virtual std::optional<std::vector<std::string>> functions() const { return std::nullopt; }
};

/*! \brief The description of a function that a library exports. */
struct LibraryFunctionTexts {
  /*! \brief The result of Library::name. */
  std::string library;
  /*! \brief The exported name of the function; empty if it is not known. */
  std::string name;
  Optional<String> metadata;
  Optional<String> doc;
};

/*! \brief Return the member `safe_call`, which is equal in all functions of library modules. */
void* library_safe_call();

/*!
 * \brief Describe a function that a library module has returned. \return false for other functions.
 * \param function the function.
 * \param name the probable name of the function. If this name is wrong, all names are searched.
 * \param with_doc whether to ask for the documentation.
 * \param out receives the description.
 *
 * Runs code of the library, and throws its errors.
 */
bool describe_library_function(const Function& function, const String& name, bool with_doc,
                               LibraryFunctionTexts* out);

/*!
 * \brief During the lifetime of this object, gives `origin` to the next library that this thread
 * opens.
 *
 * Libraries with the same origin are versions of one library: the registrations of a version
 * replace those of earlier versions. Without a LoadOrigin, the origin of a library is its file.
 */
class LoadOrigin {
 public:
  explicit LoadOrigin(std::string origin);
  ~LoadOrigin();
  LoadOrigin(const LoadOrigin&) = delete;
  LoadOrigin& operator=(const LoadOrigin&) = delete;

 private:
  std::string origin_;
  std::string* outer_;  // the origin before this object
};

/*!
 * \brief Open a shared library. If the library states its ABI version in `__tvm_ffi__abi_version`,
 * the version must suit this runtime.
 * \throws LibraryNotFoundError when there is no such file, InternalError when the system cannot
 * load it, RuntimeError when the versions differ, and the error of its initializers. After an error
 * the registrations of the initializers are undone.
 */
std::unique_ptr<Library> open_library(const String& path);

/*!
 * \brief Make the module of a newly opened library.
 *
 * Writes the context symbols. Then loads the embedded import tree, or if there is none, makes the
 * library module.
 */
Module make_library_module(std::shared_ptr<Library> library);

/*!
 * \brief Make a module of the library that has no imports, and store its address in the library.
 *
 * The module, and every function that it returns, keeps the library loaded.
 */
Module make_plain_library_module(std::shared_ptr<Library> library);

/*! \brief Return the library of a module made by make_plain_library_module(), otherwise NULL. */
const Library* library_of(const Module& module);

/*! \brief Return the sorted names of the functions of a module; nullopt if the names are not known.
 * Symbols that export metadata or documentation are left out. */
Optional<Array<String>> function_names_of(const Module& module);

/*!
 * \brief Build the modules of an embedded import tree.
 * \param library the library that contains the tree.
 * \param blob address of the tree. Its first 8 bytes are the number of the bytes that follow.
 * \return module 0, with its imports.
 * \throws RuntimeError when the tree is malformed or a loader is missing; the errors of a loader.
 */
Module load_import_tree(const std::shared_ptr<Library>& library, void* blob);

/*!
 * \brief Return the module of the symbols that are linked into the program.
 * \param prefix is put before a name that is looked up. If this symbol does not exist, the name
 * without the prefix is looked up.
 */
Module system_library_module(const String& prefix);

}  // namespace tvm::ffi::runtime

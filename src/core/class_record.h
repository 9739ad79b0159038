// SPDX-License-Identifier: Apache-2.0
// What binaries expect of the C++ classes of types, compared with one another and with the
// registered types.
#pragma once

#include <tvm/ffi/detail/class_record.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/load_scope.h"

namespace tvm::ffi::runtime {

struct TypeEntry;

/*! \brief The record of a class, which the runtime has copied from a binary. */
class ClassExpectation {
 public:
  /*! \brief Copy a record. May throw std::bad_alloc. */
  explicit ClassExpectation(const tvm::ffi::detail::ClassRecordHead* record);

  const tvm::ffi::detail::ClassRecordHead& head() const {
    return *reinterpret_cast<const tvm::ffi::detail::ClassRecordHead*>(words_.data());
  }
  bool is_lookup() const { return (head().flags & tvm::ffi::detail::kClassIsLookup) != 0; }
  std::string_view parent_key() const { return names()[1]; }

  struct Field {
    std::string_view name;
    int64_t offset;
    int64_t size;
    int32_t type_index;
  };
  std::vector<Field> fields() const;

  /*! \brief Return the library load that handed the record over. */
  const Owner& owner() const { return owner_; }
  /*! \brief Return whether this is a copy of a record. */
  bool is_equal(const tvm::ffi::detail::ClassRecordHead* record) const;

  /*! \brief Return "the library `PATH`", or an empty text if the library is not loaded any more. */
  std::string library() const;

 private:
  /*! \brief Return the key, the key of the parent and the names of the fields. */
  std::vector<std::string_view> names() const;

  std::vector<uint32_t> words_;
  const tvm::ffi::detail::ClassRecordHead* source_;
  Owner owner_;
};

/*!
 * \brief Compare the record of a class in a binary with the type, and with the first record that
 * another binary had.
 * \throws Error RuntimeError that names the binaries and what differs. If a library load defines
 * the type again, the error is thrown at the end of the load instead, after the comparison of the
 * definitions.
 */
void check_class(int32_t type_index, const tvm::ffi::detail::ClassRecordHead* record);

/*! \brief The reasons why a binary or a registration is refused; false if there is none. */
struct ClassRefusal {
  std::vector<std::string> differences;
  std::shared_ptr<const ClassExpectation> expectation;
  std::string definer;

  explicit operator bool() const { return !differences.empty(); }
  /*!
   * \brief Return the text of the error. Call without the lock of the type table, because the
   * search for the path of a library takes the lock of the dynamic linker.
   * \param subject who has another version of the class.
   */
  std::string text(const TVMFFITypeInfo& type, std::string subject) const;
};

// Return whether a size or a field differs from what a binary expects. Call with the lock of the
// type table held.
ClassRefusal refuse_size(const TypeEntry& entry, int64_t total_size);
ClassRefusal refuse_field(const TypeEntry& entry, const TVMFFIFieldInfo& field);

}  // namespace tvm::ffi::runtime

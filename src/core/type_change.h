// SPDX-License-Identifier: Apache-2.0
// Changes of one type by a library load: it defines the type, adds to it, or defines it again.
#ifndef TVM_FFI_SRC_CORE_TYPE_CHANGE_H_
#define TVM_FFI_SRC_CORE_TYPE_CHANGE_H_

#include <tvm/ffi/c_api.h>

#include <memory>
#include <string>
#include <vector>

#include "core/load_scope.h"
#include "core/type_entry.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief The parts of a type that a load can change. Texts and values in it are never freed. */
struct TypeContent {
  std::vector<TVMFFIFieldInfo> fields;
  std::vector<TVMFFIMethodInfo> methods;
  TVMFFITypeMetadata* metadata = nullptr;
  Owner owner;
  std::vector<Owner> field_owners;
  std::vector<Owner> method_owners;
};

/*! \brief Copy the content of a type. Under the table's lock. */
TypeContent content_of(const TypeEntry& entry);

/*! \brief Publish a content in the place of the present one. Under the table's lock. */
void publish_content(TypeEntry* entry, TypeContent content);

/*! \brief List what differs in the layout of two definitions of a type; empty: nothing. */
std::vector<std::string> layout_differences(const TypeContent& former, const TypeContent& latter);

/*! \brief Note that a load of this thread has changed the members of a type that was known before,
 * or the entries of an enum. May throw std::bad_alloc. */
void note_changed_type(int32_t type_index);

/*! \brief Remove and return one of the types that this thread noted; -1 when there is none. */
int32_t take_changed_type();

/*!
 * \brief The recorded change of one type in one load.
 *
 * While the type is defined again, its new members are collected here; readers see the former
 * definition until publish().
 */
class TypeChange final : public LoadChange {
 public:
  TypeChange(TypeEntry* entry, LoadScope* scope, bool is_new);
  ~TypeChange() override;

  /*!
   * \brief The change of a type in the load of this thread, made at the first call.
   * \param is_new the load has just added the type.
   * \return NULL outside of a load. May throw std::bad_alloc.
   */
  static TypeChange* of(TypeEntry* entry, bool is_new = false);

  /*! \brief Whether new members belong into `collected`. */
  bool is_collecting() const { return is_collecting_; }

  // Under the table's lock.

  /*! \brief Begin to define the type again. */
  void begin(std::unique_ptr<TVMFFITypeMetadata> metadata);
  void collect(const TVMFFIFieldInfo& field);
  void collect(const TVMFFIMethodInfo& method);
  /*! \brief Note a difference that the members do not show; of no effect if the load does not
   * define the type. */
  void add_difference(std::string text) { differences_.push_back(std::move(text)); }
  const std::vector<TVMFFIFieldInfo>& collected_fields() const { return collected_.fields; }

  /*! \brief Number of the load. */
  uint64_t load() const { return owner_.load; }
  /*! \brief Whether the load has added the type. */
  bool is_new() const { return is_new_; }
  /*! \brief Whether the load defines a type that was defined before. */
  bool is_redefinition() const { return is_redefinition_; }
  /*! \brief Who defined the type before. */
  const Owner& former_owner() const { return former_.owner; }
  /*! \brief Whether it is known already that publish() is going to throw. */
  bool has_other_layout() const;

  /*!
   * \brief Replace the former definition by what was collected; nothing happens without one.
   * \throws Error RuntimeError that lists what has changed when the layout differs.
   */
  void publish();

  void check() override { publish(); }
  void keep() noexcept override;
  void undo() noexcept override;

 private:
  void drop_collected() noexcept;
  [[noreturn]] void refuse(const std::vector<std::string>& differences) const;

  TypeEntry* entry_;
  std::string library_;
  Owner owner_;
  bool is_new_;
  bool is_collecting_ = false;
  bool is_redefinition_ = false;
  TypeContent former_;
  TypeContent collected_;
  /*! \brief What `collected_` has as metadata, until it is published. */
  std::unique_ptr<TVMFFITypeMetadata> collected_metadata_;
  std::vector<std::string> differences_;
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_TYPE_CHANGE_H_

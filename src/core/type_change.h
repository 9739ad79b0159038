// SPDX-License-Identifier: Apache-2.0
// The change that a library load makes to one type: it defines the type, adds members, or defines
// the type again.
#pragma once

#include <tvm/ffi/c_api.h>

#include <memory>
#include <string>
#include <vector>

#include "core/load_scope.h"
#include "core/type_entry.h"

namespace tvm::ffi::runtime {

/*! \brief The parts of a type that a library load can change. The texts and values to which the
 * members point are never freed. */
struct TypeContent {
  std::vector<TVMFFIFieldInfo> fields;
  std::vector<TVMFFIMethodInfo> methods;
  TVMFFITypeMetadata* metadata = nullptr;
  Owner owner;
  std::vector<Owner> field_owners;
  std::vector<Owner> method_owners;
  std::shared_ptr<const ClassExpectation> expectation;
};

/*! \brief Copy the content of a type. Call with the lock of the type table held. */
TypeContent content_of(const TypeEntry& entry);

/*! \brief Replace the content of a type. Call with the lock of the type table held. */
void publish_content(TypeEntry* entry, TypeContent content);

/*! \brief List the differences in layout between two definitions of a type; empty if there is
 * none. */
std::vector<std::string> layout_differences(const TypeContent& former, const TypeContent& latter);

/*! \brief Record that a load of this thread has changed the members of an existing type, or the
 * entries of an enum. May throw std::bad_alloc. */
void note_changed_type(int32_t type_index);

/*! \brief Remove and return one of the types that this thread has recorded; -1 if there is none. */
int32_t take_changed_type();

/*!
 * \brief The recorded change of one type in one library load.
 *
 * While the load defines the type again, this object collects the new members. Readers see the
 * former definition until publish().
 */
class TypeChange final : public LoadChange {
 public:
  TypeChange(TypeEntry* entry, LoadScope* scope, bool is_new);
  ~TypeChange() override;

  /*!
   * \brief Return the change that the library load in progress on this thread makes to a type. The
   * first call creates the object.
   * \param is_new whether the load has just added the type.
   * \return NULL outside of a load. May throw std::bad_alloc.
   */
  static TypeChange* of(TypeEntry* entry, bool is_new = false);

  /*!
   * \brief If the load in progress on this thread may define the type, keep the reason why
   * its class is refused until check(), which first compares the definitions.
   * \return whether the reason is kept.
   */
  static bool defer_refusal(TypeEntry* entry, const std::string& reason);

  /*! \brief Whether the load is defining the type again, so that collect() must get new members. */
  bool is_collecting() const { return is_collecting_; }

  // Call begin() and collect() with the lock of the type table held.

  /*! \brief Begin a new definition of the type. */
  void begin(std::unique_ptr<TVMFFITypeMetadata> metadata);
  void collect(const TVMFFIFieldInfo& field);
  void collect(const TVMFFIMethodInfo& method);
  /*! \brief Record a difference in layout that is not visible in the fields and methods. publish()
   * reports it. Has no effect if the load does not define the type again. */
  void add_difference(std::string text) { differences_.push_back(std::move(text)); }
  const std::vector<TVMFFIFieldInfo>& collected_fields() const { return collected_.fields; }

  /*! \brief Number of the load. */
  uint64_t load() const { return owner_.load; }
  /*! \brief Whether the load has added the type. */
  bool is_new() const { return is_new_; }
  /*! \brief Whether the load defines a type that was defined before. */
  bool is_redefinition() const { return is_redefinition_; }
  /*! \brief Who defined the type before the load. */
  const Owner& former_owner() const { return former_.owner; }
  /*! \brief Whether publish() would throw because of the differences that are known so far. */
  bool has_other_layout() const;

  /*!
   * \brief Replace the former definition by the collected definition, if the load collects one.
   * \throws Error RuntimeError that lists the differences when the layout differs.
   */
  void publish();

  /*! \brief Record that the library has a C++ class for the type. */
  void note_declaration() { is_declaration_ = true; }

  void check() override;
  void keep() noexcept override;
  void undo() noexcept override;

 private:
  void drop_collected() noexcept;
  void check_declaration() const;
  [[noreturn]] void refuse(const std::vector<std::string>& differences) const;

  TypeEntry* entry_;
  std::string library_;
  Owner owner_;
  bool is_new_;
  bool is_collecting_ = false;
  bool is_redefinition_ = false;
  bool is_declaration_ = false;
  /*! \brief Whether native code had a class for the type before the load. */
  bool was_declared_;
  TypeContent former_;
  TypeContent collected_;
  /*! \brief Owner of `collected_.metadata` until publish(). */
  std::unique_ptr<TVMFFITypeMetadata> collected_metadata_;
  std::vector<std::string> differences_;
  /*! \brief Why the class of the library is refused; empty if it is not. */
  std::string refusal_;
};

}  // namespace tvm::ffi::runtime

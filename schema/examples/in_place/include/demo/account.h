// SPDX-License-Identifier: Apache-2.0
#ifndef DEMO_ACCOUNT_H_
#define DEMO_ACCOUNT_H_

#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <utility>

namespace demo {
namespace ffi = ::tvm::ffi;

// tschema: OwnerNode
/*! \brief A person who has accounts. */
class OwnerNode : public ffi::Object {
 public:
  /*! \brief What they are called. */
  ffi::String name;

  OwnerNode() = default;
  explicit OwnerNode(ffi::String name) : name(std::move(name)) {}

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("example.in_place.Owner", OwnerNode, ffi::Object);
  // tschema: custom-begin
  /*! \brief The first letter. */
  char initial() const { return name.empty() ? '?' : name.data()[0]; }
  // tschema: custom-end
};
// tschema: end sum=c580e07f

// tschema: Owner
/*!
 * \brief Managed reference to OwnerNode.
 * \sa OwnerNode
 */
class Owner : public ffi::ObjectRef {
 public:
  explicit Owner(ffi::String name);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Owner, ffi::ObjectRef, OwnerNode);
};
// tschema: end sum=7e76e64b

/*! \brief Written by hand; `tvm-ffi-schema validate` compares it with the schema. */
class AccountNode : public ffi::Object {
 public:
  Owner owner;
  int64_t balance = 0;

  AccountNode() = default;
  AccountNode(Owner owner, int64_t balance) : owner(std::move(owner)), balance(balance) {}

  void Deposit(int64_t amount) { balance += amount; }

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("example.in_place.Account", AccountNode, ffi::Object);
};

class Account : public ffi::ObjectRef {
 public:
  explicit Account(Owner owner, int64_t balance = 0)
      : ObjectRef(ffi::make_object<AccountNode>(std::move(owner), balance)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Account, ffi::ObjectRef, AccountNode);
};

}  // namespace demo

#endif  // DEMO_ACCOUNT_H_

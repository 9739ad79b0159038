// SPDX-License-Identifier: Apache-2.0
// Check an object type of the program, through its reflection.
#include <vector>

#include "checks.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

class AccountObj : public Object {
 public:
  int64_t balance = 0;
  String owner;
  Any note;
  int64_t Pay(int64_t amount) { return balance -= amount; }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("interop.host.Account", AccountObj, Object);
};

class SavingsObj : public AccountObj {
 public:
  double rate = 0;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("interop.host.Savings", SavingsObj, AccountObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<AccountObj>()
      .def_rw("balance", &AccountObj::balance, refl::DefaultValue(0))
      .def_ro("owner", &AccountObj::owner)
      .def_rw("note", &AccountObj::note, refl::default_value(nullptr), refl::kw_only(true))
      .def("pay", &AccountObj::Pay)
      .def_static("zero", [] { return 0; });
  refl::ObjectDef<SavingsObj>().def_rw("rate", &SavingsObj::rate, "Per year.");
}

const char* const kKey = "interop.host.Savings";

void CheckRecords() {
  const TVMFFIFieldInfo* rate = refl::GetFieldInfo(kKey, "rate");
  CHECK_THAT(std::string(rate->doc.data, rate->doc.size) == "Per year.");
  CHECK_THAT(rate->size == 8 && rate->field_static_type_index == kTVMFFIFloat);
  CHECK_THROWS("RuntimeError", "", refl::GetFieldInfo(kKey, "rat"));
  std::vector<std::string> names;
  refl::ForEachFieldInfo(TVMFFIGetTypeInfo(SavingsObj::RuntimeTypeIndex()),
                         [&](const TVMFFIFieldInfo* field) {
                           names.emplace_back(field->name.data, field->name.size);
                         });
  CHECK_THAT(names == std::vector<std::string>{"balance", "owner", "note", "rate"});
}

void CheckAccess() {
  ObjectPtr<SavingsObj> savings = make_object<SavingsObj>();
  refl::FieldSetter set("interop.host.Account", "owner");
  refl::FieldGetter get("interop.host.Account", "owner");
  set(savings, "an owner with a long name");
  CHECK_THAT(get(savings).cast<String>() == "an owner with a long name");
  CHECK_THROWS("TypeError", "", set(savings, 1));
  Function pay = refl::GetMethod("interop.host.Account", "pay");
  CHECK_THAT(pay(savings.get(), 5).cast<int>() == -5 && savings->balance == -5);
  CHECK_THROWS("TypeError", "`interop.host.Account.pay", pay(savings.get(), "text"));
}

void CheckMaking() {
  refl::ObjectCreator create(kKey);
  Any made = create(Map<String, Any>{{"owner", String("a")}, {"rate", 2}});
  CHECK_THAT(made.as<SavingsObj>()->rate == 2.0 && made.as<AccountObj>()->owner == "a");
  CHECK_THROWS("TypeError", "does not have field `b`",
               create(Map<String, Any>{{"owner", String("a")}, {"rate", 2}, {"b", 1}}));
  Function init =
      refl::TypeAttrColumn("__ffi_init__")[SavingsObj::RuntimeTypeIndex()].cast<Function>();
  Any keywords = Function::GetGlobalRequired("ffi.GetKwargsObject")();
  Any account = init("b", 1.5, keywords, "note", "kept");
  CHECK_THAT(account.as<AccountObj>()->note.cast<String>() == "kept");
  CHECK_THROWS("TypeError", "interop.host.Savings.__ffi_init__() missing required argument: 'rate'",
               init("b"));
  CHECK_THROWS("TypeError", "got an unexpected keyword argument 'z'",
               init("b", 1, keywords, "z", 1));
}

void CheckDefinitions() {
  CHECK_THROWS("RuntimeError", "Overriding ", refl::ObjectDef<AccountObj>());
  CHECK_THROWS("RuntimeError", "__ffi_type_final__",
               refl::TypeAttrDef<AccountObj>().def("__ffi_type_final__", true));
  refl::EnsureTypeAttrColumn("interop.host.column");
  refl::TypeAttrColumn column("interop.host.column");
  int32_t index = AccountObj::RuntimeTypeIndex();
  CHECK_THAT(column[index] == nullptr);
  refl::TypeAttrDef<AccountObj>().def("interop.host.column", 9);
  CHECK_THAT(column[index].cast<int>() == 9 && column[SavingsObj::RuntimeTypeIndex()] == nullptr);
}

}  // namespace

void host::CheckReflection() {
  CheckRecords();
  CheckAccess();
  CheckMaking();
  CheckDefinitions();
}

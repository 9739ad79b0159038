// SPDX-License-Identifier: Apache-2.0
// The automatic `__ffi_init__`: a constructor made from the reflected fields of a type.
#include "layout/auto_init.h"

#include <tvm/ffi/error.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/error_slot.h"
#include "core/sentinel.h"
#include "core/type_entry.h"
#include "core/type_table.h"
#include "layout/enum_payload.h"
#include "layout/init_plan.h"

namespace tvm::ffi::runtime {
namespace {

bool is_object(const TVMFFIAny& value, const TVMFFIObject* object) {
  return value.type_index >= kTVMFFIStaticObjectBegin && value.v_obj == object;
}

// Returns the first words of every message of this file.
std::string message_start(const InitPlan& plan) {
  return std::string(ToStringView(plan.type->type_key)) + ".__ffi_init__() ";
}

[[noreturn]] void throw_binding_error(const InitPlan& plan, const std::string& what) {
  TVM_FFI_THROW(TypeError) << message_start(plan) << what;
  TVM_FFI_UNREACHABLE();
}

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

// Returns the list of parameters for the message about an unknown keyword, in the order of the
// Python signature.
std::string parameters_text(const InitPlan& plan) {
  std::string names;
  auto add = [&names](const TVMFFIFieldInfo* field) {
    names += names.empty() ? "" : ", ";
    names += ToStringView(field->name);
  };
  for (int32_t i : plan.positional) add(plan.fields[i]);
  for (bool defaulted : {false, true}) {
    for (const TVMFFIFieldInfo* field : plan.fields) {
      if (!InitPlan::is_parameter(field) || !InitPlan::is_keyword_only(field)) continue;
      if (InitPlan::has_default(field) == defaulted) add(field);
    }
  }
  return names.empty() ? "; it takes no arguments" : "; its parameters are " + names;
}

std::string indented(std::string_view text) {
  std::string result = "  ";
  for (char c : text) {
    result += c;
    if (c == '\n') result += "  ";
  }
  return result;
}

// Removes " for field `NAME`" from the end of a setter's message, if it is there.
std::string_view without_field(std::string_view text, std::string_view field) {
  std::string ending = " for field `" + std::string(field) + "`";
  bool has_ending = text.size() >= ending.size() &&
                    text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
  return has_ending ? text.substr(0, text.size() - ending.size()) : text;
}

// Throws an error for a setter that has just failed, with the name of the field. The original error
// becomes the cause.
[[noreturn]] void throw_rejected(const InitPlan& plan, const TVMFFIFieldInfo* field,
                                 const char* what) {
  Error cause = detail::MoveFromSafeCallRaised();
  // This kind of error only says that a language binding (such as the Python extension) has a
  // pending exception, so throw it unchanged.
  if (cause.kind() == EnvErrorAlreadySet().kind()) throw cause;
  std::string_view name = ToStringView(field->name);
  std::string reason = cause.message();
  std::string message =
      message_start(plan) + what + quoted(name) + ":\n" + indented(without_field(reason, name));
  throw with_origin(Error(cause.kind(), message, cause.backtrace(), cause, std::nullopt), cause);
}

// The argument bound to each field, or NULL. The table is on the stack unless the type has many
// fields.
class BoundArguments {
 public:
  explicit BoundArguments(size_t num_fields) {
    if (num_fields > few_.size()) {
      many_.resize(num_fields, nullptr);
      values_ = many_.data();
    } else {
      std::fill_n(few_.data(), num_fields, nullptr);
      values_ = few_.data();
    }
  }
  BoundArguments(const BoundArguments&) = delete;
  BoundArguments& operator=(const BoundArguments&) = delete;

  const TVMFFIAny*& operator[](size_t i) { return values_[i]; }

 private:
  std::array<const TVMFFIAny*, 24> few_;
  std::vector<const TVMFFIAny*> many_;
  const TVMFFIAny** values_;
};

// The addresses of the sentinel objects (core/sentinel.h), which are never destroyed.
struct Sentinels {
  const TVMFFIObject* missing =
      detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(missing_object());
  const TVMFFIObject* kwargs = detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(kwargs_object());
};

const Sentinels& sentinels() {
  static const Sentinels instance;
  return instance;
}

int32_t find_keywords(const TVMFFIAny* args, int32_t num_args) {
  for (int32_t i = 0; i < num_args; ++i) {
    if (is_object(args[i], sentinels().kwargs)) return i;
  }
  return num_args;
}

void bind_positional(const InitPlan& plan, const TVMFFIAny* args, int32_t count,
                     BoundArguments* bound) {
  if (static_cast<size_t>(count) > plan.positional.size()) {
    throw_binding_error(plan, "takes at most " + std::to_string(plan.positional.size()) +
                                  " positional argument(s), but " + std::to_string(count) +
                                  " were given");
  }
  for (int32_t i = 0; i < count; ++i) {
    int32_t field = plan.positional[i];
    bool left_out =
        is_object(args[i], sentinels().missing) && InitPlan::has_default(plan.fields[field]);
    if (!left_out) (*bound)[field] = &args[i];
  }
}

// Binds keyword arguments; `args` begins after the sentinel kwargs_object().
void bind_keywords(const InitPlan& plan, const TVMFFIAny* args, int32_t count,
                   BoundArguments* bound) {
  if (count % 2 != 0) {
    throw_binding_error(plan, "KWARGS requires an even number of key-value arguments");
  }
  int32_t hint = 0;
  for (int32_t i = 0; i < count; i += 2) {
    std::optional<std::string_view> name = detail::TryStringView(&args[i]);
    if (!name.has_value()) {
      throw_binding_error(plan, "keywords must be strings, not `" +
                                    detail::TypeNameInText(args[i].type_index) + "`");
    }
    int32_t field = plan.find_parameter(*name, hint);
    if (field < 0) {
      throw_binding_error(
          plan, "got an unexpected keyword argument " + quoted(*name) + parameters_text(plan));
    }
    hint = field + 1;
    if (is_object(args[i + 1], sentinels().missing)) continue;  // means that no value is given
    if ((*bound)[field] != nullptr) {
      throw_binding_error(plan, "got multiple values for argument " + quoted(*name));
    }
    (*bound)[field] = &args[i + 1];
  }
}

void check_complete(const InitPlan& plan, BoundArguments* bound) {
  for (size_t i = 0; i < plan.fields.size(); ++i) {
    const TVMFFIFieldInfo* field = plan.fields[i];
    if ((*bound)[i] != nullptr || InitPlan::has_default(field)) continue;
    if (!InitPlan::is_parameter(field)) continue;  // keeps its initial value
    const char* what = InitPlan::is_keyword_only(field) ? "missing required keyword-only argument: "
                                                        : "missing required argument: ";
    throw_binding_error(plan, what + quoted(ToStringView(field->name)));
  }
}

void set_fields(const InitPlan& plan, BoundArguments* bound, char* object) {
  for (size_t i = 0; i < plan.fields.size(); ++i) {
    const TVMFFIFieldInfo* field = plan.fields[i];
    void* address = object + field->offset;
    if (const TVMFFIAny* value = (*bound)[i]) {
      int status = reflection::CallFieldSetter(field, address, value);  // may run Python
      if (status == -1) status = retry_field_with_payload(field, address, value);
      if (status != 0) throw_rejected(plan, field, "field ");
    } else if (InitPlan::has_default(field)) {
      int status = reflection::CallFieldSetterToDefault(field, address);  // may run Python
      if (status != 0) throw_rejected(plan, field, "default for field ");
    }
  }
}

// Constructs an object. All arguments are bound before the object is made, so a wrong call does not
// make an object.
ObjectPtr<Object> construct(const InitPlan& plan, const TVMFFIAny* args, int32_t num_args) {
  BoundArguments bound(plan.fields.size());
  int32_t num_positional = find_keywords(args, num_args);
  bind_positional(plan, args, num_positional, &bound);
  if (num_positional != num_args) {
    bind_keywords(plan, args + num_positional + 1, num_args - num_positional - 1, &bound);
  }
  check_complete(plan, &bound);
  ObjectPtr<Object> object = CreateEmptyObject(plan.type);
  set_fields(plan, &bound, reinterpret_cast<char*>(object.get()));
  return object;
}

// Fast path for a call without arguments, if all parameters of the type have defaults.
ObjectPtr<Object> construct_default(const InitPlan& plan) {
  TVMFFIObjectHandle handle = nullptr;
  TVM_FFI_CHECK_SAFE_CALL(plan.create_default(&handle));
  auto object =
      detail::ObjectUnsafe::ObjectPtrFromOwned<Object>(static_cast<TVMFFIObject*>(handle));
  reflection::detail::CheckMade(
      plan.type, object == nullptr ? static_cast<int32_t>(kTVMFFINone) : object->type_index());
  for (const DefaultStep& step : plan.defaults) {
    void* address = static_cast<char*>(handle) + step.field->offset;
    int status = step.setter != nullptr
                     ? step.setter(address, &step.field->default_value_or_factory)
                     : reflection::CallFieldSetterToDefault(step.field, address);  // may run Python
    if (TVM_FFI_PREDICT_FALSE(status != 0)) throw_rejected(plan, step.field, "default for field ");
  }
  return object;
}

// Caches the plan of one type. plan() makes the plan at its first call, because fields may be
// registered after the constructor. plan() makes a new plan if the number of fields or a type
// definition has changed.
class AutoInit {
 public:
  explicit AutoInit(const TVMFFITypeInfo* type) : type_(type) {}

  const InitPlan& plan() {
    const InitPlan* plan = current_.load(std::memory_order_acquire);
    // Read the version before the fields, so that a later definition makes the plan outdated.
    uint64_t version = type_definitions_version.load(std::memory_order_acquire);
    if (plan != nullptr && version == version_.load(std::memory_order_relaxed) &&
        static_cast<int64_t>(plan->fields.size()) == count_fields(type_)) {
      return *plan;
    }
    const InitPlan& renewed = renew();
    version_.store(version, std::memory_order_relaxed);
    return renewed;
  }

 private:
  const InitPlan& renew() {
    std::unique_ptr<InitPlan> plan = make_init_plan(type_);
    std::lock_guard<std::mutex> lock(mutex_);
    made_.push_back(std::move(plan));
    current_.store(made_.back().get(), std::memory_order_release);
    return *made_.back();
  }

  const TVMFFITypeInfo* type_;
  std::atomic<const InitPlan*> current_{nullptr};
  /*! \brief type_definitions_version for which the plan was made. */
  std::atomic<uint64_t> version_{0};
  std::mutex mutex_;
  // Guarded by mutex_. Calls on other threads may still use earlier plans.
  std::vector<std::unique_ptr<InitPlan>> made_;
};

}  // namespace

void register_auto_init(const TVMFFITypeInfo* type) {
  auto init = std::make_unique<AutoInit>(type);
  Function function = Function::FromPacked(
      [init = std::move(init)](const AnyView* args, int32_t num_args, Any* result) {
        const InitPlan& plan = init->plan();
        *result = num_args == 0 && plan.create_default != nullptr
                      ? construct_default(plan)
                      : construct(plan, reinterpret_cast<const TVMFFIAny*>(args), num_args);
      });
  register_type_attribute(type->type_index, type_attr::kInit.name, function);
}

void register_type_attribute(int32_t type_index, const char* name, const Any& value) {
  TVMFFIByteArray attribute = reflection::AsByteArray(name);
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterAttr(type_index, &attribute,
                                                 detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value)));
}

}  // namespace tvm::ffi::runtime

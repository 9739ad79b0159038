// SPDX-License-Identifier: Apache-2.0
// Reads the packed form of a graph: runs the program on a stack of values. The program may be
// damaged, so each length is compared with the rest of the program before memory is allocated.
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/error_slot.h"
#include "core/type_table.h"
#include "graph/graph_json.h"
#include "graph/graph_pack.h"
#include "graph/leaf.h"
#include "graph/walk.h"
#include "text/value_stack.h"

namespace tvm::ffi::runtime {
namespace {

constexpr const char* kPackReadOperation = "unpickle";

[[noreturn]] void throw_damaged(const std::string& what) {
  TVM_FFI_THROW(ValueError) << "the pickle is damaged: " << what;
  TVM_FFI_UNREACHABLE();
}

// The bytes of a program that have not been read.
class ProgramIn {
 public:
  explicit ProgramIn(const Bytes& program)
      : next_(reinterpret_cast<const uint8_t*>(program.data())), end_(next_ + program.size()) {}

  bool at_end() const { return next_ == end_; }
  size_t left() const { return static_cast<size_t>(end_ - next_); }

  uint8_t byte() {
    if (TVM_FFI_PREDICT_FALSE(next_ == end_)) throw_damaged("it ends too early");
    return *next_++;
  }
  uint64_t number() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      uint8_t part = byte();
      value |= static_cast<uint64_t>(part & 0x7f) << shift;
      if (part < 0x80) return value;
    }
    throw_damaged("a number is too long");
  }
  int64_t signed_number() {
    uint64_t value = number();
    return static_cast<int64_t>((value >> 1) ^ (value & 1 ? ~uint64_t{0} : 0));
  }
  uint64_t fixed(int width) {
    const uint8_t* at = take(static_cast<size_t>(width));
    return fixed_at(at, width);
  }
  static uint64_t fixed_at(const uint8_t* at, int width) {
    uint64_t value = 0;
    for (int i = 0; i < width; ++i) value |= static_cast<uint64_t>(at[i]) << (8 * i);
    return value;
  }
  // Reads the number of elements that follow, each of at least `size` bytes.
  size_t length(size_t size) {
    uint64_t count = number();
    if (count > left() / size) throw_damaged("a length is larger than the rest");
    return static_cast<size_t>(count);
  }
  const uint8_t* take(size_t size) {
    if (size > left()) throw_damaged("it ends too early");
    const uint8_t* at = next_;
    next_ += size;
    return at;
  }

 private:
  const uint8_t* next_;
  const uint8_t* end_;
};

double float_of(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// A type of the program. `fields` has for each field of the pickle the current field, or NULL if
// the type no longer has it. `missing` has the current fields that are not in the pickle.
struct TypeIn {
  const TVMFFITypeInfo* type;
  size_t num_fields = 0;
  std::vector<const TVMFFIFieldInfo*> fields;
  std::vector<const TVMFFIFieldInfo*> missing;
};

class PackReader {
 public:
  PackReader(const Bytes& program, const Array<Array<Any>>& types, const Array<Any>& externals)
      : in_(program), externals_(externals) {
    types_.reserve(static_cast<size_t>(types.size()));
    for (const Array<Any>& entry : types) types_.push_back(describe(entry));
  }

  Any read() {
    for (uint8_t op = in_.byte(); static_cast<PackOp>(op) != PackOp::kEnd; op = in_.byte()) {
      step(op);
    }
    if (!in_.at_end()) throw_damaged("it does not end where it should");
    if (values_.size() != 1) throw_damaged("it does not make one value");
    return values_.pop();
  }

 private:
  static TypeIn describe(const Array<Any>& entry) {
    if (entry.empty()) throw_damaged("a type has no index");
    TypeIn result;
    result.type = detail::GetTypeInfoOrThrow(static_cast<int32_t>(entry[0].cast<int64_t>()));
    const std::vector<PlannedField>& plan = field_plan(result.type->type_index).fields;
    std::vector<bool> is_given(plan.size());
    result.num_fields = static_cast<size_t>(entry.size()) - 1;
    result.fields.reserve(result.num_fields);
    for (size_t i = 1; i <= result.num_fields; ++i) {
      String name = entry[static_cast<int64_t>(i)].cast<String>();
      const TVMFFIFieldInfo* found = nullptr;
      for (size_t k = 0; k < plan.size() && found == nullptr; ++k) {
        if (ToStringView(plan[k].info->name) != std::string_view(name.data(), name.size())) {
          continue;
        }
        found = plan[k].info;
        is_given[k] = true;
      }
      result.fields.push_back(found);
    }
    for (size_t k = 0; k < plan.size(); ++k) {
      if (!is_given[k]) result.missing.push_back(plan[k].info);
    }
    return result;
  }

  void step(uint8_t op) {
    switch (static_cast<PackOp>(op)) {
      case PackOp::kNone:
        return push(Any());
      case PackOp::kFalse:
        return push(Any(false));
      case PackOp::kTrue:
        return push(Any(true));
      case PackOp::kInt:
        return push(Any(in_.signed_number()));
      case PackOp::kFloat:
        return push(Any(float_of(in_.fixed(8))));
      case PackOp::kStr: {
        size_t size = in_.length(1);
        return push(Any(String(reinterpret_cast<const char*>(in_.take(size)), size)));
      }
      case PackOp::kBytes: {
        size_t size = in_.length(1);
        return push(Any(Bytes(reinterpret_cast<const char*>(in_.take(size)), size)));
      }
      case PackOp::kDataType: {
        DLDataType dtype;
        dtype.code = in_.byte();
        dtype.bits = in_.byte();
        dtype.lanes = static_cast<uint16_t>(in_.fixed(2));
        return push(Any(dtype));
      }
      case PackOp::kDevice: {
        auto type = static_cast<DLDeviceType>(in_.signed_number());
        return push(Any(DLDevice{type, static_cast<int32_t>(in_.signed_number())}));
      }
      case PackOp::kShape:
        return push_shape();
      case PackOp::kExternal:
        return push(externals_[static_cast<int64_t>(
            index_below(static_cast<size_t>(externals_.size()), "a value that is not there"))]);
      case PackOp::kRef:
        return push(Any(kept_[index_below(kept_.size(), "a value that is not there")]));
      case PackOp::kKeep:
        need(1);
        kept_.push_back(values_.data()[values_.size() - 1]);
        return;
      case PackOp::kArray:
        return values_.make_array(values_.size() - count_of_parts(1));
      case PackOp::kList:
        return make_list();
      case PackOp::kMap:
        return make_mapping<Map<Any, Any>>();
      case PackOp::kDict:
        return make_mapping<Dict<Any, Any>>();
      case PackOp::kObject:
        return make_object();
      case PackOp::kEnum: {
        const TypeIn& type = type_named();
        Any index = pop();
        if (!enum_traits(type.type).is_enum) throw_damaged("a variant of a type without variants");
        return push(find_enum_object(type.type, index));
      }
      case PackOp::kHook:
        return make_by_hook();
      case PackOp::kInts:
        return make_ints();
      case PackOp::kFloats:
        return make_floats();
      case PackOp::kEnd:
        break;  // handled by read()
    }
    throw_damaged("operation " + std::to_string(op) +
                  " is unknown; was it written by a later "
                  "version?");
  }

  void push(Any value) { values_.push(std::move(value)); }
  void need(size_t count) {
    if (values_.size() < count) throw_damaged("a part of a value is missing");
  }
  Any pop() {
    need(1);
    return values_.pop();
  }
  size_t index_below(size_t size, const char* what) {
    uint64_t index = in_.number();
    if (index >= size) throw_damaged(std::string("it refers to ") + what);
    return static_cast<size_t>(index);
  }
  const TypeIn& type_named() { return types_[index_below(types_.size(), "an unknown type")]; }

  // Reads a count, and returns the number of parts that the operation pops from the stack.
  size_t count_of_parts(uint64_t parts_each) {
    uint64_t count = in_.number();
    if (count > values_.size() / parts_each) throw_damaged("a part of a value is missing");
    return static_cast<size_t>(count * parts_each);
  }

  void push_shape() {
    size_t size = in_.length(1);
    std::vector<int64_t> extents;
    extents.reserve(size);
    for (size_t i = 0; i < size; ++i) extents.push_back(in_.signed_number());
    push(Any(Shape(std::move(extents))));
  }

  void make_list() {
    size_t count = count_of_parts(1);
    size_t first = values_.size() - count;
    List<Any> result;
    result.reserve(static_cast<int64_t>(count));
    for (size_t i = 0; i < count; ++i) result.push_back(std::move(values_.data()[first + i]));
    values_.release_from(first);
    push(Any(std::move(result)));
  }

  template <typename Mapping>
  void make_mapping() {
    size_t first = values_.size() - count_of_parts(2);
    if (has_text_keys(first)) {
      return values_.make_mapping(Mapping::ContainerType::RuntimeTypeIndex(), first);
    }
    Mapping result;
    for (size_t i = first; i < values_.size(); i += 2) {
      result.Set(values_.data()[i], values_.data()[i + 1]);  // may run a hook of the key
    }
    values_.release_from(first);
    push(Any(std::move(result)));
  }

  bool has_text_keys(size_t first) {
    for (size_t i = first; i < values_.size(); i += 2) {
      if (text_kind(raw(values_.data()[i]).type_index) != kTVMFFIStr) return false;
    }
    return true;
  }

  void make_object() {
    const TypeIn& type = type_named();
    need(type.num_fields);
    size_t first = values_.size() - type.num_fields;
    if (!HasCreator(type.type)) throw_damaged("a type whose objects cannot be made");
    ObjectPtr<Object> object = CreateEmptyObject(type.type);  // runs foreign code
    for (size_t i = 0; i < type.num_fields; ++i) {
      if (type.fields[i] == nullptr) continue;
      set_field(type.fields[i], values_.data()[first + i], object.get());
    }
    for (const TVMFFIFieldInfo* field : type.missing) set_default(type, field, object.get());
    values_.release_from(first);
    push(Any(ObjectRef(std::move(object))));
  }

  static void* address_of(const TVMFFIFieldInfo* field, Object* object) {
    return reinterpret_cast<char*>(detail::ObjectUnsafe::GetHeader(object)) + field->offset;
  }

  void set_field(const TVMFFIFieldInfo* field, const Any& value, Object* object) {
    if (is_none_already(*field, value, object)) return;
    try {
      TVM_FFI_CHECK_SAFE_CALL(reflection::CallFieldSetter(
          field, address_of(field, object), detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value)));
    } catch (const Error& error) {
      if (error.message().rfind("Cannot convert from type ", 0) != 0) throw;
      std::string place = " for field `" + std::string(ToStringView(field->name)) + "`";
      throw with_origin(Error(error.kind(), error.message() + place, error.backtrace()), error);
    }
  }

  void set_default(const TypeIn& type, const TVMFFIFieldInfo* field, Object* object) {
    if ((field->flags & kTVMFFIFieldFlagBitMaskHasDefault) == 0) {
      TVM_FFI_THROW(TypeError) << "Required field `" << ToStringView(field->name)
                               << "` not set in type `" << ToStringView(type.type->type_key) << "`";
    }
    reflection::SetFieldToDefault(field, address_of(field, object));
  }

  void make_by_hook() {
    const TypeIn& type = type_named();
    Any data = pop();
    std::optional<Bytes> program = data.as<Bytes>();
    Any hook = reflection::TypeAttrColumn("__data_from_json__")[type.type->type_index];
    std::optional<Function> make = hook.as<Function>();
    if (!program.has_value() || !make.has_value()) {
      throw_damaged("type `" + std::string(ToStringView(type.type->type_key)) +
                    "` does not have `__data_from_json__`");
    }
    HookScope scope(kPackReadOperation);
    push((*make)(unpack_graph(*program, {}, {})));  // runs foreign code
  }

  bool is_list() {
    uint8_t sequence = in_.byte();
    if (sequence > 1) throw_damaged("a sequence is neither an Array nor a List");
    return sequence == 1;
  }

  void make_ints() {
    bool list = is_list();
    int width = in_.byte();
    if (width != 1 && width != 2 && width != 4 && width != 8) throw_damaged("a width of integers");
    size_t count = in_.length(static_cast<size_t>(width));
    const uint8_t* at = in_.take(count * static_cast<size_t>(width));
    const int shift = 64 - 8 * width;
    make_numbers(list, count, [at, width, shift](size_t i) {
      uint64_t bits = ProgramIn::fixed_at(at + i * static_cast<size_t>(width), width);
      return Any(static_cast<int64_t>(bits << shift) >> shift);
    });
  }

  void make_floats() {
    bool list = is_list();
    size_t count = in_.length(8);
    const uint8_t* at = in_.take(count * 8);
    make_numbers(list, count,
                 [at](size_t i) { return Any(float_of(ProgramIn::fixed_at(at + i * 8, 8))); });
  }

  template <typename Number>
  void make_numbers(bool list, size_t count, Number number) {
    if (list) {
      push(sequence_of<List<Any>>(count, number));
    } else {
      push(sequence_of<Array<Any>>(count, number));
    }
  }

  template <typename Sequence, typename Number>
  static Any sequence_of(size_t count, Number number) {
    Sequence result;
    result.reserve(static_cast<int64_t>(count));
    for (size_t i = 0; i < count; ++i) result.push_back(number(i));
    return Any(std::move(result));
  }

  ProgramIn in_;
  const Array<Any>& externals_;
  std::vector<TypeIn> types_;
  ValueStack values_;
  std::vector<Any> kept_;
};

}  // namespace

Any unpack_graph(const Bytes& program, const Array<Array<Any>>& types,
                 const Array<Any>& externals) {
  return PackReader(program, types, externals).read();
}

}  // namespace tvm::ffi::runtime

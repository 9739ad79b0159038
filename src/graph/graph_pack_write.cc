// SPDX-License-Identifier: Apache-2.0
// Writes the packed form of a graph: a traversal that writes a value after its parts.
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>

#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph_json.h"
#include "graph/graph_pack.h"
#include "graph/leaf.h"
#include "graph/reused_table.h"
#include "graph/walk.h"

namespace tvm::ffi::runtime {
namespace {

constexpr const char* kPackWriteOperation = "pickle";
// `PackWriteFrame::position` of objects that are not in the table of shared objects, because they
// can be reached only once.
constexpr int64_t kNotShared = -1;

struct PackWriteFrame {
  Children children;
  int64_t position;  // in the table of shared objects
  int64_t type;      // for an object with fields: number of its type
};

// The program under construction.
class ProgramOut {
 public:
  void op(PackOp op) { bytes_.push_back(static_cast<char>(op)); }
  void byte(uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<uint8_t>(value | 0x80));
    byte(static_cast<uint8_t>(value));
  }
  void signed_number(int64_t value) {
    number((static_cast<uint64_t>(value) << 1) ^ (value < 0 ? ~uint64_t{0} : 0));
  }
  void fixed(uint64_t value, int width) {
    char raw[8];
    for (int i = 0; i < width; ++i) raw[i] = static_cast<char>(value >> (8 * i));
    bytes_.append(raw, static_cast<size_t>(width));
  }
  void text(std::string_view text) {
    number(text.size());
    bytes_.append(text.data(), text.size());
  }
  void reserve_more(size_t size) { bytes_.reserve(bytes_.size() + size); }
  Bytes finish() { return Bytes(std::move(bytes_)); }

 private:
  std::string bytes_;
};

uint64_t bits_of(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// Whether the objects of a type always become externals.
bool is_left_to_caller(int32_t type_index) {
  switch (type_index) {
    case kTVMFFITensor:
    case kTVMFFIFunction:
    case kTVMFFIModule:
    case kTVMFFIError:
    case kTVMFFIOpaquePyObject:
      return true;
    default:
      return false;
  }
}

class PackWriter {
 public:
  // `wanted` is the number of the external whose path is requested, or -1.
  explicit PackWriter(const Function& is_external, int64_t wanted = -1)
      : is_external_(is_external),
        wanted_(wanted),
        stack_(kPackWriteOperation, &held_),
        to_json_("__data_to_json__") {}

  void write(const Any& root) {
    visit(held_.keep(root));
    while (!stack_.empty() && !is_found_) {
      TVMFFIAny child;
      if (stack_.back().children.next(&child, &held_)) {
        visit(child);
      } else {
        close();
      }
    }
  }

  PackedGraph finish() {
    out_.op(PackOp::kEnd);
    return {out_.finish(), std::move(types_), std::move(externals_)};
  }
  const std::string& found_path() const { return found_path_; }

 private:
  // How objects of a type are written.
  enum class Manner : uint8_t { kExternal, kEnum, kHook, kFields };
  struct TypePlan {
    Manner manner;
    EnumTraits traits;
    int64_t number = -1;  // index in the types of the program, or -1
  };

  void visit(const TVMFFIAny& value) {
    if (write_leaf(value)) return;
    int64_t position = kNotShared;
    if (!has_one_reference(value.v_obj)) {
      bool is_new;
      position = shared_->position_of({value.v_obj}, &is_new);
      if (!is_new) return write_again(value.v_obj, static_cast<uint32_t>(position));
      held_.keep_key(value.v_obj);
      shared_->at(static_cast<uint32_t>(position)) = kOpen;
    }
    switch (value.type_index) {
      case kTVMFFIStr:
        write_text(PackOp::kStr, value);
        return keep(position);
      case kTVMFFIBytes:
        write_text(PackOp::kBytes, value);
        return keep(position);
      case kTVMFFIShape:
        write_shape(value);
        return keep(position);
      case kTVMFFIArray:
      case kTVMFFIList:
        if (write_numbers(value.v_obj)) return keep(position);
        stack_.push({Children(value.v_obj), position, -1});
        return;
      case kTVMFFIMap:
      case kTVMFFIDict:
        stack_.push({Children(value.v_obj), position, -1});
        return;
      default:
        write_object(value, position);
    }
  }

  void write_again(TVMFFIObject* object, uint32_t position) {
    int64_t state = shared_->at(position);
    if (state == kOpen) {
      TVM_FFI_THROW(ValueError) << write_cycle_error(object) << ", at " << path();
    }
    if (state < kOpen) {
      write_external_number(kFirstExternal - state);
    } else {
      out_.op(PackOp::kRef);
      out_.number(static_cast<uint64_t>(state));
    }
  }

  // Writes an operation that numbers the value on top of the stack, so that a kRef can refer to it.
  void keep(int64_t position) {
    if (position == kNotShared) return;
    shared_->at(static_cast<uint32_t>(position)) = num_kept_++;
    out_.op(PackOp::kKeep);
  }

  // Writes a value that is not an object; each occurrence of such a value is written. Returns false
  // for an object.
  bool write_leaf(const TVMFFIAny& value) {
    switch (value.type_index) {
      case kTVMFFINone:
        out_.op(PackOp::kNone);
        return true;
      case kTVMFFIBool:
        out_.op(value.v_int64 != 0 ? PackOp::kTrue : PackOp::kFalse);
        return true;
      case kTVMFFIInt:
        out_.op(PackOp::kInt);
        out_.signed_number(value.v_int64);
        return true;
      case kTVMFFIFloat:
        out_.op(PackOp::kFloat);
        out_.fixed(bits_of(value.v_float64), 8);
        return true;
      case kTVMFFISmallStr:
        write_text(PackOp::kStr, value);
        return true;
      case kTVMFFISmallBytes:
        write_text(PackOp::kBytes, value);
        return true;
      case kTVMFFIDataType:
        out_.op(PackOp::kDataType);
        out_.byte(value.v_dtype.code);
        out_.byte(value.v_dtype.bits);
        out_.fixed(value.v_dtype.lanes, 2);
        return true;
      case kTVMFFIDevice:
        out_.op(PackOp::kDevice);
        out_.signed_number(value.v_device.device_type);
        out_.signed_number(value.v_device.device_id);
        return true;
      default:
        if (value.type_index >= kTVMFFIStaticObjectBegin) return false;
        TVM_FFI_THROW(TypeError) << "cannot pickle " << path() << ": a `"
                                 << TypeIndexToTypeKey(value.type_index)
                                 << "` has no meaning in another process";
        TVM_FFI_UNREACHABLE();
    }
  }

  void write_shape(const TVMFFIAny& value) {
    Shape shape = owned(value).cast<Shape>();
    out_.op(PackOp::kShape);
    out_.number(shape.size());
    for (int64_t extent : shape) out_.signed_number(extent);
  }

  // Writes a sequence of integers as kInts, and a sequence of floats as kFloats. Returns false for
  // every other sequence, and for a sequence of fewer than kFew elements.
  bool write_numbers(TVMFFIObject* object) {
    const SeqBaseObj* elements = detail::AsSequence(object);
    const size_t size = elements->size();
    constexpr size_t kFew = 4;
    if (size < kFew) return false;
    const Any* begin = elements->begin();
    const int32_t kind = begin->type_index();
    if (kind != kTVMFFIInt && kind != kTVMFFIFloat) return false;
    uint64_t magnitude = 0;  // bitwise OR of all integers, without the signs
    for (size_t i = 0; i < size; ++i) {
      if (begin[i].type_index() != kind) return false;
      int64_t value = raw(begin[i]).v_int64;
      magnitude |= static_cast<uint64_t>(value < 0 ? ~value : value);
    }
    const uint8_t sequence = object->type_index == kTVMFFIList;
    if (kind == kTVMFFIFloat) {
      out_.op(PackOp::kFloats);
      out_.byte(sequence);
      out_.number(size);
      out_.reserve_more(size * 8);
      for (size_t i = 0; i < size; ++i) out_.fixed(bits_of(raw(begin[i]).v_float64), 8);
      return true;
    }
    const int width = magnitude < 0x80         ? 1
                      : magnitude < 0x8000     ? 2
                      : magnitude < 0x80000000 ? 4
                                               : 8;
    out_.op(PackOp::kInts);
    out_.byte(sequence);
    out_.byte(static_cast<uint8_t>(width));
    out_.number(size);
    out_.reserve_more(size * static_cast<size_t>(width));
    for (size_t i = 0; i < size; ++i) {
      out_.fixed(static_cast<uint64_t>(raw(begin[i]).v_int64), width);
    }
    return true;
  }

  void write_object(const TVMFFIAny& value, int64_t position) {
    if (is_left_to_caller(value.type_index)) return write_external(value, position);
    TypePlan& plan = plan_of(value.type_index);
    switch (plan.manner) {
      case Manner::kExternal:
        return write_external(value, position);
      case Manner::kEnum:
        check_is_current(value.type_index);
        write_leaf_or_text(enum_index(find_type(value.type_index), plan.traits, value.v_obj));
        return write_made(PackOp::kEnum, value.type_index, position);
      case Manner::kHook:
        return write_by_hook(value, position);
      default:
        check_is_current(value.type_index);
        check_can_be_made(value.type_index);
        stack_.push({Children(value.v_obj), position, number_of(value.type_index)});
    }
  }

  void write_leaf_or_text(const Any& value) {
    if (!write_leaf(raw(value))) write_text(PackOp::kStr, raw(value));
  }

  // Writes a string or bytes.
  void write_text(PackOp op, const TVMFFIAny& value) {
    out_.op(op);
    out_.text(text_of(value));
  }

  void write_made(PackOp op, int32_t type_index, int64_t position) {
    out_.op(op);
    out_.number(static_cast<uint64_t>(number_of(type_index)));
    keep(position);
  }

  // Writes the data that the hook `__data_to_json__` returns, as a separate program.
  void write_by_hook(const TVMFFIAny& value, int64_t position) {
    check_is_current(value.type_index);
    held_.keep_keys(*shared_.get());
    stack_.hold();
    HookScope scope(kPackWriteOperation);
    Any self = owned(value);
    Any data = to_json_[value.type_index].cast<Function>()(self);  // runs foreign code
    PackedGraph packed = pack_graph(data, is_external_);
    if (!packed.externals.empty() || !packed.types.empty()) {
      TVM_FFI_THROW(TypeError) << "cannot pickle " << path() << ": `__data_to_json__` of `"
                               << TypeIndexToTypeKey(value.type_index)
                               << "` must return plain data";
    }
    out_.op(PackOp::kBytes);
    out_.text({packed.program.data(), packed.program.size()});
    write_made(PackOp::kHook, value.type_index, position);
  }

  void write_external(const TVMFFIAny& value, int64_t position) {
    const auto number = static_cast<int64_t>(num_externals_++);
    if (number == wanted_) {
      is_found_ = true;
      found_path_ = path();
    }
    if (position != kNotShared) {
      shared_->at(static_cast<uint32_t>(position)) = kFirstExternal - number;
    }
    externals_.push_back(owned(value));
    write_external_number(number);
  }
  void write_external_number(int64_t number) {
    out_.op(PackOp::kExternal);
    out_.number(static_cast<uint64_t>(number));
  }

  // Writes the operation for the value on top of the stack, whose parts have been written.
  void close() {
    const PackWriteFrame& frame = stack_.back();
    TVMFFIObject* object = frame.children.object();
    const int64_t position = frame.position;
    switch (object->type_index) {
      case kTVMFFIArray:
      case kTVMFFIList:
        out_.op(object->type_index == kTVMFFIArray ? PackOp::kArray : PackOp::kList);
        out_.number(static_cast<uint64_t>(frame.children.num_visited()));
        break;
      case kTVMFFIMap:
      case kTVMFFIDict:
        out_.op(object->type_index == kTVMFFIMap ? PackOp::kMap : PackOp::kDict);
        out_.number(static_cast<uint64_t>(frame.children.num_visited() - 1) / 2);
        break;
      default:
        out_.op(PackOp::kObject);
        out_.number(static_cast<uint64_t>(frame.type));
    }
    stack_.pop();
    keep(position);
  }

  TypePlan& plan_of(int32_t type_index) {
    if (recent_ != nullptr && recent_index_ == type_index) return *recent_;
    auto it = plans_.find(type_index);
    if (it == plans_.end()) it = plans_.emplace(type_index, make_plan(type_index)).first;
    recent_index_ = type_index;
    return *(recent_ = &it->second);
  }

  TypePlan make_plan(int32_t type_index) {
    TypePlan plan{};
    const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(type_index);
    plan.traits = enum_traits(type);
    if (ask_caller(type_index)) {
      plan.manner = Manner::kExternal;
    } else if (plan.traits.is_enum) {
      plan.manner = Manner::kEnum;
    } else if (to_json_[type_index].type_index() != kTVMFFINone) {
      plan.manner = Manner::kHook;
    } else {
      plan.manner = Manner::kFields;
    }
    return plan;
  }

  bool ask_caller(int32_t type_index) {
    held_.keep_keys(*shared_.get());
    stack_.hold();
    return is_external_(type_index).cast<bool>();  // runs foreign code
  }

  int64_t number_of(int32_t type_index) {
    TypePlan& plan = plan_of(type_index);
    if (plan.number >= 0) return plan.number;
    Array<Any> entry{Any(static_cast<int64_t>(type_index))};
    if (plan.manner == Manner::kFields) {
      const std::vector<PlannedField>& fields = field_plan(type_index).fields;
      entry.reserve(static_cast<int64_t>(fields.size()) + 1);
      for (const PlannedField& field : fields) {
        entry.push_back(String(field.info->name.data, field.info->name.size));
      }
    }
    types_.push_back(entry);
    return plan.number = static_cast<int64_t>(types_.size()) - 1;
  }

  void check_is_current(int32_t type_index) {
    if (!is_outdated(type_index)) return;
    TVM_FFI_THROW(TypeError) << "cannot pickle " << path() << ": "
                             << outdated_type_error(type_index);
  }

  void check_can_be_made(int32_t type_index) {
    const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(type_index);
    if (HasCreator(type)) return;
    TVM_FFI_THROW(TypeError) << "cannot pickle " << path() << ": objects of type `"
                             << ToStringView(type->type_key)
                             << "` can only be made by its own functions (no native creator or "
                                "__ffi_new__ type attr)";
  }

  // Returns the path to the value that is being written: `value.layers[3]["fn"]`.
  std::string path() {
    std::string text = "value";
    for (size_t i = 0; i < stack_.size(); ++i) append_step(stack_[i].children, &text);
    return text;
  }

  void append_step(const Children& children, std::string* text) {
    switch (children.kind()) {
      case Children::kSequence:
        text->append("[").append(std::to_string(children.index())).append("]");
        return;
      case Children::kMapping:
        append_entry(children, text);
        return;
      default:
        text->append(".").append(ToStringView(children.field().info->name));
    }
  }

  void append_entry(const Children& children, std::string* text) {
    int64_t entry = (children.num_visited() - 1) / 2;
    text->append(children.is_at_key() ? ".key(" : "[");
    auto it = children.mapping()->begin();
    for (int64_t i = 0; i < entry && it != children.mapping()->end(); ++i) ++it;
    const Any* key = it == children.mapping()->end() ? nullptr : &it->first;
    std::optional<String> name = key == nullptr ? std::nullopt : key->as<String>();
    if (name.has_value()) {
      text->append("\"").append(name->data(), name->size()).append("\"");
    } else if (key != nullptr && key->type_index() == kTVMFFIInt) {
      text->append(std::to_string(raw(*key).v_int64));
    } else {
      text->append("entry ").append(std::to_string(entry));
    }
    text->append(children.is_at_key() ? ")" : "]");
  }

  // States of shared objects: the number of a kept value; kOpen while the object is being written;
  // or kFirstExternal minus the number of an external.
  static constexpr int64_t kOpen = -1;
  static constexpr int64_t kFirstExternal = -2;

  const Function& is_external_;
  int64_t wanted_;
  bool is_found_ = false;
  std::string found_path_;
  Held held_;
  WalkStack<PackWriteFrame> stack_;
  reflection::TypeAttrColumn to_json_;
  ReusedTable<IdentityMap<int64_t>> shared_;
  std::unordered_map<int32_t, TypePlan> plans_;
  TypePlan* recent_ = nullptr;
  int32_t recent_index_ = -1;
  int64_t num_kept_ = 0;
  int64_t num_externals_ = 0;
  Array<Array<Any>> types_;
  Array<Any> externals_;
  ProgramOut out_;
};

}  // namespace

PackedGraph pack_graph(const Any& value, const Function& is_external) {
  PackWriter writer(is_external);
  writer.write(value);
  return writer.finish();
}

String path_of_external(const Any& value, const Function& is_external, int64_t external) {
  PackWriter writer(is_external, external);
  writer.write(value);
  return String(writer.found_path());
}

}  // namespace tvm::ffi::runtime

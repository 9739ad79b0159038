// SPDX-License-Identifier: Apache-2.0
// A client that makes and checks each kind of value that is not a container.
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "side.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

const char* const kLongText = "text of more than seven bytes, h\xc3\xa9";

// ---------------------------------------------------------------- plain values

int64_t make_int() { return -(int64_t{1} << 62) + 5; }
bool check_int(int64_t value) { return value == make_int(); }

double make_float() { return 0.1; }
bool check_float(double value) { return value == 0.1; }

bool make_bool() { return true; }
bool check_bool(bool value) { return value; }

void make_none() {}
bool check_none(Any value) { return value == nullptr && value.type_index() == kTVMFFINone; }

DLDataType make_dtype() { return DLDataType{kDLBfloat, 16, 4}; }
bool check_dtype(DLDataType value) { return value == make_dtype(); }

DLDevice make_device() { return DLDevice{kDLCUDA, 3}; }
bool check_device(DLDevice value) { return value.device_type == kDLCUDA && value.device_id == 3; }

void* make_pointer() { return reinterpret_cast<void*>(0x1234); }
bool check_pointer(void* value) { return value == make_pointer(); }

// ---------------------------------------------------------------- text and bytes

String make_small_text() { return "seven.."; }
bool check_small_text(const Any& value) {
  return value.type_index() == kTVMFFISmallStr && value.cast<String>() == "seven..";
}

String make_long_text() { return kLongText; }
bool check_long_text(String value) {
  return value == kLongText && std::strlen(value.c_str()) == value.size() &&
         value.compare(std::string(kLongText)) == 0;
}

// Return a String made from an rvalue std::string. It is a heap object although the text is short.
String make_kept_text() { return String(std::string("kept")); }
bool check_kept_text(const Any& value) {
  return value.type_index() == kTVMFFIStr && AnyEqual()(value, Any(String("kept"))) &&
         AnyHash()(value) == AnyHash()(Any(String("kept")));
}

Bytes make_small_bytes() { return Bytes("a\0b", 3); }
bool check_small_bytes(Bytes value) {
  return value.size() == 3 && std::memcmp(value.data(), "a\0b", 3) == 0;
}

Bytes make_long_bytes() { return Bytes(std::string(100, '\xff')); }
bool check_long_bytes(Bytes value) {
  return value.size() == 100 && std::string(value) == std::string(100, '\xff');
}

// ---------------------------------------------------------------- shapes and tensors

Shape make_shape() { return Shape({2, 3, int64_t{1} << 40}); }
bool check_shape(Shape value) {
  return value.size() == 3 && value[2] == int64_t{1} << 40 && value.Product() == 6 * value[2];
}

struct HostMemory {
  void AllocData(DLTensor* tensor) { tensor->data = std::malloc(GetDataSize(*tensor)); }
  void FreeData(DLTensor* tensor) { std::free(tensor->data); }
};

Tensor make_tensor() {
  Tensor made = Tensor::FromNDAlloc(HostMemory(), Shape({2, 3}), DLDataType{kDLFloat, 32, 1},
                                    DLDevice{kDLCPU, 0});
  auto* data = static_cast<float*>(made.data_ptr());
  for (int i = 0; i < 6; ++i) data[i] = static_cast<float>(i);
  return made;
}

bool holds_the_numbers(const void* data) {
  for (int i = 0; i < 6; ++i) {
    if (static_cast<const float*>(data)[i] != static_cast<float>(i)) return false;
  }
  return true;
}

bool check_tensor(Tensor value) {
  return value.ndim() == 2 && value.size(-1) == 3 && value.stride(0) == 3 && value.numel() == 6 &&
         value.IsContiguous() && holds_the_numbers(value.data_ptr());
}

bool check_tensor_view(TensorView value) {
  return value.ndim() == 2 && value.size(0) == 2 && holds_the_numbers(value.data_ptr());
}

bool check_tensor_pointer(DLTensor* value) {
  return value->ndim == 2 && value->shape[1] == 3 && holds_the_numbers(value->data);
}

// Export and import a tensor of the other side through DLPack.
Tensor through_dlpack(const Tensor& value, bool versioned) {
  if (versioned) return Tensor::FromDLPackVersioned(value.ToDLPackVersioned());
  return Tensor::FromDLPack(value.ToDLPack());
}

Tensor second_row(const Tensor& value) {
  const std::array<int64_t, 1> shape{3}, strides{1};
  return value.as_strided(ShapeView(shape.data(), 1), ShapeView(strides.data(), 1), 3);
}

double sum_of(TensorView value) {
  double sum = 0;
  const auto* data = reinterpret_cast<const float*>(static_cast<const char*>(value.data_ptr()) +
                                                    value.byte_offset());
  for (int64_t i = 0; i < value.numel(); ++i) sum += data[i];
  return sum;
}

// ---------------------------------------------------------------- values passed between functions

// Pass the result of one function to another; the caller's language does not see the value.
bool relay(const Function& make, const Function& check) { return check(make()).cast<bool>(); }

bool takes_over(RValueRef<Array<int64_t>> value) {
  Array<int64_t> mine = *std::move(value);
  return mine.unique() && mine.size() == 3;
}

bool hands_over(const Function& taker) {
  Array<int64_t> numbers{1, 2, 3};
  bool unique_there = taker(RValueRef(std::move(numbers))).cast<bool>();
  return unique_there && !numbers.defined();
}

}  // namespace

INTEROP_EXPORT(make_int);
INTEROP_EXPORT(check_int);
INTEROP_EXPORT(make_float);
INTEROP_EXPORT(check_float);
INTEROP_EXPORT(make_bool);
INTEROP_EXPORT(check_bool);
INTEROP_EXPORT(make_none);
INTEROP_EXPORT(check_none);
INTEROP_EXPORT(make_dtype);
INTEROP_EXPORT(check_dtype);
INTEROP_EXPORT(make_device);
INTEROP_EXPORT(check_device);
INTEROP_EXPORT(make_pointer);
INTEROP_EXPORT(check_pointer);
INTEROP_EXPORT(make_small_text);
INTEROP_EXPORT(check_small_text);
INTEROP_EXPORT(make_long_text);
INTEROP_EXPORT(check_long_text);
INTEROP_EXPORT(make_kept_text);
INTEROP_EXPORT(check_kept_text);
INTEROP_EXPORT(make_small_bytes);
INTEROP_EXPORT(check_small_bytes);
INTEROP_EXPORT(make_long_bytes);
INTEROP_EXPORT(check_long_bytes);
INTEROP_EXPORT(make_shape);
INTEROP_EXPORT(check_shape);
INTEROP_EXPORT(make_tensor);
INTEROP_EXPORT(check_tensor);
INTEROP_EXPORT(check_tensor_view);
INTEROP_EXPORT(check_tensor_pointer);
INTEROP_EXPORT(through_dlpack);
INTEROP_EXPORT(second_row);
INTEROP_EXPORT(sum_of);
INTEROP_EXPORT(relay);
INTEROP_EXPORT(takes_over);
INTEROP_EXPORT(hands_over);

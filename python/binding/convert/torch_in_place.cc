// SPDX-License-Identifier: Apache-2.0
#include "torch_in_place.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>

#include "../attach.h"
#include "../ref.h"
#include "../state.h"
#include "class_cache.h"
#include "convert.h"

namespace binding {
namespace {

// A C++ object of PyTorch, as words of 8 bytes at offsets in bytes.
class Words {
 public:
  explicit Words(const void* memory) : memory_(static_cast<const char*>(memory)) {}
  explicit Words(uint64_t address) : memory_(reinterpret_cast<const char*>(address)) {}
  BINDING_INLINE uint64_t operator[](Py_ssize_t offset) const {
    uint64_t word;
    std::memcpy(&word, memory_ + offset, sizeof(word));
    return word;
  }
  // Returns the first four bytes of a word.
  BINDING_INLINE uint32_t first_half(Py_ssize_t offset) const {
    uint32_t half;
    std::memcpy(&half, memory_ + offset, sizeof(half));
    return half;
  }
  // Returns words as extents or strides, without a copy.
  BINDING_INLINE const int64_t* from(Py_ssize_t offset) const {
    return reinterpret_cast<const int64_t*>(memory_ + offset);
  }

 private:
  const char* memory_;
};

constexpr Py_ssize_t kWord = sizeof(uint64_t);

bool is_one_bit(uint64_t mask) { return mask != 0 && (mask & (mask - 1)) == 0; }

// Calls a function on a new thread. New reference, or NULL with an exception set; NULL without an
// exception if no thread could be started.
Ref call_on_new_thread(PyObject* function) {
  Ref result;
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  try {
    Detach detached;
    std::thread([&] {
      Attach attached;
      if (!attached) return;
      result = Ref(PyObject_CallNoArgs(function));  // runs Python
      if (!result) PyErr_Fetch(&type, &value, &traceback);
    }).join();
  } catch (const std::system_error&) {
  }
  if (type != nullptr) PyErr_Restore(type, value, traceback);
  return result;
}

// Returns two lists of sample tensors from tvm_ffi._values.torch. Modes of PyTorch (dispatch and
// function modes, tracing, transforms, inference mode, profilers) are those of a thread, and Python
// handles signals on the main thread. So on a thread of its own, neither a mode nor Ctrl-C meets
// the samples. Returns an empty reference if there are none, with an exception set only if it is
// not an Exception.
Ref make_samples() {
  Ref function(state_import("tvm_ffi._values.torch", "samples"));
  Ref samples;
  if (function) samples = call_on_new_thread(function.get());
  if (!is_stop_raised()) clear_error();
  return samples;
}

// A borrowed list of tuples that start with a tensor.
class Samples {
 public:
  explicit Samples(PyObject* list) : list_(list) {}
  Py_ssize_t size() const { return PyList_GET_SIZE(list_); }
  PyObject* item(Py_ssize_t sample, Py_ssize_t index) const {
    return PyTuple_GET_ITEM(PyList_GET_ITEM(list_, sample), index);
  }
  PyObject* tensor(Py_ssize_t sample) const { return item(sample, 0); }
  uint64_t number(Py_ssize_t sample, Py_ssize_t index) const { return number(item(sample, index)); }
  // Returns whether the words of a sample that start at `start` are the numbers in a tuple.
  bool are_words(Py_ssize_t sample, Py_ssize_t index, Words words, Py_ssize_t start) const {
    PyObject* numbers = item(sample, index);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(numbers); ++i) {
      if (words[start + i * kWord] != number(PyTuple_GET_ITEM(numbers, i))) return false;
    }
    return true;
  }

 private:
  static uint64_t number(PyObject* x) { return PyLong_AsUnsignedLongLongMask(x); }

  PyObject* list_;
};

// Returns the first offset of a word from `begin` to `end` for which `matches(sample, offset)` is
// true for all samples; -1 if there is none.
template <typename Matches>
Py_ssize_t find_offset(const Samples& samples, Py_ssize_t begin, Py_ssize_t end, Matches matches) {
  for (Py_ssize_t offset = begin; offset + kWord <= end; offset += kWord) {
    Py_ssize_t sample = 0;
    while (sample < samples.size() && matches(sample, offset)) ++sample;
    if (sample == samples.size()) return offset;
  }
  return -1;
}

// Returns the first offset from `begin` to `end` at which the object `words(sample)` of each sample
// has the number that is the item `item` of the sample; -1 if there is none.
template <typename WordsOf>
Py_ssize_t find_number(const Samples& samples, Py_ssize_t item, Py_ssize_t begin, Py_ssize_t end,
                       WordsOf words) {
  return find_offset(samples, begin, end, [&](Py_ssize_t sample, Py_ssize_t offset) {
    return words(sample)[offset] == samples.number(sample, item);
  });
}

// The negative and the conjugate bit, which DLPack does not express.
struct Bits {
  PyTypeObject* base;  // base class of all tensors, never dereferenced
  Py_ssize_t object;   // of the address of the C++ object in the Python object
  Py_ssize_t word;     // of the bits in the C++ object
  uint64_t negative;
  uint64_t conjugate;
};

BINDING_INLINE Words tensor_words(const Bits& bits, PyObject* x) {
  return Words(Words(x)[bits.object]);
}

class BitsSearch {
 public:
  static std::optional<Bits> run(const Samples& samples) {
    PyObject* method =
        _PyType_Lookup(Py_TYPE(samples.tensor(0)), state().names.is_neg);  // borrowed
    if (method == nullptr || !Py_IS_TYPE(method, &PyMethodDescr_Type)) return std::nullopt;
    Bits bits{};
    bits.base = PyDescr_TYPE(method);
    bits.object = find_number(samples, kAddress, sizeof(PyObject), bits.base->tp_basicsize,
                              [&](Py_ssize_t sample) { return Words(samples.tensor(sample)); });
    if (bits.object < 0) return std::nullopt;
    for (bits.word = 0; bits.word + kWord <= kTensorSize; bits.word += kWord) {
      bits.negative = bits_of(samples, bits, kIsNegative);
      bits.conjugate = bits_of(samples, bits, kIsConjugate);
      if (is_one_bit(bits.negative) && is_one_bit(bits.conjugate) &&
          bits.negative != bits.conjugate) {
        return bits;
      }
    }
    return std::nullopt;
  }

 private:
  // Items of a sample.
  static constexpr Py_ssize_t kAddress = 1, kIsNegative = 2, kIsConjugate = 3;
  // Minimum size in bytes of the C++ object of a tensor, over all releases of PyTorch with an
  // exchange table.
  static constexpr Py_ssize_t kTensorSize = 184;

  // Returns the bits of a word that are set in exactly the samples whose item `item` is True.
  static uint64_t bits_of(const Samples& samples, const Bits& bits, Py_ssize_t item) {
    uint64_t in_all = ~uint64_t{0}, in_others = 0;
    for (Py_ssize_t sample = 0; sample < samples.size(); ++sample) {
      uint64_t word = tensor_words(bits, samples.tensor(sample))[bits.word];
      if (samples.item(sample, item) == Py_True) {
        in_all &= word;
      } else {
        in_others |= word;
      }
    }
    return in_all & ~in_others;
  }
};

// The offsets of what DLPack expresses.
struct Parts {
  const DLPackExchangeAPI* api;  // the table of PyTorch
  Py_ssize_t max_dimensions;     // with more, shape and strides may be elsewhere
  // In the C++ object of a tensor:
  Py_ssize_t storage, dimensions, elements, offset, shape, strides;
  Py_ssize_t flags;  // two words: data type, device, layout, negative and conjugate bit, ...
  // In the storage:
  Py_ssize_t data;
  Py_ssize_t deleter;  // differs, for example, for memory that is shared until it is written to
  Py_ssize_t bytes;    // the size
  Py_ssize_t checks;   // what PyTorch checks before it gives out the address of the memory
};

// A tensor and its storage, where the parts are known.
struct Tensor {
  Words tensor;
  Words storage;
  const Parts& parts;

  uint64_t dimensions() const { return tensor[parts.dimensions]; }
  uint64_t offset() const { return tensor[parts.offset]; }
};

// Returns the tensor at an address; nothing if it has no storage.
BINDING_INLINE std::optional<Tensor> tensor_at(const Bits& bits, const Parts& parts, PyObject* x) {
  Words tensor = tensor_words(bits, x);
  uint64_t storage = tensor[parts.storage];
  if (BINDING_UNLIKELY(storage == 0)) return std::nullopt;
  return Tensor{tensor, Words(storage), parts};
}

// What decides, together with the numbers, how PyTorch describes a tensor. PyTorch leaves one bit
// of the flags uninitialized, so a kind may be stored twice.
struct Kind {
  uint64_t table;  // virtual functions of the tensor; 0: no kind
  uint64_t flags[2];
  uint64_t deleter;
  uint32_t checks;

  BINDING_INLINE static Kind of(const Tensor& x) {
    return {x.tensor[0],
            {x.tensor[x.parts.flags], x.tensor[x.parts.flags + kWord]},
            x.storage[x.parts.deleter],
            x.storage.first_half(x.parts.checks)};
  }
  BINDING_INLINE bool operator==(const Kind& other) const {
    uint64_t differences = (table ^ other.table) | (flags[0] ^ other.flags[0]) |
                           (flags[1] ^ other.flags[1]) | (deleter ^ other.deleter);
    return (differences | (checks ^ other.checks)) == 0;
  }
  BINDING_INLINE uint64_t hash() const {
    return (flags[0] ^ (flags[1] << 1) ^ (deleter << 2)) * 0x9E3779B97F4A7C15u;
  }
};

// How PyTorch has described a tensor of a kind.
struct Description {
  Kind kind;
  DLDataType dtype;
  DLDevice device;
  uint32_t element_size;  // in bytes
  bool with_offset;       // the tensor did not start with its storage
  uint32_t reads_left;    // until PyTorch describes a tensor of the kind again

  // Describes a tensor of the kind. Returns false if PyTorch has to be asked.
  BINDING_INLINE bool apply(const Tensor& x, DLTensor* out) const {
    uint64_t dimensions = x.dimensions(), offset = x.offset();
    uint64_t memory = x.storage[x.parts.data];
    // PyTorch gives no address for a tensor without elements, whatever its storage has.
    if (dimensions > static_cast<uint64_t>(x.parts.max_dimensions) || memory == 0 ||
        x.tensor[x.parts.elements] == 0 || (offset != 0 && !with_offset)) {
      return false;
    }
    const int64_t* shape = x.tensor.from(x.parts.shape);
    const int64_t* strides = x.tensor.from(x.parts.strides);
    uint64_t end = offset + 1;
    for (uint64_t i = 0; i < dimensions; ++i) {
      end += static_cast<uint64_t>(shape[i] - 1) * static_cast<uint64_t>(strides[i]);
    }
    if (end * element_size > x.storage[x.parts.bytes]) return false;
    out->data = reinterpret_cast<void*>(memory + offset * element_size);
    out->byte_offset = 0;
    out->device = device;
    out->ndim = static_cast<int32_t>(dimensions);
    out->dtype = dtype;
    out->shape = const_cast<int64_t*>(shape);
    out->strides = const_cast<int64_t*>(strides);
    return true;
  }
};

bool same_tensor(const DLTensor& a, const DLTensor& b) {
  size_t size = sizeof(int64_t) * static_cast<size_t>(a.ndim);
  return a.ndim == b.ndim && a.data == b.data && a.byte_offset == b.byte_offset &&
         std::memcmp(&a.dtype, &b.dtype, sizeof(a.dtype)) == 0 &&
         std::memcmp(&a.device, &b.device, sizeof(a.device)) == 0 &&
         (size == 0 || (a.strides != nullptr && b.strides != nullptr &&
                        std::memcmp(a.shape, b.shape, size) == 0 &&
                        std::memcmp(a.strides, b.strides, size) == 0));
}

// Of this number of reads of a kind, PyTorch describes the last one, for comparison.
constexpr uint32_t kReadsOfKind = 1024;

// Returns what PyTorch's description of `x` tells about other tensors of the kind; nothing if the
// parts of `x` do not give this description.
std::optional<Description> learn(const Tensor& x, const DLTensor& expected) {
  if (expected.dtype.bits % 8 != 0 || !torch_device_is_known(expected.device)) return std::nullopt;
  uint32_t element_size = uint32_t{expected.dtype.bits} / 8 * expected.dtype.lanes;
  Description learned{Kind::of(x),  expected.dtype, expected.device,
                      element_size, true,           kReadsOfKind};
  DLTensor found{};
  if (!learned.apply(x, &found) || !same_tensor(found, expected)) return std::nullopt;
  learned.with_offset = x.offset() != 0;
  return learned;
}

class PartsSearch {
 public:
  static std::optional<Parts> run(const Samples& samples, const Bits& bits) {
    Parts parts{};
    if (!find_in_tensors(samples, bits, &parts) || !find_in_storages(samples, bits, &parts)) {
      return std::nullopt;
    }
    parts.api = exchange_api_of_type(Py_TYPE(samples.tensor(0)));
    if (parts.api == nullptr || parts.api->dltensor_from_py_object_no_sync == nullptr ||
        !describes_all(samples, bits, parts)) {
      return std::nullopt;
    }
    return parts;
  }

 private:
  // Items of a sample.
  static constexpr Py_ssize_t kStorage = 1, kData = 2, kBytes = 3, kDimensions = 4, kElements = 5,
                              kOffset = 6, kShape = 7, kStrides = 8;

  static bool find_in_tensors(const Samples& samples, const Bits& bits, Parts* parts) {
    auto words = [&](Py_ssize_t sample) { return tensor_words(bits, samples.tensor(sample)); };
    for (Py_ssize_t i = 0; i < samples.size(); ++i) {
      auto dimensions = static_cast<Py_ssize_t>(samples.number(i, kDimensions));
      if (dimensions > parts->max_dimensions) parts->max_dimensions = dimensions;
    }
    auto find = [&](Py_ssize_t item) {
      return find_number(samples, item, kWord, bits.word, words);
    };
    auto find_run = [&](Py_ssize_t item) {
      Py_ssize_t end = bits.word - (parts->max_dimensions - 1) * kWord;
      return find_offset(samples, kWord, end, [&](Py_ssize_t sample, Py_ssize_t offset) {
        return samples.are_words(sample, item, words(sample), offset);
      });
    };
    parts->storage = find(kStorage);
    parts->dimensions = find(kDimensions);
    parts->elements = find(kElements);
    parts->offset = find(kOffset);
    parts->shape = find_run(kShape);
    parts->strides = find_run(kStrides);
    // The flags follow the numbers, and the word with the bits is the last one.
    parts->flags = bits.word - kWord;
    return parts->storage >= 0 && parts->dimensions >= 0 && parts->elements >= 0 &&
           parts->offset >= 0 && parts->shape >= 0 && parts->strides >= 0 &&
           std::max(parts->elements, parts->offset) + kWord == parts->flags;
  }

  static bool find_in_storages(const Samples& samples, const Bits& bits, Parts* parts) {
    auto words = [&](Py_ssize_t sample) {
      return Words(tensor_words(bits, samples.tensor(sample))[parts->storage]);
    };
    // Virtual functions and reference counts, then the pointer to the memory. Two words follow, of
    // which one is the deleter: all samples have the same, since one allocator made their memory.
    // Then the device and the size in bytes.
    parts->data = find_number(samples, kData, kWord, 4 * kWord, words);
    if (parts->data < 0) return false;
    Py_ssize_t after = parts->data + kWord;
    parts->deleter =
        find_offset(samples, after, after + 2 * kWord, [&](Py_ssize_t sample, Py_ssize_t offset) {
          return words(sample)[offset] == words(0)[offset];
        });
    parts->bytes = find_number(samples, kBytes, after + 2 * kWord, after + 5 * kWord, words);
    parts->checks = parts->bytes + kWord;
    return parts->deleter >= 0 && parts->bytes >= 0;
  }

  static bool describes_all(const Samples& samples, const Bits& bits, const Parts& parts) {
    for (Py_ssize_t i = 0; i < samples.size(); ++i) {
      PyObject* x = samples.tensor(i);
      std::optional<Tensor> tensor = tensor_at(bits, parts, x);
      DLTensor expected{};
      if (!tensor || parts.api->dltensor_from_py_object_no_sync(x, &expected) != 0) return false;
      if (!learn(*tensor, expected)) return false;
    }
    return true;
  }
};

// What is known of the running PyTorch, and the kinds of tensors that it has described.
class TorchInPlace {
 public:
  const Bits& bits() const { return bits_; }

  // Searches at the first call. Returns 1 if tensors can be read in place, 0 if not or not yet, or
  // -1 with an exception set that is not an Exception.
  int find() {
    if (state_ == kNew) {
      state_ = kOff;  // also while other threads run during the search
      if (is_enabled() && search() < 0) return -1;
    }
    return state_ == kFound ? 1 : 0;
  }

  BINDING_INLINE bool describe(PyObject* x, const DLPackExchangeAPI* api, DLTensor* out) {
    std::optional<Tensor> tensor = tensor_of(x, api);
    if (!tensor) return false;
    Kind kind = Kind::of(*tensor);
    Description& known = descriptions_[index(kind)];
    return known.kind == kind && known.apply(*tensor, out) && --known.reads_left != 0;
  }

  // Reads the storage of a tensor; false if it has none.
  bool read_storage(PyObject* x, TorchStorage* out) const {
    std::optional<Tensor> tensor = tensor_at(bits_, parts_, x);
    if (!tensor) return false;
    out->data = reinterpret_cast<const char*>(tensor->storage[parts_.data]);
    out->bytes = tensor->storage[parts_.bytes];
    return true;
  }

  // Returns whether the bits of `mask` are clear. False for a tensor without elements: there are
  // few, and a parameter without a shape, torch.nn.UninitializedParameter, refuses its methods.
  BINDING_INLINE bool has_clear_bits(PyObject* x, uint64_t mask) const {
    Words tensor = tensor_words(bits_, x);
    return (tensor[bits_.word] & mask) == 0 && tensor[parts_.elements] != 0;
  }

  // Compares a description by PyTorch with what is read in place, and takes note of it. Returns
  // false if the two differ; then nothing is read in place from now on.
  bool note(PyObject* x, const DLPackExchangeAPI* api, const DLTensor& description) {
    std::optional<Tensor> tensor = tensor_of(x, api);
    if (!tensor) return true;
    Kind kind = Kind::of(*tensor);
    Description& known = descriptions_[index(kind)];
    DLTensor found{};
    if (known.kind == kind && known.apply(*tensor, &found) && !same_tensor(found, description)) {
      state_ = kOff;
      return false;
    }
    if (auto learned = learn(*tensor, description)) known = *learned;
    return true;
  }

 private:
  enum State { kNew, kOff, kFound };
  static constexpr int kSizeLog2 = 6;

  static bool is_enabled() {
    const char* text = std::getenv("TVM_FFI_TORCH_IN_PLACE");
    return BINDING_HAS_GIL && (text == nullptr || std::strcmp(text, "0") != 0);
  }

  int search() {
    Ref samples = make_samples();
    if (!samples) return PyErr_Occurred() ? -1 : 0;
    Samples of_bits(PyTuple_GET_ITEM(samples.get(), 0));
    Samples of_parts(PyTuple_GET_ITEM(samples.get(), 1));
    std::optional<Bits> bits = BitsSearch::run(of_bits);
    std::optional<Parts> parts;
    if (bits) parts = PartsSearch::run(of_parts, *bits);
    if (is_stop_raised()) return -1;
    clear_error();
    if (!parts) return 0;
    bits_ = *bits;
    parts_ = *parts;
    state_ = kFound;
    return 0;
  }

  // Returns the parts of a tensor; nothing if its table is not PyTorch's.
  BINDING_INLINE std::optional<Tensor> tensor_of(PyObject* x, const DLPackExchangeAPI* api) const {
    if (parts_.api != api) return std::nullopt;
    return tensor_at(bits_, parts_, x);
  }
  BINDING_INLINE static size_t index(const Kind& kind) {
    return static_cast<size_t>(kind.hash() >> (64 - kSizeLog2));
  }

  State state_ = kNew;
  Bits bits_{};
  Parts parts_{};
  // Kinds with the same index replace each other.
  std::array<Description, size_t{1} << kSizeLog2> descriptions_{};
};

TorchInPlace g_in_place;  // guarded by the GIL; without a GIL, nothing is read in place

// The tensor classes whose objects are read in place: their methods is_neg and is_conj are those of
// PyTorch.
struct Readable {};
ClassCache<Readable, 16> g_readable;

BINDING_INLINE bool is_readable(PyTypeObject* type) { return g_readable.find(type) != nullptr; }

}  // namespace

bool torch_class_is_readable(PyTypeObject* type) { return is_readable(type); }

bool torch_bits_are_clear(PyObject* x, bool is_complex) {
  if (!is_readable(Py_TYPE(x))) return false;
  const Bits& bits = g_in_place.bits();
  return g_in_place.has_clear_bits(x, is_complex ? bits.negative | bits.conjugate : bits.negative);
}

bool torch_describe_in_place(PyObject* x, const DLPackExchangeAPI* api, DLTensor* out) {
  return is_readable(Py_TYPE(x)) && g_in_place.describe(x, api, out);
}

bool torch_device_is_known(DLDevice device) {
  return device.device_type == kDLCPU || device.device_type == kDLCUDA ||
         device.device_type == kDLROCM;
}

bool torch_read_storage(PyObject* x, TorchStorage* out) {
  return is_readable(Py_TYPE(x)) && g_in_place.read_storage(x, out);
}

int torch_note_description(PyObject* x, const DLPackExchangeAPI* api, const DLTensor& tensor) {
  if (!is_readable(Py_TYPE(x)) || g_in_place.note(x, api, tensor)) return 0;
  g_readable = {};
  return PyErr_WarnEx(PyExc_RuntimeWarning,
                      "tvm_ffi read a PyTorch tensor in place, and PyTorch describes the tensor "
                      "differently. From now on, PyTorch is asked to describe each tensor, which "
                      "takes longer. Please report this, with the version of PyTorch; "
                      "TVM_FFI_TORCH_IN_PLACE=0 avoids the reads and this warning",
                      1);  // runs Python
}

int torch_learn_class(PyTypeObject* type) {
  int found = g_in_place.find();
  if (found <= 0) return found;
  for (PyObject* name : {state().names.is_neg, state().names.is_conj}) {
    PyObject* method = _PyType_Lookup(type, name);  // borrowed
    if (method == nullptr || !Py_IS_TYPE(method, &PyMethodDescr_Type) ||
        PyDescr_TYPE(method) != g_in_place.bits().base) {
      return 0;
    }
  }
  g_readable.store(type, Readable{});
  return 0;
}

}  // namespace binding

// SPDX-License-Identifier: Apache-2.0
#include "core/attr_cells.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace tvm::ffi::runtime {
namespace {

/*! \brief Number of cells in the first array. A longer array must rarely replace this array: a
 * client that loads the data pointer of a column before the size could combine the old array with
 * the new size. A large array costs little: the system zeroes its memory, and provides only the
 * pages in use. */
constexpr int32_t kFirstCapacity = 8192;

using AliasedWord __attribute__((may_alias)) = uint64_t;

struct Words {
  uint64_t kind;
  uint64_t payload;
};

Words words_of(const TVMFFIAny& value) {
  static_assert(sizeof(Words) == sizeof(TVMFFIAny), "a cell is two words");
  Words words;
  std::memcpy(&words, &value, sizeof(words));
  return words;
}

/*! \brief Number of most recent arrays that are checked for reuse before a new array is
 * allocated. */
constexpr size_t kMaxTried = 8;

uint64_t kind_at(const std::vector<uint64_t>& kinds, int32_t index) {
  return static_cast<size_t>(index) < kinds.size() ? kinds[index] : 0;
}

}  // namespace

/*! \brief Whether a value of this kind can be written into the cell without breaking the rules of
 * AttrCells. */
bool AttrCells::Array::accepts(int32_t index, uint64_t kind) const {
  uint64_t known = kind_at(kinds, index);
  return index < capacity && (kind == 0 || known == 0 || known == kind);
}

/*!
 * \brief Write a value that the array accepts. The caller has made `kinds` long enough for
 * `index`.
 */
void AttrCells::Array::write(int32_t index, const TVMFFIAny& value) {
  Words words = words_of(value);
  AliasedWord* target = reinterpret_cast<AliasedWord*>(cells + index);
  if (words.kind != 0) {
    kinds[index] = words.kind;
    __atomic_store_n(target + 1, words.payload, __ATOMIC_RELEASE);
  }
  __atomic_store_n(target, words.kind, __ATOMIC_RELEASE);
}

AttrCells::Array* AttrCells::find_reusable(const TVMFFITypeAttrColumn& column, int32_t index,
                                           uint64_t kind) {
  size_t num_tried = 0;
  for (auto it = arrays_.rbegin(); it != arrays_.rend() && num_tried < kMaxTried; ++it) {
    Array* array = it->get();
    if (array == current_) continue;
    ++num_tried;
    bool is_fit = array->capacity >= column.size && array->accepts(index, kind);
    for (int32_t i = 0; is_fit && i < column.size; ++i) {
      is_fit = i == index || array->accepts(i, words_of(column.data[i]).kind);
    }
    if (is_fit) return array;
  }
  return nullptr;
}

AttrCells::Array* AttrCells::allocate(int32_t capacity) {
  arrays_.push_back(std::make_unique<Array>());
  Array* array = arrays_.back().get();
  array->cells =
      static_cast<TVMFFIAny*>(std::calloc(static_cast<size_t>(capacity), sizeof(TVMFFIAny)));
  if (array->cells == nullptr) {
    arrays_.pop_back();
    throw std::bad_alloc();
  }
  array->capacity = capacity;
  return array;
}

void AttrCells::prepare(const TVMFFITypeAttrColumn& column, int32_t index, const TVMFFIAny& value) {
  if (index == INT32_MAX) throw std::bad_alloc();
  uint64_t kind = words_of(value).kind;
  Array* array = current_;
  if (array == nullptr || !array->accepts(index, kind)) {
    array = find_reusable(column, index, kind);
    int32_t capacity = current_ == nullptr ? kFirstCapacity : current_->capacity;
    while (capacity <= index) capacity = capacity > INT32_MAX / 2 ? INT32_MAX : capacity * 2;
    if (array == nullptr) array = allocate(capacity);
  }
  size_t num_kinds = static_cast<size_t>(index < column.size ? column.size : index + 1);
  if (array->kinds.size() < num_kinds) array->kinds.resize(num_kinds, 0);
  prepared_ = array == current_ ? nullptr : array;
}

void AttrCells::store(TVMFFITypeAttrColumn* column, int32_t index, const TVMFFIAny& value) {
  if (prepared_ != nullptr) {
    current_ = prepared_;
    prepared_ = nullptr;
    for (int32_t i = 0; i < column->size; ++i) {
      if (i != index) current_->write(i, column->data[i]);
    }
  }
  current_->write(index, value);
  __atomic_store_n(&column->data, const_cast<const TVMFFIAny*>(current_->cells), __ATOMIC_RELEASE);
  if (index >= column->size) __atomic_store_n(&column->size, index + 1, __ATOMIC_RELEASE);
}

}  // namespace tvm::ffi::runtime

// SPDX-License-Identifier: Apache-2.0
// Global functions of lists.
#include <tvm/ffi/container/list.h>

#include "functions/sequence.h"

namespace tvm::ffi::runtime {
namespace {

using AnyList = List<Any>;

// Removes and returns an element. The caller releases the element, after the list has changed.
Any list_pop(AnyList list, int64_t index) {
  ListObj* body = list.GetListObj();
  Any popped = body->at(index);
  body->erase(index);
  return popped;
}

// Replaces a slice. Copies `replacement`, which may be the list itself, and makes all checks before
// any change.
void list_replace_slice(AnyList list, int64_t start, int64_t stop, AnyList replacement) {
  int64_t size = static_cast<int64_t>(list.size());
  if (start != stop && (start < 0 || stop < start || stop > size)) {
    TVM_FFI_THROW(IndexError) << "Erase range [" << start << ", " << stop << ") out of bounds "
                              << size;
  }
  if (start < 0 || start > size) {
    TVM_FFI_THROW(IndexError) << "Index " << start << " out of bounds [0, " << size << "]";
  }
  AnyList inserted(replacement.begin(), replacement.end());
  list.reserve(size - (stop - start) + static_cast<int64_t>(inserted.size()));
  AnyList erased(list.begin() + start,
                 list.begin() + stop);  // released at the end of this function
  list.erase(list.begin() + start, list.begin() + stop);
  list.insert(list.begin() + start, inserted.begin(), inserted.end());
}

}  // namespace

void register_list_functions() {
  register_sequence<AnyList, ListObj>("ffi.List");
  ShortDef()
      .def("ffi.ListSetItem",
           [](AnyList list, int64_t index, Any value) { list.Set(index, std::move(value)); })
      .def("ffi.ListAppend", [](AnyList list, const Any& value) { list.push_back(value); })
      .def("ffi.ListInsert",
           [](AnyList list, int64_t index, const Any& value) {
             int64_t size = static_cast<int64_t>(list.size());
             if (index < 0 || index > size) {
               TVM_FFI_THROW(IndexError)
                   << "Index " << index << " out of bounds [0, " << size << "]";
             }
             list.insert(list.begin() + index, value);
           })
      .def("ffi.ListPop", list_pop)
      .def("ffi.ListErase", [](AnyList list, int64_t index) { list_pop(std::move(list), index); })
      .def("ffi.ListEraseRange",
           [](AnyList list, int64_t start, int64_t stop) { list.GetListObj()->erase(start, stop); })
      .def("ffi.ListReplaceSlice", list_replace_slice)
      .def("ffi.ListReserve", [](AnyList list, int64_t capacity) { list.reserve(capacity); })
      .def("ffi.ListReverse", [](AnyList list) { list.GetListObj()->Reverse(); })
      .def("ffi.ListClear", [](AnyList list) { list.clear(); });
}

}  // namespace tvm::ffi::runtime

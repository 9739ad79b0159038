// SPDX-License-Identifier: Apache-2.0
// The global functions that arrays and lists have in common.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/seq_base.h>
#include <tvm/ffi/function.h>

#include <string>

#include "functions/functions.h"

namespace tvm::ffi::runtime {

/*!
 * \brief Register the functions that make and read sequences.
 * \tparam Sequence `Array<Any>` or `List<Any>`.
 * \tparam Body the class of its objects.
 * \param name the name of the first function, with which the other names begin.
 */
template <typename Sequence, typename Body>
void register_sequence(const std::string& name) {
  ShortDef()
      .def_packed(name,
                  [](PackedArgs args, Any* result) {
                    *result = Sequence(args.data(), args.data() + args.size());
                  })
      .def(name + "GetItem", [](const Body* body, int64_t index) -> Any { return body->at(index); })
      .def(name + "Size", [](const Body* body) { return static_cast<int64_t>(body->size()); })
      .def(name + "Contains", [](const Body* body, const Any& value) {
        // A comparison may run a hook of a type, and the hook may change the list. So copy each
        // element before its comparison, and read the size again after it.
        for (int64_t i = 0; i < static_cast<int64_t>(body->size()); ++i) {
          Any element = body->at(i);
          if (AnyEqual()(element, value)) return true;  // may run a hook
        }
        return false;
      });
}

}  // namespace tvm::ffi::runtime

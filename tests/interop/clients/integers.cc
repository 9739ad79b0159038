// SPDX-License-Identifier: Apache-2.0
// A client for integers of any size.
#include <tvm/ffi/big_int.h>

#include <sstream>

#include "side.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

// Return -(2^100 - 1).
BigInt make_big() { return -((BigInt(1) << 100) - 1); }
bool check_big(const BigInt& value) { return value == make_big() && !value.as<int64_t>(); }

BigInt make_small() { return (BigInt(1) << 70) >> 60; }
bool check_small(const Any& value) {
  return value.type_index() == kTVMFFIInt && value.cast<int64_t>() == 1024;
}

BigInt product(const BigInt& a, const BigInt& b) { return a * b; }

String decimal(const BigInt& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

bool found_as_key(const Any& first, const Any& second) {
  return Map<Any, Any>{{first, 1}}.count(second) == 1;
}

}  // namespace

INTEROP_EXPORT(make_big);
INTEROP_EXPORT(check_big);
INTEROP_EXPORT(make_small);
INTEROP_EXPORT(check_small);
INTEROP_EXPORT(product);
INTEROP_EXPORT(decimal);
INTEROP_EXPORT(found_as_key);

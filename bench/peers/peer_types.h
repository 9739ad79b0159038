// SPDX-License-Identifier: Apache-2.0
// Types shared by the peer modules.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

struct IntPair {
  int64_t a, b;
  IntPair(int64_t a, int64_t b) : a(a), b(b) {}
  int64_t sum() const { return a + b; }
};

struct Point3 {
  int64_t x;
  double y;
  std::string z;
  std::shared_ptr<IntPair> o = std::make_shared<IntPair>(1, 2);
  Point3(int64_t x, double y, std::string z) : x(x), y(y), z(std::move(z)) {}
};

using IntVector = std::vector<int64_t>;
using StrMap = std::unordered_map<std::string, int64_t>;

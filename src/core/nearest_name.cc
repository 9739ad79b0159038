// SPDX-License-Identifier: Apache-2.0
// The edit distance between names: insertions, deletions, replacements, swapped neighbours.
#include "core/nearest_name.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tvm {
namespace ffi {
namespace runtime {

namespace {

/*! \brief Longer names are not compared. */
constexpr size_t kMaxSize = 128;

using Row = std::array<size_t, kMaxSize + 1>;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

/*! \brief One edit for every four characters. */
size_t max_distance(size_t size) { return std::max<size_t>(1, size / 4); }

/*! \brief Number of edits between two names of at most kMaxSize characters. */
size_t edit_distance(std::string_view a, std::string_view b) {
  Row rows[3];
  Row *before = &rows[0], *last = &rows[1], *next = &rows[2];
  for (size_t j = 0; j <= b.size(); ++j) (*last)[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    (*next)[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t best = (*last)[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      best = std::min({best, (*last)[j] + 1, (*next)[j - 1] + 1});
      bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) best = std::min(best, (*before)[j - 2] + 1);
      (*next)[j] = best;
    }
    std::swap(before, last);
    std::swap(last, next);
  }
  return (*last)[b.size()];
}

}  // namespace

NearestName::NearestName(std::string_view wanted)
    : wanted_(wanted.size() <= kMaxSize ? lower(wanted) : std::string()),
      distance_(max_distance(wanted.size()) + 1) {}

void NearestName::offer(std::string_view name) {
  if (wanted_.empty() || name.empty() || name.size() > kMaxSize) return;
  size_t longer = std::max(name.size(), wanted_.size());
  size_t shorter = std::min(name.size(), wanted_.size());
  // The distance is at least the difference of the sizes.
  if (longer - shorter >= distance_) return;
  size_t distance = edit_distance(wanted_, lower(name));
  // A name with nothing in common is as far away as it is long.
  if (distance >= distance_ || distance >= shorter) return;
  distance_ = distance;
  found_ = name;
}

std::string NearestName::hint(std::string_view otherwise) const {
  if (found_.empty()) return std::string(otherwise);
  return "; did you mean `" + found_ + "`?";
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

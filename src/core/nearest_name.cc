// SPDX-License-Identifier: Apache-2.0
// The edit distance between names; an edit inserts, deletes or replaces a character, or swaps
// neighbours.
#include "core/nearest_name.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <utility>

namespace tvm::ffi::runtime {

namespace {

using Row = std::array<size_t, NearestName::kMaxSize + 1>;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

/*! \brief Return the allowed number of edits: one for every four characters, at least one. */
size_t max_distance(size_t size) { return std::max<size_t>(1, size / 4); }

/*! \brief Return the set of a name's characters, in lower case, as bits. Several characters may
 * have the same bit. */
uint64_t characters(std::string_view name) {
  uint64_t bits = 0;
  for (char c : name) bits |= uint64_t{1} << (static_cast<unsigned char>(lower(c)) & 63);
  return bits;
}

/*! \brief Return the number of edits between two names of at most kMaxSize characters, or `limit`
 * if more are needed. */
size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
  Row rows[3];
  Row *before = &rows[0], *last = &rows[1], *next = &rows[2];
  for (size_t j = 0; j <= b.size(); ++j) (*last)[j] = j;
  size_t last_least = 0;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t least = (*next)[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t best = (*last)[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      best = std::min({best, (*last)[j] + 1, (*next)[j - 1] + 1});
      bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) best = std::min(best, (*before)[j - 2] + 1);
      (*next)[j] = best;
      least = std::min(least, best);
    }
    // Each row is computed from the two rows before it. So if all numbers in two adjacent rows are
    // at least `limit`, this is true for all later rows.
    if (least >= limit && last_least >= limit) return limit;
    last_least = least;
    std::swap(before, last);
    std::swap(last, next);
  }
  return std::min((*last)[b.size()], limit);
}

}  // namespace

NearestName::NearestName(std::string_view wanted)
    : wanted_(wanted.size() <= kMaxSize ? lower(wanted) : std::string()),
      characters_(characters(wanted_)),
      distance_(max_distance(wanted.size()) + 1) {}

void NearestName::offer(std::string_view name) {
  if (wanted_.empty() || name.empty() || name.size() > kMaxSize) return;
  size_t longer = std::max(name.size(), wanted_.size());
  size_t shorter = std::min(name.size(), wanted_.size());
  // The distance is at least the difference of the sizes.
  if (longer - shorter >= distance_) return;
  // One edit changes the set of a name's characters by at most two.
  std::bitset<64> different(characters_ ^ characters(name));
  if (different.count() > 2 * (distance_ - 1)) return;
  size_t distance = edit_distance(wanted_, lower(name), distance_);
  // If there are at least as many edits as characters in the shorter name, the names may have no
  // characters in common.
  if (distance >= distance_ || distance >= shorter) return;
  distance_ = distance;
  found_ = name;
}

std::pair<size_t, size_t> NearestName::sizes() const {
  if (wanted_.empty()) return {1, 0};
  size_t edits = distance_ - 1;
  return {wanted_.size() - std::min(edits, wanted_.size() - 1),
          std::min(wanted_.size() + edits, kMaxSize)};
}

std::string NearestName::hint(std::string_view otherwise) const {
  if (found_.empty()) return std::string(otherwise);
  return "; did you mean `" + found_ + "`?";
}

}  // namespace tvm::ffi::runtime

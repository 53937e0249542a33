#include "core/trace/arrays.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <tuple>

#include "core/trace/base64.hpp"
#include "core/trace/json_text.hpp"

namespace stepgrad {
namespace {

// Bytes of base64 that a page may spend on numbers.
constexpr int64_t bytes_for_numbers = 1'800'000;
constexpr int64_t bytes_for_crops = 340'000;
constexpr int64_t most_whole = 4096;   // elements of a tensor shown whole
constexpr int64_t most_blocks = 1024;  // blocks of a larger tensor

// Whether a stands out more than b: NaN first, then by size.
bool outdoes(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && !std::isnan(b);
  return std::abs(a) > std::abs(b);
}

int64_t columns_of(const Tensor& x) { return x.dim() ? std::max<int64_t>(x.size(-1), 1) : 1; }

// The share of zeros in each block, one byte each: otherwise a mask would show only ones.
std::string gaps(const std::vector<int64_t>& all, const std::vector<int64_t>& zeros) {
  std::string bytes;
  for (size_t i = 0; i < all.size(); ++i) bytes += char(std::lround(255.0 * double(zeros[i]) / double(all[i])));
  return bytes.find_first_not_of('\0') == bytes.npos ? "" : '"' + base64(bytes) + '"';
}

// All numbers if they are at most `most`; else the most outstanding one of each block, and the size
// of a block.
void add_numbers(const Tensor& x, int64_t most, std::vector<Member>& to) {
  const int64_t columns = columns_of(x);
  const int64_t rows = x.numel() / columns;
  const auto blocks = [](int64_t n, int64_t each) { return (n + each - 1) / each; };
  if (x.numel() > most) most = std::min(most, most_blocks);
  int64_t high = 1, wide = 1;
  while (blocks(rows, high) * blocks(columns, wide) > most)
    (blocks(rows, high) > blocks(columns, wide) ? high : wide) *= 2;
  const int64_t across = blocks(columns, wide), down = blocks(rows, high);
  std::vector<float> kept(x.numel() ? down * across : 0);
  std::vector<int64_t> all(kept.size()), zeros(kept.size());
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      const int64_t place = row / high * across + column / wide;
      const float value = float(x.data()[row * columns + column]);
      if (!all[place]++ || outdoes(value, kept[place])) kept[place] = value;
      zeros[place] += value == 0;
    }
  to.push_back({"v", '"' + base64(kept) + '"'});
  if (high * wide == 1) return;
  to.push_back({"block", integers(std::vector{high, wide})});
  to.push_back({"gaps", gaps(all, zeros)});
}

// The range, zeros and so on of all numbers, shown or not.
std::string stats(const Tensor& x) {
  const Range range(x);
  int64_t zeros = 0;
  double sum = 0, size = 0;
  for (const Scalar *value = x.data(), *end = value + x.numel(); value < end; ++value) {
    zeros += *value == 0;
    if (!std::isfinite(*value)) continue;
    sum += *value, size += std::abs(*value);
  }
  const int64_t finite = x.numel() - range.nan - range.inf;
  return object({
      {"min", number(range.min)},
      {"max", number(range.max)},
      {"mean", number(finite ? sum / double(finite) : 0)},
      {"zeros", zeros},
      {"nan", range.nan},
      {"inf", range.inf},
      {"size", number(finite ? size / double(finite) : 0)},
  });
}

// [[0,8],[300,301]]: consecutive places as ranges.
std::string ranges(const std::vector<int64_t>& places) {
  std::vector<std::string> found;
  for (size_t i = 0, from = 0; i < places.size(); ++i) {
    if (i + 1 < places.size() && places[i + 1] == places[i] + 1) continue;
    found.push_back(integers(std::vector{places[from], places[i] + 1}));
    from = i + 1;
  }
  return list(found);
}

// The numbers in a tensor's crop, with or without its whole rows and columns.
std::string crops_json(const Tensor& x, const Crop& crop, bool whole_rows, bool whole_columns) {
  const int64_t n = columns_of(x);
  std::vector<std::string> blocks;
  const auto add = [&](const std::vector<int64_t>& rows, const std::vector<int64_t>& columns) {
    if (rows.empty() || columns.empty()) return;
    std::vector<float> kept;
    for (const int64_t row : rows)
      for (const int64_t column : columns) kept.push_back(float(x.data()[row * n + column]));
    blocks.push_back(object({{"rows", ranges(rows)}, {"columns", ranges(columns)}, {"v", '"' + base64(kept) + '"'}}));
  };
  const auto all = [](int64_t size) {
    std::vector<int64_t> places(size);
    std::iota(places.begin(), places.end(), 0);
    return places;
  };
  const auto of = [](const std::set<int64_t>& set) { return std::vector(set.begin(), set.end()); };
  add(of(crop.rows), of(crop.columns));
  for (const int64_t i : crop.single) add({i / n}, {i % n});
  if (whole_rows) add(of(crop.whole_rows), all(n));
  if (whole_columns) add(all(x.numel() / n), of(crop.whole_columns));
  return list(blocks);
}

bool same(const Tensor& a, const Tensor& b) { return std::memcmp(a.data(), b.data(), a.numel() * sizeof(Scalar)) == 0; }

}

std::string Arrays::add(const Tensor& x) {
  if (!x.defined()) return "null";
  size_t place = arrays_.size();
  for (size_t i = arrays_.size(); i > 0 && i + 8 > arrays_.size(); --i) {
    const Tensor& other = arrays_[i - 1].x;
    if (other.shape() == x.shape() && (other.data() == x.data() || (crops_ && same(other, x)))) place = i - 1;
  }
  if (place == arrays_.size()) arrays_.push_back({x.off_tape(), {}});
  if (const Crop* crop = crops_ ? crops_->of(x) : nullptr) arrays_[place].crop.merge(*crop);
  return std::to_string(place);
}

// Whole rows and columns are added while there is room, the smallest sets first.
std::string Arrays::json() const {
  if (!crops_)
    return list(arrays_, [](const Array& array) {
      return object({{"shape", integers(array.x.shape())}, {"at", reinterpret_cast<uintptr_t>(array.x.data())}});
    });
  const int64_t each = bytes_for_numbers * 3 / 16 / std::max<int64_t>(arrays_.size(), 1);
  const int64_t most = std::clamp<int64_t>(each, 16, most_whole);
  std::vector<std::tuple<int64_t, const Array*, bool>> strips;  // numbers, array, columns
  for (const Array& array : arrays_) {
    if (array.x.numel() <= most) continue;
    const int64_t columns = columns_of(array.x), rows = array.x.numel() / columns;
    strips.emplace_back(std::ssize(array.crop.whole_rows) * columns, &array, false);
    strips.emplace_back(std::ssize(array.crop.whole_columns) * rows, &array, true);
  }
  std::sort(strips.begin(), strips.end());
  std::set<std::pair<const Array*, bool>> kept;
  int64_t left = bytes_for_crops * 3 / 16;
  for (const auto& [count, array, columns] : strips)
    if ((left -= count) >= 0) kept.insert({array, columns});
  return list(arrays_, [&](const Array& array) {
    const Tensor& x = array.x;
    std::vector<Member> members{{"shape", integers(x.shape())}};
    add_numbers(x, most, members);
    members.push_back({"stats", stats(x)});
    if (x.numel() > most)
      members.push_back({"crops", crops_json(x, array.crop, kept.count({&array, false}), kept.count({&array, true}))});
    return object(members);
  });
}

std::string Arrays::summary(const Scalar* data, int64_t columns, int64_t count) const {
  for (const auto& [x, crop] : arrays_) {
    if (x.data() != data || columns_of(x) != columns || x.numel() != count) continue;
    std::vector<Member> members;
    if (count > most_whole) add_numbers(x, most_whole, members);
    members.push_back({"stats", stats(x)});
    return object(members);
  }
  return "";
}

}

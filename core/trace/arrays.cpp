#include "core/trace/arrays.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

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
  if (std::all_of(zeros.begin(), zeros.end(), [](int64_t n) { return n == 0; })) return "";
  std::string bytes;
  for (size_t i = 0; i < all.size(); ++i)
    bytes += static_cast<char>(
        std::lround(255.0 * static_cast<double>(zeros[i]) / static_cast<double>(all[i])));
  return ",\"gaps\":\"" + base64(bytes) + '"';
}

// All numbers if they are at most `most`; else the most outstanding one of each block, and the size
// of a block.
std::string numbers(const Tensor& x, int64_t most) {
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
      const float value = static_cast<float>(x.data()[row * columns + column]);
      if (!all[place]++ || outdoes(value, kept[place])) kept[place] = value;
      zeros[place] += value == 0;
    }
  std::string text = "\"v\":\"" + base64(kept) + '"';
  if (high * wide > 1)
    text +=
        ",\"block\":[" + std::to_string(high) + ',' + std::to_string(wide) + ']' + gaps(all, zeros);
  return text;
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
  return "{\"min\":" + number(range.min) + ",\"max\":" + number(range.max) +
         ",\"mean\":" + number(finite ? sum / static_cast<double>(finite) : 0) +
         ",\"zeros\":" + std::to_string(zeros) + ",\"nan\":" + std::to_string(range.nan) +
         ",\"inf\":" + std::to_string(range.inf) +
         ",\"size\":" + number(finite ? size / static_cast<double>(finite) : 0) + '}';
}

// [[0,8],[300,301]]: consecutive places as ranges.
std::string ranges(const std::vector<int64_t>& places) {
  std::string text;
  for (size_t i = 0, from = 0; i < places.size(); ++i) {
    if (i + 1 < places.size() && places[i + 1] == places[i] + 1) continue;
    text += (text.empty() ? "[" : ",[") + std::to_string(places[from]) + ',' +
            std::to_string(places[i] + 1) + ']';
    from = i + 1;
  }
  return '[' + text + ']';
}

// The numbers in a tensor's crop, with or without its whole rows and columns.
class CropWriter {
 public:
  CropWriter(const Tensor& x, const Crop& crop, bool whole_rows, bool whole_columns) : x_(x) {
    const int64_t columns = columns_of(x);
    const auto all = [](int64_t n) {
      std::vector<int64_t> places(n);
      std::iota(places.begin(), places.end(), 0);
      return places;
    };
    const auto list = [](const std::set<int64_t>& set) {
      return std::vector(set.begin(), set.end());
    };
    write(list(crop.rows), list(crop.columns), columns);
    for (const int64_t i : crop.single) write({i / columns}, {i % columns}, columns);
    if (whole_rows) write(list(crop.whole_rows), all(columns), columns);
    if (whole_columns) write(all(x.numel() / columns), list(crop.whole_columns), columns);
  }
  std::string json() const { return ",\"crops\":[" + text_ + ']'; }

 private:
  void write(const std::vector<int64_t>& rows, const std::vector<int64_t>& columns, int64_t n) {
    if (rows.empty() || columns.empty()) return;
    std::vector<float> kept;
    for (const int64_t row : rows)
      for (const int64_t column : columns)
        kept.push_back(static_cast<float>(x_.data()[row * n + column]));
    text_ += (text_.empty() ? "" : ",") + ("{\"rows\":" + ranges(rows)) +
             ",\"columns\":" + ranges(columns) + ",\"v\":\"" + base64(kept) + "\"}";
  }
  const Tensor& x_;
  std::string text_;
};

bool same(const Tensor& a, const Tensor& b) {
  return std::memcmp(a.data(), b.data(), a.numel() * sizeof(Scalar)) == 0;
}

}  // namespace

std::string Arrays::add(const Tensor& x) {
  if (!x.defined()) return "null";
  size_t place = arrays_.size();
  for (size_t i = arrays_.size(); i > 0 && i + 8 > arrays_.size(); --i) {
    const Tensor& other = arrays_[i - 1].x;
    if (other.shape() == x.shape() && (other.data() == x.data() || (crops_ && same(other, x))))
      place = i - 1;
  }
  if (place == arrays_.size()) arrays_.push_back({x.detach(), {}});
  if (const Crop* crop = crops_ ? crops_->of(x) : nullptr) arrays_[place].crop.merge(*crop);
  return std::to_string(place);
}

// Whole rows and columns are added while there is room, the smallest sets first.
std::string Arrays::json() const {
  if (!crops_)
    return list(arrays_, [](const Array& array) {
      return "{\"shape\":" + sizes(array.x.shape()) +
             ",\"at\":" + std::to_string(reinterpret_cast<uintptr_t>(array.x.data())) + '}';
    });
  const int64_t each = bytes_for_numbers * 3 / 16 / std::max<int64_t>(arrays_.size(), 1);
  const int64_t most = std::clamp<int64_t>(each, 16, most_whole);
  struct Strip {
    int64_t count;
    size_t array;
    bool columns;
  };
  std::vector<Strip> strips;
  for (size_t i = 0; i < arrays_.size(); ++i) {
    const auto& [x, crop] = arrays_[i];
    if (x.numel() <= most) continue;
    const int64_t columns = x.dim() ? x.size(-1) : 1;
    const auto size = [](const std::set<int64_t>& set) { return static_cast<int64_t>(set.size()); };
    strips.push_back({size(crop.whole_rows) * columns, i, false});
    strips.push_back({size(crop.whole_columns) * (x.numel() / columns), i, true});
  }
  std::stable_sort(strips.begin(), strips.end(),
                   [](const Strip& a, const Strip& b) { return a.count < b.count; });
  std::set<std::pair<size_t, bool>> kept;
  int64_t left = bytes_for_crops * 3 / 16;
  for (const Strip& strip : strips)
    if ((left -= strip.count) >= 0) kept.insert({strip.array, strip.columns});
  size_t i = 0;
  return list(arrays_, [&](const Array& array) {
    const Tensor& x = array.x;
    const bool rows = kept.count({i, false}), columns = kept.count({i, true});
    ++i;
    return "{\"shape\":" + sizes(x.shape()) + ',' + numbers(x, most) +
           (x.numel() > most ? CropWriter(x, array.crop, rows, columns).json() : "") +
           ",\"stats\":" + stats(x) + '}';
  });
}

std::string Arrays::summary(const Scalar* data, int64_t columns, int64_t count) const {
  for (const auto& [x, crop] : arrays_)
    if (x.data() == data && columns_of(x) == columns && x.numel() == count)
      return '{' + (x.numel() > most_whole ? numbers(x, most_whole) + ',' : "") +
             "\"stats\":" + stats(x) + '}';
  return "";
}

}  // namespace stepgrad

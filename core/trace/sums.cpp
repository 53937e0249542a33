#include "core/trace/sums.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace stepgrad {
namespace {

// The last `dims` letters of a batch and of those written after "...".
std::string letters(std::string_view written, int dims, int batch) {
  if (!written.starts_with("...")) return std::string(written);
  std::string all;
  for (int d = 0; d < batch; ++d) all += char('A' + d);
  all += written.substr(3);
  return all.substr(all.size() - size_t(dims));
}

// "...k,kn->...n". ValueError: it does not fit the shapes.
std::vector<std::string> of_einsum(const char* op, std::string written, const std::vector<Shape>& shapes) {
  const auto require = [op, said = written](bool fits) {
    check<ValueError>(fits, op, ": its inputs and output are not as its Traits say: ", said);
  };
  std::replace(written.begin(), written.end(), '>', ',');
  std::erase(written, '-');
  std::vector<std::string> parts(1);
  for (const char c : written) c == ',' ? parts.push_back("") : parts.back().push_back(c);
  require(parts.size() == shapes.size());
  int batch = 0;
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].starts_with("...")) batch = std::max(batch, shapes[i].dims() - int(parts[i].size()) + 3);
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i] = letters(parts[i], shapes[i].dims(), batch);
    require(std::ssize(parts[i]) == shapes[i].dims());
  }
  return parts;
}

// Y has the dimensions of X, without those that are `taken` or with another letter for them.
std::vector<std::string> of_lines(const Shape& x, const Shape& y, const std::vector<bool>& taken) {
  std::string of_x = letters("...", x.dims(), x.dims()), left, of_y;
  for (int d = 0; d < x.dims(); ++d) {
    const bool all = taken[size_t(d)];
    if (all ? x.dims() == y.dims() && y[d] != 1 : x[d] != 1) left += all ? 'n' : of_x[d];
    if (all) of_x[d] = '|';
  }
  size_t next = 0;
  for (const int64_t size : y) of_y += size == 1 ? '1' : left[next++];
  return {of_x, of_y};
}

// Element by element, broadcast.
std::vector<std::string> of_each(const std::vector<Shape>& shapes) {
  const Shape& y = shapes.back();
  std::vector<std::string> all;
  for (const Shape& x : shapes) {
    if (x.dims() > y.dims()) return {};
    for (int d = 1; d <= x.dims(); ++d)
      if (x[-d] != 1 && x[-d] != y[-d]) return {};
    all.push_back(letters("...", x.dims(), y.dims()));
  }
  return all;
}

}

std::vector<std::string> cells_of(const Node& node) {
  const std::string sums = node.formula.traits.sums;
  const Attributes of = node.attributes();
  std::vector<Shape> shapes;
  for (const Input* in = node.inputs; in; in = in->next) shapes.push_back(in->shape);
  shapes.push_back(node.shape);
  std::vector<std::string> all;
  if (sums == "summed" || sums == "dim") {
    const Shape& x = shapes[0];
    std::vector<bool> taken;
    for (int d = 0; d < x.dims(); ++d)
      taken.push_back(sums == "dim" ? d == of("dim") : of.all("summed")[size_t(d)] == 1);
    all = of_lines(x, node.shape, taken);
  } else if (sums == "order") {
    const std::string of_x = letters("...", node.shape.dims(), node.shape.dims());
    all = {of_x, {}};
    for (const double d : of.all("order")) all[1] += of_x[size_t(d)];
  } else {
    all = sums.empty() ? of_each(shapes) : of_einsum(node.op(), sums, shapes);
  }
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t d = 0; d < all[i].size(); ++d)
      if (all[i][d] != '|' && shapes[i][int(d)] == 1) all[i][d] = '1';
  return all;
}

bool is_sum(const Formula& formula) {
  const std::string_view sums = formula.traits.sums;
  return sums.find('>') != sums.npos && sums.find('|') == sums.npos;
}

}

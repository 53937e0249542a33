#include "demos/python/binding/python_index.hpp"

#include <optional>

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "demos/python/binding/lines.hpp"
#include "demos/python/binding/tensor.hpp"
#include "ops/reshape.hpp"

namespace stepgrad::python {
namespace {

// One dimension of the result: its stride, or the place of each element.
struct Axis {
  int64_t size = 1;
  int64_t stride = 0;
  std::vector<int64_t> at;  // empty: multiples of stride
  int64_t offset(int64_t i) const { return at.empty() ? i * stride : at[size_t(i)]; }
};

// Also uint8, as in torch before it had bool.
bool is_mask(const TypedTensor& ids) { return ids.dtype == Dtype::boolean || ids.dtype == Dtype::uint8; }

// An array or a list as a tensor; other objects unchanged.
py::object part_of(py::handle part) {
  auto same = py::reinterpret_borrow<py::object>(part);
  if (part.is_none() || PyLong_Check(part.ptr()) || py::isinstance<py::slice>(part) ||
      py::isinstance<TypedTensor>(part) || py::isinstance<py::str>(part))
    return same;
  if (py::hasattr(part, "__array__")) return py::len(part.attr("shape")) > 0 ? py::cast(from_array(same)) : same;
  if (!PySequence_Check(part.ptr())) return same;
  TypedTensor ids = tensor_from(part, std::nullopt);
  if (ids.tensor.numel() == 0) ids.dtype = Dtype::int64;
  return py::cast(ids);
}

// A list that up to torch 2.8 stands for a tuple, x[[rows, columns]], and from 2.9 on for one
// index. Of tensors with dimensions, slices and None it is a tuple here, too; of other lists one
// index.
bool stands_for_tuple(py::handle index) {
  if (!PyList_Check(index.ptr()) || py::len(index) >= 32) return false;
  bool several = false, tuple = false;
  for (py::handle part : index) {
    const bool tensor = py::isinstance<TypedTensor>(part);
    const bool whole = tensor && part.cast<const TypedTensor&>().tensor.dim() > 0;
    const bool other = part.is_none() || part.is(py::ellipsis()) || py::isinstance<py::slice>(part);
    tuple = tuple || whole || other;
    several = several || tensor || other || (PySequence_Check(part.ptr()) && !py::isinstance<py::str>(part));
  }
  static bool told = false;
  if (several && !std::exchange(told, true))
    warn(tuple ? "x[[a, b]] is taken for x[a, b]; from torch 2.9 on it is one index, or refused"
               : "x[[a, b]] is one index here, x[tensor([a, b])], as from torch 2.9 on; up to 2.8 it "
                 "was x[a, b]");
  return tuple;
}

// The index as a list of parts, with Ellipsis and missing parts written out as `all`.
std::vector<py::object> parts_of(const Shape& shape, py::handle index, const py::slice& all) {
  std::vector<py::object> given;
  if (py::isinstance<py::tuple>(index) || stands_for_tuple(index))
    for (py::handle part : index) given.push_back(part_of(part));
  else
    given.push_back(part_of(index));
  int takes = 0;
  for (const py::object& part : given) {
    if (part.is_none() || part.is(py::ellipsis()) || PyBool_Check(part.ptr())) continue;
    const auto* ids = py::isinstance<TypedTensor>(part) ? &part.cast<const TypedTensor&>() : nullptr;
    takes += ids && is_mask(*ids) ? ids->tensor.dim() : 1;
  }
  check<IndexError>(takes <= shape.dims(), "too many indices for a tensor of dimension ", shape.dims());
  std::vector<py::object> parts;
  int left = shape.dims() - takes;  // for the first Ellipsis, or the end
  for (const py::object& part : given) {
    if (part.is(py::ellipsis()))
      parts.insert(parts.end(), size_t(std::exchange(left, 0)), all);
    else
      parts.push_back(part);
  }
  parts.insert(parts.end(), size_t(left), all);
  return parts;
}

int64_t checked(int64_t i, int64_t size, int dim) {
  check<IndexError>(-size <= i && i < size, "index ", i, " is out of bounds for dimension ", dim, " with size ", size);
  return i < 0 ? i + size : i;
}

// Index tensors are combined: they broadcast to one shape, whose dimensions replace the first of
// them, or go in front if another part is between them.
struct Advanced {
  struct Part {
    Shape shape;
    std::vector<int64_t> offsets;  // what each index adds to an element's offset
  };
  Shape shape;
  std::vector<Part> parts;
  size_t first = 0, last = 0;  // among the axes of the result
  bool split = false;
};

class Indexer {
 public:
  Indexer(const Layout& layout, py::handle index) : x_(layout), start_(layout.offset) {
    const py::slice all{py::none(), py::none(), py::none()};
    for (const py::object& part : parts_of(x_.shape, index, all)) {
      add(part);
      if (part.is(all)) steps_.pop_back();
    }
    if (!advanced_.parts.empty()) steps_.push_back("Index");
  }

  // The nodes that torch makes of it, one for each part, the last first.
  bool several() const { return steps_.size() > 1; }
  bool none() const { return steps_.empty(); }
  std::string steps() const {
    std::string names;
    for (const char* step : steps_) names = step + ("Backward0" + (names.empty() ? "" : " " + names));
    return names;
  }

  Places places() {
    Places found = all_places();
    found.by = by_;
    return found;
  }

 private:
  Places all_places() {
    if (advanced_.parts.empty()) return {strided(), kind_};
    std::vector<int64_t> joined(size_t(check_sizes("index", advanced_.shape)));
    for (const Advanced::Part& part : advanced_.parts) add_up(part, joined);
    std::vector<int64_t> sizes;
    for (const Axis& axis : axes_) sizes.push_back(axis.size);
    const auto at = int64_t(advanced_.split ? 0 : advanced_.first);
    sizes.insert(sizes.begin() + at, advanced_.shape.begin(), advanced_.shape.end());
    axes_.insert(axes_.begin() + at, {std::ssize(joined), 0, joined});
    auto offsets = std::make_shared<std::vector<int64_t>>();
    const Shape shape{std::span<const int64_t>(sizes)};
    offsets->reserve(size_t(check_sizes("index", shape)));
    if (shape.numel()) visit(0, start_, *offsets);
    return {shape, std::move(offsets)};
  }

  Layout strided() const {
    std::vector<int64_t> sizes, strides;
    for (const Axis& axis : axes_) sizes.push_back(axis.size), strides.push_back(axis.stride);
    return {Shape{std::span<const int64_t>(sizes)}, strides.data(), start_};
  }

  void add(const py::object& part) {
    if (part.is_none()) {
      kind_ = IndexKind::unsqueeze;
      steps_.push_back("Unsqueeze");
      const bool last = dim_ == x_.shape.dims();
      return axes_.push_back({1, last ? 1 : size() * x_.stride[dim_], {}});
    }
    if (PyBool_Check(part.ptr())) {
      if (part.ptr() == Py_True) return add_advanced({{1}, {0}});
      return add_advanced({{0}, {}});
    }
    if (py::isinstance<py::slice>(part)) return add_slice(part);
    if (py::isinstance<TypedTensor>(part)) return add_tensor(part.cast<const TypedTensor&>());
    if (PyIndex_Check(part.ptr())) return add_number(py::int_(part).cast<int64_t>());
    if (py::isinstance<py::str>(part)) throw py::type_error("an index is no str");
    throw py::index_error("an index is a whole number, a slice, None, Ellipsis, or a tensor");
  }

  void add_number(int64_t i) {
    start_ += checked(i, size(), dim_) * x_.stride[dim_];
    ++dim_;
    kind_ = IndexKind::select;
    steps_.push_back("Select");
  }

  void add_slice(const py::object& part) {
    Py_ssize_t begin = 0, end = 0, step = 1;
    if (PySlice_Unpack(part.ptr(), &begin, &end, &step) < 0) throw py::error_already_set();
    if (step <= 0) throw py::value_error("step must be greater than zero");
    const int64_t size = PySlice_AdjustIndices(this->size(), &begin, &end, step);
    start_ += size ? begin * x_.stride[dim_] : 0;
    if (size != this->size()) kind_ = IndexKind::slice;
    axes_.push_back({size, step * x_.stride[dim_], {}});
    steps_.push_back("Slice");
    ++dim_;
  }

  void add_tensor(const TypedTensor& ids) {
    if (ids.tensor.node()) by_ = ids.tensor;
    tell_read(ids, "an index");
    if (is_mask(ids)) return add_mask(ids.tensor);
    if (category(ids.dtype) == 1 && ids.tensor.dim() == 0)  // stands for a number, as in torch
      return add_number(int64_t(ids.tensor.item()));
    if (ids.dtype != Dtype::int64 && ids.dtype != Dtype::int32)
      throw py::index_error("tensors used as indices must be long, int, byte or bool tensors");
    std::vector<int64_t> offsets;
    for (const Scalar id : ids.tensor.to_vector())
      offsets.push_back(checked(int64_t(id), size(), dim_) * x_.stride[dim_]);
    ++dim_;
    add_advanced({ids.tensor.shape(), std::move(offsets)});
  }

  void add_mask(const Tensor& mask) {
    for (int i = 0; i < mask.dim(); ++i) {
      check<IndexError>(mask.shape()[i] == x_.shape[dim_ + i], "the shape of the mask ", mask.shape(), " at index ", i,
          " does not match the shape of the tensor ", x_.shape, " at index ", dim_ + i);
    }
    std::vector<int64_t> chosen;
    const Layout masked(mask.shape(), x_.stride + dim_, 0);
    for (int64_t i = 0; i < mask.numel(); ++i) {
      if (mask.data()[i] != 0) chosen.push_back(masked.at(i));
    }
    dim_ += mask.dim();
    const Shape shape{int64_t(chosen.size())};
    add_advanced({shape, std::move(chosen)});
  }

  void add_advanced(Advanced::Part part) {
    kind_ = IndexKind::index;
    if (advanced_.parts.empty()) advanced_.first = advanced_.last = axes_.size();
    if (advanced_.last != axes_.size()) advanced_.split = true;
    try {
      advanced_.shape = broadcast("index", advanced_.shape, part.shape);
    } catch (const ShapeError& error) {
      throw IndexError(error.what());
    }
    advanced_.parts.push_back(std::move(part));
  }

  // sums += the part's offsets, broadcast.
  void add_up(const Advanced::Part& part, std::vector<int64_t>& sums) const {
    int64_t* sum = sums.data();
    for_each_place(Layout(part.shape).expand(advanced_.shape), [&](int64_t at) { *sum++ += part.offsets[size_t(at)]; });
  }

  int64_t size() const { return x_.shape[dim_]; }

  void visit(size_t axis, int64_t offset, std::vector<int64_t>& out) const {
    if (axis == axes_.size()) return out.push_back(offset);
    for (int64_t i = 0; i < axes_[axis].size; ++i) visit(axis + 1, offset + axes_[axis].offset(i), out);
  }

  Layout x_;
  int dim_ = 0;    // of x, the next to be indexed
  int64_t start_;  // what x's offset, whole numbers and the slices' begins add up to
  std::vector<Axis> axes_;
  Advanced advanced_;
  Tensor by_;
  IndexKind kind_ = IndexKind::slice;
  std::vector<const char*> steps_;
};

TypedTensor get_item(const TypedTensor& x, py::handle index) {
  Indexer indexer(Layout(x.tensor.shape()), index);
  const Places places = indexer.places();
  const Tensor y = stepgrad::index(arg_of(x), places);
  if (y.requires_grad() && indexer.several()) show_as(y, indexer.steps(), {x.tensor.node()});
  if (indexer.none()) show_as(y, "AliasBackward0", {x.tensor.node()});
  if (places.offsets) return {y, x.dtype};
  return view_of(x, x.view ? places_of(layout_of(x), index).layout : places.layout, y);
}

// Leading sizes of 1 beyond the places' dimensions are ignored, as in torch.
Tensor without_leading_ones(const Tensor& values, int dims, Loc loc) {
  const Shape& shape = values.shape();
  int ones = 0;
  while (shape.dims() - ones > dims && shape[ones] == 1) ++ones;
  return ones ? reshape({values, loc}, Shape({shape.begin() + ones, shape.end()})) : values;
}

bool tensor_or_number(py::handle value) { return py::isinstance<TypedTensor>(value) || PyNumber_Check(value.ptr()); }

// Tensors in nested sequences become numbers. TypeError: one would lose its gradient.
void check_numbers(py::handle values) {
  if (py::isinstance<TypedTensor>(values)) real_from(values);
  if (!PyList_Check(values.ptr()) && !PyTuple_Check(values.ptr())) return;
  for (py::handle part : values) check_numbers(part);
}

void set_item(const TypedTensor& x, py::handle index, py::handle value) {
  if (value.is_none()) throw py::type_error("x[...] = None: a tensor or a number is wanted");
  Indexer indexer(layout_of(x), index);
  const Places places = indexer.places();
  if (!tensor_or_number(value)) check_numbers(value);
  const Operand values = tensor_or_number(value) ? Operand(value) : Operand(tensor_from(value, x.dtype));
  if (places.offsets && py::isinstance<TypedTensor>(value) && values.dtype != x.dtype) {
    const py::object part = part_of(index);  // a number under a mask is filled in
    const bool masked = py::isinstance<TypedTensor>(part) && is_mask(part.cast<TypedTensor&>());
    if (masked && values.tensor.dim() == 0)
      element({values.tensor.data()[0], values.dtype}, x.dtype);  // refused as masked_fill() does
    else
      check_same_dtype(x.dtype, values.dtype);
  }
  const Loc loc = line_of(x, values);
  const Tensor same = elements(values, x.dtype, loc).tensor;
  if (same.numel() != 1 && !places.offsets) check_distinct("x[...] = ...", places.layout);
  const Ref<Node> before(base_of(x).node());
  write_in_place("x[...] = ...", x, places, without_leading_ones(same, places.layout.shape.dims(), loc));
  if (x.view || !(places.offsets || indexer.none())) return;
  const char* whole = same.dim() ? "CopyBackwards" : "FillBackward3";
  const char* put = indexer.several() ? "CopySlices" : "IndexPutBackward0";
  show_as(base_of(x), places.offsets ? put : whole, {before.get(), same.node()});
}

// The places of nonzero elements: for each dimension, a tensor of the indices into it.
py::list nonzero(const TypedTensor& x) {
  tell_read(x, "nonzero()");
  std::vector<std::vector<int64_t>> columns(size_t(x.tensor.dim()));
  for (int64_t i = 0; i < x.tensor.numel(); ++i) {
    if (x.tensor.data()[i] == 0) continue;
    int64_t rest = i;
    for (int dim = x.tensor.dim() - 1; dim >= 0; --dim) {
      columns[size_t(dim)].push_back(rest % x.tensor.shape()[dim]);
      rest /= x.tensor.shape()[dim];
    }
  }
  py::list tensors;
  for (const auto& column : columns) tensors.append(tagged(Tensor::from(column), Dtype::int64, {}));
  return tensors;
}

}

Places places_of(const Layout& layout, py::handle index) { return Indexer(layout, index).places(); }

void check_same_dtype(Dtype x, Dtype values) {
  check<Error>(x == values, "x[ids] = ...: the dtypes differ, ", type_name(values), " into ", type_name(x));
}

void bind_index(Class& tensor) {
  tensor.def("__getitem__", &get_item).def("__setitem__", &set_item);
  tensor.def("_nonzero", &nonzero);
}

}

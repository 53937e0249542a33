// The same numbers in another shape, order or number.
#include <pybind11/stl.h>

#include <algorithm>
#include <numeric>

#include "core/check.hpp"
#include "demos/python/binding/tensor.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {
namespace {

TypedTensor permuted(const TypedTensor& x, const std::vector<int>& dims) {
  const Arg arg = arg_of(x);
  return computed([&] {
    const Tensor y = permute(arg, dims);
    return view_of(x, layout_of(x).permute(dims), y);
  });
}

TypedTensor permuted(const TypedTensor& x, const py::args& args) {
  if (args.size() == 0) throw py::type_error("permute: the order of dimensions is missing");
  return permuted(x, dims_from(args.size() == 1 ? py::object(args[0]) : py::object(args)));
}

TypedTensor transposed(const TypedTensor& x, int a, int b) {
  const Arg arg = arg_of(x);
  return computed([&] {
    const Tensor y = transpose(arg, a, b);
    Layout layout = layout_of(x);
    const int first = y.shape().index_or_0(a, "transpose"), second = y.shape().index_or_0(b, "transpose");
    layout.shape = y.shape();
    std::swap(layout.stride[first], layout.stride[second]);
    return view_of(x, layout, y);
  });
}

// A view if strides allow it, else a copy; with `as_view` a RuntimeError instead of the copy.
TypedTensor reshaped(const TypedTensor& x, const Shape& sizes, bool as_view = false) {
  const Arg arg = arg_of(x);
  const Tensor y = reshape(arg, sizes);
  const std::optional<Layout> layout = layout_of(x).view(y.shape());
  check<Error>(layout || !as_view, "view: ", x.tensor.shape(), " of these strides is not seen as ", y.shape(),
      " without a copy: use reshape(), or contiguous() first");
  if (layout) return view_of(x, *layout, y);
  const TypedTensor copied{reshape({clone(arg), arg.loc}, sizes), x.dtype};
  show_as(copied, "UnsafeViewBackward0 CloneBackward0", {&x});
  return copied;
}

py::object contiguous(const py::object& self, const py::object&) {
  const auto& x = self.cast<const TypedTensor&>();
  if (layout_of(x).is_contiguous()) return self;
  return py::cast(TypedTensor{clone(arg_of(x)), x.dtype});
}

TypedTensor squeezed(const TypedTensor& x, const py::object& dim) {
  const Shape& shape = x.tensor.shape();
  const int only = dim.is_none() ? -1 : shape.index_or_0(dim.cast<int>(), "squeeze");
  Layout layout = layout_of(x);
  for (int d = shape.dims() - 1; d >= 0; --d) {
    if (shape[d] == 1 && (dim.is_none() || d == only)) layout = layout.select(d, 0);
  }
  return view_of(x, layout, reshape(arg_of(x), layout.shape));
}

TypedTensor unsqueezed(const TypedTensor& x, int dim) {
  const Tensor y = unsqueeze(arg_of(x), dim);
  const Layout layout = layout_of(x);
  const int at = dim < 0 ? dim + y.dim() : dim;
  const bool last = at == x.tensor.dim();
  return view_of(x, layout.insert(at, 1, last ? 1 : layout.shape[at] * layout.stride[at]), y);
}

TypedTensor expanded(const TypedTensor& x, const py::args& sizes) {
  const Tensor y = expand(arg_of(x), shape_from(sizes));
  return view_of(x, layout_of(x).expand(y.shape()), y);
}

TypedTensor flattened(const TypedTensor& x, int begin, int end) {
  const Shape shape = x.tensor.dim() ? x.tensor.shape() : Shape{1};
  begin = shape.index(begin, "flatten"), end = shape.index(end, "flatten");
  check<Error>(begin <= end, "flatten: start_dim comes after end_dim");
  if (begin == end) return x.tensor.dim() ? x : reshaped(x, shape);
  std::vector<int64_t> sizes(shape.begin(), shape.begin() + begin);
  sizes.push_back(shape.numel(begin, end + 1));
  sizes.insert(sizes.end(), shape.begin() + end + 1, shape.end());
  return reshaped(x, Shape{std::span<const int64_t>(sizes)});
}

TypedTensor diagonal(const TypedTensor& x, int64_t offset, int dim1, int dim2) {
  const Shape& shape = x.tensor.shape();
  const int rows = shape.index(dim1, "diagonal"), columns = shape.index(dim2, "diagonal");
  check<Error>(rows != columns, "diagonal: both dimensions are ", rows);
  const Layout dense = Layout(shape).diagonal(rows, columns, offset);
  const Tensor y = index(arg_of(x), {dense, IndexKind::diagonal});
  return view_of(x, layout_of(x).diagonal(rows, columns, offset), y);
}

// torch.as_strided's size and stride, in x's base.
TypedTensor as_strided(
    const TypedTensor& x, const py::object& size, const py::object& stride, const py::object& offset) {
  const Shape shape = shape_from(size), strides = shape_from(stride);
  check<Error>(shape.dims() == strides.dims(), "as_strided: ", shape, " and strides ", strides);
  const Layout its = layout_of(x);
  const Layout layout(shape, strides.begin(), offset.is_none() ? its.offset : offset.cast<int64_t>());
  check_sizes("as_strided", shape);
  __extension__ __int128 last = layout.offset;  // which no int64 may hold
  for (int dim = 0; dim < shape.dims(); ++dim) {
    check<Error>(strides[dim] >= 0, "as_strided: a negative stride in ", strides);
    last += __extension__ __int128{shape[dim] - 1} * strides[dim];
  }
  const Tensor& base = base_of(x);
  check<Error>(layout.offset >= 0 && (shape.numel() == 0 || last < base.numel()), "as_strided: ", shape,
      " with strides ", strides, " goes beyond ", base.numel(), " numbers");
  if (x.tensor.requires_grad() && !base.requires_grad()) {  // a leaf that is a view
    const Layout mine(shape, strides.begin(), layout.offset - its.offset);
    check<Error>(its.is_contiguous() && mine.offset >= 0 && last - its.offset < x.tensor.numel(), "as_strided: ", shape,
        " goes beyond a leaf that is itself a view");
    return view_of(x, layout, index(arg_of(x), {mine, IndexKind::as_strided}));
  }
  const Tensor y = index({base, line_of(x)}, {layout, IndexKind::as_strided});
  return view_of(x, layout, y);
}

// A view of x's numbers with this layout; x itself if it is all of them in order.
TypedTensor in_storage(
    const TypedTensor& x, const py::object& size, const py::object& stride, const py::object& offset) {
  const TypedTensor view = as_strided(x, size, stride, offset);
  const Layout layout = layout_of(view);
  if (layout.offset || !layout.is_contiguous() || view.tensor.numel() != x.tensor.numel()) return detached(view);
  return {x.tensor.with_shape(view.tensor.shape()).off_tape(), x.dtype};
}

TypedTensor concatenated(const py::sequence& list, int dim, bool stacked) {
  std::vector<TypedTensor> parts;
  Dtype dtype = Dtype::boolean;
  Loc loc{};
  for (py::handle item : list) {
    if (!py::isinstance<TypedTensor>(item))
      throw py::type_error("cat and stack are of tensors, not of " + py::repr(item).cast<std::string>());
    const auto& x = item.cast<const TypedTensor&>();
    dtype = parts.empty() ? x.dtype : promote(dtype, x.dtype);
    if (!loc.file) loc = line_of(x);
    parts.push_back(x);
  }
  check<Error>(!parts.empty(), stacked ? "stack" : "cat", ": expected a non-empty list of tensors");
  return computed([&] {
    Tensors xs;
    for (const TypedTensor& x : parts) xs.push_back(operand_in(x, dtype, loc));
    if (stacked) return TypedTensor{stack(xs, dim, loc), dtype};
    for (const Tensor& x : xs) check<Error>(x.dim() > 0, "cat: a number, without dimensions, cannot be concatenated");
    // As in torch, for any shape of the others.
    const auto is_nothing = [](const Tensor& x) { return x.shape() == Shape{0}; };
    if (!std::all_of(xs.begin(), xs.end(), is_nothing)) std::erase_if(xs, is_nothing);
    return TypedTensor{concat(xs, dim, loc), dtype};
  });
}

// The elements [begin, begin + n) along dim.
TypedTensor narrow(const TypedTensor& x, int dim, int64_t begin, int64_t n) {
  check<Error>(x.tensor.dim() > 0, "narrow: a number has no dimension to be cut along");
  const int64_t size = x.tensor.size(dim);
  check<IndexError>(-size <= begin && begin <= size, "narrow: start ", begin, " is outside [", -size, ", ", size, "]");
  if (begin < 0) begin += size;
  check<Error>(
      0 <= begin && 0 <= n && begin + n <= size, "narrow: [", begin, ", ", begin + n, ") is outside [0, ", size, ")");
  const Arg arg = arg_of(x);
  return computed([&] {
    const Tensor y = slice(arg, dim, begin, begin + n);
    return view_of(x, layout_of(x).slice(x.tensor.shape().index(dim), begin, n), y);
  });
}

template <bool upper>
TypedTensor triangle(const TypedTensor& x, int64_t diagonal) {
  check<IndexError>(x.tensor.dim() >= 2, upper ? "triu: " : "tril: ", x.tensor.shape(), " is not a matrix");
  return recorded(x, [&](Arg a) { return upper ? triu(a, diagonal) : tril(a, diagonal); });
}

}

void bind_shapes(py::module_& module, Class& tensor) {
  // The sizes are several arguments, or one list, which may be given by name.
  const auto sized = [&](const char* name, const char* list, auto f) {
    tensor.def(
        name,
        [f](const TypedTensor& x, const py::args& sizes, const py::object& named) {
          if (named.is_none()) return f(x, sizes);
          if (sizes.size()) throw py::type_error("the sizes are given twice");
          return f(x, py::args(py::make_tuple(named)));
        },
        py::arg(list) = py::none());
  };
  sized("reshape", "shape", [](const TypedTensor& x, const py::args& sizes) { return reshaped(x, shape_from(sizes)); });
  sized("view", "size", [](const TypedTensor& x, const py::args& sizes) {
    if (sizes.size() == 1 && py::isinstance<Dtype>(sizes[0]))
      throw Error("view: numbers are not seen as another dtype here; to() converts them");
    return reshaped(x, shape_from(sizes), true);
  });
  sized("permute", "dims", py::overload_cast<const TypedTensor&, const py::args&>(&permuted));
  sized("expand", "size", &expanded);
  sized("repeat", "repeats", [](const TypedTensor& x, const py::args& times) {
    return TypedTensor{repeat(arg_of(x), shape_from(times)), x.dtype};
  });
  const auto format = "memory_format"_a = py::none();
  tensor.def("contiguous", &contiguous, py::kw_only(), format)
      .def(
          "is_contiguous", [](const TypedTensor& x, const py::object&) { return layout_of(x).is_contiguous(); },
          py::kw_only(), format)
      .def(
          "stride",
          [](const TypedTensor& x, const py::object& dim) -> py::object {
            const Layout layout = layout_of(x);
            if (!dim.is_none()) return py::int_(layout.stride[layout.shape.index(dim.cast<int>(), "stride")]);
            py::list strides;
            for (int d = 0; d < x.tensor.dim(); ++d) strides.append(layout.stride[d]);
            return py::tuple(strides);
          },
          "dim"_a = py::none())
      .def("storage_offset", [](const TypedTensor& x) { return layout_of(x).offset; })
      // A handle to all numbers of x's base: files keep shared memory shared.
      .def(
          "_storage",
          [](const TypedTensor& x, const py::object& sizes) {
            const Tensor base = base_of(x).off_tape();
            const Shape all{base.numel()};
            return TypedTensor{base.with_shape(sizes.is_none() ? all : shape_from(sizes)), x.dtype};
          },
          "size"_a = py::none())
      .def("as_strided", &as_strided, "size"_a, "stride"_a, "storage_offset"_a = py::none())
      .def("_in_storage", &in_storage)
      .def("transpose", &transposed, "dim0"_a, "dim1"_a)
      .def("t",
          [](const TypedTensor& x) {
            check<Error>(x.tensor.dim() <= 2, "t: ", x.tensor.shape(), " has more than two dimensions");
            return x.tensor.dim() < 2 ? reshaped(x, x.tensor.shape()) : transposed(x, 0, 1);
          })
      .def_property_readonly("T",
          [](const TypedTensor& x) {
            std::vector<int> dims(size_t(x.tensor.dim()));
            std::iota(dims.rbegin(), dims.rend(), 0);
            return permuted(x, dims);
          })
      .def("unsqueeze", &unsqueezed, "dim"_a)
      .def("squeeze", &squeezed, "dim"_a = py::none())
      .def("flatten", &flattened, "start_dim"_a = 0, "end_dim"_a = -1)
      .def("diagonal", &diagonal, "offset"_a = 0, "dim1"_a = 0, "dim2"_a = 1)
      .def("_base_of",
          [](const TypedTensor& x) {
            return x.view ? py::cast(TypedTensor{x.view->base, x.dtype}) : py::none();
          })
      .def("_is", [](const TypedTensor& x, const TypedTensor& y) { return x.tensor.is(y.tensor); })
      .def("_is_view", [](const TypedTensor& x) { return x.view != nullptr; })
      .def("narrow", &narrow, "dim"_a, "start"_a, "length"_a)
      .def("triu", &triangle<true>, "diagonal"_a = 0)
      .def("tril", &triangle<false>, "diagonal"_a = 0)
      .def(
          "clone",
          [](const TypedTensor& x, const py::object&) {
            return TypedTensor{clone(arg_of(x)), x.dtype};
          },
          py::kw_only(), format);
  module.def("_broadcast", [](const std::vector<TypedTensor>& tensors) {
    Shape shape;
    for (const TypedTensor& x : tensors) shape = broadcast("broadcast", shape, x.tensor.shape());
    return size_object(shape);
  });
  module.def("_cat", &concatenated);
  module.def("_parts", [](const py::tuple& views, const char* name, const TypedTensor& x) {
    for (py::handle view : views) mark_as(view.cast<const TypedTensor&>(), Made::part);
    show_as_parts(views, name, x);
    return views;
  });
}

}

#include "core/tensor/nested.hpp"

#include "core/check.hpp"

namespace stepgrad {

Nested::Nested(std::initializer_list<Nested> rows) {
  shape = rows.size() ? rows.begin()->shape : Shape();
  whole = rows.size() > 0;
  for (const Nested& row : rows) {
    check<ShapeError>(row.shape == shape, "of: a row of ", shape, " and one of ", row.shape);
    values.insert(values.end(), row.values.begin(), row.values.end());
    whole = whole && row.whole;
  }
  shape = shape.insert(0, static_cast<int64_t>(rows.size()));
}

}  // namespace stepgrad

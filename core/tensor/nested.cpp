#include "core/tensor/nested.hpp"

namespace stepgrad {

Nested::Nested(std::span<const Nested> rows, CallLine) {
  shape = rows.size() ? rows.begin()->shape : Shape();
  if (rows.size()) kind = rows.begin()->kind;
  for (const Nested& row : rows) {
    check<ShapeError>(row.shape == shape, "of: a row of ", shape, " and one of ", row.shape);
    values.insert(values.end(), row.values.begin(), row.values.end());
    kind = promoted(kind, row.kind);
  }
  shape = shape.insert(0, std::ssize(rows));
}

}

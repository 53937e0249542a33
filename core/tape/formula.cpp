#include "core/tape/formula.hpp"

#include <utility>

#include "core/check.hpp"

namespace stepgrad {

const std::vector<double>& Attributes::all(std::string_view name) const {
  for (const Attribute& attribute : *this)
    if (attribute.name == name) return attribute.values;
  fail<ValueError>("no attribute is called ", name);
}

static const KnownFormula* known = nullptr;

KnownFormula::KnownFormula(const Formula& formula)
    : formula(formula), next(std::exchange(known, this)) {}

const Formula* formula_named(std::string_view op) {
  const KnownFormula* each = known;
  while (each && each->formula.op != op) each = each->next;
  return each ? &each->formula : nullptr;
}

}  // namespace stepgrad

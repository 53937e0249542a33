#include "core/tape/formula.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"

namespace stepgrad {

const std::vector<double>& Attributes::all(std::string_view name) const {
  for (const Attribute& attribute : *this)
    if (attribute.name == name) return attribute.values;
  fail<ValueError>("no attribute is called ", name);
}

static const KnownFormula* known = nullptr;

KnownFormula::KnownFormula(const Formula& formula) : formula(formula), next(std::exchange(known, this)) {}

std::vector<const Formula*> all_formulas() {
  std::vector<const Formula*> formulas;
  for (const KnownFormula* each = known; each; each = each->next) formulas.push_back(&each->formula);
  std::sort(formulas.begin(), formulas.end(),
      [](const Formula* a, const Formula* b) { return std::string_view(a->op) < b->op; });
  return formulas;
}

const Formula* formula_named(std::string_view op) {
  const KnownFormula* each = known;
  while (each && each->formula.op != op) each = each->next;
  return each ? &each->formula : nullptr;
}

}

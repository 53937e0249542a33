#pragma once

#include "demos/experiments/report.hpp"

namespace stepgrad::demo {

// The files of report().
void draw_charts(const Study& study, const AllResults& results, const Pictures& pictures);

}  // namespace stepgrad::demo

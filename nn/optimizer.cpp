#include "nn/optimizer.hpp"

#include "core/check.hpp"

namespace stepgrad::nn {

void check_optimizer(const char* name, const std::vector<Tensor>& parameters,
                     std::initializer_list<std::pair<const char*, double>> settings) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    check<ValueError>(parameters[i].defined(), name, ": parameter ", i, " is undefined");
    check<ValueError>(parameters[i].is_leaf(), name, ": parameter ", i, ", ", parameters[i].shape(),
                      ", is the output of an op and not a leaf");
  }
  for (const auto& [setting, value] : settings) {
    check<ValueError>(0 <= value && value < double{infinity}, name, ": ", setting, ' ', value,
                      " is negative or not finite");
  }
}

}  // namespace stepgrad::nn

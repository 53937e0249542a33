#include "nn/optimizer.hpp"

#include "core/check.hpp"

namespace stepgrad::nn {

void check_optimizer(
    const char* name, const Tensors& parameters, std::initializer_list<std::pair<const char*, double>> settings) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    check<ValueError>(parameters[i].defined(), name, ": parameter ", i, " is undefined");
    check<ValueError>(parameters[i].is_leaf(), name, ": parameter ", i, ", ", parameters[i].shape(),
        ", is the output of an op and not a leaf");
    for (size_t j = 0; j < i; ++j)
      check<ValueError>(!parameters[i].is(parameters[j]), name, ": parameter ", i, ", ", parameters[i].shape(),
          ", is parameter ", j, " too: it would move twice");
  }
  for (const auto& [setting, value] : settings) {
    check<ValueError>(
        0 <= value && value < double{infinity}, name, ": ", setting, ' ', value, " is negative or not finite");
  }
  check<ValueError>(!parameters.empty(), name, ": there are no parameters");
}

void check_state(const char* name, const NamedTensors& state, const NamedTensors& ours) {
  check<ShapeError>(
      state.size() == ours.size(), name, ": a state of ", state.size(), " tensors, and ", ours.size(), " are wanted");
  for (size_t i = 0; i < ours.size(); ++i) {
    check<ShapeError>(state[i].first == ours[i].first && state[i].second.shape() == ours[i].second.shape(), name, ": ",
        state[i].first, ' ', state[i].second.shape(), " in the state, and not ", ours[i].first, ' ',
        ours[i].second.shape());
  }
}

}

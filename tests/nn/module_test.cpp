#include "nn/nn.hpp"
#include "tests/support/test.hpp"

using Names = std::vector<std::string>;

namespace {

// Parts of every kind: a tensor, a module, a list of modules, one tensor under two names, a frozen
// one and none.
struct Model : nn::Module<Model> {
  Tensor table = Tensor::randn({5, 2}).requires_grad_();
  std::vector<nn::PositionwiseFeedForward> experts{{2, 8}, {2, 8, Scalar(0.1), false}};
  nn::PositionwiseFeedForward last{2, 8};
  Tensor head = table, frozen = Tensor::ones({2}), none;
  nn::ReLU activation;
  bool training = true;

  void parts(auto visit) {
    visit("table", table), visit("experts", experts), visit("last", last);
    visit("head", head), visit("frozen", frozen), visit("none", none);
    visit("activation", activation);
  }
};

}

TEST_CASE("named_parameters gives nested parts dotted paths, in the order of the lists, each once") {
  Model model;
  Names names;
  for (const auto& [name, tensor] : model.named_parameters()) names.push_back(name);
  CHECK(names ==
      Names{"table", "experts.0.w1", "experts.0.w2", "experts.0.b1", "experts.0.b2", "experts.1.w1", "experts.1.w2",
          "last.w1", "last.w2", "last.b1", "last.b2"});
}

TEST_CASE("train and eval reach every nested part and give the module back") {
  Model model;
  const auto all_are = [&](const Model& given_back, bool mode) {
    CHECK(&given_back == &model);
    for (const bool part :
        {model.training, model.experts[0].training, model.experts[1].dropout.training, model.last.dropout.training})
      CHECK(part == mode);
  };
  all_are(model, true);
  all_are(model.eval(), false);
  all_are(model.train(), true);
  all_are(model.train(false), false);
}

TEST_CASE("apply visits inner modules first, in the order of the lists, and its own last") {
  Model model;
  std::vector<const void*> visited;
  model.apply([&](auto& module) { visited.push_back(&module); });
  const auto place = [&](const auto& module) {
    const auto found = std::find(visited.begin(), visited.end(), static_cast<const void*>(&module));
    REQUIRE(std::count(visited.begin(), visited.end(), static_cast<const void*>(&module)) == 1);
    return found - visited.begin();
  };
  CHECK(place(model.experts[0].dropout) < place(model.experts[0]));
  CHECK(place(model.experts[0]) < place(model.experts[1].dropout));
  CHECK(place(model.experts[1]) < place(model.last));
  CHECK(place(model.last) < place(model.activation));
  CHECK(visited.back() == &model);
}

TEST_CASE("A module is printed as torch.nn prints it") {
  const auto printed = [](const auto& module) { return text_of(module); };
  CHECK(printed(nn::Linear(2, 3)) == "Linear(in_features=2, out_features=3, bias=True)");
  CHECK(printed(nn::Linear(2, 3, false)) == "Linear(in_features=2, out_features=3, bias=False)");
  CHECK(printed(nn::Dropout(0.5)) == "Dropout(p=0.5, inplace=False)");
  CHECK(printed(nn::Embedding(10, 3)) == "Embedding(10, 3)");
  CHECK(printed(nn::LayerNorm(3)) == "LayerNorm((3,), eps=1e-05, elementwise_affine=True)");
  CHECK(printed(nn::Conv1d(2, 3)) == "Conv1d(2, 3, kernel_size=(1,), stride=(1,))");
  CHECK(printed(nn::Sequential(nn::ReLU(), nn::Sequential(nn::Dropout(0.5)))) ==
      "Sequential(\n"
      "  (0): ReLU()\n"
      "  (1): Sequential(\n"
      "    (0): Dropout(p=0.5, inplace=False)\n"
      "  )\n"
      ")");
  CHECK(printed(nn::PositionwiseFeedForward(2, 3)) ==
      "PositionwiseFeedForward(\n"
      "  (activation): ReLU()\n"
      "  (dropout): Dropout(p=0.1, inplace=False)\n"
      ")");
}

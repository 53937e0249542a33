#include <map>
#include <set>

#include "core/tape/observer.hpp"
#include "core/tape/pass.hpp"
#include "core/watch/order.hpp"
#include "tests/support/test.hpp"

namespace {

std::vector<std::string> said;

// Notes its notifications in order.
struct Witness : Observer {
  explicit Witness(int place, bool throws = false) : Observer(place), me(std::to_string(place) + ' '), throws(throws) {
    observe(true);
  }
  ~Witness() { observe(false); }
  void note(const std::string& what) {
    said.push_back(me + what);
    if (after_note) after_note(what);
  }

  void op_begins(Node& node, Operands) override { note(std::string("op begins ") + node.op()); }
  void op_ends(Node& node, const Tensor&) override { note(std::string("op ends ") + node.op()); }
  void pass_begins(Pass&) override {
    if (throws) throw 1;
    note("pass begins");
  }
  void between_gradients(Pass&) override { note("between"); }
  void gradient_begins(Node& node, const Tensor&, bool) override { note(std::string("begins ") + node.op()); }
  void gradient_adds(const Input& in, const Shape&, const Tensor&) override {
    note(std::string("adds to ") + in.node->op());
  }
  void gradient_ends(Node& node) override { note(std::string("ends ") + node.op()); }
  void pass_ends(Pass&) noexcept override { note("pass ends"); }

  const std::string me;
  const bool throws;
  std::function<void(const std::string& what)> after_note;
};

}

TEST_CASE("Observers are notified in the order of their places, of a pass those active when it began") {
  const KeepLedger off(false);
  const std::string all_events[] = {"op begins mul", "op ends mul", "pass begins", "between", "begins mul",
      "adds to leaf", "adds to leaf", "ends mul", "between", "begins leaf", "ends leaf", "between", "pass ends"};
  for (const std::string& when : all_events)
    for (const auto& [place, on] : {std::pair(3, true), {5, false}, {6, true}, {7, false}, {7, true}}) {
      std::map<int, Witness> all;
      for (const int there : {7, 6, 5, 3}) all.try_emplace(there, there);
      all.at(6).observe(false), all.at(3).observe(false);
      all.at(5).after_note = [&, place = place, on = on](const std::string& what) {
        if (what == when) all.at(place).observe(on);
      };
      said.clear();
      const Tensor x = parameter({3});
      (x * x).backward();
      std::set<int> active{5, 7};
      std::vector<std::string> expected;
      for (const std::string& event : all_events) {
        for (const int each : active) expected.push_back(std::to_string(each) + ' ' + event);
        if (event == when && event.starts_with("op ")) on ? void(active.insert(place)) : void(active.erase(place));
      }
      INFO(when << ": " << place << (on ? " starts" : " stops"));
      CHECK(said == expected);
    }
}

TEST_CASE("A pass that an observer refuses changes nothing, and ends for earlier observers") {
  const KeepLedger off(false);
  const Tensor x = parameter({3});
  const Tensor y = x * x;
  const Witness before(5), behind(7);
  {
    const Witness broken(6, true);
    said.clear();
    CHECK_THROWS_AS(y.backward(), int);
    CHECK(said == std::vector<std::string>{"5 pass begins", "5 pass ends"});
  }
  CHECK_FALSE(x.grad().defined());
  y.backward();
  CHECK(x.grad().item() == 6);
}

TEST_CASE("An observer cannot take a missing or occupied place") {
  const KeepLedger on;
  const Witness there(5);
  for (const int place : {-1, Observer::places, 5, int{place::ledger}}) CHECK_THROWS_AS(Witness(place), ValueError);
  CHECK_ERROR(ValueError, Witness(8), "observe: place 8 is not one of 0 to 7");
  CHECK_ERROR(ValueError, Witness(5), "observe: at place 5 another observer observes");
  CHECK(there.observes());
  said.clear();
  const Tensor x = parameter({3});
  CHECK((x * x).node()->ledger);
  CHECK(said == std::vector<std::string>{"5 op begins mul", "5 op ends mul"});
}

TEST_CASE("A user's observer may ask for every op, and for saved tensors to be kept") {
  struct Wishes : Witness {
    using Witness::Witness;
    bool wants_every_op() const override { return true; }
    bool wants_saved_kept() const override { return true; }
    void gradient_ends(Node& node) override {
      if (node.saved) CHECK(node.saved->defined());
    }
  };
  const KeepLedger off(false);
  Wishes wishes(5);
  wishes.observe(true);  // its wishes were not known yet to the constructor of what it is made of
  said.clear();
  const Tensor y = Tensor::of({3}) * Tensor::of({2});
  CHECK(said == std::vector<std::string>{"5 op begins mul", "5 op ends mul"});
  CHECK_FALSE(y.requires_grad());
  const Tensor x = parameter({3});
  const Tensor square = x * x;
  square.backward();
  CHECK_FALSE(square.node()->saved->defined());
}

#include "core/watch/paranoid.hpp"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string_view>

#include "core/tape/pass.hpp"
#include "core/text_stream.hpp"
#include "core/watch/compare_backward.hpp"
#include "core/watch/ledger.hpp"
#include "core/watch/order.hpp"
#include "core/watch/print_tape.hpp"

namespace stepgrad {
namespace {

struct Op : Comparisons {
  int64_t gradients = 0;
};

// Changed only during backward passes, which run one at a time.
struct Findings {
  std::map<std::string, Op> ops;
  std::map<std::string, int64_t> visits;  // of an op at a line
  std::set<std::string> kinds;            // of findings, with line and input
  std::vector<std::string> texts;
};

Findings& findings() {
  static Findings& all = *new Findings;  // never destroyed: the report is printed at exit
  return all;
}

std::string at(const Node& node) { return std::string(node.op()) + " at " + called_at(node); }

template <class... Parts>
void found(const Node& node, const std::string& kind, const Parts&... parts) {
  if (!findings().kinds.insert(at(node) + kind).second) return;
  TextStream text;
  text << at(node) << ": ";
  (text << ... << parts);
  findings().texts.push_back(text.str());
  std::cerr << "paranoid: " << text.str() << '\n';
}

size_t checksum(const Tensor& x) {
  const auto* bytes = reinterpret_cast<const char*>(x.data());
  return std::hash<std::string_view>{}({bytes, sizeof(Scalar) * size_t(x.numel())});
}

void check_gradient(const Node& node, const Input& in, size_t which, const Tensor& sum) {
  const std::string kind = std::to_string(which);
  const Range range(sum);
  if (!range.finite())
    found(node, "infinite" + kind, "the gradient of ", in, " has ", range.nan, " NaN and ", range.inf, " Inf");
  const Tensor& arrived = in.node->pass.arrived;
  if (!arrived.defined()) return;
  for (const Saved* saved = node.saved; saved; saved = saved->next)
    if (saved->defined() && saved->overlaps(arrived))
      found(node, "saved" + kind, "the gradient of ", in, " is in the memory of the saved ", saved->letter);
  for (const Input* other = in.next; other; other = other->next)
    if (*other && other->node.get() != in.node.get() && other->node->pass.arrived.defined() &&
        other->node->pass.arrived.overlaps(arrived))
      found(node, "shared" + kind, "the gradients of ", in, " and ", *other, " are in the same memory");
}

struct Paranoia final : Observer {
  constexpr Paranoia() : Observer(place::paranoid) {}

  void op_ends(Node& node, const Tensor&) override {
    for (const Saved* saved = node.saved; saved; saved = saved->next)
      node.ledger->saved_checksums.push_back(saved->defined() ? checksum(*saved) : 0);
  }

  void gradient_begins(Node& node, const Tensor& dY, bool) override {
    node.ledger->dY = dY.copied();
    size_t i = 0;
    for (const Saved* saved = node.saved; saved; saved = saved->next, ++i) {
      if (i >= node.ledger->saved_checksums.size() || !saved->defined()) continue;
      if (checksum(*saved) == node.ledger->saved_checksums[i]) continue;
      found(node, std::string("saved") + saved->letter, "the saved ", saved->letter, ' ', saved->shape(),
          " has changed since it was saved");
    }
  }

  void gradient_ends(Node& node) override {
    if (node.is_leaf()) return;
    const Tensor dY = std::exchange(node.ledger->dY, {});
    Op& op = findings().ops[node.op()];
    ++op.gradients;
    size_t which = 0;
    for (const Input* in = node.inputs; in; in = in->next, ++which)
      if (*in && in->node->ledger)
        if (const Tensor sum = added(node, *in); sum.defined()) check_gradient(node, *in, which, sum);
    const int64_t visit = ++findings().visits[at(node)];
    if (!std::has_single_bit(uint64_t(visit))) return;
    try {
      compare_backward(
          node, dY, op, [&](const Input& in, size_t which, int64_t element, double gradient, double difference) {
            found(node, "wrong" + std::to_string(which), "the gradient of ", in, " at element ", element, " is ",
                gradient, ", and a central difference there is ", difference);
          });
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      found(node, "throws", "recompute failed: ", error.what());
    }
  }

  void pass_ends(Pass& pass) noexcept override {  // also if a gradient threw
    for (Node* node : pass.nodes()) node->ledger->dY = {};
  }
};

constinit Paranoia paranoia;

}

void set_paranoid(bool on) {
  poison_memory = on;
  if (on) set_ledger_for_paranoid(true), findings() = {};
  paranoia.observe(on);
  if (!on) set_ledger_for_paranoid(false);
}

void set_paranoid_from_environment() {
  const char* wish = std::getenv("STEPGRAD_PARANOID");
  const std::string_view wanted = wish ? wish : "";
  if (!wanted.empty() && wanted != "0" && wanted != "1")
    std::fprintf(stderr, "STEPGRAD_PARANOID=%s is neither 0 nor 1: paranoid mode is off\n", wish);
  if (wanted != "1") return;
  set_paranoid(true);
  std::atexit([] { std::cerr << paranoid_verdict(); });
}

std::string paranoid_verdict() {
  std::vector<std::vector<std::string>> rows{{"op", "gradients", "compared", "largest difference", "verdict"}};
  for (const auto& [name, op] : findings().ops) {
    TextStream difference, verdict;
    difference.precision(2);
    difference << op.difference;
    verdict << (op.wrong ? "WRONG" : op.compared ? "right" : "not compared");
    if (op.wrong) verdict << " in " << op.wrong;
    if (op.kinks) verdict << ", " << op.kinks << " at a kink";
    if (op.unclear) verdict << ", " << op.unclear << " too small to tell";
    rows.push_back({name, std::to_string(op.gradients), std::to_string(op.compared),
        op.compared ? difference.str() : "-", verdict.str()});
  }
  std::string text = "paranoid: what was found of " + std::to_string(rows.size() - 1) + " ops\n";
  text += in_columns(rows);
  for (const std::string& each : findings().texts) text += "found: " + each + "\n";
  if (findings().texts.empty()) text += "found: nothing\n";
  return text;
}

}

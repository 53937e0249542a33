#include "core/watch/readings.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "core/memory/locks.hpp"
#include "core/tape/tape.hpp"
#include "core/watch/ledger.hpp"

namespace stepgrad {

namespace {

std::atomic<int64_t> now = 0, last_pass = 0;  // a clock that each op and pass moves on by 2
thread_local Reading gradients_read;          // the first since the last pass that has one

size_t checksum(const Storage& storage) {
  const auto* bytes = reinterpret_cast<const char*>(storage.data);
  return 1 | std::hash<std::string_view>()({bytes, size_t(storage.size) * sizeof(Scalar)});
}

// Whether the numbers have been read, and not been written by data().
bool stands(const Reading& reading, int version, const Storage& storage) {
  return reading.how && reading.version == version && (!reading.checksum || reading.checksum == checksum(storage));
}

// The reading, as it is seen from the loss.
Reading seen_from(const Ledger& loss, Reading reading) {
  reading.earlier = !reading.alone && reading.at <= loss.since;
  return reading;
}

// If it counts for the next loss, too, so that none need take its place.
bool is_recent(const Reading& reading) { return reading.alone || reading.at > last_pass; }

Watched& watched(Storage& storage) {
  if (!storage.watched) storage.watched = std::make_unique<Watched>();
  return *storage.watched;
}

Watched watched_of(const Storage& storage) {
  const std::lock_guard lock(locks::ledger);
  return storage.watched ? *storage.watched : Watched();
}

void keep(const Reading& reading, Storage& storage) {
  Watched& noted = watched(storage);
  if (stands(noted.reading, reading.version, storage)) noted.before = noted.reading;
  noted.reading = reading;
}

// The latest before this time; if there is none, its `how` is null.
Reading reading_before(int64_t at, const Storage& storage, int version) {
  const Watched noted = watched_of(storage);
  for (const Reading& reading : {noted.reading, noted.before})
    if (reading.at < at && stands(reading, version, storage)) return reading;
  return {};
}

// The leaves and constants that x was computed from, with the versions that it was computed from,
// and which of them require a gradient.
struct Origins {
  explicit Origins(const Tensor& x) {
    if (!x.node() || x.node()->is_leaf())
      add(x, x.storage()->version(), x.requires_grad());
    else
      nodes.push_back(x.node());
    for (size_t i = 0; i < nodes.size(); ++i) add(*nodes[i]);
  }
  void add(const Tensor& x, int version, bool leaf) {
    if (x.defined()) found[{x.storage().get(), version}] |= leaf;
    constants = constants && !leaf;
  }
  void add(const Node& node) {
    const Ledger* ledger = node.ledger.get();
    if (!ledger || !seen.insert(&node).second) return;
    if (!node.inputs) add(ledger->value, 0, false);
    size_t i = 0;
    for (const Input* in = node.inputs; in; in = in->next, ++i)
      if (in->node && !in->node->is_leaf())
        nodes.push_back(in->node.get());
      else if (i < ledger->operands.size())
        add(ledger->operands[i], ledger->versions[i], static_cast<bool>(*in));
  }
  std::vector<const Node*> nodes;
  std::set<const Node*> seen;
  std::map<std::pair<Storage*, int>, bool> found;
  bool constants = true;  // no leaf among them that requires a gradient
};

// A reading by data(), unless the numbers turn out to be others. In a loop that fills a tensor the
// checksum is computed once.
void note_data(const Tensor& x, const char* how, Loc loc) {
  const std::lock_guard lock(locks::ledger);
  const Reading& reading = watched(*x.storage()).reading;
  const int version = x.storage()->version();
  const bool just_now = reading.version == version && reading.at > now;
  if (just_now || (is_recent(reading) && stands(reading, version, *x.storage()))) return;
  keep({how, loc, version, now + 1, !x.requires_grad(), checksum(*x.storage())}, *x.storage());
}

}

void note_op(Ledger& op) {
  op.at = now += 2, op.since = last_pass;
  op.gradients_read = gradients_read;
}

void note_pass() { last_pass = now += 2; }

void note_parts(const Tensor& root) {
  const Origins from(root);
  const std::lock_guard lock(locks::ledger);
  for (const auto& [numbers, leaf] : from.found) {
    Watched& noted = watched(*numbers.first);
    noted.trained |= leaf;
    noted.stepped |= leaf && noted.pass && noted.version < numbers.second;
    if (!noted.pass || noted.version < numbers.second) noted.pass = last_pass, noted.version = numbers.second;
  }
}

void note_reading(const Tensor& x, const char* how, Loc loc, Storage* into) {
  // A loop reads its numbers one by one.
  static thread_local std::pair<int64_t, int64_t> told;
  const bool recorded = x.node() && !x.node()->is_leaf() && x.node()->ledger;
  const std::pair now_read(recorded ? x.node()->ledger->at : 0, last_pass.load());
  if (!into && std::exchange(told, now_read) == now_read && recorded) return;
  if (into && !recorded && into == x.storage().get()) return note_data(x, how, loc);
  Origins from(x);
  const std::lock_guard lock(locks::ledger);
  // What no_grad computed before a pass, a running average for instance, was read then.
  const bool back_then = recorded && x.node()->under_no_grad && x.node()->number <= the_tape.at_last_pass;
  const int64_t at = back_then ? last_pass.load() : now + 1;
  bool of_gradients = false, of_trained = false;
  for (const auto& [numbers, leaf] : from.found) {
    const auto& [storage, version] = numbers;
    Reading& reading = watched(*storage).reading;
    if (is_recent(reading) && stands(reading, version, *storage))
      reading.checksum = 0;
    else
      keep({how, loc, version, at, from.constants}, *storage);
    reading.alone |= from.constants;
    of_gradients |= storage->of_gradients, of_trained |= storage->watched->trained;
  }
  if (!of_gradients || how == std::string_view("str()")) return;  // notebooks print gradients
  if (into)  // the numbers that a step of a training makes are the leaf's own
    into->of_gradients |= !watched(*into).trained && !(of_trained && into == x.storage().get());
  else if (gradients_read.at <= last_pass)
    gradients_read = {how, loc, 0, at};
}

Reading read_before(const Storage& storage, int version, const Ledger& loss) {
  return seen_from(loss, reading_before(loss.at, storage, version));
}

Reading gradients_read_before(const Ledger& loss) { return seen_from(loss, loss.gradients_read); }

bool stepped_before(const Storage& storage, const Ledger& loss) {
  const Watched noted = watched_of(storage);
  return noted.stepped || (noted.trained && noted.pass <= loss.since && noted.version < storage.version());
}

bool had_part_before(const Storage& storage, int64_t at) {
  const Watched noted = watched_of(storage);
  return (noted.pass && noted.version == storage.version() && noted.pass <= at) ||
      reading_before(at, storage, storage.version()).how;  // by what had a part, perhaps
}

}

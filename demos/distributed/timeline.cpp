#include "demos/distributed/timeline.hpp"

#include <cstdio>
#include <set>

#include "core/files.hpp"

namespace stepgrad::demo {
namespace {

std::string name_of(int lane) {
  if (lane == 0) return "computes";
  return lane == 1 ? "waits" : "sends bucket " + std::to_string(lane - 2);
}

// The name of a Chrome "process", or of a "thread", which is a lane.
std::string name_event(const char* what, int rank, int lane, const std::string& name) {
  return "{\"ph\":\"M\",\"name\":\"" + std::string(what) + "\",\"pid\":" + std::to_string(rank) +
         ",\"tid\":" + std::to_string(lane) + ",\"args\":{\"name\":\"" + name + "\"}},\n";
}

std::string of_rank(const nn::Distributed& world, const Timeline& events, double zero) {
  const int rank = world.rank();
  std::string text = name_event("process_name", rank, 0,
                                "rank " + std::to_string(rank) + " on " + world.host(rank));
  std::set<int> lanes;
  for (const auto& [name, lane, begin, end] : events) {
    if (lanes.insert(lane).second) text += name_event("thread_name", rank, lane, name_of(lane));
    char numbers[120];  // in microseconds
    std::snprintf(numbers, sizeof numbers, "\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f", rank,
                  lane, 1e6 * (begin - zero), 1e6 * (end - begin));
    text += "{\"ph\":\"X\",\"name\":\"" + name + "\"," + numbers + "},\n";
  }
  return text;
}

}  // namespace

void write_timeline(nn::Distributed& world, const std::string& path, const Timeline& events,
                    double zero) {
  // Processes of one machine have one clock.
  const double first = std::stod(world.broadcast(std::to_string(zero)));
  if (world.host(world.rank()) == world.host(0)) zero = first;
  std::string all = "{\"traceEvents\":[\n";
  for (const std::string& text : world.all_gather(of_rank(world, events, zero))) all += text;
  all.replace(all.size() - 2, 1, "");  // the last comma
  if (world.rank() == 0) write_file(path, all + "]}\n");
}

}  // namespace stepgrad::demo

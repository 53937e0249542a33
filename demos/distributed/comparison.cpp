#include "demos/distributed/comparison.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "core/check.hpp"
#include "demos/distributed/timeline.hpp"
#include "demos/parts/cell.hpp"
#include "demos/parts/picture.hpp"

namespace stepgrad::demo {
namespace {

struct Way {
  const char* name;
  std::unique_ptr<Training> training;
  size_t messages = 0;                       // of a step: buckets
  std::vector<double> seconds{}, waiting{};  // of each step, on rank 0
};

double median(std::vector<double> numbers) {
  std::nth_element(numbers.begin(), numbers.begin() + std::ssize(numbers) / 2, numbers.end());
  return numbers[numbers.size() / 2];
}

std::string milliseconds(const std::vector<double>& seconds) {
  return fixed(1e3 * median(seconds), 1);
}

void step(nn::Distributed& world, Way& way) {
  Timeline events;
  way.training->parallel().timeline = &events;
  world.barrier();
  const double beginning = nn::seconds_now();
  way.training->step();
  way.seconds.push_back(nn::seconds_now() - beginning);
  double waiting = 0;
  way.messages = 0;
  for (const auto& event : events) {
    if (event.lane == 1) waiting += event.end - event.begin;
    if (event.lane > 1) ++way.messages;
  }
  way.waiting.push_back(waiting);
}

void show_table(const std::vector<Way>& ways) {
  std::ostringstream table;
  const auto row = [&](const char* name, const std::string& messages, const std::string& step,
                       const std::string& waits, const std::string& weights) {
    table << std::left << std::setw(30) << name << std::right << std::setw(8) << messages
          << std::setw(10) << step << std::setw(11) << waits << "  " << weights << '\n';
  };
  row("gradients are sent", "messages", "step, ms", "waits, ms", "weights");
  for (const Way& way : ways) {
    row(way.name, std::to_string(way.messages), milliseconds(way.seconds),
        milliseconds(way.waiting), hexadecimal(way.training->hash()));
  }
  show_text(table.str());
}

void draw(const std::vector<Way>& ways, const Options& options) {
  std::ostringstream csv;
  csv << "sent,computes,waits\n";
  for (const Way& way : ways) {
    const double waits = 1e3 * median(way.waiting);
    csv << csv_field(way.name) << ',' << 1e3 * median(way.seconds) - waits << ',' << waits << '\n';
  }
  Pictures(options.out).draw("distributed.png", csv.str(), R"(
    set title 'A step on rank 0, median'
    set ylabel 'milliseconds'
    set yrange [0:*]
    set xrange [-0.6:2.6]
    set key top right autotitle columnheader
    set grid noxtics
    set style data histograms
    set style histogram rowstacked
    set style fill solid 0.6 border linecolor 'white'
    set boxwidth 0.6
    plot $data using 2:xtic(1) linetype 1, '' using 3 linetype 2
  )");
}

}  // namespace

void compare(nn::Distributed& world, const Options& options, const Text& text) {
  const double bucket = options.bucket_kb / 1024;
  std::vector<Way> ways;
  const auto add = [&](const char* name, double bucket_cap_mb, bool overlap) {
    const nn::DistributedOptions how{options.micro_batches, bucket_cap_mb, overlap};
    ways.push_back({name, std::make_unique<Training>(world, options, text, how)});
  };
  add("at once, after backward", 1e9, false);
  add("in buckets, after backward", bucket, false);
  add("in buckets, meanwhile", bucket, true);
  for (int64_t done = 1; done <= options.steps; ++done) {
    for (Way& each : ways) step(world, each);
    if (world.rank() == 0) std::cout << "@step " << done << " a step of each" << std::endl;
  }
  for (const Way& each : ways) {
    world.require_same("weights of hash", hexadecimal(each.training->hash()));
    check<ValueError>(each.training->hash() == ways[0].training->hash(), each.name,
                      ": the weights are not those of the first way");
  }
  if (world.rank() != 0) return;
  show_table(ways);
  draw(ways, options);
  std::cout << std::flush;
}

}  // namespace stepgrad::demo

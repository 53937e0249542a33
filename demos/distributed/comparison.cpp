#include "demos/distributed/comparison.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>

#include "core/check.hpp"
#include "core/text_stream.hpp"
#include "demos/distributed/cost_model.hpp"
#include "demos/distributed/timeline.hpp"
#include "demos/parts/cell.hpp"
#include "demos/parts/picture.hpp"

namespace stepgrad::demo {
namespace {

struct Way {
  const char* name;
  bool overlap;
  std::unique_ptr<Training> training;
  std::vector<double> seconds{}, waiting{};  // of each step, on rank 0
  std::vector<double> last_micro_batch{};    // likewise
};

void step(nn::Distributed& world, Way& way) {
  Timeline events;
  way.training->parallel().timeline = &events;
  world.barrier();
  const double beginning = nn::seconds_now();
  way.training->step();
  const double own_end = nn::seconds_now();
  world.barrier();  // what this rank has sent may still be on the line
  way.seconds.push_back(nn::seconds_now() - beginning);
  double waiting = nn::seconds_now() - own_end, last_micro_batch = 0;
  for (const auto& event : events) {
    if (event.lane == 0) last_micro_batch = event.end - event.begin;
    if (event.lane == 1) waiting += event.end - event.begin;
  }
  way.waiting.push_back(waiting);
  way.last_micro_batch.push_back(last_micro_batch);
}

// The model's seconds per step if computing takes `compute`; see the README.
double predicted(const Way& way, const CostModel& costs, double compute) {
  constexpr double part_of_backward = 2. / 3;  // of a step's products: one forward, two back
  return costs.step(compute, median(way.last_micro_batch) * part_of_backward,
                    way.training->parallel().bucket_bytes(), way.overlap);
}

void show_table(const std::vector<Way>& ways, const CostModel& costs) {
  TextStream table;
  const auto row = [&](const char* name, const std::string& buckets, const std::string& step,
                       const std::string& predicted, const std::string& waits) {
    table << std::left << std::setw(28) << name << std::right << std::setw(7) << buckets
          << std::setw(10) << step << std::setw(15) << predicted << std::setw(12) << waits << '\n';
  };
  const auto ms = [](double seconds) { return fixed(1e3 * seconds, 1); };
  const double compute = median(ways[0].seconds) - median(ways[0].waiting);
  row("gradients are sent", "buckets", "step, ms", "predicted, ms", "waits, ms");
  for (const Way& way : ways) {
    row(way.name, std::to_string(way.training->parallel().bucket_bytes().size()),
        ms(median(way.seconds)), ms(predicted(way, costs, compute)), ms(median(way.waiting)));
  }
  table << "\nweights: " << hexadecimal(ways[0].training->hash()) << ", of all three\n";
  show_text(table.str());
  show_words("Predicted from " + ms(compute) + " ms of computing, alpha = " +
             fixed(1e6 * costs.alpha, 0) + " us a message, beta = " + fixed(1e9 * costs.beta, 2) +
             " and gamma = " + fixed(1e9 * costs.gamma, 2) + " ns a byte, and " +
             fixed(static_cast<double>(ways[0].training->parallel().bucket_bytes()[0]) / 1e6, 2) +
             " MB of gradients, which come into rank 0 " + std::to_string(costs.up) +
             " times and leave it " + std::to_string(costs.down) +
             " times: demos/distributed/README.md has the formula.");
}

void draw(const std::vector<Way>& ways, const Options& options) {
  TextStream csv;
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
    ways.push_back({name, overlap, std::make_unique<Training>(world, options, text, how)});
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
  const CostModel costs = measure_costs(world);
  if (world.rank() != 0) return;
  show_table(ways, costs);
  draw(ways, options);
  std::cout << std::flush;
}

}  // namespace stepgrad::demo

#pragma once

#include <string>

// Whether times can be trusted. Uses Linux's files; elsewhere assumes no other load.
namespace stepgrad::demo {

int cores();  // that this process may use

// Measures the share of the machine that other programs take while one lives.
class OtherLoad {
 public:
  OtherLoad();
  std::string note() const;  // a sentence below a table of times, if they take much; or nothing
  double share() const;      // in [0, 1]; that of programs which this one started does not count

 private:
  [[maybe_unused]] double busy_, own_, start_;  // seconds
};

}  // namespace stepgrad::demo

#pragma once

#include <string>

// Whether times can be trusted. Linux's files; where there are none, other programs take nothing.
namespace stepgrad::demo {

int cores();  // that this process may use

// Waits until other programs leave nearly all of the machine alone, for so many seconds at most.
void wait_for_idle(double at_most);

// How much of the machine other programs take while one of these lives.
class OtherLoad {
 public:
  OtherLoad();
  std::string note() const;  // a sentence below a table of times, if they take much; or nothing
  double share() const;      // in [0, 1]; that of programs which this one started does not count

 private:
  double busy_, own_, start_;  // seconds
};

}  // namespace stepgrad::demo

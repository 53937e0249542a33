#pragma once

#include <locale>

namespace stepgrad {

// A program whose locale writes numbers as 1.000,5 until the end of the test.
class DottedThousands {
 public:
  DottedThousands() : before_(std::locale::global(std::locale(std::locale::classic(), new Digits))) {}
  ~DottedThousands() { std::locale::global(before_); }
  DottedThousands(const DottedThousands&) = delete;

 private:
  struct Digits : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::locale before_;
};

}

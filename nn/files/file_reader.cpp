#include "nn/files/file_reader.hpp"

#include <charconv>

namespace stepgrad::nn {

int64_t FileReader::whole_number() {
  const char* const begin = bytes.data() + at;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(begin, bytes.data() + bytes.size(), number);
  const size_t digits = size_t(end - begin);
  require(next() != '-', "a negative number");
  require(error != std::errc::result_out_of_range, "a number that no integer holds");
  require(error == std::errc() && (digits == 1 || *begin != '0'), "a whole number is expected");
  at += digits;
  return number;
}

}

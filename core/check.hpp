#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include "core/loc.hpp"
#include "core/text_stream.hpp"

namespace stepgrad {

// Misuse throws one of these, in one sentence that names the op, the shapes in the caller's order,
// the rule that was broken and, in an op, the line that called it. Nothing has changed when it is
// thrown.
struct Error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
struct ShapeError : Error {  // sizes that do not fit
  using Error::Error;
};
struct ValueError : Error {  // a number outside its range
  using Error::Error;
};
struct IndexError : Error {  // an index, id or dimension that does not exist
  using Error::Error;
};
struct TapeError : Error {  // a backward pass or an in-place op that the tape does not allow
  using Error::Error;
};
struct FileError : Error {  // a file that cannot be read or written, or is not what it should be
  using Error::Error;
};

// A tensor, or the thing named, needs more memory than the system provides.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(uint64_t bytes, const std::string& wanted = "a tensor") {
    const uint64_t whole = bytes >> 20;
    TextStream text;
    text << "out of memory: " << wanted << " of " << (whole ? whole : bytes) << (whole ? " MiB" : " bytes")
         << " is more than the system gives";
    name_line(text);
    text_ = text.str();
  }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

// Told of each error before it is thrown, while a ledger is kept (core/watch/refusal.hpp).
inline std::atomic<void (*)(const std::string& said)> on_error = nullptr;

// Kept out of check(), which is then so short that compilers inline it.
template <class E, class... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void fail(const Parts&... parts) {
  TextStream text;
  (text << ... << parts);
  if (const auto tell = on_error.load()) tell(text.str());
  name_line(text);
  throw E(text.str());
}

// fail() in a member that is no op: the message names `loc`, the line that called it, unless an op
// runs, which names its own.
template <class E, class... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void fail_at(Loc loc, const Parts&... parts) {
  const CallLine line(call_lines.arg ? Loc(*call_lines.arg) : loc);
  fail<E>(parts...);
}

// check<ShapeError>(a == b, "matmul: ", x.shape(), " · ", w.shape(), ": inner sizes differ")
template <class E, class... Parts>
void check(bool holds, const Parts&... parts) {
  if (!holds) fail<E>(parts...);
}
template <class E, class... Parts>
void check_at(Loc loc, bool holds, const Parts&... parts) {
  if (!holds) fail_at<E>(loc, parts...);
}

}

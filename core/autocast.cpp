#include "core/autocast.hpp"

#include <utility>

namespace stepgrad {
namespace {

thread_local Cast casting = nullptr;

}  // namespace

Autocast::Autocast(Cast cast) : before_(std::exchange(casting, cast)) {}
Autocast::~Autocast() { casting = before_; }
Cast Autocast::current() { return casting; }

Arg autocast(Arg x) {
  if (!casting) return x;
  const Loc loc = x.loc;
  return {casting(std::move(x)), loc};
}

}  // namespace stepgrad

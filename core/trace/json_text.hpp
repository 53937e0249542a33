#pragma once

#include <cmath>
#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor/shape.hpp"
#include "core/text_stream.hpp"
#include "core/utf8.hpp"

namespace stepgrad {

inline std::string number(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value < 0 ? "\"-inf\"" : "\"inf\"";
  TextStream text;  // the same digits in every locale
  text.precision(9);
  text << value;
  return text.str();
}

template <class List, class F>
std::string list(const List& of, F text) {
  std::string joined;
  for (const auto& one : of) joined += (joined.empty() ? "" : ",") + text(one);
  return '[' + joined + ']';
}

inline std::string list(const std::vector<std::string>& of) {
  return list(of, [](const std::string& one) { return one; });
}
template <class List>
std::string integers(const List& of) {
  return list(of, [](int64_t one) { return std::to_string(one); });
}

// A member of an object, and its value in JSON. Empty: it is left out.
struct Member {
  Member(std::string key, std::string json) : name(std::move(key)), value(std::move(json)) {}
  Member(std::string key, std::integral auto number) : Member(std::move(key), std::to_string(number)) {}
  std::string name, value;
};
inline std::string object(const std::vector<Member>& members) {
  std::string joined;
  for (const Member& one : members)
    if (!one.value.empty()) joined += (joined.empty() ? "" : ",") + json_string(one.name) + ':' + one.value;
  return '{' + joined + '}';
}
template <class Map, class F>
std::string object(const Map& of, F text) {
  std::vector<Member> members;
  for (const auto& [name, value] : of) members.push_back({name, text(value)});
  return object(members);
}
inline std::string only_if(bool holds, std::string json = "true") { return holds ? json : ""; }

}

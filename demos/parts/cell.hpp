#pragma once

#include <initializer_list>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/loc.hpp"
#include "core/text_stream.hpp"

// A notebook cell in C++: its lines are shown, then run.

// A statement, without its semicolon.
#define RUN(...)                               \
  stepgrad::demo::show_code(#__VA_ARGS__ ";"); \
  __VA_ARGS__

// An expression and its value.
#define SHOW(...) SHOW_AS("", __VA_ARGS__)

// The same with a comment on the value.
#define SHOW_AS(comment, ...)                       \
  stepgrad::demo::show_code(#__VA_ARGS__, comment); \
  stepgrad::demo::show(__VA_ARGS__)

// A mistake and the message that refuses it. std::logic_error: it was not refused.
#define REFUSED(...)                       \
  stepgrad::demo::show_code(#__VA_ARGS__); \
  stepgrad::demo::show_refusal([&] { (void)(__VA_ARGS__); })

namespace stepgrad::demo {

// The first line of a cell:   In [10]   What it is for, also in the demo's other languages
void cell(std::string_view label, std::string_view purpose, std::string_view own = "", std::string_view other = "");

void show_code(const std::string& line, std::string_view comment = "");

// The definitions of functions, constants and classes that shown lines use, from that file or
// another of its folder; each is shown once.
void show_definitions(std::initializer_list<std::string_view> names, Loc loc = Loc::here());

void show_text(std::string_view text);
void show_words(std::string_view text);  // the same, with lines broken to fit the terminal
void show_error(std::string_view message);
std::string fixed(double number, int digits);  // fixed(2.0356, 3) is 2.036

void show(const auto& value) {
  TextStream text;
  text << std::boolalpha << value;
  show_text(text.str());
}

void show_refusal(auto mistake) {
  try {
    mistake();
  } catch (const std::invalid_argument& refusal) {
    return show_error(refusal.what());
  }
  throw std::logic_error("the line above should have been refused.");
}

}

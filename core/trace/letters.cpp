#include "core/trace/letters.hpp"

#include <algorithm>

namespace stepgrad {

// The inputs in a formula's gradient: A and B in "dA = dY·Bᵀ   dB = Aᵀ·dY".
static std::vector<std::string> letters_in(std::string_view gradient) {
  std::vector<std::string> letters;
  for (size_t begin = 0, end; begin < gradient.size(); begin = end + 1) {
    end = std::min(gradient.find(' ', begin), gradient.size());
    const std::string_view word = gradient.substr(begin, end - begin), rest = gradient.substr(end);
    const size_t index = word.find('[');
    const bool given = index != word.npos || rest.starts_with(" = ") || rest.starts_with(" likewise");
    if (!given || !word.starts_with('d')) continue;
    std::string letter(word.substr(1, std::min(index, word.find("...")) - 1));
    letter = letter.substr(0, letter.find("ᵢ"));
    if (letter != "Y" && std::count(letters.begin(), letters.end(), letter) == 0) letters.push_back(letter);
  }
  return letters;
}

std::vector<std::string> letters_of(const Node& node) {
  std::vector<std::string> letters, others = letters_in(node.formula.gradient);
  for (const Input* in = node.inputs; in; in = in->next) {
    const Saved* saved = node.saved;
    while (saved && saved->input != in) saved = saved->next;
    letters.emplace_back(saved ? saved->letter : "");
    if (saved) std::erase(others, saved->letter);
  }
  const auto unnamed = std::count(letters.begin(), letters.end(), "");
  const bool alike = unnamed > std::ptrdiff_t(others.size()) && letters.size() > 1;
  size_t next = 0;
  for (size_t i = 0; i < letters.size(); ++i) {
    if (!letters[i].empty()) continue;
    letters[i] = alike ? "X" + std::to_string(i + 1) : others.empty() ? "X" : others[next++];
  }
  return letters;
}

}

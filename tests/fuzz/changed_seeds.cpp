// Gives a reader the files of a folder, changed at random, the same each time: READER FOLDER COUNT.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

void try_bytes(std::string_view bytes);

namespace {

std::vector<std::string> contents(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files.emplace_back(std::istreambuf_iterator(file), std::istreambuf_iterator<char>());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void change(std::string& bytes, std::mt19937_64& random) {
  if (bytes.empty()) bytes = "0";
  const size_t at = random() % bytes.size(), n = random() % 9;
  switch (random() % 5) {
    case 0:
      bytes.erase(at, n);
      break;
    case 1:
      bytes.insert(at, bytes.substr(random() % bytes.size(), n));
      break;
    case 2:
      bytes[at] ^= char(1 << random() % 8);
      break;
    case 3:
      bytes[at] = char(random());
      break;
    case 4:
      bytes.insert(at, n, "\0\377-9[{\"\n"[random() % 8]);
      break;
  }
}

}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::vector<std::string> seeds = contents(argv[1]);
  std::mt19937_64 random(0);
  for (long count = std::stol(argv[2]); count > 0; --count) {
    std::string bytes = seeds.at(random() % seeds.size());
    for (uint64_t changes = random() % 4; changes > 0; --changes) change(bytes, random);
    try_bytes(bytes);
  }
}

#include "nn/text/vocabulary.hpp"

#include "core/files.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

using nn::Vocabulary;

namespace {

const std::vector<std::string> sentences{"겨울은 추워요.", "감기 조심하세요.", "여름은 더워요.",
    "오늘은 날씨가 추워요.", "내일은 비가 올까요?", "물을 많이 드세요.", "", "건강을 조심하세요."};

// A field of a protocol buffer, of less than 2^14 bytes.
std::string field(int number, const std::string& bytes) {
  const auto low = char(bytes.size() | 128), high = char(bytes.size() >> 7);
  return std::string{char(number << 3 | 2), low, high} + bytes;
}

}

TEST_CASE("A vocabulary learns pieces, and they and their ids give the line back") {
  const Vocabulary vocab = Vocabulary::train(sentences, 60);
  CHECK(vocab.size() > 20);
  CHECK(vocab.size() <= 60);
  const std::string line = "겨울은 추워요.";
  const auto pieces = vocab.encode_as_pieces(line);
  const auto ids = vocab.encode_as_ids(line);
  REQUIRE(pieces.size() == ids.size());
  CHECK(pieces[0].starts_with("▁"));
  std::string joined;
  for (const std::string& piece : pieces) joined += piece;
  CHECK(joined == "▁겨울은▁추워요.");
  for (const int64_t id : ids) CHECK((id > 3 && id < vocab.size()));
  CHECK(vocab.decode_ids(ids) == line);
  CHECK(vocab.encode_as_ids("").empty());
  CHECK(vocab.encode_as_ids("Ω").back() == 1);  // unknown
}

TEST_CASE("The first ids are padding, unknown, begin and end, of any size that is asked for") {
  const Folder folder;
  const std::string path = folder.file("first");
  for (const int64_t size : {45, 60, 60'000}) {
    Vocabulary::train(sentences, size).save(path);
    const std::string model = read_file(path);
    size_t at = 0;  // the pieces stand in the order of their ids, each behind its length
    for (const std::string piece : {"<pad>", "<unk>", "<s>", "</s>"}) {
      const size_t next = model.find(char(piece.size()) + piece);
      REQUIRE(next != model.npos);
      CHECK((at == 0 || next > at));
      at = next;
    }
    CHECK(at < 100);
  }
}

TEST_CASE("The same text gives the same vocabulary, and a file gives it back") {
  const Vocabulary vocab = Vocabulary::train(sentences, 60), again = Vocabulary::train(sentences, 60);
  const Folder folder;
  const std::string path = folder.file("vocabulary");
  vocab.save(path);
  const Vocabulary loaded = Vocabulary::load(path);
  CHECK(loaded.size() == vocab.size());
  for (const std::string& line : sentences) {
    CHECK(loaded.encode_as_ids(line) == vocab.encode_as_ids(line));
    CHECK(again.encode_as_ids(line) == vocab.encode_as_ids(line));
  }
}

TEST_CASE("Nothing is learnt from an empty text, or a vocabulary of too few") {
  CHECK_ERROR(ValueError, Vocabulary::train({}, 60), "Vocabulary: the text to learn from is empty");
  CHECK_ERROR(ValueError, Vocabulary::train({"", " \t\n"}, 60), "Vocabulary: the text to learn from is empty");
  for (const int64_t size : {-1, 0, 4})  // by SentencePiece, which says why
    CHECK_THAT(message<ValueError>([&] { Vocabulary::train(sentences, size); }), ContainsSubstring("vocab_size"));
}

TEST_CASE("A broken or missing vocabulary is refused") {
  const Folder folder;
  const std::string path = folder.file("broken");
  Vocabulary::train(sentences, 60).save(path);
  const std::string whole = read_file(path);
  write_file(path, "hello");
  CHECK_THROWS_AS(Vocabulary::load(path), FileError);
  for (size_t n = 0; n < 1000; ++n) {  // all pieces stand there
    write_file(path, whole.substr(0, n));
    REQUIRE_THROWS_AS(Vocabulary::load(path), FileError);
  }
  CHECK_ERROR(FileError, Vocabulary::load(path + "/x"), path + "/x: cannot be read");
  CHECK_THROWS_AS(Vocabulary::train(sentences, 60).save(path + "/none"), FileError);
  const Vocabulary vocab = Vocabulary::train(sentences, 60);
  for (const int64_t id : {vocab.size(), int64_t{60000}, int64_t{-1}})
    CHECK_THROWS_AS(vocab.decode_ids({id}), IndexError);
  CHECK_NOTHROW(vocab.decode_ids({vocab.size() - 1}));
}

TEST_CASE("A vocabulary whose map of characters points outside of it is refused") {
  const Folder folder;
  const std::string path = folder.file("map");
  Vocabulary::train(sentences, 60).save(path);
  const std::string model = read_file(path);
  const auto loaded = [&](const std::string& map) {
    // A second normalizer: the later one counts.
    write_file(path, model + field(3, field(2, map)));
    Vocabulary::load(path);
  };
  std::vector<uint32_t> units(256);
  const auto array = [&](uint32_t bytes) {
    const auto* of_units = reinterpret_cast<const char*>(units.data());
    return std::string(reinterpret_cast<const char*>(&bytes), 4) + std::string(of_units, 1024);
  };
  const std::string text("x\0", 2);
  CHECK_NOTHROW(loaded(array(1024) + text));
  CHECK_THROWS_AS(loaded(array(1024)), FileError);         // no texts
  CHECK_THROWS_AS(loaded(array(1024) + "x"), FileError);   // one without an end
  CHECK_THROWS_AS(loaded(array(0) + text), FileError);     // no array
  CHECK_THROWS_AS(loaded(array(1023) + text), FileError);  // not of whole units
  CHECK_THROWS_AS(loaded(array(2048) + text), FileError);  // longer than the map
  CHECK_THROWS_AS(loaded(array(1020) + text),
      FileError);     // 255 units: the last child is behind them
  units[0] = 1 << 8;  // with a leaf, itself: text 256
  CHECK_THROWS_AS(loaded(array(1024) + text), FileError);
  units[0] = 256 << 10;  // children behind the end
  CHECK_THROWS_AS(loaded(array(1024) + text), FileError);
  units[0] = 1 << 10 | 1 << 8;  // a leaf
  for (const uint32_t behind : {2, 1 << 23}) {
    units[1] = 1u << 31 | behind;
    CHECK_THROWS_AS(loaded(array(1024) + text), FileError);
  }
  units[1] = 1u << 31 | 1;  // text 1, where an empty one is
  CHECK_NOTHROW(loaded(array(1024) + text));
  units[0] = units[1] = 0, units[255] = 1 << 9 | 1 << 10;  // the same, by a scaled offset
  CHECK_THROWS_AS(loaded(array(1024) + text), FileError);
}

TEST_CASE("Such a map is found behind fields of every kind and length") {
  const Folder folder;
  const std::string path = folder.file("fields");
  Vocabulary::train(sentences, 60).save(path);
  const std::string model = read_file(path);
  std::string map(4 + 1024, '\0');
  map[1] = 4;  // 1024 bytes
  const std::string good = map + std::string("x\0", 2), bad = map;
  const std::vector<std::string> before{
      "",
      "\x18\x01",      // of a number: 1
      "\x18\x80\x01",  // 128
      "y12345678",     // of eight bytes
      "}1234",         // of four
      field(1, std::string(127, 'x')),
      field(1, std::string(128, 'x')),
      field(1, std::string(8192, 'x')),
  };
  for (const std::string& other : before) {
    INFO("behind a field that begins with byte " << int{uint8_t(other[0])});
    write_file(path, model + field(3, other + field(2, good)));
    CHECK_NOTHROW(Vocabulary::load(path));
    write_file(path, model + field(3, other + field(2, bad)));
    CHECK_THROWS_AS(Vocabulary::load(path), FileError);
  }
}

TEST_CASE("A vocabulary with a 0 in a piece is refused") {
  const Folder folder;
  const std::string path = folder.file("zero");
  Vocabulary::train(sentences, 60).save(path);
  std::string model = read_file(path);
  const size_t at = model.find("▁");
  REQUIRE(at != model.npos);
  model[at] = '\0';
  write_file(path, model);
  CHECK_THROWS_AS(Vocabulary::load(path), FileError);
}

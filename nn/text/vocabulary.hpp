#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/loc.hpp"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace stepgrad::nn {

// A vocabulary of subword tokens by the SentencePiece library (Kudo & Richardson 2018). Needs the
// library stepgrad_vocabulary. The first ids: 0 padding, 1 unknown, 2 begin, 3 end.
class Vocabulary {
 public:
  // Learns up to `size` tokens from sentences by the unigram model. ValueError: no text, or
  // SentencePiece's own message, for instance if `size` is too large for the text.
  static Vocabulary train(const std::vector<std::string>& sentences, int64_t size, Loc loc = Loc::here());

  // A .model file, of this class or of SentencePiece's own tools. FileError: cannot be read or
  // written, or is no such file.
  static Vocabulary load(const std::string& path, Loc loc = Loc::here());
  void save(const std::string& path, Loc loc = Loc::here()) const;

  int64_t size() const;
  std::vector<std::string> encode_as_pieces(const std::string& line) const;
  std::vector<int64_t> encode_as_ids(const std::string& line) const;
  std::string decode_ids(const std::vector<int64_t>& ids,
      Loc loc = Loc::here()) const;  // IndexError: an unknown id

 private:
  explicit Vocabulary(const std::string& model);  // ValueError

  std::shared_ptr<const sentencepiece::SentencePieceProcessor> processor_;
};

}

#include "nn/text/vocabulary.hpp"

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <algorithm>

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/tape/modes.hpp"
#include "nn/text/sentencepiece_model.hpp"

namespace stepgrad::nn {
namespace {

using sentencepiece::util::Status;

class Sentences : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(const std::vector<std::string>& sentences) : sentences_(sentences) {}
  bool done() const override { return at_ == sentences_.size(); }
  void Next() override { ++at_; }
  const std::string& value() const override { return sentences_[at_]; }
  Status status() const override { return {}; }

 private:
  const std::vector<std::string>& sentences_;
  size_t at_ = 0;
};

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

}

Vocabulary::Vocabulary(const std::string& model) {
  check<ValueError>(is_sound_model(model), "Vocabulary: the model is broken");
  auto processor = std::make_shared<sentencepiece::SentencePieceProcessor>();
  const Status status = processor->LoadFromSerializedProto(model);
  check<ValueError>(status.ok(), "Vocabulary: ", status.ToString());
  processor_ = processor;
}

Vocabulary Vocabulary::train(const std::vector<std::string>& sentences, int64_t size, Loc loc) {
  const OpCall call(loc);
  check<ValueError>(
      !std::all_of(sentences.begin(), sentences.end(), is_blank), "Vocabulary: the text to learn from is empty");
  Sentences iterator(sentences);
  std::string model;
  const Status status = sentencepiece::SentencePieceTrainer::Train(
      {{"vocab_size", std::to_string(size)}, {"pad_id", "0"}, {"unk_id", "1"}, {"bos_id", "2"}, {"eos_id", "3"},
          {"hard_vocab_limit", "false"}, {"num_threads", "1"}, {"minloglevel", "2"}},
      &iterator, &model);
  check<ValueError>(status.ok(), "Vocabulary: ", status.ToString());
  return Vocabulary(model);
}

Vocabulary Vocabulary::load(const std::string& path, Loc loc) {
  const OpCall call(loc);
  const std::string model = read_file(path);
  try {
    return Vocabulary(model);
  } catch (const ValueError&) {
    fail<FileError>(path, ": is no SentencePiece model, or not all of one");
  }
}

void Vocabulary::save(const std::string& path, Loc loc) const {
  const OpCall call(loc);
  write_file(path, processor_->serialized_model_proto());
}

int64_t Vocabulary::size() const { return processor_->GetPieceSize(); }

std::vector<std::string> Vocabulary::encode_as_pieces(const std::string& line) const {
  return processor_->EncodeAsPieces(line);
}

std::vector<int64_t> Vocabulary::encode_as_ids(const std::string& line) const {
  const std::vector<int> ids = processor_->EncodeAsIds(line);
  return {ids.begin(), ids.end()};
}

std::string Vocabulary::decode_ids(const std::vector<int64_t>& ids, Loc loc) const {
  const OpCall call(loc);
  for (const int64_t id : ids) {
    check<IndexError>(0 <= id && id < size(), "Vocabulary: id ", id, " is not in [0, ", size(), ")");
  }
  return processor_->DecodeIds({ids.begin(), ids.end()});
}

}

// LaneLog: the lists that recommenders made, with all feedback of the log, as one log in the order of time that a replay
// reads: a list of recommender `top` has the id `top/17` and the segment recommender: top. Feedback names no list, so it
// counts in every list that shows its item in time. Thread safety: none.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "app/prequential/read_learning_log.h"
#include "recmeter/base/result.h"
#include "recmeter/file/atomic_file.h"
#include "recmeter/recommend/ranking.h"
#include "recmeter/result/json_writer.h"

namespace recmeter {

class LaneLog {
 public:
  // `read` and `actions` outlive it. `record`: where lists go once more as candidate records; null: nowhere.
  // `has_positions`: entries of lists are objects with their position, for lists of which ranks lack an item.
  [[nodiscard]] static Result<LaneLog> create(const std::string& path, const ReadLog& read,
                                              std::span<const std::string> actions, file::AtomicFile* record,
                                              bool has_positions);

  // Requires: requests come in the order of time. Errors: output_failed.
  [[nodiscard]] Result<void> add(std::string_view recommender, const ListRequest& request, std::span<const RankedItem> items);
  // The list that was shown then, at its ranks. It is not recorded again: the log has it.
  [[nodiscard]] Result<void> add_shown(std::string_view recommender, const ListRequest& request,
                                       std::span<const RankedItem> items);
  // What is left of the feedback.
  [[nodiscard]] Result<void> finish();

 private:
  LaneLog(std::unique_ptr<file::AtomicFile> output, const ReadLog& read, std::span<const std::string> actions,
          file::AtomicFile* record, bool has_positions)
      : output_(std::move(output)), read_(read), actions_(actions), record_(record), has_positions_(has_positions) {}
  [[nodiscard]] Result<void> write_feedback_before(EventTime ts);
  // `ranks`: empty: 1, 2, ...
  void write_items(JsonWriter& json, std::span<const RankedItem> items, std::span<const std::uint32_t> ranks) const;
  // An impression up to its items, and from its segments on.
  template <class WriteItems>
  [[nodiscard]] Result<void> write_impression(std::string_view recommender, const ListRequest& request,
                                              const WriteItems& write_items);

  std::unique_ptr<file::AtomicFile> output_;
  const ReadLog& read_;
  std::span<const std::string> actions_;
  file::AtomicFile* record_;
  bool has_positions_;
  std::size_t feedback_ = 0;  // written
  std::uint64_t lists_ = 0;
  std::string text_;
};

}  // namespace recmeter

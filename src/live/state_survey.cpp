#include "recmeter/live/state_survey.h"

#include <algorithm>
#include <string>

#include "live/journal.h"
#include "recmeter/join/join_rule.h"
#include "recmeter/live/attach.h"

namespace recmeter {

namespace {

constexpr Duration minute{60'000};

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<std::uint8_t>(byte);
  return number;
}

tl::unexpected<Error> damaged(const std::string& what) {
  return failure(Errc::state_unusable, "the state is damaged: " + what + "; restore it, or move it away and start anew");
}

// Sums and lengths need no decoding, and say how much there is when decoding fails.
Result<void> read_journal(const StateStore& store, StateSurvey& survey) {
  const std::uint64_t partitions = survey.checkpoint ? survey.checkpoint->next_offsets.size() : 0;
  auto sized = store.scan("j", "k", [&](std::string_view key, std::string_view value) {
    ++survey.journal.blocks;
    survey.journal.bytes += key.size() + value.size();
    return true;
  });
  if (!sized) return sized;
  bool is_known = true;
  auto read = Journal::read(store, JoinKey(), actions_max, {}, [&](EventTime bucket, const RoutedBatch& batch) {
    survey.journal.events += batch.events.size();
    survey.journal.from = std::min(survey.journal.from, bucket);
    survey.journal.to = std::max(survey.journal.to, bucket + minute);
    is_known = batch.partition < partitions;
    return is_known;
  });
  if (!read) return read;
  if (!is_known) return damaged("the journal names a partition that the checkpoint does not have");
  return {};
}

// Rows from the first that is not known to be published to the last that was made, without a gap.
Result<void> read_outbox(const StateStore& store, StateSurvey& survey) {
  std::uint64_t next = survey.checkpoint ? survey.checkpoint->published : 0;
  const std::uint64_t end = survey.checkpoint ? survey.checkpoint->rows : 0;
  std::string fault;
  auto scanned = store.scan("o", "p", [&](std::string_view key, std::string_view value) {
    const std::uint64_t number = big_endian(key.substr(1));
    ByteReader row(value);
    static_cast<void>(row.text());
    static_cast<void>(row.text());
    static_cast<void>(row.signed_number());
    if (key.size() != 9 || number != next) {
      fault = "row " + std::to_string(next) + ", which is to be published, is not there";
    } else if (!row.is_done()) {
      fault = "row " + std::to_string(number) + ", which is to be published, cannot be read";
    }
    ++next;
    ++survey.rows_waiting;
    survey.bytes_waiting += key.size() + value.size();
    return fault.empty();
  });
  if (!scanned) return scanned;
  if (fault.empty() && next != end)
    fault = "rows to be published end at " + std::to_string(next) + ", not at " + std::to_string(end);
  if (!fault.empty()) return damaged(fault);
  return {};
}

}  // namespace

Result<StateSurvey> survey_of(const StateStore& store) {
  StateSurvey survey;
  auto checkpoint = checkpoint_in(store);
  if (!checkpoint) return tl::unexpected(std::move(checkpoint).error());
  survey.checkpoint = std::move(*checkpoint);
  if (auto read = read_journal(store, survey); !read) return tl::unexpected(std::move(read).error());
  if (auto read = read_outbox(store, survey); !read) return tl::unexpected(std::move(read).error());
  return survey;
}

}  // namespace recmeter

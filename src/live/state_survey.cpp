#include "recmeter/live/state_survey.h"

#include <algorithm>
#include <string>

#include "live/journal.h"
#include "live/state_keys.h"
#include "recmeter/evaluation/lane_spec.h"
#include "recmeter/join/join_rule.h"
#include "recmeter/live/row_archive.h"

namespace recmeter {

namespace {

tl::unexpected<Error> damaged(const std::string& what) {
  return failure(Errc::state_unusable, "the state is damaged: " + what + "; restore it, or move it away and start again");
}

// Sums and lengths need no decoding, and say how much there is when decoding fails.
Result<void> read_journal(const StateStore& store, StateSurvey& survey) {
  const std::uint64_t partitions = survey.checkpoint ? survey.checkpoint->positions.size() : 0;
  auto sized = store.scan(state_key::first(state_key::journal), state_key::after(state_key::journal),
                          [&](std::string_view key, std::string_view value) {
                            ++survey.journal.blocks;
                            survey.journal.bytes += key.size() + value.size();
                            return true;
                          });
  if (!sized) return sized;
  bool is_known = true;
  const EventKinds all{.actions = actions_max, .candidates = lanes_max};
  auto read = Journal::read(store, JoinKey(), all, {}, [&](EventTime bucket, const RoutedBatch& batch) {
    survey.journal.events += batch.events.size();
    survey.journal.from = std::min(survey.journal.from, bucket);
    survey.journal.to = std::max(survey.journal.to, bucket + one_minute);
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
  auto scanned = store.scan(state_key::first(state_key::outbox), state_key::after(state_key::outbox),
                            [&](std::string_view key, std::string_view value) {
                              const std::uint64_t number = state_key::number_in(key);
                              ByteReader row(value);
                              static_cast<void>(row.text());
                              static_cast<void>(row.text());
                              static_cast<void>(row.signed_number());
                              if (row.left() > 0) static_cast<void>(row.number());
                              const std::string_view kept_under = row.left() > 0 ? row.text() : std::string_view();
                              const bool is_there = kept_under.empty() || RowArchive::json_under(store, kept_under);
                              if (key.size() != 9 || number != next) {
                                fault = "row " + std::to_string(next) + ", which is to be published, is not there";
                              } else if (!row.is_done() || !is_there) {
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
  auto panes = survey_panes(store);
  if (!panes) return tl::unexpected(std::move(panes).error());
  survey.panes = *panes;
  if (auto read = read_outbox(store, survey); !read) return tl::unexpected(std::move(read).error());
  return survey;
}

}  // namespace recmeter

#include "recmeter/live/state_survey.h"

#include <algorithm>
#include <string>

#include "live/journal.h"
#include "live/outbox.h"
#include "live/state_keys.h"
#include "recmeter/evaluation/lane_spec.h"
#include "recmeter/join/join_rule.h"

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
  const auto waiting = Outbox::waiting_in(store, survey.checkpoint.value_or(Checkpoint()));
  if (!waiting) return tl::unexpected(waiting.error());
  survey.rows_waiting = waiting->rows;
  survey.bytes_waiting = waiting->bytes;
  return survey;
}

}  // namespace recmeter

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

// Sums and lengths need no decoding, and say how much there is when decoding fails.
Result<void> read_journal(const StateStore& store, const EvaluatorSpec* spec, StateSurvey& survey) {
  auto sized = store.scan(state_key::first(state_key::journal), state_key::after(state_key::journal),
                          [&](std::string_view key, std::string_view value) {
                            ++survey.journal.blocks;
                            survey.journal.bytes += key.size() + value.size();
                            return true;
                          });
  if (!sized) return sized;
  if (!survey.checkpoint) return {};
  const EventKinds all{.actions = actions_max, .candidates = lanes_max};
  const Journal::Range range{.noted_by = survey.checkpoint->number, .partitions = survey.checkpoint->positions.size()};
  const JoinKey key = spec != nullptr ? spec->join.key : JoinKey();
  const EventKinds kinds = spec != nullptr ? kinds_of(*spec) : all;
  return Journal::read(store, key, kinds, range, [&](EventTime bucket, const RoutedBatch& batch) {
    survey.journal.events += batch.events.size();
    survey.journal.from = std::min(survey.journal.from, bucket);
    survey.journal.to = std::max(survey.journal.to, bucket + one_minute);
    return true;
  });
}

}  // namespace

Result<StateSurvey> survey_of(const StateStore& store, const EvaluatorSpec* spec) {
  StateSurvey survey;
  auto checkpoint = checkpoint_in(store);
  if (!checkpoint) return tl::unexpected(std::move(checkpoint).error());
  survey.checkpoint = std::move(*checkpoint);
  if (auto read = read_journal(store, spec, survey); !read) return tl::unexpected(std::move(read).error());
  auto panes = survey_panes(store);
  if (!panes) return tl::unexpected(std::move(panes).error());
  survey.panes = *panes;
  const auto waiting = Outbox::waiting_in(store, survey.checkpoint.value_or(Checkpoint()));
  if (!waiting) return tl::unexpected(waiting.error());
  const std::uint64_t made = survey.checkpoint ? survey.checkpoint->rows : 0;
  survey.looks = {.made = waiting->looks, .waiting = waiting->looks - waiting->looks_published};
  survey.rows = {.made = made - survey.looks.made, .waiting = waiting->rows - survey.looks.waiting};
  survey.bytes_waiting = waiting->bytes;
  return survey;
}

}  // namespace recmeter

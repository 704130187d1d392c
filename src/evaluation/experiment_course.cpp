#include "recmeter/evaluation/experiment_course.h"

#include <algorithm>
#include <utility>

#include "evaluation/incomplete.h"

namespace recmeter {

ExperimentCourse::ExperimentCourse(const EvaluatorPlan& plan, const PlannedExperiment& experiment)
    : plan_(plan), experiment_(experiment), sums_(experiment) {}

void ExperimentCourse::go_on_from(ExperimentPast&& past) {
  keeps_ = true;
  since_ = past.since;
  for (KeptLook& look : past.looks) {
    const std::int64_t number = look.sums.number();
    if (number < 1) continue;
    waiting_[number].push_back(std::move(look.sums));
    told_.emplace(number, std::move(look.remarks));
  }
}

void ExperimentCourse::collect(std::deque<LookSums>&& looks) {
  for (LookSums& look : looks) waiting_[look.number()].push_back(std::move(look));
}

std::vector<ExperimentLook> ExperimentCourse::advance(EventTime w, EventTime log_end, const LogStart& log_start) {
  std::vector<ExperimentLook> looks;
  const auto make_pending = [&] {
    if (pending_ && is_final(*pending_, w, log_end))
      looks.push_back(make_look(*std::exchange(pending_, std::nullopt), log_start));
  };
  make_pending();
  while (!waiting_.empty() && experiment_.complete_at(waiting_.begin()->first) <= w) {
    add(waiting_.begin()->first);
    make_pending();
  }
  // The last look is one even where it has no list of its own.
  const std::int64_t last = experiment_.last_look();
  if (!is_closed_ && is_final(last, w, log_end)) looks.push_back(make_look(last, log_start));
  return looks;
}

void ExperimentCourse::add(std::int64_t number) {
  std::vector<LookSums> shards = std::move(waiting_.extract(number).mapped());
  if (number >= 1) {
    for (const LookSums& look : shards) sums_.add(look);
  }
  if (keeps_ && !told_.contains(number)) pending_sums_ = std::move(shards);
  if (number < 1) return keep(number, {});
  pending_ = number;
  shrink_sample();
}

// Of a look that was pending.
void ExperimentCourse::keep(std::int64_t number, const std::vector<std::string>& incomplete) {
  KeptLook look{.sums = LookSums(number, experiment_.spec->arms.values.size(), experiment_.width()),
                .remarks = {.sample = sample_, .incomplete = incomplete}};
  for (const LookSums& shard : pending_sums_) look.sums += shard;
  pending_sums_.clear();
  new_.push_back(std::move(look));
}

// As it was when the look was made, whatever the limit is now.
void ExperimentCourse::shrink_sample() {
  if (const auto told = told_.find(*pending_); told != told_.end()) {
    sample_ = told->second.sample;
    return;
  }
  constexpr std::uint8_t zeros_max = std::tuple_size_v<UsersByZeros> - 1;
  while (sample_ < zeros_max && sums_.members(sample_) > plan_.spec->limits.experiment_users) ++sample_;
}

bool ExperimentCourse::is_final(std::int64_t number, EventTime w, EventTime log_end) const {
  return experiment_.look_time(number) + experiment_.age <= std::min(w, log_end);
}

std::vector<std::string> ExperimentCourse::incomplete_at(std::int64_t number, const LogStart& log_start) {
  if (const auto told = told_.extract(number)) return incomplete_ = told.mapped().incomplete;
  const ExperimentSpec& spec = *experiment_.spec;
  // A log that was cut at the start of the experiment begins with its first event, a moment later.
  LogStart since = log_start;
  if (since.first_event != plus_infinity) since.first_event = std::max(since.first_event - spec.every, since_);
  std::vector<std::string> reasons = incomplete_reasons(plan_.spec->join, since, spec.start - spec.cuped_before,
                                                        experiment_.look_time(number), spec.horizon);
  // What a live run has forgotten by now is still so; only the log's first event may turn out to be an earlier one.
  for (std::string& reason : incomplete_) {
    if (reason != "start" && !std::ranges::count(reasons, reason)) reasons.push_back(std::move(reason));
  }
  order_reasons(reasons);
  return incomplete_ = std::move(reasons);
}

ExperimentLook ExperimentCourse::make_look(std::int64_t number, const LogStart& log_start) {
  is_closed_ = number == experiment_.last_look();
  const bool is_new = !told_.contains(number);
  ExperimentLook look{.experiment = &experiment_,
                      .place = static_cast<std::size_t>(&experiment_ - plan_.experiments.data()),
                      .number = number,
                      .end = experiment_.look_time(number),
                      .is_closed = is_closed_,
                      .incomplete = incomplete_at(number, log_start),
                      .sample = sample_,
                      .arms = {},
                      .uncut = {},
                      .metrics = {}};
  if (keeps_ && is_new) keep(number, look.incomplete);
  // Nothing that a draft says depends on who is a member.
  if (sample_ > 0 && !experiment_.draft) look.incomplete.emplace_back("experiment_users");
  sums_.fill(look);
  return look;
}

std::vector<ExperimentLook> advance_all(std::span<ExperimentCourse> courses, EventTime w, EventTime log_end,
                                        const LogStart& log_start) {
  std::vector<ExperimentLook> looks;
  for (ExperimentCourse& course : courses) {
    for (ExperimentLook& look : course.advance(w, log_end, log_start)) looks.push_back(std::move(look));
  }
  const auto due = [](const ExperimentLook& look) { return look.end + look.experiment->age; };
  std::stable_sort(looks.begin(), looks.end(), [&](const auto& a, const auto& b) { return due(a) < due(b); });
  return looks;
}

}  // namespace recmeter

#include "recmeter/evaluation/experiment_course.h"

#include <algorithm>
#include <utility>

#include "evaluation/incomplete.h"

namespace recmeter {

ExperimentCourse::ExperimentCourse(const EvaluatorPlan& plan, const PlannedExperiment& experiment)
    : plan_(plan), experiment_(experiment), sums_(experiment) {}

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
  for (const LookSums& look : waiting_.at(number)) sums_.add(look);
  waiting_.erase(number);
  pending_ = number;
  shrink_sample();
}

void ExperimentCourse::shrink_sample() {
  constexpr std::uint8_t zeros_max = std::tuple_size_v<UsersByZeros> - 1;
  while (sample_ < zeros_max && sums_.members(sample_) > plan_.spec->limits.experiment_users) ++sample_;
}

bool ExperimentCourse::is_final(std::int64_t number, EventTime w, EventTime log_end) const {
  return experiment_.look_time(number) + experiment_.age <= std::min(w, log_end);
}

ExperimentLook ExperimentCourse::make_look(std::int64_t number, const LogStart& log_start) {
  const ExperimentSpec& spec = *experiment_.spec;
  is_closed_ = number == experiment_.last_look();
  // A log that was cut at the start of the experiment begins with its first event, a moment later.
  LogStart since = log_start;
  if (since.first_event != plus_infinity) since.first_event = since.first_event - spec.every;
  ExperimentLook look{.experiment = &experiment_,
                      .number = number,
                      .end = experiment_.look_time(number),
                      .is_closed = is_closed_,
                      .incomplete = incomplete_reasons(plan_.spec->join, since, spec.start - spec.cuped_before,
                                                       experiment_.look_time(number), spec.horizon),
                      .sample = sample_,
                      .arms = {},
                      .metrics = {}};
  if (sample_ > 0) look.incomplete.emplace_back("experiment_users");
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
